//! The cracks in a tetrahedron as polygons: where the regions of a knock-out meet.
//!
//! Every split is a plane across the tetrahedron. A part of it is a crack where the knock-out gets as far as this split, and
//! ends with different survivors on its two sides. So each plane's section is followed through all splits: those before it
//! say where it decides anything, those after it who is left on either side (docs/design.md, 4.2). Polygons of one crack
//! cover it without overlap, but they do not share their corners with those of the next one: enough for distances, and
//! several times faster than the complex that surfaces need.

use super::knockout::Split;
use std::ops::Range;

/// Splits a tetrahedron: each label against each other, of four at most.
const MOST_SPLITS: usize = 6;
/// Nodes, corners of a section, and of a part of it for each other split, which adds one at most to the four that a section
/// has; and as many to spare while a part is made. A power of two: so no index needs a check.
const ROOM: usize = 64;
/// Where the section between two of three labels is: above the nodes, with room for a corner before it.
const TRIANGLE: usize = 5;

/// A corner of a polygon, three coordinates and a zero; single precision, as the distances that it is for.
pub type Corner = [f32; 4];

/// The values of all splits at a corner; the rest means nothing.
type Values = [f32; 8];

/// Calls back with a crack polygon, the nodes of the second side of the split that it lies on, and the nodes that survive on
/// its first and on its second side.
type Emit<'a> = dyn FnMut(&[Corner], u8, [u8; 2]) + 'a;

/// Follows cracks; the memory for their corners is kept from one tetrahedron to the next.
pub struct Interfaces {
    /// Corners of the polygons under way, a stack: a part of a polygon lies above the whole. At the bottom are the nodes.
    corners: [Corner; ROOM],
    values: [Values; ROOM],
    top: usize,
    /// The two sides of every split.
    sides: [[u8; 2]; MOST_SPLITS],
}

impl Default for Interfaces {
    fn default() -> Self {
        let (corners, values) = ([Corner::default(); ROOM], [Values::default(); ROOM]);
        Self { corners, values, top: 0, sides: [[0; 2]; MOST_SPLITS] }
    }
}

impl Interfaces {
    /// Calls `emit` with every crack polygon in a tetrahedron with nodes at `places`. Where both sides belong to one fragment
    /// there is no crack: who owns the nodes is the caller's to know.
    pub fn visit(&mut self, splits: &[Split], places: &[Corner; 4], emit: &mut Emit) {
        let splits = &splits[..splits.len().min(MOST_SPLITS)];
        self.corners[..4].copy_from_slice(places);
        for (k, split) in splits.iter().enumerate() {
            self.sides[k] = split.sides().into();
            (0..4).for_each(|node| self.values[node][k] = split.gaps[node]);
        }
        if let [[a, b], [c, d], [e, f], ..] = self.sides
            && splits.len() == 3
            && (a | b | d, c, e, f) == (0b1111, a, b, d)
        {
            return self.follow_three([a, b, d], emit);
        }
        for on in 0..splits.len() {
            self.follow_section(splits.len(), on, emit);
        }
    }

    /// Follows the cracks between three labels, by their nodes: what [`follow`](Self::follow) comes to where the first split is
    /// between the first two, and the winner meets the third. Most tetrahedra with several splits are like that.
    fn follow_three(&mut self, [a, b, c]: [u8; 3], emit: &mut Emit) {
        let [of_a, of_b, of_c] = [a, b, c].map(Ends::of);
        self.push_triangle(0, of_a, of_b, of_c);
        if self.is_parted_by(1) && self.is_parted_by(2) {
            let first = self.cut_triangle::<4>(1, of_c);
            let second = self.push_rest(&first, of_c);
            let (one, other) = (self.values[first.start][2], self.values[first.end - 1][2]);
            if one >= 0.0 && other >= 0.0 {
                emit(&self.corners[first], b, [a, b]);
            } else {
                self.emit_part(first.clone(), 2, 1.0, b, [a, b], emit);
                self.emit_part(first, 2, -1.0, b, [a, c], emit);
            }
            if one > 0.0 || other > 0.0 {
                self.emit_part(second, 2, 1.0, b, [c, b], emit);
            }
        } else {
            self.follow_section(3, 0, emit);
        }
        for (on, [one, other, third], sides) in [(1, [of_a, of_c, of_b], [a, c]), (2, [of_b, of_c, of_a], [b, c])] {
            self.push_triangle(on, one, other, third);
            if self.is_parted_by(0) {
                let part = self.cut_triangle::<0>(0, third);
                emit(&self.corners[part], c, sides);
            } else {
                self.follow_section(3, on, emit);
            }
        }
    }

