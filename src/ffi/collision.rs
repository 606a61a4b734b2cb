//! `fc_scene_query_*`, `fc_scene_first_impact`, `fc_scene_ray_cast`: collisions of the bodies of a scene.

use super::ccd::{self, fc_ccd_desc};
use super::clock::Moment;
use super::descriptor::{self, Stamped};
use super::door::call;
use super::hooks;
use super::object;
use super::pointer::{Results, out, place, pose, triple};
use super::scene;
use super::status::{FC_NO_HIT, FC_OK, Failure, fc_status};
use super::types::{FC_NONE, fc_body, fc_object, fc_pose, fc_scene};
use crate::contact::{SceneContact, query_scene_object};
use crate::deform::{BodyId, Features, Impact, Interval, Near, Overlap, SceneHit, TraversalStats, TriangleContact};
use crate::geom::{Point, Vector};
use std::cell::Cell;

/// Discrete query flag: compute point, normal and depth of the pairs that are written.
pub const FC_DISCRETE_CONTACTS: u32 = 1;

/// Kind of an impact or proximity: a vertex of the first body and a triangle of the second.
pub const FC_IMPACT_VERTEX_FACE: u32 = 0;
/// Kind of an impact or proximity: an edge of the first body and an edge of the second.
pub const FC_IMPACT_EDGE_EDGE: u32 = 1;

/// Two triangles that intersect. 64 bytes, no padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_overlap {
    /// The bodies; twice the same for a self-collision.
    pub bodies: [fc_body; 2],
    /// Their triangles.
    pub triangles: [u32; 2],
    /// Penetration depth in metres, an estimate from the two triangles alone. This and what follows are 0 without
    /// FC_DISCRETE_CONTACTS.
    pub depth: f32,
    /// Unit normal from the second triangle towards the first, world axes: moving the first by depth * normal parts
    /// them.
    pub normal: [f32; 3],
    /// Middle of the intersection, in metres, world space.
    pub point: [f64; 3],
}

/// Features that meet during a step. 48 bytes, no padding. Vertex indices of a body with FC_BODY_WELD count positions,
/// in the order in which they first occur.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_impact {
    /// The bodies; twice the same for a self-collision.
    pub bodies: [fc_body; 2],
    /// Of the first body: the vertex and FC_NONE, or the two vertices of the edge.
    pub a: [u32; 2],
    /// Of the second body: the triangle and FC_NONE, or the two vertices of the edge.
    pub b: [u32; 2],
    /// FC_IMPACT_*.
    pub kind: u32,
    /// Always 0.
    pub reserved: u32,
    /// Time of impact: 0 is the start of the step, 1 its end. Never later than the true time.
    pub time: f64,
}

/// Features that are near each other. 104 bytes, no padding. Vertex indices as in fc_impact.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_proximity {
    /// The bodies; twice the same for a part of a body near another part of it.
    pub bodies: [fc_body; 2],
    /// Of the first body: the vertex and FC_NONE, or the two vertices of the edge.
    pub a: [u32; 2],
    /// Of the second body: the triangle and FC_NONE, or the two vertices of the edge.
    pub b: [u32; 2],
    /// Distance of the closest points in metres, without the thickness of the bodies.
    pub distance: f64,
    /// The closest points, on the first body and on the second, in metres, world space.
    pub points: [[f64; 3]; 2],
    /// Unit normal from the second point towards the first, world axes; 0, 0, 0 if they are the same.
    pub normal: [f32; 3],
    /// FC_IMPACT_*.
    pub kind: u32,
}

/// A contact between a triangle of a scene and an object. 64 bytes, no padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_scene_contact {
    /// The body.
    pub body: fc_body,
    /// Its triangle.
    pub triangle: u32,
    /// Penetration depth in metres, with the thickness of the body; < 0 a separation within the margin.
    pub depth: f32,
    /// Deepest point of the triangle, in metres, world space.
    pub point: [f64; 3],
    /// Barycentric coordinates of the point in the triangle.
    pub weights: [f32; 3],
    /// Unit normal from the object towards the triangle, world axes: moving the triangle by depth * normal resolves
    /// this contact.
    pub normal: [f32; 3],
}

