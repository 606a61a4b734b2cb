//! Sweeps: the first time at which two moving bodies touch, by conservative advancement (Mirtich 1996; Zhang et al. 2006).
//!
//! From a time at which the bodies are apart, their gap and a bound of their motion give a time until which they stay apart
//! (`motion`). First the gap between their convex hulls counts, by GJK. Most sweeps end there: the hulls do not meet, or they do
//! where the hulls are the bodies. Otherwise it goes on with the triangles of the surfaces: each pair of triangles has its own time, and
//! the first counts (Tang et al. 2009, controlled conservative advancement).
//!
//! The time that is found is never later than the true one: bodies are still half the tolerance apart then, which is more than
//! rounding.

use super::budget::EVALUATION;
use super::feature::{Feature, FeatureKind};
use super::motion::{Closing, Path, Size};
use super::pair::query_pair;
use super::pair_query::rank;
use super::parts::{Between, Body, ObjectBody, Parts, PlaneBody, ShapeBody, between_hulls};
use super::setup::{check_lengths, check_pose, limits};
use super::shape::query_shape;
use super::{Contact, QueryOptions, QueryStats};
use crate::body::Object;
use crate::convex::support::{Placed, Support};
use crate::error::{Result, bad_argument};
use crate::field::shape::{Convex, Shape};
use crate::geom::{NONE, Point, Pose, Vector};
use crate::tasks::Tasks;
use std::cell::Cell;

/// The default tolerance as a share of the margin,
const OF_MARGIN: f64 = 0.1;
/// and of the way of the step, if that is less: so the time of a head-on impact is as accurate.
const OF_WAY: f64 = 5e-6;
/// Bodies that touch at the start may sink in by this share of the margin before they meet.
const SINK: f64 = 0.1;
/// Most steps with hulls, and most with triangles. Ten are many.
const MOST_STEPS: usize = 100;
/// Most units of work of a sweep ([`QueryStats::work`]), so that it ends: eight for a step with hulls and for a pair of triangles measured, one
/// for eight pairs of boxes. Most take less than 100; bodies that are not convex, spin fast and are in each other's hulls take any number.
pub(super) const MOST_WORK: u32 = 1 << 15;
/// Pairs per task of a batch: a sweep takes some microseconds.
const RUN: usize = 8;

/// Options of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SweepOptions {
    /// Bodies that overlap by more than this at the start meet at time 0. By default the margin of contact queries, 0.1 % of
    /// the smaller bounding radius.
    pub margin: Option<f64>,
    /// Gap at which bodies meet, in metres. By default a tenth of the margin or 5e-6 of the way of the step, whichever is less.
    /// Never below rounding.
    pub tolerance: Option<f64>,
    /// World position that the contact point is relative to; by default the position of A at the start.
    pub origin: Option<[f64; 3]>,
}

/// The first touch of two moving bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// From 0, the start, to 1, the end. Never later than the true time.
    pub time: f64,
    /// The contact at that time: midpoint of the gap, gap as negative depth, normal from B to A.
    pub contact: Contact,
    /// Whether they touch then. If not, the search was ended after much work, and they are apart until then.
    pub is_exact: bool,
}

/// One pair of a batch of sweeps: objects with their poses at the start and at the end.
#[derive(Clone, Copy)]
pub struct SweepPair<'a> {
    /// First object.
    pub a: (&'a Object, [&'a Pose; 2]),
    /// Second object.
    pub b: (&'a Object, [&'a Pose; 2]),
}

