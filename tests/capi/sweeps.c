/* Sweeps, distances, and queries that remember or look ahead, as an engine's step would use them. */
#include "check.h"

/* A box of tetrahedra with other edges than a cube. */
static fc_object plate(float x, float y, float z) {
    mesh m = box_mesh(4, 1.0f);
    fc_asset_desc desc;
    fc_asset asset = {0};
    fc_object object = {0};
    uint32_t k;
    for (k = 0; k < m.node_count; ++k) {
        m.positions[3 * k] *= x;
        m.positions[3 * k + 1] *= y;
        m.positions[3 * k + 2] *= z;
    }
    desc = describe(&m);
    CHECK(fc_asset_create(&desc, &asset) == FC_OK && fc_object_create(asset, NULL, &object) == FC_OK);
    CHECK(fc_asset_release(asset) == FC_OK);
    free_mesh(&m);
    return object;
}

static fc_pose turned(fc_pose pose, double angle) {
    pose.rotation[2] = (float)sin(angle / 2);
    pose.rotation[3] = (float)cos(angle / 2);
    return pose;
}

static double ground(const double *point, double *outward, void *user_data) {
    (void)user_data;
    outward[0] = outward[1] = 0;
    outward[2] = 1;
    return point[2];
}

static void check_contacts(const fc_contact *c, uint32_t count) {
    uint32_t k;
    for (k = 0; k < count; ++k) {
        double length = 0;
        int i;
        for (i = 0; i < 3; ++i) length += (double)c[k].normal[i] * c[k].normal[i];
        CHECK(isfinite(c[k].point[0]) && isfinite(c[k].point[1]) && isfinite(c[k].point[2]) && isfinite(c[k].depth));
        CHECK(fabs(length - 1) < 1e-3);
    }
}

/* What the library asks of the heap. */
static long requests = 0;
static void *take(size_t size, size_t alignment, void *user_data) {
    (void)user_data;
    ++requests;
    return take_aligned(size, alignment);
}
static void give_back(void *block, size_t size, size_t alignment, void *user_data) {
    (void)size;
    (void)alignment;
    (void)user_data;
    give_aligned(block);
}

