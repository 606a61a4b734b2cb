//! What a fracture leaves in a solid: breaks, their cut tetrahedra, and the crack surfaces with what searches them.

pub mod blocks;
pub mod breaks;
pub mod polygons;
pub mod search;
pub mod triangles;
pub mod walk;
