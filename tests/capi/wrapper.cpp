// The C++ wrapper, built without exceptions and without RTTI.
#include "fracas.hpp"
#include "check.h"

#include <array>
#include <cstring>

static_assert(sizeof(fracas::Asset) == sizeof(fc_asset) && sizeof(fracas::Object) == sizeof(fc_object), "owners are handles");
static_assert(!std::is_copy_constructible_v<fracas::Object> && std::is_nothrow_move_constructible_v<fracas::Object>, "");
static_assert(sizeof(fracas::Hull) == sizeof(fc_hull) && sizeof(fracas::Scene) == sizeof(fc_scene), "");
static_assert(sizeof(fracas::Soft) == sizeof(fc_soft), "");
static_assert(sizeof(fracas::VoxTree) == sizeof(fc_voxtree), "");

static fracas::Asset cook() {
    mesh m = box_mesh(4, 1.0f);
    fracas::Span<const float> positions(m.positions, 3 * m.node_count);
    auto asset = fracas::Asset::create(positions, {m.tets, 4 * m.tet_count}, 500);
    CHECK(asset);
    free_mesh(&m);
    return asset.take();
}

// A square falls through another; a sheet is split, merged and moved; an object is added and queried.
static void scenes(const fracas::Object &box) {
    const std::vector<uint32_t> triangles = {0, 1, 2, 0, 2, 3};
    const float low[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
    std::vector<double> high = {-0.3, -0.2, 1, 0.4, -0.2, 1, 0.4, 0.5, 1, -0.3, 0.5, 1};
    fc_scene_desc desc = fracas::scene_desc();
    desc.cones = FC_CONES_DUAL_CONTOUR;
    auto scene = fracas::Scene::create(&desc);
    CHECK(scene && *scene);
    const fc_body_desc how = fracas::body_desc();
    const auto below = scene->add(fracas::body_mesh(low, triangles), &how);
    const auto above = scene->add(fracas::body_mesh(high, triangles));
    CHECK(below && above && below->id != above->id && scene->info()->body_count == 2);
    std::vector<fc_impact> impacts;
    CHECK(scene->query_continuous(impacts) == FC_ERROR_WRONG_TIME && impacts.empty());
    for (std::size_t k = 2; k < high.size(); k += 3) high[k] = -1;
    CHECK(scene->move(*above, high) == FC_OK && scene->update(FC_UPDATE_CONTINUOUS) == FC_OK);
    const fc_ccd_desc exact = fracas::ccd_desc();
    CHECK(scene->query_continuous(impacts, &exact) == FC_OK && impacts.size() == 6);
    CHECK(fracas::scene_stats().found == 6);
    const auto first = scene->first_impact();
    CHECK(first && first->time <= 0.5);
    NEAR(first->time, 0.5, 1e-5);
    CHECK(scene->update() == FC_OK && scene->first_impact().status() == FC_ERROR_WRONG_TIME);
    CHECK(scene->update(FC_UPDATE_CONTINUOUS) == FC_OK && !scene->first_impact());
    const auto hit = scene->ray_cast({0.1, 0.2, 5}, {0, 0, -1}, 10);
    CHECK(hit && hit->body.id == below->id);
    NEAR(hit->distance, 5, 1e-9);
    CHECK(!scene->ray_cast({0.1, 0.2, 5}, {0, 0, -1}, 10, 2));
    std::vector<fc_proximity> near;
    CHECK(scene->query_proximity(near, 1.01) == FC_OK && near.size() >= 6 && near.front().distance <= 1.01);

    // More than there is room for at first.
    sheet s = flat_sheet(20, 1.0f, 0, 0, 0.001f);
    const fracas::Span<const float> positions(s.positions, 3 * s.vertex_count);
    const fracas::Span<const uint32_t> corners(s.triangles, 3 * s.triangle_count);
    const auto sheet_body = scene->add(fracas::body_mesh(positions, corners));
    for (uint32_t k = 0; k < s.vertex_count; ++k) s.positions[3 * k + 2] = k % 2 ? 0.1f : -0.1f;
    CHECK(scene->move(*sheet_body, positions) == FC_OK && scene->update() == FC_OK);
    std::vector<fc_overlap> pairs;
    CHECK(scene->query_discrete(pairs, FC_DISCRETE_CONTACTS) == FC_OK && pairs.size() > 64 && pairs.back().depth >= 0);

    std::vector<uint32_t> labels(s.triangle_count);
    for (uint32_t k = 0; k < s.triangle_count; ++k) labels[k] = k % 40 / 10;
    const auto parts = scene->split_by_labels(*sheet_body, labels);
    CHECK(parts && parts->size() == 4 && scene->info()->body_count == 6);
    labels[3] = 9999;
    CHECK(scene->split_by_labels((*parts)[0], labels).status() == FC_ERROR_INVALID_ARGUMENT);
    const auto merged = scene->merge(*parts);
    CHECK(merged && scene->info()->body_count == 3);
    const fc_body apart[] = {*below, *merged};
    CHECK(scene->merge(apart).status() == FC_ERROR_INVALID_ARGUMENT);
    const fc_body_mesh halves[] = {fracas::body_mesh(low, triangles), fracas::body_mesh(positions, corners, labels)};
    CHECK(!scene->split(*merged, halves)); // a source that there is not
    labels[3] = 0;
    const auto two = scene->split(*merged, halves);
    CHECK(two && two->size() == 2 && scene->info()->triangle_count == 2 + 2 + 2 + s.triangle_count);
    CHECK(scene->merge(*two, &halves[0]) && scene->info()->triangle_count == 6);
    CHECK(scene->remove(*above) == FC_OK && scene->remove(*above) == FC_ERROR_INVALID_HANDLE);
    free_sheet(&s);

    CHECK(scene->add_object(box, fracas::pose_at(9)) && scene->add_drawing(box, fracas::pose_at(-9)));
    CHECK(scene->info()->triangle_count == 4 + 2 * box.surface()->triangles.size());
    CHECK(scene->update() == FC_OK);
    std::vector<fc_scene_contact> contacts;
    CHECK(scene->query_object(contacts, box, fracas::pose_at(0, 0, 0.1)) == FC_OK && !contacts.empty());
    CHECK(scene->query_object(contacts, box, fracas::pose_at(0, 0, 0.1), 0, 2) == FC_OK && contacts.empty());
    const fc_debug_draw draw = fracas::debug_draw();
    CHECK(fc_draw_scene(scene->get(), &draw) == FC_OK);
    const auto time = fracas::ccd::vertex_face({0.2, 0.2, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, {0.2, 0.2, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0});
    CHECK(time && *time <= 0.5 && *time > 0.499);
    CHECK(!fracas::ccd::edge_edge({0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0}, {0, 0, 2, 1, 0, 2, 0, 0, 0, 1, 0, 0}));
}

// Pieces of a box are one convex part each, as large as the piece.
static double volume_of(const fracas::ConvexParts &found, const fc_convex_part &part) {
    double six = 0;
    for (std::uint32_t t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t) {
        const float *p[3];
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t n = found.triangles[3 * t + k];
            CHECK(n >= part.first_vertex && n < part.first_vertex + part.vertex_count);
            p[k] = &found.positions[3 * n];
        }
        six += double(p[0][0]) * (double(p[1][1]) * p[2][2] - double(p[1][2]) * p[2][1]) +
               double(p[0][1]) * (double(p[1][2]) * p[2][0] - double(p[1][0]) * p[2][2]) +
               double(p[0][2]) * (double(p[1][0]) * p[2][1] - double(p[1][1]) * p[2][0]);
    }
    return six / 6;
}

static void convex_colliders(const fracas::Object &box) {
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
    how.count = 6;
    auto pieces = fracas::fracture(box, how);
    CHECK(pieces && pieces->size() >= 6);
    for (const auto &piece : *pieces) {
        const auto found = fracas::convex_parts(piece);
        CHECK(found && found->parts.size() == 1 && found->parts[0].error == 0 && found->parts[0].reserved == 0);
        const fc_mass mass = *piece.mass();
        CHECK(std::fabs(volume_of(*found, found->parts[0]) / mass.volume - 1) < 1e-4);
    }
    fc_convex_desc bad = fracas::convex_desc();
    bad.max_parts = 0;
    CHECK(fracas::convex_parts(box, &bad).status() == FC_ERROR_INVALID_ARGUMENT);
}

// A box is pressed on another, on an object and a ball; it is cut; a fragment goes on as a soft body.
static void soft_bodies(const fracas::Object &box) {
    const auto tets = fracas::object_tets(box);
    CHECK(tets && tets->nodes.size() == 125 && tets->tets.size() == 4 * 384);
    std::vector<double> positions;
    std::vector<float> floats;
    for (const fc_tet_node &node : tets->nodes)
        for (const double c : node.position) { positions.push_back(c); floats.push_back(static_cast<float>(c)); }
    auto low = fracas::Soft::create(positions, tets->tets, FC_SOFT_ORIENTED);
    auto high = fracas::Soft::create(floats, tets->tets, FC_SOFT_ORIENTED);
    CHECK(low && high && low->info()->boundary_triangles == 192 && low->boundary()->size() == 3 * 192);
    for (std::size_t k = 2; k < floats.size(); k += 3) floats[k] += 0.9f;
    CHECK(high->set_positions(floats) == FC_OK && high->update() == FC_OK);
    const fc_penalty_desc how = fracas::penalty_desc();
    std::vector<fc_penalty> found;
    CHECK(low->query(found, *high, &how) == FC_OK && found.size() > 64 && fracas::penalty_stats().found == found.size());
    CHECK(high->query(found, box, fracas::pose_at()) == FC_OK && !found.empty());
    CHECK(low->query(found, fracas::shape::ball(0.3f), fracas::pose_at(0.4)) == FC_OK && !found.empty());
    CHECK(low->query(found, fracas::shape::ball(0.3f), fracas::pose_at(4)) == FC_OK && found.empty());
    const float sheet[] = {-0.2f, -0.2f, 0.3f, 0.2f, -0.2f, 0.3f, 0, 0.2f, 0.3f};
    const uint32_t corners[] = {0, 1, 2};
    CHECK(low->query(found, fracas::body_mesh(sheet, corners)) == FC_OK && !found.empty());
    const auto distance = low->signed_distance({0.4, 0, 0});
    CHECK(distance);
    NEAR(*distance, -0.1, 1e-9);
    float outward[3];
    CHECK(low->signed_distance({0, 0, 0.6}, &outward) && outward[2] > 0.99f);
    std::vector<double> depths(125);
    const uint32_t node[] = {3};
    CHECK(low->all_depths(depths) == FC_OK && low->depths(node, depths) == FC_OK);
    CHECK(low->depths(node, fracas::Span<double>()) == FC_ERROR_CAPACITY);
    const fc_tet_change gone[] = {{0, {FC_NONE, FC_NONE, FC_NONE, FC_NONE}}};
    CHECK(low->set_tets(gone) == FC_OK && low->set_positions(positions) == FC_OK && low->update() == FC_OK);
    CHECK(low->info()->live_tets == 383);
}

// Two trees of a box on each other: at once, and in pieces.
static void trees_of_cubes(const fracas::Object &box) {
    fc_voxtree_desc desc = fracas::voxtree_desc();
    desc.cells = 16;
    auto tree = fracas::VoxTree::from_object(box, &desc);
    CHECK(tree && tree->info()->level_count == 5 && tree->info()->group_count == 6);
    const fc_pose low = fracas::pose_at(), high = fracas::pose_at(0, 0, 0.95);
    fc_contact contacts[64], same[64];
    const auto count = tree->query(high, *tree, low, contacts);
    CHECK(count && *count > 0);
    NEAR(contacts[0].normal[2], 1, 1e-3);
    NEAR(contacts[0].depth, 0.05, 0.04);
    fc_voxtree_query_desc how = fracas::voxtree_query_desc();
    how.budget = 500;
    fracas::Refinement refinement(20000);
    fracas::Result<uint32_t> found(FC_OK);
    for (int k = 0; k < 1000 && !refinement.is_done(); ++k) {
        const fracas::Refinement before = refinement;
        found = tree->query(high, *tree, low, same, &how, &refinement);
        CHECK(found && refinement.tests() <= before.tests() + 500);
    }
    CHECK(refinement.is_done() && refinement.level() == 5 && *found == *count);
    CHECK(std::memcmp(contacts, same, (*count < 64 ? *count : 64) * sizeof(fc_contact)) == 0);
    const auto bytes = tree->save();
    CHECK(bytes && fracas::VoxTree::load(*bytes) && !fracas::VoxTree::load(fracas::Span<const uint8_t>()));
    desc.flags = FC_VOXTREE_EXACT;
    CHECK(fracas::VoxTree::load(*bytes, box.get())->info()->flags == FC_VOXTREE_EXACT);
    const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t sides[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    CHECK(fracas::VoxTree::create(corners, sides, 8)->info()->group_count == 4);
}

// The corner of a block is heavy away from its middle: no two of its six numbers are alike.
static void inertia_of_a_corner() {
    const double a = 1, b = 2, c = 3;
    const float corners[] = {0, 0, 0, float(a), 0, 0, 0, float(b), 0, 0, 0, float(c)};
    const uint32_t tets[] = {0, 1, 2, 3};
    const auto asset = fracas::Asset::create(corners, tets, 80);
    const auto corner = fracas::Object::create(*asset);
    const auto mass = corner->mass();
    CHECK(mass);
    NEAR(mass->mass, 80 * a * b * c / 6, 1e-9);
    // About its centre a tetrahedron with three edges along the axes has m (b² + c²) 3 / 80 on the diagonal, m a b / 80 beside it.
    const double m = mass->mass / 80;
    const double rows[3][3] = {{3 * m * (b * b + c * c), m * a * b, m * a * c},
                               {m * a * b, 3 * m * (a * a + c * c), m * b * c},
                               {m * a * c, m * b * c, 3 * m * (a * a + b * b)}};
    const std::array<double, 9> matrix = fracas::inertia_matrix(*mass);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) NEAR(matrix[3 * i + j], rows[i][j], 1e-9);
    double none[9] = {7};
    CHECK(fc_mass_inertia_matrix(nullptr, none) == FC_ERROR_INVALID_ARGUMENT && none[0] == 7);
    CHECK(fc_mass_inertia_matrix(&*mass, nullptr) == FC_ERROR_INVALID_ARGUMENT);
}

// What a query returns was written, however little room there is; how many there are is told besides. `a` and `b` overlap as posed.
static void few_places(const fracas::Object &a, const fracas::Object &b, const fc_pose &pose) {
    fc_contact all[64], few[2];
    fc_query_desc how = fracas::query_desc();
    how.mode = FC_MODE_FULL;
    how.max_per_normal = 0;
    uint32_t found = 99;
    const fc_pose here = fracas::pose_at();
    const auto whole = fracas::query_pair(a, pose, b, here, all, &how, &found);
    CHECK(whole && whole.status() == FC_OK && *whole > 2 && *whole < 64 && found == *whole);
    const auto part = fracas::query_pair(a, pose, b, here, few, &how, &found);
    CHECK(part && part.status() == FC_INCOMPLETE && *part == 2 && found == *whole);
    CHECK(std::memcmp(few, all, sizeof few) == 0);
    const auto none = fracas::query_pair(a, pose, b, here, {}, &how, &found);
    CHECK(none && none.status() == FC_INCOMPLETE && *none == 0 && found == *whole);
    found = 99;
    CHECK(!fracas::query_pair(fracas::Object(), pose, b, here, few, &how, &found) && found == 99);
    const fc_shape floor = fracas::shape::half_space(0, 0, 1, 0);
    const auto low = fracas::query_shape(a, here, floor, here, few, &how, &found);
    CHECK(low && low.status() == FC_INCOMPLETE && *low == 2 && found > 2);

    // Every contact that the offsets of a batch name is there to be read.
    const std::vector<fc_pair> pairs(3, fc_pair{a.get(), b.get(), pose, here});
    std::vector<fc_contact> room(*whole + 1);
    std::vector<uint32_t> offsets(4, 99);
    CHECK(fracas::query_pairs(pairs, room, offsets, {}, &how, &found) == FC_INCOMPLETE && found == 3 * *whole);
    CHECK(offsets[0] == 0 && offsets[1] == *whole && offsets[2] == *whole + 1 && offsets[3] == *whole + 1);
    for (std::size_t k = 0; k < pairs.size(); ++k)
        for (uint32_t c = offsets[k]; c < offsets[k + 1]; ++c) CHECK(room.at(c).depth == all[c - offsets[k]].depth);
    // Where a contact is in the world: relative to the first body. A box from -0.5 up lies on the floor at -0.5.
    const fc_pose far = fracas::pose_at(1000, 0, 0.5 - 1e-3);
    const auto on_floor = fracas::query_shape(b, far, floor, here, all);
    CHECK(on_floor && *on_floor > 0);
    NEAR(all[0].point[2], -0.5, 1e-2);
    NEAR(fracas::world_point(all[0], far)[2], 0, 1e-2);
    CHECK(std::fabs(fracas::world_point(all[0], far)[0] - 1000) < 1);
}

// What fails in the wrapper says so, whatever failed before.
static void texts_of_the_wrapper(const fracas::Object &box) {
    const auto told = [](fc_status status, const char *text) {
        CHECK(status == FC_ERROR_CAPACITY);
        if (!strstr(fracas::last_error(), text)) { std::printf("%s\n", fracas::last_error()); CHECK(false); }
        CHECK(fracas::Object().info().status() == FC_ERROR_INVALID_HANDLE && strstr(fracas::last_error(), "null handle"));
    };
    const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t sides[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    told(fracas::Asset::from_surface(corners, sides, 0, 500, {corners, 7}).status(), "uvs is too short: it has 7 of 8 elements");
    told(fracas::Asset::from_surface(corners, sides, 0, 500, {}, {sides, 3}).status(), "materials is too short: it has 3 of 4 elements");
    const std::vector<fc_pair> pairs(3, fc_pair{box.get(), box.get(), fracas::pose_at(), fracas::pose_at()});
    std::vector<uint32_t> offsets(4);
    std::vector<fc_status> statuses(2);
    told(fracas::query_pairs(pairs, {}, {offsets.data(), 3}), "offsets is too short: it has 3 of 4 elements");
    told(fracas::query_pairs(pairs, {}, offsets, statuses), "statuses is too short: it has 2 of 3 elements");
    const fc_pose here = fracas::pose_at();
    const std::vector<fc_sweep> sweeps(3, fc_sweep{box.get(), box.get(), here, here, here, here});
    std::vector<fc_sweep_hit> hits(3);
    told(fracas::sweep_pairs(sweeps, {hits.data(), 1}), "hits is too short: it has 1 of 3 elements");
    told(fracas::sweep_pairs(sweeps, hits, statuses), "statuses is too short: it has 2 of 3 elements");
    const uint32_t tet[] = {0, 1, 2, 3};
    const auto soft = fracas::Soft::create(fracas::Span<const float>(corners), tet);
    double depth;
    told(soft->depths(tet, {&depth, 1}), "depths is too short: it has 1 of 4 elements");
}

int main() {
    {
        inertia_of_a_corner();
        fracas::Asset asset = cook();
        const auto info = asset.info();
        CHECK(info && info->node_count == 125);
        const auto skin = asset.skin();
        CHECK(skin && skin->size() == 192);
        fc_object_desc desc = fracas::object_desc();
        desc.user_data = 4;
        auto box = fracas::Object::create(asset, &desc);
        CHECK(box && box->info()->user_data == 4);
        CHECK(box->memory()->object_bytes <= 1024 && box->memory()->asset_bytes == asset.info()->bytes);
        CHECK(box->set_user_data(5) == FC_OK && *box->user_data() == 5);
        CHECK(fracas::Object::create(fracas::Asset()).status() == FC_ERROR_INVALID_HANDLE);
        CHECK(strstr(fracas::last_error(), "null handle") != nullptr);
        asset.reset();
        CHECK(!asset && fc_live_handles() == 1);

        NEAR(box->mass()->mass, 500, 1e-9);
        NEAR(box->bounds()->max[2], 0.5, 1e-12);
        NEAR(box->bounds(fracas::pose_at(0, 0, 3))->max[2], 3.5, 1e-12);
        NEAR(box->signed_distance(fracas::pose_at(), {2, 0, 0})->distance, 1.5, 1e-5);
        const auto hit = box->ray_cast(fracas::pose_at(), {-3, 0.1, 0.2}, {1, 0, 0}, 10);
        CHECK(hit && hit->face == FC_FACE_SKIN);
        CHECK(!box->ray_cast(fracas::pose_at(), {-3, 0, 0}, {0, 1, 0}, 10));
        CHECK(box->state_hash());
        scenes(*box);
        convex_colliders(*box);
        soft_bodies(*box);
        trees_of_cubes(*box);
        few_places(*box, *box, fracas::pose_at(0.1, 0.2, 0.99));
        texts_of_the_wrapper(*box);

        auto pieces = fracas::fracture(*box, random_cells(9, 1));
        CHECK(pieces && pieces->size() >= 9);
        CHECK(fc_live_handles() == 1 + pieces->size());
        CHECK(pieces->front().adjacency()->size() >= 8);
        const auto cracks = pieces->front().planes();
        CHECK(cracks && pieces->front().info()->kind == FC_KIND_CELL && cracks->size() == pieces->front().info()->plane_count);
        CHECK(cracks->size() >= 3 && box->planes()->empty());
        const auto surface = pieces->front().surface();
        CHECK(surface && surface->positions.size() > 12 && surface->triangles.size() > 4);
        {
            box_surface s = box_sides(4, 1.0f);
            const fracas::Span<const float> corners(s.positions, 3 * s.vertex_count);
            const fracas::Span<const uint32_t> sides(s.triangles, 3 * s.triangle_count);
            const auto filled = fracas::Asset::from_surface(corners, sides, FC_ASSET_KEEP_SURFACE, 500,
                                                            {s.uvs, 2 * s.vertex_count}, {s.materials, s.triangle_count});
            CHECK(filled && (filled->info()->warnings & FC_WARNING_REPAIRED) == 0);
            CHECK(fracas::Asset::from_surface(corners, sides, 0, 500, {s.uvs, 4}).status() == FC_ERROR_CAPACITY);
            const auto met = fracas::Asset::from_surface(corners, sides, FC_ASSET_MEET_SURFACE);
            CHECK(met && met->info()->surface_to_tets < 1e-12 && met->info()->tets_to_surface < 1e-12);
            CHECK(met->info()->tet_count == s.triangle_count);
            const auto whole = fracas::Object::create(*filled);
            const auto parts = fracas::fracture(*whole, random_cells(5, 2));
            const auto drawing = parts->front().drawing();
            CHECK(drawing && drawing->vertices.size() > 8 && drawing->triangles.size() > drawing->info.crack_triangle_count);
            CHECK(drawing->info.open_edge_count == 0 && drawing->triangles.back().material == FC_NONE);
            free_surface(&s);
        }
        std::vector<float> grid;
        for (int k = 0; k < 30; ++k)
            for (int i = 0; i < 4; ++i) grid.push_back(i == 3 ? float(k / 3 + 1) / 11 - 0.5f : float(i == k % 3));
        fc_fracture_desc dice = fracas::fracture_desc(FC_PATTERN_PLANES);
        dice.values = grid.data();
        dice.value_count = 30;
        const auto many = fracas::fracture(*box, dice); // more than there is room for at first
        CHECK(many && many->size() == 11 * 11 * 11);
        fc_fracture_desc none = fracas::fracture_desc(FC_PATTERN_PLANES);
        const auto whole = fracas::fracture(*box, none);
        CHECK(whole && whole.status() == FC_UNCHANGED && whole->empty());

        {
            fracas::Asset same = cook();
            const auto file = same.save();
            CHECK(file && fracas::Asset::load(*file));
            const auto game = fracas::save(*pieces);
            const auto loaded = fracas::load(*game, same);
            CHECK(loaded && loaded->size() == pieces->size() && *(*loaded)[1].state_hash() == *(*pieces)[1].state_hash());
            CHECK(fracas::load(*file, same).status() == FC_ERROR_INVALID_DATA);
        }

        std::array<fc_contact, 64> contacts;
        fc_query_desc how = fracas::query_desc();
        how.margin = 0.01f;
        const auto &a = (*pieces)[0];
        const auto &b = (*pieces)[1];
        const auto found = fracas::query_pair(a, fracas::pose_at(0, 0, 0.001), b, fracas::pose_at(), contacts, &how);
        CHECK(found && found.status() == FC_OK && fracas::query_stats().found == *found + fracas::query_stats().left_out);
        if (*found > 0) CHECK((contacts[0].feature >> 31 ? b : a).feature(contacts[0].feature));

        auto slope = [level = 0.45](const double *point, double *outward) {
            outward[0] = outward[1] = 0;
            outward[2] = 1;
            return point[2] - level;
        };
        const float planes[] = {1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 0.45f, 0, 0, -1, 1};
        auto hull = fracas::Hull::create(planes);
        const float peak[] = {0.1f, 0.1f, 0.45f};
        CHECK(hull);
        const fc_shape shapes[] = {fracas::shape::half_space(0, 0, 1, 0.45f), fracas::shape::ball(0.45f),
                                   fracas::shape::box(2, 2, 0.45f), fracas::shape::capsule(0.2f, 0.25f),
                                   fracas::shape::hull(*hull), fracas::shape::field(slope),
                                   fracas::shape::field(slope, peak)};
        for (const fc_shape &shape : shapes) {
            const auto touching = fracas::query_shape(*box, fracas::pose_at(0, 0, 0.94), shape, fracas::pose_at(), contacts);
            CHECK(touching && *touching > 0);
            NEAR(contacts[0].depth, 0.01, 1e-5);
            const auto fewer = fracas::reduce_contacts({contacts.data(), *touching}, 4, 3);
            CHECK(fewer && *fewer == (*touching < 3 ? *touching : 3));
            NEAR(contacts[0].depth, 0.01, 1e-5);
        }

        const std::vector<fc_pair> pairs(3, fc_pair{a.get(), b.get(), fracas::pose_at(0.01), fracas::pose_at()});
        std::vector<uint32_t> offsets(4);
        std::vector<fc_status> statuses(3, -99);
        CHECK(fracas::query_pairs(pairs, contacts, offsets, statuses, &how) >= FC_OK && statuses[2] == FC_OK);
        CHECK(fracas::query_pairs(pairs, contacts, fracas::Span<uint32_t>(offsets.data(), 3)) == FC_ERROR_CAPACITY);
        const float weights[] = {1, 0, 2};
        how.budget = 3;
        how.weights = weights;
        CHECK(fracas::query_pairs(pairs, contacts, offsets, statuses, &how) == FC_INTERRUPTED && statuses[1] == FC_INTERRUPTED);
        CHECK(fracas::query_stats().interrupted == 3 && fracas::query_stats().level == FC_LEVEL_BODIES);
        how.weights = nullptr;
        const auto maybe = fracas::query_pair(a, fracas::pose_at(0, 0, 0.001), b, fracas::pose_at(), contacts, &how);
        CHECK(maybe && maybe.status() == FC_INTERRUPTED && *maybe == 1);

        // Sweeps, distances, memories and motions.
        const fc_pose left = fracas::pose_at(-3), right = fracas::pose_at(3), middle = fracas::pose_at();
        const auto met = fracas::sweep_pair(*box, left, right, *box, middle, middle);
        CHECK(met && met->exact == 1);
        NEAR(met->time, 1.0 / 3, 1e-4);
        CHECK(fracas::sweep_pair(*box, left, left, *box, middle, middle).status() == FC_NO_HIT);
        fc_sweep_desc sweeping = fracas::sweep_desc();
        sweeping.tolerance = 0.01f;
        const auto wall = fracas::sweep_shape(*box, left, right, fracas::shape::box(0.5f, 2, 2), middle, middle, &sweeping);
        CHECK(wall && wall->time < 1.0 / 3 && wall->time > 0.32);
        const std::vector<fc_sweep> sweeps(2, fc_sweep{box->get(), box->get(), left, right, middle, middle});
        std::vector<fc_sweep_hit> hits(2);
        CHECK(fracas::sweep_pairs(sweeps, hits) == FC_OK && hits[1].time == met->time);
        CHECK(fracas::sweep_pairs(sweeps, fracas::Span<fc_sweep_hit>(hits.data(), 1)) == FC_ERROR_CAPACITY);
        NEAR(fracas::distance_pair(*box, left, *box, middle)->distance, 2, 1e-5);
        CHECK(fracas::distance_pair(*box, left, *box, middle, 1).status() == FC_NO_HIT);
        NEAR(fracas::distance_shape(*box, left, fracas::shape::ball(0.5f), middle)->distance, 2, 1e-5);
        fc_query_desc stepping = fracas::query_desc();
        fc_pair_memory memory{};
        const fc_motion motions[2] = {{{100, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
        stepping.memories = &memory;
        stepping.motions = motions;
        stepping.seconds = 1.0f / 60;
        const auto soon = fracas::query_pair(*box, fracas::pose_at(-2), *box, middle, contacts, &stepping);
        CHECK(soon && *soon > 0);
        NEAR(contacts[0].depth, -1, 1e-3);

        // Owners can be moved into containers, given up, and taken back.
        std::vector<fracas::Object> moved = std::move(*pieces);
        fc_object handle = moved.back().release();
        CHECK(!moved.back());
        fracas::Object taken(handle);
        moved.clear();
        CHECK(taken.mass() && fc_live_handles() == 3 + many->size());
        fc_debug_draw draw = fracas::debug_draw();
        CHECK(fc_draw_object(taken.get(), &pairs[0].pose_a, &draw) == FC_OK);
    }
    CHECK(fc_live_handles() == 0);
    CHECK(fc_shutdown(nullptr) == FC_OK);
    DONE("wrapper");
}
