// The report page: tabs for scenarios, a choice of engines, and for the chosen run its replay, plots and tables.
// The address after # says which run is shown.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { el, engineName, number, readable, sideName } from "./dom.js";
import { Player } from "./player.js";
import { plotsOf } from "./plots.js";
import { engines, films, find, hasFilm, missed, runs, subject, subjects, withoutEngine } from "./runs.js";
import { lockViews, Stage } from "./stage.js";
import { besideTable, bowlTable, budgetTable, checksTable, collidersTable, conesTable, figuresTable, overview, paperTables, softTable, verdicts } from "./tables.js";

const place = (id) => document.getElementById(id);
const link = (name, engine) => `#${name}/${engine}`;
let plots = null, shown = null;

const player = new Player((seconds) => {
    for (const stage of stages) stage.at(seconds);
    plots?.at(seconds);
});
/** A second picture stands beside the first, for runs that have two films. */
const screens = [0, 1].map(() => el("div", { class: "screen" }));
const names = screens.map((screen) => screen.appendChild(el("span", { class: "name" })));
const hint = el("p", { class: "hint" });
const toggle = (id, label, on, change) => el("label", {}, el("input", { type: "checkbox", id, checked: on, onchange: (event) => change(event.target.checked) }), label);
const legend = el("span", { class: "legend" });
let wantsContacts = true;
const contactsToggle = toggle("contacts", "contacts", true, (on) => showContacts((wantsContacts = on)));
function showContacts(on) {
    for (const stage of stages) {
        stage.contacts.group.visible = on;
        stage.draw();
    }
    legend.hidden = !on;
    contactsToggle.firstChild.checked = on;
}

const theatre = el("div", { class: "theatre" }, el("div", { class: "screens" }, screens), player.bar, el("div", { class: "options" }, contactsToggle, legend,
    toggle("wire", "wire", false, (on) => stages.forEach((stage) => stage.wires(on))),
    el("button", { class: "quiet", onclick: () => stages.forEach((stage) => stage.resetView()) }, "reset view"), hint));
const stages = openStages();

