//! Cut tetrahedra that are made when somebody asks for them: a later break, a surface, a file.
//!
//! Queries of pieces that planes made ask planes, skin and samples. So an event on an intact body, which is the common one and the largest,
//! leaves regions out (`Detail::Skeleton`), and keeps what made it instead. Not so later ones: every fragment would keep the breaks
//! before it alive.

use super::envelope::Envelope;
use super::pattern::{Pattern, Shape};
use super::regions::Detail;
use super::scratch::Scratch;
use super::{FractureOptions, cutting, fragments};
use crate::body::Object;
use crate::error::Result;
use crate::field::breaks::{Break, CutLater, CutTets};
use crate::geom::Point;

/// Borders between closer seeds are as uneven as their rounded functions, but masses would be those of planes; in radii of the asset over
/// the cube root of their number.
const CLOSE: f64 = 1e-4;
/// Seeds farther from the middle of the asset, in its radii, lose too many digits.
const FAR: f64 = 4.0;

/// Whether the cut tetrahedra of an object can wait.
pub fn can_wait(object: &Object, envelope: &Envelope) -> bool {
    let asset = object.asset();
    let is_near = |seed: &Point| seed.coords.norm() <= FAR * asset.radius();
    // The skin of the asset is looked at, so it should be mostly the object's.
    let is_most = 2 * object.nodes().len() >= asset.solid().nodes().len();
    let can_wait = |seeds: &[Point]| seeds.iter().all(is_near) && !has_close_ones(seeds, CLOSE * asset.radius());
    !object.is_fragment() && is_most && envelope.power_cells().is_some_and(|cells| can_wait(cells.at))
}

/// Whether two of some points are closer than this, times the distance that so many have.
fn has_close_ones(points: &[Point], close: f64) -> bool {
    let close = close / (points.len().max(1) as f64).cbrt();
    let mut sorted = points.to_vec();
    sorted.sort_unstable_by(|a, b| a.x.total_cmp(&b.x));
    let is_close = |(k, p): (usize, &Point)| {
        let mut next = sorted[k + 1..].iter().take_while(|q| q.x - p.x < close);
        next.any(|q| (q - p).norm_squared() < close * close)
    };
    sorted.iter().enumerate().any(is_close)
}

/// What cuts the object by a pattern once more.
pub fn again(object: &Object, pattern: &Pattern) -> Box<dyn CutLater> {
    Box::new(Again { object: object.clone(), pattern: pattern.clone() })
}

#[derive(Debug)]
struct Again {
    /// Intact.
    object: Object,
    pattern: Pattern,
}

impl Again {
    fn again(&self, count: usize) -> Result<CutTets> {
        let object = &self.object;
        let options = FractureOptions { max_regions: u32::MAX, ..FractureOptions::default() };
        let envelope = Envelope::new(&self.pattern, object, &options.tasks)?;
        let mut scratch = Scratch::with_cells(object, &envelope);
        let divided = cutting::divide(object, &envelope, &options, &mut scratch, &mut |_| {}, Detail::Regions);
        let cut = divided.map(|(divided, _)| {
            let fragments = fragments::find(object, &envelope, &divided, &mut scratch);
            divided.cut_tets(&fragments.of_part, count, envelope.generation + 1)
        });
        scratch.give_back(object);
        cut
    }
}

impl CutLater for Again {
    fn cut(&self, made: &Break) -> CutTets {
        // It did not fail when its skeleton was made.
        self.again(made.pieces.len()).unwrap_or_default()
    }

    fn bytes(&self) -> usize {
        match &self.pattern.shape {
            Shape::Seeds(seeds) => seeds.capacity() * size_of::<Point>(),
            _ => 0,
        }
    }
}
