#include "query.hpp"

#include <algorithm>
#include <chrono>

namespace adapter {

namespace {

/// For the budget: weight of a pair with one of the engine's own shapes, such as the ground that everything rests on; two objects have 1.
/// With equal weights 93 of the 530 bodies of a heap sank into the ground at a fifth of the work that it needs, with 8 none.
constexpr std::uint32_t weight_of_shapes = 8;

fc_query_desc descriptor(const Query &query, std::uint32_t weight) {
    fc_query_desc desc;
    fc_query_desc_default(&desc);
    desc.margin = static_cast<float>(query.margin);
    desc.flags = query.along_normal ? FC_QUERY_ALONG_NORMAL : 0;
    desc.mode = query.mode;
    desc.target_contacts = query.target;
    desc.max_contacts = query.most;
    desc.max_per_normal = query.most_per_normal;
    desc.budget = query.budget ? query.budget->share(weight) : 0;
    return desc;
}

/// Asks, and tells the observer.
template <class Ask>
void observed(const Query &query, fc_object a, fc_object b, Vec origin, Contacts &contacts, Ask ask) {
    contacts.count = 0;
    contacts.origin = origin;
    const auto start = std::chrono::steady_clock::now();
    std::uint32_t found = 0;
    const std::uint32_t weight = b.id == 0 ? weight_of_shapes : 1;
    const fc_query_desc desc = descriptor(query, weight);
    if (ask(desc, found) >= 0) {
        contacts.count = found < Contacts::capacity ? found : Contacts::capacity;
        if (query.budget) query.budget->count(weight);
    }
    if (!query.observer) return;
    const auto time = std::chrono::steady_clock::now() - start;
    query.observer->queried(a, b, contacts.items, contacts.count, origin,
                            static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count()));
}

} // namespace

void touching(const Query &query, fc_object a, const Pose &pose_a, fc_object b, const Pose &pose_b, Contacts &contacts) {
    const fc_pose at_a = to_fc(pose_a), at_b = to_fc(pose_b);
    observed(query, a, b, pose_a.position, contacts, [&](const fc_query_desc &desc, std::uint32_t &found) {
        return fc_query_pair(a, &at_a, b, &at_b, &desc, contacts.items, Contacts::capacity, &found);
    });
}

void touching(const Query &query, fc_object a, const Pose &pose_a, const fc_shape &shape, const Pose &pose_shape,
              Contacts &contacts) {
    const fc_pose at_a = to_fc(pose_a), at_shape = to_fc(pose_shape);
    observed(query, a, fc_object{0}, pose_a.position, contacts, [&](const fc_query_desc &desc, std::uint32_t &found) {
        return fc_query_shape(a, &at_a, &shape, &at_shape, &desc, contacts.items, Contacts::capacity, &found);
    });
}

} // namespace adapter
