// Cooks a file beside the page, which goes on meanwhile: { module, file, radius, density } in, the saved asset and its looks out.

import { FracasError, load } from "../../../bindings/npm/index.js";
import { BadFile, readGlb } from "./glb.js";

/** Moves and scales it: its box has its middle at the origin, and half a diagonal of `radius`. */
function scaled(positions, radius) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    positions.forEach((x, k) => {
        low[k % 3] = Math.min(low[k % 3], x);
        high[k % 3] = Math.max(high[k % 3], x);
    });
    const scale = (2 * radius) / Math.hypot(...high.map((x, i) => x - low[i]));
    return Float32Array.from(positions, (x, k) => scale * (x - (low[k % 3] + high[k % 3]) / 2));
}

/** The number of the heaviest of an asset's bodies. */
function heaviest(asset, count) {
    let [best, most] = [0, 0];
    for (let index = 0; index < count; ++index) {
        const body = asset.body({ index }), { mass } = body.mass;
        body.dispose();
        if (mass > most) [best, most] = [index, mass];
    }
    return best;
}

onmessage = async ({ data: { module, file, radius, density } }) => {
    try {
        const { positions, triangles, uvs, materials, palette, remarks } = readGlb(new Uint8Array(await file.arrayBuffer()));
        const log = (level, message) => level !== "info" && remarks.push(message);
        const fracas = await load(module, { log });
        const progress = (done) => postMessage({ done });
        const asset = fracas.cook({ positions: scaled(positions, radius), triangles, uvs, materials, density, gridCells: 32, fillTets: 3000, keepSurface: true, progress });
        const { bodies, tets } = asset.info;
        if (bodies > 1) remarks.push(`it has ${bodies} separate solids, of which the heaviest was taken`);
        postMessage({ asset: asset.save(), index: heaviest(asset, bodies), tets, palette, remarks });
    } catch (error) {
        const isKnown = error instanceof BadFile || error instanceof FracasError;
        postMessage({ error: error.message, isKnown });
    }
};
