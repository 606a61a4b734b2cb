//! Nearest seeds: the cells of a Voronoi pattern, for many nodes at once.
//!
//! Nodes come in curve order, so a run of them is a small ball. Of all seeds only those can be nearest to a node of the
//! ball that are not farther from its middle than the nearest one by more than its diameter; runs are divided until few
//! seeds are left. Near n log n in nodes and seeds together, and exact.

use crate::geom::Point;
use crate::geom::aabb::Aabb;

/// Runs this short are compared seed by seed.
const SHORT: usize = 16;
/// How many parts a run is divided into.
const PARTS: usize = 8;

/// Writes the number of the nearest seed of every site; a tie goes to the lowest.
pub fn nearest_seeds(sites: &[Point], seeds: &[Point], out: &mut [u32]) {
    let mut candidates: Vec<u32> = (0..seeds.len() as u32).collect();
    let count = candidates.len();
    divide(sites, seeds, &mut candidates, 0..count, out);
}

/// `candidates` is a stack: the lists of the runs around this one lie below `range`.
fn divide(sites: &[Point], seeds: &[Point], candidates: &mut Vec<u32>, range: std::ops::Range<usize>, out: &mut [u32]) {
    if range.len() == 1 {
        return out.fill(candidates[range.start]);
    }
    if sites.len() <= SHORT {
        for (site, label) in sites.iter().zip(out) {
            let mut best = f64::INFINITY;
            for &c in &candidates[range.clone()] {
                let distance = (seeds[c as usize] - site).norm_squared();
                if distance < best {
                    best = distance;
                    *label = c;
                }
            }
        }
        return;
    }
    let bounds = Aabb::around(sites);
    let (middle, radius) = (bounds.centre(), bounds.radius());
    let far = |c: u32| (seeds[c as usize] - middle).norm();
    let nearest = candidates[range.clone()].iter().map(|c| far(*c)).fold(f64::INFINITY, f64::min);
    // The factor covers rounding, so that ties are always decided among all that tie.
    let limit = (nearest + 2.0 * radius) * (1.0 + 1e-12);
    let first = candidates.len();
    for k in range {
        let c = candidates[k];
        if far(c) <= limit {
            candidates.push(c);
        }
    }
    let kept = first..candidates.len();
    let step = sites.len().div_ceil(PARTS);
    for (sites, out) in sites.chunks(step).zip(out.chunks_mut(step)) {
        divide(sites, seeds, candidates, kept.clone(), out);
    }
    candidates.truncate(first);
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
                let best = (0..seeds.len()).min_by(|a, b| (seeds[*a] - site).norm_squared().total_cmp(&(seeds[*b] - site).norm_squared()));
                assert_eq!(Some(found as usize), best);
            }
        }
    }
}
