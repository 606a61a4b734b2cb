//! The cracks of a break as triangles, tetrahedron by tetrahedron, for distances.
//!
//! "Tetrahedra that are intersected by crack surfaces store exact local representations of those" (Glondu 2013, section
//! 4.1). Distances are measured to the real polygons, not to their planes (docs/design.md, 4.3). Each triangle serves the
//! fragments on both its sides.

use super::breaks::{Break, CutTet};
use super::crack_blocks::CrackBlocks;
use crate::geom::Local;
use crate::geom::interfaces::{Corner, Interfaces};
use crate::geom::knockout::{SIDE_BY_SIDE, Split};
use crate::geom::triangle::closest;
use crate::heap::held;
use crate::solid::Solid;
use std::ops::Range;

/// Triangles before and after one on the curve that count as around it.
const AROUND: u32 = 8;

/// How far apart triangles of one block may be, in mean edges.
const JUMP: f32 = 2.0;

/// The crack triangles of a break.
#[derive(Clone, Debug, Default)]
pub struct CrackTriangles {
    /// Corners, relative to the middle of the asset, counter-clockwise seen from outside the first owner.
    pub corners: Vec<[Local; 3]>,
    /// What is known of each.
    sides: Vec<Sides>,
    /// Triangles in the k-th cut tetrahedron: `start[k]..start[k + 1]`.
    start: Vec<u32>,
    /// The cut tetrahedron of each, doubled, and one more if that has skin.
    cuts: Vec<u32>,
    /// All of them by the pieces that they part, for searches.
    pub blocks: CrackBlocks,
}

/// A triangle between two pieces.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    /// Unit normal, out of the first piece.
    pub normal: Local,
    /// Twice the area.
    pub area: f32,
    /// The pieces on either side, the lower one first; [`NONE`](crate::geom::NONE) for objects that an earlier event made.
    pub pieces: [u32; 2],
}

impl CrackTriangles {
    /// The cracks of a break; `places` are those of the nodes, relative to the middle of the asset, and `mean_edge` is its mesh's.
    pub fn new(solid: &Solid, places: &[[f32; 4]], mean_edge: f64, made: &Break) -> Self {
        // Mostly one or two a tetrahedron, five and more where three pieces meet.
        let about = made.splits.len() * 2;
        let mut cracks = Self {
            corners: Vec::with_capacity(about),
            sides: Vec::with_capacity(about),
            start: Vec::with_capacity(made.tets.len() + 1),
            cuts: Vec::with_capacity(about),
            blocks: CrackBlocks::default(),
        };
        let mut interfaces = Interfaces::default();
        cracks.start.push(0);
        for (k, cut) in made.tets.iter().enumerate() {
            let [a, b, c, d] = solid.tets()[cut.tet as usize];
            let corners = [places[a as usize], places[b as usize], places[c as usize], places[d as usize]];
            match made.splits_at(k) {
                [only] => cracks.add_section(cut, only, &corners),
                splits => cracks.add(cut, splits, &corners, &mut interfaces),
            }
            cracks.start.push(cracks.corners.len() as u32);
            let coded = (k as u32) << 1 | solid.has_skin(cut.tet) as u32;
            while cracks.cuts.len() < cracks.corners.len() {
                cracks.cuts.push(coded);
            }
        }
        cracks.blocks = CrackBlocks::new(made.pieces.len(), &cracks, JUMP * mean_edge as f32);
        cracks
    }

    /// What is known of each triangle.
    pub fn sides(&self) -> &[Sides] {
        &self.sides
    }

    /// The triangles in the k-th cut tetrahedron.
    pub fn in_cut(&self, k: usize) -> Range<u32> {
        self.start[k]..self.start[k + 1]
    }

    /// The cut tetrahedron that a triangle is in.
    pub fn cut_of(&self, triangle: u32) -> u32 {
        self.cuts[triangle as usize] >> 1
    }

    /// Whether that has skin.
    pub fn has_skin(&self, triangle: u32) -> bool {
        self.cuts[triangle as usize] & 1 != 0
    }

