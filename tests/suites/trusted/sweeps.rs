//! Sweeps against brute force: many small steps with separating axes at each (`common::swept`).

use crate::common::dice::Dice;
use crate::common::few::{Few, bodies};
use crate::common::on_all_cores;
use crate::common::swept::{Convex, Flight, first_touch, separation_at};
use crate::common::touch::Mesh;
use fracas::contact::{
    Contact, Impact, Motion, QueryOptions, SweepOptions, SweepPair, query_pair, query_pair_ahead, query_shape_ahead,
    sweep_pair, sweep_pairs, sweep_shape,
};
use fracas::field::shape::{Ball, Capsule, Cuboid, Custom, HalfSpace, Hull};
use fracas::fracture::pattern::Roughness;
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Point, Solid, Tasks, Vector, fracture, shapes};
use nalgebra::UnitQuaternion;

/// What a sweep found beside the truth.
#[derive(Clone, Copy, Debug)]
struct Judged {
    found: Option<Impact>,
    truth: Option<f64>,
    /// Least separation over all steps, and that at the time found, in metres.
    least: f64,
    then: f64,
    /// Closing speed at the true time, per step.
    speed: f64,
    way: f64,
    radius: f64,
}

impl Judged {
    fn error(&self) -> Option<f64> {
        Some(self.truth? - self.found?.time)
    }
}

fn mesh(object: &Object) -> Mesh {
    let surface = object.surface();
    Mesh { points: surface.vertices, triangles: surface.triangles.iter().map(|t| t.corners).collect() }
}

fn intact(solid: Solid) -> Object {
    Object::intact(&Asset::cook(solid, &CookOptions::default()).unwrap()).remove(0)
}

fn judge(
    (a, parts, of_a): (&Object, &[Convex], &Flight),
    (b, whole, of_b): (&Object, &Convex, &Flight),
    steps: usize,
    far: f64,
) -> Judged {
    let (poses_a, poses_b) = (of_a.ends(), of_b.ends());
    let found = sweep_pair(a, poses_a.each_ref(), b, poses_b.each_ref(), &SweepOptions::default()).unwrap();
    let separation = |t: f64, far: f64| separation_at((parts, of_a), (whole, of_b), t, far);
    let (truth, least) = first_touch(steps, |t| separation(t, far));
    let then = found.map_or(f64::NAN, |found| separation(found.time, f64::INFINITY));
    let speed = truth.map_or(f64::NAN, |t| separation((t - 1e-4).max(0.0), f64::INFINITY) / 1e-4f64.min(t));
    let radius = a.bounds().radius().min(b.bounds().radius());
    let way =
        (of_a.way - of_b.way).norm() + a.bounds().radius() * of_a.angle.abs() + b.bounds().radius() * of_b.angle.abs();
    Judged { found, truth, least, then, speed, way, radius }
}

/// Checks all and prints a line: none is missed, none is late, and times are right where bodies do not graze.
fn check(name: &str, judged: &[Judged]) {
    let hits: Vec<&Judged> = judged.iter().filter(|j| j.truth.is_some()).collect();
    let missed: Vec<&&Judged> = hits.iter().filter(|j| j.found.is_none()).collect();
    let late = hits.iter().filter_map(|j| j.error()).fold(0.0, |most, error| f64::max(most, -error));
    let fair: Vec<f64> = hits.iter().filter(|j| j.speed > 0.2 * j.way).filter_map(|j| j.error()).collect();
    let early = fair.iter().copied().fold(0.0, f64::max);
    let grazing = hits.iter().filter_map(|j| j.error()).fold(0.0, f64::max);
    let invented: Vec<&Judged> = judged.iter().filter(|j| j.truth.is_none() && j.found.is_some()).collect();
    let farthest = judged.iter().filter(|j| j.found.is_some()).map(|j| j.then / j.radius).fold(0.0, f64::max);
    let inexact = judged.iter().filter(|j| j.found.is_some_and(|found| !found.is_exact)).count();
    println!(
        "{name}: {} sweeps, {} touch, {} missed, late by {late:.1e}, early by {early:.1e} ({} fair) {grazing:.1e} (all), \
         {} touch within tolerance only, gaps then up to {farthest:.1e} of the radius, {inexact} not exact",
        judged.len(),
        hits.len(),
        missed.len(),
        fair.len(),
        invented.len()
    );
    assert!(missed.is_empty(), "{name}: {:?}", missed[0]);
    assert!(late < 1e-9, "{name}: late by {late:e}");
    assert!(early < 1e-4, "{name}: early by {early:e}");
    assert!(farthest < 2e-4, "{name}: {farthest:e} of the radius apart");
    assert!(invented.iter().all(|j| j.least < 1e-4 * j.radius), "{name}: invented");
    assert!(inexact == 0, "{name}: {inexact} did not converge");
}