/// Result of a ray cast against a scene. 48 bytes, no padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_scene_hit {
    /// The body.
    pub body: fc_body,
    /// Metres along the ray.
    pub distance: f64,
    /// Its triangle.
    pub triangle: u32,
    /// Barycentric coordinates of the point in the triangle.
    pub weights: [f32; 3],
    /// Unit normal of the triangle, out of its counter-clockwise side, world axes; 0, 0, 0 if it has no area.
    pub normal: [f32; 3],
    /// Always 0.
    pub reserved: u32,
}

/// Statistics of a query of a scene. Start from fc_scene_stats_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_scene_stats {
    /// Set by fc_scene_stats_default().
    pub struct_size: u32,
    /// Always 0.
    pub reserved: u32,
    /// Number of overlap tests of tree nodes.
    pub node_tests: u64,
    /// Number of nodes whose inside needed no look for self-collisions.
    pub culled_nodes: u64,
    /// Number of contours that were looked at for that.
    pub contour_tests: u64,
    /// Number of pairs of triangles whose boxes overlap.
    pub candidates: u64,
    /// Number of tests of two triangles, vertex and triangle, or two edges.
    pub elementary_tests: u64,
    /// Number of results.
    pub found: u64,
    /// Duration of the query.
    pub nanoseconds: u64,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_scene_stats {
    const NAME: &'static str = "fc_scene_stats";
    const DEFAULT: Self = Self {
        struct_size: 0,
        reserved: 0,
        node_tests: 0,
        culled_nodes: 0,
        contour_tests: 0,
        candidates: 0,
        elementary_tests: 0,
        found: 0,
        nanoseconds: 0,
    };
}

impl fc_scene_stats {
    fn new(stats: &TraversalStats, start: Moment) -> Self {
        Self {
            node_tests: stats.node_tests,
            culled_nodes: stats.culled_nodes,
            contour_tests: stats.contour_tests,
            candidates: stats.candidates,
            elementary_tests: stats.elementary_tests,
            found: stats.found,
            nanoseconds: start.elapsed(),
            ..Self::DEFAULT
        }
    }
}

/// Results to be returned.
#[derive(Default)]
struct Kept {
    overlaps: Vec<Overlap>,
    /// Of the first overlaps, if they are wanted.
    contacts: Vec<Option<TriangleContact>>,
    impacts: Vec<Impact>,
    near: Vec<Near>,
    touching: Vec<SceneContact>,
}

thread_local! {
    /// Taken, not borrowed: a task hook may query meanwhile.
    static KEPT: Cell<Option<Kept>> = const { Cell::new(None) };
    static STATS: Cell<fc_scene_stats> = const { Cell::new(fc_scene_stats::DEFAULT) };
}

/// Lends this thread's lists.
fn with_kept<T>(body: impl FnOnce(&mut Kept) -> T) -> T {
    KEPT.with(|kept| {
        let mut lists = kept.take().unwrap_or_default();
        let result = body(&mut lists);
        kept.set(Some(lists));
        result
    })
}

/// Frees this thread's scratch memory.
pub(super) fn release_scratch() {
    KEPT.take();
}

fn told(bodies: [BodyId; 2]) -> [fc_body; 2] {
    bodies.map(|id| fc_body { id: id.to_bits() })
}

/// Kind and indices of features.
fn indices(features: &Features) -> (u32, [u32; 2], [u32; 2]) {
    match *features {
        Features::VertexFace { vertex, triangle } => (FC_IMPACT_VERTEX_FACE, [vertex, FC_NONE], [triangle, FC_NONE]),
        Features::EdgeEdge { a, b } => (FC_IMPACT_EDGE_EDGE, a, b),
    }
}

impl From<&Impact> for fc_impact {
    fn from(impact: &Impact) -> Self {
        let (kind, a, b) = indices(&impact.features);
        Self { bodies: told(impact.bodies), a, b, kind, reserved: 0, time: impact.time }
    }
}

