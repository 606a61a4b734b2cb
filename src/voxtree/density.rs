//! How much of each cube of a grid a closed surface holds: exactly, column by column (VoxTree 3.1: the voxeliser).
//!
//! Over a column of cubes, what is below a piece of the surface is counted, by the sign of its area seen from above: upper sides add, lower
//! sides take away. A piece within one cube counts its height there, and all of the cubes below it.

use crate::error::{Result, bad_argument};
use crate::geom::aabb::Aabb;
use crate::geom::pinned::powi;
use crate::geom::{Point, Vector};
use std::ops::Range;

/// Cubes of one size with densities between 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Lowest corner.
    pub origin: Point,
    /// Edge of a cube.
    pub edge: f64,
    /// Cubes along each axis.
    pub size: [usize; 3],
    /// Density of each, x fastest, then y.
    pub density: Vec<f32>,
}

/// Cubes along an axis, at most: their numbers are kept in 16 bits.
const LONGEST: usize = 1 << 15;
/// Cubes of a grid, at most.
const MOST: usize = 1 << 28;

impl Grid {
    /// From densities that are known, such as volume data. Fails if one is not between 0 and 1, or their number is wrong.
    pub fn new(origin: Point, edge: f64, size: [usize; 3], density: Vec<f32>) -> Result<Self> {
        check(edge, &size)?;
        if !origin.iter().all(|c| c.is_finite()) {
            bad_argument!("the origin of the grid is {origin}; it must be finite");
        }
        if density.len() != size.iter().product::<usize>() {
            bad_argument!(
                "there are {} densities for a grid of {} x {} x {}",
                density.len(),
                size[0],
                size[1],
                size[2]
            );
        }
        if let Some(k) = density.iter().position(|d| !(0.0..=1.0).contains(d)) {
            bad_argument!("densities[{k}] is {}; it must be between 0 and 1", density[k]);
        }
        Ok(Self { origin, edge, size, density })
    }

    /// The densities of a closed surface, whose triangles are counter-clockwise seen from outside, in cubes of this edge around it.
    pub fn of_surface(vertices: &[Point], triangles: impl Iterator<Item = [u32; 3]>, edge: f64) -> Result<Self> {
        let bounds = Aabb::around(vertices);
        if bounds.is_empty() {
            bad_argument!("a surface without vertices holds nothing");
        }
        if !(edge > 0.0 && edge.is_finite()) {
            bad_argument!("the edge of cubes is {edge}; it must be a positive length");
        }
        let counts = bounds.size() / edge;
        if !counts.iter().all(|c| *c < LONGEST as f64) {
            bad_argument!(
                "cubes of {edge} m are too small for a body of {:?} m; {LONGEST} fit along an axis",
                bounds.size().as_slice()
            );
        }
        let size = [0, 1, 2].map(|k| (counts[k] - 1e-9).ceil().max(1.0) as usize);
        check(edge, &size)?;
        let origin = Point::from([0, 1, 2].map(|k| bounds.centre()[k] - 0.5 * size[k] as f64 * edge));
        let mut columns = Columns::new(size);
        for corners in triangles {
            // Rounding may put a corner beyond the last cube.
            let at = |c: u32| (vertices[c as usize] - origin) / edge;
            columns.add(corners.map(|c| [0, 1, 2].map(|k| at(c)[k].clamp(0.0, size[k] as f64))));
        }
        Ok(Self { origin, edge, size, density: columns.densities() })
    }

    /// The number of a cube.
    pub fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.size[1] + y) * self.size[0] + x
    }

    /// Out of the body at a cube, a unit vector times 32767, or zero: against the gradient of the densities (eq. 8), by differences of the nine
    /// cubes before and behind it.
    pub(super) fn outward(&self, cell: [usize; 3]) -> [i16; 3] {
        let at = |offset: [i32; 3]| {
            let cell = [0, 1, 2].map(|a| cell[a] as i64 + offset[a] as i64);
            let is_there = (0..3).all(|a| cell[a] >= 0 && cell[a] < self.size[a] as i64);
            if is_there { self.density[self.index(cell.map(|c| c as usize))] as f64 } else { 0.0 }
        };
        let weight = |k: i32| 2.0 - k.abs() as f64;
        let gradient = Vector::from_fn(|axis, _| {
            let mut sum = 0.0;
            for p in -1..=1 {
                for q in -1..=1 {
                    let mut offset = [0; 3];
                    (offset[(axis + 1) % 3], offset[(axis + 2) % 3]) = (p, q);
                    let mut side = |s: i32| {
                        offset[axis] = s;
                        at(offset)
                    };
                    sum += weight(p) * weight(q) * (side(1) - side(-1));
                }
            }
            sum
        });
        gradient.try_normalize(1e-6).map_or([0; 3], |unit| [0, 1, 2].map(|k| (-unit[k] * 32767.0).round() as i16))
    }

    /// The volume that it holds.
    pub fn volume(&self) -> f64 {
        self.density.iter().map(|d| *d as f64).sum::<f64>() * powi(self.edge, 3)
    }
}

