//! The mass of fragments, exactly and without visiting what was not cut.
//!
//! A fragment that owns k nodes of a tetrahedron first gets k quarters of it, which are summed beforehand at the nodes
//! (`Asset::nodal_moments`); where the tetrahedron is cut, the quarters are replaced by the true pieces. A crumb of few
//! nodes would be the small difference of large numbers, so it is summed directly, about a point of its own.

use super::cracks::Context;
use crate::field::breaks::CutTet;
use crate::geom::knockout::Split;
use crate::geom::moments::{MassProperties, Moments};
use crate::geom::simplex::{Corner, dissect};
use crate::geom::{NONE, Point, Vector};

/// Fragments with fewer nodes are summed directly.
const FEW_NODES: usize = 64;

/// The moments that a run of cut tetrahedra adds to fragments, about the fragments' origins.
pub struct Corrections {
    slots: Vec<u32>,
    pub sums: Vec<(u32, Moments)>,
}

/// Which point the moments of each fragment are about, and whether it is summed directly.
#[derive(Clone, Copy)]
pub struct Origin {
    pub at: Point,
    pub direct: bool,
}

/// Origins of all fragments: the first node of each.
pub fn origins(context: &Context, nodes: &[u32], starts: &[usize]) -> Vec<Origin> {
    let positions = context.object.asset().solid().nodes();
    starts.windows(2).map(|w| Origin { at: positions[nodes[w[0]] as usize], direct: w[1] - w[0] < FEW_NODES }).collect()
}

impl Corrections {
    pub fn new(fragments: usize) -> Self {
        Self { slots: vec![NONE; fragments], sums: vec![] }
    }

    fn add(&mut self, fragment: u32, moments: Moments) {
        let slot = &mut self.slots[fragment as usize];
        if *slot == NONE {
            *slot = self.sums.len() as u32;
            self.sums.push((fragment, Moments::default()));
        }
        self.sums[*slot as usize].1 += moments;
    }

    /// Adds what a cut tetrahedron gives to its fragments beyond the quarters that their nodes stand for.
    pub fn weigh(&mut self, context: &Context, origins: &[Origin], cut: &CutTet, splits: &[Split]) {
        let solid = context.object.asset().solid();
        let corners = solid.corners(cut.tet);
        let volume = solid.signed_volume(cut.tet).abs();
        // About the tetrahedron's own first node, where the numbers are small.
        let local: [Vector; 4] = corners.map(|p| p - corners[0]);
        let whole = Moments::of_tet(&local, volume);
        let mut pieces = [Moments::default(); 4];
        dissect(&Corner::of_tet(&local), volume, splits, 0b1111, &mut |alive, part, volume| {
            pieces[alive.trailing_zeros() as usize] += Moments::of_tet(&part.map(|c| c.at), volume);
        });
        for k in 0..4 {
            let owner = cut.owners[k];
            // Once for each fragment: at its first node, which is where the pieces were put.
            if owner == NONE || cut.owners[..k].contains(&owner) {
                continue;
            }
            let origin = &origins[owner as usize];
            let mut sum = pieces[k];
            if !origin.direct {
                let quarters = cut.owners.iter().filter(|o| **o == owner).count() as f64 * 0.25;
                sum = sum - whole.scaled(quarters);
            }
            self.add(owner, sum.shifted(&(corners[0] - origin.at)));
        }
    }
}

/// Mass properties of one fragment from its nodes and the corrections at its cuts.
pub fn mass(context: &Context, origin: &Origin, nodes: &[u32], corrections: &Moments) -> MassProperties {
    let asset = context.object.asset();
    let mut sum = Moments::default();
    if origin.direct {
        let solid = asset.solid();
        let own = context.fragment_of[nodes[0] as usize];
        for t in nodes.iter().flat_map(|n| solid.tets_from(*n)) {
            if solid.tets()[t].iter().all(|n| context.fragment_of[*n as usize] == own) {
                let corners = solid.corners(t as u32).map(|p| p - origin.at);
                sum += Moments::of_tet(&corners, solid.signed_volume(t as u32).abs());
            }
        }
    } else {
        nodes.iter().for_each(|n| sum += *asset.nodal_moments(*n));
        sum = sum.shifted(&(asset.centre() - origin.at));
    }
    sum += *corrections;
    sum.mass(&origin.at, asset.density())
}
