//! Fields: the distance grid and point location of a solid, what fracture leaves behind in it, and the field of a fragment.

pub mod breaks;
pub mod crack_triangles;
mod exact;
pub mod fragment;
pub mod grid;
mod inside;
pub mod location;
pub mod lookup;
pub mod nodal;
pub mod occupancy;
pub mod shape;
pub mod wall;
