// Where everything happens: a round floor. Walls that one does not see keep bodies on it, so that none leaves the picture.

export const arena = { radius: 0.72, top: 1.1, clearance: 0.45 };

/** Half-spaces around it, whose normals point inwards. */
export const walls = Array.from({ length: 16 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 16;
    return { normal: [-Math.cos(angle), 0, -Math.sin(angle)], offset: -arena.radius };
});

/** Points that the picture must hold: the rim of the floor, and above it the widest body before it falls. */
export function outline() {
    const points = [];
    for (let k = 0; k < 24; ++k) {
        const x = Math.cos((Math.PI * k) / 12), z = Math.sin((Math.PI * k) / 12);
        points.push([1.04 * arena.radius * x, 0, 1.04 * arena.radius * z], [0.36 * x, arena.top, 0.36 * z]);
    }
    return points;
}
