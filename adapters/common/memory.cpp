#include "memory.hpp"

namespace adapter {

bool Remembered::recall(const Query &query, const Pose &pose_a, const Pose &pose_b, Vec centre, double radius, double still,
                        Contacts &contacts) const {
    if (query.margin > margin_ + still) return false;
    const Pose now = inverse(pose_b) * pose_a;
    const Quat turned = now.rotation * inverse(a_in_b_.rotation);
    const double half = length({turned.x, turned.y, turned.z}); // sine of half the angle
    if (length(now * centre - a_in_b_ * centre) + 2 * radius * half > still) return false;

    contacts.origin = pose_a.position;
    contacts.count = static_cast<std::uint32_t>(points_.size());
    for (std::uint32_t k = 0; k < contacts.count; ++k) {
        const Point &point = points_[k];
        const Vec on_a = now * point.on_a;
        const Vec at = pose_b * (0.5 * (on_a + point.on_b)) - contacts.origin, normal = rotate(pose_b.rotation, point.normal);
        contacts.items[k] = {{float(at.x), float(at.y), float(at.z)},
                             point.depth - float(dot(point.normal, on_a - point.on_b)),
                             {float(normal.x), float(normal.y), float(normal.z)},
                             point.feature};
    }
    return true;
}

void Remembered::keep(const Query &query, const Pose &pose_a, const Pose &pose_b, const Contacts &contacts) {
    const Pose to_a = inverse(pose_a), to_b = inverse(pose_b);
    margin_ = query.margin;
    a_in_b_ = to_b * pose_a;
    points_.clear();
    for (std::uint32_t k = 0; k < contacts.count; ++k) {
        const fc_contact &contact = contacts.items[k];
        const Vec at = contacts.point(k);
        points_.push_back({to_a * at, to_b * at, rotate(to_b.rotation, vec(contact.normal)), contact.depth, contact.feature});
    }
}

} // namespace adapter
