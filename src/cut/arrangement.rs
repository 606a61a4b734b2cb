//! A tetrahedron divided among cells whose functions are affine in it: all corners of all parts at once (docs/formulations/exact-cells.md).
//!
//! A corner is where four things meet, faces of the tetrahedron or cells: a node is three faces and a cell, a point on an edge two and
//! two, on a face one and three, and inside four cells meet. With a bit for each face and each cell, a corner is four bits; two corners
//! that have three of them in common are the ends of a segment, and those with the same two are around a facet. A further cell takes
//! away the corners at which its function is lower, and gets one on every segment of which it takes one end: what is in the tetrahedron
//! is convex, so it cannot enter elsewhere. (Seen as a dual, this inserts points into a regular triangulation.)

use crate::cut::polytope::{Coordinates, Corner, Split, exact_side, key_of, largest};
use crate::geom::Vector;
use crate::geom::moments::Moments;

/// Cells that there are bits for.
pub const MOST_CELLS: usize = 28;

/// Smaller shares of a tetrahedron are not computed as what others leave.
const SMALL_REST: f64 = 1e-3;

/// The functions of the cells that may be in a tetrahedron. Cells go by their places, 0 to [`MOST_CELLS`].
#[derive(Clone, Copy)]
pub struct Functions<'a> {
    /// The numbers of the cells, ascending.
    pub cells: &'a [u32],
    /// Their values at the nodes: whole numbers.
    pub values: &'a [[f64; 4]],
    /// The event whose cells they are.
    pub generation: u32,
}

impl Functions<'_> {
    /// The crack between two cells, the one at the lower place first.
    #[inline]
    pub fn crack(&self, low: usize, high: usize) -> Split {
        let cells = [self.cells[low], self.cells[high]];
        Split { values: self.between(low, high), generation: self.generation, cells }
    }

    #[inline]
    fn between(&self, low: usize, high: usize) -> [f64; 4] {
        let (a, b) = (&self.values[low], &self.values[high]);
        [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
    }

    /// Where some faces and cells meet.
    #[inline]
    fn locate(&self, meets: Meets) -> Coordinates {
        let mut cells = meets.0 >> 4;
        let mut next = || {
            let place = cells.trailing_zeros() as usize;
            cells &= cells.wrapping_sub(1);
            place
        };
        let (lowest, on) = (next(), meets.on());
        // As many cracks as there are nodes but one.
        match on.count_ones() {
            2 => Coordinates::of(&[&self.between(lowest, next())], on),
            3 => Coordinates::of(&[&self.between(lowest, next()), &self.between(lowest, next())], on),
            4 => {
                let [a, b, c] = [next(), next(), next()].map(|other| self.between(lowest, other));
                Coordinates::of(&[&a, &b, &c], on)
            }
            _ => Coordinates::of_node(on.trailing_zeros() as usize & 3),
        }
    }

    /// The cracks that meet in a corner, in the form that does not depend on who asks, and how many these are.
    #[inline]
    fn meeting(&self, meets: Meets) -> ([Split; 3], usize) {
        let mut cells = meets.cells();
        let lowest = cells.next().unwrap_or(0);
        let mut cracks = [Split::default(); 3];
        let mut count = 0;
        for other in cells {
            cracks[count] = self.crack(lowest, other);
            count += 1;
        }
        (cracks, count)
    }
}

/// What meets in a corner: faces of the tetrahedron, each opposite the node of its number, then cells by their places, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meets(u32);

impl Meets {
    const fn cell(place: usize) -> u32 {
        1 << (place + 4)
    }

    /// The node that is opposite to the only face that is missing, and the cell there.
    const fn at_node(node: usize, place: usize) -> Self {
        Self(0b1111 & !(1 << node) | Self::cell(place))
    }

    /// The faces, a bit each.
    #[inline]
    pub const fn faces(self) -> u8 {
        self.0 as u8 & 0b1111
    }

    /// The nodes of the element of the mesh that it lies on, a bit each.
    #[inline]
    pub const fn on(self) -> u8 {
        !self.0 as u8 & 0b1111
    }

    /// The cells, a bit each by their places.
    #[inline]
    pub const fn cells_by_place(self) -> u32 {
        self.0 >> 4
    }

