//! How far a body reaches along a direction, column by column.
//!
//! A supporting plane is as far out as the one corner that sticks out most, and where three cracks meet there is always one.
//! So the plane of a crack is divided into eight by eight columns, and each remembers how high the body is in it. A point
//! above is outside, a point below is not deeper than what is above it: the body ends there.

use super::Local;
use super::lanes::{LANES, Lanes, places};
use super::plane::along;
use std::ops::Range;

/// Columns along each side.
const SIDE: usize = 8;

/// The heights of a body above a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relief {
    /// Upwards, and the two directions along the plane; unit vectors at right angles.
    axes: [Local; 3],
    /// Where the first column begins.
    low: [f32; 2],
    /// Columns a unit of length.
    columns: [f32; 2],
    /// No column is lower than this.
    base: f32,
    /// Heights are counted in steps above it.
    step: f32,
    tops: [[u8; SIDE]; SIDE],
}

/// A relief that is being made.
pub struct Rising {
    relief: Relief,
    tops: [[f32; SIDE]; SIDE],
}

impl Rising {
    /// A plain of height `base`, upwards along `up`, under some points and by `wider` around them.
    pub fn new<'a>(up: &Local, base: f32, wider: f32, under: impl Iterator<Item = &'a Local>) -> Self {
        let [u, v] = along(up);
        let axes = [*up, u, v];
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for p in under {
            for k in 0..2 {
                let along = axes[k + 1].dot(p);
                low[k] = if along < low[k] { along } else { low[k] };
                high[k] = if along > high[k] { along } else { high[k] };
            }
        }
        let low = low.map(|low| low - wider);
        let high = high.map(|high| high + wider);
        let columns = std::array::from_fn(|k| SIDE as f32 / (high[k] - low[k]).max(f32::MIN_POSITIVE));
        let relief = Relief { axes, low, columns, base, step: 0.0, tops: [[0; SIDE]; SIDE] };
        Self { relief, tops: [[base; SIDE]; SIDE] }
    }

    /// The body is this high somewhere within the box of some points along the plane, made wider by `wider`; at the highest.
    pub fn raise<'a>(&mut self, points: impl Iterator<Item = &'a Local> + Clone, wider: f32) {
        let [up, u, v] = &self.relief.axes;
        // Most that may be higher are not.
        let mut top = f32::NEG_INFINITY;
        for p in points.clone() {
            let height = up.dot(p);
            top = if height > top { height } else { top };
        }
        if top <= self.relief.base {
            return;
        }
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for p in points {
            for (k, along) in [u.dot(p), v.dot(p)].into_iter().enumerate() {
                low[k] = if along < low[k] { along } else { low[k] };
                high[k] = if along > high[k] { along } else { high[k] };
            }
        }
        self.raise_columns(top, [0, 1].map(|k| self.relief.range(k, low[k] - wider, high[k] + wider)));
    }

    /// The body has a part within a sphere, which is not higher than `top`.
    pub fn raise_within(&mut self, top: f32, centre: &Local, radius: f32) {
        if top > self.relief.base {
            let [_, u, v] = &self.relief.axes;
            let at = [u.dot(centre), v.dot(centre)];
            self.raise_columns(top, [0, 1].map(|k| self.relief.range(k, at[k] - radius, at[k] + radius)));
        }
    }

    /// The body has eight triangles, given by the coordinates of their corners, which are not higher than `tops`.
    pub fn raise_eight(&mut self, tops: &Lanes, corners: &[[Lanes; 3]; 3]) {
        let Relief { axes: [_, u, v], low, columns, base, .. } = self.relief;
        // Columns by their numbers, not yet rounded, a thousandth more to either side for rounding.
        let extent = |axis: &Local, low: f32, columns: f32| {
            let (mut least, mut most) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
            for [x, y, z] in corners {
                for k in 0..LANES {
                    let along = (x[k] * axis.x + y[k] * axis.y + z[k] * axis.z - low) * columns;
                    least[k] = if along < least[k] { along } else { least[k] };
                    most[k] = if along > most[k] { along } else { most[k] };
                }
            }
            (least, most)
        };
        let (rows, lines) = (extent(&u, low[0], columns[0]), extent(&v, low[1], columns[1]));
        for k in places(|k| tops[k] > base) {
            let between = |(least, most): &(Lanes, Lanes)| between(least[k] - 1e-3, most[k] + 1e-3);
            self.raise_columns(tops[k], [between(&rows), between(&lines)]);
        }
    }

    #[inline]
    fn raise_columns(&mut self, top: f32, [rows, lines]: [Range<usize>; 2]) {
        for row in &mut self.tops[rows] {
            row[lines.clone()].iter_mut().for_each(|known| *known = if top > *known { top } else { *known });
        }
    }

    /// All of the body that is higher than the base has been told.
    pub fn finish(self) -> Relief {
        let Self { mut relief, tops } = self;
        let highest = tops.iter().flatten().fold(relief.base, |highest, top| highest.max(*top));
        // A hair more: a height that is rounded must not come out lower.
        relief.step = (highest - relief.base) * (1.0 + 1e-5) / u8::MAX as f32;
        if relief.step > 0.0 {
            relief.tops = tops.map(|row| row.map(|top| ((top - relief.base) / relief.step).ceil() as u8));
        }
        relief
    }
}

