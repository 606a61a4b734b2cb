// Bullet: convex hulls, whole or reduced to 42 points, by GJK (one point a pair) or with faces clipped; and GImpact meshes.
#include "fracas-bench/src/cpp.rs.h"

#include <btBulletCollisionCommon.h>

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btShapeHull.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <string>
#include <vector>

namespace fracas_bench {
namespace {

btVector3 vector(const double *at) {
    return {btScalar(at[0] * game_scale), btScalar(at[1] * game_scale), btScalar(at[2] * game_scale)};
}

// Whatever the shapes are, the dispatcher collides them as in a world of Bullet.
class World : public Peer {
public:
    World() : dispatcher_(&configuration_) { btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_); }

    void prepare(rust::Slice<const Mesh> meshes, double radius) override {
        // Shapes are thickened by this; it is taken off again below.
        margin_ = btScalar(margin_share * radius * game_scale);
        objects_.clear();
        shapes_.clear();
        for (const Mesh &mesh : meshes) {
            shapes_.push_back(shape(mesh));
            objects_.push_back(std::make_unique<btCollisionObject>());
            objects_.back()->setCollisionShape(shapes_.back().get());
        }
    }

    void place(rust::Slice<const Place> places) override {
        for (std::size_t k = 0; k < places.size(); ++k) {
            const auto &r = places[k].rotation;
            const btQuaternion turn{btScalar(r[0]), btScalar(r[1]), btScalar(r[2]), btScalar(r[3])};
            objects_[k]->setWorldTransform(btTransform(turn, vector(places[k].position.data())));
        }
    }

    std::size_t pass(rust::Slice<const Pair> pairs) override {
        found_.clear();
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto wrap = [&](std::uint32_t n) {
                const btCollisionObject &object = *objects_[n];
                return btCollisionObjectWrapper(nullptr, object.getCollisionShape(), &object, object.getWorldTransform(), -1, -1);
            };
            const btCollisionObjectWrapper a = wrap(pairs[k].a), b = wrap(pairs[k].b);
            btCollisionAlgorithm *algorithm = dispatcher_.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
            btManifoldResult result(&a, &b);
            algorithm->processCollision(&a, &b, {}, &result);
            manifolds_.resize(0);
            algorithm->getAllContactManifolds(manifolds_);
            for (int m = 0; m < manifolds_.size(); ++m) {
                const bool turned = manifolds_[m]->getBody0() != objects_[pairs[k].a].get();
                for (int i = 0; i < manifolds_[m]->getNumContacts(); ++i)
                    found_.push_back({std::uint32_t(k), turned, manifolds_[m]->getContactPoint(i)});
            }
            algorithm->~btCollisionAlgorithm();
            dispatcher_.freeCollisionAlgorithm(algorithm);
        }
        return found_.size();
    }

    rust::Vec<Hit> hits() const override {
        rust::Vec<Hit> hits;
        for (const Found &found : found_) {
            const btVector3 p = (found.point.m_positionWorldOnA + found.point.m_positionWorldOnB) / btScalar(2 * game_scale);
            const btVector3 n = found.turned ? -found.point.m_normalWorldOnB : found.point.m_normalWorldOnB;
            const double depth = double(-found.point.getDistance() - 2 * margin_) / game_scale;
            hits.push_back({found.pair, depth, {p.x(), p.y(), p.z()}, {n.x(), n.y(), n.z()}});
        }
        return hits;
    }

protected:
    virtual std::unique_ptr<btCollisionShape> shape(const Mesh &mesh) = 0;

    btScalar margin_ = 0;

private:
    struct Found {
        std::uint32_t pair;
        bool turned;
        btManifoldPoint point;
    };

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btCollisionObject>> objects_;
    btManifoldArray manifolds_;
    std::vector<Found> found_;
};

class Hulls final : public World {
public:
    Hulls(bool reduced, bool clipped) : reduced_(reduced), clipped_(clipped) {}

protected:
    std::unique_ptr<btCollisionShape> shape(const Mesh &mesh) override {
        auto hull = std::make_unique<btConvexHullShape>();
        for (std::size_t k = 0; k + 2 < mesh.points.size(); k += 3) hull->addPoint(vector(&mesh.points[k]), false);
        hull->setMargin(margin_);
        hull->recalcLocalAabb();
        if (reduced_) {
            btShapeHull few(hull.get());
            few.buildHull(0);
            hull = std::make_unique<btConvexHullShape>(&few.getVertexPointer()->x(), few.numVertices());
            hull->setMargin(margin_);
        } else {
            hull->optimizeConvexHull(); // only the corners of the hull stay
        }
        if (clipped_) hull->initializePolyhedralFeatures();
        return hull;
    }

private:
    bool reduced_, clipped_;
};

class Meshes final : public World {
protected:
    std::unique_ptr<btCollisionShape> shape(const Mesh &mesh) override {
        auto triangles = std::make_unique<btTriangleMesh>(true, false);
        triangles->preallocateVertices(int(mesh.points.size() / 3));
        triangles->preallocateIndices(int(mesh.triangles.size()));
        for (std::size_t k = 0; k + 2 < mesh.points.size(); k += 3)
            triangles->findOrAddVertex(vector(&mesh.points[k]), false);
        for (std::size_t k = 0; k + 2 < mesh.triangles.size(); k += 3)
            triangles->addTriangleIndices(int(mesh.triangles[k]), int(mesh.triangles[k + 1]), int(mesh.triangles[k + 2]));
        auto shape = std::make_unique<Owning>(std::move(triangles));
        shape->setMargin(margin_);
        shape->updateBound();
        return shape;
    }

private:
    // A GImpact shape refers to its triangles; here they go with it.
    struct Triangles {
        std::unique_ptr<btTriangleMesh> kept;
    };
    struct Owning final : Triangles, btGImpactMeshShape {
        explicit Owning(std::unique_ptr<btTriangleMesh> triangles)
            : Triangles{std::move(triangles)}, btGImpactMeshShape(kept.get()) {}
        BT_DECLARE_ALIGNED_ALLOCATOR();
    };
};

} // namespace

std::unique_ptr<Peer> bullet_hulls(bool reduced, bool clipped) { return std::make_unique<Hulls>(reduced, clipped); }
std::unique_ptr<Peer> bullet_meshes() { return std::make_unique<Meshes>(); }
rust::String bullet_version() { return std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100); }

} // namespace fracas_bench
