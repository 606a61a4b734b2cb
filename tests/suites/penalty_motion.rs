//! Penalty response in motion (Marchal 2004, 5): energy of bodies that collide, continuity of loads and directions along slides, and
//! bodies that are pushed apart.

use crate::common;

use common::penalty::*;
use fracas::geom::Pose;
use fracas::penalty::{Penalty, PenaltyOptions, PenaltyScratch, Penetrating, SoftBody};
use fracas::solid::{Solid, shapes};
use fracas::{Point, Vector};
use nalgebra::{UnitQuaternion, Vector3};

/// A rigid body of mass 1 made of tetrahedra, its nodes around its centre of mass along its principal axes.
#[derive(Clone)]
struct Rigid {
    soft: SoftBody,
    rest: Vec<Point>,
    inertia: Vector,
    pose: Pose,
    velocity: Vector,
    /// In the frame of the body.
    spin: Vector,
}

impl Rigid {
    fn new(nodes: &[Point], tets: &[[u32; 4]], pose: Pose) -> Self {
        let share = 1.0 / nodes.len() as f64;
        let centre: Vector = nodes.iter().map(|p| p.coords * share).sum();
        let rest: Vec<Point> = nodes.iter().map(|p| p - centre).collect();
        let product = |i: usize, j: usize| rest.iter().map(|p| p[i] * p[j] * share).sum::<f64>();
        assert!([product(0, 1), product(1, 2), product(2, 0)].iter().all(|p| p.abs() < 1e-12), "principal axes");
        let squares = Vector::new(product(0, 0), product(1, 1), product(2, 2));
        let inertia = Vector::repeat(squares.sum()) - squares;
        let mut body = Self {
            soft: SoftBody::new(&rest, tets).unwrap(),
            rest,
            inertia,
            pose,
            velocity: Vector::zeros(),
            spin: Vector::zeros(),
        };
        body.place();
        body
    }

    fn of(solid: &Solid, pose: Pose) -> Self {
        Self::new(solid.nodes(), solid.tets(), pose)
    }

    fn place(&mut self) {
        let pose = self.pose;
        self.soft.set_positions(self.rest.iter().map(|p| pose * p)).unwrap();
        self.soft.update();
    }

    fn kinetic(&self) -> f64 {
        0.5 * (self.velocity.norm_squared() + self.spin.component_div(&self.inertia).dot(&self.spin))
    }

    fn kick(&mut self, force: &Vector, moment: &Vector, time: f64) {
        self.velocity += force * time;
        self.spin += self.pose.rotation.inverse() * moment * time;
    }

    /// Free motion: turns about one principal axis after the other, forth and back, which is symplectic and keeps the length of the
    /// angular momentum.
    fn drift(&mut self, time: f64) {
        self.pose.translation.vector += self.velocity * time;
        for (axis, share) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
            let angle = self.spin[axis] / self.inertia[axis] * time * share;
            let turn = UnitQuaternion::from_axis_angle(&Vector3::ith_axis(axis), angle);
            self.pose.rotation *= turn;
            self.spin = turn.inverse() * self.spin;
        }
        self.pose.rotation.renormalize();
        self.place();
    }
}

/// Two rigid bodies and how they respond.
#[derive(Clone)]
struct Pair {
    bodies: [Rigid; 2],
    options: PenaltyOptions,
    stiffness: f64,
    along: fn(&Penalty) -> Vector,
    scratch: PenaltyScratch,
    found: Vec<Penalty>,
}

impl Pair {
    fn new(bodies: [Rigid; 2], what: Penetrating) -> Self {
        Self {
            bodies,
            options: both(what),
            stiffness: 1.0,
            along: |p| p.gradient,
            scratch: PenaltyScratch::default(),
            found: vec![],
        }
    }

