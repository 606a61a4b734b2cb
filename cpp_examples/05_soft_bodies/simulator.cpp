#include "simulator.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

fracas::Span<const double> doubles_of(const std::vector<Vec> &list) { return {list.empty() ? nullptr : &list[0].x, 3 * list.size()}; }

struct Box {
    Vec low, high;

    explicit Box(const MassSprings &points) {
        constexpr double far = std::numeric_limits<double>::max();
        low = {far, far, far};
        high = {-far, -far, -far};
        for (const Vec &p : points.position) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
    }
    bool meets(const Box &o) const {
        return low.x <= o.high.x && o.low.x <= high.x && low.y <= o.high.y && o.low.y <= high.y && low.z <= o.high.z && o.low.z <= high.z;
    }
};

} // namespace

void must(bool is_well) {
    if (is_well) return;
    std::printf("%s\n", fracas::last_error());
    std::exit(1);
}

SoftBody::SoftBody(const std::vector<Vec> &rest, const std::vector<Vec> &now, const std::vector<Vec> &speed,
                   std::vector<std::uint32_t> corners, const Material &of)
    : tets(std::move(corners)), material(of) {
    std::vector<double> mass(rest.size(), 0);
    for (std::size_t t = 0; t < tets.size(); t += 4) {
        const double volume = tet_volume(rest[tets[t]], rest[tets[t + 1]], rest[tets[t + 2]], rest[tets[t + 3]]);
        for (int k = 0; k < 4; ++k) mass[tets[t + k]] += 0.25 * material.density * std::max(volume, 0.0);
    }
    double total = 0;
    for (const double m : mass) total += m;
    // Half of the mass by volume, half of it evenly: no node is so light that it would limit the step.
    for (std::size_t k = 0; k < rest.size(); ++k)
        points.add(rest[k], now[k], speed[k], 0.5 * mass[k] + 0.5 * total / static_cast<double>(rest.size()));
    points.join(tets, 4, material);
    auto created = fracas::Soft::create(doubles_of(now), tets, FC_SOFT_ORIENTED);
    must(static_cast<bool>(created));
    soft = created.take();
}

double SoftBody::volume() const {
    double sum = 0;
    for (std::size_t t = 0; t < tets.size(); t += 4)
        sum += tet_volume(points.position[tets[t]], points.position[tets[t + 1]], points.position[tets[t + 2]], points.position[tets[t + 3]]);
    return sum;
}

void SoftBody::cut(const std::vector<fc_tet_change> &changes, const std::vector<std::uint32_t> &doubles) {
    std::vector<Vec> nodes;
    std::vector<double> copies(points.size(), 1);
    for (const std::uint32_t old : doubles) ++copies[old];
    for (const std::uint32_t old : doubles) {
        nodes.push_back(points.position[old]);
        points.add(points.rest[old], points.position[old], points.velocity[old], points.mass[old] / copies[old]);
    }
    for (std::size_t k = 0; k < copies.size(); ++k) points.mass[k] /= copies[k];
    for (const fc_tet_change &change : changes) std::copy_n(change.nodes, 4, &tets[4 * std::size_t(change.tet)]);
    points.join(tets, 4, material);
    must(soft.set_tets(changes, doubles_of(nodes)) >= FC_OK);
}

Simulator::Simulator(double seconds_per_step) : step_seconds(seconds_per_step) {
    obstacles.push_back({fracas::shape::half_space(0, 0, 1, 0), fracas::pose_at()});
}

StepFigures Simulator::step() {
    const auto start = Clock::now();
    StepFigures figures;
    for (const auto &body : bodies) {
        must(body->soft.set_positions(doubles_of(body->points.position)) >= FC_OK);
        must(body->soft.update() >= FC_OK);
    }
    figures.update_ms = ms_since(start);

    // One query, its time, and what follows from it.
    const auto meet = [&](std::uint32_t body, std::uint32_t obstacle, MassSprings *other, auto query) {
        const auto begin = Clock::now();
        must(query(bodies[body]->soft) >= FC_OK);
        const double ms = ms_since(begin);
        figures.query_ms += ms;
        if (other != nullptr) {
            figures.soft_query_ms += ms;
            figures.tets += fracas::penalty_stats().tets;
        }
        figures.pairs += found_.empty() ? 0 : 1;
        push(body, obstacle, other, figures);
    };
    pushes_.clear();
    fc_penalty_desc desc = fracas::penalty_desc();
    desc.penetrating[0] = desc.penetrating[1] = between;
    std::vector<Box> boxes;
    for (const auto &body : bodies) boxes.emplace_back(body->points);
    for (std::uint32_t k = 0; k < bodies.size(); ++k) {
        for (std::uint32_t o = 0; o < obstacles.size(); ++o)
            if (o > 0 || boxes[k].low.z < 0)
                meet(k, o, nullptr, [&](fracas::Soft &soft) { return soft.query(found_, obstacles[o].shape, obstacles[o].pose); });
        for (std::uint32_t l = k + 1; l < bodies.size(); ++l)
            if (boxes[k].meets(boxes[l]))
                meet(k, FC_NONE, &bodies[l]->points, [&](fracas::Soft &soft) { return soft.query(found_, bodies[l]->soft, &desc); });
        if (cloth && boxes[k].meets(Box(cloth->points)))
            meet(k, FC_NONE, &cloth->points, [&](fracas::Soft &soft) {
                return soft.query(found_, fracas::body_mesh(doubles_of(cloth->points.position), cloth->triangles));
            });
    }

    for (const auto &body : bodies) {
        body->points.pull(gravity);
        body->points.move(step_seconds, body->material.drag);
    }
    if (cloth) {
        cloth->points.pull(gravity);
        cloth->points.move(step_seconds, cloth->material.drag);
        for (std::uint32_t k = 0; k < cloth->points.size(); ++k) // vertices stay above the floor, and stick to it
            if (cloth->points.position[k].z < 0) {
                cloth->points.position[k].z = 0;
                cloth->points.velocity[k] = {};
            }
    }
    figures.total_ms = ms_since(start);
    return figures;
}

