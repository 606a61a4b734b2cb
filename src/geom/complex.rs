//! The cells of a cut tetrahedron with all their faces: who touches whom, and along which polygon.
//!
//! The splits of a tetrahedron (see `knockout`) are a small binary partition of it. Its cells are convex, but a face of one
//! may border several others, so faces and points are shared: cutting a cell also cuts the faces of its neighbours, and
//! no polygon ever ends in the middle of another one's edge. That makes the exported surfaces closed without any welding
//! by distance.
//!
//! Neighbouring tetrahedra see the same points on their common face. That is why a point on an edge or a face is computed
//! from that edge's or face's nodes alone, in ascending order of the nodes, and why signs are read off the node masks
//! wherever they can be: both sides get the same bits.

use super::NONE;
use super::knockout::Split;

/// What a point is made of: the nodes whose barycentric coordinate is not zero, and the splits on which it lies.
#[derive(Clone, Copy, Debug)]
pub struct ComplexPoint {
    /// Barycentric coordinates in the tetrahedron.
    pub weights: [f64; 4],
    /// The nodes that carry it, a bit each: one is a node, two a cut edge, three a corner on a face.
    pub support: u8,
    /// The splits whose planes contain it, a bit each.
    on: u8,
}

/// A polygon between two cells, or between a cell and a face of the tetrahedron.
#[derive(Clone, Copy, Debug)]
pub struct Facet {
    /// Points, counter-clockwise seen from outside the cell `inside`.
    pub corners: Ring,
    /// The cell behind the polygon.
    pub inside: u8,
    /// What is in front of it.
    pub outside: Outside,
}

/// The corners of a polygon, in place: a triangle that six planes cut, and that its neighbours' cuts give more corners to,
/// still has fewer than this.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ring {
    points: [u8; 24],
    count: u8,
}

impl Ring {
    fn push(&mut self, point: u8) {
        self.points[self.count as usize] = point;
        self.count += 1;
    }

    fn insert(&mut self, at: usize, point: u8) {
        self.points.copy_within(at..self.count as usize, at + 1);
        self.points[at] = point;
        self.count += 1;
    }
}

impl FromIterator<u8> for Ring {
    fn from_iter<I: IntoIterator<Item = u8>>(points: I) -> Self {
        let mut ring = Self::default();
        points.into_iter().for_each(|p| ring.push(p));
        ring
    }
}

impl std::ops::Deref for Ring {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.points[..self.count as usize]
    }
}

/// What a cell touches with a facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// The face of the tetrahedron opposite this node.
    Face(u8),
    /// Another cell of the same tetrahedron.
    Cell(u8),
}

/// A tetrahedron and what its splits make of it. Kept and refilled, so that a pass over many tetrahedra allocates little.
#[derive(Default)]
pub struct Complex {
    /// All points; the first four are the nodes.
    pub points: Vec<ComplexPoint>,
    /// All polygons.
    pub facets: Vec<Facet>,
    /// The surviving nodes of each cell.
    pub cells: Vec<u8>,
    signs: Vec<i8>,
    loop_edges: Vec<[u8; 2]>,
}

/// Relative size below which a numerically decided sign counts as zero (three cracks through one point).
const ON_PLANE: f64 = 1e-12;

