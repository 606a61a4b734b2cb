//! Which Voronoi cells have a face in common within a box.
//!
//! Each cell is what the bisectors with the seeds around leave of the box: a polytope in a tetrahedron around it, so all is exact
//! (`geom::polytope`). Seeds come in shells of a grid, until they are too far away to cut anything off.

use crate::fracture::envelope::{whole, whole_numbers_a_unit};
use crate::geom::aabb::Aabb;
use crate::geom::polytope::{Polytope, Split, Wall};
use crate::geom::{NONE, Point, Vector};

/// For rounding, and for what is added to squared distances: a little farther counts as well.
const HAIR: f64 = 1.0 + 1e-6;

/// The cells next to each cell, by their seeds and what `squares` has for them (`voronoi::Seeds`); and where those of each start.
pub fn find(at: &[Point], squares: &[f64], bounds: &Aabb) -> (Vec<u32>, Vec<u32>) {
    let frame = Frame::around(bounds, at, squares);
    let grid = Grid::new(at);
    let mut cell = Cell::default();
    let (mut found, mut starts) = (vec![], vec![0]);
    for own in 0..at.len() as u32 {
        cell.start(&frame);
        for shell in 0.. {
            let seeds = grid.shell(&at[own as usize], shell);
            let Some(seeds) = seeds else { break };
            seeds.filter(|other| *other != own).for_each(|other| cell.clip(&frame, own, other));
            if cell.region.is_empty() || shell as f64 * grid.edge > 2.0 * HAIR * cell.reach(&frame, &at[own as usize]) {
                break;
            }
        }
        cell.list_neighbours(&mut found);
        starts.push(found.len() as u32);
    }
    (found, starts)
}

/// A tetrahedron around a box, and what is known at its nodes.
struct Frame {
    corners: [Vector; 4],
    /// The functions of cells: whole numbers.
    values: Vec<[f64; 4]>,
    /// The box.
    bounds: Polytope,
    walls: Vec<Split>,
}

impl Frame {
    fn around(bounds: &Aabb, at: &[Point], squares: &[f64]) -> Self {
        let (middle, radius) = (bounds.centre().coords, bounds.radius() * HAIR);
        // The ball in a tetrahedron with these corners has a third of their distance as its radius.
        let signs = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let corners = signs.map(|s| middle + Vector::from(s) * (3.0f64.sqrt() * radius));
        let height = |seed: &Point, square: f64| corners.map(|corner| square - 2.0 * seed.coords.dot(&corner));
        let heights: Vec<[f64; 4]> = at.iter().zip(squares).map(|(seed, square)| height(seed, *square)).collect();
        let scaled = |rows: &[[f64; 4]]| -> Vec<[f64; 4]> {
            let largest = rows.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
            let scale = whole_numbers_a_unit(2.0 * largest);
            rows.iter().map(|row| row.map(|value| whole(value * scale))).collect()
        };
        let sides: Vec<[f64; 4]> = (0..6)
            .map(|k| match k % 2 {
                0 => corners.map(|corner| bounds.min[k / 2] - corner[k / 2]),
                _ => corners.map(|corner| corner[k / 2] - bounds.max[k / 2]),
            })
            .collect();
        let side = |(values, k): (&[f64; 4], u32)| Split { values: *values, generation: 0, cells: [k, NONE] };
        let walls: Vec<Split> = scaled(&sides).iter().zip(0..).map(side).collect();
        let mut region = Polytope::default();
        region.set_region(&walls, (0..6).map(|k| Wall::crack(k, false)));
        Self { corners, values: scaled(&heights), bounds: region, walls }
    }
}

/// A cell as it is clipped.
#[derive(Default)]
struct Cell {
    region: Polytope,
    splits: Vec<Split>,
    /// The cells across the splits behind those of the box.
    others: Vec<u32>,
}

impl Cell {
    fn start(&mut self, frame: &Frame) {
        self.region.copy(&frame.bounds);
        self.splits.clone_from(&frame.walls);
        self.others.clear();
    }

    fn clip(&mut self, frame: &Frame, own: u32, other: u32) {
        let cells = [own.min(other), own.max(other)];
        let [low, high] = cells.map(|cell| &frame.values[cell as usize]);
        let values = std::array::from_fn(|k| low[k] - high[k]);
        self.splits.push(Split { values, generation: 1, cells });
        self.others.push(other);
        self.region.clip(&self.splits, Wall::crack(self.splits.len() - 1, own > other));
    }

    /// How far it reaches from its seed.
    fn reach(&self, frame: &Frame, seed: &Point) -> f64 {
        let corner = |k: usize| -> Vector {
            let weights = self.region.weights_at(k);
            (0..4).map(|i| frame.corners[i] * weights[i]).sum()
        };
        let squared = (0..self.region.corner_count()).map(|k| (corner(k) - seed.coords).norm_squared());
        squared.fold(0.0, f64::max).sqrt()
    }

    /// Adds the cells that it has a face with, ascending.
    fn list_neighbours(&self, found: &mut Vec<u32>) {
        let first = found.len();
        let walls = (0..self.region.corner_count()).flat_map(|k| self.region.walls_at(k));
        let places = walls.filter_map(|wall| wall.as_crack()?.0.checked_sub(self.splits.len() - self.others.len()));
        found.extend(places.map(|place| self.others[place]));
        found[first..].sort_unstable();
        let mut kept = first;
        for k in first..found.len() {
            if k == first || found[k] != found[k - 1] {
                found[kept] = found[k];
                kept += 1;
            }
        }
        found.truncate(kept);
    }
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
        let edge = if longest > 0.0 { longest / (at.len() as f64).cbrt() } else { 1.0 };
        let size = std::array::from_fn(|axis| (bounds.size()[axis] / edge) as i64 + 1);
        let mut grid = Self { low: bounds.min, edge, size, starts: vec![], seeds: vec![] };
        let keys: Vec<u32> = at.iter().map(|seed| grid.number(grid.cube(seed)) as u32).collect();
        let count = size.iter().product::<i64>() as usize;
        let (seeds, starts) = crate::field::breaks::group(count, &keys, |k| k as u32);
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
            let (found, starts) = find(&at, &squares, &bounds);
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
