//! What is drawn where the skin of the tetrahedra is the artist's mesh itself, as it is where a surface was met exactly: the surface of
//! the piece, with what the artist's triangles say interpolated over it.
//!
//! It is exact whatever the cracks are, closed, and needs no search: skin and cracks share their corners already.

use super::cracks::{CrackFace, Cracks};
use super::parts::{Look, Parts, Vertex};
use crate::body::Object;
use crate::bvh::closest_weights;
use crate::drawing::binding::Binding;
use crate::fracture::surface::{Face, closed};
use crate::geom::{NONE, Point};
use std::collections::HashMap;

/// A corner with a smaller share of one end of an edge is at the other end, and with a smaller share of a corner is on the edge across.
const ON_EDGE: f64 = 1e-9;

/// An object's part of the mesh, and its cracks; `over` names the artist's triangle over each triangle of the skin.
pub fn parts(object: &Object, binding: &Binding, over: &[u32]) -> (Parts, Cracks) {
    let (surface, planes) = closed(object, true, &[]);
    let face_of: HashMap<u32, u32> = planes.keys().copied().zip(0..).collect();
    let faces =
        planes.iter().map(|(across, axes)| CrackFace { across: *across, axes: *axes, normal: axes[0].cross(&axes[1]) });
    let mut cracks = Cracks { faces: faces.collect(), ..Cracks::default() };
    let mut parts = Parts { points: surface.vertices, ..Parts::default() };
    let mut numbers: HashMap<(u32, [u32; 3]), u32> = HashMap::new();
    for triangle in &surface.triangles {
        match triangle.face {
            Face::Skin { source, .. } => {
                let artists = over[source as usize];
                let corners = triangle.corners.map(|point| {
                    let at = parts.points[point as usize];
                    let (ends, shares) = place(binding, artists, &at);
                    *numbers.entry((point, ends)).or_insert_with(|| {
                        parts.vertices.push(interpolated(binding, point, ends, shares));
                        parts.vertices.len() as u32 - 1
                    })
                });
                parts.triangles.push((corners, Look::Skin(binding.mesh().materials()[artists as usize])));
            }
            Face::Crack { neighbour, .. } => {
                cracks.triangles.push((triangle.corners, face_of[&neighbour.unwrap_or(NONE)]));
            }
        }
    }
    cracks.points = parts.points.clone();
    (parts, cracks)
}

/// Where a point of one of the artist's triangles is: the vertices that it is between, ascending and [`NONE`] for those that do not
/// count, and their shares. Along an edge it is the same from both triangles.
fn place(binding: &Binding, triangle: u32, at: &Point) -> ([u32; 3], [f64; 3]) {
    let mesh = binding.mesh();
    let vertices = mesh.triangles()[triangle as usize];
    let weights = closest_weights(at, &vertices.map(|v| mesh.positions()[v as usize]));
    let mut ends: [(u32, f64); 3] = std::array::from_fn(|k| (vertices[k], weights[k]));
    for end in &mut ends {
        if end.1 < ON_EDGE {
            *end = (NONE, 0.0);
        }
    }
    ends.sort_unstable_by_key(|end| end.0);
    (ends.map(|end| end.0), ends.map(|end| end.1))
}

fn interpolated(binding: &Binding, point: u32, ends: [u32; 3], shares: [f64; 3]) -> Vertex {
    let mesh = binding.mesh();
    let all: f64 = shares.iter().sum();
    let mix = |of: &dyn Fn(usize) -> f32| -> f64 {
        let known = ends.iter().zip(shares).filter(|(end, _)| **end != NONE);
        known.map(|(end, share)| share / all * f64::from(of(*end as usize))).sum()
    };
    let normal = std::array::from_fn(|k| mix(&|v| mesh.normals()[v][k]));
    let uv = std::array::from_fn(|k| mix(&|v| mesh.uvs()[v][k]));
    Vertex { point, normal, uv }
}
