//! The cracks of one piece as triangles, tetrahedron by tetrahedron, for distances.
//!
//! "Tetrahedra that are intersected by crack surfaces store exact local representations of those" (Glondu 2013, section
//! 4.1). Distances are measured to the real polygons, not to their planes (docs/design.md, 4.3). Where one split crosses a
//! tetrahedron, the crack is the triangle or the quadrilateral through its cut edges; everything else goes through the
//! complex of its cells.

use super::breaks::{Break, CutTet};
use crate::geom::complex::{Complex, Outside};
use crate::geom::knockout::Split;
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE, Point};
use crate::solid::{Across, Solid};

/// The crack triangles of a piece, seen from outside it counter-clockwise.
#[derive(Clone, Debug, Default)]
pub struct CrackTriangles {
    /// Corners, relative to the middle of the asset.
    pub corners: Vec<[Local; 3]>,
    /// The sibling on the other side; [`NONE`] for cracks of earlier events.
    pub neighbours: Vec<u32>,
    /// Triangles in the piece's k-th cut tetrahedron: `start[k]..start[k + 1]`.
    pub start: Vec<u32>,
    /// The piece's cut tetrahedra across the four faces of its k-th one, by their places; [`NONE`] where there is none.
    across: Vec<[u32; 4]>,
    /// The cut tetrahedron of each triangle, by its place.
    cut_of: Vec<u32>,
}

impl CrackTriangles {
    /// The cracks of a piece of a break.
    pub fn new(solid: &Solid, middle: &Point, made: &Break, piece: u32) -> Self {
        let mut cracks = Self { start: vec![0], ..Self::default() };
        let mut complex = Complex::default();
        let cuts = &made.cuts[made.pieces[piece as usize].cuts.clone()];
        for &k in cuts {
            let cut = &made.tets[k as usize];
            let corners = solid.corners(cut.tet).map(|p| p - middle);
            let positive = solid.signed_volume(cut.tet) > 0.0;
            match made.splits_at(k as usize) {
                [only] => cracks.add_single(cut, only, &corners, piece),
                splits => cracks.add_all(cut, splits, &corners, positive, piece, &mut complex),
            }
            cracks.start.push(cracks.corners.len() as u32);
            cracks.cut_of.resize(cracks.corners.len(), cracks.across.len() as u32);
            cracks.across.push(std::array::from_fn(|face| match solid.across(cut.tet, face) {
                Across::Tet(t) => {
                    cuts.binary_search_by_key(&t, |k| made.tets[*k as usize].tet).map_or(NONE, |k| k as u32)
                }
                Across::Skin(_) => NONE,
            }));
        }
        cracks
    }

    /// The nearest crack triangle that can be reached from a guess by going to nearer neighbours, and its distance.
    ///
    /// What a node remembers is near, but not always nearest: the crack goes on in the next tetrahedron. Only where the
    /// closest point lies on the rim of a triangle can a neighbour be nearer, so most calls end at once.
    pub fn descend(&self, p: &Local, guess: u32) -> (f32, u32) {
        let mut best = (distance_squared(p, &self.corners[guess as usize]), guess);
        loop {
            let (squared, triangle) = best;
            // Straight above the face: nothing that continues it is nearer.
            if self.height(p, triangle).powi(2) >= squared * (1.0 - 1e-5) {
                break;
            }
            let cut = self.cut_of[triangle as usize] as usize;
            for place in self.across[cut].into_iter().filter(|k| *k != NONE).chain([cut as u32]) {
                for other in self.of_cut(place as usize) {
                    let squared = distance_squared(p, &self.corners[other]);
                    if squared < best.0 {
                        best = (squared, other as u32);
                    }
                }
            }
            if best.1 == triangle {
                break;
            }
        }
        (best.0.sqrt(), best.1)
    }

    /// Signed distance from the plane of a triangle.
    fn height(&self, p: &Local, triangle: u32) -> f32 {
        self.normal(triangle).dot(&(p - self.corners[triangle as usize][0]))
    }

