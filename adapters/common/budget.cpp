#include "budget.hpp"

namespace adapter {

void Budget::begin_step(std::uint32_t new_pairs) {
    const std::uint64_t weight = weight_, interrupted = interrupted_weight_, work = work_, units = units_;
    if (units != 0) {
        const std::uint64_t even = units / std::max<std::uint64_t>(weight + new_pairs, 1);
        const std::uint64_t finished = work - interrupted_work_, left = units - std::min(units, finished);
        const std::uint64_t fitting = interrupted > 0 ? left / interrupted : largest_ * units / std::max(work, units);
        // Doubled at most: a step in which many pairs need more than before takes little more than the budget.
        const std::uint64_t more = new_pairs > 0 ? 0 : std::min<std::uint64_t>(fitting, 2 * std::uint64_t(share_));
        share_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(std::max(even, more), 1, units));
    }
    pairs_ = interrupted_ = 0;
    work_ = weight_ = interrupted_work_ = interrupted_weight_ = largest_ = 0;
    for (auto &level : levels_) level = 0;
}

Budget::Step Budget::step() const {
    Step step{pairs_, interrupted_, work_, {}};
    for (int k = 0; k < 5; ++k) step.levels[k] = levels_[k];
    return step;
}

void Budget::count(std::uint32_t weight) {
    constexpr auto any_order = std::memory_order_relaxed; // sums and a maximum: the order does not matter
    fc_query_stats stats;
    fc_query_stats_default(&stats);
    if (fc_query_get_stats(&stats) < 0) return;
    pairs_.fetch_add(1, any_order);
    work_.fetch_add(stats.work, any_order);
    weight_.fetch_add(weight, any_order);
    levels_[std::min<std::uint32_t>(stats.level, FC_LEVEL_ALL)].fetch_add(1, any_order);
    if (stats.interrupted > 0) {
        interrupted_.fetch_add(1, any_order);
        interrupted_work_.fetch_add(stats.work, any_order);
        interrupted_weight_.fetch_add(weight, any_order);
        return;
    }
    const std::uint64_t needed = (stats.work + weight - 1) / weight;
    std::uint64_t largest = largest_.load(any_order);
    while (largest < needed && !largest_.compare_exchange_weak(largest, needed, any_order)) {}
}

} // namespace adapter
