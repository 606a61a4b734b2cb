// The five scenarios of the paper (Glondu 2013, section 7), and bodies at rest.
#pragma once

#include "scene.hpp"

namespace demo {

/// What a scenario does before each step.
using Act = std::function<void(Scene &)>;

struct Scenario {
    const char *name;
    const char *title;
    /// Seconds a step, of the whole run, and of a brief one, in which something breaks.
    double step, seconds, brief;
    /// Puts everything in its place, and says what goes on from there.
    Act (*set_up)(Scene &);
    /// Changes to the tuning that all scenarios share; may be null.
    void (*tune)(Tuning &);
    /// Fragments in the paper; 0: not in the paper.
    std::uint32_t paper_fragments;
    /// Bodies that rest from the beginning must not drift.
    bool at_rest;
};

const std::vector<Scenario> &scenarios();

} // namespace demo
