//! Batches: contact queries of many pairs in parallel, within one budget if wanted.
//!
//! Pairs are processed in runs of fixed length. A finished run appends its contacts to the shared list; results tell where those
//! of a pair are. A budget is divided before the work by the weights of the pairs, so the outcome does not depend on threads.

use super::ahead::{self, query_pair_in_step};
use super::budget::shares;
use super::memory::PairMemory;
use super::motion::Motion;
use super::scratch;
use super::sweep;
use super::{Contact, QueryOptions, QueryStats};
use crate::body::Object;
use crate::error::{Error, Result, bad_argument};
use crate::geom::Pose;
use crate::tasks::Tasks;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Mutex;

/// Pairs per task. A query takes some microseconds; eight make a task long against the cost of scheduling it and still
/// balance a few hundred pairs over the threads. Found by trial.
const RUN: usize = 8;
/// An interrupted pair is queried once more with so many times its budget: what it has done before is lost, at most a quarter then.
const RAISE: u32 = 4;
/// Rounds of a batch: 4^7 times the first budget is enough for any pair.
const ROUNDS: u32 = 8;

/// One pair of a batch.
#[derive(Clone, Copy)]
pub struct QueryPair<'a> {
    /// First object and its pose.
    pub a: (&'a Object, &'a Pose),
    /// Second object and its pose.
    pub b: (&'a Object, &'a Pose),
    /// Share of a budget, relative to the others: how important it is.
    pub weight: f32,
}

/// What a batch has of its step: what is kept of pairs between queries, and how bodies move. Lists are empty, or have an entry for each pair.
#[derive(Debug, Default)]
pub struct Step<'a> {
    /// As in [`query_pair_remembered`](super::query_pair_remembered).
    pub memories: &'a mut [PairMemory],
    /// Of both bodies of a pair, as in [`query_pair_ahead`](super::query_pair_ahead).
    pub motions: &'a [[Motion; 2]],
    /// How long it lasts; 0: contacts of now.
    pub seconds: f64,
}

/// All contacts of a batch in one list in the order of the pairs, the offset of each pair's first contact (one more entry than pairs: the
/// last is the end), and each pair's stats or error.
pub type BatchContacts = (Vec<Contact>, Vec<u32>, Vec<Result<QueryStats>>);

/// Queries many pairs in parallel. The budget of the options is that of all together: see [`Batch::run`].
pub fn query_pairs(pairs: &[QueryPair], options: &QueryOptions, tasks: &Tasks) -> BatchContacts {
    query_all(pairs, &mut Step::default(), options, tasks)
}

/// The same with memories of the pairs, or over a step, or both. Each pair gives the contacts that it gives alone.
pub fn query_pairs_in_step(
    pairs: &[QueryPair],
    mut step: Step,
    options: &QueryOptions,
    tasks: &Tasks,
) -> Result<BatchContacts> {
    for (what, count) in [("memories", step.memories.len()), ("motions", step.motions.len())] {
        if count != 0 && count != pairs.len() {
            bad_argument!("there are {count} {what} for {} pairs", pairs.len());
        }
    }
    Ok(query_all(pairs, &mut step, options, tasks))
}

fn query_all(pairs: &[QueryPair], step: &mut Step, options: &QueryOptions, tasks: &Tasks) -> BatchContacts {
    let Step { memories, motions, seconds } = step;
    // Each is of one pair, so no thread ever waits.
    let memories: Vec<Mutex<&mut PairMemory>> = memories.iter_mut().map(Mutex::new).collect();
    let mut batch = Batch::<Error>::default();
    let weight = |k: usize| pairs[k].weight;
    batch.run(pairs.len(), options.budget, weight, tasks, |k, budget, found| {
        let QueryPair { a, b, .. } = pairs[k];
        let step = motions.get(k).filter(|_| *seconds != 0.0).map(|of_both| (*of_both, *seconds));
        let mut memory = memories.get(k).map(|memory| memory.lock().unwrap_or_else(|e| e.into_inner()));
        let memory = memory.as_mut().map(|memory| &mut ***memory);
        query_pair_in_step(a, b, step.as_ref(), &QueryOptions { budget, ..*options }, memory, found)
    });
    let (mut contacts, mut starts) = (vec![], vec![0]);
    for k in 0..pairs.len() {
        contacts.extend_from_slice(batch.contacts(k));
        starts.push(contacts.len() as u32);
    }
    (contacts, starts, batch.results.into_iter().map(|result| result.outcome).collect())
}

/// Outcome of a pair, and where its contacts are.
struct PairResult<E> {
    outcome: std::result::Result<QueryStats, E>,
    contacts: Range<usize>,
    /// What it had when it was queried last.
    budget: u32,
}

/// The lists of a batch; kept, so that a warm one does not allocate.
pub struct Batch<E> {
    contacts: Vec<Contact>,
    results: Vec<PairResult<E>>,
    /// Budgets of the pairs that are queried, and which these are.
    budgets: Vec<u32>,
    queried: Vec<u32>,
}