function openStages() {
    try {
        const both = screens.map((screen) => new Stage(screen));
        lockViews(both);
        return both;
    } catch {
        screens[1].hidden = true;
        screens[0].append(el("p", { class: "absent" }, "This browser has no WebGL, so the replay cannot be shown. The figures are below."));
        return [];
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
    const choices = engines.filter((engine) => withoutEngine(subject(run)) === (engine === "none")).map((engine) => find(subject(run), engine)
        ? el("a", { href: link(subject(run), engine), class: engine === run.engine ? "chosen" : "" }, engineName(engine))
        : el("span", { title: "not run" }, engineName(engine)));
    const bar = el("div", { class: "tabs", id: "tabs" }, tabs), tab = tabs[subjects.indexOf(subject(run))];
    place("choice").replaceChildren(bar, el("div", { class: "engines", id: "engines" }, choices));
    bar.scrollLeft = tab.offsetLeft - bar.offsetLeft + (tab.offsetWidth - bar.clientWidth) / 2; // on a phone they do not all fit
}

/** The few figures that say most. */
function keyFigures({ table2, table3, deforming, soft, budget, step }) {
    const tiles = [];
    const tile = (value, words) => Number.isFinite(value) && tiles.push(el("div", {}, el("b", {}, number(value)), words));
    if (deforming) {
        const row = (query, cones) => deforming.rows.find((one) => one.query === query && one.cones === cones);
        tile(deforming.triangles[1], "triangles at the end");
        tile(deforming.bodies[1], "bodies at the end");
        for (const query of ["discrete", "continuous"]) {
            const { mean_ms, found } = row(query, "conservative");
            tile(mean_ms, `ms a frame for ${number(found)} ${query} collisions, conservative cones; ${number(row(query, "off").mean_ms)} without cones`);
        }
    }
    if (soft) {
        tile(soft.tets[1], "tetrahedra at the end");
        tile(soft.pieces, "pieces at the end");
        tile(soft.update_mean_ms, "ms of update in a step");
        tile(soft.query_mean_ms, `ms of queries in a step, for ${number(soft.penalties_mean)} penalties`);
        tile(soft.deepest_mm, "mm deepest penetration");
    }
    for (const { name, units, detection_worst_ms, mean_overlap_mm } of budget?.runs ?? [])
        tile(detection_worst_ms, `ms of queries in the worst step, ${units > 0 ? `budget: ${name}` : name}; mean overlap ${number(mean_overlap_mm)} mm`);
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
    const { deforming, soft } = run, alone = run.engine === "none";
    showChoice(run);
    player.load(0, []);
    theatre.classList.toggle("two", run.beside !== undefined);
    screens[1].hidden = run.beside === undefined;
    names.forEach((name, k) => (name.textContent = run.beside ? sideName(run, k) : ""));
    plots?.remove();
    plots = plotsOf(run, (seconds) => (player.pause(), player.seek(seconds)));
    place("title").replaceChildren(el("h2", { class: "title" }, run.title ?? studyTitles[run.study] ?? readable(subject(run)), el("small", {}, alone ? " without an engine" : ` on ${engineName(run.engine)}`)));
    place("replay").replaceChildren(...(hasFilm(run) ? [theatre] : []));
    place("first").classList.toggle("full", hasFilm(run));
    place("run").replaceChildren(...[
        deforming ? el("p", { class: "note" }, sizesOf(run)) : soft ? el("p", { class: "note" }, softSizesOf(run)) : run.budget ? el("p", { class: "note" }, budgetWords) : run.beside ? el("div", { id: "verdicts" }, el("p", { class: "note" }, besideWords(run)), verdicts(run).map(([which, words]) => el("p", {}, el("b", {}, which), words))) : null,
        keyFigures(run), besideTable(run), checksTable(run), figuresTable(run), plots.element, conesTable(run), softTable(run), budgetTable(run), bowlTable(run), collidersTable(run),
        run.settings ? el("section", { id: "settings" }, el("h2", {}, `${engineName(run.engine)}’s settings`), el("pre", {}, run.settings)) : null,
    ].filter((part) => part != null));
    place("all").replaceChildren(...(alone ? [] : paperTables(run.engine, subject(run))), overview(subject(run), link));
    if (hasFilm(run) && stages.length > 0) await loadFilms(run);
}

function sizesOf({ steps, deforming: { triangles, bodies, film_triangles } }) {
    const span = ([first, last], words) => `${first === last ? number(last) : `${number(first)} to ${number(last)}`} ${words}`;
    return `A generated sequence like those of FASTCD (Heo et al. 2010): ${number(steps)} frames, ${span(triangles, "triangles")}, ${span(bodies, "bodies")}. `
        + (film_triangles[1] < triangles[1] ? `The replay shows it with ${span(film_triangles, "triangles")}; all figures are of the larger one.` : "");
}

function softSizesOf({ soft: { words, tets, steps, step_ms } }) {
    const span = tets[0] === tets[1] ? number(tets[0]) : `${number(tets[0])} to ${number(tets[1])}`;
    return `${words} ${span} tetrahedra, ${number(steps)} steps of ${number(step_ms)} ms, in the simulator of cpp_examples/05_soft_bodies.`;
}

const budgetWords = "The same heap three times, from left to right: without a limit, then with a third and a tenth of the work of its densest step as the budget of every step. "
    + "The time of a step stays flat, and contacts get coarser: bodies overlap more. The replay shows contacts deeper than 1 mm.";

const besideWords = ({ engine, beside: { fragments } }) => `The same drop twice. Both break alike, into ${number(fragments)} pieces with rough cracks, and have the same poses and velocities then. `
    + `On the left ${engineName(engine)} gets its contacts from Fracas; on the right each piece has a convex hull of ${engineName(engine)}’s own. Hulls fill what is hollow and smooth what is rough: cheap, and wrong there. `
    + "Fracas asks the surfaces themselves. Contacts are shown on the left only: the engine does not tell its own.";

const studyTitles = { bowl: "How many contacts are enough", rolling: "A rolling plate" };

async function loadFilms(run) {
    for (const stage of stages) stage.show(null);
    hint.textContent = "unpacking …";
    theatre.classList.remove("ready");
    const replays = await films(run), [replay] = replays, [stage] = stages;
    if (run !== shown) return; // another was chosen meanwhile
    // The second picture is framed as the first, so that what differs is the bodies.
    // Of the same drop one wants to see the break from near.
    stage.show(replay, run.beside && [0, run.events[0].step * run.step]);
    if (replays.length > 1) stages[1].show(replays[1], null, stage.frame);
    hint.textContent = `drag to orbit, wheel to zoom${stage.hasGround ? "; squares of 10 cm" : ""}`;
    showContacts(wantsContacts && !run.beside); // only one of two worlds has contacts to show, and they hide what is compared
    contactsToggle.lastChild.textContent = run.soft ? "forces" : replay.deforming ? "collisions" : "contacts";
    if (replay.deforming && !run.soft) legend.replaceChildren(el("i", { class: "colliding" }), "triangles that intersect");
    else legend.replaceChildren("0", el("i"), `${number(1000 * stage.contacts.deepest)} mm deep or more`);
    player.load((replay.frameCount - 1) * replay.secondsPerFrame, (run.events ?? []).map(({ step, fragments }) =>
        ({ seconds: step * run.step, words: `breaks into ${number(fragments)}` })));
    theatre.classList.add("ready");
    // A still picture is of the broken body.
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
    else if (run.events?.length > 0) player.seek(run.events[0].step * run.step + 0.2);
}

function begin() {
    if (runs.length === 0) return place("lead").replaceChildren("There are no runs yet: scripts/demo makes them.");
    const names = engines.filter((engine) => engine !== "none").map(engineName), list = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
    place("lead").textContent = [
        list && `Bodies break in ${list}, in the scenarios of Glondu et al. 2013, and every contact of a breaking body comes from Fracas.`,
        runs.some((run) => run.deforming) && "Meshes deform and break without an engine, in sequences like those of Heo et al. 2010, and Fracas finds the collisions.",
        runs.some((run) => run.soft) && "Soft bodies break, tear and are cut in scenes like those of Marchal et al. 2004, and penalties of Fracas push them apart.",
    ].filter((sentence) => sentence).join(" ");
    addEventListener("hashchange", show);
    addEventListener("keydown", (event) => {
        if (event.key !== " " || /^(INPUT|SELECT|BUTTON|A)$/.test(event.target.tagName) || !hasFilm(shown)) return;
        event.preventDefault();
        player.toggle();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        for (const stage of stages) stage.paint();
        shown = null; // plots are drawn anew in the other colours
        show();
    });
    show();
}

begin();
