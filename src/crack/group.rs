//! How a piece of several cells is bounded: a group of convex cells (docs/formulations/exact-cells.md).
//!
//! A point is in the group where one of its cells is lower than all cells around. A ball within the body and the group that grows first
//! touches the skin or a face between a cell of the group and another: faces within the group do not exist. From outside, the nearest cell
//! of the group is what is nearest.

use super::planes::CellPlane;
use crate::geom::simd::{Lanewise, widest};
use crate::geom::{NONE, Point, Vector};
use crate::heap::held;
use std::ops::Range;

/// How many functions or faces are looked at together.
const FOUR: usize = 4;

/// Some cells that are one piece, or several pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Its cells.
    pub cells: Vec<Member>,
    /// The cells next to these that are not of the piece.
    pub around: Vec<Function>,
    /// The planes of its cells, towards each cell next to them.
    pub planes: Vec<CellPlane>,
    /// Its faces.
    pub faces: Vec<Face>,
    /// Their corners.
    pub corners: Vec<Point>,
    lanes: Lanes,
    /// No difference of two functions rises faster, along any way.
    steepest: f64,
}

/// The function of a cell: a point belongs to the cell whose function is lowest there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Function {
    /// How fast it rises, along each axis.
    pub normal: Vector,
    /// Its value at the origin.
    pub offset: f64,
}

/// A cell of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Member {
    /// Its function.
    pub function: Function,
    /// Its range of the group's planes.
    pub planes: Range<usize>,
    /// Whether other pieces have parts of it.
    pub is_shared: bool,
}

/// A face between a cell of a group and another cell: a convex polygon.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Number of its plane in the group.
    pub plane: u32,
    /// Its range of the group's corners, counter-clockwise seen from outside.
    pub corners: Range<usize>,
    /// A ball around it.
    pub centre: Point,
    /// See above.
    pub radius: f64,
}

impl Face {
    /// The face on a plane with these corners, which are in this range.
    pub fn new(plane: u32, corners: &[Point], range: Range<usize>) -> Self {
        let centre = Point::from(corners.iter().map(|p| p.coords).sum::<Vector>() / corners.len().max(1) as f64);
        let radius = corners.iter().map(|p| (p - centre).norm()).fold(0.0, f64::max) * (1.0 + 1e-9);
        Self { plane, corners: range, centre, radius }
    }
}

/// The same four at a time.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lanes {
    own: Vec<Four>,
    around: Vec<Four>,
    /// Planes of faces.
    faces: Vec<Four>,
}

/// Affine functions.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
struct Four {
    normal: [[f64; FOUR]; 3],
    offset: [f64; FOUR],
}

impl Four {
    fn list(functions: &[Function], offset_of_none: f64) -> Vec<Self> {
        let four = |functions: &[Function]| {
            let mut four = Self { normal: [[0.0; FOUR]; 3], offset: [offset_of_none; FOUR] };
            for (k, function) in functions.iter().enumerate() {
                (0..3).for_each(|axis| four.normal[axis][k] = function.normal[axis]);
                four.offset[k] = function.offset;
            }
            four
        };
        functions.chunks(FOUR).map(four).collect()
    }

    #[inline(always)] // for vectors of any width
    fn at(&self, p: &Vector) -> [f64; FOUR] {
        let [x, y, z] = &self.normal;
        std::array::from_fn(|k| x[k] * p.x + y[k] * p.y + z[k] * p.z + self.offset[k])
    }
}

/// A place on the faces of a group.
#[derive(Clone, Copy, Debug)]
pub struct OnFace {
    /// How far away it is.
    pub distance: f64,
    /// Where it is.
    pub at: Point,
    /// The number of the face.
    pub face: u32,
}

impl Group {
    /// Makes what searches need of the rest.
    pub fn prepared(mut self) -> Self {
        let own: Vec<Function> = self.cells.iter().map(|cell| cell.function).collect();
        let plane = |face: &Face| {
            let plane = &self.planes[face.plane as usize].plane;
            Function { normal: plane.normal, offset: -plane.offset }
        };
        let faces: Vec<Function> = self.faces.iter().map(plane).collect();
        self.lanes = Lanes {
            own: Four::list(&own, f64::INFINITY),
            around: Four::list(&self.around, f64::INFINITY),
            faces: Four::list(&faces, f64::INFINITY),
        };
        // Twice the largest distance from any of them, if not much more.
        let first = own.first().map_or(Vector::zeros(), |function| function.normal);
        let off = |function: &Function| (function.normal - first).norm();
        self.steepest = 2.0 * own.iter().chain(&self.around).map(off).fold(0.0, f64::max);
        self
    }

    /// Whether a point is in one of its cells.
    #[inline]
    pub fn contains(&self, p: &Point) -> bool {
        widest(IsOwn { own: &self.lanes.own, around: &self.lanes.around, p: &p.coords })
    }

    /// The cells that a point may be nearer to than a limit, and a few others: on the way there their functions become the lowest.
    pub fn near(&self, p: &Point, limit: f64) -> impl Iterator<Item = &Member> {
        let height = |function: &Function| function.normal.dot(&p.coords) + function.offset;
        let all = self.cells.iter().map(|cell| &cell.function).chain(&self.around);
        let lowest = all.map(height).fold(f64::INFINITY, f64::min);
        // Rounding is that of the largest terms.
        let most = lowest + limit * self.steepest * (1.0 + 1e-9) + 1e-12 * lowest.abs();
        self.cells.iter().filter(move |cell| {
            let is_high = height(&cell.function) > most; // false for NaN
            !is_high
        })
    }

