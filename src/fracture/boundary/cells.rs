//! The cells of a Voronoi pattern in space, each held against those next to it.
//!
//! A point belongs to the cell whose function is lowest there. Seen from one cell, another is a height: how much its function is more,
//! which is affine. What is within a rounding of zero is nobody's: then regions decide, which are exact.

use crate::fracture::neighbours;
use crate::fracture::seeds::Metric;
use crate::geom::aabb::Aabb;
use crate::geom::simd::{Lanewise, widest};
use crate::geom::{NONE, Point, Vector};

/// Heights that are closer to zero than this, in squared radii of the asset, are not certain.
const CLOSE: f64 = 1e-12;
/// Of no more cells than this each is looked at: that is less than to find out which are neighbours.
const FEW: usize = 40;
/// Neighbours that are looked at together.
const BLOCK: usize = 4;

/// Cells, relative to the middle of the asset.
pub struct Cells<'a> {
    /// By cell: how fast its function falls, along each axis.
    pulls: Vec<Vector>,
    squares: &'a [f64],
    /// By cell: those next to it, or all others.
    neighbours: Vec<Block>,
    starts: Vec<u32>,
    /// See [`CLOSE`].
    pub close: f64,
    /// The same for lengths.
    pub short: f64,
}

/// Some neighbours of a cell: the height of each at a point is the product with the normal, plus the offset.
#[derive(Clone, Copy)]
struct Block {
    normals: [[f64; BLOCK]; 3],
    offsets: [f64; BLOCK],
    cells: [u32; BLOCK],
}

impl Block {
    /// Higher than anything.
    const NONE: Self = Self { normals: [[0.0; BLOCK]; 3], offsets: [f64::INFINITY; BLOCK], cells: [NONE; BLOCK] };

    #[inline(always)] // for vectors of any width
    fn heights(&self, p: &Vector) -> [f64; BLOCK] {
        let [x, y, z] = &self.normals;
        std::array::from_fn(|k| x[k] * p.x + y[k] * p.y + z[k] * p.z + self.offsets[k])
    }
}

/// The part of a line that is within a cell.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// From where to where, along the line.
    pub ends: [f64; 2],
    /// The cells at which it ends; [`NONE`] if it does not.
    pub cells: [u32; 2],
}

impl<'a> Cells<'a> {
    /// The cells of seeds in the space of a metric, and what `squares` has for them (`voronoi::Seeds`), as far as they are next to each
    /// other within a box.
    pub fn new(at: &[Point], squares: &'a [f64], metric: Option<&Metric>, bounds: &Aabb, radius: f64) -> Self {
        let close = CLOSE * radius * radius;
        let pull = |seed: &Point| metric.map_or(seed.coords, |metric| metric.normal(&seed.coords)) * 2.0;
        let pulls: Vec<Vector> = at.iter().map(pull).collect();
        let (found, first) = match (at.len(), metric) {
            (count, _) if count <= FEW => all_others(count as u32),
            (count, None) => neighbours::find(count, at, squares, bounds, close),
            (count, Some(metric)) => {
                let corners = bounds.corners().map(|p| Point::from(metric.apply(&p.coords)));
                neighbours::find(count, at, squares, &Aabb::around(&corners), close)
            }
        };
        let (mut blocks, mut starts) = (Vec::with_capacity(found.len() / 3 + at.len()), vec![0]);
        for (own, range) in first.windows(2).enumerate() {
            for run in found[range[0] as usize..range[1] as usize].chunks(BLOCK) {
                let mut block = Block::NONE;
                for (k, &other) in run.iter().enumerate() {
                    let normal = pulls[own] - pulls[other as usize];
                    (0..3).for_each(|axis| block.normals[axis][k] = normal[axis]);
                    block.offsets[k] = squares[other as usize] - squares[own];
                    block.cells[k] = other;
                }
                blocks.push(block);
            }
            starts.push(blocks.len() as u32);
        }
        Self { pulls, squares, neighbours: blocks, starts, close, short: CLOSE * radius }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.pulls.len() as u32
    }

    /// How fast the function of a cell falls, along each axis.
    pub fn pull(&self, cell: u32) -> &Vector {
        &self.pulls[cell as usize]
    }

    /// The function of a cell, as a normal and an offset.
    pub fn function(&self, cell: u32) -> (Vector, f64) {
        (-self.pulls[cell as usize], self.squares[cell as usize])
    }

