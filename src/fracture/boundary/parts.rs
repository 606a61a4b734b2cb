//! What hangs together, from the boundary of cells within the body.
//!
//! A connected part of a cell has a connected boundary, but for cavities of the body. Nodes of one cell hang together over edges, and what
//! bounds a part over the skin and along lines. What that leaves apart may still have a face in common: one with a hole, whose inner rim no
//! line connects with the outer one.

use super::cells::Cells;
use super::faces::{self, Side};
use super::lines::{End, Lines, Stretch};
use super::skin::CutSkin;
use crate::body::Object;
use crate::fracture::fragments;
use crate::fracture::scratch::Scratch;
use crate::geom::{NONE, Point, union_find};

/// The connected parts of cells; later the pieces of an event.
pub struct Parts {
    /// The cell of each.
    pub cells: Vec<u32>,
    /// The piece of each holder that is not a node, and of each vertex for each of its cells.
    of_holder: Vec<u32>,
    nodes: u32,
    vertices: u32,
}

impl Parts {
    /// The piece of a holder, given those of nodes.
    #[inline]
    pub fn of(&self, holder: u32, of_node: &[u32]) -> u32 {
        match holder.checked_sub(self.nodes) {
            None => of_node[holder as usize],
            Some(place) => self.of_holder[place as usize],
        }
    }

    /// The piece of a vertex in one of its cells, by its place.
    pub fn of_vertex(&self, vertex: u32, k: usize) -> u32 {
        self.of_holder[(self.vertices - self.nodes) as usize + 4 * vertex as usize + k]
    }

    /// By part, the lowest of those that it hangs together with over faces between cells of one group.
    pub fn in_groups(
        &self,
        (skin, lines): (&CutSkin, &Lines),
        of_node: &[u32],
        group_of: impl Fn(u32) -> u32,
    ) -> Vec<u32> {
        let mut parents: Vec<u32> = (0..self.cells.len() as u32).collect();
        let mut join = |cells: [u32; 2], parts: [u32; 2]| {
            if group_of(cells[0]) == group_of(cells[1]) {
                union_find::join(&mut parents, parts[0], parts[1]);
            }
        };
        for rim in &skin.rims {
            join(rim.cells, rim.holders.map(|holder| self.of(holder, of_node)));
        }
        for stretch in &lines.stretches {
            let parts = self.along(stretch, (skin, lines), of_node);
            for [i, j] in [[0, 1], [0, 2], [1, 2]] {
                join([stretch.cells[i], stretch.cells[j]], [parts[i], parts[j]]);
            }
        }
        (0..parents.len() as u32).map(|part| union_find::find(&mut parents, part)).collect()
    }

    /// Gives everybody the piece of its part.
    pub fn set_pieces(&mut self, piece_of: &[u32], nodes: &[u32], of_node: &mut [u32]) {
        let set = |part: &mut u32| *part = piece_of.get(*part as usize).copied().unwrap_or(*part);
        nodes.iter().for_each(|node| set(&mut of_node[*node as usize]));
        self.of_holder.iter_mut().for_each(set);
    }

    /// The pieces along a stretch of a line, in the order of its cells.
    pub fn along(&self, stretch: &Stretch, (skin, lines): (&CutSkin, &Lines), of_node: &[u32]) -> [u32; 3] {
        match stretch.ends[0] {
            End::Triple(triple) => skin.triples[triple as usize].holders.map(|holder| self.of(holder, of_node)),
            End::Vertex(vertex) => {
                let around = lines.vertices[vertex as usize].cells;
                let place = |cell: u32| around.iter().position(|own| *own == cell).unwrap_or(0);
                stretch.cells.map(|cell| self.of_vertex(vertex, place(cell)))
            }
        }
    }
}

