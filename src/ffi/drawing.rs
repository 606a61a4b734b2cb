//! `fc_object_drawing`: render meshes.

use super::descriptor::{self, Stamped};
use super::door::call;
use super::object;
use super::pointer::{buffer, out};
use super::status::{FC_INCOMPLETE, FC_OK, fc_status};
use super::types::{FC_NONE, fc_object};
use crate::fracture::drawing::Side;

/// A vertex of a render mesh. 32 bytes, no padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_vertex {
    /// In the object's frame, metres.
    pub position: [f32; 3],
    /// Unit outward normal.
    pub normal: [f32; 3],
    /// Skin: your texture coordinates, interpolated. Crack: metres in one plane for the whole crack between two
    /// fragments, the same from both sides.
    pub uv: [f32; 2],
}

/// A triangle of a render mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fc_drawn_triangle {
    /// Vertex indices, counter-clockwise seen from outside.
    pub corners: [u32; 3],
    /// Your material (0 if the asset has none); FC_NONE on cracks.
    pub material: u32,
}

/// Quality of a render mesh. Start from fc_drawing_info_default().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct fc_drawing_info {
    /// Set by fc_drawing_info_default().
    pub struct_size: u32,
    /// Number of crack triangles; they come last.
    pub crack_triangle_count: u32,
    /// Number of places where cracks and your mesh did not meet and a patch covers the gap: mostly tips of fragments
    /// that are smaller than the triangles of the mesh.
    pub patch_count: u32,
    /// Number of open edges where your mesh is not open; 0 if your mesh is closed.
    pub open_edge_count: u32,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_drawing_info {
    const NAME: &'static str = "fc_drawing_info";
    const DEFAULT: Self = Self { struct_size: 0, crack_triangle_count: 0, patch_count: 0, open_edge_count: 0 };
}

/// Returns the render mesh of an object, in its frame: its part of the surface that the asset was made from with
/// FC_ASSET_KEEP_SURFACE, cut along the cracks, and the crack faces, which end at it. Closed, once vertices of equal
/// position are welded, if that surface was closed. Without such a surface: skin and cracks as in fc_object_surface,
/// flat shaded.
///
/// Writes as many vertices and triangles as fit, and sets both counts to the total numbers; FC_INCOMPLETE if
/// something did not fit. Call it with capacities of 0, allocate, call it again: the mesh is cached between the two
/// calls, not rebuilt.
///
/// Owner    buffers stay yours.
/// Threads  beside any other call.
/// Cost     about 3 ms for each of 27 pieces of a body of 100,000 triangles, 1 ms for 10,000. For rough cracks, and after an
///          impact, 12 to 50 ms a piece, where the surface was met exactly 0.3 to 5: build it in a job, over several frames.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
///
/// `info` may be NULL.
///
/// # Safety
/// `vertices` has room for `vertex_capacity`, `triangles` for `triangle_capacity`, counts are writable, `info` is NULL
/// or as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_drawing(
    object: fc_object,
    vertices: *mut fc_vertex,
    vertex_capacity: u32,
    vertex_count: *mut u32,
    triangles: *mut fc_drawn_triangle,
    triangle_capacity: u32,
    triangle_count: *mut u32,
    info: *mut fc_drawing_info,
) -> fc_status {
    call(
        || {
            let entry = object::get(object, "object")?;
            // SAFETY: required.
            let places = unsafe {
                (
                    buffer(vertices, vertex_capacity, "vertices")?,
                    out(vertex_count, "vertex_count")?,
                    buffer(triangles, triangle_capacity, "triangles")?,
                    out(triangle_count, "triangle_count")?,
                )
            };
            // SAFETY: required.
            let info = if info.is_null() { None } else { Some(unsafe { descriptor::receiver(info, "info")? }) };
            let kept = entry.drawing.lock().unwrap_or_else(|e| e.into_inner()).take();
            let drawing = kept.unwrap_or_else(|| entry.object.drawing());
            Ok((entry, drawing, places, info))
        },
        |(entry, drawing, (vertices, vertex_count, triangles, triangle_count), info)| {
            // Cracks come last, and share no vertex with the rest.
            let is_crack = |side: Side| matches!(side, Side::Crack { .. });
            let cracks = drawing.triangles.iter().filter(|t| is_crack(t.side)).count();
            let metres = |c: f64| entry.object.in_metres().length(c) as f32;
            let written = vertices.fill(drawing.vertices.iter().enumerate().map(|(k, v)| fc_vertex {
                position: [v.position.x, v.position.y, v.position.z].map(metres),
                normal: v.normal,
                uv: if k < drawing.skin_vertices as usize { v.uv } else { v.uv.map(|c| metres(c as f64)) },
            }));
            let parts = triangles.fill(drawing.triangles.iter().map(|t| {
                let material = match t.side {
                    Side::Skin { material } => material,
                    Side::Crack { .. } => FC_NONE,
                };
                fc_drawn_triangle { corners: t.corners, material }
            }));
            vertex_count.write(drawing.vertices.len() as u32);
            triangle_count.write(drawing.triangles.len() as u32);
            if let Some(info) = info {
                info.write(&fc_drawing_info {
                    struct_size: 0,
                    crack_triangle_count: cracks as u32,
                    patch_count: drawing.patches,
                    open_edge_count: drawing.open_edges,
                });
            }
            if written == drawing.vertices.len() && parts == drawing.triangles.len() {
                return FC_OK;
            }
            *entry.drawing.lock().unwrap_or_else(|e| e.into_inner()) = Some(drawing);
            FC_INCOMPLETE
        },
    )
}
