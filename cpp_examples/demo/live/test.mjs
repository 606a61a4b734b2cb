// Looks at the live page in a browser: clicks, drags, and steps it without drawing.
//
//   node test.mjs [PAGE]     builds the page into a temporary folder, or takes one that build.mjs made; leaves pictures beside a given one
//
// Needs Debian's chromium (or CHROMIUM=its path), which draws in software, and playwright-core in out/page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url)), root = resolve(here, "../../..");
if (!process.argv[2] && !existsSync(join(root, "bindings/npm/fracas.wasm"))) {
    console.log("skipped: there is no bindings/npm/fracas.wasm; scripts/platforms wasm makes it");
    process.exit(0);
}
const { chromium } = createRequire(join(root, "out/page/"))("playwright-core");
const temporary = mkdtempSync(join(tmpdir(), "fracas-live-"));
const pagePath = resolve(process.argv[2] ?? join(temporary, "live.html"));
if (!process.argv[2]) execFileSync(process.execPath, [join(here, "build.mjs"), join(root, "bindings/npm/fracas.wasm"), pagePath]);
const screens = join(dirname(pagePath), "screens");
mkdirSync(screens, { recursive: true });
const patience = { timeout: 300_000 };
let browser;

before(async () => {
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
               "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    });
});

after(async () => {
    await browser?.close();
    rmSync(temporary, { recursive: true });
});

/** The page, paused unless asked otherwise, so that only the test's own steps count. */
async function open({ width = 800, height = 600, paused = true } = {}) {
    const page = await browser.newPage({ viewport: { width, height } });
    const asked = [], complaints = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.setDefaultTimeout(120_000);
    await page.goto(pathToFileURL(pagePath).href + (paused ? "#paused" : ""));
    await page.waitForFunction(() => window.live || !document.getElementById("failure").hidden);
    assert.deepEqual(complaints, []);
    return { page, asked, complaints };
}

/** Steps without drawing; what it finds then. `lowest` is of the corners of the surfaces, `deepest` of all pairs and the ground. */
const run = (page, seconds) => page.evaluate((time) => {
    for (let k = 0; k < 120 * time; ++k) live.step();
    const { world } = live, fastest = Math.max(...world.bodies.map(({ row }) => world.speed(row)));
    const awake = world.bodies.filter(({ row }) => !world.asleep[row]).length;
    return { ...live.momentum(), count: world.count, fastest, awake, ...live.overlap() };
}, seconds);

const heaviest = (page) => page.evaluate(() => live.world.bodies.reduce((best, item) => (item.mass > best.mass ? item : best)).row);

/** Clicks a body where nothing is before it. */
async function click(page, k) {
    const [x, y] = await page.evaluate((row) => live.visible(row), k);
    await page.mouse.click(x, y);
}

const near = (a, b, within, what) => assert.ok(Math.abs(a - b) <= within, `${what}: ${a} is not ${b} within ${within}`);

test("it loads without a fault or a request, and the body breaks by itself", patience, async () => {
    const { page, asked, complaints } = await open({ paused: false });
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

test("mass and momentum are kept when it breaks, and the pieces come to rest on the ground", patience, async () => {
    const { page, complaints } = await open();
    for (const body of ["pot", "brick", "plate", "ring", "knot"]) {
        await page.locator("#body").selectOption(body);
        const whole = await page.evaluate(() => live.momentum());
        await run(page, 1.1);
        const { made, wanted, before: was, after: is } = await page.evaluate(() => live.lastBreak);
        near(made, wanted, 0.4 * wanted, "pieces");
        near(is.mass, whole.mass, 1e-5 * whole.mass, "mass");
        assert.ok(Math.hypot(...was.momentum) > 2 * whole.mass, "it did not fall");
        is.momentum.forEach((x, i) => near(x, was.momentum[i], 1e-5 * Math.hypot(...was.momentum), "momentum"));
        const rest = await run(page, 12);
        assert.equal(rest.awake, 0, `${rest.awake} of ${rest.count} bodies are awake; the fastest has ${rest.fastest} m/s`);
        assert.ok(rest.lowest > -0.001, `the lowest corner is at ${rest.lowest} m`);
        assert.ok(rest.deepest < 0.003, `bodies overlap by ${rest.deepest} m`);
        assert.ok(rest.farthest < 3, `a body is ${rest.farthest} m away`);
        await page.screenshot({ path: join(screens, `live-${body}.png`) });
    }
    assert.deepEqual(complaints, []);
    await page.close();
});

test("a click breaks a piece into as many as the slider says, and they rest again", patience, async () => {
    const { page, complaints } = await open();
    await page.locator("#body").selectOption("brick");
    await page.locator("#pieces").fill("2");
    await run(page, 6);
    for (const [wanted, roughness] of [[24, "0"], [10, "0.03"]]) {
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
        const rest = await run(page, 10);
        assert.equal(rest.awake, 0, `the fastest body has ${rest.fastest} m/s`);
        assert.ok(rest.lowest > -0.001 && rest.deepest < 0.003, JSON.stringify(rest));
    }
    await page.locator("#showContacts").check();
    await page.evaluate(() => (live.world.wakeAll(), live.step()));
    assert.ok(await page.evaluate(() => live.world.contacts) > 40);
    await page.screenshot({ path: join(screens, "live-contacts.png") });
    await page.locator("#reset").click();
    await page.waitForFunction(() => live.world.count === 1);
    assert.deepEqual(complaints, []);
    await page.close();
});

test("a piece follows the pointer, and does not break", patience, async () => {
    const { page, complaints } = await open();
    await page.locator("#body").selectOption("ring");
    await run(page, 6);
    const count = await page.evaluate(() => live.world.count), row = await heaviest(page);
    // A point of it: the centre of a part of a ring may be in the air.
    const [x, y] = await page.evaluate((k) => live.visible(k), row);
    const height = () => page.evaluate((k) => live.world.position[3 * k + 1], row);
    const low = await height();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 60);
    await page.mouse.move(x, y - 250);
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

test("the controls are in view on a desk and on a phone", patience, async () => {
    for (const [width, height] of [[1400, 900], [390, 844]]) {
        const { page } = await open({ width, height });
        await run(page, 1.5);
        await page.screenshot({ path: join(screens, `live-${width}.png`) });
        const shown = "about body pieces roughness showContacts pause reset times timeBreak timeContacts timeSolver timeDrawing".split(" ");
        for (const id of shown) {
            const box = await page.locator(`#${id}`).boundingBox();
            const inside = box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
            assert.ok(inside, `#${id} at ${width}: ${JSON.stringify(box)}`);
        }
        // Cards do not cover one another, nor what is broken.
        const cards = await page.locator(".card:visible").evaluateAll((list) => list.map((card) => card.getBoundingClientRect().toJSON()));
        const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        cards.forEach((a, i) => cards.slice(i + 1).forEach((b) => assert.ok(apart(a, b), "cards overlap")));
        const places = await page.evaluate(() => live.world.bodies.map((item, k) => live.place(k)));
        const under = (x, y, card) => x > card.left && x < card.right && y > card.top && y < card.bottom;
        const seen = places.filter(([x, y]) => x > 0 && x < width && y > 0 && y < height && !cards.some((card) => under(x, y, card)));
        assert.ok(seen.length > 0.7 * places.length, `${seen.length} of ${places.length} bodies are seen at ${width}`);
        await page.close();
    }
});
