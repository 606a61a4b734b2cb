//! Where cracks cross edges of the mesh: each edge is looked at once, however many tetrahedra are around it.
//!
//! This is about the plain case, an edge that one new crack crosses and no earlier one: its corner belongs to the fragments of its
//! two ends. What else there is on edges comes from the tetrahedra around (`regions`).

use super::envelope::Envelope;
use super::scratch::Scratch;
use crate::body::Object;
use crate::cut::polytope::key_where_cells_meet;
use crate::geom::{NONE, Point};
use crate::tasks::Tasks;
use std::collections::HashSet;

/// Edges a task looks at, at a time. Part of the result: runs are put together in order.
const GRAIN: usize = 1 << 10;

/// Where the one crack on an edge crosses it.
#[derive(Clone, Copy, Debug)]
pub struct EdgeCorner {
    /// The ends, the lower first.
    pub nodes: [u32; 2],
    /// The cells of the crack, as in [`Split`].
    pub cells: [u32; 2],
    pub at: Point,
    pub on_skin: bool,
}

impl EdgeCorner {
    /// The number by which it is known.
    pub fn key(&self, generation: u32) -> u64 {
        key_where_cells_meet(&self.nodes, &self.cells, generation)
    }
}

/// The edges between nodes of the object that cracks of earlier events cross. `cell_of` is that of the nodes of the object.
pub fn crossed_before(object: &Object, work: &[Work], cell_of: &[u32]) -> HashSet<[u32; 2]> {
    let made = object.made_by();
    let tets = object.asset().solid().tets();
    let mut crossed = HashSet::new();
    for w in work.iter().filter(|w| w.earlier != NONE) {
        let nodes = tets[w.tet as usize];
        for split in made.cut_tets().splits_at(w.earlier as usize) {
            // A zero may count as either side.
            let is_own = |i: usize| cell_of[nodes[i] as usize] != NONE;
            let is_crossed = |i: usize, j: usize| split.values[i] * split.values[j] <= 0.0 && is_own(i) && is_own(j);
            for (i, j) in (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))).filter(|(i, j)| is_crossed(*i, *j)) {
                crossed.insert([nodes[i], nodes[j]]);
            }
        }
    }
    crossed
}

/// A tetrahedron to divide, and where it is in the object's break, if an earlier event cut it.
#[derive(Clone, Copy)]
pub struct Work {
    pub tet: u32,
    pub earlier: u32,
}

/// Edges with several cracks, and a few others.
#[derive(Clone, Copy)]
pub struct Contested<'a> {
    /// By node: a bit for the upper end of each that starts there; others may have the same.
    pub from: &'a [u64],
}

impl Contested<'_> {
    /// Whether a tetrahedron may have one. Branchless: unpredictable.
    #[inline]
    pub fn has_any(&self, nodes: &[u32; 4]) -> bool {
        let [a, b, c, d] = *nodes;
        let [from_a, from_b, from_c] = [a, b, c].map(|n| self.from[n as usize]);
        from_a & (end(b) | end(c) | end(d)) | from_b & (end(c) | end(d)) | from_c & end(d) != 0
    }
}

/// A bit for a node.
#[inline]
fn end(node: u32) -> u64 {
    1 << (node % 64)
}

/// Finds the plain corners on edges; those that are not plain are marked in `scratch.contested`.
pub fn find(
    object: &Object,
    envelope: &Envelope,
    crossed: &HashSet<[u32; 2]>,
    scratch: &mut Scratch,
    tasks: &Tasks,
) -> Vec<EdgeCorner> {
    let solid = object.asset().solid();
    let Scratch { cell_of, picked, contested, .. } = scratch;
    picked.resize(picked.len().max(solid.edges().len() + 1), 0);
    let mut cut = 0;
    for run in object.nodes().chunk_by(|a, b| a + 1 == *b) {
        let from = solid.edges_from_all(run[0]..run[run.len() - 1] + 1);
        cut += pick_cut(&solid.edges()[from.clone()], from.start as u32, cell_of, &mut picked[cut..]);
    }
    let picked = &picked[..cut];
    let runs = tasks.map_chunks(cut, GRAIN, |range| {
        let (mut corners, mut others) = (Vec::with_capacity(range.len()), vec![]);
        for &edge in &picked[range] {
            let nodes = solid.edges()[edge as usize];
            let split = envelope.crack_on_edge(nodes).filter(|_| crossed.is_empty() || !crossed.contains(&nodes));
            let Some(split) = split else {
                others.push(nodes);
                continue;
            };
            let [p, q] = nodes.map(|n| solid.nodes()[n as usize]);
            let weights = split.on_edge(0, 1);
            let at = Point::from(p.coords * weights[0] + q.coords * weights[1]);
            let on_skin = solid.is_skin_edge(edge as usize);
            corners.push(EdgeCorner { nodes, cells: split.cells, at, on_skin });
        }
        (corners, others)
    });
    let mut all = vec![];
    for (mut corners, others) in runs {
        others.iter().for_each(|[low, high]| contested[*low as usize] |= end(*high));
        if all.is_empty() { all = corners } else { all.append(&mut corners) }
    }
    all
}

/// Picks the edges, numbered from `first`, between nodes of the object with different cells; returns how many.
#[inline(never)] // a tight loop needs all registers
pub fn pick_cut(edges: &[[u32; 2]], first: u32, cell_of: &[u32], picked: &mut [u32]) -> usize {
    let mut cut = 0;
    for (k, edge) in edges.iter().enumerate() {
        // Branchless: unpredictable.
        let [low, high] = edge.map(|node| cell_of[node as usize]);
        picked[cut] = first + k as u32;
        cut += ((low != high) & (high != NONE)) as usize;
    }
    cut
}
