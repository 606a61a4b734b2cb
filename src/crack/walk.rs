//! Walks along cracks from one cut tetrahedron to the next, for the closest-feature scheme.

use crate::crack::breaks::CutTets;
use crate::crack::triangles::CrackTriangles;
use crate::geom::{Local, NONE};
use crate::grid::lookup::Lookup;
use crate::heap::held;
use crate::solid::{Across, Solid};

/// Adjacency of cut tetrahedra.
#[derive(Clone, Debug, Default)]
pub struct CrackWalk {
    /// Positions of the cut tetrahedra across the four faces of the k-th one; [`NONE`] where there is none.
    across: Vec<[u32; 4]>,
    /// Position of each triangle's cut tetrahedron.
    cut_of: Vec<u32>,
}

impl CrackWalk {
    /// Adjacency of a break's cut tetrahedra; `places` maps a tetrahedron to its position.
    pub fn new(solid: &Solid, made: &CutTets, places: &Lookup, cracks: &CrackTriangles) -> Self {
        let across = |tet: u32| {
            std::array::from_fn(|face| match solid.across(tet, face) {
                Across::Tet(t) => places.get(t).unwrap_or(NONE),
                Across::Skin(_) => NONE,
            })
        };
        let mut cut_of = vec![NONE; cracks.corners.len()];
        for k in 0..made.tets.len() {
            cracks.in_cut(k).for_each(|triangle| cut_of[triangle as usize] = k as u32);
        }
        Self { across: made.tets.iter().map(|cut| across(cut.tet)).collect(), cut_of }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.across) + held(&self.cut_of)
    }

    /// The nearest crack triangle of a piece that can be reached from a guess by steps to nearer neighbours, and its
    /// distance.
    ///
    /// The triangle stored at a node is near, but not always the nearest: the crack goes on in the next tetrahedron. A
    /// neighbour can be nearer only if the closest point lies on the rim of a triangle, so most calls end at once.
    pub fn descend(&self, p: &Local, guess: u32, (cracks, piece): (&CrackTriangles, u32)) -> (f32, u32) {
        let mut best = (cracks.distance_squared(p, guess), guess);
        loop {
            let (squared, triangle) = best;
            let height = cracks.height(p, triangle);
            // Straight above the face: no neighbour is nearer. 1e-5: single-precision rounding.
            if height * height >= squared * (1.0 - 1e-5) {
                break;
            }
            let cut = self.cut_of[triangle as usize];
            for place in self.across[cut as usize].into_iter().filter(|k| *k != NONE).chain([cut]) {
                for other in cracks.of_cut(place as usize, piece) {
                    // Not nearer than its plane.
                    let height = cracks.height(p, other);
                    if height * height < best.0 {
                        let squared = cracks.distance_squared(p, other);
                        if squared < best.0 {
                            best = (squared, other);
                        }
                    }
                }
            }
            if best.1 == triangle {
                break;
            }
        }
        (best.0.sqrt(), best.1)
    }
}
