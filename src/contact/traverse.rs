//! The paper's query: sphere trees against fields, in maximum-distance breadth-first order (Glondu 2013, Algorithm 1,
//! with the contact selection of 5.2 and the two queues of 5.3).
//!
//! A node whose sphere may touch pushes one child to the queue of the next level and goes to the back of its own queue.
//! So the children of one node, which are near each other, are visited far apart, and the first contacts are well
//! spread. The two directions step in turn and end together when there are enough contacts.
//!
//! Departures from the paper (docs/formulations/sphere-trees.md):
//! - A node that is queued again to push its next child is neither tested nor counted again. It is dropped if contacts
//!   found meanwhile leave nothing to look for below it.
//! - Interior nodes make no contacts.
//! - A point's bounds are passed down to the nodes below that it represents. A child that the parent's bound excludes,
//!   by its distance from the parent's centre, is not visited: a quarter fewer visits, which makes up for looser
//!   spheres after splits (`tests/suites/reference.rs`).
//! - Spheres are culled by certain bounds only: planes, box and grid, and between parts of one body the distance moved.
//!   The paper culls inside by the depth of the centre and outside by the depth in another fragment; both are
//!   approximate.

use super::budget::EVALUATION;
use super::search::{Candidate, Direction, Limits, Touch};
use super::{Contact, QueryStats};
use crate::body::Object;
use crate::field::Culling;
use crate::geom::Local;
use crate::reference::tree::SphereTree;
use crate::solid::Solid;

/// Factor above one by more than the rounding error of a distance: 16 units in the last place cover a norm and a sum.
const ROUNDING: f64 = 1.0 + 16.0 * f64::EPSILON;

/// Traversal order of a sphere tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Traversal {
    /// The children of a node are visited far apart (Glondu 2013, 5.3).
    #[default]
    MaximumDistance,
    /// All children of a node at once. For comparison.
    BreadthFirst,
}

/// One direction: the tree of one body against the field of another.
pub struct Walk<'a, F: Culling> {
    tree: SphereTree<'a>,
    solid: &'a Solid,
    direction: &'a Direction<'a, F>,
    /// Between parts of one body: how much farther than its centre a point of a sphere may have moved, as a share of
    /// the radius.
    turned: f64,
}

/// Bounds of a point.
#[derive(Clone, Copy)]
struct Known {
    /// Lower bound of its signed distance: outside by at least this much, or at most its negative deep.
    bound: f64,
    /// Distance moved since the bodies parted; infinite if they were never one body.
    moved: f64,
}

/// A queued node.
#[derive(Clone, Copy)]
struct Visit {
    node: u32,
    /// Number of children already pushed.
    handed: u32,
    /// Bounds of its point, if it was visited before.
    known: Option<Known>,
}

/// Queues of the current and of the next level.
#[derive(Default)]
pub struct Queues {
    level: Vec<Visit>,
    /// Number of visits taken from the level.
    taken: usize,
    next: Vec<Visit>,
}

impl Queues {
    /// Clears both queues; keeps their memory.
    pub fn clear(&mut self) {
        self.level.clear();
        self.next.clear();
        self.taken = 0;
    }

    fn push(&mut self, node: u32, known: Option<Known>) {
        self.next.push(Visit { node, handed: 0, known });
    }

    /// The next node; `None` if both levels are empty.
    fn take(&mut self) -> Option<Visit> {
        if self.taken == self.level.len() {
            self.level.clear();
            std::mem::swap(&mut self.level, &mut self.next);
            self.taken = 0;
        }
        let visit = self.level.get(self.taken).copied();
        self.taken += 1;
        visit
    }
}

impl<'a, F: Culling> Walk<'a, F> {
    /// `tree` is that of `samples_of`.
    pub fn new(tree: SphereTree<'a>, samples_of: &'a Object, direction: &'a Direction<'a, F>) -> Self {
        Self { tree, solid: samples_of.asset().solid(), direction, turned: direction.turned() }
    }

    /// Whether a point is a sample. Interior nodes are not.
    fn is_sample(&self, point: u32) -> bool {
        point as usize >= self.solid.nodes().len() || self.solid.is_on_skin(point)
    }

    /// Upper bound of the depth of any point of a sphere; negative if all are outside.
    fn most_within(&self, known: &Known, radius: f64) -> f64 {
        (radius - known.bound).min(known.moved + self.turned * radius)
    }
}

