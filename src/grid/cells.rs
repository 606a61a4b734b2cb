//! Cubic cells over a body: in which one a point is, and which a ball meets.

use crate::geom::Local;
use crate::geom::pinned::powi;
use std::ops::RangeInclusive;

/// Cells of equal size, numbered x fastest. Positions are relative to the middle of the asset.
#[derive(Clone, Debug)]
pub struct Cells {
    low: Local,
    per_metre: f32,
    size: [usize; 3],
}

impl Cells {
    /// So many cells along each axis, of this edge length, from the lowest corner on.
    pub fn new(low: Local, cell: f64, size: [usize; 3]) -> Self {
        Self { low, per_metre: (1.0 / cell) as f32, size }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.size.iter().product()
    }

    /// The cell that holds a point; `None` outside of all.
    pub fn at(&self, p: &Local) -> Option<usize> {
        let q = (p - self.low) * self.per_metre;
        let mut cell = 0;
        for k in [2, 1, 0] {
            // A cell outwards of the box for rounding; NaN is nowhere.
            let last = self.size[k] as i32 - 1; // conversions of 32 bits are one instruction
            if !(q[k] >= -0.01 && q[k] <= last as f32 + 1.01) {
                return None;
            }
            cell = cell * self.size[k] + (q[k] as i32).clamp(0, last) as usize;
        }
        Some(cell)
    }

    /// Calls `visit` with the first and the last cell of every row that comes closer than `reach` to a point.
    pub fn rows_around(&self, p: &Local, reach: f32, mut visit: impl FnMut(RangeInclusive<usize>)) {
        let q = (p - self.low) * self.per_metre;
        // A hundredth of a cell for rounding.
        let r = reach * self.per_metre + 0.01;
        let range = |k: usize, r: f32| {
            let last = self.size[k] as f32 - 1.0;
            (q[k] - r).clamp(0.0, last) as usize..=(q[k] + r).clamp(0.0, last) as usize
        };
        if !(0..3).all(|k| q[k] + r >= 0.0 && q[k] - r <= self.size[k] as f32) {
            return;
        }
        // From p to a row of cells, along an axis.
        let apart = |k: usize, cell: usize| (cell as f32 - q[k]).max(q[k] - (cell + 1) as f32).max(0.0);
        for z in range(2, r) {
            for y in range(1, r) {
                // Of a wide ball, only the rows that it meets, and as far as it meets them.
                let left = r * r - powi(apart(2, z), 2) - powi(apart(1, y), 2);
                if left < 0.0 {
                    continue;
                }
                let row = (z * self.size[1] + y) * self.size[0];
                let along = range(0, left.sqrt());
                visit(row + along.start()..=row + along.end());
            }
        }
    }

    /// Calls `visit` with the first and the last cell of every row in a box, given by its lowest and its highest corner.
    pub fn rows_within(&self, low: &Local, high: &Local, mut visit: impl FnMut(RangeInclusive<usize>)) {
        let [first, last] = [(low, -0.01), (high, 0.01)].map(|(corner, slack)| {
            let q = ((corner - self.low) * self.per_metre).add_scalar(slack);
            [0, 1, 2].map(|k| q[k].clamp(0.0, self.size[k] as f32 - 1.0) as usize)
        });
        for z in first[2]..=last[2] {
            for y in first[1]..=last[1] {
                let row = (z * self.size[1] + y) * self.size[0];
                visit(row + first[0]..=row + last[0]);
            }
        }
    }

    /// Positions of the lowest and the highest corner of a cell.
    pub fn corners(&self, cell: usize) -> [Local; 2] {
        let [x, y, _] = self.size;
        let at = [cell % x, cell / x % y, cell / (x * y)];
        [0, 1].map(|side| self.low + Local::from_fn(|k, _| (at[k] + side) as f32 / self.per_metre))
    }
}
