/* Calls in any order with numbers of every kind, good, extreme and mad: no call may report a mistake of the library's own, and
 * nothing that comes out may be infinite or no number. The same numbers on every run; a number as argument gives others. */
#include "check.h"

static uint64_t state = 1;
static uint32_t any(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 16) % below);
}

/* Mostly a number of the size of the bodies, now and then something else. */
static double number(void) {
    static const double odd[] = {0,    -0.0,  1e-300, -1e-30, 1e-9,  1e9,   -1e18, 1e38,
                                 1e60, 1e300, -1e308, 5e-324, 1e154, 3e-45, 16777217};
    if (any(12) == 0) return odd[any(sizeof odd / sizeof *odd)];
    if (any(200) == 0) return any(2) ? NAN : (any(2) ? INFINITY : -INFINITY);
    return (any(2000001) / 1e6 - 1.0) * (any(4) ? 1.0 : 0.01);
}

static fc_pose pose(void) {
    fc_pose p = pose_at(number(), number(), number());
    double q[4], length = 0;
    int k;
    for (k = 0; k < 4; ++k) { q[k] = any(2001) / 1e3 - 1.0; length += q[k] * q[k]; }
    for (k = 0; k < 4; ++k) p.rotation[k] = (float)(q[k] / sqrt(length));
    if (any(50) == 0) p.rotation[any(4)] = (float)number();
    return p;
}

static int finite3(const float *v) { return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]); }

static long succeeded = 0, refused = 0;
static int well(fc_status status) {
    if (status == FC_ERROR_INTERNAL) CHECK(!"a mistake of the library");
    if (status >= 0) ++succeeded; else ++refused;
    return status >= 0;
}

static void check_contacts(const fc_contact *c, uint32_t count) {
    uint32_t k;
    for (k = 0; k < count; ++k) {
        double length = 0;
        int i;
        for (i = 0; i < 3; ++i) length += (double)c[k].normal[i] * c[k].normal[i];
        CHECK(finite3(c[k].point) && isfinite(c[k].depth) && fabs(length - 1) < 1e-3);
    }
}

static void check_hit(const fc_sweep_hit *hit) {
    CHECK(hit->time >= 0 && hit->time <= 1 && hit->exact <= 1 && hit->reserved == 0);
    check_contacts(&hit->contact, 1);
}

static void check_closest(const fc_distance *closest) {
    double length = 0;
    int k;
    for (k = 0; k < 3; ++k) {
        CHECK(isfinite(closest->point_a[k]) && isfinite(closest->point_b[k]));
        length += (double)closest->normal[k] * closest->normal[k];
    }
    CHECK(isfinite(closest->distance) && fabs(length - 1) < 1e-3 && closest->reserved == 0);
}

static double wild(const double *point, double *outward, void *user_data) {
    int k;
    (void)user_data;
    for (k = 0; k < 3; ++k) outward[k] = any(3) ? point[k] : number();
    return any(5) ? point[2] : number();
}

/* A coordinate: mostly one of few, so that bodies touch and share vertices. */
static double coordinate(void) {
    return any(3) ? (double)any(9) / 4 - 1 : number();
}

enum { BODIES = 24, MOST_VERTICES = 30, MOST_TRIANGLES = 24 };

typedef struct soup {
    double positions[MOST_VERTICES][3];
    float floats[MOST_VERTICES][3];
    uint32_t triangles[MOST_TRIANGLES][3], sources[MOST_TRIANGLES];
    fc_body_mesh mesh;
} soup;

/* A soup of triangles: not manifold, with triangles without area, and now and then wrong. */
static void make_soup(soup *s) {
    uint32_t k, i;
    fc_body_mesh_default(&s->mesh);
    s->mesh.vertex_count = 3 + any(MOST_VERTICES - 2);
    s->mesh.triangle_count = any(30) ? 1 + any(MOST_TRIANGLES) : 0;
    for (k = 0; k < MOST_VERTICES; ++k)
        for (i = 0; i < 3; ++i) s->floats[k][i] = (float)(s->positions[k][i] = any(300) ? coordinate() : NAN);
    for (k = 0; k < MOST_TRIANGLES; ++k) {
        uint32_t first = any(s->mesh.vertex_count);
        for (i = 0; i < 3; ++i) s->triangles[k][i] = (first + i * (1 + k % 3)) % s->mesh.vertex_count;
        if (any(200) == 0) s->triangles[k][any(3)] = any(40);
        s->sources[k] = any(4) ? any(12) : FC_NONE;
    }
    if (any(2)) s->mesh.positions = s->floats[0]; else s->mesh.positions_double = s->positions[0];
    s->mesh.triangles = s->triangles[0];
    if (any(2)) s->mesh.sources = s->sources;
}

