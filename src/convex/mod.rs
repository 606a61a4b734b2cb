//! Convex hulls by their support functions: distance (GJK), penetration depth (EPA), and descent to the nearest way out.
//!
//! No heap, no mesh of the hulls, bounded numbers of iterations, and never NaN: whatever the input, the answer is a
//! direction with the separation or the overlap along it.

pub mod descent;
pub mod epa;
pub mod gjk;
pub mod simplex;
pub mod support;
