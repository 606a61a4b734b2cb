//! `fc_sweep_pair`, `fc_sweep_shape`, `fc_sweep_pairs`: the first time at which moving bodies touch.

use super::descriptor::{self, Stamped};
use super::door::call;
use super::hooks;
use super::object;
use super::pointer::{FARTHEST, buffer, checked_pose, out, place, pose, slice};
use super::shape::{self, ForShape, fc_shape};
use super::status::{FC_NO_HIT, FC_OK, FC_SOME_FAILED, Failure, fc_status, set_last_error};
use super::types::{fc_contact, fc_object, fc_pose};
use crate::body::Object;
use crate::contact::{Impact, SweepOptions, sweep_pair, sweep_shape};
use crate::field::shape::Shape;
use crate::geom::Pose;
use std::cell::Cell;
use std::sync::Mutex;

/// Sweep flag: the contact point is relative to `origin` instead of A's position at the start.
pub const FC_SWEEP_ORIGIN: u32 = 1;

/// Sweeps per task of a batch: a sweep takes some microseconds.
const RUN: usize = 8;
/// Time of a sweep that hits nothing.
const NEVER: f64 = 2.0;

/// Sweep options. Start from fc_sweep_desc_default(); every field has a default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_sweep_desc {
    /// Set by fc_sweep_desc_default().
    pub struct_size: u32,
    /// FC_SWEEP_*; default 0. All other bits are rejected.
    pub flags: u32,
    /// Metres. Bodies that overlap by more than this at the start meet at time 0. Default -1: 0.1 % of the smaller radius,
    /// as for queries.
    pub margin: f32,
    /// Metres. Bodies meet when their gap falls below this; never less than rounding. Default -1: a tenth of the margin or 1e-5
    /// of the way of the step, whichever is less.
    pub tolerance: f32,
    /// World position that contact points are relative to, if flags has FC_SWEEP_ORIGIN.
    pub origin: [f64; 3],
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_sweep_desc {
    const NAME: &'static str = "fc_sweep_desc";
    const DEFAULT: Self = Self { struct_size: 0, flags: 0, margin: -1.0, tolerance: -1.0, origin: [0.0; 3] };
}

/// The first touch of two moving bodies.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_sweep_hit {
    /// From 0, the start, to 1, the end. Never later than the true time. 2: they do not touch (fc_sweep_pairs).
    pub time: f64,
    /// The contact at that time: the point is midway between the bodies, the depth minus their gap.
    pub contact: fc_contact,
    /// 1: they touch at that time. 0: the search was ended after much work; they are apart until that time.
    pub exact: u32,
    /// Always 0.
    pub reserved: u32,
}

/// One pair of a batch of sweeps.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_sweep {
    /// The first object.
    pub a: fc_object,
    /// The second object.
    pub b: fc_object,
    /// Pose of the first object at the start.
    pub start_a: fc_pose,
    /// Pose of the first object at the end.
    pub end_a: fc_pose,
    /// Pose of the second object at the start.
    pub start_b: fc_pose,
    /// Pose of the second object at the end.
    pub end_b: fc_pose,
}

type Outcome = Result<Option<Impact>, Failure>;

thread_local! {
    /// Outcomes of a batch.
    static KEPT: Cell<Vec<Outcome>> = const { Cell::new(vec![]) };
}

/// Frees this thread's scratch memory.
pub(super) fn release_scratch() {
    KEPT.take();
}

/// # Safety
/// `desc` is null or as large as it says.
unsafe fn options(desc: *const fc_sweep_desc) -> Result<SweepOptions, Failure> {
    // SAFETY: required.
    let desc = unsafe { descriptor::read_or_default(desc, "desc")? };
    if desc.flags & !FC_SWEEP_ORIGIN != 0 {
        return Err(Failure::argument(format!("desc.flags is {:#x}; use FC_SWEEP_*", desc.flags)));
    }
    // Negative selects the default. NaN does not compare as negative.
    let length = |value: f32, name: &str| match value as f64 {
        default if default < 0.0 => Ok(None),
        length if length <= FARTHEST => Ok(Some(length)),
        _ => Err(Failure::argument(format!("desc.{name} is {value}; it must be a length below {FARTHEST:e} m"))),
    };
    Ok(SweepOptions {
        margin: length(desc.margin, "margin")?,
        tolerance: length(desc.tolerance, "tolerance")?,
        origin: match desc.flags & FC_SWEEP_ORIGIN != 0 {
            true => Some(place(desc.origin, "desc.origin")?),
            false => None,
        },
    })
}