/// Finds the first time at which two moving objects touch; `None` if they do not. Each moves from its start pose to its end pose: its
/// centre of mass on a straight line, turning about it at constant angular velocity by the smaller angle.
///
/// Objects that overlap by more than the margin at the start meet at time 0. Those that only touch then meet at time 0 if they close in
/// there. If they part or slide, the sweep goes on, and they meet when they have sunk in by another tenth of the margin.
pub fn sweep_pair(
    a: &Object,
    poses_a: [&Pose; 2],
    b: &Object,
    poses_b: [&Pose; 2],
    options: &SweepOptions,
) -> Result<Option<Impact>> {
    options.check()?;
    check_poses(poses_a, ["start_a", "end_a"])?;
    check_poses(poses_b, ["start_b", "end_b"])?;
    let flip = rank(b, poses_b[0]) < rank(a, poses_a[0]);
    let origin = options.origin.map_or(poses_a[0].translation.vector, Vector::from);
    let ((a, poses_a), (b, poses_b)) = if flip { ((b, poses_b), (a, poses_a)) } else { ((a, poses_a), (b, poses_b)) };
    let (own, other) = (ObjectBody::new(a), ObjectBody::new(b));
    let at = poses_a[0].translation.vector;
    let paths = [Path::between(&own.pivot(), poses_a, &at), Path::between(&other.pivot(), poses_b, &at)];
    let sweep = Sweep::new(&own, &other, paths, options);
    let met = sweep.run(|| deepest(|found| query_pair(a, poses_a[0], b, poses_b[0], &sweep.query(at), found)));
    Ok(met.map(|met| sweep.impact(&met, &(at - origin), flip)))
}

/// The same for an object and a plain shape, which is B and turns about the origin of its frame. A caller's distance function is
/// refused: nothing is known of its hull.
pub fn sweep_shape<S: Shape>(
    a: &Object,
    poses_a: [&Pose; 2],
    shape: &S,
    poses_shape: [&Pose; 2],
    options: &SweepOptions,
) -> Result<Option<Impact>> {
    options.check()?;
    check_poses(poses_a, ["start_a", "end_a"])?;
    check_poses(poses_shape, ["start_shape", "end_shape"])?;
    let (own, at) = (ObjectBody::new(a), poses_a[0].translation.vector);
    let origin = options.origin.map_or(at, Vector::from);
    let paths = [Path::between(&own.pivot(), poses_a, &at), Path::between(&Point::origin(), poses_shape, &at)];
    let query = |options: &QueryOptions, found: &mut Vec<Contact>| {
        query_shape(a, poses_a[0], shape, poses_shape[0], options, found)
    };
    Ok(match shape.convex() {
        Convex::Below(plane) => {
            let other = PlaneBody::new(&plane);
            let sweep = Sweep::new(&own, &other, paths, options);
            let met = sweep.run(|| deepest(|found| query(&sweep.query(at), found)));
            met.map(|met| sweep.impact(&met, &(at - origin), false))
        }
        Convex::AroundSamples if shape.sample_count() > 0 => {
            let other = ShapeBody::new(shape);
            let sweep = Sweep::new(&own, &other, paths, options);
            let met = sweep.run(|| deepest(|found| query(&sweep.query(at), found)));
            met.map(|met| sweep.impact(&met, &(at - origin), false))
        }
        _ => bad_argument!("the shape cannot be swept: it is neither a half-space nor known to be convex"),
    })
}

/// Sweeps many pairs in parallel; the results do not depend on the number of threads.
pub fn sweep_pairs(pairs: &[SweepPair], options: &SweepOptions, tasks: &Tasks) -> Vec<Result<Option<Impact>>> {
    let mut results: Vec<Result<Option<Impact>>> = pairs.iter().map(|_| Ok(None)).collect();
    tasks.fill(&mut results, RUN, |start, run| {
        for (result, SweepPair { a, b }) in run.iter_mut().zip(&pairs[start..]) {
            *result = sweep_pair(a.0, a.1, b.0, b.1, options);
        }
    });
    results
}

thread_local! {
    /// Contacts at the start. Taken, not borrowed: a query may call the caller's code.
    static FOUND: Cell<Vec<Contact>> = const { Cell::new(vec![]) };
}

/// Frees the scratch memory that this thread keeps between sweeps.
pub(super) fn release_scratch() {
    FOUND.take();
}

/// The deepest contact of a query.
pub(super) fn deepest(query: impl FnOnce(&mut Vec<Contact>) -> Result<QueryStats>) -> Option<Contact> {
    let mut found = FOUND.take();
    found.clear();
    let outcome = query(&mut found);
    let first = found.first().copied();
    FOUND.set(found);
    outcome.ok().and(first)
}

