//! Reliefs: how far a body reaches along a direction, column by column.
//!
//! A supporting plane is as far out as the one corner that sticks out most, and where three cracks meet there is always
//! one. So the plane of a crack is divided into 8 x 8 columns, and each stores how high the body reaches in it. A point
//! above its column is outside. A point below is no deeper than the height left above it: the body ends there.

use crate::geom::Local;
use crate::geom::lanes::{LANES, LaneMask, Lanes, PointLanes, highest, lane_mask, lanes, lowest};
use crate::geom::plane::along;

/// Columns along each side: one vector of eight per row, and at one byte per column 64 bytes per relief.
const SIDE: usize = 8;
/// Height, in column widths, below which a triangle raises its bounding box of columns: cheaper, and a closer test
/// gains little. Found by trial.
const SLIGHT: f32 = 0.3;

/// Centres of columns, in columns.
const MIDDLES: [f32; SIDE] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];

/// The heights of a body above a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relief {
    /// Up, and two directions along the plane; orthonormal.
    axes: [Local; 3],
    /// Start of the first column, along each direction.
    low: [f32; 2],
    /// Columns per unit of length.
    columns: [f32; 2],
    /// Height of the base; no column is lower.
    base: f32,
    /// Height of one quantization step above the base.
    step: f32,
    tops: [[u8; SIDE]; SIDE],
}

/// A relief under construction.
pub struct Rising {
    relief: Relief,
    /// Coordinates along the plane, in columns, and height above the base.
    coordinates: [Axis; 3],
    /// Heights above the base.
    tops: [Lanes; SIDE],
    /// Scratch of the current eight triangles.
    eight: Eight,
}

