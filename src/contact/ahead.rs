//! Contacts of now, and those that moving bodies will have within a step, for solvers that take gaps as contacts (speculative contacts).
//!
//! A solver that stops the first corner of a crate that lands turns the crate about it, and the other corners come down. So contacts of the first
//! touch are not enough. They are completed as a solver would find it out (`predict`): from the bodies' motion first, then from the
//! motion that is left of it if a solver respects the contacts found so far. What meets on that way is added, until nothing does.
//!
//! Hulls tell most of it (`sweep`). Where they overlap, bodies are looked at on their way, in strides of no more than the thickness of the thinner one, by
//! an upper bound of their motion: they cannot pass each other unseen, and a query costs a tenth of a sweep of their triangles, which fragments would first
//! have to make a tree of, in the very step in which they come into being. Only what moves farther is swept.

use super::budget::Level;
use super::feature::{Feature, FeatureKind};
use super::known::KEPT;
use super::memory::PairMemory;
use super::motion::{Motion, Path, closing_way};
use super::order::greedy;
use super::pair::{query_pair, query_pair_moving, query_pair_remembered};
use super::pair_query::rank;
use super::parts::{Body, ObjectBody, PlaneBody, ShapeBody};
use super::predict::{Constraint, MODELS, Weight, respecting};
use super::setup::limits;
use super::shape::{query_shape, query_shape_remembered};
use super::sweep::{Met, Open, Stage, Sweep, SweepOptions};
use super::thickness::thickness;
use super::{Contact, QueryOptions, QueryStats};
use crate::body::Object;
use crate::error::{Result, bad_argument};
use crate::field::shape::{Convex, Shape};
use crate::geom::{Point, Pose, Vector};
use std::cell::Cell;

/// Most strides in a step. More take longer than a sweep.
const MOST_STRIDES: f64 = 8.0;
/// Looks between two strides, where bodies enter each other.
const HALVINGS: u32 = 4;
/// Cosine of 18 degrees: normals at the time of impact that differ by less are one.
const SAME_NORMAL: f32 = 0.95;
/// Contacts with about the same normal nearer to each other than this share of the smaller radius are one.
const SAME: f64 = 0.01;
/// Cosine of 5 degrees, as in reduction: so many contacts may have about the same normal.
const ALIKE: f64 = 0.996_194_7;
/// Bodies may end a step this much deeper in each other than they are, as a share of the smaller radius: solvers have as much slop.
const SLACK: f64 = 0.002;
/// At the time of the first touch, gaps up to this share of the smaller radius are looked for: mostly all corners of what lands nearly flat, so that
/// few rounds are needed.
const WIDE: f64 = 0.1;
/// Hulls that overlap by no more than this share of the smaller radius along the normal of a contact are parted by it, if they stay so.
const PARTED: f64 = 0.05;
/// How many times as deep they may be before they are held as they stand.
const DEEP: f64 = 3.0;
/// Most rounds of completion. Mostly two to four.
const MOST_ROUNDS: u32 = 32;
/// Angle in a step, in radians, from which on bodies are completed by planes: what they meet while they turn so far says little of where it is now.
const FAR_TURN: f64 = 0.3;
/// Less work than this is not enough to sweep hulls; and what the last step of a sweep may take.
const LEAST_WORK: u32 = 32;
const LAST_STEP: u32 = 16;
/// Most units of work of contacts ahead without a budget, but for the last look: they end in a millisecond or two.
const MOST_WORK: u32 = 1 << 14;

