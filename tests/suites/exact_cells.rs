//! Exact cells (docs/formulations/exact-cells.md) on what games make, and on what goes wrong easily: lattices of seeds in boxes of
//! cubes, seeds on nodes, planes through nodes, edges and faces, cuts along old cracks, meshes much coarser than the pattern. Held
//! against a clipper that knows nothing of the library: half-spaces against tetrahedra, in double precision, by brute force.

use crate::common;

use common::clipper::{self, HalfSpace};
use common::{oracle, scenes};
use fracas::contact::{QueryOptions, query_pair};
use fracas::crack::breaks::Kind;
use fracas::fracture::pattern::Roughness;
use fracas::fracture::{Envelope, Fracture};
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::geom::{NONE, Pose};
use fracas::{FractureOptions, Object, Pattern, Point, Solid, Tasks, Vector, fracture, shapes};
use std::collections::HashMap;

fn broken(object: &Object, pattern: &Pattern) -> Fracture {
    fracture(object, pattern, &FractureOptions::default()).unwrap().broken().unwrap()
}

/// A box of five tetrahedra.
fn five_tets(size: [f64; 3]) -> Solid {
    let corner = |k: usize| [0, 1, 2].map(|axis| size[axis] * (k >> axis & 1) as f64);
    let nodes: Vec<[f64; 3]> = (0..8).map(corner).collect();
    Solid::new(&nodes, &[[0, 1, 2, 4], [3, 1, 2, 7], [5, 1, 4, 7], [6, 2, 4, 7], [1, 2, 4, 7]]).unwrap()
}

fn cubes(n: usize) -> Object {
    scenes::intact(shapes::cuboid([1.0, 1.0, 1.0], [n; 3]))
}

/// A lattice of seeds, each in the middle of its part of the unit cube around the origin.
fn lattice(n: usize) -> Vec<Point> {
    let at = |k: usize| (k as f64 + 0.5) / n as f64 - 0.5;
    (0..n * n * n).map(|k| Point::new(at(k % n), at(k / n % n), at(k / n / n))).collect()
}

/// Volumes of the cells of a Voronoi pattern against the clipper's, with the same weights; the largest error, relative to the body.
fn compare_seeds(object: &Object, seeds: &[Point], result: &Fracture, what: &str) -> f64 {
    let envelope = Envelope::new(&Pattern::voronoi(seeds.to_vec()), object, &Tasks::inline()).unwrap();
    let weights: Vec<f64> = (0..seeds.len() as u32).map(|c| envelope.weight(c)).collect();
    let solid = object.asset().solid();
    let mut volumes = vec![0.0; seeds.len()];
    for tet in 0..solid.tets().len() as u32 {
        for (own, volume) in volumes.iter_mut().enumerate() {
            let others = (0..seeds.len()).filter(|d| *d != own);
            let walls = others.map(|d| HalfSpace::nearer([&seeds[own], &seeds[d]], [weights[own], weights[d]]));
            *volume += clipper::volume(&solid.corners(tet), walls);
        }
    }
    let whole = object.mass().volume;
    let mut worst = (volumes.iter().sum::<f64>() / whole - 1.0).abs();
    for cell in 0..seeds.len() {
        // Where seeds are nearer than double precision can tell their bisector, what counts is what they have together.
        let is_with = |other: usize| (seeds[other] - seeds[cell]).norm() < 1e-8;
        let volume = &(0..seeds.len()).filter(|c| is_with(*c)).map(|c| volumes[c]).sum::<f64>();
        let own = result.cells.iter().zip(&result.objects).filter(|(c, _)| is_with(**c as usize));
        let sum: f64 = own.map(|(_, o)| o.mass().volume).sum();
        worst = worst.max((sum - volume).abs() / whole);
        // No cell vanishes that has volume; what is thinner than rounding may go to its neighbour.
        assert!(sum > 0.0 || *volume < 1e-9 * whole, "{what}: cell {cell} has {volume:e} and vanished");
    }
    assert!(worst < 1e-9, "{what}: volumes differ by {worst:e} of the body");
    worst
}