static void check_features(uint32_t kind, const uint32_t *a, const uint32_t *b) {
    CHECK(kind <= FC_IMPACT_EDGE_EDGE && a[0] < MOST_VERTICES * BODIES && b[0] < MOST_TRIANGLES * BODIES * 3);
    CHECK((kind == FC_IMPACT_EDGE_EDGE) == (a[1] != FC_NONE) && (a[1] != FC_NONE) == (b[1] != FC_NONE));
}

/* The same for scenes. */
static void scenes(uint32_t rounds, fc_object object) {
    enum { ROOM = 512 };
    static fc_overlap pairs[ROOM];
    static fc_impact impacts[ROOM];
    static fc_proximity near[ROOM];
    static fc_scene_contact contacts[ROOM];
    static soup parts[3];
    fc_scene scene = {0};
    fc_scene_desc desc;
    fc_body bodies[BODIES + 3];
    uint32_t vertices[BODIES + 3];
    uint32_t alive = 0, round, k, i, count = 0;
    for (round = 0; round < rounds; ++round) {
        uint32_t pick = alive ? any(alive) : 0;
        fc_body body;
        body.id = alive ? bodies[pick].id : 0;
        if (any(100) == 0) body.id ^= (uint64_t)1 << any(64);
        if (round % 500 == 0) {
            fc_scene_info info;
            fc_scene_info_default(&info);
            if (scene.id) CHECK(fc_scene_get_info(scene, &info) == FC_OK && info.body_count == alive && fc_scene_destroy(scene) == FC_OK);
            fc_scene_desc_default(&desc);
            desc.cones = any(4);
            desc.restructuring = (float)any(3);
            for (k = 0; k < 3; ++k) desc.origin[k] = any(2) ? 0 : 1e3 * (any(201) / 1e2 - 1);
            CHECK(fc_scene_create(&desc, &scene) == FC_OK);
            alive = 0;
        }
        switch (any(12)) {
        case 0:
        case 1: {
            fc_body_desc how;
            make_soup(&parts[0]);
            fc_body_desc_default(&how);
            how.flags = any(5);
            how.category = any(4) ? 1 : any(4);
            how.thickness = any(4) ? 0 : (float)number();
            if (alive < BODIES && well(fc_scene_add(scene, &parts[0].mesh, any(2) ? &how : NULL, &bodies[alive])))
                vertices[alive++] = parts[0].mesh.vertex_count;
            break;
        }
        case 2:
            if (alive && well(fc_scene_delete(scene, body))) { bodies[pick] = bodies[--alive]; vertices[pick] = vertices[alive]; }
            break;
        case 3: {
            fc_body_mesh meshes[3];
            fc_body made[3];
            uint32_t part_count = 1 + any(3);
            for (k = 0; k < part_count; ++k) { make_soup(&parts[k]); meshes[k] = parts[k].mesh; }
            if (alive && alive + part_count <= BODIES && well(fc_scene_split(scene, body, meshes, part_count, made))) {
                bodies[pick] = bodies[--alive];
                vertices[pick] = vertices[alive];
                for (k = 0; k < part_count; ++k) { bodies[alive] = made[k]; vertices[alive++] = meshes[k].vertex_count; }
            }
            break;
        }
        case 4: {
            uint32_t labels[MOST_TRIANGLES];
            fc_body made[4];
            for (k = 0; k < MOST_TRIANGLES; ++k) labels[k] = any(500) ? any(3) : any(100);
            if (alive && alive + 4 <= BODIES &&
                well(fc_scene_split_by_labels(scene, body, labels, 1 + any(MOST_TRIANGLES), made, 4, &count))) {
                bodies[pick] = bodies[--alive];
                vertices[pick] = vertices[alive];
                for (k = 0; k < count; ++k) { bodies[alive] = made[k]; vertices[alive++] = 0; }
            }
            break;
        }
        case 5: {
            fc_body list[3], merged;
            uint32_t list_count = 1 + any(3);
            for (k = 0; k < list_count; ++k) list[k] = alive ? bodies[any(alive)] : body;
            make_soup(&parts[0]);
            if (well(fc_scene_merge(scene, list, list_count, any(2) ? &parts[0].mesh : NULL, &merged))) {
                for (k = 0; k < list_count; ++k)
                    for (i = 0; i < alive; ++i)
                        if (bodies[i].id == list[k].id) { bodies[i] = bodies[--alive]; vertices[i] = vertices[alive]; }
                bodies[alive] = merged;
                vertices[alive++] = 0;
            }
            break;
        }
        case 6:
            make_soup(&parts[0]);
            if (any(2)) (void)well(fc_scene_move(scene, body, parts[0].floats[0], any(20) && alive ? vertices[pick] : any(MOST_VERTICES), 0));
            else (void)well(fc_scene_move_double(scene, body, parts[0].positions[0], any(20) && alive ? vertices[pick] : any(MOST_VERTICES), 0));
            break;
        case 7: {
            double origin[3];
            float direction[3];
            fc_scene_hit hit;
            fc_status status;
            for (k = 0; k < 3; ++k) { origin[k] = coordinate(); direction[k] = (float)coordinate(); }
            status = fc_scene_ray_cast(scene, origin, direction, any(2) ? INFINITY : fabs(number()), any(4), &hit);
            if (well(status) && status == FC_OK) CHECK(isfinite(hit.distance) && hit.distance >= 0 && finite3(hit.normal) && finite3(hit.weights));
            break;
        }
        case 8: {
            fc_pose at = pose();
            if (well(fc_scene_query_object(scene, object, &at, any(3) ? 0 : number(), any(4), contacts, ROOM, &count)))
                for (k = 0; k < count && k < ROOM; ++k) CHECK(isfinite(contacts[k].depth) && finite3(contacts[k].normal) && finite3(contacts[k].weights));
            if (any(4) == 0 && alive < BODIES) {
                fc_status status = any(2) ? fc_scene_add_object(scene, object, &at, NULL, &bodies[alive])
                                          : fc_scene_add_drawing(scene, object, &at, NULL, &bodies[alive]);
                if (well(status)) vertices[alive++] = 0;
            }
            break;
        }
        case 9: {
            double start[12], end[12], time = 0.5;
            fc_ccd_desc ccd;
            fc_ccd_desc_default(&ccd);
            ccd.max_boxes = any(3) ? 1000 : any(100);
            ccd.tolerance = any(3) ? 1e-6 : number();
            for (k = 0; k < 12; ++k) { start[k] = coordinate(); end[k] = coordinate(); }
            (void)well(any(2) ? fc_ccd_vertex_face(start, end, &ccd, &time) : fc_ccd_edge_edge(start, end, &ccd, &time));
            CHECK(time >= 0 && time <= 1);
            break;
        }
        default: /* a frame: mostly updated before it is queried */
            if (any(10)) (void)well(fc_scene_update(scene, any(8) ? FC_UPDATE_CONTINUOUS : any(3)));
            if (well(fc_scene_query_discrete(scene, any(2), pairs, ROOM, &count)))
                for (k = 0; k < count && k < ROOM; ++k) CHECK(finite3(pairs[k].normal) && isfinite(pairs[k].depth) && isfinite(pairs[k].point[0]));
            if (well(fc_scene_query_continuous(scene, NULL, impacts, ROOM, &count)))
                for (k = 0; k < count && k < ROOM; ++k) {
                    CHECK(impacts[k].time >= 0 && impacts[k].time <= 1);
                    check_features(impacts[k].kind, impacts[k].a, impacts[k].b);
                }
            (void)well(fc_scene_first_impact(scene, NULL, impacts));
            if (well(fc_scene_query_proximity(scene, any(3) ? 0.1 : number(), near, ROOM, &count)))
                for (k = 0; k < count && k < ROOM; ++k) {
                    CHECK(isfinite(near[k].distance) && near[k].distance >= 0 && finite3(near[k].normal));
                    check_features(near[k].kind, near[k].a, near[k].b);
                }
        }
    }
    CHECK(fc_scene_destroy(scene) == FC_OK);
}

