// Volume data, such as a scan or a destructible voxel body, collides without a mesh: a tree of cubes is made of its densities, and
// a query gets better with every test until the frame's time is over. What it has reached is kept, and gone on with.
#include "../common/must.hpp"

#include <fracas.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

/// Densities of two balls that are melted together, within a cube of 2 m.
std::vector<float> blob(std::uint32_t cells) {
    std::vector<float> densities;
    const auto at = [&](std::uint32_t cell) { return 2 * (cell + 0.5) / cells - 1; };
    const auto ball = [](double x, double y, double z) { return 0.16 / (x * x + y * y + z * z + 1e-9); };
    for (std::uint32_t z = 0; z < cells; ++z)
        for (std::uint32_t y = 0; y < cells; ++y)
            for (std::uint32_t x = 0; x < cells; ++x) {
                const double field = ball(at(x) - 0.35, at(y), at(z)) + ball(at(x) + 0.35, at(y), at(z));
                densities.push_back(static_cast<float>(std::fmin(std::fmax(4 * (field - 0.9), 0), 1)));
            }
    return densities;
}

using Clock = std::chrono::steady_clock;

int32_t is_over(void *deadline) { return Clock::now() >= *static_cast<const Clock::time_point *>(deadline); }

} // namespace

int main() {
    const std::uint32_t cells = 48;
    const std::vector<float> densities = blob(cells);
    fc_voxtree_desc desc = fracas::voxtree_desc();
    desc.densities = densities.data();
    desc.density_count = static_cast<std::uint32_t>(densities.size());
    for (int k = 0; k < 3; ++k) {
        desc.density_size[k] = cells;
        desc.density_origin[k] = -1;
    }
    desc.density_edge = 2.0 / cells;
    const fracas::VoxTree tree = must(fracas::VoxTree::create(desc));
    const fc_voxtree_info info = must(tree.info());
    std::printf("%u cubes in %u levels, %.1f kB\n\n", info.node_count, info.level_count, 1e-3 * static_cast<double>(info.bytes));

    // One blob lies across another. One contact of both, to see how it gets better.
    const fc_pose low = fracas::pose_at(), high{{0, 0, 0.86}, {0, 0, 0.7071068f, 0.7071068f}};
    fc_voxtree_query_desc how = fracas::voxtree_query_desc();
    how.flags = FC_VOXQUERY_UNGROUPED;
    fc_contact contact;
    std::printf("    tests  depth [mm]  normal\n");
    for (const std::uint64_t budget : {1, 10, 100, 1000, 10000, 100000}) {
        how.budget = budget;
        const auto found = tree.query(high, tree, low, fracas::Span<fc_contact>(&contact, 1), &how);
        if (!found || *found == 0 || fracas::query_stats().work > budget) return std::puts("not within the budget"), 1;
        std::printf("%9llu  %10.1f  %.3f %.3f %.3f%s\n", static_cast<unsigned long long>(fracas::query_stats().work),
                    1e3 * contact.depth, contact.normal[0], contact.normal[1], contact.normal[2],
                    found.status() == FC_INTERRUPTED ? "  maybe" : "");
    }

    // Frames of 20 microseconds each: the refinement is kept from one to the next, as long as nothing moves.
    fracas::Refinement refinement(100000);
    Clock::time_point deadline;
    how.budget = 0;
    how.is_over = is_over;
    how.user_data = &deadline;
    int frames = 0;
    while (!refinement.is_done() && frames < 100000) {
        deadline = Clock::now() + std::chrono::microseconds(20);
        must(tree.query(high, tree, low, fracas::Span<fc_contact>(&contact, 1), &how, &refinement));
        ++frames;
    }
    std::printf("\n%d frames of 20 microseconds for all %llu tests\n", frames, static_cast<unsigned long long>(refinement.tests()));
    return refinement.is_done() && contact.normal[2] > 0.99f ? 0 : 1;
}