/// Finds the contacts of two objects as they are now, and those that they will have within the next `seconds`, if they go on moving as they
/// do, or as far as a solver lets them that respects all contacts. The latter are given as the bodies are now: the depth is minus the
/// gap between the two points that will touch, along the normal that they will have, and the point is in the middle. For solvers that take
/// gaps as contacts (speculative contacts). Appends to `out` as [`query_pair`].
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
    let flip = rank(b, pose_b) < rank(a, pose_a);
    let origin = options.origin.map_or(pose_a.translation.vector, Vector::from);
    let first = if flip { (b, pose_b, motion_b) } else { (a, pose_a, motion_a) };
    let second = if flip { (a, pose_a, motion_a) } else { (b, pose_b, motion_b) };
    let at = first.1.translation.vector;
    let bodies = [first, second].map(|of| ObjectBody::new(of.0));
    let path = |k: usize, of: &(&Object, &Pose, &Motion)| Path::moving(&bodies[k].pivot(), of.1, of.2, seconds, &at);
    let paths = [path(0, &first), path(1, &second)];
    let way = |point: &Vector| {
        let [own, other] = paths.each_ref().map(|path| path.way_of(&(point - at)));
        if flip { other - own } else { own - other }
    };
    let most = if memory.is_some() { KEPT as u32 } else { u32::MAX };
    let before = out.len();
    let stats = query_pair_moving(a, pose_a, b, pose_b, options, memory, &way, out)?;
    let options =
        &QueryOptions { origin: Some(origin.into()), max_contacts: options.max_contacts.min(most), ..*options };
    let radius = bodies[0].radius().min(bodies[1].radius());
    let is_first_smaller = bodies[0].radius() <= bodies[1].radius();
    let ahead = Ahead::new(paths, is_first_smaller, at, radius, options);
    if ahead.is_still() {
        return Ok(stats);
    }
    let weights = || {
        let masses = [first.0, second.0].map(|body| body.in_metres().mass());
        let unit = masses[0].volume.max(masses[1].volume);
        [(0, first.1), (1, second.1)].map(|(k, pose)| Weight::new(&masses[k], pose, unit))
    };
    let thickness = || thickness(a).min(thickness(b));
    let turned = |contacts: &mut [Contact]| {
        if flip {
            contacts.iter_mut().for_each(|c| (c.normal, c.feature) = (c.normal.map(|x| -x), c.feature ^ 1 << 31));
        }
    };
    turned(&mut out[before..]);
    let outcome = ahead.complete(&bodies[0], &bodies[1], weights, thickness, before, stats, out, {
        |poses, options, out| query_pair(first.0, &poses[0], second.0, &poses[1], options, out)
    });
    turned(&mut out[before..]);
    outcome
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
    let most = if memory.is_some() { KEPT as u32 } else { u32::MAX };
    let before = out.len();
    let stats = match memory {
        Some(memory) => query_shape_remembered(a, pose_a, shape, pose_shape, options, memory, out)?,
        None => query_shape(a, pose_a, shape, pose_shape, options, out)?,
    };
    let (own, at) = (ObjectBody::new(a), pose_a.translation.vector);
    let origin = options.origin.map_or(at, Vector::from);
    let options =
        &QueryOptions { origin: Some(origin.into()), max_contacts: options.max_contacts.min(most), ..*options };
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
    // Nothing is known of what the shape is part of.
    let weights = || [Weight::new(&a.in_metres().mass(), pose_a, a.in_metres().mass().volume), Weight::FIXED];
    // The shape may be of any thickness: it is swept.
    let thickness = || 0.0;
    match shape.convex() {
        Convex::Below(plane) => {
            ahead.complete(&own, &PlaneBody::new(&plane), weights, thickness, before, stats, out, query)
        }
        Convex::AroundSamples if shape.sample_count() > 0 => {
            ahead.complete(&own, &ShapeBody::new(shape), weights, thickness, before, stats, out, query)
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

/// Lists that a thread keeps between queries.
#[derive(Default)]
struct Scratch {
    /// Contacts of a time to come.
    seen: Vec<Contact>,
    /// What a solver is given.
    given: Vec<Constraint>,
}

thread_local! {
    /// Taken, not borrowed: a query may call the caller's code.
    static SCRATCH: Cell<Scratch> = const { Cell::new(Scratch { seen: vec![], given: vec![] }) };
}

/// Frees the scratch memory that this thread keeps between queries.
pub(super) fn release_scratch() {
    SCRATCH.take();
}

/// What is seen of two bodies on their way.
enum Seen {
    /// They do not meet.
    Nothing,
    /// They do: the contacts of that time.
    At(f64),
    /// They do, by what a sweep says; there may be no contacts.
    Swept(Met),
    /// The work did not suffice; they are apart until then.
    Unknown(Met),
}

/// What is found out about a step.
struct Found<'s> {
    seen: &'s mut Vec<Contact>,
    given: &'s mut Vec<Constraint>,
    stats: QueryStats,
    /// Work of the contacts of now.
    start: u32,
}

impl Found<'_> {
    /// The work did not suffice: there may be other contacts.
    fn interrupt(&mut self) {
        let level = if self.given.is_empty() { Level::Bodies } else { Level::Samples };
        self.stats.level = self.stats.level.min(level);
    }
}

