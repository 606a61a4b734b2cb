//! Which points of a regular grid lie inside a solid.
//!
//! A point is inside if some tetrahedron holds it. Along a row of the grid a tetrahedron holds what lies between the faces
//! where the row enters and leaves it; summed over all tetrahedra, every face between two of them counts once up and once
//! down, and what is left are the crossings of the skin. So only those are counted: the sum at a point is the number of
//! tetrahedra around it, for hollow, nested and touching bodies alike. Normals play no part.
//!
//! Rows run through edges and corners all the time (bodies are symmetric, and so is the grid), and one crossing lost or
//! met twice would turn the sign of half a row. So corners are snapped to whole steps, a millionth of a cell, and all
//! decisions are exact in integers, with rows shifted by an infinitesimal amount to settle ties. What the snapping may get
//! wrong is nearer than a millionth of a cell to the surface.

use crate::geom::Point;
use crate::solid::Solid;

/// A regular grid of points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    pub origin: Point,
    pub cell: f64,
    /// Points along each axis.
    pub count: [usize; 3],
}

/// Cells along an axis, at most, so that twice the area of a triangle in steps fits 64 bits.
pub(super) const MOST_CELLS: usize = 1200;

/// Steps a cell.
const STEPS: i64 = 1 << 20;

/// For every point of a lattice, x fastest, whether the solid holds it. The solid must lie between its first and last points.
pub(super) fn inside(solid: &Solid, lattice: &Lattice) -> Vec<bool> {
    let [nx, ny, nz] = lattice.count;
    let scale = STEPS as f64 / lattice.cell;
    let snapped: Vec<[i64; 3]> = solid
        .nodes()
        .iter()
        .map(|p| {
            let q = (p - lattice.origin) * scale;
            [q.x.round() as i64, q.y.round() as i64, q.z.round() as i64]
        })
        .collect();
    // By how many more tetrahedra a point is held than the one before it in its row.
    let mut change = vec![0i32; nx * ny * nz];
    for triangle in solid.skin() {
        let corners = triangle.nodes.map(|n| snapped[n as usize]);
        for z in rows(&corners, 2, nz) {
            for y in rows(&corners, 1, ny) {
                if let Some((x, into)) = crossing(&corners, y as i64 * STEPS, z as i64 * STEPS) {
                    let first = (x / STEPS as f64).floor() + 1.0;
                    if first < nx as f64 {
                        change[(z * ny + y) * nx + first.max(0.0) as usize] += into;
                    }
                }
            }
        }
    }
    let mut held = 0;
    change
        .iter()
        .enumerate()
        .map(|(k, by)| {
            held = if k % nx == 0 { *by } else { held + by };
            held > 0
        })
        .collect()
}

/// The rows that a triangle's box touches, along one axis.
fn rows(corners: &[[i64; 3]; 3], axis: usize, count: usize) -> std::ops::Range<usize> {
    let [a, b, c] = corners.map(|corner| corner[axis]);
    let first = -(-a.min(b).min(c)).div_euclid(STEPS);
    let last = a.max(b).max(c).div_euclid(STEPS);
    first.clamp(0, count as i64) as usize..(last + 1).clamp(0, count as i64) as usize
}

/// Where the row at (y, z) meets a triangle, and whether it goes in (1) or out (-1) there.
fn crossing(corners: &[[i64; 3]; 3], y: i64, z: i64) -> Option<(f64, i32)> {
    let mut areas = [0; 3];
    let mut turn = 0;
    for (opposite, area) in areas.iter_mut().enumerate() {
        let [from, to] = [corners[(opposite + 1) % 3], corners[(opposite + 2) % 3]];
        let (dy, dz) = (to[1] - from[1], to[2] - from[2]);
        *area = dy * (z - from[2]) - dz * (y - from[1]);
        // A row on the edge is taken to lie a little towards y, and much less towards z.
        let side = [*area, -dz, dy].into_iter().find(|s| *s != 0)?.signum();
        if turn == -side {
            return None;
        }
        turn = side;
    }
    let total: i64 = areas.iter().sum();
    let x: f64 = (0..3).map(|k| areas[k] as f64 * corners[k][0] as f64).sum::<f64>() / total as f64;
    // Counter-clockwise seen from +x: its outside is there.
    Some((x, -turn as i32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Vector;
    use crate::geom::random::unit;
    use crate::solid::shapes;

    /// Solid angle of the skin over 4π.
    fn winding(solid: &Solid, p: &Point) -> f64 {
        let angle = |t: &crate::solid::SkinTriangle| {
            let [a, b, c] = t.nodes.map(|n| solid.nodes()[n as usize] - p);
            let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * a.dot(&b.cross(&c)).atan2(below)
        };
        solid.skin().iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }

    #[test]
    fn signs_are_those_of_the_winding_number() {
        let solids = [
            shapes::ball(1.0, 8),
            shapes::hollow_ball(1.0, 10, 2),
            shapes::torus(1.0, 0.3, 20, 4),
            shapes::cuboid([1.0, 0.5, 0.25], [4, 2, 1]),
            shapes::plate(1.0, 0.05, 12),
            shapes::tetrahedron(1.0),
        ];
        for (number, solid) in solids.iter().enumerate() {
            let skin = crate::grid::distance::over_skin(solid).unwrap();
            // Aligned with the body, so that rows run through edges and corners, and shifted at random.
            for shift in [0.0, 0.37] {
                let bounds = solid.bounds();
                let cell = bounds.size().max() / 16.0;
                let origin = bounds.min - Vector::from_element(cell * (2.0 - shift));
                let lattice = Lattice { origin, cell, count: [21; 3] };
                let found = inside(solid, &lattice);
                for key in 0..2000 {
                    let k = (unit(number as u64, key) * found.len() as f64) as usize;
                    let at = Vector::new((k % 21) as f64, (k / 21 % 21) as f64, (k / 441) as f64);
                    let p = origin + at * cell;
                    // On the surface it may be one or the other.
                    if skin.closest_point(&p, 1e-6 * cell).is_none() {
                        let winding = winding(solid, &p);
                        assert!((winding - winding.round()).abs() < 1e-6);
                        assert_eq!(found[k], winding.round() != 0.0, "solid {number}, node {at:?}, winding {winding}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_row_ends_outside() {
        for solid in [shapes::brick(2), shapes::hollow_ball(0.1, 12, 1), shapes::ball(1e-6, 20)] {
            let bounds = solid.bounds();
            let cell = bounds.size().max() / 64.0;
            let lattice = Lattice { origin: bounds.min - Vector::from_element(2.0 * cell), cell, count: [69; 3] };
            let found = inside(&solid, &lattice);
            assert!(found.chunks(69).all(|row| !row[0] && !row[68]));
            let volume = found.iter().filter(|i| **i).count() as f64 * cell.powi(3);
            assert!((volume / solid.volume() - 1.0).abs() < 0.1, "{volume}, {}", solid.volume());
        }
    }
}
