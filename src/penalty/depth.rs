//! Depths of the nodes of a soft body: distances to its boundary (Marchal 2004, 4).
//!
//! - *closest feature* (CFFM, 4.2): nodes hand on the triangle of the boundary that is nearest to them, in order of distance. What is measured
//!   is the distance to a real triangle, so it is never too small; a farther triangle may be chosen.
//! - *closest point* (CPFM): the same with nodes of the boundary only.
//! - *exact*: the closest point of the boundary, by a tree that is refitted. Beyond the paper.
//!
//! Partial updates (4.4): only the nodes that are asked for. The march then starts from the boundary within reach and ends as soon as they are
//! settled. How far to reach is bounded by a walk from each node to some node of the boundary.

use super::links::Links;
use super::mesh::TetMesh;
use super::tree::BoxTree;
use crate::geom::aabb::Aabb;
use crate::geom::march::{Front, Marching};
use crate::geom::tet_tet::FACES;
use crate::geom::triangle::closest_of;
use crate::geom::{NONE, Point, Vector};
use std::ops::Add;

/// How the depths of nodes are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DepthMethod {
    /// The closest point of the boundary is searched for each node that is asked for.
    #[default]
    Exact,
    /// Nodes hand on the closest triangle (CFFM): never too small.
    ClosestFeature,
    /// Nodes hand on the closest node of the boundary (CPFM): faster, and less exact.
    ClosestPoint,
}

/// What a computation of depths did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthStats {
    /// Nodes of the boundary that the march began with.
    pub seeds: usize,
    /// Nodes within the body whose depth was found.
    pub settled: usize,
}

impl Add for DepthStats {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { seeds: self.seeds + other.seeds, settled: self.settled + other.settled }
    }
}

/// A body at its positions.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    pub mesh: &'a TetMesh,
    pub links: &'a Links,
    pub positions: &'a [Point],
    /// Over the faces of the boundary.
    pub surface: &'a BoxTree,
}

/// Depths of nodes. Memory is kept.
#[derive(Clone, Default)]
pub(super) struct Depths {
    /// Not a number where it was not asked for.
    pub depth: Vec<f64>,
    /// The nearest feature: a face of the boundary, or a node of it (CPFM).
    nearest: Vec<u32>,
    /// The nodes whose depths were measured, and whether that is how they were found last.
    measured: Vec<u32>,
    is_measured: bool,
    front: Front,
    wanted: Vec<bool>,
    is_seed: Vec<bool>,
    walk: Vec<u32>,
    seen: Vec<u32>,
    round: u32,
    stack: Vec<(f32, u32)>,
    pairs: Vec<[u32; 2]>,
}

impl Depths {
    /// Finds the depths of all nodes.
    pub fn find_all(&mut self, shape: &Shape, method: DepthMethod) -> DepthStats {
        if method == DepthMethod::Exact {
            self.forget(shape);
            return self.measure(shape, 0..shape.positions.len() as u32);
        }
        self.begin(shape);
        shape.links.boundary.iter().for_each(|v| self.is_seed[*v as usize] = true);
        self.march(shape, method, usize::MAX)
    }

    /// Finds the depths of some nodes, each given once or more.
    pub fn find(&mut self, shape: &Shape, method: DepthMethod, nodes: &[u32]) -> DepthStats {
        if method == DepthMethod::Exact {
            self.forget(shape);
            return self.measure(shape, nodes.iter().copied());
        }
        self.begin(shape);
        let mut left = 0;
        for v in nodes {
            left += !std::mem::replace(&mut self.wanted[*v as usize], true) as usize;
        }
        self.seed_within_reach(shape, nodes);
        let stats = self.march(shape, method, left);
        // Nodes that were not reached, of a part without boundary within reach: there is none, but rounding may say so.
        match nodes.iter().all(|v| self.front.settled()[*v as usize]) {
            true => stats,
            false => self.find_all(shape, method),
        }
    }

