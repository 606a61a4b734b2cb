//! Ways to find contacts of a pair, and what each is asked: ours. Others are in `peers`.

use super::collisions::Found;
use super::levels::{MODELS, Trees, found};
use super::spheres::SphereWalk;
use fracas::contact::{Contact, QueryOptions, QueryStats, query_pair};
use fracas::geom::Pose;
use fracas::voxtree::{Ends, Front, ModelScratch, Normals, Order, Refinement, VoxContact};
use fracas::{Object, Point, Vector};

/// A way to find contacts.
pub trait Way {
    fn name(&self) -> String;
    /// The bodies and poses that are asked for next.
    fn place(&mut self, kinds: [usize; 2], poses: &[Pose; 2]);
    /// Finds the contacts of them so many times, from the beginning each time. What is timed.
    fn find(&mut self, times: usize);
    /// What it has found last.
    fn contacts(&mut self) -> Vec<Found>;
    /// Whether it knows that they are apart.
    fn is_apart(&mut self) -> bool {
        self.contacts().iter().all(|contact| contact.depth < 0.0)
    }
}

/// The bodies of the moment.
#[derive(Clone, Copy)]
pub struct Placed {
    pub kinds: [usize; 2],
    pub poses: [Pose; 2],
}

impl Default for Placed {
    fn default() -> Self {
        Self { kinds: [0; 2], poses: [Pose::identity(); 2] }
    }
}

/// Which pairs are refined, and how they become one contact.
#[derive(Clone, Copy)]
pub enum Refined {
    /// Cubes, along centres or by density.
    Cubes(Normals),
    /// Cubes by density with an exact finest level.
    Exact,
    /// Spheres, along centres or by density.
    Spheres(Normals),
}

impl Refined {
    pub fn name(self) -> &'static str {
        match self {
            Self::Cubes(Normals::Centres) => "VoxTree, centres,",
            Self::Cubes(Normals::Density) => "VoxTree",
            Self::Exact => "VoxTree, exact finest level,",
            Self::Spheres(Normals::Centres) => "sphere tree, centres,",
            Self::Spheres(Normals::Density) => "sphere tree, density,",
        }
    }
}

/// Refinement under a budget: by P, one contact.
pub struct Budgeted<'a> {
    trees: &'a Trees,
    refined: Refined,
    order: Order,
    budget: u64,
    placed: Placed,
    /// Used again.
    front: Front,
    scratch: ModelScratch,
    contacts: Vec<VoxContact>,
    found: Option<Found>,
}

impl<'a> Budgeted<'a> {
    pub fn new(trees: &'a Trees, refined: Refined, order: Order, budget: u64) -> Self {
        let (placed, front, scratch) = Default::default();
        Self { trees, refined, order, budget, placed, front, scratch, contacts: vec![], found: None }
    }

    fn once(&mut self) -> Option<Found> {
        let Placed { kinds, poses } = self.placed;
        let [.., (_, centres), (_, density)] = &MODELS;
        let model = match self.refined {
            Refined::Cubes(Normals::Centres) | Refined::Spheres(Normals::Centres) => centres,
            _ => density,
        };
        if let Refined::Spheres(_) = self.refined {
            let spheres = kinds.map(|kind| &self.trees.spheres[kind]);
            return SphereWalk::new(spheres, &poses, self.budget, u32::MAX, self.order).contact(model);
        }
        let trees = if let Refined::Exact = self.refined { &self.trees.exact } else { &self.trees.cubes };
        let mut front = std::mem::take(&mut self.front);
        front.clear();
        let mut refinement = Refinement::resumed(kinds.map(|kind| &trees[kind]), poses, front);
        refinement.run(&Ends::after(self.budget), self.order, || false);
        self.contacts.clear();
        refinement.contacts_with(model, &mut self.scratch, &mut self.contacts);
        self.front = refinement.into_front();
        self.contacts.first().map(found)
    }
}

impl Way for Budgeted<'_> {
    fn name(&self) -> String {
        let order = if self.order == Order::ByLevel { "by level" } else { "by probability" };
        format!("{} {order}, {} tests", self.refined.name(), self.budget)
    }

    fn place(&mut self, kinds: [usize; 2], poses: &[Pose; 2]) {
        self.placed = Placed { kinds, poses: *poses };
    }

    fn find(&mut self, times: usize) {
        for _ in 0..times {
            self.found = self.once();
        }
    }

    fn contacts(&mut self) -> Vec<Found> {
        self.found.into_iter().collect()
    }

    /// Nothing overlaps; a contact of negative depth is no proof.
    fn is_apart(&mut self) -> bool {
        self.found.is_none()
    }
}

/// The query of this library, within a budget of units of work: samples of one surface in the distance field of the other.
pub struct Core<'a> {
    /// Two of each kind: a body does not collide with itself.
    objects: &'a [[Object; 2]; 2],
    options: QueryOptions,
    placed: Placed,
    found: Vec<Contact>,
    stats: QueryStats,
}

impl<'a> Core<'a> {
    /// Budget 0: all of it.
    pub fn new(objects: &'a [[Object; 2]; 2], budget: u32) -> Self {
        let options = QueryOptions { budget, ..QueryOptions::default() };
        Self { objects, options, placed: Placed::default(), found: vec![], stats: QueryStats::default() }
    }
}

impl Way for Core<'_> {
    fn name(&self) -> String {
        match self.options.budget {
            0 => "Fracas, all of it".into(),
            budget => format!("Fracas, {budget} units"),
        }
    }

    fn place(&mut self, kinds: [usize; 2], poses: &[Pose; 2]) {
        self.placed = Placed { kinds, poses: *poses };
    }

    fn find(&mut self, times: usize) {
        let Placed { kinds, poses } = &self.placed;
        let [a, b] = [0, 1].map(|k| &self.objects[k][kinds[k]]);
        for _ in 0..times {
            self.found.clear();
            let stats = query_pair(a, &poses[0], b, &poses[1], &self.options, &mut self.found);
            self.stats = stats.expect("poses are finite");
        }
    }

    /// Contacts of an interrupted query mean maybe.
    fn is_apart(&mut self) -> bool {
        self.found.is_empty() || (!self.stats.is_interrupted() && self.found.iter().all(|contact| contact.depth < 0.0))
    }

    fn contacts(&mut self) -> Vec<Found> {
        let origin = self.placed.poses[0].translation.vector;
        let found = |contact: &Contact| Found {
            point: Point::from(origin + Vector::from(contact.point.map(f64::from))),
            normal: Vector::from(contact.normal.map(f64::from)),
            depth: contact.depth as f64,
        };
        self.found.iter().map(found).collect()
    }
}
