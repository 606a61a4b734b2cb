//! Two primitives in motion: one expression for both kinds.

use super::coplanarity::Determinant;
use crate::geom::Point;

/// Rounding of a component of a cross product, in units of the largest components of its two vectors: twice 4.5 epsilon for a product
/// of positions in time, 2 for the sums; the rest for comparing three of them.
const CROSS_ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Edges are parallel if their cross product is within this many times its rounding.
const PARALLEL: f64 = 8.0;

pub(super) type Array = [f64; 3];

/// Which primitives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Vertex, and the three corners of a triangle.
    VertexFace,
    /// The ends of one edge, and those of another.
    EdgeEdge,
}

/// Whether two primitives overlap within their common plane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Apart,
    Overlapping,
    Uncertain,
}

pub(super) struct Overlap {
    pub verdict: Verdict,
    /// Between which values u and v are where the primitives meet. They may reach beyond 0 and 1.
    pub ranges: [[f64; 2]; 2],
    /// Whether a and b are parallel all the time, or have no length.
    pub is_parallel: bool,
}

/// The difference of two primitives, w - u a - v b, at the start and at the end of a step. It is linear in each of t, u and v. Both
/// parameters are at least 0; their sum (vertex and face) or each of them (edges) is at most 1.
pub(super) struct Motion {
    pub kind: Kind,
    pub w: [Array; 2],
    pub a: [Array; 2],
    pub b: [Array; 2],
    /// The largest components of w, a and b over the whole step, per axis: what rounding is relative to. At the ends of the step each
    /// component is off by half an epsilon of its size, at a time between by two.
    pub sizes: [Array; 3],
}

