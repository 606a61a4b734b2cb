// A small solver for rigid bodies that break: contacts from fracas, sequential impulses with warm starting by the contacts' features,
// friction, islands that sleep. Overlaps are pushed apart by a speed that a relaxing pass after the positions takes out again, as in
// Box2D 3 (Catto, "Solver2D").
//
// Bodies are rows of typed arrays, and a step allocates nothing. Row `capacity` is the ground: no mass, no velocity.

import { identity } from "../../../bindings/npm/index.js";
import { Impulses } from "./impulses.js";

export const seconds = 1 / 120;
const gravity = -9.81, friction = 0.6, restitution = 0.1;
const iterations = 12, relaxations = 4;
/** Metres of overlap that are left alone, and how fast more than that may be pushed apart. */
const slop = 0.0002, pushSpeed = 1;
/** Metres: closer bodies have contacts already, with a negative depth, which let them touch but not overlap. */
const leastMargin = 0.001, mostMargin = 0.008;
/** A plane has one normal: four contacts for it would leave out corners, and others in every step. */
const flat = { targetContacts: 12, maxPerNormal: 12 };
/** A body is quiet below this speed (m/s, at its farthest point); an island sleeps after this long. */
const quietSpeed = 0.05, quietSeconds = 0.4;
/** Share of an overlap that a step removes. The speed for it is taken out again by the relaxing pass. */
const recovery = 0.2;

// A row of the solver: three directions (normal and two tangents) with what the impulse does to both bodies, then the state.
const DIRECTION = 16; // direction 0-2, lever arms 3-5 and 6-8, spins per impulse 9-11 and 12-14, effective mass 15
const GAP = 48, IMPULSE = 49, APPROACH = 52, ROW = 53; // impulses 49-51

export class World {
    #fracas; #pairs; #found; #single; #ground; #walls;

    /** `walls`: { normal, offset } of half-spaces that bodies stay out of, beside the ground. */
    constructor(fracas, capacity = 512, contactCapacity = 8192, walls = []) {
        this.#fracas = fracas;
        this.#pairs = fracas.pairs(1024);
        this.#found = fracas.contacts(contactCapacity);
        this.#single = fracas.contacts(64);
        this.#ground = fracas.halfSpace([0, 1, 0]);
        this.#walls = walls.map(({ normal, offset }) => ({ normal, offset, shape: fracas.halfSpace(normal, offset) }));
        this.wallOptions = { margin: leastMargin, ...flat };
        this.capacity = capacity;
        this.count = 0;
        /**
         * { body, shape, surface, pose, centre, mass, radius, ... }: `pose` is of the asset's frame, the arrays are of the centre of mass;
         * `shape` is the body whose contacts count, mostly itself.
         */
        this.bodies = [];
        const rows = (width) => new Float64Array(width * (capacity + 1));
        Object.assign(this, {
            position: rows(3), rotation: rows(4), velocity: rows(3), spin: rows(3),
            inverseMass: rows(1), inverseInertia: rows(6), worldInertia: rows(9), low: rows(3), high: rows(3), quiet: rows(1),
            asleep: new Uint8Array(capacity + 1), parent: new Int32Array(capacity + 1), order: new Int32Array(capacity + 1),
        });
        this.rows = new Float64Array(ROW * contactCapacity);
        this.bodyA = new Int32Array(contactCapacity);
        this.bodyB = new Int32Array(contactCapacity);
        this.contactCapacity = contactCapacity;
        this.contacts = 0;
        /** Bodies to be watched, or null; and the deepest contact of two of them in the last step, in metres. */
        this.watched = null;
        this.deepest = 0;
        this.points = new Float32Array(3 * contactCapacity); // of the contacts, in the world, to draw
        this.pairA = new Int32Array(1 << 16);
        this.pairB = new Int32Array(1 << 16);
        this.now = new Impulses(contactCapacity);
        this.before = new Impulses(contactCapacity);
        /** A hold on a body: { row, local point in the body, target }. */
        this.hold = { row: -1, local: new Float64Array(3), point: new Float64Array(3), target: new Float64Array(3) };
        this.times = { contacts: 0, solver: 0 };
        this.options = { margin: leastMargin };
    }

