//! The tree over the bodies of a scene: the upper part of FASTCD's one merged BVH (3.1), with the local operations of 5.3.
//!
//! A body is one leaf here and has the lower part of the tree to itself, so a split or a deletion never touches another body, and flags
//! and cones of other nodes cannot become stale.

use super::build::{Builder, Element};
use super::node::{Node, Summary, inter_cost, node_count, union};
use super::options::Construction;
use crate::geom::NONE;
use crate::heap::held;

/// A node over bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct TopNode {
    /// The box; `leaves` is the number of bodies, `first` the body of a leaf.
    pub bounds: Node,
    pub parent: u32,
    /// [`NONE`] in a leaf.
    pub children: [u32; 2],
    /// TC_I, TC_S without what is within bodies, and TC_S after the last rebuild (NaN until the refit after it).
    pub inter: f32,
    pub own: f32,
    pub rebuilt: f32,
}

impl TopNode {
    pub fn is_leaf(&self) -> bool {
        self.children[0] == NONE
    }
}

/// The tree over all bodies.
#[derive(Clone, Default)]
pub(super) struct Top {
    pub nodes: Vec<TopNode>,
    free: Vec<u32>,
    /// [`NONE`] if there are no bodies.
    pub root: u32,
    /// The leaf of each body, by index.
    leaf_of: Vec<u32>,
}

impl Top {
    pub fn new() -> Self {
        Self { root: NONE, ..Self::default() }
    }

