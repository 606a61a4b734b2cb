//! Convex polytopes within a tetrahedron: what is left of it on one side of each of some cracks (docs/formulations/exact-cells.md).
//!
//! A crack is an affine function over the tetrahedron, four whole numbers. A corner of the polytope is where three planes meet,
//! faces of the tetrahedron or cracks, and is known by these, not by its coordinates: on which side of a further crack it lies is
//! the sign of a determinant, computed exactly (`exact`). Where that is zero, cells decide by their numbers, as if each of them
//! were moved by an amount of its own, infinitely smaller than that of all cells before it ("simulation of simplicity", Edelsbrunner
//! and Mücke 1990). So no four planes ever meet in a point, every corner has three edges, and tetrahedra that share a face divide
//! it alike, without knowing of each other.

pub use crate::geom::convex::Clip;
use crate::geom::convex::{self, Convex};
use crate::geom::exact::{CERTAIN, Wide, determinant};
use crate::geom::moments::Moments;
use crate::geom::random::mix;
use crate::geom::{NONE, Point, Vector};

/// A crack in a tetrahedron: where the functions of two cells are equal, or where a plane is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Split {
    /// The function of the first cell minus that of the second, at the nodes in ascending order: whole numbers. The first cell is
    /// where it is negative.
    pub values: [f64; 4],
    /// The event that made it: numbered along the line of objects that broke.
    pub generation: u32,
    /// The two cells, the lower first; or a plane, and [`NONE`].
    pub cells: [u32; 2],
}

impl Split {
    /// Its value at a point, given by barycentric coordinates.
    #[inline]
    pub fn at(&self, weights: &[f64; 4]) -> f64 {
        let ([a, b, c, d], [u, v, w, z]) = (self.values, weights);
        a * u + b * v + c * w + d * z
    }

    /// The largest of its values, whatever its sign.
    #[inline]
    fn largest(&self) -> f64 {
        largest(&self.values)
    }

    /// The barycentric coordinates of where it crosses the edge between two nodes, by their places, the lower first.
    #[inline]
    pub fn on_edge(&self, i: usize, j: usize) -> [f64; 2] {
        let [a, b, ..] = normalised(&[self.values[j], -self.values[i], 0.0, 0.0]);
        [a, b]
    }

    /// Whether it is the crack of an event between two cells.
    pub fn is(&self, generation: u32, cells: [u32; 2]) -> bool {
        self.generation == generation && self.cells == cells
    }
}

/// The largest of some values, whatever its sign.
#[inline]
pub(super) fn largest(values: &[f64; 4]) -> f64 {
    let [a, b, c, d] = values.map(f64::abs);
    // Plain comparisons: there is no NaN.
    let max = |a: f64, b: f64| if a > b { a } else { b };
    max(max(a, b), max(c, d))
}

/// A plane of a polytope: a face of the tetrahedron, or a crack seen from one of its sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wall(u16);

impl Wall {
    /// Cracks that one tetrahedron may have.
    pub const MOST_SPLITS: usize = (u16::MAX as usize - 4) / 2;

    /// The face opposite a node.
    pub const fn face(opposite: usize) -> Self {
        Self(opposite as u16)
    }

    /// A crack, by its number in the tetrahedron, seen from its first side (negative values) or its second.
    pub const fn crack(split: usize, second: bool) -> Self {
        Self((4 + 2 * split + second as usize) as u16)
    }

    /// The node opposite, if it is a face.
    pub const fn as_face(self) -> Option<usize> {
        if self.0 < 4 { Some(self.0 as usize) } else { None }
    }

    /// The number of the crack, and whether it is seen from its second side.
    pub const fn as_crack(self) -> Option<(usize, bool)> {
        if self.0 < 4 { None } else { Some(((self.0 as usize - 4) / 2, !self.0.is_multiple_of(2))) }
    }

    /// The same crack seen from its other side.
    pub const fn opposite(self) -> Self {
        if self.0 < 4 { self } else { Self(((self.0 - 4) ^ 1) + 4) }
    }

    /// As a number, for storing.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// From its number.
    pub const fn from_number(number: u16) -> Self {
        Self(number)
    }
}

/// A corner of a polytope.
type Vertex = convex::Corner<Wall, Coordinates>;

