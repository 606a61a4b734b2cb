#include "library.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace demo {

void give_up(const std::string &why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
}

fracas::Surface surface_of(fc_object object) {
    fracas::Object borrowed(object);
    fracas::Result<fracas::Surface> surface = borrowed.surface();
    borrowed.release();
    return must(std::move(surface));
}

const fracas::Asset &Library::operator[](const std::string &name) {
    const auto known = assets_.find(name);
    if (known != assets_.end()) return known->second;
    const std::string path = folder_ + "/" + name + ".fracas";
    std::ifstream file(path, std::ios::binary);
    if (!file) give_up(path + " is not there; make it with: fracas cook --shape " + name + " -o " + path);
    std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    auto asset = fracas::Asset::load({bytes.data(), std::uint32_t(bytes.size())});
    if (!asset) give_up(path + ": " + fracas::last_error());
    return assets_.emplace(name, asset.take()).first->second;
}

const fracas::Asset &Library::block(float x, float y, float z, float edge) {
    const std::string name = std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + " " + std::to_string(edge);
    const auto known = assets_.find(name);
    if (known != assets_.end()) return known->second;
    std::vector<float> corners;
    for (int k = 0; k < 8; ++k)
        for (const float c : {k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z}) corners.push_back(c / 2);
    const std::vector<std::uint32_t> triangles{0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                               2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    fc_asset_desc desc = fracas::asset_desc();
    desc.positions = corners.data();
    desc.node_count = 8;
    desc.triangles = triangles.data();
    desc.triangle_count = 12;
    desc.fill_edge = edge;
    desc.density = 2000;
    return assets_.emplace(name, must(fracas::Asset::create(desc))).first->second;
}

} // namespace demo
