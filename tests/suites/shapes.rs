//! Samples of plain shapes against objects: closed forms on faces without samples of their own, and brute force over random poses
//! with exact distances to the exported surfaces.

use crate::common;

use common::judge::Judge;
use common::pairs::{self, random_rotation};
use common::scenes;
use fracas::contact::{Contact, Feature, QueryOptions, query_shape};
use fracas::field::shape::{Ball, Capsule, Cuboid, Custom, HalfSpace, Hull, Shape};
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::{CookOptions, Object, Point, Vector, shapes};
use nalgebra::{Translation3, UnitQuaternion};

const OF_B: u32 = 1 << 31;

fn full(margin: f64) -> QueryOptions {
    QueryOptions { margin: Some(margin), ..QueryOptions::every_sample() }
}

fn touching<S: Shape>(object: &Object, at: &Pose, shape: &S, shape_at: &Pose, options: &QueryOptions) -> Vec<Contact> {
    let mut out = vec![];
    let stats = query_shape(object, at, shape, shape_at, options, &mut out).unwrap();
    assert_eq!(stats.found - stats.left_out, out.len() as u32);
    out
}

fn vector(v: [f32; 3]) -> Vector {
    Vector::from(v.map(f64::from))
}

/// A cube of edge 1, with no nodes but its corners.
fn coarse_cube() -> Object {
    scenes::intact(shapes::cuboid([1.0; 3], [1; 3]))
}

/// Somewhere in the world.
fn somewhere(seed: u64) -> Pose {
    Pose::from_parts(Translation3::from(scenes::direction(seed) * 5.0), random_rotation(seed))
}

/// A shape above the top of a cube, both moved somewhere, in sizes from 0.1 to 10: the contact of a sample is `depth` deep, and
/// pushes the cube down.
fn pressed_on_top<S: Shape>(shape: impl Fn(f64) -> S, number: u32, above: f64, turn: UnitQuaternion<f64>, depth: f64) {
    for (scale, seed) in [(1.0, 1), (0.1, 2), (10.0, 3)] {
        let cube = coarse_cube().scaled(scale).unwrap();
        let at = somewhere(seed);
        let over = Vector::new(0.07, -0.11, 0.5 + above - depth) * scale;
        let on_top = at * Pose::from_parts(Translation3::from(over), turn);
        let contacts = touching(&cube, &at, &shape(scale), &on_top, &full(0.002 * scale));
        let own = contacts.iter().find(|c| c.feature == OF_B | number).expect("the sample touches");
        let down = at.rotation * -Vector::z();
        assert!((own.depth as f64 - depth * scale).abs() < 2e-6 * scale, "{} instead of {depth}", own.depth);
        assert!((vector(own.normal) - down).norm() < 2e-4, "{own:?}");
        let middle = at.rotation * (Vector::new(0.07, -0.11, 0.5 - 0.5 * depth) * scale);
        assert!((vector(own.point) - middle).norm() < 2e-6 * scale, "{own:?} is not at {middle}");
        assert!(contacts.iter().all(|c| c.feature & OF_B != 0), "nothing of the cube is there");
        assert_eq!(contacts[0], *own, "it is the deepest");
    }
}

const DEPTHS: [f64; 4] = [0.02, 0.003, 0.0004, -0.001];

#[test]
fn a_ball_in_the_middle_of_a_face() {
    for depth in DEPTHS {
        for radius in [0.01, 0.1, 3.0] {
            let ball = |scale| Ball { centre: Point::origin(), radius: radius * scale };
            pressed_on_top(ball, 0, radius, random_rotation(5), depth);
        }
    }
}

/// Its middle is inside; and one that is too far away.
#[test]
fn a_ball_that_has_sunk_in() {
    let cube = coarse_cube();
    let ball = Ball { centre: Point::origin(), radius: 0.1 };
    let at = |z: f64| touching(&cube, &Pose::identity(), &ball, &Pose::translation(0.1, 0.2, z), &full(0.002));
    let deep = at(0.47);
    assert!((deep[0].depth - 0.13).abs() < 1e-4 && deep[0].normal[2] < -0.9999, "{deep:?}");
    assert!(at(0.603).is_empty());
}

