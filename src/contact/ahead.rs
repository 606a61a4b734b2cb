//! Contacts of now, or else those that moving bodies will have within a step, for solvers that take gaps as contacts (speculative
//! contacts).
//!
//! Hulls tell most of it (`sweep`). Where they overlap, bodies are looked at on their way, in strides of no more than the thickness of the thinner one, by
//! an upper bound of their motion: they cannot pass each other unseen, and a query costs a tenth of a sweep of their triangles, which fragments would first
//! have to make a tree of, in the very step in which they come into being. Only what moves farther is swept.

use super::memory::PairMemory;
use super::motion::{Motion, Path, closing_way};
use super::pair::{query_pair, query_pair_moving, query_pair_remembered};
use super::pair_query::rank;
use super::parts::{Body, ObjectBody, PlaneBody, ShapeBody};
use super::setup::limits;
use super::shape::{query_shape, query_shape_remembered};
use super::sweep::{Stage, Sweep, SweepOptions};
use super::thickness::thickness;
use super::{Contact, QueryOptions, QueryStats};
use crate::body::Object;
use crate::error::{Result, bad_argument};
use crate::field::shape::{Convex, Shape};
use crate::geom::{Point, Pose, Vector};

/// Most strides in a step. More take longer than a sweep.
const MOST_STRIDES: f64 = 8.0;
/// Looks between two strides, where bodies enter each other.
const HALVINGS: u32 = 4;
/// Cosine of 18 degrees: normals at the time of impact that differ by less are one.
const SAME_NORMAL: f32 = 0.95;

/// Finds the contacts of two objects as they are now, or else those that they will have within the next `seconds`, if they go on
/// moving as they do. The latter are given as the bodies are now: the depth is minus the gap between the two touching
/// points, along the normal that they will have, and the point is in the middle. For solvers that take gaps as contacts (speculative
/// contacts). Appends to `out` as [`query_pair`].
#[allow(clippy::too_many_arguments)]
pub fn query_pair_ahead(
    a: &Object,
    pose_a: &Pose,
    motion_a: &Motion,
    b: &Object,
    pose_b: &Pose,
    motion_b: &Motion,
    seconds: f64,
    options: &QueryOptions,
    memory: Option<&mut PairMemory>,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    check_motion([motion_a, motion_b], seconds)?;
    let at = pose_a.translation.vector;
    let paths_of = |pivots: [&Point; 2]| {
        [
            Path::moving(pivots[0], pose_a, motion_a, seconds, &at),
            Path::moving(pivots[1], pose_b, motion_b, seconds, &at),
        ]
    };
    let way = |point: &Vector| {
        let [own, other] = paths_of([&ObjectBody::new(a).pivot(), &ObjectBody::new(b).pivot()]);
        own.way_of(&(point - at)) - other.way_of(&(point - at))
    };
    let stats = query_pair_moving(a, pose_a, b, pose_b, options, memory, &way, out)?;
    if stats.found > 0 {
        return Ok(stats);
    }
    let (own, other) = (ObjectBody::new(a), ObjectBody::new(b));
    let paths = paths_of([&own.pivot(), &other.pivot()]);
    let radius = own.radius().min(other.radius());
    let ahead = Ahead::new(paths, own.radius() <= other.radius(), at, radius, options);
    if ahead.is_still() {
        return Ok(stats);
    }
    let flip = rank(b, pose_b) < rank(a, pose_a);
    let [first, second] = if flip { [&other, &own] } else { [&own, &other] };
    let ordered = if flip { [paths[1], paths[0]] } else { paths };
    let sweep = Sweep::new(first, second, ordered, &ahead.swept());
    ahead.run(&sweep, flip, || thickness(a).min(thickness(b)), stats, out, {
        |poses, options, out| query_pair(a, &poses[0], b, &poses[1], options, out)
    })
}

