//! What Glondu 2013 describes, where the library does otherwise by default: nodal distances, occupancy, sphere trees. For comparison, and
//! for who wants the paper's own: `CookOptions::sphere_trees` with `Structure::SphereTree`, and `Scheme`.

pub mod nodal;
pub mod occupancy;
pub mod tree;
