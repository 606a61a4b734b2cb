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
/// A section has four corners at most, and each of five other splits adds one.
const MOST_CORNERS: usize = 12;
/// Corners of a section and of a part of it for each other split.
const ROOM: usize = MOST_CORNERS * MOST_SPLITS;

/// A corner of a polygon; single precision, as the distances that it is for.
#[derive(Clone, Copy, Default)]
pub struct Corner {
    /// Where it is: three coordinates and a zero.
    pub at: [f32; 4],
    /// The values of all splits there; the rest is zero.
    values: [f32; 8],
}

impl Corner {
    /// The point on the way to another where split `on` is zero, `t` of the way.
    #[inline]
    fn towards(&self, other: &Self, t: f32, on: usize) -> Self {
        let (p, q, v, w) = (&self.at, &other.at, &self.values, &other.values);
        let at = |k: usize| p[k] + (q[k] - p[k]) * t;
        let value = |k: usize| v[k] + (w[k] - v[k]) * t;
        let at = [at(0), at(1), at(2), at(3)];
        let values = [value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)];
        let mut corner = Self { at, values };
        corner.values[on & 7] = 0.0;
        corner
    }
}

/// Calls back with a crack polygon, the number of the split that it lies on, and the nodes that survive on its first and on
/// its second side.
type Emit<'a> = dyn FnMut(&[Corner], usize, [u8; 2]) + 'a;

/// Follows cracks; the memory for their corners is kept from one tetrahedron to the next.
pub struct Interfaces {
    /// Corners of the polygons under way, a stack: a part of a polygon lies above the whole.
    corners: [Corner; ROOM],
    top: usize,
    /// The two sides of every split.
    sides: [[u8; 2]; MOST_SPLITS],
}

impl Default for Interfaces {
    fn default() -> Self {
        Self { corners: [Corner::default(); ROOM], top: 0, sides: [[0; 2]; MOST_SPLITS] }
    }
}

impl Interfaces {
    /// Calls `emit` with every crack polygon in a tetrahedron with nodes at `places`. Where both sides belong to one fragment
    /// there is no crack: who owns the nodes is the caller's to know.
    pub fn visit(&mut self, splits: &[Split], places: &[[f32; 4]; 4], emit: &mut Emit) {
        let splits = &splits[..splits.len().min(MOST_SPLITS)];
        let mut nodes = [Corner::default(); 4];
        for (node, place) in nodes.iter_mut().zip(places) {
            node.at = *place;
        }
        for (k, split) in splits.iter().enumerate() {
            self.sides[k] = split.sides().into();
            nodes.iter_mut().zip(split.gaps).for_each(|(node, gap)| node.values[k] = gap);
        }
        if let [[a, b], [c, d], [e, f], ..] = self.sides
            && splits.len() == 3
            && (a | b | d, c, e, f) == (0b1111, a, b, d)
        {
            return self.follow_three(&nodes, [a, b, d], emit);
        }
        for on in 0..splits.len() {
            self.push_section(&nodes, on);
            self.follow(splits.len(), on, 0, 0..self.top, [0b1111; 2], emit);
        }
    }

    /// Follows the cracks between three labels, by their nodes: what [`follow`](Self::follow) comes to where the first split is
    /// between the first two, and the winner meets the third. Most tetrahedra with several splits are like that.
    fn follow_three(&mut self, nodes: &[Corner; 4], [a, b, c]: [u8; 3], emit: &mut Emit) {
        let whole = self.push_section(nodes, 0);
        let first = self.part(whole.clone(), 1, 1.0);
        self.emit_part(first.clone(), 2, 1.0, 0, [a, b], emit);
        self.emit_part(first, 2, -1.0, 0, [a, c], emit);
        let second = self.part(whole, 1, -1.0);
        self.emit_part(second, 2, 1.0, 0, [c, b], emit);
        let whole = self.push_section(nodes, 1);
        self.emit_part(whole, 0, 1.0, 1, [a, c], emit);
        let whole = self.push_section(nodes, 2);
        self.emit_part(whole, 0, -1.0, 2, [b, c], emit);
    }

