// Plots over time, as in the paper's figure 12, whose cursor is that of the replay; and those of the studies.

import uPlot from "uplot";
import { el, number, tone } from "./dom.js";

/** Plots of a run; `onSeek(seconds)` is called for a click. Returns { element, at(seconds), remove() }. */
export function plotsOf(run, onSeek) {
    const panels = run.series ? overTime(run, onSeek) : [];
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
function panel({ title, note, x, unit, lines, events = [], onSeek, linked, points, tall }) {
    const chart = el("div", { class: "chart" }), element = el("figure", {}, el("figcaption", {}, el("b", {}, title), note ? ` ${note}` : null), chart);
    const axis = (more) => ({ stroke: tone("muted"), font: "11px system-ui, sans-serif", grid: { stroke: tone("line"), width: 1 }, ticks: { show: false }, ...more });
    const y = (label, more) => axis({ size: 52, values: (_, ticks) => ticks.map((tick) => (tick == null ? "" : `${number(tick)}${label}`)), ...more });
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
