//! The cracks of a break as triangles, tetrahedron by tetrahedron, for distances.
//!
//! "Tetrahedra that are intersected by crack surfaces store exact local representations of those" (Glondu 2013, section
//! 4.1). Distances are measured to the real polygons, not to their planes (docs/design.md, 4.3). Each triangle serves the
//! fragments on both its sides.

use super::breaks::{Break, CutTet};
use crate::geom::interfaces::interfaces;
use crate::geom::knockout::Split;
use crate::geom::triangle::closest;
use crate::geom::{Local, Point};
use crate::solid::Solid;
use std::ops::Range;

/// Triangles before and after one on the curve that count as around it.
const AROUND: u32 = 8;

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
}

impl CrackTriangles {
    /// The cracks of a break.
    pub fn new(solid: &Solid, middle: &Point, made: &Break) -> Self {
        let about = made.tets.len() * 2;
        let mut cracks = Self {
            corners: Vec::with_capacity(about),
            normals: Vec::with_capacity(about),
            owners: Vec::with_capacity(about),
            start: Vec::with_capacity(made.tets.len() + 1),
        };
        cracks.start.push(0);
        for (k, cut) in made.tets.iter().enumerate() {
            let corners = solid.corners(cut.tet).map(|p| p - middle);
            cracks.add(cut, made.splits_at(k), &corners);
            cracks.start.push(cracks.corners.len() as u32);
        }
        cracks
    }

    /// The triangles in the k-th cut tetrahedron.
    pub fn in_cut(&self, k: usize) -> Range<u32> {
        self.start[k]..self.start[k + 1]
    }

    /// Those of a piece.
    pub fn of_cut(&self, k: usize, piece: u32) -> impl Iterator<Item = u32> {
        self.in_cut(k).filter(move |t| self.owners[*t as usize].contains(&piece))
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

    /// Normal of a triangle, out of a piece, as long as twice its area.
    pub fn area_normal(&self, triangle: u32, piece: u32) -> Local {
        let [a, b, c] = &self.corners[triangle as usize];
        let normal = (b - a).cross(&(c - a));
        if self.owners[triangle as usize][0] == piece { normal } else { -normal }
    }

    /// Whether two triangles of a piece are of one crack: the same on the other side, and about the same way out. (What an
    /// earlier event cut off is no piece on all sides.)
    pub fn same_crack(&self, a: u32, b: u32, piece: u32) -> bool {
        self.neighbour(a, piece) == self.neighbour(b, piece) && self.normal(a, piece).dot(&self.normal(b, piece)) > 0.8
    }

    /// The normal, out of a piece, of the crack around a triangle of it: the mean by area over the triangles of the same crack
    /// next to it on the curve, and over `whole`, a vector along the mean normal of all of the crack. Where three pieces meet,
    /// single triangles stand at any angle to the crack that they are part of.
    pub fn mean_normal(&self, triangle: u32, piece: u32, whole: &Local) -> Local {
        let sibling = self.neighbour(triangle, piece);
        let first = triangle.saturating_sub(AROUND);
        let last = (triangle + AROUND).min(self.corners.len() as u32 - 1);
        let mut sum = *whole;
        for t in first..=last {
            let owners = &self.owners[t as usize];
            if owners.contains(&piece) && owners.contains(&sibling) {
                sum += self.area_normal(t, piece);
            }
        }
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

    /// How far a point is from a triangle, squared.
    pub fn distance_squared(&self, p: &Local, triangle: u32) -> f32 {
        (closest(p, &self.corners[triangle as usize]) - p).norm_squared()
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.corners.len() * (size_of::<[Local; 3]>() + size_of::<Local>() + 8) + self.start.len() * 4
    }

    /// The cracks of one tetrahedron, as fans.
    fn add(&mut self, cut: &CutTet, splits: &[Split], corners: &[nalgebra::Vector3<f64>; 4]) {
        interfaces(splits, |polygon, split, alive| {
            let owners = alive.map(|mask| cut.owners[mask.trailing_zeros() as usize]);
            if owners[0] == owners[1] {
                return;
            }
            let at = |weights: &[f64; 4]| -> nalgebra::Vector3<f64> {
                (0..4).fold(nalgebra::Vector3::zeros(), |at, k| at + corners[k] * weights[k])
            };
            let (first, mut last) = (at(&polygon[0]), at(&polygon[1]));
            let away = corners[split.sides().1.trailing_zeros() as usize] - first;
            for weights in &polygon[2..] {
                let next = at(weights);
                // Out of the first owner, towards the second.
                let turned = (last - first).cross(&(next - first)).dot(&away) < 0.0;
                self.push(if turned { [first, next, last] } else { [first, last, next] }, owners);
                last = next;
            }
        });
    }

    fn push(&mut self, corners: [nalgebra::Vector3<f64>; 3], owners: [u32; 2]) {
        let across = |[a, b, c]: [Local; 3]| (b - a).cross(&(c - a));
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let rounded: [Local; 3] = corners.map(|c| c.cast());
        // Parts without area bound nothing, and their neighbours have their edges. What is so small that rounding leaves no
        // area is one of them: its closest points would be no numbers.
        let unit = normal.cast::<f32>().try_normalize(f32::MIN_POSITIVE);
        if let Some(unit) = unit.filter(|_| across(rounded) != Local::zeros()) {
            self.corners.push(rounded);
            self.normals.push(unit);
            self.owners.push(owners);
        }
    }
}
