//! `fc_object_*`: rigid bodies, intact or fragments, and the queries on one of them.
//!
//! An object's frame is that of its asset, in metres: asset coordinates times the object's scale.

use super::asset;
use super::descriptor::{self, Stamped};
use super::door::{call, failed};
use super::handles::{Held, Table};
use super::pointer::{Buffer, buffer, out, place, pose, slice, triple};
use super::status::{FC_INCOMPLETE, FC_NO_HIT, FC_OK, Failure, fc_status};
use super::types::{FC_NONE, fc_aabb, fc_asset, fc_mass, fc_object, fc_pose};
use crate::body::Object;
use crate::contact::{Feature, FeaturePoint};
use crate::convex::quickhull::ConvexMesh;
use crate::crack::breaks::Kind;
use crate::fracture::convex_parts::ConvexOptions;
use crate::fracture::drawing::Drawing;
use crate::fracture::tets::Tets;
use crate::geom::{Point, Vector};
use crate::solid::surface::{Face, Surface};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// All of the original body that lies behind the object's planes and within its bounds. An intact object is a cell
/// with no planes.
pub const FC_KIND_CELL: u32 = 0;
/// One of several connected components of a cell.
pub const FC_KIND_PART_OF_CELL: u32 = 1;
/// Several cells joined together: small fragments with their neighbours, or the remainder beyond an impact. Has no
/// planes.
pub const FC_KIND_UNION: u32 = 2;
/// Its cracks are not planar: they are rough, or come from labels. Has no planes.
pub const FC_KIND_ROUGH: u32 = 3;

/// On the original surface (the skin).
pub const FC_FACE_SKIN: u32 = 0;
/// On a crack.
pub const FC_FACE_CRACK: u32 = 1;

/// Options of a new object. Start from fc_object_desc_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_object_desc {
    /// Set by fc_object_desc_default().
    pub struct_size: u32,
    /// Index of the connected body of the asset. Default 0.
    pub body: u32,
    /// Scale factor, 1e-6 to 1e6: lengths in the object's frame are the asset's times this. Default 1. Fragments
    /// inherit it.
    pub scale: f64,
    /// User data. Fragments inherit it.
    pub user_data: u64,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_object_desc {
    const NAME: &'static str = "fc_object_desc";
    const DEFAULT: Self = Self { struct_size: 0, body: 0, scale: 1.0, user_data: 0 };
}

/// Properties of an object. Start from fc_object_info_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_object_info {
    /// Set by fc_object_info_default().
    pub struct_size: u32,
    /// 1 if created by a fracture, else 0.
    pub is_fragment: u32,
    /// Index among the fragments of its fracture, or among the bodies of its asset.
    pub piece: u32,
    /// The pattern cell that it fills: index of the seed, or your group or label.
    pub cell: u32,
    /// Number of asset nodes that it owns. A fragment may own none.
    pub node_count: u32,
    /// Number of sample points on its cracks.
    pub crack_point_count: u32,
    /// Scale factor; see fc_object_desc.
    pub scale: f64,
    /// User data.
    pub user_data: u64,
    /// FC_KIND_*: what it consists of.
    pub kind: u32,
    /// Number of planes that fc_object_get_planes returns.
    pub plane_count: u32,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_object_info {
    const NAME: &'static str = "fc_object_info";
    const DEFAULT: Self = Self {
        struct_size: 0,
        is_fragment: 0,
        piece: 0,
        cell: 0,
        node_count: 0,
        crack_point_count: 0,
        scale: 0.0,
        user_data: 0,
        kind: 0,
        plane_count: 0,
    };
}

/// Bytes of memory used by an object, including what queries have built so far. Start from
/// fc_object_memory_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_object_memory {
    /// Set by fc_object_memory_default().
    pub struct_size: u32,
    /// Number of fragments of the fracture that created it, which share break_bytes; 0 for an intact object.
    pub fragment_count: u32,
    /// The object itself: its handle, and a surface, drawing, tetrahedra or convex parts whose size was queried but which were not yet fetched.
    pub object_bytes: u64,
    /// Data of the fracture that created it. Freed with the last of its fragments.
    pub break_bytes: u64,
    /// Its asset, shared by all objects of it; the same as fc_asset_info.bytes.
    pub asset_bytes: u64,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_object_memory {
    const NAME: &'static str = "fc_object_memory";
    const DEFAULT: Self = Self { struct_size: 0, fragment_count: 0, object_bytes: 0, break_bytes: 0, asset_bytes: 0 };
}

