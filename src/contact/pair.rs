//! Contacts of a pair of bodies.
//!
//! Both directions are searched, samples of A against the field of B and the other way round, and looked at in turn. Which
//! body is first is decided by what the bodies are, not by the order of the arguments: swapping them gives the same
//! contacts with the normals turned. Working memory is kept by the thread; a warm query allocates nothing.

use super::order::greedy;
use super::search::{Candidate, Direction, Limits, Touch};
use super::select::Selection;
use super::{Contact, Feature, QueryOptions, QueryStats};
use crate::body::Object;
use crate::error::{Result, bad_argument};
use crate::field::fragment::{Facing, FragmentField, Towards, Way};
use crate::field::nodal::Scheme;
use crate::field::shape::Field;
use crate::geom::supports::Supports;
use crate::geom::{Local, Point, Pose, Vector};
use crate::tasks::Tasks;
use std::cell::Cell;

/// Share of the smaller bounding radius within which bodies touch by default.
const MARGIN: f64 = 0.001;
/// Share of the smaller bounding radius by which a further contact must be deeper, by default.
const TOLERANCE: f64 = 0.002;
/// Share of the smaller bounding radius by which siblings may have moved and still be near where they parted.
const NEAR_HOME: f64 = 0.25;
/// Share of the smaller bounding radius by which bodies may overlap along a plane and count as parted by it.
const NEARLY_PARTED: f64 = 0.02;
/// Pairs a task works on at a time.
const GRAIN: usize = 8;

/// The field of an object as a query asks it.
struct BodyField<'a> {
    field: FragmentField<'a>,
    supports: &'a Supports,
    middle: Point,
    /// Slack for single precision.
    rounding: f64,
    asking: Asking,
    fragment: bool,
}

/// The body whose samples are asked about, for the rules of tied features.
#[derive(Clone, Copy)]
enum Asking {
    Sibling(Facing),
    Other(Towards),
}

impl BodyField<'_> {
    fn facing(&self) -> Option<Facing> {
        match self.asking {
            Asking::Sibling(facing) => Some(facing),
            Asking::Other(_) => None,
        }
    }

    fn turned(&self, p: &Point, mut way: Way) -> Way {
        if let Asking::Other(towards) = &self.asking {
            self.field.turn_towards(p, &mut way, towards);
        }
        way
    }
}

impl Field for BodyField<'_> {
    fn depth(&self, p: &Point) -> Option<Way> {
        Some(self.turned(p, self.field.depth_facing(p, self.facing())?))
    }
    fn gap(&self, p: &Point, margin: f64) -> Option<Way> {
        Some(self.turned(p, self.field.gap_facing(p, margin, self.facing())?))
    }
    fn bound(&self, base: &Point, offset: &Local) -> f64 {
        let at = (base - self.middle).cast::<f32>() + offset;
        let beyond = self.supports.beyond(&at) as f64 - self.rounding;
        if self.fragment {
            return beyond; // between fragments the planes of the cracks say it all, and the grid costs more
        }
        beyond.max(self.field.intact_bound(&(base + offset.cast::<f64>())) - self.rounding)
    }
}

/// Memory that a thread keeps between queries.
#[derive(Default)]
struct Scratch {
    candidates: [Vec<Candidate>; 2],
    contacts: Vec<Contact>,
}

thread_local! {
    static KEPT: Cell<Option<Scratch>> = const { Cell::new(None) };
}

fn check_pose(pose: &Pose, name: &str) -> Result<()> {
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
    options.check()?;
    check_pose(pose_a, "pose_a")?;
    check_pose(pose_b, "pose_b")?;
    let origin = options.origin.map_or(pose_a.translation.vector, Into::into);
    let swapped = rank(b, pose_b) < rank(a, pose_a);
    let ((a, pose_a), (b, pose_b)) = if swapped { ((b, pose_b), (a, pose_a)) } else { ((a, pose_a), (b, pose_b)) };

    let radius = a.bounds().radius().min(b.bounds().radius());
    let limits = limits(options, radius);
    let parted = a.is_disjoint_part(b);
    // In double precision: at rest the difference of two poses is all there is (docs/design.md, 4.5).
    let (a_to_b, b_to_a) = (pose_b.inv_mul(pose_a), pose_a.inv_mul(pose_b));
    let within = limits.margin.max(a.asset().ground().rounding).max(b.asset().ground().rounding);
    let asking: [Asking; 2] = if a.is_sibling(b) {
        let sibling =
            |other: &Object, home| Facing { piece: other.piece_number(), within, home, near: NEAR_HOME * radius };
        [sibling(a, b_to_a), sibling(b, a_to_b)].map(Asking::Sibling)
    } else {
        let (apart, from_b) = parting(a, b, &a_to_b, &b_to_a);
        // Bodies that a plane nearly parts touch across it, as deep as they overlap there. A large margin ties nothing.
        let within = within.min(MARGIN * radius);
        let overlap = if -apart <= NEARLY_PARTED * radius { (-apart).max(0.0) } else { 0.0 };
        let from_a = -(b_to_a.rotation.cast::<f32>() * from_b);
        [from_b, from_a].map(|direction| Asking::Other(Towards { direction, within: within + overlap }))
    };
    let into_b = direction(a, b, a_to_b, parted, asking[0]);
    let into_a = direction(b, a, b_to_a, parted, asking[1]);

    let to_world = Placing { origin, flip: swapped };
    Ok(with_scratch(|Scratch { candidates, contacts }, stats| {
        into_b.gather(&limits, stats, &mut candidates[0]);
        into_a.gather(&limits, stats, &mut candidates[1]);
        Selection::new(candidates, &limits, stats, contacts).run(|side, candidate| match side {
            0 => into_b.evaluate(candidate, &limits).map(|t| to_world.contact(&t, pose_b, false)),
            _ => into_a.evaluate(candidate, &limits).map(|t| to_world.contact(&t, pose_a, true)),
        });
        finish(contacts, radius, &limits, options, stats, out);
    }))
}

