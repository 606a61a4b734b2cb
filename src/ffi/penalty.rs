//! `fc_query_soft_*`: penalties between soft bodies, objects, shapes and triangles.

use super::bodies::{fc_body_mesh, read_mesh};
use super::clock::Moment;
use super::descriptor::{self, Stamped};
use super::door::call;
use super::object;
use super::pointer::{Results, pose};
use super::shape::{self, ForShape, fc_shape};
use super::soft::{self, FC_DEPTHS_EXACT, depth_method, with_scratch};
use super::status::{FC_OK, Failure, fc_status};
use super::types::{fc_object, fc_pose, fc_soft};
use crate::contact::{query_soft_object, query_soft_shape};
use crate::deform::BodyMesh;
use crate::field::shape::Shape;
use crate::geom::Pose;
use crate::penalty::{Penalty, PenaltyOptions, PenaltyScratch, PenaltyStats, Penetrating, SoftBody};
use std::cell::Cell;

/// What of a body is looked for in the other: edges of its boundary; of a shape its edges, which a ball, a capsule and a
/// half-space do not have. The default.
pub const FC_PENETRATING_SEGMENTS: u32 = 0;
/// What of a body is looked for in the other: nodes of its boundary; of an object the vertices of its surface; of a
/// shape its corners, its given points, or the balls that it is made of, which are felt wherever they reach. Faster, and
/// blind for edges that cross.
pub const FC_PENETRATING_POINTS: u32 = 1;
/// What of a body is looked for in the other: all edges, also those within it. As FC_PENETRATING_SEGMENTS for what is not
/// a soft body.
pub const FC_PENETRATING_ALL_SEGMENTS: u32 = 2;
/// What of a body is looked for in the other: nothing.
pub const FC_PENETRATING_NOTHING: u32 = 3;

/// Penalty flag: directions from gradients that are shared by the tetrahedra around each node, so that they do not jump
/// between tetrahedra. Costs more depths.
pub const FC_PENALTY_SMOOTH: u32 = 1;

/// Penalty flag: depths are measured at every point, instead of linear between the nodes of tetrahedra. Exact, whatever
/// the mesh, and slower.
pub const FC_PENALTY_MEASURED: u32 = 2;

/// Options of penalties. Start from fc_penalty_desc_default(); every field has a default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_penalty_desc {
    /// Set by fc_penalty_desc_default().
    pub struct_size: u32,
    /// FC_PENALTY_*; default 0.
    pub flags: u32,
    /// FC_DEPTHS_*: how depths of nodes are found. Default FC_DEPTHS_EXACT.
    pub depths: u32,
    /// FC_PENETRATING_*: what of the first body is looked for in the second, and the other way round. Default
    /// FC_PENETRATING_SEGMENTS.
    pub penetrating: [u32; 2],
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_penalty_desc {
    const NAME: &'static str = "fc_penalty_desc";
    const DEFAULT: Self = Self {
        struct_size: 0,
        flags: 0,
        depths: FC_DEPTHS_EXACT,
        penetrating: [FC_PENETRATING_SEGMENTS; 2],
        reserved: 0,
    };
}

/// A force to be: multiply `load` by a stiffness (N/m for points, N/m² for segments). 176 bytes, no padding.
///
/// The force `stiffness * load * direction` acts on `nodes` of the penetrating body by their `weights`, and its negative
/// on `tet_nodes` of the other by `tet_weights`, or on a rigid body at `point`: forces and moments of a record cancel.
/// With `gradient` instead of `direction` the force has a potential.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_penalty {
    /// Where it acts: metres, world space.
    pub point: [f64; 3],
    /// Unit vector out of the body that is penetrated: the penetrating feature is pushed along it.
    pub direction: [f64; 3],
    /// Negative gradient of the depth: about the direction; 0, 0, 0 where the depth is constant.
    pub gradient: [f64; 3],
    /// Depth of the point, in metres.
    pub depth: f64,
    /// Points: the depth, in metres. Segments: the share of the integral of the depth along them that acts here, in m².
    pub load: f64,
    /// Segments: the length that it stands for, in metres. Points: the area around them, in m²; 0 if it is not known.
    pub weight: f64,
    /// Weights of `nodes`, sum 1.
    pub weights: [f64; 2],
    /// Weights of `tet_nodes`, sum 1; 0 if there are none.
    pub tet_weights: [f64; 4],
    /// Nodes of the penetrating feature: of a soft body, vertices of fc_object_surface or of the triangles, samples of a
    /// shape. The second is FC_NONE for a point.
    pub nodes: [u32; 2],
    /// Nodes of the tetrahedron that is penetrated; FC_NONE in what is rigid.
    pub tet_nodes: [u32; 4],
    /// That tetrahedron; FC_NONE in what is rigid.
    pub tet: u32,
    /// 0: a feature of the first body is in the second. 1: the other way round.
    pub side: u32,
}