/// Two adjacent fragments of one fracture.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_adjacency {
    /// Indices of the two fragments in the array that fc_fracture filled, the lower first.
    pub pieces: [u32; 2],
    /// Area of the crack between them, in square metres.
    pub area: f64,
}

/// Result of a ray cast.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_ray_hit {
    /// Metres along the ray.
    pub distance: f64,
    /// Unit outward normal of the surface there, world axes. A ray that starts inside hits the surface from behind.
    pub normal: [f32; 3],
    /// FC_FACE_SKIN or FC_FACE_CRACK.
    pub face: u32,
    /// Skin: index of the triangle in fc_asset_skin. Crack: index of the fragment on the other side, FC_NONE if the
    /// crack is older than the last fracture.
    pub source: u32,
    /// Always 0.
    pub reserved: u32,
}

/// The sample point or crease that a contact's feature identifies.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_feature {
    /// Position in the object's frame, metres. Of a crease, its middle.
    pub position: [f64; 3],
    /// FC_FACE_SKIN or FC_FACE_CRACK. Of a crease, one of the two faces that meet there.
    pub face: u32,
    /// Skin: your index of the node. Crack, crease: FC_NONE.
    pub node: u32,
    /// Skin: index in fc_asset_skin of a triangle that contains the node or crease. Crack: FC_NONE.
    pub source: u32,
    /// Always 0.
    pub reserved: u32,
}

/// An object and the data that the C interface adds to it.
pub(super) struct Entry {
    pub object: Object,
    /// The caller's label of the cell that it fills.
    pub cell: u32,
    pub user_data: AtomicU64,
    /// The surface, cached between the call that queries its size and the call that fetches it.
    pub surface: Mutex<Option<Surface>>,
    /// The same for its drawing.
    pub drawing: Mutex<Option<Drawing>>,
    /// The same for its tetrahedra.
    pub tets: Mutex<Option<Tets>>,
    /// The same for its convex parts.
    pub convex: Mutex<Option<(ConvexOptions, Vec<ConvexMesh>)>>,
}

impl Entry {
    pub fn new(object: Object, cell: u32, user_data: u64) -> Box<Self> {
        let (surface, drawing, tets, convex) = Default::default();
        Box::new(Self { object, cell, user_data: AtomicU64::new(user_data), surface, drawing, tets, convex })
    }

    /// Bytes, without the shared fracture and asset data.
    fn bytes(&self) -> usize {
        fn waiting<T>(slot: &Mutex<Option<T>>, bytes: fn(&T) -> usize) -> usize {
            slot.lock().unwrap_or_else(|e| e.into_inner()).as_ref().map_or(0, bytes)
        }
        let shown = waiting(&self.surface, Surface::bytes) + waiting(&self.drawing, Drawing::bytes);
        let convex = waiting(&self.convex, |(_, parts)| parts.iter().map(ConvexMesh::bytes).sum());
        size_of::<Self>() + shown + waiting(&self.tets, Tets::bytes) + convex
    }
}

static OBJECTS: Table<Entry> = Table::new(2, "object");

pub(super) fn get(handle: fc_object, argument: &str) -> Result<Held<Entry>, Failure> {
    OBJECTS.get(handle.id, argument)
}

pub(super) fn table() -> &'static Table<Entry> {
    &OBJECTS
}

/// Creates handles for the entries, which must fit the buffer: all or none.
#[allow(clippy::vec_box)] // boxed by the caller, so that nothing allocates here
pub(super) fn insert_all(entries: Vec<Box<Entry>>, handles: &Buffer<fc_object>) -> Result<(), Failure> {
    let mut made = 0;
    for entry in entries {
        match OBJECTS.insert(entry) {
            Ok(id) => made += handles.fill_from(made, [fc_object { id }].into_iter()),
            Err(failure) => {
                for handle in handles.written(made) {
                    let _ = OBJECTS.destroy(handle.id, "");
                }
                return Err(failure);
            }
        }
    }
    Ok(())
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_object_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_desc_init(desc: *mut fc_object_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Creates an object from an asset. A hundred objects share one asset and cost next to nothing.
///
/// Owner    release it with fc_object_destroy. The asset's handle may be released earlier.
/// Threads  beside any other call.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (no such body, a scale out of range),
///          FC_ERROR_OUT_OF_MEMORY.
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// `desc` is NULL or as large as it says, `object` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_create(
    asset: fc_asset,
    desc: *const fc_object_desc,
    object: *mut fc_object,
) -> fc_status {
    call(
        || {
            let asset = asset::get(asset, "asset")?;
            // SAFETY: required.
            let (desc, place) = unsafe { (descriptor::read_or_default(desc, "desc")?, out(object, "object")?) };
            let mut bodies = Object::intact(&asset);
            if desc.body as usize >= bodies.len() {
                let text = format!("desc.body is {}, but the asset has {} connected bodies", desc.body, bodies.len());
                return Err(Failure::argument(text));
            }
            let object = bodies.swap_remove(desc.body as usize).scaled(desc.scale)?;
            Ok((place, Entry::new(object, 0, desc.user_data)))
        },
        |(place, entry)| match OBJECTS.insert(entry) {
            Ok(id) => {
                place.write(fc_object { id });
                FC_OK
            }
            Err(failure) => failed(&failure),
        },
    )
}

/// Destroys an object. Calls that are running on it finish safely; its fragments and siblings do not need it.
///
/// Fails    FC_ERROR_INVALID_HANDLE, also if it was already destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn fc_object_destroy(object: fc_object) -> fc_status {
    call(|| OBJECTS.destroy(object.id, "object"), |()| FC_OK)
}

