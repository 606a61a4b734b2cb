//! An engine hook with lock-free reads.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A hook with lock-free reads. Records are never freed, since a reader may still hold one; they live on the system
/// heap.
pub(super) struct Hook<T: Copy> {
    current: AtomicPtr<Record<T>>,
}

/// A value that was set, or none, and the previous record.
pub(super) struct Record<T: Copy> {
    value: Option<T>,
    /// Never read; keeps all records reachable for leak checkers.
    _before: *mut Record<T>,
}

impl<T: Copy> Record<T> {
    pub fn value(&self) -> Option<T> {
        self.value
    }
}

impl<T: Copy> Hook<T> {
    pub const fn new() -> Self {
        Self { current: AtomicPtr::new(null_mut()) }
    }

    /// Sets or clears the hook; false if the system heap is exhausted.
    pub fn set(&self, value: Option<T>) -> bool {
        if value.is_none() && !self.is_set() {
            return true;
        }
        // SAFETY: a record has nonzero size. It comes from the system heap, since the allocator itself is such a hook.
        let record: *mut Record<T> = unsafe { System.alloc(Layout::new::<Record<T>>()) }.cast();
        if record.is_null() {
            return false;
        }
        // SAFETY: the memory is ours, large enough and aligned.
        unsafe { record.write(Record { value, _before: self.current.load(Ordering::Relaxed) }) };
        self.current.store(record, Ordering::Release);
        true
    }

    pub fn get(&self) -> Option<T> {
        self.get_with_record().map(|(value, _)| value)
    }

    pub fn is_set(&self) -> bool {
        self.get().is_some()
    }

    /// The current value and its record, which is never freed.
    pub fn get_with_record(&self) -> Option<(T, *mut Record<T>)> {
        let record = self.current.load(Ordering::Acquire);
        // SAFETY: null, or a record that was written before it was stored here, and is never freed.
        let value = unsafe { record.as_ref() }?.value?;
        Some((value, record))
    }
}
