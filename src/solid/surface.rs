//! Closed triangle surfaces that know where every triangle comes from, and rays against them.

use crate::bvh::Bvh;
use crate::error::Result;
use crate::geom::{Point, Vector};
use crate::heap::held;

/// A closed surface, triangles counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Positions in the frame of the asset.
    pub vertices: Vec<Point>,
    /// Triangles.
    pub triangles: Vec<Triangle>,
}

impl Surface {
    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.vertices) + held(&self.triangles)
    }
}

/// A triangle of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Vertices.
    pub corners: [u32; 3],
    /// Where it comes from.
    pub face: Face,
}

/// Where a triangle of a surface comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Face {
    /// The original skin.
    Skin {
        /// Triangle of the solid's skin.
        source: u32,
        /// Barycentric coordinates of the three corners in it, for the artist's UVs.
        weights: [[f64; 3]; 3],
    },
    /// A crack.
    Crack {
        /// The sibling on the other side, by its number in the break; `None` for cracks of earlier events.
        neighbour: Option<u32>,
        /// Texture coordinates in metres, one plane for the whole crack between two fragments, alike from both sides.
        uv: [[f64; 2]; 3],
    },
}

/// What a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// How far along the ray, in lengths of its direction.
    pub t: f64,
    /// Outward unit normal of the surface there.
    pub normal: Vector,
    /// Skin or crack, and where on it.
    pub face: Face,
}

/// A surface with the tree of its triangles.
#[derive(Debug)]
pub struct Traceable {
    surface: Surface,
    tree: Bvh,
}

impl Traceable {
    /// Makes a surface ready for rays.
    pub fn new(surface: Surface) -> Result<Self> {
        let corners = |t: &Triangle| t.corners.map(|c| surface.vertices[c as usize]);
        let tree = Bvh::new(&surface.triangles.iter().map(corners).collect::<Vec<_>>())?;
        Ok(Self { surface, tree })
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.surface.bytes() + self.tree.bytes()
    }

    /// The surface.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The tree of its triangles.
    pub fn tree(&self) -> &Bvh {
        &self.tree
    }

    /// The point of the surface closest to `p`.
    pub fn closest_point(&self, p: &Point) -> Option<Point> {
        self.tree.closest_point(p, f64::INFINITY).map(|hit| hit.point)
    }

    /// What the triangle closest to `p` comes from.
    pub fn closest_face(&self, p: &Point) -> Option<Face> {
        let hit = self.tree.closest_point(p, f64::INFINITY)?;
        Some(self.surface.triangles[hit.triangle as usize].face)
    }

    /// The first triangle that a ray meets, from either side.
    pub fn ray(&self, origin: &Point, direction: &Vector, max_t: f64) -> Option<RayHit> {
        let hit = self.tree.ray(origin, direction, max_t)?;
        let triangle = &self.surface.triangles[hit.triangle as usize];
        let [a, b, c] = triangle.corners.map(|c| self.surface.vertices[c as usize]);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or(Vector::z());
        Some(RayHit { t: hit.t, normal, face: triangle.face })
    }
}
