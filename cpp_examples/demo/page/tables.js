// The tables: ours beside the paper's, checks, the engine's own colliders, and all runs at a glance.

import { absent, el, engineName, meanAndMax, number, readable, sideName } from "./dom.js";
import { whatIsKnown } from "./known.js";
import { machine, scenarios } from "./paper.js";
import { engines, find, missed, subject, subjects, withoutEngine } from "./runs.js";

/** A titled table; rows are { cells, class } and scroll sideways where they are too wide. */
function table(id, title, note, head, rows) {
    return el("section", { id }, el("h2", {}, title), note ? el("p", { class: "note" }, note) : null,
        el("div", { class: "scroll", role: "region", "aria-label": title, tabindex: 0 }, el("table", {},
            el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))),
            el("tbody", {}, rows.map((row) => el("tr", { class: row.class }, row.cells.map((cell) => el("td", {}, cell))))))));
}

/** Two rows a scenario, ours over the paper's. `cells` makes a row of what both have. */
function besidePaper(id, title, note, head, key, cells, engine, chosen) {
    const rows = scenarios.flatMap((row) => {
        const ours = find(row.scenario, engine)?.[key];
        const mark = row.scenario === chosen ? " chosen" : "";
        return [
            { class: `ours${mark}`, cells: [readable(row.scenario), `Fracas, ${engineName(engine)}`, ...(ours ? cells(ours) : head.map(() => absent))] },
            { class: `paper${mark}`, cells: ["", row.paper === readable(row.scenario) ? "paper" : `paper: ${row.paper}`, ...cells(row[key])] },
        ];
    });
    return table(id, title, note, ["Scenario", "", ...head], rows);
}

export function paperTables(engine, chosen) {
    return [
        besidePaper("table2", "Statistics beside the paper’s table 2", "Points: mean of all steps (maximum).",
            ["Triangles before / after", "Fragments", "Output points", "Colliding points"], "table2",
            (t) => [`${number(t.triangles_before)} / ${number(t.triangles_after)}`, number(t.fragments),
                    meanAndMax(t.output_mean, t.output_max), meanAndMax(t.colliding_mean, t.colliding_max)], engine, chosen),
        besidePaper("table3", "Times beside the paper’s table 3",
            `Milliseconds, mean of all steps (maximum). The last two are taken at fractures only. The paper’s machine: ${machine}.`,
            ["Step", "Total", "Detection", "Physics", "Update, max", "Fracture, max"], "table3",
            (t) => [number(t.step_ms), meanAndMax(t.total_mean, t.total_max), meanAndMax(t.detection_mean, t.detection_max),
                    meanAndMax(t.physics_mean, t.physics_max), number(t.update_max), number(t.fracture_max)], engine, chosen),
    ];
}

const rules = { "<=": "≤", ">=": "≥", "<": "<", ">": ">", "==": "=" };

export function checksTable(run) {
    const { checks, engine } = run;
    if (!checks?.length) return null;
    const failed = missed(run);
    const note = failed.length > 0 ? el("span", {}, el("b", { class: "missed" }, `${failed.length} missed`), ` of ${checks.length}.`) : `All ${checks.length} met.`;
    const barOf = ({ bar, rule, unit }) => (bar == null ? absent : `${rules[rule] ?? rule ?? ""} ${withMeasure(bar, unit)}`);
    // What was missed comes first.
    const rows = [...checks].sort((a, b) => a.met - b.met).map((check) => ({
        class: check.met ? "" : "failed",
        cells: [el("span", { class: check.met ? "met" : "missed" }, check.met ? "met" : "missed"), check.name, withMeasure(check.value, check.unit), barOf(check),
                el("div", { class: "words" }, check.words ?? "")],
    }));
    const section = table("checks", "Checks", note, ["", "Check", "Value", "Bar", ""], rows);
    // Outside of what scrolls: on a phone too it is read at once.
    if (failed.length > 0)
        section.querySelector(".note").after(el("ul", { class: "known" }, failed.map((check) => el("li", {}, el("b", {}, check.name), ` is ${withMeasure(check.value, check.unit)}, the bar ${barOf(check)}. `,
            whatIsKnown(check.name, subject(run), engine)))));
    return section;
}

/** What was measured without a bar to hold it against: no mark. */
export function figuresTable({ figures }) {
    if (!figures?.length) return null;
    return table("figures", "Figures without a bar", null, ["", "Value", ""],
        figures.map(({ name, value, unit, words }) => ({ cells: [name, withMeasure(value, unit), el("div", { class: "words" }, words ?? "")] })));
}

