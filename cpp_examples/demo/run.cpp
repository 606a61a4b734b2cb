#include "run.hpp"

#include "json.hpp"
#include "progress.hpp"

#include <algorithm>
#include <chrono>

namespace demo {

namespace {

/// Farther from the middle than this, in metres, a body has left the scene.
constexpr double extent = 3;

template <class Get>
std::pair<double, double> mean_and_max(const std::vector<Measured> &steps, Get get) {
    double sum = 0, most = 0, count = 0;
    for (const Measured &step : steps)
        if (get(step) >= 0) sum += get(step), most = std::max(most, get(step)), ++count;
    return {count > 0 ? sum / count : 0, most};
}

} // namespace

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
    std::vector<std::uint32_t> arrivals;
    std::size_t known = 0;
    std::map<std::uint32_t, Pose> placed;
    std::map<std::uint32_t, double> cooking;
    for (std::uint32_t k = 0; k < steps; ++k) {
        act(scene);
        // New bodies: those that the scenario adds, since fragments come after this.
        if (scene.pieces().size() > known) arrivals.push_back(k);
        const std::size_t broken = scene.events().size();
        scene.advance();
        if (scene.events().size() > broken) cooking[k] = hull_cooking(scene, engine);
        known = scene.pieces().size();
        // A while to settle comes before drift is looked at.
        if (scenario.at_rest && k == std::uint32_t(std::min(1.0, seconds / 2) / scenario.step))
            for (const auto &[number, piece] : scene.pieces()) placed[number] = scene.world().pose(piece.body);
        if (!options.quiet && (k % 20 == 0 || k + 1 == steps))
            progress("%-11s %-7s %5.2f of %.2f s, %3u bodies, %4u contacts", scenario.name, engine.name, scene.time(), steps * scenario.step,
                     scene.steps().back().bodies, scene.steps().back().output);
    }
    double drift = placed.empty() ? NAN : 0;
    for (const auto &[number, pose] : placed) {
        const Piece &piece = scene.pieces().at(number);
        drift = worse(drift, farthest_move(piece.outline, pose, scene.world().pose(piece.body)));
    }

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
        {"mass", mass_change(scene), 1e-5, "", "is conserved"},
    };
    if (scenario.paper_fragments > 0) {
        checks.push_back({"broken", double(pieces_of_broken), 2, "fragments", "something broke", true});
        checks.push_back({"energy", 100 * rise(all, scene.events(), arrivals), 1, "%", "rise of the energy within 30 steps of a fracture"});
    }
    if (!options.brief) {
        checks.push_back({"at rest", speed(scene), 0.01, "m/s", "at the end every body is asleep, or its fastest point below 1 cm/s"});
        checks.push_back({"penetration", 100 * deepest(scene), 0.5, "% of the radius", "deepest overlap at the end, by the full query"});
    }
    const Spike longest = spike(all, cooking);
    std::vector<Figure> figures;
    if (scenario.paper_fragments > 0) {
        figures.push_back({"spike", longest.milliseconds, "ms", "break and first pass, the longest"});
        if (std::isfinite(longest.cooking)) figures.push_back({"hull cooking", longest.cooking, "ms", "by the engine, for the pieces of that break"});
        // Brief runs are beside other work, whose noise says nothing about times.
        if (!options.brief)
            for (const Check &check : spike_checks(longest, engine)) checks.push_back(check);
    }
    if (scenario.at_rest) checks.push_back({"drift", 1e3 * drift, 1, "mm", "of the point that moved farthest between the first second and the end"});
    if (!options.brief && std::string(scenario.name) == "rabbits")
        checks.push_back({"selection", output.first / std::max(colliding.first, 1.0), 0.2, "", "contacts over colliding points"});

    const auto series = [&](auto get) { return numbers(all, get); };
    Json events = Json::array();
    for (const Event &event : scene.events())
        events.push_back({{"step", event.step}, {"body", event.group}, {"fragments", event.fragments}, {"impulse", event.impulse}});
    const Json json{
        {"scenario", scenario.name},
        {"title", scenario.title},
        {"engine", engine.name},
        {"step", scenario.step},
        {"steps", all.size()},
        {"frame_every", scene.film_every},
        {"threads", options.threads},
        {"slop", tuning.slop},
        {"speculative", tuning.speculative},
        {"replay", std::string(scenario.name) + "-" + engine.name + ".replay"},
        {"settings", scene.world().settings()},
        {"series",
         {{"output", series([](const Measured &m) { return m.output; })},
          {"colliding", series([](const Measured &m) { return m.colliding < 0 ? NAN : m.colliding; })},
          {"pairs", series([](const Measured &m) { return m.pairs; })},
          {"detection_ms", series([](const Measured &m) { return m.detection; })},
          {"physics_ms", series([](const Measured &m) { return m.physics; })},
          {"update_ms", series([](const Measured &m) { return m.update; })},
          {"fracture_ms", series([](const Measured &m) { return m.fracture; })},
          {"total_ms", series([](const Measured &m) { return m.total; })},
          {"energy", series([](const Measured &m) { return m.energy; })},
          {"bodies", series([](const Measured &m) { return m.bodies; })}}},
        {"events", events},
        {"table2",
         {{"triangles_before", scene.triangles_before()},
          {"triangles_after", scene.triangles()},
          {"fragments", pieces_of_broken},
          {"output_mean", output.first},
          {"output_max", output.second},
          {"colliding_mean", colliding.first},
          {"colliding_max", colliding.second}}},
        {"table3",
         {{"step_ms", 1e3 * scenario.step},
          {"total_mean", total.first},
          {"total_max", total.second},
          {"detection_mean", detection.first},
          {"detection_max", detection.second},
          {"physics_mean", physics.first},
          {"physics_max", physics.second},
          {"spike_ms", longest.milliseconds},
          {"hull_cooking_ms", longest.cooking},
          {"update_max", update.second},
          {"fracture_max", fracture.second}}},
        {"checks", as_json(checks)},
        {"figures", as_json(figures)},
    };
    const std::string base = options.out + "/" + scenario.name + "-" + engine.name;
    write_json(base + ".json", json);
    scene.replay().write(base + ".replay", scenario.step * scene.film_every);

    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    end_progress();
    std::printf("%-11s %-7s %u fragments, %.0f of %.0f colliding points are contacts, detection %.2f (%.2f) ms, %.0f s\n", scenario.name,
                engine.name, pieces_of_broken, output.first, colliding.first, detection.first, detection.second, took);
    print(checks);
    print(figures);
    return checks;
}

} // namespace demo
