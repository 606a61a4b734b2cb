//! The creases of an object, made on first use: convex edges of its skin, and edges of its cracks.
//!
//! A piece made of planes is the original body within them, so its creases follow from the planes and the skin, and no tetrahedron
//! has to be cut: skin triangles are clipped by the planes; what a plane leaves behind is the rim of a crack; a line where two
//! planes meet has a crease where it is in the body. Other pieces take the edges of their surface.
//!
//! Left out are edges that hardly stand out. If two such edges cross, each of length h with an angle θ between the normals beside
//! it, bodies overlap by no more than h/2 tan(θ/2) before an end of one is inside the other: the *rise* of an edge.

use super::outline::bits;
use crate::asset::Asset;
use crate::body::Object;
use crate::crack::breaks::{CellPlane, box_planes};
use crate::field::DepthQuery;
use crate::geom::aabb::Aabb;
use crate::geom::plane::Plane;
use crate::geom::{Local, Point, Vector, morton};
use crate::reference::nodal::Scheme;
use crate::samples::creases::Creases;
use crate::solid::surface::Surface;

/// Edges that rise by less than this share of the bounding radius of their piece are left out: twice the default margin.
const RISE: f64 = 0.002;
/// Creases that follow each other are one if its ends are in line with all others within this share of the radius. A tenth of
/// the default margin, so nothing is seen of it.
const STRAIGHT: f64 = 1e-4;
/// Most corners of a clipped skin triangle. Every plane adds one at most; few come near a triangle. Beyond it corners are dropped.
const MOST_CORNERS: usize = 64;

/// A segment between two points, in the frame of the asset.
type Segment = [Point; 2];

impl Object {
    /// Prepares what contact queries of the object would otherwise prepare on first use; for example in a job of its
    /// own, before the next frame. Rays and drawings still prepare theirs on first use.
    pub fn prepare(&self) {
        self.samples();
        self.creases();
        self.field(Scheme::default()).prepare_all();
    }

    /// Its creases. Made on first use.
    pub fn creases(&self) -> &Creases {
        self.creases_slot().get_or_init(|| {
            let radius = self.samples().half.norm() as f64;
            let least = RISE * radius;
            let mut segments = match self.kind().is_made_of_planes() {
                _ if !self.is_fragment() => of_skin(self, least),
                true => of_cell(self, least),
                false => of_surface(&self.surface(), least),
            };
            join(&mut segments, STRAIGHT * radius);
            let middles: Vec<Point> = segments.iter().map(|[a, b]| nalgebra::center(a, b)).collect();
            let local = |p: &Point| -> Local { (p - self.asset().centre()).cast() };
            let in_order = morton::order(&middles).into_iter().map(|k| segments[k as usize].each_ref().map(local));
            Creases::new(&in_order.collect::<Vec<_>>())
        })
    }
}

/// The rise of an edge between two triangles, given by unit normals: 0 if it is concave. `beside` is a vector from a point of the edge to
/// the third corner of the second triangle.
fn rise(length: f64, normals: &[Vector; 2], beside: &Vector) -> f64 {
    if normals[0].dot(beside) >= 0.0 {
        return 0.0;
    }
    let cos = normals[0].dot(&normals[1]).clamp(-1.0, 1.0);
    // Of half the angle. A knife's edge counts as one of 170 degrees.
    0.5 * length * ((1.0 - cos) / (1.0 + cos).max(0.0076)).sqrt()
}

fn unit_normal([a, b, c]: &[Point; 3]) -> Vector {
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default()
}

/// The rise of each edge of the skin of an asset.
fn rises(asset: &Asset) -> &[f32] {
    asset.rises_slot().get_or_init(|| {
        let solid = asset.solid();
        let corners = |t: usize| solid.skin()[t].nodes.map(|n| solid.nodes()[n as usize]);
        let mut beside = vec![[usize::MAX; 2]; solid.skin_edges().len()];
        let mut rises = vec![0.0f32; beside.len()];
        for (t, sides) in solid.skin_sides().iter().enumerate() {
            for side in sides.map(|side| side as usize) {
                match &mut beside[side] {
                    [first, _] if *first == usize::MAX => *first = t,
                    [_, second] if *second == usize::MAX => *second = t,
                    // Several sheets meet: whatever the angle.
                    _ => rises[side] = solid.edge_length(&solid.skin_edges()[side]) as f32,
                }
            }
        }
        for (side, [first, second]) in beside.into_iter().enumerate().filter(|(_, [_, second])| *second != usize::MAX) {
            let edge = &solid.skin_edges()[side];
            let triangles = [first, second].map(corners);
            let third = solid.skin()[second].nodes.iter().find(|n| !edge.contains(n)).map_or(edge[0], |n| *n);
            let across = solid.nodes()[third as usize] - solid.nodes()[edge[0] as usize];
            let rise = rise(solid.edge_length(edge), &triangles.each_ref().map(unit_normal), &across) as f32;
            rises[side] = rises[side].max(rise);
        }
        rises
    })
}

