//! `fc_voxtree_*`: trees of cubes with densities.

use super::descriptor::{self, Stamped};
use super::door::{call, failed};
use super::handles::{Held, Table};
use super::object;
use super::pointer::{Out, Strided, long_slice, out, place, slice, strided_view};
use super::saved::Receiver;
use super::status::{FC_ERROR_TOO_LARGE, FC_OK, Failure, fc_status};
use super::types::{fc_object, fc_voxtree};
use crate::geom::Point;
use crate::voxtree::{Grid, VoxTree, VoxTreeOptions};
use std::ptr::null;

/// Tree flag, for fc_voxtree_from_object and fc_voxtree_load: the finest level is exact. Samples of the object in the finest
/// cubes are measured by the field of the other body, if its tree has this too.
pub const FC_VOXTREE_EXACT: u32 = 1;

/// A new tree. Start from fc_voxtree_desc_default(), and give a surface or densities.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_voxtree_desc {
    /// Set by fc_voxtree_desc_default().
    pub struct_size: u32,
    /// FC_VOXTREE_*; default 0.
    pub flags: u32,
    /// A closed surface: three floats per vertex, metres, in the body's frame.
    pub positions: *const f32,
    /// Its triangles: three vertex indices each, counter-clockwise seen from outside.
    pub triangles: *const u32,
    /// Number of vertices.
    pub vertex_count: u32,
    /// Number of triangles.
    pub triangle_count: u32,
    /// Bytes from one position to the next; 0: tightly packed.
    pub position_stride: u32,
    /// Bytes from one triangle to the next; 0: tightly packed.
    pub triangle_stride: u32,
    /// Another surface near it, such as one with fewer triangles, whose almost planar parts become the groups: three floats
    /// per vertex, tightly packed. Default NULL: the surface itself.
    pub group_positions: *const f32,
    /// Its triangles, tightly packed.
    pub group_triangles: *const u32,
    /// Number of its vertices.
    pub group_vertex_count: u32,
    /// Number of its triangles.
    pub group_triangle_count: u32,
    /// Instead of a surface: densities of cubes, from 0 to 1, x fastest, then y.
    pub densities: *const f32,
    /// Number of cubes along x, y and z.
    pub density_size: [u32; 3],
    /// Number of densities; the product of these.
    pub density_count: u32,
    /// Lowest corner of the cubes, in the body's frame.
    pub density_origin: [f64; 3],
    /// Edge of these cubes, metres.
    pub density_edge: f64,
    /// Of a surface or an object: finest cubes along its longest side. Default 32.
    pub cells: u32,
    /// How many cubes along an edge become one of the next level, 2 to 16: from the finest level on; the last is repeated.
    pub branching_count: u32,
    /// As many numbers. Default NULL: always 2.
    pub branching: *const u32,
    /// Neighbours whose normals differ by less than this, in degrees, belong to one group; contacts are averaged within
    /// pairs of groups. 0: the whole body is one group. Default 30.
    pub group_angle: f32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: sizes add up without padding; numbers and pointers may be any bytes, and every value is checked before use.
unsafe impl Stamped for fc_voxtree_desc {
    const NAME: &'static str = "fc_voxtree_desc";
    const DEFAULT: Self = Self {
        struct_size: 0,
        flags: 0,
        positions: null(),
        triangles: null(),
        vertex_count: 0,
        triangle_count: 0,
        position_stride: 0,
        triangle_stride: 0,
        group_positions: null(),
        group_triangles: null(),
        group_vertex_count: 0,
        group_triangle_count: 0,
        densities: null(),
        density_size: [0; 3],
        density_count: 0,
        density_origin: [0.0; 3],
        density_edge: 0.0,
        cells: 32,
        branching_count: 0,
        branching: null(),
        group_angle: 30.0,
        reserved: 0,
    };
}

