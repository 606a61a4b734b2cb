//! `fc_asset_*`: cooks tetrahedra, given or generated from a surface, once, for any number of objects.

use super::descriptor::{self, NOTHING, Stamped};
use super::door::{call, failed};
use super::handles::{Held, Table};
use super::hooks::{self, FC_LOG_WARNING};
use super::pointer::{buffer, out, strided};
use super::status::{FC_ERROR_INVALID_MESH, FC_ERROR_TOO_LARGE, FC_INCOMPLETE, FC_OK, Failure, fc_status};
use super::types::fc_asset;
use crate::asset::{Asset, CookOptions};
use crate::grid::distance::GridOptions;
use crate::solid::drawing::DrawingMesh;
use crate::solid::fill::FillOptions;
use crate::solid::{LARGEST_COORDINATE, Solid};
use std::ffi::c_void;
use std::ptr::null;
use std::sync::Arc;

/// Reports the progress of cooking, from 0 to 1. Called by any thread that works on it; calls may arrive out of
/// order. Must not call fc_ functions.
pub type fc_progress_fn = Option<unsafe extern "C" fn(done: f32, user_data: *mut c_void)>;

/// Warning: a wall is thinner than four cells of the distance grid, so penetration depths in it are too small. Raise
/// grid_max_bytes or grid_cells.
pub const FC_WARNING_THIN_WALLS: u32 = 1;
/// Warning: some nodes belong to no tetrahedron and were dropped.
pub const FC_WARNING_UNUSED_NODES: u32 = 2;
/// Warning: the surface was repaired before filling, or could not be preserved everywhere. The log hook receives one
/// message for each case.
pub const FC_WARNING_REPAIRED: u32 = 4;

/// Asset flag: objects are drawn with the surface that the asset is made from, cut along the cracks; see
/// fc_object_drawing.
pub const FC_ASSET_KEEP_SURFACE: u32 = 1;
/// Asset flag: the surface is exactly the boundary of the tetrahedra. Each of its triangles becomes one tetrahedron
/// or a few, and the fill_ fields are ignored. For closed surfaces of at most a few thousand triangles that do not
/// touch themselves.
pub const FC_ASSET_MEET_SURFACE: u32 = 2;
/// Asset flag: build sphere trees, which every fracture splits, for FC_QUERY_SPHERE_TREES. For tetrahedra and for
/// surfaces.
pub const FC_ASSET_SPHERE_TREES: u32 = 4;

/// The mesh to cook: tetrahedra, or a closed surface to fill with them. Start from fc_asset_desc_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_asset_desc {
    /// Set by fc_asset_desc_default().
    pub struct_size: u32,
    /// Number of nodes (for a surface: vertices).
    pub node_count: u32,
    /// Three floats per node, in metres.
    pub positions: *const f32,
    /// Four node indices per tetrahedron, in any order.
    pub tets: *const u32,
    /// Number of tetrahedra.
    pub tet_count: u32,
    /// Bytes from one position to the next; 0: tightly packed.
    pub position_stride: u32,
    /// Bytes from one tetrahedron to the next; 0: tightly packed.
    pub tet_stride: u32,
    /// Kilograms per cubic metre. Default 1000.
    pub density: f32,
    /// Number of distance grid cells along the longest side, 4 to 1024. Default 64; raised where thin walls need it
    /// and grid_max_bytes allows it. Memory grows with the cube.
    pub grid_cells: u32,
    /// Must be 0.
    pub reserved: u32,
    /// Size limit of the grid, in bytes; the number of cells is reduced to fit. Default 0: 8 MiB.
    pub grid_max_bytes: u64,
    /// Progress callback; may be NULL.
    pub progress: fc_progress_fn,
    /// Passed to progress.
    pub user_data: *mut c_void,
    /// Instead of tets: three node indices per triangle of a closed surface, counter-clockwise seen from outside.
    /// Vertices with equal positions (seams, hard edges) count as one. NULL if there are tets.
    pub triangles: *const u32,
    /// Number of triangles.
    pub triangle_count: u32,
    /// Bytes from one triangle to the next; 0: tightly packed.
    pub triangle_stride: u32,
    /// Filling: edge length at the surface, in metres. Default 0: chosen to give about fill_tets tetrahedra.
    pub fill_edge: f32,
    /// Filling: approximate number of tetrahedra if fill_edge is 0. A body too thin for that gets up to four times
    /// as many, or is filled as with FC_ASSET_MEET_SURFACE. Default 0: 5,000.
    pub fill_tets: u32,
    /// Filling: how many times longer edges may be deep inside than at the surface, 1 or more. Default 0: 2.
    pub fill_coarsening: f32,
    /// Filling: edges where the surface turns by more than this angle, in degrees, stay sharp. Default 0: 40.
    pub fill_sharp_angle: f32,
    /// FC_ASSET_*, or 0.
    pub flags: u32,
    /// Must be 0.
    pub reserved_2: u32,
    /// For FC_ASSET_KEEP_SURFACE: texture coordinates, two floats per node; NULL: zeros.
    pub uvs: *const f32,
    /// For FC_ASSET_KEEP_SURFACE: unit normals, three floats per node; NULL: averages of the triangles at each node.
    pub normals: *const f32,
    /// For FC_ASSET_KEEP_SURFACE: one number per triangle, for your use; NULL: zeros.
    pub materials: *const u32,
    /// Bytes from one pair of texture coordinates to the next; 0: tightly packed.
    pub uv_stride: u32,
    /// Bytes from one normal to the next; 0: tightly packed.
    pub normal_stride: u32,
    /// Bytes from one material to the next; 0: tightly packed.
    pub material_stride: u32,
    /// Must be 0.
    pub reserved_3: u32,
}