impl From<&Near> for fc_proximity {
    fn from(near: &Near) -> Self {
        let (kind, a, b) = indices(&near.features);
        let (points, normal) = (near.points.map(|p| p.coords.into()), near.normal.cast::<f32>().into());
        Self { bodies: told(near.bodies), a, b, distance: near.distance, points, normal, kind }
    }
}

/// Finds all pairs of triangles that intersect at the end of the step, between bodies and within them. The decision is
/// exact. Triangles of one body that share vertices collide if they have more than those in common.
///
/// Writes at most `capacity` pairs and sets `*count` to the number found; FC_INCOMPLETE if that is more, and the pairs
/// written are valid. The order is the same on every run and for any number of threads. Calling again with a larger
/// buffer repeats the query.
///
/// Owner    buffers stay yours; no pointer is kept.
/// Threads  beside other queries of the scene; not beside a call that changes it. Uses the task hook.
/// Memory   the thread keeps its list of results; some small blocks per call.
/// Cost     grows with the triangles that are near each other; fc_scene_get_stats returns what was done.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, an unknown flag), FC_ERROR_OUT_OF_MEMORY,
///          FC_ERROR_TASKS, FC_ERROR_WRONG_TIME (the scene was changed since its last update, or a call that changes it
///          is running).
///
/// # Safety
/// `pairs` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_query_discrete(
    scene: fc_scene,
    flags: u32,
    pairs: *mut fc_overlap,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    with_kept(|kept| {
        call(
            || {
                let entry = scene::get(scene, "scene")?;
                if flags & !FC_DISCRETE_CONTACTS != 0 {
                    return Err(Failure::argument(format!("flags is {flags:#x}; use FC_DISCRETE_* or 0")));
                }
                // SAFETY: required.
                let receiver = unsafe { Results::new(pairs, capacity, count, "pairs")? };
                let (tasks, start) = (hooks::tasks(), Moment::now());
                let Kept { overlaps, contacts, .. } = kept;
                overlaps.clear();
                contacts.clear();
                let stats = entry.query(Interval::End, |scene| {
                    let stats = scene.query_discrete(&tasks, overlaps)?;
                    if flags & FC_DISCRETE_CONTACTS != 0 {
                        for overlap in overlaps.iter().take(capacity as usize) {
                            contacts.push(scene.contact(overlap)?);
                        }
                    }
                    Ok(stats)
                })?;
                Ok((receiver, fc_scene_stats::new(&stats, start), &*kept))
            },
            |(receiver, stats, kept)| {
                STATS.set(stats);
                receiver.take(kept.overlaps.iter().enumerate().map(|(k, overlap)| {
                    let mut told = fc_overlap {
                        bodies: told(overlap.bodies),
                        triangles: overlap.triangles,
                        depth: 0.0,
                        normal: [0.0; 3],
                        point: [0.0; 3],
                    };
                    if let Some(Some(contact)) = kept.contacts.get(k) {
                        told.depth = contact.depth as f32;
                        told.normal = contact.normal.cast::<f32>().into();
                        told.point = contact.point.coords.into();
                    }
                    told
                }))
            },
        )
    })
}

/// Finds all vertices that meet triangles and edges that meet edges during the step, each with its first time, between
/// bodies and within them. Vertices move along straight lines, from where they were at the update before to where they
/// were at the last.
///
/// Conservative: no collision is missed, and no time is later than the true one; features that come within
/// `desc->tolerance` of each other may be reported as well. Features that meet at the start of the step have time 0.
/// Everything else is as in fc_scene_query_discrete.
/// Fails    as fc_scene_query_discrete; FC_ERROR_WRONG_TIME also if the last update was without FC_UPDATE_CONTINUOUS.
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// `desc` is NULL or as large as it says, `impacts` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_query_continuous(
    scene: fc_scene,
    desc: *const fc_ccd_desc,
    impacts: *mut fc_impact,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    with_kept(|kept| {
        call(
            || {
                let entry = scene::get(scene, "scene")?;
                // SAFETY: required.
                let (options, receiver) =
                    unsafe { (ccd::options(desc)?, Results::new(impacts, capacity, count, "impacts")?) };
                let (tasks, start) = (hooks::tasks(), Moment::now());
                let found = &mut kept.impacts;
                found.clear();
                let stats =
                    entry.query(Interval::Step, |scene| Ok(scene.query_continuous(&options, &tasks, found)?))?;
                Ok((receiver, fc_scene_stats::new(&stats, start), &*found))
            },
            |(receiver, stats, found)| {
                STATS.set(stats);
                receiver.take(found.iter().map(fc_impact::from))
            },
        )
    })
}

