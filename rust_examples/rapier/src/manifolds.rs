//! Contacts as Rapier's manifolds: points in the frames of both shapes, one normal a manifold, four points for the solver.

use fracas::contact::{Contact, Feature};
use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::query::{ContactManifold, TrackedContact};
use rapier3d::parry::shape::PackedFeatureId;

/// The solver takes no more from a manifold.
const MOST_POINTS: usize = 4;
/// Cosine of what normals of a manifold may be apart: 5 degrees, as in the reduction of Fracas.
const ALIKE: Real = 0.996_194_7;
/// Cosine of what the normal of a contact may turn by from one step to the next.
const NEARLY_ALIKE: Real = 0.9;

/// A contact, its points in the frame of the first shape.
pub(crate) struct Touch {
    on_first: Vector,
    on_second: Vector,
    /// From the first to the second.
    normal: Vector,
    /// Negative where they overlap.
    pub distance: Real,
    features: [PackedFeatureId; 2],
}

impl Touch {
    /// From a contact relative to the frame of the first shape. Fracas has normals from B to A; which of Rapier's shapes is its A?
    pub fn new(contact: &Contact, part: u32, a_is_first: bool) -> Self {
        let [middle, from_b] = [contact.point, contact.normal].map(Vector::from);
        let (on_a, on_b) = (middle - from_b * (contact.depth / 2.0), middle + from_b * (contact.depth / 2.0));
        let feature = Feature::decoded(contact.feature);
        let (sample, face) = (PackedFeatureId::vertex(feature.id), PackedFeatureId::face(part));
        let of_a_and_b = if feature.of_b { [face, sample] } else { [sample, face] };
        let distance = -contact.depth;
        match (a_is_first, of_a_and_b) {
            (true, features) => Self { on_first: on_a, on_second: on_b, normal: -from_b, distance, features },
            (false, [a, b]) => Self { on_first: on_b, on_second: on_a, normal: from_b, distance, features: [b, a] },
        }
    }

    /// As one contact of Parry.
    pub fn as_contact(&self, pos12: &Pose) -> rapier3d::parry::query::Contact {
        let on_second = pos12.inverse_transform_point(self.on_second);
        let normal2 = pos12.rotation.inverse() * -self.normal;
        rapier3d::parry::query::Contact::new(self.on_first, on_second, self.normal, normal2, self.distance)
    }
}

/// Puts contacts, the best first, into manifolds.
pub(crate) fn fill<M: Default, C: Default + Copy>(
    pos12: &Pose,
    touches: &[Touch],
    manifolds: &mut Vec<ContactManifold<M, C>>,
) {
    let mut known: Vec<Known<C>> = vec![];
    for manifold in manifolds.iter_mut() {
        let normal = manifold.local_n1;
        known.extend(manifold.points.drain(..).map(|contact| Some((contact, normal))));
    }
    let mut used = 0;
    for touch in touches {
        let fits = |m: &ContactManifold<M, C>| m.points.len() < MOST_POINTS && m.local_n1.dot(touch.normal) >= ALIKE;
        let place = manifolds[..used].iter().position(fits).unwrap_or_else(|| {
            if used == manifolds.len() {
                manifolds.push(ContactManifold::with_data(0, 0, M::default()));
            }
            manifolds[used].local_n1 = touch.normal;
            manifolds[used].local_n2 = pos12.rotation.inverse() * -touch.normal;
            used += 1;
            used - 1
        });
        let [first, second] = touch.features;
        let on_second = pos12.inverse_transform_point(touch.on_second);
        manifolds[place].points.push(TrackedContact::new(touch.on_first, on_second, first, second, touch.distance));
    }
    manifolds.truncate(used);
    carry_over(&mut known, manifolds);
}

/// A contact of the last step and its normal, until it is known again.
type Known<C> = Option<(TrackedContact<C>, Vector)>;

/// What a contact knew in the last step, such as its impulse, goes on: by its features, and for what remains, to the nearest with
/// nearly the same normal. Without the first, stacks quiver; without the second, they do so where other samples come to carry.
fn carry_over<M, C: Copy>(known: &mut [Known<C>], manifolds: &mut [ContactManifold<M, C>]) {
    let mut new: Vec<(&mut TrackedContact<C>, Vector)> = vec![];
    for manifold in manifolds {
        let normal = manifold.local_n1;
        for contact in &mut manifold.points {
            let same = |old: &&mut Known<C>| {
                old.as_ref().is_some_and(|(old, _)| (old.fid1, old.fid2) == (contact.fid1, contact.fid2))
            };
            match known.iter_mut().find(same).and_then(Option::take) {
                Some((old, _)) => contact.data = old.data,
                None => new.push((contact, normal)),
            }
        }
    }
    for (contact, normal) in new {
        let apart = |old: &Known<C>| {
            let (old, _) = old.as_ref().filter(|(_, old)| old.dot(normal) > NEARLY_ALIKE)?;
            Some(old.local_p1.distance_squared(contact.local_p1))
        };
        let nearest = known.iter_mut().filter_map(|old| Some((apart(old)?, old))).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((old, _)) = nearest.and_then(|(_, old)| old.take()) {
            contact.data = old.data;
        }
    }
}
