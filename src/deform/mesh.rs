//! The triangles of a body and how they hang together: neighbours across edges, and which triangle represents which vertex and edge.
//!
//! Feature assignment (representative triangles, Curtis et al. 2008; FASTCD 6): every vertex and every edge is assigned to one of its
//! triangles, so no elementary test is made twice.
//!
//! An edge with more than two triangles, or with two of opposite winding, is a boundary: the body is cut into manifold parts there
//! (FASTCD 4.1). Collisions among such parts along their seam are ignored, since triangles that share a vertex are.

use crate::error::{Result, bad_argument, bad_mesh};
use crate::geom::counting_sort::starts_of;
use crate::geom::random::{Mixed, mix};
use crate::geom::{NONE, Point};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Bits of [`Mesh::duties`]: corner k is represented by the triangle at `1 << k`, edge k (from corner k on) at `8 << k`.
pub(super) const EDGE_DUTY: u8 = 8;

/// Connectivity of a body, by the caller's triangle numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mesh {
    /// Corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The triangle across the edge from corner k to corner k + 1, or [`NONE`].
    pub neighbours: Vec<[u32; 3]>,
    /// Which corners and edges a triangle represents.
    pub duties: Vec<u8>,
    /// Whether every edge has a triangle on either side.
    pub is_closed: bool,
    /// Whether no edge has more than two triangles, or two of opposite winding.
    pub is_manifold: bool,
}

/// A side of a triangle, in the list of the lower of its two vertices.
#[derive(Clone, Copy, Default)]
struct Side {
    /// The higher vertex.
    other: u32,
    /// Three times the triangle, plus the edge.
    place: u32,
    /// Whether it runs from the lower vertex to the higher one.
    rising: bool,
}

impl Mesh {
    /// Fails if an index is out of range or a triangle uses a vertex twice.
    pub fn new(triangles: Vec<[u32; 3]>, vertices: usize) -> Result<Self> {
        Self::check(&triangles, vertices)?;
        let mut mesh = Self::unconnected(triangles);
        mesh.assign_vertices(vertices);
        mesh.match_edges(vertices);
        mesh.is_closed = !mesh.neighbours.as_flattened().contains(&NONE);
        Ok(mesh)
    }

    /// The mesh of triangles that are valid, with neighbours that are known: across manifold edges.
    pub fn with_neighbours(triangles: Vec<[u32; 3]>, vertices: usize, neighbours: Vec<[u32; 3]>) -> Self {
        let mut mesh = Self { neighbours, ..Self::unconnected(triangles) };
        mesh.assign_vertices(vertices);
        for (t, (across, duty)) in mesh.neighbours.iter().zip(&mut mesh.duties).enumerate() {
            for (k, n) in across.iter().enumerate() {
                // The first triangle of an edge; none is before a border.
                *duty |= if *n > t as u32 { EDGE_DUTY << k } else { 0 };
            }
        }
        mesh.is_closed = !mesh.neighbours.as_flattened().contains(&NONE);
        mesh
    }

    fn unconnected(triangles: Vec<[u32; 3]>) -> Self {
        let count = triangles.len();
        let (neighbours, duties) = (vec![[NONE; 3]; count], vec![0; count]);
        Self { neighbours, duties, triangles, is_closed: false, is_manifold: true }
    }

    /// Fails if an index is out of range or a triangle uses a vertex twice.
    pub fn check(triangles: &[[u32; 3]], vertices: usize) -> Result<()> {
        if triangles.is_empty() {
            bad_mesh!("a body needs at least one triangle");
        }
        if triangles.len() > MOST || vertices > MOST {
            bad_mesh!("a body has {} triangles and {vertices} vertices; at most {MOST} of each", triangles.len());
        }
        for (k, corners) in triangles.iter().enumerate() {
            if let Some(corner) = corners.iter().find(|c| **c as usize >= vertices) {
                bad_mesh!("triangles[{k}] has the vertex {corner}; there are {vertices}");
            }
            let [a, b, c] = corners;
            if a == b || b == c || c == a {
                bad_mesh!("triangles[{k}] is {corners:?}: it uses a vertex twice");
            }
        }
        Ok(())
    }

    fn assign_vertices(&mut self, vertices: usize) {
        let mut seen = vec![false; vertices];
        for (corners, duty) in self.triangles.iter().zip(&mut self.duties) {
            for (k, corner) in corners.iter().enumerate() {
                *duty |= (!std::mem::replace(&mut seen[*corner as usize], true) as u8) << k;
            }
        }
    }

    /// Sides sorted by their lower vertex; within such a list, which is short, those of one edge are found by comparing. Linear.
    fn match_edges(&mut self, vertices: usize) {
        let sides = |corners: &[u32; 3]| [0, 1, 2].map(|k| (corners[k], corners[(k + 1) % 3]));
        let lower = self.triangles.iter().flat_map(sides).map(|(a, b)| a.min(b));
        let starts: Vec<u32> = starts_of(vertices, lower);
        let mut next = starts.clone();
        let mut sorted = vec![Side::default(); 3 * self.triangles.len()];
        for (t, corners) in self.triangles.iter().enumerate() {
            for (k, (a, b)) in sides(corners).into_iter().enumerate() {
                let slot = &mut next[a.min(b) as usize];
                sorted[*slot as usize] = Side { other: a.max(b), place: (3 * t + k) as u32, rising: a < b };
                *slot += 1;
            }
        }
        for v in 0..vertices {
            let list = &mut sorted[starts[v] as usize..starts[v + 1] as usize];
            // Long lists come from fans; sorting keeps them linear enough.
            if list.len() > 16 {
                list.sort_unstable_by_key(|side| (side.other, side.place));
            }
            for i in 0..list.len() {
                self.match_edge(list, i);
            }
        }
    }

