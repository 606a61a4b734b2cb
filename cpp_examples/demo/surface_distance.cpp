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
        for (int k = 0; k < 3; ++k)
            if (triangle.corners[k] < triangle.corners[(k + 1) % 3]) edges_.push_back({t.corners[k], t.corners[(k + 1) % 3]}); // closed: the other has it the other way
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

namespace {

/// The distance of two segments (Ericson, 5.1.9).
double apart(const std::array<Vec, 2> &a, const std::array<Vec, 2> &b) {
    const Vec along = a[1] - a[0], other = b[1] - b[0], between = a[0] - b[0];
    const double aa = adapter::dot(along, along), bb = adapter::dot(other, other), ab = adapter::dot(along, other);
    const double a0 = adapter::dot(along, between), b0 = adapter::dot(other, between), flat = aa * bb - ab * ab;
    const auto clamp = [](double t) { return std::min(std::max(t, 0.0), 1.0); };
    double s = flat > 1e-12 * aa * bb ? clamp((ab * b0 - a0 * bb) / flat) : 0;
    double t = bb > 0 ? (ab * s + b0) / bb : 0;
    if (t != clamp(t)) t = clamp(t), s = aa > 0 ? clamp((t * ab - a0) / aa) : 0;
    return adapter::length(between + s * along - t * other);
}

} // namespace

double SurfaceDistance::edges_apart(const SurfaceDistance &other, const Pose &pose, double within) const {
    // Only edges that reach into the other's box.
    struct Box {
        Vec low, high;
        bool meets(const std::array<Vec, 2> &edge) const {
            const auto miss = [](double p, double q, double from, double to) { return std::max(p, q) < from || std::min(p, q) > to; };
            return !miss(edge[0].x, edge[1].x, low.x, high.x) && !miss(edge[0].y, edge[1].y, low.y, high.y) && !miss(edge[0].z, edge[1].z, low.z, high.z);
        }
    };
    const Vec margin{within, within, within};
    const Box here{low_ - margin, high_ + margin};
    std::vector<std::array<Vec, 2>> theirs;
    for (const auto &edge : other.edges_)
        if (const std::array<Vec, 2> moved{pose * edge[0], pose * edge[1]}; here.meets(moved)) theirs.push_back(moved);
    if (theirs.empty()) return within;
    Box there{theirs[0][0], theirs[0][0]};
    for (const auto &edge : theirs)
        for (const Vec &v : edge) {
            there.low = {std::min(there.low.x, v.x), std::min(there.low.y, v.y), std::min(there.low.z, v.z)};
            there.high = {std::max(there.high.x, v.x), std::max(there.high.y, v.y), std::max(there.high.z, v.z)};
        }
    there.low = there.low - margin, there.high = there.high + margin;
    double least = within;
    for (const auto &edge : edges_) {
        if (!there.meets(edge)) continue;
        const Vec middle = 0.5 * (edge[0] + edge[1]);
        const double half = 0.5 * adapter::length(edge[1] - edge[0]);
        for (const auto &their : theirs) {
            const double far = adapter::length(0.5 * (their[0] + their[1]) - middle) - half - 0.5 * adapter::length(their[1] - their[0]);
            if (far < least) least = std::min(least, apart(edge, their));
        }
    }
    return least;
}

double deepest_overlap(const SurfaceDistance &a, const Pose &pose_a, const SurfaceDistance &b, const Pose &pose_b, double within) {
    double most = -HUGE_VAL;
    const auto look = [&](const SurfaceDistance &points, const SurfaceDistance &body, const Pose &there) {
        for (const Vec &v : points.vertices()) most = std::max(most, -body(there * v, within));
    };
    look(a, b, inverse(pose_b) * pose_a);
    look(b, a, inverse(pose_a) * pose_b);
    if (most < 0) most = -a.edges_apart(b, inverse(pose_a) * pose_b, std::min(-most, within * (1 + 1e-6)));
    return most < -within ? -HUGE_VAL : most;
}

} // namespace demo
