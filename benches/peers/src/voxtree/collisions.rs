//! Random collisions of balls and blocks, one third each of ball on ball, ball on block, block on block, with exact contacts.

use super::bodies::{BALL, BLOCK, HALF};
use fracas::geom::Pose;
use fracas::geom::random::unit;
use fracas::{Point, Vector};
use nalgebra::{Matrix3, UnitQuaternion};

/// A contact: midway between both surfaces, normal from the second body towards the first.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    pub point: Point,
    pub normal: Vector,
    pub depth: f64,
}

pub struct Collision {
    pub seed: u64,
    pub kinds: [usize; 2],
    pub poses: [Pose; 2],
    pub exact: Found,
}

impl Collision {
    pub fn new(seed: u64) -> Self {
        match seed % 3 {
            0 => balls(seed),
            1 => ball_on_block(seed),
            _ => (0..).find_map(|attempt| blocks(seed, attempt)).expect("some attempt succeeds"),
        }
    }

    pub fn many(count: u64) -> Vec<Self> {
        (0..count).map(Self::new).collect()
    }

    /// The same bodies apart, by up to half a radius.
    pub fn apart(&self) -> [Pose; 2] {
        let way = self.exact.normal * (self.exact.depth + 0.5 * unit(self.seed, 99));
        let [a, b] = self.poses;
        [Pose::from_parts((a.translation.vector + way).into(), a.rotation), b]
    }
}

/// A direction, all alike likely.
pub fn direction(seed: u64, key: u64) -> Vector {
    let z = 2.0 * unit(seed, key) - 1.0;
    let (sin, cos) = (2.0 * std::f64::consts::PI * unit(seed, key + 1)).sin_cos();
    let r = (1.0 - z * z).sqrt();
    Vector::new(r * cos, r * sin, z)
}

pub fn rotation(seed: u64, key: u64) -> UnitQuaternion<f64> {
    UnitQuaternion::new(direction(seed, key) * (std::f64::consts::PI * unit(seed, key + 2)))
}

fn depth(seed: u64) -> f64 {
    0.02 + 0.08 * unit(seed, 0)
}

fn balls(seed: u64) -> Collision {
    let (depth, normal) = (depth(seed), direction(seed, 1));
    let second = Pose::from_parts(Vector::zeros().into(), rotation(seed, 7));
    let first = Pose::from_parts((normal * (2.0 - depth)).into(), rotation(seed, 4));
    let exact = Found { point: Point::from(normal * (1.0 - 0.5 * depth)), normal, depth };
    Collision { seed, kinds: [BALL, BALL], poses: [first, second], exact }
}

/// Against a side, an edge or a corner, as likely as a ball around the block meets them.
fn ball_on_block(seed: u64) -> Collision {
    let around = |attempt: u64| {
        let p = Point::from([0, 1, 2].map(|k| (2.0 * unit(seed, 20 + 3 * attempt + k as u64) - 1.0) * (HALF[k] + 1.0)));
        let on = Point::from([0, 1, 2].map(|k| p[k].clamp(-HALF[k], HALF[k])));
        (p - on).try_normalize(1e-3).map(|normal| (on, normal))
    };
    let (on, normal) = (0..).find_map(around).expect("some point is outside");
    let depth = depth(seed);
    let block = Pose::from_parts(Vector::zeros().into(), rotation(seed, 7));
    let ball = Pose::from_parts((block * (on + normal * (1.0 - depth))).into(), rotation(seed, 4));
    let exact = Found { point: block * (on - normal * (0.5 * depth)), normal: block.rotation * normal, depth };
    Collision { seed, kinds: [BALL, BLOCK], poses: [ball, block], exact }
}

