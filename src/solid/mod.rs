//! Solids: tetrahedra with their connectivity and boundary, checked and put in order.
//!
//! `Solid::new` is the gate: what passes it is sound, and no later step checks again. Nodes are renumbered along a Morton
//! curve (neighbours in space are neighbours in memory) and every tetrahedron lists its nodes in ascending order, so that
//! a face or an edge looks the same from all tetrahedra around it. The caller's numbers are kept beside ours.

mod check;
pub mod drawing;
pub mod fill;
pub mod rises;
pub mod shapes;
pub mod surface;

pub use check::LARGEST_COORDINATE;

use crate::error::Result;
use crate::geom::aabb::Aabb;
use crate::geom::counting_sort::starts_of;
use crate::geom::{NONE, Point, Vector, morton, union_find};
use crate::heap::held;
use std::ops::Range;

/// A triangle of the boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinTriangle {
    /// Nodes, counter-clockwise seen from outside, the lowest first.
    pub nodes: [u32; 3],
    /// The tetrahedron behind it.
    pub tet: u32,
}

/// What lies across a face of a tetrahedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Across {
    /// Another tetrahedron.
    Tet(u32),
    /// The outside, through this triangle of the skin.
    Skin(u32),
}

/// A tetrahedral mesh and its boundary: valid, in curve order, with its connectivity.
#[derive(Clone, Debug)]
pub struct Solid {
    nodes: Vec<Point>,
    /// Nodes in ascending order; the list itself is sorted too.
    tets: Vec<[u32; 4]>,
    /// Volume of each tetrahedron, negative where the ascending order is left-handed.
    volumes: Vec<f64>,
    /// Tetrahedra whose lowest node is `i`: `tet_start[i]..tet_start[i + 1]`.
    tet_start: Vec<u32>,
    /// Lower and higher end, sorted.
    edges: Vec<[u32; 2]>,
    edge_start: Vec<u32>,
    /// A bit for each edge: whether it is an edge of the skin.
    is_skin_edge: Vec<u64>,
    /// The edges of the skin, sorted.
    skin_edges: Vec<[u32; 2]>,
    /// The nodes of the skin, ascending.
    skin_nodes: Vec<u32>,
    /// For each skin triangle its edges, by their places among those: from the first node to the second, and so on.
    skin_sides: Vec<[u32; 3]>,
    /// Nodes at the other ends of the edges of node `i`, ascending: `links[link_start[i]..link_start[i + 1]]`.
    links: Vec<u32>,
    link_start: Vec<u32>,
    skin: Vec<SkinTriangle>,
    skin_start: Vec<u32>,
    on_skin: Vec<bool>,
    /// Per tetrahedron and face (opposite node k): a tetrahedron, or a skin triangle with the top bit set.
    across: Vec<[u32; 4]>,
    /// Connected body of each node, numbered by lowest node.
    body_of: Vec<u32>,
    bodies: u32,
    source_nodes: Vec<u32>,
    source_tets: Vec<u32>,
    source_node_count: u32,
}

/// The caller's numbers, beside ours.
pub(crate) struct Source {
    /// Of each node.
    pub nodes: Vec<u32>,
    /// Of each tetrahedron.
    pub tets: Vec<u32>,
    /// How many nodes the caller gave, used or not.
    pub node_count: usize,
}

const SKIN_BIT: u32 = 1 << 31;

impl Solid {
    /// Checks a tetrahedral mesh and puts it in order.
    ///
    /// Inverted tetrahedra are turned round and unused nodes dropped. Everything else that keeps the mesh from being a
    /// solid is an error that names the culprit: non-finite coordinates, indices out of range, tetrahedra without volume,
    /// duplicates, faces shared by more than two tetrahedra or by two on the same side.
    pub fn new(nodes: &[[f64; 3]], tets: &[[u32; 4]]) -> Result<Self> {
        check::counts(nodes.len(), tets.len())?;
        check::coordinates(nodes)?;
        check::corners(nodes, tets)?;

        let (positions, tets, source_nodes, source_tets) = in_curve_order(nodes, tets);
        Self::connect(positions, tets, Source { nodes: source_nodes, tets: source_tets, node_count: nodes.len() })
    }

