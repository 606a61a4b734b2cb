// The scenarios on Jolt 5, through adapters/jolt.
#include "../world.hpp"

#include <adapters/jolt/jolt.hpp>

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/JobSystemThreadPool.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyLock.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseLayerInterfaceTable.h>
#include <Jolt/Physics/Collision/BroadPhase/ObjectVsBroadPhaseLayerFilterTable.h>
#include <Jolt/Physics/Collision/CastResult.h>
#include <Jolt/Physics/Collision/NarrowPhaseQuery.h>
#include <Jolt/Physics/Collision/ObjectLayerPairFilterTable.h>
#include <Jolt/Physics/Collision/RayCast.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/HeightFieldShape.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>
#include <Jolt/Physics/Collision/Shape/RotatedTranslatedShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/RegisterTypes.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

namespace demo {

/// Jolt's types are the whole program's.
void start_jolt() {
    static const bool started = [] {
        JPH::RegisterDefaultAllocator();
        JPH::Factory::sInstance = new JPH::Factory;
        JPH::RegisterTypes();
        adapter::jolt::register_shape();
        return true;
    }();
    (void)started;
}

namespace {

using namespace adapter::jolt;
using JPH::Vec3;

/// What is fixed and what moves; what is fixed needs no pairs among itself.
struct Layers {
    static constexpr JPH::ObjectLayer fixed = 0, moving = 1;
    static constexpr JPH::uint count = 2;

    JPH::BroadPhaseLayerInterfaceTable broad_phase{count, count};
    JPH::ObjectLayerPairFilterTable pairs{count};
    std::optional<JPH::ObjectVsBroadPhaseLayerFilterTable> filter; // made last: it reads the other two when it is made

    Layers() {
        for (const JPH::ObjectLayer layer : {fixed, moving})
            broad_phase.MapObjectToBroadPhaseLayer(layer, JPH::BroadPhaseLayer(JPH::BroadPhaseLayer::Type(layer)));
        pairs.EnableCollision(fixed, moving);
        pairs.EnableCollision(moving, moving);
        filter.emplace(broad_phase, count, pairs, count);
    }
};

/// Room for the largest scenes. A contact is a constraint of its own here (see adapters/jolt/jolt.cpp).
constexpr JPH::uint most_bodies = 4096, most_pairs = 16384, most_contacts = 16384;
constexpr JPH::uint bytes_for_a_step = 64 << 20;

/// Rounds the edges of Jolt's own shapes among themselves; a share of the shape, or bodies of 10 cm would be balls.
float rounding(Vec half) { return 0.02f * float(std::min({half.x, half.y, half.z})); }

/// Jolt's tolerances are for metres; these are for bodies of 10 cm that are to lie as if they were real.
JPH::PhysicsSettings settings_for(const Tuning &tuning) {
    JPH::PhysicsSettings settings;
    settings.mPenetrationSlop = float(tuning.slop);
    // How far apart pairs are looked at: what may close in a step, at 4 m/s. Gaps of contacts are those of the query, see below.
    settings.mSpeculativeContactDistance = 0.02f;
    settings.mNumVelocitySteps = std::max(tuning.iterations, 2u); // friction needs two
    settings.mNumPositionSteps = std::max(3 * tuning.iterations, 4u); // a ball on a shard is forty times as heavy
    settings.mConstraintWarmStart = tuning.warm_starting;
    settings.mBaumgarte = 0.2f;
    settings.mMaxPenetrationDistance = 0.01f;
    settings.mBodyPairCacheMaxDeltaPositionSq = JPH::Square(1e-4f);
    settings.mBodyPairCacheCosMaxDeltaRotationDiv2 = JPH::Cos(0.5f * 2e-3f);
    settings.mContactPointPreserveLambdaMaxDistSq = JPH::Square(0.003f);
    settings.mManifoldToleranceSq = JPH::Square(1e-4f);
    settings.mMinVelocityForRestitution = 0.25f;
    settings.mPointVelocitySleepThreshold = 0.01f;
    settings.mTimeBeforeSleep = 0.5f;
    settings.mAllowSleeping = tuning.sleeping;
    return settings;
}

class JoltWorld final : public World, private adapter::Observer {
public:
    JoltWorld(const Tuning &tuning, adapter::Query &query)
        : tuning_(tuning), theirs_(query), query_(query), temporary_(bytes_for_a_step) {
        // Half of what is allowed: with wide gaps a shard that rocks has contacts where it does not touch yet, in place of those where it does.
        theirs_.margin = 0.5 * tuning.speculative;
        // The thread that steps works too.
        if (tuning.threads > 1)
            jobs_ = std::make_unique<JPH::JobSystemThreadPool>(JPH::cMaxPhysicsJobs, JPH::cMaxPhysicsBarriers, int(tuning.threads) - 1);
        else
            jobs_ = std::make_unique<JPH::JobSystemSingleThreaded>(JPH::cMaxPhysicsJobs);
        system_.Init(most_bodies, 0, most_pairs, most_contacts, layers_.broad_phase, *layers_.filter, layers_.pairs);
        system_.SetPhysicsSettings(settings_for(tuning));
        system_.SetGravity(to_jolt(tuning.gravity));
        // One surface for the whole world: the numbers themselves, not the mean of two bodies'.
        system_.SetCombineFriction([](const JPH::Body &a, const JPH::SubShapeID &, const JPH::Body &, const JPH::SubShapeID &) {
            return a.GetFriction();
        });
        system_.SetCombineRestitution([](const JPH::Body &a, const JPH::SubShapeID &, const JPH::Body &, const JPH::SubShapeID &) {
            return a.GetRestitution();
        });
    }

