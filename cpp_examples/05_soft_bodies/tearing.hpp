// How meshes come apart: tetrahedra along faces, cloth along edges. In both, what hangs together around a node keeps it, and
// every other part gets a double of it.
#pragma once

#include "simulator.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// Faces between tetrahedra of a soft body that can be opened.
class Cutter {
public:
    explicit Cutter(const SoftBody &body);
    /// The tetrahedron across the face opposite to a corner; FC_NONE if there is none, or the face is open.
    std::uint32_t across(std::uint32_t tet, std::uint32_t corner) const { return across_[tet][corner]; }
    void open(std::uint32_t tet, std::uint32_t corner);
    /// Cuts the body along the faces that were opened since the last time. Returns which nodes were doubled, in the order of the
    /// doubles.
    std::vector<std::uint32_t> cut(SoftBody &body);

private:
    std::vector<std::array<std::uint32_t, 4>> across_;
    std::vector<std::uint32_t> opened_; // tetrahedra
};

/// Opens cloth at one end of an edge, across it, if its strain is the farthest beyond `limit`. Edges differ in strength by up to
/// 15 %. Returns the vertices that were doubled, in the order of the doubles; empty if nothing tears.
std::vector<std::uint32_t> tear(Cloth &cloth, double limit);
