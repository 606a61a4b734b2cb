//! Occupancy masks: in which cells of a multilevel grid each piece of a break has material (Glondu 2013, section 4.5).
//!
//! In: the whole tetrahedra of the pieces, and their regions in cut ones. Out: "may this ball touch that piece?", from eight
//! cells at most, at the level whose cells are just larger than the ball. Never a wrong "no"; a wrong "yes" where the piece shares a cell with the ball.
//!
//! The paper keeps a mask of fragments in every cell, so that a cell grows with the number of fragments of the break. Ours
//! turns the mask round: a word holds 4 × 4 × 4 cells of one piece at one level, and is found by (piece, block) in one flat
//! table. So memory goes with what is occupied, a test costs the same for eight fragments and for ten thousand, and the
//! eight cells of a test are two words on average. Levels are filled bottom-up by a logical OR (the paper's AND is a slip).
//!
//! Cost: the tetrahedra of the object that broke, once. Words are merged in the order of their keys: the same for everyone.

use crate::crack::breaks::Break;
use crate::crack::polygons::crossed_edges;
use crate::cut::polytope::Polytope;
use crate::geom::aabb::Aabb;
use crate::geom::random::mix;
use crate::geom::{Point, Vector};
use crate::grid::location::outward_planes;
use crate::grid::lookup::Lookup;
use crate::heap::held;
use crate::solid::Solid;

/// Cells of the finest level, in mean edges. Smaller pieces share cells.
const CELL: f64 = 0.5;
/// At most this many cells along an axis.
const MOST_CELLS: f64 = 256.0;
/// Cells count as this share larger than they are, on every side: far more than single precision loses.
const HAIR: f64 = 1e-4;
/// A slot of the table that holds nothing.
const EMPTY: u64 = u64::MAX;

/// Where the pieces of a break have material.
#[derive(Clone, Debug, PartialEq)]
pub struct Occupancy {
    /// Lowest corner of the grids.
    low: Point,
    /// From fine to coarse, each half as fine as the one before; the last one is a single cell.
    levels: Vec<Level>,
    /// Key and mask of a block, a power of two of them, at least a third empty.
    slots: Vec<(u64, u64)>,
    pairs: usize,
}

/// One grid.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Level {
    cell: f64,
    /// Cells along each axis.
    size: [usize; 3],
    /// Number of its first block; blocks are numbered through all levels.
    first_block: usize,
}

/// A box of cells, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cells {
    low: [usize; 3],
    high: [usize; 3],
}

/// The cells that a ball may touch, at the level that suits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    level: usize,
    cells: Cells,
}

impl Window {
    /// How many cells it has: eight at most.
    pub fn cells(&self) -> usize {
        (0..3).map(|k| self.cells.high[k] - self.cells.low[k] + 1).product()
    }
}

impl Cells {
    /// The bits of those in a block.
    fn in_block(&self, block: [usize; 3]) -> u64 {
        // Along each axis, a bit for each of four.
        let along = |axis: usize| {
            let from = self.low[axis].saturating_sub(4 * block[axis]);
            let to = (self.high[axis] - 4 * block[axis]).min(3);
            (2u64 << to) - (1 << from)
        };
        // Each bit of a row becomes four bits of a layer, each of those sixteen of the block.
        const EVERY_FOURTH: [u64; 16] = every(4);
        const EVERY_SIXTEENTH: [u64; 16] = every(16);
        along(0) * EVERY_FOURTH[along(1) as usize] * EVERY_SIXTEENTH[along(2) as usize]
    }

    /// The blocks that they lie in.
    fn blocks(&self) -> impl Iterator<Item = [usize; 3]> {
        let [x, y, z] = [0, 1, 2].map(|k| self.low[k] / 4..self.high[k] / 4 + 1);
        z.flat_map(move |z| {
            let x = x.clone();
            y.clone().flat_map(move |y| x.clone().map(move |x| [x, y, z]))
        })
    }
}

/// The four bits of a number, `step` apart.
const fn every(step: usize) -> [u64; 16] {
    let mut spread = [0; 16];
    let mut bits = 0;
    while bits < 64 {
        spread[bits / 4] |= (((bits / 4) >> (bits % 4) & 1) as u64) << (step * (bits % 4));
        bits += 1;
    }
    spread
}

impl Level {
    fn blocks(&self) -> [usize; 3] {
        self.size.map(|cells| cells.div_ceil(4))
    }

    fn block(&self, at: [usize; 3]) -> usize {
        let [nx, ny, _] = self.blocks();
        self.first_block + (at[2] * ny + at[1]) * nx + at[0]
    }

