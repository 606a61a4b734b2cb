//! Thin bodies: each is filled as one body with its volume. Edges that are asked for and too long are refused, with those that would do.

#![allow(unsafe_code)] // one test calls what C calls

use crate::common;

use common::surfaces::{Skin, edges};
use common::thin::{blade, ellipsoid, flat_hull, lens};
use fracas::ffi::*;
use fracas::geom::random::unit;
use fracas::solid::fill::{FillOptions, Filled};
use fracas::{Error, Tasks, shapes};

fn filled(skin: &Skin, tets: usize) -> fracas::Result<Filled> {
    skin.fill(&FillOptions { tets, tasks: Tasks::pool(2).unwrap(), ..FillOptions::default() })
}

/// The number of tetrahedra that a refusal names, and the length of edges.
fn named(error: &Error) -> (usize, f64) {
    let text = error.to_string();
    let words: Vec<&str> = text.split(' ').collect();
    let after = |word: &str, next: &str| words.windows(2).position(|pair| pair == [word, next]);
    let tets = after("tetrahedra", "would").and_then(|k| words[k - 1].parse().ok());
    let edge = words.iter().rposition(|word| *word == "m").and_then(|k| words[k - 1].parse().ok());
    tets.zip(edge).unwrap_or_else(|| panic!("no numbers in: {text}"))
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
fn thin_bodies_are_whole() {
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
    for (what, skin) in &cases {
        match filled(skin, 2000) {
            Ok(filled) => assert_whole(&filled, skin, 2000, what),
            Err(error) => panic!("{what}: {error}"),
        }
    }
}

/// Who asks for what a refusal names gets a mesh.
#[test]
fn what_is_named_would_do() {
    for (what, skin) in [
        ("blade", blade(1.0, 0.05, 0.01).turned(31.0)),
        ("lens", lens(1.0, 0.15, 24).turned(40.0)),
        ("hull", flat_hull(5, 30, [1.0, 0.3, 0.03])),
    ] {
        let (tets, edge) = named(&skin.fill(&edges(0.2)).unwrap_err());
        assert_whole(&skin.fill(&edges(edge)).unwrap(), &skin, tets, what);
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

/// Cooks a surface through C with FC_ASSET_KEEP_SURFACE; the tetrahedra, or why not.
fn cooked_through_c(skin: &Skin) -> Result<u32, (fc_status, String)> {
    let positions: Vec<f32> = skin.points.iter().flatten().map(|c| *c as f32).collect();
    let indices: Vec<u32> = skin.triangles.iter().flatten().copied().collect();
    // SAFETY: the descriptor is filled by the first call, and its pointers are good for as long as it is read.
    unsafe {
        let mut desc = std::mem::MaybeUninit::<fc_asset_desc>::zeroed().assume_init();
        fc_asset_desc_init(&mut desc, size_of::<fc_asset_desc>() as u32);
        desc.positions = positions.as_ptr();
        desc.node_count = skin.points.len() as u32;
        desc.triangles = indices.as_ptr();
        desc.triangle_count = skin.triangles.len() as u32;
        desc.flags = FC_ASSET_KEEP_SURFACE;
        let mut asset = fc_asset { id: 0 };
        let status = fc_asset_create(&desc, &mut asset);
        if status != FC_OK {
            assert_eq!(asset.id, 0, "an asset came with the status {status:?}");
            return Err((status, std::ffi::CStr::from_ptr(fc_last_error()).to_string_lossy().into_owned()));
        }
        let mut info = std::mem::MaybeUninit::<fc_asset_info>::zeroed().assume_init();
        info.struct_size = size_of::<fc_asset_info>() as u32;
        assert_eq!(fc_asset_get_info(asset, &mut info), FC_OK);
        assert!(info.body_count == 1 && info.surface_to_tets >= 0.0 && info.tets_to_surface >= 0.0, "{info:?}");
        let mut object = fc_object { id: 0 };
        assert_eq!(fc_object_create(asset, std::ptr::null(), &mut object), FC_OK);
        // What is drawn is what was given.
        let (mut vertices, mut triangles) = (0, 0);
        let nothing = std::ptr::null_mut();
        let status = fc_object_drawing(
            object,
            std::ptr::null_mut(),
            0,
            &mut vertices,
            std::ptr::null_mut(),
            0,
            &mut triangles,
            nothing,
        );
        assert_eq!((status, triangles), (FC_INCOMPLETE, skin.triangles.len() as u32));
        assert_eq!((fc_object_destroy(object), fc_asset_release(asset)), (FC_OK, FC_OK));
        Ok(info.tet_count)
    }
}

/// Hulls of random points, blades, flat balls and lenses, from compact to 1 : 200: each is cooked, or refused with a reason.
fn thin_bodies_through_c(seeds: std::ops::Range<u64>) {
    let (mut refused, mut slowest, mut most) = (0, (0.0, String::new()), 0);
    for seed in seeds.clone() {
        let random = |k: u64| unit(seed, (1 << 45) + k);
        let points = (8.0 * (500f64 / 8.0).powf(random(0))) as usize;
        let flat = 200f64.powf(random(1));
        let middle = if random(2) < 0.5 { 1.0 } else { flat.powf(random(3)) };
        let turn = 360.0 * random(4);
        let (name, skin) = match seed % 5 {
            0 => ("blade", blade(1.0, 0.5 / middle.max(2.0), 0.5 / flat.max(2.0)).turned(turn)),
            1 => ("flat ball", ellipsoid([1.0, 1.0 / middle, 1.0 / flat], 4 + (points as u32 / 40) * 2).turned(turn)),
            2 => ("lens", lens(1.0, 1.0 / flat.max(1.5), 4 + (points as u32 / 40) * 2).turned(turn)),
            _ => ("hull", flat_hull(seed, points, [1.0, 1.0 / middle, 1.0 / flat])),
        };
        let start = std::time::Instant::now();
        let result = cooked_through_c(&skin);
        let seconds = start.elapsed().as_secs_f64();
        let what = format!("{name} {seed}, {} triangles, 1:{middle:.1}:{flat:.0}", skin.triangles.len());
        match &result {
            Ok(tets) => {
                most = most.max(*tets);
                println!("{what}: {tets} tetrahedra, {seconds:.2} s");
            }
            Err((status, text)) => {
                println!("{what}: {text}, {seconds:.2} s");
                let has_reason = text.contains("too thin for edges") && text.contains(" m");
                assert!(*status == FC_ERROR_INVALID_ARGUMENT && has_reason, "{what}: {status:?}, {text}");
                refused += 1;
            }
        }
        if seconds > slowest.0 {
            slowest = (seconds, what);
        }
    }
    println!(
        "{refused} of {} refused; at most {most} tetrahedra; slowest {:.2} s: {}",
        seeds.end - seeds.start,
        slowest.0,
        slowest.1
    );
}

#[test]
fn some_thin_bodies_through_c() {
    thin_bodies_through_c(0..12);
}

/// In bulk: `cargo test --release --test suites thin::many -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn many_thin_bodies_through_c() {
    thin_bodies_through_c(0..400);
}
