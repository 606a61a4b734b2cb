//! A soft body: tetrahedra whose nodes move every step and that may be cut. One thread writes, any number reads between updates.

use super::depth::{DepthMethod, DepthStats, Shape};
use super::links::Links;
use super::mesh::{REMOVED, TetMesh};
use super::scratch::PenaltyScratch;
use super::tree::BoxTree;
use crate::deform::tree::Builder;
use crate::error::{Result, bad_argument};
use crate::field::SignedDistance;
use crate::geom::aabb::Aabb;
use crate::geom::tet_tet::overlap;
use crate::geom::{NONE, Point, Vector};
use crate::heap::held;
use nalgebra::Matrix3;

/// Coordinates that are accepted, in metres.
const FARTHEST: f64 = 1e9;
/// Barycentric weights of a point on a face are off by less than this: else a point between tetrahedra might be in none.
const ROUNDED: f64 = 1e-12;
/// Volumes that are none: with edges of up to 4e9 m, cofactors over the determinant stay finite.
const LEAST: f64 = 1e-280;

/// What an update found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoftStats {
    /// Tetrahedra that are inverted or have no volume: they take no part in queries until they have one.
    pub inverted: usize,
    /// Tetrahedra that are there.
    pub tets: usize,
    /// Triangles of the boundary.
    pub boundary: usize,
}

/// A body of tetrahedra that deforms.
///
/// ```
/// use fracas::Point;
/// use fracas::penalty::SoftBody;
///
/// let nodes = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
/// let mut body = SoftBody::new(&nodes, &[[0, 1, 2, 3]])?;
/// assert!((body.signed_distance(&Point::new(0.1, 0.2, 0.3))?.distance + 0.1).abs() < 1e-12);
///
/// body.set_positions(nodes.iter().map(|p| p * 2.0))?;
/// body.update();
/// assert!((body.signed_distance(&Point::new(0.2, 0.4, 0.6))?.distance + 0.2).abs() < 1e-12);
/// # Ok::<(), fracas::Error>(())
/// ```
#[derive(Clone)]
pub struct SoftBody {
    pub(super) mesh: TetMesh,
    pub(super) links: Links,
    pub(super) positions: Vec<Point>,
    /// Over the tetrahedra.
    pub(super) volume: BoxTree,
    /// Over the faces of the boundary.
    pub(super) surface: BoxTree,
    /// Whether positions or tetrahedra changed since the last update, and whether the trees fit the tetrahedra.
    is_stale: bool,
    is_cut: bool,
    stats: SoftStats,
}

impl SoftBody {
    /// A body, ready for queries. Tetrahedra may be listed in either sense. Fails if the mesh has mistakes, and names them.
    pub fn new(positions: &[Point], tets: &[[u32; 4]]) -> Result<Self> {
        Self::with_sense(positions, tets, false)
    }

    /// The same of tetrahedra that are all listed right-handed: those that are inverted now, or have no volume, are accepted, and wait for
    /// one. For bodies that are deformed already, and for [fragments](crate::Object::tets).
    pub fn oriented(positions: &[Point], tets: &[[u32; 4]]) -> Result<Self> {
        Self::with_sense(positions, tets, true)
    }

    fn with_sense(positions: &[Point], tets: &[[u32; 4]], is_oriented: bool) -> Result<Self> {
        check(positions.iter().copied())?;
        let mesh = TetMesh::new(tets, positions, is_oriented)?;
        let mut body = Self {
            links: Links::default(),
            mesh,
            positions: positions.to_vec(),
            volume: BoxTree::default(),
            surface: BoxTree::default(),
            is_stale: true,
            is_cut: true,
            stats: SoftStats::default(),
        };
        body.update();
        Ok(body)
    }

