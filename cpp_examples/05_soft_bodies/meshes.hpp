// Meshes of the scenes, and how many pieces they are in.
#pragma once

#include "vec.hpp"

#include <cstdint>
#include <vector>

struct Mesh {
    std::vector<Vec> positions;
    std::vector<std::uint32_t> corners; // four per tetrahedron (right-handed), or three per triangle
};

/// A torus around the z axis: rings of n * n squares, bent round, between `around` cross-sections; 6 n² around tetrahedra.
Mesh torus(double ring_radius, double tube_radius, std::uint32_t n, std::uint32_t around);

/// 6 n³ tetrahedra; n is even, so that there are faces in the planes of symmetry.
Mesh ellipsoid(const Vec &radii, std::uint32_t n);

/// n * n squares of two triangles each in the plane z = 0, with diagonals that take turns.
Mesh square_of_triangles(double side, std::uint32_t n);

/// A box from `low` to `high`, as triangles to draw.
Mesh box_triangles(const Vec &low, const Vec &high);

/// Turned about the y axis, then about the z axis, then moved.
Vec placed(const Vec &point, double about_y, double about_z, const Vec &to);

/// Number of parts of a mesh that share no node; nodes of no simplex do not count.
std::uint32_t count_pieces(const std::vector<std::uint32_t> &corners, std::uint32_t per_simplex, std::uint32_t node_count);
