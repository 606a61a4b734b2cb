//! Colours that go well together.

use super::Material;
use super::image::decoded;

/// The skin of a fragment, by its number: mild, and far from those of its neighbours.
pub fn fragment(number: u32) -> Material {
    // The golden section of the circle: any run of numbers is well spread. Two lightnesses tell near hues apart.
    let hue = 0.08 + number as f64 * 0.618_034;
    let lightness = [0.74, 0.66, 0.80][number as usize % 3];
    Material { colour: oklch(lightness, 0.105, hue), gloss: 0.7, grain: 0.0 }
}

/// A glazed skin of some colour.
pub fn skin(colour: [f64; 3]) -> Material {
    Material { colour, gloss: 0.7, grain: 0.0 }
}

/// What is below a skin: pale, dull and rough, with a breath of the skin's colour.
pub fn crack(skin: &Material) -> Material {
    let pale = [0.86, 0.81, 0.72];
    Material { colour: std::array::from_fn(|k| 0.78 * pale[k] + 0.22 * skin.colour[k]), gloss: 0.0, grain: 1.0 }
}

/// A linear colour from sRGB in hexadecimal, as `e8a0a0` or `#e8a0a0`.
pub fn hex(text: &str) -> Option<[f64; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    Some([16, 8, 0].map(|shift| decoded((value >> shift & 255) as f64 / 255.0)))
}

/// A linear colour from lightness, chroma and hue (in turns) of the space Oklab, where equal steps look equal.
pub fn oklch(lightness: f64, chroma: f64, hue: f64) -> [f64; 3] {
    let (sine, cosine) = (std::f64::consts::TAU * hue).sin_cos();
    let (a, b) = (chroma * cosine, chroma * sine);
    let [l, m, s] = [
        lightness + 0.396_337_777 * a + 0.215_803_757 * b,
        lightness - 0.105_561_346 * a - 0.063_854_173 * b,
        lightness - 0.089_484_178 * a - 1.291_485_548 * b,
    ]
    .map(|c| c * c * c);
    [
        4.076_741_662 * l - 3.307_711_591 * m + 0.230_969_929 * s,
        -1.268_438_005 * l + 2.609_757_401 * m - 0.341_319_396 * s,
        -0.004_196_086 * l - 0.703_418_615 * m + 1.707_614_701 * s,
    ]
    .map(|c| c.clamp(0.0, 1.0))
}