impl Rising {
    /// A flat relief of height `base` along `up`, under the given points (in vectors of eight) and a border of `wider`
    /// around them.
    pub fn over<'a>(up: &Local, base: f32, wider: f32, under: impl Iterator<Item = &'a [Lanes; 3]>) -> Self {
        let [u, v] = along(up);
        let axes = [*up, u, v];
        let mut bounds = [Ends::NONE; 2];
        under.for_each(|points| bounds.iter_mut().zip(&axes[1..]).for_each(|(ends, axis)| ends.hold(points, axis)));
        let low = bounds.map(|ends| lowest(&ends.low) - wider);
        let high = bounds.map(|ends| highest(&ends.high) + wider);
        let columns = [0, 1].map(|k| SIDE as f32 / (high[k] - low[k]).max(f32::MIN_POSITIVE));
        let way = |k: usize| Axis { along: axes[k + 1] * columns[k], from: low[k] * columns[k] };
        let coordinates = [way(0), way(1), Axis { along: *up, from: base }];
        let relief = Relief { axes, low, columns, base, step: 0.0, tops: [[0; SIDE]; SIDE] };
        Self { relief, coordinates, tops: [[0.0; SIDE]; SIDE], eight: Eight::NONE }
    }

    /// Adds a part of the body within a sphere, no higher than `top` above the base.
    #[inline]
    pub fn raise_within(&mut self, top: f32, centre: &Local, radius: f32) {
        let around = |k: usize| {
            let (at, reach) =
                (self.coordinates[k].along.dot(centre) - self.coordinates[k].from, radius * self.relief.columns[k]);
            [at - reach, at + reach]
        };
        let (rows, lines) = (around(0), around(1));
        self.raise_between(top, rows, lines);
    }

    /// Adds eight parts of the body, each as high as a point and within `wider` of it.
    pub fn raise_points(&mut self, points: &PointLanes, wider: f32) {
        let Axis { along, from } = self.coordinates[2];
        let [x, y, z] = &points.at;
        let tops = lanes(|k| x[k] * along.x + y[k] * along.y + z[k] * along.z - from);
        for k in lane_mask(|k| tops[k] > 0.0) {
            self.raise_within(tops[k], &points.get(k), wider);
        }
    }

    /// Adds a part of the body as high as the highest corner of some triangles, within the bounding box along the plane
    /// of their corners and of other points.
    pub fn raise_box<'a>(
        &mut self,
        triangles: impl Iterator<Item = &'a [Local; 3]>,
        others: impl Iterator<Item = Local>,
    ) {
        // Four lanes: both coordinates along the plane, the height, and padding.
        let [u, v, up] = &self.coordinates;
        let turned = |k: usize| [u.along[k], v.along[k], up.along[k], 0.0];
        let (x, y, z, from) = (turned(0), turned(1), turned(2), [u.from, v.from, up.from, 0.0]);
        let at = |p: &Local, k: usize| x[k] * p.x + y[k] * p.y + z[k] * p.z - from[k];
        let (mut low, mut high) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
        for [a, b, c] in triangles {
            for k in 0..4 {
                let (a, b, c) = (at(a, k), at(b, k), at(c, k));
                low[k] = less(less(a, b), less(c, low[k]));
                high[k] = more(more(a, b), more(c, high[k]));
            }
        }
        let top = high[2];
        if top > 0.0 {
            for p in others {
                for k in 0..4 {
                    low[k] = less(at(&p, k), low[k]);
                    high[k] = more(at(&p, k), high[k]);
                }
            }
            self.raise_between(top, [low[0], high[0]], [low[1], high[1]]);
        }
    }

    /// Adds eight triangles, given by the coordinates of their corners and their indices; padding repeats the first
    /// index. If none is higher than `slight` above the base, all are added at once by a sphere around them. Returns
    /// those higher than the base.
    pub fn raise_eight(
        &mut self,
        corners: &[[Lanes; 3]; 3],
        numbers: &[u32; LANES],
        slight: f32,
        around: impl FnOnce() -> (Local, f32),
    ) -> LaneMask {
        let Self { relief, coordinates, tops: known, eight } = self;
        let top = eight.rise(corners, &coordinates[2]);
        if top <= 0.0 {
            return LaneMask::of(0);
        }
        if top < slight {
            let (centre, radius) = around();
            self.raise_within(top, &centre, radius);
            return lane_mask(|k| self.eight.tops[k] > 0.0);
        }
        eight.spread(corners, coordinates);
        // Low triangles: a closer test gains nothing.
        let [higher, plain, slanted] = eight.choose(numbers, SLIGHT / more(relief.columns[0], relief.columns[1]));
        plain.for_each(|k| raise_columns(known, eight.tops[k], eight.columns(k)));
        if !slanted.is_empty() {
            eight.slant();
            slanted.for_each(|k| eight.raise_triangle(k, known));
        }
        higher
    }

    /// Raises a rectangle along the plane, given in columns, to `top` above the base.
    #[inline]
    fn raise_between(&mut self, top: f32, rows: [f32; 2], lines: [f32; 2]) {
        let is_known = |[low, high]: [f32; 2]| (high > -MORE) & (low < SIDE as f32 + MORE);
        if is_known(rows) & is_known(lines) {
            let columns = |[low, high]: [f32; 2]| [first_column(low), last_column(high)];
            raise_columns(&mut self.tops, top, [columns(rows), columns(lines)]);
        }
    }

    /// Quantizes the heights. All parts of the body higher than the base must have been added.
    pub fn finish(self) -> Relief {
        let Self { mut relief, tops, .. } = self;
        let highest = tops.iter().fold(0.0, |high, row| more(highest(row), high));
        // One step is reserved: heights are rounded up, and enlarged for rounding (1e-5), since a quantized height must
        // never be lower.
        relief.step = highest / (u8::MAX - 1) as f32;
        if relief.step > 0.0 {
            let steps = (1.0 + 1e-5) / relief.step;
            for (rounded, tops) in relief.tops.iter_mut().zip(&tops) {
                for line in 0..SIDE {
                    rounded[line] = whole(tops[line] * steps + 1.0) as u8;
                }
            }
        }
        relief
    }
}

/// An axis: direction, and the coordinate of its origin.
#[derive(Clone, Copy)]
struct Axis {
    along: Local,
    from: f32,
}

/// Lane-wise minimum and maximum of coordinates.
#[derive(Clone, Copy)]
struct Ends {
    low: Lanes,
    high: Lanes,
}

impl Ends {
    const NONE: Self = Self { low: [f32::INFINITY; LANES], high: [f32::NEG_INFINITY; LANES] };

    #[inline(never)] // own function: keeps the tight loop's values in registers
    fn hold(&mut self, [x, y, z]: &[Lanes; 3], axis: &Local) {
        for k in 0..LANES {
            let at = x[k] * axis.x + y[k] * axis.y + z[k] * axis.z;
            self.low[k] = less(at, self.low[k]);
            self.high[k] = more(at, self.high[k]);
        }
    }
}

