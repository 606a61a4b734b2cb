// The same drop with Fracas's contacts and with the engine's own convex hulls for the same fragments.
#pragma once

#include "run.hpp"

namespace demo {

/// Drops a piggy bank. From the break on there are two worlds, which begin with the same fragments, poses and velocities. Writes
/// beside-<engine>.json, and a film of each world with the same frames. Returns the checks, which are of Fracas's world.
std::vector<Check> beside_study(const Engine &engine, Library &library, const RunOptions &options);

} // namespace demo