impl Complex {
    /// Cuts a tetrahedron whose nodes are in ascending order. `positive` says whether that order is right-handed.
    pub fn build(&mut self, splits: &[Split], positive: bool) {
        self.points.clear();
        self.facets.clear();
        self.cells.clear();
        for k in 0..4 {
            let weights = std::array::from_fn(|i| (i == k) as u8 as f64);
            self.points.push(ComplexPoint { weights, support: 1 << k, on: 0 });
        }
        for (k, [a, b, c]) in [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]].into_iter().enumerate() {
            let corners = if positive { [a, b, c] } else { [a, c, b] }.into_iter().collect();
            self.facets.push(Facet { corners, inside: 0, outside: Outside::Face(k as u8) });
        }
        self.cells.push(0b1111);
        self.refine(0, splits, 0);
    }

    /// Applies the splits from `from` on to one cell, and goes on with its two parts.
    fn refine(&mut self, cell: u8, splits: &[Split], from: usize) {
        let alive = self.cells[cell as usize];
        let Some(slot) = (from..splits.len()).find(|&s| splits[s].applies(alive)) else { return };
        let split = &splits[slot];
        let (first, second) = (split.after(alive, true), split.after(alive, false));
        match self.cut(cell, splits, slot) {
            Cut::Both(other) => {
                self.cells[cell as usize] = first;
                self.cells[other as usize] = second;
                self.refine(cell, splits, slot + 1);
                self.refine(other, splits, slot + 1);
            }
            Cut::First => {
                self.cells[cell as usize] = first;
                self.refine(cell, splits, slot + 1);
            }
            Cut::Second => {
                self.cells[cell as usize] = second;
                self.refine(cell, splits, slot + 1);
            }
        }
    }

    fn touches(&self, facet: &Facet, cell: u8) -> bool {
        facet.inside == cell || facet.outside == Outside::Cell(cell)
    }

    /// Cuts one cell by one split. The part where the split is negative becomes a new cell.
    fn cut(&mut self, cell: u8, splits: &[Split], slot: usize) -> Cut {
        self.signs.clear();
        self.signs.resize(self.points.len(), UNKNOWN);
        for f in 0..self.facets.len() {
            if self.touches(&self.facets[f], cell) {
                for c in 0..self.facets[f].corners.len() {
                    let point = self.facets[f].corners[c] as usize;
                    if self.signs[point] == UNKNOWN {
                        self.signs[point] = self.sign(point, splits, slot);
                    }
                }
            }
        }
        if !self.signs.contains(&-1) {
            return Cut::First;
        }
        if !self.signs.contains(&1) {
            return Cut::Second;
        }
        self.cut_edges(cell, splits, slot);
        self.cut_facets(cell)
    }

    /// On which side of a split a point lies; -1, 0 or 1. Exact from the masks where they tell.
    fn sign(&mut self, point: usize, splits: &[Split], slot: usize) -> i8 {
        let ComplexPoint { weights, support, on } = self.points[point];
        let (first, second) = splits[slot].sides();
        let sign = match (support & first != 0, support & second != 0) {
            _ if on >> slot & 1 != 0 => 0,
            (false, false) => 0,
            (true, false) => 1,
            (false, true) => -1,
            (true, true) => {
                let value = splits[slot].at(&weights);
                let size: f64 = (0..4).map(|k| (splits[slot].gaps[k] as f64 * weights[k]).abs()).sum();
                if value.abs() <= ON_PLANE * size { 0 } else { value.signum() as i8 }
            }
        };
        if sign == 0 {
            self.points[point].on |= 1 << slot;
        }
        sign
    }

    /// Puts a point on every edge of the cell that crosses the plane, in all polygons that share the edge.
    fn cut_edges(&mut self, cell: u8, splits: &[Split], slot: usize) {
        for f in 0..self.facets.len() {
            if !self.touches(&self.facets[f], cell) {
                continue;
            }
            let mut c = 0;
            while c < self.facets[f].corners.len() {
                let corners = &self.facets[f].corners;
                let (u, v) = (corners[c], corners[(c + 1) % corners.len()]);
                if self.signs[u as usize] * self.signs[v as usize] == -1 {
                    let point = self.crossing(u, v, splits, slot);
                    let number = self.points.len() as u8;
                    self.points.push(point);
                    self.signs.push(0);
                    self.facets.iter_mut().for_each(|facet| facet.insert_between(u, v, number));
                }
                c += 1;
            }
        }
    }

    /// The point where the edge from `u` to `v` crosses a split.
    fn crossing(&self, u: u8, v: u8, splits: &[Split], slot: usize) -> ComplexPoint {
        let (p, q) = (&self.points[u as usize], &self.points[v as usize]);
        let support = p.support | q.support;
        let shared = p.on & q.on;
        let on = shared | 1 << slot;
        let gaps = &splits[slot].gaps;
        let carriers: [usize; 4] = {
            let mut list = [NONE as usize; 4];
            (0..4).filter(|k| support >> k & 1 != 0).zip(&mut list).for_each(|(k, slot)| *slot = k);
            list
        };
        let mut weights = [0.0; 4];
        match support.count_ones() {
            2 => {
                let [i, j, ..] = carriers;
                let (a, b) = ((gaps[i] as f64).abs(), (gaps[j] as f64).abs());
                weights[i] = b / (a + b);
                weights[j] = a / (a + b);
            }
            3 => {
                // Two lines on a face: this split, and the one along which the edge runs.
                let face = [carriers[0], carriers[1], carriers[2]];
                let decides = |s: &usize| {
                    let (first, second) = splits[*s].sides();
                    shared >> s & 1 != 0 && support & first != 0 && support & second != 0
                };
                let Some(along) = (0..splits.len()).find(decides) else { return self.between(u, v, splits, slot, on) };
                let a = face.map(|k| splits[along].gaps[k] as f64);
                let b = face.map(|k| gaps[k] as f64);
                let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
                let sum = cross[0] + cross[1] + cross[2];
                (0..3).for_each(|k| weights[face[k]] = cross[k] / sum);
            }
            _ => return self.between(u, v, splits, slot, on),
        }
        ComplexPoint { weights, support, on }
    }

    /// The crossing by plain interpolation: enough inside the tetrahedron, where no neighbour looks.
    fn between(&self, u: u8, v: u8, splits: &[Split], slot: usize, on: u8) -> ComplexPoint {
        let (p, q) = (&self.points[u as usize], &self.points[v as usize]);
        let (a, b) = (splits[slot].at(&p.weights).abs(), splits[slot].at(&q.weights).abs());
        let t = a / (a + b);
        let weights = std::array::from_fn(|k| p.weights[k] + t * (q.weights[k] - p.weights[k]));
        ComplexPoint { weights, support: p.support | q.support, on }
    }

    /// Cuts the polygons of the cell, hands those behind the plane to a new cell, and closes both with a common polygon.
    fn cut_facets(&mut self, cell: u8) -> Cut {
        let other = self.cells.len() as u8;
        self.cells.push(0);
        // The new polygon seen from the first side runs against the edges of that side's polygons on the plane.
        let mut loop_edges = std::mem::take(&mut self.loop_edges);
        loop_edges.clear();
        for f in 0..self.facets.len() {
            if !self.touches(&self.facets[f], cell) {
                continue;
            }
            let sign = |c: &u8| self.signs[*c as usize];
            let ahead = self.facets[f].corners.iter().any(|c| sign(c) > 0);
            let behind = self.facets[f].corners.iter().any(|c| sign(c) < 0);
            if ahead && behind {
                let keep =
                    |wanted: i8| self.facets[f].corners.iter().copied().filter(|c| sign(c) * wanted >= 0).collect();
                let (front, back): (Ring, Ring) = (keep(1), keep(-1));
                let mut rest = Facet { corners: back, ..self.facets[f] };
                rest.hand_over(cell, other);
                self.facets.push(rest);
                self.facets[f].corners = front;
            } else if behind {
                self.facets[f].hand_over(cell, other);
                continue;
            }
            let facet = &self.facets[f];
            let n = facet.corners.len();
            for c in 0..n {
                let (u, v) = (facet.corners[c], facet.corners[(c + 1) % n]);
                if self.signs[u as usize] == 0 && self.signs[v as usize] == 0 {
                    loop_edges.push(if facet.inside == cell { [v, u] } else { [u, v] });
                }
            }
        }
        let mut corners = Ring::default();
        let mut at = loop_edges.first().map(|e| e[0]);
        while let Some(point) = at.take_if(|_| corners.len() < loop_edges.len()) {
            corners.push(point);
            at = loop_edges.iter().find(|e| e[0] == point).map(|e| e[1]);
        }
        self.loop_edges = loop_edges;
        self.facets.push(Facet { corners, inside: cell, outside: Outside::Cell(other) });
        Cut::Both(other)
    }
}