    /// Those of a piece.
    pub fn of_cut(&self, k: usize, piece: u32) -> impl Iterator<Item = u32> {
        self.in_cut(k).filter(move |t| self.sides[*t as usize].pieces.contains(&piece))
    }

    /// What is on the other side of a triangle of a piece.
    pub fn neighbour(&self, triangle: u32, piece: u32) -> u32 {
        let [first, second] = self.sides[triangle as usize].pieces;
        if first == piece { second } else { first }
    }

    /// Unit normal of a triangle, out of a piece.
    pub fn normal(&self, triangle: u32, piece: u32) -> Local {
        let Sides { normal, pieces, .. } = self.sides[triangle as usize];
        if pieces[0] == piece { normal } else { -normal }
    }

    /// Normal of a triangle, out of a piece, as long as twice its area.
    pub fn area_normal(&self, triangle: u32, piece: u32) -> Local {
        let Sides { normal, area, pieces } = self.sides[triangle as usize];
        normal * if pieces[0] == piece { area } else { -area }
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
        let (pieces, turn) = if piece < sibling { ([piece, sibling], 1.0) } else { ([sibling, piece], -1.0) };
        let mut sum = *whole;
        for side in &self.sides[first as usize..=last as usize] {
            // Without branches, which nobody could predict.
            let same = (side.pieces[0] == pieces[0]) & (side.pieces[1] == pieces[1]);
            sum += side.normal * (side.area * turn * same as u8 as f32);
        }
        sum.try_normalize(f32::MIN_POSITIVE).unwrap_or_else(|| self.normal(triangle, piece))
    }

    /// Signed distance from the plane of a triangle.
    pub fn height(&self, p: &Local, triangle: u32) -> f32 {
        self.sides[triangle as usize].normal.dot(&(p - self.corners[triangle as usize][0]))
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
        held(&self.corners) + held(&self.sides) + held(&self.start) + held(&self.cuts) + self.blocks.bytes()
    }

    /// The crack of a tetrahedron with a single split, which most have: its section.
    #[inline(always)]
    fn add_section(&mut self, cut: &CutTet, split: &Split, corners: &[Quad; 4]) {
        let (first, second) = split.sides();
        if first | second != 0b1111 {
            return self.add(cut, std::slice::from_ref(split), corners, &mut Interfaces::default());
        }
        let owner = |side: u8| cut.owners[side.trailing_zeros() as usize & 3];
        let owners = [owner(first), owner(second)];
        if owners[0] == owners[1] {
            return;
        }
        let turned = owners[0] > owners[1];
        let pieces = if turned { [owners[1], owners[0]] } else { owners };
        // Nodes of the smaller side, then those of the other, relative to the first.
        let three = first.count_ones() == 3;
        let order = SIDE_BY_SIDE[if three { second } else { first } as usize & 15];
        let base = corners[order[0] & 3];
        let edge = |k: usize| difference(&corners[order[k] & 3], &base);
        let gap = |k: usize| split.gaps[order[k] & 3].abs();
        let ratio = |i: usize, j: usize| gap(i) / (gap(i) + gap(j));
        let (b, c, d) = (edge(1), edge(2), edge(3));
        if first.count_ones() != 2 {
            let (b, c, d) = (scaled(&b, ratio(0, 1)), scaled(&c, ratio(0, 2)), scaled(&d, ratio(0, 3)));
            let normal = cross(&difference(&c, &b), &difference(&d, &b));
            // Away from the lonely node, or towards it.
            let flipped = (dot(&normal, &b) < 0.0) != (three != turned);
            let Some(unit) = unit(&normal, flipped) else { return };
            self.push(&sum(&base, &b), &sum(&base, &c), &sum(&base, &d), flipped, unit, pieces);
        } else {
            let (p02, p03) = (scaled(&c, ratio(0, 2)), scaled(&d, ratio(0, 3)));
            let (p12, p13) = (between(&b, &c, ratio(1, 2)), between(&b, &d, ratio(1, 3)));
            let normal = cross(&difference(&p13, &p02), &difference(&p12, &p03));
            let flipped = (dot(&normal, &p02) < 0.0) != turned;
            let Some(unit) = unit(&normal, flipped) else { return };
            let (p02, p03, p12, p13) = (sum(&base, &p02), sum(&base, &p03), sum(&base, &p12), sum(&base, &p13));
            self.push(&p02, &p03, &p13, flipped, unit, pieces);
            self.push(&p02, &p13, &p12, flipped, unit, pieces);
        }
    }

