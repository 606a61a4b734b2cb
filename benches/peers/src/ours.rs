//! Our library, as it is and with other options.

use crate::common::stage::{Frame, Stage};
use crate::library::{Hit, Kind, Library, Mesh, Pair};
use fracas::Object;
use fracas::contact::{Contact, Feature, QueryOptions, query_pair};
use fracas::geom::Pose;

/// The row whose depths are held against the truth.
pub const SHORTEST: &str = "Fracas, shortest way";

pub struct Ours {
    name: &'static str,
    kind: Kind,
    options: QueryOptions,
    pieces: Vec<Object>,
    poses: Vec<Pose>,
    contacts: Vec<Contact>,
    /// Behind the last contact of each pair.
    ends: Vec<usize>,
    /// What contacts are relative to.
    origins: Vec<[f64; 3]>,
}

impl Ours {
    pub fn all() -> Vec<Self> {
        // What users get, and adapters, which only bound the contacts of a pair (adapters/common/query.hpp).
        let usual = QueryOptions { max_contacts: 32, ..Default::default() };
        // Exact depths: the shortest way out. By default they are along the normal, which is longer.
        let shortest = QueryOptions { shortest_way: true, max_per_normal: u32::MAX, ..Default::default() };
        vec![
            Self::new("Fracas", Kind::Ours, usual),
            Self::new("Fracas, m = 4", Kind::Variant, QueryOptions { target: 4, ..usual }),
            Self::new(SHORTEST, Kind::Variant, shortest),
        ]
    }

    fn new(name: &'static str, kind: Kind, options: QueryOptions) -> Self {
        let (pieces, poses, contacts, ends, origins) = Default::default();
        Self { name, kind, options, pieces, poses, contacts, ends, origins }
    }
}

impl Library for Ours {
    fn name(&self) -> &'static str {
        self.name
    }
    fn kind(&self) -> Kind {
        self.kind
    }
    fn prepare(&mut self, stage: &Stage, _: &[Mesh]) {
        self.pieces = stage.broken();
        // Nothing is left for a later frame.
        self.pieces.iter().for_each(Object::prepare);
    }
    fn place(&mut self, frame: &Frame) {
        self.poses.clone_from(&frame.poses);
        self.origins = frame.pairs.iter().map(|(a, _)| frame.poses[*a].translation.vector.into()).collect();
    }
    fn pass(&mut self, pairs: &[Pair]) -> usize {
        self.contacts.clear();
        self.ends.clear();
        for pair in pairs {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let [(a, pose_a), (b, pose_b)] = [a, b].map(|k| (&self.pieces[k], &self.poses[k]));
            query_pair(a, pose_a, b, pose_b, &self.options, &mut self.contacts).unwrap();
            self.ends.push(self.contacts.len());
        }
        self.contacts.len()
    }
    fn hits(&self) -> Vec<Hit> {
        let mut pair = 0;
        let hit = |(k, contact): (usize, &Contact)| {
            while self.ends[pair] <= k {
                pair += 1;
            }
            let point = [0, 1, 2].map(|i| self.origins[pair][i] + contact.point[i] as f64);
            Hit { pair: pair as u32, depth: contact.depth as f64, point, normal: contact.normal.map(f64::from) }
        };
        self.contacts.iter().enumerate().map(hit).collect()
    }
    fn sample_is_of_b(&self, hit: usize) -> Option<bool> {
        Some(Feature::decoded(self.contacts[hit].feature).of_b)
    }
}
