//! Contacts of a pair of bodies.
//!
//! Both directions are searched, samples of A against the field of B and the other way round, and looked at in turn. Which
//! body is first is decided by what the bodies are, not by the order of the arguments: swapping them gives the same
//! contacts with the normals turned.

use super::body_field::{BodyField, reach};
use super::scratch::{Scratch, with_scratch};
use super::search::{Asking, Candidate, Direction, Limits, Separation};
use super::select::{Pair, Selection};
use super::setup::{Placing, across, check_pose, finish, limits, tied, tree_of};
use super::traverse::{Traversal, Walk, traverse};
use super::{Contact, Mode, QueryOptions, QueryStats, Structure};
use crate::body::Object;
use crate::culling::walls::Walls;
use crate::error::Result;
use crate::geom::{Local, Pose};
use crate::reference::nodal::Scheme;
use crate::reference::tree::SphereTree;

/// Share of the smaller bounding radius by which siblings may have moved and still be near where they parted.
const NEAR_HOME: f64 = 0.25;

/// Finds the contacts between two objects and appends them to `out`, the best first.
pub fn query_pair(
    a: &Object,
    pose_a: &Pose,
    b: &Object,
    pose_b: &Pose,
    options: &QueryOptions,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    let trees = match options.structure {
        Structure::Buckets => None,
        Structure::SphereTree => Some(([tree_of(a)?, tree_of(b)?], Traversal::default())),
    };
    query_by([(a, pose_a), (b, pose_b)], trees, options, out)
}

/// The same by any sphere trees of the points of A and B (numbered as [`Object::sphere_tree`] numbers them) and in any
/// order: for studies of both, as in figures 15 and 17 of Glondu 2013.
pub fn query_pair_by_trees(
    a: (&Object, &Pose, SphereTree),
    b: (&Object, &Pose, SphereTree),
    traversal: Traversal,
    options: &QueryOptions,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    query_by([(a.0, a.1), (b.0, b.1)], Some(([a.2, b.2], traversal)), options, out)
}

/// By trees, if given, else by buckets.
fn query_by(
    [(a, pose_a), (b, pose_b)]: [(&Object, &Pose); 2],
    trees: Option<([SphereTree; 2], Traversal)>,
    options: &QueryOptions,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    options.check()?;
    check_pose(pose_a, "pose_a")?;
    check_pose(pose_b, "pose_b")?;
    let origin = options.origin.map_or(pose_a.translation.vector, Into::into);
    let swapped = rank(b, pose_b) < rank(a, pose_a);
    let ((a, pose_a), (b, pose_b)) = if swapped { ((b, pose_b), (a, pose_a)) } else { ((a, pose_a), (b, pose_b)) };

    [a, b].iter().for_each(|object| object.field(Scheme::default()).prepare());
    let radius = reach(a).min(reach(b));
    let limits = limits(options, radius);
    let parted = a.is_disjoint_part(b);
    // In double precision: at rest the difference of two poses is all there is (docs/formulations/samples-and-queries.md).
    let (a_to_b, b_to_a) = (pose_b.inv_mul(pose_a), pose_a.inv_mul(pose_b));
    let sibling = |own: &Object, other: &Object| Asking::Sibling {
        piece: other.piece_number(),
        within: tied(own, &limits) / own.scale(),
        near: NEAR_HOME * radius / own.scale(),
    };
    let are_siblings = a.is_sibling(b);
    let asking = if are_siblings { [sibling(b, a), sibling(a, b)] } else { [Asking::Anyone; 2] };
    let mut into_b = direction(a, b, &a_to_b, parted, asking[0]);
    let mut into_a = direction(b, a, &b_to_a, parted, asking[1]);

    let to_world = Placing { origin, flip: swapped };
    Ok(with_scratch(|Scratch { separations, candidates, working, queues, contacts, .. }, stats| {
        let poses = [pose_b, pose_a];
        // Siblings that have hardly moved touch along the crack between them, and hardly anything can be deeper.
        let moved = if are_siblings { into_b.farthest_moved().max(into_a.farthest_moved()) } else { f64::INFINITY };
        if moved <= limits.tolerance && trees.is_none() && limits.mode != Mode::Full {
            into_b.gather_at_rest(b.piece_number(), stats, &mut candidates[0]);
            into_a.gather_at_rest(a.piece_number(), stats, &mut candidates[1]);
            let walls = [&Walls::NONE; 2];
            let pair = BodyPair { directions: [&into_b, &into_a], walls, poses, limits: &limits, to_world: &to_world };
            if candidates.iter().any(|list| !list.is_empty())
                && Selection::new(&pair, candidates, &limits, stats, contacts, working).run_on_some(moved)
            {
                return finish(contacts, radius, &limits, options, stats, out);
            }
            contacts.clear();
            candidates.iter_mut().for_each(Vec::clear);
        }
        let [of_b, of_a] = separations;
        into_b.separate(of_b);
        into_a.separate(of_a);
        if trees.is_none() && (into_b.is_parted(of_b.apart, &limits) || into_a.is_parted(of_a.apart, &limits)) {
            return;
        }
        if !are_siblings {
            let asking = others(a, b, [of_b, of_a], &a_to_b, &b_to_a, radius, &limits);
            into_b.set_asking(asking[0]);
            into_a.set_asking(asking[1]);
        }
        if let Some(([tree_a, tree_b], traversal)) = trees {
            let [first, second] = if swapped { [tree_b, tree_a] } else { [tree_a, tree_b] };
            let walks = [Walk::new(first, a, &into_b), Walk::new(second, b, &into_a)];
            traverse(&walks, traversal, &limits, queues, stats, contacts, |side, touch| {
                to_world.contact(touch, poses[side], side == 1)
            });
            return finish(contacts, radius, &limits, options, stats, out);
        }
        let walls_b = into_b.walls(of_b, || b.field(Scheme::default()).reliefs());
        into_b.gather(&walls_b, &limits, stats, &mut candidates[0]);
        let walls_a = into_a.walls(of_a, || a.field(Scheme::default()).reliefs());
        into_a.gather(&walls_a, &limits, stats, &mut candidates[1]);
        if candidates.iter().all(Vec::is_empty) {
            return;
        }
        let walls = [&walls_b, &walls_a];
        let pair = BodyPair { directions: [&into_b, &into_a], walls, poses, limits: &limits, to_world: &to_world };
        Selection::new(&pair, candidates, &limits, stats, contacts, working).run();
        finish(contacts, radius, &limits, options, stats, out);
    }))
}

