// Fracas for JavaScript: the C library in WebAssembly, in classes. index.d.ts says what everything does.

export { Asset, Body } from "./body.js";
export { Contacts, PairMemory } from "./contacts.js";
export { Fracas, load } from "./fracas.js";
export { FracasError } from "./owner.js";
export { Pairs } from "./pairs.js";
export { Shape } from "./shape.js";

/** The pose at the origin. */
export const identity = Object.freeze([0, 0, 0, 0, 0, 0, 1]);
