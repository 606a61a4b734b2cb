//! An interruptible sphere tree: the spheres around the cubes of a VoxTree, refined and averaged in the same way. Neighbouring spheres overlap,
//! which section 5 of the paper says spoils contacts.

use super::collisions::Found;
use fracas::geom::Pose;
use fracas::voxtree::{ContactModel, Normals, Order, VoxTree, Weighting};
use fracas::{Point, Vector};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;

struct Node {
    centre: Point,
    /// Half the edge of its cube.
    half: f64,
    density: f64,
    outward: Vector,
    level: u32,
    children: Range<u32>,
}

impl Node {
    fn radius(&self) -> f64 {
        3f64.sqrt() * self.half
    }
}

/// The spheres around the cubes of a tree.
pub struct SphereTree(Vec<Node>);

impl SphereTree {
    pub fn around(tree: &VoxTree) -> Self {
        let node = |k: u32| {
            let (centre, half) = tree.cube(k);
            let density = tree.nodes()[k as usize].density as f64;
            Node { centre, half, density, outward: tree.outward(k), level: tree.level(k), children: tree.children(k) }
        };
        Self((0..tree.nodes().len() as u32).map(node).collect())
    }
}

/// Pairs that can be divided.
enum Queue {
    ByLevel(VecDeque<[u32; 2]>),
    ByProbability(BinaryHeap<(u32, Reverse<u32>, [u32; 2])>),
}

/// A refinement of two sphere trees.
pub struct SphereWalk<'a> {
    trees: [&'a SphereTree; 2],
    pose: Pose,
    /// From the second frame to the first.
    second: Pose,
    queue: Queue,
    /// Overlapping pairs that are not divided any more.
    kept: Vec<[u32; 2]>,
    tests: u64,
}

/// A pair of spheres as a contact.
struct Primitive {
    point: Point,
    normal: Vector,
    weight: f64,
    surfaces: [(Point, f64); 2],
}

impl<'a> SphereWalk<'a> {
    /// Refines down to a level, as far as a budget of tests allows.
    pub fn new(trees: [&'a SphereTree; 2], poses: &[Pose; 2], budget: u64, level: u32, order: Order) -> Self {
        let queue = match order {
            Order::ByLevel => Queue::ByLevel(VecDeque::new()),
            Order::ByProbability => Queue::ByProbability(BinaryHeap::new()),
        };
        let second = poses[0].inverse() * poses[1];
        let mut walk = Self { trees, pose: poses[0], second, queue, kept: vec![], tests: 0 };
        walk.test([0, 0], level);
        while let Some(pair) = walk.next() {
            let side = walk.larger(pair, level).expect("what is queued can be divided");
            let children = walk.node(pair, side).children.clone();
            if walk.tests + children.len() as u64 > budget {
                walk.kept.push(pair);
                break;
            }
            for child in children {
                let mut part = pair;
                part[side] = child;
                walk.test(part, level);
            }
        }
        while let Some(pair) = walk.next() {
            walk.kept.push(pair);
        }
        walk
    }

    /// Overlapping pairs, each a contact primitive.
    pub fn pairs(&self) -> usize {
        self.kept.len()
    }

    fn node(&self, pair: [u32; 2], side: usize) -> &'a Node {
        &self.trees[side].0[pair[side] as usize]
    }

    fn next(&mut self) -> Option<[u32; 2]> {
        match &mut self.queue {
            Queue::ByLevel(pairs) => pairs.pop_front(),
            Queue::ByProbability(pairs) => pairs.pop().map(|(_, _, pair)| pair),
        }
    }

    fn larger(&self, pair: [u32; 2], level: u32) -> Option<usize> {
        let [a, b] = [0, 1].map(|side| self.node(pair, side));
        let may = |node: &Node| node.level < level && !node.children.is_empty();
        match (may(a), may(b)) {
            (true, true) => Some((b.half > a.half) as usize),
            (true, false) => Some(0),
            (false, true) => Some(1),
            (false, false) => None,
        }
    }

    fn test(&mut self, pair: [u32; 2], level: u32) {
        self.tests += 1;
        let [a, b] = [0, 1].map(|side| self.node(pair, side));
        let distance = (self.second * b.centre - a.centre).norm();
        if distance > a.radius() + b.radius() {
            return;
        }
        let can_divide = self.larger(pair, level).is_some();
        match &mut self.queue {
            _ if !can_divide => self.kept.push(pair),
            Queue::ByLevel(pairs) => pairs.push_back(pair),
            Queue::ByProbability(pairs) => {
                let probability = (probability(a, b, distance) as f32).to_bits();
                pairs.push((probability, Reverse(self.tests as u32), pair));
            }
        }
    }

    /// The average of all overlapping pairs, as the library averages cubes. None if nothing overlaps.
    pub fn contact(&self, model: &ContactModel) -> Option<Found> {
        let primitives: Vec<Primitive> = self.kept.iter().map(|pair| self.primitive(*pair, model)).collect();
        let total: f64 = primitives.iter().map(|p| p.weight).sum();
        let share = |p: &Primitive| if total > 0.0 { p.weight / total } else { 1.0 / primitives.len() as f64 };
        let first = primitives.first()?;
        let sum: Vector = primitives.iter().map(|p| p.normal * share(p)).sum();
        let normal = sum.try_normalize(1e-9).unwrap_or(first.normal);
        let point = Point::from(primitives.iter().map(|p| p.point.coords * share(p)).sum::<Vector>());
        let height = |side: usize, sign: f64| {
            let heights = primitives.iter().map(|p| normal.dot(&p.surfaces[side].0.coords) * sign + p.surfaces[side].1);
            heights.fold(f64::NEG_INFINITY, f64::max)
        };
        let (up, down) = (height(1, 1.0), -height(0, -1.0));
        let middle = point + normal * (0.5 * (up + down) - normal.dot(&point.coords));
        Some(Found { point: self.pose * middle, normal: self.pose.rotation * normal, depth: up - down })
    }

    fn primitive(&self, pair: [u32; 2], model: &ContactModel) -> Primitive {
        let [a, b] = [0, 1].map(|side| self.node(pair, side));
        let centre = self.second * b.centre;
        let between = (a.centre - centre).try_normalize(1e-9);
        let by_density = (self.second.rotation * b.outward - a.outward).try_normalize(1e-6);
        let normal = match model.normals {
            Normals::Centres => between.or(by_density),
            Normals::Density => by_density.or(between),
        };
        let weight = match model.weighting {
            Weighting::Average => 1.0,
            Weighting::Probability => probability(a, b, (a.centre - centre).norm()),
        };
        let beyond = |node: &Node| node.half * (2.0 * node.density - 1.0);
        Primitive {
            point: a.centre + (centre - a.centre) * (a.half / (a.half + b.half)),
            normal: normal.unwrap_or_else(Vector::z),
            weight,
            surfaces: [(a.centre, beyond(a)), (centre, beyond(b))],
        }
    }
}

/// Equation 3 with the overlap of the spheres (eq. 6 and 7). Densities are those of the cubes: of the spheres all would be less by one factor.
fn probability(a: &Node, b: &Node, distance: f64) -> f64 {
    let (ra, rb) = (a.radius(), b.radius());
    ((ra + rb - distance) / (2.0 * ra.min(rb))).clamp(0.0, 1.0) * a.density * b.density
}
