#include "query.hpp"

#include <algorithm>
#include <chrono>

namespace adapter {

namespace {

fc_query_desc descriptor(const Query &query) {
    fc_query_desc desc;
    fc_query_desc_default(&desc);
    desc.margin = static_cast<float>(query.margin);
    desc.mode = query.mode;
    desc.target_contacts = query.target;
    desc.max_contacts = query.most;
    desc.max_per_normal = query.most_per_normal;
    return desc;
}

/// Asks, and tells the observer.
template <class Ask>
void observed(const Query &query, fc_object a, fc_object b, Vec origin, Contacts &contacts, Ask ask) {
    contacts.count = 0;
    contacts.origin = origin;
    const auto start = std::chrono::steady_clock::now();
    std::uint32_t found = 0;
    const fc_query_desc desc = descriptor(query);
    if (ask(desc, found) >= 0) contacts.count = found < Contacts::capacity ? found : Contacts::capacity;
    if (!query.observer) return;
    const auto time = std::chrono::steady_clock::now() - start;
    query.observer->queried(a, b, contacts.items, contacts.count, origin,
                            static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count()));
}

/// Adds where points of a plain shape, with a ball of `radius` around each, are in an object.
class CornerContacts {
public:
    CornerContacts(const Query &query, fc_object object, const fc_pose &at, const Pose &pose_shape, Contacts &contacts)
        : query_(query), object_(object), at_(at), pose_shape_(pose_shape), contacts_(contacts) {
        fc_aabb box;
        known_ = fc_object_bounds(object, &at, &box) >= 0;
        low_ = vec(box.min);
        high_ = vec(box.max);
    }

    void add(Vec corner, double radius) {
        // A sample of the object has bit 31 clear.
        const std::uint32_t feature = 0x80000000u | number_++;
        const Vec centre = pose_shape_ * corner;
        const double reach = radius + query_.margin;
        const bool near = known_ && centre.x >= low_.x - reach && centre.y >= low_.y - reach && centre.z >= low_.z - reach &&
                          centre.x <= high_.x + reach && centre.y <= high_.y + reach && centre.z <= high_.z + reach;
        if (!near || contacts_.count == std::min(query_.most, Contacts::capacity)) return;
        const double point[3] = {centre.x, centre.y, centre.z};
        double distance;
        float outward[3];
        if (fc_object_signed_distance(object_, &at_, point, &distance, outward) < 0 || distance > reach) return;
        const Vec out = vec(outward), middle = centre - (radius + distance) / 2 * out - contacts_.origin;
        fc_contact &contact = contacts_.items[contacts_.count++];
        contact = {{float(middle.x), float(middle.y), float(middle.z)}, float(radius - distance),
                   {-outward[0], -outward[1], -outward[2]}, feature};
    }

private:
    const Query &query_;
    const fc_object object_;
    const fc_pose &at_;
    const Pose &pose_shape_;
    Contacts &contacts_;
    bool known_ = false;
    Vec low_, high_;
    std::uint32_t number_ = 0;
};

void add_corners(const Query &query, fc_object a, const fc_pose &at, const fc_shape &shape, const Pose &pose_shape,
                 fracas::Span<const float> corners, Contacts &contacts) {
    CornerContacts found(query, a, at, pose_shape, contacts);
    switch (shape.kind) {
    case FC_SHAPE_BALL: found.add({}, shape.radius); break;
    case FC_SHAPE_BOX:
        for (int k = 0; k < 8; ++k) {
            const float *h = shape.half_extents;
            found.add({k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2]}, 0);
        }
        break;
    case FC_SHAPE_CAPSULE: {
        // Balls along it, no farther apart than they are thick.
        const Vec from = vec(shape.ends[0]), along = vec(shape.ends[1]) - from;
        const int parts = std::clamp(static_cast<int>(std::ceil(length(along) / shape.radius)), 1, 8);
        for (int k = 0; k <= parts; ++k) found.add(from + double(k) / parts * along, shape.radius);
        break;
    }
    default: break;
    }
    for (std::uint32_t k = 0; k + 2 < corners.size(); k += 3)
        found.add({corners.data()[k], corners.data()[k + 1], corners.data()[k + 2]}, 0);
}

} // namespace

void touching(const Query &query, fc_object a, const Pose &pose_a, fc_object b, const Pose &pose_b, Contacts &contacts) {
    const fc_pose at_a = to_fc(pose_a), at_b = to_fc(pose_b);
    observed(query, a, b, pose_a.position, contacts, [&](const fc_query_desc &desc, std::uint32_t &found) {
        return fc_query_pair(a, &at_a, b, &at_b, &desc, contacts.items, Contacts::capacity, &found);
    });
}

void touching(const Query &query, fc_object a, const Pose &pose_a, const fc_shape &shape, const Pose &pose_shape,
              Contacts &contacts, fracas::Span<const float> corners) {
    const fc_pose at_a = to_fc(pose_a), at_shape = to_fc(pose_shape);
    observed(query, a, fc_object{0}, pose_a.position, contacts, [&](const fc_query_desc &desc, std::uint32_t &found) {
        const fc_status status =
            fc_query_shape(a, &at_a, &shape, &at_shape, &desc, contacts.items, Contacts::capacity, &found);
        if (status < 0) return status;
        contacts.count = std::min(found, Contacts::capacity);
        add_corners(query, a, at_a, shape, pose_shape, corners, contacts);
        found = contacts.count;
        return status;
    });
}

} // namespace adapter
