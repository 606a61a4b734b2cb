//! What queries of a scene find.

use super::options::BodyId;
use crate::geom::{Point, Vector};

/// Two triangles that intersect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Overlap {
    /// The bodies.
    pub bodies: [BodyId; 2],
    /// Their triangles, as the caller numbered them.
    pub triangles: [u32; 2],
}

/// Which features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Features {
    /// A vertex of the first body and a triangle of the second.
    VertexFace {
        /// The vertex.
        vertex: u32,
        /// The triangle, as the caller numbered it.
        triangle: u32,
    },
    /// Edges of both bodies, by their vertices.
    EdgeEdge {
        /// Of the first body.
        a: [u32; 2],
        /// Of the second.
        b: [u32; 2],
    },
}

/// Features that meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The bodies.
    pub bodies: [BodyId; 2],
    /// What meets.
    pub features: Features,
    /// When: 0 is the start of the step, 1 its end. Never later than the truth.
    pub time: f64,
}

/// Features within a distance of each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The bodies.
    pub bodies: [BodyId; 2],
    /// Which features.
    pub features: Features,
    /// The distance of their closest points, in metres, without thickness.
    pub distance: f64,
    /// The closest points: on the first body, on the second.
    pub points: [Point; 2],
    /// Unit, from the second body towards the first; zero if they touch.
    pub normal: Vector,
}
