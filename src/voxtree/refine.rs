//! Interruptible refinement of a pair of trees (VoxTree 2.1, 3): from the pair of their roots down, one pair of cubes after the other. What
//! overlaps and is not divided yet is the front; it is complete at any time.

use super::pair::{Touch, TreePair};
use super::tree::VoxTree;
use crate::geom::Pose;

/// Which pair is divided next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The oldest: level by level, as in the paper.
    #[default]
    ByLevel,
    /// The one that most likely collides (eq. 3, with the spheres in cubes).
    ByProbability,
}

/// A pair of cubes that overlap. Plain data, laid out as in the C interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct NodePair {
    /// A node of each tree.
    pub nodes: [u32; 2],
    /// Until it is divided: the highest comes first. Of a measured pair: its deepest sample, and the depth as `f32`.
    pub key: u64,
}

/// What a refinement has reached: plain data, which may be kept, copied and gone on with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Front {
    /// Pairs to be divided or measured: a heap by their keys.
    pub open: Vec<NodePair>,
    /// Pairs of finest cubes: as they are, or measured and found to touch.
    pub done: Vec<NodePair>,
    /// Tests so far.
    pub tests: u64,
    /// Pairs that were ever open: the age of the next.
    pub next: u32,
    /// By which order keys are.
    pub order: Order,
    /// Pairs that are not divided in a run; empty between runs.
    kept: Vec<NodePair>,
}

/// Where a run ends.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Most tests of two cubes in a run.
    pub budget: u64,
    /// Cubes of this level are not divided.
    pub level: u32,
    /// Most pairs of the front: its memory.
    pub pairs: usize,
}

impl Ends {
    /// It runs until nothing is left to divide, or the front has this many pairs. Nobody needs more, and memory is bounded.
    pub const NONE: Self = Self { budget: u64::MAX, level: u32::MAX, pairs: 1 << 20 };

    /// After so many tests.
    pub const fn after(budget: u64) -> Self {
        Self { budget, ..Self::NONE }
    }

    /// Before cubes of a level are divided.
    pub const fn at_level(level: u32) -> Self {
        Self { level, ..Self::NONE }
    }
}

/// Tests that the exact depth of a sample counts as: about the time that it takes.
pub const EVALUATION: u64 = 8;

/// Refinement of a pair of trees in their poses.
pub struct Refinement<'a> {
    pub(super) pair: TreePair<'a>,
    front: Front,
}

