// The world of the scenarios in ODE.
#include <adapters/ode/ode.hpp>
#include "../world.hpp"

#include <algorithm>
#include <map>
#include <sstream>

namespace demo {

namespace {

namespace ode = adapter::ode;

/// What ODE was told, and why.
struct Settings {
    /// Gaps that are contacts anyway, in metres. (Those that may close in a step are too.) If it were much, a shard that rocks had
    /// contacts where it does not touch yet, instead of where it will touch next.
    double gap = 1e-4;
    /// Share of the overlap that is taken back in a step, and of what has crept.
    double erp = 0.2;
    /// How soft contacts are, in 1 / kg: what is shared by many contacts of a stiff body has one answer then. Small against the
    /// inverse masses of our bodies, a few grams to a few kilograms.
    double cfm = 1e-6;
    /// The same for friction, where it means that bodies creep under load. ODE's own.
    double friction_cfm = 1e-10;
    /// Overlap goes no faster than this, in m/s: pieces that begin in each other part gently.
    double correcting = 0.5;
    /// QuickStep keeps nothing from step to step, so it needs more iterations than engines that do: times those asked for.
    std::uint32_t iterations = 4;
    /// Its over-relaxation; 1.3, the default, quivers with many contacts.
    double relaxation = 1.0;
    /// Bodies slower than this, m/s and rad/s, on the average of some steps, for `sleep_after` seconds sleep.
    double sleep_linear = 0.01, sleep_angular = 0.3, sleep_after = 0.5;
    unsigned sleep_samples = 10;
    /// Below this speed nothing bounces.
    double bounce_from = 0.1;
};

/// ODE itself, as long as the program runs.
void need_ode() {
    static const struct Library {
        Library() { dInitODE2(0); }
        ~Library() { dCloseODE(); }
    } library;
}

/// Faces of the convex hull of a few points, as ODE wants them.
struct Faces {
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
};

/// Every plane through three of the points that has all others on one side.
Faces faces_of(const std::vector<Vec> &points) {
    Faces faces;
    double size = 0;
    for (const Vec &p : points) size = std::max(size, length(p - points[0]));
    const double tie = 1e-6 * size;
    std::vector<std::pair<Vec, double>> seen;
    for (std::size_t a = 0; a < points.size(); ++a)
        for (std::size_t b = a + 1; b < points.size(); ++b)
            for (std::size_t c = b + 1; c < points.size(); ++c) {
                Vec normal = adapter::unit(cross(points[b] - points[a], points[c] - points[a]));
                if (length(normal) == 0) continue;
                double low = 0, high = 0;
                for (const Vec &p : points) {
                    low = std::min(low, dot(normal, p - points[a]));
                    high = std::max(high, dot(normal, p - points[a]));
                }
                if (low < -tie && high > tie) continue;
                if (high > tie) normal = -normal;
                const double offset = dot(normal, points[a]);
                const auto same = [&](const auto &plane) { return dot(plane.first, normal) > 1 - 1e-9; };
                if (std::any_of(seen.begin(), seen.end(), same)) continue;
                seen.push_back({normal, offset});
                // Its corners, counter-clockwise about their middle.
                std::vector<unsigned> corners;
                Vec middle;
                for (unsigned k = 0; k < points.size(); ++k)
                    if (std::abs(dot(normal, points[k]) - offset) <= tie) corners.push_back(k);
                for (const unsigned k : corners) middle += 1.0 / double(corners.size()) * points[k];
                const Vec x = adapter::unit(points[corners[0]] - middle), y = cross(normal, x);
                const auto angle = [&](unsigned k) { return std::atan2(dot(y, points[k] - middle), dot(x, points[k] - middle)); };
                std::sort(corners.begin(), corners.end(), [&](unsigned i, unsigned j) { return angle(i) < angle(j); });
                faces.planes.insert(faces.planes.end(), {normal.x, normal.y, normal.z, offset});
                faces.polygons.push_back(static_cast<unsigned>(corners.size()));
                faces.polygons.insert(faces.polygons.end(), corners.begin(), corners.end());
            }
    for (const Vec &p : points) faces.points.insert(faces.points.end(), {p.x, p.y, p.z});
    return faces;
}

class OdeWorld final : public World {
public:
    OdeWorld(const Tuning &tuning, adapter::Query &query) : tuning_(tuning), query_(query), jobs_(tuning.threads) {
        need_ode();
        // QuickStep takes constraints in a random order, from a seed of the whole process.
        dRandSetSeed(1);
        query.margin = std::min(tuning.speculative, settings_.gap);
        // The solver takes any number; of eight there are always some where a body that rocks touches next.
        query.most_per_normal = std::max(query.most_per_normal, 12u);
        world_ = dWorldCreate();
        // All pairs of boxes. ODE's hash space misses some with a fixed geom: a thousand in seven seconds of breaking plates.
        space_ = dSimpleSpaceCreate(nullptr);
        joints_ = dJointGroupCreate(0);
        dWorldSetGravity(world_, tuning.gravity.x, tuning.gravity.y, tuning.gravity.z);
        dWorldSetERP(world_, settings_.erp);
        dWorldSetCFM(world_, settings_.friction_cfm);
        dWorldSetQuickStepNumIterations(world_, static_cast<int>(settings_.iterations * tuning.iterations));
        dWorldSetQuickStepW(world_, settings_.relaxation);
        dWorldSetContactMaxCorrectingVel(world_, settings_.correcting);
        dWorldSetContactSurfaceLayer(world_, 0);
        dWorldSetLinearDampingThreshold(world_, 0);
        dWorldSetAngularDampingThreshold(world_, 0);
        dWorldSetAutoDisableFlag(world_, tuning.sleeping);
        dWorldSetAutoDisableLinearThreshold(world_, settings_.sleep_linear);
        dWorldSetAutoDisableAngularThreshold(world_, settings_.sleep_angular);
        dWorldSetAutoDisableAverageSamplesCount(world_, settings_.sleep_samples);
        dWorldSetAutoDisableSteps(world_, 0);
        dWorldSetAutoDisableTime(world_, settings_.sleep_after);
    }

