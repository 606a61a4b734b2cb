//! Finds the samples of one body that may touch the field of another, and looks at them.
//!
//! Spheres around samples are left out where the field's bound says that nothing in them can touch. Bounds are safe
//! (docs/formulations/samples-and-queries.md): they may let something through that does not touch, never the other way
//! round. They are computed in single precision, eight at a time; depths in double.

use super::{Mode, QueryStats};
use crate::body::Object;
use crate::culling::relief::Relief;
use crate::culling::supports::{Apart, Supports};
use crate::culling::walls::{Beyond, PlacedWalls, Walls};
use crate::field::Culling;
use crate::field::{DepthQuery, Facing, Towards};
use crate::geom::lanes::{LANES, LaneMask, Lanes, PointLanes, SphereLanes, lane_mask, lanes};
use crate::geom::simd::{Lanewise, widest};
use crate::geom::{Local, NONE, Point, Pose};
use crate::samples::buckets::{Buckets, Sample};
use std::ops::Range;

/// A contact between a sample and a field, in the frame of the field's object, in metres.
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
    /// Relative to the middle of the samples' asset.
    pub at: Local,
    pub id: u32,
    /// Its bucket, if it is on the crack towards the sibling that it may touch; else [`NONE`].
    pub bucket: u32,
    /// The crack of the field's body that it is farthest over, among its walls.
    pub crack: u32,
    /// It is not deeper than this, in metres.
    pub most: f32,
    /// It is probably about as deep as this: what sticks out here and there does not count.
    pub likely: f32,
}

/// How far apart touching bodies may be, and when a depth counts.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub mode: Mode,
    pub target: usize,
    pub margin: f64,
    pub tolerance: f64,
    /// As a share of the deepest depth, if that is more.
    pub share: f64,
    pub along_normal: bool,
}

impl Limits {
    /// How deep a further contact must be when there are `found` of them; `None` if there are enough.
    pub fn needed(&self, found: usize, deepest: f64) -> Option<f64> {
        match self.mode {
            _ if found < self.target => Some(f64::NEG_INFINITY),
            Mode::Full => Some(f64::NEG_INFINITY),
            Mode::Exactly => None,
            Mode::TargetThenDeep => Some(self.tolerance),
            Mode::TargetThenDeeper => Some(deepest + self.tolerance.max(self.share * deepest)),
        }
    }
}

/// One direction of a query: samples of one body against the field of another.
///
/// Objects have sizes: a sample at `x` in the units of its asset is at `relative * (ratio * x)` in the units of the field's.
/// All lengths are in the latter, but for what goes in and out: limits, candidates' depths and touches are in metres.
pub struct Direction<'a, F: Culling> {
    samples: &'a Buckets,
    /// What sample positions are relative to, in the frame of their asset, and in that of the field.
    middle: Point,
    base: Point,
    relative: Pose,
    ratio: f64,
    turn: nalgebra::Matrix3<f32>,
    field: F,
    /// Metres a unit of the field.
    scale: f64,
    /// How samples have moved against the field, if the two are disjoint parts of one body: by `turn * p + shift`.
    moved: Option<(nalgebra::Matrix3<f32>, Local)>,
    /// For the field: who asks.
    relation: PairRelation,
    /// The buckets of the crack towards the field's object, if the two are siblings.
    interface: Range<usize>,
}

/// How far the samples of one body are beyond the planes of another.
#[derive(Default)]
pub struct Separation {
    /// How far apart the two are along the plane that separates them best, in metres; negative: how far they overlap there.
    pub apart: f64,
    /// Of that plane, out of the field's body.
    pub normal: Local,
    /// By plane.
    planes: Apart,
}

struct Separating<'q> {
    supports: &'q Supports,
    placed: PlacedWalls<'q>,
    scale: f64,
    separation: &'q mut Separation,
}

impl Lanewise for Separating<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Separation { apart, normal, planes } = self.separation;
        let (middle, halves) = self.placed.around();
        self.supports.measure(&middle, &halves, planes);
        let (most, plane) = planes.best();
        *apart = most as f64 * self.scale;
        *normal = self.supports.plane(plane).0;
    }
}

struct Walling<'q, 'a> {
    supports: &'q Supports,
    reliefs: &'a [Relief],
    placed: PlacedWalls<'q>,
    planes: &'q Apart,
}

impl<'a> Lanewise for Walling<'_, 'a> {
    type Output = Walls<'a>;

    #[inline(always)]
    fn run(self) -> Walls<'a> {
        Walls::new(self.supports, self.reliefs, &self.placed, self.planes)
    }
}