/// The same for an object and a plain shape, which is B and moves with the origin of its frame. A caller's distance function has only the
/// contacts of now.
#[allow(clippy::too_many_arguments)]
pub fn query_shape_ahead<S: Shape>(
    a: &Object,
    pose_a: &Pose,
    motion_a: &Motion,
    shape: &S,
    pose_shape: &Pose,
    motion_shape: &Motion,
    seconds: f64,
    options: &QueryOptions,
    memory: Option<&mut PairMemory>,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    check_motion([motion_a, motion_shape], seconds)?;
    let stats = match memory {
        Some(memory) => query_shape_remembered(a, pose_a, shape, pose_shape, options, memory, out)?,
        None => query_shape(a, pose_a, shape, pose_shape, options, out)?,
    };
    if stats.found > 0 {
        return Ok(stats);
    }
    let (own, at) = (ObjectBody::new(a), pose_a.translation.vector);
    let paths = [
        Path::moving(&own.pivot(), pose_a, motion_a, seconds, &at),
        Path::moving(&Point::origin(), pose_shape, motion_shape, seconds, &at),
    ];
    let ahead = Ahead::new(paths, true, at, own.radius(), options);
    if ahead.is_still() {
        return Ok(stats);
    }
    let query = |poses: &[Pose; 2], options: &QueryOptions, out: &mut Vec<Contact>| {
        query_shape(a, &poses[0], shape, &poses[1], options, out)
    };
    // The shape may be of any thickness: it is swept.
    let thickness = || 0.0;
    match shape.convex() {
        Convex::Below(plane) => {
            let other = PlaneBody::new(&plane);
            ahead.run(&Sweep::new(&own, &other, paths, &ahead.swept()), false, thickness, stats, out, query)
        }
        Convex::AroundSamples if shape.sample_count() > 0 => {
            let other = ShapeBody::new(shape);
            ahead.run(&Sweep::new(&own, &other, paths, &ahead.swept()), false, thickness, stats, out, query)
        }
        // Nothing is known of its hull.
        _ => Ok(stats),
    }
}

/// How the two bodies of a pair move in a step of so many seconds.
pub(crate) type MotionsOfStep = ([Motion; 2], f64);

/// The contacts of two objects, of now or of a step, with a memory or without.
pub(crate) fn query_pair_in_step(
    (a, pose_a): (&Object, &Pose),
    (b, pose_b): (&Object, &Pose),
    step: Option<&MotionsOfStep>,
    options: &QueryOptions,
    memory: Option<&mut PairMemory>,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    match (step, memory) {
        (Some(([of_a, of_b], seconds)), memory) => {
            query_pair_ahead(a, pose_a, of_a, b, pose_b, of_b, *seconds, options, memory, out)
        }
        (None, Some(memory)) => query_pair_remembered(a, pose_a, b, pose_b, options, memory, out),
        (None, None) => query_pair(a, pose_a, b, pose_b, options, out),
    }
}

fn check_motion(motions: [&Motion; 2], seconds: f64) -> Result<()> {
    if !motions.iter().all(|motion| motion.is_finite()) {
        bad_argument!("a velocity is not finite");
    }
    if !(seconds >= 0.0 && seconds.is_finite()) {
        bad_argument!("seconds is {seconds}; it must be zero or positive");
    }
    Ok(())
}

/// What bodies that were looked at on their way are seen to do.
enum Seen {
    Nothing,
    Contacts(QueryStats),
    /// They pass through each other, and it is not clear where.
    Unclear,
}

/// Two bodies, A and B, on their way through a step.
struct Ahead<'q> {
    paths: [Path; 2],
    /// Origin of the paths.
    at: Vector,
    /// Origin of the contacts.
    origin: Vector,
    /// Upper bound of how far they near each other.
    way: f64,
    margin: f64,
    options: &'q QueryOptions,
}

impl<'q> Ahead<'q> {
    fn new(paths: [Path; 2], is_first_smaller: bool, at: Vector, radius: f64, options: &'q QueryOptions) -> Self {
        let ordered = if is_first_smaller { [&paths[0], &paths[1]] } else { [&paths[1], &paths[0]] };
        Self {
            paths,
            at,
            origin: options.origin.map_or(at, Vector::from),
            // Twice the radius: the pivot is within the box.
            way: closing_way(ordered, 2.0 * radius),
            margin: limits(options, radius).margin,
            options,
        }
    }

    /// Whether a gap that is larger than the margin cannot close.
    fn is_still(&self) -> bool {
        self.way <= self.margin
    }

    /// Solvers need no more than contacts within the margin: the time may be as inaccurate.
    fn swept(&self) -> SweepOptions {
        SweepOptions { margin: Some(self.margin), tolerance: Some(self.margin), ..Default::default() }
    }

