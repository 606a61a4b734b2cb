// What every adapter must be able to do, on every engine that was built:
//
//     adapters_test [--long] [--only part-of-a-name] [--brick brick.fracas] [engine...]
//
// One line a case, with its figures. What the engine makes of a contact is held against something that is not the adapter: closed
// forms, and full queries of Fracas with shapes that are made here.
#include "../../common/shapes.hpp"
#include "../outline.hpp"

#include <adapters/common/breaking.hpp>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

using namespace demo;
using adapter::to_fc;
using adapter::turn;
using adapter::vec;

namespace {

constexpr double STEP = 1.0 / 200;
constexpr double PI = 3.14159265358979323846;
/// At rest: metres a second, of the fastest point.
constexpr double SLOW = 0.01;
/// Deepest overlap at rest, as a share of the object's radius.
constexpr double SHALLOW = 0.005;

struct Options {
    bool is_long = false;
    const char *only = "";
    const char *brick = nullptr;
} options;

int cases = 0, failures = 0;

/// Prints a case with its figures; it has failed if it is not `good`.
[[gnu::format(printf, 4, 5)]] void report(const char *engine, const char *name, bool good, const char *format, ...) {
    std::printf("%-6s %-38s %s  ", engine, name, good ? "ok  " : "FAIL");
    va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::printf("\n");
    std::fflush(stdout);
    ++cases;
    failures += !good;
}

/// Ends the program: what follows would mean nothing.
[[noreturn]] void stop(const char *what) {
    std::printf("%s: %s\n", what, fc_last_error());
    std::exit(1);
}

bool wanted(const char *name) { return std::strstr(name, options.only) != nullptr; }

// What is simulated.

fracas::Asset cook(const shapes::Mesh &mesh) {
    fracas::Result<fracas::Asset> asset = fracas::Asset::create(mesh.positions, mesh.tets, 2000);
    if (!asset) stop("cannot cook");
    return asset.take();
}

/// Metres; a box, a ball and a slab to lie on.
constexpr double HALF[3] = {0.05, 0.04, 0.03}, BALL = 0.05, SLAB[3] = {0.2, 0.2, 0.02};

const fracas::Asset &box_asset() {
    static const fracas::Asset asset = cook(shapes::box(2 * HALF[0], 2 * HALF[1], 2 * HALF[2], 6));
    return asset;
}
const fracas::Asset &ball_asset() {
    static const fracas::Asset asset = cook(shapes::ball(BALL, 12));
    return asset;
}
const fracas::Asset &slab_asset() {
    static const fracas::Asset asset = cook(shapes::box(2 * SLAB[0], 2 * SLAB[1], 2 * SLAB[2], 8));
    return asset;
}

/// A world with its bodies, and what their objects and shapes are.
class Scene {
public:
    explicit Scene(const Engine &engine, const Tuning &tuning = resting()) : world(engine.make(tuning, query)) {}

    /// Rest itself is what is looked at, so nothing may sleep over it.
    static Tuning resting() {
        Tuning tuning;
        tuning.sleeping = false;
        return tuning;
    }

    Body add(const fracas::Asset &asset, const Pose &pose, const Motion &motion = {}, bool fixed = false) {
        fracas::Result<fracas::Object> object = fracas::Object::create(asset);
        if (!object) stop("cannot make an object");
        const Body body = world->add(object->get(), pose, motion, fixed);
        objects.push_back({body, object.take(), fixed});
        return body;
    }
    Body add(const Primitive &primitive, const Pose &pose, double mass = 0) {
        const Body body = world->add(primitive, pose, mass);
        plain.push_back({body, primitive, mass > 0});
        return body;
    }
    /// Breaks a body and keeps its fragments; the old object stays, as what is left of the query may still name it.
    std::vector<Body> break_up(Body body, const fc_fracture_desc &how) {
        const auto broken = std::find_if(objects.begin(), objects.end(), [&](const Thing &t) { return t.body == body; });
        if (broken == objects.end()) stop("no object has that body");
        const std::vector<fc_object> fragments = adapter::fragments_of(broken->object.get(), how);
        const std::vector<Body> bodies = world->replace(body, fragments);
        if (bodies.size() != fragments.size()) stop("not every fragment has a body");
        retired.push_back(std::move(broken->object));
        objects.erase(broken);
        for (std::size_t k = 0; k < bodies.size(); ++k) objects.push_back({bodies[k], fracas::Object(fragments[k]), false});
        return bodies;
    }
    void run(double seconds) {
        for (int k = 0; k < static_cast<int>(seconds / STEP + 0.5); ++k) {
            if (query.budget) query.budget->begin_step();
            world->step(STEP);
            if (!query.budget) continue;
            const adapter::Budget::Step step = query.budget->step();
            most_work = std::max(most_work, step.work);
            interrupted += step.interrupted;
        }
    }

