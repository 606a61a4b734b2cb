//! Memory through the engine's allocator.
//!
//! The C library's global allocator ([`HookedAllocator`]) hands every request to the hook, if one is set. Rust aborts the process where memory
//! cannot be had, so a hook that returns NULL is answered otherwise: the request is served from the system heap and a flag
//! is raised, by which the call fails before it commits anything (`door`). Each block remembers where it came from, in the
//! word before it, so that hooks can come and go while blocks live.

use super::hook::{Hook, Record};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns `size` bytes aligned to `alignment` (a power of two, 16 or more), or NULL if there are none. Called by any
/// thread, at any time during fc_ calls and at the end of threads that made some. Must not call fc_ functions.
pub type fc_alloc_fn =
    Option<unsafe extern "C" fn(size: usize, alignment: usize, user_data: *mut c_void) -> *mut c_void>;

/// Takes back what fc_alloc_fn returned, with the same size and alignment. Called by any thread. Must not call fc_ functions.
pub type fc_free_fn =
    Option<unsafe extern "C" fn(block: *mut c_void, size: usize, alignment: usize, user_data: *mut c_void)>;

/// An engine's allocator.
#[derive(Clone, Copy)]
pub(super) struct Allocator {
    pub alloc: unsafe extern "C" fn(usize, usize, *mut c_void) -> *mut c_void,
    pub free: unsafe extern "C" fn(*mut c_void, usize, usize, *mut c_void),
    pub user_data: *mut c_void,
}

pub(super) static ALLOCATOR: Hook<Allocator> = Hook::new();

/// Whether a call has been made that may have used memory.
static USED: AtomicBool = AtomicBool::new(false);

/// What a thread knows of the calls that it is in. One place, because finding a thread's own takes time in a shared library.
struct Watch {
    /// How many calls there are: one may come from an engine's callback within another.
    depth: Cell<u32>,
    /// Whether a request of the innermost could not be served by the hook.
    exhausted: Cell<bool>,
}

thread_local! {
    static WATCH: Watch = const { Watch { depth: Cell::new(0), exhausted: Cell::new(false) } };
}

/// Notes that the library is in use: from now on the hook may not change.
pub(super) fn mark_used() {
    // Reading is cheap; writing would send the line around all threads.
    if !USED.load(Ordering::Relaxed) {
        USED.store(true, Ordering::Relaxed);
    }
}

pub(super) fn is_used() -> bool {
    USED.load(Ordering::Relaxed)
}

/// Makes the library unused again.
pub(super) fn mark_unused() {
    USED.store(false, Ordering::Relaxed);
}

/// Runs a call, which must not panic, and says whether its memory was exhausted.
pub(super) fn watched<T>(body: impl FnOnce() -> T) -> (T, bool) {
    WATCH.with(|watch| {
        watch.depth.set(watch.depth.get() + 1);
        let outer = watch.exhausted.replace(false);
        let result = body();
        watch.depth.set(watch.depth.get() - 1);
        (result, watch.exhausted.replace(outer))
    })
}

/// Whether this thread is in a call.
pub(super) fn is_watched() -> bool {
    WATCH.with(|watch| watch.depth.get() > 0)
}

/// Has the call of this thread fail: work that others did for it, or it itself, ran out of memory.
pub(super) fn raise() {
    WATCH.with(|watch| watch.exhausted.set(true));
}

/// A global allocator that asks the engine's, once it is set. Only a program that installs it has `fc_set_allocator` work.
pub struct HookedAllocator;

/// Room before a block for the word that says where it came from. A multiple of the alignment, so that the block is aligned.
fn room(layout: Layout) -> usize {
    layout.align().max(16)
}

/// The layout of a block with its room.
fn whole(layout: Layout) -> Option<Layout> {
    let room = room(layout);
    Layout::from_size_align(layout.size().checked_add(room)?, room).ok()
}

/// Notes the source of a block and returns the block itself.
///
/// # Safety
/// `base` is null or the start of a block of `whole(layout)`.
unsafe fn signed(base: *mut u8, layout: Layout, source: *mut Record<Allocator>) -> *mut u8 {
    if base.is_null() {
        return base;
    }
    // SAFETY: the room is at least 16 bytes long and lies within the block; its last word is aligned, since the room is a
    // multiple of 16 and so is the alignment of the whole.
    unsafe {
        let block = base.add(room(layout));
        block.cast::<*mut Record<Allocator>>().sub(1).write(source);
        block
    }
}

/// Where a block came from; null is the system heap.
///
/// # Safety
/// `block` was returned by `signed`.
unsafe fn source(block: *mut u8) -> *mut Record<Allocator> {
    // SAFETY: `signed` has written it there.
    unsafe { block.cast::<*mut Record<Allocator>>().sub(1).read() }
}

// SAFETY: blocks come from the system heap or from the hook, which the header binds to the same rules, are as large and as
// aligned as asked, and go back to where they came from with the layout they were asked with.
unsafe impl GlobalAlloc for HookedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(whole) = whole(layout) else { return null_mut() };
        if let Some((hook, record)) = ALLOCATOR.get_with_record() {
            // SAFETY: the header asks for a function that takes these.
            let base = unsafe { (hook.alloc)(whole.size(), whole.align(), hook.user_data) };
            if !base.is_null() {
                // SAFETY: the header asks the hook for that many bytes.
                return unsafe { signed(base.cast(), layout, record) };
            }
            raise();
        }
        // SAFETY: the size is not zero.
        unsafe { signed(System.alloc(whole), layout, null_mut()) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if let (false, Some(whole)) = (ALLOCATOR.is_set(), whole(layout)) {
            // SAFETY: the size is not zero. The system knows pages that are zero already.
            return unsafe { signed(System.alloc_zeroed(whole), layout, null_mut()) };
        }
        // SAFETY: as `alloc`; the block is as large as asked.
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
        // SAFETY: the block is one of ours, with this layout; records live for ever.
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
        // SAFETY: the block is one of ours, with this layout. What the system gave and the system may give again, it can
        // often extend in place; all else is copied.
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
