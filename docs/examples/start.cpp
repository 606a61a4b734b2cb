// The ten-minute start in C++ (docs/start/cpp.md): a crate falls, hits the floor, and breaks where it was hit.
#include <fracas.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// What your engine keeps for each body. It falls along z and does not turn, to keep this short.
struct Body {
    fracas::Object object;
    fc_pose pose;
    double velocity;
};

/// Ends the program if a call failed, and says why. An engine would handle the status.
template <class T>
T must(fracas::Result<T> result) {
    if (!result) {
        std::printf("%s: %s\n", fc_status_name(result.status()), fracas::last_error());
        std::exit(1);
    }
    return result.take();
}

/// A crate of 40 cm, as an artist hands it over: a closed surface, triangles counter-clockwise seen from outside.
fracas::Asset cook_crate() {
    const float h = 0.2f;
    const float corners[] = {-h, -h, -h, h, -h, -h, -h, h, -h, h, h, -h, -h, -h, h, h, -h, h, -h, h, h, h, h, h};
    const std::uint32_t triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    // Kept, to draw the pieces by; met exactly, since it has few triangles. 700 kg a cubic metre: wood.
    return must(fracas::Asset::from_surface(corners, triangles, FC_ASSET_KEEP_SURFACE | FC_ASSET_MEET_SURFACE, 700));
}

/// Breaks a body at a point of its frame. The fragments are bodies in its place, with its pose and velocity.
std::vector<Body> broken(const Body &body, const float (&point)[3]) {
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_IMPACT);
    how.count = 20;
    how.seed = 7;
    how.impact_radius = 0.3f; // what is farther away stays in one piece
    for (int k = 0; k < 3; ++k) how.impact_point[k] = point[k];
    std::vector<Body> parts;
    for (fracas::Object &part : must(fracas::fracture(body.object, how)))
        parts.push_back({std::move(part), body.pose, body.velocity});
    return parts;
}

int main() {
    const fracas::Asset asset = cook_crate(); // once, when loading
    std::vector<Body> bodies;
    bodies.push_back({must(fracas::Object::create(asset)), fracas::pose_at(0, 0, 1.5), 0});
    std::printf("a crate of %.1f kg\n", must(bodies[0].object.mass()).mass);

    // Your broad phase found that the crate may touch the floor. Fracas says where.
    const fc_shape floor = fracas::shape::half_space(0, 0, 1, 0);
    fc_contact contacts[64];
    const double step = 1.0 / 60;
    while (bodies.size() == 1) {
        Body &crate = bodies[0];
        crate.velocity -= 9.81 * step;
        crate.pose.position[2] += crate.velocity * step;
        const std::uint32_t count = must(fracas::query_shape(crate.object, crate.pose, floor, fracas::pose_at(), contacts));
        if (count == 0) continue;
        // Points are relative to the position of the first body, along the axes of the world.
        const std::array<double, 3> point = fracas::world_point(contacts[0], crate.pose);
        std::printf("%u contacts, the deepest %.0f mm, at (%.1f, %.1f, %.2f)\n", count, 1e3 * contacts[0].depth, point[0], point[1], point[2]);

        // Too hard. The crate is not turned: what is relative to its position is in its frame.
        bodies = broken(crate, contacts[0].point);
    }

    // From the same frame on, the fragments are bodies as any others: for contacts with each other ...
    std::uint32_t touching = 0;
    for (std::size_t a = 0; a < bodies.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            touching += must(fracas::query_pair(bodies[a].object, bodies[a].pose, bodies[b].object, bodies[b].pose, contacts)) > 0;
    std::printf("%zu pieces, %u pairs touch\n", bodies.size(), touching);

    // ... with masses that add up, and with the artist's surface, cut along the cracks and closed by them.
    double mass = 0;
    std::size_t triangles = 0;
    for (const Body &body : bodies) {
        mass += must(body.object.mass()).mass;
        triangles += must(body.object.drawing()).triangles.size();
    }
    std::printf("%.1f kg together, %zu triangles to draw\n", mass, triangles);
    return bodies.size() > 1 && touching > 0 ? 0 : 1;
}
