//! The creases of a piece made of planes, from the planes and the skin: no tetrahedron has to be cut.
//!
//! Skin triangles near the piece are clipped by its planes, but for those with all corners in the piece: it is the part of the body in a
//! convex cell, so they are in it whole. What a plane leaves behind is the rim of a crack. A line where two planes meet has a crease where
//! it is in the body.

use super::Segment;
use crate::body::Object;
use crate::crack::breaks::{CellPlane, Kind, box_planes};
use crate::field::DepthQuery;
use crate::geom::aabb::Aabb;
use crate::geom::number_set::NumberSet;
use crate::geom::plane::Plane;
use crate::geom::{Local, Point, Vector};
use crate::reference::nodal::Scheme;

/// Most corners of a clipped skin triangle. Every plane adds one at most; few come near a triangle. Beyond it corners are dropped.
const MOST_CORNERS: usize = 64;

/// An edge of a clipped skin triangle: of the triangle, or on a plane, by index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    OfTriangle(usize),
    OnPlane(usize),
}

/// A clipped skin triangle: corners, and the edge that starts at each.
type Clipped = Vec<(Point, Side)>;

/// Where planes of a piece meet on its skin: the two planes, and the place.
type Pierced = (usize, usize, Point);

/// The creases of a piece that rise by so much at least.
pub fn of_cell(object: &Object, least: f64) -> Vec<Segment> {
    let asset = object.asset();
    let (solid, skin, rises) = (asset.solid(), &asset.field().skin, asset.rises());
    let bounds = object.bounds();
    // The box, enlarged for rounding, excludes what other pieces have beyond planes that were not kept.
    let slack = Vector::repeat(asset.field().rounding);
    let around = Aabb { min: bounds.min - slack, max: bounds.max + slack };
    let planes: Vec<CellPlane> = object.planes().iter().copied().chain(box_planes(&around)).collect();
    let own = NumberSet::of_ascending(object.nodes());
    let mut sieve = Sieve::new(&planes, asset.centre(), asset.field().rounding);
    let mut clipping = Clipping { planes: &planes, ..Clipping::default() };
    let (mut segments, mut pierced) = (vec![], vec![]);
    let [low, high] = [around.min, around.max].map(|corner| (corner - asset.centre()).cast());
    for number in skin.meeting(&low, &high).iter() {
        let (triangle, sides) = (&solid.skin()[number as usize], &solid.skin_sides()[number as usize]);
        let place = |i: usize| solid.nodes()[triangle.nodes[i % 3] as usize];
        // Each edge of the skin once: from the triangle in which it runs upwards.
        let is_crease =
            |i: usize| triangle.nodes[i] < triangle.nodes[(i + 1) % 3] && rises[sides[i] as usize] as f64 >= least;
        if triangle.nodes.iter().all(|n| own.contains(*n)) {
            segments.extend((0..3).filter(|i| is_crease(*i)).map(|i| [place(i), place(i + 1)]));
            continue;
        }
        let corners = [0, 1, 2].map(place);
        if sieve.is_beyond(skin.ball(number)) || !Aabb::around(&corners).meets(&around) {
            continue;
        }
        let clipped = clipping.clip(&triangle.nodes, &corners);
        for k in 0..clipped.len() {
            let ((start, side), (end, next)) = (clipped[k], clipped[(k + 1) % clipped.len()]);
            match side {
                Side::OfTriangle(i) if is_crease(i) => segments.push([start, end]),
                Side::OnPlane(i) if planes[i].has_face => segments.push([start, end]),
                _ => {}
            }
            if let (Side::OnPlane(i), Side::OnPlane(j)) = (side, next)
                && planes[i].has_face
                && planes[j].has_face
            {
                pierced.push((i.min(j), i.max(j), end));
            }
        }
    }
    add_lines(object, &planes, &pierced, &mut segments);
    if object.kind() == Kind::PartOfCell {
        // Other pieces share the cell: keep what is on this one.
        let (field, near) = (object.field(Scheme::default()), 8.0 * asset.field().rounding);
        let ask = DepthQuery { margin: near, ..DepthQuery::ANY };
        segments.retain(|[a, b]| field.touch(&nalgebra::center(a, b), &ask).is_some());
    }
    segments.retain(|[a, b]| a != b);
    segments
}

/// Planes in single precision, to pass over what is beyond one of them.
struct Sieve {
    planes: Vec<(Local, f32)>,
    /// The plane that the last one was beyond: probably the next one is too.
    last: usize,
}

impl Sieve {
    /// `slack` is for rounding; positions are relative to `centre`.
    fn new(planes: &[CellPlane], centre: &Point, slack: f64) -> Self {
        let local =
            |CellPlane { plane, .. }: &CellPlane| (plane.normal.cast(), (slack - plane.distance(centre)) as f32);
        Self { planes: planes.iter().map(local).collect(), last: 0 }
    }

    /// Whether a ball is beyond a plane.
    fn is_beyond(&mut self, (centre, radius): (Local, f32)) -> bool {
        let beyond = |(normal, offset): &(Local, f32)| normal.dot(&centre) > offset + radius;
        if self.planes.get(self.last).is_some_and(beyond) {
            return true;
        }
        let found = self.planes.iter().position(beyond);
        self.last = found.unwrap_or(self.last);
        found.is_some()
    }
}

