// A world of PhysX. Everything of Fracas in it is in adapters/physx; here are the engine's own bodies and its settings.
#include <adapters/physx/physx.hpp>
#include "../world.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <sstream>

namespace demo {

namespace {

using namespace ::physx;
using adapter::px::from_px;
using adapter::px::to_px;

/// Releases what PhysX made.
struct Release {
    template <class T>
    void operator()(T *thing) const { thing->release(); }
};
template <class T>
using Held = std::unique_ptr<T, Release>;

/// Bodies are of 10 cm: cooking welds vertices and the solver finds friction anchors again by lengths in proportion. They fall
/// for a few tenths of a second, so 1 m/s is a usual speed; it makes 0.2 m/s the least that bounces.
const PxTolerancesScale scale(0.1f, 1);

/// There is one PhysX in a process, as long as there is a world.
class Sdk {
public:
    static std::shared_ptr<Sdk> shared() {
        static std::mutex guard;
        static std::weak_ptr<Sdk> only;
        std::lock_guard lock(guard);
        std::shared_ptr<Sdk> sdk = only.lock();
        if (!sdk) only = sdk = std::make_shared<Sdk>();
        return sdk;
    }
    Sdk()
        : foundation_(PxCreateFoundation(PX_PHYSICS_VERSION, allocator_, errors_)),
          physics_(PxCreatePhysics(PX_PHYSICS_VERSION, *foundation_, scale)) {}
    PxPhysics &physics() { return *physics_; }

private:
    PxDefaultAllocator allocator_;
    PxDefaultErrorCallback errors_;
    Held<PxFoundation> foundation_;
    Held<PxPhysics> physics_;
};

/// Axes of PhysX's shapes that are not ours.
const Pose x_to_z{{}, adapter::turn({0, 1, 0}, -std::acos(-1.0) / 2)};                     // planes, capsules
const Pose field_to_ours{{}, adapter::from_axes({0, 1, 0}, {0, 0, 1}, {1, 0, 0})};         // rows, height, columns

class PhysxWorld final : public World {
public:
    PhysxWorld(const Tuning &tuning, adapter::Query &query) : tuning_(tuning) {
        // Bodies come to rest where they touch. PhysX has no slop: it takes back all of an overlap.
        settings_.rest_offset = 0;
        settings_.contact_offset = static_cast<float>(tuning.speculative / 2);
        // It starts each step from zero impulses, so it needs more iterations than those that start from the last ones: a stack
        // of six bricks sinks by 0.5 % of their radius with 20, by 0.01 % with 60.
        settings_.position_iterations = std::min(3 * tuning.iterations, 255u);
        settings_.linear_damping = static_cast<float>(tuning.linear_damping);
        settings_.angular_damping = static_cast<float>(tuning.angular_damping);
        settings_.sleep_energy = tuning.sleeping ? settings_.sleep_energy : 0;
        // Contacts are found on the way of a step, so gaps need not be wide; in wide ones a shard that rocks has contacts where it
        // does not touch, instead of where it will touch next. The solver takes any number, and of eight some are always there.
        query.margin = std::min(tuning.speculative, 2e-4);
        gap_ = query.margin;
        query.most_per_normal = std::max(query.most_per_normal, 12u);

        PxPhysics &physics = sdk_->physics();
        dispatcher_.reset(PxDefaultCpuDispatcherCreate(tuning.threads > 1 ? tuning.threads : 0)); // 0: on the one that steps
        const Surface &surface = tuning.surface;
        material_.reset(physics.createMaterial(float(surface.friction), float(surface.friction), float(surface.restitution)));
        PxSceneDesc desc(scale);
        desc.gravity = to_px(tuning.gravity);
        desc.cpuDispatcher = dispatcher_.get();
        desc.filterShader = PxDefaultSimulationFilterShader;
        // The other one, PGS, leaves ten times the overlap where a ball lies on a shard that is forty times lighter.
        desc.solverType = PxSolverType::eTGS;
        // The same for any number of threads.
        desc.flags |= PxSceneFlag::eENABLE_ENHANCED_DETERMINISM;
        scene_.reset(physics.createScene(desc));
        bodies_ = std::make_unique<adapter::px::Bodies>(*scene_, *material_, query, settings_);
    }

    ~PhysxWorld() override {
        for (PxRigidActor *actor : actors_)
            if (actor) bodies_->remove(*actor);
    }

    const char *engine() const override { return "physx"; }

