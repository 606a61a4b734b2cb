#include "settle.hpp"

#include "json.hpp"

#include <algorithm>
#include <chrono>

namespace demo {

namespace {

/// How one run ended.
struct End {
    std::uint32_t variation = 0, bodies = 0;
    double overlap = NAN;  // share of the radius
    double along = NAN;    // the same along the normals of contacts, as solvers get it
    double speed = NAN;    // of the fastest point that is awake, in m/s
    double rested = NAN;   // seconds, from when on all was at rest; NaN if it is not
    double detection = 0;  // longest step, all queries, in milliseconds
    double mean_detection = 0;
    double drift = NAN;    // mm, of bodies that rest from the beginning
    double reach = NAN;
    Spike spike;
    double seconds = 0;    // that the run took
};

constexpr double at_rest = 0.01; // m/s
constexpr std::uint32_t look_every = 10; // steps between two looks at the speeds

/// What the engine was last told of a pair, and when.
struct Told {
    double time = 0;
    Touching pair;
};
using LastTold = std::map<std::pair<std::uint64_t, std::uint64_t>, Told>;

/// The pair that overlaps most: what the engine was last told of either body, and what a query without a memory says.
void print_deepest(const Scene &scene, const LastTold &told) {
    double most = 0;
    const Piece *first = nullptr, *second = nullptr;
    scene.look(0, [&](const Piece &a, const Piece &b, const std::vector<fc_contact> &contacts) {
        const double radius = b.fixed && !b.object ? a.radius : std::min(a.radius, b.radius);
        for (const fc_contact &contact : contacts)
            if (contact.depth / radius > most) most = contact.depth / radius, first = &a, second = &b;
    });
    if (!first) return;
    const auto id = [](const Piece &piece) { return piece.object ? piece.object.get().id : 0; };
    for (const Piece *piece : {first, second}) {
        const Pose at = scene.world().pose(piece->body);
        std::printf("        body %u (object %llu) of group %u, %s, born %.3f s: position %.9g %.9g %.9g, rotation %.9g %.9g %.9g %.9g, fastest point %.4f m/s%s\n", piece->actor, static_cast<unsigned long long>(id(*piece)),
                    piece->group, piece->object ? "object" : "shape", piece->born, at.position.x, at.position.y, at.position.z, at.rotation.x, at.rotation.y,
                    at.rotation.z, at.rotation.w,
                    piece->fixed ? 0 : fastest_point(piece->outline, piece->inertia.centre, at, scene.world().motion(piece->body)),
                    scene.world().asleep(piece->body) ? ", asleep" : "");
    }
    for (const Piece *held : {first, second}) {
        if (held->fixed || !held->object) continue;
        std::printf("        what the engine was last told of body %u, the deepest contact of each pair:\n", held->actor);
        for (const auto &[key, last] : told) {
            const bool is_second = key.second == id(*held);
            if (!is_second && key.first != id(*held)) continue;
            const auto deeper = [](const Touch &a, const Touch &b) { return a.depth < b.depth; };
            const auto touch = std::max_element(last.pair.touches.begin(), last.pair.touches.end(), deeper);
            if (touch == last.pair.touches.end()) continue;
            const Vec push = (is_second ? -1.0 : 1.0) * touch->normal;
            std::printf("            at %.3f s, of %zu: depth %8.4f mm, pushes it to %6.3f %6.3f %6.3f, point %8.5f %8.5f %8.5f, other object %llu\n", last.time,
                        last.pair.touches.size(), 1e3 * touch->depth, push.x, push.y, push.z, touch->point.x, touch->point.y, touch->point.z,
                        static_cast<unsigned long long>(is_second ? key.first : key.second));
        }
    }
    for (const std::uint32_t mode : {std::uint32_t(FC_MODE_TARGET_THEN_DEEPER), std::uint32_t(FC_MODE_FULL)}) {
        fc_query_desc desc = fracas::query_desc();
        desc.mode = mode;
        desc.margin = 2e-4f;
        std::vector<fc_contact> contacts(4096);
        std::uint32_t count = 0;
        const fc_pose at_a = adapter::to_fc(scene.world().pose(first->body)), at_b = adapter::to_fc(scene.world().pose(second->body));
        const auto size = std::uint32_t(contacts.size());
        const fc_status status = second->object
                                     ? fc_query_pair(first->object.get(), &at_a, second->object.get(), &at_b, &desc, contacts.data(), size, &count)
                                     : fc_query_shape(first->object.get(), &at_a, &second->shape, &at_b, &desc, contacts.data(), size, &count);
        if (status < 0) give_up(fc_last_error());
        contacts.resize(std::min(count, size));
        std::sort(contacts.begin(), contacts.end(), [](const fc_contact &a, const fc_contact &b) { return a.depth > b.depth; });
        std::printf("        %s: %u contacts\n", mode == FC_MODE_FULL ? "full query" : "default query", count);
        for (std::size_t k = 0; k < std::min<std::size_t>(contacts.size(), 12); ++k)
            std::printf("            depth %8.4f mm, normal %6.3f %6.3f %6.3f, point %8.5f %8.5f %8.5f, feature %08x\n", 1e3 * contacts[k].depth,
                        contacts[k].normal[0], contacts[k].normal[1], contacts[k].normal[2], contacts[k].point[0], contacts[k].point[1],
                        contacts[k].point[2], contacts[k].feature);
    }
}

End run_once(const Scenario &scenario, const Engine &engine, Library &library, const RunOptions &options, std::uint32_t variation) {
    Tuning tuning;
    tuning.threads = options.threads;
    if (scenario.tune) scenario.tune(tuning);
    tuning.sleeping = tuning.sleeping && !scenario.at_rest;
    if (options.iterations > 0) tuning.iterations = options.iterations;
    tuning.warm_starting = options.warm_starting;
    const auto start = std::chrono::steady_clock::now();
    Scene scene(engine, tuning, library, scenario.step);
    scene.variation = variation;
    scene.look_every = 0;
    scene.film_every = 1u << 30;
    const Act act = scenario.set_up(scene);
    const double seconds = options.seconds > 0 ? options.seconds : scenario.seconds;
    const auto steps = std::uint32_t(seconds / scenario.step);
    End end;
    end.variation = variation;
    std::map<std::uint32_t, double> cooking;
    std::map<std::uint32_t, Pose> placed;
    LastTold told;
    double moved = 0;
    for (std::uint32_t k = 0; k < steps; ++k) {
        act(scene);
        const std::size_t broken = scene.events().size();
        scene.advance();
        if (scene.events().size() > broken) cooking[k] = hull_cooking(scene, engine);
        for (const Touching &pair : scene.meter().pairs())
            if (!options.quiet) told[{pair.a.id, pair.b.id}] = {scene.time(), pair};
        const Measured &last = scene.steps().back();
        end.detection = std::max(end.detection, last.detection);
        end.mean_detection += last.detection / steps;
        if ((k % look_every == 0 || k + 1 == steps) && !(speed(scene, true) < at_rest)) moved = scene.time();
        if (scenario.at_rest && k == std::uint32_t(std::min(1.0, seconds / 2) / scenario.step))
            for (const auto &[number, piece] : scene.pieces()) placed[number] = scene.world().pose(piece.body);
    }
    if (!placed.empty()) end.drift = 0;
    for (const auto &[number, pose] : placed) {
        const Piece &piece = scene.pieces().at(number);
        end.drift = worse(end.drift, 1e3 * farthest_move(piece.outline, pose, scene.world().pose(piece.body)));
    }
    end.overlap = deepest(scene);
    end.along = deepest(scene, 0);
    end.speed = speed(scene, true);
    end.reach = reach(scene);
    if (end.speed < at_rest) end.rested = moved;
    end.bodies = scene.steps().back().bodies;
    end.spike = spike(scene.steps(), cooking);
    end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%-10s %-6s %2u: %3u bodies, overlap %6.3f %% (%.3f %% along normals), fastest %6.4f m/s, ", scenario.name, engine.name, variation, end.bodies,
                100 * end.overlap, 100 * end.along, end.speed);
    if (end.speed < at_rest) std::printf("at rest from %5.2f s", end.rested);
    else std::printf("NOT at rest       ");
    std::printf(", detection %.2f (%.1f) ms", end.mean_detection, end.detection);
    if (end.spike.milliseconds > 0) std::printf(", spike %.1f ms", end.spike.milliseconds);
    if (end.spike.cooking > 0) std::printf(" = %.2f of hull cooking", end.spike.share());
    if (!placed.empty()) std::printf(", drift %.3f mm", end.drift);
    if (!(end.reach < 3)) std::printf(", LEFT THE SCENE: %.1f m", end.reach);
    std::printf(", %.0f s\n", end.seconds);
    if (end.overlap > 0.005 && !options.quiet) print_deepest(scene, told);
    std::fflush(stdout);
    return end;
}

/// The value that a share of all are at or below.
double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, std::size_t(std::ceil(share * double(values.size()))) - 1)];
}

} // namespace

