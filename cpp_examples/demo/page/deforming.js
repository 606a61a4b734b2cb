// The deforming meshes of a film, which examples/deforming writes (its film.rs describes the file) after the rest of a replay.
//
// In memory: { low, unit, bodies: [{ group, transparent, first, end, vertexCount, indices, track }], collidingStart, colliding }
// A body's track has 3 whole numbers for each vertex, for each frame of its life: low + unit * track is in metres, z up. The triangles
// that collide in frame f are those from collidingStart[f] to collidingStart[f + 1] of `colliding`, numbered through all bodies.

/** Reads that part of the file. Throws a sentence if it is not one. */
export function readDeforming(bytes, frameCount) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    const advance = (count) => {
        if (at + count > bytes.byteLength) throw new Error("the file ends too early; run the demo again");
        at += count;
        return at - count;
    };
    const u32 = () => view.getUint32(advance(4), true), f32 = () => view.getFloat32(advance(4), true);

    if (u32() !== 0x31444346) throw new Error('what follows the frames does not begin with "FCD1"');
    const low = [f32(), f32(), f32()], unit = f32();
    const bodies = Array.from({ length: u32() }, () => {
        const body = { group: u32(), transparent: u32() !== 0, first: u32(), end: u32(), vertexCount: u32() }, corners = 3 * u32();
        if (body.first > body.end || body.end > frameCount) throw new Error("a body lives in frames that are not there");
        const start = advance(4 * corners);
        body.indices = Uint32Array.from({ length: corners }, (_, k) => view.getUint32(start + 4 * k, true));
        if (body.indices.some((index) => index >= body.vertexCount)) throw new Error("a triangle has a corner that is not there");
        return body;
    });
    for (const body of bodies) {
        const count = 3 * body.vertexCount * (body.end - body.first), start = advance(4 * Math.ceil(count / 2));
        body.track = Uint16Array.from({ length: count }, (_, k) => view.getUint16(start + 2 * k, true));
    }
    const collidingStart = new Uint32Array(frameCount + 1), colliding = [];
    for (let frame = 0; frame < frameCount; ++frame) {
        for (let count = u32(); count > 0; --count) colliding.push(u32());
        collidingStart[frame + 1] = colliding.length;
    }
    return { low, unit, bodies, collidingStart, colliding: Uint32Array.from(colliding) };
}

/** What `readDeforming` gave: returns its part of the head and calls `put(numbers, stride)` with its streams. */
export function packDeforming({ low, unit, bodies, collidingStart, colliding }, put) {
    const tracks = bodies.map(({ track, vertexCount }) => residuals(track, 3 * vertexCount));
    const all = new Int32Array(tracks.reduce((sum, track) => sum + track.length, 0));
    let at = 0;
    for (const track of tracks) {
        all.set(track, at);
        at += track.length;
    }
    put(all, 0);
    for (const { indices } of bodies) put(indices, 3);
    put(colliding, 1);
    return {
        low, unit, collidingCounts: Array.from({ length: collidingStart.length - 1 }, (_, f) => collidingStart[f + 1] - collidingStart[f]),
        bodies: bodies.map(({ indices, track, ...body }) => ({ ...body, triangleCount: indices.length / 3 })),
    };
}

/** The same again; `take(count, stride)` gives the streams. */
export function unpackDeforming({ low, unit, collidingCounts, bodies }, take) {
    const sizes = bodies.map(({ vertexCount, first, end }) => 3 * vertexCount * (end - first));
    const all = take(sizes.reduce((sum, size) => sum + size, 0), 0);
    let at = 0;
    const tracks = bodies.map(({ vertexCount }, k) => restored(all.subarray(at, (at += sizes[k])), 3 * vertexCount));
    const collidingStart = Uint32Array.of(0, ...collidingCounts);
    for (let frame = 0; frame < collidingCounts.length; ++frame) collidingStart[frame + 1] += collidingStart[frame];
    return {
        low, unit, collidingStart,
        bodies: bodies.map(({ triangleCount, ...body }, k) => ({ ...body, indices: Uint32Array.from(take(3 * triangleCount, 3)), track: tracks[k] })),
        colliding: Uint32Array.from(take(collidingStart.at(-1), 1)),
    };
}

/** What is expected of number k: the vertex before in the first frame; later the position before, from the third frame on moved as far as then. */
function expected(track, k, width) {
    if (k < width) return k < 3 ? 0 : track[k - 3];
    return k < 2 * width ? track[k - width] : 2 * track[k - width] - track[k - 2 * width];
}

const residuals = (track, width) => Int32Array.from(track, (value, k) => value - expected(track, k, width));

function restored(rest, width) {
    const track = new Uint16Array(rest.length);
    for (let k = 0; k < rest.length; ++k) track[k] = rest[k] + expected(track, k, width);
    return track;
}