    /// The block at a number.
    fn place(&self, block: usize) -> [usize; 3] {
        let [nx, ny, _] = self.blocks();
        let within = block - self.first_block;
        [within % nx, within / nx % ny, within / (nx * ny)]
    }
}

/// What a block of a piece is found by.
fn key(piece: u32, block: usize) -> u64 {
    (piece as u64) << 32 | block as u64
}

impl Occupancy {
    /// Of the pieces of a break; `cuts` finds the place of a cut tetrahedron in it.
    pub fn new(solid: &Solid, made: &Break, cuts: &Lookup) -> Self {
        let bounds = solid.bounds();
        let mut grids = Self { low: bounds.min, levels: levels(solid, &bounds), slots: vec![], pairs: 0 };
        let mut finest = vec![];
        for piece in 0..made.pieces.len() as u32 {
            // The lowest node finds the tetrahedra that are not cut, each once.
            let whole = made.nodes_of(piece).iter().flat_map(|node| solid.tets_from(*node)).map(|tet| tet as u32);
            for tet in whole.filter(|tet| cuts.get(*tet).is_none()) {
                let corners = solid.corners(tet);
                grids.mark(piece, &corners, &Aabb::around(&corners), &mut finest);
            }
        }
        let mut polytope = Polytope::default();
        for (k, cut) in made.cut_tets().tets.iter().enumerate() {
            let corners = solid.corners(cut.tet);
            for region in made.cut_tets().regions_at(k) {
                let part = bounds_of(made, k, region, &corners, &mut polytope);
                grids.mark(made.cut_tets().regions[region].piece, &corners, &part, &mut finest);
            }
        }
        let mut all = merged(finest);
        let mut fine = all.clone();
        for level in 1..grids.levels.len() {
            fine = merged(fine.iter().map(|word| grids.coarser(level, word)).collect());
            all.extend_from_slice(&fine);
        }
        grids.fill(&all);
        grids
    }

    /// Marks the cells that a convex part of a piece, in a tetrahedron and in a box, may touch.
    fn mark(&self, piece: u32, tet: &[Point; 4], part: &Aabb, found: &mut Vec<(u64, u64)>) {
        let level = &self.levels[0];
        let cell = |p: &Point, hair: f64| -> [usize; 3] {
            let along = |k: usize| ((p[k] - self.low[k]) / level.cell + hair).max(0.0) as usize;
            std::array::from_fn(|k| along(k).min(level.size[k] - 1))
        };
        let cells = Cells { low: cell(&part.min, -HAIR), high: cell(&part.max, HAIR) };
        let faces = outward_planes(tet).map(|(normal, at)| {
            let reach = normal.abs().sum() * level.cell * (0.5 + HAIR);
            (normal, normal.dot(&(self.low - at)) - reach)
        });
        for block in cells.blocks() {
            let mut mask = cells.in_block(block);
            let mut left = mask;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                let at = [block[0] * 4 + bit % 4, block[1] * 4 + bit / 4 % 4, block[2] * 4 + bit / 16];
                let middle = Vector::from(at.map(|c| (c as f64 + 0.5) * level.cell));
                if faces.iter().any(|(normal, offset)| normal.dot(&middle) + offset > 0.0) {
                    mask &= !(1 << bit);
                }
            }
            if mask != 0 {
                found.push((key(piece, level.block(block)), mask));
            }
        }
    }

    /// What a word of one level means at the next coarser one: an eighth of a word there.
    fn coarser(&self, level: usize, &(fine, mask): &(u64, u64)) -> (u64, u64) {
        let at = self.levels[level - 1].place(fine as u32 as usize);
        // A cell is occupied if one of its eight is.
        let pairs = mask | mask >> 1;
        let squares = pairs | pairs >> 4;
        let cubes = squares | squares >> 16;
        let mut coarse = 0;
        for corner in 0..8 {
            let [x, y, z] = [corner & 1, corner >> 1 & 1, corner >> 2];
            let occupied = cubes >> (2 * x + 8 * y + 32 * z) & 1;
            let to = [2 * (at[0] % 2) + x, 2 * (at[1] % 2) + y, 2 * (at[2] % 2) + z];
            coarse |= occupied << (to[0] + 4 * to[1] + 16 * to[2]);
        }
        (key((fine >> 32) as u32, self.levels[level].block(at.map(|c| c / 2))), coarse)
    }

    fn fill(&mut self, words: &[(u64, u64)]) {
        let size = (words.len() * 3 / 2 + 1).next_power_of_two();
        self.slots = vec![(EMPTY, 0); size];
        for word in words {
            let mut slot = mix(word.0) as usize & (size - 1);
            while self.slots[slot].0 != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = *word;
            self.pairs += word.1.count_ones() as usize;
        }
    }

    /// The cells that a ball may touch, `reach` around `centre`; none beyond the box of the asset.
    pub fn window(&self, centre: &Point, reach: f64) -> Option<Window> {
        // A hair more, so that what touches at a point touches.
        let level = self.levels.iter().position(|level| level.cell >= 2.0 * reach * (1.0 + HAIR));
        let number = level.unwrap_or(self.levels.len() - 1);
        let Level { cell, size, .. } = self.levels[number];
        let reach = reach + 0.1 * HAIR * cell;
        let mut cells = Cells { low: [0; 3], high: [0; 3] };
        for k in 0..3 {
            let from = ((centre[k] - reach - self.low[k]) / cell).floor();
            let to = ((centre[k] + reach - self.low[k]) / cell).floor();
            if to < 0.0 || from >= size[k] as f64 {
                return None;
            }
            cells.low[k] = from.max(0.0) as usize;
            cells.high[k] = (to as usize).min(size[k] - 1);
        }
        Some(Window { level: number, cells })
    }

    /// Whether a piece has material in one of the cells that a ball may touch. "No" is certain.
    pub fn may_touch(&self, piece: u32, centre: &Point, reach: f64) -> bool {
        self.window(centre, reach).is_some_and(|window| self.is_in(piece, &window))
    }

    /// Whether a piece has material in a window.
    pub fn is_in(&self, piece: u32, window: &Window) -> bool {
        let level = &self.levels[window.level];
        let cells = &window.cells;
        cells.blocks().any(|block| self.mask(key(piece, level.block(block))) & cells.in_block(block) != 0)
    }

    fn mask(&self, key: u64) -> u64 {
        let last = self.slots.len() - 1;
        let mut slot = mix(key) as usize & last;
        loop {
            match self.slots[slot] {
                (found, mask) if found == key => return mask,
                (EMPTY, _) => return 0,
                _ => slot = (slot + 1) & last,
            }
        }
    }

    /// How many pairs of a cell and a piece in it there are, over all levels.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// Edge lengths of the cells, from fine to coarse.
    pub fn cell_sizes(&self) -> impl ExactSizeIterator<Item = f64> {
        self.levels.iter().map(|level| level.cell)
    }

    /// Bytes on the heap: 48 a pair at the very most, where every word holds a single cell.
    pub fn bytes(&self) -> usize {
        held(&self.slots) + held(&self.levels)
    }
}

