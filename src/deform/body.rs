//! A body of a scene: its mesh, its positions at the start and at the end of the step, and its tree.
//!
//! What traversal reads is in the order of the tree ("slots"), four to a leaf: the triangles of a node are in one range of slots. Slots of
//! leaves with fewer triangles are empty.

use super::build::{Builder, Element};
use super::cone::Cone;
use super::inherit::Order;
use super::mesh::Mesh;
use super::node::{Cones, Cost, LEAF, LeafBoxes, Node, Summary, Tree, VertexBox, node_count};
use super::options::{BodyOptions, Construction};
use super::star_shaped::Centre;
use crate::geom::aabb::Aabb;
use crate::geom::{NONE, Point};
use crate::heap::held;
use std::sync::Arc;

/// Vertices of the parts of a split that came from one vertex.
#[derive(Clone)]
pub(super) struct Seam {
    /// Number of the split.
    pub split: u64,
    /// Per vertex: the same number at the same position, in all parts.
    pub points: Arc<[u32]>,
    /// Whether the body has moved since.
    pub has_moved: bool,
}

/// A set of triangles that is added, split and moved as a whole (FASTCD 5.1).
#[derive(Clone)]
pub(super) struct Body {
    pub mesh: Mesh,
    /// Positions at the start and at the end of the step.
    pub start: Vec<Point>,
    pub end: Vec<Point>,
    /// Bodies collide if each has a bit of its category in the other's mask.
    pub category: u32,
    pub mask: u32,
    /// Half the distance at which two such surfaces touch.
    pub thickness: f64,
    pub self_collision: bool,
    /// For welded bodies: the vertex that stands for each of the caller's.
    pub welded: Option<Arc<[u32]>>,
    pub seam: Option<Seam>,
    /// The triangle in each slot.
    pub order: Vec<u32>,
    pub slot_of: Vec<u32>,
    /// By slot: corners, slots across the edges or [`NONE`], duties.
    pub corners: Vec<[u32; 3]>,
    pub across: Vec<[u32; 3]>,
    pub duties: Vec<u8>,
    pub vertex_boxes: Vec<VertexBox>,
    pub tree: Tree,
    /// Whether it is known that it does not collide with itself; then it has no cones.
    pub is_star_shaped: bool,
    pub centre: Centre,
    /// Whether positions or structure changed since the last refit.
    pub is_stale: bool,
    /// Whether start and end differ.
    pub is_moving: bool,
    /// Whether it was moved since the last update.
    has_moved: bool,
}

impl Body {
    /// A body at rest, with a tree that has yet to be refitted.
    pub fn new(mesh: Mesh, positions: Vec<Point>, how: Construction, builder: &mut Builder) -> Self {
        let mut body = Self::without_tree(mesh, positions);
        let mut elements: Vec<Element> = (0..body.mesh.triangles.len()).map(|t| body.element(t)).collect();
        builder.build(how, &mut elements, None);
        body.grow(&elements.iter().map(|e| e.number).collect::<Vec<u32>>(), builder);
        body
    }

    /// The same with a tree like that of another body, whose triangles the new ones come from.
    pub fn induced(mesh: Mesh, positions: Vec<Point>, old: &Self, order: &Order, builder: &mut Builder) -> Self {
        builder.induce(&order.slots, &old.tree.nodes);
        let mut body = Self::without_tree(mesh, positions);
        body.grow(&order.triangles, builder);
        body
    }

    fn without_tree(mesh: Mesh, positions: Vec<Point>) -> Self {
        Self {
            start: positions.clone(),
            end: positions,
            category: 1,
            mask: u32::MAX,
            thickness: 0.0,
            self_collision: true,
            welded: None,
            seam: None,
            order: vec![],
            slot_of: vec![0; mesh.triangles.len()],
            corners: vec![],
            across: vec![],
            duties: vec![],
            vertex_boxes: vec![],
            tree: Tree::default(),
            is_star_shaped: false,
            centre: Centre::default(),
            is_stale: true,
            is_moving: false,
            has_moved: false,
            mesh,
        }
    }

    /// Makes the tree: triangles in their new order, leaves and nodes as built.
    fn grow(&mut self, triangles: &[u32], builder: &Builder) {
        let (leaves, nodes) = (builder.starts.len(), builder.sizes.len());
        self.order = vec![NONE; leaves * LEAF];
        self.corners = vec![[0; 3]; leaves * LEAF];
        self.across = vec![[NONE; 3]; leaves * LEAF];
        self.duties = vec![0; leaves * LEAF];
        self.tree = Tree {
            nodes: vec![Node::NEW; nodes],
            cones: vec![Cones { normals: Cone::ALL, binormals: Cone::EMPTY }; nodes],
            costs: vec![Cost { inter: 1.0, own: 1.0, rebuilt: f32::NAN, is_culled: false }; nodes],
            leaves: vec![LeafBoxes::EMPTY; leaves],
            is_connected: vec![false; nodes],
        };
        self.arrange(0, 0, triangles, builder);
    }

