// A film of a scene, for the report page: a replay as the demo writes it (cpp_examples/demo/replay.hpp: floor, obstacles, and
// forces in place of contacts), then the deforming meshes (examples/deforming/film.rs). page/replay.js and page/deforming.js
// read it.
#pragma once

#include "meshes.hpp"
#include "simulator.hpp"

#include <string>
#include <vector>

class Film {
public:
    void add_scenery(const Mesh &triangles) { scenery_.push_back(triangles); }
    /// A mesh that appears in the next frame. Those of one group have shades of one colour.
    std::uint32_t begin(std::uint32_t group);
    /// It is not there in the next frame.
    void end(std::uint32_t actor) { actors_[actor].end = frames_; }
    /// A vertex that was doubled: the new one is the next after all that there are. Before that it was where the old one was.
    void doubled(std::uint32_t actor, std::uint32_t old) { actors_[actor].doubled.push_back(old); }
    /// Three vertices each; those of its last frame hold for all frames.
    void set_triangles(std::uint32_t actor, std::vector<std::uint32_t> triangles) { actors_[actor].triangles = std::move(triangles); }

    /// A frame: first the positions of all meshes that are there, then this. Forces that are close together are drawn as one.
    void add_positions(std::uint32_t actor, const std::vector<Vec> &positions) { actors_[actor].track.push_back(positions); }
    void end_frame(const std::vector<Push> &pushes);

    /// Returns whether that was possible.
    bool write(const std::string &path, double seconds_per_frame) const;

private:
    struct Actor {
        std::uint32_t group, first, end;
        std::vector<std::uint32_t> triangles, doubled;
        std::vector<std::vector<Vec>> track;
    };
    struct Force {
        Vec point, force;
        double depth;
    };
    std::vector<Mesh> scenery_;
    std::vector<Actor> actors_;
    std::vector<std::vector<Force>> forces_; // of each frame
    std::uint32_t frames_ = 0;
};
