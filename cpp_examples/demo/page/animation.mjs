// The README's animation: the frames of the page's replay "beside", from its canvas, as an animated WebP. scripts/pictures calls it.
//
//   node animation.mjs PAGE PICTURE [ENGINE]     of a page that build.mjs made; the engine is the first that has the replay if none is named
//
// Needs Debian's chromium and webp (img2webp), and playwright-core in out/page.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pagePath, picture, engine = ""] = process.argv.slice(2);
if (!picture) {
    console.error("node animation.mjs PAGE PICTURE [ENGINE]");
    process.exit(1);
}
const { chromium } = createRequire(join(dirname(fileURLToPath(import.meta.url)), "../../../out/page/"))("playwright-core");
/** Seconds of the film before the break and after it, from a picture to the next, and milliseconds that each is shown: a third of the speed. */
const before = 0.12, after = 1.2, between = 0.02, shown = 60, last = 1500;
/** README files on the web are wide; larger pictures than this are slow to load. */
const most = 1.5e6;

const folder = mkdtempSync(join(tmpdir(), "fracas-animation-"));
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
try {
    const page = await browser.newPage({ viewport: { width: 840, height: 560 }, colorScheme: "light", reducedMotion: "reduce" });
    page.setDefaultTimeout(120_000);
    await page.goto(`${pathToFileURL(resolve(pagePath))}#beside/${engine}`);
    const there = await page.evaluate(() => document.querySelector(".theatre.two") !== null);
    if (!there) throw new Error(`${pagePath} has no run of the scenario "beside"; scripts/demo --scenario beside makes one.`);
    await page.locator(".theatre.ready").waitFor();
    // Only the two pictures, with the windows' corners square.
    await page.addStyleTag({ content: ".screens { position: fixed; inset: 0 auto auto 0; width: 840px; height: 420px; z-index: 9 }" });
    const { broken, end } = await page.evaluate(() => ({
        broken: (Number.parseFloat(document.querySelector(".marks i").style.left) / 100) * Number(document.querySelector("#scrub").max), end: Number(document.querySelector("#scrub").max) }));
    const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const frames = [];
    for (let time = Math.max(broken - before, 0); time <= Math.min(broken + after, end); time += between) {
        await page.locator("#scrub").evaluate((bar, to) => {
            bar.value = to;
            bar.dispatchEvent(new Event("input"));
        }, time);
        await drawn();
        frames.push(join(folder, `${String(frames.length).padStart(3, "0")}.png`));
        await page.screenshot({ path: frames.at(-1), clip: { x: 0, y: 0, width: 840, height: 420 } });
    }
    const words = frames.flatMap((frame, k) => ["-d", String(k + 1 < frames.length ? shown : last), frame]);
    execFileSync("img2webp", ["-loop", "0", "-lossy", "-q", "60", "-m", "4", ...words, "-o", picture], { stdio: ["ignore", "ignore", "inherit"] });
    const { size } = statSync(picture);
    if (size > most) throw new Error(`${picture} has ${size} bytes, more than ${most}; a lower quality or fewer frames make it smaller.`);
    console.log(`   ${picture}: ${frames.length} frames, ${(size / 1e6).toFixed(2)} MB`);
} catch (error) {
    console.error(error.message);
    process.exitCode = 1;
} finally {
    await browser.close();
    rmSync(folder, { recursive: true });
}
