//! Finds the samples of one body that may touch the field of another, and evaluates them.
//!
//! Bounding spheres are culled where the field's bound excludes contacts within them. Bounds are conservative
//! (docs/formulations/samples-and-queries.md): they may let through what does not touch, but never cull what does. They
//! are computed in single precision, eight at a time; depths in double precision.

use super::feature::FeatureKind;
use super::{Mode, QueryStats};
use crate::body::Object;
use crate::culling::relief::Relief;
use crate::culling::supports::{Apart, Supports};
use crate::culling::walls::{Beyond, PlacedWalls, WallRoom, Walls};
use crate::field::Culling;
use crate::field::{DepthQuery, Facing, Towards};
use crate::geom::lanes::{LANES, LaneMask, Lanes, PointLanes, SphereLanes, lanes};
use crate::geom::pinned::powi;
use crate::geom::simd::{Lanewise, fetch, widest};
use crate::geom::{Local, NONE, Point, Pose};
use crate::samples::buckets::{Buckets, Sample};
use std::ops::Range;

/// A sample that touches a field, in the frame of the field's object, in metres.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Position of the sample.
    pub at: Point,
    /// Penetration depth; positive inside.
    pub depth: f64,
    /// Unit normal, out of the field's body.
    pub outward: nalgebra::Vector3<f64>,
    /// Whether a sample touches or a crease.
    pub kind: FeatureKind,
    /// Index of the sample or crease.
    pub id: u32,
}

/// A sample that may touch.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Position, relative to the centre of the samples' asset.
    pub at: Local,
    pub id: u32,
    /// Its bucket, if it lies on the crack towards the field's object; else [`NONE`].
    pub bucket: u32,
    /// Among the walls, the crack of the field's body that it is highest above.
    pub crack: u32,
    /// Upper bound of its depth, in metres.
    pub most: f32,
    /// Estimate of its depth, in metres: ignores what sticks out above the base of a crack.
    pub likely: f32,
}

/// Lengths and mode of a query: which gaps and depths count.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub mode: Mode,
    pub target: usize,
    pub margin: f64,
    pub tolerance: f64,
    /// The tolerance as a share of the deepest depth; the larger of the two applies.
    pub share: f64,
    pub shortest_way: bool,
    /// Most units of work; `u32::MAX`: no limit.
    pub budget: u32,
}

impl Limits {
    /// Depth that a further contact must exceed once `found` contacts are known; `None` if no more are wanted.
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
/// Objects have scales: a sample at `x` in the units of its asset is at `relative * (ratio * x)` in the units of the
/// field's asset. Internal lengths are in the latter. Lengths at the interface are in metres: limits, candidates'
/// depths, touches.
pub struct Direction<'a, F: Culling> {
    pub(super) samples: &'a Buckets,
    /// Origin of the sample positions, in the frame of their asset, and the same point in the frame of the field.
    middle: Point,
    base: Point,
    relative: Pose,
    ratio: f64,
    turn: nalgebra::Matrix3<f32>,
    pub(super) field: F,
    /// Metres per unit of the field.
    scale: f64,
    /// Displacement of samples relative to the field since the two parted, `turn * p + shift`, if both are disjoint
    /// parts of one body.
    moved: Option<(nalgebra::Matrix3<f32>, Local)>,
    /// Relation of the two bodies, for the field's tie-breaking rules.
    relation: PairRelation,
    /// Buckets on the crack towards the field's object, if the two are siblings.
    interface: Range<usize>,
}

/// Separation of the samples of one body from the supporting planes of another.
#[derive(Default)]
pub struct Separation {
    /// Separation along the best separating plane, in metres; negative: overlap along it.
    pub apart: f64,
    /// Normal of that plane, out of the field's body, and how far that reaches along it, in the units of the field.
    pub normal: Local,
    reach: f32,
    /// Separation by plane.
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
        let Separation { apart, normal, reach, planes } = self.separation;
        let (middle, halves) = self.placed.around();
        self.supports.measure(&middle, &halves, planes);
        let (most, plane) = planes.best();
        *apart = most as f64 * self.scale;
        (*normal, *reach) = self.supports.plane(plane);
    }
}

struct Walling<'q, 'a> {
    supports: &'q Supports,
    reliefs: &'a [Relief],
    placed: PlacedWalls<'q>,
    planes: &'q Apart,
    room: &'a mut WallRoom,
}

