//! Star-shaped bodies: closed surfaces that are seen whole from a point inside, at all times of the step. They do not collide with
//! themselves, which one pass over the triangles finds out.
//!
//! Why: every edge has two triangles, and every triangle is seen from its inner side, so the projection to a sphere around the point is a
//! branched covering. A ray that leaves through one triangle says that it has one sheet; then it has no branch points and is one-to-one:
//! no two triangles have a point in common beyond what they share. That holds at all times if it does at one and no triangle ever turns
//! its outer side to the point. Beyond FASTCD, whose cones never cull a closed surface as a whole.
//!
//! The point is searched for once, and then follows the body; where there is none, the search is tried ever more rarely.

use super::mesh::Mesh;
use crate::geom::pinned::powi;
use crate::geom::{Point, Vector};
use crate::tasks::Tasks;
use nalgebra::Matrix3;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Rounding of a triple product, in units of the cube of the reach: eight roundings in each of six products, and some to spare.
const ROUNDING: f64 = 128.0 * f64::EPSILON;
/// The ray, through its third coordinate: not along an axis, where built shapes have edges.
const RAY: [f64; 2] = [0.123_456_7, 0.076_543_2];
/// Triangles of a chunk.
const TASK_TRIANGLES: usize = 4096;

/// The point from which a body is seen whole, and when it was not found, when to look again.
#[derive(Clone, Debug, Default)]
pub(super) struct Centre {
    frame: Option<Frame>,
    /// Updates until the next search, and how many they were at the last.
    wait: u32,
    waited: u32,
}

/// A point by its affine coordinates among four vertices: it follows them.
#[derive(Clone, Copy, Debug)]
struct Frame {
    vertices: [u32; 4],
    weights: Vector,
}

/// Passes of a search: three find nearly all.
const PASSES: usize = 5;
/// Updates between two searches, at most.
const LONGEST_WAIT: u32 = 64;

/// A surface in motion.
#[derive(Clone, Copy)]
pub(super) struct Surface<'a> {
    pub mesh: &'a Mesh,
    pub start: &'a [Point],
    pub end: &'a [Point],
    /// Whether all times of the step count, or its end.
    pub is_swept: bool,
}

impl Centre {
    /// Whether a surface is known to be star-shaped.
    pub fn sees(&mut self, surface: &Surface, tasks: &Tasks) -> bool {
        surface.mesh.is_closed
            && (self.frame.is_some_and(|frame| frame.sees(surface, tasks)) || self.search(surface, tasks))
    }

    fn search(&mut self, surface: &Surface, tasks: &Tasks) -> bool {
        if self.wait > 0 {
            self.wait -= 1;
            return false;
        }
        self.frame = kernel_point(surface).and_then(|point| Frame::new(surface.end, &point));
        if self.frame.is_some_and(|frame| frame.sees(surface, tasks)) {
            self.waited = 0;
            return true;
        }
        self.waited = (2 * self.waited).clamp(1, LONGEST_WAIT);
        *self = Self { frame: None, wait: self.waited, waited: self.waited };
        false
    }
}

/// A point on the inner side of all triangles at the end of the step, by relaxation: from the mean of the vertices, it is moved behind
/// every plane that it is found in front of (Agmon 1954), somewhat farther than needed.
fn kernel_point(surface: &Surface) -> Option<Point> {
    const BEYOND: f64 = 1.5;
    let mut point = Point::from(surface.end.iter().map(|p| p.coords).sum::<Vector>() / surface.end.len() as f64);
    let margin = 1e-3 * reach(surface.end, &point);
    for _ in 0..PASSES {
        let mut holds = true;
        for corners in &surface.mesh.triangles {
            let [a, b, c] = corners.map(|v| surface.end[v as usize] - point);
            let normal = (b - a).cross(&(c - a));
            let height = normal.dot(&a);
            if height <= 0.0 {
                holds = false;
                let length = normal.norm();
                point -= normal.try_normalize(0.0)? * (BEYOND * (margin - height / length));
            }
        }
        if holds {
            return Some(point);
        }
    }
    None
}

