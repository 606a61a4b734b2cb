//! Two cubes: whether they overlap, and how likely what they hold does (VoxTree 3.5, 3.6).

use crate::geom::Vector;
use nalgebra::Matrix3;

/// How the axes of one tree's cubes lie in the frame of the other's.
#[derive(Clone, Debug)]
pub struct Axes {
    turn: Matrix3<f64>,
    /// Absolute values of it, a little larger: parallel edges have no cross product.
    size: Matrix3<f64>,
}

impl Axes {
    pub fn new(turn: Matrix3<f64>) -> Self {
        Self { turn, size: turn.map(|c| c.abs() + 1e-12) }
    }

    /// Whether two cubes with these half edges overlap, by separating axes; `to` is from the centre of the first to that of the second.
    pub fn overlap(&self, to: &Vector, a: f64, b: f64) -> bool {
        let (turn, size) = (&self.turn, &self.size);
        for i in 0..3 {
            if to[i].abs() > a + b * (size[(i, 0)] + size[(i, 1)] + size[(i, 2)]) {
                return false;
            }
        }
        for j in 0..3 {
            if to.dot(&turn.column(j)).abs() > b + a * (size[(0, j)] + size[(1, j)] + size[(2, j)]) {
                return false;
            }
        }
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let along = (to[i2] * turn[(i1, j)] - to[i1] * turn[(i2, j)]).abs();
                if along > a * (size[(i1, j)] + size[(i2, j)]) + b * (size[(i, j1)] + size[(i, j2)]) {
                    return false;
                }
            }
        }
        true
    }
}

/// How far two cubes are in each other, between 0 and 1 (eq. 6 and 7): by the spheres around them, so that no pair that overlaps counts nothing.
/// With the spheres in them (R half an edge) weights are worse than plain averages at coarse levels (docs/formulations/voxtree.md).
pub fn penetration(distance: f64, a: f64, b: f64) -> f64 {
    by_spheres(distance, 3f64.sqrt() * a, 3f64.sqrt() * b)
}

/// The same by the spheres in them, which tells the deepest from the deep: which pair is divided first. A little more than 0, so that densities
/// decide where these spheres do not meet.
pub fn urgency(distance: f64, a: f64, b: f64) -> f64 {
    by_spheres(distance, a, b) + 1e-3
}

fn by_spheres(distance: f64, a: f64, b: f64) -> f64 {
    ((a + b - distance) / (2.0 * a.min(b))).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;
    use crate::geom::tet_tet;
    use crate::geom::{Point, Pose};

    /// A cube as six tetrahedra.
    fn tets(pose: &Pose, half: f64) -> Vec<[Point; 4]> {
        let corner = |k: usize| pose * Point::from([0, 1, 2].map(|a| if k >> a & 1 == 0 { -half } else { half }));
        [[1, 3], [1, 5], [2, 3], [2, 6], [4, 5], [4, 6]].map(|[p, q]| [0, p, q, 7].map(corner)).into()
    }

    /// The volume that two cubes share, by points in the smaller one.
    fn shared(poses: &[Pose; 2], a: f64, b: f64) -> f64 {
        let steps = 14;
        let inside = (0..steps * steps * steps).filter(|k| {
            let at = [k % steps, k / steps % steps, k / steps / steps];
            let p = poses[1] * Point::from(at.map(|n| b * (2.0 * (n as f64 + 0.5) / steps as f64 - 1.0)));
            poses[0].inverse_transform_point(&p).iter().all(|c| c.abs() <= a)
        });
        inside.count() as f64 / (steps * steps * steps) as f64
    }

    #[test]
    fn overlap_is_that_of_their_tetrahedra_and_penetration_follows_the_shared_volume() {
        let (mut met, mut apart, mut sums) = (0, 0, [0.0; 5]);
        for seed in 0..3000 {
            let turn = Vector::new(unit(seed, 0), unit(seed, 1), unit(seed, 2)) * if seed % 5 == 0 { 0.0 } else { 4.0 };
            let (a, b) = (1.0, 0.2 + 0.8 * unit(seed, 3));
            let way = Vector::new(unit(seed, 4) - 0.5, unit(seed, 5) - 0.5, unit(seed, 6) - 0.5) * 5.0;
            let poses = [Pose::identity(), Pose::new(way, turn)];
            let axes = Axes::new(*poses[1].rotation.to_rotation_matrix().matrix());
            let found = axes.overlap(&way, a, b);
            let expected = tets(&poses[0], a).iter().any(|s| tets(&poses[1], b).iter().any(|t| tet_tet::overlap(s, t)));
            assert_eq!(found, expected, "seed {seed}");
            let (kappa, ratio) = (penetration(way.norm(), a, b), shared(&poses, a, b));
            if found {
                met += 1;
                [1.0, kappa, ratio, kappa * ratio, kappa * kappa].iter().zip(&mut sums).for_each(|(x, s)| *s += x);
                assert!(kappa > 0.0, "seed {seed}");
            } else {
                apart += 1;
                assert_eq!(ratio, 0.0, "seed {seed}");
            }
        }
        assert!(met > 400 && apart > 400, "{met} met, {apart} apart");
        let [n, x, y, xy, xx] = sums;
        let slope = (xy - x * y / n) / (xx - x * x / n);
        assert!(slope > 0.5, "the shared volume grows with the penetration: {slope}");
    }
}
