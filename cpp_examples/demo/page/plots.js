// Plots over time, as in the paper's figure 12, whose cursor is that of the replay; those of deforming meshes, of soft bodies and of budgets; and those of the studies.

import uPlot from "uplot";
import { el, number, sideName, tone } from "./dom.js";

/** Plots of a run; `onSeek(seconds)` is called for a click. Returns { element, at(seconds), remove() }. */
export function plotsOf(run, onSeek) {
    if (run.deforming) return ofDeforming(run, onSeek);
    const panels = run.budget ? ofBudget(run, onSeek) : run.soft ? ofSoft(run, onSeek) : run.beside ? ofBeside(run, onSeek) : run.series ? overTime(run, onSeek) : [];
    if (run.limits) panels.push(bowl(run));
    if (run.time) panels.push(rolling(run, onSeek));
    return {
        element: panels.length > 0 ? el("div", { class: "plots" }, panels.map((panel) => panel.element)) : null,
        at: (seconds) => panels.forEach((panel) => panel.at?.(seconds)),
        remove: () => panels.forEach((panel) => panel.remove()),
    };
}

function overTime(run, onSeek) {
    const { series } = run, times = Array.from({ length: run.steps ?? series.output?.length ?? 0 }, (_, step) => step * run.step);
    const events = (run.events ?? []).map(({ step }) => step * run.step);
    const line = (key, label, colour, more) => ({ values: series[key], label, colour, ...more });
    const plot = (title, unit, lines, note) => {
        const drawn = lines.filter(({ values }) => values?.some(Number.isFinite));
        return drawn.length > 0 ? panel({ title, note, x: { label: "s", values: times }, unit, lines: drawn, events, onSeek, linked: true }) : null;
    };
    const measured = series.colliding?.some(Number.isFinite);
    return [
        plot("Contacts", "", [line("output", "output", "green"), line("colliding", "colliding", "red"), line("pairs", "pairs", "blue")],
             measured ? "Points that collide, those that the engine is given, and pairs of bodies." : "Colliding points were not measured in this run."),
        // The total last, over what it is nearly all of.
        plot("Time a step", "ms", [line("detection_ms", "detection", "red"), line("physics_ms", "physics", "ink"), line("update_ms", "update", "violet"),
                                   line("fracture_ms", "fracture", "green"), line("total_ms", "total", "blue")],
             "Update: collision data after a break. Fracture: rule, pattern, exchange of bodies."),
        plot("Energy and bodies", "J", [line("energy", "mechanical energy", "red"), line("bodies", "bodies", "blue", { scale: "count" })],
             "Kinetic and potential; springs and new batches add to it."),
    ].filter((one) => one != null);
}

/** Each value is of a frame, which has several steps. */
function ofSoft(run, onSeek) {
    const { series } = run, times = series.query_ms.map((_, frame) => frame * run.step), events = run.events.map(({ step }) => step * run.step);
    const line = (key, label, colour, more) => ({ values: series[key], label, colour, ...more });
    const plot = (title, unit, note, lines, more) => panel({ title, note, x: { label: "s", values: times }, unit, lines, events, onSeek, linked: true, ...more });
    return [
        plot("Time a step", "ms", "Means of the steps of a frame. Update: positions and trees. Query: penalties of all pairs whose boxes meet. Physics: springs and motion. Something breaks at the vertical lines.",
             [line("query_ms", "query", "red"), line("update_ms", "update", "green"), line("physics_ms", "physics", "ink"), line("total_ms", "total", "blue")], { wide: true }),
        plot("Force", "N", "All penalty forces of a step, and the deepest penetration; the largest of a frame.",
             [line("force", "force", "red"), line("penetration_mm", "penetration in mm", "blue", { scale: "count" })]),
        plot("Penalties", "", "Means of the steps of a frame: penalties, and tetrahedra that soft bodies or cloth penetrate.",
             [line("penalties", "penalties", "red"), line("tets", "penetrated tetrahedra", "blue", { scale: "count" })]),
        plot("Energy and pieces", "J", "Kinetic and potential, of springs too, and parts that share no node.",
             [line("energy", "mechanical energy", "red"), line("pieces", "pieces", "blue", { scale: "count" })]),
    ];
}

/** The same heap without a limit and with budgets. */
function ofBudget({ series: { heaps }, budget: { runs }, step, steps }, onSeek) {
    const times = Array.from({ length: steps }, (_, k) => k * step), colours = ["red", "green", "blue"];
    const lines = (key) => heaps.map((heap, k) => ({ values: heap[key], label: runs[k].name, colour: colours[k] }));
    const plot = (title, unit, note, lines, more) => panel({ title, note, x: { label: "s", values: times }, unit, lines, onSeek, linked: true, ...more });
    const limited = (key, words, colours) => heaps.slice(1).map((heap, k) => ({ values: heap[key], label: `${runs[k + 1].name}${words}`, colour: colours[k] }));
    return [
        plot("Queries a step", "ms", "Time of all queries of a step.", lines("detection_ms"), { wide: true }),
        plot("Time a step", "ms", "Queries, broad phase and solver.", lines("total_ms")),
        plot("Contacts", "", "Contacts that the engine is given.", lines("contacts")),
        plot("Interrupted pairs", "", "Pairs whose share ended before all was known, and those of them in which no point was measured.",
             [...limited("interrupted", "", ["green", "blue"]), ...limited("unmeasured", ", not measured", ["ink", "violet"])]),
        plot("Deepest overlap", "mm", "Of all pairs, by the full query; looked at in some steps.", lines("overlap_mm")),
    ];
}

