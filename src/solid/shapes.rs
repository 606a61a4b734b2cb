//! Sample solids that need no files: for tests, benchmarks, demos, and a first try.
//!
//! All are a lattice of cubes, some left out, each kept one cut into six tetrahedra around a diagonal (Kuhn), and then
//! bent into shape. Where a cube is bent into something round, the diagonals point away from the middle, so that no
//! tetrahedron is flattened between two faces that become one.

use super::Solid;
use crate::geom::NONE;

/// How the cells of a lattice run along one axis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    /// All diagonals alike.
    Plain,
    /// Diagonals mirrored at the middle.
    Mirrored,
    /// The last layer of nodes is the first one.
    Ring,
}

/// An axis-aligned box around the origin, `cells` cubes along each axis.
pub fn cuboid(size: [f64; 3], cells: [usize; 3]) -> Solid {
    lattice(cells, [Axis::Plain; 3], |_| true, |u| std::array::from_fn(|k| 0.5 * size[k] * u[k]))
}

/// A brick of 215 × 102.5 × 65 mm with six holes through it; `detail` cubes across every wall.
pub fn brick(detail: usize) -> Solid {
    let d = detail.max(1);
    let keep = |c: [usize; 3]| (c[0] / d).is_multiple_of(2) || (c[1] / d).is_multiple_of(2);
    let size = [0.215, 0.1025, 0.065];
    lattice([7 * d, 5 * d, 2 * d], [Axis::Plain; 3], keep, |u| std::array::from_fn(|k| 0.5 * size[k] * u[k]))
}

/// A dish of one layer of cubes, `cells` across, so that it has no node inside.
pub fn plate(radius: f64, thickness: f64, cells: usize) -> Solid {
    let n = cells.next_multiple_of(2);
    lattice(
        [n, n, 1],
        [Axis::Mirrored, Axis::Mirrored, Axis::Plain],
        |_| true,
        |u| {
            let [x, y, _] = round([u[0], u[1], 0.0]);
            let rim = 0.3 * radius * (x * x + y * y).powi(2);
            [radius * x, radius * y, rim + 0.5 * thickness * u[2]]
        },
    )
}

/// A ball around the origin, `cells` cubes across.
pub fn ball(radius: f64, cells: usize) -> Solid {
    let n = cells.next_multiple_of(2);
    lattice([n; 3], [Axis::Mirrored; 3], |_| true, |u| round(u).map(|c| radius * c))
}

/// A ball with a closed cavity; the wall is `wall` cubes thick, a whole ball would be `cells` across.
pub fn hollow_ball(radius: f64, cells: usize, wall: usize) -> Solid {
    let n = cells.next_multiple_of(2);
    let solid = |c: usize| c < wall || c >= n - wall.min(n);
    lattice([n; 3], [Axis::Mirrored; 3], |c| c.iter().any(|c| solid(*c)), |u| round(u).map(|c| radius * c))
}

/// A ring around the z axis: `around` cubes along it, `across` through it.
pub fn torus(radius: f64, tube: f64, around: usize, across: usize) -> Solid {
    let n = across.next_multiple_of(2);
    lattice(
        [around.max(3), n, n],
        [Axis::Ring, Axis::Mirrored, Axis::Mirrored],
        |_| true,
        |u| {
            let [s, t, _] = round([u[1], u[2], 0.0]);
            let angle = (u[0] + 1.0) * std::f64::consts::PI;
            let distance = radius + tube * s;
            [distance * angle.cos(), distance * angle.sin(), tube * t]
        },
    )
}

/// One tetrahedron: three edges of length `size` from the origin.
pub fn tetrahedron(size: f64) -> Solid {
    made(&[[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]], &[[0, 1, 2, 3]])
}

/// Bends the cube of half-size 1 into the unit ball: cubes become spheres.
fn round(u: [f64; 3]) -> [f64; 3] {
    let largest = u.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
    let length = u.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length > 0.0 { u.map(|c| c * largest / length) } else { u }
}

