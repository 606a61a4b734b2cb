// The figures of the paper's tables 2 and 3, in the names of our runs. Null: not measured there.
// Glondu, Schvartzman, Marchal, Dumont, Otaduy: "Fast Collision Detection for Fracturing Rigid Bodies", 2013.

export const machine = "one core of an Intel i7-2600 at 3.4 GHz, with Havok";

export const scenarios = [
    {
        scenario: "piggy_bank",
        paper: "Piggy bank",
        table2: { triangles_before: 9734, triangles_after: 18889, fragments: 27, output_mean: 151, output_max: 914, colliding_mean: 574, colliding_max: 7281 },
        table3: { step_ms: 15, total_mean: 1.89, total_max: 13, detection_mean: 1.63, detection_max: 11, physics_mean: 0.14, physics_max: 0.59, update_max: 1.2, fracture_max: 12.5 },
    },
    {
        scenario: "rabbits",
        paper: "Drop bunnies",
        table2: { triangles_before: 137403, triangles_after: 430072, fragments: 166, output_mean: 866, output_max: 2393, colliding_mean: 8382, colliding_max: 29782 },
        table3: { step_ms: 5, total_mean: 19.33, total_max: 73, detection_mean: 18, detection_max: 58, physics_mean: 1.3, physics_max: 3.66, update_max: 4.4, fracture_max: 22 },
    },
    {
        scenario: "bricks",
        paper: "Bricks",
        table2: { triangles_before: 15036, triangles_after: 41060, fragments: 104, output_mean: 575, output_max: 1055, colliding_mean: 2014, colliding_max: 4726 },
        table3: { step_ms: 30, total_mean: 6.4, total_max: 16.5, detection_mean: 5.6, detection_max: 12.8, physics_mean: 1, physics_max: 2.46, update_max: 1.05, fracture_max: 2 },
    },
    {
        scenario: "plates",
        paper: "Plates",
        table2: { triangles_before: 26268, triangles_after: 45040, fragments: 44, output_mean: 331, output_max: 567, colliding_mean: null, colliding_max: null },
        table3: { step_ms: 30, total_mean: 7.37, total_max: 13.2, detection_mean: 5.8, detection_max: 9.6, physics_mean: 0.36, physics_max: 0.7, update_max: 0.7, fracture_max: 8 },
    },
    {
        scenario: "mouse",
        paper: "Interactive bunnies",
        table2: { triangles_before: 39724, triangles_after: 44064, fragments: 15, output_mean: 88, output_max: 198, colliding_mean: null, colliding_max: null },
        table3: { step_ms: 15, total_mean: 1.6, total_max: 7.3, detection_mean: 1.24, detection_max: 2, physics_mean: 0.26, physics_max: 0.41, update_max: 1, fracture_max: 9 },
    },
];
