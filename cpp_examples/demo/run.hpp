// Runs a scenario on an engine, holds it against what must be shown, and writes what was seen.
#pragma once

#include "checks.hpp"
#include "scenarios.hpp"

#include <string>

namespace demo {

struct RunOptions {
    std::string out = "out/demo/runs";
    /// 0: as the scenario says.
    double seconds = 0;
    std::uint32_t threads = 1;
    /// Only the first part, and only the checks that hold on the way: for tests of every change.
    bool brief = false;
    bool quiet = false;
    /// Of the solver; 0: as the scenario says.
    std::uint32_t iterations = 0;
    bool warm_starting = true;
};

/// Runs it, with progress on the screen; writes <scenario>-<engine>.json and .replay. Returns the checks.
std::vector<Check> run(const Scenario &scenario, const Engine &engine, Library &library, const RunOptions &options);

} // namespace demo
