//! Bodies in Rapier's world: they come to rest, stacks stand, and breaking gives nothing and takes nothing.

use fracas::contact::{Mode, QueryOptions, query_pair};
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, fracture, shapes};
use fracas_rapier::{FcDispatcher, Material, blow_on, break_if_hit, insert, object_of, replace, shape_of, world};
use rapier3d::geometry::Array2;
use rapier3d::prelude::*;
use std::f32::consts::FRAC_PI_2;
use std::sync::{Arc, LazyLock};

const STEP: f32 = 0.005;

/// A cube of 10 cm.
static CUBE: LazyLock<Arc<Asset>> =
    LazyLock::new(|| Asset::cook(shapes::cuboid([0.1; 3], [6; 3]), &CookOptions::default()).unwrap());

fn cube() -> Object {
    Object::intact(&CUBE).remove(0)
}

fn falling(at: Vector) -> RigidBodyBuilder {
    RigidBodyBuilder::dynamic().translation(at).soft_ccd_prediction(0.05)
}

fn run(world: &mut PhysicsWorld, seconds: f32) {
    for _ in 0..(seconds / STEP).round() as usize {
        world.step();
    }
}

#[track_caller]
fn at_rest(world: &PhysicsWorld, body: RigidBodyHandle, what: &str) {
    let body = &world.bodies[body];
    let speed = body.linvel().length().max(0.05 * body.angvel().length());
    assert!(body.is_sleeping() || speed < 0.01, "{what} moves at {speed} m/s");
}

#[test]
fn a_cube_comes_to_rest_on_every_shape() {
    let at = |z: f32| Pose::translation(0.0, 0.0, z);
    let corner = |k: u32| Vector::new((k & 1) as f32 - 0.5, (k >> 1 & 1) as f32 - 0.5, (k >> 2) as f32 * 0.2 - 0.1);
    let grid = |k: usize| Vector::new((k % 21) as f32 * 0.05 - 0.5, (k / 21) as f32 * 0.05 - 0.5, 0.0);
    let cell = |k: usize| (k / 20 * 21 + k % 20) as u32;
    let triangles = (0..400).map(cell).flat_map(|a| [[a, a + 1, a + 22], [a, a + 22, a + 21]]);
    let upright = Pose::rotation(Vector::X * FRAC_PI_2);
    // Three balls, or two capsules, carry a cube.
    let balls = (0..3).map(|k| Rotation::from_rotation_z(k as f32 * 2.0944) * Vector::new(0.035, 0.0, -0.03));
    let balls = balls.map(|p| (Pose::from_translation(p), SharedShape::ball(0.03))).collect();
    let capsules = [-0.03f32, 0.03].map(|x| (Pose::translation(x, 0.0, -0.02), SharedShape::capsule_y(0.1, 0.02)));
    let floors = [
        ("half-space", SharedShape::halfspace(Vector::Z), at(0.0)),
        ("cuboid", SharedShape::cuboid(0.5, 0.5, 0.1), at(-0.1)),
        ("convex polyhedron", SharedShape::convex_hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap(), at(-0.1)),
        ("triangle mesh", SharedShape::trimesh((0..441).map(grid).collect(), triangles.collect()).unwrap(), at(0.0)),
        ("height field", SharedShape::heightfield(Array2::repeat(11, 11, 0.0), Vector::new(1.0, 1.0, 1.0)), upright),
        ("cylinder", SharedShape::cylinder(0.1, 0.5), at(-0.1) * upright),
        ("balls", SharedShape::compound(balls), at(0.0)),
        ("capsules", SharedShape::compound(capsules.into()), at(0.0)),
    ];
    for (name, floor, place) in floors {
        // Which collider is first depends on which was there first.
        for floor_first in [true, false] {
            let mut world = world(0.1, STEP);
            let ground = |world: &mut PhysicsWorld| {
                world.insert(RigidBodyBuilder::fixed().pose(place), ColliderBuilder::new(floor.clone()));
            };
            if floor_first {
                ground(&mut world);
            }
            let (body, _) = insert(&mut world, cube(), falling(Vector::new(0.002, 0.001, 0.08)));
            if !floor_first {
                ground(&mut world);
            }
            run(&mut world, 2.0);
            at_rest(&world, body, name);
            let off = world.bodies[body].translation() - Vector::new(0.002, 0.001, 0.05);
            println!("{name}: off by {:.3} mm, asleep: {}", 1e3 * off.length(), world.bodies[body].is_sleeping());
            assert!(off.z.abs() < 0.0002 && off.length() < 0.002, "{name}, floor first {floor_first}: off by {off}");
        }
    }
}

