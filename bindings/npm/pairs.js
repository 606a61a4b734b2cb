// Batch queries, with a pair memory for each pair.

import * as c from "./layout.js";
import { QUERY_OPTIONS } from "./options.js";
import { FracasError, Owner } from "./owner.js";

/** Many pairs in one call, each with its memory of the last one. */
export class Pairs extends Owner {
    #fracas;
    #now;
    #before;
    #offsets;
    #offsetView = new Uint32Array(0);

    constructor(fracas, capacity) {
        // Blocks are replaced when there are more pairs, so they are held by reference.
        const held = { now: side(fracas, capacity), before: side(fracas, capacity), offsets: fracas.allocate(4 * capacity + 4), capacity };
        super(() => {
            release(fracas, held.now);
            release(fracas, held.before);
            fracas.exports.fc_wasm_free(held.offsets, 4 * held.capacity + 4);
        });
        this.#fracas = fracas;
        this.held = held;
        this.#now = held.now;
        this.#before = held.before;
        this.#offsets = held.offsets;
        /** How many pairs there are. */
        this.count = 0;
    }

    /** Begins anew. Pairs that are added again remember. */
    clear() {
        [this.#now, this.#before] = [this.#before, this.#now];
        this.held.now = this.#now;
        this.held.before = this.#before;
        this.#before.count = this.count;
        index(this.#before);
        this.count = 0;
    }

    /** Adds a pair and returns its number. */
    add(a, poseA, b, poseB) {
        if (this.isDisposed) throw new FracasError("these Pairs were disposed of; make new ones", c.FC_ERROR_INVALID_HANDLE, "FC_ERROR_INVALID_HANDLE");
        if (this.count === this.#now.capacity) this.#grow();
        const fracas = this.#fracas;
        const k = this.count++;
        const f = c.fc_pair;
        const at = this.#now.pairs + k * f.size;
        const { view } = fracas;
        view.setBigUint64(at + f.a, a.id, true);
        view.setBigUint64(at + f.b, b.id, true);
        fracas.writePose(at + f.pose_a, poseA);
        fracas.writePose(at + f.pose_b, poseB);
        this.#now.keysA[k] = a.key;
        this.#now.keysB[k] = b.key;
        const known = find(this.#before, a.key, b.key);
        const size = c.fc_pair_memory.size;
        const memory = this.#now.memories + k * size;
        if (known < 0) fracas.u8.fill(0, memory, memory + size);
        else fracas.u8.copyWithin(memory, this.#before.memories + known * size, this.#before.memories + (known + 1) * size);
        return k;
    }

    /** The contacts of all pairs; returns how many were found. Those of pair k are offsets[k] to offsets[k + 1]. */
    query(contacts, options = undefined) {
        const fracas = this.#fracas;
        const desc = fracas.describe(fracas.query, QUERY_OPTIONS, options);
        if (options?.memory || options?.motionA || options?.motionB) throw new TypeError("memory, motionA and motionB are for single pairs; these pairs remember by themselves");
        if (options?.origin) fracas.u32[(desc + c.fc_query_desc.flags) >>> 2] |= c.FC_QUERY_ORIGIN;
        fracas.u32[(desc + c.fc_query_desc.memories) >>> 2] = this.#now.memories;
        contacts.count = 0;
        const status = fracas.exports.fc_query_pairs(this.#now.pairs, this.count, desc, contacts.at, contacts.capacity, this.#offsets, 0);
        if (status >= 0) contacts.count = Math.min(this.offsets[this.count], contacts.capacity);
        if (status === c.FC_SOME_FAILED) throw new FracasError(fracas.text(fracas.exports.fc_last_error()), status, "FC_SOME_FAILED");
        fracas.check(status);
        return this.offsets[this.count];
    }

    get offsets() {
        if (this.#offsetView.length === 0) {
            this.#offsetView = new Uint32Array(this.#fracas.exports.memory.buffer, this.#offsets, this.held.capacity + 1);
        }
        return this.#offsetView;
    }

    #grow() {
        const fracas = this.#fracas;
        const capacity = 2 * this.#now.capacity;
        const larger = (old, count) => {
            const made = side(fracas, capacity);
            for (const [name, size] of [["pairs", c.fc_pair.size], ["memories", c.fc_pair_memory.size]]) {
                fracas.u8.copyWithin(made[name], old[name], old[name] + count * size);
            }
            made.keysA.set(old.keysA);
            made.keysB.set(old.keysB);
            made.count = old.count;
            index(made);
            release(fracas, old);
            return made;
        };
        this.#now = this.held.now = larger(this.#now, this.count);
        this.#before = this.held.before = larger(this.#before, this.#before.count);
        fracas.exports.fc_wasm_free(this.#offsets, 4 * this.held.capacity + 4);
        this.#offsets = this.held.offsets = fracas.allocate(4 * capacity + 4);
        this.held.capacity = capacity;
        this.#offsetView = new Uint32Array(0);
    }
}

/** The pairs of one query, with a hash table of their keys. */
function side(fracas, capacity) {
    let slots = 4;
    while (slots < 2 * capacity) slots *= 2;
    return {
        capacity,
        count: 0,
        pairs: fracas.allocate(capacity * c.fc_pair.size),
        memories: fracas.allocate(capacity * c.fc_pair_memory.size),
        keysA: new Int32Array(capacity),
        keysB: new Int32Array(capacity),
        table: new Int32Array(slots), // the pair's number plus 1; 0: none
    };
}

function release(fracas, { capacity, pairs, memories }) {
    fracas.exports.fc_wasm_free(pairs, capacity * c.fc_pair.size);
    fracas.exports.fc_wasm_free(memories, capacity * c.fc_pair_memory.size);
}

const slot = (side, a, b) => (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)) >>> 7 & (side.table.length - 1);

function index(side) {
    side.table.fill(0);
    for (let k = 0; k < side.count; ++k) {
        let at = slot(side, side.keysA[k], side.keysB[k]);
        while (side.table[at] !== 0) at = (at + 1) & (side.table.length - 1);
        side.table[at] = k + 1;
    }
}

function find(side, a, b) {
    if (side.count === 0) return -1;
    let at = slot(side, a, b);
    for (let k = side.table[at]; k !== 0; k = side.table[at]) {
        if (side.keysA[k - 1] === a && side.keysB[k - 1] === b) return k - 1;
        at = (at + 1) & (side.table.length - 1);
    }
    return -1;
}
