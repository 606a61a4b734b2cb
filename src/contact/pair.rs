//! Contacts of a pair of bodies.
//!
//! Both directions are searched, samples of A against the field of B and the other way round, and looked at in turn. Which
//! body is first is decided by what the bodies are, not by the order of the arguments: swapping them gives the same
//! contacts with the normals turned. Working memory is kept by the thread; a warm query allocates nothing.

use super::order::greedy;
use super::reduce::{self, reduce};
use super::search::{Asking, Candidate, Direction, Limits, Separation, Touch};
use super::select::{Pair, Selection, Working};
use super::shape::OwnSample;
use super::traverse::{Queues, Traversal, Walk, traverse};
use super::{Contact, Feature, Mode, QueryOptions, QueryStats, Structure};
use crate::body::Object;
use crate::culling::supports::Supports;
use crate::culling::walls::Walls;
use crate::error::{Result, bad_argument};
use crate::field::fragment::{Ask, FragmentField, Towards, Way};
use crate::field::shape::Field;
use crate::geom::aabb::Aabb;
use crate::geom::{Local, Point, Pose, Vector};
use crate::grid::distance::GridField;
use crate::reference::nodal::Scheme;
use crate::reference::tree::SphereTree;
use crate::tasks::Tasks;
use std::cell::Cell;

/// Share of the smaller bounding radius within which bodies touch by default.
const MARGIN: f64 = 0.001;
/// Share of the smaller bounding radius by which a further contact must be deeper, by default.
const TOLERANCE: f64 = 0.002;
/// Share of the deepest depth by which a further contact must be deeper, by default, if that is more.
const SHARE: f64 = 0.25;
/// Share of the smaller bounding radius by which siblings may have moved and still be near where they parted.
const NEAR_HOME: f64 = 0.25;
/// Share of the smaller bounding radius by which bodies may overlap along a plane and count as parted by it.
const NEARLY_PARTED: f64 = 0.02;
/// What single precision may make of a sample's place, as a share of the radius of its body.
const ROUNDING: f64 = 4e-7;
/// Pairs a task works on at a time.
const GRAIN: usize = 8;

/// The field of an object as a query asks it.
pub(super) struct BodyField<'a> {
    pub field: FragmentField<'a>,
    supports: &'a Supports,
    /// Distances to the skin of the intact body.
    skin: &'a GridField,
    pub middle: Point,
    /// Slack for single precision.
    rounding: f64,
    fragment: bool,
}

impl<'a> BodyField<'a> {
    /// The field of a body that is asked by samples of another, which is `reach` large, in metres.
    #[inline]
    pub fn new(body: &'a Object, reach: f64) -> Self {
        Self {
            field: body.field(Scheme::default()),
            supports: &body.samples().supports,
            skin: &body.asset().ground().grid,
            middle: *body.asset().centre(),
            rounding: body.asset().ground().rounding.max(ROUNDING * reach / body.scale()),
            fragment: body.is_fragment(),
        }
    }
}

impl Field for BodyField<'_> {
    fn depth(&self, p: &Point) -> Option<Way> {
        self.field.depth(p)
    }
    fn gap(&self, p: &Point, margin: f64) -> Option<Way> {
        self.field.gap(p, margin)
    }
    fn touch(&self, p: &Point, ask: &Ask) -> Option<(f64, Vector)> {
        self.field.touch(p, ask)
    }
    fn bound(&self, base: &Point, offset: &Local) -> f64 {
        let at = (base - self.middle).cast::<f32>() + offset;
        (self.supports.beyond(&at) as f64 - self.rounding).max(self.bound_besides(base, offset))
    }
    fn supports(&self) -> Option<(&Supports, &Point)> {
        Some((self.supports, &self.middle))
    }
    fn bound_besides(&self, base: &Point, offset: &Local) -> f64 {
        if self.is_all_walls() {
            return f64::NEG_INFINITY;
        }
        self.field.intact_bound(&(base + offset.cast::<f64>())) - self.rounding
    }
    fn is_all_walls(&self) -> bool {
        self.fragment // between fragments the planes of the cracks say it all, and the grid costs more
    }
    fn rounding(&self) -> f64 {
        self.rounding
    }
    fn most_depth(&self, p: &Point) -> f64 {
        self.field.skin_depth(p)
    }
    fn beyond_skin(&self, p: &Point) -> f64 {
        self.skin.value(p)
    }
    fn may_touch(&self, p: &Point, reach: f64) -> bool {
        !self.fragment || self.field.may_touch(p, reach)
    }
}

/// Memory that a thread keeps between queries.
#[derive(Default)]
pub(super) struct Scratch {
    separations: [Separation; 2],
    pub candidates: [Vec<Candidate>; 2],
    pub working: Working,
    pub queues: [Queues; 2],
    pub contacts: Vec<Contact>,
    /// Of a plain shape.
    pub samples: Vec<OwnSample>,
}

