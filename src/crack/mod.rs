//! The result of a fracture: breaks, their cut tetrahedra, and crack surfaces with their search structures.

pub mod blocks;
pub mod breaks;
pub mod group;
pub mod planes;
pub mod polygons;
pub mod search;
pub mod triangles;
pub mod walk;
