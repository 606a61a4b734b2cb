// Three tiny runs and four studies for the page's own test: a box that falls and comes apart in two halves, a soft body that does the same,
// and a run that has hardly anything.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

const frames = 30, secondsPerFrame = 0.02, landing = 12;

/** Bytes of the replay format, little-endian. */
class Bytes {
    parts = [];
    u32(...values) { return this.add(new Uint32Array(values)); }
    f32(...values) { return this.add(new Float32Array(values)); }
    u16(...values) { return this.add(new Uint16Array(values.length % 2 ? [...values, 0] : values)); }
    add(array) {
        this.parts.push(Buffer.from(array.buffer));
        return this;
    }
}

/** A box from `lo` of a size; its faces +x and -x are cracks if `cracked`. */
function box(bytes, lo, size, cracked) {
    const corners = Array.from({ length: 8 }, (_, k) => [k & 1, (k >> 1) & 1, (k >> 2) & 1].map((bit) => 65535 * bit)).flat();
    const sides = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]];
    bytes.f32(...lo, ...size).u32(8).u16(...corners).u32(12, cracked ? 8 : 12).u32(...sides.flat());
}

/** Where the halves are, `after` frames from the landing: they slide apart along x. */
export const halfAt = (side, after) => [side * 0.01 * after, 0, 0.1];

/** `apart`: how fast the halves slide apart. */
function replay(apart = 1) {
    const bytes = new Bytes().u32(0x31524346, 4);
    box(bytes, [-3, -3, -0.01], [6, 6, 0.01], false);
    box(bytes, [-0.1, -0.1, -0.1], [0.2, 0.2, 0.2], false);
    box(bytes, [-0.1, -0.1, -0.1], [0.1, 0.2, 0.2], true);
    box(bytes, [0, -0.1, -0.1], [0.1, 0.2, 0.2], true);
    bytes.u32(4);
    bytes.u32(0, 0, 0, frames).f32(1).u32(1, 1, 0, landing).f32(1).u32(2, 1, landing, frames).f32(1).u32(3, 1, landing, frames).f32(1);
    bytes.u32(frames).f32(secondsPerFrame);
    for (let frame = 0; frame < frames; ++frame) {
        bytes.f32(0, 0, 0, 0, 0, 0, 1);
        if (frame < landing) bytes.f32(0, 0, 0.1 + 0.4 * (1 - (frame / landing) ** 2), 0, 0, 0, 1).u32(0);
        else {
            for (const side of [-1, 1]) bytes.f32(...halfAt(apart * side, frame - landing), 0, 0, 0, 1);
            bytes.u32(8);
            for (let k = 0; k < 8; ++k) bytes.f32(0.1 * (k % 4) - 0.15, k < 4 ? -0.1 : 0.1, 0, 0, 0, 1, 0.0001 * (k - 1));
        }
    }
    return Buffer.concat(bytes.parts);
}

/** The first node of a tetrahedron, which falls as one of two until it lands, and then slides to its side. */
export const tetAt = (side, frame) => [side * 0.01 * Math.max(frame - landing, 0), 0, frame < landing ? 0.4 * (1 - (frame / landing) ** 2) : 0];

/** Soft bodies: one that falls, and two that it comes apart into; two forces in each frame from there on. */
function softReplay() {
    const bytes = new Bytes().u32(0x31524346, 1), low = [-0.5, -0.5, 0], unit = 2e-5;
    box(bytes, [-3, -3, -0.01], [6, 6, 0.01], false);
    bytes.u32(1).u32(0, 0, 0, frames).f32(1).u32(frames).f32(secondsPerFrame);
    for (let frame = 0; frame < frames; ++frame) {
        bytes.f32(0, 0, 0, 0, 0, 0, 1).u32(frame < landing ? 0 : 2);
        if (frame >= landing) bytes.f32(-0.1, 0, 0, 0, 0, 1, 0.002).f32(0.1, 0, 0, 0, 0, 0.5, 0.001);
    }
    const lives = [[0, 0, landing], [-1, landing, frames], [1, landing, frames]];
    bytes.u32(0x31444346).f32(...low, unit).u32(lives.length);
    for (const [, first, end] of lives) bytes.u32(0, 0, first, end, 4, 4).u32(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
    for (const [side, first, end] of lives)
        bytes.u16(...Array.from({ length: end - first }, (_, k) => [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]].map((corner) =>
            corner.map((c, axis) => Math.round((c + tetAt(side, first + k)[axis] - low[axis]) / unit)))).flat(2));
    return Buffer.concat(bytes.u32(...Array(frames).fill(0)).parts);
}

