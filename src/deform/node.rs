//! Nodes of trees: boxes, cones and costs, in depth-first order.

use super::cone::Cone;
use crate::geom::aabb::Aabb;
use crate::geom::simd::greater;
use crate::geom::{Point, Vector};
use crate::heap::held;
use std::ops::Range;

/// Elements in a leaf, at most.
pub(crate) const LEAF: usize = 4;
/// Number of nodes over some leaves.
pub(super) fn node_count(leaves: usize) -> usize {
    2 * leaves - 1
}

/// A node: its box relative to the scene's origin, rounded outwards, and its leaves. Depth-first: the left child follows its node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    pub min: [f32; 3],
    /// Number of leaves below it; 1 is a leaf.
    pub leaves: u32,
    pub max: [f32; 3],
    /// The first of its leaves.
    pub first: u32,
}

/// Cones of the triangles below a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cones {
    /// Of their normals.
    pub normals: Cone,
    /// Of the binormals of boundary edges of the mesh.
    pub binormals: Cone,
}

/// Traversal costs of a node (FASTCD 5.2): expected overlap tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cost {
    /// TC_I: against another node.
    pub inter: f32,
    /// TC_S: within the node.
    pub own: f32,
    /// TC_S after the last rebuild; NaN until the refit after it.
    pub rebuilt: f32,
    /// Whether the cones cull the node.
    pub is_culled: bool,
}

/// Boxes of the triangles of a leaf; places without a triangle have empty ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LeafBoxes {
    pub min: [[f32; LEAF]; 3],
    pub max: [[f32; LEAF]; 3],
}

/// The box of a vertex over the step, in four lanes of which the last is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct VertexBox {
    pub min: [f32; 4],
    pub max: [f32; 4],
}

/// The tree of a body.
#[derive(Clone, Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub cones: Vec<Cones>,
    pub costs: Vec<Cost>,
    pub leaves: Vec<LeafBoxes>,
    /// Whether the triangles of a node hang together across edges.
    pub is_connected: Vec<bool>,
}

impl Node {
    /// Without a box.
    pub const NEW: Self = Self { min: [f32::INFINITY; 3], leaves: 0, max: [f32::NEG_INFINITY; 3], first: 0 };

    /// Whether two boxes have a point in common, after one is grown by `margin`.
    #[inline(always)]
    pub fn meets(&self, other: &Self, margin: f32) -> bool {
        // Without branches: which axis separates them cannot be predicted. The fourth lane is no coordinate.
        let apart = greater(less(self.low(), margin), other.high()) | greater(less(other.low(), margin), self.high());
        apart & 0b111 == 0
    }

    #[inline(always)]
    fn low(&self) -> [f32; 4] {
        [self.min[0], self.min[1], self.min[2], f32::from_bits(self.leaves)]
    }

    #[inline(always)]
    fn high(&self) -> [f32; 4] {
        [self.max[0], self.max[1], self.max[2], f32::from_bits(self.first)]
    }

    /// The volume of a box over those of its children together.
    pub fn volume_ratio(&self, sibling: &Self, parent: &Self) -> f32 {
        let pad = 1e-3 * (0..3).map(|k| parent.max[k] - parent.min[k]).fold(f32::MIN_POSITIVE, f32::max);
        let volume = |node: &Self| (0..3).map(|k| node.max[k] - node.min[k] + pad).product::<f32>();
        volume(parent) / (volume(self) + volume(sibling))
    }

    /// Its slots.
    #[inline]
    pub fn slots(&self) -> Range<usize> {
        let first = self.first as usize * LEAF;
        first..first + self.leaves as usize * LEAF
    }
}

impl LeafBoxes {
    pub const EMPTY: Self = Self { min: [[f32::INFINITY; LEAF]; 3], max: [[f32::NEG_INFINITY; LEAF]; 3] };

    /// Which boxes of this leaf a box meets, a bit each.
    #[inline(always)]
    pub fn met_by(&self, low: [f32; 3], high: [f32; 3], margin: f32) -> u32 {
        let mut apart = 0;
        for k in 0..3 {
            apart |= greater([low[k] - margin; LEAF], self.max[k]) | greater(self.min[k], [high[k] + margin; LEAF]);
        }
        !apart & 0b1111
    }
}

impl Tree {
    /// The children of a node that is no leaf.
    #[inline(always)]
    pub fn children(&self, node: usize) -> [usize; 2] {
        [node + 1, node + 2 * self.nodes[node + 1].leaves as usize]
    }

    /// Heap memory.
    pub fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.cones) + held(&self.costs) + held(&self.leaves) + held(&self.is_connected)
    }
}

impl Cost {
    /// TC_S as it counts in the parent: nothing if the cones cull the node.
    #[inline]
    pub fn own(&self) -> f32 {
        if self.is_culled { 0.0 } else { self.own }
    }
}

/// TC_I (FASTCD eq. 6): a box is met in proportion to its volume. Flat boxes are padded, or all volumes would be zero.
pub(super) fn inter_cost(node: &Node, children: &[(&Node, f32); 2]) -> f32 {
    let size = [0, 1, 2].map(|k| node.max[k] - node.min[k]);
    let pad = 1e-3 * size[0].max(size[1]).max(size[2]) + f32::MIN_POSITIVE;
    let inverse = size.map(|s| 1.0 / (s + pad));
    let share = |child: &Node| (0..3).map(|k| (child.max[k] - child.min[k] + pad) * inverse[k]).product::<f32>();
    1.0 + share(children[0].0) * children[0].1 + share(children[1].0) * children[1].1
}

/// The box around two.
pub(crate) fn union(a: &Node, b: &Node) -> ([f32; 3], [f32; 3]) {
    let low = [0, 1, 2].map(|k| if a.min[k] < b.min[k] { a.min[k] } else { b.min[k] });
    let high = [0, 1, 2].map(|k| if a.max[k] > b.max[k] { a.max[k] } else { b.max[k] });
    (low, high)
}

#[inline(always)]
fn less(lanes: [f32; 4], margin: f32) -> [f32; 4] {
    lanes.map(|c| c - margin)
}

/// What the tree has to know of a body.
#[derive(Clone, Copy)]
pub(super) struct Summary {
    pub bounds: Node,
    pub inter: f32,
}

impl VertexBox {
    #[inline(always)]
    pub fn around<const N: usize>(boxes: &[&VertexBox; N]) -> Self {
        let mut all = *boxes[0];
        for other in &boxes[1..] {
            for k in 0..4 {
                all.min[k] = if other.min[k] < all.min[k] { other.min[k] } else { all.min[k] };
                all.max[k] = if other.max[k] > all.max[k] { other.max[k] } else { all.max[k] };
            }
        }
        all
    }

    #[inline(always)]
    pub fn meets(&self, other: &Self, margin: f32) -> bool {
        greater(less(self.min, margin), other.max) | greater(less(other.min, margin), self.max) == 0
    }
}
impl Node {
    /// As a box of the world.
    pub fn aabb(&self, origin: &Point) -> Aabb {
        let at = |c: [f32; 3]| origin + Vector::from(c.map(f64::from));
        Aabb { min: at(self.min), max: at(self.max) }
    }
}
