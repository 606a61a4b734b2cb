//! `fc_scene_add`, `_delete`, `_split`, `_merge`, `_move`: the bodies of a scene.

use super::alloc;
use super::descriptor::{self, Stamped};
use super::door::{change, exhausted, failed};
use super::object;
use super::pointer::{Out, buffer, out, pose, slice, strided_view};
use super::scene::{self, Entry};
use super::status::{FC_ERROR_CAPACITY, FC_ERROR_INVALID_HANDLE, FC_ERROR_TOO_LARGE, FC_OK, Failure, fc_status};
use super::types::{fc_body, fc_object, fc_pose, fc_scene};
use crate::body::Object;
use crate::deform::{BodyId, BodyMesh, BodyOptions, Scene};
use crate::geom::{Point, Pose, Vector};
use std::ptr::null;

/// Body flag: it does not collide with itself.
pub const FC_BODY_NO_SELF_COLLISION: u32 = 1;
/// Body flag: vertices at the same position are one. For render meshes, which have several along texture seams and hard
/// edges: without it such a seam is an open edge, and the triangles on both sides collide with each other.
pub const FC_BODY_WELD: u32 = 2;

/// The mesh of a body, open or closed. Start from fc_body_mesh_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_body_mesh {
    /// Set by fc_body_mesh_default().
    pub struct_size: u32,
    /// Number of vertices.
    pub vertex_count: u32,
    /// Three floats per vertex: metres, world axes, relative to the scene's origin. NULL if there are positions_double.
    pub positions: *const f32,
    /// Instead of positions: three doubles per vertex, metres, world space.
    pub positions_double: *const f64,
    /// Three vertex indices per triangle, counter-clockwise seen from outside. Neighbours should have the same
    /// orientation; where they do not, the mesh is treated as if it were cut.
    pub triangles: *const u32,
    /// Parts of a split: for each triangle, the triangle of the old body that it comes from, or FC_NONE. The tree of the
    /// part is then derived from that of the old body instead of built anew. May be NULL.
    pub sources: *const u32,
    /// Number of triangles.
    pub triangle_count: u32,
    /// Bytes from one position to the next; 0: tightly packed.
    pub position_stride: u32,
    /// Bytes from one triangle to the next; 0: tightly packed.
    pub triangle_stride: u32,
    /// Bytes from one source to the next; 0: tightly packed.
    pub source_stride: u32,
}

// SAFETY: sizes add up without padding; numbers and pointers may be any bytes, and every value is checked before use.
unsafe impl Stamped for fc_body_mesh {
    const NAME: &'static str = "fc_body_mesh";
    const DEFAULT: Self = Self {
        struct_size: 0,
        vertex_count: 0,
        positions: null(),
        positions_double: null(),
        triangles: null(),
        sources: null(),
        triangle_count: 0,
        position_stride: 0,
        triangle_stride: 0,
        source_stride: 0,
    };
}

/// How a body collides. Start from fc_body_desc_default(); every field has a default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_body_desc {
    /// Set by fc_body_desc_default().
    pub struct_size: u32,
    /// FC_BODY_*; default 0.
    pub flags: u32,
    /// Two bodies collide if each has a bit of its category in the other's mask. Default 1.
    pub category: u32,
    /// See category. Default 0xffffffff: collides with all.
    pub mask: u32,
    /// Metres: fc_scene_query_proximity and fc_scene_query_object treat the surface as thicker by this on both sides.
    /// Default 0.
    pub thickness: f32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_body_desc {
    const NAME: &'static str = "fc_body_desc";
    const DEFAULT: Self = Self { struct_size: 0, flags: 0, category: 1, mask: u32::MAX, thickness: 0.0, reserved: 0 };
}

/// Most vertices or triangles of a body; rejected before the arrays are read.
const MOST: u32 = (1 << 30) - 1;