    /// Forgets what was measured: of large bodies little may have been.
    fn forget(&mut self, shape: &Shape) {
        let count = shape.positions.len();
        if self.depth.len() == count && self.is_measured {
            for v in self.measured.drain(..) {
                (self.depth[v as usize], self.nearest[v as usize]) = (f64::NAN, NONE);
            }
            return;
        }
        self.measured.clear();
        self.is_measured = true;
        self.forget_all(count);
    }

    fn forget_all(&mut self, count: usize) {
        self.depth.clear();
        self.depth.resize(count, f64::NAN);
        self.nearest.clear();
        self.nearest.resize(count, NONE);
    }

    /// Begins a march.
    fn begin(&mut self, shape: &Shape) {
        let count = shape.positions.len();
        self.is_measured = false;
        self.forget_all(count);
        for list in [&mut self.wanted, &mut self.is_seed] {
            list.clear();
            list.resize(count, false);
        }
        if self.seen.len() != count || self.round == u32::MAX {
            self.seen.clear();
            self.seen.resize(count, 0);
            self.round = 0;
        }
    }

    fn measure(&mut self, shape: &Shape, nodes: impl Iterator<Item = u32>) -> DepthStats {
        let mut stats = DepthStats::default();
        for v in nodes {
            if !self.depth[v as usize].is_nan() {
                continue;
            }
            self.measured.push(v);
            if shape.links.is_boundary(v) {
                self.depth[v as usize] = 0.0;
                continue;
            }
            let p = &shape.positions[v as usize];
            // What is nearest to a neighbour is near, and narrows the search.
            let hint = |w: &u32| match self.nearest[*w as usize] {
                NONE => shape.links.faces.of(*w).first().copied(),
                face => Some(face),
            };
            let hints = shape.links.nodes.of(v).iter().filter_map(hint).map(|face| (shape.distance(p, face), face));
            let near = hints.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let most = near.map_or(f64::INFINITY, |(distance, _)| distance);
            let nearer = shape.closest(p, most, &mut self.stack);
            if let Some((distance, face)) = nearer.map(|(face, distance)| (distance, face)).or(near) {
                (self.depth[v as usize], self.nearest[v as usize]) = (distance, face);
                stats.settled += 1;
            }
        }
        stats
    }

    /// The nodes of the faces that may be nearest to some node that is asked for.
    fn seed_within_reach(&mut self, shape: &Shape, nodes: &[u32]) {
        let (mut reach, mut bounds) = (0.0f64, Aabb::EMPTY);
        for v in nodes {
            let p = &shape.positions[*v as usize];
            bounds.grow(p);
            if !shape.links.is_boundary(*v) {
                reach = reach.max(self.walk_to_boundary(shape, *v));
            }
        }
        let near = bounds.grown(reach);
        let Self { is_seed, pairs, .. } = self;
        shape.surface.within(&near.min, &near.max, pairs, |face| {
            shape.mesh.face(face).iter().for_each(|v| is_seed[*v as usize] = true);
        });
        // Those that are asked for themselves.
        nodes.iter().filter(|v| shape.links.is_boundary(**v)).for_each(|v| self.is_seed[*v as usize] = true);
    }

    /// How far it is from a node to some node of the boundary: the first that a walk outwards finds.
    fn walk_to_boundary(&mut self, shape: &Shape, from: u32) -> f64 {
        self.round += 1;
        self.walk.clear();
        self.walk.push(from);
        self.seen[from as usize] = self.round;
        let mut next = 0;
        while let Some(v) = self.walk.get(next).copied() {
            next += 1;
            for other in shape.links.nodes.of(v) {
                if shape.links.is_boundary(*other) {
                    return (shape.positions[*other as usize] - shape.positions[from as usize]).norm();
                }
                if std::mem::replace(&mut self.seen[*other as usize], self.round) != self.round {
                    self.walk.push(*other);
                }
            }
        }
        f64::INFINITY
    }