    fn new_node(&mut self, node: TopNode) -> u32 {
        if let Some(k) = self.free.pop() {
            self.nodes[k as usize] = node;
            return k;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn new_leaf(&mut self, body: u32, summary: &Summary) -> u32 {
        let bounds = Node { leaves: 1, first: body, ..summary.bounds };
        let leaf = self.new_node(TopNode {
            bounds,
            parent: NONE,
            children: [NONE; 2],
            inter: summary.inter,
            own: 0.0,
            rebuilt: f32::NAN,
        });
        if self.leaf_of.len() <= body as usize {
            self.leaf_of.resize(body as usize + 1, NONE);
        }
        self.leaf_of[body as usize] = leaf;
        leaf
    }

    fn join(&mut self, left: u32, right: u32) -> u32 {
        let bounds = Node { leaves: 0, first: NONE, ..self.nodes[left as usize].bounds };
        let node = self.new_node(TopNode {
            bounds,
            parent: NONE,
            children: [left, right],
            inter: 1.0,
            own: 1.0,
            rebuilt: f32::NAN,
        });
        [left, right].iter().for_each(|k| self.nodes[*k as usize].parent = node);
        self.refresh(node);
        node
    }

    /// Box and costs of a node from its children.
    fn refresh(&mut self, node: u32) {
        let [l, r] = self.nodes[node as usize].children.map(|k| self.nodes[k as usize]);
        let (min, max) = union(&l.bounds, &r.bounds);
        let own = &mut self.nodes[node as usize];
        own.bounds = Node { min, max, leaves: l.bounds.leaves + r.bounds.leaves, first: NONE };
        own.inter = inter_cost(&own.bounds, &[(&l.bounds, l.inter), (&r.bounds, r.inter)]);
        own.own = l.inter + r.inter + l.own + r.own;
    }

    fn refresh_up(&mut self, mut node: u32) {
        while node != NONE {
            self.refresh(node);
            node = self.nodes[node as usize].parent;
        }
    }

    /// A subtree over bodies; its root. At least one body.
    pub fn build(&mut self, bodies: &[(u32, Summary)], builder: &mut Builder) -> u32 {
        // Every body has a leaf of its own.
        let centre = |s: &Summary| [0, 1, 2].map(|k| 0.5 * (s.bounds.min[k] + s.bounds.max[k]));
        let element = |k: usize| Element { centre: centre(&bodies[k].1), normal: [0.0; 3], number: k as u32 };
        let mut elements: Vec<Element> = (0..bodies.len()).map(element).collect();
        builder.build(Construction::Grid, &mut elements, Some(bodies.len()));
        let mut leaves = vec![];
        for element in &elements {
            let (body, summary) = &bodies[element.number as usize];
            leaves.push(self.new_leaf(*body, summary));
        }
        self.subtree(&builder.sizes, &leaves)
    }

    fn subtree(&mut self, sizes: &[u32], leaves: &[u32]) -> u32 {
        if let [leaf] = leaves {
            return *leaf;
        }
        let (left, cut) = (node_count(sizes[1] as usize), sizes[1] as usize);
        let left_child = self.subtree(&sizes[1..1 + left], &leaves[..cut]);
        let right_child = self.subtree(&sizes[1 + left..], &leaves[cut..]);
        self.join(left_child, right_child)
    }

    /// Puts a subtree in the place of a body's leaf (split).
    pub fn replace(&mut self, body: u32, bodies: &[(u32, Summary)], builder: &mut Builder) {
        let leaf = std::mem::replace(&mut self.leaf_of[body as usize], NONE);
        let parent = self.nodes[leaf as usize].parent;
        self.free.push(leaf);
        let subtree = self.build(bodies, builder);
        self.hang(subtree, parent, leaf);
    }

    /// Makes a node the child of `parent` in the place of `instead`, or the root.
    fn hang(&mut self, node: u32, parent: u32, instead: u32) {
        self.nodes[node as usize].parent = parent;
        if parent == NONE {
            self.root = node;
            return;
        }
        let children = &mut self.nodes[parent as usize].children;
        // The place of the old one may have been given to a new node already, which is no child yet.
        let k = (children[1] == instead) as usize;
        children[k] = node;
        self.refresh_up(parent);
    }

    /// Takes a body out (delete); its sibling moves up.
    pub fn remove(&mut self, body: u32) {
        let leaf = std::mem::replace(&mut self.leaf_of[body as usize], NONE);
        let parent = self.nodes[leaf as usize].parent;
        self.free.push(leaf);
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let TopNode { children, parent: above, .. } = self.nodes[parent as usize];
        let sibling = if children[0] == leaf { children[1] } else { children[0] };
        self.hang(sibling, above, parent);
        self.free.push(parent);
    }

    /// Puts a body below `start` ([`NONE`]: the root), down the way that raises the traversal cost least (5.3).
    pub fn insert(&mut self, body: u32, summary: &Summary, start: u32) {
        let leaf = self.new_leaf(body, summary);
        let mut at = if start == NONE { self.root } else { start };
        if at == NONE {
            self.root = leaf;
            return;
        }
        while !self.nodes[at as usize].is_leaf() {
            let children = self.nodes[at as usize].children;
            let [left, right] = children.map(|k| self.cost_with(k, summary));
            at = if right < left { children[1] } else { children[0] };
        }
        let parent = self.nodes[at as usize].parent;
        let node = self.join(at, leaf);
        self.hang(node, parent, at);
    }

    /// What TC_S of the parent rises by if a body goes below a child: the change of the child's TC_I and TC_S.
    fn cost_with(&self, child: u32, body: &Summary) -> f32 {
        let node = &self.nodes[child as usize];
        let (min, max) = union(&node.bounds, &body.bounds);
        let grown = Node { min, max, ..node.bounds };
        let inter = inter_cost(&grown, &[(&node.bounds, node.inter), (&body.bounds, body.inter)]);
        inter - node.inter + body.inter
    }

    /// The lowest common ancestor of some bodies.
    pub fn common_ancestor(&self, bodies: &[u32]) -> u32 {
        let path = |body: u32| {
            let mut nodes = vec![self.leaf_of[body as usize]];
            while let Some(parent) = nodes.last().map(|n| self.nodes[*n as usize].parent).filter(|p| *p != NONE) {
                nodes.push(parent);
            }
            nodes.reverse();
            nodes
        };
        let mut common = path(bodies[0]);
        for body in &bodies[1..] {
            let shared = common.iter().zip(&path(*body)).take_while(|(a, b)| a == b).count();
            common.truncate(shared);
        }
        common.last().copied().unwrap_or(NONE)
    }

    /// Takes several bodies out and puts one in, from their lowest common ancestor on (merge).
    pub fn merge(&mut self, bodies: &[u32], body: u32, summary: &Summary) {
        let ancestor = self.common_ancestor(bodies);
        let TopNode { parent, bounds, .. } = self.nodes[ancestor as usize];
        let side = (parent != NONE && self.nodes[parent as usize].children[1] == ancestor) as usize;
        bodies.iter().for_each(|b| self.remove(*b));
        // Deletions move nodes up, but what is left of the ancestor keeps its place below the parent.
        let is_empty = bounds.leaves as usize == bodies.len();
        let start = if parent == NONE || is_empty { NONE } else { self.nodes[parent as usize].children[side] };
        self.insert(body, summary, start);
    }

    /// Refits all nodes from the summaries of the bodies.
    pub fn refit(&mut self, summary: impl Fn(u32) -> Summary) {
        for node in self.bottom_up() {
            let own = &mut self.nodes[node as usize];
            if own.is_leaf() {
                let s = summary(own.bounds.first);
                own.bounds = Node { leaves: 1, first: own.bounds.first, ..s.bounds };
                own.inter = s.inter;
            } else {
                self.refresh(node);
            }
            let own = &mut self.nodes[node as usize];
            own.rebuilt = if own.rebuilt.is_nan() { own.own } else { own.rebuilt };
        }
    }

    /// All nodes, children before parents.
    fn bottom_up(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.nodes.len());
        if self.root != NONE {
            order.push(self.root);
        }
        let mut k = 0;
        while k < order.len() {
            let node = &self.nodes[order[k] as usize];
            if !node.is_leaf() {
                order.extend(node.children);
            }
            k += 1;
        }
        order.reverse();
        order
    }

    /// Rebuilds the subtree below a node.
    pub fn rebuild(&mut self, node: u32, builder: &mut Builder) {
        let parent = self.nodes[node as usize].parent;
        let (mut waiting, mut bodies) = (vec![node], vec![]);
        while let Some(k) = waiting.pop() {
            let TopNode { bounds, children, inter, .. } = self.nodes[k as usize];
            match children {
                [NONE, _] => bodies.push((bounds.first, Summary { bounds, inter })),
                [left, right] => waiting.extend([right, left]),
            }
            self.free.push(k);
        }
        let subtree = self.build(&bodies, builder);
        self.hang(subtree, parent, node);
    }

    /// Heap memory.
    pub fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.free) + held(&self.leaf_of)
    }
}
