//! Tetrahedra of two or three cells: closed forms (docs/design.md, 4.2).
//!
//! A cell that owns no node of a tetrahedron is in it only if its function is lowest at a corner of what the others make of it: in
//! between, each of theirs minus its own is affine. So a look at the corners tells which form it is. Two cells have one crack. Three
//! have two cracks that do not meet, or three that meet in a line, which ends on two faces.

use crate::geom::Vector;
use crate::geom::moments::Moments;

/// The moments of the two sides of a tetrahedron with one crack: of the nodes `first`, a bit each, and of the others. Corners are
/// relative to the first one.
pub fn two_cells(at: &[Vector; 4], values: &[f64; 4], first: u8, volume: f64) -> [Moments; 2] {
    let other = 0b1111 & !first;
    // The side with fewer nodes is computed, the other is the rest.
    let small = if first.count_ones() <= other.count_ones() { first } else { other };
    let order = SIDE_BY_SIDE[small as usize];
    let (at, gaps) = (order.map(|k| at[k]), order.map(|k| values[k].abs()));
    let part = if small.count_ones() == 1 { tip(&at, &gaps, volume) } else { wedge(&at, &gaps, volume) };
    let rest = Moments::of_tet(&at, volume) - part;
    if small == first { [part, rest] } else { [rest, part] }
}

/// For a set of nodes, a bit each: those in it, ascending, then the others.
const SIDE_BY_SIDE: [[usize; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut place, mut wanted) = (0, 1);
        loop {
            let mut k = 0;
            while k < 4 {
                if set >> k & 1 == wanted {
                    table[set][place] = k;
                    place += 1;
                }
                k += 1;
            }
            if wanted == 0 {
                break;
            }
            wanted = 0;
        }
        set += 1;
    }
    table
};

/// The tip at the first corner of a tetrahedron.
fn tip(at: &[Vector; 4], gaps: &[f64; 4], volume: f64) -> Moments {
    let t = [ratio(gaps, 0, 1), ratio(gaps, 0, 2), ratio(gaps, 0, 3)];
    let cut = |k: usize| at[0] + (at[k] - at[0]) * t[k - 1];
    Moments::of_tet(&[at[0], cut(1), cut(2), cut(3)], volume * (t[0] * t[1] * t[2]))
}

/// The wedge of the first two corners against the last two.
fn wedge(at: &[Vector; 4], gaps: &[f64; 4], volume: f64) -> Moments {
    let (t02, t03, t12, t13) = (ratio(gaps, 0, 2), ratio(gaps, 0, 3), ratio(gaps, 1, 2), ratio(gaps, 1, 3));
    let cut = |i: usize, j: usize, t: f64| at[i] + (at[j] - at[i]) * t;
    let (p02, p03, p12, p13) = (cut(0, 2, t02), cut(0, 3, t03), cut(1, 2, t12), cut(1, 3, t13));
    // Three tetrahedra between six points, which share their squares.
    let (v1, v2, v3) = (volume * (t12 * t13), volume * (t02 * (1.0 - t12) * t13), volume * (t02 * t03 * (1.0 - t13)));
    let both = at[0] + p13;
    let (s1, s2, s3) = (both + at[1] + p12, both + p02 + p12, both + p02 + p03);
    let mut wedge = Moments { volume: v1 + v2 + v3, first: (s1 * v1 + s2 * v2 + s3 * v3) * 0.25, second: [0.0; 6] };
    let (v1, v2, v3) = (v1 * (1.0 / 20.0), v2 * (1.0 / 20.0), v3 * (1.0 / 20.0));
    let all = v1 + v2 + v3;
    wedge.add_square(&at[0], all);
    wedge.add_square(&at[1], v1);
    wedge.add_square(&p02, v2 + v3);
    wedge.add_square(&p03, v3);
    wedge.add_square(&p12, v1 + v2);
    wedge.add_square(&p13, all);
    wedge.add_square(&s1, v1);
    wedge.add_square(&s2, v2);
    wedge.add_square(&s3, v3);
    wedge
}

/// Where the crack crosses the edge from corner i to corner j.
fn ratio(gaps: &[f64; 4], i: usize, j: usize) -> f64 {
    gaps[i] / (gaps[i] + gaps[j])
}

/// The edges of a tetrahedron.
pub const EDGES: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// The nodes of its faces, each opposite the node of its number.
pub const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];

