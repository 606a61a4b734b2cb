#include "query.hpp"

#include <algorithm>
#include <chrono>

namespace adapter {

namespace {

/// For the budget: weight of a pair with one of the engine's own shapes, such as the ground that everything rests on; two objects have 1.
/// With equal weights 93 of the 530 bodies of a heap sank into the ground at a fifth of the work that it needs, with 8 none.
constexpr std::uint32_t weight_of_shapes = 8;

fc_query_desc descriptor(const Query &query, std::uint32_t weight, const Step &step, const fc_motion *motions) {
    fc_query_desc desc;
    fc_query_desc_default(&desc);
    desc.margin = static_cast<float>(query.margin);
    // At rest many samples are about as deep. If chance decided which is the deepest, bodies would rock.
    desc.tolerance = desc.margin / 10;
    desc.flags = query.shortest_way ? FC_QUERY_SHORTEST_WAY : 0;
    desc.mode = query.mode;
    desc.target_contacts = query.target;
    desc.max_contacts = query.most;
    desc.max_per_normal = query.most_per_normal;
    desc.budget = query.budget ? query.budget->share(weight) : 0;
    desc.memories = step.memory;
    desc.motions = motions;
    desc.seconds = static_cast<float>(step.seconds);
    return desc;
}

fc_motion to_fc(const Motion &motion) {
    const Vec &v = motion.linear, &w = motion.angular;
    return {{float(v.x), float(v.y), float(v.z)}, {float(w.x), float(w.y), float(w.z)}};
}

/// Asks, and tells the observer.
template <class Ask>
void observed(const Query &query, fc_object a, fc_object b, Vec origin, const Step &step, Contacts &contacts, Ask ask) {
    contacts.count = 0;
    contacts.origin = origin;
    const auto start = std::chrono::steady_clock::now();
    std::uint32_t found = 0;
    const std::uint32_t weight = b.id == 0 ? weight_of_shapes : 1;
    const fc_motion motions[2] = {to_fc(step.of_a), to_fc(step.of_b)};
    const fc_query_desc desc = descriptor(query, weight, step, step.seconds > 0 ? motions : nullptr);
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

void touching(const Query &query, fc_object a, const Pose &pose_a, fc_object b, const Pose &pose_b, const Step &step, Contacts &contacts) {
    const fc_pose at_a = to_fc(pose_a), at_b = to_fc(pose_b);
    observed(query, a, b, pose_a.position, step, contacts, [&](const fc_query_desc &desc, std::uint32_t &found) {
        return fc_query_pair(a, &at_a, b, &at_b, &desc, contacts.items, Contacts::capacity, &found);
    });
}

void touching(const Query &query, fc_object a, const Pose &pose_a, const fc_shape &shape, const Pose &pose_shape, const Step &step,
              Contacts &contacts) {
    const fc_pose at_a = to_fc(pose_a), at_shape = to_fc(pose_shape);
    Query wider = query;
    // The library does not look ahead of fields, such as terrain. Wider gaps than this would cost too much; terrain has a thickness instead.
    // Doubled, so that the margin is the same at rest: what is kept of a pair is good for one margin.
    constexpr double most_ahead = 0.002;
    if (shape.kind == FC_SHAPE_FIELD)
        while (wider.margin > 0 && wider.margin < std::min(step.way(0), most_ahead)) wider.margin *= 2;
    observed(wider, a, fc_object{0}, pose_a.position, step, contacts, [&](const fc_query_desc &desc, std::uint32_t &found) {
        return fc_query_shape(a, &at_a, &shape, &at_shape, &desc, contacts.items, Contacts::capacity, &found);
    });
}

} // namespace adapter
