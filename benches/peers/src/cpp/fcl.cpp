// FCL: trees of boxes and swept spheres over the triangles, in double precision.
#include "fracas-bench/src/cpp.rs.h"

#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <vector>

namespace fracas_bench {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

class Meshes final : public Peer {
public:
    explicit Meshes(std::uint32_t contacts) : request_(contacts, true) {}

    void prepare(rust::Slice<const Mesh> meshes, double) override {
        models_.clear();
        for (const Mesh &mesh : meshes) {
            std::vector<fcl::Vector3d> points;
            std::vector<fcl::Triangle> triangles;
            for (std::size_t k = 0; k + 2 < mesh.points.size(); k += 3)
                points.emplace_back(mesh.points[k], mesh.points[k + 1], mesh.points[k + 2]);
            for (std::size_t k = 0; k + 2 < mesh.triangles.size(); k += 3)
                triangles.emplace_back(mesh.triangles[k], mesh.triangles[k + 1], mesh.triangles[k + 2]);
            auto model = std::make_unique<Model>();
            model->beginModel(int(triangles.size()), int(points.size()));
            model->addSubModel(points, triangles);
            model->endModel();
            models_.push_back(std::move(model));
        }
    }

    void place(rust::Slice<const Place> places) override {
        places_.clear();
        for (const Place &at : places) {
            fcl::Transform3d place = fcl::Transform3d::Identity();
            place.linear() = fcl::Quaterniond(at.rotation[3], at.rotation[0], at.rotation[1], at.rotation[2]).toRotationMatrix();
            place.translation() = fcl::Vector3d(at.position[0], at.position[1], at.position[2]);
            places_.push_back(place);
        }
    }

    std::size_t pass(rust::Slice<const Pair> pairs) override {
        found_.clear();
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto [a, b] = pairs[k];
            result_.clear();
            fcl::collide(models_[a].get(), places_[a], models_[b].get(), places_[b], request_, result_);
            for (std::size_t i = 0; i < result_.numContacts(); ++i) found_.emplace_back(std::uint32_t(k), result_.getContact(i));
        }
        return found_.size();
    }

    rust::Vec<Hit> hits() const override {
        rust::Vec<Hit> hits;
        for (const auto &[pair, contact] : found_) {
            // Its normals go from the first to the second.
            const fcl::Vector3d &p = contact.pos, n = -contact.normal;
            hits.push_back({pair, contact.penetration_depth, {p[0], p[1], p[2]}, {n[0], n[1], n[2]}});
        }
        return hits;
    }

private:
    fcl::CollisionRequestd request_;
    fcl::CollisionResultd result_;
    std::vector<std::unique_ptr<Model>> models_;
    std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> places_;
    std::vector<std::pair<std::uint32_t, fcl::Contactd>> found_;
};

} // namespace

std::unique_ptr<Peer> fcl_meshes(std::uint32_t contacts) { return std::make_unique<Meshes>(contacts); }
rust::String fcl_version() { return FCL_VERSION; }

} // namespace fracas_bench