/// Finds the pieces, and writes that of every node of the object to `scratch.fragment_of`; `None` if it is not certain what hangs together.
pub fn find(object: &Object, cells: &Cells, skin: &CutSkin, lines: &Lines, scratch: &mut Scratch) -> Option<Parts> {
    let solid = object.asset().solid();
    let nodes = solid.nodes().len() as u32;
    let vertices = nodes + skin.cells.len() as u32;
    let all = vertices + 4 * lines.vertices.len() as u32;
    let Scratch { cell_of, fragment_of, parents, .. } = scratch;
    parents.resize(nodes as usize, NONE);
    fragments::hang_skin(solid, cell_of, parents);
    parents.extend(nodes..all);
    for &[a, b] in &skin.joins {
        union_find::join(parents, a, b);
    }
    let holder = |end: End, k: usize, cell: u32| match end {
        End::Triple(triple) => Some(skin.triples[triple as usize].holders[k]),
        End::Vertex(vertex) => {
            let place = lines.vertices[vertex as usize].cells.iter().position(|own| *own == cell);
            place.map(|place| vertices + 4 * vertex + place as u32)
        }
    };
    for stretch in &lines.stretches {
        for (k, &cell) in stretch.cells.iter().enumerate() {
            let [a, b] = stretch.ends.map(|end| holder(end, k, cell));
            union_find::join(parents, a?, b?);
        }
    }
    let cell_of_holder = |holder: u32| match holder.checked_sub(nodes) {
        None => cell_of[holder as usize],
        Some(place) => match place.checked_sub(skin.cells.len() as u32) {
            None => skin.cells[place as usize],
            Some(place) => lines.vertices[place as usize / 4].cells[place as usize % 4],
        },
    };
    let is_root = |parents: &[u32], holder: &u32| parents[*holder as usize] == *holder;
    let of_cell = |root: u32| (cell_of_holder(root), root);
    let outer = || solid.skin_nodes().iter().copied().chain(nodes..all);
    let mut roots: Vec<(u32, u32)> = outer().filter(|root| is_root(parents, root)).map(of_cell).collect();
    roots.sort_unstable();
    let mut open = vec![false; roots.last().map_or(0, |(cell, _)| *cell as usize + 1)];
    let several = roots.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    several.for_each(|pair| open[pair[0].0 as usize] = true);
    if open.contains(&true) {
        let is_open = |holder: &u32| open.get(cell_of_holder(*holder) as usize) == Some(&true);
        (0..nodes).filter(is_open).for_each(|node| fragments::join_around(solid, node, cell_of, parents));
        // Sets of nodes without any skin are of whatever is around them: the only part of their cell, or it is not known which.
        let mut is_outer = vec![false; all as usize];
        for holder in outer() {
            is_outer[union_find::find(parents, holder) as usize] = true;
        }
        roots.retain(|(cell, _)| !open[*cell as usize]);
        let mut several: Vec<(u32, u32)> =
            (0..all).filter(|holder| is_root(parents, holder) && is_open(holder)).map(of_cell).collect();
        several.sort_unstable();
        for own in several.chunk_by(|a, b| a.0 == b.0) {
            hang_inner_nodes(object, own, &mut is_outer, cell_of, parents);
            join_rest(cells, own, &is_outer, parents, || faces::sides_of(own[0].0, skin, lines, holder))?;
        }
        roots.extend(several.into_iter().filter(|(_, root)| is_root(parents, root)));
        roots.sort_unstable();
    }
    numbered(roots, cell_of, parents, fragment_of, (nodes, vertices, all))
}

/// Numbers the pieces, by cell and lowest member, in this order; `None` if a node is in none.
fn numbered(
    roots: Vec<(u32, u32)>,
    cell_of: &[u32],
    parents: &mut [u32],
    fragment_of: &mut [u32],
    (nodes, vertices, all): (u32, u32, u32),
) -> Option<Parts> {
    const SEVERAL: u32 = NONE - 1;
    let most = roots.last().map_or(0, |(cell, _)| *cell as usize + 1);
    let mut of_cell = vec![NONE; most];
    let mut of_holder = vec![NONE; (all - nodes) as usize];
    for ((cell, root), piece) in roots.iter().zip(0..) {
        let of_cell = &mut of_cell[*cell as usize];
        *of_cell = if *of_cell == NONE { piece } else { SEVERAL };
        match root.checked_sub(nodes) {
            None => fragment_of[*root as usize] = piece,
            Some(place) => of_holder[place as usize] = piece,
        }
    }
    let mut is_known = true;
    for node in 0..nodes as usize {
        // The lowest of its part comes before it.
        fragment_of[node] = match of_cell.get(cell_of[node] as usize).copied().unwrap_or(NONE) {
            SEVERAL => fragment_of[union_find::find(parents, node as u32) as usize],
            piece => piece,
        };
        is_known &= fragment_of[node] != NONE;
    }
    for holder in nodes..all {
        let root = union_find::find(parents, holder);
        of_holder[(holder - nodes) as usize] = match root.checked_sub(nodes) {
            None => fragment_of[root as usize],
            Some(place) => of_holder[place as usize],
        };
    }
    is_known.then(|| Parts { cells: roots.iter().map(|(cell, _)| *cell).collect(), of_holder, nodes, vertices })
}

