//! `fc_soft_*`: bodies of tetrahedra that deform and are cut.

use super::clock::Moment;
use super::descriptor::{self, Stamped};
use super::door::{call, change, failed};
use super::guarded::Guarded;
use super::handles::{Held, Table};
use super::pointer::{buffer, out, place, slice, strided_view, triple};
use super::status::{FC_ERROR_TOO_LARGE, FC_ERROR_WRONG_TIME, FC_INCOMPLETE, FC_OK, Failure, fc_status};
use super::types::{FC_NONE, fc_soft};
use crate::geom::{NONE, Point, Vector};
use crate::penalty::{DepthMethod, PenaltyScratch, SoftBody};
use std::cell::Cell;
use std::ptr::null;

/// Soft body flag: all tetrahedra are listed right-handed ((b - a) x (c - a) . (d - a) > 0 at rest). Those that are
/// inverted now, or have no volume, are accepted and wait for one. Without it either sense is accepted, and every
/// tetrahedron must have a volume when it is given.
pub const FC_SOFT_ORIENTED: u32 = 1;

/// Depths of nodes: the closest point of the boundary is searched for each node that is asked for. Exact; the fastest
/// for few nodes. The default.
pub const FC_DEPTHS_EXACT: u32 = 0;
/// Depths of nodes: nodes hand on the closest triangle (closest-feature fast marching, Marchal 2004). Never too small;
/// the fastest for all nodes.
pub const FC_DEPTHS_CLOSEST_FEATURE: u32 = 1;
/// Depths of nodes: nodes hand on the closest node of the boundary (closest-point fast marching). Faster still, and less
/// exact.
pub const FC_DEPTHS_CLOSEST_POINT: u32 = 2;

/// A new soft body. Start from fc_soft_desc_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_soft_desc {
    /// Set by fc_soft_desc_default().
    pub struct_size: u32,
    /// FC_SOFT_*; default 0.
    pub flags: u32,
    /// World position that positions in single precision are relative to, now and later. Default 0, 0, 0.
    pub origin: [f64; 3],
    /// Three floats per node: metres, world axes, relative to the origin. NULL if there are positions_double.
    pub positions: *const f32,
    /// Instead of positions: three doubles per node, metres, world space.
    pub positions_double: *const f64,
    /// Four node indices per tetrahedron.
    pub tets: *const u32,
    /// Number of nodes.
    pub node_count: u32,
    /// Number of tetrahedra.
    pub tet_count: u32,
    /// Bytes from one position to the next; 0: tightly packed.
    pub position_stride: u32,
    /// Bytes from one tetrahedron to the next; 0: tightly packed.
    pub tet_stride: u32,
}

// SAFETY: sizes add up without padding; numbers and pointers may be any bytes, and every value is checked before use.
unsafe impl Stamped for fc_soft_desc {
    const NAME: &'static str = "fc_soft_desc";
    const DEFAULT: Self = Self {
        struct_size: 0,
        flags: 0,
        origin: [0.0; 3],
        positions: null(),
        positions_double: null(),
        tets: null(),
        node_count: 0,
        tet_count: 0,
        position_stride: 0,
        tet_stride: 0,
    };
}

/// Properties of a soft body. Start from fc_soft_info_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_soft_info {
    /// Set by fc_soft_info_default().
    pub struct_size: u32,
    /// Number of nodes.
    pub node_count: u32,
    /// Number of tetrahedra, those that were removed included: one more than the highest index.
    pub tet_count: u32,
    /// Last update: number of tetrahedra that are there.
    pub live_tets: u32,
    /// Last update: number of tetrahedra that are inverted or have no volume. They take no part in queries until they
    /// have one.
    pub inverted_tets: u32,
    /// Last update: number of triangles of the boundary.
    pub boundary_triangles: u32,
    /// Bytes of memory.
    pub bytes: u64,
    /// Duration of the last update.
    pub update_nanoseconds: u64,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_soft_info {
    const NAME: &'static str = "fc_soft_info";
    const DEFAULT: Self = Self {
        struct_size: 0,
        node_count: 0,
        tet_count: 0,
        live_tets: 0,
        inverted_tets: 0,
        boundary_triangles: 0,
        bytes: 0,
        update_nanoseconds: 0,
    };
}

/// A tetrahedron that gets other corners. 20 bytes, no padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_tet_change {
    /// Its index. The number of tetrahedra, and so on: a new one.
    pub tet: u32,
    /// Its nodes from now on; four times FC_NONE: it is removed.
    pub nodes: [u32; 4],
}

