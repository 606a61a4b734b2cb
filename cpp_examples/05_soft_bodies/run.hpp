// One run of a scene: what is measured in each frame, what happened, and the checks at the end.
#pragma once

#include "film.hpp"

#include <functional>
#include <string>
#include <vector>

/// A check that can fail.
struct Check {
    std::string name;
    double value;
    std::string rule; // "<=", ">=" or "=="
    double bar;
    std::string unit, words;

    bool met() const { return rule == "<=" ? value <= bar : rule == ">=" ? value >= bar : value == bar; }
};

/// Means of the steps of a frame; force and depth are their maxima.
struct FrameFigures {
    double update_ms = 0, query_ms = 0, physics_ms = 0, total_ms = 0, penalties = 0, tets = 0, force = 0, deepest = 0, energy = 0;
    std::uint32_t pieces = 0;
};

/// Something broke.
struct Event {
    std::uint32_t frame, pieces;
};

struct Totals {
    std::uint64_t steps = 0, penalties = 0, tets = 0;
    double update_ms = 0, update_worst = 0, query_ms = 0, query_worst = 0, soft_query_ms = 0, total_ms = 0;
    double deepest = 0, strongest = 0;
};

class Run {
public:
    std::string name, title, words; // `words`: what is shown
    Film film;
    std::vector<FrameFigures> frames;
    std::vector<Event> events;
    std::vector<Check> checks;
    Totals totals;
    std::uint32_t first_tets = 0, last_tets = 0, pieces = 0, inverted = 0;
    double step_seconds = 0, frame_seconds = 1.0 / 60;
    std::uint64_t hash = 0;

    /// Plays a scene. `change` is called after each step, and may cut or break; `show` adds positions to the film in each frame,
    /// and returns the number of pieces.
    void play(Simulator &simulator, double seconds, const std::function<void(const StepFigures &)> &change,
              const std::function<std::uint32_t()> &show);
    /// Number of the frame that comes next in the film.
    std::uint32_t frame() const { return static_cast<std::uint32_t>(frames.size()); }

    void print() const;
    /// For the report page; false if it could not be written. The film is beside it.
    bool write(const std::string &folder) const;
};

/// The scenes; brief ones are coarse, for tests.
Run torus_scene(bool is_brief);
Run cloth_scene(bool is_brief);
Run ellipsoids_scene(bool is_brief);
