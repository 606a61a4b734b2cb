//! Fields of a solid, and what fracture leaves behind in it: the distance grid of the intact body; cut tetrahedra, crack
//! points, and which nodes belong together.

pub mod breaks;
mod exact;
pub mod grid;
mod inside;
pub mod wall;
