#include "jolt.hpp"

#include "../common/terrain.hpp"

#include <Jolt/Physics/Body/BodyLock.h>
#include <Jolt/Physics/Collision/CastResult.h>
#include <Jolt/Physics/Collision/CollidePointResult.h>
#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionCollectorImpl.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/RayCast.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/CylinderShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/Collision/Shape/TaperedCapsuleShape.h>
#include <Jolt/Physics/Collision/ShapeCast.h>
#include <Jolt/Physics/Collision/TransformedShape.h>
#include <Jolt/Physics/SoftBody/SoftBodyVertex.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>

namespace adapter::jolt {

using JPH::Mat44;
using JPH::Mat44Arg;
using JPH::Vec3;
using JPH::Vec3Arg;

namespace {

Pose pose_of(Mat44Arg transform) { return {from_jolt(transform.GetTranslation()), from_jolt(transform.GetQuaternion())}; }

// Jolt's own shapes ---------------------------------------------------------------------------------------------------------

/// Fracas' hulls of Jolt's. They are found by their planes, not by the shape: a shape may go and another come at its address.
class Hulls {
public:
    /// Four floats a plane. Nothing if they enclose no body.
    std::shared_ptr<const fracas::Hull> find(const std::vector<float> &planes) {
        {
            std::shared_lock reading(mutex_);
            if (auto known = hulls_.find(planes); known != hulls_.end()) return known->second;
        }
        auto made = fracas::Hull::create(planes);
        auto hull = made ? std::make_shared<const fracas::Hull>(made.take()) : nullptr;
        std::unique_lock writing(mutex_);
        if (hulls_.size() >= most) hulls_.clear();
        return hulls_.emplace(planes, std::move(hull)).first->second;
    }
    void clear() {
        std::unique_lock writing(mutex_);
        hulls_.clear();
    }

private:
    /// Then all are made anew: a world whose hulls are scaled without end must not fill the memory.
    static constexpr std::size_t most = 4096;
    std::shared_mutex mutex_;
    std::map<std::vector<float>, std::shared_ptr<const fracas::Hull>> hulls_;
};

Hulls &hulls() {
    static Hulls all;
    return all;
}

/// A body of revolution about y: a cylinder, or what two balls on the axis and the cone around them enclose.
struct Turned {
    double radius = 0, half_height = 0;              // of a cylinder
    double low = 0, high = 0, low_radius = 0, high_radius = 0; // of a tapered capsule
    bool tapered = false;

    /// Distance in the half-plane of the axis, from the point `out` from it and `up` along it; the way out likewise.
    double distance(double out, double up, double &way_out, double &way_up) const {
        return tapered ? of_cone(out, up, way_out, way_up) : of_cylinder(out, up, way_out, way_up);
    }

private:
    double of_cylinder(double out, double up, double &way_out, double &way_up) const {
        const double side = out - radius, end = std::abs(up) - half_height, sign = up < 0 ? -1 : 1;
        if (side > 0 && end > 0) { // off the rim
            const double apart = std::hypot(side, end);
            way_out = side / apart;
            way_up = sign * end / apart;
            return apart;
        }
        way_out = side > end ? 1 : 0;
        way_up = side > end ? 0 : sign;
        return std::max(side, end);
    }
    double of_cone(double out, double up, double &way_out, double &way_up) const {
        // The cone touches both balls where its normal leans by `lean` from the plane across the axis.
        const double lean = (low_radius - high_radius) / (high - low), straight = std::sqrt(1 - lean * lean);
        // Along the axis, where the normal through the point comes from.
        const double foot = up - out * lean / straight;
        const bool at_low = foot <= low, at_high = foot >= high;
        if (at_low || at_high) {
            const double along = up - (at_low ? low : high), apart = std::hypot(out, along);
            way_out = apart > 0 ? out / apart : 1;
            way_up = apart > 0 ? along / apart : 0;
            return apart - (at_low ? low_radius : high_radius);
        }
        way_out = straight;
        way_up = lean;
        return (up - low) * lean + out * straight - low_radius;
    }
};

double turned_field(const double *point, double *outward, void *turned) {
    const double out = std::hypot(point[0], point[2]);
    double way_out, way_up;
    const double distance = static_cast<const Turned *>(turned)->distance(out, point[1], way_out, way_up);
    outward[0] = way_out * (out > 0 ? point[0] / out : 1);
    outward[1] = way_up;
    outward[2] = way_out * (out > 0 ? point[2] / out : 0);
    return distance;
}

/// A convex shape of Jolt's as Fracas has it, in the frame of its centre of mass. Stays where it is: it may point to itself.
class Convex {
public:
    Convex(const JPH::Shape &shape, Vec3Arg scale) {
        const Vec3 size = scale.Abs();
        switch (shape.GetSubType()) {
        case JPH::EShapeSubType::Sphere:
            known_ = true;
            shape_ = fracas::shape::ball(size.GetX() * static_cast<const JPH::SphereShape &>(shape).GetRadius());
            break;
        case JPH::EShapeSubType::Box: {
            // Its convex radius rounds edges for Jolt's own algorithms only; the box is as large as it was asked for.
            known_ = true;
            const Vec3 half = size * static_cast<const JPH::BoxShape &>(shape).GetHalfExtent();
            shape_ = fracas::shape::box(half.GetX(), half.GetY(), half.GetZ());
            break;
        }
        case JPH::EShapeSubType::Capsule: {
            known_ = true;
            const auto &capsule = static_cast<const JPH::CapsuleShape &>(shape);
            shape_ = fracas::shape::of_kind(FC_SHAPE_CAPSULE);
            shape_.radius = size.GetX() * capsule.GetRadius();
            shape_.ends[0][1] = -size.GetX() * capsule.GetHalfHeightOfCylinder();
            shape_.ends[1][1] = -shape_.ends[0][1];
            break;
        }
        case JPH::EShapeSubType::Cylinder: {
            const auto &cylinder = static_cast<const JPH::CylinderShape &>(shape);
            turned_.radius = size.GetX() * cylinder.GetRadius();
            turned_.half_height = size.GetY() * cylinder.GetHalfHeight();
            use_field();
            break;
        }
        case JPH::EShapeSubType::TaperedCapsule:
            set_tapered(static_cast<const JPH::TaperedCapsuleShape &>(shape), scale);
            use_field();
            break;
        case JPH::EShapeSubType::ConvexHull:
            set_hull(static_cast<const JPH::ConvexHullShape &>(shape), scale);
            break;
        default: break;
        }
    }
    Convex(const Convex &) = delete;
    Convex &operator=(const Convex &) = delete;

