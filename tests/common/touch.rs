//! First touch of two triangle meshes when one of them is translated along a direction.
//!
//! Along the direction the meshes first touch where a vertex meets a triangle or an edge meets an edge. Both are found in
//! the projection along it.

use fracas::geom::Pose;
use fracas::{Point, Vector};
use nalgebra::{Matrix3, Vector2};

/// A closed triangle mesh, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    pub points: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Middle of its bounding box.
    pub fn centre(&self) -> Point {
        let (low, high) = self.bounds();
        nalgebra::center(&low, &high)
    }

    /// Half the diagonal of its bounding box.
    pub fn radius(&self) -> f64 {
        let (low, high) = self.bounds();
        0.5 * (high - low).norm()
    }

    fn bounds(&self) -> (Point, Point) {
        let first = (self.points[0], self.points[0]);
        self.points.iter().fold(first, |(low, high), p| (low.inf(p), high.sup(p)))
    }
}

/// An interval along the first axis of the projection, and what it belongs to.
struct Edge {
    ends: [Vector; 2],
    low: Vector2<f64>,
    high: Vector2<f64>,
}

/// A mesh in axes of which the third is the direction.
struct Projected {
    points: Vec<Vector>,
    triangles: Vec<[u32; 3]>,
    /// Sorted by `low.x`.
    edges: Vec<Edge>,
    longest: f64,
}

impl Projected {
    fn new(mesh: &Mesh, pose: &Pose, axes: &Matrix3<f64>, origin: &Vector) -> Self {
        let points: Vec<Vector> = mesh.points.iter().map(|p| axes.tr_mul(&((pose * p).coords - origin))).collect();
        let mut numbers: Vec<[u32; 2]> = mesh
            .triangles
            .iter()
            .flat_map(|t| [0, 1, 2].map(|k| [t[k], t[(k + 1) % 3]]))
            .map(|[p, q]| [p.min(q), p.max(q)])
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let edge = |[p, q]: [u32; 2]| {
            let ends = [points[p as usize], points[q as usize]];
            let [s, t] = ends.map(|e| e.xy());
            Edge { ends, low: s.inf(&t), high: s.sup(&t) }
        };
        let mut edges: Vec<Edge> = numbers.into_iter().map(edge).collect();
        edges.sort_by(|e, f| e.low.x.total_cmp(&f.low.x));
        let longest = edges.iter().map(|e| e.high.x - e.low.x).fold(0.0, f64::max);
        Self { triangles: mesh.triangles.clone(), points, edges, longest }
    }
}

/// How far A has to move along a unit vector, from where it is, until it touches B, if it comes from far away. Negative if it
/// has touched B before; `None` if it passes by.
pub fn way_to_touch(a: (&Mesh, &Pose), b: (&Mesh, &Pose), direction: &Vector) -> Option<f64> {
    let aside = if direction.x.abs() < 0.6 { Vector::x() } else { Vector::y() };
    let first = direction.cross(&aside).normalize();
    let axes = Matrix3::from_columns(&[first, direction.cross(&first), *direction]);
    let origin = (b.1 * b.0.points[0]).coords;
    let [a, b] = [a, b].map(|(mesh, pose)| Projected::new(mesh, pose, &axes, &origin));
    let mut way = f64::INFINITY;
    over_triangles(&a.points, &b, |point, height| way = way.min(height - point));
    over_triangles(&b.points, &a, |point, height| way = way.min(point - height));
    for edge in &a.edges {
        let from = b.edges.partition_point(|e| e.low.x < edge.low.x - b.longest);
        for other in b.edges[from..].iter().take_while(|e| e.low.x <= edge.high.x) {
            if other.high.x >= edge.low.x && other.low.y <= edge.high.y && other.high.y >= edge.low.y {
                way = crossing(&edge.ends, &other.ends).map_or(way, |[own, theirs]| way.min(theirs - own));
            }
        }
    }
    way.is_finite().then_some(way)
}

/// Calls `found` with the height of each point and the height of each triangle that it lies in.
fn over_triangles(points: &[Vector], mesh: &Projected, mut found: impl FnMut(f64, f64)) {
    let mut order: Vec<&Vector> = points.iter().collect();
    order.sort_by(|p, q| p.x.total_cmp(&q.x));
    for triangle in &mesh.triangles {
        let [p, q, r] = triangle.map(|k| mesh.points[k as usize]);
        let area = cross(&(q - p), &(r - p));
        if area == 0.0 {
            continue;
        }
        let (low, high) = (p.inf(&q).inf(&r), p.sup(&q).sup(&r));
        let from = order.partition_point(|at| at.x < low.x);
        for at in order[from..].iter().take_while(|at| at.x <= high.x) {
            if at.y < low.y || at.y > high.y {
                continue;
            }
            let weights = [cross(&(q - *at), &(r - *at)), cross(&(r - *at), &(p - *at)), cross(&(p - *at), &(q - *at))];
            if weights.iter().all(|w| w * area >= 0.0) {
                found(at.z, (weights[0] * p.z + weights[1] * q.z + weights[2] * r.z) / area);
            }
        }
    }
}

/// Heights of two segments where their projections cross.
fn crossing(s: &[Vector; 2], t: &[Vector; 2]) -> Option<[f64; 2]> {
    let (u, v, w) = (s[1] - s[0], t[1] - t[0], t[0] - s[0]);
    let area = cross(&u, &v);
    if area == 0.0 {
        return None;
    }
    let (along, other) = (cross(&w, &v) / area, cross(&w, &u) / area);
    let within = 0.0..=1.0;
    (within.contains(&along) && within.contains(&other)).then(|| [s[0].z + along * u.z, t[0].z + other * v.z])
}

fn cross(u: &Vector, v: &Vector) -> f64 {
    u.x * v.y - u.y * v.x
}