fn check_count(what: &str, count: u32) -> Result<(), Failure> {
    if count > MOST {
        let text = format!("there are {count} {what}; at most {MOST} fit");
        return Err(Failure { status: FC_ERROR_TOO_LARGE, text });
    }
    Ok(())
}

/// # Safety
/// `desc` is null or as large as it says.
unsafe fn options(desc: *const fc_body_desc) -> Result<BodyOptions, Failure> {
    // SAFETY: required.
    let desc = unsafe { descriptor::read_or_default(desc, "desc")? };
    if desc.flags & !(FC_BODY_NO_SELF_COLLISION | FC_BODY_WELD) != 0 || desc.reserved != 0 {
        let text = format!("desc.flags is {:#x} and reserved {}; use FC_BODY_* and 0", desc.flags, desc.reserved);
        return Err(Failure::argument(text));
    }
    Ok(BodyOptions {
        category: desc.category,
        mask: desc.mask,
        thickness: desc.thickness as f64,
        self_collision: desc.flags & FC_BODY_NO_SELF_COLLISION == 0,
        weld: desc.flags & FC_BODY_WELD != 0,
    })
}

/// A copy of a caller's mesh. `name` is the C name of the argument.
///
/// # Safety
/// As [`read_mesh`].
unsafe fn body_mesh(mesh: *const fc_body_mesh, origin: &Point, name: &str) -> Result<BodyMesh, Failure> {
    let mut copy = BodyMesh::default();
    // SAFETY: required.
    unsafe { read_mesh(mesh, origin, name, &mut copy)? };
    Ok(copy)
}

/// Copies a caller's mesh.
///
/// # Safety
/// `mesh` is as large as it says, and its pointers are readable as far as its counts say.
pub(super) unsafe fn read_mesh(
    mesh: *const fc_body_mesh,
    origin: &Point,
    name: &str,
    copy: &mut BodyMesh,
) -> Result<(), Failure> {
    // SAFETY: required.
    let mesh = unsafe { descriptor::read(mesh, name)? };
    check_count("vertices", mesh.vertex_count)?;
    check_count("triangles", mesh.triangle_count)?;
    if !mesh.positions.is_null() && !mesh.positions_double.is_null() {
        let text = format!("{name} has positions and positions_double; give one of them");
        return Err(Failure::argument(text));
    }
    let argument = |field: &str| format!("{name}.{field}");
    copy.positions.clear();
    let (count, stride) = (mesh.vertex_count, mesh.position_stride);
    if mesh.positions_double.is_null() {
        // SAFETY: required.
        let given = unsafe { strided_view::<f32, 3>(mesh.positions, count, stride, &argument("positions"))? };
        copy.positions.extend((0..count).map(|k| origin + Vector::from(given.get(k).map(f64::from))));
    } else {
        let name = argument("positions_double");
        // SAFETY: required.
        let given = unsafe { strided_view::<f64, 3>(mesh.positions_double, count, stride, &name)? };
        copy.positions.extend((0..count).map(|k| Point::from(given.get(k))));
    };
    copy.triangles.clear();
    let (count, stride) = (mesh.triangle_count, mesh.triangle_stride);
    // SAFETY: required.
    let given = unsafe { strided_view::<u32, 3>(mesh.triangles, count, stride, &argument("triangles"))? };
    copy.triangles.extend((0..count).map(|k| given.get(k)));
    copy.sources.clear();
    let source_count = if mesh.sources.is_null() { 0 } else { count };
    // SAFETY: required.
    let given =
        unsafe { strided_view::<u32, 1>(mesh.sources, source_count, mesh.source_stride, &argument("sources"))? };
    copy.sources.extend((0..source_count).map(|k| given.get(k)[0]));
    Ok(())
}

