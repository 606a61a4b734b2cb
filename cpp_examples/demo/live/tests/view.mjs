// What one sees: the whole scene and all controls, on a laptop, a desk and a phone.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { click, letFall, open, patience, run, screens, sizes } from "./browser.mjs";

/** The rectangle that holds every body on the page, and the cards that one sees. */
const seen = (page) => page.evaluate(() => {
    const boxes = live.world.bodies.map(({ row }) => live.extent(row));
    const cards = [...document.querySelectorAll(".card.fixed")].map((card) => card.getBoundingClientRect().toJSON());
    return { boxes, cards };
});

/** No corner of any body is beyond the page or under a card. */
async function assertInView(page, width, height, what) {
    const { boxes, cards } = await seen(page);
    for (const [left, right, top, bottom] of boxes) {
        const where = `${what} at ${width}: ${[left, right, top, bottom].map(Math.round)}`;
        assert.ok(left >= 0 && right <= width && top >= 0 && bottom <= height, `${where} is beyond the page`);
        for (const card of cards) assert.ok(right <= card.left || left >= card.right || bottom <= card.top || top >= card.bottom, `${where} is under a card`);
    }
}

test("every control is in view, cards do not cover one another, and the scene is as large as fits", patience, async () => {
    for (const [width, height] of sizes) {
        const { page } = await open({ width, height });
        const shown = "about body choose pieces rough roughness showContacts pause drop reset times timeBreak timeContacts timeSolver timeDrawing compared hullsGap fracasTime".split(" ");
        for (const id of shown) {
            const box = await page.locator(`#${id}`).boundingBox();
            const inside = box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
            assert.ok(inside, `#${id} at ${width}: ${JSON.stringify(box)}`);
        }
        const { boxes: [[left, right, top, bottom]], cards } = await seen(page);
        const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        cards.forEach((a, i) => cards.slice(i + 1).forEach((b) => assert.ok(apart(a, b), `cards overlap at ${width}`)));
        assert.ok(Math.max(right - left, bottom - top) > 0.13 * Math.min(width, height), `the body is ${right - left} by ${bottom - top} pixels at ${width}`);
        await page.screenshot({ path: join(screens, `live-${width}-hanging.png`) });
        await page.close();
    }
});

test("nothing is cropped or under a card: hanging, at rest, and after a blow that throws pieces about", patience, async () => {
    for (const [width, height] of sizes) {
        const { page } = await open({ width, height });
        for (const body of ["pot", "brick", "plate", "ring", "knot"]) {
            await page.locator("#body").selectOption(body);
            await assertInView(page, width, height, body);
        }
        await letFall(page, "pot");
        for (let blow = 0; blow < 3; ++blow) {
            await run(page, 3);
            await assertInView(page, width, height, "a piece of the pot");
            const row = await page.evaluate(() => [...live.world.bodies].sort((a, b) => b.mass - a.mass).find(({ row }) => live.visible(row)).row);
            await click(page, row);
        }
        await run(page, 4);
        await page.screenshot({ path: join(screens, `live-${width}.png`) });
        await page.close();
    }
});

test("what is thrown at the edge stays on the floor", patience, async () => {
    const { page } = await open();
    await letFall(page, "knot");
    await page.evaluate(() => {
        live.world.wakeAll();
        live.world.bodies.forEach(({ row }, k) => {
            live.world.velocity[3 * row] += 6 * Math.cos(k);
            live.world.velocity[3 * row + 2] += 6 * Math.sin(k);
        });
    });
    const rest = await run(page, 12);
    assert.ok(rest.farthest < 0.74, `a corner is ${rest.farthest} m from the middle`);
    assert.equal(rest.awake, 0, `the fastest body has ${rest.fastest} m/s`);
    await page.close();
});

test("a visitor's view is kept when the page changes its size", patience, async () => {
    const { page } = await open();
    const view = () => page.evaluate(() => live.stage.camera.position.clone().sub(live.stage.orbit.target).normalize().toArray());
    await page.mouse.move(500, 640);
    await page.mouse.down();
    await page.mouse.move(560, 640, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(100);
    const turned = await view(), distance = await page.evaluate(() => live.stage.distance);
    await page.setViewportSize({ width: 900, height: 800 });
    await page.waitForFunction((before) => live.stage.distance !== before, distance);
    const after = await view();
    turned.forEach((x, i) => assert.ok(Math.abs(x - after[i]) < 1e-3, `${turned} became ${after}`));
    assert.ok(Math.abs(turned[0] / turned[2] - 0.68 / 1.9) > 0.05, "the view did turn");
    await page.close();
});
