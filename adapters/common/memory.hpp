// What Fracas keeps of pairs between steps (fc_pair_memory), for engines that have no place for it.
#pragma once

#include <fracas.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace adapter {

/// The memories of an object's pairs, by the other body: an object's id, or the address of a shape of the engine's own.
class Memories {
public:
    /// Calls ask(memory). Beside other pairs of the object, on any thread.
    template <class Ask>
    void with(std::uint64_t other, Ask ask) {
        std::unique_lock lock(guard_);
        Kept kept = pairs_[other]; // a copy: other threads may add pairs meanwhile
        lock.unlock();
        ask(&kept.memory);
        lock.lock();
        kept.asked = step_;
        pairs_[other] = kept;
    }
    /// Before each step: drops pairs that have not been asked for in a while. Not beside with().
    void begin_step() {
        if (++step_ % (while_ / 2) != 0) return;
        for (auto pair = pairs_.begin(); pair != pairs_.end();)
            pair = step_ - pair->second.asked > while_ ? pairs_.erase(pair) : std::next(pair);
    }

private:
    /// Steps.
    static constexpr std::uint32_t while_ = 256;
    struct Kept {
        fc_pair_memory memory{};
        std::uint32_t asked = 0;
    };
    std::mutex guard_;
    std::unordered_map<std::uint64_t, Kept> pairs_;
    std::uint32_t step_ = 0;
};

} // namespace adapter
