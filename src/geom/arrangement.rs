//! A tetrahedron divided among cells whose functions are affine in it: all corners of all parts at once (docs/design.md, 4.2).
//!
//! A corner is where four things meet, faces of the tetrahedron or cells: a node is three faces and a cell, a point on an edge two and
//! two, on a face one and three, and inside four cells meet. With a bit for each face and each cell, a corner is four bits; two corners
//! that have three of them in common are the ends of a segment, and those with the same two are around a facet. A further cell takes
//! away the corners at which its function is lower, and gets one on every segment of which it takes one end: what is in the tetrahedron
//! is convex, so it cannot enter elsewhere. (Seen as a dual, this inserts points into a regular triangulation.)

use super::Vector;
use super::moments::Moments;
use super::polytope::{Coordinates, Corner, Split, exact_side, key_of, largest};

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

    /// Whether a cell meets there.
    #[inline]
    pub const fn has_cell(self, place: usize) -> bool {
        self.0 & Self::cell(place) != 0
    }

    /// The cells, ascending.
    #[inline]
    pub fn cells(self) -> impl Iterator<Item = usize> {
        let mut left = self.0 >> 4;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                place
            })
        })
    }

    /// Whether all but one are the same: two corners of which this holds are the ends of a segment.
    #[inline]
    const fn is_next_to(self, other: Self) -> bool {
        // Both have four: two bits differ.
        let but_one = (self.0 ^ other.0) & (self.0 ^ other.0).wrapping_sub(1);
        but_one & but_one.wrapping_sub(1) == 0
    }
}

#[derive(Clone, Copy, Debug)]
struct Vertex {
    meets: Meets,
    at: Coordinates,
    is_taken: bool,
}

/// A tetrahedron divided among cells. Its memory is used again.
#[derive(Default)]
pub struct Arrangement {
    vertices: Vec<Vertex>,
    /// Where they are.
    at: Vec<Vector>,
    /// The corners of a facet, relative to some point.
    rim: Vec<(Meets, Vector)>,
}

impl Arrangement {
    /// Divides a tetrahedron whose nodes are owned by the cells at these places.
    pub fn divide(&mut self, functions: &Functions, owners: &[usize; 4]) {
        let first = owners[0];
        self.vertices.clear();
        for node in 0..4 {
            let (meets, at) = (Meets::at_node(node, first), Coordinates::of_node(node));
            self.vertices.push(Vertex { meets, at, is_taken: false });
        }
        // Owners first: mostly there is nothing left for the others.
        let mut done = 1u32 << first;
        for &place in &owners[1..] {
            if done >> place & 1 == 0 {
                done |= 1 << place;
                self.insert(functions, place);
            }
        }
        for place in (0..functions.cells.len()).filter(|place| done >> place & 1 == 0) {
            self.insert(functions, place);
        }
    }

    /// Gives a further cell what it is lower in.
    fn insert(&mut self, functions: &Functions, place: usize) {
        let mut taken = 0;
        for vertex in &mut self.vertices {
            let own = vertex.meets.0.wrapping_shr(4).trailing_zeros() as usize;
            vertex.is_taken = is_lower(functions, vertex, place, own);
            taken += vertex.is_taken as usize;
        }
        if taken == 0 {
            return;
        }
        let old = self.vertices.len();
        for k in 0..old {
            if !self.vertices[k].is_taken {
                continue;
            }
            if self.vertices[k].meets.is_node() {
                // The other end of what three faces have in common is outside.
                let meets = Meets(self.vertices[k].meets.faces() as u32 | Meets::cell(place));
                self.vertices.push(Vertex { meets, is_taken: false, ..self.vertices[k] });
            }
            for other in 0..old {
                let (own, other) = (self.vertices[k].meets, &self.vertices[other]);
                if !other.is_taken && own.is_next_to(other.meets) {
                    let meets = Meets(own.0 & other.meets.0 | Meets::cell(place));
                    self.vertices.push(Vertex { meets, at: functions.locate(meets), is_taken: false });
                }
            }
        }
        self.vertices.retain(|vertex| !vertex.is_taken);
    }

    /// The cells that have a part of it, a bit each.
    pub fn present(&self) -> u32 {
        self.vertices.iter().fold(0, |cells, vertex| cells | vertex.meets.0 >> 4)
    }

    /// How many corners its parts have.
    pub fn corner_count(&self) -> usize {
        self.vertices.len()
    }

    /// What meets in all of them.
    pub fn meets(&self) -> impl Iterator<Item = Meets> {
        self.vertices.iter().map(|vertex| vertex.meets)
    }

    /// What meets in one of them.
    pub fn meets_at(&self, corner: usize) -> Meets {
        self.vertices[corner].meets
    }

    /// A corner as all tetrahedra around it see it; `nodes` are the numbers of the tetrahedron's nodes, ascending.
    pub fn corner(&self, corner: usize, functions: &Functions, nodes: &[u32; 4]) -> Corner {
        let Vertex { meets, at, .. } = &self.vertices[corner];
        let (cracks, count) = functions.meeting(*meets);
        Corner { key: key_of(nodes, meets.on(), &cracks[..count]), weights: at.weights(), nodes: meets.on() }
    }

