//! The dispatcher: Fracas for pairs that have an object, Rapier's own for all others.

use crate::convert;
use crate::manifolds::{Touch, fill};
use crate::plain::{Asker, Kept};
use crate::shape::FcShape;
use fracas::contact::{Contact, Mode, QueryOptions, query_pair};
use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::query::details::{NormalConstraints, ShapeCastOptions};
use rapier3d::parry::query::{
    self, ClosestPoints, ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, NonlinearRigidMotion,
    PersistentQueryDispatcher, QueryDispatcher, QueryDispatcherChain, ShapeCastHit, ShapeDistance, ShapeIntersection,
    Unsupported,
};
use rapier3d::parry::shape::Shape;

/// Asks Fracas for the contacts of its objects, with each other and with Rapier's shapes. Put it before Rapier's own
/// dispatcher: see [`FcDispatcher::before_default`].
///
/// It has no state, and queries run beside each other: Rapier may ask from as many threads as it likes.
///
/// Half-space, ball, cuboid, capsule, convex polyhedron, cylinder, cone, triangle mesh, height field, and compounds of these
/// have contacts with objects; segments, polylines, voxels and rounded shapes do not. Shape casts are not supported: instead,
/// give fast bodies a `soft_ccd_prediction`, and contacts look ahead.
#[derive(Clone, Copy, Debug)]
pub struct FcDispatcher {
    /// How to query. The margin is what Rapier asks for.
    pub options: QueryOptions,
    /// Between two objects no contact looks farther ahead than this, in metres, however fast they are: every sample that near is
    /// one, and fragments that have just parted are near all over. Edges that meet faster are deep in each other when they are
    /// first noticed, and may jam.
    pub far_ahead: f64,
}

impl Default for FcDispatcher {
    /// Eight contacts are enough for a pair. As many may have nearly the same normal, two manifolds of them: those are chosen to
    /// span where bodies are near each other, and of four, one that carries may be missing. Bodies then rock for ever.
    fn default() -> Self {
        let options = QueryOptions { target: 8, max_contacts: 32, max_per_normal: 8, ..QueryOptions::default() };
        Self { options, far_ahead: 0.005 }
    }
}

impl FcDispatcher {
    /// This one, then Rapier's: what a narrow phase wants.
    pub fn before_default(self) -> QueryDispatcherChain<Self, DefaultQueryDispatcher> {
        self.chain(DefaultQueryDispatcher)
    }

    /// The contacts of a pair, the best first.
    fn touches(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        options: QueryOptions,
        kept: &mut Kept,
    ) -> Result<Vec<Touch>, Unsupported> {
        // All in the frame of the first shape, which has the pose of nothing.
        let (at1, at2) = (fracas::geom::Pose::identity(), convert::pose(pos12));
        let options = QueryOptions { origin: Some([0.0; 3]), ..options };
        let mut found: Vec<(Contact, u32)> = vec![];
        let a_is_first = match (FcShape::of(g1), FcShape::of(g2)) {
            (Some(a), Some(b)) => {
                let margin = options.margin.map(|margin| margin.min(self.far_ahead));
                let mut contacts = vec![];
                let options = QueryOptions { margin, ..options };
                // Fails only on poses that are no poses: a body that has left this world touches nothing.
                let _ = query_pair(a.object(), &at1, b.object(), &at2, &options, &mut contacts);
                found.extend(contacts.into_iter().map(|contact| (contact, 0)));
                true
            }
            (Some(object), None) => {
                Asker { object, pose: at1, options, kept, found: &mut found }.ask(g2, &at2, 0)?;
                true
            }
            (None, Some(object)) => {
                Asker { object, pose: at2, options, kept, found: &mut found }.ask(g1, &at1, 0)?;
                false
            }
            (None, None) => return Err(Unsupported),
        };
        Ok(found.iter().map(|(contact, part)| Touch::new(contact, *part, a_is_first)).collect())
    }

    /// The deepest contact.
    fn deepest(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        margin: Real,
    ) -> Result<Option<Touch>, Unsupported> {
        let margin = Some(f64::from(margin.max(0.0)));
        let options = QueryOptions { mode: Mode::Exactly, target: 1, margin, ..self.options };
        let touches = self.touches(pos12, g1, g2, options, &mut Kept::default())?;
        Ok(touches.into_iter().min_by(|a, b| a.distance.total_cmp(&b.distance)))
    }
}

impl<M: Default + Clone, C: Default + Copy> PersistentQueryDispatcher<M, C> for FcDispatcher {
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: Real,
        manifolds: &mut Vec<ContactManifold<M, C>>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        if FcShape::of(g1).is_none() && FcShape::of(g2).is_none() {
            return Err(Unsupported);
        }
        if workspace.as_ref().is_none_or(|kept| !kept.0.is::<Kept>()) {
            *workspace = Some(Kept::default().into());
        }
        let Some(kept) = workspace.as_mut().and_then(|kept| kept.0.downcast_mut::<Kept>()) else {
            return Err(Unsupported);
        };
        let options = QueryOptions { margin: Some(f64::from(prediction.max(0.0))), ..self.options };
        let touches = self.touches(pos12, g1, g2, options, kept)?;
        fill(pos12, &touches, manifolds);
        Ok(())
    }

    fn contact_manifold_convex_convex(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
        _: Option<&dyn NormalConstraints>,
        _: Option<&dyn NormalConstraints>,
        _: Real,
        _: &mut ContactManifold<M, C>,
    ) -> Result<(), Unsupported> {
        Err(Unsupported)
    }
}

impl QueryDispatcher for FcDispatcher {
    /// For sensors.
    fn intersection_test(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
    ) -> Result<ShapeIntersection, Unsupported> {
        self.deepest(pos12, g1, g2, 0.0).map(|found| ShapeIntersection::new(found.is_some()))
    }

    fn contact(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: Real,
    ) -> Result<Option<query::Contact>, Unsupported> {
        Ok(self.deepest(pos12, g1, g2, prediction)?.map(|touch| touch.as_contact(pos12)))
    }

    fn distance(&self, _: &Pose, _: &dyn Shape, _: &dyn Shape) -> Result<ShapeDistance, Unsupported> {
        Err(Unsupported)
    }

    fn closest_points(&self, _: &Pose, _: &dyn Shape, _: &dyn Shape, _: Real) -> Result<ClosestPoints, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes(
        &self,
        _: &Pose,
        _: Vector,
        _: &dyn Shape,
        _: &dyn Shape,
        _: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes_nonlinear(
        &self,
        _: &NonlinearRigidMotion,
        _: &dyn Shape,
        _: &NonlinearRigidMotion,
        _: &dyn Shape,
        _: Real,
        _: Real,
        _: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }
}
