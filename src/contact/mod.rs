//! Contacts: the pair query (Glondu 2013, sections 3 and 5.2), objects against plain shapes, batches, point queries.

mod ahead;
mod batch;
mod body_field;
mod budget;
mod crossing;
mod distance;
mod edges;
mod feature;
mod front;
mod hulls;
mod into_object;
mod known;
mod memory;
mod motion;
mod order;
mod pair;
mod pair_query;
mod parts;
pub mod point;
mod predict;
mod prepare;
mod reduce;
mod scene;
mod scratch;
mod search;
mod select;
mod setup;
mod shape;
mod shape_pair;
mod sides;
mod soft;
mod sweep;
mod thickness;
mod traverse;

#[cfg(feature = "capi")]
pub(crate) use ahead::{MotionsOfStep, query_pair_in_step};
pub use ahead::{query_pair_ahead, query_shape_ahead};
pub use batch::{Batch, BatchContacts, QueryPair, Step, query_pairs, query_pairs_in_step, release_scratch};
pub use budget::Level;
pub use distance::{Closest, distance, distance_to_shape};
pub use feature::{Feature, FeatureKind, FeaturePoint};
pub use memory::PairMemory;
pub use motion::Motion;
pub use pair::{query_pair, query_pair_by_trees, query_pair_remembered};
pub use reduce::reduce_contacts;
pub use scene::{SceneContact, query_scene_object};
pub use shape::{query_shape, query_shape_remembered};
pub use soft::{query_soft_object, query_soft_shape};
pub use sweep::{Impact, SweepOptions, SweepPair, sweep_pair, sweep_pairs, sweep_shape};
pub use traverse::Traversal;

use crate::error::Result;

/// One contact. Same layout as in the C interface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Contact {
    /// Midpoint between the two surfaces, in world axes, relative to the query's origin.
    pub point: [f32; 3],
    /// Penetration depth, in metres; negative: a gap within the margin.
    pub depth: f32,
    /// Unit normal, from B towards A: moving A by `depth * normal` resolves the contact.
    pub normal: [f32; 3],
    /// Stable between frames and through fractures: see [`Feature`].
    pub feature: u32,
}

/// Which of the touching samples become contacts (docs/formulations/samples-and-queries.md).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// All samples that touch, and no creases: for analysis.
    Full,
    /// Glondu 2013, 5.2: the target number, then every sample deeper than the tolerance.
    TargetThenDeep,
    /// The target number and no more.
    Exactly,
    /// The target number, well spread, then only samples deeper than the deepest so far by more than the tolerance.
    #[default]
    TargetThenDeeper,
}

/// The acceleration structure over an object's samples. In mode `Full` all find the same contacts; in the other modes
/// the order of visits, and so the selection, differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Structure {
    /// Flat buckets, built on first use.
    #[default]
    Buckets,
    /// Glondu 2013: sphere trees in maximum-distance order, split at a fracture. The reference that the default is
    /// compared with; needs [`CookOptions::sphere_trees`](crate::CookOptions::sphere_trees).
    SphereTree,
}

/// Options of a contact query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// Which touching samples become contacts.
    pub mode: Mode,
    /// Target number of contacts per pair. 8 by default, two manifolds of four; each costs about one evaluation.
    pub target: u32,
    /// Largest gap that still counts as a contact, in metres; by default 0.1 % of the smaller bounding radius.
    pub margin: Option<f64>,
    /// How much deeper a further contact must be, in metres. By default 0.2 % of the smaller bounding radius, or a
    /// quarter of the deepest depth if that is more: solvers correct less than that in a step.
    pub tolerance: Option<f64>,
    /// Upper bound of the contacts returned. Those kept can push and turn the bodies as all of them do; the number left
    /// out is reported.
    pub max_contacts: u32,
    /// Upper bound of the contacts with nearly the same normal (within 5 degrees); 4 by default: solvers gain nothing from a fifth.
    pub max_per_normal: u32,
    /// World position that contact points are relative to; by default the position of A.
    pub origin: Option<[f64; 3]>,
    /// Acceleration structure over the samples.
    pub structure: Structure,
    /// Measures depths between objects by the shortest way out of each point. The default is along the contact normal: to the crack between
    /// siblings, or to the face that faces the other body. The shortest way of a point on a rim is sideways and about zero, however
    /// deep the bodies overlap, so solvers do not push them apart by it. Bodies that have crossed get no common direction then;
    /// siblings near where they parted are still measured across their common crack.
    pub shortest_way: bool,
    /// Looks at sample points only, and not at creases: edges that cross between samples are missed.
    pub points_only: bool,
    /// Most units of work, or 0 for no limit ([`QueryStats::work`] tells what a query took). 1 looks at the bodies as wholes
    /// only. With less than the query needs, it returns the best contacts so far, which mean *maybe*.
    pub budget: u32,
}

impl Default for QueryOptions {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            target: 8,
            margin: None,
            tolerance: None,
            max_contacts: u32::MAX,
            max_per_normal: 4,
            origin: None,
            structure: Structure::default(),
            shortest_way: false,
            points_only: false,
            budget: 0,
        }
    }
}

impl QueryOptions {
    /// For analysis: every sample that touches, with its shortest way out.
    pub fn every_sample() -> Self {
        Self { mode: Mode::Full, max_per_normal: u32::MAX, shortest_way: true, ..Self::default() }
    }

    fn check(&self) -> Result<()> {
        setup::check_lengths(self.margin, self.tolerance, self.origin)
    }
}

/// Counters of one query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryStats {
    /// Bounding spheres tested.
    pub spheres_visited: u32,
    /// Samples tested against bounds. With buckets always eight at a time.
    pub points_tested: u32,
    /// Samples whose exact depth or gap was computed.
    pub evaluations: u32,
    /// Contacts found, whether returned or not.
    pub found: u32,
    /// Contacts found but not returned, because of `max_contacts` or `max_per_normal`.
    pub left_out: u32,
    /// Units of work: one for the bodies as wholes, for eight spheres or samples tested and for a tighter bound of a sample,
    /// eight for an evaluation. One takes 40 to 300 nanoseconds, and a
    /// pair about a microsecond besides.
    pub work: u32,
    /// How far it went; below [`Level::All`] only if the budget ended it.
    pub level: Level,
    /// Whether the contacts are those of the pair's memory: the bodies have not moved.
    pub is_recalled: bool,
    /// Whether the bodies have crossed: contacts have one direction, and their depths part the hulls.
    pub is_crossed: bool,
}

impl QueryStats {
    /// Whether the budget ended the query.
    pub fn is_interrupted(&self) -> bool {
        self.level != Level::All
    }
}
