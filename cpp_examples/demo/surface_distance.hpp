// How deep two closed surfaces overlap, by brute force over their vertices and triangles: slow, and independent of everything
// that is compared by it. Where only edges cross, nothing is seen.
#pragma once

#include <adapters/common/maths.hpp>

#include <vector>

namespace demo {

class SurfaceDistance {
public:
    explicit SurfaceDistance(const fracas::Surface &surface);
    const std::vector<adapter::Vec> &vertices() const { return vertices_; }
    /// Signed, negative inside; by the nearest triangle and the winding number. `within`: nothing farther is of interest.
    double operator()(adapter::Vec point, double within) const;

private:
    struct Triangle {
        adapter::Vec corners[3], middle;
        double reach;
    };
    std::vector<adapter::Vec> vertices_;
    std::vector<Triangle> triangles_;
    adapter::Vec low_, high_;
};

/// The deepest vertex of one in the other; negative if there is none: how near the nearest is. Minus infinity beyond `within`.
double deepest_overlap(const SurfaceDistance &a, const adapter::Pose &pose_a, const SurfaceDistance &b, const adapter::Pose &pose_b,
                       double within);

} // namespace demo