#[test]
fn convex_bodies_of_few_nodes() {
    let bodies: Vec<Few> = bodies(6, 5).into_iter().filter(|body| body.hull.points.len() <= 12).collect();
    let objects: Vec<Object> = on_all_cores(bodies.iter().collect(), |body: &Few| body.object());
    let hulls: Vec<Convex> = bodies.iter().map(|body| Convex::new(&body.hull)).collect();
    let judged = on_all_cores((0..200).collect(), |number: u64| {
        let mut dice = Dice::new(number + 77);
        let [a, b] = [dice.index(bodies.len()), dice.index(bodies.len())];
        let flight = |k: usize, dice: &mut Dice, from: Point, to: Point| Flight {
            centre: objects[k].in_metres().mass().centre,
            from,
            way: to - from,
            start: dice.rotation(),
            axis: dice.direction(),
            angle: if dice.happens(0.3) { 0.0 } else { dice.between(0.0, 3.0) },
        };
        let apart = bodies[a].hull.radius() + bodies[b].hull.radius();
        let from = Point::from(dice.direction() * apart * dice.between(1.0, 3.0));
        let through = Point::from(dice.in_ball() * apart * 0.7);
        let to = from + (through - from) * dice.between(0.5, 2.5);
        let of_a = flight(a, &mut dice, from, to);
        let drift = Point::from(dice.in_ball() * apart * 0.3);
        let of_b = flight(b, &mut dice, Point::origin(), drift);
        judge((&objects[a], &hulls[a..=a], &of_a), (&objects[b], &hulls[b], &of_b), 500, f64::INFINITY)
    });
    check("few nodes", &judged);
    assert!(judged.iter().filter(|j| j.truth.is_some()).count() > 80);
}

const ROUGH: Roughness = Roughness { amplitude: 0.03, wavelength: 3.0, seed: 7 };

