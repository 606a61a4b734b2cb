#include "ode.hpp"

#include "../common/memory.hpp"
#include "../common/terrain.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace adapter::ode {

Pose pose_of(dGeomID geom) {
    const dReal *p = dGeomGetPosition(geom);
    dQuaternion q; // w first
    dGeomGetQuaternion(geom, q);
    return {{p[0], p[1], p[2]}, {q[1], q[2], q[3], q[0]}};
}

void set_pose(dGeomID geom, const Pose &pose) {
    const dQuaternion q = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
    dGeomSetPosition(geom, pose.position.x, pose.position.y, pose.position.z);
    dGeomSetQuaternion(geom, q);
}

// What cannot be asked.

/// The descriptions that there are, by geom.
struct Described {
    static std::unordered_map<dGeomID, const Description *> &all() {
        static std::unordered_map<dGeomID, const Description *> descriptions;
        return descriptions;
    }
    static const Description *of(dGeomID geom) {
        const auto found = all().find(geom);
        return found == all().end() ? nullptr : found->second;
    }
    static const fracas::Hull &hull(const Description &d) { return d.hull_; }

    /// The triangles of a height field below a box, in its frame, where y is up.
    static void triangles(const Description &d, Vec low, Vec high, Terrain &terrain) {
        const double dx = d.width_ / (d.columns_ - 1), dz = d.depth_ / (d.rows_ - 1);
        const auto cell = [](double at, double size, std::uint32_t count) {
            return static_cast<std::uint32_t>(std::clamp(std::floor(at / size), 0.0, double(count - 2)));
        };
        const double x0 = -d.width_ / 2, z0 = -d.depth_ / 2;
        for (std::uint32_t j = cell(low.z - z0, dz, d.rows_); j <= cell(high.z - z0, dz, d.rows_); ++j)
            for (std::uint32_t i = cell(low.x - x0, dx, d.columns_); i <= cell(high.x - x0, dx, d.columns_); ++i) {
                const auto at = [&](std::uint32_t c, std::uint32_t r) {
                    return Vec{x0 + c * dx, d.heights_[r * d.columns_ + c], z0 + r * dz};
                };
                // Cut along the same diagonal as ODE does.
                terrain.add(at(i, j), at(i, j + 1), at(i + 1, j));
                terrain.add(at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
            }
    }
};

Description::Description(dGeomID convex, fracas::Span<const dReal> planes) : geom_(convex) {
    const std::vector<float> values(planes.begin(), planes.end());
    hull_ = fracas::Hull::create(values).take();
    Described::all()[geom_] = this;
}

Description::Description(dGeomID field, double width, double depth, std::uint32_t columns, std::uint32_t rows,
                         std::vector<float> heights)
    : geom_(field), width_(width), depth_(depth), columns_(columns), rows_(rows), heights_(std::move(heights)) {
    Described::all()[geom_] = this;
}

Description::~Description() { Described::all().erase(geom_); }

namespace {

// The class of geoms.

struct Data {
    fc_object object;
    const Query *query;
    /// How long the coming step is.
    double seconds;
    Memories *memories;
    /// The how-manieth geom this is.
    std::uint64_t number;
};

int geom_class();

Data *data_of(dGeomID geom) {
    return dGeomGetClass(geom) == geom_class() ? static_cast<Data *>(dGeomGetClassData(geom)) : nullptr;
}

/// Of the body of a geom; what has none is in the world.
Pose frame_of(dGeomID geom) {
    const dBodyID body = dGeomGetBody(geom);
    if (!body) return {};
    const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
    return {{p[0], p[1], p[2]}, {q[1], q[2], q[3], q[0]}};
}

/// How a point of a geom's body moves in a step: ODE adds gravity to velocities after contacts were found.
Motion motion_of(dGeomID geom, Vec point, double seconds) {
    const dBodyID body = dGeomGetBody(geom);
    if (!body) return {};
    const dReal *p = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    dVector3 gravity{};
    if (dBodyIsEnabled(body) && dBodyGetGravityMode(body)) dWorldGetGravity(dBodyGetWorld(body), gravity);
    const Motion now{Vec{v[0], v[1], v[2]} + seconds * Vec{gravity[0], gravity[1], gravity[2]}, {w[0], w[1], w[2]}};
    return motion_at(now, {p[0], p[1], p[2]}, point);
}

void bounds(dGeomID geom, dReal aabb[6]) {
    const Data &data = *static_cast<Data *>(dGeomGetClassData(geom));
    const fc_pose at = to_fc(pose_of(geom));
    fc_aabb box{};
    (void)fc_object_bounds(data.object, &at, &box);
    // Wherever it may be after the step. ODE has no margin of its own, so all of it is here.
    const double radius = length(vec(box.max) - vec(box.min)) / 2;
    const dBodyID body = dGeomGetBody(geom);
    const dReal *p = body ? dBodyGetPosition(body) : nullptr;
    const Step step{nullptr, body ? motion_of(geom, {p[0], p[1], p[2]}, data.seconds) : Motion{}, {}, data.seconds};
    const double reach = data.query->margin + step.way(radius);
    for (int k = 0; k < 3; ++k) {
        aabb[2 * k] = box.min[k] - reach;
        aabb[2 * k + 1] = box.max[k] + reach;
    }
}

/// ODE says which triangles of a mesh are near a box by asking whether it may collide them. Where the answer is for us, it is
/// no: then ODE looks at all of them, and does nothing more.
std::vector<int> *near_triangles = nullptr;
int take_triangle(dGeomID, dGeomID, int triangle) {
    if (!near_triangles) return 1;
    near_triangles->push_back(triangle);
    return 0;
}

/// The triangles of a mesh in a box, both in the frame of the mesh. Not on two threads at once.
void gather(dGeomID mesh, Vec low, Vec high, Terrain &terrain) {
    const Pose frame = pose_of(mesh), back = inverse(frame);
    if (dGeomTriMeshGetCallback(mesh) != take_triangle) dGeomTriMeshSetCallback(mesh, take_triangle);
    static std::vector<int> found;
    found.clear();
    near_triangles = &found;
    const Vec middle = 0.5 * (low + high), size = high - low;
    const dGeomID box = dCreateBox(nullptr, size.x, size.y, size.z);
    set_pose(box, frame * Pose{middle, {}});
    dContactGeom none[1];
    dCollide(box, mesh, 1, none, sizeof none[0]);
    dGeomDestroy(box);
    near_triangles = nullptr;
    // In the order of the mesh, whatever that of ODE's tree is, and each once.
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const int triangle : found) {
        dVector3 v[3];
        dGeomTriMeshGetTriangle(mesh, triangle, &v[0], &v[1], &v[2]);
        const auto corner = [&](int k) { return back * Vec{v[k][0], v[k][1], v[k][2]}; };
        terrain.add(corner(0), corner(1), corner(2));
    }
}

/// The contacts of an object with a geom of ODE's own.
void touching_geom(const Query &query, fc_object object, const Pose &pose, dGeomID other, Step step, Contacts &contacts) {
    const auto against = [&](const fc_shape &shape, const Pose &at) {
        step.of_b = motion_of(other, at.position, step.seconds);
        touching(query, object, pose, shape, at, step, contacts);
    };
    const auto f = [](dReal x) { return static_cast<float>(x); };
    // As thick as the object is large: what is deeper has fallen through anyway.
    thread_local Terrain terrain;
    const auto box_in = [&](const Pose &frame, Vec &low, Vec &high) {
        const fc_pose at = to_fc(inverse(frame) * pose);
        fc_aabb box{};
        (void)fc_object_bounds(object, &at, &box);
        const double margin = query.margin + step.way(length(vec(box.max) - vec(box.min)) / 2);
        const Vec around{margin, margin, margin};
        low = vec(box.min) - around;
        high = vec(box.max) + around;
        terrain.begin(length(high - low) / 2);
    };
    const Description *description = nullptr;
    Vec low, high;
    switch (dGeomGetClass(other)) {
    case dSphereClass: against(fracas::shape::ball(f(dGeomSphereGetRadius(other))), pose_of(other)); break;
    case dBoxClass: {
        dVector3 sides;
        dGeomBoxGetLengths(other, sides);
        against(fracas::shape::box(f(sides[0] / 2), f(sides[1] / 2), f(sides[2] / 2)), pose_of(other));
        break;
    }
    case dCapsuleClass: {
        dReal radius, length;
        dGeomCapsuleGetParams(other, &radius, &length);
        against(fracas::shape::capsule(f(length / 2), f(radius)), pose_of(other));
        break;
    }
    case dPlaneClass: {
        dVector4 p;
        dGeomPlaneGetParams(other, p);
        // A plane has no pose. The half-space is put where its plane is, so that no world is too large for floats.
        against(fracas::shape::half_space(f(p[0]), f(p[1]), f(p[2]), 0), {p[3] * Vec{p[0], p[1], p[2]}, {}});
        break;
    }
    case dConvexClass:
        if ((description = Described::of(other)) && Described::hull(*description))
            against(fracas::shape::hull(Described::hull(*description)), pose_of(other));
        break;
    case dHeightfieldClass:
        if ((description = Described::of(other))) {
            const Pose frame = pose_of(other);
            box_in(frame, low, high);
            Described::triangles(*description, low, high, terrain);
            if (!terrain.empty()) against(terrain.shape(), frame);
        }
        break;
    case dTriMeshClass:
        box_in(pose_of(other), low, high);
        gather(other, low, high, terrain);
        if (!terrain.empty()) against(terrain.shape(), pose_of(other));
        break;
    default: break;
    }
}

/// A ray is a geom too.
int hit_by_ray(const Data &data, dGeomID geom, dGeomID ray, dContactGeom &contact) {
    dVector3 start, way;
    dGeomRayGet(ray, start, way);
    const double origin[3] = {start[0], start[1], start[2]};
    const float direction[3] = {float(way[0]), float(way[1]), float(way[2])};
    const fc_pose at = to_fc(pose_of(geom));
    fc_ray_hit hit;
    if (fc_object_ray_cast(data.object, &at, origin, direction, dGeomRayGetLength(ray), &hit) != FC_OK) return 0;
    contact = {};
    for (int k = 0; k < 3; ++k) {
        contact.pos[k] = start[k] + hit.distance * way[k];
        // Of a ray, ODE's normals are those of the surface that it hits. As the object is the first here, and ODE turns what it
        // swaps, this is the other way round.
        contact.normal[k] = -hit.normal[k];
    }
    contact.depth = hit.distance;
    contact.g1 = geom;
    contact.g2 = ray;
    contact.side1 = contact.side2 = -1;
    return 1;
}

int collide(dGeomID geom, dGeomID other, int flags, dContactGeom *out, int skip) {
    const Data &data = *data_of(geom);
    const std::uint32_t most = static_cast<std::uint32_t>(flags & 0xffff);
    if (dGeomGetClass(other) == dRayClass) return hit_by_ray(data, geom, other, *out);
    Contacts contacts;
    const Pose pose = pose_of(geom);
    const Data *second = data_of(other);
    const auto centre = [](dGeomID of, const Pose &at) { return dGeomGetBody(of) ? frame_of(of).position : at.position; };
    const std::uint64_t key = second ? second->object.id : reinterpret_cast<std::uintptr_t>(other);
    data.memories->with(key, [&](fc_pair_memory *memory) {
        Step step{memory, motion_of(geom, centre(geom, pose), data.seconds), {}, data.seconds};
        if (second) {
            const Pose pose_other = pose_of(other);
            step.of_b = motion_of(other, centre(other, pose_other), data.seconds);
            touching(*data.query, data.object, pose, second->object, pose_other, step, contacts);
        } else {
            touching_geom(*data.query, data.object, pose, other, step, contacts);
        }
    });
    const std::uint32_t count = std::min(contacts.count, most);
    for (std::uint32_t k = 0; k < count; ++k) {
        auto &contact = *reinterpret_cast<dContactGeom *>(reinterpret_cast<char *>(out) + k * std::size_t(skip));
        const fc_contact &found = contacts.items[k];
        const Vec at = contacts.point(k);
        contact = {};
        contact.pos[0] = at.x;
        contact.pos[1] = at.y;
        contact.pos[2] = at.z;
        for (int axis = 0; axis < 3; ++axis) contact.normal[axis] = found.normal[axis];
        contact.depth = found.depth;
        contact.g1 = geom;
        contact.g2 = other;
        // ODE has no place for features; which triangle of a mesh it was, nobody asks here.
        contact.side1 = static_cast<int>(found.feature);
        contact.side2 = -1;
    }
    return static_cast<int>(count);
}

/// ODE allows four classes of others; this is one of them, made when it is first needed.
int geom_class() {
    static const int number = [] {
        dGeomClass about{};
        about.bytes = sizeof(Data);
        about.collider = [](int) -> dColliderFn * { return collide; };
        about.aabb = bounds;
        about.dtor = [](dGeomID geom) { delete static_cast<Data *>(dGeomGetClassData(geom))->memories; };
        const int made = dCreateGeomClass(&about);
        // ODE would enter this into its table when two classes first meet, which may be on two threads at once.
        for (const int other : {int(dSphereClass), int(dBoxClass), int(dCapsuleClass), int(dPlaneClass), int(dConvexClass),
                                int(dHeightfieldClass), int(dTriMeshClass), int(dRayClass), made})
            dSetColliderOverride(made, other, collide);
        return made;
    }();
    return number;
}

} // namespace

