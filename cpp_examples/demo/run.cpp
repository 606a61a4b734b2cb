#include "run.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>

namespace demo {

namespace {

/// Farther from the middle than this, in metres, a body has left the scene.
constexpr double extent = 3;

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

template <class Get>
std::pair<double, double> mean_and_max(const std::vector<Measured> &steps, Get get) {
    double sum = 0, most = 0, count = 0;
    for (const Measured &step : steps)
        if (get(step) >= 0) sum += get(step), most = std::max(most, get(step)), ++count;
    return {count > 0 ? sum / count : 0, most};
}

/// The fastest point of anything that is awake, in m/s.
double speed(const Scene &scene) {
    double most = 0;
    for (const auto &[number, piece] : scene.pieces()) {
        if (piece.fixed || scene.world().asleep(piece.body)) continue;
        most = std::max(most, adapter::length(scene.world().motion(piece.body).linear));
    }
    return most;
}

/// How far the farthest body is from the middle; infinite if one of them is nowhere.
double reach(const Scene &scene) {
    double most = 0;
    for (const auto &[number, piece] : scene.pieces()) {
        const double at = adapter::length(scene.centre(piece));
        most = at >= 0 && at < HUGE_VAL ? std::max(most, piece.fixed ? 0 : at) : HUGE_VAL;
    }
    return most;
}

/// The deepest overlap of all pairs, as a share of the radius of the smaller of the two originals, by the full query.
double deepest(const Scene &scene) {
    double most = 0;
    scene.look(0, [&](const Piece &a, const Piece &b, const std::vector<fc_contact> &contacts) {
        const double radius = b.fixed && !b.object ? a.radius : std::min(a.radius, b.radius);
        for (const fc_contact &contact : contacts) most = std::max(most, contact.depth / radius);
    });
    return most;
}

/// The largest rise of the energy within 30 steps of an event, as a share of what it was before. Scenes that get new bodies
/// meanwhile are looked at until then only.
double rise(const Scene &scene, const std::vector<std::uint32_t> &arrivals) {
    double most = 0;
    for (const Event &event : scene.events()) {
        std::uint32_t end = std::min<std::uint32_t>(event.step + 30, std::uint32_t(scene.steps().size()));
        for (const std::uint32_t arrival : arrivals)
            if (arrival > event.step) end = std::min(end, arrival);
        for (std::uint32_t k = event.step; k < end; ++k)
            most = std::max(most, (scene.steps()[k].energy - scene.steps()[k].work + event.work_before) / event.energy_before - 1);
    }
    return most;
}

/// Detection in the step of an event (the break, and the first pass over all pairs after it), over the median step of the second after it.
double spike(const Scene &scene) {
    double most = 0;
    const auto &steps = scene.steps();
    const std::size_t second = std::size_t(1 / scene.step_size());
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        if (steps[k].update == 0 || k + 2 + second / 4 > steps.size()) continue;
        std::vector<double> after;
        for (std::size_t j = k + 2; j < std::min(k + 2 + second, steps.size()); ++j) after.push_back(steps[j].detection);
        most = std::max(most, (steps[k].update + steps[k + 1].detection) / std::max(median(after), 1e-6));
    }
    return most;
}

void write(const std::string &path, const std::string &text) {
    std::ofstream file(path);
    file << text << "\n";
    if (!file.flush()) give_up(path + " could not be written");
}

} // namespace

void put_checks(Json &json, const std::vector<Check> &checks) {
    json.list("checks");
    for (const Check &check : checks)
        json.open().put("name", check.name).put("value", check.value).put("unit", check.unit).put("bar", check.bar)
            .put("rule", std::string(check.at_least ? ">=" : "<=")).put_bool("met", check.met()).put("words", check.words).close();
    json.close();
}

