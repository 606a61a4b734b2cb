//! Features that are near each other at the end of the step: for cloth and shells, which have a thickness and no volume.
//!
//! Cones do not cull here: a surface that cannot intersect itself may still be near itself.

use super::body::Body;
use super::continuous::{FeaturePair, feature_pairs};
use super::pair::Pair;
use super::refit::{Interval, above};
use super::results::{Features, Near};
use super::scene::Scene;
use super::traverse::{Visit, traverse};
use super::worker::{TraversalStats, Worker};
use crate::bvh::closest_weights;
use crate::error::{Result, bad_argument};
use crate::geom::{Point, Vector, segment};
use crate::tasks::Tasks;

struct Proximity<'a> {
    scene: &'a Scene,
    distance: f64,
}

impl Proximity<'_> {
    fn reach(&self, pair: &Pair) -> f64 {
        self.distance + pair.bodies[0].thickness + pair.bodies[1].thickness
    }
}

impl Visit<Near> for Proximity<'_> {
    fn margin(&self, pair: &Pair) -> f32 {
        above(self.reach(pair))
    }

    fn culls(&self, _: &Body, _: usize, _: &mut Worker<Near>) -> bool {
        false
    }

    fn visit(&self, pair: &Pair, slots: [usize; 2], worker: &mut Worker<Near>) {
        let reach = self.reach(pair);
        let Worker { stats, found, .. } = worker;
        feature_pairs(pair, slots, above(reach), |features| {
            stats.elementary_tests += 1;
            let points = closest_points(features);
            let way = points[0] - points[1];
            let distance = way.norm();
            if distance <= reach {
                stats.found += 1;
                let normal = way.try_normalize(0.0).unwrap_or_else(Vector::zeros);
                let bodies = features.numbers.map(|k| self.scene.id(k));
                found.push(Near { bodies, features: features.features, distance, points, normal });
            }
        });
    }
}

fn closest_points(features: &FeaturePair) -> [Point; 2] {
    let [a, b, c, d] = features.at_end();
    match features.features {
        Features::VertexFace { .. } => {
            let weights = closest_weights(&a, &[b, c, d]);
            [a, Point::from(b.coords * weights[0] + c.coords * weights[1] + d.coords * weights[2])]
        }
        Features::EdgeEdge { .. } => {
            let [s, t] = segment::closest(&[a, b], &[c, d]);
            [a + (b - a) * s, c + (d - c) * t]
        }
    }
}

impl Scene {
    /// Appends the features whose distance is at most `distance` plus the thicknesses of both bodies. Fails if the scene was changed
    /// since its last update.
    pub fn query_proximity(&self, distance: f64, tasks: &Tasks, out: &mut Vec<Near>) -> Result<TraversalStats> {
        self.check_ready(Interval::End)?;
        if !(0.0..=super::mesh::FARTHEST).contains(&distance) {
            bad_argument!("distance is {distance}; it must be a length of 0 or more");
        }
        let stats = traverse(self, &Proximity { scene: self, distance }, &self.near, tasks, out);
        self.note_work(&stats);
        Ok(stats)
    }
}