/// Which edge is between two nodes.
const BETWEEN: [[usize; 4]; 4] = [[0, 0, 1, 2], [0, 0, 3, 4], [1, 3, 0, 5], [2, 4, 5, 0]];

/// Where cracks cross an edge between three cells: none, one, or two with the third cell between them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cuts {
    pub count: usize,
    /// The cells before and after each, from the lower node on.
    pub cells: [[usize; 2]; 2],
    /// Relative to the first corner of the tetrahedron.
    pub at: [Vector; 2],
}

/// Three cells in a tetrahedron. Cells go by their places, 0 to 2.
#[derive(Clone, Debug, Default)]
pub struct ThreeCells {
    /// The cells of the nodes.
    pub own: [usize; 4],
    pub cuts: [Cuts; 6],
}

impl ThreeCells {
    /// Cracks on the rim of a face: two cells make two, a cell between two others makes four, and three that meet make three.
    fn rim(&self, face: usize) -> usize {
        let [i, j, k] = FACES[face];
        [BETWEEN[i][j], BETWEEN[j][k], BETWEEN[k][i]].iter().map(|edge| self.cuts[*edge].count).sum()
    }

    /// The two faces on which the three cells meet, if they do.
    pub fn ends(&self) -> Option<[usize; 2]> {
        let mut ends = (0..4).filter(|face| self.rim(*face) == 3);
        Some([ends.next()?, ends.next()?])
    }

    /// Whether a cell is on a face.
    pub fn is_on_face(&self, cell: usize, face: usize) -> bool {
        let [i, j, k] = FACES[face];
        let edges = [BETWEEN[i][j], BETWEEN[j][k], BETWEEN[k][i]];
        let has = |edge: &usize| self.cuts[*edge].cells[..self.cuts[*edge].count].as_flattened().contains(&cell);
        FACES[face].iter().any(|k| self.own[*k] == cell) || edges.iter().any(has)
    }

    /// The moments of the three parts. `ends` are the faces on which they meet, and where. All is relative to the first corner.
    pub fn moments(&self, at: &[Vector; 4], ends: &[(usize, Vector); 2], volume: f64) -> [Moments; 3] {
        let nodes = |cell: usize| self.own.iter().filter(|own| **own == cell).count();
        let largest = (0..3).max_by_key(|cell| nodes(*cell)).unwrap_or(0);
        let mut parts = [Moments::default(); 3];
        parts[largest] = Moments::of_tet(at, volume);
        for cell in (0..3).filter(|cell| *cell != largest) {
            let part = self.part(cell, at, ends);
            parts[largest] -= part;
            parts[cell] = part;
        }
        if parts[largest].volume < SMALL_REST * volume {
            parts[largest] = self.part(largest, at, ends);
        }
        parts
    }

    /// The moments of one part: of what is between the first end of the line, where all parts have a corner, and its facets on the
    /// faces that do not have that.
    fn part(&self, cell: usize, at: &[Vector; 4], [(first, apex), (second, other)]: &[(usize, Vector); 2]) -> Moments {
        let mut sum = Moments::default();
        for face in (0..4).filter(|face| face != first) {
            let mut rim = [Vector::zeros(); 10];
            let mut count = 0;
            let mut push = |p: &Vector| {
                rim[count] = *p;
                count += 1;
            };
            let nodes = FACES[face];
            for (i, j) in [(nodes[0], nodes[1]), (nodes[1], nodes[2]), (nodes[2], nodes[0])] {
                if self.own[i] == cell {
                    push(&at[i]);
                }
                let cuts = &self.cuts[BETWEEN[i][j]];
                for k in 0..cuts.count {
                    let k = if i < j { k } else { cuts.count - 1 - k };
                    let [low, high] = cuts.cells[k];
                    let before = if i < j { low } else { high };
                    if low == cell || high == cell {
                        push(&cuts.at[k]);
                    }
                    if before == cell && face == *second {
                        push(other);
                    }
                }
            }
            for k in 2..count {
                let (a, b, c) = (&rim[0], &rim[k - 1], &rim[k]);
                let volume = (b - a).cross(&(c - a)).dot(&(apex - a)).abs() * (1.0 / 6.0);
                sum += Moments::of_tet(&[*apex, *a, *b, *c], volume);
            }
        }
        sum
    }
}

/// Smaller shares of a tetrahedron are not computed as what others leave.
pub const SMALL_REST: f64 = 1e-3;
