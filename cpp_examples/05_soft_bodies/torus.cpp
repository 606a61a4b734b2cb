// A torus falls on a cube and breaks (Marchal 2004, figure 13): fc_fracture of an object whose tetrahedra deform.
#include "run.hpp"

#include <algorithm>
#include <cmath>

namespace {

constexpr double LIMIT = 3500; // N, of the cube on the torus: more breaks it
constexpr double CUBE = 0.3;   // m

/// A fragment, or the whole: its tetrahedra as a soft body. `positions` and `velocities` are those of the asset's nodes.
std::unique_ptr<SoftBody> body_of(const fracas::Object &object, const std::vector<Vec> &positions, const std::vector<Vec> &velocities,
                                  const Material &material) {
    auto tets = fracas::object_tets(object);
    must(static_cast<bool>(tets));
    std::vector<Vec> rest, now, speed;
    for (const fc_tet_node &node : tets->nodes) {
        Vec at, moving;
        for (int k = 0; k < 4; ++k) {
            if (node.weights[k] == 0) continue;
            at += node.weights[k] * positions[node.nodes[k]];
            moving += node.weights[k] * velocities[node.nodes[k]];
        }
        rest.push_back(vec(node.position));
        now.push_back(at);
        speed.push_back(moving);
    }
    return std::make_unique<SoftBody>(rest, now, speed, std::move(tets->tets), material);
}

/// Where obstacles push a body, in its rest shape: the mean, by force. Returns the force.
double impact(const Simulator &simulator, std::uint32_t obstacle, Vec &point) {
    double total = 0;
    Vec sum;
    for (const Push &push : simulator.pushes()) {
        if (push.obstacle != obstacle) continue;
        const MassSprings &points = simulator.bodies[push.body]->points;
        const fc_penalty &p = push.penalty;
        Vec at;
        if (p.side == 0)
            for (int k = 0; k < (p.nodes[1] == FC_NONE ? 1 : 2); ++k) at += p.weights[k] * points.rest[p.nodes[k]];
        else
            for (int k = 0; k < 4; ++k) at += p.tet_weights[k] * points.rest[p.tet_nodes[k]];
        sum += length(push.force) * at;
        total += length(push.force);
    }
    if (total > 0) point = (1 / total) * sum;
    return total;
}

} // namespace

Run torus_scene(bool is_brief) {
    Run run;
    run.name = "torus";
    run.title = "A torus breaks on a cube";
    run.words = "After figure 13 of Marchal et al. 2004. The torus breaks where the cube pushes hardest; its fragments go on with the positions and velocities of its nodes.";
    const Mesh mesh = is_brief ? torus(0.3, 0.1, 2, 24) : torus(0.3, 0.1, 5, 47);
    std::vector<float> floats;
    for (const Vec &p : mesh.positions)
        for (const double c : {p.x, p.y, p.z}) floats.push_back(static_cast<float>(c));
    auto asset = fracas::Asset::create(floats, mesh.corners);
    must(static_cast<bool>(asset));
    auto object = fracas::Object::create(*asset);
    must(static_cast<bool>(object));

    Simulator simulator(is_brief ? 1e-3 : 5e-4);
    simulator.between = FC_PENETRATING_POINTS; // fragments are finely meshed where they broke
    const Material material = Material::for_step(simulator.step_seconds);
    simulator.obstacles.push_back({fracas::shape::box(CUBE / 2, CUBE / 2, CUBE / 2), fracas::pose_at(0, 0, CUBE / 2)});
    run.film.add_scenery(box_triangles({-CUBE / 2, -CUBE / 2, 0}, {CUBE / 2, CUBE / 2, CUBE}));
    std::vector<Vec> start, still(mesh.positions.size());
    for (const Vec &p : mesh.positions) start.push_back(placed(p, 0.5, 0.3, {0.2, 0.05, 1.1}));
    simulator.bodies.push_back(body_of(*object, start, still, material));
    const double volume = simulator.bodies[0]->volume();

    std::vector<std::uint32_t> actors = {run.film.begin(0)};
    run.film.set_triangles(actors[0], simulator.bodies[0]->soft.boundary().take());
    std::vector<fracas::Object> fragments;
    double together = 0; // volume of the fragments at rest
    run.play(
        simulator, 5.0,
        [&](const StepFigures &) {
            Vec at;
            if (!fragments.empty() || impact(simulator, 1, at) < LIMIT) return;
            fc_fracture_desc desc = fracas::fracture_desc(FC_PATTERN_IMPACT);
            desc.count = is_brief ? 6 : 9;
            desc.seed = 3;
            desc.impact_point[0] = static_cast<float>(at.x);
            desc.impact_point[1] = static_cast<float>(at.y);
            desc.impact_point[2] = static_cast<float>(at.z);
            desc.impact_radius = 2; // all of it
            desc.min_volume_share = 0.01f;
            auto broken = fracas::fracture(*object, desc);
            must(static_cast<bool>(broken));
            fragments = broken.take();

            // Where the nodes of the asset's mesh are now. Those of the whole are nodes of that mesh.
            const MassSprings old = simulator.bodies[0]->points;
            const auto whole = fracas::object_tets(*object);
            must(static_cast<bool>(whole));
            std::vector<Vec> positions(mesh.positions.size()), velocities(mesh.positions.size());
            for (std::uint32_t k = 0; k < old.size(); ++k)
                for (int j = 0; j < 4; ++j)
                    if (whole->nodes[k].weights[j] == 1) {
                        positions[whole->nodes[k].nodes[j]] = old.position[k];
                        velocities[whole->nodes[k].nodes[j]] = old.velocity[k];
                    }
            simulator.bodies.clear();
            run.film.end(actors[0]);
            actors.clear();
            for (const fracas::Object &fragment : fragments) {
                simulator.bodies.push_back(body_of(fragment, positions, velocities, material));
                together += fragment.mass()->volume;
                actors.push_back(run.film.begin(0));
                run.film.set_triangles(actors.back(), simulator.bodies.back()->soft.boundary().take());
            }
            run.events.push_back({run.frame(), static_cast<std::uint32_t>(fragments.size())});
        },
        [&] {
            std::uint32_t pieces = 0;
            for (std::size_t k = 0; k < actors.size(); ++k) {
                const SoftBody &body = *simulator.bodies[k];
                run.film.add_positions(actors[k], body.points.position);
                pieces += count_pieces(body.tets, 4, body.points.size());
            }
            return pieces;
        });
    run.checks.push_back({"pieces", static_cast<double>(run.pieces), ">=", 3, "", "the torus has broken"});
    run.checks.push_back({"volume", std::fabs(together / volume - 1), "<=", 1e-6, "", "the fragments are the torus: relative difference at rest"});
    return run;
}
