#include "surface_distance.hpp"

#include <adapters/common/terrain.hpp>

#include <algorithm>

namespace demo {

using adapter::Pose;
using adapter::Vec;

SurfaceDistance::SurfaceDistance(const fracas::Surface &surface) {
    for (std::size_t k = 0; k + 2 < surface.positions.size(); k += 3)
        vertices_.push_back({surface.positions[k], surface.positions[k + 1], surface.positions[k + 2]});
    low_ = high_ = vertices_.empty() ? Vec{} : vertices_[0];
    for (const Vec &v : vertices_) {
        low_ = {std::min(low_.x, v.x), std::min(low_.y, v.y), std::min(low_.z, v.z)};
        high_ = {std::max(high_.x, v.x), std::max(high_.y, v.y), std::max(high_.z, v.z)};
    }
    for (const fc_triangle &triangle : surface.triangles) {
        Triangle t;
        for (int k = 0; k < 3; ++k) t.corners[k] = vertices_[triangle.corners[k]];
        t.middle = 1.0 / 3 * (t.corners[0] + t.corners[1] + t.corners[2]);
        t.reach = 0;
        for (const Vec &corner : t.corners) t.reach = std::max(t.reach, adapter::length(corner - t.middle));
        triangles_.push_back(t);
    }
}

double SurfaceDistance::operator()(Vec point, double within) const {
    const bool near = point.x >= low_.x - within && point.y >= low_.y - within && point.z >= low_.z - within && point.x <= high_.x + within &&
                      point.y <= high_.y + within && point.z <= high_.z + within;
    if (!near) return HUGE_VAL;
    double least = HUGE_VAL, angle = 0;
    for (const Triangle &t : triangles_) {
        const double far = adapter::length(point - t.middle) - t.reach;
        if (far < 0 || far * far < least) {
            const Vec to = point - adapter::nearest(t.corners, point);
            least = std::min(least, adapter::dot(to, to));
        }
        // Van Oosterom and Strackee: the solid angle of a triangle.
        const Vec a = t.corners[0] - point, b = t.corners[1] - point, c = t.corners[2] - point;
        const double la = adapter::length(a), lb = adapter::length(b), lc = adapter::length(c);
        angle += std::atan2(adapter::dot(a, adapter::cross(b, c)),
                            la * lb * lc + adapter::dot(a, b) * lc + adapter::dot(b, c) * la + adapter::dot(c, a) * lb);
    }
    // Twice the sum is four pi inside.
    return angle > 3.14159265 ? -std::sqrt(least) : std::sqrt(least);
}

double deepest_overlap(const SurfaceDistance &a, const Pose &pose_a, const SurfaceDistance &b, const Pose &pose_b, double within) {
    double most = -HUGE_VAL;
    const auto look = [&](const SurfaceDistance &points, const SurfaceDistance &body, const Pose &there) {
        for (const Vec &v : points.vertices()) most = std::max(most, -body(there * v, within));
    };
    look(a, b, inverse(pose_b) * pose_a);
    look(b, a, inverse(pose_a) * pose_b);
    return most < -within ? -HUGE_VAL : most;
}

} // namespace demo
