// What a library of collision detection is asked to do here. The types are those of cpp.rs.
#pragma once
#include "rust/cxx.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace fracas_bench {

struct Mesh;
struct Place;
struct Pair;
struct Hit;

class Peer {
public:
    virtual ~Peer() = default;
    /// Makes the shapes of all fragments; the radius is that of the body before it broke.
    virtual void prepare(rust::Slice<const Mesh> meshes, double radius) = 0;
    virtual void place(rust::Slice<const Place> places) = 0;
    /// Collides the pairs and returns how many contacts there are. What is timed.
    virtual std::size_t pass(rust::Slice<const Pair> pairs) = 0;
    /// What the last pass has found.
    virtual rust::Vec<Hit> hits() const = 0;
};

/// A pair counts as touching up to this distance, as a share of the radius of the body that broke.
constexpr double margin_share = 0.001;

/// Engines for games want bodies of 0.1 to 10 m: ours, of a few centimetres, are given to them ten times as large.
constexpr double game_scale = 10;

std::unique_ptr<Peer> bullet_hulls(bool reduced, bool clipped);
std::unique_ptr<Peer> bullet_meshes();
rust::String bullet_version();
std::unique_ptr<Peer> fcl_meshes(std::uint32_t contacts);
rust::String fcl_version();
std::unique_ptr<Peer> jolt_hulls();
rust::String jolt_version();
std::unique_ptr<Peer> physx_hulls();
rust::String physx_version();

} // namespace fracas_bench
