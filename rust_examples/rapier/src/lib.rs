//! Fracas in Rapier: a shape that holds an object, and a dispatcher that asks Fracas for its contacts, with other objects and with
//! Rapier's own shapes. Copy this folder into your game.
//!
//! ```
//! use fracas::{Asset, CookOptions, Object, shapes};
//! use fracas_rapier::{Material, break_if_hit, insert, world};
//! use rapier3d::prelude::*;
//!
//! let mut world = world(0.1, 0.005); // bodies of 10 cm, steps of 5 ms
//! world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::new(SharedShape::halfspace(Vector::Z)));
//!
//! let asset = Asset::cook(shapes::cuboid([0.1; 3], [6; 3]), &CookOptions::default())?;
//! let block = Object::intact(&asset).remove(0);
//! let falling = RigidBodyBuilder::dynamic().translation(Vector::Z * 0.5).soft_ccd_prediction(0.05);
//! let (body, _) = insert(&mut world, block, falling);
//!
//! let mut pieces = vec![];
//! while pieces.is_empty() {
//!     world.step();
//!     pieces = break_if_hit(&mut world, body, &Material { strength: 100.0, ..Material::default() }, 1);
//! }
//! assert!(pieces.len() > 1);
//! # Ok::<(), fracas::Error>(())
//! ```
//!
//! From the inside out: `shape` (an object as a shape of Rapier), `plain` and `terrain` (contacts with Rapier's shapes),
//! `manifolds` (contacts as Rapier wants them), `dispatcher` (who is asked), `bodies` (a body and its fragments), `breaking`
//! (a rule when to break), `settings` (Rapier for small things).

mod convert;

mod shape;
mod terrain;

mod plain;

mod manifolds;

mod dispatcher;

mod bodies;
mod breaking;
mod settings;

pub use bodies::{insert, object_of, replace, shape_of};
pub use breaking::{Blow, Material, blow_on, break_if_hit, broken_by};
pub use dispatcher::FcDispatcher;
pub use settings::{look_ahead, parameters, world};
pub use shape::FcShape;
