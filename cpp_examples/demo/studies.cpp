#include "studies.hpp"

#include "dice.hpp"
#include "json.hpp"
#include "progress.hpp"

#include <algorithm>

namespace demo {

namespace {

constexpr std::uint32_t limits[] = {2, 3, 4, 6, 8, 12, 20, 30, 50};
constexpr double step = 0.01;
constexpr std::uint32_t steps_a_drop = 100;

fracas::Object scaled(const fracas::Asset &asset, double scale) {
    fc_object_desc desc = fracas::object_desc();
    desc.scale = scale;
    return must(fracas::Object::create(asset, &desc));
}

struct Drops {
    double penetration = 0; // mean of the deepest overlap, in metres, over the steps in which the two touch
    double visited = 0;     // samples that a query looks at, on average
};

/// Drops a plate into a bowl so many times; the same drops for every limit.
Drops drop(const Engine &engine, Library &library, std::uint32_t limit, std::uint32_t drops, const std::function<void()> &told) {
    Tuning tuning;
    tuning.sleeping = false;
    tuning.threads = 1;
    adapter::Query query;
    query.mode = FC_MODE_EXACTLY;
    query.target = query.most = query.most_per_normal = limit;
    const auto world = engine.make(tuning, query);
    const fracas::Object bowl = scaled(library["bowl"], 1), plate = scaled(library["plate"], 0.5);
    world->add(bowl.get(), {}, {}, true);
    fc_query_desc full = fracas::query_desc();
    full.mode = FC_MODE_FULL;
    full.margin = 0;
    std::vector<fc_contact> contacts(4096);
    Dice dice(16);
    Drops seen;
    double looks = 0, queries = 0;
    for (std::uint32_t k = 0; k < drops; ++k) {
        const Pose start{{dice(-0.01, 0.01), dice(-0.01, 0.01), 0.12}, adapter::turn(dice.way(), dice(0, 1))};
        const Motion motion{{dice(-0.3, 0.3), dice(-0.3, 0.3), dice(-1, 0)}, 8 * dice.way()};
        const Body body = world->add(plate.get(), start, motion);
        for (std::uint32_t t = 0; t < steps_a_drop; ++t) {
            world->step(step);
            const fc_pose at = adapter::to_fc(world->pose(body)), still = fracas::pose_at();
            std::uint32_t count = 0;
            // What one query of the limited kind has to look at.
            fc_query_desc limited = fracas::query_desc();
            limited.mode = FC_MODE_EXACTLY;
            limited.target_contacts = limit;
            limited.margin = float(tuning.speculative);
            if (fc_query_pair(plate.get(), &at, bowl.get(), &still, &limited, contacts.data(), 64, &count) < 0) give_up(fc_last_error());
            if (count == 0) continue;
            seen.visited += double(fracas::query_stats().evaluations);
            ++queries;
            if (fc_query_pair(plate.get(), &at, bowl.get(), &still, &full, contacts.data(), std::uint32_t(contacts.size()), &count) < 0)
                give_up(fc_last_error());
            double deepest = 0;
            for (std::uint32_t c = 0; c < std::min<std::uint32_t>(count, std::uint32_t(contacts.size())); ++c)
                deepest = std::max<double>(deepest, contacts[c].depth);
            seen.penetration += deepest;
            ++looks;
        }
        world->remove(body);
        told();
    }
    seen.penetration /= std::max(looks, 1.0);
    seen.visited /= std::max(queries, 1.0);
    return seen;
}

} // namespace

std::vector<Check> bowl_study(const Engine &engine, Library &library, const RunOptions &options, std::uint32_t drops) {
    std::vector<Drops> seen;
    std::uint32_t done = 0;
    const std::uint32_t all = drops * std::uint32_t(std::size(limits));
    for (const std::uint32_t limit : limits)
        seen.push_back(drop(engine, library, limit, drops, [&] {
            if (++done % 10 == 0 && !options.quiet) progress("bowl        %-7s limit %2u, %u of %u drops", engine.name, limit, done, all);
        }));
    const auto at = [&](std::uint32_t limit) { return seen[std::find(std::begin(limits), std::end(limits), limit) - limits].penetration; };
    std::vector<Check> checks{
        {"8 contacts against 50", at(8) / at(50), 1.25, "times", "mean penetration"},
        {"8 contacts against 2", at(8) / at(2), 0.4, "times", "mean penetration"},
    };
    end_progress();
    std::printf("bowl        %-7s %u drops for each limit\n    limit       ", engine.name, drops);
    for (const std::uint32_t limit : limits) std::printf("%8u", limit);
    std::printf("\n    overlap, mm ");
    for (const Drops &each : seen) std::printf("%8.4f", 1e3 * each.penetration);
    std::printf("\n    looked at   ");
    for (const Drops &each : seen) std::printf("%8.1f", each.visited);
    std::printf("\n");
    print(checks);
    write_json(options.out + "/bowl-" + engine.name + ".json",
               {{"study", "bowl"},
                {"engine", engine.name},
                {"drops", drops},
                {"limits", limits},
                {"mean_penetration_mm", numbers(seen, [](const Drops &each) { return 1e3 * each.penetration; })},
                {"visited", numbers(seen, [](const Drops &each) { return each.visited; })},
                {"checks", as_json(checks)}});
    return checks;
}

std::vector<Check> rolling_study(const Engine &engine, Library &library, const RunOptions &options) {
    Tuning tuning;
    tuning.sleeping = false;
    tuning.threads = 1;
    Scene scene(engine, tuning, library, 0.005);
    scene.look_every = 1;
    scene.add(Primitive{}, Pose{});
    // Tilted and turning like a coin on a table.
    const double tilt = 0.5;
    scene.add("plate", {{0, 0, 0.13 * std::sin(tilt) + 0.006}, adapter::turn({1, 0, 0}, tilt)}, {{}, {0, 0, 9}});
    for (std::uint32_t k = 0; k < 600; ++k) scene.advance();
    Json time = Json::array();
    double adaptive = 0, full = 0;
    for (const Measured &m : scene.steps()) {
        time.push_back(scene.step_size() * double(time.size()));
        adaptive += m.output;
        full += m.colliding;
    }
    write_json(options.out + "/rolling-" + engine.name + ".json",
               {{"study", "rolling"},
                {"engine", engine.name},
                {"time", time},
                {"adaptive", numbers(scene.steps(), [](const Measured &m) { return m.output; })},
                {"full", numbers(scene.steps(), [](const Measured &m) { return m.colliding; })}});
    const double mean = 1.0 / double(scene.steps().size());
    std::printf("rolling     %-7s %.1f contacts a step on average, of %.1f points that touch\n", engine.name, mean * adaptive, mean * full);
    return {};
}

} // namespace demo
