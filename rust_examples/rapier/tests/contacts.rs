//! What the dispatcher says, against closed forms.

use fracas::{Asset, CookOptions, Object, shapes};
use fracas_rapier::{FcDispatcher, FcShape};
use rapier3d::geometry::Array2;
use rapier3d::parry::query::{ContactManifold, PersistentQueryDispatcher, PointQuery, QueryDispatcher, Ray, RayCast};
use rapier3d::prelude::*;
use std::sync::LazyLock;

/// A cube of 10 cm, and a ball of 5 cm.
static CUBE: LazyLock<FcShape> = LazyLock::new(|| cooked(shapes::cuboid([0.1; 3], [6; 3])));
static BALL: LazyLock<FcShape> = LazyLock::new(|| cooked(shapes::ball(0.05, 12)));

fn cooked(solid: fracas::Solid) -> FcShape {
    FcShape::new(Object::intact(&Asset::cook(solid, &CookOptions::default()).unwrap()).remove(0))
}

type Manifolds = Vec<ContactManifold<(), u32>>;

fn manifolds(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape, prediction: f32) -> Manifolds {
    let (mut found, mut workspace) = (vec![], None);
    FcDispatcher::default().contact_manifolds(pos12, g1, g2, prediction, &mut found, &mut workspace).unwrap();
    assert!(workspace.is_some(), "else Rapier loses manifolds that come and go");
    found
}

/// A box, long and wide, whose top is at z = 0; and others that are as high there.
fn floors() -> Vec<(&'static str, SharedShape, Pose)> {
    let at = |z: f32| Pose::translation(0.0, 0.0, z);
    let corner = |k: u32| Vector::new((k & 1) as f32 - 0.5, (k >> 1 & 1) as f32 - 0.5, (k >> 2) as f32 * 0.2 - 0.1);
    let hull = SharedShape::convex_hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
    // 2 cm a triangle, each of them counter-clockwise from above.
    let grid = |k: usize| Vector::new((k % 21) as f32 * 0.02 - 0.2, (k / 21) as f32 * 0.02 - 0.2, 0.0);
    let cell = |k: usize| (k / 20 * 21 + k % 20) as u32;
    let triangles = (0..400).map(cell).flat_map(|a| [[a, a + 1, a + 22], [a, a + 22, a + 21]]);
    let mesh = SharedShape::trimesh((0..441).map(grid).collect(), triangles.collect()).unwrap();
    let heights = SharedShape::heightfield(Array2::repeat(11, 11, 0.0), Vector::new(0.4, 1.0, 0.4));
    let upright = Pose::rotation(Vector::X * std::f32::consts::FRAC_PI_2);
    let slab = SharedShape::cuboid(0.5, 0.5, 0.1);
    let compound = SharedShape::compound(vec![
        (at(-5.0), SharedShape::ball(0.1)),
        (at(-0.1), slab.clone()),
        (Pose::translation(3.0, 0.0, 0.0), slab.clone()),
    ]);
    vec![
        ("half-space", SharedShape::halfspace(Vector::Z), at(0.0)),
        ("cuboid", slab, at(-0.1)),
        ("convex polyhedron", hull, at(-0.1)),
        ("triangle mesh", mesh, at(0.0)),
        ("height field", heights, upright),
        ("compound", compound, at(0.0)),
        ("cylinder", SharedShape::cylinder(0.1, 0.5), at(-0.1) * upright),
    ]
}

#[test]
fn a_cube_stands_on_every_floor_in_both_orders() {
    for depth in [0.001f32, -0.002] {
        let cube = Pose::translation(0.003, 0.005, 0.05 - depth);
        for (name, floor, place) in floors() {
            for floor_first in [false, true] {
                let (pose1, pose2) = if floor_first { (place, cube) } else { (cube, place) };
                let (g1, g2): (&dyn Shape, &dyn Shape) =
                    if floor_first { (&*floor, &*CUBE) } else { (&*CUBE, &*floor) };
                let found = manifolds(&pose1.inv_mul(&pose2), g1, g2, 0.004);
                let points: Vec<_> = found.iter().flat_map(|m| m.points.iter().map(move |p| (m, p))).collect();
                // One flat patch, four points a manifold.
                assert!((4..=8).contains(&points.len()), "{name}, floor first: {floor_first}: {}", points.len());
                assert!(found.iter().all(|m| m.points.len() <= 4) && found.len() == points.len().div_ceil(4), "{name}");
                let up = if floor_first { Vector::Z } else { -Vector::Z };
                let mut span = Aabb::new_invalid();
                for (manifold, point) in points {
                    let normal = pose1.rotation * manifold.local_n1;
                    assert!((normal - up).length() < 2e-4, "{name}: {normal} is not {up}");
                    assert!((pose2.rotation * manifold.local_n2 + normal).length() < 1e-5, "{name}");
                    assert!((point.dist + depth).abs() < 2e-6, "{name}: {} is not {}", point.dist, -depth);
                    let (p1, p2) = (pose1 * point.local_p1, pose2 * point.local_p2);
                    assert!(((p2 - p1).dot(normal) - point.dist).abs() < 1e-6, "{name}: points are as far apart");
                    let (of_cube, of_floor) = if floor_first { (p2, p1) } else { (p1, p2) };
                    assert!((of_cube.z + depth).abs() < 1e-5 && of_floor.z.abs() < 1e-5, "{name}: each on its body");
                    span.take_point(of_cube);
                }
                let size = span.maxs - span.mins;
                assert!(size.x > 0.0999 && size.y > 0.0999, "{name}: four corners, {size}");
            }
        }
    }
}

