//! A drawing mesh bound to a solid: its points, each once, its triangles in runs that are near each other, and for any point the
//! point of the solid that decides who owns it.
//!
//! A point within the tetrahedra is its own anchor. A point outside is anchored to the closest point of the skin, not to its
//! tetrahedron extended outwards: planes of neighbouring tetrahedra that agree on their common face drift apart beyond the
//! skin, while closest points move continuously, and on the skin every crack is where it is.

use crate::bvh::{Bvh, closest_weights};
use crate::error::{Result, bad_argument};
use crate::geom::aabb::Aabb;
use crate::geom::counting_sort::group;
use crate::geom::{Point, Vector, morton};
use crate::grid::distance::over_skin;
use crate::grid::location::Locator;
use crate::heap::held;
use crate::solid::Solid;
use crate::solid::drawing::DrawingMesh;
use crate::tasks::Tasks;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Triangles in a run.
const RUN: usize = 32;
/// Where the mesh is the skin, they are no farther apart than this, in radii of the solid, and their areas differ by no larger share.
const SAME: f64 = 1e-9;
const SAME_AREA: f64 = 1e-6;

/// A point of the solid that stands for a point of a drawing mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The tetrahedron.
    pub tet: u32,
    /// Barycentric coordinates in it.
    pub weights: [f64; 4],
}

/// Some triangles that are near each other.
#[derive(Clone, Debug)]
pub struct Run {
    /// Box around them.
    pub bounds: Aabb,
    places: Range<usize>,
}

/// A drawing mesh and its place in a solid.
#[derive(Debug)]
pub struct Binding {
    mesh: Arc<DrawingMesh>,
    /// Positions, each once.
    points: Vec<Point>,
    /// Of each vertex.
    point_of: Vec<u32>,
    /// Edges without a triangle on the other side, lower point first, sorted.
    borders: Vec<[u32; 2]>,
    /// Triangles, run by run.
    order: Vec<u32>,
    runs: Vec<Run>,
    /// How far it reaches out of the solid.
    overhang: f64,
    skin: Bvh,
    /// See [`Binding::over_skin`]; found on first use.
    over_skin: OnceLock<Option<Vec<u32>>>,
}

impl Binding {
    /// Binds a mesh to a solid.
    pub fn new(solid: &Solid, locator: &Locator, mesh: Arc<DrawingMesh>, tasks: &Tasks) -> Result<Self> {
        let mut made = Self::restore(solid, mesh, 0.0)?;
        let middle = solid.bounds().centre();
        let outside = |p: &Point| match locator.find(&(p - middle).cast()) {
            Some(_) => 0.0,
            None => made.skin.closest_point(p, f64::INFINITY).map_or(0.0, |hit| hit.distance),
        };
        let mesh = &made.mesh;
        let middle_of = |t: &[u32; 3]| Aabb::around(&t.map(|v| mesh.positions()[v as usize])).centre();
        let farthest = |points: &mut dyn Iterator<Item = Point>| points.map(|p| outside(&p)).fold(0.0, f64::max);
        let of_points =
            tasks.map_chunks(made.points.len(), 256, |range| farthest(&mut made.points[range].iter().copied()));
        let of_middles = tasks.map_chunks(mesh.triangles().len(), 256, |range| {
            farthest(&mut mesh.triangles()[range].iter().map(middle_of))
        });
        // Between these it may be a little farther.
        made.overhang = 1.5 * of_points.into_iter().chain(of_middles).fold(0.0, f64::max);
        Ok(made)
    }

    /// A binding whose overhang is known.
    pub(crate) fn restore(solid: &Solid, mesh: Arc<DrawingMesh>, overhang: f64) -> Result<Self> {
        check_place(solid, &mesh)?;
        let (points, point_of) = mesh.welded();
        let borders = borders(&mesh, points.len(), &point_of);
        let (order, runs) = runs_of(&mesh);
        Ok(Self {
            mesh,
            points,
            point_of,
            borders,
            order,
            runs,
            overhang,
            skin: over_skin(solid)?,
            over_skin: OnceLock::new(),
        })
    }

    /// How far the mesh reaches out of the solid, and a little more.
    pub fn overhang(&self) -> f64 {
        self.overhang
    }

    /// The mesh as the artist made it.
    pub fn mesh(&self) -> &DrawingMesh {
        &self.mesh
    }

    /// Positions, each once.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The point of a vertex.
    pub fn point_of(&self, vertex: u32) -> u32 {
        self.point_of[vertex as usize]
    }

    /// Whether every edge has triangles on both sides.
    pub fn is_closed(&self) -> bool {
        self.borders.is_empty()
    }

    /// Edges without a triangle on the other side, lower point first, sorted.
    pub fn borders(&self) -> &[[u32; 2]] {
        &self.borders
    }

    /// All triangles, in runs.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The triangles of a run.
    pub fn triangles_of(&self, run: &Run) -> &[u32] {
        &self.order[run.places.clone()]
    }