/// The creases of an intact body.
fn of_skin(object: &Object, least: f64) -> Vec<Segment> {
    let solid = object.asset().solid();
    let body = |node: u32| solid.bodies().1[node as usize];
    let edges = solid.skin_edges().iter().zip(rises(object.asset()));
    let own = edges.filter(|(edge, rise)| **rise as f64 >= least && body(edge[0]) == object.piece_number());
    own.map(|(edge, _)| edge.map(|n| solid.nodes()[n as usize])).collect()
}

/// The creases of a closed surface.
fn of_surface(surface: &Surface, least: f64) -> Vec<Segment> {
    let at = |k: u32| surface.vertices[k as usize];
    let mut sides: Vec<(u32, u32, u32)> = vec![];
    for (triangle, number) in surface.triangles.iter().zip(0..) {
        let [a, b, c] = triangle.corners;
        sides.extend([(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b), number)));
    }
    sides.sort_unstable();
    let mut segments = vec![];
    for run in sides.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
        let ends = [at(run[0].0), at(run[0].1)];
        let rise = match run {
            [first, second] => {
                let corners = [first.2, second.2].map(|t| surface.triangles[t as usize].corners);
                let third = corners[1].into_iter().find(|c| ![run[0].0, run[0].1].contains(c)).unwrap_or(run[0].0);
                let normals = corners.map(|corners| unit_normal(&corners.map(at)));
                rise((ends[1] - ends[0]).norm(), &normals, &(at(third) - ends[0]))
            }
            // Several sheets meet: whatever the angle.
            _ => (ends[1] - ends[0]).norm(),
        };
        if rise >= least {
            segments.push(ends);
        }
    }
    segments
}

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

