#include "physx.hpp"

#include "../common/terrain.hpp"

#include <common/PxRenderOutput.h>
#include <geomutils/PxContactBuffer.h>

#include <algorithm>
#include <mutex>

namespace adapter::px {

using namespace physx;

// Hulls ---------------------------------------------------------------------------------------------------------------

namespace {

bool same(const PxMeshScale &a, const PxMeshScale &b) { return a.scale == b.scale && a.rotation == b.rotation; }

Hull make_hull(const PxConvexMeshGeometry &geometry) {
    Hull made{geometry.scale, {0}};
    const PxConvexMesh &mesh = *geometry.convexMesh;
    // Points are scaled by a symmetric matrix, so normals are by its inverse, and offsets along them stay.
    const PxMat33 inverse = geometry.scale.toMat33().getInverse();
    std::vector<float> planes;
    for (PxU32 k = 0; k < mesh.getNbPolygons(); ++k) {
        PxHullPolygon face;
        if (!mesh.getPolygonData(k, face)) continue;
        const PxVec3 normal = inverse * PxVec3(face.mPlane[0], face.mPlane[1], face.mPlane[2]);
        planes.insert(planes.end(), {normal.x, normal.y, normal.z, -face.mPlane[3]});
    }
    fc_hull_create(planes.data(), static_cast<std::uint32_t>(planes.size() / 4), 0, &made.hull);
    return made;
}

} // namespace

const Hull &Hulls::of(const PxConvexMeshGeometry &geometry) {
    const auto known = [&]() -> const Hull * {
        const auto found = hulls_.find(geometry.convexMesh);
        if (found == hulls_.end()) return nullptr;
        for (const Hull &hull : found->second)
            if (same(hull.scale, geometry.scale)) return &hull;
        return nullptr;
    };
    {
        std::shared_lock lock(guard_);
        if (const Hull *hull = known()) return *hull;
    }
    std::unique_lock lock(guard_);
    if (const Hull *hull = known()) return *hull; // another thread was faster
    std::list<Hull> &of_mesh = hulls_[geometry.convexMesh];
    if (of_mesh.empty()) geometry.convexMesh->acquireReference();
    of_mesh.push_back(make_hull(geometry));
    return of_mesh.back();
}

void Hulls::clear() {
    for (auto &[mesh, hulls] : hulls_) {
        for (const Hull &hull : hulls) fc_hull_destroy(hull.hull);
        mesh->release();
    }
    hulls_.clear();
}

// Geometry ------------------------------------------------------------------------------------------------------------

IMPLEMENT_CUSTOM_GEOMETRY_TYPE(Geometry)

std::optional<fc_object> object_of(const PxGeometry &geometry) {
    if (geometry.getType() != PxGeometryType::eCUSTOM) return std::nullopt;
    const auto &custom = static_cast<const PxCustomGeometry &>(geometry);
    if (custom.getCustomType() != Geometry::TYPE()) return std::nullopt;
    return static_cast<const Geometry *>(custom.callbacks)->object();
}

namespace {

/// Along the x axis, as PhysX has it.
fc_shape capsule(const PxCapsuleGeometry &capsule) {
    fc_shape shape = fracas::shape::of_kind(FC_SHAPE_CAPSULE);
    shape.radius = capsule.radius;
    for (int end = 0; end < 2; ++end) {
        shape.ends[end][0] = end ? capsule.halfHeight : -capsule.halfHeight;
        shape.ends[end][1] = shape.ends[end][2] = 0;
    }
    return shape;
}

} // namespace

void Geometry::touch(const Query &query, const Pose &pose, const PxGeometry &other, const Pose &pose_other,
                     const Step &step, Contacts &contacts) const {
    const auto against = [&](const fc_shape &shape) { touching(query, object_, pose, shape, pose_other, step, contacts); };
    switch (other.getType()) {
    case PxGeometryType::eCUSTOM:
        if (const auto object = object_of(other)) touching(query, object_, pose, *object, pose_other, step, contacts);
        break;
    case PxGeometryType::ePLANE: against(fracas::shape::half_space(1, 0, 0, 0)); break; // its x axis
    case PxGeometryType::eSPHERE: against(fracas::shape::ball(static_cast<const PxSphereGeometry &>(other).radius)); break;
    case PxGeometryType::eCAPSULE: against(capsule(static_cast<const PxCapsuleGeometry &>(other))); break;
    case PxGeometryType::eBOX: {
        const PxVec3 &half = static_cast<const PxBoxGeometry &>(other).halfExtents;
        against(fracas::shape::box(half.x, half.y, half.z));
        break;
    }
    case PxGeometryType::eCONVEXMESH: {
        const Hull &hull = bodies_.hulls().of(static_cast<const PxConvexMeshGeometry &>(other));
        fc_shape shape = fracas::shape::of_kind(FC_SHAPE_HULL);
        shape.hull = hull.hull;
        against(shape);
        break;
    }
    case PxGeometryType::eTRIANGLEMESH:
    case PxGeometryType::eHEIGHTFIELD: touch_terrain(query, pose, other, pose_other, step, contacts); break;
    default: break;
    }
}

void Geometry::touch_terrain(const Query &query, const Pose &pose, const PxGeometry &other, const Pose &pose_other,
                             const Step &step, Contacts &contacts) const {
    thread_local Terrain terrain;
    thread_local std::vector<PxU32> near(256);
    const double thickness = bodies_.settings().terrain_thickness;
    const PxBoxGeometry around(bounds_.getExtents() + PxVec3(static_cast<float>(query.margin + step.way(bounds_.getExtents().magnitude()) + thickness)));
    const PxTransform at = to_px(pose * Pose{from_px(bounds_.getCenter()), {}}), there = to_px(pose_other);
    const auto &mesh = static_cast<const PxTriangleMeshGeometry &>(other);
    const auto &field = static_cast<const PxHeightFieldGeometry &>(other);
    const bool is_mesh = other.getType() == PxGeometryType::eTRIANGLEMESH;

    PxU32 count = 0;
    for (bool overflow = true; overflow;) {
        const auto room = static_cast<PxU32>(near.size());
        count = is_mesh ? PxMeshQuery::findOverlapTriangleMesh(around, at, mesh, there, near.data(), room, 0, overflow)
                        : PxMeshQuery::findOverlapHeightField(around, at, field, there, near.data(), room, 0, overflow);
        if (overflow) near.resize(2 * near.size());
    }
    std::sort(near.begin(), near.begin() + count); // contacts must not depend on how PhysX walks its tree
    terrain.begin(thickness);
    for (PxU32 k = 0; k < count; ++k) {
        PxTriangle t; // scaled, in the frame of the terrain
        if (is_mesh) PxMeshQuery::getTriangle(mesh, PxTransform(PxIdentity), near[k], t);
        else PxMeshQuery::getTriangle(field, PxTransform(PxIdentity), near[k], t);
        terrain.add(from_px(t.verts[0]), from_px(t.verts[1]), from_px(t.verts[2]));
    }
    if (!terrain.empty()) touching(query, object_, pose, terrain.shape(), pose_other, step, contacts);
}

Geometry::Geometry(fc_object object, Bodies &bodies)
    : object_(object), bodies_(bodies), bounds_(PxVec3(0), PxVec3(0)) {
    fc_aabb bounds;
    if (fc_object_bounds(object, nullptr, &bounds) >= 0) bounds_ = {to_px(vec(bounds.min)), to_px(vec(bounds.max))};
    if (const std::optional<Inertia> inertia = inertia_of(object)) centre_ = inertia->centre;
}

PxBounds3 Geometry::getLocalBounds(const PxGeometry &) const { return bounds_; }

bool Geometry::generateContacts(const PxGeometry &self, const PxGeometry &other, const PxTransform &pose,
                                     const PxTransform &pose_other, float contact_distance, float, float,
                                     PxContactBuffer &buffer) const {
    Query query = bodies_.query();
    // The distance grows with the speeds of both bodies; fragments that fly side by side have no need of it.
    query.margin = bodies_.seconds() > 0 ? std::min<double>(contact_distance, query.margin) : contact_distance;
    Contacts contacts;
    const Pose at = from_px(pose), at_other = from_px(pose_other);
    const auto object = object_of(other);
    const auto *theirs = object ? static_cast<const Geometry *>(static_cast<const PxCustomGeometry &>(other).callbacks) : nullptr;
    memories_.with(object ? object->id : reinterpret_cast<std::uintptr_t>(&other), [&](fc_pair_memory *memory) {
        const Step step{memory, bodies_.motion_at_point(self, at * centre_),
                        bodies_.motion_at_point(other, theirs ? at_other * theirs->centre_ : at_other.position), bodies_.seconds()};
        touch(query, at, other, at_other, step, contacts);
    });
    for (std::uint32_t k = 0; k < contacts.count; ++k) {
        const fc_contact &contact = contacts.items[k];
        if (!buffer.contact(to_px(contacts.point(k)), to_px(vec(contact.normal)), -contact.depth)) break;
    }
    return contacts.count > 0;
}

PxU32 Geometry::raycast(const PxVec3 &origin, const PxVec3 &direction, const PxGeometry &, const PxTransform &pose,
                             float length, PxHitFlags, PxU32 most, PxGeomRaycastHit *hits, PxU32,
                             PxRaycastThreadContext *) const {
    const fc_pose at = to_fc(from_px(pose));
    const double from[3] = {origin.x, origin.y, origin.z};
    fc_ray_hit found;
    if (most == 0 || fc_object_ray_cast(object_, &at, from, &direction.x, length, &found) != FC_OK) return 0;
    hits->distance = static_cast<float>(found.distance);
    hits->position = origin + hits->distance * direction;
    hits->normal = to_px(vec(found.normal));
    hits->flags = PxHitFlag::ePOSITION | PxHitFlag::eNORMAL;
    hits->faceIndex = found.source;
    hits->u = hits->v = 0;
    return 1;
}

bool Geometry::overlap(const PxGeometry &, const PxTransform &pose, const PxGeometry &other,
                            const PxTransform &pose_other, PxOverlapThreadContext *) const {
    Query query;
    query.margin = 0;
    query.target = query.most = 1;
    Contacts contacts;
    touch(query, from_px(pose), other, from_px(pose_other), {}, contacts);
    return contacts.count > 0;
}

bool Geometry::sweep(const PxVec3 &direction, float length, const PxGeometry &, const PxTransform &pose,
                          const PxGeometry &other, const PxTransform &pose_other, PxGeomSweepHit &hit, PxHitFlags,
                          float inflation, PxSweepThreadContext *) const {
    constexpr int most_steps = 64;
    constexpr double touching_now = 1e-5; // metres
    double gone = 0;
    for (int step = 0; step < most_steps; ++step) {
        Query query; // the nearest point within what is left of the way
        query.margin = length - gone + inflation;
        query.target = query.most = 1;
        Pose there = from_px(pose_other);
        there.position += gone * from_px(direction);
        Contacts contacts;
        touch(query, from_px(pose), other, there, {}, contacts);
        if (contacts.count == 0) return false;
        const double gap = -contacts.items[0].depth - inflation;
        if (gap <= touching_now) {
            const bool at_once = step == 0;
            hit.distance = static_cast<float>(gone);
            hit.position = to_px(contacts.point(0));
            hit.normal = at_once ? -direction : to_px(-vec(contacts.items[0].normal));
            hit.flags = at_once ? PxHitFlags(PxHitFlag::eNORMAL) : PxHitFlag::ePOSITION | PxHitFlag::eNORMAL;
            hit.faceIndex = 0xffffffff;
            return true;
        }
        gone += gap;
        if (gone > length) return false;
    }
    return false; // it glides along, nearer and nearer
}

void Geometry::visualize(const PxGeometry &, PxRenderOutput &out, const PxTransform &pose, const PxBounds3 &) const {
    fc_debug_draw draw;
    fc_debug_draw_default(&draw);
    draw.flags = FC_DRAW_SURFACE;
    draw.user_data = &out;
    draw.line = [](const float *a, const float *b, std::uint32_t, void *out) {
        static_cast<PxRenderOutput *>(out)->outputSegment({a[0], a[1], a[2]}, {b[0], b[1], b[2]});
    };
    const fc_pose at = to_fc(from_px(pose));
    out << PxU32(PxDebugColor::eARGB_MAGENTA) << PxTransform(PxIdentity);
    fc_draw_object(object_, &at, &draw);
}

void Geometry::computeMassProperties(const PxGeometry &, PxMassProperties &properties) const {
    fc_mass mass;
    if (fc_object_mass(object_, &mass) < 0) return;
    const double *i = mass.inertia, share = mass.volume / mass.mass; // xx, yy, zz, xy, yz, zx
    properties.mass = static_cast<float>(mass.volume);
    properties.centerOfMass = to_px(vec(mass.centre));
    properties.inertiaTensor = PxMat33(to_px(share * Vec{i[0], i[3], i[5]}), to_px(share * Vec{i[3], i[1], i[4]}),
                                       to_px(share * Vec{i[5], i[4], i[2]}));
}

bool Geometry::usePersistentContactManifold(const PxGeometry &, float &breaking_threshold) const {
    // PhysX would keep contacts until bodies have moved, and choose among them; those of Fracas are chosen already. Against
    // terrain it does so whatever is said here, but any movement is then more than this.
    breaking_threshold = 0;
    return false;
}

// Bodies --------------------------------------------------------------------------------------------------------------

Bodies::~Bodies() {
    while (!geometries_.empty()) remove(*geometries_.begin()->first);
}

PxRigidActor *Bodies::add(fc_object object, const Pose &pose, const Motion &motion, bool fixed) {
    const std::optional<Inertia> inertia = inertia_of(object);
    if (!inertia) return nullptr;
    PxPhysics &physics = scene_.getPhysics();
    PxRigidActor *body = fixed ? static_cast<PxRigidActor *>(physics.createRigidStatic(to_px(pose)))
                               : physics.createRigidDynamic(to_px(pose));
    auto geometry = std::make_unique<Geometry>(object, *this);
    PxShape *shape = PxRigidActorExt::createExclusiveShape(*body, PxCustomGeometry(*geometry), material_);
    apply(settings_, *shape);
    if (auto *dynamic = body->is<PxRigidDynamic>()) {
        dynamic->setMass(static_cast<float>(inertia->mass));
        dynamic->setMassSpaceInertiaTensor(to_px(inertia->moments));
        dynamic->setCMassLocalPose(to_px(inertia->frame()));
        apply(settings_, *dynamic);
        dynamic->setLinearVelocity(to_px(motion.linear));
        dynamic->setAngularVelocity(to_px(motion.angular));
    }
    geometries_.emplace(body, std::move(geometry));
    scene_.addActor(*body);
    return body;
}

void Bodies::remove(PxRigidActor &body) {
    scene_.removeActor(body, true); // true: wake what it touched
    body.release();
    const auto found = geometries_.find(&body);
    if (found == geometries_.end()) return; // one of the engine's own
    geometries_.erase(found); // after its shape, which has the address
}

std::vector<PxRigidActor *> Bodies::replace(PxRigidActor &body, const std::vector<fc_object> &fragments) {
    std::vector<Inertia> inertias;
    for (const fc_object fragment : fragments) {
        const std::optional<Inertia> inertia = inertia_of(fragment);
        if (!inertia) return {};
        inertias.push_back(*inertia);
    }
    const auto *dynamic = body.is<PxRigidDynamic>();
    const Pose pose = from_px(body.getGlobalPose());
    const Motion whole = motion_of(body);
    const Vec centre = dynamic ? pose * from_px(dynamic->getCMassLocalPose().p) : pose.position;
    remove(body);
    std::vector<PxRigidActor *> bodies;
    for (std::size_t k = 0; k < fragments.size(); ++k)
        bodies.push_back(add(fragments[k], pose, inherited(whole, centre, pose * inertias[k].centre)));
    return bodies;
}

void Bodies::before_step(double seconds) {
    seconds_ = seconds;
    moving_.clear();
    for (auto &[body, geometry] : geometries_) geometry->memories().begin_step();
    std::vector<PxActor *> actors(scene_.getNbActors(PxActorTypeFlag::eRIGID_DYNAMIC));
    scene_.getActors(PxActorTypeFlag::eRIGID_DYNAMIC, actors.data(), static_cast<PxU32>(actors.size()));
    for (const PxActor *actor : actors) {
        const auto &body = *actor->is<PxRigidDynamic>();
        const Pose pose = from_px(body.getGlobalPose());
        std::vector<PxShape *> shapes(body.getNbShapes());
        body.getShapes(shapes.data(), static_cast<PxU32>(shapes.size()));
        // PhysX adds gravity to velocities after it has looked for contacts.
        Motion motion = motion_of(body);
        const bool falls = !body.isSleeping() && !body.getActorFlags().isSet(PxActorFlag::eDISABLE_GRAVITY);
        if (falls) motion.linear += seconds * from_px(scene_.getGravity());
        for (const PxShape *shape : shapes) moving_[&shape->getGeometry()] = {pose * from_px(body.getCMassLocalPose().p), motion};
    }
}

Motion Bodies::motion_at_point(const PxGeometry &geometry, Vec point) const {
    const auto found = moving_.find(&geometry);
    return found == moving_.end() ? Motion{} : motion_at(found->second.motion, found->second.centre, point);
}

void apply(const Settings &settings, PxShape &shape) {
    shape.setContactOffset(settings.contact_offset); // first: it must be more than the rest offset
    shape.setRestOffset(settings.rest_offset);
}

void apply(const Settings &settings, PxRigidDynamic &body) {
    body.setSolverIterationCounts(settings.position_iterations, settings.velocity_iterations);
    body.setMaxDepenetrationVelocity(settings.depenetration);
    body.setLinearDamping(settings.linear_damping);
    body.setAngularDamping(settings.angular_damping);
    body.setSleepThreshold(settings.sleep_energy);
    // Pairs are then looked at as soon as they may meet in a step; see before_step().
    body.setRigidBodyFlag(PxRigidBodyFlag::eENABLE_SPECULATIVE_CCD, true);
}

Motion motion_of(const PxRigidActor &body) {
    const auto *dynamic = body.is<PxRigidDynamic>();
    if (!dynamic) return {};
    return {from_px(dynamic->getLinearVelocity()), from_px(dynamic->getAngularVelocity())};
}

} // namespace adapter::px
