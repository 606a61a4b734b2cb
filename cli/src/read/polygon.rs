//! Triangles from a polygon in space.

use earcut::Earcut;

/// Triangles of a polygon, as places among its corners, turning as it does.
///
/// A triangle is itself and a quadrangle is cut along the diagonal that leaves no notch outside; anything longer is
/// flattened along its mean normal and cut ear by ear. What cannot be cut so (it crosses itself) becomes a fan, which is
/// still closed.
pub fn triangles(corners: &[[f64; 3]]) -> Vec<[usize; 3]> {
    let fan = |from: usize| (1..corners.len().max(2) - 1).map(move |k| [from, from + k, from + k + 1]);
    match corners.len() {
        0..3 => vec![],
        3 => vec![[0, 1, 2]],
        4 => {
            let normal = mean_normal(corners);
            let along = |t: &[usize; 3]| dot(mean_normal(&t.map(|k| corners[k])), normal) >= 0.0;
            let split: Vec<_> = fan(0).collect();
            if split.iter().all(along) { split } else { vec![[1, 2, 3], [1, 3, 0]] }
        }
        n => {
            let normal = mean_normal(corners);
            let drop = (0..3).max_by(|a, b| normal[*a].abs().total_cmp(&normal[*b].abs())).unwrap_or(2);
            let (u, v) = ((drop + 1) % 3, (drop + 2) % 3);
            let flat = corners.iter().map(|p| if normal[drop] < 0.0 { [p[v], p[u]] } else { [p[u], p[v]] });
            let mut cut: Vec<usize> = vec![];
            Earcut::new().earcut(flat, &[], &mut cut);
            let ears: Vec<[usize; 3]> = cut.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
            if ears.len() != n - 2 {
                return fan(0).collect();
            }
            // Whichever way the cutter turns, the polygon's counts.
            let turn: f64 = ears.iter().map(|t| dot(mean_normal(&t.map(|k| corners[k])), normal)).sum();
            ears.into_iter().map(|[a, b, c]| if turn < 0.0 { [a, c, b] } else { [a, b, c] }).collect()
        }
    }
}

/// Twice the area vector (Newell).
fn mean_normal(corners: &[[f64; 3]]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (k, p) in corners.iter().enumerate() {
        let q = corners[(k + 1) % corners.len()];
        for (axis, sum) in sum.iter_mut().enumerate() {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            *sum += (p[u] - q[u]) * (p[v] + q[v]);
        }
    }
    // The formula above gives the components in the order of their axes: x from (y, z), and so on.
    sum
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(corners: &[[f64; 3]]) -> f64 {
        let n = mean_normal(corners);
        0.5 * dot(n, n).sqrt()
    }

    #[test]
    fn concave_polygons_are_covered_exactly_once() {
        let tilt = |p: [f64; 2]| [p[0], p[1], 0.3 * p[0] - 0.7 * p[1]];
        let arrow: Vec<_> = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [1.0, 1.0]].map(tilt).to_vec();
        let comb: Vec<_> = [
            [0., 0.],
            [5., 0.],
            [5., 2.],
            [4., 2.],
            [4., 1.],
            [3., 1.],
            [3., 2.],
            [2., 2.],
            [2., 1.],
            [1., 1.],
            [1., 2.],
            [0., 2.],
        ]
        .map(tilt)
        .to_vec();
        for polygon in [arrow, comb] {
            for turned in [false, true] {
                let polygon: Vec<_> = if turned { polygon.iter().rev().copied().collect() } else { polygon.clone() };
                let whole = mean_normal(&polygon);
                let parts = triangles(&polygon);
                assert_eq!(parts.len(), polygon.len() - 2);
                let sum: f64 = parts.iter().map(|t| area(&t.map(|k| polygon[k]))).sum();
                assert!((sum / area(&polygon) - 1.0).abs() < 1e-12);
                assert!(parts.iter().all(|t| dot(mean_normal(&t.map(|k| polygon[k])), whole) > 0.0));
            }
        }
    }
}
