//! `fc_ccd_*`: continuous tests of single features, and the options that all continuous queries share.

use super::descriptor::{self, Stamped};
use super::door::call;
use super::pointer::out;
use super::status::{FC_NO_HIT, FC_OK, Failure, fc_status};
use crate::deform::ccd::{Ccd, CcdOptions};
use crate::error::Result as Tested;
use crate::geom::Point;
use std::cell::Cell;

/// Options of continuous queries and tests. Start from fc_ccd_desc_default(); every field has a default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_ccd_desc {
    /// Set by fc_ccd_desc_default().
    pub struct_size: u32,
    /// Number of subdivisions after which a test that is still uncertain returns the earliest time that it cannot
    /// exclude: it may then report features that only come near each other. Few tests need any. Default 10,000.
    pub max_boxes: u32,
    /// Features that come as near as this share of their own extent may count as meeting. Default 1e-6.
    pub tolerance: f64,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_ccd_desc {
    const NAME: &'static str = "fc_ccd_desc";
    const DEFAULT: Self = Self { struct_size: 0, max_boxes: 10_000, tolerance: 1e-6 };
}

/// # Safety
/// `desc` is null or as large as it says.
pub(super) unsafe fn options(desc: *const fc_ccd_desc) -> Result<CcdOptions, Failure> {
    // SAFETY: required.
    let desc = unsafe { descriptor::read_or_default(desc, "desc")? };
    Ok(CcdOptions { tolerance: desc.tolerance, max_boxes: desc.max_boxes })
}

thread_local! {
    /// The tests of this thread, with the memory that they use.
    static KEPT: Cell<Option<Ccd>> = const { Cell::new(None) };
}

/// Frees this thread's scratch memory.
pub(super) fn release_scratch() {
    KEPT.take();
}

/// Four points.
///
/// # Safety
/// `points` is null or points to twelve readable doubles.
unsafe fn four(points: *const f64, argument: &str) -> Result<[Point; 4], Failure> {
    if points.is_null() {
        return Err(Failure::argument(format!("{argument} is NULL; it must point to four points")));
    }
    // SAFETY: required.
    Ok(unsafe { points.cast::<[[f64; 3]; 4]>().read_unaligned() }.map(Point::from))
}

/// # Safety
/// As fc_ccd_vertex_face.
unsafe fn test(
    start: *const f64,
    end: *const f64,
    desc: *const fc_ccd_desc,
    time: *mut f64,
    test: impl FnOnce(&mut Ccd, &[Point; 4], &[Point; 4]) -> Tested<Option<f64>>,
) -> fc_status {
    call(
        || {
            // SAFETY: required.
            let (start, end, options, place) =
                unsafe { (four(start, "start")?, four(end, "end")?, options(desc)?, out(time, "time")?) };
            let mut ccd = KEPT.take().unwrap_or_default();
            let found = ccd.set_options(options).and_then(|()| test(&mut ccd, &start, &end));
            KEPT.set(Some(ccd));
            Ok((place, found?))
        },
        |(place, time)| match time {
            Some(time) => {
                place.write(time);
                FC_OK
            }
            None => FC_NO_HIT,
        },
    )
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_ccd_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_ccd_desc_init(desc: *mut fc_ccd_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Returns the first time at which a vertex meets a triangle, while all four points move along straight lines. `start`
/// and `end` are twelve doubles each: the vertex, then the corners of the triangle, at time 0 and at time 1.
///
/// Conservative: no collision is missed, and the time is never later than the true one, whatever rounding does. Returns
/// FC_NO_HIT if they do not meet; `*time` is then not written.
/// Units    any; all points in the same.
/// Threads  beside any other call.
/// Memory   no heap allocation in a warm call.
/// Fails    FC_ERROR_INVALID_ARGUMENT (NULL, a coordinate that is not finite or above 1e100, an option out of range),
///          FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// `start` and `end` have twelve elements, `desc` is NULL or as large as it says, `time` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_ccd_vertex_face(
    start: *const f64,
    end: *const f64,
    desc: *const fc_ccd_desc,
    time: *mut f64,
) -> fc_status {
    // SAFETY: required.
    unsafe { test(start, end, desc, time, |ccd, start, end| ccd.vertex_face(start, end)) }
}

/// The same for two edges: `start` and `end` have the ends of the first, then those of the second.
///
/// # Safety
/// As fc_ccd_vertex_face.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_ccd_edge_edge(
    start: *const f64,
    end: *const f64,
    desc: *const fc_ccd_desc,
    time: *mut f64,
) -> fc_status {
    // SAFETY: required.
    unsafe { test(start, end, desc, time, |ccd, start, end| ccd.edge_edge(start, end)) }
}
