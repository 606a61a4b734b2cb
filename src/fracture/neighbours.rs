//! Which Voronoi cells have a face in common within a box.
//!
//! Each cell is what the bisectors with the seeds around leave of the box. Seeds come in shells of a grid, until they are too far away to cut
//! anything off. What just touches a cell counts as well.

use crate::geom::aabb::Aabb;
use crate::geom::convex::{Convex, Corner};
use crate::geom::pinned::cbrt;
use crate::geom::{NONE, Point, Vector};

/// For rounding, and for what is added to squared distances: a little farther counts as well.
const HAIR: f64 = 1.0 + 1e-6;

/// The cells next to each of the first so many cells, by their seeds and what `squares` has for them (`voronoi::Seeds`), or not farther above
/// it, as their functions go, than `close`; and where those of each start.
pub fn find(count: usize, at: &[Point], squares: &[f64], bounds: &Aabb, close: f64) -> (Vec<u32>, Vec<u32>) {
    let around = clipped_box(bounds);
    let grid = Grid::new(at);
    let mut cell: Convex<u32, Vector> = Convex::default();
    let (mut cutting, mut found, mut starts) = (vec![], vec![], vec![0]);
    for own in 0..count as u32 {
        let seed = &at[own as usize];
        // How much more another function is than its own.
        let height = |other: u32, p: &Vector| {
            let way = seed - at[other as usize];
            2.0 * way.dot(p) + (squares[other as usize] - squares[own as usize])
        };
        cell.corners.clone_from(&around.corners);
        cutting.clear();
        for shell in 0.. {
            let Some(seeds) = grid.shell(seed, shell) else { break };
            for other in seeds.filter(|other| *other != own) {
                let mut least = f64::INFINITY;
                let is_beyond = |corner: &Corner<u32, Vector>| {
                    let height = height(other, &corner.at);
                    least = if height < least { height } else { least };
                    height < 0.0
                };
                cell.clip(other, is_beyond, |_, [stays, goes]| {
                    let (from, to) = (height(other, stays), height(other, goes));
                    stays + (goes - stays) * (from / (from - to))
                });
                if least < close {
                    cutting.push(other);
                }
            }
            let reach = cell.corners.iter().map(|corner| (corner.at - seed.coords).norm_squared()).fold(0.0, f64::max);
            if shell as f64 * grid.edge > 2.0 * HAIR * reach.sqrt() {
                break;
            }
        }
        // What cut something off may have been cut off itself.
        let touches = |other: &u32| cell.corners.iter().any(|corner| height(*other, &corner.at) < close);
        let first = found.len();
        found.extend(cutting.iter().copied().filter(touches));
        found[first..].sort_unstable();
        starts.push(found.len() as u32);
    }
    (found, starts)
}

/// A box, clipped out of a tetrahedron around it.
pub fn clipped_box(bounds: &Aabb) -> Convex<u32, Vector> {
    let (middle, radius) = (bounds.centre().coords, bounds.radius());
    // The ball in a tetrahedron with these corners has a third of their distance as its radius.
    let signs = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let mut around = Convex::default();
    around.set_tet(signs.map(|s| middle + Vector::from(s) * (2.0 * radius)), [0, 1, 2, 3].map(|k| NONE - k));
    for (k, wall) in (0..6).zip(NONE - 9..) {
        let beyond = |p: &Vector| if k % 2 == 0 { bounds.min[k / 2] - p[k / 2] } else { p[k / 2] - bounds.max[k / 2] };
        around.clip(
            wall,
            |corner| beyond(&corner.at) > 0.0,
            |_, [stays, goes]| {
                let (from, to) = (beyond(stays), beyond(goes));
                stays + (goes - stays) * (from / (from - to))
            },
        );
    }
    around
}

/// Seeds in cubes of a grid, about one in each.
struct Grid {
    low: Point,
    edge: f64,
    size: [i64; 3],
    starts: Vec<u32>,
    seeds: Vec<u32>,
}

impl Grid {
    fn new(at: &[Point]) -> Self {
        let bounds = Aabb::around(at);
        let longest = bounds.size().max();
        let edge = if longest > 0.0 { longest / cbrt(at.len() as f64) } else { 1.0 };
        let size = std::array::from_fn(|axis| (bounds.size()[axis] / edge) as i64 + 1);
        let mut grid = Self { low: bounds.min, edge, size, starts: vec![], seeds: vec![] };
        let keys: Vec<u32> = at.iter().map(|seed| grid.number(grid.cube(seed)) as u32).collect();
        let count = size.iter().product::<i64>() as usize;
        let (seeds, starts) = crate::geom::counting_sort::group(count, &keys, |k| k as u32);
        grid.seeds = seeds;
        grid.starts = starts.iter().map(|start| *start as u32).collect();
        grid
    }

