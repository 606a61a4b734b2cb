//! Tetrahedra from surfaces: sound, well shaped, on the surface, with its edges, its holes and its volume.
//!
//! Everything is measured from outside (`common/quality.rs`). Lengths are in edges that were asked for.

mod common;

use common::data;
use common::quality::{Quality, assert_sound, pinches};
use common::surfaces::{Skin, bumpy_ball, edges, l_prism, wedge};
use fracas::geom::aabb::Aabb;
use fracas::solid::fill::{FillOptions, Filled, fill_implicit};
use fracas::{Error, Point, Tasks, Vector, shapes};
use std::f64::consts::PI;
use std::sync::{Arc, Mutex};

fn measured(skin: &Skin, edge: f64, what: &str) -> (Quality, Filled) {
    let filled = skin.fill(&edges(edge)).unwrap();
    let quality = Quality::of(&filled.solid, skin, edge, what);
    quality.print(what, edge);
    filled.remarks.iter().for_each(|remark| println!("    {remark}"));
    (quality, filled)
}

/// What holds for every mesh of something that is not too thin for its edges.
fn assert_good(q: &Quality, what: &str) {
    assert_eq!(q.pinches, 0, "{what}: the boundary is no surface");
    assert!(q.angles[0] > 15.0 && q.angles[1] < 155.0, "{what}: angles of {:?} degrees", q.angles);
}

#[test]
fn round_bodies_are_met() {
    let ball = || Skin::of(&shapes::ball(0.1, 16));
    let torus = || Skin::of(&shapes::torus(0.1, 0.03, 64, 16));
    let hollow = || Skin::of(&shapes::hollow_ball(0.1, 24, 4));
    println!("{}", Quality::HEAD);
    for (what, skin, edge, euler, bodies) in [
        ("ball", ball(), 0.02, 2, 1),
        ("ball, coarse", ball(), 0.04, 2, 1),
        ("ball, turned", ball().turned(19.0), 0.03, 2, 1),
        ("ball with bumps", bumpy_ball(20), 0.018, 2, 1),
        ("torus", torus(), 0.013, 0, 1),
        ("torus, turned", torus().turned(37.0), 0.013, 0, 1),
        ("hollow ball", hollow(), 0.018, 4, 1),
        ("hollow ball, turned", hollow().turned(71.0), 0.018, 4, 1),
        ("ball and torus apart", ball().and(&torus().moved([0.3, 0.0, 0.0])), 0.02, 2, 2),
        ("ball of a kilometre", ball().placed(|p| p * 1e4), 300.0, 2, 1),
        ("ball far away", ball().moved([1e3, -2e3, 5e2]), 0.03, 2, 1),
    ] {
        let (q, filled) = measured(&skin, edge, what);
        assert_good(&q, what);
        assert_eq!((q.euler, q.bodies, skin.euler()), (euler, bodies, euler), "{what}");
        assert!(q.volume.abs() < 0.003, "{what}: the volume is {:+.3} % off", 100.0 * q.volume);
        assert!(q.missed < 0.15 && q.beyond < 0.15, "{what}: {} edges off", q.missed.max(q.beyond));
        assert!(filled.remarks.is_empty(), "{what}: {:?}", filled.remarks);
    }
}

/// Sharp edges and corners are met to two hundredths of an edge, and the mesh goes nowhere beyond; at any angle.
#[test]
fn sharp_edges_are_met() {
    println!("{}", Quality::HEAD);
    let mut cases = vec![];
    for angle in [0.0, 5.0, 13.0, 25.0, 37.0, 45.0, 61.0, 80.0, 111.0] {
        cases.push(("box", Skin::of(&shapes::cuboid([0.2, 0.3, 0.4], [2, 3, 4])), angle, 0.05, 2));
        cases.push(("L", l_prism(), angle, 0.025, 2));
        cases.push(("edge of 60 degrees", wedge(60.0), angle, 0.025, 2));
    }
    for angle in [0.0, 13.0, 37.0, 80.0] {
        cases.push(("brick", Skin::of(&shapes::brick(1)), angle, 0.012, -10));
    }
    for (what, skin, angle, edge, euler) in cases {
        let (what, skin) = (format!("{what}, {angle} degrees"), skin.turned(angle));
        let (q, filled) = measured(&skin, edge, &what);
        assert_good(&q, &what);
        assert_eq!((q.euler, q.bodies), (euler, 1), "{what}");
        assert!(q.volume.abs() < 0.005, "{what}: the volume is {:+.3} % off", 100.0 * q.volume);
        assert!(q.missed < 0.02 && q.beyond < 0.02, "{what}: {} edges off", q.missed.max(q.beyond));
        assert!(q.blunt < 0.02, "{what}: sharp edges are missed by {} edges", q.blunt);
        assert!(filled.remarks.is_empty(), "{what}: {:?}", filled.remarks);
    }
}

/// The sharper an edge, the less of the lattice is in it: those of less than 60 degrees may stay blunt, and that is said.
#[test]
fn edges_too_sharp_are_told() {
    println!("{}", Quality::HEAD);
    let mut met = [0, 0];
    for (k, degrees) in [45.0, 30.0].into_iter().enumerate() {
        for angle in [0.0, 13.0, 25.0, 37.0, 61.0, 111.0] {
            let what = format!("edge of {degrees} degrees, {angle}");
            let (q, filled) = measured(&wedge(degrees).turned(angle), 0.025, &what);
            assert!(q.volume.abs() < 0.05 && q.missed < 2.5 && q.beyond < 0.8, "{what}: {q:?}");
            let said = |words: &str| filled.remarks.iter().any(|remark| remark.contains(words));
            assert_eq!(q.blunt > 0.02, said("sharp edges are blunt"), "{what}: {:?}", filled.remarks);
            assert_eq!(q.volume.abs() > 0.02, said("the volume is"), "{what}: {:?}", filled.remarks);
            met[k] += usize::from(q.blunt <= 0.02);
        }
    }
    println!("of 6 turns each, {} are met at 45 degrees and {} at 30", met[0], met[1]);
    assert!(met[0] >= 3);
}
