//! The penalty response: points and segments of one body within the tetrahedra of another (Marchal 2004, 5).
//!
//! Depth is linear in each tetrahedron, so the load of a segment is known without quadrature: of a part of length L with the depths d1 and d2
//! at its ends, L (2 d1 + d2) / 6 acts at the first end and L (d1 + 2 d2) / 6 at the second. (The paper's text shares the integral another way,
//! which has no potential.) Each end is shared among the nodes of both sides by their weights there: forces and moments of a record cancel.
//!
//! Tetrahedra with four nodes on the boundary (6.2) have no depth between them: there the closest point is measured, at both ends of four parts
//! of a segment.

use super::depth::{DepthMethod, DepthStats};
use super::scratch::{Part, PenaltyScratch};
use super::soft::{SoftBody, TetFrame};
use crate::error::Result;
use crate::geom::triangle::closest;
use crate::geom::{NONE, Point, Vector};
use std::ops::Add;

/// What of a body is looked for in the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Penetrating {
    /// Nothing.
    Nothing,
    /// Nodes of the boundary: faster, and blind for edges that cross.
    Points,
    /// Edges of the boundary.
    #[default]
    Segments,
    /// All edges.
    AllSegments,
}

/// How a response is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PenaltyOptions {
    /// How the depths of nodes are found.
    pub depths: DepthMethod,
    /// What of the first body is looked for in the second, and the other way round.
    pub penetrating: [Penetrating; 2],
    /// Directions from gradients that are shared by the tetrahedra around each node: they do not jump between tetrahedra.
    pub smooth: bool,
}

/// A force to be: the caller multiplies by a stiffness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// 0: a feature of the first body is in the second; 1: the other way round.
    pub side: u32,
    /// Where it acts.
    pub point: Point,
    /// How deep the point is.
    pub depth: f64,
    /// Of points the depth, of segments the share of the integral of the depth along them that acts here (m²).
    pub load: f64,
    /// The length of the segment that it stands for, half of the part inside; of points the area around them, 0 if it is not known.
    pub weight: f64,
    /// Unit vector out of the body that is penetrated: the penetrating feature is pushed along it, the other body against it.
    pub direction: Vector,
    /// The same as the negative gradient of the depth: only `load` times this has a potential.
    pub gradient: Vector,
    /// The nodes of the penetrating feature (vertices of a surface, samples of a shape), and their weights; [`u32::MAX`] for none.
    pub nodes: [u32; 2],
    /// Not negative, sum 1.
    pub weights: [f64; 2],
    /// The tetrahedron that is penetrated; [`u32::MAX`] in something rigid.
    pub tet: u32,
    /// Its nodes.
    pub tet_nodes: [u32; 4],
    /// The weights of the point there, sum 1.
    pub tet_weights: [f64; 4],
}

/// What a query did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PenaltyStats {
    /// Features within tetrahedra: points, or parts of segments.
    pub parts: usize,
    /// Tetrahedra that were penetrated.
    pub tets: usize,
    /// Depths of both bodies.
    pub depths: [DepthStats; 2],
}

impl Add for PenaltyStats {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let depths = [0, 1].map(|k| self.depths[k] + other.depths[k]);
        Self { parts: self.parts + other.parts, tets: self.tets + other.tets, depths }
    }
}

impl SoftBody {
    /// Appends the penalties between two bodies. Fails if one was changed since its last update.
    pub fn penalties(
        &self,
        other: &Self,
        options: &PenaltyOptions,
        scratch: &mut PenaltyScratch,
        out: &mut Vec<Penalty>,
    ) -> Result<PenaltyStats> {
        self.check_ready()?;
        other.check_ready()?;
        let mut stats = PenaltyStats::default();
        for (side, (a, b)) in [(self, other), (other, self)].into_iter().enumerate() {
            scratch.parts.clear();
            a.collect_parts(b, options.penetrating[side], scratch);
            stats.depths[1 - side] = b.respond(side as u32, options, scratch, &mut stats, out);
        }
        Ok(stats)
    }