    /// The anchor of any point; `middle` is that of the solid's box.
    pub fn anchor_of(&self, solid: &Solid, locator: &Locator, middle: &Point, p: &Point) -> Anchor {
        match locator.find(&(p - middle).cast()) {
            Some(found) => within(solid, found.tet, p),
            None => match self.skin.closest_point(p, f64::INFINITY) {
                Some(hit) => on_skin(solid, hit.triangle, p),
                None => within(solid, 0, p),
            },
        }
    }

    /// The point of the skin closest to `p`.
    pub fn foot(&self, p: &Point) -> Point {
        self.skin.closest_point(p, f64::INFINITY).map_or(*p, |hit| hit.point)
    }

    /// If the mesh is the skin itself, each triangle of which is one of the artist's or a part of one: the artist's triangle over each.
    pub fn over_skin(&self, solid: &Solid) -> Option<&[u32]> {
        self.over_skin.get_or_init(|| self.find_over_skin(solid)).as_deref()
    }

    fn find_over_skin(&self, solid: &Solid) -> Option<Vec<u32>> {
        let near = SAME * solid.bounds().radius();
        if self.overhang > near || !self.is_closed() {
            return None;
        }
        let corners = |t: &[u32; 3]| t.map(|v| self.mesh.positions()[v as usize]);
        let artists: Vec<[Point; 3]> = self.mesh.triangles().iter().map(corners).collect();
        let tree = Bvh::new(&artists).ok()?;
        let area = |[a, b, c]: &[Point; 3]| 0.5 * (b - a).cross(&(c - a)).norm();
        let mut covered = 0.0;
        let over = solid.skin().iter().map(|own| {
            let own = own.nodes.map(|n| solid.nodes()[n as usize]);
            let middle = Point::from((own[0].coords + own[1].coords + own[2].coords) / 3.0);
            let hit = tree.closest_point(&middle, near)?;
            let above = &artists[hit.triangle as usize];
            let is_over = |p: &Point| {
                let weights = closest_weights(p, above);
                let at = (0..3).fold(Vector::zeros(), |at, k| at + above[k].coords * weights[k]);
                (p.coords - at).norm() <= near
            };
            covered += area(&own);
            own.iter().all(is_over).then_some(hit.triangle)
        });
        let over: Option<Vec<u32>> = over.collect();
        let all: f64 = artists.iter().map(area).sum();
        over.filter(|_| (covered - all).abs() <= SAME_AREA * all)
    }

    /// Bytes on the heap, without the tree of the skin.
    pub fn bytes(&self) -> usize {
        let over_skin = self.over_skin.get().and_then(Option::as_ref).map_or(0, held);
        let lists = held(&self.points) + held(&self.point_of) + held(&self.borders);
        self.mesh.bytes() + lists + held(&self.order) + held(&self.runs) + over_skin
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

/// Triangles along a curve through space, some at a time.
fn runs_of(mesh: &DrawingMesh) -> (Vec<u32>, Vec<Run>) {
    let corners = |t: u32| mesh.triangles()[t as usize].map(|v| mesh.positions()[v as usize]);
    let middle = |t: u32| Aabb::around(&corners(t)).centre();
    let middles: Vec<Point> = (0..mesh.triangles().len() as u32).map(middle).collect();
    let order = morton::order(&middles);
    let run = |(number, triangles): (usize, &[u32])| {
        let mut bounds = Aabb::EMPTY;
        triangles.iter().flat_map(|t| corners(*t)).for_each(|p| bounds.grow(&p));
        Run { bounds, places: number * RUN..number * RUN + triangles.len() }
    };
    let runs = order.chunks(RUN).enumerate().map(run).collect();
    (order, runs)
}

/// The anchor of a point in a tetrahedron.
fn within(solid: &Solid, tet: u32, p: &Point) -> Anchor {
    let [a, b, c, d] = solid.corners(tet);
    let edges = nalgebra::Matrix3::from_columns(&[b - a, c - a, d - a]);
    // Every tetrahedron of a solid has volume.
    let w: Vector = edges.try_inverse().unwrap_or_default() * (p - a);
    Anchor { tet, weights: [1.0 - w.sum(), w.x, w.y, w.z] }
}

/// The anchor of a point above a triangle of the skin.
fn on_skin(solid: &Solid, triangle: u32, p: &Point) -> Anchor {
    let triangle = solid.skin()[triangle as usize];
    let on_face = closest_weights(p, &triangle.nodes.map(|n| solid.nodes()[n as usize]));
    let mut weights = [0.0; 4];
    for (slot, node) in solid.tets()[triangle.tet as usize].iter().enumerate() {
        if let Some(k) = triangle.nodes.iter().position(|n| n == node) {
            weights[slot] = on_face[k];
        }
    }
    Anchor { tet: triangle.tet, weights }
}

/// Mean length of the edges of a tetrahedron.
pub fn mean_edge(solid: &Solid, tet: u32) -> f64 {
    let c = solid.corners(tet);
    (0..4).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| (c[i] - c[j]).norm()).sum::<f64>() / 6.0
}

fn borders(mesh: &DrawingMesh, points: usize, point_of: &[u32]) -> Vec<[u32; 2]> {
    // Gathered by their lower points: many short sorts instead of a long one.
    let (mut lower, mut higher) = (vec![], vec![]);
    for corners in mesh.triangles() {
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
