#include "scene.hpp"

#include <algorithm>
#include <chrono>

namespace demo {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

double half_diagonal(fc_object object) {
    fc_aabb box;
    if (fc_object_bounds(object, nullptr, &box) < 0) give_up(fc_last_error());
    return adapter::length(adapter::vec(box.max) - adapter::vec(box.min)) / 2;
}

/// What a shape of the engine's is to Fracas, for measurements. Terrain is left out: no scenario has it.
fc_shape plain(const Primitive &primitive) {
    const auto f = [](double x) { return static_cast<float>(x); };
    switch (primitive.kind) {
    case Primitive::Kind::Plane: return fracas::shape::half_space(0, 0, 1, 0);
    case Primitive::Kind::Box: return fracas::shape::box(f(primitive.half.x), f(primitive.half.y), f(primitive.half.z));
    case Primitive::Kind::Ball: return fracas::shape::ball(f(primitive.radius));
    case Primitive::Kind::Capsule: return fracas::shape::capsule(f(primitive.half.z), f(primitive.radius));
    default: give_up("a scenario uses a shape that cannot be measured");
    }
}

adapter::Inertia inertia(const Primitive &primitive, double mass) {
    const Vec half = primitive.kind == Primitive::Kind::Box ? primitive.half : Vec{0, 0, 0};
    const double ball = 0.4 * primitive.radius * primitive.radius;
    return {mass, {}, {mass * (ball + (half.y * half.y + half.z * half.z) / 3), mass * (ball + (half.x * half.x + half.z * half.z) / 3),
                       mass * (ball + (half.x * half.x + half.y * half.y) / 3)}, {}};
}

fc_aabb bounds(const Piece &piece, const Pose &pose, double margin) {
    fc_aabb box{{-1e9, -1e9, -1e9}, {1e9, 1e9, 1e9}};
    const fc_pose at = adapter::to_fc(pose);
    if (piece.object && fc_object_bounds(piece.object.get(), &at, &box) < 0) give_up(fc_last_error());
    for (int k = 0; k < 3; ++k) box.min[k] -= margin, box.max[k] += margin;
    return box;
}

bool meet(const fc_aabb &a, const fc_aabb &b) {
    bool meet = true;
    for (int k = 0; k < 3; ++k) meet = meet && a.min[k] <= b.max[k] && b.min[k] <= a.max[k];
    return meet;
}

} // namespace

Scene::Scene(const Engine &engine, const Tuning &tuning, Library &library, double step)
    : library_(library), tuning_(tuning), step_(step) {
    query_.observer = &meter_;
    world_ = engine.make(tuning_, query_);
}

std::uint32_t Scene::keep(Piece piece, std::uint32_t mesh) {
    piece.actor = replay_.add_body(mesh, piece.group);
    piece.born = time();
    pieces_.emplace(next_, std::move(piece));
    return next_++;
}

std::uint32_t Scene::add(const std::string &asset, const Pose &pose, const Motion &motion,
                         const std::optional<adapter::Material> &material, bool fixed) {
    fracas::Object object = must(fracas::Object::create(library_[asset]));
    // Intact objects of one asset share a mesh in the film.
    if (meshes_.find(asset) == meshes_.end()) meshes_[asset] = filmed(object.get());
    return place(std::move(object), meshes_.at(asset), pose, motion, material, fixed);
}

std::uint32_t Scene::add(fracas::Object object, const Pose &pose, const Motion &motion,
                         const std::optional<adapter::Material> &material, bool fixed) {
    const auto mesh = filmed(object.get());
    return place(std::move(object), mesh, pose, motion, material, fixed);
}

std::pair<std::uint32_t, std::uint64_t> Scene::filmed(fc_object object) {
    const Picture picture = picture_of(object);
    return {replay_.add_mesh(picture), picture.triangles.size()};
}

std::uint32_t Scene::place(fracas::Object object, std::pair<std::uint32_t, std::uint64_t> mesh, const Pose &pose, const Motion &motion,
                           const std::optional<adapter::Material> &material, bool fixed) {
    Piece piece;
    piece.group = next_;
    piece.radius = half_diagonal(object.get());
    piece.inertia = *adapter::inertia_of(object.get());
    piece.outline = outline_of(object.get());
    piece.mass = fixed ? 0 : piece.inertia.mass;
    mass_added_ += piece.mass;
    piece.fixed = fixed;
    piece.material = material;
    piece.body = world_->add(object.get(), pose, motion, fixed);
    piece.object = std::move(object);
    triangles_before_ += mesh.second;
    return keep(std::move(piece), mesh.first);
}

