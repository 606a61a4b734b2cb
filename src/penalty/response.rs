//! The penalty response: points and segments of one body within the tetrahedra of another (Marchal 2004, 5).
//!
//! Depth is linear in each tetrahedron, so the load of a segment is known without quadrature: of a part of length L with the depths d1 and d2
//! at its ends, L (2 d1 + d2) / 6 acts at the first end and L (d1 + 2 d2) / 6 at the second. (The paper's text shares the integral another way,
//! which has no potential.) Each end is shared among the nodes of both sides by their weights there: forces and moments of a record cancel.
//!
//! Tetrahedra with four nodes on the boundary (6.2) have no depth between them: there the closest point is measured. Around them the depth goes
//! over from measured to linear, by the barycentric weights of their nodes: it does not jump. (Where it jumps, bodies that pass gain energy.) A
//! segment is split where its closest face changes, and what is between is integrated with three points.

use super::depth::{DepthMethod, DepthStats};
use super::scratch::{Part, PenaltyScratch, Search};
use super::soft::{SoftBody, TetFrame};
use crate::error::Result;
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
    /// Depths are measured at every point, instead of linear between the nodes of tetrahedra: exact, whatever the mesh, and slower.
    pub measured: bool,
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
    /// The length of the segment that it stands for; of points the area around them, 0 if it is not known.
    pub weight: f64,
    /// Unit vector out of the body that is penetrated: the penetrating feature is pushed along it, the other body against it.
    pub direction: Vector,
    /// The negative gradient of the depth: only `load` times this has a potential. Zero where the depth is constant, unlike the direction.
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
        let PenaltyScratch { parts, wanted, depths, closest, pieces, .. } = scratch;
        closest.hint = NONE;
        // By tetrahedron, whatever the order of the trees.
        parts.sort_unstable_by_key(|part| (part.tet, part.nodes));
        stats.parts += parts.len();
        stats.tets += parts.chunk_by(|a, b| a.tet == b.tet).count();
        wanted.clear();
        for part in parts.iter() {
            for v in self.mesh.tets[part.tet as usize] {
                match options.smooth {
                    _ if options.measured => {}
                    true => self.links.tets.of(v).iter().for_each(|t| wanted.extend(self.mesh.tets[*t as usize])),
                    false => wanted.push(v),
                }
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        if parts.is_empty() {
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
                depths: if options.measured { [0.0; 4] } else { nodes.map(|v| depths.depth[v as usize]) },
                flat: nodes.map(|v| (options.measured || self.links.is_flat[v as usize]) as u32 as f64),
                gradients: (options.smooth && !options.measured)
                    .then(|| nodes.map(|v| self.gradient_around(v, &depths.depth))),
            };
            tet.penalties(part, side, (closest, pieces), out);
        }
        found
    }

    /// The gradient of the depth at a node: the mean of the tetrahedra around it, by their volumes.
    fn gradient_around(&self, node: u32, depths: &[f64]) -> Vector {
        let (mut sum, mut whole) = (Vector::zeros(), 0.0);
        for t in self.links.tets.of(node) {
            let corners = self.mesh.tets[*t as usize];
            if let Some(frame) = self.frame(*t) {
                let volume = crate::solid::signed_volume(&corners.map(|v| self.positions[v as usize]));
                sum += frame.gradient(&corners.map(|v| depths[v as usize])) * volume;
                whole += volume;
            }
        }
        if whole > 0.0 { sum / whole } else { sum }
    }
}

/// The tetrahedron that is penetrated.
struct Target<'a> {
    body: &'a SoftBody,
    tet: u32,
    nodes: [u32; 4],
    frame: TetFrame,
    depths: [f64; 4],
    /// 1 for corners of tetrahedra with four nodes on the boundary, else 0: the share of the measured depth, linear between them.
    flat: [f64; 4],
    gradients: Option<[Vector; 4]>,
}

/// Gradients shorter than this are no direction: depths are equal, or nearly.
const NO_DIRECTION: f64 = 1e-6;
/// How often a segment is split where its depth is measured. A convex corner takes two.
const SPLITS: u32 = 4;
/// Measured depths this close, by the length of the segment, are on one line; those below are none.
const STRAIGHT: f64 = 1e-9;
/// Gauss' points and weights on the unit interval: exact for the load of a depth that is measured in part, times the weights of nodes.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// Where a record acts.
struct Acting {
    point: Point,
    depth: f64,
    gradient: Vector,
    direction: Vector,
}

/// A place on a segment whose depth is measured: parameter, depth, and how the depth changes with the parameter.
#[derive(Clone, Copy)]
struct Slope {
    share: f64,
    depth: f64,
    rise: f64,
}

