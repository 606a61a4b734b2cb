//! Contacts: the pair query (Glondu 2013, sections 3 and 5.2), objects against plain shapes, batches, and point queries.

mod batch;
mod body_field;
mod feature;
mod order;
mod pair;
pub mod point;
mod reduce;
mod scratch;
mod search;
mod select;
mod setup;
mod shape;
mod traverse;

pub use batch::{QueryPair, query_pairs};
pub use feature::{Feature, FeaturePoint};
pub use pair::{query_pair, query_pair_by_trees};
pub use reduce::reduce_contacts;
pub use scratch::release_scratch;
pub use shape::query_shape;
pub use traverse::Traversal;

use crate::error::{Result, bad_argument};

/// One contact. The layout of the C interface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Contact {
    /// The midpoint of both surfaces, in world axes, from the query's origin.
    pub point: [f32; 3],
    /// Positive: penetrating; negative: a gap within the margin.
    pub depth: f32,
    /// Unit, from B towards A: moving A by depth times this resolves the contact.
    pub normal: [f32; 3],
    /// Stable between frames and through fractures: see [`Feature`].
    pub feature: u32,
}

/// Which of the points that touch become contacts (docs/formulations/samples-and-queries.md).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// All.
    Full,
    /// The paper's: the target, then every point deeper than the tolerance.
    TargetThenDeep,
    /// The target and no more.
    Exactly,
    /// The target, well spread, then only what is deeper than the deepest so far by more than the tolerance.
    #[default]
    TargetThenDeeper,
}

/// What a query searches the samples of an object by. All find the same contacts in mode full; in the others each meets
/// them in its own order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Structure {
    /// Flat buckets, prepared when first asked for.
    #[default]
    Buckets,
    /// The paper's: sphere trees in maximum-distance order, split at a fracture. The reference that the default is held
    /// against; needs [`CookOptions::sphere_trees`](crate::CookOptions::sphere_trees).
    SphereTree,
}

/// How to query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// Which contacts.
    pub mode: Mode,
    /// Contacts a pair that are enough; 8 by default.
    pub target: u32,
    /// How far apart bodies may be and still touch, in metres; by default 0.1 % of the smaller bounding radius.
    pub margin: Option<f64>,
    /// How much deeper a further contact must be, in metres; by default 0.2 % of the smaller bounding radius, or a quarter of the
    /// deepest depth, if that is more: solvers correct less of it at a time.
    pub tolerance: Option<f64>,
    /// No more contacts than this are returned, those that can push and turn the bodies as all do; what was left out is
    /// reported.
    pub max_contacts: u32,
    /// No more of them with nearly the same normal (5 degrees) than this: solvers gain nothing from a fifth.
    pub max_per_normal: u32,
    /// What points are relative to, in the world; by default the position of A.
    pub origin: Option<[f64; 3]>,
    /// What samples are searched by.
    pub structure: Structure,
    /// Depths of pairs of objects are measured along the normal: to the crack between siblings, to the face that faces the other
    /// body. They otherwise are the shortest way out, which on a rim is sideways and about zero, however far bodies have sunk into
    /// each other; solvers push them apart only if they are told.
    pub along_normal: bool,
}

impl Default for QueryOptions {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            target: 8,
            margin: None,
            tolerance: None,
            max_contacts: u32::MAX,
            max_per_normal: u32::MAX,
            origin: None,
            structure: Structure::default(),
            along_normal: false,
        }
    }
}

impl QueryOptions {
    fn check(&self) -> Result<()> {
        for (name, length) in [("margin", self.margin), ("tolerance", self.tolerance)] {
            if length.is_some_and(|l| !(l >= 0.0 && l.is_finite())) {
                bad_argument!("{name} is {}; it must be zero or a positive length", length.unwrap_or(f64::NAN));
            }
        }
        if self.origin.is_some_and(|o| o.iter().any(|c| !c.is_finite())) {
            bad_argument!("origin is not finite");
        }
        Ok(())
    }
}

/// What a query did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryStats {
    /// Spheres around samples that were tested.
    pub spheres_visited: u32,
    /// Samples that were tested against bounds; by buckets always eight at a time.
    pub points_tested: u32,
    /// Samples whose depth or gap was computed.
    pub evaluations: u32,
    /// Contacts found, returned or not.
    pub found: u32,
    /// Contacts found beyond `max_contacts` or `max_per_normal`, and not returned.
    pub left_out: u32,
}
