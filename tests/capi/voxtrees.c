/* Trees of cubes through C: contacts against known ones, budgets, deadlines, kept refinements, bad input, shortages of memory, garbage. */
#include "check.h"

#include <stddef.h>

/* A ball of densities, n cubes along an axis over 2 m: 1 inside, 0 outside, and between by distance. */
static float *ball_densities(uint32_t n) {
    float *densities = (float *)malloc(n * n * n * sizeof(float));
    uint32_t k;
    for (k = 0; k < n * n * n; ++k) {
        double edge = 2.0 / n, x = (k % n + 0.5) * edge - 1, y = (k / n % n + 0.5) * edge - 1, z = (k / n / n + 0.5) * edge - 1;
        double inside = (1 - sqrt(x * x + y * y + z * z)) / edge + 0.5;
        densities[k] = (float)(inside < 0 ? 0 : inside > 1 ? 1 : inside);
    }
    return densities;
}

static fc_voxtree_desc describe_ball(const float *densities, uint32_t n) {
    fc_voxtree_desc desc;
    fc_voxtree_desc_default(&desc);
    desc.densities = densities;
    desc.density_size[0] = desc.density_size[1] = desc.density_size[2] = n;
    desc.density_count = n * n * n;
    desc.density_origin[0] = desc.density_origin[1] = desc.density_origin[2] = -1;
    desc.density_edge = 2.0 / n;
    return desc;
}

static void count_line(const float *a, const float *b, uint32_t rgba, void *user_data) {
    (void)a, (void)b, (void)rgba;
    ++*(uint32_t *)user_data;
}

typedef struct clock_of_calls {
    int left;
    fc_voxtree tree; /* to call back with, if there is one */
    fc_status nested;
} clock_of_calls;

static int32_t is_over(void *user_data) {
    clock_of_calls *clock = (clock_of_calls *)user_data;
    if (clock->tree.id) {
        fc_pose here = pose_at(0, 0, 0);
        fc_contact contact;
        uint32_t count;
        clock->nested = fc_query_voxtrees(clock->tree, &here, clock->tree, &here, NULL, NULL, &contact, 1, &count);
        CHECK(strstr(fc_last_error(), "deadline") != NULL);
    }
    return clock->left-- <= 0;
}