/// To Rapier's solver a flat cube of Fracas is what its own is: it lands alike, and turns and slides alike when it does.
#[test]
fn a_cube_moves_as_one_of_rapier_does() {
    let path = |native: bool| {
        let mut world = world(0.1, STEP);
        // As many contacts as theirs has.
        let mut dispatcher = FcDispatcher::default();
        dispatcher.options.max_per_normal = 4;
        world.narrow_phase = NarrowPhase::with_query_dispatcher(dispatcher.before_default());
        world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::new(SharedShape::halfspace(Vector::Z)));
        let body = falling(Vector::new(0.0, 0.0, 0.15)).linvel(Vector::new(0.3, 0.0, -1.0));
        let (body, _) = match native {
            true => world.insert(body, ColliderBuilder::cuboid(0.05, 0.05, 0.05).density(1000.0)),
            false => insert(&mut world, cube(), body),
        };
        let mut places = vec![];
        for _ in 0..200 {
            world.step();
            places.push(*world.bodies[body].position());
        }
        places
    };
    for (step, (ours, theirs)) in path(false).iter().zip(&path(true)).enumerate() {
        let (apart, turned) = (ours.translation - theirs.translation, ours.rotation.angle_between(theirs.rotation));
        assert!(apart.length() < 0.001 && turned < 0.02, "{apart} and {turned} apart after {step} steps");
    }
}

#[test]
fn a_ball_rests_on_a_fixed_object_and_an_object_on_another() {
    let mut world = world(0.1, STEP);
    world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::new(SharedShape::halfspace(Vector::Z)));
    insert(&mut world, cube(), RigidBodyBuilder::fixed().translation(Vector::Z * 0.05));
    let (ball, _) = world.insert(
        RigidBodyBuilder::dynamic().translation(Vector::new(0.02, 0.011, 0.13)).angular_damping(5.0),
        ColliderBuilder::ball(0.02).density(1000.0),
    );
    let (above, _) = insert(&mut world, cube(), falling(Vector::new(0.5, 0.5, 0.051)));
    let (top, _) = insert(&mut world, cube(), falling(Vector::new(0.51, 0.5, 0.16)));
    run(&mut world, 2.0);
    for (body, z) in [(ball, 0.12), (above, 0.05), (top, 0.15)] {
        at_rest(&world, body, "it");
        let height = world.bodies[body].translation().z;
        assert!((height - z).abs() < 0.0002, "{height} is not {z}");
    }
}

#[test]
fn stacks_stay_where_they_are_for_a_minute() {
    let brick = Asset::cook(shapes::preset::brick(), &CookOptions::default()).unwrap();
    for (name, object, height) in [("cube", cube(), 0.1), ("brick", Object::intact(&brick).remove(0), 0.065)] {
        let mut world = world(0.1, STEP);
        world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::new(SharedShape::halfspace(Vector::Z)));
        let place = |k: usize| Vector::Z * height * (k as f32 + 0.5);
        let bodies: Vec<_> = (0..6).map(|k| insert(&mut world, object.clone(), falling(place(k))).0).collect();
        // Awake all the time, so that it is the contacts that hold it.
        for body in &bodies {
            world.bodies[*body].activation_mut().normalized_linear_threshold = -1.0;
        }
        run(&mut world, 60.0);
        for (k, body) in bodies.iter().enumerate() {
            at_rest(&world, *body, name);
            let drift = world.bodies[*body].translation() - place(k);
            println!("{name} {k}: drift {:.3} mm, {:.3} of it down", 1e3 * drift.length(), -1e3 * drift.z);
            assert!(drift.length() < 0.001, "{name} {k} is off by {drift}");
        }
    }
}

