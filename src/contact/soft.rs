//! Penalties between a soft body and an object: points or segments of the soft body in the object's distance field (Marchal 2004, 5, for bodies
//! that are not made of tetrahedra).

use crate::body::Object;
use crate::error::Result;
use crate::geom::aabb::Aabb;
use crate::geom::{Point, Pose};
use crate::penalty::{Penalty, PenaltyStats, Penetrating, SoftBody};

/// Appends the penalties of a soft body's features within an object. The reaction acts on the object at the point of a record. For
/// features of the object within the soft body, see [`SoftBody::penalties_of_triangles`]. Fails if the soft body was changed since its last
/// update.
pub fn query_soft_object(
    soft: &SoftBody,
    object: &Object,
    pose: &Pose,
    what: Penetrating,
    out: &mut Vec<Penalty>,
) -> Result<PenaltyStats> {
    let metres = object.in_metres();
    let bounds = metres.bounds();
    let corner = |k: usize| [0, 1, 2].map(|a| if k >> a & 1 == 0 { bounds.min[a] } else { bounds.max[a] });
    let placed: Vec<Point> = (0..8).map(|k| pose * Point::from(corner(k))).collect();
    let signed_distance = |p: &Point| {
        let found = metres.signed_distance(&pose.inverse_transform_point(p));
        (found.distance, pose.rotation * found.outward)
    };
    soft.penalties_in(&Aabb::around(&placed), signed_distance, what, out)
}