    /// Of all moving bodies, the fastest point.
    double speed() const {
        double fastest = 0;
        const auto see = [&](Body body, const Outline &outline, Vec centre) {
            fastest = worse(fastest, fastest_point(outline, centre, world->pose(body), world->motion(body)));
        };
        for (const Thing &thing : objects)
            if (!thing.fixed) see(thing.body, outline_of(thing.object.get()), adapter::inertia_of(thing.object.get()).value().centre);
        for (const Plain &thing : plain)
            if (thing.moves) see(thing.body, outline_of(thing.primitive), {});
        return fastest;
    }
    /// Deepest overlap of any two, as a share of the smaller object's radius. Asked of Fracas, in full.
    double deepest() const;

    struct Thing {
        Body body;
        fracas::Object object;
        bool fixed;
    };
    struct Plain {
        Body body;
        Primitive primitive;
        bool moves;
    };
    adapter::Query query;
    std::unique_ptr<World> world;
    std::vector<Thing> objects;
    std::vector<Plain> plain;
    std::vector<fracas::Object> retired;
    /// With a budget: of a step, and of all together.
    std::uint64_t most_work = 0, interrupted = 0;
};

double radius_of(const fracas::Object &object) {
    const fc_aabb box = *object.bounds();
    return length(vec(box.max) - vec(box.min)) / 2;
}

// Primitives.

Primitive plane() { return {}; }
Primitive box(Vec half) {
    Primitive made;
    made.kind = Primitive::Kind::Box;
    made.half = half;
    return made;
}
Primitive ball(double radius) {
    Primitive made;
    made.kind = Primitive::Kind::Ball;
    made.radius = radius;
    return made;
}
Primitive capsule(double half, double radius) {
    Primitive made;
    made.kind = Primitive::Kind::Capsule;
    made.half.z = half;
    made.radius = radius;
    return made;
}
/// A prism with six sides, about z.
Primitive hull(double radius, double half) {
    Primitive made;
    made.kind = Primitive::Kind::Hull;
    for (int k = 0; k < 6; ++k)
        for (const double z : {-half, half})
            made.points.push_back({radius * std::cos(k * PI / 3), radius * std::sin(k * PI / 3), z});
    return made;
}
/// A valley along x: z = SLOPE |y|. Terrain whose distances are those of two planes.
constexpr double SLOPE = 0.2, VALLEY = 0.5;
constexpr int VALLEY_CELLS = 20;
Primitive valley_field() {
    Primitive made;
    made.kind = Primitive::Kind::HeightField;
    made.columns = made.rows = VALLEY_CELLS + 1;
    made.spacing = 2 * VALLEY / VALLEY_CELLS;
    for (int row = 0; row <= VALLEY_CELLS; ++row)
        for (int column = 0; column <= VALLEY_CELLS; ++column)
            made.heights.push_back(static_cast<float>(SLOPE * std::abs(row * made.spacing - VALLEY)));
    return made;
}
Primitive valley_mesh() {
    const Primitive field = valley_field();
    Primitive made;
    made.kind = Primitive::Kind::Mesh;
    for (std::uint32_t row = 0; row < field.rows; ++row)
        for (std::uint32_t column = 0; column < field.columns; ++column)
            made.points.push_back({column * field.spacing - VALLEY, row * field.spacing - VALLEY,
                                   field.heights[row * field.columns + column]});
    for (std::uint32_t row = 0; row + 1 < field.rows; ++row)
        for (std::uint32_t column = 0; column + 1 < field.columns; ++column) {
            const std::uint32_t a = row * field.columns + column, b = a + 1, c = b + field.columns, d = a + field.columns;
            made.triangles.insert(made.triangles.end(), {a, b, c, a, c, d});
        }
    return made;
}

/// What a primitive is for a query: shapes whose union it is near the objects of a test, all in its frame. Terrain is its two
/// planes, and of the prism only the top is ever touched.
std::vector<fc_shape> shapes_of(const Primitive &primitive) {
    using namespace fracas::shape;
    const auto f = [](double x) { return static_cast<float>(x); };
    const double flat = std::sqrt(1 + SLOPE * SLOPE);
    const double middle = primitive.kind == Primitive::Kind::HeightField ? VALLEY : 0;
    const Vec &h = primitive.half;
    switch (primitive.kind) {
    case Primitive::Kind::Plane: return {half_space(0, 0, 1, 0)};
    case Primitive::Kind::Box: return {fracas::shape::box(f(h.x), f(h.y), f(h.z))};
    case Primitive::Kind::Ball: return {fracas::shape::ball(f(primitive.radius))};
    case Primitive::Kind::Capsule: return {fracas::shape::capsule(f(h.z), f(primitive.radius))};
    case Primitive::Kind::Hull: return {half_space(0, 0, 1, f(primitive.points[1].z))};
    default:
        return {half_space(0, f(-SLOPE), 1, f(-SLOPE * middle / flat)), half_space(0, f(SLOPE), 1, f(SLOPE * middle / flat))};
    }
}

double Scene::deepest() const {
    fc_query_desc full;
    fc_query_desc_default(&full);
    full.mode = FC_MODE_FULL;
    std::vector<fc_contact> contacts(4096);
    double worst = 0;
    const auto see = [&](std::uint32_t count, double radius) {
        for (std::uint32_t k = 0; k < std::min<std::uint32_t>(count, 4096); ++k)
            worst = worse(worst, contacts[k].depth / radius);
    };
    // A query fails if a body is nowhere, for one.
    const auto must = [&](fc_status status) {
        if (status < 0) worst = NAN;
        return status >= 0;
    };
    for (const Thing &a : objects) {
        const fc_pose at = to_fc(world->pose(a.body));
        std::uint32_t count = 0;
        for (const Thing &b : objects) {
            if (b.body <= a.body) continue;
            const fc_pose other = to_fc(world->pose(b.body));
            if (must(fc_query_pair(a.object.get(), &at, b.object.get(), &other, &full, contacts.data(), 4096, &count)))
                see(count, std::min(radius_of(a.object), radius_of(b.object)));
        }
        for (const Plain &b : plain) {
            const fc_pose other = to_fc(world->pose(b.body));
            for (const fc_shape &shape : shapes_of(b.primitive))
                if (must(fc_query_shape(a.object.get(), &at, &shape, &other, &full, contacts.data(), 4096, &count)))
                    see(count, radius_of(a.object));
        }
    }
    return worst;
}

// Cases.

/// An object that falls 5 mm onto something of the engine's own.
void on_primitives(const Engine &engine) {
    struct Ground {
        const char *name;
        Primitive primitive;
        /// So that its top is at z = 0, or its valley.
        Pose pose;
        /// What falls on it stays there.
        bool stable;
    };
    const Ground grounds[] = {
        {"plane", plane(), {}, true},
        {"box", box({0.2, 0.2, 0.05}), {{0, 0, -0.05}, {}}, true},
        {"hull", hull(0.2, 0.05), {{0, 0, -0.05}, {}}, true},
        {"mesh", valley_mesh(), {}, true},
        {"height field", valley_field(), {{-VALLEY, -VALLEY, 0}, {}}, true},
        {"ball", ball(0.1), {{0, 0, -0.1}, {}}, false},
        {"capsule", capsule(0.1, 0.08), {{0, 0, -0.08}, turn({0, 1, 0}, PI / 2)}, false},
    };
    for (const Ground &ground : grounds)
        for (const bool round : {false, true}) {
            const std::string name = std::string("object ") + (round ? "ball" : "box") + " on " + ground.name;
            if (!wanted(name.c_str())) continue;
            Scene scene(engine);
            scene.add(ground.primitive, ground.pose);
            const double up = round ? BALL : HALF[2];
            const bool valley = ground.primitive.kind == Primitive::Kind::Mesh ||
                                ground.primitive.kind == Primitive::Kind::HeightField;
            // Where it comes to rest: a ball touches both sides of a valley, a box stands on two of its edges.
            const double rest = !valley ? up : round ? BALL * std::sqrt(1 + SLOPE * SLOPE) : HALF[2] + SLOPE * HALF[1];
            const Body body = scene.add(round ? ball_asset() : box_asset(), {{0, 0, rest + 0.005}, {}});
            // What is balanced will not stay so; a ball rolls on its facets for a while, on level ground or along the valley.
            scene.run(!ground.stable ? 0.2 : round ? 8 : 3);
            const double speed = scene.speed(), deepest = scene.deepest();
            const double off = std::abs(scene.world->pose(body).position.z - rest) / radius_of(scene.objects[0].object);
            report(engine.name, name.c_str(), speed < SLOW && deepest <= SHALLOW && off <= 2 * SHALLOW,
                   "speed %.1e m/s, deepest %.2f %%, off %.2f %%", speed, 100 * deepest, 100 * off);
        }
}

/// The engine's own bodies that fall 5 mm onto an object, fixed or not.
void primitives_on_objects(const Engine &engine) {
    for (const bool round : {false, true})
        for (const bool fixed : {true, false}) {
            const std::string name =
                std::string("plain ") + (round ? "ball" : "box") + " on " + (fixed ? "a fixed object" : "an object");
            if (!wanted(name.c_str())) continue;
            const double top = 2 * SLAB[2], half = round ? 0.04 : 0.03;
            const auto drop = [&](Scene &scene) {
                scene.add(plane(), {});
                const Body body = scene.add(round ? ball(0.04) : box({0.04, 0.05, 0.03}), {{0.01, 0.02, top + half + 0.005}, {}}, 0.5);
                scene.run(1);
                if (round) scene.world->set_motion(body, {{-0.002, 0, 0}, {0, -0.002 / half, 0}});
                scene.run(2);
                return body;
            };
            Scene scene(engine), own(engine);
            scene.add(slab_asset(), {{0, 0, SLAB[2]}, {}}, {}, fixed);
            const Body body = drop(scene);
            const double deepest = scene.deepest(), off = std::abs(scene.world->pose(body).position.z - top - half);
            double speed = scene.speed();
            // A ball on level ground is balanced nowhere. It is pushed a little and must roll as on a box of the engine's own, where it
            // need not come to rest either: Jolt keeps contacts until a body has moved by 0.1 mm, and then they lie behind
            // the middle of a ball and speed it up.
            if (round) {
                own.add(box({SLAB[0], SLAB[1], SLAB[2]}), {{0, 0, SLAB[2]}, {}}, fixed ? 0 : 8 * SLAB[0] * SLAB[1] * SLAB[2] * 2000);
                drop(own);
                speed = std::abs(speed - own.speed());
            }
            report(engine.name, name.c_str(), speed < (round ? SLOW / 10 : SLOW) && deepest <= SHALLOW && off <= 1e-3,
                   "speed %s%.1e m/s, deepest %.2f %%, off %.2f mm", round ? "off by " : "", speed, 100 * deepest, 1000 * off);
        }
}

void on_objects(const Engine &engine) {
    for (const bool round : {false, true}) {
        const char *name = round ? "object ball on object" : "object box on object";
        if (!wanted(name)) continue;
        Scene scene(engine);
        scene.add(plane(), {});
        scene.add(slab_asset(), {{0, 0, SLAB[2]}, {}});
        const double rest = 2 * SLAB[2] + (round ? BALL : HALF[2]);
        const Body body = scene.add(round ? ball_asset() : box_asset(), {{0.011, 0.017, rest + 0.005}, turn({0, 0, 1}, 0.2)});
        scene.run(3);
        const double speed = scene.speed(), deepest = scene.deepest();
        const double off = std::abs(scene.world->pose(body).position.z - rest) / radius_of(scene.objects[1].object);
        report(engine.name, name, speed < SLOW && deepest <= SHALLOW && off <= 2 * SHALLOW,
               "speed %.1e m/s, deepest %.2f %%, off %.2f %%", speed, 100 * deepest, 100 * off);
    }
}

fracas::Asset load(const char *path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    fracas::Result<fracas::Asset> asset = fracas::Asset::load(bytes);
    if (!asset) stop(path);
    return asset.take();
}

/// Five boxes on each other, not quite aligned; awake all the time. Or ten bricks in bond, as a gable.
void stack(const Engine &engine, bool bricks) {
    const char *name = bricks ? "stack of bricks" : "stack of boxes";
    if (!wanted(name)) return;
    const fracas::Asset loaded = bricks ? load(options.brick) : fracas::Asset();
    const fracas::Asset &asset = bricks ? loaded : box_asset();
    Scene scene(engine);
    scene.add(plane(), {});
    for (int row = 0; bricks && row < 4; ++row)
        for (int k = 0; k < 4 - row; ++k) scene.add(asset, {{0.108 * (2 * k + row), 0, 0.0325 + 0.065 * row}, {}});
    for (int k = 0; !bricks && k < 5; ++k)
        scene.add(asset, {{0.003 * (k % 3), 0.002 * (k % 2), HALF[2] * (2 * k + 1)}, turn({0, 0, 1}, 0.05 * k)});
    scene.run(2);
    std::vector<Pose> before;
    for (const Scene::Thing &thing : scene.objects) before.push_back(scene.world->pose(thing.body));
    const double seconds = options.is_long ? 60 : 3;
    double speed = 0;
    for (double t = 0; t < seconds; t += 0.5) {
        scene.run(0.5);
        speed = worse(speed, scene.speed());
    }
    double drift = 0;
    for (std::size_t k = 0; k < before.size(); ++k)
        drift = worse(drift, farthest_move(outline_of(scene.objects[k].object.get()), before[k], scene.world->pose(scene.objects[k].body)));
    const double deepest = scene.deepest();
    report(engine.name, name, speed < SLOW && deepest <= SHALLOW && drift < 1e-3,
           "speed %.1e m/s, deepest %.2f %%, drift %.3f mm in %.0f s", speed, 100 * deepest, 1000 * drift, seconds);
}

/// The features of every pair's contacts as last queried, and how often they changed. Engines that keep contacts themselves do not ask
/// in every step.
class Features final : public adapter::Observer {
public:
    void queried(fc_object a, fc_object b, const fc_contact *contacts, std::uint32_t count, Vec, std::uint64_t) override {
        std::vector<std::uint32_t> now;
        for (std::uint32_t k = 0; k < count; ++k) now.push_back(contacts[k].feature);
        std::sort(now.begin(), now.end());
        const std::lock_guard<std::mutex> lock(mutex_);
        ++queries;
        const auto [known, is_new] = pairs_.emplace(std::make_pair(a.id, b.id), now);
        if (is_new || known->second == now) return;
        known->second = now;
        ++changes;
    }
    std::uint32_t queries = 0, changes = 0;
    std::size_t contacts() const {
        std::size_t sum = 0;
        for (const auto &[pair, features] : pairs_) sum += features.size();
        return sum;
    }

private:
    std::mutex mutex_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint32_t>> pairs_;
};

/// Bodies at rest, awake, have contacts at the same features for 600 steps.
void same_features(const Engine &engine) {
    for (const bool broken : {false, true}) {
        const char *name = broken ? "same features, blocks of a broken box" : "same features, boxes on each other";
        if (!wanted(name)) continue;
        Features features;
        Scene scene(engine);
        scene.query.observer = &features;
        scene.add(plane(), {});
        Body first = 0;
        for (int k = 0; k < (broken ? 1 : 3); ++k) {
            const Body body = scene.add(box_asset(), {{0.003 * (k % 3), 0.002 * (k % 2), HALF[2] * (2 * k + 1)}, turn({0, 0, 1}, 0.05 * k)});
            if (k == 0) first = body;
        }
        scene.run(1);
        if (broken) {
            fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
            how.count = 8;
            how.roughness = 0.01f;
            scene.break_up(first, how);
        }
        scene.run(7); // blocks creep for some seconds until they lie, on ODE for six
        features.queries = features.changes = 0;
        scene.run(600 * STEP);
        report(engine.name, name, features.changes == 0 && features.contacts() > 3, "%zu contacts, %u queries, %u with other features than before; speed %.1e m/s",
               features.contacts(), features.queries, features.changes, scene.speed());
    }
}

/// Momentum, angular momentum about the origin, and kinetic energy of some bodies.
struct Sums {
    Vec momentum, angular;
    double energy = 0;
};
Sums sums(const Scene &scene) {
    Sums sum;
    for (const Scene::Thing &thing : scene.objects) {
        const adapter::Inertia inertia = adapter::inertia_of(thing.object.get()).value();
        const Pose pose = scene.world->pose(thing.body);
        const Motion motion = scene.world->motion(thing.body);
        const Quat axes = pose.rotation * inertia.axes;
        const Vec w = rotate(inverse(axes), motion.angular), m = inertia.moments;
        const Vec spin = rotate(axes, {m.x * w.x, m.y * w.y, m.z * w.z});
        sum.momentum += inertia.mass * motion.linear;
        sum.angular += inertia.mass * cross(pose * inertia.centre, motion.linear) + spin;
        sum.energy += (inertia.mass * dot(motion.linear, motion.linear) + dot(spin, motion.angular)) / 2;
    }
    return sum;
}

/// Breaks a body that flies and turns, far from everything, without gravity: nothing may change.
void break_in_flight(const Engine &engine) {
    for (const bool turning : {false, true}) {
        const char *name = turning ? "break in flight, turning" : "break in flight";
        if (!wanted(name)) continue;
        Tuning tuning = Scene::resting();
        tuning.gravity = {};
        tuning.linear_damping = tuning.angular_damping = 0;
        Scene scene(engine, tuning);
        const Motion motion{{1, -2, 3}, turning ? Vec{3, -5, 4} : Vec{}};
        const Body body = scene.add(box_asset(), {{0.1, 0.2, 0.3}, turn(adapter::unit({1, 2, 2}), 0.7)}, motion);
        scene.run(0.1);
        const Sums before = sums(scene);
        fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
        how.count = 12;
        how.seed = 5;
        const std::size_t pieces = scene.break_up(body, how).size();
        const auto off = [](Vec a, Vec b) { return length(a - b) / length(b); };
        const Sums at_once = sums(scene);
        const double p = off(at_once.momentum, before.momentum), l = off(at_once.angular, before.angular);
        double most = 0;
        for (int k = 0; k < 30; ++k) {
            scene.world->step(STEP);
            most = worse(most, sums(scene).energy / before.energy - 1);
        }
        const double later = off(sums(scene).momentum, before.momentum);
        report(engine.name, name, pieces > 6 && p < 1e-5 && l < 1e-5 && most < 0.01 && later < 1e-3,
               "%zu pieces, momentum off by %.0e, angular %.0e, after 30 steps %.0e, energy grows by at most %.3f %%", pieces, p,
               l, later, 100 * most);
    }
}

/// Bodies that turn in place are not at rest: their fastest point is that of a corner, or of the equator.
void spin(const Engine &engine) {
    const char *name = "spin is not rest";
    if (!wanted(name)) return;
    Tuning tuning = Scene::resting();
    tuning.gravity = {};
    tuning.linear_damping = tuning.angular_damping = 0;
    const Vec turning{0, 0, 0.5}; // rad/s
    double worst = 0, linear = 0;
    const auto see = [&](const Scene &scene, Body body, double expected) {
        linear = worse(linear, length(scene.world->motion(body).linear));
        worst = worse(worst, std::abs(scene.speed() / expected - 1));
    };
    const double corner = length(turning) * std::hypot(HALF[0], HALF[1]), equator = length(turning) * BALL;
    for (const bool ours : {true, false}) {
        Scene boxes(engine, tuning), balls(engine, tuning);
        const Body box_body = ours ? boxes.add(box_asset(), {}) : boxes.add(box({HALF[0], HALF[1], HALF[2]}), {}, 1);
        const Body ball_body = ours ? balls.add(ball_asset(), {}) : balls.add(ball(BALL), {}, 1);
        boxes.world->set_motion(box_body, {{}, turning});
        balls.world->set_motion(ball_body, {{}, turning});
        boxes.run(0.1), balls.run(0.1);
        see(boxes, box_body, corner);
        see(balls, ball_body, equator);
    }
    report(engine.name, name, worst < 0.01 && linear < SLOW / 10 && corner > SLOW && equator > SLOW,
           "centres %.1e m/s, fastest points %.3f and %.3f m/s, off by %.2f %%", linear, corner, equator, 100 * worst);
}

/// Velocities of free bodies decay as the tuning says, whether they were there before the first step or came later.
void damping(const Engine &engine) {
    const char *name = "damping";
    if (!wanted(name)) return;
    Tuning tuning = Scene::resting();
    tuning.gravity = {};
    tuning.linear_damping = 0.3, tuning.angular_damping = 2;
    Scene scene(engine, tuning);
    const Motion start{{1, 0, 0}, {0, 0, 1}};
    double worst = 0;
    const Body first = scene.add(ball_asset(), {}, start);
    const Body first_plain = scene.add(ball(BALL), {{0, 1, 0}, {}}, 1);
    scene.world->set_motion(first_plain, start);
    scene.run(0.5);
    const Body later = scene.add(ball_asset(), {{0, 2, 0}, {}}, start);
    scene.run(0.5);
    const auto see = [&](Body body, double seconds) {
        const Motion motion = scene.world->motion(body);
        worst = worse(worst, std::abs(length(motion.linear) * std::exp(tuning.linear_damping * seconds) - 1));
        worst = worse(worst, std::abs(length(motion.angular) * std::exp(tuning.angular_damping * seconds) - 1));
    };
    see(first, 1), see(first_plain, 1), see(later, 0.5);
    report(engine.name, name, worst < 0.02, "speeds off by %.2f %%", 100 * worst);
}

/// Breaks a box that lies on the floor into eight blocks, along upright and level planes. They have no reason to move.
void break_at_rest(const Engine &engine) {
    const char *name = "break at rest";
    if (!wanted(name)) return;
    Scene scene(engine);
    scene.add(plane(), {});
    const Body body = scene.add(box_asset(), {{0, 0, HALF[2]}, {}});
    scene.run(1);
    const float planes[] = {1, 0, 0, 0.004f, 0, 1, 0, -0.003f, 0, 0, 1, 0.002f};
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_PLANES);
    how.values = planes;
    how.value_count = 3;
    const std::size_t pieces = scene.break_up(body, how).size();
    std::vector<Vec> before;
    const auto centre = [&](const Scene::Thing &thing) {
        return scene.world->pose(thing.body) * adapter::inertia_of(thing.object.get())->centre;
    };
    for (const Scene::Thing &thing : scene.objects) before.push_back(centre(thing));
    double moved = 0;
    for (int k = 0; k < 400; ++k) {
        scene.world->step(STEP);
        for (std::size_t i = 0; i < before.size(); ++i) moved = worse(moved, length(centre(scene.objects[i]) - before[i]));
    }
    const double speed = scene.speed(), deepest = scene.deepest();
    report(engine.name, name, pieces == 8 && moved < 1e-3 && speed < SLOW && deepest <= SHALLOW,
           "%zu pieces, moved by %.3f mm in 2 s, speed %.1e m/s, deepest %.2f %%", pieces, 1000 * moved, speed, 100 * deepest);
}

