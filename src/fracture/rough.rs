//! Rough cracks: smooth noise that bends the space in which a pattern is evaluated.
//!
//! Labels and cuts are taken at `x + noise(x)` instead of `x`, so both sides of a crack see the same bent surface and match
//! exactly. Value noise on a cubic lattice with quintic blending: twice differentiable, bounded by its amplitude, and a
//! pure function of the point, the seed and the asset.

use super::pattern::Roughness;
use crate::asset::Asset;
use crate::geom::random::mix;
use crate::geom::{Point, Vector};

/// The noise of one pattern on one asset.
pub struct Warp {
    centre: Point,
    /// Lattice cells a metre: two a wavelength.
    frequency: f64,
    amplitude: f64,
    seed: u64,
}

impl Warp {
    pub fn new(rough: &Roughness, asset: &Asset) -> Self {
        Self {
            centre: *asset.centre(),
            frequency: 2.0 / (rough.wavelength * asset.mean_edge()),
            // Each component of the noise stays below one, so the vector stays below √3.
            amplitude: rough.amplitude * asset.radius() / 3f64.sqrt(),
            seed: mix(rough.seed),
        }
    }

    /// Where the pattern is to be asked for what happens at `p`.
    pub fn apply(&self, p: &Point) -> Point {
        let q = (p - self.centre) * self.frequency;
        let cell = q.map(f64::floor);
        let t = q - cell;
        let blend = t.map(|t| t * t * t * (t * (t * 6.0 - 15.0) + 10.0));
        let mut noise = Vector::zeros();
        for corner in 0..8u32 {
            let mut weight = 1.0;
            let mut key = self.seed;
            for k in 0..3 {
                let high = corner >> k & 1 != 0;
                weight *= if high { blend[k] } else { 1.0 - blend[k] };
                key = mix(key ^ (cell[k] as i64 + high as i64) as u64);
            }
            // Three 21-bit numbers from one hash, each from -1 to 1.
            let part = |k: u32| (key >> (21 * k) & 0x1f_ffff) as f64 / 0x0f_ffff as f64 - 1.0;
            noise += Vector::new(part(0), part(1), part(2)) * weight;
        }
        p + noise * self.amplitude
    }
}