static void balls(void) {
    float *densities = ball_densities(32);
    fc_voxtree_desc desc = describe_ball(densities, 32);
    fc_voxtree_info info;
    fc_voxtree ball = {0}, loaded = {0};
    fc_pose here = pose_at(0, 0, 0), above = pose_at(100, 0, 1.95), away = pose_at(0, 0, 9);
    fc_voxtree_query_desc how;
    fc_query_stats stats;
    fc_contact whole[8], some[8], one;
    fc_node_pair *pairs = (fc_node_pair *)malloc(4000 * sizeof(fc_node_pair)), few[20];
    fc_refinement kept;
    fc_debug_draw draw;
    clock_of_calls clock = {0, {0}, 0};
    uint8_t *bytes;
    uint64_t size = 0, budget;
    uint32_t count = 0, again = 0, lines = 0, rounds;
    here.position[0] = 100;

    fc_voxtree_info_default(&info);
    CHECK(fc_voxtree_create(&desc, &ball) == FC_OK && ball.id != 0 && fc_live_handles() == 1);
    CHECK(fc_voxtree_get_info(ball, &info) == FC_OK && info.level_count == 6 && info.flags == 0 && info.group_count > 5);
    CHECK(info.node_count > 10000 && info.bytes >= 24 * info.node_count && info.bytes < 25 * info.node_count + 1000);
    NEAR(info.edge, 2.0 / 32, 1e-12);
    NEAR(info.origin[1], -1, 1e-12);

    /* All of it: one contact of the bodies, as of two balls. */
    fc_voxtree_query_desc_default(&how);
    how.flags = FC_VOXQUERY_UNGROUPED;
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, &how, NULL, &one, 1, &count) == FC_OK && count == 1);
    NEAR(one.depth, 0.05, 0.03);
    NEAR(one.normal[2], 1, 0.01);
    NEAR(one.point[2], -0.975, 0.03); /* relative to A */
    CHECK(one.feature == (1u << 28 | 0x3fffu << 14 | 0x3fffu));
    how.flags |= FC_VOXQUERY_ORIGIN;
    how.origin[0] = 100;
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, &how, NULL, &one, 1, &count) == FC_OK);
    NEAR(one.point[2], 0.975, 0.03);
    NEAR(one.point[0], 0, 0.05);
    CHECK(fc_query_voxtrees(ball, &away, ball, &here, NULL, NULL, NULL, 0, &count) == FC_OK && count == 0);

    /* By groups, and no more than wanted. */
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, NULL, NULL, whole, 8, &count) >= 0 && count > 1);
    fc_voxtree_query_desc_default(&how);
    how.max_contacts = 1;
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, &how, NULL, some, 8, &again) == FC_OK && again == 1);
    CHECK(memcmp(whole, some, sizeof(fc_contact)) == 0);

    /* Budgets: kept, in both orders and for all models. */
    fc_query_stats_default(&stats);
    for (budget = 1; budget < 100000; budget *= 7) {
        uint32_t flags;
        for (flags = 0; flags < 32; flags += 2) {
            fc_status status;
            how.flags = flags;
            how.budget = budget;
            how.max_contacts = 0;
            status = fc_query_voxtrees(ball, &above, ball, &here, &how, NULL, some, 8, &again);
            CHECK(fc_query_get_stats(&stats) == FC_OK && stats.work <= budget && again > 0);
            CHECK(status == FC_INTERRUPTED || budget > 1000);
            CHECK(stats.interrupted == (status == FC_INTERRUPTED) && (stats.level == FC_LEVEL_ALL) == (status != FC_INTERRUPTED));
        }
    }
    /* A level. */
    how.flags = 0;
    how.budget = 0;
    how.level = 2;
    fc_refinement_default(&kept);
    kept.pairs = pairs;
    kept.capacity = 4000;
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, &how, &kept, some, 8, &again) >= 0 && kept.level == 2 && kept.is_done);

    /* In pieces, through a kept refinement: as at once. A copy of it goes on by itself. */
    fc_voxtree_query_desc_default(&how);
    how.budget = 100;
    fc_refinement_default(&kept);
    kept.pairs = pairs;
    kept.capacity = 4000;
    for (rounds = 0; !kept.is_done && rounds < 1000; ++rounds) {
        fc_status status = fc_query_voxtrees(ball, &above, ball, &here, &how, &kept, some, 8, &again);
        CHECK(status >= 0 && (status == FC_INTERRUPTED) == !kept.is_done && kept.tests <= 100 * (rounds + 1));
        if (rounds == 3) {
            fc_node_pair *copies = (fc_node_pair *)malloc(4000 * sizeof(fc_node_pair));
            fc_refinement copy = kept;
            memcpy(copies, pairs, 4000 * sizeof(fc_node_pair));
            copy.pairs = copies;
            CHECK(fc_query_voxtrees(ball, &above, ball, &here, NULL, &copy, some, 8, &again) >= 0 && copy.is_done);
            CHECK(again == count && memcmp(whole, some, (count < 8 ? count : 8) * sizeof(fc_contact)) == 0);
            free(copies);
        }
    }
    CHECK(rounds > 5 && rounds < 1000 && kept.open_count == 0 && kept.done_count > 10 && kept.level == info.level_count);
    CHECK(again == count && memcmp(whole, some, (count < 8 ? count : 8) * sizeof(fc_contact)) == 0);
    /* Little memory: it ends there. */
    fc_refinement_default(&kept);
    kept.pairs = few;
    kept.capacity = 20;
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, NULL, &kept, some, 8, &again) == FC_INTERRUPTED && again > 0);
    CHECK(kept.open_count + kept.done_count <= 20 && !kept.is_done);

    /* A deadline; one that calls back is told so. */
    fc_voxtree_query_desc_default(&how);
    how.is_over = is_over;
    how.user_data = &clock;
    clock.left = 10;
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, &how, NULL, some, 8, &again) == FC_INTERRUPTED && again > 0 && clock.left == -1);
    clock.left = 1000000;
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, &how, NULL, some, 8, &again) >= 0 && clock.left < 1000000);
    CHECK(again == count && memcmp(whole, some, (count < 8 ? count : 8) * sizeof(fc_contact)) == 0);
    clock.left = 2;
    clock.tree = ball;
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, &how, NULL, some, 8, &again) == FC_INTERRUPTED && clock.nested == FC_ERROR_WRONG_TIME);
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, NULL, NULL, some, 8, &again) >= 0); /* and not afterwards */

    /* Drawn: cubes of a level, and figure 9. */
    fc_debug_draw_default(&draw);
    draw.line = count_line;
    draw.user_data = &lines;
    draw.flags = FC_DRAW_BOUNDS | FC_DRAW_BOXES;
    draw.level = 1;
    CHECK(fc_draw_voxtree(ball, &here, &draw) == FC_OK && lines == 12 + 8 * 12);
    lines = 0;
    fc_refinement_default(&kept);
    kept.pairs = pairs;
    kept.capacity = 4000;
    how.is_over = NULL;
    how.budget = 300;
    CHECK(fc_query_voxtrees(ball, &above, ball, &here, &how, &kept, some, 8, &again) == FC_INTERRUPTED);
    CHECK(fc_draw_refinement(ball, &above, ball, &here, NULL, &kept, &draw) == FC_OK);
    CHECK(lines == kept.open_count + kept.done_count + 4 * again);

    /* Saved and loaded: the same. */
    CHECK(fc_voxtree_save(ball, NULL, 0, &size) == FC_INCOMPLETE && size > 1000);
    bytes = (uint8_t *)malloc(size);
    CHECK(fc_voxtree_save(ball, bytes, size, &size) == FC_OK);
    CHECK(fc_voxtree_load(bytes, size, (fc_object){0}, &loaded) == FC_OK);
    CHECK(fc_query_voxtrees(loaded, &above, ball, &here, NULL, NULL, some, 8, &again) >= 0 && again == count);
    CHECK(memcmp(whole, some, (count < 8 ? count : 8) * sizeof(fc_contact)) == 0);
    bytes[size / 2] ^= 1;
    FAILS(fc_voxtree_load(bytes, size, (fc_object){0}, &loaded), FC_ERROR_INVALID_DATA, "checksum");
    CHECK(fc_voxtree_destroy(loaded) == FC_OK && fc_voxtree_destroy(ball) == FC_OK && fc_live_handles() == 0);
    FAILS(fc_voxtree_destroy(ball), FC_ERROR_INVALID_HANDLE, "tree");
    free(bytes);
    free(pairs);
    free(densities);
}