fn check(edge: f64, size: &[usize; 3]) -> Result<()> {
    if !(edge > 0.0 && edge.is_finite()) {
        bad_argument!("the edge of cubes is {edge}; it must be a positive length");
    }
    let count = size.iter().try_fold(1usize, |all, n| all.checked_mul(*n).filter(|all| *all <= MOST));
    if size.iter().any(|n| *n == 0 || *n > LONGEST) || count.is_none() {
        bad_argument!("a grid of {} x {} x {} cubes is empty or too large", size[0], size[1], size[2]);
    }
    Ok(())
}

/// Sums over the columns of a grid, in units of its cubes.
struct Columns {
    size: [usize; 3],
    /// What is below the surface within each cube.
    within: Vec<f64>,
    /// Areas of the surface in each cube: full heights of all below it.
    above: Vec<f64>,
    /// Memory of clipping.
    polygons: [Vec<[f64; 3]>; 4],
}

impl Columns {
    fn new(size: [usize; 3]) -> Self {
        let count = size.iter().product();
        Self { size, within: vec![0.0; count], above: vec![0.0; count], polygons: Default::default() }
    }

    fn add(&mut self, triangle: [[f64; 3]; 3]) {
        let mut polygons = std::mem::take(&mut self.polygons);
        let [whole, slab, column, piece] = &mut polygons;
        whole.clear();
        whole.extend(triangle);
        for x in self.range(whole, 0) {
            clip(whole, 0, x, slab);
            for y in self.range(slab, 1) {
                clip(slab, 1, y, column);
                for z in self.range(column, 2) {
                    clip(column, 2, z, piece);
                    self.add_piece([x, y, z], piece);
                }
            }
        }
        self.polygons = polygons;
    }

    /// The cubes along an axis that a polygon may be in.
    fn range(&self, polygon: &[[f64; 3]], axis: usize) -> Range<usize> {
        let last = self.size[axis] - 1;
        let (low, high) = polygon.iter().fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(p[axis]), h.max(p[axis])));
        if low > high {
            return 0..0;
        }
        let cube = |c: f64| (c.floor().max(0.0) as usize).min(last);
        cube(low)..cube(high) + 1
    }

    fn add_piece(&mut self, cube: [usize; 3], piece: &[[f64; 3]]) {
        let number = (cube[2] * self.size[1] + cube[1]) * self.size[0] + cube[0];
        let Some(first) = piece.first() else { return };
        for pair in piece[1..].windows(2) {
            let [p, q] = [&pair[0], &pair[1]];
            let area = 0.5 * ((p[0] - first[0]) * (q[1] - first[1]) - (p[1] - first[1]) * (q[0] - first[0]));
            self.within[number] += area * ((first[2] + p[2] + q[2]) / 3.0 - cube[2] as f64);
            self.above[number] += area;
        }
    }

    fn densities(self) -> Vec<f32> {
        let layer = self.size[0] * self.size[1];
        let mut density = vec![0.0; self.within.len()];
        for column in 0..layer {
            let mut above = 0.0;
            for z in (0..self.size[2]).rev() {
                let cube = z * layer + column;
                // Sums of rounded numbers: what is nearly nothing is nothing.
                let held = self.within[cube] + above;
                density[cube] = if held > 1e-9 { held.min(1.0) as f32 } else { 0.0 };
                above += self.above[cube];
            }
        }
        density
    }
}

