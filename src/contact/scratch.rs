//! Scratch memory of queries, kept per thread: a warm query does not allocate.

use super::edges::Passage;
use super::front::Open;
use super::reduce;
use super::search::{Candidate, Separation};
use super::select::Working;
use super::traverse::Queues;
use super::{Contact, QueryStats};
use crate::culling::walls::WallRoom;
use crate::geom::Point;
use std::cell::Cell;

/// Scratch memory that a thread keeps between queries.
#[derive(Default)]
pub(super) struct Scratch {
    pub separations: [Separation; 2],
    pub walls: [WallRoom; 2],
    pub candidates: [Vec<Candidate>; 2],
    /// Of queries within a budget: spheres to be opened, and those that were not.
    pub open: Open,
    pub closed: [Vec<Candidate>; 2],
    /// Creases that may be inside.
    pub passages: [Vec<Passage>; 2],
    pub working: Working,
    pub queues: [Queues; 2],
    pub contacts: Vec<Contact>,
    /// Samples of a plain shape.
    pub samples: Vec<OwnSample>,
}

thread_local! {
    static KEPT: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// A sample of a plain shape that may touch.
#[derive(Clone, Copy)]
pub struct OwnSample {
    /// In the shape's frame.
    pub at: Point,
    pub number: u32,
    /// Only for samples along a line (capsules).
    pub depth: f64,
}

/// Runs a query with this thread's scratch memory, cleared. It is taken, not borrowed, so a nested query gets its own.
pub(super) fn with_scratch(query: impl FnOnce(&mut Scratch, &mut QueryStats)) -> QueryStats {
    let mut scratch = KEPT.take().unwrap_or_else(|| {
        let mut new = Box::<Scratch>::default();
        // Enough for most unions of many cells.
        new.passages.iter_mut().for_each(|list| list.reserve(2048));
        new
    });
    scratch.contacts.clear();
    scratch.candidates.iter_mut().chain(&mut scratch.closed).for_each(Vec::clear);
    scratch.passages.iter_mut().for_each(Vec::clear);
    scratch.queues.iter_mut().for_each(Queues::clear);
    let mut stats = QueryStats::default();
    query(&mut scratch, &mut stats);
    KEPT.set(Some(scratch));
    stats
}

/// Frees the scratch memory that this thread keeps between queries of pairs.
pub(super) fn release_scratch() {
    KEPT.take();
    reduce::release_scratch();
}