dGeomID create_geom(dSpaceID space, fc_object object, const Query &query) {
    static std::uint64_t next = 0;
    const dGeomID geom = dCreateGeom(geom_class());
    *static_cast<Data *>(dGeomGetClassData(geom)) = {object, &query, 0, new Memories, next++};
    if (space) dSpaceAdd(space, geom);
    return geom;
}

fc_object object_of(dGeomID geom) {
    const Data *data = data_of(geom);
    return data ? data->object : fc_object{0};
}

dBodyID create_body(dWorldID world, dGeomID geom, const Pose &pose, const Motion &motion) {
    fc_mass m{};
    (void)fc_object_mass(object_of(geom), &m);
    const dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetParameters(&mass, m.mass, 0, 0, 0, m.inertia[0], m.inertia[1], m.inertia[2], m.inertia[3], m.inertia[5],
                       m.inertia[4]);
    dBodySetMass(body, &mass);
    const Vec centre = pose * vec(m.centre);
    const dQuaternion q = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
    dBodySetPosition(body, centre.x, centre.y, centre.z);
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, motion.linear.x, motion.linear.y, motion.linear.z);
    dBodySetAngularVel(body, motion.angular.x, motion.angular.y, motion.angular.z);
    dGeomSetBody(geom, body);
    dGeomSetOffsetPosition(geom, -m.centre[0], -m.centre[1], -m.centre[2]);
    return body;
}

