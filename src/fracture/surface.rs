//! Fragments as closed surfaces, and what they share with their neighbours. Computed on demand.
//!
//! Where nothing was cut, the surface is the skin of the solid. In a cut tetrahedron it is made of the polygons between
//! cells of different owners (cracks), and of those between a cell and the outside (skin). Points on shared edges and faces
//! come out bit for bit alike from all tetrahedra around (`geom::complex`), so vertices are joined by equality alone.

use crate::asset::Asset;
use crate::body::Object;
use crate::field::breaks::{Break, CutTet};
use crate::geom::complex::{Complex, Outside};
use crate::geom::knockout::Split;
use crate::geom::{NONE, Point, Vector};
use crate::solid::{Across, Solid};
use std::collections::{BTreeMap, HashMap};

pub use crate::solid::surface::{Face, Surface, Triangle};

/// Two fragments of one break that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjacency {
    /// Numbers of the two fragments, the lower first.
    pub pieces: [u32; 2],
    /// Area of the crack between them.
    pub area: f64,
}

impl Object {
    /// The closed surface: skin and cracks.
    pub fn surface(&self) -> Surface {
        let mut builder = Builder::default();
        builder.add_whole_skin(self);
        builder.add_cut_tets(self);
        builder.finish()
    }

    /// All pairs of fragments of this object's break that touch across its cracks, with the area between them.
    pub fn adjacency(&self) -> Vec<Adjacency> {
        let areas = crack_areas(self.asset(), self.made_by());
        areas.into_iter().map(|((a, b), area)| Adjacency { pieces: [a, b], area }).collect()
    }
}

/// The cracks of an object alone, and the two axes of the texture plane of the crack towards each neighbour ([`NONE`] for
/// those of earlier events).
pub(super) fn cracks(object: &Object) -> (Surface, BTreeMap<u32, [Vector; 2]>) {
    let mut builder = Builder::default();
    builder.add_cut_tets(object);
    builder.surface.triangles.clear();
    let planes = builder.texture_planes();
    (builder.finish(), planes)
}

/// Areas of the cracks between the fragments of a break.
pub(super) fn crack_areas(asset: &Asset, made: &Break) -> BTreeMap<(u32, u32), f64> {
    let mut areas = BTreeMap::new();
    let mut complex = Complex::default();
    for (k, cut) in made.tets.iter().enumerate() {
        // Cracks between two siblings need two siblings.
        let mut owners = cut.owners.iter().filter(|o| **o != NONE);
        let first = owners.next();
        if owners.all(|o| Some(o) == first) {
            continue;
        }
        let corners = asset.solid().corners(cut.tet);
        complex.build(made.splits_at(k), asset.solid().signed_volume(cut.tet) > 0.0);
        for facet in &complex.facets {
            let Outside::Cell(outside) = facet.outside else { continue };
            let [a, b] = [facet.inside, outside].map(|cell| owner_of(cut, complex.cells[cell as usize]));
            if a != b && a != NONE && b != NONE {
                let points: Vec<Point> = facet.corners.iter().map(|c| position(&complex, *c, &corners)).collect();
                *areas.entry((a.min(b), a.max(b))).or_insert(0.0) += normal_of(&points).norm();
            }
        }
    }
    areas
}

/// The piece that owns a cell with these surviving nodes.
fn owner_of(cut: &CutTet, alive: u8) -> u32 {
    cut.owners[alive.trailing_zeros() as usize]
}

/// Where a point of a cut tetrahedron is: a sum in ascending order of the nodes, the same from every tetrahedron around.
fn position(complex: &Complex, point: u8, corners: &[Point; 4]) -> Point {
    let weights = &complex.points[point as usize].weights;
    (0..4).fold(Point::origin(), |at, k| at + corners[k].coords * weights[k])
}

/// The normal of a polygon, as long as its area.
pub(super) fn normal_of(points: &[Point]) -> Vector {
    (2..points.len())
        .fold(Vector::zeros(), |sum, k| sum + (points[k - 1] - points[0]).cross(&(points[k] - points[0])) * 0.5)
}

/// A crack triangle before its texture plane is known.
struct CrackTriangle {
    corners: [u32; 3],
    neighbour: u32,
}

#[derive(Default)]
struct Builder {
    surface: Surface,
    numbers: HashMap<[u64; 3], u32>,
    cracks: Vec<CrackTriangle>,
}

impl Builder {
    fn vertex(&mut self, p: &Point) -> u32 {
        // Adding zero makes one zero of the two.
        let key = [p.x, p.y, p.z].map(|c| (c + 0.0).to_bits());
        *self.numbers.entry(key).or_insert_with(|| {
            self.surface.vertices.push(*p);
            self.surface.vertices.len() as u32 - 1
        })
    }

    /// Triangles of the skin whose three nodes all belong to the object.
    fn add_whole_skin(&mut self, object: &Object) {
        let solid = object.asset().solid();
        let nodes = object.nodes();
        let owns = |n: u32| nodes.binary_search(&n).is_ok();
        let weights = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for source in nodes.iter().flat_map(|n| solid.skin_from(*n)) {
            let triangle = solid.skin()[source].nodes;
            // Owning the corners is owning the triangle: on a face only its own nodes count.
            if owns(triangle[1]) && owns(triangle[2]) {
                let corners = triangle.map(|n| self.vertex(&solid.nodes()[n as usize]));
                self.surface.triangles.push(Triangle { corners, face: Face::Skin { source: source as u32, weights } });
            }
        }
    }