std::vector<Check> run(const Scenario &scenario, const Engine &engine, Library &library, const RunOptions &options) {
    Tuning tuning;
    tuning.threads = options.threads;
    if (scenario.tune) scenario.tune(tuning);
    tuning.sleeping = tuning.sleeping && !scenario.at_rest;
    const auto start = std::chrono::steady_clock::now();
    Scene scene(engine, tuning, library, scenario.step);
    if (scenario.at_rest) scene.film_every = 50, scene.look_every = 100;
    const Act act = scenario.set_up(scene);
    const double seconds = options.seconds > 0 ? options.seconds : options.brief ? scenario.brief : scenario.seconds;
    const auto steps = std::uint32_t(seconds / scenario.step);
    if (options.brief) scene.look_every = 20;
    double mass = 0;
    std::vector<std::uint32_t> arrivals;
    std::size_t known = 0;
    std::vector<std::pair<Body, Pose>> placed;
    for (std::uint32_t k = 0; k < steps; ++k) {
        act(scene);
        if (scene.pieces().size() > known) {
            // New bodies: those that the scenario adds, since fragments come after this.
            arrivals.push_back(k);
            mass = scene.mass();
        }
        scene.advance();
        known = scene.pieces().size();
        // A while to settle comes before drift is looked at.
        if (scenario.at_rest && k == std::uint32_t(std::min(1.0, seconds / 2) / scenario.step))
            for (const auto &[number, piece] : scene.pieces()) placed.emplace_back(piece.body, scene.world().pose(piece.body));
        if (!options.quiet && (k % 20 == 0 || k + 1 == steps)) {
            std::printf("\r%-11s %-7s %5.2f of %.2f s, %3u bodies, %4u contacts ", scenario.name, engine.name, scene.time(),
                        steps * scenario.step, scene.steps().back().bodies, scene.steps().back().output);
            std::fflush(stdout);
        }
    }
    double drift = 0;
    for (const auto &[body, pose] : placed) drift = std::max(drift, adapter::length(scene.world().pose(body).position - pose.position));

    // A fragment that broke again is counted as what it broke into.
    std::uint32_t pieces_of_broken = 0;
    for (const auto &[number, piece] : scene.pieces()) {
        fc_object_info info;
        fc_object_info_default(&info);
        if (piece.object && fc_object_get_info(piece.object.get(), &info) >= 0 && info.is_fragment) ++pieces_of_broken;
    }
    const auto &all = scene.steps();
    const auto output = mean_and_max(all, [](const Measured &m) { return double(m.output); });
    const auto colliding = mean_and_max(all, [](const Measured &m) { return m.colliding; });
    const auto total = mean_and_max(all, [](const Measured &m) { return m.total; });
    const auto detection = mean_and_max(all, [](const Measured &m) { return m.detection; });
    const auto physics = mean_and_max(all, [](const Measured &m) { return m.physics; });
    const auto update = mean_and_max(all, [](const Measured &m) { return m.update; });
    const auto fracture = mean_and_max(all, [](const Measured &m) { return m.fracture; });

    std::vector<Check> checks{
        {"in the scene", reach(scene), extent, "m", "no body has left the scene, and none is nowhere"},
        {"mass", std::abs(scene.mass() / mass - 1), 1e-5, "", "is conserved"},
    };
    if (scenario.paper_fragments > 0) {
        checks.push_back({"broken", double(pieces_of_broken), 2, "fragments", "something broke", true});
        checks.push_back({"energy", 100 * rise(scene, arrivals), 1, "%", "rise of the energy within 30 steps of a fracture"});
    }
    if (!options.brief) {
        checks.push_back({"at rest", speed(scene), 0.01, "m/s", "at the end all bodies are asleep or below 1 cm/s"});
        checks.push_back({"penetration", 100 * deepest(scene), 0.5, "% of the radius", "deepest overlap at the end, by the full query"});
    }
    if (!options.brief && scenario.paper_fragments > 0)
        checks.push_back({"spike", spike(scene), 2, "times", "break and first pass, over the median detection of the following second"});
    if (scenario.at_rest) checks.push_back({"drift", 1e3 * drift, 1, "mm", "between the first second and the end"});
    if (!options.brief && std::string(scenario.name) == "rabbits")
        checks.push_back({"selection", output.first / std::max(colliding.first, 1.0), 0.2, "", "contacts over colliding points"});

    Json json;
    json.open().put("scenario", std::string(scenario.name)).put("title", std::string(scenario.title)).put("engine", std::string(engine.name));
    json.put("step", scenario.step).put("steps", double(all.size())).put("frame_every", scene.film_every);
    json.put("threads", options.threads).put("slop", tuning.slop).put("speculative", tuning.speculative);
    json.put("replay", std::string(scenario.name) + "-" + engine.name + ".replay").put("settings", scene.world().settings());
    json.open("series");
    json.numbers("output", all, [](const Measured &m) { return double(m.output); });
    json.numbers("colliding", all, [](const Measured &m) { return m.colliding < 0 ? NAN : m.colliding; });
    json.numbers("pairs", all, [](const Measured &m) { return double(m.pairs); });
    json.numbers("detection_ms", all, [](const Measured &m) { return m.detection; });
    json.numbers("physics_ms", all, [](const Measured &m) { return m.physics; });
    json.numbers("update_ms", all, [](const Measured &m) { return m.update; });
    json.numbers("fracture_ms", all, [](const Measured &m) { return m.fracture; });
    json.numbers("total_ms", all, [](const Measured &m) { return m.total; });
    json.numbers("energy", all, [](const Measured &m) { return m.energy; });
    json.numbers("bodies", all, [](const Measured &m) { return double(m.bodies); });
    json.close();
    json.list("events");
    for (const Event &event : scene.events())
        json.open().put("step", event.step).put("body", event.group).put("fragments", event.fragments).put("impulse", event.impulse).close();
    json.close();
    json.open("table2").put("triangles_before", double(scene.triangles_before())).put("triangles_after", double(scene.triangles())).put("fragments", pieces_of_broken);
    json.put("output_mean", output.first).put("output_max", output.second).put("colliding_mean", colliding.first).put("colliding_max", colliding.second).close();
    json.open("table3").put("step_ms", 1e3 * scenario.step).put("total_mean", total.first).put("total_max", total.second);
    json.put("detection_mean", detection.first).put("detection_max", detection.second).put("physics_mean", physics.first).put("physics_max", physics.second);
    json.put("update_max", update.second).put("fracture_max", fracture.second).close();
    put_checks(json, checks);
    json.close();
    const std::string base = options.out + "/" + scenario.name + "-" + engine.name;
    write(base + ".json", json.text());
    scene.replay().write(base + ".replay", scenario.step * scene.film_every);

    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("\r%-11s %-7s %u fragments, %.0f of %.0f colliding points are contacts, detection %.2f (%.2f) ms, %.0f s%20s\n", scenario.name,
                engine.name, pieces_of_broken, output.first, colliding.first, detection.first, detection.second, took, "");
    for (const Check &check : checks)
        std::printf("    %s %-12s %9.4g %-16s (bar %g)  %s\n", check.met() ? "met   " : "MISSED", check.name.c_str(), check.value,
                    check.unit.c_str(), check.bar, check.words.c_str());
    return checks;
}

} // namespace demo
