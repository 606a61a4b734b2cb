// The page in a browser, for the tests: opened, stepped, clicked.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = resolve(dirname(fileURLToPath(import.meta.url)), "..");
export const root = resolve(here, "../../..");
if (!process.argv[2] && !existsSync(join(root, "bindings/npm/fracas.wasm"))) {
    console.log("skipped: there is no bindings/npm/fracas.wasm; scripts/platforms wasm makes it");
    process.exit(0);
}
const { chromium } = createRequire(join(root, "out/page/"))("playwright-core");
export const temporary = mkdtempSync(join(tmpdir(), "fracas-live-"));
const pagePath = resolve(process.argv[2] ?? join(temporary, "live.html"));
if (!process.argv[2]) execFileSync(process.execPath, [join(here, "build.mjs"), join(root, "bindings/npm/fracas.wasm"), pagePath]);
export const screens = join(dirname(pagePath), "screens");
mkdirSync(screens, { recursive: true });
export const patience = { timeout: 300_000 };
/** Width and height of a laptop, a desk and a phone. */
export const sizes = [[1280, 720], [1920, 1080], [390, 844]];
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
export async function open({ width = 1000, height = 700, paused = true } = {}) {
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

/** Steps without drawing; what it finds then. `lowest` is of the corners of the surfaces, `deepest` of all pairs of pieces. */
export const run = (page, seconds) => page.evaluate((time) => {
    for (let k = 0; k < 120 * time; ++k) live.step();
    const { world } = live, fastest = Math.max(...world.bodies.map(({ row }) => world.speed(row)));
    const awake = world.bodies.filter(({ row }) => !world.asleep[row]).length;
    return { ...live.momentum(), count: world.count, fastest, awake, ...live.overlap() };
}, seconds);

/** Hangs up a body and lets it go; it breaks as it lands. */
export async function letFall(page, body) {
    if (body) await page.locator("#body").selectOption(body);
    await page.locator("#drop").click();
    return run(page, 0.8);
}

export const heaviest = (page) => page.evaluate(() => live.world.bodies.reduce((best, item) => (item.mass > best.mass ? item : best)).row);
export const visible = (page, row) => page.evaluate((k) => live.visible(k), row);

/** Clicks a body where nothing is before it. */
export async function click(page, row) {
    const [x, y] = await visible(page, row);
    await page.mouse.click(x, y);
    return [x, y];
}

export const near = (a, b, within, what) => assert.ok(Math.abs(a - b) <= within, `${what}: ${a} is not ${b} within ${within}`);

/** All bodies lie still, on the floor and apart. */
export function assertRest(rest) {
    assert.equal(rest.awake, 0, `${rest.awake} of ${rest.count} bodies are awake; the fastest has ${rest.fastest} m/s`);
    assert.ok(rest.lowest > -0.001, `the lowest corner is at ${rest.lowest} m`);
    assert.ok(rest.deepest < 0.003, `bodies overlap by ${rest.deepest} m`);
    assert.ok(rest.farthest < 0.74, `a corner is ${rest.farthest} m from the middle`);
}