#[test]
fn balls_and_capsules_touch_a_cube_between_its_samples() {
    // Beside all samples of the top, which are 1.7 cm apart, and half as wide.
    let (x, y) = (0.0083f32, 0.0083);
    let upright = Pose::rotation(Vector::X * std::f32::consts::FRAC_PI_2);
    let small = [
        ("ball", SharedShape::ball(0.004), Pose::identity(), 0.004),
        ("capsule", SharedShape::capsule_y(0.01, 0.004), upright, 0.014),
        ("tip of a cone", SharedShape::cone(0.01, 0.002), upright, 0.01),
    ];
    for (name, shape, turn, half) in small {
        for depth in [0.0005f32, -0.0005] {
            let place = Pose::translation(x, y, 0.05 + half - depth) * turn;
            for cube_first in [true, false] {
                let (g1, g2): (&dyn Shape, &dyn Shape) = if cube_first { (&*CUBE, &*shape) } else { (&*shape, &*CUBE) };
                let pos12 = if cube_first { place } else { place.inverse() };
                let found = manifolds(&pos12, g1, g2, 0.001);
                let deepest = found.iter().flat_map(|m| &m.points).map(|p| p.dist).fold(f32::INFINITY, f32::min);
                assert!((deepest + depth).abs() < 1e-5, "{name}: {deepest} is not {}", -depth);
                let normal = found[0].local_n1;
                let up = if cube_first { Vector::Z } else { turn.rotation.inverse() * -Vector::Z };
                assert!((normal - up).length() < 1e-3, "{name}: {normal} is not {up}");
            }
        }
    }
}

#[test]
fn two_objects_in_both_orders_are_mirror_images() {
    for k in 0..20 {
        let turn = Vector::new(k as f32 * 0.3, 0.2 * k as f32, 1.0 - 0.1 * k as f32);
        let pos12 = Pose::new(Vector::new(0.03, -0.02, 0.091), turn);
        let [there, back] =
            [manifolds(&pos12, &*CUBE, &*BALL, 0.002), manifolds(&pos12.inverse(), &*BALL, &*CUBE, 0.002)];
        let by_features = |found: &Manifolds, swapped: bool| {
            let mut all: Vec<_> = found
                .iter()
                .flat_map(|m| {
                    m.points.iter().map(move |p| {
                        let (p1, n) = if swapped { (p.local_p2, m.local_n2) } else { (p.local_p1, m.local_n1) };
                        let (f1, f2) = if swapped { (p.fid2, p.fid1) } else { (p.fid1, p.fid2) };
                        (f1, f2, p1, n, p.dist)
                    })
                })
                .collect();
            all.sort_by_key(|(f1, f2, ..)| (f1.0, f2.0));
            all
        };
        let (there, back) = (by_features(&there, false), by_features(&back, true));
        assert!(!there.is_empty() && there.len() == back.len(), "{} and {}", there.len(), back.len());
        for (a, b) in there.iter().zip(&back) {
            assert_eq!((a.0, a.1), (b.0, b.1), "the same features");
            assert!((a.2 - b.2).length() < 1e-6 && (a.3 - b.3).length() < 1e-5 && (a.4 - b.4).abs() < 1e-6);
        }
    }
}

#[test]
fn features_carry_what_a_contact_knew() {
    let (mut found, mut workspace): (Manifolds, _) = (vec![], None);
    let dispatcher = FcDispatcher::default();
    let floor = SharedShape::halfspace(Vector::Z);
    for (step, z) in [0.0499f32, 0.04995, 0.04992].into_iter().enumerate() {
        let pos12 = Pose::translation(0.0, 0.0, z);
        dispatcher.contact_manifolds(&pos12, &*floor, &*CUBE, 0.001, &mut found, &mut workspace).unwrap();
        for point in found.iter_mut().flat_map(|m| &mut m.points) {
            assert_eq!(point.data, step as u32);
            point.data += 1;
        }
    }
}