/// A corner as all tetrahedra around it see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// A number for what it is: the element of the mesh that it lies on, and the cells that meet in it.
    pub key: u64,
    /// Barycentric coordinates, zero for nodes that it does not depend on; bit for bit the same from everywhere.
    pub weights: [f64; 4],
    /// Nodes of the tetrahedron that it depends on, a bit each: an edge, a face, or all.
    pub nodes: u8,
}

impl Corner {
    /// Where cracks meet on the element of the mesh with the nodes `on`, a bit each: one on an edge, two on a face, three inside.
    pub fn new(cracks: &mut [Split], on: u8, nodes: &[u32; 4]) -> Self {
        canonical(cracks);
        let mut rows = [&NO_SPLIT.values; 3];
        rows.iter_mut().zip(&*cracks).for_each(|(row, crack)| *row = &crack.values);
        let minors = minors(&rows[..cracks.len()], on);
        Self { key: key_of(nodes, on, cracks), weights: normalised(&minors), nodes: on }
    }

    /// Where it is: summed in ascending order of the nodes, so from every tetrahedron the same.
    pub fn position(&self, corners: &[Point; 4]) -> Point {
        let mut at = Vector::zeros();
        for (k, corner) in corners.iter().enumerate() {
            if self.nodes >> k & 1 != 0 {
                at += corner.coords * self.weights[k];
            }
        }
        at.into()
    }
}

/// A convex polytope in a tetrahedron. Its memory is used again.
#[derive(Clone, Debug, Default)]
pub struct Polytope {
    convex: Convex<Wall, Coordinates>,
}

impl Polytope {
    /// Becomes the whole tetrahedron.
    pub fn set_whole(&mut self) {
        self.convex.set_tet([0, 1, 2, 3].map(Coordinates::of_node), [0, 1, 2, 3].map(Wall::face));
    }

    /// Becomes a region: what is left of the tetrahedron behind all these walls.
    pub fn set_region(&mut self, splits: &[Split], walls: impl IntoIterator<Item = Wall>) {
        self.set_whole();
        for wall in walls {
            self.clip(splits, wall);
        }
    }

    /// Becomes a copy of another.
    pub fn copy(&mut self, other: &Self) {
        self.convex.corners.clone_from(&other.convex.corners);
    }

    /// Whether nothing is left of it.
    pub fn is_empty(&self) -> bool {
        self.convex.corners.is_empty()
    }

    /// What a crack would cut off the polytope, seen from one of its sides; `splits` are the cracks that it has.
    pub fn probe(&self, splits: &[Split], split: &Split, second: bool) -> Clip {
        let largest = split.largest();
        let beyond = |vertex: &Vertex| (sign_at(vertex, split, largest, splits) > 0) != second;
        let count = self.convex.corners.iter().filter(|vertex| beyond(vertex)).count();
        match count {
            0 => Clip::Nothing,
            _ if count == self.convex.corners.len() => Clip::All,
            _ => Clip::Part,
        }
    }

    /// Gives its cracks other numbers.
    pub fn renumber(&mut self, number: impl Fn(usize) -> usize) {
        for wall in self.convex.corners.iter_mut().flat_map(|vertex| &mut vertex.walls) {
            if let Some((split, second)) = wall.as_crack() {
                *wall = Wall::crack(number(split), second);
            }
        }
    }

    /// Whether a crack bounds it.
    pub fn has_crack(&self, split: usize) -> bool {
        let mut walls = self.convex.corners.iter().flat_map(|vertex| vertex.walls);
        walls.any(|wall| wall.as_crack().is_some_and(|(own, _)| own == split))
    }

    /// Keeps what is on the wall's side of its crack.
    pub fn clip(&mut self, splits: &[Split], wall: Wall) -> Clip {
        let Some((number, second)) = wall.as_crack() else { return Clip::Nothing };
        let largest = splits[number].largest();
        let is_beyond = |vertex: &Vertex| (sign_at(vertex, &splits[number], largest, splits) > 0) != second;
        self.convex.clip(wall, is_beyond, |walls, _| Coordinates::at(&walls, splits))
    }

    /// How many corners it has.
    pub fn corner_count(&self) -> usize {
        self.convex.corners.len()
    }

    /// The planes that meet in a corner.
    pub fn walls_at(&self, corner: usize) -> [Wall; 3] {
        self.convex.corners[corner].walls
    }

