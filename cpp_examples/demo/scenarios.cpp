#include "scenarios.hpp"

#include "dice.hpp"

#include <cmath>

namespace demo {

namespace {

void nothing(Scene &) {}

void floor(Scene &scene) { scene.add(Primitive{}, Pose{}); }

/// What runs differ by: a number in [-by, by], and none in the run of the report. `which` tells those of a scenario apart.
double other(const Scene &scene, std::uint32_t which, double by) {
    return scene.variation == 0 ? 0 : Dice(1000 * scene.variation + which)(-by, by);
}

/// The seed of a scenario's dice.
std::uint64_t seed(const Scene &scene, std::uint64_t of_report) { return of_report + 1000 * scene.variation; }

adapter::Material pottery(double strength, double pieces, std::uint32_t most) {
    adapter::Material material;
    material.strength = strength;
    material.pieces = pieces;
    material.most_pieces = most;
    return material;
}

/// A piggy bank falls from the table.
Act piggy_bank(Scene &scene) {
    floor(scene);
    adapter::Material material = pottery(120, 20, 30);
    material.smallest = 1e-3; // breaks once
    scene.add("piggy_bank", {{0, 0, 0.9 + other(scene, 0, 0.1)}, adapter::turn(adapter::unit({1, 0.4, 0}), 0.6 + other(scene, 1, 0.2))},
              {{0.3, 0, 0}, {0.5, 1.5, 0}}, material);
    return nothing;
}

/// 27 rabbits in three batches.
Act rabbits(Scene &scene) {
    floor(scene);
    return [next = 0](Scene &scene) mutable {
        if (next == 3 || scene.time() < 0.8 * next) return;
        Dice dice(seed(scene, 70 + next));
        adapter::Material material = pottery(170, 2.4, 7);
        material.smallest = 2.5e-4;
        for (int k = 0; k < 9; ++k) {
            const Vec at{0.22 * (k % 3 - 1) + dice(-0.02, 0.02), 0.22 * (k / 3 - 1) + dice(-0.02, 0.02), 0.9 + other(scene, next, 0.1) + 0.04 * dice(0, 1)};
            scene.add("rabbit", {at, adapter::turn(dice.way(), dice(0, 1.2))}, {{0, 0, -1}, {dice(-2, 2), dice(-2, 2), dice(-2, 2)}}, material);
        }
        ++next;
    };
}

/// 32 bricks are thrown on the ground.
Act bricks(Scene &scene) {
    floor(scene);
    return [next = 0, dice = Dice(seed(scene, 32))](Scene &scene) mutable {
        for (; next < 32 && scene.time() >= 0.1 * next; ++next) {
            // Round and round, so that none begins in the one before.
            const double round = 2.4 * next;
            const Vec at{0.3 * std::cos(round) + dice(-0.02, 0.02), 0.3 * std::sin(round) + dice(-0.02, 0.02), 0.6 + other(scene, 0, 0.05)};
            adapter::Material material = pottery(150, 1.5, 4);
            material.smallest = 6e-4; // breaks once
            scene.add("brick", {at, adapter::turn(dice.way(), dice(0, 3))},
                      {{dice(-0.5, 0.5), dice(-0.5, 0.5), -1}, {dice(-4, 4), dice(-4, 4), dice(-4, 4)}}, material);
        }
    };
}

/// Four plates on a shelf, and balls.
Act plates(Scene &scene) {
    floor(scene);
    // Four boards over 0.8 m, 25 mm thick; the plates stick out at the front.
    scene.add("shelf", {{0, 0, 0.4}, {}}, {}, {}, true);
    // Walls, so that what rolls stays.
    for (int k = 0; k < 4; ++k) {
        Primitive wall;
        wall.kind = Primitive::Kind::Box;
        wall.half = k < 2 ? Vec{0.02, 1, 0.1} : Vec{1, 0.02, 0.1};
        const double side = k % 2 ? 1 : -1;
        scene.add(wall, {k < 2 ? Vec{side, 0, 0.1} : Vec{0, side, 0.1}, {}});
    }
    adapter::Material material = pottery(25, 5, 11);
    material.smallest = 1.5e-4; // breaks once
    for (int k = 0; k < 4; ++k) {
        const double board = 0.025 / 2 + k * (0.8 - 0.025) / 3;
        scene.add("plate", {{0.04 * (k % 2 ? 1 : -1) + other(scene, k, 0.01), 0.02, board + 0.0125 + 0.003 + 0.001}, {}}, {}, material);
    }
    return [next = 0](Scene &scene) mutable {
        if (next == 4 || scene.time() < 0.5 + 0.6 * next) return;
        const double board = (3 - next) * (0.8 - 0.025) / 3 + 0.0125;
        Primitive ball;
        ball.kind = Primitive::Kind::Ball;
        ball.radius = 0.03;
        scene.add(ball, {{0.03 * (next % 2 ? -1 : 1), 0.7, board + 0.055 + other(scene, 4 + next, 0.005)}, {}}, 0.7, {{0, -5.5, 0.35}, {}});
        ++next;
    };
}

/// Balls roll on for ever otherwise.
void much_damping(Tuning &tuning) { tuning.angular_damping = 5; }

/// Five rabbits, dragged by a spring at the end of which a mouse might be, and broken on the floor.
Act mouse(Scene &scene) {
    floor(scene);
    std::vector<std::uint32_t> rabbits;
    adapter::Material material = pottery(260, 1.8, 4);
    material.smallest = 3e-4;
    for (int k = 0; k < 5; ++k)
        rabbits.push_back(scene.add("rabbit", {{0.25 * (k - 2), 0.1 * (k % 2), 0.08}, adapter::turn({0, 0, 1}, 0.9 * k + other(scene, k, 0.5))}, {}, material));
    return [rabbits](Scene &scene) {
        // Each of the first four is lifted for 0.7 s, swung, and slammed down within 0.2 s.
        const double turn = 1.2, t = scene.time() - 0.8;
        const int k = int(std::floor(t / turn));
        if (t < 0 || k >= 4) return;
        const auto held = scene.pieces().find(rabbits[k]);
        if (held == scene.pieces().end()) return; // broken: the mouse lets go
        const double s = t - k * turn, home = 0.25 * (k - 2);
        const double height = s < 0.7 ? 0.08 + 0.6 * s / 0.7 : 0.68 - 5.0 * (s - 0.7);
        const Vec target{home + 0.15 * std::sin(4 * s), 0.1 * std::sin(6 * s), height};
        const Vec at = scene.centre(held->second), velocity = scene.world().motion(held->second.body).linear;
        const double mass = held->second.mass, rate = 25;
        // A critically damped spring, as stiff as the step bears.
        const Vec force = mass * (rate * rate * (target - at) - 2 * rate * velocity + Vec{0, 0, 9.81});
        if (s < 0.85) scene.push(rabbits[k], at, scene.step_size() * force);
    };
}

/// Bricks on bricks.
Act stack(Scene &scene) {
    floor(scene);
    for (int k = 0; k < 6; ++k)
        scene.add("brick", {{0.004 * (k % 2), 0.003 * (k % 3), 0.0325 + 0.065 * k}, adapter::turn({0, 0, 1}, 0.15 * k + other(scene, k, 0.1))});
    return nothing;
}

/// Masonry: the cracks of the wall are less steep than this friction bears.
void much_friction(Tuning &tuning) { tuning.surface.friction = 0.8; }

/// A wall of rough fragments in rows, a little askew.
Act wall(Scene &scene) {
    floor(scene);
    const std::uint32_t slab =
        scene.add(must(fracas::Object::create(scene.library().block(0.6f, 0.12f, 0.3f, 0.02f))), {{0, 0, 0.15}, {}});
    std::vector<float> seeds;
    Dice dice(seed(scene, 5));
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 5; ++column) {
            seeds.push_back(float(0.12 * (column - 2 + (row % 2 ? 0.1 : -0.1)) + dice(-0.004, 0.004)));
            seeds.push_back(float(dice(-0.004, 0.004)));
            seeds.push_back(float(0.075 * (row - 1.5) + dice(-0.003, 0.003)));
        }
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_VORONOI);
    how.values = seeds.data();
    how.value_count = std::uint32_t(seeds.size() / 3);
    how.roughness = 0.01f;
    how.roughness_seed = 3 + scene.variation;
    scene.shatter(slab, how);
    return nothing;
}

} // namespace

const std::vector<Scenario> &scenarios() {
    static const std::vector<Scenario> all{
        {"piggy_bank", "A piggy bank is dropped", 0.005, 5, 1, piggy_bank, nullptr, 27, false},
        {"rabbits", "27 rabbits are dropped in three batches", 0.005, 8, 0.6, rabbits, nullptr, 166, false},
        {"bricks", "32 bricks against the ground", 0.0025, 7, 0.8, bricks, nullptr, 104, false},
        {"plates", "Four plates on a shelf, smashed by balls", 0.005, 7, 1.2, plates, much_damping, 44, false},
        {"mouse", "Five rabbits, dragged with the mouse", 0.005, 8, 2, mouse, nullptr, 15, false},
        {"stack", "A stack of bricks at rest", 0.005, 60, 2, stack, nullptr, 0, true},
        {"wall", "A wall of rough fragments at rest", 0.005, 60, 1, wall, much_friction, 0, true},
    };
    return all;
}

} // namespace demo