    ~JoltWorld() override {
        for (const Record &record : records_)
            if (record.body) drop(record);
        forget_hulls();
    }

    const char *engine() const override { return "jolt"; }

    std::string settings() const override {
        const JPH::PhysicsSettings &s = system_.GetPhysicsSettings();
        std::ostringstream text;
        text << "mPenetrationSlop " << s.mPenetrationSlop << ", mSpeculativeContactDistance " << s.mSpeculativeContactDistance
             << ", mNumVelocitySteps " << s.mNumVelocitySteps << ", mNumPositionSteps " << s.mNumPositionSteps << ", mBaumgarte "
             << s.mBaumgarte << ", mMaxPenetrationDistance " << s.mMaxPenetrationDistance << ", body pair cache "
             << 1e3f * std::sqrt(s.mBodyPairCacheMaxDeltaPositionSq) << " mm and "
             << 2e3f * std::acos(double(s.mBodyPairCacheCosMaxDeltaRotationDiv2)) << " mrad, mPointVelocitySleepThreshold "
             << s.mPointVelocitySleepThreshold << ", mTimeBeforeSleep " << s.mTimeBeforeSleep << ", mUseManifoldReduction off, "
             << tuning_.threads << (tuning_.threads == 1 ? " thread" : " threads");
        return text.str();
    }

    Body add(fc_object object, const Pose &pose, const Motion &motion, bool fixed) override {
        const JPH::Ref<Shape> shape = Shape::of(object, query_);
        if (!shape) throw std::runtime_error(fc_last_error());
        JPH::BodyCreationSettings settings =
            body_settings(*shape, pose, motion, fixed ? JPH::EMotionType::Static : JPH::EMotionType::Dynamic,
                          fixed ? Layers::fixed : Layers::moving);
        return add(settings, object);
    }

    Body add(const Primitive &primitive, const Pose &pose, double mass, const Motion &motion) override {
        const JPH::ShapeSettings::ShapeResult made = shape_of(primitive);
        if (made.HasError()) throw std::runtime_error("Jolt: " + std::string(made.GetError().c_str()));
        const JPH::ShapeRefC shape = made.Get();
        const bool fixed = mass <= 0 || shape->MustBeStatic() || primitive.kind == Primitive::Kind::Plane;
        // A plane is a box whose top is at z = 0: Jolt 5.0 has none. It is thin, so that the float that says where its middle is
        // has small steps.
        const Pose at = primitive.kind == Primitive::Kind::Plane ? pose * Pose{{0, 0, -plane_half.z}, {}} : pose;
        JPH::BodyCreationSettings settings(shape, to_jolt_place(at.position), to_jolt(at.rotation),
                                           fixed ? JPH::EMotionType::Static : JPH::EMotionType::Dynamic,
                                           fixed ? Layers::fixed : Layers::moving);
        settings.mLinearVelocity = to_jolt(motion.linear);
        settings.mAngularVelocity = to_jolt(motion.angular);
        if (!fixed) {
            settings.mOverrideMassProperties = JPH::EOverrideMassProperties::CalculateInertia;
            settings.mMassPropertiesOverride.mMass = float(mass);
        }
        const Body body = add(settings, fc_object{0});
        record(body).frame = primitive.kind == Primitive::Kind::Plane ? Pose{{0, 0, plane_half.z}, {}} : Pose{};
        return body;
    }

    void remove(Body body) override {
        const JPH::AABox bounds = record(body).body->GetWorldSpaceBounds();
        drop(record(body));
        forget(body);
        system_.GetBodyInterface().ActivateBodiesInAABox(bounds, {}, {});
    }

