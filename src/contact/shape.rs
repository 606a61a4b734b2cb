//! Contacts of an object and a plain shape.
//!
//! Samples of the object are tested against the shape's field, and samples of the shape (corners, vertices, the centre
//! of a ball, points of a capsule's axis, the caller's points) against the object's field: what pokes into the middle
//! of a coarse face meets none of the object's samples.
//!
//! A sample of a shape pushes only out of the shape. Otherwise a vertex of flat ground just inside the side of a
//! sliding box, a little above its bottom, would stop the box: its shortest way out of the box is along the ground. So
//! the normal is the shape's own outward direction there, if it is near the object's; else there is no contact.

use super::body_field::{BodyField, reach};
use super::budget::{EVALUATION, Level};
use super::edges::{Creased, add_contacts};
use super::feature::FeatureKind;
use super::front::Whole;
use super::known::{KEPT, KnownFeatures};
use super::memory::{PairMemory, Placed, key_of};
use super::scratch::{OwnSample, Scratch, with_scratch};
use super::search::{Candidate, Direction, Limits, PairRelation, Touch};
use super::select::{Pair, Selection};
use super::setup::{Placing, across, best_plane, check_pose, finish, limits, tied, tree_of};
use super::traverse::{Traversal, Walk, traverse};
use super::{Contact, Mode, QueryOptions, QueryStats, Structure};
use crate::body::Object;
use crate::culling::walls::Walls;
use crate::error::Result;
use crate::field::shape::Shape;
use crate::field::{Culling, Field};
use crate::field::{DepthQuery, SurfacePoint};
use crate::geom::lanes::LANES;
use crate::geom::pinned::hypot;
use crate::geom::{Local, NONE, Point, Pose, Vector};

/// Offset along the push at which the shape's outward direction is read, as a share of the object's radius. Above
/// rounding (1e-6) and below any feature that matters.
const OUT: f64 = 0.001;
/// Cosine of 60 degrees: largest angle between the outward directions of object and shape at a contact. Wide enough for
/// rims of boxes (45 degrees), and rejects pushes along the ground (90 degrees). Also drops corners that went through a
/// thin plate.
const NEAR: f64 = 0.5;
/// A sample of a capsule moves along the axis if it gets deeper by at least this share of the radius: below the
/// accuracy of the search (0.3 %, docs/measurements.md), so samples along a face stay in place.
const DEEPER: f64 = 0.001;
/// Evaluations per parabolic search between three samples of an axis. Trades cost for accuracy: with five, 95 % of
/// capsules are within 0.3 % of the radius (docs/measurements.md).
const LOOKS: usize = 5;
/// Up to this distance from the nearest sample, in mean edges, the surface is searched exhaustively; beyond, `descend`
/// walks from that sample. The search grows with the volume, and for wide balls samples are dense. Found by trial.
const WIDE: f64 = 3.0;
/// `descend` stops when a step gains less than this share of an edge: a tenth of the accuracy of balls, 0.001 edges
/// (docs/measurements.md).
const ENOUGH: f64 = 1e-4;
/// Upper bound of the steps of `descend`. Then less than a hundredth of an edge is left, since samples are dense for a
/// wide ball.
const STEPS: usize = 8;

/// Finds the contacts between an object and a plain shape; the shape is B. Appends to `out` in greedy order, deepest
/// first.
pub fn query_shape<S: Shape>(
    a: &Object,
    pose_a: &Pose,
    shape: &S,
    pose_shape: &Pose,
    options: &QueryOptions,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    query(a, pose_a, shape, pose_shape, options, &KnownFeatures::default(), out)
}