// SAFETY: sizes add up without padding; numbers and pointers may be any bytes, and every value is checked before use
// except the function pointer, which the caller guarantees.
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
        triangles: null(),
        triangle_count: 0,
        triangle_stride: 0,
        fill_edge: 0.0,
        fill_tets: 0,
        fill_coarsening: 0.0,
        fill_sharp_angle: 0.0,
        flags: 0,
        reserved_2: 0,
        uvs: null(),
        normals: null(),
        materials: null(),
        uv_stride: 0,
        normal_stride: 0,
        material_stride: 0,
        reserved_3: 0,
    };
}

/// Properties of an asset. Start from fc_asset_info_default().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct fc_asset_info {
    /// Set by fc_asset_info_default().
    pub struct_size: u32,
    /// FC_WARNING_*, or 0.
    pub warnings: u32,
    /// Number of nodes that belong to a tetrahedron.
    pub node_count: u32,
    /// Number of tetrahedra.
    pub tet_count: u32,
    /// Number of boundary triangles; see fc_asset_skin.
    pub skin_triangle_count: u32,
    /// Number of connected bodies. fc_object_create creates an object from one of them.
    pub body_count: u32,
    /// Half the diagonal of the bounding box, in metres.
    pub radius: f64,
    /// Mean edge length, in metres.
    pub mean_edge: f64,
    /// Approximate thickness of the thinnest wall, in metres.
    pub thinnest_wall: f64,
    /// Edge length of a distance grid cell, in metres.
    pub grid_cell: f64,
    /// Bytes of memory used: what cooking produced, and what queries of its intact bodies have built so far.
    pub bytes: u64,
    /// Hash; equal for assets cooked from the same mesh, on every run.
    pub hash: u64,
    /// For a filled surface: the largest distance from any of its points to the boundary of the tetrahedra, in
    /// metres; underestimated by at most a fiftieth of an edge. -1 if the tetrahedra were given.
    pub surface_to_tets: f64,
    /// The same from the boundary of the tetrahedra to the surface.
    pub tets_to_surface: f64,
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
        surface_to_tets: -1.0,
        tets_to_surface: -1.0,
    };
}

/// A triangle of an asset's boundary. Indices are those of the source tetrahedra: yours, or the asset's own for a
/// filled surface.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fc_skin_triangle {
    /// Node indices, counter-clockwise seen from outside.
    pub nodes: [u32; 3],
    /// Index of the tetrahedron behind it.
    pub tet: u32,
}

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

