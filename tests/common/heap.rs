//! The allocator of tests that count: a Rust program with an allocator of its own.
#![allow(unsafe_code)] // an allocator cannot be written without

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { blocks: 0, held: 0, largest: 0 }) };
}

/// What a thread has asked for.
#[derive(Clone, Copy)]
pub struct Counts {
    /// Blocks that were made.
    pub blocks: usize,
    /// Bytes that are held; negative if others made what this thread has freed.
    pub held: i64,
    /// The largest block, in bytes.
    pub largest: usize,
}

/// Counts by thread.
pub struct Counting;

/// What this thread has asked for by now.
pub fn counts() -> Counts {
    COUNTS.get()
}

/// Looks for the largest block from here on.
pub fn forget_largest() {
    COUNTS.set(Counts { largest: 0, ..counts() });
}

// SAFETY: all is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Counts { blocks, held, largest } = counts();
        let size = layout.size();
        COUNTS.set(Counts { blocks: blocks + 1, held: held + size as i64, largest: largest.max(size) });
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        COUNTS.set(Counts { held: counts().held - layout.size() as i64, ..counts() });
        // SAFETY: the caller's.
        unsafe { System.dealloc(block, layout) }
    }
}
