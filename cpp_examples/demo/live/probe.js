// What the tests see of the page: they step it without drawing.

import * as three from "three";
import { momentum } from "./drop.js";

export function probe({ fracas, world, stage, drop, pointer, comparison, models }) {
    const onPage = (point) => {
        const { x, y } = point.project(stage.camera);
        return [((x + 1) / 2) * innerWidth, ((1 - y) / 2) * innerHeight];
    };

    /** The lowest corner of any body, the deepest overlap of any two pieces, and the largest distance from the middle. */
    const overlap = () => {
        let [lowest, deepest, farthest] = [Infinity, 0, 0];
        const contacts = fracas.contacts(64), point = new three.Vector3();
        stage.place();
        for (const [a, { geometry, matrixWorld }] of stage.meshes) {
            const { position } = geometry.attributes;
            for (let k = 0; k < position.count; ++k) {
                point.fromBufferAttribute(position, k).applyMatrix4(matrixWorld);
                lowest = Math.min(lowest, point.y);
                farthest = Math.max(farthest, Math.hypot(point.x, point.z));
            }
            for (const b of world.bodies) {
                if (b.row >= a.row) continue;
                fracas.queryPair(a.body, a.pose, b.body, b.pose, contacts);
                for (let k = 0; k < contacts.count; ++k) deepest = Math.max(deepest, contacts.floats[8 * k + 3]);
            }
        }
        contacts.dispose();
        return { lowest, deepest, farthest };
    };

    return {
        fracas, world, drop, stage, comparison, models, overlap,
        step: () => drop.step(),
        momentum: () => momentum(world),
        get lastBreak() { return drop.lastBreak; },
        /** What is held of the library and of three.js. */
        held: () => {
            stage.draw(false);
            const { geometries, textures } = stage.renderer.info.memory;
            return { handles: fracas.liveHandles, bytes: fracas.bytes, geometries, textures };
        },
        /** The outermost corners of a body on the page; and a place there where it is the first thing under the pointer. */
        extent: (row) => {
            stage.place();
            const { geometry, matrixWorld } = stage.meshes.get(world.bodies[row]), { position } = geometry.attributes, box = [Infinity, -Infinity, Infinity, -Infinity];
            for (let k = 0; k < position.count; ++k) {
                const [x, y] = onPage(new three.Vector3().fromBufferAttribute(position, k).applyMatrix4(matrixWorld));
                [box[0], box[1], box[2], box[3]] = [Math.min(box[0], x), Math.max(box[1], x), Math.min(box[2], y), Math.max(box[3], y)];
            }
            return box;
        },
        visible: (row) => {
            stage.place();
            const { geometry, matrixWorld } = stage.meshes.get(world.bodies[row]), { attributes: { position }, index } = geometry, corner = new three.Vector3();
            const count = (index ?? position).count, stride = 3 * Math.ceil(count / 180); // sixty triangles tell
            for (let t = 0; t < count; t += stride) {
                const middle = new three.Vector3();
                for (let j = t; j < t + 3; ++j) middle.addScaledVector(corner.fromBufferAttribute(position, index ? index.getX(j) : j), 1 / 3);
                const [x, y] = onPage(middle.applyMatrix4(matrixWorld));
                if (pointer.pick({ clientX: x, clientY: y })?.item.row === row && document.elementFromPoint(x, y) === stage.canvas) return [x, y];
            }
            return null;
        },
    };
}
