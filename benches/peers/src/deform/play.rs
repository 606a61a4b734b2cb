//! Plays the frames of a sequence to a scene, and times its stages. Shared with the quick runner `benches/deform.rs`.

use crate::common::sequences::{Change, Frame, Mesh};
use fracas::deform::ccd::CcdOptions;
use fracas::deform::{
    BodyId, BodyMesh, BodyOptions, Impact, Interval, Overlap, Scene, SceneOptions, TraversalStats, UpdateStats,
};
use fracas::{Point, Tasks};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Discrete,
    Continuous,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Discrete, Self::Continuous];

    pub fn name(self) -> &'static str {
        match self {
            Self::Discrete => "discrete",
            Self::Continuous => "continuous",
        }
    }

    fn interval(self) -> Interval {
        match self {
            Self::Discrete => Interval::End,
            Self::Continuous => Interval::Step,
        }
    }
}

/// A change of topology, with meshes as a scene takes them. Bodies are numbered as in the sequence.
#[derive(Clone)]
pub enum Order {
    Add(BodyMesh),
    Delete(usize),
    Split(usize, Vec<BodyMesh>),
    Merge(Vec<usize>, BodyMesh),
}

/// A frame, ready to be played: converting it is not timed.
#[derive(Clone, Default)]
pub struct Orders {
    pub changes: Vec<Order>,
    pub moves: Vec<(usize, Vec<Point>)>,
}

fn body_mesh(mesh: Mesh, sources: Vec<u32>) -> BodyMesh {
    BodyMesh { positions: points(mesh.positions), triangles: mesh.triangles, sources }
}

fn points(positions: Vec<[f64; 3]>) -> Vec<Point> {
    positions.into_iter().map(Point::from).collect()
}

impl From<Frame> for Orders {
    fn from(frame: Frame) -> Self {
        let order = |change: Change| match change {
            Change::Add { mesh } => Order::Add(body_mesh(mesh, vec![])),
            Change::Delete { body } => Order::Delete(body),
            Change::Split { body, parts, sources } => {
                Order::Split(body, parts.into_iter().zip(sources).map(|(part, from)| body_mesh(part, from)).collect())
            }
            Change::Merge { bodies, mesh } => Order::Merge(bodies, body_mesh(mesh, vec![])),
        };
        Self {
            changes: frame.changes.into_iter().map(order).collect(),
            moves: frame.moves.into_iter().map(|(body, positions)| (body, points(positions))).collect(),
        }
    }
}

/// A frame's times in milliseconds, and what was done.
#[derive(Clone, Copy, Default)]
pub struct Times {
    /// Applying changes and positions; builds the trees of new bodies.
    pub mesh: f64,
    /// Restructuring and refitting.
    pub update: f64,
    pub query: f64,
    pub is_event: bool,
    pub triangles: usize,
    pub stats: TraversalStats,
    pub done: UpdateStats,
}

impl Times {
    pub fn all(&self) -> f64 {
        self.mesh + self.update + self.query
    }
}

/// A scene that follows a sequence.
pub struct Player {
    pub scene: Scene,
    /// By their numbers in the sequence.
    pub bodies: Vec<Option<BodyId>>,
    pub overlaps: Vec<Overlap>,
    pub impacts: Vec<Impact>,
    options: BodyOptions,
    kind: Kind,
    tasks: Tasks,
    /// Milliseconds.
    clock: fn() -> f64,
}

impl Player {
    pub fn new(options: SceneOptions, kind: Kind, tasks: &Tasks, clock: fn() -> f64) -> Self {
        Self {
            scene: Scene::new(options),
            bodies: vec![],
            overlaps: vec![],
            impacts: vec![],
            options: BodyOptions::default(),
            kind,
            tasks: tasks.clone(),
            clock,
        }
    }

    /// The same, with bodies that do not collide with themselves.
    pub fn between_bodies(mut self) -> Self {
        self.options.self_collision = false;
        self
    }

    /// Adds the bodies that there are, in their order.
    pub fn join(&mut self, bodies: impl Iterator<Item = Option<BodyMesh>>) {
        for body in bodies {
            let id = body.map(|mesh| self.scene.add(mesh, &self.options).expect("the sequence has valid meshes"));
            self.bodies.push(id);
        }
    }

    fn apply(&mut self, orders: Orders) {
        const THERE: &str = "the sequence numbers bodies that are there";
        const VALID: &str = "the sequence makes valid changes";
        let Self { scene, bodies, options, .. } = self;
        for change in orders.changes {
            match change {
                Order::Add(mesh) => bodies.push(Some(scene.add(mesh, options).expect(VALID))),
                Order::Delete(body) => scene.delete(bodies[body].take().expect(THERE)).expect(VALID),
                Order::Split(body, parts) => {
                    let made = scene.split(bodies[body].take().expect(THERE), parts).expect(VALID);
                    bodies.extend(made.into_iter().map(Some));
                }
                Order::Merge(old, mesh) => {
                    let ids: Vec<BodyId> = old.iter().map(|k| bodies[*k].take().expect(THERE)).collect();
                    bodies.push(Some(scene.merge(&ids, mesh).expect(VALID)));
                }
            }
        }
        for (body, positions) in orders.moves {
            scene.set_positions(bodies[body].expect(THERE), positions.into_iter()).expect(VALID);
        }
    }

    /// A frame: changes, update, query.
    pub fn step(&mut self, orders: Orders) -> Times {
        let is_event = !orders.changes.is_empty();
        self.overlaps.clear();
        self.impacts.clear();
        let start = (self.clock)();
        self.apply(orders);
        let applied = (self.clock)();
        let done = self.scene.update(self.kind.interval(), &self.tasks);
        let updated = (self.clock)();
        let stats = match self.kind {
            Kind::Discrete => self.scene.query_discrete(&self.tasks, &mut self.overlaps),
            Kind::Continuous => self.scene.query_continuous(&CcdOptions::default(), &self.tasks, &mut self.impacts),
        };
        let stats = stats.expect("the scene was updated for this query");
        let queried = (self.clock)();
        Times {
            mesh: applied - start,
            update: updated - applied,
            query: queried - updated,
            is_event,
            triangles: self.scene.triangle_count(),
            stats,
            done,
        }
    }
}
