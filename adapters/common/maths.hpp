// Vectors, rotations and poses, as little as the adapters need. An engine has its own; this is what the conversions meet in.
#pragma once

#include <fracas.hpp>

#include <cmath>

namespace adapter {

struct Vec {
    double x = 0, y = 0, z = 0;
};

inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator-(Vec a) { return {-a.x, -a.y, -a.z}; }
inline Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vec &operator+=(Vec &a, Vec b) { return a = a + b; }
inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec a) { return std::sqrt(dot(a, a)); }
/// Zero stays zero.
inline Vec unit(Vec a) { const double l = length(a); return l > 0 ? (1 / l) * a : a; }

/// A unit quaternion.
struct Quat {
    double x = 0, y = 0, z = 0, w = 1;
};

inline Quat operator*(Quat a, Quat b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline Quat inverse(Quat q) { return {-q.x, -q.y, -q.z, q.w}; }
inline Vec rotate(Quat q, Vec v) {
    const Vec u{q.x, q.y, q.z}, t = 2 * cross(u, v);
    return v + q.w * t + cross(u, t);
}
/// By so many radians about a unit axis.
inline Quat turn(Vec axis, double angle) {
    const double s = std::sin(angle / 2);
    return {s * axis.x, s * axis.y, s * axis.z, std::cos(angle / 2)};
}
/// The rotation that takes the axes of the world to three orthogonal unit vectors, right-handed.
Quat from_axes(Vec x, Vec y, Vec z);

/// From a body's frame to the world.
struct Pose {
    Vec position;
    Quat rotation;
};

inline Vec operator*(const Pose &pose, Vec point) { return pose.position + rotate(pose.rotation, point); }
inline Pose operator*(const Pose &a, const Pose &b) { return {a * b.position, a.rotation * b.rotation}; }
inline Pose inverse(const Pose &pose) {
    const Quat back = inverse(pose.rotation);
    return {rotate(back, -pose.position), back};
}

inline Vec vec(const double (&v)[3]) { return {v[0], v[1], v[2]}; }
inline Vec vec(const float (&v)[3]) { return {v[0], v[1], v[2]}; }
inline fc_pose to_fc(const Pose &pose) {
    const Quat &q = pose.rotation;
    return {{pose.position.x, pose.position.y, pose.position.z}, {float(q.x), float(q.y), float(q.z), float(q.w)}};
}

} // namespace adapter