    /// Rebuilds the tree below a node, in place.
    pub fn rebuild(&mut self, node: usize, how: Construction, builder: &mut Builder) {
        let own = self.tree.nodes[node];
        let triangles = self.order[own.slots()].iter().filter(|t| **t != NONE);
        let mut elements: Vec<Element> = triangles.map(|t| self.element(*t as usize)).collect();
        builder.build(how, &mut elements, Some(own.leaves as usize));
        self.arrange(node, own.first, &elements.iter().map(|e| e.number).collect::<Vec<u32>>(), builder);
    }

    fn element(&self, triangle: usize) -> Element {
        let [a, b, c] = self.mesh.triangles[triangle].map(|v| self.end[v as usize]);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
        let centre = [0, 1, 2].map(|k| ((a[k] + b[k] + c[k]) / 3.0) as f32);
        Element { centre, normal: normal.cast::<f32>().into(), number: triangle as u32 }
    }

    /// Fills the slots and the nodes of a subtree that was built.
    fn arrange(&mut self, node: usize, first_leaf: u32, triangles: &[u32], builder: &Builder) {
        let slots = first_leaf as usize * LEAF..(first_leaf as usize + builder.starts.len()) * LEAF;
        let ends = builder.starts.iter().skip(1).copied().chain([triangles.len() as u32]);
        for (k, (start, end)) in builder.starts.iter().zip(ends).enumerate() {
            let held = &triangles[*start as usize..end as usize];
            self.tree.leaves[first_leaf as usize + k] = LeafBoxes::EMPTY;
            for lane in 0..LEAF {
                let slot = slots.start + k * LEAF + lane;
                self.order[slot] = held.get(lane).copied().unwrap_or(NONE);
                match held.get(lane) {
                    Some(t) => {
                        self.slot_of[*t as usize] = slot as u32;
                        self.corners[slot] = self.mesh.triangles[*t as usize];
                        self.duties[slot] = self.mesh.duties[*t as usize];
                    }
                    // Its own neighbour: it has no boundary.
                    None => {
                        self.across[slot] = [slot as u32; 3];
                        self.duties[slot] = 0;
                    }
                }
            }
        }
        let mut first = first_leaf;
        for (k, leaves) in builder.sizes.iter().copied().enumerate() {
            self.tree.nodes[node + k] = Node { leaves, first, ..Node::NEW };
            self.tree.costs[node + k].rebuilt = f32::NAN;
            first += (leaves == 1) as u32;
        }
        for t in triangles {
            let slot = self.slot_of[*t as usize];
            for (k, n) in self.mesh.neighbours[*t as usize].into_iter().enumerate() {
                let other = if n == NONE { NONE } else { self.slot_of[n as usize] };
                self.across[slot as usize][k] = other;
                // Neighbours outside of the subtree see another slot, too.
                if n != NONE && !slots.contains(&(other as usize)) {
                    let edge = self.mesh.neighbours[n as usize].iter().position(|m| m == t);
                    edge.into_iter().for_each(|k| self.across[other as usize][k] = slot);
                }
            }
        }
        self.is_stale = true;
    }

    /// Finds out, for the nodes below one, whether their triangles hang together (FASTCD 4.2).
    pub fn connect(&mut self, node: usize) {
        let nodes = node..node + node_count(self.tree.nodes[node].leaves as usize);
        let slots = self.tree.nodes[node].slots();
        let mut parents: Vec<u32> = (0..slots.len() as u32).collect();
        let mut components = vec![0u32; nodes.len()];
        for k in nodes.rev() {
            let own = self.tree.nodes[k].slots();
            // Pairs of triangles that no node below has both of.
            let (walked, mut count) = match self.tree.nodes[k].leaves {
                1 => (own.clone(), self.order[own.clone()].iter().filter(|t| **t != NONE).count() as u32),
                _ => {
                    let [left, right] = self.tree.children(k);
                    let walked = match self.tree.nodes[left].leaves < self.tree.nodes[right].leaves {
                        true => self.tree.nodes[left].slots(),
                        false => self.tree.nodes[right].slots(),
                    };
                    (walked, components[left - node] + components[right - node])
                }
            };
            for slot in walked {
                for other in self.across[slot] {
                    if own.contains(&(other as usize)) {
                        let base = slots.start as u32;
                        let [a, b] =
                            [slot as u32, other].map(|s| crate::geom::union_find::find(&mut parents, s - base));
                        count -= (a != b) as u32;
                        crate::geom::union_find::join(&mut parents, a, b);
                    }
                }
            }
            components[k - node] = count;
            self.tree.is_connected[k] = count == 1;
        }
    }

