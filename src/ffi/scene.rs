//! `fc_scene_*`: scenes of deforming triangle meshes.

use super::clock::Moment;
use super::descriptor::{self, Stamped};
use super::door::{call, change, failed};
use super::guarded::Guarded;
use super::handles::{Held, Table};
use super::hooks;
use super::pointer::{out, place};
use super::status::{FC_ERROR_WRONG_TIME, FC_OK, Failure, fc_status};
use super::types::fc_scene;
use crate::deform::{ConeCulling, Interval, Restructuring, Scene, SceneOptions, UpdateStats};
use crate::geom::Point;

/// Culling of self-collision: the cone of normals, then the contour of what it holds; closed bodies that are seen whole
/// from a point inside need not even that. Misses nothing. The default.
pub const FC_CONES_CONSERVATIVE: u32 = 0;
/// Culling of self-collision: dual cones alone (Heo et al. 2010), for comparison. May miss self-collisions where parts of a
/// body that are connected face each other.
pub const FC_CONES_FAST: u32 = 1;
/// Culling of self-collision: as FC_CONES_CONSERVATIVE, but of dual cones. Misses nothing; culls less.
pub const FC_CONES_DUAL_CONTOUR: u32 = 2;
/// No culling of self-collision.
pub const FC_CONES_OFF: u32 = 3;

/// Update flag: for continuous queries, too. Without it the update is faster, and the scene is ready for the other
/// queries only.
pub const FC_UPDATE_CONTINUOUS: u32 = 1;

/// Options of a new scene. Start from fc_scene_desc_default(); every field has a default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_scene_desc {
    /// Set by fc_scene_desc_default().
    pub struct_size: u32,
    /// FC_CONES_*; default FC_CONES_CONSERVATIVE.
    pub cones: u32,
    /// World position that positions in single precision are relative to; choose a point near the bodies. All of them
    /// must be within 1e9 m of it. Default 0, 0, 0.
    pub origin: [f64; 3],
    /// Share of the work of queries that an update may spend on rebuilding trees that have become slow. 0: never
    /// rebuild. Default 0.25.
    pub restructuring: f32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_scene_desc {
    const NAME: &'static str = "fc_scene_desc";
    const DEFAULT: Self =
        Self { struct_size: 0, cones: FC_CONES_CONSERVATIVE, origin: [0.0; 3], restructuring: 0.25, reserved: 0 };
}

/// Properties of a scene and of its last update. Start from fc_scene_info_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_scene_info {
    /// Set by fc_scene_info_default().
    pub struct_size: u32,
    /// Number of bodies.
    pub body_count: u32,
    /// Number of triangles of all bodies.
    pub triangle_count: u64,
    /// Bytes of memory used by bodies and trees.
    pub bytes: u64,
    /// Last update: number of triangles of bodies that were refitted.
    pub refitted_triangles: u64,
    /// Last update: number of triangles below nodes that were rebuilt.
    pub rebuilt_triangles: u64,
    /// Last update: number of nodes that were rebuilt.
    pub rebuilt_nodes: u64,
    /// Duration of the last update.
    pub update_nanoseconds: u64,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_scene_info {
    const NAME: &'static str = "fc_scene_info";
    const DEFAULT: Self = Self {
        struct_size: 0,
        body_count: 0,
        triangle_count: 0,
        bytes: 0,
        refitted_triangles: 0,
        rebuilt_triangles: 0,
        rebuilt_nodes: 0,
        update_nanoseconds: 0,
    };
}

/// A scene and the data that the C interface adds to it.
pub(super) struct Entry {
    /// Also in the scene; here it can be read at any time.
    origin: Point,
    state: Guarded<State>,
}

struct State {
    scene: Scene,
    update: UpdateStats,
    update_nanoseconds: u64,
}

static SCENES: Table<Entry> = Table::new(4, "scene");

pub(super) fn table() -> &'static Table<Entry> {
    &SCENES
}

pub(super) fn get(handle: fc_scene, argument: &str) -> Result<Held<Entry>, Failure> {
    SCENES.get(handle.id, argument)
}

impl Entry {
    /// World position that positions in single precision are relative to.
    pub fn origin(&self) -> &Point {
        &self.origin
    }

    /// Lends the scene, which no call changes meanwhile.
    pub fn read<T>(&self, body: impl FnOnce(&Scene) -> Result<T, Failure>) -> Result<T, Failure> {
        self.state.read(|state| body(&state.scene))
    }

