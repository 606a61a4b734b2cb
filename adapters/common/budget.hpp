// The work of all queries of a step, kept to a budget.
//
// Engines query pair by pair, from several threads, and do not say how many pairs are still to come. So all pairs of a step get
// the same share, which is set before the step from sums over the last one: contacts depend neither on the order of the pairs nor
// on the number of threads. What pairs that are apart leave of their share goes to those that were interrupted, a step later.
#pragma once

#include <fracas.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace adapter {

class Budget {
public:
    /// What the queries of one step did.
    struct Step {
        std::uint32_t pairs = 0;       // queries
        std::uint32_t interrupted = 0; // that needed more than their share
        std::uint64_t work = 0;        // units: fc_query_stats.work
        std::uint32_t levels[5] = {};  // pairs by FC_LEVEL_*: how far they went
    };

    /// Units of work for a step, in a heap of fragments some hundred nanoseconds each; 0: no limit, work is only counted.
    explicit Budget(std::uint32_t units = 0) : units_(units) {}

    /// Before each step, while no query runs: sets what a pair may take, and forgets the last step. `new_pairs` are those that you
    /// expect in addition to the last step's, such as six for each new fragment; a step with more pairs than were expected takes more.
    void begin_step(std::uint32_t new_pairs = 0);
    /// Since begin_step().
    Step step() const;

    /// For `fc_query_desc.budget` of a pair: its weight, 1 or more, times the share of a pair.
    std::uint32_t share(std::uint32_t weight = 1) const {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t(share_) * weight, units_));
    }
    /// Counts this thread's last query, which had share(weight). Beside any other call.
    void count(std::uint32_t weight = 1);

private:
    std::uint32_t units_, share_ = 0;
    std::atomic<std::uint32_t> pairs_{0}, interrupted_{0}, levels_[5] = {};
    std::atomic<std::uint64_t> work_{0}, weight_{0};
    std::atomic<std::uint64_t> interrupted_work_{0}, interrupted_weight_{0}; // of interrupted pairs
    std::atomic<std::uint64_t> largest_{0}; // work over weight of a pair that was not interrupted
};

} // namespace adapter