/** What Fracas's contacts and the engine's own hulls are compared by: first what is right or wrong, then what it costs. */
const comparisons = [
    ["Pairs that overlap at the break", "break_pairs", "", "The surfaces just touch: each is wrong."],
    ["Deepest of these", "break_overlap_mm", "mm"],
    ["Phantom contacts", "phantom_pairs", "", "Pairs in contact whose surfaces are more than 0.5 mm apart, mean of all looks."],
    ["Widest phantom gap", "phantom_gap_mm", "mm"],
    ["Rise of the energy after the break", "energy_rise_percent", "%", "The most within 30 steps."],
    ["Overlap at the end", "overlap_mm", "mm", "By the surfaces, vertex by vertex. Engines leave some on purpose, their slop is 0.1 mm here; hulls that stand out beyond the surfaces keep these farther apart."],
    ["Preparation at the break", "prepare_ms", "ms", "Fracas: the cut and all collision data. Hulls: cooking alone; the cut before it, which they need too, is not counted."],
    ["First step after it", "first_step_ms", "ms", "Every pair is asked for the first time."],
    ["Steps from there on, mean", "step_mean_ms", "ms", "Of the whole world, the solver included."],
];
/** Less than this share apart, times and lengths are alike. */
const alike = 0.05;

/** Which of the two is better, less being better in all of them: 0, 1, or -1 for alike or not known. */
export function better(sides, key) {
    const [ours, theirs] = sides.map((side) => side[key]);
    if (!Number.isFinite(ours) || !Number.isFinite(theirs) || Math.abs(ours - theirs) <= alike * Math.max(Math.abs(ours), Math.abs(theirs))) return -1;
    return ours < theirs ? 0 : 1;
}

/** In a few words each what is better and what is worse with Fracas, with the figures: a heading, and what follows. */
export function verdicts(run) {
    const told = (which) => comparisons.filter(([, key]) => better(run.beside.sides, key) === which)
        .map(([words, key, unit]) => `${words.charAt(0).toLowerCase()}${words.slice(1)} (${run.beside.sides.map((side) => number(side[key])).join(" against ")}${unit ? ` ${unit}` : ""})`);
    const [ours, theirs] = [0, 1].map(told), list = (all) => (all.length > 0 ? all.join(", ") : "nothing");
    return [["Better with Fracas:", ` ${list(ours)}.`], ["Better with hulls:", ` ${list(theirs)}.`]];
}

/** Fracas's contacts and the engine's own hulls, for the same drop. */
export function besideTable(run) {
    if (!run.beside) return null;
    const rows = comparisons.map(([words, key, unit, note]) => {
        const best = better(run.beside.sides, key);
        return { cells: [words, ...run.beside.sides.map((side, k) => el("span", { class: k === best ? "better" : "" }, withMeasure(side[key], unit))),
                         best < 0 ? "" : best === 0 ? "Fracas" : "hulls", el("div", { class: "words" }, note ?? "")] };
    });
    return table("beside", "In figures", null, ["", ...run.beside.sides.map((_, k) => sideName(run, k)), "Better", ""], rows);
}

export function collidersTable({ colliders, engine }) {
    if (!colliders?.length) return null;
    const head = ["Collider", "Cracks", "Preparation", "First pass", "Pass", "Penetration error", "Gap error", "Phantom pairs", "Missed pairs"];
    const rows = colliders.map((c) => ({
        class: /fracas/i.test(c.name) ? "chosen" : "",
        cells: [c.name, c.cracks ?? absent, ...[c.prepare_ms, c.first_pass_ms, c.pass_ms].map((ms) => withMeasure(ms, "ms")),
                ...[c.penetration_error_mm, c.gap_error_mm].map((mm) => withMeasure(mm, "mm")), number(c.phantom_pairs), number(c.missed_pairs)],
    }));
    return table("colliders", `${engineName(engine)}’s own colliders, for the same fragments`,
        "Preparation at the fracture; a pass is over all pairs. Phantom: pairs said to touch that do not. Missed: the reverse.", head, rows);
}

const withMeasure = (value, unit) => (number(value) === absent ? absent : `${number(value)}${unit ? ` ${unit}` : ""}`);

