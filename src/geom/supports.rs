//! Supporting planes of a body: in twenty-six fixed directions, and in those in which it is known to be flat.
//!
//! A body lies within all its supporting planes, so a point beyond one of them is outside by at least that much, and a point
//! within is not deeper than the nearest of them: cull and depth bound at once (docs/design.md, 4.4). A query brings them
//! into the frame of the points that it tests, once, and keeps those that may say something there ([`Walls`]).

use super::Local;
use super::lanes::{LANES, Lanes, PointLanes, highest, lanes, lowest, places};
use crate::heap::held;

/// At most this many planes a body, in eights.
const MOST: usize = 64;

/// Planes that a query tests points against. With all of them it would test 1 % fewer points, at three times the price.
const ENOUGH: usize = 8;

/// Eight planes: unit normals, and how far the body reaches along them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Block {
    normal: PointLanes,
    reach: Lanes,
}

/// The supporting planes of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Supports {
    blocks: Vec<Block>,
}

impl Supports {
    /// Of some points, in the fixed directions and along `flat`, of which the first come before the others if there are
    /// more than anybody needs.
    pub fn new(points: &[PointLanes], flat: &[Local]) -> Self {
        let farthest = |normal: &Local| extent(points, |x, y, z| normal.x * x + normal.y * y + normal.z * z)[1];
        let mut planes = Vec::with_capacity(FIXED + flat.len());
        planes.extend(fixed_directions().zip(fixed_reaches(points)));
        for normal in &flat[..flat.len().min(MOST - FIXED)] {
            planes.push((*normal, farthest(normal)));
        }
        Self::of_planes(&planes)
    }

    /// Planes that are known: unit normals, and how far the body reaches along them. At least one.
    pub fn of_planes(planes: &[(Local, f32)]) -> Self {
        let block = |eight: &[(Local, f32)]| {
            let plane = |k: usize| &eight[k.min(eight.len() - 1)];
            Block {
                normal: PointLanes { at: std::array::from_fn(|axis| std::array::from_fn(|k| plane(k).0[axis])) },
                reach: std::array::from_fn(|k| plane(k).1),
            }
        };
        Self { blocks: planes.chunks(LANES).map(block).collect() }
    }

    /// How far a point is beyond the supporting plane it is farthest beyond. Positive: outside, by at least this much.
    /// Negative: not deeper than this.
    pub fn beyond(&self, p: &Local) -> f32 {
        let mut most = [f32::NEG_INFINITY; LANES];
        for block in &self.blocks {
            let along = along(p, &block.normal);
            for k in 0..LANES {
                let out = along[k] - block.reach[k];
                most[k] = if out > most[k] { out } else { most[k] };
            }
        }
        most.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }

    /// The plane that parts the body best from a box, given by its middle and its half edges: how far apart they are along
    /// it (negative: how far they overlap), and its normal.
    pub fn best_parting(&self, middle: &Local, halves: &[Local; 3]) -> (f32, Local) {
        let mut best = (f32::NEG_INFINITY, Local::zeros());
        for block in &self.blocks {
            let middle = along(middle, &block.normal);
            let extents = halves.map(|half| along(&half, &block.normal));
            for k in 0..LANES {
                let apart = middle[k] - extents.iter().map(|e| e[k].abs()).sum::<f32>() - block.reach[k];
                if apart > best.0 {
                    best = (apart, block.normal.get(k));
                }
            }
        }
        best
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.blocks)
    }
}

/// The supporting planes of one body in the frame of another, as far as they part the points of that one.
pub struct Walls {
    /// Normals, and how far the body reaches along them.
    planes: [(Local, f32); ENOUGH],
    count: usize,
}

/// A box around points.
pub struct Around<'a> {
    /// Middle.
    pub middle: &'a Local,
    /// Half its size.
    pub half: &'a Local,
}

impl Walls {
    /// No planes: nothing is known.
    pub const NONE: Self = Self { planes: [(Local::new(0.0, 0.0, 0.0), 0.0); ENOUGH], count: 0 };