    /// The triangles in the piece's k-th cut tetrahedron.
    pub fn of_cut(&self, k: usize) -> std::ops::Range<usize> {
        self.start[k] as usize..self.start[k + 1] as usize
    }

    /// One crack: a triangle around a lonely node, or a quadrilateral between two pairs.
    fn add_single(&mut self, cut: &CutTet, split: &Split, corners: &[nalgebra::Vector3<f64>; 4], piece: u32) {
        let (first, second) = split.sides();
        let own = if cut.owners[first.trailing_zeros() as usize] == piece { first } else { second };
        let other = cut.owners[(own ^ 0b1111).trailing_zeros() as usize];
        let crossing = |i: usize, j: usize| {
            let (a, b) = (split.gaps[i].abs() as f64, split.gaps[j].abs() as f64);
            (corners[i] * b + corners[j] * a) / (a + b)
        };
        let members = |mask: u8| (0..4usize).filter(move |k| mask >> k & 1 != 0);
        let pairs = || members(own).flat_map(|i| members(own ^ 0b1111).map(move |j| (i, j)));
        let mut points = [nalgebra::Vector3::zeros(); 4];
        let mut count = 0;
        for (i, j) in pairs() {
            points[count] = crossing(i, j);
            count += 1;
        }
        // Two against two come as 02 03 12 13; around the quadrilateral it is 02 03 13 12.
        points.swap(2, count - 1);
        let away = corners[members(own ^ 0b1111).next().unwrap_or(0)] - points[0];
        let normal = (points[1] - points[0]).cross(&(points[2] - points[0]));
        if normal.dot(&away) < 0.0 {
            points[..count].reverse();
        }
        for k in 2..count {
            self.push([points[0], points[k - 1], points[k]], other);
        }
    }

    /// Any number of cracks.
    fn add_all(
        &mut self,
        cut: &CutTet,
        splits: &[Split],
        corners: &[nalgebra::Vector3<f64>; 4],
        positive: bool,
        piece: u32,
        complex: &mut Complex,
    ) {
        complex.build(splits, positive);
        let owner = |cell: u8| cut.owners[complex.cells[cell as usize].trailing_zeros() as usize];
        for facet in &complex.facets {
            let Outside::Cell(outside) = facet.outside else { continue };
            let (a, b) = (owner(facet.inside), owner(outside));
            if (a == piece) == (b == piece) {
                continue;
            }
            let at = |c: u8| {
                let weights = &complex.points[c as usize].weights;
                (0..4).fold(nalgebra::Vector3::zeros(), |at, k| at + corners[k] * weights[k])
            };
            for k in 2..facet.corners.len() {
                let [p, q, r] = [0, k - 1, k].map(|k| at(facet.corners[k]));
                self.push(if a == piece { [p, q, r] } else { [p, r, q] }, if a == piece { b } else { a });
            }
        }
    }

    fn push(&mut self, corners: [nalgebra::Vector3<f64>; 3], neighbour: u32) {
        let corners = corners.map(|c| c.cast::<f32>());
        // Parts without area bound nothing, and their neighbours have their edges.
        if (corners[1] - corners[0]).cross(&(corners[2] - corners[0])) != Local::zeros() {
            self.corners.push(corners);
            self.neighbours.push(neighbour);
        }
    }

    /// Outward unit normal of a triangle.
    pub fn normal(&self, triangle: u32) -> Local {
        let [a, b, c] = &self.corners[triangle as usize];
        (b - a).cross(&(c - a)).normalize()
    }
}

/// How far a point is from a triangle, squared.
fn distance_squared(p: &Local, triangle: &[Local; 3]) -> f32 {
    (closest(p, triangle) - p).norm_squared()
}

/// How far a point is from a triangle.
pub fn distance(p: &Local, triangle: &[Local; 3]) -> f32 {
    distance_squared(p, triangle).sqrt()
}
