//! The cell field: a fragment of patterns made of planes as the original body cut by half-spaces (docs/design.md, 4.2b).
//!
//! A ball within both the body and the convex cell touches, where it touches first, the surface of the fragment: so the depth
//! is the smaller of the distances to the skin and to the planes, exactly, and costs a handful of products. The tetrahedra
//! remain the truth: within a tetrahedron of a line where three cells meet the two differ (1.1 % of the volume of a bunny in
//! 27 cells), so this is for those who ask for it. A fragment that shares its cell with another has no such field.

use super::fragment::{Ask, Ground, Way};
use super::shape::Field;
use crate::geom::plane::Plane;
use crate::geom::supports::Supports;
use crate::geom::{Local, Point, Vector};

/// The field of a fragment that fills a convex cell of its body.
#[derive(Clone, Copy)]
pub struct CellField<'a> {
    /// The half-spaces around the cell, normals outwards.
    pub planes: &'a [Plane],
    /// The grid of the intact body.
    pub ground: &'a Ground,
    /// The planes once more, relative to the middle of the asset.
    pub supports: &'a Supports,
    /// The middle of the asset.
    pub middle: &'a Point,
}

impl CellField<'_> {
    /// The plane that a point is farthest beyond, and how far.
    fn farthest(&self, p: &Point) -> Option<(f64, &Plane)> {
        let beyond = self.planes.iter().map(|plane| (plane.distance(p), plane));
        beyond.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    /// How far a point is beyond its cell; negative within.
    pub fn beyond(&self, p: &Point) -> f64 {
        self.farthest(p).map_or(f64::NEG_INFINITY, |(beyond, _)| beyond)
    }

    /// Signed distance, negative inside, and the way out. Outside, beyond an edge, the distance is that to the farthest plane
    /// or to the skin: not more than the true one.
    pub fn signed(&self, p: &Point) -> (f64, Vector) {
        let (skin, gradient) = self.ground.grid.value_and_gradient(p);
        match self.farthest(p) {
            Some((beyond, plane)) if beyond > skin => (beyond, plane.normal),
            _ => (skin, gradient.try_normalize(0.0).unwrap_or(Vector::z())),
        }
    }

    /// Depth or negative gap and the way out; among tied features that across the plane along `facing`, the mean normal of
    /// the crack towards a sibling that asks.
    pub fn touch_facing(&self, p: &Point, ask: &Ask, facing: Option<&Local>) -> Option<(f64, Vector)> {
        let (signed, mut outward) = self.signed(p);
        if signed > ask.margin || -signed <= ask.needed {
            return None;
        }
        if let (Some(asking), Some(normal)) = (ask.facing, facing) {
            let along = |plane: &Plane| plane.normal.dot(&normal.cast());
            let towards = self.planes.iter().max_by(|a, b| along(a).total_cmp(&along(b)));
            let limit = (signed.abs() + asking.within).max(asking.up_to);
            if let Some(plane) = towards.filter(|plane| along(plane) > 0.99 && plane.distance(p).abs() <= limit) {
                outward = plane.normal;
            }
        }
        Some((-signed, outward))
    }
}

impl Field for CellField<'_> {
    fn depth(&self, p: &Point) -> Option<Way> {
        let (signed, outward) = self.signed(p);
        (signed <= 0.0).then_some(Way { distance: -signed, outward })
    }

    fn gap(&self, p: &Point, margin: f64) -> Option<Way> {
        let (signed, outward) = self.signed(p);
        (signed > 0.0 && signed <= margin).then_some(Way { distance: signed, outward })
    }

    fn bound(&self, base: &Point, offset: &Local) -> f64 {
        let beyond = self.beyond(&(base + offset.cast::<f64>())) - self.ground.rounding;
        beyond.max(self.bound_besides(base, offset))
    }

    fn supports(&self) -> Option<(&Supports, &Point)> {
        Some((self.supports, self.middle))
    }

    fn bound_besides(&self, base: &Point, offset: &Local) -> f64 {
        let skin = self.ground.grid.value(&(base + offset.cast::<f64>()));
        skin - self.ground.grid.certain_slack() - self.ground.rounding
    }

    fn rounding(&self) -> f64 {
        self.ground.rounding
    }
}
