//! Bodies as distances and sweeps see them: by the support function of their convex hull, and, where that is not the body, by
//! the triangles of their surface. In their own frames, in metres.

use super::body_field::reach;
use super::motion::{Closing, Size};
use crate::body::Object;
use crate::bvh::{Gaps, Places, Second, TreePair};
use crate::convex::epa::penetrate;
use crate::convex::gjk::{Separation, separate};
use crate::convex::support::{Placed, Rounded, Samples, Support};
use crate::field::DepthQuery;
use crate::field::shape::Shape;
use crate::geom::aabb::Aabb;
use crate::geom::plane::Plane;
use crate::geom::{NONE, Point, Pose, Vector};
use crate::reference::nodal::Scheme;
use nalgebra::Matrix3;
use std::cell::Cell;

/// Rounding of samples and of their support function in single precision, as a share of their distance from the centre of the asset.
const ROUNDING: f64 = 4e-7;
/// Penetration depths between hulls and between triangles are this accurate, as a share.
const ACCURACY: f64 = 1e-3;

/// A body.
pub(super) trait Body {
    /// Its convex hull.
    type Hull: Support;

    fn hull(&self) -> &Self::Hull;

    /// What it turns about.
    fn pivot(&self) -> Point;

    /// Its size about the pivot and about an axis through it.
    fn size(&self, axis: &Vector) -> Size;

    /// Smaller features than this do not count: for margins.
    fn radius(&self) -> f64;

    /// Bound of the rounding errors of the hull.
    fn rounding(&self) -> f64;

    /// Whether a point of the hull is within a distance of the body itself.
    fn is_on(&self, _p: &Point, _within: f64) -> bool {
        true
    }

    /// Its triangles; or its box, if the hull is the body. `None` if it has neither: then the hull is all that is looked at.
    fn parts(&self) -> Option<Second<'_>>;

    /// Its plane, if it is a half-space.
    fn plane(&self) -> Option<&Plane> {
        None
    }
}

/// An object.
pub(super) struct ObjectBody<'a> {
    pub object: &'a Object,
    hull: Samples<'a>,
}

impl<'a> ObjectBody<'a> {
    pub fn new(object: &'a Object) -> Self {
        Self { object, hull: Samples::new(object.samples(), object.asset().centre(), object.scale()) }
    }

    /// Middle and half extents of its box.
    fn around(&self) -> (Point, Vector) {
        let (samples, scale) = (self.object.samples(), self.object.scale());
        let middle = (self.object.asset().centre() + samples.middle.cast::<f64>()) * scale;
        (middle, samples.half.cast::<f64>() * scale)
    }
}

impl<'a> Body for ObjectBody<'a> {
    type Hull = Samples<'a>;

    fn hull(&self) -> &Samples<'a> {
        &self.hull
    }
    fn pivot(&self) -> Point {
        self.object.in_metres().mass().centre
    }
    fn size(&self, axis: &Vector) -> Size {
        let (middle, half) = self.around();
        Size::of_box(&middle, &half, &self.pivot(), axis)
    }
    fn radius(&self) -> f64 {
        reach(self.object)
    }
    fn rounding(&self) -> f64 {
        let samples = self.object.samples();
        ROUNDING * (samples.middle.norm() + samples.half.norm()) as f64 * self.object.scale()
    }
    fn is_on(&self, p: &Point, within: f64) -> bool {
        let (field, scale) = (self.object.field(Scheme::default()), self.object.scale());
        // The field is in single precision.
        let margin = (within / scale).max(2.0 * self.object.asset().field().rounding);
        field.touch(&(p / scale), &DepthQuery { margin, ..DepthQuery::ANY }).is_some()
    }
    fn parts(&self) -> Option<Second<'_>> {
        Some(Second::Tree(self.object.traced()?.tree(), self.object.scale()))
    }
}

/// A plain shape: all points within a radius of the convex hull of its samples. It turns about the origin of its frame.
pub(super) struct ShapeBody<'a, S: Shape> {
    hull: AroundSamples<'a, S>,
    around: Aabb,
}

pub(super) struct AroundSamples<'a, S: Shape> {
    shape: &'a S,
    /// From one sample to the next that counts: along a line, the ends do.
    step: u32,
}

impl<S: Shape> Support for AroundSamples<'_, S> {
    fn farthest(&self, direction: &Vector) -> (Point, u32) {
        let (mut most, mut best, mut id) = (f64::NEG_INFINITY, Point::origin(), 0);
        for k in (0..self.shape.sample_count()).step_by(self.step as usize) {
            let at = self.shape.sample(k);
            let along = at.coords.dot(direction);
            if along > most {
                (most, best, id) = (along, at, k);
            }
        }
        (best, id)
    }
    fn centre(&self) -> Point {
        self.shape.bounds().map_or_else(|| self.shape.sample(0), |bounds| bounds.centre())
    }
    fn margin(&self) -> f64 {
        self.shape.sample_radius()
    }
}

