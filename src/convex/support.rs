//! Support functions: what GJK and EPA know of a convex body.

use crate::geom::{NONE, Point, Pose, Vector};
use crate::samples::buckets::Buckets;
use std::cell::Cell;

/// A convex body: all points within a margin of the convex hull of some points, its core. The margin is exact and costs
/// nothing: a ball is a point, a capsule a segment.
pub trait Support {
    /// The point of the core that is farthest along a unit direction, and its index. Equal indices, equal points; and the
    /// same direction gives the same point.
    fn farthest(&self, direction: &Vector) -> (Point, u32);

    /// A point within the core.
    fn centre(&self) -> Point;

    /// The margin.
    fn margin(&self) -> f64 {
        0.0
    }
}

/// The samples of a body, in its frame and in metres. The farthest is found in single precision: nearer than the true
/// one by up to 3e-7 of the distance from the centre of the asset.
pub struct Samples<'a> {
    samples: &'a Buckets,
    centre: Point,
    scale: f64,
    /// Bucket of the last result.
    hint: Cell<u32>,
}

/// All points within a radius of the convex hull of some points: of one, a ball; of two, a capsule.
#[derive(Clone, Copy, Debug)]
pub struct Rounded<'a> {
    /// At least one.
    pub points: &'a [Point],
    /// Radius.
    pub radius: f64,
}

/// A box along the axes of its frame.
#[derive(Clone, Copy, Debug)]
pub struct Cuboid {
    /// Centre.
    pub centre: Point,
    /// Half the edge lengths.
    pub half: Vector,
}

/// A body in another frame.
pub struct Placed<'a, S> {
    body: &'a S,
    turn: nalgebra::Matrix3<f64>,
    at: Vector,
}

impl<'a> Samples<'a> {
    /// Samples of an asset with this centre, and metres per unit of the asset.
    pub fn new(samples: &'a Buckets, centre: &Point, scale: f64) -> Self {
        Self { samples, centre: *centre, scale, hint: Cell::new(NONE) }
    }
}

/// Indices are those of the samples. Without samples, the body is the centre of its asset.
impl Support for Samples<'_> {
    #[inline]
    fn farthest(&self, direction: &Vector) -> (Point, u32) {
        let Some((sample, bucket)) = self.samples.farthest(&direction.cast(), self.hint.get()) else {
            return (self.centre * self.scale, NONE);
        };
        self.hint.set(bucket);
        ((self.centre + sample.at.cast::<f64>()) * self.scale, sample.id)
    }

    fn centre(&self) -> Point {
        (self.centre + self.samples.middle.cast::<f64>()) * self.scale
    }
}

impl Support for Rounded<'_> {
    #[inline]
    fn farthest(&self, direction: &Vector) -> (Point, u32) {
        let (mut most, mut best) = (f64::NEG_INFINITY, 0);
        for (k, point) in self.points.iter().enumerate() {
            let along = point.coords.dot(direction);
            (most, best) = if along > most { (along, k) } else { (most, best) };
        }
        (self.points[best], best as u32)
    }

    fn centre(&self) -> Point {
        let sum: Vector = self.points.iter().map(|p| p.coords).sum();
        Point::from(sum / self.points.len() as f64)
    }

    fn margin(&self) -> f64 {
        self.radius
    }
}

/// Bit k of the index is the side along axis k.
impl Support for Cuboid {
    #[inline]
    fn farthest(&self, direction: &Vector) -> (Point, u32) {
        let high = [0, 1, 2].map(|k| direction[k] > 0.0);
        let corner = Vector::from_fn(|k, _| if high[k] { self.half[k] } else { -self.half[k] });
        (self.centre + corner, high[0] as u32 | (high[1] as u32) << 1 | (high[2] as u32) << 2)
    }

    fn centre(&self) -> Point {
        self.centre
    }
}

impl<'a, S: Support> Placed<'a, S> {
    /// A body in the frame that `pose` leads to.
    pub fn new(body: &'a S, pose: &Pose) -> Self {
        Self { body, turn: *pose.rotation.to_rotation_matrix().matrix(), at: pose.translation.vector }
    }
}

impl<S: Support> Support for Placed<'_, S> {
    #[inline]
    fn farthest(&self, direction: &Vector) -> (Point, u32) {
        let (point, id) = self.body.farthest(&self.turn.tr_mul(direction));
        (Point::from(self.turn * point.coords + self.at), id)
    }

    fn centre(&self) -> Point {
        Point::from(self.turn * self.body.centre().coords + self.at)
    }

    fn margin(&self) -> f64 {
        self.body.margin()
    }
}

/// Overlap of two bodies along a unit direction: how far A has to be moved along it until a plane across it separates the
/// two. Negative: the gap along it.
#[inline]
pub fn overlap_along(a: &impl Support, b: &impl Support, direction: &Vector) -> f64 {
    (b.farthest(direction).0 - a.farthest(&-direction).0).dot(direction) + a.margin() + b.margin()
}