/// Box around a region of the cut tetrahedron at position `k`, which has these corners.
fn bounds_of(made: &Break, k: usize, region: usize, corners: &[Point; 4], polytope: &mut Polytope) -> Aabb {
    let nodes = made.cut_tets().regions[region].nodes;
    let mut bounds = Aabb::around((0..4).filter(|i| nodes >> i & 1 != 0).map(|i| &corners[i]));
    match made.cut_tets().splits_at(k) {
        [only] => crossed_edges(nodes).iter().for_each(|&[i, j]| {
            let [_, share] = only.on_edge(i, j);
            bounds.grow(&(corners[i] + (corners[j] - corners[i]) * share));
        }),
        splits => {
            polytope.set_region(splits, made.cut_tets().walls_of(region).iter().copied());
            for corner in 0..polytope.corner_count() {
                let shares = polytope.weights_at(corner);
                let at = (1..4).map(|i| (corners[i] - corners[0]) * shares[i]).sum::<Vector>();
                bounds.grow(&(corners[0] + at));
            }
        }
    }
    bounds
}

/// Grids around a solid, each half as fine as the one before, down to a single cell.
fn levels(solid: &Solid, bounds: &Aabb) -> Vec<Level> {
    let longest = bounds.size().max();
    let cell = (solid.mean_edge() * CELL).max(longest / MOST_CELLS);
    // What ends on the border of the last cell is in it.
    let size = std::array::from_fn(|k| (bounds.size()[k] / cell) as usize + 1);
    let mut levels = vec![Level { cell, size, first_block: 0 }];
    while let Some(last) = levels.last().filter(|last| last.size != [1; 3]) {
        levels.push(Level {
            cell: 2.0 * last.cell,
            size: last.size.map(|cells| cells.div_ceil(2)),
            first_block: last.first_block + last.blocks().iter().product::<usize>(),
        });
    }
    levels
}

/// One word a key, in the order of the keys.
fn merged(mut words: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    words.sort_unstable();
    words.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 |= if same { next.1 } else { 0 };
        same
    });
    words
}
