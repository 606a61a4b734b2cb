//! Sample points and creases of a body, eight at a time.

pub mod buckets;
pub mod creases;
pub mod farthest;
pub mod spread;