    /// The features of this body within another.
    fn collect_parts(&self, other: &Self, what: Penetrating, scratch: &mut PenaltyScratch) {
        let Some(bounds) = other.volume.bounds() else { return };
        let at = |v: u32| self.positions[v as usize];
        let is_near =
            |p: &Point, q: &Point| (0..3).all(|k| p[k].min(q[k]) <= bounds.max[k] && p[k].max(q[k]) >= bounds.min[k]);
        let mut segment = |edge: [u32; 2]| {
            let ends = edge.map(at);
            if is_near(&ends[0], &ends[1]) {
                other.add_segment(edge, ends, scratch);
            }
        };
        match what {
            Penetrating::Nothing => {}
            Penetrating::Points => {
                for v in &self.links.boundary {
                    if is_near(&at(*v), &at(*v)) {
                        other.add_point(*v, &at(*v), self.area_around(*v), scratch);
                    }
                }
            }
            Penetrating::Segments => self.links.edges.iter().for_each(|edge| segment(*edge)),
            Penetrating::AllSegments => self.links.all_edges().for_each(segment),
        }
    }

    /// A third of the boundary around a node.
    pub(super) fn area_around(&self, node: u32) -> f64 {
        let area = |face: &u32| {
            let [a, b, c] = self.shape().corners(*face);
            (b - a).cross(&(c - a)).norm() / 6.0
        };
        self.links.faces.of(node).iter().map(area).sum()
    }

    pub(super) fn add_point(&self, node: u32, p: &Point, area: f64, scratch: &mut PenaltyScratch) {
        if let Some((tet, _)) = self.locate_with(p, &mut scratch.pairs) {
            scratch.parts.push(Part { nodes: [node, NONE], ends: [*p; 2], inside: [0.0; 2], tet, area });
        }
    }

    pub(super) fn add_segment(&self, nodes: [u32; 2], ends: [Point; 2], scratch: &mut PenaltyScratch) {
        let (low, high) = (ends[0].inf(&ends[1]), ends[0].sup(&ends[1]));
        let PenaltyScratch { parts, pairs, .. } = scratch;
        self.volume.within(&low, &high, pairs, |tet| {
            let Some(frame) = self.frame(tet) else { return };
            let Some((inside, on)) = frame.clip(&ends[0], &ends[1]) else { return };
            // Within the face between two tetrahedra: it counts in the lower one.
            let is_lower = |k: usize| {
                let across = self.mesh.across[tet as usize][k];
                across == NONE || across / 4 > tet
            };
            if (0..4).all(|k| on >> k & 1 == 0 || is_lower(k)) {
                parts.push(Part { nodes, ends, inside, tet, area: 0.0 });
            }
        });
    }