    /// The node that a corner is, by its place in the tetrahedron; `None` if it is none.
    pub fn node_at(&self, corner: usize) -> Option<usize> {
        let [a, b, c] = self.convex.corners[corner].walls.map(|wall| wall.as_face());
        Some(6 - a? - b? - c?)
    }

    /// The nodes among its corners, a bit each.
    pub fn nodes(&self) -> u8 {
        (0..self.convex.corners.len()).filter_map(|k| self.node_at(k)).fold(0, |bits, node| bits | 1 << node)
    }

    /// Barycentric coordinates of a corner, as this polytope sees it.
    pub fn weights_at(&self, corner: usize) -> [f64; 4] {
        normalised(&self.convex.corners[corner].at.minors)
    }

    /// Calls `visit` with each plane that it has a facet on, in the order of their numbers, and the corners of the facet along its rim:
    /// clockwise seen from outside, if the nodes of the tetrahedron in ascending order are right-handed. `rim` is memory.
    pub fn each_facet(&self, rim: &mut Vec<u16>, mut visit: impl FnMut(Wall, &[u16])) {
        let walls =
            || self.convex.corners.iter().enumerate().flat_map(|(k, vertex)| vertex.walls.map(|wall| (wall.0, k)));
        let mut next = 0;
        // The lowest plane that is left, and a corner on it.
        while let Some((wall, start)) = walls().filter(|(wall, _)| *wall >= next).min() {
            next = wall.saturating_add(1);
            self.walk_facet(Wall(wall), start, rim);
            visit(Wall(wall), rim);
            if wall == u16::MAX {
                return;
            }
        }
    }

    /// The corners of the facet on a plane, along its rim, from one of them on.
    fn walk_facet(&self, wall: Wall, start: usize, rim: &mut Vec<u16>) {
        rim.clear();
        let slot = |vertex: &Vertex, wall: Wall| vertex.walls.iter().position(|w| *w == wall);
        let mut at = start;
        let first = slot(&self.convex.corners[at], wall).map_or(0, |k| (k + 1) % 3);
        let mut leave = self.convex.corners[at].walls[first];
        loop {
            rim.push(at as u16);
            let vertex = &self.convex.corners[at];
            let Some(k) = slot(vertex, leave) else { return };
            let along = vertex.walls.into_iter().find(|w| *w != wall && *w != leave);
            let Some(along) = along else { return };
            at = vertex.next[k] as usize;
            leave = along;
            if at == start || rim.len() > self.convex.corners.len() {
                return;
            }
        }
    }

    /// Calls `visit` with the corners of tetrahedra that it consists of, in the frame of the corners of its own. `rim` and `at` are
    /// memory.
    pub fn each_simplex(
        &self,
        corners: &[Vector; 4],
        (rim, at): (&mut Vec<u16>, &mut Vec<Vector>),
        mut visit: impl FnMut(&[Vector; 4], f64),
    ) {
        at.clear();
        at.extend((0..self.convex.corners.len()).map(|k| {
            let [a, b, c, d] = self.weights_at(k);
            corners[0] * a + corners[1] * b + corners[2] * c + corners[3] * d
        }));
        let Some(apex) = at.first().copied() else { return };
        let own = self.convex.corners[0].walls;
        self.each_facet(rim, |wall, rim| {
            if own.contains(&wall) {
                return;
            }
            let base = at[rim[0] as usize];
            for pair in rim[1..].windows(2) {
                let [p, q] = [at[pair[0] as usize], at[pair[1] as usize]];
                let volume = (p - base).cross(&(q - base)).dot(&(apex - base)).abs() / 6.0;
                visit(&[apex, base, p, q], volume);
            }
        });
    }

    /// Its moments about the first corner of the tetrahedron, whose corners are given relative to that.
    pub fn moments(&self, corners: &[Vector; 4], rim: &mut Vec<u16>, at: &mut Vec<Vector>) -> Moments {
        let mut sum = Moments::default();
        self.each_simplex(corners, (rim, at), |simplex, volume| sum += Moments::of_tet(simplex, volume));
        sum
    }

    /// A corner as all tetrahedra around it see it; `nodes` are the numbers of the tetrahedron's nodes, ascending.
    pub fn corner(&self, corner: usize, splits: &[Split], nodes: &[u32; 4]) -> Corner {
        let meeting = Meeting::of(&self.convex.corners[corner].walls, splits);
        let mut cracks = meeting.rows.map(|row| *row);
        Corner::new(&mut cracks[..meeting.count], meeting.on, nodes)
    }
}

