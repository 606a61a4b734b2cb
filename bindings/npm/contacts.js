// Buffers that queries write to: contacts and pair memories.

import * as c from "./layout.js";
import { Block } from "./owner.js";

const CONTACT = c.fc_contact.size / 4;

/** A buffer of contacts. */
export class Contacts extends Block {
    #fracas;
    #floats = new Float32Array(0);
    #features = new Uint32Array(0);

    constructor(fracas, capacity) {
        super(fracas, capacity * c.fc_contact.size);
        this.#fracas = fracas;
        this.capacity = capacity;
        /** How many are in it. */
        this.count = 0;
    }

    /** Eight numbers each: point, depth, normal, and the bits of the feature. Ask again after every call: memory moves when it grows. */
    get floats() {
        this.#look();
        return this.#floats;
    }

    /** The same memory as whole numbers: the feature is the last of eight. */
    get features() {
        this.#look();
        return this.#features;
    }

    #look() {
        const { at } = this;
        if (this.#floats.length !== 0) return;
        const { buffer } = this.#fracas.exports.memory;
        this.#floats = new Float32Array(buffer, at, CONTACT * this.capacity);
        this.#features = new Uint32Array(buffer, at, CONTACT * this.capacity);
    }

    /** One of them as an object. */
    get(k) {
        if (!(k >= 0 && k < this.count)) throw new RangeError(`there is no contact ${k}; there are ${this.count}`);
        return this.#fracas.contactAt(this.at + k * c.fc_contact.size);
    }
}

/** What a query keeps of a pair for the next one. */
export class PairMemory extends Block {
    #fracas;

    constructor(fracas) {
        super(fracas, c.fc_pair_memory.size);
        this.#fracas = fracas;
        this.clear();
    }

    clear() {
        this.#fracas.u8.fill(0, this.at, this.at + c.fc_pair_memory.size);
    }
}