    /// Calls `emit` with the part of a polygon where a split has this sign.
    #[inline(always)]
    fn emit_part(&mut self, whole: Range<usize>, split: usize, sign: f32, beyond: u8, sides: [u8; 2], emit: &mut Emit) {
        let top = self.top;
        let part = self.part::<0>(whole, split, sign);
        if part.len() > 2 {
            emit(&self.corners[part], beyond, sides);
        }
        self.top = top;
    }

    /// Follows all of the section of a split.
    fn follow_section(&mut self, count: usize, on: usize, emit: &mut Emit) {
        let section = self.push_section(on);
        self.follow(count, on, 0, section, [0b1111; 2], emit);
    }

    /// Follows a part of the section of split `on` through the splits from `next` to `count`; `alive` are the nodes left on
    /// either side.
    fn follow(&mut self, count: usize, on: usize, next: usize, part: Range<usize>, alive: [u8; 2], emit: &mut Emit) {
        if part.len() < 3 {
            return;
        }
        let mut alive = alive;
        let [one, other] = self.sides[on];
        for k in next..count {
            let [first, second] = self.sides[k];
            let applies =
                [first & alive[0] != 0 && second & alive[0] != 0, first & alive[1] != 0 && second & alive[1] != 0];
            if k == on {
                if !applies[0] {
                    return;
                }
                alive = [alive[0] & !second, alive[0] & !first];
                continue;
            }
            if !applies[0] && !applies[1] {
                continue;
            }
            for (losers, sign) in [(second, 1.0), (first, -1.0)] {
                let left = |i: usize| if applies[i] { alive[i] & !losers } else { alive[i] };
                let after = [left(0), left(1)];
                // Where this split decides nothing any more, or the same is on both sides, there is no crack.
                let is_none = if k < on { one & after[0] == 0 || other & after[0] == 0 } else { after[0] == after[1] };
                if !is_none {
                    let top = self.top;
                    let part = self.part::<8>(part.clone(), k, sign);
                    self.follow(count, on, k + 1, part, after, emit);
                    self.top = top;
                }
            }
            return;
        }
        emit(&self.corners[part], other, alive)
    }

    /// Pushes the part of a polygon where a split has this sign, with the first few values at its corners. There are no
    /// branches, which nobody could predict: all is written, and what is not part of it is overwritten.
    #[inline(never)] // a tight loop needs all registers
    fn part<const VALUES: usize>(&mut self, whole: Range<usize>, split: usize, sign: f32) -> Range<usize> {
        let start = self.top;
        if whole.is_empty() || start + 2 * whole.len() >= ROOM {
            return 0..0;
        }
        let mut top = start;
        let mut from = whole.end - 1;
        let mut a = self.values[from % ROOM][split % 8] * sign;
        let (mut a_is_in, mut a_is_out) = (a > 0.0, a < 0.0);
        let (mut within, mut beyond) = (false, false);
        for to in whole {
            let b = self.values[to % ROOM][split % 8] * sign;
            let (is_in, is_out) = (b > 0.0, b < 0.0);
            self.put_between::<VALUES>(top, from, to, a / (a - b));
            if VALUES > 0 {
                self.values[top % ROOM][split % 8] = 0.0;
            }
            top += (a_is_in & is_out | a_is_out & is_in) as usize;
            self.corners[top % ROOM] = self.corners[to % ROOM];
            let values = first::<VALUES>(&self.values[to % ROOM]);
            self.values[top % ROOM][..VALUES].copy_from_slice(&values);
            top += !is_out as usize;
            (within, beyond) = (within | is_in, beyond | is_out);
            (from, a, a_is_in, a_is_out) = (to, b, is_in, is_out);
        }
        self.top = top;
        if within | !beyond { start..top } else { 0..0 }
    }

