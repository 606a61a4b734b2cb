//! Simple shapes to query against.

use super::descriptor::{self, NOTHING, Stamped};
use super::handles::Held;
use super::hull;
use super::pointer::{FARTHEST, Strided, length, place, strided_view};
use super::status::Failure;
use super::types::fc_hull;
use crate::field::shape::{self, Ball, Capsule, Cuboid, Custom, HalfSpace, Hull};
use crate::geom::plane::Plane;
use crate::geom::{Point, Vector};
use std::cell::Cell;
use std::ffi::c_void;

/// All points below a plane: normal . x <= offset.
pub const FC_SHAPE_HALF_SPACE: u32 = 1;
/// A ball of `radius` around the origin of its frame.
pub const FC_SHAPE_BALL: u32 = 2;
/// A box of `half_extents` around the origin of its frame.
pub const FC_SHAPE_BOX: u32 = 3;
/// All points within `radius` of the segment from `ends[0]` to `ends[1]`.
pub const FC_SHAPE_CAPSULE: u32 = 4;
/// A convex hull; see fc_hull_create.
pub const FC_SHAPE_HULL: u32 = 5;
/// A signed distance field given by `field`: terrain, a heightfield, your own distance field.
pub const FC_SHAPE_FIELD: u32 = 6;

/// Returns the signed distance, in metres, from three doubles at `point` (in the shape's frame) to the surface of a
/// body, negative inside, and writes the direction out of the body there to three doubles at `outward` (any nonzero
/// length). The distance must be 1-Lipschitz: it must not change faster than the point moves. Underestimating it
/// outside, or overestimating it inside, costs time; the opposite loses contacts. Called a few hundred times per
/// query, by the querying thread. May call fc_ functions; must not throw or longjmp.
pub type fc_field_fn =
    Option<unsafe extern "C" fn(point: *const f64, outward: *mut f64, user_data: *mut c_void) -> f64>;

/// A shape. Start from fc_shape_default() and set `kind` and the fields that it uses. Lengths in metres.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_shape {
    /// Set by fc_shape_default().
    pub struct_size: u32,
    /// FC_SHAPE_*. There is no default.
    pub kind: u32,
    /// Half-space: outward normal, of any nonzero length. Default z.
    pub normal: [f32; 3],
    /// Half-space: offset of the plane along the unit normal.
    pub offset: f32,
    /// Box: half extents.
    pub half_extents: [f32; 3],
    /// Ball, capsule: radius.
    pub radius: f32,
    /// Capsule: end points of its segment.
    pub ends: [[f32; 3]; 2],
    /// Hull: handle of the hull.
    pub hull: fc_hull,
    /// Field: the distance function.
    pub field: fc_field_fn,
    /// Passed to field.
    pub user_data: *mut c_void,
    /// Field: protruding points of its surface, three floats per point, such as the vertices of a terrain. Only
    /// these detect a sharp point that penetrates the middle of a coarse face. May be NULL.
    pub points: *const f32,
    /// Number of points.
    pub point_count: u32,
    /// Bytes from one point to the next; 0: tightly packed.
    pub point_stride: u32,
}

// SAFETY: sizes add up without padding; numbers may be any bytes, and the caller guarantees the pointers.
unsafe impl Stamped for fc_shape {
    const NAME: &'static str = "fc_shape";
    const DEFAULT: Self = Self {
        struct_size: 0,
        kind: 0,
        normal: [0.0, 0.0, 1.0],
        offset: 0.0,
        half_extents: [0.0; 3],
        radius: 0.0,
        ends: [[0.0; 3]; 2],
        hull: fc_hull { id: 0 },
        field: None,
        user_data: NOTHING,
        points: std::ptr::null(),
        point_count: 0,
        point_stride: 0,
    };
}

/// A validated shape.
pub(super) enum Shape {
    HalfSpace(HalfSpace),
    Ball(Ball),
    Box(Cuboid),
    Capsule(Capsule),
    Hull(Held<Hull>),
    Field(Callback),
}

/// What is done with a shape, whatever its kind.
pub(super) trait ForShape {
    type Output;
    fn run(self, shape: &impl shape::Shape) -> Result<Self::Output, Failure>;
}

impl Shape {
    /// Fails also if a caller's field returns an invalid result meanwhile.
    pub fn with<W: ForShape>(&self, work: W) -> Result<W::Output, Failure> {
        match self {
            Self::HalfSpace(half_space) => work.run(half_space),
            Self::Ball(ball) => work.run(ball),
            Self::Box(cuboid) => work.run(cuboid),
            Self::Capsule(capsule) => work.run(capsule),
            Self::Hull(hull) => work.run(&**hull),
            Self::Field(callback) => {
                let result = work.run(&Custom {
                    signed: |p: &_| callback.ask(p),
                    point_count: callback.point_count(),
                    point: |k| callback.point(k),
                })?;
                callback.made_sense()?;
                Ok(result)
            }
        }
    }
}