impl Target<'_> {
    fn penalties(
        &self,
        part: &Part,
        side: u32,
        (search, pieces): (&mut Search, &mut Vec<[f64; 2]>),
        out: &mut Vec<Penalty>,
    ) {
        let least = STRAIGHT * (part.ends[1] - part.ends[0]).norm();
        let mut push = |place: Acting, load: f64, weight: f64, weights: [f64; 2]| {
            // What only touches pushes nothing: crack faces of fragments that have not parted are full of such features.
            if load <= least * weight {
                return;
            }
            out.push(Penalty {
                side,
                point: place.point,
                depth: place.depth,
                load,
                weight,
                direction: place.direction,
                gradient: place.gradient,
                nodes: part.nodes,
                weights,
                tet: self.tet,
                tet_nodes: self.nodes,
                tet_weights: self.frame.weights(&place.point),
            });
        };
        if part.nodes[1] == NONE {
            let place = self.place(part.ends[0], search);
            let load = place.depth;
            return push(place, load, part.area, [1.0, 0.0]);
        }
        let along = part.ends[1] - part.ends[0];
        let point = |share: f64| part.ends[0] + along * share;
        let [first, last] = part.inside;
        if self.flat == [0.0; 4] {
            let length = along.norm() * (last - first);
            let ends = [first, last].map(|share| self.place(point(share), search));
            let [near, far] = [ends[0].depth, ends[1].depth];
            let loads = [2.0 * near + far, near + 2.0 * far].map(|sum| length * sum / 6.0);
            for ((place, load), share) in ends.into_iter().zip(loads).zip(part.inside) {
                push(place, load, 0.5 * length, [1.0 - share, share]);
            }
            return;
        }
        let mut slope = |share: f64| {
            let (depth, outward) = self.measured(&point(share), search);
            Slope { share, depth, rise: -outward.dot(&along) }
        };
        pieces.clear();
        let (from, to) = (slope(first), slope(last));
        split(from, to, SPLITS, STRAIGHT * along.norm(), &mut slope, pieces);
        for [from, to] in pieces.drain(..) {
            for (at, share_of_length) in GAUSS {
                let share = from + (to - from) * at;
                let weight = along.norm() * (to - from) * share_of_length;
                let place = self.place(point(share), search);
                let load = weight * place.depth;
                push(place, load, weight, [1.0 - share, share]);
            }
        }
    }

    /// The depth at a point, linear or measured or between both, its negative gradient, and the way out.
    fn place(&self, point: Point, search: &mut Search) -> Acting {
        let weights = self.frame.weights(&point);
        let sum = |values: &[f64; 4]| weights.iter().zip(values).map(|(w, x)| w * x).sum::<f64>();
        let linear = sum(&self.depths).max(0.0);
        let own = -self.frame.gradient(&self.depths);
        let around = match &self.gradients {
            Some(around) => weights.iter().zip(around).map(|(w, g)| -g * *w).sum(),
            None => own,
        };
        let out_of = |way: Vector| Some(way).filter(|way| way.norm() > NO_DIRECTION).map(|way| way.normalize());
        if self.flat == [0.0; 4] {
            let direction = out_of(around).unwrap_or_else(|| self.measured(&point, search).1);
            return Acting { point, depth: linear, gradient: own, direction };
        }
        let (distance, outward) = self.measured(&point, search);
        let flat = sum(&self.flat).clamp(0.0, 1.0);
        let mixed = |way: Vector| way * (1.0 - flat) + outward * flat;
        let depth = linear + (distance - linear) * flat;
        let gradient = mixed(own) - self.frame.gradient(&self.flat) * (distance - linear);
        let way = if self.gradients.is_some() { mixed(around) } else { gradient };
        Acting { point, depth, gradient, direction: out_of(way).unwrap_or(outward) }
    }

    /// The distance to the closest point of the boundary, and the way there.
    fn measured(&self, p: &Point, search: &mut Search) -> (f64, Vector) {
        let shape = self.body.shape();
        let Some((face, distance)) = search.closest(&shape, p) else {
            return (0.0, Vector::z());
        };
        (distance, shape.outward(face, &(shape.closest_of(face, p) - p)))
    }
}

/// Splits a segment where the face that is closest to it changes: the depth to a flat face is linear, and two of them meet where they are equal.
fn split(
    from: Slope,
    to: Slope,
    splits: u32,
    tolerance: f64,
    slope: &mut impl FnMut(f64) -> Slope,
    pieces: &mut Vec<[f64; 2]>,
) {
    let length = to.share - from.share;
    let is_straight = (from.depth + from.rise * length - to.depth).abs() <= tolerance
        && (to.depth - to.rise * length - from.depth).abs() <= tolerance;
    // Along the boundary there is nothing to integrate.
    if is_straight && from.depth <= tolerance && to.depth <= tolerance {
        return;
    }
    if is_straight || splits == 0 {
        return pieces.push([from.share, to.share]);
    }
    // Where the depths of both ends, if they went on, would be equal; around reflex edges they are not between them.
    let at = from.share + (to.depth - to.rise * length - from.depth) / (from.rise - to.rise);
    let is_between = at > from.share + 1e-6 * length && at < to.share - 1e-6 * length;
    let middle = slope(if is_between { at } else { 0.5 * (from.share + to.share) });
    if is_between && (from.depth + from.rise * (at - from.share) - middle.depth).abs() <= tolerance {
        pieces.extend([[from.share, at], [at, to.share]]);
        return;
    }
    split(from, middle, splits - 1, tolerance, slope, pieces);
    split(middle, to, splits - 1, tolerance, slope, pieces);
}
