//! What a thread of a query needs, keeps, and counts.

use super::ccd::Ccd;
use super::contour::Contour;
use std::sync::{Mutex, MutexGuard};

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraversalStats {
    /// Overlap tests of boxes of nodes.
    pub node_tests: u64,
    /// Nodes whose inside the cones culled.
    pub culled_nodes: u64,
    /// Contour tests.
    pub contour_tests: u64,
    /// Pairs of triangles whose boxes meet.
    pub candidates: u64,
    /// Elementary tests: triangle-triangle, vertex-face and edge-edge.
    pub elementary_tests: u64,
    /// Those that found something.
    pub found: u64,
}

impl TraversalStats {
    pub(super) fn add(&mut self, other: &Self) {
        self.node_tests += other.node_tests;
        self.culled_nodes += other.culled_nodes;
        self.contour_tests += other.contour_tests;
        self.candidates += other.candidates;
        self.elementary_tests += other.elementary_tests;
        self.found += other.found;
    }
}

/// What a thread needs and keeps.
pub(super) struct Worker<R> {
    pub stack: Vec<[u32; 2]>,
    pub contour: Contour,
    pub ccd: Ccd,
    pub found: Vec<R>,
    pub stats: TraversalStats,
    /// Times that are of interest, in a chunk: what one finds narrows them, and does not depend on other chunks.
    pub until: f64,
    /// Chunks of items that it did: number, and where their results begin.
    pub runs: Vec<(usize, usize)>,
}

impl<R> Default for Worker<R> {
    fn default() -> Self {
        Self {
            stack: vec![],
            contour: Contour::default(),
            ccd: Ccd::default(),
            found: vec![],
            stats: TraversalStats::default(),
            until: 1.0,
            runs: vec![],
        }
    }
}

/// Memory of queries with results of one type: what threads keep, one for each that runs at a time.
pub(super) struct Pool<R>(Mutex<Vec<Worker<R>>>);

impl<R> Default for Pool<R> {
    fn default() -> Self {
        Self(Mutex::new(vec![]))
    }
}

impl<R> Pool<R> {
    /// One that is free, or a new one.
    pub fn take(&self) -> Worker<R> {
        lock(&self.0).pop().unwrap_or_default()
    }

    pub fn put(&self, workers: &mut Vec<Worker<R>>) {
        lock(&self.0).append(workers);
    }
}

/// Ignores poisoning: what is guarded is a list that no panic can break.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}