fn query<S: Shape>(
    a: &Object,
    pose_a: &Pose,
    shape: &S,
    pose_shape: &Pose,
    options: &QueryOptions,
    known: &KnownFeatures,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    options.check()?;
    check_pose(pose_a, "pose_a")?;
    check_pose(pose_shape, "pose_shape")?;
    let tree = match options.structure {
        Structure::Buckets => None,
        Structure::SphereTree => Some(tree_of(a)?),
    };
    let radius = reach(a);
    let limits = limits(options, radius);
    let into_shape =
        Direction::new(a, &pose_shape.inv_mul(pose_a), ByReference(shape), 1.0, false, PairRelation::Anyone);
    let into_object = IntoObject::new(shape, pose_a.inv_mul(pose_shape), a, &limits);
    let origin = options.origin.map_or(pose_a.translation.vector, Into::into);
    let to_world = Placing { origin, flip: false };
    Ok(with_scratch(|Scratch { candidates, passages, open, closed, working, queues, contacts, samples, .. }, stats| {
        stats.work = 1;
        let mut is_done = into_object.gather(limits.budget, stats, samples, &mut candidates[1]);
        let poses = [pose_shape, pose_a];
        let pair = ShapePair { into_shape, into_object, samples, poses, limits: &limits, known, to_world };
        if let Some(tree) = tree {
            let walks = [Walk::new(tree, a, &pair.into_shape)];
            is_done &= traverse(&walks, Traversal::default(), &limits, queues, stats, contacts, |_, touch| {
                pair.to_world.contact(touch, pose_shape, false)
            });
            is_done &= pair.add_own(&candidates[1], stats, contacts);
        } else {
            if limits.budget < u32::MAX {
                let end = stats.work + (limits.budget - stats.work) / 2;
                let [found, closed] = [&mut candidates[0], &mut closed[0]];
                is_done &= pair.into_shape.gather_within(&Walls::NONE, &limits, end, open, stats, found, closed);
                is_done &= closed.is_empty();
            } else {
                pair.into_shape.gather(&Walls::NONE, &limits, stats, &mut candidates[0]);
            }
            Selection::new(&pair, candidates, &limits, stats, contacts, working).run();
            // Samples find all that touches a half-space; balls and capsules have their own search.
            if shape.bounds().is_some() && !options.points_only && options.mode != Mode::Full {
                let (creases, direction) = (a.creases(), &pair.into_shape);
                let sides = [Creased { creases, direction, walls: &Walls::NONE, pose: pose_shape }];
                let are_apart = || false;
                is_done &=
                    add_contacts(&sides, &limits, radius, &pair.to_world, known, are_apart, passages, stats, contacts);
            }
        }
        if !is_done || stats.is_interrupted() {
            stats.level = Level::reached(contacts.len(), limits.target);
            if contacts.is_empty() {
                stats.level = Level::Bodies;
                match as_whole(a, shape, &pose_shape.inv_mul(pose_a), &limits) {
                    Some(touch) => contacts.push(pair.to_world.contact(&touch, pose_shape, false)),
                    None => stats.level = Level::All,
                }
            }
        }
        finish(contacts, radius, &limits, options, known, stats, out);
    }))
}

/// The contact of a shape and an object as a whole, in the frame of the shape; `None` if the ball around the object is apart.
fn as_whole(object: &Object, shape: &impl Shape, placed: &Pose, limits: &Limits) -> Option<Touch> {
    let (samples, radius) = (object.samples(), reach(object));
    let centre = object.asset().centre() + samples.middle.cast::<f64>();
    let middle = placed * (centre * object.scale());
    let inside = shape.depth(&middle).map(|way| (-way.distance, way.outward));
    let outside = || shape.separation(&middle, radius + limits.margin).map(|way| (way.distance, way.outward));
    let (distance, normal) = inside.or_else(outside)?;
    // How far the object reaches towards the shape, by its planes.
    let own = -(placed.rotation.inverse() * normal).cast();
    let reach = samples.supports.reach_along(&own, &samples.middle, &samples.half) - own.dot(&samples.middle);
    let depth = (reach as f64 * object.scale() - distance).max(-limits.margin);
    Some(Whole { normal, height: normal.dot(&middle.coords) - distance, depth, middle }.touch())
}

/// The same with what the caller keeps of the pair between queries: contacts stay the same while the two do not move. A memory is of one
/// shape: start with an empty one if the shape changes.
pub fn query_shape_remembered<S: Shape>(
    a: &Object,
    pose_a: &Pose,
    shape: &S,
    pose_shape: &Pose,
    options: &QueryOptions,
    memory: &mut PairMemory,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    check_pose(pose_a, "pose_a")?;
    check_pose(pose_shape, "pose_shape")?;
    let origin = options.origin.map_or(pose_a.translation.vector, Into::into);
    let poses = Placed { a: pose_a, b: pose_shape, origin };
    let margin = limits(options, reach(a)).margin;
    memory.claim(key_of(a, shape.sample_count() as u64));
    // The smaller radius. Round shapes roll, and kept contacts of a body that rolls lie behind its middle and speed it up.
    let sizes = [shape.bounds().map(|b| b.radius()), Some(shape.sample_radius()).filter(|r| *r > 0.0)];
    let radius = sizes.into_iter().flatten().fold(reach(a), f64::min);
    if let Some(stats) = memory.recall(a, &poses, margin, radius, out) {
        return Ok(stats);
    }
    let before = out.len();
    let options = QueryOptions { max_contacts: options.max_contacts.min(KEPT as u32), ..*options };
    let stats = query(a, pose_a, shape, pose_shape, &options, &memory.features(), out)?;
    if !stats.is_interrupted() {
        memory.keep(&out[before..], &poses, margin);
    }
    Ok(stats)
}