/// Two bodies, A and B, on their way through a step.
struct Ahead<'q> {
    paths: [Path; 2],
    /// Origin of the paths.
    at: Vector,
    /// Origin of the contacts.
    origin: Vector,
    is_first_smaller: bool,
    /// The smaller one.
    radius: f64,
    margin: f64,
    options: &'q QueryOptions,
}

impl<'q> Ahead<'q> {
    fn new(paths: [Path; 2], is_first_smaller: bool, at: Vector, radius: f64, options: &'q QueryOptions) -> Self {
        let origin = options.origin.map_or(at, Vector::from);
        Self { paths, at, origin, is_first_smaller, radius, margin: limits(options, radius).margin, options }
    }

    /// Upper bound of how far bodies near each other on their paths.
    fn way(&self, paths: &[Path; 2]) -> f64 {
        let ordered = if self.is_first_smaller { [&paths[0], &paths[1]] } else { [&paths[1], &paths[0]] };
        // Twice the radius: the pivot is within the box.
        closing_way(ordered, 2.0 * self.radius)
    }

    /// Whether a gap that is larger than the margin cannot close, and no overlap grows by as much.
    fn is_still(&self) -> bool {
        self.way(&self.paths) <= self.margin
    }

    /// Solvers need no more than contacts within the margin: the time may be as inaccurate.
    fn swept(&self) -> SweepOptions {
        SweepOptions { margin: Some(self.margin), tolerance: Some(self.margin), ..Default::default() }
    }

    fn slack(&self) -> f64 {
        (SLACK * self.radius).max(2.0 * self.margin)
    }

    /// Work that is left.
    fn left(&self, found: &Found) -> u32 {
        let most = if self.options.budget == 0 { found.start.saturating_add(MOST_WORK) } else { self.options.budget };
        most.saturating_sub(found.stats.work)
    }

    /// Adds the contacts to come to those of now, which are in `out` from number `before` on. `query` is for poses of A and B.
    #[allow(clippy::too_many_arguments)]
    fn complete<A: Body, B: Body>(
        &self,
        a: &A,
        b: &B,
        weights: impl FnOnce() -> [Weight; 2],
        thickness: impl Fn() -> f64,
        before: usize,
        stats: QueryStats,
        out: &mut Vec<Contact>,
        mut query: impl FnMut(&[Pose; 2], &QueryOptions, &mut Vec<Contact>) -> Result<QueryStats>,
    ) -> Result<QueryStats> {
        let mut scratch = SCRATCH.take();
        let Scratch { seen, given } = &mut scratch;
        given.clear();
        given.extend(out[before..].iter().map(|contact| self.constraint_of(contact)));
        let mut found = Found { seen, given, stats, start: stats.work };
        let outcome = self.rounds((a, b), weights, thickness, &mut found, &mut query);
        let Found { mut stats, .. } = found;
        if matches!(outcome, Ok(true)) {
            out.truncate(before);
            out.extend(given.iter().map(|constraint| self.contact_of(constraint)));
            let widest = out[before..].iter().map(|c| -c.depth as f64).fold(self.margin, f64::max);
            greedy(&mut out[before..], self.radius, widest);
            stats.found = (out.len() - before) as u32;
        }
        SCRATCH.set(scratch);
        outcome.map(|_| stats)
    }