impl<'a> Lanewise for Walling<'_, 'a> {
    type Output = Walls<'a>;

    #[inline(always)]
    fn run(self) -> Walls<'a> {
        Walls::new(self.supports, self.reliefs, &self.placed, self.planes, self.room)
    }
}

/// Relation of the samples' body to the field's, for breaking ties between features. Lengths are in the field's units.
#[derive(Clone, Copy)]
pub enum PairRelation {
    /// Unknown: no tie-breaking.
    Anyone,
    /// A piece of the same break. While it has moved by no more than `near`, it is pushed out across their common
    /// crack.
    Sibling { piece: u32, within: f64, near: f64 },
    /// A body that is not a sibling.
    Other(Towards),
}

impl<'a, F: Culling> Direction<'a, F> {
    /// `relative` maps from the frame of the samples' object to that of the field's, both in metres; a unit of the
    /// field is `scale` metres. `parted` says that the two are disjoint parts of one body.
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
        // Subtract in double precision: at rest the difference is tiny (docs/formulations/samples-and-queries.md).
        let moved = parted.then(|| ((turn - nalgebra::Matrix3::identity()).cast(), (base - middle).cast()));
        let (samples, turn) = (object.samples(), turn.cast());
        Self { samples, middle, base, relative, ratio, turn, field, scale, moved, relation, interface: 0..0 }
    }

    /// Declares the field's object, piece `piece`, a sibling of the samples' object.
    pub fn set_sibling(&mut self, piece: u32) {
        self.interface = self.samples.interface(piece);
    }

    /// Sets the relation, if it is known only after construction.
    pub fn set_relation(&mut self, relation: PairRelation) {
        self.relation = relation;
    }

    pub(super) fn relation(&self) -> &PairRelation {
        &self.relation
    }

    /// Largest distance from the field at which samples still count, in the field's units, rounding included.
    pub(super) fn reach(&self, limits: &Limits) -> f32 {
        (limits.margin / self.scale + self.field.rounding()) as f32
    }

    fn placed(&self, middle: &Point) -> PlacedWalls<'_> {
        let shift = (self.base - middle).cast();
        PlacedWalls { turn: &self.turn, shift, middle: self.samples.middle, half: self.samples.half }
    }

    /// Finds the supporting plane of the field that separates the samples best.
    pub fn separate(&self, separation: &mut Separation) {
        match self.field.supports() {
            Some((supports, middle)) => {
                widest(Separating { placed: self.placed(middle), supports, scale: self.scale, separation })
            }
            // Discard the result of an earlier query.
            None => *separation = Separation { apart: f64::NEG_INFINITY, ..Default::default() },
        }
    }

    /// Separation of the samples themselves along the plane that separates their box best, in metres: mostly far more than that of the box.
    pub fn apart_by_samples(&self, Separation { normal, reach, .. }: &Separation) -> f64 {
        let Some((_, middle)) = self.field.supports() else { return f64::NEG_INFINITY };
        let out = self.turn.tr_mul(normal);
        let Some((nearest, _)) = self.samples.farthest(&(-out / self.ratio()), NONE) else { return f64::NEG_INFINITY };
        let shift: Local = (self.base - middle).cast();
        (out.dot(&nearest.at) + normal.dot(&shift) - reach) as f64 * self.scale
    }

    /// The supporting plane of the field that the samples overlap least, taken for the ellipsoid in their box: that overlap, its
    /// normal and its height above the centre of the field's asset, in metres.
    pub fn least_overlap(&self) -> Option<(f64, Local, f64)> {
        let (supports, middle) = self.field.supports()?;
        let (middle, halves) = self.placed(middle).around();
        let overlap = |(normal, reach): &(Local, f32)| {
            let spread = halves.iter().map(|half| powi(half.dot(normal), 2)).sum::<f32>().sqrt();
            reach + spread - normal.dot(&middle)
        };
        let planes = (0..supports.count()).map(|k| supports.plane(k));
        let best = planes.reduce(|best, next| if overlap(&next) < overlap(&best) { next } else { best })?;
        Some((overlap(&best) as f64 * self.scale, best.0, best.1 as f64 * self.scale))
    }

    /// Upper bound of the overlap along a plane of the field, as [`Self::least_overlap`] gives it: by all planes of the samples.
    pub fn overlap_along(&self, normal: &Local, height: f64) -> Option<f64> {
        let (_, middle) = self.field.supports()?;
        let own = normal.transpose() * self.turn / self.ratio();
        let reach = self.samples.supports.reach_along(&-own.transpose(), &self.samples.middle, &self.samples.half);
        let lowest = normal.dot(&(self.base - middle).cast()) - self.ratio() * reach;
        Some(height - lowest as f64 * self.scale)
    }

    /// Whether a separation along a plane, in metres, exceeds the margin.
    pub fn is_parted(&self, apart: f64, limits: &Limits) -> bool {
        apart > limits.margin + self.field.rounding() * self.scale
    }

    /// The walls of the field (planes and reliefs) in the samples' frame.
    pub fn walls<'q>(
        &self,
        separation: &Separation,
        reliefs: impl FnOnce() -> &'a [Relief],
        room: &'q mut WallRoom,
    ) -> Walls<'q>
    where
        'a: 'q,
    {
        let Some((supports, middle)) = self.field.supports() else { return Walls::NONE };
        let reliefs = if self.field.is_all_walls() { reliefs() } else { &[] };
        widest(Walling { supports, reliefs, placed: self.placed(middle), planes: &separation.planes, room })
    }

    /// Asks for the memory of what is gathered.
    #[inline]
    pub fn fetch(&self) {
        let Buckets { points, buckets, groups, .. } = self.samples;
        fetch::<2, _>(groups);
        fetch::<8, _>(buckets);
        fetch::<16, _>(points);
    }

    /// Gathers the samples that may touch, in bucket order.
    pub fn gather(&self, walls: &Walls, limits: &Limits, stats: &mut QueryStats, found: &mut Vec<Candidate>) {
        let Buckets { buckets, groups, .. } = self.samples;
        let reach = self.reach(limits);
        let [bucket_count, group_count] = self.samples.spheres();
        for (block, spheres) in groups.iter().enumerate() {
            let groups_here = (group_count - block * LANES).min(LANES);
            stats.spheres_visited += groups_here as u32;
            stats.work += 1;
            for group in self.near_spheres(walls, spheres, groups_here, reach).map(|k| block * LANES + k) {
                let buckets_here = (bucket_count - group * LANES).min(LANES);
                stats.spheres_visited += buckets_here as u32;
                stats.work += 1;
                for k in self.near_spheres(walls, &buckets[group], buckets_here, reach) {
                    self.test(walls, group * LANES + k, reach, stats, found);
                }
            }
        }
    }

    /// Gathers well-spread samples on the crack towards a sibling that has hardly moved. All samples there touch, so a
    /// few suffice. Their depth is bounded by how far they have moved.
    pub fn gather_at_rest(&self, sibling: u32, stats: &mut QueryStats, found: &mut Vec<Candidate>) {
        for (bucket, Sample { at, id }) in self.samples.spread(sibling) {
            stats.points_tested += 1;
            let moved = self.moved(&at) as f32;
            found.push(Candidate { at, id, bucket: bucket as u32, crack: 0, most: moved, likely: moved });
        }
    }

    /// Upper bound of the distance that any sample has moved since the two bodies parted, in metres.
    pub fn farthest_moved(&self) -> f64 {
        self.moved(&self.samples.middle) + self.turned() * self.samples.half.norm() as f64 * self.scale
    }

    /// Lower bounds of the distances of the centres of eight spheres beyond the field; only planes are asked for those that
    /// are farther than their radius and `reach`.
    pub(super) fn beyond_spheres(&self, walls: &Walls, spheres: &SphereLanes, reach: f32) -> Lanes {
        let planes = walls.beyond(&spheres.centre);
        let is_near = |k: usize| planes[k] <= spheres.radius[k] * self.ratio() + reach;
        lanes(|k| if is_near(k) { planes[k].max(self.beyond_field(&spheres.centre.get(k))) } else { planes[k] })
    }

    /// Mask of up to eight spheres that may contain touching samples.
    #[inline(always)]
    pub(super) fn near_spheres(&self, walls: &Walls, spheres: &SphereLanes, count: usize, reach: f32) -> LaneMask {
        let planes = walls.beyond(&spheres.centre);
        let ratio = self.ratio as f32;
        let reach = lanes(|k| spheres.radius[k] * ratio + reach);
        let near = LaneMask::at_most(&planes, &reach).among(LaneMask::first(count));
        if self.field.is_all_walls() {
            return near;
        }
        let beyond = |k: usize| self.beyond_field(&spheres.centre.get(k));
        near.map(|k| LaneMask::one(k, beyond(k) <= reach[k])).fold(LaneMask::of(0), LaneMask::and)
    }

    /// Tests the eight samples of a bucket and appends those that may touch.
    #[inline(always)]
    pub(super) fn test(
        &self,
        walls: &Walls,
        bucket: usize,
        reach: f32,
        stats: &mut QueryStats,
        found: &mut Vec<Candidate>,
    ) {
        let points = &self.samples.points[bucket];
        stats.points_tested += LANES as u32;
        stats.work += 1;
        if !walls.have_reliefs() {
            let bound = walls.beyond(points);
            let near = LaneMask::at_most(&bound, &[reach; LANES]);
            return self.take(bucket, near, &bound, None, reach, found);
        }
        let Beyond { planes: mut bound, over, crack } = walls.beyond_and_over(points);
        let near = LaneMask::at_most(&bound, &[reach; LANES]);
        // A sample above the base of a crack is outside unless something sticks out there. The depth bound below the
        // base is computed on demand.
        for k in near.filter(|k| over[*k] > reach) {
            let above = walls.above(crack[k], &points.get(k), reach);
            bound[k] = if above > bound[k] { above } else { bound[k] };
        }
        let near = LaneMask::at_most(&bound, &[reach; LANES]).among(near);
        self.take(bucket, near, &bound, Some((&over, &crack)), reach, found);
    }

    /// Appends those of a bucket that are `near`: lower bounds of their distances, and, if there are reliefs, the heights above the cracks that
    /// they are highest above.
    #[inline(always)]
    fn take(
        &self,
        bucket: usize,
        near: LaneMask,
        bound: &Lanes,
        over: Option<(&Lanes, &[u32; LANES])>,
        reach: f32,
        found: &mut Vec<Candidate>,
    ) {
        if near.is_empty() {
            return;
        }
        let points = &self.samples.points[bucket];
        let ids = &self.samples.ids[bucket];
        let bucket = if self.interface.contains(&bucket) { bucket as u32 } else { NONE };
        let (moved, scale, rounding) = (self.moved_by(points), self.scale as f32, self.field.rounding() as f32);
        let least = |a: f32, b: f32| if a < b { a } else { b };
        let most = lanes(|k| least(rounding - bound[k], moved[k]) * scale);
        let likely = over.map_or(most, |(over, _)| lanes(|k| least(most[k], -over[k] * scale)));
        let crack = |k: usize| over.map_or(0, |(_, crack)| crack[k]);
        for k in near.filter(|k| ids[*k] != NONE) {
            let candidate =
                Candidate { at: points.get(k), id: ids[k], bucket, crack: crack(k), most: most[k], likely: likely[k] };
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

    /// The field's bound besides the walls, at a position relative to the centre of the samples' asset.
    #[inline]
    fn beyond_field(&self, at: &Local) -> f32 {
        if self.field.is_all_walls() {
            return f32::NEG_INFINITY;
        }
        self.field.bound_besides(&self.base, &(self.turn * at)) as f32
    }

    /// Distance that points have moved since the two bodies parted; infinite if they were never one body.
    #[inline(always)]
    pub(super) fn moved_by(&self, points: &PointLanes) -> Lanes {
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

    /// Twice the sine of half the angle between the two bodies. Times the radius of a sphere: how much farther than its
    /// centre a point of it may have moved.
    pub fn turned(&self) -> f64 {
        2.0 * self.relative.rotation.imag().norm()
    }

    /// The field's bound at a position relative to the centre of the samples' asset, in metres.
    pub fn bound(&self, at: &Local) -> f64 {
        self.field.bound(&self.base, &(self.turn * at)) * self.scale
    }

    /// Whether a sphere of samples may touch, by the field's occupancy masks (Glondu 2013, 4.5). Radius and margin in
    /// metres.
    pub fn may_touch(&self, at: &Local, radius: f64, margin: f64) -> bool {
        self.field.may_touch(&self.place(at), (radius + margin) / self.scale + self.field.rounding())
    }

    /// Origin of the sample positions, in the frame of their asset.
    pub fn middle(&self) -> &Point {
        &self.middle
    }

    /// Position of a sample in the frame of the field.
    pub(super) fn place(&self, at: &Local) -> Point {
        self.relative * ((self.middle + at.cast::<f64>()) * self.ratio)
    }

    /// The same in single precision, relative to a point of that frame, in metres.
    pub fn near(&self, at: &Local, middle: &Point) -> Local {
        (self.turn * at + (self.base - middle).cast::<f32>()) * self.scale as f32
    }

    /// Units of the field per unit of the samples' asset.
    pub fn ratio(&self) -> f32 {
        self.ratio as f32
    }

    /// Metres per unit of the field.
    pub fn scale(&self) -> f32 {
        self.scale as f32
    }

    /// Metres per unit of the samples' asset.
    pub fn sample_scale(&self) -> f64 {
        self.ratio * self.scale
    }

    /// A tighter upper bound of a candidate's depth: more expensive than the planes, cheaper than an evaluation.
    pub fn most(&self, walls: &Walls, candidate: &Candidate, needed: f32) -> f32 {
        let (rounding, scale) = (self.field.rounding() as f32, self.scale as f32);
        let within = |beyond: f32| candidate.most.min((rounding - beyond) * scale);
        // Cheapest first; mostly it suffices.
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

    /// Whether a candidate is certainly outside, by the reliefs of all cracks: cheaper than an evaluation.
    pub fn is_outside(&self, walls: &Walls, candidate: &Candidate, limits: &Limits) -> bool {
        walls.is_above_any(&candidate.at, self.reach(limits))
    }

    /// Estimated distance of a candidate beyond the skin of the intact body, in metres.
    pub fn beyond_skin(&self, candidate: &Candidate) -> f32 {
        self.field.beyond_skin(&self.base, &(self.turn * candidate.at)) * self.scale as f32
    }

    /// Direction out of the field's body across the crack that a candidate lies on, from the samples' side of the
    /// crack.
    fn across(&self, candidate: &Candidate) -> Option<Local> {
        let normal = self.samples.across.get(candidate.bucket as usize).filter(|normal| **normal != Local::zeros())?;
        (self.turn * -normal).try_normalize(f32::MIN_POSITIVE)
    }

    /// The bucket of a sample on the crack towards the field's object, by its index; [`NONE`] if it is not on that
    /// crack.
    pub fn bucket_of(&self, id: u32) -> u32 {
        let mut buckets = self.interface.clone();
        buckets.find(|bucket| self.samples.ids[*bucket].contains(&id)).map_or(NONE, |bucket| bucket as u32)
    }

    /// Depth or gap of a candidate; `None` if it does not touch, or is not deeper than `needed`.
    pub fn evaluate(&self, candidate: &Candidate, needed: f64, limits: &Limits) -> Option<Touch> {
        let at = self.place(&candidate.at);
        let most = candidate.most as f64;
        let units = 1.0 / self.scale;
        // If nothing has moved, a sample of the crack is still on it.
        if most <= self.field.rounding() * self.scale
            && self.moved(&candidate.at) <= self.field.rounding() * self.scale
            && let Some(across) = self.across(candidate)
        {
            let touch = Touch {
                at: at * self.scale,
                depth: 0.0,
                outward: across.cast(),
                kind: FeatureKind::Sample,
                id: candidate.id,
            };
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
        let (most_here, along) = (most * units, !limits.shortest_way);
        let ask = DepthQuery {
            most: most_here,
            needed: needed * units,
            margin: limits.margin * units,
            facing,
            towards,
            along,
        };
        let (depth, outward) = self.field.touch(&at, &ask)?;
        // Clamp rounding at rest: across a crack no deeper than the sample has moved, else no deeper than the search
        // went.
        let possible = match self.relation {
            PairRelation::Sibling { .. } if along => most.max(self.moved(&candidate.at)),
            PairRelation::Other(other) if along => most.max(2.0 * other.within * self.scale),
            _ => most,
        };
        let depth = (depth * self.scale).min(possible.max(0.0));
        (depth > needed).then_some(Touch {
            at: at * self.scale,
            depth,
            outward,
            kind: FeatureKind::Sample,
            id: candidate.id,
        })
    }
}
