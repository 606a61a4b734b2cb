// FCL on deforming bodies: models that are refitted from the triangles up, and collided with all contacts.
#include "fracas-bench/src/cpp.rs.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <limits>
#include <unordered_map>
#include <vector>

namespace fracas_bench {
namespace {

// With axis-aligned boxes FCL copies both models for every pair; with these it does not.
using Model = fcl::BVHModel<fcl::OBBRSSd>;

class Bodies final : public DeformingBodies {
public:
    void build(std::uint32_t body, rust::Slice<const double> points, rust::Slice<const std::uint32_t> triangles) override {
        std::vector<fcl::Triangle> corners;
        for (std::size_t k = 0; k + 2 < triangles.size(); k += 3)
            corners.emplace_back(triangles[k], triangles[k + 1], triangles[k + 2]);
        const auto at = vectors(points);
        auto model = std::make_unique<Model>();
        model->beginModel(int(corners.size()), int(at.size()));
        model->addSubModel(at, corners);
        model->endModel();
        models_[body] = std::move(model);
    }

    void refit(std::uint32_t body, rust::Slice<const double> points) override {
        Model &model = *models_.at(body);
        model.beginUpdateModel();
        model.updateSubModel(vectors(points));
        model.endUpdateModel(true, true);
    }

    std::size_t collide(rust::Slice<const Pair> pairs) override {
        const fcl::CollisionRequestd request(std::numeric_limits<std::size_t>::max(), false);
        const fcl::Transform3d here = fcl::Transform3d::Identity();
        std::size_t found = 0;
        for (const auto [a, b] : pairs) {
            fcl::CollisionResultd result;
            fcl::collide(models_.at(a).get(), here, models_.at(b).get(), here, request, result);
            found += result.numContacts();
        }
        return found;
    }

private:
    static std::vector<fcl::Vector3d> vectors(rust::Slice<const double> points) {
        std::vector<fcl::Vector3d> at;
        at.reserve(points.size() / 3);
        for (std::size_t k = 0; k + 2 < points.size(); k += 3) at.emplace_back(points[k], points[k + 1], points[k + 2]);
        return at;
    }

    std::unordered_map<std::uint32_t, std::unique_ptr<Model>> models_;
};

} // namespace

std::unique_ptr<DeformingBodies> fcl_bodies() { return std::make_unique<Bodies>(); }

} // namespace fracas_bench