/// Of a corner and a face, or of two edges; none if the contact is not the only one, or not the shortest way out.
fn blocks(seed: u64, attempt: u64) -> Option<Collision> {
    let random = |key: u64| unit(seed, 1000 * (attempt + 1) + key);
    let turns = [rotation(seed, 1000 * (attempt + 1) + 10), rotation(seed, 1000 * (attempt + 1) + 20)];
    let axes = turns.map(|turn| *turn.to_rotation_matrix().matrix());
    let all = separating_axes(&axes);
    // Half of them edges, a quarter each faces of the one and of the other.
    let number = match (random(0) * 4.0) as usize {
        0 => (random(1) * 3.0) as usize,
        1 => 3 + (random(1) * 3.0) as usize,
        _ => 6 + (random(1) * 9.0) as usize,
    };
    let normal = all[number]? * if random(2) < 0.5 { 1.0 } else { -1.0 };
    let on = [support(&axes[0], &-normal, [3, 4, 5].map(random))?, support(&axes[1], &normal, [6, 7, 8].map(random))?];
    let depth = depth(seed);
    let centre = on[1] - normal * depth - on[0];
    // Any other way out is a third longer at least.
    let other = |k: usize| k == number || all[k].is_none_or(|axis| overlap(&axes, &axis, &centre) > 1.33 * depth);
    (0..15).all(other).then(|| Collision {
        seed,
        kinds: [BLOCK, BLOCK],
        poses: [Pose::from_parts(centre.into(), turns[0]), Pose::from_parts(Vector::zeros().into(), turns[1])],
        exact: Found { point: Point::from(on[1] - normal * (0.5 * depth)), normal, depth },
    })
}

/// Faces of the first, of the second, and products of edges; none where edges are nearly parallel.
fn separating_axes(axes: &[Matrix3<f64>; 2]) -> [Option<Vector>; 15] {
    std::array::from_fn(|k| match k {
        0..3 => Some(axes[0].column(k).into()),
        3..6 => Some(axes[1].column(k - 3).into()),
        _ => axes[0].column((k - 6) / 3).cross(&axes[1].column((k - 6) % 3)).try_normalize(0.1),
    })
}

/// How far two blocks overlap along an axis.
fn overlap(axes: &[Matrix3<f64>; 2], along: &Vector, between: &Vector) -> f64 {
    let reach = |m: &Matrix3<f64>| (0..3).map(|k| HALF[k] * along.dot(&m.column(k)).abs()).sum::<f64>();
    reach(&axes[0]) + reach(&axes[1]) - along.dot(between).abs()
}

/// Farthest along a direction, from the centre; any such point, not near its ends. None if sides nearly as far are not distinct.
fn support(axes: &Matrix3<f64>, along: &Vector, random: [f64; 3]) -> Option<Vector> {
    let mut sum = Vector::zeros();
    for k in 0..3 {
        let share = match along.dot(&axes.column(k)) {
            c if c.abs() < 1e-9 => 1.4 * random[k] - 0.7,
            c if c.abs() < 0.25 => return None,
            c => c.signum(),
        };
        sum += axes.column(k) * (share * HALF[k]);
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_the_shortest_way_out() {
        for c in Collision::many(300) {
            let Found { point, normal, depth } = c.exact;
            assert!((normal.norm() - 1.0).abs() < 1e-12 && (0.02..0.1).contains(&depth));
            // Both surfaces, half a depth from the point.
            for (k, sign) in [(0, -0.5), (1, 0.5)] {
                let local = c.poses[k].inverse_transform_point(&(point + normal * (sign * depth)));
                let off = match c.kinds[k] {
                    BALL => local.coords.norm() - 1.0,
                    _ => (0..3).map(|a| local[a].abs() - HALF[a]).fold(f64::MIN, f64::max),
                };
                assert!(off.abs() < 1e-9, "seed {}: off by {off}", c.seed);
            }
            if c.kinds == [BLOCK, BLOCK] {
                let axes = c.poses.map(|pose| *pose.rotation.to_rotation_matrix().matrix());
                let between = c.poses[0].translation.vector - c.poses[1].translation.vector;
                let least = separating_axes(&axes).into_iter().flatten().map(|axis| overlap(&axes, &axis, &between));
                let least = least.fold(f64::MAX, f64::min);
                assert!((least - depth).abs() < 1e-9, "seed {}: {least} for {depth}", c.seed);
            }
        }
    }
}
