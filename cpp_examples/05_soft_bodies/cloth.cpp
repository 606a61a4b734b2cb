// A heavy ball falls on a cloth and tears it (Marchal 2004, figure 14): triangles against tetrahedra.
#include "run.hpp"
#include "tearing.hpp"

#include <limits>

namespace {

constexpr double SIDE = 1.0, HEIGHT = 0.7; // of the cloth, which is pinned at all four sides
constexpr double LIMIT = 0.6;              // strain

} // namespace

Run cloth_scene(bool is_brief) {
    Run run;
    run.name = "cloth";
    run.title = "A ball tears a cloth";
    run.words = "After figure 14 of Marchal et al. 2004. Edges of the cloth in tetrahedra of the ball are pushed out; where it is stretched too far, it tears.";
    Simulator simulator(is_brief ? 1e-3 : 5e-4);
    auto &cloth = *(simulator.cloth = std::make_unique<Cloth>());
    const std::uint32_t n = is_brief ? 20 : 40;
    const Mesh sheet = square_of_triangles(SIDE, n);
    cloth.triangles = sheet.corners;
    cloth.material = {1.0, 0.75 / simulator.step_seconds, 0.3, 8};
    for (const Vec &p : sheet.positions) {
        const bool is_pinned = std::fabs(p.x) > 0.499 * SIDE || std::fabs(p.y) > 0.499 * SIDE;
        cloth.points.add(p, p + Vec{0, 0, HEIGHT}, {}, is_pinned ? std::numeric_limits<double>::infinity() : cloth.material.density * SIDE * SIDE / (n * n));
    }
    cloth.points.join(cloth.triangles, 3, cloth.material);

    const Mesh mesh = ellipsoid({0.16, 0.16, 0.16}, is_brief ? 6 : 10);
    std::vector<Vec> start, still(mesh.positions.size());
    for (const Vec &p : mesh.positions) start.push_back(p + Vec{0.07, 0.04, HEIGHT + 0.45});
    simulator.bodies.push_back(std::make_unique<SoftBody>(mesh.positions, start, still, mesh.corners, Material::for_step(simulator.step_seconds)));
    const SoftBody &ball = *simulator.bodies[0];

    const std::uint32_t actors[] = {run.film.begin(1), run.film.begin(0)};
    run.film.set_triangles(actors[0], ball.soft.boundary().take());
    std::uint32_t tears = 0;
    const auto pieces = [&] { return count_pieces(cloth.triangles, 3, cloth.points.size()); };
    run.play(
        simulator, is_brief ? 4.0 : 5.0,
        [&](const StepFigures &) {
            const std::vector<std::uint32_t> doubles = tear(cloth, LIMIT);
            for (const std::uint32_t old : doubles) run.film.doubled(actors[1], old);
            if (!doubles.empty() && tears++ == 0) run.events.push_back({run.frame(), pieces()});
        },
        [&] {
            run.film.add_positions(actors[0], ball.points.position);
            run.film.add_positions(actors[1], cloth.points.position);
            return 1 + pieces();
        });
    run.film.set_triangles(actors[1], cloth.triangles);
    double top = 0;
    for (const Vec &p : ball.points.position) top = std::max(top, p.z);
    run.checks.push_back({"tears", static_cast<double>(tears), ">=", 10, "", "vertices of the cloth that were doubled"});
    run.checks.push_back({"fell through", 1000 * top, "<=", 1000 * (HEIGHT - 0.1), "mm", "the top of the ball at the end is below the cloth"});
    return run;
}
