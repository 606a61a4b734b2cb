//! Separating axes of convex polyhedra: overlap and least translation, without anything of the library.

use super::few::Few;
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::{Point, Vector};

/// A convex body for the separating axis test, in world space.
pub struct Convex {
    pub points: Vec<Point>,
    /// Outward planes of the triangles, once each.
    pub planes: Vec<Plane>,
    /// Directions of edges, once each.
    edges: Vec<Vector>,
}

impl Convex {
    /// A body in its pose.
    pub fn new(body: &Few, pose: &Pose) -> Self {
        let points: Vec<Point> = body.hull.points.iter().map(|p| pose * p).collect();
        let (mut planes, mut edges): (Vec<Plane>, Vec<Vector>) = (vec![], vec![]);
        for triangle in &body.hull.triangles {
            let corners = triangle.map(|k| points[k as usize]);
            let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
            if planes.iter().all(|plane| plane.normal.dot(&normal) < 1.0 - 1e-12) {
                planes.push(Plane { normal, offset: normal.dot(&corners[0].coords) });
            }
            for k in 0..3 {
                let along = (corners[(k + 1) % 3] - corners[k]).normalize();
                if edges.iter().all(|edge| edge.cross(&along).norm_squared() > 1e-12) {
                    edges.push(along);
                }
            }
        }
        Self { points, planes, edges }
    }

    /// Its extent along an axis.
    fn interval(&self, axis: &Vector) -> [f64; 2] {
        let along = self.points.iter().map(|p| axis.dot(&p.coords));
        along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    }
}

/// Length of the least translation that ends the overlap; zero or negative if there is none.
pub fn least_translation(a: &Convex, b: &Convex) -> f64 {
    let depth = |axis: &Vector| {
        let ([low, high], [from, to]) = (a.interval(axis), b.interval(axis));
        (high - from).min(to - low)
    };
    let normals = a.planes.iter().chain(&b.planes).map(|plane| plane.normal);
    let crosses = a.edges.iter().flat_map(|e| b.edges.iter().map(move |f| e.cross(f)));
    let crosses = crosses.filter(|axis| axis.norm_squared() > 1e-12).map(|axis| axis.normalize());
    normals.chain(crosses).map(|axis| depth(&axis)).fold(f64::INFINITY, f64::min)
}