static void sweeps(fc_object shard, fc_object thin) {
    const fc_pose above = pose_at(0.01, 0.02, 2), below = pose_at(0.01, 0.02, -2), here = pose_at(0, 0, 0), beside = pose_at(9, 0, 2);
    const fc_pose spun = turned(below, 2);
    fc_sweep_desc how;
    fc_sweep_hit hit, swapped, same;
    fc_shape shape;
    fc_sweep list[20];
    fc_sweep_hit hits[20], again[20];
    fc_status statuses[20];
    uint32_t kind, k;
    long before = 0;
    /* It would fly through: 4 m in a step, against 2 cm. */
    CHECK(fc_sweep_pair(shard, &above, &below, thin, &here, &here, NULL, &hit) == FC_OK);
    NEAR(hit.time, (2 - 0.05 - 0.01) / 4, 1e-4);
    CHECK(hit.time <= (2 - 0.05 - 0.01) / 4 + 1e-9 && hit.exact == 1 && hit.reserved == 0);
    CHECK(hit.contact.depth <= 0 && hit.contact.depth > -1e-3f);
    NEAR(hit.contact.normal[2], 1, 1e-5);
    NEAR(hit.contact.point[2], 0.01 - 2, 1e-3); /* relative to A at the start */
    CHECK(fc_sweep_pair(thin, &here, &here, shard, &above, &below, NULL, &swapped) == FC_OK);
    CHECK(swapped.time == hit.time && swapped.contact.normal[2] == -hit.contact.normal[2]);
    NEAR(swapped.contact.point[2], 0.01, 1e-3);
    fc_sweep_desc_default(&how);
    CHECK(how.margin == -1 && how.tolerance == -1 && how.flags == 0);
    how.flags = FC_SWEEP_ORIGIN;
    how.origin[2] = 1;
    how.tolerance = 0.1f;
    CHECK(fc_sweep_pair(shard, &above, &below, thin, &here, &here, &how, &same) == FC_OK && same.time < hit.time - 0.01);
    NEAR(same.contact.point[2], 0.01 - 1, 0.06);
    CHECK(fc_sweep_pair(shard, &above, &spun, thin, &here, &here, NULL, &same) == FC_OK && same.time > 0.3 && same.time < 0.5);
    /* Misses write nothing. */
    memset(&same, 0xee, sizeof same);
    CHECK(fc_sweep_pair(shard, &above, &beside, thin, &here, &here, NULL, &same) == FC_NO_HIT && same.reserved == 0xeeeeeeeeu);
    CHECK(fc_sweep_pair(shard, &here, &here, thin, &here, &here, NULL, &same) == FC_OK && same.time == 0 && same.contact.depth > 0);
    for (kind = FC_SHAPE_HALF_SPACE; kind <= FC_SHAPE_CAPSULE; ++kind) {
        fc_shape_default(&shape);
        shape.kind = kind;
        shape.radius = shape.half_extents[0] = shape.half_extents[1] = shape.half_extents[2] = 0.3f;
        shape.ends[0][0] = -1;
        shape.ends[1][0] = 1;
        CHECK(fc_sweep_shape(shard, &above, &below, &shape, &here, &here, NULL, &same) == FC_OK);
        NEAR(same.time, (kind == FC_SHAPE_HALF_SPACE ? 1.95 : 1.65) / 4, 1e-3);
        CHECK(fc_sweep_shape(shard, &above, &above, &shape, &here, &here, NULL, &same) == FC_NO_HIT);
    }
    for (k = 0; k < 20; ++k) {
        list[k].a = shard;
        list[k].b = thin;
        list[k].start_a = above;
        list[k].end_a = k % 3 == 2 ? beside : below;
        list[k].start_b = list[k].end_b = here;
    }
    CHECK(fc_sweep_pairs(list, 20, NULL, hits, statuses) == FC_OK);
    for (k = 0; k < 20; ++k) {
        CHECK(statuses[k] == (k % 3 == 2 ? FC_NO_HIT : FC_OK));
        CHECK(k % 3 == 2 ? hits[k].time == 2 && hits[k].exact == 0 : memcmp(&hits[k], &hit, sizeof hit) == 0);
    }
    CHECK(set_threads(2) == FC_OK && fc_sweep_pairs(list, 20, NULL, again, NULL) == FC_OK && fc_set_threads(0) == FC_OK);
    CHECK(memcmp(hits, again, sizeof hits) == 0);
    for (k = 0; k < 3; ++k) {
        before = requests;
        CHECK(fc_sweep_pairs(list, 20, NULL, again, statuses) == FC_OK);
        CHECK(fc_sweep_pair(shard, &above, &spun, thin, &here, &here, NULL, &same) == FC_OK);
        CHECK(fc_sweep_shape(shard, &above, &below, &shape, &here, &here, NULL, &same) == FC_OK);
    }
    CHECK(requests == before);
}

static void distances(fc_object shard, fc_object thin) {
    const fc_pose above = pose_at(0.01, 0.02, 2), sunk = pose_at(0, 0, 0.055), here = pose_at(0, 0, 0);
    fc_distance closest, swapped;
    fc_shape shape;
    uint32_t k;
    long before = 0;
    CHECK(fc_distance_pair(shard, &above, thin, &here, INFINITY, &closest) == FC_OK && closest.reserved == 0);
    NEAR(closest.distance, 2 - 0.05 - 0.01, 1e-6);
    NEAR(closest.point_a[2], 1.95, 1e-6);
    NEAR(closest.point_b[2], 0.01, 1e-6);
    NEAR(closest.normal[2], 1, 1e-5);
    CHECK(fc_distance_pair(thin, &here, shard, &above, INFINITY, &swapped) == FC_OK && swapped.distance == closest.distance);
    CHECK(swapped.normal[2] == -closest.normal[2] && swapped.point_b[2] == closest.point_a[2]);
    memset(&swapped, 0xee, sizeof swapped);
    CHECK(fc_distance_pair(shard, &above, thin, &here, 1.9, &swapped) == FC_NO_HIT && swapped.reserved == 0xeeeeeeeeu);
    CHECK(fc_distance_pair(shard, &sunk, thin, &here, 0, &closest) == FC_OK);
    NEAR(closest.distance, -0.005, 1e-4);
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_BALL;
    shape.radius = 0.5f;
    CHECK(fc_distance_shape(shard, &above, &shape, &here, INFINITY, &closest) == FC_OK);
    NEAR(closest.distance, 1.45, 1e-5);
    CHECK(fc_distance_shape(shard, &above, &shape, &here, 1, &closest) == FC_NO_HIT);
    shape.kind = FC_SHAPE_HALF_SPACE;
    CHECK(fc_distance_shape(shard, &above, &shape, &here, INFINITY, &closest) == FC_OK);
    NEAR(closest.distance, 1.95, 1e-6);
    for (k = 0; k < 3; ++k) {
        before = requests;
        CHECK(fc_distance_pair(shard, &above, thin, &here, INFINITY, &closest) == FC_OK);
        CHECK(fc_distance_pair(shard, &sunk, thin, &here, 1, &closest) == FC_OK);
        CHECK(fc_distance_shape(shard, &above, &shape, &here, INFINITY, &closest) == FC_OK);
    }
    CHECK(requests == before);
}