#[test]
fn a_corner_in_the_middle_of_a_face() {
    // A corner below: the first has the lower side of every axis.
    let below = UnitQuaternion::rotation_between(&Vector::new(-1.0, -1.0, -1.0), &-Vector::z()).unwrap();
    for depth in DEPTHS {
        let half = |scale: f64| Cuboid { centre: Point::origin(), half: Vector::repeat(0.1 * scale) };
        pressed_on_top(half, 0, 0.1 * 3f64.sqrt(), below, depth);
        let turned = UnitQuaternion::rotation_between(&Vector::new(1.0, 1.0, -1.0), &-Vector::z()).unwrap();
        pressed_on_top(half, 3, 0.1 * 3f64.sqrt(), turned, depth);
    }
}

#[test]
fn a_vertex_of_a_hull_in_the_middle_of_a_face() {
    let planes = |scale: f64| {
        let side = |k: u32, bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        (0..8)
            .map(|k| Vector::new(side(k, 0), side(k, 1), side(k, 2)).normalize())
            .map(|normal| Plane { normal, offset: 0.1 / 3f64.sqrt() * scale })
            .collect()
    };
    let octahedron = Hull::new(planes(1.0)).unwrap();
    assert_eq!(octahedron.sample_count(), 6);
    let number = (0..6).find(|k| octahedron.sample(*k).z < -0.09).unwrap();
    for depth in DEPTHS {
        pressed_on_top(|scale| Hull::new(planes(scale)).unwrap(), number, 0.1, UnitQuaternion::identity(), depth);
    }
}

/// A point that only the caller knows: the tip of a nail.
#[test]
fn a_callers_point_in_the_middle_of_a_face() {
    let nail = |scale: f64| Custom {
        signed: move |p: &Point| {
            let (side, down) = (Vector::new(p.x, p.y, 0.0).norm(), p.z);
            // A cone of 45 degrees that ends in the origin.
            let slope = (side - down) * 0.5f64.sqrt();
            let out = Vector::new(p.x, p.y, 0.0).try_normalize(0.0).unwrap_or(Vector::x()) - Vector::z();
            match side < -down {
                true => (p.coords.norm(), p.coords),
                false => (slope.max(-scale), out),
            }
        },
        point_count: 2,
        point: move |k| Point::new(0.0, 0.0, 5.0 * (1 - k) as f64 * scale),
    };
    for depth in DEPTHS {
        pressed_on_top(nail, 1, 0.0, UnitQuaternion::identity(), depth);
    }
}

#[test]
fn a_capsule_lies_on_a_face() {
    let capsule = Capsule { ends: [Point::new(-0.3, 0.0, 0.0), Point::new(0.3, 0.0, 0.0)], radius: 0.05 };
    for depth in DEPTHS {
        let at = somewhere(7);
        let on_top = at * Pose::translation(0.02, 0.1, 0.5 + 0.05 - depth);
        let contacts = touching(&coarse_cube(), &at, &capsule, &on_top, &full(0.002));
        assert_eq!(contacts.len() as u32, capsule.sample_count());
        for (c, k) in contacts.iter().zip(0..) {
            assert!((c.depth as f64 - depth).abs() < 1e-6 && Feature::decoded(c.feature).of_b, "{k}: {c:?}");
            assert!((at.rotation.inverse() * vector(c.normal) + Vector::z()).norm() < 1e-5);
        }
        // What is kept for a solver are its ends, and what is between.
        let few = QueryOptions { max_per_normal: 4, ..full(0.002) };
        let kept = touching(&coarse_cube(), &at, &capsule, &on_top, &few);
        let along = |c: &Contact| (at.rotation.inverse() * vector(c.point)).x - 0.02;
        let (low, high) = kept.iter().map(along).fold((1.0f64, -1.0f64), |(l, h), x| (l.min(x), h.max(x)));
        assert!(kept.len() == 4 && low < -0.26 && high > 0.26, "{low} to {high}");
    }
}