    /// The same of lists that are given back as soon as they are in order, for a mesh that no caller has numbered: its own
    /// numbers stand for the caller's.
    pub(crate) fn own(nodes: Vec<[f64; 3]>, tets: Vec<[u32; 4]>) -> Result<Self> {
        check::counts(nodes.len(), tets.len())?;
        check::coordinates(&nodes)?;
        check::corners(&nodes, &tets)?;
        let (positions, ordered, _, _) = in_curve_order(&nodes, &tets);
        drop((nodes, tets));
        let (count, tets) = (positions.len(), ordered.len() as u32);
        let source = Source { nodes: (0..count as u32).collect(), tets: (0..tets).collect(), node_count: count };
        Self::connect(positions, ordered, source)
    }

    /// A solid from what another one was: its nodes and tetrahedra, in its order, and the caller's numbers. Everything is
    /// checked as in [`new`](Self::new), and what that puts in order must be so already.
    pub(crate) fn restore(nodes: &[[f64; 3]], tets: Vec<[u32; 4]>, source: Source) -> Result<Self> {
        check::counts(source.node_count.max(nodes.len()), tets.len())?;
        check::coordinates(nodes)?;
        check::corners(nodes, &tets)?;
        check::order(nodes.len(), &tets)?;
        check::source(nodes.len(), tets.len(), &source)?;
        Self::connect(nodes.iter().map(|p| Point::from(*p)).collect(), tets, source)
    }

    /// The common end of all ways: volumes, faces, edges and bodies of a mesh that is in order.
    fn connect(positions: Vec<Point>, tets: Vec<[u32; 4]>, source: Source) -> Result<Self> {
        let volumes: Vec<f64> = tets.iter().map(|t| signed_volume(&t.map(|i| positions[i as usize]))).collect();
        check::volumes(&positions, &tets, &volumes, &source.tets)?;
        check::duplicates(&tets, &source.tets)?;
        let (skin, across) = boundary(positions.len(), &tets, &volumes, &source.tets)?;
        let edges = sorted_edges(positions.len(), &tets);
        let (links, link_start) = linked_nodes(positions.len(), &edges);
        let (body_of, bodies) = connected_bodies(positions.len(), &edges);
        let count = positions.len();
        let mut on_skin = vec![false; count];
        skin.iter().flat_map(|s| s.nodes).for_each(|n| on_skin[n as usize] = true);
        let edge_start = starts_of(count, edges.iter().map(|e| e[0]));
        let (is_skin_edge, skin_edges, skin_sides) = skin_edges(&skin, &edges, &edge_start);
        Ok(Self {
            tet_start: starts_of(count, tets.iter().map(|t| t[0])),
            is_skin_edge,
            skin_edges,
            skin_nodes: (0..count as u32).filter(|n| on_skin[*n as usize]).collect(),
            skin_sides,
            on_skin,
            edge_start,
            skin_start: starts_of(count, skin.iter().map(|s| s.nodes[0])),
            nodes: positions,
            tets,
            volumes,
            edges,
            links,
            link_start,
            skin,
            across,
            body_of,
            bodies,
            source_nodes: source.nodes,
            source_tets: source.tets,
            source_node_count: source.node_count as u32,
        })
    }

    /// Node positions.
    pub fn nodes(&self) -> &[Point] {
        &self.nodes
    }

    /// Tetrahedra, nodes in ascending order.
    pub fn tets(&self) -> &[[u32; 4]] {
        &self.tets
    }

    /// Edges, lower node first, sorted.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The nodes to which a node is joined by an edge, ascending.
    pub fn linked(&self, node: u32) -> &[u32] {
        &self.links[self.link_start[node as usize] as usize..self.link_start[node as usize + 1] as usize]
    }

    /// The boundary.
    pub fn skin(&self) -> &[SkinTriangle] {
        &self.skin
    }

    /// The caller's number of each node.
    pub fn source_nodes(&self) -> &[u32] {
        &self.source_nodes
    }

    /// The caller's number of each tetrahedron.
    pub fn source_tets(&self) -> &[u32] {
        &self.source_tets
    }

    /// How many nodes the caller gave, used or not.
    pub fn source_node_count(&self) -> usize {
        self.source_node_count as usize
    }

    /// Connected bodies: how many, and which one each node belongs to.
    pub fn bodies(&self) -> (usize, &[u32]) {
        (self.bodies as usize, &self.body_of)
    }

    /// Box around all nodes.
    pub fn bounds(&self) -> Aabb {
        Aabb::around(&self.nodes)
    }

    /// Sum of the tetrahedra's volumes.
    pub fn volume(&self) -> f64 {
        self.volumes.iter().map(|v| v.abs()).sum()
    }

    /// Mean length of the edges.
    pub fn mean_edge(&self) -> f64 {
        self.edges.iter().map(|e| self.edge_length(e)).sum::<f64>() / self.edges.len() as f64
    }

