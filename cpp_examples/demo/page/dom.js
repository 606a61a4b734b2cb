// Elements in one call, and numbers as people read them.

/** el("td", {class: "number"}, "3"): an element with attributes and children; children that are null are left out. */
export function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child != null));
    return element;
}

/** A value of the style sheet, which knows whether it is dark. */
export const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export const absent = "–";

/** Whole numbers in full, others as far as anybody cares. */
export function number(value) {
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value === "string") return value;
    if (typeof value !== "number" || !Number.isFinite(value)) return absent;
    if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential(1).replace("-", "−").replace("e-", " e−");
    const size = Math.abs(value), digits = size < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: size < 100 ? 2 : 0 };
    return value.toLocaleString("en-GB", digits).replace("-", "−");
}

/** "151 (914)", as the paper writes a mean with its maximum. */
export function meanAndMax(mean, max) {
    return number(mean) === absent ? absent : number(max) === absent ? number(mean) : `${number(mean)} (${number(max)})`;
}

const engineNames = { jolt: "Jolt", bullet: "Bullet", physx: "PhysX", ode: "ODE", rapier: "Rapier", none: "no engine" };
export const engineName = (engine) => engineNames[engine] ?? engine;

/** What the two worlds of a run with two films have their contacts from. */
export const sideName = ({ engine }, which) => (which === 0 ? "Fracas" : `${engineName(engine)}’s own convex hulls`);

/** "piggy_bank" is shown as "Piggy bank". */
export function readable(name) {
    const words = name.replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
}
