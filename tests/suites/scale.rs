//! An object in another size is the mesh in that size: the same contacts, fragments and hashes, and bodies of different size
//! meet as their meshes would.

use crate::common;

use common::scenes;
use fracas::contact::{Contact, QueryOptions, query_pair, query_shape};
use fracas::field::shape::{Ball, HalfSpace};
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Point, Solid, Vector, fracture, shapes};
use nalgebra::{Translation3, UnitQuaternion};

/// A body, whole or in pieces, of a solid whose nodes are scaled.
fn bodies(solid: &Solid, scale: f64) -> Vec<Object> {
    let nodes: Vec<[f64; 3]> = solid.nodes().iter().map(|p| [p.x * scale, p.y * scale, p.z * scale]).collect();
    let asset = Asset::cook(Solid::new(&nodes, solid.tets()).unwrap(), &CookOptions::default()).unwrap();
    let whole = Object::intact(&asset).remove(0);
    let pattern = Pattern::random_voronoi(5, 3).rough(scenes::ROUGH);
    let mut all = fracture(&whole, &pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects;
    all.push(whole);
    all
}

fn full(a: &Object, pose_a: &Pose, b: &Object, pose_b: &Pose) -> Vec<Contact> {
    let options = QueryOptions::every_sample();
    let mut out = vec![];
    query_pair(a, pose_a, b, pose_b, &options, &mut out).unwrap();
    out.sort_unstable_by_key(|c| c.feature);
    out
}

/// The same samples touch, as deep, at the same place; but for those that are just on the limit.
fn agree(found: &[Contact], expected: &[Contact], size: f64, what: &str) -> usize {
    let (tolerance, margin) = (2e-5 * size as f32, 1e-3 * size as f32);
    let other = |list: &[Contact], c: &Contact| list.binary_search_by_key(&c.feature, |d| d.feature).map(|k| list[k]);
    for (list, others) in [(found, expected), (expected, found)] {
        for c in list {
            match other(others, c) {
                Ok(d) => {
                    assert!((c.depth - d.depth).abs() < tolerance, "{what}: depth {} and {}", c.depth, d.depth);
                    // Between ties the way out may differ, and the midpoint with it: by the depth, at most.
                    let apart = (0..3).map(|k| (c.point[k] - d.point[k]).abs()).fold(0.0, f32::max);
                    assert!(apart < c.depth.abs() + tolerance, "{what}: places {apart} apart");
                }
                Err(_) => assert!((c.depth + margin).abs() < tolerance, "{what}: {c:?} is missing"),
            }
        }
    }
    found.len()
}

#[test]
fn bodies_of_any_size_meet_as_their_meshes_would() {
    let (first, second) = (shapes::ball(0.5, 8), shapes::cuboid([1.0, 0.7, 0.5], [5, 4, 3]));
    let mut compared = 0;
    for (scale_a, scale_b) in [(1.0, 1.0), (2.0, 2.0), (4.0, 0.5), (0.3, 3.7), (1e-3, 1e-3), (50.0, 700.0)] {
        let (own, small) = (bodies(&first, 1.0), bodies(&second, 1.0));
        let (meshes_a, meshes_b) = (bodies(&first, scale_a), bodies(&second, scale_b));
        for seed in 0..12 {
            let (i, j) = (seed as usize % own.len(), (seed as usize / 2) % small.len());
            let (a, b) = (own[i].scaled(scale_a).unwrap(), small[j].scaled(scale_b).unwrap());
            assert_eq!((a.scale(), b.scale()), (scale_a, scale_b));
            let (mesh_a, mesh_b) = (&meshes_a[i], &meshes_b[j]);
            let size = mesh_a.bounds().radius().min(mesh_b.bounds().radius());
            let turn =
                |k: u64| UnitQuaternion::from_scaled_axis(Vector::from_fn(|i, _| 6.0 * unit(seed, k + i as u64)));
            let (ra, rb) = (turn(10), turn(20));
            let way = Vector::from_fn(|k, _| unit(seed, 30 + k as u64) - 0.5).normalize();
            let far = 0.6 * (mesh_a.bounds().radius() + mesh_b.bounds().radius()) * unit(seed, 40);
            let place = |r: UnitQuaternion<f64>, centre: Point, to: Vector| {
                Pose::from_parts(Translation3::from(to - r * centre.coords), r)
            };
            let pose_a = place(ra, mesh_a.bounds().centre(), Vector::zeros());
            let pose_b = place(rb, mesh_b.bounds().centre(), way * far);
            let expected = full(mesh_a, &pose_a, mesh_b, &pose_b);
            let found = full(&a, &pose_a, &b, &pose_b);
            compared += agree(&found, &expected, size, &format!("{scale_a} and {scale_b}, {seed}"));
        }
    }
    println!("{compared} contacts of scaled bodies agree with those of scaled meshes");
    assert!(compared > 1000);
}

#[test]
fn fragments_inherit_the_size_and_rest_as_siblings() {
    let solid = shapes::ball(0.5, 8);
    let whole = bodies(&solid, 1.0).pop().unwrap().scaled(3.0).unwrap();
    let pieces = fracture(&whole, &Pattern::random_voronoi(6, 1), &FractureOptions::default())
        .unwrap()
        .broken()
        .unwrap()
        .objects;
    let here = Pose::translation(5.0, 0.0, 0.0);
    let mut touching = 0;
    for (k, a) in pieces.iter().enumerate() {
        assert_eq!(a.scale(), 3.0);
        for b in &pieces[..k] {
            assert!(a.is_sibling(b) && a.is_disjoint_part(b));
            let contacts = full(a, &here, b, &here);
            assert!(contacts.iter().all(|c| c.depth <= 0.0), "siblings at rest do not penetrate");
            touching += contacts.len();
            let other = b.scaled(2.0).unwrap();
            assert!(!a.is_sibling(&other) && !a.is_disjoint_part(&other), "in another size it is another body");
        }
    }
    assert!(touching > 50);
    assert_ne!(pieces[0].state_hash(), pieces[0].scaled(1.0).unwrap().state_hash());
    assert_eq!(pieces[0].state_hash(), pieces[0].clone().state_hash());
}

#[test]
fn shapes_are_in_metres() {
    let body = bodies(&shapes::cuboid([1.0; 3], [4; 3]), 1.0).pop().unwrap().scaled(10.0).unwrap();
    let mut out = vec![];
    let floor = HalfSpace(Plane { normal: Vector::z(), offset: 0.0 });
    let up = Pose::translation(0.0, 0.0, 4.9);
    query_shape(&body, &up, &floor, &Pose::identity(), &QueryOptions::default(), &mut out).unwrap();
    assert!((out[0].depth - 0.1).abs() < 1e-6, "{:?}", out[0]);
    out.clear();
    let ball = Ball { centre: Point::origin(), radius: 1.0 };
    query_shape(&body, &Pose::translation(0.0, 0.0, 5.9), &ball, &Pose::identity(), &QueryOptions::default(), &mut out)
        .unwrap();
    assert!((out[0].depth - 0.1).abs() < 1e-6, "{:?}", out[0]);
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-7, 1e7] {
        assert!(body.scaled(scale).is_err());
    }
}
