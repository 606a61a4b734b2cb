// Assets, and the bodies made from them.

import * as c from "./layout.js";
import { CONVEX_OPTIONS, FRACTURE_OPTIONS } from "./options.js";
import { Owner } from "./owner.js";

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
            const { u32, f32 } = fracas;
            const [first, stride] = [triangles >>> 2, f.size / 4];
            return {
                positions: f32.slice(vertices >>> 2, (vertices >>> 2) + 3 * vertexCount),
                indices: gathered(new Uint32Array(3 * triangleCount), 3, u32, first, stride),
                cracks: gathered(new Uint8Array(triangleCount), 1, u32, first + f.face / 4, stride), // FC_FACE_CRACK is 1
                sources: gathered(new Uint32Array(triangleCount), 1, u32, first + f.source / 4, stride),
                uvs: gathered(new Float32Array(6 * triangleCount), 6, f32, first + f.coordinates / 4, stride),
            };
        });
    }

    /** Its mesh for drawing. */
    drawing() {
        const fracas = this.#fracas;
        const [v, t] = [c.fc_vertex, c.fc_drawn_triangle];
        const call = (vertices, vertexCapacity, triangles, triangleCapacity) =>
            fracas.exports.fc_object_drawing(this.id, vertices, vertexCapacity, fracas.result, triangles, triangleCapacity, fracas.result + 4, 0);
        return meshOf(fracas, call, v.size, t.size, (vertices, vertexCount, triangles, triangleCount) => {
            const { u32, f32 } = fracas;
            const [vertex, triangle] = [vertices >>> 2, triangles >>> 2];
            const materials = gathered(new Uint32Array(triangleCount), 1, u32, triangle + 3, t.size / 4);
            const crackStart = materials.indexOf(c.FC_NONE);
            return {
                positions: gathered(new Float32Array(3 * vertexCount), 3, f32, vertex, v.size / 4),
                normals: gathered(new Float32Array(3 * vertexCount), 3, f32, vertex + 3, v.size / 4),
                uvs: gathered(new Float32Array(2 * vertexCount), 2, f32, vertex + 6, v.size / 4),
                indices: gathered(new Uint32Array(3 * triangleCount), 3, u32, triangle, t.size / 4),
                materials,
                crackStart: crackStart < 0 ? triangleCount : crackStart,
            };
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
                const first = u32[at + f.first_vertex / 4];
                const vertex = (positions >>> 2) + 3 * first;
                const triangle = (triangles >>> 2) + 3 * u32[at + f.first_triangle / 4];
                return {
                    positions: f32.slice(vertex, vertex + 3 * u32[at + f.vertex_count / 4]),
                    indices: u32.slice(triangle, triangle + 3 * u32[at + f.triangle_count / 4]).map((corner) => corner - first),
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

/** Fills an array with `width` numbers of each struct, which are `stride` apart. */
function gathered(into, width, from, first, stride) {
    for (let k = 0; k < into.length; first += stride) {
        for (let i = 0; i < width; ++i) into[k++] = from[first + i];
    }
    return into;
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
