// One drop: a body hangs in the air, is let go or struck, and breaks. All that is done to it is written down by steps, so that it can be
// done again with other contacts.

import { arena } from "./arena.js";
import { hullOf } from "./hulls.js";
import { seconds, turned } from "./solver.js";

/** Radii below this do not break any further, in metres. */
export const crumb = 0.012;
/** A body breaks where it meets the floor faster than this, in m/s; what is put down stays whole, though the hand presses it down. */
const breakingSpeed = 0.8, breakingSpeedHeld = 2.2;
/** Seconds in which one sees the whole body before it is done again. */
const pause = 0.6;

export class Drop {
    #landing = () => this.#land();

    /** `wishes` says into how many pieces the visitor wants it, and how rough; `complain` is told what went wrong as it landed. */
    constructor(fracas, world, picture, comparison, { wishes, complain }) {
        Object.assign(this, { fracas, world, picture, comparison, wishes, complain, seed: 0, contacts: "fracas", lastBreak: null, breakTime: 0 });
        /** So many bodies at most. */
        this.most = world.capacity;
    }

    /** Hangs a body up: `solid` has an asset, the number of its body, and a quaternion to fall by. */
    begin(solid) {
        this.comparison.forget();
        this.solid = solid;
        /** What was done: blows in their order, holds by step, and how the landing broke it. */
        this.record = { blows: [], holds: new Map(), landing: null, next: 0 };
        this.#hang(false);
    }

    /** The same from the beginning, with contacts of this kind: "fracas" or "hulls". */
    again(contacts) {
        this.contacts = contacts;
        this.record.next = 0;
        this.#hang(this.isBegun);
    }