    /// Force and moment on each body.
    fn forces(&mut self) -> [(Vector, Vector); 2] {
        self.found.clear();
        let [a, b] = &self.bodies;
        a.soft.penalties(&b.soft, &self.options, &mut self.scratch, &mut self.found).unwrap();
        let mut sums = [(Vector::zeros(), Vector::zeros()); 2];
        for p in &self.found {
            let force = (self.along)(p) * p.load * self.stiffness;
            for (k, sign) in [(p.side as usize, 1.0), (1 - p.side as usize, -1.0)] {
                sums[k].0 += force * sign;
                sums[k].1 += (p.point.coords - self.bodies[k].pose.translation.vector).cross(&force) * sign;
            }
        }
        sums
    }

    fn kinetic(&self) -> f64 {
        self.bodies.iter().map(Rigid::kinetic).sum()
    }

    /// Half the sum of loads by depths: ½ d² of points, ½ ∫ d² dl of segments.
    fn potential(&mut self) -> f64 {
        self.forces();
        0.5 * self.stiffness * self.found.iter().map(|p| p.load * p.depth).sum::<f64>()
    }

    /// Leapfrog until the bodies have been apart for a while: the deepest that a feature was, or `None` if the time is over before.
    fn run(&mut self, step: f64, until: f64) -> Option<f64> {
        let mut forces = self.forces();
        let (mut deepest, mut met, mut apart) = (0.0f64, !self.found.is_empty(), 0.0);
        for _ in 0..(until / step) as usize {
            let halves = |pair: &mut Self, forces: &[(Vector, Vector); 2]| {
                for (body, (force, moment)) in pair.bodies.iter_mut().zip(forces) {
                    body.kick(force, moment, 0.5 * step);
                }
            };
            halves(self, &forces);
            self.bodies.iter_mut().for_each(|body| body.drift(step));
            forces = self.forces();
            halves(self, &forces);
            met |= !self.found.is_empty();
            deepest = self.found.iter().map(|p| p.depth).fold(deepest, f64::max);
            apart = if met && self.found.is_empty() { apart + step } else { 0.0 };
            if apart > 0.1 {
                return Some(deepest);
            }
        }
        None
    }
}

fn turned(at: [f64; 3], turn: [f64; 3]) -> Pose {
    Pose::new(Vector::from(at), Vector::from(turn))
}

/// Figure 11: the upper edge of one tetrahedron, the lower edge of the other, across each other; `by` is how far they overlap.
fn crossing_tets(by: f64) -> [Rigid; 2] {
    let lower = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.6, -1.0], [0.0, -0.6, -1.0]].map(Point::from);
    let upper = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.6, 0.0, 1.0], [-0.6, 0.0, 1.0]].map(Point::from);
    let tet = [[0, 1, 2, 3]];
    [
        Rigid::new(&lower, &tet, turned([0.05, 0.02, -0.5], [0.0; 3])),
        Rigid::new(&upper, &tet, turned([0.0, 0.0, 0.5 - by], [0.0; 3])),
    ]
}

/// Two bodies apart, on the way towards each other along z, out of line: they turn, and do not part the way they came.
fn scenes() -> Vec<(&'static str, [Rigid; 2])> {
    let cube = shapes::cuboid([1.0; 3], [3; 3]);
    let brick = shapes::cuboid([1.2, 0.8, 0.6], [4, 3, 2]);
    let ball = ball(4);
    let quarter = std::f64::consts::FRAC_PI_4;
    let of = |solid: &Solid, at: [f64; 3], turn: [f64; 3]| Rigid::of(solid, turned(at, turn));
    vec![
        ("face on face", [of(&cube, [0.0; 3], [0.0; 3]), of(&brick, [0.13, 0.22, 0.88], [0.03, 0.05, 0.2])]),
        (
            "edge on edge",
            [of(&cube, [0.0; 3], [quarter, 0.0, 0.0]), of(&cube, [0.07, 0.11, 1.43], [0.0, quarter, 0.0])],
        ),
        ("ball on ball", [of(&ball, [0.0; 3], [0.0; 3]), of(&ball, [0.3, 0.4, 1.96], [0.4, 0.1, 0.3])]),
        ("tetrahedra of figure 11", crossing_tets(-0.02)),
    ]
}