/// The same for planes: cells are known by their sides.
fn compare_planes(object: &Object, planes: &[Plane], result: &Fracture, what: &str) -> f64 {
    let solid = object.asset().solid();
    let envelope = Envelope::new(&Pattern::planes(planes.to_vec()), object, &Tasks::inline()).unwrap();
    let shifted: Vec<Plane> = (0..envelope.count()).map(|k| envelope.plane([k, NONE]).unwrap()).collect();
    let sides = |p: &Point| shifted.iter().map(|plane| plane.distance(p) > 0.0).collect::<Vec<_>>();
    let mut volumes: HashMap<Vec<bool>, f64> = HashMap::new();
    for object in &result.objects {
        volumes.insert(sides(&object.mass().centre), 0.0);
    }
    let mut total = 0.0;
    for (cell, volume) in volumes.iter_mut() {
        for tet in 0..solid.tets().len() as u32 {
            let walls = shifted.iter().zip(cell).map(|(plane, above)| HalfSpace::of(plane, *above));
            *volume += clipper::volume(&solid.corners(tet), walls);
        }
        total += *volume;
    }
    let whole = object.mass().volume;
    let mut worst = (total / whole - 1.0).abs();
    for (cell, volume) in &volumes {
        let own = result.objects.iter().filter(|o| sides(&o.mass().centre) == *cell);
        worst = worst.max((own.map(|o| o.mass().volume).sum::<f64>() - volume).abs() / whole);
    }
    assert!(worst < 1e-9, "{what}: volumes differ by {worst:e} of the body");
    worst
}

fn check(object: &Object, result: &Fracture, what: &str) {
    oracle::check(object, result, what);
    let faces = oracle::assert_faces_divided_alike(&result.objects[0], what);
    assert!(faces > 0, "{what}: nothing was compared");
}

#[test]
fn degenerate_seeds_are_cut_as_by_brute_force() {
    let twice = |mut seeds: Vec<Point>| {
        seeds.push(seeds[3]);
        seeds.push(seeds[5] + Vector::new(1e-13, 0.0, 0.0));
        seeds.push(seeds[6] + Vector::new(1e-6, -1e-6, 0.0));
        seeds
    };
    let on_nodes = |object: &Object, step: usize| -> Vec<Point> {
        object.asset().solid().nodes().iter().step_by(step).copied().collect()
    };
    let six = cubes(6);
    let scenes: Vec<(&str, Object, Vec<Point>)> = vec![
        ("lattice of 8 in cubes", six.clone(), lattice(2)),
        ("lattice of 27 in cubes", six.clone(), lattice(3)),
        ("lattice of 64 in cubes", cubes(4), lattice(4)),
        ("seeds on nodes", cubes(3), on_nodes(&cubes(3), 2)),
        ("duplicate and nearly equal seeds", cubes(3), twice(lattice(2))),
        ("lattice in five tetrahedra", scenes::intact(five_tets([1.0; 3])), {
            lattice(3).iter().map(|p| p + Vector::from_element(0.5)).collect()
        }),
    ];
    for (what, object, seeds) in scenes {
        let result = broken(&object, &Pattern::voronoi(seeds.clone()));
        check(&object, &result, what);
        let worst = compare_seeds(&object, &seeds, &result, what);
        println!("{what}: {} pieces, volumes off by {worst:.1e} of the body", result.objects.len());
    }
}

#[test]
fn a_box_of_five_tetrahedra_breaks_into_two_hundred() {
    let object = scenes::intact(five_tets([0.3, 0.2, 0.1]));
    let result = broken(&object, &Pattern::random_voronoi(200, 4));
    assert_eq!((result.objects.len(), result.vanished_cells), (200, 0));
    check(&object, &result, "five tetrahedra");
    let seeds: Vec<Point> =
        (0..200).map(|k| Point::new(0.3 * unit(1, k), 0.2 * unit(2, k), 0.1 * unit(3, k))).collect();
    let result = broken(&object, &Pattern::voronoi(seeds.clone()));
    check(&object, &result, "five tetrahedra, given seeds");
    let worst = compare_seeds(&object, &seeds, &result, "five tetrahedra");
    println!("five tetrahedra in {} pieces, volumes off by {worst:.1e} of the body", result.objects.len());
    // And again, rough, and a piece of that: fragments without a node of their own.
    let rough = Roughness { amplitude: 0.01, wavelength: 2.0, seed: 1 };
    let mut piece = object;
    for generation in 0..4 {
        let result = broken(&piece, &Pattern::random_voronoi(12, generation).rough(rough));
        check(&piece, &result, "five tetrahedra, rough");
        piece = result.objects.into_iter().find(|o| o.nodes().is_empty()).expect("some piece owns no node");
    }
}

