//! `fc_object_surface`: the collision surface.

use super::door::call;
use super::object;
use super::object::{FC_FACE_CRACK, FC_FACE_SKIN};
use super::pointer::{buffer, out};
use super::status::{FC_INCOMPLETE, FC_OK, fc_status};
use super::types::{FC_NONE, fc_object};
use crate::solid::surface::Face;

/// A triangle of an object's surface.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_triangle {
    /// Vertex indices, counter-clockwise seen from outside.
    pub corners: [u32; 3],
    /// FC_FACE_SKIN or FC_FACE_CRACK.
    pub face: u32,
    /// Skin: index of the triangle in fc_asset_skin that it is a part of. Crack: index of the fragment on the other
    /// side, FC_NONE if the crack is older than the last fracture.
    pub source: u32,
    /// Per corner. Skin: barycentric weights of the first and second node of the source triangle (the third is 1
    /// minus both), to interpolate your UVs. Crack: texture coordinates in metres, the same from both sides.
    pub coordinates: [[f32; 2]; 3],
    /// Always 0.
    pub reserved: u32,
}

/// Returns the closed surface of an object, skin and cracks, in the object's frame.
///
/// Writes as many vertices (three floats per vertex) and triangles as fit, and sets both counts to the total
/// numbers; FC_INCOMPLETE if something did not fit. Call it with capacities of 0, allocate, call it again: the
/// surface is cached between the two calls, not rebuilt.
///
/// Owner    buffers stay yours.
/// Threads  beside any other call.
/// Cost     about 2 ms for each of 27 pieces of a ball of 5,000 nodes; not needed for contacts.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `positions` has room for `vertex_capacity` times three floats, `triangles` for `triangle_capacity`, counts are
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_surface(
    object: fc_object,
    positions: *mut f32,
    vertex_capacity: u32,
    vertex_count: *mut u32,
    triangles: *mut fc_triangle,
    triangle_capacity: u32,
    triangle_count: *mut u32,
) -> fc_status {
    call(
        || {
            let entry = object::get(object, "object")?;
            // SAFETY: required.
            let places = unsafe {
                (
                    buffer(positions.cast::<[f32; 3]>(), vertex_capacity, "positions")?,
                    out(vertex_count, "vertex_count")?,
                    buffer(triangles, triangle_capacity, "triangles")?,
                    out(triangle_count, "triangle_count")?,
                )
            };
            let kept = entry.surface.lock().unwrap_or_else(|e| e.into_inner()).take();
            let surface = kept.unwrap_or_else(|| entry.object.surface());
            Ok((entry, surface, places))
        },
        |(entry, surface, (positions, vertex_count, triangles, triangle_count))| {
            let metres = |c: f64| entry.object.in_metres().length(c) as f32;
            let vertices = positions.fill(surface.vertices.iter().map(|p| [p.x, p.y, p.z].map(metres)));
            let parts = triangles.fill(surface.triangles.iter().map(|t| {
                let (face, source, coordinates) = match t.face {
                    Face::Skin { source, weights } => {
                        (FC_FACE_SKIN, source, weights.map(|[a, b, _]| [a as f32, b as f32]))
                    }
                    Face::Crack { neighbour, uv } => {
                        let uv = uv.map(|c| c.map(metres));
                        (FC_FACE_CRACK, neighbour.unwrap_or(FC_NONE), uv)
                    }
                };
                fc_triangle { corners: t.corners, face, source, coordinates, reserved: 0 }
            }));
            vertex_count.write(surface.vertices.len() as u32);
            triangle_count.write(surface.triangles.len() as u32);
            if vertices == surface.vertices.len() && parts == surface.triangles.len() {
                return FC_OK;
            }
            *entry.surface.lock().unwrap_or_else(|e| e.into_inner()) = Some(surface);
            FC_INCOMPLETE
        },
    )
}