    /** Adds a body of the library, and perhaps another one for its contacts; returns what the world knows of it. */
    add(body, pose, velocity = [0, 0, 0], spin = [0, 0, 0], shape = body) {
        if (this.count === this.capacity) throw new RangeError(`the world is full: ${this.capacity} bodies`);
        const row = this.count++, { mass, centre, inertia } = body.mass;
        const surface = body.surface(), { positions } = surface;
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        let radius = 0;
        for (let k = 0; k < positions.length; k += 3) {
            let square = 0;
            for (let i = 0; i < 3; ++i) {
                const x = positions[k + i] - centre[i];
                low[i] = Math.min(low[i], x);
                high[i] = Math.max(high[i], x);
                square += x * x;
            }
            radius = Math.max(radius, Math.sqrt(square));
        }
        const memory = this.#fracas.memory();
        const ground = { margin: leastMargin, memory, ...flat }; // options of its query
        const item = { body, shape, surface, pose: Float64Array.from(pose), centre, mass, radius, low, high, ground, row };
        this.bodies.push(item);
        this.inverseMass[row] = 1 / mass;
        this.inverseInertia.set(inverse(inertia), 6 * row);
        for (let i = 0; i < 3; ++i) {
            this.velocity[3 * row + i] = velocity[i];
            this.spin[3 * row + i] = spin[i];
        }
        this.rotation.set(item.pose.subarray(3), 4 * row);
        const at = turned(item.pose.subarray(3), centre);
        for (let i = 0; i < 3; ++i) this.position[3 * row + i] = item.pose[i] + at[i];
        this.quiet[row] = this.asleep[row] = 0;
        this.order[row] = row;
        this.#refresh(row);
        return item;
    }

    /** Takes a body out; the last row moves into its place. */
    remove(item) {
        const { row } = item, last = --this.count;
        if (this.hold.row === row) this.hold.row = -1;
        else if (this.hold.row === last) this.hold.row = row;
        for (const [array, width] of [[this.position, 3], [this.rotation, 4], [this.velocity, 3], [this.spin, 3], [this.inverseMass, 1],
            [this.inverseInertia, 6], [this.worldInertia, 9], [this.low, 3], [this.high, 3], [this.quiet, 1], [this.asleep, 1], [this.parent, 1]])
            array.copyWithin(width * row, width * last, width * (last + 1));
        // A sleeping island's root may be the row that is gone: whoever removes a body wakes its island first.
        const moved = this.bodies.pop();
        if (moved !== item) {
            moved.row = row;
            this.bodies[row] = moved;
        }
        for (let k = 0; k < this.count; ++k) this.order[k] = k;
        item.ground.memory.dispose();
        item.body.dispose();
        item.shape.dispose(); // nothing, if it is the same
        this.contacts = 0; // they name rows
    }

    clear() {
        while (this.count > 0) this.remove(this.bodies[this.count - 1]);
        this.before.clear();
        this.now.clear();
    }

    /**
     * Breaks a body: the pieces take its motion, so momentum is kept. `speed`: the pieces fly away from `from` (in the world) at most this
     * fast, and all together get no momentum. `shaped` makes of a piece the body for its contacts. Returns the new items; none if nothing
     * was cut.
     */
    fracture(item, options, speed = 0, from = null, shaped = (piece) => piece) {
        const pieces = item.body.fracture(options);
        if (pieces.length === 0) return [];
        this.wakeAll(); // what rests on it falls, and rows change
        const { row, radius } = item, start = Float64Array.from(item.pose);
        const [motion, spin, middle] = [this.velocity, this.spin, this.position].map((array) => [...array.subarray(3 * row, 3 * row + 3)]);
        this.remove(item);
        const made = pieces.map((piece) => this.add(piece, start, motion, spin, shaped(piece)));
        const mean = [0, 0, 0];
        let total = 0;
        for (const { row: k, mass } of made) {
            const [x, y, z] = [0, 1, 2].map((i) => this.position[3 * k + i] - middle[i]);
            const push = [spin[1] * z - spin[2] * y, spin[2] * x - spin[0] * z, spin[0] * y - spin[1] * x];
            if (from) {
                const away = [0, 1, 2].map((i) => this.position[3 * k + i] - from[i]), distance = Math.hypot(...away) + 1e-9;
                const burst = speed * Math.exp(-2 * distance / radius);
                away.forEach((a, i) => {
                    push[i] += (burst * a) / distance;
                    mean[i] += (mass * burst * a) / distance;
                });
            }
            total += mass;
            push.forEach((a, i) => (this.velocity[3 * k + i] += a));
        }
        for (const { row: k } of made) mean.forEach((a, i) => (this.velocity[3 * k + i] -= a / total));
        return made;
    }

