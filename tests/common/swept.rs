//! Moving bodies by brute force: many small steps, and separating axes at each. Shares nothing with the library's sweeps.

use super::touch::Mesh;
use fracas::geom::Pose;
use fracas::{Point, Vector};
use nalgebra::{Translation3, Unit, UnitQuaternion};

/// A body on its way: its centre on a straight line, turning about it.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// In the body's frame.
    pub centre: Point,
    /// Of the centre, in the world.
    pub from: Point,
    pub way: Vector,
    pub start: UnitQuaternion<f64>,
    pub axis: Vector,
    /// Below half a turn.
    pub angle: f64,
}

impl Flight {
    pub fn still(pose: &Pose) -> Self {
        let from = pose * Point::origin();
        Self {
            centre: Point::origin(),
            from,
            way: Vector::zeros(),
            start: pose.rotation,
            axis: Vector::z(),
            angle: 0.0,
        }
    }

    pub fn pose(&self, t: f64) -> Pose {
        let turn = UnitQuaternion::from_axis_angle(&Unit::new_normalize(self.axis), self.angle * t) * self.start;
        let at = self.from + self.way * t - turn * self.centre.coords;
        Pose::from_parts(Translation3::from(at.coords), turn)
    }

    pub fn ends(&self) -> [Pose; 2] {
        [self.pose(0.0), self.pose(1.0)]
    }
}

/// A convex polyhedron or a triangle, for separating axes.
#[derive(Clone, Debug)]
pub struct Convex {
    pub points: Vec<Point>,
    pub normals: Vec<Vector>,
    pub edges: Vec<Vector>,
    /// Its extents along its normals.
    ranges: Vec<[f64; 2]>,
}

/// Extent of points along an axis.
fn range(points: &[Point], axis: &Vector) -> [f64; 2] {
    let along = points.iter().map(|p| axis.dot(&p.coords));
    along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

impl Convex {
    /// The hull of a mesh that is convex.
    pub fn new(mesh: &Mesh) -> Self {
        let (mut normals, mut edges): (Vec<Vector>, Vec<Vector>) = (vec![], vec![]);
        let is_new = |list: &[Vector], v: &Vector| list.iter().all(|w| w.cross(v).norm() > 1e-9);
        for triangle in &mesh.triangles {
            let corners = triangle.map(|k| mesh.points[k as usize]);
            let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
            if is_new(&normals, &normal) {
                normals.push(normal);
            }
            for k in 0..3 {
                let along = (corners[(k + 1) % 3] - corners[k]).normalize();
                if is_new(&edges, &along) {
                    edges.push(along);
                }
            }
        }
        let ranges = normals.iter().map(|normal| range(&mesh.points, normal)).collect();
        Self { points: mesh.points.clone(), normals, edges, ranges }
    }

    /// The triangles of any mesh.
    pub fn triangles(mesh: &Mesh) -> Vec<Self> {
        let each = |triangle: &[u32; 3]| {
            let corners = triangle.map(|k| mesh.points[k as usize]);
            let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            let edges = (0..3).filter_map(|k| (corners[(k + 1) % 3] - corners[k]).try_normalize(0.0)).collect();
            let normals: Vec<Vector> = normal.try_normalize(0.0).into_iter().collect();
            let ranges = normals.iter().map(|normal| range(&corners, normal)).collect();
            Self { points: corners.into(), normals, edges, ranges }
        };
        mesh.triangles.iter().map(each).collect()
    }

    /// Separation along the best of all axes, with this body placed in the frame of the other; not above zero if they overlap. Ends
    /// with the first axis along which it is above `enough`.
    pub fn separation(&self, placed: &Pose, other: &Self, enough: f64) -> f64 {
        let mut corners = [Point::origin(); 64];
        let count = self.points.len();
        assert!(count <= corners.len());
        corners.iter_mut().zip(&self.points).for_each(|(at, p)| *at = placed * p);
        let corners = &corners[..count];
        let apart = |[low, high]: [f64; 2], [from, to]: [f64; 2]| (low - to).max(from - high);
        let mut most = f64::NEG_INFINITY;
        for (normal, extent) in other.normals.iter().zip(&other.ranges) {
            most = most.max(apart(range(corners, normal), *extent));
            if most > enough {
                return most;
            }
        }
        let mut is_enough = |axis: &Vector| {
            most = most.max(apart(range(corners, axis), range(&other.points, axis)));
            most > enough
        };
        for normal in &self.normals {
            if is_enough(&(placed.rotation * normal)) {
                return most;
            }
        }
        for edge in &self.edges {
            let edge = placed.rotation * edge;
            for across in other.edges.iter().map(|e| edge.cross(e)).filter(|axis| axis.norm() > 1e-6) {
                if is_enough(&across.normalize()) {
                    return most;
                }
            }
        }
        most
    }
}

/// Parts of a moving body against a moving convex body: the least separation at a time. What is farther away than `far` counts as that.
pub fn separation_at(a: (&[Convex], &Flight), b: (&Convex, &Flight), t: f64, far: f64) -> f64 {
    let placed = b.1.pose(t).inv_mul(&a.1.pose(t));
    a.0.iter().fold(far, |least, part| least.min(part.separation(&placed, b.0, least)))
}

/// The first time at which a separation is not above zero, by many steps and bisection; and the least separation of all steps.
/// Near misses are looked at more closely.
pub fn first_touch(steps: usize, separation: impl Fn(f64) -> f64) -> (Option<f64>, f64) {
    let at = |k: usize| k as f64 / steps as f64;
    let mut values: Vec<f64> = vec![];
    let bisect = |mut low: f64, mut high: f64| {
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if separation(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        Some(high)
    };
    let mut least = f64::INFINITY;
    for k in 0..=steps {
        values.push(separation(at(k)));
        least = least.min(values[k]);
        if values[k] <= 0.0 {
            return (if k == 0 { Some(0.0) } else { bisect(at(k - 1), at(k)) }, least);
        }
        // A minimum between steps: it may dip below zero.
        if k >= 2 && values[k - 1] <= values[k] && values[k - 1] <= values[k - 2] {
            let (mut low, mut high) = (at(k - 2), at(k));
            for _ in 0..60 {
                let [p, q] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
                let [of_p, of_q] = [separation(p), separation(q)];
                least = least.min(of_p).min(of_q);
                if of_p.min(of_q) <= 0.0 {
                    return (bisect(at(k - 2), if of_p <= 0.0 { p } else { q }), least);
                }
                *(if of_p > of_q { &mut low } else { &mut high }) = if of_p > of_q { p } else { q };
            }
        }
    }
    (None, least)
}