/// Bodies fall asleep, and wake when what they lie on breaks or goes.
void sleep_and_wake(const Engine &engine) {
    const char *name = "sleep, and wake at a break";
    if (!wanted(name)) return;
    Tuning tuning;
    Scene scene(engine, tuning);
    scene.add(plane(), {});
    const Body lower = scene.add(slab_asset(), {{0, 0, SLAB[2]}, {}});
    const Body upper = scene.add(box_asset(), {{0.03, 0.02, 2 * SLAB[2] + HALF[2]}, {}});
    double slept = 0;
    while (slept < 10 && !(scene.world->asleep(lower) && scene.world->asleep(upper))) {
        scene.world->step(STEP);
        slept += STEP;
    }
    const bool asleep = scene.world->asleep(lower) && scene.world->asleep(upper);
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
    how.count = 8;
    const std::vector<Body> pieces = scene.break_up(lower, how);
    scene.world->step(STEP);
    const bool awake = !scene.world->asleep(upper);
    scene.run(1);
    const double kept = scene.world->pose(upper).position.z;
    for (const Body piece : pieces) scene.world->remove(piece);
    scene.objects.erase(std::remove_if(scene.objects.begin(), scene.objects.end(),
                                       [&](const Scene::Thing &thing) { return thing.body != upper; }),
                        scene.objects.end());
    scene.run(1);
    const double fell = kept - scene.world->pose(upper).position.z;
    report(engine.name, name, asleep && awake && std::abs(fell - 2 * SLAB[2]) < 2e-3,
           "%s after %.2f s, %s at the break, fell by %.1f of %.1f mm when the pieces went", asleep ? "asleep" : "AWAKE", slept,
           awake ? "awake" : "ASLEEP", 1000 * fell, 2000 * SLAB[2]);
}

