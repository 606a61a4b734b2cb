//! From regions to fragments: what hangs together within one cell (docs/formulations/exact-cells.md).
//!
//! Nodes of one cell hang together over edges between them: such an edge lies in the cell. Regions hang on their nodes, and over
//! faces of the mesh on which they own no node, with the region that has the same facet on the other side. A fragment need not own a node.

use super::envelope::Envelope;
use super::regions::Divided;
use super::scratch::Scratch;
use crate::body::Object;
use crate::geom::counting_sort::group;
use crate::geom::random::Mixed;
use crate::geom::{NONE, union_find};
use crate::solid::Solid;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// The fragments of an event before they are weighed.
pub struct Fragments {
    /// The cell of each, in the pattern's numbers.
    pub cell: Vec<u32>,
    /// The fragment of each region.
    pub of_part: Vec<u32>,
}

impl Fragments {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.cell.len()
    }
}

/// Finds the fragments, and writes the fragment of every node of the object to `scratch.fragment_of`.
pub fn find(object: &Object, envelope: &Envelope, divided: &Divided, scratch: &mut Scratch) -> Fragments {
    let solid = object.asset().solid();
    let nodes = solid.nodes().len() as u32;
    let Scratch { cell_of, fragment_of, parents, .. } = scratch;
    // A joined object, which may be rough too, can have two nodes of one cell on either side of something else.
    let is_simple = object.piece().kind.is_made_of_planes();
    if is_simple {
        hang_nodes(object, cell_of, parents);
    } else {
        object.nodes().iter().for_each(|n| parents[*n as usize] = *n);
        hang_in_tets(object, cell_of, divided, parents);
    }
    // Regions are numbered behind the nodes.
    parents.resize(nodes as usize, NONE);
    parents.extend(nodes..nodes + divided.parts.len() as u32);
    for (part, number) in divided.parts.iter().zip(nodes..).filter(|(part, _)| part.nodes != 0) {
        let tet = solid.tets()[divided.work[part.work as usize].tet as usize];
        let first = part.nodes.trailing_zeros() as usize;
        // Its nodes hang together already, each on the lowest.
        parents[number as usize] = parents[tet[first & 3] as usize];
        if !is_simple {
            for (node, _) in tet.iter().zip(0..).filter(|(_, k)| part.nodes >> k & 1 != 0) {
                union_find::join(parents, *node, number);
            }
        }
    }
    let mut facets: HashMap<u64, u32, BuildHasherDefault<Mixed>> = HashMap::default();
    for &(key, part) in &divided.joins {
        match facets.remove(&key) {
            Some(other) => {
                union_find::join(parents, nodes + part, nodes + other);
            }
            None => {
                facets.insert(key, part);
            }
        }
    }
    let label = |part: u32| envelope.joined(divided.parts[part as usize].label);
    // Without cells that are one, and cracks within the object, all facets are between different fragments.
    let facets = if is_simple && !envelope.has_groups() { &[] } else { &divided.facets[..] };
    for facet in facets {
        let [a, b] = facet.parts;
        if a != NONE && b != NONE && label(a) == label(b) {
            union_find::join(parents, nodes + a, nodes + b);
        }
    }
    number(object, envelope, divided, parents, fragment_of)
}

/// Lets every node of an object that planes made hang on the lowest node that is connected with it over edges within their cell.
fn hang_nodes(object: &Object, cell_of: &[u32], parents: &mut [u32]) {
    let (solid, nodes) = (object.asset().solid(), object.nodes());
    nodes.iter().for_each(|n| parents[*n as usize] = *n);
    for run in nodes.chunk_by(|a, b| a + 1 == *b) {
        let from = solid.edges_from_all(run[0]..run[run.len() - 1] + 1);
        hang_over(&solid.edges()[from], cell_of, parents);
    }
    let roots = join_roots(solid, nodes, cell_of, parents);
    // What is still in several parts may be in fact, or hang together elsewhere.
    let mut parts: Vec<u32> =
        roots.iter().filter(|r| parents[**r as usize] == **r).map(|r| cell_of[*r as usize]).collect();
    parts.sort_unstable();
    let mut open: Vec<u32> = parts.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
    open.dedup();
    if !open.is_empty() {
        let is_open = |node: &&u32| open.binary_search(&cell_of[**node as usize]).is_ok();
        nodes.iter().filter(is_open).for_each(|node| join_around(solid, *node, cell_of, parents));
        settle(nodes, parents);
    }
}