impl<'a, S: Shape> ShapeBody<'a, S> {
    pub fn new(shape: &'a S) -> Self {
        let last = shape.sample_count().saturating_sub(1);
        let hull = AroundSamples { shape, step: if shape.is_line() { last.max(1) } else { 1 } };
        let around = (0..=last).fold(Aabb::EMPTY, |bounds, k| {
            let (at, radius) = (shape.sample(k), Vector::repeat(shape.sample_radius()));
            Aabb { min: bounds.min.inf(&(at - radius)), max: bounds.max.sup(&(at + radius)) }
        });
        Self { hull, around }
    }
}

impl<'a, S: Shape> Body for ShapeBody<'a, S> {
    type Hull = AroundSamples<'a, S>;

    fn hull(&self) -> &Self::Hull {
        &self.hull
    }
    fn pivot(&self) -> Point {
        Point::origin()
    }
    fn size(&self, axis: &Vector) -> Size {
        Size::of_box(&self.around.centre(), &(self.around.size() * 0.5), &Point::origin(), axis)
    }
    fn radius(&self) -> f64 {
        f64::INFINITY // lengths refer to the object
    }
    fn rounding(&self) -> f64 {
        0.0
    }
    fn parts(&self) -> Option<Second<'_>> {
        Some(Second::One(self.around))
    }
}

/// A half-space, turning about the origin of its frame.
pub(super) struct PlaneBody {
    plane: Plane,
}

/// The point of a plane below the origin: its support function along its normal.
impl Support for PlaneBody {
    fn farthest(&self, _direction: &Vector) -> (Point, u32) {
        (Point::from(self.plane.normal * self.plane.offset), NONE)
    }
    fn centre(&self) -> Point {
        self.farthest(&self.plane.normal).0
    }
}

impl PlaneBody {
    pub fn new(plane: &Plane) -> Self {
        Self { plane: *plane }
    }
}

impl Body for PlaneBody {
    type Hull = Self;

    fn hull(&self) -> &Self {
        self
    }
    fn pivot(&self) -> Point {
        Point::origin()
    }
    fn size(&self, _axis: &Vector) -> Size {
        Size::ENDLESS
    }
    fn radius(&self) -> f64 {
        f64::INFINITY
    }
    fn rounding(&self) -> f64 {
        0.0
    }
    fn parts(&self) -> Option<Second<'_>> {
        None
    }
    fn plane(&self) -> Option<&Plane> {
        Some(&self.plane)
    }
}

/// Two bodies or parts of them along the direction between them, in the frame of A.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between {
    /// Separation along the normal: the two are at least this far apart. Negative: the overlap.
    pub gap: f64,
    /// Unit, from B to A.
    pub normal: Vector,
    /// The points on A and on B.
    pub points: [Point; 2],
}

/// The gap between two convex bodies; if they are farther apart than `beyond`, some lower bound of it that is larger than that.
pub(super) fn between<A: Support, B: Support>(a: &A, b: &B, start: &Vector, beyond: f64) -> Between {
    match separate(a, b, start, beyond) {
        Separation::Apart(apart) => Between { gap: apart.at_least, normal: apart.direction, points: apart.points },
        Separation::Overlapping(simplex) => {
            let found = penetrate(a, b, &simplex, ACCURACY);
            Between { gap: -found.depth, normal: found.direction, points: found.points }
        }
    }
}

/// The gap between the hulls of two bodies; `placed` leads from the frame of B to that of A.
pub(super) fn between_hulls<A: Body, B: Body>(a: &A, b: &B, placed: &Pose, start: &Vector, beyond: f64) -> Between {
    let Some(plane) = b.plane() else { return between(a.hull(), &Placed::new(b.hull(), placed), start, beyond) };
    let normal = placed.rotation * plane.normal;
    let offset = plane.offset + normal.dot(&placed.translation.vector);
    let lowest = a.hull().farthest(&-normal).0;
    let gap = normal.dot(&lowest.coords) - offset;
    Between { gap, normal, points: [lowest, lowest - normal * gap] }
}

/// The search over pairs of triangles, or over triangles and a convex body B.
pub(super) struct Parts<'q, B: Body> {
    trees: TreePair<'q>,
    b: &'q B,
    placed: Pose,
    turn: Matrix3<f64>,
}

/// Asked before each pair of parts (true) and of boxes whether a search goes on.
pub(super) type Spend<'q> = &'q dyn Fn(bool) -> bool;

