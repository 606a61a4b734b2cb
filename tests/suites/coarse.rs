//! Bodies of one, five and six tetrahedra through everything: fields, contacts, all patterns over two generations, drawings, files.
//!
//! `tests/suites/exact_cells.rs` has many cells in five tetrahedra, and volumes against brute force.

use crate::common;

use common::artists::artists_skin;
use common::drawings::{open_edges, volume};
use common::judge::Judge;
use common::{on_all_cores, oracle, scenes};
use fracas::contact::{Contact, QueryOptions, query_pair, query_shape};
use fracas::field::shape::{Ball, Capsule, Cuboid, HalfSpace, Hull, Shape};
use fracas::fracture::Fracture;
use fracas::fracture::drawing::Drawing;
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::{
    Asset, CookOptions, FractureOptions, Object, Pattern, Point, Solid, Vector, fracture, load_objects, save_objects,
    shapes,
};
use std::sync::Arc;

const SIZE: [f64; 3] = [0.5, 0.4, 0.3];

/// A box from the origin, of some tetrahedra between its corners; bit k of a corner's number is whether it is far along axis k.
fn boxed(tets: &[[u32; 4]]) -> Solid {
    let corner = |k: usize| [0, 1, 2].map(|axis| SIZE[axis] * (k >> axis & 1) as f64);
    Solid::new(&(0..8).map(corner).collect::<Vec<_>>(), tets).unwrap()
}

/// Each with a drawing mesh that is finer than its skin.
fn bodies() -> Vec<(&'static str, Object)> {
    let drawn = |solid: Solid| {
        let mesh = artists_skin(&solid, 3, 0.0);
        let options = CookOptions { drawing: Some(Arc::new(mesh)), ..Default::default() };
        Object::intact(&Asset::cook(solid, &options).unwrap()).remove(0)
    };
    // All six share the diagonal from corner 0 to corner 7.
    let ways = [[1, 3], [3, 2], [2, 6], [6, 4], [4, 5], [5, 1]];
    let all = vec![
        ("one tetrahedron", drawn(shapes::tetrahedron(0.4))),
        ("five", drawn(boxed(&[[0, 1, 2, 4], [3, 1, 2, 7], [5, 1, 4, 7], [6, 2, 4, 7], [1, 2, 4, 7]]))),
        ("six", drawn(boxed(&ways.map(|[a, b]| [0, a, b, 7])))),
    ];
    assert_eq!(all.iter().map(|(_, o)| o.asset().solid().tets().len()).collect::<Vec<_>>(), [1, 5, 6]);
    all
}

fn slices(object: &Object) -> Pattern {
    let slice = |k: u64| {
        let at = object.bounds().min + object.bounds().size() * ((k as f64 + 0.7) / 4.0);
        Plane::through(&at, &Vector::new(1.0, 0.2, 0.1)).unwrap()
    };
    Pattern::planes((0..4).map(slice).collect())
}

fn patterns(object: &Object, seed: u64) -> Vec<(String, Pattern)> {
    let mut all = scenes::patterns(object, seed);
    all.push(("slices".into(), slices(object)));
    all.push(("rough slices".into(), slices(object).rough(scenes::ROUGH)));
    all
}

fn broken(object: &Object, pattern: &Pattern) -> Option<Fracture> {
    fracture(object, pattern, &FractureOptions::default()).unwrap().broken()
}

/// Drawings are closed and add up.
fn check_drawings(parent: &Object, pieces: &[Object], is_smooth: bool, what: &str) {
    let drawings: Vec<Drawing> = pieces.iter().map(|piece| piece.drawing()).collect();
    drawings.iter().for_each(|drawing| assert_eq!(open_edges(drawing), 0, "{what}: a drawing is open"));
    let off = drawings.iter().map(volume).sum::<f64>() / volume(&parent.drawing()) - 1.0;
    // Cracks that are not of planes are drawn to an eighth of an edge, which is a lot here.
    assert!(off.abs() < if is_smooth { 1e-9 } else { 0.1 }, "{what}: the drawings' volume is off by {off:e}");
}

/// What is saved comes back the same.
fn check_saved(pieces: &[Object], what: &str) {
    let loaded = load_objects(&save_objects(pieces).unwrap(), pieces[0].asset());
    let loaded = loaded.unwrap_or_else(|e| panic!("{what}: {e}"));
    for (saved, loaded) in pieces.iter().zip(&loaded) {
        assert_eq!(saved.state_hash(), loaded.state_hash(), "{what}");
        assert_eq!(saved.surface(), loaded.surface(), "{what}");
        assert_eq!(saved.mass(), loaded.mass(), "{what}");
    }
}

