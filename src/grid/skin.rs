//! The triangles of the skin by position: which of them may be near a point.

use crate::geom::counting_sort::group;
use crate::geom::number_set::NumberSet;
use crate::geom::{Local, NONE, Vector};
use crate::grid::cells::Cells;
use crate::heap::held;
use crate::solid::Solid;

/// Cells are this long, in mean edges of the skin's tetrahedra. Found by trial.
const CELL: f64 = 0.6;
/// At most this many cells along an axis.
const MOST_CELLS: f64 = 160.0;
/// Triangles that a search remembers, to pass over them in the next cells.
const REMEMBERED: usize = 16;

/// The triangles of a skin in cells. Positions are relative to the middle of the asset.
#[derive(Clone, Debug)]
pub struct SkinCells {
    cells: Cells,
    /// Triangles of cell `k`: `triangles[start[k]..start[k + 1]]`.
    start: Vec<u32>,
    triangles: Vec<u32>,
    patches: Vec<Patch>,
}

/// A triangle of the skin with a ball around it. A line of the cache: queries come here cold, and each further line is waited for.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Patch {
    centre: Local,
    radius: f32,
    corners: [Local; 3],
}

impl SkinCells {
    /// Sorts the skin of a solid into cells; `places` are the positions of its nodes.
    pub fn new(solid: &Solid, places: &[[f32; 4]]) -> Self {
        let bounds = solid.bounds();
        let (low, size) = ((bounds.min - bounds.centre()).cast::<f32>(), bounds.size());
        let cell = (solid.mean_edge() * CELL).max(size.max() / MOST_CELLS);
        let size = [0, 1, 2].map(|k| (size[k] / cell) as usize + 1);
        let cells = Cells::new(low, cell, size);
        let corners = |s: u32| solid.skin()[s as usize].nodes.map(|n| at(places, n));
        let (mut of, mut triangles) = (vec![], vec![]);
        for s in 0..solid.skin().len() as u32 {
            let [a, b, c] = corners(s).map(|at| (at - low).cast::<f64>() / cell);
            let normal = (b - a).cross(&(c - a));
            // A hair larger than the cell, for points that rounding puts into the next one.
            let reach = normal.abs().sum() * 0.501;
            let place = |at: Vector| [0, 1, 2].map(|k| (at[k].max(0.0) as usize).min(size[k] - 1));
            let (first, last) = (place(a.inf(&b).inf(&c).add_scalar(-1e-3)), place(a.sup(&b).sup(&c).add_scalar(1e-3)));
            for z in first[2]..=last[2] {
                for y in first[1]..=last[1] {
                    for x in first[0]..=last[0] {
                        let middle = Vector::new(x as f64, y as f64, z as f64).add_scalar(0.5);
                        if normal.dot(&(middle - a)).abs() <= reach {
                            of.push(((z * size[1] + y) * size[0] + x) as u32);
                            triangles.push(s);
                        }
                    }
                }
            }
        }
        let (triangles, start) = group(cells.count(), &of, |k| triangles[k]);
        let start = start.into_iter().map(|k| k as u32).collect();
        let patches = (0..solid.skin().len() as u32).map(|s| Patch::new(corners(s))).collect();
        Self { cells, start, triangles, patches }
    }

    /// The corners of a triangle, wound outwards.
    #[inline]
    pub fn corners(&self, triangle: u32) -> &[Local; 3] {
        &self.patches[triangle as usize].corners
    }

    /// The triangles that may meet a box, given by its lowest and its highest corner.
    pub fn meeting(&self, low: &Local, high: &Local) -> NumberSet {
        let mut found = NumberSet::within(0..self.patches.len() as u32);
        self.cells.rows_within(low, high, |row| {
            let triangles = self.start[*row.start()] as usize..self.start[row.end() + 1] as usize;
            self.triangles[triangles].iter().for_each(|triangle| found.insert(*triangle));
        });
        found
    }

    /// The centre and the radius of a ball around a triangle.
    pub fn ball(&self, triangle: u32) -> (Local, f32) {
        let Patch { centre, radius, .. } = self.patches[triangle as usize];
        (centre, radius)
    }