impl SweepOptions {
    fn check(&self) -> Result<()> {
        check_lengths(self.margin, self.tolerance, self.origin)
    }
}

fn check_poses(poses: [&Pose; 2], names: [&str; 2]) -> Result<()> {
    check_pose(poses[0], names[0])?;
    check_pose(poses[1], names[1])
}

/// Two moving bodies.
pub(super) struct Sweep<'q, A: Body, B: Body> {
    a: &'q A,
    b: &'q B,
    paths: [Path; 2],
    sizes: [Size; 2],
    margin: f64,
    pub tolerance: f64,
    /// How much farther bodies that touch at the start may sink in.
    sink: f64,
    /// What it may take, and what it has taken.
    most_work: u32,
    meter: Meter,
}

/// Cosine of the angle to the normal of a half-space up to which a direction is that normal.
const PARALLEL: f64 = 1.0 - 1e-6;

/// Counts work.
#[derive(Debug, Default)]
struct Meter {
    measured: Cell<u32>,
    compared: Cell<u32>,
}

impl Meter {
    fn measure(&self) {
        self.measured.set(self.measured.get().saturating_add(1));
    }

    fn compare(&self) {
        self.compared.set(self.compared.get().saturating_add(1));
    }

    fn work(&self) -> u32 {
        self.measured.get().saturating_mul(EVALUATION).saturating_add(self.compared.get() / 8)
    }
}

/// The first touch.
pub(super) struct Met {
    pub time: f64,
    /// In the frame of A at that time.
    between: Between,
    /// What a query found at the start.
    contact: Option<Contact>,
    pub is_exact: bool,
}

/// What hulls tell of a sweep.
pub(super) enum Stage {
    /// The bodies do not meet.
    Apart,
    /// They do.
    Met(Met),
    /// It is for the bodies themselves to tell.
    Open(Open),
}

/// A sweep from when on hulls overlap.
pub(super) struct Open {
    pub time: f64,
    /// Upper bound of how far the bodies close in from then on.
    pub way: f64,
    /// They may come no nearer than this.
    least: f64,
    between: Between,
}

impl Open {
    /// Overlapping hulls at the start.
    pub fn at_start(between: Between, way: f64) -> Self {
        Self { time: 0.0, way, least: 0.0, between }
    }

    /// That the hulls meet: what can be said if nothing is known of the bodies.
    pub fn as_met(&self) -> Met {
        Met { time: self.time, between: self.between, contact: None, is_exact: false }
    }
}

/// How two bodies are at the start, if their hulls touch.
enum Start {
    /// They meet.
    Meet(Met),
    /// They touch where their hulls are themselves, and may come no nearer than this.
    Touch(f64),
    /// The hulls tell nothing of them. They may come no nearer than this.
    Inside(f64),
}

impl<'q, A: Body, B: Body> Sweep<'q, A, B> {
    pub fn new(a: &'q A, b: &'q B, paths: [Path; 2], options: &SweepOptions) -> Self {
        let axis = |path: &Path| path.at(0.0).rotation.inverse() * path.angular;
        let sizes = [a.size(&axis(&paths[0])), b.size(&axis(&paths[1]))];
        let margin =
            limits(&QueryOptions { margin: options.margin, ..Default::default() }, a.radius().min(b.radius())).margin;
        let pose = paths[0].at(0.0);
        let way = Closing::new(paths.each_ref(), &pose, sizes, 0.0).way();
        let usual = (OF_MARGIN * margin).min(OF_WAY * way);
        // Half of it is kept as a gap: more than the hulls may be off.
        let tolerance = options.tolerance.unwrap_or(usual).max(2.0 * (a.rounding() + b.rounding()));
        let sink = (SINK * margin).max(tolerance);
        Self { a, b, paths, sizes, margin, tolerance, sink, most_work: MOST_WORK, meter: Meter::default() }
    }

    /// The same with less work, and with tolerance for an overlap from the start.
    pub fn within(self, work: u32) -> Self {
        Self { most_work: work.min(MOST_WORK), ..self }
    }

