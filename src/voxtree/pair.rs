//! Two trees in their poses: overlap and probability of their cubes, and exact depths of samples in finest ones.
//!
//! Cubes of a level do not overlap, so a sample is in one cube of its own tree and in at most one of the other: it is measured once.

use super::cubes::{Axes, penetration, urgency};
use super::exact::Exact;
use super::tree::VoxTree;
use crate::geom::{Point, Pose, Vector};
use nalgebra::Matrix3;

/// Two trees in their poses. Calculations are in the frame of the first.
pub struct TreePair<'a> {
    pub trees: [&'a VoxTree; 2],
    pub poses: [Pose; 2],
    axes: Axes,
    /// From the frame of the second tree to that of the first.
    pub second: Pose,
    turn: Matrix3<f64>,
}

/// A sample that touches the other body.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Which one; bit 31: of the second tree.
    sample: u32,
    pub at: Point,
    pub depth: f64,
    /// From the second body towards the first.
    pub normal: Vector,
}

impl Touch {
    /// Sample and depth in a number; never 0, since what touches has a depth.
    pub fn key(&self) -> u64 {
        ((self.depth as f32).to_bits() as u64) << 32 | self.sample as u64
    }
}

impl<'a> TreePair<'a> {
    pub fn new(trees: [&'a VoxTree; 2], poses: [Pose; 2]) -> Self {
        let second = poses[0].inverse() * poses[1];
        let turn = *second.rotation.to_rotation_matrix().matrix();
        Self { trees, poses, axes: Axes::new(turn), second, turn }
    }

    /// Centre and half edge of a node.
    pub fn cube(&self, side: usize, node: u32) -> (Point, f64) {
        let (at, half) = self.trees[side].cube(node);
        (if side == 0 { at } else { self.second * at }, half)
    }

    /// Centres and half edges.
    pub fn cubes(&self, nodes: [u32; 2]) -> ((Point, f64), (Point, f64)) {
        (self.cube(0, nodes[0]), self.cube(1, nodes[1]))
    }

    /// How likely what is in two cubes collides (eq. 3).
    pub fn probability(&self, nodes: [u32; 2]) -> f32 {
        self.with_densities(nodes, penetration)
    }

    /// How soon a pair is to be divided: as its probability, but by the spheres in the cubes.
    pub fn urgency(&self, nodes: [u32; 2]) -> f32 {
        self.with_densities(nodes, urgency)
    }

    fn with_densities(&self, nodes: [u32; 2], overlap: impl Fn(f64, f64, f64) -> f64) -> f32 {
        let ((a, ra), (b, rb)) = self.cubes(nodes);
        let density = |k: usize| self.trees[k].nodes()[nodes[k] as usize].density;
        overlap((b - a).norm(), ra, rb) as f32 * density(0) * density(1)
    }

    /// Whether two cubes overlap.
    pub fn overlaps(&self, nodes: [u32; 2]) -> bool {
        let ((a, ra), (b, rb)) = self.cubes(nodes);
        self.overlap(&(b - a), ra, rb)
    }

    /// The spheres around cubes and in them decide for most.
    fn overlap(&self, to: &Vector, a: f64, b: f64) -> bool {
        let (apart, sum) = (to.norm_squared(), (a + b) * (a + b));
        apart <= 3.0 * sum && (apart <= sum || self.axes.overlap(to, a, b))
    }

    /// The children of one cube that overlap the other, and how urgent each is.
    pub fn parts(&self, nodes: [u32; 2], side: usize, mut found: impl FnMut(u32, f32)) {
        let own = self.trees[side];
        let (other, other_half) = self.cube(1 - side, nodes[1 - side]);
        let children = own.children(nodes[side]);
        let Some(first) = children.clone().next() else { return };
        // All children have one size.
        let edge = own.edge(own.level(first));
        let half = 0.5 * edge;
        let other_density = self.trees[1 - side].nodes()[nodes[1 - side] as usize].density;
        let (low, columns) = match side {
            0 => (*own.origin(), Matrix3::identity() * edge),
            _ => (self.second * own.origin(), self.turn * edge),
        };
        for child in children {
            let node = &own.nodes()[child as usize];
            let cell = Vector::new(node.cell[0] as f64 + 0.5, node.cell[1] as f64 + 0.5, node.cell[2] as f64 + 0.5);
            let at = low + columns * cell;
            let (to, [a, b]) = match side {
                0 => (other - at, [half, other_half]),
                _ => (at - other, [other_half, half]),
            };
            if self.overlap(&to, a, b) {
                found(child, urgency(to.norm(), a, b) as f32 * node.density * other_density);
            }
        }
    }

    /// Whether both bodies have an exact finest level.
    pub fn is_exact(&self) -> bool {
        self.exact().is_some()
    }

    fn exact(&self) -> Option<[&Exact; 2]> {
        Some([self.trees[0].exact()?, self.trees[1].exact()?])
    }

    /// The deepest sample within a pair of finest cubes, if one touches, and how many were measured. `None` if these are more than `most`.
    pub fn deepest(&self, nodes: [u32; 2], most: u64) -> Option<(u64, Option<Touch>)> {
        let (mut count, mut deepest) = (0, None::<Touch>);
        for side in 0..2 {
            for sample in self.samples_within(side, nodes) {
                if count == most {
                    return None;
                }
                count += 1;
                let touch = self.touch(sample | (side as u32) << 31);
                if touch.is_some_and(|touch| deepest.is_none_or(|deepest| touch.depth > deepest.depth)) {
                    deepest = touch;
                }
            }
        }
        Some((count, deepest))
    }

    /// The samples of one cube that are in the other.
    fn samples_within(&self, side: usize, nodes: [u32; 2]) -> impl Iterator<Item = u32> {
        let (own, exact) = (self.trees[side], self.exact().map(|both| both[side]));
        let cube = nodes[side] - own.finest().start;
        let range = exact.map_or(0..0, |exact| exact.samples_of(cube));
        range.filter(move |sample| {
            let at = exact.and_then(|exact| exact.sample(*sample));
            at.is_some_and(|at| self.trees[1 - side].is_in(nodes[1 - side], &self.across(side, at)))
        })
    }

    /// From the frame of one tree to that of the other.
    fn across(&self, side: usize, p: &Point) -> Point {
        if side == 0 { self.second.inverse_transform_point(p) } else { self.second * p }
    }

    /// Measures a sample; `None` if it does not touch.
    pub fn touch(&self, sample: u32) -> Option<Touch> {
        let (side, number) = ((sample >> 31) as usize, sample & !(1 << 31));
        let exact = self.exact()?;
        let at = exact[side].sample(number)?;
        let found = exact[1 - side].signed_distance(&self.across(side, at));
        // What lies on the surface is not in the body, and a depth of 0 would not be a key.
        let depth = Some(-found.distance).filter(|depth| *depth as f32 > 0.0)?;
        let (at, out) = match side {
            0 => (*at, self.second.rotation * found.outward),
            _ => (self.second * at, found.outward),
        };
        // Midway between the sample and the surface.
        let normal = if side == 0 { out } else { -out };
        Some(Touch { sample, at: at + out * (0.5 * depth), depth, normal })
    }
}
