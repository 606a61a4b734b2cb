// What hulls and Fracas make of the same drop: how far bodies overlap, the gaps across which they push, and what finding the contacts costs.

const steps = 240;
/** Metres: closer shapes push one another. */
const touch = 0.0002;

export class Comparison {
    constructor(fracas, world) {
        this.fracas = fracas;
        this.world = world;
        this.found = fracas.contacts(64);
        this.forget();
    }

    /** Another drop: nothing is known of it. */
    forget() {
        this.columns = { hulls: null, fracas: null };
    }

    /** The visitor has changed the drop: what the other contacts made of it counts no longer. */
    only(kind) {
        this.columns[kind === "hulls" ? "fracas" : "hulls"] = null;
    }

    /** The same drop from the beginning, with these contacts. */
    begin(kind) {
        this.columns[kind] = this.now = { atBreak: null, milliseconds: 0, steps: 0, overlap: null, gap: null };
        this.isBroken = false;
        this.world.watched = null;
    }

    /** A body has broken into these: the next step finds out how far their shapes overlap. */
    broken(made) {
        this.isBroken = true;
        this.world.watched = new Set(made);
        Object.assign(this.now, { overlap: null, gap: null });
    }

    /** After a step, whose contacts took so long. */
    stepped(milliseconds) {
        const { now, world } = this;
        if (!this.isBroken) return;
        if (world.watched) now.atBreak = Math.max(now.atBreak ?? 0, world.deepest);
        world.watched = null;
        if (now.steps < steps) {
            now.milliseconds += milliseconds;
            ++now.steps;
        }
        if (world.isResting && now.overlap === null) Object.assign(now, this.measure());
    }

    /** Of the pieces themselves, whatever their contacts are made of: the deepest overlap, and the widest gap of two that push one another. */
    measure() {
        const { fracas, world, found } = this, { low, high } = world, near = { margin: touch };
        let [overlap, gap] = [0, 0];
        for (const a of world.bodies) {
            for (const b of world.bodies) {
                const [i, j] = [3 * a.row, 3 * b.row];
                if (i <= j || [0, 1, 2].some((k) => low[i + k] > high[j + k] || low[j + k] > high[i + k])) continue;
                fracas.queryPair(a.body, a.pose, b.body, b.pose, found);
                for (let k = 0; k < found.count; ++k) overlap = Math.max(overlap, found.floats[8 * k + 3]);
                if (fracas.queryPair(a.shape, a.pose, b.shape, b.pose, found, near) === 0) continue;
                gap = Math.max(gap, fracas.distancePair(a.body, a.pose, b.body, b.pose, 0.2)?.distance ?? 0);
            }
        }
        return { overlap, gap };
    }
}
