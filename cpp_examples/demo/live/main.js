// The live page: a body hangs in the air until it is struck or let go; a click breaks a piece where it was clicked, dragging throws it.
// Fracture and contacts are fracas in WebAssembly, solver.js moves the pieces, three.js draws them.

import { load } from "../../../bindings/npm/index.js";
import { walls } from "./arena.js";
import { Comparison } from "./compare.js";
import { Drop } from "./drop.js";
import { Models } from "./model.js";
import { note } from "./note.js";
import { Panel } from "./panel.js";
import { Pointer } from "./pointer.js";
import { probe } from "./probe.js";
import { density, Solids } from "./solids.js";
import { World, seconds } from "./solver.js";
import { Stage } from "./stage.js";

const element = (id) => document.getElementById(id);
const capacity = 400, mostSteps = 4;
const howTo = "Click it to break it there, or press Drop. Drag pieces to throw them, the floor to look around.";

/** The file's bytes, which build.mjs has packed into the page. */
async function unpack(text) {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const isRough = () => element("rough").checked;
/** Into how many pieces the visitor wants things, and how rough. */
const wishes = () => ({ wanted: Number(element("pieces").value), roughness: isRough() ? Number(element("roughness").value) : 0 });

function showWishes() {
    element("piecesShown").textContent = element("pieces").value;
    element("roughness").disabled = !isRough();
    element("roughnessShown").textContent = isRough() ? `${(100 * Number(element("roughness").value)).toFixed(1)} %` : "smooth";
}

async function begin() {
    const module = await WebAssembly.compile(await unpack(element("wasm").textContent));
    element("wasm").remove();
    const fracas = await load(module), world = new World(fracas, capacity, 8192, walls), stage = new Stage(world);
    const comparison = new Comparison(fracas, world), panel = new Panel();
    const complain = (why) => note(why, innerWidth / 2, innerHeight / 2);
    const drop = new Drop(fracas, world, stage, comparison, { wishes, complain });
    const solids = new Solids(fracas, element("body"), (solid) => stage.materials.forget(solid));
    const isPaused = () => element("pause").checked;
    const pointer = new Pointer(stage, world, drop, isPaused);

    const reset = () => {
        drop.begin(solids.chosen);
        element("hint").textContent = howTo;
    };
    const release = () => {
        if (drop.isBegun) reset();
        drop.act();
        if (isPaused()) complain("Time is paused: untick Pause to see it fall.");
    };
    const models = new Models(element("worker").textContent, module, density, (solid, bytes) => {
        world.clear(); // nothing of the old model is left
        stage.clear();
        solids.own(solid, bytes);
        reset();
    });
    const controls = element("controls");
    controls.addEventListener("submit", (event) => event.preventDefault());
    controls.addEventListener("input", () => {
        showWishes();
        stage.stale = true; // contacts may have been asked for
    });
    element("body").addEventListener("change", reset);
    element("reset").addEventListener("click", reset);
    element("drop").addEventListener("click", release);
    for (const choice of document.querySelectorAll("[name=contacts]")) choice.addEventListener("change", () => drop.again(choice.value));
    element("pause").checked = location.hash === "#paused";
    showWishes();
    reset();

    let last = performance.now(), owed = 0;
    const frame = (now) => {
        requestAnimationFrame(frame);
        owed = isPaused() ? 0 : Math.min(owed + (now - last) / 1000, mostSteps * seconds);
        last = now;
        world.times.contacts = world.times.solver = 0;
        for (; owed >= seconds; owed -= seconds) drop.step();
        if (stage.stale) {
            const start = performance.now();
            stage.draw(element("showContacts").checked);
            panel.frame({ drawing: performance.now() - start, ...world.times });
        }
        panel.show(now, world, drop, comparison);
    };
    requestAnimationFrame(frame);
    window.live = probe({ fracas, world, stage, drop, pointer, comparison, models });
}

try {
    await begin();
} catch (error) {
    element("failure").textContent = `This page needs WebAssembly with exceptions, and WebGL, which current browsers have: ${error.message}`;
    element("failure").hidden = false;
    element("hint").textContent = "";
    console.error(error);
}
