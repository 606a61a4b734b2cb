//! What makes culling cheap: supporting planes of a body, and its heights above them.

pub mod relief;
pub mod supports;
pub mod walls;
