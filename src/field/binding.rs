//! A drawing mesh bound to a solid: for each of its points the point of the solid that decides who owns it.
//!
//! A point within the tetrahedra is its own anchor. A point outside is anchored to the closest point of the skin, not to its
//! tetrahedron extended outwards: planes of neighbouring tetrahedra that agree on their common face drift apart beyond the
//! skin, while closest points move continuously, and on the skin every crack is where it is.
//!
//! Cracks are found by looking at the points of the mesh, so no edge of it may be much longer than the tetrahedra are: where an
//! artist was content with two triangles for the side of a wall, the mesh is refined. Whether an edge is divided depends on
//! its two ends alone, so triangles on both sides of it (of a seam too) do the same, and no corner comes to lie on an edge.
//! An intact body is drawn as the artist made it; fragments (and one of several bodies of an asset) from the refined mesh.

use super::breaks::group;
use super::grid::over_skin;
use super::location::Locator;
use crate::bvh::{Bvh, closest_weights};
use crate::error::{Error, Result, bad_argument, bad_data};
use crate::geom::{Point, Vector};
use crate::heap::held;
use crate::solid::Solid;
use crate::solid::drawing::{DrawingMesh, divided};
use crate::tasks::Tasks;
use std::collections::HashMap;
use std::sync::Arc;

/// Edges are at most this long, in mean edges of the tetrahedra at their ends.
const LONGEST: f64 = 0.5;
/// A refined mesh may have this many triangles.
const MOST_TRIANGLES: usize = 1 << 23;
/// Marks skin triangles among the codes of anchors.
const SKIN_BIT: u32 = 1 << 31;

/// A point of the solid that stands for a point of a drawing mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The tetrahedron.
    pub tet: u32,
    /// Barycentric coordinates in it.
    pub weights: [f64; 4],
}

/// A drawing mesh with its anchors.
#[derive(Debug)]
pub struct Binding {
    /// As the artist made it.
    mesh: Arc<DrawingMesh>,
    /// With edges that are short enough; often the same.
    fine: Arc<DrawingMesh>,
    /// Positions of the fine mesh, each once.
    points: Vec<Point>,
    /// Of each vertex of the fine mesh.
    point_of: Vec<u32>,
    anchors: Vec<Anchor>,
    /// The tetrahedron or, with the top bit set, the skin triangle that each anchor lies in.
    codes: Vec<u32>,
    /// Triangles of the fine mesh by the lowest nodes of the tetrahedra at their corners.
    by_node: Vec<u32>,
    by_node_start: Vec<usize>,
    /// Edges of the fine mesh without a triangle on the other side, lower point first, sorted.
    borders: Vec<[u32; 2]>,
    skin: Bvh,
}

impl Binding {
    /// Binds a mesh to a solid.
    pub fn new(solid: &Solid, locator: &Locator, mesh: Arc<DrawingMesh>, tasks: &Tasks) -> Result<Self> {
        let skin = over_skin(solid)?;
        let middle = solid.bounds().centre();
        let code = |p: &Point| code_of(&skin, locator, &middle, p);
        let codes = |points: &[Point]| {
            Ok(tasks
                .map_chunks(points.len(), 256, |range| range.map(|k| code(&points[k])).collect::<Vec<_>>())
                .concat())
        };
        Self::make(solid, mesh, skin.clone(), codes)
    }

    /// A binding from the codes of its anchors.
    pub(crate) fn restore(solid: &Solid, mesh: Arc<DrawingMesh>, saved: Vec<u32>) -> Result<Self> {
        let (mut taken, all) = (0, &saved);
        let codes = |points: &[Point]| {
            let Some(next) = all.get(taken..taken + points.len()) else {
                bad_data!("the drawing mesh has more points than the {} anchors that are there", all.len());
            };
            taken += points.len();
            for code in next {
                let (number, count) = match code & SKIN_BIT {
                    0 => (*code, solid.tets().len()),
                    _ => (code & !SKIN_BIT, solid.skin().len()),
                };
                if number as usize >= count {
                    bad_data!("an anchor of the drawing mesh is in element {number} of {count}");
                }
            }
            Ok(next.to_vec())
        };
        let made = Self::make(solid, mesh, over_skin(solid)?, codes)?;
        if made.codes.len() != saved.len() {
            bad_data!("the drawing mesh has {} points, but {} anchors", made.codes.len(), saved.len());
        }
        Ok(made)
    }

