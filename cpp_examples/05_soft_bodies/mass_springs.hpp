// What deforms: points with mass, joined by springs along edges, and by springs that keep volumes. Explicit, and stable by
// construction.
#pragma once

#include "vec.hpp"

#include <array>
#include <cstdint>
#include <vector>

struct Spring {
    std::uint32_t a, b;
    double rest;      // metres
    double stiffness; // N/m
    double damping;   // N s/m
};

/// Keeps the volume of a tetrahedron: springs alone would let it turn inside out.
struct VolumeSpring {
    std::uint32_t nodes[4];
    double rest;      // m³
    double slope;     // m²: change of volume per distance of all nodes, at rest
    double stiffness; // N/m
};

/// Of the springs, not of the meshes: a finer mesh of the same material is softer.
struct Material {
    double density = 1000;   // kg/m³; kg/m² of cloth
    double frequency = 0;    // rad/s, of a point whose neighbours are held. Stable while frequency * step < 1
    double damping = 0.3;    // ratio to critical damping, of such a point
    double drag = 1.2;       // 1/s, of the air

    /// As stiff as is safely stable.
    static Material for_step(double seconds) { return {1000, 0.6 / seconds}; }
};

class MassSprings {
public:
    std::vector<Vec> rest, position, velocity, force;
    std::vector<double> mass; // kg; infinite: pinned
    /// kg: what contacts add to the mass in this step. A contact of stiffness k and damping d adds step² k + step d, the
    /// diagonal of an implicit step, so that no contact is too stiff for the step.
    std::vector<double> contact_mass;
    std::vector<Spring> springs;
    std::vector<VolumeSpring> volume_springs;

    std::uint32_t size() const { return static_cast<std::uint32_t>(position.size()); }
    void add(const Vec &rest_at, const Vec &at, const Vec &speed, double kilograms);
    /// A spring along each edge of these simplices (3 or 4 corners each), and one for the volume of each tetrahedron, in place
    /// of those that there are. Each point gets the same total stiffness per mass, however many springs it has: that bounds
    /// the highest frequency.
    void join(const std::vector<std::uint32_t> &simplices, std::uint32_t corners, const Material &material);

    /// Forces of gravity and springs.
    void pull(double gravity);
    /// Semi-implicit Euler. `drag` is in 1/s. Forces are zero afterwards.
    void move(double step, double drag);

    double kinetic_energy() const;
    /// Of gravity and of springs.
    double potential_energy(double gravity) const;
    /// Square root of twice the kinetic energy per mass.
    double mean_speed() const;
};

/// One sixth of a determinant: positive if right-handed.
inline double tet_volume(const Vec &a, const Vec &b, const Vec &c, const Vec &d) {
    return dot(cross(b - a, c - a), d - a) / 6;
}
