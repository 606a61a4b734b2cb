//! Whether two tetrahedra overlap, by separating axes: the normals of the faces of both, then the products of an edge of each (after
//! Ganovelli, Ponchio and Rocchini 2003, whose order of tests it keeps). Those that touch, to rounding, may be called either way.

use super::{Point, Vector};

/// Corners of the face opposite corner k of a tetrahedron of positive volume, counter-clockwise seen from outside.
pub(crate) const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Whether two tetrahedra have a point in common. Either may be inverted, or flat.
pub fn overlap(a: &[Point; 4], b: &[Point; 4]) -> bool {
    let faces = |t: &[Point; 4]| FACES.map(|[i, j, k]| (t[j] - t[i]).cross(&(t[k] - t[i])));
    if faces(a).iter().chain(&faces(b)).any(|axis| separates(axis, a, b)) {
        return false;
    }
    let edges = |t: &[Point; 4]| EDGES.map(|[i, j]| t[j] - t[i]);
    let (of_a, of_b) = (edges(a), edges(b));
    !of_a.iter().any(|e| of_b.iter().any(|f| separates(&e.cross(f), a, b)))
}

/// Whether both are apart along an axis. None at all separates nothing.
#[inline]
fn separates(axis: &Vector, a: &[Point; 4], b: &[Point; 4]) -> bool {
    // Relative to one corner: far from the origin, heights lose digits.
    let interval = |t: &[Point; 4]| {
        let heights = t.each_ref().map(|p| axis.dot(&(p - a[0])));
        heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(*h), high.max(*h)))
    };
    let (p, q) = (interval(a), interval(b));
    p.1 < q.0 || q.1 < p.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    fn tet(seed: u64, shift: f64) -> [Point; 4] {
        let at = |k: u64| Point::from([0, 1, 2].map(|a| unit(seed, 3 * k + a)));
        [0, 1, 2, 3].map(|k| at(k) + Vector::new(shift, 0.3 * shift, 0.0))
    }

    /// The farthest a point of both is from the faces of both, found by moving one (Agmon's relaxation): positive if it is inside both.
    fn depth_of_common_point(a: &[Point; 4], b: &[Point; 4]) -> f64 {
        let planes: Vec<(Vector, Point)> = [a, b]
            .into_iter()
            .flat_map(|t| {
                let volume = (t[1] - t[0]).cross(&(t[2] - t[0])).dot(&(t[3] - t[0]));
                FACES.map(|[i, j, k]| ((t[j] - t[i]).cross(&(t[k] - t[i])).normalize() * volume.signum(), t[i]))
            })
            .collect();
        let mut p = nalgebra::center(&a[0], &b[0]);
        let mut best = f64::NEG_INFINITY;
        for round in 0..4000 {
            let depth = |(n, o): &(Vector, Point)| n.dot(&(o - p));
            let worst = planes.iter().min_by(|x, y| depth(x).total_cmp(&depth(y))).unwrap();
            best = best.max(depth(worst));
            p -= worst.0 * (0.3 / (1.0 + round as f64 * 0.02));
        }
        best
    }

    #[test]
    fn a_common_point_decides() {
        let mut counts = [0, 0];
        for seed in 0..1500u64 {
            let (a, b) = (tet(seed, 0.0), tet(seed + 10_000, 0.9 * unit(7, seed)));
            let found = overlap(&a, &b);
            assert_eq!(found, overlap(&b, &a));
            let moved = |t: &[Point; 4]| t.map(|p| p + Vector::new(5e3, -2e3, 1e3));
            assert_eq!(found, overlap(&moved(&a), &moved(&b)), "seed {seed}");
            let depth = depth_of_common_point(&a, &b);
            // A point well inside both is proof; without one near it, they are apart.
            assert!(depth < 1e-4 || found, "seed {seed}: {depth}");
            assert!(depth > -0.02 || !found, "seed {seed}: {depth}");
            counts[found as usize] += 1;
        }
        assert!(counts[0] > 200 && counts[1] > 200, "{counts:?}");
    }

    #[test]
    fn crossing_edges_within_and_flat_ones() {
        let p = |c: [[f64; 3]; 4]| c.map(Point::from);
        let lower = |z: f64| p([[-1.0, 0.0, z], [1.0, 0.0, z], [0.0, 0.6, -1.0], [0.0, -0.6, -1.0]]);
        let upper = p([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.6, 0.0, 1.0], [-0.6, 0.0, 1.0]]);
        assert!(overlap(&lower(0.1), &upper) && !overlap(&lower(-0.1), &upper));
        let unit = p([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        let small = unit.map(|c| Point::from(c.coords * 0.1) + Vector::new(0.1, 0.1, 0.1));
        assert!(overlap(&unit, &small) && overlap(&small, &unit), "one within the other");
        let flat = |z: f64| p([[0.1, 0.1, z], [2.0, 0.1, z], [0.1, 2.0, z], [0.1, 0.2, z]]);
        assert!(overlap(&unit, &flat(0.2)) && !overlap(&unit, &flat(1.2)));
    }
}
