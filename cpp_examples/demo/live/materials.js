// Colours of bodies: skin and cracks, in seven shades, so that pieces show before they part.

import * as three from "three";

const shades = 7;

/** Materials of a solid: one for each of its palette (one colour, if it has none), and one for cracks behind them. */
export class Materials {
    #made = new Map();

    of(solid, shade) {
        const key = shade % shades;
        if (!this.#made.has(solid)) this.#made.set(solid, []);
        return (this.#made.get(solid)[key] ??= [...(solid.palette ?? [{ colour: solid.colour }]), { colour: solid.crack }].map((look) => made(look, key)));
    }

    /** For a solid that is not shown again. */
    forget(solid) {
        for (const material of (this.#made.get(solid) ?? []).flat()) material?.dispose();
        for (const { texture } of solid.palette ?? []) texture?.dispose();
        this.#made.delete(solid);
    }
}

function made({ colour, texture = null }, key) {
    const lighter = key === 0 ? 0 : ((key * 3) % shades) * 0.012 - 0.03;
    // Textures are multiplied by the colour, and hide a small change of it.
    const tone = new three.Color(colour).offsetHSL(0, 0, texture ? 3 * lighter - 0.06 : lighter);
    return new three.MeshStandardMaterial({ color: tone, map: texture, roughness: 0.7, side: texture ? three.DoubleSide : three.FrontSide });
}
