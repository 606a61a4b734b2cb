// The blocks of the documentation on ODE, compiled against it. cpp_examples/demo/worlds/ode.cpp runs.
#include <adapters/ode/ode.hpp>

void steps(dWorldID world, dSpaceID space, dJointGroupID joints, const adapter::Query &query, fc_object object, const adapter::Pose &pose,
           const adapter::Motion &motion, double seconds, const std::vector<fc_object> &fragments) {
    // 1. A narrow phase, and threads for it.
    adapter::ode::NarrowPhase narrow_phase;
    adapter::Jobs jobs(4);
    // 2. A geom and a body for each object; then in every step contacts become joints.
    dGeomID geom = adapter::ode::create_geom(space, object, query);
    dBodyID body = adapter::ode::create_body(world, geom, pose, motion);
    narrow_phase.collide(space, jobs, seconds);
    for (const auto &pair : narrow_phase.pairs())
        for (const auto &found : pair.contacts) {
            dContact contact{};
            contact.geom = found.geom;
            contact.surface.mu = 0.5;
            adapter::ode::speculate(contact, seconds);              // gaps may close, and no more
            adapter::ode::hold(contact, found.crept, 0.2, seconds); // friction brings back what has crept
            dJointAttach(dJointCreateContact(world, joints, &contact), dGeomGetBody(found.geom.g1), dGeomGetBody(found.geom.g2));
        }
    dWorldQuickStep(world, seconds);
    dJointGroupEmpty(joints);
    // 3. When it breaks: out with it, and a geom and a body for each fragment.
    const adapter::Pose at = adapter::ode::pose_of(geom);
    const dReal *p = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    const adapter::Vec centre{p[0], p[1], p[2]};
    const adapter::Motion whole{{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    narrow_phase.remove(space, geom, query.margin);
    for (const fc_object fragment : fragments) {
        const adapter::Inertia inertia = adapter::inertia_of(fragment).value();
        adapter::ode::create_body(world, adapter::ode::create_geom(space, fragment, query), at,
                                  adapter::inherited(whole, centre, at * inertia.centre));
    }
}
