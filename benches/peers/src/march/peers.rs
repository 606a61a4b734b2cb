//! Exact closest points by parry, in single precision: its mesh, which has no refit, and its tree alone, which has one.

use super::bodies::Body;
use super::depths::{Wanted, Way};
use fracas::Point;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::query::PointQuery;
use parry3d::shape::{TriMesh, Triangle};

fn single(p: &Point) -> Vector {
    Vector::new(p.x as f32, p.y as f32, p.z as f32)
}

/// The points that are asked for.
struct Asked([Vec<Vector>; 2]);

impl Asked {
    fn new(body: &Body) -> Self {
        Self([&body.inner, &body.colliding_inner].map(|nodes| body.points(nodes).iter().map(single).collect()))
    }

    fn distances(&self, wanted: Wanted, distance: impl Fn(Vector) -> f32) -> Vec<f64> {
        self.0[wanted as usize].iter().map(|p| distance(*p) as f64).collect()
    }
}

fn points(body: &Body, is_rest: bool) -> impl Iterator<Item = Vector> {
    (if is_rest { &body.surface.rest } else { &body.surface.deformed }).iter().map(single)
}

/// `TriMesh`, built anew every step.
pub struct Built<'a> {
    body: &'a Body,
    asked: Asked,
    mesh: TriMesh,
}

impl<'a> Built<'a> {
    pub fn new(body: &'a Body) -> Self {
        Self { body, asked: Asked::new(body), mesh: Self::mesh(body, true) }
    }

    fn mesh(body: &Body, is_rest: bool) -> TriMesh {
        TriMesh::new(points(body, is_rest).collect(), body.surface.triangles.clone())
            .expect("the boundary has triangles")
    }
}

impl Way for Built<'_> {
    fn name(&self) -> String {
        "parry TriMesh, built".into()
    }

    fn update(&mut self, is_rest: bool) {
        self.mesh = Self::mesh(self.body, is_rest);
    }

    fn find(&mut self, wanted: Wanted) -> Vec<f64> {
        self.asked.distances(wanted, |p| (self.mesh.project_local_point(p, false).point - p).length())
    }
}

/// `Bvh` over triangles that are kept beside it: built once, refitted every step.
pub struct Refitted<'a> {
    body: &'a Body,
    asked: Asked,
    points: Vec<Vector>,
    tree: Bvh,
    space: BvhWorkspace,
}

impl<'a> Refitted<'a> {
    pub fn new(body: &'a Body) -> Self {
        let points: Vec<Vector> = points(body, true).collect();
        let boxes = body.surface.triangles.iter().map(|t| triangle(&points, t).local_aabb()).enumerate();
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes);
        Self { body, asked: Asked::new(body), points, tree, space: BvhWorkspace::default() }
    }
}

fn triangle(points: &[Vector], corners: &[u32; 3]) -> Triangle {
    let [a, b, c] = corners.map(|v| points[v as usize]);
    Triangle::new(a, b, c)
}

impl Way for Refitted<'_> {
    fn name(&self) -> String {
        "parry Bvh, refitted".into()
    }

    fn update(&mut self, is_rest: bool) {
        self.points.clear();
        self.points.extend(points(self.body, is_rest));
        for (k, t) in (0..).zip(&self.body.surface.triangles) {
            let around: Aabb = triangle(&self.points, t).local_aabb();
            self.tree.insert_or_update_partially(around, k, 0.0);
        }
        self.tree.refit(&mut self.space);
    }

    fn find(&mut self, wanted: Wanted) -> Vec<f64> {
        let triangles = &self.body.surface.triangles;
        self.asked.distances(wanted, |p| {
            let to_triangle = |k: u32, _| {
                let on = triangle(&self.points, &triangles[k as usize]).project_local_point(p, false).point;
                Some((on - p).length())
            };
            self.tree
                .find_best(f32::MAX, |node, _| node.aabb().distance_to_local_point(p, true), to_triangle)
                .map_or(f32::NAN, |(_, distance)| distance)
        })
    }
}
