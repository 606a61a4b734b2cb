// The library: its memory, and the calls that concern no single body.
//
// Structs are written where layout.js says, into blocks that are allocated once; a query allocates nothing. The memory of a module
// moves when it grows, so views of it are made anew then (`Fracas#look`).

import { Asset } from "./body.js";
import { Contacts, PairMemory } from "./contacts.js";
import * as c from "./layout.js";
import { ASSET_OPTIONS, FROM, QUERY_OPTIONS, SWEEP_OPTIONS } from "./options.js";
import { FracasError } from "./owner.js";
import { Pairs } from "./pairs.js";
import { Shape } from "./shape.js";

const POSE = 7; // x y z, then the quaternion x y z w

/** Loads the library: from fracas.wasm beside this file, an address, bytes, a Response or a WebAssembly.Module. */
export async function load(source = new URL("fracas.wasm", import.meta.url), { log = null } = {}) {
    const fracas = new Fracas(await compiled(await source));
    if (log) fracas.setLog(log);
    return fracas;
}

async function compiled(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
    if (typeof Response === "function" && source instanceof Response) return WebAssembly.compile(await source.arrayBuffer());
    const address = new URL(source, import.meta.url);
    if (address.protocol !== "file:") {
        const answer = await fetch(address);
        if (!answer.ok) throw new Error(`${address} could not be loaded: ${answer.status} ${answer.statusText}`);
        return WebAssembly.compile(await answer.arrayBuffer());
    }
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(address));
}

// A function of JavaScript that the module can call needs the form of one of WebAssembly: this module passes calls on.
const I32 = 0x7f;
const F32 = 0x7d;
const F64 = 0x7c;
function callable(f, parameters, results) {
    const type = [1, 0x60, parameters.length, ...parameters, results.length, ...results];
    const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, type.length, ...type, 2, 7, 1, 1, 0x65, 1, 0x66, 0, 0, 7, 5, 1, 1, 0x66, 0, 0];
    return new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), { e: { f } }).exports.f;
}

/** The library. */
export class Fracas {
    #view;
    #u8 = new Uint8Array(0);
    #u32;
    #f32;
    #f64;
    #thrown = null;
    #log = 0;
    #places = []; // of the table, free again

    constructor(module) {
        const clock = globalThis.performance;
        const instance = new WebAssembly.Instance(module, { fracas: { now: clock ? () => clock.now() : () => 0 } });
        this.exports = instance.exports;
        if (!this.exports.fc_abi_compatible(c.FC_ABI_VERSION)) {
            throw new Error(`fracas.wasm has another binary interface than this package, which needs ${c.FC_ABI_VERSION}; use the file that came with it`);
        }
        this.nextKey = 1;

        // Blocks for arguments and results, for as long as the library lives.
        const room = (size) => this.allocate(size);
        this.poses = [0, 1, 2, 3].map(() => room(c.fc_pose.size));
        this.result = room(256);
        this.numbers = room(64);
        this.motions = room(2 * c.fc_motion.size);
        this.handles = { at: room(8 * 256), capacity: 256 };
        const desc = (name, struct, init) => {
            const [at, defaults] = [room(struct.size), room(struct.size)];
            this.exports[init](defaults, struct.size);
            return { name, at, defaults, size: struct.size };
        };
        this.query = desc("query", c.fc_query_desc, "fc_query_desc_init");
        this.sweep = desc("sweep", c.fc_sweep_desc, "fc_sweep_desc_init");
        this.cooking = desc("asset", c.fc_asset_desc, "fc_asset_desc_init");
        this.convex = desc("convex", c.fc_convex_desc, "fc_convex_desc_init");
        this.breaking = desc("fracture", c.fc_fracture_desc, "fc_fracture_desc_init");
    }

    get version() {
        return this.text(this.exports.fc_version_text());
    }

    /** Number of assets, bodies and hulls that are alive. */
    get liveHandles() {
        return this.exports.fc_live_handles();
    }

    /** Bytes of the module's memory. */
    get bytes() {
        return this.exports.memory.buffer.byteLength;
    }

