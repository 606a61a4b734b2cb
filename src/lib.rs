//! Fracas: collision detection for things that break.
pub mod error;
pub mod geom;
pub mod solid;
pub mod tasks;