/** The study of the bowl in figures. */
export function bowlTable({ limits, mean_penetration_mm, visited }) {
    if (!limits) return null;
    return table("bowl", "In figures", null, ["Contacts allowed", "Mean penetration", "Visited points"],
        limits.map((limit, k) => ({ cells: [number(limit), withMeasure(mean_penetration_mm?.[k], "mm"), number(visited?.[k])] })));
}

/** Deforming meshes with and without cones. */
export function conesTable({ deforming }) {
    if (!deforming) return null;
    const head = ["Query", "Cones", "Mean", "Worst", "Mesh update", "BVH update", "Query", "Event / next three", "Found", "Missed", "Culled nodes"];
    const rows = deforming.rows.map((row) => ({
        class: row.cones === "conservative" ? "chosen" : "",
        cells: [row.cones === "off" ? readable(row.query) : "", row.cones, ...[row.mean_ms, row.worst_ms, row.mesh_ms, row.update_ms, row.query_ms].map((ms) => withMeasure(ms, "ms")),
                number(row.event_ratio), number(row.found), row.cones === "off" ? absent : number(row.missed), number(row.culled_nodes)],
    }));
    return table("cones", "With and without cones",
        `On ${deforming.threads > 1 ? `${deforming.threads} threads` : "one thread"}. Times, found and culled: means of all frames but the first. Event / next three: a frame in which the topology changes, over the median of the next three; mean of all events. `
        + "Missed: collisions of all frames that are found without cones, and not with these.", head, rows);
}

/** Soft bodies in figures. */
export function softTable({ soft }) {
    if (!soft) return null;
    const head = ["Update", "Worst", "Query", "Worst", "Step", "Penalties", "Query a penetrated tetrahedron", "Deepest penetration", "Strongest force"];
    return table("soft", "In figures", "Means of all steps, on one thread. Query a penetrated tetrahedron: of pairs of soft bodies, and of cloth.", head,
        [{ cells: [...[soft.update_mean_ms, soft.update_worst_ms, soft.query_mean_ms, soft.query_worst_ms, soft.total_mean_ms].map((ms) => withMeasure(ms, "ms")),
                   number(soft.penalties_mean), withMeasure(soft.query_us_per_tet, "µs"), withMeasure(soft.deepest_mm, "mm"), withMeasure(soft.strongest_newtons, "N")] }]);
}

/** The same heap without a limit and with budgets. */
export function budgetTable({ budget }) {
    if (!budget) return null;
    const head = ["Budget", "Units a step", "Queries", "Step", "Most work", "Contacts", "Interrupted", "Not measured", "Overlap at the end", "Mean overlap", "Speed at the end", "Below the ground"];
    const rows = budget.runs.map((run, k) => ({
        class: k === 0 ? "chosen" : "",
        cells: [run.name, k === 0 ? absent : number(run.units), `${meanAndMax(run.detection_mean_ms, run.detection_worst_ms)} ms`, `${meanAndMax(run.total_mean_ms, run.total_worst_ms)} ms`,
                number(run.work_worst), number(run.contacts_mean), withMeasure(run.interrupted_percent, "%"), withMeasure(run.unmeasured_percent, "%"),
                withMeasure(run.overlap_mm, "mm"), withMeasure(run.mean_overlap_mm, "mm"), withMeasure(run.speed, "m/s"), number(run.below)],
    }));
    return table("budget", "In figures", "Times: mean of all steps (maximum). Interrupted and not measured: of all pairs of all steps. Overlap at the end: of the deepest pair, and mean of all pairs that overlap. Speed: root mean square of all bodies.",
        head, rows);
}

/** Every scenario on every engine: how many checks were met. */
export function overview(chosen, link) {
    const rows = subjects.map((name) => ({
        class: name === chosen ? "chosen" : "",
        cells: [readable(name), ...engines.map((one) => {
            const run = find(name, one);
            if (!run) return el("span", { class: "words" }, withoutEngine(name) === (one === "none") ? "not run" : "");
            const count = run.checks?.length ?? 0, failed = missed(run).length;
            const words = count === 0 ? "shown" : failed > 0 ? `${failed} of ${count} missed` : `${count} met`;
            return el("a", { href: link(name, one), class: failed > 0 ? "missed" : "", onclick: () => scrollTo({ top: 0 }) }, words);
        })],
    }));
    return table("overview", "All runs", "How many checks each run met.", ["", ...engines.map(engineName)], rows);
}