    /// New positions of all nodes. Fails, and changes nothing, if one is not finite or their number is wrong.
    pub fn set_positions(&mut self, positions: impl ExactSizeIterator<Item = Point> + Clone) -> Result<()> {
        if positions.len() != self.positions.len() {
            bad_argument!("there are {} positions for {} nodes", positions.len(), self.positions.len());
        }
        check(positions.clone())?;
        self.positions.clear();
        self.positions.extend(positions);
        self.is_stale = true;
        Ok(())
    }

    /// A cut: nodes are added after the others, most of them doubles of old ones, and some tetrahedra get other corners, or
    /// [are removed](Self::REMOVED). Numbers that follow the last are new tetrahedra. Fails, and changes nothing, if faces then do not fit.
    pub fn cut(&mut self, nodes: &[Point], changes: &[(u32, [u32; 4])]) -> Result<()> {
        check(nodes.iter().copied())?;
        let before = self.positions.len();
        self.positions.extend_from_slice(nodes);
        if let Err(error) = self.mesh.change(changes, &self.positions) {
            self.positions.truncate(before);
            return Err(error);
        }
        self.is_stale = true;
        self.is_cut = true;
        Ok(())
    }

    /// The corners of a tetrahedron that is to be removed.
    pub const REMOVED: [u32; 4] = REMOVED;

    /// Makes the body ready for queries.
    pub fn update(&mut self) -> SoftStats {
        if std::mem::take(&mut self.is_cut) {
            self.connect();
        }
        if std::mem::take(&mut self.is_stale) {
            let Self { mesh, positions, volume, surface, .. } = self;
            let mut stats = SoftStats { inverted: 0, tets: 0, boundary: mesh.boundary.len() };
            volume.refit(|t| {
                let corners = mesh.tets[t as usize].map(|v| &positions[v as usize]);
                stats.tets += 1;
                stats.inverted += !has_volume(corners) as usize;
                corners
            });
            surface.refit(|f| mesh.face(f).map(|v| &positions[v as usize]));
            self.stats = stats;
        }
        self.stats
    }

    /// What hangs together, and trees of new structure.
    fn connect(&mut self) {
        self.links = Links::new(&self.mesh, self.positions.len());
        let middle = |corners: &[u32]| {
            let sum: Vector = corners.iter().map(|v| self.positions[*v as usize].coords).sum();
            Point::from(sum / corners.len() as f64)
        };
        let mut builder = Builder::default();
        let there = (0..).zip(&self.mesh.tets).filter(|(_, tet)| **tet != REMOVED);
        self.volume.build(&mut builder, there.map(|(t, tet)| (t, middle(tet))));
        let faces = self.mesh.boundary.iter().map(|f| (*f, middle(&self.mesh.face(*f))));
        self.surface.build(&mut builder, faces);
    }

    /// Fails if the body was changed since its last update.
    pub(super) fn check_ready(&self) -> Result<()> {
        if !self.is_ready() {
            bad_argument!("the soft body was changed since the last update; update it before a query");
        }
        Ok(())
    }

