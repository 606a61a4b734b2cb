//! Point location: which tetrahedron of the solid holds a point.
//!
//! A grid of cells, each with the few tetrahedra that touch it, instead of the k-d tree of Glondu 2013, section 4.3: one
//! look-up, two to three candidates. Inside or outside of the solid comes from here, never from a distance.

use crate::error::{Result, bad_data};
use crate::geom::aabb::Aabb;
use crate::geom::counting_sort::starts_of;
use crate::geom::{Local, NONE, Point};
use crate::grid::cells::Cells;
use crate::heap::held;
use crate::solid::Solid;
use std::cmp::Reverse;

/// Cells are this long, in mean edges: a search mostly ends with the first tetrahedron. Smaller ones take more memory and no less time.
const CELL: f64 = 0.6;
/// So long they are in older files.
const OLD_CELL: f64 = 0.5;
/// At most this many cells along an axis.
const MOST_CELLS: f64 = 160.0;
/// How far outside of a tetrahedron, in barycentric coordinates, a point may be and still count as in it: points on the
/// common face of two belong to one of them, whatever single precision makes of it.
const ON_FACE: f32 = 4e-6;

/// A point in a tetrahedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// The tetrahedron.
    pub tet: u32,
    /// Barycentric coordinates, none below zero.
    pub weights: [f64; 4],
}

/// Finds tetrahedra by position. Positions are relative to the middle of the asset.
#[derive(Clone, Debug)]
pub struct Locator {
    cells: Cells,
    /// Of each cell; one more marks the end.
    lists: Vec<List>,
    /// The other tetrahedra of cell `k`: `others[lists[k].others..lists[k + 1].others]`.
    others: Vec<u32>,
    frames: Vec<Frame>,
}

/// The tetrahedra of a cell. The first is mostly the one that is looked for: then the others are not read.
#[derive(Clone, Copy, Debug)]
struct List {
    /// [`NONE`] if there is none.
    first: u32,
    others: u32,
}

/// A tetrahedron as its first corner and the map to the barycentric coordinates of the other three. A line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Frame {
    corner: Local,
    to_weights: [Local; 3],
    /// How far each corner is from the face opposite.
    heights: [f32; 4],
}

impl Locator {
    /// Sorts the tetrahedra of a solid into cells.
    pub fn new(solid: &Solid, middle: &Point) -> Self {
        let bounds = solid.bounds();
        let (cell, size) = cells_of(solid, CELL);
        let cell_of = |p: &Point| -> [usize; 3] {
            std::array::from_fn(|k| (((p[k] - bounds.min[k]) / cell) as usize).min(size[k] - 1))
        };
        let mut pairs: Vec<(u32, u32)> = vec![];
        for tet in 0..solid.tets().len() as u32 {
            let corners = solid.corners(tet);
            let around = Aabb::around(&corners);
            let (low, high) = (cell_of(&around.min), cell_of(&around.max));
            let faces = outward_planes(&corners);
            for z in low[2]..=high[2] {
                for y in low[1]..=high[1] {
                    for x in low[0]..=high[0] {
                        let middle = bounds.min + nalgebra::Vector3::new(x, y, z).map(|c| (c as f64 + 0.5) * cell);
                        // A hair larger than the cell, for points that rounding puts into the next one.
                        let reach = |n: &nalgebra::Vector3<f64>| n.abs().sum() * cell * 0.5001;
                        if faces.iter().all(|(n, at)| n.dot(&(middle - at)) <= reach(n)) {
                            pairs.push((((z * size[1] + y) * size[0] + x) as u32, tet));
                        }
                    }
                }
            }
        }
        // In each cell the tetrahedron that holds its middle first, or comes nearest to it: a search mostly ends there.
        let frames = frames_of(solid, middle);
        let low: Local = (bounds.min - middle).cast();
        let depth = |cell_number: u32, tet: u32| {
            let number = cell_number as usize;
            let at = [number % size[0], number / size[0] % size[1], number / (size[0] * size[1])];
            let p = low + Local::from_fn(|k, _| (at[k] as f32 + 0.5) * cell as f32);
            frames[tet as usize].weights(&p).into_iter().fold(f32::INFINITY, f32::min)
        };
        pairs.sort_by_cached_key(|(cell, tet)| (*cell, Reverse(ordered(depth(*cell, *tet))), *tet));
        let start = starts_of(size.iter().product(), pairs.iter().map(|(cell, _)| *cell));
        let tets: Vec<u32> = pairs.iter().map(|(_, tet)| *tet).collect();
        Self::of_lists(Cells::new(low, cell, size), &start, &tets, frames)
    }