    fn march(&mut self, shape: &Shape, method: DepthMethod, left: usize) -> DepthStats {
        self.front.begin(shape.positions.len());
        let mut stats = DepthStats::default();
        for v in shape.links.boundary.iter().filter(|v| self.is_seed[**v as usize]) {
            self.depth[*v as usize] = 0.0;
            self.front.push(*v as usize, 0.0);
            stats.seeds += 1;
        }
        let Self { depth, nearest, front, wanted, .. } = self;
        let mut space = Space { shape, method, depth, nearest, wanted, left, settled: 0 };
        front.march(&mut space);
        stats.settled = space.settled;
        // What was not settled is not known.
        front.settled().iter().zip(&mut *depth).filter(|(settled, _)| !**settled).for_each(|(_, d)| *d = f64::NAN);
        stats
    }
}

struct Space<'a> {
    shape: &'a Shape<'a>,
    method: DepthMethod,
    depth: &'a mut [f64],
    nearest: &'a mut [u32],
    wanted: &'a [bool],
    /// Nodes that are asked for and not settled.
    left: usize,
    settled: usize,
}

impl Marching for Space<'_> {
    fn settle(&mut self, node: usize) -> bool {
        self.settled += (self.nearest[node] != NONE) as usize;
        self.left -= self.wanted[node] as usize;
        self.left > 0
    }

    fn hand_on(&mut self, node: usize, settled: &[bool], mut nearer: impl FnMut(usize, f64)) {
        let Self { shape, method, depth, nearest, .. } = self;
        let method = *method;
        let own = [nearest[node]];
        let node = node as u32;
        // A node of the boundary offers all that it is a corner of.
        let features = match (own[0], method) {
            (NONE, DepthMethod::ClosestPoint) => &[node][..],
            (NONE, _) => shape.links.faces.of(node),
            _ => &own[..],
        };
        for other in shape.links.nodes.of(node).iter().map(|v| *v as usize) {
            if settled[other] || shape.links.is_boundary(other as u32) {
                continue;
            }
            let p = &shape.positions[other];
            let mut is_nearer = false;
            for feature in features {
                let distance = match method {
                    DepthMethod::ClosestPoint => (p - shape.positions[*feature as usize]).norm(),
                    _ => shape.distance(p, *feature),
                };
                if depth[other].is_nan() || distance < depth[other] {
                    (depth[other], nearest[other], is_nearer) = (distance, *feature, true);
                }
            }
            if is_nearer {
                nearer(other, depth[other]);
            }
        }
    }
}

impl Shape<'_> {
    /// The corners of a face.
    pub fn corners(&self, face: u32) -> [Point; 3] {
        self.mesh.face(face).map(|v| self.positions[v as usize])
    }

    /// The point of a face closest to another.
    #[inline]
    pub fn closest_of(&self, face: u32, p: &Point) -> Point {
        let tet = &self.mesh.tets[face as usize / 4];
        let [a, b, c] = FACES[face as usize % 4];
        let at = |k: usize| &self.positions[tet[k] as usize].coords;
        closest_of(&p.coords, [at(a), at(b), at(c)]).into()
    }

    /// Out of the body at a face: along a way to or from its closest point or, on the boundary itself, along its normal.
    pub fn outward(&self, face: u32, way: &Vector) -> Vector {
        let [a, b, c] = self.corners(face);
        let normal = (b - a).cross(&(c - a));
        let unit = way.try_normalize(1e-12 * normal.norm().sqrt()).or_else(|| normal.try_normalize(0.0));
        unit.unwrap_or_else(Vector::z)
    }

    /// From a point to a face.
    pub fn distance(&self, p: &Point, face: u32) -> f64 {
        (self.closest_of(face, p) - p).norm()
    }

    /// The face of the boundary nearest to a point, and how far it is, if that is less than `most`.
    pub fn closest(&self, p: &Point, most: f64, stack: &mut Vec<(f32, u32)>) -> Option<(u32, f64)> {
        let squared = |face: u32| (self.closest_of(face, p) - p).norm_squared();
        self.surface.closest(p, most * most, stack, squared).map(|(face, squared)| (face, squared.sqrt()))
    }
}