    /// Calls `emit` with the part of a polygon where a split has this sign.
    #[inline]
    fn emit_part(&mut self, whole: Range<usize>, split: usize, sign: f32, on: usize, sides: [u8; 2], emit: &mut Emit) {
        let part = self.part(whole, split, sign);
        if part.len() > 2 {
            emit(&self.corners[part], on, sides);
        }
    }

    /// The part of a polygon where a split has this sign. Nothing is pushed if it is all of it, or nothing.
    fn part(&mut self, whole: Range<usize>, split: usize, sign: f32) -> Range<usize> {
        let (mut within, mut beyond) = (false, false);
        for corner in &self.corners[whole.clone()] {
            let value = corner.values[split & 7] * sign;
            within |= value > 0.0;
            beyond |= value < 0.0;
        }
        match (within, beyond) {
            (_, false) => whole,
            (false, true) => 0..0,
            (true, true) => {
                let top = self.top;
                self.push_part(whole, split, sign);
                top..self.top
            }
        }
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
            let (mut positive, mut negative) = (false, false);
            for corner in &self.corners[part.clone()] {
                positive |= corner.values[k & 7] > 0.0;
                negative |= corner.values[k & 7] < 0.0;
            }
            for (losers, sign) in [(second, 1.0), (first, -1.0)] {
                let left = |i: usize| if applies[i] { alive[i] & !losers } else { alive[i] };
                let after = [left(0), left(1)];
                // Where this split decides nothing any more, or the same is on both sides, there is no crack.
                let is_none = if k < on { one & after[0] == 0 || other & after[0] == 0 } else { after[0] == after[1] };
                let (within, beyond) = if sign > 0.0 { (positive, negative) } else { (negative, positive) };
                if is_none || beyond && !within {
                    continue;
                }
                if !beyond {
                    self.follow(count, on, k + 1, part.clone(), after, emit);
                } else {
                    let top = self.top;
                    self.push_part(part.clone(), k, sign);
                    self.follow(count, on, k + 1, top..self.top, after, emit);
                    self.top = top;
                }
            }
            return;
        }
        emit(&self.corners[part], on, alive)
    }

    /// Pushes the part of a polygon where a split has this sign.
    fn push_part(&mut self, part: Range<usize>, split: usize, sign: f32) {
        if self.top + part.len() + 1 > ROOM {
            return;
        }
        let (old, new) = self.corners.split_at_mut(self.top);
        let mut count = 0;
        let mut from = &old[part.end - 1];
        for to in &old[part] {
            let (a, b) = (from.values[split & 7], to.values[split & 7]);
            if (a < 0.0) & (b > 0.0) | (a > 0.0) & (b < 0.0) {
                new[count] = from.towards(to, a / (a - b), split);
                count += 1;
            }
            if b * sign >= 0.0 {
                new[count] = *to;
                count += 1;
            }
            from = to;
        }
        self.top += count;
    }

    /// Pushes where the plane of a split crosses the tetrahedron: through the edges between its sides, and the nodes without
    /// part in it. Nothing is below it.
    fn push_section(&mut self, nodes: &[Corner; 4], on: usize) -> Range<usize> {
        self.top = 0;
        let [first, second] = self.sides[on];
        let bits = |mask: u8| (0..4usize).filter(move |k| mask >> k & 1 != 0);
        for i in bits(first) {
            for j in bits(second) {
                let (a, b) = (nodes[i].values[on], nodes[j].values[on]);
                self.corners[self.top] = nodes[i].towards(&nodes[j], a / (a - b), on);
                self.top += 1;
            }
        }
        // Two against two come as 02 03 12 13; around the quadrilateral it is 02 03 13 12.
        if self.top == 4 {
            self.corners.swap(2, 3);
        }
        for k in bits(0b1111 & !(first | second)) {
            self.corners[self.top] = nodes[k];
            self.top += 1;
        }
        0..self.top
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
                    let at = |corner: &Corner| nalgebra::Vector3::from_fn(|k, _| corner.at[k] as f64);
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
