//! The closest points of two segments.

use crate::geom::Point;

/// Where along two segments, 0 to 1 each, they are closest (Ericson, *Real-Time Collision Detection*, 5.1.9). Parallel segments have many
/// such places: one of them, always the same.
pub fn closest(a: &[Point; 2], b: &[Point; 2]) -> [f64; 2] {
    let (d1, d2, r) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (aa, ee, f) = (d1.norm_squared(), d2.norm_squared(), d2.dot(&r));
    let c = d1.dot(&r);
    if aa == 0.0 && ee == 0.0 {
        return [0.0, 0.0];
    }
    if aa == 0.0 {
        return [0.0, (f / ee).clamp(0.0, 1.0)];
    }
    if ee == 0.0 {
        return [(-c / aa).clamp(0.0, 1.0), 0.0];
    }
    let bb = d1.dot(&d2);
    let determinant = aa * ee - bb * bb;
    // Nearly parallel: the determinant is rounding.
    let s = if determinant > 1e-14 * aa * ee { ((bb * f - c * ee) / determinant).clamp(0.0, 1.0) } else { 0.0 };
    let t = (bb * s + f) / ee;
    if t < 0.0 {
        [(-c / aa).clamp(0.0, 1.0), 0.0]
    } else if t > 1.0 {
        [((bb - c) / aa).clamp(0.0, 1.0), 1.0]
    } else {
        [s, t]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    #[test]
    fn no_other_points_are_closer() {
        for seed in 0..3000u64 {
            let at = |k: u64| Point::from([0, 1, 2].map(|i| unit(seed, 3 * k + i) * 2.0 - 1.0));
            let a = [at(0), at(1)];
            // Parallel ones and points among them.
            let b = match seed % 5 {
                0 => [at(2), at(2) + (a[1] - a[0]) * 0.7],
                1 => [at(2), at(2)],
                _ => [at(2), at(3)],
            };
            let on = |s: &[Point; 2], t: f64| s[0] + (s[1] - s[0]) * t;
            let [s, t] = closest(&a, &b);
            let found = (on(&a, s) - on(&b, t)).norm();
            let share = |k: usize| k as f64 / 50.0;
            let places = (0..=50).flat_map(|i| (0..=50).map(move |j| (share(i), share(j))));
            let best = places.map(|(s, t)| (on(&a, s) - on(&b, t)).norm()).fold(f64::INFINITY, f64::min);
            assert!(found <= best + 1e-12 && found >= best - 0.1, "seed {seed}: {found} for {best}");
        }
    }
}
