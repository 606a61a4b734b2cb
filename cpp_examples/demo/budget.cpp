#include "budget.hpp"

#include "dice.hpp"
#include "json.hpp"
#include "progress.hpp"

#include <adapters/common/budget.hpp>

#include <algorithm>
#include <chrono>

namespace demo {

namespace {

constexpr double step = 1.0 / 120;
constexpr std::uint32_t film_every = 4, look_every = 20;
/// From a heap to the next in the film, in metres: across the view of the page.
constexpr Vec apart{1.2, 0.66, 0};
/// Contacts less deep than this are not filmed, in metres: there are thousands.
constexpr double filmed_depth = 1e-3;

/// So many bodies of a shape, each in so many pieces; 1: whole.
struct Batch {
    const char *asset;
    double scale;
    std::uint32_t count, pieces;
};
constexpr Batch batches[] = {{"rabbit", 0.8, 12, 20}, {"piggy_bank", 0.6, 5, 20}, {"brick", 0.8, 10, 8},
                             {"rabbit", 0.6, 20, 1},  {"brick", 0.6, 11, 1},      {"bowl", 0.7, 10, 1},  {"plate", 0.6, 10, 1}};

/// What was seen in a step; times in milliseconds.
struct Seen {
    double detection = 0, total = 0;
    std::uint32_t contacts = 0;
    adapter::Budget::Step work;
    double overlap_mm = NAN, mean_overlap_mm = NAN; // not looked at
};

/// A heap as it is filmed: the mesh of each body by number, and all poses and deep contacts, frame by frame.
struct Filmed {
    std::vector<Picture> pictures;
    std::vector<std::uint32_t> groups, mesh_of;
    std::vector<std::vector<Pose>> poses;
    std::vector<std::vector<Touching>> deep;
};

struct Heap {
    std::string name;
    std::uint32_t units = 0;
    std::vector<Seen> steps;
    Filmed film;
    std::uint32_t bodies = 0, below = 0;
    double fastest = 0, rms_speed = 0;
    std::string settings;

