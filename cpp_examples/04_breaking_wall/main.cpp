// A wall that bends before it breaks: a ball hits it, dents it for some frames, and it falls apart into bricks that fly. The
// wall and its bricks are triangle meshes of a scene, moved vertex by vertex; every frame is moved, updated and queried.
#include <fracas.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

struct Mesh {
    std::vector<float> positions;         // three a vertex
    std::vector<std::uint32_t> triangles; // three a triangle, counter-clockwise seen from outside
    std::vector<std::uint32_t> sources;   // parts of a split: the triangle of the wall
};

constexpr std::uint32_t N = 40;                              // squares along a side of the wall
constexpr std::uint32_t LAYER = (N + 1) * (N + 1);           // vertices of its front, and of its back
constexpr std::uint32_t BRICKS = 18;
constexpr float SIZE = 1.0f, THICK = 0.04f, RADIUS = 0.15f; // metres
constexpr float GAP = 0.004f;                                // between the ball and what it dents

/// Ends the program if a call failed, and says why.
void must(bool is_well) {
    if (is_well) return;
    std::printf("%s\n", fracas::last_error());
    std::exit(1);
}

std::uint32_t vertex(std::uint32_t i, std::uint32_t j) { return j * (N + 1) + i; }

/// Which brick of the wall a square is of: rows of four and five.
std::uint32_t brick_at(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t row = 4 * j / N, before[4] = {0, 4, 9, 13};
    return before[row] + (row % 2 == 0 ? 4 * i / N : (4 * i / N + (4 * i % N >= N / 2 ? 1 : 0)));
}

/// The squares of the wall for which `is_in`, front, back, and sides where they end: a closed mesh, with the vertices of the
/// wall. The front looks along +y.
template <class In>
void skin(In is_in, std::vector<std::uint32_t> &triangles, std::vector<std::uint32_t> &sources) {
    const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, std::uint32_t source) {
        // Bricks on both sides of a crack are cut along the same diagonal, or the diagonals would meet.
        const bool other = source == FC_NONE && a > b;
        if (other) triangles.insert(triangles.end(), {a, b, d, b, c, d});
        else triangles.insert(triangles.end(), {a, b, c, a, c, d});
        for (std::uint32_t k = 0; k < 2; ++k) sources.push_back(source == FC_NONE ? FC_NONE : source + k);
    };
    for (std::uint32_t j = 0; j < N; ++j)
        for (std::uint32_t i = 0; i < N; ++i) {
            if (!is_in(i, j)) continue;
            const std::uint32_t c[4] = {vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j)};
            quad(c[0], c[1], c[2], c[3], 4 * (j * N + i));
            quad(c[0] + LAYER, c[3] + LAYER, c[2] + LAYER, c[1] + LAYER, 4 * (j * N + i) + 2);
        }
    for (std::uint32_t j = 0; j < N; ++j)
        for (std::uint32_t i = 0; i < N; ++i) {
            const std::uint32_t c[4] = {vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j)};
            const bool beyond[4] = {i == 0 || !is_in(i - 1, j), j == N - 1 || !is_in(i, j + 1), i == N - 1 || !is_in(i + 1, j),
                                    j == 0 || !is_in(i, j - 1)};
            for (int k = 0; k < 4; ++k)
                if (is_in(i, j) && beyond[k]) quad(c[(k + 1) % 4], c[k], c[k] + LAYER, c[(k + 1) % 4] + LAYER, FC_NONE);
        }
}

Mesh wall() {
    Mesh mesh;
    for (std::uint32_t layer = 0; layer < 2; ++layer)
        for (std::uint32_t k = 0; k < LAYER; ++k)
            for (const float c : {SIZE * (static_cast<float>(k % (N + 1)) / N - 0.5f), layer == 0 ? THICK / 2 : -THICK / 2,
                                  SIZE * (static_cast<float>(k / (N + 1)) / N - 0.5f)})
                mesh.positions.push_back(c);
    skin([](std::uint32_t, std::uint32_t) { return true; }, mesh.triangles, mesh.sources);
    return mesh;
}

Mesh ball() {
    constexpr std::uint32_t rings = 16, sectors = 24;
    Mesh mesh;
    for (std::uint32_t k = 0; k < rings * sectors; ++k) { // no poles: two small holes
        const float polar = 3.1415927f * (static_cast<float>(k / sectors) + 0.5f) / rings;
        const float around = 6.2831855f * static_cast<float>(k % sectors) / sectors;
        const float r = RADIUS * std::sin(polar);
        mesh.positions.insert(mesh.positions.end(), {r * std::cos(around), r * std::sin(around), RADIUS * std::cos(polar)});
    }
    for (std::uint32_t k = 0; k + sectors < rings * sectors; ++k) {
        const std::uint32_t next = k % sectors == sectors - 1 ? k + 1 - sectors : k + 1;
        mesh.triangles.insert(mesh.triangles.end(), {k, k + sectors, next + sectors, k, next + sectors, next});
    }
    return mesh;
}