fn pieces(solid: Solid, count: u32, is_rough: bool) -> Vec<Object> {
    let whole = intact(solid);
    let smooth = Pattern::random_voronoi(count, 5);
    let pattern = if is_rough { smooth.rough(ROUGH) } else { smooth };
    fracture(&whole, &pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects
}

/// Fragments of 1 to 10 cm at a plate of 5 mm, 5 to 500 m/s, 60 Hz.
#[test]
fn fragments_do_not_tunnel_through_plates() {
    let plate = intact(shapes::cuboid([0.6, 0.6, 0.005], [8, 8, 1]));
    let plate_hull = Convex::new(&mesh(&intact(shapes::cuboid([0.6, 0.6, 0.005], [1, 1, 1]))));
    for (name, solid, is_rough) in [
        ("smooth pieces of a box", shapes::cuboid([0.16, 0.14, 0.12], [4, 4, 3]), false),
        ("rough pieces of a box", shapes::cuboid([0.16, 0.14, 0.12], [4, 4, 3]), true),
        ("smooth pieces of a torus", shapes::torus(0.08, 0.03, 24, 5), false),
    ] {
        let pieces = pieces(solid, 10, is_rough);
        let parts: Vec<Vec<Convex>> = pieces.iter().map(|piece| Convex::triangles(&mesh(piece))).collect();
        let judged = on_all_cores((0..6).collect(), |number: u64| {
            let mut dice = Dice::new(number);
            let k = dice.index(pieces.len());
            let speed = dice.scale(5.0, 500.0);
            let (way, apart) = (speed / 60.0, pieces[k].bounds().radius() + 0.003);
            // From above the plate, slanted, to where it would be without the plate.
            let direction = Vector::new(dice.between(-0.7, 0.7), dice.between(-0.7, 0.7), -1.0).normalize();
            let through = Point::new(dice.between(-0.35, 0.35), dice.between(-0.35, 0.35), 0.0);
            let before = (apart / -direction.z + dice.unit() * 0.9 * way).min(way);
            let of_a = Flight {
                centre: pieces[k].in_metres().mass().centre,
                from: through - direction * before,
                way: direction * way,
                start: dice.rotation(),
                axis: dice.direction(),
                angle: dice.between(0.0, 1.5),
            };
            let of_b = Flight::still(&Pose::identity());
            let steps = (way / 0.002).ceil().clamp(50.0, 4000.0) as usize;
            judge((&pieces[k], &parts[k], &of_a), (&plate, &plate_hull, &of_b), steps, 0.01)
        });
        check(name, &judged);
    }
}

fn cuboid(size: [f64; 3]) -> Object {
    intact(shapes::cuboid(size, [1, 1, 1]))
}

fn hull(object: &Object) -> Convex {
    Convex::new(&mesh(object))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation(x, y, z)
}

fn sweep(a: &Object, poses_a: [Pose; 2], b: &Object, poses_b: [Pose; 2]) -> Option<Impact> {
    sweep_pair(a, poses_a.each_ref(), b, poses_b.each_ref(), &SweepOptions::default()).unwrap()
}

/// A bar through the hole of a torus and at its rim: the hulls meet long before, or nothing meets at all.
#[test]
fn bodies_that_are_not_convex() {
    let torus = intact(shapes::torus(0.1, 0.03, 16, 4));
    let parts = Convex::triangles(&mesh(&torus));
    let bar = cuboid([0.02, 0.02, 0.2]);
    let bar_hull = hull(&bar);
    let judged = on_all_cores((0..32).collect(), |number: u64| {
        let mut dice = Dice::new(number + 9000);
        let through = Point::from(dice.in_ball().component_mul(&Vector::new(0.1, 0.1, 0.02)));
        let direction = (Vector::z() + dice.in_ball() * 0.4).normalize();
        let of_bar = Flight {
            centre: Point::origin(),
            from: through - direction * dice.between(0.2, 0.4),
            way: direction * dice.between(0.4, 1.0),
            start: UnitQuaternion::from_scaled_axis(dice.in_ball() * 0.5),
            axis: dice.direction(),
            angle: dice.between(0.0, 1.0),
        };
        let of_torus = Flight {
            centre: torus.in_metres().mass().centre,
            way: dice.in_ball() * 0.05,
            axis: dice.direction(),
            angle: if dice.happens(0.5) { 0.0 } else { dice.between(0.0, 0.5) },
            ..Flight::still(&Pose::identity())
        };
        judge((&torus, &parts, &of_torus), (&bar, &bar_hull, &of_bar), 200, 0.02)
    });
    check("bar and torus", &judged);
    let free = judged.iter().filter(|j| j.found.is_none()).count();
    assert!((1..28).contains(&free), "{free} of 32 fly through");
}

/// A thin bar sweeps over a thin post between two frames, and is clear of it in both.
#[test]
fn spinning_bars_are_found() {
    let (bar, post) = (cuboid([2.0, 0.01, 0.01]), cuboid([0.01, 0.01, 1.0]));
    let still = [at(0.0, 0.0, 0.0); 2];
    for (radius, angle) in [(0.95, 1.2), (0.5, 0.7), (0.99, 2.9), (0.2, 0.3)] {
        for turn in [1.5f64, 3.0] {
            let turned = Pose::new(Vector::zeros(), Vector::z() * turn);
            let poses = [at(radius * f64::cos(angle), radius * f64::sin(angle), 0.0); 2];
            let found = sweep(&bar, [still[0], turned], &post, poses);
            let of_bar = Flight { axis: Vector::z(), angle: turn, ..Flight::still(&still[0]) };
            let of_post = Flight::still(&poses[0]);
            let hulls = [hull(&bar), hull(&post)];
            let truth =
                first_touch(4000, |t| separation_at((&hulls[..1], &of_bar), (&hulls[1], &of_post), t, f64::INFINITY));
            let error = truth.0.map(|t| t - found.expect("the bar meets the post").time);
            assert_eq!(truth.0.is_some(), found.is_some(), "at {radius}, {angle}: {found:?} for {truth:?}");
            assert!(error.is_none_or(|error| (0.0..1e-4).contains(&error)), "{error:?}");
            if let Some(found) = found {
                assert!(found.contact.normal[2].abs() < 1e-6 && found.is_exact);
            }
        }
    }
    // From the start pose to the end pose nothing is seen of it.
    let mut contacts = vec![];
    query_pair(&bar, &still[0], &post, &at(0.3, 0.6, 0.0), &QueryOptions::default(), &mut contacts).unwrap();
    assert!(contacts.is_empty());
}

/// Bodies that pass by a little off do not meet; nor do those that turn past each other.
#[test]
fn near_misses_are_misses() {
    let (cube, plate) = (cuboid([0.1; 3]), cuboid([1.0, 1.0, 0.005]));
    for off in [1e-3, 1e-4, 2e-5] {
        // Along the plate, and past its edge.
        let z = 0.0525 + off;
        assert!(sweep(&cube, [at(-3.0, 0.0, z), at(3.0, 0.0, z)], &plate, [at(0.0, 0.0, 0.0); 2]).is_none());
        let x = 0.55 + off;
        assert!(sweep(&cube, [at(x, 0.0, 4.0), at(x, 0.0, -4.0)], &plate, [at(0.0, 0.0, 0.0); 2]).is_none());
        let found =
            sweep(&cube, [at(x - 2.0 * off, 0.0, 4.0), at(x - 2.0 * off, 0.0, -4.0)], &plate, [at(0.0, 0.0, 0.0); 2]);
        assert!((found.expect("it meets the rim").time - (4.0 - 0.0525) / 8.0).abs() < 1e-4);
    }
    // Two that turn and fly as one rigid body, as fragments do.
    let turn = |x: f64, angle: f64| Pose::new(Vector::new(x * angle.cos(), x * angle.sin(), 0.0), Vector::z() * angle);
    let pair = [turn(-0.0501, 0.0), turn(0.0501, 0.0)];
    let ends = [turn(-0.0501, 0.05), turn(0.0501, 0.05)];
    assert!(sweep(&cube, [pair[0], ends[0]], &cube, [pair[1], ends[1]]).is_none());
}

#[test]
fn bodies_that_touch_at_the_start() {
    let (cube, plate) = (cuboid([0.1; 3]), cuboid([1.0, 1.0, 0.005]));
    let floor = [at(0.0, 0.0, 0.0); 2];
    let top = 0.0525;
    let go = |from: [f64; 3], to: [f64; 3]| {
        let place = |p: [f64; 3]| at(p[0], p[1], p[2]);
        sweep(&cube, [place(from), place(to)], &plate, floor)
    };
    for z in [top, top - 4e-5, top + 1e-7] {
        assert!(go([0.0, 0.0, z], [0.3, 0.0, z]).is_none(), "slides at {z}");
        assert!(go([0.0, 0.0, z], [0.3, 0.0, z + 0.1]).is_none(), "parts from {z}");
        let found = go([0.0, 0.0, z], [0.3, 0.0, z - 0.01]).expect("sinks in");
        assert!(found.time == 0.0 && found.contact.normal[2] > 0.99, "{found:?}");
    }
    // Deep inside, whatever it does.
    let found = go([0.0, 0.0, top - 0.002], [0.0, 0.0, 1.0]).expect("overlaps");
    assert!(found.time == 0.0 && (found.contact.depth - 0.002).abs() < 1e-4, "{found:?}");
    // On the inner floor of a body that is not convex: the hulls overlap, the bodies do not.
    let torus = intact(shapes::torus(0.1, 0.03, 16, 4));
    let bar = cuboid([0.02, 0.02, 0.2]);
    assert!(sweep(&bar, [at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.5)], &torus, floor).is_none());
    let found = sweep(&bar, [at(0.0, 0.0, 0.0), at(0.2, 0.0, 0.1)], &torus, floor).expect("meets the rim");
    assert!(found.time > 0.1 && found.time < 0.5, "{found:?}");
}

