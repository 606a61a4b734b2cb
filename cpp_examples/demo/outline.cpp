#include "outline.hpp"

#include "library.hpp"

namespace demo {

Outline outline_of(fc_object object) {
    const fracas::Surface surface = surface_of(object);
    Outline outline;
    for (std::size_t k = 0; k + 2 < surface.positions.size(); k += 3)
        outline.points.push_back({surface.positions[k], surface.positions[k + 1], surface.positions[k + 2]});
    return outline;
}

Outline outline_of(const Primitive &primitive) {
    const Vec &half = primitive.half;
    Outline outline;
    outline.radius = primitive.radius;
    switch (primitive.kind) {
    case Primitive::Kind::Plane: break;
    case Primitive::Kind::Box:
        for (int k = 0; k < 8; ++k)
            outline.points.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
        break;
    case Primitive::Kind::Ball: outline.points = {{}}; break;
    case Primitive::Kind::Capsule: outline.points = {{0, 0, -half.z}, {0, 0, half.z}}; break;
    case Primitive::Kind::Hull:
    case Primitive::Kind::Mesh: outline.points = primitive.points; break;
    case Primitive::Kind::HeightField:
        for (std::uint32_t row = 0; row < primitive.rows; ++row)
            for (std::uint32_t column = 0; column < primitive.columns; ++column)
                outline.points.push_back({column * primitive.spacing, row * primitive.spacing, primitive.heights[row * primitive.columns + column]});
        break;
    }
    return outline;
}

double fastest_point(const Outline &outline, Vec centre, const Pose &pose, const Motion &motion) {
    double most = 0;
    for (const Vec &point : outline.points) {
        const Vec arm = adapter::rotate(pose.rotation, point - centre);
        most = worse(most, adapter::length(motion.linear + adapter::cross(motion.angular, arm)));
    }
    return most + outline.radius * adapter::length(motion.angular);
}

double farthest_move(const Outline &outline, const Pose &before, const Pose &now) {
    double most = 0;
    for (const Vec &point : outline.points) most = worse(most, adapter::length(now * point - before * point));
    const Quat turned = now.rotation * adapter::inverse(before.rotation);
    const double half = adapter::length({turned.x, turned.y, turned.z}); // sine of half the angle
    return most + 2 * outline.radius * half;
}

} // namespace demo
