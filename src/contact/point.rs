//! Point and ray queries: signed distance to an object, ray casts. In the frame of the asset.

use crate::body::{InMetres, Object};
pub use crate::field::SignedDistance;
use crate::geom::{Point, Vector};
use crate::reference::nodal::Scheme;
use crate::solid::surface::{RayHit, Traceable};

/// Gaps up to this many mean edges are measured by the field, larger ones by a BVH over the surface. The field's search
/// grows with the volume around the point, so the BVH is faster beyond. Found by trial.
const NEAR: f64 = 0.25;

impl Object {
    /// Signed distance from a point to the surface.
    pub fn signed_distance(&self, p: &Point) -> SignedDistance {
        let field = self.field(Scheme::default());
        if let Some(way) = field.depth(p) {
            return SignedDistance { distance: -way.distance, outward: way.outward };
        }
        // The field is made for short distances; farther away the BVH is faster.
        if let Some(way) = field.separation(p, NEAR * self.asset().mean_edge()) {
            return SignedDistance { distance: way.distance, outward: way.outward };
        }
        let hit = self.traced().and_then(|surface| surface.closest_point(p));
        let Some(on) = hit else { return SignedDistance::FAR };
        let outward = (p - on).try_normalize(0.0).unwrap_or(Vector::z());
        SignedDistance { distance: (p - on).norm(), outward }
    }

    /// The first point of the surface, skin or crack, that a ray hits, from either side. `None` if there is none up to
    /// `max_t`, or if the ray is degenerate.
    pub fn ray(&self, origin: &Point, direction: &Vector, max_t: f64) -> Option<RayHit> {
        self.traced()?.ray(origin, direction, max_t)
    }

    /// The surface with a BVH, built on first use.
    pub(super) fn traced(&self) -> Option<&Traceable> {
        self.traceable().get_or_init(|| Traceable::new(self.surface()).ok()).as_ref()
    }
}

impl InMetres<'_> {
    /// As [`Object::signed_distance`].
    pub fn signed_distance(&self, p: &Point) -> SignedDistance {
        let found = self.0.signed_distance(&self.in_asset(p));
        SignedDistance { distance: self.length(found.distance), ..found }
    }

    /// As [`Object::ray`]; the direction must have unit length.
    pub fn ray(&self, origin: &Point, direction: &Vector, max_distance: f64) -> Option<RayHit> {
        let hit = self.0.ray(&self.in_asset(origin), direction, max_distance / self.0.scale())?;
        Some(RayHit { t: self.length(hit.t), ..hit })
    }
}