/// The cracks that meet in a corner, and the nodes of the element of the mesh that it lies on, a bit each.
struct Meeting<'a> {
    rows: [&'a Split; 3],
    count: usize,
    on: u8,
}

/// Stands where there is none.
static NO_SPLIT: Split = Split { values: [0.0; 4], generation: 0, cells: [0; 2] };

impl<'a> Meeting<'a> {
    #[inline]
    fn of(walls: &[Wall; 3], splits: &'a [Split]) -> Self {
        let mut meeting = Self { rows: [&NO_SPLIT; 3], count: 0, on: 0b1111 };
        for wall in walls {
            match wall.as_crack() {
                Some((split, _)) => {
                    meeting.rows[meeting.count] = &splits[split];
                    meeting.count += 1;
                }
                None => meeting.on &= !(1 << wall.0),
            }
        }
        meeting
    }

    fn rows(&self) -> &[&'a Split] {
        &self.rows[..self.count]
    }
}

/// Where some cracks meet on an element of the mesh, to be held against others.
pub struct Spot<'a> {
    cracks: [&'a Split; 3],
    count: usize,
    on: u8,
    at: Coordinates,
}

impl<'a> Spot<'a> {
    /// See [`Corner::new`].
    #[inline]
    pub fn new(cracks: &'a [Split], on: u8) -> Self {
        let mut rows = [&NO_SPLIT; 3];
        rows.iter_mut().zip(cracks).for_each(|(row, crack)| *row = crack);
        let at = Coordinates::of(&rows.map(|row| &row.values)[..cracks.len()], on);
        Self { cracks: rows, count: cracks.len(), on, at }
    }

    /// Its barycentric coordinates.
    pub fn weights(&self) -> [f64; 4] {
        normalised(&self.at.minors)
    }

    /// On which side of another crack it lies: whether it is on the first (negative values). Exact, and decided where it is a tie.
    #[inline]
    pub fn is_on_first_side(&self, split: &Split) -> bool {
        self.at
            .quick_side(&split.values, split.largest())
            .unwrap_or_else(|| exact_side(&self.cracks[..self.count], self.on, self.at.flipped, split))
            < 0
    }
}

/// Barycentric coordinates of a corner.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coordinates {
    /// Not yet divided by their sum, which is positive.
    minors: [f64; 4],
    /// What their rounding is in proportion to.
    size: f64,
    /// Whether the determinants of its planes have the opposite signs of the coordinates.
    flipped: bool,
}

impl Coordinates {
    /// Those of a node.
    pub(super) fn of_node(node: usize) -> Self {
        let mut minors = [0.0; 4];
        minors[node] = 1.0;
        Self { minors, size: 1.0, flipped: false }
    }

    /// Where cracks with these values meet on the nodes `on`.
    #[inline]
    pub(super) fn of(rows: &[&[f64; 4]], on: u8) -> Self {
        let mut minors = minors(rows, on);
        let size = rows.iter().fold(1.0, |size, row| size * largest(row));
        let sum: f64 = minors.iter().sum();
        let flipped = match sum.abs() > 4.0 * CERTAIN * size {
            true => sum < 0.0,
            false => exact_at(rows, on, None).sign() < 0,
        };
        if flipped {
            minors = minors.map(|m| -m);
        }
        Self { minors, size, flipped }
    }

    /// On which side of a crack with these values it lies, -1 or 1, given the largest of them; `None` if double precision does not tell.
    #[inline]
    pub(super) fn quick_side(&self, values: &[f64; 4], largest: f64) -> Option<i32> {
        let ([a, b, c, d], [p, q, r, s]) = (values, self.minors);
        let value = (a * p + b * q) + (c * r + d * s);
        (value.abs() > 4.0 * CERTAIN * largest * self.size).then_some(if value > 0.0 { 1 } else { -1 })
    }

    /// So that they add up to one.
    #[inline]
    pub(super) fn weights(&self) -> [f64; 4] {
        normalised(&self.minors)
    }

    /// Whether the determinants of its planes have the opposite signs of the coordinates.
    pub(super) fn is_flipped(&self) -> bool {
        self.flipped
    }
}