    /// Length of the longest edge.
    pub fn longest_edge(&self) -> f64 {
        self.edges.iter().map(|e| self.edge_length(e)).fold(0.0, f64::max)
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let of_nodes = held(&self.nodes)
            + held(&self.on_skin)
            + held(&self.skin_nodes)
            + held(&self.body_of)
            + held(&self.source_nodes);
        let of_tets = held(&self.tets) + held(&self.volumes) + held(&self.across) + held(&self.source_tets);
        let of_edges = held(&self.edges)
            + held(&self.is_skin_edge)
            + held(&self.skin_edges)
            + held(&self.links)
            + held(&self.link_start);
        let starts = held(&self.tet_start) + held(&self.edge_start) + held(&self.skin_start);
        of_nodes + of_tets + of_edges + held(&self.skin) + held(&self.skin_sides) + starts
    }

    pub(crate) fn edge_length(&self, edge: &[u32; 2]) -> f64 {
        (self.nodes[edge[0] as usize] - self.nodes[edge[1] as usize]).norm()
    }

    /// Volume of a tetrahedron, negative where its ascending node order is left-handed.
    pub fn signed_volume(&self, tet: u32) -> f64 {
        self.volumes[tet as usize]
    }

    /// Corners of a tetrahedron.
    #[inline]
    pub fn corners(&self, tet: u32) -> [Point; 4] {
        let [a, b, c, d] = self.tets[tet as usize];
        [self.nodes[a as usize], self.nodes[b as usize], self.nodes[c as usize], self.nodes[d as usize]]
    }

    /// Whether a node lies on the boundary.
    pub fn is_on_skin(&self, node: u32) -> bool {
        self.on_skin[node as usize]
    }

    /// What lies across the face opposite node `k` of a tetrahedron.
    pub fn across(&self, tet: u32, k: usize) -> Across {
        match self.across[tet as usize][k] {
            coded if coded & SKIN_BIT != 0 => Across::Skin(coded & !SKIN_BIT),
            other => Across::Tet(other),
        }
    }

    /// Whether a face of a tetrahedron is on the skin.
    pub(crate) fn has_skin(&self, tet: u32) -> bool {
        self.across[tet as usize].iter().any(|coded| coded & SKIN_BIT != 0)
    }

    /// The tetrahedra whose lowest node is `node`.
    pub(crate) fn tets_from(&self, node: u32) -> Range<usize> {
        self.tet_start[node as usize] as usize..self.tet_start[node as usize + 1] as usize
    }

    /// The edges whose lower node is `node`.
    pub(crate) fn edges_from(&self, node: u32) -> Range<usize> {
        self.edge_start[node as usize] as usize..self.edge_start[node as usize + 1] as usize
    }

    /// Whether an edge is an edge of the skin.
    pub(crate) fn is_skin_edge(&self, edge: usize) -> bool {
        self.is_skin_edge[edge / 64] >> (edge % 64) & 1 != 0
    }

    /// The edges of the skin, sorted.
    pub(crate) fn skin_edges(&self) -> &[[u32; 2]] {
        &self.skin_edges
    }

    /// The nodes of the skin, ascending.
    pub(crate) fn skin_nodes(&self) -> &[u32] {
        &self.skin_nodes
    }

    /// For each skin triangle its edges, by their places among those of the skin: from the first node to the second, and so on.
    pub(crate) fn skin_sides(&self) -> &[[u32; 3]] {
        &self.skin_sides
    }

    /// The tetrahedra whose lowest node is one of some that follow each other.
    pub(crate) fn tets_from_all(&self, nodes: Range<u32>) -> Range<usize> {
        self.tet_start[nodes.start as usize] as usize..self.tet_start[nodes.end as usize] as usize
    }

    /// The edges whose lower node is one of some that follow each other.
    pub(crate) fn edges_from_all(&self, nodes: Range<u32>) -> Range<usize> {
        self.edge_start[nodes.start as usize] as usize..self.edge_start[nodes.end as usize] as usize
    }

    /// The skin triangles whose lowest node is `node`.
    pub(crate) fn skin_from(&self, node: u32) -> Range<usize> {
        self.skin_start[node as usize] as usize..self.skin_start[node as usize + 1] as usize
    }
}

/// The volume of a tetrahedron, negative if it is left-handed.
pub(crate) fn signed_volume(c: &[Point; 4]) -> f64 {
    let [a, b, d]: [Vector; 3] = [c[1] - c[0], c[2] - c[0], c[3] - c[0]];
    a.cross(&b).dot(&d) / 6.0
}

