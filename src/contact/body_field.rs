//! The distance field of an object, as contact queries use it.

use crate::body::Object;
use crate::culling::supports::Supports;
use crate::field::fragment::FragmentField;
use crate::field::{Culling, DepthQuery, Field, SurfacePoint};
use crate::geom::{Local, Point, Vector};
use crate::grid::distance::GridField;
use crate::reference::nodal::Scheme;

/// Bound of the rounding error of a sample position in single precision, as a share of its body's radius: a few f32
/// roundings (2^-24, 6e-8, each) of a rotation and a translation.
const ROUNDING: f64 = 4e-7;

/// The field of an object, as a contact query uses it.
pub(super) struct BodyField<'a> {
    pub field: FragmentField<'a>,
    supports: &'a Supports,
    /// Distances to the skin of the intact body.
    skin: &'a GridField,
    pub middle: Point,
    /// Bound of the rounding error of positions in single precision, in the asset's units.
    rounding: f64,
    fragment: bool,
    has_slow_gaps: bool,
}

impl<'a> BodyField<'a> {
    /// The field of a body that is queried with samples of another body of radius `reach`, in metres.
    #[inline]
    pub fn new(body: &'a Object, reach: f64) -> Self {
        Self {
            field: body.field(Scheme::default()),
            supports: &body.samples().supports,
            skin: &body.asset().field().grid,
            middle: *body.asset().centre(),
            rounding: body.asset().field().rounding.max(ROUNDING * reach / body.scale()),
            fragment: body.is_fragment(),
            has_slow_gaps: !body.kind().is_made_of_planes(),
        }
    }
}

impl Field for BodyField<'_> {
    fn depth(&self, p: &Point) -> Option<SurfacePoint> {
        self.field.depth(p)
    }
    fn separation(&self, p: &Point, margin: f64) -> Option<SurfacePoint> {
        self.field.separation(p, margin)
    }
    fn touch(&self, p: &Point, ask: &DepthQuery) -> Option<(f64, Vector)> {
        self.field.touch(p, ask)
    }
    fn bound(&self, base: &Point, offset: &Local) -> f64 {
        let at = (base - self.middle).cast::<f32>() + offset;
        (self.supports.beyond(&at) as f64 - self.rounding).max(self.bound_besides(base, offset))
    }
}

impl Culling for BodyField<'_> {
    fn supports(&self) -> Option<(&Supports, &Point)> {
        Some((self.supports, &self.middle))
    }
    fn bound_besides(&self, base: &Point, offset: &Local) -> f64 {
        if self.is_all_walls() {
            return f64::NEG_INFINITY;
        }
        self.field.intact_bound(&(base + offset.cast::<f64>())) - self.rounding
    }
    fn bound_of_whole(&self, p: &Point) -> f64 {
        self.field.intact_bound(p)
    }
    fn is_all_walls(&self) -> bool {
        self.fragment // the crack planes suffice: the grid saves 0.02 % of the visits, and costs more
    }
    fn has_slow_gaps(&self) -> bool {
        self.has_slow_gaps
    }
    fn rounding(&self) -> f64 {
        self.rounding
    }
    fn most_depth(&self, p: &Point) -> f64 {
        self.field.skin_depth(p)
    }
    fn beyond_skin(&self, base: &Point, offset: &Local) -> f32 {
        self.skin.estimate(base, offset)
    }
    fn may_touch(&self, p: &Point, reach: f64) -> bool {
        !self.fragment || self.field.may_touch(p, reach)
    }
}

/// Radius of an object in metres. Relative lengths (margin, tolerance) refer to it.
pub(super) fn reach(object: &Object) -> f64 {
    object.bounds().radius() * object.scale()
}
