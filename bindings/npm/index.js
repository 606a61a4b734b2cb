// Fracas for JavaScript: the C library in WebAssembly, in classes. index.d.ts says what everything does.
//
// Structs are written where layout.js says, into blocks that are allocated once; a query allocates nothing. The memory of a module
// moves when it grows, so views of it are made anew then (`Fracas#look`).

import * as c from "./layout.js";

const POSE = 7; // x y z, then the quaternion x y z w
const CONTACT = c.fc_contact.size / 4;

/** A call that failed: the message is the library's sentence, `status` its FC_ERROR_ number, `code` its name. */
export class FracasError extends Error {
    constructor(message, status, code) {
        super(message);
        Object.assign(this, { name: "FracasError", status, code });
    }
}

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

// Options: the field of the descriptor, and how it is written. The words "from" are written by the method that takes the option.
const FROM = null;
const QUERY_OPTIONS = {
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
const SWEEP_OPTIONS = {
    margin: [c.fc_sweep_desc.margin, "f32"],
    tolerance: [c.fc_sweep_desc.tolerance, "f32"],
    origin: [c.fc_sweep_desc.origin, "f64[]"],
};
const ASSET_OPTIONS = {
    positions: FROM,
    tets: FROM,
    triangles: FROM,
    uvs: FROM,
    normals: FROM,
    materials: FROM,
    keepSurface: FROM,
    meetSurface: FROM,
    density: [c.fc_asset_desc.density, "f32"],
    gridCells: [c.fc_asset_desc.grid_cells, "u32"],
    gridMaxBytes: [c.fc_asset_desc.grid_max_bytes, "u64"],
    fillEdge: [c.fc_asset_desc.fill_edge, "f32"],
    fillTets: [c.fc_asset_desc.fill_tets, "u32"],
    fillCoarsening: [c.fc_asset_desc.fill_coarsening, "f32"],
    fillSharpAngle: [c.fc_asset_desc.fill_sharp_angle, "f32"],
};
const CONVEX_OPTIONS = {
    maxParts: [c.fc_convex_desc.max_parts, "u32"],
    maxPoints: [c.fc_convex_desc.max_points, "u32"],
    excess: [c.fc_convex_desc.excess, "f32"],
};
const FRACTURE_OPTIONS = {
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

// A function of JavaScript that the module can call needs the form of one of WebAssembly: this module passes calls on.
const I32 = 0x7f;
const F64 = 0x7c;
function callable(f, parameters, results) {
    const type = [1, 0x60, parameters.length, ...parameters, results.length, ...results];
    const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, type.length, ...type, 2, 7, 1, 1, 0x65, 1, 0x66, 0, 0, 7, 5, 1, 1, 0x66, 0, 0];
    return new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), { e: { f } }).exports.f;
}

// Frees what was not disposed of. `release` must not refer to its owner.
const forgotten = new FinalizationRegistry((release) => release());

/** What holds memory of the module until it is disposed of, or no longer reachable. */
class Owner {
    #release;

    constructor(release) {
        this.#release = release;
        forgotten.register(this, release, this);
    }

    get isDisposed() {
        return this.#release === null;
    }

    dispose() {
        if (this.#release === null) return;
        forgotten.unregister(this);
        this.#release();
        this.#release = null;
    }
}
if (Symbol.dispose) Owner.prototype[Symbol.dispose] = Owner.prototype.dispose;

/** A block of the module's memory. */
class Block extends Owner {
    #at;

    constructor(fracas, size) {
        const at = fracas.allocate(size);
        super(() => fracas.exports.fc_wasm_free(at, size));
        this.#at = at;
    }

