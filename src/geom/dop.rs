//! Supporting planes of a body in thirteen fixed directions and their opposites.
//!
//! A body lies within all its supporting planes, so a point beyond one of them is outside by at least that much, and a point
//! within is not deeper than the nearest of them: cull and depth bound at once (docs/design.md, 4.4).

use super::Local;

const DIRECTIONS: usize = 13;
/// 1/√2 and 1/√3.
const E: f32 = std::f32::consts::FRAC_1_SQRT_2;
const C: f32 = 0.577_350_26;

/// How far a body reaches along each direction, both ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dop {
    low: [f32; DIRECTIONS],
    high: [f32; DIRECTIONS],
}

impl Dop {
    /// Of nothing.
    pub const EMPTY: Self = Self { low: [f32::INFINITY; DIRECTIONS], high: [f32::NEG_INFINITY; DIRECTIONS] };

    /// Where a point lies along the axes, the diagonals of the faces of a cube, and those of the cube.
    fn along(p: &Local) -> [f32; DIRECTIONS] {
        let (x, y, z) = (p.x, p.y, p.z);
        [
            x,
            y,
            z,
            (x + y) * E,
            (x - y) * E,
            (y + z) * E,
            (y - z) * E,
            (z + x) * E,
            (z - x) * E,
            (x + y + z) * C,
            (x + y - z) * C,
            (x - y + z) * C,
            (x - y - z) * C,
        ]
    }

    /// Extends the body by a point.
    pub fn grow(&mut self, p: &Local) {
        for (k, at) in Self::along(p).into_iter().enumerate() {
            self.low[k] = if at < self.low[k] { at } else { self.low[k] };
            self.high[k] = if at > self.high[k] { at } else { self.high[k] };
        }
    }

    /// How far a point is beyond the supporting plane it is farthest beyond. Positive: outside, by at least this much.
    /// Negative: not deeper than this.
    pub fn beyond(&self, p: &Local) -> f32 {
        let mut beyond = f32::NEG_INFINITY;
        for (k, at) in Self::along(p).into_iter().enumerate() {
            let (over, under) = (at - self.high[k], self.low[k] - at);
            let out = if over > under { over } else { under };
            beyond = if out > beyond { out } else { beyond };
        }
        beyond
    }
}

/// Supporting planes in directions that a body chose itself, beside the fixed ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Supports {
    fixed: Dop,
    /// Unit normal, and how far the body reaches along it.
    own: Vec<(Local, f32)>,
}

impl Supports {
    /// Of some points, also along `directions`.
    pub fn new(points: impl Iterator<Item = Local> + Clone, directions: &[Local]) -> Self {
        let mut fixed = Dop::EMPTY;
        points.clone().for_each(|p| fixed.grow(&p));
        let reach = |n: &Local| points.clone().map(|p| n.dot(&p)).fold(f32::NEG_INFINITY, f32::max);
        Self { fixed, own: directions.iter().map(|n| (*n, reach(n))).collect() }
    }

    /// See [`Dop::beyond`].
    pub fn beyond(&self, p: &Local) -> f32 {
        self.own.iter().fold(self.fixed.beyond(p), |most, (n, reach)| {
            let out = n.dot(p) - reach;
            if out > most { out } else { most }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    #[test]
    fn a_point_beyond_is_outside_by_at_least_that_much() {
        let mut dop = Dop::EMPTY;
        let at = |k: u64, s: f32| Local::from_fn(|i, _| (unit(k, i as u64) as f32 * 2.0 - 1.0) * s);
        let points: Vec<Local> = (0..50).map(|k| at(k, 1.0)).collect();
        points.iter().for_each(|p| dop.grow(p));
        assert!(points.iter().all(|p| dop.beyond(p) <= 1e-6));
        for k in 100..2000 {
            let p = at(k, 3.0);
            let nearest = points.iter().map(|q| (q - p).norm()).fold(f32::INFINITY, f32::min);
            assert!(dop.beyond(&p) <= nearest + 1e-5);
        }
    }
}