    /// Looks for what bodies meet that respect what they are given, and gives it to them, until they meet nothing. Whether anything was
    /// given.
    fn rounds<A: Body, B: Body>(
        &self,
        bodies: (&A, &B),
        weights: impl FnOnce() -> [Weight; 2],
        thickness: impl Fn() -> f64,
        found: &mut Found,
        query: &mut impl FnMut(&[Pose; 2], &QueryOptions, &mut Vec<Contact>) -> Result<QueryStats>,
    ) -> Result<bool> {
        let (mut weights, mut own) = (Some(weights), None);
        let is_touching = !found.given.is_empty();
        let deepest = found.given.iter().map(|c| c.depth).fold(0.0, f64::max);
        let (mut is_changed, mut model, mut clear) = (false, 0, 0);
        for round in 0..=MOST_ROUNDS {
            let paths = match found.given.is_empty() {
                true => self.paths,
                false => {
                    let own = own
                        .get_or_insert_with(|| weights.take().map(|weights| weights()).unwrap_or([Weight::FIXED; 2]));
                    let [of_a, of_b] = *own;
                    let is_a_still =
                        self.paths[0].linear == Vector::zeros() && self.paths[0].angular == Vector::zeros();
                    let one = if is_a_still { [Weight::FIXED, of_b] } else { [of_a, Weight::FIXED] };
                    let both = [[of_a, of_b], one][model];
                    respecting(&self.paths, &both, model, found.given)
                }
            };
            let step = Step { paths, is_free: found.given.is_empty(), is_touching, deepest, slack: self.slack() };
            if round == MOST_ROUNDS {
                return Ok(self.hold_if_deep(bodies, step, &thickness, found, query)? | is_changed);
            }
            if self.complete_by_planes(bodies, &step, found) {
                is_changed = true;
                clear = 0;
                self.limit(found.given);
                continue;
            }
            let mut is_clear = false;
            let has_more = match self.look_ahead(bodies, &step, &thickness, found, query)? {
                Seen::Nothing => {
                    is_clear = true;
                    false
                }
                Seen::At(time) => self.take(&step, time, self.margin, found),
                Seen::Swept(met) => self.take_met(bodies, &step, &met, found, query)?,
                Seen::Unknown(met) => {
                    found.interrupt();
                    let is_new = self.take_own(bodies, &step, &met, found);
                    return Ok(self.hold(bodies, found) | is_changed | is_new);
                }
            };
            is_changed |= has_more;
            if has_more {
                self.limit(found.given);
                clear = 0;
                continue;
            }
            if !is_clear && !step.is_free && self.hold_if_deep(bodies, step, &thickness, found, query)? {
                return Ok(true);
            }
            // Nothing to respect: all masses do the same.
            clear += 1;
            if found.given.is_empty() || clear >= self.models(own.as_ref()) {
                break;
            }
            model = (model + 1) % self.models(own.as_ref());
        }
        Ok(is_changed)
    }

    /// If bodies that respect what they are given still go deep into each other: holds them as they stand. Whether that is so.
    fn hold_if_deep<A: Body, B: Body>(
        &self,
        bodies: (&A, &B),
        step: Step,
        thickness: &impl Fn() -> f64,
        found: &mut Found,
        query: &mut impl FnMut(&[Pose; 2], &QueryOptions, &mut Vec<Contact>) -> Result<QueryStats>,
    ) -> Result<bool> {
        let step = Step { slack: DEEP * step.slack, ..step };
        let seen = self.look_ahead(bodies, &step, thickness, found, query)?;
        Ok(!matches!(seen, Seen::Nothing) && self.hold(bodies, found))
    }

    /// Replaces what is given by contacts that let the bodies close in by the gap of their hulls, and turn no farther towards each other: at the
    /// samples of the smaller one that reach out farthest across a contact's normal that parts them now. False if none does.
    fn hold<A: Body, B: Body>(&self, (a, b): (&A, &B), found: &mut Found) -> bool {
        let sweep = Sweep::new(a, b, self.paths, &self.swept());
        let gap_along = |c: &Constraint| sweep.gap_along(&c.normal, 0.0);
        let parting = found.given.iter().map(|c| (c.normal, gap_along(c)));
        let best = parting.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((normal, gap)) = best.filter(|(_, gap)| *gap >= -PARTED * self.radius) else { return false };
        let gap = gap.max(0.0);
        let (most, per_normal) = (self.options.max_contacts as usize, self.options.max_per_normal as usize);
        found.given.retain(|c| c.is_of_now && c.normal.dot(&normal) < ALIKE);
        let most = most.saturating_sub(found.given.len()).min(per_normal);
        let before = found.given.len();
        for (at, id) in sweep.farthest_across(&normal, !self.is_first_smaller) {
            let feature = Feature { of_b: !self.is_first_smaller, kind: FeatureKind::Sample, id }.encoded();
            let is_known = found.given[before..].iter().any(|known| known.feature == feature);
            if !is_known && found.given.len() - before < most {
                let at = at.coords;
                found.given.push(Constraint { at, normal, gap, depth: -gap, feature, ..Constraint::default() });
            }
        }
        true
    }

    /// How many masses are to be tried.
    fn models(&self, weights: Option<&[Weight; 2]>) -> usize {
        // A shape has no mass. Bodies that move are not fixed.
        let is_still =
            self.paths.each_ref().map(|path| path.linear == Vector::zeros() && path.angular == Vector::zeros());
        match weights {
            Some([_, b]) if b.is_fixed() => 1,
            _ if is_still[0] || is_still[1] => 2,
            _ => 1,
        }
    }

