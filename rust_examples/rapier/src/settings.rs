//! Rapier for things that one can hold: its defaults are for bodies of a metre.

use crate::dispatcher::FcDispatcher;
use rapier3d::prelude::*;

/// A world whose contacts of objects come from Fracas, for bodies of about `size` metres. z is up, and the floor is yours.
pub fn world(size: f32, step: f32) -> PhysicsWorld {
    PhysicsWorld {
        gravity: Vector::new(0.0, 0.0, -9.81),
        integration_parameters: parameters(size, step),
        narrow_phase: NarrowPhase::with_query_dispatcher(FcDispatcher::default().before_default()),
        ..PhysicsWorld::default()
    }
}

/// Parameters for bodies of about `size` metres and steps of so many seconds.
pub fn parameters(size: f32, step: f32) -> IntegrationParameters {
    let (given, stiffer) = (IntegrationParameters::default(), 1.0 / size.sqrt());
    // A body sinks into a contact by g / (2 pi f)²: with this, by the same share of its size as one of a metre does by default.
    let scaled =
        |soft: SpringCoefficients<f32>| SpringCoefficients::new(stiffer * soft.natural_frequency, soft.damping_ratio);
    IntegrationParameters {
        dt: step,
        contact_softness: scaled(given.contact_softness),
        static_contact_softness: scaled(given.static_contact_softness),
        // What is "normalized" below is a share of this, and so is the speed at which overlap is pushed out.
        length_unit: size,
        normalized_allowed_linear_error: 0.001,
        // No more than that: gaps that are farther ahead than bodies move crowd out the contacts that carry. What moves looks ahead
        // by its `soft_ccd_prediction`.
        normalized_prediction_distance: 0.001,
        // Contacts are kept while bodies stay put: at rest nothing is asked. They are as old as this is far.
        normalized_contact_recycle_distance: 0.002,
        // Contacts of Fracas come in groups already, and their features are better than places to know them again by.
        contact_clustering: false,
        ..given
    }
}

/// How far a body looks ahead that moves at up to `speed`: it meets what it hits in the step in which it does. For
/// `RigidBodyBuilder::soft_ccd_prediction`.
pub fn look_ahead(speed: f32, step: f32) -> f32 {
    speed * step
}