/// Traverses the trees of one or both directions in turn and appends the contacts; `place` converts a touch of a
/// direction into a contact. False if the budget ended it.
pub fn traverse<F: Culling>(
    walks: &[Walk<F>],
    traversal: Traversal,
    limits: &Limits,
    queues: &mut [Queues; 2],
    stats: &mut QueryStats,
    contacts: &mut Vec<Contact>,
    place: impl Fn(usize, &Touch) -> Contact,
) -> bool {
    for (walk, queues) in walks.iter().zip(queues.iter_mut()) {
        if !walk.tree.nodes.is_empty() {
            queues.push(0, None);
        }
    }
    let mut search = Search { limits, stats, contacts, deepest: f64::NEG_INFINITY, is_over: false };
    let mut walking = true;
    while walking {
        walking = false;
        for (side, (walk, queues)) in walks.iter().zip(queues.iter_mut()).enumerate() {
            let Some(visit) = queues.take() else { continue };
            walking = true;
            if !search.step(walk, visit, traversal, queues, |touch| place(side, touch)) {
                return !search.is_over;
            }
        }
    }
    true
}

/// State shared by both directions.
struct Search<'a> {
    limits: &'a Limits,
    stats: &'a mut QueryStats,
    contacts: &'a mut Vec<Contact>,
    deepest: f64,
    /// Whether the budget is spent.
    is_over: bool,
}

impl Search<'_> {
    /// One step of Algorithm 1; false if there are enough contacts, or the budget is spent.
    fn step<F: Culling>(
        &mut self,
        walk: &Walk<F>,
        mut visit: Visit,
        traversal: Traversal,
        queues: &mut Queues,
        place: impl Fn(&Touch) -> Contact,
    ) -> bool {
        let node = &walk.tree.nodes[visit.node as usize];
        self.stats.spheres_visited += (visit.handed == 0) as u32;
        let known = match visit.known {
            Some(known) => known,
            None => self.meet(walk, visit.node, place),
        };
        self.is_over |= visit.handed == 0 && !self.stats.spend(1, self.limits.budget);
        if self.is_over {
            return false;
        }
        let Some(needed) = self.limits.needed(self.contacts.len(), self.deepest) else { return false };
        let matters =
            |radius: f64| known.bound <= radius + self.limits.margin && walk.most_within(&known, radius) > needed;
        let scale = walk.direction.sample_scale();
        if !matters(node.radius as f64 * scale) || (visit.handed == 0 && !self.may_touch(walk, visit.node)) {
            return true;
        }
        visit.known = Some(known);
        let until = match traversal {
            Traversal::MaximumDistance => node.child_count.min(visit.handed + 1),
            Traversal::BreadthFirst => node.child_count,
        };
        for child in node.first_child + visit.handed..node.first_child + until {
            let below = &walk.tree.nodes[child as usize];
            let apart = (walk.tree.centres[child as usize] - walk.tree.centres[visit.node as usize]).norm();
            if matters((apart + below.radius as f64) * scale * ROUNDING) {
                queues.push(child, (below.point == node.point).then_some(known));
            }
        }
        visit.handed = until;
        if until < node.child_count {
            queues.level.push(visit);
        }
        true
    }

    /// Whether the occupancy masks of the other body allow a contact in the sphere of a node. Tested last: they cost
    /// more than all planes.
    fn may_touch<F: Culling>(&self, walk: &Walk<F>, node: u32) -> bool {
        let Walk { tree, direction, .. } = walk;
        let at = (tree.centres[node as usize] - direction.middle()).cast();
        let below = &tree.nodes[node as usize];
        below.child_count == 0
            || direction.may_touch(&at, below.radius as f64 * direction.sample_scale(), self.limits.margin)
    }

    /// First visit of a point: it becomes a contact if it touches and matters.
    fn meet<F: Culling>(&mut self, walk: &Walk<F>, node: u32, place: impl Fn(&Touch) -> Contact) -> Known {
        let Walk { tree, direction, .. } = walk;
        let at: Local = (tree.centres[node as usize] - direction.middle()).cast();
        let id = tree.nodes[node as usize].point;
        let known = Known { bound: direction.bound(&at), moved: direction.moved(&at) };
        if !walk.is_sample(id) {
            return known;
        }
        self.stats.points_tested += 1;
        let Some(needed) = self.limits.needed(self.contacts.len(), self.deepest) else { return known };
        let most = (-known.bound).min(known.moved);
        if known.bound > self.limits.margin || most <= needed {
            return known;
        }
        self.is_over |= !self.stats.spend(EVALUATION, self.limits.budget);
        if self.is_over {
            return known;
        }
        self.stats.evaluations += 1;
        let (bucket, most) = (direction.bucket_of(id), most as f32);
        let candidate = Candidate { at, id, bucket, crack: 0, most, likely: most };
        if let Some(touch) = direction.evaluate(&candidate, needed, self.limits) {
            self.deepest = self.deepest.max(touch.depth);
            self.contacts.push(place(&touch));
        }
        known
    }
}
