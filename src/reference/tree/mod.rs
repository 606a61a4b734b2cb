//! Sphere trees over the sample points of bodies: order, building, and splitting when a body breaks (Glondu 2013, 5 and 6).

mod blocks;
pub mod forest;
pub mod order;
pub mod sphere_tree;
pub mod split;

pub use forest::{SphereForest, SphereTree, TreeNode};
pub use order::{MaxDistanceOrder, max_distance_order};
pub use split::{NewPoint, split, split_without_restructuring};
