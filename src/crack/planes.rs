//! The planes that cut pieces out of the original body.

use crate::geom::aabb::Aabb;
use crate::geom::plane::Plane;
use crate::geom::{NONE, Vector};

/// A plane that cuts a fragment out of the original body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellPlane {
    /// The normal points out of the fragment.
    pub plane: Plane,
    /// Whether the fragment has a face on it. If not, the plane only excludes what is not part of the fragment.
    pub has_face: bool,
    /// The piece of this break across it; [`NONE`] if there are several, or none of this break.
    pub neighbour: u32,
    /// Generation of its crack, as in [`Split`](crate::cut::polytope::Split).
    pub generation: u32,
    /// Cells of its crack, as in [`Split`](crate::cut::polytope::Split).
    pub cells: [u32; 2],
}

impl CellPlane {
    /// Whether it is the crack of event `generation` between these two cells.
    pub fn is(&self, generation: u32, cells: [u32; 2]) -> bool {
        self.generation == generation && self.cells == cells
    }
}

/// The planes of a box, marked as not made by any event.
pub fn box_planes(bounds: &Aabb) -> impl Iterator<Item = CellPlane> {
    let bounds = *bounds;
    (0..6).map(move |k| {
        let (axis, is_low) = (k as usize / 2, k % 2 == 0);
        let (normal, offset) = if is_low { (-1.0, -bounds.min[axis]) } else { (1.0, bounds.max[axis]) };
        let plane = Plane { normal: Vector::ith(axis, normal), offset };
        CellPlane { plane, has_face: false, neighbour: NONE, generation: NONE, cells: [k, NONE] }
    })
}
