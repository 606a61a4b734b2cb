// A visitor's own model: chosen or dropped, cooked beside the page, refused with a reason.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertRest, click, letFall, near, open, patience, root, run, screens } from "./browser.mjs";
import { box, glb } from "./glb.mjs";

/** Chooses a file, and waits until the page has taken or refused it; what it says then. */
async function choose(page, name, bytes) {
    const settled = await page.evaluate(() => live.models.settled);
    await page.locator("#file").setInputFiles({ name, mimeType: "model/gltf-binary", buffer: bytes });
    await page.waitForFunction((before) => live.models.settled > before, settled);
    return page.evaluate(() => (document.getElementById("wait").hidden ? "" : document.getElementById("waitWords").textContent));
}

test("a chosen model is cooked in a worker, scaled to the scene, and breaks", patience, async () => {
    const { page, complaints } = await open();
    await page.evaluate(() => {
        window.said = [];
        new MutationObserver(() => said.push(document.getElementById("waitWords").textContent)).observe(document.getElementById("waitWords"), { childList: true });
    });
    assert.equal(await choose(page, "vase.glb", readFileSync(join(root, "samples/vase.glb"))), "");
    const said = await page.evaluate(() => said);
    assert.ok(said.length > 0 && said.every((words) => /^Filling vase\.glb with tetrahedra: \d+ %, \d+ s$/.test(words)), said.join(", "));
    assert.equal(await page.locator("#body option:checked").textContent(), "vase.glb");
    assert.match(await page.locator("#hint").textContent(), /^vase\.glb: \d+ tetrahedra in [\d.]+ s\./);
    near(await page.evaluate(() => live.drop.solid.asset.info.radius), 0.33, 0.01, "radius");
    await page.evaluate(() => live.stage.draw(false));
    assert.ok((await page.evaluate(() => live.held().textures)) > 0, "its texture is drawn");
    await page.screenshot({ path: join(screens, "live-model-hanging.png") });
    const [{ mass }] = await page.evaluate(() => live.world.bodies.map(({ mass }) => ({ mass })));
    await letFall(page);
    assert.ok((await page.evaluate(() => live.lastBreak.made)) > 8);
    const rest = await run(page, 14);
    near(rest.mass, mass, 1e-5 * mass, "mass");
    assert.equal(rest.awake, 0, `the fastest body has ${rest.fastest} m/s`);
    assert.ok(rest.deepest < 0.003 && rest.lowest > -0.02, JSON.stringify(rest)); // the mesh of the file is a little off the tetrahedra
    await page.screenshot({ path: join(screens, "live-model.png") });
    assert.deepEqual(complaints, []);
    await page.close();
});

test("a dropped file is taken, in place of the last one, and nothing of that is left", patience, async () => {
    const { page, complaints } = await open();
    await choose(page, "first.glb", glb(box({ edge: 40 })));
    await page.locator("#drop").click();
    await run(page, 1);
    const held = await page.evaluate(() => (document.getElementById("reset").click(), live.held()));
    for (const name of ["second.glb", "third.glb"]) {
        await page.evaluate(([name, bytes]) => {
            const data = new DataTransfer();
            data.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name));
            document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }, [name, glb(box({ edge: 0.001 })).toString("base64")]);
        await page.waitForFunction((name) => live.drop.solid.name === name, name);
    }
    assert.deepEqual(await page.locator("#body option").allTextContents(), ["Pot", "Brick", "Plate", "Ring", "Knot", "third.glb"]);
    const now = await page.evaluate(() => live.held());
    assert.deepEqual([now.handles, now.geometries], [held.handles, held.geometries]);
    await letFall(page);
    assertRest(await run(page, 12));
    assert.deepEqual(complaints, []);
    await page.close();
});

