// The C++ wrapper, built without exceptions and without RTTI.
#include "fracas.hpp"
#include "check.h"

#include <array>

static_assert(sizeof(fracas::Asset) == sizeof(fc_asset) && sizeof(fracas::Object) == sizeof(fc_object), "owners are handles");
static_assert(!std::is_copy_constructible_v<fracas::Object> && std::is_nothrow_move_constructible_v<fracas::Object>, "");
static_assert(sizeof(fracas::Hull) == sizeof(fc_hull), "");

static fracas::Asset cook() {
    mesh m = box_mesh(4, 1.0f);
    fracas::Span<const float> positions(m.positions, 3 * m.node_count);
    auto asset = fracas::Asset::create(positions, {m.tets, 4 * m.tet_count}, 500);
    CHECK(asset);
    free_mesh(&m);
    return asset.take();
}

int main() {
    {
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
        CHECK(found && fracas::query_stats().found == *found);
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