/** The same drop with both kinds of contacts. */
function ofBeside(run, onSeek) {
    const { series: { sides }, step, steps } = run, times = Array.from({ length: steps }, (_, k) => k * step), events = run.events.map((event) => event.step * step);
    // Ours last: until the break both are the same line.
    const lines = (key) => sides.map((side, k) => ({ values: side[key], label: sideName(run, k), colour: ["green", "red"][k] })).filter(({ values }) => values.some(Number.isFinite)).reverse();
    const plot = (title, unit, note, key) => panel({ title, note, x: { label: "s", values: times }, unit, lines: lines(key), events, onSeek, linked: true });
    return [
        plot("Energy", "J", "Kinetic and potential. It can only fall: what rises is pushed by overlaps that are none.", "energy"),
        plot("Time a step", "ms", "Of the engine, with its queries.", "total_ms"),
        plot("Deepest overlap", "mm", "Of all surfaces, vertex by vertex; looked at in some steps.", "overlap_mm"),
    ];
}

/** Plots of discrete or of continuous queries, with a switch. */
function ofDeforming(run, onSeek) {
    const grid = el("div", { class: "plots" });
    let panels = [], now = 0;
    const remove = () => panels.forEach((one) => one.remove());
    const buttons = ["discrete", "continuous"].map((query) => el("button", { onclick: () => show(query) }, query));
    const show = (query) => {
        remove();
        panels = ofQuery(run, query, onSeek);
        grid.replaceChildren(...panels.map(({ element }) => element));
        panels.forEach((one) => one.at(now));
        for (const button of buttons) {
            button.classList.toggle("chosen", button.textContent === query);
            button.setAttribute("aria-pressed", button.textContent === query);
        }
    };
    show("discrete");
    return {
        element: el("section", {}, el("div", { class: "engines queries", id: "queries" }, buttons), grid),
        at: (seconds) => {
            now = seconds;
            panels.forEach((one) => one.at(seconds));
        },
        remove,
    };
}

function ofQuery(run, query, onSeek) {
    const { off, fast, conservative } = run.series[query], { triangles, bodies } = run.series;
    const times = triangles.map((_, frame) => frame * run.step), events = run.events.map(({ step }) => step * run.step);
    const later = (values) => values.map((value, frame) => (frame > 0 ? value : null));
    const total = ({ mesh_ms, update_ms, query_ms }) => later(mesh_ms.map((ms, frame) => ms + update_ms[frame] + query_ms[frame]));
    const line = (values, label, colour, more) => ({ values, label, colour, ...more });
    const plot = (title, unit, note, lines, more) => panel({ title, note, x: { label: "s", values: times }, unit, lines, events, onSeek, linked: true, ...more });
    const missed = fast.missed.some((count) => count > 0) ? [line(fast.missed, "missed by fast", "violet")] : [];
    const first = conservative.first_impact ? [line(conservative.first_impact, "first impact", "blue", { scale: "count" })] : [];
    return [
        plot("Time a frame", "ms", `Mesh update, BVH update and ${query} query, one after the other; without the first frame, which builds the BVHs. The topology changes at the vertical lines.`,
             [line(total(off), "cones off", "red"), line(total(fast), "fast", "blue"), line(total(conservative), "conservative", "green")], { wide: true }),
        plot("Its parts", "ms", "With conservative cones.",
             [line(later(conservative.query_ms), "query", "red"), line(later(conservative.update_ms), "BVH update", "green"), line(later(conservative.mesh_ms), "mesh update", "blue")]),
        plot("Collisions", "", query === "discrete" ? "Pairs of triangles that intersect." : "Vertices that meet triangles, edges that meet edges, and the first time of impact; a step is from 0 to 1.",
             [line(conservative.found, "found", "red"), ...missed, ...first]),
        plot("Culled nodes", "", "Nodes whose inside the cones cull from self-collision.",
             [line(fast.culled_nodes, "fast", "blue"), line(conservative.culled_nodes, "conservative", "green")]),
        plot("Meshes", "", "Triangles of all bodies, and bodies.", [line(triangles, "triangles", "red"), line(bodies, "bodies", "blue", { scale: "count" })]),
    ];
}

