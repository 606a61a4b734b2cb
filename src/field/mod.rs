//! Fields: the distance grid and point location of a solid, what fracture leaves behind in it, and the field of a fragment.

pub mod binding;
pub mod breaks;
pub mod cell;
pub mod crack_blocks;
pub mod crack_polygons;
pub mod crack_search;
pub mod crack_triangles;
pub mod crack_walk;
mod exact;
pub mod facing;
pub mod fragment;
pub mod grid;
mod inside;
pub mod location;
pub mod lookup;
pub mod nodal;
pub mod occupancy;
mod reliefs;
mod schemes;
pub mod shape;
pub mod wall;
