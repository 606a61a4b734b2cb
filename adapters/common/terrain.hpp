// Triangles of the engine's terrain as something to touch: a mesh, a height field.
//
// Terrain is open, so it has no inside. It is given one: a body as thick as `thickness`, below the side from which the triangles
// are counter-clockwise. The engine culls its triangles by the box of the object, and a field says how deep a point is below
// the nearest of them. The other way would be to collide the object's samples with each triangle on its own; then every inner
// edge of the terrain gives sideways normals, the old trouble of rolling over a flat floor that is made of triangles, and
// what is below the surface after a long step is lost. A field knows neither. The vertices go with it as points, so that a peak
// that pokes into a wide face of the object is found too.
#pragma once

#include "maths.hpp"

#include <array>
#include <vector>

namespace adapter {

/// The point of a triangle that is nearest to another (Ericson, Real-Time Collision Detection, 5.1.5).
Vec nearest(const Vec (&corners)[3], Vec point);

/// The triangles near an object. Keep one for a thread and fill it anew: it does not give its memory back.
class Terrain {
public:
    /// Forgets all triangles. What is deeper than `thickness` below the surface is below the terrain.
    void begin(double thickness);
    /// Counter-clockwise seen from above, in the frame of the shape. Those without an area are left out.
    void add(Vec a, Vec b, Vec c);
    bool empty() const { return triangles_.empty(); }
    /// What to query against; good until the next begin() or add().
    fc_shape shape();
    /// Signed distance from a point to the surface of the terrain, and the way out.
    double distance(Vec point, Vec &outward) const;

private:
    struct Triangle {
        Vec corners[3];
        Vec normal;
    };
    void add_corner(Vec corner);

    std::vector<Triangle> triangles_;
    std::vector<std::array<float, 3>> corners_;
    double thickness_ = 0;
};

} // namespace adapter
