#include "beside.hpp"

#include "colliders.hpp"
#include "json.hpp"
#include "progress.hpp"
#include "surface_distance.hpp"

#include <algorithm>
#include <chrono>

namespace demo {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double step = 0.005;
constexpr std::uint32_t film_every = 2;
/// Both are looked at by their surfaces so often, in steps, after the break; in brief only in the first and the last step.
constexpr std::uint32_t look_every = 40;
/// Steps after the break in which energy must not rise.
constexpr std::uint32_t soon = 30;
/// Colliders that overlap, or are less apart than this, touch; surfaces farther apart than `gap` do not. In metres.
constexpr double touch = 1e-4, gap = 5e-4;

double milliseconds(Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

/// What is known of both worlds at the break.
struct Broken {
    std::uint32_t step = 0;
    std::vector<std::uint32_t> numbers; // of the pieces, in Fracas's scene
    std::vector<fc_object> objects;
    std::vector<adapter::Inertia> inertias;
    std::vector<Pose> poses;
    std::vector<Motion> motions;
    std::vector<SurfaceDistance> surfaces;
    double radius = 0; // half the diagonal of the box of the whole
};

/// One of the two worlds.
struct Side {
    std::string name;
    /// Of the fragments' colliders at the break, and of the first step after it, in milliseconds.
    double prepare = NAN, first_step = NAN;
    std::vector<double> total, energy, overlap_mm; // of each step; NaN: not looked at
    /// At the break, when all surfaces just touch: pairs whose colliders overlap by more than `touch`, and the most.
    std::uint32_t overlapping = 0;
    double overlapping_mm = NAN;
    /// Pairs whose colliders touch and whose surfaces do not: the mean of all looks, and the widest gap.
    double phantom = NAN, phantom_mm = NAN;
    double fastest = 0; // of all centres, soon after the break
};

double energy(const Broken &broken, const std::vector<Pose> &poses, const std::vector<Motion> &motions, Vec gravity) {
    double sum = 0;
    for (std::size_t k = 0; k < poses.size(); ++k) {
        const adapter::Inertia &of = broken.inertias[k];
        const Vec spin = adapter::rotate(inverse(poses[k].rotation * of.axes), motions[k].angular), &m = of.moments;
        sum += of.mass * (adapter::dot(motions[k].linear, motions[k].linear) / 2 - adapter::dot(gravity, poses[k] * of.centre));
        sum += (m.x * spin.x * spin.x + m.y * spin.y * spin.y + m.z * spin.z * spin.z) / 2;
    }
    return sum;
}

/// By how much of what it was at the break the energy rises soon after it, in percent.
double rise(const Side &side, const Broken &broken, double before) {
    double most = 0;
    for (std::size_t k = broken.step + 1; k < side.energy.size() && k <= broken.step + soon; ++k) most = worse(most, side.energy[k] / before - 1);
    return 100 * most;
}

/// Holds colliders against the surfaces. `own` may be null: then only the true overlap is known.
struct Look {
    double overlap = 0; // of surfaces, in metres
    double widest = 0;  // of phantom contacts
    std::uint32_t phantom = 0;
};
Look look(const Broken &broken, const std::vector<Pose> &poses, OwnColliders *own) {
    Look seen;
    const double within = 0.1 * broken.radius;
    for (const auto &[i, j] : pairs_in(broken.objects, poses, touch)) {
        const double depth = deepest_overlap(broken.surfaces[i], poses[i], broken.surfaces[j], poses[j], within);
        seen.overlap = std::max(seen.overlap, depth);
        if (own == nullptr || depth > -gap || own->deepest(i, poses[i], j, poses[j], touch) <= -touch) continue;
        ++seen.phantom;
        seen.widest = std::max(seen.widest, std::min(-depth, within));
    }
    return seen;
}

void look_at_break(const Broken &broken, Side &side, OwnColliders &own) {
    side.overlapping_mm = 0;
    for (const auto &[i, j] : pairs_in(broken.objects, broken.poses, 0)) {
        const double depth = own.deepest(i, broken.poses[i], j, broken.poses[j], touch);
        side.overlapping += depth > touch;
        side.overlapping_mm = std::max(side.overlapping_mm, 1e3 * depth);
    }
}

/// The engine's hull of a fragment, about its centre of mass.
Primitive hull_of(fc_object object, Vec centre) {
    Primitive hull;
    hull.kind = Primitive::Kind::Hull;
    const fracas::Surface surface = surface_of(object);
    for (std::size_t k = 0; k + 2 < surface.positions.size(); k += 3)
        hull.points.push_back(Vec{surface.positions[k], surface.positions[k + 1], surface.positions[k + 2]} - centre);
    return hull;
}

} // namespace

std::vector<Check> beside_study(const Engine &engine, Library &library, const RunOptions &options) {
    const auto start = Clock::now();
    Tuning tuning;
    tuning.threads = options.threads;
    tuning.sleeping = false; // what sleeps costs nothing, and hides what its contacts are like
    const double seconds = options.seconds > 0 ? options.seconds : options.brief ? 0.5 : 2;
    const auto steps = std::uint32_t(seconds / step);
    const auto told = [&](const char *words, std::uint32_t k) {
        if (!options.quiet && k % 20 == 0) progress("beside      %-7s %-12s %4.2f of %.2f s", engine.name, words, k * step, steps * step);
    };

    // Fracas's world, and what it is like at the break.
    Scene scene(engine, tuning, library, step);
    scene.look_every = 0;
    scene.film_every = film_every;
    scene.add(Primitive{}, Pose{});
    adapter::Material material;
    material.strength = 120;
    material.pieces = 20;
    material.most_pieces = 30;
    material.roughness = 0.01f;
    material.smallest = 1e-3; // breaks once
    const std::uint32_t bank = scene.add("piggy_bank", {{0, 0, 0.7}, adapter::turn(adapter::unit({1, 0.4, 0}), 0.6)}, {{0, 0, -1}, {0.5, 1.5, 0}}, material);
    Replay theirs_film;
    theirs_film.add_body(theirs_film.add_mesh(picture_of(Primitive{})), 0);
    const std::uint32_t whole = theirs_film.add_body(theirs_film.add_mesh(picture_of(scene.pieces().at(bank).object.get())), bank);
    Broken broken;
    broken.radius = scene.pieces().at(bank).radius;
    Side ours, theirs;
    ours.name = "Fracas";
    theirs.name = "the engine's convex hulls";
    std::vector<std::unique_ptr<OwnColliders>> judged(2);
    std::vector<double> phantoms[2];
    double at_break = NAN;
    const auto watch = [&](Side &side, std::size_t which, const std::vector<Pose> &poses, std::uint32_t k) {
        const bool looks = k > broken.step && (k == broken.step + 1 || ((k - broken.step) % look_every == 0 && !options.brief) || k + 1 == steps);
        side.overlap_mm.push_back(NAN);
        if (!looks) return;
        const Look seen = look(broken, poses, judged[which].get());
        side.overlap_mm.back() = 1e3 * seen.overlap;
        phantoms[which].push_back(seen.phantom);
        side.phantom_mm = side.phantom_mm > 1e3 * seen.widest ? side.phantom_mm : 1e3 * seen.widest;
    };
    const auto state = [&](std::vector<Pose> &poses, std::vector<Motion> &motions) {
        poses.clear(), motions.clear();
        for (const std::uint32_t number : broken.numbers) {
            const Body body = scene.pieces().at(number).body;
            poses.push_back(scene.world().pose(body));
            motions.push_back(scene.world().motion(body));
        }
    };
    std::vector<Pose> poses;
    std::vector<Motion> motions;
    for (std::uint32_t k = 0; k < steps; ++k) {
        told("Fracas", k);
        const bool is_whole = scene.events().empty();
        if (is_whole && k % film_every == 0) theirs_film.add_frame({{0, Pose{}}, {whole, scene.world().pose(scene.pieces().at(bank).body)}}, {});
        scene.advance();
        const Measured &measured = scene.steps().back();
        ours.total.push_back(measured.total);
        ours.energy.push_back(measured.energy);
        if (is_whole && !scene.events().empty()) {
            broken.step = k;
            for (const auto &[number, piece] : scene.pieces()) {
                if (!piece.object) continue;
                broken.numbers.push_back(number);
                broken.objects.push_back(piece.object.get());
                broken.inertias.push_back(piece.inertia);
                broken.surfaces.emplace_back(surface_of(piece.object.get()));
            }
            state(broken.poses, broken.motions);
            at_break = energy(broken, broken.poses, broken.motions, tuning.gravity);
            ours.prepare = measured.update;
            theirs.prepare = hull_cooking(scene, engine);
            judged[0] = fracas_colliders(broken.objects);
            const std::vector<MakeColliders> own = own_colliders(engine.name);
            if (!own.empty()) {
                judged[1] = own.front()();
                std::vector<fracas::Surface> surfaces;
                for (const fc_object object : broken.objects) surfaces.push_back(surface_of(object));
                judged[1]->prepare(surfaces);
                look_at_break(broken, theirs, *judged[1]);
            }
            look_at_break(broken, ours, *judged[0]);
        }
        if (!is_whole) {
            state(poses, motions);
            if (k <= broken.step + soon)
                for (const Motion &motion : motions) ours.fastest = worse(ours.fastest, adapter::length(motion.linear));
        }
        watch(ours, 0, poses, k);
    }
    if (broken.numbers.empty() || broken.step + 1 == steps) give_up("beside: nothing broke on " + std::string(engine.name) + " within " + std::to_string(seconds) + " s");

    // Theirs, from the break on.
    adapter::Query query;
    const auto world = engine.make(tuning, query);
    world->add(Primitive{}, Pose{});
    std::vector<Body> bodies;
    std::vector<std::uint32_t> actors;
    theirs_film.end_body(whole);
    for (std::size_t k = 0; k < broken.objects.size(); ++k) {
        const Vec centre = broken.inertias[k].centre;
        bodies.push_back(world->add(hull_of(broken.objects[k], centre), broken.poses[k] * Pose{centre, {}}, broken.inertias[k].mass, broken.motions[k]));
        actors.push_back(theirs_film.add_body(theirs_film.add_mesh(picture_of(broken.objects[k])), bank));
    }
    theirs.total.assign(ours.total.begin(), ours.total.begin() + broken.step + 1);
    theirs.energy.assign(ours.energy.begin(), ours.energy.begin() + broken.step + 1);
    theirs.overlap_mm.assign(broken.step + 1, NAN);
    const auto their_poses = [&] {
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            poses[k] = world->pose(bodies[k]) * Pose{-1.0 * broken.inertias[k].centre, {}};
            motions[k] = world->motion(bodies[k]);
        }
    };
    poses.resize(bodies.size()), motions.resize(bodies.size());
    for (std::uint32_t k = broken.step + 1; k < steps; ++k) {
        told("hulls", k);
        if (k % film_every == 0) {
            their_poses();
            std::vector<std::pair<std::uint32_t, Pose>> filmed{{0, Pose{}}};
            for (std::size_t b = 0; b < bodies.size(); ++b) filmed.emplace_back(actors[b], poses[b]);
            theirs_film.add_frame(filmed, {});
        }
        const auto from = Clock::now();
        world->step(step);
        theirs.total.push_back(milliseconds(from));
        their_poses();
        theirs.energy.push_back(energy(broken, poses, motions, tuning.gravity));
        if (k <= broken.step + soon)
            for (const Motion &motion : motions) theirs.fastest = worse(theirs.fastest, adapter::length(motion.linear));
        watch(theirs, 1, poses, k);
    }

