// The figures of the page: times of a frame as running means, and what hulls and Fracas make of the same drop.

const element = (id) => document.getElementById(id);
const text = (id, words) => element(id).textContent !== words && (element(id).textContent = words);
const ms = (value) => `${value.toFixed(value < 9.95 ? 2 : 1)} ms`;
const mm = (value) => (value === null ? "…" : `${(1000 * value).toFixed(1)} mm`);

export class Panel {
    #means = { contacts: 0, solver: 0, drawing: 0 };
    #shown = 0;

    /** What a frame has taken, in milliseconds. */
    frame(times) {
        for (const name in this.#means) this.#means[name] += 0.08 * (times[name] - this.#means[name]);
    }

    /** Writes it, a few times a second. */
    show(now, world, drop, comparison) {
        if (now - this.#shown < 150) return;
        this.#shown = now;
        const { contacts, solver, drawing } = this.#means;
        text("count", String(world.count));
        text("contactCount", String(world.contacts));
        text("timeAll", ms(contacts + solver + drawing));
        text("timeContacts", ms(contacts));
        text("timeSolver", ms(solver));
        text("timeDrawing", ms(drawing));
        text("timeBreak", drop.breakTime ? ms(drop.breakTime) : "–");
        for (const [kind, column] of Object.entries(comparison.columns)) {
            const isKnown = column !== null && column.steps > 0;
            text(`${kind}AtBreak`, isKnown ? mm(column.atBreak) : "–");
            text(`${kind}Overlap`, isKnown ? mm(column.overlap) : "–");
            text(`${kind}Gap`, isKnown ? mm(column.gap) : "–");
            text(`${kind}Time`, isKnown ? ms(column.milliseconds / column.steps) : "–");
        }
    }
}
