//! What a module of WebAssembly exports beside the C interface: memory for what its caller passes in and gets out.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::null_mut;

/// As aligned as any struct of the interface needs.
const ALIGNMENT: usize = 16;

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.max(1), ALIGNMENT).ok()
}

/// Returns `size` bytes, aligned to 16, or NULL if memory is exhausted.
#[unsafe(no_mangle)]
pub extern "C" fn fc_wasm_alloc(size: usize) -> *mut u8 {
    // SAFETY: the size is not zero.
    layout(size).map_or(null_mut(), |layout| unsafe { alloc(layout) })
}

/// Frees a block of fc_wasm_alloc.
///
/// # Safety
/// `block` is NULL or of `fc_wasm_alloc(size)`, and was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_wasm_free(block: *mut u8, size: usize) {
    if let (false, Some(layout)) = (block.is_null(), layout(size)) {
        // SAFETY: required above.
        unsafe { dealloc(block, layout) }
    }
}
