//! Tetrahedra that no earlier event cut: two cells have one crack between them, more are an arrangement.

use super::{Divider, Part, PartCorner, PartFacet, forms, on_face};
use crate::cut::arrangement::{Functions, MOST_CELLS, bits};
use crate::cut::polytope::{Split, Wall};
use crate::geom::NONE;
use crate::solid::Across;

impl Divider<'_> {
    /// Divides a tetrahedron of not too many cells. If there are, they are the candidates at hand, and the answer is false.
    pub(super) fn divide_plain(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) -> bool {
        let owners = nodes.map(|n| self.known.cell_of[n as usize]);
        // A third cell that owns no node would be on an edge.
        if let Some(cells) = only_two(&owners)
            && !self.known.contested.has_any(nodes)
        {
            let values = self.envelope.between(nodes, cells);
            self.divide_in_two(tet, work, values, cells, cells.map(|cell| cell as u64));
            return true;
        }
        self.envelope.candidates(nodes, &mut self.cells, &mut self.values);
        if self.cells.len() > MOST_CELLS {
            return false;
        }
        let (cells, values) = (std::mem::take(&mut self.cells), std::mem::take(&mut self.values));
        let functions = Functions { cells: &cells, values: &values, generation: self.envelope.generation };
        let place = |owner: u32| cells.iter().position(|cell| *cell == owner).unwrap_or(0);
        let is_divided = self.arrangement.divide(&functions, &owners.map(place));
        let present = self.arrangement.present();
        if !is_divided {
            // It has too many corners.
        } else if present.count_ones() == 2 {
            let [low, high] = [present.trailing_zeros(), 31 - present.leading_zeros()];
            let Split { values, cells, .. } = functions.crack(low as usize, high as usize);
            self.divide_in_two(tet, work, values, cells, cells.map(|cell| cell as u64));
        } else {
            self.add_arrangement(tet, work, nodes, &functions);
        }
        (self.cells, self.values) = (cells, values);
        is_divided
    }

    /// One crack, with nodes on both sides: most tetrahedra that are cut.
    pub(super) fn divide_in_two(&mut self, tet: u32, work: u32, values: [f64; 4], cells: [u32; 2], labels: [u64; 2]) {
        // At a tie the second side has the node.
        let first = (0..4).fold(0u8, |bits, k| bits | ((values[k] < 0.0) as u8) << k);
        let split = Split { values, generation: self.envelope.generation, cells };
        self.out.splits.push(split);
        let corners = self.solid.corners(tet);
        let local = corners.map(|p| p - corners[0]);
        let moments = forms::two_cells(&local, &values, first, self.solid.signed_volume(tet).abs());
        let part = self.out.parts.len() as u32;
        for (side, label) in labels.into_iter().enumerate() {
            let own = if side == 0 { first } else { 0b1111 & !first };
            let first_wall = self.out.walls.len() as u32;
            self.out.parts.push(Part { work, label, nodes: own, first_wall });
            self.out.walls.push(Wall::crack(0, side == 1));
        }
        self.out.moments.extend(moments);
        self.out.facets.push(PartFacet { parts: [part, part + 1], generation: split.generation, cells });
    }

    /// Adds the parts of all cells of the arrangement at hand.
    fn add_arrangement(&mut self, tet: u32, work: u32, nodes: &[u32; 4], functions: &Functions) {
        let corners = self.solid.corners(tet);
        // By place: the nodes of each cell, the faces that it is on, and the cells that it has a facet with.
        let (mut own_nodes, mut own_faces, mut beside) = ([0u8; MOST_CELLS], [0u8; MOST_CELLS], [0u32; MOST_CELLS]);
        let mut present = 0u32;
        for meets in self.arrangement.meets() {
            let all = meets.cells_by_place();
            present |= all;
            for place in meets.cells() {
                own_faces[place] |= meets.faces();
                beside[place] |= all;
                own_nodes[place] |= if meets.is_node() { meets.on() } else { 0 };
            }
        }
        let (first_part, first_facet) = (self.out.parts.len() as u32, self.out.facets.len() as u32);
        let mut part_of = [0u32; MOST_CELLS];
        bits(present as u64).zip(first_part..).for_each(|(place, part)| part_of[place] = part);
        // Cracks are numbered by their lower cell, then by the other.
        let mut crack_of = [[0u16; MOST_CELLS]; MOST_CELLS];
        let mut count = 0;
        for low in bits(present as u64) {
            for high in bits((beside[low] & (u32::MAX << low << 1)) as u64) {
                let split = functions.crack(low, high);
                let Split { generation, cells, .. } = split;
                self.out.facets.push(PartFacet { parts: [part_of[low], part_of[high]], generation, cells });
                self.out.splits.push(split);
                (crack_of[low][high], crack_of[high][low]) = (count, count);
                count += 1;
            }
        }
        for place in bits(present as u64) {
            let label = functions.cells[place] as u64;
            let first_wall = self.out.walls.len() as u32;
            self.out.parts.push(Part { work, label, nodes: own_nodes[place], first_wall });
            let others = bits((beside[place] & !(1 << place)) as u64);
            self.out.walls.extend(others.map(|other| Wall::crack(crack_of[place][other] as usize, other < place)));
            // Faces that it is on without a node.
            let has_node = (0..4).fold(0, |faces, face| faces | ((own_nodes[place] & !(1 << face) != 0) as u8) << face);
            for face in bits((own_faces[place] & !has_node) as u64) {
                if let Across::Tet(_) = self.solid.across(tet, face) {
                    self.out.joins.push((on_face(nodes, face, label), part_of[place]));
                }
            }
        }
        let local = corners.map(|p| p - corners[0]);
        self.arrangement.add_moments(&local, self.solid.signed_volume(tet).abs(), &mut self.out.moments);
        let mut on_faces = [0u64; 4];
        for k in 0..self.arrangement.corner_count() {
            let meets = self.arrangement.meets_at(k);
            let mut cells = meets.cells().map(|place| functions.cells[place]);
            let is_plain = match meets.faces().count_ones() {
                2 => self.is_plain_on_edge(meets.on(), std::array::from_fn(|_| cells.next().unwrap_or(NONE)), nodes),
                1 => self.is_plain_on_face(tet, meets.faces().trailing_zeros() as usize, nodes, cells),
                faces => faces == 3,
            };
            if is_plain {
                // A node, or known from the edge, or one on a face.
                on_faces[meets.faces().trailing_zeros() as usize & 3] |= (meets.faces().is_power_of_two() as u64) << k;
                continue;
            }
            let corner = self.arrangement.corner(k, functions, nodes);
            let at = corner.position(&corners);
            let is_skin = |face: usize| matches!(self.solid.across(tet, face), Across::Skin(_));
            let on_skin = (0..4).any(|face| meets.faces() >> face & 1 != 0 && is_skin(face));
            for place in meets.cells() {
                let others = meets.cells().filter(|other| *other != place);
                let mut cracks = others.map(|other| first_facet + crack_of[place][other] as u32);
                let facets = std::array::from_fn(|_| cracks.next().unwrap_or(NONE));
                self.out.corners.push(PartCorner { key: corner.key, at, part: part_of[place], facets, on_skin });
            }
        }
        // In the order of faces, as `add_plain` has them.
        for k in on_faces.into_iter().flat_map(bits) {
            let corner = self.arrangement.corner(k, functions, nodes);
            self.add_face_corner(tet, nodes, corner.nodes, corner.key, corner.position(&corners));
        }
    }
}

/// The two cells, ascending, that all nodes belong to, if there are just two.
fn only_two(owners: &[u32; 4]) -> Option<[u32; 2]> {
    let [a, b, c, d] = *owners;
    let (low, high) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
    (low != high && owners.iter().all(|own| *own == low || *own == high)).then_some([low, high])
}