impl<'a> Refinement<'a> {
    /// Nothing is tested yet.
    pub fn new(trees: [&'a VoxTree; 2], poses: [Pose; 2]) -> Self {
        Self::resumed(trees, poses, Front::default())
    }

    /// Goes on from what another has reached with the same trees in the same poses. Pairs of nodes that are not there are left out.
    pub fn resumed(trees: [&'a VoxTree; 2], poses: [Pose; 2], mut front: Front) -> Self {
        let is_there = |pair: &NodePair| (0..2).all(|k| (pair.nodes[k] as usize) < trees[k].nodes().len());
        front.open.retain(is_there);
        front.done.retain(is_there);
        front.kept.clear();
        Self { pair: TreePair::new(trees, poses), front }
    }

    /// What it has reached.
    pub fn front(&self) -> &Front {
        &self.front
    }

    /// Its lists, to be used again.
    pub fn into_front(self) -> Front {
        self.front
    }

    /// Divides pairs, and measures finest ones if a tree is [exact](VoxTree::is_exact), until one of the ends is reached or `is_over` says so: it is
    /// asked before each. True if nothing is left to do above the level. A pair is only divided if the budget holds the tests of all
    /// its parts, so it is never exceeded; the first test is that of the roots.
    pub fn run(&mut self, ends: &Ends, order: Order, mut is_over: impl FnMut() -> bool) -> bool {
        if self.front.tests > 0 && self.front.order != order {
            self.reorder(order);
        }
        self.front.order = order;
        let end = self.front.tests.saturating_add(ends.budget);
        if self.front.tests == 0 {
            if ends.budget == 0 || ends.pairs == 0 || is_over() {
                return false;
            }
            self.front.tests = 1;
            if self.pair.overlaps([0, 0]) {
                self.front.keep(&self.pair, [0, 0], self.pair.urgency([0, 0]));
            }
        }
        let mut is_done = true;
        while let Some(pair) = pop(&mut self.front.open) {
            let Some(side) = self.larger(pair.nodes, ends.level) else {
                if self.is_finest(pair.nodes) && ends.level >= self.level_count() {
                    is_done = !is_over() && self.measure(pair, end);
                } else {
                    self.front.kept.push(pair);
                }
                if is_done {
                    continue;
                }
                push(&mut self.front.open, pair);
                break;
            };
            if !self.fits(pair.nodes, side, end, ends.pairs) || is_over() {
                push(&mut self.front.open, pair);
                is_done = false;
                break;
            }
            self.divide(pair.nodes, side);
        }
        while let Some(pair) = self.front.kept.pop() {
            push(&mut self.front.open, pair);
        }
        is_done
    }

    /// Gives the open pairs keys of another order.
    fn reorder(&mut self, order: Order) {
        self.front.order = order;
        let mut open = std::mem::take(&mut self.front.open);
        // The oldest first, as far as that is known.
        open.sort_unstable_by(|a, b| b.cmp_keys(a));
        self.front.next = 0;
        for pair in open {
            self.front.open(pair.nodes, self.pair.urgency(pair.nodes));
        }
    }

    /// Which cube of a pair is divided: the larger one, if it is above a level and has parts; else the other. `None` if neither.
    fn larger(&self, nodes: [u32; 2], level: u32) -> Option<usize> {
        let levels = [0, 1].map(|k| self.pair.trees[k].level(nodes[k]));
        let may = |k: usize| levels[k] < level && levels[k] + 1 < self.pair.trees[k].level_count();
        match (may(0), may(1)) {
            (true, true) => Some((self.pair.trees[1].edge(levels[1]) > self.pair.trees[0].edge(levels[0])) as usize),
            (true, false) => Some(0),
            (false, true) => Some(1),
            (false, false) => None,
        }
    }

    pub(super) fn is_finest(&self, nodes: [u32; 2]) -> bool {
        (0..2).all(|k| self.pair.trees[k].children(nodes[k]).is_empty())
    }

    fn fits(&self, nodes: [u32; 2], side: usize, end: u64, pairs: usize) -> bool {
        let (count, front) = (self.pair.trees[side].children(nodes[side]).len(), &self.front);
        let held = front.open.len() + front.done.len() + self.front.kept.len();
        front.tests.saturating_add(count as u64) <= end && held + count <= pairs
    }

    /// Tests the parts of one cube against the other.
    fn divide(&mut self, nodes: [u32; 2], side: usize) {
        let Self { pair, front, .. } = self;
        front.tests += pair.trees[side].children(nodes[side]).len() as u64;
        pair.parts(nodes, side, |child, urgency| {
            let mut part = nodes;
            part[side] = child;
            front.keep(pair, part, urgency);
        });
    }

    /// Measures the samples of finest cubes. Kept if one touches. False if the budget does not hold that.
    fn measure(&mut self, pair: NodePair, end: u64) -> bool {
        let left = (end - self.front.tests) / EVALUATION;
        let Some((count, deepest)) = self.pair.deepest(pair.nodes, left) else { return false };
        self.front.tests += count * EVALUATION;
        if let Some(touch) = deepest {
            self.front.done.push(NodePair { key: touch.key(), ..pair });
        }
        true
    }

    /// The exact contact of a pair that was measured.
    pub(super) fn measured(&self, pair: &NodePair) -> Option<Touch> {
        if pair.key == 0 { None } else { self.pair.touch(pair.key as u32) }
    }

    /// All pairs that overlap and are not divided.
    pub(super) fn pairs(&self) -> impl Iterator<Item = &NodePair> {
        self.front.done.iter().chain(&self.front.open)
    }

    /// Tests of two cubes so far.
    pub fn tests(&self) -> u64 {
        self.front.tests
    }

    /// Levels of the tree that has more.
    fn level_count(&self) -> u32 {
        self.pair.trees[0].level_count().max(self.pair.trees[1].level_count())
    }

    /// The coarsest level that has a cube of a pair of the front; how far it went at least. The number of levels if there is no such pair.
    pub fn level(&self) -> u32 {
        let of = |pair: &NodePair| (0..2).map(|k| self.pair.trees[k].level(pair.nodes[k])).min();
        let most = self.pair.trees.iter().map(|tree| tree.level_count()).min().unwrap_or(0);
        self.front.open.iter().filter_map(of).min().unwrap_or(most)
    }

    /// Whether the bodies are known to be apart. Only once the roots were tested.
    pub fn is_apart(&self) -> bool {
        self.front.tests > 0 && self.front.open.is_empty() && self.front.done.is_empty()
    }
}

impl Front {
    /// Empties it, but keeps its memory.
    pub fn clear(&mut self) {
        (self.tests, self.next) = (0, 0);
        self.open.clear();
        self.done.clear();
    }

    /// Keeps a pair that overlaps.
    fn keep(&mut self, pair: &TreePair, nodes: [u32; 2], urgency: f32) {
        let is_finest = (0..2).all(|k| pair.trees[k].children(nodes[k]).is_empty());
        if is_finest && !pair.is_exact() {
            self.done.push(NodePair { nodes, key: 0 });
        } else {
            self.open(nodes, urgency);
        }
    }

    /// Adds a pair to be divided or measured. Among equals the oldest comes first.
    fn open(&mut self, nodes: [u32; 2], urgency: f32) {
        let age = (u32::MAX - self.next) as u64;
        self.next = self.next.saturating_add(1);
        let key = match self.order {
            Order::ByLevel => age,
            Order::ByProbability => (urgency.to_bits() as u64) << 32 | age,
        };
        push(&mut self.open, NodePair { nodes, key });
    }
}

impl NodePair {
    /// By key, then by nodes.
    fn cmp_keys(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key).then(other.nodes.cmp(&self.nodes))
    }
}

/// Adds a pair to a heap in a list: plain data, unlike that of the standard library.
fn push(heap: &mut Vec<NodePair>, pair: NodePair) {
    let mut at = heap.len();
    heap.push(pair);
    while at > 0 {
        let above = (at - 1) / 2;
        if heap[at].cmp_keys(&heap[above]).is_le() {
            break;
        }
        heap.swap(at, above);
        at = above;
    }
}

/// Takes the pair with the highest key.
fn pop(heap: &mut Vec<NodePair>) -> Option<NodePair> {
    let last = heap.len().checked_sub(1)?;
    heap.swap(0, last);
    let top = heap.pop();
    let mut at = 0;
    loop {
        let mut highest = at;
        for below in [2 * at + 1, 2 * at + 2] {
            if heap.get(below).is_some_and(|pair| pair.cmp_keys(&heap[highest]).is_gt()) {
                highest = below;
            }
        }
        if highest == at {
            return top;
        }
        heap.swap(at, highest);
        at = highest;
    }
}
