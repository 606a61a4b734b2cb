//! Handles: 64-bit ids for objects held by C code.
//!
//! A handle packs the index of a slot in a table, the generation of that slot, and a kind tag, so that stale,
//! foreign and wrong-kind handles are detected. Lookup is lock-free: the state of a slot is one word (generation,
//! alive bit, number of users) that changes only by compare-and-swap. Destroying clears the alive bit; the last user
//! of a dead slot frees its value, so a call that is running on a destroyed object finishes safely.
//!
//! Tables grow and never shrink, and their memory (at most 32 bytes per handle alive at once) comes from the system
//! heap: a stale handle must find a slot to read at any time.

use super::status::{FC_ERROR_INVALID_HANDLE, FC_ERROR_TOO_LARGE, Failure};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::Deref;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Bits of the index; above them four bits for the kind, above these the generation.
const INDEX_BITS: u32 = 28;
const ALIVE: u64 = 1 << 31;
const USERS: u64 = ALIVE - 1;

/// Slots in the first segment; each further segment has twice as many.
const FIRST: u32 = 64;
const SEGMENTS: usize = 22;

/// Values of one kind, by handle.
pub(super) struct Table<T: 'static> {
    kind: u64,
    /// C name, for error texts.
    name: &'static str,
    segments: [AtomicPtr<Place<T>>; SEGMENTS],
    /// Number of slots ever used.
    used: AtomicU32,
    /// Stack of free slots: index of the top plus one in the lower half, a change counter in the upper half (against
    /// the ABA problem).
    free: AtomicU64,
    alive: AtomicU32,
}

/// A slot of a table. All zero is a slot that was never used.
struct Place<T> {
    /// Generation in the upper half, then the alive bit, then the number of users.
    state: AtomicU64,
    value: AtomicPtr<T>,
    /// Index of the next free slot plus one.
    next: AtomicU32,
}

/// A reference that keeps its value alive until dropped, even if the handle is destroyed meanwhile.
pub(super) struct Held<T: Send + Sync + 'static> {
    table: &'static Table<T>,
    place: &'static Place<T>,
    value: &'static T,
    index: u32,
}

impl<T: Send + Sync> Table<T> {
    /// Bytes of the table per handle.
    pub const fn bytes_a_handle(&self) -> usize {
        size_of::<Place<T>>()
    }

    /// An empty table. `kind` is between 1 and 15, so that no handle is zero.
    pub const fn new(kind: u64, name: &'static str) -> Self {
        Self {
            kind,
            name,
            segments: [const { AtomicPtr::new(null_mut()) }; SEGMENTS],
            used: AtomicU32::new(0),
            free: AtomicU64::new(0),
            alive: AtomicU32::new(0),
        }
    }

    /// Inserts a value and returns its handle. Allocates nothing but the table itself. Fails if there is no room.
    pub fn insert(&'static self, value: Box<T>) -> Result<u64, Failure> {
        let full = || Failure {
            status: FC_ERROR_TOO_LARGE,
            text: format!("there is no room for another {} handle; destroy some", self.name),
        };
        let index = self.take_free().or_else(|| self.take_new()).ok_or_else(full)?;
        let place = self.place(index).ok_or_else(full)?;
        let generation = (place.state.load(Ordering::Relaxed) >> 32) + 1;
        place.value.store(Box::into_raw(value), Ordering::Relaxed);
        place.state.store(generation << 32 | ALIVE, Ordering::Release);
        self.alive.fetch_add(1, Ordering::Relaxed);
        Ok(generation << 32 | self.kind << INDEX_BITS | index as u64)
    }