/// Rays against closed forms: a turned box, a ball, primitives, the first of two, and none.
void rays(const Engine &engine) {
    const char *name = "rays";
    if (!wanted(name)) return;
    Scene scene(engine);
    const Body ground = scene.add(plane(), {{0, 0, -1}, {}});
    const Pose at{{0.3, 0.1, 0.5}, turn(adapter::unit({1, -1, 0.5}), 0.8)};
    const Body turned = scene.add(box_asset(), at);
    const Body round = scene.add(ball_asset(), {{-0.3, 0, 0.5}, {}});
    const Body plain = scene.add(box({0.1, 0.1, 0.1}), {{0, 0.5, 0.5}, {}});
    const Body plain_ball = scene.add(ball(0.1), {{0, -0.5, 0.5}, {}});
    double worst = 0, worst_normal = 0;
    int wrong = 0, count = 0;
    const auto expect = [&](Vec from, Vec way, Body body, double distance, Vec normal, double within) {
        const std::optional<Hit> hit = scene.world->ray(from, way, 10);
        ++count;
        if (!hit || hit->body != body) {
            ++wrong;
            return;
        }
        // A ball of triangles is a little smaller than the ball.
        worst = worse(worst, std::abs(hit->distance - distance) - within);
        worst_normal = worse(worst_normal, length(hit->normal - normal) - within / BALL * 10);
    };
    for (int k = 0; k < 12; ++k) {
        // At a place on each face of the box, from any side.
        const int axis = k % 3, side = k % 2 == 0 ? 1 : -1;
        double on[3] = {0.3 * HALF[0], -0.4 * HALF[1], 0.2 * HALF[2]}, out[3] = {0, 0, 0};
        on[axis] = side * HALF[axis];
        out[axis] = side;
        const Vec normal = rotate(at.rotation, {out[0], out[1], out[2]}), place = at * Vec{on[0], on[1], on[2]};
        const Vec way = adapter::unit(normal + 0.3 * rotate(at.rotation, {0.3, 0.2 * k, -0.5}));
        expect(place + 0.15 * way, -way, turned, 0.15, normal, 0);
        const Vec dir = adapter::unit({std::sin(2.0 * k), std::cos(3.0 * k), 0.3});
        expect(Vec{-0.3, 0, 0.5} + 0.2 * dir, -dir, round, 0.2 - BALL, dir, 0.02 * BALL);
        expect(Vec{0, -0.5, 0.5} + 0.3 * dir, -dir, plain_ball, 0.2, dir, 0);
    }
    expect({0.01, 0.52, 3}, {0, 0, -1}, plain, 2.4, {0, 0, 1}, 0);
    expect({1, 1, 1}, {0, 0, -1}, ground, 2, {0, 0, 1}, 0);
    expect({-2, 0, 0.5}, {1, 0, 0}, round, 1.7 - BALL, {-1, 0, 0}, 0.02 * BALL);
    const bool misses = !scene.world->ray({1, 1, 1}, {0, 0, 1}, 10) && !scene.world->ray({0.01, 0.52, 3}, {0, 0, -1}, 2.3);
    report(engine.name, name, wrong == 0 && misses && worst < 1e-5 && worst_normal < 1e-3,
           "%d rays, %d met the wrong body, distance off by %.1e m, normal by %.1e%s", count, wrong, worst, worst_normal,
           misses ? "" : ", and one met what is not there");
}

