//! The cracks of a break as triangles, by tetrahedron, for distances.
//!
//! "Tetrahedra that are intersected by crack surfaces store exact local representations of those" (Glondu 2013, section
//! 4.1). Distances are measured to the actual polygons, not to their planes (docs/formulations/fields.md). Each
//! triangle serves the fragments on both sides.

use crate::crack::blocks::{CrackBlocks, Sides, Triangles};
use crate::crack::breaks::{CutTets, Piece};
use crate::crack::polygons::{CrackScratch, crossed_edges, each_crack_facet};
use crate::cut::polytope::{Split, Wall};
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE, Vector};
use crate::heap::held;
use crate::solid::Solid;
use std::ops::Range;

/// Neighbours before and after a triangle on the curve over which its normal is averaged. Trade-off, found by trial:
/// fewer keep the tilt of single triangles where three cells meet, more smooth out the relief of rough cracks.
const AROUND: u32 = 8;

/// Largest distance between triangles of one block, in mean edges. Splitting blocks where the curve jumps makes an
/// eighth more blocks, and a quarter fewer are tested.
const JUMP: f32 = 2.0;

/// The crack triangles of a break.
#[derive(Clone, Debug, Default)]
pub struct CrackTriangles {
    /// Corners, relative to the centre of the asset, counter-clockwise seen from outside the first owner.
    pub corners: Vec<[Local; 3]>,
    /// Pieces, normal and area of each.
    sides: Vec<Sides>,
    /// Triangles in the k-th cut tetrahedron: `start[k]..start[k + 1]`.
    start: Vec<u32>,
    /// Position of each triangle's cut tetrahedron times two, plus one if that has skin.
    cuts: Vec<u32>,
    /// All triangles by the pieces that they separate, for searches.
    pub blocks: CrackBlocks,
}

impl CrackTriangles {
    /// The cracks of a break around the wanted pieces; `places` are the node positions relative to the centre of the
    /// asset, `mean_edge` is that of the mesh.
    pub fn new(
        solid: &Solid,
        places: &[[f32; 4]],
        mean_edge: f64,
        (pieces, cut): (&[Piece], &CutTets),
        is_wanted: impl Fn(&Piece) -> bool,
    ) -> Self {
        let wanted: Vec<bool> = pieces.iter().map(is_wanted).collect();
        // Mostly one or two per tetrahedron, five and more where three pieces meet.
        let about = if wanted.iter().all(|w| *w) { cut.splits.len() * 2 } else { 0 };
        let mut cracks = Self {
            corners: Vec::with_capacity(about),
            sides: Vec::with_capacity(about),
            start: Vec::with_capacity(cut.tets.len() + 1),
            cuts: Vec::with_capacity(about),
            blocks: CrackBlocks::default(),
        };
        cracks.add_all(solid, places, cut, &wanted);
        let all = Triangles { corners: &cracks.corners, sides: &cracks.sides, cuts: &cracks.cuts };
        cracks.blocks = CrackBlocks::new(pieces.len(), all, JUMP * mean_edge as f32);
        cracks
    }

    /// Pieces, normal and area of each triangle.
    pub fn sides(&self) -> &[Sides] {
        &self.sides
    }

    /// The triangles in the k-th cut tetrahedron.
    pub fn in_cut(&self, k: usize) -> Range<u32> {
        self.start[k]..self.start[k + 1]
    }

    /// Position of the cut tetrahedron that contains a triangle.
    pub fn cut_of(&self, triangle: u32) -> u32 {
        self.cuts[triangle as usize] >> 1
    }

    /// Whether that tetrahedron has skin.
    pub fn has_skin(&self, triangle: u32) -> bool {
        self.cuts[triangle as usize] & 1 != 0
    }

    /// The triangles of a piece in the k-th cut tetrahedron.
    pub fn of_cut(&self, k: usize, piece: u32) -> impl Iterator<Item = u32> {
        self.in_cut(k).filter(move |t| self.sides[*t as usize].pieces.contains(&piece))
    }

    /// The piece on the other side of a triangle of a piece.
    pub fn neighbour(&self, triangle: u32, piece: u32) -> u32 {
        let [first, second] = self.sides[triangle as usize].pieces;
        if first == piece { second } else { first }
    }

