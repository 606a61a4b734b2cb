//! Fragments as closed surfaces, and what they share with their neighbours. Computed on demand.
//!
//! Where nothing was cut, the surface is the skin of the solid. In a cut tetrahedron it is made of the facets of the piece's regions on
//! the skin and on cracks. Corners come out bit for bit alike from all tetrahedra around (`cut::polytope`), so vertices are joined by
//! equality alone. Where cracks are planes, the facets on a plane are joined to one flat polygon (`outline`), whatever the mesh.

use super::outline::{Outline, fans, straightened};
use super::place::{ByPlace, Place};
use crate::asset::Asset;
use crate::body::{InMetres, Object};
use crate::crack::breaks::{Break, CellPlane, Kind};
use crate::crack::polygons::{CrackScratch, each_crack_polygon};
use crate::cut::polytope::{Corner, Polytope, Split};
use crate::geom::pinned::powi;
use crate::geom::plane::axes_across;
use crate::geom::polygon::flat_triangles;
use crate::geom::polygon::{area_normal, fan};
use crate::geom::{NONE, Point, Vector};
use crate::solid::{Across, Solid};
use std::collections::{BTreeMap, HashMap, HashSet};

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
        closed(self, true, &[]).0
    }

    /// All pairs of fragments of this object's break that touch across its cracks, with the area between them.
    pub fn adjacency(&self) -> Vec<Adjacency> {
        let areas = crack_areas(self.asset(), self.made_by());
        areas.into_iter().map(|((a, b), area)| Adjacency { pieces: [a, b], area }).collect()
    }
}

impl InMetres<'_> {
    /// As [`Object::adjacency`], in square metres.
    pub fn adjacency(&self) -> Vec<Adjacency> {
        let area = powi(self.0.scale(), 2);
        self.0.adjacency().into_iter().map(|a| Adjacency { area: a.area * area, ..a }).collect()
    }
}

/// The cracks of an object alone, but for faces on some planes, and the two axes of the texture plane of the crack towards each neighbour
/// ([`NONE`] for those of earlier events).
pub(super) fn cracks(object: &Object, without: &[CellPlane]) -> (Surface, BTreeMap<u32, [Vector; 2]>) {
    closed(object, false, without)
}

/// The cracks of an object, with the skin or without, and the axes of their texture planes.
pub(super) fn closed(object: &Object, with_skin: bool, without: &[CellPlane]) -> (Surface, BTreeMap<u32, [Vector; 2]>) {
    let facets = crack_facets(object, None, without);
    if object.kind() <= Kind::Union {
        // Where many cells meet in a point or cracks lie in faces of the mesh, corners are as near to each other as weights are small:
        // then they are put together first.
        for step in [None, Some(SNAP * object.asset().radius())] {
            let triangles = match step {
                None => joined(&facets, false),
                Some(_) => joined(&crack_facets(object, step, without), true),
            };
            let Some(triangles) = triangles else { continue };
            let mut builder = Builder { snap: step, ..Builder::default() };
            builder.add_flat_cracks(&triangles);
            if with_skin {
                builder.add_whole_skin(object);
                builder.add_cut_skin(object, true);
                if !builder.is_closed() {
                    continue;
                }
            }
            return builder.finish();
        }
    }
    // Facet by facet it is closed whatever the pattern.
    let mut builder = Builder::default();
    if with_skin {
        builder.add_whole_skin(object);
        builder.add_cut_skin(object, false);
    }
    builder.add_cracks(facets);
    builder.finish()
}

/// Turns a facet on a skin triangle outwards; returns where the triangle's nodes are in the tetrahedron.
fn turn_outwards(solid: &Solid, source: u32, tet: u32, polygon: &mut [Corner]) -> [usize; 3] {
    if solid.signed_volume(tet) > 0.0 {
        polygon.reverse();
    }
    let nodes = &solid.tets()[tet as usize];
    solid.skin()[source as usize].nodes.map(|n| nodes.iter().position(|m| *m == n).unwrap_or(0))
}

/// What is nearer than this, relative to the radius of the asset, may be put together.
const SNAP: f64 = 1e-9;

/// Where a corner is, on a grid of this step if there is one. Corners next to a node are there.
fn place(corner: &Corner, places: &[Point; 4], snap: Option<f64>) -> Point {
    let at = corner.position(places);
    let Some(step) = snap.filter(|_| corner.nodes.count_ones() > 1) else { return at };
    match places.iter().find(|node| (*node - at).norm() < 2.0 * step) {
        Some(node) => *node,
        None => at.map(|c| (c / step).round() * step),
    }
}

