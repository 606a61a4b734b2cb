#include "bullet.hpp"

#include "../common/terrain.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btShapeHull.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>

namespace adapter::bullet {

Pose from_bullet(const btTransform &transform) {
    const btMatrix3x3 &m = transform.getBasis();
    return {from_bullet(transform.getOrigin()),
            from_axes(from_bullet(m.getColumn(0)), from_bullet(m.getColumn(1)), from_bullet(m.getColumn(2)))};
}

// The shape.

Shape::Shape(fc_object object) : object_(object), inertia_(inertia_of(object).value_or(Inertia{})) {
    // The one number that Bullet leaves for concave shapes of others.
    m_shapeType = CUSTOM_CONCAVE_SHAPE_TYPE;
    setMargin(0);
    fc_aabb box;
    if (fc_object_bounds(object, nullptr, &box) >= 0) radius_ = length(vec(box.max) - vec(box.min)) / 2;
}

const Shape *Shape::of(const btCollisionShape *shape) {
    return shape->getShapeType() == CUSTOM_CONCAVE_SHAPE_TYPE ? dynamic_cast<const Shape *>(shape) : nullptr;
}

void Shape::getAabb(const btTransform &t, btVector3 &low, btVector3 &high) const {
    const fc_pose at = to_fc(pose(t));
    fc_aabb box;
    if (fc_object_bounds(object_, &at, &box) >= 0) {
        low = to_bullet(vec(box.min));
        high = to_bullet(vec(box.max));
    } else {
        low = high = t.getOrigin();
    }
}

void Shape::calculateLocalInertia(btScalar mass, btVector3 &inertia) const {
    inertia = inertia_.mass > 0 ? to_bullet(mass / inertia_.mass * inertia_.moments) : btVector3(0, 0, 0);
}

void Shape::processAllTriangles(btTriangleCallback *callback, const btVector3 &low, const btVector3 &high) const {
    std::uint32_t vertices = 0, triangles = 0;
    if (fc_object_surface(object_, nullptr, 0, &vertices, nullptr, 0, &triangles) < 0) return;
    std::vector<float> positions(3 * std::size_t(vertices));
    std::vector<fc_triangle> corners(triangles);
    if (fc_object_surface(object_, positions.data(), vertices, &vertices, corners.data(), triangles, &triangles) < 0) return;
    const btTransform to_body = to_bullet(inverse(inertia_.frame()));
    for (std::uint32_t k = 0; k < triangles; ++k) {
        btVector3 points[3];
        for (int c = 0; c < 3; ++c) {
            const float *p = &positions[3 * std::size_t(corners[k].corners[c])];
            points[c] = to_body * btVector3(p[0], p[1], p[2]);
        }
        if (TestTriangleAgainstAabb2(points, low, high)) callback->processTriangle(points, 0, static_cast<int>(k));
    }
}

btRigidBody::btRigidBodyConstructionInfo body_info(Shape &shape, const Pose &pose, bool fixed) {
    const btScalar mass = fixed ? 0 : btScalar(shape.inertia().mass);
    btVector3 inertia(0, 0, 0);
    if (!fixed) shape.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform = shape.transform(pose);
    return info;
}

namespace {

// Bullet's own shapes.

/// Of a polyhedron, its corners; of other convex shapes, such as cylinders, points all around.
std::vector<btVector3> points_of(const btConvexShape &shape) {
    std::vector<btVector3> points;
    if (shape.isPolyhedral()) {
        const auto &polyhedron = static_cast<const btPolyhedralConvexShape &>(shape);
        points.resize(static_cast<std::size_t>(polyhedron.getNumVertices()));
        for (int k = 0; k < polyhedron.getNumVertices(); ++k) polyhedron.getVertex(k, points[static_cast<std::size_t>(k)]);
    } else {
        btShapeHull hull(&shape);
        if (hull.buildHull(0, 1)) points.assign(hull.getVertexPointer(), hull.getVertexPointer() + hull.numVertices());
    }
    return points;
}

/// Of convex shapes that Fracas does not know by name; else none.
fracas::Hull hull_of(const btCollisionShape &shape) {
    for (const int known : {BOX_SHAPE_PROXYTYPE, SPHERE_SHAPE_PROXYTYPE, CAPSULE_SHAPE_PROXYTYPE})
        if (shape.getShapeType() == known || !shape.isConvex()) return {};
    const std::vector<btVector3> points = points_of(static_cast<const btConvexShape &>(shape));
    if (points.size() < 4) return {};
    // Corners are bare, and Bullet puts its margin around them.
    const btScalar margin = shape.isPolyhedral() ? shape.getMargin() : 0;
    btConvexHullComputer hull;
    hull.compute(&points[0].x(), sizeof(btVector3), static_cast<int>(points.size()), 0, 0);
    btVector3 middle(0, 0, 0);
    for (int k = 0; k < hull.vertices.size(); ++k) middle += hull.vertices[k] / btScalar(hull.vertices.size());
    std::vector<float> planes;
    for (int face = 0; face < hull.faces.size(); ++face) {
        // Newell's normal: it minds neither how many corners a face has nor that some of them are in line.
        btVector3 normal(0, 0, 0), mean(0, 0, 0);
        int corners = 0;
        const btConvexHullComputer::Edge *first = &hull.edges[hull.faces[face]], *edge = first;
        do {
            const btVector3 a = hull.vertices[edge->getSourceVertex()], b = hull.vertices[edge->getTargetVertex()];
            normal += (a - middle).cross(b - middle);
            mean += a;
            ++corners;
            edge = edge->getNextEdgeOfFace();
        } while (edge != first);
        if (normal.length2() == 0) continue;
        normal.normalize();
        mean /= btScalar(corners);
        if (normal.dot(mean - middle) < 0) normal = -normal;
        for (const btScalar value : {normal.x(), normal.y(), normal.z(), normal.dot(mean) + margin})
            planes.push_back(static_cast<float>(value));
    }
    return fracas::Hull::create(planes).take();
}

/// Gathers Bullet's triangles, counter-clockwise seen from above.
struct Gather final : btTriangleCallback {
    Terrain &terrain;
    /// Height fields have an up, and Bullet is not particular which way round it hands out their triangles.
    int up = -1;

