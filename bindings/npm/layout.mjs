// Makes layout.js of include/fracas.h: where the fields of structs are in WebAssembly, where pointers have four bytes, and the
// constants. `node layout.mjs > layout.js` writes it; the tests compare. `--check` prints a C program that compiles if it is right.
import { readFileSync } from "node:fs";

const STRUCTS = [
    "fc_asset_desc", "fc_asset_info", "fc_object_desc", "fc_object_info", "fc_fracture_desc", "fc_fracture_info", "fc_pose", "fc_mass",
    "fc_aabb", "fc_triangle", "fc_vertex", "fc_drawn_triangle", "fc_shape", "fc_contact", "fc_pair", "fc_pair_memory", "fc_motion",
    "fc_query_desc", "fc_query_stats", "fc_sweep_desc", "fc_sweep_hit", "fc_distance", "fc_ray_hit", "fc_adjacency", "fc_convex_desc", "fc_convex_part",
];
const CONSTANTS = /^FC_(OK|INCOMPLETE|UNCHANGED|NO_HIT|SOME_FAILED|INTERRUPTED|NONE|ERROR_|WARNING_|ASSET_|FACE_|PATTERN_|SHAPE_|QUERY_|MODE_|ABI_)/;

const header = readFileSync(new URL("../../include/fracas.h", import.meta.url), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");

const known = { uint8_t: 1, int32_t: 4, uint32_t: 4, float: 4, double: 8, uint64_t: 8 };
const sizes = Object.fromEntries(Object.entries(known).map(([name, size]) => [name, { size, alignment: size }]));
for (const [, name] of header.matchAll(/\(\*(fc_\w+)\)\(/g)) sizes[name] = { size: 4, alignment: 4 }; // a function: its place in the table

const layouts = {};
for (const [, name, body] of header.matchAll(/typedef struct (fc_\w+) \{([\s\S]*?)\} \1;/g)) {
    const fields = {};
    let end = 0, largest = 1;
    for (const [, type, star, field, lengths] of body.matchAll(/(?:const )?(\w+) (\**)(\w+)((?:\[\d+\])*);/g)) {
        const one = star ? { size: 4, alignment: 4 } : sizes[type];
        if (!one) throw new Error(`${name}.${field}: the size of ${type} is not known`);
        const count = [...lengths.matchAll(/\d+/g)].reduce((product, [length]) => product * Number(length), 1);
        fields[field] = Math.ceil(end / one.alignment) * one.alignment;
        end = fields[field] + count * one.size;
        largest = Math.max(largest, one.alignment);
    }
    sizes[name] = { size: Math.ceil(end / largest) * largest, alignment: largest };
    layouts[name] = { size: sizes[name].size, ...fields };
}

const lines = ["// Made of include/fracas.h by layout.mjs; do not edit.", ""];
for (const name of STRUCTS) {
    const fields = Object.entries(layouts[name]).filter(([field]) => !/^reserved/.test(field) && field !== "struct_size");
    lines.push(`export const ${name} = { ${fields.map(([field, at]) => `${field}: ${at}`).join(", ")} };`);
}
for (const [, name, value] of header.matchAll(/^#define (FC_\w+) \(?(-?\w+?)u?\)?$/gm)) {
    if (CONSTANTS.test(name)) lines.push(`export const ${name} = ${value};`);
}

/** The text of layout.js. */
export const text = lines.join("\n") + "\n";

/** A program in C that compiles if a compiler for WebAssembly agrees. */
const check = () => ["#include <fracas.h>", ...Object.entries(layouts).flatMap(([name, { size, ...fields }]) => [
    `_Static_assert(sizeof(${name}) == ${size}, "${name}");`,
    ...Object.entries(fields).map(([field, at]) => `_Static_assert(offsetof(${name}, ${field}) == ${at}, "${name}.${field}");`),
])].join("\n") + "\n";

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(process.argv[2] === "--check" ? check() : text);
