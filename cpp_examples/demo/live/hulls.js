// What engines do without Fracas: the convex hull of a piece in its place.
//
// The hull becomes a body of the library, in the frame of the piece, so that both kinds of contacts are found by the same code, and differ
// by the shape alone.

/** The hull's body; the piece itself where it is too flat to have one. */
export function hullOf(fracas, piece) {
    const [{ positions, indices }] = piece.convexParts({ maxParts: 1 });
    const middle = [0, 0, 0], count = positions.length / 3, tets = [];
    for (let k = 0; k < positions.length; ++k) middle[k % 3] += positions[k] / count;
    for (let t = 0; t < indices.length; t += 3) tets.push(indices[t], indices[t + 1], indices[t + 2], count);
    try {
        const asset = fracas.cook({ positions: [...positions, ...middle], tets, gridCells: 8, gridMaxBytes: 1 << 17 }), hull = asset.body();
        asset.dispose();
        return hull;
    } catch {
        return piece;
    }
}
