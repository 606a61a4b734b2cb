// What the scenarios ask of an engine; each engine answers in a file of its own, through its adapter. No engine's own types
// are seen here. The world is in metres, and z is up, as the sample shapes have it.
#pragma once

#include <adapters/common/body.hpp>
#include <adapters/common/query.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace demo {

using adapter::Motion;
using adapter::Pose;
using adapter::Quat;
using adapter::Vec;

/// A shape of the engine's own, in its frame.
struct Primitive {
    enum class Kind {
        Plane,       // all below z = 0; fixed
        Box,         // half
        Ball,        // radius
        Capsule,     // along z: half.z is half its segment, radius
        Hull,        // of points
        Mesh,        // points and triangles, counter-clockwise seen from outside; fixed
        HeightField, // columns x rows heights, `spacing` apart, from its frame's origin towards +x and +y; fixed
    };
    Kind kind = Kind::Plane;
    Vec half;
    double radius = 0;
    std::vector<Vec> points;
    std::vector<std::uint32_t> triangles;
    std::uint32_t columns = 0, rows = 0;
    double spacing = 0;
    std::vector<float> heights; // row by row
};

/// How bodies rub and bounce. One for the whole world.
struct Surface {
    double friction = 0.5;
    double restitution = 0;
};

/// How the world is simulated. Lengths are to fit the bodies: engines are tuned for metres, ours are of 10 cm.
struct Tuning {
    Vec gravity{0, 0, -9.81};
    /// Overlap that the solver leaves alone, in metres.
    double slop = 1e-4;
    /// How far apart bodies may be and still have a contact, in metres.
    double speculative = 1e-3;
    /// Of the solver, a step; engines that count them differently take what comes near.
    std::uint32_t iterations = 20;
    /// Start each step from the impulses of the last one, in engines that keep them (Jolt, Bullet).
    bool warm_starting = true;
    /// Velocities decay as exp(-damping t), t in seconds.
    double linear_damping = 0.05, angular_damping = 0.5;
    /// Bodies may sleep. Off where rest itself is what is looked at.
    bool sleeping = true;
    /// Worker threads of the engine, if it has any.
    std::uint32_t threads = 2;
    Surface surface;
};

/// A body of the world. 0 is none.
using Body = std::uint32_t;

struct Hit {
    Body body;
    double distance;
    Vec normal;
};

class World {
public:
    virtual ~World() = default;

    /// "jolt"
    virtual const char *engine() const = 0;
    /// What the engine was told, with its own names: for the report.
    virtual std::string settings() const = 0;

    /// Adds a body with the collision data of an object, which must outlive it. The pose is that of the object's frame.
    virtual Body add(fc_object object, const Pose &pose, const Motion &motion = {}, bool fixed = false) = 0;
    /// Adds a body of the engine's own; a mass of 0: fixed.
    virtual Body add(const Primitive &primitive, const Pose &pose, double mass = 0, const Motion &motion = {}) = 0;
    virtual void remove(Body body) = 0;
    /// Puts fragments in the place of the body that they are of, with the velocities that they inherit, and wakes what leaned on it.
    /// Returns a body for each fragment, in their order; none if a handle is stale or there is no room: then all is as it was.
    virtual std::vector<Body> replace(Body body, const std::vector<fc_object> &fragments) = 0;

    virtual void step(double seconds) = 0;

    /// Of the object's frame, or of the primitive's.
    virtual Pose pose(Body body) const = 0;
    virtual Motion motion(Body body) const = 0;
    virtual void set_motion(Body body, const Motion &motion) = 0;
    virtual bool asleep(Body body) const = 0;
    /// Gives a body an impulse at a point of the world, and wakes it.
    virtual void push(Body body, Vec point, Vec impulse) = 0;
    /// The first body that a ray meets. Asks Fracas for the surface of its objects.
    virtual std::optional<Hit> ray(Vec from, Vec direction, double length) const = 0;
};

/// Makes a world. `query` is how the adapter asks Fracas for contacts; it must outlive the world. Its margin is set from the tuning.
using MakeWorld = std::unique_ptr<World> (*)(const Tuning &tuning, adapter::Query &query);

/// Those that were built, by name.
struct Engine {
    const char *name;
    MakeWorld make;
};
const std::vector<Engine> &engines();

} // namespace demo
