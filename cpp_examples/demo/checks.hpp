// What must hold of a run, and the figures that are held against it. A figure that cannot be determined is NaN, and NaN misses
// every bar.
#pragma once

#include "scene.hpp"

#include <nlohmann/json_fwd.hpp>

namespace demo {

/// Something that must hold: a value that can miss its bar. What has no bar is a Figure.
struct Check {
    std::string name;
    double value, bar;
    std::string unit, words;
    bool at_least = false;
    bool met() const { return at_least ? value >= bar : value <= bar; }
};

/// What was measured and is held against nothing: shown without a mark.
struct Figure {
    std::string name;
    double value;
    std::string unit, words;
};

/// Lists, for the report. Ends the program if the bar of a check is not a number that can be missed.
nlohmann::ordered_json as_json(const std::vector<Check> &checks);
nlohmann::ordered_json as_json(const std::vector<Figure> &figures);

/// A line each: whether it was met, the value, the bar.
void print(const std::vector<Check> &checks);
void print(const std::vector<Figure> &figures);

/// The fastest point of anything that is awake, in m/s. Balls roll away: objects only, without plain shapes.
double speed(const Scene &scene, bool objects_only = false);

/// How far the farthest body is from the middle, in metres; infinite if one of them is nowhere.
double reach(const Scene &scene);

/// The deepest overlap of all pairs, as a share of the radius of the smaller of the two originals, by the full query.
/// Depths as Scene::look has them.
double deepest(const Scene &scene, std::uint32_t flags = FC_QUERY_SHORTEST_WAY);

/// By how much of all that was added the mass has changed, as a share.
double mass_change(const Scene &scene);

/// The largest rise of the energy within 30 steps of an event, as a share of what it was before. Scenes that get new bodies
/// meanwhile, in the steps `arrivals`, are looked at until then only. NaN if there was no event.
double rise(const std::vector<Measured> &steps, const std::vector<Event> &events, const std::vector<std::uint32_t> &arrivals);

/// What a break costs, in milliseconds: the fractures of a step and the first pass over all pairs after them, beside the time in which
/// the engine cooks convex hulls of the same pieces.
struct Spike {
    double milliseconds = NAN;
    /// NaN if the engine has no hulls of its own.
    double cooking = NAN;
    double share() const { return milliseconds / cooking; }
};

/// No break may take longer than cooking hulls of the same pieces, which an engine without Fracas does.
constexpr double longest_share = 1;

/// The spike as a check, if the engine has hulls of its own.
std::vector<Check> spike_checks(const Spike &longest, const Engine &engine);

/// Hull cooking by the engine for all fragments of the last step, in milliseconds; NaN if it has no hulls.
double hull_cooking(const Scene &scene, const Engine &engine);

/// The longest. `cooking` is by step. NaN if nothing broke, or only in the last step.
Spike spike(const std::vector<Measured> &steps, const std::map<std::uint32_t, double> &cooking);

} // namespace demo