/// A number for the place where cracks in their common form meet on the nodes `on`.
#[inline]
pub(super) fn key_of(nodes: &[u32; 4], on: u8, rows: &[Split]) -> u64 {
    let mut key = 0;
    for (k, node) in nodes.iter().enumerate() {
        if on >> k & 1 != 0 {
            key = mix(key ^ *node as u64);
        }
    }
    rows.iter().fold(key, |key, row| with_crack(key, row.generation, row.cells))
}

fn with_crack(key: u64, generation: u32, cells: [u32; 2]) -> u64 {
    mix(mix(key ^ (cells[0] as u64) << 32 ^ cells[1] as u64) ^ generation as u64)
}

/// The number of the corner where cells, ascending, meet on the element of the mesh with these nodes, ascending: as [`Corner::key`].
pub fn key_where_cells_meet(nodes: &[u32], cells: &[u32], generation: u32) -> u64 {
    let key = nodes.iter().fold(0, |key, node| mix(key ^ *node as u64));
    cells[1..].iter().fold(key, |key, cell| with_crack(key, generation, [cells[0], *cell]))
}

impl Coordinates {
    /// Of where three planes meet.
    fn at(walls: &[Wall; 3], splits: &[Split]) -> Self {
        let meeting = Meeting::of(walls, splits);
        let rows = meeting.rows.map(|row| &row.values);
        Self::of(&rows[..meeting.count], meeting.on)
    }
}

/// Coordinates that add up to one. Rounding may have made tiny ones negative.
fn normalised(minors: &[f64; 4]) -> [f64; 4] {
    let total: f64 = minors.iter().sum();
    let shares = minors.map(|m| if m * total > 0.0 { m } else { 0.0 });
    let sum: f64 = shares.iter().sum();
    if sum != 0.0 { shares.map(|m| m / sum) } else { minors.map(|_| 0.25) }
}

/// The generalised cross product of up to three rows over the nodes `on`: the barycentric coordinates of where they are all zero,
/// but for a common factor.
#[inline]
fn minors(rows: &[&[f64; 4]], on: u8) -> [f64; 4] {
    let mut minors = [0.0; 4];
    match rows {
        [] => minors[on.trailing_zeros() as usize & 3] = 1.0,
        [r] => {
            let (i, j) = (on.trailing_zeros() as usize & 3, (7 - on.leading_zeros() as usize) & 3);
            // Of opposite signs: exact.
            (minors[i], minors[j]) = (r[j], -r[i]);
        }
        [r, s] => {
            let [i, j, k] = match on {
                0b1110 => [1, 2, 3],
                0b1101 => [0, 2, 3],
                0b1011 => [0, 1, 3],
                _ => [0, 1, 2],
            };
            for (a, b, c) in [(i, j, k), (j, k, i), (k, i, j)] {
                minors[a] = r[b] * s[c] - r[c] * s[b];
            }
        }
        [r, s, t] => {
            let [r0, r1, r2, r3] = **r;
            // Of the last two rows, two columns at a time.
            let two = |i: usize, j: usize| s[i] * t[j] - s[j] * t[i];
            let (p01, p02, p03, p12, p13, p23) = (two(0, 1), two(0, 2), two(0, 3), two(1, 2), two(1, 3), two(2, 3));
            minors = [
                r1 * p23 - r2 * p13 + r3 * p12,
                -(r0 * p23 - r2 * p03 + r3 * p02),
                r0 * p13 - r1 * p03 + r3 * p01,
                -(r0 * p12 - r1 * p02 + r2 * p01),
            ];
        }
        _ => {}
    }
    minors
}

/// On which side of a crack a corner lies: -1 or 1, never 0.
#[inline]
fn sign_at(vertex: &Vertex, split: &Split, largest: f64, splits: &[Split]) -> i32 {
    vertex.at.quick_side(&split.values, largest).unwrap_or_else(|| {
        let meeting = Meeting::of(&vertex.walls, splits);
        exact_side(meeting.rows(), meeting.on, vertex.at.flipped, split)
    })
}

