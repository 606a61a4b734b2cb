/* What the C tests share: checks that say what failed, a box of tetrahedra, poses. */
#ifndef CHECK_H
#define CHECK_H

#include "fracas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                                                                    \
    do {                                                                                                                    \
        if (!(condition)) {                                                                                                 \
            printf("%s:%d: not so: %s (last error: %s)\n", __FILE__, __LINE__, #condition, fc_last_error());                \
            ++failures;                                                                                                     \
        }                                                                                                                   \
    } while (0)

#define NEAR(a, b, within) CHECK(fabs((double)(a) - (double)(b)) <= (within))

/* The status, and words that the error must have; "" for none. */
#define FAILS(call, wanted, words)                                                                                          \
    do {                                                                                                                    \
        fc_status status_ = (call);                                                                                         \
        if (status_ != (wanted) || strstr(fc_last_error(), (words)) == NULL) {                                                  \
            printf("%s:%d: %s is %s (\"%s\"), not %s with \"%s\"\n", __FILE__, __LINE__, #call, fc_status_name(status_),        \
                   fc_last_error(), fc_status_name(wanted), (words));                                                       \
            ++failures;                                                                                                     \
        }                                                                                                                   \
    } while (0)

#define DONE(what)                                                                                                          \
    do {                                                                                                                    \
        printf("%s: %s\n", (what), failures == 0 ? "all is well" : "FAILED");                                               \
        return failures != 0;                                                                                               \
    } while (0)

/* A box of n * n * n cells, six tetrahedra each, with edges of the given length about the origin. */
typedef struct mesh {
    float *positions;
    uint32_t *tets;
    uint32_t node_count;
    uint32_t tet_count;
} mesh;

static inline mesh box_mesh(uint32_t n, float edge) {
    static const unsigned char path[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    mesh m;
    uint32_t side = n + 1, x, y, z, k, t = 0;
    m.node_count = side * side * side;
    m.tet_count = 6 * n * n * n;
    m.positions = (float *)malloc(m.node_count * 3 * sizeof(float));
    m.tets = (uint32_t *)malloc(m.tet_count * 4 * sizeof(uint32_t));
    for (k = 0; k < m.node_count; ++k) {
        m.positions[3 * k] = edge * ((float)(k % side) / (float)n - 0.5f);
        m.positions[3 * k + 1] = edge * ((float)(k / side % side) / (float)n - 0.5f);
        m.positions[3 * k + 2] = edge * ((float)(k / side / side) / (float)n - 0.5f);
    }
    for (z = 0; z < n; ++z)
        for (y = 0; y < n; ++y)
            for (x = 0; x < n; ++x)
                for (k = 0; k < 6; ++k) {
                    uint32_t corners[4], c;
                    corners[0] = 0; corners[1] = path[k][0]; corners[2] = path[k][1]; corners[3] = 7;
                    for (c = 0; c < 4; ++c) {
                        uint32_t b = corners[c];
                        m.tets[t++] = (x + (b & 1)) + side * ((y + (b >> 1 & 1)) + side * (z + (b >> 2)));
                    }
                }
    return m;
}

static inline void free_mesh(mesh *m) {
    free(m->positions);
    free(m->tets);
}

static inline fc_asset_desc describe(const mesh *m) {
    fc_asset_desc desc;
    fc_asset_desc_default(&desc);
    desc.positions = m->positions;
    desc.node_count = m->node_count;
    desc.tets = m->tets;
    desc.tet_count = m->tet_count;
    desc.grid_cells = 16;
    return desc;
}

static inline fc_asset cook_box(uint32_t n, float edge) {
    mesh m = box_mesh(n, edge);
    fc_asset_desc desc = describe(&m);
    fc_asset asset = {0};
    CHECK(fc_asset_create(&desc, &asset) == FC_OK);
    free_mesh(&m);
    return asset;
}

static inline fc_pose pose_at(double x, double y, double z) {
    fc_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    pose.position[0] = x;
    pose.position[1] = y;
    pose.position[2] = z;
    return pose;
}

static inline fc_fracture_desc random_cells(uint32_t count, uint64_t seed) {
    fc_fracture_desc desc;
    fc_fracture_desc_default(&desc);
    desc.pattern = FC_PATTERN_RANDOM_VORONOI;
    desc.count = count;
    desc.seed = seed;
    return desc;
}

#endif
