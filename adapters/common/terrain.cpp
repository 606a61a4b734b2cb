#include "terrain.hpp"

#include <algorithm>

namespace adapter {

Vec nearest(const Vec (&t)[3], Vec p) {
    const Vec ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0];
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return t[0];
    const Vec bp = p - t[1];
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return t[1];
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return t[0] + d1 / (d1 - d3) * ab;
    const Vec cp = p - t[2];
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return t[2];
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return t[0] + d2 / (d2 - d6) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) return t[1] + (d4 - d3) / (d4 - d3 + d5 - d6) * (t[2] - t[1]);
    const double sum = va + vb + vc;
    return t[0] + vb / sum * ab + vc / sum * ac;
}

void Terrain::begin(double thickness) {
    triangles_.clear();
    corners_.clear();
    thickness_ = thickness;
}

void Terrain::add(Vec a, Vec b, Vec c) {
    const Vec normal = unit(cross(b - a, c - a));
    if (length(normal) == 0) return;
    triangles_.push_back({{a, b, c}, normal});
    for (const Vec &corner : {a, b, c}) add_corner(corner);
}

/// Triangles share their corners with those that come shortly before them: looking at some is enough, and one that comes twice
/// does no harm.
void Terrain::add_corner(Vec corner) {
    const std::array<float, 3> point = {static_cast<float>(corner.x), static_cast<float>(corner.y),
                                        static_cast<float>(corner.z)};
    const std::ptrdiff_t some = 64;
    const auto recent = corners_.end() - std::min<std::ptrdiff_t>(some, corners_.end() - corners_.begin());
    if (std::find(recent, corners_.end(), point) == corners_.end()) corners_.push_back(point);
}

double Terrain::distance(Vec point, Vec &outward) const {
    double least = HUGE_VAL, height = 0;
    Vec way;
    for (const Triangle &triangle : triangles_) {
        const Vec to = point - nearest(triangle.corners, point);
        const double squared = dot(to, to), above = dot(triangle.normal, to);
        // Where several are equally near, at an edge or a corner, the one that sees the point most from above or below knows
        // on which side of the terrain it is.
        const double tie = 1e-9 * (squared + 1e-12);
        if (squared < least - tie || (squared < least + tie && std::abs(above) > std::abs(height))) {
            height = above;
            way = squared > 1e-20 ? (above < 0 ? -1.0 : 1.0) * unit(to) : triangle.normal;
            least = squared < least ? squared : least;
        }
    }
    outward = way;
    const double apart = std::sqrt(least);
    if (height >= 0) return apart;
    if (apart <= thickness_) return -apart;
    outward = -way;
    return apart - thickness_;
}

fc_shape Terrain::shape() {
    const auto field = [](const double *point, double *outward, void *self) {
        Vec way;
        const double distance = static_cast<const Terrain *>(self)->distance({point[0], point[1], point[2]}, way);
        outward[0] = way.x;
        outward[1] = way.y;
        outward[2] = way.z;
        return distance;
    };
    fc_shape shape = fracas::shape::of_kind(FC_SHAPE_FIELD);
    shape.field = field;
    shape.user_data = this;
    shape.points = corners_.empty() ? nullptr : corners_[0].data();
    shape.point_count = static_cast<std::uint32_t>(corners_.size());
    return shape;
}

} // namespace adapter