    /// Whether other pieces have parts of its cells.
    pub fn is_shared(&self) -> bool {
        self.cells.iter().any(|cell| cell.is_shared)
    }

    /// Whether other pieces have parts of the cell of a point of the group.
    pub fn is_shared_at(&self, p: &Point) -> bool {
        let height = |cell: &Member| cell.function.normal.dot(&p.coords) + cell.function.offset;
        let lowest = self
            .cells
            .iter()
            .map(|cell| (height(cell), cell))
            .reduce(|best, next| if next.0 < best.0 { next } else { best });
        lowest.is_some_and(|(_, cell)| cell.is_shared)
    }

    /// The planes of one of its cells.
    pub fn planes_of(&self, cell: &Member) -> &[CellPlane] {
        &self.planes[cell.planes.clone()]
    }

    /// The plane of a face.
    pub fn plane_of(&self, face: u32) -> &CellPlane {
        &self.planes[self.faces[face as usize].plane as usize]
    }

    /// Calls `visit` with the nearest point of each face that is no farther than a limit.
    pub fn each_within(&self, p: &Point, limit: f64, mut visit: impl FnMut(OnFace)) {
        for (number, four) in self.lanes.faces.iter().enumerate() {
            for (k, height) in four.at(&p.coords).iter().enumerate().filter(|(_, height)| height.abs() <= limit) {
                let face = (number * FOUR + k) as u32;
                let at = self.closest_on(face, p, *height);
                let distance = (at - p).norm();
                if distance <= limit {
                    visit(OnFace { distance, at, face });
                }
            }
        }
    }

    /// The nearest point of its faces that is nearer than a limit; of those towards one piece if it is given.
    pub fn nearest(&self, p: &Point, limit: f64, towards: Option<u32>) -> Option<OnFace> {
        let (mut most, mut best) = (limit, None);
        for (number, four) in self.lanes.faces.iter().enumerate() {
            let heights = four.at(&p.coords);
            for (k, height) in heights.iter().enumerate() {
                let face = number * FOUR + k;
                // Infinite for what fills up the last four.
                if height.abs() >= most || towards.is_some_and(|piece| self.plane_of(face as u32).neighbour != piece) {
                    continue;
                }
                let Face { centre, radius, .. } = &self.faces[face];
                if (centre - p).norm() - radius >= most {
                    continue;
                }
                let at = self.closest_on(face as u32, p, *height);
                let distance = (at - p).norm();
                if distance < most {
                    (most, best) = (distance, Some(OnFace { distance, at, face: face as u32 }));
                }
            }
        }
        best
    }

    /// The point of a face that is closest to a point at a height above its plane.
    fn closest_on(&self, face: u32, p: &Point, height: f64) -> Point {
        let (normal, corners) =
            (self.plane_of(face).plane.normal, &self.corners[self.faces[face as usize].corners.clone()]);
        let foot = p - normal * height;
        let mut best = (f64::INFINITY, foot);
        let mut is_within = true;
        for (k, a) in corners.iter().enumerate() {
            let b = &corners[(k + 1) % corners.len()];
            let (way, along) = (foot - a, b - a);
            if normal.dot(&along.cross(&way)) >= 0.0 {
                continue;
            }
            is_within = false;
            let share = (way.dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            // A side without length has no direction.
            let at = if share.is_nan() { *a } else { a + along * share };
            let squared = (at - foot).norm_squared();
            if squared < best.0 {
                best = (squared, at);
            }
        }
        if is_within { foot } else { best.1 }
    }

    /// The pieces across its faces, ascending, each with the sum of the area normals.
    pub fn directions(&self) -> Vec<(u32, Vector)> {
        let area = |face: &Face| {
            let corners = &self.corners[face.corners.clone()];
            let pairs = corners.iter().zip(corners.iter().cycle().skip(1));
            pairs.map(|(a, b)| (a - face.centre).cross(&(b - face.centre))).sum::<Vector>()
        };
        let towards = |face: &Face| self.planes[face.plane as usize].neighbour;
        let mut sums: Vec<(u32, Vector)> = self.faces.iter().map(|face| (towards(face), area(face))).collect();
        sums.retain(|(piece, _)| *piece != NONE);
        sums.sort_by_key(|(piece, _)| *piece);
        sums.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        sums
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let lanes = held(&self.lanes.own) + held(&self.lanes.around) + held(&self.lanes.faces);
        held(&self.cells) + held(&self.around) + held(&self.planes) + held(&self.faces) + held(&self.corners) + lanes
    }
}

/// Whether the lowest of some functions is lower than that of others.
struct IsOwn<'a> {
    own: &'a [Four],
    around: &'a [Four],
    p: &'a Vector,
}

impl Lanewise for IsOwn<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let lowest = |list: &[Four]| {
            let mut least = [f64::INFINITY; FOUR];
            for four in list {
                let heights = four.at(self.p);
                least = std::array::from_fn(|k| if heights[k] < least[k] { heights[k] } else { least[k] });
            }
            least.into_iter().fold(f64::INFINITY, |a, b| if b < a { b } else { a })
        };
        lowest(self.own) < lowest(self.around)
    }
}
