// Fracas on Jolt 5: an object as a shape of Jolt's, whose contacts come from Fracas.
//
//     JPH::RegisterTypes();
//     adapter::jolt::register_shape();                              // once
//     auto shape = adapter::jolt::Shape::of(object, query);         // one for each object
//     auto settings = adapter::jolt::body_settings(*shape, pose, motion, JPH::EMotionType::Dynamic, layer);
//     auto *body = adapter::jolt::create_body(bodies, settings);    // instead of bodies.CreateBody()
//     ...
//     adapter::jolt::before_step(system, seconds);                  // then system.Update(...)
//     adapter::jolt::replace(system, body->GetID(), fragments);     // when it broke, between two steps
//
// What happens: Jolt's broad phase finds pairs by the shape's bounds. For a pair with such a shape in it, its worker threads
// call us, and we ask Fracas: object against object, or object against what Jolt's own shape is (convex ones as they are,
// meshes and height fields as a Terrain). Each contact goes back as a hit of its own, with the distance that Jolt looks ahead
// as the margin. Compounds and decorators need nothing: Jolt takes them apart before it calls.
#pragma once

#include "../common/body.hpp"
#include "../common/memory.hpp"
#include "../common/query.hpp"

#include <Jolt/Jolt.h>

#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Body/BodyInterface.h>
#include <Jolt/Physics/Collision/PhysicsMaterial.h>
#include <Jolt/Physics/Collision/Shape/Shape.h>
#include <Jolt/Physics/PhysicsSystem.h>

#include <vector>

namespace adapter::jolt {

/// Tells Jolt how our shape collides with all others. Once, after JPH::RegisterTypes().
void register_shape();

/// Convex hulls of Jolt's are turned into hulls of Fracas, which are kept. Ends those; call it when a level is unloaded.
void forget_hulls();

/// The shape of an object. Its frame is the object's, shifted to the centre of mass as Jolt wants it.
class Shape final : public JPH::Shape {
public:
    /// Nothing if the handle is stale; fc_last_error() says so. The object must outlive the shape, or it touches nothing any
    /// more. `query` is asked with, and must outlive it too.
    static JPH::Ref<Shape> of(fc_object object, const Query &query, const JPH::PhysicsMaterial *material = nullptr);

    fc_object object() const { return object_; }
    const Query &query() const { return *query_; }
    /// What is kept of its pairs: by the other's object, or by the address of a shape of Jolt's.
    Memories &memories() const { return memories_; }
    /// Angular velocity of its body in the coming step, and how long that is; see before_step().
    struct Turning {
        Vec angular;
        double seconds = 0;
    };
    Turning &turning() const { return turning_; }
    /// Where the object is when the centre of mass is there.
    Pose object_pose(JPH::Mat44Arg centre_of_mass) const;

    JPH::Vec3 GetCenterOfMass() const override { return centre_; }
    JPH::AABox GetLocalBounds() const override { return bounds_; }
    JPH::uint GetSubShapeIDBitsRecursive() const override { return feature_bits; }
    float GetInnerRadius() const override { return inner_radius_; }
    float GetVolume() const override { return volume_; }
    JPH::MassProperties GetMassProperties() const override { return mass_; }
    const JPH::PhysicsMaterial *GetMaterial(const JPH::SubShapeID &) const override;
    JPH::Vec3 GetSurfaceNormal(const JPH::SubShapeID &, JPH::Vec3Arg point) const override;
    /// Objects have a size of their own, fc_object_desc.scale: make the object as large as it is to be. A ScaledShape around
    /// one is refused, with a word to JPH::Trace.
    bool IsValidScale(JPH::Vec3Arg scale) const override;

