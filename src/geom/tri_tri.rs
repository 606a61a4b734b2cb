//! Whether two triangles intersect, decided exactly, and an approximate contact of those that do.
//!
//! Answers are those of exact arithmetic on the given doubles: the same for both orders of the triangles and for every order of
//! their corners. Touching triangles intersect. Triangles without area (segments, points) are handled exactly too.
//!
//! Structure after Guigue and Devillers, *Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates* (2003):
//! the corners of each triangle against the plane of the other, then the order of two pairs of points on the line where the planes
//! cross. Departures: the three heights over a plane share one normal and one error bound; coplanar triangles use separating axes
//! in a projection, which needs no case table and holds for segments and points.
//!
//! Range: exact while every coordinate is zero or between 1e-90 and 1e90 in magnitude, so that no product of three underflows or
//! overflows. Triangles with coordinates that are not finite never intersect.

use crate::geom::{Point, Vector, segment};
use robust::{Coord, Coord3D};

/// Bound of the relative rounding error of a height, in shares of its permanent: eight roundings of 2^-53 in every product of three
/// (three differences, two products, three sums), and one to spare.
const ROUNDING: f64 = 1e-15;

/// Which corners two triangles of one mesh share: see [`shared_corners`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    count: u8,
    /// The corner at which the shared ones start, in either triangle; 0 to 2.
    first: [u8; 2],
}

impl Shared {
    /// Number of shared corners, 0 to 3.
    #[inline]
    pub fn count(self) -> u32 {
        self.count as u32
    }

    /// The corners of a triangle (0: a, 1: b), the shared ones first.
    #[inline(always)]
    fn rotated(self, corners: [&Point; 3], which: usize) -> [&Point; 3] {
        let first = self.first[which] as usize;
        [first, (first + 1) % 3, (first + 2) % 3].map(|k| corners[k])
    }
}

/// The corners that two triangles have in common, by vertex ids. The three ids of a triangle differ from each other.
#[inline]
pub fn shared_corners(a: [u32; 3], b: [u32; 3]) -> Shared {
    // Indexed by a set of corners: the one that the others follow, and how many there are.
    const FIRST: [u8; 8] = [0, 0, 1, 0, 2, 2, 1, 0];
    const COUNT: [u8; 8] = [0, 1, 1, 2, 1, 2, 2, 3];
    let in_b = |id: u32| (id == b[0]) as usize | ((id == b[1]) as usize) << 1 | ((id == b[2]) as usize) << 2;
    let met = a.map(in_b);
    let of_a = (met[0] != 0) as usize | ((met[1] != 0) as usize) << 1 | ((met[2] != 0) as usize) << 2;
    let of_b = met[0] | met[1] | met[2];
    Shared { count: COUNT[of_a], first: [FIRST[of_a], FIRST[of_b]] }
}

/// Whether two closed triangles have a point in common.
#[inline]
pub fn intersect(a: [&Point; 3], b: [&Point; 3]) -> bool {
    meeting(a, b).is_some()
}

/// Whether two triangles of one mesh have a point in common that is not on the corner or the edge they share.
///
/// - No shared corner: as [`intersect`].
/// - One: whether they also meet elsewhere. Overlapping edges that leave the corner in the same direction count.
/// - Two: whether they are folded flat onto each other.
/// - Three: always.
///
/// `shared` is that of the ids of `a` and `b`, in this order; shared corners have the same position.
#[inline]
pub fn intersect_beyond(a: [&Point; 3], b: [&Point; 3], shared: Shared) -> bool {
    match shared.count {
        0 => intersect(a, b),
        1 => meet_beyond_corner(shared.rotated(a, 0), shared.rotated(b, 1)),
        2 => folded_flat(shared.rotated(a, 0), shared.rotated(b, 1)[2]),
        _ => true,
    }
}

/// Where two triangles intersect, and how to part them. All values are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleContact {
    /// Middle of `segment`.
    pub point: Point,
    /// Unit vector, from b towards a: translating a by `depth` along it leaves the triangles touching at most.
    pub normal: Vector,
    /// Penetration depth, at least 0.
    pub depth: f64,
    /// The intersection, to rounding: of a coplanar overlap its longest diagonal, of two segments one point.
    pub segment: [Point; 2],
}

/// The contact of two triangles, counter-clockwise seen from outside; `None` if they do not intersect.
///
/// The depth is the smaller of two: how far the corners of a are behind the plane of b, along the normal of b; and how far those of b
/// are behind the plane of a, along the opposite of the normal of a. Equal depths take the normal of b: coplanar triangles have
/// depth 0 and the normal of b.
pub fn contact(a: [&Point; 3], b: [&Point; 3]) -> Option<TriangleContact> {
    let [of_a, of_b] = meeting(a, b)?;
    let (a_crosses, b_crosses) = (!all_zero(&of_a), !all_zero(&of_b));
    let segment = match (a_crosses, b_crosses) {
        (true, true) => overlap(crossing(a, &of_a), crossing(b, &of_b)),
        (true, false) => crossing(a, &of_a),
        (false, true) => crossing(b, &of_b),
        (false, false) => flat_overlap(a, b),
    };
    let out_of_b = unit_normal(b).map(|n| (depth_behind(&n, b[0], a, &of_a), n));
    let out_of_a = unit_normal(a).map(|n| (depth_behind(&n, a[0], b, &of_b), -n));
    let (depth, normal) = match (out_of_b, out_of_a) {
        (Some(b), Some(a)) if a.0 < b.0 => a,
        (Some(b), _) => b,
        (None, Some(a)) => a,
        (None, None) => (0.0, Vector::z()),
    };
    Some(TriangleContact { point: nalgebra::center(&segment[0], &segment[1]), normal, depth, segment })
}

/// Heights of the corners of either triangle over the plane of the other, if the triangles intersect: signs are exact.
#[inline(always)]
fn meeting(a: [&Point; 3], b: [&Point; 3]) -> Option<[[f64; 3]; 2]> {
    let of_a = heights(b, a);
    if on_one_side(&of_a) {
        return None;
    }
    let of_b = heights(a, b);
    if on_one_side(&of_b) {
        return None;
    }
    let sum = of_a[0] + of_a[1] + of_a[2] + of_b[0] + of_b[1] + of_b[2];
    if sum.is_nan() {
        return close_meeting(a, b, [of_a, of_b]);
    }
    intervals_overlap(a, b, &of_a, &of_b).then_some([of_a, of_b])
}

