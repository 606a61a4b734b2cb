// Clicks that do nothing say why.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { click, letFall, open, patience, run, screens } from "./browser.mjs";

const note = async (page) => (await page.locator("#note").isVisible() ? page.locator("#note").textContent() : "");
/** The line is near the pointer, and inside the page. */
async function assertNear(page, [x, y]) {
    const box = await page.locator("#note").boundingBox(), { width, height } = page.viewportSize();
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, JSON.stringify(box));
    const [across, down] = [Math.max(box.x - x, x - box.x - box.width, 0), Math.max(box.y - y, y - box.y - box.height, 0)];
    assert.ok(Math.hypot(across, down) < 60, `the note is ${Math.hypot(across, down)} pixels away`);
}

test("a click that hits nothing says so, and one that turns the view does not", patience, async () => {
    const { page } = await open();
    const { left, right, bottom } = await page.evaluate(() => live.stage.free);
    await page.mouse.click((left + right) / 2, bottom - 30);
    assert.match(await note(page), /floor, which does not break\. Click the pot\.$/);
    await assertNear(page, [(left + right) / 2, bottom - 30]);
    await page.screenshot({ path: join(screens, "live-note.png") });
    await page.waitForSelector("#note", { state: "hidden" });
    await page.mouse.move((left + right) / 2, bottom - 30);
    await page.mouse.down();
    await page.mouse.move((left + right) / 2 + 60, bottom - 30, { steps: 3 });
    await page.mouse.up();
    assert.equal(await note(page), "");
    await letFall(page);
    await page.evaluate(() => (live.stage.camera.position.set(0, 0.31, 3), live.stage.orbit.update()));
    await page.mouse.click((left + right) / 2, 5);
    assert.match(await note(page), /nothing to break there\. Click a piece\.$/);
    await page.close();
});

test("a click on what is too small to break says so", patience, async () => {
    const { page } = await open();
    await page.locator("#pieces").fill("60");
    await page.locator("#rough").uncheck();
    await letFall(page, "plate");
    await run(page, 2);
    // Break on until there is a crumb in sight.
    const crumb = () => page.evaluate(() => live.world.bodies.find(({ row, radius }) => radius < 0.012 && live.visible(row))?.row ?? -1);
    for (let k = 0; k < 6 && (await crumb()) < 0; ++k) {
        await click(page, await page.evaluate(() => live.world.bodies.filter(({ radius }) => radius >= 0.012).sort((a, b) => a.radius - b.radius).find(({ row }) => live.visible(row)).row));
        await run(page, 1);
    }
    const row = await crumb(), count = await page.evaluate(() => live.world.count);
    assert.ok(row >= 0, "there is no crumb");
    const at = await click(page, row);
    assert.match(await note(page), /^Too small to break: \d+ mm across\. Pieces break from 24 mm on\.$/);
    await assertNear(page, at);
    assert.equal(await page.evaluate(() => live.world.count), count);
    await page.close();
});

test("a click when there are as many bodies as the page moves says so", patience, async () => {
    const { page } = await open();
    await letFall(page, "brick");
    await run(page, 2);
    const largest = () => page.evaluate(() => [...live.world.bodies].sort((a, b) => b.radius - a.radius).find(({ row }) => live.visible(row)).row);
    await page.evaluate(() => (live.drop.most = live.world.count + 6));
    await click(page, await largest());
    assert.match(await note(page), /^Only \d pieces: \d+ bodies are as many as this page moves\.$/);
    await page.evaluate(() => (live.drop.most = live.world.count));
    await run(page, 0.3);
    await click(page, await largest());
    assert.match(await note(page), /^There are \d+ bodies, which is as many as this page moves\. Press Reset\.$/);
    await page.close();
});

test("a click while time stands still says what to do", patience, async () => {
    const { page } = await open();
    await click(page, 0);
    assert.match(await note(page), /paused: untick Pause/);
    await page.close();
});

test("a refusal of the library is passed on", patience, async () => {
    const { page } = await open();
    await page.evaluate(() => (document.getElementById("roughness").max = 1));
    await page.locator("#roughness").fill("0.9");
    await click(page, 0);
    assert.match(await note(page), /roughness/);
    assert.equal(await page.evaluate(() => live.world.count), 1);
    await letFall(page);
    await run(page, 1);
    assert.match(await note(page), /roughness/);
    await page.close();
});

test("a hundred drops hold no more than one", { timeout: 600_000 }, async () => {
    const { page } = await open();
    const drop = (times) => page.evaluate((count) => {
        for (let k = 0; k < count; ++k) {
            live.drop.seed = k % 10; // the same breaks again
            document.querySelector(`[name=contacts][value=${k % 4 === 3 ? "hulls" : "fracas"}]`).click();
            document.getElementById("drop").click();
            for (let n = 0; n < 45; ++n) live.step();
        }
        document.getElementById("reset").click();
        return live.held();
    }, times);
    await page.locator("#pieces").fill("6");
    const before = await drop(40), after = await drop(100); // the first few find how much memory that takes
    assert.deepEqual(after, before);
    await page.close();
});
