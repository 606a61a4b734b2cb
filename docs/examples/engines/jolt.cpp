// The blocks of the documentation on Jolt, and those on all engines, compiled against both. cpp_examples/demo/worlds/jolt.cpp runs.
#include <adapters/common/breaking.hpp>
#include <adapters/jolt/jolt.hpp>

#include <Jolt/Core/JobSystem.h>
#include <Jolt/Core/TempAllocator.h>

void steps(JPH::PhysicsSystem &system, JPH::TempAllocator &temporary, JPH::JobSystem &jobs, JPH::ObjectLayer layer, fc_object object,
           const adapter::Query &query, const adapter::Pose &pose, const adapter::Motion &motion, float seconds,
           const std::vector<fc_object> &fragments) {
    JPH::BodyInterface &bodies = system.GetBodyInterface();
    // 1. Once, after JPH::RegisterTypes().
    adapter::jolt::register_shape();
    // 2. A body for each object.
    JPH::Ref<adapter::jolt::Shape> shape = adapter::jolt::Shape::of(object, query);
    JPH::Body *body = adapter::jolt::create_body(bodies, adapter::jolt::body_settings(*shape, pose, motion, JPH::EMotionType::Dynamic, layer));
    bodies.AddBody(body->GetID(), JPH::EActivation::Activate);
    // Before each step:
    adapter::jolt::before_step(system, seconds);
    system.Update(seconds, 1, &temporary, &jobs);
    // 3. When it breaks: bodies for all fragments, or none if there is no room.
    std::vector<JPH::BodyID> parts = adapter::jolt::replace(system, body->GetID(), fragments);
}

void breaking(adapter::Vec impulse, adapter::Vec point, const adapter::Material &material, fc_object object, const adapter::Pose &pose,
              std::uint64_t seed) {
    if (auto how = adapter::broken_by({impulse, point}, material, object, pose, seed)) {
        std::vector<fc_object> fragments = adapter::fragments_of(object, *how); // new objects, yours to destroy; `object` stays as it was
        // ... step 3 of the engine, then fc_object_destroy(object)
    }
}

void budgets(JPH::PhysicsSystem &system, JPH::TempAllocator &temporary, JPH::JobSystem &jobs, adapter::Query &query, float seconds) {
    adapter::Budget budget(100000);  // units for a step
    query.budget = &budget;
    budget.begin_step();             // before each step; begin_step(6 * fragments.size()) after a break
    system.Update(seconds, 1, &temporary, &jobs);
    budget.step();                   // pairs, interrupted pairs, work, pairs by level
}

// What a body was hit with, from its motion before and after the step.
adapter::Blow blow_on(const JPH::Body &body, const adapter::Motion &before, adapter::Vec point, double mass, adapter::Vec gravity,
                      double seconds) {
    const adapter::Vec after = adapter::jolt::from_jolt(body.GetLinearVelocity());
    return {adapter::contact_impulse(mass, before.linear, after, gravity, seconds), point};
}