    fn add_cut_tets(&mut self, object: &Object) {
        let (made, piece) = (object.made_by(), object.piece_number());
        let mut complex = Complex::default();
        for &k in &made.cuts[object.piece().cuts.clone()] {
            self.add_cut_tet(
                object.asset().solid(),
                piece,
                &made.tets[k as usize],
                made.splits_at(k as usize),
                &mut complex,
            );
        }
    }

    fn add_cut_tet(&mut self, solid: &Solid, piece: u32, cut: &CutTet, splits: &[Split], complex: &mut Complex) {
        let corners = solid.corners(cut.tet);
        complex.build(splits, solid.signed_volume(cut.tet) > 0.0);
        for facet in &complex.facets {
            let inside = owner_of(cut, complex.cells[facet.inside as usize]);
            let (outward, across) = match facet.outside {
                Outside::Face(k) if inside == piece => {
                    if let Across::Skin(source) = solid.across(cut.tet, k as usize) {
                        self.add_skin_polygon(solid, source, &facet.corners, complex, cut.tet, &corners);
                    }
                    continue;
                }
                Outside::Face(_) => continue,
                Outside::Cell(cell) => {
                    let outside = owner_of(cut, complex.cells[cell as usize]);
                    match (inside == piece, outside == piece) {
                        (true, false) => (true, outside),
                        (false, true) => (false, inside),
                        _ => continue,
                    }
                }
            };
            let mut points: Vec<Point> = facet.corners.iter().map(|c| position(complex, *c, &corners)).collect();
            if !outward {
                points.reverse();
            }
            for [a, b, c] in fan(&points) {
                let corners = [a, b, c].map(|k| self.vertex(&points[k]));
                if proper(&corners) {
                    self.cracks.push(CrackTriangle { corners, neighbour: across });
                }
            }
        }
    }

    /// A part of a skin triangle that belongs to a cut tetrahedron.
    fn add_skin_polygon(
        &mut self,
        solid: &Solid,
        source: u32,
        polygon: &[u8],
        complex: &Complex,
        tet: u32,
        corners: &[Point; 4],
    ) {
        let nodes = &solid.tets()[tet as usize];
        let triangle = solid.skin()[source as usize].nodes;
        // Where the triangle's nodes are in the tetrahedron.
        let slots = triangle.map(|n| nodes.iter().position(|m| *m == n).unwrap_or(0));
        if polygon.len() == 3 && polygon.iter().all(|c| *c < 4) {
            // A whole triangle at a cut tetrahedron: already there if the object owns its nodes.
            return;
        }
        let points: Vec<Point> = polygon.iter().map(|c| position(complex, *c, corners)).collect();
        for fan in fan(&points) {
            let corners = fan.map(|k| self.vertex(&points[k]));
            let weights = fan.map(|k| slots.map(|s| complex.points[polygon[k] as usize].weights[s]));
            if proper(&corners) {
                self.surface.triangles.push(Triangle { corners, face: Face::Skin { source, weights } });
            }
        }
    }

    /// A texture plane through the crack towards each neighbour.
    fn texture_planes(&self) -> BTreeMap<u32, [Vector; 2]> {
        let vertices = &self.surface.vertices;
        let mut normals: BTreeMap<u32, Vector> = BTreeMap::new();
        for crack in &self.cracks {
            let points = crack.corners.map(|c| vertices[c as usize]);
            *normals.entry(crack.neighbour).or_default() += normal_of(&points);
        }
        normals.into_iter().map(|(f, normal)| (f, axes_across(&normal))).collect()
    }

    /// Gives the cracks their texture coordinates, and hands over the surface.
    fn finish(mut self) -> Surface {
        let planes = self.texture_planes();
        let vertices = &self.surface.vertices;
        for crack in &self.cracks {
            let axes = &planes[&crack.neighbour];
            let uv = crack.corners.map(|c| axes.map(|axis| axis.dot(&vertices[c as usize].coords)));
            let neighbour = Some(crack.neighbour).filter(|f| *f != NONE);
            self.surface.triangles.push(Triangle { corners: crack.corners, face: Face::Crack { neighbour, uv } });
        }
        self.surface
    }
}

/// A triangle whose corners are three points; others bound nothing, and their edges cancel.
fn proper([a, b, c]: &[u32; 3]) -> bool {
    a != b && b != c && c != a
}

/// Two unit vectors across a direction, the same for its opposite.
pub(super) fn axes_across(normal: &Vector) -> [Vector; 2] {
    let n = normal.try_normalize(0.0).unwrap_or(Vector::z());
    let first = n.iter().find(|c| c.abs() > 1e-9).copied().unwrap_or(1.0);
    let n = n * first.signum();
    let aside = if n.x.abs() < 0.6 { Vector::x() } else { Vector::y() };
    let u = aside.cross(&n).normalize();
    [u, n.cross(&u)]
}

/// Triangles of a convex polygon, from the corner that gives the largest smallest one (some corners lie on straight edges).
pub(super) fn fan(points: &[Point]) -> impl Iterator<Item = [usize; 3]> {
    let n = points.len();
    let triangle = move |apex: usize, k: usize| [apex, (apex + k) % n, (apex + k + 1) % n];
    let smallest = |apex: usize| {
        (1..n - 1)
            .map(|k| normal_of(&triangle(apex, k).map(|i| points[i])).norm_squared())
            .fold(f64::INFINITY, f64::min)
    };
    let apex =
        if n < 4 { 0 } else { (0..n).max_by(|a, b| smallest(*a).total_cmp(&smallest(*b)).then(b.cmp(a))).unwrap_or(0) };
    (1..n.saturating_sub(1)).map(move |k| triangle(apex, k))
}
