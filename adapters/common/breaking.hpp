// When a body breaks, and into how many pieces: a rule for games. Not fracture mechanics; simple, and the same on every run.
//
// A blow is an impulse over the body's cross-section, J / V^(2/3). Above the strength of the material the body breaks about
// the point that was hit, into more pieces the harder the blow. Small pieces are thus tougher than large ones, as J ~ V for
// equal speeds, and nothing turns to dust.
#pragma once

#include "body.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace adapter {

/// How a material breaks.
struct Material {
    /// Impulse over cross-section that it bears, in N s / m^2. For a body of size L and density r that hits the floor at
    /// speed v it is about r L v: 500 breaks a piece of pottery of 10 cm at 2 m/s.
    double strength = 500;
    /// Pieces at a blow just above the strength; twice the blow makes twice as many.
    double pieces = 6;
    /// Never more than this at once.
    std::uint32_t most_pieces = 40;
    /// What is beyond this share of the body's radius from the blow stays whole. 2: all of it breaks.
    double reach = 2;
    /// Of the cracks; see fc_fracture_desc.
    float roughness = 0;
    /// Bodies with less volume than this, in m^3, do not break.
    double smallest = 2e-5;
};

/// What hit a body in one step.
struct Blow {
    /// N s, and which way it pushed the body, in the world.
    Vec impulse;
    /// Where, in the world.
    Vec point;
};

/// The impulse that contacts gave a body in a step, from what its motion was before and after: whatever gravity does not
/// explain. For engines that do not tell the impulses of their contacts.
inline Vec contact_impulse(double mass, Vec before, Vec after, Vec gravity, double seconds) {
    return mass * (after - before - seconds * gravity);
}

/// How to break a body that was hit; nothing if it stands the blow. `seed` chooses the pattern: give each body its own.
std::optional<fc_fracture_desc> broken_by(const Blow &blow, const Material &material, fc_object object, const Pose &pose,
                                          std::uint64_t seed);

/// Breaks an object. Empty if it would not break, or if something failed (fc_last_error says what); the object is as it was.
std::vector<fc_object> fragments_of(fc_object object, const fc_fracture_desc &how);

} // namespace adapter
