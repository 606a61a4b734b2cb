//! FCL: bodies against each other. It has no collisions within a body, so ours leave them out here, too.

use super::play::{Kind, Order, Orders, Player};
use super::world::{Body, World};
use crate::cpp::bridge::{self, DeformingBodies, Pair};
use crate::timing::{timed, worked};
use cxx::UniquePtr;
use fracas::deform::SceneOptions;
use fracas::geom::Vector;
use fracas::{Point, Tasks};

/// Sums over frames, in milliseconds; the frame in which they joined is left out.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    pub update: f64,
    pub query: f64,
    /// But for frames with events: there parts share points that only the scene knows of.
    pub found: u64,
    /// Whole frames with events.
    pub at_events: f64,
}

pub struct Between {
    pub frames: usize,
    pub events: usize,
    /// Pairs of bodies whose boxes meet.
    pub pairs: usize,
    pub ours: Sums,
    pub fcl: Sums,
    player: Option<Player>,
    bodies: UniquePtr<DeformingBodies>,
}

fn flat(points: &[Point]) -> Vec<f64> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

/// Pairs of bodies whose boxes meet: all with all, which is not timed.
fn pairs(world: &World) -> Vec<Pair> {
    let range = |body: &Body| {
        let far = Vector::repeat(f64::INFINITY);
        body.end.iter().fold((far, -far), |(low, high), p| (low.inf(&p.coords), high.sup(&p.coords)))
    };
    let bodies = world.bodies.iter().enumerate();
    let boxes: Vec<_> = bodies.filter_map(|(k, body)| Some((k as u32, range(body.as_ref()?)))).collect();
    let mut pairs = vec![];
    for (i, (a, p)) in boxes.iter().enumerate() {
        let meets = |q: &(Vector, Vector)| (0..3).all(|k| p.0[k] <= q.1[k] && q.0[k] <= p.1[k]);
        pairs.extend(boxes[..i].iter().filter(|(_, q)| meets(q)).map(|(b, _)| Pair { a: *b, b: *a }));
    }
    pairs
}

impl Between {
    pub fn new() -> Self {
        Self {
            frames: 0,
            events: 0,
            pairs: 0,
            ours: Sums::default(),
            fcl: Sums::default(),
            player: None,
            bodies: bridge::fcl_bodies(),
        }
    }

    /// A frame, and whether it is the first.
    pub fn step(&mut self, orders: &Orders, world: &World, first: bool, is_event: bool) {
        if first {
            let mut player =
                Player::new(SceneOptions::default(), Kind::Discrete, &Tasks::inline(), worked).between_bodies();
            player.join(world.meshes(false));
            player.step(Orders::default());
            self.player = Some(player);
            for (k, body) in world.bodies.iter().enumerate() {
                if let Some(body) = body {
                    self.bodies.pin_mut().build(k as u32, &flat(&body.end), body.triangles.as_flattened());
                }
            }
            return;
        }
        let Some(player) = &mut self.player else { return };
        let times = player.step(orders.clone());
        self.ours.update += times.mesh + times.update;
        self.ours.query += times.query;
        self.ours.found += if is_event { 0 } else { times.stats.found };
        self.ours.at_events += if is_event { times.all() } else { 0.0 };

        let is_new = |k: usize| k >= self.known(orders, world);
        let new: Vec<(u32, Vec<f64>, &Body)> = world
            .bodies
            .iter()
            .enumerate()
            .filter(|(k, _)| is_new(*k))
            .filter_map(|(k, body)| body.as_ref().map(|body| (k as u32, flat(&body.end), body)))
            .collect();
        let moved: Vec<(u32, Vec<f64>)> =
            orders.moves.iter().filter(|(k, _)| !is_new(*k)).map(|(k, points)| (*k as u32, flat(points))).collect();
        let mut fcl = self.bodies.pin_mut();
        let (update, ()) = timed(|| {
            for (k, points, body) in &new {
                fcl.as_mut().build(*k, points, body.triangles.as_flattened());
            }
            for (k, points) in &moved {
                fcl.as_mut().refit(*k, points);
            }
        });
        let pairs = pairs(world);
        let (query, found) = timed(|| fcl.as_mut().collide(&pairs));
        self.fcl.update += update;
        self.fcl.query += query;
        self.fcl.found += if is_event { 0 } else { found as u64 };
        self.fcl.at_events += if is_event { update + query } else { 0.0 };
        self.frames += 1;
        self.events += is_event as usize;
        self.pairs += pairs.len();
    }

    /// Number of bodies before a frame, those that have ended included.
    fn known(&self, orders: &Orders, world: &World) -> usize {
        let made = |order: &Order| match order {
            Order::Add(_) | Order::Merge(..) => 1,
            Order::Split(_, parts) => parts.len(),
            Order::Delete(_) => 0,
        };
        world.bodies.len() - orders.changes.iter().map(made).sum::<usize>()
    }
}
