//! What is cooked of a solid: its signed distance on a grid, and point location among its tetrahedra.

pub mod distance;
mod exact;
mod inside;
pub mod location;
pub mod lookup;
pub mod thickness;
