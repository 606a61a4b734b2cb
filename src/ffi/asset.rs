//! `fc_asset_*`: cooking tetrahedra, once, for any number of objects.

use super::descriptor::{self, NOTHING, Stamped};
use super::door::{call, failed};
use super::handles::{Held, Table};
use super::hooks::{self, FC_LOG_WARNING};
use super::pointer::{buffer, out, strided};
use super::status::{FC_ERROR_INVALID_MESH, FC_ERROR_TOO_LARGE, FC_INCOMPLETE, FC_OK, Failure, fc_status};
use super::types::fc_asset;
use crate::asset::{Asset, CookOptions};
use crate::field::grid::GridOptions;
use crate::solid::Solid;
use std::ffi::c_void;
use std::ptr::null;
use std::sync::Arc;

/// Takes the share of the cooking that is done, from 0 to 1. Called by any thread that works on it; calls may overtake each
/// other. Must not call fc_ functions.
pub type fc_progress_fn = Option<unsafe extern "C" fn(done: f32, user_data: *mut c_void)>;

/// Warning: some wall is thinner than four cells of the distance grid, so depths in it come out too small. Raise
/// grid_max_bytes, or grid_cells.
pub const FC_WARNING_THIN_WALLS: u32 = 1;
/// Warning: some nodes belong to no tetrahedron and were dropped.
pub const FC_WARNING_UNUSED_NODES: u32 = 2;

/// What to cook. Start from fc_asset_desc_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_asset_desc {
    /// Set by fc_asset_desc_default().
    pub struct_size: u32,
    /// How many nodes there are.
    pub node_count: u32,
    /// Three floats a node, in metres.
    pub positions: *const f32,
    /// Four node numbers a tetrahedron, in any order.
    pub tets: *const u32,
    /// How many tetrahedra there are.
    pub tet_count: u32,
    /// Bytes from one position to the next; 0: side by side.
    pub position_stride: u32,
    /// Bytes from one tetrahedron to the next; 0: side by side.
    pub tet_stride: u32,
    /// Kilograms a cubic metre. Default 1000.
    pub density: f32,
    /// Cells of the distance grid along the longest side, 4 to 1024. Default 64; more where thin walls need them and
    /// grid_max_bytes allows it. Memory grows with the cube.
    pub grid_cells: u32,
    /// Must be 0.
    pub reserved: u32,
    /// Bytes that the grid may take; where its cells need more, there are fewer. Default 0: 8 MiB.
    pub grid_max_bytes: u64,
    /// Told how far the cooking is; may be NULL.
    pub progress: fc_progress_fn,
    /// Handed to progress.
    pub user_data: *mut c_void,
}

// SAFETY: sizes add up without padding; numbers and pointers may be any bytes, and no value is used unchecked but the
// function pointer, which is the caller's word.
unsafe impl Stamped for fc_asset_desc {
    const NAME: &'static str = "fc_asset_desc";
    const DEFAULT: Self = Self {
        struct_size: 0,
        node_count: 0,
        positions: null(),
        tets: null(),
        tet_count: 0,
        position_stride: 0,
        tet_stride: 0,
        density: 1000.0,
        grid_cells: 64,
        reserved: 0,
        grid_max_bytes: 0,
        progress: None,
        user_data: NOTHING,
    };
}

/// What an asset is. Start from fc_asset_info_default().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct fc_asset_info {
    /// Set by fc_asset_info_default().
    pub struct_size: u32,
    /// FC_WARNING_*, or 0.
    pub warnings: u32,
    /// Nodes that belong to a tetrahedron.
    pub node_count: u32,
    /// Tetrahedra.
    pub tet_count: u32,
    /// Triangles of the boundary; see fc_asset_skin.
    pub skin_triangle_count: u32,
    /// Connected bodies: fc_object_create makes one object of one of them.
    pub body_count: u32,
    /// Half the diagonal of the bounding box, in metres.
    pub radius: f64,
    /// Mean edge length, in metres.
    pub mean_edge: f64,
    /// How thick the thinnest wall is, about, in metres.
    pub thinnest_wall: f64,
    /// Edge length of a cell of the distance grid, in metres.
    pub grid_cell: f64,
    /// Bytes that cooking made. What queries prepare when they first meet a body comes on top.
    pub bytes: u64,
    /// The same for assets cooked from the same mesh, on every run.
    pub hash: u64,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_asset_info {
    const NAME: &'static str = "fc_asset_info";
    const DEFAULT: Self = Self {
        struct_size: 0,
        warnings: 0,
        node_count: 0,
        tet_count: 0,
        skin_triangle_count: 0,
        body_count: 0,
        radius: 0.0,
        mean_edge: 0.0,
        thinnest_wall: 0.0,
        grid_cell: 0.0,
        bytes: 0,
        hash: 0,
    };
}