#[test]
fn sliding_and_rolling_find_the_wall() {
    let (cube, plate, wall) = (cuboid([0.1; 3]), cuboid([4.0, 4.0, 0.005]), cuboid([0.01, 1.0, 1.0]));
    let poses = [at(0.0, 0.0, 0.0525), at(2.0, 0.0, 0.0525)];
    assert!(sweep(&cube, poses, &plate, [at(0.0, 0.0, 0.0); 2]).is_none());
    let found = sweep(&cube, poses, &wall, [at(1.055, 0.0, 0.0); 2]).expect("the wall");
    assert!((0.0..1e-4).contains(&(0.5 - found.time)), "{found:?}");
    assert!(found.contact.normal[0] < -0.999);
    // A wheel of 32 sides rolls by a tenth of a turn: its centre stays at the height of its corners.
    let corners: Vec<[f64; 3]> = (0..64)
        .map(|k| {
            let angle = std::f64::consts::TAU * (k / 2) as f64 / 32.0;
            [0.1 * angle.cos(), 0.1 * angle.sin(), if k % 2 == 0 { -0.02 } else { 0.02 }]
        })
        .chain([[0.0, 0.0, -0.02], [0.0, 0.0, 0.02]])
        .collect();
    let tets: Vec<[u32; 4]> = (0..32u32)
        .flat_map(|k| {
            let [a, b, c, d] = [2 * k, 2 * k + 1, (2 * k + 2) % 64, (2 * k + 3) % 64];
            [[a, c, 64, 65], [a, b, c, 65], [b, c, d, 65]]
        })
        .collect();
    let wheel = intact(Solid::new(&corners, &tets).unwrap());
    let floor = HalfSpace(Plane { normal: Vector::y(), offset: 0.0 });
    let angle = std::f64::consts::TAU / 10.0;
    let rolled = |by: f64| Pose::new(Vector::new(0.1 * by, 0.1001, 0.0), -Vector::z() * by);
    let still = Pose::identity();
    let options = SweepOptions::default();
    assert!(sweep_shape(&wheel, [&rolled(0.0), &rolled(angle)], &floor, [&still; 2], &options).unwrap().is_none());
    let lower =
        Pose::from_parts((rolled(angle).translation.vector - Vector::y() * 0.05).into(), rolled(angle).rotation);
    let found = sweep_shape(&wheel, [&rolled(0.0), &lower], &floor, [&still; 2], &options).unwrap().unwrap();
    let height = |t: f64| {
        let pose = Flight {
            way: Vector::new(0.1 * angle, -0.05, 0.0),
            axis: -Vector::z(),
            angle,
            ..Flight::still(&rolled(0.0))
        }
        .pose(t);
        corners.iter().map(|p| (pose * Point::from(*p)).y).fold(f64::INFINITY, f64::min)
    };
    let truth = first_touch(4000, height).0.unwrap();
    assert!((0.0..1e-4).contains(&(truth - found.time)), "{} for {truth}", found.time);
}

