// One line near the pointer: why a click did what it did, or nothing.

const shownFor = 2600;
let timer = 0;

export function note(words, x, y) {
    const line = document.getElementById("note");
    line.textContent = words;
    line.hidden = false;
    // Above the pointer, where a finger does not hide it, and inside the page.
    const { width, height } = line.getBoundingClientRect(), within = (a, most) => Math.max(8, Math.min(a, most - 8));
    line.style.left = `${within(x - width / 2, innerWidth - width)}px`;
    line.style.top = `${within(y - height - 18, innerHeight - height)}px`;
    clearTimeout(timer);
    timer = setTimeout(() => (line.hidden = true), shownFor);
}