    /** One step. `touched` is called when there are contacts, before they stop anything: if it breaks bodies, their pieces take part. */
    step(touched = null) {
        const start = performance.now();
        this.#pull();
        this.#accelerate();
        this.#sweep();
        this.#detect();
        if (touched !== null && this.contacts > 0 && touched()) {
            this.now.clear();
            this.#sweep();
            this.#detect();
        }
        const detected = performance.now();
        this.#prepare();
        for (let k = 0; k < iterations; ++k) this.#solve(true);
        this.#move();
        for (let k = 0; k < relaxations; ++k) this.#solve(false);
        this.#bounce();
        this.#keep();
        this.#sleep();
        this.times.contacts += detected - start;
        this.times.solver += performance.now() - detected;
    }

    #accelerate() {
        const { velocity, spin, asleep } = this;
        for (let row = 0; row < this.count; ++row) {
            if (asleep[row]) continue;
            velocity[3 * row + 1] += gravity * seconds;
            // Air; and for what rolls slowly a resistance that contacts at points do not have.
            const slow = this.speed(row) < 0.5 ? 1 - 6 * seconds : 1 - 0.5 * seconds;
            for (let i = 3 * row; i < 3 * row + 3; ++i) {
                velocity[i] *= 1 - 0.05 * seconds;
                spin[i] *= slow;
            }
        }
    }

    /** The pointer's spring: an impulse at the held point that brings it towards the target. */
    #pull() {
        const { row, local, point, target } = this.hold;
        if (row < 0) return;
        this.wake(row);
        const { velocity: v, spin: w, worldInertia: J } = this, k = 3 * row, q = 4 * row, im = this.inverseMass[row];
        turn(this.rotation, q, local[0], local[1], local[2], scratch, 0);
        const x = scratch[0], y = scratch[1], z = scratch[2];
        for (let i = 0; i < 3; ++i) point[i] = this.position[k + i] + scratch[i];
        let dx = 10 * (target[0] - point[0]), dy = 10 * (target[1] - point[1]), dz = 10 * (target[2] - point[2]);
        const most = Math.min(1, 5 / (Math.hypot(dx, dy, dz) + 1e-9));
        dx = dx * most - (v[k] + w[k + 1] * z - w[k + 2] * y);
        dy = dy * most - (v[k + 1] + w[k + 2] * x - w[k] * z);
        dz = dz * most - (v[k + 2] + w[k] * y - w[k + 1] * x);
        // The point as seen by an impulse along that direction.
        const length = Math.hypot(dx, dy, dz) + 1e-9, ux = dx / length, uy = dy / length, uz = dz / length;
        const lx = y * uz - z * uy, ly = z * ux - x * uz, lz = x * uy - y * ux, j = 9 * row;
        const sx = J[j] * lx + J[j + 1] * ly + J[j + 2] * lz, sy = J[j + 3] * lx + J[j + 4] * ly + J[j + 5] * lz;
        const sz = J[j + 6] * lx + J[j + 7] * ly + J[j + 8] * lz;
        const impulse = Math.min((0.4 * length) / (im + lx * sx + ly * sy + lz * sz), (150 * seconds) / im);
        v[k] += impulse * im * ux; v[k + 1] += impulse * im * uy; v[k + 2] += impulse * im * uz;
        w[k] += impulse * sx; w[k + 1] += impulse * sy; w[k + 2] += impulse * sz;
        for (let i = k; i < k + 3; ++i) w[i] *= 0.97; // a hand is no hinge
    }

    /** Pairs whose boxes overlap: sort by the lowest x, then sweep. The order hardly changes, so insertion sort is fast. */
    #sweep() {
        const { order, low, high, asleep, count } = this;
        for (let i = 1; i < count; ++i) {
            const row = order[i], x = low[3 * row];
            let j = i - 1;
            for (; j >= 0 && low[3 * order[j]] > x; --j) order[j + 1] = order[j];
            order[j + 1] = row;
        }
        this.pairs = 0;
        for (let i = 0; i < count; ++i) {
            const a = 3 * order[i];
            for (let j = i + 1; j < count; ++j) {
                const b = 3 * order[j];
                if (low[b] > high[a]) break;
                if (low[b + 1] > high[a + 1] || low[a + 1] > high[b + 1] || low[b + 2] > high[a + 2] || low[a + 2] > high[b + 2]) continue;
                if (asleep[order[i]] && asleep[order[j]]) continue;
                if (this.pairs === this.pairA.length) return;
                // Ordered by key: the library's memory is of the pair in this order.
                const swap = this.bodies[order[i]].shape.key > this.bodies[order[j]].shape.key;
                this.pairA[this.pairs] = swap ? order[j] : order[i];
                this.pairB[this.pairs++] = swap ? order[i] : order[j];
            }
        }
    }

    /** All contacts, of pairs and of the ground, as rows for the solver. */
    #detect() {
        const { bodies, pairA, pairB, asleep } = this, pairs = this.#pairs, found = this.#found;
        this.contacts = this.deepest = 0;
        pairs.clear();
        let fastest = 0;
        for (let k = 0; k < this.pairs; ++k) {
            const a = bodies[pairA[k]], b = bodies[pairB[k]];
            pairs.add(a.shape, a.pose, b.shape, b.pose);
            fastest = Math.max(fastest, this.speed(pairA[k]), this.speed(pairB[k]));
        }
        if (this.pairs > 0) {
            this.options.margin = Math.min(Math.max(leastMargin, fastest * seconds), mostMargin);
            pairs.query(found, this.options);
            const { offsets } = pairs, { floats, features } = found;
            for (let k = 0; k < this.pairs; ++k) {
                const a = pairA[k], b = pairB[k], end = Math.min(offsets[k + 1], found.count);
                if (end > offsets[k]) {
                    if (asleep[a]) this.wake(a);
                    if (asleep[b]) this.wake(b);
                }
                const isWatched = this.watched !== null && this.watched.has(bodies[a]) && this.watched.has(bodies[b]);
                for (let c = offsets[k]; c < end; ++c) {
                    if (isWatched) this.deepest = Math.max(this.deepest, floats[8 * c + 3]);
                    this.#contact(a, b, bodies[a].shape.key, bodies[b].shape.key, floats, features, 8 * c);
                }
            }
        }
        for (let row = 0; row < this.count; ++row) {
            if (asleep[row]) continue;
            const item = bodies[row], margin = Math.max(leastMargin, this.speed(row) * seconds);
            if (this.low[3 * row + 1] <= margin) {
                item.ground.margin = margin;
                this.#meet(item, this.#ground, 0, item.ground);
            }
            for (let k = 0; k < this.#walls.length; ++k) {
                const { normal, offset, shape } = this.#walls[k], at = 3 * row;
                const away = normal[0] * this.position[at] + normal[1] * this.position[at + 1] + normal[2] * this.position[at + 2] - offset;
                if (away > item.radius + margin) continue;
                this.wallOptions.margin = margin;
                this.#meet(item, shape, -1 - k, this.wallOptions);
            }
        }
    }

    /** Contacts of a body with the ground or a wall, which has no body's key. */
    #meet({ row, shape, pose }, halfSpace, key, options) {
        this.#fracas.queryShape(shape, pose, halfSpace, identity, this.#single, options);
        const { floats, features, count } = this.#single;
        for (let c = 0; c < count; ++c) this.#contact(row, this.capacity, shape.key, key, floats, features, 8 * c);
    }

    #contact(a, b, keyA, keyB, floats, features, from) {
        if (this.contacts === this.contactCapacity) return;
        const c = this.contacts++, r = ROW * c, { rows, position } = this, { pose } = this.bodies[a];
        this.bodyA[c] = a;
        this.bodyB[c] = b;
        const x = pose[0] + floats[from], y = pose[1] + floats[from + 1], z = pose[2] + floats[from + 2];
        this.points[3 * c] = x;
        this.points[3 * c + 1] = y;
        this.points[3 * c + 2] = z;
        // rA, rB for now where the lever arms will be
        rows[r + 3] = x - position[3 * a]; rows[r + 4] = y - position[3 * a + 1]; rows[r + 5] = z - position[3 * a + 2];
        rows[r + 6] = x - position[3 * b]; rows[r + 7] = y - position[3 * b + 1]; rows[r + 8] = z - position[3 * b + 2];
        rows[r] = floats[from + 4]; rows[r + 1] = floats[from + 5]; rows[r + 2] = floats[from + 6];
        rows[r + GAP] = -floats[from + 3];
        const old = this.before.find(keyA, keyB, features[from + 7]), impulses = this.before.values;
        for (let i = 0; i < 3; ++i) rows[r + IMPULSE + i] = old < 0 ? 0 : impulses[3 * old + i];
        this.now.set(c, keyA, keyB, features[from + 7]);
    }

    /** Lever arms and effective masses; then last step's impulses act again. */
    #prepare() {
        const { rows, bodyA, bodyB, velocity: v, spin: w } = this;
        for (let c = 0; c < this.contacts; ++c) {
            const r = ROW * c, a = bodyA[c], b = bodyB[c];
            const ax = rows[r + 3], ay = rows[r + 4], az = rows[r + 5], bx = rows[r + 6], by = rows[r + 7], bz = rows[r + 8];
            const nx = rows[r], ny = rows[r + 1], nz = rows[r + 2];
            // Tangents follow from the normal alone, so that last step's friction means the same.
            let tx, ty, tz;
            if (Math.abs(nx) < 0.6) { const l = 1 / Math.hypot(ny, nz); tx = 0; ty = nz * l; tz = -ny * l; }
            else { const l = 1 / Math.hypot(nx, nz); tx = -nz * l; ty = 0; tz = nx * l; }
            this.#direction(r, a, b, nx, ny, nz, ax, ay, az, bx, by, bz);
            this.#direction(r + DIRECTION, a, b, tx, ty, tz, ax, ay, az, bx, by, bz);
            const ux = ny * tz - nz * ty, uy = nz * tx - nx * tz, uz = nx * ty - ny * tx;
            this.#direction(r + 2 * DIRECTION, a, b, ux, uy, uz, ax, ay, az, bx, by, bz);
            rows[r + APPROACH] = approach(rows, r, v, w, 3 * a, 3 * b);
        }
        for (let c = 0; c < this.contacts; ++c) {
            const r = ROW * c, a = bodyA[c], b = bodyB[c];
            for (let d = 0; d < 3; ++d) this.#push(r + DIRECTION * d, a, b, rows[r + IMPULSE + d]);
        }
    }

    #direction(o, a, b, x, y, z, ax, ay, az, bx, by, bz) {
        const { rows, worldInertia: J, inverseMass } = this;
        rows[o] = x; rows[o + 1] = y; rows[o + 2] = z;
        const px = ay * z - az * y, py = az * x - ax * z, pz = ax * y - ay * x;
        const qx = by * z - bz * y, qy = bz * x - bx * z, qz = bx * y - by * x, i = 9 * a, j = 9 * b;
        rows[o + 3] = px; rows[o + 4] = py; rows[o + 5] = pz; rows[o + 6] = qx; rows[o + 7] = qy; rows[o + 8] = qz;
        const sx = J[i] * px + J[i + 1] * py + J[i + 2] * pz, sy = J[i + 3] * px + J[i + 4] * py + J[i + 5] * pz;
        const sz = J[i + 6] * px + J[i + 7] * py + J[i + 8] * pz;
        const ux = J[j] * qx + J[j + 1] * qy + J[j + 2] * qz, uy = J[j + 3] * qx + J[j + 4] * qy + J[j + 5] * qz;
        const uz = J[j + 6] * qx + J[j + 7] * qy + J[j + 8] * qz;
        rows[o + 9] = sx; rows[o + 10] = sy; rows[o + 11] = sz; rows[o + 12] = ux; rows[o + 13] = uy; rows[o + 14] = uz;
        rows[o + 15] = 1 / (inverseMass[a] + inverseMass[b] + px * sx + py * sy + pz * sz + qx * ux + qy * uy + qz * uz);
    }

    /** Applies an impulse along a direction: to A, and against it to B. */
    #push(o, a, b, impulse) {
        const { rows, velocity: v, spin: w, inverseMass } = this, i = 3 * a, j = 3 * b;
        const p = impulse * inverseMass[a], q = impulse * inverseMass[b];
        v[i] += p * rows[o]; v[i + 1] += p * rows[o + 1]; v[i + 2] += p * rows[o + 2];
        w[i] += impulse * rows[o + 9]; w[i + 1] += impulse * rows[o + 10]; w[i + 2] += impulse * rows[o + 11];
        v[j] -= q * rows[o]; v[j + 1] -= q * rows[o + 1]; v[j + 2] -= q * rows[o + 2];
        w[j] -= impulse * rows[o + 12]; w[j + 1] -= impulse * rows[o + 13]; w[j + 2] -= impulse * rows[o + 14];
    }

    #solve(push) {
        const { rows, bodyA, bodyB, velocity: v, spin: w } = this;
        for (let c = 0; c < this.contacts; ++c) {
            const r = ROW * c, a = bodyA[c], b = bodyB[c], i = 3 * a, j = 3 * b;
            // Friction first: the normal, which matters more, has the last word.
            const limit = friction * rows[r + IMPULSE], t = r + DIRECTION, u = t + DIRECTION;
            const old1 = rows[r + IMPULSE + 1], old2 = rows[r + IMPULSE + 2];
            let one = old1 - rows[t + 15] * approach(rows, t, v, w, i, j), two = old2 - rows[u + 15] * approach(rows, u, v, w, i, j);
            const length = Math.hypot(one, two);
            if (length > limit) {
                one *= limit / length;
                two *= limit / length;
            }
            rows[r + IMPULSE + 1] = one;
            rows[r + IMPULSE + 2] = two;
            this.#push(t, a, b, one - old1);
            this.#push(u, a, b, two - old2);

            const gap = rows[r + GAP], old = rows[r + IMPULSE];
            const bias = gap > 0 ? gap / seconds : push ? Math.max((recovery / seconds) * Math.min(gap + slop, 0), -pushSpeed) : 0;
            const impulse = Math.max(old - rows[r + 15] * (approach(rows, r, v, w, i, j) + bias), 0);
            rows[r + IMPULSE] = impulse;
            this.#push(r, a, b, impulse - old);
        }
    }

    #bounce() {
        const { rows, bodyA, bodyB, velocity: v, spin: w } = this;
        for (let c = 0; c < this.contacts; ++c) {
            const r = ROW * c, before = rows[r + APPROACH];
            if (before > -0.5 || rows[r + IMPULSE] === 0) continue;
            const old = rows[r + IMPULSE], a = bodyA[c], b = bodyB[c];
            const impulse = Math.max(old - rows[r + 15] * (approach(rows, r, v, w, 3 * a, 3 * b) + restitution * before), 0);
            rows[r + IMPULSE] = impulse;
            this.#push(r, a, b, impulse - old);
        }
    }

    /** Impulses for the next step. */
    #keep() {
        const { rows, now } = this;
        for (let c = 0; c < this.contacts; ++c) for (let i = 0; i < 3; ++i) now.values[3 * c + i] = rows[ROW * c + IMPULSE + i];
        this.now = this.before;
        this.before = now;
        this.now.clear();
    }

    #move() {
        const { position, rotation, velocity, spin, asleep } = this;
        for (let row = 0; row < this.count; ++row) {
            if (asleep[row]) continue;
            const k = 3 * row, q = 4 * row;
            for (let i = k; i < k + 3; ++i) position[i] += seconds * velocity[i];
            const turnSpeed = Math.hypot(spin[k], spin[k + 1], spin[k + 2]);
            if (turnSpeed > 40) for (let i = k; i < k + 3; ++i) spin[i] *= 40 / turnSpeed; // crumbs
            const x = rotation[q], y = rotation[q + 1], z = rotation[q + 2], s = rotation[q + 3], half = 0.5 * seconds;
            const wx = half * spin[k], wy = half * spin[k + 1], wz = half * spin[k + 2];
            const nx = x + wx * s + wy * z - wz * y, ny = y + wy * s + wz * x - wx * z;
            const nz = z + wz * s + wx * y - wy * x, ns = s - wx * x - wy * y - wz * z;
            const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz + ns * ns);
            rotation[q] = nx * scale; rotation[q + 1] = ny * scale; rotation[q + 2] = nz * scale; rotation[q + 3] = ns * scale;
            this.#refresh(row);
        }
    }

    /** What follows from position and rotation: the pose of the frame, the inertia and the box in the world. */
    #refresh(row) {
        const { position, rotation, inverseInertia: I, worldInertia: J } = this, { pose, centre, low, high } = this.bodies[row];
        const k = 3 * row, q = 4 * row;
        turn(rotation, q, centre[0], centre[1], centre[2], scratch, 0);
        for (let i = 0; i < 3; ++i) pose[i] = position[k + i] - scratch[i];
        for (let i = 0; i < 4; ++i) pose[3 + i] = rotation[q + i];
        const x = rotation[q], y = rotation[q + 1], z = rotation[q + 2], s = rotation[q + 3], R = scratch;
        R[0] = 1 - 2 * (y * y + z * z); R[1] = 2 * (x * y - z * s); R[2] = 2 * (x * z + y * s);
        R[3] = 2 * (x * y + z * s); R[4] = 1 - 2 * (x * x + z * z); R[5] = 2 * (y * z - x * s);
        R[6] = 2 * (x * z - y * s); R[7] = 2 * (y * z + x * s); R[8] = 1 - 2 * (x * x + y * y);
        const f = 6 * row, g = 9 * row; // xx, yy, zz, xy, yz, zx
        for (let i = 0; i < 3; ++i) {
            const a = R[3 * i], b = R[3 * i + 1], c = R[3 * i + 2];
            const p = a * I[f] + b * I[f + 3] + c * I[f + 5], r = a * I[f + 3] + b * I[f + 1] + c * I[f + 4];
            const t = a * I[f + 5] + b * I[f + 4] + c * I[f + 2];
            for (let j = 0; j < 3; ++j) J[g + 3 * i + j] = p * R[3 * j] + r * R[3 * j + 1] + t * R[3 * j + 2];
            let least = position[k + i] - mostMargin / 2, most = position[k + i] + mostMargin / 2;
            for (let j = 0; j < 3; ++j) {
                const one = R[3 * i + j] * low[j], two = R[3 * i + j] * high[j];
                least += Math.min(one, two);
                most += Math.max(one, two);
            }
            this.low[k + i] = least;
            this.high[k + i] = most;
        }
    }

    /** Islands of bodies in contact, by union-find; one in which all have been quiet for long enough sleeps. */
    #sleep() {
        const { parent, quiet, asleep, bodyA, bodyB, count, velocity, spin } = this;
        for (let row = 0; row < count; ++row) {
            if (asleep[row]) continue;
            parent[row] = row;
            quiet[row] = this.speed(row) < quietSpeed && this.hold.row !== row ? quiet[row] + seconds : 0;
        }
        for (let c = 0; c < this.contacts; ++c) {
            if (bodyB[c] === this.capacity) continue;
            const a = this.#root(bodyA[c]), b = this.#root(bodyB[c]);
            if (a !== b) parent[Math.max(a, b)] = Math.min(a, b);
        }
        for (let row = 0; row < count; ++row) {
            const root = asleep[row] ? row : this.#root(row);
            if (root !== row) quiet[root] = Math.min(quiet[root], quiet[row]);
        }
        for (let row = 0; row < count; ++row) {
            if (asleep[row] || quiet[parent[row] = this.#root(row)] < quietSeconds) continue;
            asleep[row] = 1;
            for (let i = 3 * row; i < 3 * row + 3; ++i) velocity[i] = spin[i] = 0;
        }
    }

    #root(row) {
        const { parent } = this;
        while (parent[row] !== row) row = parent[row] = parent[parent[row]];
        return row;
    }

    /** The speed with which bodies meet at the contacts that were found last. */
    get impact() {
        const { rows } = this;
        let fastest = 0;
        for (let c = 0; c < this.contacts; ++c) {
            const r = ROW * c, n = rows.subarray(r, r + 3), [a, b] = [this.#pointSpeed(this.bodyA[c], r + 3), this.#pointSpeed(this.bodyB[c], r + 6)];
            fastest = Math.max(fastest, n[0] * (b[0] - a[0]) + n[1] * (b[1] - a[1]) + n[2] * (b[2] - a[2]));
        }
        return fastest;
    }

    /** Velocity of a body at an arm in the rows. */
    #pointSpeed(row, arm) {
        const { velocity: v, spin: w, rows } = this, k = 3 * row, [x, y, z] = rows.subarray(arm, arm + 3);
        return [v[k] + w[k + 1] * z - w[k + 2] * y, v[k + 1] + w[k + 2] * x - w[k] * z, v[k + 2] + w[k] * y - w[k + 1] * x];
    }

    /** All bodies sleep, and none is held. */
    get isResting() {
        for (let row = 0; row < this.count; ++row) if (!this.asleep[row]) return false;
        return this.hold.row < 0;
    }

    /** Wakes the island of a body. */
    wake(row) {
        if (!this.asleep[row]) return;
        const root = this.parent[row];
        for (let k = 0; k < this.count; ++k) if (this.asleep[k] && this.parent[k] === root) this.asleep[k] = this.quiet[k] = 0;
    }

    wakeAll() {
        this.asleep.fill(0);
        this.quiet.fill(0);
    }

    /** Speed of the fastest point of a body, at most. */
    speed(row) {
        const { velocity: v, spin: w } = this, k = 3 * row;
        return length(v[k], v[k + 1], v[k + 2]) + this.bodies[row].radius * length(w[k], w[k + 1], w[k + 2]);
    }
}