    /// Calls `visit` with every triangle that may be closer to a point than what it returned last, at first `reach`; with a few more than
    /// once.
    #[inline]
    pub fn search(&self, p: &Local, mut reach: f32, mut visit: impl FnMut(u32, f32) -> f32) {
        let mut seen = [NONE; REMEMBERED];
        self.cells.rows_around(p, reach, |row| {
            let triangles = &self.triangles[self.start[*row.start()] as usize..self.start[row.end() + 1] as usize];
            for &triangle in triangles {
                let Patch { centre, radius, .. } = &self.patches[triangle as usize];
                let most = reach + radius;
                if (centre - p).norm_squared() <= most * most && seen[triangle as usize % REMEMBERED] != triangle {
                    seen[triangle as usize % REMEMBERED] = triangle;
                    reach = visit(triangle, reach);
                }
            }
        });
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.start) + held(&self.triangles) + held(&self.patches)
    }
}

impl Patch {
    /// With the smallest of some balls, a hair larger for rounding.
    fn new(corners: [Local; 3]) -> Self {
        let [a, b, c] = &corners;
        // Around the longest side if the third corner is within, which makes it the smallest; else around the middle of all.
        let middles = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5, (a + b + c) / 3.0];
        let radius = |middle: &Local| corners.iter().map(|at| (at - middle).norm()).fold(0.0, f32::max);
        let balls = middles.map(|centre| (centre, radius(&centre) * (1.0 + 1e-5)));
        let smallest = balls.into_iter().reduce(|best, next| if next.1 < best.1 { next } else { best });
        let (centre, radius) = smallest.unwrap_or(balls[0]);
        Self { centre, radius, corners }
    }
}

fn at(places: &[[f32; 4]], node: u32) -> Local {
    let [x, y, z, _] = places[node as usize];
    Local::new(x, y, z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;
    use crate::geom::triangle::closest;
    use crate::solid::shapes;

    #[test]
    fn finds_the_nearest_triangle_that_brute_force_finds() {
        for solid in
            [shapes::ball(1.0, 8), shapes::brick(2), shapes::hollow_ball(1e-6, 8, 1), shapes::torus(1e5, 3e4, 12, 4)]
        {
            let (bounds, middle) = (solid.bounds(), solid.bounds().centre());
            let places: Vec<[f32; 4]> =
                solid.nodes().iter().map(|p| (p - middle).cast::<f32>()).map(|p| [p.x, p.y, p.z, 0.0]).collect();
            let skin = SkinCells::new(&solid, &places);
            let squared = |p: &Local, triangle: u32| {
                let corners = solid.skin()[triangle as usize].nodes.map(|n| at(&places, n));
                (closest(p, &corners) - p).norm_squared()
            };
            let (mut asked, mut none, mut all_met) = (0, 0, 0);
            for k in 0..2000u64 {
                let share = Vector::from_fn(|i, _| 1.2 * unit(k, i as u64) - 0.6);
                let p = bounds.size().component_mul(&share).cast::<f32>();
                let reach = 0.4 * unit(k, 3) as f32 * bounds.radius() as f32;
                let all = (0..solid.skin().len() as u32).map(|triangle| squared(&p, triangle));
                let truth = all.fold(reach * reach, f32::min);
                let mut nearest = reach * reach;
                skin.search(&p, reach, |triangle, _| {
                    asked += 1;
                    nearest = squared(&p, triangle).min(nearest);
                    nearest.sqrt()
                });
                assert_eq!(nearest, truth, "at {p} within {reach}");
                none += (nearest == reach * reach) as usize;
            }
            for k in 0..200u64 {
                let corner = |seed: u64| Vector::from_fn(|i, _| 1.2 * unit(seed, i as u64) - 0.6);
                let [a, b] = [3000 + k, 4000 + k].map(|seed| bounds.size().component_mul(&corner(seed)).cast::<f32>());
                let (low, high) = (a.inf(&b), a.sup(&b));
                let meeting = skin.meeting(&low, &high);
                for triangle in 0..solid.skin().len() as u32 {
                    let [a, b, c] = solid.skin()[triangle as usize].nodes.map(|n| at(&places, n));
                    let is_within = |p: &Local| (0..3).all(|i| p[i] >= low[i] && p[i] <= high[i]);
                    let meets = [a, b, c, (a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5, (a + b + c) / 3.0];
                    assert!(meeting.contains(triangle) || !meets.iter().any(is_within), "{triangle}");
                }
                all_met += meeting.iter().count();
            }
            assert!(all_met < 200 * solid.skin().len() / 2, "{all_met}");
            assert!(none > 200 && none < 1800, "{none} of 2000 found nothing");
            assert!(asked < 2000 * solid.skin().len() / 5, "{} triangles for a point", asked as f64 / 2000.0);
        }
    }
}