/// A borrowed field.
struct ByReference<'a, F: Field>(&'a F);

impl<F: Field> Field for ByReference<'_, F> {
    fn depth(&self, p: &Point) -> Option<SurfacePoint> {
        self.0.depth(p)
    }
    fn separation(&self, p: &Point, margin: f64) -> Option<SurfacePoint> {
        self.0.separation(p, margin)
    }
    fn bound(&self, base: &Point, offset: &Local) -> f64 {
        self.0.bound(base, offset)
    }
}

impl<F: Field> Culling for ByReference<'_, F> {}

/// Samples of a shape against the field of an object. The field is in the units of the asset, everything else in
/// metres.
struct IntoObject<'a, S: Shape> {
    shape: &'a S,
    /// Radius around each sample that is solid; 0 for points.
    radius: f64,
    /// From the shape's frame to the object's.
    placed: Pose,
    field: BodyField<'a>,
    scale: f64,
    relation: PairRelation,
    margin: f64,
    /// Offset along the push at which the shape's outward direction is read.
    out: f64,
    object: &'a Object,
}

impl<'a, S: Shape> IntoObject<'a, S> {
    fn new(shape: &'a S, placed: Pose, object: &'a Object, limits: &Limits) -> Self {
        let radius = reach(object);
        let relation = shape.bounds().map_or(PairRelation::Anyone, |bounds| {
            let (apart, normal) = best_plane(object, &bounds, &placed);
            across(normal, apart, tied(object, limits), radius, object)
        });
        Self {
            shape,
            radius: shape.sample_radius(),
            placed,
            field: BodyField::new(object, radius),
            scale: object.scale(),
            relation,
            margin: limits.margin,
            out: OUT * radius,
            object,
        }
    }

    /// Position of a point of the shape in the frame of the field.
    fn place(&self, at: &Point) -> Point {
        (self.placed * at) / self.scale
    }

    /// Upper bound of the depth of a sample with its radius; negative if it is outside.
    fn most(&self, at: &Point) -> f64 {
        self.radius - self.field.bound(&self.place(at), &Local::zeros()) * self.scale
    }

    /// Gathers the samples that may touch; false if the budget does not suffice.
    fn gather(
        &self,
        budget: u32,
        stats: &mut QueryStats,
        samples: &mut Vec<OwnSample>,
        found: &mut Vec<Candidate>,
    ) -> bool {
        samples.clear();
        let count = self.shape.sample_count();
        if !stats.spend(count.div_ceil(LANES as u32), budget) {
            return false;
        }
        stats.points_tested += count;
        let apart =
            if self.shape.is_line() && count > 1 { (self.shape.sample(1) - self.shape.sample(0)).norm() } else { 0.0 };
        // A contact between two samples of a line is seen from the nearer one, at a slightly larger distance.
        let margin = self.margin + hypot(self.radius, 0.5 * apart) - self.radius;
        let all =
            (0..count).map(|number| OwnSample { at: self.shape.sample(number), number, depth: f64::NEG_INFINITY });
        samples.extend(all.filter(|sample| self.most(&sample.at) >= -margin));
        let is_done = apart == 0.0 || self.search_line(apart, margin, budget, samples, stats);
        for (sample, id) in samples.iter().zip(0..) {
            let most = self.most(&sample.at);
            if most >= -self.margin {
                let at = (self.place(&sample.at) - self.field.middle).cast();
                found.push(Candidate { at, id, bucket: NONE, crack: 0, most: most as f32, likely: most as f32 });
            }
        }
        is_done
    }

