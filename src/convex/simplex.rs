//! Simplices in the Minkowski difference A - B of two bodies, and their points nearest to the origin.
//!
//! By Voronoi regions (Ericson 2005, 5.1), with two departures for robustness. The nearest point within a triangle comes
//! from its normal, not from its corners: near contact, where it is tiny beside them, its direction is as good as the
//! normal. And what is nearly flat is not trusted: then all faces, or all edges, are tried, and the nearest point wins.

use crate::convex::support::Support;
use crate::geom::pinned::powi;
use crate::geom::{NONE, Point, Vector};

/// A triangle or a tetrahedron is flat if its area or volume is below this share of that of a cube of its edges' lengths:
/// some thousand roundings of the products.
const FLAT: f64 = 1e-12;

/// A point of the Minkowski difference.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    /// Where it is: the point of A minus that of B.
    pub at: Vector,
    /// The points of A and of B.
    pub on: [Point; 2],
    /// Their indices.
    pub ids: [u32; 2],
}

/// The Minkowski difference of two bodies without their margins.
pub struct Difference<'a, A, B> {
    /// A and B.
    pub of: (&'a A, &'a B),
}

/// Up to four points of a Minkowski difference, and the weights of a point among them.
#[derive(Clone, Copy, Debug)]
pub struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    count: usize,
}

/// The point of a simplex nearest to the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<const N: usize> {
    /// Where it is.
    pub at: Vector,
    /// Its weights: not negative, the sum is one; zero for vertices that are not needed.
    pub weights: [f64; N],
}

impl Vertex {
    const NOWHERE: Self = Self { at: Vector::new(0.0, 0.0, 0.0), on: [Point::new(0.0, 0.0, 0.0); 2], ids: [NONE; 2] };

    /// The largest coordinate of its points: its rounding errors are a share of it.
    pub fn reach(&self) -> f64 {
        self.on[0].coords.amax().max(self.on[1].coords.amax())
    }
}

impl Default for Vertex {
    fn default() -> Self {
        Self::NOWHERE
    }
}

impl<A: Support, B: Support> Difference<'_, A, B> {
    /// The farthest point along a unit direction.
    #[inline]
    pub fn farthest(&self, direction: &Vector) -> Vertex {
        let ((on_a, id_a), (on_b, id_b)) = (self.of.0.farthest(direction), self.of.1.farthest(&-direction));
        Vertex { at: on_a - on_b, on: [on_a, on_b], ids: [id_a, id_b] }
    }
}

impl Simplex {
    /// A single point.
    pub fn new(vertex: Vertex) -> Self {
        let mut simplex = Self { vertices: [Vertex::NOWHERE; 4], weights: [0.0; 4], count: 0 };
        simplex.push(vertex);
        simplex.weights[0] = 1.0;
        simplex
    }

