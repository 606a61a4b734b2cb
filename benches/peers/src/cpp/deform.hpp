// What peers are asked to do with deforming meshes. The types are those of cpp.rs.
#pragma once
#include "rust/cxx.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace fracas_bench {

struct Pair;

/// A tree over boxes; each is six numbers, the least corner and the greatest.
class BoxTree {
public:
    virtual ~BoxTree() = default;
    virtual void build(rust::Slice<const float> boxes) = 0;
    /// The same boxes elsewhere.
    virtual void refit(rust::Slice<const float> boxes) = 0;
    /// Appends all pairs of boxes that meet, each once.
    virtual void pairs(rust::Vec<Pair> &out) = 0;
};

/// Bodies that deform: three coordinates a point, three corners a triangle.
class DeformingBodies {
public:
    virtual ~DeformingBodies() = default;
    virtual void build(std::uint32_t body, rust::Slice<const double> points, rust::Slice<const std::uint32_t> triangles) = 0;
    virtual void refit(std::uint32_t body, rust::Slice<const double> points) = 0;
    /// All pairs of triangles that intersect, of these pairs of bodies.
    virtual std::size_t collide(rust::Slice<const Pair> pairs) = 0;
};

/// Null if Embree is not here. Quality: 0 by Morton codes, 1 by the surface area heuristic.
std::unique_ptr<BoxTree> embree_tree(bool refits, std::uint32_t quality);
rust::String embree_version();
std::unique_ptr<DeformingBodies> fcl_bodies();

} // namespace fracas_bench
