// The film of a run: read from the file that the demo writes ("FCR1", described in ../replay.hpp), and packed for the page.
//
// In memory: { meshes: [{ positions, indices, crackStart }], bodies: [{ mesh, group, first, end, scale, fixed, track }],
//              frameCount, secondsPerFrame, contactStart, points, normals, depths }
// A body's track has 7 numbers (position, quaternion x y z w) for each frame of its life; it is fixed if it never moves at all. The
// contacts of frame f are those from contactStart[f] to contactStart[f + 1]. Metres, z up. Films of deforming meshes have them in
// `deforming` (deforming.js); it is null for others.

import { packDeforming, readDeforming, unpackDeforming } from "./deforming.js";
import { concatenate, gather, spread } from "./streams.js";

/** Reads the demo's file. Throws a sentence if it is not one. */
export function read(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    const need = (count) => {
        if (at + count > bytes.byteLength) throw new Error("the file ends too early; run the demo again");
    };
    const u32 = () => (need(4), (at += 4), view.getUint32(at - 4, true));
    const f32 = () => (need(4), (at += 4), view.getFloat32(at - 4, true));
    const floats = (count) => Float32Array.from({ length: count }, f32);
    const table = (count, one) => Array.from({ length: count }, one);

    if (u32() !== 0x31524346) throw new Error('it does not begin with "FCR1"');
    const meshes = table(u32(), () => {
        const lo = floats(3), size = floats(3), vertexCount = u32();
        need(6 * vertexCount);
        const positions = Float32Array.from({ length: 3 * vertexCount }, (_, k) => lo[k % 3] + (size[k % 3] * view.getUint16(at + 2 * k, true)) / 65535);
        at += 4 * Math.ceil((6 * vertexCount) / 4);
        const triangleCount = u32(), crackStart = u32();
        need(12 * triangleCount);
        const indices = Uint32Array.from({ length: 3 * triangleCount }, u32);
        if (indices.some((index) => index >= vertexCount)) throw new Error("a triangle has a corner that is not there");
        return { positions, indices, crackStart };
    });
    const bodies = table(u32(), () => {
        const body = { mesh: u32(), group: u32(), first: u32(), end: u32(), scale: f32() };
        if (body.mesh >= meshes.length) throw new Error("a body has a mesh that is not there");
        return body;
    });
    const frameCount = u32(), secondsPerFrame = f32();
    for (const body of bodies) {
        body.end = Math.min(body.end, frameCount);
        body.track = new Float32Array(7 * Math.max(body.end - body.first, 0));
    }
    const contactStart = new Uint32Array(frameCount + 1), points = [], normals = [], depths = [];
    for (let frame = 0; frame < frameCount; ++frame) {
        for (const body of bodies)
            if (body.first <= frame && frame < body.end) body.track.set(floats(7), 7 * (frame - body.first));
        for (let count = u32(); count > 0; --count) {
            points.push(f32(), f32(), f32());
            normals.push(f32(), f32(), f32());
            depths.push(f32());
        }
        contactStart[frame + 1] = depths.length;
    }
    for (const body of bodies) body.fixed = body.track.every((value, k) => value === body.track[k % 7]);
    const deforming = at < bytes.byteLength ? readDeforming(bytes.subarray(at), frameCount) : null;
    return { meshes, bodies, frameCount, secondsPerFrame, contactStart, points, normals, depths, deforming };
}

// Packed: a JSON head with its length before it, then streams of whole numbers (streams.js).
// Numbers are rounded to these steps, in metres where they are lengths: less than one sees.
const steps = { vertex: 2e-5, position: 1e-5, turn: 1 / 32767, point: 5e-4, normal: 1 / 31, depth: 5e-6 };

/** What `read` gave, as bytes for `unpack`. */
export function pack(replay) {
    const streams = [];
    const put = (numbers, stride) => streams.push(spread(numbers, stride));
    const head = {
        secondsPerFrame: replay.secondsPerFrame,
        contactCounts: Array.from({ length: replay.frameCount }, (_, f) => replay.contactStart[f + 1] - replay.contactStart[f]),
        meshes: replay.meshes.map(({ positions, indices, crackStart }) => {
            const renumbered = inOrderOfUse(positions, indices);
            put(renumbered.vertices, 3);
            put(renumbered.back, 0);
            return { vertexCount: renumbered.vertices.length / 3, triangleCount: indices.length / 3, crackStart };
        }),
        bodies: replay.bodies.map(({ track, ...body }) => {
            put(wholePoses(track), 7);
            return body;
        }),
    };
    put(replay.points.map((x) => Math.round(x / steps.point)), 3);
    put(replay.normals.map((x) => Math.round(x / steps.normal)), 0);
    put(replay.depths.map((x) => Math.round(x / steps.depth)), 0);
    head.deforming = replay.deforming && packDeforming(replay.deforming, put);
    const text = new TextEncoder().encode(JSON.stringify(head));
    return concatenate([new Uint8Array(Uint32Array.of(text.length).buffer), text, ...streams]);
}

/** The film, from what `pack` gave. */
export function unpack(bytes) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    let at = 4 + length;
    const take = (count, stride) => (at += 4 * count, gather(bytes.subarray(at - 4 * count, at), stride));

    const scaled = (numbers, step) => Float32Array.from(numbers, (q) => q * step);
    const meshes = head.meshes.map(({ vertexCount, triangleCount, crackStart }) => {
        const positions = scaled(take(3 * vertexCount, 3), steps.vertex);
        let next = 0;
        const indices = Uint32Array.from(take(3 * triangleCount, 0), (back) => (back === 0 ? next++ : next - back));
        return { positions, indices, crackStart };
    });
    const bodies = head.bodies.map((body) => {
        const track = take(7 * Math.max(body.end - body.first, 0), 7);
        return { ...body, track: Float32Array.from(track, (q, k) => q * (k % 7 < 3 ? steps.position : steps.turn)) };
    });
    const contactStart = Uint32Array.of(0, ...head.contactCounts);
    for (let frame = 0; frame < head.contactCounts.length; ++frame) contactStart[frame + 1] += contactStart[frame];
    const count = contactStart.at(-1);
    return {
        meshes, bodies, contactStart,
        frameCount: head.contactCounts.length,
        secondsPerFrame: head.secondsPerFrame,
        points: scaled(take(3 * count, 3), steps.point),
        normals: scaled(take(3 * count, 0), steps.normal),
        depths: scaled(take(count, 0), steps.depth),
        deforming: head.deforming && unpackDeforming(head.deforming, take),
    };
}

/** Vertices in the order in which the triangles name them; an index then says how far back it is, 0 for a new one. */
function inOrderOfUse(positions, indices) {
    const number = new Map(), vertices = [], back = [];
    for (const index of indices) {
        if (number.has(index)) back.push(number.size - number.get(index));
        else {
            number.set(index, number.size);
            for (let axis = 0; axis < 3; ++axis) vertices.push(Math.round(positions[3 * index + axis] / steps.vertex));
            back.push(0);
        }
    }
    return { vertices, back };
}

/** A quaternion and its negative are the same turn; the one near that of the frame before is taken. */
function wholePoses(track) {
    const whole = [];
    let sign = 1;
    for (let at = 0; at < track.length; at += 7) {
        let dot = 0;
        if (at > 0) for (let k = 3; k < 7; ++k) dot += track[at + k] * track[at + k - 7];
        if (dot < 0) sign = -sign;
        for (let k = 0; k < 7; ++k) whole.push(Math.round(k < 3 ? track[at + k] / steps.position : (sign * track[at + k]) / steps.turn));
    }
    return whole;
}
