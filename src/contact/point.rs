//! Questions about points and rays: how far from an object, and what a ray hits. In the frame of the asset.

use crate::body::Object;
use crate::field::nodal::Scheme;
use crate::geom::{Point, Vector};
use crate::solid::surface::{RayHit, Traceable};

/// Distance to the surface of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedDistance {
    /// Negative inside.
    pub distance: f64,
    /// Unit vector out of the object.
    pub outward: Vector,
}

impl Object {
    /// Signed distance from a point to the surface.
    pub fn signed_distance(&self, p: &Point) -> SignedDistance {
        let field = self.field(Scheme::default());
        if let Some(way) = field.depth(p) {
            return SignedDistance { distance: -way.distance, outward: way.outward };
        }
        // Look a little farther than the surface can be near, and twice as far each time nothing is found.
        let mut reach = (field.clearance(p) + 0.5 * self.asset().mean_edge()) * 1.1;
        for _ in 0..64 {
            if let Some(way) = field.gap(p, reach) {
                return SignedDistance { distance: way.distance, outward: way.outward };
            }
            reach *= 2.0;
        }
        SignedDistance { distance: f64::INFINITY, outward: Vector::z() }
    }

    /// The first point of the surface, skin or crack, that a ray meets, from either side; `None` if there is none up to
    /// `max_t`, or the ray is no ray.
    pub fn ray(&self, origin: &Point, direction: &Vector, max_t: f64) -> Option<RayHit> {
        let make = || Traceable::new(self.surface()).ok();
        self.traceable().get_or_init(make).as_ref()?.ray(origin, direction, max_t)
    }
}
