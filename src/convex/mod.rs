//! Convex hulls by their support functions: distance (GJK) and penetration depth (EPA).
//!
//! No heap, no mesh of the hulls, bounded numbers of iterations, and never NaN: whatever the input, the answer is a
//! direction with the separation or the overlap along it.

pub mod epa;
pub mod gjk;
pub mod simplex;
pub mod support;
