//! `fc_distance_pair`, `fc_distance_shape`: distances and closest points.

use super::door::call;
use super::object;
use super::pointer::{out, pose};
use super::shape::{self, ForShape, fc_shape};
use super::status::{FC_NO_HIT, FC_OK, Failure, fc_status};
use super::types::{fc_object, fc_pose};
use crate::body::Object;
use crate::contact::{Closest, distance, distance_to_shape};
use crate::field::shape::Shape;
use crate::geom::Pose;

/// Distance and closest points of two bodies.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_distance {
    /// Metres. Bodies that overlap: minus the depth of their deepest contact.
    pub distance: f64,
    /// World position of the point on A.
    pub point_a: [f64; 3],
    /// World position of the point on B.
    pub point_b: [f64; 3],
    /// Unit normal from B towards A, world axes.
    pub normal: [f32; 3],
    /// Always 0.
    pub reserved: u32,
}

impl From<Closest> for fc_distance {
    fn from(closest: Closest) -> Self {
        let Closest { distance, points: [a, b], normal } = closest;
        let (point_a, point_b) = (a.coords.into(), b.coords.into());
        Self { distance, point_a, point_b, normal: normal.cast::<f32>().into(), reserved: 0 }
    }
}

/// Finds the distance of two objects and their closest points. Returns FC_NO_HIT if they are farther apart than `range`, which
/// may be infinite; `*closest` is then not written. A small range is faster: the search ends as soon as it is exceeded.
///
/// Units    metres; poses are object to world, positions in double.
/// Threads  beside any other call.
/// Memory   no heap allocation once both objects have been measured. Objects whose hulls are closest where they themselves are
///          not build their surface on first use, some milliseconds per fragment, and keep it.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, a pose that is not finite or not a rotation, a range that is
///          negative or NaN), FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// Poses are readable, `closest` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_distance_pair(
    a: fc_object,
    pose_a: *const fc_pose,
    b: fc_object,
    pose_b: *const fc_pose,
    range: f64,
    closest: *mut fc_distance,
) -> fc_status {
    call(
        || {
            let (a, b) = (object::get(a, "a")?, object::get(b, "b")?);
            // SAFETY: required.
            let (pose_a, pose_b, place) =
                unsafe { (pose(pose_a, "pose_a")?, pose(pose_b, "pose_b")?, out(closest, "closest")?) };
            Ok((distance(&a.object, &pose_a, &b.object, &pose_b, range)?, place))
        },
        |(found, place)| match found {
            Some(found) => {
                place.write(found.into());
                FC_OK
            }
            None => FC_NO_HIT,
        },
    )
}

/// Finds the distance of an object, A, and a simple shape, B, and their closest points. Everything else is as in
/// fc_distance_pair.
///
/// Fails    also with FC_ERROR_INVALID_ARGUMENT for a shape given by a field, whose surface is not known.
///
/// # Safety
/// As fc_distance_pair; `shape` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_distance_shape(
    a: fc_object,
    pose_a: *const fc_pose,
    shape: *const fc_shape,
    pose_shape: *const fc_pose,
    range: f64,
    closest: *mut fc_distance,
) -> fc_status {
    call(
        || {
            let a = object::get(a, "a")?;
            // SAFETY: required.
            let (pose_a, pose_shape, shape, place) = unsafe {
                let poses = (pose(pose_a, "pose_a")?, pose(pose_shape, "pose_shape")?);
                (poses.0, poses.1, shape::read(shape)?, out(closest, "closest")?)
            };
            Ok((shape.with(ShapeDistance { a: &a.object, poses: [&pose_a, &pose_shape], range })?, place))
        },
        |(found, place)| match found {
            Some(found) => {
                place.write(found.into());
                FC_OK
            }
            None => FC_NO_HIT,
        },
    )
}

/// A distance of an object and a shape.
struct ShapeDistance<'a> {
    a: &'a Object,
    poses: [&'a Pose; 2],
    range: f64,
}

impl ForShape for ShapeDistance<'_> {
    type Output = Option<Closest>;

    fn run(self, shape: &impl Shape) -> Result<Option<Closest>, Failure> {
        Ok(distance_to_shape(self.a, self.poses[0], shape, self.poses[1], self.range)?)
    }
}