/// The body whose samples are asked about, for the rules of tied features. Lengths are in the field's units.
#[derive(Clone, Copy)]
pub enum PairRelation {
    /// Nobody in particular.
    Anyone,
    /// A piece of the same break. As long as it has moved by no more than `near`, it is pushed across the crack between them.
    Sibling { piece: u32, within: f64, near: f64 },
    /// Another body.
    Other(Towards),
}

impl<'a, F: Culling> Direction<'a, F> {
    /// `relative` goes from the frame of the samples' object to that of the field's, both in metres; a unit of the field is
    /// `scale` metres. `parted` says that the two are disjoint parts of one body.
    #[inline]
    pub fn new(
        object: &'a Object,
        relative: &Pose,
        field: F,
        scale: f64,
        parted: bool,
        relation: PairRelation,
    ) -> Self {
        let (middle, ratio) = (*object.asset().centre(), object.scale() / scale);
        let relative = Pose::from_parts((relative.translation.vector / scale).into(), relative.rotation);
        let turn = relative.rotation.to_rotation_matrix().into_inner() * ratio;
        let base = relative * (middle * ratio);
        // The difference is taken in double precision: at rest it is all there is (docs/formulations/samples-and-queries.md).
        let moved = parted.then(|| ((turn - nalgebra::Matrix3::identity()).cast(), (base - middle).cast()));
        let (samples, turn) = (object.samples(), turn.cast());
        Self { samples, middle, base, relative, ratio, turn, field, scale, moved, relation, interface: 0..0 }
    }

    /// The samples' object is a sibling of the field's, which has this number.
    pub fn set_sibling(&mut self, piece: u32) {
        self.interface = self.samples.interface(piece);
    }

    /// Who asks the field, if that is known only now.
    pub fn set_relation(&mut self, relation: PairRelation) {
        self.relation = relation;
    }

    /// How far spheres and samples may be from the field, in its units.
    fn reach(&self, limits: &Limits) -> f32 {
        (limits.margin / self.scale + self.field.rounding()) as f32
    }

