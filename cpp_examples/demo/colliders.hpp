// The engine's own colliders for the same fragments, beside ours: what they cost when a body breaks and in every step after,
// and how wrong they are.
#pragma once

#include "run.hpp"

#include <limits>

namespace demo {

/// The narrow phase of an engine without its world: colliders made from surfaces, and how deep pairs of them overlap.
class OwnColliders {
public:
    static constexpr double apart = -std::numeric_limits<double>::infinity();

    virtual ~OwnColliders() = default;
    /// "convex hulls"
    virtual const char *name() const = 0;
    /// Makes a collider of each closed surface.
    virtual void prepare(const std::vector<fracas::Surface> &surfaces) = 0;
    /// How deep the two of a pair overlap at most; negative for a gap of at most `margin`, `apart` if it is wider.
    virtual double deepest(std::uint32_t a, const Pose &pose_a, std::uint32_t b, const Pose &pose_b, double margin) = 0;
};

using MakeColliders = std::unique_ptr<OwnColliders> (*)();
/// Those of an engine; none for engines that have nothing of the kind.
std::vector<MakeColliders> own_colliders(const std::string &engine);

/// Ours, with the same questions.
std::unique_ptr<OwnColliders> fracas_colliders(const std::vector<fc_object> &objects);

/// Pairs of objects whose boxes, each at its pose, are at most `margin` apart.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_in(const std::vector<fc_object> &objects, const std::vector<Pose> &poses, double margin);

/// Compares them on a rabbit in 27 pieces, with smooth and with rough cracks. Writes colliders-<engine>.json.
void compare_colliders(const Engine &engine, Library &library, const RunOptions &options);

} // namespace demo
