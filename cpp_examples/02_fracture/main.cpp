// The drop-in flow: a ball falls, hits the floor, breaks where it hits, and the engine goes on with the fragments. The engine
// here is a few lines without a solver; what matters is who is asked what, and when.
//
// 02_fracture [picture.png]: prints the fragments, and draws them pulled apart.
#include "../common/must.hpp"
#include "../common/picture.hpp"
#include "../common/shapes.hpp"

#include <fracas.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

/// What an engine keeps for a body.
struct Body {
    fracas::Object object;
    fc_pose pose;
    double velocity[3];
};

/// Breaks a body at a point of the world. The parts keep its pose, since they keep its frame, and move as it did.
std::vector<Body> broken(const Body &body, const float (&at)[3], const double (&direction)[3]) {
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_IMPACT);
    for (int k = 0; k < 3; ++k) {
        how.impact_point[k] = at[k]; // in the body's frame, which is not turned here
        how.impact_direction[k] = static_cast<float>(direction[k]);
    }
    how.impact_radius = 0.15f;
    how.count = 24;
    how.seed = 8;
    how.roughness = 0.02f;
    fc_fracture_info info;
    fc_fracture_info_default(&info);
    std::vector<Body> parts;
    for (fracas::Object &part : must(fracas::fracture(body.object, how, &info)))
        parts.push_back(Body{std::move(part), body.pose, {body.velocity[0], body.velocity[1], body.velocity[2]}});
    return parts;
}

/// The broad phase: pairs whose boxes meet.
std::vector<fc_pair> near_pairs(const std::vector<Body> &bodies) {
    std::vector<fc_aabb> boxes;
    for (const Body &body : bodies) boxes.push_back(must(body.object.bounds(body.pose)));
    std::vector<fc_pair> pairs;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = i + 1; j < bodies.size(); ++j) {
            bool meet = true;
            for (int k = 0; k < 3; ++k) meet &= boxes[i].min[k] <= boxes[j].max[k] && boxes[j].min[k] <= boxes[i].max[k];
            if (meet) pairs.push_back({bodies[i].object.get(), bodies[j].object.get(), bodies[i].pose, bodies[j].pose});
        }
    return pairs;
}

void print(const std::vector<Body> &bodies, double whole) {
    std::printf("\nfragment   mass / g  share %%      centre of mass / mm  neighbours  crack area / cm2  triangles\n");
    const auto adjacency = must(bodies.front().object.adjacency());
    double total = 0;
    for (std::uint32_t number = 0; number < bodies.size(); ++number) {
        const fc_mass mass = must(bodies[number].object.mass());
        int neighbours = 0;
        double area = 0;
        for (const fc_adjacency &pair : adjacency)
            if (pair.pieces[0] == number || pair.pieces[1] == number) { ++neighbours; area += pair.area; }
        std::printf("%8u %10.2f %8.2f    (%6.1f, %6.1f, %6.1f) %11d %17.2f %10zu\n", number, 1e3 * mass.mass,
                    100 * mass.mass / whole, 1e3 * mass.centre[0], 1e3 * mass.centre[1], 1e3 * mass.centre[2], neighbours,
                    1e4 * area, must(bodies[number].object.surface()).triangles.size());
        total += mass.mass;
    }
    std::printf("Together %.6f kg of %.6f kg.\n", total, whole);
    if (std::fabs(total / whole - 1) > 1e-9) std::exit(1);
}