/// A soft body and the data that the C interface adds to it.
pub(super) struct Entry {
    origin: Point,
    state: Guarded<State>,
}

struct State {
    body: SoftBody,
    update_nanoseconds: u64,
}

static SOFTS: Table<Entry> = Table::new(5, "soft");

pub(super) fn table() -> &'static Table<Entry> {
    &SOFTS
}

pub(super) fn get(handle: fc_soft, argument: &str) -> Result<Held<Entry>, Failure> {
    SOFTS.get(handle.id, argument)
}

impl Entry {
    /// World position that positions in single precision are relative to.
    pub fn origin(&self) -> &Point {
        &self.origin
    }

    /// Lends the body, which no call changes meanwhile.
    pub fn read<T>(&self, body: impl FnOnce(&SoftBody) -> Result<T, Failure>) -> Result<T, Failure> {
        self.state.read(|state| body(&state.body))
    }

    /// Lends the body if it is up to date.
    pub fn query<T>(&self, body: impl FnOnce(&SoftBody) -> Result<T, Failure>) -> Result<T, Failure> {
        self.read(|soft| match soft.is_ready() {
            true => body(soft),
            false => Err(Failure {
                status: FC_ERROR_WRONG_TIME,
                text: "soft was changed since its last update; call fc_soft_update before a query".into(),
            }),
        })
    }
}

pub(super) fn depth_method(method: u32, argument: &str) -> Result<DepthMethod, Failure> {
    match method {
        FC_DEPTHS_EXACT => Ok(DepthMethod::Exact),
        FC_DEPTHS_CLOSEST_FEATURE => Ok(DepthMethod::ClosestFeature),
        FC_DEPTHS_CLOSEST_POINT => Ok(DepthMethod::ClosestPoint),
        other => Err(Failure::argument(format!("{argument} is {other}; it must be one of FC_DEPTHS_*"))),
    }
}

thread_local! {
    /// Taken, not borrowed: a shape's function may query meanwhile.
    static SCRATCH: Cell<Option<Box<PenaltyScratch>>> = const { Cell::new(None) };
}

/// Lends this thread's scratch memory.
pub(super) fn with_scratch<T>(body: impl FnOnce(&mut PenaltyScratch) -> T) -> T {
    SCRATCH.with(|scratch| {
        let mut own = scratch.take().unwrap_or_default();
        let result = body(&mut own);
        scratch.set(Some(own));
        result
    })
}

/// Frees this thread's scratch memory.
pub(super) fn release_scratch() {
    SCRATCH.take();
}

const _: () = assert!(NONE == FC_NONE); // corners of removed tetrahedra are handed on

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_soft_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_soft_desc_init(desc: *mut fc_soft_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Creates a soft body: tetrahedra whose nodes you move in every step, and that you may cut. It is ready for queries. In
/// a step: set positions, cut, update, query. For penalty forces (fc_query_soft_pair) and for depths. Contacts of a body
/// with itself are not found: for these see fc_scene_create.
///
/// Like a scene, a soft body changes. At any time either one call may change it (set positions, set tetrahedra, update),
/// or any number of calls may read it; a call at another time returns FC_ERROR_WRONG_TIME and does nothing. No call
/// waits. A change that fails leaves the body as it was, with one exception: a call that changes it and returns
/// FC_ERROR_INTERNAL has left it half changed, and all calls but fc_soft_destroy return FC_ERROR_INTERNAL from then on.
/// A change that has begun does not fail for lack of memory: it is made, and returns FC_LOW_MEMORY.
///
/// Owner    release it with fc_soft_destroy; the arrays stay yours and are copied.
/// Threads  beside any other call.
/// Cost     about 6 ms for 10,000 tetrahedra.
/// Fails    FC_ERROR_INVALID_ARGUMENT (also a position that is not finite, or farther than 1e9 m from the world's
///          origin), FC_ERROR_INVALID_MESH (an index out of range, a tetrahedron without volume or with a node twice, more
///          than two tetrahedra at a face, no tetrahedra), FC_ERROR_TOO_LARGE, FC_ERROR_OUT_OF_MEMORY,
///          FC_ERROR_UNSUPPORTED.
///
/// # Safety
/// `desc` is as large as it says, its arrays are readable as far as its counts say, `soft` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_soft_create(desc: *const fc_soft_desc, soft: *mut fc_soft) -> fc_status {
    call(
        || {
            // SAFETY: required.
            let (desc, place) = unsafe { (descriptor::read(desc, "desc")?, out(soft, "soft")?) };
            // SAFETY: required.
            Ok((place, unsafe { entry(&desc)? }))
        },
        |(place, entry)| match SOFTS.insert(entry) {
            Ok(id) => {
                place.write(fc_soft { id });
                FC_OK
            }
            Err(failure) => failed(&failure),
        },
    )
}