    explicit Gather(Terrain &t) : terrain(t) {}
    void processTriangle(btVector3 *t, int, int) override {
        const bool turned = up >= 0 && (t[1] - t[0]).cross(t[2] - t[0])[up] < 0;
        terrain.add(from_bullet(t[0]), from_bullet(t[turned ? 2 : 1]), from_bullet(t[turned ? 1 : 2]));
    }
};

// The contacts of a pair. Bullet keeps one of these from when two boxes begin to overlap until they part.

class Pair final : public btCollisionAlgorithm {
public:
    Pair(const btCollisionAlgorithmConstructionInfo &info, const Query &query, const btCollisionShape &first,
         const btCollisionShape &second)
        : btCollisionAlgorithm(info), query_(query), hull_(hull_of(Shape::of(&first) ? second : first)) {}
    ~Pair() override {
        for (btPersistentManifold *manifold : manifolds_) m_dispatcher->releaseManifold(manifold);
    }

    /// Asks Fracas; may run beside other pairs. The rest must not, as Bullet's pools have no locks.
    void ask(const btCollisionObjectWrapper &first, const btCollisionObjectWrapper &second, double seconds);
    void processCollision(const btCollisionObjectWrapper *first, const btCollisionObjectWrapper *second,
                          const btDispatcherInfo &, btManifoldResult *result) override;
    btScalar calculateTimeOfImpact(btCollisionObject *, btCollisionObject *, const btDispatcherInfo &,
                                   btManifoldResult *) override {
        return 1;
    }
    void getAllContactManifolds(btManifoldArray &all) override {
        for (btPersistentManifold *manifold : manifolds_) all.push_back(manifold);
    }

private:
    void ask_shape(const Shape &shape, const Pose &pose, const btCollisionShape &other, const Pose &pose_other, const Step &step);
    void carry_over(const btTransform &of_a, const btTransform &of_b, std::vector<btManifoldPoint> &points) const;