/// Mass, momentum, angular momentum about the origin, and energy, by the formulas.
fn ledger(world: &PhysicsWorld, bodies: &[RigidBodyHandle]) -> (f64, fracas::Vector, fracas::Vector, f64) {
    let wide = |v: Vector| fracas::Vector::new(v.x.into(), v.y.into(), v.z.into());
    let mut sum = (0.0, fracas::Vector::zeros(), fracas::Vector::zeros(), 0.0);
    for body in bodies {
        let (mass, body) = (object_of(world, *body).unwrap().mass(), &world.bodies[*body]);
        let (v, w, q) = (wide(body.linvel()), wide(body.angvel()), body.rotation());
        let turn = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(
            q.w.into(),
            q.x.into(),
            q.y.into(),
            f64::from(q.z),
        ));
        let centre = wide(body.translation()) + turn * mass.centre.coords;
        let spin = turn * (mass.inertia * (turn.inverse() * w));
        sum.0 += mass.mass;
        sum.1 += v * mass.mass;
        sum.2 += centre.cross(&v) * mass.mass + spin;
        sum.3 += 0.5 * (mass.mass * v.norm_squared() + w.dot(&spin)) + 9.81 * mass.mass * centre.z;
    }
    sum
}

#[test]
fn breaking_in_flight_changes_neither_momentum_nor_energy() {
    let mut world = world(0.1, STEP);
    let thrown = falling(Vector::Z).linvel(Vector::new(1.0, 2.0, 3.0)).angvel(Vector::new(2.0, -3.0, 1.0));
    let (body, collider) = insert(&mut world, cube(), thrown.user_data(7));
    world.colliders[collider].set_friction(0.3);
    run(&mut world, 0.05);
    let before = ledger(&world, &[body]);
    assert!((before.0 / f64::from(world.bodies[body].mass()) - 1.0).abs() < 1e-6, "Rapier weighs it alike");

    let pattern = Pattern::random_voronoi(12, 1);
    let broken = fracture(&cube(), &pattern, &FractureOptions::default()).unwrap().broken().unwrap();
    let pieces = replace(&mut world, body, broken.objects);
    assert!(pieces.len() >= 12 && world.bodies.get(body).is_none());
    for piece in &pieces {
        let (body, mass) = (&world.bodies[*piece], object_of(&world, *piece).unwrap().mass());
        assert!(body.user_data == 7 && world.colliders[body.colliders()[0]].friction() == 0.3);
        assert!((f64::from(body.mass()) / mass.mass - 1.0).abs() < 1e-5, "Rapier weighs fragments alike");
    }
    for steps in [0, 1, 60] {
        for _ in 0..steps {
            world.step();
        }
        let after = ledger(&world, &pieces);
        let fallen = if steps == 0 { 0.0 } else { 9.81 * f64::from(STEP) * if steps == 1 { 1.0 } else { 61.0 } };
        let momentum = before.1 - fracas::Vector::z() * (before.0 * fallen);
        println!(
            "after {steps}: momentum off by {:.1e}, energy {:.6}",
            (after.1 - momentum).norm(),
            after.3 / before.3
        );
        assert!((after.0 / before.0 - 1.0).abs() < 1e-5);
        assert!((after.1 - momentum).norm() < 1e-3 * before.1.norm(), "{} is not {momentum}", after.1);
        assert!((after.3 / before.3 - 1.0).abs() < 2e-3, "energy {} is not {}", after.3, before.3);
        if steps == 0 {
            assert!((after.2 - before.2).norm() < 1e-5 * before.2.norm(), "{} is not {}", after.2, before.2);
        }
    }
}

