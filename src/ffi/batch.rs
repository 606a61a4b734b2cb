//! `fc_query_pairs`: many pairs, in parallel. All lists belong to the calling thread and are reused.

use super::descriptor::Stamped;
use super::door::call;
use super::hooks;
use super::object;
use super::pointer::{buffer, checked_pose, out, slice};
use super::query::{Query, fc_query_desc, fc_query_stats, set_stats};
use super::status::{FC_INCOMPLETE, FC_INTERRUPTED, FC_OK, FC_SOME_FAILED, Failure, fc_status, set_last_error};
use super::types::{fc_contact, fc_object, fc_pose};
use crate::contact::{Batch, Contact, MotionsOfStep, PairMemory, QueryOptions, QueryStats, query_pair_in_step};
use std::cell::Cell;

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

thread_local! {
    static KEPT: Cell<Batch<Failure>> = Cell::default();
}

/// Frees this thread's scratch memory.
pub(super) fn release_scratch() {
    KEPT.take();
}

fn query(
    pair: &fc_pair,
    options: &QueryOptions,
    step: Option<&MotionsOfStep>,
    memory: Option<&mut PairMemory>,
    found: &mut Vec<Contact>,
) -> Result<QueryStats, Failure> {
    let (a, b) = (object::get(pair.a, "a")?, object::get(pair.b, "b")?);
    let (pose_a, pose_b) = (checked_pose(&pair.pose_a, "pose_a")?, checked_pose(&pair.pose_b, "pose_b")?);
    Ok(query_pair_in_step((&a.object, &pose_a), (&b.object, &pose_b), step, options, memory, found)?)
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
/// `desc->budget` is the budget of all pairs together. It is divided before the work by `desc->weights` (all alike if
/// NULL); what pairs leave of theirs goes to those that were interrupted, in their order, which are queried once more with
/// four times as much. Every pair gets one unit at least; only so may the budget be exceeded. Interrupted pairs have the
/// status FC_INTERRUPTED, and so has the call, unless a pair failed (compare `offsets[pair_count]` with `capacity`). The same
/// pairs, weights and budget give the same contacts for any number of threads.
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
    let mut batch = KEPT.take();
    let status = call(
        || {
            // SAFETY: required; the last offset exists even if there are no pairs.
            let (pairs, how, weights, motions, contacts, offsets, statuses) = unsafe {
                out(offsets, "offsets")?;
                let status_count = if statuses.is_null() { 0 } else { pair_count };
                let how = Query::read(desc)?;
                let (weights, motions) = (how.weights(pair_count)?, how.motions(pair_count)?);
                (
                    slice(pairs, pair_count, "pairs")?,
                    how,
                    weights,
                    motions,
                    buffer(contacts, capacity, "contacts")?,
                    buffer(offsets, pair_count.saturating_add(1), "offsets")?,
                    buffer(statuses, status_count, "statuses")?,
                )
            };
            let weight = |k: usize| weights.map_or(1.0, |weights| weights[k]);
            let Query { options, memories, .. } = how;
            batch.run(pairs.len(), options.budget, weight, &hooks::tasks(), |k, budget, found| {
                let step = motions.of(k)?;
                let options = QueryOptions { budget, ..options };
                memories.with(k, |memory| query(&pairs[k], &options, step.as_ref(), memory, found))
            });
            Ok((how, contacts, offsets, statuses, &batch))
        },
        |(how, contacts, offsets, statuses, batch)| {
            let mut all = fc_query_stats { nanoseconds: how.nanoseconds(), ..fc_query_stats::DEFAULT };
            let (mut start, mut failure) = (0, None);
            let mut count = 0;
            for (k, outcome) in batch.outcomes().enumerate() {
                let status = match outcome {
                    Ok(stats) => {
                        all.add(stats);
                        if stats.is_interrupted() { FC_INTERRUPTED } else { FC_OK }
                    }
                    Err(why) => {
                        all.add(&QueryStats::default());
                        failure = failure.or(Some((k, why)));
                        why.status
                    }
                };
                offsets.fill_from(k, [start as u32].into_iter());
                statuses.fill_from(k, [status].into_iter());
                let found = batch.contacts(k);
                contacts.fill_from(start, found.iter().map(|c| (*c).into()));
                start += found.len();
                count = k + 1;
            }
            offsets.fill_from(count, [start as u32].into_iter());
            set_stats(all);
            match failure {
                Some((pair, failure)) => {
                    set_last_error(&format!("pairs[{pair}]: {}", failure.text));
                    FC_SOME_FAILED
                }
                None if all.interrupted > 0 => FC_INTERRUPTED,
                None if start > contacts.capacity() => FC_INCOMPLETE,
                None => FC_OK,
            }
        },
    );
    batch.clear();
    KEPT.set(batch);
    status
}