static fc_query_stats stats_of_last(void) {
    fc_query_stats stats;
    fc_query_stats_default(&stats);
    CHECK(fc_query_get_stats(&stats) == FC_OK);
    return stats;
}

/* Pairs at rest, rollback, and bytes that are nobody's. */
static void memories(fc_object thin, fc_object shard) {
    enum { ROOM = 64 };
    const fc_pose here = pose_at(0, 0, 0), rests = pose_at(0.003, 0.002, 0.0595), moved = pose_at(0.05, 0.002, 0.0595);
    static fc_pair_memory memory, saved, odd[3];
    fc_contact first[ROOM], contacts[ROOM];
    fc_query_desc how;
    fc_pair pairs[3];
    fc_status statuses[3];
    fc_shape shape;
    uint32_t count = 0, other = 0, offsets[4], k, byte;
    long before = 0;
    fc_query_desc_default(&how);
    how.memories = &memory;
    CHECK(fc_query_pair(shard, &rests, thin, &here, &how, first, ROOM, &count) == FC_OK && count >= 4);
    CHECK(stats_of_last().recalled == 0 && stats_of_last().crossed == 0);
    for (k = 0; k < 3; ++k) {
        before = requests;
        CHECK(fc_query_pair(shard, &rests, thin, &here, &how, contacts, ROOM, &other) == FC_OK && other == count);
        CHECK(stats_of_last().recalled == 1 && stats_of_last().work == 1 && contacts[0].feature == first[0].feature);
        NEAR(contacts[0].depth, first[0].depth, 1e-6);
    }
    CHECK(requests == before);
    /* The same memory and poses give the same contacts, bit for bit. */
    saved = memory;
    CHECK(fc_query_pair(shard, &moved, thin, &here, &how, first, ROOM, &count) == FC_OK && stats_of_last().recalled == 0);
    CHECK(fc_query_pair(shard, &rests, thin, &here, &how, contacts, ROOM, &other) == FC_OK);
    memory = saved;
    CHECK(fc_query_pair(shard, &moved, thin, &here, &how, contacts, ROOM, &other) == FC_OK && other == count);
    CHECK(memcmp(first, contacts, count * sizeof *first) == 0);
    /* Of another pair: noticed. */
    CHECK(fc_query_pair(thin, &moved, thin, &here, &how, contacts, ROOM, &other) == FC_OK && stats_of_last().recalled == 0);
    /* With a shape. */
    memset(&memory, 0, sizeof memory);
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_HALF_SPACE;
    CHECK(fc_query_shape(shard, &rests, &shape, &here, &how, contacts, ROOM, &other) == FC_OK);
    CHECK(fc_query_shape(shard, &rests, &shape, &here, &how, contacts, ROOM, &other) == FC_OK && stats_of_last().recalled == 1);
    /* Many pairs have one each. */
    for (k = 0; k < 3; ++k) {
        pairs[k].a = shard;
        pairs[k].b = thin;
        pairs[k].pose_a = k == 1 ? pose_at(0, 0, 5) : rests;
        pairs[k].pose_b = here;
    }
    how.memories = odd;
    CHECK(fc_query_pairs(pairs, 3, &how, contacts, ROOM, offsets, statuses) == FC_OK && stats_of_last().recalled == 0);
    CHECK(fc_query_pairs(pairs, 3, &how, contacts, ROOM, offsets, statuses) == FC_OK && stats_of_last().recalled == 3);
    CHECK(offsets[1] > 0 && offsets[1] == offsets[2] && offsets[3] == 2 * offsets[1]);
    /* Every bit may be wrong, one or all. */
    for (byte = 0; byte < sizeof saved; ++byte) {
        for (k = 0; k < 8; ++k) {
            memory = saved;
            ((unsigned char *)&memory)[byte] ^= (unsigned char)(1u << k);
            how.memories = &memory;
            CHECK(fc_query_pair(shard, &rests, thin, &here, &how, contacts, ROOM, &other) >= FC_OK);
            check_contacts(contacts, other < ROOM ? other : ROOM);
        }
        for (k = 0; k < 39; ++k) memory.data[k] = byte < 2 ? ~(uint64_t)0 * byte : (k + 1) * (byte + 7) * 0x9e3779b97f4a7c15u;
        if (byte % 2) memory.data[0] = saved.data[0]; /* the right bodies */
        CHECK(fc_query_pair(shard, &rests, thin, &here, &how, contacts, ROOM, &other) >= FC_OK);
        check_contacts(contacts, other < ROOM ? other : ROOM);
    }
}