/// Returns the first impact of the step: all bodies may move up to its time without touching. Of several at the same
/// time, always the same. Returns FC_NO_HIT if nothing meets; `*impact` is then not written.
///
/// Threads  beside other queries of the scene; not beside a call that changes it. Uses the task hook.
/// Cost     less than fc_scene_query_continuous: later impacts are not computed.
/// Fails    as fc_scene_query_continuous.
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// `desc` is NULL or as large as it says, `impact` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_first_impact(
    scene: fc_scene,
    desc: *const fc_ccd_desc,
    impact: *mut fc_impact,
) -> fc_status {
    call(
        || {
            let entry = scene::get(scene, "scene")?;
            // SAFETY: required.
            let (options, place) = unsafe { (ccd::options(desc)?, out(impact, "impact")?) };
            let tasks = hooks::tasks();
            let first = entry.query(Interval::Step, |scene| Ok(scene.first_impact(&options, &tasks)?))?;
            Ok((place, first))
        },
        |(place, first)| match first {
            Some(impact) => {
                place.write((&impact).into());
                FC_OK
            }
            None => FC_NO_HIT,
        },
    )
}

/// Finds all vertices near triangles and edges near edges at the end of the step: those whose distance is at most
/// `distance` plus the thicknesses of both bodies, between bodies and within them. For cloth and shells, which have a
/// thickness and no volume. Features that share a vertex are not near each other.
///
/// Everything else is as in fc_scene_query_discrete.
/// Fails    as fc_scene_query_discrete; FC_ERROR_INVALID_ARGUMENT also for a distance that is negative or NaN.
///
/// # Safety
/// `proximities` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_query_proximity(
    scene: fc_scene,
    distance: f64,
    proximities: *mut fc_proximity,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    with_kept(|kept| {
        call(
            || {
                let entry = scene::get(scene, "scene")?;
                // SAFETY: required.
                let receiver = unsafe { Results::new(proximities, capacity, count, "proximities")? };
                let (tasks, start) = (hooks::tasks(), Moment::now());
                let found = &mut kept.near;
                found.clear();
                let stats = entry.query(Interval::End, |scene| Ok(scene.query_proximity(distance, &tasks, found)?))?;
                Ok((receiver, fc_scene_stats::new(&stats, start), &*found))
            },
            |(receiver, stats, found)| {
                STATS.set(stats);
                receiver.take(found.iter().map(fc_proximity::from))
            },
        )
    })
}

