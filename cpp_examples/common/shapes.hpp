// Meshes of tetrahedra for the examples. An engine brings its own, from its mesher or its asset pipeline.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace shapes {

struct Mesh {
    std::vector<float> positions;    // three a node
    std::vector<std::uint32_t> tets; // four a tetrahedron
};

/// A lattice of n * n * n cubes over [-1, 1]^3, each cut into six tetrahedra; `place` says where its nodes go. The diagonals
/// point away from the middle, so that the cube may be bent into something round.
template <class Place>
Mesh lattice(std::uint32_t n, Place place) {
    Mesh mesh;
    const std::uint32_t side = n + 1;
    for (std::uint32_t k = 0; k < side * side * side; ++k) {
        const auto at = [&](std::uint32_t layer) { return 2.0f * static_cast<float>(layer) / static_cast<float>(n) - 1.0f; };
        float p[3] = {at(k % side), at(k / side % side), at(k / side / side)};
        place(p);
        mesh.positions.insert(mesh.positions.end(), p, p + 3);
    }
    const std::uint32_t paths[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
    for (std::uint32_t cell = 0; cell < n * n * n; ++cell) {
        const std::uint32_t c[3] = {cell % n, cell / n % n, cell / n / n};
        for (const auto &path : paths)
            for (const std::uint32_t corner : path) {
                std::uint32_t at[3];
                for (int k = 0; k < 3; ++k) at[k] = c[k] + ((corner >> k & 1) ^ (2 * c[k] < n ? 1 : 0));
                mesh.tets.push_back(at[0] + side * (at[1] + side * at[2]));
            }
    }
    return mesh;
}

inline Mesh box(float x, float y, float z, std::uint32_t n = 8) {
    return lattice(n, [=](float *p) { p[0] *= x / 2; p[1] *= y / 2; p[2] *= z / 2; });
}

inline Mesh ball(float radius, std::uint32_t n = 16) {
    return lattice(n, [=](float *p) {
        const float largest = std::fmax(std::fmax(std::fabs(p[0]), std::fabs(p[1])), std::fabs(p[2]));
        const float length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int k = 0; k < 3 && length > 0; ++k) p[k] *= radius * largest / length;
    });
}

} // namespace shapes
