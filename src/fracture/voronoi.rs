//! The cells of a Voronoi pattern that come near each of many nodes.
//!
//! Nodes come in curve order, so a run of them has a small box. The seed nearest to its middle leaves only those others that
//! are nearer somewhere in the box, as far around as tetrahedra reach: those whose bisector meets it. Runs are divided until few
//! seeds are left, often one. Near n log n in nodes and seeds together, and exact.

use super::limits::Meter;
use crate::geom::Point;
use crate::geom::aabb::Aabb;
use crate::geom::simd::{Lanewise, widest};
use std::ops::Range;

/// Nodes in the shortest runs, which are compared seed by seed, all at once.
const SHORT: usize = 16;
/// How many parts a longer run is divided into.
const PARTS: usize = 4;
/// For rounding: cells count as near a little farther than tetrahedra reach.
const HAIR: f64 = 1.0 + 1e-9;

/// Heights of cells are certain but for this share of the squares that they are made of.
const ROUNDING: f64 = 1e-12;

/// Seeds in the space in which their cells are plain Voronoi cells.
pub struct Seeds<'a> {
    /// Where they are.
    pub at: &'a [Point],
    /// The squares of their distances from the origin, and what is added to the squared distance from each.
    pub squares: &'a [f64],
    /// No more than this is added.
    pub slack: f64,
}

/// A bit for a cell: others may have the same.
#[inline]
pub fn bit_of(cell: u32) -> u64 {
    1 << (cell % 64)
}

/// The cells near some nodes, in the order of the nodes.
#[derive(Default)]
pub struct Near {
    /// For each node the nearest seed, whatever is added to its distance.
    pub own: Vec<u32>,
    /// For each node the bits of the cells that may be near it.
    pub bits: Vec<u64>,
    /// For each node which list all cells near it are in.
    pub list: Vec<u32>,
    /// The lists, one after the other, ascending; and where each starts.
    pub cells: Vec<u32>,
    /// See above.
    pub starts: Vec<u32>,
    /// Nodes, by their places, that are so close to a border that weights or rounding decide.
    pub close: Vec<u32>,
    /// The functions of cells near a node are not more than this above that of its own cell.
    pub highest: f64,
    /// Memory: squared distances of a short run from each of its seeds.
    distances: Vec<[f64; SHORT]>,
}

impl Near {
    /// Adds nodes that only their own cell is near.
    fn add_alone(&mut self, nodes: usize, own: u32) {
        let count = self.own.len() + nodes;
        self.list.resize(count, self.starts.len() as u32);
        self.add_list(&[own]);
        self.own.resize(count, own);
        self.bits.resize(count, bit_of(own));
    }

    fn add_list(&mut self, cells: &[u32]) {
        self.starts.push(self.cells.len() as u32);
        self.cells.extend_from_slice(cells);
    }
}

