// The part of the page that no card covers.

/** Of all rectangles between edges of the cards and of the page, the one in which a square is largest; of those the largest. */
export function freeRectangle(cards, width, height) {
    const cuts = (low, high, most) => [...new Set([0, most, ...cards.flatMap((card) => [card[low], card[high]])])].filter((x) => x >= 0 && x <= most).sort((a, b) => a - b);
    const xs = cuts("left", "right", width), ys = cuts("top", "bottom", height);
    let best = { left: 0, top: 0, right: width, bottom: height, worth: 0 };
    for (const left of xs) for (const right of xs) for (const top of ys) for (const bottom of ys) {
        const [w, h] = [right - left, bottom - top];
        const worth = Math.min(w, h) + 1e-3 * Math.max(w, h);
        if (w <= 0 || h <= 0 || worth <= best.worth) continue;
        if (cards.some((card) => card.left < right && card.right > left && card.top < bottom && card.bottom > top)) continue;
        best = { left, top, right, bottom, worth };
    }
    return best;
}