/// How many of the nearest nodes are looked at from one.
const LOOKS: usize = 8;

/// Joins sets of nodes within the body that are by themselves, of a cell that is in several sets, to those that they see: a cell is convex, so
/// that only the skin can be between two of its nodes.
fn hang_inner_nodes(object: &Object, own: &[(u32, u32)], is_outer: &mut [bool], cell_of: &[u32], parents: &mut [u32]) {
    let positions = object.asset().solid().nodes();
    for &(cell, root) in own.iter().filter(|(_, root)| (*root as usize) < positions.len()) {
        if is_outer[root as usize] {
            continue;
        }
        let at = positions[root as usize];
        let off = |node: u32| (positions[node as usize] - at).norm_squared();
        let mut others: Vec<u32> =
            object.nodes().iter().copied().filter(|node| cell_of[*node as usize] == cell).collect();
        others.retain(|node| is_outer[union_find::find(parents, *node) as usize]);
        others.sort_by(|a, b| off(*a).total_cmp(&off(*b)));
        let seen = others.iter().take(LOOKS).find(|node| sees(object, &at, &positions[**node as usize]));
        if let Some(seen) = seen {
            union_find::join(parents, *seen, root);
            is_outer[union_find::find(parents, root) as usize] = true;
        }
    }
}

/// Whether certainly no skin is between a point within the body and another, up to just before that.
fn sees(object: &Object, from: &Point, to: &Point) -> bool {
    let (asset, way) = (object.asset(), (to - from) * (1.0 - 1e-6));
    let local = |p: &Point| (p - asset.centre()).cast();
    let (a, b) = (local(from), local(&(from + way)));
    let room = crate::geom::Local::repeat(asset.field().rounding as f32);
    let solid = asset.solid();
    asset.field().skin.meeting(&(a.inf(&b) - room), &(a.sup(&b) + room)).iter().all(|number| {
        let corners = solid.skin()[number as usize].nodes.map(|n| solid.nodes()[n as usize] - from);
        // Above or below its plane all the way, or past one of its sides.
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let heights = [0.0, normal.dot(&way)].map(|height| height - normal.dot(&corners[0]));
        let hair = 1e-9 * normal.norm() * asset.radius();
        let is_off_plane = heights.iter().all(|height| *height > hair) || heights.iter().all(|height| *height < -hair);
        let turns = [0, 1, 2].map(|k| way.dot(&corners[k].cross(&corners[(k + 1) % 3])));
        let hair = 1e-9 * way.norm() * asset.radius() * asset.radius();
        let is_past = turns.iter().any(|turn| *turn > hair) && turns.iter().any(|turn| *turn < -hair);
        is_off_plane || is_past
    })
}

/// Joins what hangs together of a cell that is in several sets, by their lowest members.
fn join_rest(
    cells: &Cells,
    own: &[(u32, u32)],
    is_outer: &[bool],
    parents: &mut [u32],
    sides: impl Fn() -> Vec<Side>,
) -> Option<()> {
    let outer = own.iter().filter(|(_, root)| is_outer[*root as usize]).count();
    let mut sides_of = vec![];
    if outer > 1 {
        sides_of = sides();
        faces::join_over_faces(cells, own[0].0, &sides_of, parents);
    }
    let roots: Vec<u32> = own.iter().map(|(_, root)| *root).filter(|root| parents[*root as usize] == *root).collect();
    let mut outer = roots.iter().copied().filter(|root| is_outer[*root as usize]);
    match (outer.next(), outer.next()) {
        (None, _) => return None,
        (Some(only), None) => {
            for root in roots {
                union_find::join(parents, only, root);
            }
        }
        // Several parts. Which of them a set of inner nodes or a cavity is in would not be known.
        _ => {
            let mut has_face: Vec<u32> = sides_of.iter().map(|side| union_find::find(parents, side.holder)).collect();
            has_face.sort_unstable();
            if !roots.iter().all(|root| has_face.binary_search(root).is_ok()) {
                return None;
            }
        }
    }
    Some(())
}