/** Math.hypot is many times slower. */
const length = (x, y, z) => Math.sqrt(x * x + y * y + z * z);

/** Relative speed of A and B at a contact, along a direction; positive: they part. */
function approach(rows, o, v, w, i, j) {
    return rows[o] * (v[i] - v[j]) + rows[o + 1] * (v[i + 1] - v[j + 1]) + rows[o + 2] * (v[i + 2] - v[j + 2])
        + rows[o + 3] * w[i] + rows[o + 4] * w[i + 1] + rows[o + 5] * w[i + 2] - rows[o + 6] * w[j] - rows[o + 7] * w[j + 1] - rows[o + 8] * w[j + 2];
}

const scratch = new Float64Array(9);

/** A vector turned by the quaternion at `q`. */
function turn(rotation, q, x, y, z, out, at) {
    const a = rotation[q], b = rotation[q + 1], c = rotation[q + 2], s = rotation[q + 3];
    const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
    out[at] = x + s * tx + b * tz - c * ty;
    out[at + 1] = y + s * ty + c * tx - a * tz;
    out[at + 2] = z + s * tz + a * ty - b * tx;
}

export function turned(quaternion, [x, y, z]) {
    const out = [0, 0, 0];
    turn(quaternion, 0, x, y, z, out, 0);
    return out;
}

/** Of a symmetric matrix: xx, yy, zz, xy, yz, zx. */
function inverse([xx, yy, zz, xy, yz, zx]) {
    const a = yy * zz - yz * yz, b = zx * yz - xy * zz, c = xy * yz - zx * yy, scale = 1 / (xx * a + xy * b + zx * c);
    return [a, xx * zz - zx * zx, xx * yy - xy * xy, b, zx * xy - xx * yz, c].map((x) => x * scale);
}