    /// Finds when bodies meet, or go deeper than they are.
    fn look_ahead<A: Body, B: Body>(
        &self,
        (a, b): (&A, &B),
        step: &Step,
        thickness: &impl Fn() -> f64,
        found: &mut Found,
        query: &mut impl FnMut(&[Pose; 2], &QueryOptions, &mut Vec<Contact>) -> Result<QueryStats>,
    ) -> Result<Seen> {
        let (slack, way) = (step.slack, self.way(&step.paths));
        if !step.is_free && way <= slack {
            return Ok(Seen::Nothing);
        }
        let left = self.left(found);
        let sweep = Sweep::new(a, b, step.paths, &self.swept()).within(left.saturating_sub(LAST_STEP));
        if left < LEAST_WORK {
            // As wholes, along the plane that parts their hulls now.
            let (hulls, _) = sweep.at_start();
            let is_apart = hulls.gap > way + self.margin;
            return Ok(if is_apart { Seen::Nothing } else { Seen::Unknown(Open::at_start(hulls, way).as_met()) });
        }
        if step.is_touching && self.stay_parted(&sweep, found.given, slack) {
            return Ok(Seen::Nothing);
        }
        let stage = match step.is_free {
            true => sweep.by_hulls(None::<fn() -> Option<Contact>>, 0.5 * sweep.tolerance),
            false => {
                let (hulls, is_on_bodies) = sweep.at_start();
                match hulls.gap >= -PARTED * self.radius || is_on_bodies {
                    true => sweep.by_hulls(None::<fn() -> Option<Contact>>, hulls.gap.min(0.0) - slack),
                    false => Stage::Open(Open::at_start(hulls, way)),
                }
            }
        };
        let of_hulls = sweep.work();
        found.stats.work = found.stats.work.saturating_add(of_hulls);
        let seen = match stage {
            Stage::Apart => Seen::Nothing,
            Stage::Met(met) if sweep.is_over() => Seen::Unknown(met),
            Stage::Met(met) => Seen::Swept(met),
            Stage::Open(open) => {
                let way = (way * (1.0 - open.time)).min(open.way);
                let strides = (way / thickness()).ceil();
                let mut looked = Seen::Nothing;
                let is_few = strides <= MOST_STRIDES;
                if is_few {
                    looked = self.in_strides(step, &open, strides as u32, found, query)?;
                }
                let is_unclear = !is_few || matches!(looked, Seen::Unknown(_)) && self.left(found) > 0;
                match is_unclear {
                    false => looked,
                    // Bodies that overlap cannot be swept.
                    true if step.is_touching => Seen::Nothing,
                    true => {
                        let left = self.left(found).saturating_sub(LAST_STEP);
                        let sweep = Sweep::new(a, b, step.paths, &self.swept()).within(left);
                        let met = sweep.by_triangles(open);
                        found.stats.work = found.stats.work.saturating_add(sweep.work());
                        match met {
                            None => Seen::Nothing,
                            Some(met) if sweep.is_over() => Seen::Unknown(met),
                            Some(met) => Seen::Swept(met),
                        }
                    }
                }
            }
        };
        Ok(seen)
    }

    /// Where a solver would turn bodies far: gives the features of either that come through the plane of the other by most, in a straight line as
    /// solvers see it, for planes across the contacts that part the bodies now. Whether there are any.
    fn complete_by_planes<A: Body, B: Body>(&self, (a, b): (&A, &B), step: &Step, found: &mut Found) -> bool {
        if step.is_free
            || self.left(found) < LEAST_WORK
            || step.paths.iter().all(|path| path.angular.norm() <= FAR_TURN)
        {
            return false;
        }
        let sweep = Sweep::new(a, b, step.paths, &self.swept());
        let mut tried: [Option<Vector>; 3] = [None; 3];
        let (count, mut is_more) = (found.given.len(), false);
        for k in 0..count {
            let normal = found.given[k].normal;
            if tried.iter().flatten().any(|other| other.dot(&normal) > SAME_NORMAL as f64) {
                continue;
            }
            let Some(place) = tried.iter_mut().find(|place| place.is_none()) else { break };
            *place = Some(normal);
            if sweep.gap_along(&normal, 0.0) < -PARTED * self.radius {
                continue;
            }
            let ends = sweep.ends_in_straight_line(&normal);
            found.stats.work = found.stats.work.saturating_add(1);
            for (at, gap, id, is_of_b) in ends.into_iter().flatten() {
                let feature = Feature { of_b: is_of_b, kind: FeatureKind::Sample, id }.encoded();
                let side = if is_of_b { 0.5 } else { -0.5 };
                let gap = gap.max(0.0);
                let (at, depth) = (at.coords + normal * (side * gap), -gap);
                let constraint = Constraint { at, normal, gap, depth, feature, is_new: true, ..Constraint::default() };
                let within = SAME * self.radius;
                let is_known = |known: &Constraint| {
                    known.normal.dot(&normal) > ALIKE && ((known.at - at).norm() <= within || known.feature == feature)
                };
                if constraint.closing(&step.paths) > gap + self.slack() && !found.given.iter().any(is_known) {
                    found.given.push(constraint);
                    is_more = true;
                }
            }
        }
        is_more
    }