    std::vector<Body> replace(Body body, const std::vector<fc_object> &fragments) override {
        const std::vector<JPH::BodyID> parts = adapter::jolt::replace(system_, record(body).body->GetID(), fragments);
        if (parts.empty()) return {};
        forget(body);
        std::vector<Body> bodies;
        for (std::size_t k = 0; k < parts.size(); ++k)
            bodies.push_back(enter(system_.GetBodyLockInterfaceNoLock().TryGetBody(parts[k]), fragments[k]));
        return bodies;
    }

    void step(double seconds) override {
        query_ = theirs_;
        query_.observer = theirs_.observer ? this : nullptr;
        if (new_bodies_ > 0) system_.OptimizeBroadPhase();
        new_bodies_ = 0;
        before_step(system_, seconds);
        const JPH::EPhysicsUpdateError error = system_.Update(float(seconds), 1, &temporary_, jobs_.get());
        if (error != JPH::EPhysicsUpdateError::None)
            throw std::runtime_error("Jolt has no room for all contacts; raise most_pairs or most_contacts in worlds/jolt.cpp");
    }

    Pose pose(Body body) const override {
        const Record &r = record(body);
        return Pose{from_jolt(r.body->GetPosition()), from_jolt(r.body->GetRotation())} * r.frame;
    }
    Motion motion(Body body) const override {
        const JPH::Body &b = *record(body).body;
        return {from_jolt(b.GetLinearVelocity()), from_jolt(b.GetAngularVelocity())};
    }
    void set_motion(Body body, const Motion &motion) override {
        system_.GetBodyInterface().SetLinearAndAngularVelocity(record(body).body->GetID(), to_jolt(motion.linear), to_jolt(motion.angular));
    }
    bool asleep(Body body) const override { return !record(body).body->IsActive(); }

    void push(Body body, Vec point, Vec impulse) override {
        system_.GetBodyInterface().AddImpulse(record(body).body->GetID(), to_jolt(impulse), to_jolt_place(point));
    }

    std::optional<Hit> ray(Vec from, Vec direction, double length) const override {
        const JPH::RRayCast ray(to_jolt_place(from), to_jolt(length * adapter::unit(direction)));
        JPH::RayCastResult hit;
        if (!system_.GetNarrowPhaseQuery().CastRay(ray, hit)) return std::nullopt;
        JPH::BodyLockRead lock(system_.GetBodyLockInterface(), hit.mBodyID);
        if (!lock.Succeeded()) return std::nullopt;
        const JPH::Body &body = lock.GetBody();
        const Vec3 normal = body.GetWorldSpaceSurfaceNormal(hit.mSubShapeID2, ray.GetPointOnRay(hit.mFraction));
        return Hit{Body(body.GetUserData()), double(hit.mFraction) * length, from_jolt(normal)};
    }

private:
    struct Record {
        JPH::Body *body = nullptr; // null: gone
        fc_object object{0};
        Pose frame; // of the primitive, in Jolt's body
    };
    static constexpr Vec plane_half{100, 100, 1};

    static JPH::ShapeSettings::ShapeResult shape_of(const Primitive &primitive);

    Record &record(Body body) {
        if (body == 0 || body > records_.size() || !records_[body - 1].body) throw std::out_of_range("no such body");
        return records_[body - 1];
    }
    const Record &record(Body body) const { return const_cast<JoltWorld *>(this)->record(body); }

    Body add(JPH::BodyCreationSettings &settings, fc_object object) {
        settings.mFriction = float(tuning_.surface.friction);
        settings.mRestitution = float(tuning_.surface.restitution);
        settings.mLinearDamping = float(tuning_.linear_damping);
        settings.mAngularDamping = float(tuning_.angular_damping);
        JPH::Body *body = create_body(system_.GetBodyInterface(), settings);
        if (!body) throw std::runtime_error("Jolt has no room for more bodies; raise most_bodies in worlds/jolt.cpp");
        system_.GetBodyInterface().AddBody(body->GetID(), JPH::EActivation::Activate);
        ++new_bodies_;
        return enter(body, object);
    }
    Body enter(JPH::Body *body, fc_object object) {
        records_.push_back({body, object, {}});
        const Body number = Body(records_.size());
        body->SetUserData(number);
        if (object.id != 0) by_object_[object.id] = body;
        return number;
    }
    void forget(Body body) {
        by_object_.erase(record(body).object.id);
        record(body).body = nullptr;
    }
    void drop(const Record &record) {
        const JPH::BodyID id = record.body->GetID();
        system_.GetBodyInterface().RemoveBody(id);
        system_.GetBodyInterface().DestroyBody(id);
    }

