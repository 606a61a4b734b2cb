//! Nearest seeds: the cells of a Voronoi pattern, for many nodes at once.
//!
//! Nodes come in curve order, so a run of them has a small box. The seed nearest to its middle leaves only those others that
//! are nearer somewhere in the box: those whose bisector meets it. Runs are divided until few seeds are left, often one.
//! Near n log n in nodes and seeds together, and exact.

use crate::geom::Point;
use crate::geom::aabb::Aabb;
use std::ops::Range;

/// Nodes in the shortest runs, which are compared seed by seed, all at once.
const SHORT: usize = 32;
/// How many parts a longer run is divided into.
const PARTS: usize = 4;

/// Writes the number of the nearest seed of every site; a tie goes to the lowest. Without seeds nothing is written.
pub fn nearest_seeds(sites: &[Point], seeds: &[Point], out: &mut [u32]) {
    // An impact that meets no node has neither.
    if sites.is_empty() || seeds.is_empty() {
        return;
    }
    let boxes: Vec<Aabb> = sites.chunks(SHORT).map(Aabb::around).collect();
    let mut candidates: Vec<u32> = (0..seeds.len() as u32).collect();
    let all = 0..candidates.len();
    divide(&boxes, sites, seeds, &mut candidates, all, out);
}

/// `boxes` are those of the short runs. `candidates` is a stack: the lists of the runs around this one lie below `range`.
fn divide(
    boxes: &[Aabb],
    sites: &[Point],
    seeds: &[Point],
    candidates: &mut Vec<u32>,
    range: Range<usize>,
    out: &mut [u32],
) {
    if range.len() == 1 {
        return out.fill(candidates[range.start]);
    }
    let mut bounds = Aabb::EMPTY;
    for part in boxes {
        bounds.grow(&part.min);
        bounds.grow(&part.max);
    }
    let (middle, half) = (bounds.centre(), bounds.size() * 0.5);
    let far = |c: u32| (seeds[c as usize] - middle).norm_squared();
    let (mut nearest, mut least) = (candidates[range.start], f64::INFINITY);
    for &c in &candidates[range.clone()] {
        let far = far(c);
        (nearest, least) = if far < least { (c, far) } else { (nearest, least) };
    }
    let size = half.norm_squared();
    let first = candidates.len();
    for k in range {
        let c = candidates[k];
        let (far, way) = (far(c), seeds[c as usize] - seeds[nearest as usize]);
        // How much farther it is than the nearest one, squared, where in the box that is least. A little more covers
        // rounding, so that ties are always decided among all that tie.
        let farther = far - least - 2.0 * half.dot(&way.abs());
        // What is so far away that it is no number stays too.
        if farther.is_nan() || farther <= 1e-12 * (far + size) {
            candidates.push(c);
        }
    }
    let kept = first..candidates.len();
    if boxes.len() <= 1 {
        compare(sites, seeds, &candidates[kept], out);
    } else {
        let step = boxes.len().div_ceil(PARTS);
        let parts = sites.chunks(step * SHORT).zip(out.chunks_mut(step * SHORT));
        for (boxes, (sites, out)) in boxes.chunks(step).zip(parts) {
            divide(boxes, sites, seeds, candidates, kept.clone(), out);
        }
    }
    candidates.truncate(first);
}

/// The nearest of a few seeds for a short run. Fixed lanes without branches, so that the compiler makes vectors of them.
fn compare(sites: &[Point], seeds: &[Point], candidates: &[u32], out: &mut [u32]) {
    let mut lanes = [[0.0; SHORT]; 3];
    for (k, site) in sites.iter().enumerate() {
        (0..3).for_each(|axis| lanes[axis][k] = site[axis]);
    }
    let mut best = [f64::INFINITY; SHORT];
    let mut label = [0.0; SHORT]; // numbers as wide as the distances go with them through the same selection
    for &c in candidates {
        let seed = &seeds[c as usize];
        for k in 0..SHORT {
            let (x, y, z) = (lanes[0][k] - seed.x, lanes[1][k] - seed.y, lanes[2][k] - seed.z);
            let distance = x * x + y * y + z * z;
            let closer = distance < best[k];
            best[k] = if closer { distance } else { best[k] };
            label[k] = if closer { c as f64 } else { label[k] };
        }
    }
    out.iter_mut().zip(label).for_each(|(out, label)| *out = label as u32);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    #[test]
    fn nearest_seeds_are_those_of_brute_force() {
        for (nodes, count, seed) in [(3000, 1, 0), (3000, 7, 1), (3000, 300, 2), (17, 900, 3)] {
            let point = |k: u64| Point::new(unit(seed, 3 * k), unit(seed, 3 * k + 1), unit(seed, 3 * k + 2));
            let mut sites: Vec<Point> = (0..nodes).map(point).collect();
            let order = crate::geom::morton::order(&sites);
            sites = order.iter().map(|k| sites[*k as usize]).collect();
            let mut seeds: Vec<Point> = (nodes..nodes + count).map(point).collect();
            seeds.push(seeds[0]); // a duplicate never wins
            let mut out = vec![u32::MAX; sites.len()];
            nearest_seeds(&sites, &seeds, &mut out);
            for (site, found) in sites.iter().zip(out) {
                let best = (0..seeds.len())
                    .min_by(|a, b| (seeds[*a] - site).norm_squared().total_cmp(&(seeds[*b] - site).norm_squared()));
                assert_eq!(Some(found as usize), best);
            }
        }
    }

    #[test]
    fn seeds_without_measure_are_seeds_too() {
        let sites: Vec<Point> = (0..200).map(|k| Point::new(unit(5, k), unit(6, k), unit(7, k))).collect();
        let seeds = [1e200, -1e300, 1e160].map(|far| Point::new(far, 0.0, -far));
        let mut out = vec![u32::MAX; sites.len()];
        nearest_seeds(&sites, &seeds, &mut out);
        assert!(out.iter().all(|found| (*found as usize) < seeds.len()));
    }
}
