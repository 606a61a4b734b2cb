// Ownership of handles and of the module's memory, and the error class.

import * as c from "./layout.js";

/** A call that failed: the message is the library's sentence, `status` its FC_ERROR_ number, `code` its name. */
export class FracasError extends Error {
    constructor(message, status, code) {
        super(message);
        Object.assign(this, { name: "FracasError", status, code });
    }
}

// Frees what was not disposed of. `release` must not refer to its owner.
const forgotten = new FinalizationRegistry((release) => release());

/** What holds memory of the module until it is disposed of, or no longer reachable. */
export class Owner {
    #release;

    constructor(release) {
        this.#release = release;
        forgotten.register(this, release, this);
    }

    get isDisposed() {
        return this.#release === null;
    }

    dispose() {
        if (this.#release === null) return;
        forgotten.unregister(this);
        this.#release();
        this.#release = null;
    }
}
if (Symbol.dispose) Owner.prototype[Symbol.dispose] = Owner.prototype.dispose;

/** A block of the module's memory. */
export class Block extends Owner {
    #at;

    constructor(fracas, size) {
        const at = fracas.allocate(size);
        super(() => fracas.exports.fc_wasm_free(at, size));
        this.#at = at;
    }

    get at() {
        if (this.isDisposed) throw new FracasError(`this ${this.constructor.name} was disposed of; make a new one`, c.FC_ERROR_INVALID_HANDLE, "FC_ERROR_INVALID_HANDLE");
        return this.#at;
    }
}
