//! The cracks of a break as triangles, tetrahedron by tetrahedron, for distances.
//!
//! "Tetrahedra that are intersected by crack surfaces store exact local representations of those" (Glondu 2013, section
//! 4.1). Distances are measured to the real polygons, not to their planes (docs/design.md, 4.3). Each triangle serves the
//! fragments on both its sides.

use super::breaks::{Break, CutTet};
use super::crack_blocks::CrackBlocks;
use super::sections::{Polygons, Sections, Triangles};
use crate::geom::Local;
use crate::geom::interfaces::{Corner, Interfaces};
use crate::geom::knockout::Split;
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

impl Sides {
    /// Normal out of the first piece, as long as twice the area.
    #[inline(always)]
    pub fn area_normal(&self) -> Local {
        self.normal * self.area
    }
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
        cracks.add_all(solid, places, made);
        cracks.leave_out_empty();
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

    /// Adds the cracks of all tetrahedra. Those without area may have a place, too.
    fn add_all(&mut self, solid: &Solid, places: &[[f32; 4]], made: &Break) {
        let mut interfaces = Interfaces::default();
        let mut waiting = Waiting::default();
        self.start.push(0);
        for (k, cut) in made.tets.iter().enumerate() {
            let [a, b, c, d] = solid.tets()[cut.tet as usize];
            let corners = [&places[a as usize], &places[b as usize], &places[c as usize], &places[d as usize]];
            let splits = made.splits_at(k);
            match splits {
                [only] if only.parts_all() => self.add_section(cut, only, corners, &mut waiting),
                _ => self.add(cut, splits, corners, &mut interfaces, &mut waiting),
            }
            self.start.push(waiting.places);
            self.cuts.resize(waiting.places as usize, (k as u32) << 1 | solid.has_skin(cut.tet) as u32);
        }
        let mut triangles = self.up_to(waiting.places);
        waiting.one_three.put_triangles(&mut triangles);
        waiting.two_two.put_quadrilaterals(&mut triangles);
        waiting.triangles.put(&mut triangles);
        waiting.quadrilaterals.put(&mut triangles);
        self.corners.truncate(waiting.places as usize);
        self.sides.truncate(waiting.places as usize);
    }

