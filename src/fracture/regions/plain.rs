//! Tetrahedra that no earlier event cut, with two or three cells: which form they have (`forms`), and what it comes to.

use super::forms::{self, Cuts, EDGES, FACES, ThreeCells};
use super::{Divider, Part, PartCorner, PartFacet, on_face};
use crate::geom::NONE;
use crate::geom::moments::Moments;
use crate::geom::polytope::{Corner, Split, Spot, Wall};
use crate::solid::Across;

/// More candidates than this are not looked through for those that are nowhere lowest.
const MANY_CELLS: usize = 24;

impl Divider<'_> {
    /// Divides a tetrahedron of two or three cells in a closed form. If it is another one, the cells that may be in it are the
    /// candidates at hand, and the answer is false.
    pub(super) fn divide_plain(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) -> bool {
        let owners = nodes.map(|n| self.known.cell_of[n as usize]);
        let mut own = owners;
        own.sort_unstable();
        let changes = [own[0] != own[1], own[1] != own[2], own[2] != own[3]];
        let count = 1 + changes.iter().filter(|c| **c).count();
        let is_contested = nodes.iter().filter(|n| self.known.contested[**n as usize]).count() > 1;
        if count == 2 && !is_contested {
            let cells = [own[0], own[3]];
            let value = |k: usize| {
                let [a, b] = cells.map(|cell| self.envelope.value(nodes[k], cell));
                Some(a? - b?)
            };
            if let [Some(a), Some(b), Some(c), Some(d)] = [0, 1, 2, 3].map(value) {
                let labels = cells.map(|c| c as u64);
                self.divide_in_two(tet, work, [a, b, c, d], cells, labels);
                return true;
            }
        }
        self.envelope.candidates(nodes, &mut self.cells, &mut self.values);
        if self.cells.len() > MANY_CELLS {
            return false;
        }
        self.drop_dominated();
        let is_plain = !is_contested && self.cells.len() == count;
        if !is_plain && count <= 3 && self.cells.len() > 3 && self.are_owners(&owners, is_contested) {
            self.keep_owners(&owners);
        }
        match self.cells.len() {
            2 => {
                self.divide_in_two_candidates(tet, work);
                true
            }
            3 => self.divide_three_candidates(tet, work, nodes, &owners, is_contested),
            _ => false,
        }
    }

    /// Drops candidates that another is below at all nodes: they are not there. Those are most that are not.
    fn drop_dominated(&mut self) {
        let mut k = 0;
        while k < self.cells.len() {
            let values = self.values[k];
            let is_below = |other: &[f64; 4]| (0..4).all(|node| other[node] < values[node]);
            if self.values.iter().any(is_below) {
                self.cells.remove(k);
                self.values.remove(k);
            } else {
                k += 1;
            }
        }
    }

    /// Whether of all candidates only the owners of nodes are there, and on an edge only those of its ends.
    fn are_owners(&self, owners: &[u32; 4], is_contested: bool) -> bool {
        let places = owners.map(|cell| self.cells.binary_search(&cell).unwrap_or(0));
        let is_lowest = |cracks: &[Split], on: u8, among: &[usize]| {
            let (spot, own) = (Spot::new(cracks, on), among[0]);
            let mut others = (0..self.cells.len()).filter(|k| !among.contains(k));
            others.all(|other| spot.is_on_first_side(&self.split_of(own, other)) == (own < other))
        };
        for (i, j) in EDGES.into_iter().filter(|(i, j)| is_contested && places[*i] != places[*j]) {
            let ends = [places[i], places[j]];
            if !is_lowest(&[self.split_of(ends[0], ends[1])], 1 << i | 1 << j, &ends) {
                return false;
            }
        }
        for (face, nodes) in FACES.iter().enumerate() {
            let among @ [i, j, k] = nodes.map(|n| places[n]);
            let is_corner = i != j && j != k && i != k;
            let cracks = [self.split_of(i, j), self.split_of(i, k)];
            if is_corner && !is_lowest(&cracks, 0b1111 & !(1 << face), &among) {
                return false;
            }
        }
        true
    }

    /// Drops the candidates that own no node.
    fn keep_owners(&mut self, owners: &[u32; 4]) {
        for k in (0..self.cells.len()).rev().filter(|k| !owners.contains(&self.cells[*k])).collect::<Vec<_>>() {
            self.cells.remove(k);
            self.values.remove(k);
        }
    }

    /// Divides among three candidates. False if that is not to be computed in a closed form.
    fn divide_three_candidates(
        &mut self,
        tet: u32,
        work: u32,
        nodes: &[u32; 4],
        owners: &[u32; 4],
        is_contested: bool,
    ) -> bool {
        let corners = self.solid.corners(tet);
        let local = corners.map(|p| p - corners[0]);
        let place = |owner: u32| if owner == self.cells[0] { 0 } else { 1 + (owner == self.cells[2]) as usize };
        let mut form = ThreeCells { own: owners.map(place), ..ThreeCells::default() };
        let mut is_there = [false; 3];
        form.own.iter().for_each(|cell| is_there[*cell] = true);
        for (edge, (i, j)) in EDGES.into_iter().enumerate() {
            let [a, b] = [form.own[i], form.own[j]];
            if a == b {
                continue;
            }
            let third = 3 - a - b;
            let crack = [self.split_of(a, b)];
            let is_between = is_contested && {
                let spot = Spot::new(&crack, 1 << i | 1 << j);
                spot.is_on_first_side(&self.split_of(a, third)) != (a < third)
            };
            is_there[third] |= is_between;
            let along = |[a, b]: [usize; 2]| {
                let [u, v] = self.split_of(a, b).on_edge(i, j);
                local[i] * u + local[j] * v
            };
            let cuts = if is_between { [[a, third], [third, b]] } else { [[a, b]; 2] };
            form.cuts[edge] = Cuts { count: 1 + is_between as usize, cells: cuts, at: cuts.map(along) };
        }
        if let Some(absent) = is_there.iter().position(|is_there| !is_there) {
            self.cells.remove(absent);
            self.values.remove(absent);
            self.divide_in_two_candidates(tet, work);
            return true;
        }
        match form.ends() {
            Some(ends) => {
                self.divide_in_three(tet, work, nodes, &form, ends);
                true
            }
            None => {
                // The cell that has both cracks is between the others.
                let is_on_all =
                    |cell: &usize| form.cuts.iter().all(|c| c.cells[..c.count].iter().all(|k| k.contains(cell)));
                (0..3).find(is_on_all).is_some_and(|middle| self.divide_in_slices(tet, work, nodes, &form, middle))
            }
        }
    }

    /// Three cells whose two cracks do not meet: the one at this place is in the middle. False if so little of it is there that it
    /// should not be computed as what the others leave.
    fn divide_in_slices(&mut self, tet: u32, work: u32, nodes: &[u32; 4], form: &ThreeCells, middle: usize) -> bool {
        let outer = [[1, 2], [0, 2], [0, 1]][middle];
        let corners = self.solid.corners(tet);
        let local = corners.map(|p| p - corners[0]);
        let volume = self.solid.signed_volume(tet).abs();
        let mut moments = [Moments::default(); 3];
        moments[middle] = Moments::of_tet(&local, volume);
        for other in outer {
            let split = self.split_of(other, middle);
            let first = (0..4).fold(0u8, |bits, k| bits | ((split.values[k] < 0.0) as u8) << k);
            let sides = forms::two_cells(&local, &split.values, first, volume);
            moments[other] = sides[(middle < other) as usize];
            moments[middle] -= moments[other];
        }
        if moments[middle].volume < forms::SMALL_REST * volume {
            return false;
        }
        self.add_three(tet, work, nodes, form, moments, &outer.map(|other| [other.min(middle), other.max(middle)]));
        true
    }

    /// Three cells that meet in a line, with ends on two faces.
    fn divide_in_three(&mut self, tet: u32, work: u32, nodes: &[u32; 4], form: &ThreeCells, ends: [usize; 2]) {
        let corners = self.solid.corners(tet);
        let cracks = [self.split_of(0, 1), self.split_of(0, 2)];
        let ends = ends.map(|face| {
            let corner = Corner::new(&mut cracks.clone(), 0b1111 & !(1 << face), nodes);
            (face, corner.key, corner.position(&corners))
        });
        let local = corners.map(|p| p - corners[0]);
        let volume = self.solid.signed_volume(tet).abs();
        let moments = form.moments(&local, &ends.map(|(face, _, at)| (face, at - corners[0])), volume);
        let (part, facet) = (self.out.parts.len() as u32, self.out.facets.len() as u32);
        self.add_three(tet, work, nodes, form, moments, &[[0, 1], [0, 2], [1, 2]]);
        for (face, key, at) in ends {
            let [i, j, k] = FACES[face].map(|n| form.own[n]);
            let (is_own, across) = (i != j && j != k && i != k, self.solid.across(tet, face));
            if is_own && !self.is_cut_across(tet, face) {
                self.add_face_corner(tet, nodes, 0b1111 & !(1 << face), key, at);
                continue;
            }
            let on_skin = matches!(across, Across::Skin(_));
            for (own, facets) in [[0, 1], [0, 2], [1, 2]].into_iter().enumerate() {
                let [a, b] = facets.map(|k| facet + k);
                self.out.corners.push(PartCorner { key, at, part: part + own as u32, facets: [a, b, NONE], on_skin });
            }
        }
    }

    /// Adds the parts of three cells, which have cracks between some pairs; but for where all three meet.
    fn add_three(
        &mut self,
        tet: u32,
        work: u32,
        nodes: &[u32; 4],
        form: &ThreeCells,
        moments: [Moments; 3],
        pairs: &[[usize; 2]],
    ) {
        let (part, facet) = (self.out.parts.len() as u32, self.out.facets.len() as u32);
        for cell in 0..3 {
            let own = (0..4).fold(0, |bits, k| bits | ((form.own[k] == cell) as u8) << k);
            let first_wall = self.out.walls.len() as u32;
            self.out.parts.push(Part { work, label: self.cells[cell] as u64, nodes: own, first_wall });
            let walls = pairs.iter().enumerate().filter(|(_, pair)| pair.contains(&cell));
            self.out.walls.extend(walls.map(|(number, pair)| Wall::crack(number, pair[1] == cell)));
        }
        self.out.moments.extend(moments);
        for &[a, b] in pairs {
            let split = self.split_of(a, b);
            let Split { generation, cells, .. } = split;
            self.out.facets.push(PartFacet { parts: [part + a as u32, part + b as u32], generation, cells });
            self.out.splits.push(split);
        }
        let is_skin = |face: usize| matches!(self.solid.across(tet, face), Across::Skin(_));
        // Edges with two cracks are not plain.
        for (edge, (i, j)) in EDGES.into_iter().enumerate().filter(|(edge, _)| form.cuts[*edge].count == 2) {
            let on_skin = (0..4).any(|face| face != i && face != j && is_skin(face));
            for [a, b] in form.cuts[edge].cells {
                let pair = [a.min(b), a.max(b)];
                let corner = Corner::new(&mut [self.split_of(a, b)], 1 << i | 1 << j, nodes);
                let at = corner.position(&self.solid.corners(tet));
                let number = pairs.iter().position(|p| *p == pair).unwrap_or(0) as u32;
                for cell in pair {
                    let facets = [facet + number, NONE, NONE];
                    let part = part + cell as u32;
                    self.out.corners.push(PartCorner { key: corner.key, at, part, facets, on_skin });
                }
            }
        }
        for (face, cell) in (0..4).flat_map(|face| (0..3).map(move |cell| (face, cell))) {
            let has_node = FACES[face].iter().any(|k| form.own[*k] == cell);
            if !has_node && !is_skin(face) && form.is_on_face(cell, face) {
                self.out.joins.push((on_face(nodes, face, self.cells[cell] as u64), part + cell as u32));
            }
        }
    }

    /// The same for the two candidates at hand.
    fn divide_in_two_candidates(&mut self, tet: u32, work: u32) {
        let Split { values, cells, .. } = self.split_of(0, 1);
        self.divide_in_two(tet, work, values, cells, cells.map(|cell| cell as u64));
    }

    /// The common case: one crack, with nodes on both sides.
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
}