/// Copies of several meshes, which all have the size of the first.
///
/// # Safety
/// As [`body_mesh`], for each of them.
unsafe fn body_meshes(parts: *const fc_body_mesh, count: u32, origin: &Point) -> Result<Vec<BodyMesh>, Failure> {
    if parts.is_null() {
        return Err(Failure::argument("parts is NULL; it must point to part_count meshes"));
    }
    let mut meshes = vec![];
    let mut stride = 0;
    for k in 0..count as usize {
        // SAFETY: required; the size of the first was checked before this is used.
        let part = unsafe { parts.cast::<u8>().add(k * stride).cast::<fc_body_mesh>() };
        let name = format!("parts[{k}]");
        // SAFETY: required.
        meshes.push(unsafe { body_mesh(part, origin, &name)? });
        // SAFETY: required.
        let size = unsafe { part.cast::<u32>().read_unaligned() } as usize;
        if k > 0 && size != stride {
            let text = format!("{name}.struct_size is {size}, and that of parts[0] is {stride}; all must be the same");
            return Err(Failure::argument(text));
        }
        stride = size;
    }
    Ok(meshes)
}

/// A body of a scene.
fn find(scene: &Scene, body: fc_body) -> Result<BodyId, Failure> {
    let id = BodyId::from_bits(body.id);
    match scene.body_triangles(id) {
        Ok(_) => Ok(id),
        Err(error) => Err(Failure { status: FC_ERROR_INVALID_HANDLE, text: error.to_string() }),
    }
}

fn told(id: BodyId) -> fc_body {
    fc_body { id: id.to_bits() }
}

/// Adds a body; takes it out again if memory was exhausted.
fn add(scene: &Entry, mesh: BodyMesh, options: &BodyOptions) -> Result<BodyId, Failure> {
    scene.write(|scene| {
        let id = scene.add(mesh, options)?;
        if alloc::is_exhausted() {
            scene.delete(id)?;
            return Err(exhausted());
        }
        Ok(id)
    })
}

fn give(place: &Out<fc_body>, id: BodyId) -> fc_status {
    place.write(told(id));
    FC_OK
}

/// Fills a mesh of `struct_size` bytes with the defaults; use fc_body_mesh_default().
///
/// # Safety
/// `mesh` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_body_mesh_init(mesh: *mut fc_body_mesh, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(mesh, struct_size) };
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_body_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_body_desc_init(desc: *mut fc_body_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Adds a body to a scene. It is at rest until it is moved.
///
/// Owner    the mesh stays yours and is copied; the body ends with fc_scene_delete, or with its scene.
/// Threads  not beside any other call on the scene.
/// Cost     builds a tree: about 17 ms for 100,000 triangles.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (also a position that is not finite, or farther than
///          1e9 m from the scene's origin), FC_ERROR_INVALID_MESH (an index out of range, a triangle that uses a vertex
///          twice, no triangles), FC_ERROR_TOO_LARGE, FC_ERROR_OUT_OF_MEMORY (the scene has the bodies that it had, but
///          must be updated before a query), FC_ERROR_UNSUPPORTED, FC_ERROR_WRONG_TIME (another call on the scene is
///          running).
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// `mesh` and its pointers are readable as far as its counts say, `desc` is NULL or as large as it says, `body` is
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_add(
    scene: fc_scene,
    mesh: *const fc_body_mesh,
    desc: *const fc_body_desc,
    body: *mut fc_body,
) -> fc_status {
    change(
        || {
            let scene = scene::get(scene, "scene")?;
            // SAFETY: required.
            let (mesh, options, place) = unsafe {
                let mesh = body_mesh(mesh, scene.origin(), "mesh")?;
                (mesh, options(desc)?, out(body, "body")?)
            };
            Ok((scene, mesh, options, place))
        },
        |(scene, mesh, options, place)| Ok((place, add(&scene, mesh, &options)?)),
        |(place, id)| give(&place, id),
    )
}

/// Adds the collision surface of an object in a pose, as fc_object_surface returns it: vertices and triangles have the
/// same numbers. Everything else is as in fc_scene_add.
///
/// Cost     that of fc_object_surface, and of fc_scene_add.
///
/// # Safety
/// `at` is readable, `desc` is NULL or as large as it says, `body` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_add_object(
    scene: fc_scene,
    object: fc_object,
    at: *const fc_pose,
    desc: *const fc_body_desc,
    body: *mut fc_body,
) -> fc_status {
    let surface = |object: &Object, at: Pose| {
        let (surface, metres) = (object.surface(), object.in_metres());
        BodyMesh {
            positions: surface.vertices.iter().map(|p| at * metres.point(p)).collect(),
            triangles: surface.triangles.iter().map(|t| t.corners).collect(),
            sources: vec![],
        }
    };
    // SAFETY: required.
    unsafe { add_from_object((scene, object), at, desc, body, false, surface) }
}

