// A world with everything that a scenario, its measurements and its film need to know of the bodies in it.
#pragma once

#include <adapters/common/breaking.hpp>
#include "library.hpp"
#include "meter.hpp"
#include "outline.hpp"
#include "replay.hpp"

#include <functional>
#include <map>

namespace demo {

/// A body of the scene: an object of ours, or a shape of the engine's.
struct Piece {
    Body body = 0;
    fracas::Object object;    // none for a shape of the engine's
    std::uint32_t actor = 0;  // in the film
    std::uint32_t group = 0;  // the original that it is a part of
    double mass = 0;
    adapter::Inertia inertia; // in the frame of the body
    Outline outline;
    /// Half the diagonal of the box of the original that it is a part of.
    double radius = 0;
    bool fixed = false;
    /// How it breaks; nothing if it does not.
    std::optional<adapter::Material> material;
    /// When it came to be, in seconds.
    double born = 0;
    /// As a plain shape, for measurements: what the engine's own shapes are to Fracas.
    fc_shape shape{};
    fracas::Hull hull;
    /// How it moved before the step.
    Motion before;
};

/// A body that broke.
struct Event {
    std::uint32_t step, group, fragments;
    double impulse;
    /// Of the whole scene, and what was put in from outside until then.
    double energy_before, work_before;
};

/// What was measured in a step. Times in milliseconds.
struct Measured {
    std::uint32_t output = 0, pairs = 0, bodies = 0;
    double colliding = -1; // -1: not looked at
    double detection = 0, physics = 0, update = 0, fracture = 0, total = 0;
    double energy = 0, work = 0;
};

class Scene {
public:
    Scene(const Engine &engine, const Tuning &tuning, Library &library, double step);

    Library &library() { return library_; }
    World &world() { return *world_; }
    const World &world() const { return *world_; }
    double time() const { return step_ * double(steps_.size()); }
    double step_size() const { return step_; }

    /// Adds an object of a sample asset. Numbers of pieces stay, those of broken ones are not used again.
    std::uint32_t add(const std::string &asset, const Pose &pose, const Motion &motion = {},
                      const std::optional<adapter::Material> &material = {}, bool fixed = false);
    /// Adds an object.
    std::uint32_t add(fracas::Object object, const Pose &pose, const Motion &motion = {},
                      const std::optional<adapter::Material> &material = {}, bool fixed = false);
    /// Adds a shape of the engine's own; a mass of 0: fixed.
    std::uint32_t add(const Primitive &primitive, const Pose &pose, double mass = 0, const Motion &motion = {});
    /// Breaks a piece here and now.
    void shatter(std::uint32_t piece, const fc_fracture_desc &how);
    /// Gives a piece an impulse from outside; its work is booked, so that energies can be compared.
    void push(std::uint32_t piece, Vec point, Vec impulse);

    /// One step: the engine's, then whatever breaks.
    void advance();
    /// Looks at all pairs with the full query, every so many steps; 0: never.
    std::uint32_t look_every = 4;
    /// Films every so many steps.
    std::uint32_t film_every = 3;
    /// Bodies that have just come from a break do not break again for so long, in seconds.
    double calm = 0.15;
    /// Which of many runs this is: scenarios take their heights and seeds from it, and so do fractures. 0: as in the report.
    std::uint32_t variation = 0;

    const std::map<std::uint32_t, Piece> &pieces() const { return pieces_; }
    const std::vector<Measured> &steps() const { return steps_; }
    const std::vector<Event> &events() const { return events_; }
    const Replay &replay() const { return replay_; }
    Meter &meter() { return meter_; }
    adapter::Query &query() { return query_; }

    /// All pairs of bodies whose boxes meet, at least one of them ours; calls back with the contacts of the full query.
    /// Depths are the shortest way out of each point, or with `flags` of 0 along the normals, as solvers get them.
    void look(double margin, const std::function<void(const Piece &, const Piece &, const std::vector<fc_contact> &)> &seen,
              std::uint32_t flags = FC_QUERY_SHORTEST_WAY) const;
    /// Kinetic and potential energy of everything that moves.
    double energy() const;
    /// What was put in from outside so far.
    double work() const { return work_; }
    /// Of everything that can move, in kilograms; and of all that was added so far, whole.
    double mass() const;
    double mass_added() const { return mass_added_; }
    Vec centre(const Piece &piece) const { return world_->pose(piece.body) * piece.inertia.centre; }
    /// Triangles that all objects have together, and had before anything broke.
    std::uint64_t triangles() const;
    std::uint64_t triangles_before() const { return triangles_before_; }

private:
    std::pair<std::uint32_t, std::uint64_t> filmed(fc_object object);
    std::uint32_t place(fracas::Object object, std::pair<std::uint32_t, std::uint64_t> mesh, const Pose &pose, const Motion &motion,
                        const std::optional<adapter::Material> &material, bool fixed);
    std::uint32_t keep(Piece piece, std::uint32_t mesh);
    void break_what_was_hit(Measured &measured, double energy_before);
    void keep_fragments(std::uint32_t piece, const std::vector<fc_object> &fragments, const std::vector<Body> &bodies);
    double count_colliding() const;

    Library &library_;
    Tuning tuning_;
    adapter::Query query_;
    Meter meter_;
    std::unique_ptr<World> world_;
    double step_;
    std::map<std::uint32_t, Piece> pieces_;
    /// In the film, and how many triangles; by asset.
    std::map<std::string, std::pair<std::uint32_t, std::uint64_t>> meshes_;
    std::uint32_t next_ = 0;
    double work_ = 0, mass_added_ = 0;
    std::uint64_t triangles_before_ = 0;
    std::vector<Measured> steps_;
    std::vector<Event> events_;
    Replay replay_;
};

} // namespace demo
