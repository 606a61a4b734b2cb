//! Sample points in buckets: what the query visits by default, instead of the paper's sphere tree.
//!
//! Points come in curve order, skin vertices first, then crack points by the sibling across; eight of them make a bucket,
//! eight buckets a group, each with a sphere around it. Two flat levels: prepared in one pass, nothing to split at a
//! fracture, and small enough that a deeper tree would not pay below some thousand points.

use crate::geom::Local;
use crate::geom::aabb::Aabb;
use crate::geom::supports::Supports;
use std::ops::Range;

/// Points a bucket, and buckets a group.
pub const WIDTH: usize = 8;

/// A sphere around some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Middle.
    pub centre: Local,
    /// Not smaller than the distance to any of its points.
    pub radius: f32,
}

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
    /// All points.
    pub samples: Vec<Sample>,
    /// A sphere for every [`WIDTH`] points.
    pub buckets: Vec<Sphere>,
    /// A sphere for every [`WIDTH`] buckets.
    pub groups: Vec<Sphere>,
    /// How far the points reach.
    pub supports: Supports,
}

impl Buckets {
    /// Puts points into buckets, in the order in which they come. `directions` are those in which the body is known to
    /// have flat sides.
    pub fn new(samples: Vec<Sample>, directions: &[Local]) -> Self {
        let supports = Supports::new(&samples.iter().map(|s| s.at).collect::<Vec<_>>(), directions);
        let around = |samples: &[Sample]| -> Sphere {
            let mut bounds = Aabb::EMPTY;
            samples.iter().for_each(|s| bounds.grow(&s.at.cast::<f64>().into()));
            let centre: Local = bounds.centre().coords.cast();
            let far = samples.iter().map(|s| (s.at - centre).norm()).fold(0.0, f32::max);
            // A hair more than the farthest, for rounding.
            Sphere { centre, radius: far * (1.0 + 1e-6) }
        };
        Self {
            buckets: samples.chunks(WIDTH).map(around).collect(),
            groups: samples.chunks(WIDTH * WIDTH).map(around).collect(),
            samples,
            supports,
        }
    }

    /// The buckets of a group.
    pub fn buckets_of(&self, group: usize) -> Range<usize> {
        group * WIDTH..((group + 1) * WIDTH).min(self.buckets.len())
    }

    /// The points of a bucket.
    pub fn samples_of(&self, bucket: usize) -> Range<usize> {
        bucket * WIDTH..((bucket + 1) * WIDTH).min(self.samples.len())
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.samples[..]) + size_of_val(&self.buckets[..]) + size_of_val(&self.groups[..])
    }
}