/// The part of a polygon between two planes across an axis, one apart.
fn clip(polygon: &[[f64; 3]], axis: usize, from: usize, out: &mut Vec<[f64; 3]>) {
    let (low, high) = (from as f64, from as f64 + 1.0);
    out.clear();
    for (k, p) in polygon.iter().enumerate() {
        let q = &polygon[(k + 1) % polygon.len()];
        let is_in = |c: f64| low <= c && c <= high;
        if is_in(p[axis]) {
            out.push(*p);
        }
        // Where the side crosses the planes, in its own order.
        let mut crossings = [low, high];
        if q[axis] < p[axis] {
            crossings.reverse();
        }
        for plane in crossings {
            if (p[axis] < plane && plane < q[axis]) || (q[axis] < plane && plane < p[axis]) {
                let share = (plane - p[axis]) / (q[axis] - p[axis]);
                let mut at = [0, 1, 2].map(|k| p[k] + (q[k] - p[k]) * share);
                at[axis] = plane;
                out.push(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Pose;
    use crate::geom::random::unit;
    use crate::solid::shapes;

    fn grid_of(solid: &crate::solid::Solid, pose: &Pose, edge: f64) -> Grid {
        let vertices: Vec<Point> = solid.nodes().iter().map(|p| pose * p).collect();
        Grid::of_surface(&vertices, solid.skin().iter().map(|t| t.nodes), edge).unwrap()
    }

    #[test]
    fn densities_add_up_to_the_volume_of_any_surface() {
        for seed in 0..30 {
            let solid = match seed % 3 {
                0 => shapes::ball(1.0, 6),
                1 => shapes::torus(1.0, 0.3, 20, 6),
                _ => shapes::cuboid([1.0, 0.7, 0.4], [2, 2, 2]),
            };
            let turn = Vector::new(unit(seed, 0), unit(seed, 1), unit(seed, 2)) * 3.0;
            let pose = Pose::new(Vector::new(5.0, -3.0, unit(seed, 3)), turn);
            let grid = grid_of(&solid, &pose, 0.03 + 0.3 * unit(seed, 4));
            let volume: f64 = (0..solid.tets().len() as u32).map(|t| solid.signed_volume(t).abs()).sum();
            assert!((grid.volume() - volume).abs() < 1e-6 * volume, "seed {seed}: {} for {volume}", grid.volume());
        }
    }

    /// A box along the axes: the product of what is covered along each.
    #[test]
    fn densities_of_a_box_are_products() {
        let solid = shapes::cuboid([1.0, 0.7, 0.4], [1, 1, 1]);
        let grid = grid_of(&solid, &Pose::identity(), 0.13);
        let bounds = solid.bounds();
        for z in 0..grid.size[2] {
            for y in 0..grid.size[1] {
                for x in 0..grid.size[0] {
                    let covered = |k: usize, n: usize| {
                        let low = grid.origin[k] + n as f64 * grid.edge;
                        ((low + grid.edge).min(bounds.max[k]) - low.max(bounds.min[k])).max(0.0) / grid.edge
                    };
                    let expected = covered(0, x) * covered(1, y) * covered(2, z);
                    assert!((grid.density[grid.index([x, y, z])] as f64 - expected).abs() < 1e-6);
                }
            }
        }
    }

    /// Turned bodies, by many points in each cube.
    #[test]
    fn densities_of_turned_bodies_are_those_of_points() {
        let solid = shapes::cuboid([1.0, 0.7, 0.4], [1, 1, 1]);
        let pose = Pose::new(Vector::new(1.0, 2.0, 3.0), Vector::new(0.4, 0.3, 0.9));
        let grid = grid_of(&solid, &pose, 0.2);
        let bounds = solid.bounds();
        let mut partial = 0;
        for z in 0..grid.size[2] {
            for y in 0..grid.size[1] {
                for x in 0..grid.size[0] {
                    let (steps, mut inside) = (12, 0);
                    for k in 0..steps * steps * steps {
                        let at = [x, y, z];
                        let within = [k % steps, k / steps % steps, k / steps / steps];
                        let p = Point::from([0, 1, 2].map(|a| {
                            grid.origin[a] + (at[a] as f64 + (within[a] as f64 + 0.5) / steps as f64) * grid.edge
                        }));
                        inside += bounds.contains(&pose.inverse_transform_point(&p)) as usize;
                    }
                    let expected = inside as f64 / (steps * steps * steps) as f64;
                    let density = grid.density[grid.index([x, y, z])] as f64;
                    assert!((density - expected).abs() < 0.03, "{density} for {expected}");
                    partial += (0.05..0.95).contains(&density) as usize;
                }
            }
        }
        assert!(partial > 30);
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        let ok = |density| Grid::new(Point::origin(), 1.0, [2, 1, 1], density);
        assert!(ok(vec![0.0, 1.0]).is_ok());
        assert!(ok(vec![0.0]).unwrap_err().to_string().contains("1 densities for a grid of 2 x 1 x 1"));
        for wrong in [f32::NAN, -0.1, 1.1] {
            assert!(ok(vec![0.0, wrong]).unwrap_err().to_string().contains("densities[1]"));
        }
        assert!(Grid::new(Point::origin(), 0.0, [1; 3], vec![1.0]).is_err());
        assert!(Grid::new(Point::origin(), 1.0, [0, 1, 1], vec![]).is_err());
        assert!(Grid::new(Point::origin(), 1.0, [usize::MAX, 2, 2], vec![]).is_err());
        let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
        assert!(Grid::of_surface(&triangle, [[0, 1, 2]].into_iter(), 1e-9).is_err());
        assert!(Grid::of_surface(&[], [].into_iter(), 1.0).is_err());
    }
}