#[test]
fn swapped_and_far_away_is_the_same() {
    let pieces = pieces(shapes::ball(0.1, 8), 8, true);
    let plate = intact(shapes::cuboid([0.6, 0.6, 0.005], [8, 8, 1]));
    let mut hits = 0;
    for (k, piece) in pieces.iter().enumerate() {
        let mut dice = Dice::new(k as u64);
        let start = Pose::from_parts(dice.in_ball().component_mul(&Vector::new(0.1, 0.1, 0.0)).into(), dice.rotation());
        let poses_a = [at(0.0, 0.0, 0.3) * start, at(0.1, 0.0, -0.7) * start * Pose::rotation(dice.direction())];
        let poses_b = [Pose::identity(), at(0.0, 0.0, 0.02)];
        let one = sweep(piece, poses_a, &plate, poses_b);
        let origin = Some(poses_a[0].translation.vector.into());
        let options = SweepOptions { origin, ..Default::default() };
        let other = sweep_pair(&plate, poses_b.each_ref(), piece, poses_a.each_ref(), &options).unwrap();
        let turned = other.map(|impact| Impact {
            contact: Contact {
                normal: impact.contact.normal.map(|c| -c),
                feature: impact.contact.feature ^ 1 << 31,
                ..impact.contact
            },
            ..impact
        });
        assert_eq!(one, turned);
        let far = |pose: Pose| Pose::translation(1e6, -2e6, 5e5) * pose;
        let away = sweep(piece, poses_a.map(far), &plate, poses_b.map(far));
        hits += one.is_some() as usize;
        let (Some(one), Some(away)) = (one, away) else {
            assert!(one.is_none() && away.is_none());
            continue;
        };
        assert!((one.time - away.time).abs() < 1e-7, "{one:?} {away:?}");
        let apart = (0..3).map(|k| (one.contact.point[k] - away.contact.point[k]).abs()).fold(0.0, f32::max);
        assert!(apart < 2e-4, "{one:?} {away:?}");
    }
    assert!(hits >= 6, "{hits}");
}