    fn cube(&self, p: &Point) -> [i64; 3] {
        std::array::from_fn(|axis| (((p[axis] - self.low[axis]) / self.edge) as i64).clamp(0, self.size[axis] - 1))
    }

    fn number(&self, [x, y, z]: [i64; 3]) -> usize {
        ((z * self.size[1] + y) * self.size[0] + x) as usize
    }

    /// The seeds in the cubes that are so many away from that of a point, along the axis along which they are farthest; `None` if there
    /// are no such cubes, nor any farther away.
    fn shell(&self, p: &Point, away: i64) -> Option<impl Iterator<Item = u32>> {
        let middle = self.cube(p);
        let is_over = (0..3).all(|axis| middle[axis] < away && middle[axis] + away >= self.size[axis]);
        let range = move |axis: usize| (middle[axis] - away).max(0)..=(middle[axis] + away).min(self.size[axis] - 1);
        let is_far = move |axis: usize, at: i64| (at - middle[axis]).abs() == away;
        let row = move |(z, y): (i64, i64)| {
            // Where another axis is far, all of them; else the two ends.
            let all = is_far(2, z) || is_far(1, y);
            range(0).filter(move |x| all || is_far(0, *x)).map(move |x| [x, y, z])
        };
        let cubes = range(2).flat_map(move |z| range(1).map(move |y| (z, y))).flat_map(row);
        let seeds = cubes.flat_map(|cube| {
            let number = self.number(cube);
            self.seeds[self.starts[number] as usize..self.starts[number + 1] as usize].iter().copied()
        });
        (!is_over).then_some(seeds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    /// Cells that are equally near, and nearest, somewhere in the box are neighbours; others are only where that is not far away.
    #[test]
    fn neighbours_are_those_that_points_between_two_cells_have() {
        for (count, seed) in [(1u64, 1u64), (2, 2), (5, 3), (27, 4), (300, 5)] {
            let point = |k: u64| Point::new(unit(seed, 3 * k), unit(seed, 3 * k + 1), unit(seed, 3 * k + 2));
            // Some of them are outside of the box.
            let at: Vec<Point> = (0..count).map(|k| Point::from(point(k).coords * 1.4 - Vector::repeat(0.2))).collect();
            let squares: Vec<f64> = at.iter().map(|s| s.coords.norm_squared()).collect();
            let bounds = Aabb::around(&[Point::origin(), Point::new(1.0, 1.0, 1.0)]);
            let (found, starts) = find(at.len(), &at, &squares, &bounds, 1e-12);
            let is_neighbour = |a: usize, b: usize| {
                found[starts[a] as usize..starts[a + 1] as usize].binary_search(&(b as u32)).is_ok()
            };
            let mut met = std::collections::HashSet::new();
            let samples = 40_000;
            for k in 0..samples {
                let (p, q) = (point(1000 + 2 * k), point(1001 + 2 * k));
                // Where a short way leaves the cell at its start.
                let q = p + (q - p) * 0.1;
                let far = |p: &Point, c: usize| (at[c] - p).norm_squared();
                let nearest = |p: &Point| (0..at.len()).min_by(|a, b| far(p, *a).total_cmp(&far(p, *b))).unwrap();
                let own = nearest(&p);
                let leaves = |c: usize| {
                    let (here, there) = (far(&p, c) - far(&p, own), far(&q, c) - far(&q, own));
                    if there < 0.0 { here / (here - there) } else { f64::INFINITY }
                };
                let next = (0..at.len()).filter(|c| *c != own).min_by(|a, b| leaves(*a).total_cmp(&leaves(*b)));
                if let Some(next) = next.filter(|next| leaves(*next) < 1.0) {
                    assert!(is_neighbour(own, next) && is_neighbour(next, own), "{count}: {own} {next}");
                    met.insert([own, next]);
                    met.insert([next, own]);
                }
            }
            // Small faces are not met.
            assert!(
                found.len() >= met.len() && found.len() < 2 * met.len() + 3,
                "{count}: {} {}",
                found.len(),
                met.len()
            );
        }
    }
}