fn hit_of(impact: &Impact) -> fc_sweep_hit {
    let Impact { time, contact, is_exact } = *impact;
    fc_sweep_hit { time, contact: contact.into(), exact: is_exact as u32, reserved: 0 }
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_sweep_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_sweep_desc_init(desc: *mut fc_sweep_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Finds the first time at which two moving objects touch. Returns FC_NO_HIT if they do not; `*hit` is then not written.
///
/// Each object moves from its start pose to its end pose: its centre of mass on a straight line, turning about it at constant
/// angular velocity by the smaller angle. The time is never later than the true one; it is early by the time that the objects
/// take to cross the tolerance, about 1e-5 of the step if they meet head-on, more if they graze.
///
/// Objects that overlap by more than the margin at the start meet at time 0, with their deepest contact. Those that only
/// touch there meet at time 0 if they close in. If they part or slide, the sweep goes on, and they meet when they have sunk in by
/// another tenth of the margin. Swapping A and B changes the sign of the normal and nothing else.
///
/// Units    metres; poses are object to world, positions in double; time from 0 to 1.
/// Owner    buffers stay yours; no pointer is kept.
/// Threads  beside any other call.
/// Memory   no heap allocation once both objects have been swept. Objects whose convex hulls touch where they themselves do not
///          build their surface on first use, some milliseconds per fragment, and keep it.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, a pose that is not finite or not a rotation, a margin or a
///          tolerance that is NaN), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// Poses are readable, `desc` is NULL or as large as it says, `hit` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_sweep_pair(
    a: fc_object,
    start_a: *const fc_pose,
    end_a: *const fc_pose,
    b: fc_object,
    start_b: *const fc_pose,
    end_b: *const fc_pose,
    desc: *const fc_sweep_desc,
    hit: *mut fc_sweep_hit,
) -> fc_status {
    call(
        || {
            let (a, b) = (object::get(a, "a")?, object::get(b, "b")?);
            // SAFETY: required.
            let (poses_a, poses_b, options, hit) = unsafe {
                (
                    [pose(start_a, "start_a")?, pose(end_a, "end_a")?],
                    [pose(start_b, "start_b")?, pose(end_b, "end_b")?],
                    options(desc)?,
                    out(hit, "hit")?,
                )
            };
            Ok((sweep_pair(&a.object, poses_a.each_ref(), &b.object, poses_b.each_ref(), &options)?, hit))
        },
        |(impact, hit)| match impact {
            Some(impact) => {
                hit.write(hit_of(&impact));
                FC_OK
            }
            None => FC_NO_HIT,
        },
    )
}

/// Finds the first time at which a moving object, A, and a moving simple shape, B, touch. The shape turns about the origin of its
/// frame. Everything else is as in fc_sweep_pair.
///
/// Fails    also with FC_ERROR_INVALID_ARGUMENT for a shape given by a field, whose surface is not known.
///
/// # Safety
/// As fc_sweep_pair; `shape` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_sweep_shape(
    a: fc_object,
    start_a: *const fc_pose,
    end_a: *const fc_pose,
    shape: *const fc_shape,
    start_shape: *const fc_pose,
    end_shape: *const fc_pose,
    desc: *const fc_sweep_desc,
    hit: *mut fc_sweep_hit,
) -> fc_status {
    call(
        || {
            let a = object::get(a, "a")?;
            // SAFETY: required.
            let (poses_a, poses_shape, shape, options, hit) = unsafe {
                (
                    [pose(start_a, "start_a")?, pose(end_a, "end_a")?],
                    [pose(start_shape, "start_shape")?, pose(end_shape, "end_shape")?],
                    shape::read(shape)?,
                    options(desc)?,
                    out(hit, "hit")?,
                )
            };
            let work = ShapeSweep { a: &a.object, poses_a: &poses_a, poses_shape: &poses_shape, options: &options };
            Ok((shape.with(work)?, hit))
        },
        |(impact, hit)| match impact {
            Some(impact) => {
                hit.write(hit_of(&impact));
                FC_OK
            }
            None => FC_NO_HIT,
        },
    )
}