    fn around(&self, cell: u32) -> &[Block] {
        &self.neighbours[self.starts[cell as usize] as usize..self.starts[cell as usize + 1] as usize]
    }

    /// How much the function of a cell is more than that of another at a point.
    #[inline]
    pub fn height(&self, cell: u32, over: u32, p: &Vector) -> f64 {
        (self.pull(over) - self.pull(cell)).dot(p) + (self.squares[cell as usize] - self.squares[over as usize])
    }

    /// Whether all other cells but these two are certainly higher than a cell at a point.
    #[inline]
    pub fn is_lowest(&self, cell: u32, p: &Vector, but: [u32; 2]) -> bool {
        widest(IsLowest { around: self.around(cell), p, but, close: self.close })
    }

    /// How many faces cells have in common, at most.
    pub fn face_count(&self) -> usize {
        let sides = self.neighbours.iter().flat_map(|block| block.cells).filter(|cell| *cell != NONE);
        sides.count().div_ceil(2)
    }

    /// Whether all others count as next to each cell.
    pub fn are_few(&self) -> bool {
        self.pulls.len() <= FEW
    }

    /// Calls `visit` with each cell next to a cell.
    pub fn each_neighbour(&self, cell: u32, visit: impl FnMut(u32)) {
        let cells = self.around(cell).iter().flat_map(|block| block.cells);
        cells.filter(|other| *other != NONE).for_each(visit);
    }

    /// The part of the line from a point in a direction that is within a cell, as far as others than these end it. `None` if it is not
    /// certain which cell does, or that the point is within.
    pub fn extent(&self, cell: u32, p: &Vector, along: &Vector, without: &[u32]) -> Option<Extent> {
        let mut found = Extent { ends: [f64::NEG_INFINITY, f64::INFINITY], cells: [NONE; 2] };
        let mut second = found.ends;
        for block in self.around(cell) {
            let heights = block.heights(p);
            for k in 0..BLOCK {
                let other = block.cells[k];
                if other == NONE || without.contains(&other) {
                    continue;
                }
                let [x, y, z] = &block.normals;
                let slope = x[k] * along.x + y[k] * along.y + z[k] * along.z;
                let end = -heights[k] / slope;
                if slope > 0.0 && end > found.ends[0] {
                    (second[0], found.ends[0], found.cells[0]) = (found.ends[0], end, other);
                } else if slope > 0.0 {
                    second[0] = second[0].max(end);
                } else if slope < 0.0 && end < found.ends[1] {
                    (second[1], found.ends[1], found.cells[1]) = (found.ends[1], end, other);
                } else if slope < 0.0 {
                    second[1] = second[1].min(end);
                } else if heights[k].is_nan() || heights[k] < self.close {
                    return None;
                }
            }
        }
        let is_certain = (0..2).all(|k| found.cells[k] == NONE || (found.ends[k] - second[k]).abs() > self.short);
        (is_certain && found.ends[0] < found.ends[1]).then_some(found)
    }

    /// The way from a point to the border between its cell and another, straight out of the cell, and the direction of that.
    pub fn way_out(&self, cell: u32, to: u32, p: &Vector) -> Vector {
        let way = self.pull(to) - self.pull(cell);
        way * (self.height(to, cell, p) / way.norm_squared())
    }
}

/// All other cells of each, and where they start.
fn all_others(count: u32) -> (Vec<u32>, Vec<u32>) {
    let others = (0..count).flat_map(|own| (0..count).filter(move |other| *other != own)).collect();
    (others, (0..=count).map(|own| own * count.saturating_sub(1)).collect())
}

/// Whether neighbours but two are certainly higher at a point. Branchless: unpredictable.
struct IsLowest<'a> {
    around: &'a [Block],
    p: &'a Vector,
    but: [u32; 2],
    close: f64,
}

impl Lanewise for IsLowest<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let [a, b] = self.but;
        let mut low = [0u64; BLOCK];
        for block in self.around {
            let heights = block.heights(self.p);
            for k in 0..BLOCK {
                let is_other = (block.cells[k] != a) & (block.cells[k] != b);
                low[k] |= ((heights[k] < self.close) & is_other) as u64;
            }
        }
        low == [0; BLOCK]
    }
}