/// Most nodes or tetrahedra; rejected before the arrays are read.
const MOST: u32 = u32::MAX / 8;

fn check_count(what: &str, count: u32) -> Result<(), Failure> {
    if count > MOST {
        let text = format!("there are {count} {what}; at most {MOST} fit");
        return Err(Failure { status: FC_ERROR_TOO_LARGE, text });
    }
    Ok(())
}

/// # Safety
/// The arrays of `desc` are readable as far as its counts say.
unsafe fn entry(desc: &fc_soft_desc) -> Result<Box<Entry>, Failure> {
    if desc.flags & !FC_SOFT_ORIENTED != 0 {
        return Err(Failure::argument(format!("desc.flags is {:#x}; use FC_SOFT_* or 0", desc.flags)));
    }
    if !desc.positions.is_null() && !desc.positions_double.is_null() {
        return Err(Failure::argument("desc has positions and positions_double; give one of them"));
    }
    check_count("nodes", desc.node_count)?;
    check_count("tets", desc.tet_count)?;
    let origin = Point::from(place(desc.origin, "desc.origin")?);
    let (count, stride) = (desc.node_count, desc.position_stride);
    let positions: Vec<Point> = if desc.positions_double.is_null() {
        // SAFETY: required.
        let given = unsafe { strided_view::<f32, 3>(desc.positions, count, stride, "desc.positions")? };
        (0..count).map(|k| origin + Vector::from(given.get(k).map(f64::from))).collect()
    } else {
        let name = "desc.positions_double";
        // SAFETY: required.
        let given = unsafe { strided_view::<f64, 3>(desc.positions_double, count, stride, name)? };
        (0..count).map(|k| Point::from(given.get(k))).collect()
    };
    // SAFETY: required.
    let given = unsafe { strided_view::<u32, 4>(desc.tets, desc.tet_count, desc.tet_stride, "desc.tets")? };
    let tets: Vec<[u32; 4]> = (0..desc.tet_count).map(|k| given.get(k)).collect();
    let start = Moment::now();
    let body = match desc.flags & FC_SOFT_ORIENTED {
        0 => SoftBody::new(&positions, &tets)?,
        _ => SoftBody::oriented(&positions, &tets)?,
    };
    let state = State { body, update_nanoseconds: start.elapsed() };
    Ok(Box::new(Entry { origin, state: Guarded::new("soft", state) }))
}

/// Destroys a soft body. Calls that are running on it finish safely.
///
/// Fails    FC_ERROR_INVALID_HANDLE.
#[unsafe(no_mangle)]
pub extern "C" fn fc_soft_destroy(soft: fc_soft) -> fc_status {
    call(|| SOFTS.destroy(soft.id, "soft"), |()| FC_OK)
}

/// Sets new positions of all nodes: three floats each, metres, world axes, relative to the body's origin. They are
/// copied, and used from the next fc_soft_update on.
///
/// `stride` is the number of bytes from one position to the next; 0: tightly packed.
/// Threads  not beside any other call on the body.
/// Memory   no heap allocation.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, a count that is not that of the nodes, a position
///          that is not finite or farther than 1e9 m from the world's origin), FC_ERROR_WRONG_TIME (another call on the
///          body is running).
///
/// # Safety
/// `positions` has that many readable positions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_soft_set_positions(
    soft: fc_soft,
    positions: *const f32,
    count: u32,
    stride: u32,
) -> fc_status {
    let at = |entry: &Entry, given: [f32; 3]| entry.origin + Vector::from(given.map(f64::from));
    // SAFETY: required.
    unsafe { set_positions(soft, positions, count, stride, at) }
}

/// As fc_soft_set_positions, with three doubles per node, in world space.
///
/// # Safety
/// As fc_soft_set_positions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_soft_set_positions_double(
    soft: fc_soft,
    positions: *const f64,
    count: u32,
    stride: u32,
) -> fc_status {
    // SAFETY: required.
    unsafe { set_positions(soft, positions, count, stride, |_, given: [f64; 3]| Point::from(given)) }
}

