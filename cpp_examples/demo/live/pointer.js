// The pointer: a click breaks, dragging throws, and a click that does nothing says why.

import * as three from "three";
import { crumb } from "./drop.js";
import { note } from "./note.js";
import { turned } from "./solver.js";

/** Pixels that a click may move. */
const steady = 6;

export class Pointer {
    #ray = new three.Raycaster();
    #plane = new three.Plane();
    #spot = new three.Vector3();

    /** `isPaused`: whether the visitor has stopped time. */
    constructor(stage, world, drop, isPaused) {
        Object.assign(this, { stage, world, drop, isPaused });
        this.#listen(stage.canvas);
    }

    #aim({ clientX, clientY }) {
        this.#spot.set((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight, 0);
        this.#ray.setFromCamera(this.#spot, this.stage.camera);
        return this.#ray.ray;
    }

    /** The first body under the pointer, asked of the library; null if there is none. */
    pick(event) {
        const ray = this.#aim(event), origin = ray.origin.toArray(), direction = ray.direction.toArray();
        let best = null;
        for (const item of this.world.bodies) {
            const hit = item.body.rayCast(item.pose, origin, direction, best?.distance ?? 100);
            if (hit && (!best || hit.distance < best.distance)) best = { item, distance: hit.distance, direction };
        }
        if (best) best.point = origin.map((x, i) => x + best.distance * direction[i]);
        return best;
    }

    /** Why a click that met no body does nothing. */
    #missed(event) {
        const isFloor = this.#aim(event).direction.y < 0;
        return `${isFloor ? "That is the floor, which does not break" : "There is nothing to break there"}. Click ${this.drop.whole ? this.drop.solid.called : "a piece"}.`;
    }

    #click({ item, point, direction }, event) {
        const why = this.drop.blow(item, point, direction, 1.6);
        if (why) note(why, event.clientX, event.clientY);
        else if (this.isPaused()) note("It is broken, and time is paused: untick Pause to see it fall apart.", event.clientX, event.clientY);
    }

    /** Takes hold of a body: at what was clicked, though it may have moved since. */
    #grab({ item, point, direction }) {
        const { world, stage, drop } = this, { pose, row } = item, at = world.position.subarray(3 * row, 3 * row + 3);
        drop.act();
        world.hold.row = row;
        world.hold.local.set(turned([-pose[3], -pose[4], -pose[5], pose[6]], point.map((x, i) => x - at[i])));
        this.#plane.setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new three.Vector3()), new three.Vector3(...point));
    }

    #pull(event) {
        const spot = this.#aim(event).intersectPlane(this.#plane, this.#spot);
        if (spot) this.world.hold.target.set([spot.x, Math.max(spot.y, 0.02), spot.z]);
    }

    #listen(canvas) {
        const { world } = this, isThere = (item) => world.bodies[item.row] === item;
        /** What was pressed: a body with the point of it, or nothing. */
        let pressed = null;
        const isPressed = ({ pointerId }) => pressed?.id === pointerId;
        // Before the camera's listener, which would turn the view.
        canvas.addEventListener("pointerdown", (event) => {
            if (pressed || event.button !== 0) return;
            const hit = this.pick(event);
            pressed = { ...hit, id: event.pointerId, x: event.clientX, y: event.clientY, isMoved: false };
            if (!hit) return;
            event.stopImmediatePropagation();
            canvas.setPointerCapture(event.pointerId);
        }, { capture: true });
        canvas.addEventListener("pointermove", (event) => {
            if (!pressed) {
                if (event.pointerType !== "mouse" || event.buttons !== 0) return;
                const hit = this.pick(event);
                canvas.classList.toggle("over", hit !== null && hit.item.radius >= crumb);
                return;
            }
            if (!isPressed(event)) return;
            if (!pressed.isMoved && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > steady) {
                pressed.isMoved = true;
                if (pressed.item && isThere(pressed.item)) {
                    this.#grab(pressed);
                    pressed.holds = true;
                    canvas.classList.add("held");
                }
            }
            if (pressed.holds) this.#pull(event);
        });
        const release = (event) => {
            if (!isPressed(event)) return;
            const was = pressed;
            pressed = null;
            canvas.classList.remove("held");
            if (was.holds) world.hold.row = -1;
            if (was.isMoved || event.type !== "pointerup") return;
            if (!was.item) note(this.#missed(event), event.clientX, event.clientY);
            else if (isThere(was.item)) this.#click(was, event);
            else note("That one broke just before you clicked.", event.clientX, event.clientY);
        };
        for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, release);
    }
}