    /// Whether it is a node.
    #[inline]
    pub const fn is_node(self) -> bool {
        self.on().is_power_of_two()
    }

    /// The cells, ascending.
    #[inline]
    pub fn cells(self) -> impl Iterator<Item = usize> {
        bits(self.cells_by_place() as u64)
    }

    /// Whether all but one are the same: two corners of which this holds are the ends of a segment.
    #[inline]
    const fn is_next_to(self, other: Self) -> bool {
        // Both have four: two bits differ.
        let but_one = (self.0 ^ other.0) & (self.0 ^ other.0).wrapping_sub(1);
        but_one & but_one.wrapping_sub(1) == 0
    }
}

/// Corners that there is room for: one bit each.
pub const MOST_CORNERS: usize = 64;

/// A tetrahedron divided among cells. Its memory is used again.
pub struct Arrangement {
    count: usize,
    meets: [Meets; MOST_CORNERS],
    coordinates: [Coordinates; MOST_CORNERS],
    /// Where the corners are.
    at: [Vector; MOST_CORNERS],
}

impl Default for Arrangement {
    fn default() -> Self {
        Self {
            count: 0,
            meets: [Meets(0); MOST_CORNERS],
            coordinates: [Coordinates::of_node(0); MOST_CORNERS],
            at: [Vector::zeros(); MOST_CORNERS],
        }
    }
}

impl Arrangement {
    /// Divides a tetrahedron whose nodes are owned by the cells at these places. False if it has too many corners.
    pub fn divide(&mut self, functions: &Functions, owners: &[usize; 4]) -> bool {
        let first = owners[0];
        self.count = 0;
        (0..4).for_each(|node| self.push(Meets::at_node(node, first), Coordinates::of_node(node)));
        // Owners first: mostly there is nothing left for the others.
        let mut done = 1u32 << first;
        for &place in &owners[1..] {
            if done >> place & 1 == 0 {
                done |= 1 << place;
                self.insert(functions, place);
            }
        }
        let others = (0..functions.cells.len()).filter(|place| done >> place & 1 == 0);
        others.into_iter().all(|place| self.insert(functions, place))
    }

    fn push(&mut self, meets: Meets, at: Coordinates) {
        self.meets[self.count] = meets;
        self.coordinates[self.count] = at;
        self.count += 1;
    }

    /// Gives a further cell what it is lower in. False if there is no room for its corners.
    fn insert(&mut self, functions: &Functions, place: usize) -> bool {
        let mut taken = 0u64;
        for k in 0..self.count {
            taken |= (is_lower(functions, self.meets[k], &self.coordinates[k], place) as u64) << k;
        }
        if taken == 0 {
            return true;
        }
        let old = self.count;
        for k in bits(taken) {
            let own = self.meets[k];
            if own.is_node() {
                // The other end of what three faces have in common is outside.
                if self.count == MOST_CORNERS {
                    return false;
                }
                self.push(Meets(own.faces() as u32 | Meets::cell(place)), self.coordinates[k]);
            }
            let mut next = 0u64;
            for other in 0..old {
                next |= (own.is_next_to(self.meets[other]) as u64) << other;
            }
            for other in bits(next & !taken) {
                if self.count == MOST_CORNERS {
                    return false;
                }
                let meets = Meets(own.0 & self.meets[other].0 | Meets::cell(place));
                self.push(meets, functions.locate(meets));
            }
        }
        // The last ones take the places of those that are taken.
        for k in bits(taken) {
            if k >= self.count {
                break;
            }
            while taken >> (self.count - 1) & 1 != 0 && self.count > k + 1 {
                self.count -= 1;
            }
            self.count -= 1;
            self.meets[k] = self.meets[self.count];
            self.coordinates[k] = self.coordinates[self.count];
        }
        true
    }

    /// The cells that have a part of it, a bit each.
    pub fn present(&self) -> u32 {
        self.meets().fold(0, |cells, meets| cells | meets.cells_by_place())
    }

    /// How many corners its parts have.
    pub fn corner_count(&self) -> usize {
        self.count
    }

    /// What meets in all of them.
    pub fn meets(&self) -> impl Iterator<Item = Meets> {
        self.meets[..self.count].iter().copied()
    }

    /// What meets in one of them.
    pub fn meets_at(&self, corner: usize) -> Meets {
        self.meets[corner]
    }

