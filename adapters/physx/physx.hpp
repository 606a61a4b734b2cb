// Fracas in PhysX 5: bodies that break, as custom geometries. Copy this with physx.cpp and common/.
//
// PhysX keeps of a custom geometry only the address of its callbacks and asks them for everything: bounds, mass, contacts with
// any other geometry, rays. So an object is one set of callbacks, and Bodies keeps them for as long as their actors live.
// The frame of an actor is that of its object, so fragments get their parent's pose; the centre of mass is told apart from it.
//
//     adapter::px::Bodies bodies(*scene, *material, query, settings);
//     PxRigidActor *vase = bodies.add(object, pose);
//     bodies.before_step(dt); scene->simulate(dt); scene->fetchResults(true);
//     bodies.replace(*vase, fragments);                             // between two steps
//
// Contacts are asked for by the worker threads of PhysX, all at once; neither Fracas nor this adapter minds. Features are of no
// use here: PhysX starts every step from zero impulses, and finds its friction anchors again by where they are.
#pragma once

#include "../common/body.hpp"
#include "../common/memory.hpp"
#include "../common/query.hpp"

#include <PxPhysicsAPI.h>

#include <list>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace adapter::px {

inline physx::PxVec3 to_px(Vec v) { return {float(v.x), float(v.y), float(v.z)}; }
inline physx::PxTransform to_px(const Pose &pose) {
    const Quat &q = pose.rotation;
    return {to_px(pose.position), physx::PxQuat(float(q.x), float(q.y), float(q.z), float(q.w)).getNormalized()};
}
inline Vec from_px(const physx::PxVec3 &v) { return {v.x, v.y, v.z}; }
inline Pose from_px(const physx::PxTransform &t) { return {from_px(t.p), {t.q.x, t.q.y, t.q.z, t.q.w}}; }

/// A convex mesh of PhysX as a hull of Fracas.
struct Hull {
    physx::PxMeshScale scale;
    fc_hull hull{0};
};

/// The hulls of convex meshes, each made when it is first met. Holds on to the meshes, so that none of them can go and leave its
/// address to another.
class Hulls {
public:
    Hulls() = default;
    Hulls(const Hulls &) = delete;
    ~Hulls() { clear(); }
    /// Its hull is {0} if the mesh encloses nothing. Any thread.
    const Hull &of(const physx::PxConvexMeshGeometry &geometry);
    /// Lets all meshes go. Not while PhysX simulates.
    void clear();

private:
    std::shared_mutex guard_;
    /// By mesh; a mesh has one for every scale that it is met in. Lists, so that they stay where they are.
    std::unordered_map<physx::PxConvexMesh *, std::list<Hull>> hulls_;
};

/// What bodies are made with.
struct Settings {
    /// Contacts appear where shapes are nearer than the sum of their contact offsets, and bodies come to rest at the sum of
    /// their rest offsets: 1 mm and touching.
    float contact_offset = 5e-4f, rest_offset = 0;
    /// Overlaps are undone no faster than this, in m/s; PhysX itself has no limit, and throws what overlaps.
    float depenetration = 0.5f;
    std::uint32_t position_iterations = 60, velocity_iterations = 1;
    float linear_damping = 0.05f, angular_damping = 0.2f;
    /// Bodies with less kinetic energy a kilogram than this may sleep; 0: never. PhysX has 5e-3 for bodies of a metre.
    float sleep_energy = 5e-4f;
    /// Terrain has this much body below its surface, in metres: what a body may fall in a step, or it is lost.
    double terrain_thickness = 0.05;
};

class Bodies;

/// An object as a geometry of PhysX.
class Geometry final : public physx::PxCustomGeometryCallbacks {
public:
    Geometry(fc_object object, Bodies &bodies);
    fc_object object() const { return object_; }
    /// What is kept of its pairs: by the other's object, or by where PhysX has its geometry.
    Memories &memories() const { return memories_; }