/// What decides which body is first: what it is, then where it is. Equal ranks are equal bodies in equal places.
fn rank(object: &Object, pose: &Pose) -> (u64, [u64; 7]) {
    let bits = |c: f64| (c + 0.0).to_bits();
    let (t, r) = (&pose.translation.vector, &pose.rotation.coords);
    (object.identity(), [t.x, t.y, t.z, r.x, r.y, r.z, r.w].map(bits))
}

/// How the field of B, and that of A, is asked by bodies that are no siblings. Of the planes of either that part the two, the
/// better counts.
fn others(
    a: &Object,
    b: &Object,
    [of_b, of_a]: [&Separation; 2],
    a_to_b: &Pose,
    b_to_a: &Pose,
    radius: f64,
    limits: &Limits,
) -> [Asking; 2] {
    let (apart, from_b) = match of_b.apart >= of_a.apart {
        true => (of_b.apart, of_b.normal),
        false => (of_a.apart, -(a_to_b.rotation.cast::<f32>() * of_a.normal)),
    };
    let tied = tied(a, limits).max(tied(b, limits));
    let from_a = -(b_to_a.rotation.cast::<f32>() * from_b);
    [(from_b, b), (from_a, a)].map(|(direction, own)| across(direction, apart, tied, radius, own))
}

#[inline(always)] // what is made here is large
fn direction<'a>(
    samples: &'a Object,
    body: &'a Object,
    relative: &Pose,
    parted: bool,
    asking: Asking,
) -> Direction<'a, BodyField<'a>> {
    let field = BodyField::new(body, reach(samples));
    let mut direction = Direction::new(samples, relative, field, body.scale(), parted, asking);
    if let Asking::Sibling { .. } = asking {
        direction.set_sibling(body.piece_number());
    }
    direction
}

/// Two bodies, as a selection asks them: samples of the first against the field of the second, and the other way round.
struct BodyPair<'q, 'a> {
    directions: [&'q Direction<'a, BodyField<'a>>; 2],
    walls: [&'q Walls<'a>; 2],
    /// Of the fields.
    poses: [&'a Pose; 2],
    limits: &'q Limits,
    to_world: &'q Placing,
}

impl Pair for BodyPair<'_, '_> {
    fn evaluate(&self, side: usize, candidate: &Candidate, needed: f64) -> Option<Contact> {
        let (direction, mut candidate) = (self.directions[side], *candidate);
        // Where all contacts are wanted, they are the same whatever samples are searched by: all planes limit them.
        if self.limits.mode == Mode::Full {
            candidate.most = (-direction.bound(&candidate.at)).min(direction.moved(&candidate.at)) as f32;
        }
        let touch = direction.evaluate(&candidate, needed, self.limits)?;
        Some(self.to_world.contact(&touch, self.poses[side], side == 1))
    }
    fn most(&self, side: usize, candidate: &Candidate, needed: f32) -> f32 {
        self.directions[side].most(self.walls[side], candidate, needed)
    }
    fn is_outside(&self, side: usize, candidate: &Candidate) -> bool {
        self.directions[side].is_outside(self.walls[side], candidate, self.limits)
    }
    fn beyond_skin(&self, side: usize, candidate: &Candidate) -> f32 {
        self.directions[side].beyond_skin(candidate)
    }
    fn place(&self, side: usize, candidate: &Candidate) -> Local {
        let [into_second, into_first] = self.directions;
        match side {
            0 => candidate.at * into_second.sample_scale() as f32,
            _ => into_first.near(&candidate.at, into_second.middle()),
        }
    }
}