/* From a surface and its groups, and of objects: exact finest levels agree with the core query. */
static void surfaces_and_objects(void) {
    box_surface box = box_sides(2, 1.0f);
    mesh m = box_mesh(4, 1.0f);
    fc_asset_desc cook = describe(&m);
    fc_asset asset = {0};
    fc_object object = {0}, pieces[16];
    fc_fracture_desc fracture = random_cells(6, 1);
    fc_voxtree_desc desc;
    fc_voxtree_info info;
    fc_voxtree tree = {0}, exact[16], again = {0};
    fc_pose here = pose_at(0, 0, 0), beside;
    fc_contact core[64], found[64];
    uint32_t branching[2] = {4, 2}, made = 0, count = 0, core_count = 0, k, j, met = 0, like = 0;
    uint8_t *bytes;
    uint64_t size = 0;

    fc_voxtree_desc_default(&desc);
    fc_voxtree_info_default(&info);
    desc.positions = box.positions;
    desc.vertex_count = box.vertex_count;
    desc.triangles = box.triangles;
    desc.triangle_count = box.triangle_count;
    desc.cells = 16;
    desc.branching = branching;
    desc.branching_count = 2;
    CHECK(fc_voxtree_create(&desc, &tree) == FC_OK && fc_voxtree_get_info(tree, &info) == FC_OK);
    CHECK(info.level_count == 4 && info.group_count == 6 && info.node_count == 4096 + 64 + 8 + 1);
    CHECK(fc_voxtree_destroy(tree) == FC_OK);
    desc.group_angle = 0;
    CHECK(fc_voxtree_create(&desc, &tree) == FC_OK && fc_voxtree_get_info(tree, &info) == FC_OK && info.group_count == 1);
    CHECK(fc_voxtree_destroy(tree) == FC_OK);
    desc.group_angle = 30;
    desc.group_positions = box.positions;
    desc.group_vertex_count = box.vertex_count;
    desc.group_triangles = box.triangles;
    desc.group_triangle_count = 2 * 8; /* two sides only */
    CHECK(fc_voxtree_create(&desc, &tree) == FC_OK && fc_voxtree_get_info(tree, &info) == FC_OK && info.group_count == 2);
    CHECK(fc_voxtree_destroy(tree) == FC_OK);

    CHECK(fc_asset_create(&cook, &asset) == FC_OK && fc_object_create(asset, NULL, &object) == FC_OK);
    CHECK(fc_fracture(object, &fracture, pieces, 16, &made, NULL) == FC_OK && made >= 6);
    fc_voxtree_desc_default(&desc);
    desc.cells = 16;
    desc.flags = FC_VOXTREE_EXACT;
    for (k = 0; k < made; ++k) {
        CHECK(fc_voxtree_from_object(pieces[k], &desc, &exact[k]) == FC_OK);
        CHECK(fc_voxtree_get_info(exact[k], &info) == FC_OK && info.flags == FC_VOXTREE_EXACT);
    }
    for (k = 0; k < made; ++k)
        for (j = 0; j < k; ++j) {
            fc_query_desc full;
            uint32_t deepest = 0, i;
            fc_query_desc_default(&full);
            full.mode = FC_MODE_FULL;
            full.flags = FC_QUERY_SHORTEST_WAY;
            full.max_per_normal = 0;
            beside = pose_at(0.02, 0.03 * (j % 2 ? 1 : -1), 0.01 * (double)k);
            CHECK(fc_query_pair(pieces[k], &beside, pieces[j], &here, &full, core, 64, &core_count) >= 0);
            CHECK(fc_query_voxtrees(exact[k], &beside, exact[j], &here, NULL, NULL, found, 64, &count) >= 0);
            if (core_count == 0 || core[0].depth < 0.005f) continue;
            ++met;
            for (i = 1; i < count && i < 64; ++i) deepest = found[i].depth > found[deepest].depth ? i : deepest;
            like += count > 0 && fabsf(found[deepest].depth - core[0].depth) < 0.1f * core[0].depth;
        }
    CHECK(met > 3 && 10 * like >= 9 * met);
    printf("%u of %u pairs as deep as by the core query\n", (unsigned)like, (unsigned)met);

    /* Loaded with its object it is exact again, and outlives the object. */
    CHECK(fc_voxtree_save(exact[0], NULL, 0, &size) == FC_INCOMPLETE);
    bytes = (uint8_t *)malloc(size);
    CHECK(fc_voxtree_save(exact[0], bytes, size, &size) == FC_OK && fc_voxtree_load(bytes, size, pieces[0], &again) == FC_OK);
    CHECK(fc_voxtree_get_info(again, &info) == FC_OK && info.flags == FC_VOXTREE_EXACT);
    for (k = 0; k < made; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK);
    beside = pose_at(0.02, 0, 0);
    CHECK(fc_query_voxtrees(exact[1], &beside, exact[0], &here, NULL, NULL, core, 64, &core_count) >= 0);
    CHECK(fc_query_voxtrees(exact[1], &beside, again, &here, NULL, NULL, found, 64, &count) >= 0);
    CHECK(count == core_count && memcmp(core, found, count * sizeof(fc_contact)) == 0);
    FAILS(fc_voxtree_from_object(pieces[0], NULL, &tree), FC_ERROR_INVALID_HANDLE, "object");
    FAILS(fc_voxtree_load(bytes, size, pieces[0], &tree), FC_ERROR_INVALID_HANDLE, "object");
    free(bytes);
    CHECK(fc_shutdown(NULL) == FC_OK && fc_live_handles() == 0);
    free_mesh(&m);
    free_surface(&box);
}