/// Across a beam that is narrower: contacts on both sides of the middle. Across an edge: as deep as it is, wherever it crosses.
#[test]
fn a_capsule_lies_across() {
    let capsule = Capsule { ends: [Point::new(-0.5, 0.0, 0.0), Point::new(0.5, 0.0, 0.0)], radius: 0.05 };
    let beam = scenes::intact(shapes::cuboid([0.2, 1.0, 0.2], [1, 1, 1]));
    let on_top = Pose::translation(0.03, 0.1, 0.1 + 0.05 - 0.004);
    let contacts = touching(&beam, &Pose::identity(), &capsule, &on_top, &full(0.001));
    let upright = contacts.iter().filter(|c| (c.depth - 0.004).abs() < 1e-5 && c.normal[2] < -0.9999);
    let (low, high) = upright.fold((1.0f32, -1.0f32), |(l, h), c| (l.min(c.point[0]), h.max(c.point[0])));
    assert!(low < -0.07 && high > 0.07, "{low} to {high}");

    let on_edge = Pose::rotation(Vector::y() * std::f64::consts::FRAC_PI_4);
    for k in 0..40 {
        let shift = 0.05 * unit(k, 1);
        let high = 0.5f64.sqrt() + 0.05 - 0.004;
        let contacts = touching(&coarse_cube(), &on_edge, &capsule, &Pose::translation(shift, 0.1, high), &full(0.001));
        assert!((contacts[0].depth - 0.004).abs() < 0.001 * 0.05 + 1e-6, "{shift}: {:?}", contacts[0]);
        assert!(contacts[0].normal[2] < -0.999, "{shift}: {:?}", contacts[0]);
    }
}

/// Flat ground made of triangles, whose vertices are points. What slides over it is pushed up, never back, although vertices
/// are nearer to its sides than to its bottom.
#[test]
fn vertices_of_flat_ground_push_up() {
    let cube = coarse_cube();
    let ground = Custom {
        signed: |p: &Point| (p.z, Vector::z()),
        point_count: 40 * 40,
        point: |k: u32| Point::new((k % 40) as f64 * 0.1 - 2.0, (k / 40) as f64 * 0.1 - 2.0, 0.0),
    };
    let mut within = 0;
    for step in 0..400 {
        let at = Pose::translation(step as f64 * 0.0005, 0.0003, 0.5 - 0.0005);
        let contacts = touching(&cube, &at, &ground, &Pose::identity(), &full(0.002));
        for c in &contacts {
            assert!((vector(c.normal) - Vector::z()).norm() < 1e-6 && c.depth < 0.0005 + 1e-6, "{step}: {c:?}");
        }
        let own = contacts.iter().filter(|c| c.feature & OF_B != 0 && (c.depth - 0.0005).abs() < 1e-6);
        within = own.filter(|c| c.point[0].abs() < 0.3 && c.point[1].abs() < 0.3).count();
        assert!(within >= 25, "{step}: only {within}");
    }
    // Without them, the corners of the cube are all.
    let floor = HalfSpace(Plane { normal: Vector::z(), offset: 0.0 });
    let at = Pose::translation(0.0, 0.0, 0.5 - 0.0005);
    assert_eq!(touching(&cube, &at, &floor, &Pose::identity(), &full(0.002)).len(), 4);
    assert!(within > 4);
}

