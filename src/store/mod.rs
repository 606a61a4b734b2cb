//! Saving and loading in memory: assets, and objects in any state of fracture.
//!
//! What takes long to cook is stored, what follows quickly is derived again, so a loaded asset or object answers every
//! question bit for bit as the saved one does, more than twenty times sooner than by cooking.
//!
//! Loading trusts nothing. Counts are held against the bytes that are there before anything is allocated, and everything
//! that the rest of the library relies on is checked: whatever loads can be queried and broken like anything else, though a
//! forged file may of course describe a body that no fracture would make. What does not load is answered with an
//! [`Error::InvalidData`](crate::Error::InvalidData) that says what is the matter.
//!
//! The format is little-endian: an envelope with kind, version and checksum, and in it sections, each with a
//! tag and a length (docs/formulations/store.md).

mod asset;
mod breaks;
pub(crate) mod bytes;
mod content;
mod cuts;
pub(crate) mod envelope;
mod objects;
mod pieces;
mod planes;
mod trees;

pub use content::{Content, content};
pub use objects::{load_objects, load_with_notes, save_objects, save_with_notes};