/// Eight triangles above columns. Processed in steps, each a tight loop.
struct Eight {
    /// Coordinates of the corners along the plane, in columns, and their heights above the base.
    at: [[Lanes; 3]; 3],
    tops: Lanes,
    /// First and last row, first and last line.
    columns: [[[u32; LANES]; 2]; 2],
    /// Nonzero for triangles beside all columns.
    apart: [u32; LANES],
    /// Per lane: bit `k` if triangle k is higher than the base, bit `k + 8` if it also raises all columns of its box,
    /// bit `k + 16` if it is worth a closer test instead.
    bits: [u32; LANES],
    /// Slope of the height per row and per line.
    slopes: [Lanes; 2],
    /// Largest height within a column centred at zero.
    height: Lanes,
    /// Outward direction across each edge, per row and per line,
    out: [[Lanes; 2]; 3],
    /// and how far out the centre of a column below the triangle can be.
    end: [Lanes; 3],
}

impl Eight {
    const NONE: Self = {
        let zero = [0.0; LANES];
        Self {
            at: [[zero; 3]; 3],
            tops: zero,
            columns: [[[0; LANES]; 2]; 2],
            apart: [0; LANES],
            bits: [0; LANES],
            slopes: [zero; 2],
            height: zero,
            out: [[zero; 2]; 3],
            end: [zero; 3],
        }
    };

    /// Takes triangles by the coordinates of their corners and returns the largest height.
    #[inline(never)] // own function: keeps the tight loop's values in registers
    fn rise(&mut self, [a, b, c]: &[[Lanes; 3]; 3], Axis { along, from }: &Axis) -> f32 {
        let [_, _, heights] = &mut self.at;
        for k in 0..LANES {
            let p = a[0][k] * along.x + a[1][k] * along.y + a[2][k] * along.z - from;
            let q = b[0][k] * along.x + b[1][k] * along.y + b[2][k] * along.z - from;
            let r = c[0][k] * along.x + c[1][k] * along.y + c[2][k] * along.z - from;
            (heights[0][k], heights[1][k], heights[2][k]) = (p, q, r);
            self.tops[k] = more(p, more(q, r));
        }
        highest(&self.tops)
    }

    /// Finds the columns of the triangles.
    #[inline(never)]
    fn spread(&mut self, corners: &[[Lanes; 3]; 3], coordinates: &[Axis; 3]) {
        let Self { at: [u, v, _], columns: [rows, lines], apart, .. } = self;
        *apart = [0; LANES];
        spread(corners, &coordinates[0], u, rows, apart);
        spread(corners, &coordinates[1], v, lines, apart);
    }

    /// Masks of the triangles that are higher than the base; of those among them that raise all columns of their box,
    /// being lower than `slight` or over few columns; and of the others. Padding, with the index of the first triangle,
    /// is left out.
    #[inline(never)]
    fn choose(&mut self, numbers: &[u32; LANES], slight: f32) -> [LaneMask; 3] {
        const BITS: [u32; LANES] = [1, 2, 4, 8, 16, 32, 64, 128];
        // The first triangle itself is not padding.
        let mut before = [numbers[0]; LANES];
        before[0] = !before[0];
        let Self { columns: [rows, lines], apart, tops, bits, .. } = self;
        for k in 0..LANES {
            let beside = (rows[1][k] + lines[1][k]) as i32 - (rows[0][k] + lines[0][k]) as i32;
            let bit = BITS[k];
            let columns = if (beside < 2) | (tops[k] < slight) { bit << 8 } else { bit << 16 };
            let columns = if apart[k] == 0 { columns } else { 0 };
            bits[k] = if (tops[k] > 0.0) & (numbers[k] != before[k]) { bit | columns } else { 0 };
        }
        let four: [u32; 4] = std::array::from_fn(|k| bits[k] | bits[k + 4]);
        let all = (four[0] | four[2]) | (four[1] | four[3]);
        [0, 8, 16].map(|shift| LaneMask::of((all >> shift) as u8))
    }

