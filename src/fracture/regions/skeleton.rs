//! What a skeleton needs of tetrahedra: the skin of pieces along cracks, and the ends of lines where three cells meet, as far as they make
//! up masses (`power_cells`).

use super::super::power_cells::PowerCells;
use super::Divider;
use crate::geom::Vector;
use crate::geom::arrangement::{Functions, MOST_CELLS, MOST_CORNERS, Meets, bits};
use crate::geom::moments::Moments;
use crate::geom::polytope::Split;
use crate::solid::Across;

impl Divider<'_> {
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
