//! Memory through the engine's allocator.
//!
//! The C library's global allocator ([`HookedAllocator`]) forwards every request to the hook, if one is set. Rust
//! aborts the process when an allocation fails, so if the hook returns NULL the request is served from the system
//! heap instead and a flag is set, which makes the call fail before it commits anything (`door`). Each block records
//! its allocator in the word before it, so that hooks can change while blocks are alive.

use super::hook::{Hook, Record};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns `size` bytes aligned to `alignment` (a power of two, 16 or more), or NULL if out of memory. Called by any
/// thread, at any time during fc_ calls and at the end of threads that made some. Must not call fc_ functions.
pub type fc_alloc_fn =
    Option<unsafe extern "C" fn(size: usize, alignment: usize, user_data: *mut c_void) -> *mut c_void>;

/// Frees a block that fc_alloc_fn returned, with the same size and alignment. Called by any thread. Must not call
/// fc_ functions.
pub type fc_free_fn =
    Option<unsafe extern "C" fn(block: *mut c_void, size: usize, alignment: usize, user_data: *mut c_void)>;

/// The engine's allocator hook.
#[derive(Clone, Copy)]
pub(super) struct Allocator {
    pub alloc: unsafe extern "C" fn(usize, usize, *mut c_void) -> *mut c_void,
    pub free: unsafe extern "C" fn(*mut c_void, usize, usize, *mut c_void),
    pub user_data: *mut c_void,
}

pub(super) static ALLOCATOR: Hook<Allocator> = Hook::new();

/// Whether any call so far may have used memory.
static USED: AtomicBool = AtomicBool::new(false);

/// Per-thread state of the running calls. One struct, because each thread-local access is slow in a shared library.
struct Watch {
    /// Number of nested calls: an engine's callback may call again.
    depth: Cell<u32>,
    /// Whether the hook returned NULL during the innermost call.
    exhausted: Cell<bool>,
}

thread_local! {
    static WATCH: Watch = const { Watch { depth: Cell::new(0), exhausted: Cell::new(false) } };
}

/// Marks the library as used: from now on the hook must not change.
pub(super) fn mark_used() {
    // Load first: an unconditional store would bounce the cache line between threads.
    if !USED.load(Ordering::Relaxed) {
        USED.store(true, Ordering::Relaxed);
    }
}

pub(super) fn is_used() -> bool {
    USED.load(Ordering::Relaxed)
}

/// Marks the library as unused again.
pub(super) fn mark_unused() {
    USED.store(false, Ordering::Relaxed);
}

/// Runs a call, which must not panic, and returns whether its memory was exhausted.
pub(super) fn watched<T>(body: impl FnOnce() -> T) -> (T, bool) {
    WATCH.with(|watch| {
        watch.depth.set(watch.depth.get() + 1);
        let outer = watch.exhausted.replace(false);
        let result = body();
        watch.depth.set(watch.depth.get() - 1);
        (result, watch.exhausted.replace(outer))
    })
}

/// Whether this thread is inside a call.
pub(super) fn is_watched() -> bool {
    WATCH.with(|watch| watch.depth.get() > 0)
}

/// Whether the hook returned NULL during this thread's call.
pub(super) fn is_exhausted() -> bool {
    WATCH.with(|watch| watch.exhausted.get())
}

/// Makes this thread's call fail: it, or work done for it on other threads, ran out of memory.
pub(super) fn raise() {
    WATCH.with(|watch| watch.exhausted.set(true));
}

/// A global allocator that forwards to the engine's hook once it is set. `fc_set_allocator` has an effect only in a
/// program that installs it.
pub struct HookedAllocator;

/// Size of the prefix of a block, which stores its allocator. A multiple of the alignment, so that the block is
/// aligned.
fn room(layout: Layout) -> usize {
    layout.align().max(16)
}

/// The layout of a block with its prefix.
fn whole(layout: Layout) -> Option<Layout> {
    let room = room(layout);
    Layout::from_size_align(layout.size().checked_add(room)?, room).ok()
}

/// Stores the allocator of a block and returns the block itself.
///
/// # Safety
/// `base` is null or the start of a block of `whole(layout)`.
unsafe fn signed(base: *mut u8, layout: Layout, source: *mut Record<Allocator>) -> *mut u8 {
    if base.is_null() {
        return base;
    }
    // SAFETY: the prefix is at least 16 bytes long and lies within the allocation; its last word is aligned, since the
    // prefix is a multiple of 16 and so is the alignment of the whole.
    unsafe {
        let block = base.add(room(layout));
        block.cast::<*mut Record<Allocator>>().sub(1).write(source);
        block
    }
}

/// The allocator of a block; null is the system heap.
///
/// # Safety
/// `block` was returned by `signed`.
unsafe fn source(block: *mut u8) -> *mut Record<Allocator> {
    // SAFETY: written by `signed`.
    unsafe { block.cast::<*mut Record<Allocator>>().sub(1).read() }
}

// SAFETY: blocks come from the system heap or from the hook, which must follow the same rules by the header. They have
// the requested size and alignment, and return to their allocator with the layout of the request.
unsafe impl GlobalAlloc for HookedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(whole) = whole(layout) else { return null_mut() };
        if let Some((hook, record)) = ALLOCATOR.get_with_record() {
            // SAFETY: the header requires a function with this signature.
            let base = unsafe { (hook.alloc)(whole.size(), whole.align(), hook.user_data) };
            if !base.is_null() {
                // SAFETY: the header requires the hook to return that many bytes.
                return unsafe { signed(base.cast(), layout, record) };
            }
            raise();
        }
        // SAFETY: the size is not zero.
        unsafe { signed(System.alloc(whole), layout, null_mut()) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if let (false, Some(whole)) = (ALLOCATOR.is_set(), whole(layout)) {
            // SAFETY: the size is not zero. The system can hand out pages that are already zero.
            return unsafe { signed(System.alloc_zeroed(whole), layout, null_mut()) };
        }
        // SAFETY: as `alloc`; the block has the requested size.
        unsafe {
            let block = self.alloc(layout);
            if !block.is_null() {
                block.write_bytes(0, layout.size());
            }
            block
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some(whole) = whole(layout) else { return };
        // SAFETY: the block is ours, with this layout; records are never freed.
        unsafe {
            let base = block.sub(room(layout));
            match source(block).as_ref().and_then(Record::value) {
                Some(hook) => (hook.free)(base.cast(), whole.size(), whole.align(), hook.user_data),
                None => System.dealloc(base, whole),
            }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let Ok(wanted) = Layout::from_size_align(new_size, layout.align()) else { return null_mut() };
        // SAFETY: the block is ours, with this layout. If old and new block are both of the system heap, it can often
        // extend in place; otherwise copy.
        unsafe {
            if let (true, false, Some(old), Some(new)) =
                (source(block).is_null(), ALLOCATOR.is_set(), whole(layout), whole(wanted))
            {
                let base = System.realloc(block.sub(room(layout)), old, new.size());
                return signed(base, wanted, null_mut());
            }
            let new = self.alloc(wanted);
            if !new.is_null() {
                block.copy_to_nonoverlapping(new, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
            new
        }
    }
}