void speculate(dContact &contact, double seconds) {
    if (contact.geom.depth >= 0) return;
    contact.surface.mode |= dContactMotionN;
    contact.surface.motionN = contact.geom.depth / seconds;
    contact.geom.depth = 0;
}

void hold(dContact &contact, Vec crept, double share, double seconds) {
    const double far = length(crept);
    // Below this ODE chooses directions as well.
    if (far < 1e-9) return;
    contact.surface.mode |= dContactFDir1 | dContactMotion1;
    contact.surface.motion1 = -share * far / seconds;
    contact.fdir1[0] = crept.x / far;
    contact.fdir1[1] = crept.y / far;
    contact.fdir1[2] = crept.z / far;
}

// The narrow phase.

void NarrowPhase::collide(dSpaceID space, Jobs &jobs, double seconds) {
    for (int k = 0; k < dSpaceGetNumGeoms(space); ++k)
        if (Data *data = data_of(dSpaceGetGeom(space, k))) {
            data->seconds = seconds;
            data->memories->begin_step();
        }
    before_.swap(pairs_);
    pairs_.clear();
    known_.clear();
    for (std::size_t k = 0; k < before_.size(); ++k) known_[{before_[k].first, before_[k].second}] = k;
    dSpaceCollide(space, this, [](void *self, dGeomID first, dGeomID second) {
        const dBodyID a = dGeomGetBody(first), b = dGeomGetBody(second);
        const auto still = [](dBodyID body) { return !body || !dBodyIsEnabled(body); };
        if (still(a) && still(b)) return;
        // Always the same way round, whatever the space says: what is kept of a pair is of A and B.
        const Data *one = data_of(first), *two = data_of(second);
        if (!one || (two && two->number < one->number)) std::swap(first, second);
        static_cast<NarrowPhase *>(self)->pairs_.push_back({first, second, {}});
    });
    const auto find = [&](Pair &pair) {
        dContactGeom contacts[Contacts::capacity];
        const int count = dCollide(pair.first, pair.second, Contacts::capacity, contacts, sizeof contacts[0]);
        for (int k = 0; k < count; ++k) pair.contacts.push_back({contacts[k], {}, {}});
        if (data_of(pair.first)) remember(pair);
    };
    const auto elsewhere = [](const Pair &pair) {
        // ODE's trees of triangles are for one thread.
        return data_of(pair.first) && dGeomGetClass(pair.second) != dTriMeshClass;
    };
    for (Pair &pair : pairs_)
        if (!elsewhere(pair)) find(pair);
    jobs.each(static_cast<std::uint32_t>(pairs_.size()), [&](std::uint32_t k) {
        if (elsewhere(pairs_[k])) find(pairs_[k]);
    });
}