    /// The planes of a body for points at `turn * p + shift` in its frame: those that the middle of `around` is farthest
    /// beyond, but for planes that all of it is within. `None` if one of them has all of it beyond, by more than `margin`.
    pub fn new(
        supports: &Supports,
        turn: &nalgebra::Matrix3<f32>,
        shift: &Local,
        around: &Around,
        margin: f32,
    ) -> Option<Self> {
        let mut walls = Self::NONE;
        let mut beyond = [0.0; ENOUGH];
        for Block { normal, reach } in &supports.blocks {
            // The planes in the points' frame, and how far the middle is beyond them, give or take the size.
            let turned = [0, 1, 2].map(|axis| along(&turn.column(axis).into(), normal));
            let shifted = along(shift, normal);
            let reach = lanes(|k| reach[k] - shifted[k]);
            let ([x, y, z], m, h) = (&turned, around.middle, around.half);
            let middle = lanes(|k| x[k] * m.x + y[k] * m.y + z[k] * m.z - reach[k]);
            let spread = lanes(|k| x[k].abs() * h.x + y[k].abs() * h.y + z[k].abs() * h.z);
            if places(|k| middle[k] - spread[k] > margin).next().is_some() {
                return None;
            }
            for k in places(|k| middle[k] + spread[k] > 0.0) {
                walls.insert(&mut beyond, middle[k], (Local::new(x[k], y[k], z[k]), reach[k]));
            }
        }
        Some(walls)
    }

    /// Puts a plane in its place, the one that the middle is farthest beyond first; the last falls out.
    fn insert(&mut self, beyond: &mut [f32; ENOUGH], middle: f32, plane: (Local, f32)) {
        let mut place = self.count;
        if place == ENOUGH {
            if middle <= beyond[ENOUGH - 1] {
                return;
            }
            place -= 1;
        } else {
            self.count += 1;
        }
        while place > 0 && beyond[place - 1] < middle {
            beyond[place] = beyond[place - 1];
            self.planes[place] = self.planes[place - 1];
            place -= 1;
        }
        beyond[place] = middle;
        self.planes[place] = plane;
    }

    /// How far points are beyond the plane that each is farthest beyond; minus infinity if there is none.
    #[inline]
    pub fn beyond(&self, points: &PointLanes) -> Lanes {
        let mut most = [f32::NEG_INFINITY; LANES];
        let [x, y, z] = &points.at;
        for (normal, reach) in &self.planes[..self.count] {
            for k in 0..LANES {
                let out = normal.x * x[k] + normal.y * y[k] + normal.z * z[k] - reach;
                most[k] = if out > most[k] { out } else { most[k] };
            }
        }
        most
    }
}

#[inline]
fn along(normal: &Local, points: &PointLanes) -> Lanes {
    let [x, y, z] = &points.at;
    lanes(|k| normal.x * x[k] + normal.y * y[k] + normal.z * z[k])
}

/// How many fixed directions there are.
const FIXED: usize = 26;

/// How far points reach in the fixed directions. The second half of those are sums of coordinates, the first half the
/// same the other way.
fn fixed_reaches(points: &[PointLanes]) -> [f32; FIXED] {
    const HALF: usize = FIXED / 2;
    let sums: [[f32; 2]; HALF] = [
        extent(points, |_, _, z| z),
        extent(points, |_, y, z| y - z),
        extent(points, |_, y, _| y),
        extent(points, |_, y, z| y + z),
        extent(points, |x, y, z| x - y - z),
        extent(points, |x, y, _| x - y),
        extent(points, |x, y, z| x - y + z),
        extent(points, |x, _, z| x - z),
        extent(points, |x, _, _| x),
        extent(points, |x, _, z| x + z),
        extent(points, |x, y, z| x + y - z),
        extent(points, |x, y, _| x + y),
        extent(points, |x, y, z| x + y + z),
    ];
    let mut reaches = [f32::NEG_INFINITY; FIXED];
    for (k, (direction, [low, high])) in fixed_directions().skip(HALF).zip(sums).enumerate() {
        // What a sum is divided by: one, √2 or √3.
        let scale = direction.amax();
        reaches[HALF + k] = high * scale;
        reaches[HALF - 1 - k] = -low * scale;
    }
    reaches
}