    /// Looks a handle up. `argument` is the C name of the argument, for error texts.
    pub fn get(&'static self, handle: u64, argument: &str) -> Result<Held<T>, Failure> {
        let (index, place) = self.find(handle, argument)?;
        let alive = |state: u64| (state >> 32 == handle >> 32 && state & ALIVE != 0).then_some(state + 1);
        if place.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, alive).is_err() {
            return Err(self.stale(argument));
        }
        // SAFETY: the value was stored before the slot became alive, and is not freed while we count as a user.
        let value = unsafe { &*place.value.load(Ordering::Relaxed) };
        Ok(Held { table: self, place, value, index })
    }

    /// Destroys a handle. Its value is freed after its last user.
    pub fn destroy(&'static self, handle: u64, argument: &str) -> Result<(), Failure> {
        let (index, place) = self.find(handle, argument)?;
        let alive = |state: u64| (state >> 32 == handle >> 32 && state & ALIVE != 0).then_some(state & !ALIVE);
        match place.state.fetch_update(Ordering::AcqRel, Ordering::Relaxed, alive) {
            Ok(before) => {
                self.alive.fetch_sub(1, Ordering::Relaxed);
                if before & USERS == 0 {
                    self.retire(index, place);
                }
                Ok(())
            }
            Err(_) => Err(self.stale(argument)),
        }
    }

    /// Destroys all handles and returns their number.
    pub fn destroy_all(&'static self) -> u32 {
        let all = 0..self.used.load(Ordering::Acquire);
        let ended = all.filter(|index| {
            let state = self.place(*index).map_or(0, |place| place.state.load(Ordering::Relaxed));
            let handle = state >> 32 << 32 | self.kind << INDEX_BITS | *index as u64;
            state & ALIVE != 0 && self.destroy(handle, "").is_ok()
        });
        ended.count() as u32
    }

    /// Number of live handles.
    pub fn alive(&self) -> u32 {
        self.alive.load(Ordering::Relaxed)
    }

    fn stale(&self, argument: &str) -> Failure {
        let text = format!("{argument} is a handle of {} that was destroyed", with_article(self.name));
        Failure { status: FC_ERROR_INVALID_HANDLE, text }
    }

    fn find(&'static self, handle: u64, argument: &str) -> Result<(u32, &'static Place<T>), Failure> {
        let index = (handle & ((1 << INDEX_BITS) - 1)) as u32;
        let ours = handle >> INDEX_BITS & 15 == self.kind && index < self.used.load(Ordering::Acquire);
        let place = if ours { self.known_place(index) } else { None };
        place.map(|place| (index, place)).ok_or_else(|| {
            let name = with_article(self.name);
            let text = match handle {
                0 => format!("{argument} is the null handle; it must be {name}"),
                _ => format!("{argument} is {handle:#x}, which is not {name}"),
            };
            Failure { status: FC_ERROR_INVALID_HANDLE, text }
        })
    }

    /// Frees the value of a dead slot without users, and recycles the slot.
    fn retire(&'static self, index: u32, place: &'static Place<T>) {
        let value = place.value.swap(null_mut(), Ordering::Relaxed);
        // SAFETY: it came from a box, and the slot is dead and has no users: exactly one caller gets here.
        drop(unsafe { Box::from_raw(value) });
        // A slot whose generations are used up is never reused: an old handle would become valid again.
        if place.state.load(Ordering::Relaxed) >> 32 < u32::MAX as u64 {
            let push = |top: u64| {
                place.next.store(top as u32, Ordering::Relaxed);
                Some(((top >> 32) + 1) << 32 | (index as u64 + 1))
            };
            let _ = self.free.fetch_update(Ordering::Release, Ordering::Relaxed, push);
        }
    }

    fn take_free(&'static self) -> Option<u32> {
        let pop = |top: u64| {
            let index = (top as u32).checked_sub(1)?;
            let next = self.known_place(index)?.next.load(Ordering::Relaxed);
            Some(((top >> 32) + 1) << 32 | next as u64)
        };
        let top = self.free.fetch_update(Ordering::Acquire, Ordering::Acquire, pop).ok()?;
        Some(top as u32 - 1)
    }

    fn take_new(&'static self) -> Option<u32> {
        // Allocate the segment first: an index in use must always have its slot.
        loop {
            let index = self.used.load(Ordering::Relaxed);
            if index >> INDEX_BITS != 0 {
                return None;
            }
            self.place(index)?;
            if self.used.compare_exchange(index, index + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return Some(index);
            }
        }
    }

    /// The segment of an index, the position in it, and the number of its slots.
    fn segment(index: u32) -> (usize, usize, usize) {
        let number = (index / FIRST + 1).ilog2();
        ((number as usize), (index - FIRST * ((1 << number) - 1)) as usize, (FIRST as usize) << number)
    }

    /// A slot of an allocated segment.
    fn known_place(&'static self, index: u32) -> Option<&'static Place<T>> {
        let (segment, within, _) = Self::segment(index);
        let first = self.segments.get(segment)?.load(Ordering::Acquire);
        // SAFETY: a segment that is not null has all its slots, valid as zeros, and is never freed.
        (!first.is_null()).then(|| unsafe { &*first.add(within) })
    }

    /// A slot; allocates its segment if needed.
    fn place(&'static self, index: u32) -> Option<&'static Place<T>> {
        let (segment, _, count) = Self::segment(index);
        let slot = self.segments.get(segment)?;
        if slot.load(Ordering::Acquire).is_null() {
            let layout = Layout::array::<Place<T>>(count).ok()?;
            // SAFETY: the size is not zero.
            let new: *mut Place<T> = unsafe { System.alloc_zeroed(layout) }.cast();
            if new.is_null() {
                return None;
            }
            if slot.compare_exchange(null_mut(), new, Ordering::AcqRel, Ordering::Relaxed).is_err() {
                // SAFETY: another thread was faster; ours was never published.
                unsafe { System.dealloc(new.cast(), layout) };
            }
        }
        self.known_place(index)
    }
}

fn with_article(name: &str) -> String {
    let vowel = name.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

impl<T: Send + Sync> Deref for Held<T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: Send + Sync> Drop for Held<T> {
    fn drop(&mut self) {
        // AcqRel: all uses happen before the value is freed.
        let before = self.place.state.fetch_sub(1, Ordering::AcqRel);
        if before & (ALIVE | USERS) == 1 {
            self.table.retire(self.index, self.place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn table() -> &'static Table<Counted> {
        Box::leak(Box::new(Table::new(2, "thing")))
    }

    struct Counted(u64, &'static AtomicUsize);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.1.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn counter() -> &'static AtomicUsize {
        Box::leak(Box::default())
    }

    #[test]
    fn stale_foreign_and_null_handles_are_told() {
        let (table, dropped) = (table(), counter());
        let first = table.insert(Box::new(Counted(1, dropped))).unwrap();
        assert_eq!(table.get(first, "x").unwrap().0, 1);
        table.destroy(first, "x").unwrap();
        assert_eq!(dropped.load(Ordering::Relaxed), 1);
        let text = |result: Result<Held<Counted>, Failure>| result.err().unwrap().text;
        assert_eq!(text(table.get(first, "x")), "x is a handle of a thing that was destroyed");
        assert!(table.destroy(first, "x").is_err());
        let second = table.insert(Box::new(Counted(2, dropped))).unwrap();
        assert_ne!(first, second, "the place is the same, the generation another");
        assert_eq!(first as u32, second as u32);
        assert!(table.get(first, "x").is_err() && table.get(second, "x").is_ok());
        assert_eq!(text(table.get(0, "x")), "x is the null handle; it must be a thing");
        for foreign in [second ^ 1 << 28, second + 1, u64::MAX, 1, second ^ 1 << 40] {
            assert!(table.get(foreign, "x").is_err(), "{foreign:#x}");
        }
        assert_eq!(table.destroy_all(), 1);
        assert_eq!((table.alive(), dropped.load(Ordering::Relaxed)), (0, 2));
    }

    #[test]
    fn what_is_in_use_outlives_its_handle() {
        let (table, dropped) = (table(), counter());
        let handle = table.insert(Box::new(Counted(1, dropped))).unwrap();
        let (one, two) = (table.get(handle, "x").unwrap(), table.get(handle, "x").unwrap());
        table.destroy(handle, "x").unwrap();
        assert!(table.get(handle, "x").is_err());
        drop(one);
        assert_eq!((two.0, dropped.load(Ordering::Relaxed)), (1, 0));
        drop(two);
        assert_eq!(dropped.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn many_threads_create_look_up_and_destroy() {
        let (table, dropped) = (table(), counter());
        let shared = table.insert(Box::new(Counted(99, dropped))).unwrap();
        let rounds: u64 = if cfg!(miri) { 20 } else { 20_000 };
        std::thread::scope(|scope| {
            for thread in 0..8u64 {
                scope.spawn(move || {
                    let mut own = vec![];
                    for round in 0..rounds {
                        let value = thread << 32 | round;
                        own.push((table.insert(Box::new(Counted(value, dropped))).unwrap(), value));
                        assert_eq!(table.get(shared, "x").unwrap().0, 99);
                        if own.len() > 50 {
                            let (handle, value) = own.swap_remove(round as usize % own.len());
                            assert_eq!(table.get(handle, "x").unwrap().0, value);
                            table.destroy(handle, "x").unwrap();
                            assert!(table.get(handle, "x").is_err());
                        }
                    }
                    own.iter().for_each(|(handle, value)| assert_eq!(table.get(*handle, "x").unwrap().0, *value));
                });
            }
        });
        assert_eq!(table.alive() as usize, table.destroy_all() as usize);
        assert_eq!(dropped.load(Ordering::Relaxed) as u64, 8 * rounds + 1);
    }

    #[test]
    fn one_of_many_threads_destroys() {
        for _ in 0..200 {
            let (table, dropped) = (table(), counter());
            let handle = table.insert(Box::new(Counted(7, dropped))).unwrap();
            let ended = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        let held = table.get(handle, "x");
                        ended.fetch_add(table.destroy(handle, "x").is_ok() as usize, Ordering::Relaxed);
                        assert!(held.is_err() || held.is_ok_and(|h| h.0 == 7));
                    });
                }
            });
            assert_eq!((ended.into_inner(), dropped.load(Ordering::Relaxed)), (1, 1));
        }
    }

    #[test]
    fn segments_cover_all_indices() {
        let mut next = 0;
        for segment in 0..8 {
            let count = (FIRST as usize) << segment;
            for within in 0..count {
                assert_eq!(Table::<u8>::segment(next), (segment, within, count));
                next += 1;
            }
        }
        assert!(Table::<u8>::segment((1 << INDEX_BITS) - 1).0 < SEGMENTS + 1);
    }
}
