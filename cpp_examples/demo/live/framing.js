// Where the camera stands: the whole scene fills the part of the page that no card covers.

import * as three from "three";
import { outline } from "./arena.js";
import { freeRectangle } from "./free.js";

/** Of the way from the middle of the scene to the camera. */
const direction = new three.Vector3(0.68, 0.8, 1.9).normalize();
const margin = 8;

/** Distance from which the scene fits, and pixels by which the picture is moved then. */
function fit(camera, { left, right, top, bottom }, target, width, height) {
    const scale = height / (2 * Math.tan(three.MathUtils.degToRad(camera.fov / 2))); // pixels a unit at distance 1
    const backwards = direction, side = new three.Vector3().crossVectors(camera.up, backwards).normalize(), up = new three.Vector3().crossVectors(backwards, side);
    const points = outline().map(([x, y, z]) => new three.Vector3(x, y, z).sub(target)).map((p) => [p.dot(side), p.dot(up), p.dot(backwards)]);
    const box = (distance) => {
        const xs = points.map(([x, , z]) => (scale * x) / (distance - z)), ys = points.map(([, y, z]) => (scale * -y) / (distance - z));
        return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    };
    let [near, far] = [1.2, 40];
    for (let k = 0; k < 40; ++k) {
        const distance = (near + far) / 2, [x, X, y, Y] = box(distance);
        if (X - x < right - left - 2 * margin && Y - y < bottom - top - 2 * margin) far = distance;
        else near = distance;
    }
    const [x, X, y, Y] = box(far);
    return { distance: far, x: (left + right) / 2 - width / 2 - (x + X) / 2, y: (top + bottom) / 2 - height / 2 - (y + Y) / 2 };
}

/** Sets the camera for a page with these cards. A visitor who has turned it or come nearer keeps that, in proportion. */
export function frame(camera, orbit, cards, width, height, before) {
    const free = freeRectangle(cards, width, height), { distance, x, y } = fit(camera, free, orbit.target, width, height);
    camera.aspect = width / height;
    camera.setViewOffset(width, height, -x, -y, width, height);
    if (before === null) camera.position.copy(direction).multiplyScalar(distance).add(orbit.target);
    else camera.position.sub(orbit.target).multiplyScalar(distance / before).add(orbit.target);
    orbit.maxDistance = 2 * distance;
    camera.far = 4 * distance + 10;
    camera.updateProjectionMatrix();
    return { distance, free };
}
