//! What an interrupted query knows: bodies as wholes, spheres around samples that were not opened, samples that were not
//! measured. It is complete at any time, like the front of a refinement (VoxTree 3.2), and one contact is made of it.

use super::QueryStats;
use super::feature::{Feature, FeatureKind};
use super::search::{Candidate, Direction, Limits, Touch};
use crate::culling::walls::Walls;
use crate::field::Culling;
use crate::geom::lanes::{LANES, SphereLanes};
use crate::geom::{Local, NONE, Point, Vector};
use crate::samples::buckets::Buckets;

/// Two bodies as wholes: one lies below a plane, the other reaches below it by `depth`. In the frame of the former, in metres.
pub struct Whole {
    pub normal: Vector,
    /// Of the plane.
    pub height: f64,
    pub depth: f64,
    /// Between the middles of the bodies, divided by their radii (VoxTree 3.2).
    pub middle: Point,
}

impl Whole {
    /// The contact of the bodies.
    pub fn touch(&self) -> Touch {
        self.touch_at(&self.middle, self.depth)
    }

    /// A contact above or below a point.
    pub fn touch_at(&self, p: &Point, depth: f64) -> Touch {
        let at = p + self.normal * (self.height - depth - self.normal.dot(&p.coords));
        Touch { at, depth, outward: self.normal, kind: FeatureKind::Sample, id: Feature::MANY }
    }
}

/// A sphere that may hold touching samples: its number, and the upper bound of their depth, in the field's units.
type Near = (u32, f32);

/// Spheres that may hold touching samples, in the order of their numbers.
#[derive(Default)]
pub struct Open {
    groups: Vec<Near>,
    buckets: Vec<Near>,
}

impl<F: Culling> Direction<'_, F> {
    /// Gathers the samples that may touch within a limit of work: first groups, then buckets, then samples. Spheres that were
    /// not opened become candidates that cannot be measured, in `closed`. Returns false, and gathers nothing, if the limit is
    /// below what all groups take.
    #[allow(clippy::too_many_arguments)] // as `gather`, and what it leaves
    pub fn gather_within(
        &self,
        walls: &Walls,
        limits: &Limits,
        limit: u32,
        Open { groups: near_groups, buckets: near_buckets }: &mut Open,
        stats: &mut QueryStats,
        found: &mut Vec<Candidate>,
        closed: &mut Vec<Candidate>,
    ) -> bool {
        let Buckets { buckets, groups, .. } = self.samples;
        let reach = self.reach(limits);
        let [bucket_count, group_count] = self.samples.spheres();
        near_groups.clear();
        near_buckets.clear();
        // Enough for all of them: nothing to watch.
        if limit - stats.work >= (groups.len() + buckets.len() + self.samples.points.len()) as u32 {
            self.gather(walls, limits, stats, found);
            return true;
        }
        if !stats.spend(groups.len() as u32, limit) {
            return false;
        }
        for (block, spheres) in groups.iter().enumerate() {
            self.add_near(walls, spheres, block, group_count, reach, stats, near_groups);
        }
        for (group, most) in near_groups.iter().map(|(group, most)| (*group as usize, *most)) {
            if stats.spend(1, limit) {
                self.add_near(walls, &buckets[group], group, bucket_count, reach, stats, near_buckets);
            } else {
                closed.push(self.closed(groups, group, most));
            }
        }
        for (bucket, most) in near_buckets.iter().map(|(bucket, most)| (*bucket as usize, *most)) {
            if stats.work < limit {
                self.test(walls, bucket, reach, stats, found);
            } else {
                closed.push(self.closed(buckets, bucket, most));
            }
        }
        true
    }

    /// Adds those of a vector of spheres that may hold touching samples.
    #[allow(clippy::too_many_arguments)]
    fn add_near(
        &self,
        walls: &Walls,
        spheres: &SphereLanes,
        block: usize,
        count: usize,
        reach: f32,
        stats: &mut QueryStats,
        near: &mut Vec<Near>,
    ) {
        let here = (count - block * LANES).min(LANES);
        stats.spheres_visited += here as u32;
        let beyond = self.beyond_spheres(walls, spheres, reach);
        let bounds = (0..here).map(|k| ((block * LANES + k) as u32, spheres.radius[k] * self.ratio() - beyond[k]));
        near.extend(bounds.filter(|(_, most)| *most >= -reach));
    }

    /// A sphere as a candidate: its centre, and half of what can be inside as its depth.
    fn closed(&self, spheres: &[SphereLanes], number: usize, most: f32) -> Candidate {
        let (at, most) = (spheres[number / LANES].centre.get(number % LANES), most * self.scale());
        Candidate { at, id: NONE, bucket: NONE, crack: 0, most, likely: 0.5 * most }
    }
}

/// The middle of what was not measured, and the deepest of it, no more than `most`; `place` gives positions. `None` if nothing is left.
/// (Weights by possible depth do not make it better.)
pub fn unmeasured<'c>(
    left: impl Iterator<Item = (usize, &'c Candidate)>,
    margin: f32,
    most: f32,
    place: impl Fn(usize, &Candidate) -> Local,
) -> Option<(Local, f32)> {
    let (mut sum, mut count, mut deepest) = (Local::zeros(), 0.0, f32::NEG_INFINITY);
    for (side, candidate) in left.filter(|(_, c)| c.most > f32::NEG_INFINITY) {
        sum += place(side, candidate);
        count += 1.0;
        deepest = deepest.max(candidate.likely.min(candidate.most).clamp(-margin, most.max(-margin)));
    }
    (count > 0.0).then(|| (sum / count, deepest))
}