    /// Whether a plane across one of the contacts parts the hulls as well at the end of the step as now.
    fn stay_parted<A: Body, B: Body>(&self, sweep: &Sweep<A, B>, given: &[Constraint], slack: f64) -> bool {
        let mut tried: [Option<Vector>; 3] = [None; 3];
        for constraint in given {
            let normal = constraint.normal;
            if tried.iter().flatten().any(|other| other.dot(&normal) > SAME_NORMAL as f64) {
                continue;
            }
            let Some(place) = tried.iter_mut().find(|place| place.is_none()) else { return false };
            *place = Some(normal);
            let now = sweep.gap_along(&normal, 0.0);
            if now >= -PARTED * self.radius && sweep.gap_along(&normal, 1.0) >= now.min(0.0) - slack {
                return true;
            }
        }
        false
    }

    /// Queries the bodies at a time; whether they touch then.
    fn look(
        &self,
        step: &Step,
        time: f64,
        margin: f64,
        found: &mut Found,
        query: &mut impl FnMut(&[Pose; 2], &QueryOptions, &mut Vec<Contact>) -> Result<QueryStats>,
    ) -> Result<bool> {
        found.seen.clear();
        let left = self.left(found);
        if left == 0 {
            found.interrupt();
            return Ok(false);
        }
        let budget = if self.options.budget == 0 { 0 } else { left };
        let options = QueryOptions { margin: Some(margin), budget, ..*self.options };
        let stats = query(&self.poses(&step.paths, time), &options, found.seen)?;
        found.stats.add(&stats);
        Ok(!found.seen.is_empty())
    }

    /// Looks at the bodies at some times from when on hulls overlap.
    fn in_strides(
        &self,
        step: &Step,
        open: &Open,
        strides: u32,
        found: &mut Found,
        query: &mut impl FnMut(&[Pose; 2], &QueryOptions, &mut Vec<Contact>) -> Result<QueryStats>,
    ) -> Result<Seen> {
        let start = open.time;
        let mut last = start;
        for k in 1..=strides {
            let mut time = start + (1.0 - start) * k as f64 / strides as f64;
            self.look(step, time, self.margin, found, query)?;
            if self.left(found) == 0 {
                return Ok(Seen::Unknown(open.as_met()));
            }
            if !self.is_deeper(step, found.seen) {
                last = time;
                continue;
            }
            if self.is_near_side(step, time, found.seen) {
                return Ok(Seen::At(time));
            }
            // They have passed the middle of something: back to where they enter it.
            for _ in 0..HALVINGS {
                let middle = 0.5 * (last + time);
                self.look(step, middle, self.margin, found, query)?;
                let is_deeper = self.is_deeper(step, found.seen);
                if is_deeper && self.is_near_side(step, middle, found.seen) {
                    return Ok(Seen::At(middle));
                }
                *(if is_deeper { &mut time } else { &mut last }) = middle;
            }
            return Ok(Seen::Unknown(open.as_met()));
        }
        Ok(Seen::Nothing)
    }

    /// Whether contacts of a time to come are more than those that are respected.
    fn is_deeper(&self, step: &Step, seen: &[Contact]) -> bool {
        let least = if step.is_free { -self.margin } else { step.deepest + step.slack };
        seen.iter().any(|contact| contact.depth as f64 >= least)
    }

    /// Whether some contact of a time to come is not of the far side: deep now, though the bodies are not in each other.
    fn is_near_side(&self, step: &Step, time: f64, seen: &[Contact]) -> bool {
        let back = self.back(&step.paths, time);
        seen.iter().any(|contact| self.brought_back(&back, contact).1 >= -self.far(step))
    }