/// Plain shapes against the same as bodies, or by their distance functions.
#[test]
fn plain_shapes() {
    let cube = cuboid([0.2, 0.16, 0.1]);
    let cube_hull = hull(&cube);
    let torus = intact(shapes::torus(0.1, 0.03, 16, 4));
    let torus_parts = Convex::triangles(&mesh(&torus));
    let block = cuboid([0.2, 0.3, 0.1]);
    let block_hull = hull(&block);
    let half = Vector::new(0.1, 0.15, 0.05);
    let as_box = Cuboid { centre: Point::origin(), half };
    let planes = (0..6).map(|k| {
        let axis = Vector::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 });
        Plane { normal: axis, offset: half[k / 2] }
    });
    let as_hull = Hull::new(planes.collect()).unwrap();
    let ball = Ball { centre: Point::new(0.0, 0.02, 0.0), radius: 0.08 };
    let capsule = Capsule { ends: [Point::new(-0.1, 0.0, 0.0), Point::new(0.1, 0.05, 0.0)], radius: 0.05 };
    let ground = HalfSpace(Plane { normal: Vector::new(0.0, 0.6, 0.8), offset: -0.1 });
    // Distance of a point from the cube, outside.
    let beyond = |p: &Point| {
        let out = Vector::from_fn(|k, _| (p[k].abs() - [0.1, 0.08, 0.05][k]).max(0.0));
        out.norm()
    };
    let mut count = [0; 6];
    for number in 0..60u64 {
        let mut dice = Dice::new(number);
        let flight = |dice: &mut Dice, far: f64, centre: Point| Flight {
            centre,
            from: Point::from(dice.direction() * far),
            way: Vector::zeros(),
            start: dice.rotation(),
            axis: dice.direction(),
            angle: dice.between(0.0, 2.0),
        };
        let mut of_a = flight(&mut dice, 0.6, Point::origin());
        of_a.way = Point::from(dice.in_ball() * 0.2) - of_a.from + dice.in_ball() * 0.5;
        let mut of_b = flight(&mut dice, 0.01, Point::origin());
        of_b.way = dice.in_ball() * 0.2;
        if number % 3 == 0 {
            of_b.angle = 0.0;
        }
        let (poses_a, poses_b) = (of_a.ends(), of_b.ends());
        let placed = |t: f64| of_a.pose(t).inv_mul(&of_b.pose(t));
        let options = SweepOptions::default();
        let mut compare = |kind: usize, found: Option<Impact>, truth: (Option<f64>, f64)| {
            let (truth, least) = truth;
            count[kind] += truth.is_some() as usize;
            match (found, truth) {
                (Some(found), Some(truth)) => {
                    let error = truth - found.time;
                    assert!(error > -1e-9 && error < 3e-4, "{kind}, {number}: {error:e}");
                }
                (None, Some(_)) => panic!("{kind}, {number}: missed"),
                (Some(found), None) => {
                    assert!(least < 1e-4 || kind == 1, "{kind}, {number}: {found:?} is {least} apart")
                }
                (None, None) => {}
            }
        };
        let of_cube = |shape: &dyn Fn() -> fracas::Result<Option<Impact>>| shape().unwrap();
        let found = of_cube(&|| sweep_shape(&cube, poses_a.each_ref(), &ground, poses_b.each_ref(), &options));
        let height = |t: f64| {
            let placed = of_b.pose(t).inv_mul(&of_a.pose(t));
            cube_hull.points.iter().map(|p| ground.0.distance(&(placed * p))).fold(f64::INFINITY, f64::min)
        };
        compare(0, found, first_touch(300, height));
        let boxes = |t: f64| separation_at((std::slice::from_ref(&cube_hull), &of_a), (&block_hull, &of_b), t, 1.0);
        let truth = first_touch(300, boxes);
        let found = of_cube(&|| sweep_shape(&cube, poses_a.each_ref(), &as_box, poses_b.each_ref(), &options));
        compare(1, found, truth);
        let found = of_cube(&|| sweep_shape(&cube, poses_a.each_ref(), &as_hull, poses_b.each_ref(), &options));
        compare(2, found, truth);
        let found = of_cube(&|| sweep_shape(&cube, poses_a.each_ref(), &ball, poses_b.each_ref(), &options));
        compare(3, found, first_touch(300, |t| beyond(&(placed(t) * ball.centre)) - ball.radius));
        let found = of_cube(&|| sweep_shape(&cube, poses_a.each_ref(), &capsule, poses_b.each_ref(), &options));
        let axis = |t: f64| {
            let [p, q] = capsule.ends.map(|end| placed(t) * end);
            // The distance is convex along the axis.
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..40 {
                let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
                let [of_a, of_b] = [a, b].map(|s| beyond(&(p + (q - p) * s)));
                *(if of_a > of_b { &mut low } else { &mut high }) = if of_a > of_b { a } else { b };
            }
            beyond(&(p + (q - p) * low)) - capsule.radius
        };
        compare(4, found, first_touch(100, axis));
        // Not convex: by its triangles.
        if number < 24 {
            let found = sweep_shape(&torus, poses_a.each_ref(), &as_box, poses_b.each_ref(), &options).unwrap();
            let truth = first_touch(150, |t| separation_at((&torus_parts, &of_a), (&block_hull, &of_b), t, 0.05));
            compare(5, found, truth);
        }
    }
    println!("hits by shape: {count:?}");
    assert!(count.iter().all(|hits| *hits > 2), "{count:?}");
    let unknown = Custom { signed: |p: &Point| (p.z, Vector::z()), point_count: 0, point: |_| Point::origin() };
    let here = Pose::identity();
    let poses = [&here; 2];
    assert!(sweep_shape(&cube, poses, &unknown, poses, &SweepOptions::default()).is_err());
}