/// # Safety
/// As fc_soft_set_positions.
unsafe fn set_positions<T: Copy>(
    soft: fc_soft,
    positions: *const T,
    count: u32,
    stride: u32,
    at: impl Fn(&Entry, [T; 3]) -> Point,
) -> fc_status {
    change(
        || {
            let entry = get(soft, "soft")?;
            // SAFETY: required.
            Ok((entry, unsafe { strided_view::<T, 3>(positions, count, stride, "positions")? }))
        },
        |(entry, given)| {
            let positions = (0..count).map(|k| at(&entry, given.get(k)));
            entry.state.write(|state| Ok(state.body.set_positions(positions)?))
        },
        |()| FC_OK,
    )
}

/// Cuts a soft body: adds nodes after those that there are (three doubles each, world space; most of them doubles of old
/// ones), and gives some tetrahedra other corners, or removes them. Only faces of these are looked at again. Parts that
/// come apart stay one body. Used from the next fc_soft_update on.
///
/// Threads  not beside any other call on the body.
/// Cost     grows with the changes; the next update also builds its trees anew.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (also a tetrahedron that is changed twice, or an index
///          beyond the next new one), FC_ERROR_INVALID_MESH (as fc_soft_create), FC_ERROR_TOO_LARGE,
///          FC_ERROR_OUT_OF_MEMORY (the changes could not be copied; nothing was changed), FC_ERROR_WRONG_TIME (another
///          call on the body is running). May return FC_LOW_MEMORY.
///
/// # Safety
/// `changes` has `change_count` elements, `nodes` three times `node_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_soft_set_tets(
    soft: fc_soft,
    changes: *const fc_tet_change,
    change_count: u32,
    nodes: *const f64,
    node_count: u32,
) -> fc_status {
    change(
        || {
            let entry = get(soft, "soft")?;
            check_count("changes", change_count)?;
            check_count("nodes", node_count)?;
            // SAFETY: required.
            let (changes, nodes) = unsafe {
                (slice(changes, change_count, "changes")?, strided_view::<f64, 3>(nodes, node_count, 0, "nodes")?)
            };
            let nodes: Vec<Point> = (0..node_count).map(|k| Point::from(nodes.get(k))).collect();
            let changes: Vec<(u32, [u32; 4])> = changes.iter().map(|change| (change.tet, change.nodes)).collect();
            Ok((entry, nodes, changes))
        },
        |(entry, nodes, changes)| {
            entry.state.write(|state| {
                let total = state.body.positions().len() + nodes.len();
                check_count("nodes", u32::try_from(total).unwrap_or(u32::MAX))?;
                Ok(state.body.cut(&nodes, &changes)?)
            })
        },
        |()| FC_OK,
    )
}

/// Makes a soft body ready for queries at its new positions.
///
/// Threads  not beside any other call on the body.
/// Memory   no heap allocation, unless it was cut.
/// Cost     about 0.14 ms for 10,000 tetrahedra, after a cut 3 ms; fc_soft_get_info returns how long it took.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_WRONG_TIME (another call on the body is running). May return
///          FC_LOW_MEMORY.
#[unsafe(no_mangle)]
pub extern "C" fn fc_soft_update(soft: fc_soft) -> fc_status {
    change(
        || get(soft, "soft"),
        |entry| {
            entry.state.write(|state| {
                let start = Moment::now();
                state.body.update();
                state.update_nanoseconds = start.elapsed();
                Ok(())
            })
        },
        |()| FC_OK,
    )
}

/// Returns the properties of a soft body, and what its last update found.
///
/// Threads  beside queries of the body; not beside a call that changes it.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_WRONG_TIME (a call that changes the body is
///          running).
///
/// # Safety
/// `info` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_soft_get_info(soft: fc_soft, info: *mut fc_soft_info) -> fc_status {
    call(
        || {
            let entry = get(soft, "soft")?;
            // SAFETY: required.
            let receiver = unsafe { descriptor::receiver(info, "info")? };
            entry.state.read(|state| {
                let (body, stats) = (&state.body, state.body.stats());
                let info = fc_soft_info {
                    struct_size: 0,
                    node_count: body.positions().len() as u32,
                    tet_count: body.tet_count() as u32,
                    live_tets: stats.tets as u32,
                    inverted_tets: stats.inverted as u32,
                    boundary_triangles: stats.boundary as u32,
                    bytes: (size_of::<Entry>() + body.bytes()) as u64,
                    update_nanoseconds: state.update_nanoseconds,
                };
                Ok((receiver, info))
            })
        },
        |(receiver, info)| {
            receiver.write(&info);
            FC_OK
        },
    )
}