/// Adds the render mesh of an object in a pose, as fc_object_drawing returns it, always with FC_BODY_WELD. Everything
/// else is as in fc_scene_add.
///
/// Cost     that of fc_object_drawing, and of fc_scene_add.
///
/// # Safety
/// As fc_scene_add_object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_add_drawing(
    scene: fc_scene,
    object: fc_object,
    at: *const fc_pose,
    desc: *const fc_body_desc,
    body: *mut fc_body,
) -> fc_status {
    let drawing = |object: &Object, at: Pose| {
        let (drawing, metres) = (object.drawing(), object.in_metres());
        BodyMesh {
            positions: drawing.vertices.iter().map(|v| at * metres.point(&v.position)).collect(),
            triangles: drawing.triangles.iter().map(|t| t.corners).collect(),
            sources: vec![],
        }
    };
    // SAFETY: required.
    unsafe { add_from_object((scene, object), at, desc, body, true, drawing) }
}

/// Adds a mesh of an object; `weld` whatever the descriptor says.
///
/// # Safety
/// As fc_scene_add_object.
unsafe fn add_from_object(
    (scene, object): (fc_scene, fc_object),
    at: *const fc_pose,
    desc: *const fc_body_desc,
    body: *mut fc_body,
    weld: bool,
    mesh: impl FnOnce(&Object, Pose) -> BodyMesh,
) -> fc_status {
    change(
        || {
            let (scene, entry) = (scene::get(scene, "scene")?, object::get(object, "object")?);
            // SAFETY: required.
            let (at, options, place) = unsafe { (pose(at, "at")?, options(desc)?, out(body, "body")?) };
            let options = BodyOptions { weld: weld || options.weld, ..options };
            Ok((scene, mesh(&entry.object, at), options, place))
        },
        |(scene, mesh, options, place)| Ok((place, add(&scene, mesh, &options)?)),
        |(place, id)| give(&place, id),
    )
}

/// Deletes a body of a scene.
///
/// Threads  not beside any other call on the scene.
/// Fails    FC_ERROR_INVALID_HANDLE (also a body that is not in the scene), FC_ERROR_WRONG_TIME (another call on the
///          scene is running). May return FC_LOW_MEMORY.
#[unsafe(no_mangle)]
pub extern "C" fn fc_scene_delete(scene: fc_scene, body: fc_body) -> fc_status {
    change(
        || scene::get(scene, "scene"),
        |scene| scene.write(|scene| Ok(scene.delete(find(scene, body)?)?)),
        |()| FC_OK,
    )
}

