//! Penalties between a soft body and an object or a plain shape: features of either in the other (Marchal 2004, 5, for bodies that are not made
//! of tetrahedra).

use crate::body::Object;
use crate::error::Result;
use crate::field::SignedDistance;
use crate::field::shape::Shape;
use crate::geom::aabb::Aabb;
use crate::geom::{Point, Pose};
use crate::penalty::{Penalty, PenaltyOptions, PenaltyScratch, PenaltyStats, Penetrating, SoftBody};
use crate::solid::surface::Traceable;

/// Appends the penalties between a soft body and an object: features of the soft body in the object (side 0), whose reaction acts on the object
/// at the point of a record, and vertices or edges of the object's surface in the soft body (side 1). Fails if the soft body was changed
/// since its last update.
pub fn query_soft_object(
    soft: &SoftBody,
    object: &Object,
    pose: &Pose,
    options: &PenaltyOptions,
    scratch: &mut PenaltyScratch,
    out: &mut Vec<Penalty>,
) -> Result<PenaltyStats> {
    let metres = object.in_metres();
    let bounds = metres.bounds().placed(pose);
    if soft.is_ready() && !soft.bounds().is_some_and(|own| own.meets(&bounds)) {
        return Ok(PenaltyStats::default());
    }
    let signed_distance = in_world(pose, |p: &Point| metres.signed_distance(p));
    let first = soft.penalties_in(&bounds, signed_distance, options.penetrating[0], out)?;
    // The surface is built on first use, so only if it is asked for.
    let is_asked = options.penetrating[1] != Penetrating::Nothing;
    let Some(surface) = is_asked.then(|| object.traced()).flatten().map(Traceable::surface) else { return Ok(first) };
    let at = |v: u32| pose * metres.point(&surface.vertices[v as usize]);
    let triangles = surface.triangles.iter().map(|t| t.corners);
    Ok(first + soft.penalties_of_surface(at, triangles, options, scratch, out)?)
}

/// Appends the penalties between a soft body and a plain shape: features of the soft body in the shape (side 0), and corners or edges of the
/// shape in the soft body (side 1). A ball and the points along a capsule have no edges: as points they are felt wherever they reach into the
/// body. Fails if the soft body was changed since its last update.
pub fn query_soft_shape(
    soft: &SoftBody,
    shape: &impl Shape,
    pose: &Pose,
    options: &PenaltyOptions,
    scratch: &mut PenaltyScratch,
    out: &mut Vec<Penalty>,
) -> Result<PenaltyStats> {
    let signed_distance = |p: &Point| match shape.depth(p) {
        Some(way) => SignedDistance { distance: -way.distance, outward: way.outward },
        None => shape
            .separation(p, f64::INFINITY)
            .map_or(SignedDistance::FAR, |way| SignedDistance { distance: way.distance, outward: way.outward }),
    };
    let bounds = shape.bounds().map_or(Aabb::ALL, |bounds| bounds.placed(pose));
    let first = soft.penalties_in(&bounds, in_world(pose, signed_distance), options.penetrating[0], out)?;
    let at = |k: u32| pose * shape.sample(k);
    let samples = (0..shape.sample_count()).map(|k| (k, at(k)));
    if shape.sample_radius() > 0.0 {
        let is_asked = options.penetrating[1] == Penetrating::Points;
        let balls = samples.filter(|_| is_asked);
        return Ok(first + soft.penalties_of_balls(balls, shape.sample_radius(), scratch, out)?);
    }
    let points = samples.map(|(k, p)| (k, p, 0.0));
    let segments = (0..shape.edge_count()).map(|k| (shape.edge(k), shape.edge(k).map(at)));
    Ok(first + soft.penalties_of(points, segments, options, scratch, out)?)
}

/// A signed distance in the frame of a pose, asked from the world.
fn in_world(pose: &Pose, field: impl Fn(&Point) -> SignedDistance) -> impl Fn(&Point) -> SignedDistance {
    move |p| {
        let found = field(&pose.inverse_transform_point(p));
        SignedDistance { outward: pose.rotation * found.outward, ..found }
    }
}
