//! What fracture leaves behind in a solid: cut tetrahedra, crack points, and which nodes belong together.

pub mod breaks;