/// Clips triangles of the skin by the planes of a piece.
#[derive(Default)]
struct Clipping<'a> {
    planes: &'a [CellPlane],
    polygon: Clipped,
    before: Clipped,
    /// Planes that cut the triangle.
    cutting: Vec<usize>,
}

impl Clipping<'_> {
    /// What the planes leave of a triangle (Sutherland-Hodgman). Corners on edges of the triangle come out bit for bit alike from both
    /// triangles there.
    fn clip(&mut self, nodes: &[u32; 3], corners: &[Point; 3]) -> &[(Point, Side)] {
        self.polygon.clear();
        if !self.find_cutting(corners) {
            return &[];
        }
        self.polygon.extend((0..3).map(|k| (corners[k], Side::OfTriangle(k))));
        for number in &self.cutting {
            let plane = &self.planes[*number].plane;
            std::mem::swap(&mut self.polygon, &mut self.before);
            self.polygon.clear();
            for k in 0..self.before.len() {
                let ((a, side), (b, _)) = (self.before[k], self.before[(k + 1) % self.before.len()]);
                let (above, next) = (plane.distance(&a), plane.distance(&b));
                if above <= 0.0 {
                    self.polygon.push((a, side));
                }
                if (above <= 0.0) != (next <= 0.0) && self.polygon.len() < MOST_CORNERS {
                    let at = match side {
                        Side::OfTriangle(i) => {
                            let j = (i + 1) % 3;
                            let [i, j] = if nodes[i] < nodes[j] { [i, j] } else { [j, i] };
                            crossing(plane, &corners[i], &corners[j])
                        }
                        Side::OnPlane(_) => crossing(plane, &a, &b),
                    };
                    self.polygon.push((at, if above <= 0.0 { Side::OnPlane(*number) } else { side }));
                }
            }
        }
        &self.polygon
    }

    /// Finds the planes that cut a triangle; false if it is beyond one of them.
    fn find_cutting(&mut self, corners: &[Point; 3]) -> bool {
        let heights = |plane: &CellPlane| corners.each_ref().map(|p| plane.plane.distance(p));
        let is_beyond = |heights: &[f64; 3]| heights.iter().all(|height| *height > 0.0);
        self.cutting.clear();
        for (number, plane) in self.planes.iter().enumerate() {
            let heights = heights(plane);
            if is_beyond(&heights) {
                return false;
            }
            if heights.iter().any(|height| *height > 0.0) {
                self.cutting.push(number);
            }
        }
        true
    }
}

fn crossing(plane: &Plane, a: &Point, b: &Point) -> Point {
    let (above, next) = (plane.distance(a), plane.distance(b));
    a + (b - a) * (above / (above - next)).clamp(0.0, 1.0)
}

/// Adds the parts of lines between two planes that are in the body.
fn add_lines(object: &Object, planes: &[CellPlane], pierced: &[Pierced], segments: &mut Vec<Segment>) {
    let (middle, locator) = (object.asset().centre(), &object.asset().field().locator);
    let is_in_body = |p: &Point| locator.find(&(p - middle).cast()).is_some();
    let mut at = vec![];
    for i in (0..planes.len()).filter(|i| planes[*i].has_face) {
        for j in (i + 1..planes.len()).filter(|j| planes[*j].has_face) {
            let Some((start, along, [low, high])) = common_line(planes, i, j) else { continue };
            let ends =
                pierced.iter().filter(|(p, q, _)| (*p, *q) == (i, j)).map(|(_, _, end)| (end - start).dot(&along));
            at.clear();
            at.extend([low, high]);
            at.extend(ends.filter(|t| *t > low && *t < high));
            at.sort_unstable_by(f64::total_cmp);
            // From one end to the next the line is all inside or all outside.
            for part in at.windows(2).filter(|part| part[1] > part[0]) {
                if is_in_body(&(start + along * (0.5 * (part[0] + part[1])))) {
                    segments.push([start + along * part[0], start + along * part[1]]);
                }
            }
        }
    }
}

/// The line of two planes within all others: a point, the direction, and the range along it.
fn common_line(planes: &[CellPlane], i: usize, j: usize) -> Option<(Point, Vector, [f64; 2])> {
    let [p, q] = [i, j].map(|k| &planes[k].plane);
    let along = p.normal.cross(&q.normal);
    let squared = along.norm_squared();
    // Below 1e-4 radians they are one plane.
    if squared < 1e-8 {
        return None;
    }
    let start = Point::from((q.normal.cross(&along) * p.offset + along.cross(&p.normal) * q.offset) / squared);
    let along = along / squared.sqrt();
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (_, CellPlane { plane, .. }) in planes.iter().enumerate().filter(|(k, _)| *k != i && *k != j) {
        let (above, slope) = (plane.distance(&start), plane.normal.dot(&along));
        match slope {
            _ if slope > 1e-12 => high = high.min(-above / slope),
            _ if slope < -1e-12 => low = low.max(-above / slope),
            _ if above > 0.0 => return None,
            _ => {}
        }
        if low >= high {
            return None;
        }
    }
    Some((start, along, [low, high]))
}
