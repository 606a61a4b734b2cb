//! Meshes to draw: what an artist made, usually finer than the collision skin, with normals, texture coordinates and
//! materials.
//!
//! Plain arrays, checked once: coordinates are finite, corners in range, every list as long as it must be. Attributes are a
//! vertex's, as engines have them; where they jump (seams, hard edges), vertices of equal position stand side by side.

use crate::error::{Result, bad_argument, bad_mesh};
use crate::geom::{Point, Vector};
use crate::heap::held;
use std::collections::HashMap;

/// A triangle mesh to draw, counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawingMesh {
    positions: Vec<Point>,
    /// One a vertex.
    normals: Vec<[f32; 3]>,
    /// One a vertex.
    uvs: Vec<[f32; 2]>,
    triangles: Vec<[u32; 3]>,
    /// One a triangle.
    materials: Vec<u32>,
}

/// No list may be longer.
const MOST: usize = (1 << 29) - 1;

impl DrawingMesh {
    /// A mesh without texture coordinates (all zero), of material 0, its normals the means of the triangles at each vertex.
    pub fn new(positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        if triangles.is_empty() {
            bad_mesh!("the drawing mesh has no triangles");
        }
        if positions.len() > MOST || triangles.len() > MOST {
            bad_mesh!("{} vertices and {} triangles; at most {MOST} of each fit", positions.len(), triangles.len());
        }
        if let Some(k) = positions.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
            bad_mesh!("positions[{k}] of the drawing mesh is {:?}; repair or drop that vertex", positions[k]);
        }
        for (t, corners) in triangles.iter().enumerate() {
            if let Some(k) = corners.iter().find(|k| **k as usize >= positions.len()) {
                bad_mesh!("triangles[{t}] of the drawing mesh names vertex {k}, but there are {}", positions.len());
            }
        }
        let positions: Vec<Point> = positions.iter().map(|p| Point::from(*p)).collect();
        let normals = mean_normals(&positions, triangles);
        let (uvs, materials) = (vec![[0.0; 2]; positions.len()], vec![0; triangles.len()]);
        Ok(Self { positions, normals, uvs, triangles: triangles.to_vec(), materials })
    }

    /// The same with normals, one a vertex. They need not be of unit length.
    pub fn with_normals(self, normals: Vec<[f32; 3]>) -> Result<Self> {
        check("normals", "vertices", self.positions.len(), &normals)?;
        Ok(Self { normals, ..self })
    }

    /// The same with texture coordinates, one a vertex.
    pub fn with_uvs(self, uvs: Vec<[f32; 2]>) -> Result<Self> {
        check("uvs", "vertices", self.positions.len(), &uvs)?;
        Ok(Self { uvs, ..self })
    }

    /// The same with material numbers, one a triangle.
    pub fn with_materials(self, materials: Vec<u32>) -> Result<Self> {
        if materials.len() != self.triangles.len() {
            bad_argument!("there are {} materials for {} triangles", materials.len(), self.triangles.len());
        }
        Ok(Self { materials, ..self })
    }

    /// Positions, in the frame of the solid.
    pub fn positions(&self) -> &[Point] {
        &self.positions
    }

    /// One a vertex.
    pub fn normals(&self) -> &[[f32; 3]] {
        &self.normals
    }

    /// One a vertex.
    pub fn uvs(&self) -> &[[f32; 2]] {
        &self.uvs
    }

    /// Vertices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// One a triangle.
    pub fn materials(&self) -> &[u32] {
        &self.materials
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.positions) + held(&self.normals) + held(&self.uvs) + held(&self.triangles) + held(&self.materials)
    }

    /// Vertices joined by equal position: the number of points, and which one each vertex is.
    pub(crate) fn welded(&self) -> (Vec<Point>, Vec<u32>) {
        let mut numbers = HashMap::with_capacity(self.positions.len());
        let mut points = vec![];
        let point_of = self.positions.iter().map(|p| {
            *numbers.entry(position_key(p)).or_insert_with(|| {
                points.push(*p);
                points.len() as u32 - 1
            })
        });
        let point_of = point_of.collect();
        (points, point_of)
    }

    /// Other triangles over its vertices, with their materials.
    pub(crate) fn replace_triangles(&mut self, triangles: Vec<[u32; 3]>, materials: Vec<u32>) {
        (self.triangles, self.materials) = (triangles, materials);
    }
}

/// What equal positions have in common. Adding zero makes one zero of the two.
pub(crate) fn position_key(p: &Point) -> [u64; 3] {
    [p.x, p.y, p.z].map(|c| (c + 0.0).to_bits())
}

/// The triangles that take the place of one, some of whose edges (from corner k to the next) have a point in the middle.
pub(crate) fn divided([a, b, c]: [u32; 3], middles: [Option<u32>; 3]) -> impl Iterator<Item = [u32; 3]> {
    let (parts, count) = match middles {
        [None, None, None] => ([[a, b, c]; 4], 1),
        [Some(m), None, None] => ([[a, m, c], [m, b, c], [0; 3], [0; 3]], 2),
        [None, Some(m), None] => ([[b, m, a], [m, c, a], [0; 3], [0; 3]], 2),
        [None, None, Some(m)] => ([[c, m, b], [m, a, b], [0; 3], [0; 3]], 2),
        [Some(m), Some(n), None] => ([[m, b, n], [a, m, n], [a, n, c], [0; 3]], 3),
        [None, Some(m), Some(n)] => ([[m, c, n], [b, m, n], [b, n, a], [0; 3]], 3),
        [Some(n), None, Some(m)] => ([[m, a, n], [c, m, n], [c, n, b], [0; 3]], 3),
        [Some(m), Some(n), Some(o)] => ([[a, m, o], [m, b, n], [o, n, c], [m, n, o]], 4),
    };
    parts.into_iter().take(count)
}

fn check<const N: usize>(what: &str, of: &str, count: usize, list: &[[f32; N]]) -> Result<()> {
    if list.len() != count {
        bad_argument!("there are {} {what} for {count} {of}", list.len());
    }
    if let Some(k) = list.iter().position(|v| !v.iter().all(|c| c.is_finite())) {
        bad_mesh!("{what}[{k}] of the drawing mesh is {:?}; it must be finite", list[k]);
    }
    Ok(())
}

/// Means of the normals around each vertex, by area.
fn mean_normals(positions: &[Point], triangles: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let mut sums = vec![Vector::zeros(); positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|k| positions[k as usize]);
        let normal = (b - a).cross(&(c - a));
        corners.iter().for_each(|k| sums[*k as usize] += normal);
    }
    sums.iter().map(|n| n.try_normalize(0.0).unwrap_or(Vector::z()).cast::<f32>().into()).collect()
}
