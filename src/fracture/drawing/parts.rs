//! The triangles of a drawing mesh that a piece has, whole and cut.

use crate::geom::Point;
use std::collections::HashSet;

/// A vertex with what is interpolated on the way to it.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    /// Its point in [`Parts::points`].
    pub point: u32,
    /// Not of unit length where it was interpolated.
    pub normal: [f64; 3],
    /// Texture coordinates.
    pub uv: [f64; 2],
}

/// An edge along which the object was cut off, in the direction of the triangle of the object that has it.
#[derive(Clone, Copy, Debug)]
pub struct CutEdge {
    /// Points.
    pub ends: [u32; 2],
    /// The piece on the other side, or `NONE`.
    pub across: u32,
    /// Whether it is an edge of the artist's mesh, not of a crack.
    pub on_skin: bool,
}

/// What a triangle is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The artist's mesh, with this material.
    Skin(u32),
    /// A face of the body that an earlier event left, by its number.
    Face(u32),
}

/// What belongs to an object.
#[derive(Default)]
pub struct Parts {
    /// Positions, each once.
    pub points: Vec<Point>,
    /// Some of them are used by no triangle.
    pub vertices: Vec<Vertex>,
    /// Vertices, and what it is a part of.
    pub triangles: Vec<([u32; 3], Look)>,
    /// Where the object was cut off.
    pub cuts: Vec<CutEdge>,
    /// Edges where the drawing mesh itself ends, by points, the lower first.
    pub borders: HashSet<[u32; 2]>,
}
