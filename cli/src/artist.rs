//! An artist's surface as a drawing mesh.

use crate::appearance::{flat_normal, smooth};
use crate::read::Surface;
use fracas::solid::drawing::DrawingMesh;
use fracas::{Result, Vector};
use std::collections::HashMap;

/// The surface with its texture coordinates, normals and materials. Without normals it is smooth, but for edges where it turns
/// by more than this, in degrees.
pub fn drawing_mesh(surface: &Surface, sharp_angle: f64) -> Result<DrawingMesh> {
    let with_normals;
    let surface = match surface.normals.is_empty() {
        true => {
            with_normals = shaded(surface, sharp_angle);
            &with_normals
        }
        false => surface,
    };
    let mut mesh = DrawingMesh::new(&surface.points, &surface.triangles)?;
    mesh = mesh.with_normals(surface.normals.iter().map(|n| n.map(|c| c as f32)).collect())?;
    if !surface.uvs.is_empty() {
        mesh = mesh.with_uvs(surface.uvs.iter().map(|uv| uv.map(|c| c as f32)).collect())?;
    }
    if !surface.materials.is_empty() {
        mesh = mesh.with_materials(surface.materials.clone())?;
    }
    Ok(mesh)
}

/// The same with normals; vertices at sharp edges are doubled.
fn shaded(surface: &Surface, sharp_angle: f64) -> Surface {
    // Seams of the texture are no edges of the surface.
    let mut places: HashMap<[u64; 3], u32> = HashMap::new();
    let place_of: Vec<u32> = surface
        .points
        .iter()
        .map(|p| {
            let next = places.len() as u32;
            *places.entry(p.map(|c| (c + 0.0).to_bits())).or_insert(next)
        })
        .collect();
    let mut at = vec![Vector::zeros(); places.len()];
    surface.points.iter().zip(&place_of).for_each(|(p, place)| at[*place as usize] = Vector::from(*p));
    let triangles: Vec<[u32; 3]> = surface.triangles.iter().map(|t| t.map(|v| place_of[v as usize])).collect();
    let flat: Vec<Vector> = triangles.iter().map(|t| flat_normal(t.map(|k| at[k as usize]))).collect();
    let cosine = sharp_angle.to_radians().cos();
    let normals = smooth(&triangles, &flat, |k| at[k as usize], |_, _| true, cosine);

    let mut shaded = Surface { materials: surface.materials.clone(), ..Surface::default() };
    let mut numbers: HashMap<(u32, [u32; 3]), u32> = HashMap::new();
    for ((triangle, normals), flat) in surface.triangles.iter().zip(&normals).zip(&flat) {
        let corners = [0, 1, 2].map(|k| {
            let normal = normals[k].try_normalize(1e-12).unwrap_or(*flat);
            // In single precision, where the sums of two corners that differ in their order only are mostly the same.
            let key = [normal.x, normal.y, normal.z].map(|c| (c as f32 + 0.0).to_bits());
            *numbers.entry((triangle[k], key)).or_insert_with(|| {
                let vertex = triangle[k] as usize;
                shaded.points.push(surface.points[vertex]);
                shaded.uvs.extend(surface.uvs.get(vertex));
                shaded.normals.push(normal.into());
                shaded.points.len() as u32 - 1
            })
        });
        shaded.triangles.push(corners);
    }
    shaded
}