    #hang(isReplay) {
        const { world, picture, solid } = this, body = solid.asset.body({ index: solid.index ?? 0 });
        world.clear();
        picture.clear();
        const turn = Math.hypot(...solid.start), rotation = solid.start.map((x) => x / turn), { min, max } = body.bounds([0, 0, 0, ...rotation]);
        const pose = [-(min[0] + max[0]) / 2, arena.clearance - min[1], -(min[2] + max[2]) / 2, ...rotation];
        this.births = this.time = this.breakTime = 0;
        this.lastBreak = null;
        this.isReplay = isReplay;
        this.isHanging = true;
        this.patience = pause;
        this.whole = this.#born(world.add(body, pose));
        picture.hang(this.whole, solid);
        this.comparison.begin(this.contacts);
    }

    #born(item) {
        item.birth = this.births++;
        return item;
    }

    /** Whether anything was done. */
    get isBegun() {
        return !this.isHanging || this.isReplay;
    }

    /** The visitor does something, if only to let it go: what is left of a replay is forgotten, and what the other contacts made of it. */
    act() {
        const { record } = this;
        if (this.isReplay) {
            record.blows.length = record.next;
            for (const time of record.holds.keys()) if (time >= this.time) record.holds.delete(time);
            if (this.whole) record.landing = null;
        }
        this.isReplay = this.isHanging = false;
        this.comparison.only(this.contacts);
    }

    step() {
        const { world, record } = this;
        if (this.isHanging) {
            if (!this.isReplay || (this.patience -= seconds) > 0) return;
            this.isHanging = false;
        }
        if (this.isReplay) this.#follow();
        else if (world.hold.row >= 0) this.#note();
        // A replay goes on to what was done next, though these bodies rest already.
        if (world.isResting) {
            if (this.isReplay) ++this.time;
            return;
        }
        const spent = world.times.contacts;
        world.step(this.whole && this.#landing);
        ++this.time;
        this.comparison.stepped(world.times.contacts - spent);
        this.picture.stale = true;
    }

    /** Writes down where the pointer holds a body. */
    #note() {
        const { row, local, target } = this.world.hold;
        this.record.holds.set(this.time, { birth: this.world.bodies[row].birth, local: [...local], target: [...target] });
    }

    /** What was done at this step. */
    #follow() {
        const { world, record } = this, named = (birth) => world.bodies.find((item) => item.birth === birth);
        const held = record.holds.get(this.time), item = held && named(held.birth);
        world.hold.row = item ? item.row : -1;
        if (item) {
            world.hold.local.set(held.local);
            world.hold.target.set(held.target);
        }
        for (; record.blows[record.next]?.time === this.time; ++record.next) {
            const blow = record.blows[record.next], struck = named(blow.birth);
            if (struck) this.#strike(struck, blow);
        }
        const last = [...record.holds.keys()].at(-1) ?? -1;
        if (record.next === record.blows.length && this.time > last && !this.whole) this.isReplay = false;
    }

    /** Breaks the whole body where it meets the ground. */
    #land() {
        const { world, record, whole } = this;
        if (world.impact < (world.hold.row < 0 ? breakingSpeed : breakingSpeedHeld)) return false;
        record.landing ??= { ...this.wishes(), seed: ++this.seed };
        const point = [...world.points.subarray(0, 3)];
        try {
            return this.#strike(whole, { ...this.#inside(whole, point, [0, 1, 0]), burst: 1.2, ...record.landing }).length > 0;
        } catch (error) {
            this.whole = null; // it is not asked again in every step
            this.complain(error.message);
            return false;
        }
    }

    /** A point and a direction of the world, in the frame of a body. */
    #inside({ pose }, point, direction) {
        const back = [-pose[3], -pose[4], -pose[5], pose[6]];
        return { local: turned(back, point.map((x, i) => x - pose[i])), direction: turned(back, direction) };
    }

    /** The visitor's blow at a point of the world. Returns why nothing broke, or an empty text. */
    blow(item, point, direction, burst) {
        const { world, most } = this, room = most - world.count, across = (radius) => Math.round(2000 * radius);
        if (item.radius < crumb) return `Too small to break: ${across(item.radius)} mm across. Pieces break from ${across(crumb)} mm on.`;
        if (room < 2) return `There are ${world.count} bodies, which is as many as this page moves. Press Reset.`;
        const what = { time: this.isHanging ? 0 : this.time, birth: item.birth, ...this.#inside(item, point, direction), burst, ...this.wishes(), seed: ++this.seed };
        try {
            if (this.#strike(item, what).length === 0) return "Nothing came off there. Try another spot, or more pieces.";
        } catch (error) {
            return error.message;
        }
        this.act();
        this.record.blows.push(what);
        this.record.next = this.record.blows.length;
        return room < what.wanted ? `Only ${this.lastBreak.made} pieces: ${most} bodies are as many as this page moves.` : "";
    }

    /** Breaks a body; pieces near the point fly apart at `burst` metres per second. */
    #strike(item, { local, direction, burst, wanted, roughness, seed }) {
        const { world, picture, fracas } = this, { pose } = item, start = performance.now(), before = momentum(world);
        const from = turned(pose.subarray(3), local).map((x, i) => x + pose[i]), room = this.most - world.count;
        let hulls = 0; // milliseconds: making them bodies of the library is not what breaking costs
        const hulled = (piece) => {
            const begun = performance.now(), hull = hullOf(fracas, piece);
            hulls += performance.now() - begun;
            return hull;
        };
        const made = world.fracture(item, {
            pattern: "impact", count: wanted, maxFragments: Math.min(Math.ceil(1.25 * wanted), room), seed, minVolumeShare: 2e-4,
            impactPoint: local, impactDirection: direction, impactRadius: 1.3 * item.radius, roughness,
        }, burst, from, this.contacts === "hulls" ? hulled : undefined);
        if (made.length === 0) return made; // nothing was cut
        if (item === this.whole) this.whole = null;
        picture.remove(item);
        made.forEach((piece, k) => picture.add(this.#born(piece), k + 1));
        this.breakTime = performance.now() - start - hulls;
        this.lastBreak = { wanted, made: made.length, before, after: momentum(world) };
        this.comparison.broken(made);
        return made;
    }
}

/** Mass and momentum of all bodies. */
export function momentum(world) {
    const sum = { mass: 0, momentum: [0, 0, 0] };
    for (const { row, mass } of world.bodies) {
        sum.mass += mass;
        for (let i = 0; i < 3; ++i) sum.momentum[i] += mass * world.velocity[3 * row + i];
    }
    return sum;
}