/// Boxes and balls fall into a heap, one breaks; all poses at the end, bit for bit. With a budget, what was done: the most work of a
/// step, and interrupted pairs.
std::vector<double> heap(const Engine &engine, std::uint32_t threads, adapter::Budget *budget = nullptr,
                         std::pair<std::uint64_t, std::uint64_t> *done = nullptr) {
    Tuning tuning;
    tuning.threads = threads;
    Scene scene(engine, tuning);
    scene.query.budget = budget;
    scene.add(plane(), {});
    scene.add(valley_mesh(), {{0, 0, 0.01}, {}});
    Body first = 0;
    for (int k = 0; k < 8; ++k) {
        const Pose pose{{0.02 * (k % 3), 0.03 * (k % 2), 0.1 + 0.11 * k}, turn(adapter::unit({1.0, 0.2 * k, 0.5}), 0.3 * k)};
        const Body body = scene.add(k % 3 == 2 ? ball_asset() : box_asset(), pose);
        if (k == 0) first = body;
    }
    scene.add(ball(0.03), {{0.01, 0.01, 1.2}, {}}, 0.5);
    scene.run(0.5);
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
    how.count = 8;
    scene.break_up(first, how);
    scene.run(1);
    std::vector<double> all;
    for (const Scene::Thing &thing : scene.objects) {
        const Pose pose = scene.world->pose(thing.body);
        const Vec v = scene.world->motion(thing.body).linear;
        all.insert(all.end(), {pose.position.x, pose.position.y, pose.position.z, pose.rotation.x, pose.rotation.y,
                               pose.rotation.z, pose.rotation.w, v.x, v.y, v.z});
    }
    if (done) *done = {scene.most_work, scene.interrupted};
    return all;
}

