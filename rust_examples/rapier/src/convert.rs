//! Between Rapier's numbers, single precision by glam, and those of Fracas, double precision by nalgebra.

use fracas::geom::Pose;
use fracas::{Point, Vector};
use nalgebra::{Quaternion, UnitQuaternion};
use rapier3d::math as rapier;

pub(crate) fn vector(v: rapier::Vector) -> Vector {
    Vector::new(v.x.into(), v.y.into(), v.z.into())
}

pub(crate) fn point(p: rapier::Vector) -> Point {
    vector(p).into()
}

/// Rotations in single precision are not quite of unit length, which matters in double.
pub(crate) fn pose(pose: &rapier::Pose) -> Pose {
    let q = pose.rotation;
    let rotation = Quaternion::new(q.w.into(), q.x.into(), q.y.into(), q.z.into());
    Pose::from_parts(vector(pose.translation).into(), UnitQuaternion::from_quaternion(rotation))
}

pub(crate) fn to_rapier(v: &Vector) -> rapier::Vector {
    rapier::Vector::new(v.x as f32, v.y as f32, v.z as f32)
}
