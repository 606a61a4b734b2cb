//! What a scene and its bodies are told: options, meshes, and the names of bodies.

use crate::geom::Point;
use std::fmt;

/// Which body of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub(super) u64);

impl BodyId {
    /// As a number, for other languages; never 0.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// From such a number; one that never was an id is answered like that of a deleted body.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// How a scene works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneOptions {
    /// Boxes are relative to it, in single precision: choose a point near the bodies.
    pub origin: Point,
    /// How self-collision is culled.
    pub culling: ConeCulling,
    /// How trees are built.
    pub construction: Construction,
    /// How trees are kept good while bodies deform.
    pub restructuring: Restructuring,
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self {
            origin: Point::origin(),
            culling: ConeCulling::default(),
            construction: Construction::default(),
            restructuring: Restructuring::default(),
        }
    }
}

/// How a body collides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOptions {
    /// Bodies collide if each has a bit of its category in the other's mask. Category 1 and all masks by default.
    pub category: u32,
    /// See `category`.
    pub mask: u32,
    /// Half the distance, in metres, at which two such surfaces touch: used by proximity queries. 0 by default.
    pub thickness: f64,
    /// Whether it collides with itself; true by default.
    pub self_collision: bool,
    /// Vertices at the same position are one: for meshes with texture seams. False by default.
    pub weld: bool,
}

impl Default for BodyOptions {
    fn default() -> Self {
        Self { category: 1, mask: u32::MAX, thickness: 0.0, self_collision: true, weld: false }
    }
}

/// The mesh of a new body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyMesh {
    /// Metres.
    pub positions: Vec<Point>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Parts of a split, optional: the triangle of the old body that each comes from, or `u32::MAX`. The tree of the part then keeps the
    /// order of the old one, which is faster than building it anew.
    pub sources: Vec<u32>,
}

/// How trees are kept good while bodies deform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Restructuring {
    /// Refit only.
    Off,
    /// By gain and loss of the traversal cost; rebuilding may take this share of the work of the queries since the last update (the
    /// paper's p). The default, with 0.25.
    Selective {
        /// p.
        share: f32,
    },
    /// Nodes whose box is this much larger than those of their children together (Larsson and Akenine-Möller 2006); for comparison.
    VolumeRatio {
        /// From which ratio on.
        ratio: f32,
        /// As in `Selective`.
        share: f32,
    },
    /// All trees in every update; for comparison.
    Always,
}

impl Default for Restructuring {
    fn default() -> Self {
        Self::Selective { share: 0.25 }
    }
}

/// How a tree is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Construction {
    /// The grid of FASTCD 5.5, medians below.
    #[default]
    Grid,
    /// Medians along the longest axis at every level.
    Median,
    /// Halving of the order along a Morton curve.
    Morton,
}

/// How the inside of nodes is culled from self-collision (FASTCD 4, and figure 8's alternatives).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConeCulling {
    /// Not at all.
    Off,
    /// Dual cones, as in the paper: may miss collisions across internal boundaries.
    Fast,
    /// The normal cone, then the contour of the node; closed bodies that are star-shaped as a whole. Misses nothing.
    #[default]
    Conservative,
    /// Dual cones, then the contour of the node, and star-shaped bodies: misses nothing, culls less.
    DualContour,
    /// The normal cone only (Provot 1997): may miss collisions. For comparison.
    NormalCone,
    /// The normal cone, then the contour of the mesh's own boundary (figure 8's "Internal"): may miss collisions. For comparison.
    RealContour,
}
