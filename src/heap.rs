//! What lists take of the heap, for those who tell how large they are.

use std::sync::OnceLock;

/// Bytes of a list on the heap, with the room that it has and does not use.
pub(crate) fn held<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// Bytes of a list of things that are made when first asked for, and of those that have been made; `bytes` tells what one
/// has on the heap.
pub(crate) fn held_slots<T>(slots: &Vec<OnceLock<T>>, bytes: impl Fn(&T) -> usize) -> usize {
    held(slots) + slots.iter().filter_map(OnceLock::get).map(bytes).sum::<usize>()
}
