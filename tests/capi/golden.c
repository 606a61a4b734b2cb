/* What the library computes, as hashes to be compared with golden.txt: the same bits on every platform (scripts/platforms runs it on
   each). A line that changes is explained in the commit that changes it; `out/cmake/tests/capi/golden > tests/capi/golden.txt`.

   This file computes no number with functions of the C library, and is compiled with -ffp-contract=off. */
#include "check.h"

static uint64_t hash;

/* FNV-1a. */
static void add(const void *bytes, size_t size) {
    size_t k;
    for (k = 0; k < size; ++k) hash = (hash ^ ((const uint8_t *)bytes)[k]) * 0x100000001b3u;
}

static void begin(void) { hash = 0xcbf29ce484222325u; }

/* The count is for who looks for a difference, and shows that something was hashed. */
static void line(const char *what, const char *of, uint32_t count) {
    printf("%-10s %-12s %6lu %08lx%08lx\n", of, what, (unsigned long)count, (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffffu));
}

enum { MANY = 1 << 16 };

static void *room(size_t size) {
    void *block = calloc(1, size);
    if (block == NULL) exit(1);
    return block;
}

static void saved_asset(fc_asset asset, const char *of) {
    uint64_t size = 0;
    uint8_t *bytes;
    CHECK(fc_asset_save(asset, NULL, 0, &size) == FC_INCOMPLETE);
    bytes = (uint8_t *)room(size);
    CHECK(fc_asset_save(asset, bytes, size, &size) == FC_OK);
    begin();
    add(bytes, size);
    line("asset", of, (uint32_t)size);
    free(bytes);
}

static void saved_objects(const fc_object *objects, uint32_t count, const char *of) {
    uint64_t size = 0;
    uint8_t *bytes;
    CHECK(fc_object_save(objects, count, NULL, 0, &size) == FC_INCOMPLETE);
    bytes = (uint8_t *)room(size);
    CHECK(fc_object_save(objects, count, bytes, size, &size) == FC_OK);
    begin();
    add(bytes, size);
    line("saved", of, (uint32_t)size);
    free(bytes);
}

/* Shares, volumes, centres and inertia, surfaces, drawings, neighbours. */
static void shapes_of(const fc_object *objects, uint32_t count, const char *of) {
    uint32_t k, total = 0;
    fc_adjacency *pairs = (fc_adjacency *)room(MANY * sizeof *pairs);
    float *positions = (float *)room(MANY * 3 * sizeof *positions);
    fc_triangle *triangles = (fc_triangle *)room(MANY * sizeof *triangles);
    fc_vertex *vertices = (fc_vertex *)room(MANY * sizeof *vertices);
    fc_drawn_triangle *drawn = (fc_drawn_triangle *)room(MANY * sizeof *drawn);
    begin();
    for (k = 0; k < count; ++k) {
        uint64_t state = 0;
        fc_mass mass;
        CHECK(fc_object_mass(objects[k], &mass) == FC_OK && fc_object_state_hash(objects[k], &state) == FC_OK);
        add(&mass, sizeof mass);
        add(&state, sizeof state);
    }
    line("masses", of, count);
    begin();
    for (k = 0; k < count; ++k) {
        uint32_t vertex_count = 0, triangle_count = 0;
        CHECK(fc_object_surface(objects[k], positions, MANY, &vertex_count, triangles, MANY, &triangle_count) == FC_OK);
        add(positions, 3 * vertex_count * sizeof *positions);
        add(triangles, triangle_count * sizeof *triangles);
        total += triangle_count;
    }
    line("surfaces", of, total);
    begin();
    for (k = 0, total = 0; k < count; ++k) {
        uint32_t vertex_count = 0, triangle_count = 0;
        CHECK(fc_object_drawing(objects[k], vertices, MANY, &vertex_count, drawn, MANY, &triangle_count, NULL) == FC_OK);
        add(vertices, vertex_count * sizeof *vertices);
        add(drawn, triangle_count * sizeof *drawn);
        total += triangle_count;
    }
    line("drawings", of, total);
    begin();
    CHECK(fc_object_adjacency(objects[0], pairs, MANY, &total) == FC_OK);
    add(pairs, total * sizeof *pairs);
    line("neighbours", of, total);
    free(pairs);
    free(positions);
    free(triangles);
    free(vertices);
    free(drawn);
}