/// Drops unused nodes, renumbers the rest along the curve, and sorts tetrahedra and their nodes.
fn in_curve_order(nodes: &[[f64; 3]], tets: &[[u32; 4]]) -> (Vec<Point>, Vec<[u32; 4]>, Vec<u32>, Vec<u32>) {
    let mut used = vec![false; nodes.len()];
    tets.iter().flatten().for_each(|i| used[*i as usize] = true);
    let kept: Vec<u32> = (0..nodes.len() as u32).filter(|i| used[*i as usize]).collect();
    let positions: Vec<Point> = kept.iter().map(|i| Point::from(nodes[*i as usize])).collect();
    let order = morton::order(&positions);
    let source_nodes: Vec<u32> = order.iter().map(|k| kept[*k as usize]).collect();
    let mut ours = vec![NONE; nodes.len()];
    source_nodes.iter().zip(0..).for_each(|(source, i)| ours[*source as usize] = i);

    let mut keyed: Vec<([u32; 4], u32)> = tets
        .iter()
        .zip(0..)
        .map(|(tet, source)| {
            let mut tet = tet.map(|i| ours[i as usize]);
            tet.sort_unstable();
            (tet, source)
        })
        .collect();
    let packed = |tet: &[u32; 4]| tet.iter().fold(0, |key, i| key << 32 | *i as u128);
    keyed.sort_unstable_by_key(|(tet, source)| (packed(tet), *source));
    let (tets, source_tets) = keyed.into_iter().unzip();
    (order.iter().map(|k| positions[*k as usize]).collect(), tets, source_nodes, source_tets)
}

/// A face of a tetrahedron: its nodes in ascending order, the tetrahedron, and the node opposite.
#[derive(Clone, Copy)]
struct Face {
    nodes: [u32; 3],
    tet: u32,
    opposite: u32,
}

impl Face {
    /// What faces with the same lowest node are sorted by.
    fn key(&self) -> u128 {
        let [_, b, c] = self.nodes;
        (b as u128) << 96 | (c as u128) << 64 | (self.tet as u128) << 32 | self.opposite as u128
    }

    /// Whether the ascending order of its nodes is counter-clockwise seen from outside its tetrahedron.
    fn is_outward(&self, volumes: &[f64]) -> bool {
        (volumes[self.tet as usize] > 0.0) == self.opposite.is_multiple_of(2)
    }
}

/// Calls `visit` with the faces of each lowest node, sorted. Tetrahedra are sorted by their lowest nodes.
fn visit_faces(nodes: usize, tets: &[[u32; 4]], mut visit: impl FnMut(&[Face]) -> Result<()>) -> Result<()> {
    let by_first = starts_of(nodes, tets.iter().map(|tet| tet[0]));
    let by_second = starts_of::<u32>(nodes, tets.iter().map(|tet| tet[1]));
    let mut next = by_second.clone();
    let mut seconds = vec![0; tets.len()];
    for (tet, t) in tets.iter().zip(0..) {
        let place = &mut next[tet[1] as usize];
        seconds[*place as usize] = t;
        *place += 1;
    }
    drop(next);
    let mut faces = vec![];
    for i in 0..nodes {
        faces.clear();
        for tet in by_first[i]..by_first[i + 1] {
            let [a, b, c, d] = tets[tet as usize];
            let list = [[a, c, d], [a, b, d], [a, b, c]].into_iter().zip(1..);
            faces.extend(list.map(|(nodes, opposite)| Face { nodes, tet, opposite }));
        }
        for tet in &seconds[by_second[i] as usize..by_second[i + 1] as usize] {
            let [_, b, c, d] = tets[*tet as usize];
            faces.push(Face { nodes: [b, c, d], tet: *tet, opposite: 0 });
        }
        faces.sort_unstable_by_key(Face::key);
        visit(&faces)?;
    }
    Ok(())
}