    DECLARE_CUSTOM_GEOMETRY_TYPE
    physx::PxBounds3 getLocalBounds(const physx::PxGeometry &) const override;
    /// With any geometry: Fracas' own, plane, sphere, capsule, box, convex mesh, triangle mesh, height field.
    bool generateContacts(const physx::PxGeometry &self, const physx::PxGeometry &other, const physx::PxTransform &pose,
                          const physx::PxTransform &pose_other, float contact_distance, float, float,
                          physx::PxContactBuffer &buffer) const override;
    /// The first point of its surface, crack or skin. A ray that starts inside meets the surface from behind.
    physx::PxU32 raycast(const physx::PxVec3 &origin, const physx::PxVec3 &direction, const physx::PxGeometry &,
                         const physx::PxTransform &pose, float length, physx::PxHitFlags, physx::PxU32 most,
                         physx::PxGeomRaycastHit *hits, physx::PxU32, physx::PxRaycastThreadContext *) const override;
    /// Whether a contact has no gap.
    bool overlap(const physx::PxGeometry &, const physx::PxTransform &pose, const physx::PxGeometry &other,
                 const physx::PxTransform &pose_other, physx::PxOverlapThreadContext *) const override;
    /// Another geometry moves towards this one: by the gap that is between them, again and again, until there is none. A query
    /// for each step, so it is for a few sweeps a frame.
    bool sweep(const physx::PxVec3 &direction, float length, const physx::PxGeometry &, const physx::PxTransform &pose,
               const physx::PxGeometry &other, const physx::PxTransform &pose_other, physx::PxGeomSweepHit &hit,
               physx::PxHitFlags, float inflation, physx::PxSweepThreadContext *) const override;
    void visualize(const physx::PxGeometry &, physx::PxRenderOutput &out, const physx::PxTransform &pose,
                   const physx::PxBounds3 &) const override;
    /// At a density of 1, as PhysX wants it.
    void computeMassProperties(const physx::PxGeometry &, physx::PxMassProperties &properties) const override;
    bool usePersistentContactManifold(const physx::PxGeometry &, float &breaking_threshold) const override;

private:
    /// The contacts with another geometry; none if it is of a kind that has no surface.
    void touch(const Query &query, const Pose &pose, const physx::PxGeometry &other, const Pose &pose_other,
               const Step &step, Contacts &contacts) const;
    /// The triangles of a mesh or a height field that are near.
    void touch_terrain(const Query &query, const Pose &pose, const physx::PxGeometry &other, const Pose &pose_other,
                       const Step &step, Contacts &contacts) const;

    fc_object object_;
    Bodies &bodies_;
    physx::PxBounds3 bounds_;
    /// Of mass.
    Vec centre_;
    mutable Memories memories_;
};

/// The object of a geometry; nothing if it is not one of ours.
std::optional<fc_object> object_of(const physx::PxGeometry &geometry);

/// The bodies of a scene that have objects.
class Bodies {
public:
    /// All four must outlive it, and it the scene's next step after the last body.
    Bodies(physx::PxScene &scene, physx::PxMaterial &material, const Query &query, const Settings &settings)
        : scene_(scene), material_(material), query_(query), settings_(settings) {}
    Bodies(const Bodies &) = delete;
    ~Bodies();

    /// Adds a body to the scene; null if the handle is stale. The object must outlive it.
    physx::PxRigidActor *add(fc_object object, const Pose &pose, const Motion &motion = {}, bool fixed = false);
    /// Takes a body out, and wakes what leaned on it.
    void remove(physx::PxRigidActor &body);
    /// Puts fragments in the place of their body. All of them, or none if a handle is stale.
    std::vector<physx::PxRigidActor *> replace(physx::PxRigidActor &body, const std::vector<fc_object> &fragments);

    /// Notes how bodies move before a step of so many seconds, so that contacts are found before they are in each other. Without
    /// it contacts are as far ahead as the contact offsets, and fast bodies are in each other first.
    void before_step(double seconds);
    double seconds() const { return seconds_; }
    /// How a point moves that is fixed to the body of a geometry.
    Motion motion_at_point(const physx::PxGeometry &geometry, Vec point) const;

    const Query &query() const { return query_; }
    const Settings &settings() const { return settings_; }
    Hulls &hulls() { return hulls_; }

private:
    physx::PxScene &scene_;
    physx::PxMaterial &material_;
    const Query &query_;
    Settings settings_;
    Hulls hulls_;
    std::unordered_map<physx::PxRigidActor *, std::unique_ptr<Geometry>> geometries_;
    double seconds_ = 0;
    struct Moving {
        Vec centre;
        Motion motion;
    };
    std::unordered_map<const physx::PxGeometry *, Moving> moving_; // by where PhysX has the geometry of a shape
};

/// Gives a shape the offsets of the settings, and a body all else. For the engine's own bodies too, so that all are alike.
void apply(const Settings &settings, physx::PxShape &shape);
void apply(const Settings &settings, physx::PxRigidDynamic &body);
/// How a body moves; not at all if it is fixed.
Motion motion_of(const physx::PxRigidActor &body);

} // namespace adapter::px