#[test]
fn planes_through_nodes_edges_and_faces_cut_cleanly() {
    let object = cubes(4);
    let plane = |n: [f64; 3], at: [f64; 3]| Plane::through(&Point::from(at), &Vector::from(n)).unwrap();
    let scenes: Vec<(&str, Vec<Plane>, usize)> = vec![
        ("one face", vec![plane([1.0, 0.0, 0.0], [0.0; 3])], 2),
        (
            "three faces",
            vec![plane([1.0, 0.0, 0.0], [0.0; 3]), plane([0.0, 1.0, 0.0], [0.0; 3]), plane([0.0, 0.0, 1.0], [0.25; 3])],
            8,
        ),
        ("through edges", vec![plane([1.0, 1.0, 0.0], [0.0; 3]), plane([1.0, -1.0, 0.0], [0.0; 3])], 4),
        ("through nodes", vec![plane([1.0, 1.0, 1.0], [0.0; 3]), plane([1.0, 0.3, 0.2], [0.25; 3])], 4),
        (
            "the same twice",
            vec![plane([1.0, 0.0, 0.0], [0.0; 3]), plane([1.0, 0.0, 0.0], [0.0; 3]), plane([-1.0, 0.0, 0.0], [0.0; 3])],
            2,
        ),
        (
            "six through one line",
            (0..6).map(|k| plane([(k as f64 * 0.5).cos(), (k as f64 * 0.5).sin(), 0.0], [0.0; 3])).collect(),
            12,
        ),
    ];
    for (what, planes, expected) in scenes {
        let result = broken(&object, &Pattern::planes(planes.clone()));
        check(&object, &result, what);
        let worst = compare_planes(&object, &planes, &result, what);
        let large = result.objects.iter().filter(|o| o.mass().volume > 1e-9).count();
        println!("{what}: {} pieces, volumes off by {worst:.1e} of the body", result.objects.len());
        assert_eq!(large, expected, "{what}");
    }
}

/// Cutting along an old crack makes slivers thinner than any tolerance: they change their owner, and no piece stops being a cell.
#[test]
fn recutting_along_an_old_crack_changes_nothing() {
    for (what, object) in [("ball", scenes::intact(shapes::ball(1.0, 8))), ("cubes", cubes(4))] {
        let result = broken(&object, &Pattern::voronoi((0..8).map(|k| scenes::point_in(&object, k)).collect()));
        let piece = result.objects.iter().max_by(|a, b| a.mass().volume.total_cmp(&b.mass().volume)).unwrap();
        let old: Vec<Plane> = piece.planes().iter().filter(|p| p.has_face).map(|p| p.plane).collect();
        match fracture(piece, &Pattern::planes(old.clone()), &FractureOptions::default()).unwrap().broken() {
            None => {}
            Some(again) => {
                oracle::check(piece, &again, what);
                let largest = again.objects.iter().map(|o| o.mass().volume).fold(0.0, f64::max);
                assert!(largest > (1.0 - 1e-6) * piece.mass().volume, "{what}: {} pieces", again.objects.len());
            }
        }
        // Along one of them, and across.
        let mut planes = vec![old[0]];
        planes.push(Plane::through(&piece.mass().centre, &Vector::new(0.3, 1.0, 0.2)).unwrap());
        let again = broken(piece, &Pattern::planes(planes));
        oracle::check(piece, &again, what);
        oracle::assert_faces_divided_alike(&again.objects[0], what);
        assert_eq!(again.objects.len(), 2, "{what}");
        assert!(again.objects.iter().all(|o| o.kind() == Kind::Cell), "{what}");
    }
}

