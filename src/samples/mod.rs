//! Sample points of a body, in buckets of eight.

pub mod buckets;
pub mod spread;