std::uint32_t Scene::add(const Primitive &primitive, const Pose &pose, double mass, const Motion &motion) {
    Piece piece;
    piece.group = next_;
    piece.mass = mass;
    mass_added_ += mass;
    piece.fixed = mass == 0;
    piece.outline = outline_of(primitive);
    piece.inertia = inertia(primitive, mass);
    piece.radius = primitive.radius > 0 ? primitive.radius : adapter::length(primitive.half);
    piece.shape = plain(primitive);
    piece.body = world_->add(primitive, pose, mass, motion);
    return keep(std::move(piece), replay_.add_mesh(picture_of(primitive)));
}

void Scene::push(std::uint32_t number, Vec point, Vec impulse) {
    const Piece &piece = pieces_.at(number);
    const double before = energy();
    world_->push(piece.body, point, impulse);
    work_ += energy() - before;
}

double Scene::energy() const {
    double sum = 0;
    for (const auto &[number, piece] : pieces_) {
        if (piece.fixed) continue;
        const Pose pose = world_->pose(piece.body);
        const Motion motion = world_->motion(piece.body);
        const Vec spin = adapter::rotate(inverse(pose.rotation * piece.inertia.axes), motion.angular), &m = piece.inertia.moments;
        sum += piece.mass * (adapter::dot(motion.linear, motion.linear) / 2 - adapter::dot(tuning_.gravity, pose * piece.inertia.centre));
        sum += (m.x * spin.x * spin.x + m.y * spin.y * spin.y + m.z * spin.z * spin.z) / 2;
    }
    return sum;
}

double Scene::mass() const {
    double sum = 0;
    for (const auto &[number, piece] : pieces_) sum += piece.mass;
    return sum;
}

std::uint64_t Scene::triangles() const {
    std::uint64_t sum = 0;
    for (const auto &[number, piece] : pieces_)
        if (piece.object) {
            std::uint32_t vertices = 0, triangles = 0;
            if (fc_object_surface(piece.object.get(), nullptr, 0, &vertices, nullptr, 0, &triangles) < 0) give_up(fc_last_error());
            sum += triangles;
        }
    return sum;
}

void Scene::advance() {
    if (steps_.empty() || steps_.size() % film_every == 0) {
        std::vector<std::pair<std::uint32_t, Pose>> poses;
        for (const auto &[number, piece] : pieces_) poses.emplace_back(piece.actor, world_->pose(piece.body));
        replay_.add_frame(poses, meter_.pairs());
    }
    Measured measured;
    const double energy_before = energy();
    for (auto &[number, piece] : pieces_) piece.before = world_->motion(piece.body);
    meter_.begin();
    const auto start = Clock::now();
    world_->step(step_);
    measured.total = milliseconds(start);
    measured.detection = meter_.milliseconds();
    // With several threads the queries of all of them are counted, so what is left for physics may be nothing.
    measured.physics = std::max(0.0, measured.total - measured.detection);
    measured.output = meter_.contacts();
    measured.pairs = meter_.queries();
    break_what_was_hit(measured, energy_before);
    measured.total += measured.update + measured.fracture;
    measured.energy = energy();
    measured.work = work_;
    measured.bodies = static_cast<std::uint32_t>(std::count_if(pieces_.begin(), pieces_.end(), [](const auto &p) { return !p.second.fixed; }));
    if (look_every != 0 && steps_.size() % look_every == 0) measured.colliding = count_colliding();
    steps_.push_back(measured);
}

void Scene::break_what_was_hit(Measured &measured, double energy_before) {
    auto start = Clock::now();
    double update = 0, fracture = 0;
    // Where each object was touched, the deepest counting most.
    std::map<std::uint64_t, std::pair<Vec, double>> touched;
    for (const Touching &pair : meter_.pairs())
        for (const fc_object object : {pair.a, pair.b})
            for (const Touch &touch : pair.touches)
                if (object.id != 0) {
                    const double weight = std::max(touch.depth + query_.margin, 1e-9);
                    auto &[sum, weights] = touched[object.id];
                    sum += weight * touch.point;
                    weights += weight;
                }
    std::vector<std::uint32_t> numbers;
    for (const auto &[number, piece] : pieces_)
        if (piece.material && time() - piece.born >= (piece.born > 0 ? calm : 0)) numbers.push_back(number);
    for (const std::uint32_t number : numbers) {
        Piece &piece = pieces_.at(number);
        const auto at = touched.find(piece.object.get().id);
        if (at == touched.end()) continue;
        const Motion after = world_->motion(piece.body);
        adapter::Blow blow{adapter::contact_impulse(piece.mass, piece.before.linear, after.linear, tuning_.gravity, step_),
                           (1 / at->second.second) * at->second.first};
        const auto how = adapter::broken_by(blow, *piece.material, piece.object.get(), world_->pose(piece.body), number + 1000 * variation);
        if (!how) continue;
        fracture += milliseconds(start);
        start = Clock::now();
        std::vector<fc_object> fragments = adapter::fragments_of(piece.object.get(), *how);
        update += milliseconds(start);
        start = Clock::now();
        if (fragments.empty()) continue;
        // What broke it did not stop it: the fragments go on as the whole did, and meet the obstacle on their own.
        world_->set_motion(piece.body, piece.before);
        const std::vector<Body> bodies = world_->replace(piece.body, fragments);
        fracture += milliseconds(start);
        events_.push_back({static_cast<std::uint32_t>(steps_.size()), piece.group, static_cast<std::uint32_t>(fragments.size()),
                           adapter::length(blow.impulse), energy_before, work_});
        keep_fragments(number, fragments, bodies);
        start = Clock::now();
    }
    measured.update = update;
    measured.fracture = fracture + milliseconds(start);
}

