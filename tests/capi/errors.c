/* Every way in which a call can be wrong is answered with a status and a sentence, and changes nothing. */
#include "check.h"

static const fc_asset NO_ASSET = {0};
static const fc_object NO_OBJECT = {0};

static void convex_errors(fc_object object) {
    fc_convex_desc desc;
    fc_convex_part part;
    float xyz[3];
    uint32_t corners[3], parts = 7, vertices = 7, triangles = 7;
#define CONVEX(object, desc, p, x, t, np, nx, nt) fc_object_convex_parts(object, desc, p, 1, np, x, 1, nx, t, 1, nt)
    FAILS(CONVEX(NO_OBJECT, NULL, &part, xyz, corners, &parts, &vertices, &triangles), FC_ERROR_INVALID_HANDLE, "object is");
    FAILS(CONVEX(object, NULL, NULL, xyz, corners, &parts, &vertices, &triangles), FC_ERROR_INVALID_ARGUMENT, "parts is NULL");
    FAILS(CONVEX(object, NULL, &part, NULL, corners, &parts, &vertices, &triangles), FC_ERROR_INVALID_ARGUMENT, "positions is NULL");
    FAILS(CONVEX(object, NULL, &part, xyz, NULL, &parts, &vertices, &triangles), FC_ERROR_INVALID_ARGUMENT, "triangles is NULL");
    FAILS(CONVEX(object, NULL, &part, xyz, corners, NULL, &vertices, &triangles), FC_ERROR_INVALID_ARGUMENT, "part_count is NULL");
    FAILS(CONVEX(object, NULL, &part, xyz, corners, &parts, NULL, &triangles), FC_ERROR_INVALID_ARGUMENT, "vertex_count is NULL");
    FAILS(CONVEX(object, NULL, &part, xyz, corners, &parts, &vertices, NULL), FC_ERROR_INVALID_ARGUMENT, "triangle_count is NULL");
    fc_convex_desc_default(&desc);
    desc.max_parts = 65;
    FAILS(CONVEX(object, &desc, &part, xyz, corners, &parts, &vertices, &triangles), FC_ERROR_INVALID_ARGUMENT, "max_parts is 65");
    fc_convex_desc_default(&desc);
    desc.max_points = 3;
    FAILS(CONVEX(object, &desc, &part, xyz, corners, &parts, &vertices, &triangles), FC_ERROR_INVALID_ARGUMENT, "max_points is 3");
    fc_convex_desc_default(&desc);
    desc.excess = -1;
    FAILS(CONVEX(object, &desc, &part, xyz, corners, &parts, &vertices, &triangles), FC_ERROR_INVALID_ARGUMENT, "excess is -1");
    CHECK(parts == 7 && vertices == 7 && triangles == 7);
    CHECK(CONVEX(object, NULL, &part, xyz, corners, &parts, &vertices, &triangles) == FC_INCOMPLETE);
    CHECK(parts >= 1 && part.vertex_count <= vertices && part.first_vertex == 0 && vertices >= 4 && triangles >= 4);
}

