//! Tetrahedra from surfaces: sound, well shaped, on the surface, with its edges, its holes and its volume.
//!
//! Everything is measured from outside (`common/quality.rs`). Lengths are in edges that were asked for.

use crate::common;

use common::data;
use common::is_full;
use common::oracle::triangle_distance;
use common::quality::{Quality, assert_sound};
use common::surfaces::{Skin, bumpy_ball, edges, knot, l_prism, wedge};
use fracas::fracture::{Fracture, Outcome, fracture};
use fracas::geom::aabb::Aabb;
use fracas::solid::fill::{FillOptions, Filled, fill_implicit};
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Point, Solid, Tasks, Vector, shapes};
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
        ("ball with bumps", bumpy_ball(16), 0.02, 2, 1),
        ("torus", torus(), 0.015, 0, 1),
        ("torus, turned", torus().turned(37.0), 0.015, 0, 1),
        ("hollow ball", hollow(), 0.022, 4, 1),
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

/// Bodies that a single point sees all of, that none does, with cavities and handles, of one part and of several: the tetrahedra have their
/// surface and their volume, and break as others do.
#[test]
fn surfaces_are_met_exactly() {
    let exact = FillOptions { exact: true, ..FillOptions::default() };
    let ball = || Skin::of(&shapes::ball(0.1, 8));
    let hollow = Skin::of(&shapes::hollow_ball(0.1, 12, 2));
    for (what, skin, most) in [
        ("box", Skin::of(&shapes::cuboid([1.0, 2.0, 3.0], [1, 1, 1])), 12),
        ("L, turned", l_prism().turned(23.0), 30),
        ("brick with holes", Skin::of(&shapes::preset::brick()), 6000),
        ("wedge", wedge(20.0), 20),
        ("ball", ball(), 768),
        ("ball far away", ball().moved([1e3, -2e3, 5e2]), 768),
        ("hollow ball", hollow, 10_000),
        ("torus", Skin::of(&shapes::torus(0.1, 0.03, 24, 8)), 4000),
        ("knot", knot([2, 3], 0.015, 80, 8), 20_000),
        ("ball and torus apart", ball().and(&Skin::of(&shapes::torus(0.1, 0.03, 24, 8)).moved([0.3, 0.0, 0.0])), 6000),
        ("rabbit", Skin::of(&shapes::preset::rabbit()), 60_000),
    ] {
        let Filled { solid, deviation, remarks, .. } = skin.fill(&exact).unwrap();
        println!("{what}: {} triangles, {} tetrahedra", skin.triangles.len(), solid.tets().len());
        assert!(remarks.is_empty(), "{what}: {remarks:?}");
        assert!(solid.tets().len() <= most, "{what}: {} tetrahedra", solid.tets().len());
        let size = solid.bounds().radius();
        let off = (solid.volume() / skin.volume() - 1.0).abs();
        assert!(off < 1e-9, "{what}: the volume is {off:e} off");
        let far = solid.bounds().centre().coords.norm();
        assert!(deviation.unwrap().most() <= 1e-12 * (size + far), "{what}: {deviation:?}");
        let bodies = Object::intact(&Asset::cook(solid, &CookOptions::default()).unwrap());
        let broken = fracture(&bodies[0], &Pattern::random_voronoi(12, 3), &FractureOptions::default()).unwrap();
        let Outcome::Broken(Fracture { objects, .. }) = broken else { panic!("{what} is whole") };
        let sum: f64 = objects.iter().map(|piece| piece.mass().volume).sum();
        assert!((sum / bodies[0].mass().volume - 1.0).abs() < 1e-9, "{what}: pieces have {sum}");
    }
    // What is not the boundary of a body is refused.
    let said = |skin: Skin| skin.fill(&exact).unwrap_err().to_string();
    assert!(said(ball().without(|p| p.x > 0.08)).contains("had to be repaired: 1 holes were closed"));
    assert!(said(ball().and(&ball().moved([0.05, 0.0, 0.0]))).contains("had to be repaired"));
    // By so little that no triangle as a whole is inside.
    let cube = || Skin::of(&shapes::cuboid([1.0, 1.0, 1.0], [1, 1, 1]));
    let corner = said(cube().and(&cube().turned(30.0).moved([0.9, 0.9, 0.9])));
    assert!(corner.contains("passes through itself"), "{corner}");
}