/// Checks a mesh and cooks it: connectivity, distance grid, point location. Inverted tetrahedra are reoriented. A
/// surface is filled with tetrahedra first; repairs made on the way are reported to the log hook and in
/// fc_asset_info.warnings.
///
/// Owner    the mesh stays yours and is copied; release the asset with fc_asset_release.
/// Threads  beside any other call; uses the task hook.
/// Cost     0.5 s for 48,000 tetrahedra and a grid of 64 cells on one core; filling a surface is extra. Cook at load
///          time, not during play.
/// Fails    FC_ERROR_INVALID_MESH (the text names the offending element by index; also if there are neither
///          tetrahedra nor triangles), FC_ERROR_INVALID_ARGUMENT (also if there are both), FC_ERROR_TOO_LARGE,
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
            check(&desc)?;
            // SAFETY: required.
            let positions =
                unsafe { strided::<f32, 3>(desc.positions, desc.node_count, desc.position_stride, "desc.positions")? };
            let nodes: Vec<[f64; 3]> = positions.iter().map(|p| p.map(f64::from)).collect();
            // NaN compares as false.
            if let Some(far) = nodes.iter().position(|p| !p.iter().all(|c| c.abs() <= LARGEST_COORDINATE)) {
                let text = format!(
                    "positions[{far}] is {:?}; coordinates must be finite and at most {LARGEST_COORDINATE:e} m",
                    nodes[far]
                );
                return Err(Failure { status: FC_ERROR_INVALID_MESH, text });
            }
            let mut options = options(&desc);
            let asset = match desc.triangle_count {
                0 => {
                    // SAFETY: required.
                    let tets = unsafe { strided::<u32, 4>(desc.tets, desc.tet_count, desc.tet_stride, "desc.tets")? };
                    Asset::cook(Solid::new(&nodes, &tets)?, &options)?
                }
                // SAFETY: required.
                _ => unsafe { from_surface(&desc, &nodes, &mut options)? },
            };
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

/// The checks that need no mesh data.
fn check(desc: &fc_asset_desc) -> Result<(), Failure> {
    if desc.reserved != 0 || desc.reserved_2 != 0 || desc.reserved_3 != 0 {
        return Err(Failure::argument("a reserved field of desc is not 0; start from fc_asset_desc_default()"));
    }
    if desc.flags & !(FC_ASSET_KEEP_SURFACE | FC_ASSET_MEET_SURFACE | FC_ASSET_SPHERE_TREES) != 0 {
        return Err(Failure::argument(format!("desc.flags is {:#x}; use FC_ASSET_*", desc.flags)));
    }
    if desc.tet_count > 0 && desc.triangle_count > 0 {
        let text = format!("desc has {} tets and {} triangles; give one of them", desc.tet_count, desc.triangle_count);
        return Err(Failure::argument(text));
    }
    if desc.tet_count == 0 && desc.triangle_count == 0 {
        let text = "desc has no tetrahedra and no triangles; give tets, or the triangles of a closed surface".into();
        return Err(Failure { status: FC_ERROR_INVALID_MESH, text });
    }
    if desc.flags & !FC_ASSET_SPHERE_TREES != 0 && desc.triangle_count == 0 {
        return Err(Failure::argument("desc.flags is about the surface, but desc has no triangles"));
    }
    // Reject impossible counts before reading the arrays.
    let most = (1 << 29) - 1;
    for (what, count) in [("nodes", desc.node_count), ("tets", desc.tet_count), ("triangles", desc.triangle_count)] {
        if count > most {
            let text = format!("there are {count} {what}; at most {most} fit");
            return Err(Failure { status: FC_ERROR_TOO_LARGE, text });
        }
    }
    for (what, value, least) in [
        ("fill_edge", desc.fill_edge, 0.0),
        ("fill_coarsening", desc.fill_coarsening, 1.0),
        ("fill_sharp_angle", desc.fill_sharp_angle, 0.0),
    ] {
        if value != 0.0 && !(value >= least && value.is_finite()) {
            let text = format!("desc.{what} is {value}; it must be at least {least}, or 0 for the default");
            return Err(Failure::argument(text));
        }
    }
    Ok(())
}

/// Creates an asset from a surface. Filling is the first half of the progress, cooking the second.
///
/// # Safety
/// The pointers of `desc` are readable as far as its counts say.
unsafe fn from_surface(
    desc: &fc_asset_desc,
    nodes: &[[f64; 3]],
    cook: &mut CookOptions,
) -> Result<Arc<Asset>, Failure> {
    // SAFETY: required.
    let triangles =
        unsafe { strided::<u32, 3>(desc.triangles, desc.triangle_count, desc.triangle_stride, "desc.triangles")? };
    if desc.flags & FC_ASSET_KEEP_SURFACE != 0 {
        // SAFETY: required.
        cook.drawing = Some(Arc::new(unsafe { drawing_mesh(desc, nodes, &triangles)? }));
    }
    let mut options = FillOptions {
        edge: desc.fill_edge as f64,
        exact: desc.flags & FC_ASSET_MEET_SURFACE != 0,
        tasks: cook.tasks.clone(),
        ..FillOptions::default()
    };
    if desc.fill_tets > 0 {
        options.tets = desc.fill_tets as usize;
    }
    if desc.fill_coarsening > 0.0 {
        options.coarsening = desc.fill_coarsening as f64;
    }
    if desc.fill_sharp_angle > 0.0 {
        options.sharp_angle = desc.fill_sharp_angle as f64;
    }
    if let Some(tell) = cook.progress.take() {
        let half = tell.clone();
        options.progress = Some(Arc::new(move |done| half(0.5 * done)));
        cook.progress = Some(Arc::new(move |done| tell(0.5 + 0.5 * done)));
    }
    Ok(Asset::from_surface(nodes, &triangles, &options, cook)?)
}