/// The same where the sign of a height is in doubt: corners on planes, coplanar triangles, those without area.
#[cold]
#[inline(never)]
fn close_meeting(a: [&Point; 3], b: [&Point; 3], [mut of_a, mut of_b]: [[f64; 3]; 2]) -> Option<[[f64; 3]; 2]> {
    // Both rejections are exact, and cheaper than the sign of a height: neighbours on a flat surface end here.
    if !boxes_meet(a, b) || apart_along(widest_axis(b), a, b) {
        return None;
    }
    settle(&mut of_a, b, a);
    if on_one_side(&of_a) {
        return None;
    }
    settle(&mut of_b, a, b);
    if on_one_side(&of_b) {
        return None;
    }
    let meet = match (all_zero(&of_a), all_zero(&of_b)) {
        (false, false) => intervals_overlap(a, b, &of_a, &of_b),
        // b is within the plane of a, yet a not within that of b: a is a segment.
        (false, true) => pierces(a, &of_a, b),
        (true, false) => pierces(b, &of_b, a),
        (true, true) => flat_meet(a, b),
    };
    meet.then_some([of_a, of_b])
}

/// Heights over a plane, times twice the area of its triangle; NaN where rounding may have changed the sign.
#[inline(always)]
fn heights<const N: usize>([o, p, q]: [&Point; 3], points: [&Point; N]) -> [f64; N] {
    let (u, v) = (p - o, q - o);
    let (yz, zy) = (u.y * v.z, u.z * v.y);
    let (zx, xz) = (u.z * v.x, u.x * v.z);
    let (xy, yx) = (u.x * v.y, u.y * v.x);
    let normal = [yz - zy, zx - xz, xy - yx];
    let error = [(yz.abs() + zy.abs()) * ROUNDING, (zx.abs() + xz.abs()) * ROUNDING, (xy.abs() + yx.abs()) * ROUNDING];
    points.map(|point| {
        let d = point - o;
        let height = normal[0] * d.x + normal[1] * d.y + normal[2] * d.z;
        let error = error[0] * d.x.abs() + error[1] * d.y.abs() + error[2] * d.z.abs();
        if height.abs() > error { height } else { f64::NAN }
    })
}

/// Replaces heights that are in doubt by exact ones.
#[inline(always)]
fn settle<const N: usize>(heights: &mut [f64; N], plane: [&Point; 3], points: [&Point; N]) {
    for (height, point) in heights.iter_mut().zip(points) {
        if height.is_nan() {
            *height = exact_height(plane, point);
        }
    }
}

/// The height of one point, with an exact sign: positive where the triangle is seen counter-clockwise.
#[inline]
fn height(plane: [&Point; 3], point: &Point) -> f64 {
    let [mut height] = heights(plane, [point]);
    if height.is_nan() {
        height = exact_height(plane, point);
    }
    height
}

#[cold]
#[inline(never)]
fn exact_height([a, b, c]: [&Point; 3], d: &Point) -> f64 {
    let [u, v, w] = [a - d, b - d, c - d].map(|v| v.abs());
    let permanent = u.x * (v.y * w.z + v.z * w.y) + u.y * (v.z * w.x + v.x * w.z) + u.z * (v.x * w.y + v.y * w.x);
    // All products are zero: points of a plane across an axis, common in built worlds.
    if permanent == 0.0 {
        return 0.0;
    }
    let coord = |p: &Point| Coord3D { x: p.x, y: p.y, z: p.z };
    -robust::orient3d(coord(a), coord(b), coord(c), coord(d))
}

#[inline(always)]
fn on_one_side<const N: usize>(heights: &[f64; N]) -> bool {
    heights.iter().fold(true, |all, h| all & (*h > 0.0)) | heights.iter().fold(true, |all, h| all & (*h < 0.0))
}

#[inline(always)]
fn all_zero<const N: usize>(heights: &[f64; N]) -> bool {
    heights.iter().all(|h| *h == 0.0)
}

/// The corner whose edges cross the plane, or end on it, and whether it is below the two others: by the signs of the heights.
#[inline(always)]
fn apex(heights: &[f64; 3]) -> (usize, bool) {
    // Indexed by signs as digits of base three: the corner, plus 4 if it is below.
    const APEX: [u8; 27] = {
        let mut table = [0; 27];
        let mut code = 0;
        while code < 27 {
            let signs = [code / 9, code / 3 % 3, code % 3];
            let mut k = 0;
            while k < 3 {
                let (s, t, u) = (signs[k], signs[(k + 1) % 3], signs[(k + 2) % 3]);
                if s > t && s > u {
                    table[code] = k as u8;
                } else if s < t && t == u {
                    table[code] = k as u8 | 4;
                }
                k += 1;
            }
            code += 1;
        }
        table
    };
    let sign = |h: f64| 1 + (h > 0.0) as usize - (h < 0.0) as usize;
    let entry = APEX[9 * sign(heights[0]) + 3 * sign(heights[1]) + sign(heights[2])];
    (entry as usize & 3, entry & 4 != 0)
}

/// Whether two triangles meet that both cross the plane of the other, or touch it, and are not within it: then they cut the line of
/// both planes in an interval each, from an edge at the apex to the other.
#[inline]
fn intervals_overlap(a: [&Point; 3], b: [&Point; 3], of_a: &[f64; 3], of_b: &[f64; 3]) -> bool {
    let ((i, a_below), (j, b_below)) = (apex(of_a), apex(of_b));
    // Each apex above the plane of the other: turning one triangle over turns its plane.
    let [p, q, r] = turned(a, i, b_below);
    let [s, t, u] = turned(b, j, a_below);
    // One interval starts before the other ends, and the other way round. Edges of both meet the line in a point, so they are
    // coplanar only if those points are the same.
    height([p, q, s], t) <= 0.0 && height([p, r, u], s) <= 0.0
}

