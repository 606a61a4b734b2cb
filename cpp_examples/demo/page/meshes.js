// Deforming meshes on the stage: the positions of all bodies that ever are follow the film, and three geometries have triangles of them:
// solid bodies, transparent ones, and what collides.

import * as three from "three";

const collisionColour = "#e8222e";

/** An actor of the stage. */
export class DeformingMeshes {
    /** `surface` is what the materials of all bodies have in common. */
    constructor(film, surface) {
        this.film = film;
        let vertexCount = 0, triangleCount = 0;
        this.bodies = film.bodies.map((body) => {
            const start = { vertexStart: vertexCount, triangleStart: triangleCount };
            vertexCount += body.vertexCount;
            triangleCount += body.indices.length / 3;
            return { ...body, ...start };
        });
        this.corners = new Uint32Array(3 * triangleCount); // of all triangles
        const colours = new Float32Array(3 * vertexCount);
        this.bodies.forEach(({ group, indices, vertexStart, vertexCount: own, triangleStart }, number) => {
            this.corners.set(indices.map((index) => index + vertexStart), 3 * triangleStart);
            const colour = shade(group, number);
            for (let vertex = vertexStart; vertex < vertexStart + own; ++vertex) colour.toArray(colours, 3 * vertex);
        });
        this.positions = new three.BufferAttribute(new Float32Array(3 * vertexCount), 3).setUsage(three.DynamicDrawUsage);
        const ball = new three.Sphere(new three.Vector3(...film.low).addScalar(32768 * film.unit), 60000 * film.unit); // half the diagonal
        const geometryOf = (triangles) => {
            const geometry = new three.BufferGeometry().setAttribute("position", this.positions);
            geometry.setIndex(new three.BufferAttribute(new Uint32Array(3 * triangles), 1).setUsage(three.DynamicDrawUsage));
            geometry.boundingSphere = ball;
            return geometry;
        };
        const meshOf = (more) => new three.Mesh(geometryOf(triangleCount).setAttribute("color", new three.BufferAttribute(colours, 3)),
            new three.MeshStandardMaterial({ ...surface, vertexColors: true, ...more }));
        this.mesh = meshOf({ side: three.DoubleSide });
        Object.assign(this.mesh, { castShadow: true, receiveShadow: true });
        /** An actor too; where it is, the other one sees to. */
        this.transparent = { mesh: meshOf({ transparent: true, opacity: 0.3, depthWrite: false }), at() {}, boxes: () => [] };
        this.lives = null;

        const most = film.collidingStart.reduce((most, start, f) => Math.max(most, f > 0 ? start - film.collidingStart[f - 1] : 0), 0);
        this.hits = geometryOf(most);
        const material = (more) => new three.MeshBasicMaterial({ color: collisionColour, side: three.DoubleSide, ...more });
        // Faint where bodies hide them.
        const hidden = new three.Mesh(this.hits, material({ transparent: true, opacity: 0.22, depthTest: false, depthWrite: false, fog: false }));
        const seen = new three.Mesh(this.hits, material());
        hidden.renderOrder = 1;
        this.colliding = new three.Group().add(seen, hidden);
    }

    at(frame, between) {
        const { low, unit } = this.film, { array } = this.positions;
        for (const { first, end, track, vertexStart, vertexCount } of this.bodies) {
            if (frame < first || frame >= end) continue;
            const width = 3 * vertexCount, now = width * (frame - first), then = frame + 1 < end ? now + width : now;
            for (let k = 0, to = 3 * vertexStart; k < width; ++k, ++to)
                array[to] = low[k % 3] + unit * (track[now + k] + between * (track[then + k] - track[now + k]));
        }
        this.positions.needsUpdate = true;

        const living = this.bodies.filter(({ first, end }) => first <= frame && frame < end);
        if (living.length !== this.lives?.length || living.some((body, k) => body !== this.lives[k])) {
            this.lives = living;
            for (const [transparent, mesh] of [[false, this.mesh], [true, this.transparent.mesh]])
                fill(mesh.geometry, living.filter((body) => body.transparent === transparent)
                    .map(({ triangleStart, indices }) => this.corners.subarray(3 * triangleStart, 3 * triangleStart + indices.length)));
        }
        this.mesh.geometry.computeVertexNormals(); // shadows ask for them; shading takes the faces'
        const { collidingStart, colliding } = this.film, hits = colliding.subarray(collidingStart[frame], collidingStart[frame + 1]);
        fill(this.hits, Array.from(hits, (triangle) => this.corners.subarray(3 * triangle, 3 * triangle + 3)));
    }

    /** The boxes of the bodies in a frame. */
    boxes(frame) {
        const { low, unit } = this.film;
        return this.bodies.filter(({ first, end }) => first <= frame && frame < end).map(({ first, track, vertexCount }) => {
            const box = new three.Box3(), point = new three.Vector3();
            for (let vertex = vertexCount * (frame - first); vertex < vertexCount * (frame - first + 1); ++vertex)
                box.expandByPoint(point.fromArray(track, 3 * vertex));
            for (const corner of [box.min, box.max]) corner.multiplyScalar(unit).add(point.fromArray(low));
            return box;
        });
    }

    dispose() {
        for (const mesh of [this.mesh, this.transparent.mesh, ...this.colliding.children]) {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
        this.colliding.removeFromParent();
    }
}

/** The lists, one after the other, become the corners of a geometry's triangles; what is left of its room is degenerate. */
function fill(geometry, lists) {
    const { array } = geometry.index;
    let count = 0;
    for (const list of lists) {
        array.set(list, count);
        count += list.length;
    }
    array.fill(0, count);
    geometry.index.needsUpdate = true;
    geometry.setDrawRange(0, count);
}

/** Of what was one body once the hue, by the golden angle; of each body a lightness. Paler than what collides. */
function shade(group, number) {
    const of = (seed) => (seed * 0.618034) % 1;
    return new three.Color().setHSL((0.5 + group * 0.381966 + 0.14 * of(3 * number)) % 1, 0.3, 0.42 + 0.3 * of(number));
}