    /// Units of work so far.
    pub fn work(&self) -> u32 {
        self.meter.work()
    }

    /// The hulls at the start, and whether they are nearest where the bodies are.
    pub fn at_start(&self) -> (Between, bool) {
        let (_, placed, _) = self.at(0.0);
        let direction = self.paths[0].centre(0.0) - self.paths[1].centre(0.0);
        let start = self.paths[0].at(0.0).rotation.inverse_transform_vector(&direction);
        let between = between_hulls(self.a, self.b, &placed, &start, f64::INFINITY);
        self.meter.measure();
        (between, self.is_on_bodies(&between, &placed))
    }

    /// The gap of the hulls along a direction of the world at a time; negative: they overlap along it.
    pub fn gap_along(&self, direction: &Vector, time: f64) -> f64 {
        let (pose, placed, _) = self.at(time);
        let own = pose.rotation.inverse_transform_vector(direction);
        let lowest = self.a.hull().farthest(&-own).0.coords.dot(&own) - self.a.hull().margin();
        match self.b.plane() {
            // A half-space ends along its normal only.
            Some(plane) if (placed.rotation * plane.normal).dot(&own) < PARALLEL => f64::NEG_INFINITY,
            _ => {
                let hull = Placed::new(self.b.hull(), &placed);
                lowest - hull.farthest(&own).0.coords.dot(&own) - hull.margin()
            }
        }
    }

    /// The samples of either that come through the plane of the other across a direction of the world by most at the end of the step, if points move
    /// in straight lines, as solvers see them: where they are at the start, their gap to that plane then, their number, and whether they are of B. None
    /// of a half-space.
    pub fn ends_in_straight_line(&self, direction: &Vector) -> [Option<(Point, f64, u32, bool)>; 2] {
        let poses = self.paths.each_ref().map(|path| path.at(0.0));
        // Displacement of a point x along the direction is x · (direction × turn), but for a constant.
        let spin = self.paths.each_ref().map(|path| path.angular);
        let relative = direction.cross(&(spin[0] - spin[1]));
        let into = |k: usize, v: Vector| poses[k].rotation.inverse_transform_vector(&v);
        let own = |along: Vector| {
            let (at, id) = self.a.hull().farthest(&into(0, along).normalize());
            (poses[0] * at, id)
        };
        let other = |along: Vector| {
            let (at, id) = self.b.hull().farthest(&into(1, along).normalize());
            (poses[1] * at, id)
        };
        let (margin_a, margin_b) = (self.a.hull().margin(), self.b.hull().margin());
        let low = direction.dot(&own(-direction).0.coords) - margin_a;
        let high = match self.b.plane() {
            Some(plane) => (poses[1] * Point::from(plane.normal * plane.offset)).coords.dot(direction),
            None => direction.dot(&other(*direction).0.coords) + margin_b,
        };
        let (at, id) = own(-(direction + relative));
        let of_a = (at, direction.dot(&at.coords) - margin_a - high, id, false);
        let of_b = self.b.plane().is_none().then(|| {
            let (at, id) = other(direction - relative);
            (at, low - direction.dot(&at.coords) - margin_b, id, true)
        });
        [Some(of_a), of_b]
    }

    /// The samples of A or of B that reach out farthest across a direction of the world, at the start, and their numbers.
    pub fn farthest_across(&self, direction: &Vector, of_b: bool) -> [(Point, u32); 4] {
        let pose = self.paths[of_b as usize].at(0.0);
        let least = direction.iamin();
        let side = direction.cross(&Vector::ith(least, 1.0)).normalize();
        let other = direction.cross(&side);
        [side, -side, other, -other].map(|along| {
            let own = pose.rotation.inverse_transform_vector(&along);
            let (at, id) = if of_b { self.b.hull().farthest(&own) } else { self.a.hull().farthest(&own) };
            (pose * at, id)
        })
    }

    /// Options for a query at the start.
    fn query(&self, origin: Vector) -> QueryOptions {
        QueryOptions { margin: Some(self.margin), origin: Some(origin.into()), ..Default::default() }
    }

