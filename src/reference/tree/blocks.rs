//! Points in blocks of eight along a curve, under a binary tree of boxes: the one search structure behind the
//! maximum-distance order and the building of sphere trees (Glondu 2013, section 5.1, leaves both at O(n²)).
//!
//! The tree is complete and lies in an array: the root is 1, the children of `k` are `2k` and `2k + 1`, and the last
//! `leaves` entries are the blocks. Whoever searches keeps what it needs beside the boxes in arrays of the same shape.
//!
//! Bounds are exact, without slack: a squared distance to a box is computed with the very operations of
//! [`squared_distance`], and rounding keeps order, so it never exceeds the computed distance to a point of the box.

use crate::geom::aabb::Aabb;
use crate::geom::{NONE, Point, morton};

/// Points a block.
pub const BLOCK: usize = 8;

/// Points in blocks under boxes. See the module.
pub struct Blocks {
    /// By slot: where the points are. The last block is filled up with copies of its last point.
    pub at: Vec<Point>,
    /// By slot: the numbers of the points; [`NONE`] where filled up.
    pub number: Vec<u32>,
    /// By number: the slot.
    pub slot: Vec<u32>,
    /// By tree node: box around its points; empty if it has none.
    pub boxes: Vec<Aabb>,
    /// Number of blocks, filled up to a power of two. Block `b` is tree node `leaves + b`.
    pub leaves: usize,
}

impl Blocks {
    /// Puts points in blocks.
    pub fn new(points: &[Point]) -> Self {
        let mut number = morton::order(points);
        let filled = number.len().div_ceil(BLOCK);
        let mut slot = vec![NONE; points.len()];
        number.iter().zip(0..).for_each(|(n, s)| slot[*n as usize] = s);
        let mut at: Vec<Point> = number.iter().map(|n| points[*n as usize]).collect();
        if let Some(last) = at.last().copied() {
            at.resize(filled * BLOCK, last);
            number.resize(filled * BLOCK, NONE);
        }
        let leaves = filled.next_power_of_two();
        let mut boxes = vec![Aabb::EMPTY; 2 * leaves];
        at.chunks(BLOCK).zip(&mut boxes[leaves..]).for_each(|(block, leaf)| *leaf = Aabb::around(block));
        for node in (1..leaves).rev() {
            let [a, b] = [boxes[2 * node], boxes[2 * node + 1]];
            boxes[node] = match (a.is_empty(), b.is_empty()) {
                (_, true) => a,
                (true, _) => b,
                _ => Aabb::around([&a.min, &a.max, &b.min, &b.max]),
            };
        }
        Self { at, number, slot, boxes, leaves }
    }

    /// The slots of a leaf; none if nothing is in it.
    pub fn slots(&self, leaf: usize) -> std::ops::Range<usize> {
        let first = (leaf - self.leaves) * BLOCK;
        first.min(self.at.len())..(first + BLOCK).min(self.at.len())
    }

    /// For every tree node the lowest of some values of the points; [`NONE`] where there are no points.
    pub fn lowest(&self, value: impl Fn(u32) -> u32) -> Vec<u32> {
        let mut lowest = vec![NONE; 2 * self.leaves];
        for (block, lowest) in self.number.chunks(BLOCK).zip(&mut lowest[self.leaves..]) {
            *lowest = block.iter().filter(|n| **n != NONE).map(|n| value(*n)).min().unwrap_or(NONE);
        }
        (1..self.leaves).rev().for_each(|k| lowest[k] = lowest[2 * k].min(lowest[2 * k + 1]));
        lowest
    }
}

/// Squared distance of two points.
pub fn squared_distance(a: &Point, b: &Point) -> f64 {
    let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z);
    x * x + y * y + z * z
}

/// Squared distance of a point to a box: never above that to a point in it. Infinite for the empty box.
pub fn squared_distance_to_box(p: &Point, bounds: &Aabb) -> f64 {
    let gap = |k: usize| {
        let (below, above) = (bounds.min[k] - p[k], p[k] - bounds.max[k]);
        let outside = if below > above { below } else { above };
        if outside > 0.0 { outside } else { 0.0 }
    };
    let (x, y, z) = (gap(0), gap(1), gap(2));
    x * x + y * y + z * z
}

/// Squared distance of the farthest corners of two boxes: never below that of two points in them.
pub fn squared_reach(a: &Aabb, b: &Aabb) -> f64 {
    let reach = |k: usize| {
        let (up, down) = (b.max[k] - a.min[k], a.max[k] - b.min[k]);
        if up > down { up } else { down }
    };
    let (x, y, z) = (reach(0), reach(1), reach(2));
    x * x + y * y + z * z
}
