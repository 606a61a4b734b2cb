//! The point of a triangle closest to a point, in single precision.

use super::Local;

/// The point of the triangle closest to `p`, after Ericson, *Real-Time Collision Detection*, 5.1.5. The triangle has area: on
/// a sliver, whether a point is over the face or beside it is decided by rounding (what is returned is still a point of it).
#[inline]
pub fn closest(p: &Local, [a, b, c]: &[Local; 3]) -> Local {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return *a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return *b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return *c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let scale = 1.0 / (va + vb + vc);
    a + ab * (vb * scale) + ac * (vc * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    #[test]
    fn no_other_point_of_the_triangle_is_closer() {
        for seed in 0..3000 {
            let at = |k: u64| Local::from_fn(|i, _| unit(seed, 3 * k + i as u64) as f32 * 2.0 - 1.0);
            let triangle = [at(0), at(1), at(2)];
            let p = at(3) * if seed % 3 == 0 { 3.0 } else { 1.0 };
            let found = (closest(&p, &triangle) - p).norm();
            let mut best = f32::INFINITY;
            for i in 0..=40 {
                for j in 0..=40 - i {
                    let (u, v) = (i as f32 / 40.0, j as f32 / 40.0);
                    let q = triangle[0] * (1.0 - u - v) + triangle[1] * u + triangle[2] * v;
                    best = best.min((q - p).norm());
                }
            }
            assert!(found <= best + 1e-5 && found >= best - 0.08, "seed {seed}: {found} against {best}");
        }
    }
}
