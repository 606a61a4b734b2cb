// A vector of three doubles, laid out as the library takes positions.
#pragma once

#include <cmath>

struct Vec {
    double x = 0, y = 0, z = 0;

    Vec &operator+=(const Vec &o) { x += o.x; y += o.y; z += o.z; return *this; }
    Vec &operator-=(const Vec &o) { x -= o.x; y -= o.y; z -= o.z; return *this; }
};
static_assert(sizeof(Vec) == 3 * sizeof(double));

inline Vec operator+(Vec a, const Vec &b) { return a += b; }
inline Vec operator-(Vec a, const Vec &b) { return a -= b; }
inline Vec operator*(double s, const Vec &v) { return {s * v.x, s * v.y, s * v.z}; }
inline double dot(const Vec &a, const Vec &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(const Vec &a, const Vec &b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(const Vec &v) { return std::sqrt(dot(v, v)); }
inline Vec vec(const double *p) { return {p[0], p[1], p[2]}; }