impl From<&Penalty> for fc_penalty {
    fn from(p: &Penalty) -> Self {
        Self {
            point: p.point.coords.into(),
            direction: p.direction.into(),
            gradient: p.gradient.into(),
            depth: p.depth,
            load: p.load,
            weight: p.weight,
            weights: p.weights,
            tet_weights: p.tet_weights,
            nodes: p.nodes,
            tet_nodes: p.tet_nodes,
            tet: p.tet,
            side: p.side,
        }
    }
}

/// Statistics of a query of penalties. Start from fc_penalty_stats_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_penalty_stats {
    /// Set by fc_penalty_stats_default().
    pub struct_size: u32,
    /// Always 0.
    pub reserved: u32,
    /// Number of features that are inside: points, or parts of segments.
    pub parts: u64,
    /// Number of tetrahedra that were penetrated.
    pub tets: u64,
    /// Number of nodes of the boundary that marches of depths began with, of the first body and of the second.
    pub seeds: [u64; 2],
    /// Number of nodes within the bodies whose depths were found.
    pub settled: [u64; 2],
    /// Number of results.
    pub found: u64,
    /// Duration of the query.
    pub nanoseconds: u64,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_penalty_stats {
    const NAME: &'static str = "fc_penalty_stats";
    const DEFAULT: Self = Self {
        struct_size: 0,
        reserved: 0,
        parts: 0,
        tets: 0,
        seeds: [0; 2],
        settled: [0; 2],
        found: 0,
        nanoseconds: 0,
    };
}

/// Memory of queries of a thread, beside its scratch memory.
#[derive(Default)]
struct Kept {
    found: Vec<Penalty>,
    mesh: BodyMesh,
}

thread_local! {
    /// Taken, not borrowed: a shape's function may query meanwhile.
    static KEPT: Cell<Option<Kept>> = const { Cell::new(None) };
    static STATS: Cell<fc_penalty_stats> = const { Cell::new(fc_penalty_stats::DEFAULT) };
}

/// Lends this thread's memory.
fn with_kept<T>(body: impl FnOnce(&mut Kept, &mut PenaltyScratch) -> T) -> T {
    KEPT.with(|kept| {
        let mut own = kept.take().unwrap_or_default();
        let result = with_scratch(|scratch| body(&mut own, scratch));
        kept.set(Some(own));
        result
    })
}

/// Frees this thread's memory of results.
pub(super) fn release_scratch() {
    KEPT.take();
}

fn penetrating(what: u32, k: usize) -> Result<Penetrating, Failure> {
    match what {
        FC_PENETRATING_SEGMENTS => Ok(Penetrating::Segments),
        FC_PENETRATING_POINTS => Ok(Penetrating::Points),
        FC_PENETRATING_ALL_SEGMENTS => Ok(Penetrating::AllSegments),
        FC_PENETRATING_NOTHING => Ok(Penetrating::Nothing),
        other => {
            let text = format!("desc.penetrating[{k}] is {other}; it must be one of FC_PENETRATING_*");
            Err(Failure::argument(text))
        }
    }
}

/// # Safety
/// `desc` is null or as large as it says.
unsafe fn options(desc: *const fc_penalty_desc) -> Result<PenaltyOptions, Failure> {
    // SAFETY: required.
    let desc = unsafe { descriptor::read_or_default(desc, "desc")? };
    if desc.flags & !(FC_PENALTY_SMOOTH | FC_PENALTY_MEASURED) != 0 || desc.reserved != 0 {
        let text = format!("desc.flags is {:#x} and reserved {}; use FC_PENALTY_* and 0", desc.flags, desc.reserved);
        return Err(Failure::argument(text));
    }
    let [first, second] = desc.penetrating;
    Ok(PenaltyOptions {
        depths: depth_method(desc.depths, "desc.depths")?,
        penetrating: [penetrating(first, 0)?, penetrating(second, 1)?],
        smooth: desc.flags & FC_PENALTY_SMOOTH != 0,
        measured: desc.flags & FC_PENALTY_MEASURED != 0,
    })
}

