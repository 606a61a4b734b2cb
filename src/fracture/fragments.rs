//! From cells to fragments: nodes of one cell that hang together over uncut edges (Glondu 2013, section 4.1: every fragment
//! owns at least one node).

use super::scratch::Scratch;
use crate::body::Object;
use crate::geom::{NONE, union_find};
use crate::solid::Solid;

/// The fragments of an event before they are weighed.
pub struct Fragments {
    /// The cell whose borders are those of the fragment, a fragment each. Two fragments may share one.
    pub cell: Vec<u32>,
    /// Edges whose ends are in different fragments, ascending.
    pub cut_edges: Vec<u32>,
    /// Whether crumbs were joined, so that a fragment may hold nodes of several cells.
    pub joined: bool,
}

impl Fragments {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.cell.len()
    }
}

/// Finds the fragments, and writes the fragment of every node to `scratch.fragment_of`.
pub fn find(object: &Object, scratch: &mut Scratch) -> Fragments {
    let cut_edges = hang(object, scratch);
    let Scratch { cell_of, fragment_of, parents, .. } = scratch;
    join(object, cell_of, parents);
    let roots = object.nodes().iter().copied().filter(|n| parents[*n as usize] == *n);
    // In the order of cells, then of lowest nodes.
    let mut found: Vec<(u32, u32)> = roots.map(|root| (cell_of[root as usize], root)).collect();
    found.sort_unstable();
    found.iter().zip(0..).for_each(|((_, root), number)| fragment_of[*root as usize] = number);
    for &node in object.nodes() {
        fragment_of[node as usize] = fragment_of[parents[node as usize] as usize];
    }
    Fragments { cell: found.into_iter().map(|(cell, _)| cell).collect(), cut_edges, joined: false }
}

/// Hangs every node on the nearest one before it, over an edge, that has its cell; returns the edges that are cut.
fn hang(object: &Object, scratch: &mut Scratch) -> Vec<u32> {
    let Scratch { cell_of, parents, picked, .. } = scratch;
    let solid = object.asset().solid();
    let edges = solid.edges();
    object.nodes().iter().for_each(|n| parents[*n as usize] = *n);
    picked.resize(picked.len().max(edges.len() + 1), 0);
    let mut cut = 0;
    for run in object.nodes().chunk_by(|a, b| a + 1 == *b) {
        let from = solid.edges_from_all(run[0]..run[run.len() - 1] + 1);
        cut += hang_over(&edges[from.clone()], from.start as u32, cell_of, parents, &mut picked[cut..]);
    }
    picked[..cut].to_vec()
}

/// The same over some edges, which are numbered from `first`; returns how many were picked.
#[inline(never)] // a tight loop needs all registers
fn hang_over(edges: &[[u32; 2]], first: u32, cell_of: &[u32], parents: &mut [u32], picked: &mut [u32]) -> usize {
    let mut cut = 0;
    // Nobody could tell which edges are cut: so nothing branches on it. Edges are sorted: the nearest comes last.
    for (&[low, high], e) in edges.iter().zip(first..) {
        let (own, other) = (cell_of[low as usize], cell_of[high as usize]);
        picked[cut] = e;
        cut += ((own != other) & (other != NONE)) as usize;
        let same = ((own == other) as u32).wrapping_neg();
        let parent = &mut parents[high as usize];
        *parent = low & same | *parent & !same;
    }
    cut
}

/// From nodes that hang on others to the lowest node of each connected part.
fn join(object: &Object, cell_of: &[u32], parents: &mut [u32]) {
    let solid = object.asset().solid();
    let nodes = object.nodes();
    let mut roots = vec![];
    for &node in nodes {
        let root = parents[parents[node as usize] as usize];
        parents[node as usize] = root;
        if root == node {
            roots.push(node);
        }
    }
    // Where the nodes above a root hang on another one, they belong together. That joins nearly all that does.
    for &root in &roots {
        join_around(solid, root, cell_of, parents);
    }
    settle(nodes, parents);
    // What is still in several parts may be in fact, or hang together elsewhere.
    let mut parts: Vec<u32> =
        roots.iter().filter(|r| parents[**r as usize] == **r).map(|r| cell_of[*r as usize]).collect();
    parts.sort_unstable();
    let mut open: Vec<u32> = parts.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
    open.dedup();
    if !open.is_empty() {
        for &node in nodes.iter().filter(|n| open.binary_search(&cell_of[**n as usize]).is_ok()) {
            join_around(solid, node, cell_of, parents);
        }
        settle(nodes, parents);
    }
}

/// Joins a node with those above it that have its cell.
fn join_around(solid: &Solid, low: u32, cell_of: &[u32], parents: &mut [u32]) {
    let own = cell_of[low as usize];
    for &[_, high] in &solid.edges()[solid.edges_from(low)] {
        if cell_of[high as usize] == own && parents[high as usize] != parents[low as usize] {
            union_find::join(parents, low, high);
        }
    }
}

/// Lets every node hang on its root itself.
#[inline(never)]
fn settle(nodes: &[u32], parents: &mut [u32]) {
    // Parents are lower, so they are settled already.
    nodes.iter().for_each(|n| parents[*n as usize] = parents[parents[*n as usize] as usize]);
}