/** Writes them into a folder. */
export function writeRuns(folder) {
    const write = (name, run) => writeFileSync(join(folder, name), JSON.stringify(run));
    const steps = 2 * frames, step = secondsPerFrame / 2, broken = (k) => k >= 2 * landing;
    const series = (value) => Array.from({ length: steps }, (_, k) => value(k));
    writeFileSync(join(folder, "piggy_bank-jolt.replay"), replay());
    write("piggy_bank-jolt.json", {
        scenario: "piggy_bank", title: "A box comes apart", engine: "jolt", step, steps, frame_every: 2, replay: "piggy_bank-jolt.replay", settings: "mSlop 0.0001 <m>",
        series: {
            output: series((k) => (broken(k) ? 8 : 0)), colliding: series((k) => (k % 4 ? null : broken(k) ? 40 + (k % 7) : 0)), pairs: series((k) => (broken(k) ? 3 : 1)),
            detection_ms: series((k) => 0.1 + 0.01 * (k % 5)), physics_ms: series((k) => 0.05 + 0.01 * (k % 3)), update_ms: series((k) => (k === 2 * landing ? 0.4 : 0)),
            fracture_ms: series((k) => (k === 2 * landing ? 0.9 : 0)), total_ms: series((k) => 0.2 + (k === 2 * landing ? 1.3 : 0)),
            energy: series((k) => 5 - 0.05 * k), bodies: series((k) => (broken(k) ? 3 : 2)),
        },
        events: [{ step: 2 * landing, body: 1, fragments: 2, impulse: 1.9 }],
        table2: { triangles_before: 12, triangles_after: 24, fragments: 2, output_mean: 4.8, output_max: 8, colliding_mean: 25.7, colliding_max: 46 },
        table3: { step_ms: 10, total_mean: 0.222, total_max: 1.5, detection_mean: 0.12, detection_max: 0.14, physics_mean: 0.06, physics_max: 0.07, update_max: 0.4, fracture_max: 0.9 },
        checks: [
            { name: "at rest", value: 0.002, unit: "m/s", bar: 0.01, rule: "<=", met: true, words: "below 1 cm/s" },
            { name: "drift", value: 1.7, unit: "mm", bar: 1, rule: "<=", met: false, words: "stays where it is" },
            { name: "spike, share", value: 47, unit: "times", bar: 1, rule: "<=", met: false, words: "over the hulls" },
            { name: "one without an entry", value: 2, unit: "", bar: 1, rule: "<=", met: false, words: "nobody knows why" },
        ],
        figures: [{ name: "spike", value: 94, unit: "ms", words: "the longest" }, { name: "hull cooking", value: 2, unit: "ms", words: "by the engine" }],
        colliders: [
            { name: "Fracas", cracks: "rough", prepare_ms: 1.1, first_pass_ms: 0.8, pass_ms: 0.4, penetration_error_mm: 0.02, gap_error_mm: 0.03, phantom_pairs: 0, missed_pairs: 0 },
            { name: "convex hulls", cracks: "rough", prepare_ms: 12, first_pass_ms: 0.3, pass_ms: 0.1, penetration_error_mm: 2.1, gap_error_mm: null, phantom_pairs: 7, missed_pairs: 1 },
        ],
    });
    const each = (value) => Array.from({ length: frames }, (_, k) => value(k)), apart = (k) => k >= landing;
    writeFileSync(join(folder, "torus.replay"), softReplay());
    write("torus.json", {
        scenario: "torus", title: "A soft body comes apart", engine: "none", step: secondsPerFrame, steps: frames, frame_every: 1, replay: "torus.replay",
        series: {
            query_ms: each((k) => 0.5 + 0.01 * k), update_ms: each((k) => 0.2 + 0.01 * (k % 3)), physics_ms: each(() => 0.1), total_ms: each((k) => 0.9 + 0.01 * k),
            penalties: each((k) => (apart(k) ? 40 : 0)), tets: each((k) => (apart(k) ? k - landing + 1 : 0)), force: each((k) => (apart(k) ? 900 - 20 * k : 0)),
            penetration_mm: each((k) => (apart(k) ? 2 : 0)), energy: each((k) => 5 - 0.05 * k), pieces: each((k) => (apart(k) ? 2 : 1)),
        },
        events: [{ step: landing, fragments: 2 }],
        soft: { words: "As in a paper.", tets: [1, 2], pieces: 2, steps: 10 * frames, step_ms: 2, update_mean_ms: 0.21, update_worst_ms: 0.8, query_mean_ms: 0.65, query_worst_ms: 1.5,
                total_mean_ms: 1.05, penalties_mean: 24, query_us_per_tet: null, deepest_mm: 2, strongest_newtons: 660 },
        checks: [{ name: "pieces", value: 2, unit: "", bar: 2, rule: ">=", met: true, words: "it came apart" }],
    });
    write("wall-ode.json", {
        scenario: "wall", engine: "ode", step: 0.01, steps: 3, replay: "wall-ode.replay", // which is not there
        series: { output: [1, 2, 3], colliding: [null, null, null] }, checks: [{ name: "at rest", value: null, bar: 0.01, rule: "<=", met: false }],
    });
    write("bowl-jolt.json", { study: "bowl", engine: "jolt", drops: 10, limits: [2, 8, 50], mean_penetration_mm: [2, 0.5, 0.4], visited: [90, 150, 400] });
    writeFileSync(join(folder, "budget-jolt.replay"), replay());
    write("budget-jolt.json", {
        study: "budget", title: "Two halves under a budget", engine: "jolt", step, steps, frame_every: 2, replay: "budget-jolt.replay", settings: "mSlop 0.0001 <m>",
        series: { heaps: [9, 3, 1].map((size) => ({
            detection_ms: series((k) => 0.1 * size + 0.01 * (k % 5)), total_ms: series((k) => 0.2 * size + 0.01 * (k % 5)), work: series(() => 100 * size),
            contacts: series((k) => (broken(k) ? size : 0)), interrupted: series((k) => (broken(k) ? 9 - size : 0)), unmeasured: series((k) => (broken(k) ? 4 - Math.min(size, 4) : 0)),
            overlap_mm: series((k) => (k % 20 ? null : 10 - size)),
        })) },
        budget: { bodies: 3, shown_at_end: 8, runs: ["no limit", "a third", "a tenth"].map((name, k) => ({
            name, units: k * 100, detection_mean_ms: 3 - k, detection_worst_ms: 6 - k, total_mean_ms: 4 - k, total_worst_ms: 7 - k, work_worst: 900 - k, contacts_mean: 8 - k,
            interrupted_percent: 10 * k, unmeasured_percent: 5 * k, overlap_mm: 1 + k, mean_overlap_mm: 0.1 + k, deepest_mm: 2 + k, speed: 0.01 * (k + 1), below: k })) },
        checks: [{ name: "work, a third", value: 1.1, unit: "times", bar: 1.5, rule: "<=", met: true, words: "over the budget" }],
    });
    writeFileSync(join(folder, "beside-jolt.replay"), replay());
    writeFileSync(join(folder, "beside-jolt-hulls.replay"), replay(3));
    const side = (name, k) => ({ name, prepare_ms: 2 - k, first_step_ms: 1 + k, step_mean_ms: 0.5, break_pairs: k > 0 ? 7 : 0, break_overlap_mm: 3.5 * k, energy_rise_percent: 40 * k,
                                 fastest: 1 + k, overlap_mm: 0.1, phantom_pairs: k > 0 ? 2.5 : 0, phantom_gap_mm: 4.5 * k });
    write("beside-jolt.json", {
        study: "beside", title: "A box comes apart twice", engine: "jolt", step, steps, frame_every: 2, replay: "beside-jolt.replay", settings: "mSlop 0.0001 <m>",
        series: { sides: [0, 1].map((k) => ({ total_ms: series(() => 1 + k), energy: series((at) => 5 + k - 0.05 * at), overlap_mm: series((at) => (at % 20 ? null : 0.1 * k)) })) },
        events: [{ step: 2 * landing, body: 1, fragments: 2, impulse: 1.9 }],
        beside: { replay: "beside-jolt-hulls.replay", fragments: 2, sides: [side("Fracas", 0), side("the engine's convex hulls", 1)] },
        checks: [{ name: "penetration", value: 0.7, unit: "% of the radius", bar: 0.5, rule: "<=", met: false, words: "by the surfaces" }],
    });
    write("rolling-jolt.json", { study: "rolling", engine: "jolt", time: [0, 0.1, 0.2], adaptive: [4, 6, 5], full: [40, 90, 70] });
}
