// The runs that the page carries, and the film of one of them.

import { scenarios } from "./paper.js";
import { unpack } from "./replay.js";

/** Each a file of the demo: a scenario on an engine or without one, or a study. */
export const runs = JSON.parse(document.getElementById("runs").textContent);

/** What a tab stands for. */
export const subject = (run) => run.scenario ?? run.study;

const inOrder = ["beside", ...scenarios.map(({ scenario }) => scenario)];
const rank = (name) => (inOrder.includes(name) ? inOrder.indexOf(name) : withoutEngine(name) ? 150 : runs.some((run) => run.scenario === name) ? 100 : 200);

/** Whether it needs no engine: deforming meshes, soft bodies. */
export const withoutEngine = (name) => runs.some((run) => subject(run) === name && run.engine === "none");

/** Both kinds of contacts beside each other, the paper's scenarios in its order, then ours, then those without an engine, then studies. */
export const subjects = [...new Set(runs.map(subject))].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));

const engineOrder = ["jolt", "bullet", "physx", "ode", "rapier", "none"];
export const engines = [...new Set(runs.map((run) => run.engine))].sort((a, b) => engineOrder.indexOf(a) - engineOrder.indexOf(b));

export const find = (name, engine) => runs.find((run) => subject(run) === name && run.engine === engine);

export const missed = (run) => (run?.checks ?? []).filter((check) => !check.met);

const packed = (name) => document.getElementById(`replay:${name}`);
const filmsOf = (run) => [run.replay, ...(run.beside ? [run.beside.replay] : [])];
export const hasFilm = (run) => filmsOf(run).every((name) => packed(name) !== null);

/** The film of a run; both, if it has one of the engine's own colliders too. */
export const films = (run) => Promise.all(filmsOf(run).map(film));

async function film(name) {
    const text = atob(packed(name).textContent), zipped = new Uint8Array(text.length);
    for (let k = 0; k < text.length; ++k) zipped[k] = text.charCodeAt(k);
    const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
    return unpack(new Uint8Array(await new Response(stream).arrayBuffer()));
}
