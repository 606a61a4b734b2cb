// The smallest program in C++: breaks a tetrahedron and asks for the contacts of two pieces.
#include <fracas.hpp>

#include <cstdio>

int main() {
    const std::vector<float> xyz = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    auto asset = fracas::Asset::create(xyz, std::vector<uint32_t>{0, 1, 2, 3});
    if (!fc_abi_compatible(FC_ABI_VERSION) || !asset) return std::puts(fracas::last_error()), 1;
    auto body = fracas::Object::create(*asset);
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
    how.count = 4;
    auto pieces = fracas::fracture(*body, how);
    if (!pieces || pieces->size() < 2) return std::puts(fracas::last_error()), 1;
    fc_contact contacts[16];
    auto found = fracas::query_pair((*pieces)[0], fracas::pose_at(), (*pieces)[1], fracas::pose_at(), contacts);
    if (!found) return std::puts(fracas::last_error()), 1;
    std::printf("fracas %s works in C++: %zu pieces\n", fc_version_text(), pieces->size());
}
