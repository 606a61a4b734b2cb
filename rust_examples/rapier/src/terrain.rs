//! Triangles of Rapier's terrain as something to touch: a mesh, a height field.
//!
//! Terrain is open, so it has no inside. It is given one: a body as thick as `thickness`, below the side from which the
//! triangles are counter-clockwise. The triangles near an object are gathered, and a field says how deep a point is below the
//! nearest of them. The other way would be to collide the object's samples with each triangle on its own; then every inner edge
//! of the terrain gives sideways normals, the old trouble of rolling over a flat floor that is made of triangles, and what is
//! below the surface after a long step is lost. A field knows neither.

use crate::convert::vector;
use fracas::{Point, Vector};
use rapier3d::parry::shape::Triangle;

/// The triangles near an object.
pub(crate) struct Terrain {
    triangles: Vec<([Point; 3], Vector)>,
    thickness: f64,
}

impl Terrain {
    /// What is deeper than `thickness` below the surface is below the terrain.
    pub fn new(thickness: f64) -> Self {
        Self { triangles: vec![], thickness }
    }

    /// Counter-clockwise seen from above, in the frame of the shape. Those without an area are left out.
    pub fn add(&mut self, triangle: &Triangle) {
        let corners = [triangle.a, triangle.b, triangle.c].map(|p| Point::from(vector(p)));
        let [a, b, c] = corners;
        if let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) {
            self.triangles.push((corners, normal));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Signed distance from a point to the surface of the terrain, and the way out.
    pub fn signed_distance(&self, p: &Point) -> (f64, Vector) {
        let (mut least, mut height, mut way) = (f64::INFINITY, 0.0f64, Vector::z());
        for (corners, normal) in &self.triangles {
            let to = p - nearest(corners, p);
            let (squared, above) = (to.norm_squared(), normal.dot(&to));
            // Where several are equally near, at an edge or a corner, the one that sees the point most from above or below
            // knows on which side of the terrain it is.
            let tie = 1e-9 * (squared + 1e-12);
            if squared < least - tie || (squared < least + tie && above.abs() > height.abs()) {
                height = above;
                way = if squared > 1e-20 { to.normalize() * if above < 0.0 { -1.0 } else { 1.0 } } else { *normal };
                least = least.min(squared);
            }
        }
        let apart = least.sqrt();
        match height >= 0.0 {
            true => (apart, way),
            false if apart <= self.thickness => (-apart, way),
            false => (apart - self.thickness, -way),
        }
    }
}

/// The point of a triangle that is nearest to another (Ericson, *Real-Time Collision Detection*, 5.1.5).
fn nearest([a, b, c]: &[Point; 3], p: &Point) -> Point {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (ab.dot(&(p - a)), ac.dot(&(p - a)));
    if d1 <= 0.0 && d2 <= 0.0 {
        return *a;
    }
    let (d3, d4) = (ab.dot(&(p - b)), ac.dot(&(p - b)));
    if d3 >= 0.0 && d4 <= d3 {
        return *b;
    }
    let (d5, d6) = (ab.dot(&(p - c)), ac.dot(&(p - c)));
    if d6 >= 0.0 && d5 <= d6 {
        return *c;
    }
    let (over_a, over_b, over_c) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if over_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    if over_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    if over_a <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / (d4 - d3 + d5 - d6));
    }
    let sum = over_a + over_b + over_c;
    a + ab * (over_b / sum) + ac * (over_c / sum)
}