/// Two parts, and where they are found again.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearParts {
    pub between: Between,
    places: Places,
}

impl<'q, B: Body> Parts<'q, B> {
    /// `None` if a body has no triangles.
    pub fn new<A: Body>(a: &'q A, b: &'q B, placed: &Pose) -> Option<Self> {
        let (Some(Second::Tree(tree, scale)), Some(second)) = (a.parts(), b.parts()) else { return None };
        let turn = *placed.rotation.to_rotation_matrix().matrix();
        Some(Self { trees: TreePair::new((tree, scale), second, placed), b, placed: *placed, turn })
    }

    /// The nearest two parts, if they are nearer than `range`. `spend` is told of each pair of parts (true) and of boxes, and ends the search by
    /// false: then nothing is known.
    pub fn nearest(&self, range: f64, spend: Spend) -> Option<NearParts> {
        let mut nearest: Option<NearParts> = None;
        let is_over = Cell::new(false);
        // Parts that overlap are compared by their depths.
        let bound = |gaps: &Gaps| match is_over.get() || !spend(false) {
            true => f64::INFINITY,
            false => Some(gaps.distance()).filter(|far| *far > 0.0).unwrap_or(f64::NEG_INFINITY),
        };
        self.trees.search(range, bound, |trees, places, best| {
            if !spend(true) {
                is_over.set(true);
                return f64::NEG_INFINITY;
            }
            let found = match trees.corners(places) {
                (a, Some(b)) => self.measure(&corners(&a), &corners(&b), best),
                (a, None) => self.measure(&corners(&a), &Placed::new(self.b.hull(), &self.placed), best),
            };
            if found.gap >= best {
                return best;
            }
            nearest = Some(NearParts { between: found, places });
            found.gap
        });
        nearest.filter(|_| !is_over.get())
    }

    fn measure<P: Support, Q: Support>(&self, a: &P, b: &Q, beyond: f64) -> Between {
        let start = a.centre() - b.centre();
        between(a, b, &start, beyond)
    }

    /// The time, at most `most`, until which all parts certainly stay farther apart than `lengths[0]` ([`Closing::safe_time`]), and the two
    /// parts that limit it. `last`: the two that did before. `spend` as in [`Self::nearest`].
    pub fn safe_time(
        &self,
        closing: &Closing,
        lengths: [f64; 2],
        most: f64,
        last: Option<&NearParts>,
        spend: Spend,
    ) -> (f64, Option<NearParts>) {
        let least = lengths[0];
        // Closing speeds along the axes of both frames, A ahead or behind.
        let axis = |k: usize| if k < 3 { Vector::ith(k, 1.0) } else { self.turn.column(k - 3).into_owned() };
        let speeds: [[f64; 2]; 6] =
            std::array::from_fn(|k| [closing.speed(&axis(k)), closing.speed(&-axis(k))].map(|speed| speed.max(0.0)));
        let is_over = Cell::new(false);
        let bound = |gaps: &Gaps| {
            if is_over.get() || !spend(false) {
                return f64::INFINITY;
            }
            let mut time = 0.0f64;
            for k in 0..6 {
                let (apart, speed) = (gaps.gaps[k] - least, speeds[k][(gaps.offsets[k] < 0.0) as usize]);
                if apart > 0.0 {
                    time = time.max(apart / speed);
                }
            }
            time
        };
        let mut limiting: Option<NearParts> = None;
        let mut visit = |trees: &TreePair, places: Places, best: f64| {
            if !spend(true) {
                is_over.set(true);
                return 0.0;
            }
            let (found, safe) = match trees.corners(places) {
                (a, Some(b)) => self.time_of(closing, (&corners(&a), &corners(&b)), lengths, best),
                (a, None) => {
                    let b = Placed::new(self.b.hull(), &self.placed);
                    self.time_of(closing, (&corners(&a), &b), lengths, best)
                }
            };
            if safe < best {
                limiting = Some(NearParts { between: found, places });
            }
            safe.min(best)
        };
        let first = last.map_or(most, |last| visit(&self.trees, last.places, most));
        let safe = self.trees.search(first, bound, visit);
        (safe, limiting)
    }

    fn time_of<P: Support, Q: Support>(
        &self,
        closing: &Closing,
        (a, b): (&P, &Q),
        lengths: [f64; 2],
        most: f64,
    ) -> (Between, f64) {
        let found = self.measure(a, b, f64::INFINITY);
        (found, closing.safe_time((a, b), &found.normal, lengths, most))
    }
}

fn corners(triangle: &[Point; 3]) -> Rounded<'_> {
    Rounded { points: triangle, radius: 0.0 }
}
