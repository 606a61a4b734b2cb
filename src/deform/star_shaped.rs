//! Star-shaped bodies: closed surfaces that are seen whole from a point inside, at all times of the step. They do not collide with
//! themselves, which one pass over the triangles finds out.
//!
//! Why: every edge has two triangles, and every triangle is seen from its inner side, so the projection to a sphere around the point is a
//! branched covering. A ray that leaves through one triangle says that it has one sheet; then it has no branch points and is one-to-one:
//! no two triangles have a point in common beyond what they share. That holds at all times if it does at one and no triangle ever turns
//! its outer side to the point. Beyond FASTCD, whose cones never cull a closed surface as a whole.

use super::body::Body;
use crate::geom::{Point, Vector};
use crate::tasks::Tasks;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Rounding of a triple product, in units of the cube of the reach: eight roundings in each of six products, and some to spare.
const ROUNDING: f64 = 128.0 * f64::EPSILON;
/// The ray, through its third coordinate: not along an axis, where built shapes have edges.
const RAY: [f64; 2] = [0.123_456_7, 0.076_543_2];
/// Triangles of a chunk.
const TASK_TRIANGLES: usize = 4096;

/// Whether a body is star-shaped as seen from the mean of its vertices, at the end of the step or, with `is_swept`, at all times of it.
pub(super) fn is_star_shaped(body: &Body, is_swept: bool, tasks: &Tasks) -> bool {
    if !body.mesh.is_closed {
        return false;
    }
    let (end, mut reach) = middle(&body.end);
    let mut start = end;
    if is_swept {
        let other;
        (start, other) = middle(&body.start);
        reach = reach.max(other);
    }
    let seen = Seen { body, start, end, slack: ROUNDING * reach * reach * reach, side_slack: ROUNDING * reach * reach };
    let (fails, sheets) = (AtomicBool::new(false), AtomicU32::new(0));
    tasks.parallel_for(body.mesh.triangles.len(), TASK_TRIANGLES, |range| {
        if fails.load(Ordering::Relaxed) {
            return;
        }
        let triangles = &body.mesh.triangles[range];
        let found = if is_swept { seen.sheets::<true>(triangles) } else { seen.sheets::<false>(triangles) };
        match found {
            Some(count) => drop(sheets.fetch_add(count, Ordering::Relaxed)),
            None => fails.store(true, Ordering::Relaxed),
        }
    });
    !fails.into_inner() && sheets.into_inner() == 1
}

/// The mean of some points, and the largest coordinate seen from it, at most.
fn middle(points: &[Point]) -> (Point, f64) {
    let (mut sum, mut low, mut high) = (Vector::zeros(), points[0], points[0]);
    for p in points {
        sum += p.coords;
        low = low.inf(p);
        high = high.sup(p);
    }
    (Point::from(sum / points.len() as f64), (high - low).amax())
}

/// A body as seen from a point that moves along a straight line.
struct Seen<'a> {
    body: &'a Body,
    start: Point,
    end: Point,
    /// Rounding of triple products and of areas.
    slack: f64,
    side_slack: f64,
}

impl Seen<'_> {
    /// How often the ray leaves through the triangles; `None` if one is, or may be, seen from outside.
    #[inline]
    fn sheets<const SWEPT: bool>(&self, triangles: &[[u32; 3]]) -> Option<u32> {
        let mut sheets = 0;
        for corners in triangles {
            let [a, b, c] = corners.map(|v| self.body.end[v as usize] - self.end);
            let is_seen = match SWEPT {
                false => volume(&a, &b, &c) > self.slack,
                true => {
                    let [p, q, r] = corners.map(|v| self.body.start[v as usize] - self.start);
                    // The coefficients of a cubic in time.
                    volume(&p, &q, &r) > self.slack
                        && volume(&a, &q, &r) + volume(&p, &b, &r) + volume(&p, &q, &c) > 3.0 * self.slack
                        && volume(&p, &b, &c) + volume(&a, &q, &c) + volume(&a, &b, &r) > 3.0 * self.slack
                        && volume(&a, &b, &c) > self.slack
                }
            };
            if !is_seen {
                return None;
            }
            if a.z > 0.0 || b.z > 0.0 || c.z > 0.0 {
                sheets += self.is_left_through(&a, &b, &c)? as u32;
            }
        }
        Some(sheets)
    }

    /// Whether the ray leaves through a triangle; `None` if it is too near an edge.
    #[inline]
    fn is_left_through(&self, a: &Vector, b: &Vector, c: &Vector) -> Option<bool> {
        // Sheared, so that the ray is the third axis.
        let [a, b, c] = [a, b, c].map(|p| [p.x - RAY[0] * p.z, p.y - RAY[1] * p.z]);
        let side = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
        let sides = [side(a, b), side(b, c), side(c, a)];
        if sides.iter().any(|s| *s < -self.side_slack) {
            return Some(false);
        }
        sides.iter().all(|s| *s > self.side_slack).then_some(true)
    }
}

