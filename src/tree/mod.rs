//! Sphere trees over the sample points of bodies (Glondu 2013, sections 5 and 6).

mod blocks;
pub mod order;

pub use order::{MaxDistanceOrder, max_distance_order};
