#include "meshes.hpp"

#include "../common/shapes.hpp"
#include "mass_springs.hpp"

#include <algorithm>
#include <numeric>

namespace {

constexpr double PI = 3.14159265358979323846;

void make_right_handed(Mesh &mesh) {
    for (std::size_t t = 0; t < mesh.corners.size(); t += 4) {
        const auto at = [&](int k) { return mesh.positions[mesh.corners[t + k]]; };
        if (tet_volume(at(0), at(1), at(2), at(3)) < 0) std::swap(mesh.corners[t + 2], mesh.corners[t + 3]);
    }
}

} // namespace

Mesh torus(double ring_radius, double tube_radius, std::uint32_t n, std::uint32_t around) {
    Mesh mesh;
    const std::uint32_t side = n + 1;
    for (std::uint32_t section = 0; section < around; ++section)
        for (std::uint32_t k = 0; k < side * side; ++k) {
            double x = 2.0 * (k % side) / n - 1, z = 2.0 * (k / side) / n - 1; // of a square, which becomes a disc
            const double far = std::hypot(x, z), bend = far > 0 ? std::max(std::fabs(x), std::fabs(z)) / far : 0;
            x *= tube_radius * bend;
            z *= tube_radius * bend;
            const double angle = 2 * PI * section / around;
            mesh.positions.push_back({(ring_radius + x) * std::cos(angle), (ring_radius + x) * std::sin(angle), z});
        }
    // Six tetrahedra per cell, along the paths from one corner to the opposite one. Diagonals of cross-sections point away
    // from their middle: one that cuts off a corner of the square would be flat on the disc.
    const std::uint32_t paths[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
    for (std::uint32_t cell = 0; cell < n * n * around; ++cell) {
        const std::uint32_t c[3] = {cell % n, cell / n % n, cell / n / n};
        for (const auto &path : paths)
            for (const std::uint32_t corner : path) {
                std::uint32_t at[3];
                for (int k = 0; k < 2; ++k) at[k] = c[k] + ((corner >> k & 1) ^ (2 * c[k] < n ? 1 : 0));
                at[2] = (c[2] + (corner >> 2 & 1)) % around;
                mesh.corners.push_back(at[0] + side * (at[1] + side * at[2]));
            }
    }
    make_right_handed(mesh);
    return mesh;
}

Mesh ellipsoid(const Vec &radii, std::uint32_t n) {
    const shapes::Mesh ball = shapes::ball(1, n);
    Mesh mesh;
    for (std::size_t k = 0; k < ball.positions.size(); k += 3)
        mesh.positions.push_back({radii.x * static_cast<double>(ball.positions[k]), radii.y * static_cast<double>(ball.positions[k + 1]),
                                  radii.z * static_cast<double>(ball.positions[k + 2])});
    mesh.corners = ball.tets;
    make_right_handed(mesh);
    return mesh;
}

Mesh square_of_triangles(double side, std::uint32_t n) {
    Mesh mesh;
    for (std::uint32_t k = 0; k < (n + 1) * (n + 1); ++k)
        mesh.positions.push_back({side * (1.0 * (k % (n + 1)) / n - 0.5), side * (1.0 * (k / (n + 1)) / n - 0.5), 0});
    for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = a + n + 1;
            if ((i + j) % 2 == 0) mesh.corners.insert(mesh.corners.end(), {a, b, c, a, c, d});
            else mesh.corners.insert(mesh.corners.end(), {a, b, d, b, c, d});
        }
    return mesh;
}

Mesh box_triangles(const Vec &low, const Vec &high) {
    Mesh mesh;
    for (int k = 0; k < 8; ++k)
        mesh.positions.push_back({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
    mesh.corners = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    return mesh;
}

Vec placed(const Vec &point, double about_y, double about_z, const Vec &to) {
    const Vec p = {std::cos(about_y) * point.x + std::sin(about_y) * point.z, point.y, std::cos(about_y) * point.z - std::sin(about_y) * point.x};
    return Vec{std::cos(about_z) * p.x - std::sin(about_z) * p.y, std::sin(about_z) * p.x + std::cos(about_z) * p.y, p.z} + to;
}

std::uint32_t count_pieces(const std::vector<std::uint32_t> &corners, std::uint32_t per_simplex, std::uint32_t node_count) {
    std::vector<std::uint32_t> root(node_count);
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](std::uint32_t k) {
        while (root[k] != k) k = root[k] = root[root[k]];
        return k;
    };
    std::vector<bool> is_used(node_count, false);
    for (std::size_t first = 0; first < corners.size(); first += per_simplex)
        for (std::uint32_t k = 0; k < per_simplex; ++k) {
            root[find(corners[first + k])] = find(corners[first]);
            is_used[corners[first + k]] = true;
        }
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < node_count; ++k) count += is_used[k] && find(k) == k ? 1 : 0;
    return count;
}
