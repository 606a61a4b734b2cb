//! A piggy bank is dropped and breaks into about 27 pieces; beside it stands a stack of bricks. Rapier simulates, Fracas supplies
//! every contact of the bodies. What must hold is checked at the end: the program fails if it does not.
//!
//!     cargo run --release -p fracas-rapier --example drop [seed of the pattern]

use fracas::contact::{Mode, QueryOptions, query_pair, query_shape};
use fracas::field::shape::HalfSpace;
use fracas::geom::plane::Plane;
use fracas::shapes::preset;
use fracas::{Asset, CookOptions, Object, Solid};
use fracas_rapier::{FcShape, Material, break_if_hit, insert, look_ahead, object_of, shape_of, world};
use nalgebra::{Quaternion, UnitQuaternion};
use rapier3d::prelude::*;
use std::process::ExitCode;

const STEP: f32 = 0.005;
const SECONDS: f32 = 6.0;
/// Of a piece. Distances that Rapier tolerates are shares of it.
const SIZE: f32 = 0.1;
/// Steps after the break over which energy is watched.
const WATCHED: usize = 30;

fn main() -> ExitCode {
    let pottery = |solid| Asset::cook(solid, &CookOptions { density: 1900.0, ..CookOptions::default() });
    let object = |solid: Solid| Object::intact(&pottery(solid).expect("presets are sound")).remove(0);
    let seed = match std::env::args().nth(1).map(|given| given.parse::<u64>()) {
        None => 1,
        Some(Ok(seed)) => seed,
        Some(Err(_)) => {
            eprintln!("The seed of the pattern is a whole number, such as 1.");
            return ExitCode::FAILURE;
        }
    };
    println!("Cooking a piggy bank and a brick.");
    let (pig, brick) = (object(preset::piggy_bank()), object(preset::brick()));

    let mut world = world(SIZE, STEP);
    let parameters = &world.integration_parameters;
    println!(
        "Steps of {} ms; slop {} mm, speculative distance {} mm.",
        1e3 * STEP,
        1e3 * parameters.allowed_linear_error(),
        1e3 * parameters.prediction_distance()
    );
    world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::new(SharedShape::halfspace(Vector::Z)));
    let stack: Vec<_> = (0..5)
        .map(|k| {
            let at = Vector::new(0.8, 0.0, 0.065 * (k as f32 + 0.5));
            insert(&mut world, brick.clone(), RigidBodyBuilder::dynamic().translation(at)).0
        })
        .collect();
    let built: Vec<Vector> = stack.iter().map(|brick| world.bodies[*brick].translation()).collect();
    let falling = RigidBodyBuilder::dynamic()
        .pose(Pose::new(Vector::Z * 0.9, Vector::new(1.0, 0.4, 0.0).normalize() * 0.6))
        .linvel(Vector::X * 0.3)
        .angvel(Vector::new(0.5, 1.5, 0.0))
        .linear_damping(0.05)
        .angular_damping(0.5)
        .soft_ccd_prediction(look_ahead(6.0, STEP));
    let (body, _) = insert(&mut world, pig.clone(), falling);

    let material = Material { strength: 120.0, pieces: 20.0, most_pieces: 30, ..Material::default() };
    let mut pieces = vec![body];
    let (mut before, mut most, mut watched) = (f64::INFINITY, f64::NEG_INFINITY, 0);
    for step in 1..=(SECONDS / STEP) as usize {
        world.step();
        if pieces.len() == 1 {
            let fragments = break_if_hit(&mut world, body, &material, seed);
            if !fragments.is_empty() {
                println!("{:5.2} s: breaks into {} pieces", step as f32 * STEP, fragments.len());
                pieces = fragments;
                before = energy(&world, &pieces);
            }
        } else if watched < WATCHED {
            watched += 1;
            most = most.max(energy(&world, &pieces));
        }
        if step % 100 == 0 {
            let contacts: usize = world.contact_pairs().flat_map(|pair| pair.manifolds()).map(|m| m.points.len()).sum();
            let fastest = pieces.iter().map(|piece| speed(&world, *piece)).fold(0.0, f32::max);
            let asleep = pieces.iter().filter(|piece| world.bodies[**piece].is_sleeping()).count();
            let count = pieces.len();
            println!(
                "{:5.2} s: {count:2} bodies, {asleep:2} asleep, fastest {fastest:6.3} m/s, {contacts:3} contacts",
                step as f32 * STEP
            );
        }
    }

    let all: Vec<_> = pieces.iter().chain(&stack).copied().collect();
    let mass: f64 = pieces.iter().filter_map(|piece| object_of(&world, *piece)).map(|piece| piece.mass().mass).sum();
    let restless = all.iter().map(|body| speed(&world, *body)).fold(0.0, f32::max);
    let drift = stack.iter().zip(&built).map(|(brick, at)| (world.bodies[*brick].translation() - at).length());
    let lost = all.iter().filter(|body| world.bodies[**body].translation().length() > 3.0).count();
    let mut right = true;
    let mut check = |what: &str, value: f64, least: f64, most: f64| {
        let holds = (least..=most).contains(&value);
        println!("{:4} {what}: {value:.6} (from {least} to {most})", if holds { "ok" } else { "FAIL" });
        right &= holds;
    };
    check("pieces", pieces.len() as f64, 20.0, 34.0);
    check("mass of all pieces, of the whole", mass / pig.mass().mass, 1.0 - 1e-5, 1.0 + 1e-5);
    check("most energy in the 30 steps after the break, of that before", most / before, 0.0, 1.01);
    check("fastest body at the end, asleep or not, in m/s", restless.into(), 0.0, 0.01);
    check("bodies that have left", lost as f64, 0.0, 0.0);
    let [of_original, of_piece] = deepest(&world, &all);
    check("deepest overlap at rest, in % of the radius of the original", 100.0 * of_original, 0.0, 0.5);
    check("the same, in % of the radius of the smaller piece", 100.0 * of_piece, 0.0, 2.0);
    check("drift of the bricks, in mm", drift.fold(0.0, f32::max) as f64 * 1e3, 0.0, 1.0);
    if right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Of the fastest point of a body; one that sleeps stands still.
