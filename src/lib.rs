//! Fracas: collision detection for things that break.
//!
//! A game engine keeps its broad phase and its solver; Fracas is the narrow phase between bodies that may shatter at any
//! moment. The way of the data, in one direction:
//!
//! - a tetrahedral mesh is checked and put in order: [`solid::Solid`];
//! - it is cooked once: [`asset::Asset`], immutable and shared;
//! - its bodies are [`body::Object`]s, immutable too;
//! - [`fracture::fracture`] reads one object and makes new ones, by any [`fracture::Pattern`], any number of times;
//! - every fragment is an exact, closed, weighed body: mass, bounds, surface, neighbours;
//! - assets and fractured objects are saved and loaded: [`store`].
//!
//! ```
//! use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, fracture, shapes};
//!
//! let asset = Asset::cook(shapes::ball(0.1, 8), &CookOptions::default())?;
//! let ball = &Object::intact(&asset)[0];
//! let pieces = fracture(ball, &Pattern::random_voronoi(12, 1), &FractureOptions::default())?.broken().unwrap();
//! let total: f64 = pieces.objects.iter().map(|piece| piece.mass().mass).sum();
//! assert!((total / ball.mass().mass - 1.0).abs() < 1e-9);
//! # Ok::<(), fracas::Error>(())
//! ```

pub mod error;
pub mod geom;
mod heap;
pub mod tasks;

pub mod culling;
pub mod cut;

pub mod bvh;
pub mod solid;

pub mod grid;

pub mod crack;
pub mod samples;

pub mod drawing;
pub mod reference;

pub mod field;

pub mod asset;
pub mod body;

pub mod fracture;
pub mod store;

pub mod contact;

#[cfg(feature = "capi")]
#[allow(unsafe_code)] // the boundary to C; everything else is safe
pub mod ffi;

pub use asset::{Asset, CookOptions};
pub use body::Object;
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
