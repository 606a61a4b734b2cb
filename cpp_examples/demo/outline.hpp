// How fast the fastest point of a body is, and how far the farthest has moved: a body that turns in place is not at rest.
#pragma once

#include "world.hpp"

namespace demo {

/// A body lies in the convex hull of these points, grown by the radius; in its frame.
struct Outline {
    std::vector<Vec> points;
    double radius = 0;
};

/// Of an object: the vertices of its surface. Ends the program if the handle is stale.
Outline outline_of(fc_object object);
/// None for a plane: it does not move.
Outline outline_of(const Primitive &primitive);

/// Metres a second. |v + w x r| is convex in r, so of the points one is the fastest. `centre` is that of mass, in the body's frame.
double fastest_point(const Outline &outline, Vec centre, const Pose &pose, const Motion &motion);

/// Metres between where a point was and where it is, for the one that has moved farthest.
double farthest_move(const Outline &outline, const Pose &before, const Pose &now);

/// The larger; NaN if one of them is NaN, which std::max drops or keeps depending on the order.
inline double worse(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

} // namespace demo