/// The same for the nodes of the skin, over its edges, of a body that is all of a solid. What is left in several parts may still hang
/// together.
pub fn hang_skin(solid: &Solid, cell_of: &[u32], parents: &mut [u32]) {
    parents[..solid.nodes().len()].iter_mut().zip(0..).for_each(|(parent, node)| *parent = node);
    hang_over(solid.skin_edges(), cell_of, parents);
    join_roots(solid, solid.skin_nodes(), cell_of, parents);
}

/// Numbers the fragments in the order of cells, then of their lowest nodes.
fn number(
    object: &Object,
    envelope: &Envelope,
    divided: &Divided,
    parents: &mut [u32],
    fragment_of: &mut [u32],
) -> Fragments {
    let nodes = object.asset().solid().nodes().len() as u32;
    let mut found: Vec<(u64, u32)> = vec![];
    for &node in object.nodes() {
        if union_find::find(parents, node) == node {
            found.push((envelope.joined(envelope.label_of(node)), node));
        }
    }
    // Lower than a region are its nodes: only one without may be the lowest of all.
    for (part, element) in divided.parts.iter().zip(nodes..).filter(|(part, _)| part.nodes == 0) {
        if union_find::find(parents, element) == element {
            found.push((envelope.joined(part.label), element));
        }
    }
    let cell = match envelope.has_levels() {
        // Cells of planes have no numbers of their own: they get them as they are met.
        true => {
            let mut numbers = HashMap::new();
            let mut cells = |label| {
                let next = numbers.len() as u32;
                *numbers.entry(label).or_insert(next)
            };
            found.iter_mut().for_each(|(label, _)| *label = cells(*label) as u64);
            found.sort_unstable();
            found.iter().map(|(label, _)| *label as u32).collect()
        }
        false => {
            found.sort_unstable();
            found.iter().map(|(label, _)| *label as u32).collect()
        }
    };
    let mut of_part = vec![NONE; divided.parts.len()];
    for ((_, root), number) in found.iter().zip(0..) {
        match root.checked_sub(nodes) {
            Some(part) => of_part[part as usize] = number,
            None => fragment_of[*root as usize] = number,
        }
    }
    for &node in object.nodes() {
        fragment_of[node as usize] = fragment_of[union_find::find(parents, node) as usize];
    }
    for part in 0..divided.parts.len() as u32 {
        let root = union_find::find(parents, nodes + part);
        of_part[part as usize] = match root.checked_sub(nodes) {
            Some(other) => of_part[other as usize],
            None => fragment_of[root as usize],
        };
    }
    Fragments { cell, of_part }
}

/// Joins the nodes of every tetrahedron that is whole.
fn hang_in_tets(object: &Object, cell_of: &[u32], divided: &Divided, parents: &mut [u32]) {
    let solid = object.asset().solid();
    for tet in object.nodes().iter().flat_map(|n| solid.tets_from(*n)) {
        let [a, b, c, d] = solid.tets()[tet];
        let own = cell_of[a as usize];
        let is_whole = [b, c, d].iter().all(|n| cell_of[*n as usize] == own)
            && divided.work.binary_search_by_key(&(tet as u32), |w| w.tet).is_err();
        if is_whole {
            [b, c, d].iter().for_each(|n| {
                union_find::join(parents, a, *n);
            });
        }
    }
}

/// Hangs every node on the nearest one before it, over one of these edges, that has its cell.
#[inline(never)] // a tight loop needs all registers
fn hang_over(edges: &[[u32; 2]], cell_of: &[u32], parents: &mut [u32]) {
    // Branchless: which edges are cut is unpredictable. Edges are sorted: the nearest comes last.
    for &[low, high] in edges {
        let same = ((cell_of[low as usize] == cell_of[high as usize]) as u32).wrapping_neg();
        let parent = &mut parents[high as usize];
        *parent = low & same | *parent & !same;
    }
}

/// From nodes that hang on others towards the lowest node of each connected part; returns those that hung on none.
fn join_roots(solid: &Solid, nodes: &[u32], cell_of: &[u32], parents: &mut [u32]) -> Vec<u32> {
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
    roots
}

/// Joins a node with those above it that have its cell.
pub fn join_around(solid: &Solid, low: u32, cell_of: &[u32], parents: &mut [u32]) {
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

/// The nodes of the object by a number that each has, and where those of each number start.
pub fn nodes_by(object: &Object, count: usize, number: impl Fn(u32) -> u32) -> (Vec<u32>, Vec<usize>) {
    let keys: Vec<u32> = object.nodes().iter().map(|n| number(*n)).collect();
    group(count, &keys, |k| object.nodes()[k])
}
