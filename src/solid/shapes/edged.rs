//! Shapes with flat sides and sharp edges.

use super::lattice::{Axis, Cut, lattice, made};
use crate::solid::Solid;

/// An axis-aligned box around the origin, `cells` cubes along each axis.
pub fn cuboid(size: [f64; 3], cells: [usize; 3]) -> Solid {
    lattice(cells, [Axis::Plain; 3], |_| Cut::Six, |u| std::array::from_fn(|k| 0.5 * size[k] * u[k]))
}

/// A brick of 215 × 102.5 × 65 mm with six holes through it; `detail` cubes across every wall.
pub fn brick(detail: usize) -> Solid {
    let d = detail.max(1);
    perforated([7 * d, 5 * d, 2 * d], d, Cut::Six)
}

/// The brick of the paper's size: one cube across every wall and four high, each cut in five. No node is inside.
pub(super) fn coarse_brick() -> Solid {
    perforated([7, 5, 4], 1, Cut::Five)
}

fn perforated(cells: [usize; 3], detail: usize, kept: Cut) -> Solid {
    let is_wall = |c: usize| (c / detail).is_multiple_of(2);
    let cut = |c: [usize; 3]| if is_wall(c[0]) || is_wall(c[1]) { kept } else { Cut::Out };
    let size = [0.215, 0.1025, 0.065];
    lattice(cells, [Axis::Plain; 3], cut, |u| std::array::from_fn(|k| 0.5 * size[k] * u[k]))
}

/// What a shelf is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shelf {
    /// Width, depth and height; boards lie across z.
    pub size: [f64; 3],
    /// Of boards and sides.
    pub thickness: f64,
    /// How many boards, those at the top and the bottom included; two or more.
    pub boards: usize,
    /// Cubes along a board, across it, and from one board to the next.
    pub cells: [usize; 3],
    /// Cubes through a board or a side.
    pub layers: usize,
}

/// Boards between two sides, without a back, around the origin.
pub fn shelf(shelf: &Shelf) -> Solid {
    let Shelf { size, thickness, cells, .. } = *shelf;
    let (boards, layers) = (shelf.boards.max(2), shelf.layers.max(1));
    let along = [cells[0].max(1), cells[2].max(1)];
    // Across and upwards, thick parts of `layers` cubes and open ones of `along` cubes take turns.
    let is_thick = |c: usize, open: usize| c % (layers + open) < layers;
    let cut = |c: [usize; 3]| if is_thick(c[0], along[0]) || is_thick(c[2], along[1]) { Cut::Six } else { Cut::Out };
    let place = |node: usize, open: usize, gap: f64| {
        let (before, rest) = (node / (layers + open), node % (layers + open));
        let thick = rest.min(layers) as f64 / layers as f64 * thickness;
        before as f64 * (thickness + gap) + thick + rest.saturating_sub(layers) as f64 / open as f64 * gap
    };
    let count = [2 * layers + along[0], cells[1].max(1), boards * layers + (boards - 1) * along[1]];
    let gaps = [size[0] - 2.0 * thickness, (size[2] - boards as f64 * thickness) / (boards - 1) as f64];
    lattice(count, [Axis::Plain; 3], cut, |u| {
        let node = |k: usize| (0.5 * (u[k] + 1.0) * count[k] as f64).round() as usize;
        let (x, z) = (place(node(0), along[0], gaps[0]), place(node(2), along[1], gaps[1]));
        [x - 0.5 * size[0], 0.5 * size[1] * u[1], z - 0.5 * size[2]]
    })
}

/// One tetrahedron: three edges of length `size` from the origin.
pub fn tetrahedron(size: f64) -> Solid {
    made(&[[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]], &[[0, 1, 2, 3]])
}