/// Leapfrog's steps in seconds: each is half of the one before.
const STEPS: [f64; 3] = [0.004, 0.002, 0.001];

/// What is gained beyond the error of the integrator, of 1. That error is what halving the step still changes; it shrinks with the step, but
/// unevenly, since forces jump between tetrahedra.
fn is_gain(gains: &[f64]) -> bool {
    let changes = gains.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    let last = gains[gains.len() - 1];
    last > 1e-3 || last > changes.fold(0.0, f64::max) + 1e-5
}

#[test]
fn bodies_that_collide_gain_no_energy() {
    for (name, bodies) in scenes() {
        for what in [Penetrating::Points, Penetrating::Segments] {
            // Soft: they go in deep, through several tetrahedra. Hard: they do not.
            for stiffness in [1.0, 20.0] {
                let mut start = Pair::new(bodies.clone(), what);
                start.stiffness = stiffness;
                start.bodies[0].velocity.z = 0.5;
                start.bodies[1].velocity.z = -0.5;
                assert_eq!(start.potential(), 0.0, "apart");
                let before = start.kinetic();
                let gain = |step: f64, along: fn(&Penalty) -> Vector| {
                    let mut pair = Pair { along, ..start.clone() };
                    let deepest = pair.run(step, 6.0).expect("they part");
                    (pair.kinetic() / before - 1.0, deepest)
                };
                let gains = STEPS.map(|step| gain(step, |p| p.gradient).0);
                let (unit, deepest) = gain(STEPS[2], |p| p.direction);
                let percent = gains.map(|gain| format!("{:.4}", 100.0 * gain)).join(", ");
                println!(
                    "{name}, {what:?}, depth {deepest:.2}: gain {percent} %, along unit directions {:.3} %",
                    100.0 * unit
                );
                assert!(deepest > 0.01, "{name}: they hardly met");
                assert!(!is_gain(&gains), "{name}, {what:?}: {percent} %");
            }
        }
    }
}

#[test]
fn bodies_pressed_together_return_the_work() {
    for (name, bodies) in scenes() {
        for what in [Penetrating::Points, Penetrating::Segments] {
            let mut pair = Pair::new(bodies.clone(), what);
            pair.stiffness = 20.0;
            let mut work = 0.0;
            let step = 0.3 / 1000.0;
            for _ in 0..1000 {
                // The force in the middle of each step.
                pair.bodies[1].pose.translation.vector.z -= 0.5 * step;
                pair.bodies[1].place();
                work += pair.forces()[1].0.z * step;
                pair.bodies[1].pose.translation.vector.z -= 0.5 * step;
            }
            pair.bodies[1].place();
            if pair.found.is_empty() {
                // Figure 11 is blind for points.
                assert_eq!(what, Penetrating::Points);
                continue;
            }
            let potential = pair.potential();
            assert!((potential - work).abs() < 2e-3 * work, "{name}, {what:?}: {potential} for {work}");
            let gains = STEPS.map(|step| {
                let mut released = pair.clone();
                released.run(step, 6.0).expect("they part");
                released.kinetic() / potential - 1.0
            });
            let percent = gains.map(|gain| format!("{:.4}", 100.0 * gain)).join(", ");
            println!("{name}, {what:?}: work {work:.4}, potential {potential:.4}, gain {percent} %");
            assert!(!is_gain(&gains), "{name}, {what:?}: {percent} %");
        }
    }
}