/// The same for where some cracks meet on the nodes `on`, exactly, with ties decided by the numbers of cells.
#[cold]
#[inline(never)]
pub(super) fn exact_side(cracks: &[&Split], on: u8, flipped: bool, split: &Split) -> i32 {
    let mut rows = [split; 4];
    let count = cracks.len();
    rows[..count].copy_from_slice(cracks);
    let rows = &rows[..count + 1];
    let turn = if flipped { -1 } else { 1 };
    let mut values = [&split.values; 4];
    values.iter_mut().zip(cracks).for_each(|(values, crack)| *values = &crack.values);
    let plain = exact_at(&values[..count], on, Some(&split.values)).sign();
    if plain != 0 {
        return plain * turn;
    }
    // Each function is moved by a constant of its cell. To first order, which is all there is, the determinant changes by that
    // constant times the one with ones in the place of its row.
    let mut cells: Vec<(u32, u32)> = rows.iter().flat_map(|row| row.cells.map(|c| (row.generation, c))).collect();
    cells.retain(|(_, cell)| *cell != NONE);
    cells.sort_unstable();
    cells.dedup();
    for (generation, cell) in cells {
        let mut change = Wide::ZERO;
        for (k, row) in rows.iter().enumerate().filter(|(_, row)| row.generation == generation) {
            let by = (row.cells[0] == cell) as i32 - (row.cells[1] == cell) as i32;
            if by != 0 {
                let mut moved = values;
                moved[k] = &[1.0; 4];
                let part = exact_at(&moved[..count], on, Some(moved[count]));
                change = change.plus(if by > 0 { part } else { part.negated() });
            }
        }
        if change.sign() != 0 {
            return change.sign() * turn;
        }
    }
    1
}

/// The determinant of rows over the nodes `on`, with a last row of the values of `last`, or of ones; with the sign that goes with
/// `minors`.
fn exact_at(rows: &[&[f64; 4]], on: u8, last: Option<&[f64; 4]>) -> Wide {
    let size = rows.len() + 1;
    let mut matrix = [[0.0; 4]; 4];
    let columns = (0..4usize).filter(|k| on >> k & 1 != 0);
    for (place, column) in columns.enumerate() {
        // `minors` are the cofactors of a first row: that is where the last one goes.
        matrix[0][place] = last.map_or(1.0, |values| values[column]);
        rows.iter().enumerate().for_each(|(k, row)| matrix[k + 1][place] = row[column]);
    }
    determinant(&matrix, size)
}

/// Puts the cracks of a corner into a form that does not depend on the region it is seen from: of all cells that meet there the
/// lowest is set against each of the others, which differences of whole numbers give exactly.
fn canonical(rows: &mut [Split]) {
    rows.sort_unstable_by_key(|row| (row.generation, row.cells));
    let mut first = 0;
    while first < rows.len() {
        let run = rows[first..].iter().take_while(|row| row.generation == rows[first].generation).count();
        regroup(&mut rows[first..first + run]);
        first += run;
    }
}