/// Replaces a body by parts, which may have new vertices and triangles, and ends it. Parts collide as the body did. So
/// that they do not collide along the cut at once, vertices of different parts at the same position count as one
/// vertex, until the end of the first step in which a part moves.
///
/// Sets `bodies[k]` to the body of `parts[k]`; all parts have the same struct_size.
/// Owner    the parts stay yours and are copied.
/// Threads  not beside any other call on the scene.
/// Cost     about one and a half times that of adding the parts.
/// Fails    FC_ERROR_INVALID_HANDLE (also a body that is not in the scene), FC_ERROR_INVALID_ARGUMENT (also no parts),
///          FC_ERROR_INVALID_MESH (also a source that the body does not have), FC_ERROR_TOO_LARGE,
///          FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED, FC_ERROR_WRONG_TIME (another call on the scene is running).
///          May return FC_LOW_MEMORY.
///
/// # Safety
/// `parts` has `part_count` elements, whose pointers are readable as far as their counts say, `bodies` has room for
/// `part_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_split(
    scene: fc_scene,
    body: fc_body,
    parts: *const fc_body_mesh,
    part_count: u32,
    bodies: *mut fc_body,
) -> fc_status {
    change(
        || {
            let scene = scene::get(scene, "scene")?;
            // SAFETY: required.
            let (parts, places) = unsafe {
                let parts = body_meshes(parts, part_count, scene.origin())?;
                (parts, buffer(bodies, part_count, "bodies")?)
            };
            Ok((scene, parts, places))
        },
        |(scene, parts, places)| {
            let made = scene.write(|scene| Ok(scene.split(find(scene, body)?, parts)?))?;
            Ok((places, made))
        },
        |(places, made)| {
            places.fill(made.iter().map(|id| told(*id)));
            FC_OK
        },
    )
}

/// Splits a body along edges: `labels[t]` is the part of triangle t. Parts are numbered from 0 without gaps.
///
/// Sets `bodies[k]` to the body of part k, and `*count` to the number of parts. A part has the triangles with its label
/// and the vertices that they use, both in the order of the body (a body with FC_BODY_WELD has one vertex for each
/// position, in the order in which positions first occur). Everything else is as in fc_scene_split.
/// Fails    as fc_scene_split; FC_ERROR_CAPACITY (more parts than `capacity`: `*count` is set to their number, nothing is
///          changed), FC_ERROR_INVALID_ARGUMENT (also if `triangle_count` is not that of the body, or a number is not
///          used by any triangle).
///
/// # Safety
/// `labels` has `triangle_count` elements, `bodies` room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_split_by_labels(
    scene: fc_scene,
    body: fc_body,
    labels: *const u32,
    triangle_count: u32,
    bodies: *mut fc_body,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    change(
        || {
            let scene = scene::get(scene, "scene")?;
            // SAFETY: required.
            let (labels, places, number) = unsafe {
                let labels = slice(labels, triangle_count, "labels")?;
                (labels, buffer(bodies, capacity, "bodies")?, out(count, "count")?)
            };
            Ok((scene, labels, places, number))
        },
        |(scene, labels, places, number)| {
            let parts = labels.iter().max().map_or(0, |most| *most as usize + 1);
            // A number that cannot be one of a part is told by the split.
            let is_too_many = parts > places.capacity() && parts <= labels.len();
            let made = scene.write(|scene| {
                let id = find(scene, body)?;
                if is_too_many && scene.body_triangles(id)? == labels.len() {
                    return Ok(Err(parts));
                }
                Ok(Ok(scene.split_by_labels(id, labels)?))
            })?;
            Ok((places, number, made))
        },
        |(places, number, made)| match made {
            Ok(made) => {
                places.fill(made.iter().map(|id| told(*id)));
                number.write(made.len() as u32);
                FC_OK
            }
            Err(parts) => {
                number.write(parts as u32);
                let text = format!("there are {parts} parts, but room for {}; make room", places.capacity());
                failed(&Failure { status: FC_ERROR_CAPACITY, text })
            }
        },
    )
}