/// The common frame of all queries: `prepare` reads the arguments, `query` finds.
///
/// # Safety
/// `desc` is null or as large as it says, `penalties` has room for `capacity`, `count` is writable.
unsafe fn answer<P>(
    desc: *const fc_penalty_desc,
    (penalties, capacity, count): (*mut fc_penalty, u32, *mut u32),
    prepare: impl FnOnce(&mut BodyMesh) -> Result<P, Failure>,
    query: impl FnOnce(P, &mut Kept, &mut PenaltyScratch, &PenaltyOptions) -> Result<PenaltyStats, Failure>,
) -> fc_status {
    with_kept(|kept, scratch| {
        call(
            || {
                // SAFETY: required.
                let (options, results) =
                    unsafe { (options(desc)?, Results::new(penalties, capacity, count, "penalties")?) };
                let prepared = prepare(&mut kept.mesh)?;
                kept.found.clear();
                let start = Moment::now();
                let stats = query(prepared, kept, scratch, &options)?;
                let nanoseconds = start.elapsed();
                Ok((results, stats, nanoseconds, &*kept.found))
            },
            |(results, stats, nanoseconds, found)| {
                STATS.set(fc_penalty_stats {
                    parts: stats.parts as u64,
                    tets: stats.tets as u64,
                    seeds: stats.depths.map(|depths| depths.seeds as u64),
                    settled: stats.depths.map(|depths| depths.settled as u64),
                    found: found.len() as u64,
                    nanoseconds,
                    ..fc_penalty_stats::DEFAULT
                });
                results.take(found.iter().map(fc_penalty::from))
            },
        )
    })
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_penalty_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_penalty_desc_init(desc: *mut fc_penalty_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Finds what pushes two soft bodies apart (Marchal 2004): edges or nodes of each within tetrahedra of the other, with
/// depths, directions, and nodes and weights of both sides.
///
/// Edges are felt where no node is inside, such as two bodies that cross edge to edge. Depth is linear within each
/// tetrahedron, from the depths of its nodes; where all four are on the boundary, it is measured.
///
/// Writes at most `capacity` penalties and sets `*count` to the number found; FC_INCOMPLETE if that is more, and those
/// written are valid. The order is the same on every run. Calling again with a larger buffer repeats the query.
///
/// Owner    buffers stay yours; no pointer is kept.
/// Threads  beside other queries of both bodies; not beside a call that changes one of them.
/// Memory   no heap allocation once this thread has handled as many penalties of bodies as large.
/// Cost     grows with the tetrahedra that are penetrated; fc_penalty_get_stats returns their number.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, an option out of range), FC_ERROR_OUT_OF_MEMORY,
///          FC_ERROR_UNSUPPORTED, FC_ERROR_WRONG_TIME (a body was changed since its last update, or a call that changes
///          it is running).
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// `desc` is NULL or as large as it says, `penalties` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_query_soft_pair(
    a: fc_soft,
    b: fc_soft,
    desc: *const fc_penalty_desc,
    penalties: *mut fc_penalty,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    let prepare = |_: &mut _| {
        let (first, second) = (soft::get(a, "a")?, soft::get(b, "b")?);
        match a.id == b.id {
            true => Err(Failure::argument("a and b are the same body; contacts of a body with itself are fc_scene's")),
            false => Ok((first, second)),
        }
    };
    // SAFETY: required.
    unsafe {
        answer(desc, (penalties, capacity, count), prepare, |(a, b), kept, scratch, options| {
            a.query(|a| b.query(|b| Ok(a.penalties(b, options, scratch, &mut kept.found)?)))
        })
    }
}

/// Finds what pushes a soft body and an object apart: edges or nodes of the soft body in the object, measured in its
/// distance field at eighths of an edge, and edges or vertices of the object's surface in the soft body. Everything else
/// is as in fc_query_soft_pair, with the soft body as the first.
///
/// Memory   the first query builds the object's surface, which the object keeps, unless `desc->penetrating[1]` is
///          FC_PENETRATING_NOTHING.
///
/// # Safety
/// As fc_query_soft_pair; `at` is readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_query_soft_object(
    soft: fc_soft,
    object: fc_object,
    at: *const fc_pose,
    desc: *const fc_penalty_desc,
    penalties: *mut fc_penalty,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    let prepare = |_: &mut _| {
        // SAFETY: required.
        Ok((soft::get(soft, "soft")?, object::get(object, "object")?, unsafe { pose(at, "at")? }))
    };
    // SAFETY: required.
    unsafe {
        answer(desc, (penalties, capacity, count), prepare, |(soft, entry, at), kept, scratch, options| {
            let found = &mut kept.found;
            soft.query(|soft| Ok(query_soft_object(soft, &entry.object, &at, options, scratch, found)?))
        })
    }
}

