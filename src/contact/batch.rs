//! Batches: contact queries of many pairs in parallel.

use super::pair::query_pair;
use super::{Contact, QueryOptions, QueryStats};
use crate::body::Object;
use crate::error::Result;
use crate::geom::Pose;
use crate::tasks::Tasks;

/// Pairs per task. A query takes some microseconds; eight make a task long against the cost of scheduling it and still
/// balance a few hundred pairs over the threads. Found by trial.
const GRAIN: usize = 8;

/// One pair of a batch.
#[derive(Clone, Copy)]
pub struct QueryPair<'a> {
    /// First object and its pose.
    pub a: (&'a Object, &'a Pose),
    /// Second object and its pose.
    pub b: (&'a Object, &'a Pose),
}

/// Queries many pairs in parallel. Returns all contacts in one list in the order of the pairs, the offset of each
/// pair's first contact (one more entry than pairs: the last is the end), and each pair's stats or error.
pub fn query_pairs(
    pairs: &[QueryPair],
    options: &QueryOptions,
    tasks: &Tasks,
) -> (Vec<Contact>, Vec<u32>, Vec<Result<QueryStats>>) {
    let runs = tasks.map_chunks(pairs.len(), GRAIN, |range| {
        let mut contacts = vec![];
        let results: Vec<(usize, Result<QueryStats>)> = pairs[range]
            .iter()
            .map(|pair| {
                let stats = query_pair(pair.a.0, pair.a.1, pair.b.0, pair.b.1, options, &mut contacts);
                (contacts.len(), stats)
            })
            .collect();
        (contacts, results)
    });
    let (mut contacts, mut starts, mut stats) = (vec![], vec![0], vec![]);
    for (found, results) in runs {
        let first = contacts.len();
        contacts.extend(found);
        for (end, result) in results {
            starts.push((first + end) as u32);
            stats.push(result);
        }
    }
    (contacts, starts, stats)
}