    /// From where the tetrahedra of each cell start, and the tetrahedra.
    fn of_lists(cells: Cells, start: &[u32], tets: &[u32], frames: Vec<Frame>) -> Self {
        let mut lists = Vec::with_capacity(start.len());
        let mut others = Vec::with_capacity(tets.len());
        for ends in start.windows(2) {
            let (first, rest) = match &tets[ends[0] as usize..ends[1] as usize] {
                [] => (NONE, &[][..]),
                [first, rest @ ..] => (*first, rest),
            };
            lists.push(List { first, others: others.len() as u32 });
            others.extend_from_slice(rest);
        }
        lists.push(List { first: NONE, others: others.len() as u32 });
        others.shrink_to_fit();
        Self { cells, lists, others, frames }
    }

    /// The locator of a solid from its lists: where the tetrahedra of each cell start, and the tetrahedra.
    pub(crate) fn restore(solid: &Solid, middle: &Point, start: &[u32], tets: &[u32]) -> Result<Self> {
        let made_for = |length: &f64| cells_of(solid, *length).1.iter().product::<usize>() + 1 == start.len();
        let Some(length) = [CELL, OLD_CELL].into_iter().find(made_for) else {
            bad_data!(
                "the point location has {} lists, which are not those of this mesh",
                start.len().saturating_sub(1)
            );
        };
        let (cell, size) = cells_of(solid, length);
        if start[0] != 0 || !start.is_sorted() || start[start.len() - 1] as usize != tets.len() {
            bad_data!("the lists of the point location do not follow each other");
        }
        let highest = tets.iter().fold(0, |highest, tet| (*tet).max(highest));
        if highest as usize >= solid.tets().len() {
            bad_data!("the point location names tetrahedron {highest} of {}", solid.tets().len());
        }
        let (low, frames) = ((solid.bounds().min - middle).cast(), frames_of(solid, middle));
        Ok(Self::of_lists(Cells::new(low, cell, size), start, tets, frames))
    }

    /// Where the tetrahedra of each cell start, and the tetrahedra.
    pub(crate) fn lists(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut start, mut tets) = (vec![0], vec![]);
        for cell in 0..self.cells.count() {
            tets.extend(self.tets_of(cell));
            start.push(tets.len() as u32);
        }
        (start, tets)
    }

    /// The tetrahedra of a cell.
    #[inline]
    fn tets_of(&self, cell: usize) -> impl Iterator<Item = u32> {
        let first = Some(self.lists[cell].first).filter(|tet| *tet != NONE);
        let [from, to] = [cell, cell + 1].map(|cell| self.lists[cell].others as usize);
        first.into_iter().chain(self.others[from..to].iter().copied())
    }

    /// The tetrahedron that holds `p`; `None` outside of the solid.
    pub fn find(&self, p: &Local) -> Option<Located> {
        let cell = self.cells.at(p)?;
        let mut best = (-ON_FACE, None);
        for tet in self.tets_of(cell) {
            let weights = self.frames[tet as usize].weights(p);
            let least = weights[0].min(weights[1]).min(weights[2].min(weights[3]));
            if least >= best.0 {
                best = (least, Some((tet, weights)));
                if least >= 0.0 {
                    break;
                }
            }
        }
        let (tet, weights) = best.1?;
        Some(Located { tet, weights: weights.map(|w| w.max(0.0) as f64) })
    }

    /// Barycentric coordinates of a point of a tetrahedron, none below zero.
    pub fn weights(&self, tet: u32, p: &Local) -> [f64; 4] {
        self.frames[tet as usize].weights(p).map(|w| w.max(0.0) as f64)
    }

    /// How far a point is from the nearest face of its tetrahedron.
    pub fn inwards(&self, found: &Located) -> f32 {
        let heights = &self.frames[found.tet as usize].heights;
        (0..4).map(|k| found.weights[k] as f32 * heights[k]).fold(f32::INFINITY, f32::min)
    }

    /// The slopes of the four barycentric coordinates of a tetrahedron.
    pub fn slopes(&self, tet: u32) -> [Local; 4] {
        let [b, c, e] = self.frames[tet as usize].to_weights;
        [-(b + c + e), b, c, e]
    }

    /// Calls `visit` with every tetrahedron that may come closer than `reach` to `p`; with some more than once.
    pub fn visit_around(&self, p: &Local, reach: f32, mut visit: impl FnMut(u32)) {
        self.cells.rows_around(p, reach, |row| row.flat_map(|cell| self.tets_of(cell)).for_each(&mut visit));
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.lists) + held(&self.others) + held(&self.frames)
    }
}