    /// Its vertices, at least one.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.count]
    }

    /// Adds a vertex to at most three.
    pub fn push(&mut self, vertex: Vertex) {
        self.vertices[self.count] = vertex;
        self.weights[self.count] = 0.0;
        self.count += 1;
    }

    /// Takes the last vertex back.
    pub fn pop(&mut self) {
        self.count -= 1;
    }

    /// Whether it has a vertex of these points.
    pub fn has(&self, vertex: &Vertex) -> bool {
        self.vertices().iter().any(|own| own.ids == vertex.ids)
    }

    /// The point nearest to the origin; `None` if it is a tetrahedron with the origin in it.
    #[inline]
    pub fn nearest(&self) -> Option<Nearest<4>> {
        let at = |k: usize| self.vertices[k].at;
        Some(match self.count {
            1 => Nearest { at: at(0), weights: [1.0, 0.0, 0.0, 0.0] },
            2 => nearest_on_segment([&at(0), &at(1)]).spread([0, 1]),
            3 => nearest_on_triangle([&at(0), &at(1), &at(2)]).spread([0, 1, 2]),
            _ => return nearest_on_tetrahedron([&at(0), &at(1), &at(2), &at(3)]),
        })
    }

    /// Keeps the vertices that a point needs.
    #[inline]
    pub fn keep(&mut self, weights: &[f64; 4]) {
        let mut kept = 0;
        for (k, weight) in weights.iter().enumerate().take(self.count) {
            if *weight > 0.0 {
                self.vertices[kept] = self.vertices[k];
                self.weights[kept] = *weight;
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// The nearest of its faces that have a vertex less: of the triangles of a tetrahedron, the edges of a triangle, or the
    /// ends of a segment.
    pub fn nearest_face(&self) -> Self {
        let faces = (0..self.count).map(|without| {
            let mut face = *self;
            let weights = [0, 1, 2, 3].map(|k| if k == without { 0.0 } else { 1.0 });
            face.keep(&weights);
            let nearest = face.nearest().unwrap_or(Nearest { at: Vector::zeros(), weights });
            face.keep(&nearest.weights);
            (face, nearest.at.norm_squared())
        });
        faces.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(*self, |(face, _)| face)
    }

    /// The weighted points on A and on B.
    pub fn points(&self) -> [Point; 2] {
        weighted(self.vertices(), &self.weights)
    }
}

/// Weighted points of A and of B.
pub fn weighted(vertices: &[Vertex], weights: &[f64]) -> [Point; 2] {
    [0, 1].map(|side| {
        let sum: Vector = vertices.iter().zip(weights).map(|(vertex, weight)| vertex.on[side].coords * *weight).sum();
        Point::from(sum)
    })
}

impl<const N: usize> Nearest<N> {
    /// The same among more vertices, of which these are `places`.
    fn spread<const M: usize>(&self, places: [usize; N]) -> Nearest<M> {
        let mut weights = [0.0; M];
        places.into_iter().zip(self.weights).for_each(|(place, weight)| weights[place] = weight);
        Nearest { at: self.at, weights }
    }

    fn or_nearer(self, other: Self) -> Self {
        if other.at.norm_squared() < self.at.norm_squared() { other } else { self }
    }
}

#[inline]
fn nearest_on_segment([p, q]: [&Vector; 2]) -> Nearest<2> {
    let along = q - p;
    let (before, after) = (-p.dot(&along), q.dot(&along));
    if before <= 0.0 {
        return Nearest { at: *p, weights: [1.0, 0.0] };
    }
    if after <= 0.0 {
        return Nearest { at: *q, weights: [0.0, 1.0] };
    }
    let share = before / (before + after);
    Nearest { at: p + along * share, weights: [1.0 - share, share] }
}

/// The point of a triangle nearest to the origin.
#[inline]
pub fn nearest_on_triangle(corners: [&Vector; 3]) -> Nearest<3> {
    let [p, q, r] = corners;
    let (pq, pr) = (q - p, r - p);
    let normal = pq.cross(&pr);
    let size = normal.norm_squared();
    // Twice the areas that the origin makes with the edges opposite to the corners.
    let parts = [q.cross(r).dot(&normal), r.cross(p).dot(&normal), p.cross(q).dot(&normal)];
    let is_flat = size <= FLAT * FLAT * powi(pq.norm_squared().max(pr.norm_squared()), 2);
    if !is_flat && parts.iter().all(|part| *part > 0.0) {
        let sum = parts[0] + parts[1] + parts[2];
        return Nearest { at: normal * (p.dot(&normal) / size), weights: parts.map(|part| part / sum) };
    }
    let edge = |k: usize| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        nearest_on_segment([corners[i], corners[j]]).spread::<3>([i, j])
    };
    let mut best: Option<Nearest<3>> = None;
    for k in (0..3).filter(|k| is_flat || parts[*k] <= 0.0) {
        let found = edge(k);
        best = Some(best.map_or(found, |best| best.or_nearer(found)));
    }
    best.unwrap_or_else(|| edge(0))
}

#[inline]
fn nearest_on_tetrahedron(corners: [&Vector; 4]) -> Option<Nearest<4>> {
    let mut best: Option<Nearest<4>> = None;
    // The last vertex is the newest: the face opposite to it comes last.
    for face in [[3, 0, 1], [3, 1, 2], [3, 2, 0], [0, 1, 2]] {
        let [p, q, r] = face.map(|k: usize| corners[k]);
        let other = corners[6 - face[0] - face[1] - face[2]] - p;
        let (pq, pr) = (q - p, r - p);
        let normal = pq.cross(&pr);
        let (inward, origin) = (normal.dot(&other), -normal.dot(p));
        let flat = FLAT * (pq.norm_squared() * pr.norm_squared() * other.norm_squared()).sqrt();
        if inward.abs() <= flat || inward * origin <= 0.0 {
            let found = nearest_on_triangle([p, q, r]).spread(face);
            best = Some(best.map_or(found, |best| best.or_nearer(found)));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    fn simplex(points: &[Vector]) -> Simplex {
        let vertex = |at: &Vector| Vertex { at: *at, ..Vertex::default() };
        let mut simplex = Simplex::new(vertex(&points[0]));
        points[1..].iter().for_each(|at| simplex.push(vertex(at)));
        simplex
    }

    /// Conditional gradients with exact line search: slow, and independent of regions and flatness.
    fn descended(points: &[Vector]) -> f64 {
        let mut at = points[0];
        for _ in 0..20_000 {
            let lowest = points.iter().min_by(|p, q| p.dot(&at).total_cmp(&q.dot(&at))).unwrap();
            let towards = lowest - at;
            if towards.norm_squared() == 0.0 || -at.dot(&towards) <= 1e-9 * at.norm_squared() {
                break;
            }
            at += towards * (-at.dot(&towards) / towards.norm_squared()).clamp(0.0, 1.0);
        }
        at.norm()
    }

    /// Among them flat ones of all kinds: in a plane, in a line, with points that coincide.
    #[test]
    fn the_nearest_point_is_that_of_descent() {
        for seed in 0..4000 {
            let count = 1 + seed as usize % 4;
            let mut points: Vec<Vector> =
                (0..count as u64).map(|k| Vector::from_fn(|i, _| unit(seed, 3 * k + i as u64) * 2.0 - 1.0)).collect();
            let shift = Vector::from_fn(|i, _| unit(seed, 50 + i as u64) - 0.5) * 2.0;
            for p in &mut points {
                match seed / 4 % 5 {
                    0 => {}
                    1 => *p += shift,
                    2 => *p = Vector::new(p.x, p.y, 0.2 + 1e-14 * p.z),
                    3 => *p = shift + Vector::new(1.0, 2.0, 3.0) * p.x,
                    _ => *p = p.map(|x| x.round() * 0.5) + shift,
                }
            }
            let wanted = descended(&points);
            let found = simplex(&points).nearest();
            let at = found.map_or(0.0, |nearest| nearest.at.norm());
            assert!((at - wanted).abs() < 1e-2, "{seed}: {at} for {wanted}, {points:?}");
            assert!(at <= wanted + 1e-12, "{seed}: {at} for {wanted}, {points:?}");
            if let Some(Nearest { at, weights }) = found {
                let sum: Vector = points.iter().zip(weights).map(|(p, weight)| p * weight).sum();
                assert!((sum - at).norm() < 1e-9 && weights.iter().all(|weight| *weight >= 0.0), "{seed}");
                assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                assert!(points.iter().all(|p| p.dot(&at) >= at.norm_squared() - 1e-9), "{seed}: {at:?} of {points:?}");
            }
        }
    }
}
