// Numbers that look random and are the same on every machine (splitmix64).
#pragma once

#include <adapters/common/maths.hpp>

#include <cstdint>

namespace demo {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    /// In [low, high).
    double operator()(double low, double high) {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return low + (high - low) * double((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
    }
    /// A direction.
    adapter::Vec way() {
        const double z = (*this)(-1, 1), angle = (*this)(0, 6.283185307179586), ring = std::sqrt(1 - z * z);
        return {ring * std::cos(angle), ring * std::sin(angle), z};
    }

private:
    std::uint64_t state_;
};

} // namespace demo
