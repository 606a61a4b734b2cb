// A heap of fragments in a frame that is short of time: all pairs are queried with a budget of work, and pairs near the camera
// get more of it. What does not suffice for a pair ends its query early, with the best contacts found so far.
#include "../common/must.hpp"
#include "../common/shapes.hpp"

#include <fracas.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

struct Body {
    fracas::Object object;
    fc_pose pose;
};

/// Broken balls that have fallen into each other a little, their pieces shaken.
std::vector<Body> heap() {
    const shapes::Mesh mesh = shapes::ball(0.1f);
    const fracas::Asset asset = must(fracas::Asset::create(mesh.positions, mesh.tets));
    std::vector<Body> bodies;
    for (std::uint64_t ball = 0; ball < 12; ++ball) {
        fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
        how.count = 40;
        how.seed = ball;
        for (fracas::Object &piece : must(fracas::fracture(must(fracas::Object::create(asset)), how))) {
            const double k = static_cast<double>(bodies.size());
            const auto shaken = [&](std::uint64_t at, double turn) {
                return 0.19 * static_cast<double>(at) + 0.002 * std::sin(turn * k);
            };
            bodies.push_back({std::move(piece), fracas::pose_at(shaken(ball % 3, 1), shaken(ball / 3 % 2, 2), shaken(ball / 6, 3))});
        }
    }
    return bodies;
}

/// The broad phase: pairs whose boxes meet; and how important each is: less, the farther it is from the camera.
std::vector<fc_pair> near_pairs(const std::vector<Body> &bodies, const double (&camera)[3], std::vector<float> &weights) {
    std::vector<fc_aabb> boxes;
    for (const Body &body : bodies) boxes.push_back(must(body.object.bounds(body.pose)));
    std::vector<fc_pair> pairs;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = i + 1; j < bodies.size(); ++j) {
            double squared = 0;
            bool meet = true;
            for (int k = 0; k < 3; ++k) {
                const double low = std::max(boxes[i].min[k], boxes[j].min[k]), high = std::min(boxes[i].max[k], boxes[j].max[k]);
                meet &= low <= high;
                squared += (0.5 * (low + high) - camera[k]) * (0.5 * (low + high) - camera[k]);
            }
            if (!meet) continue;
            pairs.push_back({bodies[i].object.get(), bodies[j].object.get(), bodies[i].pose, bodies[j].pose});
            weights.push_back(static_cast<float>(1 / std::sqrt(squared)));
        }
    return pairs;
}

} // namespace

int main() {
    const std::vector<Body> bodies = heap();
    const double camera[3] = {-0.3, -0.3, 0.1};
    std::vector<float> weights;
    const std::vector<fc_pair> pairs = near_pairs(bodies, camera, weights);
    std::vector<float> sorted = weights;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(3 * sorted.size() / 4), sorted.end());
    const float near = sorted[3 * sorted.size() / 4]; // the nearest quarter of the pairs
    std::printf("%zu fragments, %zu pairs\n\n", bodies.size(), pairs.size());
    std::printf("    budget      work  microseconds  contacts  interrupted  near the camera\n");

    std::vector<fc_contact> contacts(64 * pairs.size());
    std::vector<std::uint32_t> offsets(pairs.size() + 1);
    std::vector<fc_status> statuses(pairs.size());
    fc_query_desc desc = fracas::query_desc();
    desc.flags = FC_QUERY_TIMED;
    desc.max_per_normal = 4;
    desc.weights = weights.data(); // as long as the pairs; only their ratios count
    std::uint64_t needed = 0;
    std::uint32_t last = 0;
    for (const double share : {0.0, 4.0, 2.0, 1.0, 0.5, 0.25, 0.1}) { // of what is needed; 0: no limit
        desc.budget = static_cast<std::uint32_t>(share * static_cast<double>(needed));
        std::uint64_t nanoseconds = UINT64_MAX;
        fc_query_stats stats{};
        for (int time = 0; time < 3; ++time) { // the best of three
            if (fracas::query_pairs(pairs, contacts, offsets, statuses, &desc) < 0) return std::puts(fracas::last_error()), 1;
            stats = fracas::query_stats();
            nanoseconds = std::min(nanoseconds, stats.nanoseconds);
        }
        if (desc.budget == 0) needed = stats.work;
        std::size_t interrupted_near = 0;
        for (std::size_t k = 0; k < pairs.size(); ++k) interrupted_near += statuses[k] == FC_INTERRUPTED && weights[k] >= near;
        std::printf("%10u %9llu %13.0f %9u %12u %16zu\n", desc.budget, static_cast<unsigned long long>(stats.work),
                    1e-3 * static_cast<double>(nanoseconds), offsets.back(), stats.interrupted, interrupted_near);
        // Every pair takes one unit at least. A pair that was interrupted may touch or not: its contacts mean "maybe".
        if (desc.budget > 0 && stats.work > std::max<std::uint64_t>(desc.budget, pairs.size())) return std::puts("over the budget"), 1;
        if (desc.budget == 0 && stats.interrupted > 0) return std::puts("interrupted without a limit"), 1;
        last = stats.interrupted;
    }
    return last > 0 ? 0 : 1;
}