void Scene::shatter(std::uint32_t number, const fc_fracture_desc &how) {
    const Piece &piece = pieces_.at(number);
    const double before = energy();
    const std::vector<fc_object> fragments = adapter::fragments_of(piece.object.get(), how);
    if (fragments.empty()) return;
    const std::vector<Body> bodies = world_->replace(piece.body, fragments);
    events_.push_back({static_cast<std::uint32_t>(steps_.size()), piece.group, static_cast<std::uint32_t>(fragments.size()), 0, before, work_});
    keep_fragments(number, fragments, bodies);
}

void Scene::keep_fragments(std::uint32_t number, const std::vector<fc_object> &fragments, const std::vector<Body> &bodies) {
    if (bodies.size() != fragments.size())
        give_up(std::string(world_->engine()) + " made " + std::to_string(bodies.size()) + " bodies of " + std::to_string(fragments.size()) + " fragments");
    const Piece whole = std::move(pieces_.extract(number).mapped());
    replay_.end_body(whole.actor);
    for (std::size_t k = 0; k < fragments.size(); ++k) {
        Piece piece;
        piece.body = bodies[k];
        piece.group = whole.group;
        piece.radius = whole.radius;
        piece.inertia = *adapter::inertia_of(fragments[k]);
        piece.outline = outline_of(fragments[k]);
        piece.mass = piece.inertia.mass;
        piece.material = whole.material;
        piece.object = fracas::Object(fragments[k]);
        keep(std::move(piece), replay_.add_mesh(picture_of(fragments[k])));
    }
}

void Scene::look(double margin, const std::function<void(const Piece &, const Piece &, const std::vector<fc_contact> &)> &seen,
                 std::uint32_t flags) const {
    fc_query_desc desc = fracas::query_desc();
    desc.flags = flags;
    desc.mode = FC_MODE_FULL;
    desc.margin = static_cast<float>(margin);
    std::vector<std::pair<const Piece *, Pose>> all;
    std::vector<fc_aabb> boxes;
    for (const auto &[number, piece] : pieces_) {
        all.emplace_back(&piece, world_->pose(piece.body));
        boxes.push_back(bounds(piece, all.back().second, margin));
    }
    std::vector<fc_contact> contacts(256);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < all.size(); ++j) {
            const Piece &a = *all[i].first, &b = *all[j].first;
            if (!a.object || i == j || (b.object && j < i) || (a.fixed && b.fixed) || !meet(boxes[i], boxes[j])) continue;
            const fc_pose at_a = adapter::to_fc(all[i].second), at_b = adapter::to_fc(all[j].second);
            std::uint32_t count = 0;
            for (int attempt = 0; attempt < 2; ++attempt) {
                const auto size = static_cast<std::uint32_t>(contacts.size());
                const fc_status status = b.object ? fc_query_pair(a.object.get(), &at_a, b.object.get(), &at_b, &desc, contacts.data(), size, &count)
                                                  : fc_query_shape(a.object.get(), &at_a, &b.shape, &at_b, &desc, contacts.data(), size, &count);
                if (status < 0) give_up(fc_last_error());
                if (count <= size) break;
                contacts.resize(count);
            }
            if (count > 0) seen(a, b, {contacts.begin(), contacts.begin() + count});
        }
}

double Scene::count_colliding() const {
    double count = 0;
    look(tuning_.speculative, [&](const Piece &, const Piece &, const std::vector<fc_contact> &contacts) { count += double(contacts.size()); });
    return count;
}

} // namespace demo