    /// Moves the samples of a line, `apart` from each other, that are deeper than their neighbours to the deepest point
    /// between them; false if the budget does not suffice.
    fn search_line(
        &self,
        apart: f64,
        margin: f64,
        budget: u32,
        samples: &mut [OwnSample],
        stats: &mut QueryStats,
    ) -> bool {
        let mut is_done = true;
        let mut depth = |at: &Point, margin: f64| {
            is_done &= stats.spend(EVALUATION, budget);
            if !is_done {
                return f64::NEG_INFINITY;
            }
            stats.evaluations += 1;
            self.ball(at, margin).map_or(f64::NEG_INFINITY, |(depth, _)| depth)
        };
        samples.iter_mut().for_each(|sample| sample.depth = depth(&sample.at, margin));
        for k in 0..samples.len() {
            let own = samples[k];
            let beside = [own.number.wrapping_sub(1), own.number + 1];
            let near = &samples[k.saturating_sub(1)..(k + 2).min(samples.len())];
            let is_deeper = |other: &OwnSample| beside.contains(&other.number) && other.depth > own.depth;
            // The ends of the line stay.
            let is_end = beside.iter().any(|number| *number >= self.shape.sample_count());
            if is_end || own.depth == f64::NEG_INFINITY || near.iter().any(is_deeper) {
                continue;
            }
            let along = self.shape.sample(beside[1]) - self.shape.sample(own.number);
            // Between the two neighbours the surface is no farther than this.
            let mut at = |t: f64| (t, depth(&(own.at + along * t), apart - own.depth));
            let known = beside.map(|number| near.iter().find(|s| s.number == number && s.depth > f64::NEG_INFINITY));
            let [low, high] =
                [(-1.0, known[0]), (1.0, known[1])].map(|(t, s)| s.map_or_else(|| at(t), |s| (t, s.depth)));
            let mut three = [low, (0.0, own.depth), high];
            for _ in 0..LOOKS {
                // Parallel to a face all depths are equal: nothing to gain.
                let flat = three.iter().all(|(_, depth)| *depth > three[1].1 - DEEPER * self.radius);
                let Some(top) = top_of_parabola(&three).filter(|_| !flat) else { break };
                let there = at(top);
                let [low, middle, high] = three;
                three = match (there.1 > middle.1, top < middle.0) {
                    (true, true) => [low, there, middle],
                    (true, false) => [middle, there, high],
                    (false, true) => [there, middle, high],
                    (false, false) => [low, middle, there],
                };
            }
            let (shift, most) = three[1];
            if most > own.depth + DEEPER * self.radius {
                samples[k].at = own.at + along * shift;
            }
        }
        is_done
    }

    /// Depth of the ball around a sample, or its gap as a negative depth if no larger than `margin`, and the direction
    /// out of the object.
    fn ball(&self, at: &Point, margin: f64) -> Option<(f64, Vector)> {
        let p = self.place(at);
        let limit = (self.radius + margin) / self.scale;
        let in_metres = |(depth, outward): (f64, Vector)| (self.radius + depth * self.scale, outward);
        if let Some(inside) = self.field.touch(&p, &DepthQuery::ANY) {
            return Some(in_metres(inside));
        }
        let edge = self.object.asset().mean_edge();
        let (nearest, far) = self.object.samples().nearest(&(p - self.field.middle).cast())?;
        if far as f64 > WIDE * edge {
            return self.descend(&p, self.field.middle + nearest.cast::<f64>(), edge, limit).map(in_metres);
        }
        // Search outwards from the lower bound: the contact region of a ball is a small part of its surroundings.
        let limit = limit.min(far as f64 + 2.0 * self.field.rounding());
        let mut reach = self.field.field.clearance(&p).max(self.field.bound(&p, &Local::zeros()));
        let mut step = 0.5 * edge;
        while reach < limit {
            reach = (reach + step).min(limit);
            if let Some(touch) = self.field.touch(&p, &DepthQuery { margin: reach, ..DepthQuery::ANY }) {
                return Some(in_metres(touch));
            }
            step *= 2.0;
        }
        None
    }

    /// Gap of a point far outside, as a negative depth, and the outward direction, if the gap is no larger than
    /// `limit`. Descends from a point `on` the surface: repeatedly to the closest point of a point one edge nearer to
    /// `p`.
    fn descend(&self, p: &Point, mut on: Point, edge: f64, limit: f64) -> Option<(f64, Vector)> {
        let mut gap = (p - on).norm();
        for _ in 0..STEPS {
            let near = on + (p - on) * (edge / gap);
            let ask = DepthQuery { margin: edge * (1.0 + 1e-3), ..DepthQuery::ANY };
            let Some((depth, outward)) = self.field.touch(&near, &ask) else { break };
            let next = near + outward * depth;
            let left = (p - next).norm();
            let gained = gap - left;
            if gained > 0.0 {
                (on, gap) = (next, left);
            }
            if gained < ENOUGH * edge {
                break;
            }
        }
        (gap <= limit).then(|| (-gap, (p - on) / gap))
    }