    /// Lends the scene if it is up to date for an interval.
    pub fn query<T>(&self, interval: Interval, body: impl FnOnce(&Scene) -> Result<T, Failure>) -> Result<T, Failure> {
        let wrong = |text: &str| Err(Failure { status: FC_ERROR_WRONG_TIME, text: text.into() });
        self.read(|scene| match (scene.ready_for(), interval) {
            (None, _) => wrong("scene was changed since its last update; call fc_scene_update before a query"),
            (Some(Interval::End), Interval::Step) => {
                wrong("the last update of scene was for discrete queries; update it with FC_UPDATE_CONTINUOUS")
            }
            _ => body(scene),
        })
    }

    /// Lends the scene to the one call that changes it. A panic in `body` makes it unusable.
    pub fn write<T>(&self, body: impl FnOnce(&mut Scene) -> Result<T, Failure>) -> Result<T, Failure> {
        self.state.write(|state| body(&mut state.scene))
    }
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_scene_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_desc_init(desc: *mut fc_scene_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Creates an empty scene: bodies of triangles that move, split and merge, and collide with each other and with
/// themselves. In a frame: change it (fc_scene_move, fc_scene_split, ...), update it, query it.
///
/// Unlike everything else here, a scene changes. At any time either one call may change it (add, delete, split, merge,
/// move, update), or any number of calls may read it; a call at another time returns FC_ERROR_WRONG_TIME and does
/// nothing. No call waits. A change that fails leaves the scene as it was, with one exception: a call that changes it
/// and returns FC_ERROR_INTERNAL or FC_ERROR_TASKS has left it half changed, and all calls but fc_scene_destroy return
/// FC_ERROR_INTERNAL from then on. Changes that cannot be undone do not fail for lack of memory: they are made, and
/// return FC_LOW_MEMORY.
///
/// Owner    release it with fc_scene_destroy, which also ends its bodies.
/// Threads  beside any other call.
/// Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// `desc` is NULL or as large as it says, `scene` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_create(desc: *const fc_scene_desc, scene: *mut fc_scene) -> fc_status {
    call(
        || {
            // SAFETY: required.
            let (desc, place) = unsafe { (descriptor::read_or_default(desc, "desc")?, out(scene, "scene")?) };
            let options = options(&desc)?;
            let state = State { scene: Scene::new(options), update: UpdateStats::default(), update_nanoseconds: 0 };
            Ok((place, Box::new(Entry { origin: options.origin, state: Guarded::new("scene", state) })))
        },
        |(place, entry)| match SCENES.insert(entry) {
            Ok(id) => {
                place.write(fc_scene { id });
                FC_OK
            }
            Err(failure) => failed(&failure),
        },
    )
}

fn options(desc: &fc_scene_desc) -> Result<SceneOptions, Failure> {
    let culling = match desc.cones {
        FC_CONES_CONSERVATIVE => ConeCulling::Conservative,
        FC_CONES_FAST => ConeCulling::Fast,
        FC_CONES_DUAL_CONTOUR => ConeCulling::DualContour,
        FC_CONES_OFF => ConeCulling::Off,
        other => return Err(Failure::argument(format!("desc.cones is {other}; it must be one of FC_CONES_*"))),
    };
    if desc.reserved != 0 {
        return Err(Failure::argument(format!("desc.reserved is {}; it must be 0", desc.reserved)));
    }
    let restructuring = match desc.restructuring {
        0.0 => Restructuring::Off,
        share if share > 0.0 && share.is_finite() => Restructuring::Selective { share },
        other => {
            let text = format!("desc.restructuring is {other}; it must be a share of 0 or more");
            return Err(Failure::argument(text));
        }
    };
    let origin = Point::from(place(desc.origin, "desc.origin")?);
    Ok(SceneOptions { origin, culling, restructuring, ..SceneOptions::default() })
}

/// Destroys a scene and its bodies. Calls that are running on it finish safely.
///
/// Fails    FC_ERROR_INVALID_HANDLE.
#[unsafe(no_mangle)]
pub extern "C" fn fc_scene_destroy(scene: fc_scene) -> fc_status {
    call(|| SCENES.destroy(scene.id, "scene"), |()| FC_OK)
}

/// Begins a step and makes a scene ready for queries. Call it once per frame, after all other changes: a body that was
/// not moved since the last update is at rest in this step, even if it moved in the last one.
///
/// With FC_UPDATE_CONTINUOUS in `flags` the scene is ready for all queries: those of time of impact look at the motion
/// from the positions at the last update to those of now. Without it, it is ready for the others.
///
/// Threads  not beside any other call on the scene; uses the task hook.
/// Cost     on one core about 11 ms for 100,000 triangles of bodies that moved, 13 ms with FC_UPDATE_CONTINUOUS;
///          fc_scene_get_info returns how long it took.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (an unknown flag), FC_ERROR_WRONG_TIME (another call on
///          the scene is running), FC_ERROR_TASKS (see fc_scene_create). May return FC_LOW_MEMORY.
#[unsafe(no_mangle)]
pub extern "C" fn fc_scene_update(scene: fc_scene, flags: u32) -> fc_status {
    change(
        || {
            let entry = get(scene, "scene")?;
            let interval = match flags {
                0 => Interval::End,
                FC_UPDATE_CONTINUOUS => Interval::Step,
                _ => return Err(Failure::argument(format!("flags is {flags:#x}; use FC_UPDATE_* or 0"))),
            };
            Ok((entry, interval, hooks::tasks()))
        },
        |(entry, interval, tasks)| {
            entry.state.write(|state| {
                let start = Moment::now();
                state.update = state.scene.update(interval, &tasks);
                state.update_nanoseconds = start.elapsed();
                Ok(())
            })
        },
        |()| FC_OK,
    )
}

/// Returns the properties of a scene and the statistics of its last update.
///
/// Threads  beside queries of the scene; not beside a call that changes it.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_WRONG_TIME (a call that changes the scene is
///          running).
///
/// # Safety
/// `info` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_scene_get_info(scene: fc_scene, info: *mut fc_scene_info) -> fc_status {
    call(
        || {
            let entry = get(scene, "scene")?;
            // SAFETY: required.
            let receiver = unsafe { descriptor::receiver(info, "info")? };
            entry.state.read(|state| {
                let info = fc_scene_info {
                    struct_size: 0,
                    body_count: state.scene.bodies().count() as u32,
                    triangle_count: state.scene.triangle_count() as u64,
                    bytes: (size_of::<Entry>() + state.scene.bytes()) as u64,
                    refitted_triangles: state.update.refitted_triangles,
                    rebuilt_triangles: state.update.rebuilt_triangles,
                    rebuilt_nodes: state.update.rebuilt_nodes,
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

#[cfg(test)]
mod tests {
    use super::super::status::*;
    use super::*;
    use std::ffi::CStr;
    use std::ptr::null;

    fn last() -> String {
        // SAFETY: the text is this thread's and NUL-terminated.
        unsafe { CStr::from_ptr(fc_last_error()) }.to_str().unwrap().to_string()
    }

    fn scene() -> fc_scene {
        let mut scene = fc_scene::default();
        // SAFETY: NULL is the defaults, and there is room for a handle.
        assert_eq!(unsafe { fc_scene_create(null(), &mut scene) }, FC_OK);
        scene
    }

    #[test]
    fn a_call_at_the_wrong_time_says_so_and_does_not_wait() {
        let scene = scene();
        let entry = get(scene, "scene").unwrap();
        let read = entry.read(|_| {
            assert_eq!(fc_scene_update(scene, 0), FC_ERROR_WRONG_TIME);
            assert!(last().contains("querying"), "{}", last());
            entry.read(|_| Ok(()))
        });
        assert!(read.is_ok());
        let written = entry.write(|_| {
            assert_eq!(fc_scene_update(scene, 0), FC_ERROR_WRONG_TIME);
            Ok(entry.read(|_| Ok(())))
        });
        assert_eq!(written.unwrap().unwrap_err().status, FC_ERROR_WRONG_TIME);
        assert_eq!(fc_scene_update(scene, 0), FC_OK);
        assert_eq!(fc_scene_destroy(scene), FC_OK);
        assert_eq!(fc_scene_update(scene, 0), FC_ERROR_INVALID_HANDLE);
        assert!(entry.write(|_| Ok(())).is_ok(), "who has it may go on");
    }

    #[test]
    fn a_panic_in_a_change_makes_the_scene_unusable_and_one_in_a_query_does_not() {
        let scene = scene();
        let queried = call(|| get(scene, "scene")?.read(|_| -> Result<(), _> { panic!("query") }), |()| FC_OK);
        assert_eq!(queried, FC_ERROR_INTERNAL);
        assert_eq!(fc_scene_update(scene, 0), FC_OK);
        let changed = |body: fn() -> Result<(), Failure>| {
            change(|| get(scene, "scene"), |entry| entry.write(|_| body()), |()| FC_OK)
        };
        assert_eq!(changed(|| Err(Failure::argument("no"))), FC_ERROR_INVALID_ARGUMENT);
        assert_eq!(fc_scene_update(scene, 0), FC_OK);
        assert_eq!(changed(|| panic!("change")), FC_ERROR_INTERNAL);
        assert_eq!(fc_scene_update(scene, 0), FC_ERROR_INTERNAL);
        assert!(last().contains("half changed"), "{}", last());
        assert_eq!(fc_scene_destroy(scene), FC_OK);
    }
}