    std::string settings() const override {
        std::ostringstream text;
        text << "PhysX 5.1.3, TGS, " << settings_.position_iterations << " position and " << settings_.velocity_iterations
             << " velocity iterations, gaps of " << gap_
             << " m and what may close in a step, contactOffset " << settings_.contact_offset << " m, restOffset "
             << settings_.rest_offset << " m, tolerances scale " << scale.length << " m and " << scale.speed
             << " m/s, maxDepenetrationVelocity " << settings_.depenetration << " m/s, sleepThreshold "
             << settings_.sleep_energy << " J/kg, bounceThresholdVelocity " << scene_->getBounceThresholdVelocity()
             << " m/s, " << tuning_.threads << " threads";
        return text.str();
    }

    Body add(fc_object object, const Pose &pose, const Motion &motion, bool fixed) override {
        return known(bodies_->add(object, pose, motion, fixed));
    }

    Body add(const Primitive &primitive, const Pose &pose, double mass, const Motion &motion) override {
        PxPhysics &physics = sdk_->physics();
        const bool fixed = mass == 0;
        PxRigidActor *actor = fixed ? static_cast<PxRigidActor *>(physics.createRigidStatic(to_px(pose)))
                                    : physics.createRigidDynamic(to_px(pose));
        apply(settings_, *add_shape(primitive, *actor));
        if (auto *dynamic = actor->is<PxRigidDynamic>()) {
            PxRigidBodyExt::setMassAndUpdateInertia(*dynamic, static_cast<float>(mass));
            apply(settings_, *dynamic);
            dynamic->setLinearVelocity(to_px(motion.linear));
            dynamic->setAngularVelocity(to_px(motion.angular));
        }
        scene_->addActor(*actor);
        return known(actor);
    }

    void remove(Body body) override {
        PxRigidActor &actor = at(body);
        bodies_->remove(actor);
        actors_[body - 1] = nullptr;
    }

    std::vector<Body> replace(Body body, const std::vector<fc_object> &fragments) override {
        std::vector<Body> parts;
        for (PxRigidActor *part : bodies_->replace(at(body), fragments)) parts.push_back(known(part));
        if (!parts.empty()) actors_[body - 1] = nullptr;
        return parts;
    }

    void step(double seconds) override {
        bodies_->before_step(seconds);
        scene_->simulate(static_cast<float>(seconds));
        scene_->fetchResults(true);
    }

    Pose pose(Body body) const override { return from_px(at(body).getGlobalPose()); }
    Motion motion(Body body) const override { return adapter::px::motion_of(at(body)); }
    void set_motion(Body body, const Motion &motion) override {
        auto *dynamic = at(body).is<PxRigidDynamic>();
        if (!dynamic) return;
        dynamic->setLinearVelocity(to_px(motion.linear));
        dynamic->setAngularVelocity(to_px(motion.angular));
    }
    bool asleep(Body body) const override {
        const auto *dynamic = at(body).is<PxRigidDynamic>();
        return !dynamic || dynamic->isSleeping();
    }

    void push(Body body, Vec point, Vec impulse) override {
        auto *dynamic = at(body).is<PxRigidDynamic>();
        if (!dynamic) return;
        // At once: PhysX itself would keep it until the next step.
        PxVec3 linear, angular;
        PxRigidBodyExt::computeVelocityDeltaFromImpulse(*dynamic, dynamic->getGlobalPose(), to_px(point), to_px(impulse), 1, 1,
                                                        linear, angular);
        const Motion now = motion(body);
        set_motion(body, {now.linear + from_px(linear), now.angular + from_px(angular)});
    }

    std::optional<Hit> ray(Vec from, Vec direction, double length) const override {
        PxRaycastBuffer hits;
        if (!scene_->raycast(to_px(from), to_px(adapter::unit(direction)), static_cast<float>(length), hits))
            return std::nullopt;
        const PxRaycastHit &hit = hits.block;
        const auto body = static_cast<Body>(reinterpret_cast<std::uintptr_t>(hit.actor->userData));
        return Hit{body, hit.distance, from_px(hit.normal)};
    }

private:
    PxRigidActor &at(Body body) const { return *actors_[body - 1]; }

    /// 0 for none.
    Body known(PxRigidActor *actor) {
        if (!actor) return 0;
        actors_.push_back(actor);
        const auto body = static_cast<Body>(actors_.size());
        actor->userData = reinterpret_cast<void *>(std::uintptr_t(body));
        return body;
    }