/// Edge length of cells so many mean edges long, and how many there are along each axis.
fn cells_of(solid: &Solid, length: f64) -> (f64, [usize; 3]) {
    let size = solid.bounds().size();
    let cell = (solid.mean_edge() * length).max(size.max() / MOST_CELLS);
    (cell, std::array::from_fn(|k| (size[k] / cell) as usize + 1))
}

fn frames_of(solid: &Solid, middle: &Point) -> Vec<Frame> {
    (0..solid.tets().len() as u32).map(|t| Frame::new(&solid.corners(t), middle)).collect()
}

impl Frame {
    fn new(corners: &[Point; 4], middle: &Point) -> Self {
        let edges = nalgebra::Matrix3::from_columns(&[1, 2, 3].map(|k| corners[k] - corners[0]));
        // Every tetrahedron of a solid has volume.
        let inverse = edges.try_inverse().unwrap_or_default();
        let row = |k: usize| inverse.row(k).transpose().cast();
        let slopes = inverse.row_iter().map(|row| row.norm()).collect::<Vec<_>>();
        let first = inverse.row_sum().norm();
        let heights = [first, slopes[0], slopes[1], slopes[2]].map(|slope| (1.0 / slope) as f32);
        Self { corner: (corners[0] - middle).cast(), to_weights: [row(0), row(1), row(2)], heights }
    }

    fn weights(&self, p: &Local) -> [f32; 4] {
        let d = p - self.corner;
        let [b, c, e] = self.to_weights.map(|row| row.dot(&d));
        [1.0 - b - c - e, b, c, e]
    }
}

/// A number whose order is that of the float.
fn ordered(x: f32) -> i32 {
    let bits = x.to_bits() as i32;
    bits ^ (((bits >> 31) as u32) >> 1) as i32
}

/// Outward normal of each face, and a point on it.
pub(crate) fn outward_planes(corners: &[Point; 4]) -> [(nalgebra::Vector3<f64>, Point); 4] {
    std::array::from_fn(|k| {
        let [a, b, c] = [1, 2, 3].map(|i| corners[(k + i) % 4]);
        let normal = (b - a).cross(&(c - a));
        (if normal.dot(&(corners[k] - a)) > 0.0 { -normal } else { normal }, a)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;
    use crate::solid::shapes;

    #[test]
    fn finds_the_tetrahedron_that_brute_force_finds() {
        for solid in
            [shapes::ball(1.0, 8), shapes::brick(1), shapes::hollow_ball(1e-6, 8, 1), shapes::torus(1e5, 3e4, 12, 4)]
        {
            let bounds = solid.bounds();
            let middle = bounds.centre();
            let locator = Locator::new(&solid, &middle);
            let (mut inside, mut outside) = (0, 0);
            for k in 0..4000u64 {
                let p = bounds.min
                    + bounds.size().zip_map(&nalgebra::Vector3::from_fn(|i, _| unit(k, i as u64)), |s, u| s * u);
                let within = |tet: u32, slack: f64| {
                    let c = solid.corners(tet);
                    let w = nalgebra::Matrix3::from_columns(&[c[1] - c[0], c[2] - c[0], c[3] - c[0]])
                        .try_inverse()
                        .unwrap()
                        * (p - c[0]);
                    w.min().min(1.0 - w.sum()) >= -slack
                };
                match locator.find(&(p - middle).cast()) {
                    Some(found) => {
                        assert!(within(found.tet, 1e-4), "{p} is not in {}", found.tet);
                        assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-4);
                        inside += 1;
                    }
                    None => {
                        assert!(!(0..solid.tets().len() as u32).any(|t| within(t, -1e-4)), "{p} was not found");
                        outside += 1;
                    }
                }
            }
            assert!(inside > 500 && outside > 100, "{inside} and {outside}");
            // Nodes, and points on edges and faces, are never lost.
            for tet in 0..solid.tets().len() as u32 {
                let c = solid.corners(tet);
                for w in [[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.2, 0.3, 0.5, 0.0], [0.25; 4]] {
                    let p = (0..4).fold(Point::origin(), |at, k| at + c[k].coords * w[k]);
                    assert!(locator.find(&(p - middle).cast()).is_some(), "{p} of {tet} was lost");
                }
            }
            assert!(locator.find(&Local::repeat(f32::NAN)).is_none());
        }
    }
}
