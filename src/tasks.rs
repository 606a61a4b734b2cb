//! Work in parallel, always through here.
//!
//! One primitive: run `f` for every chunk of a range. Chunks are fixed by the caller's grain, never by the number of
//! threads, and results are kept in chunk order, so every outcome is the same bit for bit however many threads there are.
//! Work runs inline, or on a pool of our own (never rayon's global one: that belongs to the host).

use crate::error::{Error, Result};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// Where parallel work runs. Cheap to clone; the pool's threads end with the last clone.
#[derive(Clone, Default)]
pub struct Tasks {
    pool: Option<Arc<rayon::ThreadPool>>,
}

impl Tasks {
    /// Everything on the calling thread.
    pub fn inline() -> Self {
        Self::default()
    }

    /// A pool of `threads` threads; 0 and 1 mean inline.
    pub fn pool(threads: usize) -> Result<Self> {
        if threads <= 1 {
            return Ok(Self::inline());
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|k| format!("fracas-{k}"))
            .build()
            .map_err(|e| Error::TooLarge(format!("{threads} threads could not be started ({e}); ask for fewer")))?;
        Ok(Self { pool: Some(Arc::new(pool)) })
    }

    /// Calls `f` with each chunk of `0..count`, `grain` elements long but for the last; returns when all are done.
    pub fn parallel_for(&self, count: usize, grain: usize, f: impl Fn(Range<usize>) + Sync) {
        let chunks = count.div_ceil(grain);
        let chunk = |k: usize| k * grain..((k + 1) * grain).min(count);
        match &self.pool {
            Some(pool) if chunks > 1 => pool.scope(|scope| {
                for k in 0..chunks {
                    let f = &f;
                    scope.spawn(move |_| f(chunk(k)));
                }
            }),
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
    fn nothing_to_do_is_fine() {
        assert!(Tasks::inline().map_chunks(0, 4, |r| r).is_empty());
    }
}
