//! Distance fields: what collision detection asks of anything solid, and what answers it: fragments, and plain shapes.

pub mod cell;
pub mod fragment;
mod reliefs;
mod schemes;
pub mod shape;

use crate::culling::supports::Supports;
use crate::geom::{Local, Point, Vector};

/// What collision detection asks of a body about a point in the body's frame (docs/architecture.md).
pub trait Field {
    /// How deep the point is and the way out; `None` outside.
    fn depth(&self, p: &Point) -> Option<SurfacePoint>;

    /// If the point is outside and no farther than `margin`: how far, and the way from the surface to it.
    fn separation(&self, p: &Point, margin: f64) -> Option<SurfacePoint>;

    /// A signed bound at `base + offset`: a point outside is at least this far away, a point inside at most its opposite
    /// deep. It may be smaller than the truth outside, and larger than the truth inside, never the other way round, and
    /// allows for the rounding of the offset.
    fn bound(&self, base: &Point, offset: &Local) -> f64;

    /// Depth, or else separation as a negative depth, and the way out; nothing that does not matter to who asks.
    fn touch(&self, p: &Point, query: &DepthQuery) -> Option<(f64, Vector)> {
        let depth = self.depth(p).map(|on| (on.distance, on.outward));
        depth.or_else(|| self.separation(p, query.margin).map(|on| (-on.distance, on.outward)))
    }
}

/// What makes it cheap to rule points out: nothing of it decides what a contact is. The defaults know nothing.
pub trait Culling: Field {
    /// Supporting planes that the body lies within, and the point that they are relative to, if it has them: many points are
    /// tested against them at a time.
    fn supports(&self) -> Option<(&Supports, &Point)> {
        None
    }

    /// What [`bound`](Field::bound) says besides the supporting planes.
    fn bound_besides(&self, base: &Point, offset: &Local) -> f64 {
        self.bound(base, offset)
    }

    /// Whether the supporting planes are all that bounds it: [`bound_besides`](Self::bound_besides) says nothing.
    fn is_all_walls(&self) -> bool {
        false
    }

    /// Whether a ball, `reach` around a point, may touch it. "No" is certain.
    fn may_touch(&self, _p: &Point, _reach: f64) -> bool {
        true
    }

    /// What single precision may amount to in a test against the supporting planes.
    fn rounding(&self) -> f64 {
        0.0
    }

    /// A cheap limit of the depth at a point.
    fn most_depth(&self, _p: &Point) -> f64 {
        f64::INFINITY
    }

    /// How far outside a point probably is, as far as that is known at little cost. It decides only what is looked at first.
    fn beyond_skin(&self, _p: &Point) -> f64 {
        f64::NEG_INFINITY
    }
}

/// Distance and way to a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// How far the surface is; not negative.
    pub distance: f64,
    /// Unit vector: out of the body, whether the point is inside or outside of it.
    pub outward: Vector,
}

/// What a query knows and wants when it asks about a point.
#[derive(Clone, Copy, Debug)]
pub struct DepthQuery {
    /// The point is no deeper than this.
    pub most: f64,
    /// Only a larger depth matters.
    pub needed: f64,
    /// How large a gap matters.
    pub margin: f64,
    /// The sibling that asks.
    pub facing: Option<Facing>,
    /// The other body that asks.
    pub towards: Option<Towards>,
    /// Depths are those of the feature that faces who asks, not of the nearest.
    pub along: bool,
}

impl DepthQuery {
    /// Nothing is known, and every depth matters.
    pub const ANY: Self =
        Self { most: f64::INFINITY, needed: f64::NEG_INFINITY, margin: 0.0, facing: None, towards: None, along: false };
}

/// The sibling that asks (docs/formulations/samples-and-queries.md). Where the crack between the two is as near as the
/// nearest feature within `within`, the way out is across it. While the sibling is near where they parted, it is in any
/// case: that is where its points came from, and a corner of it that is nearer to another side of this body has not come
/// through there.
#[derive(Clone, Copy, Debug)]
pub struct Facing {
    /// Number of the sibling.
    pub piece: u32,
    /// How much farther than the nearest feature its crack may be.
    pub within: f64,
    /// How far its crack may be in any case: as far as the point has moved, if that is not far.
    pub up_to: f64,
    /// The way out across the crack, if the point was on it and is near home: nothing has to be searched for it.
    pub across: Option<Local>,
}

/// The body that asks, if it is no sibling: where it is, and how far features may be apart that are still tied
/// (docs/formulations/samples-and-queries.md). Boxes that stand on each other have their corners on the rims, where every
/// side is as near as the top.
#[derive(Clone, Copy, Debug)]
pub struct Towards {
    /// Unit, from this body to the other: along the plane that parts them best.
    pub direction: Local,
    /// How much farther than the nearest a feature may be.
    pub within: f64,
}