/// The largest coordinate of points seen from another.
fn reach(points: &[Point], from: &Point) -> f64 {
    let mut reach = [0.0f64; 3];
    for p in points {
        for k in 0..3 {
            let distance = (p[k] - from[k]).abs();
            reach[k] = if distance > reach[k] { distance } else { reach[k] };
        }
    }
    reach[0].max(reach[1]).max(reach[2])
}

impl Frame {
    /// `None` for a body without volume.
    fn new(points: &[Point], point: &Point) -> Option<Self> {
        let farthest = |measure: &dyn Fn(&Point) -> f64| {
            let value = |v: &u32| measure(&points[*v as usize]);
            (0..points.len() as u32).max_by(|a, b| value(a).total_cmp(&value(b)))
        };
        let at = |v: u32| points[v as usize];
        // Far apart, so that the rest follows them well.
        let first = farthest(&|p| (p - point).norm_squared())?;
        let o = at(first);
        let second = farthest(&|p| (p - o).norm_squared())?;
        let along = at(second) - o;
        let third = farthest(&|p| along.cross(&(p - o)).norm_squared())?;
        let normal = along.cross(&(at(third) - o));
        let fourth = farthest(&|p| normal.dot(&(p - o)).abs())?;
        let axes = Matrix3::from_columns(&[along, at(third) - o, at(fourth) - o]);
        let weights = axes.try_inverse()? * (point - o);
        weights.iter().all(|w| w.is_finite()).then_some(Self { vertices: [first, second, third, fourth], weights })
    }

    fn point(&self, positions: &[Point]) -> Point {
        let [o, p, q, r] = self.vertices.map(|v| positions[v as usize]);
        o + (p - o) * self.weights.x + (q - o) * self.weights.y + (r - o) * self.weights.z
    }

    /// Whether all is seen from the point, and once.
    fn sees(&self, surface: &Surface, tasks: &Tasks) -> bool {
        let end = self.point(surface.end);
        let mut reach_of_all = reach(surface.end, &end);
        let mut start = end;
        if surface.is_swept {
            start = self.point(surface.start);
            reach_of_all = reach_of_all.max(reach(surface.start, &start));
        }
        let seen = Seen {
            surface,
            start,
            end,
            slack: ROUNDING * powi(reach_of_all, 3),
            side_slack: ROUNDING * powi(reach_of_all, 2),
        };
        let (fails, sheets) = (AtomicBool::new(false), AtomicU32::new(0));
        tasks.parallel_for(surface.mesh.triangles.len(), TASK_TRIANGLES, |range| {
            if fails.load(Ordering::Relaxed) {
                return;
            }
            let triangles = &surface.mesh.triangles[range];
            match if surface.is_swept { seen.sheets::<true>(triangles) } else { seen.sheets::<false>(triangles) } {
                Some(count) => drop(sheets.fetch_add(count, Ordering::Relaxed)),
                None => fails.store(true, Ordering::Relaxed),
            }
        });
        !fails.into_inner() && sheets.into_inner() == 1
    }
}