/* Nearly in place: what was broken still touches. */
static fc_pose nudged(double x, double y, double z) {
    fc_pose pose = pose_at(x, y, z);
    pose.rotation[0] = 0.008f, pose.rotation[1] = -0.006f, pose.rotation[2] = 0.01f;
    return pose;
}

static fc_pose turned(double x, double y, double z) {
    fc_pose pose = {{0, 0, 0}, {0.48f, -0.36f, 0.64f, 0.48f}};
    pose.position[0] = x;
    pose.position[1] = y;
    pose.position[2] = z;
    return pose;
}

static double bowl(const double *point, double *outward, void *user_data) {
    (void)user_data;
    outward[0] = 0;
    outward[1] = 0.6;
    outward[2] = 0.8;
    return 0.6 * point[1] + 0.8 * point[2];
}

/* Contacts of all pairs, a little out of place: in every way there is to ask, and with memories that came into being on the way. */
static void contacts_of(const fc_object *objects, uint32_t count, const char *of) {
    static const uint32_t flags[] = {0, FC_QUERY_POINTS_ONLY, FC_QUERY_SHORTEST_WAY};
    static const float sides[6][4] = {{1, 0, 0, 0.3f}, {-1, 0, 0, 0.3f}, {0, 1, 0, 0.4f}, {0, -1, 0, 0.4f}, {0.6f, 0, 0.8f, 0.2f}, {0, 0, -1, 0.2f}};
    fc_contact *contacts = (fc_contact *)room(MANY * sizeof *contacts);
    fc_pair_memory *memories = (fc_pair_memory *)room(count * count * sizeof *memories);
    fc_hull hull = {0};
    uint32_t way, a, b, found, total = 0;
    CHECK(fc_hull_create(&sides[0][0], 6, 0, &hull) == FC_OK);
    for (way = 0; way < 5; ++way) {
        static const char *const names[] = {"contacts", "points", "shortest", "memories", "ahead"};
        begin();
        for (total = 0, a = 0; a < count; ++a)
            for (b = a + 1; b < count; ++b) {
                fc_motion motions[2] = {{{0, 0, -3}, {1, 2, 3}}, {{1, 0, 3}, {0, 0, -2}}};
                fc_pose at = a % 2 ? pose_at(0.01, -0.02, 0.015) : nudged(0.02, 0.01, 0), other = b % 3 ? pose_at(0, 0, 0) : nudged(0, 0, 0.01);
                uint32_t step;
                for (step = 0; step < (way == 3 ? 3u : 1u); ++step) {
                    fc_query_desc desc;
                    fc_query_desc_default(&desc);
                    if (way < 3) desc.flags = flags[way];
                    if (way == 3) desc.memories = &memories[a * count + b];
                    if (way == 4) desc.motions = motions, desc.seconds = 0.0625f;
                    at.position[2] -= 0.0078125 * step;
                    fc_status status = fc_query_pair(objects[a], &at, objects[b], &other, &desc, contacts, MANY, &found);
                    /* Looking ahead has a bound of its own. */
                    CHECK(status == FC_OK || (way == 4 && status == FC_INTERRUPTED));
                    add(contacts, found * sizeof *contacts);
                    total += found;
                }
            }
        line(names[way], of, total);
    }
    begin();
    for (total = 0, a = 0; a < count; ++a)
        for (b = FC_SHAPE_HALF_SPACE; b <= FC_SHAPE_FIELD; ++b) {
            fc_shape shape;
            fc_pose at = turned(0.1, 0.05, 0.1), other = pose_at(0.05, 0, -0.05);
            fc_shape_default(&shape);
            shape.kind = b;
            shape.half_extents[0] = 0.2f, shape.half_extents[1] = 0.3f, shape.half_extents[2] = 0.1f;
            shape.radius = 0.25f;
            shape.ends[1][0] = 0.5f;
            shape.hull = hull;
            shape.field = bowl;
            CHECK(fc_query_shape(objects[a], &at, &shape, &other, NULL, contacts, MANY, &found) == FC_OK);
            add(contacts, found * sizeof *contacts);
            total += found;
        }
    line("shapes", of, total);
    CHECK(fc_hull_destroy(hull) == FC_OK);
    free(contacts);
    free(memories);
}