bool same(const std::vector<double> &a, const std::vector<double> &b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void repeat(const Engine &engine) {
    const char *name = "the same on every run";
    if (!wanted(name)) return;
    const std::vector<double> one = heap(engine, 1), again = heap(engine, 1), two = heap(engine, 2), two_again = heap(engine, 2);
    bool finite = true;
    for (const double x : one) finite = finite && std::isfinite(x);
    const auto words = [](bool is) { return is ? "the same" : "DIFFERENT"; };
    report(engine.name, name, finite && one.size() > 80 && same(one, again) && same(two, two_again) && same(one, two),
           "%zu bodies: 1 thread %s, 2 threads %s, 1 and 2 %s%s", one.size() / 10, words(same(one, again)),
           words(same(two, two_again)), words(same(one, two)), finite ? "" : ", not all finite");
}

/// To count work changes nothing. A budget interrupts queries, is about kept, and gives the same on any number of threads.
void budget(const Engine &engine) {
    const char *name = "a budget for each step";
    if (!wanted(name)) return;
    std::pair<std::uint64_t, std::uint64_t> counted, one, two;
    adapter::Budget no_limit;
    const bool unchanged = same(heap(engine, 1), heap(engine, 1, &no_limit, &counted));
    const auto units = static_cast<std::uint32_t>(counted.first / 2);
    adapter::Budget half(units), again(units);
    const std::vector<double> limited = heap(engine, 1, &half, &one), threads = heap(engine, 2, &again, &two);
    bool is_above = true;
    for (std::size_t k = 2; k < limited.size(); k += 10) is_above = is_above && limited[k] > -HALF[0];
    report(engine.name, name, unchanged && counted.second == 0 && one.second > 0 && one.first <= 3 * units && same(limited, threads) && one == two && is_above,
           "%s if only counted; of %u units at most %u were used, %u pairs were interrupted, 1 and 2 threads %s%s", unchanged ? "the same" : "DIFFERENT",
           units, static_cast<unsigned>(one.first), static_cast<unsigned>(one.second), same(limited, threads) ? "the same" : "DIFFERENT",
           is_above ? "" : ", and a body fell through the ground");
}

/// Adding and removing leaves nothing of Fracas behind.
void nothing_is_left(const Engine &engine) {
    const char *name = "nothing is left behind";
    if (!wanted(name)) return;
    box_asset(), ball_asset(), slab_asset();
    const std::uint32_t before = fc_live_handles();
    heap(engine, 2);
    {
        Scene scene(engine);
        scene.add(hull(0.2, 0.05), {{0, 0, -0.05}, {}});
        scene.add(box_asset(), {{0, 0, HALF[2]}, {}});
        scene.run(0.1);
    }
    const std::uint32_t after = fc_live_handles();
    report(engine.name, name, before == after, "%u handles before, %u after", before, after);
}

} // namespace

