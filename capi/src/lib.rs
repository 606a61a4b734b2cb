//! The C library: the functions of `library::ffi`, which are exported from here, over an allocator that asks the engine's.

pub use library::ffi::*;

#[global_allocator]
static ALLOCATOR: HookedAllocator = HookedAllocator;