/// A sweep of an object against a shape.
struct ShapeSweep<'a> {
    a: &'a Object,
    poses_a: &'a [Pose; 2],
    poses_shape: &'a [Pose; 2],
    options: &'a SweepOptions,
}

impl ForShape for ShapeSweep<'_> {
    type Output = Option<Impact>;

    fn run(self, shape: &impl Shape) -> Outcome {
        Ok(sweep_shape(self.a, self.poses_a.each_ref(), shape, self.poses_shape.each_ref(), self.options)?)
    }
}

fn swept(sweep: &fc_sweep, options: &SweepOptions) -> Outcome {
    let (a, b) = (object::get(sweep.a, "a")?, object::get(sweep.b, "b")?);
    let poses_a = [checked_pose(&sweep.start_a, "start_a")?, checked_pose(&sweep.end_a, "end_a")?];
    let poses_b = [checked_pose(&sweep.start_b, "start_b")?, checked_pose(&sweep.end_b, "end_b")?];
    Ok(sweep_pair(&a.object, poses_a.each_ref(), &b.object, poses_b.each_ref(), options)?)
}

/// Sweeps many pairs, in parallel on the task hook. Each pair gives the same hit as with fc_sweep_pair; `hits[k]` is that of
/// sweep k. Pairs that do not touch have time 2, later than any hit, and zeros.
///
/// `statuses[k]` (may be NULL) is FC_OK, FC_NO_HIT, or the error of a pair that failed; its time is 2 too. The call then returns
/// FC_SOME_FAILED, and fc_last_error() describes the first failure. Misses alone give FC_OK. The same sweeps give the same hits
/// for any number of threads.
///
/// Owner    buffers stay yours; no pointer is kept.
/// Threads  beside any other call.
/// Memory   no heap allocation in a warm call; with fc_set_threads one block per call.
/// Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED, FC_ERROR_TASKS; not for a bad
///          pair.
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// `sweeps` has `count` elements, `desc` is NULL or as large as it says, `hits` has room for `count`, `statuses` is NULL or has
/// room for `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_sweep_pairs(
    sweeps: *const fc_sweep,
    count: u32,
    desc: *const fc_sweep_desc,
    hits: *mut fc_sweep_hit,
    statuses: *mut fc_status,
) -> fc_status {
    let mut outcomes = KEPT.take();
    let status = call(
        || {
            // SAFETY: required.
            let (sweeps, options, hits, statuses) = unsafe {
                let status_count = if statuses.is_null() { 0 } else { count };
                (
                    slice(sweeps, count, "sweeps")?,
                    options(desc)?,
                    buffer(hits, count, "hits")?,
                    buffer(statuses, status_count, "statuses")?,
                )
            };
            outcomes.clear();
            outcomes.resize_with(sweeps.len(), || Ok(None));
            let shared = Mutex::new(&mut outcomes);
            hooks::tasks().parallel_for(sweeps.len(), RUN, |range| {
                let mut run = [const { None }; RUN];
                for (outcome, sweep) in run.iter_mut().zip(&sweeps[range.clone()]) {
                    *outcome = Some(swept(sweep, &options));
                }
                let mut all = shared.lock().unwrap_or_else(|e| e.into_inner());
                for (place, outcome) in all[range].iter_mut().zip(run.into_iter().flatten()) {
                    *place = outcome;
                }
            });
            Ok((hits, statuses, &outcomes))
        },
        |(hits, statuses, outcomes)| {
            let mut failure = None;
            for (k, outcome) in outcomes.iter().enumerate() {
                let missed = fc_sweep_hit { time: NEVER, contact: fc_contact::default(), exact: 0, reserved: 0 };
                let (hit, status) = match outcome {
                    Ok(Some(impact)) => (hit_of(impact), FC_OK),
                    Ok(None) => (missed, FC_NO_HIT),
                    Err(why) => {
                        failure = failure.or(Some((k, why)));
                        (missed, why.status)
                    }
                };
                hits.fill_from(k, [hit].into_iter());
                statuses.fill_from(k, [status].into_iter());
            }
            match failure {
                Some((k, failure)) => {
                    set_last_error(&format!("sweeps[{k}]: {}", failure.text));
                    FC_SOME_FAILED
                }
                None => FC_OK,
            }
        },
    );
    outcomes.clear();
    KEPT.set(outcomes);
    status
}
