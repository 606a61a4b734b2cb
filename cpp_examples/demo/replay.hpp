// A film of a run, for the report page: the meshes, who lives when, where everybody is in each frame, and the contacts.
//
// Little-endian: "FCR1"; meshes (box, quantised vertices, triangles, skin first and then cracks); bodies (mesh, group, first
// and end frame, scale); frames (pose of each living body, contacts). page/replay.js reads it.
#pragma once

#include "meter.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace demo {

/// Triangles to draw; those from `crack_start` on are of cracks.
struct Picture {
    std::vector<float> positions;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::uint32_t crack_start = 0;
};

/// The surface of an object.
Picture picture_of(fc_object object);
/// A shape of the engine's own.
Picture picture_of(const Primitive &primitive);

class Replay {
public:
    /// Numbers of meshes and bodies count from 0.
    std::uint32_t add_mesh(const Picture &picture);
    /// A body appears in the next frame.
    std::uint32_t add_body(std::uint32_t mesh, std::uint32_t group);
    /// It is not there in the next frame.
    void end_body(std::uint32_t body);
    /// One frame: the poses of living bodies by number, and contacts.
    void add_frame(const std::vector<std::pair<std::uint32_t, Pose>> &poses, const std::vector<Touching> &pairs);
    /// Writes the film; ends the program with a sentence if that fails.
    void write(const std::string &path, double seconds_per_frame) const;

private:
    struct Actor {
        std::uint32_t mesh, group, first, end;
    };
    std::vector<std::uint8_t> meshes_, frames_;
    std::vector<Actor> actors_;
    std::uint32_t mesh_count_ = 0, frame_count_ = 0;
};

} // namespace demo
