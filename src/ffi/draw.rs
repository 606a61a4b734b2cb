//! `fc_draw_*`: debug drawing with lines, triangles and text.

use super::descriptor::{self, NOTHING, Stamped};
use super::door::call;
use super::object;
use super::penalty::fc_penalty;
use super::pointer::{place, pose, slice, triple};
use super::scene;
use super::soft;
use super::status::{FC_OK, Failure, fc_status};
use super::types::{fc_contact, fc_object, fc_pose, fc_scene, fc_soft, fc_voxtree};
use super::voxquery::{VoxQuery, fc_refinement, fc_voxtree_query_desc, front};
use super::voxtree;
use crate::body::{InMetres, Object};
use crate::geom::aabb::Aabb;
use crate::geom::lanes::SphereLanes;
use crate::geom::pinned::{cos, sin};
use crate::geom::{NONE, Point, Pose, Vector};
use crate::solid::surface::Face;
use crate::voxtree::{Front, Refinement};
use std::ffi::{CString, c_char, c_void};

/// Draw the bounding spheres of the samples at `level`.
pub const FC_DRAW_SPHERES: u32 = 1;
/// Draw the cracks.
pub const FC_DRAW_CRACKS: u32 = 2;
/// Draw the bounding box: in the object's axes, of each body of a scene, or of a soft body.
pub const FC_DRAW_BOUNDS: u32 = 4;
/// Draw the whole surface.
pub const FC_DRAW_SURFACE: u32 = 8;
/// Draw the boxes of the trees of a scene's bodies, of a soft body, or of a tree of cubes, at `level`.
pub const FC_DRAW_BOXES: u32 = 16;

/// Draws a line. Three floats per point, metres, world axes, relative to the draw origin.
pub type fc_draw_line_fn =
    Option<unsafe extern "C" fn(a: *const f32, b: *const f32, rgba: u32, user_data: *mut c_void)>;
/// Draws a triangle, counter-clockwise seen from outside.
pub type fc_draw_triangle_fn =
    Option<unsafe extern "C" fn(a: *const f32, b: *const f32, c: *const f32, rgba: u32, user_data: *mut c_void)>;
/// Draws a short UTF-8 text, valid until the function returns.
pub type fc_draw_text_fn =
    Option<unsafe extern "C" fn(at: *const f32, text: *const c_char, rgba: u32, user_data: *mut c_void)>;

/// Debug draw callbacks. Start from fc_debug_draw_default(); any function may be NULL (without `triangle`, edges are
/// drawn with `line`). They are called by the drawing thread, and must not call fc_ functions. Colours are
/// 0xRRGGBBAA.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_debug_draw {
    /// Set by fc_debug_draw_default().
    pub struct_size: u32,
    /// FC_DRAW_*. Default FC_DRAW_CRACKS | FC_DRAW_BOUNDS.
    pub flags: u32,
    /// Level of the spheres: 0 is the coarsest; beyond the last level, the samples are drawn as small crosses. Level of
    /// the boxes: 0 is the whole body; a leaf above the level is drawn too. Of a tree of cubes the finest level is the last.
    pub level: u32,
    /// Drawn length of a contact normal, in metres. Default 0.1.
    pub normal_length: f32,
    /// World position that drawn points are relative to. Default 0, 0, 0.
    pub origin: [f64; 3],
    /// Draws lines.
    pub line: fc_draw_line_fn,
    /// Draws triangles.
    pub triangle: fc_draw_triangle_fn,
    /// Draws text: the depth of each contact, in millimetres.
    pub text: fc_draw_text_fn,
    /// Passed to all of them.
    pub user_data: *mut c_void,
}

// SAFETY: sizes add up without padding; numbers may be any bytes, and the caller guarantees the function pointers.
unsafe impl Stamped for fc_debug_draw {
    const NAME: &'static str = "fc_debug_draw";
    const DEFAULT: Self = Self {
        struct_size: 0,
        flags: FC_DRAW_CRACKS | FC_DRAW_BOUNDS,
        level: 0,
        normal_length: 0.1,
        origin: [0.0; 3],
        line: None,
        triangle: None,
        text: None,
        user_data: NOTHING,
    };
}

const SPHERES: u32 = 0x60a0_ffff;
const CRACKS: u32 = 0xff80_40ff;
const SKIN: u32 = 0xc0c0_c0ff;
const BOX: u32 = 0xffff_60ff;
const TOUCHING: u32 = 0xff40_40ff;
const APART: u32 = 0x40ff_40ff;

/// Line segments per circle.
const SEGMENTS: u32 = 24;

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_debug_draw_default().
///
/// # Safety
/// `draw` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_debug_draw_init(draw: *mut fc_debug_draw, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(draw, struct_size) };
}

