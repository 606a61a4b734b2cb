//! Threads of the library's own, for programs without a job system.
//!
//! Not rayon's, which `tasks` offers to Rust programs: what rayon keeps for its threads outlives them, and an engine that
//! counts its blocks, or unloads the library, wants all of it back. Here threads are waited for, and nothing stays.
//!
//! Pieces of work are numbered, and whoever is free takes the next number; the caller takes part, so work within work can
//! never wait for a thread that is not there.

use super::status::{FC_ERROR_TOO_LARGE, Failure};
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{Builder, JoinHandle};

thread_local! {
    /// The number of this thread, if it is one of ours. (PairRelation the standard library who we are would leave a block behind.)
    static NUMBER: Cell<usize> = const { Cell::new(0) };
}

type Run<'a> = dyn Fn(Range<usize>) + Sync + 'a;

/// Some threads. Ends them when dropped.
pub(super) struct Threads {
    shared: Arc<Shared>,
    running: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Told when there is work, or no more.
    wake: Condvar,
}

#[derive(Default)]
struct State {
    jobs: Vec<Arc<Job>>,
    ending: bool,
}

/// Pieces of work.
struct Job {
    /// Borrowed from the caller of [`Threads::run`], who stays until `left` is zero.
    run: *const Run<'static>,
    count: usize,
    /// The next piece that nobody has taken.
    next: AtomicUsize,
    /// Pieces that are not done.
    left: Mutex<usize>,
    done: Condvar,
}

// SAFETY: what `run` points to may be called by any thread, and is, only while the caller waits.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

/// Nothing that is guarded here can be left half done by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

impl Job {
    /// Does pieces until all are taken. `run` must not panic.
    fn work(&self) {
        loop {
            let piece = self.next.fetch_add(1, Ordering::Relaxed);
            if piece >= self.count {
                return;
            }
            // SAFETY: this piece is not done, so the caller is waiting and what it lent is there.
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
    /// Starts `count` threads less one: the one that calls works too.
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

    /// Calls `run` with every number below `count`, on any of the threads and this one; returns when all are done. `run` must
    /// not panic.
    pub fn run(&self, count: usize, run: &Run<'_>) {
        let job = Arc::new(Job {
            // SAFETY: the lifetime is only made longer for the type; this function returns when nobody uses it any more.
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
    /// The life of a thread.
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
            // A call that one of the threads works on may be the last to hold them; it cannot wait for itself.
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
