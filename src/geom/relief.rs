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
/// Share of a column's width that does not matter: triangles that are no higher are told by their boxes, which costs less.
const SLIGHT: f32 = 0.3;

/// The middles of columns, counted in columns.
const MIDDLES: [f32; SIDE] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];

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
        let Relief { axes: [up, u, v], low, columns, base, .. } = self.relief;
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
        let slight = base + SLIGHT / columns[0].max(columns[1]);
        for k in places(|k| tops[k] > base) {
            let between = |(least, most): &(Lanes, Lanes)| between(least[k] - 1e-3, most[k] + 1e-3);
            let [rows, lines] = [between(&rows), between(&lines)];
            if rows.len() * lines.len() <= 2 || tops[k] < slight {
                self.raise_columns(tops[k], [rows, lines]);
                continue;
            }
            let corner = |[x, y, z]: &[Lanes; 3]| {
                let p = Local::new(x[k], y[k], z[k]);
                Local::new((u.dot(&p) - low[0]) * columns[0], (v.dot(&p) - low[1]) * columns[1], up.dot(&p))
            };
            let [a, b, c] = corners;
            self.raise_triangle(tops[k], [corner(a), corner(b), corner(c)], [rows, lines]);
        }
    }

    /// The body has a triangle, given in columns and height, which is not higher than `top`: columns that it is not over stay as
    /// they are, the others get no higher than it is there.
    #[inline(never)]
    fn raise_triangle(&mut self, top: f32, [a, b, c]: [Local; 3], [rows, lines]: [Range<usize>; 2]) {
        // Half a column, a little more for rounding.
        const HALF: f32 = 0.502;
        let (e, f) = (b - a, c - a);
        let area = e.x * f.y - e.y * f.x;
        let slope = [(e.z * f.y - f.z * e.y) / area, (e.x * f.z - f.x * e.z) / area];
        let height = a.z - slope[0] * a.x - slope[1] * a.y + HALF * (slope[0].abs() + slope[1].abs());
        // A column whose middle is farther out than this from an edge is not under it.
        let turn = if area > 0.0 { 1.0 } else { -1.0 };
        let edges = [(a, b), (b, c), (c, a)].map(|(p, q)| {
            let out = [(q.y - p.y) * turn, (p.x - q.x) * turn];
            (out, out[0] * p.x + out[1] * p.y + HALF * (out[0].abs() + out[1].abs()))
        });
        let (first, last) = (lines.start as f32, lines.end as f32);
        let more = |a: f32, b: f32| if a > b { a } else { b };
        for (row, tops) in self.tops.iter_mut().enumerate().take(rows.end).skip(rows.start) {
            let at = row as f32 + 0.5;
            let height = height + slope[0] * at;
            let [p, q, r] = &edges;
            let ends = [p.1 - p.0[0] * at, q.1 - q.0[0] * at, r.1 - r.0[0] * at];
            // Without branches, for the sake of vectors.
            for line in 0..SIDE {
                let at = MIDDLES[line];
                let out = more(p.0[1] * at - ends[0], more(q.0[1] * at - ends[1], r.0[1] * at - ends[2]));
                let out = more(out, more(first - at, at - last));
                let here = height + slope[1] * at;
                // Upright triangles have no height of their own: that is not a number.
                let here = if here < top { here } else { top };
                let raised = more(here, tops[line]);
                tops[line] = if out <= 0.0 { raised } else { tops[line] };
            }
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

/// The column of a place, which may be off by one on the border between two. Added to a large number, a place is rounded to a whole
/// one in its lowest bits: that costs less than a conversion that minds what is not a number.
#[inline]
fn column(at: f32) -> usize {
    ((at - 0.5) + 12_582_912.0).to_bits() as usize % SIDE
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

    /// How high the body is over the base, at its highest within `reach` of a place along the plane; without end where nothing
    /// is known.
    #[inline]
    pub fn top(&self, along: [f32; 2], reach: f32) -> f32 {
        let Some((first, last)) = self.columns_at(along, reach) else { return f32::INFINITY };
        // Mostly it is one column.
        let top = if first == last {
            self.tops[first[0] % SIDE][first[1] % SIDE]
        } else {
            let rows = self.tops[first[0]..=last[0]].iter();
            rows.flat_map(|row| &row[first[1]..=last[1]]).fold(0, |top, known| top.max(*known))
        };
        self.step * top as f32
    }

    /// The first and the last column within `reach` of a place; `None` if not all of that is known.
    #[inline]
    fn columns_at(&self, along: [f32; 2], reach: f32) -> Option<([usize; 2], [usize; 2])> {
        let (mut first, mut last, mut known) = ([0; 2], [0; 2], true);
        for k in 0..2 {
            let (at, reach) = ((along[k] - self.low[k]) * self.columns[k], reach * self.columns[k]);
            known &= at >= reach && at + reach < SIDE as f32;
            first[k] = column(at - reach);
            last[k] = column(at + reach);
        }
        known.then_some((first, last))
    }

    /// What the depth of a point does not exceed, given as height over the base and place along the plane: the body ends above
    /// it, and beside it where a column is lower. Negative above the body; without end where nothing is known.
    pub fn most_depth(&self, height: f32, along: [f32; 2]) -> f32 {
        let Some((at, _)) = self.columns_at(along, 0.0) else { return f32::INFINITY };
        let own = self.step * self.tops[at[0] % SIDE][at[1] % SIDE] as f32 - height;
        if own <= 0.0 {
            return own;
        }
        // Squared ways to the columns beside.
        let aside = [0, 1].map(|k| {
            let within = (along[k] - self.low[k]) * self.columns[k] - at[k] as f32;
            [within, 0.0, 1.0 - within].map(|columns| {
                let way = columns / self.columns[k];
                way * way
            })
        });
        let mut least = own * own;
        for (i, row) in aside[0].iter().enumerate() {
            // One less for the first: what is before the first row becomes very large.
            let Some(tops) = self.tops.get((at[0] + i).wrapping_sub(1)) else { continue };
            for (j, line) in aside[1].iter().enumerate() {
                let Some(top) = tops.get((at[1] + j).wrapping_sub(1)) else { continue };
                let up = self.step * *top as f32 - height;
                let up = if up > 0.0 { up } else { 0.0 };
                let squared = row + line + up * up;
                least = if squared < least { squared } else { least };
            }
        }
        least.sqrt()
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
    fn no_place_beside_is_nearer_than_the_depth() {
        let (mut asked, mut beside) = (0, 0);
        for seed in 0..40 {
            let at = |k: u64| Local::from_fn(|i, _| unit(seed, 3 * k + i as u64) as f32 * 2.0 - 1.0);
            let corners: Vec<Local> = (0..30).map(at).collect();
            let mut rising = Rising::new(&Local::z(), -0.5, 0.0, corners.iter());
            corners.iter().for_each(|p| rising.raise(std::iter::once(p), 0.0));
            let relief = rising.finish();
            let [_, u, v] = *relief.axes();
            for k in 100..150 {
                let p = at(k);
                let (height, along) = (p.z + 0.5, [u.dot(&p), v.dot(&p)]);
                let most = relief.most_depth(height, along);
                if most <= 0.0 || most == f32::INFINITY {
                    continue;
                }
                // The nearest place that is above a column, of many around.
                let mut nearest = f32::INFINITY;
                for (i, j) in (-100..=100).flat_map(|i| (-100..=100).map(move |j| (i, j))) {
                    let aside = [i as f32 * 0.005, j as f32 * 0.005];
                    let up = (relief.top([along[0] + aside[0], along[1] + aside[1]], 0.0) - height).max(0.0);
                    nearest = nearest.min((up * up + aside[0] * aside[0] + aside[1] * aside[1]).sqrt());
                }
                // Columns are a quarter wide: what is nearer is in the next ones.
                assert!(most >= nearest - 0.01, "{most} for {nearest}");
                assert!(most <= nearest + 0.001 || nearest > 0.2, "{most} for {nearest}");
                asked += 1;
                beside += (most < relief.top(along, 0.0) - height - 0.01) as usize;
            }
        }
        assert!(asked > 500 && beside * 5 > asked, "{beside} of {asked}");
    }

    #[test]
    fn no_triangle_of_eight_is_higher_than_its_relief() {
        let (mut asked, mut lower) = (0, 0);
        for seed in 0..300 {
            let number = |k: usize| unit(seed, k as u64) as f32 * 2.0 - 1.0;
            let up = Local::new(number(900), number(901), number(902)).normalize();
            // Some are upright, and some are large.
            let corners: [[Lanes; 3]; 3] = std::array::from_fn(|corner| {
                std::array::from_fn(|axis| {
                    std::array::from_fn(|k| {
                        let size = if k % 2 == 0 { 0.2 } else { 0.6 };
                        number(10 * k + axis) + size * (number(100 + 10 * k + 3 * corner + axis))
                    })
                })
            });
            let at = |k: usize, corner: usize| Local::from_fn(|axis, _| corners[corner][axis][k]);
            let all: Vec<Local> = (0..LANES).flat_map(|k| (0..3).map(move |c| at(k, c))).collect();
            let mut rising = Rising::new(&up, -0.5, 0.0, all.iter());
            let tops: Lanes = std::array::from_fn(|k| (0..3).map(|c| up.dot(&at(k, c))).fold(f32::MIN, f32::max));
            rising.raise_eight(&tops, &corners);
            let relief = rising.finish();
            let [_, u, v] = *relief.axes();
            for j in 0..200 {
                let (k, a, b) = (j % LANES, unit(seed, 5000 + j as u64) as f32, unit(seed, 6000 + j as u64) as f32);
                let on = at(k, 0) + (at(k, 1) - at(k, 0)) * (a * (1.0 - b)) + (at(k, 2) - at(k, 0)) * (a * b);
                let top = relief.base() + relief.top([u.dot(&on), v.dot(&on)], 0.0);
                assert!(top >= up.dot(&on) - 1e-4, "{top} for {}", up.dot(&on));
                asked += 1;
                lower += (top < tops[k] - 0.05) as usize;
            }
        }
        assert!(asked > 10_000 && lower * 10 > asked, "{lower} of {asked}");
    }

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
                let above = relief.base() + relief.top([u.dot(&beside), v.dot(&beside)], reach);
                if above == f32::INFINITY {
                    continue;
                }
                assert!(above >= up.dot(&on) - 1e-5, "{above} for {}", up.dot(&on));
                asked += 1;
                below_all += (above < support - 0.05) as usize;
            }
        }
        // Most are known to be lower than the highest of all.
        assert!(asked > 10_000 && below_all * 2 > asked, "{below_all} of {asked}");
    }
}
