// What one would use in PhysX: a convex hull for each fragment. (Its triangle meshes cannot move without a distance field of
// their own.)
#include "../colliders.hpp"

#include <adapters/physx/physx.hpp>

#include <PxImmediateMode.h>

namespace demo {

// Of worlds/physx.cpp: PhysX is there as long as somebody holds this.
std::shared_ptr<void> hold_physx();

namespace {

using namespace physx;
using adapter::px::to_px;

class Hulls final : public OwnColliders {
public:
    const char *name() const override { return "PhysX, convex hulls"; }
    ~Hulls() override {
        for (PxConvexMesh *hull : hulls_) hull->release();
    }

    void prepare(const std::vector<fracas::Surface> &surfaces) override {
        for (const fracas::Surface &surface : surfaces) {
            PxConvexMeshDesc desc;
            desc.points.data = surface.positions.data();
            desc.points.count = PxU32(surface.positions.size() / 3);
            desc.points.stride = 3 * sizeof(float);
            desc.flags = PxConvexFlag::eCOMPUTE_CONVEX;
            PxTolerancesScale scale;
            scale.length = PxReal(0.1);
            PxConvexMesh *hull = PxCreateConvexMesh(PxCookingParams(scale), desc, *PxGetStandaloneInsertionCallback());
            if (!hull) give_up("PhysX makes no hull of a fragment");
            hulls_.push_back(hull);
        }
    }

    double deepest(std::uint32_t a, const Pose &pose_a, std::uint32_t b, const Pose &pose_b, double margin) override {
        const PxConvexMeshGeometry one(hulls_[a]), two(hulls_[b]);
        const PxGeometry *first = &one, *second = &two;
        const PxTransform at_one = to_px(pose_a), at_two = to_px(pose_b);
        PxCache cache;
        Deepest found;
        memory_.reset();
        immediate::PxGenerateContacts(&first, &second, &at_one, &at_two, &cache, 1, found, PxReal(margin), 0, PxReal(0.1), memory_);
        return found.most;
    }

private:
    struct Deepest final : immediate::PxContactRecorder {
        double most = apart;
        bool recordContacts(const PxContactPoint *points, PxU32 count, PxU32) override {
            for (PxU32 k = 0; k < count; ++k) most = std::max(most, -double(points[k].separation));
            return true;
        }
    };
    /// Memory for one call; what it keeps between calls is of no use here.
    class Memory final : public PxCacheAllocator {
    public:
        PxU8 *allocateCacheData(PxU32 size) override {
            if (used_ + size + 16 > sizeof block_) give_up("PhysX asks for more memory for a pair than there is");
            PxU8 *at = block_ + used_;
            used_ += (size + 15) / 16 * 16;
            return at;
        }
        void reset() { used_ = 0; }

    private:
        alignas(16) PxU8 block_[1 << 18];
        PxU32 used_ = 0;
    };

    std::shared_ptr<void> physx_ = hold_physx();
    std::vector<PxConvexMesh *> hulls_;
    Memory memory_;
};

} // namespace

std::vector<MakeColliders> physx_colliders() {
    return {[]() -> std::unique_ptr<OwnColliders> { return std::make_unique<Hulls>(); }};
}

} // namespace demo
