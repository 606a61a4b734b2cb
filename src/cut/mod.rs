//! Exact cuts of tetrahedra: convex regions between planes through their corners, and arrangements of several cells.

pub mod arrangement;
pub mod polytope;
