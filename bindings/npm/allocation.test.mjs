// In a process of its own, where all poses are of one kind: V8 boxes numbers that it reads from arrays of several kinds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./index.js";

const fracas = await load();
const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const whole = fracas.cook({ positions, tets: [0, 1, 2, 3], gridCells: 16 }).body();

test("a query allocates nothing", () => {
    const contacts = fracas.contacts(64);
    const [pose, other] = [[0, 0, 0.2, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1]].map((pose) => new Float64Array(pose));
    const floor = fracas.halfSpace([0, 0, 1], 0.3);
    const [pairs, memory] = [fracas.pairs(8), fracas.memory()];
    const options = { maxContacts: 8, memory };
    const run = (times) => {
        for (let k = 0; k < times; ++k) {
            fracas.queryPair(whole, pose, whole, other, contacts, options);
            fracas.queryShape(whole, pose, floor, other, contacts);
            pairs.clear();
            pairs.add(whole, pose, whole, other);
            pairs.query(contacts);
        }
    };
    run(20000); // until V8 has compiled all of it
    globalThis.gc();
    const [heap, bytes] = [process.memoryUsage().heapUsed, fracas.bytes];
    run(5000);
    const each = (process.memoryUsage().heapUsed - heap) / 5000;
    assert.ok(each < 60, `${each} bytes a turn`);
    assert.equal(fracas.bytes, bytes);
});
