//! The C interface: `include/fracas.h` is generated from this folder by `tests/header.rs`, which sets its order.
//!
//! Only data crosses it. Every call goes through one entry point (`door`): it checks pointers and numbers, does the
//! work, and creates handles and writes outputs only when nothing can fail any more. An error becomes a status and
//! one sentence; a panic and an exhausted allocator become a status. No algorithm lives here.
//!
//! All of the crate's `unsafe` is here, since a caller's pointers have to be trusted: the checks cover NULL, sizes,
//! counts and numbers.
#![allow(non_camel_case_types)] // C names

// The modules of the header.
mod asset;
mod batch;
mod bodies;
mod ccd;
mod collision;
mod convex;
mod distance;
mod draw;
mod drawing;
mod fracture;
mod hull;
mod library;
mod object;
mod penalty;
mod planes;
mod query;
mod saved;
mod scene;
mod shape;
mod soft;
mod status;
mod surface;
mod sweep;
mod tets;
mod types;
mod version;
mod voxquery;
mod voxtree;

// Their foundations.
mod alloc;
mod catch;
mod clock;
mod descriptor;
mod door;
mod guarded;
mod handles;
mod hook;
mod hooks;
mod pointer;
mod threads;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod wasm;

pub use alloc::HookedAllocator;
pub use asset::*;
pub use batch::*;
pub use bodies::*;
pub use ccd::*;
pub use collision::*;
pub use convex::*;
pub use distance::*;
pub use draw::*;
pub use drawing::*;
pub use fracture::*;
pub use hull::*;
pub use library::*;
pub use object::*;
pub use penalty::*;
pub use planes::*;
pub use query::*;
pub use saved::*;
pub use scene::*;
pub use shape::*;
pub use soft::*;
pub use status::*;
pub use surface::*;
pub use sweep::*;
pub use tets::*;
pub use types::*;
pub use version::*;
pub use voxquery::*;
pub use voxtree::*;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use wasm::*;