    fn make(
        solid: &Solid,
        mesh: Arc<DrawingMesh>,
        skin: Bvh,
        mut find: impl FnMut(&[Point]) -> Result<Vec<u32>>,
    ) -> Result<Self> {
        check_place(solid, &mesh)?;
        let (points, point_of) = mesh.welded();
        let codes = find(&points)?;
        let mut refiner = Refiner { sizes: vec![], fine: mesh.clone(), points, point_of, codes };
        refiner.measure(solid);
        while refiner.pass(solid, &mut find)? {}
        let Refiner { fine, points, point_of, codes, .. } = refiner;
        let anchors: Vec<Anchor> = points.iter().zip(&codes).map(|(p, code)| anchor_at(solid, *code, p)).collect();
        let (by_node, by_node_start) = triangles_by_node(solid, &fine, &point_of, &anchors);
        let borders = borders(&fine, points.len(), &point_of);
        Ok(Self { mesh, fine, points, point_of, anchors, codes, by_node, by_node_start, borders, skin })
    }

    /// The mesh as the artist made it.
    pub fn mesh(&self) -> &DrawingMesh {
        &self.mesh
    }

    /// The mesh with edges that are short enough to find cracks by.
    pub fn fine(&self) -> &DrawingMesh {
        &self.fine
    }

    /// Positions of the fine mesh, each once.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The point of a vertex of the fine mesh.
    pub fn point_of(&self, vertex: u32) -> u32 {
        self.point_of[vertex as usize]
    }

    /// The anchor of a point.
    pub fn anchor(&self, point: u32) -> &Anchor {
        &self.anchors[point as usize]
    }

    /// Whether every edge has triangles on both sides.
    pub fn is_closed(&self) -> bool {
        self.borders.is_empty()
    }

    /// Edges without a triangle on the other side, lower point first, sorted.
    pub fn borders(&self) -> &[[u32; 2]] {
        &self.borders
    }

    /// The triangles of the fine mesh that have a corner in a tetrahedron whose lowest node is this one.
    pub fn triangles_at(&self, node: u32) -> &[u32] {
        &self.by_node[self.by_node_start[node as usize]..self.by_node_start[node as usize + 1]]
    }

    /// The anchor of any point.
    pub fn anchor_of(&self, solid: &Solid, locator: &Locator, middle: &Point, p: &Point) -> Anchor {
        anchor_at(solid, code_of(&self.skin, locator, middle, p), p)
    }

    /// The point of the skin closest to `p`.
    pub fn foot(&self, p: &Point) -> Point {
        self.skin.closest_point(p, f64::INFINITY).map_or(*p, |hit| hit.point)
    }

    /// For saving: what takes long to find.
    pub(crate) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Bytes on the heap, without the tree of the skin.
    pub fn bytes(&self) -> usize {
        let fine = if Arc::ptr_eq(&self.mesh, &self.fine) { 0 } else { self.fine.bytes() };
        self.mesh.bytes()
            + fine
            + held(&self.points)
            + held(&self.point_of)
            + held(&self.anchors)
            + held(&self.codes)
            + held(&self.by_node)
            + held(&self.by_node_start)
            + held(&self.borders)
    }
}

/// A mesh that is nowhere near its solid is in other units, or another thing's.
fn check_place(solid: &Solid, mesh: &DrawingMesh) -> Result<()> {
    let bounds = solid.bounds();
    let (centre, most) = (bounds.centre(), 3.0 * bounds.radius());
    if let Some(k) = mesh.positions().iter().position(|p| (p - centre).norm() > most) {
        bad_argument!(
            "positions[{k}] of the drawing mesh is {:.3e} away from the middle of the solid, whose radius is {:.3e}; are both in the same units and frame?",
            (mesh.positions()[k] - centre).norm(),
            bounds.radius()
        );
    }
    Ok(())
}

fn code_of(skin: &Bvh, locator: &Locator, middle: &Point, p: &Point) -> u32 {
    match locator.find(&(p - middle).cast()) {
        Some(found) => found.tet,
        None => skin.closest_point(p, f64::INFINITY).map_or(0, |hit| hit.triangle | SKIN_BIT),
    }
}

fn anchor_at(solid: &Solid, code: u32, p: &Point) -> Anchor {
    if code & SKIN_BIT == 0 {
        let [a, b, c, d] = solid.corners(code);
        let edges = nalgebra::Matrix3::from_columns(&[b - a, c - a, d - a]);
        // Every tetrahedron of a solid has volume.
        let w: Vector = edges.try_inverse().unwrap_or_default() * (p - a);
        return Anchor { tet: code, weights: [1.0 - w.sum(), w.x, w.y, w.z] };
    }
    let triangle = solid.skin()[(code & !SKIN_BIT) as usize];
    let on_face = closest_weights(p, &triangle.nodes.map(|n| solid.nodes()[n as usize]));
    let mut weights = [0.0; 4];
    for (slot, node) in solid.tets()[triangle.tet as usize].iter().enumerate() {
        if let Some(k) = triangle.nodes.iter().position(|n| n == node) {
            weights[slot] = on_face[k];
        }
    }
    Anchor { tet: triangle.tet, weights }
}

/// Divides edges that are too long, in passes over all triangles.
struct Refiner {
    fine: Arc<DrawingMesh>,
    points: Vec<Point>,
    point_of: Vec<u32>,
    codes: Vec<u32>,
    /// How long edges may be at each point.
    sizes: Vec<f64>,
}

