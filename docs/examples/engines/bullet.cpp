// The blocks of the documentation on Bullet, compiled against it. cpp_examples/demo/worlds/bullet.cpp runs.
#include <adapters/bullet/bullet.hpp>

void steps(btCollisionConfiguration &configuration, btBroadphaseInterface &broadphase, btConstraintSolver &solver, adapter::Jobs &jobs,
           const adapter::Query &query, fc_object object, const adapter::Pose &pose, const std::vector<fc_object> &fragments) {
    // 1. Its dispatcher in place of btCollisionDispatcher. Queries run on the threads of `jobs`, before Bullet's own pass.
    adapter::bullet::Dispatcher dispatcher(&configuration, query, &jobs);
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    // 2. A shape and a body for each object.
    adapter::bullet::Shape shape(object);
    btRigidBody body(adapter::bullet::body_info(shape, pose));
    world.addRigidBody(&body);
    // 3. When it breaks: out with it, and a body for each fragment.
    const adapter::Pose at = shape.pose(body.getWorldTransform());
    const adapter::Motion whole{adapter::bullet::from_bullet(body.getLinearVelocity()), adapter::bullet::from_bullet(body.getAngularVelocity())};
    adapter::bullet::remove(world, body);
    for (const fc_object fragment : fragments) {
        auto *part = new adapter::bullet::Shape(fragment); // outlives its body
        auto *added = new btRigidBody(adapter::bullet::body_info(*part, at));
        const adapter::Motion motion = adapter::inherited(whole, at * shape.inertia().centre, at * part->inertia().centre);
        added->setLinearVelocity(adapter::bullet::to_bullet(motion.linear));
        added->setAngularVelocity(adapter::bullet::to_bullet(motion.angular));
        world.addRigidBody(added);
    }
}