/// A caller's field. Its results are checked as they arrive; the query fails with the first invalid one.
pub(super) struct Callback {
    field: unsafe extern "C" fn(*const f64, *mut f64, *mut c_void) -> f64,
    user_data: *mut c_void,
    points: Strided<f32, 3>,
    nonsense: Cell<Option<[f64; 4]>>,
}

impl Callback {
    /// Signed distance and outward direction. Far outside after the first invalid result.
    fn ask(&self, p: &Point) -> (f64, Vector) {
        let mut outward = [0.0; 3];
        // SAFETY: the header requires a function with this signature.
        let distance = unsafe { (self.field)(p.coords.as_ptr(), outward.as_mut_ptr(), self.user_data) };
        let way = Vector::from(outward);
        let length = way.norm();
        if !(distance.is_finite() && length > 0.0 && length.is_finite()) {
            self.nonsense.set(Some([distance, way.x, way.y, way.z]));
            return (f64::INFINITY, Vector::z());
        }
        // Farther makes no difference.
        (distance.clamp(-FARTHEST, FARTHEST), way)
    }

    /// Number of points of the surface.
    fn point_count(&self) -> u32 {
        self.points.count()
    }

    /// Point of the surface by index.
    fn point(&self, k: u32) -> Point {
        Point::from(self.points.get(k).map(f64::from))
    }

    /// Fails if the field has returned an invalid result.
    fn made_sense(&self) -> Result<(), Failure> {
        let Some([distance, x, y, z]) = self.nonsense.get() else { return Ok(()) };
        Err(Failure::argument(format!(
            "shape.field returned {distance} with outward ({x}, {y}, {z}); both must be finite, and outward not zero"
        )))
    }
}

/// # Safety
/// `shape` is as large as it says, and its points are readable as far as their count says.
pub(super) unsafe fn read(shape: *const fc_shape) -> Result<Shape, Failure> {
    // SAFETY: required.
    let shape = unsafe { descriptor::read(shape, "shape")? };
    Ok(match shape.kind {
        FC_SHAPE_HALF_SPACE => {
            let normal = Vector::from(shape.normal.map(f64::from));
            let unit = normal.try_normalize(0.0).filter(|n| n.iter().all(|c| c.is_finite()));
            let (Some(normal), true) = (unit, shape.offset.abs() as f64 <= FARTHEST) else {
                let text =
                    format!("shape.normal is {:?} and offset {}; a plane needs both", shape.normal, shape.offset);
                return Err(Failure::argument(text));
            };
            Shape::HalfSpace(HalfSpace(Plane { normal, offset: shape.offset as f64 }))
        }
        FC_SHAPE_BALL => Shape::Ball(Ball { centre: Point::origin(), radius: length(shape.radius, "shape.radius")? }),
        FC_SHAPE_BOX => {
            for half in shape.half_extents {
                length(half, "shape.half_extents")?;
            }
            let half = Vector::from(shape.half_extents.map(f64::from));
            Shape::Box(Cuboid { centre: Point::origin(), half })
        }
        FC_SHAPE_CAPSULE => {
            let ends = [0, 1].map(|k| shape.ends[k].map(f64::from));
            let ends = [place(ends[0], "shape.ends[0]")?, place(ends[1], "shape.ends[1]")?].map(Point::from);
            Shape::Capsule(Capsule { ends, radius: length(shape.radius, "shape.radius")? })
        }
        FC_SHAPE_HULL => Shape::Hull(hull::get(shape.hull, "shape.hull")?),
        FC_SHAPE_FIELD => {
            let field = shape.field.ok_or_else(|| Failure::argument("shape.field is NULL; it must be a function"))?;
            // SAFETY: the header requires `point_count` readable points.
            let points = unsafe { strided_view(shape.points, shape.point_count, shape.point_stride, "shape.points")? };
            let callback = Callback { field, user_data: shape.user_data, points, nonsense: Cell::new(None) };
            for k in 0..callback.point_count() {
                let p = callback.point(k).coords;
                if !p.iter().all(|c| c.abs() <= FARTHEST) {
                    let text =
                        format!("shape.points[{k}] is {:?}; it must be finite and below {FARTHEST:e} m", p.as_slice());
                    return Err(Failure::argument(text));
                }
            }
            Shape::Field(callback)
        }
        other => return Err(Failure::argument(format!("shape.kind is {other}; it must be one of FC_SHAPE_*"))),
    })
}

/// Fills a shape of `struct_size` bytes with the defaults; use fc_shape_default().
///
/// # Safety
/// `shape` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_shape_init(shape: *mut fc_shape, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(shape, struct_size) };
}
