//! The point of a triangle closest to a point, and how far eight triangles are from one.

use crate::geom::Local;
use crate::geom::lanes::{Lanes, lanes};
use nalgebra::{RealField, Vector3};

/// The point of the triangle closest to `p`, after Ericson, *Real-Time Collision Detection*, 5.1.5. The triangle has area: on
/// a sliver, whether a point is over the face or beside it is decided by rounding (what is returned is still a point of it).
#[inline]
pub fn closest<S: RealField + Copy>(p: &Vector3<S>, [a, b, c]: &[Vector3<S>; 3]) -> Vector3<S> {
    closest_of(p, [a, b, c])
}

/// The same of corners that stay where they are: copies cost as much as the rest.
#[inline]
pub fn closest_of<S: RealField + Copy>(p: &Vector3<S>, [a, b, c]: [&Vector3<S>; 3]) -> Vector3<S> {
    let zero = S::zero();
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= zero && d2 <= zero {
        return *a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= zero && d4 <= d3 {
        return *b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= zero && d1 >= zero && d3 <= zero {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= zero && d5 <= d6 {
        return *c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= zero && d2 >= zero && d6 <= zero {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= zero && d4 - d3 >= zero && d5 - d6 >= zero {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let scale = S::one() / (va + vb + vc);
    a + ab * (vb * scale) + ac * (vc * scale)
}

/// How far a point is from eight triangles, given by the coordinates of their corners, squared: over the face the height,
/// beside it the way to the nearest edge. Without branches, which would be guessed wrong half of the time.
#[inline(never)] // one loop over vectors, whoever calls it
pub fn distances_squared(p: &Local, corners: &[[Lanes; 3]; 3]) -> Lanes {
    let p = [p.x, p.y, p.z];
    lanes(
        #[inline(always)]
        |k| {
            let at = |[x, y, z]: &[Lanes; 3]| [x[k], y[k], z[k]];
            let [a, b, c] = [at(&corners[0]), at(&corners[1]), at(&corners[2])];
            distance_squared(&p, &a, &b, &c)
        },
    )
}

#[inline(always)]
fn distance_squared(p: &[f32; 3], a: &[f32; 3], b: &[f32; 3], c: &[f32; 3]) -> f32 {
    let (ab, ac, ap) = (minus(b, a), minus(c, a), minus(p, a));
    let (bc, bp) = (minus(&ac, &ab), minus(&ap, &ab));
    let (ab_ab, ab_ac, ac_ac) = (dot(&ab, &ab), dot(&ab, &ac), dot(&ac, &ac));
    let (ap_ab, ap_ac) = (dot(&ap, &ab), dot(&ap, &ac));
    let to_ab = beside(&ap, &ab, ap_ab / above_zero(ab_ab));
    let to_ac = beside(&ap, &ac, ap_ac / above_zero(ac_ac));
    let to_bc = beside(&bp, &bc, dot(&bp, &bc) / above_zero(dot(&bc, &bc)));
    let normal = cross(&ab, &ac);
    let (height, area) = (dot(&ap, &normal), dot(&normal, &normal));
    // Barycentric coordinates, times the square of the area.
    let (of_b, of_c) = (ac_ac * ap_ab - ab_ac * ap_ac, ab_ab * ap_ac - ab_ac * ap_ab);
    let inwards = least(least(of_b, of_c), area - of_b - of_c);
    let over = height * height / above_zero(area);
    // By more than rounding: a sliver is as far as its edges.
    let rounding = 1e-6 * (ab_ab + ac_ac) * (ap_ab.abs() + ap_ac.abs());
    if inwards > rounding { over } else { least(least(to_ab, to_ac), to_bc) }
}

/// The square of the distance from an edge, for a point seen from its start, which is `along` it.
#[inline(always)]
fn beside(from: &[f32; 3], edge: &[f32; 3], along: f32) -> f32 {
    let along = if along > 0.0 { along } else { 0.0 };
    let along = if along < 1.0 { along } else { 1.0 };
    let rest = [from[0] - edge[0] * along, from[1] - edge[1] * along, from[2] - edge[2] * along];
    dot(&rest, &rest)
}

#[inline(always)]
fn above_zero(x: f32) -> f32 {
    if x > f32::MIN_POSITIVE { x } else { f32::MIN_POSITIVE }
}

#[inline(always)]
fn minus(a: &[f32; 3], b: &[f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn dot(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross(a: &[f32; 3], b: &[f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn least(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lanes::LANES;
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

    #[test]
    fn eight_are_as_far_as_each_of_them() {
        for seed in 0..3000u64 {
            let at = |k: u64| Local::from_fn(|i, _| unit(seed, 3 * k + i as u64) as f32 * 2.0 - 1.0);
            let p = at(100) * if seed % 3 == 0 { 3.0 } else { 1.0 };
            let triangles: [[Local; 3]; LANES] = std::array::from_fn(|k| {
                let [a, b, c] = [0, 1, 2].map(|c| at(3 * k as u64 + c));
                // Some are slivers, and some have no area at all.
                match k {
                    5 => [a, b, a + (b - a) * 0.3 + c * 1e-4],
                    6 => [a, b, a + (b - a) * 2.0],
                    7 => [a, a, a],
                    _ => [a, b, c],
                }
            });
            let corners = [0, 1, 2].map(|c| [0, 1, 2].map(|axis| lanes(|k| triangles[k][c][axis])));
            let found = distances_squared(&p, &corners).map(f32::sqrt);
            for (k, triangle) in triangles.iter().enumerate() {
                let known = exact(&p, triangle);
                let slack = if k == 5 { 2e-4 } else { 2e-5 };
                assert!((found[k] as f64 - known).abs() < slack, "seed {seed}, {k}: {} for {known}", found[k]);
            }
        }
    }

    /// In double precision, edge by edge.
    fn exact(p: &Local, triangle: &[Local; 3]) -> f64 {
        let p = p.cast::<f64>();
        let [a, b, c] = triangle.map(|corner| corner.cast::<f64>());
        let edge = |a: nalgebra::Vector3<f64>, b: nalgebra::Vector3<f64>| {
            let along = (p - a).dot(&(b - a)) / (b - a).norm_squared().max(1e-300);
            (a + (b - a) * along.clamp(0.0, 1.0) - p).norm()
        };
        let normal = (b - a).cross(&(c - a));
        let inwards = |a: nalgebra::Vector3<f64>, b: nalgebra::Vector3<f64>| normal.cross(&(b - a)).dot(&(p - a)) > 0.0;
        if inwards(a, b) && inwards(b, c) && inwards(c, a) {
            return normal.dot(&(p - a)).abs() / normal.norm();
        }
        edge(a, b).min(edge(b, c)).min(edge(c, a))
    }
}
