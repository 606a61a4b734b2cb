//! Smooth noise in space.

use fracas::geom::random::unit;
use fracas::{Point, Vector};

/// Three numbers from -1 to 1 that change smoothly over lengths of 1: values at the corners of a lattice, blended.
pub fn noise(p: &Point) -> Vector {
    let cell = p.map(f64::floor);
    let share = (p - cell).map(|t| t * t * (3.0 - 2.0 * t));
    let mut sum = Vector::zeros();
    for corner in 0..8u32 {
        let bit = |k: usize| corner >> k & 1;
        let weight: f64 = (0..3).map(|k| if bit(k) == 1 { share[k] } else { 1.0 - share[k] }).product();
        // Negative cells wrap around; any number will do.
        let key = (0..3).fold(0u64, |key, k| key << 21 | ((cell[k] as i64 + bit(k) as i64) as u64 & 0x1f_ffff));
        sum += Vector::new(unit(1, key), unit(2, key), unit(3, key)) * weight;
    }
    sum.map(|c| 2.0 * c - 1.0)
}