/// Replaces bodies by one, which collides as the first of them did, and ends them.
///
/// `mesh` is the mesh of the new body. NULL: all triangles of the bodies, one body after the other; vertices at the same
/// position become one, numbered in the order in which positions first occur. The bodies must then hang together by
/// such vertices.
/// Owner    the mesh stays yours and is copied.
/// Threads  not beside any other call on the scene.
/// Cost     that of fc_scene_add.
/// Fails    FC_ERROR_INVALID_HANDLE (also a body that is not in the scene), FC_ERROR_INVALID_ARGUMENT (also no bodies, a
///          body that is listed twice, or without `mesh` one that shares no vertex with the others),
///          FC_ERROR_INVALID_MESH, FC_ERROR_TOO_LARGE, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED,
///          FC_ERROR_WRONG_TIME (another call on the scene is running). May return FC_LOW_MEMORY.
///
/// # Safety
/// `bodies` has `body_count` elements, `mesh` is NULL or readable as in fc_scene_add, `merged` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_merge(
    scene: fc_scene,
    bodies: *const fc_body,
    body_count: u32,
    mesh: *const fc_body_mesh,
    merged: *mut fc_body,
) -> fc_status {
    change(
        || {
            let scene = scene::get(scene, "scene")?;
            // SAFETY: required.
            let (bodies, mesh, place) = unsafe {
                let given = !mesh.is_null();
                let mesh = given.then(|| body_mesh(mesh, scene.origin(), "mesh")).transpose()?;
                (slice(bodies, body_count, "bodies")?, mesh, out(merged, "merged")?)
            };
            Ok((scene, bodies, mesh, place))
        },
        |(scene, bodies, mesh, place)| {
            let id = scene.write(|scene| {
                let ids = bodies.iter().map(|body| find(scene, *body)).collect::<Result<Vec<BodyId>, Failure>>()?;
                Ok(match mesh {
                    Some(mesh) => scene.merge(&ids, mesh)?,
                    None => scene.merge_touching(&ids)?,
                })
            })?;
            Ok((place, id))
        },
        |(place, id)| give(&place, id),
    )
}

/// Moves a body: new positions for all its vertices, three floats each, metres, world axes, relative to the scene's
/// origin. They are where the body is at the end of the step that the next fc_scene_update begins; it starts where the
/// body was at the last one. Moving a body twice before an update counts as once, with the last positions.
///
/// `stride` is in bytes from one position to the next; 0: tightly packed.
/// Owner    the positions stay yours and are copied.
/// Threads  not beside any other call on the scene.
/// Memory   no heap allocation.
/// Fails    FC_ERROR_INVALID_HANDLE (also a body that is not in the scene), FC_ERROR_INVALID_ARGUMENT (another number of
///          vertices than the body has, a position that is not finite or farther than 1e9 m from the scene's origin),
///          FC_ERROR_WRONG_TIME (another call on the scene is running).
///
/// # Safety
/// `positions` has `vertex_count` elements of three floats, `stride` bytes apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_move(
    scene: fc_scene,
    body: fc_body,
    positions: *const f32,
    vertex_count: u32,
    stride: u32,
) -> fc_status {
    change(
        || {
            let scene = scene::get(scene, "scene")?;
            // SAFETY: required.
            Ok((scene, unsafe { strided_view::<f32, 3>(positions, vertex_count, stride, "positions")? }))
        },
        |(scene, given)| {
            let origin = *scene.origin();
            let positions = (0..given.count()).map(|k| origin + Vector::from(given.get(k).map(f64::from)));
            scene.write(|scene| Ok(scene.set_positions(find(scene, body)?, positions)?))
        },
        |()| FC_OK,
    )
}

/// The same with three doubles per vertex, world space.
///
/// # Safety
/// `positions` has `vertex_count` elements of three doubles, `stride` bytes apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_move_double(
    scene: fc_scene,
    body: fc_body,
    positions: *const f64,
    vertex_count: u32,
    stride: u32,
) -> fc_status {
    change(
        || {
            let scene = scene::get(scene, "scene")?;
            // SAFETY: required.
            Ok((scene, unsafe { strided_view::<f64, 3>(positions, vertex_count, stride, "positions")? }))
        },
        |(scene, given)| {
            let positions = (0..given.count()).map(|k| Point::from(given.get(k)));
            scene.write(|scene| Ok(scene.set_positions(find(scene, body)?, positions)?))
        },
        |()| FC_OK,
    )
}