impl Seeds<'_> {
    /// How much the function of a cell is more than that of another at a site. What does not depend on the site is one number for
    /// each cell: however far away seeds are, the borders between cells stay planes.
    #[inline]
    pub fn difference(&self, site: &Point, cell: u32, own: u32) -> f64 {
        let (s, o) = (&self.at[cell as usize], &self.at[own as usize]);
        2.0 * (o - s).dot(&site.coords) + (self.squares[cell as usize] - self.squares[own as usize])
    }

    /// How many of some cells are certainly no higher at a site than one of them, or nearly so. Branchless: unpredictable.
    #[inline]
    pub fn count_low(&self, cells: &[u32], site: &Point, own: u32) -> usize {
        let height = |cell: u32| {
            let seed = &self.at[cell as usize].coords;
            (self.squares[cell as usize] - 2.0 * seed.dot(&site.coords), self.squares[cell as usize])
        };
        let (least, square) = height(own);
        let room = ROUNDING * (square + site.coords.norm_squared());
        let is_high = |cell: &u32| {
            let (height, square) = height(*cell);
            height > least + room + ROUNDING * square // false for NaN
        };
        cells.len() - cells.iter().map(|cell| is_high(cell) as usize).sum::<usize>()
    }

    /// Picks the cells that may be lower than one of them somewhere within a radius around a site; returns how many.
    #[inline]
    pub fn pick_within(&self, cells: &[u32], site: &Point, radius: f64, own: u32, picked: &mut [u32]) -> usize {
        let mut count = 0;
        let o = &self.at[own as usize];
        for &cell in cells.iter().take(picked.len()) {
            let more = self.difference(site, cell, own);
            let most = 2.0 * radius * (self.at[cell as usize] - o).norm();
            picked[count.min(picked.len() - 1)] = cell;
            let room = ROUNDING * (self.squares[cell as usize] + self.squares[own as usize]);
            let is_higher = more > most * HAIR + room; // false for NaN
            count += 1 - is_higher as usize;
        }
        count
    }

    /// The seed nearest to a site.
    pub fn nearest(&self, site: &Point) -> u32 {
        let mut near = Near::default();
        self.near(&[*site], &[0.0], &mut near);
        near.own.first().copied().unwrap_or(0)
    }

    /// Finds the cells that come nearer to each site than its reach.
    pub fn near(&self, sites: &[Point], reach: &[f64], found: &mut Near) {
        self.near_within(sites, reach, &Meter::unlimited(), found);
    }

    /// The same as long as the steps of a meter suffice; if they do not, what is found is incomplete.
    pub fn near_within(&self, sites: &[Point], reach: &[f64], meter: &Meter, found: &mut Near) {
        let boxes: Vec<(Aabb, f64)> = sites
            .chunks(SHORT)
            .zip(reach.chunks(SHORT))
            .map(|(sites, reach)| (Aabb::around(sites), reach.iter().fold(0.0, |a: f64, b| a.max(*b))))
            .collect();
        self.divide_all(&boxes, sites.len(), meter, &mut |run, candidates| match candidates {
            [own] => found.add_alone(run.len(), *own),
            _ => self.compare(&sites[run.clone()], &reach[run], candidates, found),
        });
    }

    /// The cell of each site, with what is added to distances; `None` if two are closer than this in one of them, as their functions go.
    pub fn cells(&self, sites: &[Point], close: f64) -> Option<Vec<u32>> {
        let boxes: Vec<(Aabb, f64)> = sites.chunks(SHORT).map(|sites| (Aabb::around(sites), 0.0)).collect();
        let mut own = Vec::with_capacity(sites.len());
        let mut is_certain = true;
        self.divide_all(&boxes, sites.len(), &Meter::unlimited(), &mut |run, candidates| match candidates {
            [alone] => own.resize(run.end, *alone),
            _ => is_certain &= self.lowest(&sites[run], candidates, close, &mut own),
        });
        is_certain.then_some(own)
    }

    /// Divides runs of sites, given the boxes of the shortest, until each has few candidates, and calls `leaf` with these.
    fn divide_all(
        &self,
        boxes: &[(Aabb, f64)],
        sites: usize,
        meter: &Meter,
        leaf: &mut impl FnMut(Range<usize>, &[u32]),
    ) {
        let mut candidates: Vec<u32> = (0..self.at.len() as u32).collect();
        let all = 0..candidates.len();
        if sites > 0 && !all.is_empty() {
            self.divide(boxes, 0..sites, (&mut candidates, all), meter, leaf);
        }
    }

    /// `boxes` are those of the short runs. `candidates` is a stack: the lists of the runs around this one lie below `range`.
    fn divide(
        &self,
        boxes: &[(Aabb, f64)],
        sites: Range<usize>,
        (candidates, range): (&mut Vec<u32>, Range<usize>),
        meter: &Meter,
        leaf: &mut impl FnMut(Range<usize>, &[u32]),
    ) {
        if range.len() == 1 {
            return leaf(sites, &candidates[range]);
        }
        if !meter.count(range.len() as u64) {
            return;
        }
        let (mut bounds, mut around) = (Aabb::EMPTY, 0f64);
        for (part, reach) in boxes {
            bounds.grow(&part.min);
            bounds.grow(&part.max);
            around = around.max(*reach);
        }
        let middle = bounds.centre();
        let half = (bounds.size() * 0.5).add_scalar(around * HAIR);
        let far = |c: u32| (self.at[c as usize] - middle).norm_squared();
        let (mut nearest, mut least) = (candidates[range.start], f64::INFINITY);
        for &c in &candidates[range.clone()] {
            let far = far(c);
            (nearest, least) = if far < least { (c, far) } else { (nearest, least) };
        }
        let size = half.norm_squared();
        let first = candidates.len();
        for k in range {
            let c = candidates[k];
            let (far, way) = (far(c), self.at[c as usize] - self.at[nearest as usize]);
            // How much farther it is than the nearest one, squared, where in the box that is least. A little more covers
            // rounding and weights, so that ties are always decided among all that tie.
            let farther = far - least - 2.0 * half.dot(&way.abs());
            // What is so far away that it is NaN stays too.
            if farther.is_nan() || farther <= 1e-9 * (far + size) {
                candidates.push(c);
            }
        }
        let kept = first..candidates.len();
        if boxes.len() <= 1 {
            // What is listed is kept, and held against each node.
            if meter.count((SHORT * kept.len()) as u64) {
                leaf(sites, &candidates[kept]);
            }
        } else {
            let step = boxes.len().div_ceil(PARTS);
            for (boxes, start) in boxes.chunks(step).zip(sites.clone().step_by(step * SHORT)) {
                let end = sites.end.min(start + step * SHORT);
                self.divide(boxes, start..end, (candidates, kept.clone()), meter, leaf);
            }
        }
        candidates.truncate(first);
    }

    /// Adds the cell of each site of a short run; false if another is closer to it than this.
    fn lowest(&self, sites: &[Point], candidates: &[u32], close: f64, own: &mut Vec<u32>) -> bool {
        let (label, apart) = widest(Lowest { seeds: self, sites: &in_lanes(sites), candidates });
        own.extend(label[..sites.len()].iter().map(|cell| *cell as u32));
        apart[..sites.len()].iter().all(|apart| *apart > close)
    }

    /// Compares a few seeds for a short run.
    fn compare(&self, sites: &[Point], reach: &[f64], candidates: &[u32], found: &mut Near) {
        let lanes = in_lanes(sites);
        let mut best = [f64::INFINITY; SHORT];
        let mut label = [candidates[0] as f64; SHORT]; // as wide as the distances: they go through the same selection
        let mut distances = std::mem::take(&mut found.distances);
        distances.resize(candidates.len(), [0.0; SHORT]);
        for (&c, distances) in candidates.iter().zip(&mut distances) {
            let seed = &self.at[c as usize];
            for k in 0..SHORT {
                let (x, y, z) = (lanes[0][k] - seed.x, lanes[1][k] - seed.y, lanes[2][k] - seed.z);
                let distance = x * x + y * y + z * z;
                let closer = distance < best[k];
                best[k] = if closer { distance } else { best[k] };
                label[k] = if closer { c as f64 } else { label[k] };
                distances[k] = distance;
            }
        }
        // No border is within the reach of seeds farther away than this; a little more covers rounding.
        let (mut far, mut tie) = ([0.0; SHORT], [0.0; SHORT]);
        for k in 0..sites.len() {
            let least = (best[k].sqrt() + 2.0 * reach[k]) * (1.0 + 1e-6);
            far[k] = least * least + 4.0 * self.slack;
            tie[k] = best[k] * (1.0 + 1e-9) + 4.0 * self.slack;
        }
        // The distance to a border is the difference of the functions over twice that of the seeds.
        let seeds = Aabb::around(candidates.iter().map(|c| &self.at[*c as usize]));
        let (apart, reach) = (seeds.size().norm(), reach.iter().copied().fold(0.0, f64::max));
        found.highest = found.highest.max(2.0 * reach * HAIR * apart + 4.0 * self.slack);
        // The seeds that may be near each node, a bit each.
        let (mut bits, mut ties) = ([0u64; SHORT], [0u64; SHORT]);
        for (distances, &c) in distances.iter().zip(candidates) {
            let bit = bit_of(c);
            for k in 0..SHORT {
                bits[k] |= if distances[k] <= far[k] { bit } else { 0 };
                ties[k] += (distances[k] <= tie[k]) as u64;
            }
        }
        let first = found.own.len();
        let close = ties[..sites.len()].iter().zip(first as u32..).filter(|(count, _)| **count != 1);
        found.close.extend(close.map(|(_, place)| place));
        found.own.extend(label[..sites.len()].iter().map(|cell| *cell as u32));
        found.bits.extend_from_slice(&bits[..sites.len()]);
        found.list.resize(first + sites.len(), found.starts.len() as u32);
        found.add_list(candidates);
        found.distances = distances;
    }
}

