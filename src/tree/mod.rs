//! Sphere trees over the sample points of bodies (Glondu 2013, sections 5 and 6).

mod blocks;
pub mod forest;
pub mod order;
pub mod sphere_tree;

pub use forest::{SphereForest, SphereTree, TreeNode};
pub use order::{MaxDistanceOrder, max_distance_order};