    template <class Get>
    double largest(Get get) const {
        double most = 0;
        for (const Seen &seen : steps) most = std::max(most, double(get(seen)));
        return most;
    }
    template <class Get>
    double mean(Get get) const {
        double sum = 0;
        for (const Seen &seen : steps) sum += double(get(seen));
        return sum / double(steps.size());
    }
};

/// Pairs in which no sample was measured: one contact stands for all that may touch.
template <class T>
T unmeasured_of(const T (&levels)[5]) {
    return levels[FC_LEVEL_BODIES] + levels[FC_LEVEL_SPHERES];
}

fracas::Object scaled(const fracas::Asset &asset, double scale) {
    fc_object_desc desc = fracas::object_desc();
    desc.scale = scale;
    return must(fracas::Object::create(asset, &desc));
}

/// Puts all bodies above the ground, in layers, in an order that looks random. Bodies that are broken are so from the beginning.
void fill(Scene &scene, Heap &heap, bool brief) {
    scene.add(Primitive{}, Pose{});
    std::vector<const Batch *> order;
    for (const Batch &batch : batches) order.insert(order.end(), brief ? std::max(batch.count / 10, 1u) : batch.count, &batch);
    Dice dice(500);
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[std::size_t(dice(0, double(k)))]);
    std::map<std::pair<const Batch *, std::uint32_t>, std::uint32_t> meshes; // of pieces, by their batch and number
    for (std::uint32_t k = 0; k < order.size(); ++k) {
        const Batch &batch = *order[k];
        const Vec at{0.21 * (k % 4 - 1.5) + dice(-0.01, 0.01), 0.21 * (k / 4 % 4 - 1.5) + dice(-0.01, 0.01), 0.2 + 0.22 * (k / 16)};
        const Pose pose{at, adapter::turn(dice.way(), dice(0, 3))};
        std::vector<fracas::Object> parts;
        parts.push_back(scaled(scene.library()[batch.asset], batch.scale));
        if (batch.pieces > 1) {
            fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
            how.count = batch.pieces;
            how.seed = 1; // all of a batch break alike, and share their meshes in the film
            parts = must(fracas::fracture(parts[0], how));
        }
        for (std::uint32_t p = 0; p < parts.size(); ++p) {
            const auto [mesh, is_new] = meshes.emplace(std::pair(&batch, p), std::uint32_t(heap.film.pictures.size()));
            if (is_new) heap.film.pictures.push_back(picture_of(parts[p].get()));
            heap.film.mesh_of.push_back(mesh->second);
            heap.film.groups.push_back(k);
            scene.add(std::move(parts[p]), pose);
        }
    }
    heap.bodies = std::uint32_t(heap.film.mesh_of.size());
}

void film(const Scene &scene, const Meter &meter, Heap &heap) {
    std::vector<Pose> poses;
    for (const auto &[number, piece] : scene.pieces())
        if (!piece.fixed) poses.push_back(scene.world().pose(piece.body));
    heap.film.poses.push_back(std::move(poses));
    std::vector<Touching> deep;
    for (const Touching &pair : meter.pairs()) {
        Touching kept{pair.a, pair.b, {}};
        for (const Touch &touch : pair.touches)
            if (touch.depth > filmed_depth) kept.touches.push_back(touch);
        if (!kept.touches.empty()) deep.push_back(std::move(kept));
    }
    heap.film.deep.push_back(std::move(deep));
}

/// The deepest overlap of each pair that overlaps, by the full query: the largest, and the mean.
void look(const Scene &scene, Seen &seen) {
    double most = 0, sum = 0, count = 0;
    scene.look(0, [&](const Piece &, const Piece &, const std::vector<fc_contact> &contacts) {
        double deepest = 0;
        for (const fc_contact &contact : contacts) deepest = std::max<double>(deepest, contact.depth);
        most = std::max(most, deepest);
        sum += deepest;
        ++count;
    });
    seen.overlap_mm = 1e3 * most;
    seen.mean_overlap_mm = 1e3 * sum / std::max(count, 1.0);
}

Heap pour(const std::string &name, std::uint32_t units, const Engine &engine, Library &library, const RunOptions &options) {
    Heap heap;
    heap.name = name;
    heap.units = units;
    Tuning tuning;
    tuning.threads = options.threads;
    adapter::Budget budget(units);
    Scene scene(engine, tuning, library, step);
    scene.look_every = 0;
    scene.film_every = ~0u;
    scene.query().budget = &budget;
    fill(scene, heap, options.brief);
    heap.settings = scene.world().settings();
    const double seconds = options.seconds > 0 ? options.seconds : options.brief ? 0.4 : 2.4;
    const auto steps = std::uint32_t(seconds / step);
    for (std::uint32_t k = 0; k < steps; ++k) {
        budget.begin_step(k == 0 ? 6 * heap.bodies : 0);
        if (k % film_every == 0) film(scene, scene.meter(), heap);
        scene.advance();
        const Measured &measured = scene.steps().back();
        Seen seen{measured.detection, measured.total, measured.output, budget.step(), NAN, NAN};
        if (k % look_every == 0 || k + 1 == steps) look(scene, seen);
        heap.steps.push_back(seen);
        if (!options.quiet && (k % 10 == 0 || k + 1 == steps))
            progress("budget      %-7s %-10s %4.2f of %.2f s, %4u contacts, %4u of %4u pairs interrupted, %5.1f ms", engine.name, name.c_str(),
                     scene.time(), steps * step, seen.contacts, seen.work.interrupted, seen.work.pairs, seen.detection);
    }
    heap.fastest = speed(scene);
    double squares = 0;
    for (const auto &[number, piece] : scene.pieces()) {
        if (piece.fixed) continue;
        // Of a body that is on the ground the centre of mass is above it.
        heap.below += !(scene.centre(piece).z > 0);
        const Vec v = scene.world().motion(piece.body).linear;
        squares += adapter::dot(v, v);
    }
    heap.rms_speed = std::sqrt(squares / heap.bodies);
    return heap;
}

/// The heaps side by side in one film. Returns the number of contacts in its last frame.
std::size_t write_film(const std::vector<Heap> &heaps, const std::string &path) {
    Replay replay;
    replay.add_body(replay.add_mesh(picture_of(Primitive{})), 0);
    std::vector<std::uint32_t> meshes; // the same in all
    for (const Picture &picture : heaps[0].film.pictures) meshes.push_back(replay.add_mesh(picture));
    for (const Heap &heap : heaps)
        for (std::uint32_t k = 0; k < heap.bodies; ++k) replay.add_body(meshes[heap.film.mesh_of[k]], 1 + heap.film.groups[k]);
    std::size_t shown = 0;
    for (std::size_t frame = 0; frame < heaps[0].film.poses.size(); ++frame) {
        shown = 0;
        std::vector<std::pair<std::uint32_t, Pose>> poses{{0, Pose{}}};
        std::vector<Touching> deep;
        for (std::size_t h = 0; h < heaps.size(); ++h) {
            const Vec shift = (double(h) - 0.5 * double(heaps.size() - 1)) * apart;
            for (const Pose &pose : heaps[h].film.poses[frame])
                poses.emplace_back(std::uint32_t(poses.size()), Pose{pose.position + shift, pose.rotation});
            for (Touching pair : heaps[h].film.deep[frame]) {
                for (Touch &touch : pair.touches) touch.point += shift;
                shown += pair.touches.size();
                deep.push_back(std::move(pair));
            }
        }
        replay.add_frame(poses, deep);
    }
    replay.write(path, step * film_every);
    return shown;
}

} // namespace

