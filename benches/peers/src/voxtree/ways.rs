//! Ways to find contacts of a pair, and what each is asked: ours. Others are in `peers`.

use super::collisions::Found;
use super::levels::{MODELS, found};
use super::spheres::{SphereTree, SphereWalk};
use fracas::contact::{Contact, QueryOptions, query_pair};
use fracas::geom::Pose;
use fracas::voxtree::{Order, Refinement, VoxContact, VoxTree};
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

/// Trees of cubes, by P and density normals, one contact.
pub struct Cubes<'a> {
    pub trees: &'a [VoxTree; 2],
    pub order: Order,
    pub budget: u64,
    placed: Placed,
    found: Vec<VoxContact>,
    apart: bool,
}

impl<'a> Cubes<'a> {
    pub fn new(trees: &'a [VoxTree; 2], order: Order, budget: u64) -> Self {
        Self { trees, order, budget, placed: Placed::default(), found: vec![], apart: false }
    }
}

impl Way for Cubes<'_> {
    fn name(&self) -> String {
        format!("VoxTree {}, {} tests", order_name(self.order), self.budget)
    }

    fn place(&mut self, kinds: [usize; 2], poses: &[Pose; 2]) {
        self.placed = Placed { kinds, poses: *poses };
    }

    fn find(&mut self, times: usize) {
        for _ in 0..times {
            let mut refinement = Refinement::new(self.placed.kinds.map(|kind| &self.trees[kind]), self.placed.poses);
            refinement.run(self.budget, u32::MAX, self.order, || false);
            self.found.clear();
            refinement.contacts(&MODELS[3].1, &mut self.found);
            self.apart = refinement.is_apart();
        }
    }

    fn contacts(&mut self) -> Vec<Found> {
        self.found.iter().map(found).collect()
    }

    fn is_apart(&mut self) -> bool {
        self.apart
    }
}

/// The spheres around them.
pub struct Spheres<'a> {
    pub trees: &'a [SphereTree; 2],
    pub order: Order,
    pub budget: u64,
    placed: Placed,
    found: Option<Found>,
}

impl<'a> Spheres<'a> {
    pub fn new(trees: &'a [SphereTree; 2], order: Order, budget: u64) -> Self {
        Self { trees, order, budget, placed: Placed::default(), found: None }
    }
}

impl Way for Spheres<'_> {
    fn name(&self) -> String {
        format!("sphere tree {}, {} tests", order_name(self.order), self.budget)
    }

    fn place(&mut self, kinds: [usize; 2], poses: &[Pose; 2]) {
        self.placed = Placed { kinds, poses: *poses };
    }

    fn find(&mut self, times: usize) {
        for _ in 0..times {
            let pair = self.placed.kinds.map(|kind| &self.trees[kind]);
            let walk = SphereWalk::new(pair, &self.placed.poses, self.budget, u32::MAX, self.order);
            debug_assert!(walk.is_apart() == walk.contact(&MODELS[3].1).is_none());
            self.found = walk.contact(&MODELS[3].1);
        }
    }

    fn contacts(&mut self) -> Vec<Found> {
        self.found.into_iter().collect()
    }

    fn is_apart(&mut self) -> bool {
        self.found.is_none()
    }
}

/// The query of this library: samples of one surface in the distance field of the other.
pub struct Core<'a> {
    /// Two of each kind: a body does not collide with itself.
    objects: [&'a [Object; 2]; 2],
    options: QueryOptions,
    name: String,
    placed: Placed,
    found: Vec<Contact>,
}

impl<'a> Core<'a> {
    pub fn new(objects: [&'a [Object; 2]; 2], name: impl Into<String>, options: QueryOptions) -> Self {
        Self { objects, options, name: name.into(), placed: Placed::default(), found: vec![] }
    }
}

impl Way for Core<'_> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn place(&mut self, kinds: [usize; 2], poses: &[Pose; 2]) {
        self.placed = Placed { kinds, poses: *poses };
    }

    fn find(&mut self, times: usize) {
        let Placed { kinds, poses } = &self.placed;
        let [a, b] = [0, 1].map(|k| &self.objects[k][kinds[k]]);
        for _ in 0..times {
            self.found.clear();
            query_pair(a, &poses[0], b, &poses[1], &self.options, &mut self.found).expect("poses are finite");
        }
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

fn order_name(order: Order) -> &'static str {
    if order == Order::ByLevel { "by level" } else { "by probability" }
}
