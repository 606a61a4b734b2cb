// Jolt: a convex hull a fragment, and the contact points that its own solver would get.
#include "fracas-bench/src/cpp.rs.h"

#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/ManifoldBetweenTwoFaces.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/RegisterTypes.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace fracas_bench {
namespace {

struct Found {
    std::uint32_t pair;
    JPH::Vec3 on_a, on_b, normal;
};

class Hulls final : public Peer {
public:
    Hulls() {
        static const bool started = [] {
            JPH::RegisterDefaultAllocator();
            JPH::Factory::sInstance = new JPH::Factory;
            JPH::RegisterTypes();
            return true;
        }();
        (void)started;
    }

    void prepare(rust::Slice<const Mesh> meshes, double radius) override {
        margin_ = float(margin_share * radius * game_scale);
        shapes_.clear();
        for (const Mesh &mesh : meshes) {
            JPH::Array<JPH::Vec3> points;
            for (std::size_t k = 0; k + 2 < mesh.points.size(); k += 3)
                points.push_back(vector(mesh.points[k], mesh.points[k + 1], mesh.points[k + 2]));
            // By default it rounds by 5 cm, which is more than our fragments are thick.
            JPH::ConvexHullShapeSettings settings(points, 2 * margin_);
            settings.mHullTolerance = margin_;
            JPH::Shape::ShapeResult made = settings.Create();
            // No more than 256 points: coarser until that is enough.
            for (; made.HasError() && settings.mHullTolerance < 32 * margin_; made = settings.Create()) {
                settings.mHullTolerance *= 2;
                settings.ClearCachedResult();
            }
            if (made.HasError()) {
                std::fprintf(stderr, "Jolt makes no hull: %s\n", made.GetError().c_str());
                std::exit(1);
            }
            shapes_.push_back(made.Get());
        }
    }

    void place(rust::Slice<const Place> places) override {
        places_.clear();
        for (std::size_t k = 0; k < places.size(); ++k) {
            const auto &r = places[k].rotation;
            const auto &p = places[k].position;
            const JPH::Quat turn = JPH::Quat(float(r[0]), float(r[1]), float(r[2]), float(r[3])).Normalized();
            const JPH::Mat44 frame = JPH::Mat44::sRotationTranslation(turn, vector(p[0], p[1], p[2]));
            places_.push_back(frame.PreTranslated(shapes_[k]->GetCenterOfMass()));
        }
    }

    std::size_t pass(rust::Slice<const Pair> pairs) override {
        found_.clear();
        JPH::CollideShapeSettings settings;
        settings.mMaxSeparationDistance = margin_;
        settings.mCollectFacesMode = JPH::ECollectFacesMode::CollectFaces;
        const JPH::Vec3 scale = JPH::Vec3::sReplicate(1);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto [a, b] = pairs[k];
            Collector collector(std::uint32_t(k), *this);
            JPH::CollisionDispatch::sCollideShapeVsShape(shapes_[a], shapes_[b], scale, scale, places_[a], places_[b], {}, {}, settings,
                                                         collector);
        }
        return found_.size();
    }

    rust::Vec<Hit> hits() const override {
        rust::Vec<Hit> hits;
        for (const Found &found : found_) {
            const JPH::Vec3 p = (found.on_a + found.on_b) / float(2 * game_scale), n = -found.normal;
            const double depth = double((found.on_a - found.on_b).Dot(found.normal)) / game_scale;
            hits.push_back({found.pair, depth, {p.GetX(), p.GetY(), p.GetZ()}, {n.GetX(), n.GetY(), n.GetZ()}});
        }
        return hits;
    }

private:
    static JPH::Vec3 vector(double x, double y, double z) {
        return {float(x * game_scale), float(y * game_scale), float(z * game_scale)};
    }

    // As in its PhysicsSystem: faces are clipped against each other, and four points are kept.
    struct Collector final : JPH::CollideShapeCollector {
        Collector(std::uint32_t pair, Hulls &hulls) : pair(pair), hulls(hulls) {}
        void AddHit(const JPH::CollideShapeResult &hit) override {
            JPH::ContactPoints on_a, on_b;
            JPH::ManifoldBetweenTwoFaces(hit.mContactPointOn1, hit.mContactPointOn2, hit.mPenetrationAxis,
                                         hulls.margin_ * hulls.margin_, hit.mShape1Face, hit.mShape2Face, on_a, on_b);
            const JPH::Vec3 normal = hit.mPenetrationAxis.Normalized();
            if (on_a.size() > 4) JPH::PruneContactPoints(normal, on_a, on_b);
            for (std::size_t k = 0; k < on_a.size(); ++k) hulls.found_.push_back({pair, on_a[k], on_b[k], normal});
        }
        std::uint32_t pair;
        Hulls &hulls;
    };

    float margin_ = 0;
    std::vector<JPH::ShapeRefC> shapes_;
    std::vector<JPH::Mat44> places_;
    std::vector<Found> found_;
};

} // namespace

std::unique_ptr<Peer> jolt_hulls() { return std::make_unique<Hulls>(); }
rust::String jolt_version() {
    return std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "." + std::to_string(JPH_VERSION_PATCH);
}

} // namespace fracas_bench
