// Whole numbers as bytes for gzip: differences, first all lowest bytes, then all second bytes, ...: that takes half of what gzip makes of
// the plain numbers.

/** Differences to the number `stride` before (0: as they are), signs in the lowest bit, byte by byte. */
export function spread(numbers, stride) {
    const count = numbers.length, bytes = new Uint8Array(4 * count);
    for (let k = 0; k < count; ++k) {
        const difference = (numbers[k] - (stride > 0 && k >= stride ? numbers[k - stride] : 0)) | 0;
        const folded = (difference << 1) ^ (difference >> 31);
        for (let plane = 0; plane < 4; ++plane) bytes[plane * count + k] = folded >>> (8 * plane);
    }
    return bytes;
}

/** What `spread` was given. */
export function gather(bytes, stride) {
    const count = bytes.length / 4, numbers = new Int32Array(count);
    for (let k = 0; k < count; ++k) {
        const folded = bytes[k] | (bytes[count + k] << 8) | (bytes[2 * count + k] << 16) | (bytes[3 * count + k] << 24);
        const difference = (folded >>> 1) ^ -(folded & 1);
        numbers[k] = difference + (stride > 0 && k >= stride ? numbers[k - stride] : 0);
    }
    return numbers;
}

export function concatenate(parts) {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}