    /// The side at `i` of a list, if it is the first of its edge.
    fn match_edge(&mut self, list: &[Side], i: usize) {
        let first = list[i];
        if list.len() > 16 {
            // Sorted: an edge is a run.
            if i > 0 && list[i - 1].other == first.other {
                return;
            }
        } else if list[..i].iter().any(|side| side.other == first.other) {
            return;
        }
        self.duties[first.place as usize / 3] |= EDGE_DUTY << (first.place % 3);
        let rest = &list[i + 1..];
        let rest = if list.len() > 16 { &rest[..rest.partition_point(|s| s.other == first.other)] } else { rest };
        let mut others = rest.iter().filter(|side| side.other == first.other);
        match (others.next(), others.next()) {
            (None, _) => {}
            (Some(second), None) if second.rising != first.rising => {
                self.neighbours[first.place as usize / 3][first.place as usize % 3] = second.place / 3;
                self.neighbours[second.place as usize / 3][second.place as usize % 3] = first.place / 3;
            }
            _ => self.is_manifold = false,
        }
    }
}

/// Triangles and vertices of a body, at most: three times the number of a triangle fits 32 bits.
const MOST: usize = u32::MAX as usize / 4;

/// A position, compared by its bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Position([u64; 3]);

impl Position {
    pub fn new(p: &Point) -> Self {
        // Adding zero makes -0 and 0 one.
        Self([p.x, p.y, p.z].map(|c| (c + 0.0).to_bits()))
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [x, y, z] = self.0;
        state.write_u64(mix(x ^ mix(y ^ mix(z))));
    }
}

/// Numbers by position.
pub(super) type ByPosition = HashMap<Position, u32, BuildHasherDefault<Mixed>>;

/// The first vertex at the same position, for each.
pub(super) fn welded(positions: &[Point]) -> Vec<u32> {
    let mut first = ByPosition::with_capacity_and_hasher(positions.len(), Default::default());
    positions.iter().zip(0..).map(|(p, k)| *first.entry(Position::new(p)).or_insert(k)).collect()
}

/// Coordinates that are accepted, in metres: boxes are in single precision, and their volumes must be finite.
pub(super) const FARTHEST: f64 = 1e9;

/// Checks positions.
pub(super) fn check(positions: impl Iterator<Item = Point>) -> Result<()> {
    for (k, p) in positions.enumerate() {
        // Also false for NaN.
        if !p.iter().all(|c| c.abs() <= FARTHEST) {
            bad_argument!("positions[{k}] is {p}; it must be finite and within {FARTHEST:e} m of the scene's origin");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_mutual_and_every_feature_has_one_triangle() {
        // A tetrahedron, and a third triangle on one of its edges.
        let closed = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let mesh = Mesh::new(closed.clone(), 4).unwrap();
        for (t, across) in mesh.neighbours.iter().enumerate() {
            assert!(across.iter().all(|n| mesh.neighbours[*n as usize].contains(&(t as u32))));
        }
        let bits: u32 = mesh.duties.iter().map(|d| d.count_ones()).sum();
        assert_eq!(bits, 4 + 6);
        let fin = Mesh::new([closed, vec![[0, 1, 4]]].concat(), 5).unwrap();
        assert_eq!(fin.neighbours[4], [NONE; 3]);
        assert!(
            fin.neighbours[0].contains(&NONE) && fin.neighbours[1].contains(&NONE),
            "a seam of three is a boundary"
        );
        // The same winding along an edge is one, too.
        let turned = Mesh::new(vec![[0, 1, 2], [0, 1, 3]], 4).unwrap();
        assert_eq!(turned.neighbours, [[NONE; 3]; 2]);
        assert_eq!(turned.duties.iter().map(|d| d.count_ones()).sum::<u32>(), 4 + 5);
    }

    #[test]
    fn a_long_fan_is_matched_like_a_short_one() {
        let n = 40;
        let fan: Vec<[u32; 3]> = (0..n).map(|k| [0, 1 + k, 1 + (k + 1) % n]).collect();
        let mesh = Mesh::new(fan, n as usize + 1).unwrap();
        for t in 0..n {
            assert_eq!(mesh.neighbours[t as usize], [(t + n - 1) % n, NONE, (t + 1) % n]);
        }
        assert_eq!(mesh.duties.iter().map(|d| d.count_ones()).sum::<u32>(), 2 * n + n + 1);
    }

    #[test]
    fn bad_indices_are_named() {
        assert!(Mesh::new(vec![[0, 1, 9]], 3).err().unwrap().to_string().contains("triangles[0] has the vertex 9"));
        assert!(Mesh::new(vec![[0, 1, 1]], 3).err().unwrap().to_string().contains("twice"));
        assert!(Mesh::new(vec![], 3).is_err());
    }
}
