#include "tearing.hpp"

#include <algorithm>
#include <map>
#include <utility>

Cutter::Cutter(const SoftBody &body) : across_(body.tets.size() / 4) {
    std::map<std::array<std::uint32_t, 3>, std::pair<std::uint32_t, std::uint32_t>> faces; // tetrahedron and corner
    for (std::uint32_t tet = 0; tet < across_.size(); ++tet)
        for (std::uint32_t corner = 0; corner < 4; ++corner) {
            across_[tet][corner] = FC_NONE;
            std::array<std::uint32_t, 3> face{};
            for (std::uint32_t k = 0, n = 0; k < 4; ++k)
                if (k != corner) face[n++] = body.tets[4 * tet + k];
            std::sort(face.begin(), face.end());
            const auto [found, is_new] = faces.insert({face, {tet, corner}});
            if (is_new) continue;
            across_[tet][corner] = found->second.first;
            across_[found->second.first][found->second.second] = tet;
        }
}

void Cutter::open(std::uint32_t tet, std::uint32_t corner) {
    const std::uint32_t other = across_[tet][corner];
    if (other == FC_NONE) return;
    across_[tet][corner] = FC_NONE;
    for (std::uint32_t &back : across_[other])
        if (back == tet) back = FC_NONE;
    opened_.push_back(tet);
    opened_.push_back(other);
}

std::vector<std::uint32_t> Cutter::cut(SoftBody &body) {
    std::vector<std::uint32_t> touched, doubles;
    for (const std::uint32_t tet : opened_) touched.insert(touched.end(), &body.tets[4 * tet], &body.tets[4 * tet] + 4);
    opened_.clear();
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    std::vector<std::vector<std::uint32_t>> around(touched.size()); // tetrahedra at each of these nodes
    for (std::uint32_t k = 0; k < body.tets.size(); ++k) {
        const auto at = std::lower_bound(touched.begin(), touched.end(), body.tets[k]);
        if (at != touched.end() && *at == body.tets[k]) around[static_cast<std::size_t>(at - touched.begin())].push_back(k / 4);
    }
    std::map<std::uint32_t, fc_tet_change> changes;
    for (std::size_t n = 0; n < touched.size(); ++n) {
        std::vector<std::uint32_t> left = around[n];
        for (bool is_first = true; !left.empty(); is_first = false) {
            // A part: what is reached through faces that have the node and are closed.
            std::vector<std::uint32_t> part = {left.back()};
            left.pop_back();
            for (std::size_t next = 0; next < part.size(); ++next)
                for (std::uint32_t corner = 0; corner < 4; ++corner) {
                    if (body.tets[4 * part[next] + corner] == touched[n]) continue; // the face does not have the node
                    const auto found = std::find(left.begin(), left.end(), across_[part[next]][corner]);
                    if (found == left.end()) continue;
                    part.push_back(*found);
                    left.erase(found);
                }
            if (is_first) continue;
            const auto made = static_cast<std::uint32_t>(body.points.size() + doubles.size());
            doubles.push_back(touched[n]);
            for (const std::uint32_t tet : part) {
                const std::uint32_t *old = &body.tets[4 * tet];
                fc_tet_change &change = changes.insert({tet, {tet, {old[0], old[1], old[2], old[3]}}}).first->second;
                std::replace(change.nodes, change.nodes + 4, touched[n], made);
            }
        }
    }
    std::vector<fc_tet_change> list;
    for (const auto &[tet, change] : changes) list.push_back(change);
    if (!list.empty()) body.cut(list, doubles);
    return doubles;
}

namespace {

/// From 0 to 1, of the place of an edge at rest.
double chance(const Vec &at) {
    const auto mix = [](std::uint64_t x) { return (x ^ x >> 31) * 0x9E3779B97F4A7C15u; };
    const auto whole = [](double c) { return static_cast<std::uint64_t>(std::llround(1e5 * c)); };
    return static_cast<double>(mix(mix(mix(whole(at.x)) + whole(at.y)) + 1) >> 11) / 9007199254740992.0;
}

/// The triangles of a vertex in parts, which hang together by edges that have it. All are on one side: `of` says which.
std::vector<std::vector<std::uint32_t>> parts_around(const Cloth &cloth, std::uint32_t vertex, const std::vector<bool> &of,
                                                     const std::vector<std::uint32_t> &triangles) {
    std::vector<std::vector<std::uint32_t>> parts;
    std::vector<bool> is_done(triangles.size(), false);
    const auto share_edge = [&](std::uint32_t s, std::uint32_t t) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                if (cloth.triangles[3 * s + i] != vertex && cloth.triangles[3 * s + i] == cloth.triangles[3 * t + j]) return true;
        return false;
    };
    for (std::size_t first = 0; first < triangles.size(); ++first) {
        if (is_done[first]) continue;
        std::vector<std::size_t> part = {first};
        is_done[first] = true;
        for (std::size_t next = 0; next < part.size(); ++next)
            for (std::size_t k = 0; k < triangles.size(); ++k)
                if (!is_done[k] && of[k] == of[first] && share_edge(triangles[part[next]], triangles[k])) {
                    is_done[k] = true;
                    part.push_back(k);
                }
        parts.emplace_back();
        for (const std::size_t k : part) parts.back().push_back(triangles[k]);
    }
    return parts;
}

} // namespace

std::vector<std::uint32_t> tear(Cloth &cloth, double limit) {
    MassSprings &points = cloth.points;
    const Spring *worst = nullptr;
    double most = 1;
    for (const Spring &spring : points.springs) {
        const double strain = length(points.position[spring.b] - points.position[spring.a]) / spring.rest - 1;
        if (strain <= 0.85 * limit) continue;
        const double load = strain / (limit * (0.85 + 0.3 * chance(points.rest[spring.a] + points.rest[spring.b])));
        if (load > most) most = load, worst = &spring;
    }
    if (worst == nullptr) return {};
    const Vec along = points.position[worst->b] - points.position[worst->a];
    for (const std::uint32_t vertex : {worst->a, worst->b}) {
        if (!std::isfinite(points.mass[vertex])) continue; // pinned
        std::vector<std::uint32_t> triangles;
        std::vector<bool> is_beyond; // of the plane through the vertex, across the edge
        for (std::uint32_t t = 0; t < cloth.triangles.size() / 3; ++t) {
            const std::uint32_t *c = &cloth.triangles[3 * t];
            if (c[0] != vertex && c[1] != vertex && c[2] != vertex) continue;
            const Vec middle = points.position[c[0]] + points.position[c[1]] + points.position[c[2]];
            triangles.push_back(t);
            is_beyond.push_back(dot(middle - 3 * points.position[vertex], along) > 0);
        }
        const auto parts = parts_around(cloth, vertex, is_beyond, triangles);
        std::vector<std::uint32_t> doubles;
        const double mass = points.mass[vertex] / static_cast<double>(triangles.size());
        for (std::size_t k = 1; k < parts.size(); ++k) {
            for (const std::uint32_t t : parts[k]) std::replace(&cloth.triangles[3 * t], &cloth.triangles[3 * t] + 3, vertex, points.size());
            points.add(points.rest[vertex], points.position[vertex], points.velocity[vertex], mass * static_cast<double>(parts[k].size()));
            doubles.push_back(vertex);
        }
        if (doubles.empty()) continue;
        points.mass[vertex] = mass * static_cast<double>(parts[0].size());
        points.join(cloth.triangles, 3, cloth.material);
        return doubles;
    }
    return {};
}
