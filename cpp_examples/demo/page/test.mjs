// Looks at the report page in a browser, with the files of the runs as the judge of what it shows.
//
//   node test.mjs                 makes a page of three tiny runs in a temporary folder, and looks at it
//   node test.mjs RUNS PAGE       looks at a page that build.mjs made of the runs in a folder; leaves pictures in screens/ beside it
//
// Needs Debian's chromium (or CHROMIUM=its path), which draws in software, and playwright-core in out/page.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { halfAt, tetAt, writeRuns } from "./fixture.mjs";
import { pack, read, unpack } from "./replay.js";
import { scenarios } from "./paper.js";

const here = dirname(fileURLToPath(import.meta.url)), build = join(here, "build.mjs");
const { chromium } = createRequire(join(here, "../../../out/page/"))("playwright-core");
const given = process.argv.length >= 4;
const temporary = mkdtempSync(join(tmpdir(), "fracas-page-"));
const [folder, pagePath] = given ? process.argv.slice(2).map((path) => resolve(path)) : [join(temporary, "runs"), join(temporary, "report.html")];
if (!given) {
    mkdirSync(folder);
    writeRuns(folder);
    execFileSync(process.execPath, [build, folder, pagePath]);
}
const screens = join(dirname(pagePath), "screens");
mkdirSync(screens, { recursive: true });
const runs = readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
const filmed = runs.filter((run) => run.replay && existsSync(join(folder, run.replay)));
const subject = (run) => run.scenario ?? run.study;
/** Films that are played: of a page of real runs one of each kind, all of them in full. Browsers without a graphics card take ten seconds for each. */
const watched = filmed.filter((run) => !given || process.env.FRACAS_FULL || run.beside || subject(run) === "torus");
assert.ok(runs.length > 0, `there are no runs in ${folder}`);
/** Nothing may hang for ever, however slow the machine draws. */
const patience = { timeout: 600_000 };

let browser, eye;

before(async () => {
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
               "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    });
    eye = await browser.newPage(); // decodes pictures; the report has no part in it
});

after(async () => {
    await browser?.close();
    rmSync(temporary, { recursive: true });
});

/** The report in a window of its own. What it asks of the network and complains of is kept in `asked` and `complaints`. */
async function open(hash = "", { width = 1280, height = 800, colorScheme = "light", reducedMotion = "reduce", init } = {}) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion });
    const asked = [], complaints = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.setDefaultTimeout(120_000);
    if (init) await page.addInitScript(init);
    await page.goto(pathToFileURL(pagePath) + hash);
    return { page, asked, complaints };
}

/** What is in a picture: how many colours (32 shades a channel), the share of the commonest, and the mean brightness. */
async function look(png) {
    const seen = await eye.evaluateHandle(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), pen = canvas.getContext("2d");
        pen.drawImage(bitmap, 0, 0);
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height), counts = new Uint32Array(1 << 15), grey = new Float32Array(data.length / 4);
        let sum = 0;
        for (let at = 0; at < data.length; at += 4) {
            ++counts[((data[at] >> 3) << 10) | ((data[at + 1] >> 3) << 5) | (data[at + 2] >> 3)];
            sum += grey[at / 4] = (data[at] + data[at + 1] + data[at + 2]) / 3;
        }
        return { grey, facts: { colours: counts.filter((count) => count > 0).length, commonest: Math.max(...counts) / grey.length, brightness: sum / grey.length } };
    }, png.toString("base64"));
    return { seen, ...(await seen.evaluate(({ facts }) => facts)) };
}

/** The share of pixels that differ clearly. */
function difference(a, b) {
    return eye.evaluate(([one, other]) => {
        if (one.grey.length !== other.grey.length) throw new Error("pictures of two sizes");
        return one.grey.filter((value, k) => Math.abs(value - other.grey[k]) > 10).length / one.grey.length;
    }, [a.seen, b.seen]);
}

