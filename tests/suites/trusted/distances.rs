//! Distances against brute force over all pairs of triangles.

use crate::common::dice::Dice;
use crate::common::few::{Few, bodies};
use crate::common::on_all_cores;
use fracas::contact::{Closest, distance, distance_to_shape, query_pair};
use fracas::field::shape::{Ball, HalfSpace};
use fracas::fracture::pattern::Roughness;
use fracas::geom::plane::Plane;
use fracas::geom::{Pose, segment, triangle};
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Point, Solid, Vector, fracture, shapes};

type Triangle = [Point; 3];

fn triangles(object: &Object, pose: &Pose) -> Vec<Triangle> {
    let surface = object.surface();
    surface.triangles.iter().map(|t| t.corners.map(|k| pose * surface.vertices[k as usize])).collect()
}

/// Least distance of vertices from triangles, and of edges from edges.
fn brute_force(a: &[Triangle], b: &[Triangle]) -> f64 {
    let mut least = f64::INFINITY;
    let sphere = |t: &Triangle| {
        let middle = Point::from((t[0].coords + t[1].coords + t[2].coords) / 3.0);
        (middle, t.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max))
    };
    let of_b: Vec<(Point, f64)> = b.iter().map(sphere).collect();
    for one in a {
        let (middle, radius) = sphere(one);
        for (other, (centre, reach)) in b.iter().zip(&of_b) {
            if (middle - centre).norm() - radius - reach > least {
                continue;
            }
            for (points, face) in [(one, other), (other, one)] {
                let corners = face.map(|p| p.coords);
                for p in points {
                    least = least.min((triangle::closest(&p.coords, &corners) - p.coords).norm());
                }
            }
            for i in 0..3 {
                for j in 0..3 {
                    let [p, q] = [(one, i), (other, j)].map(|(t, k)| [t[k], t[(k + 1) % 3]]);
                    let [s, t] = segment::closest(&p, &q);
                    least = least.min((p[0] + (p[1] - p[0]) * s - (q[0] + (q[1] - q[0]) * t)).norm());
                }
            }
        }
    }
    least
}

fn intact(solid: Solid) -> Object {
    Object::intact(&Asset::cook(solid, &CookOptions::default()).unwrap()).remove(0)
}

fn overlap(a: &Object, pose_a: &Pose, b: &Object, pose_b: &Pose) -> bool {
    let mut contacts = vec![];
    query_pair(a, pose_a, b, pose_b, &Default::default(), &mut contacts).unwrap();
    contacts.first().is_some_and(|contact| contact.depth > 0.0)
}

/// Compares one pair; returns the error as a share of the smaller radius, if they are apart.
fn compare(a: &Object, pose_a: &Pose, b: &Object, pose_b: &Pose) -> Option<f64> {
    let radius = a.bounds().radius().min(b.bounds().radius());
    let found = distance(a, pose_a, b, pose_b, f64::INFINITY).unwrap().expect("there is no limit");
    let turned = distance(b, pose_b, a, pose_a, f64::INFINITY).unwrap().unwrap();
    assert_eq!((found.points, found.normal), ([turned.points[1], turned.points[0]], -turned.normal));
    if overlap(a, pose_a, b, pose_b) {
        assert!(found.distance < 0.0);
        return None;
    }
    let truth = brute_force(&triangles(a, pose_a), &triangles(b, pose_b));
    let Closest { distance: far, points: [p, q], normal } = found;
    assert!(
        (far - (p - q).norm()).abs() < 1e-6 * radius && ((p - q) - normal * far).norm() < 1e-4 * far + 1e-6 * radius
    );
    for range in [0.99 * far, 1.01 * far] {
        let limited = distance(a, pose_a, b, pose_b, range).unwrap();
        assert_eq!(limited.is_some(), range > far, "{far} {range}");
    }
    Some((far - truth) / radius)
}

fn check(name: &str, pairs: &[Option<f64>]) {
    let apart: Vec<f64> = pairs.iter().flatten().copied().collect();
    let (low, high) =
        apart.iter().fold((0.0, 0.0), |(low, high), error| (f64::min(low, *error), f64::max(high, *error)));
    println!("{name}: {} pairs, {} apart, errors from {low:.1e} to {high:.1e} of the radius", pairs.len(), apart.len());
    assert!(apart.len() * 3 > pairs.len());
    assert!(low > -3e-6 && high < 3e-6, "{name}");
}

