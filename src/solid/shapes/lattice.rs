//! A lattice of cubes, some left out, each kept one cut into tetrahedra, and all bent into shape.
//!
//! Faces between cubes are cut along one diagonal, the same from both sides. Where a cube is bent into something round, the
//! diagonals point away from the middle, so that no tetrahedron is flattened between two faces that become one.

use crate::geom::NONE;
use crate::solid::Solid;

/// How the cells of a lattice run along one axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// All diagonals alike.
    Plain,
    /// Diagonals mirrored at the middle.
    Mirrored,
    /// The last layer of nodes is the first one.
    Ring,
}

/// What becomes of a cube.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// It is left out.
    Out,
    /// A tetrahedron in the middle and four corners. Cubes next to it must be cut in five too, on plain axes.
    Five,
    /// Six tetrahedra around a diagonal (Kuhn).
    Six,
    /// Twelve around a node in its middle. The faces are those of `Six`: the two fit together.
    Twelve,
}

/// Cubes on a lattice, cut into tetrahedra; `place` gets lattice coordinates from -1 to 1.
pub fn lattice(
    cells: [usize; 3],
    axes: [Axis; 3],
    cut: impl Fn([usize; 3]) -> Cut,
    place: impl Fn([f64; 3]) -> [f64; 3],
) -> Solid {
    let cells = cells.map(|n| n.max(1));
    let layers: [usize; 3] = std::array::from_fn(|k| if axes[k] == Axis::Ring { cells[k] } else { cells[k] + 1 });
    let placed = |at: [f64; 3]| place(std::array::from_fn(|k| 2.0 * at[k] / cells[k] as f64 - 1.0));
    let mut numbers = vec![NONE; layers.iter().product()];
    let mut nodes = vec![];
    let mut tets = vec![];
    for cell in (0..cells.iter().product()).map(|i| [i % cells[0], i / cells[0] % cells[1], i / cells[0] / cells[1]]) {
        let mut number = |at: [usize; 3]| {
            let at: [usize; 3] = std::array::from_fn(|k| at[k] % layers[k]);
            let slot = &mut numbers[(at[2] * layers[1] + at[1]) * layers[0] + at[0]];
            if *slot == NONE {
                *slot = nodes.len() as u32;
                nodes.push(placed(at.map(|c| c as f64)));
            }
            *slot
        };
        match cut(cell) {
            Cut::Out => {}
            Cut::Five => tets.extend(five_tets(cell, number)),
            Cut::Six => {
                let back: [bool; 3] = std::array::from_fn(|k| axes[k] == Axis::Mirrored && 2 * cell[k] < cells[k]);
                tets.extend(six_tets(cell, back, number));
            }
            Cut::Twelve => {
                let back: [bool; 3] = std::array::from_fn(|k| axes[k] == Axis::Mirrored && 2 * cell[k] < cells[k]);
                let six: Vec<[u32; 4]> = six_tets(cell, back, &mut number).collect();
                let middle = nodes.len() as u32;
                nodes.push(placed(cell.map(|c| c as f64 + 0.5)));
                tets.extend(six.iter().flat_map(|&[a, b, c, d]| [[middle, a, b, c], [middle, b, c, d]]));
            }
        }
    }
    made(&nodes, &tets)
}

/// From the corner nearest the middle, steps along the three axes in every order.
fn six_tets(
    cell: [usize; 3],
    back: [bool; 3],
    mut number: impl FnMut([usize; 3]) -> u32,
) -> impl Iterator<Item = [u32; 4]> {
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].into_iter().map(move |order| {
        let mut at: [usize; 3] = std::array::from_fn(|k| cell[k] + back[k] as usize);
        let mut tet = [number(at); 4];
        for (step, axis) in order.into_iter().enumerate() {
            at[axis] = cell[axis] + !back[axis] as usize;
            tet[step + 1] = number(at);
        }
        tet
    })
}

/// Every second corner, and what it cuts off; neighbours have the other corners.
fn five_tets(cell: [usize; 3], mut number: impl FnMut([usize; 3]) -> u32) -> impl Iterator<Item = [u32; 4]> {
    let flip = cell.iter().sum::<usize>() % 2;
    let mut corner = |c: [usize; 3]| number([cell[0] + (c[0] ^ flip), cell[1] + c[1], cell[2] + c[2]]);
    let kept = [[0, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]].map(&mut corner);
    let [a, b, c, d] = kept;
    let off = [[1, 1, 1], [0, 0, 1], [0, 1, 0], [1, 0, 0]].map(&mut corner);
    [kept, [off[0], b, c, d], [off[1], a, c, d], [off[2], a, b, d], [off[3], a, b, c]].into_iter()
}

/// Bends the cube of half-size 1 into the unit ball: cubes become spheres.
pub fn round(u: [f64; 3]) -> [f64; 3] {
    let largest = u.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
    let length = u.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length > 0.0 { u.map(|c| c * largest / length) } else { u }
}

/// The solid of a sample shape. Its measures are the programmer's, so those that make none are a panic.
pub fn made(nodes: &[[f64; 3]], tets: &[[u32; 4]]) -> Solid {
    match Solid::new(nodes, tets) {
        Ok(solid) => solid,
        Err(e) => panic!("a sample shape with these measures is no solid: {e}"),
    }
}