/// Finds the contacts between a scene and an object in a pose: for each triangle that is in the object or within
/// `margin` of it, at the end of the step, its deepest point. Triangles whose deepest point is a common vertex have one
/// contact together. Bodies without a bit of `mask` in their category are left out.
///
/// Writes at most `capacity` contacts and sets `*count` to the number found; FC_INCOMPLETE if that is more, and the
/// contacts written are valid. The order is the same on every run.
///
/// Owner    buffers stay yours; no pointer is kept.
/// Threads  beside other queries of the scene; not beside a call that changes it.
/// Memory   the thread keeps its list of results; a few small blocks per triangle.
/// Cost     some hundred distances per triangle near the object.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, a pose that is not finite or not a rotation, a
///          margin that is negative or NaN), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_WRONG_TIME (the scene was changed since
///          its last update, or a call that changes it is running).
///
/// # Safety
/// `at` is readable, `contacts` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_query_object(
    scene: fc_scene,
    object: fc_object,
    at: *const fc_pose,
    margin: f64,
    mask: u32,
    contacts: *mut fc_scene_contact,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    with_kept(|kept| {
        call(
            || {
                let (entry, object) = (scene::get(scene, "scene")?, object::get(object, "object")?);
                // SAFETY: required.
                let (at, receiver) = unsafe { (pose(at, "at")?, Results::new(contacts, capacity, count, "contacts")?) };
                let found = &mut kept.touching;
                found.clear();
                entry.query(Interval::End, |scene| {
                    Ok(query_scene_object(scene, &object.object, &at, margin, mask, found)?)
                })?;
                Ok((receiver, &*found))
            },
            |(receiver, found)| {
                receiver.take(found.iter().map(|contact| fc_scene_contact {
                    body: fc_body { id: contact.body.to_bits() },
                    triangle: contact.triangle,
                    depth: contact.depth as f32,
                    point: contact.point.coords.into(),
                    weights: contact.weights.map(|w| w as f32),
                    normal: contact.normal.cast::<f32>().into(),
                }))
            },
        )
    })
}

/// Returns the first hit of a ray with a triangle of a scene, from either side, at the end of the step, within
/// `max_distance`, of bodies with a bit of `mask` in their category. Returns FC_NO_HIT if there is none; `*hit` is then
/// not written. Of several at the same distance, always the same.
///
/// Threads  beside other queries of the scene; not beside a call that changes it.
/// Memory   a few small blocks per call.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (a direction of length zero), FC_ERROR_OUT_OF_MEMORY,
///          FC_ERROR_WRONG_TIME (the scene was changed since its last update, or a call that changes it is running).
///
/// # Safety
/// Three numbers at `origin` and `direction` are readable, `hit` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_ray_cast(
    scene: fc_scene,
    origin: *const f64,
    direction: *const f32,
    max_distance: f64,
    mask: u32,
    hit: *mut fc_scene_hit,
) -> fc_status {
    call(
        || {
            let entry = scene::get(scene, "scene")?;
            // SAFETY: required.
            let (origin, direction, place) = unsafe {
                (
                    place(triple(origin, "origin")?, "origin")?,
                    place(triple(direction, "direction")?, "direction")?,
                    out(hit, "hit")?,
                )
            };
            let Some(direction) = Vector::from(direction).try_normalize(0.0) else {
                return Err(Failure::argument("direction has length 0; it must point somewhere"));
            };
            if max_distance.is_nan() || max_distance < 0.0 {
                return Err(Failure::argument(format!("max_distance is {max_distance}; it must be zero or more")));
            }
            let hit = entry.query(Interval::End, |scene| {
                let Some(hit) = scene.ray_cast(&Point::from(origin), &direction, max_distance, mask)? else {
                    return Ok(None);
                };
                Ok(Some((hit, scene.triangles(hit.body)?.nth(hit.triangle as usize))))
            })?;
            Ok((place, hit))
        },
        |(place, hit)| match hit {
            Some((SceneHit { body, triangle, t, weights }, corners)) => {
                let normal = corners.and_then(|[a, b, c]| (b - a).cross(&(c - a)).try_normalize(0.0));
                place.write(fc_scene_hit {
                    body: fc_body { id: body.to_bits() },
                    distance: t,
                    triangle,
                    weights: weights.map(|w| w as f32),
                    normal: normal.unwrap_or_default().cast::<f32>().into(),
                    reserved: 0,
                });
                FC_OK
            }
            None => FC_NO_HIT,
        },
    )
}

/// Returns the statistics of this thread's last successful discrete, continuous or proximity query of a scene.
///
/// Fails    FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `stats` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_get_stats(stats: *mut fc_scene_stats) -> fc_status {
    call(
        // SAFETY: required.
        || unsafe { descriptor::receiver(stats, "stats") },
        |receiver| {
            receiver.write(&STATS.get());
            FC_OK
        },
    )
}