#define BAD(change, status, words)                                                                                          \
    do {                                                                                                                    \
        fc_voxtree_desc bad = desc;                                                                                         \
        change;                                                                                                             \
        tree.id = 77;                                                                                                       \
        FAILS(fc_voxtree_create(&bad, &tree), status, words);                                                               \
        CHECK(tree.id == 77);                                                                                               \
    } while (0)

static void bad_input(void) {
    float densities[8] = {1, 1, 1, 1, 1, 1, 1, 1}, wrong[8] = {1, 1, 1, 1, 1, 1, 1, 1}, zeros[8] = {0};
    float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    uint32_t sides[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}, inward[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0}, one = 1;
    fc_voxtree_desc desc = describe_ball(densities, 2), surface;
    fc_voxtree tree = {0}, fine = {0};
    fc_pose here = pose_at(0, 0, 0), nowhere = pose_at(NAN, 0, 0);
    fc_contact contacts[4];
    fc_node_pair pairs[4];
    fc_refinement kept;
    fc_voxtree_query_desc how;
    fc_voxtree_info info;
    uint32_t count = 0;
    BAD(bad.density_count = 7, FC_ERROR_INVALID_ARGUMENT, "density_count is 7");
    BAD(bad.density_size[0] = 3, FC_ERROR_INVALID_ARGUMENT, "3 x 2 x 2");
    BAD(bad.density_size[0] = 0; bad.density_count = 0, FC_ERROR_INVALID_ARGUMENT, "empty");
    BAD(bad.density_size[0] = bad.density_size[1] = 0x10000, FC_ERROR_INVALID_ARGUMENT, "another number");
    BAD(bad.densities = NULL, FC_ERROR_INVALID_ARGUMENT, "neither");
    BAD(bad.densities = zeros, FC_ERROR_INVALID_ARGUMENT, "holds nothing");
    wrong[5] = NAN;
    BAD(bad.densities = wrong, FC_ERROR_INVALID_ARGUMENT, "densities[5] is NaN");
    wrong[5] = 1.5f;
    BAD(bad.densities = wrong, FC_ERROR_INVALID_ARGUMENT, "densities[5] is 1.5");
    BAD(bad.density_edge = 0, FC_ERROR_INVALID_ARGUMENT, "edge");
    BAD(bad.density_edge = NAN, FC_ERROR_INVALID_ARGUMENT, "edge");
    BAD(bad.density_origin[2] = INFINITY, FC_ERROR_INVALID_ARGUMENT, "density_origin");
    BAD(bad.flags = 2, FC_ERROR_INVALID_ARGUMENT, "flags");
    BAD(bad.flags = FC_VOXTREE_EXACT, FC_ERROR_INVALID_ARGUMENT, "fc_voxtree_from_object");
    BAD(bad.reserved = 1, FC_ERROR_INVALID_ARGUMENT, "reserved");
    BAD(bad.branching = &one; bad.branching_count = 1, FC_ERROR_INVALID_ARGUMENT, "branching");
    BAD(bad.branching_count = 3, FC_ERROR_INVALID_ARGUMENT, "branching");
    BAD(bad.branching = &one; bad.branching_count = 65, FC_ERROR_INVALID_ARGUMENT, "branching_count");
    BAD(bad.group_angle = NAN, FC_ERROR_INVALID_ARGUMENT, "group_angle");
    BAD(bad.positions = corners, FC_ERROR_INVALID_ARGUMENT, "and densities");
    BAD(bad.struct_size = 3, FC_ERROR_INVALID_ARGUMENT, "struct_size");
    surface = desc;
    surface.densities = NULL;
    surface.positions = corners;
    surface.vertex_count = 4;
    surface.triangles = sides;
    surface.triangle_count = 4;
    desc = surface;
    BAD(bad.triangles = NULL, FC_ERROR_INVALID_ARGUMENT, "triangles");
    BAD(bad.vertex_count = 3, FC_ERROR_INVALID_ARGUMENT, "triangles[1]");
    BAD(bad.triangles = inward, FC_ERROR_INVALID_ARGUMENT, "counter-clockwise");
    BAD(bad.cells = 0, FC_ERROR_INVALID_ARGUMENT, "cube");
    BAD(bad.cells = 0xffffffff, FC_ERROR_INVALID_ARGUMENT, "");
    BAD(bad.vertex_count = 0xffffffff, FC_ERROR_TOO_LARGE, "count");
    BAD(bad.position_stride = 5, FC_ERROR_INVALID_ARGUMENT, "stride");
    BAD(bad.group_positions = corners; bad.group_vertex_count = 4, FC_ERROR_INVALID_ARGUMENT, "no triangles");
    fc_voxtree_desc_init(NULL, 8);
    fc_voxtree_query_desc_init(NULL, 8);
    FAILS(fc_voxtree_create(NULL, &tree), FC_ERROR_INVALID_ARGUMENT, "desc is NULL");
    FAILS(fc_voxtree_create(&desc, NULL), FC_ERROR_INVALID_ARGUMENT, "tree is NULL");
    CHECK(fc_voxtree_create(&desc, &fine) == FC_OK);

    FAILS(fc_query_voxtrees(tree, &here, fine, &here, NULL, NULL, contacts, 4, &count), FC_ERROR_INVALID_HANDLE, "a");
    FAILS(fc_query_voxtrees(fine, &here, tree, &here, NULL, NULL, contacts, 4, &count), FC_ERROR_INVALID_HANDLE, "b");
    FAILS(fc_query_voxtrees(fine, &nowhere, fine, &here, NULL, NULL, contacts, 4, &count), FC_ERROR_INVALID_ARGUMENT, "pose_a");
    FAILS(fc_query_voxtrees(fine, &here, fine, NULL, NULL, NULL, contacts, 4, &count), FC_ERROR_INVALID_ARGUMENT, "pose_b");
    FAILS(fc_query_voxtrees(fine, &here, fine, &here, NULL, NULL, NULL, 4, &count), FC_ERROR_INVALID_ARGUMENT, "contacts");
    FAILS(fc_query_voxtrees(fine, &here, fine, &here, NULL, NULL, contacts, 4, NULL), FC_ERROR_INVALID_ARGUMENT, "count");
    fc_voxtree_query_desc_default(&how);
    how.flags = 64;
    FAILS(fc_query_voxtrees(fine, &here, fine, &here, &how, NULL, contacts, 4, &count), FC_ERROR_INVALID_ARGUMENT, "FC_VOXQUERY");
    how.flags = FC_VOXQUERY_ORIGIN;
    how.origin[1] = NAN;
    FAILS(fc_query_voxtrees(fine, &here, fine, &here, &how, NULL, contacts, 4, &count), FC_ERROR_INVALID_ARGUMENT, "origin");
    fc_refinement_default(&kept);
    kept.capacity = 4;
    FAILS(fc_query_voxtrees(fine, &here, fine, &here, NULL, &kept, contacts, 4, &count), FC_ERROR_INVALID_ARGUMENT, "refinement.pairs");
    kept.pairs = pairs;
    kept.tests = 5;
    kept.open_count = 3;
    kept.done_count = 2;
    FAILS(fc_query_voxtrees(fine, &here, fine, &here, NULL, &kept, contacts, 4, &count), FC_ERROR_INVALID_ARGUMENT, "room for 4");
    memset(&kept, 0, sizeof kept);
    FAILS(fc_query_voxtrees(fine, &here, fine, &here, NULL, &kept, contacts, 4, &count), FC_ERROR_INVALID_ARGUMENT, "fc_refinement_default");
    FAILS(fc_voxtree_get_info(fine, NULL), FC_ERROR_INVALID_ARGUMENT, "info is NULL");
    fc_voxtree_info_default(&info);
    FAILS(fc_voxtree_get_info(tree, &info), FC_ERROR_INVALID_HANDLE, "tree");
    FAILS(fc_draw_voxtree(tree, &here, NULL), FC_ERROR_INVALID_HANDLE, "tree");
    FAILS(fc_draw_refinement(fine, &here, fine, &here, NULL, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "refinement");
    CHECK(fc_voxtree_destroy(fine) == FC_OK);
}

/* Requests to the heap: a warm query has none, and each may fail. */
static long requests = 0, fail_at = 0, blocks = 0;
static void *take(size_t size, size_t alignment, void *user_data) {
    void *block;
    (void)user_data;
    if (++requests == fail_at) return NULL;
    block = take_aligned(size, alignment);
    if (block == NULL) return NULL;
    ++blocks;
    return block;
}
static void give_back(void *block, size_t size, size_t alignment, void *user_data) {
    (void)size, (void)alignment, (void)user_data;
    --blocks;
    give_aligned(block);
}

static int life(const float *densities) {
    fc_voxtree_desc desc = describe_ball(densities, 8);
    fc_voxtree tree = {0};
    fc_pose here = pose_at(0, 0, 0), above = pose_at(0, 0, 1.9);
    fc_contact contacts[64];
    uint32_t count = 0;
    int shortages = 0;
    fc_status status = fc_voxtree_create(&desc, &tree);
    if (status == FC_ERROR_OUT_OF_MEMORY) {
        ++shortages;
        CHECK(fc_voxtree_create(&desc, &tree) == FC_OK);
    }
    status = fc_query_voxtrees(tree, &above, tree, &here, NULL, NULL, contacts, 64, &count);
    if (status == FC_ERROR_OUT_OF_MEMORY) {
        ++shortages;
        status = fc_query_voxtrees(tree, &above, tree, &here, NULL, NULL, contacts, 64, &count);
    }
    CHECK(status == FC_OK && count > 0 && fc_voxtree_destroy(tree) == FC_OK);
    return shortages;
}

static void memory(void) {
    float *densities = ball_densities(8), *fine = ball_densities(24);
    fc_voxtree_desc desc = describe_ball(fine, 24);
    fc_voxtree tree = {0};
    fc_node_pair *pairs = (fc_node_pair *)malloc(3000 * sizeof(fc_node_pair));
    fc_contact contacts[64];
    fc_refinement kept;
    long all, before = 0, k;
    int pass, seed;
    CHECK(fc_shutdown(NULL) == FC_OK);
    CHECK(fc_set_allocator(take, give_back, NULL) == FC_OK);
    CHECK(life(densities) == 0);
    CHECK(fc_shutdown(NULL) == FC_OK && blocks == 0);
    all = requests;
    for (k = 1; k <= all; ++k) {
        requests = 0;
        fail_at = k;
        CHECK(fc_set_allocator(take, give_back, NULL) == FC_OK);
        CHECK(life(densities) == 1);
        fail_at = 0;
        CHECK(fc_shutdown(NULL) == FC_OK && blocks == 0);
    }
    CHECK(fc_set_allocator(take, give_back, NULL) == FC_OK && fc_voxtree_create(&desc, &tree) == FC_OK);
    for (pass = 0; pass < 2; ++pass) {
        before = requests;
        for (seed = 0; seed < 100; ++seed) {
            fc_pose here = pose_at(0, 0, 0), above = pose_at(0.01 * seed, 0, 1.7);
            fc_voxtree_query_desc how;
            uint32_t count;
            fc_voxtree_query_desc_default(&how);
            how.flags = (uint32_t)seed % 16 * 2;
            how.budget = seed % 3 ? (uint64_t)(seed * 50) : 0;
            how.level = seed % 5 ? FC_NONE : 3;
            fc_refinement_default(&kept);
            kept.pairs = pairs;
            kept.capacity = 3000;
            CHECK(fc_query_voxtrees(tree, &above, tree, &here, &how, seed % 2 ? &kept : NULL, contacts, 64, &count) >= 0);
        }
    }
    CHECK(requests == before);
    printf("%ld requests of a life, each failed once; none of warm queries\n", all);
    CHECK(fc_shutdown(NULL) == FC_OK && blocks == 0);
    free(pairs);
    free(densities);
    free(fine);
}

/* Kept refinements, options and densities of random bytes: a status, finite contacts, and no end of the world. */
static uint64_t random_state = 1;
static uint32_t random_bits(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33);
}

