// The world of the scenarios in Bullet.
#include <adapters/bullet/bullet.hpp>
#include "../world.hpp"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace demo {

namespace {

namespace bullet = adapter::bullet;
using bullet::from_bullet;
using bullet::to_bullet;

/// What Bullet was told, and why. Its defaults are for bodies of a metre; ours are of 10 cm.
struct Settings {
    /// Gaps that are contacts anyway, in metres. (Those that may close in a step are too.) If it were much, a shard that rocks had
    /// contacts where it does not touch yet, instead of where it will touch next; with half of this, one that leans on an edge loses the
    /// contact of one side while it is on the other, and rocks for ever.
    double gap = 2e-4;
    /// None: speculative contacts keep what rests from coming and going, which is what slop is for. And samples on the rim of a
    /// body have a depth of 0 however far it sinks, so with slop they would not bear.
    btScalar slop = 0;
    /// Times those asked for: friction begins every step from nothing.
    std::uint32_t iterations = 5;
    /// Split impulses push bodies apart without giving them speed. By default they do so from 4 cm of overlap only.
    btScalar split_impulse_threshold = 0;
    /// Share of the overlap that is taken back in a step.
    btScalar erp = btScalar(0.2);
    /// Bodies slower than this for `sleep_after` seconds sleep. Bullet's own, 0.8 m/s and 1 rad/s, would stop fragments that
    /// are still falling over. The two are about the same for pieces of 3 cm.
    btScalar sleep_linear = btScalar(0.01), sleep_angular = btScalar(0.3), sleep_after = btScalar(0.5);
    /// Below this speed nothing bounces.
    btScalar bounce_from = btScalar(0.1);
};

class BulletWorld final : public World {
public:
    BulletWorld(const Tuning &tuning, adapter::Query &query)
        : tuning_(tuning), jobs_(tuning.threads), dispatcher_(&configuration_, query, &jobs_),
          world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
        query.margin = std::min(tuning.speculative, settings_.gap);
        // The solver takes any number; of eight there are always some where a body that rocks touches next.
        query.most_per_normal = std::max(query.most_per_normal, 12u);
        // Bullet widens all boxes by this, and keeps contacts of its own shapes up to it. It is one for the process, as is
        // the time before sleep.
        gContactBreakingThreshold = btScalar(tuning.speculative);
        gDeactivationTime = settings_.sleep_after;
        world_.setGravity(to_bullet(tuning.gravity));
        btContactSolverInfo &solver = world_.getSolverInfo();
        solver.m_numIterations = static_cast<int>(settings_.iterations * tuning.iterations);
        solver.m_linearSlop = settings_.slop;
        solver.m_splitImpulse = true;
        solver.m_splitImpulsePenetrationThreshold = settings_.split_impulse_threshold;
        solver.m_erp2 = settings_.erp;
        solver.m_restitutionVelocityThreshold = settings_.bounce_from;
        // Along one direction only, the default, stacks turn slowly; and at rest there is no velocity to choose it by.
        solver.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION;
        if (!tuning.warm_starting) solver.m_solverMode &= ~SOLVER_USE_WARMSTARTING;
    }

    ~BulletWorld() override {
        while (!bodies_.empty()) remove(bodies_.begin()->first);
    }

    const char *engine() const override { return "bullet"; }

    std::string settings() const override {
        std::ostringstream text;
        text << "Bullet " << BT_BULLET_VERSION / 100 << '.' << BT_BULLET_VERSION % 100 << ", float: gContactBreakingThreshold "
             << gContactBreakingThreshold << ", m_linearSlop " << settings_.slop << ", m_numIterations "
             << settings_.iterations * tuning_.iterations
             << ", m_splitImpulse true from " << settings_.split_impulse_threshold << ", m_erp2 " << settings_.erp
             << ", m_restitutionVelocityThreshold " << settings_.bounce_from << ", two friction directions that do not depend on velocity"
             << ", sleeping " << (tuning_.sleeping ? "below " : "off, else below ") << settings_.sleep_linear << " m/s and "
             << settings_.sleep_angular << " rad/s for " << settings_.sleep_after << " s, threads " << tuning_.threads;
        return text.str();
    }