#[test]
fn batches_do_not_depend_on_threads() {
    let pieces = pieces(shapes::torus(0.08, 0.03, 24, 5), 12, true);
    let mut dice = Dice::new(3);
    let poses: Vec<[Pose; 2]> = (0..pieces.len())
        .map(|_| {
            let start = Pose::from_parts((dice.in_ball() * 0.4).into(), dice.rotation());
            [start, Pose::from_parts((dice.in_ball() * 0.02).into(), dice.rotation())]
        })
        .collect();
    let all = (0..pieces.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let pairs: Vec<SweepPair> = all
        .map(|(a, b)| SweepPair { a: (&pieces[a], poses[a].each_ref()), b: (&pieces[b], poses[b].each_ref()) })
        .collect();
    let run = |tasks: &Tasks| -> Vec<Option<Impact>> {
        let results = sweep_pairs(&pairs, &SweepOptions::default(), tasks);
        results.into_iter().map(Result::unwrap).collect()
    };
    let one = run(&Tasks::inline());
    for threads in [2, 3, 7] {
        assert_eq!(one, run(&Tasks::pool(threads).unwrap()));
    }
    let hits = one.iter().flatten().count();
    assert!(hits > 5, "{hits} of {}", one.len());
    let single =
        |pair: &SweepPair| sweep_pair(pair.a.0, pair.a.1, pair.b.0, pair.b.1, &SweepOptions::default()).unwrap();
    assert_eq!(one, pairs.iter().map(single).collect::<Vec<_>>());
}

/// Contacts to come, as the bodies are now.
#[test]
fn contacts_ahead() {
    let (cube, plate) = (cuboid([0.1; 3]), cuboid([1.0, 1.0, 0.005]));
    let motion = |linear: [f64; 3], angular: [f64; 3]| Motion { linear, angular };
    let still = motion([0.0; 3], [0.0; 3]);
    let options = QueryOptions::default();
    let ask = |pose: &Pose, motion: &Motion| {
        let mut contacts = vec![];
        let here = Pose::identity();
        query_pair_ahead(&cube, pose, motion, &plate, &here, &still, 0.02, &options, None, &mut contacts).unwrap();
        contacts
    };
    // 5 cm above the plate, down at 10 m/s: all four corners, as they are now.
    let contacts = ask(&at(0.0, 0.0, 0.1025), &motion([1.0, 0.0, -10.0], [0.0; 3]));
    assert!(contacts.len() >= 4, "{contacts:?}");
    for contact in &contacts {
        assert!((contact.depth + 0.05).abs() < 1e-4 && contact.normal[2] > 0.999, "{contact:?}");
        // Relative to the cube: 5 cm below its centre, and half the gap.
        assert!((contact.point[2] + 0.075).abs() < 1e-3, "{contact:?}");
    }
    assert!(ask(&at(0.0, 0.0, 0.1025), &motion([0.0, 0.0, 10.0], [0.0; 3])).is_empty());
    assert!(ask(&at(0.0, 0.0, 0.3), &motion([0.0, 0.0, -10.0], [0.0; 3])).is_empty());
    // Touching now: the contacts of now.
    let mut now = vec![];
    query_pair(&cube, &at(0.0, 0.0, 0.0525), &plate, &Pose::identity(), &options, &mut now).unwrap();
    assert_eq!(ask(&at(0.0, 0.0, 0.0525), &motion([0.0, 0.0, -10.0], [0.0; 3])), now);
    // Turning: a corner comes down; its gap is how high it is now.
    let contacts = ask(&at(0.0, 0.0, 0.06), &motion([0.0; 3], [0.0, 20.0, 0.0]));
    assert!(!contacts.is_empty());
    for contact in &contacts {
        assert!((contact.depth + 0.0075).abs() < 1e-3, "{contact:?}");
    }
    let floor = HalfSpace(Plane { normal: Vector::z(), offset: 0.0025 });
    let mut contacts = vec![];
    let (pose, down) = (at(0.0, 0.0, 0.1025), motion([1.0, 0.0, -10.0], [0.0; 3]));
    query_shape_ahead(&cube, &pose, &down, &floor, &Pose::identity(), &still, 0.02, &options, None, &mut contacts)
        .unwrap();
    assert!(contacts.len() >= 4 && contacts.iter().all(|c| (c.depth + 0.05).abs() < 1e-4), "{contacts:?}");
}

/// A bar in the hole of a torus flies into its tube: what is given ahead is on the near side, whatever the bar would have passed by the
/// end of the step.
#[test]
fn contacts_ahead_are_on_the_near_side() {
    let torus = intact(shapes::torus(0.1, 0.02, 24, 3));
    let bar = intact(shapes::cuboid([0.05, 0.015, 0.015], [8, 2, 2]));
    let (here, still, options) = (Pose::identity(), Motion::default(), QueryOptions::default());
    let mut met = 0;
    for number in 0..300 {
        let mut dice = Dice::new(number + 700);
        let turn = UnitQuaternion::from_scaled_axis(dice.in_ball() * 3.0);
        let pose = Pose::from_parts((dice.in_ball() * 0.01).into(), turn);
        let linear = dice.direction().component_mul(&Vector::new(1.0, 1.0, 0.2)) * dice.between(1.0, 15.0);
        let motion = Motion { linear: linear.into(), angular: (dice.in_ball() * 10.0).into() };
        let mut contacts = vec![];
        query_pair_ahead(&bar, &pose, &motion, &torus, &here, &still, 0.01, &options, None, &mut contacts).unwrap();
        let deep = contacts.iter().map(|c| c.depth).fold(f32::NEG_INFINITY, f32::max);
        assert!(deep < 1e-3, "{number}: {contacts:?}");
        met += !contacts.is_empty() as u32;
    }
    assert!((50..300).contains(&met), "{met} of 300 met the tube");
}

#[test]
fn arguments_are_checked() {
    let cube = cuboid([0.1; 3]);
    let (good, bad) = (Pose::identity(), at(f64::NAN, 0.0, 0.0));
    let options = SweepOptions::default();
    assert!(sweep_pair(&cube, [&good, &bad], &cube, [&good; 2], &options).is_err());
    let options = SweepOptions { tolerance: Some(-1.0), ..options };
    assert!(sweep_pair(&cube, [&good; 2], &cube, [&good; 2], &options).is_err());
}
