//! Which pieces have faces on which cracks, and what is across.

use super::points::Owners;
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
pub struct Faces {
    found: Vec<Face>,
    /// Most facets are of faces that were met not long before.
    met: Vec<Face>,
}

impl Faces {
    pub fn new() -> Self {
        let none = Face { piece: NONE, generation: NONE, cells: [NONE; 2], across: NONE };
        Self { found: vec![], met: vec![none; MEMORY] }
    }

    /// Adds the face between two pieces on a crack, if they are two.
    pub fn add(&mut self, a: u32, b: u32, generation: u32, cells: [u32; 2]) {
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
    pub fn sorted(mut self) -> Vec<Face> {
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