/* Pushed through each other, bodies with a memory are parted to the side that they came from. */
static void crossed(fc_object thin) {
    const fc_pose here = pose_at(0, 0, 0);
    static fc_pair_memory memory;
    fc_query_desc how;
    fc_contact contacts[64];
    fc_pose pose = turned(pose_at(0, 0, 0.05), 0.5);
    const double heights[4] = {0.05, 0.019, -0.001, -0.004};
    uint32_t count = 0, k, crossings = 0;
    fc_query_desc_default(&how);
    how.memories = &memory;
    for (k = 0; k < 4; ++k) {
        pose.position[2] = heights[k];
        CHECK(fc_query_pair(thin, &pose, thin, &here, &how, contacts, 64, &count) == FC_OK && (count > 0) == (k > 0));
        crossings += stats_of_last().crossed == 1;
    }
    CHECK(crossings > 0);
    for (k = 0; k < 20 && count > 0 && contacts[0].depth > 0; ++k) {
        NEAR(contacts[0].normal[2], 1, 1e-3);
        pose.position[2] += contacts[0].depth;
        CHECK(fc_query_pair(thin, &pose, thin, &here, &how, contacts, 64, &count) == FC_OK);
    }
    NEAR(pose.position[2], 0.02, 1e-3);
}

/* A step's motion gives contacts of bodies that are still apart. */
static void motions(fc_object shard, fc_object thin) {
    const fc_pose above = pose_at(0.01, 0.02, 0.7), here = pose_at(0, 0, 0);
    fc_motion moves[6];
    static fc_pair_memory memory;
    fc_query_desc how;
    fc_contact contacts[64];
    fc_shape shape;
    fc_pair pairs[3];
    uint32_t count = 9, offsets[4], k;
    long before = 0;
    memset(moves, 0, sizeof moves);
    moves[0].linear[2] = -60;
    fc_query_desc_default(&how);
    CHECK(how.motions == NULL && how.seconds == 0);
    CHECK(fc_query_pair(shard, &above, thin, &here, &how, contacts, 64, &count) == FC_OK && count == 0);
    how.motions = moves;
    CHECK(fc_query_pair(shard, &above, thin, &here, &how, contacts, 64, &count) == FC_OK && count == 0);
    how.seconds = 1.0f / 60;
    CHECK(fc_query_pair(shard, &above, thin, &here, &how, contacts, 64, &count) == FC_OK && count > 0);
    check_contacts(contacts, count);
    for (k = 0; k < count; ++k) {
        NEAR(contacts[k].depth, -(0.7 - 0.05 - 0.01), 1e-3);
        NEAR(contacts[k].normal[2], 1, 1e-3);
    }
    how.memories = &memory;
    for (k = 0; k < 3; ++k) {
        before = requests;
        CHECK(fc_query_pair(shard, &above, thin, &here, &how, contacts, 64, &count) == FC_OK && count > 0 && contacts[0].depth < -0.5f);
    }
    CHECK(requests == before);
    how.memories = NULL;
    how.seconds = 0.005f; /* not yet */
    CHECK(fc_query_pair(shard, &above, thin, &here, &how, contacts, 64, &count) == FC_OK && count == 0);
    how.seconds = 1.0f / 60;
    fc_shape_default(&shape);
    shape.kind = FC_SHAPE_HALF_SPACE;
    CHECK(fc_query_shape(shard, &above, &shape, &here, &how, contacts, 64, &count) == FC_OK && count > 0);
    NEAR(contacts[0].depth, -0.65, 1e-3);
    shape.kind = FC_SHAPE_FIELD; /* contacts of now only */
    shape.field = ground;
    CHECK(fc_query_shape(shard, &above, &shape, &here, &how, contacts, 64, &count) == FC_OK && count == 0);
    /* The motions of pair k are 2 k and 2 k + 1: here of B, away, and of A. */
    for (k = 0; k < 3; ++k) {
        pairs[k].a = shard;
        pairs[k].b = thin;
        pairs[k].pose_a = above;
        pairs[k].pose_b = here;
    }
    memset(moves, 0, sizeof moves);
    moves[1].linear[2] = 60;
    moves[2].linear[2] = 60;
    moves[4].linear[2] = -60;
    CHECK(fc_query_pairs(pairs, 3, &how, contacts, 64, offsets, NULL) == FC_OK);
    CHECK(offsets[1] > 0 && offsets[2] == offsets[1] && offsets[3] > offsets[2] && contacts[0].depth < -0.5f);
}

