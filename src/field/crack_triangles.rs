//! The cracks of a break as triangles, tetrahedron by tetrahedron, for distances.
//!
//! "Tetrahedra that are intersected by crack surfaces store exact local representations of those" (Glondu 2013, section
//! 4.1). Distances are measured to the real polygons, not to their planes (docs/design.md, 4.3). Each triangle serves the
//! fragments on both its sides. Where one split crosses a tetrahedron, the crack is the triangle or the quadrilateral
//! through its cut edges; everything else goes through the complex of its cells.

use super::breaks::{Break, CutTet};
use super::lookup::Lookup;
use crate::geom::complex::{Complex, Outside};
use crate::geom::knockout::Split;
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE, Point};
use crate::solid::{Across, Solid};
use std::ops::Range;

/// The crack triangles of a break.
#[derive(Clone, Debug, Default)]
pub struct CrackTriangles {
    /// Corners, relative to the middle of the asset, counter-clockwise seen from outside the first owner.
    pub corners: Vec<[Local; 3]>,
    /// Unit normals, out of the first owner.
    normals: Vec<Local>,
    /// The pieces on either side; [`NONE`] for objects that an earlier event made.
    owners: Vec<[u32; 2]>,
    /// Triangles in the k-th cut tetrahedron: `start[k]..start[k + 1]`.
    start: Vec<u32>,
    /// The cut tetrahedra across the four faces of the k-th one, by their places; [`NONE`] where there is none.
    across: Vec<[u32; 4]>,
    /// The cut tetrahedron of each triangle, by its place.
    cut_of: Vec<u32>,
}

impl CrackTriangles {
    /// The cracks of a break; `places` finds the place of a cut tetrahedron in it.
    pub fn new(solid: &Solid, middle: &Point, made: &Break, places: &Lookup) -> Self {
        let mut cracks = Self { start: vec![0], ..Self::default() };
        let mut complex = Complex::default();
        for (k, cut) in made.tets.iter().enumerate() {
            let corners = solid.corners(cut.tet).map(|p| p - middle);
            match made.splits_at(k) {
                [only] => cracks.add_single(cut, only, &corners),
                splits => {
                    complex.build(splits, solid.signed_volume(cut.tet) > 0.0);
                    cracks.add_all(cut, &corners, &complex);
                }
            }
            cracks.start.push(cracks.corners.len() as u32);
            cracks.cut_of.resize(cracks.corners.len(), k as u32);
            cracks.across.push(std::array::from_fn(|face| match solid.across(cut.tet, face) {
                Across::Tet(t) => places.get(t).unwrap_or(NONE),
                Across::Skin(_) => NONE,
            }));
        }
        cracks
    }

    /// The triangles of a piece in the k-th cut tetrahedron.
    pub fn of_cut(&self, k: usize, piece: u32) -> impl Iterator<Item = u32> {
        let all: Range<u32> = self.start[k]..self.start[k + 1];
        all.filter(move |t| self.owners[*t as usize].contains(&piece))
    }

    /// What is on the other side of a triangle of a piece.
    pub fn neighbour(&self, triangle: u32, piece: u32) -> u32 {
        let [first, second] = self.owners[triangle as usize];
        if first == piece { second } else { first }
    }

    /// Unit normal of a triangle, out of a piece.
    pub fn normal(&self, triangle: u32, piece: u32) -> Local {
        let normal = self.normals[triangle as usize];
        if self.owners[triangle as usize][0] == piece { normal } else { -normal }
    }

    /// Whether two triangles of a piece are of one crack: the same on the other side, and about the same way out. (What an
    /// earlier event cut off is [`NONE`] on all sides.)
    pub fn same_crack(&self, a: u32, b: u32, piece: u32) -> bool {
        self.neighbour(a, piece) == self.neighbour(b, piece) && self.normal(a, piece).dot(&self.normal(b, piece)) > 0.8
    }

    /// The nearest crack triangle of a piece that can be reached from a guess by going to nearer neighbours, and its
    /// distance.
    ///
    /// What a node remembers is near, but not always nearest: the crack goes on in the next tetrahedron. Only where the
    /// closest point lies on the rim of a triangle can a neighbour be nearer, so most calls end at once.
    pub fn descend(&self, p: &Local, guess: u32, piece: u32) -> (f32, u32) {
        self.descend_along(p, guess, piece, |_| true)
    }

    /// The same along the crack towards one sibling only.
    pub fn descend_towards(&self, p: &Local, guess: u32, piece: u32, sibling: u32) -> (f32, u32) {
        self.descend_along(p, guess, piece, |triangle| self.neighbour(triangle, piece) == sibling)
    }

