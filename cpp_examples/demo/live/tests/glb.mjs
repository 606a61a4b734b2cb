// Small .glb files for the tests.

/** A box with its own corners on each side, as exporters write it; faces named in `without` are left out. */
export function box({ edge = 1, at = [0, 0, 0], without = [] } = {}) {
    const positions = [], triangles = [];
    for (let side = 0; side < 6; ++side) {
        if (without.includes(side)) continue;
        const axis = side >> 1, sign = side % 2 ? 1 : -1, first = positions.length / 3;
        for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
            const corner = [0, 0, 0];
            corner[axis] = sign;
            corner[(axis + 1) % 3] = u * sign;
            corner[(axis + 2) % 3] = v;
            positions.push(...corner.map((x, i) => at[i] + (edge / 2) * x));
        }
        triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
    return { positions, triangles };
}

/** One mesh as a binary glTF file; `change` may spoil the document. */
export function glb({ positions, triangles }, change = () => {}) {
    const points = new Uint8Array(Float32Array.from(positions).buffer), corners = new Uint8Array(Uint32Array.from(triangles).buffer);
    const document = {
        asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, scale: [2, 2, 2] }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
        accessors: [
            { bufferView: 0, componentType: 5126, count: positions.length / 3, type: "VEC3" },
            { bufferView: 1, componentType: 5125, count: triangles.length, type: "SCALAR" },
        ],
        bufferViews: [{ buffer: 0, byteLength: points.length }, { buffer: 0, byteOffset: points.length, byteLength: corners.length }],
        buffers: [{ byteLength: points.length + corners.length }],
    };
    change(document);
    const text = Buffer.from(JSON.stringify(document)), json = Buffer.concat([text, Buffer.alloc(-text.length & 3, " ")]), blob = Buffer.concat([points, corners]);
    const head = (...words) => Buffer.from(Uint32Array.from(words).buffer);
    return Buffer.concat([head(0x46546c67, 2, 28 + json.length + blob.length), head(json.length, 0x4e4f534a), json, head(blob.length, 0x004e4942), blob]);
}
