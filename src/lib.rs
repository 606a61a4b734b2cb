//! Fracas: collision detection for things that break.
//!
//! A game engine keeps its broad phase and its solver; Fracas is the narrow phase between bodies that may shatter at any moment: for a
//! pair of bodies it returns a few contacts (point, depth, normal, feature), before, in and after the frame in which one breaks.
//!
//! ```
//! use fracas::geom::Pose;
//! use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, QueryOptions, fracture, query_pair, shapes};
//!
//! // Cooked once, shared by all objects.
//! let asset = Asset::cook(shapes::ball(0.1, 8), &CookOptions::default())?;
//! let ball = &Object::intact(&asset)[0];
//!
//! // The ball stays as it was; its pieces are new objects, weighed, closed, and breakable again.
//! let pieces = fracture(ball, &Pattern::random_voronoi(12, 1), &FractureOptions::default())?.broken().unwrap().objects;
//! let total: f64 = pieces.iter().map(|piece| piece.mass().mass).sum();
//! assert!((total / ball.mass().mass - 1.0).abs() < 1e-9);
//!
//! // Contacts of the ball and of a piece, pushed into it from above.
//! let mut contacts = vec![];
//! let above = Pose::translation(0.0, 0.0, 0.15);
//! query_pair(&pieces[0], &above, ball, &Pose::identity(), &QueryOptions::default(), &mut contacts)?;
//! for contact in &contacts {
//!     println!("{:?}, {} deep, along {:?}", contact.point, contact.depth, contact.normal);
//! }
//! # Ok::<(), fracas::Error>(())
//! ```
//!
//! - [`contact`]: pairs, batches, plain shapes, signed distances and rays;
//! - [`fracture()`] by any [`Pattern`], any number of times; surfaces, neighbours and drawings of the pieces: [`mod@fracture`];
//! - [`Asset`] from tetrahedra ([`Solid`]) or from a surface ([`Asset::from_surface`]); [`Object`], a rigid body, immutable;
//! - saving and loading: [`store`];
//! - what the papers describe and the library does otherwise by default: [`mod@reference`].
//!
//! Where code lives, and how it works: `docs/architecture.md`, `docs/formulations`.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod error;
pub mod geom;
mod heap;
pub mod tasks;

// What is hidden is public for tests and benchmarks only, and may change at any time.
#[doc(hidden)]
pub mod culling;
#[doc(hidden)]
pub mod cut;

#[doc(hidden)]
pub mod bvh;
pub mod solid;

pub mod grid;

pub mod crack;
#[doc(hidden)]
pub mod samples;

#[doc(hidden)]
pub mod convex;

#[doc(hidden)]
pub mod drawing;
pub mod reference;

pub mod field;

pub mod deform;

pub mod asset;
pub mod body;

pub mod fracture;
pub mod penalty;
pub mod store;
pub mod voxtree;

pub mod contact;

#[cfg(feature = "capi")]
#[allow(unsafe_code)] // the boundary to C; everything else is safe
pub mod ffi;

pub use asset::{Asset, CookOptions};
pub use body::Object;
pub use contact::{Contact, QueryOptions, query_pair, query_pairs, query_shape};
pub use error::{Error, Result};
pub use fracture::{FractureOptions, Outcome, Pattern, fracture};
pub use geom::{Point, Vector};
pub use solid::{Solid, shapes};
pub use store::{load_objects, save_objects};
pub use tasks::Tasks;

/// The README's example, compiled and run with the other documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadMe;
