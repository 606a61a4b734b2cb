// Embree: user geometries with bounds, and rtcCollide of a scene with itself. Without its headers there is no tree.
#include "fracas-bench/src/cpp.rs.h"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#define HAS_EMBREE
#elif __has_include(<embree3/rtcore.h>)
#include <embree3/rtcore.h>
#define HAS_EMBREE
#endif

namespace fracas_bench {

#ifdef HAS_EMBREE
namespace {

class Tree final : public BoxTree {
public:
    Tree(bool refits, RTCBuildQuality quality)
        : device_(rtcNewDevice("threads=1,set_affinity=0")), scene_(rtcNewScene(device_)), refits_(refits) {
        rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(scene_, quality);
    }

    ~Tree() override {
        rtcReleaseScene(scene_);
        rtcReleaseDevice(device_);
    }

    Tree(const Tree &) = delete;
    Tree &operator=(const Tree &) = delete;

    void build(rust::Slice<const float> boxes) override {
        boxes_ = boxes.data();
        const auto count = unsigned(boxes.size() / 6);
        if (geometry_) rtcDetachGeometry(scene_, 0);
        geometry_ = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryUserPrimitiveCount(geometry_, count);
        rtcSetGeometryUserData(geometry_, this);
        rtcSetGeometryBoundsFunction(geometry_, bounds, nullptr);
        if (refits_) rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_REFIT);
        rtcCommitGeometry(geometry_);
        rtcAttachGeometryByID(scene_, geometry_, 0);
        rtcReleaseGeometry(geometry_); // the scene keeps it
        rtcCommitScene(scene_);
    }

    void refit(rust::Slice<const float> boxes) override {
        boxes_ = boxes.data();
        rtcCommitGeometry(geometry_);
        rtcCommitScene(scene_);
    }

    void pairs(rust::Vec<Pair> &out) override {
        Search search{boxes_, out};
        rtcCollide(scene_, scene_, collide, &search);
    }

private:
    static void bounds(const RTCBoundsFunctionArguments *of) {
        const float *b = static_cast<Tree *>(of->geometryUserPtr)->boxes_ + 6 * of->primID;
        RTCBounds &out = *of->bounds_o;
        out.lower_x = b[0], out.lower_y = b[1], out.lower_z = b[2];
        out.upper_x = b[3], out.upper_y = b[4], out.upper_z = b[5];
    }

    struct Search {
        const float *boxes;
        rust::Vec<Pair> &out;
    };

    // All pairs of two leaves that meet, whether their own boxes do or not; of a scene with itself in both orders.
    static void collide(void *user, RTCCollision *collisions, unsigned count) {
        const auto &[boxes, out] = *static_cast<Search *>(user);
        for (unsigned k = 0; k < count; ++k) {
            const auto i = collisions[k].primID0, j = collisions[k].primID1;
            if (i >= j) continue;
            const float *a = boxes + 6 * i, *b = boxes + 6 * j;
            bool apart = false;
            for (int c = 0; c < 3; ++c) apart |= (a[c] > b[c + 3]) | (b[c] > a[c + 3]);
            if (!apart) out.push_back({i, j});
        }
    }

    RTCDevice device_;
    RTCScene scene_;
    RTCGeometry geometry_ = nullptr;
    const float *boxes_ = nullptr;
    bool refits_;
};

} // namespace

std::unique_ptr<BoxTree> embree_tree(bool refits, std::uint32_t quality) {
    return std::make_unique<Tree>(refits, quality ? RTC_BUILD_QUALITY_MEDIUM : RTC_BUILD_QUALITY_LOW);
}
rust::String embree_version() { return RTC_VERSION_STRING; }

#else

std::unique_ptr<BoxTree> embree_tree(bool, std::uint32_t) { return nullptr; }
rust::String embree_version() { return "not here"; }

#endif

} // namespace fracas_bench