/// Returns the properties of an object.
///
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `info` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_get_info(object: fc_object, info: *mut fc_object_info) -> fc_status {
    call(
        || {
            let entry = get(object, "object")?;
            // SAFETY: required.
            let receiver = unsafe { descriptor::receiver(info, "info")? };
            let object = &entry.object;
            let info = fc_object_info {
                struct_size: 0,
                is_fragment: object.is_fragment() as u32,
                piece: object.piece_number(),
                cell: entry.cell,
                node_count: object.nodes().len() as u32,
                crack_point_count: object.crack_points().len() as u32,
                scale: object.scale(),
                user_data: entry.user_data.load(Ordering::Relaxed),
                kind: kind_of(object),
                plane_count: object.planes().len() as u32,
            };
            Ok((receiver, info))
        },
        |(receiver, info)| {
            receiver.write(&info);
            FC_OK
        },
    )
}

/// Builds the data that contact queries of an object otherwise build on first use, so that no frame has to build it.
/// Call it for fragments in the job that created them. Optional: queries build what is missing, and the contacts
/// are the same. Frames in which pieces have just parted still take longer than later ones: rough pieces up to ten times.
///
/// Threads  beside any other call; objects of one fracture can be prepared on several threads at once.
/// Memory   a few hundred bytes per sample point, kept with the fracture; more for rough cracks.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub extern "C" fn fc_object_prepare(object: fc_object) -> fc_status {
    call(
        || {
            get(object, "object")?.object.prepare();
            Ok(())
        },
        |()| FC_OK,
    )
}

/// Returns the memory used by an object, its own and shared. Objects of one fracture or asset each report the whole
/// shared part: count it once.
///
/// Threads  beside any other call.
/// Cost     grows with the number of fragments of its fracture.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `memory` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_get_memory(object: fc_object, memory: *mut fc_object_memory) -> fc_status {
    call(
        || {
            let entry = get(object, "object")?;
            // SAFETY: required.
            let receiver = unsafe { descriptor::receiver(memory, "memory")? };
            let object = &entry.object;
            let taken = object.memory();
            let memory = fc_object_memory {
                struct_size: 0,
                fragment_count: if object.is_fragment() { object.made_by().pieces.len() as u32 } else { 0 },
                object_bytes: (entry.bytes() + OBJECTS.bytes_a_handle()) as u64,
                break_bytes: taken.made_by as u64,
                asset_bytes: taken.asset as u64,
            };
            Ok((receiver, memory))
        },
        |(receiver, memory)| {
            receiver.write(&memory);
            FC_OK
        },
    )
}

/// Sets an object's user data, the only mutable state of an object.
///
/// Threads  beside any other call; concurrent readers see the old or the new value.
/// Fails    FC_ERROR_INVALID_HANDLE.
#[unsafe(no_mangle)]
pub extern "C" fn fc_object_set_user_data(object: fc_object, user_data: u64) -> fc_status {
    call(
        || get(object, "object"),
        |entry| {
            entry.user_data.store(user_data, Ordering::Relaxed);
            FC_OK
        },
    )
}

/// Returns an object's user data.
///
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `user_data` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_get_user_data(object: fc_object, user_data: *mut u64) -> fc_status {
    call(
        // SAFETY: required.
        || Ok((get(object, "object")?, unsafe { out(user_data, "user_data")? })),
        |(entry, place)| {
            place.write(entry.user_data.load(Ordering::Relaxed));
            FC_OK
        },
    )
}