/// Finds what pushes a soft body and a simple shape apart: edges or nodes of the soft body in the shape, and edges or
/// corners of the shape in the soft body. Everything else is as in fc_query_soft_pair, with the soft body as the first.
///
/// A probe: a ball with `desc->penetrating` FC_PENETRATING_NOTHING and FC_PENETRATING_POINTS gives one penalty, at the
/// closest point of the boundary, wherever it touches.
///
/// # Safety
/// As fc_query_soft_pair; `shape` is as large as it says, its points are readable as far as their count says, and `at` is
/// readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_query_soft_shape(
    soft: fc_soft,
    shape: *const fc_shape,
    at: *const fc_pose,
    desc: *const fc_penalty_desc,
    penalties: *mut fc_penalty,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    // SAFETY: required.
    let prepare = |_: &mut _| Ok((soft::get(soft, "soft")?, unsafe { (shape::read(shape)?, pose(at, "at")?) }));
    // SAFETY: required.
    unsafe {
        answer(desc, (penalties, capacity, count), prepare, |(soft, (shape, at)), kept, scratch, options| {
            let found = &mut kept.found;
            soft.query(|soft| shape.with(ShapePenalties { soft, at: &at, options, scratch, found }))
        })
    }
}

struct ShapePenalties<'a> {
    soft: &'a SoftBody,
    at: &'a Pose,
    options: &'a PenaltyOptions,
    scratch: &'a mut PenaltyScratch,
    found: &'a mut Vec<Penalty>,
}

impl ForShape for ShapePenalties<'_> {
    type Output = PenaltyStats;

    fn run(self, shape: &impl Shape) -> Result<PenaltyStats, Failure> {
        Ok(query_soft_shape(self.soft, shape, self.at, self.options, self.scratch, self.found)?)
    }
}

/// Finds what pushes triangles out of a soft body: cloth, a floor, any surface, open or closed. It has no inside, so
/// edges or vertices of the triangles in the soft body are all that is looked for (`desc->penetrating[1]`; the first is
/// not used). Positions in single precision are relative to the body's origin; `mesh->sources` is not used. Everything
/// else is as in fc_query_soft_pair, with the soft body as the first.
/// Fails    as fc_query_soft_pair; FC_ERROR_INVALID_MESH (an index out of range), FC_ERROR_TOO_LARGE.
///
/// # Safety
/// As fc_query_soft_pair; `mesh` and its pointers are readable as far as its counts say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_query_soft_triangles(
    soft: fc_soft,
    mesh: *const fc_body_mesh,
    desc: *const fc_penalty_desc,
    penalties: *mut fc_penalty,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    let prepare = |kept: &mut BodyMesh| {
        let soft = soft::get(soft, "soft")?;
        // SAFETY: required.
        unsafe { read_mesh(mesh, soft.origin(), "mesh", kept)? };
        Ok(soft)
    };
    // SAFETY: required.
    unsafe {
        answer(desc, (penalties, capacity, count), prepare, |soft, kept, scratch, options| {
            let Kept { found, mesh } = kept;
            let (positions, triangles) = (&mesh.positions, &mesh.triangles);
            soft.query(|soft| Ok(soft.penalties_of_triangles(positions, triangles, options, scratch, found)?))
        })
    }
}

/// Returns the statistics of this thread's last successful query of penalties.
///
/// Fails    FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `stats` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_penalty_get_stats(stats: *mut fc_penalty_stats) -> fc_status {
    call(
        // SAFETY: required.
        || unsafe { descriptor::receiver(stats, "stats") },
        |receiver| {
            receiver.write(&STATS.get());
            FC_OK
        },
    )
}