    Body add(fc_object object, const Pose &pose, const Motion &motion, bool fixed) override {
        Entry entry;
        auto shape = std::make_unique<bullet::Shape>(object);
        entry.fracas = shape.get();
        btRigidBody::btRigidBodyConstructionInfo info = bullet::body_info(*shape, pose, fixed);
        entry.shape = std::move(shape);
        return add(std::move(entry), info, motion);
    }

    Body add(const Primitive &primitive, const Pose &pose, double mass, const Motion &motion) override {
        Entry entry;
        make_shape(primitive, entry);
        btVector3 inertia(0, 0, 0);
        if (mass > 0) entry.shape->calculateLocalInertia(btScalar(mass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, entry.shape.get(), inertia);
        info.m_startWorldTransform = to_bullet(pose * entry.offset);
        return add(std::move(entry), info, motion);
    }

    void remove(Body body) override {
        const auto found = bodies_.find(body);
        if (found == bodies_.end()) return;
        bullet::remove(world_, *found->second.body);
        bodies_.erase(found);
    }

    std::vector<Body> replace(Body body, const std::vector<fc_object> &fragments) override {
        const Pose at = pose(body);
        const Motion whole = motion(body);
        const Vec centre = at * bodies_.at(body).fracas->inertia().centre;
        std::vector<Motion> motions;
        for (const fc_object fragment : fragments) {
            const std::optional<adapter::Inertia> inertia = adapter::inertia_of(fragment);
            if (!inertia) return {};
            motions.push_back(adapter::inherited(whole, centre, at * inertia->centre));
        }
        remove(body);
        std::vector<Body> added;
        for (std::size_t k = 0; k < fragments.size(); ++k) added.push_back(add(fragments[k], at, motions[k], false));
        return added;
    }

    // One step of just this length: Bullet is not to divide it.
    void step(double seconds) override { world_.stepSimulation(btScalar(seconds), 0); }

    Pose pose(Body body) const override {
        const Entry &entry = bodies_.at(body);
        const btTransform &transform = entry.body->getWorldTransform();
        return entry.fracas ? entry.fracas->pose(transform) : from_bullet(transform) * inverse(entry.offset);
    }

    Motion motion(Body body) const override {
        const btRigidBody &b = *bodies_.at(body).body;
        return {from_bullet(b.getLinearVelocity()), from_bullet(b.getAngularVelocity())};
    }

    void set_motion(Body body, const Motion &motion) override {
        btRigidBody &b = *bodies_.at(body).body;
        b.activate();
        b.setLinearVelocity(to_bullet(motion.linear));
        b.setAngularVelocity(to_bullet(motion.angular));
    }

    bool asleep(Body body) const override { return !bodies_.at(body).body->isActive(); }

    void push(Body body, Vec point, Vec impulse) override {
        btRigidBody &b = *bodies_.at(body).body;
        b.activate();
        b.applyImpulse(to_bullet(impulse), to_bullet(point) - b.getCenterOfMassPosition());
    }

    std::optional<Hit> ray(Vec from, Vec direction, double length) const override {
        const std::optional<bullet::RayHit> hit = bullet::ray_cast(world_, from, direction, length);
        if (!hit) return std::nullopt;
        return Hit{static_cast<Body>(hit->body->getUserIndex()), hit->distance, hit->normal};
    }

private:
    struct Entry {
        std::unique_ptr<btCollisionShape> shape;
        /// The same, if it is of Fracas.
        const bullet::Shape *fracas = nullptr;
        std::unique_ptr<btRigidBody> body;
        /// What the engine only points to.
        std::unique_ptr<btTriangleMesh> triangles;
        std::vector<float> heights;
        /// Of the engine's frame in that of the primitive.
        Pose offset;
    };

    Body add(Entry entry, btRigidBody::btRigidBodyConstructionInfo &info, const Motion &motion) {
        const Body id = ++last_;
        // Bullet multiplies those of two bodies.
        info.m_friction = btScalar(std::sqrt(tuning_.surface.friction));
        info.m_restitution = btScalar(std::sqrt(tuning_.surface.restitution));
        // The share of the speed that is lost in a second; Bullet takes 1 and more for all of it, at once.
        info.m_linearDamping = btScalar(1 - std::exp(-tuning_.linear_damping));
        info.m_angularDamping = btScalar(1 - std::exp(-tuning_.angular_damping));
        info.m_linearSleepingThreshold = settings_.sleep_linear;
        info.m_angularSleepingThreshold = settings_.sleep_angular;
        entry.body = std::make_unique<btRigidBody>(info);
        btRigidBody &body = *entry.body;
        body.setUserIndex(static_cast<int>(id));
        body.setLinearVelocity(to_bullet(motion.linear));
        body.setAngularVelocity(to_bullet(motion.angular));
        if (!tuning_.sleeping) body.setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(&body);
        bodies_.emplace(id, std::move(entry));
        return id;
    }

    static void make_shape(const Primitive &primitive, Entry &entry) {
        switch (primitive.kind) {
        case Primitive::Kind::Plane: entry.shape = std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0)); break;
        case Primitive::Kind::Box: entry.shape = std::make_unique<btBoxShape>(to_bullet(primitive.half)); break;
        case Primitive::Kind::Ball: entry.shape = std::make_unique<btSphereShape>(btScalar(primitive.radius)); break;
        case Primitive::Kind::Capsule:
            entry.shape = std::make_unique<btCapsuleShapeZ>(btScalar(primitive.radius), btScalar(2 * primitive.half.z));
            break;
        case Primitive::Kind::Hull: {
            auto hull = std::make_unique<btConvexHullShape>();
            for (const Vec &point : primitive.points) hull->addPoint(to_bullet(point), false);
            hull->recalcLocalAabb();
            // Bullet would put 4 cm around it.
            hull->setMargin(0);
            entry.shape = std::move(hull);
            break;
        }
        case Primitive::Kind::Mesh: {
            entry.triangles = std::make_unique<btTriangleMesh>();
            for (std::size_t k = 0; k + 2 < primitive.triangles.size(); k += 3) {
                const auto corner = [&](std::size_t c) { return to_bullet(primitive.points[primitive.triangles[k + c]]); };
                entry.triangles->addTriangle(corner(0), corner(1), corner(2));
            }
            entry.shape = std::make_unique<btBvhTriangleMeshShape>(entry.triangles.get(), true);
            entry.shape->setMargin(0);
            break;
        }
        case Primitive::Kind::HeightField: {
            entry.heights = primitive.heights;
            const auto [low, high] = std::minmax_element(entry.heights.begin(), entry.heights.end());
            auto field = std::make_unique<btHeightfieldTerrainShape>(static_cast<int>(primitive.columns),
                                                                     static_cast<int>(primitive.rows), entry.heights.data(),
                                                                     *low, *high, 2, false);
            field->setLocalScaling({btScalar(primitive.spacing), btScalar(primitive.spacing), 1});
            field->setMargin(0);
            // Bullet's has its origin in the middle of its box.
            entry.offset.position = {primitive.spacing * (primitive.columns - 1) / 2, primitive.spacing * (primitive.rows - 1) / 2,
                                     (double(*low) + double(*high)) / 2};
            entry.shape = std::move(field);
            break;
        }
        }
    }

    const Tuning tuning_;
    const Settings settings_;
    adapter::Jobs jobs_;
    btDefaultCollisionConfiguration configuration_;
    bullet::Dispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    /// Mutable: to cast a ray Bullet uses a stack of its broad phase.
    mutable btDiscreteDynamicsWorld world_;
    std::map<Body, Entry> bodies_;
    Body last_ = 0;
};

} // namespace

std::unique_ptr<World> make_bullet_world(const Tuning &tuning, adapter::Query &query) {
    return std::make_unique<BulletWorld>(tuning, query);
}

} // namespace demo
