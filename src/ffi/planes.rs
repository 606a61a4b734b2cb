//! `fc_object_get_planes`: the planes that cut a fragment out of its body, for an engine's own colliders and for
//! culling.

use super::door::call;
use super::object;
use super::pointer::{buffer, out};
use super::status::{FC_INCOMPLETE, FC_OK, fc_status};
use super::types::{FC_NONE, fc_object};
use crate::geom::NONE;

/// A plane that cuts a fragment out of the original body. 24 bytes, no padding; starts with the four floats that
/// fc_hull_create takes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_plane {
    /// Unit normal out of the fragment, in the object's frame.
    pub normal: [f32; 3],
    /// Metres: the fragment lies where normal . x <= offset.
    pub offset: f32,
    /// 1 if the fragment has a face on it. 0 if it only cuts off other parts of the body.
    pub has_face: u32,
    /// Index of the fragment on the other side. FC_NONE if there are several, if there is none, or if the crack is
    /// older than the last fracture.
    pub neighbour: u32,
}

/// Returns the planes that cut a fragment out of the original body, in the object's frame.
///
/// The fragment is the part of the original body behind all of these planes and within its bounds (FC_KIND_CELL), or
/// one connected component of that (FC_KIND_PART_OF_CELL). That suffices for culling: a point in front of any plane
/// is outside the fragment.
///
/// As a convex collider they need care. They are cracks only, so they do not bound the fragment at its skin, and
/// rarely enclose a finite volume by themselves: add the six planes of fc_object_bounds. If the body is convex,
/// these planes and those of the body's own hull are exactly the fragment. If it is not, the hull also fills the
/// concavities of the skin, such as the inside of a bowl. Fragments of kind FC_KIND_PART_OF_CELL share planes, so
/// their hulls may overlap.
///
/// A union, a rough fragment and an intact object have 0 planes: planes alone do not describe them. The call then
/// returns FC_OK; fc_object_info has the kind.
///
/// Writes at most `capacity` planes and sets `*count` to the total number; FC_INCOMPLETE if that is more.
/// Units    metres; normals have unit length.
/// Owner    the buffer stays yours.
/// Threads  beside any other call.
/// Memory   no heap allocation.
/// Cost     a copy.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `planes` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_get_planes(
    object: fc_object,
    planes: *mut fc_plane,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    call(
        || {
            let entry = object::get(object, "object")?;
            // SAFETY: required.
            let places = unsafe { (buffer(planes, capacity, "planes")?, out(count, "count")?) };
            Ok((entry, places))
        },
        |(entry, (planes, count))| {
            let (found, metres) = (entry.object.planes(), entry.object.in_metres());
            let written = planes.fill(found.iter().map(|own| fc_plane {
                normal: own.plane.normal.cast::<f32>().into(),
                offset: metres.offset(own) as f32,
                has_face: own.has_face as u32,
                neighbour: own.neighbour,
            }));
            count.write(found.len() as u32);
            if written < found.len() { FC_INCOMPLETE } else { FC_OK }
        },
    )
}

const _: () = assert!(NONE == FC_NONE); // fragment indices are returned unchanged
