// Contacts that a solver can trust in hard cases. Two slabs are pressed into each other beyond the middle: with a memory of the pair they
// are parted to the side that they came from. A shard flies so fast that it is on the other side of a thin plate after one step: the
// sweep finds when it hits, and the query with motions gives the contacts before that. And how far it is to go.
#include "../common/must.hpp"
#include "../common/shapes.hpp"

#include <fracas.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

fracas::Object body(const shapes::Mesh &mesh) {
    return must(fracas::Object::create(must(fracas::Asset::create(mesh.positions, mesh.tets))));
}

/// A slab is pressed down on another one, farther in each step, and then left to the contacts. Returns its height in the end:
/// 0.04 is on top of the other, -0.04 below it.
double pressed(const fracas::Object &slab, fc_pair_memory *memory) {
    fc_query_desc desc = fracas::query_desc();
    desc.memories = memory; // plain data of the pair, zero at first; keep it with your own data of the pair
    fc_pose pose = fracas::pose_at(0, 0, 0.041);
    pose.rotation[2] = std::sin(0.4f);
    pose.rotation[3] = std::cos(0.4f);
    fc_contact contacts[16];
    for (int step = 0; step < 60; ++step) {
        const std::uint32_t found = must(fracas::query_pair(slab, pose, slab, fracas::pose_at(), contacts, &desc));
        if (step < 4) {
            pose.position[2] -= 0.0115; // something heavy
        } else if (found > 0 && contacts[0].depth > 0) {
            for (int k = 0; k < 3; ++k) pose.position[k] += 0.3 * contacts[0].depth * contacts[0].normal[k];
        }
        if (step == 4 || step == 59)
            std::printf("  step %2d: height %6.1f mm, %u contacts%s\n", step, 1e3 * pose.position[2], found,
                        fracas::query_stats().crossed > 0 ? ", crossed" : "");
    }
    return pose.position[2];
}

} // namespace

int main() {
    const fracas::Object slab = body(shapes::box(0.4f, 0.4f, 0.04f)), plate = body(shapes::box(1, 1, 0.02f));
    const fracas::Object shard = body(shapes::box(0.1f, 0.06f, 0.04f, 4));

    std::puts("a slab pressed beyond the middle of another, without a memory of the pair:");
    pressed(slab, nullptr);
    std::puts("and with one:");
    fc_pair_memory memory{};
    const double height = pressed(slab, &memory);

    const double seconds = 1.0 / 60;
    const fc_pose here = fracas::pose_at(), start = fracas::pose_at(0.1, 0.2, 0.9), end = fracas::pose_at(0.1, 0.2, 0.9 - 120 * seconds);
    const fc_sweep_hit hit = must(fracas::sweep_pair(shard, start, end, plate, here, here));
    std::printf("a shard at 120 m/s is %.2f m above a plate of 2 cm, and after the step %.2f m below\n", start.position[2],
                -end.position[2]);
    std::printf("  it hits after %.3f of the step, %.2f ms\n", hit.time, 1e3 * seconds * hit.time);

    const fc_motion motions[2] = {{{0, 0, -120}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}}; // the shard's, the plate's
    fc_query_desc ahead = fracas::query_desc();
    ahead.motions = motions;
    ahead.seconds = static_cast<float>(seconds);
    fc_contact contacts[16];
    const std::uint32_t found = must(fracas::query_pair(shard, start, plate, here, contacts, &ahead));
    if (found == 0) return std::puts("no contact ahead"), 1;
    std::printf("  a query ahead has %u contacts with a gap of %.2f m\n", found, -contacts[0].depth);

    const fc_distance closest = must(fracas::distance_pair(shard, start, plate, here));
    std::printf("  their distance is %.2f m, from (%.2f, %.2f, %.2f)\n", closest.distance, closest.point_a[0], closest.point_a[1],
                closest.point_a[2]);

    const bool is_back = std::fabs(height - 0.04) < 1e-3;
    const bool is_early = hit.time > 0.43 && hit.time <= 0.87 / 2 + 1e-9;
    const bool is_ahead = std::fabs(contacts[0].depth + 0.87f) < 1e-3f && std::fabs(closest.distance - 0.87) < 1e-5;
    return is_back && is_early && is_ahead ? 0 : 1;
}
