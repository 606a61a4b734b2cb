//! Fracture: patterns, the event that makes fragments, and fragments as bodies with surfaces and neighbours.

mod boundary;
mod cell_planes;
pub mod convex_parts;
mod creases;
mod crumbs;
mod cutting;
pub mod drawing;
mod edges;
mod envelope;
mod event;
mod faces;
mod fragments;
mod labels;
mod later;
mod limits;
mod neighbours;
mod outline;
mod part;
pub mod pattern;
mod place;
mod points;
mod regions;
mod rough;
mod samples;
mod scratch;
mod seeds;
mod some_tets;
pub mod surface;
pub mod tets;
mod trees;
mod voronoi;
mod weigh;

pub use envelope::Envelope;
pub use limits::check_cells;
pub use pattern::Pattern;

use crate::body::Object;
use crate::error::{Result, bad_argument};
use crate::tasks::Tasks;

/// How to break.
#[derive(Clone)]
pub struct FractureOptions {
    /// Fragments with a smaller bounding radius (half the diagonal of their box, in units of the asset) are joined to a neighbour;
    /// 0 keeps all.
    pub min_radius: f64,
    /// Fragments with a smaller share of the object's volume are joined to a neighbour; 0 keeps all.
    pub min_volume_share: f64,
    /// If there are more fragments than this, the smallest are joined to a neighbour.
    pub max_fragments: u32,
    /// The region budget: an event that would make more regions than this (convex parts of tetrahedra, some hundred bytes each)
    /// fails, and nothing is made; 4,194,304 by default. Work that makes none is limited in proportion.
    pub max_regions: u32,
    /// Where the work runs.
    pub tasks: Tasks,
}

impl Default for FractureOptions {
    fn default() -> Self {
        Self {
            min_radius: 0.0,
            min_volume_share: 0.0,
            max_fragments: u32::MAX,
            max_regions: 1 << 22,
            tasks: Tasks::inline(),
        }
    }
}

impl FractureOptions {
    fn check(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.min_volume_share) {
            bad_argument!("min_volume_share is {}; it must lie between 0 and 1", self.min_volume_share);
        }
        if !(self.min_radius >= 0.0 && self.min_radius.is_finite()) {
            bad_argument!("min_radius is {}; it must be zero or a positive length", self.min_radius);
        }
        if self.max_fragments == 0 {
            bad_argument!("max_fragments is 0; at least one piece always remains");
        }
        Ok(())
    }
}

/// What a fracture came to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The object is in pieces.
    Broken(Fracture),
    /// Nothing was cut: the object as it was is the answer.
    Whole {
        /// Cells of the pattern that have no volume in the object.
        vanished_cells: u32,
    },
}

/// The pieces of an object. The object itself stays as it was, until its last holder drops it.
#[derive(Clone, Debug)]
pub struct Fracture {
    /// The new objects. Each is connected; together they are exactly the old one.
    pub objects: Vec<Object>,
    /// For each object the cell of the pattern that it fills: number of the seed, or the caller's group or label.
    pub cells: Vec<u32>,
    /// Cells of the pattern that have no volume in the object, and so made no fragment.
    pub vanished_cells: u32,
    /// Fragments that were joined to a neighbour because they were too small or too many.
    pub crumbs_joined: u32,
}

impl Outcome {
    /// The pieces, if there are any.
    pub fn broken(self) -> Option<Fracture> {
        match self {
            Self::Broken(fracture) => Some(fracture),
            Self::Whole { .. } => None,
        }
    }
}

/// Breaks an object: reads it and makes new ones. All or nothing; the same input gives the same output, bit for bit, on
/// every run and for every number of threads.
pub fn fracture(object: &Object, pattern: &Pattern, options: &FractureOptions) -> Result<Outcome> {
    event::run(object, pattern, options, &mut |_| {})
}

/// Gives back the working memory that this thread keeps between events.
pub fn release_scratch() {
    scratch::Scratch::release();
    envelope::release_tables();
}

/// The same, calling `step` with its name after each step of the work, for benchmarks.
pub fn fracture_in_steps(
    object: &Object,
    pattern: &Pattern,
    options: &FractureOptions,
    step: &mut dyn FnMut(&'static str),
) -> Result<Outcome> {
    event::run(object, pattern, options, step)
}
