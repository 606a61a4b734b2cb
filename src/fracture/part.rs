//! What pieces consist of, where cells are known by their boundary.

use crate::geom::aabb::Aabb;

/// A connected part of a cell, and whose it is.
#[derive(Clone, Debug)]
pub struct Part {
    pub cell: u32,
    pub piece: u32,
    pub bounds: Aabb,
    /// Too thin to count.
    pub is_sliver: bool,
}