    /// Penalties of the parts of another body within this one.
    pub(super) fn respond(
        &self,
        side: u32,
        options: &PenaltyOptions,
        scratch: &mut PenaltyScratch,
        stats: &mut PenaltyStats,
        out: &mut Vec<Penalty>,
    ) -> DepthStats {
        let PenaltyScratch { parts, wanted, depths, stack, .. } = scratch;
        // By tetrahedron, whatever the order of the trees.
        parts.sort_unstable_by_key(|part| (part.tet, part.nodes));
        stats.parts += parts.len();
        stats.tets += parts.chunk_by(|a, b| a.tet == b.tet).count();
        wanted.clear();
        for part in parts.iter() {
            for v in self.mesh.tets[part.tet as usize] {
                match options.smooth {
                    true => self.links.tets.of(v).iter().for_each(|t| wanted.extend(self.mesh.tets[*t as usize])),
                    false => wanted.push(v),
                }
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() {
            return DepthStats::default();
        }
        let found = depths.find(&self.shape(), options.depths, wanted);
        for part in parts.iter() {
            // It has a frame, or it would not have been found.
            let Some(frame) = self.frame(part.tet) else { continue };
            let nodes = self.mesh.tets[part.tet as usize];
            let tet = Target {
                body: self,
                tet: part.tet,
                nodes,
                frame,
                depths: nodes.map(|v| depths.depth[v as usize]),
                gradients: options.smooth.then(|| nodes.map(|v| self.gradient_around(v, &depths.depth))),
            };
            tet.penalties(part, side, stack, out);
        }
        found
    }

    /// The gradient of the depth at a node: of the tetrahedra around it, by their volumes.
    fn gradient_around(&self, node: u32, depths: &[f64]) -> Vector {
        let mut sum = Vector::zeros();
        for t in self.links.tets.of(node) {
            let corners = self.mesh.tets[*t as usize];
            if let Some(frame) = self.frame(*t) {
                let volume = crate::solid::signed_volume(&corners.map(|v| self.positions[v as usize]));
                sum += frame.gradient(&corners.map(|v| depths[v as usize])) * volume;
            }
        }
        sum
    }
}

/// The tetrahedron that is penetrated.
struct Target<'a> {
    body: &'a SoftBody,
    tet: u32,
    nodes: [u32; 4],
    frame: TetFrame,
    depths: [f64; 4],
    gradients: Option<[Vector; 4]>,
}

/// Gradients shorter than this are no direction: depths are equal, or nearly.
const NO_DIRECTION: f64 = 1e-6;
/// Parts of a segment in a tetrahedron whose depth is measured.
const MEASURED: usize = 4;

impl Target<'_> {
    fn penalties(&self, part: &Part, side: u32, stack: &mut Vec<(f64, u32)>, out: &mut Vec<Penalty>) {
        let is_point = part.nodes[1] == NONE;
        // Without depth at its nodes, it is measured.
        let is_flat = self.depths.iter().all(|d| *d == 0.0);
        let pieces = if is_flat && !is_point { MEASURED } else { 1 };
        let [first, last] = part.inside;
        let at = |k: usize| first + (last - first) * k as f64 / pieces as f64;
        for piece in 0..pieces {
            let ends = [at(piece), at(piece + 1)].map(|share| {
                let point = part.ends[0] + (part.ends[1] - part.ends[0]) * share;
                (share, point, self.depth_at(&point, is_flat, stack))
            });
            let length = (ends[1].1 - ends[0].1).norm();
            let [near, far] = [ends[0].2.0, ends[1].2.0];
            let loads = [length * (2.0 * near + far) / 6.0, length * (near + 2.0 * far) / 6.0];
            for (k, (share, point, (depth, gradient))) in ends.into_iter().enumerate() {
                if is_point && k == 1 {
                    break;
                }
                out.push(Penalty {
                    side,
                    point,
                    depth,
                    load: if is_point { depth } else { loads[k] },
                    weight: if is_point { part.area } else { 0.5 * length },
                    direction: gradient.normalize(),
                    gradient,
                    nodes: part.nodes,
                    weights: if is_point { [1.0, 0.0] } else { [1.0 - share, share] },
                    tet: self.tet,
                    tet_nodes: self.nodes,
                    tet_weights: self.frame.weights(&point),
                });
            }
        }
    }

    /// The depth at a point, and its negative gradient, which is not zero.
    fn depth_at(&self, p: &Point, is_flat: bool, stack: &mut Vec<(f64, u32)>) -> (f64, Vector) {
        let weights = self.frame.weights(p);
        let depth: f64 = weights.iter().zip(&self.depths).map(|(w, d)| w * d).sum();
        if !is_flat {
            let per_tet = -self.frame.gradient(&self.depths);
            let gradient = match &self.gradients {
                // As long as it would be within the tetrahedron.
                Some(around) => {
                    let sum: Vector = weights.iter().zip(around).map(|(w, g)| -g * *w).sum();
                    sum.try_normalize(0.0).map_or(per_tet, |unit| unit * per_tet.norm())
                }
                None => per_tet,
            };
            if gradient.norm() > NO_DIRECTION {
                return (depth.max(0.0), gradient);
            }
        }
        self.measured(p, is_flat, depth, stack)
    }

    /// The way to the closest point of the boundary.
    fn measured(&self, p: &Point, is_flat: bool, depth: f64, stack: &mut Vec<(f64, u32)>) -> (f64, Vector) {
        let shape = self.body.shape();
        let Some((face, distance)) = shape.closest(p, f64::INFINITY, stack) else {
            return (depth.max(0.0), Vector::z());
        };
        let corners = shape.corners(face);
        let way = closest(&p.coords, &corners.map(|c| c.coords)) - p.coords;
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        // On the boundary itself, out of it.
        let direction = way.try_normalize(1e-12 * normal.norm().sqrt()).or_else(|| normal.try_normalize(0.0));
        (if is_flat { distance } else { depth.max(0.0) }, direction.unwrap_or_else(Vector::z))
    }
}