    /// The cracks of any tetrahedron.
    fn add(&mut self, cut: &CutTet, splits: &[Split], corners: &[Quad; 4], interfaces: &mut Interfaces) {
        let base = corners[0];
        let [a, b, c, d] = corners;
        let edges = [difference(a, &base), difference(b, &base), difference(c, &base), difference(d, &base)];
        interfaces.visit(splits, &edges, &mut |polygon, on, alive| {
            let owner = |mask: u8| cut.owners[mask.trailing_zeros() as usize & 3];
            let owners = [owner(alive[0]), owner(alive[1])];
            if owners[0] != owners[1] {
                let beyond = &edges[splits[on].sides().1.trailing_zeros() as usize & 3];
                self.add_polygon(&base, polygon, beyond, owners);
            }
        });
    }

    /// Adds a convex polygon between the first owner and the second, on whose side `beyond` is, as a fan. Places are relative
    /// to `base`, which is near: so what is small has a normal too.
    fn add_polygon(&mut self, base: &Quad, polygon: &[Corner], beyond: &Quad, owners: [u32; 2]) {
        let origin = polygon[0].at;
        let mut normal = [0.0; 4];
        let mut from = difference(&polygon[1].at, &origin);
        for corner in &polygon[2..] {
            let to = difference(&corner.at, &origin);
            normal = sum(&normal, &cross(&from, &to));
            from = to;
        }
        let turned = owners[0] > owners[1];
        let pieces = if turned { [owners[1], owners[0]] } else { owners };
        let flipped = (dot(&normal, &difference(beyond, &origin)) < 0.0) != turned;
        let Some(unit) = unit(&normal, flipped) else { return };
        let (first, mut last) = (sum(base, &origin), sum(base, &polygon[1].at));
        for corner in &polygon[2..] {
            let next = sum(base, &corner.at);
            self.push(&first, &last, &next, flipped, unit, pieces);
            last = next;
        }
    }

    /// Adds a triangle. Parts without area bound nothing, and their neighbours have their edges. What is so small that rounding
    /// leaves no area is one of them: its closest points would be no numbers.
    #[inline(always)]
    fn push(&mut self, a: &Quad, b: &Quad, c: &Quad, flipped: bool, normal: Local, pieces: [u32; 2]) {
        let across = cross(&difference(b, a), &difference(c, a));
        let squared = dot(&across, &across);
        if squared > 0.0 {
            let (b, c) = if flipped { (c, b) } else { (b, c) };
            let local = |at: &Quad| Local::new(at[0], at[1], at[2]);
            self.corners.push([local(a), local(b), local(c)]);
            self.sides.push(Sides { normal, area: squared.sqrt(), pieces });
        }
    }
}

/// Three coordinates and a zero: what the processor computes at once.
type Quad = [f32; 4];

/// A vector of length one along another, or against it; none if that has no length.
#[inline(always)]
fn unit(normal: &Quad, flipped: bool) -> Option<Local> {
    let length = dot(normal, normal).sqrt();
    let scale = if flipped { -1.0 / length } else { 1.0 / length };
    (length > f32::MIN_POSITIVE).then(|| Local::new(normal[0] * scale, normal[1] * scale, normal[2] * scale))
}

#[inline]
fn sum(a: &Quad, b: &Quad) -> Quad {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

#[inline]
fn scaled(a: &Quad, t: f32) -> Quad {
    [a[0] * t, a[1] * t, a[2] * t, a[3] * t]
}

#[inline]
fn difference(a: &Quad, b: &Quad) -> Quad {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
}

#[inline]
fn between(a: &Quad, b: &Quad, t: f32) -> Quad {
    let at = |k: usize| a[k] + (b[k] - a[k]) * t;
    [at(0), at(1), at(2), at(3)]
}

#[inline]
fn cross(a: &Quad, b: &Quad) -> Quad {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 0.0]
}

#[inline]
fn dot(a: &Quad, b: &Quad) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
