//! Surfaces as they come: what can be repaired is filled, and said; what cannot is refused with the reason and the place.

use crate::common;

use common::quality::{assert_sound, pinches};
use common::surfaces::{Skin, edges};
use fracas::geom::aabb::Aabb;
use fracas::solid::fill::{FillOptions, fill, fill_implicit};
use fracas::{Asset, CookOptions, Error, Point, shapes};
use std::f64::consts::PI;

fn ball(radius: f64) -> Skin {
    Skin::of(&shapes::ball(radius, 16))
}

fn cube() -> Skin {
    Skin::of(&shapes::cuboid([0.1; 3], [2; 3]))
}

#[test]
fn what_can_be_repaired_is_filled_and_told() {
    let whole = ball(0.1).volume();
    // Two balls of one radius, their middles a radius apart: what is in both is a lens. Scaled to balls of triangles.
    let (r, d) = (0.1, 0.1);
    let lens = PI * (4.0 * r + d) * (2.0 * r - d) * (2.0 * r - d) / 12.0 * (whole / (4.0 / 3.0 * PI * r * r * r));
    let some_turned = |mut skin: Skin| {
        skin.triangles.iter_mut().step_by(7).for_each(|t| t.swap(0, 1));
        skin
    };
    let doubled = |mut skin: Skin| {
        skin.triangles.extend(skin.triangles.clone().iter().step_by(3));
        skin
    };
    let with_needles = |mut skin: Skin| {
        skin.triangles.extend([[0, 0, 5], [7, 8, 8], [3, 3, 3]]);
        skin
    };
    let cavity = || ball(0.06).turned_over();
    let beside = || ball(0.05).moved([0.3, 0.0, 0.0]);
    // What, the surface, its volume, the remark that is due, Euler characteristic and bodies of what is made.
    type Case = (&'static str, Skin, f64, Option<&'static str>, i64, usize);
    let cases: Vec<Case> = vec![
        ("a sound ball", ball(0.1), whole, None, 2, 1),
        ("a hole", ball(0.1).without(|p| p.z > 0.096), whole, Some("1 hole"), 2, 1),
        ("three holes", ball(0.1).without(|p| p.iter().any(|c| *c > 0.098)), whole, Some("3 holes"), 2, 1),
        ("inside out", ball(0.1).turned_over(), whole, Some("1 of 1 parts were inside out"), 2, 1),
        ("every seventh triangle turned", some_turned(ball(0.1)), whole, Some("turned to face"), 2, 1),
        ("every third triangle twice", doubled(ball(0.1)), whole, Some("listed twice"), 2, 1),
        ("triangles without area", with_needles(ball(0.1)), whole, Some("3 triangles without area"), 2, 1),
        ("no shared points", ball(0.1).torn(), whole, None, 2, 1),
        ("no shared points, turned", some_turned(ball(0.1).torn()), whole, Some("turned to face"), 2, 1),
        (
            "balls that overlap",
            ball(0.1).and(&ball(0.1).moved([d, 0.0, 0.0])),
            2.0 * whole - lens,
            Some("triangles inside the body were left out"),
            2,
            1,
        ),
        ("a cavity", ball(0.1).and(&cavity()), whole - ball(0.06).volume(), None, 4, 1),
        ("a ball in a ball", ball(0.1).and(&ball(0.06)), whole, Some("inside the body were left out"), 2, 1),
        (
            "a cavity, all inside out",
            ball(0.1).and(&cavity()).turned_over(),
            whole - ball(0.06).volume(),
            Some("2 of 2 parts were inside out"),
            4,
            1,
        ),
        ("two balls", ball(0.1).and(&beside()), whole + ball(0.05).volume(), None, 4, 2),
        (
            "two balls, one inside out",
            ball(0.1).and(&beside().turned_over()),
            whole + ball(0.05).volume(),
            Some("1 of 2 parts were inside out"),
            4,
            2,
        ),
    ];
    for (what, skin, volume, words, euler, bodies) in cases {
        let filled = skin.fill(&edges(0.022)).unwrap_or_else(|e| panic!("{what}: {e}"));
        let solid = &filled.solid;
        println!(
            "{what}: {} tetrahedra, volume {:+.3} %, Euler {}, {} bodies {:?}",
            solid.tets().len(),
            100.0 * (solid.volume() / volume - 1.0),
            Skin::of(solid).euler(),
            solid.bodies().0,
            filled.remarks
        );
        assert_sound(solid, what);
        assert_eq!((pinches(solid).len(), Skin::of(solid).euler(), solid.bodies().0), (0, euler, bodies), "{what}");
        assert!((solid.volume() / volume - 1.0).abs() < 0.01, "{what}: {} is not {volume}", solid.volume());
        match words {
            Some(words) => assert!(filled.remarks.iter().any(|r| r.contains(words)), "{what}: {:?}", filled.remarks),
            None => assert!(filled.remarks.is_empty(), "{what}: {:?}", filled.remarks),
        }
    }
}

