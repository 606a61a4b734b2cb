//! Soft bodies and their penalties, for tests and what they are held against.

use fracas::geom::random::unit;
use fracas::penalty::{DepthMethod, Penalty, PenaltyOptions, PenaltyScratch, PenaltyStats, Penetrating, SoftBody};
use fracas::solid::{Solid, shapes};
use fracas::{Point, Vector};

pub const METHODS: [DepthMethod; 3] = [DepthMethod::Exact, DepthMethod::ClosestFeature, DepthMethod::ClosestPoint];

pub fn soft(solid: &Solid) -> SoftBody {
    SoftBody::new(solid.nodes(), solid.tets()).unwrap()
}

/// Of radius 1.
pub fn ball(cells: usize) -> Solid {
    shapes::ball(1.0, cells)
}

/// The distance of a point to a triangle, another way: the foot of the perpendicular if it is inside, and the edges.
pub fn slow_distance(p: &Point, t: &[Point; 3]) -> f64 {
    let segment = |a: &Point, b: &Point| {
        let along = b - a;
        let s = (along.dot(&(p - a)) / along.norm_squared()).clamp(0.0, 1.0);
        (p - (a + along * s)).norm()
    };
    let mut least = segment(&t[0], &t[1]).min(segment(&t[1], &t[2])).min(segment(&t[2], &t[0]));
    let normal = (t[1] - t[0]).cross(&(t[2] - t[0])).normalize();
    let height = normal.dot(&(p - t[0]));
    let foot = p - normal * height;
    if (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(&(foot - t[k])).dot(&normal) >= 0.0) {
        least = least.min(height.abs());
    }
    least
}

/// Moves every node a little, smoothly.
pub fn deformed(solid: &Solid, seed: u64, by: f64) -> Vec<Point> {
    let wave = |p: &Point, k: u64| by * (3.0 * p[(k as usize + 1) % 3] + 6.0 * unit(seed, k)).sin();
    solid.nodes().iter().map(|p| p + Vector::new(wave(p, 0), wave(p, 1), wave(p, 2))).collect()
}

pub fn respond(a: &SoftBody, b: &SoftBody, options: &PenaltyOptions) -> (Vec<Penalty>, PenaltyStats) {
    let mut out = vec![];
    let stats = a.penalties(b, options, &mut PenaltyScratch::default(), &mut out).unwrap();
    (out, stats)
}

pub fn both(what: Penetrating) -> PenaltyOptions {
    PenaltyOptions { penetrating: [what; 2], ..PenaltyOptions::default() }
}

/// Forces on the nodes of both bodies.
pub fn forces(found: &[Penalty], counts: [usize; 2], along: impl Fn(&Penalty) -> Vector) -> [Vec<Vector>; 2] {
    let mut forces = counts.map(|n| vec![Vector::zeros(); n]);
    for p in found {
        let force = along(p) * p.load;
        let (own, other) = (p.side as usize, 1 - p.side as usize);
        for (v, w) in p.nodes.iter().zip(p.weights).filter(|(v, _)| **v != u32::MAX) {
            forces[own][*v as usize] += force * w;
        }
        for (v, w) in p.tet_nodes.iter().zip(p.tet_weights) {
            forces[other][*v as usize] -= force * w;
        }
    }
    forces
}
