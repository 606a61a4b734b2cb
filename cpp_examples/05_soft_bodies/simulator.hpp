// Soft bodies, cloth and fixed obstacles that push each other apart: where Fracas is called. A step is
//
//   set positions and update     of each soft body
//   query                        each pair whose boxes meet: penalties
//   push                         stiffness * load * direction, with damping and friction, on the nodes of both sides
//   pull, move                   gravity, springs, and time
#pragma once

#include "mass_springs.hpp"

#include <fracas.hpp>

#include <memory>
#include <string>
#include <vector>

/// Ends the program if a call failed, and says why.
void must(bool is_well);

/// A body of tetrahedra.
struct SoftBody {
    MassSprings points;
    std::vector<std::uint32_t> tets; // four nodes each
    fracas::Soft soft;
    Material material;

    /// Right-handed tetrahedra at rest positions; where they are now; how fast. Some of them may have no volume.
    SoftBody(const std::vector<Vec> &rest, const std::vector<Vec> &now, const std::vector<Vec> &speed,
             std::vector<std::uint32_t> corners, const Material &of);
    double volume() const;
    /// Gives tetrahedra other corners; new nodes are doubles of the old ones in `doubles`, and share their mass.
    void cut(const std::vector<fc_tet_change> &changes, const std::vector<std::uint32_t> &doubles);
};

/// Triangles without an inside.
struct Cloth {
    MassSprings points;
    std::vector<std::uint32_t> triangles; // three vertices each
    Material material;
};

/// A shape that stays where it is.
struct Obstacle {
    fc_shape shape;
    fc_pose pose;
    double friction = 0.5;
};

/// How bodies push each other apart.
struct Contact {
    double stiffness = 3e5; // N/m²: force of an edge, per depth and length inside
    double pressure = 2e7;  // N/m³: force of a node, per depth and area
    double damping = 1e-2;  // s: a speed of parting takes away as much as this distance per speed would
    double friction = 0.5;  // of soft bodies and cloth
};

/// What one penalty did in the last step.
struct Push {
    std::uint32_t body;     // the soft body that was asked
    std::uint32_t obstacle; // FC_NONE: another soft body, or cloth
    fc_penalty penalty;
    Vec force; // N, on the penetrating side
};

/// Figures of a step.
struct StepFigures {
    double update_ms = 0, query_ms = 0, total_ms = 0;
    double soft_query_ms = 0;     // queries of two soft bodies, and of cloth: where tetrahedra are penetrated
    std::uint64_t penalties = 0, tets = 0, pairs = 0;
    double force = 0;   // N, sum of lengths
    double deepest = 0; // m
};

class Simulator {
public:
    std::vector<std::unique_ptr<SoftBody>> bodies;
    std::vector<Obstacle> obstacles; // the first one is the floor, z <= 0
    std::unique_ptr<Cloth> cloth;
    Contact contact;
    /// FC_PENETRATING_*: what soft bodies look for in each other. Edges are felt where no node is inside; nodes are faster where
    /// meshes are fine.
    std::uint32_t between = FC_PENETRATING_SEGMENTS;
    double gravity = 9.81;
    const double step_seconds;

    explicit Simulator(double seconds_per_step);
    StepFigures step();
    /// Of the last step, and where they acted: those of which the force is not zero.
    const std::vector<Push> &pushes() const { return pushes_; }

    double energy() const;
    /// Highest of all bodies.
    double mean_speed() const;
    double lowest() const;
    bool is_finite() const;
    /// Of all positions; the same on every run.
    std::uint64_t hash() const;

private:
    void push(std::uint32_t body, std::uint32_t obstacle, MassSprings *other, StepFigures &figures);

    std::vector<fc_penalty> found_;
    std::vector<Push> pushes_;
};