    /// Unit normal of a triangle, out of a piece.
    pub fn normal(&self, triangle: u32, piece: u32) -> Local {
        let Sides { normal, pieces, .. } = self.sides[triangle as usize];
        if pieces[0] == piece { normal } else { -normal }
    }

    /// Whether two triangles of a piece belong to one crack: same piece across, and normals within 37 degrees (cosine
    /// 0.8). The angle matters for cracks of earlier events, which all have [`NONE`] across; found by trial.
    pub fn same_crack(&self, a: u32, b: u32, piece: u32) -> bool {
        self.neighbour(a, piece) == self.neighbour(b, piece) && self.normal(a, piece).dot(&self.normal(b, piece)) > 0.8
    }

    /// Mean normal, out of a piece, of the crack around a triangle: averaged by area over the triangles of the same
    /// crack next to it on the curve, plus `whole`, a vector along the mean normal of the whole crack. Where three
    /// pieces meet, single triangles stand at any angle to their crack.
    pub fn mean_normal(&self, triangle: u32, piece: u32, whole: &Local) -> Local {
        let sibling = self.neighbour(triangle, piece);
        let first = triangle.saturating_sub(AROUND);
        let last = (triangle + AROUND).min(self.corners.len() as u32 - 1);
        let (pieces, turn) = if piece < sibling { ([piece, sibling], 1.0) } else { ([sibling, piece], -1.0) };
        let mut sum = *whole;
        for side in &self.sides[first as usize..=last as usize] {
            // Branchless: unpredictable.
            let same = (side.pieces[0] == pieces[0]) & (side.pieces[1] == pieces[1]);
            sum += side.normal * (side.area * turn * same as u8 as f32);
        }
        sum.try_normalize(f32::MIN_POSITIVE).unwrap_or_else(|| self.normal(triangle, piece))
    }

    /// Signed distance from the plane of a triangle.
    pub fn height(&self, p: &Local, triangle: u32) -> f32 {
        self.sides[triangle as usize].normal.dot(&(p - self.corners[triangle as usize][0]))
    }

    /// Distance of a point from a triangle.
    pub fn distance(&self, p: &Local, triangle: u32) -> f32 {
        self.distance_squared(p, triangle).sqrt()
    }

    /// Squared distance of a point from a triangle.
    pub fn distance_squared(&self, p: &Local, triangle: u32) -> f32 {
        (closest(p, &self.corners[triangle as usize]) - p).norm_squared()
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.corners) + held(&self.sides) + held(&self.start) + held(&self.cuts) + self.blocks.bytes()
    }

    /// Adds the cracks of all tetrahedra.
    fn add_all(&mut self, solid: &Solid, places: &[[f32; 4]], made: &CutTets, wanted: &[bool]) {
        let mut scratch = CrackScratch::default();
        let mut polygon = Vec::new();
        self.start.push(0);
        for (k, cut) in made.tets.iter().enumerate() {
            if !made.regions[made.regions_at(k)].iter().any(|region| wanted[region.piece as usize]) {
                self.start.push(self.corners.len() as u32);
                continue;
            }
            let nodes = &solid.tets()[cut.tet as usize];
            let tet = Tet::new(nodes.map(|node| &places[node as usize]), solid.signed_volume(cut.tet) < 0.0);
            match made.splits_at(k) {
                [only] => self.add_section(made, made.regions_at(k), only, &tet),
                splits => each_crack_facet(made, k, nodes, &mut scratch, |inside, outside, split, polytope, rim| {
                    let owners = [Some(inside), outside].map(|r| r.map_or(NONE, |r| made.regions[r].piece));
                    if owners[0] != owners[1] {
                        polygon.clear();
                        polygon.extend(rim.iter().map(|k| tet.place(&polytope.weights_at(*k as usize))));
                        let is_second = made.walls_of(inside).contains(&Wall::crack(split, true));
                        self.add_polygon(&polygon, tet.slope(&splits[split]), is_second, owners);
                    }
                }),
            }
            let count = self.corners.len();
            self.start.push(count as u32);
            self.cuts.resize(count, (k as u32) << 1 | solid.has_skin(cut.tet) as u32);
        }
    }

    /// Adds the crack of a tetrahedron with a single split, the most common case: its cross-section.
    fn add_section(&mut self, made: &CutTets, mut regions: Range<usize>, split: &Split, tet: &Tet) {
        let Some(inside) = regions.next() else { return };
        let piece = |region: usize| made.regions[region].piece;
        let owners = [piece(inside), regions.next().map_or(NONE, piece)];
        if owners[0] == owners[1] {
            return;
        }
        let mut polygon = [Vector::zeros(); 4];
        let edges = crossed_edges(made.regions[inside].nodes);
        for (corner, &[i, j]) in polygon.iter_mut().zip(edges) {
            let [a, b] = split.on_edge(i, j);
            *corner = tet.corners[i] * a + tet.corners[j] * b;
        }
        let is_second = made.walls_of(inside).contains(&Wall::crack(0, true));
        self.add_polygon(&polygon[..edges.len()], tet.slope(split), is_second, owners);
    }

    /// Adds a convex polygon as a triangle fan. The first owner is on the lower side of the crack's function, unless
    /// `is_second`; `slope` is parallel to its gradient.
    fn add_polygon(&mut self, polygon: &[Vector], slope: Vector, is_second: bool, owners: [u32; 2]) {
        let [first, second, rest @ ..] = polygon else { return };
        let is_swapped = owners[0] > owners[1];
        let pieces = if is_swapped { [owners[1], owners[0]] } else { owners };
        let Some(unit) = slope.try_normalize(f64::MIN_POSITIVE) else { return };
        let normal = if is_second == is_swapped { unit } else { -unit };
        // Twice the signed area: negative if the corners are clockwise.
        let mut area = 0.0;
        rest.iter().fold(second - first, |from, corner| {
            let to = corner - first;
            area += from.cross(&to).dot(&normal);
            to
        });
        for pair in polygon[1..].windows(2) {
            let [b, c] = if area < 0.0 { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
            let corners = [first.cast(), b.cast(), c.cast()];
            // Skip triangles that rounding leaves without area: neighbours have their edges, and their closest points
            // would be NaN.
            let across: Local = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            let squared = across.norm_squared();
            if squared > 0.0 {
                self.corners.push(corners);
                self.sides.push(Sides { normal: normal.cast(), area: squared.sqrt(), pieces });
            }
        }
    }
}