    /// Null if it is none of those, or a hull without a body.
    const fc_shape *get() const { return known_ ? &shape_ : nullptr; }

private:
    void use_field() {
        known_ = true;
        shape_ = fracas::shape::of_kind(FC_SHAPE_FIELD);
        shape_.field = turned_field;
        shape_.user_data = &turned_;
    }
    /// Jolt does not tell its measures, but they follow from what it tells: the larger radius and both ends from the bounds, the
    /// smaller radius from the ball that fits in, and which end is the larger one from the point that is farthest along x.
    void set_tapered(const JPH::TaperedCapsuleShape &shape, Vec3Arg scale) {
        const JPH::AABox bounds = shape.GetLocalBounds().Scaled(scale);
        JPH::ConvexShape::SupportBuffer buffer;
        const auto *support = shape.GetSupportFunction(JPH::ConvexShape::ESupportMode::IncludeConvexRadius, buffer, scale);
        const double large = bounds.mMax.GetX(), small = scale.Abs().GetX() * shape.GetInnerRadius();
        const double middle = support->GetSupport(Vec3::sAxisX()).GetY(), end = bounds.mMax.GetY();
        const bool large_above = std::abs(middle + large - end) < std::abs(middle - large - bounds.mMin.GetY());
        turned_.tapered = true;
        turned_.low_radius = large_above ? small : large;
        turned_.high_radius = large_above ? large : small;
        turned_.low = bounds.mMin.GetY() + turned_.low_radius;
        turned_.high = end - turned_.high_radius;
    }
    void set_hull(const JPH::ConvexHullShape &shape, Vec3Arg scale) {
        thread_local std::vector<float> planes;
        planes.clear();
        for (const JPH::Plane &plane : shape.GetPlanes()) {
            const Vec3 normal = plane.GetNormal() / scale; // of any length, and the offset with it
            planes.insert(planes.end(), {normal.GetX(), normal.GetY(), normal.GetZ(), -plane.GetConstant()});
        }
        hull_ = hulls().find(planes);
        if (!hull_) return;
        known_ = true;
        shape_ = fracas::shape::hull(*hull_);
    }