/// A surface as seen from a point that moves along a straight line.
struct Seen<'a> {
    surface: &'a Surface<'a>,
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
            let [a, b, c] = corners.map(|v| self.surface.end[v as usize] - self.end);
            let is_seen = match SWEPT {
                false => volume(&a, &b, &c) > self.slack,
                true => {
                    let [p, q, r] = corners.map(|v| self.surface.start[v as usize] - self.start);
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
    use super::*;
    use std::f64::consts::TAU;

    struct Globe {
        mesh: Mesh,
        start: Vec<Point>,
        end: Vec<Point>,
        centre: Centre,
    }

    impl Globe {
        fn is_seen(&mut self, is_swept: bool, tasks: &Tasks) -> bool {
            let Self { mesh, start, end, centre } = self;
            centre.sees(&Surface { mesh, start, end, is_swept }, tasks)
        }
    }

    /// A globe whose meridians go around `turns` times between the poles; `at` places latitude (0 to 1) and longitude.
    fn globe(turns: usize, at: impl Fn(f64, f64) -> [f64; 3]) -> Globe {
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
        let end: Vec<Point> = points.into_iter().map(Point::from).collect();
        Globe { mesh, start: end.clone(), end, centre: Centre::default() }
    }

    fn ball(latitude: f64, longitude: f64) -> [f64; 3] {
        let (z, r) = (-(latitude * TAU / 2.0).cos(), (latitude * TAU / 2.0).sin());
        [r * longitude.cos() + 5.0, r * longitude.sin(), z]
    }

    fn holds(mut globe: Globe, is_swept: bool) -> bool {
        let found = globe.is_seen(is_swept, &Tasks::inline());
        globe.centre = Centre::default();
        assert_eq!(found, globe.is_seen(is_swept, &Tasks::pool(2).unwrap()));
        found
    }

    #[test]
    fn balls_are_and_what_is_bent_or_wound_twice_is_not() {
        assert!(holds(globe(1, ball), false));
        let dented = |depth: f64| {
            move |lat: f64, long: f64| {
                let [x, y, z] = ball(lat, long);
                let squared = (x - 5.0).powi(2) + y * y;
                [x, y, if z > 0.0 { z - depth * (-2.0 * squared).exp() } else { z }]
            }
        };
        assert!(holds(globe(1, dented(0.4)), false));
        assert!(holds(globe(1, dented(1.2)), false), "though not from its mean");
        assert!(!holds(globe(1, dented(2.5)), false), "nothing sees all of it");
        // All triangles are seen from inside, twice around.
        let twice = |lat: f64, long: f64| {
            let [x, y, z] = ball(lat, long);
            let scale = 1.0 + 0.1 * lat * (1.0 - lat) * (long / 2.0).sin();
            [5.0 + (x - 5.0) * scale, y * scale, z * scale]
        };
        assert!(!holds(globe(2, twice), false));
        // A hole, and a surface turned inside out.
        let mut open = globe(1, ball);
        open.mesh.triangles.pop();
        open.mesh = Mesh::new(open.mesh.triangles, open.end.len()).unwrap();
        assert!(!holds(open, false));
        assert!(!holds(globe(1, |lat, long| ball(lat, -long)), false));
    }

    #[test]
    fn the_centre_follows_the_body_and_is_looked_for_again() {
        let tasks = Tasks::inline();
        let mut globe = globe(1, ball);
        assert!(globe.is_seen(false, &tasks));
        let far: Vec<Point> = globe.end.iter().map(|p| Point::new(100.0 - p.y, 50.0 + p.x, p.z)).collect();
        globe.end = far.clone();
        assert!(globe.is_seen(false, &tasks) && globe.centre.frame.is_some());
        globe.end = far.iter().map(|p| Point::new(p.x, p.y, 0.0)).collect();
        assert!(!globe.is_seen(false, &tasks) && globe.centre.frame.is_none());
        globe.end = far;
        let tries = (0..10).position(|_| globe.is_seen(false, &tasks));
        assert_eq!(tries, Some(1), "after a wait of one update");
    }

    #[test]
    fn over_a_step_it_holds_at_all_times() {
        let turned = |angle: f64| move |lat: f64, long: f64| ball(lat, long + angle);
        let step = |angle: f64| {
            let end = globe(1, turned(angle)).end;
            Globe { end, ..globe(1, turned(0.0)) }
        };
        assert!(holds(step(0.5), true));
        // Straight lines through the axis: the ball is a line halfway, and a ball at the end.
        assert!(!holds(step(TAU / 2.0), true) && holds(step(TAU / 2.0), false));
    }
}