#[test]
fn edges_that_cross_part_where_points_are_blind() {
    // Section 5.2: at rest, overlapping by a tenth of their height.
    let start = |what| {
        let mut pair = Pair::new(crossing_tets(0.1), what);
        pair.stiffness = 50.0;
        pair
    };
    let mut blind = start(Penetrating::Points);
    assert!(blind.run(0.005, 3.0).is_none());
    assert_eq!(blind.kinetic(), 0.0);
    let mut overlap = vec![];
    blind.bodies[0].soft.overlapping_tets(&blind.bodies[1].soft, &mut overlap).unwrap();
    assert_eq!(overlap.len(), 1, "they still overlap");
    for what in [Penetrating::Segments, Penetrating::AllSegments] {
        let mut pair = start(what);
        pair.run(0.002, 3.0).expect("they part");
        overlap.clear();
        pair.bodies[0].soft.overlapping_tets(&pair.bodies[1].soft, &mut overlap).unwrap();
        assert!(overlap.is_empty());
        let speed = [0, 1].map(|k| pair.bodies[k].velocity.z);
        assert!(speed[0] < -0.01 && speed[1] > 0.01, "{speed:?}");
    }
    // Thrown at each other: points pass through, segments do not.
    for (what, passes) in [(Penetrating::Points, true), (Penetrating::Segments, false)] {
        let mut pair = Pair::new(crossing_tets(-0.02), what);
        pair.stiffness = 50.0;
        pair.bodies[0].velocity.z = 0.2;
        pair.bodies[1].velocity.z = -0.2;
        let mut closest = f64::INFINITY;
        for _ in 0..250 {
            pair.run(0.002, 0.0041);
            let [low, high] = [0, 1].map(|k| pair.bodies[k].pose.translation.vector.z);
            closest = closest.min(high - low);
        }
        assert_eq!(closest < 0.7, passes, "{what:?}: {closest}");
    }
}

/// A body of springs along the edges of tetrahedra, each node of mass 1 / nodes.
struct Springs {
    soft: SoftBody,
    velocities: Vec<Vector>,
    edges: Vec<([usize; 2], f64)>,
}

impl Springs {
    const STIFFNESS: f64 = 2.0;

