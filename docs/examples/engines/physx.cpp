// The blocks of the documentation on PhysX, compiled against it. cpp_examples/demo/worlds/physx.cpp runs.
#include <adapters/physx/physx.hpp>

void steps(physx::PxScene *scene, physx::PxMaterial *material, const adapter::Query &query, fc_object object, const adapter::Pose &pose,
           const adapter::Motion &motion, float seconds, const std::vector<fc_object> &fragments) {
    // 1. The bodies of a scene.
    adapter::px::Bodies bodies(*scene, *material, query, adapter::px::Settings{});
    // 2. An actor for each object. Before each step tell the adapter how long it is.
    physx::PxRigidActor *body = bodies.add(object, pose, motion);
    bodies.before_step(seconds);
    scene->simulate(seconds);
    scene->fetchResults(true);
    // 3. When it breaks: actors for all fragments, or none if a handle is stale.
    std::vector<physx::PxRigidActor *> parts = bodies.replace(*body, fragments);
}