    /// Pose of A at a time, that of B in the frame of A, and how they close in.
    fn at(&self, t: f64) -> (Pose, Pose, Closing) {
        let [own, other] = self.paths.each_ref().map(|path| path.at(t));
        (own, own.inv_mul(&other), Closing::new(self.paths.each_ref(), &own, self.sizes, t))
    }

    fn is_on_bodies(&self, between: &Between, placed: &Pose) -> bool {
        let [on_a, on_b] = &between.points;
        let within = 0.5 * self.tolerance;
        self.a.is_on(on_a, within) && self.b.is_on(&placed.inverse_transform_point(on_b), within)
    }

    /// `contact` tells the deepest contact at the start.
    fn run(&self, contact: impl FnOnce() -> Option<Contact>) -> Option<Met> {
        match self.by_hulls(Some(contact), 0.5 * self.tolerance) {
            Stage::Apart => None,
            Stage::Met(met) => Some(met),
            Stage::Open(open) => self.by_triangles(open),
        }
    }

    /// As far as the hulls tell, until they come nearer than `least`. `contact` as above; `None` if there is no contact at the start.
    pub(super) fn by_hulls(&self, mut contact: Option<impl FnOnce() -> Option<Contact>>, mut least: f64) -> Stage {
        let mut t = 0.0;
        let mut direction = self.paths[0].centre(0.0) - self.paths[1].centre(0.0);
        for _ in 0..MOST_STEPS {
            let (pose, placed, closing) = self.at(t);
            self.meter.measure();
            let start = pose.rotation.inverse_transform_vector(&direction);
            let between = between_hulls(self.a, self.b, &placed, &start, closing.way() + least);
            if between.gap - least > closing.way() {
                return Stage::Apart;
            }
            let is_near = between.gap - least <= 0.25 * self.tolerance;
            match contact.take() {
                Some(contact) if between.gap <= self.tolerance => {
                    match self.start(&between, &placed, &closing, contact) {
                        Start::Meet(met) => return Stage::Met(met),
                        Start::Touch(nearest) => least = nearest,
                        Start::Inside(least) => {
                            return Stage::Open(Open { time: t, way: closing.way(), least, between });
                        }
                    }
                }
                _ if is_near && self.is_on_bodies(&between, &placed) => {
                    return Stage::Met(Met { time: t, between, contact: None, is_exact: true });
                }
                _ if is_near => return Stage::Open(Open { time: t, way: closing.way(), least, between }),
                _ => {}
            }
            let hulls = (self.a.hull(), &Placed::new(self.b.hull(), &placed));
            let left = 1.0 - t;
            let safe = closing.safe_time(hulls, &between.normal, [least, 0.1 * self.tolerance], left);
            if safe >= left {
                return Stage::Apart;
            }
            if t + safe <= t || self.is_over() {
                return Stage::Met(Met { time: t, between, contact: None, is_exact: false });
            }
            t += safe;
            direction = pose.rotation * between.normal;
        }
        // The hulls have not met yet, but will they?
        let (_, placed, _) = self.at(t);
        let between = between_hulls(self.a, self.b, &placed, &direction, f64::INFINITY);
        Stage::Met(Met { time: t, between, contact: None, is_exact: false })
    }

    /// Bodies whose hulls touch at the start.
    fn start(
        &self,
        between: &Between,
        placed: &Pose,
        closing: &Closing,
        contact: impl FnOnce() -> Option<Contact>,
    ) -> Start {
        let meet = |between: &Between, contact: Option<Contact>| {
            Start::Meet(Met { time: 0.0, between: *between, contact, is_exact: true })
        };
        let closes_in = |between: &Between| closing.parting(&between.normal, &between.points) < -self.sink;
        if between.gap >= -self.margin && self.is_on_bodies(between, placed) {
            return if closes_in(between) { meet(between, None) } else { Start::Touch(between.gap - self.sink) };
        }
        if let Some(contact) = contact().filter(|contact| contact.depth as f64 > self.margin) {
            return meet(between, Some(contact));
        }
        let Some(parts) = Parts::new(self.a, self.b, placed) else { return meet(between, None) };
        let nearest = parts.nearest(self.tolerance, &|is_pair| self.spend(is_pair)).map(|near| near.between);
        match nearest {
            // They may be any near.
            None if self.is_over() => Start::Meet(Met { time: 0.0, between: *between, contact: None, is_exact: false }),
            None => Start::Inside(0.5 * self.tolerance),
            Some(near) if near.gap < -self.margin || closes_in(&near) => meet(&near, None),
            Some(near) => Start::Inside((near.gap - self.sink).min(0.5 * self.tolerance)),
        }
    }

