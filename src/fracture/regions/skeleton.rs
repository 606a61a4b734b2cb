//! What a skeleton has of tetrahedra (docs/design.md, 4.2): corners, parts that own no node, and what makes up masses (`power_cells`): the
//! skin of pieces along cracks, and the ends of lines where three cells meet.

use super::super::power_cells::PowerCells;
use super::plain::only_two;
use super::{Divider, Holder, Part, SharedCorner, on_face};
use crate::geom::Vector;
use crate::geom::arrangement::{Functions, MOST_CELLS, MOST_CORNERS, Meets, bits};
use crate::geom::moments::Moments;
use crate::geom::polytope::Split;
use crate::solid::Across;

/// For a set of nodes of a tetrahedron, a bit each: the faces without any of them.
const WITHOUT_NODE: [u8; 16] = {
    let mut table = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut face = 0;
        while face < 4 {
            if set & !(1 << face) == 0 {
                table[set] |= 1 << face;
            }
            face += 1;
        }
        set += 1;
    }
    table
};

impl Divider<'_> {
    /// Divides a tetrahedron that no earlier event cut, as far as a skeleton has it.
    pub(super) fn divide_skeleton(&mut self, tet: u32, work: u32) {
        let nodes = &self.solid.tets()[tet as usize];
        let owners = nodes.map(|n| self.known.cell_of[n as usize]);
        let generation = self.envelope.generation;
        let is_contested = self.known.contested.has_any(nodes);
        if let Some(cells) = only_two(&owners)
            && !is_contested
        {
            self.out.unlisted += 2;
            if self.solid.has_skin(tet) {
                let values = self.envelope.between(nodes, cells);
                self.add_skin_of_two(tet, nodes, &Split { values, generation, cells });
            }
            return;
        }
        self.envelope.candidates(nodes, &mut self.cells, &mut self.values);
        let (cells, values) = (std::mem::take(&mut self.cells), std::mem::take(&mut self.values));
        let functions = Functions { cells: &cells, values: &values, generation };
        let places = owners.map(|owner| cells.iter().position(|cell| *cell == owner).unwrap_or(0));
        if cells.len() > MOST_CELLS {
            self.out.needs_regions = true;
        } else if !is_contested && self.arrangement.divide_plain(&functions, &places, self.solid.has_skin(tet)) {
            self.add_plain(tet, nodes, &functions, &places);
        } else if !self.arrangement.divide(&functions, &places) {
            self.out.needs_regions = true;
        } else if let present = self.arrangement.present()
            && present.count_ones() == 2
        {
            self.out.unlisted += 2;
            let [low, high] = [present.trailing_zeros(), 31 - present.leading_zeros()];
            self.add_skin_of_two(tet, nodes, &functions.crack(low as usize, high as usize));
        } else {
            self.add_general(tet, work, nodes, &functions, &places);
        }
        (self.cells, self.values) = (cells, values);
    }

    /// Adds a tetrahedron of three or four cells that own nodes, whose corners on faces and inside are the first ones of the arrangement at
    /// hand: what it has besides follows from the nodes.
    fn add_plain(&mut self, tet: u32, nodes: &[u32; 4], functions: &Functions, owners: &[usize; 4]) {
        let present = owners.iter().fold(0u32, |present, place| present | 1 << place);
        self.out.unlisted += present.count_ones() as usize;
        let corners = self.solid.corners(tet);
        if let Some(sums) = self.sum_skeleton(tet, functions) {
            let node = |place: usize| nodes[owners.iter().position(|owner| *owner == place).unwrap_or(0)];
            self.out.at_nodes.extend(bits(present as u64).map(|place| (node(place), sums[place])));
        }
        let first_faces = self.first_faces(tet);
        for k in 0..self.arrangement.corner_count() {
            let meets = self.arrangement.meets_at(k);
            match meets.faces().count_ones() {
                1 if meets.faces() & first_faces == 0 => {}
                1 => {
                    let corner = self.arrangement.corner(k, functions, nodes);
                    self.add_face_corner(tet, nodes, meets.on(), corner.key, corner.position(&corners));
                }
                0 => {
                    let corner = self.arrangement.corner(k, functions, nodes);
                    let (at, holders) = (corner.position(&corners), nodes.map(Holder::node));
                    self.out.shared_corners.push(SharedCorner {
                        key: corner.key,
                        at,
                        holders,
                        on_edge: false,
                        on_skin: false,
                    });
                }
                _ => break,
            }
        }
    }

    /// Adds any other tetrahedron, from the arrangement at hand: the cells of `owners`, by their places, have its nodes, and others none.
    fn add_general(&mut self, tet: u32, work: u32, nodes: &[u32; 4], functions: &Functions, owners: &[usize; 4]) {
        let count = self.arrangement.corner_count();
        let mut holder_of = [Holder::NONE; MOST_CELLS];
        let mut own_nodes = [0u8; MOST_CELLS];
        for k in (0..4).rev() {
            own_nodes[owners[k]] |= 1 << k;
            holder_of[owners[k]] = Holder::node(nodes[k]);
        }
        let present = self.arrangement.present();
        for place in bits(present as u64).filter(|place| own_nodes[*place] == 0) {
            holder_of[place] = Holder::part(self.out.parts.len() as u32);
            self.out.parts.push(Part { work, label: functions.cells[place] as u64, nodes: 0, first_wall: 0 });
        }
        self.out.unlisted += own_nodes.iter().filter(|own| **own != 0).count();
        let sums = self.sum_skeleton(tet, functions);
        let mut faces_inside = 0u8;
        for face in 0..4 {
            faces_inside |= (matches!(self.solid.across(tet, face), Across::Tet(_)) as u8) << face;
        }
        for place in bits(present as u64) {
            if let Some(sums) = &sums
                && own_nodes[place] != 0
            {
                self.out.at_nodes.push((nodes[own_nodes[place].trailing_zeros() as usize], sums[place]));
            }
            // Faces that it is on without a node.
            let mut on = 0u8;
            for k in 0..count {
                let meets = self.arrangement.meets_at(k);
                on |= meets.faces() & (meets.has_cell(place) as u8).wrapping_neg();
            }
            for face in bits((on & faces_inside & WITHOUT_NODE[own_nodes[place] as usize]) as u64) {
                self.out.joins.push((on_face(nodes, face, functions.cells[place] as u64), holder_of[place]));
            }
        }
        let nothing = Moments::default();
        let lone = bits(present as u64).filter(|place| own_nodes[*place] == 0);
        self.out.moments.extend(lone.map(|place| sums.as_ref().map_or(nothing, |sums| sums[place])));
        // Which corners are known from edges, which are those of the cells of the nodes of a face, and which are others. The last ones on
        // faces are added from one side.
        let corners = self.solid.corners(tet);
        let first_faces = self.first_faces(tet);
        let (mut on_faces, mut others) = ([0u64; 4], 0u64);
        for k in 0..count {
            let meets = self.arrangement.meets_at(k);
            let (faces, on) = (meets.faces(), meets.on());
            let owned = (0..4).fold(0u32, |owned, k| owned | ((on >> k & 1) as u32) << owners[k]);
            let is_owned = meets.cells_by_place() & !owned == 0 && faces != 0;
            let is_on_face = faces.is_power_of_two();
            on_faces[faces.trailing_zeros() as usize & 3] |= ((is_owned && is_on_face) as u64) << k;
            others |= ((!is_owned && (!is_on_face || faces & first_faces != 0)) as u64) << k;
        }
        for k in bits(others) {
            let meets = self.arrangement.meets_at(k);
            let corner = self.arrangement.corner(k, functions, nodes);
            let mut cells = meets.cells().map(|place| holder_of[place]);
            self.out.shared_corners.push(SharedCorner {
                key: corner.key,
                at: corner.position(&corners),
                holders: std::array::from_fn(|_| cells.next().unwrap_or(Holder::NONE)),
                on_edge: meets.faces().count_ones() == 2,
                on_skin: meets.faces() & !faces_inside != 0,
            });
        }
        let first = (0..4).filter(|face| first_faces >> face & 1 != 0);
        for k in first.flat_map(|face| bits(on_faces[face])) {
            let corner = self.arrangement.corner(k, functions, nodes);
            self.add_face_corner(tet, nodes, corner.nodes, corner.key, corner.position(&corners));
        }
    }

    /// The faces, a bit each, whose corners are this tetrahedron's to add.
    fn first_faces(&self, tet: u32) -> u8 {
        (0..4).fold(0, |faces, face| {
            let is_first = match self.solid.across(tet, face) {
                Across::Tet(other) => tet < other,
                Across::Skin(_) => true,
            };
            faces | (is_first as u8) << face
        })
    }

    /// The skin of a tetrahedron with two cells; what has nodes of one cell only is left out.
    pub(super) fn add_skin_of_two(&mut self, tet: u32, nodes: &[u32; 4], split: &Split) {
        let Some(cells) = self.envelope.power_cells().filter(|_| self.solid.has_skin(tet)) else { return };
        let is_first = |k: usize| split.values[k] < 0.0;
        for face in 0..4 {
            let Across::Skin(number) = self.solid.across(tet, face) else { continue };
            let mut own = (0..4).filter(|k| *k != face);
            let [i, j, k] = std::array::from_fn(|_| own.next().unwrap_or(0));
            // The one that is alone on its side of the crack first.
            let [i, j, k] = match (is_first(i) == is_first(j), is_first(i) == is_first(k)) {
                (true, true) => continue,
                (true, false) => [k, i, j],
                (false, true) => [j, i, k],
                (false, false) => [i, j, k],
            };
            let normal = self.skin_normal(number);
            let at = |k: usize| self.solid.nodes()[nodes[k] as usize] - self.object.asset().centre();
            let cut = |other: usize| {
                let [a, b] = split.on_edge(i.min(other), i.max(other));
                at(i.min(other)) * a + at(i.max(other)) * b
            };
            let (lone, p, q) = (at(i), cut(j), cut(k));
            let own = if is_first(i) { [0, 1] } else { [1, 0] }.map(|side| split.cells[side]);
            let (mut tip, mut rest, mut gone) = (Moments::default(), Moments::default(), Moments::default());
            cells.add_skin(&mut tip, own[0], [lone, p, q], &normal);
            cells.add_skin(&mut rest, own[1], [lone, at(j), at(k)], &normal);
            cells.add_skin(&mut gone, own[1], [lone, p, q], &normal);
            rest -= gone;
            cells.add_rim([&mut tip, &mut rest], own, [p, q], &normal);
            self.out.at_nodes.extend([(nodes[i], tip), (nodes[j], rest)]);
        }
    }

    /// What the skin of the arrangement at hand, and the ends of lines in it, add to the moments of cells, by their places. `None` if there
    /// are none.
    pub(super) fn sum_skeleton(&self, tet: u32, functions: &Functions) -> Option<[Moments; MOST_CELLS]> {
        let cells = self.envelope.power_cells()?;
        let count = self.arrangement.corner_count();
        let has_inner = (0..count).any(|k| self.arrangement.meets_at(k).faces() == 0);
        if !has_inner && !self.solid.has_skin(tet) {
            return None;
        }
        let mut sums = [Moments::default(); MOST_CELLS];
        let corners = self.solid.corners(tet).map(|p| p - self.object.asset().centre());
        let mut at = [Vector::zeros(); MOST_CORNERS];
        for (k, at) in at.iter_mut().enumerate().take(count) {
            let weights = self.arrangement.weights_at(k);
            *at = (0..4).fold(Vector::zeros(), |sum, i| sum + corners[i] * weights[i]);
        }
        for face in 0..4 {
            if let Across::Skin(number) = self.solid.across(tet, face) {
                let normal = self.skin_normal(number);
                self.add_skin_of_many(&cells, 1 << face, &normal, &at, functions, &mut sums);
            }
        }
        for (k, end) in at.iter().enumerate().take(count) {
            let meets = self.arrangement.meets_at(k);
            if meets.faces() == 0 {
                for but in meets.cells() {
                    let away = |a: usize, along: &Vector| {
                        let [a, d] = [a, but].map(|place| cells.seed(functions.cells[place]));
                        along.dot(&(d - a)) < 0.0
                    };
                    add_end(&cells, meets, Some(but), end, functions, &mut sums, away);
                }
            }
        }
        Some(sums)
    }

    /// The skin of the arrangement at hand on one face.
    fn add_skin_of_many(
        &self,
        cells: &PowerCells,
        face: u8,
        normal: &Vector,
        at: &[Vector; MOST_CORNERS],
        functions: &Functions,
        sums: &mut [Moments; MOST_CELLS],
    ) {
        // Corners on the face, by what meets there: faces, then cells by their places.
        let mut with = [0u64; 4 + MOST_CELLS];
        let mut present = 0u64;
        for k in 0..self.arrangement.corner_count() {
            let meets = self.arrangement.meets_at(k);
            if meets.faces() & face != 0 {
                let planes = (meets.faces() & !face) as u64 | (meets.cells_by_place() as u64) << 4;
                present |= planes;
                bits(planes).for_each(|plane| with[plane] |= 1 << k);
            }
        }
        let here = present & !0b1111;
        if here.is_power_of_two() {
            return; // all of it belongs to one cell
        }
        for own in bits(here) {
            let cell = functions.cells[own - 4];
            let mut sum = Moments::default();
            let base = with[own].trailing_zeros() as usize;
            for across in bits(present & !(1 << own)) {
                let ends = with[own] & with[across];
                if ends.count_ones() != 2 {
                    continue;
                }
                let [p, q] = [ends.trailing_zeros() as usize, 63 - ends.leading_zeros() as usize];
                if p != base {
                    cells.add_skin(&mut sum, cell, [at[base], at[p], at[q]], normal);
                }
                if across > own {
                    let other = functions.cells[across - 4];
                    cells.add_rim([&mut sum, &mut sums[across - 4]], [cell, other], [at[p], at[q]], normal);
                }
            }
            sums[own - 4] += sum;
        }
        for (k, end) in at.iter().enumerate().take(self.arrangement.corner_count()) {
            let meets = self.arrangement.meets_at(k);
            if meets.faces() == face {
                let inwards = |_: usize, along: &Vector| along.dot(normal) < 0.0;
                add_end(cells, meets, None, end, functions, sums, inwards);
            }
        }
    }

    /// The normal of a triangle of the skin, of any length.
    fn skin_normal(&self, number: u32) -> Vector {
        let [a, b, c] = self.solid.skin()[number as usize].nodes.map(|n| self.solid.nodes()[n as usize]);
        (b - a).cross(&(c - a))
    }
}

/// Adds an end of the line between the cells that meet in a corner, but for one of them. `is_inner` gets the first of these cells and a
/// direction.
fn add_end(
    cells: &PowerCells,
    meets: Meets,
    but: Option<usize>,
    end: &Vector,
    functions: &Functions,
    sums: &mut [Moments; MOST_CELLS],
    is_inner: impl Fn(usize, &Vector) -> bool,
) {
    let mut places = meets.cells().filter(|place| Some(*place) != but);
    let places: [usize; 3] = std::array::from_fn(|_| places.next().unwrap_or(0));
    let mut added = [Moments::default(); 3];
    cells.add_end(&mut added, places.map(|place| functions.cells[place]), end, |along| is_inner(places[0], along));
    places.iter().zip(added).for_each(|(place, sum)| sums[*place] += sum);
}