const UNKNOWN: i8 = 2;

/// What became of a cell that met a split.
enum Cut {
    /// It was cut; this is the number of the part behind.
    Both(u8),
    First,
    Second,
}

impl Facet {
    fn insert_between(&mut self, u: u8, v: u8, point: u8) {
        let n = self.corners.len();
        for c in 0..n {
            let (a, b) = (self.corners[c], self.corners[(c + 1) % n]);
            if (a, b) == (u, v) || (a, b) == (v, u) {
                self.corners.insert(c + 1, point);
                return;
            }
        }
    }

    fn hand_over(&mut self, from: u8, to: u8) {
        if self.inside == from {
            self.inside = to;
        } else {
            self.outside = Outside::Cell(to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Vector;
    use crate::geom::random::unit;
    use crate::geom::simplex::{Corner, dissect};

    /// Random trees of splits, as several events make them.
    fn random_splits(seed: u64) -> Vec<Split> {
        let mut splits = vec![];
        let mut groups = vec![0b1111u8];
        let mut key = 0;
        let mut random = || {
            key += 1;
            unit(seed, key)
        };
        while let Some(group) = groups.pop() {
            if group.count_ones() < 2 || random() < 0.15 {
                continue;
            }
            let mut sides = [0u8; 3];
            (0..4).filter(|k| group >> k & 1 != 0).for_each(|k| sides[(random() * 3.0) as usize] |= 1 << k);
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                let gaps = std::array::from_fn(|k| {
                    let gap = (0.01 + random()) as f32;
                    if sides[i] >> k & 1 != 0 {
                        gap
                    } else if sides[j] >> k & 1 != 0 {
                        -gap
                    } else {
                        0.0
                    }
                });
                let split = Split { gaps };
                if split.sides().0 != 0 && split.sides().1 != 0 {
                    splits.push(split);
                }
            }
            let whole = sides.contains(&group);
            groups.extend(sides.into_iter().filter(|s| *s != 0 && !whole));
        }
        splits
    }

    #[test]
    fn cells_are_closed_and_have_the_volume_of_the_dissection() {
        let at = [Vector::zeros(), Vector::x(), Vector::y() * 2.0, Vector::new(0.2, 0.3, 1.5)];
        let mut complex = Complex::default();
        for seed in 0..5000 {
            let splits = random_splits(seed);
            complex.build(&splits, true);
            let mut by_owner = [0.0; 16];
            dissect(&Corner::of_tet(&at), 0.5, &splits, 0b1111, 0b1111, &mut |alive, _, share| {
                by_owner[alive as usize] += share
            });
            for facet in &complex.facets {
                assert!(facet.corners.len() >= 3, "seed {seed}: {facet:?}");
                let p: Vec<Vector> = facet
                    .corners
                    .iter()
                    .map(|c| (0..4).map(|k| at[k] * complex.points[*c as usize].weights[k]).sum())
                    .collect();
                let flux: f64 = (2..p.len()).map(|k| p[0].dot(&p[k - 1].cross(&p[k])) / 6.0).sum();
                by_owner[complex.cells[facet.inside as usize] as usize] -= flux;
                if let Outside::Cell(cell) = facet.outside {
                    by_owner[complex.cells[cell as usize] as usize] += flux;
                }
            }
            assert!(by_owner.iter().all(|v| v.abs() < 1e-12), "seed {seed}: {by_owner:?}");
            for cell in 0..complex.cells.len() as u8 {
                let mut balance = std::collections::BTreeMap::new();
                for facet in &complex.facets {
                    let turn = if facet.inside == cell { 1 } else { -1 };
                    if facet.inside == cell || facet.outside == Outside::Cell(cell) {
                        let n = facet.corners.len();
                        for c in 0..n {
                            let (u, v) = (facet.corners[c], facet.corners[(c + 1) % n]);
                            *balance.entry((u.min(v), u.max(v))).or_insert(0) += if u < v { turn } else { -turn };
                        }
                    }
                }
                assert!(balance.values().all(|b| *b == 0), "seed {seed}: cell {cell} is open");
            }
        }
    }
}