/// Returns the axis-aligned bounding box of an object: in world space for a pose, in the object's frame if `at` is
/// NULL.
///
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `at` is NULL or readable, `bounds` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_bounds(object: fc_object, at: *const fc_pose, bounds: *mut fc_aabb) -> fc_status {
    call(
        || {
            let entry = get(object, "object")?;
            // SAFETY: required.
            let place = unsafe { out(bounds, "bounds")? };
            let own = entry.object.in_metres().bounds();
            let (mut centre, mut half) = (own.centre(), own.size() * 0.5);
            if !at.is_null() {
                // SAFETY: required.
                let at = unsafe { pose(at, "at")? };
                centre = at * centre;
                half = at.rotation.to_rotation_matrix().matrix().abs() * half;
            }
            Ok((place, fc_aabb { min: (centre - half).coords.into(), max: (centre + half).coords.into() }))
        },
        |(place, bounds)| {
            place.write(bounds);
            FC_OK
        },
    )
}

/// Returns volume, mass, centre of mass and inertia, in the object's frame. Those of the fragments add up to their
/// parent's.
///
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `mass` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_mass(object: fc_object, mass: *mut fc_mass) -> fc_status {
    call(
        // SAFETY: required.
        || Ok((get(object, "object")?, unsafe { out(mass, "mass")? })),
        |(entry, place)| {
            let own = entry.object.in_metres().mass();
            let i = own.inertia;
            place.write(fc_mass {
                volume: own.volume,
                mass: own.mass,
                centre: own.centre.coords.into(),
                inertia: [i.m11, i.m22, i.m33, i.m12, i.m23, i.m31],
            });
            FC_OK
        },
    )
}

/// Writes the inertia of a body about its centre of mass as a matrix: nine numbers, row by row. The same the other way
/// round, column by column, since it is symmetric.
///
/// Fails    FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `mass` is readable, `matrix` has room for nine numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_mass_inertia_matrix(mass: *const fc_mass, matrix: *mut f64) -> fc_status {
    call(
        // SAFETY: required.
        || unsafe { Ok((slice(mass, 1, "mass")?[0].inertia, out(matrix.cast::<[f64; 9]>(), "matrix")?)) },
        |([xx, yy, zz, xy, yz, zx], place)| {
            place.write([xx, xy, zx, xy, yy, yz, zx, yz, zz]);
            FC_OK
        },
    )
}

/// Returns the pairs of adjacent fragments of the fracture that created this object, with the areas of the cracks
/// between them.
///
/// Writes at most `capacity` pairs and sets `*count` to the total number; FC_INCOMPLETE if that is more. An object
/// that is not a fragment has none.
/// Cost     grows with the cracks of the whole fracture; call it for one of the fragments only.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `pairs` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_adjacency(
    object: fc_object,
    pairs: *mut fc_adjacency,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    call(
        || {
            let entry = get(object, "object")?;
            // SAFETY: required.
            let places = unsafe { (buffer(pairs, capacity, "pairs")?, out(count, "count")?) };
            Ok((entry.object.in_metres().adjacency(), places))
        },
        |(found, (pairs, count))| {
            let written = pairs.fill(found.iter().map(|a| fc_adjacency { pieces: a.pieces, area: a.area }));
            count.write(found.len() as u32);
            if written < found.len() { FC_INCOMPLETE } else { FC_OK }
        },
    )
}

/// Returns the signed distance from a world-space point to the surface of an object in a pose: negative inside.
/// `outward` receives the unit direction out of the object, world axes; it may be NULL.
///
/// Threads  beside any other call.
/// Cost     a few microseconds. The first point farther away than a quarter of an edge, like the first ray, builds
///          the surface: about 1 ms per fragment.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `at` and three numbers at `point` are readable, `distance` and, unless NULL, three floats at `outward` are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_signed_distance(
    object: fc_object,
    at: *const fc_pose,
    point: *const f64,
    distance: *mut f64,
    outward: *mut f32,
) -> fc_status {
    call(
        || {
            let entry = get(object, "object")?;
            // SAFETY: required.
            let (at, point, place) =
                unsafe { (pose(at, "at")?, place(triple(point, "point")?, "point")?, out(distance, "distance")?) };
            let local = at.inverse_transform_point(&Point::from(point));
            let found = entry.object.in_metres().signed_distance(&local);
            let way = at.rotation * found.outward;
            // SAFETY: required; NULL is an empty buffer.
            let way_place = unsafe { buffer(outward, if outward.is_null() { 0 } else { 3 }, "outward")? };
            let distance = found.distance;
            if !distance.is_finite() {
                return Err(Failure::argument(format!("point is {point:?}, too far from the object to measure")));
            }
            Ok((place, distance, way_place, way))
        },
        |(place, distance, way_place, way)| {
            place.write(distance);
            way_place.fill([way.x as f32, way.y as f32, way.z as f32].into_iter());
            FC_OK
        },
    )
}