    get at() {
        if (this.isDisposed) throw new FracasError(`this ${this.constructor.name} was disposed of; make a new one`, c.FC_ERROR_INVALID_HANDLE, "FC_ERROR_INVALID_HANDLE");
        return this.#at;
    }
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
    #fields = [];

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
        return this.#within((keep) => {
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
            this.check(this.exports.fc_asset_create(at, this.result));
            return new Asset(this, this.id(this.result));
        });
    }

    /** An asset that was saved. */
    loadAsset(bytes) {
        return this.#within((keep) => {
            this.check(this.exports.fc_asset_load(keep(bytes, Uint8Array), BigInt(bytes.length), this.result));
            return new Asset(this, this.id(this.result));
        });
    }

    /** Bodies of one asset as bytes. */
    saveBodies(bodies) {
        return this.#within((keep) => {
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
        const id = this.#within((keep) => {
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
        const table = this.exports.__indirect_function_table;
        const place = this.#fields.pop() ?? table.grow(1);
        table.set(place, callable(this.#guarded(call, Infinity), [I32, I32, I32], [F64]));
        return new Shape(this, c.FC_SHAPE_FIELD, { field: place, points, forget: () => (table.set(place, null), this.#fields.push(place)) });
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
    #within(body) {
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

    within(body) {
        return this.#within(body);
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

/** A cooked solid. */
export class Asset extends Owner {
    #fracas;
    #id;

    constructor(fracas, id) {
        super(() => fracas.exports.fc_asset_release(id));
        this.#fracas = fracas;
        this.#id = id;
    }

    get info() {
        const fracas = this.#fracas;
        const f = c.fc_asset_info;
        fracas.u32[fracas.result >>> 2] = f.size;
        fracas.check(fracas.exports.fc_asset_get_info(this.#id, fracas.result));
        const whole = (field) => fracas.u32[(fracas.result + field) >>> 2];
        const real = (field) => fracas.f64[(fracas.result + field) >>> 3];
        const warnings = whole(f.warnings);
        return {
            thinWalls: (warnings & c.FC_WARNING_THIN_WALLS) !== 0,
            unusedNodes: (warnings & c.FC_WARNING_UNUSED_NODES) !== 0,
            repaired: (warnings & c.FC_WARNING_REPAIRED) !== 0,
            nodes: whole(f.node_count),
            tets: whole(f.tet_count),
            skinTriangles: whole(f.skin_triangle_count),
            bodies: whole(f.body_count),
            radius: real(f.radius),
            meanEdge: real(f.mean_edge),
            thinnestWall: real(f.thinnest_wall),
            bytes: Number(fracas.view.getBigUint64(fracas.result + f.bytes, true)),
            hash: fracas.view.getBigUint64(fracas.result + f.hash, true),
        };
    }

    /** A body of it. */
    body({ index = 0, scale = 1 } = {}) {
        const fracas = this.#fracas;
        const f = c.fc_object_desc;
        const at = fracas.numbers;
        fracas.exports.fc_object_desc_init(at, f.size);
        fracas.u32[(at + f.body) >>> 2] = index;
        fracas.f64[(at + f.scale) >>> 3] = scale;
        fracas.check(fracas.exports.fc_object_create(this.#id, at, fracas.result));
        return new Body(fracas, fracas.id(fracas.result));
    }

    save() {
        const fracas = this.#fracas;
        return fracas.bytesOf((bytes, capacity) => fracas.exports.fc_asset_save(this.#id, bytes, capacity, fracas.result));
    }

    /** Bodies that were saved. */
    loadBodies(bytes) {
        const fracas = this.#fracas;
        return fracas.within((keep) => {
            const at = keep(bytes, Uint8Array);
            return made(fracas, (handles, capacity) => fracas.exports.fc_object_load(at, BigInt(bytes.length), this.#id, handles, capacity, fracas.result));
        });
    }
}

/** The bodies that a call makes; it writes their number to `result`, also if there are more than there is room for. */
function made(fracas, call) {
    let status = call(fracas.handles.at, fracas.handles.capacity);
    if (status === c.FC_ERROR_CAPACITY) {
        const capacity = fracas.u32[fracas.result >>> 2];
        const at = fracas.allocate(8 * capacity);
        fracas.exports.fc_wasm_free(fracas.handles.at, 8 * fracas.handles.capacity);
        fracas.handles = { at, capacity };
        status = call(at, capacity);
    }
    fracas.check(status);
    return Array.from({ length: fracas.u32[fracas.result >>> 2] }, (_, k) => new Body(fracas, fracas.id(fracas.handles.at + 8 * k)));
}

/** A rigid body, whole or a fragment. */
export class Body extends Owner {
    #fracas;

    constructor(fracas, id) {
        super(() => fracas.exports.fc_object_destroy(id));
        this.#fracas = fracas;
        /** The handle of the C interface. */
        this.id = id;
        /** A number of its own, from 1. */
        this.key = fracas.nextKey++;
    }

    get info() {
        const fracas = this.#fracas;
        const f = c.fc_object_info;
        fracas.u32[fracas.result >>> 2] = f.size;
        fracas.check(fracas.exports.fc_object_get_info(this.id, fracas.result));
        const whole = (field) => fracas.u32[(fracas.result + field) >>> 2];
        return {
            isFragment: whole(f.is_fragment) === 1,
            piece: whole(f.piece),
            cell: whole(f.cell),
            kind: ["cell", "partOfCell", "union", "rough"][whole(f.kind)],
            planes: whole(f.plane_count),
            scale: fracas.f64[(fracas.result + f.scale) >>> 3],
        };
    }

    get mass() {
        const fracas = this.#fracas;
        const f = c.fc_mass;
        fracas.check(fracas.exports.fc_object_mass(this.id, fracas.result));
        const first = fracas.result >>> 3;
        const { f64 } = fracas;
        return {
            volume: f64[first + f.volume / 8],
            mass: f64[first + f.mass / 8],
            centre: fracas.three("f64", fracas.result + f.centre),
            inertia: Array.from(f64.subarray(first + f.inertia / 8, first + f.inertia / 8 + 6)),
        };
    }

    bounds(pose) {
        const fracas = this.#fracas;
        fracas.writePose(fracas.poses[0], pose);
        fracas.check(fracas.exports.fc_object_bounds(this.id, fracas.poses[0], fracas.result));
        return { min: fracas.three("f64", fracas.result + c.fc_aabb.min), max: fracas.three("f64", fracas.result + c.fc_aabb.max) };
    }

    /** A hash of its whole state. */
    get hash() {
        const fracas = this.#fracas;
        fracas.check(fracas.exports.fc_object_state_hash(this.id, fracas.result));
        return fracas.id(fracas.result);
    }

    /** Builds what the first queries would build. */
    prepare() {
        this.#fracas.check(this.#fracas.exports.fc_object_prepare(this.id));
    }

    /** Breaks it; it stays as it was. No bodies: nothing was cut. */
    fracture(options) {
        const fracas = this.#fracas;
        const f = c.fc_fracture_desc;
        return fracas.within((keep) => {
            const at = fracas.describe(fracas.breaking, FRACTURE_OPTIONS, options);
            const { planes, points, labels } = options;
            const values = planes ?? points;
            const width = planes ? 4 : 3;
            if (values) {
                if (values.length % width) throw new RangeError(`there are ${values.length} numbers, which is no multiple of ${width}`);
                const kept = keep(values, Float32Array); // first, as in cook()
                fracas.u32[(at + f.values) >>> 2] = kept;
                fracas.u32[(at + f.value_count) >>> 2] = values.length / width;
            }
            if (labels) {
                const kept = keep(labels, Uint32Array);
                fracas.u32[(at + f.labels) >>> 2] = kept;
                fracas.u32[(at + f.label_count) >>> 2] = labels.length;
            }
            return made(fracas, (handles, capacity) => fracas.exports.fc_fracture(this.id, at, handles, capacity, fracas.result, 0));
        });
    }

    /** Its closed surface. */
    surface() {
        const fracas = this.#fracas;
        const f = c.fc_triangle;
        const call = (vertices, vertexCapacity, triangles, triangleCapacity) =>
            fracas.exports.fc_object_surface(this.id, vertices, vertexCapacity, fracas.result, triangles, triangleCapacity, fracas.result + 4);
        return meshOf(fracas, call, 12, f.size, (vertices, vertexCount, triangles, triangleCount) => {
            const mesh = {
                positions: fracas.f32.slice(vertices >>> 2, (vertices >>> 2) + 3 * vertexCount),
                indices: new Uint32Array(3 * triangleCount),
                cracks: new Uint8Array(triangleCount),
                sources: new Uint32Array(triangleCount),
                uvs: new Float32Array(6 * triangleCount),
            };
            const { u32, f32 } = fracas;
            for (let t = 0; t < triangleCount; ++t) {
                const first = (triangles + t * f.size) >>> 2;
                mesh.indices.set(u32.subarray(first, first + 3), 3 * t);
                mesh.cracks[t] = u32[first + f.face / 4] === c.FC_FACE_CRACK ? 1 : 0;
                mesh.sources[t] = u32[first + f.source / 4];
                mesh.uvs.set(f32.subarray(first + f.coordinates / 4, first + f.coordinates / 4 + 6), 6 * t);
            }
            return mesh;
        });
    }

    /** Its mesh for drawing. */
    drawing() {
        const fracas = this.#fracas;
        const [v, t] = [c.fc_vertex, c.fc_drawn_triangle];
        const call = (vertices, vertexCapacity, triangles, triangleCapacity) =>
            fracas.exports.fc_object_drawing(this.id, vertices, vertexCapacity, fracas.result, triangles, triangleCapacity, fracas.result + 4, 0);
        return meshOf(fracas, call, v.size, t.size, (vertices, vertexCount, triangles, triangleCount) => {
            const mesh = {
                positions: new Float32Array(3 * vertexCount),
                normals: new Float32Array(3 * vertexCount),
                uvs: new Float32Array(2 * vertexCount),
                indices: new Uint32Array(3 * triangleCount),
                materials: new Uint32Array(triangleCount),
                crackStart: triangleCount,
            };
            const { u32, f32 } = fracas;
            for (let k = 0; k < vertexCount; ++k) {
                const first = (vertices + k * v.size) >>> 2;
                mesh.positions.set(f32.subarray(first, first + 3), 3 * k);
                mesh.normals.set(f32.subarray(first + 3, first + 6), 3 * k);
                mesh.uvs.set(f32.subarray(first + 6, first + 8), 2 * k);
            }
            for (let k = 0; k < triangleCount; ++k) {
                const first = (triangles + k * t.size) >>> 2;
                mesh.indices.set(u32.subarray(first, first + 3), 3 * k);
                mesh.materials[k] = u32[first + 3];
                if (mesh.materials[k] === c.FC_NONE && mesh.crackStart === triangleCount) mesh.crackStart = k;
            }
            return mesh;
        });
    }

    /** Convex polyhedra that approximate it. */
    convexParts(options) {
        const fracas = this.#fracas;
        const f = c.fc_convex_part;
        const desc = fracas.describe(fracas.convex, CONVEX_OPTIONS, options);
        const counts = fracas.result;
        const call = (parts, partCapacity, positions, vertexCapacity, triangles, triangleCapacity) => fracas.check(fracas.exports.fc_object_convex_parts(
            this.id, desc, parts, partCapacity, counts, positions, vertexCapacity, counts + 4, triangles, triangleCapacity, counts + 8));
        call(0, 0, 0, 0, 0, 0);
        const [partCount, vertexCount, triangleCount] = fracas.u32.subarray(counts >>> 2, (counts >>> 2) + 3);
        const size = partCount * f.size + 12 * vertexCount + 12 * triangleCount;
        const parts = fracas.allocate(size);
        const positions = parts + partCount * f.size;
        const triangles = positions + 12 * vertexCount;
        try {
            call(parts, partCount, positions, vertexCount, triangles, triangleCount);
            const { u32, f32 } = fracas;
            return Array.from({ length: partCount }, (_, k) => {
                const at = (parts + k * f.size) >>> 2;
                const vertex = (positions >>> 2) + 3 * u32[at + f.first_vertex / 4];
                const triangle = (triangles >>> 2) + 3 * u32[at + f.first_triangle / 4];
                return {
                    positions: f32.slice(vertex, vertex + 3 * u32[at + f.vertex_count / 4]),
                    indices: u32.slice(triangle, triangle + 3 * u32[at + f.triangle_count / 4]),
                    error: f32[at + f.error / 4],
                };
            });
        } finally {
            fracas.exports.fc_wasm_free(parts, size);
        }
    }

    /** The fragments of its break that touch each other. */
    adjacency() {
        const fracas = this.#fracas;
        const f = c.fc_adjacency;
        fracas.check(fracas.exports.fc_object_adjacency(this.id, 0, 0, fracas.result));
        const count = fracas.u32[fracas.result >>> 2];
        const at = fracas.allocate(count * f.size);
        try {
            fracas.check(fracas.exports.fc_object_adjacency(this.id, at, count, fracas.result));
            const { u32, f64 } = fracas;
            return Array.from({ length: count }, (_, k) => {
                const first = at + k * f.size;
                return { pieces: [u32[first >>> 2], u32[(first >>> 2) + 1]], area: f64[(first + f.area) >>> 3] };
            });
        } finally {
            fracas.exports.fc_wasm_free(at, count * f.size);
        }
    }

    rayCast(pose, origin, direction, maxDistance = Infinity) {
        const fracas = this.#fracas;
        const f = c.fc_ray_hit;
        fracas.writePose(fracas.poses[0], pose);
        fracas.writeAll("f64", fracas.numbers, origin, 3);
        fracas.writeAll("f32", fracas.numbers + 24, direction, 3);
        const status = fracas.exports.fc_object_ray_cast(this.id, fracas.poses[0], fracas.numbers, fracas.numbers + 24, maxDistance, fracas.result);
        if (fracas.check(status) === c.FC_NO_HIT) return null;
        return {
            distance: fracas.f64[(fracas.result + f.distance) >>> 3],
            normal: fracas.three("f32", fracas.result + f.normal),
            isCrack: fracas.u32[(fracas.result + f.face) >>> 2] === c.FC_FACE_CRACK,
            source: fracas.u32[(fracas.result + f.source) >>> 2],
        };
    }

    signedDistance(pose, point) {
        const fracas = this.#fracas;
        fracas.writePose(fracas.poses[0], pose);
        fracas.writeAll("f64", fracas.numbers, point, 3);
        fracas.check(fracas.exports.fc_object_signed_distance(this.id, fracas.poses[0], fracas.numbers, fracas.result, 0));
        return fracas.f64[fracas.result >>> 3];
    }
}

/** A mesh of two calls: how much there is, and all of it. The call writes both counts to `result`. */
function meshOf(fracas, call, vertexSize, triangleSize, read) {
    fracas.check(call(0, 0, 0, 0));
    const vertexCount = fracas.u32[fracas.result >>> 2];
    const triangleCount = fracas.u32[(fracas.result >>> 2) + 1];
    const size = vertexCount * vertexSize + triangleCount * triangleSize;
    const at = fracas.allocate(size);
    const triangles = at + vertexCount * vertexSize;
    try {
        fracas.check(call(at, vertexCount, triangles, triangleCount));
        return read(at, vertexCount, triangles, triangleCount);
    } finally {
        fracas.exports.fc_wasm_free(at, size);
    }
}

/** Something simple to query against. */
export class Shape extends Owner {
    #at;

    constructor(fracas, kind, { hull = 0n, field = 0, points = null, forget = () => {} } = {}) {
        const size = c.fc_shape.size;
        const at = fracas.allocate(size);
        const pointBytes = points ? points.length * 4 : 0;
        const pointsAt = points ? fracas.allocate(pointBytes) : 0;
        super(() => {
            if (hull !== 0n) fracas.exports.fc_hull_destroy(hull);
            if (pointsAt) fracas.exports.fc_wasm_free(pointsAt, pointBytes);
            fracas.exports.fc_wasm_free(at, size);
            forget();
        });
        this.#at = at;
        fracas.exports.fc_shape_init(at, size);
        const { u32 } = fracas;
        u32[(at + c.fc_shape.kind) >>> 2] = kind;
        u32[(at + c.fc_shape.field) >>> 2] = field;
        fracas.view.setBigUint64(at + c.fc_shape.hull, hull, true);
        if (points) {
            fracas.writeAll("f32", pointsAt, points, points.length);
            u32[(at + c.fc_shape.points) >>> 2] = pointsAt;
            u32[(at + c.fc_shape.point_count) >>> 2] = points.length / 3;
        }
    }

    get at() {
        return this.isDisposed ? 0 : this.#at; // NULL is an error of the library
    }
}

/** A buffer of contacts. */
export class Contacts extends Block {
    #fracas;
    #floats = new Float32Array(0);
    #features = new Uint32Array(0);

    constructor(fracas, capacity) {
        super(fracas, capacity * c.fc_contact.size);
        this.#fracas = fracas;
        this.capacity = capacity;
        /** How many are in it. */
        this.count = 0;
    }

    /** Eight numbers each: point, depth, normal, and the bits of the feature. Ask again after every call: memory moves when it grows. */
    get floats() {
        this.#look();
        return this.#floats;
    }

    /** The same memory as whole numbers: the feature is the last of eight. */
    get features() {
        this.#look();
        return this.#features;
    }

    #look() {
        const { at } = this;
        if (this.#floats.length !== 0) return;
        const { buffer } = this.#fracas.exports.memory;
        this.#floats = new Float32Array(buffer, at, CONTACT * this.capacity);
        this.#features = new Uint32Array(buffer, at, CONTACT * this.capacity);
    }

    /** One of them as an object. */
    get(k) {
        if (!(k >= 0 && k < this.count)) throw new RangeError(`there is no contact ${k}; there are ${this.count}`);
        return this.#fracas.contactAt(this.at + k * c.fc_contact.size);
    }
}

/** What a query keeps of a pair for the next one. */
export class PairMemory extends Block {
    #fracas;

    constructor(fracas) {
        super(fracas, c.fc_pair_memory.size);
        this.#fracas = fracas;
        this.clear();
    }

    clear() {
        this.#fracas.u8.fill(0, this.at, this.at + c.fc_pair_memory.size);
    }
}

/** Many pairs in one call, each with its memory of the last one. */
export class Pairs extends Owner {
    #fracas;
    #now;
    #before;
    #offsets;
    #offsetView = new Uint32Array(0);

    constructor(fracas, capacity) {
        // Blocks are replaced when there are more pairs, so they are held by reference.
        const held = { now: side(fracas, capacity), before: side(fracas, capacity), offsets: fracas.allocate(4 * capacity + 4), capacity };
        super(() => {
            release(fracas, held.now);
            release(fracas, held.before);
            fracas.exports.fc_wasm_free(held.offsets, 4 * held.capacity + 4);
        });
        this.#fracas = fracas;
        this.held = held;
        this.#now = held.now;
        this.#before = held.before;
        this.#offsets = held.offsets;
        /** How many pairs there are. */
        this.count = 0;
    }

    /** Begins anew. Pairs that are added again remember. */
    clear() {
        [this.#now, this.#before] = [this.#before, this.#now];
        this.held.now = this.#now;
        this.held.before = this.#before;
        this.#before.count = this.count;
        index(this.#before);
        this.count = 0;
    }

    /** Adds a pair and returns its number. */
    add(a, poseA, b, poseB) {
        if (this.isDisposed) throw new FracasError("these Pairs were disposed of; make new ones", c.FC_ERROR_INVALID_HANDLE, "FC_ERROR_INVALID_HANDLE");
        if (this.count === this.#now.capacity) this.#grow();
        const fracas = this.#fracas;
        const k = this.count++;
        const f = c.fc_pair;
        const at = this.#now.pairs + k * f.size;
        const { view } = fracas;
        view.setBigUint64(at + f.a, a.id, true);
        view.setBigUint64(at + f.b, b.id, true);
        fracas.writePose(at + f.pose_a, poseA);
        fracas.writePose(at + f.pose_b, poseB);
        this.#now.keysA[k] = a.key;
        this.#now.keysB[k] = b.key;
        const known = find(this.#before, a.key, b.key);
        const size = c.fc_pair_memory.size;
        const memory = this.#now.memories + k * size;
        if (known < 0) fracas.u8.fill(0, memory, memory + size);
        else fracas.u8.copyWithin(memory, this.#before.memories + known * size, this.#before.memories + (known + 1) * size);
        return k;
    }

    /** The contacts of all pairs; returns how many were found. Those of pair k are offsets[k] to offsets[k + 1]. */
    query(contacts, options = undefined) {
        const fracas = this.#fracas;
        const desc = fracas.describe(fracas.query, QUERY_OPTIONS, options);
        if (options?.memory || options?.motionA || options?.motionB) throw new TypeError("memory, motionA and motionB are for single pairs; these pairs remember by themselves");
        if (options?.origin) fracas.u32[(desc + c.fc_query_desc.flags) >>> 2] |= c.FC_QUERY_ORIGIN;
        fracas.u32[(desc + c.fc_query_desc.memories) >>> 2] = this.#now.memories;
        contacts.count = 0;
        const status = fracas.exports.fc_query_pairs(this.#now.pairs, this.count, desc, contacts.at, contacts.capacity, this.#offsets, 0);
        if (status >= 0) contacts.count = Math.min(this.offsets[this.count], contacts.capacity);
        if (status === c.FC_SOME_FAILED) throw new FracasError(fracas.text(fracas.exports.fc_last_error()), status, "FC_SOME_FAILED");
        fracas.check(status);
        return this.offsets[this.count];
    }

    get offsets() {
        if (this.#offsetView.length === 0) {
            this.#offsetView = new Uint32Array(this.#fracas.exports.memory.buffer, this.#offsets, this.held.capacity + 1);
        }
        return this.#offsetView;
    }

    #grow() {
        const fracas = this.#fracas;
        const capacity = 2 * this.#now.capacity;
        const larger = (old, count) => {
            const made = side(fracas, capacity);
            for (const [name, size] of [["pairs", c.fc_pair.size], ["memories", c.fc_pair_memory.size]]) {
                fracas.u8.copyWithin(made[name], old[name], old[name] + count * size);
            }
            made.keysA.set(old.keysA);
            made.keysB.set(old.keysB);
            made.count = old.count;
            index(made);
            release(fracas, old);
            return made;
        };
        this.#now = this.held.now = larger(this.#now, this.count);
        this.#before = this.held.before = larger(this.#before, this.#before.count);
        fracas.exports.fc_wasm_free(this.#offsets, 4 * this.held.capacity + 4);
        this.#offsets = this.held.offsets = fracas.allocate(4 * capacity + 4);
        this.held.capacity = capacity;
        this.#offsetView = new Uint32Array(0);
    }
}

/** The pairs of one query, with a hash table of their keys. */
function side(fracas, capacity) {
    let slots = 4;
    while (slots < 2 * capacity) slots *= 2;
    return {
        capacity,
        count: 0,
        pairs: fracas.allocate(capacity * c.fc_pair.size),
        memories: fracas.allocate(capacity * c.fc_pair_memory.size),
        keysA: new Int32Array(capacity),
        keysB: new Int32Array(capacity),
        table: new Int32Array(slots), // the pair's number plus 1; 0: none
    };
}

function release(fracas, { capacity, pairs, memories }) {
    fracas.exports.fc_wasm_free(pairs, capacity * c.fc_pair.size);
    fracas.exports.fc_wasm_free(memories, capacity * c.fc_pair_memory.size);
}

const slot = (side, a, b) => (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)) >>> 7 & (side.table.length - 1);

function index(side) {
    side.table.fill(0);
    for (let k = 0; k < side.count; ++k) {
        let at = slot(side, side.keysA[k], side.keysB[k]);
        while (side.table[at] !== 0) at = (at + 1) & (side.table.length - 1);
        side.table[at] = k + 1;
    }
}

function find(side, a, b) {
    if (side.count === 0) return -1;
    let at = slot(side, a, b);
    for (let k = side.table[at]; k !== 0; k = side.table[at]) {
        if (side.keysA[k - 1] === a && side.keysB[k - 1] === b) return k - 1;
        at = (at + 1) & (side.table.length - 1);
    }
    return -1;
}

/** The pose at the origin. */
export const identity = Object.freeze([0, 0, 0, 0, 0, 0, 1]);
