// The bodies of the page, made of tetrahedra: flat meshes of triangles, extruded in layers. Y is up; sizes are metres.

/** Square of side 1 in nx * ny cells. */
function grid(nx, ny) {
    const points = [], triangles = [];
    for (let y = 0; y <= ny; ++y) for (let x = 0; x <= nx; ++x) points.push([x / nx, y / ny]);
    for (let y = 0; y < ny; ++y) {
        for (let x = 0; x < nx; ++x) {
            const a = y * (nx + 1) + x, b = a + nx + 1;
            triangles.push([a, a + 1, b + 1], [a, b, b + 1]);
        }
    }
    return { points, triangles };
}

/** Disc of radius 1: ring r has 6 r points. */
function disc(rings) {
    const points = [[0, 0]], triangles = [], first = (r) => (r === 0 ? 0 : 1 + 3 * r * (r - 1));
    for (let r = 1; r <= rings; ++r) {
        for (let k = 0; k < 6 * r; ++k) {
            const angle = (Math.PI * k) / (3 * r);
            points.push([(r / rings) * Math.cos(angle), (r / rings) * Math.sin(angle)]);
        }
        const outer = (k) => first(r) + (k % (6 * r)), inner = (k) => first(r - 1) + (k % Math.max(6 * (r - 1), 1));
        for (let side = 0; side < 6; ++side) {
            for (let k = 0; k < r; ++k) {
                triangles.push([outer(side * r + k), outer(side * r + k + 1), inner(side * (r - 1) + k)]);
                if (k > 0) triangles.push([outer(side * r + k), inner(side * (r - 1) + k), inner(side * (r - 1) + k - 1)]);
            }
        }
    }
    return { points, triangles };
}

/**
 * Layers of a flat mesh; `place(point, share)` puts a point of the layer at that share of the way. Closed: the last layer is the first. A
 * prism becomes three tetrahedra by the order of its corners in the flat mesh, so neighbours agree about the diagonals.
 */
function extruded({ points, triangles }, layers, closed, place) {
    const positions = [], tets = [], count = closed ? layers : layers + 1;
    for (let layer = 0; layer < count; ++layer) for (const point of points) positions.push(...place(point, layer / layers));
    for (let layer = 0; layer < layers; ++layer) {
        const low = layer * points.length, high = ((layer + 1) % count) * points.length;
        for (const corners of triangles) {
            const [a, b, c] = [...corners].sort((p, q) => p - q);
            tets.push(low + a, low + b, low + c, high + c, low + a, low + b, high + b, high + c, low + a, high + a, high + b, high + c);
        }
    }
    return { positions, tets };
}

const unit = (a) => a.map((x) => x / Math.hypot(...a));
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** A disc swept along a closed curve that winds round the Y axis without meeting it, so "outwards" gives frames that close. */
function tube(curve, thickness, rings, layers) {
    return extruded(disc(rings), layers, true, ([u, v], share) => {
        const at = curve(share), ahead = curve(share + 1e-4), along = unit(ahead.map((x, k) => x - at[k]));
        const side = unit(cross(along, [0, 1, 0])), up = cross(side, along);
        return at.map((x, k) => x + thickness * (u * side[k] + v * up[k]));
    });
}

/** A line through `corners`, at `share` of their number. */
function along(corners, share) {
    const place = share * (corners.length - 1), k = Math.min(Math.floor(place), corners.length - 2), rest = place - k;
    return corners[k].map((x, i) => x + (corners[k + 1][i] - x) * rest);
}

const block = (nx, ny, nz, [x, y, z]) => extruded(grid(nx, ny), nz, false, ([u, v], w) => [x * (2 * u - 1), y * (2 * v - 1), z * (2 * w - 1)]);

/** A pot with a hole in its floor: outside and inside of the wall, from the hole to the rim, as radius and height. */
const outside = [[0.025, -0.23], [0.07, -0.23], [0.115, -0.225], [0.15, -0.17], [0.178, -0.1],
    [0.185, -0.02], [0.17, 0.06], [0.135, 0.13], [0.11, 0.18], [0.115, 0.22], [0.135, 0.25]];
const inside = [[0.025, -0.2], [0.065, -0.2], [0.098, -0.197], [0.122, -0.155], [0.148, -0.09],
    [0.155, -0.02], [0.141, 0.055], [0.107, 0.118], [0.081, 0.175], [0.086, 0.225], [0.108, 0.262]];
function pot() {
    return extruded(grid(20, 1), 40, true, ([u, v], share) => {
        const [radius, height] = along(v === 0 ? outside : inside, u), angle = 2 * Math.PI * share;
        return [radius * Math.cos(angle), height, radius * Math.sin(angle)];
    });
}

function plate() {
    return extruded(disc(9), 1, false, ([x, z], share) => {
        const height = 0.045 * Math.max(0, (Math.hypot(x, z) - 0.55) / 0.45) ** 1.5; // the rim
        return [0.3 * x, height + 0.022 * share, 0.3 * z];
    });
}

const ring = (share) => [0.2 * Math.cos(2 * Math.PI * share), 0, 0.2 * Math.sin(2 * Math.PI * share)];
function trefoil(share) {
    const t = 2 * Math.PI * share;
    return [Math.sin(t) + 2 * Math.sin(2 * t), 1.25 * Math.sin(3 * t), Math.cos(t) - 2 * Math.cos(2 * t)].map((x) => 0.085 * x);
}

/** `start` is a quaternion: bodies fall on an edge. */
export const bodies = {
    pot: { name: "Pot", colour: 0xc0603c, crack: 0xedcdb4, make: pot, start: [0.26, 0, 0.18, 0.948] },
    brick: { name: "Brick", colour: 0xa8432f, crack: 0xe0a086, make: () => block(10, 5, 5, [0.25, 0.12, 0.12]), start: [0.15, 0.1, 0.35, 0.92] },
    plate: { name: "Plate", colour: 0x5f86a6, crack: 0xe6edf2, make: plate, start: [0.1, 0, 0.5, 0.86] },
    ring: { name: "Ring", colour: 0x4a8c69, crack: 0xc9e3d5, make: () => tube(ring, 0.072, 3, 40), start: [0.6, 0, 0.15, 0.78] },
    knot: { name: "Knot", colour: 0x8062a3, crack: 0xddd0ea, make: () => tube(trefoil, 0.052, 2, 96), start: [0.55, 0, 0.1, 0.83] },
};
