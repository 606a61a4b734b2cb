//! Interruptible refinement of a pair of trees (VoxTree 2.1, 3): from the pair of their roots down, one pair of cubes after the other. What
//! overlaps and is not divided yet is the front; it is complete at any time.

use super::cubes::{Axes, penetration};
use super::tree::VoxTree;
use crate::geom::{Point, Pose, Vector};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Which pair is divided next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The oldest: level by level, as in the paper.
    #[default]
    ByLevel,
    /// The one that most likely collides (eq. 3).
    ByProbability,
}

/// Refinement of a pair of trees in their poses. It may be stopped and run again; what it is made of is [plain](Self::state).
#[derive(Clone, Debug)]
pub struct Refinement<'a> {
    pub(super) trees: [&'a VoxTree; 2],
    pub(super) poses: [Pose; 2],
    axes: Axes,
    /// From the frame of the second tree to that of the first.
    second: Pose,
    /// Pairs that can be divided, oldest first, and pairs of finest cubes.
    front: VecDeque<[u32; 2]>,
    finest: Vec<[u32; 2]>,
    tests: u64,
}

impl<'a> Refinement<'a> {
    /// Nothing is tested yet.
    pub fn new(trees: [&'a VoxTree; 2], poses: [Pose; 2]) -> Self {
        let second = poses[0].inverse() * poses[1];
        let axes = Axes::new(*second.rotation.to_rotation_matrix().matrix());
        Self { trees, poses, axes, second, front: VecDeque::new(), finest: vec![], tests: 0 }
    }

    /// What it has reached, as plain numbers: pairs that can be divided, pairs of finest cubes, tests so far.
    pub fn state(&self) -> (Vec<[u32; 2]>, Vec<[u32; 2]>, u64) {
        (self.front.iter().copied().collect(), self.finest.clone(), self.tests)
    }

    /// Goes on from a state of the same trees in the same poses. Pairs of nodes that are not there are left out.
    pub fn resumed(
        trees: [&'a VoxTree; 2],
        poses: [Pose; 2],
        (front, finest, tests): (Vec<[u32; 2]>, Vec<[u32; 2]>, u64),
    ) -> Self {
        let is_there = |pair: &[u32; 2]| (0..2).all(|k| (pair[k] as usize) < trees[k].nodes().len());
        let mut all = Self::new(trees, poses);
        all.tests = tests;
        for pair in front.into_iter().chain(finest).filter(is_there) {
            all.keep(pair);
        }
        all
    }

    /// Divides pairs until `budget` tests of two cubes were made in this call, no pair is left above `level`, or `is_over` says so: it is asked
    /// before each division. True if nothing is left to divide. A pair is only divided if the budget holds the tests of all its parts, so it
    /// is never exceeded; the first test is that of the roots.
    pub fn run(&mut self, budget: u64, level: u32, order: Order, mut is_over: impl FnMut() -> bool) -> bool {
        let end = self.tests.saturating_add(budget);
        if self.tests == 0 {
            if budget == 0 {
                return false;
            }
            self.test([0, 0]);
        }
        match order {
            Order::ByLevel => self.run_by_level(end, level, &mut is_over),
            Order::ByProbability => self.run_by_probability(end, level, &mut is_over),
        }
    }

    fn run_by_level(&mut self, end: u64, level: u32, is_over: &mut impl FnMut() -> bool) -> bool {
        let mut kept = VecDeque::new();
        let mut is_done = true;
        while let Some(pair) = self.front.pop_front() {
            match self.larger(pair, level) {
                None => kept.push_back(pair),
                Some(side) if self.fits(pair, side, end) && !is_over() => self.divide(pair, side),
                Some(_) => {
                    // Those that come later stay as they are.
                    kept.push_back(pair);
                    kept.append(&mut self.front);
                    is_done = false;
                }
            }
        }
        self.front = kept;
        is_done
    }

    fn run_by_probability(&mut self, end: u64, level: u32, is_over: &mut impl FnMut() -> bool) -> bool {
        let mut order = 0u32;
        let mut heap = BinaryHeap::new();
        let mut kept = VecDeque::new();
        let mut is_done = true;
        loop {
            // New pairs into the heap; among equals the oldest first.
            while let Some(pair) = self.front.pop_front() {
                let probability = self.probability(pair).to_bits();
                heap.push((probability, Reverse(order), pair));
                order += 1;
            }
            let Some((_, _, pair)) = heap.pop() else { break };
            match self.larger(pair, level) {
                None => kept.push_back(pair),
                Some(side) if self.fits(pair, side, end) && !is_over() => self.divide(pair, side),
                Some(_) => {
                    kept.push_back(pair);
                    is_done = false;
                    break;
                }
            }
        }
        kept.extend(heap.into_sorted_vec().into_iter().rev().map(|(_, _, pair)| pair));
        self.front = kept;
        is_done
    }

    /// Which cube of a pair is divided: the larger one, if it is above a level and has parts; else the other. `None` if neither.
    fn larger(&self, pair: [u32; 2], level: u32) -> Option<usize> {
        let may = |k: usize| self.trees[k].level(pair[k]) < level && !self.trees[k].children(pair[k]).is_empty();
        let edge = |k: usize| self.trees[k].edge(self.trees[k].level(pair[k]));
        match (may(0), may(1)) {
            (true, true) => Some((edge(1) > edge(0)) as usize),
            (true, false) => Some(0),
            (false, true) => Some(1),
            (false, false) => None,
        }
    }

    fn fits(&self, pair: [u32; 2], side: usize, end: u64) -> bool {
        self.tests + self.trees[side].children(pair[side]).len() as u64 <= end
    }

    fn divide(&mut self, pair: [u32; 2], side: usize) {
        for child in self.trees[side].children(pair[side]) {
            let mut part = pair;
            part[side] = child;
            self.test(part);
        }
    }

    fn test(&mut self, pair: [u32; 2]) {
        self.tests += 1;
        let ((a, ra), (b, rb)) = self.cubes(pair);
        if self.axes.overlap(&(b - a), ra, rb) {
            self.keep(pair);
        }
    }

    fn keep(&mut self, pair: [u32; 2]) {
        let is_finest = (0..2).all(|k| self.trees[k].children(pair[k]).is_empty());
        if is_finest { self.finest.push(pair) } else { self.front.push_back(pair) }
    }

    /// Centres and half edges, in the frame of the first tree.
    pub(super) fn cubes(&self, pair: [u32; 2]) -> ((Point, f64), (Point, f64)) {
        let (b, rb) = self.trees[1].cube(pair[1]);
        (self.trees[0].cube(pair[0]), (self.second * b, rb))
    }

    /// A direction of the second tree in the frame of the first.
    pub(super) fn turned(&self, v: &Vector) -> Vector {
        self.second.rotation * v
    }

    /// How likely what is in two cubes collides (eq. 3).
    pub(super) fn probability(&self, pair: [u32; 2]) -> f32 {
        let ((a, ra), (b, rb)) = self.cubes(pair);
        let density = |k: usize| self.trees[k].nodes()[pair[k] as usize].density;
        penetration((b - a).norm(), ra, rb) as f32 * density(0) * density(1)
    }

    /// All pairs that overlap and are not divided: those of finest cubes first.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.finest.iter().chain(&self.front).copied()
    }

    /// Tests of two cubes so far.
    pub fn tests(&self) -> u64 {
        self.tests
    }

    /// Whether no cubes overlap: the bodies are apart. Only known once the roots were tested.
    pub fn is_apart(&self) -> bool {
        self.tests > 0 && self.front.is_empty() && self.finest.is_empty()
    }
}
