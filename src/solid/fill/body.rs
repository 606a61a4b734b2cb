//! What is to be filled: a body that knows how deep points are in it, and its surface.
//!
//! A surface is made of *patches*: smooth regions. Where two of them meet in a sharp edge is a *curve*, and where curves
//! meet is a *corner*. A node of the mesh sits on one of them, and may be moved only there.

use crate::geom::aabb::Aabb;
use crate::geom::{Point, Vector};

/// Where a node sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// Inside the body, free.
    Inside,
    /// On this patch.
    Patch(u32),
    /// On this curve.
    Curve(u32),
    /// On this corner.
    Corner(u32),
}

/// A curve between two patches, or a corner between several.
#[derive(Clone, Debug, Default)]
pub(super) struct Sharp {
    /// The patches that meet there, ascending.
    pub patches: Vec<u32>,
}

/// A body.
pub(super) trait Body: Sync {
    /// Box around it.
    fn bounds(&self) -> Aabb;

    /// How deep a point is: positive inside, negative outside, its size about the distance to the surface.
    fn depth(&self, p: &Point) -> f64;

    /// The patch nearest to a point.
    fn patch_at(&self, p: &Point) -> u32;

    /// The nearest point where a node of this seat may sit.
    fn onto(&self, seat: Seat, p: &Point) -> Point;

    /// All curves.
    fn curves(&self) -> &[Sharp];

    /// All corners, and where they are.
    fn corners(&self) -> &[(Sharp, Point)];
}

/// A body given by a function.
pub(super) struct Implicit<'a> {
    /// Negative inside, positive outside.
    pub distance: &'a (dyn Fn(&Point) -> f64 + Sync),
    /// Contains it.
    pub bounds: Aabb,
}

impl Implicit<'_> {
    fn gradient(&self, p: &Point) -> Vector {
        let step = 1e-4 * self.bounds.radius();
        Vector::from_fn(|k, _| {
            let mut aside = Vector::zeros();
            aside[k] = step;
            ((self.distance)(&(p + aside)) - (self.distance)(&(p - aside))) / (2.0 * step)
        })
    }
}

impl Body for Implicit<'_> {
    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn depth(&self, p: &Point) -> f64 {
        -(self.distance)(p)
    }

    fn patch_at(&self, _: &Point) -> u32 {
        0
    }

    fn onto(&self, seat: Seat, p: &Point) -> Point {
        if seat == Seat::Inside {
            return *p;
        }
        let mut at = *p;
        for _ in 0..6 {
            let gradient = self.gradient(&at);
            let squared = gradient.norm_squared();
            let value = (self.distance)(&at);
            if squared < 1e-6 || value.abs() < 1e-9 * self.bounds.radius() {
                break;
            }
            at -= gradient * (value / squared);
        }
        at
    }

    fn curves(&self) -> &[Sharp] {
        &[]
    }

    fn corners(&self) -> &[(Sharp, Point)] {
        &[]
    }
}