    setLog(log) {
        const { __indirect_function_table: table } = this.exports;
        if (this.#log === 0) this.#log = table.grow(1);
        table.set(this.#log, callable(this.#guarded((level, message) => log(["error", "warning", "info"][level], this.text(message)), undefined), [I32, I32, I32], []));
        this.check(this.exports.fc_set_log(this.#log, 0));
    }

    /** Cooks tetrahedra or a closed surface. */
    cook(options) {
        const f = c.fc_asset_desc;
        return this.within((keep) => {
            const at = this.describe(this.cooking, ASSET_OPTIONS, options);
            const { positions, tets, triangles, uvs, normals, materials, keepSurface, meetSurface } = options;
            const place = (field, values, Kind, width, countField) => {
                if (!values) return;
                if (values.length % width) throw new RangeError(`there are ${values.length} numbers, which is no multiple of ${width}`);
                const kept = keep(values, Kind); // first: it may grow the memory, which replaces the views
                this.u32[(at + field) >>> 2] = kept;
                if (countField) this.u32[(at + countField) >>> 2] = values.length / width;
            };
            place(f.positions, positions, Float32Array, 3, f.node_count);
            place(f.tets, tets, Uint32Array, 4, f.tet_count);
            place(f.triangles, triangles, Uint32Array, 3, f.triangle_count);
            // These have as many elements as the surface has vertices or triangles; the library knows no lengths of them.
            for (const [name, values, wanted] of [
                ["uvs", uvs, positions && (positions.length / 3) * 2],
                ["normals", normals, positions && positions.length],
                ["materials", materials, triangles && triangles.length / 3],
            ]) {
                if (values && values.length !== wanted) throw new RangeError(`${name} has ${values.length} numbers, but ${wanted} are needed`);
            }
            place(f.uvs, uvs, Float32Array, 2);
            place(f.normals, normals, Float32Array, 3);
            place(f.materials, materials, Uint32Array, 1);
            this.u32[(at + f.flags) >>> 2] = (keepSurface ? c.FC_ASSET_KEEP_SURFACE : 0) | (meetSurface ? c.FC_ASSET_MEET_SURFACE : 0);
            const told = options.progress ? this.#callback((done) => options.progress(done), undefined, [F32, I32], []) : null;
            if (told) this.u32[(at + f.progress) >>> 2] = told.place;
            try {
                const status = this.exports.fc_asset_create(at, this.result), id = this.id(this.result);
                if (status >= 0 && this.#thrown !== null) this.exports.fc_asset_release(id); // progress threw
                this.check(status);
                return new Asset(this, id);
            } finally {
                told?.forget();
            }
        });
    }

    /** A function of JavaScript in the module's table, at `place` until it is forgotten. */
    #callback(f, otherwise, parameters, results) {
        const table = this.exports.__indirect_function_table;
        const place = this.#places.pop() ?? table.grow(1);
        table.set(place, callable(this.#guarded(f, otherwise), parameters, results));
        return { place, forget: () => (table.set(place, null), this.#places.push(place)) };
    }

    /** An asset that was saved. */
    loadAsset(bytes) {
        return this.within((keep) => {
            this.check(this.exports.fc_asset_load(keep(bytes, Uint8Array), BigInt(bytes.length), this.result));
            return new Asset(this, this.id(this.result));
        });
    }

    /** Bodies of one asset as bytes. */
    saveBodies(bodies) {
        return this.within((keep) => {
            const ids = keep(BigUint64Array.from(bodies, (body) => body.id), BigUint64Array);
            return this.bytesOf((bytes, capacity) => this.exports.fc_object_save(ids, bodies.length, bytes, capacity, this.result));
        });
    }

    contacts(capacity = 256) {
        return new Contacts(this, capacity);
    }

    pairs(capacity = 256) {
        return new Pairs(this, capacity);
    }

    memory() {
        return new PairMemory(this);
    }

    halfSpace(normal, offset = 0) {
        const shape = new Shape(this, c.FC_SHAPE_HALF_SPACE);
        this.writeAll("f32", shape.at + c.fc_shape.normal, normal, 3);
        this.f32[(shape.at + c.fc_shape.offset) >>> 2] = offset;
        return shape;
    }

    ball(radius) {
        const shape = new Shape(this, c.FC_SHAPE_BALL);
        this.f32[(shape.at + c.fc_shape.radius) >>> 2] = radius;
        return shape;
    }

    box(halfExtents) {
        const shape = new Shape(this, c.FC_SHAPE_BOX);
        this.writeAll("f32", shape.at + c.fc_shape.half_extents, halfExtents, 3);
        return shape;
    }

    capsule(from, to, radius) {
        const shape = new Shape(this, c.FC_SHAPE_CAPSULE);
        this.writeAll("f32", shape.at + c.fc_shape.ends, from, 3);
        this.writeAll("f32", shape.at + c.fc_shape.ends + 12, to, 3);
        this.f32[(shape.at + c.fc_shape.radius) >>> 2] = radius;
        return shape;
    }

    hull(planes) {
        const id = this.within((keep) => {
            this.check(this.exports.fc_hull_create(keep(planes, Float32Array), planes.length / 4, 0, this.result));
            return this.id(this.result);
        });
        return new Shape(this, c.FC_SHAPE_HULL, { hull: id });
    }

    field(distance, points = null) {
        const [at, outward] = [[0, 0, 0], [0, 0, 0]];
        const call = (point, out) => {
            for (let i = 0; i < 3; ++i) at[i] = this.f64[(point >>> 3) + i];
            const result = distance(at, outward);
            this.writeAll("f64", out, outward, 3);
            return result;
        };
        const { place, forget } = this.#callback(call, Infinity, [I32, I32, I32], [F64]);
        return new Shape(this, c.FC_SHAPE_FIELD, { field: place, points, forget });
    }

    /** Contacts of two bodies; returns how many were found. */
    queryPair(a, poseA, b, poseB, contacts, options = undefined) {
        const desc = this.#queryDesc(options);
        this.writePose(this.poses[0], poseA);
        this.writePose(this.poses[1], poseB);
        const status = this.exports.fc_query_pair(a.id, this.poses[0], b.id, this.poses[1], desc, contacts.at, contacts.capacity, this.result);
        return this.#found(status, contacts);
    }

    /** Contacts of a body and a shape. */
    queryShape(a, poseA, shape, poseShape, contacts, options = undefined) {
        const desc = this.#queryDesc(options);
        this.writePose(this.poses[0], poseA);
        this.writePose(this.poses[1], poseShape);
        const status = this.exports.fc_query_shape(a.id, this.poses[0], shape.at, this.poses[1], desc, contacts.at, contacts.capacity, this.result);
        return this.#found(status, contacts);
    }

    sweepPair(a, startA, endA, b, startB, endB, options = undefined) {
        const desc = this.#sweepDesc(startA, endA, startB, endB, options);
        const [p, q, r, s] = this.poses;
        return this.#hit(this.exports.fc_sweep_pair(a.id, p, q, b.id, r, s, desc, this.result));
    }

    sweepShape(a, startA, endA, shape, startShape, endShape, options = undefined) {
        const desc = this.#sweepDesc(startA, endA, startShape, endShape, options);
        const [p, q, r, s] = this.poses;
        return this.#hit(this.exports.fc_sweep_shape(a.id, p, q, shape.at, r, s, desc, this.result));
    }

    distancePair(a, poseA, b, poseB, range = Infinity) {
        this.writePose(this.poses[0], poseA);
        this.writePose(this.poses[1], poseB);
        return this.#distance(this.exports.fc_distance_pair(a.id, this.poses[0], b.id, this.poses[1], range, this.result));
    }

    distanceShape(a, poseA, shape, poseShape, range = Infinity) {
        this.writePose(this.poses[0], poseA);
        this.writePose(this.poses[1], poseShape);
        return this.#distance(this.exports.fc_distance_shape(a.id, this.poses[0], shape.at, this.poses[1], range, this.result));
    }

    /** Statistics of the last query. */
    stats() {
        const f = c.fc_query_stats;
        this.u32[this.result >>> 2] = f.size;
        this.check(this.exports.fc_query_get_stats(this.result));
        const big = (field) => Number(this.view.getBigUint64(this.result + field, true));
        return {
            pairs: this.u32[(this.result + f.pairs) >>> 2],
            evaluations: big(f.evaluations),
            found: big(f.found),
            leftOut: big(f.left_out),
            nanoseconds: big(f.nanoseconds),
            work: big(f.work),
            interrupted: this.u32[(this.result + f.interrupted) >>> 2],
            recalled: big(f.recalled),
            crossed: big(f.crossed),
        };
    }

    // What the classes below share. Not part of the interface.

    /** Views of the memory: when it grows they are detached, and have no length. */
    #look() {
        if (this.#u8.length !== 0) return;
        const { buffer } = this.exports.memory;
        this.#view = new DataView(buffer);
        this.#u8 = new Uint8Array(buffer);
        this.#u32 = new Uint32Array(buffer);
        this.#f32 = new Float32Array(buffer);
        this.#f64 = new Float64Array(buffer);
    }

    get view() {
        this.#look();
        return this.#view;
    }

    get u8() {
        this.#look();
        return this.#u8;
    }

    get u32() {
        this.#look();
        return this.#u32;
    }

    get f32() {
        this.#look();
        return this.#f32;
    }

    get f64() {
        this.#look();
        return this.#f64;
    }

    allocate(size) {
        const at = this.exports.fc_wasm_alloc(size) >>> 0;
        if (at === 0) throw new RangeError(`the module's memory is exhausted: ${size} bytes could not be had`);
        return at;
    }

    id(at) {
        return this.view.getBigUint64(at, true);
    }

    text(at) {
        const { u8 } = this;
        at >>>= 0;
        return new TextDecoder().decode(u8.subarray(at, u8.indexOf(0, at)));
    }

    /** Throws what a callback threw, or the library's sentence; returns the status otherwise. */
    check(status) {
        if (this.#thrown !== null) {
            const { error } = this.#thrown;
            this.#thrown = null;
            throw error;
        }
        if (status < 0) throw new FracasError(this.text(this.exports.fc_last_error()), status, this.text(this.exports.fc_status_name(status)));
        return status;
    }

    /** A callback whose exceptions are kept for `check`, since they cannot pass through the library. */
    #guarded(f, otherwise) {
        return (...values) => {
            try {
                return f(...values);
            } catch (error) {
                this.#thrown ??= { error };
                return otherwise;
            }
        };
    }

    /** Copies arrays into the module for the time of a call. */
    within(body) {
        const blocks = [];
        const keep = (values, Kind) => {
            if (!(values instanceof Kind)) values = Kind.from(values);
            const size = values.byteLength;
            const at = this.allocate(size);
            blocks.push([at, size]);
            this.u8.set(new Uint8Array(values.buffer, values.byteOffset, size), at);
            return at;
        };
        try {
            return body(keep);
        } finally {
            for (const [at, size] of blocks) this.exports.fc_wasm_free(at, size);
        }
    }

    /** What a call of the form (bytes, capacity) saves; it writes the size to `result`. */
    bytesOf(save) {
        this.check(save(0, 0n));
        const size = Number(this.id(this.result));
        const at = this.allocate(size);
        try {
            this.check(save(at, BigInt(size)));
            return this.u8.slice(at, at + size);
        } finally {
            this.exports.fc_wasm_free(at, size);
        }
    }

    writeAll(type, at, values, count) {
        if (values.length !== count) throw new RangeError(`there are ${values.length} numbers where ${count} are needed`);
        const memory = type === "f32" ? this.f32 : this.f64;
        const first = at >> (type === "f32" ? 2 : 3);
        for (let i = 0; i < count; ++i) memory[first + i] = values[i];
    }

    writePose(at, pose) {
        if (pose.length !== POSE) throw new RangeError(`a pose is seven numbers, x y z and the quaternion x y z w, not ${pose.length}`);
        const { f64, f32 } = this;
        for (let i = 0; i < 3; ++i) f64[(at >>> 3) + i] = pose[i];
        for (let i = 0; i < 4; ++i) f32[((at + c.fc_pose.rotation) >>> 2) + i] = pose[3 + i];
    }

    /** A descriptor with its defaults and these options. */
    describe(desc, known, options) {
        this.u8.copyWithin(desc.at, desc.defaults, desc.defaults + desc.size);
        for (const name in options) {
            const field = known[name];
            const value = options[name];
            if (field === undefined) throw new TypeError(`there is no option "${name}"; there are ${Object.keys(known).join(", ")}`);
            if (field === FROM || value === undefined) continue;
            const at = desc.at + field[0];
            const type = field[1];
            if (type === "u32") this.u32[at >>> 2] = value;
            else if (type === "f32") this.f32[at >>> 2] = value;
            else if (type === "u64") this.view.setBigUint64(at, BigInt(value), true);
            else if (type === "f32[]") this.writeAll("f32", at, value, 3);
            else if (type === "f64[]") this.writeAll("f64", at, value, 3);
            else if (value in type) this.u32[at >>> 2] = type[value];
            else throw new TypeError(`${name} is "${value}"; there are ${Object.keys(type).join(", ")}`);
        }
        return desc.at;
    }

    #queryDesc(options) {
        if (options === undefined) return 0;
        const at = this.describe(this.query, QUERY_OPTIONS, options);
        const f = c.fc_query_desc;
        if (options.origin) this.u32[(at + f.flags) >>> 2] |= c.FC_QUERY_ORIGIN;
        if (options.memory) this.u32[(at + f.memories) >>> 2] = options.memory.at;
        if (options.motionA || options.motionB) {
            this.writeMotion(this.motions, options.motionA);
            this.writeMotion(this.motions + c.fc_motion.size, options.motionB);
            this.u32[(at + f.motions) >>> 2] = this.motions;
        }
        return at;
    }

    /** Six numbers: linear and angular velocity; none: at rest. */
    writeMotion(at, motion) {
        if (motion && motion.length !== 6) throw new RangeError(`a motion is six numbers, linear and angular velocity, not ${motion.length}`);
        for (let i = 0; i < 6; ++i) this.f32[(at >>> 2) + i] = motion ? motion[i] : 0;
    }

    #found(status, contacts) {
        contacts.count = 0;
        this.check(status);
        const found = this.u32[this.result >>> 2];
        contacts.count = Math.min(found, contacts.capacity);
        return found;
    }

    #sweepDesc(startA, endA, startB, endB, options) {
        const [p, q, r, s] = this.poses;
        this.writePose(p, startA);
        this.writePose(q, endA);
        this.writePose(r, startB);
        this.writePose(s, endB);
        if (options === undefined) return 0;
        const at = this.describe(this.sweep, SWEEP_OPTIONS, options);
        if (options.origin) this.u32[(at + c.fc_sweep_desc.flags) >>> 2] |= 1; // FC_SWEEP_ORIGIN
        return at;
    }

    #hit(status) {
        if (this.check(status) === c.FC_NO_HIT) return null;
        const f = c.fc_sweep_hit;
        return {
            time: this.f64[(this.result + f.time) >>> 3],
            contact: this.contactAt(this.result + f.contact),
            exact: this.u32[(this.result + f.exact) >>> 2] === 1,
        };
    }

    #distance(status) {
        if (this.check(status) === c.FC_NO_HIT) return null;
        const f = c.fc_distance;
        return {
            distance: this.f64[(this.result + f.distance) >>> 3],
            pointA: this.three("f64", this.result + f.point_a),
            pointB: this.three("f64", this.result + f.point_b),
            normal: this.three("f32", this.result + f.normal),
        };
    }

    three(type, at) {
        const memory = type === "f32" ? this.f32 : this.f64;
        const first = at >> (type === "f32" ? 2 : 3);
        return [memory[first], memory[first + 1], memory[first + 2]];
    }

    contactAt(at) {
        const f = c.fc_contact;
        return {
            point: this.three("f32", at + f.point),
            depth: this.f32[(at + f.depth) >>> 2],
            normal: this.three("f32", at + f.normal),
            feature: this.u32[(at + f.feature) >>> 2],
        };
    }
}