/// Returns the first hit of a ray with an object's surface, skin or crack, from either side, within `max_distance`.
/// Returns FC_NO_HIT if there is none; `*hit` is then not written.
///
/// Threads  beside any other call.
/// Memory   the first ray against an object builds its surface, which the object keeps.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (a direction of length zero), FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `at`, three numbers at `origin` and `direction` are readable, `hit` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_ray_cast(
    object: fc_object,
    at: *const fc_pose,
    origin: *const f64,
    direction: *const f32,
    max_distance: f64,
    hit: *mut fc_ray_hit,
) -> fc_status {
    call(
        || {
            let entry = get(object, "object")?;
            // SAFETY: required.
            let (at, origin, direction, place) = unsafe {
                (
                    pose(at, "at")?,
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
            let local = at.inverse_transform_point(&Point::from(origin));
            let hit = entry.object.in_metres().ray(&local, &(at.rotation.inverse() * direction), max_distance);
            Ok((
                place,
                hit.map(|hit| {
                    let (face, source) = match hit.face {
                        Face::Skin { source, .. } => (FC_FACE_SKIN, source),
                        Face::Crack { neighbour, .. } => (FC_FACE_CRACK, neighbour.unwrap_or(FC_NONE)),
                    };
                    let normal = (at.rotation * hit.normal).cast::<f32>().into();
                    fc_ray_hit { distance: hit.t, normal, face, source, reserved: 0 }
                }),
            ))
        },
        |(place, hit)| match hit {
            Some(hit) => {
                place.write(hit);
                FC_OK
            }
            None => FC_NO_HIT,
        },
    )
}

/// Returns the sample point or crease that a contact's feature identifies, for materials, sounds and decals. Pass the object
/// that owns the sample: B if bit 31 of the feature is set, else A. (Samples of simple shapes belong to no object:
/// see fc_query_shape.)
///
/// Cost     for cracks, grows with the number of crack points of the object; the first crease of an object, like the first ray,
///          builds its surface.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (the feature is not one of this object's).
///
/// # Safety
/// `info` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_feature(object: fc_object, feature: u32, info: *mut fc_feature) -> fc_status {
    call(
        || {
            let entry = get(object, "object")?;
            // SAFETY: required.
            let place = unsafe { out(info, "info")? };
            let object = &entry.object;
            let Some(found) = object.feature(Feature::decoded(feature)) else {
                return Err(Failure::argument(format!("feature is {feature:#x}, which is no point of this object")));
            };
            let (at, face, node, source) = match found {
                FeaturePoint::Node { at, node, triangle } => {
                    (at, FC_FACE_SKIN, object.asset().solid().source_nodes()[node as usize], triangle)
                }
                FeaturePoint::Crack { at } => (at, FC_FACE_CRACK, FC_NONE, FC_NONE),
                FeaturePoint::Crease { at, face: Some(Face::Skin { source, .. }) } => {
                    (at, FC_FACE_SKIN, FC_NONE, source)
                }
                FeaturePoint::Crease { at, .. } => (at, FC_FACE_CRACK, FC_NONE, FC_NONE),
            };
            let position = object.in_metres().point(&at).coords.into();
            let info = fc_feature { position, face, node, source, reserved: 0 };
            Ok((place, info))
        },
        |(place, info)| {
            place.write(info);
            FC_OK
        },
    )
}

/// Returns a hash of an object's whole state (mesh, cracks, scale, density; not its user data). Two objects with the
/// same hash behave identically, bit for bit. The hash is the same on every run; compare it to find where two
/// simulations diverge.
///
/// Cost     grows with the object's nodes and cracks.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `hash` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_state_hash(object: fc_object, hash: *mut u64) -> fc_status {
    call(
        || {
            let entry = get(object, "object")?;
            // SAFETY: required.
            let place = unsafe { out(hash, "hash")? };
            Ok((place, entry.object.state_hash()))
        },
        |(place, hash)| {
            place.write(hash);
            FC_OK
        },
    )
}

/// FC_KIND_* of an object.
fn kind_of(object: &Object) -> u32 {
    match object.kind() {
        Kind::Cell => FC_KIND_CELL,
        Kind::PartOfCell => FC_KIND_PART_OF_CELL,
        Kind::Union => FC_KIND_UNION,
        Kind::Rough => FC_KIND_ROUGH,
    }
}