    PxShape *add_shape(const Primitive &primitive, PxRigidActor &actor) {
        const auto shape = [&](const PxGeometry &geometry, const Pose &frame = {}) {
            PxShape *made = PxRigidActorExt::createExclusiveShape(actor, geometry, *material_);
            made->setLocalPose(to_px(frame));
            return made;
        };
        const auto radius = static_cast<float>(primitive.radius);
        switch (primitive.kind) {
        case Primitive::Kind::Plane: return shape(PxPlaneGeometry(), x_to_z);
        case Primitive::Kind::Box: return shape(PxBoxGeometry(to_px(primitive.half)));
        case Primitive::Kind::Ball: return shape(PxSphereGeometry(radius));
        case Primitive::Kind::Capsule: return shape(PxCapsuleGeometry(radius, float(primitive.half.z)), x_to_z);
        case Primitive::Kind::Hull: return shape(PxConvexMeshGeometry(hull(primitive).get()));
        case Primitive::Kind::Mesh: return shape(PxTriangleMeshGeometry(mesh(primitive).get()));
        case Primitive::Kind::HeightField: return height_field(primitive, shape);
        }
        return nullptr;
    }

    static std::vector<PxVec3> points(const Primitive &primitive) {
        std::vector<PxVec3> points;
        for (const Vec &point : primitive.points) points.push_back(to_px(point));
        return points;
    }

    // The shape keeps what it was made from.
    static Held<PxConvexMesh> hull(const Primitive &primitive) {
        const std::vector<PxVec3> corners = points(primitive);
        PxConvexMeshDesc desc;
        desc.points.data = corners.data();
        desc.points.count = static_cast<PxU32>(corners.size());
        desc.points.stride = sizeof(PxVec3);
        desc.flags = PxConvexFlag::eCOMPUTE_CONVEX;
        return Held<PxConvexMesh>(PxCreateConvexMesh(PxCookingParams(scale), desc, *PxGetStandaloneInsertionCallback()));
    }

    static Held<PxTriangleMesh> mesh(const Primitive &primitive) {
        const std::vector<PxVec3> corners = points(primitive);
        PxTriangleMeshDesc desc;
        desc.points.data = corners.data();
        desc.points.count = static_cast<PxU32>(corners.size());
        desc.points.stride = sizeof(PxVec3);
        desc.triangles.data = primitive.triangles.data();
        desc.triangles.count = static_cast<PxU32>(primitive.triangles.size() / 3);
        desc.triangles.stride = 3 * sizeof(std::uint32_t);
        return Held<PxTriangleMesh>(PxCreateTriangleMesh(PxCookingParams(scale), desc, *PxGetStandaloneInsertionCallback()));
    }

    template <class Shape>
    static PxShape *height_field(const Primitive &primitive, const Shape &shape) {
        float highest = 1e-6f;
        for (const float height : primitive.heights) highest = std::max(highest, std::abs(height));
        const float unit = highest / 32767; // heights are of 16 bits
        std::vector<PxHeightFieldSample> samples(primitive.heights.size());
        for (std::size_t k = 0; k < samples.size(); ++k) {
            samples[k].height = static_cast<PxI16>(std::lround(primitive.heights[k] / unit));
            samples[k].materialIndex0 = samples[k].materialIndex1 = 0;
            samples[k].setTessFlag(); // cells are cut from their lowest column and row to the highest
        }
        PxHeightFieldDesc desc;
        desc.nbRows = primitive.rows;
        desc.nbColumns = primitive.columns;
        desc.samples.data = samples.data();
        desc.samples.stride = sizeof(PxHeightFieldSample);
        const Held<PxHeightField> field(PxCreateHeightField(desc, *PxGetStandaloneInsertionCallback()));
        const auto spacing = static_cast<float>(primitive.spacing);
        return shape(PxHeightFieldGeometry(field.get(), PxMeshGeometryFlags(), unit, spacing, spacing), field_to_ours);
    }

    Tuning tuning_;
    double gap_;
    adapter::px::Settings settings_;
    std::shared_ptr<Sdk> sdk_ = Sdk::shared();
    Held<PxDefaultCpuDispatcher> dispatcher_;
    Held<PxMaterial> material_;
    Held<PxScene> scene_;
    std::unique_ptr<adapter::px::Bodies> bodies_;
    std::vector<PxRigidActor *> actors_; // by number; null when gone
};

} // namespace

std::shared_ptr<void> hold_physx() { return Sdk::shared(); }

std::unique_ptr<World> make_physx_world(const Tuning &tuning, adapter::Query &query) {
    return std::make_unique<PhysxWorld>(tuning, query);
}

} // namespace demo