    fn placed(&self, middle: &Point) -> PlacedWalls<'_> {
        let shift = (self.base - middle).cast();
        PlacedWalls { turn: &self.turn, shift, middle: self.samples.middle, half: self.samples.half }
    }

    /// How far the samples are beyond the planes of the field.
    pub fn separate(&self, separation: &mut Separation) {
        match self.field.supports() {
            Some((supports, middle)) => {
                widest(Separating { placed: self.placed(middle), supports, scale: self.scale, separation })
            }
            // Nothing of an earlier query may be left.
            None => *separation = Separation { apart: f64::NEG_INFINITY, ..Default::default() },
        }
    }

    /// Whether bodies that are so far apart along a plane, in metres, are farther apart than the margin.
    pub fn is_parted(&self, apart: f64, limits: &Limits) -> bool {
        apart > limits.margin + self.field.rounding() * self.scale
    }

    /// The walls of the field in the samples' frame.
    pub fn walls(&self, separation: &Separation, reliefs: impl FnOnce() -> &'a [Relief]) -> Walls<'a> {
        let Some((supports, middle)) = self.field.supports() else { return Walls::NONE };
        let reliefs = if self.field.is_all_walls() { reliefs() } else { &[] };
        widest(Walling { supports, reliefs, placed: self.placed(middle), planes: &separation.planes })
    }

    /// The samples that may touch, in the order of the buckets.
    pub fn gather(&self, walls: &Walls, limits: &Limits, stats: &mut QueryStats, found: &mut Vec<Candidate>) {
        let Buckets { buckets, groups, .. } = self.samples;
        let reach = self.reach(limits);
        let [bucket_count, group_count] = self.samples.spheres();
        for (block, spheres) in groups.iter().enumerate() {
            let groups_here = (group_count - block * LANES).min(LANES);
            stats.spheres_visited += groups_here as u32;
            for group in self.near_spheres(walls, spheres, groups_here, reach).map(|k| block * LANES + k) {
                let buckets_here = (bucket_count - group * LANES).min(LANES);
                stats.spheres_visited += buckets_here as u32;
                for k in self.near_spheres(walls, &buckets[group], buckets_here, reach) {
                    self.test(walls, group * LANES + k, reach, stats, found);
                }
            }
        }
    }

    /// Well-spread samples on the crack towards a sibling that has hardly moved: all of them touch, so some are as good as all.
    /// What bounds their depth is how far they have moved.
    pub fn gather_at_rest(&self, sibling: u32, stats: &mut QueryStats, found: &mut Vec<Candidate>) {
        for (bucket, Sample { at, id }) in self.samples.spread(sibling) {
            stats.points_tested += 1;
            let moved = self.moved(&at) as f32;
            found.push(Candidate { at, id, bucket: bucket as u32, crack: 0, most: moved, likely: moved });
        }
    }

    /// No sample has moved farther than this since the two bodies parted, in metres.
    pub fn farthest_moved(&self) -> f64 {
        self.moved(&self.samples.middle) + self.turned() * self.samples.half.norm() as f64 * self.scale
    }

    /// Which of up to eight spheres may hold something that touches.
    #[inline(always)]
    fn near_spheres(&self, walls: &Walls, spheres: &SphereLanes, count: usize, reach: f32) -> LaneMask {
        let planes = walls.beyond(&spheres.centre);
        let ratio = self.ratio as f32;
        let reach = lanes(|k| spheres.radius[k] * ratio + reach);
        let near = lane_mask(|k| planes[k] <= reach[k] && k < count);
        if self.field.is_all_walls() {
            return near;
        }
        let beyond = |k: usize| self.beyond_field(&spheres.centre.get(k));
        near.map(|k| LaneMask::one(k, beyond(k) <= reach[k])).fold(LaneMask::of(0), LaneMask::and)
    }

    /// Tests the samples of a bucket.
    #[inline(always)]
    fn test(&self, walls: &Walls, bucket: usize, reach: f32, stats: &mut QueryStats, found: &mut Vec<Candidate>) {
        let points = &self.samples.points[bucket];
        let Beyond { planes: mut bound, over, crack } = walls.beyond_and_over(points);
        stats.points_tested += LANES as u32;
        let near = lane_mask(|k| bound[k] <= reach);
        if near.is_empty() {
            return;
        }
        // Over a crack it is outside, unless something sticks out there. How deep what is below can be is asked when it matters.
        for k in lane_mask(|k| over[k] > reach).among(near) {
            let above = walls.above(crack[k], &points.get(k), reach);
            bound[k] = if above > bound[k] { above } else { bound[k] };
        }
        let near = lane_mask(|k| bound[k] <= reach).among(near);
        if near.is_empty() {
            return;
        }
        let ids = &self.samples.ids[bucket];
        let bucket = if self.interface.contains(&bucket) { bucket as u32 } else { NONE };
        let (moved, scale, rounding) = (self.moved_by(points), self.scale as f32, self.field.rounding() as f32);
        let least = |a: f32, b: f32| if a < b { a } else { b };
        let most = lanes(|k| least(rounding - bound[k], moved[k]) * scale);
        let likely = lanes(|k| least(most[k], -over[k] * scale));
        for k in near.filter(|k| ids[*k] != NONE) {
            let candidate =
                Candidate { at: points.get(k), id: ids[k], bucket, crack: crack[k], most: most[k], likely: likely[k] };
            if self.field.is_all_walls() {
                found.push(candidate);
                continue;
            }
            let beyond = self.beyond_field(&candidate.at);
            if beyond <= reach {
                let most = least(candidate.most, (rounding - beyond) * scale);
                found.push(Candidate { most, likely: least(candidate.likely, most), ..candidate });
            }
        }
    }

    /// What the field says besides its walls, at a place relative to the middle of the samples' asset.
    #[inline]
    fn beyond_field(&self, at: &Local) -> f32 {
        if self.field.is_all_walls() {
            return f32::NEG_INFINITY;
        }
        self.field.bound_besides(&self.base, &(self.turn * at)) as f32
    }

    /// How far points have moved since the two bodies parted; without limit for bodies that were never one.
    #[inline(always)]
    fn moved_by(&self, points: &PointLanes) -> Lanes {
        let Some((turn, shift)) = &self.moved else { return [f32::INFINITY; LANES] };
        let [x, y, z] = &points.at;
        lanes(|k| {
            let way = |i: usize| turn[(i, 0)] * x[k] + turn[(i, 1)] * y[k] + turn[(i, 2)] * z[k] + shift[i];
            let (x, y, z) = (way(0), way(1), way(2));
            (x * x + y * y + z * z).sqrt()
        })
    }

    /// The same for one point, in metres.
    pub fn moved(&self, at: &Local) -> f64 {
        self.moved.as_ref().map_or(f64::INFINITY, |(turn, shift)| (turn * at + shift).norm() as f64 * self.scale)
    }

    /// Twice the sine of half the angle between the two: a share of its radius, how much farther than its centre a point of
    /// a sphere may have moved.
    pub fn turned(&self) -> f64 {
        2.0 * self.relative.rotation.imag().norm()
    }

    /// The field's bound at a place relative to the middle of the samples' asset, in metres.
    pub fn bound(&self, at: &Local) -> f64 {
        self.field.bound(&self.base, &(self.turn * at)) * self.scale
    }

    /// Whether a sphere of samples may touch, by the masks of the field (Glondu 2013, 4.5); its radius and the margin in metres.
    pub fn may_touch(&self, at: &Local, radius: f64, margin: f64) -> bool {
        self.field.may_touch(&self.place(at), (radius + margin) / self.scale + self.field.rounding())
    }

    /// What sample positions are relative to, in the frame of their asset.
    pub fn middle(&self) -> &Point {
        &self.middle
    }

    /// Where a sample is in the frame of the field.
    fn place(&self, at: &Local) -> Point {
        self.relative * ((self.middle + at.cast::<f64>()) * self.ratio)
    }

    /// The same, roughly, relative to a point of that frame, and in metres.
    pub fn near(&self, at: &Local, middle: &Point) -> Local {
        (self.turn * at + (self.base - middle).cast::<f32>()) * self.scale as f32
    }

    /// Metres a unit of the samples' asset.
    pub fn sample_scale(&self) -> f64 {
        self.ratio * self.scale
    }

    /// A limit of a candidate's depth that costs more than the planes, and less than to look at it.
    pub fn most(&self, walls: &Walls, candidate: &Candidate, needed: f32) -> f32 {
        let (rounding, scale) = (self.field.rounding() as f32, self.scale as f32);
        let within = |beyond: f32| candidate.most.min((rounding - beyond) * scale);
        // What costs least comes first, and mostly is enough.
        let most = within(walls.above(candidate.crack, &candidate.at, 0.0));
        if most <= needed {
            return most;
        }
        let most = within(-walls.most_depth(&candidate.at, needed / scale));
        if most <= needed {
            return most;
        }
        most.min((self.field.most_depth(&self.place(&candidate.at)) * self.scale) as f32)
    }

    /// Whether a candidate is certainly outside, by what costs more than the planes, and less than to look at it.
    pub fn is_outside(&self, walls: &Walls, candidate: &Candidate, limits: &Limits) -> bool {
        walls.is_above_any(&candidate.at, self.reach(limits))
    }

    /// How far beyond the skin of the whole a candidate probably is, in metres.
    pub fn beyond_skin(&self, candidate: &Candidate) -> f32 {
        (self.field.beyond_skin(&self.place(&candidate.at)) * self.scale) as f32
    }

    /// The way out of the field across the crack on which a candidate was, as the samples' side of it has it.
    fn across(&self, candidate: &Candidate) -> Option<Local> {
        let normal = self.samples.across.get(candidate.bucket as usize).filter(|normal| **normal != Local::zeros())?;
        (self.turn * -normal).try_normalize(f32::MIN_POSITIVE)
    }

    /// The bucket of a sample on the crack towards the field's object, by its number; [`NONE`] if it is not there.
    pub fn bucket_of(&self, id: u32) -> u32 {
        let mut buckets = self.interface.clone();
        buckets.find(|bucket| self.samples.ids[*bucket].contains(&id)).map_or(NONE, |bucket| bucket as u32)
    }

    /// Depth or gap of a candidate; `None` if it does not touch, or is not deeper than `needed`.
    pub fn evaluate(&self, candidate: &Candidate, needed: f64, limits: &Limits) -> Option<Touch> {
        let at = self.place(&candidate.at);
        let most = candidate.most as f64;
        let units = 1.0 / self.scale;
        // Where nothing has moved, what was on the crack is on it.
        if most <= self.field.rounding() * self.scale
            && self.moved(&candidate.at) <= self.field.rounding() * self.scale
            && let Some(across) = self.across(candidate)
        {
            let touch = Touch { at: at * self.scale, depth: 0.0, outward: across.cast(), id: candidate.id };
            return (needed < 0.0).then_some(touch);
        }
        let (mut facing, mut towards) = (None, None);
        match self.relation {
            PairRelation::Anyone => {}
            PairRelation::Sibling { piece, within, near } => {
                let moved = self.moved(&candidate.at) * units;
                let up_to = if moved <= near { moved + within } else { 0.0 };
                let across = if up_to > 0.0 { self.across(candidate) } else { None };
                facing = Some(Facing { piece, within, up_to, across });
            }
            PairRelation::Other(other) => towards = Some(other),
        }
        let (most_here, along) = (most * units, limits.along_normal);
        let ask = DepthQuery {
            most: most_here,
            needed: needed * units,
            margin: limits.margin * units,
            facing,
            towards,
            along,
        };
        let (depth, outward) = self.field.touch(&at, &ask)?;
        // Rounding at rest ends at what is possible: across a crack no more than was moved, towards others what was looked at.
        let possible = match self.relation {
            PairRelation::Sibling { .. } if along => most.max(self.moved(&candidate.at)),
            PairRelation::Other(other) if along => most.max(2.0 * other.within * self.scale),
            _ => most,
        };
        let depth = (depth * self.scale).min(possible.max(0.0));
        (depth > needed).then_some(Touch { at: at * self.scale, depth, outward, id: candidate.id })
    }
}