    /// Computes slopes and edges of the triangles.
    #[inline(never)]
    fn slant(&mut self) {
        let Self { at: [u, v, h], slopes, height, out, end, .. } = self;
        let mut turn = [0.0; LANES];
        for k in 0..LANES {
            let e = [u[1][k] - u[0][k], v[1][k] - v[0][k], h[1][k] - h[0][k]];
            let f = [u[2][k] - u[0][k], v[2][k] - v[0][k], h[2][k] - h[0][k]];
            let area = e[0] * f[1] - e[1] * f[0];
            let (along_u, along_v) = ((e[2] * f[1] - f[2] * e[1]) / area, (e[0] * f[2] - f[0] * e[2]) / area);
            height[k] = h[0][k] - along_u * u[0][k] - along_v * v[0][k] + HALF * (along_u.abs() + along_v.abs());
            slopes[0][k] = along_u;
            slopes[1][k] = along_v;
            turn[k] = if area > 0.0 { 1.0 } else { -1.0 };
        }
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            for k in 0..LANES {
                let (across, along) = ((v[j][k] - v[i][k]) * turn[k], (u[i][k] - u[j][k]) * turn[k]);
                out[i][0][k] = across;
                out[i][1][k] = along;
                end[i][k] = across * u[i][k] + along * v[i][k] + HALF * (across.abs() + along.abs());
            }
        }
    }

    fn columns(&self, k: usize) -> [[u32; 2]; 2] {
        let [rows, lines] = &self.columns;
        [[rows[0][k], rows[1][k]], [lines[0][k], lines[1][k]]]
    }

    /// Raises the columns below a triangle, no higher than the triangle is there.
    #[inline(never)]
    fn raise_triangle(&self, k: usize, known: &mut [Lanes; SIDE]) {
        let k = k % LANES;
        let [rows, lines] = self.columns(k);
        let limits = strip(self.tops[k], lines);
        let slope = self.slopes[1][k];
        let [p, q, r] = [0, 1, 2].map(|i| self.out[i][1][k]);
        let mut at = rows[0] as i32 as f32 + 0.5;
        for row in rows[0]..rows[1] + 1 {
            let tops = &mut known[row as usize % SIDE];
            let height = self.height[k] + self.slopes[0][k] * at;
            let [d, e, f] = [0, 1, 2].map(|i| self.end[i][k] - self.out[i][0][k] * at);
            // Branchless, so that it vectorizes.
            for line in 0..SIDE {
                let at = MIDDLES[line];
                let here = height + slope * at;
                // Vertical triangles have no slope: `here` is NaN, and the comparison selects the limit.
                let here = if here < limits[line] { here } else { limits[line] };
                let out = more(p * at - d, more(q * at - e, r * at - f));
                tops[line] = more(if out <= 0.0 { here } else { 0.0 }, tops[line]);
            }
            at += 1.0;
        }
    }
}

/// Half a column, enlarged by twice `MORE` for rounding.
const HALF: f32 = 0.502;
/// Tolerance for rounding, in columns: a thousandth is well above single precision at 8 columns (1e-6).
const MORE: f32 = 1e-3;

/// Coordinates of the corners of triangles along one axis, and the first and last column of each. Marks triangles
/// beside all columns.
#[inline(always)]
fn spread(
    [a, b, c]: &[[Lanes; 3]; 3],
    Axis { along, from }: &Axis,
    at: &mut [Lanes; 3],
    [first, last]: &mut [[u32; LANES]; 2],
    apart: &mut [u32; LANES],
) {
    for k in 0..LANES {
        let p = a[0][k] * along.x + a[1][k] * along.y + a[2][k] * along.z - from;
        let q = b[0][k] * along.x + b[1][k] * along.y + b[2][k] * along.z - from;
        let r = c[0][k] * along.x + c[1][k] * along.y + c[2][k] * along.z - from;
        (at[0][k], at[1][k], at[2][k]) = (p, q, r);
        let (low, high) = (less(p, less(q, r)), more(p, more(q, r)));
        first[k] = first_column(low);
        last[k] = last_column(high);
        apart[k] |= if (high <= -MORE) | (low >= SIDE as f32 + MORE) { 1 } else { 0 };
    }
}

#[inline(always)]
fn first_column(low: f32) -> u32 {
    whole(within(low - MORE))
}

#[inline(always)]
fn last_column(high: f32) -> u32 {
    whole(within(high + MORE))
}

/// Clamps a coordinate into the columns. A quarter column from the ends, so that `whole` cannot round out of range.
#[inline(always)]
fn within(at: f32) -> f32 {
    less(more(at, 0.25), SIDE as f32 - 0.25)
}

#[inline]
fn raise_columns(known: &mut [Lanes; SIDE], top: f32, [rows, lines]: [[u32; 2]; 2]) {
    let limits = strip(top, lines);
    for tops in &mut known[rows[0] as usize..rows[1] as usize + 1] {
        for line in 0..SIDE {
            tops[line] = more(limits[line], tops[line]);
        }
    }
}

