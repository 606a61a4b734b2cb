// Shapes to query against: half-space, ball, box, capsule, hull, your own distance function.

import * as c from "./layout.js";
import { Owner } from "./owner.js";

/** Something simple to query against. */
export class Shape extends Owner {
    #at;

    constructor(fracas, kind, { hull = 0n, field = 0, points = null, forget = () => {} } = {}) {
        const size = c.fc_shape.size;
        const at = fracas.allocate(size);
        const pointBytes = points ? points.length * 4 : 0;
        const pointsAt = points ? fracas.allocate(pointBytes) : 0;
        super(() => {
            if (hull !== 0n) fracas.exports.fc_hull_destroy(hull);
            if (pointsAt) fracas.exports.fc_wasm_free(pointsAt, pointBytes);
            fracas.exports.fc_wasm_free(at, size);
            forget();
        });
        this.#at = at;
        fracas.exports.fc_shape_init(at, size);
        const { u32 } = fracas;
        u32[(at + c.fc_shape.kind) >>> 2] = kind;
        u32[(at + c.fc_shape.field) >>> 2] = field;
        fracas.view.setBigUint64(at + c.fc_shape.hull, hull, true);
        if (points) {
            fracas.writeAll("f32", pointsAt, points, points.length);
            u32[(at + c.fc_shape.points) >>> 2] = pointsAt;
            u32[(at + c.fc_shape.point_count) >>> 2] = points.length / 3;
        }
    }

    get at() {
        return this.isDisposed ? 0 : this.#at; // NULL is an error of the library
    }
}
