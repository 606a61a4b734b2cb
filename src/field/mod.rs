//! Distance fields of solids, as collision detection uses them: fragments and plain shapes.

pub mod cell;
pub mod fragment;
mod group;
mod planes;
mod reliefs;
mod schemes;
pub mod shape;

use crate::culling::supports::Supports;
use crate::geom::{Local, Point, Vector};

/// Distance field of a body. Points are in the body's frame (docs/architecture.md).
pub trait Field {
    /// Depth of the point and outward direction; `None` outside.
    fn depth(&self, p: &Point) -> Option<SurfacePoint>;

    /// Distance and outward direction (from the surface towards the point), if the point is outside and within
    /// `margin`.
    fn separation(&self, p: &Point, margin: f64) -> Option<SurfacePoint>;

    /// Lower bound of the signed distance at `base + offset`: a point outside is at least this far away, a point inside
    /// at most its negative deep. Conservative in both cases, rounding of the offset included.
    fn bound(&self, base: &Point, offset: &Local) -> f64;

    /// Depth, or else the gap as a negative depth, and the outward direction. May return `None` for results that
    /// `query` excludes.
    fn touch(&self, p: &Point, query: &DepthQuery) -> Option<(f64, Vector)> {
        let depth = self.depth(p).map(|on| (on.distance, on.outward));
        depth.or_else(|| self.separation(p, query.margin).map(|on| (-on.distance, on.outward)))
    }
}

/// Cheap bounds for culling. They never decide what a contact is. The defaults bound nothing.
pub trait Culling: Field {
    /// Supporting planes of the body and the point that they are relative to, if it has them. Many points are tested
    /// against them at once.
    fn supports(&self) -> Option<(&Supports, &Point)> {
        None
    }

    /// The part of [`bound`](Field::bound) that does not come from the supporting planes.
    fn bound_besides(&self, base: &Point, offset: &Local) -> f64 {
        self.bound(base, offset)
    }

    /// Whether the supporting planes are the only bound: [`bound_besides`](Self::bound_besides) adds nothing.
    fn is_all_walls(&self) -> bool {
        false
    }

    /// Lower bound of the signed distance at a point, of what the body was broken from. Costs more than the supporting planes.
    fn bound_of_whole(&self, _p: &Point) -> f64 {
        f64::NEG_INFINITY
    }

    /// Whether a ball of radius `reach` around a point may touch the body. "No" is certain.
    fn may_touch(&self, _p: &Point, _reach: f64) -> bool {
        true
    }

    /// Whether measuring a gap takes a search of the surface, so that it costs several times a depth.
    fn has_slow_gaps(&self) -> bool {
        false
    }

    /// Rounding bound of single precision in tests against the supporting planes.
    fn rounding(&self) -> f64 {
        0.0
    }

    /// A cheap upper bound of the depth at a point.
    fn most_depth(&self, _p: &Point) -> f64 {
        f64::INFINITY
    }

    /// A cheap estimate of the signed distance of the point at `base` + `offset`. It only decides the order of evaluation.
    fn beyond_skin(&self, _base: &Point, _offset: &Local) -> f32 {
        f32::NEG_INFINITY
    }
}

/// Distance and direction to a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Unsigned distance to the surface.
    pub distance: f64,
    /// Unit vector out of the body, whether the point is inside or outside.
    pub outward: Vector,
}

/// Signed distance to the surface of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedDistance {
    /// Negative inside.
    pub distance: f64,
    /// Unit vector out of the body.
    pub outward: Vector,
}

impl SignedDistance {
    /// From what has no surface.
    pub const FAR: Self = Self { distance: f64::INFINITY, outward: Vector::new(0.0, 0.0, 1.0) };
}

/// What a query already knows about a point, and which results matter to it.
#[derive(Clone, Copy, Debug)]
pub struct DepthQuery {
    /// Known upper bound of the depth.
    pub most: f64,
    /// Only larger depths matter.
    pub needed: f64,
    /// Largest gap that matters.
    pub margin: f64,
    /// The querying sibling, if it is one.
    pub facing: Option<Facing>,
    /// The querying body, if it is not a sibling.
    pub towards: Option<Towards>,
    /// Measure the depth to the feature that faces the querying body, not to the nearest.
    pub along: bool,
}

impl DepthQuery {
    /// Nothing is known, and every depth matters.
    pub const ANY: Self =
        Self { most: f64::INFINITY, needed: f64::NEG_INFINITY, margin: 0.0, facing: None, towards: None, along: false };
}

/// The querying sibling (docs/formulations/samples-and-queries.md). Where the crack between the two is as near as the
/// nearest feature, within `within`, the outward direction is across it. While the sibling is near where they parted,
/// it is in any case: its points came from there, and a corner nearer to another side of this body has not come through
/// that side.
#[derive(Clone, Copy, Debug)]
pub struct Facing {
    /// Piece index of the sibling.
    pub piece: u32,
    /// How much farther than the nearest feature the crack may be.
    pub within: f64,
    /// How far the crack may be in any case: as far as the point has moved, if that is not far; else 0.
    pub up_to: f64,
    /// Outward direction across the crack, if the point is a sample of that crack and near where it parted: saves the
    /// search.
    pub across: Option<Local>,
}

/// The querying body, if it is not a sibling: its direction, and the distance within which features are tied
/// (docs/formulations/samples-and-queries.md). Boxes that stand on each other have their corners on rims, where every
/// side is as near as the top.
#[derive(Clone, Copy, Debug)]
pub struct Towards {
    /// Unit vector from this body to the other: normal of the best separating plane.
    pub direction: Local,
    /// How much farther than the nearest a tied feature may be.
    pub within: f64,
}