/// Two cubes that share an edge, and two that share a corner: no surface there, but a body all the same.
#[test]
fn parts_that_touch_are_filled() {
    for (what, by, words) in [("edge", [0.1, 0.1, 0.0], "more than two triangles"), ("corner", [0.1; 3], "")] {
        let skin = cube().and(&cube().moved(by));
        let filled = skin.fill(&edges(0.02)).unwrap();
        let off = filled.solid.volume() / (2.0 * cube().volume()) - 1.0;
        println!(
            "cubes with a common {what}: volume {:+.3} %, {} bodies, the boundary meets itself at {} points {:?}",
            100.0 * off,
            filled.solid.bodies().0,
            pinches(&filled.solid).len(),
            filled.remarks
        );
        assert_sound(&filled.solid, what);
        assert!(off.abs() < 0.01, "{what}");
        assert!(words.is_empty() || filled.remarks.iter().any(|r| r.contains(words)), "{what}: {:?}", filled.remarks);
    }
}

#[test]
fn what_is_too_open_is_refused_with_the_places() {
    let half = ball(0.1).without(|p| p.z > 0.0).moved([1.0, 2.0, 3.0]);
    let tube = cube().without(|p| p.z.abs() > 0.0499).moved([1.0, 2.0, 3.0]);
    let sheet = Skin {
        points: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    for (what, skin, words) in [
        ("half a ball", half, vec!["1 hole", "at (1.0000, 2.0000, 3.0000)", "close them"]),
        ("a box without lid and bottom", tube, vec!["2 holes", "(1.0000, 2.0000, 3.0500)", "(1.0000, 2.0000, 2.9500)"]),
        ("a sheet", sheet, vec!["1 hole", "4 edges", "(0.5000, 0.5000, 0.0000)"]),
    ] {
        match skin.fill(&edges(0.02)) {
            Err(Error::InvalidMesh(text)) => {
                println!("{what}: {text}");
                words.iter().for_each(|w| assert!(text.contains(w), "{what}: '{text}' does not say '{w}'"));
            }
            other => panic!("{what}: {other:?}"),
        }
    }
}

#[test]
fn bad_surfaces_are_refused_by_name() {
    let sound = cube();
    let with = |at: [f64; 3]| {
        let mut skin = sound.clone();
        skin.points[3] = at;
        skin
    };
    let flat = Skin { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], triangles: vec![[0, 1, 2], [0, 0, 1]] };
    let mut beyond = sound.clone();
    beyond.triangles[5][1] = 1000;
    let nothing = sound.clone().and(&sound.clone().turned_over());
    for (what, skin, words) in [
        ("NaN", with([0.0, f64::NAN, 0.0]), "points[3] is [0.0, NaN, 0.0]"),
        ("infinite", with([f64::INFINITY, 0.0, 0.0]), "points[3]"),
        ("too far", with([1e80, 0.0, 0.0]), "points[3]"),
        ("index", beyond, "triangles[5] names point 1000"),
        ("empty", Skin::default(), "no triangles"),
        ("points only", Skin { triangles: vec![], ..sound.clone() }, "no triangles"),
        ("no area", flat, "none of the 2 triangles has an area"),
    ] {
        match skin.fill(&FillOptions::default()) {
            Err(Error::InvalidMesh(text)) => {
                println!("{what}: {text}");
                assert!(text.contains(words), "{what}: '{text}' does not say '{words}'");
            }
            other => panic!("{what}: {other:?}"),
        }
    }
    // The same triangles the other way round are doubles like others.
    assert!(nothing.fill(&edges(0.03)).unwrap().remarks.iter().any(|r| r.contains("listed twice")));
    // A point that no triangle names is nobody's business.
    let mut unused = sound.clone();
    unused.points.push([f64::NAN; 3]);
    assert!(unused.fill(&edges(0.03)).unwrap().remarks.is_empty());
}