function bowl({ limits, mean_penetration_mm, visited, drops }) {
    const lines = [{ values: mean_penetration_mm, label: "mean penetration", colour: "red", unit: "mm" },
                   { values: visited, label: "visited points", colour: "blue", scale: "count" }];
    return panel({
        title: "A plate in a bowl, by the number of contacts allowed", unit: "mm", points: true, tall: true,
        note: `The paper's figure 16${drops ? `, from ${number(drops)} drops` : ""}: the error falls quickly up to 8 contacts, and hardly after.`,
        x: { label: "contacts allowed", values: limits, each: true }, lines: lines.filter(({ values }) => values?.some(Number.isFinite)),
    });
}

function rolling({ time, adaptive, full }, onSeek) {
    const lines = [{ values: full, label: "full", colour: "red" }, { values: adaptive, label: "self-adapting", colour: "green" }];
    return panel({
        title: "Contacts of a rolling plate", unit: "", tall: true, onSeek, linked: true,
        note: "The paper's figure 5: up to 6 self-adapting, up to 128 in full.",
        x: { label: "s", values: time }, lines: lines.filter(({ values }) => values?.some(Number.isFinite)),
    });
}

/** One plot with its title. `events` are seconds to mark; with `x.each` every x has its tick, in steps that double. */
function panel({ title, note, x, unit, lines, events = [], onSeek, linked, points, tall, wide }) {
    const chart = el("div", { class: "chart" }), element = el("figure", { class: wide && "wide" }, el("figcaption", {}, el("b", {}, title), note ? ` ${note}` : null), chart);
    const axis = (more) => ({ stroke: tone("muted"), font: "11px system-ui, sans-serif", grid: { stroke: tone("line"), width: 1 }, ticks: { show: false }, ...more });
    const room = (_, labels) => Math.max(52, 10 + 6.5 * Math.max(...(labels ?? []).map((label) => label.length)));
    const y = (label, more) => axis({ size: room, values: (_, ticks) => ticks.map((tick) => (tick == null ? "" : `${number(tick)}${label}`)), ...more });
    const second = lines.some(({ scale }) => scale);
    const fromZero = { range: (_, low, high) => [Math.min(0, low ?? 0), (high ?? 1) * 1.05 || 1] };
    const cursorLine = el("div", { class: "now", hidden: !linked });
    const plot = new uPlot({
        width: 300, height: tall ? 320 : 220,
        legend: { live: true },
        cursor: { drag: { setScale: false }, points: { size: 6 }, sync: linked ? { key: "replay" } : undefined },
        scales: { x: { time: false, ...(x.each && { distr: 3, log: 2 }) }, y: fromZero, ...(second && { count: fromZero }) },
        axes: [axis({ size: 34, values: (_, ticks) => ticks.map((tick) => `${number(tick)}${x.label === "s" ? " s" : ""}`),
                      ...(x.each && { splits: () => x.values, filter: (_, ticks) => ticks }) }), y(unit ? ` ${unit}` : ""),
               ...(second ? [y("", { scale: "count", side: 1, grid: { show: false }, stroke: tone("blue") })] : [])],
        series: [
            { label: x.label === "s" ? "time" : x.label, value: (_, value) => (value == null ? "–" : x.label === "s" ? `${value.toFixed(2)} s` : number(value)) },
            ...lines.map(({ label, colour, scale }) => ({
                label, scale: scale ?? "y", stroke: tone(colour), width: 1.5, spanGaps: true, points: { show: points ?? false, size: 6, fill: tone(colour) },
                value: (u, _, series, at) => {
                    const value = lastKnown(u.data[series], at);
                    return `${number(value)}${scale || !unit || value == null ? "" : ` ${unit}`}`;
                },
            })),
        ],
        hooks: { drawClear: [(u) => markEvents(u, events)] },
    }, [x.values, ...lines.map(({ values }) => values)], chart);

    plot.over.append(cursorLine);
    if (onSeek) plot.over.addEventListener("click", () => plot.cursor.left >= 0 && onSeek(plot.posToVal(plot.cursor.left, "x")));
    const resizing = new ResizeObserver(() => chart.clientWidth > 0 && plot.setSize({ width: chart.clientWidth, height: tall ? 320 : 220 }));
    resizing.observe(chart);
    let shown = null;
    const at = (seconds) => {
        shown = seconds;
        cursorLine.style.transform = `translateX(${plot.valToPos(seconds, "x")}px)`;
        if (!(plot.cursor.left >= 0)) plot.setLegend({ idx: plot.valToIdx(seconds) });
    };
    plot.hooks.setSize = [() => shown != null && at(shown)];
    return { element, at: linked ? at : null, remove: () => (resizing.disconnect(), plot.destroy()) };
}

/** Colliding points are measured in some steps only. */
function lastKnown(values, at) {
    while (at > 0 && values[at] == null) --at;
    return at == null ? null : values[at];
}

/** Thin lines where something broke. */
function markEvents(plot, events) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = tone("mark");
    ctx.lineWidth = devicePixelRatio;
    for (const seconds of new Set(events)) {
        const at = plot.valToPos(seconds, "x", true);
        ctx.beginPath();
        ctx.moveTo(at, bbox.top);
        ctx.lineTo(at, bbox.top + bbox.height);
        ctx.stroke();
    }
    ctx.restore();
}