/// Areas of the cracks between the fragments of a break.
fn crack_areas(asset: &Asset, made: &Break) -> BTreeMap<(u32, u32), f64> {
    let mut areas = BTreeMap::new();
    let mut scratch = CrackScratch::default();
    for (k, cut) in made.cut_tets().tets.iter().enumerate() {
        let corners = asset.solid().corners(cut.tet);
        let nodes = &asset.solid().tets()[cut.tet as usize];
        each_crack_polygon(made.cut_tets(), k, nodes, &mut scratch, |inside, outside, _, polygon| {
            let [a, b] =
                [Some(inside), outside].map(|region| region.map_or(NONE, |r| made.cut_tets().regions[r].piece));
            if a != b && b != NONE {
                let points: Vec<Point> = polygon.iter().map(|c| c.position(&corners)).collect();
                *areas.entry((a.min(b), a.max(b))).or_insert(0.0) += area_normal(&points).norm();
            }
        });
    }
    areas
}

/// A crack triangle before its texture plane is known.
struct CrackTriangle {
    corners: [u32; 3],
    neighbour: u32,
}

/// A facet of a piece on a crack.
struct CrackFacet {
    /// Counter-clockwise seen from outside.
    points: Vec<Point>,
    /// For each, whether it lies in the middle of a straight line between two flat cracks.
    is_between: Vec<bool>,
    neighbour: u32,
    generation: u32,
    cells: [u32; 2],
}

#[derive(Default)]
struct Builder {
    surface: Surface,
    numbers: ByPlace<u32>,
    cracks: Vec<CrackTriangle>,
    snap: Option<f64>,
}

impl Builder {
    fn vertex(&mut self, p: &Point) -> u32 {
        *self.numbers.entry(Place::of(p)).or_insert_with(|| {
            self.surface.vertices.push(*p);
            self.surface.vertices.len() as u32 - 1
        })
    }

    /// Triangles of the skin of tetrahedra that are not cut.
    fn add_whole_skin(&mut self, object: &Object) {
        let solid = object.asset().solid();
        let (nodes, made) = (object.nodes(), object.made_by());
        let weights = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for source in nodes.iter().flat_map(|n| solid.skin_from(*n)) {
            let triangle = &solid.skin()[source];
            if made.cut_tets().find(triangle.tet).is_none() {
                let corners = triangle.nodes.map(|n| self.vertex(&solid.nodes()[n as usize]));
                self.surface.triangles.push(Triangle { corners, face: Face::Skin { source: source as u32, weights } });
            }
        }
    }

    /// The skin of the piece's regions; those of one triangle together, if they are to be joined.
    fn add_cut_skin(&mut self, object: &Object, join: bool) {
        let (solid, made, piece) = (object.asset().solid(), object.made_by(), object.piece_number());
        let (mut polytope, mut rim) = (Polytope::default(), vec![]);
        for &k in made.cuts_of(piece) {
            let (k, tet) = (k as usize, made.cut_tets().tets[k as usize].tet);
            if !solid.has_skin(tet) {
                continue;
            }
            let nodes = &solid.tets()[tet as usize];
            let splits = made.cut_tets().splits_at(k);
            let mut polygons: Vec<(u32, Vec<Corner>)> = vec![];
            for region in made.cut_tets().regions_at(k).filter(|r| made.cut_tets().regions[*r].piece == piece) {
                polytope.set_region(splits, made.cut_tets().walls_of(region).iter().copied());
                polytope.each_facet(&mut rim, |wall, rim| {
                    if let Some(Across::Skin(source)) = wall.as_face().map(|face| solid.across(tet, face)) {
                        let corner = |c: &u16| polytope.corner(*c as usize, splits, nodes);
                        polygons.push((source, rim.iter().map(corner).collect()));
                    }
                });
            }
            polygons.sort_by_key(|(source, _)| *source);
            for run in polygons.chunk_by_mut(|a, b| join && a.0 == b.0) {
                match run {
                    [(source, polygon)] => self.add_skin_polygon(solid, *source, tet, polygon),
                    // Cells that were joined: what is between them is no corner.
                    several => {
                        let source = several[0].0;
                        let polygons: Vec<&mut Vec<Corner>> = several.iter_mut().map(|(_, polygon)| polygon).collect();
                        self.add_joined_skin(object, source, k, polygons);
                    }
                }
            }
        }
    }