/// What is told of the distance between surface and tetrahedra, against all triangles at points all over them.
#[test]
fn deviations_are_those_of_brute_force() {
    let few = |tets: usize| FillOptions { tets, ..FillOptions::default() };
    for (what, skin, options) in [
        ("ball", Skin::of(&shapes::ball(0.1, 10)), edges(0.04)),
        ("bumps", bumpy_ball(8), edges(0.04)),
        ("box", Skin::of(&shapes::cuboid([0.2, 0.3, 0.4], [1, 1, 1])).turned(13.0), edges(0.1)),
        ("edge of 30 degrees", wedge(30.0).turned(25.0), edges(0.04)),
        ("knot", knot([2, 3], 0.02, 60, 8), few(1500)),
        ("open ball", Skin::of(&shapes::ball(0.1, 10)).without(|p| p.z > 0.098), edges(0.04)),
    ] {
        let Filled { solid, deviation, edge, .. } = skin.fill(&options).unwrap();
        let told = deviation.unwrap();
        let [surface, boundary] = [skin.corners(), Skin::of(&solid).corners()];
        let nearest =
            |p: &Point, list: &[[Point; 3]]| list.iter().map(|t| triangle_distance(p, t)).fold(f64::INFINITY, f64::min);
        // Points of a lattice of this many on every side; no point of a triangle is farther from one than a share of its longest.
        let farthest = |from: &[[Point; 3]], to: &[[Point; 3]]| {
            let longest = from.iter().flat_map(|t| [t[1] - t[0], t[2] - t[1], t[0] - t[2]]).map(|side| side.norm());
            let n = (longest.fold(0.0, f64::max) / (0.25 * edge)).ceil().max(2.0);
            let mut most = 0f64;
            for [a, b, c] in from {
                for (i, j) in (0..=n as usize).flat_map(|i| (0..=n as usize - i).map(move |j| (i, j))) {
                    most = most.max(nearest(&(a + ((b - a) * i as f64 + (c - a) * j as f64) / n), to));
                }
            }
            (most, 0.25 * edge)
        };
        for (way, told, (found, step)) in [
            ("surface to tetrahedra", told.surface_to_tets, farthest(&surface, &boundary)),
            ("tetrahedra to surface", told.tets_to_surface, farthest(&boundary, &surface)),
        ] {
            println!("{what}, {way}: {:.4} edges are told, {:.4} found", told / edge, found / edge);
            assert!(found <= told + deviation.unwrap().tolerance, "{what}, {way}: {told} is told, {found} found");
            assert!(told <= found + step, "{what}, {way}: {told} is told, no more than {found} + {step} can be");
        }
        assert_eq!(told.tolerance, 0.02 * edge, "{what}");
        assert_eq!(told.most(), told.surface_to_tets.max(told.tets_to_surface));
    }
    let ball = fill_implicit(
        &|p: &Point| p.coords.norm() - 0.1,
        &Aabb { min: [-0.11; 3].into(), max: [0.11; 3].into() },
        &edges(0.05),
    );
    assert_eq!(ball.unwrap().deviation, None);
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
        // Where all sharp edges are met, flat faces are met exactly.
        let off = filled.deviation.unwrap().most() / Aabb::around(skin.corners().iter().flatten()).radius();
        assert!(off < 1e-9, "{what}: {off:e} of the radius off");
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

/// The data folder's surfaces, modelled and scanned ones. Whatever is lost where walls are too thin for the edges is told.
#[test]
fn surfaces_of_the_data_folder_are_met() {
    println!("{}", Quality::HEAD);
    for (name, edge, thin) in [
        ("bunny", 0.008, false),
        ("sphere", 0.02, false),
        ("ball", 0.01, false),
        ("shelf", 0.035, false),
        ("brick", 0.011, false),
        ("bowl", 0.01, true),
        ("plate", 0.008, true),
        ("piggybank", 0.016, true),
    ] {
        let Some(skin) = Skin::obj(name) else { return data::skipped("surfaces_of_the_data_folder_are_met") };
        let (q, filled) = measured(&skin, edge, name);
        let said = |words: &str| filled.remarks.iter().any(|remark| remark.contains(words));
        assert_eq!(q.pinches > 0, said("meets itself"), "{name}: {:?}", filled.remarks);
        assert_eq!(q.euler != skin.euler(), said("holes or parts were lost or joined"), "{name}: {:?}", filled.remarks);
        assert_eq!(q.volume.abs() > 0.02, said("the volume is"), "{name}: {:?}", filled.remarks);
        assert!(q.missed < 1.0 && q.beyond < 0.5 && q.volume.abs() < 0.06, "{name}: {q:?}");
        if !thin {
            assert_good(&q, name);
            assert!(q.euler == skin.euler() && q.volume.abs() < 0.004, "{name}: {q:?}");
            assert!(filled.remarks.is_empty(), "{name}: {:?}", filled.remarks);
        }
    }
}

/// About as many tetrahedra as asked for.
#[test]
fn about_as_many_tetrahedra_as_asked() {
    let mut skins = vec![
        ("ball", Skin::of(&shapes::ball(0.1, 16))),
        ("torus", Skin::of(&shapes::torus(0.1, 0.03, 64, 16))),
        ("box", Skin::of(&shapes::cuboid([0.2, 0.3, 0.4], [2, 3, 4])).turned(13.0)),
        ("hollow ball", Skin::of(&shapes::hollow_ball(0.1, 24, 4))),
    ];
    skins.extend(Skin::obj("bunny").map(|skin| ("bunny", skin)));
    let tasks = Tasks::pool(2).unwrap();
    let mut ratios: Vec<f64> = vec![];
    for (what, skin) in &skins {
        for (tets, coarsening) in [(2000, 1.0), (5000, 2.0), (8000, 3.0), (2000, 2.0), (2000, 3.0)]
            .into_iter()
            .take(if is_full() { 5 } else { 3 })
        {
            let options = FillOptions { tets, coarsening, tasks: tasks.clone(), ..FillOptions::default() };
            let filled = skin.fill(&options).unwrap();
            let ratio = filled.solid.tets().len() as f64 / tets as f64;
            println!("{what}, {tets} asked for, coarsening {coarsening}: {ratio:.2} times as many");
            // So few do not show the ears of the bunny: it gets more, and says so.
            let is_thin = filled.remarks.iter().any(|remark| remark.contains("the body is thin"));
            assert!((0.6..if is_thin { 4.5 } else { 1.6 }).contains(&ratio), "{what}: {ratio}");
            if !is_thin {
                ratios.push(ratio);
            }
        }
    }
    let mean = ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64;
    println!("on average {:.2} times as many", mean.exp());
    assert!(mean.abs() < 0.2);
}

#[test]
fn coarser_inside_means_fewer_tetrahedra_and_the_same_surface() {
    let skin = Skin::of(&shapes::cuboid([0.3; 3], [3; 3])).turned(13.0);
    let mut before = usize::MAX;
    for coarsening in [1.0, 2.0, 4.0] {
        let filled = skin.fill(&FillOptions { edge: 0.04, coarsening, ..FillOptions::default() }).unwrap();
        let q = Quality::of(&filled.solid, &skin, 0.04, "cube");
        q.print(&format!("cube, coarsening {coarsening}"), 0.04);
        assert!(q.tets < before && q.missed < 0.02 && q.beyond < 0.02 && q.volume.abs() < 1e-3, "{q:?}");
        assert_good(&q, "cube");
        before = q.tets;
    }
}

/// Every number, bit for bit.
fn bits(solid: &Solid) -> (Vec<[u64; 3]>, Vec<[u32; 4]>) {
    (solid.nodes().iter().map(|p| [p.x, p.y, p.z].map(f64::to_bits)).collect(), solid.tets().to_vec())
}

#[test]
fn every_number_of_threads_makes_the_same_mesh() {
    let open = Skin::of(&shapes::ball(0.1, 12)).without(|p| p.z > 0.098);
    for (what, skin) in
        [("brick", Skin::of(&shapes::brick(1)).turned(5.0)), ("open ball", open), ("bumps", bumpy_ball(12))]
    {
        let made = |tasks: Tasks| skin.fill(&FillOptions { tets: 2000, tasks, ..FillOptions::default() }).unwrap();
        let first = made(Tasks::inline());
        for threads in [2, 4] {
            let other = made(Tasks::pool(threads).unwrap());
            assert!(bits(&other.solid) == bits(&first.solid), "{what}: another mesh with {threads} threads");
            assert_eq!((other.edge, &other.remarks), (first.edge, &first.remarks), "{what}");
        }
    }
}

/// Meshes that are improved in blocks: no seams, sharp edges met, the same for every number of threads, and progress all the
/// way.
#[test]
fn large_meshes_are_as_good_as_small_ones() {
    println!("{}", Quality::HEAD);
    let both = [("bumps, large", bumpy_ball(24)), ("L, large", l_prism().turned(13.0))];
    for (what, skin) in both.into_iter().take(if is_full() { 2 } else { 1 }) {
        let told = Arc::new(Mutex::new(vec![0.0]));
        let made = |tasks: Tasks| {
            let list = told.clone();
            let progress = Arc::new(move |share: f32| list.lock().unwrap().push(share));
            skin.fill(&FillOptions { tets: 90_000, tasks, progress: Some(progress), ..FillOptions::default() }).unwrap()
        };
        let filled = made(Tasks::pool(2).unwrap());
        let q = Quality::of(&filled.solid, &skin, filled.edge, what);
        q.print(what, filled.edge);
        let told = told.lock().unwrap().clone();
        let farthest = told.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max);
        println!("    told {} times, at most {farthest:.2} at once", told.len());
        assert!(told.is_sorted() && told[told.len() - 1] == 1.0 && farthest < 0.2, "{told:?}");
        assert_good(&q, what);
        assert!((60_000..120_000).contains(&q.tets), "{what}: {} tetrahedra", q.tets);
        assert_eq!((q.euler, q.bodies), (2, 1), "{what}");
        assert!(q.volume.abs() < 1e-3 && q.missed < 0.1 && q.beyond < 0.1 && q.blunt < 0.02, "{what}: {q:?}");
        assert!(filled.remarks.is_empty(), "{what}: {:?}", filled.remarks);
        assert!(bits(&made(Tasks::inline()).solid) == bits(&filled.solid), "{what}: another mesh with one thread");
    }
}

