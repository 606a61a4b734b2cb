// What a solver keeps of a body, and what its fragments inherit.
//
// Fracas keeps every fragment in the frame of its asset, so that at the break all of them have their parent's pose. Solvers
// keep bodies by their centre of mass, and some (Bullet) by their principal axes too.
#pragma once

#include "maths.hpp"

#include <optional>

namespace adapter {

/// Mass, and where it is: the centre of mass in the object's frame, the principal moments, and their axes.
struct Inertia {
    double mass = 0;
    Vec centre;
    Vec moments;
    Quat axes;

    /// The principal frame, seen from the object's.
    Pose frame() const { return {centre, axes}; }
};

/// Of an object; nothing if the handle is stale.
std::optional<Inertia> inertia_of(fc_object object);

/// How a body moves: velocity of its centre of mass, and angular velocity, in the world.
struct Motion {
    Vec linear;
    Vec angular;
};

/// How a point of a body moves, and with it the body's frame if it is there.
inline Motion motion_at(const Motion &body, Vec centre, Vec point) {
    return {body.linear + cross(body.angular, point - centre), body.angular};
}

/// How a part moves that a moment ago was a piece of a rigid body: its centre of mass goes on as that point of the body did,
/// v + w x r, and it turns as the body did. Momentum, angular momentum and energy of all parts add up to the body's, so
/// nothing pops.
inline Motion inherited(const Motion &whole, Vec centre_of_whole, Vec centre_of_part) {
    return motion_at(whole, centre_of_whole, centre_of_part);
}

} // namespace adapter
