// node --test --expose-gc: the package as its user sees it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FracasError, identity, load } from "./index.js";
import { text as layoutText } from "./layout.mjs";

const logged = [];
const fracas = await load(undefined, { log: (level, message) => logged.push([level, message]) });

/** A box of n * n * n cells about the origin, six tetrahedra each. */
function box(n, edge) {
    const side = n + 1;
    const positions = new Float32Array(3 * side ** 3);
    const tets = [];
    for (let k = 0; k < side ** 3; ++k) {
        [k % side, Math.floor(k / side) % side, Math.floor(k / side / side)].forEach((i, axis) => (positions[3 * k + axis] = edge * (i / n - 0.5)));
    }
    for (let z = 0; z < n; ++z) for (let y = 0; y < n; ++y) for (let x = 0; x < n; ++x) {
        for (const [p, q] of [[1, 3], [1, 5], [2, 3], [2, 6], [4, 5], [4, 6]]) {
            for (const b of [0, p, q, 7]) tets.push(x + (b & 1) + side * (y + ((b >> 1) & 1) + side * (z + (b >> 2))));
        }
    }
    return { positions, tets: new Uint32Array(tets), gridCells: 16 };
}

const at = (x, y, z) => [x, y, z, 0, 0, 0, 1];
const near = (a, b, within) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b} within ${within}`);
const cube = fracas.cook({ ...box(4, 1), density: 2000 });
const whole = cube.body();

test("layout.js is what the header says", () => {
    assert.equal(readFileSync(new URL("layout.js", import.meta.url), "utf8"), layoutText);
});

test("the first mesh of a module may be larger than its memory", async () => {
    const module = await WebAssembly.compile(readFileSync(new URL("fracas.wasm", import.meta.url)));
    for (const n of [6, 8, 9, 10, 12, 14]) {
        const fresh = await load(module);
        near(fresh.cook({ ...box(n, 1), density: 2000 }).body().mass.volume, 1, 1e-5);
    }
});

/** The volume that closed triangles enclose. */
function volumeOf({ positions, indices }) {
    const corner = (k) => positions.subarray(3 * indices[k], 3 * indices[k] + 3);
    let six = 0;
    for (let k = 0; k < indices.length; k += 3) {
        const [a, b, d] = [corner(k), corner(k + 1), corner(k + 2)];
        six += a[0] * (b[1] * d[2] - b[2] * d[1]) + a[1] * (b[2] * d[0] - b[0] * d[2]) + a[2] * (b[0] * d[1] - b[1] * d[0]);
    }
    return six / 6;
}

test("cells of a convex body are one convex part, and what has a dent is cut", () => {
    for (const piece of whole.fracture({ pattern: "randomVoronoi", count: 8, seed: 5 })) {
        const parts = piece.convexParts();
        assert.equal(parts.length, 1);
        near(volumeOf(parts[0]), piece.mass.volume, 1e-5);
    }
    // Three quarters of the cube, by labels: the fourth is beyond both planes.
    const [corner] = whole.fracture({ pattern: "labels", labels: Array.from({ length: 125 }, (_, k) => (k % 5 > 2 && Math.floor(k / 5) % 5 > 2 ? 1 : 0)) });
    const hull = corner.convexParts({ maxParts: 1 });
    assert.equal(hull.length, 1);
    assert.ok(volumeOf(hull[0]) > 1.05 * corner.mass.volume);
    const parts = corner.convexParts({ excess: 0.02 });
    assert.ok(parts.length > 1);
    const sum = parts.reduce((total, part) => total + volumeOf(part), 0);
    assert.ok(sum > (1 - 1e-5) * corner.mass.volume && sum < 1.03 * corner.mass.volume, `${sum} of ${corner.mass.volume}`);
    assert.throws(() => whole.convexParts({ maxParts: 65 }), FracasError);
});

test("the pieces of a body add up to it", () => {
    for (const how of [
        { pattern: "randomVoronoi", count: 10, seed: 3 },
        { pattern: "voronoi", points: [-0.2, 0, 0, 0.2, 0.1, 0, 0, 0.3, 0.2] },
        { pattern: "planes", planes: new Float32Array([0.6, 0, 0.8, 0.1]) },
        { pattern: "impact", count: 12, impactPoint: [0.5, 0, 0], impactDirection: [-1, 0, 0], impactRadius: 0.4 },
        { pattern: "labels", labels: Array.from({ length: 125 }, (_, k) => (k % 5 > 2 ? 1 : 0)) },
        { pattern: "randomVoronoi", count: 6, seed: 2n, roughness: 0.02 },
    ]) {
        const pieces = whole.fracture(how);
        assert.ok(pieces.length > 1, how.pattern);
        const masses = pieces.map((piece) => piece.mass);
        near(masses.reduce((sum, m) => sum + m.mass, 0), 2000, 1e-6);
        for (let i = 0; i < 3; ++i) near(masses.reduce((sum, m) => sum + m.mass * m.centre[i], 0), 0, 1e-6);
        const [piece] = pieces;
        assert.ok(piece.info.isFragment && piece.adjacency().length > 0);
        pieces.forEach((p) => p.dispose());
    }
    near(whole.mass.inertia[0], 2000 / 6, 1e-6);
    assert.deepEqual(whole.bounds(at(1, 2, 3)), { min: [0.5, 1.5, 2.5], max: [1.5, 2.5, 3.5] });
    assert.deepEqual(whole.fracture({ pattern: "planes", planes: [0, 0, 1, 5] }), []);
});

/** Volume within a closed surface, and the area of its triangles. */
function measure({ positions, indices }) {
    let volume = 0;
    const area = [];
    for (let t = 0; t < indices.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((i) => positions[3 * indices[t + k] + i]));
        const cross = (p, q) => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
        const minus = (p, q) => p.map((v, i) => v - q[i]);
        const dot = (p, q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        volume += dot(a, cross(b, c)) / 6;
        area.push(Math.hypot(...cross(minus(b, a), minus(c, a))) / 2);
    }
    return { volume, area };
}

test("surfaces and drawings are closed around the volume, and know their cracks", () => {
    const pieces = whole.fracture({ pattern: "planes", planes: [1, 0, 0, 0.1] });
    for (const piece of pieces) {
        const [surface, drawing] = [piece.surface(), piece.drawing()];
        near(measure(surface).volume, piece.mass.volume, 1e-6);
        near(measure(drawing).volume, piece.mass.volume, 1e-6);
        const crack = measure(surface).area.reduce((sum, a, t) => sum + a * surface.cracks[t], 0);
        near(crack, 1, 1e-6);
        near(measure(drawing).area.slice(drawing.crackStart).reduce((sum, a) => sum + a, 0), 1, 1e-6);
        assert.equal(surface.uvs.length, 2 * surface.indices.length);
        assert.equal(drawing.normals.length, drawing.positions.length);
    }
    near(pieces[0].adjacency()[0].area, 1, 1e-6);
});

test("contacts of bodies and shapes", () => {
    const contacts = fracas.contacts(64);
    assert.ok(fracas.queryPair(whole, at(0, 0, 0.99), whole, identity, contacts) >= 4);
    for (let k = 0; k < contacts.count; ++k) {
        const { depth, normal, point } = contacts.get(k);
        near(depth, 0.01, 1e-5);
        near(normal[2], 1, 1e-5);
        near(contacts.floats[8 * k + 3], depth, 0);
        near(point[2], -0.495, 1e-4); // relative to A
    }
    assert.equal(fracas.queryPair(whole, at(0, 0, 1.5), whole, identity, contacts), 0);
    assert.equal(contacts.count, 0);
    const shapes = {
        halfSpace: [fracas.halfSpace([0, 0, 1], -0.49), identity],
        ball: [fracas.ball(0.5), at(0, 0, -0.99)],
        box: [fracas.box([2, 2, 0.25]), at(0, 0, -0.74)],
        capsule: [fracas.capsule([-1, 0, 0], [1, 0, 0], 0.25), at(0, 0, -0.74)],
        hull: [fracas.hull([0, 0, 1, -0.49, 0, 0, -1, 1, 1, 0, 0, 3, -1, 0, 0, 3, 0, 1, 0, 3, 0, -1, 0, 3]), identity],
        field: [fracas.field(([, , z], outward) => ((outward[2] = 1), z + 0.49)), identity],
    };
    for (const [name, [shape, pose]] of Object.entries(shapes)) {
        assert.ok(fracas.queryShape(whole, identity, shape, pose, contacts) > 0, name);
        near(contacts.get(0).depth, 0.01, 1e-4);
        near(contacts.get(0).normal[2], 1, 1e-4);
        shape.dispose();
    }
    assert.ok(fracas.queryPair(whole, at(0, 0, 0.99), whole, identity, contacts, { mode: "full", maxPerNormal: 0, origin: [0, 0, 0] }) > 20);
    near(contacts.get(0).point[2], 0.495, 1e-4);
    const motion = [0, 0, -10, 0, 0, 0];
    assert.ok(fracas.queryPair(whole, at(0, 0, 1.1), whole, identity, contacts, { motionA: motion, seconds: 1 / 60 }) > 0);
    near(contacts.get(0).depth, -0.1, 1e-4);
});

test("a batch remembers its pairs, and grows", () => {
    const pieces = whole.fracture({ pattern: "randomVoronoi", count: 10, seed: 3 });
    const [pairs, contacts, single] = [fracas.pairs(4), fracas.contacts(4096), fracas.contacts(256)];
    const poses = pieces.map((_, k) => at(0.001 * k, 0, -0.002 * k));
    const frame = (shift) => {
        pairs.clear();
        const list = [];
        pieces.forEach((_, a) => pieces.slice(a + 1).forEach((_, i) => list.push([a, a + 1 + i])));
        if (shift) list.reverse();
        for (const [a, b] of list) pairs.add(pieces[a], poses[a], pieces[b], poses[b]);
        return list;
    };
    const list = frame(false);
    const found = pairs.query(contacts);
    assert.equal(pairs.count, 45);
    assert.equal(fracas.stats().recalled, 0);
    assert.equal(pairs.offsets[45], found);
    list.forEach(([a, b], k) => {
        assert.equal(fracas.queryPair(pieces[a], poses[a], pieces[b], poses[b], single), pairs.offsets[k + 1] - pairs.offsets[k]);
    });
    frame(true); // nothing moved: in whatever order, all are recalled
    assert.equal(pairs.query(contacts), found);
    assert.equal(fracas.stats().recalled, 45);
    const memory = fracas.memory();
    for (let k = 0; k < 2; ++k) fracas.queryPair(whole, at(0, 0, 0.99), whole, identity, single, { memory });
    assert.equal(fracas.stats().recalled, 1);
    pieces[3].dispose();
    assert.throws(() => pairs.query(contacts), { name: "FracasError", code: "FC_SOME_FAILED" });
});

test("sweeps, distances, rays", () => {
    const hit = fracas.sweepPair(whole, at(0, 0, 3), at(0, 0, -1), whole, identity, identity);
    near(hit.time, 0.5, 1e-4);
    near(hit.contact.normal[2], 1, 1e-6);
    assert.equal(fracas.sweepPair(whole, at(0, 0, 3), at(0, 0, 2), whole, identity, identity), null);
    near(fracas.sweepShape(whole, at(0, 0, 3), at(0, 0, -1), fracas.halfSpace([0, 0, 1]), identity, identity, { tolerance: 1e-4 }).time, 0.625, 1e-3);
    near(fracas.distancePair(whole, at(3, 0, 0), whole, identity).distance, 2, 1e-6);
    assert.equal(fracas.distancePair(whole, at(3, 0, 0), whole, identity, 1), null);
    near(fracas.distanceShape(whole, at(3, 0, 0), fracas.ball(1), identity).distance, 1.5, 1e-6);
    near(whole.rayCast(identity, [-3, 0.1, 0.1], [1, 0, 0]).distance, 2.5, 1e-6);
    assert.equal(whole.rayCast(identity, [-3, 2, 0], [1, 0, 0]), null);
    near(whole.signedDistance(identity, [0, 0, 0.7]), 0.2, 1e-3);
});

test("saved bytes are the same bodies", () => {
    const pieces = whole.fracture({ pattern: "randomVoronoi", count: 5, seed: 1 });
    const [asset, bodies] = [cube.save(), fracas.saveBodies(pieces)];
    const again = fracas.loadAsset(asset).loadBodies(bodies);
    assert.deepEqual(again.map((body) => body.hash), pieces.map((body) => body.hash));
    bodies[40] ^= 1;
    assert.throws(() => cube.loadBodies(bodies), { code: "FC_ERROR_INVALID_DATA" });
});

test("a surface is filled, and what was repaired is logged", () => {
    const triangles = [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7];
    const positions = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1];
    const filled = fracas.cook({ positions, triangles, fillTets: 500, keepSurface: true, materials: triangles.filter((_, k) => k % 3 === 0).map(() => 7) });
    near(filled.body().mass.volume, 1, 1e-6);
    assert.equal(filled.body().drawing().materials[0], 7);
    assert.equal(fracas.cook({ positions, triangles, meetSurface: true }).info.tets, 12);
    logged.length = 0;
    assert.ok(fracas.cook({ positions, triangles: triangles.slice(3), fillTets: 500 }).info.repaired);
    assert.ok(logged.some(([level, message]) => level === "warning" && message.length > 10), JSON.stringify(logged));
});

test("errors are the library's sentences", () => {
    const mesh = box(1, 1);
    mesh.tets[3] = 99;
    assert.throws(() => fracas.cook(mesh), (e) => e instanceof FracasError && e.code === "FC_ERROR_INVALID_MESH" && /99/.test(e.message));
    assert.throws(() => whole.fracture({ pattern: "shatter" }), /there are planes, voronoi, randomVoronoi/);
    assert.throws(() => whole.fracture({ patern: "planes" }), /no option "patern"/);
    const contacts = fracas.contacts(8);
    assert.throws(() => fracas.queryPair(whole, at(NaN, 0, 0), whole, identity, contacts), /pose_a/);
    assert.throws(() => fracas.queryPair(whole, [0, 0, 0], whole, identity, contacts), /seven numbers/);
    const gone = cube.body();
    gone.dispose();
    gone.dispose();
    assert.throws(() => gone.mass, { code: "FC_ERROR_INVALID_HANDLE" });
    contacts.dispose();
    assert.throws(() => fracas.queryPair(whole, identity, whole, identity, contacts), /disposed/);
});

test("what a callback throws arrives, and the library goes on", () => {
    const contacts = fracas.contacts(64);
    const bad = fracas.field(() => { throw new Error("no ground here"); });
    assert.throws(() => fracas.queryShape(whole, identity, bad, identity, contacts), /no ground here/);
    assert.ok(fracas.queryPair(whole, at(0, 0, 0.99), whole, identity, contacts) > 0);
});

test("a failure within the library unwinds to a status", () => {
    // A task hook that does not run its work: the library panics inside and catches it at the door.
    const { exports } = fracas;
    const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 9, 1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0, 10, 4, 1, 2, 0, 0x0b];
    const nothing = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports.f;
    const place = exports.__indirect_function_table.grow(1);
    exports.__indirect_function_table.set(place, nothing);
    assert.equal(exports.fc_set_task_system(place, 0), 0);
    assert.throws(() => fracas.cook(box(8, 1)), { code: "FC_ERROR_TASKS" });
    assert.equal(exports.fc_set_task_system(0, 0), 0);
    assert.ok(fracas.cook(box(8, 1)).info.tets === 3072);
});

test("times are measured with the clock of the page", () => {
    const contacts = fracas.contacts(64);
    let most = 0;
    for (let k = 0; k < 100; ++k) {
        fracas.queryPair(whole, at(0, 1e-6 * k, 0.99), whole, identity, contacts, { flags: 2 });
        most = Math.max(most, fracas.stats().nanoseconds);
    }
    assert.ok(most > 0 && most < 1e9, `${most} ns`);
});

test("what is forgotten is freed", async () => {
    globalThis.gc();
    await new Promise((done) => setTimeout(done, 20));
    const before = fracas.liveHandles;
    (() => { for (let k = 0; k < 50; ++k) cube.body(); })();
    assert.equal(fracas.liveHandles, before + 50);
    for (let k = 0; k < 100 && fracas.liveHandles > before; ++k) {
        globalThis.gc();
        await new Promise((done) => setTimeout(done, 20));
    }
    assert.ok(fracas.liveHandles <= before, `${fracas.liveHandles - before} are left`);
});

test("cooking says how far it is, and a callback that throws leaves nothing behind", () => {
    const told = [];
    const before = fracas.liveHandles;
    const asset = fracas.cook({ ...box(6, 1), progress: (done) => told.push(done) });
    assert.ok(told.length > 2 && told.every((done) => done >= 0 && done <= 1), told.join(" "));
    assert.equal(Math.max(...told), 1);
    asset.dispose();
    assert.throws(() => fracas.cook({ ...box(6, 1), progress: () => { throw new Error("enough"); } }), /enough/);
    assert.equal(fracas.liveHandles, before);
    assert.equal(fracas.cook({ ...box(4, 1) }).info.bodies, 1);
});