/// A triangle of an asset's boundary, in the numbers of the mesh that it was made from.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fc_skin_triangle {
    /// Nodes, counter-clockwise seen from outside.
    pub nodes: [u32; 3],
    /// The tetrahedron behind it.
    pub tet: u32,
}

/// No coordinate of a mesh may be larger, in metres: queries take squares in single precision, and objects may be scaled.
const LARGEST: f64 = 1e12;

static ASSETS: Table<Arc<Asset>> = Table::new(1, "asset");

pub(super) fn get(handle: fc_asset, argument: &str) -> Result<Held<Arc<Asset>>, Failure> {
    ASSETS.get(handle.id, argument)
}

pub(super) fn table() -> &'static Table<Arc<Asset>> {
    &ASSETS
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_asset_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_asset_desc_init(desc: *mut fc_asset_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Checks a tetrahedral mesh and cooks it: connectivity, distance grid, point location. Inverted tetrahedra are turned round.
///
/// Owner    the mesh stays yours and is copied; release the asset with fc_asset_release.
/// Threads  beside any other call; uses the task hook.
/// Cost     half a second for 48,000 tetrahedra and a grid of 64 cells on one core. Cook when loading, not when playing.
/// Fails    FC_ERROR_INVALID_MESH (the text names the culprit by index), FC_ERROR_INVALID_ARGUMENT, FC_ERROR_TOO_LARGE,
///          FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
///
/// # Safety
/// `desc` and its pointers are readable as far as its counts say, `asset` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_asset_create(desc: *const fc_asset_desc, asset: *mut fc_asset) -> fc_status {
    call(
        || {
            // SAFETY: required.
            let (desc, place) = unsafe { (descriptor::read(desc, "desc")?, out(asset, "asset")?) };
            if desc.reserved != 0 {
                return Err(Failure::argument("desc.reserved is not 0; start from fc_asset_desc_default()"));
            }
            // Before anything is read: a count that cannot be right is not a reason to walk through memory.
            let most = (1 << 29) - 1;
            if desc.node_count > most || desc.tet_count > most {
                let text =
                    format!("{} nodes and {} tetrahedra; at most {most} of each fit", desc.node_count, desc.tet_count);
                return Err(Failure { status: FC_ERROR_TOO_LARGE, text });
            }
            // SAFETY: required.
            let (positions, tets) = unsafe {
                (
                    strided::<f32, 3>(desc.positions, desc.node_count, desc.position_stride, "desc.positions")?,
                    strided::<u32, 4>(desc.tets, desc.tet_count, desc.tet_stride, "desc.tets")?,
                )
            };
            let nodes: Vec<[f64; 3]> = positions.iter().map(|p| p.map(f64::from)).collect();
            if let Some(far) = nodes.iter().position(|p| p.iter().any(|c| c.abs() > LARGEST && c.is_finite())) {
                let text = format!("positions[{far}] is {:?}; coordinates must be below {LARGEST:e} m", nodes[far]);
                return Err(Failure { status: FC_ERROR_INVALID_MESH, text });
            }
            let asset = Asset::cook(Solid::new(&nodes, &tets)?, &options(&desc))?;
            warn(&asset);
            Ok((place, Box::new(asset)))
        },
        |(place, asset)| match ASSETS.insert(asset) {
            Ok(id) => {
                place.write(fc_asset { id });
                FC_OK
            }
            Err(failure) => failed(&failure),
        },
    )
}

