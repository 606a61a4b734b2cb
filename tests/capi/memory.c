/* Memory through the hook: nothing is left at the end, nothing is asked of it by warm queries, and every request may fail. */
#include "check.h"

#include <pthread.h>

/* An allocator that counts, remembers each block's size, and fails when told to. */
typedef struct heap {
    pthread_mutex_t lock;
    long blocks;
    long bytes;
    long requests;
    long fail_from; /* requests from this one on get nothing; 0: never */
    long fail_until;
    long failed;
} heap;

static heap the_heap = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0, 0, 0, 0};

typedef struct note {
    size_t size, alignment;
    void *base;
} note;

static void *take(size_t size, size_t alignment, void *user_data) {
    heap *h = (heap *)user_data;
    char *base, *block;
    pthread_mutex_lock(&h->lock);
    ++h->requests;
    if (h->fail_from && h->requests >= h->fail_from && h->requests < h->fail_until) {
        ++h->failed;
        pthread_mutex_unlock(&h->lock);
        return NULL;
    }
    if (alignment < 16 || (alignment & (alignment - 1)) != 0 || size == 0) abort();
    base = (char *)malloc(size + alignment + sizeof(note) + alignment);
    block = base + sizeof(note) + alignment;
    block -= (size_t)block % alignment;
    memset(block, 0xa5, size); /* nobody may count on zeros */
    /* Under the lock: the library's own, by which blocks go from thread to thread, is not seen by the thread sanitizer. */
    ((note *)block)[-1].size = size;
    ((note *)block)[-1].alignment = alignment;
    ((note *)block)[-1].base = base;
    ++h->blocks;
    h->bytes += (long)size;
    pthread_mutex_unlock(&h->lock);
    return block;
}

static void give_back(void *block, size_t size, size_t alignment, void *user_data) {
    heap *h = (heap *)user_data;
    note *n = (note *)block - 1;
    void *base;
    pthread_mutex_lock(&h->lock);
    if (n->size != size || n->alignment != alignment) abort();
    base = n->base;
    --h->blocks;
    h->bytes -= (long)size;
    pthread_mutex_unlock(&h->lock);
    free(base);
}

static double ground(const double *point, double *outward, void *user_data) {
    (void)user_data;
    outward[0] = outward[1] = 0;
    outward[2] = 1;
    return point[2] + 0.2;
}

#define TRY(call)                                                                                                           \
    do {                                                                                                                    \
        fc_status got = (call);                                                                                             \
        if (got == FC_ERROR_OUT_OF_MEMORY || got == FC_LOW_MEMORY) {                                                        \
            if (got < 0) CHECK(strstr(fc_last_error(), "NULL") != NULL);                                                    \
            ++*shortages;                                                                                                   \
            complete = 0;                                                                                                   \
        } else {                                                                                                            \
            CHECK(got >= 0);                                                                                                \
        }                                                                                                                   \
    } while (0)

static uint32_t body_count(fc_scene scene) {
    fc_scene_info info;
    fc_scene_info_default(&info);
    CHECK(fc_scene_get_info(scene, &info) == FC_OK);
    return info.body_count;
}