    /// Depth or gap of a point of the shape's surface, and the direction out of the object.
    fn point(&self, at: &Point, most: f64, needed: f64) -> Option<(f64, Vector)> {
        let units = 1.0 / self.scale;
        let towards = if let PairRelation::Other(towards) = self.relation { Some(towards) } else { None };
        let ask = DepthQuery {
            most: most * units,
            needed: needed * units,
            margin: self.margin * units,
            facing: None,
            towards,
            along: false,
        };
        let (depth, outward) = self.field.touch(&self.place(at), &ask)?;
        Some((depth * self.scale, self.out_of_shape(at, outward)?))
    }

    /// Replaces the direction out of the object by the shape's own inward direction at that point; `None` if they
    /// differ by more than 60 degrees.
    fn out_of_shape(&self, at: &Point, outward: Vector) -> Option<Vector> {
        let push = -(self.placed.rotation.inverse() * outward);
        let there = at + push * self.out;
        let Some(way) = self.shape.depth(&there).or_else(|| self.shape.separation(&there, 2.0 * self.out)) else {
            return Some(outward);
        };
        (way.outward.dot(&push) >= NEAR).then(|| -(self.placed.rotation * way.outward))
    }

    /// Evaluates a sample; `None` if it does not touch, or is not deeper than `needed`.
    fn evaluate(&self, sample: &OwnSample, most: f64, needed: f64) -> Option<Touch> {
        let (depth, outward) = match self.radius > 0.0 {
            true => self.ball(&sample.at, self.margin)?,
            false => self.point(&sample.at, most, needed)?,
        };
        let depth = depth.min(most.max(0.0));
        let at = self.placed * sample.at - outward * self.radius;
        (depth > needed).then_some(Touch { at, depth, outward, kind: FeatureKind::Sample, id: sample.number })
    }
}

/// Maximum of the parabola through three points in ascending order, the second the highest; `None` if it falls on one
/// of them or outside.
fn top_of_parabola([a, b, c]: &[(f64, f64); 3]) -> Option<f64> {
    let (left, right) = ((b.0 - a.0) * (b.1 - c.1), (b.0 - c.0) * (b.1 - a.1));
    let top = b.0 - 0.5 * ((b.0 - a.0) * left - (b.0 - c.0) * right) / (left - right);
    (top > a.0 && top < c.0 && top != b.0).then_some(top)
}

/// An object and a plain shape for the selection.
struct ShapePair<'a, S: Shape> {
    into_shape: Direction<'a, ByReference<'a, S>>,
    into_object: IntoObject<'a, S>,
    samples: &'a [OwnSample],
    /// Poses of the fields: of the shape, of the object.
    poses: [&'a Pose; 2],
    limits: &'a Limits,
    known: &'a KnownFeatures,
    to_world: Placing,
}

impl<S: Shape> ShapePair<'_, S> {
    /// Adds contacts of the shape's samples to those of the object's samples; false if the budget does not suffice.
    fn add_own(&self, candidates: &[Candidate], stats: &mut QueryStats, contacts: &mut Vec<Contact>) -> bool {
        let mut deepest = contacts.iter().map(|c| c.depth as f64).fold(f64::NEG_INFINITY, f64::max);
        for candidate in candidates {
            let Some(needed) = self.limits.needed(contacts.len(), deepest) else { return true };
            if candidate.most as f64 > needed {
                if !stats.spend(EVALUATION, self.limits.budget) {
                    return false;
                }
                stats.evaluations += 1;
                let contact = self.evaluate(1, candidate, needed);
                deepest = contact.map_or(deepest, |c| deepest.max(c.depth as f64));
                contacts.extend(contact);
            }
        }
        true
    }
}

impl<S: Shape> Pair for ShapePair<'_, S> {
    fn evaluate(&self, side: usize, candidate: &Candidate, needed: f64) -> Option<Contact> {
        let touch = match side {
            0 => self.into_shape.evaluate(candidate, needed, self.limits)?,
            _ => self.into_object.evaluate(&self.samples[candidate.id as usize], candidate.most as f64, needed)?,
        };
        Some(self.to_world.contact(&touch, self.poses[side], side == 1))
    }
    fn most(&self, _side: usize, candidate: &Candidate, _needed: f32) -> f32 {
        candidate.most
    }
    fn knows_any(&self) -> bool {
        !self.known.is_empty()
    }
    fn is_known(&self, side: usize, candidate: &Candidate) -> bool {
        let id = if side == 0 { candidate.id } else { self.samples[candidate.id as usize].number };
        self.known.contains(self.to_world.feature(FeatureKind::Sample, id, side == 1))
    }
    fn place(&self, _side: usize, candidate: &Candidate) -> Local {
        candidate.at
    }
}
