//! Thin bodies: blades, lenses, flat balls, random flat hulls.

use super::surfaces::Skin;
use fracas::geom::random::unit;
use fracas::{Point, Vector};
use std::collections::BTreeSet;
use std::f64::consts::PI;

/// A blade with a cross-section like a diamond, as long as `length`, the last third tapered to a tip; 14 triangles.
pub fn blade(length: f64, width: f64, thickness: f64) -> Skin {
    let section = |z: f64, share: f64| {
        let (w, t) = (0.5 * width * share, 0.5 * thickness * share);
        [[w, 0.0, z], [0.0, t, z], [-w, 0.0, z], [0.0, -t, z]]
    };
    let mut points: Vec<[f64; 3]> = section(0.0, 1.0).into_iter().chain(section(length * 2.0 / 3.0, 0.8)).collect();
    points.push([0.0, 0.0, length]);
    let mut triangles = vec![[0, 3, 2], [0, 2, 1]];
    for k in 0..4 {
        let next = (k + 1) % 4;
        triangles.extend([[k, next, 4 + next], [k, 4 + next, 4 + k], [4 + k, 4 + next, 8]]);
    }
    Skin { points, triangles }
}

/// A ball of `rings` times `2 rings` faces, scaled along its axes.
pub fn ellipsoid(radii: [f64; 3], rings: u32) -> Skin {
    turned_profile(rings, |share| {
        let angle = PI * share;
        (angle.sin(), angle.cos())
    })
    .placed(|p| Point::new(p.x * radii[0], p.y * radii[1], p.z * radii[2]))
}

/// A lens between two caps of balls: a sharp rim, a circle of this radius, and so thick in the middle.
pub fn lens(radius: f64, thickness: f64, rings: u32) -> Skin {
    let height = 0.5 * thickness;
    let ball = (radius * radius + height * height) / (2.0 * height);
    turned_profile(rings, |share| {
        let r = radius * (1.0 - (2.0 * share - 1.0).abs());
        let z = (ball * ball - r * r).sqrt() - (ball - height);
        (r, if share < 0.5 { z } else { -z })
    })
}

/// A profile from the top of the axis to its bottom, turned round it; `rings` should be even for one with a rim.
fn turned_profile(rings: u32, profile: impl Fn(f64) -> (f64, f64)) -> Skin {
    let around = 2 * rings;
    let mut points = vec![];
    for ring in 1..rings {
        let (r, z) = profile(ring as f64 / rings as f64);
        for k in 0..around {
            let (sin, cos) = (2.0 * PI * k as f64 / around as f64).sin_cos();
            points.push([r * cos, r * sin, z]);
        }
    }
    let (top, bottom) = (points.len() as u32, points.len() as u32 + 1);
    points.extend([[0.0, 0.0, profile(0.0).1], [0.0, 0.0, profile(1.0).1]]);
    let mut triangles = vec![];
    for k in 0..around {
        let next = (k + 1) % around;
        triangles.push([top, k, next]);
        for ring in 0..rings - 2 {
            let (a, b) = (ring * around, (ring + 1) * around);
            triangles.extend([[a + k, b + k, b + next], [a + k, b + next, a + next]]);
        }
        let last = (rings - 2) * around;
        triangles.push([bottom, last + next, last + k]);
    }
    Skin { points, triangles }
}

/// The convex hull of random points in a box, turned to stand askew.
pub fn flat_hull(seed: u64, points: usize, sides: [f64; 3]) -> Skin {
    let random = |k: usize| Point::from(Vector::from_fn(|i, _| sides[i] * (unit(seed, (3 * k + i) as u64) - 0.5)));
    hull((0..points).map(random).collect()).turned(360.0 * unit(seed, 1 << 40))
}

/// The convex hull of points in general position, one by one: what a point sees is replaced by a fan from it to the rim.
fn hull(points: Vec<Point>) -> Skin {
    let volume = |[a, b, c]: [u32; 3], p: u32| {
        let [a, b, c, p] = [a, b, c, p].map(|i| points[i as usize]);
        (b - a).cross(&(c - a)).dot(&(p - a))
    };
    let mut faces = match volume([0, 1, 2], 3) > 0.0 {
        true => vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        false => vec![[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]],
    };
    for p in 4..points.len() as u32 {
        let (seen, rest): (Vec<[u32; 3]>, Vec<[u32; 3]>) = faces.iter().partition(|f| volume(**f, p) > 0.0);
        let sides: BTreeSet<[u32; 2]> = seen.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        faces = rest;
        faces.extend(sides.iter().filter(|[a, b]| !sides.contains(&[*b, *a])).map(|&[a, b]| [a, b, p]));
    }
    Skin { points: points.iter().map(|p| [p.x, p.y, p.z]).collect(), triangles: faces }
}