/// The same for cracks of one event, which all bound one cell if they are between cells.
fn regroup(rows: &mut [Split]) {
    if rows.len() < 2 || rows[0].cells[1] == NONE {
        return;
    }
    let [a, b] = rows[0].cells;
    let own = if rows[1].cells.contains(&a) { a } else { b };
    // What the function of each other cell has more than that of the cell itself.
    let mut others = [(0u32, [0.0; 4]); 3];
    for (other, row) in others.iter_mut().zip(rows.iter()) {
        *other = match row.cells[0] == own {
            true => (row.cells[1], row.values.map(|v| -v)),
            false => (row.cells[0], row.values),
        };
    }
    let others = &others[..rows.len()];
    let lowest = others.iter().min_by_key(|(cell, _)| *cell).filter(|(cell, _)| *cell < own);
    let Some(&(lowest, base)) = lowest else {
        return; // the cell itself is the lowest, and they are in order
    };
    let mut against = [Split::default(); 3];
    let cells = others.iter().copied().filter(|(cell, _)| *cell != lowest).chain([(own, [0.0; 4])]);
    for (row, (cell, values)) in against.iter_mut().zip(cells) {
        let difference = std::array::from_fn(|k| base[k] - values[k]);
        *row = Split { values: difference, generation: rows[0].generation, cells: [lowest, cell] };
    }
    against[..rows.len()].sort_unstable_by_key(|row| row.cells);
    rows.copy_from_slice(&against[..rows.len()]);
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::geom::random::unit;
    use std::collections::HashMap;

    pub const CORNERS: [Vector; 4] = [
        Vector::new(0.0, 0.0, 0.0),
        Vector::new(1.0, 0.0, 0.0),
        Vector::new(0.0, 1.0, 0.0),
        Vector::new(0.0, 0.0, 1.0),
    ];

    /// The functions of one to twelve random cells.
    pub fn random_cells(seed: u64) -> Vec<[f64; 4]> {
        let value = |c: usize, k: usize| (unit(seed, (4 * c + k) as u64) * 2f64.powi(44)).round();
        (0..1 + seed as usize % 12).map(|c| std::array::from_fn(|k| value(c, k))).collect()
    }

    /// The same with numbers that are so small that there are ties everywhere.
    pub fn tied_cells(seed: u64) -> Vec<[f64; 4]> {
        let range = [1.0, 2.0, 3.0, 5.0][seed as usize / 9 % 4];
        let value = |c: usize, k: usize| (unit(seed, (4 * c + k) as u64) * range).round();
        (0..1 + seed as usize % 9).map(|c| std::array::from_fn(|k| value(c, k))).collect()
    }

    /// The regions of the lower envelope of some functions.
    fn envelope(cells: &[[f64; 4]]) -> (Vec<Split>, Vec<(usize, Polytope)>) {
        let mut splits = vec![];
        let mut numbers = HashMap::new();
        for a in 0..cells.len() {
            for b in a + 1..cells.len() {
                numbers.insert((a, b), splits.len());
                let values = std::array::from_fn(|k| cells[a][k] - cells[b][k]);
                splits.push(Split { values, generation: 0, cells: [a as u32, b as u32] });
            }
        }
        let mut regions = vec![];
        for own in 0..cells.len() {
            let mut region = Polytope::default();
            region.set_whole();
            for other in (0..cells.len()).filter(|other| *other != own) {
                let number = numbers[&(own.min(other), own.max(other))];
                region.clip(&splits, Wall::crack(number, own > other));
            }
            if !region.is_empty() {
                regions.push((own, region));
            }
        }
        (splits, regions)
    }

    /// Volumes add up, every corner is simple, and every face and crack is divided alike from both sides.
    fn check(cells: &[[f64; 4]]) -> usize {
        let (splits, regions) = envelope(cells);
        let (mut rim, mut at) = (vec![], vec![]);
        let mut volume = 0.0;
        let mut facets: HashMap<(u32, u64), i32> = HashMap::new();
        let mut faces = [0.0; 4];
        for (own, region) in &regions {
            volume += region.moments(&CORNERS, &mut rim, &mut at).volume;
            let count = region.corner_count();
            let mut half_edges = 0;
            region.each_facet(&mut rim, |wall, rim| {
                half_edges += rim.len();
                assert!(rim.len() >= 3, "a facet of {} corners", rim.len());
                let corners = rim.iter().map(|k| region.corner(*k as usize, &splits, &[3, 5, 8, 9]));
                let key = corners.clone().fold(0u64, |sum, corner| sum.wrapping_add(mix(corner.key)));
                match (wall.as_face(), wall.as_crack()) {
                    (_, Some((split, second))) => {
                        assert_eq!(splits[split].cells[second as usize], *own as u32);
                        *facets.entry((split as u32, key)).or_insert(0) += if second { -1 } else { 1 };
                    }
                    (Some(face), _) => {
                        let points: Vec<Vector> = rim
                            .iter()
                            .map(|k| region.weights_at(*k as usize))
                            .map(|w| (0..4).map(|k| CORNERS[k] * w[k]).sum())
                            .collect();
                        let area: Vector = (2..points.len())
                            .map(|k| (points[k - 1] - points[0]).cross(&(points[k] - points[0])))
                            .sum();
                        faces[face] += 0.5 * area.norm();
                    }
                    _ => {}
                }
            });
            assert_eq!(half_edges, 3 * count, "every corner is on three facets");
        }
        assert!((volume * 6.0 - 1.0).abs() < 1e-9, "{volume}");
        assert!(facets.values().all(|sum| *sum == 0), "every crack has the same facet from both sides");
        (0..4).for_each(|k| {
            assert!((faces[k] - if k == 0 { 0.75f64.sqrt() } else { 0.5 }).abs() < 1e-9, "face {k}: {}", faces[k])
        });
        regions.len()
    }

    #[test]
    fn envelopes_fill_the_tetrahedron() {
        let mut most = 0;
        for seed in 0..3000 {
            most = most.max(check(&random_cells(seed)));
        }
        assert!(most > 4);
    }

    #[test]
    fn envelopes_of_small_numbers_are_full_of_ties_and_fill_it_too() {
        for seed in 0..20_000 {
            check(&tied_cells(seed));
        }
    }
}
