// The bar below the picture: play, pause, speed, a scrub bar with the fractures marked on it, and what is shown.

import { el } from "./dom.js";

export class Player {
    /** `onTime(seconds)` is called whenever the moment changes. */
    constructor(onTime) {
        this.onTime = onTime;
        this.time = 0;
        this.duration = 0;
        this.speed = 1;
        this.playing = false;
        this.button = el("button", { class: "play", "aria-label": "Play", onclick: () => this.toggle() });
        this.scrub = el("input", { type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time", id: "scrub",
                                   oninput: () => (this.pause(), this.seek(Number(this.scrub.value))) });
        this.marks = el("div", { class: "marks", "aria-hidden": true });
        this.clock = el("output", { class: "clock" });
        const speeds = [0.1, 0.25, 0.5, 1, 2].map((speed) => el("option", { value: speed, selected: speed === 1 }, `${speed}×`));
        this.pace = el("select", { "aria-label": "Speed", onchange: () => (this.speed = Number(this.pace.value)) }, speeds);
        this.bar = el("div", { class: "bar" }, this.button, el("div", { class: "track" }, this.marks, this.scrub), this.clock, this.pace);
        this.pause();
    }

    /** A new film; `events` are { seconds, words }. */
    load(duration, events) {
        this.pause();
        this.duration = duration;
        this.scrub.max = duration;
        this.marks.replaceChildren(...events.filter(({ seconds }) => seconds <= duration).map(({ seconds, words }) =>
            el("i", { title: words, style: `left: ${(100 * seconds) / duration}%` })));
        this.seek(0);
    }

    seek(seconds) {
        this.time = Math.min(Math.max(seconds, 0), this.duration);
        this.scrub.value = this.time;
        this.clock.value = `${this.time.toFixed(2)} / ${this.duration.toFixed(2)} s`;
        this.onTime(this.time);
    }

    toggle() {
        if (this.playing) return this.pause();
        if (this.time >= this.duration) this.seek(0);
        this.play();
    }

    play() {
        if (this.playing || this.duration === 0) return;
        this.playing = true;
        this.look("Pause");
        let last = performance.now();
        const turn = (now) => {
            if (!this.playing) return;
            // A picture that took long is not made up for, so nothing is skipped on a slow machine.
            this.seek(this.time + this.speed * Math.min(Math.max((now - last) / 1000, 0), 0.1));
            last = now;
            if (this.time >= this.duration) this.pause();
            else this.turning = requestAnimationFrame(turn);
        };
        this.turning = requestAnimationFrame(turn);
    }

    pause() {
        this.playing = false;
        cancelAnimationFrame(this.turning);
        this.look("Play");
    }

    look(label) {
        this.button.setAttribute("aria-label", label);
        this.button.textContent = label === "Play" ? "▶" : "❚❚";
    }
}
