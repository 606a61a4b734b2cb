//! Objects as tetrahedra and as soft bodies: fragments of all kinds of breaks, against their surfaces and masses (Marchal 2004, 4.3: the same
//! calls work on what was cut).

use crate::common;

use common::families::{families, point_near};
use common::judge::Judge;
use common::oracle::triangle_area;
use fracas::fracture::tets::Tets;
use fracas::penalty::{DepthMethod, PenaltyOptions, PenaltyScratch, Penetrating, SoftBody};
use fracas::{Object, Point, Vector};
use std::collections::HashMap;

fn soft(tets: &Tets) -> SoftBody {
    let positions: Vec<Point> = tets.nodes.iter().map(|n| n.position).collect();
    SoftBody::oriented(&positions, &tets.tets).unwrap()
}

/// Volumes of all, and of those that are inverted.
fn volumes(tets: &Tets) -> (f64, f64) {
    let volume = |t: &[u32; 4]| {
        let [a, b, c, d] = t.map(|v| tets.nodes[v as usize].position);
        (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
    };
    let all = tets.tets.iter().map(volume);
    (all.clone().sum(), all.filter(|v| *v < 0.0).sum::<f64>().abs())
}

fn area(body: &SoftBody) -> f64 {
    let corners = body.boundary().map(|t| t.map(|v| body.positions()[v as usize]));
    corners.map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum()
}

#[test]
fn tetrahedra_of_fragments_fit_together_and_fill_them() {
    let (mut bodies, mut without_nodes) = (0, 0);
    for (name, family) in families() {
        for (k, object) in family.iter().enumerate() {
            let what = format!("{name}, piece {k}");
            let tets = object.tets();
            let (volume, inverted) = volumes(&tets);
            let expected = object.mass().volume;
            assert!((volume - expected).abs() < 1e-9 * expected, "{what}: {volume} for {expected}");
            assert!(inverted < 1e-12 * expected, "{what}: {inverted} is inverted");
            // What is between two of them is not on the boundary: the area is that of the surface.
            let body = soft(&tets);
            let surface = object.surface();
            let around: f64 = surface.triangles.iter().map(|t| triangle_area(&surface, t.corners)).sum();
            assert!((area(&body) - around).abs() < 1e-7 * around, "{what}: {} for {around}", area(&body));
            nodes_follow_those_of_the_mesh(object, &tets, &what);
            bodies += 1;
            without_nodes += object.nodes().is_empty() as usize;
        }
    }
    println!("{bodies} bodies, {without_nodes} without a node of the mesh");
    assert!(bodies > 60);
}

/// The shares of a node are where it is.
fn nodes_follow_those_of_the_mesh(object: &Object, tets: &Tets, what: &str) {
    let solid = object.asset().solid();
    let positions: HashMap<u32, Point> =
        solid.source_nodes().iter().copied().zip(solid.nodes().iter().copied()).collect();
    for node in &tets.nodes {
        assert!((node.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12 && node.weights.iter().all(|w| *w >= 0.0));
        let at: Vector = node.nodes.iter().zip(node.weights).map(|(n, w)| positions[n].coords * w).sum();
        assert!((at - node.position.coords).norm() < 1e-12 * object.asset().radius(), "{what}");
    }
}

#[test]
fn distances_to_a_soft_fragment_are_those_to_its_surface() {
    let mut inside = 0;
    for (name, family) in families() {
        for (k, object) in family.iter().enumerate().step_by(3) {
            let (body, judge) = (soft(&object.tets()), Judge::new(object));
            let radius = object.asset().radius();
            for seed in 0..30 {
                let p = point_near(object, &judge, seed);
                let distance = judge.distance(&p);
                let found = body.signed_distance(&p).unwrap();
                assert!((found.distance.abs() - distance).abs() < 1e-9 * radius, "{name}, piece {k}: {p}");
                if distance > 1e-9 * radius {
                    assert_eq!(found.distance < 0.0, judge.inside(&p), "{name}, piece {k}: {p}");
                    inside += judge.inside(&p) as usize;
                    // A step out of it, or back to it, is that much shorter.
                    let on = body.signed_distance(&(p - found.outward * found.distance)).unwrap();
                    assert!(on.distance.abs() < 1e-6 * radius, "{name}, piece {k}: {}", on.distance);
                }
            }
            // All methods march through parts of tetrahedra, too.
            let (exact, _) = body.depths(DepthMethod::Exact).unwrap();
            let (marched, _) = body.depths(DepthMethod::ClosestFeature).unwrap();
            assert!(exact.iter().zip(&marched).all(|(e, m)| m.is_finite() && *m > e - 1e-12 * radius));
        }
    }
    assert!(inside > 200, "{inside} points inside");
}

#[test]
fn soft_fragments_push_each_other_apart() {
    let (mut touching, mut apart) = (0, 0);
    for (name, family) in families() {
        for pair in family.windows(2) {
            let bodies = [soft(&pair[0].tets()), soft(&pair[1].tets())];
            let middle = |o: &Object| o.mass().centre;
            let way = (middle(&pair[1]) - middle(&pair[0])).normalize() * 0.02 * pair[0].asset().radius();
            let mut scratch = PenaltyScratch::default();
            // Pressed together they push; moved apart they do not, or less.
            let mut loads = [0.0; 2];
            for (step, load) in [1.0, -4.0].into_iter().zip(&mut loads) {
                let mut moved = bodies[0].clone();
                let positions: Vec<Point> = bodies[0].positions().iter().map(|p| p + way * step).collect();
                moved.set_positions(positions.into_iter()).unwrap();
                moved.update();
                let mut out = vec![];
                let options = PenaltyOptions { penetrating: [Penetrating::Segments; 2], ..PenaltyOptions::default() };
                moved.penalties(&bodies[1], &options, &mut scratch, &mut out).unwrap();
                *load = out.iter().map(|p| p.load).sum();
                assert!(out.iter().all(|p| p.load.is_finite() && (p.direction.norm() - 1.0).abs() < 1e-9), "{name}");
            }
            touching += (loads[0] > 0.0) as usize;
            apart += (loads[0] > 0.0 && loads[1] < loads[0]) as usize;
        }
    }
    println!("{touching} pairs touch; {apart} less when apart");
    assert!(touching > 20 && apart * 10 >= touching * 9);
}