/// Cubes on a lattice, cut into tetrahedra; `place` gets lattice coordinates from -1 to 1.
fn lattice(
    cells: [usize; 3],
    axes: [Axis; 3],
    keep: impl Fn([usize; 3]) -> bool,
    place: impl Fn([f64; 3]) -> [f64; 3],
) -> Solid {
    let cells = cells.map(|n| n.max(1));
    let layers: [usize; 3] = std::array::from_fn(|k| if axes[k] == Axis::Ring { cells[k] } else { cells[k] + 1 });
    let mut numbers = vec![NONE; layers.iter().product()];
    let mut nodes = vec![];
    let mut tets = vec![];
    let mut number = |at: [usize; 3]| {
        let at: [usize; 3] = std::array::from_fn(|k| at[k] % layers[k]);
        let slot = &mut numbers[(at[2] * layers[1] + at[1]) * layers[0] + at[0]];
        if *slot == NONE {
            *slot = nodes.len() as u32;
            nodes.push(place(std::array::from_fn(|k| 2.0 * at[k] as f64 / cells[k] as f64 - 1.0)));
        }
        *slot
    };
    for z in 0..cells[2] {
        for y in 0..cells[1] {
            for x in 0..cells[0] {
                let cell = [x, y, z];
                if !keep(cell) {
                    continue;
                }
                // From the corner nearest the middle, step along the three axes in every order.
                let back: [bool; 3] = std::array::from_fn(|k| axes[k] == Axis::Mirrored && 2 * cell[k] < cells[k]);
                for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                    let mut at: [usize; 3] = std::array::from_fn(|k| cell[k] + back[k] as usize);
                    let mut tet = [number(at); 4];
                    for (step, axis) in order.into_iter().enumerate() {
                        at[axis] = cell[axis] + !back[axis] as usize;
                        tet[step + 1] = number(at);
                    }
                    tets.push(tet);
                }
            }
        }
    }
    made(&nodes, &tets)
}

fn made(nodes: &[[f64; 3]], tets: &[[u32; 4]]) -> Solid {
    match Solid::new(nodes, tets) {
        Ok(solid) => solid,
        Err(e) => panic!("a sample shape with these measures is no solid: {e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::aabb::Aabb;

    /// Euler characteristic of the boundary: 2 a sphere, 0 a torus.
    fn euler(solid: &Solid) -> i64 {
        let skin = solid.skin();
        let mut nodes: Vec<u32> = skin.iter().flat_map(|s| s.nodes).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.len() as i64 - skin.len() as i64 * 3 / 2 + skin.len() as i64
    }

    #[test]
    fn shapes_have_the_volume_and_the_holes_they_should() {
        use std::f64::consts::PI;
        let close = |a: f64, b: f64, within: f64| assert!((a / b - 1.0).abs() < within, "{a} is not {b}");
        let s = cuboid([1.0, 2.0, 3.0], [2, 3, 4]);
        close(s.volume(), 6.0, 1e-12);
        assert_eq!((s.tets().len(), s.nodes().len(), euler(&s)), (2 * 3 * 4 * 6, 3 * 4 * 5, 2));
        let s = ball(1.0, 24);
        close(s.volume(), 4.0 / 3.0 * PI, 0.02);
        assert_eq!(euler(&s), 2);
        let s = hollow_ball(1.0, 24, 3);
        close(s.volume(), 4.0 / 3.0 * PI * (1.0 - 0.75f64.powi(3)), 0.03);
        assert_eq!(euler(&s), 4);
        let s = torus(1.0, 0.3, 48, 12);
        close(s.volume(), 2.0 * PI * PI * 0.09, 0.03);
        assert_eq!(euler(&s), 0);
        let s = brick(1);
        assert_eq!(euler(&s), 2 - 2 * 6);
        let s = plate(0.13, 0.006, 20);
        assert_eq!((euler(&s), s.nodes().len()), (2, 21 * 21 * 2));
        close(tetrahedron(2.0).volume(), 8.0 / 6.0, 1e-12);
        assert_eq!(Aabb::around(ball(2.0, 4).nodes()).max.x, 2.0);
    }
}
