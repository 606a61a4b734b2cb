//! Ways to play a sequence: what the paper compares with, and what one might ask about.

use fracas::deform::{ConeCulling, Construction, Restructuring, SceneOptions};

/// Options by name.
#[derive(Clone, Copy)]
pub struct Variant {
    pub name: &'static str,
    pub options: SceneOptions,
    pub threads: usize,
}

pub const DEFAULT: &str = "default";
pub const TWO_THREADS: &str = "default, two threads";
/// What others are held against.
pub const OFF: &str = "cones off";
pub const FAST: &str = "cones fast (as in the paper)";
pub const DUAL_CONTOUR: &str = "dual cones, contour";
pub const NO_GRID_NO_METRIC: &str = "medians, volume ratio";
pub const REFIT: &str = "refit only";
pub const MORTON: &str = "Morton every frame";

/// All of them, the default first.
pub fn all() -> Vec<Variant> {
    let base = SceneOptions::default();
    let cones = |culling: ConeCulling| SceneOptions { culling, ..base };
    let volume_ratio = Restructuring::VolumeRatio { ratio: 1.8, share: 0.25 };
    let trees =
        |construction: Construction, restructuring: Restructuring| SceneOptions { construction, restructuring, ..base };
    let one = |name, options| Variant { name, options, threads: 1 };
    vec![
        one(DEFAULT, base),
        Variant { name: TWO_THREADS, options: base, threads: 2 },
        one(OFF, cones(ConeCulling::Off)),
        one(FAST, cones(ConeCulling::Fast)),
        one(DUAL_CONTOUR, cones(ConeCulling::DualContour)),
        one("normal cone only", cones(ConeCulling::NormalCone)),
        one("normal cone, real contour", cones(ConeCulling::RealContour)),
        one(NO_GRID_NO_METRIC, trees(Construction::Median, volume_ratio)),
        one("medians, cost metric", trees(Construction::Median, base.restructuring)),
        one(REFIT, trees(base.construction, Restructuring::Off)),
        one(MORTON, trees(Construction::Morton, Restructuring::Always)),
    ]
}