/// The lowest of some cells at each site of a short run, and how much higher the next one is.
struct Lowest<'a> {
    seeds: &'a Seeds<'a>,
    sites: &'a [[f64; SHORT]; 3],
    candidates: &'a [u32],
}

impl Lanewise for Lowest<'_> {
    type Output = ([f64; SHORT], [f64; SHORT]);

    #[inline(always)]
    fn run(self) -> Self::Output {
        let [x, y, z] = self.sites;
        let (mut best, mut second) = ([f64::INFINITY; SHORT], [f64::INFINITY; SHORT]);
        let mut label = [self.candidates[0] as f64; SHORT]; // as wide as the heights: they go through the same selection
        for &c in self.candidates {
            let (seed, square) = (self.seeds.at[c as usize].coords * -2.0, self.seeds.squares[c as usize]);
            for k in 0..SHORT {
                let height = x[k] * seed.x + y[k] * seed.y + z[k] * seed.z + square;
                let is_lower = height < best[k];
                let higher = if is_lower { best[k] } else { height };
                second[k] = if higher < second[k] { higher } else { second[k] };
                best[k] = if is_lower { height } else { best[k] };
                label[k] = if is_lower { c as f64 } else { label[k] };
            }
        }
        (label, std::array::from_fn(|k| second[k] - best[k]))
    }
}

