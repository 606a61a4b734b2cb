//! Geometry without meaning: boxes, planes, moments, cutting a tetrahedron, curves and random numbers.

pub mod aabb;
pub mod complex;
pub mod knockout;
pub mod moments;
pub mod morton;
pub mod plane;
pub mod random;
pub mod simplex;
pub mod union_find;

/// A point, in metres, in double precision: exact fracture stands on it (docs/design.md, 4.2).
pub type Point = nalgebra::Point3<f64>;
/// A direction or a difference of points.
pub type Vector = nalgebra::Vector3<f64>;

/// "No such element", where an index is expected.
pub const NONE: u32 = u32::MAX;