#[inline(always)]
fn turned(corners: [&Point; 3], first: usize, over: bool) -> [&Point; 3] {
    let (second, third) = ((first + 1) % 3, (first + 2) % 3);
    let (second, third) = if over { (third, second) } else { (second, third) };
    [corners[first], corners[second], corners[third]]
}

/// Whether a triangle without area, not within the plane of one that has it, meets it.
fn pierces(segment: [&Point; 3], heights: &[f64; 3], [a, b, c]: [&Point; 3]) -> bool {
    (0..3).any(|k| {
        let next = (k + 1) % 3;
        let (p, q, ends) = (segment[k], segment[next], [heights[k], heights[next]]);
        // An edge within the plane has no length: both others have its ends.
        if on_one_side(&ends) || all_zero(&ends) {
            return false;
        }
        let around = [[a, b], [b, c], [c, a]].map(|[from, to]| height([p, q, from], to));
        !(around.iter().any(|h| *h > 0.0) && around.iter().any(|h| *h < 0.0))
    })
}

/// Whether two triangles meet whose corners are all on one plane, or that both have no area.
fn flat_meet(a: [&Point; 3], b: [&Point; 3]) -> bool {
    for axis in 0..3 {
        // The projection is one-to-one on the plane of both.
        if turn(axis, a) != 0.0 || turn(axis, b) != 0.0 {
            return !apart_along(axis, a, b);
        }
    }
    // Two segments: they are skew, or on a plane, and then one of the projections is one-to-one. The others cannot tell segments
    // apart that meet.
    let edges = |t: [&Point; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].map(|[p, q]| [*p, *q]);
    let skew = edges(a).iter().any(|[p, q]| edges(b).iter().any(|[r, s]| height([p, q, r], s) != 0.0));
    !skew && (0..3).all(|axis| !apart_along(axis, a, b))
}

/// Whether projections along an axis are apart, for triangles whose boxes meet. Separating axes: the normals of all edges. Those of
/// segments separate on both sides; boxes decide for segments on one line.
fn apart_along(axis: usize, a: [&Point; 3], b: [&Point; 3]) -> bool {
    let separates = |t: [&Point; 3], other: [&Point; 3]| {
        let inwards = turn(axis, t);
        (0..3).any(|k| {
            let side = |p: &Point| turn(axis, [t[k], t[(k + 1) % 3], p]);
            let first = side(other[0]);
            let outside = if first > 0.0 { inwards <= 0.0 } else { inwards >= 0.0 };
            outside && first != 0.0 && on_one_side(&[first, side(other[1]), side(other[2])])
        })
    };
    separates(a, b) || separates(b, a)
}

/// Twice the area of a triangle projected along an axis, with an exact sign.
#[inline]
fn turn(axis: usize, [a, b, c]: [&Point; 3]) -> f64 {
    let coord = |p: &Point| match axis {
        0 => Coord { x: p.y, y: p.z },
        1 => Coord { x: p.z, y: p.x },
        _ => Coord { x: p.x, y: p.y },
    };
    robust::orient2d(coord(a), coord(b), coord(c))
}

/// The axis along which a triangle looks largest, about.
fn widest_axis([a, b, c]: [&Point; 3]) -> usize {
    (b - a).cross(&(c - a)).iamax()
}

/// Whether bounding boxes meet; false if a coordinate is not finite.
fn boxes_meet(a: [&Point; 3], b: [&Point; 3]) -> bool {
    (0..3).all(|axis| {
        let [a, b] = [a, b].map(|t| [t[0][axis], t[1][axis], t[2][axis]]);
        let least = |t: [f64; 3]| t[0].min(t[1]).min(t[2]);
        let most = |t: [f64; 3]| t[0].max(t[1]).max(t[2]);
        a.iter().chain(&b).all(|c| c.is_finite()) && least(a) <= most(b) && least(b) <= most(a)
    })
}

/// Whether triangles from one corner meet elsewhere. Exactly then the edge opposite the corner in one of them meets the other.
#[inline]
fn meet_beyond_corner(a: [&Point; 3], b: [&Point; 3]) -> bool {
    let mut of_a = heights(b, [a[1], a[2]]);
    if on_one_side(&of_a) {
        return false;
    }
    let mut of_b = heights(a, [b[1], b[2]]);
    if on_one_side(&of_b) {
        return false;
    }
    let sum = of_a[0] + of_a[1] + of_b[0] + of_b[1];
    if sum.is_nan() && !settle_beyond_corner(a, b, &mut of_a, &mut of_b) {
        return false;
    }
    match (all_zero(&of_a), all_zero(&of_b)) {
        // Both triangles cut the line of the planes in a segment that starts at the corner. With the normals m and n of a and b, that
        // of a goes along m x n if its first edge is above the plane of b; that of b against it if its first edge is above a.
        (false, false) => (of_a[0] > of_a[1]) != (of_b[0] > of_b[1]),
        (true, true) => sectors_meet(a, b),
        // One is a segment from the corner, across the plane of the other.
        _ => false,
    }
}

/// Makes the signs of the heights exact; false if triangles are found not to meet.
#[cold]
#[inline(never)]
fn settle_beyond_corner(a: [&Point; 3], b: [&Point; 3], of_a: &mut [f64; 2], of_b: &mut [f64; 2]) -> bool {
    if !a.iter().chain(&b).all(|p| p.iter().all(|c| c.is_finite())) {
        return false;
    }
    // Neighbours on a flat surface: their projections are apart, and cheaper to compare.
    let axis = widest_axis(b);
    let [of_projected_a, of_projected_b] = [turn(axis, a), turn(axis, b)];
    if of_projected_a != 0.0 && of_projected_b != 0.0 && !sectors_meet_along(axis, a, b) {
        return false;
    }
    settle(of_a, b, [a[1], a[2]]);
    if on_one_side(of_a) {
        return false;
    }
    settle(of_b, a, [b[1], b[2]]);
    !on_one_side(of_b)
}

