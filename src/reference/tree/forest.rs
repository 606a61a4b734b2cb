//! Sphere trees in one arena: what a query walks (Glondu 2013, section 5).
//!
//! A node is a sphere around one of its own points. Every point below it is in the sphere; the sphere of a child need not
//! be. The same point may stand for several nodes, but only for a run of them down one branch, each the first child of the
//! one above: a point is *first met* at the highest of them, exactly once. The lower ones bring tighter spheres for culling.
//! A copy that is a leaf would bring nothing and is left out, and so is a node with a copy of itself as its only child.
//!
//! Each tree is a run of the arena in breadth-first order, so that the children of a node lie side by side, and its root
//! is the first of the run. Child numbers count from there.
//!
//! Siblings are in maximum-distance order: those that traversal meets first are far apart.

use crate::geom::Point;
use crate::heap::held;
use crate::reference::tree::blocks::squared_distance;
use std::ops::Range;

/// A sphere around one of the points below it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreeNode {
    /// The number of the point that stands for it and is its centre.
    pub point: u32,
    /// Bounds the distance to all points below it; rounded up. 0 for a leaf.
    pub radius: f32,
    /// Its first child, counted from the root of its tree.
    pub first_child: u32,
    /// How many children follow each other from there; 0 for a leaf.
    pub child_count: u32,
}

impl TreeNode {
    /// Its children, counted from the root of its tree.
    pub fn children(&self) -> Range<usize> {
        self.first_child as usize..(self.first_child + self.child_count) as usize
    }

    /// Grows the sphere to reach a point at this squared distance from its centre.
    pub(super) fn cover(&mut self, squared: f64) {
        let squared = squared * ROUNDING;
        let radius = self.radius as f64;
        if squared > radius * radius {
            let reach = squared.sqrt();
            let near = reach as f32;
            self.radius = if (near as f64) < reach { near.next_up() } else { near };
        }
    }

    /// Whether a sphere at this squared distance from its centre lies in it for sure.
    pub(super) fn holds(&self, squared: f64, radius: f64) -> bool {
        let room = self.radius as f64 - radius * ROUNDING;
        room > 0.0 && squared * ROUNDING <= room * room
    }
}

/// More than the rounding of a squared distance, however it is computed.
const ROUNDING: f64 = 1.0 + 16.0 * f64::EPSILON;

/// Sphere trees side by side: those of the bodies of an asset, or of the fragments of a break.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SphereForest {
    /// The nodes of all trees, tree after tree.
    pub(super) nodes: Vec<TreeNode>,
    /// For each node the position of its point.
    pub(super) centres: Vec<Point>,
    /// Where each tree ends.
    pub(super) ends: Vec<u32>,
}

impl SphereForest {
    /// Trees from their nodes and where each ends; `place` gives the position of a point.
    pub(crate) fn restore(nodes: Vec<TreeNode>, ends: Vec<u32>, place: impl Fn(u32) -> Point) -> Self {
        Self { centres: nodes.iter().map(|node| place(node.point)).collect(), nodes, ends }
    }

    /// How many trees there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no tree.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One of the trees: that of a body or a fragment, by its number.
    pub fn tree(&self, number: u32) -> SphereTree<'_> {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        let range = start..self.ends[number] as usize;
        SphereTree { nodes: &self.nodes[range.clone()], centres: &self.centres[range] }
    }

    /// The nodes of all trees, tree after tree.
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.centres) + held(&self.ends)
    }
}

/// One tree of a forest. Its root is node 0; it has none if it has no points.
#[derive(Clone, Copy, Debug)]
pub struct SphereTree<'a> {
    /// Its nodes, breadth first.
    pub nodes: &'a [TreeNode],
    /// For each node the position of its point.
    pub centres: &'a [Point],
}

impl<'a> SphereTree<'a> {
    /// Its points in breadth-first order of their highest nodes: the number of the point and that node.
    pub fn points(self) -> impl Iterator<Item = (u32, usize)> + 'a {
        let nodes = self.nodes;
        let root = nodes.first().map(|root| (root.point, 0));
        let others = nodes.iter().flat_map(move |parent| {
            parent.children().map(|c| (nodes[c].point, c)).filter(|(point, _)| *point != parent.point)
        });
        root.into_iter().chain(others)
    }

    /// Walks down from the root wherever `touches` answers yes for centre and radius; returns how often it was asked.
    pub fn visits(self, mut touches: impl FnMut(&Point, f64) -> bool) -> usize {
        let mut open: Vec<usize> = (0..self.nodes.len().min(1)).collect();
        let mut visits = open.len();
        while let Some(node) = open.pop() {
            if touches(&self.centres[node], self.nodes[node].radius as f64) {
                open.extend(self.nodes[node].children());
                visits += self.nodes[node].child_count as usize;
            }
        }
        visits
    }

    /// Says what is wrong with it, for tests: every invariant of the module, by brute force.
    pub fn flaw(self) -> Option<String> {
        let mut parents = vec![None; self.nodes.len()];
        let mut next = self.nodes.len().min(1);
        for (k, node) in self.nodes.iter().enumerate() {
            if node.child_count > 0 && node.first_child as usize != next {
                return Some(format!("the children of node {k} are not next in breadth-first order"));
            }
            next += node.child_count as usize;
            for child in node.children() {
                let (below, same) = (&self.nodes[child], self.nodes[child].point == node.point);
                if same && (child != node.first_child as usize || below.child_count == 0 || node.child_count == 1) {
                    return Some(format!("node {child} repeats the point of its parent {k} in vain"));
                }
                parents[child] = Some(k);
            }
        }
        if next != self.nodes.len() {
            return Some(format!("{next} of {} nodes are reachable", self.nodes.len()));
        }
        let mut met: Vec<u32> = self.points().map(|(point, _)| point).collect();
        met.sort_unstable();
        if let Some(twice) = met.windows(2).find(|pair| pair[0] == pair[1]) {
            return Some(format!("point {} is met first twice", twice[0]));
        }
        for (point, node) in self.points() {
            let mut above = parents[node];
            while let Some(k) = above {
                let distance = squared_distance(&self.centres[k], &self.centres[node]).sqrt();
                if distance > self.nodes[k].radius as f64 {
                    return Some(format!("point {point} is outside of its ancestor {k}"));
                }
                above = parents[k];
            }
        }
        let leaf = self.nodes.iter().position(|n| n.child_count == 0 && n.radius != 0.0);
        leaf.map(|k| format!("leaf {k} has a radius"))
    }
}