/* Times of impact with rotation, distances, rays. */
static void motions_of(const fc_object *objects, uint32_t count, const char *of) {
    uint32_t a, b, total = 0;
    begin();
    for (a = 0; a < count; ++a)
        for (b = a + 1; b < count; ++b) {
            fc_pose start = turned(0.5, -2, 0.25), end = pose_at(-0.5, 2, 0), still = pose_at(0, 0, 0), far = turned(0, 0.125, 3);
            fc_sweep_hit hit = {0};
            fc_distance closest;
            fc_status status = fc_sweep_pair(objects[a], &start, &end, objects[b], &still, &still, NULL, &hit);
            CHECK(status == FC_OK || status == FC_NO_HIT);
            add(&hit, sizeof hit);
            total += status == FC_OK;
            CHECK(fc_distance_pair(objects[a], &far, objects[b], &still, 100, &closest) == FC_OK);
            add(&closest, sizeof closest);
        }
    line("sweeps", of, total);
    begin();
    for (total = 0, a = 0; a < count; ++a)
        for (b = 0; b < 16; ++b) {
            double origin[3] = {-2, 0, 0}, point[3] = {0, 0, 0}, distance;
            float direction[3] = {1, 0, 0}, outward[3];
            fc_pose at = turned(0, 0, 0);
            fc_ray_hit hit = {0};
            fc_status status;
            origin[1] = point[1] = 0.0625 * b - 0.5;
            direction[2] = 0.0625f * (float)b - 0.5f;
            status = fc_object_ray_cast(objects[a], &at, origin, direction, 10, &hit);
            CHECK(status == FC_OK || status == FC_NO_HIT);
            add(&hit, sizeof hit);
            total += status == FC_OK;
            CHECK(fc_object_signed_distance(objects[a], &at, point, &distance, outward) == FC_OK);
            add(&distance, sizeof distance);
            add(outward, sizeof outward);
        }
    line("rays", of, total);
}

static uint32_t broken(fc_object object, const fc_fracture_desc *how, fc_object *pieces, const char *of) {
    uint32_t count = 0;
    CHECK(fc_fracture(object, how, pieces, 64, &count, NULL) == FC_OK && count > 1);
    shapes_of(pieces, count, of);
    saved_objects(pieces, count, of);
    contacts_of(pieces, count, of);
    motions_of(pieces, count < 6 ? count : 6, of);
    return count;
}

static void destroy(const fc_object *objects, uint32_t count) {
    uint32_t k;
    for (k = 0; k < count; ++k) CHECK(fc_object_destroy(objects[k]) == FC_OK);
}

