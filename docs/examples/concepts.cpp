// The short blocks of the documentation that are no program of their own, each in a function that runs.
#include <fracas.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#undef NDEBUG // its checks are the test
#include <cassert>

struct Body {
    fracas::Object object;
    fc_pose pose;
    fc_motion motion;
};

/// A crate in eight pieces.
std::vector<Body> pieces_of_a_crate() {
    const float corners[] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1};
    const std::uint32_t triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    auto asset = fracas::Asset::from_surface(corners, triangles, FC_ASSET_MEET_SURFACE);
    auto crate = fracas::Object::create(*asset);
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
    auto pieces = fracas::fracture(*crate, how);
    std::vector<Body> bodies;
    for (fracas::Object &piece : *pieces) bodies.push_back({std::move(piece), fracas::pose_at(), {}});
    assert(bodies.size() == 8);
    return bodies;
}

std::vector<fc_pair> all_pairs(const std::vector<Body> &bodies) {
    std::vector<fc_pair> pairs;
    for (std::size_t a = 0; a < bodies.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            pairs.push_back({bodies[a].object.get(), bodies[b].object.get(), bodies[a].pose, bodies[b].pose});
    return pairs;
}

void batch(const std::vector<Body> &bodies) {
    const std::vector<fc_pair> pairs = all_pairs(bodies); // from your broad phase
    std::vector<fc_contact> contacts(32 * pairs.size());
    std::vector<std::uint32_t> offsets(pairs.size() + 1);

    std::uint32_t found = 0;
    const fc_status status = fracas::query_pairs(pairs, contacts, offsets, {}, nullptr, &found);
    if (status < FC_OK) std::puts(fracas::last_error());
    if (found > contacts.size()) std::puts("make room for more: the contacts of the last pairs are missing");
    for (std::size_t k = 0; k < pairs.size(); ++k)
        for (std::uint32_t c = offsets[k]; c < offsets[k + 1]; ++c) {
            // contacts[c] is one of pair k
        }
    assert(status == FC_OK && offsets.back() > 0);
}

void budget(const std::vector<Body> &bodies) {
    const std::vector<fc_pair> pairs = all_pairs(bodies);
    std::vector<fc_contact> contacts(32 * pairs.size());
    std::vector<std::uint32_t> offsets(pairs.size() + 1);

    fc_query_desc desc = fracas::query_desc();
    desc.budget = 200; // units of work for all pairs together
    const fc_status status = fracas::query_pairs(pairs, contacts, offsets, {}, &desc);
    const fc_query_stats stats = fracas::query_stats();
    // FC_INTERRUPTED: stats.interrupted pairs have the best contacts so far, and stats.level is how far the query went.
    assert(status == FC_INTERRUPTED && stats.interrupted > 0 && stats.work <= 200);
}

void contacts_of(const Body &a, const Body &b) {
    fc_contact contacts[16];
    auto count = fracas::query_pair(a.object, a.pose, b.object, b.pose, contacts); // how many were written
    for (std::uint32_t k = 0; k < *count; ++k) {
        // Relative to the position of the first body, unless the query has an origin of its own.
        const std::array<double, 3> point = fracas::world_point(contacts[k], a.pose);
        std::printf("(%.2f, %.2f, %.2f) in the world\n", point[0], point[1], point[2]);
    }
    assert(count);
}

void memory_and_motion(const Body &a, const Body &b) {
    fc_contact contacts[16];
    // Kept with the pair, for as long as your broad phase has it; zero at first.
    fc_pair_memory memory{};
    const fc_motion motions[2] = {a.motion, b.motion};

    fc_query_desc desc = fracas::query_desc();
    desc.memories = &memory;   // contacts stay the same while nothing moves, and crossed bodies know where they came from
    desc.motions = motions;    // what meets in the step has contacts already, with gaps as negative depths
    desc.seconds = 1.0f / 60;
    auto found = fracas::query_pair(a.object, a.pose, b.object, b.pose, contacts, &desc);
    assert(found);
}

void sweep_and_distance(const Body &a, const Body &b) {
    // How far apart, and where. An infinite range by default; a small one is faster.
    const fc_pose away = fracas::pose_at(5);
    auto closest = fracas::distance_pair(a.object, away, b.object, b.pose);
    assert(closest && closest->distance > 0);

    // When they first touch, from 0 at the start of the step to 1 at its end; no value if they do not.
    const fc_shape floor = fracas::shape::half_space(0, 0, 1, 0);
    auto hit = fracas::sweep_shape(a.object, fracas::pose_at(0, 0, 5), fracas::pose_at(0, 0, -5), floor, fracas::pose_at(), fracas::pose_at());
    if (hit) std::printf("it meets the floor after %.0f %% of the step\n", 100 * hit->time);
    assert(hit);
}

void prepare(const std::vector<Body> &fragments) {
    // In the job that broke the body, so that no frame waits for what the first query of a fragment builds.
    for (const Body &fragment : fragments)
        if (fragment.object.prepare() < FC_OK) std::puts(fracas::last_error());
}

void files(const fracas::Asset &asset, const std::vector<fracas::Object> &rubble) {
    auto cooked = asset.save();          // the bytes of a .fracas file
    auto broken = fracas::save(rubble);  // pieces of one body, together; the asset is not in them

    auto loaded = fracas::Asset::load(*cooked);
    if (!loaded) std::puts(fracas::last_error()); // what is wrong with the bytes, in one sentence
    auto pieces = fracas::load(*broken, *loaded); // in the order in which they were saved
    assert(pieces && pieces->size() == rubble.size() && *(*pieces)[0].state_hash() == *rubble[0].state_hash());
}

void threads(const std::vector<Body> &bodies) {
    // While one thread breaks a piece, another queries it and its siblings. No lock: both only read.
    std::thread breaks([&] {
        fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
        auto smaller = fracas::fracture(bodies[0].object, how);
        assert(smaller);
    });
    fc_contact contacts[16];
    for (std::size_t k = 1; k < bodies.size(); ++k)
        assert(fracas::query_pair(bodies[0].object, bodies[0].pose, bodies[k].object, bodies[k].pose, contacts));
    breaks.join();
}

/// What a solver keeps of a contact from step to step, by what fc_contact.feature names.
struct Impulses {
    std::unordered_map<std::uint32_t, float> of_feature;

    float warm_start(const fc_contact &contact) const {
        const auto known = of_feature.find(contact.feature);
        return known == of_feature.end() ? 0 : known->second;
    }
};

/// The half of an adapter that is the same for every engine: poses in, contacts out. Called by many threads at once.
std::uint32_t contacts_of_pair(fc_object a, const fc_pose &pose_a, fc_object b, const fc_pose &pose_b, fc_pair_memory &memory,
                               const fc_motion (&motions)[2], float seconds, fc_contact (&contacts)[32]) {
    fc_query_desc desc = fracas::query_desc();
    desc.max_contacts = 32;
    desc.memories = &memory;
    desc.motions = motions;
    desc.seconds = seconds;
    std::uint32_t count = 0;
    const fc_status status = fc_query_pair(a, &pose_a, b, &pose_b, &desc, contacts, 32, &count);
    return status < FC_OK ? 0 : count; // a stale handle: the body is about to go
}

int main() {
    if (!fc_abi_compatible(FC_ABI_VERSION)) {
        std::printf("fracas %s has another ABI than this program was compiled for\n", fc_version_text());
        return 1;
    }
    const std::vector<Body> bodies = pieces_of_a_crate();
    batch(bodies);
    budget(bodies);
    contacts_of(bodies[0], bodies[1]);
    memory_and_motion(bodies[0], bodies[1]);
    sweep_and_distance(bodies[0], bodies[1]);
    prepare(bodies);
    threads(bodies);

    fc_pair_memory memory{};
    fc_contact contacts[32];
    const fc_motion still[2] = {};
    std::uint32_t most = 0;
    Impulses impulses;
    for (std::size_t k = 1; k < bodies.size(); ++k, memory = {}) {
        const std::uint32_t count =
            contacts_of_pair(bodies[0].object.get(), bodies[0].pose, bodies[k].object.get(), bodies[k].pose, memory, still, 0.01f, contacts);
        most = count > most ? count : most;
        for (std::uint32_t c = 0; c < count; ++c) impulses.of_feature[contacts[c].feature] = 1;
        assert(count == 0 || impulses.warm_start(contacts[0]) == 1);
    }
    assert(most > 0);

    std::vector<float> xyz = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    std::vector<std::uint32_t> tets = {0, 1, 2, 3};
    auto asset = fracas::Asset::create(xyz, tets);
    auto whole = fracas::Object::create(*asset);
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
    auto rubble = fracas::fracture(*whole, how);
    files(*asset, *rubble);
    return 0;
}
