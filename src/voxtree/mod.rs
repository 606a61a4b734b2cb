//! Contacts under a budget: trees of cubes with densities, whose refinement may be stopped at any time and still gives contacts (VoxTree,
//! Dingliana and O'Sullivan 2004).
//!
//! A [`VoxTree`] is made once per body. [`Refinement`] goes down two of them, test by test, as far as a budget allows; what it has reached is
//! turned into contacts by [`Refinement::contacts`]. Interrupted, they mean *maybe*: cubes overlap, which may hold nothing where they do.
//!
//! ```
//! use fracas::geom::Pose;
//! use fracas::shapes;
//! use fracas::voxtree::{ContactModel, Ends, Order, Refinement, VoxTree, VoxTreeOptions};
//!
//! let ball = shapes::ball(1.0, 8);
//! let tree = VoxTree::from_solid(&ball, &VoxTreeOptions::default())?;
//! let poses = [Pose::translation(0.0, 0.0, 1.9), Pose::identity()];
//! let mut refinement = Refinement::new([&tree, &tree], poses);
//! refinement.run(&Ends::after(500), Order::ByProbability, || false);
//! let mut contacts = vec![];
//! refinement.contacts(&ContactModel::default(), &mut contacts);
//! assert!(contacts[0].normal.z > 0.8);
//! # Ok::<(), fracas::Error>(())
//! ```

mod cubes;
mod density;
mod exact;
mod groups;
mod model;
mod pair;
mod refine;
mod saved;
mod tree;

pub use density::Grid;
pub use groups::NO_GROUP;
pub use model::{ContactModel, ModelScratch, Normals, VoxContact, Weighting};
pub use refine::{EVALUATION, Ends, Front, NodePair, Order, Refinement};
pub use tree::{VoxNode, VoxTree, VoxTreeOptions};