/// Boxes that stand on each other rim on rim: all normals upright, and a solver gets four. Corners that are on the rim are no
/// deeper than their shortest way out, which is aside.
#[test]
fn boxes_stand_on_each_other() {
    let cube = scenes::intact(shapes::cuboid([1.0; 3], [4; 3]));
    let cuboid = Cuboid { centre: Point::origin(), half: Vector::repeat(0.5) };
    for gap in [0.0005, 0.0, -0.0005, -0.005] {
        let on_top = Pose::translation(0.0, 0.0, 1.0 + gap);
        let contacts = touching(&cube, &Pose::identity(), &cuboid, &on_top, &full(0.001));
        let own: Vec<&Contact> = contacts.iter().filter(|c| c.feature & OF_B != 0).collect();
        assert_eq!(own.len(), 4, "{gap}: {own:?}");
        for c in own {
            let depth = c.depth as f64;
            assert!(c.normal[2] < -0.999 && depth <= -gap + 1e-6 && depth >= -gap.max(0.0) - 1e-6, "{gap}: {c:?}");
        }
        let limits = QueryOptions { max_per_normal: 4, max_contacts: 16, ..full(0.001) };
        let kept = touching(&cube, &Pose::identity(), &cuboid, &on_top, &limits);
        let upright = kept.iter().filter(|c| c.normal[2] < -0.999).count();
        assert_eq!(upright, 4, "{gap}: {kept:?}");
    }
}

/// What brute force and closed forms say of a sample, in the object's frame.
struct Exact<'a> {
    judge: &'a Judge,
}

impl Exact<'_> {
    /// Positive inside, and the way out.
    fn depth(&self, p: &Point) -> (f64, Vector) {
        let hit = self.judge.closest(p);
        match self.judge.inside(p) {
            true => (hit.distance, (hit.point - p) / hit.distance.max(1e-300)),
            false => (-hit.distance, (p - hit.point) / hit.distance.max(1e-300)),
        }
    }
}

/// How much of a direction is within the directions out of a corner of a box: the length of its projection.
fn out_of_corner(push: &Vector, number: u32) -> f64 {
    let side = |k: usize| if number >> k & 1 == 0 { -1.0 } else { 1.0 };
    Vector::from_fn(|k, _| (push[k] * side(k)).max(0.0)).norm()
}

/// Poses in which a shape of a size, about its origin, is near the surface of an object.
fn near_surface(object: &Object, judge: &Judge, size: f64, seed: u64) -> Pose {
    let vertices = &judge.surface.vertices;
    let vertex = vertices[(unit(seed, 1) * vertices.len() as f64) as usize];
    let way = (vertex - object.mass().centre).try_normalize(0.0).unwrap_or(Vector::z());
    let aside = scenes::direction(seed) * (0.5 * size);
    Pose::from_parts(
        Translation3::from(vertex.coords + way * (size * (0.4 + 0.7 * unit(seed, 2))) + aside),
        random_rotation(seed),
    )
}

