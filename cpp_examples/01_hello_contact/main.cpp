// Contacts, before and after a break. The part between the marks is the example of the README.
#include "../common/shapes.hpp"

// [readme]
#include <fracas.hpp>
#include <cstdio>

int run(const std::vector<float> &xyz, const std::vector<uint32_t> &tets) {
    // Cooked once, when loading. Three floats a node, four numbers a tetrahedron, kilograms a cubic metre.
    auto asset = fracas::Asset::create(xyz, tets, 1800);
    if (!asset) return std::puts(fracas::last_error()), 1;
    auto brick = fracas::Object::create(*asset); // one for each body of the world; they share the asset

    // In the narrow phase: the best contacts first, normals from the second body towards the first.
    fc_contact contacts[16];
    auto found = fracas::query_shape(*brick, fracas::pose_at(0, 0, 0.0322), fracas::shape::half_space(0, 0, 1, 0),
                                     fracas::pose_at(), contacts);
    std::printf("%u contacts with the floor, the deepest %.1f mm\n", *found, 1e3 * contacts[0].depth);

    // When it breaks: the brick stays as it was, the fragments are new bodies that can break again.
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
    how.count = 8;
    auto pieces = fracas::fracture(*brick, how);
    found = fracas::query_pair((*pieces)[0], fracas::pose_at(-0.001), (*pieces)[1], fracas::pose_at(), contacts);
    std::printf("%zu pieces; the first weighs %.0f g\n", pieces->size(), 1e3 * (*pieces)[0].mass()->mass);
    return *found == 0; // everything is destroyed with its owner
}
// [/readme]

int main() {
    const shapes::Mesh mesh = shapes::box(0.215f, 0.1025f, 0.065f);
    const int status = run(mesh.positions, mesh.tets);
    return status != 0 || fc_live_handles() != 0;
}
