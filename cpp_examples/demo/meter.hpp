// What happened in a step: the queries that the engine's adapter made, their contacts, and how long they took.
#pragma once

#include "world.hpp"

#include <mutex>
#include <vector>

namespace demo {

/// A contact in the world.
struct Touch {
    Vec point;
    Vec normal; // towards the object a
    double depth;
};

/// The contacts of one query. `b` is {0} for a shape of the engine's own.
struct Touching {
    fc_object a, b;
    std::vector<Touch> touches;
};

class Meter final : public adapter::Observer {
public:
    /// Forgets the last step.
    void begin() {
        pairs_.clear();
        nanoseconds_ = 0;
        queries_ = contacts_ = 0;
    }
    void queried(fc_object a, fc_object b, const fc_contact *contacts, std::uint32_t count, Vec origin,
                 std::uint64_t nanoseconds) override {
        Touching pair{a, b, {}};
        for (std::uint32_t k = 0; k < count; ++k)
            pair.touches.push_back({origin + adapter::vec(contacts[k].point), adapter::vec(contacts[k].normal), contacts[k].depth});
        const std::lock_guard<std::mutex> lock(mutex_);
        nanoseconds_ += nanoseconds;
        ++queries_;
        contacts_ += count;
        if (count > 0) pairs_.push_back(std::move(pair));
    }

    /// Pairs that touch.
    const std::vector<Touching> &pairs() const { return pairs_; }
    std::uint32_t queries() const { return queries_; }
    std::uint32_t contacts() const { return contacts_; }
    /// Of all threads together.
    double milliseconds() const { return 1e-6 * double(nanoseconds_); }

private:
    std::mutex mutex_;
    std::vector<Touching> pairs_;
    std::uint64_t nanoseconds_ = 0;
    std::uint32_t queries_ = 0, contacts_ = 0;
};

} // namespace demo