/// Pushes the wall out of the way of a ball at y.
void dent(Mesh &wall, float y) {
    for (std::uint32_t k = 0; k < LAYER; ++k) {
        const float x = wall.positions[3 * k], z = wall.positions[3 * k + 2], reach = RADIUS + GAP;
        if (x * x + z * z >= reach * reach) continue;
        const float surface = y - std::sqrt(reach * reach - x * x - z * z);
        if (surface >= wall.positions[3 * k + 1]) continue;
        wall.positions[3 * k + 1] = surface;
        wall.positions[3 * (k + LAYER) + 1] = surface - THICK;
    }
}

/// A brick: the vertices of the wall that it uses, numbered anew, with faces along the cracks.
Mesh brick(const Mesh &wall, std::uint32_t number) {
    Mesh mesh;
    skin([&](std::uint32_t i, std::uint32_t j) { return brick_at(i, j) == number; }, mesh.triangles, mesh.sources);
    std::vector<std::uint32_t> place(2 * LAYER, FC_NONE);
    for (std::uint32_t &corner : mesh.triangles) {
        if (place[corner] == FC_NONE) {
            place[corner] = static_cast<std::uint32_t>(mesh.positions.size() / 3);
            mesh.positions.insert(mesh.positions.end(), &wall.positions[3 * corner], &wall.positions[3 * corner] + 3);
        }
        corner = place[corner];
    }
    return mesh;
}

void shift(Mesh &mesh, float x, float y, float z) {
    for (std::size_t k = 0; k < mesh.positions.size(); k += 3) {
        mesh.positions[k] += x;
        mesh.positions[k + 1] += y;
        mesh.positions[k + 2] += z;
    }
}

} // namespace

int main() {
    auto created = fracas::Scene::create();
    must(static_cast<bool>(created));
    fracas::Scene scene = created.take();
    std::vector<Mesh> meshes = {ball(), wall()}; // as the scene has them, in the order of `bodies`
    float y = 0.5f, speed = 0.1f;                // where the ball is, and metres a frame
    shift(meshes[0], 0, y, 0);
    std::vector<fc_body> bodies;
    for (const Mesh &mesh : meshes) bodies.push_back(*scene.add(fracas::body_mesh(mesh.positions, mesh.triangles)));
    must(bodies[1].id != 0 && scene.update() == FC_OK);

    int hit = -1;              // the frame of the impact
    std::size_t unforeseen = 0; // impacts before it, and while the wall gives way
    std::vector<fc_impact> impacts;
    std::printf("frame  triangles  bodies  impacts  first time  update / ms  query / ms\n");
    for (int frame = 0; frame < 14; ++frame) {
        if (hit >= 0 && frame == hit + 4) {
            std::vector<Mesh> pieces;
            std::vector<fc_body_mesh> parts;
            for (std::uint32_t number = 0; number < BRICKS; ++number) pieces.push_back(brick(meshes[1], number));
            for (const Mesh &mesh : pieces) parts.push_back(fracas::body_mesh(mesh.positions, mesh.triangles, mesh.sources));
            const auto broken = scene.split(bodies[1], parts);
            must(static_cast<bool>(broken));
            std::printf("       the wall breaks into %zu bricks\n", broken->size());
            bodies.resize(1);
            meshes.resize(1);
            bodies.insert(bodies.end(), broken->begin(), broken->end());
            meshes.insert(meshes.end(), pieces.begin(), pieces.end());
        }
        // Where everything wants to be at the end of the step.
        shift(meshes[0], 0, -speed, 0);
        y -= speed;
        if (bodies.size() == 2 && hit >= 0) dent(meshes[1], y);
        for (std::size_t k = 1; k < bodies.size() && bodies.size() > 2; ++k) { // bricks fly on, and apart
            const float *first = &meshes[k].positions.front(), *last = &meshes[k].positions.back() - 2;
            shift(meshes[k], 0.05f * (first[0] + last[0]), -1.5f * speed, 0.05f * (first[2] + last[2]));
        }
        for (std::size_t k = 0; k < bodies.size(); ++k) must(scene.move(bodies[k], meshes[k].positions) == FC_OK);
        must(scene.update(FC_UPDATE_CONTINUOUS) == FC_OK && scene.query_continuous(impacts) == FC_OK);
        const auto first = scene.first_impact();
        const fc_scene_info info = *scene.info();
        std::printf("%5d %10u %7u %8zu %11.3f %12.3f %11.3f\n", frame, static_cast<unsigned>(info.triangle_count), info.body_count,
                    impacts.size(), first ? first->time : -1.0, 1e-6 * static_cast<double>(info.update_nanoseconds),
                    1e-6 * static_cast<double>(fracas::scene_stats().nanoseconds));
        if (hit < 0 && first) { // the ball stops where it touches; from there on the wall gives way
            hit = frame;
            shift(meshes[0], 0, speed * static_cast<float>(1 - 0.9 * first->time), 0);
            y += speed * static_cast<float>(1 - 0.9 * first->time);
            speed = 0.02f;
            must(scene.move(bodies[0], meshes[0].positions) == FC_OK && scene.update() == FC_OK);
            if (first->time <= 0 || first->time >= 1 || impacts.size() < 10) return std::puts("not a sensible impact"), 1;
        } else if (bodies.size() == 2) {
            unforeseen += impacts.size();
        }
    }
    if (hit < 0 || unforeseen > 0 || bodies.size() != 1 + BRICKS) return std::puts("not what should have happened"), 1;
    return 0;
}
