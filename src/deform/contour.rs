//! The contour test (Volino and Thalmann 1994; FASTCD 3.2): whether some triangles, seen along the axis of their normal cone, cover no
//! point twice. Then no two of them collide.
//!
//! All triangles face the same way, so the number of them over a point of the plane is the winding number of their full boundary around
//! that point: the sum over its loops, whatever the surface is connected to and however it is folded. It is at most one everywhere if
//! - no two edges of the boundary that share no vertex meet;
//! - around every vertex edges that leave and edges that arrive take turns (the surface may touch itself at a vertex);
//! - no part of the boundary that goes around in the positive sense lies where other parts wind.
//!
//! Departs from the paper, which looks at connected surfaces only: the winding number needs no connection, so nodes of several pieces are
//! culled as well. Every sign is certain beyond rounding, or the answer is no. Over a step the signs must hold at all times: sides are
//! quadratics in time, bounded by their Bernstein coefficients.

use super::body::Body;
use crate::geom::union_find::{find, join};
use crate::geom::{NONE, Point, Vector};
use std::cmp::Ordering;
use std::ops::Range;

/// Rounding of products of two projected differences, in units of the squared extent of what is projected.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A point of the plane at the start and at the end of the step.
#[derive(Clone, Copy)]
struct Moving([[f64; 2]; 2]);

/// A directed edge of the boundary, the surface on its left.
#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    p: Moving,
    q: Moving,
    low: [f64; 2],
    high: [f64; 2],
}

/// An end of an edge at a vertex.
#[derive(Clone, Copy)]
struct End {
    vertex: u32,
    edge: u32,
    leaves: bool,
}

/// Memory of the test, kept.
#[derive(Default)]
pub(super) struct Contour {
    edges: Vec<Edge>,
    /// Where edges begin along the first axis, sorted, and their numbers.
    order: Vec<(f64, u32)>,
    ends: Vec<End>,
    /// Per vertex: the edge that leaves it, and the test that noted that.
    leaving: Vec<(u32, u32)>,
    test: u32,
    parents: Vec<u32>,
    areas: Vec<f64>,
    extent: f64,
    is_swept: bool,
}

/// Which edges count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    /// All whose other side is not among the triangles.
    Full,
    /// Those of the mesh (Tang et al. 2008, "CCT(Internal)" in FASTCD 6.2): may miss collisions.
    Real,
}

impl Contour {
    /// Whether the triangles in some slots, whose normals are within π/2 of the axis, cannot collide.
    pub fn is_simple(
        &mut self,
        body: &Body,
        slots: Range<usize>,
        axis: [f32; 3],
        boundary: Boundary,
        is_swept: bool,
    ) -> bool {
        self.project(body, slots, axis, boundary, is_swept && body.is_moving);
        if self.edges.is_empty() {
            // A closed surface has no such axis; without real boundary there is nothing to cross.
            return boundary == Boundary::Real;
        }
        // Keys are sorted, not edges, which are large.
        self.order.clear();
        self.order.extend(self.edges.iter().zip(0..).map(|(edge, k)| (edge.low[0], k)));
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if !self.no_edges_meet() {
            return false;
        }
        if boundary == Boundary::Real {
            return true;
        }
        let turns = if self.note_leaving(body.end.len()) { self.edges_turn() } else { self.ends_take_turns() };
        turns && self.no_part_is_covered()
    }

    /// Notes which edge leaves each vertex; false if several do somewhere, because the surface touches itself there.
    fn note_leaving(&mut self, vertices: usize) -> bool {
        if self.leaving.len() < vertices || self.test == u32::MAX {
            self.leaving.clear();
            self.leaving.resize(vertices, (0, 0));
            self.test = 0;
        }
        self.test += 1;
        for (k, edge) in self.edges.iter().enumerate() {
            let noted = &mut self.leaving[edge.from as usize];
            if noted.1 == self.test {
                return false;
            }
            *noted = (k as u32, self.test);
        }
        true
    }

    /// The edge after one, if edges are noted.
    fn next(&self, edge: &Edge) -> u32 {
        self.leaving[edge.to as usize].0
    }

    /// Where one edge leaves and one arrives at every vertex: they never fall together. Joins the edges of a loop.
    fn edges_turn(&mut self) -> bool {
        self.parents.clear();
        self.parents.extend(0..self.edges.len() as u32);
        for k in 0..self.edges.len() {
            let next = self.next(&self.edges[k]);
            let (a, b) = (&self.edges[k], &self.edges[next as usize]);
            let (p, q) = (minus(&a.p, &a.q), minus(&b.q, &b.p));
            if self.sign(cross, p, q) == 0 && self.sign(dot, p, q) >= 0 {
                return false;
            }
            join(&mut self.parents, k as u32, next);
        }
        true
    }