/// A height on some lines of a row, and zero on the others.
#[inline(always)]
fn strip(top: f32, [first, last]: [u32; 2]) -> Lanes {
    lanes(|line| if (line as i32 >= first as i32) & (line as i32 <= last as i32) { top } else { 0.0 })
}

#[inline(always)]
fn less(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn more(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Floor, which may be one less for an integer. Adding 1.5 * 2^23 rounds to an integer in the lowest mantissa bits:
/// cheaper than a conversion, which has to handle NaN.
#[inline(always)]
fn whole(number: f32) -> u32 {
    ((number - 0.5) + 12_582_912.0).to_bits() & 255
}

/// Column of a coordinate. May be off by one on the border between two.
#[inline]
fn column(at: f32) -> usize {
    whole(at) as usize % SIDE
}

impl Relief {
    /// Largest height of the body above the base within `reach` of a position along the plane; infinite outside of the
    /// known columns.
    #[inline]
    pub fn top(&self, along: [f32; 2], reach: f32) -> f32 {
        let Some((first, last)) = self.columns_at(along, reach) else { return f32::INFINITY };
        // Mostly a single column.
        let top = if first == last {
            self.tops[first[0] % SIDE][first[1] % SIDE]
        } else {
            let rows = self.tops[first[0]..=last[0]].iter();
            rows.flat_map(|row| &row[first[1]..=last[1]]).fold(0, |top, known| top.max(*known))
        };
        self.step * top as f32
    }

    /// First and last column within `reach` of a position; `None` if that is not all within the known columns.
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

    /// Upper bound of the depth of a point, given by height above the base and position along the plane: the body ends
    /// above it, and beside it where a column is lower. Negative above the body; infinite outside of the known columns.
    pub fn most_depth(&self, height: f32, along: [f32; 2]) -> f32 {
        let Some((at, _)) = self.columns_at(along, 0.0) else { return f32::INFINITY };
        let own = self.step * self.tops[at[0] % SIDE][at[1] % SIDE] as f32 - height;
        if own <= 0.0 {
            return own;
        }
        // Squared distances to the neighbouring columns.
        let aside = [0, 1].map(|k| {
            let within = (along[k] - self.low[k]) * self.columns[k] - at[k] as f32;
            [within, 0.0, 1.0 - within].map(|columns| {
                let way = columns / self.columns[k];
                way * way
            })
        });
        let mut least = own * own;
        for (i, row) in aside[0].iter().enumerate() {
            // Index minus one: before the first row it wraps to a huge value, and `get` fails.
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

    /// Height of the base; no column is lower.
    pub fn base(&self) -> f32 {
        self.base
    }

    /// The axes: up, and two along the plane.
    pub fn axes(&self) -> &[Local; 3] {
        &self.axes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    impl Rising {
        /// Under some points, one by one.
        pub fn new<'a>(up: &Local, base: f32, wider: f32, under: impl Iterator<Item = &'a Local>) -> Self {
            let under = PointLanes::list(&under.copied().collect::<Vec<_>>());
            Self::over(up, base, wider, under.iter().map(|eight| &eight.at))
        }

        /// Raises by a square around a single point, or by the box of several.
        pub fn raise<'a>(&mut self, points: impl Iterator<Item = &'a Local>, wider: f32) {
            match points.copied().collect::<Vec<_>>().as_slice() {
                [one] => self.raise_points(&PointLanes::of(&[*one]), wider),
                several => self.raise_box(several.chunks_exact(3).map(|t| t.try_into().unwrap()), std::iter::empty()),
            }
        }
    }

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
                // Nearest position above a column, by brute force over many around.
                let mut nearest = f32::INFINITY;
                for (i, j) in (-100..=100).flat_map(|i| (-100..=100).map(move |j| (i, j))) {
                    let aside = [i as f32 * 0.005, j as f32 * 0.005];
                    let up = (relief.top([along[0] + aside[0], along[1] + aside[1]], 0.0) - height).max(0.0);
                    nearest = nearest.min((up * up + aside[0] * aside[0] + aside[1] * aside[1]).sqrt());
                }
                // Columns are a quarter wide, so nearer positions are in neighbouring columns.
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
            // Some are vertical, and some are large.
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
            rising.raise_eight(&corners, &[0, 1, 2, 3, 4, 5, 6, 7], 0.0, || (Local::zeros(), 0.0));
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
                // A point of a triangle, and a position within reach of it.
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
        // Most bounds are lower than the supporting plane.
        assert!(asked > 10_000 && below_all * 2 > asked, "{below_all} of {asked}");
    }
}
