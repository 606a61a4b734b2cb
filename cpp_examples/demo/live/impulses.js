// What a step's contacts have pushed with, for the next step to begin with.

/** Impulses by pair and feature: a hash table that is refilled in every step. */
export class Impulses {
    constructor(capacity) {
        let slots = 4;
        while (slots < 2 * capacity) slots *= 2;
        this.slots = new Int32Array(slots); // number of the contact plus 1
        this.used = new Int32Array(capacity);
        this.keyA = new Int32Array(capacity);
        this.keyB = new Int32Array(capacity);
        this.feature = new Uint32Array(capacity);
        this.values = new Float64Array(3 * capacity);
        this.count = 0;
    }

    clear() {
        for (let k = 0; k < this.count; ++k) this.slots[this.used[k]] = 0;
        this.count = 0;
    }

    #slot(a, b, feature) {
        const { slots } = this;
        let at = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77) ^ Math.imul(feature, 0xc2b2ae3d)) >>> 5 & (slots.length - 1);
        for (; slots[at] !== 0; at = (at + 1) & (slots.length - 1)) {
            const k = slots[at] - 1;
            if (this.keyA[k] === a && this.keyB[k] === b && this.feature[k] === feature) break;
        }
        return at;
    }

    /** Contact k has this key; of two with the same one, the first is found. */
    set(k, a, b, feature) {
        const at = this.#slot(a, b, feature);
        this.keyA[k] = a;
        this.keyB[k] = b;
        this.feature[k] = feature;
        this.used[k] = at;
        if (this.slots[at] === 0) this.slots[at] = k + 1;
        this.count = k + 1;
    }

    find(a, b, feature) {
        return this.slots[this.#slot(a, b, feature)] - 1;
    }
}