    const Query &query_;
    Contacts contacts_;
    /// Asked already in this step.
    bool asked_ = false;
    /// Of the other shape, if it is one. It lives with the pair: made when they meet, and no table of shapes that may be gone.
    fracas::Hull hull_;
    fc_pair_memory memory_{};
    std::vector<btPersistentManifold *> manifolds_;
};

/// How an object moves in a step: Bullet adds gravity to velocities after it has looked for contacts.
Motion motion_of(const btCollisionObject &object, double seconds) {
    const btRigidBody *body = btRigidBody::upcast(&object);
    if (!body || object.isStaticObject()) return {};
    const Motion now{from_bullet(body->getLinearVelocity()), from_bullet(body->getAngularVelocity())};
    if (object.isKinematicObject() || !object.isActive()) return now;
    return {now.linear + seconds * from_bullet(body->getGravity()), now.angular};
}

void Pair::ask(const btCollisionObjectWrapper &first, const btCollisionObjectWrapper &second, double seconds) {
    asked_ = true;
    const Shape *a = Shape::of(first.getCollisionShape()), *b = Shape::of(second.getCollisionShape());
    if (!a) {
        if (b) ask(second, first, seconds);
        return;
    }
    const Pose pose_a = a->pose(first.getWorldTransform());
    const Pose pose_b = b ? b->pose(second.getWorldTransform()) : from_bullet(second.getWorldTransform());
    // Children of compounds move as their bodies do.
    const auto motion = [&](const btCollisionObject &object, Vec centre) {
        return motion_at(motion_of(object, seconds), from_bullet(object.getWorldTransform().getOrigin()), centre);
    };
    const Step step{&memory_, motion(*first.getCollisionObject(), pose_a * a->inertia().centre),
                    motion(*second.getCollisionObject(), b ? pose_b * b->inertia().centre : pose_b.position), seconds};
    if (b) touching(query_, a->object(), pose_a, b->object(), pose_b, step, contacts_);
    else ask_shape(*a, pose_a, *second.getCollisionShape(), pose_b, step);
}

void Pair::ask_shape(const Shape &shape, const Pose &pose, const btCollisionShape &other, const Pose &pose_other, const Step &step) {
    const auto against = [&](const fc_shape &plain) {
        touching(query_, shape.object(), pose, plain, pose_other, step, contacts_);
    };
    const int kind = other.getShapeType();
    if (kind == STATIC_PLANE_PROXYTYPE) {
        const auto &plane = static_cast<const btStaticPlaneShape &>(other);
        const btVector3 &n = plane.getPlaneNormal();
        against(fracas::shape::half_space(n.x(), n.y(), n.z(), plane.getPlaneConstant()));
    } else if (kind == BOX_SHAPE_PROXYTYPE) {
        const btVector3 half = static_cast<const btBoxShape &>(other).getHalfExtentsWithMargin();
        against(fracas::shape::box(half.x(), half.y(), half.z()));
    } else if (kind == SPHERE_SHAPE_PROXYTYPE) {
        against(fracas::shape::ball(static_cast<const btSphereShape &>(other).getRadius()));
    } else if (kind == CAPSULE_SHAPE_PROXYTYPE) {
        const auto &capsule = static_cast<const btCapsuleShape &>(other);
        fc_shape plain = fracas::shape::capsule(0, capsule.getRadius());
        plain.ends[0][capsule.getUpAxis()] = -capsule.getHalfHeight();
        plain.ends[1][capsule.getUpAxis()] = capsule.getHalfHeight();
        against(plain);
    } else if (hull_) {
        against(fracas::shape::hull(hull_));
    } else if (other.isConcave()) {
        thread_local Terrain terrain;
        // As thick as the object is large: what is deeper has fallen through anyway.
        terrain.begin(shape.radius());
        Gather gather(terrain);
        if (kind == TERRAIN_SHAPE_PROXYTYPE) gather.up = static_cast<const btHeightfieldTerrainShape &>(other).getUpAxis();
        const fc_pose at = to_fc(inverse(pose_other) * pose);
        fc_aabb box;
        if (fc_object_bounds(shape.object(), &at, &box) < 0) return;
        const double margin = query_.margin + step.way(shape.radius());
        const Vec around{margin, margin, margin};
        static_cast<const btConcaveShape &>(other).processAllTriangles(&gather, to_bullet(vec(box.min) - around),
                                                                       to_bullet(vec(box.max) + around));
        if (!terrain.empty()) against(terrain.shape());
    }
}

void Pair::processCollision(const btCollisionObjectWrapper *first, const btCollisionObjectWrapper *second,
                            const btDispatcherInfo &info, btManifoldResult *) {
    if (!asked_) ask(*first, *second, info.m_timeStep);
    asked_ = false;

    // Normals point to the body that was A in the query: the first object of Fracas.
    if (!Shape::of(first->getCollisionShape())) std::swap(first, second);
    const btCollisionObject *a = first->getCollisionObject(), *b = second->getCollisionObject();
    thread_local std::vector<btManifoldPoint> points;
    points.clear();
    for (std::uint32_t k = 0; k < contacts_.count; ++k) {
        const fc_contact &contact = contacts_.items[k];
        const btVector3 normal = to_bullet(vec(contact.normal)), middle = to_bullet(contacts_.point(k));
        const btVector3 on_a = middle - btScalar(contact.depth / 2) * normal, on_b = middle + btScalar(contact.depth / 2) * normal;
        btManifoldPoint point(on_a, on_b, normal, -contact.depth);
        point.m_contactPointFlags |= BT_CONTACT_FLAG_FRICTION_ANCHOR;
        point.m_positionWorldOnA = on_a;
        point.m_positionWorldOnB = on_b;
        point.m_index0 = static_cast<int>(contact.feature);
        point.m_combinedFriction = btManifoldResult::calculateCombinedFriction(a, b);
        point.m_combinedRestitution = btManifoldResult::calculateCombinedRestitution(a, b);
        point.m_combinedRollingFriction = btManifoldResult::calculateCombinedRollingFriction(a, b);
        point.m_combinedSpinningFriction = btManifoldResult::calculateCombinedSpinningFriction(a, b);
        points.push_back(point);
    }
    carry_over(a->getWorldTransform(), b->getWorldTransform(), points);

    // Four to a manifold, which is all that one holds.
    const std::size_t needed = (points.size() + MANIFOLD_CACHE_SIZE - 1) / MANIFOLD_CACHE_SIZE;
    while (manifolds_.size() > needed) {
        m_dispatcher->releaseManifold(manifolds_.back());
        manifolds_.pop_back();
    }
    while (manifolds_.size() < needed) {
        manifolds_.push_back(m_dispatcher->getNewManifold(a, b));
    }
    for (std::size_t k = 0; k < points.size(); ++k) {
        btPersistentManifold &manifold = *manifolds_[k / MANIFOLD_CACHE_SIZE];
        const int place = static_cast<int>(k % MANIFOLD_CACHE_SIZE);
        manifold.setNumContacts(place + 1);
        manifold.getContactPoint(place) = points[k];
    }
}

/// Contacts begin with the impulses that they had in the last step: those of the same feature, and for what remains, the
/// nearest point that has nearly the same normal. As long as they stick they also keep where they stuck, so that friction
/// brings back what has crept (BT_CONTACT_FLAG_FRICTION_ANCHOR). Without the first, stacks quiver; without the second, they walk.
void Pair::carry_over(const btTransform &of_a, const btTransform &of_b, std::vector<btManifoldPoint> &points) const {
    thread_local std::vector<const btManifoldPoint *> old;
    old.clear();
    for (const btPersistentManifold *manifold : manifolds_)
        for (int k = 0; k < manifold->getNumContacts(); ++k) old.push_back(&manifold->getContactPoint(k));
    const auto carry = [&](btManifoldPoint &to, const btManifoldPoint *&from) {
        to.m_appliedImpulse = from->m_appliedImpulse;
        to.m_appliedImpulseLateral1 = from->m_appliedImpulseLateral1;
        to.m_appliedImpulseLateral2 = from->m_appliedImpulseLateral2;
        to.m_prevRHS = from->m_prevRHS;
        to.m_lifeTime = from->m_lifeTime + 1;
        const btScalar most = from->m_combinedFriction * from->m_appliedImpulse;
        const btScalar pull = btVector3(from->m_appliedImpulseLateral1, from->m_appliedImpulseLateral2, 0).length();
        if (pull < most) {
            const btVector3 &normal = to.m_normalWorldOnB;
            btVector3 crept = of_a * from->m_localPointA - of_b * from->m_localPointB;
            crept -= normal.dot(crept) * normal;
            to.m_positionWorldOnA += crept / 2;
            to.m_positionWorldOnB -= crept / 2;
        }
        from = nullptr;
    };
    for (btManifoldPoint &point : points)
        for (const btManifoldPoint *&from : old)
            if (from && from->m_index0 == point.m_index0) {
                carry(point, from);
                break;
            }
    for (btManifoldPoint &point : points) {
        if (point.m_lifeTime > 0) continue;
        const btManifoldPoint **nearest = nullptr;
        btScalar least = SIMD_INFINITY;
        for (const btManifoldPoint *&from : old) {
            if (!from || from->m_normalWorldOnB.dot(point.m_normalWorldOnB) < btScalar(0.9)) continue;
            const btScalar apart = (from->m_positionWorldOnB - point.m_positionWorldOnB).length2();
            if (apart < least) {
                least = apart;
                nearest = &from;
            }
        }
        if (nearest) carry(point, *nearest);
    }
    for (btManifoldPoint &point : points) {
        point.m_localPointA = of_a.inverse() * point.m_positionWorldOnA;
        point.m_localPointB = of_b.inverse() * point.m_positionWorldOnB;
    }
}

} // namespace

// The dispatcher.

Dispatcher::Dispatcher(btCollisionConfiguration *configuration, const Query &query, Jobs *jobs)
    : btCollisionDispatcher(configuration), query_(query), jobs_(jobs) {
    create_.dispatcher = this;
    // Compounds come to us child by child, by Bullet's own algorithm.
    for (int kind = 0; kind < MAX_BROADPHASE_COLLISION_TYPES; ++kind) {
        if (kind == COMPOUND_SHAPE_PROXYTYPE) continue;
        registerCollisionCreateFunc(CUSTOM_CONCAVE_SHAPE_TYPE, kind, &create_);
        registerCollisionCreateFunc(kind, CUSTOM_CONCAVE_SHAPE_TYPE, &create_);
    }
}

btCollisionAlgorithm *Dispatcher::Create::CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo &info,
                                                                   const btCollisionObjectWrapper *first,
                                                                   const btCollisionObjectWrapper *second) {
    // Larger than what Bullet's pool is made for, so from the heap; the dispatcher frees both alike.
    return new (btAlignedAlloc(sizeof(Pair), alignof(Pair))) 
        Pair(info, dispatcher->query(), *first->getCollisionShape(), *second->getCollisionShape());
}

