//! Planes as signed distances.

use crate::geom::{Local, Point, Vector};

/// A plane with a unit normal. `distance` is positive on the side of the normal; the other side is the plane's *inner*
/// half-space, so that a list of planes describes the convex cell they bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: Vector,
    /// The plane is `normal · x = offset`.
    pub offset: f64,
}

impl Plane {
    /// The plane through `point` across `normal`; `None` if the normal has no direction.
    pub fn through(point: &Point, normal: &Vector) -> Option<Self> {
        let length = normal.norm();
        let unit = normal / length;
        (length > 0.0 && unit.iter().all(|c| c.is_finite()))
            .then(|| Self { normal: unit, offset: unit.dot(&point.coords) })
    }

    /// The plane halfway from `a` to `b`, its normal towards `b`; `None` if they are one point.
    pub fn bisector(a: &Point, b: &Point) -> Option<Self> {
        Self::through(&nalgebra::center(a, b), &(b - a))
    }

    /// Signed distance of `p`.
    pub fn distance(&self, p: &Point) -> f64 {
        self.normal.dot(&p.coords) - self.offset
    }

    /// The same plane seen from the other side.
    pub fn flipped(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
}

/// Two unit vectors along the plane across a unit normal, at right angles to each other.
pub fn along(normal: &Local) -> [Local; 2] {
    let aside = if normal.x.abs() < 0.6 { Local::x() } else { Local::y() };
    let u = normal.cross(&aside).normalize();
    [u, normal.cross(&u)]
}

/// Two unit vectors across a direction, the same for its opposite.
pub fn axes_across(normal: &Vector) -> [Vector; 2] {
    let n = normal.try_normalize(0.0).unwrap_or(Vector::z());
    let first = n.iter().find(|c| c.abs() > 1e-9).copied().unwrap_or(1.0);
    let n = n * first.signum();
    let aside = if n.x.abs() < 0.6 { Vector::x() } else { Vector::y() };
    let u = aside.cross(&n).normalize();
    [u, n.cross(&u)]
}
