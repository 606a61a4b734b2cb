//! The C interface: `include/fracas.h` is generated from this folder (`tests/header.rs`), in the order of these modules.
//!
//! Nothing but data crosses it. Every call goes through one door (`door`): pointers are checked, numbers are checked, the
//! work is done, and only when nothing can fail any more are handles made and outputs written. An error becomes a status and
//! one sentence, a panic becomes a status, and so does an allocator that has no more. No algorithm lives here.
//!
//! All of the crate's `unsafe` is here, since pointers of a caller can only be believed: what is checked is that they are
//! not null and that sizes, counts and numbers make sense.
#![allow(non_camel_case_types)] // these are C's names

// What the header is made of, in its order.
mod asset;
mod batch;
mod draw;
mod drawing;
mod fracture;
mod hull;
mod library;
mod object;
mod planes;
mod query;
mod saved;
mod shape;
mod status;
mod surface;
mod types;
mod version;

// What they stand on.
mod alloc;
mod catch;
mod descriptor;
mod door;
mod handles;
mod hook;
mod hooks;
mod pointer;
mod threads;

pub use alloc::HookedAllocator;
pub use asset::*;
pub use batch::*;
pub use draw::*;
pub use drawing::*;
pub use fracture::*;
pub use hull::*;
pub use library::*;
pub use object::*;
pub use planes::*;
pub use query::*;
pub use saved::*;
pub use shape::*;
pub use status::*;
pub use surface::*;
pub use types::*;
pub use version::*;