    fn descend_along(&self, p: &Local, guess: u32, piece: u32, along: impl Fn(u32) -> bool) -> (f32, u32) {
        let mut best = (self.distance_squared(p, guess), guess);
        loop {
            let (squared, triangle) = best;
            let height = self.height(p, triangle);
            // Straight above the face: nothing that continues it is nearer.
            if height * height >= squared * (1.0 - 1e-5) {
                break;
            }
            let cut = self.cut_of[triangle as usize];
            for place in self.across[cut as usize].into_iter().filter(|k| *k != NONE).chain([cut]) {
                for other in self.of_cut(place as usize, piece).filter(|t| along(*t)) {
                    // Not nearer than its plane is.
                    let height = self.height(p, other);
                    if height * height < best.0 {
                        let squared = self.distance_squared(p, other);
                        if squared < best.0 {
                            best = (squared, other);
                        }
                    }
                }
            }
            if best.1 == triangle {
                break;
            }
        }
        (best.0.sqrt(), best.1)
    }

    /// The normal, out of a piece, of the crack around a triangle of it: the mean by area over its tetrahedron and those next
    /// to it, and over `whole`, a vector along the mean normal of all of the crack. Where three pieces meet, single triangles
    /// stand at any angle to the crack that they are part of.
    pub fn mean_normal(&self, triangle: u32, piece: u32, whole: &Local) -> Local {
        let cut = self.cut_of[triangle as usize];
        let sibling = self.neighbour(triangle, piece);
        let around = self.across[cut as usize].into_iter().filter(|k| *k != NONE).chain([cut]);
        let triangles = around.flat_map(|k| self.of_cut(k as usize, piece));
        let sum = triangles.filter(|t| self.neighbour(*t, piece) == sibling).fold(*whole, |sum, t| {
            let [a, b, c] = &self.corners[t as usize];
            sum + self.normal(t, piece) * (b - a).cross(&(c - a)).norm()
        });
        sum.try_normalize(f32::MIN_POSITIVE).unwrap_or_else(|| self.normal(triangle, piece))
    }

    /// Signed distance from the plane of a triangle.
    pub fn height(&self, p: &Local, triangle: u32) -> f32 {
        self.normals[triangle as usize].dot(&(p - self.corners[triangle as usize][0]))
    }

    /// How far a point is from a triangle.
    pub fn distance(&self, p: &Local, triangle: u32) -> f32 {
        self.distance_squared(p, triangle).sqrt()
    }

    fn distance_squared(&self, p: &Local, triangle: u32) -> f32 {
        (closest(p, &self.corners[triangle as usize]) - p).norm_squared()
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.corners.len() * (size_of::<[Local; 3]>() + size_of::<Local>() + 12) + self.across.len() * 20
    }

    /// One crack: a triangle around a lonely node, or a quadrilateral between two pairs.
    fn add_single(&mut self, cut: &CutTet, split: &Split, corners: &[nalgebra::Vector3<f64>; 4]) {
        let (first, second) = split.sides();
        let owner = |side: u8| cut.owners[side.trailing_zeros() as usize];
        let mut points = [nalgebra::Vector3::zeros(); 4];
        let mut count = 0;
        for i in (0..4).filter(|k| first >> k & 1 != 0) {
            for j in (0..4).filter(|k| second >> k & 1 != 0) {
                let (a, b) = (split.gaps[i].abs() as f64, split.gaps[j].abs() as f64);
                points[count] = (corners[i] * b + corners[j] * a) / (a + b);
                count += 1;
            }
        }
        // Two against two come as 02 03 12 13; around the quadrilateral it is 02 03 13 12.
        points.swap(2, count - 1);
        let away = corners[second.trailing_zeros() as usize] - points[0];
        if (points[1] - points[0]).cross(&(points[2] - points[0])).dot(&away) < 0.0 {
            points[..count].reverse();
        }
        for k in 2..count {
            self.push([points[0], points[k - 1], points[k]], [owner(first), owner(second)]);
        }
    }

    /// Any number of cracks.
    fn add_all(&mut self, cut: &CutTet, corners: &[nalgebra::Vector3<f64>; 4], complex: &Complex) {
        let owner = |cell: u8| cut.owners[complex.cells[cell as usize].trailing_zeros() as usize];
        for facet in &complex.facets {
            let Outside::Cell(outside) = facet.outside else { continue };
            let owners = [owner(facet.inside), owner(outside)];
            if owners[0] == owners[1] {
                continue;
            }
            let at = |c: u8| {
                let weights = &complex.points[c as usize].weights;
                (0..4).fold(nalgebra::Vector3::zeros(), |at, k| at + corners[k] * weights[k])
            };
            for k in 2..facet.corners.len() {
                self.push([0, k - 1, k].map(|k| at(facet.corners[k])), owners);
            }
        }
    }

    fn push(&mut self, corners: [nalgebra::Vector3<f64>; 3], owners: [u32; 2]) {
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        // Parts without area bound nothing, and their neighbours have their edges.
        if let Some(unit) = normal.cast::<f32>().try_normalize(f32::MIN_POSITIVE) {
            self.corners.push(corners.map(|c| c.cast()));
            self.normals.push(unit);
            self.owners.push(owners);
        }
    }
}
