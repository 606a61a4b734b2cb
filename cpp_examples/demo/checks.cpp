#include "checks.hpp"

#include "colliders.hpp"
#include "json.hpp"

#include <algorithm>
#include <chrono>

namespace demo {

Json as_json(const std::vector<Check> &checks) {
    Json list = Json::array();
    for (const Check &check : checks) {
        if (!std::isfinite(check.bar)) give_up("the check \"" + check.name + "\" has no bar that it can miss");
        list.push_back({{"name", check.name}, {"value", check.value}, {"unit", check.unit}, {"bar", check.bar},
                        {"rule", check.at_least ? ">=" : "<="}, {"met", check.met()}, {"words", check.words}});
    }
    return list;
}

Json as_json(const std::vector<Figure> &figures) {
    Json list = Json::array();
    for (const Figure &figure : figures)
        list.push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}, {"words", figure.words}});
    return list;
}

void print(const std::vector<Check> &checks) {
    for (const Check &check : checks)
        std::printf("    %s %-18s %9.4g %-16s (bar %g)  %s\n", check.met() ? "met   " : "MISSED", check.name.c_str(), check.value,
                    check.unit.c_str(), check.bar, check.words.c_str());
}

void print(const std::vector<Figure> &figures) {
    for (const Figure &figure : figures)
        std::printf("           %-18s %9.4g %-16s %s\n", figure.name.c_str(), figure.value, figure.unit.c_str(), figure.words.c_str());
}

double speed(const Scene &scene, bool objects_only) {
    double most = 0;
    for (const auto &[number, piece] : scene.pieces()) {
        const World &world = scene.world();
        if (piece.fixed || (objects_only && !piece.object) || world.asleep(piece.body)) continue;
        most = worse(most, fastest_point(piece.outline, piece.inertia.centre, world.pose(piece.body), world.motion(piece.body)));
    }
    return most;
}

double reach(const Scene &scene) {
    double most = 0;
    for (const auto &[number, piece] : scene.pieces()) {
        const double at = adapter::length(scene.centre(piece));
        most = at >= 0 && at < HUGE_VAL ? std::max(most, piece.fixed ? 0 : at) : HUGE_VAL;
    }
    return most;
}

double deepest(const Scene &scene, std::uint32_t flags) {
    double most = 0;
    scene.look(0, [&](const Piece &a, const Piece &b, const std::vector<fc_contact> &contacts) {
        const double radius = b.fixed && !b.object ? a.radius : std::min(a.radius, b.radius);
        for (const fc_contact &contact : contacts) most = worse(most, contact.depth / radius);
    }, flags);
    return most;
}

double mass_change(const Scene &scene) { return std::abs(scene.mass() / scene.mass_added() - 1); }

double rise(const std::vector<Measured> &steps, const std::vector<Event> &events, const std::vector<std::uint32_t> &arrivals) {
    if (events.empty()) return NAN;
    double most = 0;
    for (const Event &event : events) {
        std::uint32_t end = std::min<std::uint32_t>(event.step + 30, std::uint32_t(steps.size()));
        for (const std::uint32_t arrival : arrivals)
            if (arrival > event.step) end = std::min(end, arrival);
        // Without energy before there is nothing to compare with.
        const double before = event.energy_before > 0 ? event.energy_before : NAN;
        for (std::uint32_t k = event.step; k < end; ++k)
            most = worse(most, (steps[k].energy - steps[k].work + event.work_before) / before - 1);
    }
    return most;
}

std::vector<Check> spike_checks(const Spike &longest, const Engine &engine) {
    if (own_colliders(engine.name).empty()) return {};
    return {{"spike, share", longest.share(), longest_share, "times",
             "the longest break and first pass, over the time in which the engine cooks hulls of the same pieces"}};
}

double hull_cooking(const Scene &scene, const Engine &engine) {
    const std::vector<MakeColliders> own = own_colliders(engine.name);
    if (own.empty()) return NAN;
    const double born = scene.time() - 1.5 * scene.step_size();
    std::vector<fracas::Surface> surfaces;
    for (const auto &[number, piece] : scene.pieces())
        if (piece.object && piece.born > born) surfaces.push_back(surface_of(piece.object.get()));
    double best = NAN;
    for (int turn = 0; turn < 3; ++turn) {
        const auto start = std::chrono::steady_clock::now();
        own.front()()->prepare(surfaces);
        const double took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        best = best <= took ? best : took;
    }
    return best;
}

Spike spike(const std::vector<Measured> &steps, const std::map<std::uint32_t, double> &cooking) {
    Spike longest;
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        const double took = steps[k].update + steps[k + 1].detection;
        if (steps[k].update == 0 || took <= longest.milliseconds) continue;
        const auto cooked = cooking.find(std::uint32_t(k));
        longest = {took, cooked == cooking.end() ? NAN : cooked->second};
    }
    return longest;
}

} // namespace demo