static void check_penalties(const fc_penalty *p, uint32_t count) {
    uint32_t k;
    int i;
    for (k = 0; k < count; ++k) {
        double length = 0;
        for (i = 0; i < 3; ++i) {
            length += p[k].direction[i] * p[k].direction[i];
            CHECK(isfinite(p[k].point[i]) && isfinite(p[k].gradient[i]));
        }
        CHECK(fabs(length - 1) < 1e-6 && isfinite(p[k].depth) && isfinite(p[k].load) && isfinite(p[k].weight));
        for (i = 0; i < 4; ++i) CHECK(isfinite(p[k].tet_weights[i]));
        CHECK(isfinite(p[k].weights[0]) && isfinite(p[k].weights[1]) && p[k].side <= 1);
    }
}

/* The same for soft bodies: positions that invert them, cuts that mostly do not fit. */
static void soft_bodies(uint32_t rounds, fc_object object) {
    enum { ROOM = 512, NODES = 200 };
    static fc_penalty found[ROOM];
    static double positions[NODES][3];
    static soup triangles;
    mesh m = box_mesh(2, 1.0f);
    fc_soft_desc desc = describe_soft(&m);
    fc_soft bodies[2] = {{0}, {0}};
    uint32_t nodes[2] = {27, 27}, tets[2] = {48, 48}, round, k, i, count;
    for (round = 0; round < rounds; ++round) {
        uint32_t one = any(2);
        fc_penalty_desc how;
        fc_pose at = pose();
        fc_penalty_desc_default(&how);
        how.flags = any(4);
        how.depths = any(30) ? any(3) : any(5);
        for (i = 0; i < 2; ++i) how.penetrating[i] = any(30) ? any(4) : any(6);
        if (bodies[one].id == 0 || any(60) == 0) {
            if (bodies[one].id) CHECK(fc_soft_destroy(bodies[one]) == FC_OK);
            CHECK(fc_soft_create(&desc, &bodies[one]) == FC_OK);
            nodes[one] = 27;
            tets[one] = 48;
        }
        switch (any(8)) {
        case 0:
        case 1:
            for (k = 0; k < nodes[one]; ++k)
                for (i = 0; i < 3; ++i)
                    positions[k][i] = any(3) && k < 27 ? m.positions[3 * k + i] + 0.1 * coordinate() : any(900) ? coordinate() : NAN;
            (void)well(fc_soft_set_positions_double(bodies[one], positions[0], nodes[one], 0));
            break;
        case 2: {
            fc_tet_change changes[4];
            uint32_t change_count = 1 + any(4), added = any(3);
            if (nodes[one] + added > NODES) added = 0;
            for (k = 0; k < added; ++k)
                for (i = 0; i < 3; ++i) positions[k][i] = coordinate();
            for (k = 0; k < change_count; ++k) {
                changes[k].tet = any(20) ? any(tets[one]) : tets[one];
                for (i = 0; i < 4; ++i) changes[k].nodes[i] = any(3) ? m.tets[4 * (changes[k].tet % 48) + i] : any(nodes[one] + added);
                if (any(3) == 0) for (i = 0; i < 4; ++i) changes[k].nodes[i] = FC_NONE;
            }
            if (well(fc_soft_set_tets(bodies[one], changes, change_count, positions[0], added))) {
                fc_soft_info info;
                fc_soft_info_default(&info);
                CHECK(fc_soft_get_info(bodies[one], &info) == FC_OK && info.node_count == nodes[one] + added);
                nodes[one] = info.node_count;
                tets[one] = info.tet_count;
            }
            break;
        }
        case 3: {
            double point[3], distance;
            float outward[3];
            for (i = 0; i < 3; ++i) point[i] = number();
            if (well(fc_soft_signed_distance(bodies[one], point, &distance, outward))) CHECK(isfinite(distance) && finite3(outward));
            break;
        }
        case 4: {
            fc_shape shape;
            fc_shape_default(&shape);
            shape.kind = any(7);
            shape.radius = (float)fabs(number());
            for (i = 0; i < 3; ++i) shape.half_extents[i] = (float)fabs(number());
            for (i = 0; i < 3; ++i) shape.ends[0][i] = (float)number();
            shape.field = wild;
            if (well(fc_query_soft_shape(bodies[one], &shape, &at, &how, found, ROOM, &count))) check_penalties(found, count < ROOM ? count : ROOM);
            break;
        }
        case 5:
            make_soup(&triangles);
            if (well(fc_query_soft_triangles(bodies[one], &triangles.mesh, &how, found, ROOM, &count))) check_penalties(found, count < ROOM ? count : ROOM);
            break;
        case 6:
            if (well(fc_query_soft_object(bodies[one], object, &at, &how, found, ROOM, &count))) check_penalties(found, count < ROOM ? count : ROOM);
            break;
        default: {
            double depths[NODES];
            if (any(10)) (void)well(fc_soft_update(bodies[one]));
            if (well(fc_soft_depths(bodies[one], any(3), NULL, nodes[one], depths))) {
                fc_soft_info info;
                fc_soft_info_default(&info);
                CHECK(fc_soft_get_info(bodies[one], &info) == FC_OK);
                for (k = 0; k < nodes[one] && info.live_tets > 0; ++k) CHECK(depths[k] >= 0 || depths[k] != depths[k]);
            }
            if (well(fc_query_soft_pair(bodies[0], bodies[1], &how, found, ROOM, &count))) check_penalties(found, count < ROOM ? count : ROOM);
        }
        }
    }
    for (i = 0; i < 2; ++i) CHECK(fc_soft_destroy(bodies[i]) == FC_OK);
    free_mesh(&m);
}