impl<E> Default for Batch<E> {
    fn default() -> Self {
        Self { contacts: vec![], results: vec![], budgets: vec![], queried: vec![] }
    }
}

thread_local! {
    /// Contacts of a run. Taken, not borrowed: a query may call the caller's code.
    static FOUND: Cell<Vec<Contact>> = const { Cell::new(vec![]) };
}

/// Frees the scratch memory that this thread keeps between queries.
pub fn release_scratch() {
    FOUND.take();
    ahead::release_scratch();
    scratch::release_scratch();
    sweep::release_scratch();
}

impl<E: Send> Batch<E> {
    /// Queries `count` pairs; `query` gets the number of a pair, its budget, and the list to append its contacts to.
    ///
    /// The budget, unless it is 0, is divided by weight. What pairs leave of theirs, such as those that are apart, goes to those that were
    /// interrupted, in their order: they are queried once more with four times as much, as often as that is there. Every pair gets one
    /// unit at least; only so may the budget be exceeded.
    pub fn run(
        &mut self,
        count: usize,
        budget: u32,
        weight: impl Fn(usize) -> f32,
        tasks: &Tasks,
        query: impl Fn(usize, u32, &mut Vec<Contact>) -> std::result::Result<QueryStats, E> + Sync,
    ) {
        self.clear();
        self.results.resize_with(count, || PairResult {
            outcome: Ok(QueryStats::default()),
            contacts: 0..0,
            budget: 0,
        });
        self.queried.extend(0..count as u32);
        self.budgets.resize(count, 0);
        if budget == 0 {
            return self.round(tasks, &query);
        }
        shares(budget, weight, &mut self.budgets);
        self.results.iter_mut().zip(&self.budgets).for_each(|(result, share)| result.budget = *share);
        self.round(tasks, &query);
        for _ in 1..ROUNDS {
            self.raise(budget);
            if self.queried.is_empty() {
                return;
            }
            self.round(tasks, &query);
        }
    }

    /// Chooses which of the interrupted pairs are queried once more, in their order, with several times their budget, as far as what is
    /// left of all goes.
    fn raise(&mut self, budget: u32) {
        let work = |result: &PairResult<E>| result.outcome.as_ref().map_or(0, |stats| stats.work);
        let mut left = budget.saturating_sub(self.results.iter().map(work).fold(0, u32::saturating_add));
        self.queried.clear();
        self.budgets.clear();
        for (pair, result) in (0..).zip(&mut self.results) {
            let more = result.budget.saturating_mul(RAISE);
            if more <= left && result.outcome.as_ref().is_ok_and(QueryStats::is_interrupted) {
                left -= more;
                result.budget = more;
                self.queried.push(pair);
                self.budgets.push(more);
            }
        }
    }

    /// Queries what is to be queried.
    fn round(
        &mut self,
        tasks: &Tasks,
        query: &(impl Fn(usize, u32, &mut Vec<Contact>) -> std::result::Result<QueryStats, E> + Sync),
    ) {
        let (queried, budgets) = (std::mem::take(&mut self.queried), std::mem::take(&mut self.budgets));
        let shared = Mutex::new(&mut *self);
        tasks.parallel_for(queried.len(), RUN, |range| {
            FOUND.with(|kept| {
                let mut found = kept.take();
                found.clear();
                let mut results = [const { None }; RUN];
                for (result, k) in results.iter_mut().zip(range.clone()) {
                    let before = found.len();
                    let outcome = query(queried[k] as usize, budgets[k], &mut found);
                    *result = Some(PairResult { outcome, contacts: before..found.len(), budget: budgets[k] });
                }
                let mut batch = shared.lock().unwrap_or_else(|e| e.into_inner());
                batch.add(&found, results.into_iter().flatten().zip(queried[range].iter().copied()));
                drop(batch);
                kept.set(found);
            });
        });
        (self.queried, self.budgets) = (queried, budgets);
    }

    /// Adds the results of a run. A pair that was queried before has done the work of both.
    fn add(&mut self, found: &[Contact], results: impl Iterator<Item = (PairResult<E>, u32)>) {
        let start = self.contacts.len();
        self.contacts.extend_from_slice(found);
        for (mut result, pair) in results {
            let place = &mut self.results[pair as usize];
            if let (Ok(now), Ok(before)) = (&mut result.outcome, &place.outcome) {
                now.work = now.work.saturating_add(before.work);
            }
            let Range { start: first, end } = result.contacts;
            *place = PairResult { contacts: start + first..start + end, ..result };
        }
    }
}

impl<E> Batch<E> {
    /// Empties it, but keeps its memory.
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.results.clear();
        self.budgets.clear();
        self.queried.clear();
    }

    /// Stats or errors of all pairs.
    pub fn outcomes(&self) -> impl Iterator<Item = &std::result::Result<QueryStats, E>> {
        self.results.iter().map(|result| &result.outcome)
    }

    /// The contacts of a pair.
    pub fn contacts(&self, pair: usize) -> &[Contact] {
        &self.contacts[self.results[pair].contacts.clone()]
    }
}
