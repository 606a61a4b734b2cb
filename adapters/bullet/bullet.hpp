// Fracas in Bullet: a shape that holds an fc_object, and a dispatcher that asks Fracas for its contacts, with other objects and
// with all of Bullet's own shapes. Copy this, bullet.cpp and common/ into your game.
//
//     adapter::Query query;
//     adapter::bullet::Dispatcher dispatcher(&configuration, query);          // in place of btCollisionDispatcher
//     btDiscreteDynamicsWorld world(&dispatcher, ...);
//     adapter::bullet::Shape shape(object);                                   // outlives the body, as shapes do in Bullet
//     btRigidBody body(adapter::bullet::body_info(shape, pose));
//     ...
//     adapter::bullet::remove(world, body);                                   // when it breaks; then a body for each fragment
//
// Bullet keeps bodies by their centre of mass and principal axes, so the transform of a body is not the pose of its object:
// shape.pose(transform) and shape.transform(pose) go from one to the other.
#pragma once

#include "../common/body.hpp"
#include "../common/jobs.hpp"
#include "../common/query.hpp"

#include <btBulletDynamicsCommon.h>

#include <optional>
#include <vector>

namespace adapter::bullet {

inline btVector3 to_bullet(Vec v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }
inline btQuaternion to_bullet(Quat q) { return {btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)}; }
inline btTransform to_bullet(const Pose &pose) {
    return btTransform(to_bullet(pose.rotation), to_bullet(pose.position));
}
inline Vec from_bullet(const btVector3 &v) { return {v.x(), v.y(), v.z()}; }
Pose from_bullet(const btTransform &transform);

/// The collision data of an object. To Bullet it is some concave shape; its contacts come from the dispatcher below.
/// Fragments have shapes of their own. The object must outlive the shape.
class Shape final : public btConcaveShape {
public:
    explicit Shape(fc_object object);

    fc_object object() const { return object_; }
    const Inertia &inertia() const { return inertia_; }
    /// Half the diagonal of its box, in metres.
    double radius() const { return radius_; }
    /// Of the object's frame, for the transform of a body; and back.
    Pose pose(const btTransform &transform) const { return from_bullet(transform) * inverse(inertia_.frame()); }
    btTransform transform(const Pose &pose) const { return to_bullet(pose * inertia_.frame()); }
    /// The Fracas shape that this is; null if it is one of Bullet's.
    static const Shape *of(const btCollisionShape *shape);

    void getAabb(const btTransform &t, btVector3 &low, btVector3 &high) const override;
    void calculateLocalInertia(btScalar mass, btVector3 &inertia) const override;
    /// The triangles of its surface: for debug drawing, sweeps and soft bodies. Contacts do not need them.
    void processAllTriangles(btTriangleCallback *callback, const btVector3 &low, const btVector3 &high) const override;
    const char *getName() const override { return "Fracas"; }
    /// An object has its size from fc_object_desc.scale; Bullet cannot change it.
    void setLocalScaling(const btVector3 &) override {}
    const btVector3 &getLocalScaling() const override { return one_; }

private:
    fc_object object_;
    Inertia inertia_;
    double radius_ = 0;
    btVector3 one_{1, 1, 1};
};

/// What Bullet wants to know of a body. A fixed one has no mass.
btRigidBody::btRigidBodyConstructionInfo body_info(Shape &shape, const Pose &pose, bool fixed = false);

/// Bullet's dispatcher, with Fracas for pairs that have an object. It asks for the contacts of all such pairs first, on all
/// threads of `jobs`; what follows is Bullet's own pass, on one thread. (btCollisionDispatcherMt would do it in one go, but its
/// locks are empty unless Bullet was built with BT_THREADSAFE, and packages are not.)
class Dispatcher final : public btCollisionDispatcher {
public:
    /// `query` must outlive the dispatcher; so must `jobs`, if there are any.
    Dispatcher(btCollisionConfiguration *configuration, const Query &query, Jobs *jobs = nullptr);

    void dispatchAllCollisionPairs(btOverlappingPairCache *pairs, const btDispatcherInfo &info, btDispatcher *) override;

    const Query &query() const { return query_; }

private:
    struct Create final : btCollisionAlgorithmCreateFunc {
        Dispatcher *dispatcher = nullptr;
        btCollisionAlgorithm *CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo &info,
                                                       const btCollisionObjectWrapper *a,
                                                       const btCollisionObjectWrapper *b) override;
    };
    const Query &query_;
    Jobs *jobs_;
    Create create_;
    std::vector<btBroadphasePair *> asked_;
};

/// Takes a body out of the world and wakes all that touched it: what lay on top shall notice.
void remove(btDynamicsWorld &world, btRigidBody &body);

struct RayHit {
    const btCollisionObject *body;
    double distance;
    Vec normal;
};
/// The first body that a ray meets; the surface of objects is asked of Fracas.
std::optional<RayHit> ray_cast(btCollisionWorld &world, Vec from, Vec direction, double length);

} // namespace adapter::bullet
