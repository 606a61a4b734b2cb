// Falling, breaking, throwing: what the page is for.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { assertRest, click, heaviest, letFall, near, open, patience, run, screens, visible } from "./browser.mjs";

test("it loads without a fault or a request, and nothing breaks before one lets it fall", patience, async () => {
    const { page, asked, complaints } = await open({ paused: false });
    await page.waitForTimeout(2500);
    const before = await page.evaluate(() => ({ count: live.world.count, low: live.world.low[1], broken: live.lastBreak !== null }));
    assert.deepEqual([before.count, before.broken], [1, false]);
    assert.ok(before.low > 0.4, `it hangs at ${before.low} m`);
    await page.locator("#drop").click();
    await page.waitForFunction(() => live.lastBreak !== null);
    const { made, wanted } = await page.evaluate(() => live.lastBreak);
    near(made, wanted, 0.4 * wanted, "pieces");
    await page.waitForFunction(() => {
        const shown = (part) => Number.parseFloat(document.getElementById(`time${part}`).textContent);
        return ["Break", "Contacts", "Solver", "Drawing"].every((part) => shown(part) > 0);
    });
    assert.equal(Number(await page.locator("#count").textContent()), made);
    assert.deepEqual(complaints, []);
    assert.deepEqual(asked.filter((url) => !/^(file|data|blob):/.test(url)), []);
    await page.screenshot({ path: join(screens, "live-falling.png") });
    await page.close();
});

test("mass and momentum are kept when it breaks, rough as it is, and the pieces come to rest on the floor", patience, async () => {
    const { page, complaints } = await open();
    for (const body of ["pot", "brick", "plate", "ring", "knot"]) {
        await page.locator("#body").selectOption(body);
        const whole = await page.evaluate(() => live.momentum());
        await letFall(page);
        const { made, wanted, before: was, after: is } = await page.evaluate(() => live.lastBreak);
        near(made, wanted, 0.4 * wanted, "pieces");
        near(is.mass, whole.mass, 1e-5 * whole.mass, "mass");
        assert.ok(Math.hypot(...was.momentum) > 2 * whole.mass, "it did not fall");
        is.momentum.forEach((x, i) => near(x, was.momentum[i], 1e-5 * Math.hypot(...was.momentum), "momentum"));
        assert.deepEqual(await page.evaluate(() => [...new Set(live.world.bodies.map(({ body }) => body.info.kind))]), ["rough"]);
        assertRest(await run(page, 12));
        await page.screenshot({ path: join(screens, `live-${body}.png`) });
    }
    await page.locator("#rough").uncheck();
    await letFall(page, "brick");
    assert.ok(await page.evaluate(() => live.world.bodies.every(({ body }) => body.info.kind !== "rough")), "smooth when asked");
    assert.deepEqual(complaints, []);
    await page.close();
});

test("a click breaks a piece into as many as the slider says, and they rest again", patience, async () => {
    const { page, complaints } = await open();
    await page.locator("#pieces").fill("2");
    await letFall(page, "brick");
    await run(page, 5);
    for (const [wanted, roughness] of [[24, "0.01"], [10, "0.03"]]) {
        await page.locator("#pieces").fill(String(wanted));
        await page.locator("#roughness").fill(roughness);
        assert.equal(await page.locator("#piecesShown").textContent(), String(wanted));
        const start = await page.evaluate(() => ({ count: live.world.count, ...live.momentum() }));
        await click(page, await heaviest(page));
        await page.waitForFunction((count) => live.world.count > count, start.count);
        const { made, before: was, after: is } = await page.evaluate(() => live.lastBreak);
        assert.equal(await page.evaluate(() => live.world.count), start.count - 1 + made);
        near(made, wanted, 0.4 * wanted, "pieces");
        near(is.mass, start.mass, 1e-5 * start.mass, "mass");
        is.momentum.forEach((x, i) => near(x, was.momentum[i], 1e-5 * start.mass, "momentum"));
        assertRest(await run(page, 12));
    }
    await page.locator("#showContacts").check();
    await page.evaluate(() => (live.world.wakeAll(), live.step()));
    assert.ok(await page.evaluate(() => live.world.contacts) > 40);
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(screens, "live-contacts.png") });
    await page.locator("#reset").click();
    await page.waitForFunction(() => live.world.count === 1);
    assert.deepEqual(complaints, []);
    await page.close();
});

test("a click breaks it in the air, and the pieces fall", patience, async () => {
    const { page, complaints } = await open();
    await click(page, 0);
    const { made } = await page.evaluate(() => live.lastBreak);
    assert.ok(made > 8, `${made} pieces`);
    assertRest(await run(page, 12));
    assert.equal(await page.evaluate(() => live.world.count), made, "it broke once");
    assert.deepEqual(complaints, []);
    await page.close();
});

test("a piece follows the pointer, and does not break", patience, async () => {
    const { page, complaints } = await open();
    await letFall(page, "ring");
    await run(page, 6);
    const count = await page.evaluate(() => live.world.count), row = await heaviest(page);
    // A point of it: the centre of a part of a ring may be in the air.
    const [x, y] = await visible(page, row);
    const height = () => page.evaluate((k) => live.world.position[3 * k + 1], row);
    const low = await height();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 60);
    await page.mouse.move(x, y - 200);
    await run(page, 2);
    const high = await height();
    assert.ok(high > low + 0.2, `from ${low} to ${high} m`);
    await page.screenshot({ path: join(screens, "live-drag.png") });
    await page.mouse.up();
    const rest = await run(page, 10);
    assert.equal(rest.count, count);
    assert.equal(rest.awake, 0, `the fastest body has ${rest.fastest} m/s`);
    assert.ok((await height()) < high - 0.1, "it fell again");
    assert.deepEqual(complaints, []);
    await page.close();
});

test("a body that is put down stays whole", patience, async () => {
    const { page } = await open();
    await page.locator("#body").selectOption("brick");
    const [x, y] = await visible(page, 0);
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let k = 1; k <= 20; ++k) {
        await page.mouse.move(x, y + 14 * k);
        await run(page, 0.25);
    }
    await page.mouse.up();
    const rest = await run(page, 4);
    assert.equal(rest.count, 1);
    assert.equal(rest.awake, 0, `it has ${rest.fastest} m/s`);
    await page.close();
});