/* A box of tetrahedra under every pattern, and a piece of it again. */
static void of_tetrahedra(void) {
    mesh m = box_mesh(6, 1.0f);
    fc_asset_desc desc = describe(&m);
    fc_asset asset = {0};
    fc_object box = {0}, pieces[64], again[64];
    fc_fracture_desc how = random_cells(12, 7);
    uint32_t k, count, *labels = (uint32_t *)room(m.node_count * sizeof *labels);
    fc_node_gap *gaps = (fc_node_gap *)room(m.node_count * sizeof *gaps);
    static const float planes[2][4] = {{0.6f, 0.48f, 0.64f, 0.05f}, {-0.8f, 0.6f, 0, 0.1f}};

    desc.grid_cells = 32;
    CHECK(fc_asset_create(&desc, &asset) == FC_OK && fc_object_create(asset, NULL, &box) == FC_OK);
    saved_asset(asset, "box");

    count = broken(box, &how, pieces, "voronoi");
    how = random_cells(4, 3);
    destroy(again, broken(pieces[1], &how, again, "again"));
    destroy(pieces, count);

    how = random_cells(8, 5);
    how.roughness = 0.02f;
    how.min_volume_share = 0.01f;
    destroy(pieces, broken(box, &how, pieces, "rough"));

    how = random_cells(16, 11);
    how.pattern = FC_PATTERN_IMPACT;
    how.impact_point[0] = 0.5f;
    how.impact_direction[0] = -0.8f, how.impact_direction[1] = 0.6f;
    how.impact_radius = 0.4f;
    destroy(pieces, broken(box, &how, pieces, "impact"));

    fc_fracture_desc_default(&how);
    how.pattern = FC_PATTERN_PLANES;
    how.values = &planes[0][0];
    how.value_count = 2;
    destroy(pieces, broken(box, &how, pieces, "planes"));

    fc_fracture_desc_default(&how);
    how.pattern = FC_PATTERN_LABELS;
    for (k = 0; k < m.node_count; ++k) {
        float x = m.positions[3 * k] + 0.0625f;
        labels[k] = x > 0 ? 1 : 0;
        gaps[k].node = k;
        gaps[k].opponent = 1 - labels[k];
        gaps[k].gap = x > 0 ? x : -x;
    }
    how.labels = labels;
    how.label_count = m.node_count;
    how.gaps = gaps;
    how.gap_count = m.node_count;
    destroy(pieces, broken(box, &how, pieces, "labels"));

    CHECK(fc_object_destroy(box) == FC_OK && fc_asset_release(asset) == FC_OK);
    free(labels);
    free(gaps);
    free_mesh(&m);
}

