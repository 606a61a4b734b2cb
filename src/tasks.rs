//! Work in parallel, always through here.
//!
//! One primitive: run `f` for every chunk of a range. Chunks are fixed by the caller's grain, never by the number of
//! threads, and results are kept in chunk order, so every outcome is the same bit for bit however many threads there are.
//! Work runs inline, on a pool of our own (never rayon's global one: that belongs to the host), or on the host's jobs.

use crate::error::{Error, Result};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// An engine's job system: calls the function with ranges that cover `0..count`, each number once, on any threads, and
/// returns when all are done.
pub type Host = dyn Fn(usize, &(dyn Fn(Range<usize>) + Sync)) + Send + Sync;

/// Where parallel work runs. Cheap to clone; the pool's threads have ended when the last clone is dropped.
#[derive(Clone, Default)]
pub struct Tasks {
    place: Place,
}

#[derive(Clone, Default)]
enum Place {
    #[default]
    Inline,
    Pool(Arc<Pool>),
    Host(Arc<Host>),
}

/// Threads of our own. Rayon tells its threads to end and does not wait for them; a library that may be unloaded must.
struct Pool {
    threads: Option<rayon::ThreadPool>,
    running: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Calls `f` with each number below `count`: the calling thread and those of the pool each take the next one that nobody
    /// has. Who calls begins at once; waking the others takes as long as a dozen queries.
    fn share(&self, count: usize, f: impl Fn(usize) + Sync) {
        let Some(threads) = &self.threads else { return };
        let next = AtomicUsize::new(0);
        let work = &|| {
            while let Some(k) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|k| *k < count) {
                f(k);
            }
        };
        threads.in_place_scope(|scope| {
            for _ in 0..threads.current_num_threads().min(count.saturating_sub(1)) {
                scope.spawn(move |_| work());
            }
            work();
        });
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.threads.take();
        let own = std::thread::current().id();
        for thread in self.running.drain(..) {
            // The last clone may be dropped by one of the threads, which cannot wait for itself.
            if thread.thread().id() != own {
                let _ = thread.join();
            }
        }
    }
}

impl Tasks {
    /// Everything on the calling thread.
    pub fn inline() -> Self {
        Self::default()
    }

    /// `threads` threads: the one that calls, and a pool of the others. 0 and 1 mean inline.
    pub fn pool(threads: usize) -> Result<Self> {
        if threads <= 1 {
            return Ok(Self::inline());
        }
        let mut running = vec![];
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads - 1)
            .spawn_handler(|thread| {
                let name = format!("fracas-{}", thread.index());
                running.push(std::thread::Builder::new().name(name).spawn(|| thread.run())?);
                Ok(())
            })
            .build();
        // If one could not be started, those before it have been told to end, and dropping this waits for them.
        let mut started = Pool { threads: None, running };
        match pool {
            Ok(threads) => started.threads = Some(threads),
            Err(e) => {
                return Err(Error::TooLarge(format!("{threads} threads could not be started ({e}); ask for fewer")));
            }
        }
        Ok(Self { place: Place::Pool(Arc::new(started)) })
    }

    /// The job system of an engine.
    pub fn host(host: Arc<Host>) -> Self {
        Self { place: Place::Host(host) }
    }

    /// Whether everything runs on the calling thread.
    pub fn is_inline(&self) -> bool {
        matches!(self.place, Place::Inline)
    }

    /// Calls `f` with each chunk of `0..count`, `grain` elements long but for the last; returns when all are done.
    pub fn parallel_for(&self, count: usize, grain: usize, f: impl Fn(Range<usize>) + Sync) {
        let chunks = count.div_ceil(grain);
        let chunk = |k: usize| k * grain..((k + 1) * grain).min(count);
        match &self.place {
            Place::Pool(pool) if chunks > 1 => pool.share(chunks, |k| f(chunk(k))),
            Place::Host(host) if chunks > 1 => host(chunks, &|range| range.for_each(|k| f(chunk(k)))),
            _ => (0..chunks).for_each(|k| f(chunk(k))),
        }
    }

    /// The results of `f` for each chunk of `0..count`, in order.
    pub fn map_chunks<T: Send>(&self, count: usize, grain: usize, f: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
        let slots: Vec<Mutex<Option<T>>> = (0..count.div_ceil(grain)).map(|_| Mutex::new(None)).collect();
        self.parallel_for(count, grain, |range| {
            let slot = &slots[range.start / grain];
            let result = f(range);
            *slot.lock().unwrap_or_else(|e| e.into_inner()) = Some(result);
        });
        slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(|e| e.into_inner())).collect()
    }

    /// Hands each chunk of `out`, `grain` elements long but for the last, to `f` with the number of its first element.
    pub fn fill<T: Send>(&self, out: &mut [T], grain: usize, f: impl Fn(usize, &mut [T]) + Sync) {
        let count = out.len();
        let chunks: Vec<Mutex<&mut [T]>> = out.chunks_mut(grain.max(1)).map(Mutex::new).collect();
        self.parallel_for(count, grain.max(1), |range| {
            let mut chunk = chunks[range.start / grain.max(1)].lock().unwrap_or_else(|e| e.into_inner());
            f(range.start, &mut chunk);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_the_same_for_every_number_of_threads() {
        let expected: Vec<Range<usize>> = vec![0..4, 4..8, 8..10];
        for threads in [0, 1, 2, 4] {
            let tasks = Tasks::pool(threads).unwrap();
            assert_eq!(tasks.map_chunks(10, 4, |r| r), expected);
            let mut out = [0; 10];
            tasks.fill(&mut out, 4, |first, chunk| chunk.iter_mut().zip(first..).for_each(|(o, k)| *o = k));
            assert_eq!(out.to_vec(), (0..10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_host_may_cut_the_work_as_it_likes() {
        let expected = Tasks::inline().map_chunks(103, 4, |r| r);
        for piece in [1, 3, 50] {
            let host = move |count: usize, run: &(dyn Fn(Range<usize>) + Sync)| {
                (0..count).step_by(piece).rev().for_each(|first| run(first..(first + piece).min(count)));
            };
            assert_eq!(Tasks::host(Arc::new(host)).map_chunks(103, 4, |r| r), expected);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn no_thread_of_a_pool_is_left_when_it_is_dropped() {
        let ours = || {
            let tasks = std::fs::read_dir("/proc/self/task").unwrap().filter_map(|t| t.ok());
            let name = |path: std::path::PathBuf| std::fs::read_to_string(path.join("comm")).unwrap_or_default();
            tasks.filter(|t| name(t.path()).trim_end() == "fracas-9").count()
        };
        // The system's list is a moment late: names come when threads start, and go after they have ended.
        let comes_to = |count: usize| {
            (0..200).any(|_| {
                std::thread::sleep(std::time::Duration::from_millis(10));
                ours() == count
            })
        };
        let pool = Tasks::pool(12).unwrap();
        pool.parallel_for(100, 1, |_| {});
        assert!(comes_to(1), "the tenth thread is called fracas-9; no other test has as many");
        drop(pool);
        assert!(comes_to(0));
    }

    #[test]
    fn nothing_to_do_is_fine() {
        assert!(Tasks::inline().map_chunks(0, 4, |r| r).is_empty());
    }
}
