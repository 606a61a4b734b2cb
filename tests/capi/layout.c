/* Prints the size of every struct and where its last field is, to be compared with layout.txt. */
#include "fracas.h"

#include <stdio.h>

#define STRUCT(type, last) printf("%s %u bytes, %s at %u\n", #type, (unsigned)sizeof(type), #last, (unsigned)offsetof(type, last))

int main(void) {
    STRUCT(fc_aabb, max);
    STRUCT(fc_adjacency, area);
    STRUCT(fc_asset, id);
    STRUCT(fc_asset_desc, reserved_3);
    STRUCT(fc_asset_info, tets_to_surface);
    STRUCT(fc_body, id);
    STRUCT(fc_body_desc, reserved);
    STRUCT(fc_body_mesh, source_stride);
    STRUCT(fc_ccd_desc, tolerance);
    STRUCT(fc_contact, feature);
    STRUCT(fc_convex_desc, excess);
    STRUCT(fc_convex_part, reserved);
    STRUCT(fc_debug_draw, user_data);
    STRUCT(fc_distance, reserved);
    STRUCT(fc_drawing_info, open_edge_count);
    STRUCT(fc_drawn_triangle, material);
    STRUCT(fc_edge_cut, position);
    STRUCT(fc_feature, reserved);
    STRUCT(fc_fracture_desc, metric);
    STRUCT(fc_fracture_info, crumbs_joined);
    STRUCT(fc_hull, id);
    STRUCT(fc_impact, time);
    STRUCT(fc_mass, inertia);
    STRUCT(fc_motion, angular);
    STRUCT(fc_node_gap, gap);
    STRUCT(fc_node_pair, key);
    STRUCT(fc_object, id);
    STRUCT(fc_object_desc, user_data);
    STRUCT(fc_object_info, plane_count);
    STRUCT(fc_object_memory, asset_bytes);
    STRUCT(fc_overlap, point);
    STRUCT(fc_pair, pose_b);
    STRUCT(fc_pair_memory, data);
    STRUCT(fc_penalty, side);
    STRUCT(fc_penalty_desc, reserved);
    STRUCT(fc_penalty_stats, nanoseconds);
    STRUCT(fc_plane, neighbour);
    STRUCT(fc_pose, rotation);
    STRUCT(fc_proximity, kind);
    STRUCT(fc_query_desc, reserved_2);
    STRUCT(fc_query_stats, crossed);
    STRUCT(fc_ray_hit, reserved);
    STRUCT(fc_refinement, is_done);
    STRUCT(fc_scene, id);
    STRUCT(fc_scene_contact, normal);
    STRUCT(fc_scene_desc, reserved);
    STRUCT(fc_scene_hit, reserved);
    STRUCT(fc_scene_info, update_nanoseconds);
    STRUCT(fc_scene_stats, nanoseconds);
    STRUCT(fc_shape, point_stride);
    STRUCT(fc_skin_triangle, tet);
    STRUCT(fc_soft, id);
    STRUCT(fc_soft_desc, tet_stride);
    STRUCT(fc_soft_info, update_nanoseconds);
    STRUCT(fc_sweep, end_b);
    STRUCT(fc_sweep_desc, origin);
    STRUCT(fc_sweep_hit, reserved);
    STRUCT(fc_tet_change, nodes);
    STRUCT(fc_tet_node, nodes);
    STRUCT(fc_triangle, reserved);
    STRUCT(fc_vertex, uv);
    STRUCT(fc_voxtree, id);
    STRUCT(fc_voxtree_desc, reserved);
    STRUCT(fc_voxtree_info, bytes);
    STRUCT(fc_voxtree_query_desc, user_data);
    return 0;
}
