//! Cheap culling: supporting planes of a body, and its heights above them (reliefs).

pub mod relief;
pub mod supports;
pub mod walls;
