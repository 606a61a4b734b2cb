//! The exact judge of an object: its exported, closed surface, by brute force and a tree of triangles.

use super::oracle;
use fracas::bvh::{Bvh, Hit};
use fracas::fracture::surface::Surface;
use fracas::{Object, Point};

pub struct Judge {
    pub surface: Surface,
    tree: Bvh,
}

impl Judge {
    pub fn new(object: &Object) -> Self {
        let surface = object.surface();
        let corners = |t: &fracas::fracture::surface::Triangle| t.corners.map(|c| surface.vertices[c as usize]);
        let tree = Bvh::new(&surface.triangles.iter().map(corners).collect::<Vec<_>>()).unwrap();
        Self { surface, tree }
    }

    /// Distance to the surface.
    pub fn distance(&self, p: &Point) -> f64 {
        self.tree.closest_point(p, f64::INFINITY).unwrap().distance
    }

    /// The closest point of the surface.
    pub fn closest(&self, p: &Point) -> Hit {
        self.tree.closest_point(p, f64::INFINITY).unwrap()
    }

    /// Distance to the surface, if it is no more than `most`.
    pub fn distance_within(&self, p: &Point, most: f64) -> Option<f64> {
        self.tree.closest_point(p, most).map(|hit| hit.distance)
    }

    pub fn inside(&self, p: &Point) -> bool {
        oracle::winding_number(&self.surface, p) > 0.5
    }
}