    /// Adds the moments of the parts of all cells, in the order of their places, about the first corner of the tetrahedron: the corners
    /// are given relative to that.
    pub fn add_moments(&mut self, corners: &[Vector; 4], volume: f64, moments: &mut Vec<Moments>) {
        let Self { vertices, at, rim } = self;
        at.clear();
        at.extend(vertices.iter().map(|vertex| {
            let [a, b, c, d] = vertex.at.weights();
            corners[0] * a + corners[1] * b + corners[2] * c + corners[3] * d
        }));
        let mut part = |place: usize| part(vertices, at, rim, place);
        let present = Meets(vertices.iter().fold(0, |all, vertex| all | vertex.meets.0));
        // Of the one with most nodes, what the others leave.
        let nodes = |place: &usize| vertices.iter().filter(|v| v.meets.is_node() && v.meets.has_cell(*place)).count();
        let largest = present.cells().max_by_key(nodes).unwrap_or(0);
        let mut rest = Moments::of_tet(corners, volume);
        let mut place_of_rest = moments.len();
        for place in present.cells() {
            if place == largest {
                place_of_rest = moments.len();
                moments.push(Moments::default());
                continue;
            }
            let part = part(place);
            rest -= part;
            moments.push(part);
        }
        moments[place_of_rest] = if rest.volume < SMALL_REST * volume { part(largest) } else { rest };
    }
}

/// The moments of one part: tetrahedra between one of its corners and the segments of the facets that this one is not on.
fn part(vertices: &[Vertex], at: &[Vector], rim: &mut Vec<(Meets, Vector)>, place: usize) -> Moments {
    let own = || vertices.iter().zip(at).filter(|(vertex, _)| vertex.meets.has_cell(place));
    let mut sum = Moments::default();
    let Some((first, &apex)) = own().next() else { return sum };
    let mut planes = own().fold(0, |all, (vertex, _)| all | vertex.meets.0) & !first.meets.0;
    while planes != 0 {
        let plane = planes & planes.wrapping_neg();
        planes &= planes - 1;
        rim.clear();
        let around = own().filter(|(vertex, _)| vertex.meets.0 & plane != 0);
        rim.extend(around.map(|(vertex, at)| (vertex.meets, at - apex)));
        let Some(((_, base), others)) = rim.split_first() else { continue };
        for (k, (meets, p)) in others.iter().enumerate() {
            for (_, q) in others[k + 1..].iter().filter(|(other, _)| meets.is_next_to(*other)) {
                sum.add_corner_tet(&[*base, *p, *q], base.cross(p).dot(q).abs() * (1.0 / 6.0));
            }
        }
    }
    sum.shifted(&apex)
}

/// Whether the function of a cell is lower at a corner than that of another, which meets there.
#[inline]
fn is_lower(functions: &Functions, vertex: &Vertex, place: usize, own: usize) -> bool {
    let (low, high) = (place.min(own), place.max(own));
    let values = functions.between(low, high);
    let side = match vertex.at.quick_side(&values, largest(&values)) {
        Some(side) => side,
        None => decide(functions, vertex, low, high),
    };
    (side < 0) == (place < own)
}

/// On which side of the crack between two cells a corner lies, exactly.
#[cold]
#[inline(never)]
fn decide(functions: &Functions, vertex: &Vertex, low: usize, high: usize) -> i32 {
    let (cracks, count) = functions.meeting(vertex.meets);
    let rows = [&cracks[0], &cracks[1], &cracks[2]];
    exact_side(&rows[..count], vertex.meets.on(), vertex.at.is_flipped(), &functions.crack(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::polytope::{Polytope, Wall};
    use crate::geom::random::unit;

    const CORNERS: [Vector; 4] = [
        Vector::new(0.0, 0.0, 0.0),
        Vector::new(1.0, 0.0, 0.0),
        Vector::new(0.0, 1.0, 0.0),
        Vector::new(0.0, 0.0, 1.0),
    ];

    /// Holds an arrangement against the polytope of each of its cells.
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
        found.divide(&functions, &std::array::from_fn(owner));
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
            let own = (0..found.vertices.len()).filter(|k| found.vertices[*k].meets.has_cell(place));
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
            let count = 1 + seed as usize % 12;
            let value = |c: usize, k: usize| (unit(seed, (4 * c + k) as u64) * 2f64.powi(44)).round();
            let cells: Vec<[f64; 4]> = (0..count).map(|c| std::array::from_fn(|k| value(c, k))).collect();
            most = most.max(check(&cells));
        }
        assert!(most > 5, "{most}");
    }

    #[test]
    fn cells_without_nodes_are_found() {
        // Low in the middle, high at the nodes: all in the inside of the tetrahedron.
        let seeds = |seed: u64| (0..MOST_CELLS as u64).map(move |c| [0, 1, 2].map(|k| unit(seed, 3 * c + k) * 0.5));
        let mut most = 0;
        for seed in 0..300 {
            let function = |s: [f64; 3]| -> [f64; 4] {
                let square: f64 = s.iter().map(|c| c * c).sum();
                std::array::from_fn(|k| {
                    let value = if k == 0 { square } else { square - 2.0 * s[k - 1] };
                    (value * 2f64.powi(44)).round()
                })
            };
            let cells: Vec<[f64; 4]> = seeds(seed).map(function).collect();
            most = most.max(check(&cells));
        }
        assert!(most > 20, "{most}");
    }

    #[test]
    fn ties_are_decided_as_polytopes_decide_them() {
        for seed in 0..10_000 {
            let count = 1 + seed as usize % 9;
            let range = [1.0, 2.0, 3.0, 5.0][seed as usize / 9 % 4];
            let value = |c: usize, k: usize| (unit(seed, (4 * c + k) as u64) * range).round();
            let cells: Vec<[f64; 4]> = (0..count).map(|c| std::array::from_fn(|k| value(c, k))).collect();
            check(&cells);
        }
    }
}
