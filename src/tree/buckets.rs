//! Sample points in buckets: what the query visits by default, instead of the paper's sphere tree.
//!
//! Points come in curve order, skin vertices first, then crack points; eight of them make a bucket, eight buckets a group,
//! each with a sphere around it. Two flat levels: prepared in one pass, nothing to split at a fracture, and small enough
//! that a deeper tree would not pay below some thousand points. Everything is stored eight by eight, as it is tested.

use crate::geom::lanes::{LANES, PointLanes, SphereLanes, around, middle_and_half};
use crate::geom::supports::Supports;
use crate::geom::{Local, NONE};

/// A sample point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Relative to the middle of the asset.
    pub at: Local,
    /// Its number: of the node, or behind the nodes of the crack point.
    pub id: u32,
}

/// The sample points of one object.
#[derive(Clone, Debug)]
pub struct Buckets {
    /// Eight points a bucket; in the last one, the last point comes again.
    pub points: Vec<PointLanes>,
    /// Their numbers; [`NONE`] for those that come again.
    pub ids: Vec<[u32; LANES]>,
    /// A sphere around every bucket, those of a group together.
    pub buckets: Vec<SphereLanes>,
    /// A sphere around every group.
    pub groups: Vec<SphereLanes>,
    /// How far the points reach.
    pub supports: Supports,
    /// Middle and half the size of the box around them.
    pub middle: Local,
    /// See above.
    pub half: Local,
}

impl Buckets {
    /// Puts points into buckets, in the order in which they come. `directions` are those in which the body is known to
    /// have flat sides.
    pub fn new(samples: &[Sample], directions: &[Local]) -> Self {
        let places: Vec<Local> = samples.iter().map(|s| s.at).collect();
        let points = PointLanes::list(&places);
        let numbers = |chunk: &[Sample]| std::array::from_fn(|k| chunk.get(k).map_or(NONE, |s| s.id));
        let spheres = |width: usize| {
            SphereLanes::list(&places.chunks(width).map(|chunk| around(chunk.iter())).collect::<Vec<_>>())
        };
        let (middle, half) = middle_and_half(places.iter());
        Self {
            supports: Supports::new(&points, directions),
            points,
            ids: samples.chunks(LANES).map(numbers).collect(),
            buckets: spheres(LANES),
            groups: spheres(LANES * LANES),
            middle,
            // A hair more, for rounding.
            half: half * (1.0 + 1e-6),
        }
    }

    /// How many spheres there are: around buckets, and around groups.
    pub fn spheres(&self) -> [usize; 2] {
        [self.points.len(), self.points.len().div_ceil(LANES)]
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let spheres = size_of_val(&self.buckets[..]) + size_of_val(&self.groups[..]);
        size_of_val(&self.points[..]) + size_of_val(&self.ids[..]) + spheres + self.supports.bytes()
    }
}