/* Frames of a scene. A change is made, or the scene has the bodies that it had; either way it can be used. */
static int frames(fc_object object, int *shortages) {
    sheet s = flat_sheet(6, 1.0f, 0, 0, 0), other = flat_sheet(5, 0.8f, 0.05f, 0, 0.1f);
    fc_body_mesh mesh = describe_sheet(&s), parts[2];
    fc_scene scene = {0};
    fc_body bodies[4], merged = {0};
    fc_overlap pairs[16];
    fc_impact impacts[16], first;
    fc_proximity near[16];
    fc_scene_contact contacts[16];
    fc_scene_hit hit;
    fc_debug_draw draw;
    fc_pose here = pose_at(0, 0, 0);
    const double start[12] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, end[12] = {0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    double from[3] = {0.1, 0.2, 5}, time;
    float down[3] = {0, 0, -1};
    uint32_t labels[72], count = 0, k, alive = 0, frame;
    int complete = 1;
    memset(bodies, 0, sizeof bodies);
    fc_debug_draw_default(&draw);
    draw.flags = FC_DRAW_SURFACE | FC_DRAW_BOUNDS | FC_DRAW_BOXES;
    TRY(fc_ccd_vertex_face(start, end, NULL, &time));
    TRY(fc_scene_create(NULL, &scene));
    if (scene.id == 0) goto ended;
    TRY(fc_scene_add(scene, &mesh, NULL, &bodies[0]));
    CHECK(body_count(scene) == (alive += bodies[0].id != 0));
    mesh = describe_sheet(&other);
    TRY(fc_scene_add(scene, &mesh, NULL, &bodies[1]));
    CHECK(body_count(scene) == (alive += bodies[1].id != 0));
    if (object.id != 0) {
        TRY(fc_scene_add_object(scene, object, &here, NULL, &bodies[2]));
        CHECK(body_count(scene) == (alive += bodies[2].id != 0));
        TRY(fc_scene_add_drawing(scene, object, &here, NULL, &bodies[3]));
        CHECK(body_count(scene) == (alive += bodies[3].id != 0));
    }
    for (frame = 0; frame < 3; ++frame) {
        shift(&other, 0, 0, -0.08f);
        if (bodies[1].id) TRY(fc_scene_move(scene, bodies[1], other.positions, other.vertex_count, 0));
        TRY(fc_scene_update(scene, FC_UPDATE_CONTINUOUS)); /* done, whatever the memory */
        TRY(fc_scene_query_discrete(scene, FC_DISCRETE_CONTACTS, pairs, 16, &count));
        TRY(fc_scene_query_continuous(scene, NULL, impacts, 16, &count));
        TRY(fc_scene_first_impact(scene, NULL, &first));
        TRY(fc_scene_query_proximity(scene, 0.05, near, 16, &count));
        if (object.id != 0) TRY(fc_scene_query_object(scene, object, &here, 0, 1, contacts, 16, &count));
        TRY(fc_scene_ray_cast(scene, from, down, 10, 1, &hit));
        TRY(fc_draw_scene(scene, &draw));
    }
    /* Split and merged; what is there afterwards is what the status says. */
    if (bodies[0].id) {
        fc_body halves[2] = {{0}, {0}};
        for (k = 0; k < 72; ++k) labels[k] = k % 12 >= 6;
        TRY(fc_scene_split_by_labels(scene, bodies[0], labels, 72, halves, 2, &count));
        CHECK(body_count(scene) == (alive += halves[0].id != 0));
        if (halves[0].id) {
            bodies[0].id = 0;
            TRY(fc_scene_merge(scene, halves, 2, NULL, &merged));
            CHECK(body_count(scene) == (alive -= merged.id != 0));
        }
        if (merged.id) {
            parts[0] = parts[1] = describe_sheet(&s);
            halves[0].id = 0;
            TRY(fc_scene_split(scene, merged, parts, 2, halves));
            CHECK(body_count(scene) == (alive += halves[0].id != 0));
            mesh = describe_sheet(&s);
            merged.id = 0;
            if (halves[0].id) {
                TRY(fc_scene_merge(scene, halves, 2, &mesh, &merged));
                CHECK(body_count(scene) == (alive -= merged.id != 0));
            }
        }
    }
    if (bodies[1].id) {
        TRY(fc_scene_delete(scene, bodies[1]));
        CHECK(body_count(scene) == --alive); /* never refused */
    }
    TRY(fc_scene_update(scene, 0));
    TRY(fc_scene_query_discrete(scene, 0, pairs, 16, &count));
    CHECK(fc_scene_destroy(scene) == FC_OK);
ended:
    free_sheet(&s);
    free_sheet(&other);
    return complete;
}

/* Steps of soft bodies. A change is made whatever the memory; what is created or found is, or is not. */
static int soft_steps(fc_object object, int *shortages) {
    static fc_penalty found[4000];
    static fc_tet_node corners[2000];
    static uint32_t list[4 * 4000];
    mesh m = box_mesh(3, 1.0f);
    sheet s = flat_sheet(3, 0.6f, 0, 0, 0.3f);
    fc_body_mesh cloth = describe_sheet(&s);
    fc_soft_desc desc = describe_soft(&m);
    fc_soft a = {0}, b = {0};
    fc_soft_info info;
    fc_shape shape;
    fc_debug_draw draw;
    fc_pose here = pose_at(0, 0, 0);
    fc_tet_change gone = {0, {FC_NONE, FC_NONE, FC_NONE, FC_NONE}};
    double depths[64], point[3] = {0.1, 0.2, 0.3}, distance, more[3] = {0, 0, 9};
    uint32_t count = 0, other = 0, method, step;
    int complete = 1;
    fc_soft_info_default(&info);
    fc_debug_draw_default(&draw);
    draw.flags = FC_DRAW_SURFACE | FC_DRAW_BOUNDS | FC_DRAW_BOXES;
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_FIELD;
    shape.field = ground;
    if (object.id != 0) {
        TRY(fc_object_tets(object, NULL, 0, &count, NULL, 0, &other));
        TRY(fc_object_tets(object, corners, 2000, &count, list, 4000, &other));
        TRY(fc_object_convex_parts(object, NULL, NULL, 0, &count, NULL, 0, &other, NULL, 0, &other));
    }
    TRY(fc_soft_create(&desc, &a));
    TRY(fc_soft_create(&desc, &b));
    for (step = 0; step < 2 && a.id != 0 && b.id != 0; ++step) {
        fc_penalty_desc how;
        uint32_t k, cut = 0;
        for (k = 0; k < m.node_count; ++k) m.positions[3 * k + 2] += 0.4f;
        TRY(fc_soft_set_positions(b, m.positions, m.node_count, 0));
        if (step == 1) {
            TRY(fc_soft_set_tets(b, &gone, 1, more, 1));
            CHECK(fc_soft_get_info(b, &info) == FC_OK);
            cut = info.node_count - m.node_count; /* all or nothing */
        }
        TRY(fc_soft_update(b)); /* done, whatever the memory */
        CHECK(cut <= 1 && fc_soft_get_info(b, &info) == FC_OK && info.live_tets == m.tet_count - cut);
        for (method = 0; method < 3; ++method) {
            fc_penalty_desc_default(&how);
            how.depths = method;
            how.flags = method == 1 ? FC_PENALTY_SMOOTH : method == 2 ? FC_PENALTY_MEASURED : 0;
            TRY(fc_soft_depths(a, method, NULL, m.node_count, depths));
            TRY(fc_query_soft_pair(a, b, &how, found, 4000, &count));
            TRY(fc_query_soft_shape(a, &shape, &here, &how, found, 4000, &count));
            TRY(fc_query_soft_triangles(a, &cloth, &how, found, 4000, &count));
            if (object.id != 0) TRY(fc_query_soft_object(b, object, &here, &how, found, 4000, &count));
        }
        TRY(fc_soft_signed_distance(a, point, &distance, NULL));
        TRY(fc_draw_soft(a, &draw));
    }
    if (a.id != 0) CHECK(fc_soft_destroy(a) == FC_OK);
    if (b.id != 0) CHECK(fc_soft_destroy(b) == FC_OK);
    free_mesh(&m);
    free_sheet(&s);
    return complete;
}

/* Everything that an engine does in its life. Each call succeeds, or says that memory is short and has changed nothing. */
static int life(const mesh *m, int *shortages) {
    fc_asset_desc desc = describe(m);
    fc_asset asset = {0};
    fc_object object = {0}, pieces[64];
    fc_fracture_desc how = random_cells(5, 1);
    fc_pose here = pose_at(0, 0, 0), moved = pose_at(0.01, 0, 0);
    fc_contact contacts[64];
    fc_pair pairs[20];
    fc_shape shape;
    fc_ray_hit hit;
    fc_debug_draw draw;
    fc_hull hull = {0};
    static float vertices[30000];
    static fc_triangle triangles[10000];
    static uint8_t file[1 << 22];
    fc_asset again = {0};
    fc_object loaded[64];
    uint64_t size = 0;
    fc_adjacency adjacency[256];
    float planes[16] = {1, 1, 1, 1, -1, 0, 0, 1, 0, -1, 0, 1, 0, 0, -1, 1}, x[3] = {1, 0.1f, 0.2f};
    double far[3] = {-5, -0.5, -1}, distance;
    uint32_t count = 0, other = 0, k, made = 0, offsets[21];
    int complete = 1;
    TRY(fc_set_threads(0));
    TRY(fc_asset_create(&desc, &asset));
    if (asset.id != 0) TRY(fc_object_create(asset, NULL, &object));
    if (object.id != 0) {
        fc_status got = fc_fracture(object, &how, pieces, 64, &made, NULL);
        if (got == FC_ERROR_OUT_OF_MEMORY) {
            CHECK(fc_live_handles() == 2); /* all or nothing */
            made = 0;
            ++*shortages;
            complete = 0;
        } else {
            CHECK(got == FC_OK && made >= 5 && fc_live_handles() == 2 + made);
        }
        TRY(fc_object_ray_cast(object, &here, far, x, 100, &hit));
        TRY(fc_object_signed_distance(object, &here, far, &distance, NULL));
    }
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_FIELD;
    shape.field = ground;
    for (k = 0; k + 1 < made; ++k) {
        TRY(fc_query_pair(pieces[k], &moved, pieces[k + 1], &here, NULL, contacts, 64, &count));
        TRY(fc_query_shape(pieces[k], &here, &shape, &here, NULL, contacts, 64, &count));
    }
    {
        /* The same from a surface, and drawn. */
        box_surface s = box_sides(2, 1.0f);
        fc_asset_desc outside = describe_surface(&s);
        static fc_vertex drawn[20000];
        static fc_drawn_triangle parts[20000];
        fc_asset filled = {0};
        fc_object whole = {0}, broken[64];
        uint32_t some = 0;
        outside.fill_tets = 100;
        outside.grid_cells = 8;
        TRY(fc_asset_create(&outside, &filled));
        if (filled.id != 0) TRY(fc_object_create(filled, NULL, &whole));
        if (whole.id != 0) TRY(fc_fracture(whole, &how, broken, 64, &some, NULL));
        for (k = 0; k < some; ++k) TRY(fc_object_drawing(broken[k], drawn, 20000, &count, parts, 20000, &other, NULL));
        for (k = 0; k < some; ++k) CHECK(fc_object_destroy(broken[k]) == FC_OK);
        if (whole.id != 0) CHECK(fc_object_destroy(whole) == FC_OK);
        if (filled.id != 0) CHECK(fc_asset_release(filled) == FC_OK);
        free_surface(&s);
    }
    complete &= frames(object, shortages);
    complete &= soft_steps(object, shortages);
    TRY(fc_hull_create(planes, 4, 0, &hull));
    if (made >= 2) {
        TRY(fc_object_adjacency(pieces[0], adjacency, 256, &count));
        TRY(fc_object_surface(pieces[1], NULL, 0, &count, NULL, 0, &other));
        TRY(fc_object_surface(pieces[1], vertices, 10000, &count, triangles, 10000, &other));
        fc_debug_draw_default(&draw);
        draw.flags = FC_DRAW_SURFACE | FC_DRAW_SPHERES | FC_DRAW_BOUNDS;
        TRY(fc_draw_object(pieces[0], &here, &draw));
        for (k = 0; k < 20; ++k) {
            pairs[k].a = pieces[k % made];
            pairs[k].b = pieces[(k + 1) % made];
            pairs[k].pose_a = moved;
            pairs[k].pose_b = here;
        }
        TRY(fc_query_pairs(pairs, 20, NULL, NULL, 0, offsets, NULL));
    }
    if (asset.id != 0) TRY(fc_asset_save(asset, file, sizeof file, &size));
    if (size > 0) TRY(fc_asset_load(file, size, &again));
    if (again.id != 0) CHECK(fc_asset_release(again) == FC_OK);
    size = 0;
    if (made >= 2) TRY(fc_object_save(pieces, made, file, sizeof file, &size));
    count = 0;
    if (size > 0) {
        const uint64_t alive = fc_live_handles();
        TRY(fc_object_load(file, size, asset, loaded, 64, &count));
        CHECK(fc_live_handles() == alive + count && (count == 0 || count == made)); /* all or nothing */
    }
    for (k = 0; k < count; ++k) CHECK(fc_object_destroy(loaded[k]) == FC_OK);
    for (k = 0; k < made; ++k) CHECK(fc_object_destroy(pieces[k]) == FC_OK);
    if (hull.id != 0) CHECK(fc_hull_destroy(hull) == FC_OK);
    if (object.id != 0) CHECK(fc_object_destroy(object) == FC_OK);
    if (asset.id != 0) CHECK(fc_asset_release(asset) == FC_OK);
    CHECK(fc_live_handles() == 0);
    return complete;
}

static void every_request_may_fail(const mesh *m, long closeness) {
    long requests, first, runs = 0;
    int shortages = 0, burst;
    the_heap.requests = 0;
    CHECK(fc_set_allocator(take, give_back, &the_heap) == FC_OK);
    CHECK(life(m, &shortages) == 1 && shortages == 0);
    CHECK(fc_shutdown(NULL) == FC_OK && the_heap.blocks == 0 && the_heap.bytes == 0);
    requests = the_heap.requests;
    /* One request, or all from there on; the sooner the closer, since setting up has most kinds of request. */
    for (burst = 0; burst < 2; ++burst)
        for (first = 1; first <= requests; first += 1 + first / closeness) {
            int before = shortages, complete;
            the_heap.requests = 0;
            the_heap.failed = 0;
            the_heap.fail_from = first;
            the_heap.fail_until = burst ? requests * 10 : first + 1;
            CHECK(fc_set_allocator(take, give_back, &the_heap) == FC_OK);
            complete = life(m, &shortages);
            CHECK(complete == (shortages == before));
            CHECK(the_heap.failed == 0 || shortages > before); /* no shortage goes unsaid */
            the_heap.fail_from = 0;
            CHECK(fc_shutdown(NULL) == FC_OK);
            CHECK(the_heap.blocks == 0 && the_heap.bytes == 0);
            ++runs;
        }
    printf("%ld requests in a life; %ld lives with shortages, %d calls said so, nothing was left\n", requests, runs, shortages);
}

/* The same for the calls of a scene alone, without an object: each request of theirs. */
static void every_request_of_a_scene_may_fail(void) {
    long requests = 0, first, runs = 0;
    int shortages = 0, burst;
    for (burst = 0; burst < 2; ++burst)
        for (first = 0; first <= requests; ++first) {
            const fc_object none = {0};
            int before = shortages;
            CHECK(fc_set_allocator(take, give_back, &the_heap) == FC_OK);
            the_heap.requests = the_heap.failed = 0;
            the_heap.fail_from = first;
            the_heap.fail_until = burst ? requests * 10 : first + 1;
            CHECK(frames(none, &shortages) == (shortages == before));
            CHECK((the_heap.failed == 0) == (shortages == before));
            if (first == 0) requests = the_heap.requests;
            the_heap.fail_from = 0;
            CHECK(fc_live_handles() == 0 && fc_shutdown(NULL) == FC_OK);
            CHECK(the_heap.blocks == 0 && the_heap.bytes == 0);
            ++runs;
            first += burst ? first / 20 : 0;
        }
    printf("%ld requests of a scene; %ld scenes with shortages, %d calls said so, nothing was left\n", requests, runs, shortages);
}

/* Moving asks for nothing; updates and queries for a few lists, which do not grow with the triangles. */
static void warm_frames(void) {
    static fc_overlap pairs[20000];
    static fc_impact impacts[20000];
    fc_scene scene = {0};
    fc_body below, above;
    uint32_t size, frame, k, count = 0;
    long before = 0, moves = 0, updates = 0, queries = 0;
    const double start[12] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, end[12] = {0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    double time;
    for (size = 10; size <= 40; size *= 2) {
        sheet s = flat_sheet(size, 1.0f, 0, 0, 0), other = flat_sheet(size, 1.0f, 0.03f, 0.01f, 0);
        CHECK(fc_scene_create(NULL, &scene) == FC_OK);
        below = add_sheet(scene, &s);
        above = add_sheet(scene, &other);
        for (frame = 0; frame < 12; ++frame) {
            before = the_heap.requests;
            for (k = 0; k < other.vertex_count; ++k)
                other.positions[3 * k + 2] = 0.1f * sinf(9 * other.positions[3 * k] + (float)(frame % 2));
            CHECK(fc_scene_move(scene, above, other.positions, other.vertex_count, 0) == FC_OK);
            CHECK(fc_scene_move(scene, below, s.positions, s.vertex_count, 0) == FC_OK);
            moves = the_heap.requests - before;
            before = the_heap.requests;
            CHECK(fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK);
            updates = the_heap.requests - before;
            before = the_heap.requests;
            CHECK(fc_scene_query_discrete(scene, FC_DISCRETE_CONTACTS, pairs, 20000, &count) == FC_OK && count > 10);
            CHECK(fc_scene_query_continuous(scene, NULL, impacts, 20000, &count) == FC_OK && count > 10);
            queries = the_heap.requests - before;
        }
        printf("a frame of %u triangles: %ld requests of moves, %ld of an update, %ld of two queries\n",
               (unsigned)(4 * size * size), moves, updates, queries);
        CHECK(moves == 0 && updates <= 20 && queries <= 60);
        CHECK(fc_scene_destroy(scene) == FC_OK);
        free_sheet(&s);
        free_sheet(&other);
    }
    for (frame = 0; frame < 3; ++frame) {
        before = the_heap.requests;
        CHECK(fc_ccd_vertex_face(start, end, NULL, &time) == FC_OK);
    }
    CHECK(the_heap.requests == before);
}

static void warm_queries_ask_for_nothing(const mesh *m) {
    fc_asset_desc desc = describe(m);
    fc_asset asset = {0};
    fc_object object = {0}, pieces[64];
    fc_fracture_desc how = random_cells(10, 1);
    fc_pose here = pose_at(0, 0, 0), moved = pose_at(0.02, 0.01, 0);
    fc_contact contacts[256];
    fc_query_desc query;
    fc_shape shape;
    fc_hull hull = {0};
    fc_pair pairs[64];
    uint32_t made = 0, count = 0, i, j, kind, mode, offsets[65], found = 0;
    float six[24] = {1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, -0.2f, 0, 0, -1, 1};
    long before = 0, batches = 0;
    int pass;
    CHECK(fc_set_allocator(take, give_back, &the_heap) == FC_OK);
    CHECK(fc_asset_create(&desc, &asset) == FC_OK && fc_object_create(asset, NULL, &object) == FC_OK);
    CHECK(fc_fracture(object, &how, pieces, 64, &made, NULL) == FC_OK && made >= 10);
    CHECK(fc_hull_create(six, 6, 0, &hull) == FC_OK);
    fc_query_desc_default(&query);
    for (pass = 0; pass < 2; ++pass) {
        before = the_heap.requests;
        found = 0;
        for (mode = 0; mode <= FC_MODE_FULL; ++mode) {
            query.mode = mode;
            query.flags = FC_QUERY_TIMED;
            for (i = 0; i < made; ++i) {
                for (j = 0; j < made; ++j) {
                    CHECK(fc_query_pair(pieces[i], &moved, pieces[j], &here, &query, contacts, 256, &count) >= 0);
                    found += count;
                }
                for (kind = FC_SHAPE_HALF_SPACE; kind <= FC_SHAPE_FIELD; ++kind) {
                    fc_shape_default(&shape);
                    shape.kind = kind;
                    shape.radius = shape.half_extents[0] = shape.half_extents[1] = shape.half_extents[2] = 0.3f;
                    shape.hull = hull;
                    shape.field = ground;
                    CHECK(fc_query_shape(pieces[i], &here, &shape, &here, &query, contacts, 256, &count) >= 0);
                    found += count;
                }
            }
        }
    }
    CHECK(found > 1000 && the_heap.requests == before);
    for (i = 0; i < 64; ++i) {
        pairs[i].a = pieces[i % made];
        pairs[i].b = pieces[(3 * i + 1) % made];
        pairs[i].pose_a = moved;
        pairs[i].pose_b = here;
    }
    for (pass = 0; pass < 3; ++pass) {
        batches = the_heap.requests;
        CHECK(fc_query_pairs(pairs, 64, NULL, contacts, 256, offsets, NULL) >= 0 && offsets[64] > 64);
    }
    CHECK(the_heap.requests == batches);
    warm_frames();
    printf("%u contacts of warm queries without a request; %ld requests before\n", (unsigned)found, before);
    CHECK(fc_shutdown(NULL) == FC_OK && the_heap.blocks == 0); /* ends the handles too */
}

/* What blocks were asked for: each has room before it, 16 bytes here. */
static double in_use(void) {
    return (double)(the_heap.bytes - 16 * the_heap.blocks);
}

static void what_is_said_is_what_is_held(const mesh *m) {
    fc_asset_desc desc = describe(m);
    fc_asset asset = {0};
    fc_object object = {0}, pieces[64], twin = {0};
    fc_fracture_desc how = random_cells(10, 1);
    fc_pose here = pose_at(0, 0, 0), moved = pose_at(0.02, 0.01, 0);
    fc_contact contacts[256];
    fc_object_memory memory, of_break;
    uint32_t made = 0, count = 0, i, j;
    double before;
    CHECK(fc_set_allocator(take, give_back, &the_heap) == FC_OK);
    CHECK(fc_asset_create(&desc, &asset) == FC_OK && fc_object_create(asset, NULL, &object) == FC_OK);
    fc_object_memory_default(&memory);
    CHECK(fc_object_get_memory(object, &memory) == FC_OK && memory.struct_size == sizeof memory);
    CHECK(memory.fragment_count == 0 && memory.break_bytes == 0 && memory.object_bytes <= 1024);
    before = in_use();
    CHECK(fc_object_create(asset, NULL, &twin) == FC_OK);
    CHECK(in_use() - before <= (double)memory.object_bytes);
    CHECK(fc_fracture(object, &how, pieces, 64, &made, NULL) == FC_OK && made >= 10);
    for (i = 0; i < made; ++i)
        for (j = 0; j < made; ++j)
            CHECK(fc_query_pair(pieces[i], &moved, pieces[j], &here, NULL, contacts, 256, &count) >= 0);
    fc_object_memory_default(&of_break);
    CHECK(fc_object_get_memory(pieces[3], &of_break) == FC_OK && of_break.fragment_count == made);
    CHECK(of_break.asset_bytes >= memory.asset_bytes && of_break.object_bytes <= 1024);
    before = in_use();
    for (i = 0; i < made; ++i) CHECK(fc_object_destroy(pieces[i]) == FC_OK);
    /* The table of handles is the system heap's. */
    NEAR((before - in_use()) / (double)(of_break.break_bytes + made * of_break.object_bytes), 1.0, 0.1);
    CHECK(fc_object_get_memory(object, &memory) == FC_OK);
    before = in_use();
    CHECK(fc_object_destroy(object) == FC_OK && fc_object_destroy(twin) == FC_OK && fc_asset_release(asset) == FC_OK);
    NEAR((before - in_use()) / (double)(memory.asset_bytes + 2 * memory.object_bytes), 1.0, 0.1);
    printf("%u bytes an object, %u a break of %u fragments, %u their asset\n", (unsigned)memory.object_bytes,
           (unsigned)of_break.break_bytes, (unsigned)made, (unsigned)memory.asset_bytes);
    {
        sheet s = flat_sheet(30, 1.0f, 0, 0, 0);
        fc_scene scene = {0};
        fc_scene_info info;
        fc_scene_info_default(&info);
        before = in_use();
        CHECK(fc_scene_create(NULL, &scene) == FC_OK);
        for (i = 0; i < 5; ++i) (void)add_sheet(scene, &s);
        CHECK(fc_scene_update(scene, FC_UPDATE_CONTINUOUS) == FC_OK && fc_scene_get_info(scene, &info) == FC_OK);
        NEAR((in_use() - before) / (double)info.bytes, 1.0, 0.1);
        printf("%u bytes a triangle of a scene\n", (unsigned)(info.bytes / info.triangle_count));
        CHECK(fc_scene_destroy(scene) == FC_OK && in_use() == before);
        free_sheet(&s);
    }
    CHECK(fc_shutdown(NULL) == FC_OK && the_heap.blocks == 0);
}

static void *query_and_end(void *object) {
    fc_pose here = pose_at(0, 0, 0), up = pose_at(0, 0, 0.99);
    uint32_t count = 0;
    CHECK(fc_query_pair(*(fc_object *)object, &up, *(fc_object *)object, &here, NULL, NULL, 0, &count) == FC_INCOMPLETE);
    return NULL;
}

static void threads_leave_nothing(const mesh *m) {
    fc_asset_desc desc = describe(m);
    fc_asset asset = {0};
    fc_object object = {0}, pieces[64];
    fc_fracture_desc how = random_cells(10, 1);
    uint32_t made = 0, leaked = 0;
    pthread_t thread;
    CHECK(fc_set_allocator(take, give_back, &the_heap) == FC_OK);
    CHECK(fc_set_threads(3) == FC_OK);
    CHECK(fc_asset_create(&desc, &asset) == FC_OK && fc_object_create(asset, NULL, &object) == FC_OK);
    CHECK(fc_fracture(object, &how, pieces, 64, &made, NULL) == FC_OK);
    CHECK(pthread_create(&thread, NULL, query_and_end, &object) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(fc_shutdown(&leaked) == FC_OK && leaked == made + 2);
    CHECK(the_heap.blocks == 0 && the_heap.bytes == 0);
}

/* A number as argument: how close the shortages are that are tried. */
int main(int argc, char **argv) {
    mesh m = box_mesh(3, 1.0f);
    every_request_may_fail(&m, argc > 1 && atol(argv[1]) > 0 ? atol(argv[1]) : getenv("FRACAS_FULL") ? 40 : 8);
    every_request_of_a_scene_may_fail();
    warm_queries_ask_for_nothing(&m);
    what_is_said_is_what_is_held(&m);
    threads_leave_nothing(&m);
    free_mesh(&m);
    DONE("memory");
}
