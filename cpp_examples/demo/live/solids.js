// What can be dropped: the page's bodies, cooked when first asked for, and the visitor's own model.

import { bodies } from "./bodies.js";

export const density = 2000;
const own = "own";

export class Solids {
    #known = new Map();

    /** `menu` lists them; `forget` is told of a solid that is not shown again. */
    constructor(fracas, menu, forget) {
        Object.assign(this, { fracas, menu, forget });
        for (const [key, { name }] of Object.entries(bodies)) menu.add(new Option(name, key));
    }

    /** The one that is chosen. */
    get chosen() {
        const key = this.menu.value;
        if (!this.#known.has(key)) this.#known.set(key, this.#cooked(bodies[key]));
        return this.#known.get(key);
    }

    #cooked({ make, ...looks }) {
        const asset = this.fracas.cook({ ...make(), density, gridCells: 32 }), body = asset.body();
        // Once for nothing: browsers compile what runs for the first time, and the first break would take as long as all of that.
        const pieces = body.fracture({ pattern: "impact", count: 16, impactPoint: body.mass.centre, impactRadius: 0.3, seed: 1, roughness: 0.02 });
        for (const piece of pieces) piece.surface();
        for (const one of [body, ...pieces]) one.dispose();
        return { ...looks, called: `the ${looks.name.toLowerCase()}`, asset };
    }

    /** Takes a model, in place of the last one, and chooses it. The asset was saved. */
    own(solid, bytes) {
        const asset = this.fracas.loadAsset(bytes), before = this.#known.get(own);
        if (before) {
            before.asset.dispose();
            this.forget(before);
        } else this.menu.add(new Option("", own));
        this.menu.options[this.menu.options.length - 1].text = solid.name;
        this.#known.set(own, { ...solid, asset });
        this.menu.value = own;
    }
}