    /// A ray that starts inside hits at once, as with Jolt's convex shapes.
    bool CastRay(const JPH::RayCast &ray, const JPH::SubShapeIDCreator &ids, JPH::RayCastResult &hit) const override;
    void CastRay(const JPH::RayCast &ray, const JPH::RayCastSettings &settings, const JPH::SubShapeIDCreator &ids,
                 JPH::CastRayCollector &collector, const JPH::ShapeFilter &filter) const override;
    void CollidePoint(JPH::Vec3Arg point, const JPH::SubShapeIDCreator &ids, JPH::CollidePointCollector &collector,
                      const JPH::ShapeFilter &filter) const override;
    void CollideSoftBodyVertices(JPH::Mat44Arg centre_of_mass, JPH::Vec3Arg scale, JPH::SoftBodyVertex *vertices,
                                 JPH::uint count, float seconds, JPH::Vec3Arg gravity, int index) const override;
    /// It floats as a ball of its volume does: enough for buoyancy, and steady.
    void GetSubmergedVolume(JPH::Mat44Arg centre_of_mass, JPH::Vec3Arg scale, const JPH::Plane &surface, float &total,
                            float &submerged, JPH::Vec3 &centre_of_buoyancy
#ifdef JPH_DEBUG_RENDERER
                            , JPH::RVec3Arg base
#endif
    ) const override;
    /// None. Jolt does not need them to simulate; fc_object_surface and fc_object_drawing have them.
    void GetTrianglesStart(GetTrianglesContext &, const JPH::AABox &, JPH::Vec3Arg, JPH::QuatArg, JPH::Vec3Arg) const override {}
    int GetTrianglesNext(GetTrianglesContext &, int, JPH::Float3 *, const JPH::PhysicsMaterial **) const override { return 0; }
    Stats GetStats() const override { return Stats(sizeof *this, 0); }
#ifdef JPH_DEBUG_RENDERER
    void Draw(JPH::DebugRenderer *, JPH::RMat44Arg, JPH::Vec3Arg, JPH::ColorArg, bool, bool) const override {}
#endif

    /// Contacts are told apart by the feature that Fracas gives them: JPH::SubShapeID is made from it, on the object whose sample
    /// touches. It is the key of Jolt's contact cache, and so of warm starting. Eight bits are left for compounds above. Of a
    /// mesh or height field it names no triangle.
    static constexpr JPH::uint feature_bits = 24;

private:
    friend void register_shape();
    Shape();
    /// The object in Jolt's frame of the shape, that of the centre of mass.
    fc_pose pose_in_shape() const;
    double signed_distance(JPH::Vec3Arg point, JPH::Vec3 &outward) const;

    fc_object object_{0};
    const Query *query_ = nullptr;
    mutable Memories memories_;
    mutable Turning turning_;
    JPH::RefConst<JPH::PhysicsMaterial> material_;
    JPH::AABox bounds_;
    JPH::Vec3 centre_ = JPH::Vec3::sZero();
    JPH::MassProperties mass_;
    float volume_ = 0, inner_radius_ = 0;
};

/// What a body of that shape is made with. The pose is that of the object's frame; the motion that of its centre of mass.
JPH::BodyCreationSettings body_settings(const Shape &shape, const Pose &pose, const Motion &motion, JPH::EMotionType type,
                                        JPH::ObjectLayer layer);

/// Makes a body that is not yet in the world. Use it for all small bodies, also with Jolt's own shapes: Jolt takes moments of
/// inertia below 1e-6 kg m^2, a pebble of 10 g, for a mistake and puts those of a ball of 1 m radius in their place.
JPH::Body *create_body(JPH::BodyInterface &bodies, const JPH::BodyCreationSettings &settings);

/// Before each step of so many seconds: notes how bodies turn, so that contacts are found before bodies are in each other, and drops
/// what is kept of pairs that are no more. Without it contacts are as far ahead as mSpeculativeContactDistance.
void before_step(JPH::PhysicsSystem &system, double seconds);

/// Puts fragments in the place of the body that they are of; between two steps. They are what it was (layer, friction, damping,
/// user data) and go on as it went. The old body is destroyed, and what leaned on it wakes. The old object stays, for you to
/// destroy. Returns a body for each fragment, in their order. Empty if there are no fragments, if one of them is stale, or if there
/// is no more room for bodies: then the old body is as it was.
std::vector<JPH::BodyID> replace(JPH::PhysicsSystem &system, JPH::BodyID body, const std::vector<fc_object> &fragments);

// Conversions, for those who go on from here.
inline Vec from_jolt(JPH::Vec3Arg v) { return {v.GetX(), v.GetY(), v.GetZ()}; }
inline Quat from_jolt(JPH::QuatArg q) { return {q.GetX(), q.GetY(), q.GetZ(), q.GetW()}; }
inline JPH::Vec3 to_jolt(Vec v) { return {float(v.x), float(v.y), float(v.z)}; }
inline JPH::Quat to_jolt(Quat q) { return JPH::Quat(float(q.x), float(q.y), float(q.z), float(q.w)).Normalized(); }
inline JPH::RVec3 to_jolt_place(Vec v) { return {JPH::Real(v.x), JPH::Real(v.y), JPH::Real(v.z)}; }
#ifdef JPH_DOUBLE_PRECISION
inline Vec from_jolt(JPH::DVec3Arg v) { return {v.GetX(), v.GetY(), v.GetZ()}; }
#endif

} // namespace adapter::jolt