/// # Safety
/// The pointers of `desc` are readable as far as its counts say.
unsafe fn drawing_mesh(
    desc: &fc_asset_desc,
    nodes: &[[f64; 3]],
    triangles: &[[u32; 3]],
) -> Result<DrawingMesh, Failure> {
    let mut mesh = DrawingMesh::new(nodes, triangles)?;
    if !desc.uvs.is_null() {
        // SAFETY: required.
        mesh = mesh.with_uvs(unsafe { strided(desc.uvs, desc.node_count, desc.uv_stride, "desc.uvs")? })?;
    }
    if !desc.normals.is_null() {
        // SAFETY: required.
        let normals = unsafe { strided(desc.normals, desc.node_count, desc.normal_stride, "desc.normals")? };
        mesh = mesh.with_normals(normals)?;
    }
    if !desc.materials.is_null() {
        // SAFETY: required.
        let materials =
            unsafe { strided::<u32, 1>(desc.materials, desc.triangle_count, desc.material_stride, "desc.materials")? };
        mesh = mesh.with_materials(materials.into_iter().flatten().collect())?;
    }
    Ok(mesh)
}

fn options(desc: &fc_asset_desc) -> CookOptions {
    struct Listener(unsafe extern "C" fn(f32, *mut c_void), *mut c_void);
    // SAFETY: the header says that any thread may call the function with the pointer.
    unsafe impl Send for Listener {}
    // SAFETY: as above.
    unsafe impl Sync for Listener {}
    impl Listener {
        fn tell(&self, done: f32) {
            // SAFETY: the header requires a function with this signature.
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
        notes: vec![], // not in the descriptor yet
        sphere_trees: desc.flags & FC_ASSET_SPHERE_TREES != 0,
        tasks: hooks::tasks(),
        progress: listener
            .map(|listener| -> Arc<dyn Fn(f32) + Send + Sync> { Arc::new(move |done| listener.tell(done)) }),
    }
}

fn warnings(asset: &Asset) -> u32 {
    let thin = if asset.field().grid.is_coarse() { FC_WARNING_THIN_WALLS } else { 0 };
    let solid = asset.solid();
    let unused = if solid.nodes().len() < solid.source_node_count() { FC_WARNING_UNUSED_NODES } else { 0 };
    let repaired = if asset.surface_remarks().next().is_some() { FC_WARNING_REPAIRED } else { 0 };
    thin | unused | repaired
}

fn warn(asset: &Asset) {
    asset.surface_remarks().for_each(|remark| hooks::log(FC_LOG_WARNING, remark));
    let (warnings, grid, solid) = (warnings(asset), &asset.field().grid, asset.solid());
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

/// Releases an asset handle. Its objects keep the data that they need.
///
/// Fails    FC_ERROR_INVALID_HANDLE.
#[unsafe(no_mangle)]
pub extern "C" fn fc_asset_release(asset: fc_asset) -> fc_status {
    call(|| ASSETS.destroy(asset.id, "asset"), |()| FC_OK)
}

/// Returns the properties of an asset.
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
            let (solid, grid) = (asset.solid(), &asset.field().grid);
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
                surface_to_tets: asset.deviation().map_or(-1.0, |off| off.surface_to_tets),
                tets_to_surface: asset.deviation().map_or(-1.0, |off| off.tets_to_surface),
            };
            Ok((receiver, info))
        },
        |(receiver, info)| {
            receiver.write(&info);
            FC_OK
        },
    )
}

/// Returns the boundary triangles of an asset, with your node indices (for a filled surface: the asset's own). The
/// `source` of a surface triangle is an index into this array.
///
/// Writes at most `capacity` triangles and sets `*count` to the total number; FC_INCOMPLETE if that is more.
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
