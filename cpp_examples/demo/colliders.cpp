#include "colliders.hpp"

#include "dice.hpp"
#include "json.hpp"
#include "progress.hpp"
#include "surface_distance.hpp"

#include <algorithm>
#include <chrono>

namespace demo {

#ifdef WITH_BULLET
std::vector<MakeColliders> bullet_colliders();
#endif
#ifdef WITH_JOLT
std::vector<MakeColliders> jolt_colliders();
#endif
#ifdef WITH_PHYSX
std::vector<MakeColliders> physx_colliders();
#endif

std::vector<MakeColliders> own_colliders(const std::string &engine) {
#ifdef WITH_BULLET
    if (engine == "bullet") return bullet_colliders();
#endif
#ifdef WITH_JOLT
    if (engine == "jolt") return jolt_colliders();
#endif
#ifdef WITH_PHYSX
    if (engine == "physx") return physx_colliders();
#endif
    (void)engine;
    return {};
}

namespace {

using Clock = std::chrono::steady_clock;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

double milliseconds(Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

/// Depths below this share of the radius are no overlap, and gaps below it no gap: what nobody can see.
constexpr double unseen = 0.001;
/// Gaps are looked for up to this share of the radius.
constexpr double near = 0.05;
constexpr std::uint32_t repeats = 5;

/// Makes something some times, keeps the last, and returns the milliseconds of the fastest time: the same for all colliders.
template <class Make, class Made>
double best_of(Make make, Made &kept) {
    double best = HUGE_VAL;
    for (std::uint32_t turn = 0; turn < repeats; ++turn) {
        const auto start = Clock::now();
        Made made = make();
        best = std::min(best, milliseconds(start));
        kept = std::move(made);
    }
    return best;
}

class Fracas final : public OwnColliders {
public:
    explicit Fracas(std::vector<fc_object> objects) : objects_(std::move(objects)) {}
    const char *name() const override { return "Fracas"; }
    void prepare(const std::vector<fracas::Surface> &) override {}
    double deepest(std::uint32_t a, const Pose &pose_a, std::uint32_t b, const Pose &pose_b, double margin) override {
        adapter::Query query;
        query.margin = margin;
        query.shortest_way = true;
        adapter::touching(query, objects_[a], pose_a, objects_[b], pose_b, {}, contacts_);
        double most = apart;
        for (const fc_contact &contact : contacts_) most = std::max<double>(most, contact.depth);
        return most;
    }

private:
    const std::vector<fc_object> objects_;
    adapter::Contacts contacts_;
};

/// Poses of all fragments at one time.
struct Frame {
    std::vector<Pose> poses;
    Pairs pairs;               // whose boxes meet
    std::vector<double> truth; // by their surfaces; `apart` beyond `near`
    double margin;             // how far gaps are asked for
};

struct Row {
    std::string name, cracks;
    double prepare = 0, first = 0, pass = 0, penetration = 0, gap = 0;
    std::uint32_t phantom = 0, missed = 0;
};

std::vector<fc_object> handles(const std::vector<fracas::Object> &objects) {
    std::vector<fc_object> all;
    for (const fracas::Object &object : objects) all.push_back(object.get());
    return all;
}

/// Just broken; shaken, each piece by 0.5 to 1 % of the radius; and pulled apart by 4 %.
std::vector<Frame> frames_of(const std::vector<fracas::Object> &objects, const std::vector<SurfaceDistance> &surfaces, double radius) {
    Dice dice(27);
    std::vector<Frame> frames(3);
    for (std::size_t f = 0; f < frames.size(); ++f) {
        Frame &frame = frames[f];
        for (const fracas::Object &object : objects) {
            const Vec centre = adapter::vec(must(object.mass()).centre);
            Vec move;
            Quat turn;
            if (f == 1) move = dice(0.005, 0.01) * radius * dice.way(), turn = adapter::turn(dice.way(), dice(0, 0.03));
            if (f == 2) move = 0.04 * centre;
            frame.poses.push_back({centre + move - adapter::rotate(turn, centre), turn});
        }
        frame.margin = f == 2 ? near * radius : unseen * radius;
        frame.pairs = pairs_in(handles(objects), frame.poses, frame.margin);
        for (const auto &[i, j] : frame.pairs) {
            const double depth = deepest_overlap(surfaces[i], frame.poses[i], surfaces[j], frame.poses[j], near * radius);
            // Neighbours that have just parted touch everywhere; what their surfaces say is rounding.
            frame.truth.push_back(f == 0 && depth > -unseen * radius ? 0 : depth);
        }
    }
    return frames;
}

Row judge(OwnColliders &colliders, double prepare, const std::vector<Frame> &frames, double radius, const char *cracks) {
    Row row{colliders.name(), cracks};
    row.prepare = prepare;
    double penetrations = 0, gaps = 0;
    for (const Frame &frame : frames) {
        std::vector<double> found(frame.pairs.size());
        for (std::uint32_t turn = 0; turn <= repeats; ++turn) {
            const auto start = Clock::now();
            for (std::size_t k = 0; k < frame.pairs.size(); ++k) {
                const auto [i, j] = frame.pairs[k];
                found[k] = colliders.deepest(i, frame.poses[i], j, frame.poses[j], frame.margin);
            }
            const double time = milliseconds(start);
            if (&frame == &frames[0] && turn == 0) row.first = time;
            // A step after the break: the shaken frame, the best of some turns.
            if (&frame == &frames[1] && turn > 0) row.pass = turn == 1 ? time : std::min(row.pass, time);
        }
        for (std::size_t k = 0; k < found.size(); ++k) {
            const double truth = frame.truth[k], little = unseen * radius;
            row.phantom += found[k] > little && truth < 0;
            row.missed += truth > little && found[k] <= 0;
            if (&frame != &frames[2]) {
                if (found[k] > 0 || truth > 0) row.penetration += std::abs(std::max(found[k], 0.0) - std::max(truth, 0.0)), ++penetrations;
            } else if (truth < 0 && truth > -frame.margin) {
                row.gap += std::abs(std::max(found[k], -frame.margin) - truth);
                ++gaps;
            }
        }
    }
    row.penetration *= 1e3 / std::max(penetrations, 1.0);
    row.gap *= 1e3 / std::max(gaps, 1.0);
    return row;
}

} // namespace

std::unique_ptr<OwnColliders> fracas_colliders(const std::vector<fc_object> &objects) { return std::make_unique<Fracas>(objects); }

Pairs pairs_in(const std::vector<fc_object> &objects, const std::vector<Pose> &poses, double margin) {
    std::vector<fc_aabb> boxes;
    for (std::size_t k = 0; k < objects.size(); ++k) {
        const fc_pose at = adapter::to_fc(poses[k]);
        if (fc_object_bounds(objects[k], &at, &boxes.emplace_back()) < 0) give_up(fc_last_error());
    }
    Pairs pairs;
    for (std::uint32_t i = 0; i < objects.size(); ++i)
        for (std::uint32_t j = i + 1; j < objects.size(); ++j) {
            bool meet = true;
            for (int k = 0; k < 3; ++k)
                meet = meet && boxes[i].min[k] <= boxes[j].max[k] + margin && boxes[j].min[k] <= boxes[i].max[k] + margin;
            if (meet) pairs.emplace_back(i, j);
        }
    return pairs;
}

void compare_colliders(const Engine &engine, Library &library, const RunOptions &options) {
    std::vector<Row> rows;
    const fracas::Object whole = must(fracas::Object::create(library["rabbit"]));
    const fc_aabb box = must(whole.bounds());
    const double radius = adapter::length(adapter::vec(box.max) - adapter::vec(box.min)) / 2;
    for (const bool rough : {false, true}) {
        if (!options.quiet) progress("colliders   %-7s %s cracks", engine.name, rough ? "rough" : "smooth");
        fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
        how.count = 27;
        how.seed = 27;
        how.roughness = rough ? 0.03f : 0;
        std::vector<fracas::Object> objects;
        const double breaking = best_of([&] { return must(fracas::fracture(whole, how)); }, objects);
        std::vector<fracas::Surface> surfaces;
        std::vector<SurfaceDistance> exact;
        for (const fracas::Object &object : objects) surfaces.push_back(must(object.surface())), exact.emplace_back(surfaces.back());
        const std::vector<Frame> frames = frames_of(objects, exact, radius);
        const char *cracks = rough ? "rough" : "smooth";
        Fracas ours(handles(objects));
        rows.push_back(judge(ours, breaking, frames, radius, cracks));
        for (const MakeColliders make : own_colliders(engine.name)) {
            std::unique_ptr<OwnColliders> colliders;
            const auto prepared = [&] {
                auto made = make();
                made->prepare(surfaces);
                return made;
            };
            const double preparing = best_of(prepared, colliders);
            rows.push_back(judge(*colliders, preparing, frames, radius, cracks));
        }
    }
    end_progress();
    std::printf("colliders   %-7s a rabbit in 27 pieces                cracks  prepare   first    pass  penetration   gap  phantom missed\n", engine.name);
    Json list = Json::array();
    for (const Row &row : rows) {
        std::printf("    %-42s %6s %8.2f %7.2f %7.2f ms %8.3f %7.3f mm %5u %6u\n", row.name.c_str(), row.cracks.c_str(), row.prepare, row.first,
                    row.pass, row.penetration, row.gap, row.phantom, row.missed);
        list.push_back({{"name", row.name}, {"cracks", row.cracks}, {"prepare_ms", row.prepare}, {"first_pass_ms", row.first},
                        {"pass_ms", row.pass}, {"penetration_error_mm", row.penetration}, {"gap_error_mm", row.gap},
                        {"phantom_pairs", row.phantom}, {"missed_pairs", row.missed}});
    }
    write_json(options.out + "/colliders-" + engine.name + ".json", {{"study", "colliders"}, {"engine", engine.name}, {"colliders", list}});
}

} // namespace demo
