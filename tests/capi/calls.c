/* Every call as it is meant to be used, against numbers that are known. */
#include "check.h"

static void versions(void) {
    char text[32];
    CHECK(fc_version() == FC_VERSION_MAJOR * 1000000 + FC_VERSION_MINOR * 1000 + FC_VERSION_PATCH);
    sprintf(text, "%d.%d.%d", FC_VERSION_MAJOR, FC_VERSION_MINOR, FC_VERSION_PATCH);
    CHECK(strcmp(text, fc_version_text()) == 0);
    CHECK(fc_abi_version() == FC_ABI_VERSION);
    CHECK(fc_abi_compatible(FC_ABI_VERSION) == 1);
    CHECK(fc_abi_compatible(FC_ABI_VERSION + 1) == 0);
    CHECK(strcmp(fc_status_name(FC_OK), "FC_OK") == 0);
    CHECK(strcmp(fc_status_name(FC_ERROR_CAPACITY), "FC_ERROR_CAPACITY") == 0);
    CHECK(strcmp(fc_status_name(12345), "unknown status") == 0);
    CHECK(strcmp(fc_last_error(), "no call of this thread has failed") == 0);
}

static int progress_calls = 0;
static float progress_most = 0;
static void progress(float done, void *user_data) {
    CHECK(user_data == &progress_calls);
    ++progress_calls;
    if (done > progress_most) progress_most = done;
}

static int log_calls = 0;
static char log_text[256];
static void log_it(uint32_t level, const char *message, void *user_data) {
    CHECK(level == FC_LOG_WARNING && user_data == log_text);
    ++log_calls;
    strncpy(log_text, message, sizeof log_text - 1);
}

static void assets(void) {
    mesh m = box_mesh(4, 1.0f);
    fc_asset_desc desc = describe(&m);
    fc_asset asset = {0}, strided = {0};
    fc_asset_info info, other;
    fc_skin_triangle triangles[192], few[2];
    float *wide = (float *)calloc(m.node_count + 1, 5 * sizeof(float));
    uint32_t k, count = 0;

    fc_asset_info_default(&info);
    fc_asset_info_default(&other);
    desc.progress = progress;
    desc.user_data = &progress_calls;
    CHECK(fc_asset_create(&desc, &asset) == FC_OK);
    CHECK(asset.id != 0 && progress_calls > 0 && progress_most == 1.0f);
    CHECK(fc_asset_get_info(asset, &info) == FC_OK);
    CHECK(info.struct_size == sizeof info && info.warnings == 0);
    CHECK(info.node_count == 125 && info.tet_count == 384 && info.skin_triangle_count == 192 && info.body_count == 1);
    NEAR(info.radius, sqrt(3.0) / 2, 1e-12);
    CHECK(info.surface_to_tets == -1 && info.tets_to_surface == -1); /* tetrahedra were given */
    CHECK(info.mean_edge > 0.25 && info.mean_edge < 0.44 && info.thinnest_wall > 0.9 && info.bytes > 10000);

    CHECK(fc_asset_skin(asset, NULL, 0, &count) == FC_INCOMPLETE && count == 192);
    CHECK(fc_asset_skin(asset, few, 2, &count) == FC_INCOMPLETE && count == 192);
    CHECK(fc_asset_skin(asset, triangles, 192, &count) == FC_OK && count == 192);
    CHECK(memcmp(few, triangles, sizeof few) == 0);
    for (k = 0; k < count; ++k) {
        /* Outwards: the normal looks away from the middle of the box. */
        const float *a = m.positions + 3 * triangles[k].nodes[0], *b = m.positions + 3 * triangles[k].nodes[1],
                    *c = m.positions + 3 * triangles[k].nodes[2];
        float u[3], v[3], out;
        int i;
        for (i = 0; i < 3; ++i) { u[i] = b[i] - a[i]; v[i] = c[i] - a[i]; }
        out = (u[1] * v[2] - u[2] * v[1]) * a[0] + (u[2] * v[0] - u[0] * v[2]) * a[1] + (u[0] * v[1] - u[1] * v[0]) * a[2];
        CHECK(out > 0 && triangles[k].tet < 384);
    }

    /* The engine's own vertex layout, and a node that nobody uses: another warning, the same asset. */
    for (k = 0; k < m.node_count; ++k) memcpy(wide + 5 * k, m.positions + 3 * k, 3 * sizeof(float));
    desc.positions = wide;
    desc.position_stride = 5 * sizeof(float);
    desc.node_count = m.node_count + 1;
    desc.progress = NULL;
    CHECK(fc_set_log(log_it, log_text) == FC_OK);
    CHECK(fc_asset_create(&desc, &strided) == FC_OK);
    CHECK(log_calls == 1 && strstr(log_text, "1 nodes belong to no tetrahedron") != NULL);
    CHECK(fc_set_log(NULL, NULL) == FC_OK);
    CHECK(fc_asset_get_info(strided, &other) == FC_OK);
    CHECK(other.warnings == FC_WARNING_UNUSED_NODES && other.hash == info.hash && other.node_count == 125);
    CHECK(fc_live_handles() == 2);
    CHECK(fc_asset_release(strided) == FC_OK && fc_asset_release(asset) == FC_OK);
    CHECK(fc_live_handles() == 0);
    free(wide);
    free_mesh(&m);
}

static void objects(void) {
    fc_asset asset = cook_box(4, 1.0f);
    fc_object_desc desc;
    fc_object object = {0}, twin = {0}, large = {0};
    fc_object_info info;
    fc_aabb box;
    fc_mass mass;
    fc_pose turned = pose_at(10, 0, 0), here = pose_at(0, 0, 0);
    fc_ray_hit hit;
    double point[3] = {0, 0, 0}, distance = 0, origin[3] = {-3, 0.1, 0.2};
    float outward[3], x[3] = {2, 0, 0};
    uint64_t hash = 0, other = 0, data = 0;
    int k;

    fc_object_desc_default(&desc);
    desc.user_data = 77;
    CHECK(fc_object_create(asset, &desc, &object) == FC_OK);
    CHECK(fc_object_create(asset, NULL, &twin) == FC_OK);
    desc.scale = 2;
    CHECK(fc_object_create(asset, &desc, &large) == FC_OK);
    CHECK(fc_asset_release(asset) == FC_OK); /* objects do not need the handle */

    fc_object_info_default(&info);
    CHECK(fc_object_get_info(object, &info) == FC_OK);
    CHECK(info.is_fragment == 0 && info.piece == 0 && info.node_count == 125 && info.crack_point_count == 0);
    CHECK(info.scale == 1 && info.user_data == 77);
    CHECK(fc_object_set_user_data(object, 78) == FC_OK);
    CHECK(fc_object_get_user_data(object, &data) == FC_OK && data == 78);

    CHECK(fc_object_bounds(object, NULL, &box) == FC_OK);
    for (k = 0; k < 3; ++k) { NEAR(box.min[k], -0.5, 1e-12); NEAR(box.max[k], 0.5, 1e-12); }
    turned.rotation[2] = turned.rotation[3] = 0.38268343f; /* 45 degrees about z, once normalised */
    turned.rotation[3] = 0.9238795f;
    CHECK(fc_object_bounds(large, &turned, &box) == FC_OK);
    NEAR(box.max[0], 10 + sqrt(2.0), 1e-6);
    NEAR(box.min[2], -1, 1e-12);

    CHECK(fc_object_mass(object, &mass) == FC_OK);
    NEAR(mass.volume, 1, 1e-12);
    NEAR(mass.mass, 1000, 1e-9);
    NEAR(mass.centre[0], 0, 1e-12);
    NEAR(mass.inertia[0], 1000.0 / 6, 1e-9);
    NEAR(mass.inertia[3], 0, 1e-9);
    CHECK(fc_object_mass(large, &mass) == FC_OK);
    NEAR(mass.mass, 8000, 1e-8);
    NEAR(mass.inertia[1], 8000.0 * 4 / 6, 1e-7);

    CHECK(fc_object_signed_distance(object, &here, point, &distance, NULL) == FC_OK);
    NEAR(distance, -0.5, 0.03);
    point[0] = 2;
    CHECK(fc_object_signed_distance(object, &here, point, &distance, outward) == FC_OK);
    NEAR(distance, 1.5, 1e-5);
    NEAR(outward[0], 1, 1e-5);
    CHECK(fc_object_signed_distance(large, &here, point, &distance, outward) == FC_OK);
    NEAR(distance, 1, 1e-5);

    CHECK(fc_object_ray_cast(object, &here, origin, x, INFINITY, &hit) == FC_OK);
    NEAR(hit.distance, 2.5, 1e-9);
    NEAR(hit.normal[0], -1, 1e-6);
    CHECK(hit.face == FC_FACE_SKIN && hit.source < 192);
    CHECK(fc_object_ray_cast(large, &here, origin, x, 10, &hit) == FC_OK);
    NEAR(hit.distance, 2, 1e-9);
    CHECK(fc_object_ray_cast(object, &here, origin, x, 2.4, &hit) == FC_NO_HIT);
    x[0] = -2;
    CHECK(fc_object_ray_cast(object, &here, origin, x, INFINITY, &hit) == FC_NO_HIT);

    CHECK(fc_object_state_hash(object, &hash) == FC_OK && fc_object_state_hash(twin, &other) == FC_OK && hash == other);
    CHECK(fc_object_state_hash(large, &other) == FC_OK && hash != other);
    CHECK(fc_object_destroy(object) == FC_OK && fc_object_destroy(twin) == FC_OK && fc_object_destroy(large) == FC_OK);
}

static double surface_volume(fc_object object, uint32_t *cracks) {
    uint32_t vertices = 0, triangles = 0, k;
    float *p;
    fc_triangle *t;
    double six = 0;
    CHECK(fc_object_surface(object, NULL, 0, &vertices, NULL, 0, &triangles) == FC_INCOMPLETE);
    p = (float *)malloc(vertices * 3 * sizeof(float));
    t = (fc_triangle *)malloc(triangles * sizeof *t);
    CHECK(fc_object_surface(object, p, vertices, &vertices, t, triangles, &triangles) == FC_OK);
    *cracks = 0;
    for (k = 0; k < triangles; ++k) {
        const float *a = p + 3 * t[k].corners[0], *b = p + 3 * t[k].corners[1], *c = p + 3 * t[k].corners[2];
        six += (double)a[0] * (b[1] * c[2] - b[2] * c[1]) + (double)a[1] * (b[2] * c[0] - b[0] * c[2]) +
               (double)a[2] * (b[0] * c[1] - b[1] * c[0]);
        *cracks += t[k].face == FC_FACE_CRACK;
        if (t[k].face == FC_FACE_SKIN) {
            CHECK(t[k].coordinates[0][0] >= 0 && t[k].coordinates[0][0] + t[k].coordinates[0][1] <= 1.00001f);
        }
    }
    free(p);
    free(t);
    return six / 6;
}

/* Breaks an object by a pattern; the pieces must be the whole. Returns how many there are, and destroys them. */
static uint32_t breaks(fc_object object, const fc_fracture_desc *desc, const char *pattern) {
    fc_object pieces[512];
    fc_fracture_info info;
    fc_adjacency pairs[4096];
    fc_mass whole, part;
    uint32_t count = 0, bound = 0, k, pair_count = 0, cracks = 0;
    double volume = 0;
    fc_fracture_info_default(&info);
    CHECK(fc_fracture_bound(object, desc, &bound) == FC_OK);
    CHECK(bound == (desc->max_fragments != 0 ? desc->max_fragments : 4194304));
    CHECK(fc_fracture(object, desc, pieces, 512, &count, &info) == FC_OK);
    CHECK(count > 1 && count <= bound && info.fragment_count == count);
    CHECK(fc_object_mass(object, &whole) == FC_OK);
    for (k = 0; k < count; ++k) {
        fc_object_info about;
        fc_object_info_default(&about);
        CHECK(fc_object_get_info(pieces[k], &about) == FC_OK);
        CHECK(about.is_fragment == 1 && about.piece == k && about.user_data == 5);
        CHECK(fc_object_mass(pieces[k], &part) == FC_OK);
        NEAR(surface_volume(pieces[k], &cracks) / whole.volume, part.volume / whole.volume, 1e-5);
        CHECK(cracks > 0);
        volume += part.volume;
    }
    NEAR(volume / whole.volume, 1, 1e-9);
    CHECK(fc_object_adjacency(pieces[0], NULL, 0, &pair_count) == FC_INCOMPLETE && pair_count >= count - 1);
    CHECK(fc_object_adjacency(pieces[0], pairs, 4096, &pair_count) == FC_OK);
    for (k = 0; k < pair_count; ++k) CHECK(pairs[k].pieces[0] < pairs[k].pieces[1] && pairs[k].area > 0);
    {
        /* Just fractured, neighbours touch, and nothing is in anything. */
        const fc_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
        fc_contact contacts[64];
        uint32_t found;
        CHECK(fc_query_pair(pieces[pairs[0].pieces[0]], &here, pieces[pairs[0].pieces[1]], &here, NULL, contacts, 64, &found) == FC_OK);
        for (k = 0; k < found; ++k) NEAR(contacts[k].depth, 0, 1e-4);
    }
    for (k = 0; k < count; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK);
    printf("%s: %u fragments, %u cracks between them\n", pattern, (unsigned)count, (unsigned)pair_count);
    return count;
}