    fn project(&mut self, body: &Body, slots: Range<usize>, axis: [f32; 3], boundary: Boundary, is_swept: bool) {
        let axis = Vector::from(axis.map(f64::from));
        let least = (0..3).fold(0, |best, k| if axis[k].abs() < axis[best].abs() { k } else { best });
        let mut other = Vector::zeros();
        other[least] = 1.0;
        // Counter-clockwise seen against the axis.
        let u = other.cross(&axis).normalize();
        let v = axis.cross(&u);
        // The first slot of a leaf is never empty.
        let origin = body.end[body.corners[slots.start][0] as usize];
        let flat = |p: &Point| {
            let d = p - origin;
            [d.dot(&u), d.dot(&v)]
        };
        self.edges.clear();
        self.extent = 0.0;
        self.is_swept = is_swept;
        for slot in slots.clone() {
            for k in 0..3 {
                let across = body.across[slot][k];
                let counts = match boundary {
                    Boundary::Full => !slots.contains(&(across as usize)),
                    Boundary::Real => across == NONE,
                };
                if !counts {
                    continue;
                }
                let (from, to) = (body.corners[slot][k], body.corners[slot][(k + 1) % 3]);
                let at = |vertex: u32| {
                    let end = flat(&body.end[vertex as usize]);
                    Moving([if is_swept { flat(&body.start[vertex as usize]) } else { end }, end])
                };
                let (p, q) = (at(from), at(to));
                let (low, high) = bounds(&p, &q);
                self.extent = most(self.extent, most(most(-low[0], -low[1]), most(high[0], high[1])));
                self.edges.push(Edge { from, to, p, q, low, high });
            }
        }
    }

