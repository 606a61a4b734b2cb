#include "mass_springs.hpp"

#include <algorithm>

namespace {

/// Of a tetrahedron, and how it changes with each of its nodes: a third of the area of the opposite face.
double volume_and_slopes(const VolumeSpring &spring, const std::vector<Vec> &at, Vec (&slopes)[4]) {
    const Vec a = at[spring.nodes[0]], b = at[spring.nodes[1]] - a, c = at[spring.nodes[2]] - a, d = at[spring.nodes[3]] - a;
    slopes[1] = (1.0 / 6) * cross(c, d);
    slopes[2] = (1.0 / 6) * cross(d, b);
    slopes[3] = (1.0 / 6) * cross(b, c);
    slopes[0] = -1.0 * (slopes[1] + slopes[2] + slopes[3]);
    return dot(b, slopes[1]);
}

} // namespace

void MassSprings::add(const Vec &rest_at, const Vec &at, const Vec &speed, double kilograms) {
    rest.push_back(rest_at);
    position.push_back(at);
    velocity.push_back(speed);
    force.push_back({});
    mass.push_back(kilograms);
    contact_mass.push_back(0);
}

void MassSprings::join(const std::vector<std::uint32_t> &simplices, std::uint32_t corners, const Material &material) {
    std::vector<std::array<std::uint32_t, 2>> edges;
    for (std::size_t first = 0; first < simplices.size(); first += corners)
        for (std::uint32_t i = 0; i < corners; ++i)
            for (std::uint32_t j = i + 1; j < corners; ++j) {
                const std::uint32_t a = simplices[first + i], b = simplices[first + j];
                edges.push_back({std::min(a, b), std::max(a, b)});
            }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    std::vector<double> count(size(), 0);
    for (const auto &[a, b] : edges) { ++count[a]; ++count[b]; }
    springs.clear();
    for (const auto &[a, b] : edges) {
        if (!std::isfinite(mass[a]) && !std::isfinite(mass[b])) continue;
        const double share = std::min(mass[a] / count[a], mass[b] / count[b]);
        springs.push_back({a, b, length(rest[a] - rest[b]), material.frequency * material.frequency * share,
                           2 * material.damping * material.frequency * share});
    }

    volume_springs.clear();
    if (corners != 4) return;
    std::fill(count.begin(), count.end(), 0.0);
    for (const std::uint32_t node : simplices) ++count[node];
    for (std::size_t t = 0; t < simplices.size(); t += 4) {
        VolumeSpring spring{};
        std::copy_n(&simplices[t], 4, spring.nodes);
        double share = mass[spring.nodes[0]] / count[spring.nodes[0]], squares = 0;
        Vec slopes[4];
        spring.rest = volume_and_slopes(spring, rest, slopes);
        for (int k = 0; k < 4; ++k) {
            share = std::min(share, mass[spring.nodes[k]] / count[spring.nodes[k]]);
            squares += dot(slopes[k], slopes[k]);
        }
        spring.slope = std::sqrt(squares);
        spring.stiffness = material.frequency * material.frequency * share;
        if (spring.slope > 1e-12) volume_springs.push_back(spring);
    }
}

void MassSprings::pull(double gravity) {
    for (std::uint32_t k = 0; k < size(); ++k)
        if (std::isfinite(mass[k])) force[k].z -= mass[k] * gravity;
    for (const Spring &spring : springs) {
        const Vec along = position[spring.b] - position[spring.a];
        const double now = length(along);
        if (now < 1e-12) continue; // no direction
        const Vec unit = (1 / now) * along;
        const double speed = dot(velocity[spring.b] - velocity[spring.a], unit);
        const Vec f = (spring.stiffness * (now - spring.rest) + spring.damping * speed) * unit;
        force[spring.a] += f;
        force[spring.b] -= f;
    }
    for (const VolumeSpring &spring : volume_springs) {
        Vec slopes[4];
        const double volume = volume_and_slopes(spring, position, slopes);
        double squares = spring.slope * spring.slope;
        for (const Vec &slope : slopes) squares = std::max(squares, dot(slope, slope)); // a tiny one may be stretched many times over
        const double pressure = spring.stiffness * (spring.rest - volume) / squares;
        for (int k = 0; k < 4; ++k) force[spring.nodes[k]] += pressure * slopes[k];
    }
}

void MassSprings::move(double step, double drag) {
    const double kept = 1 / (1 + step * drag);
    for (std::uint32_t k = 0; k < size(); ++k) {
        velocity[k] = kept * (velocity[k] + (step / (mass[k] + contact_mass[k])) * force[k]);
        position[k] += step * velocity[k];
        force[k] = {};
        contact_mass[k] = 0;
    }
}

double MassSprings::kinetic_energy() const {
    double energy = 0;
    for (std::uint32_t k = 0; k < size(); ++k)
        if (std::isfinite(mass[k])) energy += 0.5 * mass[k] * dot(velocity[k], velocity[k]);
    return energy;
}

double MassSprings::potential_energy(double gravity) const {
    double energy = 0;
    for (std::uint32_t k = 0; k < size(); ++k)
        if (std::isfinite(mass[k])) energy += mass[k] * gravity * position[k].z;
    for (const Spring &spring : springs) {
        const double stretch = length(position[spring.b] - position[spring.a]) - spring.rest;
        energy += 0.5 * spring.stiffness * stretch * stretch;
    }
    return energy;
}

double MassSprings::mean_speed() const {
    double total = 0;
    for (const double m : mass)
        if (std::isfinite(m)) total += m;
    return total > 0 ? std::sqrt(2 * kinetic_energy() / total) : 0;
}
