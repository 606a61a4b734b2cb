//! `fc_hull_*`: convex hulls, created once and queried often.

use super::door::{call, failed};
use super::handles::{Held, Table};
use super::pointer::{out, strided};
use super::status::{FC_OK, Failure, fc_status};
use super::types::fc_hull;
use crate::field::shape::Hull;
use crate::geom::Vector;
use crate::geom::plane::Plane;

static HULLS: Table<Hull> = Table::new(3, "hull");

pub(super) fn get(handle: fc_hull, argument: &str) -> Result<Held<Hull>, Failure> {
    HULLS.get(handle.id, argument)
}

pub(super) fn table() -> &'static Table<Hull> {
    &HULLS
}

/// Creates a convex hull from the planes of its faces: four floats per plane, outward normal and offset along it
/// (points with normal . x <= offset are inside). Normals are normalised, and offsets scaled with them.
///
/// `stride` is in bytes from one plane to the next; 0: tightly packed.
/// Owner    the planes stay yours; release the hull with fc_hull_destroy.
/// Fails    FC_ERROR_INVALID_ARGUMENT (planes that enclose no volume or an infinite one), FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `planes` is readable as far as the count says, `hull` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_hull_create(planes: *const f32, count: u32, stride: u32, hull: *mut fc_hull) -> fc_status {
    call(
        || {
            // SAFETY: required.
            let (planes, place) = unsafe { (strided::<f32, 4>(planes, count, stride, "planes")?, out(hull, "hull")?) };
            let plane = |(k, plane)| checked_plane(k, plane);
            let planes: Vec<Plane> = planes.into_iter().enumerate().map(plane).collect::<Result<_, _>>()?;
            Ok((place, Box::new(Hull::new(planes)?)))
        },
        |(place, hull)| match HULLS.insert(hull) {
            Ok(id) => {
                place.write(fc_hull { id });
                FC_OK
            }
            Err(failure) => failed(&failure),
        },
    )
}

/// A plane from four floats, normalised.
pub(super) fn checked_plane(k: usize, plane: [f32; 4]) -> Result<Plane, Failure> {
    let [x, y, z, offset] = plane.map(f64::from);
    let normal = Vector::new(x, y, z);
    let length = normal.norm();
    if !(length > 0.0 && length.is_finite() && offset.is_finite()) {
        let text = format!("planes[{k}] is {plane:?}; it must be a normal and an offset, all finite");
        return Err(Failure::argument(text));
    }
    Ok(Plane { normal: normal / length, offset: offset / length })
}

/// Destroys a hull. Calls that are running with it finish safely.
///
/// Fails    FC_ERROR_INVALID_HANDLE.
#[unsafe(no_mangle)]
pub extern "C" fn fc_hull_destroy(hull: fc_hull) -> fc_status {
    call(|| HULLS.destroy(hull.id, "hull"), |()| FC_OK)
}