/// Properties of a tree. Start from fc_voxtree_info_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_voxtree_info {
    /// Set by fc_voxtree_info_default().
    pub struct_size: u32,
    /// FC_VOXTREE_*.
    pub flags: u32,
    /// Number of levels; the first is one cube around all.
    pub level_count: u32,
    /// Number of cubes of all levels.
    pub node_count: u32,
    /// Number of groups.
    pub group_count: u32,
    /// Always 0.
    pub reserved: u32,
    /// Edge of the finest cubes, metres.
    pub edge: f64,
    /// Lowest corner of all cubes, in the body's frame.
    pub origin: [f64; 3],
    /// Bytes of memory.
    pub bytes: u64,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_voxtree_info {
    const NAME: &'static str = "fc_voxtree_info";
    const DEFAULT: Self = Self {
        struct_size: 0,
        flags: 0,
        level_count: 0,
        node_count: 0,
        group_count: 0,
        reserved: 0,
        edge: 0.0,
        origin: [0.0; 3],
        bytes: 0,
    };
}

static TREES: Table<VoxTree> = Table::new(6, "voxtree");

pub(super) fn table() -> &'static Table<VoxTree> {
    &TREES
}

pub(super) fn get(handle: fc_voxtree, argument: &str) -> Result<Held<VoxTree>, Failure> {
    TREES.get(handle.id, argument)
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_voxtree_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_voxtree_desc_init(desc: *mut fc_voxtree_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Creates a tree of cubes of one size per level from a closed surface, or from densities such as volume data (VoxTree,
/// Dingliana and O'Sullivan 2004). fc_query_voxtrees finds contacts of two trees, as far as a budget allows.
///
/// Units    metres, in the body's frame.
/// Owner    arrays stay yours; no pointer is kept. Destroy the tree with fc_voxtree_destroy.
/// Threads  beside any other call.
/// Cost     about 15 ms for 32 cubes along a side, 60 ms for 64; much of it for groups.
/// Fails    FC_ERROR_INVALID_ARGUMENT (no surface and no densities, or both; a number of densities that is not that of the
///          cubes; a density that is not from 0 to 1; a surface that holds nothing), FC_ERROR_TOO_LARGE,
///          FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
///
/// # Safety
/// `desc` is as large as it says, its arrays are readable as far as its counts say, `tree` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_voxtree_create(desc: *const fc_voxtree_desc, tree: *mut fc_voxtree) -> fc_status {
    insert(|| {
        // SAFETY: required.
        let (desc, place) = unsafe { (descriptor::read(desc, "desc")?, out(tree, "tree")?) };
        if desc.flags & FC_VOXTREE_EXACT != 0 {
            return Err(Failure::argument("FC_VOXTREE_EXACT is for trees of objects; use fc_voxtree_from_object"));
        }
        // SAFETY: required.
        Ok((place, unsafe { made(&desc)? }))
    })
}

/// Creates a tree of an object, intact or a fragment, in its frame. Each crack towards another fragment is a group.
///
/// Of `desc`, which may be NULL for the defaults, flags, cells, branching and group_angle count; surface and densities must
/// be NULL. With FC_VOXTREE_EXACT the tree keeps the object's data alive.
/// Owner    destroy the tree with fc_voxtree_destroy; it may outlive the object.
/// Threads  beside any other call.
/// Cost     as fc_voxtree_create; grows with the object's own size, not with that of the body it was broken from.
/// Fails    as fc_voxtree_create, and FC_ERROR_INVALID_HANDLE.
///
/// # Safety
/// `desc` is NULL or as large as it says, its branching is readable as far as its count says, `tree` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_voxtree_from_object(
    object: fc_object,
    desc: *const fc_voxtree_desc,
    tree: *mut fc_voxtree,
) -> fc_status {
    insert(|| {
        let entry = object::get(object, "object")?;
        // SAFETY: required.
        let (desc, place) = unsafe { (descriptor::read_or_default(desc, "desc")?, out(tree, "tree")?) };
        if !desc.positions.is_null() || !desc.densities.is_null() || !desc.group_positions.is_null() {
            return Err(Failure::argument("desc has a surface or densities; of an object these are known"));
        }
        // SAFETY: required.
        let tree = VoxTree::from_object(&entry.object, &unsafe { options(&desc)? })?;
        Ok((place, if desc.flags & FC_VOXTREE_EXACT == 0 { tree } else { tree.with_exact(&entry.object) }))
    })
}

/// Makes a tree, and a handle for it.
fn insert(prepare: impl FnOnce() -> Result<(Out<fc_voxtree>, VoxTree), Failure>) -> fc_status {
    call(
        || prepare().map(|(place, tree)| (place, Box::new(tree))),
        |(place, tree)| match TREES.insert(tree) {
            Ok(id) => {
                place.write(fc_voxtree { id });
                FC_OK
            }
            Err(failure) => failed(&failure),
        },
    )
}

/// # Safety
/// The branching of `desc` is readable as far as its count says.
unsafe fn options(desc: &fc_voxtree_desc) -> Result<VoxTreeOptions, Failure> {
    if desc.flags & !FC_VOXTREE_EXACT != 0 || desc.reserved != 0 {
        let text = format!("desc.flags is {:#x} and reserved {}; use FC_VOXTREE_* and 0", desc.flags, desc.reserved);
        return Err(Failure::argument(text));
    }
    if desc.branching_count > 64 {
        return Err(Failure::argument(format!(
            "desc.branching_count is {}; 64 levels are enough",
            desc.branching_count
        )));
    }
    let angle = desc.group_angle as f64;
    if !(0.0..=180.0).contains(&angle) {
        return Err(Failure::argument(format!("desc.group_angle is {angle}; it must be from 0 to 180 degrees")));
    }
    // SAFETY: required.
    let branching = match desc.branching.is_null() && desc.branching_count == 0 {
        true => vec![2],
        false => unsafe { slice(desc.branching, desc.branching_count, "desc.branching")? }.to_vec(),
    };
    Ok(VoxTreeOptions { cells: desc.cells, branching, group_angle: angle })
}

/// Most vertices, triangles or densities; rejected before the arrays are read.
const MOST: u32 = u32::MAX / 8;

/// # Safety
/// The arrays of `desc` are readable as far as its counts say.
unsafe fn made(desc: &fc_voxtree_desc) -> Result<VoxTree, Failure> {
    let counts = [desc.vertex_count, desc.triangle_count, desc.group_vertex_count, desc.group_triangle_count];
    if counts.iter().any(|count| *count > MOST) {
        let text = format!("a count of desc is above {MOST}");
        return Err(Failure { status: FC_ERROR_TOO_LARGE, text });
    }
    // SAFETY: required.
    let options = unsafe { options(desc)? };
    match (desc.positions.is_null(), desc.densities.is_null()) {
        (true, true) => {
            Err(Failure::argument("desc has neither a surface (positions) nor densities; give one of them"))
        }
        (false, false) => Err(Failure::argument("desc has a surface (positions) and densities; give one of them")),
        (true, false) => {
            let size = desc.density_size;
            let product = size.iter().try_fold(1u32, |all, n| all.checked_mul(*n));
            if product != Some(desc.density_count) {
                return Err(Failure::argument(format!(
                    "desc.density_count is {}; a grid of {} x {} x {} cubes has another number",
                    desc.density_count, size[0], size[1], size[2]
                )));
            }
            // SAFETY: required.
            let densities = unsafe { slice(desc.densities, desc.density_count, "desc.densities")? };
            let origin = Point::from(place(desc.density_origin, "desc.density_origin")?);
            let grid = Grid::new(origin, desc.density_edge, size.map(|n| n as usize), densities.to_vec())?;
            Ok(VoxTree::from_grid(&grid, &options)?)
        }
        (false, true) => {
            // SAFETY: required.
            let (vertices, triangles) = unsafe {
                let positions =
                    strided_view::<f32, 3>(desc.positions, desc.vertex_count, desc.position_stride, "desc.positions")?;
                let triangles = strided_view::<u32, 3>(
                    desc.triangles,
                    desc.triangle_count,
                    desc.triangle_stride,
                    "desc.triangles",
                )?;
                (points(&positions), (0..triangles.count()).map(|k| triangles.get(k)).collect::<Vec<_>>())
            };
            let groups = match desc.group_positions.is_null() {
                true => None,
                // SAFETY: required.
                false => Some(unsafe {
                    let (count, triangle_count) = (desc.group_vertex_count, desc.group_triangle_count);
                    let positions = strided_view::<f32, 3>(desc.group_positions, count, 0, "desc.group_positions")?;
                    let name = "desc.group_triangles";
                    let triangles = strided_view::<u32, 3>(desc.group_triangles, triangle_count, 0, name)?;
                    (points(&positions), (0..triangle_count).map(|k| triangles.get(k)).collect::<Vec<_>>())
                }),
            };
            let groups = groups.as_ref().map(|(vertices, triangles)| (&vertices[..], &triangles[..]));
            Ok(VoxTree::from_surface(&vertices, &triangles, groups, &options)?)
        }
    }
}

fn points(positions: &Strided<f32, 3>) -> Vec<Point> {
    (0..positions.count()).map(|k| Point::from(positions.get(k).map(f64::from))).collect()
}

/// Destroys a tree. Calls that are running on it finish safely.
///
/// Fails    FC_ERROR_INVALID_HANDLE.
#[unsafe(no_mangle)]
pub extern "C" fn fc_voxtree_destroy(tree: fc_voxtree) -> fc_status {
    call(|| TREES.destroy(tree.id, "tree"), |()| FC_OK)
}

/// Returns the properties of a tree.
///
/// Threads  beside any other call.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `info` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_voxtree_get_info(tree: fc_voxtree, info: *mut fc_voxtree_info) -> fc_status {
    call(
        || {
            let tree = get(tree, "tree")?;
            // SAFETY: required.
            let receiver = unsafe { descriptor::receiver(info, "info")? };
            let info = fc_voxtree_info {
                struct_size: 0,
                flags: if tree.is_exact() { FC_VOXTREE_EXACT } else { 0 },
                level_count: tree.level_count(),
                node_count: tree.nodes().len() as u32,
                group_count: tree.group_count(),
                reserved: 0,
                edge: tree.edge(tree.level_count() - 1),
                origin: (*tree.origin()).into(),
                bytes: (size_of::<VoxTree>() + tree.bytes()) as u64,
            };
            Ok((receiver, info))
        },
        |(receiver, info)| {
            receiver.write(&info);
            FC_OK
        },
    )
}

