//! Bodies of objects: putting one into the world, and replacing one by its fragments.

use crate::shape::FcShape;
use fracas::Object;
use rapier3d::prelude::*;

/// Puts an object into the world. The pose of the body is that of the object's frame.
pub fn insert(
    world: &mut PhysicsWorld,
    object: Object,
    body: impl Into<RigidBody>,
) -> (RigidBodyHandle, ColliderHandle) {
    world.insert(body, FcShape::collider(object))
}

/// The object that a body has; `None` if it has none.
pub fn object_of(world: &PhysicsWorld, body: RigidBodyHandle) -> Option<&Object> {
    shape_of(world, body).map(FcShape::object)
}

/// The shape of the object that a body has.
pub fn shape_of(world: &PhysicsWorld, body: RigidBodyHandle) -> Option<&FcShape> {
    let colliders = world.bodies.get(body)?.colliders().iter();
    colliders.filter_map(|collider| FcShape::of(world.colliders[*collider].shape())).next()
}

/// Replaces the body of an object by bodies of its fragments, between two steps.
///
/// Each is where it was, and its centre of mass goes on as that point of the body did, v + w x r. Momentum, angular momentum and
/// energy of all add up to the body's, so nothing pops. What else the body and its collider had, such as friction, groups and
/// user data, they have too. Rapier is told by removing and inserting; what touched the body is awake, and notices.
///
/// Empty if there is no such body, or nothing to replace it by; the body is then as it was.
pub fn replace(world: &mut PhysicsWorld, body: RigidBodyHandle, fragments: Vec<Object>) -> Vec<RigidBodyHandle> {
    let Some(whole) = world.bodies.get(body).filter(|_| !fragments.is_empty()) else { return vec![] };
    let Some(collider) = whole.colliders().first().copied() else { return vec![] };
    let touched: Vec<_> = world
        .contact_pairs_with(collider)
        .map(|pair| if pair.collider1 == collider { pair.collider2 } else { pair.collider1 })
        .filter_map(|other| world.colliders.get(other)?.parent())
        .collect();

    let mut whole = whole.clone();
    let skin = world.colliders[collider].clone();
    world.remove_body(body);
    touched.into_iter().for_each(|other| world.wake_up(other, true));

    let (centre, linear, angular) = (whole.center_of_mass(), whole.linvel(), whole.angvel());
    whole.wake_up(true);
    fragments
        .into_iter()
        .map(|fragment| {
            let mut collider = FcShape::collider(fragment).build();
            collider.set_friction(skin.friction());
            collider.set_friction_combine_rule(skin.friction_combine_rule());
            collider.set_restitution(skin.restitution());
            collider.set_restitution_combine_rule(skin.restitution_combine_rule());
            collider.set_collision_groups(skin.collision_groups());
            collider.set_solver_groups(skin.solver_groups());
            collider.set_active_events(skin.active_events());
            collider.set_active_hooks(skin.active_hooks());
            collider.user_data = skin.user_data;
            let part = *whole.position() * collider.shape().mass_properties(1.0).local_com;
            let builder = RigidBodyBuilder::dynamic()
                .pose(*whole.position())
                .linvel(linear + angular.cross(part - centre))
                .angvel(angular)
                .gravity_scale(whole.gravity_scale())
                .linear_damping(whole.linear_damping())
                .angular_damping(whole.angular_damping())
                .soft_ccd_prediction(whole.soft_ccd_prediction())
                .user_data(whole.user_data);
            world.insert(builder, collider).0
        })
        .collect()
}