/// Sites of a short run as fixed lanes without branches, so that the compiler makes vectors of them.
fn in_lanes(sites: &[Point]) -> [[f64; SHORT]; 3] {
    let mut lanes = [[0.0; SHORT]; 3];
    for (k, site) in sites.iter().enumerate().take(SHORT) {
        (0..3).for_each(|axis| lanes[axis][k] = site[axis]);
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    fn list_of(near: &Near, node: usize) -> &[u32] {
        let list = near.list[node] as usize;
        let end = near.starts.get(list + 1).map_or(near.cells.len(), |end| *end as usize);
        &near.cells[near.starts[list] as usize..end]
    }

    #[test]
    fn near_cells_are_those_of_brute_force() {
        for (nodes, count, seed) in [(3000, 1, 0), (3000, 7, 1), (3000, 300, 2), (17, 900, 3)] {
            let point = |k: u64| Point::new(unit(seed, 3 * k), unit(seed, 3 * k + 1), unit(seed, 3 * k + 2));
            let mut sites: Vec<Point> = (0..nodes).map(point).collect();
            let order = crate::geom::morton::order(&sites);
            sites = order.iter().map(|k| sites[*k as usize]).collect();
            let mut at: Vec<Point> = (nodes..nodes + count).map(point).collect();
            at.push(at[0]); // the lower of two equal ones is taken
            let reach: Vec<f64> = (0..nodes).map(|k| 0.1 * unit(7, k)).collect();
            let squares: Vec<f64> = at.iter().map(|s| s.coords.norm_squared()).collect();
            let seeds = Seeds { at: &at, squares: &squares, slack: 0.0 };
            let mut near = Near::default();
            seeds.near(&sites, &reach, &mut near);
            // Two seeds are equal: nobody knows whose a site near both is.
            let cells = seeds.cells(&sites, -1.0);
            assert!(cells.is_some() && (count > 7 || seeds.cells(&sites, 0.0).is_none()));
            let mut listed_too = 0;
            for (k, (site, reach)) in sites.iter().zip(&reach).enumerate() {
                let far = |c: usize| (at[c] - site).norm_squared();
                let best = (0..at.len()).min_by(|a, b| far(*a).total_cmp(&far(*b))).unwrap();
                assert_eq!(near.own[k] as usize, best);
                assert!(cells.as_ref().is_none_or(|cells| cells[k] as usize == best));
                for c in (0..at.len()).filter(|c| *c != best) {
                    let border = (far(c) - far(best)) / (2.0 * (at[c] - at[best]).norm());
                    let is_listed =
                        near.bits[k] & bit_of(c as u32) != 0 && list_of(&near, k).binary_search(&(c as u32)).is_ok();
                    assert!(is_listed || border > *reach, "{border} {reach}");
                    assert!(far(c) - far(best) <= near.highest || border > *reach);
                    listed_too += (is_listed && border > 2.0 * reach) as usize;
                }
            }
            // Bits are shared by cells of the same number modulo 64.
            assert!(count > 64 || listed_too < 2 * sites.len(), "{listed_too}");
        }
    }

    #[test]
    fn seeds_without_measure_are_seeds_too() {
        let sites: Vec<Point> = (0..200).map(|k| Point::new(unit(5, k), unit(6, k), unit(7, k))).collect();
        let at = [1e200, -1e300, 1e160].map(|far| Point::new(far, 0.0, -far));
        let mut near = Near::default();
        Seeds { at: &at, squares: &at.map(|s| s.coords.norm_squared()), slack: 0.0 }.near(
            &sites,
            &[0.1; 200],
            &mut near,
        );
        assert!(near.own.len() == 200 && near.own.iter().all(|own| (*own as usize) < at.len()));
    }
}