void settle(const Scenario &scenario, const Engine &engine, Library &library, const RunOptions &options, std::uint32_t first, std::uint32_t runs) {
    std::vector<End> ends;
    for (std::uint32_t k = 0; k < runs; ++k) ends.push_back(run_once(scenario, engine, library, options, first + k));
    const auto share = [&](auto holds) { return double(std::count_if(ends.begin(), ends.end(), holds)) / double(ends.size()); };
    std::vector<double> overlaps, along, spikes, shares;
    for (const End &end : ends) {
        overlaps.push_back(end.overlap);
        along.push_back(end.along);
        if (end.spike.milliseconds > 0) spikes.push_back(end.spike.milliseconds);
        if (end.spike.share() > 0) shares.push_back(end.spike.share());
    }
    const double small = share([](const End &end) { return end.overlap <= 0.005; }), most = quantile(overlaps, 1);
    const double resting = share([](const End &end) { return end.speed < at_rest; });
    std::printf("%-10s %-6s %2u runs: overlap median %.3f %%, 95 %% %.3f %%, most %.3f %% (%.3f %%, %.3f %%, %.3f %% along normals); %.0f %% within 0.5 %%; at rest %.0f %%", scenario.name, engine.name, runs,
                100 * quantile(overlaps, 0.5), 100 * quantile(overlaps, 0.95), 100 * most, 100 * quantile(along, 0.5), 100 * quantile(along, 0.95),
                100 * quantile(along, 1), 100 * small, 100 * resting);
    if (!spikes.empty()) std::printf("; spike median %.1f, most %.1f ms", quantile(spikes, 0.5), quantile(spikes, 1));
    if (!shares.empty()) std::printf(" (%.2f, %.2f of hull cooking)", quantile(shares, 0.5), quantile(shares, 1));
    std::printf("  %s\n", small >= 0.95 && most <= 0.01 && resting >= 0.9 ? "met" : "MISSED");
    std::fflush(stdout);
    Json list = Json::array();
    for (const End &end : ends)
        list.push_back({{"variation", end.variation}, {"bodies", end.bodies}, {"overlap", end.overlap}, {"overlap_along_normals", end.along}, {"speed", end.speed}, {"rest_from", end.rested},
                        {"detection_mean_ms", end.mean_detection}, {"detection_max_ms", end.detection}, {"spike_ms", end.spike.milliseconds},
                        {"hull_cooking_ms", end.spike.cooking}, {"drift_mm", end.drift}, {"reach", end.reach}});
    write_json(options.out + "/settle-" + scenario.name + "-" + engine.name + ".json",
               {{"study", "settle"}, {"scenario", scenario.name}, {"engine", engine.name}, {"runs", list}});
}

} // namespace demo