    ~OdeWorld() override {
        while (!bodies_.empty()) remove(bodies_.begin()->first);
        dJointGroupDestroy(joints_);
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
    }

    const char *engine() const override { return "ode"; }

    std::string settings() const override {
        std::ostringstream text;
        text << "ODE 0.16, double: QuickStep, iterations " << settings_.iterations * tuning_.iterations << ", W "
             << settings_.relaxation << ", ERP " << settings_.erp << ", soft_cfm " << settings_.cfm << ", CFM "
             << settings_.friction_cfm << ", ContactMaxCorrectingVel "
             << settings_.correcting << ", ContactSurfaceLayer 0, gaps of " << query_.margin
             << " and what may close in a step by dContactMotionN, AutoDisable " << (tuning_.sleeping ? "below " : "off, else below ")
             << settings_.sleep_linear << " m/s and " << settings_.sleep_angular << " rad/s for " << settings_.sleep_after
             << " s, threads " << tuning_.threads << " for queries";
        return text.str();
    }

    Body add(fc_object object, const Pose &pose, const Motion &motion, bool fixed) override {
        Entry entry;
        entry.object = object;
        entry.geom = ode::create_geom(space_, object, query_);
        if (fixed)
            ode::set_pose(entry.geom, pose);
        else
            entry.body = ode::create_body(world_, entry.geom, pose, motion);
        return enter(std::move(entry));
    }