#[test]
fn rays_and_points_find_the_surface_of_a_cube_and_a_ball() {
    let (cube, ball) = (&*CUBE, &*BALL);
    for k in 0..200 {
        let (x, y) = ((k % 20) as f32 * 0.0049 - 0.0466, (k / 20) as f32 * 0.0097 - 0.0437);
        let ray = Ray::new(Vector::new(x, y, 0.3), -Vector::Z * 2.0);
        let hit = cube.cast_local_ray_and_get_normal(&ray, 10.0, true).unwrap();
        assert!((hit.time_of_impact - 0.125).abs() < 1e-6 && (hit.normal - Vector::Z).length() < 1e-6);
        assert!(cube.cast_local_ray(&ray, 0.124, true).is_none(), "too far");

        // A ball of flat faces is within the round one, by less than 2 % of its radius.
        let hit = ball.cast_local_ray_and_get_normal(&ray, 10.0, true);
        let beside = x.hypot(y);
        if beside < 0.045 {
            let (hit, z) = (hit.unwrap(), (0.05f32.powi(2) - beside.powi(2)).sqrt());
            let outward = Vector::new(x, y, z) / 0.05;
            assert!(
                (0.3 - 2.0 * hit.time_of_impact - z).abs() < 0.0025,
                "{} is not {z}",
                0.3 - 2.0 * hit.time_of_impact
            );
            assert!(hit.normal.dot(outward) > 0.97);
        } else if beside > 0.0501 {
            assert!(hit.is_none());
        }
    }
    let inside = Ray::new(Vector::new(0.01, 0.0, 0.02), Vector::X);
    assert_eq!(cube.cast_local_ray(&inside, 10.0, true), Some(0.0));
    let out = cube.cast_local_ray_and_get_normal(&inside, 10.0, false).unwrap();
    assert!((out.time_of_impact - 0.04).abs() < 1e-6 && (out.normal + Vector::X).length() < 1e-6);

    assert!((cube.distance_to_local_point(Vector::new(0.0, 0.09, 0.0), true) - 0.04).abs() < 1e-6);
    assert!((cube.distance_to_local_point(Vector::new(0.0, 0.045, 0.0), false) + 0.005).abs() < 1e-6);
    assert!(ball.contains_local_point(Vector::splat(0.02)) && !ball.contains_local_point(Vector::splat(0.03)));
}

#[test]
fn mass_and_size_are_those_of_a_cube_in_any_scale() {
    for scale in [1.0f32, 0.5, 3.0] {
        let cube = CUBE.scale_dyn(Vector::splat(scale), 0).unwrap();
        let (side, mass) = (0.1 * scale, 1000.0 * (0.1 * scale).powi(3));
        let found = cube.mass_properties(1000.0);
        assert!((found.mass() / mass - 1.0).abs() < 1e-5 && found.local_com.length() < 1e-6);
        let moments = found.principal_inertia() / (mass * side * side / 6.0);
        assert!((moments - Vector::ONE).length() < 1e-5, "{moments}");
        let bounds = cube.compute_local_aabb();
        assert!((bounds.maxs - Vector::splat(side / 2.0)).length() < 1e-6);
        let ray = Ray::new(Vector::Z * scale, -Vector::Z);
        assert!((cube.cast_local_ray(&ray, 10.0, true).unwrap() - 0.95 * scale).abs() < 1e-6);
        assert!((cube.distance_to_local_point(Vector::Y * scale, true) - 0.95 * scale).abs() < 1e-5);
    }
    assert!(CUBE.scale_dyn(Vector::new(1.0, 2.0, 1.0), 0).is_none(), "objects are not stretched");
}

#[test]
fn sensors_and_single_contacts_see_objects() {
    let dispatcher = FcDispatcher::default().before_default();
    for (gap, meets) in [(0.001f32, false), (-0.001, true)] {
        let pos12 = Pose::translation(0.0, 0.0, 0.1 + gap);
        assert_eq!(dispatcher.intersection_test(&pos12, &*CUBE, &*CUBE).unwrap().intersecting, meets);
        let contact = dispatcher.contact(&pos12, &*CUBE, &*CUBE, 0.002).unwrap().unwrap();
        assert!((contact.dist - gap).abs() < 1e-6 && (contact.normal1 - Vector::Z).length() < 1e-5);
        let pos12 = Pose::translation(0.0, 0.0, 0.08 + gap);
        assert_eq!(dispatcher.intersection_test(&pos12, &*CUBE, &Ball::new(0.03)).unwrap().intersecting, meets);
    }
    // Those of Rapier are Rapier's.
    let apart = Pose::translation(3.0, 0.0, 0.0);
    assert!((dispatcher.distance(&apart, &Ball::new(1.0), &Ball::new(1.0)).unwrap().distance - 1.0).abs() < 1e-6);
}

#[test]
fn many_threads_get_the_same_contacts() {
    let ask = |k: u32| {
        let pos12 = Pose::new(Vector::new(0.03, -0.02, 0.09), Vector::splat(0.05 * k as f32));
        let found = manifolds(&pos12, &*CUBE, &*BALL, 0.002);
        found.iter().flat_map(|m| &m.points).map(|p| (p.fid1.0, p.fid2.0, p.dist.to_bits())).collect::<Vec<_>>()
    };
    let alone: Vec<_> = (0..40).map(ask).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| (0..40).map(ask).collect::<Vec<_>>())).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}