fn options(desc: &fc_asset_desc) -> CookOptions {
    struct Listener(unsafe extern "C" fn(f32, *mut c_void), *mut c_void);
    // SAFETY: the header says that any thread may call the function with the pointer.
    unsafe impl Send for Listener {}
    // SAFETY: as above.
    unsafe impl Sync for Listener {}
    impl Listener {
        fn tell(&self, done: f32) {
            // SAFETY: the header asks for a function that takes these.
            unsafe { (self.0)(done, self.1) }
        }
    }
    let listener = desc.progress.map(|tell| Listener(tell, desc.user_data));
    let mut grid = GridOptions { cells: desc.grid_cells as usize, ..GridOptions::default() };
    if desc.grid_max_bytes > 0 {
        grid.max_bytes = usize::try_from(desc.grid_max_bytes).unwrap_or(usize::MAX);
    }
    CookOptions {
        density: desc.density as f64,
        grid,
        drawing: None,
        sphere_trees: false, // for comparison in Rust; queries through C use the default structure
        tasks: hooks::tasks(),
        progress: listener
            .map(|listener| -> Arc<dyn Fn(f32) + Send + Sync> { Arc::new(move |done| listener.tell(done)) }),
    }
}

fn warnings(asset: &Asset) -> u32 {
    let thin = if asset.ground().grid.is_coarse() { FC_WARNING_THIN_WALLS } else { 0 };
    let solid = asset.solid();
    thin | if solid.nodes().len() < solid.source_node_count() { FC_WARNING_UNUSED_NODES } else { 0 }
}

fn warn(asset: &Asset) {
    let (warnings, grid, solid) = (warnings(asset), &asset.ground().grid, asset.solid());
    if warnings & FC_WARNING_THIN_WALLS != 0 {
        let text = format!(
            "a wall is {:.3e} m thin and a cell of the grid {:.3e} m; raise grid_max_bytes for depths that are right in it",
            grid.thinnest_wall(),
            grid.cell_size()
        );
        hooks::log(FC_LOG_WARNING, &text);
    }
    if warnings & FC_WARNING_UNUSED_NODES != 0 {
        let unused = solid.source_node_count() - solid.nodes().len();
        hooks::log(FC_LOG_WARNING, &format!("{unused} nodes belong to no tetrahedron and were dropped"));
    }
}

/// Ends a handle of an asset. Its objects keep what they need of it.
///
/// Fails    FC_ERROR_INVALID_HANDLE.
#[unsafe(no_mangle)]
pub extern "C" fn fc_asset_release(asset: fc_asset) -> fc_status {
    call(|| ASSETS.destroy(asset.id, "asset"), |()| FC_OK)
}

/// Says what an asset is.
///
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `info` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_asset_get_info(asset: fc_asset, info: *mut fc_asset_info) -> fc_status {
    call(
        || {
            let asset = get(asset, "asset")?;
            // SAFETY: required.
            let receiver = unsafe { descriptor::receiver(info, "info")? };
            let (solid, grid) = (asset.solid(), &asset.ground().grid);
            let info = fc_asset_info {
                struct_size: 0,
                warnings: warnings(&asset),
                node_count: solid.nodes().len() as u32,
                tet_count: solid.tets().len() as u32,
                skin_triangle_count: solid.skin().len() as u32,
                body_count: solid.bodies().0 as u32,
                radius: asset.radius(),
                mean_edge: asset.mean_edge(),
                thinnest_wall: grid.thinnest_wall(),
                grid_cell: grid.cell_size(),
                bytes: asset.bytes() as u64,
                hash: asset.identity(),
            };
            Ok((receiver, info))
        },
        |(receiver, info)| {
            receiver.write(&info);
            FC_OK
        },
    )
}

/// The boundary of an asset, in your own node numbers: what the `source` of a surface triangle refers to.
///
/// Writes at most `capacity` triangles and sets `*count` to the number there are; FC_INCOMPLETE if that is more.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `triangles` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_asset_skin(
    asset: fc_asset,
    triangles: *mut fc_skin_triangle,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    call(
        || {
            let asset = get(asset, "asset")?;
            // SAFETY: required.
            let places = unsafe { (buffer(triangles, capacity, "triangles")?, out(count, "count")?) };
            Ok((asset, places))
        },
        |(asset, (triangles, count))| {
            let solid = asset.solid();
            let written = triangles.fill(solid.skin().iter().map(|skin| fc_skin_triangle {
                nodes: skin.nodes.map(|n| solid.source_nodes()[n as usize]),
                tet: solid.source_tets()[skin.tet as usize],
            }));
            count.write(solid.skin().len() as u32);
            if written < solid.skin().len() { FC_INCOMPLETE } else { FC_OK }
        },
    )
}