    /// Contacts that are deeper now are of the far side.
    fn far(&self, step: &Step) -> f64 {
        self.margin + step.deepest + if step.is_free { 0.0 } else { self.slack() }
    }

    fn poses(&self, paths: &[Path; 2], time: f64) -> [Pose; 2] {
        [0, 1].map(|k| {
            let pose = paths[k].at(time);
            Pose::from_parts((pose.translation.vector + self.at).into(), pose.rotation)
        })
    }

    /// From where the bodies are at a time to where they are now.
    fn back(&self, paths: &[Path; 2], time: f64) -> [Pose; 2] {
        [0, 1].map(|k| paths[k].at(0.0) * paths[k].at(time).inverse())
    }

    /// A contact of a time to come as the bodies are now: the middle of its two points, relative to the origin of the paths, their gap along
    /// the normal, and the way from the one on B to the one on A.
    fn brought_back(&self, back: &[Pose; 2], contact: &Contact) -> (Vector, f64, Vector) {
        let [normal, point] = [contact.normal, contact.point].map(|v| Vector::from(v.map(f64::from)));
        let middle = Point::from(point + self.origin - self.at);
        let half = normal * (0.5 * contact.depth as f64);
        let [p, q] = [back[0] * (middle - half), back[1] * (middle + half)];
        (nalgebra::center(&p, &q).coords, normal.dot(&(p - q)), p - q)
    }

    fn constraint_of(&self, contact: &Contact) -> Constraint {
        let [normal, point] = [contact.normal, contact.point].map(|v| Vector::from(v.map(f64::from)));
        Constraint {
            at: point + self.origin - self.at,
            normal,
            gap: (-contact.depth as f64).max(0.0),
            depth: contact.depth as f64,
            feature: contact.feature,
            impulses: [0.0; MODELS],
            is_new: false,
            is_of_now: true,
        }
    }

    fn contact_of(&self, constraint: &Constraint) -> Contact {
        let point = constraint.at + self.at - self.origin;
        Contact {
            point: [point.x as f32, point.y as f32, point.z as f32],
            depth: constraint.depth as f32,
            normal: constraint.normal.cast::<f32>().into(),
            feature: constraint.feature,
        }
    }

    /// Gives contacts of a time to come to the solver; whether that makes a difference. Those with gaps of more than `near` then only if some other
    /// has about the same normal: solvers would be stopped by what bodies pass beside.
    fn take(&self, step: &Step, time: f64, near: f64, found: &mut Found) -> bool {
        let back = self.back(&step.paths, time);
        let mut is_more = false;
        let is_near = |contact: &Contact| contact.depth as f64 >= -near;
        for k in 0..found.seen.len() {
            let contact = found.seen[k];
            let normal = Vector::from(contact.normal.map(f64::from));
            let is_like = |other: &&Contact| {
                let cosine: f32 = (0..3).map(|i| other.normal[i] * contact.normal[i]).sum();
                is_near(other) && cosine > SAME_NORMAL
            };
            let (at, gap, _) = self.brought_back(&back, &contact);
            if gap < -self.far(step) || !is_near(&contact) && !found.seen.iter().any(|other| is_like(&other)) {
                continue;
            }
            let constraint = Constraint { at, normal, feature: contact.feature, ..Constraint::default() };
            is_more |= self.give(step, time, constraint, contact.depth as f64, gap, found.given);
        }
        is_more
    }

    /// Gives one to the solver. `depth` is that of the time to come, `gap` the gap of now. Where bodies turn much, a solver that closes the
    /// gap of now along a straight line goes deeper: then it gets less.
    fn give(
        &self,
        step: &Step,
        time: f64,
        mut constraint: Constraint,
        depth: f64,
        gap: f64,
        given: &mut Vec<Constraint>,
    ) -> bool {
        let slack = self.slack();
        let straight = constraint.closing(&step.paths) * time - depth;
        let is_same = (straight - gap).abs() <= 0.1 * slack;
        constraint.gap = if is_same { gap } else { gap.min(straight) }.max(0.0);
        constraint.depth = -constraint.gap;
        constraint.is_new = true;
        let within = SAME * self.radius;
        let is_known = |known: &&mut Constraint| {
            known.normal.dot(&constraint.normal) > ALIKE && (known.at - constraint.at).norm() <= within
        };
        let closes = constraint.closing(&step.paths) > constraint.gap + 0.1 * slack;
        match given.iter_mut().find(is_known) {
            Some(known) if constraint.gap < known.gap - 0.1 * slack => {
                known.gap = constraint.gap;
                known.depth = known.depth.max(-constraint.gap);
                known.is_new = true;
                closes
            }
            Some(_) => false,
            None => {
                given.push(constraint);
                closes || step.is_free
            }
        }
    }