/// The columns between two, given by their numbers, which are not rounded.
#[inline]
fn between(first: f32, last: f32) -> Range<usize> {
    if !(last >= 0.0 && first < SIDE as f32) {
        return 0..0;
    }
    // What is negative becomes zero.
    first as u8 as usize..(last as u8 as usize).min(SIDE - 1) + 1
}

impl Relief {
    /// The columns along an axis that lie between two places, or touch what is between them.
    fn range(&self, k: usize, low: f32, high: f32) -> Range<usize> {
        // A thousandth of a column for rounding.
        between((low - self.low[k]) * self.columns[k] - 1e-3, (high - self.low[k]) * self.columns[k] + 1e-3)
    }

    /// How high the body is above a point, given as height and place along the plane: at its highest within `reach` of the
    /// point along the plane. Negative: the body is below. `None` where nothing is known.
    #[inline]
    pub fn above(&self, height: f32, along: [f32; 2], reach: f32) -> Option<f32> {
        let at = [0, 1].map(|k| (along[k] - self.low[k]) * self.columns[k]);
        let reach = self.columns.map(|columns| reach * columns);
        if !(0..2).all(|k| at[k] >= reach[k] && at[k] + reach[k] < SIDE as f32) {
            return None;
        }
        let [row, line] = at.map(|at| at as u8 as usize);
        let is_within = |k: usize, cell: usize| at[k] - reach[k] >= cell as f32 && at[k] + reach[k] < (cell + 1) as f32;
        let top = if is_within(0, row) && is_within(1, line) {
            self.tops[row % SIDE][line % SIDE]
        } else {
            self.highest([0, 1].map(|k| (at[k] - reach[k]) as usize..=(at[k] + reach[k]) as usize))
        };
        Some(self.base + self.step * top as f32 - height)
    }

    fn highest(&self, [rows, lines]: [std::ops::RangeInclusive<usize>; 2]) -> u8 {
        self.tops[rows].iter().flat_map(|row| &row[lines.clone()]).fold(0, |top, known| top.max(*known))
    }

    /// No column is lower than this.
    pub fn base(&self) -> f32 {
        self.base
    }

    /// The axes: upwards, and along the plane.
    pub fn axes(&self) -> &[Local; 3] {
        &self.axes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    #[test]
    fn no_triangle_is_higher_than_its_relief() {
        let at = |seed: u64, k: u64| Local::from_fn(|i, _| unit(seed, 3 * k + i as u64) as f32 * 2.0 - 1.0);
        let (mut asked, mut below_all) = (0, 0);
        for seed in 0..60 {
            let up = at(seed, 900).normalize();
            let triangles: Vec<[Local; 3]> = (0..40)
                .map(|k| {
                    let middle = at(seed, 4 * k) - up * up.dot(&at(seed, 4 * k)) * 0.8;
                    [1, 2, 3].map(|c| middle + at(seed, 4 * k + c) * 0.2)
                })
                .collect();
            let mut rising = Rising::new(&up, -0.1, 0.0, triangles.iter().flatten());
            triangles.iter().for_each(|t| rising.raise(t.iter(), 0.0));
            let relief = rising.finish();
            let support = triangles.iter().flatten().map(|p| up.dot(p)).fold(f32::MIN, f32::max);
            let [_, u, v] = *relief.axes();
            for k in 0..400u64 {
                // A point of a triangle, and what is within reach of it beside.
                let corners = &triangles[(k % 40) as usize];
                let (a, b) = (unit(seed, 5000 + k) as f32, unit(seed, 6000 + k) as f32);
                let on = corners[0] + (corners[1] - corners[0]) * (a * (1.0 - b)) + (corners[2] - corners[0]) * (a * b);
                let reach = 0.05 * unit(seed, 7000 + k) as f32;
                let beside = on + (u * at(k, 1).x + v * at(k, 1).y) * reach;
                let Some(above) = relief.above(0.0, [u.dot(&beside), v.dot(&beside)], reach) else { continue };
                assert!(above >= up.dot(&on) - 1e-5, "{above} for {}", up.dot(&on));
                asked += 1;
                below_all += (above < support - 0.05) as usize;
            }
        }
        // Most are known to be lower than the highest of all.
        assert!(asked > 10_000 && below_all * 2 > asked, "{below_all} of {asked}");
    }
}