static void fractures(void) {
    fc_asset asset = cook_box(5, 1.0f);
    fc_object_desc desc;
    fc_object object = {0}, piece[2];
    fc_fracture_desc how;
    fc_fracture_info info;
    float planes[8] = {2, 0, 0, 0.1f, 0, 1, 0, 0.05f}, seeds[12] = {-0.6f, 0, 0, 0.6f, 0.1f, 0, 0, 0.7f, 0.1f, 0, 0, 0.6f};
    uint32_t labels[216], count = 0, k, scaled;
    fc_node_gap gap = {0, 1, 0.03};
    fc_edge_cut cut = {{0, 1}, 0.3};
    const uint32_t groups[4] = {7, 9, 7, 9};
    float metric[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    fc_mass mass;

    fc_object_desc_default(&desc);
    desc.user_data = 5;
    for (scaled = 0; scaled < 2; ++scaled) {
        float s = scaled ? 3.0f : 1.0f;
        desc.scale = s;
        CHECK(fc_object_create(asset, &desc, &object) == FC_OK);
        fc_fracture_desc_default(&how);
        how.pattern = FC_PATTERN_PLANES;
        how.values = planes;
        how.value_count = 1;
        planes[3] = 0.1f * s; /* 2x = 0.1 s: a plane at 0.05 s */
        CHECK(breaks(object, &how, "a plane") == 2);
        CHECK(fc_fracture(object, &how, piece, 2, &count, NULL) == FC_OK && count == 2);
        CHECK(fc_object_mass(piece[0], &mass) == FC_OK);
        NEAR(mass.volume / (s * s * s), mass.centre[0] < 0 ? 0.55 : 0.45, 1e-5);
        CHECK(fc_object_destroy(piece[0]) == FC_OK && fc_object_destroy(piece[1]) == FC_OK);
        planes[7] = 0.05f * s;
        how.value_count = 2;
        CHECK(breaks(object, &how, "two planes") == 4);
        how.pattern = FC_PATTERN_VORONOI;
        how.values = seeds;
        how.value_count = 4;
        CHECK(breaks(object, &how, "seeds") == 4);
        how.groups = groups;
        CHECK(breaks(object, &how, "seeds in two groups") == 2);
        CHECK(fc_fracture(object, &how, piece, 2, &count, NULL) == FC_OK && count == 2);
        for (k = 0; k < 2; ++k) {
            fc_object_info of_piece;
            fc_object_info_default(&of_piece);
            CHECK(fc_object_get_info(piece[k], &of_piece) == FC_OK && of_piece.kind == FC_KIND_UNION && of_piece.cell == (k ? 9u : 7u));
            CHECK(fc_object_destroy(piece[k]) == FC_OK);
        }
        how.groups = NULL;
        how.metric = metric;
        metric[8] = 0;
        CHECK(fc_fracture(object, &how, piece, 2, &count, NULL) == FC_ERROR_INVALID_ARGUMENT); /* it has no inverse */
        metric[8] = 0.5f;
        CHECK(breaks(object, &how, "seeds in a metric") == 4);
        how = random_cells(12, 3);
        CHECK(breaks(object, &how, "random cells") >= 12);
        how.roughness = 0.03f;
        CHECK(breaks(object, &how, "rough cells") >= 12);
        how.roughness = 0.05f; /* the limit, which is a little above 0.05 as a float */
        CHECK(breaks(object, &how, "very rough cells") >= 12);
        how.max_fragments = 5;
        CHECK(breaks(object, &how, "at most five") <= 5);
        fc_fracture_desc_default(&how);
        how.pattern = FC_PATTERN_IMPACT;
        how.impact_point[0] = 0.5f * s;
        how.impact_direction[0] = -1;
        how.impact_radius = 0.6f * s;
        how.count = 10;
        CHECK(breaks(object, &how, "a blow") > 3);
        fc_fracture_desc_default(&how);
        how.pattern = FC_PATTERN_LABELS;
        how.labels = labels;
        how.label_count = 216;
        for (k = 0; k < 216; ++k) labels[k] = k % 6 < 3 ? 40 : 50;
        CHECK(breaks(object, &how, "labels") == 2);
        how.gaps = &gap;
        how.gap_count = 1;
        CHECK(breaks(object, &how, "labels with gaps") == 2);
        how.gap_count = 0;
        how.edge_cuts = &cut;
        how.edge_cut_count = 1;
        CHECK(breaks(object, &how, "labels with edge cuts") == 2);
        for (k = 0; k < 216; ++k) labels[k] = 40;
        how.edge_cut_count = 0;
        fc_fracture_info_default(&info);
        CHECK(fc_fracture(object, &how, NULL, 0, &count, &info) == FC_UNCHANGED && count == 0 && info.fragment_count == 0);
        CHECK(fc_object_destroy(object) == FC_OK);
    }
    CHECK(fc_asset_release(asset) == FC_OK);
}

/* Whether a point is behind all planes, and no nearer to one than `within`: then -1 or 1, else 0. */
static int side_of_planes(const fc_plane *planes, uint32_t count, const double *at, double within) {
    double most = -1;
    uint32_t k;
    for (k = 0; k < count; ++k) {
        const float *n = planes[k].normal;
        double above = n[0] * at[0] + n[1] * at[1] + n[2] * at[2] - planes[k].offset;
        if (above > most) most = above;
    }
    return fabs(most) < within ? 0 : most < 0 ? -1 : 1;
}

/* Half the diagonal of its box. */
static double radius_of(fc_object object) {
    fc_aabb box;
    double squared = 0;
    int k;
    CHECK(fc_object_bounds(object, NULL, &box) == FC_OK);
    for (k = 0; k < 3; ++k) squared += (box.max[k] - box.min[k]) * (box.max[k] - box.min[k]);
    return sqrt(squared) / 2;
}

static void planes_of_fragments(void) {
    enum { CELLS = 12, MOST = 64 };
    fc_asset asset = cook_box(3, 1.0f);
    fc_object_desc desc;
    fc_object object = {0}, pieces[64], parts[64];
    fc_fracture_desc how = random_cells(CELLS, 3);
    fc_fracture_info told;
    fc_object_info info;
    fc_pose here = pose_at(0, 0, 0);
    static fc_plane planes[CELLS + 4][MOST];
    fc_plane few[1];
    double smallest = 9;
    uint32_t counts[CELLS + 4], count = 0, made = 0, all = 0, k, i, j, inside = 0, faces = 0, older = 0;
    fc_hull hull = {0};

    fc_object_desc_default(&desc);
    desc.scale = 2;
    CHECK(fc_object_create(asset, &desc, &object) == FC_OK);
    fc_object_info_default(&info);
    CHECK(fc_object_get_info(object, &info) == FC_OK && info.kind == FC_KIND_CELL && info.plane_count == 0);
    CHECK(fc_object_get_planes(object, NULL, 0, &count) == FC_OK && count == 0);
    CHECK(fc_fracture(object, &how, pieces, 64, &made, NULL) == FC_OK && made == CELLS);
    for (k = 0; k < made; ++k) {
        CHECK(fc_object_get_planes(pieces[k], NULL, 0, &count) == FC_INCOMPLETE && count >= 3);
        CHECK(fc_object_get_planes(pieces[k], few, 1, &count) == FC_INCOMPLETE);
        CHECK(fc_object_get_planes(pieces[k], planes[k], MOST, &counts[k]) == FC_OK && counts[k] == count);
        CHECK(memcmp(few, planes[k], sizeof few) == 0);
        CHECK(fc_object_get_info(pieces[k], &info) == FC_OK && info.kind == FC_KIND_CELL && info.plane_count == count);
        if (radius_of(pieces[k]) < smallest) smallest = radius_of(pieces[k]);
    }
    for (k = 0; k < made; ++k) {
        for (i = 0; i < counts[k]; ++i) {
            /* What is a face here is one there, turned round. */
            const fc_plane *plane = &planes[k][i], *back = NULL;
            double length = 0;
            for (j = 0; j < 3; ++j) length += (double)plane->normal[j] * plane->normal[j];
            NEAR(length, 1, 1e-6);
            if (!plane->has_face) continue;
            ++faces;
            CHECK(plane->neighbour < made && plane->neighbour != k);
            for (j = 0; j < counts[plane->neighbour]; ++j)
                if (planes[plane->neighbour][j].neighbour == k) back = &planes[plane->neighbour][j];
            CHECK(back != NULL && back->has_face == 1);
            if (back == NULL) continue;
            for (j = 0; j < 3; ++j) NEAR(back->normal[j], -plane->normal[j], 1e-6);
            NEAR(back->offset, -plane->offset, 1e-6);
        }
        /* The body is a box, so that a point of it is inside if it is behind all planes. */
        for (i = 0; i < 1000; ++i) {
            const double at[3] = {-0.95 + 1.9 * (i % 10) / 9, -0.95 + 1.9 * (i / 10 % 10) / 9, -0.95 + 1.9 * (i / 100) / 9};
            const int side = side_of_planes(planes[k], counts[k], at, 1e-4);
            double distance = 0;
            CHECK(fc_object_signed_distance(pieces[k], &here, at, &distance, NULL) == FC_OK);
            if (side != 0) CHECK(side < 0 ? distance < 0 : distance > 0);
            inside += side < 0;
        }
    }
    CHECK(faces > 2 * CELLS && inside > 900 && inside <= 1000);
    /* With the sides of the box they are a hull, as they are. */
    for (i = 0; i < 6; ++i) {
        fc_plane *side = &planes[0][counts[0] + i];
        memset(side, 0, sizeof *side);
        side->normal[i / 2] = i % 2 ? 1.0f : -1.0f;
        side->offset = 1;
    }
    CHECK(fc_hull_create(planes[0][0].normal, counts[0] + 6, sizeof **planes, &hull) == FC_OK);
    CHECK(fc_hull_destroy(hull) == FC_OK);

    /* Again: cracks of the first event are planes too, and nobody of the second is behind them. */
    how = random_cells(4, 1);
    CHECK(fc_fracture(pieces[0], &how, parts, 64, &all, NULL) == FC_OK && all == 4);
    for (k = 0; k < all; ++k) {
        CHECK(fc_object_get_planes(parts[k], planes[k], MOST, &count) == FC_OK && count >= 3);
        for (i = 0; i < count; ++i) older += planes[k][i].has_face && planes[k][i].neighbour == FC_NONE;
        CHECK(fc_object_destroy(parts[k]) == FC_OK);
    }
    CHECK(older >= 3);

    /* Rough cells, labels and unions have no planes. */
    how = random_cells(6, 1);
    how.roughness = 0.02f;
    CHECK(fc_fracture(object, &how, parts, 64, &all, NULL) == FC_OK);
    for (k = 0; k < all; ++k) {
        CHECK(fc_object_get_info(parts[k], &info) == FC_OK && info.kind == FC_KIND_ROUGH && info.plane_count == 0);
        CHECK(fc_object_get_planes(parts[k], NULL, 0, &count) == FC_OK && count == 0);
        CHECK(fc_object_destroy(parts[k]) == FC_OK);
    }
    how = random_cells(CELLS, 3);
    how.min_radius = (float)(1.01 * smallest);
    fc_fracture_info_default(&told);
    CHECK(fc_fracture(object, &how, parts, 64, &all, &told) == FC_OK);
    CHECK(all < CELLS && told.crumbs_joined == CELLS - all && told.vanished_cells == 0);
    for (k = i = 0; k < all; ++k) {
        CHECK(fc_object_get_info(parts[k], &info) == FC_OK);
        if (info.kind == FC_KIND_UNION) {
            ++i;
            CHECK(info.plane_count == 0 && fc_object_get_planes(parts[k], NULL, 0, &count) == FC_OK && count == 0);
        } else {
            CHECK(info.kind == FC_KIND_CELL && info.plane_count >= 3);
        }
        CHECK(radius_of(parts[k]) >= 1.009 * smallest);
        CHECK(fc_object_destroy(parts[k]) == FC_OK);
    }
    CHECK(i > 0);
    for (k = 0; k < made; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK);

    /* Far more cells than the mesh has nodes: each is a fragment, as long as there are not too many regions. */
    how = random_cells(200, 1);
    {
        fc_object many[256];
        uint32_t without = 0;
        CHECK(fc_fracture(object, &how, many, 256, &made, NULL) == FC_OK && made == 200);
        for (k = 0; k < made; ++k) {
            CHECK(fc_object_get_info(many[k], &info) == FC_OK);
            without += info.node_count == 0;
            CHECK(fc_object_destroy(many[k]) == FC_OK);
        }
        CHECK(without >= 200 - 64);
        how.max_regions = 500;
        made = 9;
        FAILS(fc_fracture(object, &how, many, 256, &made, NULL), FC_ERROR_TOO_LARGE, "max_regions");
        CHECK(made == 9 && fc_live_handles() == 2);
    }

    /* A blow without a radius has half that of the object, half the diagonal of its box. */
    {
        fc_object parts[2][64];
        uint32_t counts[2];
        fc_aabb box;
        double squares = 0;
        CHECK(fc_object_bounds(object, NULL, &box) == FC_OK);
        for (k = 0; k < 3; ++k) squares += (box.max[k] - box.min[k]) * (box.max[k] - box.min[k]);
        for (k = 0; k < 2; ++k) {
            fc_fracture_desc_default(&how);
            how.pattern = FC_PATTERN_IMPACT;
            how.impact_point[0] = (float)box.max[0];
            how.impact_radius = k == 0 ? 0.0f : (float)(sqrt(squares) / 4);
            CHECK(fc_fracture(object, &how, parts[k], 64, &counts[k], NULL) == FC_OK && counts[k] > 2);
        }
        CHECK(counts[0] == counts[1]);
        for (k = 0; k < counts[0] && k < counts[1]; ++k) {
            fc_mass a, b;
            CHECK(fc_object_mass(parts[0][k], &a) == FC_OK && fc_object_mass(parts[1][k], &b) == FC_OK);
            NEAR(a.volume, b.volume, 1e-4 * b.volume);
        }
        for (k = 0; k < counts[0]; ++k) CHECK(fc_object_destroy(parts[0][k]) == FC_OK);
        for (k = 0; k < counts[1]; ++k) CHECK(fc_object_destroy(parts[1][k]) == FC_OK);
    }
    CHECK(fc_object_destroy(object) == FC_OK && fc_asset_release(asset) == FC_OK);
}

static double slope(const double *point, double *outward, void *user_data) {
    outward[0] = outward[1] = 0;
    outward[2] = 3;
    return point[2] - *(const double *)user_data;
}

/* An object as a field: a callback may ask the library. */
static double like_object(const double *point, double *outward, void *user_data) {
    fc_pose here = pose_at(0, 0, 0);
    double distance = 0;
    float way[3] = {0, 0, 0};
    uint32_t count = 0;
    int k;
    CHECK(fc_object_signed_distance(*(const fc_object *)user_data, &here, point, &distance, way) == FC_OK);
    CHECK(fc_query_pair(*(const fc_object *)user_data, &here, *(const fc_object *)user_data, &here, NULL, NULL, 0, &count) >= 0);
    for (k = 0; k < 3; ++k) outward[k] = way[k];
    return distance;
}

static void queries(void) {
    fc_asset asset = cook_box(4, 1.0f);
    fc_object a = {0}, b = {0}, large = {0};
    fc_object_desc desc;
    fc_query_desc how;
    fc_query_stats stats;
    fc_contact contacts[64], swapped[64], first[2];
    fc_feature feature;
    fc_pose up = pose_at(0, 0, 0.99), here = pose_at(0, 0, 0), far = pose_at(1e7, 0, 0), far_up = pose_at(1e7, 0, 0.99);
    fc_shape shape;
    fc_hull hull = {0};
    float six[24] = {1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 2, 1, 0, 0, -1, 0.5f};
    double level = 0.5;
    uint32_t count = 0, other = 0, all = 0, few = 0, of_b, k, mode;

    fc_object_desc_default(&desc);
    CHECK(fc_object_create(asset, NULL, &a) == FC_OK && fc_object_create(asset, NULL, &b) == FC_OK);
    desc.scale = 2;
    CHECK(fc_object_create(asset, &desc, &large) == FC_OK);

    CHECK(fc_query_pair(a, &up, b, &here, NULL, contacts, 64, &count) == FC_OK);
    CHECK(count >= 4 && count <= 64);
    for (k = 0; k < count; ++k) {
        /* Points of the rim are on two faces at once, at depth zero sideways. */
        CHECK(contacts[k].depth <= 0.0101f && contacts[k].depth >= 0);
        CHECK(contacts[k].point[2] < -0.48f && contacts[k].point[2] > -0.51f); /* from A's position */
        CHECK(fc_object_feature(contacts[k].feature >> 31 ? b : a, contacts[k].feature, &feature) == FC_OK);
        CHECK(feature.face == FC_FACE_SKIN && feature.node < 125 && feature.source < 192);
        NEAR(fabs(feature.position[2]), 0.5, 1e-9);
    }
    NEAR(contacts[0].depth, 0.01, 1e-6);
    NEAR(contacts[0].normal[2], 1, 1e-6);
    CHECK(fc_query_pair(b, &here, a, &up, NULL, swapped, 64, &other) == FC_OK && other == count);
    NEAR(swapped[0].normal[2], -1, 1e-6);
    CHECK((swapped[0].feature ^ contacts[0].feature) == 0x80000000u);
    CHECK(fc_query_pair(a, &up, b, &here, NULL, first, 2, &other) == FC_INCOMPLETE && other == count);
    CHECK(memcmp(first, contacts, sizeof first) == 0);
    CHECK(fc_query_pair(a, &up, b, &here, NULL, NULL, 0, &other) == FC_INCOMPLETE && other == count);
    CHECK(fc_query_pair(a, &far_up, b, &far, NULL, swapped, 64, &other) == FC_OK && other == count);
    CHECK(memcmp(swapped, contacts, count * sizeof *contacts) == 0); /* a world may be large */

    fc_query_desc_default(&how);
    for (mode = FC_MODE_TARGET_THEN_DEEPER; mode <= FC_MODE_FULL; ++mode) {
        how.mode = mode;
        how.flags = FC_QUERY_TIMED;
        CHECK(fc_query_pair(a, &up, b, &here, &how, swapped, 64, &other) == FC_OK && other > 0);
        fc_query_stats_default(&stats);
        CHECK(fc_query_get_stats(&stats) == FC_OK);
        CHECK(stats.pairs == 1 && stats.found == other + stats.left_out && stats.nanoseconds > 0);
        CHECK(stats.evaluations > 0 && stats.points_tested > 0 && stats.spheres_visited > 0);
        if (mode == FC_MODE_EXACTLY) CHECK(other <= 8);
    }
    how.max_contacts = 3;
    CHECK(fc_query_pair(a, &up, b, &here, &how, swapped, 64, &other) == FC_OK && other == 3);
    CHECK(fc_query_get_stats(&stats) == FC_OK && stats.left_out == stats.found - 3);

    /* Box on box: most normals are alike. A reduced query is the same as a query that is reduced. */
    fc_query_desc_default(&how);
    how.mode = FC_MODE_FULL;
    how.target_contacts = 64;
    how.max_per_normal = 0;
    CHECK(fc_query_pair(a, &up, b, &here, &how, swapped, 64, &all) == FC_OK && all > 8 && all <= 64);
    how.max_per_normal = 4;
    how.max_contacts = 6;
    CHECK(fc_query_pair(a, &up, b, &here, &how, first, 2, &other) == FC_INCOMPLETE && other >= 4 && other <= 6);
    CHECK(fc_query_get_stats(&stats) == FC_OK && stats.found == all && stats.left_out == all - other);
    CHECK(fc_reduce_contacts(swapped, all, 4, 6, NULL, 0, &few) == FC_INCOMPLETE && few == other);
    CHECK(fc_reduce_contacts(swapped, all, 4, 6, swapped, 64, &few) == FC_OK && few == other);
    CHECK(memcmp(&swapped[0], &first[0], sizeof *first) == 0);
    CHECK(fc_reduce_contacts(swapped, few, 0, 0, swapped, 64, &other) == FC_OK && other == few);
    CHECK(fc_reduce_contacts(NULL, 0, 4, 6, NULL, 0, &other) == FC_OK && other == 0);
    fc_query_desc_default(&how);
    how.flags = FC_QUERY_ORIGIN;
    how.origin[2] = -4;
    CHECK(fc_query_pair(a, &up, b, &here, &how, swapped, 64, &other) == FC_OK);
    NEAR(swapped[0].point[2], contacts[0].point[2] + 0.99 + 4, 1e-5);
    how.flags = 0;
    up.position[2] = 1.05;
    CHECK(fc_query_pair(a, &up, b, &here, &how, swapped, 64, &other) == FC_OK && other == 0);
    how.margin = 0.1f;
    CHECK(fc_query_pair(a, &up, b, &here, &how, swapped, 64, &other) == FC_OK && other > 3);
    NEAR(swapped[0].depth, -0.05, 1e-5);

    /* Bodies of different size: the large one reaches up to 1. */
    up.position[2] = 1.49;
    CHECK(fc_query_pair(a, &up, large, &here, NULL, swapped, 64, &other) == FC_OK && other > 3);
    NEAR(swapped[0].depth, 0.01, 1e-5);
    NEAR(swapped[0].normal[2], 1, 1e-5);
    CHECK(fc_query_pair(large, &here, a, &up, NULL, contacts, 64, &count) == FC_OK && other == count);
    NEAR(contacts[0].depth, 0.01, 1e-5);

    /* Shapes: the top of each is at 0.5 below the box, which sits at 0.99. */
    up.position[2] = 0.99;
    for (k = FC_SHAPE_HALF_SPACE; k <= FC_SHAPE_FIELD; ++k) {
        fc_pose below = pose_at(0, 0, 0);
        fc_shape_default(&shape);
        shape.kind = k;
        shape.offset = shape.radius = 0.5f;
        shape.half_extents[0] = shape.half_extents[1] = 2;
        shape.half_extents[2] = 0.5f;
        shape.ends[0][0] = -0.25f;
        shape.ends[1][0] = 0.25f;
        shape.field = slope;
        shape.user_data = &level;
        if (k == FC_SHAPE_HULL) CHECK(fc_hull_create(six, 6, 0, &hull) == FC_OK);
        shape.hull = hull;
        CHECK(fc_query_shape(a, &up, &shape, &below, NULL, contacts, 64, &count) == FC_OK && count > 0);
        NEAR(contacts[0].depth, 0.01, 1e-5);
        NEAR(contacts[0].normal[2], 1, 1e-5);
        for (of_b = other = 0; other < count; ++other) of_b += contacts[other].feature >> 31;
        CHECK((of_b > 0) == (k == FC_SHAPE_BALL || k == FC_SHAPE_CAPSULE)); /* the corners of the others are aside */
        CHECK(fc_query_shape(large, &up, &shape, &below, NULL, contacts, 64, &count) == FC_OK && count > 0);
        /* The large box reaches down to -0.01: 0.51 below the top of endless shapes, 0.49 above the bottom of the others. */
        if (k == FC_SHAPE_HALF_SPACE || k == FC_SHAPE_FIELD) NEAR(contacts[0].depth, 0.51, 1e-5);
        if (k == FC_SHAPE_BOX || k == FC_SHAPE_HULL) NEAR(contacts[0].depth, 0.49, 1e-5);
    }
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_FIELD;
    shape.field = like_object;
    shape.user_data = &b;
    CHECK(fc_query_shape(a, &up, &shape, &here, NULL, contacts, 64, &count) == FC_OK && count > 3);
    NEAR(contacts[0].depth, 0.01, 1e-5);
    /* A vertex of a terrain below the middle of a face, given with what else a vertex has. */
    {
        const float vertices[] = {9, 9, 9, 1, 0.05f, 0.03f, 0.5f, 1};
        fc_query_desc each;
        fc_query_desc_default(&each);
        each.max_per_normal = 0;
        shape.field = slope;
        shape.user_data = &level;
        shape.points = vertices;
        shape.point_count = 2;
        shape.point_stride = 4 * sizeof *vertices;
        CHECK(fc_query_shape(a, &up, &shape, &here, &each, contacts, 64, &count) == FC_OK && count > 4);
        for (k = 0; k < count && contacts[k].feature >> 31 == 0; ++k) {}
        CHECK(k < count && contacts[k].feature == 0x80000001u);
        NEAR(contacts[k].depth, 0.01, 1e-5);
        NEAR(contacts[k].point[0], 0.05, 1e-5);
        NEAR(contacts[k].normal[2], 1, 1e-5);
    }
    CHECK(fc_hull_destroy(hull) == FC_OK);
    CHECK(fc_object_destroy(a) == FC_OK && fc_object_destroy(b) == FC_OK && fc_object_destroy(large) == FC_OK);
    CHECK(fc_asset_release(asset) == FC_OK);
}

static int lines = 0, triangles = 0, words = 0;
/* By sphere trees all contacts are found that buckets find, of the whole and of its pieces. */
static void sphere_trees(void) {
    mesh m = box_mesh(4, 1.0f);
    fc_asset_desc desc = describe(&m);
    fc_asset asset = {0}, without = cook_box(2, 1.0f);
    fc_object whole = {0}, other = {0}, pieces[32];
    fc_fracture_desc cells = random_cells(6, 2);
    fc_query_desc all, by_trees;
    fc_pose up = pose_at(0.1, 0.2, 0.7), here = pose_at(0, 0, 0);
    fc_contact contacts[512];
    uint32_t count = 0, k, found = 0, again = 0, touching = 0;

    desc.flags = FC_ASSET_SPHERE_TREES;
    CHECK(fc_asset_create(&desc, &asset) == FC_OK);
    free_mesh(&m);
    CHECK(fc_object_create(asset, NULL, &whole) == FC_OK && fc_object_create(without, NULL, &other) == FC_OK);
    CHECK(fc_fracture(whole, &cells, pieces, 32, &count, NULL) == FC_OK && count >= 6);
    fc_query_desc_default(&all);
    all.mode = FC_MODE_FULL;
    by_trees = all;
    by_trees.flags = FC_QUERY_SPHERE_TREES;
    for (k = 0; k < count; ++k) {
        CHECK(fc_query_pair(whole, &up, pieces[k], &here, &all, contacts, 512, &found) == FC_OK);
        CHECK(fc_query_pair(whole, &up, pieces[k], &here, &by_trees, contacts, 512, &again) == FC_OK);
        CHECK(found == again);
        touching += found > 0;
    }
    CHECK(touching > 0);
    CHECK(fc_query_pair(whole, &up, other, &here, &by_trees, contacts, 512, &found) == FC_ERROR_INVALID_ARGUMENT);
    CHECK(strstr(fc_last_error(), "no sphere trees") != NULL);
    for (k = 0; k < count; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK);
    CHECK(fc_object_destroy(whole) == FC_OK && fc_object_destroy(other) == FC_OK);
    CHECK(fc_asset_release(asset) == FC_OK && fc_asset_release(without) == FC_OK);
}

static void line(const float *a, const float *b, uint32_t rgba, void *user_data) {
    CHECK(user_data == &lines && rgba != 0 && isfinite(a[0] + b[0]));
    ++lines;
}
static void triangle(const float *a, const float *b, const float *c, uint32_t rgba, void *user_data) {
    CHECK(user_data == &lines && rgba != 0 && isfinite(a[0] + b[0] + c[0]));
    ++triangles;
}
static void text(const float *at, const char *utf8, uint32_t rgba, void *user_data) {
    CHECK(user_data == &lines && rgba != 0 && isfinite(at[0]) && strstr(utf8, " mm") != NULL);
    ++words;
}

static void drawings(void) {
    fc_asset asset = cook_box(4, 1.0f);
    fc_object object = {0}, pieces[32];
    fc_fracture_desc how = random_cells(8, 1);
    fc_pose here = pose_at(0, 0, 0);
    fc_debug_draw draw;
    fc_contact contact = {{0, 0, 0}, 0.01f, {0, 0, 1}, 0};
    double origin[3] = {1, 2, 3};
    uint32_t count = 0, k;
    CHECK(fc_object_create(asset, NULL, &object) == FC_OK);
    CHECK(fc_fracture(object, &how, pieces, 32, &count, NULL) == FC_OK);
    fc_debug_draw_default(&draw);
    draw.user_data = &lines;
    CHECK(fc_draw_object(pieces[0], &here, &draw) == FC_OK && lines == 0);
    draw.line = line;
    draw.flags = FC_DRAW_BOUNDS;
    CHECK(fc_draw_object(pieces[0], &here, &draw) == FC_OK && lines == 12);
    draw.flags = FC_DRAW_SPHERES;
    for (k = 0; k < 3; ++k) {
        lines = 0;
        draw.level = k;
        CHECK(fc_draw_object(pieces[0], &here, &draw) == FC_OK && lines > 0 && lines % 3 == 0);
    }
    draw.flags = FC_DRAW_CRACKS;
    lines = 0;
    CHECK(fc_draw_object(pieces[0], &here, &draw) == FC_OK && lines > 0 && lines % 3 == 0); /* edges of triangles */
    draw.triangle = triangle;
    CHECK(fc_draw_object(pieces[0], &here, &draw) == FC_OK && triangles > 0);
    k = (uint32_t)triangles;
    draw.flags = FC_DRAW_SURFACE;
    CHECK(fc_draw_object(pieces[0], &here, &draw) == FC_OK && (uint32_t)triangles > 2 * k);
    draw.text = text;
    lines = 0;
    CHECK(fc_draw_contacts(&contact, 1, origin, &draw) == FC_OK && lines == 4 && words == 1);
    for (k = 0; k < count; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK);
    CHECK(fc_object_destroy(object) == FC_OK && fc_asset_release(asset) == FC_OK);
}

/* An engine's job system: ranges from the back, of odd lengths, on this thread, with a query in between. */
static int jobs_run = 0;
static fc_object asked;
static void run_backwards(uint32_t count, uint32_t grain, fc_range_fn run, void *task, void *user_data) {
    uint32_t end = count, begin, found = 0;
    fc_pose here = pose_at(0, 0, 0), up = pose_at(0, 0, 0.99);
    CHECK(user_data == &jobs_run && grain >= 1);
    for (; end > 0; end = begin) {
        begin = end > 3 ? end - 3 : 0;
        run(begin, end, task);
        CHECK(fc_query_pair(asked, &up, asked, &here, NULL, NULL, 0, &found) == FC_INCOMPLETE && found > 0);
    }
    ++jobs_run;
}

static void batches(void) {
    enum { PAIRS = 40, ROOM = 2048 };
    fc_asset asset = cook_box(5, 1.0f);
    fc_object object = {0}, pieces[64];
    fc_fracture_desc how = random_cells(12, 1);
    fc_pair pairs[PAIRS];
    fc_contact *one_by_one = (fc_contact *)malloc(ROOM * sizeof *one_by_one), *flat = (fc_contact *)malloc(ROOM * sizeof *flat);
    uint32_t offsets[PAIRS + 1], count = 0, made = 0, k, total = 0, place;
    uint64_t hash = 0, other = 0;
    fc_status statuses[PAIRS];
    fc_query_stats stats;
    CHECK(fc_object_create(asset, NULL, &object) == FC_OK);
    asked = object;
    for (place = 0; place < 3; ++place) {
        /* On this thread, on threads of the library, on jobs: the same bits. */
        if (place == 1) CHECK(set_threads(4) == FC_OK);
        if (place == 2) CHECK(fc_set_task_system(run_backwards, &jobs_run) == FC_OK);
        CHECK(fc_fracture(object, &how, pieces, 64, &made, NULL) == FC_OK && made >= 12);
        CHECK(fc_object_state_hash(pieces[3], place == 0 ? &hash : &other) == FC_OK);
        if (place > 0) CHECK(hash == other);
        for (k = 0; k < PAIRS; ++k) {
            pairs[k].a = pieces[k % 12];
            pairs[k].b = pieces[(k * 5 + 1) % 12];
            pairs[k].pose_a = pose_at(0.001 * k, 0.002, 0);
            pairs[k].pose_b = pose_at(0, 0, 0.001);
        }
        if (place == 0) {
            for (k = 0; k < PAIRS; ++k) {
                CHECK(fc_query_pair(pairs[k].a, &pairs[k].pose_a, pairs[k].b, &pairs[k].pose_b, NULL, one_by_one + total,
                                    ROOM - total, &count) == FC_OK);
                total += count;
            }
            CHECK(total > 50);
        }
        memset(flat, 0, ROOM * sizeof *flat);
        CHECK(fc_query_pairs(pairs, PAIRS, NULL, flat, ROOM, offsets, statuses) == FC_OK);
        CHECK(offsets[0] == 0 && offsets[PAIRS] == total);
        CHECK(memcmp(flat, one_by_one, total * sizeof *flat) == 0);
        for (k = 0; k < PAIRS; ++k) CHECK(statuses[k] == FC_OK && offsets[k] <= offsets[k + 1]);
        fc_query_stats_default(&stats);
        CHECK(fc_query_get_stats(&stats) == FC_OK && stats.pairs == PAIRS && stats.found == total + stats.left_out);

        /* A buffer that is short, and pairs that are bad. */
        memset(flat, 0, ROOM * sizeof *flat);
        CHECK(fc_query_pairs(pairs, PAIRS, NULL, flat, 10, offsets, NULL) == FC_INCOMPLETE && offsets[PAIRS] == total);
        CHECK(memcmp(flat, one_by_one, 10 * sizeof *flat) == 0 && flat[10].normal[0] == 0 && flat[10].normal[2] == 0);
        pairs[7].b.id ^= 1;
        pairs[7].b.id ^= (uint64_t)1 << 40;
        pairs[9].pose_a.rotation[0] = 4;
        CHECK(fc_query_pairs(pairs, PAIRS, NULL, flat, ROOM, offsets, statuses) == FC_SOME_FAILED);
        CHECK(strstr(fc_last_error(), "pairs[7]: b is") != NULL);
        CHECK(statuses[7] == FC_ERROR_INVALID_HANDLE && statuses[9] == FC_ERROR_INVALID_ARGUMENT && statuses[8] == FC_OK);
        CHECK(offsets[7] == offsets[8] && offsets[9] == offsets[10] && offsets[PAIRS] <= total);
        CHECK(fc_query_pairs(NULL, 0, NULL, NULL, 0, offsets, NULL) == FC_OK && offsets[0] == 0);
        for (k = 0; k < made; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK);
        CHECK(fc_live_handles() == 2);
    }
    CHECK(jobs_run > 2);
    CHECK(fc_set_threads(0) == FC_OK && fc_set_task_system(NULL, NULL) == FC_OK);
    CHECK(fc_object_destroy(object) == FC_OK && fc_asset_release(asset) == FC_OK);
    free(one_by_one);
    free(flat);
}

/* A budget: less than a query needs gives its best contacts so far, and says so; more than that changes nothing. */
static void budgets(void) {
    enum { PAIRS = 40, ROOM = 2048 };
    fc_asset asset = cook_box(5, 1.0f);
    fc_object object = {0}, pieces[64];
    fc_fracture_desc cells = random_cells(12, 1);
    fc_query_desc how;
    fc_query_stats stats, limited;
    fc_contact contacts[64], few[64], *all = (fc_contact *)malloc(ROOM * sizeof *all), *flat = (fc_contact *)malloc(ROOM * sizeof *flat);
    fc_pose up = pose_at(0, 0, 0.99), here = pose_at(0, 0, 0);
    fc_shape ground;
    fc_pair pairs[PAIRS];
    fc_status statuses[PAIRS], first[PAIRS];
    float weights[PAIRS];
    uint32_t offsets[PAIRS + 1], count = 0, other = 0, made = 0, kind, k, place, total, whole = 0;
    uint64_t work = 0;
    fc_query_stats_default(&stats);
    fc_query_stats_default(&limited);
    fc_shape_default(&ground);
    ground.kind = FC_SHAPE_HALF_SPACE;
    ground.normal[2] = 1;
    ground.offset = 0.5f;
    CHECK(fc_object_create(asset, NULL, &object) == FC_OK);
#define ASK(to, number)                                                                                                     \
    (kind == 0 ? fc_query_pair(object, &up, object, &here, &how, to, 64, &(number))                                         \
               : fc_query_shape(object, &up, &ground, &here, &how, to, 64, &(number)))
    for (kind = 0; kind < 2; ++kind) {
        fc_query_desc_default(&how);
        CHECK(how.budget == 0 && how.weights == NULL);
        CHECK(ASK(contacts, count) == FC_OK && count > 1 && fc_query_get_stats(&stats) == FC_OK);
        CHECK(stats.work > 8 && stats.level == FC_LEVEL_ALL && stats.interrupted == 0);
        for (how.budget = 1; how.budget < stats.work; how.budget += how.budget < 64 ? 1 : 50) {
            CHECK(ASK(few, other) == FC_INTERRUPTED && other >= 1 && fc_query_get_stats(&limited) == FC_OK);
            CHECK(limited.work <= how.budget && limited.interrupted == 1 && limited.level < FC_LEVEL_ALL);
            if (how.budget == 1) CHECK(other == 1 && limited.level <= FC_LEVEL_SPHERES && few[0].depth > 0);
        }
        /* What it needs is enough, and so is more. */
        for (k = 0; k < 2; ++k) {
            how.budget = k == 0 ? (uint32_t)stats.work : UINT32_MAX;
            CHECK(ASK(few, other) == FC_OK && other == count && memcmp(few, contacts, count * sizeof *few) == 0);
            CHECK(fc_query_get_stats(&limited) == FC_OK && limited.work == stats.work && limited.level == FC_LEVEL_ALL);
        }
    }
#undef ASK

    CHECK(fc_fracture(object, &cells, pieces, 64, &made, NULL) == FC_OK && made >= 12);
    for (k = 0; k < PAIRS; ++k) {
        pairs[k].a = pieces[k % 12];
        pairs[k].b = pieces[(k * 5 + 1) % 12];
        pairs[k].pose_a = pose_at(0.001 * k, 0.002, 0);
        pairs[k].pose_b = pose_at(0, 0, 0.001);
        weights[k] = k % 4 == 0 ? 1000.0f : (float)(k % 4);
    }
    CHECK(fc_query_pairs(pairs, PAIRS, NULL, all, ROOM, offsets, NULL) == FC_OK && fc_query_get_stats(&stats) == FC_OK);
    total = offsets[PAIRS];
    CHECK(stats.level == FC_LEVEL_ALL && stats.interrupted == 0 && stats.work > PAIRS);

    /* More than is needed, however it is divided, changes nothing; weights without a budget neither. */
    fc_query_desc_default(&how);
    how.budget = 1000u * (uint32_t)stats.work;
    CHECK(fc_query_pairs(pairs, PAIRS, &how, flat, ROOM, offsets, statuses) == FC_OK && offsets[PAIRS] == total);
    CHECK(memcmp(flat, all, total * sizeof *flat) == 0);
    how.budget = 0;
    how.weights = weights;
    CHECK(fc_query_pairs(pairs, PAIRS, &how, flat, ROOM, offsets, statuses) == FC_OK && memcmp(flat, all, total * sizeof *flat) == 0);

    how.budget = (uint32_t)stats.work / 3;
    for (place = 0; place < 3; ++place) {
        if (place == 1) CHECK(set_threads(4) == FC_OK);
        if (place == 2) CHECK(set_threads(2) == FC_OK);
        CHECK(fc_query_pairs(pairs, PAIRS, &how, flat, ROOM, offsets, statuses) == FC_INTERRUPTED);
        CHECK(fc_query_get_stats(&limited) == FC_OK && limited.work <= how.budget && limited.pairs == PAIRS);
        CHECK(limited.level < FC_LEVEL_ALL && limited.interrupted > 0 && limited.interrupted < PAIRS);
        for (k = other = 0; k < PAIRS; ++k) {
            CHECK(statuses[k] == FC_OK || statuses[k] == FC_INTERRUPTED);
            other += statuses[k] == FC_INTERRUPTED;
            if (k % 4 == 0) whole += statuses[k] == FC_OK;
        }
        CHECK(other == limited.interrupted);
        if (place == 0) {
            memcpy(all, flat, offsets[PAIRS] * sizeof *flat);
            memcpy(first, statuses, sizeof first);
            total = offsets[PAIRS];
            work = limited.work;
        }
        CHECK(offsets[PAIRS] == total && memcmp(flat, all, total * sizeof *flat) == 0);
        CHECK(memcmp(statuses, first, sizeof first) == 0 && limited.work == work);
    }
    CHECK(whole > 3 * PAIRS / 4 / 2); /* most of those that weigh most are known in full */
    /* One unit for each pair, even if that is more. */
    how.budget = 1;
    CHECK(fc_query_pairs(pairs, PAIRS, &how, flat, ROOM, offsets, NULL) == FC_INTERRUPTED && fc_query_get_stats(&limited) == FC_OK);
    CHECK(limited.work <= PAIRS && limited.level == FC_LEVEL_BODIES && offsets[PAIRS] <= PAIRS);
    /* A pair that fails is said first. */
    pairs[5].pose_a.rotation[0] = 4;
    CHECK(fc_query_pairs(pairs, PAIRS, &how, flat, ROOM, offsets, statuses) == FC_SOME_FAILED && statuses[5] == FC_ERROR_INVALID_ARGUMENT);
    CHECK(fc_set_threads(0) == FC_OK);
    for (k = 0; k < made; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK);
    CHECK(fc_object_destroy(object) == FC_OK && fc_asset_release(asset) == FC_OK);
    free(all);
    free(flat);
}

static double drawn_volume(const fc_vertex *v, const fc_drawn_triangle *t, uint32_t count) {
    double volume = 0;
    uint32_t k;
    for (k = 0; k < count; ++k) {
        const float *a = v[t[k].corners[0]].position, *b = v[t[k].corners[1]].position, *c = v[t[k].corners[2]].position;
        volume += ((double)a[0] * (b[1] * c[2] - b[2] * c[1]) + (double)a[1] * (b[2] * c[0] - b[0] * c[2]) +
                   (double)a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    }
    return volume;
}

static int repairs_told = 0;
static void count_repairs(uint32_t level, const char *message, void *user_data) {
    (void)user_data;
    if (level == FC_LOG_WARNING && strstr(message, "holes were closed")) repairs_told |= 1;
    if (level == FC_LOG_WARNING && strstr(message, "inside out")) repairs_told |= 2;
}

/* Surfaces with a hole, or inside out, are repaired, which is told; drawn they are the right way round. */
static void repairs(void) {
    uint32_t round, k;
    for (round = 1; round <= 2; ++round) {
        box_surface s = box_sides(8, 1.0f);
        fc_asset_desc desc = describe_surface(&s);
        fc_asset asset = {0};
        fc_asset_info info;
        fc_object object = {0};
        fc_mass mass;
        uint32_t vertices = 0, triangles = 0;
        fc_vertex *v;
        fc_drawn_triangle *t;
        fc_asset_info_default(&info);
        for (k = 0; k < s.vertex_count; ++k) { /* askew, as found in the wild */
            float *p = s.positions + 3 * k, x = 0.8f * p[0] - 0.6f * p[1], y = 0.6f * p[0] + 0.8f * p[1];
            p[0] = x;
            p[1] = 0.8f * y - 0.6f * p[2];
            p[2] = 0.6f * y + 0.8f * p[2];
        }
        if (round == 1) {
            /* In the middle of the last side, whose triangles are the last 128. */
            memcpy(s.triangles + 3 * (640 + 72), s.triangles + 3 * 767, 3 * sizeof *s.triangles);
            desc.triangle_count -= 1;
        } else {
            for (k = 0; k < s.triangle_count; ++k) {
                uint32_t first = s.triangles[3 * k];
                s.triangles[3 * k] = s.triangles[3 * k + 1];
                s.triangles[3 * k + 1] = first;
            }
        }
        repairs_told = 0;
        CHECK(fc_set_log(count_repairs, NULL) == FC_OK);
        CHECK(fc_asset_create(&desc, &asset) == FC_OK);
        CHECK(fc_set_log(NULL, NULL) == FC_OK);
        CHECK(repairs_told == (int)round);
        CHECK(fc_asset_get_info(asset, &info) == FC_OK && (info.warnings & FC_WARNING_REPAIRED) != 0);
        CHECK(fc_object_create(asset, NULL, &object) == FC_OK);
        CHECK(fc_object_mass(object, &mass) == FC_OK);
        NEAR(mass.volume, 1, 0.02);
        CHECK(fc_object_drawing(object, NULL, 0, &vertices, NULL, 0, &triangles, NULL) == FC_INCOMPLETE);
        v = (fc_vertex *)malloc(vertices * sizeof *v);
        t = (fc_drawn_triangle *)malloc(triangles * sizeof *t);
        CHECK(fc_object_drawing(object, v, vertices, &vertices, t, triangles, &triangles, NULL) == FC_OK);
        CHECK(triangles == desc.triangle_count);
        NEAR(drawn_volume(v, t, triangles), 1, 0.01);
        free(v);
        free(t);
        fc_object_destroy(object);
        CHECK(fc_asset_release(asset) == FC_OK);
        free_surface(&s);
    }
}

/* A surface goes in, is filled and broken, and its parts are drawn with the texture coordinates that they had. */
static void surfaces(void) {
    box_surface s = box_sides(8, 1.0f);
    fc_asset_desc desc = describe_surface(&s);
    fc_asset asset = {0}, again = {0}, bare = {0};
    fc_asset_info info;
    fc_object object = {0}, plain = {0}, large = {0}, pieces[64];
    fc_object_desc scaled;
    fc_fracture_desc how = random_cells(8, 3);
    fc_drawing_info told;
    uint32_t vertices = 0, triangles = 0, k, i, made = 0, sides[6] = {0}, skin, count;
    uint64_t size = 0;
    uint8_t *file;
    double total = 0;
    fc_asset_info_default(&info);
    fc_drawing_info_default(&told);
    progress_calls = 0;
    progress_most = 0;
    desc.progress = progress;
    desc.user_data = &progress_calls;
    CHECK(fc_asset_create(&desc, &asset) == FC_OK);
    CHECK(progress_calls > 0 && progress_most == 1.0f);
    CHECK(fc_asset_get_info(asset, &info) == FC_OK && info.tet_count > 200 && info.body_count == 1);
    CHECK((info.warnings & FC_WARNING_UNUSED_NODES) == 0);
    /* A box is met exactly. */
    CHECK(info.surface_to_tets >= 0 && info.surface_to_tets < 1e-6 && info.tets_to_surface >= 0 && info.tets_to_surface < 1e-6);
    CHECK(fc_object_create(asset, NULL, &object) == FC_OK);

    /* Whole it is the surface that was given. */
    CHECK(fc_object_drawing(object, NULL, 0, &vertices, NULL, 0, &triangles, NULL) == FC_INCOMPLETE);
    CHECK(vertices == s.vertex_count && triangles == s.triangle_count);
    CHECK(fc_fracture(object, &how, pieces, 64, &made, NULL) == FC_OK && made >= 8);
    for (k = 0; k < made; ++k) {
        fc_vertex *v;
        fc_drawn_triangle *t;
        double volume;
        CHECK(fc_object_drawing(pieces[k], NULL, 0, &vertices, NULL, 0, &triangles, &told) == FC_INCOMPLETE);
        CHECK(told.open_edge_count == 0 && told.crack_triangle_count > 0 && told.crack_triangle_count <= triangles);
        v = (fc_vertex *)malloc(vertices * sizeof *v);
        t = (fc_drawn_triangle *)malloc(triangles * sizeof *t);
        CHECK(fc_object_drawing(pieces[k], v, vertices - 1, &count, t, triangles, &i, NULL) == FC_INCOMPLETE);
        CHECK(count == vertices && i == triangles);
        CHECK(fc_object_drawing(pieces[k], v, vertices, &vertices, t, triangles, &triangles, NULL) == FC_OK);
        skin = triangles - told.crack_triangle_count;
        for (i = 0; i < triangles; ++i) {
            CHECK(t[i].corners[0] < vertices && t[i].corners[1] < vertices && t[i].corners[2] < vertices);
            CHECK((i < skin) == (t[i].material < 6) && (t[i].material < 6 || t[i].material == FC_NONE));
            if (i < skin) {
                const fc_vertex *corner = v + t[i].corners[0];
                uint32_t axis = t[i].material / 2;
                ++sides[t[i].material];
                NEAR(corner->uv[0], corner->position[(axis + 1) % 3] + 0.5f, 1e-6);
                NEAR(corner->uv[1], corner->position[(axis + 2) % 3] + 0.5f, 1e-6);
                NEAR(corner->normal[axis], t[i].material % 2 ? 1 : -1, 1e-5);
            }
        }
        volume = drawn_volume(v, t, triangles);
        CHECK(volume > 0);
        total += volume;
        free(v);
        free(t);
    }
    NEAR(total, 1, 0.005);
    for (k = 0; k < 6; ++k) CHECK(sides[k] > 0);

    /* Saved with its asset; in another size; without the surface by the skin of the tetrahedra. */
    CHECK(fc_asset_save(asset, NULL, 0, &size) == FC_INCOMPLETE);
    file = (uint8_t *)malloc(size);
    CHECK(fc_asset_save(asset, file, size, &size) == FC_OK && fc_asset_load(file, size, &again) == FC_OK);
    fc_object_desc_default(&scaled);
    scaled.scale = 2;
    CHECK(fc_object_create(again, &scaled, &large) == FC_OK);
    CHECK(fc_object_drawing(large, NULL, 0, &vertices, NULL, 0, &triangles, NULL) == FC_INCOMPLETE);
    CHECK(vertices == s.vertex_count && triangles == s.triangle_count);
    {
        fc_vertex *v = (fc_vertex *)malloc(vertices * sizeof *v);
        fc_drawn_triangle *t = (fc_drawn_triangle *)malloc(triangles * sizeof *t);
        CHECK(fc_object_drawing(large, v, vertices, &vertices, t, triangles, &triangles, NULL) == FC_OK);
        NEAR(drawn_volume(v, t, triangles), 8, 1e-5);
        free(v);
        free(t);
    }
    desc.flags = 0;
    CHECK(fc_asset_create(&desc, &bare) == FC_OK && fc_object_create(bare, NULL, &plain) == FC_OK);
    CHECK(fc_object_drawing(plain, NULL, 0, &vertices, NULL, 0, &triangles, &told) == FC_INCOMPLETE);
    CHECK(fc_asset_skin(bare, NULL, 0, &count) == FC_INCOMPLETE && count == triangles && told.crack_triangle_count == 0);
    for (k = 0; k < made; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK);
    CHECK(fc_object_destroy(object) == FC_OK && fc_object_destroy(plain) == FC_OK && fc_object_destroy(large) == FC_OK);
    CHECK(fc_asset_release(asset) == FC_OK && fc_asset_release(again) == FC_OK && fc_asset_release(bare) == FC_OK);
    free(file);
    free_surface(&s);
}

/* Saved and loaded, everything is as it was; other bytes are told. */
static void saving(void) {
    fc_asset asset = {0}, again = {0};
    fc_object object = {0}, pieces[32], loaded[32];
    fc_fracture_desc how = random_cells(8, 3);
    fc_object_info info;
    fc_contact before[64], after[64];
    fc_pose here = pose_at(0, 0, 0), moved = pose_at(0.01, 0, 0);
    uint32_t count = 0, found = 0, k, other = 0;
    uint64_t size = 0, hash = 0, hash_loaded = 0, block = 0;
    uint8_t *bytes, *saved;
    mesh m = box_mesh(5, 1.0f);
    fc_asset_desc desc;
    fc_asset_desc_default(&desc);
    desc.positions = m.positions;
    desc.node_count = m.node_count;
    desc.tets = m.tets;
    desc.tet_count = m.tet_count;
    CHECK(fc_asset_create(&desc, &asset) == FC_OK);
    free_mesh(&m);
    CHECK(fc_asset_save(asset, NULL, 0, &size) == FC_INCOMPLETE && size > 1000);
    bytes = (uint8_t *)malloc(size);
    FAILS(fc_asset_save(asset, bytes, size - 1, &block), FC_ERROR_CAPACITY, "room for");
    CHECK(block == size && fc_asset_save(asset, bytes, size, &block) == FC_OK && block == size);
    CHECK(fc_asset_load(bytes, size, &again) == FC_OK);
    FAILS(fc_asset_load(bytes, size - 1, &again), FC_ERROR_INVALID_DATA, "cut or added");
    bytes[size / 2] ^= 4;
    FAILS(fc_asset_load(bytes, size, &again), FC_ERROR_INVALID_DATA, "damaged");
    bytes[size / 2] ^= 4;
    bytes[12] = 77;
    FAILS(fc_asset_load(bytes, size, &again), FC_ERROR_INVALID_DATA, "version 77");
    FAILS(fc_asset_load((const uint8_t *)"nothing", 7, &again), FC_ERROR_INVALID_DATA, "nothing that Fracas saved");
    FAILS(fc_asset_load(NULL, 7, &again), FC_ERROR_INVALID_ARGUMENT, "bytes is NULL");
    FAILS(fc_asset_load(bytes, UINT64_MAX, &again), FC_ERROR_INVALID_ARGUMENT, "size is");

    CHECK(fc_object_create(asset, NULL, &object) == FC_OK);
    CHECK(fc_fracture(object, &how, pieces, 32, &count, NULL) == FC_OK && count >= 8);
    CHECK(fc_object_set_user_data(pieces[2], 1234567890123u) == FC_OK);
    CHECK(fc_object_save(pieces, count, NULL, 0, &block) == FC_INCOMPLETE);
    saved = (uint8_t *)malloc(block);
    CHECK(fc_object_save(pieces, count, saved, block, &block) == FC_OK);
    FAILS(fc_object_load(saved, block, again, loaded, 2, &found), FC_ERROR_CAPACITY, "room for 2");
    CHECK(found == count && fc_object_load(saved, block, again, loaded, 32, &found) == FC_OK && found == count);
    fc_object_info_default(&info);
    CHECK(fc_object_get_info(loaded[2], &info) == FC_OK && info.user_data == 1234567890123u && info.is_fragment == 1);
    for (k = 0; k < count; ++k) {
        CHECK(fc_object_state_hash(pieces[k], &hash) == FC_OK && fc_object_state_hash(loaded[k], &hash_loaded) == FC_OK);
        CHECK(hash == hash_loaded);
    }
    for (k = 1; k < count; ++k) {
        CHECK(fc_query_pair(pieces[0], &moved, pieces[k], &here, NULL, before, 64, &found) == FC_OK);
        CHECK(fc_query_pair(loaded[0], &moved, loaded[k], &here, NULL, after, 64, &other) == FC_OK);
        CHECK(found == other && memcmp(before, after, found * sizeof *before) == 0);
    }
    FAILS(fc_object_load(bytes, size, again, loaded, 32, &found), FC_ERROR_INVALID_DATA, "is wanted");
    FAILS(fc_object_save(pieces, 0, NULL, 0, &block), FC_ERROR_INVALID_ARGUMENT, "no objects");
    CHECK(fc_object_destroy(object) == FC_OK && fc_asset_release(asset) == FC_OK && fc_asset_release(again) == FC_OK);
    FAILS(fc_asset_save(asset, NULL, 0, &size), FC_ERROR_INVALID_HANDLE, "asset is");
    for (k = 0; k < count; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK && fc_object_destroy(loaded[k]) == FC_OK);
    FAILS(fc_object_save(pieces, count, NULL, 0, &block), FC_ERROR_INVALID_HANDLE, "objects[0] is");
    free(bytes);
    free(saved);
}

/* A square falls through another within a step. */
static void impacts_of_squares(void) {
    sheet low = flat_sheet(1, 1.0f, 0, 0, 0), high = flat_sheet(1, 0.5f, 0.1f, 0.05f, 1);
    fc_scene scene = {0};
    fc_scene_desc desc;
    fc_scene_info info;
    fc_scene_stats stats;
    fc_ccd_desc exact;
    fc_body below, above;
    fc_impact impacts[64], first, again[64];
    uint32_t count = 0, k, faces = 0, cones;
    fc_scene_desc_default(&desc);
    CHECK(desc.struct_size == sizeof desc && desc.cones == FC_CONES_CONSERVATIVE && desc.restructuring == 0.25f);
    fc_ccd_desc_default(&exact);
    CHECK(exact.max_boxes == 10000 && exact.tolerance == 1e-6);
    fc_scene_info_default(&info);
    fc_scene_stats_default(&stats);
    for (cones = FC_CONES_CONSERVATIVE; cones <= FC_CONES_OFF; ++cones) {
        desc.cones = cones;
        desc.restructuring = cones == FC_CONES_OFF ? 0 : 0.25f;
        CHECK(fc_scene_create(&desc, &scene) == FC_OK && scene.id != 0);
        below = add_sheet(scene, &low);
        above = add_sheet(scene, &high);
        CHECK(below.id != above.id && fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
        count = 9;
        CHECK(fc_scene_query_continuous(scene, NULL, NULL, 0, &count) == FC_OK && count == 0);
        CHECK(fc_scene_first_impact(scene, NULL, &first) == FC_NO_HIT);

        /* Its corners meet triangles, and two of its edges the diagonal of the other square. */
        shift(&high, 0, 0, -2);
        CHECK(fc_scene_move(scene, above, high.positions, 4, 0) == FC_OK);
        CHECK(fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
        CHECK(fc_scene_query_continuous(scene, &exact, impacts, 64, &count) == FC_OK && count == 6);
        for (k = 0, faces = 0; k < count; ++k) {
            CHECK(impacts[k].time <= 0.5 && impacts[k].time > 0.5 - 1e-5 && impacts[k].reserved == 0);
            if (impacts[k].kind == FC_IMPACT_VERTEX_FACE) {
                ++faces;
                CHECK(impacts[k].bodies[0].id == above.id && impacts[k].bodies[1].id == below.id);
                CHECK(impacts[k].a[0] < 4 && impacts[k].a[1] == FC_NONE && impacts[k].b[0] < 2 && impacts[k].b[1] == FC_NONE);
            } else {
                CHECK(impacts[k].kind == FC_IMPACT_EDGE_EDGE && impacts[k].bodies[0].id == below.id);
                CHECK(impacts[k].a[0] + impacts[k].a[1] == 3 && impacts[k].a[0] * impacts[k].a[1] == 0);
            }
        }
        CHECK(faces == 4);
        CHECK(fc_scene_get_stats(&stats) == FC_OK && stats.found == 6 && stats.elementary_tests >= 6);
        CHECK(stats.candidates > 0 && stats.node_tests > 0 && stats.nanoseconds > 0);
        CHECK(fc_scene_first_impact(scene, NULL, &first) == FC_OK && first.time <= 0.5 && first.time > 0.5 - 1e-5);
        CHECK(fc_scene_query_continuous(scene, NULL, again, 2, &count) == FC_INCOMPLETE && count == 6);
        CHECK(memcmp(again, impacts, 2 * sizeof *impacts) == 0);
        CHECK(fc_scene_get_info(scene, &info) == FC_OK && info.body_count == 2 && info.triangle_count == 4);
        CHECK(info.refitted_triangles == 2 && info.bytes > 500 && info.update_nanoseconds > 0);

        /* Who is not moved rests. */
        CHECK(fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
        CHECK(fc_scene_query_continuous(scene, NULL, impacts, 64, &count) == FC_OK && count == 0);
        CHECK(fc_scene_first_impact(scene, NULL, &first) == FC_NO_HIT);
        CHECK(fc_scene_delete(scene, above) == FC_OK && fc_scene_update(scene, 0) == FC_OK);
        CHECK(fc_scene_get_info(scene, &info) == FC_OK && info.body_count == 1 && info.refitted_triangles == 0);
        CHECK(fc_scene_destroy(scene) == FC_OK);
        shift(&high, 0, 0, 2);
    }
    free_sheet(&low);
    free_sheet(&high);
}

/* A triangle through a sheet, and sheets near each other. */
static void overlaps_and_distances(void) {
    sheet s = flat_sheet(4, 1.0f, 0, 0, 0), copy = flat_sheet(4, 1.0f, 0, 0, 0.1f);
    /* Strided, in doubles, far from the origin of the world. */
    const double spike[3][4] = {{1000.2, 0.1, -0.5, 7}, {1000.3, 0.1, -0.5, 7}, {1000.25, 0.1, 0.5, 7}};
    const uint32_t corners[4] = {0, 1, 2, 99};
    fc_scene_desc desc;
    fc_body_desc how;
    fc_body_mesh mesh;
    fc_scene scene = {0};
    fc_body flat, sharp = {0}, thick = {0};
    fc_overlap pairs[64], plain[64];
    static fc_proximity near[1024];
    fc_scene_hit hit;
    double from[3] = {1000.26, 0.1, 5};
    float down[3] = {0, 0, -2};
    uint32_t count = 0, k;
    double length = 0;
    fc_scene_desc_default(&desc);
    desc.origin[0] = 1000;
    CHECK(fc_scene_create(&desc, &scene) == FC_OK);
    flat = add_sheet(scene, &s);
    fc_body_mesh_default(&mesh);
    mesh.positions_double = spike[0];
    mesh.position_stride = sizeof spike[0];
    mesh.vertex_count = 3;
    mesh.triangles = corners;
    mesh.triangle_stride = 16;
    mesh.triangle_count = 1;
    CHECK(fc_scene_add(scene, &mesh, NULL, &sharp) == FC_OK);
    CHECK(fc_scene_update(scene, 0) == FC_OK);
    CHECK(fc_scene_query_discrete(scene, 0, plain, 64, &count) == FC_OK && count == 2); /* it spans the edge at 0.25 */
    CHECK(plain[0].depth == 0 && plain[0].point[0] == 0 && plain[0].normal[2] == 0);
    CHECK(fc_scene_query_discrete(scene, FC_DISCRETE_CONTACTS, pairs, 64, &count) == FC_OK && count == 2);
    for (k = 0; k < count; ++k) {
        CHECK(pairs[k].bodies[0].id == flat.id && pairs[k].bodies[1].id == sharp.id && pairs[k].triangles[1] == 0);
        CHECK(pairs[k].triangles[0] == plain[k].triangles[0] && pairs[k].triangles[0] < 32);
        NEAR(pairs[k].point[0], 1000.25, 0.025);
        NEAR(pairs[k].point[1], 0.1, 1e-9);
        NEAR(pairs[k].point[2], 0, 1e-9);
        length = sqrt((double)pairs[k].normal[0] * pairs[k].normal[0] + (double)pairs[k].normal[1] * pairs[k].normal[1] +
                      (double)pairs[k].normal[2] * pairs[k].normal[2]);
        NEAR(length, 1, 1e-6);
        CHECK(pairs[k].depth > 0 && pairs[k].depth <= 0.51f);
    }

    /* The ray meets the triangle edge-on, or just beside it the sheet. */
    CHECK(fc_scene_ray_cast(scene, from, down, INFINITY, 1, &hit) == FC_OK);
    CHECK(hit.body.id == sharp.id || hit.body.id == flat.id);
    from[1] = 0.07;
    CHECK(fc_scene_ray_cast(scene, from, down, 10, 0xffffffffu, &hit) == FC_OK && hit.body.id == flat.id);
    NEAR(hit.distance, 5, 1e-6);
    NEAR(hit.normal[2], 1, 1e-6);
    NEAR(hit.weights[0] + hit.weights[1] + hit.weights[2], 1, 1e-6);
    {
        const uint32_t *c = s.triangles + 3 * hit.triangle;
        double x = 0;
        for (k = 0; k < 3; ++k) x += (double)hit.weights[k] * s.positions[3 * c[k]];
        NEAR(x, 0.26, 1e-6);
    }
    CHECK(fc_scene_ray_cast(scene, from, down, 4.9, 0xffffffffu, &hit) == FC_NO_HIT);
    CHECK(fc_scene_ray_cast(scene, from, down, 10, 2, &hit) == FC_NO_HIT);

    /* A sheet a tenth above, with a thickness. */
    fc_body_desc_default(&how);
    CHECK(how.flags == 0 && how.category == 1 && how.mask == 0xffffffffu && how.thickness == 0);
    how.thickness = 0.03f;
    how.flags = FC_BODY_NO_SELF_COLLISION;
    mesh = describe_sheet(&copy);
    CHECK(fc_scene_delete(scene, sharp) == FC_OK && fc_scene_add(scene, &mesh, &how, &thick) == FC_OK);
    CHECK(fc_scene_update(scene, 0) == FC_OK);
    CHECK(fc_scene_query_proximity(scene, 0.069, near, 1024, &count) == FC_OK && count == 0);
    CHECK(fc_scene_query_proximity(scene, 0.071, near, 1024, &count) == FC_OK && count > 100);
    for (k = 0; k < count; ++k) {
        CHECK(near[k].bodies[0].id != near[k].bodies[1].id && near[k].kind <= FC_IMPACT_EDGE_EDGE);
        NEAR(near[k].distance, 0.1, 1e-6);
        NEAR(fabs(near[k].points[0][2] - near[k].points[1][2]), 0.1, 1e-6);
        NEAR(near[k].normal[2], near[k].bodies[0].id == thick.id ? 1 : -1, 1e-6);
    }
    /* Categories that do not meet. */
    CHECK(fc_scene_delete(scene, thick) == FC_OK);
    how.mask = 2;
    CHECK(fc_scene_add(scene, &mesh, &how, &thick) == FC_OK && fc_scene_update(scene, 0) == FC_OK);
    CHECK(fc_scene_query_proximity(scene, 0.5, near, 1024, &count) >= FC_OK);
    for (k = 0; k < count && k < 1024; ++k) CHECK(near[k].bodies[0].id == flat.id && near[k].bodies[1].id == flat.id);
    CHECK(fc_scene_destroy(scene) == FC_OK);
    free_sheet(&s);
    free_sheet(&copy);
}

/* A sheet is split, its parts move, and it is merged again. */
static void splits_and_merges(void) {
    sheet s = flat_sheet(4, 1.0f, 0, 0, 0), left, right;
    fc_scene scene = {0};
    fc_scene_info info;
    fc_body whole, parts[4], merged = {0};
    fc_body_mesh meshes[2];
    fc_overlap pairs[64];
    fc_impact impacts[64];
    uint32_t labels[32], sources[2][32], count = 0, k, c;
    double corner[25][3];
    fc_scene_info_default(&info);
    CHECK(fc_scene_create(NULL, &scene) == FC_OK);
    whole = add_sheet(scene, &s);
    for (k = 0; k < 32; ++k) labels[k] = (k / 2) % 4 >= 2; /* columns of squares */
    FAILS(fc_scene_split_by_labels(scene, whole, labels, 32, parts, 1, &count), FC_ERROR_CAPACITY, "2 parts");
    CHECK(count == 2);
    count = 0;
    CHECK(fc_scene_split_by_labels(scene, whole, labels, 32, parts, 4, &count) == FC_OK && count == 2);
    FAILS(fc_scene_delete(scene, whole), FC_ERROR_INVALID_HANDLE, "is not in this scene");
    CHECK(fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
    CHECK(fc_scene_get_info(scene, &info) == FC_OK && info.body_count == 2 && info.triangle_count == 32);
    /* They share the cut, and do not collide there, neither at rest nor when they part. */
    CHECK(fc_scene_query_discrete(scene, 0, pairs, 64, &count) == FC_OK && count == 0);
    left = flat_sheet(4, 1.0f, 0, 0, 0);
    for (k = 0, c = 0; k < 25; ++k)
        if (k % 5 >= 2) { memcpy(left.positions + 3 * c++, s.positions + 3 * k, 12); }
    CHECK(c == 15);
    for (k = 0; k < c; ++k) left.positions[3 * k] += 0.25f;
    CHECK(fc_scene_move(scene, parts[1], left.positions, 15, 12) == FC_OK);
    CHECK(fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
    CHECK(fc_scene_query_continuous(scene, NULL, impacts, 64, &count) == FC_OK && count == 0);
    FAILS(fc_scene_merge(scene, parts, 2, NULL, &merged), FC_ERROR_INVALID_ARGUMENT, "shares no vertex");
    /* Back again they meet along the cut. */
    for (k = 0; k < c; ++k) left.positions[3 * k] -= 0.25f;
    CHECK(fc_scene_move(scene, parts[1], left.positions, 15, 0) == FC_OK);
    CHECK(fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
    CHECK(fc_scene_query_continuous(scene, NULL, impacts, 64, &count) >= FC_OK && count >= 10);
    CHECK(fc_scene_merge(scene, parts, 2, NULL, &merged) == FC_OK && merged.id != 0);
    CHECK(fc_scene_get_info(scene, &info) == FC_OK && info.body_count == 1 && info.triangle_count == 32);
    /* 15 vertices of the first, and 10 of the second that are not on the cut. */
    for (k = 0, c = 0; c < 2; ++c) {
        uint32_t v;
        for (v = 0; v < 25; ++v)
            if (c == 0 ? v % 5 <= 2 : v % 5 > 2) {
                corner[k][0] = s.positions[3 * v];
                corner[k][1] = s.positions[3 * v + 1];
                corner[k++][2] = 3;
            }
    }
    CHECK(k == 25 && fc_scene_move_double(scene, merged, corner[0], 25, 24) == FC_OK);
    CHECK(fc_scene_update(scene, 0) == FC_OK);
    CHECK(fc_scene_query_discrete(scene, 0, pairs, 64, &count) == FC_OK && count == 0);

    /* With meshes of their own: a whole sheet for each half. */
    left.triangle_count = 0;
    free_sheet(&left);
    left = flat_sheet(2, 0.4f, -0.3f, 0, 0);
    right = flat_sheet(3, 0.4f, 0.3f, 0, 0);
    meshes[0] = describe_sheet(&left);
    meshes[1] = describe_sheet(&right);
    for (k = 0; k < 32; ++k) { sources[0][k] = k % 8; sources[1][k] = k % 3 ? FC_NONE : k; }
    meshes[0].sources = sources[0];
    meshes[1].sources = sources[1];
    meshes[1].source_stride = 4;
    CHECK(fc_scene_split(scene, merged, meshes, 2, parts) == FC_OK && parts[0].id != parts[1].id);
    CHECK(fc_scene_get_info(scene, &info) == FC_OK && info.body_count == 2 && info.triangle_count == 8 + 18);
    meshes[0] = describe_sheet(&s);
    CHECK(fc_scene_merge(scene, parts, 2, meshes, &merged) == FC_OK);
    CHECK(fc_scene_get_info(scene, &info) == FC_OK && info.body_count == 1 && info.triangle_count == 32);
    CHECK(fc_scene_move(scene, merged, s.positions, 25, 0) == FC_OK);
    CHECK(fc_scene_destroy(scene) == FC_OK);
    free_sheet(&left);
    free_sheet(&right);
    free_sheet(&s);
}

static uint32_t lines_drawn = 0, triangles_drawn = 0;
static void count_line(const float *a, const float *b, uint32_t rgba, void *user_data) {
    (void)rgba; (void)user_data;
    CHECK(fabsf(a[0]) < 1.01f && fabsf(b[1]) < 1.01f && fabsf(a[2] - 0.45f) < 0.01f);
    ++lines_drawn;
}
static void count_triangle(const float *a, const float *b, const float *c, uint32_t rgba, void *user_data) {
    (void)rgba; (void)user_data;
    CHECK(a[2] == b[2] && b[2] == c[2]);
    ++triangles_drawn;
}

/* Objects and scenes: as bodies, and against each other. */
static void objects_in_scenes(void) {
    fc_asset asset = cook_box(2, 1.0f), drawn_asset = {0};
    box_surface sides = box_sides(3, 1.0f);
    fc_asset_desc desc = describe_surface(&sides);
    fc_object box = {0}, drawn = {0}, pieces[32];
    fc_fracture_desc how = random_cells(6, 4);
    sheet s = flat_sheet(4, 2.0f, 0, 0, 0.45f);
    fc_scene scene = {0};
    fc_scene_info info;
    fc_body flat, body = {0};
    fc_object_desc twice;
    fc_scene_contact contacts[256];
    fc_scene_hit hit;
    fc_overlap pairs[64];
    fc_debug_draw draw;
    fc_pose here = pose_at(0, 0, 0), far = pose_at(10, 0, 0);
    double from[3] = {10.2, 0.1, 5};
    float down[3] = {0, 0, -1};
    uint32_t count = 0, vertices = 0, triangles = 0, k, made = 0, deepest = 0;
    fc_scene_info_default(&info);
    fc_object_desc_default(&twice);
    twice.scale = 2;
    CHECK(fc_object_create(asset, &twice, &box) == FC_OK && fc_scene_create(NULL, &scene) == FC_OK);
    flat = add_sheet(scene, &s);
    CHECK(fc_scene_update(scene, 0) == FC_OK);

    /* The sheet is in the upper half of a box of edge 2. */
    CHECK(fc_scene_query_object(scene, box, &here, 0, 0xffffffffu, contacts, 256, &count) == FC_OK && count > 0);
    for (k = 0; k < count; ++k) {
        CHECK(contacts[k].body.id == flat.id && contacts[k].triangle < 32);
        NEAR(contacts[k].point[2], 0.45, 1e-6);
        NEAR(contacts[k].weights[0] + contacts[k].weights[1] + contacts[k].weights[2], 1, 1e-5);
        if (contacts[k].depth > contacts[deepest].depth) deepest = k;
    }
    NEAR(contacts[deepest].depth, 0.55, 1e-3);
    NEAR(contacts[deepest].normal[2], 1, 1e-3);
    CHECK(fc_scene_query_object(scene, box, &here, 0, 2, contacts, 256, &count) == FC_OK && count == 0);
    here.position[2] = -0.6; /* its top is at 0.4 */
    CHECK(fc_scene_query_object(scene, box, &here, 0.04, 1, contacts, 256, &count) == FC_OK && count == 0);
    CHECK(fc_scene_query_object(scene, box, &here, 0.06, 1, contacts, 256, &count) == FC_OK && count > 0);
    NEAR(contacts[0].depth, -0.05, 1e-4);
    CHECK(fc_scene_query_object(scene, box, &here, 0.06, 1, NULL, 0, &k) == FC_INCOMPLETE && k == count);

    /* Its surface as a body, in its scale and pose. */
    CHECK(fc_object_surface(box, NULL, 0, &vertices, NULL, 0, &triangles) == FC_INCOMPLETE);
    CHECK(fc_scene_add_object(scene, box, &far, NULL, &body) == FC_OK && fc_scene_update(scene, 0) == FC_OK);
    CHECK(fc_scene_get_info(scene, &info) == FC_OK && info.triangle_count == 32 + triangles);
    CHECK(fc_scene_ray_cast(scene, from, down, 10, 1, &hit) == FC_OK && hit.body.id == body.id);
    NEAR(hit.distance, 4, 1e-6);
    CHECK(fc_scene_query_discrete(scene, 0, pairs, 64, &count) == FC_OK && count == 0);
    CHECK(fc_scene_delete(scene, body) == FC_OK);

    /* The render meshes of fragments: closed once welded, so no fragment collides with itself. */
    CHECK(fc_asset_create(&desc, &drawn_asset) == FC_OK && fc_object_create(drawn_asset, NULL, &drawn) == FC_OK);
    CHECK(fc_scene_add_drawing(scene, drawn, &far, NULL, &body) == FC_OK && fc_scene_update(scene, 0) == FC_OK);
    CHECK(fc_scene_get_info(scene, &info) == FC_OK && info.triangle_count == 32 + 108 && info.body_count == 2);
    CHECK(fc_scene_query_discrete(scene, 0, pairs, 64, &count) == FC_OK && count == 0);
    CHECK(fc_scene_ray_cast(scene, from, down, 10, 1, &hit) == FC_OK && hit.body.id == body.id);
    NEAR(hit.distance, 4.5, 1e-6);
    NEAR(hit.normal[2], 1, 1e-6);
    CHECK(fc_scene_delete(scene, body) == FC_OK);
    CHECK(fc_fracture(drawn, &how, pieces, 32, &made, NULL) == FC_OK && made >= 6);
    for (k = 0; k < made; ++k) {
        far.position[0] += 3;
        CHECK(fc_scene_add_drawing(scene, pieces[k], &far, NULL, &body) == FC_OK);
        far.position[0] += 3;
        CHECK(fc_scene_add_object(scene, pieces[k], &far, NULL, &body) == FC_OK);
        CHECK(fc_object_destroy(pieces[k]) == FC_OK);
    }
    CHECK(fc_scene_update(scene, 0) == FC_OK);
    CHECK(fc_scene_query_discrete(scene, 0, pairs, 64, &count) == FC_OK);
    printf("%u pairs of triangles in %u fragments\n", (unsigned)count, (unsigned)(2 * made));

    /* What is drawn. */
    CHECK(fc_scene_destroy(scene) == FC_OK && fc_scene_create(NULL, &scene) == FC_OK);
    flat = add_sheet(scene, &s);
    fc_debug_draw_default(&draw);
    draw.line = count_line;
    draw.triangle = count_triangle;
    CHECK(fc_draw_scene(scene, &draw) == FC_OK && lines_drawn == 0); /* no boxes before the update */
    CHECK(fc_scene_update(scene, 0) == FC_OK);
    CHECK(fc_draw_scene(scene, &draw) == FC_OK && lines_drawn == 12 && triangles_drawn == 0);
    draw.flags = FC_DRAW_SURFACE;
    CHECK(fc_draw_scene(scene, &draw) == FC_OK && lines_drawn == 12 && triangles_drawn == 32);
    draw.flags = FC_DRAW_BOXES;
    draw.level = 1;
    CHECK(fc_draw_scene(scene, &draw) == FC_OK && lines_drawn == 36);
    draw.level = 100; /* a leaf has up to four triangles */
    CHECK(fc_draw_scene(scene, &draw) == FC_OK && lines_drawn == 36 + 12 * 8);
    CHECK(fc_scene_destroy(scene) == FC_OK && fc_object_destroy(box) == FC_OK && fc_object_destroy(drawn) == FC_OK);
    CHECK(fc_asset_release(asset) == FC_OK && fc_asset_release(drawn_asset) == FC_OK);
    free_surface(&sides);
    free_sheet(&s);
}

/* The same, bit for bit, on any threads. */
static void scenes_on_threads(void) {
    sheet s, other;
    static fc_impact impacts[2][40000];
    static fc_overlap pairs[2][40000];
    uint32_t counts[2][2], k, v, pass, frame;
    for (pass = 0; pass < 2; ++pass) {
        fc_scene scene = {0};
        fc_body below, above;
        s = flat_sheet(60, 1.0f, 0, 0, 0);
        other = flat_sheet(50, 0.9f, 0.01f, 0.02f, 0);
        for (k = 0; k < other.vertex_count; ++k)
            other.positions[3 * k + 2] = 0.2f * sinf(9 * other.positions[3 * k]) * cosf(7 * other.positions[3 * k + 1]);
        CHECK(set_threads(pass ? 3 : 0) == FC_OK && fc_scene_create(NULL, &scene) == FC_OK);
        below = add_sheet(scene, &s);
        above = add_sheet(scene, &other);
        for (frame = 0; frame < 4; ++frame) {
            for (v = 0; v < s.vertex_count; ++v) s.positions[3 * v + 2] = 0.01f * (float)frame * sinf(40 * s.positions[3 * v]);
            CHECK(fc_scene_move(scene, below, s.positions, s.vertex_count, 0) == FC_OK);
            shift(&other, 0, 0, -0.01f);
            CHECK(fc_scene_move(scene, above, other.positions, other.vertex_count, 0) == FC_OK);
            CHECK(fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
            CHECK(fc_scene_query_continuous(scene, NULL, impacts[pass], 40000, &counts[pass][0]) == FC_OK);
            CHECK(fc_scene_query_discrete(scene, FC_DISCRETE_CONTACTS, pairs[pass], 40000, &counts[pass][1]) == FC_OK);
        }
        free_sheet(&s);
        free_sheet(&other);
        CHECK(fc_scene_destroy(scene) == FC_OK);
    }
    CHECK(fc_set_threads(0) == FC_OK);
    CHECK(counts[0][0] > 100 && counts[0][1] > 100 && counts[0][0] == counts[1][0] && counts[0][1] == counts[1][1]);
    CHECK(memcmp(impacts[0], impacts[1], counts[0][0] * sizeof(fc_impact)) == 0);
    CHECK(memcmp(pairs[0], pairs[1], counts[0][1] * sizeof(fc_overlap)) == 0);
}

/* Forces and moments of a record cancel, and the nodes of both sides are where it acts. */
static void check_penalty(const fc_penalty *p, const double *nodes, const double *tet_nodes) {
    double at[3] = {0, 0, 0}, in_tet[3] = {0, 0, 0}, length = 0;
    int k, i;
    for (i = 0; i < 3; ++i) {
        for (k = 0; k < 2; ++k)
            if (p->nodes[k] != FC_NONE) at[i] += p->weights[k] * nodes[3 * p->nodes[k] + i];
        for (k = 0; k < 4; ++k)
            if (p->tet != FC_NONE) in_tet[i] += p->tet_weights[k] * tet_nodes[3 * p->tet_nodes[k] + i];
        NEAR(at[i], p->point[i], 1e-9);
        if (p->tet != FC_NONE) NEAR(in_tet[i], p->point[i], 1e-9);
        length += p->direction[i] * p->direction[i];
    }
    NEAR(length, 1, 1e-12);
    CHECK(p->depth >= 0 && p->load >= 0 && p->weight >= 0);
}

static double *world(const mesh *m, double x, double y, double z) {
    double *at = (double *)malloc(m->node_count * 3 * sizeof(double));
    uint32_t k;
    for (k = 0; k < m->node_count; ++k) {
        at[3 * k] = m->positions[3 * k] + x;
        at[3 * k + 1] = m->positions[3 * k + 1] + y;
        at[3 * k + 2] = m->positions[3 * k + 2] + z;
    }
    return at;
}

/* Two boxes pressed together, on the ground, touched by a probe, with a cloth in one of them. */
static void soft_bodies(void) {
    static fc_penalty found[4000], few[3];
    mesh m = box_mesh(4, 1.0f);
    sheet cloth = flat_sheet(3, 0.4f, 0.01f, 0.02f, 0.4f);
    fc_soft_desc desc = describe_soft(&m);
    fc_penalty_desc how;
    fc_penalty_stats stats;
    fc_soft a = {0}, b = {0};
    fc_soft_info info;
    fc_shape shape;
    fc_pose here = pose_at(100, 0, 0), at;
    fc_body_mesh mesh = describe_sheet(&cloth);
    fc_debug_draw draw;
    double *low = world(&m, 100, 0, 0), *high = world(&m, 100, 0, 0.95), point[3] = {100.1, 0.05, 0}, distance, depths[125], force, load;
    float outward[3];
    uint32_t triangles[3 * 192], count = 0, k, side, one = 62;
    fc_soft_info_default(&info);
    fc_penalty_desc_default(&how);
    fc_penalty_stats_default(&stats);
    desc.origin[0] = 100;
    CHECK(fc_soft_create(&desc, &a) == FC_OK && a.id != 0);
    CHECK(fc_soft_get_info(a, &info) == FC_OK && info.node_count == 125 && info.tet_count == 384 && info.live_tets == 384);
    CHECK(info.boundary_triangles == 192 && info.inverted_tets == 0 && info.bytes > 10000 && info.update_nanoseconds > 0);
    CHECK(fc_soft_boundary(a, triangles, 10, &count) == FC_INCOMPLETE && count == 192);
    CHECK(fc_soft_boundary(a, triangles, 192, &count) == FC_OK && count == 192);
    CHECK(fc_soft_signed_distance(a, point, &distance, outward) == FC_OK);
    NEAR(distance, -0.4, 1e-9);
    NEAR(outward[0], 1, 1e-6);
    point[0] = 100.7;
    CHECK(fc_soft_signed_distance(a, point, &distance, NULL) == FC_OK);
    NEAR(distance, 0.2, 1e-9);
    for (k = 0; k < 3; ++k) {
        CHECK(fc_soft_depths(a, k, NULL, 125, depths) == FC_OK);
        NEAR(depths[62], 0.5, 1e-9);
        CHECK(depths[0] == 0 && fc_soft_depths(a, k, &one, 1, depths) == FC_OK);
        NEAR(depths[0], 0.5, 1e-9);
    }

    /* b is on a, 5 cm deep: what is in b is pushed down. */
    desc.positions = NULL;
    desc.positions_double = low;
    CHECK(fc_soft_create(&desc, &b) == FC_OK && fc_soft_set_positions_double(b, high, 125, 0) == FC_OK);
    FAILS(fc_query_soft_pair(a, b, NULL, found, 4000, &count), FC_ERROR_WRONG_TIME, "fc_soft_update");
    CHECK(fc_soft_update(b) == FC_OK && fc_query_soft_pair(a, b, NULL, found, 4000, &count) == FC_OK && count > 100);
    CHECK(fc_penalty_get_stats(&stats) == FC_OK && stats.found == count && stats.tets > 50 && stats.parts >= stats.tets);
    for (k = 0, force = 0; k < count; ++k) {
        check_penalty(&found[k], found[k].side ? high : low, found[k].side ? low : high);
        force += found[k].load * found[k].direction[2] * (found[k].side ? -1 : 1);
    }
    CHECK(force < -0.1);
    CHECK(fc_query_soft_pair(a, b, NULL, few, 3, &side) == FC_INCOMPLETE && side == count && memcmp(few, found, sizeof few) == 0);
    how.penetrating[0] = FC_PENETRATING_POINTS;
    how.penetrating[1] = FC_PENETRATING_NOTHING;
    how.depths = FC_DEPTHS_CLOSEST_FEATURE;
    how.flags = FC_PENALTY_SMOOTH;
    CHECK(fc_query_soft_pair(a, b, &how, found, 4000, &count) == FC_OK && count >= 9 && count <= 25);
    for (k = 0; k < count; ++k) CHECK(found[k].side == 0 && found[k].nodes[1] == FC_NONE && found[k].depth == found[k].load);

    /* On the ground: the depth is known in closed form, and so is the load of all edges below. */
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_HALF_SPACE;
    shape.offset = -0.45f;
    CHECK(fc_query_soft_shape(a, &shape, &here, NULL, found, 4000, &count) == FC_OK && count > 0);
    for (k = 0, load = 0; k < count; ++k) {
        check_penalty(&found[k], low, NULL);
        CHECK(found[k].tet == FC_NONE && found[k].side == 0 && found[k].direction[2] == 1);
        NEAR(found[k].depth, -0.45 - found[k].point[2], 1e-7);
        load += found[k].load;
    }
    NEAR(load, 0.05 * (10 + 4 * sqrt(2)) + 16 * 0.025 * 0.05 * (1 + sqrt(2)), 1e-6);
    /* A probe: one record wherever it touches, also between edges. */
    shape.kind = FC_SHAPE_BALL;
    shape.radius = 0.05f;
    at = pose_at(100.13, 0.03, 0.52);
    how.penetrating[0] = FC_PENETRATING_NOTHING;
    how.penetrating[1] = FC_PENETRATING_POINTS;
    CHECK(fc_query_soft_shape(a, &shape, &at, &how, found, 4000, &count) == FC_OK && count == 1);
    NEAR(found[0].depth, 0.03, 1e-7);
    CHECK(found[0].side == 1 && found[0].nodes[0] == 0 && found[0].direction[2] == 1 && found[0].tet != FC_NONE);
    NEAR(found[0].point[2], 0.5, 1e-9);
    /* The corner of a box in the middle of a face: no edge of the body is in it. */
    shape.kind = FC_SHAPE_BOX;
    shape.half_extents[0] = shape.half_extents[1] = shape.half_extents[2] = 0.1f;
    at = pose_at(100.13, 0.03, 0.5 + 0.1 * sqrt(3) - 0.02);
    at.rotation[0] = 0.325058f; at.rotation[1] = -0.325058f; at.rotation[2] = 0; at.rotation[3] = 0.888074f; /* a corner down */
    CHECK(fc_query_soft_shape(a, &shape, &at, &how, found, 4000, &count) == FC_OK && count == 1);
    NEAR(found[0].depth, 0.02, 1e-3);
    how.penetrating[1] = FC_PENETRATING_SEGMENTS;
    CHECK(fc_query_soft_shape(a, &shape, &at, &how, found, 4000, &count) == FC_OK && count >= 6);
    for (k = 0; k < count; ++k) CHECK(found[k].side == 1 && found[k].direction[2] > 0.99);

    /* A cloth in it, relative to the body's origin. */
    CHECK(fc_query_soft_triangles(a, &mesh, NULL, found, 4000, &count) == FC_OK && count > 20);
    for (k = 0; k < count; ++k) {
        NEAR(found[k].depth, 0.1, 1e-6);
        CHECK(found[k].side == 1 && found[k].direction[2] > 0.99);
    }
    fc_debug_draw_default(&draw);
    draw.line = line;
    draw.text = text;
    draw.user_data = &lines;
    draw.flags = FC_DRAW_SURFACE | FC_DRAW_BOUNDS | FC_DRAW_BOXES;
    lines = words = 0;
    CHECK(fc_draw_soft(a, &draw) == FC_OK && lines == 3 * 192 + 12 + 12);
    lines = 0;
    CHECK(fc_draw_penalties(found, 2, &draw) == FC_OK && lines == 8 && words == 2);
    CHECK(fc_soft_destroy(a) == FC_OK && fc_soft_destroy(b) == FC_OK);
    free(low);
    free(high);
    free_mesh(&m);
    free_sheet(&cloth);
}

/* A box is cut in two, which move apart; then tetrahedra are removed. */
static void cuts_of_soft_bodies(void) {
    mesh m = box_mesh(4, 1.0f);
    fc_soft_desc desc = describe_soft(&m);
    fc_tet_change changes[384];
    fc_soft soft = {0};
    fc_soft_info info;
    double twins[3 * 25], *all, point[3] = {0, 0.1, 0}, distance;
    uint32_t twin_of[125], twin_count = 0, change_count = 0, k, c, count;
    fc_soft_info_default(&info);
    for (k = 0; k < m.node_count; ++k) {
        twin_of[k] = k;
        if (m.positions[3 * k] == 0) {
            for (c = 0; c < 3; ++c) twins[3 * twin_count + c] = m.positions[3 * k + c];
            twin_of[k] = m.node_count + twin_count++;
        }
    }
    for (k = 0; k < m.tet_count; ++k) {
        float x = 0;
        int is_changed = 0;
        for (c = 0; c < 4; ++c) x += m.positions[3 * m.tets[4 * k + c]];
        for (c = 0; c < 4; ++c) {
            changes[change_count].nodes[c] = twin_of[m.tets[4 * k + c]];
            is_changed |= twin_of[m.tets[4 * k + c]] != m.tets[4 * k + c];
        }
        changes[change_count].tet = k;
        change_count += x > 0 && is_changed;
    }
    CHECK(twin_count == 25 && fc_soft_create(&desc, &soft) == FC_OK);
    CHECK(fc_soft_set_tets(soft, changes, change_count, twins, twin_count) == FC_OK);
    FAILS(fc_soft_signed_distance(soft, point, &distance, NULL), FC_ERROR_WRONG_TIME, "fc_soft_update");
    CHECK(fc_soft_update(soft) == FC_OK && fc_soft_get_info(soft, &info) == FC_OK);
    CHECK(info.node_count == 150 && info.tet_count == 384 && info.boundary_triangles == 192 + 2 * 32);
    CHECK(fc_soft_signed_distance(soft, point, &distance, NULL) == FC_OK);
    NEAR(distance, 0, 1e-9);
    /* The right half moves by a metre: what was the middle is outside. */
    all = (double *)malloc(150 * 3 * sizeof(double));
    for (k = 0; k < 150; ++k)
        for (c = 0; c < 3; ++c) {
            double at = k < 125 ? m.positions[3 * k + c] : twins[3 * (k - 125) + c];
            int right = k >= 125 || m.positions[3 * k] > 0;
            all[3 * k + c] = at + (c == 0 && right ? 1 : 0);
        }
    CHECK(fc_soft_set_positions_double(soft, all, 150, 0) == FC_OK && fc_soft_update(soft) == FC_OK);
    point[0] = 0.3;
    CHECK(fc_soft_signed_distance(soft, point, &distance, NULL) == FC_OK);
    NEAR(distance, 0.3, 1e-9);
    point[0] = 1.25;
    CHECK(fc_soft_signed_distance(soft, point, &distance, NULL) == FC_OK);
    NEAR(distance, -0.25, 1e-9);
    /* Turned inside out, a body takes no part, and says so. */
    for (k = 0; k < 150; ++k) all[3 * k] = -all[3 * k];
    CHECK(fc_soft_set_positions_double(soft, all, 150, 0) == FC_OK && fc_soft_update(soft) == FC_OK);
    CHECK(fc_soft_get_info(soft, &info) == FC_OK && info.inverted_tets == 384);
    CHECK(fc_soft_signed_distance(soft, point, &distance, NULL) == FC_OK && isfinite(distance) && distance >= 0);
    for (k = 0; k < 384; ++k) {
        changes[k].tet = k;
        for (c = 0; c < 4; ++c) changes[k].nodes[c] = FC_NONE;
    }
    CHECK(fc_soft_set_tets(soft, changes, 384, NULL, 0) == FC_OK && fc_soft_update(soft) == FC_OK);
    CHECK(fc_soft_get_info(soft, &info) == FC_OK && info.live_tets == 0 && info.boundary_triangles == 0);
    CHECK(fc_soft_boundary(soft, NULL, 0, &count) == FC_OK && count == 0);
    FAILS(fc_soft_signed_distance(soft, point, &distance, NULL), FC_ERROR_INVALID_ARGUMENT, "removed");
    CHECK(fc_soft_destroy(soft) == FC_OK);
    free(all);
    free_mesh(&m);
}

/* Fragments of a break go on as soft bodies: distances to them are those to the objects; a body rests on one of them. */
static void soft_fragments(void) {
    static fc_penalty found[20000];
    mesh m = box_mesh(4, 1.0f);
    fc_asset asset = cook_box(4, 1.0f);
    fc_object box = {0}, pieces[16];
    fc_fracture_desc how = random_cells(6, 3);
    fc_pose here = pose_at(0, 0, 0);
    uint32_t count, piece, k, c, nodes, tets;
    CHECK(fc_object_create(asset, NULL, &box) == FC_OK);
    CHECK(fc_object_tets(box, NULL, 0, &nodes, NULL, 0, &tets) == FC_INCOMPLETE && nodes == 125 && tets == 384);
    CHECK(fc_fracture(box, &how, pieces, 16, &count, NULL) == FC_OK && count >= 6);
    for (piece = 0; piece < count; ++piece) {
        fc_tet_node *corners;
        uint32_t *list;
        double *at, distance, expected;
        fc_soft_desc desc;
        fc_soft soft = {0};
        fc_soft_desc_default(&desc);
        CHECK(fc_object_tets(pieces[piece], NULL, 0, &nodes, NULL, 0, &tets) == FC_INCOMPLETE && nodes > 3 && tets > 0);
        corners = (fc_tet_node *)malloc(nodes * sizeof *corners);
        list = (uint32_t *)malloc(tets * 4 * sizeof *list);
        at = (double *)malloc(nodes * 3 * sizeof *at);
        CHECK(fc_object_tets(pieces[piece], corners, nodes, &nodes, list, tets, &tets) == FC_OK);
        for (k = 0; k < nodes; ++k)
            for (c = 0; c < 3; ++c) {
                /* A node is where its shares of the mesh's nodes are. */
                double sum = 0;
                uint32_t i;
                for (i = 0; i < 4; ++i) sum += corners[k].weights[i] * m.positions[3 * corners[k].nodes[i] + c];
                NEAR(sum, corners[k].position[c], 1e-9);
                at[3 * k + c] = corners[k].position[c];
            }
        desc.flags = FC_SOFT_ORIENTED;
        desc.positions_double = at;
        desc.node_count = nodes;
        desc.tets = list;
        desc.tet_count = tets;
        CHECK(fc_soft_create(&desc, &soft) == FC_OK);
        for (k = 0; k < 40; ++k) {
            double point[3];
            for (c = 0; c < 3; ++c) point[c] = ((k * 7 + c * 13 + k * k * 3) % 41) / 41.0 - 0.5;
            CHECK(fc_soft_signed_distance(soft, point, &distance, NULL) == FC_OK);
            CHECK(fc_object_signed_distance(pieces[piece], &here, point, &expected, NULL) == FC_OK);
            NEAR(distance, expected, 1e-6);
        }
        /* In the intact box, which is rigid, all of it is pushed out; in its neighbours, nothing but what touches. */
        CHECK(fc_query_soft_object(soft, box, &here, NULL, found, 20000, &k) == FC_OK && k > 0);
        for (c = 0; c < k; ++c)
            if (found[c].side == 0) check_penalty(&found[c], at, NULL);
        CHECK(fc_query_soft_object(soft, pieces[(piece + 1) % count], &here, NULL, found, 20000, &k) == FC_OK);
        for (c = 0; c < k; ++c) CHECK(found[c].depth < 1e-6);
        CHECK(fc_soft_destroy(soft) == FC_OK);
        free(corners);
        free(list);
        free(at);
    }
    for (piece = 0; piece < count; ++piece) CHECK(fc_object_destroy(pieces[piece]) == FC_OK);
    CHECK(fc_object_destroy(box) == FC_OK && fc_asset_release(asset) == FC_OK);
    free_mesh(&m);
}

static void times_of_impact(void) {
    /* A vertex falls on a triangle from 1 to -3; an edge on another. */
    double start[12] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, end[12], time = -1;
    fc_ccd_desc desc;
    memcpy(end, start, sizeof end);
    end[2] = -3;
    CHECK(fc_ccd_vertex_face(start, end, NULL, &time) == FC_OK && time <= 0.25 && time > 0.25 - 1e-5);
    fc_ccd_desc_default(&desc);
    desc.tolerance = 1e-3;
    CHECK(fc_ccd_vertex_face(start, end, &desc, &time) == FC_OK && time <= 0.25 && time > 0.25 - 1e-2);
    start[0] = end[0] = 0.9;
    time = -1;
    CHECK(fc_ccd_vertex_face(start, end, NULL, &time) == FC_NO_HIT && time == -1);
    {
        const double below[12] = {0, 0, 0, 1, 0, 0, 0.5, -1, 1, 0.5, 1, 1}, above[12] = {0, 0, 0, 1, 0, 0, 0.5, -1, -1, 0.5, 1, -1};
        const double beside[12] = {0, 0, 0, 1, 0, 0, 1.5, -1, -1, 1.5, 1, -1};
        CHECK(fc_ccd_edge_edge(below, above, NULL, &time) == FC_OK && time <= 0.5 && time > 0.5 - 1e-5);
        CHECK(fc_ccd_edge_edge(beside, beside, NULL, &time) == FC_NO_HIT);
    }
}

int main(void) {
    uint32_t leaked = 9;
    versions();
    assets();
    objects();
    fractures();
    planes_of_fragments();
    queries();
    sphere_trees();
    drawings();
    batches();
    budgets();
    surfaces();
    repairs();
    saving();
    impacts_of_squares();
    overlaps_and_distances();
    splits_and_merges();
    objects_in_scenes();
    scenes_on_threads();
    times_of_impact();
    soft_bodies();
    cuts_of_soft_bodies();
    soft_fragments();
    CHECK(fc_live_handles() == 0);
    CHECK(fc_shutdown(&leaked) == FC_OK && leaked == 0);
    DONE("calls");
}