    /// Jolt collides in a frame whose origin is the first body's centre of mass, and does not say where that is; contacts are
    /// relative to the object's own position there, which we know. During a step bodies do not move before all is collided.
    void queried(fc_object a, fc_object b, const fc_contact *contacts, std::uint32_t count, Vec origin,
                 std::uint64_t nanoseconds) override {
        if (const auto known = by_object_.find(a.id); known != by_object_.end()) origin = from_jolt(known->second->GetPosition());
        theirs_.observer->queried(a, b, contacts, count, origin, nanoseconds);
    }

    const Tuning tuning_;
    adapter::Query &theirs_;
    adapter::Query query_; // what shapes ask with: theirs, and we listen
    Layers layers_;
    JPH::TempAllocatorImpl temporary_;
    std::unique_ptr<JPH::JobSystem> jobs_;
    JPH::PhysicsSystem system_;
    std::vector<Record> records_; // body n is at n - 1
    std::unordered_map<std::uint64_t, JPH::Body *> by_object_;
    std::uint32_t new_bodies_ = 0;
};

JPH::ShapeSettings::ShapeResult JoltWorld::shape_of(const Primitive &primitive) {
    using Kind = Primitive::Kind;
    // Jolt's capsules and height fields stand along y; this puts their y along our z.
    const JPH::Quat upright = JPH::Quat::sRotation(Vec3::sAxisX(), 0.5f * JPH::JPH_PI);
    switch (primitive.kind) {
    case Kind::Plane: return JPH::BoxShapeSettings(to_jolt(plane_half), rounding(plane_half)).Create();
    case Kind::Box: return JPH::BoxShapeSettings(to_jolt(primitive.half), rounding(primitive.half)).Create();
    case Kind::Ball: return JPH::SphereShapeSettings(float(primitive.radius)).Create();
    case Kind::Capsule: {
        const JPH::Ref<JPH::ShapeSettings> capsule = new JPH::CapsuleShapeSettings(float(primitive.half.z), float(primitive.radius));
        return JPH::RotatedTranslatedShapeSettings(Vec3::sZero(), upright, capsule).Create();
    }
    case Kind::Hull: {
        JPH::Array<Vec3> points;
        for (const Vec &point : primitive.points) points.push_back(to_jolt(point));
        JPH::ConvexHullShapeSettings hull(points, 1e-4f);
        // By default points may stick out by 1 mm. With too small a tolerance Jolt finds no hull of dense points.
        hull.mHullTolerance = 1e-5f;
        for (JPH::ShapeSettings::ShapeResult made = hull.Create(); made.HasError() && hull.mHullTolerance < 1e-3f; made = hull.Create()) {
            hull.mHullTolerance *= 5;
            hull.ClearCachedResult();
        }
        return hull.Create();
    }
    case Kind::Mesh: {
        JPH::VertexList points;
        JPH::IndexedTriangleList triangles;
        for (const Vec &point : primitive.points) points.push_back(JPH::Float3(float(point.x), float(point.y), float(point.z)));
        for (std::size_t k = 0; k + 2 < primitive.triangles.size(); k += 3)
            triangles.push_back({primitive.triangles[k], primitive.triangles[k + 1], primitive.triangles[k + 2]});
        return JPH::MeshShapeSettings(points, triangles).Create();
    }
    case Kind::HeightField: {
        // Upright, Jolt's z is our -y: its rows run the other way. And its fields are square, with an even number of samples.
        JPH::uint side = std::max({primitive.columns, primitive.rows, 4u});
        side += side % 2;
        std::vector<float> samples(std::size_t(side) * side, JPH::HeightFieldShapeConstants::cNoCollisionValue);
        for (std::uint32_t row = 0; row < primitive.rows; ++row)
            for (std::uint32_t column = 0; column < primitive.columns; ++column)
                samples[std::size_t(side - 1 - row) * side + column] = primitive.heights[std::size_t(row) * primitive.columns + column];
        const float spacing = float(primitive.spacing);
        const JPH::Ref<JPH::ShapeSettings> field = new JPH::HeightFieldShapeSettings(
            samples.data(), Vec3(0, 0, -spacing * float(side - 1)), Vec3(spacing, 1, spacing), side);
        return JPH::RotatedTranslatedShapeSettings(Vec3::sZero(), upright, field).Create();
    }
    }
    throw std::logic_error("no such primitive");
}

} // namespace

std::unique_ptr<World> make_jolt_world(const Tuning &tuning, adapter::Query &query) {
    start_jolt();
    return std::make_unique<JoltWorld>(tuning, query);
}

} // namespace demo
