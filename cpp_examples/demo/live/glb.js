// Reads glTF 2.0: all triangles of the scene, in the scene's frame, with texture coordinates, normals and the colours of materials. Errors are
// sentences that follow the file's name.
//
// By hand, as in the command (cli/src/read/gltf.rs): what is needed is nodes, meshes and accessors.

const deepest = 256, most = 1 << 22;
const kinds = { 5120: [Int8Array, 127], 5121: [Uint8Array, 255], 5122: [Int16Array, 32767], 5123: [Uint16Array, 65535], 5125: [Uint32Array, 4294967295], 5126: [Float32Array, 1] };
const parts = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
const harmless = /^KHR_(materials_|texture_transform|lights_|mesh_quantization)/;

/** A sentence about the file. */
export class BadFile extends Error {}
const fail = (words) => {
    throw new BadFile(words);
};

/** The document and the binary chunk. */
function split(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), text = (part) => new TextDecoder().decode(part);
    const json = (part) => {
        try {
            return JSON.parse(text(part));
        } catch {
            return fail("this is no glTF file: its document is no JSON");
        }
    };
    if (bytes.length < 20 || view.getUint32(0, true) !== 0x46546c67) return { root: json(bytes), blob: null };
    let root = null, blob = null;
    for (let at = 12; at + 8 <= bytes.length;) {
        const length = view.getUint32(at, true), kind = view.getUint32(at + 4, true), chunk = bytes.subarray(at + 8, at + 8 + length);
        if (chunk.length < length) fail(`a part announces ${length} bytes, and ${chunk.length} are there; the file was cut short`);
        if (kind === 0x4e4f534a) root ??= json(chunk);
        else if (kind === 0x004e4942) blob ??= chunk;
        at += 8 + length;
    }
    return root ? { root, blob } : fail("there is no document in it; the file was cut short");
}

class Document {
    constructor(bytes) {
        const { root, blob } = split(bytes);
        const version = String(root?.asset?.version ?? "of no version");
        if (!version.startsWith("2.")) fail(`this is glTF ${version}; version 2 is needed`);
        for (const name of root.extensionsRequired ?? []) if (!harmless.test(name)) fail(`it needs the extension ${name}, which is not read; export it without`);
        this.root = root;
        this.buffers = (root.buffers ?? []).map(({ uri }, k) => {
            if (uri === undefined) return blob ?? fail(`buffer ${k} is not there: the binary chunk is missing`);
            const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(uri) ?? fail(`the buffer "${uri.slice(0, 40)}" is in another file; export it as .glb`);
            return Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        });
    }

    item(key, place) {
        return this.root[key]?.[place] ?? fail(`${key} ${place} is named, but there is none`);
    }

    /** The bytes of a view. */
    view(place) {
        const { buffer, byteOffset = 0, byteLength } = this.item("bufferViews", place), data = this.buffers[buffer];
        if (!data || byteOffset + byteLength > data.length) fail(`view ${place} reaches beyond its buffer; the file was cut short`);
        return data.subarray(byteOffset, byteOffset + byteLength);
    }

    /** The numbers of an accessor, one behind the other. */
    values(place, width) {
        const { bufferView, byteOffset = 0, componentType, count, type, normalized, sparse } = this.item("accessors", place);
        const wrong = (words) => fail(`accessor ${place} ${words}`), [Kind, full] = kinds[componentType] ?? wrong("has an unknown type of components");
        if (parts[type] !== width) wrong("has another number of components than it should");
        if (sparse) wrong("is sparse, which is not read; export the file without morph targets");
        if (bufferView === undefined) wrong("has no data");
        if (!(count > 0 && count <= most)) wrong(`has ${count} elements; 1 to ${most} are read`);
        const data = this.view(bufferView), size = Kind.BYTES_PER_ELEMENT, stride = this.item("bufferViews", bufferView).byteStride ?? width * size;
        if (byteOffset + (count - 1) * stride + width * size > data.length) wrong("reaches beyond its buffer; the file was cut short");
        const copy = data.slice(), from = new DataView(copy.buffer), read = `get${Kind.name.replace("Array", "")}`;
        const values = new Float64Array(width * count), scale = normalized ? full : 1;
        for (let k = 0; k < count; ++k) {
            for (let i = 0; i < width; ++i) values[width * k + i] = Math.max(from[read](byteOffset + k * stride + i * size, true) / scale, normalized ? -1 : -Infinity);
        }
        return values;
    }
}