/// Contacts stick where those of the same feature did in the last step, or the nearest.
void NarrowPhase::remember(Pair &pair) const {
    // Contacts that slide drag along where they stuck, so far behind them at most. In metres.
    constexpr double LEASH = 1e-4;
    const Pose frames[2] = {frame_of(pair.first), frame_of(pair.second)};
    // A space hands out pairs either way round; the features of the two are told apart by bit 31.
    auto found = known_.find({pair.first, pair.second});
    const bool turned = found == known_.end();
    if (turned) found = known_.find({pair.second, pair.first});
    for (Contact &contact : pair.contacts) {
        const Vec at{contact.geom.pos[0], contact.geom.pos[1], contact.geom.pos[2]};
        const Vec normal{contact.geom.normal[0], contact.geom.normal[1], contact.geom.normal[2]};
        const Contact *old = nullptr;
        double least = HUGE_VAL;
        if (found != known_.end())
            for (const Contact &other : before_[found->second].contacts) {
                const Vec there{other.geom.pos[0], other.geom.pos[1], other.geom.pos[2]};
                const int feature = turned ? other.geom.side1 ^ int(0x80000000u) : other.geom.side1;
                const double apart = feature == contact.geom.side1 ? -1 : length(there - at);
                if (apart >= least) continue;
                least = apart;
                old = &other;
            }
        if (old) {
            Vec crept = frames[0] * old->stuck[turned] - frames[1] * old->stuck[!turned];
            crept = crept - dot(crept, normal) * normal;
            contact.crept = std::min(1.0, LEASH / std::max(length(crept), LEASH)) * crept;
        }
        contact.stuck[0] = inverse(frames[0]) * (at + 0.5 * contact.crept);
        contact.stuck[1] = inverse(frames[1]) * (at - 0.5 * contact.crept);
    }
}

void NarrowPhase::remove(dSpaceID space, dGeomID geom, double margin) {
    // The next geom may have its address.
    const auto gone = [&](const Pair &pair) { return pair.first == geom || pair.second == geom; };
    pairs_.erase(std::remove_if(pairs_.begin(), pairs_.end(), gone), pairs_.end());
    dReal box[6];
    dGeomGetAABB(geom, box);
    for (int k = 0; k < dSpaceGetNumGeoms(space); ++k) {
        const dGeomID other = dSpaceGetGeom(space, k);
        const dBodyID body = dGeomGetBody(other);
        if (!body || other == geom) continue;
        dReal theirs[6];
        dGeomGetAABB(other, theirs);
        bool apart = false;
        for (int axis = 0; axis < 6; axis += 2)
            apart = apart || theirs[axis] > box[axis + 1] + margin || theirs[axis + 1] < box[axis] - margin;
        if (!apart) dBodyEnable(body);
    }
    if (const dBodyID body = dGeomGetBody(geom)) dBodyDestroy(body);
    dGeomDestroy(geom);
}

} // namespace adapter::ode
