//! A hook of the engine's that is read without locks.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A hook that is read without locks. What was once set is kept for ever, on the system heap: somebody may still read it.
pub(super) struct Hook<T: Copy> {
    current: AtomicPtr<Record<T>>,
}

/// Something that was set, or nothing, and what was set before.
pub(super) struct Record<T: Copy> {
    value: Option<T>,
    /// Never read; but whoever looks for lost memory finds all records from the last one.
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

    /// Sets or clears it; false if the system heap has no room for the record.
    pub fn set(&self, value: Option<T>) -> bool {
        if value.is_none() && !self.is_set() {
            return true;
        }
        // SAFETY: a record is not of size zero. It comes from the system heap, since the allocator itself is such a hook.
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

    /// What is set, and the record that says so for ever.
    pub fn get_with_record(&self) -> Option<(T, *mut Record<T>)> {
        let record = self.current.load(Ordering::Acquire);
        // SAFETY: null, or a record that was written before it was stored here, and lives for ever.
        let value = unsafe { record.as_ref() }?.value?;
        Some((value, record))
    }
}
