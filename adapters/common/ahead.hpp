// Contacts before bodies are in each other, for engines that take gaps as contacts.
//
// What is fast is deep inside when it is first noticed, and what is thin lets it through: a brick that falls from a table moves by
// 2 cm in a step of 5 ms, and a plate is 6 mm thick. To ask for gaps of 2 cm would cost seconds. So the pair is led along its way
// in strides, as it moves now, until it touches; the gap is what it had to go.
#pragma once

#include "body.hpp"
#include "query.hpp"

#include <algorithm>

namespace adapter {

/// A moving ball around a body.
struct Moving {
    /// Of mass.
    Vec centre;
    double radius = 0;
    Motion motion;
    /// What gravity would add to its speed in a second.
    double falling = 0;

    Vec velocity(Vec point) const { return motion.linear + cross(motion.angular, point - centre); }
    /// Where something that is fixed to the body is so many seconds later.
    Pose later(const Pose &pose, double seconds) const {
        const double speed = length(motion.angular);
        const Quat by = speed > 0 ? turn((1 / speed) * motion.angular, speed * seconds) : Quat{};
        return {centre + seconds * motion.linear + rotate(by, pose.position - centre), by * pose.rotation};
    }
};

/// How far points of two bodies can near each other in a step, at most, where they may meet: within the smaller ball. Two that move
/// as one rigid body, as fragments do just after a break, do not near each other at all.
inline double closing_way(const Moving &a, const Moving &b, double seconds) {
    const Moving &smaller = a.radius <= b.radius ? a : b;
    const double turning = smaller.radius * length(a.motion.angular - b.motion.angular);
    const double speed = length(a.velocity(smaller.centre) - b.velocity(smaller.centre)) + turning;
    return seconds * (speed + seconds * std::max(a.falling, b.falling));
}

/// Calls ask(query, t), which finds the contacts of the two as they are t seconds later, until there are some. Their depths and points
/// are then those of now: what lies between is a gap.
template <class Ask>
void touching_ahead(const Query &query, const Moving &a, const Moving &b, double seconds, Contacts &contacts, Ask ask) {
    // Wider, and gaps cost too much; for what is very fast, that has to be.
    constexpr double stride = 0.002, most_strides = 16;
    const double way = closing_way(a, b, seconds);
    const double strides = std::clamp(std::ceil(way / stride), 1.0, most_strides);
    Query each = query;
    each.margin = std::max(query.margin, way / strides);
    contacts.count = 0;
    double t = 0;
    for (double k = 0; k < strides && contacts.count == 0; ++k) {
        t = seconds * k / strides;
        ask(each, t);
    }
    if (t == 0) return;
    for (std::uint32_t k = 0; k < contacts.count; ++k) {
        fc_contact &contact = contacts.items[k];
        const Vec point = contacts.point(k), of_a = a.velocity(point), of_b = b.velocity(point);
        const Vec then = t / 2 * (of_a + of_b);
        contact.depth += static_cast<float>(t * dot(of_a - of_b, vec(contact.normal)));
        contact.point[0] -= static_cast<float>(then.x);
        contact.point[1] -= static_cast<float>(then.y);
        contact.point[2] -= static_cast<float>(then.z);
    }
}

} // namespace adapter
