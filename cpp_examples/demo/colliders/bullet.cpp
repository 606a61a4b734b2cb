// What one would use in Bullet: a convex hull for each fragment, or its triangles (GImpact, which may move).
#include "../colliders.hpp"

#include <adapters/bullet/bullet.hpp>

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

namespace demo {

namespace {

using adapter::bullet::to_bullet;

/// Bullet's own pass over one pair: its algorithm for the two shapes, and the deepest point of the manifold that it fills.
class Bullet : public OwnColliders {
public:
    Bullet() : dispatcher_(&configuration_) { btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_); }

    double deepest(std::uint32_t a, const Pose &pose_a, std::uint32_t b, const Pose &pose_b, double margin) override {
        btCollisionObject &first = *objects_[a], &second = *objects_[b];
        first.setWorldTransform(to_bullet(Pose{large * pose_a.position, pose_a.rotation}));
        second.setWorldTransform(to_bullet(Pose{large * pose_b.position, pose_b.rotation}));
        const btCollisionObjectWrapper one(nullptr, first.getCollisionShape(), &first, first.getWorldTransform(), -1, -1);
        const btCollisionObjectWrapper two(nullptr, second.getCollisionShape(), &second, second.getWorldTransform(), -1, -1);
        btCollisionAlgorithm *algorithm = dispatcher_.findAlgorithm(&one, &two, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        btManifoldResult result(&one, &two);
        result.m_closestPointDistanceThreshold = btScalar(large * margin);
        btDispatcherInfo info;
        algorithm->processCollision(&one, &two, info, &result);
        double most = apart;
        btManifoldArray manifolds;
        algorithm->getAllContactManifolds(manifolds);
        for (int m = 0; m < manifolds.size(); ++m)
            for (int k = 0; k < manifolds[m]->getNumContacts(); ++k)
                most = std::max(most, -double(manifolds[m]->getContactPoint(k).getDistance()));
        algorithm->~btCollisionAlgorithm();
        dispatcher_.freeCollisionAlgorithm(algorithm);
        return most / large;
    }

protected:
    /// Bullet's tolerances are absolute, and it misses overlaps of bodies below 5 cm. So it gets ours ten times as large.
    static constexpr double large = 10;

    void keep(std::unique_ptr<btCollisionShape> shape) {
        auto object = std::make_unique<btCollisionObject>();
        object->setCollisionShape(shape.get());
        shapes_.push_back(std::move(shape));
        objects_.push_back(std::move(object));
    }

private:
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

/// Bullet puts this around its shapes. By default 4 cm, more than our fragments are thick.
constexpr btScalar skin = btScalar(0.002);

class Hulls final : public Bullet {
public:
    const char *name() const override { return "Bullet, convex hulls"; }
    void prepare(const std::vector<fracas::Surface> &surfaces) override {
        for (const fracas::Surface &surface : surfaces) {
            std::vector<float> points = surface.positions;
            for (float &x : points) x *= float(large);
            auto hull = std::make_unique<btConvexHullShape>(points.data(), int(points.size() / 3), 3 * int(sizeof(float)));
            hull->setMargin(skin);
            hull->optimizeConvexHull();
            keep(std::move(hull));
        }
    }
};

class Triangles final : public Bullet {
public:
    const char *name() const override { return "Bullet, triangles (GImpact)"; }
    void prepare(const std::vector<fracas::Surface> &surfaces) override {
        for (const fracas::Surface &surface : surfaces) {
            auto mesh = std::make_unique<btTriangleMesh>();
            const auto corner = [&](std::uint32_t v) {
                return btScalar(large) * btVector3(surface.positions[3 * v], surface.positions[3 * v + 1], surface.positions[3 * v + 2]);
            };
            for (const fc_triangle &t : surface.triangles) mesh->addTriangle(corner(t.corners[0]), corner(t.corners[1]), corner(t.corners[2]));
            auto shape = std::make_unique<btGImpactMeshShape>(mesh.get());
            shape->setMargin(skin);
            shape->updateBound();
            meshes_.push_back(std::move(mesh));
            keep(std::move(shape));
        }
    }

private:
    std::vector<std::unique_ptr<btTriangleMesh>> meshes_;
};

} // namespace

std::vector<MakeColliders> bullet_colliders() {
    return {[]() -> std::unique_ptr<OwnColliders> { return std::make_unique<Hulls>(); },
            []() -> std::unique_ptr<OwnColliders> { return std::make_unique<Triangles>(); }};
}

} // namespace demo