    /// Puts a point on the way from one corner to another, `t` of the way, to a place of the stack.
    #[inline(always)]
    fn put_between<const VALUES: usize>(&mut self, place: usize, from: usize, to: usize, t: f32) {
        let (p, q) = (self.corners[from % ROOM], self.corners[to % ROOM]);
        let at = |k: usize| p[k] + (q[k] - p[k]) * t;
        self.corners[place % ROOM] = [at(0), at(1), at(2), at(3)];
        if VALUES > 0 {
            let (v, w) = (first::<VALUES>(&self.values[from % ROOM]), first::<VALUES>(&self.values[to % ROOM]));
            let values = &mut self.values[place % ROOM];
            for k in 0..VALUES {
                values[k] = v[k] + (w[k] - v[k]) * t;
            }
        }
    }

    /// Pushes where the plane of a split crosses the tetrahedron: through the edges between its sides, and the nodes without
    /// part in it. Only the nodes are below it.
    fn push_section(&mut self, on: usize) -> Range<usize> {
        self.top = 4;
        let [first, second] = self.sides[on];
        let bits = |mask: u8| (0..4usize).filter(move |k| mask >> k & 1 != 0);
        for i in bits(first) {
            for j in bits(second) {
                self.push_crossing::<8>(i, j, on);
            }
        }
        // Two against two come as 02 03 12 13; around the quadrilateral it is 02 03 13 12.
        if self.top == 8 {
            self.corners.swap(6, 7);
            self.values.swap(6, 7);
        }
        for k in bits(0b1111 & !(first | second)) {
            self.push_crossing::<8>(k, k, on);
        }
        4..self.top
    }

    /// The same between two of three labels, which is always a triangle: the crossings first, then nodes of the third label.
    #[inline(always)]
    fn push_triangle(&mut self, on: usize, first: Ends, second: Ends, third: Ends) {
        self.top = TRIANGLE;
        self.push_crossing::<4>(first.low, second.low, on);
        let (i, j) = if third.is_two() { (third.low, third.low) } else { (first.high, second.high) };
        self.push_crossing::<4>(i, j, on);
        self.push_crossing::<4>(third.high, third.high, on);
    }

    /// Whether a split between one of those two labels and the third parts the crossings of this triangle from its nodes. Else
    /// rounding has put a crossing on a node.
    #[inline(always)]
    fn is_parted_by(&self, split: usize) -> bool {
        self.values[TRIANGLE][split] != 0.0 && self.values[TRIANGLE + 1][split] != 0.0
    }

    /// Cuts off the nodes of the triangle, and returns what is left: where its edges are cut are the first corner, and the last.
    #[inline(always)]
    fn cut_triangle<const VALUES: usize>(&mut self, split: usize, third: Ends) -> Range<usize> {
        let last = TRIANGLE + !third.is_two() as usize;
        for (place, from, to) in [(TRIANGLE - 1, TRIANGLE + 2, TRIANGLE), (last + 1, last, last + 1)] {
            let (a, b) = (self.values[from % ROOM][split], self.values[to % ROOM][split]);
            self.put_between::<VALUES>(place, from, to, a / (a - b));
            if VALUES > 0 {
                self.values[place % ROOM][split] = 0.0;
            }
        }
        TRIANGLE - 1..last + 2
    }

    /// Pushes what was cut off the triangle.
    #[inline(always)]
    fn push_rest(&mut self, cut: &Range<usize>, third: Ends) -> Range<usize> {
        let start = self.top;
        for corner in [cut.start, cut.end - 1, third.low, third.high] {
            self.corners[self.top % ROOM] = self.corners[corner % ROOM];
            self.values[self.top % ROOM] = self.values[corner % ROOM];
            self.top += 1;
        }
        start..self.top - !third.is_two() as usize
    }

    /// Pushes where a split crosses the edge between two nodes, or a node without part in it.
    #[inline(always)]
    fn push_crossing<const VALUES: usize>(&mut self, i: usize, j: usize, on: usize) {
        let (a, b) = (self.values[i & 3][on % 8], self.values[j & 3][on % 8]);
        let t = if i == j { 0.0 } else { a / (a - b) };
        self.put_between::<VALUES>(self.top, i & 3, j & 3, t);
        self.values[self.top % ROOM][on % 8] = 0.0;
        self.top += 1;
    }
}