/* A surface filled with tetrahedra, and drawn: curved, so that it is cut at all angles. */
static void of_a_surface(void) {
    box_surface s = box_sides(6, 1.0f);
    fc_asset_desc desc;
    fc_asset asset = {0};
    fc_object body = {0}, pieces[64];
    fc_fracture_desc how = random_cells(8, 2);
    uint32_t k;
    for (k = 0; k < s.vertex_count; ++k) {
        float *at = &s.positions[3 * k], bulge = 1.5f - (at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        at[0] = at[0] * bulge, at[1] = at[1] * bulge, at[2] = at[2] * bulge;
    }
    desc = describe_surface(&s);
    CHECK(fc_asset_create(&desc, &asset) == FC_OK && fc_object_create(asset, NULL, &body) == FC_OK);
    saved_asset(asset, "surface");
    destroy(pieces, broken(body, &how, pieces, "filled"));
    CHECK(fc_object_destroy(body) == FC_OK && fc_asset_release(asset) == FC_OK);

    desc.flags |= FC_ASSET_MEET_SURFACE;
    CHECK(fc_asset_create(&desc, &asset) == FC_OK);
    saved_asset(asset, "met");
    CHECK(fc_asset_release(asset) == FC_OK);
    free_surface(&s);
}

/* Two soft bodies, and trees of cubes. */
static void of_others(void) {
    mesh m = box_mesh(4, 1.0f);
    fc_soft_desc desc = describe_soft(&m);
    fc_soft softs[2] = {{0}, {0}};
    fc_penalty *penalties = (fc_penalty *)room(MANY * sizeof *penalties);
    fc_contact *contacts = (fc_contact *)room(1024 * sizeof *contacts);
    fc_asset asset = cook_box(4, 1.0f);
    fc_object box = {0};
    fc_voxtree_desc tree_desc;
    fc_voxtree tree = {0};
    fc_pose at = turned(0.8125, 0.125, 0.0625), still = pose_at(0, 0, 0);
    uint64_t size = 0;
    uint32_t k, count = 0;
    uint8_t *bytes;

    CHECK(fc_soft_create(&desc, &softs[0]) == FC_OK);
    for (k = 0; k < m.node_count; ++k) {
        m.positions[3 * k] += 0.75f + 0.125f * m.positions[3 * k + 1];
        m.positions[3 * k + 1] += 0.1875f;
    }
    CHECK(fc_soft_create(&desc, &softs[1]) == FC_OK);
    CHECK(fc_query_soft_pair(softs[0], softs[1], NULL, penalties, MANY, &count) == FC_OK);
    begin();
    add(penalties, count * sizeof *penalties);
    line("penalties", "soft", count);

    CHECK(fc_object_create(asset, NULL, &box) == FC_OK);
    fc_voxtree_desc_default(&tree_desc);
    tree_desc.cells = 16;
    CHECK(fc_voxtree_from_object(box, &tree_desc, &tree) == FC_OK);
    CHECK(fc_voxtree_save(tree, NULL, 0, &size) == FC_INCOMPLETE);
    bytes = (uint8_t *)room(size);
    CHECK(fc_voxtree_save(tree, bytes, size, &size) == FC_OK);
    begin();
    add(bytes, size);
    line("saved", "tree", (uint32_t)size);
    CHECK(fc_query_voxtrees(tree, &at, tree, &still, NULL, NULL, contacts, 1024, &count) == FC_OK);
    begin();
    add(contacts, count * sizeof *contacts);
    line("contacts", "tree", count);

    CHECK(fc_voxtree_destroy(tree) == FC_OK && fc_object_destroy(box) == FC_OK && fc_asset_release(asset) == FC_OK);
    CHECK(fc_soft_destroy(softs[0]) == FC_OK && fc_soft_destroy(softs[1]) == FC_OK);
    free(bytes);
    free(penalties);
    free(contacts);
    free_mesh(&m);
}

/* A sheet in another: proximities, overlaps, the first impact. */
static void of_scenes(void) {
    fc_scene scene = {0};
    sheet lower = flat_sheet(8, 1.0f, 0, 0, 0), upper = flat_sheet(8, 1.0f, 0.0625f, 0.125f, 0.03125f);
    fc_proximity *found = (fc_proximity *)room(MANY * sizeof *found);
    fc_impact impact = {0};
    fc_status status;
    fc_body body;
    uint32_t k, count = 0;
    CHECK(fc_scene_create(NULL, &scene) == FC_OK);
    add_sheet(scene, &lower);
    for (k = 0; k < upper.vertex_count; ++k) upper.positions[3 * k + 2] += 0.125f * upper.positions[3 * k] * upper.positions[3 * k + 1];
    body = add_sheet(scene, &upper);
    CHECK(fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
    CHECK(fc_scene_query_proximity(scene, 0.0625, found, MANY, &count) == FC_OK);
    begin();
    add(found, count * sizeof *found);
    line("proximity", "scene", count);
    shift(&upper, 0.03125f, 0, -0.25f);
    CHECK(fc_scene_move(scene, body, upper.positions, upper.vertex_count, 0) == FC_OK && fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
    status = fc_scene_first_impact(scene, NULL, &impact);
    CHECK(status == FC_OK || status == FC_NO_HIT);
    begin();
    add(&impact, sizeof impact);
    line("impact", "scene", status == FC_OK);
    CHECK(fc_scene_destroy(scene) == FC_OK);
    free_sheet(&lower);
    free_sheet(&upper);
    free(found);
}

int main(void) {
    of_tetrahedra();
    of_a_surface();
    of_others();
    of_scenes();
    CHECK(fc_live_handles() == 0);
    return failures != 0;
}
