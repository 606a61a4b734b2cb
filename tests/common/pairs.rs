//! Pairs of bodies of all kinds in all kinds of places, and their contacts.

use super::scenes::{ROUGH, direction};
use super::surfaces::filled_solids;
use fracas::contact::{Contact, QueryOptions, QueryStats, query_pair};
use fracas::geom::Pose;
use fracas::geom::random::unit;
use fracas::{Asset, CookOptions, FractureOptions, Object, Outcome, Pattern, Point, Vector, fracture, shapes};
use nalgebra::{Translation3, UnitQuaternion};

/// The fragments of an object, or the object if it stays whole.
pub fn broken(object: &Object, pattern: &Pattern) -> Vec<Object> {
    match fracture(object, pattern, &FractureOptions::default()).unwrap() {
        Outcome::Broken(result) => result.objects,
        Outcome::Whole { .. } => vec![object.clone()],
    }
}

/// Bodies of all kinds: intact, broken once, three times, rough.
pub fn bodies(options: &CookOptions) -> Vec<Object> {
    let mut bodies = vec![];
    let shapes = [
        shapes::cuboid([1.0, 0.7, 0.5], [6, 5, 4]),
        shapes::ball(0.5, 10),
        shapes::hollow_ball(0.5, 10, 2),
        shapes::torus(0.5, 0.2, 24, 6),
        shapes::plate(0.6, 0.06, 12),
        shapes::brick(1),
    ];
    for solid in shapes.into_iter().chain(filled_solids().into_iter().map(|(_, solid)| solid)) {
        let object = Object::intact(&Asset::cook(solid, options).unwrap()).remove(0);
        bodies.extend(broken(&object, &Pattern::random_voronoi(6, 1)).into_iter().take(2));
        bodies.extend(broken(&object, &Pattern::random_voronoi(6, 2).rough(ROUGH)).into_iter().take(2));
        let mut family = vec![object.clone()];
        for generation in 0..3 {
            let parent = family.remove(0);
            family.splice(0..0, broken(&parent, &Pattern::random_voronoi(3, 5 + generation)));
        }
        bodies.extend(family.into_iter().take(1));
        bodies.push(object);
    }
    bodies
}

pub fn random_rotation(seed: u64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(Vector::from_fn(|k, _| (unit(seed, k as u64) - 0.5) * 6.0))
}

/// Poses in which two bodies are about to touch, touch, or overlap.
pub fn poses(a: &Object, b: &Object, seed: u64) -> (Pose, Pose) {
    let (ca, cb) = (a.bounds().centre(), b.bounds().centre());
    let (ra, rb) = (random_rotation(seed), random_rotation(seed + 1));
    let at = Vector::from_fn(|k, _| (unit(seed, 20 + k as u64) - 0.5) * 3.0);
    let way = Vector::from_fn(|k, _| unit(seed, 30 + k as u64) - 0.5).normalize();
    let apart = (a.bounds().radius() + b.bounds().radius()) * (0.15 + 0.7 * unit(seed, 40));
    let pose = |r: UnitQuaternion<f64>, centre: Point, to: Vector| {
        Pose::from_parts(Translation3::from(to - r * centre.coords), r)
    };
    (pose(ra, ca, at), pose(rb, cb, at + way * apart))
}

pub fn query(a: &Object, pa: &Pose, b: &Object, pb: &Pose, options: &QueryOptions) -> (Vec<Contact>, QueryStats) {
    let mut out = vec![];
    let stats = query_pair(a, pa, b, pb, options, &mut out).unwrap();
    (out, stats)
}

/// Fragments that settle: each moved by 1-3 % of the radius of the asset and turned by 2-5 degrees.
pub fn settled(pieces: Vec<Object>) -> Vec<(Object, Pose)> {
    let pose = |(piece, k): (Object, u64)| {
        let shift = direction(k) * (piece.asset().radius() * (0.01 + 0.02 * unit(k, 1)));
        let turn = UnitQuaternion::from_scaled_axis(direction(k + 500) * (2.0 + 3.0 * unit(k, 2)).to_radians());
        let centre = piece.mass().centre.coords;
        let pose = Pose::from_parts(Translation3::from(centre + shift - turn * centre), turn);
        (piece, pose)
    };
    pieces.into_iter().zip(0..).map(pose).collect()
}
