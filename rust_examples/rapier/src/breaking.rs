//! When a body breaks, and into how many pieces: a rule for games. Not fracture mechanics; simple, and the same on every run.
//!
//! A blow is an impulse over the body's cross-section, J / V^(2/3). Above the strength of the material the body breaks about the
//! point that was hit, into more pieces the harder the blow. Small pieces are thus tougher than large ones, as J ~ V for equal
//! speeds, and nothing turns to dust.

use crate::bodies::object_of;
use crate::convert;
use fracas::fracture::pattern::{Impact, Roughness};
use fracas::{FractureOptions, Object, Pattern, fracture};
use rapier3d::prelude::*;

/// How a material breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Impulse over cross-section that it bears, in N s / m². For a body of size L and density r that hits the floor at speed v
    /// it is about r L v: 500 breaks a piece of pottery of 10 cm at 2 m/s.
    pub strength: f64,
    /// Pieces at a blow just above the strength; twice the blow makes twice as many.
    pub pieces: f64,
    /// Never more than this at once.
    pub most_pieces: u32,
    /// What is beyond this share of the body's radius from the blow stays whole. 2: all of it breaks.
    pub reach: f64,
    /// Of the cracks: how far they move, as a share of the asset's radius.
    pub roughness: f64,
    /// Bodies with less volume than this, in m³, do not break.
    pub smallest: f64,
}

impl Default for Material {
    fn default() -> Self {
        Self { strength: 500.0, pieces: 6.0, most_pieces: 40, reach: 2.0, roughness: 0.0, smallest: 2e-5 }
    }
}

/// What hit a body in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blow {
    /// N s, and which way it pushed the body, in the world.
    pub impulse: Vector,
    /// Where, in the world: the middle of all contacts, each weighed by its impulse.
    pub point: Vector,
}

/// What hit a body in the last step: the impulses along the normals of its contacts. `None` if nothing did.
pub fn blow_on(world: &PhysicsWorld, body: RigidBodyHandle) -> Option<Blow> {
    let (mut impulse, mut weighed, mut weight) = (Vector::ZERO, Vector::ZERO, 0.0);
    for collider in world.bodies.get(body)?.colliders() {
        for pair in world.contact_pairs_with(*collider) {
            let first = pair.collider1 == *collider;
            let place = world.colliders.get(pair.collider1)?.position();
            for manifold in pair.solver_manifolds() {
                let pushes = manifold.data.normal * if first { -1.0 } else { 1.0 };
                for contact in &manifold.points {
                    impulse += pushes * contact.data.impulse;
                    weighed += place * contact.local_p1 * contact.data.impulse;
                    weight += contact.data.impulse;
                }
            }
        }
    }
    (weight > 0.0).then(|| Blow { impulse, point: weighed / weight })
}

/// Breaks an object that was hit; `None` if it stands the blow. `seed` chooses the pattern: give each body its own.
pub fn broken_by(blow: &Blow, material: &Material, object: &Object, pose: &Pose, seed: u64) -> Option<Vec<Object>> {
    let metres = object.in_metres();
    let volume = metres.mass().volume;
    let strain = f64::from(blow.impulse.length()) / (material.strength * volume.powf(2.0 / 3.0));
    if strain.is_nan() || strain <= 1.0 || volume < material.smallest {
        return None;
    }
    let pattern = Pattern::impact(Impact {
        point: metres.in_asset(&convert::point(pose.inverse_transform_point(blow.point))),
        direction: convert::vector(pose.inverse_transform_vector(blow.impulse.normalize())),
        radius: material.reach * object.bounds().radius(),
        count: (material.pieces * strain).clamp(2.0, material.most_pieces.into()) as u32,
        seed,
    });
    let roughness = Roughness { amplitude: material.roughness, wavelength: 4.0, seed };
    let pattern = if material.roughness > 0.0 { pattern.rough(roughness) } else { pattern };
    let options =
        FractureOptions { min_volume_share: 0.002, max_fragments: material.most_pieces, ..FractureOptions::default() };
    fracture(object, &pattern, &options).ok()?.broken().map(|pieces| pieces.objects)
}

/// Breaks the body of an object, if the last step was too much for it: the new bodies; empty if it is whole.
pub fn break_if_hit(
    world: &mut PhysicsWorld,
    body: RigidBodyHandle,
    material: &Material,
    seed: u64,
) -> Vec<RigidBodyHandle> {
    let fragments = blow_on(world, body).and_then(|blow| {
        let object = object_of(world, body)?;
        broken_by(&blow, material, object, world.bodies[body].position(), seed)
    });
    fragments.map_or(vec![], |fragments| crate::bodies::replace(world, body, fragments))
}
