//! The convex stage of a pair: the hulls of the samples of both bodies (GJK and EPA, `convex`).
//!
//! A body is within the hull of its samples. So hulls that are apart prove that bodies are; and along any direction bodies overlap by no
//! more than their hulls do. For nearly convex bodies that is the least translation which separates them.

use super::body_field::BodyField;
use crate::body::Object;
use crate::convex::epa::penetrate;
use crate::convex::gjk::{Apart, Separation, separate};
use crate::convex::support::{Placed, Samples, Support, overlap_along};
use crate::field::{DepthQuery, Field};
use crate::geom::{Local, Point, Pose, Vector};

/// Accuracy of the least translation, as a share of it.
const ACCURACY: f64 = 0.01;

/// The hulls of two bodies, in the frame of the second, in metres.
pub(super) struct Hulls<'a> {
    bodies: [&'a Object; 2],
    first: Samples<'a>,
    second: Samples<'a>,
    first_to_second: &'a Pose,
}

impl<'a> Hulls<'a> {
    /// Of two bodies; the pose leads from the frame of the first to that of the second.
    pub fn new([first, second]: [&'a Object; 2], first_to_second: &'a Pose) -> Self {
        let hull = |body: &'a Object| Samples::new(body.samples(), body.asset().centre(), body.scale());
        Self { bodies: [first, second], first: hull(first), second: hull(second), first_to_second }
    }

    fn placed(&self) -> Placed<'_, Samples<'a>> {
        Placed::new(&self.first, self.first_to_second)
    }

    /// A direction, from the second to the first, along which the hulls are more than `beyond` apart; `None` if there is none. `start`
    /// is a likely one.
    pub fn apart(&self, start: &Vector, beyond: f64) -> Option<Apart> {
        match separate(&self.placed(), &self.second, start, beyond) {
            Separation::Apart(apart) => Some(apart).filter(|apart| apart.at_least > beyond),
            Separation::Overlapping(_) => None,
        }
    }

    /// Overlap along a unit direction from the second to the first; negative: the gap.
    pub fn overlap_along(&self, direction: &Vector) -> f64 {
        overlap_along(&self.placed(), &self.second, direction)
    }

    /// Along a unit direction: the lowest height of the first, and the highest of the second.
    pub fn ends(&self, direction: &Vector) -> [f64; 2] {
        let low = self.placed().farthest(&-direction).0;
        [low.coords.dot(direction), self.second.farthest(direction).0.coords.dot(direction)]
    }

    /// The width along a direction of the one that is less wide.
    pub fn least_width(&self, direction: &Vector) -> f64 {
        let width = |high: Point, low: Point| (high - low).dot(direction);
        let first = self.placed();
        let of_first = width(first.farthest(direction).0, first.farthest(&-direction).0);
        of_first.min(width(self.second.farthest(direction).0, self.second.farthest(&-direction).0))
    }

    /// The least translation of the first that separates the hulls: its length and direction; `None` if they are apart.
    pub fn least_translation(&self, start: &Vector) -> Option<(f64, Vector)> {
        let first = self.placed();
        match separate(&first, &self.second, start, f64::INFINITY) {
            Separation::Apart(_) => None,
            Separation::Overlapping(simplex) => {
                let found = penetrate(&first, &self.second, &simplex, ACCURACY);
                Some((found.depth, found.direction))
            }
        }
    }
}

impl Hulls<'_> {
    /// How far the bodies, of which the hulls overlap by `overlap` along a direction, really overlap along it, as far as two samples tell:
    /// the lowest of the first and the highest of the second. In a dent of the other body nothing is in their way.
    pub fn blocked_way(&self, direction: &Vector, overlap: f64) -> f64 {
        let (lowest, highest) = (self.placed().farthest(&-direction).0, self.second.farthest(direction).0);
        let of_first = self.way_of_first(&lowest, direction, overlap);
        of_first.max(self.way_of_second(&highest, direction, overlap))
    }

    /// How far a point of the first, up to `most`, has to be moved along a direction to leave the second.
    pub fn way_of_first(&self, point: &Point, direction: &Vector, most: f64) -> f64 {
        blocked_part(self.bodies[1], point, &(direction * most)) * most
    }

    /// How far a point of the second, up to `most`, has to be moved against a direction to leave the first.
    pub fn way_of_second(&self, point: &Point, direction: &Vector, most: f64) -> f64 {
        let into_first = self.first_to_second.inverse();
        blocked_part(self.bodies[0], &(into_first * point), &(into_first.rotation * direction * -most)) * most
    }
}

/// Points that are looked at on a way through a body.
const STEPS: u32 = 16;

/// The part of a way, in the frame of a body and in metres, after which it does not lead through the body any more: from the last point inside, by
/// the face that is nearest there. What is thinner than a step may be missed.
fn blocked_part(body: &Object, from: &Point, way: &Vector) -> f64 {
    let field = BodyField::new(body, 0.0);
    let inside = DepthQuery { needed: 0.0, ..DepthQuery::ANY };
    let step = 1.0 / STEPS as f64;
    let last = (0..STEPS).rev().map(|k| k as f64 * step).find_map(|part| {
        let at = (from + way * part) / body.scale();
        // Most points are found outside by this, which is cheaper.
        let is_near = field.bound(&at, &Local::zeros()) <= 0.0;
        let touch = if is_near { field.touch(&at, &inside) } else { None };
        touch.filter(|(depth, _)| *depth > 0.0).map(|touch| (part, touch))
    });
    let Some((part, (depth, outward))) = last else { return 0.0 };
    let speed = outward.dot(way);
    part + if speed > 0.0 { (depth * body.scale() / speed).min(step) } else { step }
}