/* Creases have features of their own: a point on the edge, and no node. */
static void creases(fc_object thin) {
    fc_pose here = pose_at(0, 0, 0), crossing = pose_at(0, 0, 0);
    fc_contact contacts[64];
    fc_feature feature;
    uint32_t count = 0, k, seen = 0;
    /* Upright, its edge across that of the other, between the nodes of both. */
    crossing.rotation[0] = crossing.rotation[3] = (float)sqrt(0.5);
    crossing.position[0] = 0.97;
    crossing.position[1] = crossing.position[2] = 0.1;
    CHECK(fc_query_pair(thin, &crossing, thin, &here, NULL, contacts, 64, &count) == FC_OK && count > 0);
    for (k = 0; k < count; ++k) {
        const double half[3] = {0.5, 0.5, 0.01};
        uint32_t on = 0, i;
        if ((contacts[k].feature >> 28 & 7) != 2) continue;
        ++seen;
        CHECK(fc_object_feature(thin, contacts[k].feature, &feature) == FC_OK);
        CHECK(feature.face == FC_FACE_SKIN && feature.node == FC_NONE && feature.source != FC_NONE);
        for (i = 0; i < 3; ++i) on += fabs(fabs(feature.position[i]) - half[i]) < 1e-5;
        CHECK(on >= 2); /* an edge of the box */
    }
    CHECK(seen > 0);
    FAILS(fc_object_feature(thin, 0x2fffffffu, &feature), FC_ERROR_INVALID_ARGUMENT, "feature is 0x2fffffff");
}

int main(void) {
    fc_object shard, thin;
    CHECK(fc_set_allocator(take, give_back, NULL) == FC_OK);
    shard = plate(0.1f, 0.1f, 0.1f);
    thin = plate(1, 1, 0.02f);
    sweeps(shard, thin);
    distances(shard, thin);
    memories(thin, shard);
    crossed(thin);
    motions(shard, thin);
    creases(thin);
    CHECK(fc_object_destroy(shard) == FC_OK && fc_object_destroy(thin) == FC_OK);
    CHECK(fc_shutdown(NULL) == FC_OK);
    DONE("sweeps");
}