/// The lowest and the highest of a sum of coordinates.
fn extent(points: &[PointLanes], sum: impl Fn(f32, f32, f32) -> f32) -> [f32; 2] {
    let (low, high) = extent_lanes(points, sum);
    [lowest(&low), highest(&high)]
}

#[inline(never)] // apart from what follows, the compiler makes plain vectors of it
fn extent_lanes(points: &[PointLanes], sum: impl Fn(f32, f32, f32) -> f32) -> (Lanes, Lanes) {
    let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    for PointLanes { at: [x, y, z] } in points {
        let sums: Lanes = std::array::from_fn(|k| sum(x[k], y[k], z[k]));
        for (low, sum) in low.iter_mut().zip(&sums) {
            *low = if sum < low { *sum } else { *low };
        }
        for (high, sum) in high.iter_mut().zip(&sums) {
            *high = if sum > high { *sum } else { *high };
        }
    }
    (low, high)
}

/// Both ways along the axes, the diagonals of the faces of a cube, and those of the cube.
fn fixed_directions() -> impl Iterator<Item = Local> {
    let steps = || [-1.0f32, 0.0, 1.0].into_iter();
    let all = steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| Local::new(x, y, z))));
    all.filter_map(|d| d.try_normalize(0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    fn at(k: u64, s: f32) -> Local {
        Local::from_fn(|i, _| (unit(k, i as u64) as f32 * 2.0 - 1.0) * s)
    }

    #[test]
    fn a_point_beyond_is_outside_by_at_least_that_much() {
        let points: Vec<Local> = (0..50).map(|k| at(k, 1.0)).collect();
        for flat in [vec![], vec![at(7, 1.0).normalize()], (0..5).map(|k| at(k, 1.0).normalize()).collect()] {
            let supports = Supports::new(&PointLanes::list(&points), &flat);
            assert!(points.iter().all(|p| supports.beyond(p) <= 1e-6));
            for k in 100..2000 {
                let p = at(k, 3.0);
                let nearest = points.iter().map(|q| (q - p).norm()).fold(f32::INFINITY, f32::min);
                assert!(supports.beyond(&p) <= nearest + 1e-5);
            }
        }
        assert_eq!(fixed_directions().count(), 26);
    }

    #[test]
    fn walls_say_what_supports_say_in_another_frame() {
        let body: Vec<Local> = (0..50).map(|k| at(k, 1.0)).collect();
        let supports = Supports::new(&PointLanes::list(&body), &[]);
        let (mut apart, mut same) = (0, 0);
        for k in 0..500 {
            let turn = nalgebra::Rotation3::new(at(1000 + k, 2.0)).into_inner() * 0.7;
            let shift = at(2000 + k, 3.0);
            let half = Local::repeat(0.5);
            let points: Vec<Local> = (0..LANES as u64).map(|i| at(3000 + k * 8 + i, 0.5)).collect();
            let around = Around { middle: &Local::zeros(), half: &half };
            let Some(walls) = Walls::new(&supports, &turn, &shift, &around, 0.1) else {
                assert!(points.iter().all(|p| supports.beyond(&(turn * p + shift)) > 0.1));
                apart += 1;
                continue;
            };
            for (p, beyond) in points.iter().zip(walls.beyond(&PointLanes::list(&points)[0])) {
                let known = supports.beyond(&(turn * p + shift));
                // Never more than is known, and mostly as much.
                assert!(beyond <= known + 1e-5, "{beyond} for {known}");
                same += ((beyond - known).abs() < 1e-5 || known < 0.0) as usize;
            }
        }
        assert!(apart > 50 && apart < 450, "{apart}");
        assert!(same * 100 > (500 - apart) * LANES * 95, "{same}");
    }
}