/// Signed distances against the exported surface. Returns the largest error, in cells of the grid.
fn check_distances(object: &Object, count: u64, what: &str) -> f64 {
    let judge = Judge::new(object);
    let (bounds, radius) = (object.bounds(), object.asset().radius());
    let cell = object.asset().field().grid.cell_size();
    let mut worst = 0f64;
    for k in 0..count {
        let share = Vector::from_fn(|axis, _| 1.4 * unit(k, axis as u64) - 0.2);
        let p = bounds.min + bounds.size().component_mul(&share);
        let exact = judge.distance(&p) * if judge.inside(&p) { -1.0 } else { 1.0 };
        let found = object.signed_distance(&p);
        assert!((found.outward.norm() - 1.0).abs() < 1e-5, "{what}: the way out of {p} is {}", found.outward);
        let off = (found.distance - exact).abs();
        let most = if exact > 0.0 { 1e-5 * radius } else { 0.9 * cell };
        assert!(off <= most, "{what}: {p} has distance {}, not {exact}", found.distance);
        worst = worst.max(off / cell);
    }
    worst
}

/// Pieces touch across cracks where they were made, at depth zero, and not when they are apart.
fn check_rest(pieces: &[Object], what: &str) {
    let (radius, here) = (pieces[0].asset().radius(), Pose::identity());
    let options = QueryOptions::every_sample();
    let mut out: Vec<Contact> = vec![];
    let adjacency = pieces[0].adjacency();
    let mut neighbours = 0;
    for a in 0..pieces.len() {
        for b in (0..pieces.len()).filter(|b| *b != a) {
            out.clear();
            query_pair(&pieces[a], &here, &pieces[b], &here, &options, &mut out).unwrap();
            let deepest = out.iter().map(|c| c.depth as f64).fold(0.0, f64::max);
            assert!(deepest <= 1e-6 * radius, "{what}: {a} and {b} overlap by {deepest:e} where they were made");
            let both = [a.min(b) as u32, a.max(b) as u32];
            let is_neighbour = adjacency.iter().any(|n| n.pieces == both && n.area > 1e-6 * radius * radius);
            assert!(!is_neighbour || !out.is_empty(), "{what}: {a} and {b} share a crack and do not touch");
            neighbours += is_neighbour as usize;
            out.clear();
            let away = Pose::translation(3.0 * radius, 0.0, 0.0);
            query_pair(&pieces[a], &away, &pieces[b], &here, &options, &mut out).unwrap();
            assert!(out.is_empty(), "{what}: {a} and {b} touch from afar");
        }
    }
    assert!(neighbours > 0, "{what}: no piece has a neighbour");
}

#[test]
fn all_patterns_break_a_handful_of_tetrahedra_twice() {
    on_all_cores(bodies(), |(body, object)| {
        let (mut events, mut pieces) = (0, 0);
        for (number, (name, pattern)) in patterns(&object, 3).into_iter().enumerate() {
            let what = format!("{body}, {name}");
            let is_smooth = ["planes", "voronoi", "random voronoi", "slices"].contains(&name.as_str());
            // Labels know nodes: a tetrahedron whose nodes are all alike does not break.
            let Some(result) = broken(&object, &pattern) else {
                assert!(name.starts_with("labels"), "{what}: nothing broke");
                continue;
            };
            oracle::check(&object, &result, &what);
            oracle::compare_owners(&result.objects, 200, 7, &what);
            if name != "slices" {
                // See `a_box_in_slices_is_drawn_once`.
                check_drawings(&object, &result.objects, is_smooth, &what);
            }
            check_saved(&result.objects, &what);
            for piece in result.objects.iter().step_by(3) {
                check_distances(piece, 60, &what);
            }
            check_rest(&result.objects, &what);
            (events, pieces) = (events + 1, pieces + result.objects.len());
            let largest = result.objects.iter().max_by(|a, b| a.mass().volume.total_cmp(&b.mass().volume)).unwrap();
            // A third of all patterns each, all of them in turn.
            for (again, pattern) in patterns(largest, 5).into_iter().skip(number % 3).step_by(3) {
                let what = format!("{what}, then {again}");
                let Some(result) = broken(largest, &pattern) else {
                    assert!(again.contains("labels"), "{what}: nothing broke");
                    continue;
                };
                oracle::check(largest, &result, &what);
                // See `what_a_blow_leaves_is_saved_once_planes_cut_it`.
                if !(name.ends_with("impact") && (again.ends_with("planes") || again.ends_with("slices"))) {
                    check_saved(&result.objects, &what);
                }
                check_rest(&result.objects, &what);
                if again == "random voronoi" {
                    check_drawings(largest, &result.objects, is_smooth, &what);
                }
                (events, pieces) = (events + 1, pieces + result.objects.len());
            }
        }
        println!("{body}: {pieces} pieces of {events} events");
        assert!(events > 50, "{body}: {events} events only");
    });
}

