#include "breaking.hpp"

#include <algorithm>

namespace adapter {

std::optional<fc_fracture_desc> broken_by(const Blow &blow, const Material &material, fc_object object, const Pose &pose,
                                          std::uint64_t seed) {
    fc_mass mass;
    fc_aabb bounds;
    if (fc_object_mass(object, &mass) < 0 || fc_object_bounds(object, nullptr, &bounds) < 0) return std::nullopt;
    const double section = std::cbrt(mass.volume * mass.volume);
    const double strain = length(blow.impulse) / (material.strength * section);
    if (!(strain > 1) || mass.volume < material.smallest) return std::nullopt;

    const Pose back = inverse(pose);
    const Vec at = back * blow.point, way = rotate(back.rotation, unit(blow.impulse));
    const double radius = length(vec(bounds.max) - vec(bounds.min)) / 2;
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_IMPACT);
    const double point[3] = {at.x, at.y, at.z}, direction[3] = {way.x, way.y, way.z};
    for (int k = 0; k < 3; ++k) {
        how.impact_point[k] = static_cast<float>(point[k]);
        how.impact_direction[k] = static_cast<float>(direction[k]);
    }
    how.impact_radius = static_cast<float>(material.reach * radius);
    how.count = static_cast<std::uint32_t>(std::clamp(material.pieces * strain, 2.0, double(material.most_pieces)));
    how.max_fragments = material.most_pieces;
    how.min_volume_share = 0.002f;
    how.roughness = material.roughness;
    how.seed = how.roughness_seed = seed;
    return how;
}

std::vector<fc_object> fragments_of(fc_object object, const fc_fracture_desc &how) {
    std::vector<fc_object> fragments;
    std::uint32_t count = 0;
    if (fc_fracture_bound(object, &how, &count) < 0) return fragments;
    fragments.resize(count);
    if (fc_fracture(object, &how, fragments.data(), count, &count, nullptr) < 0) count = 0;
    fragments.resize(count);
    return fragments;
}

} // namespace adapter