int main(int argc, char **argv) {
    enum { OBJECTS = 40, ROOM = 256, MOVING = 8 };
    fc_asset asset = cook_box(3, 1.0f);
    fc_object objects[OBJECTS];
    static fc_contact contacts[ROOM];
    static fc_pair_memory memories[8];
    fc_motion motions[MOVING];
    fc_pose last_a = pose_at(0, 0, 0), last_b = pose_at(0, 0, 0);
    uint32_t alive = 0, count = 0, k, rounds = argc > 2 ? (uint32_t)atoi(argv[2]) : 6000, round;
    if (argc > 1) state = (uint64_t)atoi(argv[1]) * 2654435761u + 1;
    CHECK(fc_object_create(asset, NULL, &objects[alive++]) == FC_OK);
    for (round = 0; round < rounds; ++round) {
        fc_object a = objects[any(alive)], b = objects[any(alive)];
        fc_pose pa = any(3) ? pose() : last_a, pb = any(3) ? pose() : last_b; /* some pairs do not move */
        fc_query_desc query;
        last_a = pa;
        last_b = pb;
        if (any(300) == 0) a.id ^= (uint64_t)1 << any(64);
        fc_query_desc_default(&query);
        if (any(2) == 0) {
            query.mode = any(5);
            query.target_contacts = any(20);
            query.max_contacts = any(10);
            query.max_per_normal = any(6);
            query.margin = (float)(any(3) ? fabs(number()) : number());
            query.tolerance = (float)number();
            query.flags = any(4) | (any(2) ? FC_QUERY_SHORTEST_WAY : 0) | (any(2) ? FC_QUERY_POINTS_ONLY : 0);
            for (k = 0; k < 3; ++k) query.origin[k] = number();
            if (any(2) == 0) query.budget = any(any(2) ? 30 : 2000);
        }
        if (any(30) == 0) query.flags ^= 1u << any(32);
        if (any(2) == 0) {
            /* Memories of other pairs, and with bytes that are nobody's. */
            if (any(4) == 0) ((unsigned char *)memories)[any(sizeof memories)] ^= (unsigned char)(1u << any(8));
            if (any(20) == 0) for (k = 0; k < 39; ++k) memories[any(8)].data[k] = (uint64_t)any(0xffffffffu) << 32 | any(0xffffffffu);
            query.memories = memories + any(4); /* room for four pairs */
        }
        if (any(2) == 0) {
            for (k = 0; k < 3 * MOVING; ++k) {
                motions[k / 3].linear[k % 3] = (float)(10 * number());
                motions[k / 3].angular[k % 3] = (float)number();
            }
            query.motions = motions;
            query.seconds = any(3) ? 0.1f : (float)number();
        }
        switch (any(12)) {
        case 0:
        case 1:
        case 2:
            if (well(fc_query_pair(a, &pa, b, &pb, &query, contacts, ROOM, &count))) check_contacts(contacts, count < ROOM ? count : ROOM);
            break;
        case 3: {
            fc_shape shape;
            float points[24];
            fc_shape_default(&shape);
            for (k = 0; k < 24; ++k) points[k] = (float)number();
            shape.points = points;
            shape.point_count = any(9);
            shape.point_stride = any(8) ? 0 : any(4) * 4;
            if (shape.point_stride > 12) shape.point_stride = 12;
            shape.kind = any(8);
            shape.radius = (float)number();
            shape.offset = (float)number();
            shape.field = wild;
            for (k = 0; k < 3; ++k) {
                shape.normal[k] = (float)number();
                shape.half_extents[k] = (float)number();
                shape.ends[0][k] = (float)number();
                shape.ends[1][k] = (float)number();
            }
            if (well(fc_query_shape(a, &pa, &shape, &pb, &query, contacts, ROOM, &count))) check_contacts(contacts, count < ROOM ? count : ROOM);
            {
                fc_pose to_a = pose(), to_b = pose();
                fc_distance closest;
                fc_sweep_hit hit;
                fc_status status = fc_sweep_shape(a, &pa, &to_a, &shape, &pb, &to_b, NULL, &hit);
                if (well(status) && status == FC_OK) check_hit(&hit);
                status = fc_distance_shape(a, &pa, &shape, &pb, any(2) ? INFINITY : number(), &closest);
                if (well(status) && status == FC_OK) check_closest(&closest);
            }
            break;
        }
        case 9:
        case 10: {
            fc_distance closest;
            fc_sweep_hit hit, hits[4];
            fc_sweep_desc how;
            fc_sweep sweeps[4];
            fc_status status;
            fc_sweep_desc_default(&how);
            if (any(2) == 0) {
                how.flags = any(10) ? any(2) : any(4);
                how.margin = (float)number();
                how.tolerance = (float)number();
                for (k = 0; k < 3; ++k) how.origin[k] = number();
            }
            for (k = 0; k < 4; ++k) {
                sweeps[k].a = k == 0 ? a : objects[any(alive)];
                sweeps[k].b = k == 0 ? b : objects[any(alive)];
                sweeps[k].start_a = k == 0 ? pa : pose();
                sweeps[k].start_b = k == 0 ? pb : pose();
                sweeps[k].end_a = any(8) ? pose() : sweeps[k].start_a;
                sweeps[k].end_b = any(4) ? sweeps[k].start_b : pose();
            }
            status = fc_sweep_pair(a, &pa, &sweeps[0].end_a, b, &pb, &sweeps[0].end_b, &how, &hit);
            if (well(status) && status == FC_OK) check_hit(&hit);
            if (well(fc_sweep_pairs(sweeps, 4, &how, hits, NULL))) {
                for (k = 0; k < 4; ++k) if (hits[k].time <= 1) check_hit(&hits[k]); else CHECK(hits[k].time == 2);
                CHECK(status != FC_OK || memcmp(&hit, &hits[0], sizeof hit) == 0);
            }
            status = fc_distance_pair(a, &pa, b, &pb, any(2) ? INFINITY : number(), &closest);
            if (well(status) && status == FC_OK) check_closest(&closest);
            break;
        }
        case 4: {
            fc_fracture_desc how;
            fc_object made[200];
            float values[20];
            uint32_t labels[64];
            fc_fracture_desc_default(&how);
            how.pattern = any(7);
            for (k = 0; k < 20; ++k) values[k] = (float)number();
            for (k = 0; k < 64; ++k) labels[k] = any(4);
            how.values = values;
            how.value_count = any(6);
            how.value_stride = any(8) ? 0 : any(4) * 4;
            if (how.value_stride == 0 && how.value_count > 5) how.value_count = 5;
            how.labels = labels;
            how.label_count = any(20) ? 64 : any(64);
            how.count = any(10);
            how.seed = any(1000);
            how.impact_radius = (float)number();
            how.roughness = any(3) ? 0 : (float)number() * 0.05f;
            how.min_radius = any(3) ? 0 : (float)number();
            how.max_regions = any(4) ? 0 : any(4000);
            how.min_volume_share = any(3) ? 0 : (float)number();
            how.max_fragments = any(3) ? 6 : any(100);
            for (k = 0; k < 3; ++k) { how.impact_point[k] = (float)number(); how.impact_direction[k] = (float)number(); }
            count = 0;
            if (well(fc_fracture(a, &how, made, 200, &count, NULL)))
                for (k = 0; k < count; ++k) {
                    fc_mass mass;
                    fc_plane planes[16];
                    uint32_t plane, plane_count = 0;
                    CHECK(fc_object_mass(made[k], &mass) == FC_OK && isfinite(mass.volume) && mass.volume > 0);
                    CHECK(well(fc_object_get_planes(made[k], planes, 16, &plane_count)));
                    for (plane = 0; plane < plane_count && plane < 16; ++plane)
                        CHECK(finite3(planes[plane].normal) && isfinite(planes[plane].offset));
                    if (alive < OBJECTS) objects[alive++] = made[k]; else CHECK(fc_object_destroy(made[k]) == FC_OK);
                }
            break;
        }
        case 5: {
            double point[3], distance = 0;
            float outward[3] = {0, 0, 0};
            for (k = 0; k < 3; ++k) point[k] = number();
            if (well(fc_object_signed_distance(a, &pa, point, &distance, outward))) CHECK(isfinite(distance) && finite3(outward));
            break;
        }
        case 6: {
            fc_ray_hit hit;
            double origin[3];
            float direction[3];
            fc_status status;
            for (k = 0; k < 3; ++k) { origin[k] = number(); direction[k] = (float)number(); }
            status = fc_object_ray_cast(a, &pa, origin, direction, any(2) ? INFINITY : fabs(number()), &hit);
            if (well(status) && status == FC_OK) CHECK(isfinite(hit.distance) && hit.distance >= 0 && finite3(hit.normal));
            break;
        }
        case 7: {
            fc_aabb box;
            fc_object_desc desc;
            if (well(fc_object_bounds(a, &pa, &box))) for (k = 0; k < 3; ++k) CHECK(isfinite(box.min[k]) && box.min[k] <= box.max[k]);
            fc_object_desc_default(&desc);
            desc.scale = fabs(number());
            if (alive < OBJECTS && well(fc_object_create(asset, &desc, &objects[alive]))) ++alive;
            break;
        }
        case 8: {
            fc_pair pairs[4];
            float weights[4];
            uint32_t offsets[5], pair_count = any(5);
            for (k = 0; k < 4; ++k) {
                pairs[k].a = objects[any(alive)];
                pairs[k].b = k == 0 ? a : objects[any(alive)];
                pairs[k].pose_a = pose();
                pairs[k].pose_b = pose();
                weights[k] = (float)(any(8) ? fabs(number()) : number());
            }
            if (any(2)) query.weights = weights;
            if (well(fc_query_pairs(pairs, pair_count, &query, contacts, ROOM, offsets, NULL)))
                check_contacts(contacts, offsets[pair_count] < ROOM ? offsets[pair_count] : ROOM);
            break;
        }
        default:
            if (alive > 1) {
                k = any(alive);
                CHECK(fc_object_destroy(objects[k]) == FC_OK);
                objects[k] = objects[--alive];
            }
        }
    }
    printf("%ld calls were done, %ld refused\n", succeeded, refused);
    {
        fc_object box = {0};
        CHECK(fc_object_create(asset, NULL, &box) == FC_OK);
        scenes(rounds / 2, box);
        soft_bodies(rounds / 2, box);
        CHECK(fc_object_destroy(box) == FC_OK);
        printf("with scenes and soft bodies %ld calls were done, %ld refused\n", succeeded, refused);
    }
    CHECK(succeeded > (long)rounds / 3 && refused > 100);
    CHECK(fc_shutdown(&count) == FC_OK && count == alive + 1);
    DONE("fuzz");
}
