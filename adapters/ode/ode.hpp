// Fracas in ODE: a class of geoms that hold an fc_object, with contacts against each other and against ODE's own geoms. Copy this,
// ode.cpp and common/ into your game.
//
//     adapter::Query query;
//     dGeomID geom = adapter::ode::create_geom(space, object, query);
//     dBodyID body = adapter::ode::create_body(world, geom, pose, motion);
//     ...
//     dCollide(geom, other, ...)                            // as with any geom, in your near callback; rays too. Or, better:
//     adapter::ode::NarrowPhase narrow_phase;               // on many threads, and with a memory
//     narrow_phase.collide(space, jobs, seconds);
//     narrow_phase.remove(space, geom, margin);             // when it breaks; then a geom and a body for each fragment
//
// ODE keeps bodies by their centre of mass; the geom is put beside it, so that the pose of the geom is that of the object.
// Contacts have a depth below 0 where there is still a gap, up to the margin of the query: speculate() makes joints of them.
// ODE does not warm-start, so what features are good for is to know where contacts stuck.
#pragma once

#include "../common/body.hpp"
#include "../common/jobs.hpp"
#include "../common/query.hpp"

#include <ode/ode.h>

#include <map>
#include <utility>
#include <vector>

namespace adapter::ode {

Pose pose_of(dGeomID geom);
void set_pose(dGeomID geom, const Pose &pose);

/// A geom for an object. Both it and `query` must outlive the geom.
dGeomID create_geom(dSpaceID space, fc_object object, const Query &query);
/// The object of a geom; {0} if it is one of ODE's own.
fc_object object_of(dGeomID geom);

/// A body for a geom of an object, with its mass. The pose is that of the object's frame.
dBodyID create_body(dWorldID world, dGeomID geom, const Pose &pose, const Motion &motion);

/// For a contact with a depth below 0: the joint lets the bodies come as near as the gap is wide in a step of `seconds`. By
/// itself ODE would stop them where they are.
void speculate(dContact &contact, double seconds);

/// ODE keeps the planes of a convex and the heights of a height field to itself. For such geoms this tells Fracas what they are;
/// others it can ask. Keep it as long as the geom. Not beside collision.
class Description {
public:
    /// Of a convex: four numbers a plane (ODE's convention: a x + b y + c z <= d).
    Description(dGeomID convex, fracas::Span<const dReal> planes);
    /// Of a height field: what was given to dGeomHeightfieldDataBuild. The heights are copied.
    Description(dGeomID field, double width, double depth, std::uint32_t columns, std::uint32_t rows, std::vector<float> heights);
    ~Description();
    Description(const Description &) = delete;
    Description &operator=(const Description &) = delete;

private:
    friend struct Described;
    dGeomID geom_;
    fracas::Hull hull_;
    double width_ = 0, depth_ = 0;
    std::uint32_t columns_ = 0, rows_ = 0;
    std::vector<float> heights_;
};

/// The contacts of all pairs of a space. Those of objects are found on the threads of `jobs`; those of meshes, and of geoms of
/// ODE's own with each other, on this one.
///
/// It remembers the contacts of objects from step to step, by their features. ODE does not, so bodies at rest creep a little in
/// every step; hold() has friction bring that back.
class NarrowPhase {
public:
    struct Contact {
        dContactGeom geom;
        /// How far the first body has crept over the second since they came to rest on each other here, in the world.
        Vec crept;
        /// Where it began, in the frames of the two bodies.
        Vec stuck[2];
    };
    struct Pair {
        dGeomID first, second;
        std::vector<Contact> contacts;
    };
    /// For a step of so many seconds: what may meet in it touches already.
    void collide(dSpaceID space, Jobs &jobs, double seconds);
    /// In an order that does not depend on the threads.
    const std::vector<Pair> &pairs() const { return pairs_; }

    /// Ends a geom, and its body if it has one, and wakes all bodies that touched it: what lay on top shall notice.
    void remove(dSpaceID space, dGeomID geom, double margin);

private:
    void remember(Pair &pair) const;

    std::vector<Pair> pairs_, before_;
    std::map<std::pair<dGeomID, dGeomID>, std::size_t> known_;
};

/// Has friction take back a `share` of what has crept in a step of `seconds`.
void hold(dContact &contact, Vec crept, double share, double seconds);

} // namespace adapter::ode
