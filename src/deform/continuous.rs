//! Continuous collisions: vertices that meet triangles and edges that meet edges while all move along straight lines over the step.
//!
//! Conservative ([`super::ccd`]): nothing is missed, no time is late. Every vertex-face and edge-edge pair is tested once, by the
//! triangles that represent the features (`mesh.rs`). Pairs that share a vertex are no collision.

use super::body::Body;
use super::ccd::{Ccd, CcdOptions};
use super::mesh::EDGE_DUTY;
use super::node::VertexBox;
use super::pair::Pair;
use super::refit::Interval;
use super::results::{Features, Impact};
use super::scene::Scene;
use super::traverse::{Visit, traverse};
use super::worker::{TraversalStats, Worker};
use crate::error::Result;
use crate::geom::Point;
use crate::tasks::Tasks;

/// A feature pair with all that a test needs of it.
pub(super) struct FeaturePair<'a> {
    pub numbers: [u32; 2],
    pub bodies: [&'a Body; 2],
    pub features: Features,
    /// Vertices: vertex, then the corners; or both edges.
    pub vertices: [u32; 4],
}

impl FeaturePair<'_> {
    pub fn at_start(&self) -> [Point; 4] {
        self.points(self.bodies.map(|body| &body.start[..]))
    }

    pub fn at_end(&self) -> [Point; 4] {
        self.points(self.bodies.map(|body| &body.end[..]))
    }

    #[inline(always)]
    fn points(&self, [a, b]: [&[Point]; 2]) -> [Point; 4] {
        let [i, j, k, l] = self.vertices.map(|v| v as usize);
        match self.features {
            Features::VertexFace { .. } => [a[i], b[j], b[k], b[l]],
            Features::EdgeEdge { .. } => [a[i], a[j], b[k], b[l]],
        }
    }
}

/// Calls `test` for the feature pairs that two triangles represent and whose boxes meet.
#[inline(always)]
pub(super) fn feature_pairs(pair: &Pair, slots: [usize; 2], margin: f32, mut test: impl FnMut(&FeaturePair)) {
    let [a, b] = pair.bodies;
    let duties = [a.duties[slots[0]], b.duties[slots[1]]];
    let corners = [a.corners[slots[0]], b.corners[slots[1]]];
    // Corners of one triangle that are the other's as well, a bit each; edges that end in one.
    let [shared, touched] = match pair.corner_ids(slots) {
        None => [[0; 2]; 2],
        Some([p, q]) => {
            let among = |p: [u32; 3], q: [u32; 3]| {
                (0..3).fold(0u8, |bits, k| bits | (((p[k] == q[0]) | (p[k] == q[1]) | (p[k] == q[2])) as u8) << k)
            };
            let shared = [among(p, q), among(q, p)];
            [shared, shared.map(|bits| bits | bits >> 1 | (bits & 1) << 2)]
        }
    };
    let boxes = [corners[0].map(|v| &a.vertex_boxes[v as usize]), corners[1].map(|v| &b.vertex_boxes[v as usize])];
    let faces = [VertexBox::around(&boxes[0]), VertexBox::around(&boxes[1])];
    for side in 0..2 {
        let other = 1 - side;
        let mut left = duties[side] & 7 & !shared[side];
        while left != 0 {
            let k = left.trailing_zeros() as usize;
            left &= left - 1;
            if boxes[side][k].meets(&faces[other], margin) {
                let vertex = corners[side][k];
                let [p, q, r] = corners[other];
                test(&FeaturePair {
                    numbers: [pair.numbers[side], pair.numbers[other]],
                    bodies: [pair.bodies[side], pair.bodies[other]],
                    features: Features::VertexFace { vertex, triangle: pair.bodies[other].triangle(slots[other]) },
                    vertices: [vertex, p, q, r],
                });
            }
        }
    }
    // Edges that do not meet the other triangle's box are out.
    let edge = |side: usize, k: usize| VertexBox::around(&[boxes[side][k], boxes[side][(k + 1) % 3]]);
    let near = |side: usize| {
        let mut near = duties[side] / EDGE_DUTY;
        (0..3).for_each(|k| near &= !((!edge(side, k).meets(&faces[1 - side], margin) as u8) << k));
        near
    };
    if duties[0] < EDGE_DUTY || duties[1] < EDGE_DUTY {
        return;
    }
    let (mut left, others) = (near(0), near(1));
    while left != 0 && others != 0 {
        let i = left.trailing_zeros() as usize;
        left &= left - 1;
        let first = edge(0, i);
        let ends = [corners[0][i], corners[0][(i + 1) % 3]];
        let mut right = others;
        while right != 0 {
            let j = right.trailing_zeros() as usize;
            right &= right - 1;
            // Edges share a vertex only if both touch what is shared.
            let shares = touched[0] >> i & touched[1] >> j & 1 != 0 && pair.share_end(slots, [i, j]);
            if !shares && first.meets(&edge(1, j), margin) {
                let others = [corners[1][j], corners[1][(j + 1) % 3]];
                test(&FeaturePair {
                    numbers: pair.numbers,
                    bodies: pair.bodies,
                    features: Features::EdgeEdge { a: ends, b: others },
                    vertices: [ends[0], ends[1], others[0], others[1]],
                });
            }
        }
    }
}

