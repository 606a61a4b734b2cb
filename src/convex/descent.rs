//! Descent to the nearest way out of two overlapping bodies from a direction that is about right: the last frame's.
//!
//! Moves A out along the direction, just beyond B, and asks GJK for the direction between the two then; again from there.
//! With the overlap h along direction d, moved by t > h, the new direction d' has an overlap of at most
//! h - t (1 - d·d'): the bodies are at least t - h apart, so moving A by t d opens a gap of at least that along d'. So every
//! step improves, by more the more it turns, and a direction that stays is a local minimum of the overlap: it is across a
//! face of the Minkowski difference. It need not be the least of all: that takes EPA.

use crate::convex::epa::Penetration;
use crate::convex::gjk::{Separation, any_unit, separate};
use crate::convex::support::{Support, overlap_along};
use crate::geom::{Point, Vector};

/// How far beyond B A is moved, as a share of the overlap. Small: the turns are larger.
const BEYOND: f64 = 0.05;
/// A step that improves the overlap by less than this share is the last.
const ACCURACY: f64 = 1e-3;
/// Descent may slide along a smooth body: then the answer is valid, but not the local minimum.
const MOST_STEPS: usize = 8;

/// A body moved.
struct Moved<'a, S> {
    body: &'a S,
    by: Vector,
}

impl<S: Support> Support for Moved<'_, S> {
    #[inline]
    fn farthest(&self, direction: &Vector) -> (Point, u32) {
        let (point, id) = self.body.farthest(direction);
        (point + self.by, id)
    }

    fn centre(&self) -> Point {
        self.body.centre() + self.by
    }

    fn margin(&self) -> f64 {
        self.body.margin()
    }
}

/// The way out that descent finds from a start direction, and whether it is a local minimum. The depth is the overlap along
/// the direction, so A moved by it is separated; the lower bound of the depth is 0, or, if a direction turns out to
/// separate the bodies, minus the gap along it.
pub fn refine_direction<A: Support, B: Support>(a: &A, b: &B, start: &Vector) -> (Penetration, bool) {
    let mut direction = any_unit(start);
    let mut depth = overlap_along(a, b, &direction);
    let mut points =
        [a.farthest(&-direction).0 - direction * a.margin(), b.farthest(&direction).0 + direction * b.margin()];
    let mut is_least = depth <= 0.0;
    for _ in 0..MOST_STEPS {
        if is_least {
            break;
        }
        let by = direction * (depth * (1.0 + BEYOND));
        let Separation::Apart(apart) = separate(&Moved { body: a, by }, b, &direction, f64::INFINITY) else {
            break;
        };
        let overlap = overlap_along(a, b, &apart.direction);
        is_least = overlap >= depth * (1.0 - ACCURACY);
        if overlap <= depth {
            (depth, direction, points) = (overlap, apart.direction, [apart.points[0] - by, apart.points[1]]);
        }
    }
    (Penetration { depth, at_least: depth.min(0.0), direction, points }, is_least)
}
