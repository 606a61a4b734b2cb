//! `fc_object_convex_parts`: convex proxies, for engines that take no custom shapes.

use super::descriptor::{self, Stamped};
use super::door::call;
use super::object;
use super::pointer::{buffer, out};
use super::status::{FC_INCOMPLETE, FC_OK, fc_status};
use super::types::fc_object;
use crate::fracture::convex_parts::ConvexOptions;

/// How an object is approximated by convex parts. Start from fc_convex_desc_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_convex_desc {
    /// Set by fc_convex_desc_default().
    pub struct_size: u32,
    /// Maximum number of parts, 1 to 64. Default 8; 1 gives the convex hull.
    pub max_parts: u32,
    /// Maximum number of vertices per part, 4 to 1024. Default 64: at most 124 triangles, within the limits of PhysX and Unity (255).
    pub max_points: u32,
    /// Parts are cut until their hulls exceed the object's volume by no more than this share of it, 0 to 1. Default 0.05.
    pub excess: f32,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_convex_desc {
    const NAME: &'static str = "fc_convex_desc";
    const DEFAULT: Self = Self { struct_size: 0, max_parts: 8, max_points: 64, excess: 0.05 };
}

/// A convex part of an object. 24 bytes, no padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_convex_part {
    /// Index of its first vertex.
    pub first_vertex: u32,
    /// Number of its vertices.
    pub vertex_count: u32,
    /// Index of its first triangle.
    pub first_triangle: u32,
    /// Number of its triangles.
    pub triangle_count: u32,
    /// Metres: no point of the object's part is farther in front of a face; 0 unless max_points left vertices out.
    pub error: f32,
    /// 0.
    pub reserved: u32,
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_convex_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_convex_desc_init(desc: *mut fc_convex_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) }
}

/// Approximates an object by convex polyhedra, in its own frame: colliders for engines that take no custom shapes, such as
/// Chaos or Unity's PhysX. Contacts of Fracas itself do not use them.
///
/// Fragments of a convex body are convex (FC_KIND_CELL), and get one part that is exact. Others are cut along planes until
/// the parts' hulls fit as the descriptor says, or no cut helps.
///
/// Writes as many parts, vertices (three floats per vertex) and triangles (three vertex indices, counter-clockwise seen
/// from outside, each part its own) as fit, and sets all counts to the total numbers; FC_INCOMPLETE if something did not
/// fit. Call it with capacities of 0, allocate, call it again: the parts are cached between the two calls.
///
/// Owner    buffers stay yours.
/// Threads  beside any other call.
/// Cost     a hull takes 0.1 to 0.3 ms for a fragment of a body of 20,000 tetrahedra, every cut some 20 ms more: when bodies
///          break in a frame, ask for one part, or do it in a job. Not needed for contacts.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `parts` has room for `part_capacity`, `positions` for `vertex_capacity` times three floats, `triangles` for
/// `triangle_capacity` times three indices, counts are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_convex_parts(
    object: fc_object,
    desc: *const fc_convex_desc,
    parts: *mut fc_convex_part,
    part_capacity: u32,
    part_count: *mut u32,
    positions: *mut f32,
    vertex_capacity: u32,
    vertex_count: *mut u32,
    triangles: *mut u32,
    triangle_capacity: u32,
    triangle_count: *mut u32,
) -> fc_status {
    call(
        || {
            let entry = object::get(object, "object")?;
            // SAFETY: required.
            let (desc, places) = unsafe {
                (
                    descriptor::read_or_default(desc, "desc")?,
                    (
                        buffer(parts, part_capacity, "parts")?,
                        out(part_count, "part_count")?,
                        buffer(positions.cast::<[f32; 3]>(), vertex_capacity, "positions")?,
                        out(vertex_count, "vertex_count")?,
                        buffer(triangles.cast::<[u32; 3]>(), triangle_capacity, "triangles")?,
                        out(triangle_count, "triangle_count")?,
                    ),
                )
            };
            let fc_convex_desc { max_parts, max_points, excess, .. } = desc;
            let options = ConvexOptions { max_parts, max_points, excess: excess.into() };
            let kept = entry.convex.lock().unwrap_or_else(|e| e.into_inner()).take();
            let made = match kept.filter(|kept| kept.0 == options) {
                Some((_, made)) => made,
                None => entry.object.in_metres().convex_parts(&options)?,
            };
            Ok((entry, options, made, places))
        },
        |(entry, options, made, (parts, part_count, positions, vertex_count, triangles, triangle_count))| {
            let (mut written, mut vertices, mut faces) = (0, 0, 0);
            for (k, part) in made.iter().enumerate() {
                let own = fc_convex_part {
                    first_vertex: vertices as u32,
                    vertex_count: part.points.len() as u32,
                    first_triangle: faces as u32,
                    triangle_count: part.triangles.len() as u32,
                    error: part.error as f32,
                    reserved: 0,
                };
                let corner = |n: &u32| own.first_vertex + n;
                written += parts.fill_from(k, [own].into_iter());
                written += positions.fill_from(vertices, part.points.iter().map(|p| p.coords.cast::<f32>().into()));
                written += triangles.fill_from(faces, part.triangles.iter().map(|t| [0, 1, 2].map(|k| corner(&t[k]))));
                vertices += part.points.len();
                faces += part.triangles.len();
            }
            part_count.write(made.len() as u32);
            vertex_count.write(vertices as u32);
            triangle_count.write(faces as u32);
            if written == made.len() + vertices + faces {
                return FC_OK;
            }
            *entry.convex.lock().unwrap_or_else(|e| e.into_inner()) = Some((options, made));
            FC_INCOMPLETE
        },
    )
}
