//! Memory of queries.

use super::depth::{Depths, Shape};
use crate::geom::{NONE, Point};

/// A feature in a tetrahedron: the part of a segment from one parameter to another, or a point.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub nodes: [u32; 2],
    pub ends: [Point; 2],
    pub inside: [f64; 2],
    pub tet: u32,
    /// Of a point, the area around it.
    pub area: f64,
}

/// Memory of searches for closest points.
#[derive(Clone, Default)]
pub(super) struct Search {
    stack: Vec<(f32, u32)>,
    /// The face that was closest to the last point, or [`NONE`]: points that are near each other have the same one, or one beside it.
    pub hint: u32,
}

impl Search {
    /// The face of the boundary closest to a point, and how far it is.
    pub fn closest(&mut self, shape: &Shape, p: &Point) -> Option<(u32, f64)> {
        let known = if self.hint == NONE { None } else { Some((self.hint, shape.distance(p, self.hint))) };
        let most = known.map_or(f64::INFINITY, |(_, distance)| distance);
        let found = shape.closest(p, most, &mut self.stack).or(known);
        self.hint = found.map_or(NONE, |(face, _)| face);
        found
    }
}

/// Memory of queries, kept by the caller.
#[derive(Clone, Default)]
pub struct PenaltyScratch {
    pub(super) parts: Vec<Part>,
    pub(super) wanted: Vec<u32>,
    pub(super) depths: Depths,
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) closest: Search,
    /// Pieces of a segment, by their parameters.
    pub(super) pieces: Vec<[f64; 2]>,
    /// Of surfaces: edges, and corners with their share of the area.
    pub(super) edges: Vec<[u32; 2]>,
    pub(super) areas: Vec<(u32, f64)>,
}