test("what is repaired or left out is said", patience, async () => {
    const { page } = await open();
    const [small, large] = [box({ edge: 0.4, at: [2, 0, 0] }), box()], shift = large.positions.length / 3;
    large.triangles.splice(0, 3, ...large.triangles.slice(0, 3).reverse());
    const both = { positions: [...large.positions, ...small.positions], triangles: [...large.triangles, ...small.triangles.map((k) => k + shift)] };
    assert.equal(await choose(page, "two.glb", glb(both)), "");
    const hint = await page.locator("#hint").textContent();
    assert.match(hint, /1 triangles were turned to face as their neighbours do/);
    assert.match(hint, /2 separate solids, of which the heaviest was taken/);
    near(await page.evaluate(() => live.world.bodies[0].mass), await page.evaluate(() => {
        const [one, two] = [0, 1].map((index) => live.drop.solid.asset.body({ index }).mass.mass);
        return Math.max(one, two);
    }), 1e-6, "mass");
    await page.close();
});

test("what cannot be cooked is refused in one sentence, and the page goes on", patience, async () => {
    const { page, complaints } = await open();
    const cases = [
        ["notes.txt", Buffer.from("hello"), /^notes\.txt: this page reads \.glb files\.$/],
        ["text.glb", Buffer.from("hello, this is no model at all"), /^text\.glb: this is no glTF file: its document is no JSON\.$/],
        ["cut.glb", glb(box()).subarray(0, 600), /^cut\.glb: .*cut short\.$/],
        ["old.glb", glb(box(), (it) => (it.asset.version = "1.0")), /^old\.glb: this is glTF 1\.0; version 2 is needed\.$/],
        ["draco.glb", glb(box(), (it) => (it.extensionsRequired = ["KHR_draco_mesh_compression"])), /needs the extension KHR_draco_mesh_compression/],
        ["range.glb", glb({ ...box(), triangles: [0, 1, 99] }), /index 99 is out of range: there are 24 vertices/],
        ["round.glb", glb(box(), (it) => (it.nodes[0].children = [0])), /node 0 is the child of two nodes, or of itself/],
        ["empty.glb", glb(box(), (it) => (it.nodes = [{}])), /there are no triangles in it/],
        ["odd.glb", glb(box(), (it) => (it.meshes = 7)), /^odd\.glb: .+\.$/],
        ["open.glb", glb(box({ without: [1, 2, 3, 4, 5] })), /^open\.glb: .+\.$/], // the library's sentence
    ];
    for (const [name, bytes, expected] of cases) {
        assert.match(await choose(page, name, bytes), expected);
        assert.equal(await page.evaluate(() => live.drop.solid.name), "Pot");
    }
    await page.screenshot({ path: join(screens, "live-refused.png") });
    await page.locator("#waitEnd").click();
    assert.ok(!(await page.locator("#wait").isVisible()));
    await click(page, 0);
    assert.ok((await page.evaluate(() => live.world.count)) > 8);
    assert.deepEqual(complaints, []);
    await page.close();
});

test("cooking can be cancelled, and the page moves meanwhile", patience, async () => {
    const { page } = await open();
    // A ball of 320,000 triangles takes a minute.
    const rings = 400, positions = [], triangles = [];
    for (let i = 0; i <= rings; ++i) {
        for (let k = 0; k < rings; ++k) {
            const [a, b] = [(Math.PI * i) / rings, (2 * Math.PI * k) / rings];
            positions.push(Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b));
            const [p, q] = [i * rings + k, i * rings + ((k + 1) % rings)];
            if (i < rings) triangles.push(p, q, p + rings, q, q + rings, p + rings);
        }
    }
    await page.locator("#file").setInputFiles({ name: "ball.glb", mimeType: "model/gltf-binary", buffer: glb({ positions, triangles }) });
    await page.waitForSelector("#wait", { state: "visible" });
    await letFall(page);
    assert.ok((await page.evaluate(() => live.lastBreak.made)) > 8);
    assert.equal(page.workers().length, 1);
    assert.match(await page.locator("#waitWords").textContent(), /^Filling ball\.glb with tetrahedra: \d+ %, \d+ s$/);
    await page.locator("#waitEnd").click();
    assert.ok(!(await page.locator("#wait").isVisible()));
    for (let k = 0; k < 100 && page.workers().length > 0; ++k) await page.waitForTimeout(100);
    assert.equal(page.workers().length, 0, "the worker has gone");
    assert.equal(await page.evaluate(() => live.drop.solid.name), "Pot");
    assert.equal(await page.evaluate(() => live.models.settled), 0);
    await page.close();
});