/** Columns of the matrix of a node. */
function placeOf({ matrix, translation: t = [0, 0, 0], rotation: [x, y, z, w] = [0, 0, 0, 1], scale: s = [1, 1, 1] }) {
    if (matrix) return matrix;
    return [
        s[0] * (1 - 2 * (y * y + z * z)), s[0] * 2 * (x * y + z * w), s[0] * 2 * (x * z - y * w), 0,
        s[1] * 2 * (x * y - z * w), s[1] * (1 - 2 * (x * x + z * z)), s[1] * 2 * (y * z + x * w), 0,
        s[2] * 2 * (x * z + y * w), s[2] * 2 * (y * z - x * w), s[2] * (1 - 2 * (x * x + y * y)), 0, ...t, 1,
    ];
}
const times = (a, b) => Array.from({ length: 16 }, (_, k) => [0, 1, 2, 3].reduce((sum, i) => sum + a[4 * i + (k % 4)] * b[4 * (k >> 2) + i], 0));
const determinant = ([a, b, c, , d, e, f, , g, h, i]) => a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);

/** { positions, triangles, uvs, materials, palette, remarks }; a colour of the palette is linear, an image { type, bytes } or null. */
export function readGlb(bytes) {
    const document = new Document(bytes), { root } = document, given = root.materials?.length ?? 0;
    const scene = { positions: [], triangles: [], uvs: [], materials: [] }, remarks = new Set(), seen = new Set();
    const add = (number, above, depth) => {
        if (depth > deepest || seen.has(number)) fail(`node ${number} is the child of two nodes, or of itself, or lies too deep`);
        seen.add(number);
        const node = document.item("nodes", number), place = times(above, placeOf(node));
        if (node.mesh !== undefined) {
            if (node.skin !== undefined) remarks.add("it is taken as it was modelled, without its skeleton");
            for (const primitive of document.item("meshes", node.mesh).primitives ?? []) addPrimitive(document, primitive, place, scene, given);
        }
        for (const child of node.children ?? []) add(child, place, depth + 1);
    };
    const nodes = root.nodes ?? [], children = new Set(nodes.flatMap((node) => node.children ?? []));
    const roots = root.scenes ? document.item("scenes", root.scene ?? 0).nodes ?? [] : [...nodes.keys()].filter((k) => !children.has(k));
    for (const number of roots) add(number, placeOf({}), 0);
    if (scene.triangles.length === 0) fail("there are no triangles in it");
    const palette = (root.materials ?? []).map(({ pbrMetallicRoughness: look = {} }) => ({
        colour: (look.baseColorFactor ?? [1, 1, 1]).slice(0, 3), image: imageOf(document, look.baseColorTexture),
    }));
    palette.push({ colour: [0.6, 0.55, 0.5], image: null }); // of what has no material
    return { ...scene, palette, remarks: [...remarks] };
}

function addPrimitive(document, { attributes = {}, indices, mode = 4, material }, place, scene, given) {
    if (mode < 4) return; // points and lines
    const points = document.values(attributes.POSITION ?? fail("a mesh has no positions"), 3), count = points.length / 3, first = scene.positions.length / 3;
    if (first + count > most) fail(`it has more than ${most} points, which is too many`);
    for (let k = 0; k < points.length; k += 3) {
        for (let i = 0; i < 3; ++i) scene.positions.push(place[i] * points[k] + place[4 + i] * points[k + 1] + place[8 + i] * points[k + 2] + place[12 + i]);
    }
    const uvs = attributes.TEXCOORD_0 === undefined ? [] : document.values(attributes.TEXCOORD_0, 2);
    for (let k = 0; k < 2 * count; ++k) scene.uvs.push(uvs[k] ?? 0);
    const corners = indices === undefined ? Array.from({ length: count }, (_, k) => k) : document.values(indices, 1);
    const wrong = corners.find((k) => k >= count);
    if (wrong !== undefined) fail(`index ${wrong} is out of range: there are ${count} vertices`);
    const isMirrored = determinant(place) < 0; // turns triangles inside out
    for (let k = 0; k + 2 < corners.length; k += mode === 4 ? 3 : 1) {
        const odd = mode === 5 && k % 2 === 1, [a, b, c] = mode === 6 ? [0, k + 1, k + 2] : odd ? [k + 1, k, k + 2] : [k, k + 1, k + 2];
        for (const corner of isMirrored ? [a, c, b] : [a, b, c]) scene.triangles.push(first + corners[corner]);
        scene.materials.push(material ?? given);
    }
}

/** The image of a texture that is inside the file. */
function imageOf(document, texture) {
    if (!texture) return null;
    const { source } = document.root.textures?.[texture.index] ?? {}, { bufferView, mimeType, uri = "" } = document.root.images?.[source] ?? {};
    if (bufferView !== undefined) return { type: mimeType, bytes: document.view(bufferView).slice() };
    const [, type, data] = /^data:([^;,]*);base64,(.*)$/s.exec(uri) ?? [];
    return data ? { type, bytes: Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)) } : null;
}
