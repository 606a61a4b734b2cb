#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

void Run::play(Simulator &simulator, double seconds, const std::function<void(const StepFigures &)> &change,
               const std::function<std::uint32_t()> &show) {
    const auto count_tets = [&] {
        std::size_t count = 0;
        for (const auto &body : simulator.bodies) count += body->tets.size() / 4;
        return static_cast<std::uint32_t>(count);
    };
    first_tets = count_tets();
    step_seconds = simulator.step_seconds;
    const auto steps = static_cast<int>(std::lround(frame_seconds / step_seconds));
    frame_seconds = steps * step_seconds;
    const auto frame_count = static_cast<int>(std::lround(seconds / frame_seconds));
    for (int frame = 0; frame < frame_count; ++frame) {
        FrameFigures mean;
        for (int k = 0; k < steps; ++k) {
            const StepFigures step = simulator.step();
            mean.update_ms += step.update_ms / steps;
            mean.query_ms += step.query_ms / steps;
            mean.total_ms += step.total_ms / steps;
            mean.penalties += static_cast<double>(step.penalties) / steps;
            mean.tets += static_cast<double>(step.tets) / steps;
            mean.force = std::max(mean.force, step.force);
            mean.deepest = std::max(mean.deepest, step.deepest);
            ++totals.steps;
            totals.penalties += step.penalties;
            totals.tets += step.tets;
            totals.update_ms += step.update_ms;
            totals.query_ms += step.query_ms;
            totals.soft_query_ms += step.soft_query_ms;
            totals.total_ms += step.total_ms;
            totals.update_worst = std::max(totals.update_worst, step.update_ms);
            totals.query_worst = std::max(totals.query_worst, step.query_ms);
            totals.deepest = std::max(totals.deepest, step.deepest);
            totals.strongest = std::max(totals.strongest, step.force);
            if (k + 1 == steps) { // shown as it was in this step, before anything changes
                mean.pieces = show();
                mean.physics_ms = mean.total_ms - mean.update_ms - mean.query_ms;
                mean.energy = simulator.energy();
                film.end_frame(simulator.pushes());
                frames.push_back(mean);
            }
            change(step);
        }
    }
    last_tets = count_tets();
    pieces = frames.empty() ? 0 : frames.back().pieces;
    for (const auto &body : simulator.bodies) inverted += body->soft.info()->inverted_tets;
    hash = simulator.hash();

    checks.push_back({"finite", simulator.is_finite() ? 1.0 : 0.0, "==", 1, "", "every position is a finite number"});
    checks.push_back({"above the floor", 1000 * simulator.lowest(), ">=", -20, "mm", "the lowest node at the end"});
    checks.push_back({"at rest", simulator.mean_speed(), "<=", 0.1, "m/s", "root mean square speed of the fastest body at the end"});
    checks.push_back({"inverted", 100.0 * inverted / std::max(last_tets, 1u), "<=", 2, "%", "tetrahedra inverted or without volume at the end"});
}

void Run::print() const {
    const double steps = static_cast<double>(totals.steps);
    std::printf("%-10s %u tetrahedra, at the end %u in %u pieces; %llu steps of %.2f ms\n", name.c_str(), first_tets, last_tets, pieces,
                static_cast<unsigned long long>(totals.steps), 1000 * step_seconds);
    std::printf("    update  %7.3f ms per step (worst %.3f)\n", totals.update_ms / steps, totals.update_worst);
    std::printf("    query   %7.3f ms per step (worst %.3f), %.0f penalties per step, %.2f us each", totals.query_ms / steps, totals.query_worst,
                static_cast<double>(totals.penalties) / steps, 1000 * totals.query_ms / std::max<double>(1, static_cast<double>(totals.penalties)));
    if (totals.tets > 0) std::printf("; of soft pairs %.2f us per penetrated tetrahedron", 1000 * totals.soft_query_ms / static_cast<double>(totals.tets));
    std::printf("\n    all     %7.3f ms per step; deepest penetration %.1f mm, strongest force %.0f N, %u inverted, hash %016llx\n",
                totals.total_ms / steps, 1000 * totals.deepest, totals.strongest, inverted, static_cast<unsigned long long>(hash));
    for (const Check &check : checks)
        std::printf("    %-7s %s: %.4g %s, is to be %s %g (%s)\n", check.met() ? "met" : "MISSED", check.name.c_str(), check.value, check.unit.c_str(),
                    check.rule.c_str(), check.bar, check.words.c_str());
}

