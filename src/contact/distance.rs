//! Distance of two bodies and their closest points.
//!
//! GJK gives the distance of the convex hulls, a lower bound. If the two closest points of the hulls are points of the bodies
//! themselves, it is the distance of the bodies: so it is for convex ones. Otherwise the triangles of the surfaces are searched by
//! branch and bound.

use super::pair::query_pair;
use super::pair_query::rank;
use super::parts::{Between, Body, ObjectBody, Parts, PlaneBody, ShapeBody, between_hulls};
use super::setup::check_pose;
use super::shape::query_shape;
use super::sweep::deepest;
use super::{Contact, QueryOptions};
use crate::body::Object;
use crate::error::{Result, bad_argument};
use crate::field::shape::{Convex, Shape};
use crate::geom::{Point, Pose, Vector};

/// The closest points of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// In metres. Bodies that overlap: minus the depth of their deepest contact.
    pub distance: f64,
    /// World positions of the points on A and on B.
    pub points: [Point; 2],
    /// Unit, from B to A.
    pub normal: Vector,
}

/// Distance and closest points of two objects; `None` if they are farther apart than `range`, which may be infinite.
pub fn distance(a: &Object, pose_a: &Pose, b: &Object, pose_b: &Pose, range: f64) -> Result<Option<Closest>> {
    check(pose_a, pose_b, range)?;
    let flip = rank(b, pose_b) < rank(a, pose_a);
    let ((a, pose_a), (b, pose_b)) = if flip { ((b, pose_b), (a, pose_a)) } else { ((a, pose_a), (b, pose_b)) };
    let at = pose_a.translation.vector;
    let query = |found: &mut Vec<Contact>| query_pair(a, pose_a, b, pose_b, &options(&at), found);
    let found = closest(&ObjectBody::new(a), pose_a, &ObjectBody::new(b), pose_b, range, || deepest(query));
    Ok(found.map(|found| if flip { found.flipped() } else { found }))
}

/// The same for an object and a plain shape, which is B. A caller's distance function is refused.
pub fn distance_to_shape<S: Shape>(
    a: &Object,
    pose_a: &Pose,
    shape: &S,
    pose_shape: &Pose,
    range: f64,
) -> Result<Option<Closest>> {
    check(pose_a, pose_shape, range)?;
    let (own, at) = (ObjectBody::new(a), pose_a.translation.vector);
    let query = |found: &mut Vec<Contact>| query_shape(a, pose_a, shape, pose_shape, &options(&at), found);
    Ok(match shape.convex() {
        Convex::Below(plane) => closest(&own, pose_a, &PlaneBody::new(&plane), pose_shape, range, || deepest(query)),
        Convex::AroundSamples if shape.sample_count() > 0 => {
            closest(&own, pose_a, &ShapeBody::new(shape), pose_shape, range, || deepest(query))
        }
        _ => bad_argument!("the shape has no distance: it is neither a half-space nor known to be convex"),
    })
}

fn check(pose_a: &Pose, pose_b: &Pose, range: f64) -> Result<()> {
    check_pose(pose_a, "pose_a")?;
    check_pose(pose_b, "pose_b")?;
    if range.is_nan() || range < 0.0 {
        bad_argument!("range is {range}; it must be zero or a positive length");
    }
    Ok(())
}

fn options(origin: &Vector) -> QueryOptions {
    QueryOptions { origin: Some((*origin).into()), ..Default::default() }
}

/// `contact` tells the deepest contact, relative to the position of A.
fn closest<A: Body, B: Body>(
    a: &A,
    pose_a: &Pose,
    b: &B,
    pose_b: &Pose,
    range: f64,
    contact: impl FnOnce() -> Option<Contact>,
) -> Option<Closest> {
    let placed = pose_a.inv_mul(pose_b);
    let start = a.pivot() - placed * b.pivot();
    let hulls = between_hulls(a, b, &placed, &start, range);
    if hulls.gap > range {
        return None;
    }
    let rounding = a.rounding() + b.rounding();
    let are_apart = hulls.gap > 0.0;
    let [on_a, on_b] = &hulls.points;
    if are_apart && a.is_on(on_a, rounding) && b.is_on(&placed.inverse_transform_point(on_b), rounding) {
        return Closest::new(&hulls, pose_a, range);
    }
    if !are_apart && let Some(contact) = contact().filter(|contact| contact.depth > 0.0) {
        let [point, normal] = [contact.point, contact.normal].map(|v| Vector::from(v.map(f64::from)));
        let middle = Point::from(point + pose_a.translation.vector);
        let half = normal * (0.5 * contact.depth as f64);
        return Some(Closest { distance: -contact.depth as f64, points: [middle - half, middle + half], normal });
    }
    let Some(parts) = Parts::new(a, b, &placed) else { return Closest::new(&hulls, pose_a, range) };
    parts.nearest(range.next_up(), &|_| true).and_then(|near| Closest::new(&near.between, pose_a, range))
}

impl Closest {
    /// From the frame of A. Overlap that no contact tells of is rounding.
    fn new(between: &Between, pose: &Pose, range: f64) -> Option<Self> {
        let [p, q] = between.points;
        let distance = if between.gap > 0.0 { (p - q).norm() } else { 0.0 };
        let points = between.points.map(|p| pose * p);
        (distance <= range).then(|| Self { distance, points, normal: pose.rotation * between.normal })
    }

    fn flipped(&self) -> Self {
        let [p, q] = self.points;
        Self { points: [q, p], normal: -self.normal, ..*self }
    }
}
