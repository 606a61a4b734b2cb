// In place of the engines, for parts of the benchmark that do without them (build.rs).
#include "fracas-bench/src/cpp/deform.hpp"
#include "fracas-bench/src/cpp/peer.hpp"

namespace fracas_bench {

std::unique_ptr<Peer> bullet_hulls(bool, bool) { return nullptr; }
std::unique_ptr<Peer> bullet_meshes() { return nullptr; }
rust::String bullet_version() { return "not here"; }
std::unique_ptr<Peer> fcl_meshes(std::uint32_t) { return nullptr; }
rust::String fcl_version() { return "not here"; }
std::unique_ptr<Peer> jolt_hulls() { return nullptr; }
rust::String jolt_version() { return "not here"; }
std::unique_ptr<Peer> physx_hulls() { return nullptr; }
rust::String physx_version() { return "not here"; }
std::unique_ptr<DeformingBodies> fcl_bodies() { return nullptr; }

} // namespace fracas_bench
