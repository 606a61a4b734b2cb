//! Many pairs at once.

use super::pair::query_pair;
use super::{Contact, QueryOptions, QueryStats};
use crate::body::Object;
use crate::error::Result;
use crate::geom::Pose;
use crate::tasks::Tasks;

/// Pairs a task works on at a time.
const GRAIN: usize = 8;

/// A pair of a batch.
#[derive(Clone, Copy)]
pub struct QueryPair<'a> {
    /// First object and its pose.
    pub a: (&'a Object, &'a Pose),
    /// Second object and its pose.
    pub b: (&'a Object, &'a Pose),
}

/// Queries many pairs in parallel. All contacts in one list, in the order of the pairs, and for each pair where its own
/// start and what its query did; the list of starts has one more entry, the end.
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
