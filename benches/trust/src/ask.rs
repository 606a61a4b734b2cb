//! How contacts are asked for: the place for queries that remember.

use crate::Result;
use fracas::Object;
use fracas::contact::{Contact, PairMemory, QueryOptions, query_pair, query_pair_remembered};
use fracas::geom::Pose;

/// Two objects, A and B.
pub type Objects<'a> = [&'a Object; 2];

/// Asks for the contacts of one pair, step after step.
pub trait Ask: Sync {
    /// What is kept of a pair between steps; made anew for each pair.
    type Memory: Default;

    /// Short name, for files and tables.
    fn name(&self) -> &'static str;

    /// Whether a pair is first moved together from where it is apart, and asked for at every step, so that memory knows the
    /// side that A came from.
    fn sees_approach(&self) -> bool;

    /// The contacts of a pair in its poses.
    fn contacts(&self, objects: Objects, poses: &[Pose; 2], memory: &mut Self::Memory) -> Result<Vec<Contact>>;
}

/// A single query; nothing is kept.
pub struct Plain(pub QueryOptions);

impl Ask for Plain {
    type Memory = ();

    fn name(&self) -> &'static str {
        "plain"
    }

    fn sees_approach(&self) -> bool {
        false
    }

    fn contacts(&self, [a, b]: Objects, poses: &[Pose; 2], _: &mut ()) -> Result<Vec<Contact>> {
        let mut contacts = vec![];
        query_pair(a, &poses[0], b, &poses[1], &self.0, &mut contacts).map_err(|e| e.to_string())?;
        Ok(contacts)
    }
}

/// Queries with a memory of the pair, which sees where A comes from.
pub struct Remembering(pub QueryOptions);

impl Ask for Remembering {
    type Memory = PairMemory;

    fn name(&self) -> &'static str {
        "memory"
    }

    fn sees_approach(&self) -> bool {
        true
    }

    fn contacts(&self, [a, b]: Objects, poses: &[Pose; 2], memory: &mut PairMemory) -> Result<Vec<Contact>> {
        let mut contacts = vec![];
        let found = query_pair_remembered(a, &poses[0], b, &poses[1], &self.0, memory, &mut contacts);
        found.map_err(|e| e.to_string())?;
        Ok(contacts)
    }
}