int main(int count, char **arguments) {
    std::vector<std::string> names;
    for (int k = 1; k < count; ++k) {
        const std::string argument = arguments[k];
        const bool more = k + 1 < count;
        if (argument == "--long") options.is_long = true;
        else if (argument == "--only" && more) options.only = arguments[++k];
        else if (argument == "--brick" && more) options.brick = arguments[++k];
        else names.push_back(argument);
    }
    for (const std::string &name : names)
        if (std::none_of(engines().begin(), engines().end(), [&](const Engine &e) { return name == e.name; })) {
            std::printf("no engine %s was built; FRACAS_ENGINES names those that are\n", name.c_str());
            return 1;
        }
    for (const Engine &engine : engines()) {
        if (!names.empty() && std::find(names.begin(), names.end(), engine.name) == names.end()) continue;
        std::printf("%s\n", Scene(engine).world->settings().c_str());
        on_primitives(engine);
        primitives_on_objects(engine);
        on_objects(engine);
        stack(engine, false);
        if (options.brick) stack(engine, true);
        same_features(engine);
        spin(engine);
        damping(engine);
        break_in_flight(engine);
        break_at_rest(engine);
        sleep_and_wake(engine);
        rays(engine);
        repeat(engine);
        budget(engine);
        nothing_is_left(engine);
    }
    if (cases == 0) std::printf("no case has \"%s\" in its name\n", options.only);
    if (failures > 0) std::printf("%d cases failed\n", failures);
    return failures > 0 || cases == 0;
}