    /// No two edges without a common vertex meet.
    fn no_edges_meet(&self) -> bool {
        let slack = ROUNDING * self.extent;
        for (i, (_, number)) in self.order.iter().enumerate() {
            let a = &self.edges[*number as usize];
            for (_, number) in self.order[i + 1..].iter().take_while(|(low, _)| *low <= a.high[0] + slack) {
                let b = &self.edges[*number as usize];
                let apart = b.low[1] > a.high[1] + slack || a.low[1] > b.high[1] + slack;
                let touch = a.from == b.from || a.from == b.to || a.to == b.from || a.to == b.to;
                if !apart && !touch && !self.never_meet(a, b) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether both ends of one edge stay on one side of the other.
    fn never_meet(&self, a: &Edge, b: &Edge) -> bool {
        let one_side = |a: &Edge, b: &Edge| {
            let side = self.side(&a.p, &a.q, &b.p);
            side != 0 && side == self.side(&a.p, &a.q, &b.q)
        };
        one_side(a, b) || one_side(b, a)
    }

    /// The sign of a product of two differences that are linear in time, if it is certain and the same at all times; else 0.
    fn sign(&self, product: impl Fn([f64; 2], [f64; 2]) -> f64, a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> i32 {
        let slack = ROUNDING * self.extent * self.extent;
        let first = product(a[0], b[0]);
        if !self.is_swept {
            return (first > slack) as i32 - (first < -slack) as i32;
        }
        let last = product(a[1], b[1]);
        let middle = 0.5 * (product(a[0], b[1]) + product(a[1], b[0]));
        let above = first > slack && middle > slack && last > slack;
        let below = first < -slack && middle < -slack && last < -slack;
        above as i32 - below as i32
    }

    /// The side of `r` seen along the line from `p` to `q`.
    fn side(&self, p: &Moving, q: &Moving, r: &Moving) -> i32 {
        self.sign(cross, minus(q, p), minus(r, p))
    }

    /// Around every vertex edges that leave and edges that arrive alternate, and never fall together.
    fn ends_take_turns(&mut self) -> bool {
        self.ends.clear();
        for (k, edge) in self.edges.iter().enumerate() {
            self.ends.push(End { vertex: edge.from, edge: k as u32, leaves: true });
            self.ends.push(End { vertex: edge.to, edge: k as u32, leaves: false });
        }
        self.ends.sort_unstable_by_key(|end| (end.vertex, end.edge));
        self.parents.clear();
        self.parents.extend(0..self.edges.len() as u32);
        // Sorted by vertex: edges that meet there are of one part.
        for pair in self.ends.windows(2).filter(|pair| pair[0].vertex == pair[1].vertex) {
            join(&mut self.parents, pair[0].edge, pair[1].edge);
        }
        let mut ends = std::mem::take(&mut self.ends);
        let fine = ends.chunk_by_mut(|a, b| a.vertex == b.vertex).all(|around| self.takes_turns(around));
        self.ends = ends;
        fine
    }

    fn takes_turns(&self, around: &mut [End]) -> bool {
        let way = |end: &End| {
            let edge = &self.edges[end.edge as usize];
            if end.leaves { minus(&edge.q, &edge.p) } else { minus(&edge.p, &edge.q) }
        };
        if around.len() > 2 {
            around.sort_unstable_by(|a, b| by_angle(way(a)[0], way(b)[0]));
        }
        (0..around.len()).all(|k| {
            let (a, b) = (&around[k], &around[(k + 1) % around.len()]);
            let (p, q) = (way(a), way(b));
            a.leaves != b.leaves && (self.sign(cross, p, q) != 0 || self.sign(dot, p, q) < 0)
        })
    }

    /// No part of the boundary that winds positively lies where another part winds.
    fn no_part_is_covered(&mut self) -> bool {
        self.areas.clear();
        self.areas.resize(self.edges.len(), 0.0);
        for (k, edge) in self.edges.iter().enumerate() {
            self.areas[find(&mut self.parents, k as u32) as usize] += cross(edge.p.0[0], edge.q.0[0]);
        }
        let slack = ROUNDING * self.extent * self.extent * self.edges.len() as f64;
        // A part is named by its lowest edge.
        let parts = || (0..self.edges.len()).filter(|k| self.parents[*k] == *k as u32);
        if parts().any(|k| self.areas[k].abs() <= slack) {
            return false;
        }
        if parts().filter(|k| self.areas[*k] > 0.0).count() <= 1 {
            return true;
        }
        let positive: Vec<usize> = parts().filter(|k| self.areas[*k] > 0.0).collect();
        let mut parents = std::mem::take(&mut self.parents);
        let fine = positive.iter().all(|part| {
            let at = self.edges[*part].p;
            let mut winding = 0;
            for (k, edge) in self.edges.iter().enumerate() {
                if find(&mut parents, k as u32) == *part as u32 {
                    continue;
                }
                let (p, q, at_y) = (edge.p.0[0][1], edge.q.0[0][1], at.0[0][1]);
                if (p <= at_y) != (q <= at_y) {
                    match (self.side(&edge.p, &edge.q, &at), p < q) {
                        (1, true) => winding += 1,
                        (-1, false) => winding -= 1,
                        (0, _) => return false,
                        _ => {}
                    }
                }
            }
            winding == 0
        });
        self.parents = parents;
        fine
    }
}

// Of numbers that are not NaN; the library's functions look for that.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

#[inline(always)]
fn most(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The box of two moving points.
#[inline(always)]
fn bounds(p: &Moving, q: &Moving) -> ([f64; 2], [f64; 2]) {
    let of = |pick: fn(f64, f64) -> f64, k: usize| pick(pick(p.0[0][k], p.0[1][k]), pick(q.0[0][k], q.0[1][k]));
    ([of(least, 0), of(least, 1)], [of(most, 0), of(most, 1)])
}

fn minus(a: &Moving, b: &Moving) -> [[f64; 2]; 2] {
    [0, 1].map(|t| [0, 1].map(|k| a.0[t][k] - b.0[t][k]))
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Counter-clockwise from the positive x axis.
fn by_angle(a: [f64; 2], b: [f64; 2]) -> Ordering {
    let lower = |v: [f64; 2]| v[1] < 0.0 || v[1] == 0.0 && v[0] < 0.0;
    lower(a).cmp(&lower(b)).then_with(|| 0.0f64.total_cmp(&cross(a, b)))
}

#[cfg(test)]
mod tests {
    use super::super::build::Builder;
    use super::super::mesh::Mesh;
    use super::super::options::Construction;
    use super::*;
    use crate::geom::random::unit;
    use crate::geom::tri_tri;

    fn body(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Body {
        let mesh = Mesh::new(triangles.to_vec(), points.len()).unwrap();
        Body::new(mesh, points.iter().map(|p| Point::from(*p)).collect(), Construction::Median, &mut Builder::default())
    }

    fn is_simple(body: &Body, is_swept: bool) -> bool {
        let slots = body.tree.nodes[0].slots();
        Contour::default().is_simple(body, slots, [0.0, 0.0, 1.0], Boundary::Full, is_swept)
    }

    #[test]
    fn what_lies_above_each_other_is_not_simple() {
        let square = |from: f64, to: f64, z: f64| [[from, from, z], [to, from, z], [to, to, z], [from, to, z]];
        let two = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        let all = |a: [[f64; 3]; 4], b: [[f64; 3]; 4]| [a, b].concat();
        assert!(is_simple(&body(&all(square(0.0, 1.0, 0.0), square(2.0, 3.0, 0.5)), &two), false), "beside each other");
        assert!(!is_simple(&body(&all(square(0.0, 1.0, 0.0), square(0.5, 1.5, 0.5)), &two), false), "edges cross");
        // No edges cross: one is over the inside of the other.
        assert!(!is_simple(&body(&all(square(0.0, 3.0, 0.0), square(1.0, 2.0, 0.5)), &two), false), "within");
        // A vertex in common, and one triangle over the other.
        let fan =
            |a: f64| [[0.0, 0.0, 0.0], [2.0, -1.0, 0.0], [2.0, 1.0, 0.0], [1.0, a - 0.2, 0.3], [1.0, a + 0.2, 0.3]];
        assert!(!is_simple(&body(&fan(0.0), &[[0, 1, 2], [0, 3, 4]]), false), "both sectors are one");
        assert!(is_simple(&body(&fan(2.0), &[[0, 1, 2], [0, 3, 4]]), false), "the sectors are apart");
        // A ring around a hole, and an island in it.
        let ring = all(square(0.0, 4.0, 0.0), square(1.0, 3.0, 0.0));
        let sides = (0..4u32).flat_map(|k| {
            let (a, b) = (k, (k + 1) % 4);
            [[a, b, b + 4], [a, b + 4, a + 4]]
        });
        let sides: Vec<[u32; 3]> = sides.collect();
        assert!(is_simple(&body(&ring, &sides), false));
        let island = [ring, square(1.5, 2.5, 1.0).to_vec()].concat();
        assert!(is_simple(&body(&island, &[sides, vec![[8, 9, 10], [8, 10, 11]]].concat()), false));
    }

    #[test]
    fn what_is_simple_over_a_step_is_so_at_every_time() {
        let (mut simple, mut ends) = (0, 0);
        for seed in 0..20_000u64 {
            let at = |k: u64| [0, 1].map(|a| unit(seed, 2 * k + a) * 2.0 - 1.0);
            // Two triangles that face up at both ends, seen from above.
            let place = |k: u64| [0, 1, 2].map(|c| at(3 * k + c)).map(|[x, y]| [x + 1.2 * (k % 2) as f64, y]);
            let times = [[place(0), place(1)], [place(2), place(3)]];
            let area = |t: &[[f64; 2]; 3]| {
                (t[1][0] - t[0][0]) * (t[2][1] - t[0][1]) - (t[1][1] - t[0][1]) * (t[2][0] - t[0][0])
            };
            let between = |k: usize, share: f64| -> [[f64; 2]; 3] {
                let mix = |c: usize, a: usize| times[0][k][c][a] * (1.0 - share) + times[1][k][c][a] * share;
                std::array::from_fn(|c| [mix(c, 0), mix(c, 1)])
            };
            let shares: Vec<f64> = (0..=40).map(|s| s as f64 / 40.0).collect();
            if !shares.iter().all(|s| area(&between(0, *s)) > 1e-3 && area(&between(1, *s)) > 1e-3) {
                continue;
            }
            let lifted = |t: [[f64; 2]; 3], z: f64| t.map(|[x, y]| [x, y, z]);
            let points = |time: usize| [lifted(times[time][0], 0.0), lifted(times[time][1], 1.0)].concat();
            let mut moving = body(&points(0), &[[0, 1, 2], [3, 4, 5]]);
            moving.set_positions(points(1).into_iter().map(Point::from));
            let meet = |s: f64| {
                let flat = [0, 1].map(|k| between(k, s).map(|[x, y]| Point::new(x, y, 0.0)));
                tri_tri::intersect(flat[0].each_ref(), flat[1].each_ref())
            };
            ends += (!meet(0.0) && !meet(1.0) && shares.iter().any(|s| meet(*s))) as u32;
            if is_simple(&moving, true) {
                simple += 1;
                assert!(!shares.iter().any(|s| meet(*s)), "seed {seed}");
            }
        }
        assert!(simple > 20 && ends > 20, "{simple} simple, {ends} meet only on the way");
    }
}
