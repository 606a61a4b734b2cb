// What one would use in Jolt: a convex hull for each fragment. (Its triangle meshes cannot move.)
#include "../colliders.hpp"

#include <adapters/jolt/jolt.hpp>

#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionCollectorImpl.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>

namespace demo {

// Of worlds/jolt.cpp: Jolt has to be started before anything of it is made.
void start_jolt();

namespace {

class Hulls final : public OwnColliders {
public:
    const char *name() const override { return "Jolt, convex hulls"; }

    void prepare(const std::vector<fracas::Surface> &surfaces) override {
        start_jolt();
        for (const fracas::Surface &surface : surfaces) {
            JPH::Array<JPH::Vec3> points;
            for (std::size_t k = 0; k + 2 < surface.positions.size(); k += 3)
                points.push_back({surface.positions[k], surface.positions[k + 1], surface.positions[k + 2]});
            // Jolt rounds hulls by 5 cm by default, more than our fragments are thick.
            const JPH::ConvexHullShapeSettings settings(points, 0);
            const JPH::Shape::ShapeResult made = settings.Create();
            if (made.HasError()) give_up(std::string("Jolt makes no hull: ") + made.GetError().c_str());
            hulls_.push_back(made.Get());
        }
    }

    double deepest(std::uint32_t a, const Pose &pose_a, std::uint32_t b, const Pose &pose_b, double margin) override {
        const auto placed = [](const JPH::Shape &shape, const Pose &pose) {
            const Quat &q = pose.rotation;
            const JPH::Mat44 frame = JPH::Mat44::sRotationTranslation({float(q.x), float(q.y), float(q.z), float(q.w)},
                                                                      {float(pose.position.x), float(pose.position.y), float(pose.position.z)});
            return frame.PreTranslated(shape.GetCenterOfMass());
        };
        JPH::CollideShapeSettings settings;
        settings.mMaxSeparationDistance = float(margin);
        JPH::AllHitCollisionCollector<JPH::CollideShapeCollector> hits;
        JPH::CollisionDispatch::sCollideShapeVsShape(hulls_[a], hulls_[b], JPH::Vec3::sReplicate(1), JPH::Vec3::sReplicate(1),
                                                     placed(*hulls_[a], pose_a), placed(*hulls_[b], pose_b), {}, {}, settings, hits);
        double most = apart;
        for (const JPH::CollideShapeResult &hit : hits.mHits) most = std::max<double>(most, hit.mPenetrationDepth);
        return most;
    }

private:
    std::vector<JPH::ShapeRefC> hulls_;
};

} // namespace

std::vector<MakeColliders> jolt_colliders() {
    return {[]() -> std::unique_ptr<OwnColliders> { return std::make_unique<Hulls>(); }};
}

} // namespace demo