    pub(super) fn shape(&self) -> Shape<'_> {
        Shape { mesh: &self.mesh, links: &self.links, positions: &self.positions, surface: &self.surface }
    }

    /// Whether nothing was changed since the last update.
    pub fn is_ready(&self) -> bool {
        !self.is_stale && !self.is_cut
    }

    /// What the last update found.
    pub fn stats(&self) -> SoftStats {
        self.stats
    }

    /// The box around it, as of the last update; `None` if all of it was removed.
    pub fn bounds(&self) -> Option<Aabb> {
        self.volume.bounds()
    }

    /// Boxes of the tree over the tetrahedra at a level, 0 for one around all; leaves above it, too.
    pub fn boxes(&self, level: u32, visit: impl FnMut(&Aabb)) {
        self.volume.boxes(level, visit);
    }

    /// Node positions.
    pub fn positions(&self) -> &[Point] {
        &self.positions
    }

    /// Number of tetrahedra, those that were removed included.
    pub fn tet_count(&self) -> usize {
        self.mesh.tets.len()
    }

    /// The boundary: corners, counter-clockwise seen from outside.
    pub fn boundary(&self) -> impl ExactSizeIterator<Item = [u32; 3]> + '_ {
        self.mesh.boundary.iter().map(|f| self.mesh.face(*f))
    }

    /// The depths of all nodes: distances to the boundary.
    pub fn depths(&self, method: DepthMethod) -> Result<(Vec<f64>, DepthStats)> {
        let mut scratch = PenaltyScratch::default();
        let (depths, stats) = self.find_depths(None, method, &mut scratch)?;
        Ok((depths.to_vec(), stats))
    }

    /// The depths of some nodes, in their order: a partial update, which ends as soon as they are known.
    pub fn depths_of(&self, nodes: &[u32], method: DepthMethod) -> Result<(Vec<f64>, DepthStats)> {
        let mut scratch = PenaltyScratch::default();
        let (depths, stats) = self.find_depths(Some(nodes), method, &mut scratch)?;
        Ok((nodes.iter().map(|v| depths[*v as usize]).collect(), stats))
    }

    /// The depths of some nodes, or of all, by their numbers, in memory that is kept; not a number where it was not asked for.
    pub fn find_depths<'a>(
        &self,
        nodes: Option<&[u32]>,
        method: DepthMethod,
        scratch: &'a mut PenaltyScratch,
    ) -> Result<(&'a [f64], DepthStats)> {
        self.check_ready()?;
        let stats = match nodes {
            None => scratch.depths.find_all(&self.shape(), method),
            Some(nodes) => {
                if let Some(node) = nodes.iter().find(|v| **v as usize >= self.positions.len()) {
                    bad_argument!("node {node} is not in the body; it has {}", self.positions.len());
                }
                scratch.depths.find(&self.shape(), method, nodes)
            }
        };
        Ok((&scratch.depths.depth, stats))
    }

    /// The distance of a point to the boundary, negative inside, and the way out of the body.
    pub fn signed_distance(&self, p: &Point) -> Result<SignedDistance> {
        self.find_distance(p, &mut PenaltyScratch::default())
    }

    /// The same with memory that is kept.
    pub fn find_distance(&self, p: &Point, scratch: &mut PenaltyScratch) -> Result<SignedDistance> {
        self.check_ready()?;
        check([*p].into_iter())?;
        Ok(self.closest(p, scratch).map_or(SignedDistance::FAR, |found| found.signed))
    }

    /// The closest point of the boundary; `None` if there is none.
    pub(super) fn closest(&self, p: &Point, scratch: &mut PenaltyScratch) -> Option<ClosestPoint> {
        scratch.closest.hint = NONE;
        let shape = self.shape();
        let (face, distance) = scratch.closest.closest(&shape, p)?;
        let point = shape.closest_of(face, p);
        let sign = if self.locate_with(p, &mut scratch.pairs).is_some() { -1.0 } else { 1.0 };
        let outward = shape.outward(face, &((p - point) * sign));
        Some(ClosestPoint { face, point, signed: SignedDistance { distance: sign * distance, outward } })
    }

    /// The tetrahedron that a point is in, the lowest of several, and the barycentric coordinates there.
    pub fn locate(&self, p: &Point) -> Option<(u32, [f64; 4])> {
        self.locate_with(p, &mut vec![])
    }

    pub(super) fn locate_with(&self, p: &Point, stack: &mut Vec<[u32; 2]>) -> Option<(u32, [f64; 4])> {
        let mut found: Option<(u32, [f64; 4])> = None;
        self.volume.within(p, p, stack, |t| {
            if found.is_none_or(|(best, _)| t < best)
                && let Some(frame) = self.frame(t)
            {
                let weights = frame.weights(p);
                if weights.iter().all(|w| *w >= -ROUNDED) {
                    found = Some((t, weights));
                }
            }
        });
        found
    }

    /// Appends the pairs of tetrahedra of two bodies that overlap (Marchal 2004, 3), in ascending order. Fails if a body was changed since its
    /// last update.
    pub fn overlapping_tets(&self, other: &Self, out: &mut Vec<[u32; 2]>) -> Result<()> {
        self.check_ready()?;
        other.check_ready()?;
        let first = out.len();
        let corners = |body: &Self, t: u32| body.mesh.tets[t as usize].map(|v| body.positions[v as usize]);
        self.volume.pairs(&other.volume, &mut vec![], |s, t| {
            if overlap(&corners(self, s), &corners(other, t)) {
                out.push([s, t]);
            }
        });
        out[first..].sort_unstable();
        Ok(())
    }

    /// The affine frame of a tetrahedron; `None` if it is inverted or has no volume.
    pub(super) fn frame(&self, tet: u32) -> Option<TetFrame> {
        TetFrame::new(self.mesh.tets[tet as usize].map(|v| &self.positions[v as usize]))
    }

    /// Heap memory, in bytes.
    pub fn bytes(&self) -> usize {
        let trees = self.volume.bytes() + self.surface.bytes();
        self.mesh.bytes() + self.links.bytes() + held(&self.positions) + trees
    }
}