#[test]
fn random_poses_are_as_brute_force_says() {
    let (mut balls, mut corners, mut left, mut capsules) = (0, 0, 0, 0);
    let mut worst: [f64; 3] = [0.0; 3];
    let (mut fine, mut outside) = (0, 0);
    for (object, number) in pairs::bodies(&CookOptions::default()).iter().zip(0u64..) {
        let judge = Judge::new(object);
        let exact = Exact { judge: &judge };
        let h = object.asset().mean_edge();
        // Depths come from a grid, gaps are exact.
        let allowed = |depth: f64| if depth > 0.0 { 0.3 * h } else { 2e-4 * h };
        for turn in 0..8 {
            let seed = number * 100 + turn;
            let size = object.bounds().radius() * (0.05 + 0.6 * unit(seed, 5));
            let at = near_surface(object, &judge, size, seed);
            let world = somewhere(seed);
            let margin = h * [0.0, 0.2][turn as usize % 2];
            let of_b = |c: &&Contact| c.feature & OF_B != 0;

            let ball = Ball { centre: Point::origin(), radius: size };
            let found = touching(object, &world, &ball, &(world * at), &full(margin));
            let (depth, way) = exact.depth(&Point::from(at.translation.vector));
            match found.iter().find(of_b) {
                Some(c) => {
                    balls += 1;
                    let error = (c.depth as f64 - (size + depth)).abs();
                    // The nearest point to the middle of a wide ball is searched from the samples.
                    let allowed = allowed(depth).max(if -depth > 3.0 * h { 0.01 * h } else { 0.0 });
                    assert!(error <= allowed, "body {number}, {seed}: {c:?} instead of {}", size + depth);
                    if depth < 0.0 {
                        worst[0] = worst[0].max(error / h);
                        let push = world.rotation * -way;
                        // Two ways may be as near.
                        let near = vector(c.normal).angle(&push) < 0.1 || error < 1e-4 * h;
                        assert!(near, "body {number}, {seed}: {c:?} instead of {push}");
                    }
                }
                None => assert!(
                    size + depth <= -margin + allowed(depth).max(0.01 * h),
                    "body {number}, {seed}: {}",
                    size + depth
                ),
            }

            let half = Vector::from_fn(|k, _| size * (0.4 + 0.5 * unit(seed, 60 + k as u64)));
            let cuboid = Cuboid { centre: Point::origin(), half };
            let found = touching(object, &world, &cuboid, &(world * at), &full(margin));
            for number in 0..8 {
                let corner = at * cuboid.sample(number);
                let (depth, way) = exact.depth(&corner);
                let push = at.rotation.inverse() * -way;
                match found.iter().find(|c| c.feature == OF_B | number) {
                    Some(c) => {
                        corners += 1;
                        let error = (c.depth as f64 - depth).abs();
                        worst[1] = worst[1].max(if depth < 0.0 { error / h } else { 0.0 });
                        assert!(error <= allowed(depth), "{seed}, corner {number}: {c:?} instead of {depth}");
                        let pushed = (world * at).rotation.inverse() * vector(c.normal);
                        assert!(out_of_corner(&pushed, number) > 0.49, "{seed}: {pushed} is not out of {number}");
                    }
                    None if depth <= -margin + 2e-4 * h => {}
                    // It would push into the box; on the medial surface of the object, either way may be taken.
                    None => {
                        left += 1;
                        let clear = out_of_corner(&push, number) > 0.6 && depth < 0.5 * h;
                        assert!(!clear, "{seed}: corner {number} is missing, {depth} deep, {push}");
                    }
                }
            }

            let ends = [Vector::x(), -Vector::x()].map(|v| Point::from(v * size * (1.0 + 2.0 * unit(seed, 70))));
            let capsule = Capsule { ends, radius: size * (0.2 + 0.5 * unit(seed, 71)) };
            let found = touching(object, &world, &capsule, &(world * at), &full(margin));
            let depth = |t: f64| exact.depth(&(at * (ends[0] + (ends[1] - ends[0]) * t))).0;
            let best = (0..=100).map(|k| k as f64 / 100.0).max_by(|a, b| depth(*a).total_cmp(&depth(*b))).unwrap();
            let near = (-60..=60).map(|k| depth((best + k as f64 / 6000.0).clamp(0.0, 1.0)));
            let most = near.fold(f64::NEG_INFINITY, f64::max);
            let expected = capsule.radius + most;
            if expected > -margin + 0.01 * capsule.radius {
                capsules += 1;
                let deepest = found.iter().filter(of_b).map(|c| c.depth as f64).fold(f64::NEG_INFINITY, f64::max);
                let error = (deepest - expected).abs();
                if most < 0.0 {
                    worst[2] = worst[2].max(error / capsule.radius);
                    fine += (error <= 0.003 * capsule.radius) as usize;
                    outside += 1;
                }
                // Next to its ends the axis is not searched.
                let allowed = allowed(most) + 0.035 * capsule.radius;
                assert!(error <= allowed, "body {number}, {seed}: {deepest} instead of {expected}");
            }
        }
    }
    println!(
        "{balls} balls (outside off by up to {:.1e} h), {corners} corners ({:.1e} h), {left} that would push in, {capsules} \
         capsules ({:.1e} of the radius; {fine} of {outside} whose axis is outside within 0.003)",
        worst[0], worst[1], worst[2]
    );
    assert!(fine * 10 >= outside * 9);
    assert!(balls > 150 && corners > 300 && capsules > 150 && left < corners);
}