static void garbage(void) {
    float *densities = ball_densities(12);
    fc_voxtree_desc desc = describe_ball(densities, 12);
    fc_voxtree tree = {0};
    fc_node_pair pairs[200];
    fc_contact contacts[100];
    uint32_t round, k, count, accepted = 0;
    CHECK(fc_voxtree_create(&desc, &tree) == FC_OK);
    for (round = 0; round < 3000; ++round) {
        fc_pose here = pose_at(0, 0, 0), above = pose_at(0, 0.001 * (random_bits() % 1000), 1.5);
        fc_voxtree_query_desc how;
        fc_refinement kept;
        fc_status status;
        fc_voxtree_query_desc_default(&how);
        how.flags = random_bits() % 40;
        how.budget = random_bits() % 4 ? random_bits() % 3000 : 0;
        how.level = random_bits() % 4 ? FC_NONE : random_bits() % 9;
        fc_refinement_default(&kept);
        kept.pairs = pairs;
        kept.capacity = 200;
        kept.tests = random_bits() % 3 ? random_bits() : ~(uint64_t)(random_bits() % 9);
        kept.open_count = random_bits() % 150;
        kept.done_count = random_bits() % 150;
        kept.order = random_bits() % 3;
        kept.next = random_bits() % 2 ? 0xffffffff : random_bits();
        for (k = 0; k < 200; ++k) {
            pairs[k].nodes[0] = random_bits() % (random_bits() % 2 ? 2000 : 0x7fffffff);
            pairs[k].nodes[1] = random_bits() % 2000;
            pairs[k].key = random_bits() % 3 ? random_bits() : (uint64_t)random_bits() << 33 | random_bits();
        }
        count = 0;
        status = fc_query_voxtrees(tree, &above, tree, &here, &how, &kept, contacts, 100, &count);
        accepted += status >= 0;
        for (k = 0; status >= 0 && k < count && k < 100; ++k) {
            const fc_contact *c = &contacts[k];
            CHECK(isfinite(c->depth) && isfinite(c->point[0] + c->point[1] + c->point[2]));
            NEAR(c->normal[0] * c->normal[0] + c->normal[1] * c->normal[1] + c->normal[2] * c->normal[2], 1, 1e-4);
        }
        CHECK(status < 0 || kept.open_count + kept.done_count <= 200);
    }
    CHECK(accepted > 1000);
    for (round = 0; round < 500; ++round) {
        fc_voxtree_desc bad = desc;
        fc_voxtree other = {0};
        uint32_t at = random_bits() % (sizeof bad / 4);
        /* Numbers only: pointers and counts of what they point to are the caller's word. */
        if (at * 4 < offsetof(fc_voxtree_desc, density_size) && at > 1) continue;
        if (at * 4 >= offsetof(fc_voxtree_desc, branching_count) && at * 4 < offsetof(fc_voxtree_desc, group_angle)) continue;
        ((uint32_t *)&bad)[at] = random_bits() % 2 ? random_bits() : random_bits() % 8;
        if (at == 0 || bad.cells > 64) continue;
        if (fc_voxtree_create(&bad, &other) == FC_OK) CHECK(fc_voxtree_destroy(other) == FC_OK);
    }
    CHECK(fc_voxtree_destroy(tree) == FC_OK && fc_live_handles() == 0);
    free(densities);
}

int main(void) {
    balls();
    surfaces_and_objects();
    bad_input();
    memory();
    garbage();
    DONE("trees of cubes");
}