#[test]
fn a_blow_is_what_stops_a_body() {
    let mut world = world(0.1, STEP);
    world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::new(SharedShape::halfspace(Vector::Z)));
    let (body, _) = insert(&mut world, cube(), falling(Vector::new(0.0, 0.0, 0.15)).linvel(-Vector::Z));
    let (mut hit, mut rest) = (Vector::ZERO, Vector::ZERO);
    for _ in 0..100 {
        let before = world.bodies[body].linvel();
        world.step();
        // 1 kg: as many N s as m/s.
        let change = world.bodies[body].linvel() - before + Vector::Z * 9.81 * STEP;
        let Some(blow) = blow_on(&world, body) else { continue };
        if change.z > 1.0 {
            hit = blow.impulse;
            assert!((hit.z / change.z - 1.0).abs() < 0.02, "{hit} is not {change}");
            assert!(blow.point.length() < 0.02, "near the middle of its foot, not at {}", blow.point);
        }
        rest = blow.impulse;
    }
    assert!(hit.z > 1.0, "it was hit");
    assert!((rest.z / (9.81 * STEP) - 1.0).abs() < 0.05, "at rest it is carried: {rest}");
}

#[test]
fn a_cube_breaks_if_the_blow_is_hard_enough_and_its_pieces_come_to_rest() {
    let material = Material { strength: 250.0, ..Material::default() };
    for (height, breaks) in [(0.1, false), (0.6, true)] {
        let mut world = world(0.1, STEP);
        world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::new(SharedShape::halfspace(Vector::Z)));
        let (body, _) = insert(&mut world, cube(), falling(Vector::new(0.0, 0.0, 0.05 + height)));
        let mut bodies = vec![body];
        let mut energy = f64::INFINITY;
        let mut since = 0;
        for _ in 0..600 {
            world.step();
            let pieces = if bodies.len() == 1 { break_if_hit(&mut world, body, &material, 3) } else { vec![] };
            if !pieces.is_empty() {
                bodies = pieces;
                energy = ledger(&world, &bodies).3;
            }
            since += (bodies.len() > 1) as u32;
            if since <= 30 {
                let now = ledger(&world, &bodies).3;
                assert!(now <= 1.01 * energy, "{now} J after {since} steps, {energy} J before");
            }
        }
        assert_eq!(bodies.len() > 1, breaks);
        bodies.iter().for_each(|body| at_rest(&world, *body, "a piece"));
        let deepest = deepest(&world, &bodies);
        println!("{} pieces, at most {:.3} mm deep", bodies.len(), 1e3 * deepest);
        assert!(deepest <= 0.005 * 0.0866, "{deepest}");
    }
}

/// How deep bodies are in each other and in the floor, in all points that touch.
fn deepest(world: &PhysicsWorld, bodies: &[RigidBodyHandle]) -> f64 {
    let pose = |body: &RigidBodyHandle| {
        let pose = world.bodies[*body].position();
        let (t, q) = (pose.translation, pose.rotation);
        fracas::geom::Pose::from_parts(
            fracas::Vector::new(t.x.into(), t.y.into(), t.z.into()).into(),
            nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(
                q.w.into(),
                q.x.into(),
                q.y.into(),
                f64::from(q.z),
            )),
        )
    };
    let options = QueryOptions { mode: Mode::Full, ..QueryOptions::default() };
    let mut contacts = vec![];
    for (k, a) in bodies.iter().enumerate() {
        for b in &bodies[..k] {
            let (object_a, object_b) = (object_of(world, *a).unwrap(), object_of(world, *b).unwrap());
            query_pair(object_a, &pose(a), object_b, &pose(b), &options, &mut contacts).unwrap();
        }
    }
    let between = contacts.iter().map(|contact| f64::from(contact.depth)).fold(0.0, f64::max);
    let in_floor = bodies.iter().map(|body| {
        let solid = object_of(world, *body).unwrap();
        let at = pose(body);
        let nodes = solid.nodes().iter().map(|n| &solid.asset().solid().nodes()[*n as usize]);
        let points = nodes.chain(solid.crack_points().iter().map(|p| &p.at));
        points.map(|p| -(at * p).z).fold(0.0, f64::max)
    });
    assert!(bodies.iter().all(|body| shape_of(world, *body).is_some()));
    in_floor.fold(between, f64::max)
}