    /// So many triangles, some of which come later, and perhaps some to spare.
    fn up_to(&mut self, count: u32) -> Triangles<'_> {
        if self.corners.len() < count as usize {
            let count = self.corners.capacity().min(self.sides.capacity()).max(count as usize);
            self.corners.resize(count, [Local::zeros(); 3]);
            self.sides.resize(count, Sides { normal: Local::zeros(), area: 0.0, pieces: [0; 2] });
        }
        Triangles { corners: &mut self.corners, sides: &mut self.sides }
    }

    /// Parts without area bound nothing, and their neighbours have their edges. What is so small that rounding leaves no area is
    /// one of them: its closest points would be no numbers.
    fn leave_out_empty(&mut self) {
        let Some(empty) = self.sides.iter().position(|side| side.area == 0.0) else { return };
        let first = self.cuts[empty] as usize >> 1;
        let mut next = self.start[first] as usize;
        let mut kept = next;
        for k in first..self.start.len() - 1 {
            let end = self.start[k + 1] as usize;
            for triangle in next..end {
                if self.sides[triangle].area > 0.0 {
                    self.corners[kept] = self.corners[triangle];
                    self.sides[kept] = self.sides[triangle];
                    self.cuts[kept] = self.cuts[triangle];
                    kept += 1;
                }
            }
            next = end;
            self.start[k + 1] = kept as u32;
        }
        self.corners.truncate(kept);
        self.sides.truncate(kept);
        self.cuts.truncate(kept);
    }

    /// The crack of a tetrahedron with a single split between all its nodes, which most have: its section.
    #[inline(always)]
    fn add_section(&mut self, cut: &CutTet, split: &Split, corners: [&Quad; 4], waiting: &mut Waiting) {
        let (first, second) = split.sides();
        let owners = [first, second].map(|side| cut.owners[side.trailing_zeros() as usize & 3]);
        if owners[0] == owners[1] {
            return;
        }
        if first.count_ones() != 2 {
            let place = waiting.reserve(1);
            if waiting.one_three.add(corners, split, first, owners, place) {
                waiting.one_three.put_triangles(&mut self.up_to(waiting.places));
            }
        } else {
            let place = waiting.reserve(2);
            if waiting.two_two.add(corners, split, first, owners, place) {
                waiting.two_two.put_quadrilaterals(&mut self.up_to(waiting.places));
            }
        }
    }

    /// The cracks of any tetrahedron.
    fn add(
        &mut self,
        cut: &CutTet,
        splits: &[Split],
        corners: [&Quad; 4],
        interfaces: &mut Interfaces,
        waiting: &mut Waiting,
    ) {
        let base = corners[0];
        let edges = corners.map(|corner| difference(corner, base));
        interfaces.visit(splits, &edges, &mut |polygon, second, alive| {
            let owners = alive.map(|mask| cut.owners[mask.trailing_zeros() as usize & 3]);
            if owners[0] != owners[1] {
                let beyond = &edges[second.trailing_zeros() as usize & 3];
                self.add_polygon(base, polygon, beyond, owners, waiting);
            }
        });
    }

    /// Adds a convex polygon between the first owner and the second, on whose side `beyond` is, as a fan. Places are relative
    /// to `base`, which is near: so what is small has a normal too.
    fn add_polygon(&mut self, base: &Quad, polygon: &[Corner], beyond: &Quad, owners: [u32; 2], waiting: &mut Waiting) {
        if let Ok(corners) = polygon.try_into() {
            let place = waiting.reserve(1);
            if waiting.triangles.add(base, corners, beyond, owners, place) {
                waiting.triangles.put(&mut self.up_to(waiting.places));
            }
            return;
        }
        if let Ok(corners) = polygon.try_into() {
            let place = waiting.reserve(2);
            if waiting.quadrilaterals.add(base, corners, beyond, owners, place) {
                waiting.quadrilaterals.put(&mut self.up_to(waiting.places));
            }
            return;
        }
        let origin = polygon[0];
        let mut normal = [0.0; 4];
        let mut from = difference(&polygon[1], &origin);
        for corner in &polygon[2..] {
            let to = difference(corner, &origin);
            normal = sum(&normal, &cross(&from, &to));
            from = to;
        }
        let turned = owners[0] > owners[1];
        let pieces = if turned { [owners[1], owners[0]] } else { owners };
        let flipped = (dot(&normal, &difference(beyond, &origin)) < 0.0) != turned;
        let Some(unit) = unit(&normal, flipped) else { return };
        let (first, mut last) = (sum(base, &origin), sum(base, &polygon[1]));
        for corner in &polygon[2..] {
            let next = sum(base, corner);
            let across = cross(&difference(&last, &first), &difference(&next, &first));
            let squared = dot(&across, &across);
            let place = waiting.reserve(1);
            let to = self.up_to(waiting.places);
            let [a, b, c] = [first, last, next].map(|at| Local::new(at[0], at[1], at[2]));
            to.corners[place as usize] = if flipped { [a, c, b] } else { [a, b, c] };
            to.sides[place as usize] =
                Sides { normal: unit, area: if squared > 0.0 { squared.sqrt() } else { 0.0 }, pieces };
            last = next;
        }
    }
}

/// What waits for others of its shape.
#[derive(Default)]
struct Waiting {
    one_three: Sections,
    two_two: Sections,
    triangles: Polygons<3>,
    quadrilaterals: Polygons<4>,
    /// Triangles that have a place.
    places: u32,
}

impl Waiting {
    /// Keeps places for triangles, and returns the first.
    #[inline(always)]
    fn reserve(&mut self, count: u32) -> u32 {
        self.places += count;
        self.places - count
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
fn difference(a: &Quad, b: &Quad) -> Quad {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
}

#[inline]
fn cross(a: &Quad, b: &Quad) -> Quad {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 0.0]
}

#[inline]
fn dot(a: &Quad, b: &Quad) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
