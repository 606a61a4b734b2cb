// What must hold of a run, and the figures that are held against it. A figure that cannot be determined is NaN, and NaN misses
// every bar.
#pragma once

#include "scene.hpp"

#include <nlohmann/json_fwd.hpp>

namespace demo {

/// Something that must hold.
struct Check {
    std::string name;
    double value, bar;
    std::string unit, words;
    bool at_least = false;
    bool met() const { return at_least ? value >= bar : value <= bar; }
};

/// A list, for the report.
nlohmann::ordered_json as_json(const std::vector<Check> &checks);

/// The fastest point of anything that is awake, in m/s.
double speed(const Scene &scene);

/// How far the farthest body is from the middle, in metres; infinite if one of them is nowhere.
double reach(const Scene &scene);

/// The deepest overlap of all pairs, as a share of the radius of the smaller of the two originals, by the full query.
double deepest(const Scene &scene);

/// By how much of all that was added the mass has changed, as a share.
double mass_change(const Scene &scene);

/// The largest rise of the energy within 30 steps of an event, as a share of what it was before. Scenes that get new bodies
/// meanwhile, in the steps `arrivals`, are looked at until then only. NaN if there was no event.
double rise(const std::vector<Measured> &steps, const std::vector<Event> &events, const std::vector<std::uint32_t> &arrivals);

/// Detection in the step of an event (the break, and the first pass over all pairs after it), over the median step of the second
/// after it; the largest. NaN if no event is followed by a quarter of a second.
double spike(const std::vector<Measured> &steps, double step_size);

} // namespace demo
