/* What the C tests share: checks that say what failed, a box of tetrahedra, poses. */
#ifndef CHECK_H
#define CHECK_H

#include "fracas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <malloc.h>
#endif

static int failures = 0;

/* Aligned memory, for allocator hooks. */
static inline void *take_aligned(size_t size, size_t alignment) {
#ifdef _WIN32
    return _aligned_malloc(size, alignment);
#else
    void *block = NULL;
    return posix_memalign(&block, alignment, size) == 0 ? block : NULL;
#endif
}

static inline void give_aligned(void *block) {
#ifdef _WIN32
    _aligned_free(block);
#else
    free(block);
#endif
}

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

/* WebAssembly has no threads: it says so, and what is asked of several is asked of one. */
static inline fc_status set_threads(uint32_t count) {
#ifdef __wasm__
    if (count > 1) {
        FAILS(fc_set_threads(count), FC_ERROR_TOO_LARGE, "could not be started");
        return FC_OK;
    }
#endif
    return fc_set_threads(count);
}

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

static inline fc_soft_desc describe_soft(const mesh *m) {
    fc_soft_desc desc;
    fc_soft_desc_default(&desc);
    desc.positions = m->positions;
    desc.node_count = m->node_count;
    desc.tets = m->tets;
    desc.tet_count = m->tet_count;
    return desc;
}

/* The same box as a surface: its six sides, n * n squares each, with vertices of their own. Texture coordinates run from 0 to
   1 on each side; the material is its number. */
typedef struct box_surface {
    float *positions, *uvs;
    uint32_t *triangles, *materials;
    uint32_t vertex_count, triangle_count;
} box_surface;

static inline box_surface box_sides(uint32_t n, float edge) {
    box_surface s;
    uint32_t side, i, j, k, v = 0, t = 0, row = n + 1;
    s.vertex_count = 6 * row * row;
    s.triangle_count = 12 * n * n;
    s.positions = (float *)malloc(s.vertex_count * 3 * sizeof(float));
    s.uvs = (float *)malloc(s.vertex_count * 2 * sizeof(float));
    s.triangles = (uint32_t *)malloc(s.triangle_count * 3 * sizeof(uint32_t));
    s.materials = (uint32_t *)malloc(s.triangle_count * sizeof(uint32_t));
    for (side = 0; side < 6; ++side) {
        uint32_t axis = side / 2, first = v;
        for (j = 0; j < row; ++j)
            for (i = 0; i < row; ++i, ++v) {
                /* On the lower sides u and v are swapped, so that all look outwards. */
                float at[2];
                at[0] = (float)(side % 2 ? i : j) / (float)n;
                at[1] = (float)(side % 2 ? j : i) / (float)n;
                s.positions[3 * v + axis] = side % 2 ? 0.5f * edge : -0.5f * edge;
                for (k = 0; k < 2; ++k) {
                    s.positions[3 * v + (axis + 1 + k) % 3] = edge * (at[k] - 0.5f);
                    s.uvs[2 * v + k] = at[k];
                }
            }
        for (j = 0; j < n; ++j)
            for (i = 0; i < n; ++i) {
                uint32_t a = first + j * row + i, corners[6];
                corners[0] = a; corners[1] = a + 1; corners[2] = a + row;
                corners[3] = a + 1; corners[4] = a + row + 1; corners[5] = a + row;
                s.materials[t / 3] = s.materials[t / 3 + 1] = side;
                for (k = 0; k < 6; ++k) s.triangles[t++] = corners[k];
            }
    }
    return s;
}

static inline void free_surface(box_surface *s) {
    free(s->positions);
    free(s->uvs);
    free(s->triangles);
    free(s->materials);
}

static inline fc_asset_desc describe_surface(const box_surface *s) {
    fc_asset_desc desc;
    fc_asset_desc_default(&desc);
    desc.positions = s->positions;
    desc.node_count = s->vertex_count;
    desc.triangles = s->triangles;
    desc.triangle_count = s->triangle_count;
    desc.uvs = s->uvs;
    desc.materials = s->materials;
    desc.flags = FC_ASSET_KEEP_SURFACE;
    desc.fill_tets = 1500;
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

/* A sheet of n * n squares, two triangles each, facing up: edges of the given length about (x, y, z). */
typedef struct sheet {
    float *positions;
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} sheet;

static inline sheet flat_sheet(uint32_t n, float edge, float x, float y, float z) {
    sheet s;
    uint32_t k, i, j, t = 0, row = n + 1;
    s.vertex_count = row * row;
    s.triangle_count = 2 * n * n;
    s.positions = (float *)malloc(s.vertex_count * 3 * sizeof(float));
    s.triangles = (uint32_t *)malloc(s.triangle_count * 3 * sizeof(uint32_t));
    for (k = 0; k < s.vertex_count; ++k) {
        s.positions[3 * k] = x + edge * ((float)(k % row) / (float)n - 0.5f);
        s.positions[3 * k + 1] = y + edge * ((float)(k / row) / (float)n - 0.5f);
        s.positions[3 * k + 2] = z;
    }
    for (j = 0; j < n; ++j)
        for (i = 0; i < n; ++i) {
            uint32_t a = j * row + i, corners[6];
            corners[0] = a; corners[1] = a + 1; corners[2] = a + row + 1;
            corners[3] = a; corners[4] = a + row + 1; corners[5] = a + row;
            for (k = 0; k < 6; ++k) s.triangles[t++] = corners[k];
        }
    return s;
}

static inline void free_sheet(sheet *s) {
    free(s->positions);
    free(s->triangles);
}

static inline void shift(sheet *s, float x, float y, float z) {
    uint32_t k;
    for (k = 0; k < s->vertex_count; ++k) {
        s->positions[3 * k] += x;
        s->positions[3 * k + 1] += y;
        s->positions[3 * k + 2] += z;
    }
}

static inline fc_body_mesh describe_sheet(const sheet *s) {
    fc_body_mesh mesh;
    fc_body_mesh_default(&mesh);
    mesh.positions = s->positions;
    mesh.vertex_count = s->vertex_count;
    mesh.triangles = s->triangles;
    mesh.triangle_count = s->triangle_count;
    return mesh;
}

static inline fc_body add_sheet(fc_scene scene, const sheet *s) {
    fc_body_mesh mesh = describe_sheet(s);
    fc_body body = {0};
    CHECK(fc_scene_add(scene, &mesh, NULL, &body) == FC_OK && body.id != 0);
    return body;
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
