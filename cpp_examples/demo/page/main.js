// The report page: tabs for scenarios, a choice of engines, and for the chosen run its replay, plots and tables.
// The address after # says which run is shown.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { el, engineName, number, readable } from "./dom.js";
import { Player } from "./player.js";
import { plotsOf } from "./plots.js";
import { engines, film, find, hasFilm, missed, runs, subject, subjects } from "./runs.js";
import { Stage } from "./stage.js";
import { bowlTable, checksTable, collidersTable, overview, paperTables } from "./tables.js";

const place = (id) => document.getElementById(id);
const link = (name, engine) => `#${name}/${engine}`;
let plots = null, shown = null;

const player = new Player((seconds) => {
    stage?.at(seconds);
    plots?.at(seconds);
});
const screen = el("div", { class: "screen" });
const hint = el("p", { class: "hint" });
const toggle = (id, label, on, change) => el("label", {}, el("input", { type: "checkbox", id, checked: on, onchange: (event) => change(event.target.checked) }), label);
const legend = el("span", { class: "legend" });
const theatre = el("div", { class: "theatre" }, screen, player.bar, el("div", { class: "options" },
    toggle("contacts", "contacts", true, (on) => {
        stage.contacts.group.visible = on;
        legend.hidden = !on;
        stage.draw();
    }), legend,
    toggle("wire", "wire", false, (on) => stage.wires(on)),
    el("button", { class: "quiet", onclick: () => stage.resetView() }, "reset view"), hint));
const stage = openStage();

function openStage() {
    try {
        return new Stage(screen);
    } catch {
        screen.append(el("p", { class: "absent" }, "This browser has no WebGL, so the replay cannot be shown. The figures are below."));
        return null;
    }
}

/** The run that the address names, or the nearest that there is. */
function chosenRun() {
    const [name, engine] = decodeURIComponent(location.hash.slice(1)).split("/");
    const wanted = subjects.includes(name) ? name : subjects[0];
    return find(wanted, engine) ?? runs.find((run) => subject(run) === wanted && run.engine === (shown?.engine ?? engines[0])) ?? runs.find((run) => subject(run) === wanted);
}

function showChoice(run) {
    const tabs = subjects.map((name) => {
        const target = find(name, run.engine) ?? runs.find((one) => subject(one) === name), failed = missed(target).length;
        return el("a", { href: link(name, target.engine), class: name === subject(run) ? "chosen" : "", "aria-current": name === subject(run) && "page" },
            readable(name), failed > 0 ? el("sup", { title: `${failed} of its checks missed` }, String(failed)) : null);
    });
    const choices = engines.map((engine) => find(subject(run), engine)
        ? el("a", { href: link(subject(run), engine), class: engine === run.engine ? "chosen" : "" }, engineName(engine))
        : el("span", { title: "not run" }, engineName(engine)));
    place("choice").replaceChildren(el("div", { class: "tabs", id: "tabs" }, tabs), el("div", { class: "engines", id: "engines" }, choices));
}

/** The few figures that say most. */
function keyFigures({ table2, table3, step }) {
    const tiles = [];
    const tile = (value, words) => Number.isFinite(value) && tiles.push(el("div", {}, el("b", {}, number(value)), words));
    tile(table2?.fragments, "fragments");
    tile(table2?.triangles_after, "triangles at the end");
    tile(table2?.output_mean, Number.isFinite(table2?.colliding_mean) ? `contacts a step, of ${number(table2.colliding_mean)} colliding points` : "contacts a step");
    tile(table3?.detection_mean, `ms of detection in a step${step ? ` of ${number(1000 * step)} ms` : ""}`);
    tile(table3?.total_mean, "ms a step in all");
    return tiles.length > 0 ? el("div", { class: "tiles" }, tiles) : null;
}

async function show() {
    const run = chosenRun();
    if (!run || run === shown) return;
    shown = run;
    document.title = `${run.title ?? readable(subject(run))}, ${engineName(run.engine)} – Fracas`;
    showChoice(run);
    player.load(0, []);
    plots?.remove();
    plots = plotsOf(run, (seconds) => (player.pause(), player.seek(seconds)));
    place("run").replaceChildren(...[
        el("h2", { class: "title" }, run.title ?? studyTitles[run.study] ?? readable(subject(run)), el("small", {}, ` on ${engineName(run.engine)}`)),
        hasFilm(run) ? theatre : null, keyFigures(run), plots.element, checksTable(run), bowlTable(run), collidersTable(run),
        run.settings ? el("section", { id: "settings" }, el("h2", {}, `${engineName(run.engine)}’s settings`), el("pre", {}, run.settings)) : null,
    ].filter((part) => part != null));
    place("all").replaceChildren(...paperTables(run.engine, subject(run)), overview(subject(run), link));
    if (hasFilm(run) && stage) await loadFilm(run);
}

const studyTitles = { bowl: "How many contacts are enough", rolling: "A rolling plate" };

async function loadFilm(run) {
    stage.show(null);
    hint.textContent = "unpacking …";
    theatre.classList.remove("ready");
    const replay = await film(run);
    if (run !== shown) return; // another was chosen meanwhile
    stage.show(replay);
    hint.textContent = `drag to orbit, wheel to zoom${stage.hasGround ? "; squares of 10 cm" : ""}`;
    legend.replaceChildren("0", el("i"), `${number(1000 * stage.contacts.deepest)} mm deep or more`);
    player.load((replay.frameCount - 1) * replay.secondsPerFrame, (run.events ?? []).map(({ step, fragments }) =>
        ({ seconds: step * run.step, words: `breaks into ${number(fragments)}` })));
    theatre.classList.add("ready");
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
}

function begin() {
    if (runs.length === 0) return place("lead").replaceChildren("There are no runs yet: scripts/demo makes them.");
    const names = engines.map(engineName), list = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
    place("lead").textContent = `Bodies break in ${list}, in the scenarios of Glondu et al. 2013, and every contact of a breaking body comes from Fracas.`;
    addEventListener("hashchange", show);
    addEventListener("keydown", (event) => {
        if (event.key !== " " || /^(INPUT|SELECT|BUTTON|A)$/.test(event.target.tagName) || !hasFilm(shown)) return;
        event.preventDefault();
        player.toggle();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        stage?.paint();
        shown = null; // plots are drawn anew in the other colours
        show();
    });
    show();
}

begin();