    fn new(solid: &Solid, shift: Vector, velocity: Vector) -> Self {
        let nodes: Vec<Point> = solid.nodes().iter().map(|p| p + shift).collect();
        let pairs = |t: &[u32; 4]| [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(|e| e.map(|k| t[k] as usize));
        let mut edges: Vec<[usize; 2]> =
            solid.tets().iter().flat_map(pairs).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let edges = edges.into_iter().map(|[a, b]| ([a, b], (nodes[a] - nodes[b]).norm())).collect();
        Self { soft: SoftBody::new(&nodes, solid.tets()).unwrap(), velocities: vec![velocity; nodes.len()], edges }
    }

    /// Adds the forces of springs, and returns their energy.
    fn pull(&self, forces: &mut [Vector]) -> f64 {
        let at = self.soft.positions();
        let mut energy = 0.0;
        for ([a, b], rest) in &self.edges {
            let way = at[*b] - at[*a];
            let longer = way.norm() - rest;
            let force = way.normalize() * (Self::STIFFNESS * longer);
            forces[*a] += force;
            forces[*b] -= force;
            energy += 0.5 * Self::STIFFNESS * longer * longer;
        }
        energy
    }
}

#[test]
fn the_energy_of_deforming_bodies_is_reported() {
    // Loads times gradients are the derivative for features that move, not for tetrahedra that deform around them: no bar.
    let solid = ball(4);
    for what in [Penetrating::Points, Penetrating::Segments] {
        for (name, along) in
            [("gradients", (|p| p.gradient) as fn(&Penalty) -> Vector), ("unit directions", |p| p.direction)]
        {
            let mut gains = vec![];
            for step in [0.004, 0.002] {
                let mut bodies = [
                    Springs::new(&solid, Vector::zeros(), Vector::new(0.0, 0.0, 0.3)),
                    Springs::new(&solid, Vector::new(0.2, 0.3, 1.98), Vector::new(0.0, 0.0, -0.3)),
                ];
                let count = solid.nodes().len();
                let mut scratch = PenaltyScratch::default();
                let mut energies = vec![];
                for _ in 0..(4.0 / step) as usize {
                    let mut found = vec![];
                    let [a, b] = &bodies;
                    a.soft.penalties(&b.soft, &both(what), &mut scratch, &mut found).unwrap();
                    let mut on =
                        forces(&found, [count; 2], along).map(|list| list.iter().map(|f| f * 5.0).collect::<Vec<_>>());
                    let pressed: f64 = found.iter().map(|p| 2.5 * p.load * p.depth).sum();
                    let stretched: f64 = bodies.iter().zip(&mut on).map(|(body, on)| body.pull(on)).sum();
                    let mut kinetic = 0.0;
                    for (body, on) in bodies.iter_mut().zip(&on) {
                        for (velocity, force) in body.velocities.iter_mut().zip(on) {
                            // Leapfrog: velocities half a step before and after.
                            let next = *velocity + force * (step * count as f64);
                            kinetic += 0.5 * (0.5 * (next + *velocity)).norm_squared() / count as f64;
                            *velocity = next;
                        }
                        let moved: Vec<Point> =
                            body.soft.positions().iter().zip(&body.velocities).map(|(p, v)| p + v * step).collect();
                        body.soft.set_positions(moved.into_iter()).unwrap();
                        body.soft.update();
                    }
                    energies.push(kinetic + pressed + stretched);
                }
                let gain = energies[energies.len() - 1] / energies[0] - 1.0;
                assert!(gain.is_finite());
                gains.push(format!("{:.3} %", 100.0 * gain));
            }
            println!("deforming, {what:?}, along {name}: gain {}", gains.join(", "));
        }
    }
}

/// A needle that slides through a body: its two ends after each step.
struct Slide {
    from: Point,
    along: Vector,
    needle: Vector,
}

/// Load, and directions by load, of a needle's edge or of its tip.
fn slid(
    body: &SoftBody,
    slide: &Slide,
    share: f64,
    options: &PenaltyOptions,
    scratch: &mut PenaltyScratch,
) -> (f64, Vector) {
    let p = slide.from + slide.along * share;
    let triangle = if options.penetrating[0] == Penetrating::Points { [0; 3] } else { [0, 1, 1] };
    let mut found = vec![];
    body.penalties_of_triangles(&[p, p + slide.needle], &[triangle], options, scratch, &mut found).unwrap();
    (found.iter().map(|f| f.load).sum(), found.iter().map(|f| f.direction * f.load).sum())
}

/// The largest changes of load and of direction between two steps. Directions count where there is a load to speak of, and not where they
/// cancel, at the medial axis.
fn jumps(body: &SoftBody, slide: &Slide, steps: usize, options: &PenaltyOptions) -> (f64, f64) {
    let mut scratch = PenaltyScratch::default();
    let least = if options.penetrating[0] == Penetrating::Points { 0.03 } else { 0.03 * slide.needle.norm() };
    let (mut load_jump, mut turn) = (0.0f64, 0.0f64);
    let mut last: Option<(f64, Vector)> = None;
    for k in 0..=steps {
        let (load, force) = slid(body, slide, k as f64 / steps as f64, options, &mut scratch);
        if let Some((last_load, last_force)) = last {
            load_jump = load_jump.max((load - last_load).abs());
            if load.min(last_load) > least && force.norm().min(last_force.norm()) > 0.25 * load {
                turn = turn.max(force.angle(&last_force));
            }
        }
        last = Some((load, force));
    }
    (load_jump, turn)
}

fn random_slide(seed: u64) -> Slide {
    use fracas::geom::random::unit;
    let vector = |k: u64| Vector::from([0, 1, 2].map(|a| unit(seed, 3 * k + a) - 0.5));
    let along = vector(0).normalize() * 3.0;
    Slide { from: Point::from(vector(1) * 0.8 - along * 0.5), along, needle: vector(2).normalize() * 0.6 }
}

#[test]
fn loads_are_continuous_along_slides() {
    // With tetrahedra of four boundary nodes (6.2) beside others: box; only such: plate; around a hole: torus.
    let bodies = [
        ("ball", ball(5)),
        ("box", shapes::cuboid([1.6, 1.2, 1.0], [4, 3, 3])),
        ("plate", shapes::cuboid([1.5, 1.5, 0.3], [5, 5, 1])),
        ("torus", shapes::torus(0.8, 0.3, 12, 4)),
    ];
    for (name, solid) in bodies {
        let body = soft(&solid);
        for what in [Penetrating::Points, Penetrating::Segments] {
            for depths in METHODS {
                let options = PenaltyOptions { depths, ..both(what) };
                let mut worst = [0.0f64; 2];
                for seed in 0..8 {
                    let slide = random_slide(seed);
                    for (worst, steps) in worst.iter_mut().zip([250, 500]) {
                        *worst = worst.max(jumps(&body, &slide, steps, &options).0);
                    }
                }
                println!("{name}, {what:?}, {depths:?}: jumps of loads {worst:.4?}");
                // A depth changes by little more than the way: 3 m in so many steps.
                assert!(worst[0] > 1e-3);
                for (worst, steps) in worst.iter().zip([250.0, 500.0]) {
                    assert!(*worst < 2.0 * 3.0 / steps, "{name}, {what:?}, {depths:?}: {worst} in {steps}");
                }
                assert!(worst[1] < 0.7 * worst[0], "{name}, {what:?}, {depths:?}: {worst:?}");
            }
        }
    }
}

/// Across a face between two tetrahedra, with a needle that lies in it when it passes.
fn face_slide(solid: &Solid, seed: u64) -> Slide {
    use fracas::geom::random::unit;
    let inner = |t: &&[u32; 4]| t.iter().all(|v| (0.3..0.9).contains(&solid.nodes()[*v as usize].coords.norm()));
    let tets: Vec<&[u32; 4]> = solid.tets().iter().filter(inner).collect();
    let tet = tets[(unit(seed, 50) * tets.len() as f64) as usize];
    let [a, b, c] = [0, 1, 2].map(|k| solid.nodes()[tet[k] as usize]);
    let needle = (b - a) * 0.3;
    let normal = (b - a).cross(&(c - a)).normalize() * 0.05;
    let middle = a + ((b - a) + (c - a)) / 3.0 - needle * 0.5;
    // The face is passed between two steps, not at one.
    Slide { from: middle - normal * 0.491, along: normal, needle }
}

#[test]
fn smooth_directions_are_continuous_along_slides() {
    // Gradients differ between tetrahedra (5.1): what passes from one to the other at once turns at once, unless they are shared.
    let solid = shapes::ball(1.0, 8);
    let body = soft(&solid);
    let cases = [
        ("points", Penetrating::Points, random_slide as fn(u64) -> Slide, 300),
        ("segments", Penetrating::Segments, random_slide, 300),
        ("segments in faces", Penetrating::Segments, |seed| face_slide(&shapes::ball(1.0, 8), seed), 20),
    ];
    for (name, what, slide, steps) in cases {
        for smooth in [false, true] {
            let options = PenaltyOptions { smooth, ..both(what) };
            let mut worst = [0.0f64; 3];
            for seed in 0..4 {
                let slide = slide(seed);
                for (worst, steps) in worst.iter_mut().zip([steps, 2 * steps, 4 * steps]) {
                    *worst = worst.max(jumps(&body, &slide, steps, &options).1);
                }
            }
            println!("{name}, smooth {smooth}: turns {worst:.4?} rad");
            if smooth {
                assert!(worst[1] < 0.7 * worst[0] && worst[2] < 0.7 * worst[1], "{name}: {worst:?}");
            } else if name != "segments" {
                // Segments that are not in a face pass it little by little.
                assert!(worst[2] > 0.8 * worst[0] && worst[2] > 0.2, "{name}: {worst:?}");
            }
        }
    }
}

/// Finds penalties between a body and what does not move.
type Against<'a> = Box<dyn Fn(&SoftBody, &PenaltyOptions, &mut PenaltyScratch, &mut Vec<Penalty>) + 'a>;

/// The energy that a body has after it bounced off what does not move, by that before, less 1; and how deep it was.
fn bounce(body: &Rigid, against: &Against, options: &PenaltyOptions, step: f64) -> (f64, f64) {
    let (mut body, mut scratch, mut found) = (body.clone(), PenaltyScratch::default(), vec![]);
    let before = body.kinetic();
    let (mut deepest, mut apart) = (0.0f64, 0.0);
    let mut forces = |body: &Rigid, deepest: &mut f64| {
        found.clear();
        against(&body.soft, options, &mut scratch, &mut found);
        let (mut force, mut moment) = (Vector::zeros(), Vector::zeros());
        for p in &found {
            let push = p.gradient * p.load * if p.side == 0 { 20.0 } else { -20.0 };
            force += push;
            moment += (p.point.coords - body.pose.translation.vector).cross(&push);
            *deepest = deepest.max(p.depth);
        }
        (force, moment)
    };
    let (mut force, mut moment) = forces(&body, &mut deepest);
    for _ in 0..(6.0 / step) as usize {
        body.kick(&force, &moment, 0.5 * step);
        body.drift(step);
        (force, moment) = forces(&body, &mut deepest);
        body.kick(&force, &moment, 0.5 * step);
        apart = if deepest > 0.0 && force == Vector::zeros() { apart + step } else { 0.0 };
        if apart > 0.1 {
            return (body.kinetic() / before - 1.0, deepest);
        }
    }
    panic!("it did not part");
}

#[test]
fn bodies_that_bounce_off_objects_and_shapes_gain_no_energy() {
    use fracas::contact::{query_soft_object, query_soft_shape};
    use fracas::field::shape::{Ball, Cuboid, HalfSpace};
    use fracas::geom::plane::Plane;
    use fracas::{Asset, CookOptions, Object};
    let slab = Asset::cook(shapes::cuboid([2.0, 2.0, 1.0], [4, 4, 2]), &CookOptions::default()).unwrap();
    let slab = &Object::intact(&slab)[0];
    let brick = shapes::cuboid([0.9, 0.7, 0.5], [3, 3, 2]);
    let pose = Pose::translation(0.1, 0.2, -0.5);
    let ground = HalfSpace(Plane { normal: Vector::z(), offset: 0.0 });
    let round = Ball { centre: Point::new(0.0, 0.0, -1.0), radius: 1.0 };
    let square = Cuboid { centre: Point::new(0.4, 0.3, -0.5), half: Vector::new(0.5, 0.6, 0.5) };
    let places: [(&str, Against); 4] = [
        ("ground", Box::new(|b, o, s, f| _ = query_soft_shape(b, &ground, &Pose::identity(), o, s, f).unwrap())),
        ("ball", Box::new(|b, o, s, f| _ = query_soft_shape(b, &round, &Pose::identity(), o, s, f).unwrap())),
        ("box", Box::new(|b, o, s, f| _ = query_soft_shape(b, &square, &Pose::identity(), o, s, f).unwrap())),
        ("object", Box::new(|b, o, s, f| _ = query_soft_object(b, slab, &pose, o, s, f).unwrap())),
    ];
    for (name, against) in &places {
        for what in [Penetrating::Points, Penetrating::Segments] {
            for second in [Penetrating::Nothing, what] {
                let mut body = Rigid::of(&brick, turned([0.05, 0.1, 0.55], [0.5, 0.3, 0.2]));
                body.velocity.z = -0.7;
                let options = PenaltyOptions { penetrating: [what, second], ..PenaltyOptions::default() };
                let runs = STEPS.map(|step| bounce(&body, against, &options, step));
                let gains = runs.map(|(gain, _)| gain);
                let percent = gains.map(|gain| format!("{:.4}", 100.0 * gain)).join(", ");
                println!("{name}, {what:?} and {second:?}, depth {:.2}: gain {percent} %", runs[2].1);
                assert!(runs[2].1 > 0.01);
                assert!(!is_gain(&gains), "{name}, {what:?} and {second:?}: {percent} %");
            }
        }
    }
}
