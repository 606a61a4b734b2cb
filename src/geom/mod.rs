//! Geometry without meaning: boxes, planes, triangles, moments, vectors of lanes, curves and random numbers.

pub mod aabb;
pub mod convex;
pub mod counting_sort;
pub mod exact;
pub mod lanes;
pub mod march;
pub mod moments;
pub mod morton;
pub mod number_set;
pub mod patch;
pub mod pinned;
pub mod plane;
pub mod point_tree;
pub mod polygon;
pub mod random;
pub mod segment;
pub mod simd;
pub mod tet_tet;
pub mod tri_tri;
pub mod triangle;
pub mod union_find;

/// A point, in metres, in double precision: exact fracture stands on it (docs/formulations/exact-cells.md).
pub type Point = nalgebra::Point3<f64>;
/// A direction or a difference of points.
pub type Vector = nalgebra::Vector3<f64>;

/// A place relative to the middle of an asset, in single precision: what queries compute with.
pub type Local = nalgebra::Vector3<f32>;

/// Where a body is: body to world.
pub type Pose = nalgebra::Isometry3<f64>;

/// "No such element", where an index is expected.
pub const NONE: u32 = u32::MAX;
