//! Figures: bodies that are given by a signed distance, filled with tetrahedra.

use crate::geom::Point;
use crate::geom::aabb::Aabb;
use crate::solid::Solid;
use crate::solid::fill::{FillOptions, fill_implicit};

/// What is to be filled, and how finely.
pub struct Figure<'a> {
    /// Signed distance to the surface, negative inside.
    pub distance: &'a (dyn Fn(&Point) -> f64 + Sync),
    /// Box that holds it.
    pub bounds: Aabb,
    /// Length of the edges at the surface.
    pub edge: f64,
    /// How many times longer edges deep inside may be.
    pub coarsening: f64,
}

/// The figure as a solid. Its measures are the programmer's, so those that make none are a panic.
pub fn filled(figure: &Figure) -> Solid {
    let options = FillOptions { edge: figure.edge, coarsening: figure.coarsening, ..Default::default() };
    match fill_implicit(figure.distance, &figure.bounds, &options) {
        Ok(filled) => filled.solid,
        Err(e) => panic!("a figure with these measures is no solid: {e}"),
    }
}
