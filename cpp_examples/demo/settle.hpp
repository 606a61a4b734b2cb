// Many runs of a scenario with other heights and seeds: how they end. One run is chance.
#pragma once

#include "run.hpp"

namespace demo {

/// Runs a scenario `runs` times for its own time, without a film. Prints a line per run: overlap at the end, whether all is at rest and
/// since when, and the longest spike; then how many runs are within the bars. Writes settle-<scenario>-<engine>.json.
void settle(const Scenario &scenario, const Engine &engine, Library &library, const RunOptions &options, std::uint32_t first, std::uint32_t runs);

} // namespace demo