struct Continuous<'a> {
    scene: &'a Scene,
    options: CcdOptions,
    /// Whether only the first impact is wanted.
    is_first: bool,
}

impl Visit<Impact> for Continuous<'_> {
    fn margin(&self, _: &Pair) -> f32 {
        0.0
    }

    fn culls(&self, body: &Body, node: usize, worker: &mut Worker<Impact>) -> bool {
        self.scene.culls(body, node, true, &mut worker.contour, &mut worker.stats)
    }

    fn visit(&self, pair: &Pair, slots: [usize; 2], worker: &mut Worker<Impact>) {
        let Worker { ccd, stats, found, until, .. } = worker;
        // Checked by the query.
        let _ = ccd.set_options(self.options);
        feature_pairs(pair, slots, 0.0, |features| {
            stats.elementary_tests += 1;
            if let Some(time) = first_time(ccd, features, *until) {
                stats.found += 1;
                if self.is_first {
                    *until = until.min(time);
                }
                let bodies = features.numbers.map(|k| self.scene.id(k));
                found.push(Impact { bodies, features: features.features, time });
            }
        });
    }
}

fn first_time(ccd: &mut Ccd, features: &FeaturePair, until: f64) -> Option<f64> {
    let (start, end) = (features.at_start(), features.at_end());
    match features.features {
        Features::VertexFace { .. } => ccd.vertex_face_unchecked(&start, &end, until),
        Features::EdgeEdge { .. } => ccd.edge_edge_unchecked(&start, &end, until),
    }
}

impl Scene {
    /// Appends all features that meet during the step, each with its first time. Fails if the scene was not updated for the step.
    pub fn query_continuous(
        &self,
        options: &CcdOptions,
        tasks: &Tasks,
        out: &mut Vec<Impact>,
    ) -> Result<TraversalStats> {
        self.check_ready(Interval::Step)?;
        Ccd::new(*options)?;
        let stats =
            traverse(self, &Continuous { scene: self, options: *options, is_first: false }, &self.impacts, tasks, out);
        self.note_work(&stats);
        Ok(stats)
    }

    /// The first impact of the step; `None` if nothing meets. All bodies may move up to its time without touching. Of several at the same
    /// time, the lowest by bodies and features.
    pub fn first_impact(&self, options: &CcdOptions, tasks: &Tasks) -> Result<Option<Impact>> {
        self.check_ready(Interval::Step)?;
        Ccd::new(*options)?;
        let mut found = vec![];
        let visit = Continuous { scene: self, options: *options, is_first: true };
        let stats = traverse(self, &visit, &self.impacts, tasks, &mut found);
        self.note_work(&stats);
        let key = |impact: &Impact| (impact.bodies, impact.features);
        Ok(found.into_iter().min_by(|a, b| a.time.total_cmp(&b.time).then_with(|| key(a).cmp(&key(b)))))
    }
}
