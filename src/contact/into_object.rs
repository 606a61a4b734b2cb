//! Samples of a plain shape against the field of an object.
//!
//! A sample of a shape pushes only out of the shape. Otherwise a vertex of flat ground just inside the side of a
//! sliding box, a little above its bottom, would stop the box: its shortest way out of the box is along the ground. So
//! the normal is the shape's own outward direction there, if it is near the object's; else there is no contact.

use super::QueryStats;
use super::body_field::{BodyField, reach};
use super::budget::EVALUATION;
use super::feature::FeatureKind;
use super::scratch::OwnSample;
use super::search::{Candidate, Limits, PairRelation, Touch};
use super::setup::{across, best_plane, tied};
use crate::body::Object;
use crate::field::shape::Shape;
use crate::field::{Culling, DepthQuery, Field};
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

/// Most sides of a ball: three in the corner of a room, and one to spare.
pub(super) const MOST_SIDES: usize = 4;

/// Samples of a shape against the field of an object. The field is in the units of the asset, everything else in
/// metres.
pub(super) struct IntoObject<'a, S: Shape> {
    pub shape: &'a S,
    /// Radius around each sample that is solid; 0 for points.
    pub radius: f64,
    /// From the shape's frame to the object's.
    pub placed: Pose,
    field: BodyField<'a>,
    scale: f64,
    relation: PairRelation,
    margin: f64,
    /// Offset along the push at which the shape's outward direction is read.
    out: f64,
    object: &'a Object,
}

impl<'a, S: Shape> IntoObject<'a, S> {
    pub fn new(shape: &'a S, placed: Pose, object: &'a Object, limits: &Limits) -> Self {
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

    /// Index of a side of a sample, as features have it.
    pub fn number_of_side(&self, number: u32, side: usize) -> u32 {
        number + self.shape.sample_count() * side as u32
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
    pub fn gather(
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
    pub fn ball(&self, at: &Point, margin: f64) -> Option<(f64, Vector)> {
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

    /// Depth of a point or its gap, up to this much beyond the margin, and the direction out of the object.
    pub fn surface(&self, at: &Point, beyond: f64) -> Option<(f64, Vector)> {
        let ask = DepthQuery { margin: (self.margin + beyond) / self.scale, ..DepthQuery::ANY };
        let (depth, outward) = self.field.touch(&(at / self.scale), &ask)?;
        Some((depth * self.scale, outward))
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
    pub fn evaluate(&self, sample: &OwnSample, most: f64, needed: f64) -> Option<Touch> {
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
