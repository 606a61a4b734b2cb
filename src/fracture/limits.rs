//! How much an event may take. What is hopeless is refused before the work, by what it would come to; what nobody can tell beforehand is
//! counted while it is done.
//!
//! The measure is the region budget: regions are what an event's memory and most of its time go into. Work that makes no regions, such as
//! looking for those of a tetrahedron, is counted in steps, and there are so many for each region that may be made.

use super::FractureOptions;
use super::pattern::{Pattern, Shape};
use crate::body::Object;
use crate::cut::polytope::Wall;
use crate::error::{Error, Result};
use crate::geom::pinned::cbrt;
use std::sync::atomic::{AtomicU64, Ordering};

/// More seeds or planes than this have no pattern, whatever the budget: some gigabytes go into looking for those of a node.
const MOST_CELLS: usize = 1 << 24;
/// More cells than this has no blow: for each, eight points are drawn.
const MOST_OF_A_BLOW: u32 = 1 << 20;
/// Steps for every region that may be made: with hundreds of planes through one tetrahedron each region is held against a hundred others.
const STEPS_A_REGION: u64 = 1 << 10;
/// However small the budget is, there are so many: some seconds.
const FEWEST_STEPS: u64 = 1 << 30;
/// However large it is, there are not more: lists are numbered with 32 bits.
const MOST_STEPS: u64 = 1 << 35;
/// Steps that dividing a polytope counts as.
pub const STEPS_OF_A_CUT: u64 = 16;
/// Random cells meet about 1 + 5.3 n^(1/3) + 5.3 n^(2/3) + n times a tetrahedron that holds n seeds (Steiner's formula for the mean cell
/// of a Poisson-Voronoi pattern and a regular tetrahedron; others meet more).
const MEETINGS: f64 = 5.3;
/// Refused beforehand is what would take so many times the budget: an estimate may be off by some per cent.
const CERTAINLY: f64 = 1.5;
/// Of fewer cells most are at the surface of the body, where they meet less than this: they are counted, which is soon done.
const MANY_CELLS: usize = 1 << 12;

/// Counts the steps of an event. Threads share it: whether they suffice depends on the work alone.
pub struct Meter {
    steps: AtomicU64,
    most: u64,
}

impl Meter {
    /// As many steps as these options allow.
    pub fn new(options: &FractureOptions) -> Self {
        let most = (options.max_regions as u64 * STEPS_A_REGION).clamp(FEWEST_STEPS, MOST_STEPS);
        Self { steps: AtomicU64::new(0), most }
    }

    /// Without a limit.
    pub fn unlimited() -> Self {
        Self { steps: AtomicU64::new(0), most: u64::MAX }
    }

    /// Counts some steps; false if there are too many.
    pub fn count(&self, steps: u64) -> bool {
        self.steps.fetch_add(steps, Ordering::Relaxed).saturating_add(steps) <= self.most
    }

    /// Whether there were too many.
    pub fn is_over(&self) -> bool {
        self.steps.load(Ordering::Relaxed) > self.most
    }

    /// Fails if there were.
    pub fn check(&self) -> Result<()> {
        if !self.is_over() {
            return Ok(());
        }
        Err(Error::TooLarge(format!(
            "to divide the object by this pattern takes more than {} steps, as many as max_regions allows; \
             break it with fewer cells or planes at a time, refine the mesh, or raise max_regions",
            self.most
        )))
    }
}

/// Refuses what a pattern cannot come to within these options, before anything is made.
pub fn check(object: &Object, pattern: &Pattern, options: &FractureOptions) -> Result<()> {
    let (what, count) = match &pattern.shape {
        Shape::RandomSeeds { count, .. } => ("count", *count as usize),
        Shape::Impact(impact) => ("the impact's count", impact.count as usize),
        Shape::Seeds(cells) => ("the number of seeds", cells.seeds.len()),
        Shape::Planes(planes) => ("the number of planes", planes.len()),
        // A cell has a node: there are no more of them.
        Shape::Labels(_) => return Ok(()),
    };
    let most = if matches!(pattern.shape, Shape::Impact(_)) { MOST_OF_A_BLOW as usize } else { MOST_CELLS };
    let budget = options.max_regions;
    let remedy = "ask for fewer cells or raise max_regions";
    if let Shape::RandomSeeds { .. } | Shape::Impact(_) = pattern.shape
        && count > budget as usize
    {
        // Each is in the object, and has a part of it.
        return Err(Error::TooLarge(format!(
            "{what} is {count}, and each cell takes a region or more, but max_regions is {budget}; {remedy}"
        )));
    }
    check_count(what, count, most)?;
    if let Shape::RandomSeeds { .. } = pattern.shape
        && count > MANY_CELLS
        && !object.is_fragment()
    {
        let regions = expected_regions(object, count);
        if regions > CERTAINLY * budget as f64 {
            return Err(Error::TooLarge(format!(
                "count is {count}, which would cut the object into about {regions:.0} regions (convex parts of tetrahedra), but max_regions \
                 is {budget}; {remedy}"
            )));
        }
    }
    Ok(())
}

/// Refuses more seeds or planes than any event may have, before they are copied.
pub fn check_cells(what: &str, count: usize) -> Result<()> {
    check_count(what, count, MOST_CELLS)
}

fn check_count(what: &str, count: usize, most: usize) -> Result<()> {
    if count > most {
        return Err(Error::TooLarge(format!(
            "{what} is {count}; at most {most} fit into one event: break what it makes once more for smaller pieces"
        )));
    }
    Ok(())
}

/// How many regions so many random cells make of a body that is whole, at least: those that a tetrahedron has more than one.
fn expected_regions(object: &Object, count: usize) -> f64 {
    let solid = object.asset().solid();
    let density = count as f64 / object.mass().volume;
    let tets = object.nodes().iter().flat_map(|n| solid.tets_from(*n));
    tets.map(|tet| {
        let own = density * solid.signed_volume(tet as u32).abs();
        let root = cbrt(own);
        MEETINGS * (root + root * root) + own
    })
    .sum()
}

/// Whether no tetrahedron can have more cracks than there are numbers for, if cells have so many faces in common.
pub fn may_number(faces: usize) -> bool {
    faces <= Wall::MOST_SPLITS / 2
}