/// Returns the boundary of a soft body: three node indices per triangle, counter-clockwise seen from outside.
///
/// Writes as many triangles as fit, and sets `*count` to their total number; FC_INCOMPLETE if that is more. After a cut,
/// those of the cut, whether it was updated or not.
/// Threads  beside queries of the body; not beside a call that changes it.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_WRONG_TIME (a call that changes the body is
///          running).
///
/// # Safety
/// `triangles` has room for `capacity` times three indices, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_soft_boundary(
    soft: fc_soft,
    triangles: *mut u32,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    call(
        || {
            let entry = get(soft, "soft")?;
            // SAFETY: required.
            let places =
                unsafe { (buffer(triangles.cast::<[u32; 3]>(), capacity, "triangles")?, out(count, "count")?) };
            // Written while it is lent: nothing can fail after that.
            entry.read(|body| {
                let (all, (triangles, count)) = (body.boundary(), places);
                let total = all.len();
                let written = triangles.fill(all);
                count.write(total as u32);
                Ok(written < total)
            })
        },
        |is_incomplete| if is_incomplete { FC_INCOMPLETE } else { FC_OK },
    )
}

/// Returns the depths of nodes: their distances to the boundary, 0 on it.
///
/// `method` is one of FC_DEPTHS_*. `depths[k]` is that of `nodes[k]`, or, if `nodes` is NULL, of node k: `count` is then
/// the number of all nodes. The fewer are asked for, the less is done (see docs/formulations/penalty.md).
/// Threads  beside other queries of the body; not beside a call that changes it.
/// Memory   no heap allocation once this thread has handled a body of that size.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, an unknown method, a node that the body does not
///          have), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_WRONG_TIME (the body was changed since its last update, or a call that
///          changes it is running).
///
/// # Safety
/// `nodes` is NULL or has `count` elements, `depths` has room for `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_soft_depths(
    soft: fc_soft,
    method: u32,
    nodes: *const u32,
    count: u32,
    depths: *mut f64,
) -> fc_status {
    with_scratch(|scratch| {
        call(
            || {
                let entry = get(soft, "soft")?;
                let method = depth_method(method, "method")?;
                let asked = if nodes.is_null() { 0 } else { count };
                // SAFETY: required.
                let (asked, places) = unsafe { (slice(nodes, asked, "nodes")?, buffer(depths, count, "depths")?) };
                entry.query(|body| {
                    let total = body.positions().len();
                    if nodes.is_null() && count as usize != total {
                        return Err(Failure::argument(format!("count is {count}; soft has {total} nodes")));
                    }
                    let asked = if nodes.is_null() { None } else { Some(asked) };
                    let (found, _) = body.find_depths(asked, method, scratch)?;
                    Ok((places, found, asked))
                })
            },
            |(places, found, asked)| {
                match asked {
                    Some(asked) => places.fill(asked.iter().map(|v| found[*v as usize])),
                    None => places.fill(found.iter().copied()),
                };
                FC_OK
            },
        )
    })
}

/// Returns the signed distance from a world-space point to the boundary of a soft body: negative inside. `outward`
/// receives the unit direction out of the body, world axes; it may be NULL.
///
/// Threads  beside other queries of the body; not beside a call that changes it.
/// Memory   no heap allocation once this thread has done so before.
/// Cost     a few microseconds near the boundary of 10,000 tetrahedra.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_WRONG_TIME (the body was
///          changed since its last update, or a call that changes it is running).
///
/// # Safety
/// Three numbers at `point` are readable, `distance` and, unless NULL, three floats at `outward` are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_soft_signed_distance(
    soft: fc_soft,
    point: *const f64,
    distance: *mut f64,
    outward: *mut f32,
) -> fc_status {
    with_scratch(|scratch| {
        call(
            || {
                let entry = get(soft, "soft")?;
                // SAFETY: required; NULL is an empty buffer.
                let (point, distance, way) = unsafe {
                    let way = buffer(outward, if outward.is_null() { 0 } else { 3 }, "outward")?;
                    (place(triple(point, "point")?, "point")?, out(distance, "distance")?, way)
                };
                let found = entry.query(|body| Ok(body.find_distance(&Point::from(point), scratch)?))?;
                if !found.distance.is_finite() {
                    return Err(Failure::argument("all tetrahedra of soft were removed: there is no distance to it"));
                }
                Ok((distance, way, found))
            },
            |(distance, way, found)| {
                distance.write(found.distance);
                way.fill(<[f32; 3]>::from(found.outward.cast::<f32>()).into_iter());
                FC_OK
            },
        )
    })
}