namespace {

/// What JSON takes for a number; NaN and infinity become null.
std::string number(double value) {
    if (!std::isfinite(value)) return "null";
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", value);
    return digits;
}

/// [a, b, ...] of get(item).
template <class List, class Get>
std::string list(const List &items, Get get) {
    std::string text = "[";
    for (const auto &item : items) text += (text.size() > 1 ? "," : "") + get(item);
    return text + "]";
}

} // namespace

bool Run::write(const std::string &folder) const {
    const auto series = [&](double FrameFigures::*key, double scale = 1) {
        return list(frames, [&](const FrameFigures &frame) { return number(scale * frame.*key); });
    };
    const double steps = static_cast<double>(totals.steps);
    std::ostringstream json; // names and words here have no characters that JSON would escape
    json << "{\"scenario\":\"" << name << "\",\"title\":\"" << title << "\",\"engine\":\"none\",\"step\":" << number(frame_seconds)
         << ",\"steps\":" << frames.size() << ",\"frame_every\":1,\"replay\":\"" << name << ".replay\",\n\"series\":{\"query_ms\":"
         << series(&FrameFigures::query_ms) << ",\"update_ms\":" << series(&FrameFigures::update_ms) << ",\"physics_ms\":"
         << series(&FrameFigures::physics_ms) << ",\"total_ms\":" << series(&FrameFigures::total_ms) << ",\"penalties\":"
         << series(&FrameFigures::penalties) << ",\"tets\":" << series(&FrameFigures::tets) << ",\"force\":" << series(&FrameFigures::force)
         << ",\"penetration_mm\":" << series(&FrameFigures::deepest, 1000) << ",\"energy\":" << series(&FrameFigures::energy) << ",\"pieces\":"
         << list(frames, [](const FrameFigures &frame) { return std::to_string(frame.pieces); }) << "},\n\"events\":"
         << list(events, [](const Event &event) {
                return "{\"step\":" + std::to_string(event.frame) + ",\"fragments\":" + std::to_string(event.pieces) + "}";
            })
         << ",\n\"soft\":{\"words\":\"" << words << "\",\"tets\":[" << first_tets << "," << last_tets << "],\"pieces\":" << pieces << ",\"steps\":"
         << totals.steps << ",\"step_ms\":" << number(1000 * step_seconds) << ",\"update_mean_ms\":" << number(totals.update_ms / steps)
         << ",\"update_worst_ms\":" << number(totals.update_worst) << ",\"query_mean_ms\":" << number(totals.query_ms / steps)
         << ",\"query_worst_ms\":" << number(totals.query_worst) << ",\"total_mean_ms\":" << number(totals.total_ms / steps)
         << ",\"penalties_mean\":" << number(static_cast<double>(totals.penalties) / steps) << ",\"query_us_per_tet\":"
         << number(totals.tets > 0 ? 1000 * totals.soft_query_ms / static_cast<double>(totals.tets) : NAN) << ",\"deepest_mm\":"
         << number(1000 * totals.deepest) << ",\"strongest_newtons\":" << number(totals.strongest) << "},\n\"checks\":"
         << list(checks, [](const Check &check) {
                return "{\"name\":\"" + check.name + "\",\"value\":" + number(check.value) + ",\"unit\":\"" + check.unit + "\",\"bar\":" +
                       number(check.bar) + ",\"rule\":\"" + check.rule + "\",\"met\":" + (check.met() ? "true" : "false") + ",\"words\":\"" +
                       check.words + "\"}";
            })
         << "}\n";
    std::ofstream file(folder + "/" + name + ".json");
    file << json.str();
    return static_cast<bool>(file.flush()) && film.write(folder + "/" + name + ".replay", frame_seconds);
}