    Body add(const Primitive &primitive, const Pose &pose, double mass, const Motion &motion) override {
        Entry entry;
        make_geom(primitive, pose, entry);
        if (primitive.kind == Primitive::Kind::Plane) {
            // A plane cannot be moved afterwards.
            entry.fixed_pose = pose;
        } else if (mass > 0) {
            entry.body = dBodyCreate(world_);
            dMass m;
            mass_of(primitive, mass, m);
            dBodySetMass(entry.body, &m);
            dGeomSetBody(entry.geom, entry.body);
            ode::set_pose(entry.geom, pose);
            dBodySetLinearVel(entry.body, motion.linear.x, motion.linear.y, motion.linear.z);
            dBodySetAngularVel(entry.body, motion.angular.x, motion.angular.y, motion.angular.z);
        } else {
            ode::set_pose(entry.geom, pose * entry.offset);
        }
        return enter(std::move(entry));
    }

    void remove(Body body) override {
        const auto found = bodies_.find(body);
        if (found == bodies_.end()) return;
        narrow_.remove(space_, found->second.geom, tuning_.speculative);
        if (found->second.mesh) dGeomTriMeshDataDestroy(found->second.mesh);
        if (found->second.field) dGeomHeightfieldDataDestroy(found->second.field);
        bodies_.erase(found);
    }