    /// Gives the contacts of the time of an impact.
    fn take_met<A: Body, B: Body>(
        &self,
        (a, b): (&A, &B),
        step: &Step,
        met: &Met,
        found: &mut Found,
        query: &mut impl FnMut(&[Pose; 2], &QueryOptions, &mut Vec<Contact>) -> Result<QueryStats>,
    ) -> Result<bool> {
        let sweep = Sweep::new(a, b, step.paths, &self.swept());
        let near = self.margin.max(2.0 * sweep.tolerance);
        let left = self.way(&step.paths) * (1.0 - met.time);
        self.look(step, met.time, near.max(left.min(WIDE * self.radius)), found, query)?;
        let own = sweep.impact(met, &(self.at - self.origin), false).contact;
        for contact in found.seen.iter_mut() {
            // The direction of a gap near rounding is noise; that of the sweep is not.
            let cosine: f32 = (0..3).map(|k| contact.normal[k] * own.normal[k]).sum();
            if cosine > SAME_NORMAL && contact.depth.abs() as f64 <= near {
                contact.normal = own.normal;
            }
        }
        let is_seen = found.seen.iter().any(|contact| contact.depth as f64 >= -near);
        let is_more = is_seen && self.take(step, met.time, near, found);
        // Edges that cross, still apart, have no contact of their own.
        Ok(is_more || self.take_own((a, b), step, met, found))
    }

    /// Gives the contact that a sweep found.
    fn take_own<A: Body, B: Body>(&self, (a, b): (&A, &B), step: &Step, met: &Met, found: &mut Found) -> bool {
        let sweep = Sweep::new(a, b, step.paths, &self.swept());
        let own = sweep.impact(met, &(self.at - self.origin), false).contact;
        let (at, gap, way) = self.brought_back(&self.back(&step.paths, met.time), &own);
        let normal = Vector::from(own.normal.map(f64::from));
        // Of bodies that turn far the normal to come may say nothing of now: then along the way that the two points have to each other.
        let (normal, gap) = match (gap < -self.far(step)).then(|| way.try_normalize(f64::MIN_POSITIVE)).flatten() {
            Some(direct) => (direct, way.norm()),
            None => (normal, gap),
        };
        let constraint = Constraint { at, normal, feature: own.feature, ..Constraint::default() };
        self.give(step, met.time, constraint, own.depth as f64, gap, found.given)
    }

    /// Takes away what is more than the caller wants: first what no solution needs, then what has the widest gap.
    fn limit(&self, given: &mut Vec<Constraint>) {
        let worth = |c: &Constraint| (c.is_new || c.is_needed(), c.is_of_now);
        let less = |given: &[Constraint], i: usize, j: usize| {
            let (a, b) = (&given[i], &given[j]);
            let order = worth(a).cmp(&worth(b)).then(b.gap.total_cmp(&a.gap));
            order.then((b.feature & !(1 << 31)).cmp(&(a.feature & !(1 << 31)))).is_lt()
        };
        let most = self.options.max_per_normal as usize;
        let mut k = 0;
        while k < given.len() {
            let normal = given[k].normal;
            let alike = |c: &Constraint| c.normal.dot(&normal) >= ALIKE;
            if given.iter().filter(|c| alike(c)).count() <= most {
                k += 1;
                continue;
            }
            let group = (0..given.len()).filter(|i| alike(&given[*i]));
            let Some(worst) = group.reduce(|worst, i| if less(given, i, worst) { i } else { worst }) else { break };
            given.remove(worst);
            k = 0;
        }
        while given.len() > self.options.max_contacts as usize {
            let Some(worst) = (0..given.len()).reduce(|worst, i| if less(given, i, worst) { i } else { worst }) else {
                break;
            };
            given.remove(worst);
        }
        given.iter_mut().for_each(|constraint| constraint.is_new = false);
    }
}

/// A step as it is looked at: paths that respect what is given.
struct Step {
    paths: [Path; 2],
    /// Whether nothing is given.
    is_free: bool,
    /// Whether the bodies touch now, and how deep.
    is_touching: bool,
    deepest: f64,
    /// How much deeper they may come.
    slack: f64,
}