/// Five generations of patterns of many sizes, on meshes of five tetrahedra and of thousands; every face divided alike.
#[test]
fn generations_nest_on_coarse_and_fine_meshes() {
    let mut faces = 0;
    for (what, solid) in [
        ("five tetrahedra", five_tets([1.0, 0.7, 0.4])),
        ("brick", shapes::brick(1)),
        ("ball", shapes::ball(0.1, 10)),
        ("torus", shapes::torus(1.0, 0.3, 24, 6)),
    ] {
        for rough in [false, true] {
            let mut piece = scenes::intact(solid.clone());
            for (generation, count) in [40, 12, 5, 9, 3].into_iter().enumerate() {
                let mut pattern = Pattern::random_voronoi(count, 7 + generation as u64);
                if generation % 2 == 1 {
                    let at = |k| Plane::through(&piece.mass().centre, &scenes::direction(k)).unwrap();
                    pattern = Pattern::planes((0..3).map(at).collect());
                }
                if rough {
                    pattern = pattern.rough(Roughness { amplitude: 0.02, wavelength: 2.0, seed: 3 });
                }
                let what = format!("{what}, generation {generation}, rough {rough}");
                let outcome = fracture(&piece, &pattern, &FractureOptions::default()).unwrap();
                let Some(result) = outcome.broken() else {
                    panic!("{what}: {} nodes, volume {:e}", piece.nodes().len(), piece.mass().volume)
                };
                oracle::check(&piece, &result, &what);
                faces += oracle::assert_faces_divided_alike(&result.objects[0], &what);
                piece = result.objects.into_iter().max_by(|a, b| a.mass().volume.total_cmp(&b.mass().volume)).unwrap();
            }
        }
    }
    println!("{faces} faces of the mesh divided alike from both sides");
}

#[test]
fn a_thousand_cells_are_all_there() {
    for (what, solid) in [("five tetrahedra", five_tets([1.0; 3])), ("ball", shapes::ball(1.0, 12))] {
        let object = scenes::intact(solid);
        let result = broken(&object, &Pattern::random_voronoi(1000, 2));
        assert_eq!(result.vanished_cells, 0, "{what}");
        assert!(result.objects.len() >= 1000, "{what}");
        let sum: f64 = result.objects.iter().map(|o| o.mass().volume).sum();
        assert!((sum / object.mass().volume - 1.0).abs() < 1e-12, "{what}");
        println!(
            "{what} in {} pieces: volumes add up to {:.1e}",
            result.objects.len(),
            (sum / object.mass().volume - 1.0).abs()
        );
    }
}

/// What would be too large is refused with the option that limits it, soon, and nothing is lost.
#[test]
fn too_many_planes_are_refused() {
    let object = scenes::intact(shapes::ball(1.0, 10));
    let planes = |count: u64| {
        let at = |k: u64| {
            Plane::through(&Point::from(scenes::direction(k) * (0.9 * unit(3, k))), &scenes::direction(k + 9)).unwrap()
        };
        Pattern::planes((0..count).map(at).collect())
    };
    for (count, max_regions) in [(4000, 1 << 18), (300, 10_000)] {
        let options = FractureOptions { max_regions, ..Default::default() };
        let error = fracture(&object, &planes(count), &options).unwrap_err().to_string();
        assert!(error.contains("max_regions"), "{error}");
    }
    assert!(broken(&object, &planes(12)).objects.len() > 12);
}

/// Fragments of Voronoi and plane patterns moved apart along their sites do not overlap: shown on the exported surfaces by the planes
/// between the sites, which part any two of them, and by the query.
#[test]
fn fragments_that_move_apart_do_not_overlap() {
    for (what, solid, count) in [
        ("ball", shapes::ball(1.0, 9), 20u64),
        ("torus", shapes::torus(1.0, 0.3, 24, 6), 14),
        ("cubes", shapes::cuboid([1.0; 3], [4; 3]), 27),
    ] {
        let object = scenes::intact(solid);
        let radius = object.asset().radius();
        let seeds: Vec<Point> = (0..count).map(|k| scenes::point_in(&object, k)).collect();
        let result = broken(&object, &Pattern::voronoi(seeds.clone()));
        let surfaces: Vec<_> = result.objects.iter().map(|o| o.surface()).collect();
        let (mut apart, mut deepest) = (f64::INFINITY, 0f64);
        for factor in [0.0, 1e-4, 1e-3, 0.02, 0.5] {
            let shift = |k: usize| seeds[result.cells[k] as usize].coords * factor;
            for a in 0..surfaces.len() {
                for b in a + 1..surfaces.len() {
                    let [s, t] = [a, b].map(|k| seeds[result.cells[k] as usize]);
                    if result.cells[a] != result.cells[b] {
                        let way = (t - s).normalize();
                        let most = surfaces[a]
                            .vertices
                            .iter()
                            .map(|v| way.dot(&(v.coords + shift(a))))
                            .fold(f64::NEG_INFINITY, f64::max);
                        let least = surfaces[b]
                            .vertices
                            .iter()
                            .map(|v| way.dot(&(v.coords + shift(b))))
                            .fold(f64::INFINITY, f64::min);
                        apart = apart.min((least - most) / radius);
                    }
                    let poses = [a, b].map(|k| Pose::from_parts(shift(k).into(), nalgebra::UnitQuaternion::identity()));
                    let options = QueryOptions { margin: Some(0.0), ..QueryOptions::every_sample() };
                    let mut contacts = vec![];
                    query_pair(&result.objects[a], &poses[0], &result.objects[b], &poses[1], &options, &mut contacts)
                        .unwrap();
                    deepest = contacts.iter().fold(deepest, |most, c| most.max(c.depth as f64 / radius));
                }
            }
        }
        println!(
            "{what}: {} pieces, at least {apart:.1e} of the radius apart, touching by {deepest:.1e} at most",
            result.objects.len()
        );
        assert!(apart > -1e-10 && deepest < 1e-6, "{what}: {apart:e}, {deepest:e}");
    }
}