void Dispatcher::dispatchAllCollisionPairs(btOverlappingPairCache *pairs, const btDispatcherInfo &info,
                                           btDispatcher *dispatcher) {
    asked_.clear();
    btBroadphasePair *all = pairs->getOverlappingPairArrayPtr();
    const auto wrapped = [](const btBroadphaseProxy *proxy) {
        const auto *body = static_cast<const btCollisionObject *>(proxy->m_clientObject);
        return btCollisionObjectWrapper(nullptr, body->getCollisionShape(), body, body->getWorldTransform(), -1, -1);
    };
    const auto compound = [](const btCollisionObjectWrapper &body) { return body.getCollisionShape()->isCompound(); };
    for (int k = 0; jobs_ && k < pairs->getNumOverlappingPairs(); ++k) {
        const btCollisionObjectWrapper a = wrapped(all[k].m_pProxy0), b = wrapped(all[k].m_pProxy1);
        if (!Shape::of(a.getCollisionShape()) && !Shape::of(b.getCollisionShape())) continue;
        if (compound(a) || compound(b) || !needsCollision(a.getCollisionObject(), b.getCollisionObject())) continue;
        if (!all[k].m_algorithm) all[k].m_algorithm = findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        asked_.push_back(&all[k]);
    }
    if (!asked_.empty())
        jobs_->each(static_cast<std::uint32_t>(asked_.size()), [&](std::uint32_t k) {
            const btCollisionObjectWrapper a = wrapped(asked_[k]->m_pProxy0), b = wrapped(asked_[k]->m_pProxy1);
            static_cast<Pair *>(asked_[k]->m_algorithm)->ask(a, b, info.m_timeStep);
        });
    btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
}

