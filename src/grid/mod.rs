//! What is cooked of a solid: its signed distance on a grid, and by position its tetrahedra and the triangles of its skin.

pub mod cells;
pub mod distance;
mod exact;
mod inside;
pub mod location;
pub mod lookup;
pub mod skin;
pub mod thickness;
