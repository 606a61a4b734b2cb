//! Convex hulls: by their support functions, for distance (GJK) and penetration depth (EPA), and as meshes.
//!
//! GJK and EPA need no heap and no mesh of the hulls, their numbers of iterations are bounded, and they are never NaN: whatever the input,
//! the answer is a direction with the separation or the overlap along it.

pub mod epa;
pub mod gjk;
pub mod quickhull;
pub mod simplex;
pub mod support;