    /// A part of a skin triangle; its corners come either way round.
    fn add_skin_polygon(&mut self, solid: &Solid, source: u32, tet: u32, polygon: &mut [Corner]) {
        let places = solid.corners(tet);
        let slots = turn_outwards(solid, source, tet, polygon);
        let points: Vec<Point> = polygon.iter().map(|c| place(c, &places, self.snap)).collect();
        for fan in fan(&points) {
            let corners = fan.map(|k| self.vertex(&points[k]));
            let weights = fan.map(|k| slots.map(|s| polygon[k].weights[s]));
            if proper(&corners) {
                self.surface.triangles.push(Triangle { corners, face: Face::Skin { source, weights } });
            }
        }
    }

    /// Parts of a skin triangle, in the k-th cut tetrahedron, that belong to one piece.
    fn add_joined_skin(&mut self, object: &Object, source: u32, k: usize, polygons: Vec<&mut Vec<Corner>>) {
        let (solid, made, piece) = (object.asset().solid(), object.made_by(), object.piece_number());
        let tet = made.cut_tets().tets[k].tet;
        let places = solid.corners(tet);
        // Corners on cracks towards others are corners of the piece; those on cracks within it are not.
        let mut outer = HashSet::new();
        let nodes = &solid.tets()[tet as usize];
        each_crack_polygon(made.cut_tets(), k, nodes, &mut CrackScratch::default(), |inside, outside, _, polygon| {
            let [a, b] =
                [Some(inside), outside].map(|region| region.map_or(NONE, |r| made.cut_tets().regions[r].piece));
            if a != b && (a == piece || b == piece) {
                outer.extend(polygon.iter().map(|corner| corner.key));
            }
        });
        let mut outline = Outline::default();
        let mut weights_at = ByPlace::default();
        let mut slots = [0; 3];
        let mut facets = vec![];
        for polygon in polygons {
            slots = turn_outwards(solid, source, tet, polygon);
            let points: Vec<Point> = polygon.iter().map(|c| place(c, &places, self.snap)).collect();
            let within = polygon.iter().map(|c| c.nodes.count_ones() > 1 && !outer.contains(&c.key)).collect();
            weights_at.extend(points.iter().zip(polygon.iter()).map(|(p, c)| (Place::of(p), c.weights)));
            facets.push((points, within));
        }
        facets.iter().for_each(|(points, within): &(Vec<Point>, Vec<bool>)| outline.add(points, within));
        let polygons = straightened(vec![outline], true).unwrap_or_default();
        let whole = polygons.iter().flat_map(|polygon| {
            let triangles = flat_triangles(polygon).unwrap_or_else(|| fans(polygon));
            triangles.into_iter().map(|t| t.map(|k| polygon.points[k as usize]))
        });
        for points in whole {
            let corners = points.map(|p| self.vertex(&p));
            let weights = points.map(|p| weights_at.get(&Place::of(&p)).map_or([0.0; 3], |w| slots.map(|s| w[s])));
            if proper(&corners) {
                self.surface.triangles.push(Triangle { corners, face: Face::Skin { source, weights } });
            }
        }
    }

    /// Whether every edge has its opposite, as often.
    fn is_closed(&self) -> bool {
        let mut balance: HashMap<(u32, u32), i32> = HashMap::new();
        let cracks = self.cracks.iter().map(|crack| crack.corners);
        for [a, b, c] in self.surface.triangles.iter().map(|t| t.corners).chain(cracks) {
            for (u, v) in [(a, b), (b, c), (c, a)] {
                *balance.entry((u.min(v), u.max(v))).or_insert(0) += if u < v { 1 } else { -1 };
            }
        }
        balance.values().all(|sum| *sum == 0)
    }

    /// The cracks of a piece as flat polygons.
    fn add_flat_cracks(&mut self, triangles: &[([Point; 3], u32)]) {
        for &(points, neighbour) in triangles {
            let corners = points.map(|p| self.vertex(&p));
            if proper(&corners) {
                self.cracks.push(CrackTriangle { corners, neighbour });
            }
        }
    }

    /// The cracks of a piece facet by facet.
    fn add_cracks(&mut self, facets: Vec<CrackFacet>) {
        for facet in facets {
            for fan in fan(&facet.points) {
                let corners = fan.map(|k| self.vertex(&facet.points[k]));
                if proper(&corners) {
                    self.cracks.push(CrackTriangle { corners, neighbour: facet.neighbour });
                }
            }
        }
    }