// Bodies that go, and rays.

void remove(btDynamicsWorld &world, btRigidBody &body) {
    const btBroadphaseProxy *proxy = body.getBroadphaseProxy();
    const btBroadphasePairArray &pairs = world.getPairCache()->getOverlappingPairArray();
    for (int k = 0; k < pairs.size(); ++k) {
        if (pairs[k].m_pProxy0 != proxy && pairs[k].m_pProxy1 != proxy) continue;
        const btBroadphaseProxy *other = pairs[k].m_pProxy0 == proxy ? pairs[k].m_pProxy1 : pairs[k].m_pProxy0;
        static_cast<btCollisionObject *>(other->m_clientObject)->activate();
    }
    // Takes its pairs with it, and their manifolds.
    world.removeRigidBody(&body);
}

std::optional<RayHit> ray_cast(btCollisionWorld &world, Vec from, Vec direction, double length) {
    struct Found final : btBroadphaseRayCallback {
        Vec from, way;
        double length;
        btTransform start, end;
        std::optional<RayHit> hit;

        bool process(const btBroadphaseProxy *proxy) override {
            auto *body = static_cast<btCollisionObject *>(proxy->m_clientObject);
            const double reach = hit ? hit->distance : length;
            if (const Shape *shape = Shape::of(body->getCollisionShape())) {
                const fc_pose at = to_fc(shape->pose(body->getWorldTransform()));
                const double origin[3] = {from.x, from.y, from.z};
                const float along[3] = {float(way.x), float(way.y), float(way.z)};
                fc_ray_hit found;
                if (fc_object_ray_cast(shape->object(), &at, origin, along, reach, &found) == FC_OK)
                    hit = RayHit{body, found.distance, vec(found.normal)};
            } else {
                btCollisionWorld::ClosestRayResultCallback closest(start.getOrigin(), end.getOrigin());
                // The default is off by millimetres on boxes.
                closest.m_flags |= btTriangleRaycastCallback::kF_UseGjkConvexCastRaytest;
                btCollisionWorld::rayTestSingle(start, end, body, body->getCollisionShape(), body->getWorldTransform(), closest);
                if (closest.hasHit() && closest.m_closestHitFraction * length < reach)
                    hit = RayHit{body, closest.m_closestHitFraction * length, from_bullet(closest.m_hitNormalWorld)};
            }
            return true;
        }
    } found;
    found.from = from;
    found.way = unit(direction);
    found.length = length;
    found.start = to_bullet(Pose{from, {}});
    found.end = to_bullet(Pose{from + length * found.way, {}});
    // What Bullet's tree of boxes wants to know of a ray.
    const btVector3 way = to_bullet(found.way);
    for (int k = 0; k < 3; ++k) {
        found.m_rayDirectionInverse[k] = way[k] == 0 ? btScalar(BT_LARGE_FLOAT) : 1 / way[k];
        found.m_signs[k] = found.m_rayDirectionInverse[k] < 0;
    }
    found.m_lambda_max = btScalar(length);
    world.getBroadphase()->rayTest(found.start.getOrigin(), found.end.getOrigin(), found);
    return found.hit;
}

} // namespace adapter::bullet