    /// Appends the contacts to come. `query` is for poses of A and B.
    fn run<A: Body, B: Body>(
        &self,
        sweep: &Sweep<A, B>,
        flip: bool,
        thickness: impl FnOnce() -> f64,
        stats: QueryStats,
        out: &mut Vec<Contact>,
        mut query: impl FnMut(&[Pose; 2], &QueryOptions, &mut Vec<Contact>) -> Result<QueryStats>,
    ) -> Result<QueryStats> {
        let met = match sweep.by_hulls(None::<fn() -> Option<Contact>>) {
            Stage::Apart => return Ok(stats),
            Stage::Met(met) => Some(met),
            Stage::Open(open) => {
                let way = (self.way * (1.0 - open.time)).min(open.way);
                let strides = (way / thickness()).ceil();
                let seen = match strides <= MOST_STRIDES {
                    true => self.in_strides(open.time, strides as u32, out, &mut query)?,
                    false => Seen::Unclear,
                };
                match seen {
                    Seen::Contacts(found) => return Ok(found),
                    Seen::Nothing => return Ok(stats),
                    Seen::Unclear => sweep.by_triangles(open),
                }
            }
        };
        let Some(met) = met else { return Ok(stats) };
        let own = sweep.impact(&met, &(self.at - self.origin), flip).contact;
        let margin = self.margin.max(2.0 * sweep.tolerance);
        let before = out.len();
        let mut stats = query(&self.poses(met.time), &self.options_at(margin), out)?;
        for contact in &mut out[before..] {
            // The direction of a gap near rounding is noise; that of the sweep is not.
            let cosine: f32 = (0..3).map(|k| contact.normal[k] * own.normal[k]).sum();
            if cosine > SAME_NORMAL {
                contact.normal = own.normal;
            }
        }
        self.bring_back(met.time, before, out);
        // Edges that cross, still apart, have no contact of their own.
        if out.len() == before {
            out.push(own);
            self.bring_back(met.time, before, out);
        }
        stats.found = (out.len() - before) as u32;
        Ok(stats)
    }

    /// Looks at the bodies at some times from `start` on.
    fn in_strides(
        &self,
        start: f64,
        strides: u32,
        out: &mut Vec<Contact>,
        mut query: impl FnMut(&[Pose; 2], &QueryOptions, &mut Vec<Contact>) -> Result<QueryStats>,
    ) -> Result<Seen> {
        let before = out.len();
        let mut look = |time: f64, out: &mut Vec<Contact>| {
            let stats = query(&self.poses(time), &self.options_at(self.margin), out)?;
            let is_touching = out.len() > before;
            self.bring_back(time, before, out);
            Ok((is_touching, QueryStats { found: (out.len() - before) as u32, ..stats }))
        };
        let mut last = start;
        for k in 1..=strides {
            let mut time = start + (1.0 - start) * k as f64 / strides as f64;
            let (is_touching, stats) = look(time, out)?;
            if stats.found > 0 {
                return Ok(Seen::Contacts(stats));
            }
            if !is_touching {
                last = time;
                continue;
            }
            // They have passed the middle of something: back to where they enter it.
            for _ in 0..HALVINGS {
                let middle = 0.5 * (last + time);
                let (is_touching, stats) = look(middle, out)?;
                if stats.found > 0 {
                    return Ok(Seen::Contacts(stats));
                }
                *(if is_touching { &mut time } else { &mut last }) = middle;
            }
            return Ok(Seen::Unclear);
        }
        Ok(Seen::Nothing)
    }

    fn poses(&self, time: f64) -> [Pose; 2] {
        [0, 1].map(|k| {
            let pose = self.paths[k].at(time);
            Pose::from_parts((pose.translation.vector + self.at).into(), pose.rotation)
        })
    }

    fn options_at(&self, margin: f64) -> QueryOptions {
        QueryOptions { margin: Some(margin), origin: Some(self.origin.into()), ..*self.options }
    }

    /// Contacts of a time to come, from the `first` one on, as the bodies are now. Those that would be deep now are left out: the bodies do not
    /// touch yet, and have come through each other.
    fn bring_back(&self, time: f64, first: usize, contacts: &mut Vec<Contact>) {
        let back = [0, 1].map(|k| self.paths[k].at(0.0) * self.paths[k].at(time).inverse());
        for contact in &mut contacts[first..] {
            let [normal, point] = [contact.normal, contact.point].map(|v| Vector::from(v.map(f64::from)));
            let middle = Point::from(point + self.origin - self.at);
            let half = normal * (0.5 * contact.depth as f64);
            let [p, q] = [back[0] * (middle - half), back[1] * (middle + half)];
            contact.depth = -normal.dot(&(p - q)) as f32;
            let now = nalgebra::center(&p, &q).coords + self.at - self.origin;
            contact.point = [now.x as f32, now.y as f32, now.z as f32];
        }
        let mut number = 0;
        contacts.retain(|contact| {
            number += 1;
            number <= first || contact.depth <= self.margin as f32
        });
    }
}
