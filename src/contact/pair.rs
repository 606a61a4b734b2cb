//! Contacts of a pair of objects: the search, what the caller remembers of the pair, and bodies that have crossed.

use super::body_field::reach;
use super::budget::Level;
use super::crossing::{Crossing, came_from, common};
use super::hulls::Hulls;
use super::known::KEPT;
use super::memory::{PairMemory, Placed, key_of};
use super::pair_query::{PairQuery, best_of};
use super::scratch::{Scratch, with_scratch};
use super::search::Separation;
use super::setup::{NEARLY_PARTED, check_pose, finish, limits, tree_of};
use super::traverse::{Traversal, Walk, traverse};
use super::{Contact, QueryOptions, QueryStats, Structure};
use crate::body::Object;
use crate::error::Result;
use crate::geom::{Local, Pose, Vector};
use crate::reference::tree::SphereTree;

/// Bodies came along the common direction of their contacts if these agree so well (cosine),
const CLEARLY: f64 = 0.5;
/// and if they overlap by no more than this share of the smaller radius, and their hulls by no more than that.
const NEARLY_APART: f64 = 0.05;
const HULLS_APART: f64 = 0.1;

/// Finds the contacts between two objects and appends them to `out` in greedy order, deepest first.
pub fn query_pair(
    a: &Object,
    pose_a: &Pose,
    b: &Object,
    pose_b: &Pose,
    options: &QueryOptions,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    query(a, pose_a, b, pose_b, options, None, None, out)
}

/// The same with what the caller keeps of the pair between queries: contacts stay the same while the bodies do not move, and bodies that
/// have crossed are pushed back to where they came from.
pub fn query_pair_remembered(
    a: &Object,
    pose_a: &Pose,
    b: &Object,
    pose_b: &Pose,
    options: &QueryOptions,
    memory: &mut PairMemory,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    query(a, pose_a, b, pose_b, options, Some(memory), None, out)
}

/// How far A moves past B in a step, at a point of the world.
type Displacement<'q> = &'q dyn Fn(&Vector) -> Vector;

/// The same, with or without a memory, of bodies of which the motion is known.
#[allow(clippy::too_many_arguments)]
pub(super) fn query_pair_moving(
    a: &Object,
    pose_a: &Pose,
    b: &Object,
    pose_b: &Pose,
    options: &QueryOptions,
    memory: Option<&mut PairMemory>,
    displacement: Displacement,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    query(a, pose_a, b, pose_b, options, memory, Some(displacement), out)
}

#[allow(clippy::too_many_arguments)]
fn query(
    a: &Object,
    pose_a: &Pose,
    b: &Object,
    pose_b: &Pose,
    options: &QueryOptions,
    mut memory: Option<&mut PairMemory>,
    displacement: Option<Displacement>,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    if options.structure == Structure::SphereTree {
        let trees = [tree_of(a)?, tree_of(b)?];
        return by_trees([(a, pose_a), (b, pose_b)], trees, Traversal::default(), options, out);
    }
    check([pose_a, pose_b], options)?;
    let origin = options.origin.map_or(pose_a.translation.vector, Into::into);
    let poses = Placed { a: pose_a, b: pose_b, origin };
    if let Some(memory) = &mut memory {
        memory.claim(key_of(a, b.identity()));
        let radius = reach(a).min(reach(b));
        if let Some(stats) = memory.recall(a, &poses, limits(options, radius).margin, radius, out) {
            return Ok(stats);
        }
    }
    let mut query = PairQuery::new([(a, pose_a), (b, pose_b)], options);
    query.known = memory.as_ref().map(|memory| memory.features()).unwrap_or_default();
    let larger = if reach(a) > reach(b) { pose_a } else { pose_b };
    query.came = memory.as_ref().and_then(|memory| memory.direction(larger)).map(|came| query.to_second(&came));
    Ok(with_scratch(|scratch, stats| {
        stats.work = 1;
        let before = out.len();
        if query.at_rest(scratch, stats) || query.by_buckets(scratch, stats) {
            // Shortest-way depths are per point: no common direction.
            if query.has_edges && !options.shortest_way {
                query.resolve(&scratch.separations, displacement, stats, &mut scratch.contacts);
            }
            let most = if memory.is_some() { options.max_contacts.min(KEPT as u32) } else { options.max_contacts };
            let options = QueryOptions { max_contacts: most, ..*options };
            finish(&mut scratch.contacts, query.radius, &query.limits, &options, &query.known, stats, out);
        }
        if let Some(memory) = memory.as_mut().filter(|_| !stats.is_interrupted()) {
            memory.keep(&out[before..], &poses, query.limits.margin);
            if let Some(direction) = query.parting(&scratch.separations, &out[before..], stats) {
                memory.set_direction(&direction, larger);
            }
            memory.give_back(a, &poses, query.limits.margin, query.radius, before, out);
        }
    }))
}