static void handles(void) {
    fc_asset asset = cook_box(2, 1.0f);
    fc_object object = {0}, other = {0}, foreign;
    fc_hull hull = {0};
    fc_asset_info asset_info;
    fc_object_info info;
    fc_pose here = pose_at(0, 0, 0);
    fc_query_desc desc;
    fc_fracture_desc how = random_cells(3, 1);
    fc_shape shape;
    fc_debug_draw draw;
    fc_aabb box;
    fc_mass mass;
    fc_ray_hit hit;
    fc_feature feature;
    fc_adjacency adjacency[1];
    fc_sweep_hit swept;
    fc_distance closest;
    double point[3] = {0, 0, 0}, distance;
    float x[3] = {1, 0, 0}, planes[4] = {1, 0, 0, 1};
    uint64_t number;
    uint32_t count = 123, k;
    fc_asset_info_default(&asset_info);
    fc_object_info_default(&info);
    fc_query_desc_default(&desc);
    fc_debug_draw_default(&draw);
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_BALL;
    shape.radius = 1;

    CHECK(fc_object_create(asset, NULL, &object) == FC_OK && fc_object_create(asset, NULL, &other) == FC_OK);
    CHECK(fc_object_destroy(object) == FC_OK);
    FAILS(fc_object_destroy(object), FC_ERROR_INVALID_HANDLE, "was destroyed");
    FAILS(fc_object_destroy(NO_OBJECT), FC_ERROR_INVALID_HANDLE, "null handle");
    /* Stale, null, an asset in disguise, garbage: for every call that takes an object. */
    for (k = 0; k < 5; ++k) {
        foreign = object;
        if (k == 1) foreign = NO_OBJECT;
        if (k == 2) foreign.id = asset.id;
        if (k == 3) foreign.id = ~(uint64_t)0;
        if (k == 4) foreign.id = other.id + 1000;
        FAILS(fc_object_get_info(foreign, &info), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_get_memory(foreign, NULL), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_prepare(foreign), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_get_planes(foreign, NULL, 0, &count), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_set_user_data(foreign, 1), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_get_user_data(foreign, &number), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_bounds(foreign, NULL, &box), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_mass(foreign, &mass), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_adjacency(foreign, adjacency, 1, &count), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_surface(foreign, NULL, 0, &count, NULL, 0, &count), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_drawing(foreign, NULL, 0, &count, NULL, 0, &count, NULL), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_signed_distance(foreign, &here, point, &distance, NULL), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_ray_cast(foreign, &here, point, x, 1, &hit), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_feature(foreign, 0, &feature), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_object_state_hash(foreign, &number), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_fracture(foreign, &how, NULL, 0, &count, NULL), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_fracture_bound(foreign, &how, &count), FC_ERROR_INVALID_HANDLE, "object");
        FAILS(fc_query_pair(foreign, &here, other, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_HANDLE, "a is");
        FAILS(fc_query_pair(other, &here, foreign, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_HANDLE, "b is");
        FAILS(fc_query_shape(foreign, &here, &shape, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_HANDLE, "a is");
        FAILS(fc_sweep_pair(foreign, &here, &here, other, &here, &here, NULL, &swept), FC_ERROR_INVALID_HANDLE, "a is");
        FAILS(fc_sweep_pair(other, &here, &here, foreign, &here, &here, NULL, &swept), FC_ERROR_INVALID_HANDLE, "b is");
        FAILS(fc_sweep_shape(foreign, &here, &here, &shape, &here, &here, NULL, &swept), FC_ERROR_INVALID_HANDLE, "a is");
        FAILS(fc_distance_pair(foreign, &here, other, &here, 1, &closest), FC_ERROR_INVALID_HANDLE, "a is");
        FAILS(fc_distance_pair(other, &here, foreign, &here, 1, &closest), FC_ERROR_INVALID_HANDLE, "b is");
        FAILS(fc_distance_shape(foreign, &here, &shape, &here, 1, &closest), FC_ERROR_INVALID_HANDLE, "a is");
        FAILS(fc_draw_object(foreign, &here, &draw), FC_ERROR_INVALID_HANDLE, "object");
    }
    CHECK(count == 123); /* outputs only on success */
    {
        fc_asset disguised;
        disguised.id = other.id;
        FAILS(fc_asset_release(disguised), FC_ERROR_INVALID_HANDLE, "not an asset");
        FAILS(fc_asset_release(NO_ASSET), FC_ERROR_INVALID_HANDLE, "null handle");
        FAILS(fc_asset_get_info(disguised, &asset_info), FC_ERROR_INVALID_HANDLE, "not an asset");
        FAILS(fc_asset_skin(disguised, NULL, 0, &count), FC_ERROR_INVALID_HANDLE, "not an asset");
        FAILS(fc_object_create(disguised, NULL, &object), FC_ERROR_INVALID_HANDLE, "not an asset");
    }
    FAILS(fc_hull_destroy(hull), FC_ERROR_INVALID_HANDLE, "null handle");
    FAILS(fc_hull_create(planes, 1, 0, &hull), FC_ERROR_INVALID_ARGUMENT, "no end");
    FAILS(fc_hull_create(NULL, 1, 0, &hull), FC_ERROR_INVALID_ARGUMENT, "planes is NULL");
    FAILS(fc_hull_create(planes, 0, 0, &hull), FC_ERROR_INVALID_ARGUMENT, "enclose nothing");
    FAILS(fc_hull_create(planes, 1, 4, &hull), FC_ERROR_INVALID_ARGUMENT, "stride");
    FAILS(fc_hull_create(planes, 1, 0, NULL), FC_ERROR_INVALID_ARGUMENT, "hull is NULL");
    planes[0] = NAN;
    FAILS(fc_hull_create(planes, 1, 0, &hull), FC_ERROR_INVALID_ARGUMENT, "planes[0]");
    shape.kind = FC_SHAPE_HULL;
    FAILS(fc_query_shape(other, &here, &shape, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_HANDLE, "shape.hull");
    CHECK(fc_asset_release(asset) == FC_OK);
    FAILS(fc_asset_release(asset), FC_ERROR_INVALID_HANDLE, "was destroyed");
    FAILS(fc_object_create(asset, NULL, &object), FC_ERROR_INVALID_HANDLE, "was destroyed");
    CHECK(fc_object_destroy(other) == FC_OK);
}

static void meshes(void) {
    mesh m = box_mesh(2, 1.0f);
    fc_asset_desc desc = describe(&m), bad;
    fc_asset asset = {0};
    uint32_t twice[8];
    FAILS(fc_asset_create(NULL, &asset), FC_ERROR_INVALID_ARGUMENT, "desc is NULL");
    FAILS(fc_asset_create(&desc, NULL), FC_ERROR_INVALID_ARGUMENT, "asset is NULL");
#define BAD(change, status, words) \
    do { bad = desc; change; FAILS(fc_asset_create(&bad, &asset), (status), (words)); } while (0)
    BAD(bad.struct_size = 0, FC_ERROR_INVALID_ARGUMENT, "fc_asset_desc_default()");
    BAD(bad.struct_size = 1u << 20, FC_ERROR_INVALID_ARGUMENT, "struct_size");
    BAD(bad.positions = NULL, FC_ERROR_INVALID_ARGUMENT, "desc.positions is NULL");
    BAD(bad.tets = NULL, FC_ERROR_INVALID_ARGUMENT, "desc.tets is NULL");
    BAD(bad.tet_count = 0, FC_ERROR_INVALID_MESH, "no tetrahedra");
    BAD(bad.triangle_count = 1, FC_ERROR_INVALID_ARGUMENT, "give one of them");
    BAD(bad.flags = FC_ASSET_KEEP_SURFACE, FC_ERROR_INVALID_ARGUMENT, "has no triangles");
    BAD(bad.flags = 10, FC_ERROR_INVALID_ARGUMENT, "desc.flags is 0xa");
    BAD(bad.reserved_2 = 1, FC_ERROR_INVALID_ARGUMENT, "reserved");
    BAD(bad.reserved_3 = 1, FC_ERROR_INVALID_ARGUMENT, "reserved");
    BAD(bad.tet_count = 0xffffffffu, FC_ERROR_TOO_LARGE, "at most");
    BAD(bad.node_count = 0xffffffffu, FC_ERROR_TOO_LARGE, "at most");
    BAD(bad.node_count = 5, FC_ERROR_INVALID_MESH, "there are 5 nodes");
    BAD(bad.position_stride = 8, FC_ERROR_INVALID_ARGUMENT, "stride of 8");
    BAD(bad.tet_stride = 4, FC_ERROR_INVALID_ARGUMENT, "stride of 4");
    BAD(bad.density = 0, FC_ERROR_INVALID_ARGUMENT, "density is 0");
    BAD(bad.density = NAN, FC_ERROR_INVALID_ARGUMENT, "density is NaN");
    BAD(bad.density = INFINITY, FC_ERROR_INVALID_ARGUMENT, "density is inf");
    BAD(bad.grid_cells = 0, FC_ERROR_INVALID_ARGUMENT, "cells");
    BAD(bad.grid_cells = 1u << 30, FC_ERROR_INVALID_ARGUMENT, "cells");
    BAD(bad.reserved = 1, FC_ERROR_INVALID_ARGUMENT, "reserved");
    m.positions[17] = NAN;
    BAD((void)0, FC_ERROR_INVALID_MESH, "NaN]; coordinates must be finite and at most 1e12 m");
    m.positions[17] = INFINITY;
    BAD((void)0, FC_ERROR_INVALID_MESH, "positions[5]");
    m.positions[17] = 1e13f;
    BAD((void)0, FC_ERROR_INVALID_MESH, "at most 1e12 m");
    m.positions[17] = 0.0f;
    memcpy(twice, m.tets, 4 * sizeof *twice);
    memcpy(twice + 4, m.tets, 4 * sizeof *twice);
    BAD((bad.tets = twice, bad.tet_count = 2), FC_ERROR_INVALID_MESH, "same four nodes");
    twice[1] = twice[0];
    BAD((bad.tets = twice, bad.tet_count = 1), FC_ERROR_INVALID_MESH, "twice");
    {
        box_surface s = box_sides(3, 1.0f);
        uint32_t last = s.triangles[5];
        desc = describe_surface(&s);
        BAD(bad.positions = NULL, FC_ERROR_INVALID_ARGUMENT, "desc.positions is NULL");
        BAD(bad.triangles = NULL, FC_ERROR_INVALID_ARGUMENT, "desc.triangles is NULL");
        BAD(bad.triangle_stride = 8, FC_ERROR_INVALID_ARGUMENT, "desc.triangles has a stride of 8");
        BAD(bad.triangle_count = 0xffffffffu, FC_ERROR_TOO_LARGE, "at most");
        BAD(bad.uv_stride = 4, FC_ERROR_INVALID_ARGUMENT, "desc.uvs has a stride of 4");
        BAD(bad.material_stride = 2, FC_ERROR_INVALID_ARGUMENT, "desc.materials has a stride of 2");
        BAD((bad.normals = s.positions, bad.normal_stride = 4), FC_ERROR_INVALID_ARGUMENT, "desc.normals has a stride of 4");
        BAD(bad.fill_edge = -1, FC_ERROR_INVALID_ARGUMENT, "fill_edge is -1");
        BAD(bad.fill_edge = NAN, FC_ERROR_INVALID_ARGUMENT, "fill_edge is NaN");
        BAD(bad.fill_coarsening = 0.5f, FC_ERROR_INVALID_ARGUMENT, "fill_coarsening is 0.5");
        BAD(bad.fill_sharp_angle = INFINITY, FC_ERROR_INVALID_ARGUMENT, "fill_sharp_angle is inf");
        s.triangles[5] = 999;
        BAD((void)0, FC_ERROR_INVALID_MESH, "triangles[1] of the drawing mesh names vertex 999");
        BAD(bad.flags = 0, FC_ERROR_INVALID_MESH, "999");
        s.triangles[5] = last;
        s.uvs[3] = NAN;
        BAD((void)0, FC_ERROR_INVALID_MESH, "uvs[1]");
        s.uvs[3] = 0;
        s.positions[4] = 1e13f;
        BAD((void)0, FC_ERROR_INVALID_MESH, "positions[1]");
        free_surface(&s);
        /* One side alone is a sheet, five are a box without a lid. */
        s = box_sides(3, 1.0f);
        desc = describe_surface(&s);
        BAD(bad.triangle_count = 18, FC_ERROR_INVALID_MESH, "1 holes too large to tell inside from outside (12 edges");
        BAD(bad.triangle_count = 90, FC_ERROR_INVALID_MESH, "1 holes too large to tell inside from outside (12 edges");
        free_surface(&s);
    }
#undef BAD
    CHECK(asset.id == 0 && fc_live_handles() == 0);
    free_mesh(&m);
}

static void descriptors(void) {
    /* A program of the past knows fewer fields, one of the future more. */
    struct { fc_query_desc desc; uint32_t more[4]; } newer;
    fc_query_desc older;
    fc_asset asset = cook_box(3, 1.0f);
    fc_object a = {0};
    fc_pose here = pose_at(0, 0, 0), up = pose_at(0, 0, 0.99);
    fc_contact expected[32], got[32];
    fc_object_info short_info;
    uint32_t count = 0, other = 0;
    CHECK(fc_object_create(asset, NULL, &a) == FC_OK);
    CHECK(fc_query_pair(a, &up, a, &here, NULL, expected, 32, &count) == FC_OK && count > 0);

    memset(&older, 0xee, sizeof older);
    fc_query_desc_init(&older, 16);
    CHECK(older.struct_size == 16 && older.target_contacts == 8 && older.max_contacts == 0xeeeeeeeeu);
    CHECK(fc_query_pair(a, &up, a, &here, &older, got, 32, &other) == FC_OK && other == count);
    CHECK(memcmp(got, expected, count * sizeof *got) == 0);

    memset(&newer, 0xee, sizeof newer);
    fc_query_desc_init(&newer.desc, sizeof newer);
    CHECK(newer.desc.struct_size == sizeof newer && newer.more[0] == 0 && newer.more[3] == 0);
    CHECK(fc_query_pair(a, &up, a, &here, &newer.desc, got, 32, &other) == FC_OK && other == count);
    CHECK(memcmp(got, expected, count * sizeof *got) == 0);
    newer.more[2] = 1;
    FAILS(fc_query_pair(a, &up, a, &here, &newer.desc, got, 32, &other), FC_ERROR_UNSUPPORTED, "update it");

    memset(&short_info, 0xee, sizeof short_info);
    short_info.struct_size = 16;
    CHECK(fc_object_get_info(a, &short_info) == FC_OK);
    CHECK(short_info.struct_size == 16 && short_info.is_fragment == 0 && short_info.node_count == 0xeeeeeeeeu);
    short_info.struct_size = 4;
    FAILS(fc_object_get_info(a, &short_info), FC_ERROR_INVALID_ARGUMENT, "fc_object_info_default()");

    /* Nothing happens without room for a size. */
    fc_asset_desc_init(NULL, 8);
    fc_object_desc_init(NULL, 8);
    fc_convex_desc_init(NULL, 8);
    fc_fracture_desc_init(NULL, 8);
    fc_shape_init(NULL, 8);
    fc_debug_draw_init(NULL, 8);
    fc_query_desc_init(NULL, 8);
    fc_sweep_desc_init(NULL, 8);
    fc_scene_desc_init(NULL, 8);
    fc_body_mesh_init(NULL, 8);
    fc_body_desc_init(NULL, 8);
    fc_ccd_desc_init(NULL, 8);
    memset(&older, 0xee, sizeof older);
    fc_query_desc_init(&older, 4);
    CHECK(older.struct_size == 0xeeeeeeeeu);
    CHECK(fc_object_destroy(a) == FC_OK && fc_asset_release(asset) == FC_OK);
}

/* Scenes: the handle, each argument, and the time. */
static void scenes(void) {
    static const fc_scene NO_SCENE = {0};
    const double nowhere[12] = {0}, high[12] = {0, 0, NAN};
    sheet s = flat_sheet(2, 1.0f, 0, 0, 0), other = flat_sheet(2, 1.0f, 5, 0, 0);
    fc_asset asset = cook_box(2, 1.0f);
    fc_object object = {0};
    fc_scene scene = {0}, foreign, empty = {0};
    fc_scene_desc desc;
    fc_scene_info info;
    fc_scene_stats stats;
    fc_body_desc how;
    fc_body_mesh mesh = describe_sheet(&s), bad, parts[2];
    fc_body body = {77}, second = {0}, gone = {0}, two[2], out[2];
    fc_ccd_desc ccd;
    fc_overlap pair;
    fc_impact impact;
    fc_proximity near;
    fc_scene_contact contact;
    fc_scene_hit hit;
    fc_debug_draw draw;
    fc_pose here = pose_at(0, 0, 0), off = pose_at(NAN, 0, 0);
    double origin[3] = {0, 0, 1}, time = 7;
    float down[3] = {0, 0, -1}, value;
    uint32_t count = 123, labels[8] = {0, 0, 0, 0, 1, 1, 1, 1}, k, index;
    fc_scene_desc_default(&desc);
    fc_scene_info_default(&info);
    fc_scene_stats_default(&stats);
    fc_body_desc_default(&how);
    fc_ccd_desc_default(&ccd);
    fc_debug_draw_default(&draw);
    CHECK(fc_object_create(asset, NULL, &object) == FC_OK);

    /* Options. */
    FAILS(fc_scene_create(NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "scene is NULL");
#define BAD_SCENE(change, words) \
    do { fc_scene_desc_default(&desc); change; FAILS(fc_scene_create(&desc, &scene), FC_ERROR_INVALID_ARGUMENT, (words)); } while (0)
    BAD_SCENE(desc.struct_size = 0, "fc_scene_desc_default()");
    BAD_SCENE(desc.cones = 4, "desc.cones is 4");
    BAD_SCENE(desc.origin[1] = NAN, "desc.origin");
    BAD_SCENE(desc.origin[1] = 1e19, "desc.origin");
    BAD_SCENE(desc.restructuring = NAN, "desc.restructuring is NaN");
    BAD_SCENE(desc.restructuring = -1, "desc.restructuring is -1");
    BAD_SCENE(desc.reserved = 1, "desc.reserved is 1");
    CHECK(scene.id == 0 && fc_scene_create(NULL, &scene) == FC_OK && fc_scene_create(NULL, &empty) == FC_OK);
    CHECK(fc_scene_destroy(empty) == FC_OK);
    FAILS(fc_scene_destroy(empty), FC_ERROR_INVALID_HANDLE, "scene that was destroyed");

    /* Stale, null, an object in disguise, garbage. */
    for (k = 0; k < 4; ++k) {
        foreign = empty;
        if (k == 1) foreign = NO_SCENE;
        if (k == 2) foreign.id = object.id;
        if (k == 3) foreign.id = ~(uint64_t)0;
        FAILS(fc_scene_destroy(foreign), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_update(foreign, 0), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_get_info(foreign, &info), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_add(foreign, &mesh, NULL, &body), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_add_object(foreign, object, &here, NULL, &body), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_add_drawing(foreign, object, &here, NULL, &body), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_delete(foreign, body), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_split(foreign, body, &mesh, 1, out), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_split_by_labels(foreign, body, labels, 8, out, 2, &count), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_merge(foreign, &body, 1, NULL, out), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_move(foreign, body, s.positions, 9, 0), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_move_double(foreign, body, nowhere, 4, 0), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_query_discrete(foreign, 0, &pair, 1, &count), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_query_continuous(foreign, NULL, &impact, 1, &count), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_first_impact(foreign, NULL, &impact), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_query_proximity(foreign, 1, &near, 1, &count), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_query_object(foreign, object, &here, 0, 1, &contact, 1, &count), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_scene_ray_cast(foreign, origin, down, 1, 1, &hit), FC_ERROR_INVALID_HANDLE, "scene");
        FAILS(fc_draw_scene(foreign, &draw), FC_ERROR_INVALID_HANDLE, "scene");
    }

    /* Meshes. */
    FAILS(fc_scene_add(scene, NULL, NULL, &body), FC_ERROR_INVALID_ARGUMENT, "mesh is NULL");
    FAILS(fc_scene_add(scene, &mesh, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "body is NULL");
#define BAD_MESH(change, status, words) \
    do { bad = mesh; change; FAILS(fc_scene_add(scene, &bad, NULL, &body), (status), (words)); } while (0)
    BAD_MESH(bad.struct_size = 7, FC_ERROR_INVALID_ARGUMENT, "fc_body_mesh_default()");
    BAD_MESH(bad.struct_size = 1u << 20, FC_ERROR_INVALID_ARGUMENT, "mesh.struct_size");
    BAD_MESH(bad.positions = NULL, FC_ERROR_INVALID_ARGUMENT, "mesh.positions is NULL");
    BAD_MESH(bad.positions_double = nowhere, FC_ERROR_INVALID_ARGUMENT, "give one of them");
    BAD_MESH(bad.triangles = NULL, FC_ERROR_INVALID_ARGUMENT, "mesh.triangles is NULL");
    BAD_MESH(bad.position_stride = 8, FC_ERROR_INVALID_ARGUMENT, "mesh.positions has a stride of 8");
    BAD_MESH((bad.positions = NULL, bad.positions_double = nowhere, bad.vertex_count = 4, bad.position_stride = 12),
             FC_ERROR_INVALID_ARGUMENT, "mesh.positions_double has a stride of 12");
    BAD_MESH(bad.triangle_stride = 8, FC_ERROR_INVALID_ARGUMENT, "mesh.triangles has a stride of 8");
    BAD_MESH((bad.sources = labels, bad.source_stride = 2), FC_ERROR_INVALID_ARGUMENT, "mesh.sources has a stride of 2");
    BAD_MESH(bad.vertex_count = 0xffffffffu, FC_ERROR_TOO_LARGE, "4294967295 vertices");
    BAD_MESH(bad.triangle_count = 1u << 30, FC_ERROR_TOO_LARGE, "1073741824 triangles");
    BAD_MESH(bad.triangle_count = 0, FC_ERROR_INVALID_MESH, "at least one triangle");
    BAD_MESH(bad.vertex_count = 8, FC_ERROR_INVALID_MESH, "has the vertex 8; there are 8");
    index = s.triangles[5];
    s.triangles[5] = s.triangles[4];
    BAD_MESH((void)0, FC_ERROR_INVALID_MESH, "uses a vertex twice");
    s.triangles[5] = index;
    value = s.positions[10];
    s.positions[10] = NAN;
    BAD_MESH((void)0, FC_ERROR_INVALID_ARGUMENT, "positions[3] is");
    s.positions[10] = -INFINITY;
    BAD_MESH((void)0, FC_ERROR_INVALID_ARGUMENT, "positions[3] is");
    s.positions[10] = 2e9f;
    BAD_MESH((void)0, FC_ERROR_INVALID_ARGUMENT, "within 1e9 m");
    s.positions[10] = value;
#define BAD_BODY(change, words) \
    do { fc_body_desc_default(&how); change; \
         FAILS(fc_scene_add(scene, &mesh, &how, &body), FC_ERROR_INVALID_ARGUMENT, (words)); \
         FAILS(fc_scene_add_object(scene, object, &here, &how, &body), FC_ERROR_INVALID_ARGUMENT, (words)); \
         FAILS(fc_scene_add_drawing(scene, object, &here, &how, &body), FC_ERROR_INVALID_ARGUMENT, (words)); } while (0)
    BAD_BODY(how.struct_size = 3, "fc_body_desc_default()");
    BAD_BODY(how.flags = 4, "desc.flags is 0x4");
    BAD_BODY(how.reserved = 1, "reserved 1");
    BAD_BODY(how.thickness = -1, "thickness is -1");
    BAD_BODY(how.thickness = NAN, "thickness is NaN");
    {
        struct { fc_body_mesh mesh; uint32_t more[2]; } newer;
        newer.mesh = mesh;
        newer.mesh.struct_size = sizeof newer;
        newer.more[0] = 0;
        newer.more[1] = 1;
        FAILS(fc_scene_add(scene, &newer.mesh, NULL, &body), FC_ERROR_UNSUPPORTED, "update it");
    }
    FAILS(fc_scene_add_object(scene, NO_OBJECT, &here, NULL, &body), FC_ERROR_INVALID_HANDLE, "object is");
    FAILS(fc_scene_add_object(scene, object, &off, NULL, &body), FC_ERROR_INVALID_ARGUMENT, "at.position");
    FAILS(fc_scene_add_object(scene, object, NULL, NULL, &body), FC_ERROR_INVALID_ARGUMENT, "at is NULL");
    FAILS(fc_scene_add_object(scene, object, &here, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "body is NULL");
    FAILS(fc_scene_add_drawing(scene, NO_OBJECT, &here, NULL, &body), FC_ERROR_INVALID_HANDLE, "object is");
    FAILS(fc_scene_add_drawing(scene, object, &off, NULL, &body), FC_ERROR_INVALID_ARGUMENT, "at.position");
    FAILS(fc_scene_add_drawing(scene, object, &here, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "body is NULL");
    off = pose_at(1e10, 0, 0);
    FAILS(fc_scene_add_object(scene, object, &off, NULL, &body), FC_ERROR_INVALID_ARGUMENT, "within 1e9 m");
    CHECK(body.id == 77 && fc_scene_get_info(scene, &info) == FC_OK && info.body_count == 0);

    /* Bodies. */
    CHECK(fc_scene_add(scene, &mesh, NULL, &body) == FC_OK);
    bad = describe_sheet(&other);
    CHECK(fc_scene_add(scene, &bad, NULL, &second) == FC_OK && fc_scene_add(scene, &bad, NULL, &gone) == FC_OK);
    CHECK(fc_scene_delete(scene, gone) == FC_OK);
    for (k = 0; k < 3; ++k) {
        if (k == 1) gone.id = 0;
        if (k == 2) gone.id = ~(uint64_t)0;
        two[0] = body;
        two[1] = gone;
        FAILS(fc_scene_delete(scene, gone), FC_ERROR_INVALID_HANDLE, "is not in this scene");
        FAILS(fc_scene_split(scene, gone, &mesh, 1, out), FC_ERROR_INVALID_HANDLE, "is not in this scene");
        FAILS(fc_scene_split_by_labels(scene, gone, labels, 8, out, 2, &count), FC_ERROR_INVALID_HANDLE, "is not in this scene");
        FAILS(fc_scene_split_by_labels(scene, gone, labels, 8, out, 1, &count), FC_ERROR_INVALID_HANDLE, "is not in this scene");
        FAILS(fc_scene_merge(scene, two, 2, NULL, out), FC_ERROR_INVALID_HANDLE, "is not in this scene");
        FAILS(fc_scene_merge(scene, two, 2, &mesh, out), FC_ERROR_INVALID_HANDLE, "is not in this scene");
        FAILS(fc_scene_move(scene, gone, s.positions, 9, 0), FC_ERROR_INVALID_HANDLE, "is not in this scene");
        FAILS(fc_scene_move_double(scene, gone, nowhere, 4, 0), FC_ERROR_INVALID_HANDLE, "is not in this scene");
    }
    FAILS(fc_scene_move(scene, body, s.positions, 8, 0), FC_ERROR_INVALID_ARGUMENT, "8 positions for 9 vertices");
    FAILS(fc_scene_move(scene, body, NULL, 9, 0), FC_ERROR_INVALID_ARGUMENT, "positions is NULL");
    FAILS(fc_scene_move(scene, body, s.positions, 9, 4), FC_ERROR_INVALID_ARGUMENT, "stride of 4");
    FAILS(fc_scene_move_double(scene, body, high, 4, 0), FC_ERROR_INVALID_ARGUMENT, "4 positions for 9 vertices");
    s.positions[10] = NAN;
    FAILS(fc_scene_move(scene, body, s.positions, 9, 0), FC_ERROR_INVALID_ARGUMENT, "positions[3] is");
    s.positions[10] = value;
    parts[0] = mesh;
    parts[1] = mesh;
    FAILS(fc_scene_split(scene, body, NULL, 1, out), FC_ERROR_INVALID_ARGUMENT, "parts is NULL");
    FAILS(fc_scene_split(scene, body, parts, 2, NULL), FC_ERROR_INVALID_ARGUMENT, "bodies is NULL");
    FAILS(fc_scene_split(scene, body, parts, 0, out), FC_ERROR_INVALID_ARGUMENT, "at least one part");
    parts[1].struct_size -= 4;
    FAILS(fc_scene_split(scene, body, parts, 2, out), FC_ERROR_INVALID_ARGUMENT, "all must be the same");
    parts[1] = mesh;
    parts[1].triangle_count = 0;
    FAILS(fc_scene_split(scene, body, parts, 2, out), FC_ERROR_INVALID_MESH, "parts[1]: a body needs");
    parts[1] = mesh;
    parts[1].positions = NULL;
    FAILS(fc_scene_split(scene, body, parts, 2, out), FC_ERROR_INVALID_ARGUMENT, "parts[1].positions is NULL");
    parts[1] = mesh;
    parts[1].sources = labels;
    labels[3] = 8;
    FAILS(fc_scene_split(scene, body, parts, 2, out), FC_ERROR_INVALID_MESH, "sources[3] is 8");
    FAILS(fc_scene_split_by_labels(scene, body, labels, 8, out, 2, &count), FC_ERROR_INVALID_ARGUMENT, "a label is 8");
    labels[3] = 2;
    FAILS(fc_scene_split_by_labels(scene, body, labels, 4, out, 2, &count), FC_ERROR_INVALID_ARGUMENT, "4 labels for 8");
    FAILS(fc_scene_split_by_labels(scene, body, NULL, 8, out, 2, &count), FC_ERROR_INVALID_ARGUMENT, "labels is NULL");
    FAILS(fc_scene_split_by_labels(scene, body, labels, 8, NULL, 2, &count), FC_ERROR_INVALID_ARGUMENT, "bodies is NULL");
    FAILS(fc_scene_split_by_labels(scene, body, labels, 8, out, 2, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
    CHECK(count == 123);
    FAILS(fc_scene_split_by_labels(scene, body, labels, 8, out, 2, &count), FC_ERROR_CAPACITY, "there are 3 parts, but room for 2");
    CHECK(count == 3);
    for (k = 0; k < 8; ++k) labels[k] = k < 4 ? 0 : 2;
    {
        fc_body three[3];
        FAILS(fc_scene_split_by_labels(scene, body, labels, 8, three, 3, &count), FC_ERROR_INVALID_ARGUMENT, "label 1;");
    }
    two[1] = second;
    FAILS(fc_scene_merge(scene, two, 2, NULL, out), FC_ERROR_INVALID_ARGUMENT, "bodies that are merged must touch");
    FAILS(fc_scene_merge(scene, two, 2, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "merged is NULL");
    FAILS(fc_scene_merge(scene, NULL, 2, NULL, out), FC_ERROR_INVALID_ARGUMENT, "bodies is NULL");
    FAILS(fc_scene_merge(scene, two, 0, NULL, out), FC_ERROR_INVALID_ARGUMENT, "at least one body");
    two[1] = body;
    FAILS(fc_scene_merge(scene, two, 2, NULL, out), FC_ERROR_INVALID_ARGUMENT, "twice");
    bad = mesh;
    bad.triangle_count = 0;
    FAILS(fc_scene_merge(scene, two, 1, &bad, out), FC_ERROR_INVALID_MESH, "at least one triangle");
    CHECK(fc_scene_get_info(scene, &info) == FC_OK && info.body_count == 2 && info.triangle_count == 16);
    FAILS(fc_scene_get_info(scene, NULL), FC_ERROR_INVALID_ARGUMENT, "info is NULL");
    info.struct_size = 4;
    FAILS(fc_scene_get_info(scene, &info), FC_ERROR_INVALID_ARGUMENT, "fc_scene_info_default()");
    FAILS(fc_scene_get_stats(NULL), FC_ERROR_INVALID_ARGUMENT, "stats is NULL");

    /* Before the update, and after one that was for discrete queries. */
    count = 123;
    for (k = 0; k < 2; ++k) {
        const char *words = k == 0 ? "changed since its last update" : "FC_UPDATE_CONTINUOUS";
        if (k == 1) CHECK(fc_scene_update(scene, 0) == FC_OK);
        FAILS(fc_scene_query_continuous(scene, NULL, &impact, 1, &count), FC_ERROR_WRONG_TIME, words);
        FAILS(fc_scene_first_impact(scene, NULL, &impact), FC_ERROR_WRONG_TIME, words);
        if (k == 0) {
            FAILS(fc_scene_query_discrete(scene, 0, &pair, 1, &count), FC_ERROR_WRONG_TIME, words);
            FAILS(fc_scene_query_proximity(scene, 1, &near, 1, &count), FC_ERROR_WRONG_TIME, words);
            FAILS(fc_scene_query_object(scene, object, &here, 0, 1, &contact, 1, &count), FC_ERROR_WRONG_TIME, words);
            FAILS(fc_scene_ray_cast(scene, origin, down, 5, 1, &hit), FC_ERROR_WRONG_TIME, words);
        }
    }
    CHECK(count == 123);
    CHECK(fc_scene_query_discrete(scene, 0, &pair, 1, &count) == FC_OK && count == 0);
    CHECK(fc_scene_move(scene, body, s.positions, 9, 0) == FC_OK);
    FAILS(fc_scene_query_discrete(scene, 0, &pair, 1, &count), FC_ERROR_WRONG_TIME, "call fc_scene_update");
    FAILS(fc_scene_update(scene, 2), FC_ERROR_INVALID_ARGUMENT, "flags is 0x2");
    CHECK(fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
    CHECK(fc_scene_query_continuous(scene, NULL, &impact, 1, &count) == FC_OK && count == 0);
    CHECK(fc_scene_query_discrete(scene, 0, &pair, 1, &count) == FC_OK && count == 0);

    /* Arguments of queries. */
    FAILS(fc_scene_query_discrete(scene, 2, &pair, 1, &count), FC_ERROR_INVALID_ARGUMENT, "flags is 0x2");
    FAILS(fc_scene_query_discrete(scene, 0, NULL, 1, &count), FC_ERROR_INVALID_ARGUMENT, "pairs is NULL");
    FAILS(fc_scene_query_discrete(scene, 0, &pair, 1, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
    FAILS(fc_scene_query_continuous(scene, NULL, NULL, 1, &count), FC_ERROR_INVALID_ARGUMENT, "impacts is NULL");
    FAILS(fc_scene_query_continuous(scene, NULL, &impact, 1, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
    FAILS(fc_scene_first_impact(scene, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "impact is NULL");
    FAILS(fc_scene_query_proximity(scene, 1, NULL, 1, &count), FC_ERROR_INVALID_ARGUMENT, "proximities is NULL");
    FAILS(fc_scene_query_proximity(scene, 1, &near, 1, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
    FAILS(fc_scene_query_proximity(scene, -1, &near, 1, &count), FC_ERROR_INVALID_ARGUMENT, "distance is -1");
    FAILS(fc_scene_query_proximity(scene, NAN, &near, 1, &count), FC_ERROR_INVALID_ARGUMENT, "distance is NaN");
    FAILS(fc_scene_query_object(scene, NO_OBJECT, &here, 0, 1, &contact, 1, &count), FC_ERROR_INVALID_HANDLE, "object is");
    FAILS(fc_scene_query_object(scene, object, NULL, 0, 1, &contact, 1, &count), FC_ERROR_INVALID_ARGUMENT, "at is NULL");
    FAILS(fc_scene_query_object(scene, object, &here, -1, 1, &contact, 1, &count), FC_ERROR_INVALID_ARGUMENT, "margin is -1");
    FAILS(fc_scene_query_object(scene, object, &here, NAN, 1, &contact, 1, &count), FC_ERROR_INVALID_ARGUMENT, "margin is NaN");
    FAILS(fc_scene_query_object(scene, object, &here, 0, 1, NULL, 1, &count), FC_ERROR_INVALID_ARGUMENT, "contacts is NULL");
    FAILS(fc_scene_query_object(scene, object, &here, 0, 1, &contact, 1, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
    FAILS(fc_scene_ray_cast(scene, NULL, down, 5, 1, &hit), FC_ERROR_INVALID_ARGUMENT, "origin is NULL");
    FAILS(fc_scene_ray_cast(scene, origin, NULL, 5, 1, &hit), FC_ERROR_INVALID_ARGUMENT, "direction is NULL");
    FAILS(fc_scene_ray_cast(scene, origin, down, 5, 1, NULL), FC_ERROR_INVALID_ARGUMENT, "hit is NULL");
    FAILS(fc_scene_ray_cast(scene, origin, down, -5, 1, &hit), FC_ERROR_INVALID_ARGUMENT, "max_distance is -5");
    FAILS(fc_scene_ray_cast(scene, origin, down, NAN, 1, &hit), FC_ERROR_INVALID_ARGUMENT, "max_distance is NaN");
    down[2] = 0;
    FAILS(fc_scene_ray_cast(scene, origin, down, 5, 1, &hit), FC_ERROR_INVALID_ARGUMENT, "length 0");
    FAILS(fc_draw_scene(scene, NULL), FC_ERROR_INVALID_ARGUMENT, "draw is NULL");
    for (k = 0; k < 5; ++k) {
        const char *words = k < 3 ? "tolerance is" : k == 3 ? "max_boxes is 0" : "fc_ccd_desc_default()";
        const double tolerances[5] = {0, 1, NAN, 1e-6, 1e-6};
        ccd.tolerance = tolerances[k];
        ccd.max_boxes = k == 3 ? 0 : 10;
        ccd.struct_size = k == 4 ? 3 : sizeof ccd;
        FAILS(fc_scene_query_continuous(scene, &ccd, &impact, 1, &count), FC_ERROR_INVALID_ARGUMENT, words);
        FAILS(fc_scene_first_impact(scene, &ccd, &impact), FC_ERROR_INVALID_ARGUMENT, words);
        FAILS(fc_ccd_vertex_face(nowhere, nowhere, &ccd, &time), FC_ERROR_INVALID_ARGUMENT, words);
        FAILS(fc_ccd_edge_edge(nowhere, nowhere, &ccd, &time), FC_ERROR_INVALID_ARGUMENT, words);
    }
    FAILS(fc_ccd_vertex_face(NULL, nowhere, NULL, &time), FC_ERROR_INVALID_ARGUMENT, "start is NULL");
    FAILS(fc_ccd_vertex_face(nowhere, NULL, NULL, &time), FC_ERROR_INVALID_ARGUMENT, "end is NULL");
    FAILS(fc_ccd_edge_edge(nowhere, nowhere, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "time is NULL");
    FAILS(fc_ccd_vertex_face(nowhere, high, NULL, &time), FC_ERROR_INVALID_ARGUMENT, "not a number");
    FAILS(fc_ccd_edge_edge(high, nowhere, NULL, &time), FC_ERROR_INVALID_ARGUMENT, "not a number");
    CHECK(time == 7);
    CHECK(fc_scene_destroy(scene) == FC_OK && fc_object_destroy(object) == FC_OK && fc_asset_release(asset) == FC_OK);
    free_sheet(&s);
    free_sheet(&other);
}

static int says = 0;
static const float no_place[] = {0, 0, 0, 0, NAN, 0};

static double nonsense(const double *point, double *outward, void *user_data) {
    (void)point;
    (void)user_data;
    outward[0] = says == 1 ? NAN : 0;
    outward[1] = 0;
    outward[2] = says == 2 ? 0 : 1;
    return says == 0 ? NAN : -1;
}

/* Motions, memories, sweeps and distances. */
static void sweeps(void) {
    fc_asset asset = cook_box(3, 1.0f);
    fc_object a = {0};
    fc_pose here = pose_at(0, 0, 0), far = pose_at(3, 0, 0), bad = pose_at(NAN, 0, 0);
    static fc_pair_memory memories[2];
    fc_motion motions[4];
    fc_query_desc desc;
    fc_sweep_desc how;
    fc_sweep sweep;
    fc_sweep_hit hit;
    fc_distance closest;
    fc_shape shape;
    fc_pair pairs[2];
    fc_status statuses[2];
    uint32_t count = 123, offsets[3];
    CHECK(fc_object_create(asset, NULL, &a) == FC_OK);
    memset(motions, 0, sizeof motions);
    memset(&hit, 0xee, sizeof hit);
    memset(&closest, 0xee, sizeof closest);
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_FIELD;
    shape.field = nonsense;

#define BAD(change, words) \
    do { \
        fc_query_desc_default(&desc); \
        desc.motions = motions; \
        desc.seconds = 0.1f; \
        change; \
        FAILS(fc_query_pair(a, &far, a, &here, &desc, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, (words)); \
    } while (0)
    BAD(desc.flags = 128, "desc.flags is 0x80");
    BAD(desc.seconds = -1, "desc.seconds is -1");
    BAD(desc.seconds = NAN, "desc.seconds is NaN");
    BAD(desc.seconds = INFINITY, "desc.seconds is inf");
    BAD(desc.reserved_2 = 3, "reserved_2 3");
    BAD(desc.memories = (fc_pair_memory *)(void *)((char *)memories + 4), "desc.memories is not aligned");
    BAD(desc.motions = (const fc_motion *)(const void *)((const char *)motions + 1), "desc.motions is not aligned");
    motions[1].linear[2] = NAN;
    BAD((void)0, "desc.motions[1].linear is [0.0, 0.0, NaN]; it must be finite");
    motions[1].linear[2] = 0;
    motions[0].angular[0] = 1e19f;
    BAD((void)0, "desc.motions[0].angular");
    FAILS(fc_query_shape(a, &far, &shape, &here, &desc, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "desc.motions[0].angular");
#undef BAD
    CHECK(count == 123);
    /* Nothing is looked at without a time. */
    desc.seconds = 0;
    CHECK(fc_query_pair(a, &far, a, &here, &desc, NULL, 0, &count) == FC_OK && count == 0);
    /* In a batch only that pair fails. */
    motions[0].angular[0] = 0;
    motions[2].linear[0] = INFINITY;
    desc.seconds = 0.1f;
    pairs[0].a = pairs[0].b = a;
    pairs[0].pose_a = far;
    pairs[0].pose_b = here;
    pairs[1] = pairs[0];
    FAILS(fc_query_pairs(pairs, 2, &desc, NULL, 0, offsets, statuses), FC_SOME_FAILED, "pairs[1]: desc.motions[2].linear");
    CHECK(statuses[0] == FC_OK && statuses[1] == FC_ERROR_INVALID_ARGUMENT && offsets[2] == 0);

#define BAD(change, words) \
    do { \
        fc_sweep_desc_default(&how); \
        change; \
        FAILS(fc_sweep_pair(a, &far, &here, a, &here, &here, &how, &hit), FC_ERROR_INVALID_ARGUMENT, (words)); \
    } while (0)
    BAD(how.struct_size = 0, "fc_sweep_desc_default()");
    BAD(how.flags = 2, "desc.flags is 0x2");
    BAD(how.margin = NAN, "desc.margin is NaN");
    BAD(how.tolerance = INFINITY, "desc.tolerance is inf");
    BAD((how.flags = FC_SWEEP_ORIGIN, how.origin[2] = NAN), "desc.origin");
#undef BAD
    FAILS(fc_sweep_pair(a, NULL, &here, a, &here, &here, NULL, &hit), FC_ERROR_INVALID_ARGUMENT, "start_a is NULL");
    FAILS(fc_sweep_pair(a, &here, &bad, a, &here, &here, NULL, &hit), FC_ERROR_INVALID_ARGUMENT, "end_a.position");
    FAILS(fc_sweep_pair(a, &here, &here, a, &bad, &here, NULL, &hit), FC_ERROR_INVALID_ARGUMENT, "start_b.position");
    FAILS(fc_sweep_pair(a, &here, &here, a, &here, NULL, NULL, &hit), FC_ERROR_INVALID_ARGUMENT, "end_b is NULL");
    FAILS(fc_sweep_pair(a, &here, &here, a, &here, &here, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "hit is NULL");
    FAILS(fc_sweep_shape(a, &far, &here, &shape, &here, &here, NULL, &hit), FC_ERROR_INVALID_ARGUMENT, "cannot be swept");
    FAILS(fc_sweep_shape(a, &far, &here, NULL, &here, &here, NULL, &hit), FC_ERROR_INVALID_ARGUMENT, "shape is NULL");
    FAILS(fc_sweep_shape(a, &far, &here, &shape, &here, &bad, NULL, &hit), FC_ERROR_INVALID_ARGUMENT, "end_shape.position");
    FAILS(fc_distance_pair(a, NULL, a, &here, 1, &closest), FC_ERROR_INVALID_ARGUMENT, "pose_a is NULL");
    FAILS(fc_distance_pair(a, &here, a, &bad, 1, &closest), FC_ERROR_INVALID_ARGUMENT, "pose_b.position");
    FAILS(fc_distance_pair(a, &here, a, &here, -1, &closest), FC_ERROR_INVALID_ARGUMENT, "range is -1");
    FAILS(fc_distance_pair(a, &here, a, &here, NAN, &closest), FC_ERROR_INVALID_ARGUMENT, "range is NaN");
    FAILS(fc_distance_pair(a, &here, a, &here, 1, NULL), FC_ERROR_INVALID_ARGUMENT, "closest is NULL");
    FAILS(fc_distance_shape(a, &here, &shape, &here, 1, &closest), FC_ERROR_INVALID_ARGUMENT, "has no distance");
    FAILS(fc_distance_shape(a, &here, &shape, &here, 1, NULL), FC_ERROR_INVALID_ARGUMENT, "closest is NULL");
    CHECK(hit.reserved == 0xeeeeeeeeu && closest.reserved == 0xeeeeeeeeu);
    sweep.a = sweep.b = a;
    sweep.start_a = sweep.end_a = sweep.start_b = sweep.end_b = here;
    FAILS(fc_sweep_pairs(NULL, 1, NULL, &hit, NULL), FC_ERROR_INVALID_ARGUMENT, "sweeps is NULL");
    FAILS(fc_sweep_pairs(&sweep, 1, NULL, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "hits is NULL");
    CHECK(fc_sweep_pairs(NULL, 0, NULL, NULL, NULL) == FC_OK);
    sweep.end_b = bad;
    FAILS(fc_sweep_pairs(&sweep, 1, NULL, &hit, statuses), FC_SOME_FAILED, "sweeps[0]: end_b.position");
    CHECK(statuses[0] == FC_ERROR_INVALID_ARGUMENT && hit.time == 2);
    sweep.b = NO_OBJECT;
    FAILS(fc_sweep_pairs(&sweep, 1, NULL, &hit, statuses), FC_SOME_FAILED, "sweeps[0]: b is");
    CHECK(fc_object_destroy(a) == FC_OK && fc_asset_release(asset) == FC_OK);
}

static void arguments(void) {
    fc_asset asset = cook_box(3, 1.0f);
    fc_object a = {0}, made[4];
    fc_object_desc object_desc;
    fc_pose here = pose_at(0, 0, 0), bad;
    fc_query_desc desc;
    fc_fracture_desc how;
    fc_shape shape;
    fc_debug_draw draw;
    fc_aabb box;
    fc_ray_hit hit;
    fc_feature feature;
    fc_pair pair;
    fc_contact contact = {{0, 0, 0}, 0, {0, 0, 1}, 0};
    double point[3] = {0, 0, 0}, distance = 5;
    float x[3] = {1, 0, 0}, seeds[3] = {0, 0, 0}, plane[4] = {1, 0, 0, 0};
    uint32_t count = 0, labels[64], offsets[2], k;
    fc_node_gap gap = {0, 1, -1};
    fc_edge_cut cut = {{0, 1}, 2};
    memset(labels, 0, sizeof labels);
    fc_object_desc_default(&object_desc);
    CHECK(fc_object_create(asset, NULL, &a) == FC_OK);

    FAILS(fc_object_create(asset, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "object is NULL");
    object_desc.body = 1;
    FAILS(fc_object_create(asset, &object_desc, &made[0]), FC_ERROR_INVALID_ARGUMENT, "desc.body is 1");
    object_desc.body = 0;
    for (k = 0; k < 5; ++k) {
        const double scales[5] = {0, -1, NAN, INFINITY, 1e7};
        object_desc.scale = scales[k];
        FAILS(fc_object_create(asset, &object_desc, &made[0]), FC_ERROR_INVALID_ARGUMENT, "scale is");
    }

    /* Poses. */
    bad = here;
    bad.position[1] = NAN;
    FAILS(fc_object_bounds(a, &bad, &box), FC_ERROR_INVALID_ARGUMENT, "at.position");
    FAILS(fc_query_pair(a, &bad, a, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "pose_a.position");
    FAILS(fc_query_pair(a, &here, a, &bad, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "pose_b.position");
    FAILS(fc_query_pair(a, NULL, a, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "pose_a is NULL");
    FAILS(fc_query_pair(a, &here, a, NULL, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "pose_b is NULL");
    bad.position[1] = 1e19;
    FAILS(fc_query_pair(a, &here, a, &bad, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "below 1e18 m");
    bad = here;
    bad.rotation[3] = 1.1f;
    FAILS(fc_query_pair(a, &bad, a, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "unit quaternion");
    bad.rotation[3] = NAN;
    FAILS(fc_query_pair(a, &bad, a, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "unit quaternion");
    bad.rotation[3] = 0;
    FAILS(fc_query_pair(a, &bad, a, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "unit quaternion");

    /* Queries. */
    FAILS(fc_query_pair(a, &here, a, &here, NULL, NULL, 3, &count), FC_ERROR_INVALID_ARGUMENT, "contacts is NULL");
    FAILS(fc_query_pair(a, &here, a, &here, NULL, NULL, 0, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
#define BAD_QUERY(change, words)                                                                                            \
    do {                                                                                                                    \
        fc_query_desc_default(&desc);                                                                                       \
        change;                                                                                                             \
        FAILS(fc_query_pair(a, &here, a, &here, &desc, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, (words));               \
        FAILS(fc_query_shape(a, &here, &shape, &here, &desc, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, (words));         \
        FAILS(fc_query_pairs(&pair, 0, &desc, NULL, 0, offsets, NULL), FC_ERROR_INVALID_ARGUMENT, (words));                 \
    } while (0)
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_BALL;
    shape.radius = 1;
    memset(&pair, 0, sizeof pair);
    BAD_QUERY(desc.mode = 99, "desc.mode is 99");
    BAD_QUERY(desc.flags = 1u << 20, "desc.flags");
    BAD_QUERY(desc.flags = 4, "desc.flags is 0x4"); /* retired */
    BAD_QUERY(desc.reserved = 1, "reserved");
    BAD_QUERY((desc.flags = FC_QUERY_ORIGIN, desc.origin[0] = INFINITY), "desc.origin");
    fc_query_desc_default(&desc);
    desc.margin = 1e30f;
    FAILS(fc_query_pair(a, &here, a, &here, &desc, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "desc.margin is");
    desc.margin = NAN;
    FAILS(fc_query_pair(a, &here, a, &here, &desc, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "margin is NaN");
    desc.margin = 0;
    desc.tolerance = INFINITY;
    FAILS(fc_query_pair(a, &here, a, &here, &desc, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "tolerance is inf");
    FAILS(fc_query_pairs(NULL, 1, NULL, NULL, 0, offsets, NULL), FC_ERROR_INVALID_ARGUMENT, "pairs is NULL");
    {
        fc_pair two[2];
        float weights[2] = {0, 0};
        uint32_t places[3];
        memset(two, 0, sizeof two);
        fc_query_desc_default(&desc);
        desc.budget = 100;
        desc.weights = weights;
        weights[1] = (float)NAN;
        FAILS(fc_query_pairs(two, 2, &desc, NULL, 0, places, NULL), FC_ERROR_INVALID_ARGUMENT, "desc.weights[1] is NaN; it must be");
        weights[1] = -1;
        FAILS(fc_query_pairs(two, 2, &desc, NULL, 0, places, NULL), FC_ERROR_INVALID_ARGUMENT, "desc.weights[1] is -1; it must be");
        weights[0] = INFINITY;
        FAILS(fc_query_pairs(two, 2, &desc, NULL, 0, places, NULL), FC_ERROR_INVALID_ARGUMENT, "desc.weights[0] is inf; it must be");
        desc.budget = 0; /* wrong all the same */
        FAILS(fc_query_pairs(two, 2, &desc, NULL, 0, places, NULL), FC_ERROR_INVALID_ARGUMENT, "desc.weights[0] is inf");
    }
    {
        fc_contact wrong[2];
        uint32_t left = 7;
        memset(wrong, 0, sizeof wrong);
        FAILS(fc_reduce_contacts(NULL, 2, 4, 0, wrong, 2, &left), FC_ERROR_INVALID_ARGUMENT, "contacts is NULL");
        FAILS(fc_reduce_contacts(wrong, 2, 4, 0, NULL, 2, &left), FC_ERROR_INVALID_ARGUMENT, "reduced is NULL");
        FAILS(fc_reduce_contacts(wrong, 2, 4, 0, wrong, 2, NULL), FC_ERROR_INVALID_ARGUMENT, "reduced_count is NULL");
        wrong[1].depth = (float)NAN;
        FAILS(fc_reduce_contacts(wrong, 2, 4, 0, wrong, 2, &left), FC_ERROR_INVALID_ARGUMENT, "contacts[1]");
        CHECK(left == 7);
    }
    FAILS(fc_query_pairs(&pair, 1, NULL, NULL, 0, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "offsets is NULL");
    FAILS(fc_query_pairs(&pair, 1, NULL, NULL, 1, offsets, NULL), FC_ERROR_INVALID_ARGUMENT, "contacts is NULL");
    FAILS(fc_query_get_stats(NULL), FC_ERROR_INVALID_ARGUMENT, "stats is NULL");

    /* Shapes. */
#define BAD_SHAPE(change, words)                                                                                            \
    do {                                                                                                                    \
        fc_shape_default(&shape);                                                                                           \
        shape.radius = shape.half_extents[0] = shape.half_extents[1] = shape.half_extents[2] = 1;                           \
        change;                                                                                                             \
        FAILS(fc_query_shape(a, &here, &shape, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, (words));          \
    } while (0)
    FAILS(fc_query_shape(a, &here, NULL, &here, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "shape is NULL");
    BAD_SHAPE((void)0, "shape.kind is 0");
    BAD_SHAPE(shape.kind = 77, "shape.kind is 77");
    BAD_SHAPE((shape.kind = FC_SHAPE_BALL, shape.radius = 0), "shape.radius");
    BAD_SHAPE((shape.kind = FC_SHAPE_BALL, shape.radius = NAN), "shape.radius");
    BAD_SHAPE((shape.kind = FC_SHAPE_BOX, shape.half_extents[2] = -1), "shape.half_extents");
    BAD_SHAPE((shape.kind = FC_SHAPE_CAPSULE, shape.ends[1][0] = NAN), "shape.ends[1]");
    BAD_SHAPE((shape.kind = FC_SHAPE_CAPSULE, shape.radius = INFINITY), "shape.radius");
    BAD_SHAPE((shape.kind = FC_SHAPE_HALF_SPACE, shape.normal[2] = 0), "shape.normal");
    BAD_SHAPE((shape.kind = FC_SHAPE_HALF_SPACE, shape.offset = NAN), "offset");
    BAD_SHAPE((shape.kind = FC_SHAPE_FIELD, shape.field = NULL), "shape.field is NULL");
    BAD_SHAPE((shape.kind = FC_SHAPE_FIELD, shape.field = nonsense, shape.point_count = 1), "shape.points is NULL");
    BAD_SHAPE((shape.kind = FC_SHAPE_FIELD, shape.field = nonsense, shape.points = no_place, shape.point_count = 2,
               shape.point_stride = 4), "stride of 4");
    BAD_SHAPE((shape.kind = FC_SHAPE_FIELD, shape.field = nonsense, shape.points = no_place, shape.point_count = 2),
              "shape.points[1]");
    for (says = 0; says < 3; ++says) BAD_SHAPE((shape.kind = FC_SHAPE_FIELD, shape.field = nonsense), "shape.field returned");

    /* Fracture. */
#define BAD_FRACTURE(change, status, words)                                                                                 \
    do {                                                                                                                    \
        fc_fracture_desc_default(&how);                                                                                     \
        change;                                                                                                             \
        FAILS(fc_fracture(a, &how, made, 4, &count, NULL), (status), (words));                                              \
    } while (0)
    FAILS(fc_fracture(a, NULL, made, 4, &count, NULL), FC_ERROR_INVALID_ARGUMENT, "desc is NULL");
    FAILS(fc_fracture_bound(a, NULL, &count), FC_ERROR_INVALID_ARGUMENT, "desc is NULL");
    BAD_FRACTURE((void)0, FC_ERROR_INVALID_ARGUMENT, "desc.pattern is 0");
    FAILS(fc_fracture_bound(a, &how, NULL), FC_ERROR_INVALID_ARGUMENT, "bound is NULL");
    BAD_FRACTURE(how.pattern = 99, FC_ERROR_INVALID_ARGUMENT, "desc.pattern is 99");
    BAD_FRACTURE((how.pattern = FC_PATTERN_VORONOI), FC_ERROR_INVALID_ARGUMENT, "at least one seed");
    BAD_FRACTURE((how.pattern = FC_PATTERN_VORONOI, how.value_count = 1), FC_ERROR_INVALID_ARGUMENT, "desc.values is NULL");
    seeds[1] = NAN;
    BAD_FRACTURE((how.pattern = FC_PATTERN_VORONOI, how.values = seeds, how.value_count = 1), FC_ERROR_INVALID_ARGUMENT,
                 "seeds[0]");
    BAD_FRACTURE((how.pattern = FC_PATTERN_VORONOI, how.values = seeds, how.value_count = 1, how.value_stride = 2),
                 FC_ERROR_INVALID_ARGUMENT, "stride");
    plane[0] = 0;
    BAD_FRACTURE((how.pattern = FC_PATTERN_PLANES, how.values = plane, how.value_count = 1), FC_ERROR_INVALID_ARGUMENT,
                 "planes[0]");
    BAD_FRACTURE((how.pattern = FC_PATTERN_RANDOM_VORONOI, how.count = 0), FC_ERROR_INVALID_ARGUMENT, "seed");
    BAD_FRACTURE((how.pattern = FC_PATTERN_IMPACT, how.impact_radius = -0.5f), FC_ERROR_INVALID_ARGUMENT, "radius is -0.5");
    BAD_FRACTURE((how.pattern = FC_PATTERN_IMPACT, how.impact_radius = NAN), FC_ERROR_INVALID_ARGUMENT, "radius is NaN");
    BAD_FRACTURE((how.pattern = FC_PATTERN_IMPACT, how.impact_radius = 1, how.impact_point[0] = NAN),
                 FC_ERROR_INVALID_ARGUMENT, "must be finite");
    BAD_FRACTURE((how.pattern = FC_PATTERN_IMPACT, how.impact_radius = 1, how.impact_direction[2] = INFINITY),
                 FC_ERROR_INVALID_ARGUMENT, "desc.impact_direction");
    BAD_FRACTURE((how.pattern = FC_PATTERN_LABELS, how.labels = labels, how.label_count = 3), FC_ERROR_INVALID_ARGUMENT,
                 "3 labels were given for 64 nodes");
    BAD_FRACTURE((how.pattern = FC_PATTERN_LABELS, how.label_count = 64), FC_ERROR_INVALID_ARGUMENT, "desc.labels is NULL");
    BAD_FRACTURE((how.pattern = FC_PATTERN_LABELS, how.labels = labels, how.label_count = 64, how.gaps = &gap,
                  how.gap_count = 1), FC_ERROR_INVALID_ARGUMENT, "gaps[0].gap is -1");
    BAD_FRACTURE((how.pattern = FC_PATTERN_LABELS, how.labels = labels, how.label_count = 64, how.edge_cuts = &cut,
                  how.edge_cut_count = 1), FC_ERROR_INVALID_ARGUMENT, "cuts[0].position is 2");
    BAD_FRACTURE((how.pattern = FC_PATTERN_LABELS, how.labels = labels, how.label_count = 64, how.edge_cuts = &cut,
                  how.edge_cut_count = 1, how.gaps = &gap, how.gap_count = 1), FC_ERROR_INVALID_ARGUMENT, "one of them");
    BAD_FRACTURE((how = random_cells(3, 1), how.roughness = 0.5f), FC_ERROR_INVALID_ARGUMENT, "amplitude is 0.5");
    BAD_FRACTURE((how = random_cells(3, 1), how.roughness = 0.0501f), FC_ERROR_INVALID_ARGUMENT, "between 0 and 0.05");
    BAD_FRACTURE((how = random_cells(3, 1), how.roughness = NAN), FC_ERROR_INVALID_ARGUMENT, "amplitude is NaN");
    BAD_FRACTURE((how = random_cells(3, 1), how.roughness = 0.01f, how.roughness_wavelength = 0), FC_ERROR_INVALID_ARGUMENT,
                 "wavelength is 0");
    BAD_FRACTURE((how = random_cells(3, 1), how.min_volume_share = 2), FC_ERROR_INVALID_ARGUMENT, "min_volume_share is 2");
    BAD_FRACTURE((how = random_cells(3, 1), how.min_radius = -1), FC_ERROR_INVALID_ARGUMENT, "desc.min_radius is -1");
    BAD_FRACTURE((how = random_cells(3, 1), how.min_radius = NAN), FC_ERROR_INVALID_ARGUMENT, "desc.min_radius is NaN");
    BAD_FRACTURE((how = random_cells(3, 1), how.min_radius = INFINITY), FC_ERROR_INVALID_ARGUMENT, "desc.min_radius is inf");
    BAD_FRACTURE((how = random_cells(3, 1), how.reserved = 1), FC_ERROR_INVALID_ARGUMENT, "desc.reserved is 1");
    FAILS(fc_fracture_bound(a, &how, &count), FC_ERROR_INVALID_ARGUMENT, "desc.reserved is 1");
    count = 123;
    BAD_FRACTURE((how = random_cells(3, 1), how.max_regions = 2), FC_ERROR_TOO_LARGE, "max_regions");
    BAD_FRACTURE((how = random_cells(UINT32_MAX, 1)), FC_ERROR_TOO_LARGE, "count is 4294967295");
    BAD_FRACTURE((how = random_cells(UINT32_MAX, 1), how.max_regions = UINT32_MAX), FC_ERROR_TOO_LARGE, "at most 16777216");
    BAD_FRACTURE((how = random_cells(UINT32_MAX, 1), how.max_fragments = 3), FC_ERROR_TOO_LARGE, "max_regions is 4194304");
    BAD_FRACTURE((how.pattern = FC_PATTERN_IMPACT, how.count = UINT32_MAX), FC_ERROR_TOO_LARGE, "count is 4294967295");
    CHECK(count == 123 && fc_live_handles() == 2);
    how = random_cells(3, 1);
    FAILS(fc_fracture(a, &how, NULL, 4, &count, NULL), FC_ERROR_INVALID_ARGUMENT, "fragments is NULL");
    FAILS(fc_fracture(a, &how, made, 4, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
    FAILS(fc_fracture(a, &how, made, 2, &count, NULL), FC_ERROR_CAPACITY, "there are 3 fragments, but room for 2");
    CHECK(count == 3 && fc_live_handles() == 2);

    /* Points and rays. */
    FAILS(fc_object_signed_distance(a, &here, NULL, &distance, NULL), FC_ERROR_INVALID_ARGUMENT, "point is NULL");
    FAILS(fc_object_signed_distance(a, &here, point, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "distance is NULL");
    FAILS(fc_object_signed_distance(a, NULL, point, &distance, NULL), FC_ERROR_INVALID_ARGUMENT, "at is NULL");
    point[2] = NAN;
    FAILS(fc_object_signed_distance(a, &here, point, &distance, NULL), FC_ERROR_INVALID_ARGUMENT, "point is");
    FAILS(fc_object_ray_cast(a, &here, point, x, 1, &hit), FC_ERROR_INVALID_ARGUMENT, "origin is");
    point[2] = 0;
    FAILS(fc_object_ray_cast(a, &here, NULL, x, 1, &hit), FC_ERROR_INVALID_ARGUMENT, "origin is NULL");
    FAILS(fc_object_ray_cast(a, &here, point, NULL, 1, &hit), FC_ERROR_INVALID_ARGUMENT, "direction is NULL");
    FAILS(fc_object_ray_cast(a, &here, point, x, 1, NULL), FC_ERROR_INVALID_ARGUMENT, "hit is NULL");
    FAILS(fc_object_ray_cast(a, &here, point, x, -1, &hit), FC_ERROR_INVALID_ARGUMENT, "max_distance is -1");
    FAILS(fc_object_ray_cast(a, &here, point, x, NAN, &hit), FC_ERROR_INVALID_ARGUMENT, "max_distance is NaN");
    x[0] = 0;
    FAILS(fc_object_ray_cast(a, &here, point, x, 1, &hit), FC_ERROR_INVALID_ARGUMENT, "length 0");
    x[0] = NAN;
    FAILS(fc_object_ray_cast(a, &here, point, x, 1, &hit), FC_ERROR_INVALID_ARGUMENT, "direction is");
    FAILS(fc_object_feature(a, 0x0fffffff, &feature), FC_ERROR_INVALID_ARGUMENT, "no point of this object");
    FAILS(fc_object_feature(a, 0, NULL), FC_ERROR_INVALID_ARGUMENT, "info is NULL");
    FAILS(fc_object_state_hash(a, NULL), FC_ERROR_INVALID_ARGUMENT, "hash is NULL");
    FAILS(fc_object_get_user_data(a, NULL), FC_ERROR_INVALID_ARGUMENT, "user_data is NULL");
    FAILS(fc_object_mass(a, NULL), FC_ERROR_INVALID_ARGUMENT, "mass is NULL");
    FAILS(fc_object_bounds(a, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "bounds is NULL");
    FAILS(fc_object_get_info(a, NULL), FC_ERROR_INVALID_ARGUMENT, "info is NULL");
    FAILS(fc_object_get_memory(a, NULL), FC_ERROR_INVALID_ARGUMENT, "memory is NULL");
    FAILS(fc_asset_get_info(asset, NULL), FC_ERROR_INVALID_ARGUMENT, "info is NULL");
    FAILS(fc_asset_skin(asset, NULL, 1, &count), FC_ERROR_INVALID_ARGUMENT, "triangles is NULL");
    FAILS(fc_asset_skin(asset, NULL, 0, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
    FAILS(fc_object_adjacency(a, NULL, 1, &count), FC_ERROR_INVALID_ARGUMENT, "pairs is NULL");
    FAILS(fc_object_adjacency(a, NULL, 0, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
    FAILS(fc_object_get_planes(a, NULL, 1, &count), FC_ERROR_INVALID_ARGUMENT, "planes is NULL");
    FAILS(fc_object_get_planes(a, NULL, 0, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
    FAILS(fc_object_surface(a, NULL, 1, &count, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "positions is NULL");
    FAILS(fc_object_surface(a, NULL, 0, NULL, NULL, 0, &count), FC_ERROR_INVALID_ARGUMENT, "vertex_count is NULL");
    FAILS(fc_object_surface(a, NULL, 0, &count, NULL, 1, &count), FC_ERROR_INVALID_ARGUMENT, "triangles is NULL");
    FAILS(fc_object_surface(a, NULL, 0, &count, NULL, 0, NULL), FC_ERROR_INVALID_ARGUMENT, "triangle_count is NULL");
    FAILS(fc_object_drawing(a, NULL, 1, &count, NULL, 0, &count, NULL), FC_ERROR_INVALID_ARGUMENT, "vertices is NULL");
    FAILS(fc_object_drawing(a, NULL, 0, NULL, NULL, 0, &count, NULL), FC_ERROR_INVALID_ARGUMENT, "vertex_count is NULL");
    FAILS(fc_object_drawing(a, NULL, 0, &count, NULL, 1, &count, NULL), FC_ERROR_INVALID_ARGUMENT, "triangles is NULL");
    FAILS(fc_object_drawing(a, NULL, 0, &count, NULL, 0, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "triangle_count is NULL");
    {
        fc_drawing_info told = {0, 0, 0, 0};
        FAILS(fc_object_drawing(a, NULL, 0, &count, NULL, 0, &count, &told), FC_ERROR_INVALID_ARGUMENT, "info.struct_size");
    }

    /* Drawing. */
    FAILS(fc_draw_object(a, &here, NULL), FC_ERROR_INVALID_ARGUMENT, "draw is NULL");
    fc_debug_draw_default(&draw);
    FAILS(fc_draw_object(a, NULL, &draw), FC_ERROR_INVALID_ARGUMENT, "at is NULL");
    FAILS(fc_draw_contacts(NULL, 1, point, &draw), FC_ERROR_INVALID_ARGUMENT, "contacts is NULL");
    FAILS(fc_draw_contacts(&contact, 1, NULL, &draw), FC_ERROR_INVALID_ARGUMENT, "origin is NULL");
    draw.origin[0] = NAN;
    FAILS(fc_draw_contacts(&contact, 1, point, &draw), FC_ERROR_INVALID_ARGUMENT, "draw.origin");
    CHECK(fc_object_destroy(a) == FC_OK && fc_asset_release(asset) == FC_OK);
}

static void forgets(uint32_t count, uint32_t grain, fc_range_fn run, void *task, void *user_data) {
    (void)grain;
    (void)user_data;
    if (count > 1) run(1, count, task);
}

static void *some(size_t size, size_t alignment, void *user_data) {
    (void)size;
    (void)alignment;
    (void)user_data;
    return NULL;
}

static void library(void) {
    fc_asset asset = {0};
    mesh m = box_mesh(4, 1.0f);
    fc_asset_desc desc = describe(&m);
    FAILS(fc_set_allocator(some, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "both");
    FAILS(fc_set_allocator(NULL, NULL, NULL), FC_ERROR_WRONG_TIME, "before the first call");
    FAILS(fc_set_threads(100000), FC_ERROR_INVALID_ARGUMENT, "at most");
    CHECK(fc_set_task_system(forgets, NULL) == FC_OK);
    FAILS(fc_asset_create(&desc, &asset), FC_ERROR_TASKS, "pieces of work");
    CHECK(asset.id == 0);
    {
        /* An update that was not finished cannot be undone: the scene is refused from then on. */
        sheet s = flat_sheet(80, 1.0f, 0, 0, 0);
        fc_scene scene = {0};
        fc_scene_info info;
        fc_overlap pair;
        fc_body body;
        uint32_t count = 5;
        fc_scene_info_default(&info);
        CHECK(fc_scene_create(NULL, &scene) == FC_OK);
        body = add_sheet(scene, &s);
        CHECK(fc_scene_move(scene, body, s.positions, s.vertex_count, 0) == FC_OK);
        FAILS(fc_scene_update(scene, 0), FC_ERROR_TASKS, "pieces of work");
        CHECK(fc_set_task_system(NULL, NULL) == FC_OK);
        FAILS(fc_scene_update(scene, 0), FC_ERROR_INTERNAL, "half changed");
        FAILS(fc_scene_query_discrete(scene, 0, &pair, 1, &count), FC_ERROR_INTERNAL, "destroy it");
        FAILS(fc_scene_delete(scene, body), FC_ERROR_INTERNAL, "half changed");
        FAILS(fc_scene_get_info(scene, &info), FC_ERROR_INTERNAL, "half changed");
        CHECK(count == 5 && fc_scene_destroy(scene) == FC_OK);
        /* A query that was not finished changes nothing. */
        CHECK(fc_scene_create(NULL, &scene) == FC_OK);
        body = add_sheet(scene, &s);
        for (count = 0; count < s.vertex_count; ++count) s.positions[3 * count + 2] = 0.1f * (float)(count % 7);
        CHECK(fc_scene_move(scene, body, s.positions, s.vertex_count, 0) == FC_OK && fc_scene_update(scene, 0) == FC_OK);
        CHECK(fc_set_task_system(forgets, NULL) == FC_OK);
        FAILS(fc_scene_query_discrete(scene, 0, &pair, 1, &count), FC_ERROR_TASKS, "pieces of work");
        CHECK(fc_set_task_system(NULL, NULL) == FC_OK);
        CHECK(fc_scene_query_discrete(scene, 0, &pair, 1, &count) >= FC_OK);
        CHECK(fc_scene_destroy(scene) == FC_OK);
        free_sheet(&s);
    }
    CHECK(fc_asset_create(&desc, &asset) == FC_OK);
    free_mesh(&m);
    {
        uint32_t leaked = 0;
        CHECK(fc_shutdown(&leaked) == FC_OK && leaked == 1);
        FAILS(fc_asset_release(asset), FC_ERROR_INVALID_HANDLE, "was destroyed");
        CHECK(fc_shutdown(NULL) == FC_OK);
        CHECK(fc_set_allocator(NULL, NULL, NULL) == FC_OK); /* as if just loaded */
    }
}

static void soft_bodies(void) {
    static const fc_soft NO_SOFT = {0};
    mesh m = box_mesh(2, 1.0f);
    sheet s = flat_sheet(2, 1.0f, 0, 0, 0);
    fc_asset asset = cook_box(2, 1.0f);
    fc_object object = {0};
    fc_soft_desc desc;
    fc_soft soft = {0}, other = {0}, gone = {0}, foreign;
    fc_soft_info info;
    fc_penalty_desc how;
    fc_penalty_stats stats;
    fc_penalty found[4];
    fc_tet_change change = {0, {0, 1, 2, 3}}, two[2];
    fc_tet_node node;
    fc_body_mesh mesh = describe_sheet(&s);
    fc_shape shape;
    fc_debug_draw draw;
    fc_pose here = pose_at(0, 0, 0), off = pose_at(NAN, 0, 0);
    double point[3] = {0, 0, 0}, mad[3] = {0, NAN, 0}, distance = 7, depths[27], doubles[3 * 27];
    uint32_t count = 123, more = 5, k, c, index, nodes[2] = {0, 99};
    float value;
    fc_soft_info_default(&info);
    fc_penalty_desc_default(&how);
    fc_penalty_stats_default(&stats);
    fc_debug_draw_default(&draw);
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_BALL;
    shape.radius = 1;
    for (k = 0; k < 3 * 27; ++k) doubles[k] = m.positions[k];
    CHECK(fc_object_create(asset, NULL, &object) == FC_OK);

    /* Meshes. */
    FAILS(fc_soft_create(NULL, &soft), FC_ERROR_INVALID_ARGUMENT, "desc is NULL");
    desc = describe_soft(&m);
    FAILS(fc_soft_create(&desc, NULL), FC_ERROR_INVALID_ARGUMENT, "soft is NULL");
#define BAD_SOFT(change, status, words) \
    do { desc = describe_soft(&m); change; FAILS(fc_soft_create(&desc, &soft), (status), (words)); } while (0)
    BAD_SOFT(desc.struct_size = 3, FC_ERROR_INVALID_ARGUMENT, "fc_soft_desc_default()");
    BAD_SOFT(desc.flags = 2, FC_ERROR_INVALID_ARGUMENT, "desc.flags is 0x2");
    BAD_SOFT(desc.origin[2] = INFINITY, FC_ERROR_INVALID_ARGUMENT, "desc.origin");
    BAD_SOFT(desc.origin[2] = 2e9, FC_ERROR_INVALID_ARGUMENT, "within 1e9 m");
    BAD_SOFT(desc.positions = NULL, FC_ERROR_INVALID_ARGUMENT, "desc.positions is NULL");
    BAD_SOFT(desc.positions_double = doubles, FC_ERROR_INVALID_ARGUMENT, "give one of them");
    BAD_SOFT(desc.tets = NULL, FC_ERROR_INVALID_ARGUMENT, "desc.tets is NULL");
    BAD_SOFT(desc.tet_count = 0, FC_ERROR_INVALID_MESH, "at least one tet");
    BAD_SOFT(desc.node_count = 5, FC_ERROR_INVALID_MESH, "there are 5");
    BAD_SOFT(desc.node_count = 0xffffffffu, FC_ERROR_TOO_LARGE, "nodes");
    BAD_SOFT(desc.tet_count = 0xffffffffu, FC_ERROR_TOO_LARGE, "tets");
    BAD_SOFT(desc.position_stride = 4, FC_ERROR_INVALID_ARGUMENT, "stride of 4");
    BAD_SOFT(desc.tet_stride = 4, FC_ERROR_INVALID_ARGUMENT, "stride of 4");
    value = m.positions[7];
    m.positions[7] = NAN;
    BAD_SOFT((void)0, FC_ERROR_INVALID_ARGUMENT, "positions[2]");
    m.positions[7] = value;
    index = m.tets[5];
    m.tets[5] = m.tets[4];
    BAD_SOFT((void)0, FC_ERROR_INVALID_MESH, "uses a node twice");
    m.tets[5] = 27;
    BAD_SOFT((void)0, FC_ERROR_INVALID_MESH, "node 27");
    m.tets[5] = index;
    { /* A flat tetrahedron is refused, unless all are said to be right-handed: then it waits. */
        uint32_t flat[4] = {0, 1, 3, 4};
        desc = describe_soft(&m);
        desc.tets = flat;
        desc.tet_count = 1;
        FAILS(fc_soft_create(&desc, &soft), FC_ERROR_INVALID_MESH, "no volume");
        desc.flags = FC_SOFT_ORIENTED;
        CHECK(fc_soft_create(&desc, &gone) == FC_OK && fc_soft_get_info(gone, &info) == FC_OK && info.inverted_tets == 1);
        CHECK(fc_soft_destroy(gone) == FC_OK);
    }
    desc = describe_soft(&m);
    CHECK(soft.id == 0 && fc_soft_create(&desc, &soft) == FC_OK && fc_soft_create(&desc, &other) == FC_OK);

    /* Stale, null, an object in disguise, garbage. */
    for (k = 0; k < 4; ++k) {
        foreign = gone;
        if (k == 1) foreign = NO_SOFT;
        if (k == 2) foreign.id = object.id;
        if (k == 3) foreign.id = ~(uint64_t)0;
        FAILS(fc_soft_destroy(foreign), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_soft_update(foreign), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_soft_get_info(foreign, &info), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_soft_set_positions(foreign, m.positions, 27, 0), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_soft_set_positions_double(foreign, doubles, 27, 0), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_soft_set_tets(foreign, &change, 1, NULL, 0), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_soft_boundary(foreign, NULL, 0, &count), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_soft_depths(foreign, 0, NULL, 27, depths), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_soft_signed_distance(foreign, point, &distance, NULL), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_query_soft_pair(foreign, other, NULL, found, 4, &count), FC_ERROR_INVALID_HANDLE, "a is");
        FAILS(fc_query_soft_pair(other, foreign, NULL, found, 4, &count), FC_ERROR_INVALID_HANDLE, "b is");
        FAILS(fc_query_soft_object(foreign, object, &here, NULL, found, 4, &count), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_query_soft_shape(foreign, &shape, &here, NULL, found, 4, &count), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_query_soft_triangles(foreign, &mesh, NULL, found, 4, &count), FC_ERROR_INVALID_HANDLE, "soft");
        FAILS(fc_draw_soft(foreign, &draw), FC_ERROR_INVALID_HANDLE, "soft");
    }
    FAILS(fc_query_soft_object(soft, NO_OBJECT, &here, NULL, found, 4, &count), FC_ERROR_INVALID_HANDLE, "object is");
    FAILS(fc_object_tets(NO_OBJECT, &node, 1, &count, NULL, 0, &more), FC_ERROR_INVALID_HANDLE, "object is");
    FAILS(fc_object_tets(object, NULL, 1, &count, NULL, 0, &more), FC_ERROR_INVALID_ARGUMENT, "nodes is NULL");
    FAILS(fc_object_tets(object, NULL, 0, NULL, NULL, 0, &more), FC_ERROR_INVALID_ARGUMENT, "node_count is NULL");
    FAILS(fc_object_tets(object, NULL, 0, &count, NULL, 0, NULL), FC_ERROR_INVALID_ARGUMENT, "tet_count is NULL");
    convex_errors(object);

    /* Changes that are refused change nothing. */
    FAILS(fc_soft_set_positions(soft, NULL, 27, 0), FC_ERROR_INVALID_ARGUMENT, "positions is NULL");
    FAILS(fc_soft_set_positions(soft, m.positions, 26, 0), FC_ERROR_INVALID_ARGUMENT, "26 positions for 27 nodes");
    FAILS(fc_soft_set_positions(soft, m.positions, 27, 8), FC_ERROR_INVALID_ARGUMENT, "stride of 8");
    doubles[30] = NAN;
    FAILS(fc_soft_set_positions_double(soft, doubles, 27, 0), FC_ERROR_INVALID_ARGUMENT, "positions[10]");
    doubles[30] = 1e10;
    FAILS(fc_soft_set_positions_double(soft, doubles, 27, 0), FC_ERROR_INVALID_ARGUMENT, "within 1e9 m");
    FAILS(fc_soft_set_tets(soft, NULL, 1, NULL, 0), FC_ERROR_INVALID_ARGUMENT, "changes is NULL");
    FAILS(fc_soft_set_tets(soft, &change, 1, NULL, 1), FC_ERROR_INVALID_ARGUMENT, "nodes is NULL");
    FAILS(fc_soft_set_tets(soft, &change, 1, mad, 1), FC_ERROR_INVALID_ARGUMENT, "positions[0]");
    FAILS(fc_soft_set_tets(soft, &change, 0xffffffffu, NULL, 0), FC_ERROR_TOO_LARGE, "changes");
    change.tet = 500;
    FAILS(fc_soft_set_tets(soft, &change, 1, NULL, 0), FC_ERROR_INVALID_ARGUMENT, "tet 500");
    change.tet = 3;
    change.nodes[2] = 27;
    FAILS(fc_soft_set_tets(soft, &change, 1, NULL, 0), FC_ERROR_INVALID_MESH, "node 27");
    change.nodes[2] = change.nodes[1];
    FAILS(fc_soft_set_tets(soft, &change, 1, NULL, 0), FC_ERROR_INVALID_MESH, "uses a node twice");
    for (c = 0; c < 4; ++c) change.nodes[c] = m.tets[c]; /* those of the first */
    FAILS(fc_soft_set_tets(soft, &change, 1, NULL, 0), FC_ERROR_INVALID_MESH, "same side");
    two[0] = two[1] = change;
    FAILS(fc_soft_set_tets(soft, two, 2, NULL, 0), FC_ERROR_INVALID_ARGUMENT, "changed twice");
    CHECK(fc_soft_signed_distance(soft, point, &distance, NULL) == FC_OK && distance == -0.5); /* still up to date */
    CHECK(fc_soft_get_info(soft, &info) == FC_OK && info.node_count == 27 && info.tet_count == 48);
    distance = 7;

    /* Arguments. */
    FAILS(fc_soft_get_info(soft, NULL), FC_ERROR_INVALID_ARGUMENT, "info is NULL");
    info.struct_size = 1;
    FAILS(fc_soft_get_info(soft, &info), FC_ERROR_INVALID_ARGUMENT, "fc_soft_info_default()");
    FAILS(fc_soft_boundary(soft, NULL, 4, &count), FC_ERROR_INVALID_ARGUMENT, "triangles is NULL");
    FAILS(fc_soft_boundary(soft, NULL, 0, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
    FAILS(fc_soft_depths(soft, 3, NULL, 27, depths), FC_ERROR_INVALID_ARGUMENT, "method is 3");
    FAILS(fc_soft_depths(soft, 0, NULL, 26, depths), FC_ERROR_INVALID_ARGUMENT, "27 nodes");
    FAILS(fc_soft_depths(soft, 0, nodes, 2, depths), FC_ERROR_INVALID_ARGUMENT, "node 99");
    FAILS(fc_soft_depths(soft, 0, nodes, 2, NULL), FC_ERROR_INVALID_ARGUMENT, "depths is NULL");
    FAILS(fc_soft_signed_distance(soft, NULL, &distance, NULL), FC_ERROR_INVALID_ARGUMENT, "point is NULL");
    FAILS(fc_soft_signed_distance(soft, mad, &distance, NULL), FC_ERROR_INVALID_ARGUMENT, "point is");
    FAILS(fc_soft_signed_distance(soft, point, NULL, NULL), FC_ERROR_INVALID_ARGUMENT, "distance is NULL");
    FAILS(fc_query_soft_pair(soft, soft, NULL, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, "fc_scene");
    FAILS(fc_query_soft_pair(soft, other, NULL, NULL, 4, &count), FC_ERROR_INVALID_ARGUMENT, "penalties is NULL");
    FAILS(fc_query_soft_pair(soft, other, NULL, found, 4, NULL), FC_ERROR_INVALID_ARGUMENT, "count is NULL");
#define BAD_PENALTY(change, words) \
    do { fc_penalty_desc_default(&how); change; \
         FAILS(fc_query_soft_pair(soft, other, &how, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, (words)); \
         FAILS(fc_query_soft_object(soft, object, &here, &how, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, (words)); \
         FAILS(fc_query_soft_shape(soft, &shape, &here, &how, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, (words)); \
         FAILS(fc_query_soft_triangles(soft, &mesh, &how, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, (words)); } while (0)
    BAD_PENALTY(how.struct_size = 0, "fc_penalty_desc_default()");
    BAD_PENALTY(how.flags = 4, "desc.flags is 0x4");
    BAD_PENALTY(how.reserved = 2, "reserved 2");
    BAD_PENALTY(how.depths = 3, "desc.depths is 3");
    BAD_PENALTY(how.penetrating[0] = 4, "desc.penetrating[0] is 4");
    BAD_PENALTY(how.penetrating[1] = 9, "desc.penetrating[1] is 9");
    FAILS(fc_query_soft_object(soft, object, &off, NULL, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, "at.position");
    FAILS(fc_query_soft_object(soft, object, NULL, NULL, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, "at is NULL");
    FAILS(fc_query_soft_shape(soft, &shape, &off, NULL, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, "at.position");
    FAILS(fc_query_soft_shape(soft, NULL, &here, NULL, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, "shape is NULL");
    shape.radius = -1;
    FAILS(fc_query_soft_shape(soft, &shape, &here, NULL, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, "shape.radius");
    FAILS(fc_query_soft_triangles(soft, NULL, NULL, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, "mesh is NULL");
    s.triangles[4] = 99;
    FAILS(fc_query_soft_triangles(soft, &mesh, NULL, found, 4, &count), FC_ERROR_INVALID_MESH, "triangles[1]");
    s.triangles[4] = 0;
    s.positions[5] = NAN;
    FAILS(fc_query_soft_triangles(soft, &mesh, NULL, found, 4, &count), FC_ERROR_INVALID_ARGUMENT, "positions[1]");
    FAILS(fc_penalty_get_stats(NULL), FC_ERROR_INVALID_ARGUMENT, "stats is NULL");
    stats.struct_size = 2;
    FAILS(fc_penalty_get_stats(&stats), FC_ERROR_INVALID_ARGUMENT, "fc_penalty_stats_default()");
    FAILS(fc_draw_soft(soft, NULL), FC_ERROR_INVALID_ARGUMENT, "draw is NULL");
    FAILS(fc_draw_penalties(NULL, 1, &draw), FC_ERROR_INVALID_ARGUMENT, "penalties is NULL");
    CHECK(count == 123 && distance == 7 && more == 5);
    fc_soft_desc_init(NULL, 8);
    fc_penalty_desc_init(NULL, 8);
    CHECK(fc_soft_destroy(soft) == FC_OK && fc_soft_destroy(other) == FC_OK);
    CHECK(fc_object_destroy(object) == FC_OK && fc_asset_release(asset) == FC_OK);
    free_mesh(&m);
    free_sheet(&s);
}

int main(void) {
    handles();
    meshes();
    descriptors();
    arguments();
    sweeps();
    scenes();
    soft_bodies();
    CHECK(fc_live_handles() == 0);
    library();
    DONE("errors");
}