    /// A corner as all tetrahedra around it see it; `nodes` are the numbers of the tetrahedron's nodes, ascending.
    pub fn corner(&self, corner: usize, functions: &Functions, nodes: &[u32; 4]) -> Corner {
        let meets = self.meets[corner];
        let (cracks, count) = functions.meeting(meets);
        let weights = self.coordinates[corner].weights();
        Corner { key: key_of(nodes, meets.on(), &cracks[..count]), weights, nodes: meets.on() }
    }

    /// Adds the moments of the parts of all cells, in the order of their places, about the first corner of the tetrahedron: the corners
    /// are given relative to that.
    pub fn add_moments(&mut self, corners: &[Vector; 4], volume: f64, moments: &mut Vec<Moments>) {
        let (mut with, mut nodes, mut present) = ([0u64; 32], [0u8; 32], 0u32);
        for k in 0..self.count {
            let [a, b, c, d] = self.coordinates[k].weights();
            self.at[k] = corners[0] * a + corners[1] * b + corners[2] * c + corners[3] * d;
            let meets = self.meets[k];
            present |= meets.0;
            for plane in bits(meets.0 as u64) {
                with[plane] |= 1 << k;
                nodes[plane] += meets.is_node() as u8;
            }
        }
        // Of the cell with most nodes, what the others leave.
        let cells = || bits((present & !0b1111) as u64);
        let largest = cells().max_by_key(|cell| nodes[*cell]).unwrap_or(0);
        let mut rest = Moments::of_tet(corners, volume);
        let mut place_of_rest = moments.len();
        for cell in cells() {
            if cell == largest {
                place_of_rest = moments.len();
                moments.push(Moments::default());
                continue;
            }
            let part = self.part(&with, cell, present);
            rest -= part;
            moments.push(part);
        }
        let is_small = rest.volume < SMALL_REST * volume;
        moments[place_of_rest] = if is_small { self.part(&with, largest, present) } else { rest };
    }

    /// The moments of one part: tetrahedra between one of its corners and the segments of the facets that this one is not on. `with` are
    /// the corners that have each bit.
    fn part(&self, with: &[u64; 32], cell: usize, present: u32) -> Moments {
        let mut sum = Moments::default();
        let own = with[cell];
        let first = own.trailing_zeros() as usize;
        let apex = self.at[first & (MOST_CORNERS - 1)];
        let beside = bits((present & !(1 << cell)) as u64);
        let planes: u32 = beside.fold(0, |planes, plane| planes | ((own & with[plane] != 0) as u32) << plane);
        for plane in bits((planes & !self.meets[first & (MOST_CORNERS - 1)].0) as u64) {
            let facet = own & with[plane];
            let base_bit = facet & facet.wrapping_neg();
            let base = self.at[facet.trailing_zeros() as usize] - apex;
            for across in bits((planes & !(1 << plane)) as u64) {
                // The ends of a segment, or nothing.
                let ends = facet & with[across];
                if ends == 0 || ends & base_bit != 0 {
                    continue;
                }
                let p = self.at[ends.trailing_zeros() as usize] - apex;
                let q = self.at[63 - ends.leading_zeros() as usize] - apex;
                sum.add_corner_tet(&[base, p, q], base.cross(&p).dot(&q).abs() * (1.0 / 6.0));
            }
        }
        sum.shifted(&apex)
    }
}

/// The bits of a set, ascending.
#[inline]
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}

/// Whether the function of a cell is lower at a corner than those of the cells that meet there.
#[inline]
fn is_lower(functions: &Functions, meets: Meets, at: &Coordinates, place: usize) -> bool {
    let own = meets.cells_by_place().trailing_zeros() as usize;
    let values = functions.between(place, own);
    match at.quick_side(&values, largest(&values)) {
        Some(side) => side < 0,
        None => decide(functions, meets, at, place, own),
    }
}