/// Draws what `draw->flags` selects of an object in a pose.
///
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
///
/// # Safety
/// `at` is readable, `draw` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_draw_object(
    object: fc_object,
    at: *const fc_pose,
    draw: *const fc_debug_draw,
) -> fc_status {
    call(
        || {
            let entry = object::get(object, "object")?;
            // SAFETY: required.
            let (at, pen) = unsafe { (pose(at, "at")?, Pen::new(draw)?) };
            ObjectPen { pen, at, metres: entry.object.in_metres() }.object(&entry.object);
            Ok(())
        },
        |()| FC_OK,
    )
}

/// Draws contacts: a cross at each, its normal, and its depth as text. `origin` is the world position that their
/// points are relative to (for fc_query_pair without FC_QUERY_ORIGIN: A's position).
///
/// Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_UNSUPPORTED.
///
/// # Safety
/// `contacts` has `count` elements, `origin` three, `draw` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_draw_contacts(
    contacts: *const fc_contact,
    count: u32,
    origin: *const f64,
    draw: *const fc_debug_draw,
) -> fc_status {
    call(
        || {
            // SAFETY: required.
            let (contacts, origin, pen) = unsafe {
                (slice(contacts, count, "contacts")?, place(triple(origin, "origin")?, "origin")?, Pen::new(draw)?)
            };
            for contact in contacts {
                let at = Point::from(origin) + Vector::from(contact.point.map(f64::from));
                let normal = Vector::from(contact.normal.map(f64::from));
                pen.contact(&at, &normal, contact.depth, if contact.depth > 0.0 { TOUCHING } else { APART });
            }
            Ok(())
        },
        |()| FC_OK,
    )
}

/// Draws what `draw->flags` selects of a scene: FC_DRAW_SURFACE, the triangles at the end of the step;
/// FC_DRAW_BOUNDS and FC_DRAW_BOXES, boxes as of the last update (none of a body that is newer). Other flags have no
/// meaning for it.
///
/// Threads  beside queries of the scene; not beside a call that changes it.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED,
///          FC_ERROR_WRONG_TIME (a call that changes the scene is running).
///
/// # Safety
/// `draw` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_draw_scene(scene: fc_scene, draw: *const fc_debug_draw) -> fc_status {
    call(
        || {
            let entry = scene::get(scene, "scene")?;
            // SAFETY: required.
            let pen = unsafe { Pen::new(draw)? };
            entry.read(|scene| {
                let flags = pen.draw.flags;
                for body in scene.bodies() {
                    if flags & FC_DRAW_SURFACE != 0 {
                        scene.triangles(body)?.for_each(|corners| pen.triangle(&corners, SKIN));
                    }
                    if flags & FC_DRAW_BOUNDS != 0 {
                        scene.boxes(body, 0, |bounds| pen.edges(bounds, |p| p, BOX))?;
                    }
                    if flags & FC_DRAW_BOXES != 0 {
                        scene.boxes(body, pen.draw.level, |bounds| pen.edges(bounds, |p| p, SPHERES))?;
                    }
                }
                Ok(())
            })
        },
        |()| FC_OK,
    )
}

/// Draws what `draw->flags` selects of a soft body: FC_DRAW_SURFACE, its boundary; FC_DRAW_BOUNDS and FC_DRAW_BOXES, boxes
/// of its tetrahedra as of the last update. Other flags have no meaning for it.
///
/// Threads  beside queries of the body; not beside a call that changes it.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED,
///          FC_ERROR_WRONG_TIME (a call that changes the body is running).
///
/// # Safety
/// `draw` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_draw_soft(soft: fc_soft, draw: *const fc_debug_draw) -> fc_status {
    call(
        || {
            let entry = soft::get(soft, "soft")?;
            // SAFETY: required.
            let pen = unsafe { Pen::new(draw)? };
            entry.read(|body| {
                let flags = pen.draw.flags;
                if flags & FC_DRAW_SURFACE != 0 {
                    let corners = |t: [u32; 3]| t.map(|v| body.positions()[v as usize]);
                    body.boundary().for_each(|triangle| pen.triangle(&corners(triangle), SKIN));
                }
                if flags & FC_DRAW_BOUNDS != 0 {
                    body.boxes(0, |bounds| pen.edges(bounds, |p| p, BOX));
                }
                if flags & FC_DRAW_BOXES != 0 {
                    body.boxes(pen.draw.level, |bounds| pen.edges(bounds, |p| p, SPHERES));
                }
                Ok(())
            })
        },
        |()| FC_OK,
    )
}