#[inline(always)]
fn first<const VALUES: usize>(values: &Values) -> [f32; VALUES] {
    let mut few = [0.0; VALUES];
    few.copy_from_slice(&values[..VALUES]);
    few
}

/// The first and the last node of a label.
#[derive(Clone, Copy)]
struct Ends {
    low: usize,
    high: usize,
}

impl Ends {
    /// Whether it has two nodes, and not one.
    #[inline(always)]
    fn is_two(self) -> bool {
        self.low != self.high
    }

    /// By its nodes, a bit each.
    #[inline]
    fn of(nodes: u8) -> Self {
        const OF: [[u8; 2]; 16] = {
            let mut table = [[0; 2]; 16];
            let mut mask = 1u8;
            while mask < 16 {
                table[mask as usize] = [mask.trailing_zeros() as u8, 7 - mask.leading_zeros() as u8];
                mask += 1;
            }
            table
        };
        let [low, high] = OF[nodes as usize & 15].map(usize::from);
        Self { low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::complex::{Complex, Outside};
    use crate::geom::random::unit;

    const CORNERS: [[f64; 3]; 4] = [[0.1, 0.0, 0.2], [1.0, 0.1, 0.0], [0.0, 1.2, 0.1], [0.3, 0.2, 0.9]];

    fn area(corners: &[nalgebra::Vector3<f64>]) -> f64 {
        let twice = |k: usize| (corners[k - 1] - corners[0]).cross(&(corners[k] - corners[0]));
        (2..corners.len()).fold(nalgebra::Vector3::zeros(), |sum, k| sum + twice(k)).norm() / 2.0
    }

    /// The crack area between any two owners is that of the complex, which is built in another way.
    #[test]
    fn areas_agree_with_the_complex() {
        let mut complex = Complex::default();
        let mut interfaces = Interfaces::default();
        let mut compared = 0;
        for seed in 0..2000u64 {
            let gap = |k: u64| 0.05 + unit(seed, k) as f32;
            let owners: [u32; 4] = std::array::from_fn(|k| (unit(seed, 90 + k as u64) * 4.0) as u32);
            let mut splits = vec![];
            for f in 0..4u32 {
                for g in f + 1..4 {
                    if owners.contains(&f) && owners.contains(&g) {
                        let side = |o: u32, k: usize| match o {
                            o if o == f => gap(k as u64 + 10 * f as u64),
                            o if o == g => -gap(k as u64 + 10 * g as u64),
                            _ => 0.0,
                        };
                        splits.push(Split { gaps: std::array::from_fn(|k| side(owners[k], k)) });
                    }
                }
            }
            let between = |a: u8, b: u8| {
                let [a, b] = [a, b].map(|mask| owners[mask.trailing_zeros() as usize]);
                if a == b { None } else { Some((a.min(b), a.max(b))) }
            };
            let mut areas = std::collections::BTreeMap::<(u32, u32), (f64, f64)>::new();
            let places = CORNERS.map(|[x, y, z]| [x, y, z, 0.0].map(|c| c as f32));
            interfaces.visit(&splits, &places, &mut |polygon, _, [a, b]| {
                if let Some(pair) = between(a, b) {
                    let at = |corner: &Corner| nalgebra::Vector3::from_fn(|k, _| corner[k] as f64);
                    areas.entry(pair).or_default().0 += area(&polygon.iter().map(at).collect::<Vec<_>>());
                }
            });
            complex.build(&splits, true);
            for facet in &complex.facets {
                let Outside::Cell(outside) = facet.outside else { continue };
                if let Some(pair) = between(complex.cells[facet.inside as usize], complex.cells[outside as usize]) {
                    let at = |w: &[f64; 4]| {
                        nalgebra::Vector3::from_fn(|i, _| (0..4).map(|k| CORNERS[k][i] * w[k]).sum::<f64>())
                    };
                    let corner = |k: usize| at(&complex.points[facet.corners[k] as usize].weights);
                    let corners: Vec<_> = (0..facet.corners.len()).map(corner).collect();
                    areas.entry(pair).or_default().1 += area(&corners);
                }
            }
            for (pair, (ours, theirs)) in areas {
                assert!((ours - theirs).abs() < 1e-6, "seed {seed}, {pair:?}: {ours} against {theirs}");
                compared += 1;
            }
        }
        assert!(compared > 3000, "{compared}");
    }
}