/// The creases of a piece made of planes.
fn of_cell(object: &Object, least: f64) -> Vec<Segment> {
    let solid = object.asset().solid();
    let bounds = object.bounds();
    // The box, enlarged for rounding, excludes what other pieces have beyond planes that were not kept.
    let slack = Vector::repeat(object.asset().field().rounding);
    let around = Aabb { min: bounds.min - slack, max: bounds.max + slack };
    let planes: Vec<CellPlane> = object.planes().iter().copied().chain(box_planes(&around)).collect();
    let rises = rises(object.asset());
    let (mut segments, mut pierced) = (vec![], vec![]);
    let mut polygon: [Clipped; 2] = Default::default();
    for (triangle, sides) in solid.skin().iter().zip(solid.skin_sides()) {
        let corners = triangle.nodes.map(|n| solid.nodes()[n as usize]);
        if !Aabb::around(&corners).meets(&around) {
            continue;
        }
        clip(&triangle.nodes, &corners, &planes, &mut polygon);
        let clipped = &polygon[0];
        for k in 0..clipped.len() {
            let ((start, side), (end, next)) = (clipped[k], clipped[(k + 1) % clipped.len()]);
            match side {
                // Each edge of the skin once: from the triangle in which it runs upwards.
                Side::OfTriangle(i)
                    if triangle.nodes[i] < triangle.nodes[(i + 1) % 3] && rises[sides[i] as usize] as f64 >= least =>
                {
                    segments.push([start, end]);
                }
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
    if object.kind() == crate::crack::breaks::Kind::PartOfCell {
        // Other pieces share the cell: keep what is on this one.
        let (field, near) = (object.field(Scheme::default()), 8.0 * object.asset().field().rounding);
        let ask = DepthQuery { margin: near, ..DepthQuery::ANY };
        segments.retain(|[a, b]| field.touch(&nalgebra::center(a, b), &ask).is_some());
    }
    segments.retain(|[a, b]| a != b);
    segments
}

/// Clips a triangle of the skin by planes (Sutherland-Hodgman); the result is in `out[0]`. Corners on edges of the triangle come out bit
/// for bit alike from both triangles there.
fn clip(nodes: &[u32; 3], corners: &[Point; 3], planes: &[CellPlane], out: &mut [Clipped; 2]) {
    let [polygon, before] = out;
    polygon.clear();
    polygon.extend((0..3).map(|k| (corners[k], Side::OfTriangle(k))));
    for (number, CellPlane { plane, .. }) in planes.iter().enumerate() {
        if polygon.iter().all(|(p, _)| plane.distance(p) <= 0.0) {
            continue;
        }
        std::mem::swap(polygon, before);
        polygon.clear();
        for k in 0..before.len() {
            let ((a, side), (b, _)) = (before[k], before[(k + 1) % before.len()]);
            let (above, next) = (plane.distance(&a), plane.distance(&b));
            if above <= 0.0 {
                polygon.push((a, side));
            }
            if (above <= 0.0) != (next <= 0.0) && polygon.len() < MOST_CORNERS {
                let at = match side {
                    Side::OfTriangle(i) => {
                        let j = (i + 1) % 3;
                        let [i, j] = if nodes[i] < nodes[j] { [i, j] } else { [j, i] };
                        crossing(plane, &corners[i], &corners[j])
                    }
                    Side::OnPlane(_) => crossing(plane, &a, &b),
                };
                polygon.push((at, if above <= 0.0 { Side::OnPlane(number) } else { side }));
            }
        }
        if polygon.is_empty() {
            return;
        }
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

/// Joins segments that follow each other in a straight line, within `off`.
fn join(segments: &mut Vec<Segment>, off: f64) {
    // Ends by place: where exactly two segments meet, they may be joined.
    let mut ends: Vec<([u64; 3], usize)> =
        segments.iter().enumerate().flat_map(|(k, s)| [0, 1].map(|e| (bits(&s[e]), 2 * k + e))).collect();
    ends.sort_unstable();
    let mut other = vec![usize::MAX; ends.len()];
    for run in ends.chunk_by(|a, b| a.0 == b.0) {
        if let [(_, a), (_, b)] = run
            && a / 2 != b / 2
        {
            (other[*a], other[*b]) = (*b, *a);
        }
    }
    let at = |end: usize, all: &[Segment]| all[end / 2][end % 2];
    let mut is_used = vec![false; segments.len()];
    let mut joined: Vec<Segment> = Vec::with_capacity(segments.len());
    let mut passed: Vec<Point> = vec![];
    for first in 0..segments.len() {
        if is_used[first] {
            continue;
        }
        is_used[first] = true;
        let mut tips = [2 * first, 2 * first + 1];
        passed.clear();
        for side in 0..2 {
            loop {
                let next = other[tips[side]];
                if next == usize::MAX || is_used[next / 2] {
                    break;
                }
                let (far, from) = (next ^ 1, at(tips[1 - side], segments));
                let to = at(far, segments);
                passed.push(at(tips[side], segments));
                if !is_straight(&from, &passed, &to, off) {
                    passed.pop();
                    break;
                }
                is_used[next / 2] = true;
                tips[side] = far;
            }
        }
        joined.push(tips.map(|tip| at(tip, segments)));
    }
    *segments = joined;
}

/// Whether points lie on the segment between two others, within `off`.
fn is_straight(from: &Point, points: &[Point], to: &Point, off: f64) -> bool {
    let Some(along) = (to - from).try_normalize(0.0) else { return false };
    let length = (to - from).norm();
    points.iter().all(|p| {
        let t = (p - from).dot(&along);
        (0.0..=length).contains(&t) && (p - from - along * t).norm() <= off
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::CookOptions;
    use crate::fracture::{FractureOptions, Pattern, fracture};
    use crate::solid::shapes;

    fn pieces(solid: crate::solid::Solid, count: u32) -> Vec<Object> {
        let asset = Asset::cook(solid, &CookOptions::default()).unwrap();
        let object = Object::intact(&asset).remove(0);
        let outcome = fracture(&object, &Pattern::random_voronoi(count, 5), &FractureOptions::default());
        outcome.unwrap().broken().unwrap().objects
    }

    fn length(segments: &[Segment]) -> f64 {
        segments.iter().map(|[a, b]| (b - a).norm()).sum()
    }

    /// Distance of a point from the nearest of some segments.
    fn off(segments: &[Segment], p: &Point) -> f64 {
        let one = |[a, b]: &Segment| {
            let along = b - a;
            let t = ((p - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            (p - (a + along * t)).norm()
        };
        segments.iter().map(one).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn creases_from_planes_are_the_edges_of_the_surface() {
        let solids = [
            (shapes::cuboid([1.0, 0.6, 0.3], [6, 4, 2]), 12),
            (shapes::ball(1.0, 6), 20),
            (shapes::cuboid([1.0, 1.0, 1.0], [1, 1, 1]), 7),
            (shapes::torus(1.0, 0.3, 20, 8), 9),
        ];
        for (solid, count) in solids {
            for piece in pieces(solid, count) {
                assert!(piece.kind().is_made_of_planes());
                let radius = piece.samples().half.norm() as f64;
                let (mut by_planes, mut by_surface) =
                    (of_cell(&piece, RISE * radius), of_surface(&piece.surface(), RISE * radius));
                // Creases of the skin that a crack shortened are too short for the surface's.
                let (a, b) = (length(&by_planes), length(&by_surface));
                assert!(a > 0.999 * b && a < 1.15 * b, "{a} for {b}");
                for [p, q] in &by_surface {
                    assert!(off(&by_planes, &nalgebra::center(p, q)) < 1e-5 * radius);
                }
                for list in [&mut by_planes, &mut by_surface] {
                    let before = (list.len(), length(list));
                    join(list, STRAIGHT * radius);
                    assert!(list.len() <= before.0 && (length(list) - before.1).abs() < 1e-4 * before.1);
                }
            }
        }
    }

    #[test]
    fn a_box_has_twelve_creases_however_fine_its_mesh() {
        for cells in [1, 4] {
            let asset = Asset::cook(shapes::cuboid([1.0, 2.0, 3.0], [cells; 3]), &CookOptions::default()).unwrap();
            let creases = Object::intact(&asset).remove(0).creases().len();
            assert_eq!(creases, 12);
        }
    }
}
