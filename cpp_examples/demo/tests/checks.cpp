// The checks of scenarios must miss what is wrong: each is shown something that it has to miss, and what it has to meet.
//
//     checks_test [engine...]
#include "../checks.hpp"
#include "../colliders.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace demo;

namespace {

int failures = 0;

void expect(bool good, const char *what, double value) {
    if (!good) std::printf("FAIL  %s: %g\n", what, value), ++failures;
}

bool near(double value, double expected) { return std::abs(value - expected) <= 0.01 * std::abs(expected); }

/// With at most this bar.
bool met(double value, double bar) { return Check{"", value, bar, "", ""}.met(); }

void nan_is_missed() {
    expect(!met(NAN, 1), "NaN is not below a bar", NAN);
    expect((!Check{"", NAN, 1, "", "", true}.met()), "NaN is not above a bar", NAN);
    expect(std::isnan(worse(1, NAN)) && std::isnan(worse(NAN, 1)), "NaN is worse than any number", worse(NAN, 1));
    expect(worse(1, 2) == 2 && worse(2, 1) == 2, "the larger is the worse", worse(1, 2));
}

std::vector<Measured> steps(std::initializer_list<double> energies) {
    std::vector<Measured> steps;
    for (const double energy : energies) steps.emplace_back().energy = energy;
    return steps;
}

void rises() {
    const auto event = [](std::uint32_t step, double before) { return std::vector<Event>{{step, 0, 2, 1, before, 0}}; };
    const auto quiet = steps({10, 10, 9, 9, 8});
    double value = rise(quiet, event(1, 10), {});
    expect(value == 0, "no rise", value);
    value = rise(steps({10, 10, 9, 12, 8}), event(1, 10), {});
    expect(near(value, 0.2), "a rise of a fifth", value);
    value = rise(steps({10, 10, 9, 12, 8}), event(1, 10), {0, 3});
    expect(value == 0, "a rise by bodies that were added", value);
    value = rise(steps({10, 10, 9, NAN, 8}), event(1, 10), {});
    expect(!met(value, 0.01), "an energy that is NaN", value);
    value = rise(quiet, {}, {});
    expect(!met(value, 0.01), "a rise after an event that was not", value);
    value = rise(quiet, event(1, -10), {});
    expect(!met(value, 0.01), "a share of a negative energy", value);
}

void spikes() {
    std::vector<Measured> steps(300);
    for (Measured &step : steps) step.detection = 1;
    Spike longest = spike(steps, {});
    expect(std::isnan(longest.milliseconds), "a spike where nothing broke", longest.milliseconds);
    steps[20].update = 2;
    steps[50].update = 3;
    steps[51].detection = 4;
    longest = spike(steps, {{20, 1}, {50, 14}});
    expect(near(longest.milliseconds, 7) && near(longest.share(), 0.5), "a break that takes half as long as hull cooking", longest.share());
    longest = spike(steps, {});
    expect(near(longest.milliseconds, 7) && std::isnan(longest.share()), "an engine without hulls", longest.share());
}

/// Held against the engine's own hulls, a spike can be missed; where there are none, it is no check.
void spikes_have_a_bar(const Engine &engine) {
    const auto met_by = [&](double milliseconds, double cooking) {
        const std::vector<Check> checks = spike_checks({milliseconds, cooking}, engine);
        expect(checks.size() == 1 && std::isfinite(checks[0].bar), "checks of a spike", double(checks.size()));
        return checks.size() == 1 && checks[0].met();
    };
    if (own_colliders(engine.name).empty()) {
        expect(spike_checks({9, NAN}, engine).empty(), "a bar without hulls", 1);
        return;
    }
    expect(met_by(5, 10), "a break in half the time of hull cooking", 0.5);
    expect(!met_by(470, 10), "a break in 47 times the time of hull cooking", 47);
    expect(!met_by(NAN, 10) && !met_by(5, NAN), "a break or hulls that took no time that is known", NAN);
}

/// Far from everything, without gravity.
Tuning floating() {
    Tuning tuning;
    tuning.gravity = {};
    tuning.linear_damping = tuning.angular_damping = 0;
    tuning.sleeping = false;
    tuning.threads = 1;
    return tuning;
}

void spins(const Engine &engine, Library &library) {
    const auto block = [&] { return must(fracas::Object::create(library.block(0.1f, 0.08f, 0.06f, 0.03f))); };
    const double turning = 0.5; // rad/s
    {
        Scene scene(engine, floating(), library, 0.005);
        scene.add(block(), {});
        scene.advance();
        expect(met(speed(scene), 0.01), "a body at rest", speed(scene));
    }
    {
        Scene scene(engine, floating(), library, 0.005);
        const std::uint32_t number = scene.add(block(), {}, {{}, {0, 0, turning}});
        const Piece &piece = scene.pieces().at(number);
        const Pose before = scene.world().pose(piece.body);
        for (int k = 0; k < 20; ++k) scene.advance();
        const double linear = adapter::length(scene.world().motion(piece.body).linear);
        expect(linear < 1e-3, "the centre of a body that turns in place", linear);
        expect(near(speed(scene), turning * std::hypot(0.05, 0.04)) && !met(speed(scene), 0.01), "the corner of a body that turns in place", speed(scene));
        const double moved = farthest_move(piece.outline, before, scene.world().pose(piece.body));
        expect(near(moved, 2 * std::sin(0.05 * turning) * std::hypot(0.05, 0.04)), "the way of its corner", moved);
    }
    {
        Scene scene(engine, floating(), library, 0.005);
        Primitive ball;
        ball.kind = Primitive::Kind::Ball;
        ball.radius = 0.05;
        scene.add(ball, {}, 1, {{}, {0, turning, 0}});
        scene.advance();
        expect(near(speed(scene), turning * 0.05), "the equator of a ball that turns in place", speed(scene));
    }
}

void masses(const Engine &engine, Library &library) {
    Scene scene(engine, floating(), library, 0.005);
    expect(!met(mass_change(scene), 1e-5), "the mass of nothing", mass_change(scene));
    const auto add = [&](double x) { return scene.add(must(fracas::Object::create(library.block(0.1f, 0.08f, 0.06f, 0.03f))), {{x, 0, 0}, {}}); };
    const std::uint32_t first = add(0);
    const double one = scene.mass();
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
    how.count = 6;
    scene.shatter(first, how);
    add(1);
    expect(scene.pieces().size() > 3, "pieces of a broken body and a whole one", double(scene.pieces().size()));
    expect(near(scene.mass_added(), 2 * one), "the mass of all that was added", scene.mass_added());
    expect(met(mass_change(scene), 1e-5), "the mass after a break", mass_change(scene));
}

void places(const Engine &engine, Library &library) {
    Scene scene(engine, floating(), library, 0.005);
    const auto add = [&](double x) { scene.add(must(fracas::Object::create(library.block(0.1f, 0.08f, 0.06f, 0.03f))), {{x, 0, 0}, {}}); };
    add(0);
    add(0.095);
    expect(near(deepest(scene) * scene.pieces().begin()->second.radius, 0.005), "an overlap of 5 mm", deepest(scene));
    add(4);
    expect(near(reach(scene), 4), "a body 4 m away", reach(scene));
}

} // namespace

int main(int count, char **names) {
    nan_is_missed();
    rises();
    spikes();
    Library library("");
    int tried = 0;
    for (const Engine &engine : engines()) {
        const auto named = [&](const char *name) { return std::strcmp(name, engine.name) == 0; };
        if (count > 1 && std::none_of(names + 1, names + count, named)) continue;
        spikes_have_a_bar(engine);
        spins(engine, library);
        masses(engine, library);
        places(engine, library);
        ++tried;
    }
    if (tried == 0) std::printf("FAIL  no engine of that name was built\n");
    else std::printf("%d failed, on %d engines\n", failures, tried);
    return failures > 0 || tried == 0;
}
