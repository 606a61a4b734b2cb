//! Thin bodies: each is filled as one body with its volume, or refused with the number of tetrahedra that would do.

mod common;

use common::surfaces::{Skin, edges};
use common::thin::{blade, ellipsoid, flat_hull, lens};
use fracas::geom::random::unit;
use fracas::solid::fill::{FillOptions, Filled};
use fracas::{Error, Tasks, shapes};

fn filled(skin: &Skin, tets: usize) -> fracas::Result<Filled> {
    skin.fill(&FillOptions { tets, tasks: Tasks::pool(2).unwrap(), ..FillOptions::default() })
}

/// The number of tetrahedra that a refusal names.
fn named(error: &Error) -> usize {
    let text = error.to_string();
    let before = text.split(" tetrahedra would do").next().filter(|before| before.len() < text.len());
    let number = before.and_then(|before| before.split(' ').next_back()).and_then(|word| word.parse().ok());
    number.unwrap_or_else(|| panic!("no number in: {text}"))
}

/// One body, with the volume of the surface to a tenth, and not many more tetrahedra than asked for.
fn assert_whole(filled: &Filled, skin: &Skin, tets: usize, what: &str) {
    let (solid, off) = (&filled.solid, filled.solid.volume() / skin.volume() - 1.0);
    println!("{what}: {} of {tets} tetrahedra, {:+.1} % {:?}", solid.tets().len(), 100.0 * off, filled.remarks);
    assert_eq!(solid.bodies().0, 1, "{what}");
    assert!(off.abs() <= 0.1, "{what}: the volume is {:+.1} % off", 100.0 * off);
    assert!(solid.tets().len() <= 6 * tets, "{what}: {} tetrahedra instead of {tets}", solid.tets().len());
}

#[test]
fn thin_bodies_are_whole_or_refused() {
    let mut cases = vec![
        ("blade".to_string(), blade(1.0, 0.05, 0.01)),
        ("blade, turned".into(), blade(1.0, 0.05, 0.01).turned(31.0)),
        ("thin blade, turned".into(), blade(1.0, 0.05, 0.002).turned(57.0)),
        ("flat ball".into(), ellipsoid([1.0, 1.0, 0.05], 24)),
        ("flat ball, turned".into(), ellipsoid([1.0, 1.0, 0.05], 8).turned(13.0)),
        ("needle".into(), ellipsoid([1.0, 0.01, 0.01], 16).turned(20.0)),
        ("lens".into(), lens(1.0, 0.2, 24)),
        ("thin lens".into(), lens(1.0, 0.02, 24).turned(40.0)),
    ];
    for seed in 0..30 {
        let random = |k: u64| unit(seed, (1 << 50) + k);
        let points = (8.0 * (500f64 / 8.0).powf(random(0))) as usize;
        let flat = 200f64.powf(random(1));
        let middle = if random(2) < 0.4 { 1.0 } else { flat.powf(random(3)) };
        let hull = flat_hull(seed, points, [1.0, 1.0 / middle, 1.0 / flat]);
        cases.push((format!("hull {seed} of {points} points, 1:{middle:.0}:{flat:.0}"), hull));
    }
    let mut refused = 0;
    for (what, skin) in &cases {
        match filled(skin, 2000) {
            Ok(filled) => assert_whole(&filled, skin, 2000, what),
            Err(error) => {
                println!("{what}: {error}");
                assert!(named(&error) > 8000, "{what}: refused for no more than it might take: {error}");
                refused += 1;
            }
        }
    }
    println!("{refused} of {} were refused", cases.len());
    assert!(2 * refused < cases.len());
}

/// Who asks for what a refusal names gets a mesh.
#[test]
fn the_number_that_is_named_would_do() {
    for (what, skin) in [
        ("blade", blade(1.0, 0.05, 0.01).turned(31.0)),
        ("lens", lens(1.0, 0.15, 24).turned(40.0)),
        ("hull", flat_hull(5, 30, [1.0, 0.3, 0.03])),
    ] {
        let tets = named(&filled(&skin, 300).unwrap_err());
        assert_whole(&filled(&skin, tets).unwrap(), &skin, tets, what);
    }
}

/// Edges that are asked for are not shortened.
#[test]
fn edges_too_long_for_a_body_are_refused() {
    let skin = lens(1.0, 0.15, 24).turned(40.0);
    let error = skin.fill(&edges(0.3)).unwrap_err().to_string();
    assert!(error.contains("too thin for edges of 3.000e-1 m") && error.contains("with edges of"), "{error}");
}

/// Bodies that the surface has are no crumbs, and a part that is lost beside a larger one is missed.
#[test]
fn every_part_of_a_surface_has_its_body() {
    let ball = |radius: f64, x: f64| Skin::of(&shapes::ball(radius, 8)).moved([x, 0.0, 0.0]);
    let large_and_small = ball(0.1, 0.0).and(&ball(0.014, 0.13));
    assert_eq!(large_and_small.fill(&edges(0.012)).unwrap().solid.bodies().0, 2);
    let hollow = Skin::of(&shapes::hollow_ball(0.1, 12, 4));
    assert_eq!(hollow.fill(&edges(0.025)).unwrap().solid.bodies().0, 1);
    let with_blade = ball(0.1, 0.0).and(&blade(1.0, 0.05, 0.004).moved([0.3, 0.0, 0.0]));
    let error = with_blade.fill(&edges(0.02)).unwrap_err().to_string();
    assert!(error.contains("too thin"), "{error}");
}

/// What is open has no volume to go by, but crumbs of it are dropped too.
#[test]
fn an_open_blade_comes_without_crumbs() {
    let open = lens(1.0, 0.2, 24).turned(40.0).without(|p| p.coords.norm() < 0.05);
    let filled = filled(&open, 4000).unwrap();
    assert_eq!(filled.solid.bodies().0, 1, "{:?}", filled.remarks);
}

#[test]
fn thin_bodies_are_the_same_for_every_number_of_threads() {
    let skin = blade(1.0, 0.05, 0.01).turned(31.0);
    let made = |tasks: Tasks| skin.fill(&FillOptions { tets: 6000, tasks, ..FillOptions::default() }).unwrap().solid;
    let (one, two) = (made(Tasks::inline()), made(Tasks::pool(2).unwrap()));
    assert!(one.nodes() == two.nodes() && one.tets() == two.tets());
}
