//! Which pieces have faces on which cracks, and what is across.

use super::edges::EdgeCorner;
use super::points::Owners;
use super::regions::Divided;
use crate::geom::NONE;

/// A face of a piece on a crack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Face {
    pub piece: u32,
    /// The crack, as in `Split`.
    pub generation: u32,
    pub cells: [u32; 2],
    /// The piece across; [`NONE`] if it is not of this break.
    pub across: u32,
}

/// Faces that are remembered, so that they are listed hardly more than once before they are sorted.
const MEMORY: usize = 1 << 10;

/// Faces so far.
struct Faces {
    found: Vec<Face>,
    /// Most facets are of faces that were met not long before.
    met: Vec<Face>,
}

impl Faces {
    fn new() -> Self {
        let none = Face { piece: NONE, generation: NONE, cells: [NONE; 2], across: NONE };
        Self { found: vec![], met: vec![none; MEMORY] }
    }

    fn add(&mut self, a: u32, b: u32, generation: u32, cells: [u32; 2]) {
        if a == b {
            return;
        }
        for (piece, across) in [(a, b), (b, a)] {
            let face = Face { piece, generation, cells, across };
            let place = piece.wrapping_mul(0x9e37_79b1) ^ across.wrapping_mul(0x85eb_ca6b) ^ cells[1];
            let met = &mut self.met[place as usize % MEMORY];
            if piece != NONE && *met != face {
                *met = face;
                self.found.push(face);
            }
        }
    }

    /// Each once, ascending.
    fn sorted(mut self) -> Vec<Face> {
        self.found.sort_unstable();
        self.found.dedup();
        self.found
    }
}

/// From the facets of all regions.
pub fn of_regions(owners: &Owners) -> Vec<Face> {
    let mut faces = Faces::new();
    for facet in owners.facets {
        let [a, b] = facet.parts.map(|part| if part == NONE { NONE } else { owners.of_part[part as usize] });
        faces.add(a, b, facet.generation, facet.cells);
    }
    faces.sorted()
}

/// From the corners of a skeleton, given the cells of pieces: pieces that meet in a corner have a face in common.
pub fn of_skeleton(owners: &Owners, cells: &[u32], edges: &[EdgeCorner], divided: &Divided) -> Vec<Face> {
    let mut faces = Faces::new();
    let mut add = |a: u32, b: u32| {
        let [c, d] = [a, b].map(|piece| cells[piece as usize]);
        faces.add(a, b, owners.generation, [c.min(d), c.max(d)]);
    };
    for corner in edges {
        let [a, b] = corner.nodes.map(|n| owners.of_node[n as usize]);
        add(a, b);
    }
    for corner in &divided.face_corners {
        let [a, b, c] = corner.nodes.map(|n| owners.of_node[n as usize]);
        [(a, b), (a, c), (b, c)].into_iter().for_each(|(a, b)| add(a, b));
    }
    for corner in &divided.shared_corners {
        let pieces = || corner.holders().map(|holder| holder.of(owners.of_node, owners.of_part));
        pieces().enumerate().for_each(|(k, a)| pieces().skip(k + 1).for_each(|b| add(a, b)));
    }
    faces.sorted()
}
