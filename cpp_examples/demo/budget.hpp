// What a budget of work for the queries of a step does to a simulation.
#pragma once

#include "run.hpp"

namespace demo {

/// 500 bodies, most of them fragments, fall into a heap: without a limit, then with a third and a tenth of the work of its
/// densest step as the budget of each step. Writes budget-<engine>.json and .replay, with the heaps side by side; returns what must
/// hold. Brief: a tenth of the bodies, without the last.
std::vector<Check> budget_study(const Engine &engine, Library &library, const RunOptions &options);

} // namespace demo
