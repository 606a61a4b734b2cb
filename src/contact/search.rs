//! Finds the samples of one body that touch the field of another.
//!
//! Spheres around samples are left out where the field's bound says that nothing in them can touch, and, once there are
//! enough contacts, nothing in them can matter. Bounds are safe (docs/design.md, 4.4): they may let something through that
//! does not touch, never the other way round.

use super::{Mode, QueryStats};
use crate::body::Object;
use crate::field::fragment::Way;
use crate::field::shape::Field;
use crate::geom::{Point, Pose};
use crate::tree::buckets::{Buckets, Sphere};

/// A contact between a sample and a field, in the frame of the field.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// The sample.
    pub at: Point,
    /// Positive inside.
    pub depth: f64,
    /// Out of the field's body.
    pub outward: nalgebra::Vector3<f64>,
    /// Number of the sample.
    pub id: u32,
}

/// A sample that may touch.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Where it is, in the frame of the field.
    pub at: Point,
    /// Where it is, in the frame of the samples' object.
    pub own: Point,
    pub id: u32,
    /// It is not deeper than this. Parts of one body are disjoint where they were made, so no point is deeper in the other
    /// than it has moved since (docs/design.md, 4.5).
    pub most: f64,
}

/// How far apart touching bodies may be, and when a depth counts.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub mode: Mode,
    pub target: usize,
    pub margin: f64,
    pub tolerance: f64,
}

/// One direction of a query: samples of one body against the field of another.
pub struct Direction<'a, F: Field> {
    samples: &'a Buckets,
    /// Metres a unit of the samples' asset. Everything below is in metres.
    scale: f64,
    /// What sample positions are relative to, in the frame of their asset, and in that of the field.
    middle: Point,
    base: Point,
    /// From the frame of the samples' object to that of the field. Bounds are computed in single precision, depths in double.
    relative: Pose,
    turn: nalgebra::Matrix3<f32>,
    field: F,
    /// Whether the two are disjoint parts of one body.
    parted: bool,
}

impl<'a, F: Field> Direction<'a, F> {
    pub fn new(object: &'a Object, relative: Pose, field: F, parted: bool) -> Self {
        let (samples, scale) = (object.samples(), object.scale());
        let middle = object.asset().centre() * scale;
        let turn = (relative.rotation.to_rotation_matrix().matrix() * scale).cast();
        Self { samples, scale, middle, base: relative * middle, relative, turn, field, parted }
    }

    /// The samples that may touch, in the order of the buckets.
    pub fn gather(&self, limits: &Limits, stats: &mut QueryStats, found: &mut Vec<Candidate>) {
        for (group, sphere) in self.samples.groups.iter().enumerate() {
            stats.spheres_visited += 1;
            if !self.may_touch(sphere, limits) {
                continue;
            }
            for bucket in self.samples.buckets_of(group) {
                stats.spheres_visited += 1;
                if !self.may_touch(&self.samples.buckets[bucket], limits) {
                    continue;
                }
                for sample in &self.samples.samples[self.samples.samples_of(bucket)] {
                    stats.points_tested += 1;
                    let bound = self.field.bound(&self.base, &(self.turn * sample.at));
                    if bound <= limits.margin {
                        let own = self.middle + sample.at.cast::<f64>() * self.scale;
                        let at = self.relative * own;
                        let most = if self.parted { (-bound).min((at - own).norm()) } else { -bound };
                        found.push(Candidate { at, own, id: sample.id, most });
                    }
                }
            }
        }
    }

    fn may_touch(&self, sphere: &Sphere, limits: &Limits) -> bool {
        let reach = sphere.radius as f64 * self.scale + limits.margin;
        self.field.bound(&self.base, &(self.turn * sphere.centre)) <= reach
    }

    /// Depth or gap of a candidate; `None` if it does not touch.
    pub fn evaluate(&self, candidate: &Candidate, limits: &Limits) -> Option<Touch> {
        let touch = |depth: f64, outward| Touch { at: candidate.at, depth, outward, id: candidate.id };
        if let Some(Way { distance, outward }) = self.field.depth(&candidate.at) {
            // Rounding at rest, and depths that remember a crack too far away, end at what is possible.
            return Some(touch(distance.min(candidate.most.max(0.0)), outward));
        }
        let way = self.field.gap(&candidate.at, limits.margin)?;
        Some(touch(-way.distance, way.outward))
    }
}