    /// Takes new positions; what was the end of the last step is the start of this one.
    pub fn set_positions(&mut self, positions: impl Iterator<Item = Point>) {
        // Moved twice in a step: it starts where the step did.
        if !self.has_moved {
            std::mem::swap(&mut self.start, &mut self.end);
        }
        self.end.clear();
        self.end.extend(positions);
        self.is_stale = true;
        self.is_moving = true;
        if std::mem::replace(&mut self.has_moved, true) {
            return;
        }
        // Parts of a split share no point any more once the step starts with them apart.
        self.seam = self.seam.take().filter(|seam| !seam.has_moved).map(|seam| Seam { has_moved: true, ..seam });
    }

    /// Begins an update: a body that was not moved since the last one is at rest.
    pub fn begin_step(&mut self) {
        if !std::mem::take(&mut self.has_moved) && self.is_moving {
            self.start.clone_from(&self.end);
            self.is_moving = false;
            self.is_stale = true;
            self.seam = self.seam.take().filter(|seam| !seam.has_moved);
        }
    }

    /// How it collides.
    pub fn options(&self) -> BodyOptions {
        let Self { category, mask, thickness, self_collision, .. } = *self;
        BodyOptions { category, mask, thickness, self_collision, weld: self.welded.is_some() }
    }

    pub fn set_options(&mut self, options: &BodyOptions) {
        let BodyOptions { category, mask, thickness, self_collision, .. } = *options;
        (self.category, self.mask, self.thickness, self.self_collision) = (category, mask, thickness, self_collision);
    }

    /// The same before the first refit: the box of the vertices, and no costs.
    pub fn outline(&self, origin: &Point) -> Summary {
        let bounds = Aabb::around(&self.end);
        let of = |corner: &Point| (corner - origin).cast::<f32>().into();
        Summary { bounds: Node { min: of(&bounds.min), max: of(&bounds.max), ..Node::NEW }, inter: 1.0 }
    }

    /// What the tree over the bodies has to know.
    pub fn summary(&self) -> Summary {
        Summary { bounds: self.tree.nodes[0], inter: self.tree.costs[0].inter }
    }

    /// The caller's triangle in a slot.
    #[inline]
    pub fn triangle(&self, slot: usize) -> u32 {
        self.order[slot]
    }

    /// Corners of a slot's triangle at the end of the step.
    #[inline]
    pub fn points(&self, slot: usize) -> [&Point; 3] {
        self.corners[slot].map(|v| &self.end[v as usize])
    }

    /// Heap memory.
    pub fn bytes(&self) -> usize {
        let mesh = held(&self.mesh.triangles) + held(&self.mesh.neighbours) + held(&self.mesh.duties);
        let slots =
            held(&self.order) + held(&self.slot_of) + held(&self.corners) + held(&self.across) + held(&self.duties);
        let shared =
            self.welded.as_ref().map_or(0, |w| 4 * w.len()) + self.seam.as_ref().map_or(0, |s| 4 * s.points.len());
        mesh + slots + shared + held(&self.start) + held(&self.end) + held(&self.vertex_boxes) + self.tree.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    #[test]
    fn neighbours_are_known_by_slot_after_parts_are_rebuilt() {
        let n = 20;
        let at = |k: usize| Point::from([0, 1, 2].map(|a| (k % n) as f64 * 0.1 + unit(a, k as u64)));
        let vertex = |i: usize, j: usize| (i * n + j) as u32;
        let squares = (0..n - 1).flat_map(|i| (0..n - 1).map(move |j| (i, j)));
        let triangles = squares.flat_map(|(i, j)| {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            [[a, b, c], [a, c, d]]
        });
        let mesh = Mesh::new(triangles.collect(), n * n).unwrap();
        let mut builder = Builder::default();
        let mut body = Body::new(mesh, (0..n * n).map(at).collect(), Construction::Grid, &mut builder);
        for (node, how) in
            [(1, Construction::Median), (5, Construction::Morton), (2, Construction::Grid), (0, Construction::Grid)]
        {
            body.set_positions((0..n * n).map(|k| at(k + 1000 * node)));
            body.rebuild(node, how, &mut builder);
            for (t, across) in body.mesh.neighbours.iter().enumerate() {
                let slot = body.slot_of[t] as usize;
                assert_eq!((body.order[slot], body.corners[slot]), (t as u32, body.mesh.triangles[t]));
                let expected = across.map(|n| if n == NONE { NONE } else { body.slot_of[n as usize] });
                assert_eq!(body.across[slot], expected);
            }
            let held = body.order.iter().filter(|t| **t != NONE).count();
            assert_eq!(held, body.mesh.triangles.len());
        }
    }
}
