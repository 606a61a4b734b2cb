//! Penalty response on tetrahedra that deform and are cut (Marchal 2004): for engines and haptics with penalty forces.
//!
//! A [`SoftBody`] gets new positions of its nodes every step. [`SoftBody::penalties`] returns what pushes two of them apart: points or
//! segments of one within tetrahedra of the other, with depths, directions, and the nodes and weights of both sides.
//!
//! ```
//! use fracas::penalty::{PenaltyOptions, PenaltyScratch, SoftBody};
//! use fracas::{Point, Vector};
//!
//! // Two tetrahedra that cross by their edges: no corner of one is in the other.
//! let lower = [[-1.0, 0.0, 0.1], [1.0, 0.0, 0.1], [0.0, 0.6, -1.0], [0.0, -0.6, -1.0]].map(Point::from);
//! let upper = [[0.0, -1.0, -0.1], [0.0, 1.0, -0.1], [0.6, 0.0, 1.0], [-0.6, 0.0, 1.0]].map(Point::from);
//! let a = SoftBody::new(&lower, &[[0, 1, 2, 3]])?;
//! let b = SoftBody::new(&upper, &[[0, 1, 2, 3]])?;
//! let mut penalties = vec![];
//! a.penalties(&b, &PenaltyOptions::default(), &mut PenaltyScratch::default(), &mut penalties)?;
//!
//! // Features of the first body are pushed along the direction; those of the second push it the other way.
//! let stiffness = 1000.0;
//! let force: Vector = penalties.iter().map(|p| p.direction * if p.side == 0 { p.load } else { -p.load }).sum();
//! assert!((force * stiffness).z < 0.0);
//! # Ok::<(), fracas::Error>(())
//! ```
//!
//! Contacts of a body with itself are not covered: see [`crate::deform`].

mod depth;
mod links;
mod mesh;
mod response;
mod rigid;
mod scratch;
mod soft;
mod tree;

pub use depth::{DepthMethod, DepthStats};
pub use response::{Penalty, PenaltyOptions, PenaltyStats, Penetrating};
pub use scratch::PenaltyScratch;
pub use soft::{SoftBody, SoftStats};