/// A brick in eight has tens of crack triangles, not thousands, whatever its mesh.
#[test]
fn flat_cracks_have_few_triangles() {
    for n in [1, 2, 4] {
        let object = scenes::intact(shapes::brick(n));
        let size = object.bounds().size();
        let planes =
            (0..3).map(|axis| Plane::through(&object.mass().centre, &Vector::ith(axis, 1.0)).unwrap()).collect();
        let result = broken(&object, &Pattern::planes(planes));
        let (mut cracks, mut rims) = (0, 0);
        for piece in &result.objects {
            let surface = piece.surface();
            oracle::assert_closed(&surface, "brick in eight");
            cracks += surface
                .triangles
                .iter()
                .filter(|t| matches!(t.face, fracas::fracture::surface::Face::Crack { .. }))
                .count();
            rims += piece.crack_points().len();
        }
        println!(
            "brick of {} tetrahedra ({size:.2?}) in {}: {cracks} crack triangles",
            object.asset().solid().tets().len(),
            result.objects.len()
        );
        assert!(cracks < 3 * rims, "{cracks} triangles for {rims} points");
    }
}

/// Wherever a crack crosses an edge of the skin there is a sample on either side, once; in a second event too.
#[test]
fn rims_of_cracks_are_samples() {
    let seeds: Vec<Point> =
        (0..9).map(|k| Point::new(unit(k, 1), unit(k, 2), unit(k, 3)) - Vector::repeat(0.5)).collect();
    let body = scenes::intact(shapes::ball(0.5, 10));
    let halves =
        broken(&body, &Pattern::planes(vec![Plane::through(&Point::new(0.013, 0.0, 0.0), &Vector::x()).unwrap()]));
    let mut told = 0;
    for object in [&body, &halves.objects[0]] {
        let result = broken(object, &Pattern::voronoi(seeds.clone()));
        let solid = object.asset().solid();
        let far = |p: &Point, k: usize| (p - seeds[k]).norm_squared();
        let nearest = |p: &Point| (0..seeds.len()).min_by(|a, b| far(p, *a).total_cmp(&far(p, *b))).unwrap();
        for [a, b, c] in solid.skin().iter().map(|triangle| triangle.nodes) {
            for ends in [[a, b], [b, c], [c, a]].into_iter().filter(|[a, b]| a < b) {
                let [p, q] = ends.map(|n| solid.nodes()[n as usize]);
                let [s, t] = [nearest(&p), nearest(&q)];
                let [ahead, behind] = [far(&p, t) - far(&p, s), far(&q, s) - far(&q, t)];
                let at = p + (q - p) * (ahead / (ahead + behind));
                let is_own = ends.iter().all(|n| object.nodes().binary_search(n).is_ok());
                let is_alone = (0..seeds.len()).all(|k| k == s || k == t || far(&at, k) > far(&at, s) + 1e-9);
                if s != t && is_own && is_alone {
                    for node in ends {
                        let piece = result.objects.iter().find(|o| o.nodes().binary_search(&node).is_ok()).unwrap();
                        let found = piece.crack_points().iter().filter(|sample| (sample.at - at).norm() < 1e-9);
                        assert_eq!(found.count(), 1, "{at}");
                        told += 1;
                    }
                }
            }
        }
        for piece in &result.objects {
            let mut points: Vec<[u64; 3]> =
                piece.crack_points().iter().map(|p| p.at.coords.map(f64::to_bits).into()).collect();
            let count = points.len();
            points.sort_unstable();
            points.dedup();
            assert_eq!(points.len(), count, "no sample is there twice");
        }
    }
    assert!(told > 500, "{told}");
}