/// The same with any sphere trees of the points of A and B (indexed as by [`Object::sphere_tree`]) and any traversal
/// order, for comparing trees and traversals as in figures 15 and 17 of Glondu 2013.
pub fn query_pair_by_trees(
    a: (&Object, &Pose, SphereTree),
    b: (&Object, &Pose, SphereTree),
    traversal: Traversal,
    options: &QueryOptions,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    by_trees([(a.0, a.1), (b.0, b.1)], [a.2, b.2], traversal, options, out)
}

fn by_trees(
    bodies: [(&Object, &Pose); 2],
    [tree_a, tree_b]: [SphereTree; 2],
    traversal: Traversal,
    options: &QueryOptions,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    check(bodies.map(|(_, pose)| pose), options)?;
    let mut query = PairQuery::new(bodies, options);
    Ok(with_scratch(|Scratch { separations, queues, contacts, .. }, stats| {
        query.separate(separations);
        query.relate(separations);
        let PairQuery { bodies: [a, b], into_a, into_b, to_world, poses, limits, radius, .. } = &query;
        let [first, second] = if to_world.flip { [tree_b, tree_a] } else { [tree_a, tree_b] };
        let walks = [Walk::new(first, a, into_b), Walk::new(second, b, into_a)];
        stats.work = 1;
        let is_done = traverse(&walks, traversal, limits, queues, stats, contacts, |side, touch| {
            to_world.contact(touch, poses[side], side == 1)
        });
        if !is_done {
            stats.level = Level::reached(contacts.len(), limits.target);
            if contacts.is_empty() && !query.are_parted(separations) {
                query.add_whole(stats, contacts);
            }
        }
        finish(contacts, *radius, limits, options, &query.known, stats, out);
    }))
}

fn check([pose_a, pose_b]: [&Pose; 2], options: &QueryOptions) -> Result<()> {
    options.check()?;
    check_pose(pose_a, "pose_a")?;
    check_pose(pose_b, "pose_b")
}

impl PairQuery<'_> {
    /// Gives contacts of bodies that have crossed one direction.
    fn resolve(
        &mut self,
        separations: &[Separation; 2],
        displacement: Option<Displacement>,
        stats: &mut QueryStats,
        contacts: &mut Vec<Contact>,
    ) {
        let are_near_home = self.are_near_home();
        if are_near_home && self.came.is_none() {
            return;
        }
        // A plane that nearly separates the bodies, on the side from which they came, and all contacts push across it.
        let (apart, direction) = best_of(separations, &self.a_to_b);
        let across: Local = self.to_axes(&direction.cast()).cast();
        let is_back = self.came.is_none_or(|came| came.dot(&direction.cast()) > 0.0);
        let is_across = |c: &Contact| Local::from(c.normal).dot(&across) > 0.5;
        if is_back && -apart <= NEARLY_PARTED * self.radius && contacts.iter().all(is_across) {
            return;
        }
        let displacement = displacement.filter(|_| self.came.is_none());
        if let Some(came) = displacement.and_then(|of| came_from(contacts, of, &self.to_world.origin)) {
            self.came = Some(self.to_second(&came));
            self.is_seen = true;
        }
        let hulls = Hulls::new(self.bodies, &self.a_to_b);
        let crossing = Crossing {
            bodies: self.bodies,
            hulls: &hulls,
            came: self.came,
            only_back: are_near_home,
            radius: self.radius,
            margin: self.limits.margin,
            pose: self.poses[0],
            to_world: &self.to_world,
        };
        stats.is_crossed = crossing.resolve(contacts);
    }

    /// The direction of the world, from B to A, along which the bodies are apart, or hardly overlap.
    fn parting(&self, separations: &[Separation; 2], contacts: &[Contact], stats: &QueryStats) -> Option<Vector> {
        if let Some(came) = self.came.filter(|_| self.is_seen && stats.is_crossed) {
            return Some(self.to_axes(&came));
        }
        if contacts.is_empty() {
            return self
                .apart
                .get()
                .or_else(|| {
                    let (apart, direction) = best_of(separations, &self.a_to_b);
                    (apart > 0.0).then(|| direction.cast())
                })
                .map(|direction| self.to_axes(&direction));
        }
        // It turns gradually: an edge that has passed the middle of a plate pushes the other way.
        let common = common(contacts)?;
        let is_gradual = self.came.is_none_or(|came| self.to_axes(&came).dot(&common.direction) > CLEARLY);
        let is_clear = common.least > CLEARLY && common.depth < NEARLY_APART * self.radius && !stats.is_crossed;
        (is_gradual && is_clear && self.are_nearly_apart(&common.direction)).then_some(common.direction)
    }

    /// Whether hulls hardly overlap along a direction of the world. In a dent, as between the boards of a shelf, contacts tell nothing of where
    /// a body came from. Siblings know it from their crack.
    fn are_nearly_apart(&self, direction: &Vector) -> bool {
        let hulls = Hulls::new(self.bodies, &self.a_to_b);
        self.are_near_home() || hulls.overlap_along(&self.to_second(direction)) <= HULLS_APART * self.radius
    }
}
