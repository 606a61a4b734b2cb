// The same drop with hulls and with Fracas.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { click, heaviest, letFall, open, patience, run, screens } from "./browser.mjs";

const columns = (page) => page.evaluate(() => structuredClone(live.comparison.columns));
const choose = (page, kind) => page.locator(`[name=contacts][value=${kind}]`).check();
/** The pieces of a break, by what does not depend on where they are. */
const pieces = (page) => page.evaluate(() => live.world.bodies.map(({ birth, body }) => [birth, String(body.hash)]).sort((a, b) => a[0] - b[0]));

test("hulls do the same drop again: the same pieces, which overlap and touch across gaps", patience, async () => {
    const { page, complaints } = await open();
    await letFall(page, "pot");
    const made = await pieces(page);
    await run(page, 14);
    const before = (await columns(page)).fracas;
    assert.ok(before.atBreak < 0.0002, `Fracas overlaps by ${before.atBreak} m at the break`);
    assert.ok(before.overlap < 0.003, `and by ${before.overlap} m at rest`);
    assert.ok(before.gap < 0.0003, `and touches across ${before.gap} m`);

    await choose(page, "hulls");
    await run(page, 1.5); // it hangs a while
    assert.deepEqual(await pieces(page), made);
    assert.ok(await page.evaluate(() => live.world.bodies.every(({ body, shape }) => body !== shape)), "every piece has a hull");
    await run(page, 14);
    const { hulls, fracas } = await columns(page);
    assert.deepEqual(fracas, before, "the other column is kept");
    assert.ok(hulls.atBreak > 0.003, `hulls overlap by ${hulls.atBreak} m at the break`);
    assert.ok(hulls.gap > 0.002, `hulls touch across ${hulls.gap} m`);
    assert.ok(hulls.milliseconds > 0 && hulls.steps === 240 && fracas.steps === 240);
    await page.waitForTimeout(400);
    const shown = await page.locator("#compared td").allTextContents();
    assert.ok(shown.every((words) => /^\d+\.\d+ m[ms]$/.test(words)), shown.join(", "));
    await page.screenshot({ path: join(screens, "live-hulls.png") });

    // And back: the first drop once more, to the last bit.
    await choose(page, "fracas");
    await run(page, 16);
    const { milliseconds: _, ...again } = (await columns(page)).fracas, { milliseconds: __, ...first } = before;
    assert.deepEqual(again, first);
    assert.deepEqual(complaints, []);
    await page.close();
});

test("clicks and throws are done again too, at the same steps", patience, async () => {
    const { page } = await open();
    await page.locator("#pieces").fill("8");
    await letFall(page, "brick");
    await run(page, 0.5);
    const [x, y] = await click(page, await heaviest(page));
    await run(page, 3);
    const row = await heaviest(page), at = await page.evaluate((k) => live.visible(k), row);
    await page.mouse.move(...at);
    await page.mouse.down();
    await page.mouse.move(at[0] + 8, at[1] - 80);
    await run(page, 0.6);
    await page.mouse.up();
    await run(page, 8);
    const state = () => page.evaluate(() => live.world.bodies.map(({ birth, pose }) => [birth, ...pose]).sort((a, b) => a[0] - b[0]));
    const [made, poses] = [await pieces(page), await state()];
    await choose(page, "hulls");
    await run(page, 14);
    assert.deepEqual(await pieces(page), made);
    assert.notDeepEqual(await state(), poses);
    await choose(page, "fracas");
    await run(page, 14);
    assert.deepEqual(await state(), poses, "the same to the last bit");
    // What one does in between makes it another drop: the figures of the other contacts are gone.
    assert.ok((await columns(page)).hulls !== null);
    await click(page, await heaviest(page));
    assert.equal((await columns(page)).hulls, null);
    assert.ok(Number.isFinite(x + y));
    await page.close();
});

test("only what has just parted counts as an overlap at the break", patience, async () => {
    const { page } = await open();
    await letFall(page, "pot");
    for (let blow = 0; blow < 3; ++blow) {
        await run(page, 2);
        await click(page, await page.evaluate(() => [...live.world.bodies].sort((a, b) => b.mass - a.mass).find(({ row }) => live.visible(row)).row));
    }
    await run(page, 0.1);
    const { atBreak } = (await columns(page)).fracas;
    assert.ok(atBreak < 0.0002, `pieces overlap by ${atBreak} m when they part`);
    await page.close();
});

test("hulls come to rest as well, with every body", patience, async () => {
    const { page } = await open();
    await choose(page, "hulls");
    for (const body of ["pot", "brick", "plate", "ring", "knot"]) {
        await letFall(page, body);
        const rest = await run(page, 14);
        assert.equal(rest.awake, 0, `${body}: the fastest body has ${rest.fastest} m/s`);
        assert.ok(rest.lowest > -0.02, `${body}: the lowest corner is at ${rest.lowest} m`);
        assert.ok(rest.farthest < 0.74, `${body}: a corner is ${rest.farthest} m from the middle`);
    }
    await page.close();
});
