// What the number of contacts does to a simulation (Glondu 2013, section 7.4 and figures 5 and 16).
#pragma once

#include "run.hpp"

namespace demo {

/// Figure 16: a plate is dropped into a bowl again and again, with exactly so many contacts allowed. How far the two overlap is
/// measured with the full query in every tenth of a second's steps. Writes bowl-<engine>.json; returns what must hold.
std::vector<Check> bowl_study(const Engine &engine, Library &library, const RunOptions &options, std::uint32_t drops);

/// Figure 5: a plate rolls on its rim until it lies; contacts of the self-adapting query against all that there are. Writes
/// rolling-<engine>.json.
std::vector<Check> rolling_study(const Engine &engine, Library &library, const RunOptions &options);

} // namespace demo
