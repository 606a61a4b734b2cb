// PhysX: a convex hull for each fragment, and the contacts of its persistent contact manifold, each pair from an empty cache.
#include "fracas-bench/src/cpp.rs.h"

#include <PxImmediateMode.h>
#include <PxPhysicsAPI.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace fracas_bench {
namespace {

using namespace physx;

[[noreturn]] void give_up(const char *why) {
    std::fprintf(stderr, "PhysX: %s\n", why);
    std::exit(1);
}

class Hulls final : public Peer {
public:
    Hulls() {
        static PxDefaultAllocator allocator;
        static PxDefaultErrorCallback errors;
        static PxFoundation *foundation = PxCreateFoundation(PX_PHYSICS_VERSION, allocator, errors);
        if (!foundation) give_up("does not start");
    }
    ~Hulls() override { release(); }

    void prepare(rust::Slice<const Mesh> meshes, double radius) override {
        margin_ = PxReal(margin_share * radius * game_scale);
        release();
        std::vector<PxVec3> points;
        for (const Mesh &mesh : meshes) {
            points.clear();
            for (std::size_t k = 0; k + 2 < mesh.points.size(); k += 3)
                points.push_back(vector(mesh.points[k], mesh.points[k + 1], mesh.points[k + 2]));
            PxConvexMeshDesc desc;
            desc.points.data = points.data();
            desc.points.count = PxU32(points.size());
            desc.points.stride = sizeof(PxVec3);
            desc.flags = PxConvexFlag::eCOMPUTE_CONVEX;
            PxConvexMesh *hull = PxCreateConvexMesh(PxCookingParams(scale_), desc, *PxGetStandaloneInsertionCallback());
            if (!hull) give_up("makes no hull of a fragment");
            shapes_.emplace_back(hull);
        }
    }

    void place(rust::Slice<const Place> places) override {
        places_.clear();
        for (const Place &at : places) {
            const PxQuat turn(float(at.rotation[0]), float(at.rotation[1]), float(at.rotation[2]), float(at.rotation[3]));
            places_.emplace_back(vector(at.position[0], at.position[1], at.position[2]), turn.getNormalized());
        }
    }

    std::size_t pass(rust::Slice<const Pair> pairs) override {
        found_.clear();
        Recorder recorder(found_);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto [a, b] = pairs[k];
            const PxGeometry *one = &shapes_[a], *two = &shapes_[b];
            PxCache cache;
            memory_.reset();
            recorder.pair = std::uint32_t(k);
            immediate::PxGenerateContacts(&one, &two, &places_[a], &places_[b], &cache, 1, recorder, margin_, 0, scale_.length, memory_);
        }
        return found_.size();
    }

    rust::Vec<Hit> hits() const override {
        rust::Vec<Hit> hits;
        for (const Found &found : found_) {
            // Its points are on the second shape, its normals point from there to the first.
            const PxVec3 n = found.normal, p = (found.on_b + n * (found.separation / 2)) / float(game_scale);
            hits.push_back({found.pair, -double(found.separation) / game_scale, {p.x, p.y, p.z}, {n.x, n.y, n.z}});
        }
        return hits;
    }

private:
    struct Found {
        std::uint32_t pair;
        PxVec3 on_b, normal;
        PxReal separation;
    };
    struct Recorder final : immediate::PxContactRecorder {
        explicit Recorder(std::vector<Found> &found) : found(found) {}
        bool recordContacts(const PxContactPoint *points, PxU32 count, PxU32) override {
            for (PxU32 k = 0; k < count; ++k) found.push_back({pair, points[k].point, points[k].normal, points[k].separation});
            return true;
        }
        std::uint32_t pair = 0;
        std::vector<Found> &found;
    };
    // Memory for one pair: frames here are unrelated, so nothing is kept from one to the next.
    class Memory final : public PxCacheAllocator {
    public:
        PxU8 *allocateCacheData(PxU32 size) override {
            if (used_ + size + 16 > sizeof block_) give_up("asks for more memory for a pair than there is");
            PxU8 *at = block_ + used_;
            used_ += (size + 15) / 16 * 16;
            return at;
        }
        void reset() { used_ = 0; }

    private:
        alignas(16) PxU8 block_[1 << 18];
        PxU32 used_ = 0;
    };

    static PxVec3 vector(double x, double y, double z) {
        return {float(x * game_scale), float(y * game_scale), float(z * game_scale)};
    }
    void release() {
        for (PxConvexMeshGeometry &shape : shapes_) shape.convexMesh->release();
        shapes_.clear();
    }

    PxTolerancesScale scale_; // its defaults: metres, bodies of about one
    PxReal margin_ = 0;
    std::vector<PxConvexMeshGeometry> shapes_;
    std::vector<PxTransform> places_;
    std::vector<Found> found_;
    Memory memory_;
};

} // namespace

std::unique_ptr<Peer> physx_hulls() { return std::make_unique<Hulls>(); }
rust::String physx_version() {
    return std::to_string(PX_PHYSICS_VERSION_MAJOR) + "." + std::to_string(PX_PHYSICS_VERSION_MINOR) + "." +
           std::to_string(PX_PHYSICS_VERSION_BUGFIX);
}

} // namespace fracas_bench