    bool known_ = false;
    fc_shape shape_;
    Turned turned_;
    std::shared_ptr<const fracas::Hull> hull_;
};

// Contacts ------------------------------------------------------------------------------------------------------------------

/// Whether an object may be met at this size: its own. Says so once, if not.
bool right_size(Vec3Arg scale) {
    if (scale.IsClose(Vec3::sReplicate(1), 1e-8f)) return true;
    static std::atomic_flag told = ATOMIC_FLAG_INIT;
    if (!told.test_and_set())
        JPH::Trace("fracas: a scaled shape around an object touches nothing; give the object its size with fc_object_desc.scale");
    return false;
}

/// A contact's feature as a part of Jolt's id: bits 0 to 21 its index, 22 a crease.
JPH::SubShapeID with_feature(const JPH::SubShapeIDCreator &ids, std::uint32_t feature) {
    return ids.PushID(feature & ((1u << Shape::feature_bits) - 1), Shape::feature_bits).GetID();
}

/// The features of contacts as Jolt can take them: no two the same. Two contacts with one id would make the order of Jolt's constraints,
/// and so its results, depend on threads.
void shorten(const Contacts &contacts, std::uint32_t (&short_ones)[Contacts::capacity]) {
    constexpr std::uint32_t second = 0x80000000u, crease = 0x20000000u, index = (1u << 22) - 1;
    for (std::uint32_t k = 0; k < contacts.count; ++k) {
        const std::uint32_t feature = contacts.items[k].feature;
        std::uint32_t made = (feature & (second | index)) | (feature & crease ? 1u << 22 : 0);
        while (std::find(short_ones, short_ones + k, made) != short_ones + k) made = (made & ~index) | ((made + 0x1001) & index);
        short_ones[k] = made;
    }
}

/// Hands contacts to Jolt. Its axis pushes the second body out, so ours, from B to A, is turned; both points of a contact lie
/// half the depth off the middle. Jolt collides in a frame that has the world's axes and the first body's centre of mass as its
/// origin, and so did we.
///
/// `objects` says that the second is an object too. Ids of Jolt's own shapes mean something to them, and are left alone: what
/// is a feature of theirs, a corner, is told by the highest bit of ours.
void deliver(const Contacts &contacts, bool objects, const JPH::SubShapeIDCreator &ids1, const JPH::SubShapeIDCreator &ids2,
             JPH::CollideShapeCollector &collector) {
    constexpr std::uint32_t second = 0x80000000u, theirs = 1u << (Shape::feature_bits - 1);
    const JPH::BodyID body2 = JPH::TransformedShape::sGetBodyID(collector.GetContext());
    std::uint32_t features[Contacts::capacity];
    shorten(contacts, features);
    for (std::uint32_t k = 0; k < contacts.count; ++k) {
        if (collector.ShouldEarlyOut()) return;
        const fc_contact &contact = contacts.items[k];
        if (-contact.depth >= collector.GetEarlyOutFraction()) continue; // it has a better one
        const Vec3 middle = to_jolt(contacts.point(k)), normal(contact.normal[0], contact.normal[1], contact.normal[2]);
        const Vec3 half = 0.5f * contact.depth * normal;
        const bool of_second = (features[k] & second) != 0;
        const auto id1 = !of_second ? with_feature(ids1, features[k])
                         : objects  ? ids1.GetID()
                                    : with_feature(ids1, features[k] | theirs);
        const auto id2 = of_second && objects ? with_feature(ids2, features[k]) : ids2.GetID();
        collector.AddHit(JPH::CollideShapeResult(middle - half, middle + half, -normal, contact.depth, id1, id2, body2));
    }
}

/// A shape that is cast is not where its body is: nothing is kept, and there is no way ahead of it.
thread_local bool casting = false;

/// Asks for the contacts of an object with another one, or with a shape of Jolt's. ask(query, step, contacts).
template <class Ask>
void ask_in_step(const Shape &a, const Shape *b, const JPH::Shape &shape2, const JPH::CollideShapeSettings &settings, Contacts &contacts, Ask ask) {
    Query query = a.query();
    if (casting) {
        query.margin = settings.mMaxSeparationDistance;
        ask(query, Step{}, contacts);
        return;
    }
    Step step;
    step.seconds = b ? std::max(a.turning().seconds, b->turning().seconds) : a.turning().seconds;
    // With the motion of the step, gaps need not be as wide as what Jolt's broad phase looks ahead.
    query.margin = step.seconds > 0 ? std::min<double>(query.margin, settings.mMaxSeparationDistance) : settings.mMaxSeparationDistance;
    // Jolt tells the velocity of the first body relative to the second, for active edges; gravity is in it already.
    step.of_a = {from_jolt(settings.mActiveEdgeMovementDirection), a.turning().angular};
    if (b) step.of_b.angular = b->turning().angular;
    a.memories().with(b ? b->object().id : reinterpret_cast<std::uintptr_t>(&shape2), [&](fc_pair_memory *memory) {
        step.memory = memory;
        ask(query, step, contacts);
    });
}

/// With a shape of Jolt's as the first.
void collide_reversed(const JPH::Shape *shape1, const JPH::Shape *shape2, Vec3Arg scale1, Vec3Arg scale2, Mat44Arg centre1,
                      Mat44Arg centre2, const JPH::SubShapeIDCreator &ids1, const JPH::SubShapeIDCreator &ids2,
                      const JPH::CollideShapeSettings &settings, JPH::CollideShapeCollector &collector, const JPH::ShapeFilter &filter) {
    JPH::CollideShapeSettings turned = settings;
    turned.mActiveEdgeMovementDirection = -settings.mActiveEdgeMovementDirection;
    JPH::CollisionDispatch::sReversedCollideShape(shape1, shape2, scale1, scale2, centre1, centre2, ids1, ids2, turned, collector, filter);
}

void collide_objects(const JPH::Shape *shape1, const JPH::Shape *shape2, Vec3Arg scale1, Vec3Arg scale2, Mat44Arg centre1,
                     Mat44Arg centre2, const JPH::SubShapeIDCreator &ids1, const JPH::SubShapeIDCreator &ids2,
                     const JPH::CollideShapeSettings &settings, JPH::CollideShapeCollector &collector, const JPH::ShapeFilter &) {
    if (!right_size(scale1) || !right_size(scale2)) return;
    const auto &a = static_cast<const Shape &>(*shape1), &b = static_cast<const Shape &>(*shape2);
    Contacts contacts;
    ask_in_step(a, &b, b, settings, contacts, [&](const Query &query, const Step &step, Contacts &found) {
        touching(query, a.object(), a.object_pose(centre1), b.object(), b.object_pose(centre2), step, found);
    });
    deliver(contacts, true, ids1, ids2, collector);
}

void collide_with_convex(const JPH::Shape *shape1, const JPH::Shape *shape2, Vec3Arg scale1, Vec3Arg scale2, Mat44Arg centre1,
                         Mat44Arg centre2, const JPH::SubShapeIDCreator &ids1, const JPH::SubShapeIDCreator &ids2,
                         const JPH::CollideShapeSettings &settings, JPH::CollideShapeCollector &collector,
                         const JPH::ShapeFilter &) {
    if (!right_size(scale1)) return;
    const auto &a = static_cast<const Shape &>(*shape1);
    const Convex convex(*shape2, scale2);
    if (!convex.get()) return;
    Contacts contacts;
    ask_in_step(a, nullptr, *shape2, settings, contacts, [&](const Query &query, const Step &step, Contacts &found) {
        touching(query, a.object(), a.object_pose(centre1), *convex.get(), pose_of(centre2), step, found);
    });
    deliver(contacts, false, ids1, ids2, collector);
}

/// Of what is that far below the surface of a mesh or height field, the surface is the way out. More than any body of ours
/// covers in a step, and less than the rooms below a terrain are high.
constexpr double terrain_thickness = 0.1;

/// Triangles of Jolt's: those in the box of the object, grown by the distance up to which they matter.
void collide_with_triangles(const JPH::Shape *shape1, const JPH::Shape *shape2, Vec3Arg scale1, Vec3Arg scale2, Mat44Arg centre1,
                            Mat44Arg centre2, const JPH::SubShapeIDCreator &ids1, const JPH::SubShapeIDCreator &ids2,
                            const JPH::CollideShapeSettings &settings, JPH::CollideShapeCollector &collector,
                            const JPH::ShapeFilter &) {
    if (!right_size(scale1)) return;
    const auto &a = static_cast<const Shape &>(*shape1);
    // In the frame of the terrain: Jolt's own frame moves with the object.
    JPH::AABox box = a.GetWorldSpaceBounds(centre2.InversedRotationTranslation() * centre1, scale1);
    box.ExpandBy(Vec3::sReplicate(float(terrain_thickness) + settings.mMaxSeparationDistance));

    thread_local Terrain terrain;
    terrain.begin(terrain_thickness);
    JPH::Shape::GetTrianglesContext context;
    shape2->GetTrianglesStart(context, box, Vec3::sZero(), JPH::Quat::sIdentity(), scale2);
    constexpr int batch = JPH::Shape::cGetTrianglesMinTrianglesRequested;
    JPH::Float3 corners[3 * batch];
    while (const int count = shape2->GetTrianglesNext(context, batch, corners))
        for (int k = 0; k < count; ++k) {
            const Vec3 p(corners[3 * k]), q(corners[3 * k + 1]), r(corners[3 * k + 2]);
            if (JPH::AABox bounds(Vec3::sMin(p, Vec3::sMin(q, r)), Vec3::sMax(p, Vec3::sMax(q, r))); bounds.Overlaps(box))
                terrain.add(from_jolt(p), from_jolt(q), from_jolt(r));
        }
    if (terrain.empty()) return;
    Contacts contacts;
    ask_in_step(a, nullptr, *shape2, settings, contacts, [&](const Query &query, const Step &step, Contacts &found) {
        touching(query, a.object(), a.object_pose(centre1), terrain.shape(), pose_of(centre2), step, found);
    });
    deliver(contacts, false, ids1, ids2, collector);
}

/// A shape on its way, for bodies with EMotionQuality::LinearCast and for shape casts: as long as there is a gap it may go on
/// by as much, whatever the way. Ends where the gap is a thousandth of the shape, or where it leads away.
void cast(const JPH::ShapeCast &moving, const JPH::ShapeCastSettings &cast_settings, const JPH::Shape *shape2, Vec3Arg scale2,
          const JPH::ShapeFilter &filter, Mat44Arg centre2, const JPH::SubShapeIDCreator &ids1,
          const JPH::SubShapeIDCreator &ids2, JPH::CastShapeCollector &collector) {
    const float length = moving.mDirection.Length();
    const Vec3 way = length > 0 ? moving.mDirection / length : Vec3::sZero();
    const float near = 1e-3f * std::min(moving.mShapeWorldBounds.GetExtent().Length(), 0.1f);
    JPH::CollideShapeSettings settings;
    static_cast<JPH::CollideSettingsBase &>(settings) = cast_settings;
    struct Casting {
        Casting() { casting = true; }
        ~Casting() { casting = false; }
    } now;
    float gone = 0;
    for (int tries = 0; tries < 64; ++tries) {
        settings.mMaxSeparationDistance = length - gone + near;
        JPH::AllHitCollisionCollector<JPH::CollideShapeCollector> around;
        const Mat44 place = Mat44::sTranslation(gone * way) * moving.mCenterOfMassStart;
        JPH::CollisionDispatch::sCollideShapeVsShape(moving.mShape, shape2, moving.mScale, scale2, place, Mat44::sIdentity(), ids1,
                                                     ids2, settings, around, filter);
        const JPH::CollideShapeResult *first = nullptr;
        for (const JPH::CollideShapeResult &hit : around.mHits) {
            const bool leads_away = hit.mPenetrationAxis.Dot(way) <= 0 && length > 0;
            if (leads_away && cast_settings.mBackFaceModeConvex == JPH::EBackFaceMode::IgnoreBackFaces) continue;
            if (!first || hit.mPenetrationDepth > first->mPenetrationDepth) first = &hit;
        }
        const float fraction = length > 0 ? gone / length : 0;
        if (!first || fraction > std::max(collector.GetEarlyOutFraction(), 0.0f)) return;
        if (-first->mPenetrationDepth <= near) {
            JPH::ShapeCastResult hit(fraction, centre2 * first->mContactPointOn1, centre2 * first->mContactPointOn2,
                                     centre2.Multiply3x3(first->mPenetrationAxis), false, first->mSubShapeID1,
                                     first->mSubShapeID2, JPH::TransformedShape::sGetBodyID(collector.GetContext()));
            hit.mPenetrationDepth = std::max(first->mPenetrationDepth, 0.0f);
            if (hit.GetEarlyOutFraction() < collector.GetEarlyOutFraction()) collector.AddHit(hit);
            return;
        }
        gone -= first->mPenetrationDepth;
        if (gone > length) return;
    }
}

} // namespace

void register_shape() {
    constexpr auto ours = JPH::EShapeSubType::User1;
    JPH::ShapeFunctions::sGet(ours).mConstruct = []() -> JPH::Shape * { return new Shape; };
    JPH::ShapeFunctions::sGet(ours).mColor = JPH::Color::sOrange;

    const auto meets = [](JPH::EShapeSubType theirs, JPH::CollisionDispatch::CollideShape collide) {
        JPH::CollisionDispatch::sRegisterCollideShape(ours, theirs, collide);
        JPH::CollisionDispatch::sRegisterCastShape(ours, theirs, cast);
        if (theirs == ours) return;
        JPH::CollisionDispatch::sRegisterCollideShape(theirs, ours, collide_reversed);
        JPH::CollisionDispatch::sRegisterCastShape(theirs, ours, cast);
    };
    meets(ours, collide_objects);
    for (const auto convex : {JPH::EShapeSubType::Sphere, JPH::EShapeSubType::Box, JPH::EShapeSubType::Capsule,
                              JPH::EShapeSubType::TaperedCapsule, JPH::EShapeSubType::Cylinder, JPH::EShapeSubType::ConvexHull})
        meets(convex, collide_with_convex);
    for (const auto triangles : {JPH::EShapeSubType::Triangle, JPH::EShapeSubType::Mesh, JPH::EShapeSubType::HeightField})
        meets(triangles, collide_with_triangles);
}

void forget_hulls() { hulls().clear(); }

// The shape -----------------------------------------------------------------------------------------------------------------

Shape::Shape() : JPH::Shape(JPH::EShapeType::User1, JPH::EShapeSubType::User1) {}

JPH::Ref<Shape> Shape::of(fc_object object, const Query &query, const JPH::PhysicsMaterial *material) {
    fc_mass mass;
    fc_aabb bounds;
    if (fc_object_mass(object, &mass) < 0 || fc_object_bounds(object, nullptr, &bounds) < 0) return nullptr;
    JPH::Ref<Shape> shape = new Shape;
    shape->object_ = object;
    shape->query_ = &query;
    shape->material_ = material;
    shape->centre_ = to_jolt(vec(mass.centre));
    shape->bounds_ = JPH::AABox(to_jolt(vec(bounds.min)) - shape->centre_, to_jolt(vec(bounds.max)) - shape->centre_);
    shape->volume_ = float(mass.volume);
    shape->mass_.mMass = float(mass.mass);
    const double *i = mass.inertia; // xx, yy, zz, xy, yz, zx
    shape->mass_.mInertia = Mat44(JPH::Vec4(float(i[0]), float(i[3]), float(i[5]), 0), JPH::Vec4(float(i[3]), float(i[1]), float(i[4]), 0),
                                  JPH::Vec4(float(i[5]), float(i[4]), float(i[2]), 0), JPH::Vec4(0, 0, 0, 1));
    // Of a ball that fits in, Jolt only wants to know how far a body may go before it could pass through another. The centre of
    // mass may be in the open, as of a bowl.
    Vec3 outward;
    const float depth = -float(shape->signed_distance(Vec3::sZero(), outward));
    shape->inner_radius_ = std::max(depth, 0.05f * shape->bounds_.GetExtent().ReduceMin());
    return shape;
}

Pose Shape::object_pose(Mat44Arg centre_of_mass) const {
    const Pose pose = pose_of(centre_of_mass);
    return {pose.position - rotate(pose.rotation, from_jolt(centre_)), pose.rotation};
}

fc_pose Shape::pose_in_shape() const { return to_fc({-from_jolt(centre_), {}}); }

double Shape::signed_distance(Vec3Arg point, Vec3 &outward) const {
    const fc_pose pose = pose_in_shape();
    const double at[3] = {point.GetX(), point.GetY(), point.GetZ()};
    double distance = HUGE_VAL;
    float way[3] = {0, 0, 1};
    fc_object_signed_distance(object_, &pose, at, &distance, way);
    outward = Vec3(way[0], way[1], way[2]);
    return distance;
}

const JPH::PhysicsMaterial *Shape::GetMaterial(const JPH::SubShapeID &) const {
    return material_ ? material_.GetPtr() : JPH::PhysicsMaterial::sDefault.GetPtr();
}

Vec3 Shape::GetSurfaceNormal(const JPH::SubShapeID &, Vec3Arg point) const {
    // The way out of a point on the surface leans near edges. The face is asked for instead, by a short ray from above.
    Vec3 outward;
    signed_distance(point, outward);
    const float above = 1e-3f * bounds_.GetExtent().Length();
    const Vec3 from = point + above * outward;
    const double origin[3] = {from.GetX(), from.GetY(), from.GetZ()};
    const float direction[3] = {-outward.GetX(), -outward.GetY(), -outward.GetZ()};
    const fc_pose pose = pose_in_shape();
    fc_ray_hit hit;
    if (fc_object_ray_cast(object_, &pose, origin, direction, 2 * above, &hit) != FC_OK) return outward;
    return Vec3(hit.normal[0], hit.normal[1], hit.normal[2]);
}

bool Shape::IsValidScale(Vec3Arg scale) const { return right_size(scale); }

bool Shape::CastRay(const JPH::RayCast &ray, const JPH::SubShapeIDCreator &ids, JPH::RayCastResult &hit) const {
    struct Nearest final : JPH::CastRayCollector {
        void AddHit(const JPH::RayCastResult &found) override {
            fraction = found.mFraction;
            ForceEarlyOut();
        }
        float fraction = -1;
    } nearest;
    nearest.UpdateEarlyOutFraction(hit.mFraction);
    CastRay(ray, JPH::RayCastSettings{}, ids, nearest, JPH::ShapeFilter{});
    if (nearest.fraction < 0) return false;
    hit.mFraction = nearest.fraction;
    hit.mSubShapeID2 = ids.GetID();
    return true;
}

void Shape::CastRay(const JPH::RayCast &ray, const JPH::RayCastSettings &settings, const JPH::SubShapeIDCreator &ids,
                    JPH::CastRayCollector &collector, const JPH::ShapeFilter &filter) const {
    const float length = ray.mDirection.Length();
    if (!filter.ShouldCollide(this, ids.GetID()) || length == 0) return;
    JPH::RayCastResult hit;
    hit.mBodyID = JPH::TransformedShape::sGetBodyID(collector.GetContext());
    hit.mSubShapeID2 = ids.GetID();
    Vec3 outward;
    if (settings.mTreatConvexAsSolid && signed_distance(ray.mOrigin, outward) < 0 && 0 < collector.GetEarlyOutFraction()) {
        hit.mFraction = 0;
        collector.AddHit(hit);
    }
    // It may go in and out many times. Each further ray begins a little behind the last hit.
    const float step = 1e-5f * bounds_.GetExtent().Length();
    const fc_pose pose = pose_in_shape();
    const float direction[3] = {ray.mDirection.GetX(), ray.mDirection.GetY(), ray.mDirection.GetZ()};
    for (float gone = 0; !collector.ShouldEarlyOut();) {
        const double reach = length * double(std::min(collector.GetEarlyOutFraction(), 1.0f)) - gone;
        const Vec3 origin = ray.mOrigin + (gone / length) * ray.mDirection;
        const double from[3] = {origin.GetX(), origin.GetY(), origin.GetZ()};
        fc_ray_hit found;
        if (!(reach > 0) || fc_object_ray_cast(object_, &pose, from, direction, reach, &found) != FC_OK) return;
        gone += float(found.distance);
        const bool from_behind = Vec3(found.normal[0], found.normal[1], found.normal[2]).Dot(ray.mDirection) > 0;
        if (!from_behind || settings.mBackFaceMode == JPH::EBackFaceMode::CollideWithBackFaces) {
            hit.mFraction = gone / length;
            if (hit.mFraction < collector.GetEarlyOutFraction()) collector.AddHit(hit);
        }
        gone += step;
    }
}

void Shape::CollidePoint(Vec3Arg point, const JPH::SubShapeIDCreator &ids, JPH::CollidePointCollector &collector,
                         const JPH::ShapeFilter &filter) const {
    Vec3 outward;
    if (filter.ShouldCollide(this, ids.GetID()) && bounds_.Contains(point) && signed_distance(point, outward) <= 0)
        collector.AddHit({JPH::TransformedShape::sGetBodyID(collector.GetContext()), ids.GetID()});
}

void Shape::CollideSoftBodyVertices(Mat44Arg centre_of_mass, Vec3Arg scale, JPH::SoftBodyVertex *vertices, JPH::uint count,
                                    float, Vec3Arg, int index) const {
    if (!right_size(scale)) return;
    const Mat44 back = centre_of_mass.InversedRotationTranslation();
    for (JPH::SoftBodyVertex *vertex = vertices; vertex != vertices + count; ++vertex) {
        if (vertex->mInvMass <= 0) continue;
        Vec3 outward;
        const float depth = -float(signed_distance(back * vertex->mPosition, outward));
        if (depth <= vertex->mLargestPenetration) continue;
        const Vec3 normal = centre_of_mass.Multiply3x3(outward);
        vertex->mLargestPenetration = depth;
        vertex->mCollisionPlane = JPH::Plane::sFromPointAndNormal(vertex->mPosition + depth * normal, normal);
        vertex->mCollidingShapeIndex = index;
    }
}

void Shape::GetSubmergedVolume(Mat44Arg centre_of_mass, Vec3Arg, const JPH::Plane &surface, float &total, float &submerged,
                               Vec3 &centre_of_buoyancy
#ifdef JPH_DEBUG_RENDERER
                               , JPH::RVec3Arg
#endif
) const {
    const JPH::SphereShape ball(std::cbrt(volume_ / (4.0f / 3.0f * JPH::JPH_PI)));
    ball.GetSubmergedVolume(centre_of_mass, Vec3::sReplicate(1), surface, total, submerged, centre_of_buoyancy
#ifdef JPH_DEBUG_RENDERER
                            , JPH::RVec3::sZero()
#endif
    );
}

// Bodies --------------------------------------------------------------------------------------------------------------------

JPH::BodyCreationSettings body_settings(const Shape &shape, const Pose &pose, const Motion &motion, JPH::EMotionType type,
                                        JPH::ObjectLayer layer) {
    JPH::BodyCreationSettings settings(&shape, to_jolt_place(pose.position), to_jolt(pose.rotation), type, layer);
    settings.mLinearVelocity = to_jolt(motion.linear);
    settings.mAngularVelocity = to_jolt(motion.angular);
    // Fracas has chosen few and good contacts. Merging those within 5 degrees would bend their normals, and the pick among them
    // goes by a millimetre, which is much for a fragment. Each for itself, its feature also is what warm starting finds it by.
    settings.mUseManifoldReduction = false;
    // Jolt's default, 47 rad/s, is for things of a metre. A splinter of 2 cm that flies at 3 m/s may turn three times as fast.
    settings.mMaxAngularVelocity = 200;
    return settings;
}

JPH::Body *create_body(JPH::BodyInterface &bodies, const JPH::BodyCreationSettings &settings) {
    JPH::Body *body = bodies.CreateBody(settings);
    if (!body || !body->IsDynamic() || settings.mAllowedDOFs != JPH::EAllowedDOFs::All) return body;
    JPH::MassProperties mass = settings.GetMassProperties();
    const float size = mass.mInertia(0, 0) + mass.mInertia(1, 1) + mass.mInertia(2, 2);
    mass.mInertia *= 1 / size;
    Mat44 axes;
    Vec3 moments;
    if (mass.DecomposePrincipalMomentsOfInertia(axes, moments))
        body->GetMotionProperties()->SetInverseInertia((size * moments).Reciprocal(), axes.GetQuaternion());
    return body;
}

void before_step(JPH::PhysicsSystem &system, double seconds) {
    JPH::BodyIDVector active;
    system.GetActiveBodies(JPH::EBodyType::RigidBody, active);
    for (const JPH::BodyID id : active) {
        const JPH::Body *body = system.GetBodyLockInterfaceNoLock().TryGetBody(id);
        if (!body || body->GetShape()->GetSubType() != JPH::EShapeSubType::User1) continue;
        const auto &shape = static_cast<const Shape &>(*body->GetShape());
        shape.turning() = {from_jolt(body->GetAngularVelocity()), seconds};
        shape.memories().begin_step();
    }
}

std::vector<JPH::BodyID> replace(JPH::PhysicsSystem &system, JPH::BodyID whole, const std::vector<fc_object> &fragments) {
    JPH::BodyCreationSettings settings;
    JPH::AABox bounds;
    Vec centre;
    const Query *query = nullptr;
    JPH::RefConst<JPH::PhysicsMaterial> material;
    {
        JPH::BodyLockRead lock(system.GetBodyLockInterface(), whole);
        if (!lock.Succeeded() || lock.GetBody().GetShape()->GetSubType() != JPH::EShapeSubType::User1) return {};
        const JPH::Body &body = lock.GetBody();
        const auto &shape = static_cast<const Shape &>(*body.GetShape());
        query = &shape.query();
        material = shape.GetMaterial({});
        settings = body.GetBodyCreationSettings();
        bounds = body.GetWorldSpaceBounds();
        centre = from_jolt(body.GetCenterOfMassPosition());
    }
    settings.mOverrideMassProperties = JPH::EOverrideMassProperties::CalculateMassAndInertia;
    const Motion motion{from_jolt(settings.mLinearVelocity), from_jolt(settings.mAngularVelocity)};
    const Pose pose{from_jolt(settings.mPosition), from_jolt(settings.mRotation)};

    JPH::BodyInterface &bodies = system.GetBodyInterface();
    std::vector<JPH::BodyID> parts;
    for (const fc_object fragment : fragments) {
        const JPH::Body *body = nullptr;
        if (const JPH::Ref<Shape> shape = Shape::of(fragment, *query, material)) {
            const Motion part = inherited(motion, centre, pose * from_jolt(shape->GetCenterOfMass()));
            settings.SetShape(shape);
            settings.mLinearVelocity = to_jolt(part.linear);
            settings.mAngularVelocity = to_jolt(part.angular);
            body = create_body(bodies, settings);
        }
        if (!body) { // all or none: callers pair bodies with fragments
            bodies.DestroyBodies(parts.data(), int(parts.size()));
            return {};
        }
        parts.push_back(body->GetID());
    }
    if (parts.empty()) return {};
    bodies.RemoveBody(whole);
    bodies.DestroyBody(whole);
    // All at once: one tree of the broad phase for them. Adding changes the order, and the caller's is that of the fragments.
    std::vector<JPH::BodyID> added = parts;
    const auto state = bodies.AddBodiesPrepare(added.data(), int(added.size()));
    bodies.AddBodiesFinalize(added.data(), int(added.size()), state, JPH::EActivation::Activate);
    // Jolt wakes neither what lay on a body that goes, nor what it touched.
    bounds.ExpandBy(Vec3::sReplicate(2 * system.GetPhysicsSettings().mSpeculativeContactDistance));
    bodies.ActivateBodiesInAABox(bounds, {}, {});
    return parts;
}

} // namespace adapter::jolt