/// The closest point of the boundary to some point.
pub(super) struct ClosestPoint {
    pub face: u32,
    pub point: Point,
    pub signed: SignedDistance,
}

/// Barycentric coordinates in a tetrahedron of positive volume (Marchal 2004, 5.1).
#[derive(Clone, Copy, Debug)]
pub(super) struct TetFrame {
    last: Point,
    /// Rows: gradients of the first three coordinates.
    inverse: Matrix3<f64>,
}

impl TetFrame {
    pub fn new(corners: [&Point; 4]) -> Option<Self> {
        if !has_volume(corners) {
            return None;
        }
        let [a, b, c, d] = corners;
        let inverse = Matrix3::from_columns(&[a - d, b - d, c - d]).try_inverse()?;
        Some(Self { last: *d, inverse })
    }

    #[inline]
    pub fn weights(&self, p: &Point) -> [f64; 4] {
        let u = self.inverse * (p - self.last);
        [u.x, u.y, u.z, 1.0 - u.x - u.y - u.z]
    }

    /// The gradient of what has these values at the corners and is linear between them.
    pub fn gradient(&self, values: &[f64; 4]) -> Vector {
        let [a, b, c, d] = values;
        self.inverse.transpose() * Vector::new(a - d, b - d, c - d)
    }

    /// The part of a segment that is inside, by its parameters, and on which faces it lies, a bit each; `None` if there is none, or only a
    /// point.
    pub fn clip(&self, a: &Point, b: &Point) -> Option<([f64; 2], u32)> {
        let (from, to) = (self.weights(a), self.weights(b));
        let (mut first, mut last, mut on) = (0.0f64, 1.0f64, 0);
        for (k, (p, q)) in from.into_iter().zip(to).enumerate() {
            if p < 0.0 && q < 0.0 {
                return None;
            }
            if p < 0.0 {
                first = first.max(p / (p - q));
            } else if q < 0.0 {
                last = last.min(p / (p - q));
            }
            on |= ((p == 0.0 && q == 0.0) as u32) << k;
        }
        (first < last).then_some(([first, last], on))
    }
}

/// Whether a tetrahedron is right-handed, and large enough for barycentric coordinates in it.
fn has_volume([a, b, c, d]: [&Point; 4]) -> bool {
    // Also false for NaN. The inverse of anything larger is finite, whatever its edges (up to twice the farthest coordinate).
    (b - a).cross(&(c - a)).dot(&(d - a)) > 6.0 * LEAST
}

pub(super) fn check(positions: impl Iterator<Item = Point>) -> Result<()> {
    for (k, p) in positions.enumerate() {
        if !p.iter().all(|c| c.abs() <= FARTHEST) {
            bad_argument!("positions[{k}] is {p}; it must be finite and within {FARTHEST:e} m of the origin");
        }
    }
    Ok(())
}