    const auto mean = [](const std::vector<double> &values, std::size_t first) {
        double sum = 0;
        for (std::size_t k = first; k < values.size(); ++k) sum += values[k];
        return values.size() > first ? sum / double(values.size() - first) : NAN;
    };
    Json sides = Json::array(), series = Json::array();
    end_progress();
    std::printf("beside      %-7s a piggy bank in %zu pieces, %.0f s\n", engine.name, bodies.size(), 1e-3 * milliseconds(start));
    std::printf("    %-26s  prepare  first step   mean step  overlap at the break   energy   fastest   overlap at the end  phantom pairs\n", "");
    std::size_t which = 0;
    for (Side *side : {&ours, &theirs}) {
        side->first_step = broken.step + 1 < steps ? side->total[broken.step + 1] : NAN;
        if (judged[which]) side->phantom = mean(phantoms[which], 0);
        else side->phantom_mm = NAN;
        const double steps_mean = mean(side->total, broken.step + 2), risen = rise(*side, broken, at_break);
        std::printf("    %-26s %6.2f ms %8.2f ms %8.2f ms  %3u pairs, %7.3f mm %7.2f %%  %4.2f m/s  %15.3f mm  %.1f, up to %.2f mm\n", side->name.c_str(), side->prepare,
                    side->first_step, steps_mean, side->overlapping, side->overlapping_mm, risen, side->fastest, side->overlap_mm.back(),
                    side->phantom, side->phantom_mm);
        sides.push_back({{"name", side->name},
                         {"prepare_ms", side->prepare},
                         {"first_step_ms", side->first_step},
                         {"step_mean_ms", steps_mean},
                         {"break_pairs", judged[which] ? Json(side->overlapping) : Json()},
                         {"break_overlap_mm", side->overlapping_mm},
                         {"energy_rise_percent", risen},
                         {"fastest", side->fastest},
                         {"overlap_mm", side->overlap_mm.back()},
                         {"phantom_pairs", side->phantom},
                         {"phantom_gap_mm", side->phantom_mm}});
        series.push_back({{"total_ms", side->total}, {"energy", side->energy}, {"overlap_mm", side->overlap_mm}});
        ++which;
    }
    std::vector<Check> checks{
        {"broken", double(bodies.size()), 2, "fragments", "something broke", true},
        {"energy", rise(ours, broken, at_break), 1, "%", "with Fracas: rise of the energy within 30 steps of the break"},
        {"phantom", ours.phantom, 0, "pairs", "with Fracas: pairs in contact whose surfaces are more than 0.5 mm apart, mean of all looks"},
    };
    if (!options.brief)
        checks.push_back({"penetration", 0.1 * ours.overlap_mm.back() / broken.radius, 0.5, "% of the radius", "with Fracas: deepest overlap at the end, by the surfaces"});
    print(checks);
    const std::string name = std::string("beside-") + engine.name;
    scene.replay().write(options.out + "/" + name + ".replay", step * film_every);
    theirs_film.write(options.out + "/" + name + "-hulls.replay", step * film_every);
    const Event &event = scene.events().front();
    write_json(options.out + "/" + name + ".json",
               {{"study", "beside"},
                {"title", "The same drop: Fracas beside convex hulls"},
                {"engine", engine.name},
                {"step", step},
                {"steps", steps},
                {"frame_every", film_every},
                {"threads", options.threads},
                {"replay", name + ".replay"},
                {"settings", scene.world().settings()},
                {"events", {{{"step", event.step}, {"body", event.group}, {"fragments", event.fragments}, {"impulse", event.impulse}}}},
                {"series", {{"sides", series}}},
                {"beside", {{"replay", name + "-hulls.replay"}, {"fragments", bodies.size()}, {"sides", sides}}},
                {"checks", as_json(checks)}});
    return checks;
}

} // namespace demo