thread_local! {
    static KEPT: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

pub(super) fn check_pose(pose: &Pose, name: &str) -> Result<()> {
    let finite =
        pose.translation.vector.iter().all(|c| c.is_finite()) && pose.rotation.coords.iter().all(|c| c.is_finite());
    if !finite || (pose.rotation.coords.norm() - 1.0).abs() > 1e-3 {
        bad_argument!("{name} is not a rotation and a finite position");
    }
    Ok(())
}

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

pub(super) fn tree_of(object: &Object) -> Result<SphereTree<'_>> {
    let Some(tree) = object.sphere_tree() else {
        bad_argument!("the asset has no sphere trees; cook it with `sphere_trees`, or query by `Structure::Buckets`");
    };
    Ok(tree)
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

/// Runs a query with this thread's working memory, emptied. Taken, not borrowed: a query within a query gets its own.
pub(super) fn with_scratch(query: impl FnOnce(&mut Scratch, &mut QueryStats)) -> QueryStats {
    let mut scratch = KEPT.take().unwrap_or_default();
    scratch.contacts.clear();
    scratch.candidates.iter_mut().for_each(Vec::clear);
    scratch.queues.iter_mut().for_each(Queues::clear);
    let mut stats = QueryStats::default();
    query(&mut scratch, &mut stats);
    KEPT.set(Some(scratch));
    stats
}

/// Gives back the working memory that this thread keeps between queries.
pub fn release_scratch() {
    KEPT.take();
    reduce::release_scratch();
}

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

/// What decides which body is first: what it is, then where it is. Equal ranks are equal bodies in equal places.
fn rank(object: &Object, pose: &Pose) -> (u64, [u64; 7]) {
    let bits = |c: f64| (c + 0.0).to_bits();
    let (t, r) = (&pose.translation.vector, &pose.rotation.coords);
    (object.identity(), [t.x, t.y, t.z, r.x, r.y, r.z, r.w].map(bits))
}

/// How far features may be apart that are still tied, in metres.
pub(super) fn tied(own: &Object, limits: &Limits) -> f64 {
    limits.margin.max(own.asset().ground().rounding * own.scale())
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

/// How the field of `own` is asked by a body that lies along `direction`, `apart` from it. Bodies that a plane nearly parts touch
/// across it, as deep as they overlap there. A large margin ties nothing.
pub(super) fn across(direction: Local, apart: f64, tied: f64, radius: f64, own: &Object) -> Asking {
    let overlap = if -apart <= NEARLY_PARTED * radius { (-apart).max(0.0) } else { 0.0 };
    Asking::Other(Towards { direction, within: (tied.min(MARGIN * radius) + overlap) / own.scale() })
}

/// The plane of a body that parts it best from a box, in metres, that is placed in its frame: how far apart they are along it,
/// in metres, and its normal, out of the body.
pub(super) fn best_plane(body: &Object, other: &Aabb, placed: &Pose) -> (f64, Local) {
    let units = 1.0 / body.scale();
    let middle = ((placed * other.centre()) * units - body.asset().centre()).cast();
    let half = other.size() * (0.5 * units);
    let halves = [0, 1, 2].map(|k| (placed.rotation * Vector::ith(k, half[k])).cast());
    let (apart, normal) = body.samples().supports.best_parting(&middle, &halves);
    (apart as f64 * body.scale(), normal)
}

/// The radius of an object in metres, to which relative lengths refer.
pub(super) fn reach(object: &Object) -> f64 {
    object.bounds().radius() * object.scale()
}

pub(super) fn limits(options: &QueryOptions, radius: f64) -> Limits {
    Limits {
        mode: options.mode,
        target: options.target as usize,
        margin: options.margin.unwrap_or(MARGIN * radius),
        tolerance: options.tolerance.unwrap_or(TOLERANCE * radius),
        share: if options.tolerance.is_none() { SHARE } else { 0.0 },
        along_normal: options.along_normal,
    }
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

/// Turns touches into contacts of the world.
pub(super) struct Placing {
    pub origin: nalgebra::Vector3<f64>,
    /// Whether A and B were exchanged.
    pub flip: bool,
}

impl Placing {
    /// `pose` is that of the field; `of_second` says that the sample is the second body's.
    pub fn contact(&self, touch: &Touch, pose: &Pose, of_second: bool) -> Contact {
        let outward = pose.rotation * touch.outward;
        let at = (pose * touch.at).coords + outward * (0.5 * touch.depth) - self.origin;
        // Out of the second body is the normal; out of the first its opposite.
        let of_b = of_second != self.flip;
        let normal = if of_b { -outward } else { outward };
        Contact {
            point: [at.x as f32, at.y as f32, at.z as f32],
            depth: touch.depth as f32,
            normal: [normal.x as f32, normal.y as f32, normal.z as f32],
            feature: Feature { of_b, id: touch.id }.encoded(),
        }
    }
}

pub(super) fn finish(
    contacts: &mut [Contact],
    radius: f64,
    limits: &Limits,
    options: &QueryOptions,
    stats: &mut QueryStats,
    out: &mut Vec<Contact>,
) {
    let returned = reduce(contacts, options.max_per_normal, options.max_contacts);
    greedy(&mut contacts[..returned], radius, limits.margin);
    stats.found = contacts.len() as u32;
    stats.left_out = (contacts.len() - returned) as u32;
    out.extend_from_slice(&contacts[..returned]);
}
