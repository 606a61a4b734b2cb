//! From cells to fragments: nodes of one cell that hang together over uncut edges (Glondu 2013, section 4.1: every fragment
//! owns at least one node).

use super::scratch::Scratch;
use crate::body::Object;
use crate::geom::{NONE, union_find};

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

/// Finds the fragments, writes the fragment of every node to `scratch.fragment_of`, and marks the ends of cut edges in
/// `scratch.near_crack`.
pub fn find(object: &Object, scratch: &mut Scratch) -> Fragments {
    let Scratch { cell_of, fragment_of, parents, near_crack, .. } = scratch;
    let solid = object.asset().solid();
    let edges = solid.edges();
    for &node in object.nodes() {
        parents[node as usize] = node;
    }
    let mut cut_edges = vec![];
    for &low in object.nodes() {
        let own = cell_of[low as usize];
        let mut root = union_find::find(parents, low);
        let from_low = solid.edges_from(low);
        for (&[_, high], e) in edges[from_low.clone()].iter().zip(from_low.start as u32..) {
            let cell = cell_of[high as usize];
            if cell == own {
                // Most edges of a mesh join what is joined already, or a node that nobody has met.
                let parent = parents[high as usize];
                if parent == high {
                    parents[high as usize] = root;
                } else if parent != root {
                    root = union_find::join(parents, root, high);
                }
            } else if cell != NONE {
                cut_edges.push(e);
                near_crack[low as usize] = true;
                near_crack[high as usize] = true;
            }
        }
    }
    let mut found: Vec<(u32, u32)> = vec![]; // cell, number in the order of lowest nodes
    for &node in object.nodes() {
        let root = union_find::find(parents, node);
        if root == node {
            fragment_of[node as usize] = found.len() as u32;
            found.push((cell_of[node as usize], found.len() as u32));
        } else {
            fragment_of[node as usize] = fragment_of[root as usize];
        }
    }
    found.sort_unstable();
    let mut rank = vec![0; found.len()];
    found.iter().zip(0..).for_each(|((_, old), new)| rank[*old as usize] = new);
    for &node in object.nodes() {
        let fragment = &mut fragment_of[node as usize];
        *fragment = rank[*fragment as usize];
    }
    Fragments { cell: found.into_iter().map(|(cell, _)| cell).collect(), cut_edges, joined: false }
}
