//! Memory of queries.

use super::depth::Depths;
use crate::geom::Point;

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

/// Memory of queries, kept by the caller.
#[derive(Clone, Default)]
pub struct PenaltyScratch {
    pub(super) parts: Vec<Part>,
    pub(super) wanted: Vec<u32>,
    pub(super) depths: Depths,
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) stack: Vec<(f64, u32)>,
    /// Of surfaces: edges, and corners with their share of the area.
    pub(super) edges: Vec<[u32; 2]>,
    pub(super) areas: Vec<(u32, f64)>,
}
