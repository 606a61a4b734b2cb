//! Discrete collisions: pairs of triangles that intersect at the end of the step.
//!
//! The decision is exact (`geom::tri_tri`). Triangles that share vertices collide if they have a point in common beyond what they share.

use super::body::Body;
use super::pair::Pair;
use super::refit::Interval;
use super::results::Overlap;
use super::scene::Scene;
use super::traverse::{Visit, traverse};
use super::worker::{TraversalStats, Worker};
use crate::error::{Result, bad_argument};
use crate::geom::Point;
use crate::geom::tri_tri::{self, TriangleContact};
use crate::tasks::Tasks;

struct Discrete<'a>(&'a Scene);

impl Visit<Overlap> for Discrete<'_> {
    fn margin(&self, _: &Pair) -> f32 {
        0.0
    }

    fn culls(&self, body: &Body, node: usize, worker: &mut Worker<Overlap>) -> bool {
        self.0.culls(body, node, false, &mut worker.contour, &mut worker.stats)
    }

    fn visit(&self, pair: &Pair, slots: [usize; 2], worker: &mut Worker<Overlap>) {
        worker.stats.elementary_tests += 1;
        // By reference: copies of this many numbers cost as much as the test.
        let (a, b) = (pair.bodies[0].points(slots[0]), pair.bodies[1].points(slots[1]));
        let meets = match pair.corner_ids(slots) {
            None => tri_tri::intersect(a, b),
            Some([p, q]) => tri_tri::intersect_beyond(a, b, tri_tri::shared_corners(p, q)),
        };
        if meets {
            worker.stats.found += 1;
            let triangles = [0, 1].map(|k| pair.bodies[k].triangle(slots[k]));
            worker.found.push(Overlap { bodies: pair.numbers.map(|k| self.0.id(k)), triangles });
        }
    }
}

impl Scene {
    /// Appends all pairs of triangles that intersect. Fails if the scene was changed since its last update.
    pub fn query_discrete(&self, tasks: &Tasks, out: &mut Vec<Overlap>) -> Result<TraversalStats> {
        self.check_ready(Interval::End)?;
        let stats = traverse(self, &Discrete(self), &self.overlaps, tasks, out);
        self.note_work(&stats);
        Ok(stats)
    }

    /// Where two triangles intersect, how deep (an estimate) and along which normal, from the second body towards the first; `None` if
    /// they do not.
    pub fn contact(&self, overlap: &Overlap) -> Result<Option<TriangleContact>> {
        let corners = |k: usize| -> Result<[Point; 3]> {
            let (id, triangle) = (overlap.bodies[k], overlap.triangles[k]);
            let body = self.body(self.index(id)?);
            match body.mesh.triangles.get(triangle as usize) {
                Some(corners) => Ok(corners.map(|v| body.end[v as usize])),
                None => bad_argument!("triangle {triangle} is not in body {id}"),
            }
        };
        Ok(tri_tri::contact(corners(0)?.each_ref(), corners(1)?.each_ref()))
    }
}
