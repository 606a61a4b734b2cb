// How deep two closed surfaces overlap, by brute force over their vertices and triangles: slow, and independent of everything
// that is compared by it.
#pragma once

#include <adapters/common/maths.hpp>

#include <array>
#include <vector>

namespace demo {

class SurfaceDistance {
public:
    explicit SurfaceDistance(const fracas::Surface &surface);
    const std::vector<adapter::Vec> &vertices() const { return vertices_; }
    /// Signed, negative inside; by the nearest triangle and the winding number. `within`: nothing farther is of interest.
    double operator()(adapter::Vec point, double within) const;
    /// The least distance of its edges and those of another, which stands at a pose in its frame; `within` if that is less.
    double edges_apart(const SurfaceDistance &other, const adapter::Pose &pose, double within) const;

private:
    struct Triangle {
        adapter::Vec corners[3], middle;
        double reach;
    };
    std::vector<adapter::Vec> vertices_;
    std::vector<Triangle> triangles_;
    std::vector<std::array<adapter::Vec, 2>> edges_; // each once
    adapter::Vec low_, high_;
};

/// The deepest vertex of one in the other; negative if there is none: how far they are apart, edges included. Minus infinity beyond
/// `within`. Where only edges cross, the overlap is not seen: they are apart by next to nothing.
double deepest_overlap(const SurfaceDistance &a, const adapter::Pose &pose_a, const SurfaceDistance &b, const adapter::Pose &pose_b,
                       double within);

} // namespace demo