/// Finds the contacts between an object and a plain shape; the shape is B. Appends to `out`, the best first.
pub fn query_shape<F: Field>(
    a: &Object,
    pose_a: &Pose,
    shape: &F,
    pose_shape: &Pose,
    options: &QueryOptions,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    options.check()?;
    check_pose(pose_a, "pose_a")?;
    check_pose(pose_shape, "pose_shape")?;
    let origin = options.origin.map_or(pose_a.translation.vector, Into::into);
    let radius = a.bounds().radius();
    let limits = limits(options, radius);
    let relative = pose_shape.inv_mul(pose_a);
    let into_shape = Direction::new(a.samples(), a.asset().centre(), relative, ByReference(shape), false);
    let to_world = Placing { origin, flip: false };
    Ok(with_scratch(|Scratch { candidates, contacts }, stats| {
        into_shape.gather(&limits, stats, &mut candidates[0]);
        Selection::new(candidates, &limits, stats, contacts).run(|_, candidate| {
            into_shape.evaluate(candidate, &limits).map(|t| to_world.contact(&t, pose_shape, false))
        });
        finish(contacts, radius, &limits, options, stats, out);
    }))
}

/// Runs a query with this thread's working memory, emptied. Taken, not borrowed: a query within a query gets its own.
fn with_scratch(query: impl FnOnce(&mut Scratch, &mut QueryStats)) -> QueryStats {
    let mut scratch = KEPT.take().unwrap_or_default();
    scratch.contacts.clear();
    scratch.candidates.iter_mut().for_each(Vec::clear);
    let mut stats = QueryStats::default();
    query(&mut scratch, &mut stats);
    KEPT.set(Some(scratch));
    stats
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

/// A field lent to a query.
struct ByReference<'a, F: Field>(&'a F);

impl<F: Field> Field for ByReference<'_, F> {
    fn depth(&self, p: &Point) -> Option<Way> {
        self.0.depth(p)
    }
    fn gap(&self, p: &Point, margin: f64) -> Option<Way> {
        self.0.gap(p, margin)
    }
    fn bound(&self, base: &Point, offset: &Local) -> f64 {
        self.0.bound(base, offset)
    }
}

/// What decides which body is first: what it is, then where it is. Equal ranks are equal bodies in equal places.
fn rank(object: &Object, pose: &Pose) -> (u64, [u64; 7]) {
    let bits = |c: f64| (c + 0.0).to_bits();
    let (t, r) = (&pose.translation.vector, &pose.rotation.coords);
    (object.identity(), [t.x, t.y, t.z, r.x, r.y, r.z, r.w].map(bits))
}

fn limits(options: &QueryOptions, radius: f64) -> Limits {
    Limits {
        mode: options.mode,
        target: options.target as usize,
        margin: options.margin.unwrap_or(MARGIN * radius),
        tolerance: options.tolerance.unwrap_or(TOLERANCE * radius),
    }
}

/// The plane of either body that parts the two best: how far apart they are along it, and its normal, from B to A, in B's frame.
fn parting(a: &Object, b: &Object, a_to_b: &Pose, b_to_a: &Pose) -> (f64, Local) {
    let from = |body: &Object, other: &Object, placed: &Pose| {
        let middle = (placed * other.bounds().centre() - body.asset().centre()).cast();
        let half = other.bounds().size() * 0.5;
        let halves = [0, 1, 2].map(|k| (placed.rotation * Vector::ith(k, half[k])).cast());
        body.samples().supports.best_parting(&middle, &halves)
    };
    let (of_b, of_a) = (from(b, a, a_to_b), from(a, b, b_to_a));
    match of_b.0 >= of_a.0 {
        true => (of_b.0 as f64, of_b.1),
        false => (of_a.0 as f64, -(a_to_b.rotation.cast::<f32>() * of_a.1)),
    }
}

fn direction<'a>(
    samples: &'a Object,
    body: &'a Object,
    relative: Pose,
    parted: bool,
    asking: Asking,
) -> Direction<'a, BodyField<'a>> {
    let field = BodyField {
        field: body.field(Scheme::default()),
        supports: &body.samples().supports,
        middle: *body.asset().centre(),
        rounding: body.asset().ground().rounding,
        asking,
        fragment: body.is_fragment(),
    };
    Direction::new(samples.samples(), samples.asset().centre(), relative, field, parted)
}

/// Turns touches into contacts of the world.
struct Placing {
    origin: nalgebra::Vector3<f64>,
    /// Whether A and B were exchanged.
    flip: bool,
}

impl Placing {
    /// `pose` is that of the field; `of_second` says that the sample is the second body's.
    fn contact(&self, touch: &Touch, pose: &Pose, of_second: bool) -> Contact {
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

fn finish(
    contacts: &mut [Contact],
    radius: f64,
    limits: &Limits,
    options: &QueryOptions,
    stats: &mut QueryStats,
    out: &mut Vec<Contact>,
) {
    greedy(contacts, radius, limits.margin);
    let returned = contacts.len().min(options.max_contacts as usize);
    stats.found = contacts.len() as u32;
    stats.left_out = (contacts.len() - returned) as u32;
    out.extend_from_slice(&contacts[..returned]);
}
