//! `fc_query_pairs`: many pairs, in parallel.
//!
//! Pairs are processed in runs of fixed length. A finished run appends its contacts to the shared list; copying to
//! the caller restores the order of the pairs. All lists belong to the calling thread and are reused.

use super::descriptor::Stamped;
use super::door::call;
use super::hooks;
use super::object;
use super::pointer::{buffer, checked_pose, out, slice};
use super::query::{Query, fc_query_desc, fc_query_stats, set_stats, with_contacts};
use super::status::{FC_INCOMPLETE, FC_OK, FC_SOME_FAILED, Failure, fc_status, set_last_error};
use super::types::{fc_contact, fc_object, fc_pose};
use crate::contact::{Contact, QueryStats, query_pair};
use std::cell::Cell;
use std::sync::Mutex;

/// Number of pairs per task.
const RUN: usize = 8;

/// One pair of a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_pair {
    /// The first object.
    pub a: fc_object,
    /// The second object.
    pub b: fc_object,
    /// Pose of the first object.
    pub pose_a: fc_pose,
    /// Pose of the second object.
    pub pose_b: fc_pose,
}

/// Result of a pair: its status and the range of its contacts in the list.
#[derive(Clone, Copy, Default)]
struct PairResult {
    status: fc_status,
    first: usize,
    count: usize,
    stats: QueryStats,
}

/// Working lists of a batch.
#[derive(Default)]
struct Batch {
    contacts: Vec<Contact>,
    results: Vec<PairResult>,
    /// The first pair that failed, and why.
    failure: Option<(usize, Failure)>,
}

thread_local! {
    static KEPT: Cell<Option<Batch>> = const { Cell::new(None) };
}

/// Frees this thread's scratch memory.
pub(super) fn release_scratch() {
    KEPT.take();
}

fn query(pair: &fc_pair, query: &Query, found: &mut Vec<Contact>) -> Result<QueryStats, Failure> {
    let (a, b) = (object::get(pair.a, "a")?, object::get(pair.b, "b")?);
    let (pose_a, pose_b) = (checked_pose(&pair.pose_a, "pose_a")?, checked_pose(&pair.pose_b, "pose_b")?);
    Ok(query_pair(&a.object, &pose_a, &b.object, &pose_b, &query.options, found)?)
}

/// Queries a run of pairs and appends their results.
fn work(pairs: &[fc_pair], first: usize, how: &Query, batch: &Mutex<&mut Batch>) {
    with_contacts(|found| {
        let mut results = [PairResult::default(); RUN];
        let mut failure = None;
        for (k, pair) in pairs.iter().enumerate() {
            let before = found.len();
            let (status, stats) = match query(pair, how, found) {
                Ok(stats) => (FC_OK, stats),
                Err(why) => {
                    let status = why.status;
                    failure.get_or_insert((first + k, why));
                    (status, QueryStats::default())
                }
            };
            results[k] = PairResult { status, first: before, count: found.len() - before, stats };
        }
        let mut batch = batch.lock().unwrap_or_else(|e| e.into_inner());
        let start = batch.contacts.len();
        batch.contacts.extend_from_slice(found);
        for (k, result) in results.into_iter().take(pairs.len()).enumerate() {
            batch.results[first + k] = PairResult { first: start + result.first, ..result };
        }
        if let Some(failure) = failure
            && batch.failure.as_ref().is_none_or(|known| failure.0 < known.0)
        {
            batch.failure = Some(failure);
        }
    });
}

/// Finds the contacts of many pairs, in parallel on the task hook. Each pair gives the same contacts as with
/// fc_query_pair; all are returned in one array in the order of the pairs.
///
/// Sets `offsets[k]` to the index of the first contact of pair k, and `offsets[pair_count]` to the total number;
/// writes at most `capacity` contacts. If there are more, returns FC_INCOMPLETE; all offsets are correct, and the
/// contacts below `capacity` are valid. A pair that fails has no contacts, and its status is in `statuses` (may be
/// NULL); the call then returns FC_SOME_FAILED, even if the buffer was too small as well (compare `offsets[pair_count]` with
/// `capacity`), and fc_last_error() describes the first failure.
///
/// Owner    buffers stay yours; no pointer is kept.
/// Threads  beside any other call.
/// Memory   no heap allocation in a warm call; with fc_set_threads one block per call.
/// Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED, FC_ERROR_TASKS; not for a bad
///          pair.
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// `pairs` has `pair_count` elements, `desc` is NULL or as large as it says, `contacts` has room for `capacity`,
/// `offsets` for `pair_count` + 1, `statuses` is NULL or has room for `pair_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_query_pairs(
    pairs: *const fc_pair,
    pair_count: u32,
    desc: *const fc_query_desc,
    contacts: *mut fc_contact,
    capacity: u32,
    offsets: *mut u32,
    statuses: *mut fc_status,
) -> fc_status {
    let mut batch = KEPT.take().unwrap_or_default();
    batch.contacts.clear();
    batch.results.clear();
    batch.failure = None;
    let status = call(
        || {
            // SAFETY: required; the last offset exists even if there are no pairs.
            let (pairs, how, contacts, offsets, statuses) = unsafe {
                out(offsets, "offsets")?;
                let status_count = if statuses.is_null() { 0 } else { pair_count };
                (
                    slice(pairs, pair_count, "pairs")?,
                    Query::read(desc)?,
                    buffer(contacts, capacity, "contacts")?,
                    buffer(offsets, pair_count.saturating_add(1), "offsets")?,
                    buffer(statuses, status_count, "statuses")?,
                )
            };
            batch.results.resize(pairs.len(), PairResult::default());
            let shared = Mutex::new(&mut batch);
            hooks::tasks()
                .parallel_for(pairs.len(), RUN, |range| work(&pairs[range.clone()], range.start, &how, &shared));
            Ok((how, contacts, offsets, statuses, &batch))
        },
        |(how, contacts, offsets, statuses, batch)| {
            let mut all = fc_query_stats { nanoseconds: how.nanoseconds(), ..fc_query_stats::DEFAULT };
            let mut start = 0;
            for (k, result) in batch.results.iter().enumerate() {
                offsets.fill_from(k, [start as u32].into_iter());
                statuses.fill_from(k, [result.status].into_iter());
                let found = &batch.contacts[result.first..result.first + result.count];
                contacts.fill_from(start, found.iter().map(|c| (*c).into()));
                start += result.count;
                all.add(&result.stats);
            }
            offsets.fill_from(batch.results.len(), [start as u32].into_iter());
            set_stats(all);
            match &batch.failure {
                Some((pair, failure)) => {
                    set_last_error(&format!("pairs[{pair}]: {}", failure.text));
                    FC_SOME_FAILED
                }
                None if start > contacts.capacity() => FC_INCOMPLETE,
                None => FC_OK,
            }
        },
    );
    batch.failure = None;
    KEPT.set(Some(batch));
    status
}