impl Refiner {
    fn measure(&mut self, solid: &Solid) {
        for code in &self.codes[self.sizes.len()..] {
            let tet = if code & SKIN_BIT == 0 { *code } else { solid.skin()[(code & !SKIN_BIT) as usize].tet };
            self.sizes.push(LONGEST * mean_edge(solid, tet));
        }
    }

    fn is_too_long(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        (self.points[a] - self.points[b]).norm() > self.sizes[a].min(self.sizes[b])
    }

    /// Divides every edge that is too long once; whether there was any.
    fn pass(&mut self, solid: &Solid, find: &mut impl FnMut(&[Point]) -> Result<Vec<u32>>) -> Result<bool> {
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
        let first_new = self.points.len();
        for corners in self.fine.triangles() {
            let ends = corners.map(|v| self.point_of[v as usize]);
            for k in 0..3 {
                let (a, b) = (ends[k], ends[(k + 1) % 3]);
                let key = [a.min(b), a.max(b)];
                if self.is_too_long(a, b) && !middles.contains_key(&key) {
                    middles.insert(key, self.points.len() as u32);
                    self.points.push(nalgebra::center(&self.points[a as usize], &self.points[b as usize]));
                }
            }
        }
        if middles.is_empty() {
            return Ok(false);
        }
        self.codes.extend(find(&self.points[first_new..])?);
        self.measure(solid);

        let (old_triangles, old_materials) = (self.fine.triangles().to_vec(), self.fine.materials().to_vec());
        let fine = Arc::make_mut(&mut self.fine);
        let mut vertices: HashMap<[u32; 2], u32> = HashMap::new();
        let (mut triangles, mut materials) = (vec![], vec![]);
        for (corners, material) in old_triangles.iter().zip(&old_materials) {
            let mut between = [None; 3];
            for k in 0..3 {
                let (v, w) = (corners[k], corners[(k + 1) % 3]);
                let (a, b) = (self.point_of[v as usize], self.point_of[w as usize]);
                if let Some(point) = middles.get(&[a.min(b), a.max(b)]) {
                    between[k] = Some(*vertices.entry([v.min(w), v.max(w)]).or_insert_with(|| {
                        self.point_of.push(*point);
                        fine.push_middle([v, w])
                    }));
                }
            }
            triangles.extend(divided(*corners, between));
            materials.resize(triangles.len(), *material);
        }
        if triangles.len() > MOST_TRIANGLES {
            let text =
                format!("the drawing mesh would need more than {MOST_TRIANGLES} triangles to follow the tetrahedra");
            return Err(Error::TooLarge(text));
        }
        fine.replace_triangles(triangles, materials);
        Ok(true)
    }
}

/// Mean length of the edges of a tetrahedron.
pub fn mean_edge(solid: &Solid, tet: u32) -> f64 {
    let c = solid.corners(tet);
    (0..4).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| (c[i] - c[j]).norm()).sum::<f64>() / 6.0
}

fn triangles_by_node(
    solid: &Solid,
    fine: &DrawingMesh,
    point_of: &[u32],
    anchors: &[Anchor],
) -> (Vec<u32>, Vec<usize>) {
    let lowest = |v: u32| solid.tets()[anchors[point_of[v as usize] as usize].tet as usize][0];
    let (mut nodes, mut triangles) = (vec![], vec![]);
    for (corners, t) in fine.triangles().iter().zip(0u32..) {
        let found = corners.map(lowest);
        for k in (0..3).filter(|k| !found[..*k].contains(&found[*k])) {
            nodes.push(found[k]);
            triangles.push(t);
        }
    }
    group(solid.nodes().len(), &nodes, |k| triangles[k])
}

fn borders(fine: &DrawingMesh, points: usize, point_of: &[u32]) -> Vec<[u32; 2]> {
    // Gathered by their lower points: many short sorts instead of a long one.
    let (mut lower, mut higher) = (vec![], vec![]);
    for corners in fine.triangles() {
        let ends = corners.map(|v| point_of[v as usize]);
        for k in 0..3 {
            let (a, b) = (ends[k], ends[(k + 1) % 3]);
            lower.push(a.min(b));
            higher.push((a.max(b), if a < b { 1 } else { -1 }));
        }
    }
    let (mut edges, starts) = group(points, &lower, |k| higher[k]);
    let mut borders = vec![];
    for (point, range) in starts.windows(2).enumerate() {
        let edges = &mut edges[range[0]..range[1]];
        edges.sort_unstable();
        for run in edges.chunk_by(|e, f| e.0 == f.0) {
            if run[0].0 != point as u32 && run.iter().map(|e| e.1).sum::<i32>() != 0 {
                borders.push([point as u32, run[0].0]);
            }
        }
    }
    borders
}