/// Whether triangles of one plane, or segments, have a direction from their common first corner in common.
fn sectors_meet(a: [&Point; 3], b: [&Point; 3]) -> bool {
    for axis in 0..3 {
        if turn(axis, a) != 0.0 && turn(axis, b) != 0.0 {
            return sectors_meet_along(axis, a, b);
        }
    }
    // At most one has an area, the other is one or two segments from the corner.
    let within = |p: &Point, sector: [&Point; 3]| {
        (0..3).find(|&axis| turn(axis, sector) != 0.0).map_or_else(
            || same_direction(sector[0], p, sector[1]) || same_direction(sector[0], p, sector[2]),
            |axis| p != sector[0] && in_sector(axis, p, sector),
        )
    };
    within(a[1], b) || within(a[2], b) || within(b[1], a) || within(b[2], a)
}

/// The same for projections along an axis, which have an area.
fn sectors_meet_along(axis: usize, a: [&Point; 3], b: [&Point; 3]) -> bool {
    in_sector(axis, a[1], b) || in_sector(axis, a[2], b) || in_sector(axis, b[1], a) || in_sector(axis, b[2], a)
}

/// Whether a point is in the sector at the first corner of a triangle, edges included, in a projection in which it has an area.
fn in_sector(axis: usize, p: &Point, [apex, from, to]: [&Point; 3]) -> bool {
    let (after, before) = (turn(axis, [apex, from, p]), turn(axis, [apex, p, to]));
    if turn(axis, [apex, from, to]) > 0.0 { after >= 0.0 && before >= 0.0 } else { after <= 0.0 && before <= 0.0 }
}

/// Whether two points are in the same direction from a third, and neither is at it.
fn same_direction(from: &Point, p: &Point, q: &Point) -> bool {
    (0..3).all(|axis| turn(axis, [from, p, q]) == 0.0)
        && (0..3).any(|k| (p[k] > from[k] && q[k] > from[k]) || (p[k] < from[k] && q[k] < from[k]))
}

/// Whether triangle `vwp` and the one from the same edge to `q` overlap beyond the edge: they are coplanar, on the same side of it.
#[inline]
fn folded_flat([v, w, p]: [&Point; 3], q: &Point) -> bool {
    let [height] = heights([v, w, p], [q]);
    height.is_nan() && close_fold([v, w, p], q)
}