fn speed(world: &PhysicsWorld, body: RigidBodyHandle) -> f32 {
    let (body, radius) = (&world.bodies[body], shape_of(world, body).map_or(0.0, |shape| shape.radius() as f32));
    if body.is_sleeping() { 0.0 } else { body.linvel().length() + radius * body.angvel().length() }
}

/// Of motion and height, with the masses of Fracas, in joules.
fn energy(world: &PhysicsWorld, bodies: &[RigidBodyHandle]) -> f64 {
    let energy = |body: &RigidBodyHandle| {
        let Some(object) = object_of(world, *body) else { return 0.0 };
        let (at, mass, body) = (pose(world, *body), object.mass(), &world.bodies[*body]);
        let [v, w] = [body.linvel(), body.angvel()].map(|v| fracas::Vector::new(v.x.into(), v.y.into(), v.z.into()));
        let spin = at.rotation.inverse() * w;
        0.5 * (mass.mass * v.norm_squared() + spin.dot(&(mass.inertia * spin)))
            + 9.81 * mass.mass * (at * mass.centre).z
    };
    bodies.iter().map(energy).sum()
}

/// The deepest point of any body in another or in the floor, of all that touch, as a share of the radius of the smaller of both:
/// of what they were before they broke, and of what they are.
fn deepest(world: &PhysicsWorld, bodies: &[RigidBodyHandle]) -> [f64; 2] {
    let options = QueryOptions { mode: Mode::Full, ..QueryOptions::default() };
    let floor = HalfSpace(Plane { normal: fracas::Vector::z(), offset: 0.0 });
    let radii = |shape: &FcShape| [shape.object().asset().radius(), shape.radius()];
    let mut worst = [0.0f64; 2];
    for (k, a) in bodies.iter().enumerate() {
        let Some(shape_a) = shape_of(world, *a) else { continue };
        let mut contacts = vec![];
        let mut note = |contacts: &mut Vec<fracas::contact::Contact>, radii: [f64; 2]| {
            let depth = contacts.drain(..).map(|contact| f64::from(contact.depth)).fold(0.0, f64::max);
            worst = [0, 1].map(|k| worst[k].max(depth / radii[k]));
        };
        let nowhere = fracas::geom::Pose::identity();
        query_shape(shape_a.object(), &pose(world, *a), &floor, &nowhere, &options, &mut contacts).expect("a pose");
        note(&mut contacts, radii(shape_a));
        for b in &bodies[..k] {
            let Some(shape_b) = shape_of(world, *b) else { continue };
            let (at_a, at_b) = (pose(world, *a), pose(world, *b));
            query_pair(shape_a.object(), &at_a, shape_b.object(), &at_b, &options, &mut contacts).expect("poses");
            note(&mut contacts, [0, 1].map(|k| radii(shape_a)[k].min(radii(shape_b)[k])));
        }
    }
    worst
}

fn pose(world: &PhysicsWorld, body: RigidBodyHandle) -> fracas::geom::Pose {
    let (t, q) = (world.bodies[body].translation(), world.bodies[body].rotation());
    let turn = Quaternion::new(q.w.into(), q.x.into(), q.y.into(), q.z.into());
    let place = fracas::Vector::new(t.x.into(), t.y.into(), t.z.into());
    fracas::geom::Pose::from_parts(place.into(), UnitQuaternion::from_quaternion(turn))
}