/// Draws what `draw->flags` selects of a tree of cubes in a pose: FC_DRAW_BOUNDS, the cube around all; FC_DRAW_BOXES, the
/// cubes of a level, coloured by their groups, with the density as opacity. Other flags have no meaning for it.
///
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
///
/// # Safety
/// `at` is readable, `draw` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_draw_voxtree(
    tree: fc_voxtree,
    at: *const fc_pose,
    draw: *const fc_debug_draw,
) -> fc_status {
    call(
        || {
            let tree = voxtree::get(tree, "tree")?;
            // SAFETY: required.
            let (at, pen) = unsafe { (pose(at, "at")?, Pen::new(draw)?) };
            let cube = |node: u32, rgba: u32| {
                let (centre, half) = tree.cube(node);
                let half = Vector::repeat(half);
                pen.edges(&Aabb { min: centre - half, max: centre + half }, |p| at * p, rgba);
            };
            if pen.draw.flags & FC_DRAW_BOUNDS != 0 {
                cube(0, BOX);
            }
            if pen.draw.flags & FC_DRAW_BOXES != 0 {
                let level = pen.draw.level.min(tree.level_count() - 1);
                for (k, node) in (0..).zip(tree.nodes()).filter(|(k, _)| tree.level(*k) == level) {
                    // Golden angles apart, so that groups that follow each other differ.
                    let hue = node.group.wrapping_mul(40503) as u32;
                    let rgb = (hue & 0xff00) << 16 | (hue & 0xff) << 16 | (0xff - (hue >> 8 & 0xff)) << 8;
                    cube(k, rgb | (node.density * 255.0) as u32);
                }
            }
            Ok(())
        },
        |()| FC_OK,
    )
}

/// Draws how far a refinement came (figure 9 of VoxTree): for each pair of cubes its normal, and for each contact that is made
/// of them a cross, the normal and the depth. `desc` may be NULL; of it the flags count.
///
/// Fails    as fc_query_voxtrees.
///
/// # Safety
/// As fc_query_voxtrees; `draw` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_draw_refinement(
    a: fc_voxtree,
    pose_a: *const fc_pose,
    b: fc_voxtree,
    pose_b: *const fc_pose,
    desc: *const fc_voxtree_query_desc,
    refinement: *const fc_refinement,
    draw: *const fc_debug_draw,
) -> fc_status {
    call(
        || {
            let (a, b) = (voxtree::get(a, "a")?, voxtree::get(b, "b")?);
            let mut lists = Front::default();
            // SAFETY: required.
            let (poses, query, pen) = unsafe {
                let poses = [pose(pose_a, "pose_a")?, pose(pose_b, "pose_b")?];
                front(&descriptor::read(refinement, "refinement")?, &mut lists)?;
                (poses, VoxQuery::read(desc, &poses[0])?, Pen::new(draw)?)
            };
            let reached = Refinement::resumed([&a, &b], poses, lists);
            let length = pen.draw.normal_length as f64;
            reached
                .raw_contacts(&query.model, |at, normal, _| pen.line(&at, &(at + normal * (0.5 * length)), TOUCHING));
            let mut contacts = vec![];
            reached.contacts(&query.model, &mut contacts);
            for contact in contacts {
                pen.contact(&contact.point, &contact.normal, contact.depth as f32, APART);
            }
            Ok(())
        },
        |()| FC_OK,
    )
}

/// Draws penalties: a cross at each, its direction, and its depth as text.
///
/// Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_UNSUPPORTED.
///
/// # Safety
/// `penalties` has `count` elements, `draw` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_draw_penalties(
    penalties: *const fc_penalty,
    count: u32,
    draw: *const fc_debug_draw,
) -> fc_status {
    call(
        || {
            // SAFETY: required.
            let (penalties, pen) = unsafe { (slice(penalties, count, "penalties")?, Pen::new(draw)?) };
            for penalty in penalties {
                let (at, direction) = (Point::from(penalty.point), Vector::from(penalty.direction));
                pen.contact(&at, &direction, penalty.depth as f32, TOUCHING);
            }
            Ok(())
        },
        |()| FC_OK,
    )
}

/// Draws world-space points.
struct Pen {
    draw: fc_debug_draw,
}

impl Pen {
    /// # Safety
    /// `draw` is as large as it says.
    unsafe fn new(draw: *const fc_debug_draw) -> Result<Self, Failure> {
        // SAFETY: required.
        let draw = unsafe { descriptor::read(draw, "draw")? };
        place(draw.origin, "draw.origin")?;
        if !draw.normal_length.is_finite() {
            let text = format!("draw.normal_length is {}; it must be a length", draw.normal_length);
            return Err(Failure::argument(text));
        }
        Ok(Self { draw })
    }

    fn relative(&self, p: &Point) -> [f32; 3] {
        (p - Point::from(self.draw.origin)).cast::<f32>().into()
    }

    fn line(&self, a: &Point, b: &Point, rgba: u32) {
        if let Some(line) = self.draw.line {
            let (a, b) = (self.relative(a), self.relative(b));
            // SAFETY: the header requires a function with this signature.
            unsafe { line(a.as_ptr(), b.as_ptr(), rgba, self.draw.user_data) };
        }
    }