#[cold]
#[inline(never)]
fn close_fold([v, w, p]: [&Point; 3], q: &Point) -> bool {
    if ![v, w, p, q].iter().all(|p| p.iter().all(|c| c.is_finite())) {
        return false;
    }
    let sides = |axis: usize| [turn(axis, [v, w, p]), turn(axis, [v, w, q])];
    let opposite = |[p, q]: [f64; 2]| (p > 0.0 && q < 0.0) || (p < 0.0 && q > 0.0);
    // Flat neighbours: their projections are on both sides of the edge.
    if opposite(sides(widest_axis([v, w, p]))) || exact_height([v, w, p], q) != 0.0 {
        return false;
    }
    for axis in 0..3 {
        let [p, q] = sides(axis);
        if p != 0.0 || q != 0.0 {
            // One that is on the line of the edge does not leave the edge within the other.
            return (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
        }
    }
    // Segments on one line; or the edge has no length, and the line must be found out.
    if v == w && (0..3).any(|axis| turn(axis, [v, p, q]) != 0.0) {
        return false;
    }
    (0..3).any(|k| {
        let (start, end) = (v[k].min(w[k]), v[k].max(w[k]));
        (p[k] > end && q[k] > end) || (p[k] < start && q[k] < start)
    })
}

/// Where a triangle cuts a plane, by the heights of its corners over it, which are not all zero.
fn crossing(corners: [&Point; 3], heights: &[f64; 3]) -> [Point; 2] {
    let (k, _) = apex(heights);
    [(k + 1) % 3, (k + 2) % 3].map(|end| {
        let share = heights[k] / (heights[k] - heights[end]);
        // Outside only if heights overflow.
        let share = if (0.0..=1.0).contains(&share) { share } else { 0.5 };
        corners[k] + (corners[end] - corners[k]) * share
    })
}

/// The common part of two segments on one line, to rounding.
fn overlap(a: [Point; 2], b: [Point; 2]) -> [Point; 2] {
    let (along_a, along_b) = (a[1] - a[0], b[1] - b[0]);
    let along = if along_a.norm_squared() > along_b.norm_squared() { along_a } else { along_b };
    let place = |p: &Point| (p - a[0]).dot(&along);
    let ordered = |[p, q]: [Point; 2]| if place(&q) < place(&p) { [q, p] } else { [p, q] };
    let ([a_start, a_end], [b_start, b_end]) = (ordered(a), ordered(b));
    let start = if place(&b_start) > place(&a_start) { b_start } else { a_start };
    let end = if place(&b_end) < place(&a_end) { b_end } else { a_end };
    // They touch, and rounding has parted them.
    if place(&end) < place(&start) { [nalgebra::center(&start, &end); 2] } else { [start, end] }
}

/// The longest diagonal of the common part of two triangles on one plane, or of two segments, to rounding.
fn flat_overlap(a: [&Point; 3], b: [&Point; 3]) -> [Point; 2] {
    let common = match (unit_normal(b), unit_normal(a)) {
        (Some(normal), _) => clipped(a, b, &normal),
        (None, Some(normal)) => clipped(b, a, &normal),
        (None, None) => Corners::default(),
    };
    let common = common.as_slice();
    let Some(&first) = common.first() else { return touching(a, b) };
    let mut best = [first; 2];
    for (k, p) in common.iter().enumerate() {
        for q in &common[..k] {
            if (p - q).norm_squared() > (best[1] - best[0]).norm_squared() {
                best = [*q, *p];
            }
        }
    }
    best
}

/// A polygon of few corners. Clipping a triangle three times leaves six; nine if rounding makes a corner concave at each.
#[derive(Default)]
struct Corners {
    points: [Point; 9],
    count: usize,
}

impl Corners {
    fn push(&mut self, p: Point) {
        if let Some(place) = self.points.get_mut(self.count) {
            *place = p;
            self.count += 1;
        }
    }

    fn as_slice(&self) -> &[Point] {
        &self.points[..self.count]
    }
}

/// The part of a triangle within the edges of another, by Sutherland and Hodgman.
fn clipped(triangle: [&Point; 3], by: [&Point; 3], normal: &Vector) -> Corners {
    // Shares of the extent: more than rounding, so that edges on one line stay.
    const SLACK: f64 = 1e-13;
    // Relative to one corner: far from the origin, crossings lose digits.
    let origin = by[0].coords;
    let mut left = Corners::default();
    triangle.into_iter().for_each(|p| left.push(p - origin));
    let extent = triangle.into_iter().chain(by).fold(0.0, |most: f64, p| most.max((p - by[0]).amax()));
    for k in 0..3 {
        let (start, along) = (by[k] - origin, by[(k + 1) % 3] - by[k]);
        let inwards = normal.cross(&along);
        let slack = SLACK * extent * along.norm();
        let inside = |p: &Point| inwards.dot(&(p - start));
        let mut next = Corners::default();
        let corners = left.as_slice();
        for (i, p) in corners.iter().enumerate() {
            let q = &corners[(i + 1) % corners.len()];
            let (of_p, of_q) = (inside(p), inside(q));
            if of_p >= -slack {
                next.push(*p);
            }
            if (of_p > slack && of_q < -slack) || (of_p < -slack && of_q > slack) {
                next.push(p + (q - p) * (of_p / (of_p - of_q)));
            }
        }
        left = next;
    }
    left.points.iter_mut().for_each(|p| *p += origin);
    left
}

/// Where two edges are nearest to each other: of triangles that touch but for rounding, or of segments.
fn touching(a: [&Point; 3], b: [&Point; 3]) -> [Point; 2] {
    let mut best = (f64::INFINITY, [*a[0], *b[0]]);
    for i in 0..3 {
        for j in 0..3 {
            let (p, q) = ([*a[i], *a[(i + 1) % 3]], [*b[j], *b[(j + 1) % 3]]);
            let [s, t] = segment::closest(&p, &q);
            let ends = [p[0] + (p[1] - p[0]) * s, q[0] + (q[1] - q[0]) * t];
            let distance = (ends[1] - ends[0]).norm_squared();
            if distance < best.0 {
                best = (distance, ends);
            }
        }
    }
    best.1
}

/// The normal of a triangle; `None` if it is so thin that rounding would choose the direction.
fn unit_normal([a, b, c]: [&Point; 3]) -> Option<Vector> {
    // Shares of the square of the size: rounding changes the normal by some 1e-16 of it.
    const THIN: f64 = 1e-12;
    let (u, v) = (b - a, c - a);
    let scale = u.amax().max(v.amax());
    let normal = (u / scale).cross(&(v / scale));
    let length = normal.norm();
    (length > THIN).then(|| normal / length)
}

/// How far points are behind a plane, at most: those whose heights say so.
fn depth_behind(normal: &Vector, origin: &Point, points: [&Point; 3], heights: &[f64; 3]) -> f64 {
    let depth = |k: usize| if heights[k] < 0.0 { normal.dot(&(origin - points[k])) } else { 0.0 };
    depth(0).max(depth(1)).max(depth(2)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::{mix, unit};
    use num_bigint::{BigInt, Sign};

    /// Truth: the corners of one triangle clipped by the half-spaces that make up the other, in homogeneous whole numbers.
    mod truth {
        use super::*;

        /// x, y, z, and what they are shares of, which is positive.
        pub type Exact = [BigInt; 4];
        type Row = [BigInt; 3];

        /// In units of 2^-400.
        fn whole(x: f64) -> BigInt {
            let (bits, sign) = (x.abs().to_bits(), if x < 0.0 { -1 } else { 1 });
            let (exponent, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
            if x == 0.0 {
                return BigInt::ZERO;
            }
            assert!(exponent > 0 && exponent < 2047);
            let shift = exponent - 1075 + 400;
            assert!(shift >= 0, "{x}");
            (BigInt::from(sign) * BigInt::from(fraction | 1 << 52)) << shift as usize
        }

        fn row(p: &Point) -> Row {
            [whole(p.x), whole(p.y), whole(p.z)]
        }

        fn minus(a: &Row, b: &Row) -> Row {
            std::array::from_fn(|k| &a[k] - &b[k])
        }

        fn cross(a: &Row, b: &Row) -> Row {
            std::array::from_fn(|k| &a[(k + 1) % 3] * &b[(k + 2) % 3] - &a[(k + 2) % 3] * &b[(k + 1) % 3])
        }

        fn dot(a: &[BigInt], b: &[BigInt]) -> BigInt {
            a.iter().zip(b).map(|(a, b)| a * b).sum()
        }

        /// Half-spaces `normal . x >= offset` whose intersection is the hull of three points.
        fn half_spaces(triangle: &[Point; 3]) -> Vec<(Row, BigInt)> {
            let t = triangle.each_ref().map(row);
            let mut spaces = vec![];
            let mut above = |normal: &Row, at: &Row| spaces.push((normal.clone(), dot(normal, at)));
            let opposite = |normal: &Row| normal.clone().map(|c| -c);
            let zero = |v: &Row| v.iter().all(|c| c.sign() == Sign::NoSign);
            let normal = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
            if !zero(&normal) {
                above(&normal, &t[0]);
                above(&opposite(&normal), &t[0]);
                for k in 0..3 {
                    above(&cross(&normal, &minus(&t[(k + 1) % 3], &t[k])), &t[k]);
                }
                return spaces;
            }
            // A segment: within the planes through its line and along each axis, and between its ends; a point: on every plane
            // across an axis.
            let length = |k: usize| minus(&t[(k + 1) % 3], &t[k]).iter().map(|c| c * c).sum::<BigInt>();
            let longest = (0..3).max_by_key(|k| length(*k)).unwrap();
            let (from, to) = (&t[longest], &t[(longest + 1) % 3]);
            let along = minus(to, from);
            for k in 0..3 {
                let axis: Row = std::array::from_fn(|i| BigInt::from((i == k) as i32));
                let across = if zero(&along) { axis } else { cross(&axis, &along) };
                above(&across, from);
                above(&opposite(&across), from);
            }
            above(&along, from);
            above(&opposite(&along), to);
            spaces
        }

        /// Corners of the common part, maybe repeated; none if the triangles do not intersect.
        pub fn common(a: &[Point; 3], b: &[Point; 3]) -> Vec<Exact> {
            let mut left: Vec<Exact> = a.iter().map(exact).collect();
            for (normal, offset) in half_spaces(b) {
                let height: Vec<BigInt> = left.iter().map(|p| dot(&normal, &p[..3]) - &offset * &p[3]).collect();
                let mut next: Vec<Exact> = vec![];
                for k in 0..left.len() {
                    let to = (k + 1) % left.len();
                    if height[k].sign() != Sign::Minus {
                        next.push(left[k].clone());
                    }
                    if (&height[k] * &height[to]).sign() == Sign::Minus {
                        let [p, q] = [k, to].map(|k| BigInt::from(height[k].magnitude().clone()));
                        next.push(std::array::from_fn(|c| &left[k][c] * &q + &left[to][c] * &p));
                    }
                }
                left = next;
            }
            left
        }

        pub fn exact(p: &Point) -> Exact {
            let [x, y, z] = row(p);
            [x, y, z, BigInt::from(1)]
        }

        pub fn same(p: &Exact, q: &Exact) -> bool {
            (0..3).all(|k| &p[k] * &q[3] == &q[k] * &p[3])
        }

        pub fn on_segment(p: &Exact, a: &Point, b: &Point) -> bool {
            half_spaces(&[*a, *b, *b])
                .iter()
                .all(|(n, offset)| (dot(n, &p[..3]) - offset * &p[3]).sign() != Sign::Minus)
        }

        pub fn rounded(p: &Exact) -> Point {
            // Digits that are left over are rounded once, by the parser.
            let share = |c: &BigInt| {
                let whole: BigInt = (c << 100) / &p[3];
                whole.to_string().parse::<f64>().unwrap() * 2f64.powi(-500)
            };
            Point::new(share(&p[0]), share(&p[1]), share(&p[2]))
        }
    }

    fn truly_intersect(a: &[Point; 3], b: &[Point; 3]) -> bool {
        !truth::common(a, b).is_empty()
    }

    /// Whether exact arithmetic finds a common point off the shared corners, which come first.
    fn truly_beyond(a: &[Point; 3], b: &[Point; 3], count: usize) -> bool {
        truth::common(a, b).iter().any(|p| match count {
            1 => !truth::same(p, &truth::exact(&a[0])),
            _ => !truth::on_segment(p, &a[0], &a[1]),
        })
    }

    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

    fn ordered<T: Copy>(t: &[T; 3], order: usize) -> [T; 3] {
        ORDERS[order].map(|k| t[k])
    }

    /// Six points with coordinates 0 to 3: often equal, on one line or on one plane.
    fn of_grid(seed: u64) -> [Point; 6] {
        let mut bits = mix(seed);
        std::array::from_fn(|_| {
            Point::from(Vector::from_fn(|_, _| {
                bits >>= 2;
                (bits & 3) as f64
            }))
        })
    }

    fn pair(p: &[Point; 6]) -> ([Point; 3], [Point; 3]) {
        ([p[0], p[1], p[2]], [p[3], p[4], p[5]])
    }

    fn random(seed: u64) -> [Point; 6] {
        std::array::from_fn(|k| Point::from(Vector::from_fn(|i, _| unit(seed, (3 * k + i) as u64))))
    }

    /// Six points that are coplanar, on edges or on corners of the others but for rounding, of any size and far from the origin.
    fn close(seed: u64) -> [Point; 6] {
        let number = |k: u64| unit(seed, k);
        let random = |k: u64| Point::from(Vector::from_fn(|i, _| number(10 * k + i as u64) * 2.0 - 1.0));
        let [mut a, mut b] = [[random(0), random(1), random(2)], [random(3), random(4), random(5)]];
        let on_a = |k: u64| {
            let [mut u, mut v] = [number(k), number(k + 1)];
            if mix(seed ^ k) & 1 == 0 {
                // Small fractions: edges and corners often.
                [u, v] = [u, v].map(|share| (share * 4.0).floor() / 2.0 - 0.5);
            }
            a[0] + (a[1] - a[0]) * u + (a[2] - a[0]) * v
        };
        match seed % 6 {
            // One corner, two or all of b on the plane of a, one on a line of it.
            0 => b[0] = on_a(100),
            1 => [b[0], b[1]] = [on_a(100), on_a(102)],
            2 => b = [on_a(100), on_a(102), on_a(104)],
            // Slivers and segments.
            3 => b[2] = b[0] + (b[1] - b[0]) * number(106),
            4 => {
                [b[0], b[1]] = [on_a(100), on_a(102)];
                b[2] = b[0] + (b[1] - b[0]) * (number(106) * 3.0 - 1.0);
            }
            // Two segments that cross.
            _ => {
                a[2] = a[0] + (a[1] - a[0]) * (number(107) * 3.0 - 1.0);
                b[0] = a[0] + (a[1] - a[0]) * number(108);
                b[2] = b[0] + (b[1] - b[0]) * (number(109) - 0.5);
            }
        }
        let scale = [1.0, 1e-6, 1e6, 3.7e-3][(seed / 6 % 4) as usize];
        let offset = [0.0, 1.0, 1e3, 1e6][(seed / 24 % 4) as usize];
        let mut points = [a[0], a[1], a[2], b[0], b[1], b[2]].map(|p| (p + Vector::repeat(offset)) * scale);
        // One unit in the last place, here and there.
        if (seed / 96).is_multiple_of(2) {
            let k = (mix(seed ^ 7) % 18) as usize;
            let c = &mut points[k / 3][k % 3];
            *c = if mix(seed ^ 8) & 1 == 0 { c.next_up() } else { c.next_down() };
        }
        points
    }

    /// Six points of a grid on a slanted plane, but for some: coplanar exactly, while no product vanishes.
    fn slanted(seed: u64) -> [Point; 6] {
        let [u, v] = [[311.0, -127.0, 953.0], [-89.0, 577.0, 241.0]].map(Vector::from);
        let scale = [1.0, 2f64.powi(-20), 2f64.powi(20)][(seed % 3) as usize];
        let grid = of_grid(seed);
        grid.map(|p| {
            let off = if mix(seed ^ 3).is_multiple_of(3) && p.z == 3.0 { 2f64.powi(-20) } else { 0.0 };
            Point::from((u * p.x + v * p.y + Vector::z() * off + Vector::repeat(1e6)) * scale)
        })
    }

    /// At least one triangle without area: segments that touch, cross, miss each other or overlap, and points.
    fn flattened(seed: u64) -> [Point; 6] {
        let digit = |k: u64, base: u64| (mix(mix(seed) ^ k) % base) as f64;
        let place = |k: u64| Vector::from_fn(|i, _| digit(k + i as u64, 3));
        let along = |k: u64| place(k) - Vector::repeat(1.0);
        let (from, direction) = (place(0), along(10));
        let on = |k: u64| from + direction * digit(k, 5);
        let mut points = [20, 21, 22, 30, 40, 50].map(|k| if k < 30 { on(k) } else { place(k) });
        match seed % 4 {
            0 => points[3..].copy_from_slice(&[on(60), on(61), on(62)]),
            1 => (3..6).for_each(|k| points[k] = place(70) + along(80) * digit(90 + k as u64, 5)),
            2 => (3..6).for_each(|k| points[k] = on(60) + along(80) * (digit(90 + k as u64, 5) - 2.0)),
            _ => {}
        }
        if (seed / 4).is_multiple_of(2) {
            // No longer along axes or diagonals.
            let slant = nalgebra::Matrix3::new(311.0, -127.0, 953.0, -89.0, 577.0, 241.0, 401.0, 83.0, -769.0);
            points = points.map(|p| slant * p);
        }
        points.map(Point::from)
    }

    #[test]
    fn grid_triangles_intersect_as_in_exact_arithmetic() {
        let mut met = 0;
        for seed in 0..8000 {
            let (a, b) = pair(&of_grid(seed));
            let known = truly_intersect(&a, &b);
            met += known as u32;
            assert_eq!(intersect(a.each_ref(), b.each_ref()), known, "seed {seed}: {a:?} {b:?}");
        }
        assert!((2000..6000).contains(&met), "{met}");
    }

    #[test]
    fn close_triangles_intersect_as_in_exact_arithmetic() {
        for make in [close, slanted, flattened, random] {
            let mut met = 0;
            for seed in 0..4000 {
                let (a, b) = pair(&make(seed));
                let known = truly_intersect(&a, &b);
                met += known as u32;
                assert_eq!(intersect(a.each_ref(), b.each_ref()), known, "seed {seed}: {a:?} {b:?}");
                assert_eq!(intersect(b.each_ref(), a.each_ref()), known, "seed {seed}: {b:?} {a:?}");
            }
            assert!((500..3500).contains(&met), "{met}");
        }
    }

    #[test]
    fn answers_are_the_same_for_every_order() {
        for make in [of_grid, close, slanted, flattened] {
            for seed in 0..600 {
                let (a, b) = pair(&make(seed));
                let known = intersect(a.each_ref(), b.each_ref());
                for k in 0..36 {
                    let (a, b) = (ordered(&a, k / 6), ordered(&b, k % 6));
                    assert_eq!(intersect(a.each_ref(), b.each_ref()), known, "seed {seed}");
                    assert_eq!(intersect(b.each_ref(), a.each_ref()), known, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn shared_corners_are_found_and_come_first() {
        for seed in 0..3000 {
            let mut ids = [[10, 11, 12], [20, 21, 22]];
            let count = (seed % 4) as usize;
            ids[1][..count].copy_from_slice(&[10, 11, 12][..count]);
            let order = mix(seed) as usize % 36;
            let [a, b] = [ordered(&ids[0], order / 6), ordered(&ids[1], order % 6)];
            let shared = shared_corners(a, b);
            assert_eq!(shared.count(), count as u32);
            let at = |id: u32| Point::new(id as f64, 0.0, 0.0);
            let ([pa, pb], mut found) = ([a.map(at), b.map(at)], [[0; 3]; 2]);
            found[0] = shared.rotated(pa.each_ref(), 0).map(|p| p.x as u32);
            found[1] = shared.rotated(pb.each_ref(), 1).map(|p| p.x as u32);
            for side in &mut found {
                side[..count].sort();
                assert_eq!(side[..count], [10, 11, 12][..count]);
            }
        }
    }

    #[test]
    fn neighbours_meet_beyond_shared_corners_as_in_exact_arithmetic() {
        for make in [of_grid, close, slanted, flattened] {
            let mut met = [0; 3];
            for seed in 0..4000 {
                let (a, mut b) = pair(&make(seed));
                let count = 1 + (mix(seed ^ 5) % 2) as usize;
                b[..count].copy_from_slice(&a[..count]);
                let known = truly_beyond(&a, &b, count);
                met[count] += known as u32;
                let mut ids_b = [3, 4, 5];
                ids_b[..count].copy_from_slice(&[0, 1][..count]);
                for k in 0..6 {
                    let order = (mix(seed ^ k) % 36) as usize;
                    let (of_a, of_b) = (order / 6, order % 6);
                    let ids = [ordered(&[0, 1, 2], of_a), ordered(&ids_b, of_b)];
                    let (a, b) = (ordered(&a, of_a), ordered(&b, of_b));
                    let found = intersect_beyond(a.each_ref(), b.each_ref(), shared_corners(ids[0], ids[1]));
                    assert_eq!(found, known, "seed {seed}, {count} shared: {a:?} {b:?}");
                    assert_eq!(
                        intersect_beyond(b.each_ref(), a.each_ref(), shared_corners(ids[1], ids[0])),
                        known,
                        "seed {seed}"
                    );
                }
            }
            assert!(met[1] > 200 && met[1] < 1800 && met[2] > 4, "{met:?}");
        }
    }

    #[test]
    fn none_and_three_shared_corners() {
        let (a, b) = pair(&of_grid(3));
        assert_eq!(
            intersect_beyond(a.each_ref(), b.each_ref(), Shared::default()),
            intersect(a.each_ref(), b.each_ref())
        );
        assert!(intersect_beyond(a.each_ref(), a.each_ref(), shared_corners([4, 5, 6], [6, 5, 4])));
    }

    #[test]
    fn segments_of_contacts_are_the_common_part() {
        for make in [of_grid, slanted, flattened] {
            for seed in 0..4000 {
                let (a, b) = pair(&make(seed));
                let found = contact(a.each_ref(), b.each_ref());
                let known: Vec<Point> = truth::common(&a, &b).iter().map(truth::rounded).collect();
                assert_eq!(found.is_some(), !known.is_empty());
                let Some(found) = found else { continue };
                let size = a.iter().chain(&b).flat_map(|p| p.iter()).fold(0f64, |most, c| most.max(c.abs()));
                let gap = |p: &Point| {
                    let ends = known.iter().flat_map(|q| known.iter().map(move |r| [*q, *r]));
                    ends.map(|[a, b]| (a + (b - a) * segment::closest(&[*p; 2], &[a, b])[1] - p).norm())
                        .fold(f64::INFINITY, f64::min)
                };
                let longest = known.iter().flat_map(|p| known.iter().map(move |q| (p - q).norm())).fold(0.0, f64::max);
                let [p, q] = found.segment;
                assert!(gap(&p).max(gap(&q)) <= 1e-9 * size, "seed {seed}: {found:?} {known:?}");
                if unit_normal(a.each_ref()).is_some() || unit_normal(b.each_ref()).is_some() {
                    assert!(((p - q).norm() - longest).abs() < 1e-9 * size, "seed {seed}: {found:?} {known:?}");
                }
            }
        }
    }

    #[test]
    fn moving_by_the_depth_of_a_contact_parts_triangles() {
        let mut parted = 0;
        for make in [of_grid, close, slanted, flattened, random] {
            for seed in 0..3000 {
                let (a, b) = pair(&make(seed));
                let Some(found) = contact(a.each_ref(), b.each_ref()) else { continue };
                assert_eq!(found.point, nalgebra::center(&found.segment[0], &found.segment[1]));
                assert!(found.point.iter().chain(&found.normal).all(|c| c.is_finite()), "seed {seed}: {found:?}");
                assert!((found.normal.norm() - 1.0).abs() < 1e-12 && found.depth >= 0.0);
                let [of_a, of_b] = meeting(a.each_ref(), b.each_ref()).unwrap();
                if all_zero(&of_a) && all_zero(&of_b) {
                    assert_eq!(found.depth, 0.0);
                    assert!(unit_normal(b.each_ref()).is_none_or(|n| n == found.normal));
                    continue;
                }
                // Normals of slivers are less accurate than the check.
                let size = |t: &[Point; 3]| (t[1] - t[0]).amax().max((t[2] - t[0]).amax());
                let thin = |t: &[Point; 3]| (t[1] - t[0]).cross(&(t[2] - t[0])).norm() < 1e-6 * size(t).powi(2);
                let normals = [a.each_ref(), b.each_ref()].map(unit_normal);
                if normals == [None; 2] || [&a, &b].iter().any(|t| unit_normal(t.each_ref()).is_some() && thin(t)) {
                    continue;
                }
                // Enough, and the smaller of the two ways.
                let slack = 1e-9 * a.iter().chain(&b).map(|p| p.coords.amax()).fold(0.0, f64::max);
                let moved = a.map(|p| p + found.normal * (found.depth + slack));
                assert!(!intersect(moved.each_ref(), b.each_ref()), "seed {seed}: {found:?}");
                for (t, plane) in [(&a, &b), (&b, &a)] {
                    let Some(normal) = unit_normal(plane.each_ref()) else { continue };
                    let depth = t.iter().map(|p| normal.dot(&(plane[0] - p))).fold(0.0, f64::max);
                    assert!(found.depth <= depth + slack, "seed {seed}: {found:?}");
                }
                parted += 1;
            }
        }
        assert!(parted > 3000, "{parted}");
    }

    #[test]
    fn a_corner_below_a_face_is_pushed_out_along_the_face() {
        let corner = |x: f64, y: f64, z: f64| Point::new(x, y, z);
        let floor = [corner(-2.0, -2.0, 0.0), corner(2.0, -2.0, 0.0), corner(0.0, 3.0, 0.0)];
        let fin = [corner(0.0, 0.0, -0.25), corner(0.5, 0.0, 1.0), corner(-0.5, 0.0, 1.0)];
        let found = contact(fin.each_ref(), floor.each_ref()).unwrap();
        assert_eq!((found.depth, found.normal), (0.25, Vector::z()));
        assert!((found.point - corner(0.0, 0.0, 0.0)).norm() < 1e-15);
        assert!(((found.segment[0] - found.segment[1]).norm() - 0.2).abs() < 1e-15);
        let swapped = contact(floor.each_ref(), fin.each_ref()).unwrap();
        assert_eq!((swapped.depth, swapped.normal), (0.25, -Vector::z()));
    }

    #[test]
    fn numbers_that_are_not_finite_do_not_intersect() {
        let (a, b) = pair(&of_grid(12));
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for k in 0..9 {
                let mut bad = a;
                bad[k / 3][k % 3] = wrong;
                for other in [b, a, [a[0]; 3]] {
                    assert!(
                        !intersect(bad.each_ref(), other.each_ref()) && !intersect(other.each_ref(), bad.each_ref())
                    );
                    assert!(contact(bad.each_ref(), other.each_ref()).is_none());
                }
                for ids in [[0, 4, 5], [0, 1, 5]] {
                    let mut other = b;
                    other[..2].copy_from_slice(&bad[..2]);
                    assert!(!intersect_beyond(bad.each_ref(), other.each_ref(), shared_corners([0, 1, 2], ids)));
                }
            }
        }
    }

    #[test]
    fn sizes_beyond_the_exact_range_give_answers() {
        for seed in 0..500 {
            for scale in [1e-310, 1e-200, 1e200, 1e307] {
                let (a, b) = pair(&of_grid(seed).map(|p| p * scale));
                if let Some(found) = contact(a.each_ref(), b.each_ref()) {
                    assert!(found.depth.is_finite() && (found.normal.norm() - 1.0).abs() < 1e-12);
                    assert!(found.point.iter().all(|c| c.is_finite()), "{found:?}");
                }
            }
        }
    }
}