#[test]
fn progress_goes_from_nothing_to_all() {
    let told = Arc::new(Mutex::new(vec![]));
    let list = told.clone();
    let progress = Arc::new(move |share: f32| list.lock().unwrap().push(share));
    Skin::of(&shapes::ball(0.1, 8)).fill(&FillOptions { progress: Some(progress), ..edges(0.03) }).unwrap();
    let told = told.lock().unwrap();
    assert!(told.len() > 3 && told.is_sorted() && told[0] > 0.0 && told[told.len() - 1] == 1.0, "{told:?}");
}

/// Bodies given by functions: those with a closed form for their volume, and one that winds through all of its box.
#[test]
fn functions_are_filled() {
    let ball = |p: &Point| p.coords.norm() - 0.1;
    let ring = |p: &Point| (p.x.hypot(p.y) - 0.1).hypot(p.z) - 0.03;
    let gyroid = |p: &Point| {
        let q = p.coords * (2.0 * PI / 0.1);
        let value = q.x.sin() * q.y.cos() + q.y.sin() * q.z.cos() + q.z.sin() * q.x.cos();
        // Near its zero set the function is 1.5 times as steep as a distance in radians; a wall, cut off by a ball.
        let wall = value.abs() * (0.1 / (2.0 * PI)) / 1.5 - 0.008;
        wall.max(p.coords.norm() - 0.09)
    };
    let around = |size: [f64; 3]| Aabb { min: Point::from(size.map(|s| -s)), max: Point::from(size) };
    type Case<'a> = (&'a str, &'a (dyn Fn(&Point) -> f64 + Sync), Aabb, f64, Option<f64>, Option<i64>);
    let cases: [Case; 3] = [
        ("ball", &ball, around([0.11; 3]), 0.02, Some(4.0 / 3.0 * PI * 1e-3), Some(2)),
        ("ring", &ring, around([0.14, 0.14, 0.04]), 0.013, Some(2.0 * PI * PI * 0.1 * 0.0009), Some(0)),
        ("gyroid", &gyroid, around([0.1; 3]), 0.01, None, None),
    ];
    for (what, function, bounds, edge, volume, euler) in cases {
        let filled = fill_implicit(function, &bounds, &edges(edge)).unwrap();
        let solid = &filled.solid;
        assert_sound(solid, what);
        let off = |p: &Point| function(p).abs() / edge;
        let skin = Skin::of(solid);
        let farthest = (0..solid.nodes().len() as u32)
            .filter(|i| solid.is_on_skin(*i))
            .map(|i| off(&solid.nodes()[i as usize]))
            .fold(0.0, f64::max);
        let exact = volume.unwrap_or_else(|| sampled_volume(function, &bounds));
        println!(
            "{what}: {} tetrahedra, volume {:+.3} %, nodes of the boundary off by {farthest:.3} edges, Euler {}, {} bodies {:?}",
            solid.tets().len(),
            100.0 * (solid.volume() / exact - 1.0),
            skin.euler(),
            solid.bodies().0,
            filled.remarks
        );
        assert!((solid.volume() / exact - 1.0).abs() < if volume.is_some() { 0.003 } else { 0.03 }, "{what}");
        assert!(farthest < 0.2 && euler.is_none_or(|e| e == skin.euler()), "{what}");
    }
}

/// By counting points of a fine grid.
fn sampled_volume(function: &(dyn Fn(&Point) -> f64 + Sync), bounds: &Aabb) -> f64 {
    let n = 200;
    let at = |k: usize| (k as f64 + 0.5) / n as f64;
    let mut inside = 0;
    for k in 0..n * n * n {
        let u = Vector::new(at(k % n), at(k / n % n), at(k / n / n));
        inside += usize::from(function(&(bounds.min + bounds.size().component_mul(&u))) < 0.0);
    }
    bounds.size().iter().product::<f64>() * inside as f64 / (n * n * n) as f64
}