/// Six times the volume of the tetrahedron over a triangle.
#[inline(always)]
fn volume(a: &Vector, b: &Vector, c: &Vector) -> f64 {
    a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x)
}

#[cfg(test)]
mod tests {
    use super::super::build::Builder;
    use super::super::mesh::Mesh;
    use super::super::options::Construction;
    use super::*;
    use std::f64::consts::TAU;

    /// A globe whose meridians go around `turns` times between the poles; `at` places latitude (0 to 1) and longitude.
    fn globe(turns: usize, at: impl Fn(f64, f64) -> [f64; 3]) -> Body {
        let (rows, columns) = (8, 12 * turns);
        let vertex = |i: usize, j: usize| match i {
            0 => 0,
            _ if i == rows => 1,
            _ => (2 + (i - 1) * columns + j % columns) as u32,
        };
        let mut points = vec![at(0.0, 0.0), at(1.0, 0.0)];
        for i in 1..rows {
            points.extend((0..columns).map(|j| at(i as f64 / rows as f64, j as f64 / 12.0 * TAU)));
        }
        let squares = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let mut triangles = vec![];
        for (i, j) in squares {
            let [a, b, c, d] = [vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j)];
            triangles.extend([[a, b, c], [a, c, d]].into_iter().filter(|[p, q, r]| p != q && q != r && r != p));
        }
        let mesh = Mesh::new(triangles, points.len()).unwrap();
        let points = points.into_iter().map(Point::from).collect();
        Body::new(mesh, points, Construction::Median, &mut Builder::default())
    }

    fn ball(latitude: f64, longitude: f64) -> [f64; 3] {
        let (z, r) = (-(latitude * TAU / 2.0).cos(), (latitude * TAU / 2.0).sin());
        [r * longitude.cos() + 5.0, r * longitude.sin(), z]
    }

    fn holds(body: &Body, is_swept: bool) -> bool {
        let found = is_star_shaped(body, is_swept, &Tasks::inline());
        assert_eq!(found, is_star_shaped(body, is_swept, &Tasks::pool(2).unwrap()));
        found
    }

    #[test]
    fn balls_are_and_what_is_bent_or_wound_twice_is_not() {
        assert!(holds(&globe(1, ball), false));
        let dented = |depth: f64| {
            move |lat: f64, long: f64| {
                let [x, y, z] = ball(lat, long);
                [x, y, if z > 0.0 { z * (1.0 - depth) } else { z }]
            }
        };
        assert!(holds(&globe(1, dented(0.9)), false));
        assert!(!holds(&globe(1, dented(1.9)), false), "a bowl");
        // All triangles are seen from inside, twice around.
        let twice = |lat: f64, long: f64| {
            let [x, y, z] = ball(lat, long);
            let scale = 1.0 + 0.1 * lat * (1.0 - lat) * (long / 2.0).sin();
            [5.0 + (x - 5.0) * scale, y * scale, z * scale]
        };
        assert!(!holds(&globe(2, twice), false));
        // A hole, and a surface turned inside out.
        let mut open = globe(1, ball).mesh.triangles;
        open.pop();
        let points = globe(1, ball).end;
        let open =
            Body::new(Mesh::new(open, points.len()).unwrap(), points, Construction::Median, &mut Builder::default());
        assert!(!holds(&open, false));
        assert!(!holds(&globe(1, |lat, long| ball(lat, -long)), false));
    }

    #[test]
    fn over_a_step_it_holds_at_all_times() {
        let turned = |angle: f64| move |lat: f64, long: f64| ball(lat, long + angle);
        let step = |angle: f64| {
            let mut body = globe(1, turned(0.0));
            body.set_positions(globe(1, turned(angle)).end.into_iter());
            body
        };
        assert!(holds(&step(0.5), true));
        // Straight lines through the axis: the ball is a line halfway, and a ball at the end.
        assert!(!holds(&step(TAU / 2.0), true) && holds(&step(TAU / 2.0), false));
    }
}