std::vector<Check> budget_study(const Engine &engine, Library &library, const RunOptions &options) {
    const auto start = std::chrono::steady_clock::now();
    const auto work = [](const Seen &seen) { return seen.work.work; };
    const auto detection = [](const Seen &seen) { return seen.detection; };
    const auto total = [](const Seen &seen) { return seen.total; };
    std::vector<Heap> heaps;
    heaps.push_back(pour("no limit", 0, engine, library, options));
    const auto densest = std::uint32_t(heaps[0].largest(work));
    heaps.push_back(pour("a third", densest / 3, engine, library, options));
    if (!options.brief) heaps.push_back(pour("a tenth", densest / 10, engine, library, options));

    std::vector<Check> checks;
    for (const Heap &heap : heaps) {
        if (heap.units > 0)
            checks.push_back({"work, " + heap.name, heap.largest(work) / heap.units, 2, "times", "the largest work of a step, over the budget"});
        checks.push_back({"ground, " + heap.name, double(heap.below), 0, "bodies", "have fallen through the ground"});
    }

    Json runs = Json::array(), series = Json::array();
    end_progress();
    std::printf("budget      %-7s %u bodies, %zu steps of %.1f ms, %.0f s\n", engine.name, heaps[0].bodies, heaps[0].steps.size(), 1e3 * step,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    std::printf("                units   queries, ms      step, ms         contacts  interrupted  overlap at the end, mm  speed\n");
    for (const Heap &heap : heaps) {
        const Seen &last = heap.steps.back();
        double pairs = 0, levels[5] = {};
        for (const Seen &seen : heap.steps) {
            pairs += seen.work.pairs;
            for (int k = 0; k < 5; ++k) levels[k] += seen.work.levels[k];
        }
        const auto percent = [&](double count) { return 100 * count / std::max(pairs, 1.0); };
        const double interrupted = percent(pairs - levels[FC_LEVEL_ALL]), unmeasured = percent(unmeasured_of(levels));
        const double contacts = heap.mean([](const Seen &seen) { return seen.contacts; });
        const double deepest = heap.largest([](const Seen &seen) { return seen.overlap_mm > 0 ? seen.overlap_mm : 0; });
        std::printf("    %-9s %7u  %5.2f (%6.2f)  %5.2f (%6.2f)  %8.0f  %9.1f %%  %10.2f mean %6.2f  %6.3f m/s\n", heap.name.c_str(), heap.units,
                    heap.mean(detection), heap.largest(detection), heap.mean(total), heap.largest(total), contacts, interrupted, last.overlap_mm,
                    last.mean_overlap_mm, heap.rms_speed);
        runs.push_back({{"name", heap.name},
                        {"units", heap.units},
                        {"detection_mean_ms", heap.mean(detection)},
                        {"detection_worst_ms", heap.largest(detection)},
                        {"total_mean_ms", heap.mean(total)},
                        {"total_worst_ms", heap.largest(total)},
                        {"work_worst", heap.largest(work)},
                        {"contacts_mean", contacts},
                        {"interrupted_percent", interrupted},
                        {"unmeasured_percent", unmeasured},
                        {"overlap_mm", last.overlap_mm},
                        {"mean_overlap_mm", last.mean_overlap_mm},
                        {"deepest_mm", deepest},
                        {"speed", heap.rms_speed},
                        {"below", heap.below}});
        const auto list = [&](auto get) { return numbers(heap.steps, get); };
        series.push_back({{"detection_ms", list(detection)},
                          {"total_ms", list(total)},
                          {"work", list(work)},
                          {"contacts", list([](const Seen &seen) { return seen.contacts; })},
                          {"interrupted", list([](const Seen &seen) { return seen.work.interrupted; })},
                          {"unmeasured", list([](const Seen &seen) { return unmeasured_of(seen.work.levels); })},
                          {"overlap_mm", list([](const Seen &seen) { return seen.overlap_mm; })}});
    }
    print(checks);
    const std::string name = std::string("budget-") + engine.name;
    const std::size_t shown = write_film(heaps, options.out + "/" + name + ".replay");
    write_json(options.out + "/" + name + ".json",
               {{"study", "budget"},
                {"title", std::to_string(heaps[0].bodies) + " bodies under a budget"},
                {"engine", engine.name},
                {"step", step},
                {"steps", heaps[0].steps.size()},
                {"frame_every", film_every},
                {"threads", options.threads},
                {"replay", name + ".replay"},
                {"settings", heaps[0].settings},
                {"series", {{"heaps", series}}},
                {"budget", {{"bodies", heaps[0].bodies}, {"shown_at_end", shown}, {"runs", runs}}},
                {"checks", as_json(checks)}});
    return checks;
}

} // namespace demo