/// The same, exactly.
#[cold]
#[inline(never)]
fn decide(functions: &Functions, meets: Meets, at: &Coordinates, place: usize, own: usize) -> bool {
    let (cracks, count) = functions.meeting(meets);
    let rows = [&cracks[0], &cracks[1], &cracks[2]];
    let crack = functions.crack(place.min(own), place.max(own));
    let side = exact_side(&rows[..count], meets.on(), at.is_flipped(), &crack);
    (side < 0) == (place < own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut::polytope::tests::{CORNERS, random_cells, tied_cells};
    use crate::cut::polytope::{Polytope, Wall};
    use crate::geom::random::unit;

    /// Holds an arrangement against the polytope of each of its cells; returns how many are there, and 0 if it has too many corners.
    fn check(values: &[[f64; 4]]) -> usize {
        let cells: Vec<u32> = (0..values.len() as u32).map(|c| 3 * c + 1).collect();
        let functions = Functions { cells: &cells, values, generation: 2 };
        let (mut splits, mut regions) = (vec![], vec![]);
        for own in 0..cells.len() {
            let mut region = Polytope::default();
            region.set_whole();
            for other in (0..cells.len()).filter(|other| *other != own) {
                splits.push(functions.crack(own.min(other), own.max(other)));
                region.clip(&splits, Wall::crack(splits.len() - 1, own > other));
            }
            regions.push(region);
        }
        let owner = |node: usize| {
            let has = |region: &Polytope| region.nodes() >> node & 1 != 0;
            regions.iter().position(has).expect("a node without a cell")
        };
        let mut found = Arrangement::default();
        if !found.divide(&functions, &std::array::from_fn(owner)) {
            return 0;
        }
        let mut moments = vec![];
        found.add_moments(&CORNERS, 1.0 / 6.0, &mut moments);
        let present = found.present();
        assert_eq!(moments.len(), present.count_ones() as usize);
        let nodes = [3, 5, 8, 9];
        let mut next = moments.iter();
        for (place, region) in regions.iter().enumerate() {
            assert_eq!(present >> place & 1 != 0, !region.is_empty());
            if region.is_empty() {
                continue;
            }
            let own = (0..found.count).filter(|k| found.meets[*k].cells().any(|cell| cell == place));
            let mut corners: Vec<Corner> = own.map(|k| found.corner(k, &functions, &nodes)).collect();
            let count = region.corner_count();
            let mut expected: Vec<Corner> = (0..count).map(|k| region.corner(k, &splits, &nodes)).collect();
            corners.sort_unstable_by_key(|corner| corner.key);
            expected.sort_unstable_by_key(|corner| corner.key);
            assert_eq!(corners, expected);
            let expected = region.moments(&CORNERS, &mut vec![], &mut vec![]);
            let part = next.next().expect("a part for every cell");
            assert!((part.volume - expected.volume).abs() < 1e-12, "{} {}", part.volume, expected.volume);
            assert!((part.first - expected.first).norm() < 1e-12);
            assert!(part.second.iter().zip(expected.second).all(|(a, b)| (a - b).abs() < 1e-12));
        }
        present.count_ones() as usize
    }

    #[test]
    fn parts_are_those_of_polytopes() {
        let mut most = 0;
        for seed in 0..3000 {
            most = most.max(check(&random_cells(seed)));
        }
        assert!(most > 5, "{most}");
    }

    #[test]
    fn cells_without_nodes_are_found() {
        // Low in the middle, high at the nodes: all in the inside of the tetrahedron.
        let seeds = |seed: u64, count: u64| (0..count).map(move |c| [0, 1, 2].map(|k| unit(seed, 3 * c + k) * 0.5));
        let mut most = 0;
        for seed in 0..1000 {
            let function = |s: [f64; 3]| -> [f64; 4] {
                let square: f64 = s.iter().map(|c| c * c).sum();
                std::array::from_fn(|k| {
                    let value = if k == 0 { square } else { square - 2.0 * s[k - 1] };
                    (value * 2f64.powi(44)).round()
                })
            };
            let cells: Vec<[f64; 4]> = seeds(seed, 3 + seed % 12).map(function).collect();
            most = most.max(check(&cells));
            let many: Vec<[f64; 4]> = seeds(seed, MOST_CELLS as u64).map(function).collect();
            assert_eq!(check(&many), 0, "more corners than there is room for");
        }
        assert!(most > 9, "{most}");
    }

    #[test]
    fn ties_are_decided_as_polytopes_decide_them() {
        for seed in 0..10_000 {
            check(&tied_cells(seed));
        }
    }
}