    /// A texture plane through the crack towards each neighbour.
    fn texture_planes(&self) -> BTreeMap<u32, [Vector; 2]> {
        let vertices = &self.surface.vertices;
        let mut normals: BTreeMap<u32, Vector> = BTreeMap::new();
        for crack in &self.cracks {
            let points = crack.corners.map(|c| vertices[c as usize]);
            *normals.entry(crack.neighbour).or_default() += area_normal(&points);
        }
        normals.into_iter().map(|(f, normal)| (f, axes_across(&normal))).collect()
    }

    /// Gives the cracks their texture coordinates, and hands over the surface with the axes of these.
    fn finish(mut self) -> (Surface, BTreeMap<u32, [Vector; 2]>) {
        let planes = self.texture_planes();
        let vertices = &self.surface.vertices;
        for crack in &self.cracks {
            let axes = &planes[&crack.neighbour];
            let uv = crack.corners.map(|c| axes.map(|axis| axis.dot(&vertices[c as usize].coords)));
            let neighbour = Some(crack.neighbour).filter(|f| *f != NONE);
            self.surface.triangles.push(Triangle { corners: crack.corners, face: Face::Crack { neighbour, uv } });
        }
        (self.surface, planes)
    }
}

/// All facets of a piece on cracks, but for those on some planes; with corners on a grid of some step, if there is one.
fn crack_facets(object: &Object, snap: Option<f64>, without: &[CellPlane]) -> Vec<CrackFacet> {
    let (solid, made, piece) = (object.asset().solid(), object.made_by(), object.piece_number());
    let mut scratch = CrackScratch::default();
    let mut facets = vec![];
    for &k in made.cuts_of(piece) {
        let (k, tet) = (k as usize, made.cut_tets().tets[k as usize].tet);
        let places = solid.corners(tet);
        let is_positive = solid.signed_volume(tet) > 0.0;
        let splits = made.cut_tets().splits_at(k);
        each_crack_polygon(
            made.cut_tets(),
            k,
            &solid.tets()[tet as usize],
            &mut scratch,
            |inside, outside, split, polygon| {
                let [a, b] =
                    [Some(inside), outside].map(|region| region.map_or(NONE, |r| made.cut_tets().regions[r].piece));
                let Split { generation, cells, .. } = splits[split];
                if a == b || (a != piece && b != piece) || without.iter().any(|p| p.is(generation, cells)) {
                    return;
                }
                let (is_inside, neighbour) = if a == piece { (true, b) } else { (false, a) };
                let mut points: Vec<Point> = polygon.iter().map(|c| place(c, &places, snap)).collect();
                let between = |corner: &Corner| {
                    let opposite = (!corner.nodes & 0b1111).trailing_zeros() as usize;
                    corner.nodes.count_ones() == 3 && matches!(solid.across(tet, opposite & 3), Across::Tet(_))
                };
                let mut is_between: Vec<bool> = polygon.iter().map(between).collect();
                // Clockwise seen from outside of the region inside, or the other way round.
                if is_inside == is_positive {
                    points.reverse();
                    is_between.reverse();
                }
                facets.push(CrackFacet { points, is_between, neighbour, generation, cells });
            },
        );
    }
    facets
}

/// The triangles of flat polygons that facets on the same plane make together, with what is across; `None` if one is not flat, unless
/// `any_shape` will do.
fn joined(facets: &[CrackFacet], any_shape: bool) -> Option<Vec<([Point; 3], u32)>> {
    let mut outlines: BTreeMap<(u32, [u32; 2], u32), Outline> = BTreeMap::new();
    for facet in facets {
        let outline = outlines.entry((facet.generation, facet.cells, facet.neighbour)).or_default();
        outline.add(&facet.points, &facet.is_between);
    }
    let (keys, outlines): (Vec<_>, Vec<_>) = outlines.into_iter().unzip();
    let mut triangles = vec![];
    for (polygon, (_, _, neighbour)) in straightened(outlines, false)?.iter().zip(keys) {
        let flat = flat_triangles(polygon).or_else(|| any_shape.then(|| fans(polygon)))?;
        triangles.extend(flat.into_iter().map(|t| (t.map(|k| polygon.points[k as usize]), neighbour)));
    }
    Some(triangles)
}

/// A triangle whose corners are three points; others bound nothing, and their edges cancel.
fn proper([a, b, c]: &[u32; 3]) -> bool {
    a != b && b != c && c != a
}