/// The boundary, and what lies across each face. Fails where faces do not fit together.
fn boundary(
    nodes: usize,
    tets: &[[u32; 4]],
    volumes: &[f64],
    source: &[u32],
) -> Result<(Vec<SkinTriangle>, Vec<[u32; 4]>)> {
    let mut skin = vec![];
    let mut across = vec![[NONE; 4]; tets.len()];
    visit_faces(nodes, tets, |faces| {
        check::faces(faces, volumes, source)?;
        for pair in faces.chunk_by(|a, b| a.nodes == b.nodes) {
            let face = pair[0];
            let slot = |f: &Face| (f.tet as usize, f.opposite as usize);
            let (tet, k) = slot(&face);
            if let Some(twin) = pair.get(1) {
                across[tet][k] = twin.tet;
                let (tet, k) = slot(twin);
                across[tet][k] = face.tet;
            } else {
                across[tet][k] = skin.len() as u32 | SKIN_BIT;
                let [a, b, c] = face.nodes;
                skin.push(SkinTriangle {
                    nodes: if face.is_outward(volumes) { [a, b, c] } else { [a, c, b] },
                    tet: face.tet,
                });
            }
        }
        Ok(())
    })?;
    Ok((skin, across))
}

/// A bit for each edge: whether it is one of a skin triangle; those that are; and for each skin triangle the places of its edges among them.
fn skin_edges(
    skin: &[SkinTriangle],
    edges: &[[u32; 2]],
    edge_start: &[u32],
) -> (Vec<u64>, Vec<[u32; 2]>, Vec<[u32; 3]>) {
    let number = |a: u32, b: u32| {
        let (low, high) = (a.min(b) as usize, a.max(b));
        let from = edge_start[low] as usize..edge_start[low + 1] as usize;
        from.start + edges[from].partition_point(|edge| edge[1] < high)
    };
    let mut bits = vec![0u64; edges.len().div_ceil(64)];
    let mut sides: Vec<[u32; 3]> = Vec::with_capacity(skin.len());
    for triangle in skin {
        let [a, b, c] = triangle.nodes;
        let own = [number(a, b), number(b, c), number(c, a)];
        own.iter().for_each(|k| bits[k / 64] |= 1 << (k % 64));
        sides.push(own.map(|k| k as u32));
    }
    let mut before: Vec<u32> = Vec::with_capacity(bits.len());
    let mut listed = vec![];
    for (word, first) in bits.iter().zip((0..).step_by(64)) {
        before.push(listed.len() as u32);
        listed.extend((0..64).filter(|bit| word >> bit & 1 != 0).map(|bit| edges[first + bit]));
    }
    let place = |k: u32| before[k as usize / 64] + (bits[k as usize / 64] & ((1 << (k % 64)) - 1)).count_ones();
    sides.iter_mut().for_each(|own| *own = own.map(place));
    listed.shrink_to_fit();
    (bits, listed, sides)
}

/// All edges, each once, sorted. Those with the same lower node are gathered first: a mesh in curve order has few of them, and
/// many short sorts are several times faster than a long one.
fn sorted_edges(nodes: usize, tets: &[[u32; 4]]) -> Vec<[u32; 2]> {
    let mut next = starts_of::<u32>(nodes, tets.iter().flat_map(|&[a, b, c, _]| [a, a, a, b, b, c]));
    let mut edges = vec![[0; 2]; tets.len() * 6];
    for &[a, b, c, d] in tets {
        for edge in [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]] {
            let place = &mut next[edge[0] as usize];
            edges[*place as usize] = edge;
            *place += 1;
        }
    }
    edges.chunk_by_mut(|e, f| e[0] == f[0]).for_each(|run| run.sort_unstable_by_key(|e| e[1]));
    edges.dedup();
    edges.shrink_to_fit();
    edges
}

/// Both ends of every edge, by the other end. Edges are sorted, so lower ends first and then higher ones is ascending.
fn linked_nodes(count: usize, edges: &[[u32; 2]]) -> (Vec<u32>, Vec<u32>) {
    let start = starts_of(count, edges.iter().flatten().copied());
    let mut next = start.clone();
    let mut links = vec![0; edges.len() * 2];
    let mut link = |from: u32, to: u32| {
        let place = &mut next[from as usize];
        links[*place as usize] = to;
        *place += 1;
    };
    edges.iter().for_each(|&[a, b]| link(b, a));
    edges.iter().for_each(|&[a, b]| link(a, b));
    (links, start)
}

fn connected_bodies(nodes: usize, edges: &[[u32; 2]]) -> (Vec<u32>, u32) {
    let mut parents: Vec<u32> = (0..nodes as u32).collect();
    edges.iter().for_each(|[a, b]| {
        union_find::join(&mut parents, *a, *b);
    });
    let mut count = 0;
    let mut body_of = vec![NONE; nodes];
    for i in 0..nodes as u32 {
        let root = union_find::find(&mut parents, i);
        if root == i {
            body_of[i as usize] = count;
            count += 1;
        } else {
            body_of[i as usize] = body_of[root as usize];
        }
    }
    (body_of, count)
}