fn places(number: u64, reach: f64) -> [Pose; 2] {
    let mut dice = Dice::new(number + 31);
    let far = reach * dice.scale(0.5, 2.0);
    [dice.direction() * far, Vector::zeros()].map(|at| Pose::from_parts(at.into(), dice.rotation()))
}

#[test]
fn bodies_of_few_nodes() {
    let bodies = bodies(6, 3);
    let objects: Vec<Object> = on_all_cores(bodies.iter().collect(), |body: &Few| body.object());
    let pairs = on_all_cores((0..400).collect(), |number: u64| {
        let mut dice = Dice::new(number);
        let [a, b] = [(); 2].map(|_| &objects[dice.index(objects.len())]);
        let [pose_a, pose_b] = places(number, a.bounds().radius() + b.bounds().radius());
        compare(a, &pose_a, b, &pose_b)
    });
    check("few nodes", &pairs);
}

#[test]
fn fragments_and_bodies_that_are_not_convex() {
    let rough = Roughness { amplitude: 0.03, wavelength: 3.0, seed: 7 };
    let pattern = Pattern::random_voronoi(8, 4);
    for (name, solid) in
        [("torus", shapes::torus(0.08, 0.03, 16, 4)), ("box", shapes::cuboid([0.16, 0.14, 0.12], [3, 3, 3]))]
    {
        let whole = intact(solid);
        let broken = |pattern: &Pattern| {
            fracture(&whole, pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects
        };
        for (kind, objects) in [
            ("intact", vec![whole.clone()]),
            ("smooth", broken(&pattern)),
            ("rough", broken(&pattern.clone().rough(rough))),
        ] {
            let pairs = on_all_cores((0..30).collect(), |number: u64| {
                let mut dice = Dice::new(number + 500);
                let [a, b] = [(); 2].map(|_| &objects[dice.index(objects.len())]);
                let centred = |pose: Pose, object: &Object| {
                    pose * Pose::translation(0.0, 0.0, 0.0) * Pose::from(-object.in_metres().mass().centre.coords)
                };
                let [pose_a, pose_b] = places(number, a.bounds().radius() + b.bounds().radius());
                compare(a, &centred(pose_a, a), b, &centred(pose_b, b))
            });
            check(&format!("{kind} {name}"), &pairs);
        }
    }
    // A bar in the hole of a torus: the hulls overlap.
    let (torus, bar) = (intact(shapes::torus(0.1, 0.03, 16, 4)), intact(shapes::cuboid([0.02, 0.02, 0.2], [1, 1, 1])));
    let error = compare(&torus, &Pose::identity(), &bar, &Pose::translation(0.01, 0.02, 0.0)).expect("they are apart");
    assert!(error.abs() < 1e-5);
}

#[test]
fn plain_shapes() {
    let cube = intact(shapes::cuboid([0.2; 3], [1, 1, 1]));
    let floor = HalfSpace(Plane { normal: Vector::z(), offset: 0.0 });
    let at = |z: f64| Pose::translation(0.0, 0.0, z);
    let here = Pose::identity();
    let found = distance_to_shape(&cube, &at(0.35), &floor, &here, 1.0).unwrap().unwrap();
    assert!((found.distance - 0.25).abs() < 1e-6 && found.normal.z > 0.999999);
    assert!(distance_to_shape(&cube, &at(0.35), &floor, &here, 0.2).unwrap().is_none());
    let found = distance_to_shape(&cube, &at(0.05), &floor, &here, 1.0).unwrap().unwrap();
    assert!((found.distance + 0.05).abs() < 1e-5);
    let ball = Ball { centre: Point::new(0.3, 0.3, 0.0), radius: 0.1 };
    let found = distance_to_shape(&cube, &here, &ball, &here, 1.0).unwrap().unwrap();
    assert!((found.distance - (0.2 * 2f64.sqrt() - 0.1)).abs() < 1e-6);
    assert!(distance(&cube, &here, &cube, &at(1.0), f64::NAN).is_err());
}