/// Draws the fragments away from the middle: skin light, cracks in colour.
bool draw_apart(const std::vector<Body> &bodies, double radius, const char *path) {
    const int width = 1200, height = 900;
    Picture picture(width, height);
    const auto unit = [](double x, double y, double z) {
        const double length = std::sqrt(x * x + y * y + z * z);
        return std::vector<double>{x / length, y / length, z / length};
    };
    // Looking from the front, right and below: where it hit.
    const std::vector<double> view = unit(0.75, -1.0, -0.55), right = unit(1.0, 0.75, 0), light = unit(0.35, -0.6, 0.45);
    const std::vector<double> up = {view[1] * right[2] - view[2] * right[1], view[2] * right[0] - view[0] * right[2],
                                    view[0] * right[1] - view[1] * right[0]};
    for (std::size_t number = 0; number < bodies.size(); ++number) {
        const fracas::Surface surface = must(bodies[number].object.surface());
        const fc_mass mass = must(bodies[number].object.mass());
        float tint[3];
        for (int k = 0; k < 3; ++k) {
            const double turn = 6.283185307 * (static_cast<double>(number) * 0.618034 + k / 3.0);
            tint[k] = static_cast<float>(0.58 + 0.34 * std::cos(turn));
        }
        for (const fc_triangle &triangle : surface.triangles) {
            double corner[3][3];
            float p[3][3];
            for (int c = 0; c < 3; ++c) {
                for (int k = 0; k < 3; ++k) corner[c][k] = surface.positions[3 * triangle.corners[c] + k] + 0.55 * mass.centre[k];
                const auto along = [&](const std::vector<double> &axis) {
                    return (axis[0] * corner[c][0] + axis[1] * corner[c][1] + axis[2] * corner[c][2]) / (1.75 * radius);
                };
                p[c][0] = static_cast<float>(width / 2 + along(right) * height / 2);
                p[c][1] = static_cast<float>(height / 2 - along(up) * height / 2);
                p[c][2] = static_cast<float>(along(view));
            }
            double u[3], v[3];
            for (int k = 0; k < 3; ++k) { u[k] = corner[1][k] - corner[0][k]; v[k] = corner[2][k] - corner[0][k]; }
            const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
            const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            const double facing = length > 0 ? (n[0] * light[0] + n[1] * light[1] + n[2] * light[2]) / length : 0;
            const float shade = static_cast<float>(0.35 + 0.65 * std::fmax(facing, 0));
            const float skin[3] = {0.86f, 0.85f, 0.82f};
            float rgb[3];
            for (int k = 0; k < 3; ++k) rgb[k] = shade * (triangle.face == FC_FACE_SKIN ? skin[k] : tint[k]);
            picture.triangle(p, rgb);
        }
    }
    return picture.write(path);
}

double milliseconds() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

} // namespace

int main(int argc, char **argv) {
    const double radius = 0.1, gravity = -9.81, step = 1.0 / 240;
    const shapes::Mesh mesh = shapes::ball(static_cast<float>(radius), 20);
    double start = milliseconds();
    const fracas::Asset asset = must(fracas::Asset::create(mesh.positions, mesh.tets, 2400));
    std::vector<Body> bodies;
    bodies.push_back(Body{must(fracas::Object::create(asset)), fracas::pose_at(0, 0, 1.5), {0, 0, 0}});
    const double whole = must(bodies[0].object.mass()).mass;
    std::printf("A ball of %zu tetrahedra and %.2f kg, cooked in %.0f ms.\n", mesh.tets.size() / 4, whole,
                milliseconds() - start);

    const fc_shape floor = fracas::shape::half_space(0, 0, 1, 0);
    std::vector<fc_contact> contacts(4096);
    for (int frame = 0; bodies.size() == 1; ++frame) {
        Body &ball = bodies[0];
        ball.velocity[2] += gravity * step;
        ball.pose.position[2] += ball.velocity[2] * step;
        const std::uint32_t count = must(fracas::query_shape(ball.object, ball.pose, floor, fracas::pose_at(), contacts));
        if (count == 0) continue;

        // Too hard a blow. Points of contacts are relative to the body's position: here, its frame.
        std::printf("Frame %d: it hits the floor at %.1f m/s.\n", frame, -ball.velocity[2]);
        start = milliseconds();
        std::vector<Body> parts = broken(ball, contacts[0].point, {0, 0, 1});
        std::printf("It breaks into %zu fragments in %.2f ms.\n", parts.size(), milliseconds() - start);
        bodies = std::move(parts); // the ball goes, its fragments come, at the end of the step
    }

    // The next steps, with all pairs at once.
    std::vector<fc_pair> pairs = near_pairs(bodies);
    std::vector<std::uint32_t> offsets(pairs.size() + 1);
    for (const char *pass : {"the first, with all that is prepared then", "the next"}) {
        start = milliseconds();
        if (fracas::query_pairs(pairs, contacts, offsets) != FC_OK) return std::puts(fracas::last_error()), 1;
        std::printf("%zu pairs, %u contacts in %.2f ms (%s).\n", pairs.size(), offsets.back(), milliseconds() - start, pass);
    }
    // Just after the break the fragments touch and do not penetrate.
    float deepest = 0;
    for (std::uint32_t k = 0; k < offsets.back(); ++k) deepest = std::fmax(deepest, contacts[k].depth);
    std::printf("The deepest of them is %.4f mm deep.\n", 1e3 * static_cast<double>(deepest));
    print(bodies, whole);
    if (argc > 1) {
        if (!draw_apart(bodies, radius, argv[1])) return std::printf("%s cannot be written\n", argv[1]), 1;
        std::printf("Picture: %s\n", argv[1]);
    }
    return offsets.back() == 0 || deepest > 1e-6f;
}