#[test]
fn bad_options_are_refused_and_bad_lengths_answered() {
    let skin = cube();
    let plain = FillOptions::default();
    let nan = f64::NAN;
    for (options, words) in [
        (FillOptions { edge: -0.1, ..plain.clone() }, "edge length is -0.1"),
        (FillOptions { edge: nan, ..plain.clone() }, "edge length is NaN"),
        (FillOptions { edge: f64::INFINITY, ..plain.clone() }, "edge length is inf"),
        (FillOptions { tets: 0, ..plain.clone() }, "neither an edge length nor a number"),
        (FillOptions { coarsening: 0.5, ..plain.clone() }, "coarsening is 0.5"),
        (FillOptions { coarsening: nan, ..plain.clone() }, "coarsening is NaN"),
        (FillOptions { coarsening: -2.0, ..plain.clone() }, "coarsening is -2"),
        (FillOptions { sharp_angle: nan, ..plain.clone() }, "sharp angle is NaN"),
        (FillOptions { sharp_angle: -40.0, ..plain.clone() }, "sharp angle is -40"),
    ] {
        let everywhere = |p: &Point| p.coords.norm() - 0.1;
        let bounds = Aabb { min: Point::from([-0.2; 3]), max: Point::from([0.2; 3]) };
        for result in [fill(&skin.points, &skin.triangles, &options), fill_implicit(&everywhere, &bounds, &options)] {
            match result {
                Err(Error::InvalidArgument(text)) => assert!(text.contains(words), "'{text}' does not say '{words}'"),
                other => panic!("{words}: {other:?}"),
            }
        }
    }
    for edge in [1e-6, 1e-12, 1e-300] {
        assert!(matches!(skin.fill(&edges(edge)), Err(Error::TooLarge(text)) if text.contains("ask for longer")));
    }
    // Edges as long as the body, or longer: a coarse mesh, or the word that there is none.
    for edge in [0.09, 0.15, 0.5, 100.0] {
        match skin.fill(&edges(edge)) {
            Ok(filled) => {
                assert_sound(&filled.solid, "coarse cube");
                println!(
                    "edges of {edge} in a cube of 0.1: {} tetrahedra, volume {:+.1} % {:?}",
                    filled.solid.tets().len(),
                    100.0 * (filled.solid.volume() / skin.volume() - 1.0),
                    filled.remarks
                );
            }
            Err(Error::InvalidArgument(text)) => {
                println!("edges of {edge} in a cube of 0.1: {text}");
                assert!(text.contains("shorter edges"));
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    // Very few are hardly a mesh, but never many.
    for tets in [1, 10, 50, 100] {
        match skin.fill(&FillOptions { tets, ..FillOptions::default() }) {
            Ok(filled) => assert!(filled.solid.tets().len() < 2 * tets + 100, "{}", filled.solid.tets().len()),
            Err(Error::InvalidArgument(text)) => assert!(tets < 50 && text.contains("shorter edges"), "{tets}: {text}"),
            Err(other) => panic!("{tets}: {other:?}"),
        }
    }
}

#[test]
fn functions_without_a_body_are_refused() {
    let bounds = Aabb { min: Point::from([-0.2; 3]), max: Point::from([0.2; 3]) };
    let none = |_: &Point| 1.0;
    assert!(matches!(fill_implicit(&none, &Aabb::EMPTY, &edges(0.05)), Err(Error::InvalidArgument(_))));
    for options in [edges(0.05), FillOptions::default()] {
        match fill_implicit(&none, &bounds, &options) {
            Err(Error::InvalidArgument(text)) => println!("{text}"),
            other => panic!("{other:?}"),
        }
    }
}

/// A crumb far away is lost; then most of what the surface spans is.
#[test]
fn surfaces_of_which_most_is_lost_are_refused() {
    let far = ball(0.1).and(&Skin::of(&shapes::tetrahedron(1e-4)).moved([1.0, 0.0, 0.0]));
    match Asset::from_surface(&far.points, &far.triangles, &edges(0.03), &CookOptions::default()) {
        Err(Error::InvalidMesh(text)) => assert!(text.contains("only a part of the surface"), "{text}"),
        other => panic!("{:?}", other.map(|asset| asset.solid().bounds())),
    }
}