/// Acts on the nodes of a soft body and of what it was asked about; `other` is null if that is rigid.
void Simulator::push(std::uint32_t body, std::uint32_t obstacle, MassSprings *other, StepFigures &figures) {
    MassSprings *sides[2] = {&bodies[body]->points, other};
    const double friction = obstacle == FC_NONE ? contact.friction : obstacles[obstacle].friction;
    figures.penalties += found_.size();
    for (const fc_penalty &p : found_) {
        MassSprings *in = sides[p.side], *of = sides[1 - p.side]; // what penetrates, and what is penetrated
        const std::uint32_t corners = p.nodes[1] == FC_NONE ? 1 : 2;
        Vec speed; // of the penetrating feature, relative to the other side
        for (std::uint32_t k = 0; in != nullptr && k < corners; ++k) speed += p.weights[k] * in->velocity[p.nodes[k]];
        for (std::uint32_t k = 0; of != nullptr && k < 4; ++k) speed -= p.tet_weights[k] * of->velocity[p.tet_nodes[k]];

        // Of an edge, its length inside counts, and its mean depth; of a node, the area around it, and its depth.
        const bool is_node = corners == 1;
        const double firmness = (is_node ? contact.pressure : contact.stiffness) * p.weight; // N/m
        const double depth = is_node ? p.load : p.weight > 0 ? p.load / p.weight : 0;
        const Vec out = vec(p.direction);
        const double parting = dot(speed, out), viscosity = firmness * contact.damping;
        const double normal = std::max(firmness * depth - viscosity * parting, 0.0);
        const Vec sliding = speed - parting * out;
        const double fast = length(sliding), brake = std::min(friction * normal, viscosity * fast);
        const Vec force = normal * out - (fast > 0 ? brake / fast : 0.0) * sliding;
        figures.deepest = std::max(figures.deepest, p.depth);
        if (normal <= 0) continue;

        const double firm = step_seconds * (step_seconds * firmness + viscosity); // kg
        for (std::uint32_t k = 0; in != nullptr && k < corners; ++k) {
            in->force[p.nodes[k]] += p.weights[k] * force;
            in->contact_mass[p.nodes[k]] += p.weights[k] * firm;
        }
        for (std::uint32_t k = 0; of != nullptr && k < 4; ++k) {
            of->force[p.tet_nodes[k]] -= p.tet_weights[k] * force;
            of->contact_mass[p.tet_nodes[k]] += p.tet_weights[k] * firm;
        }
        figures.force += length(force);
        pushes_.push_back({body, obstacle, p, force});
    }
}

double Simulator::energy() const {
    double sum = cloth ? cloth->points.kinetic_energy() + cloth->points.potential_energy(gravity) : 0;
    for (const auto &body : bodies) sum += body->points.kinetic_energy() + body->points.potential_energy(gravity);
    return sum;
}

double Simulator::mean_speed() const {
    double most = cloth ? cloth->points.mean_speed() : 0;
    for (const auto &body : bodies) most = std::max(most, body->points.mean_speed());
    return most;
}

double Simulator::lowest() const {
    double z = std::numeric_limits<double>::max();
    for (const auto &body : bodies) z = std::min(z, Box(body->points).low.z);
    return z;
}

bool Simulator::is_finite() const {
    const auto well = [](const MassSprings &points) {
        return std::all_of(points.position.begin(), points.position.end(), [](const Vec &p) { return std::isfinite(p.x + p.y + p.z); });
    };
    return (!cloth || well(cloth->points)) && std::all_of(bodies.begin(), bodies.end(), [&](const auto &body) { return well(body->points); });
}

std::uint64_t Simulator::hash() const {
    std::uint64_t value = 14695981039346656037u; // FNV-1a
    const auto add = [&](const MassSprings &points) {
        for (const Vec &p : points.position)
            for (const double c : {p.x, p.y, p.z}) {
                std::uint64_t bits;
                std::memcpy(&bits, &c, sizeof bits);
                value = (value ^ bits) * 1099511628211u;
            }
    };
    for (const auto &body : bodies) add(body->points);
    if (cloth) add(cloth->points);
    return value;
}
