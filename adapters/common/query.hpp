// The one place where adapters ask for contacts, with the settings that suit a solver.
#pragma once

#include "body.hpp"
#include "budget.hpp"

#include <cstdint>

namespace adapter {

/// Told of every query; for statistics and overlays. Engines query from their worker threads, so it must bear being called
/// by several at once.
class Observer {
public:
    virtual ~Observer() = default;
    /// `b` is {0} for a plain shape. Points of contacts are relative to `origin`.
    virtual void queried(fc_object a, fc_object b, const fc_contact *contacts, std::uint32_t count, Vec origin,
                         std::uint64_t nanoseconds) = 0;
};

/// How an adapter queries.
struct Query {
    /// Bodies this far apart touch already, with a negative depth: the engine's speculative distance, in metres.
    double margin = 0.001;
    /// FC_MODE_*: which of the points that touch become contacts.
    std::uint32_t mode = FC_MODE_TARGET_THEN_DEEPER;
    /// Contacts that are enough for a pair; then only deeper ones are added.
    std::uint32_t target = 8;
    /// Never more than this for a pair.
    std::uint32_t most = 32;
    /// Never more than this with nearly the same normal. Solvers gain nothing from a fifth.
    std::uint32_t most_per_normal = 4;
    /// Depths by the shortest way out of each point, instead of along the normal as solvers want them.
    bool shortest_way = false;
    /// Limits the work of a step; call its begin_step() before each. Interrupted pairs have the best contacts found so far. May be null:
    /// no limit.
    Budget *budget = nullptr;
    /// May be null.
    Observer *observer = nullptr;
};

/// The contacts of one pair; on the stack of the thread that asks.
struct Contacts {
    static constexpr std::uint32_t capacity = 64;
    fc_contact items[capacity];
    std::uint32_t count = 0;
    /// What their points are relative to: in the world.
    Vec origin;

    Vec point(std::uint32_t k) const { return origin + vec(items[k].point); }
    const fc_contact *begin() const { return items; }
    const fc_contact *end() const { return items + count; }
};

/// What a query is told of a pair in a step, beside its poses.
struct Step {
    /// What is kept of the pair between steps, zero at first; null: nothing.
    fc_pair_memory *memory = nullptr;
    /// How the two move in the step, what gravity adds included: of an object, its centre of mass; of a plain shape, the origin of its
    /// frame. What meets in the step, if it goes on so, has contacts already, with gaps as negative depths.
    Motion of_a, of_b;
    /// How long it is; 0: contacts of now.
    double seconds = 0;

    /// How far points of the two that are at most `radius` from their centres can near each other, at most.
    double way(double radius) const {
        return seconds * (length(of_a.linear - of_b.linear) + radius * (length(of_a.angular) + length(of_b.angular)));
    }
};

/// Finds the contacts of two objects. Normals point from b to a. None if a handle is stale: a body that is about to go.
void touching(const Query &query, fc_object a, const Pose &pose_a, fc_object b, const Pose &pose_b, const Step &step, Contacts &contacts);
/// Finds the contacts of an object and a plain shape.
void touching(const Query &query, fc_object a, const Pose &pose_a, const fc_shape &shape, const Pose &pose_shape, const Step &step,
              Contacts &contacts);

} // namespace adapter