    fn triangle(&self, corners: &[Point; 3], rgba: u32) {
        let Some(triangle) = self.draw.triangle else {
            (0..3).for_each(|k| self.line(&corners[k], &corners[(k + 1) % 3], rgba));
            return;
        };
        let [a, b, c] = corners.map(|p| self.relative(&p));
        // SAFETY: the header requires a function with this signature.
        unsafe { triangle(a.as_ptr(), b.as_ptr(), c.as_ptr(), rgba, self.draw.user_data) };
    }

    fn text(&self, at: &Point, depth: f32, rgba: u32) {
        if let Some(text) = self.draw.text
            && let Ok(words) = CString::new(format!("{:.2} mm", depth * 1e3))
        {
            // SAFETY: the header requires a function with this signature.
            unsafe { text(self.relative(at).as_ptr(), words.as_ptr(), rgba, self.draw.user_data) };
        }
    }

    /// The edges of a box, its corners moved by `place`.
    fn edges(&self, bounds: &Aabb, place: impl Fn(Point) -> Point, rgba: u32) {
        let corners = bounds.corners().map(place);
        for axis in 0..3 {
            for from in (0..8usize).filter(|bits| bits >> axis & 1 == 0) {
                self.line(&corners[from], &corners[from | 1 << axis], rgba);
            }
        }
    }

    /// A cross, a normal, and a depth.
    fn contact(&self, at: &Point, normal: &Vector, depth: f32, rgba: u32) {
        let length = self.draw.normal_length as f64;
        let tip = at + normal * length;
        self.cross(at, 0.1 * length, rgba);
        self.line(at, &tip, rgba);
        self.text(&tip, depth, rgba);
    }

    fn cross(&self, at: &Point, size: f64, rgba: u32) {
        (0..3).for_each(|k| self.line(&(at - Vector::ith(k, size)), &(at + Vector::ith(k, size)), rgba));
    }
}

/// Draws in an object's frame.
struct ObjectPen<'a> {
    pen: Pen,
    at: Pose,
    metres: InMetres<'a>,
}

impl ObjectPen<'_> {
    fn place(&self, p: &Point) -> Point {
        self.at * self.metres.point(p)
    }

    /// Draws what the flags select.
    fn object(&self, object: &Object) {
        let flags = self.pen.draw.flags;
        if flags & FC_DRAW_BOUNDS != 0 {
            self.bounds(object);
        }
        if flags & FC_DRAW_SPHERES != 0 {
            self.spheres(object);
        }
        if flags & (FC_DRAW_CRACKS | FC_DRAW_SURFACE) != 0 {
            self.surface(object, flags & FC_DRAW_SURFACE != 0);
        }
    }

    fn surface(&self, object: &Object, skin_too: bool) {
        let surface = object.surface();
        for triangle in &surface.triangles {
            let crack = matches!(triangle.face, Face::Crack { .. });
            if crack || skin_too {
                let corners = triangle.corners.map(|c| self.place(&surface.vertices[c as usize]));
                self.pen.triangle(&corners, if crack { CRACKS } else { SKIN });
            }
        }
    }

    fn bounds(&self, object: &Object) {
        self.pen.edges(object.bounds(), |p| self.place(&p), BOX);
    }

    fn spheres(&self, object: &Object) {
        let (samples, middle) = (object.samples(), object.asset().centre());
        let circles = |spheres: &[SphereLanes]| {
            for (centre, radius) in spheres.iter().flat_map(SphereLanes::iter) {
                let centre = middle + centre.cast::<f64>();
                (0..3).for_each(|axis| self.circle(&centre, radius as f64, axis));
            }
        };
        match self.pen.draw.level {
            0 => circles(&samples.groups),
            1 => circles(&samples.buckets),
            _ => {
                let size = self.metres.length(0.005 * object.bounds().radius());
                for (points, ids) in samples.points.iter().zip(&samples.ids) {
                    for k in (0..ids.len()).filter(|k| ids[*k] != NONE) {
                        self.pen.cross(&self.place(&(middle + points.get(k).cast::<f64>())), size, SPHERES);
                    }
                }
            }
        }
    }

    fn circle(&self, centre: &Point, radius: f64, axis: usize) {
        let (u, v) = (Vector::ith((axis + 1) % 3, radius), Vector::ith((axis + 2) % 3, radius));
        let point = |k: u32| {
            let angle = std::f64::consts::TAU * k as f64 / SEGMENTS as f64;
            self.place(&(centre + u * cos(angle) + v * sin(angle)))
        };
        (0..SEGMENTS).for_each(|k| self.pen.line(&point(k), &point(k + 1), SPHERES));
    }
}