/// Corners of the box around what is drawn are not within it.
#[test]
fn a_box_in_slices_is_drawn_once() {
    for (body, object) in bodies() {
        let result = broken(&object, &slices(&object)).unwrap();
        check_drawings(&object, &result.objects, true, body);
    }
}

/// A plane through several regions of a tetrahedron is one crack.
#[test]
fn what_a_blow_leaves_is_saved_once_planes_cut_it() {
    for (body, object) in bodies() {
        let (_, impact) = scenes::patterns(&object, 3).into_iter().find(|(name, _)| name == "impact").unwrap();
        let blow = broken(&object, &impact).unwrap();
        let rest = blow.objects.iter().max_by(|a, b| a.mass().volume.total_cmp(&b.mass().volume)).unwrap();
        check_saved(&broken(rest, &slices(rest)).unwrap().objects, body);
    }
}

#[test]
fn files_and_distances_of_a_handful_of_tetrahedra() {
    for (body, object) in bodies() {
        let worst = check_distances(&object, 2000, body);
        println!("{body}: signed distances off by {worst:.3} cells at most");
        let bytes = object.asset().save();
        let loaded = Asset::load(&bytes).unwrap();
        assert_eq!(loaded.save(), bytes, "{body}");
        let again = Object::intact(&loaded).remove(0);
        assert_eq!((again.state_hash(), again.drawing()), (object.state_hash(), object.drawing()), "{body}");
    }
}

/// The deepest contact of an object with a shape.
fn deepest(object: &Object, pose: &Pose, shape: &impl Shape) -> Option<Contact> {
    let mut out = vec![];
    query_shape(object, pose, shape, &Pose::identity(), &QueryOptions::default(), &mut out).unwrap();
    out.into_iter().max_by(|a, b| a.depth.total_cmp(&b.depth))
}

/// A shape touches the middle of a face, far from all nodes, as deep as it is; a corner stands on the ground.
#[test]
fn shapes_touch_the_middle_of_large_faces() {
    let sunk = 0.002;
    for (body, object) in bodies().into_iter().skip(1) {
        let top = Point::new(0.4 * SIZE[0], 0.4 * SIZE[1], SIZE[2]);
        let above = |height: f64| top + Vector::z() * (height - sunk);
        let ball = Ball { centre: above(0.05), radius: 0.05 };
        let cuboid = Cuboid { centre: above(0.03), half: Vector::new(0.02, 0.03, 0.03) };
        let capsule =
            Capsule { ends: [above(0.02) - Vector::x() * 0.05, above(0.02) + Vector::x() * 0.05], radius: 0.02 };
        // A pyramid on its tip.
        let tip = above(0.0);
        let sides = [Vector::x(), -Vector::x(), Vector::y(), -Vector::y()].map(|way| way - Vector::z());
        let mut planes: Vec<Plane> = sides.iter().map(|n| Plane::through(&tip, n).unwrap()).collect();
        planes.push(Plane::through(&above(0.1), &Vector::z()).unwrap());
        let hull = Hull::new(planes).unwrap();
        let ground = HalfSpace(Plane::through(&Point::new(0.0, 0.0, sunk), &Vector::z()).unwrap());
        let here = Pose::identity();
        for (name, found, up) in [
            ("ball", deepest(&object, &here, &ball), -1.0),
            ("box", deepest(&object, &here, &cuboid), -1.0),
            ("capsule", deepest(&object, &here, &capsule), -1.0),
            ("hull", deepest(&object, &here, &hull), -1.0),
            ("half-space", deepest(&object, &here, &ground), 1.0),
        ] {
            let contact = found.unwrap_or_else(|| panic!("{body}: no contact with the {name}"));
            let off = (contact.depth as f64 - sunk).abs();
            assert!(off < 0.02 * sunk, "{body}, {name}: {} deep, not {sunk}", contact.depth);
            assert!(contact.normal[2] as f64 * up > 0.999, "{body}, {name}: normal {:?}", contact.normal);
        }
    }
}

/// Boxes stand on each other, each of few tetrahedra, and their corners say how deep.
#[test]
fn boxes_of_a_handful_of_tetrahedra_stand_on_each_other() {
    let all = bodies();
    let sunk = 0.001;
    for (above, a) in &all[1..] {
        for (below, b) in &all[1..] {
            let pose = Pose::translation(0.07, -0.05, SIZE[2] - sunk);
            let mut out = vec![];
            let options = QueryOptions::default();
            query_pair(a, &pose, b, &Pose::identity(), &options, &mut out).unwrap();
            let deepest = out.iter().map(|c| c.depth as f64).fold(0.0, f64::max);
            assert!((deepest - sunk).abs() < 0.02 * sunk, "{above} on {below}: {deepest} deep");
            assert!(out.iter().all(|c| c.normal[2] > 0.999), "{above} on {below}: {out:?}");
            assert!(out.len() >= 2, "{above} on {below}: {} contacts", out.len());
        }
    }
}