/// A tetrahedron, relative to the centre of the asset.
struct Tet {
    corners: [Vector; 4],
    /// Parallel to the gradients of the last three barycentric coordinates.
    slopes: [Vector; 3],
}

impl Tet {
    fn new(corners: [&[f32; 4]; 4], is_left_handed: bool) -> Self {
        let corners = corners.map(|[x, y, z, _]| Vector::new(*x as f64, *y as f64, *z as f64));
        let [_, b, c, d] = corners.map(|corner| corner - corners[0]);
        let slopes = [c.cross(&d), d.cross(&b), b.cross(&c)];
        Self { corners, slopes: if is_left_handed { slopes.map(|slope| -slope) } else { slopes } }
    }

    fn place(&self, [a, b, c, d]: &[f64; 4]) -> Vector {
        self.corners[0] * *a + self.corners[1] * *b + self.corners[2] * *c + self.corners[3] * *d
    }

    /// A vector parallel to the gradient of a crack's function. Unlike the corners of a polygon, it gives an accurate
    /// normal for slivers.
    fn slope(&self, Split { values: [a, b, c, d], .. }: &Split) -> Vector {
        self.slopes[0] * (b - a) + self.slopes[1] * (c - a) + self.slopes[2] * (d - a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crack::breaks::{Break, CutTet, Region};
    use crate::cut::polytope::Polytope;
    use crate::geom::Point;
    use crate::geom::aabb::Aabb;
    use crate::geom::moments::Moments;
    use crate::geom::random::unit;
    use crate::solid::shapes;

    /// A solid divided by planes (normal and offset). Pieces are indexed by a bit mask of sides; `gone` is a piece that
    /// is not part of this break.
    fn divided(solid: &Solid, planes: &[(Vector, f64)], gone: u32) -> Break {
        let value =
            |p: &Point, (normal, offset): &(Vector, f64)| ((normal.dot(&p.coords) - offset) * 2f64.powi(40)).round();
        let mut cut = CutTets::default();
        let mut polytope = Polytope::default();
        for (tet, number) in solid.tets().iter().zip(0..) {
            let values = |plane| tet.map(|node| value(&solid.nodes()[node as usize], plane));
            let split = |(plane, k)| Split { values: values(plane), generation: 0, cells: [k, NONE] };
            let all: Vec<Split> = planes.iter().zip(0..).map(split).collect();
            let is_crossed =
                |split: &Split| split.values.iter().any(|v| *v > 0.0) && split.values.iter().any(|v| *v < 0.0);
            let splits: Vec<Split> = all.iter().copied().filter(is_crossed).collect();
            let (first_split, first_region) = (cut.splits.len() as u32, cut.regions.len() as u32);
            for sides in 0..1u32 << planes.len() {
                let is_on =
                    |split: &Split| split.values.iter().any(|v| (*v > 0.0) == (sides >> split.cells[0] & 1 != 0));
                let walls = || splits.iter().enumerate().map(|(k, s)| Wall::crack(k, sides >> s.cells[0] & 1 != 0));
                polytope.set_region(&splits, walls());
                if splits.is_empty() || sides == gone || polytope.is_empty() || !all.iter().all(is_on) {
                    continue;
                }
                let first_wall = cut.walls.len() as u32;
                cut.regions.push(Region { piece: sides, first_wall, nodes: polytope.nodes() });
                polytope.each_facet(&mut vec![], |wall, _| cut.walls.extend(wall.as_crack().map(|_| wall)));
            }
            if cut.regions.len() > first_region as usize {
                cut.splits.extend(splits);
                cut.tets.push(CutTet { tet: number, first_split, first_region });
            }
        }
        let piece = Piece {
            nodes: 0..0,
            points: 0..0,
            mass: Moments::default().mass(&Point::origin(), 1.0),
            bounds: Aabb::EMPTY,
            cell: 0,
            kind: Default::default(),
            planes: 0..0,
            drawn: 0..0,
        };
        let mut made = Break { pieces: vec![piece; 1 << planes.len()], ..Break::default() };
        made.set_cut_tets(cut);
        made
    }

    #[test]
    fn triangles_are_the_planes_that_divide_a_box() {
        let solid = shapes::cuboid([1.0, 1.0, 1.0], [3, 3, 3]);
        let middle = solid.bounds().centre();
        let place = |p: &Point| [p.x - middle.x, p.y - middle.y, p.z - middle.z, 0.0].map(|c| c as f32);
        let places: Vec<[f32; 4]> = solid.nodes().iter().map(place).collect();
        for seed in 0..40 {
            let plane = |k: u64| {
                let normal = Vector::from_fn(|i, _| unit(seed, 4 * k + i as u64) - 0.5).normalize();
                (normal, normal.dot(&middle.coords) + 0.4 * (unit(seed, 4 * k + 3) - 0.5))
            };
            let planes = [plane(0), plane(1), plane(2)];
            let mut areas = vec![];
            for count in 1..=3 {
                // With three planes, one piece was cut off by an earlier event.
                let gone = if count == 3 { 5 } else { NONE };
                let made = divided(&solid, &planes[..count], gone);
                let cracks = CrackTriangles::new(&solid, &places, 0.4, (&made.pieces, made.cut_tets()), |_| true);
                let mut area = [0.0; 3];
                for (corners, side) in cracks.corners.iter().zip(cracks.sides()) {
                    let [first, second] = side.pieces.map(|piece| if piece == NONE { gone } else { piece });
                    let k = (first ^ second).trailing_zeros() as usize;
                    assert_eq!(first ^ second, 1 << k, "one plane is between them");
                    assert!(side.pieces[0] < side.pieces[1]);
                    let (normal, offset) = planes[k];
                    let out = if first >> k & 1 == 0 { normal } else { -normal };
                    assert!((side.normal.cast() - out).norm() < 1e-4, "seed {seed}: {} is not {out}", side.normal);
                    let [a, b, c] = corners;
                    let across = (b - a).cross(&(c - a));
                    assert!(side.area > 0.0 && (across - side.area_normal()).norm() < 1e-6, "seed {seed}");
                    corners
                        .iter()
                        .for_each(|c| assert!((normal.dot(&(middle.coords + c.cast())) - offset).abs() < 1e-6));
                    area[k] += side.area as f64;
                }
                areas.push(area);
            }
            // The area of a plane does not depend on how it is divided.
            assert!((0..2).all(|k| (areas[2][k] - areas[1][k]).abs() < 1e-4), "seed {seed}: {areas:?}");
            assert!((areas[1][0] - areas[0][0]).abs() < 1e-4, "seed {seed}: {areas:?}");
        }
    }
}