pub(super) fn cross(p: &Array, q: &Array) -> Array {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

pub(super) fn dot(p: &Array, q: &Array) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

pub(super) fn add(p: &Array, q: &Array) -> Array {
    [p[0] + q[0], p[1] + q[1], p[2] + q[2]]
}

pub(super) fn least(v: &Array) -> f64 {
    v[0].min(v[1]).min(v[2])
}

pub(super) fn most(v: &Array) -> f64 {
    v[0].max(v[1]).max(v[2])
}

/// Whether one primitive is ahead of the other along an axis, at the start and at the end: then it is so all the time.
pub(super) fn are_apart(kind: Kind, start: &[Point; 4], end: &[Point; 4]) -> bool {
    (0..3).any(|k| {
        let order = |points: &[Point; 4]| {
            let [p, q, r, s] = [points[0][k], points[1][k], points[2][k], points[3][k]];
            match kind {
                Kind::VertexFace => (p < q.min(r).min(s), p > q.max(r).max(s)),
                Kind::EdgeEdge => (p.max(q) < r.min(s), p.min(q) > r.max(s)),
            }
        };
        let (old, new) = (order(start), order(end));
        old.0 & new.0 | old.1 & new.1
    })
}

impl Motion {
    pub fn new(kind: Kind, start: &[Point; 4], end: &[Point; 4]) -> Self {
        let between = |k: usize, l: usize| [start, end].map(|p| [0, 1, 2].map(|axis| p[k][axis] - p[l][axis]));
        let [w, a, b] = match kind {
            Kind::VertexFace => [between(0, 1), between(2, 1), between(3, 1)],
            Kind::EdgeEdge => [between(2, 0), between(1, 0), between(2, 3)],
        };
        let sizes = [&w, &a, &b].map(|v| [0, 1, 2].map(|axis| v[0][axis].abs().max(v[1][axis].abs())));
        Self { kind, w, a, b, sizes }
    }

    /// The part of the whole step between two times.
    pub fn between(&self, from: f64, to: f64) -> Self {
        let at = |ends: &[Array; 2], t: f64| [0, 1, 2].map(|k| (1.0 - t) * ends[0][k] + t * ends[1][k]);
        let part = |ends: &[Array; 2]| [at(ends, from), at(ends, to)];
        Self { kind: self.kind, w: part(&self.w), a: part(&self.a), b: part(&self.b), sizes: self.sizes }
    }

    /// Whether a or b turns, by 1e-5 or more.
    pub fn turns(&self) -> bool {
        let turns = |[old, new]: &[Array; 2]| {
            let product = cross(old, new);
            dot(&product, &product) > 1e-10 * dot(old, old) * dot(new, new)
        };
        turns(&self.a) || turns(&self.b)
    }

    /// The determinant of w, a and b over the step.
    pub fn determinant(&self) -> Determinant {
        let Self { w, a, b, .. } = self;
        let (old, new) = (cross(&a[0], &b[0]), cross(&a[1], &b[1]));
        let mixed = add(&cross(&a[0], &b[1]), &cross(&a[1], &b[0]));
        let coefficients = [
            dot(&old, &w[0]),
            (dot(&old, &w[1]) + dot(&mixed, &w[0])) * (1.0 / 3.0),
            (dot(&new, &w[0]) + dot(&mixed, &w[1])) * (1.0 / 3.0),
            dot(&new, &w[1]),
        ];
        let [w, a, b] = self.sizes.each_ref().map(most);
        Determinant::new(coefficients, w * a * b)
    }

    /// Whether the primitives overlap whenever they are coplanar. They are looked at along the axis that is nearest to their normal.
    ///
    /// Where w = u a + v b, the components of w x b and a x w are u and v times that of a x b. All are quadratics in t, bounded by
    /// their Bernstein coefficients.
    pub fn overlap(&self) -> Overlap {
        let Self { w, a, b, .. } = self;
        let normal = cross(&add(&a[0], &a[1]), &add(&b[0], &b[1])).map(f64::abs);
        let axis = match normal {
            [x, y, z] if x >= y && x >= z => 0,
            [_, y, z] if y >= z => 1,
            _ => 2,
        };
        let (x, y) = ([1, 2, 0][axis], [2, 0, 1][axis]);
        let product = |p: &[Array; 2], q: &[Array; 2]| {
            let at = |i: usize, j: usize| p[i][x] * q[j][y] - p[i][y] * q[j][x];
            [at(0, 0), 0.5 * (at(0, 1) + at(1, 0)), at(1, 1)]
        };
        let (mut n, mut u, mut v) = (product(a, b), product(w, b), product(a, w));
        if n[0] < 0.0 {
            [n, u, v] = [n, u, v].map(|q| q.map(|c| -c));
        }
        let sizes = self.sizes.each_ref().map(|size| size[x].max(size[y]));
        let slack = |p: usize, q: usize| CROSS_ROUNDING * (sizes[p] * sizes[q]) + f64::MIN_POSITIVE;
        let (slack_n, slack_u, slack_v) = (slack(1, 2), slack(0, 2), slack(1, 0));
        let (thin, thick) = (least(&n) - slack_n, most(&n) + slack_n);
        let is_parallel = most(&n.map(f64::abs)) <= PARALLEL * slack_n;
        let mut overlap = Overlap { verdict: Verdict::Uncertain, ranges: [[0.0, 1.0]; 2], is_parallel };
        if thin.is_nan() || thin <= 0.0 {
            return overlap;
        }
        let beyond = match self.kind {
            Kind::VertexFace => [[0, 1, 2].map(|k| u[k] + v[k] - n[k]); 2],
            Kind::EdgeEdge => [[0, 1, 2].map(|k| u[k] - n[k]), [0, 1, 2].map(|k| v[k] - n[k])],
        };
        let slack = slack_u + slack_v + slack_n;
        if most(&u) < -slack_u || most(&v) < -slack_v || beyond.iter().any(|c| least(c) > slack) {
            overlap.verdict = Verdict::Apart;
            return overlap;
        }
        if least(&u) > slack_u && least(&v) > slack_v && beyond.iter().all(|c| most(c) < -slack) {
            overlap.verdict = Verdict::Overlapping;
        }
        let range = |c: &Array, slack: f64| {
            let (low, high) = (least(c) - slack, most(c) + slack);
            let (low, high) =
                (low / if low > 0.0 { thick } else { thin }, high / if high > 0.0 { thin } else { thick });
            [low - 8.0 * f64::EPSILON * low.abs(), high + 8.0 * f64::EPSILON * high.abs()]
        };
        overlap.ranges = [range(&u, slack_u), range(&v, slack_v)];
        overlap
    }
}
