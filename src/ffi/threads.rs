//! The library's own threads, for programs without a job system.
//!
//! Not rayon, which `tasks` offers to Rust programs: rayon's per-thread data outlives its threads, but an engine
//! that counts its blocks, or unloads the library, needs all memory back. Here threads are joined, and nothing
//! remains.
//!
//! Work items are numbered, and each free thread takes the next number. The caller takes part, so nested work never
//! waits for a thread that is busy.

use super::status::{FC_ERROR_TOO_LARGE, Failure};
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{Builder, JoinHandle};

thread_local! {
    /// Index of this thread if it is one of ours, else 0. (The standard library's thread id would leave a block
    /// allocated.)
    static NUMBER: Cell<usize> = const { Cell::new(0) };
}

type Run<'a> = dyn Fn(Range<usize>) + Sync + 'a;

/// A thread pool. Joins its threads when dropped.
pub(super) struct Threads {
    shared: Arc<Shared>,
    running: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified when there is work, or when the pool ends.
    wake: Condvar,
}

#[derive(Default)]
struct State {
    jobs: Vec<Arc<Job>>,
    ending: bool,
}

/// A parallel loop.
struct Job {
    /// Borrowed from the caller of [`Threads::run`], which does not return until `left` is zero.
    run: *const Run<'static>,
    count: usize,
    /// Next item that is not yet taken.
    next: AtomicUsize,
    /// Number of items that are not done.
    left: Mutex<usize>,
    done: Condvar,
}

// SAFETY: `run` points to a `Sync` closure, which is called only while the caller waits.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

/// Ignores poisoning: no guarded state can be left inconsistent by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

impl Job {
    /// Runs items until all are taken. `run` must not panic.
    fn work(&self) {
        loop {
            let piece = self.next.fetch_add(1, Ordering::Relaxed);
            if piece >= self.count {
                return;
            }
            // SAFETY: this item is not done, so the caller is waiting and its closure is alive.
            unsafe { (*self.run)(piece..piece + 1) };
            let mut left = lock(&self.left);
            *left -= 1;
            if *left == 0 {
                self.done.notify_all();
            }
        }
    }

    fn is_taken(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.count
    }
}

impl Threads {
    /// Starts `count` - 1 threads: the calling thread works too.
    pub fn start(count: usize) -> Result<Self, Failure> {
        let mut threads = Self { shared: Arc::default(), running: Vec::with_capacity(count) };
        for k in 1..count {
            let shared = threads.shared.clone();
            let work = move || {
                NUMBER.set(k);
                shared.serve();
            };
            let started = Builder::new().name(format!("fracas-{k}")).spawn(work);
            threads.running.push(started.map_err(|e| Failure {
                status: FC_ERROR_TOO_LARGE,
                text: format!("{count} threads could not be started ({e}); ask for fewer"),
            })?);
        }
        Ok(threads)
    }

    /// Calls `run` with every index below `count`, on any of the threads and this one; returns when all are done.
    /// `run` must not panic.
    pub fn run(&self, count: usize, run: &Run<'_>) {
        let job = Arc::new(Job {
            // SAFETY: extends the lifetime for the type only; this function returns after the last use.
            run: unsafe { std::mem::transmute::<*const Run<'_>, *const Run<'static>>(run) },
            count,
            next: AtomicUsize::new(0),
            left: Mutex::new(count),
            done: Condvar::new(),
        });
        lock(&self.shared.state).jobs.push(job.clone());
        self.shared.wake.notify_all();
        job.work();
        lock(&self.shared.state).jobs.retain(|other| !Arc::ptr_eq(other, &job));
        let mut left = lock(&job.left);
        while *left > 0 {
            left = job.done.wait(left).unwrap_or_else(|e| e.into_inner());
        }
    }
}

impl Shared {
    /// Main loop of a thread.
    fn serve(&self) {
        let mut state = lock(&self.state);
        loop {
            let job = state.jobs.iter().find(|job| !job.is_taken()).cloned();
            state = match job {
                Some(job) => {
                    drop(state);
                    job.work();
                    drop(job);
                    lock(&self.state)
                }
                None if state.ending => return,
                None => self.wake.wait(state).unwrap_or_else(|e| e.into_inner()),
            };
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        lock(&self.shared.state).ending = true;
        self.shared.wake.notify_all();
        for (k, thread) in self.running.drain(..).enumerate() {
            // A call running on one of these threads may hold the last reference; a thread cannot join itself.
            if NUMBER.get() != k + 1 {
                let _ = thread.join();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once_also_within_pieces() {
        let threads = Threads::start(4).unwrap();
        for count in [0, 1, 2, 100] {
            let done: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            threads.run(count, &|range| {
                let inner = AtomicUsize::new(0);
                threads.run(7, &|range| {
                    inner.fetch_add(range.len(), Ordering::Relaxed);
                });
                for k in range {
                    done[k].fetch_add(inner.load(Ordering::Relaxed), Ordering::Relaxed);
                }
            });
            assert!(done.iter().all(|d| d.load(Ordering::Relaxed) == 7));
        }
    }
}
