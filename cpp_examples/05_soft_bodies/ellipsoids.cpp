// Soft ellipsoids fall on the edge of a wedge, which cuts them in two (Marchal 2004, figure 15): fc_soft_set_tets.
#include "run.hpp"
#include "tearing.hpp"

#include <algorithm>

namespace {

constexpr double EDGE = 0.45, HALF_WIDTH = 0.12, HALF_LENGTH = 0.6; // of the wedge: height, and at its base
constexpr double LIMIT = 30;                                        // N, of the wedge: more cuts
constexpr double REACH = 0.08;                                     // m, of a cut above the edge

/// The plane x = 0 of the edge parts a body's tetrahedra; faces between both sides open one after the other, from below.
struct Target {
    Cutter cutter;
    std::vector<bool> is_left;

    explicit Target(const SoftBody &body) : cutter(body) {}

    void aim(const SoftBody &body) {
        for (std::size_t t = 0; t < body.tets.size(); t += 4) {
            double x = 0;
            for (int k = 0; k < 4; ++k) x += body.points.position[body.tets[t + k]].x;
            is_left.push_back(x < 0);
        }
    }
    std::vector<std::uint32_t> cut(SoftBody &body) {
        for (std::uint32_t t = 0; t < is_left.size(); ++t)
            for (std::uint32_t corner = 0; corner < 4; ++corner) {
                const std::uint32_t other = cutter.across(t, corner);
                if (other == FC_NONE || is_left[t] == is_left[other]) continue;
                double z = 0;
                for (std::uint32_t k = 0; k < 4; ++k)
                    if (k != corner) z += body.points.position[body.tets[4 * t + k]].z / 3;
                if (z < EDGE + REACH) cutter.open(t, corner);
            }
        return cutter.cut(body);
    }
};

} // namespace

Run ellipsoids_scene(bool is_brief) {
    Run run;
    run.name = "ellipsoids";
    run.title = "A wedge cuts ellipsoids";
    run.words = "After figure 15 of Marchal et al. 2004. Faces of tetrahedra near the edge of the wedge open while it pushes hard enough; both halves stay one soft body of the library.";
    Simulator simulator(is_brief ? 1e-3 : 5e-4);
    const double slant = std::hypot(EDGE, HALF_WIDTH);
    const float up = static_cast<float>(HALF_WIDTH / slant), out = static_cast<float>(EDGE / slant), half = static_cast<float>(HALF_LENGTH);
    const float planes[] = {out, 0, up, up * static_cast<float>(EDGE), -out, 0, up, up * static_cast<float>(EDGE), 0, 0, -1, 0, 0, 1, 0, half, 0, -1, 0, half};
    auto wedge = fracas::Hull::create(planes);
    must(static_cast<bool>(wedge));
    simulator.obstacles.push_back({fracas::shape::hull(*wedge), fracas::pose_at(), 0.15});
    Mesh drawn;
    for (const double y : {-HALF_LENGTH, HALF_LENGTH})
        drawn.positions.insert(drawn.positions.end(), {{-HALF_WIDTH, y, 0}, {HALF_WIDTH, y, 0}, {0, y, EDGE}});
    drawn.corners = {0, 1, 2, 3, 5, 4, 0, 2, 5, 0, 5, 3, 1, 4, 5, 1, 5, 2, 0, 3, 4, 0, 4, 1};
    run.film.add_scenery(drawn);

    const Mesh mesh = ellipsoid({0.24, 0.13, 0.13}, is_brief ? 4 : 8);
    const std::vector<Vec> still(mesh.positions.size());
    for (int k = 0; k < 2; ++k) {
        std::vector<Vec> start;
        for (const Vec &p : mesh.positions)
            start.push_back(placed(p, 0, k == 0 ? 0 : 0.6, {0, k == 0 ? -0.32 : 0.3, k == 0 ? 1.3 : 1.5}));
        simulator.bodies.push_back(std::make_unique<SoftBody>(mesh.positions, start, still, mesh.corners, Material::for_step(simulator.step_seconds)));
    }
    std::vector<Target> targets;
    std::vector<std::uint32_t> actors, parts(simulator.bodies.size(), 1);
    for (const auto &body : simulator.bodies) {
        targets.emplace_back(*body);
        actors.push_back(run.film.begin(static_cast<std::uint32_t>(actors.size())));
    }
    run.play(
        simulator, is_brief ? 6.0 : 4.0,
        [&](const StepFigures &) {
            std::vector<double> force(targets.size(), 0);
            for (const Push &push : simulator.pushes())
                if (push.obstacle == 1) force[push.body] += length(push.force);
            for (std::size_t k = 0; k < targets.size(); ++k) {
                SoftBody &body = *simulator.bodies[k];
                if (force[k] > 0 && targets[k].is_left.empty()) targets[k].aim(body);
                if (force[k] < LIMIT) continue;
                const std::vector<std::uint32_t> doubles = targets[k].cut(body);
                for (const std::uint32_t old : doubles) run.film.doubled(actors[k], old);
                if (doubles.empty()) continue;
                const std::uint32_t now = count_pieces(body.tets, 4, body.points.size());
                if (now > parts[k]) run.events.push_back({run.frame(), now});
                parts[k] = now;
            }
        },
        [&] {
            std::uint32_t pieces = 0;
            for (std::size_t k = 0; k < actors.size(); ++k) {
                run.film.add_positions(actors[k], simulator.bodies[k]->points.position);
                pieces += count_pieces(simulator.bodies[k]->tets, 4, simulator.bodies[k]->points.size());
            }
            return pieces;
        });
    for (std::size_t k = 0; k < actors.size(); ++k) run.film.set_triangles(actors[k], simulator.bodies[k]->soft.boundary().take());
    run.checks.push_back({"pieces", static_cast<double>(*std::min_element(parts.begin(), parts.end())), ">=", 2, "", "parts of each ellipsoid, which share no node"});
    return run;
}