    /// Goes on from a time with the triangles of the bodies.
    pub(super) fn by_triangles(&self, Open { time: mut t, least, between: hulls, .. }: Open) -> Option<Met> {
        let mut last = None;
        for _ in 0..MOST_STEPS {
            let (_, placed, closing) = self.at(t);
            let Some(parts) = Parts::new(self.a, self.b, &placed) else { break };
            let left = 1.0 - t;
            let lengths = [least, 0.1 * self.tolerance];
            let (safe, limiting) =
                parts.safe_time(&closing, lengths, left, last.as_ref(), &|is_pair| self.spend(is_pair));
            if self.is_over() {
                last = limiting.or(last);
                break;
            }
            if safe >= left {
                return None;
            }
            let Some(near) = limiting else { break };
            if near.between.gap - least <= 0.25 * self.tolerance || t + safe <= t {
                return Some(Met { time: t, between: near.between, contact: None, is_exact: true });
            }
            t += safe;
            last = Some(near);
        }
        let between = last.map_or(hulls, |near| near.between);
        Some(Met { time: t, between, contact: None, is_exact: false })
    }

    /// Counts a pair of triangles or of boxes; false if there is nothing left.
    fn spend(&self, is_pair: bool) -> bool {
        if is_pair {
            self.meter.measure();
        } else {
            self.meter.compare();
        }
        !self.is_over()
    }

    /// Whether the work did not suffice.
    pub fn is_over(&self) -> bool {
        self.meter.work() >= self.most_work
    }

    /// `shift`: from the origin of contacts to that of the paths.
    pub fn impact(&self, met: &Met, shift: &Vector, flip: bool) -> Impact {
        let single = |v: Vector| [v.x as f32, v.y as f32, v.z as f32];
        let sign = if flip { -1.0 } else { 1.0 };
        if let Some(contact) = met.contact {
            let [point, normal] = [contact.point, contact.normal].map(|v| Vector::from(v.map(f64::from)));
            let feature = if flip { contact.feature ^ 1 << 31 } else { contact.feature };
            let contact = Contact { point: single(point + shift), normal: single(normal * sign), feature, ..contact };
            return Impact { time: met.time, contact, is_exact: met.is_exact };
        }
        let (pose, placed, _) = self.at(met.time);
        let Between { gap, normal, points } = &met.between;
        let middle = pose * nalgebra::center(&points[0], &points[1]);
        // The sample that touches, if one does.
        let is_at = |found: (Point, u32), at: &Point, radius: f64| {
            (found.1 != NONE && (found.0 - at).norm() <= radius + 2.0 * self.tolerance).then_some(found.1)
        };
        let hull_b = Placed::new(self.b.hull(), &placed);
        let of_a = is_at(self.a.hull().farthest(&-normal), &points[0], self.a.hull().margin());
        let of_b = || is_at(hull_b.farthest(normal), &points[1], hull_b.margin());
        let (is_of_b, id) = match of_a {
            Some(id) => (false, id),
            None => of_b().map_or((false, Feature::MANY), |id| (true, id)),
        };
        let feature = Feature { of_b: is_of_b != flip, kind: FeatureKind::Sample, id }.encoded();
        let contact = Contact {
            point: single(middle.coords + shift),
            depth: -gap as f32,
            normal: single(pose.rotation * normal * sign),
            feature,
        };
        Impact { time: met.time, contact, is_exact: met.is_exact }
    }
}