/// Serializes a tree; `*size`, `bytes` and `capacity` are as in fc_asset_save. An exact finest level is not included.
///
/// Threads  beside any other call.
/// Fails    as fc_asset_save.
///
/// # Safety
/// `bytes` has room for `capacity`, `size` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_voxtree_save(tree: fc_voxtree, bytes: *mut u8, capacity: u64, size: *mut u64) -> fc_status {
    call(
        || {
            let tree = get(tree, "tree")?;
            // SAFETY: required.
            Ok((unsafe { Receiver::new(bytes, capacity, size)? }, tree.save()))
        },
        |(receiver, saved)| receiver.take(&saved),
    )
}

/// Loads a tree that fc_voxtree_save saved, identical to it bit for bit. Unless `object` is the null handle, it becomes
/// exact with the samples and the field of that object, which must be the one that it was made of.
///
/// Safe for untrusted files: all bytes are validated.
/// Owner    the bytes stay yours. Destroy the tree with fc_voxtree_destroy.
/// Threads  beside any other call.
/// Fails    FC_ERROR_INVALID_DATA (the text gives the reason), FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT,
///          FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `bytes` is readable for `size`, `tree` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_voxtree_load(
    bytes: *const u8,
    size: u64,
    object: fc_object,
    tree: *mut fc_voxtree,
) -> fc_status {
    insert(|| {
        // SAFETY: required.
        let (bytes, place) = unsafe { (long_slice(bytes, size, "bytes")?, out(tree, "tree")?) };
        let tree = VoxTree::load(bytes)?;
        if object.id == 0 {
            return Ok((place, tree));
        }
        let entry = object::get(object, "object")?;
        Ok((place, tree.with_exact(&entry.object)))
    })
}
