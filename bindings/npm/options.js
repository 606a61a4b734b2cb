// Options: the field of a descriptor, and how it is written. Those "from" elsewhere are written by the method that takes the option.

import * as c from "./layout.js";

export const FROM = null;
export const QUERY_OPTIONS = {
    flags: [c.fc_query_desc.flags, "u32"],
    mode: [c.fc_query_desc.mode, { targetThenDeeper: c.FC_MODE_TARGET_THEN_DEEPER, targetThenDeep: c.FC_MODE_TARGET_THEN_DEEP, exactly: c.FC_MODE_EXACTLY, full: c.FC_MODE_FULL }],
    targetContacts: [c.fc_query_desc.target_contacts, "u32"],
    maxContacts: [c.fc_query_desc.max_contacts, "u32"],
    maxPerNormal: [c.fc_query_desc.max_per_normal, "u32"],
    margin: [c.fc_query_desc.margin, "f32"],
    tolerance: [c.fc_query_desc.tolerance, "f32"],
    budget: [c.fc_query_desc.budget, "u32"],
    seconds: [c.fc_query_desc.seconds, "f32"],
    origin: [c.fc_query_desc.origin, "f64[]"],
    memory: FROM,
    motionA: FROM,
    motionB: FROM,
};
export const SWEEP_OPTIONS = {
    margin: [c.fc_sweep_desc.margin, "f32"],
    tolerance: [c.fc_sweep_desc.tolerance, "f32"],
    origin: [c.fc_sweep_desc.origin, "f64[]"],
};
export const ASSET_OPTIONS = {
    positions: FROM,
    tets: FROM,
    triangles: FROM,
    uvs: FROM,
    normals: FROM,
    materials: FROM,
    keepSurface: FROM,
    meetSurface: FROM,
    progress: FROM,
    density: [c.fc_asset_desc.density, "f32"],
    gridCells: [c.fc_asset_desc.grid_cells, "u32"],
    gridMaxBytes: [c.fc_asset_desc.grid_max_bytes, "u64"],
    fillEdge: [c.fc_asset_desc.fill_edge, "f32"],
    fillTets: [c.fc_asset_desc.fill_tets, "u32"],
    fillCoarsening: [c.fc_asset_desc.fill_coarsening, "f32"],
    fillSharpAngle: [c.fc_asset_desc.fill_sharp_angle, "f32"],
};
export const CONVEX_OPTIONS = {
    maxParts: [c.fc_convex_desc.max_parts, "u32"],
    maxPoints: [c.fc_convex_desc.max_points, "u32"],
    excess: [c.fc_convex_desc.excess, "f32"],
};
export const FRACTURE_OPTIONS = {
    pattern: [c.fc_fracture_desc.pattern, { planes: c.FC_PATTERN_PLANES, voronoi: c.FC_PATTERN_VORONOI, randomVoronoi: c.FC_PATTERN_RANDOM_VORONOI, impact: c.FC_PATTERN_IMPACT, labels: c.FC_PATTERN_LABELS }],
    planes: FROM,
    points: FROM,
    labels: FROM,
    count: [c.fc_fracture_desc.count, "u32"],
    seed: [c.fc_fracture_desc.seed, "u64"],
    impactPoint: [c.fc_fracture_desc.impact_point, "f32[]"],
    impactRadius: [c.fc_fracture_desc.impact_radius, "f32"],
    impactDirection: [c.fc_fracture_desc.impact_direction, "f32[]"],
    roughness: [c.fc_fracture_desc.roughness, "f32"],
    roughnessWavelength: [c.fc_fracture_desc.roughness_wavelength, "f32"],
    roughnessSeed: [c.fc_fracture_desc.roughness_seed, "u64"],
    minVolumeShare: [c.fc_fracture_desc.min_volume_share, "f32"],
    minRadius: [c.fc_fracture_desc.min_radius, "f32"],
    maxFragments: [c.fc_fracture_desc.max_fragments, "u32"],
    maxRegions: [c.fc_fracture_desc.max_regions, "u32"],
};