const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function picture(page) {
    await drawn(page);
    return look(await page.locator(".screen").first().screenshot());
}

/** Moves the scrub bar, as a hand would. */
async function seek(page, seconds) {
    await page.locator("#scrub").evaluate((bar, to) => {
        bar.value = to;
        bar.dispatchEvent(new Event("input"));
    }, seconds);
    await drawn(page);
}

const clock = async (page) => Number.parseFloat(await page.locator(".clock").textContent());
const cells = (page, rows) => page.locator(rows).evaluateAll((list) => list.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
const figure = (text) => Number(text.replaceAll(",", "").replace("−", "-").replace(/ .*/, ""));
/** Figures are shown with three digits, below 1e-4 with two. */
const near = (text, value, what) => assert.ok(value == null ? text.startsWith("–") : Math.abs(figure(text) - value) <= (Math.abs(value) < 1e-4 ? 0.05 : 0.006) * Math.max(Math.abs(value), 1e-12) + (Math.abs(value) >= 100 ? 0.5 : 0), `${what}: ${text} is not ${value}`);

test("films are packed without a loss that one could see", { skip: filmed.length === 0 }, () => {
    for (const run of filmed) {
        const film = read(readFileSync(join(folder, run.replay))), again = unpack(pack(film));
        for (const key of ["frameCount", "secondsPerFrame"]) assert.equal(again[key], film[key]);
        for (const key of ["meshes", "bodies", "points", "normals", "depths"]) assert.equal(again[key].length, film[key].length, `${run.replay}: ${key}`);
        film.meshes.forEach(({ positions, indices, crackStart }, m) => {
            assert.equal(again.meshes[m].crackStart, crackStart);
            assert.equal(again.meshes[m].indices.length, indices.length);
            let worst = 0;
            indices.forEach((index, k) => {
                for (let axis = 0; axis < 3; ++axis)
                    worst = Math.max(worst, Math.abs(positions[3 * index + axis] - again.meshes[m].positions[3 * again.meshes[m].indices[k] + axis]));
            });
            assert.ok(worst <= 1.1e-5, `${run.replay}: a corner is ${worst} m off`);
        });
        film.bodies.forEach(({ track, ...body }, b) => {
            const { track: _, ...same } = again.bodies[b];
            assert.deepEqual(same, body);
            for (let at = 0; at < track.length; at += 7) {
                for (let k = 0; k < 3; ++k) assert.ok(Math.abs(track[at + k] - again.bodies[b].track[at + k]) < 1e-5);
                const dot = [3, 4, 5, 6].reduce((sum, k) => sum + track[at + k] * again.bodies[b].track[at + k], 0);
                assert.ok(Math.abs(dot) > 1 - 1e-3, `${run.replay}: body ${b} is turned otherwise`);
            }
        });
        for (const [key, most] of [["points", 2.6e-4], ["normals", 0.017], ["depths", 2.6e-6]])
            assert.ok(film[key].every((value, k) => Math.abs(value - again[key][k]) < most), `${run.replay}: ${key} are off`);
        assert.deepEqual([...again.contactStart], [...film.contactStart]);
        assert.deepEqual(again.deforming, film.deforming);
    }
});

test("a replay is read as it was written", { skip: given }, () => {
    const film = unpack(pack(read(readFileSync(join(folder, "piggy_bank-jolt.replay")))));
    const left = film.bodies[2];
    assert.deepEqual([left.mesh, left.group, left.first, left.end], [2, 1, 12, 30]);
    for (const [axis, value] of halfAt(-1, 10).entries()) assert.ok(Math.abs(left.track[7 * 10 + axis] - value) < 1e-5);
    assert.equal(film.contactStart[13] - film.contactStart[12], 8);
    assert.ok(Math.abs(film.depths[7] - 0.0006) < 5e-6);
    assert.deepEqual(film.bodies.map(({ fixed }) => fixed), [true, false, false, false]);
});

test("a film of soft bodies is read as it was written", { skip: given }, () => {
    const { deforming, contactStart, normals, bodies } = unpack(pack(read(readFileSync(join(folder, "torus.replay")))));
    assert.deepEqual(deforming.bodies.map(({ group, first, end, vertexCount }) => [group, first, end, vertexCount]), [[0, 0, 12, 4], [0, 12, 30, 4], [0, 12, 30, 4]]);
    const { track } = deforming.bodies[1];
    for (const [axis, value] of tetAt(-1, 12 + 10).entries()) assert.ok(Math.abs(deforming.low[axis] + deforming.unit * track[12 * 10 + axis] - value) < 1e-4);
    assert.equal(contactStart[13] - contactStart[12], 2);
    assert.ok(Math.abs(normals[5] - 0.5) < 0.017); // the length of a force
    assert.deepEqual(bodies.map(({ fixed }) => fixed), [true]);
});

test("bad files get a sentence", { skip: given }, () => {
    const bad = join(temporary, "bad");
    mkdirSync(bad);
    const tryBuild = (why) => {
        const { status, stderr } = spawnSync(process.execPath, [build, bad, join(bad, "report.html")], { encoding: "utf8" });
        assert.equal(status, 1);
        assert.match(stderr, why);
        assert.equal(stderr.trim().split("\n").length, 1, stderr);
    };
    writeFileSync(join(bad, "a-jolt.json"), '{"scenario":"a","engine":"jolt","replay":"a-jolt.replay"}');
    writeFileSync(join(bad, "a-jolt.replay"), readFileSync(join(folder, "piggy_bank-jolt.replay")).subarray(0, 3000));
    tryBuild(/a-jolt\.replay is not a replay: the file ends too early/);
    writeFileSync(join(bad, "a-jolt.replay"), "nonsense");
    tryBuild(/does not begin with "FCR1"/);
    writeFileSync(join(bad, "a-jolt.json"), '{"scenario":"a"');
    tryBuild(/a-jolt\.json is not a run/);
});

for (const run of runs)
    test(`${subject(run)} on ${run.engine}`, patience, async () => {
        const { page, asked, complaints } = await open();
        // By its tab, then by its engine, as a reader would.
        const names = page.locator("#tabs a");
        await names.and(page.locator(`[href^="#${subject(run)}/"]`)).click();
        await page.locator("#engines a, #engines span").and(page.locator(`[href="#${subject(run)}/${run.engine}"]`)).click();
        assert.equal(await names.count(), new Set(runs.map(subject)).size);

        assert.equal(await page.locator(".theatre").count(), filmed.includes(run) ? 1 : 0);
        if (watched.includes(run)) await checkPicture(page, run);
        await checkPlots(page, run);
        await checkTables(page, run);
        assert.doesNotMatch(await page.locator("body").innerText(), /NaN|undefined|null|Infinity|\[object/);
        assert.deepEqual(asked.filter((address) => address !== pathToFileURL(pagePath).href), [], "the page asks for nothing");
        assert.deepEqual(complaints, []);
        await page.close();
    });

async function checkPicture(page, run) {
    await page.locator(".theatre.ready").waitFor();
    const end = Number(await page.locator("#scrub").getAttribute("max"));
    assert.equal(await page.locator(".marks i").count(), (run.events ?? []).filter(({ step }) => step * run.step <= end).length);

    if (run.events?.length > 0) {
        const [first, broken] = [await clock(page), Math.min(end, run.events[0].step * run.step + 0.2)];
        assert.ok(Math.abs(first - broken) < 0.011, `what one sees first is the broken body, at ${broken}, not ${first}`); // the clock shows two places
    }
    await seek(page, 0);
    const start = await picture(page);
    assert.ok(start.colours > 30 && start.commonest < 0.95, `the picture is blank: ${start.colours} colours`);
    await page.locator(".play").click();
    await page.waitForFunction((enough) => Number.parseFloat(document.querySelector(".clock").textContent) > enough, Math.min(0.3, end / 2));
    await page.evaluate(() => document.querySelector(".play[aria-label=Pause]")?.click()); // a short film may have come to its end
    assert.ok((await clock(page)) > 0);
    if (run.events?.length > 0) assert.ok(await difference(start, await picture(page)) > 1e-4, "playing changes nothing");

    await seek(page, end);
    await page.locator("#contacts").check();
    const whole = await picture(page);
    await page.locator("#contacts").uncheck();
    const bare = await picture(page);
    if ((run.series.output ?? run.series.penalties ?? run.series.discrete?.off.found ?? [run.budget?.shown_at_end ?? 1]).at(-1) > 0) assert.ok(await difference(whole, bare) > 1e-5, "contacts are not seen");
    await page.locator("#wire").check();
    assert.ok(await difference(bare, await picture(page)) > 1e-4, "wires are not seen");
    await page.locator("#wire").uncheck();
    assert.equal(await difference(bare, await picture(page)), 0, "wires stay");

    const frame = await page.locator(".screen").first().boundingBox();
    await page.mouse.move(frame.x + frame.width / 2, frame.y + frame.height / 2);
    await page.mouse.down();
    await page.mouse.move(frame.x + frame.width / 2 + 150, frame.y + frame.height / 2 + 30, { steps: 4 });
    await page.mouse.up();
    assert.ok(await difference(bare, await picture(page)) > 1e-3, "dragging does not orbit");
    await page.getByText("reset view").click();
    assert.ok(await difference(bare, await picture(page)) < 1e-3, "the view does not come back");

    // The moment to show: soon after the last thing broke.
    await page.locator("#contacts").check();
    await seek(page, run.events?.length > 0 ? Math.min(end, run.events.at(-1).step * run.step + 0.3) : end);
    await page.locator(".screens").screenshot({ path: join(screens, `${subject(run)}-${run.engine}.png`) });
}

async function checkPlots(page, run) {
    if (run.deforming) { // both queries, and then the one that is shown at first
        const choose = (query) => page.getByRole("button", { name: query }).click();
        await choose("continuous");
        await checkLines(page, run);
        await choose("discrete");
    }
    await checkLines(page, run);
    if (watched.includes(run)) await checkCursor(page, run);
}

async function checkLines(page, run) {
    const plots = page.locator(".uplot"), count = await plots.count();
    assert.equal(count, run.deforming || run.budget ? 5 : run.soft ? 4 : run.beside ? 3 : run.series ? ["output", "total_ms", "energy"].filter((key) => run.series[key]).length : 1);
    for (let k = 0; k < count; ++k) {
        // How many pixels each line has, by the colour of its mark in the legend. Some hide others; the highest hides behind none.
        const lines = await plots.nth(k).evaluate((plot) => {
            const canvas = plot.querySelector("canvas"), { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return [...plot.querySelectorAll(".u-series")].slice(1).map((series) => {
                const [red, green, blue] = getComputedStyle(series.querySelector(".u-marker")).borderTopColor.match(/\d+/g).map(Number);
                let pixels = 0;
                for (let at = 0; at < data.length; at += 4)
                    pixels += data[at + 3] > 150 && Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue) < 30;
                return { name: series.querySelector(".u-label").textContent, pixels };
            });
        });
        const keys = { colliding: run.series?.colliding, total: run.series?.total_ms, "mechanical energy": run.series?.energy,
                       "mean penetration": run.mean_penetration_mm, "visited points": run.visited, full: run.full, "cones off": run.series?.discrete?.off.query_ms,
                       found: run.series?.discrete?.off.found, "no limit": run.series?.heaps?.[0].detection_ms, query: run.series?.query_ms ?? run.series?.discrete?.off.query_ms, force: run.series?.force,
                       penalties: run.series?.penalties, triangles: run.series?.triangles };
        assert.ok(lines.some(({ pixels }) => pixels > 50), `plot ${k} is blank: ${JSON.stringify(lines)}`);
        for (const [name, values] of Object.entries(keys).filter(([name, values]) => values?.some(Number.isFinite) && lines.some((line) => line.name === name)))
            assert.ok(lines.find((line) => line.name === name).pixels > 50, `${name} is not drawn, though it has ${values.length} values: ${JSON.stringify(lines)}`);
    }
}

/** A click on a plot moves the replay, and the legend tells what the run says of that moment. */
async function checkCursor(page, run) {
    const plots = page.locator(".uplot"), over = plots.first().locator(".u-over");
    const { mesh_ms, update_ms, query_ms } = run.series.discrete?.off ?? {}, first = run.series.output ?? run.series.query_ms ?? run.series.heaps?.[0].detection_ms ?? run.series.sides?.[1].energy ?? query_ms.map((ms, k) => ms + mesh_ms[k] + update_ms[k]);
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox(), last = (first.length - 1) * run.step;
    await over.click({ position: { x: 0.7 * box.width, y: 50 } });
    const now = await clock(page), end = Number(await page.locator("#scrub").getAttribute("max"));
    assert.ok(Math.abs(now - Math.min(0.7 * last, end)) < 0.01 * last + 0.01, `the click went to ${now} s of ${last} s`);
    await page.mouse.move(5, 5);
    await seek(page, Math.min(0.4 * last, end));
    const shown = figure((await plots.first().locator(".u-legend .u-value").nth(1).textContent()));
    const step = Math.round(Math.min(0.4 * last, end) / run.step);
    assert.ok([step - 1, step, step + 1].some((k) => Math.abs(first[k] - shown) <= (run.deforming || run.soft || run.budget || run.beside ? 0.006 * shown : 0)), `the legend says ${shown} at step ${step}`);
}

async function checkTables(page, run) {
    const cones = await cells(page, "#cones tbody tr");
    assert.equal(cones.length, run.deforming?.rows.length ?? 0);
    run.deforming?.rows.forEach((row, k) => {
        assert.equal(cones[k][1], row.cones);
        [row.mean_ms, row.worst_ms, row.mesh_ms, row.update_ms, row.query_ms, row.event_ratio, row.found].forEach((value, column) => near(cones[k][2 + column], value, row.cones));
    });
    const soft = await cells(page, "#soft tbody tr");
    assert.equal(soft.length, run.soft ? 1 : 0);
    if (run.soft) ["update_mean_ms", "update_worst_ms", "query_mean_ms", "query_worst_ms", "total_mean_ms", "penalties_mean", "query_us_per_tet", "deepest_mm", "strongest_newtons"]
        .forEach((key, column) => near(soft[0][column], run.soft[key], key));
    const budget = await cells(page, "#budget tbody tr");
    assert.equal(budget.length, run.budget?.runs.length ?? 0);
    run.budget?.runs.forEach((one, k) => {
        assert.equal(budget[k][0], one.name);
        [one.detection_mean_ms, one.total_mean_ms, one.work_worst, one.contacts_mean, one.interrupted_percent, one.unmeasured_percent, one.overlap_mm, one.mean_overlap_mm, one.speed, one.below]
            .forEach((value, column) => near(budget[k][2 + column], value, `${one.name}, column ${column}`));
    });
    if (run.engine === "none") assert.equal(await page.locator("#table2").count(), 0);
    else await checkPaperTables(page, run);

    const beside = await cells(page, "#beside tbody tr");
    assert.equal(beside.length, run.beside ? 9 : 0);
    run.beside?.sides.forEach((side, k) => [side.break_pairs, side.break_overlap_mm, side.phantom_pairs, side.phantom_gap_mm, side.energy_rise_percent, side.overlap_mm,
        side.prepare_ms, side.first_step_ms, side.step_mean_ms].forEach((value, row) => near(beside[row][1 + k], value, `${side.name}, ${beside[row][0]}`)));
    // Which is better is said of every figure that differs, of those for us and of those against us, in the table and in the words above it.
    const [forUs, against] = run.beside ? (await page.locator("#verdicts p").allInnerTexts()).slice(-2) : [];
    for (const [name, ours, theirs, better] of beside) {
        const [a, b] = [ours, theirs].map((text) => (text.startsWith("–") ? null : figure(text))), differ = a !== null && b !== null && Math.abs(a - b) > 0.06 * Math.max(a, b);
        if (differ) {
            assert.equal(better, a < b ? "Fracas" : "hulls", name);
            assert.ok((a < b ? forUs : against).includes(name.slice(1)) && !(a < b ? against : forUs).includes(name.slice(1)), `${name}: ${forUs} ${against}`);
        } else if (a === b) assert.equal(better, "", name);
    }
    const figures = await cells(page, "#figures tbody tr");
    assert.equal(figures.length, run.figures?.length ?? 0);
    run.figures?.forEach(({ name, value }, k) => (assert.equal(figures[k][0], name), near(figures[k][1], value, name)));
    assert.equal(await page.locator("#figures :is(.met, .missed)").count(), 0, "a figure without a bar has no mark");
    const checks = await cells(page, "#checks tbody tr");
    assert.equal(checks.length, run.checks?.length ?? 0);
    for (const { name, value, bar, met } of run.checks ?? []) {
        const row = checks.find((one) => one[1] === name);
        assert.ok(Number.isFinite(bar), `${name} has no bar that can be missed`);
        near(row[3].replace(/^\S+ /, ""), bar, `the bar of ${name}`);
        assert.equal(row[0], met ? "met" : "missed");
        near(row[2], value, name);
    }
    // Each missed check has its figure, its bar and a sentence; and that is not in a part of the page that has to be scrolled.
    const missed = run.checks?.filter(({ met }) => !met) ?? [], known = page.locator("#checks .known li");
    assert.equal(await known.count(), missed.length);
    for (const [k, { name, value, bar }] of missed.entries()) {
        const text = await known.nth(k).innerText(), [, shown, limit, words] = text.match(/^.*? is (.*?), the bar [≤≥=<>] (\S+?)(?: .*?)?\. (\S.*)$/s) ?? [];
        assert.ok(text.startsWith(name) && words?.length > 15 && !/not (been )?looked into/i.test(words), text);
        near(shown, value, name);
        near(limit, bar, name);
        const box = await known.nth(k).boundingBox();
        assert.ok(box.height > 0 && box.x >= 0 && box.x + box.width <= page.viewportSize().width, text);
    }
    assert.equal((await cells(page, "#colliders tbody tr")).length, run.colliders?.length ?? 0);
    assert.equal((await cells(page, "#bowl tbody tr")).length, run.limits?.length ?? 0);
    assert.equal(await page.locator("#settings pre").count(), run.settings ? 1 : 0);
    if (run.settings) assert.equal(await page.locator("#settings pre").textContent(), run.settings);
    const all = await cells(page, "#overview tbody tr");
    assert.equal(all.length, new Set(runs.map(subject)).size);
    assert.equal(all.flat().filter((text) => /missed/.test(text)).length, runs.filter((one) => one.checks?.some(({ met }) => !met)).length);
}

async function checkPaperTables(page, run) {
    const table2 = await cells(page, "#table2 tbody tr"), table3 = await cells(page, "#table3 tbody tr");
    assert.equal(table2.length, 2 * scenarios.length);
    assert.equal(table3.length, 2 * scenarios.length);
    assert.deepEqual(table2[3].slice(2), ["137,403 / 430,072", "166", "866 (2,393)", "8,382 (29,782)"]); // as the paper prints it
    assert.deepEqual(table3[3].slice(2), ["5", "19.33 (73)", "18 (58)", "1.3 (3.66)", "4.4", "22"]);
    scenarios.forEach(({ scenario }, k) => {
        const ours = runs.find((one) => one.scenario === scenario && one.engine === run.engine);
        if (!ours?.table2) return assert.match(table2[2 * k].slice(2).join(""), /^–+$/);
        near(table2[2 * k][3], ours.table2.fragments, "fragments");
        near(table2[2 * k][4], ours.table2.output_mean, "output points");
        near(table2[2 * k][5], ours.table2.colliding_mean, "colliding points");
        near(table3[2 * k][3], ours.table3.total_mean, "total");
        near(table3[2 * k][4], ours.table3.detection_mean, "detection");
        near(table3[2 * k][7], ours.table3.fracture_max, "fracture");
    });
}

test("it plays by itself, unless the reader's system is set to less motion", { ...patience, skip: filmed.length === 0 }, async () => {
    const { page } = await open(`#${subject(filmed[0])}/${filmed[0].engine}`, { reducedMotion: "no-preference" });
    await page.waitForFunction(() => Number.parseFloat(document.querySelector(".clock").textContent) > 0.1);
    await page.close();
});

for (const [width, height] of [[1400, 900], [390, 844]])
    test(`at ${width} x ${height} all controls are in view, and tables scroll in their boxes`, { ...patience, skip: filmed.length === 0 }, async () => {
        for (const run of watched) {
            const { page } = await open(`#${subject(run)}/${run.engine}`, { width, height });
            await page.locator(".theatre.ready").waitFor();
            const controls = page.locator(".play, #scrub, .bar select, #contacts, #wire, .quiet, .screen:visible, #tabs .chosen, #engines .chosen");
            assert.ok(await controls.count() >= 8);
            for (const control of await controls.all()) {
                const { x, y, width: wide, height: tall } = await control.boundingBox(), what = await control.evaluate((one) => one.outerHTML.slice(0, 60));
                assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + tall <= height, `${what} ends at ${x + wide}, ${y + tall}`);
            }
            const screen = await page.locator(".screen").first().boundingBox();
            assert.ok(screen.height > (run.beside && width < height ? 0.2 : 0.4) * height, `the picture is ${screen.height} pixels tall`);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
            for (const box of await page.locator(".scroll").all()) {
                const { left, right, inner, room } = await box.evaluate((one) => {
                    one.scrollLeft = 1e6; // as far as it goes
                    const last = one.querySelector("tr:last-child > :last-child").getBoundingClientRect(), own = one.getBoundingClientRect();
                    return { left: own.left, right: own.right, inner: last.right, room: one.clientWidth };
                });
                assert.ok(left >= 0 && right <= width && room > 0 && inner <= right + 1, `a table ends at ${inner}, its box at ${right}`);
            }
            await page.close();
        }
    });

const twice = filmed.filter((run) => run.beside && existsSync(join(folder, run.beside.replay)));
test("both replays are in step", { ...patience, skip: twice.length === 0 }, async () => {
    for (const run of twice) {
        const { page } = await open(`#${subject(run)}/${run.engine}`);
        await page.locator(".theatre.ready").waitFor();
        await page.locator("#contacts").uncheck(); // one of the two has none
        // Without their names, and both as wide, pictures of the same moment are the same until the break, as both begin with the same bodies and cameras.
        await page.addStyleTag({ content: ".name { display: none } .theatre > .screens { flex: none; width: 1000px; height: 400px; gap: 0 }" });
        const shot = async (side) => look(await page.locator(".screen").nth(side).screenshot());
        // Without a graphics card, what was drawn while playing can reach the screen late: a picture counts once it stays.
        const still = async (side) => {
            let before = await shot(side);
            for (let tries = 0; tries < 20; tries += 1) {
                const now = await shot(side);
                if ((await difference(before, now)) === 0) return now;
                before = now;
            }
            assert.fail("a paused picture does not stay");
        };
        const both = async () => {
            await drawn(page);
            const [one, other] = [await still(0), await still(1)];
            return { one, change: await difference(one, other) };
        };
        const broken = run.events[0].step * run.step, frame = run.frame_every * run.step, end = Number(await page.locator("#scrub").getAttribute("max"));
        const early = [];
        for (const share of [0.2, 0.6]) {
            await seek(page, share * (broken - frame));
            const { one, change } = await both();
            assert.ok(change < 1e-3, `at ${share} of the fall ${change} of the pixels differ`);
            early.push(one);
        }
        assert.ok(await difference(...early) > 1e-3, "nothing moves");
        await seek(page, 0);
        await page.locator(".play").click();
        await page.waitForFunction((enough) => Number.parseFloat(document.querySelector(".clock").textContent) > enough, 0.3 * broken);
        await page.evaluate(() => document.querySelector(".play[aria-label=Pause]")?.click()); // on a slow machine the film may be over
        if ((await clock(page)) < broken - 2 * frame) assert.ok((await both()).change < 1e-3, "after playing they are apart");
        await seek(page, end);
        const { one, change } = await both();
        assert.ok(change > 1e-3, "the two end alike");
        // Dragging one turns both.
        const { x, y, width, height } = await page.locator(".screen").nth(1).boundingBox();
        await seek(page, 0.2 * broken);
        await page.mouse.move(x + width / 2, y + height / 2);
        await page.mouse.down();
        await page.mouse.move(x + width / 2 + 120, y + height / 2 + 30, { steps: 4 });
        await page.mouse.up();
        const turned = await both();
        const moved = await difference(early[0], turned.one);
        assert.ok(moved > 1e-3 && turned.change < 0.1 * moved, `dragging one changes ${moved} of it and leaves ${turned.change} different`);
        await page.close();
    }
});

test("a phone's width, light and dark", patience, async () => {
    const shades = [];
    for (const colorScheme of ["light", "dark"]) {
        const { page, complaints } = await open("", { width: 390, height: 844, colorScheme });
        if (filmed.length > 0) {
            await page.locator(".theatre.ready").waitFor();
            await seek(page, 0.6 * Number(await page.locator("#scrub").getAttribute("max")));
        }
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
        const { colours, commonest, brightness } = filmed.length > 0 ? await picture(page) : await look(await page.screenshot());
        assert.ok(colours > 20 && commonest < 0.95, `${colours} colours`);
        shades.push(brightness);
        await page.screenshot({ path: join(screens, `phone-${colorScheme}.png`) });
        assert.deepEqual(complaints, []);
        await page.close();
    }
    assert.ok(shades[0] > shades[1] + 60, `light ${shades[0]} is not lighter than dark ${shades[1]}`);
});

test("the whole page", patience, async () => {
    for (const colorScheme of ["light", "dark"]) {
        const { page } = await open("", { colorScheme });
        if (filmed.length > 0) {
            await page.locator(".theatre.ready").waitFor();
            await seek(page, 0.5 * Number(await page.locator("#scrub").getAttribute("max")));
        }
        await page.screenshot({ path: join(screens, `page-${colorScheme}.png`), fullPage: true });
        await page.close();
    }
});

test("without WebGL the figures are still there", patience, async () => {
    const { page, complaints } = await open("", {
        init: () => {
            const real = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
                return kind.startsWith("webgl") ? null : real.call(this, kind, ...rest);
            };
        },
    });
    assert.equal((await cells(page, "#table2 tbody tr")).length, runs.every(({ engine }) => engine === "none") ? 0 : 2 * scenarios.length);
    assert.deepEqual(complaints.filter((text) => !/WebGL/.test(text)), []);
    if (filmed.length > 0) assert.match(await page.locator(".screen").first().innerText(), /no WebGL/);
    await page.close();
});
