// Meshes of bodies. The page's own bodies are drawn by their surface, with normals of the whole body's skin; what a file has brought is drawn
// by the mesh of the file, which the library has cut.

import * as three from "three";

const attribute = (values, width) => new three.BufferAttribute(values, width);

/** Normals of a whole body's skin, at the corners of its triangles: round where they meet at less than 40 degrees. */
export function skinNormals({ positions, indices }) {
    const faces = new Float32Array(indices.length), at = new Map(), normals = new Float32Array(3 * indices.length);
    for (let t = 0; t < indices.length; t += 3) {
        normalOf(positions, indices, t, faces);
        for (let k = 0; k < 3; ++k) {
            if (!at.has(indices[t + k])) at.set(indices[t + k], []);
            at.get(indices[t + k]).push(t);
        }
    }
    for (let t = 0; t < indices.length; t += 3) {
        const length = Math.hypot(faces[t], faces[t + 1], faces[t + 2]);
        for (let k = 0; k < 3; ++k) {
            const sum = [0, 0, 0];
            for (const u of at.get(indices[t + k])) {
                const dot = faces[t] * faces[u] + faces[t + 1] * faces[u + 1] + faces[t + 2] * faces[u + 2];
                if (dot < Math.cos(0.7) * length * Math.hypot(faces[u], faces[u + 1], faces[u + 2])) continue;
                for (let i = 0; i < 3; ++i) sum[i] += faces[u + i];
            }
            normals.set(sum.map((x) => x / Math.hypot(...sum)), 3 * (t + k));
        }
    }
    return normals;
}

/** Skin with the normals of the whole body, cracks flat. */
export function surfaceGeometry({ positions, indices, cracks, sources, uvs }, normals) {
    const corners = indices.length, flat = new Float32Array(3 * corners);
    const points = new Float32Array(3 * corners), directions = new Float32Array(3 * corners);
    let skin = 0, last = corners;
    for (let t = 0; t < corners; t += 3) {
        const crack = cracks[t / 3], to = crack ? (last -= 3) : (skin += 3) - 3, source = 9 * sources[t / 3];
        if (crack) normalOf(positions, indices, t, flat);
        const length = crack ? Math.hypot(flat[t], flat[t + 1], flat[t + 2]) || 1 : 1;
        for (let k = 0; k < 3; ++k) {
            const a = uvs[2 * (t + k)], b = uvs[2 * (t + k) + 1], c = 1 - a - b, out = 3 * (to + k);
            for (let i = 0; i < 3; ++i) {
                points[out + i] = positions[3 * indices[t + k] + i];
                directions[out + i] = crack ? flat[t + i] / length
                    : a * normals[source + i] + b * normals[source + 3 + i] + c * normals[source + 6 + i];
            }
        }
    }
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", attribute(points, 3));
    geometry.setAttribute("normal", attribute(directions, 3));
    geometry.addGroup(0, skin, 0);
    geometry.addGroup(skin, corners - skin, 1);
    return geometry;
}

/** The mesh of a file, triangles of one material together; the crack has the last of `count` + 1 materials. */
export function drawnGeometry({ positions, normals, uvs, indices, materials, crackStart }, count) {
    const of = (t) => (t >= crackStart ? count : Math.min(materials[t], count - 1)), sorted = new Uint32Array(indices.length);
    const geometry = new three.BufferGeometry();
    for (let material = 0, end = 0; material <= count; ++material) {
        const start = end;
        for (let t = 0; t < materials.length; ++t) {
            if (of(t) !== material) continue;
            for (let k = 0; k < 3; ++k) sorted[end++] = indices[3 * t + k];
        }
        if (end > start) geometry.addGroup(start, end - start, material);
    }
    geometry.setAttribute("position", attribute(positions, 3));
    geometry.setAttribute("normal", attribute(normals, 3));
    geometry.setAttribute("uv", attribute(uvs, 2));
    geometry.setIndex(attribute(sorted, 1));
    return geometry;
}

/** Cross product of two edges: normal times twice the area. */
function normalOf(positions, indices, t, out) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    out[t] = uy * vz - uz * vy;
    out[t + 1] = uz * vx - ux * vz;
    out[t + 2] = ux * vy - uy * vx;
}