    std::vector<Body> replace(Body body, const std::vector<fc_object> &fragments) override {
        const Pose at = pose(body);
        const Motion whole = motion(body);
        const dReal *p = dBodyGetPosition(bodies_.at(body).body);
        const Vec centre{p[0], p[1], p[2]};
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

    void step(double seconds) override {
        narrow_.collide(space_, jobs_, seconds);
        dContact contact{};
        for (const ode::NarrowPhase::Pair &pair : narrow_.pairs())
            for (const ode::NarrowPhase::Contact &found : pair.contacts) {
                contact.geom = found.geom;
                contact.surface = {};
                contact.surface.mode = dContactApprox1 | dContactSoftCFM | (tuning_.surface.restitution > 0 ? dContactBounce : 0);
                contact.surface.soft_cfm = settings_.cfm;
                contact.surface.mu = tuning_.surface.friction;
                contact.surface.bounce = tuning_.surface.restitution;
                contact.surface.bounce_vel = settings_.bounce_from;
                ode::speculate(contact, seconds);
                ode::hold(contact, found.crept, settings_.erp, seconds);
                const dJointID joint = dJointCreateContact(world_, joints_, &contact);
                dJointAttach(joint, dGeomGetBody(found.geom.g1), dGeomGetBody(found.geom.g2));
            }
        damp(seconds);
        dWorldQuickStep(world_, seconds);
        dJointGroupEmpty(joints_);
    }

    Pose pose(Body body) const override {
        const Entry &entry = bodies_.at(body);
        return entry.fixed_pose ? *entry.fixed_pose : ode::pose_of(entry.geom) * inverse(entry.offset);
    }

    Motion motion(Body body) const override {
        const dBodyID b = bodies_.at(body).body;
        if (!b) return {};
        const dReal *v = dBodyGetLinearVel(b), *w = dBodyGetAngularVel(b);
        return {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    }

    bool asleep(Body body) const override {
        const dBodyID b = bodies_.at(body).body;
        return !b || !dBodyIsEnabled(b);
    }

    void set_motion(Body body, const Motion &motion) override {
        const dBodyID b = bodies_.at(body).body;
        if (!b) return;
        dBodyEnable(b);
        dBodySetLinearVel(b, motion.linear.x, motion.linear.y, motion.linear.z);
        dBodySetAngularVel(b, motion.angular.x, motion.angular.y, motion.angular.z);
    }

    // ODE knows forces only, for the next step, and how long that is it does not know yet.
    void push(Body body, Vec point, Vec impulse) override {
        const dBodyID b = bodies_.at(body).body;
        if (!b) return;
        const dReal *p = dBodyGetPosition(b);
        const Vec moment = cross(point - Vec{p[0], p[1], p[2]}, impulse);
        dMass mass;
        dBodyGetMass(b, &mass);
        dMatrix3 softness;
        dInvertPDMatrix(mass.I, softness, 3);
        dVector3 local, turned, gained;
        dBodyVectorFromWorld(b, moment.x, moment.y, moment.z, local);
        dMultiply0_331(turned, softness, local);
        dBodyVectorToWorld(b, turned[0], turned[1], turned[2], gained);
        const Motion now = motion(body);
        set_motion(body, {now.linear + 1 / mass.mass * impulse, now.angular + Vec{gained[0], gained[1], gained[2]}});
    }

    std::optional<Hit> ray(Vec from, Vec direction, double length) const override {
        const dGeomID ray = dCreateRay(nullptr, length);
        const Vec way = adapter::unit(direction);
        dGeomRaySet(ray, from.x, from.y, from.z, way.x, way.y, way.z);
        dGeomRaySetClosestHit(ray, 1);
        std::optional<dContactGeom> nearest;
        dSpaceCollide2(ray, reinterpret_cast<dGeomID>(space_), &nearest, [](void *data, dGeomID first, dGeomID second) {
            auto &best = *static_cast<std::optional<dContactGeom> *>(data);
            const bool turned = dGeomGetClass(first) != dRayClass;
            dContactGeom hit;
            if (dCollide(turned ? second : first, turned ? first : second, 1, &hit, sizeof hit) > 0 &&
                (!best || hit.depth < best->depth))
                best = hit;
        });
        dGeomDestroy(ray);
        if (!nearest) return std::nullopt;
        const auto body = static_cast<Body>(reinterpret_cast<std::uintptr_t>(dGeomGetData(nearest->g2)));
        return Hit{body, nearest->depth, {nearest->normal[0], nearest->normal[1], nearest->normal[2]}};
    }

private:
    struct Entry {
        fc_object object{0};
        dGeomID geom = nullptr;
        dBodyID body = nullptr;
        std::optional<Pose> fixed_pose;
        /// Of ODE's frame in that of the primitive.
        Pose offset;
        /// What ODE only points to.
        dTriMeshDataID mesh = nullptr;
        dHeightfieldDataID field = nullptr;
        std::unique_ptr<Faces> faces;
        std::vector<float> vertices, heights;
        std::vector<dTriIndex> indices;
        std::unique_ptr<ode::Description> description;
    };

    Body enter(Entry entry) {
        const Body id = ++last_;
        dGeomSetData(entry.geom, reinterpret_cast<void *>(static_cast<std::uintptr_t>(id)));
        if (entry.body) dBodySetAutoDisableDefaults(entry.body);
        if (entry.body) dBodySetDampingDefaults(entry.body);
        bodies_.emplace(id, std::move(entry));
        return id;
    }

    /// ODE damps by step, and a body keeps the damping that the world had when the body asked for its defaults.
    void damp(double seconds) {
        if (seconds == damped_for_) return;
        damped_for_ = seconds;
        dWorldSetLinearDamping(world_, tuning_.linear_damping * seconds);
        dWorldSetAngularDamping(world_, tuning_.angular_damping * seconds);
        for (const auto &[id, entry] : bodies_)
            if (entry.body) dBodySetDampingDefaults(entry.body);
    }

    void make_geom(const Primitive &primitive, const Pose &pose, Entry &entry) {
        switch (primitive.kind) {
        case Primitive::Kind::Plane: {
            const Vec up = rotate(pose.rotation, {0, 0, 1});
            entry.geom = dCreatePlane(space_, up.x, up.y, up.z, dot(up, pose.position));
            break;
        }
        case Primitive::Kind::Box:
            entry.geom = dCreateBox(space_, 2 * primitive.half.x, 2 * primitive.half.y, 2 * primitive.half.z);
            break;
        case Primitive::Kind::Ball: entry.geom = dCreateSphere(space_, primitive.radius); break;
        case Primitive::Kind::Capsule: entry.geom = dCreateCapsule(space_, primitive.radius, 2 * primitive.half.z); break;
        case Primitive::Kind::Hull: {
            entry.faces = std::make_unique<Faces>(faces_of(primitive.points));
            const Faces &faces = *entry.faces;
            entry.geom = dCreateConvex(space_, faces.planes.data(), static_cast<unsigned>(faces.planes.size() / 4),
                                       faces.points.data(), static_cast<unsigned>(faces.points.size() / 3), faces.polygons.data());
            entry.description = std::make_unique<ode::Description>(entry.geom, faces.planes);
            break;
        }
        case Primitive::Kind::Mesh: {
            for (const Vec &p : primitive.points)
                entry.vertices.insert(entry.vertices.end(), {float(p.x), float(p.y), float(p.z)});
            entry.indices.assign(primitive.triangles.begin(), primitive.triangles.end());
            entry.mesh = dGeomTriMeshDataCreate();
            dGeomTriMeshDataBuildSingle(entry.mesh, entry.vertices.data(), 3 * sizeof(float),
                                        static_cast<int>(entry.vertices.size() / 3), entry.indices.data(),
                                        static_cast<int>(entry.indices.size()), 3 * sizeof(dTriIndex));
            entry.geom = dCreateTriMesh(space_, entry.mesh, nullptr, nullptr, nullptr);
            break;
        }
        case Primitive::Kind::HeightField: {
            // ODE's is about its middle, with y up: ours turned by a quarter about x, so that rows run backwards.
            const double width = primitive.spacing * (primitive.columns - 1), depth = primitive.spacing * (primitive.rows - 1);
            for (std::uint32_t row = primitive.rows; row-- > 0;)
                entry.heights.insert(entry.heights.end(), primitive.heights.begin() + row * primitive.columns,
                                     primitive.heights.begin() + (row + 1) * primitive.columns);
            entry.offset = {{width / 2, depth / 2, 0}, adapter::turn({1, 0, 0}, 1.57079632679489662)};
            entry.field = dGeomHeightfieldDataCreate();
            dGeomHeightfieldDataBuildSingle(entry.field, entry.heights.data(), 0, width, depth,
                                            static_cast<int>(primitive.columns), static_cast<int>(primitive.rows), 1, 0, 1, 0);
            entry.geom = dCreateHeightfield(space_, entry.field, 1);
            entry.description = std::make_unique<ode::Description>(entry.geom, width, depth, primitive.columns, primitive.rows,
                                                                   entry.heights);
            break;
        }
        }
    }

    /// A hull weighs like its box.
    static void mass_of(const Primitive &primitive, double mass, dMass &m) {
        switch (primitive.kind) {
        case Primitive::Kind::Ball: dMassSetSphereTotal(&m, mass, primitive.radius); break;
        case Primitive::Kind::Capsule: dMassSetCapsuleTotal(&m, mass, 3, primitive.radius, 2 * primitive.half.z); break;
        default: {
            Vec half = primitive.half;
            for (const Vec &p : primitive.points)
                half = {std::max(half.x, std::abs(p.x)), std::max(half.y, std::abs(p.y)), std::max(half.z, std::abs(p.z))};
            dMassSetBoxTotal(&m, mass, 2 * half.x, 2 * half.y, 2 * half.z);
        }
        }
    }

    const Tuning tuning_;
    const Settings settings_;
    const adapter::Query &query_;
    adapter::Jobs jobs_;
    dWorldID world_ = nullptr;
    dSpaceID space_ = nullptr;
    dJointGroupID joints_ = nullptr;
    ode::NarrowPhase narrow_;
    std::map<Body, Entry> bodies_;
    Body last_ = 0;
    /// The length of the step that damping is set for.
    double damped_for_ = 0;
};

} // namespace

std::unique_ptr<World> make_ode_world(const Tuning &tuning, adapter::Query &query) {
    return std::make_unique<OdeWorld>(tuning, query);
}

} // namespace demo
