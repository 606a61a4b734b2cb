//! Objects as tetrahedra that fit together face to face: for simulators of deforming bodies, and for [soft bodies](crate::penalty) of
//! fragments (Marchal 2004, 4.3). Computed on demand.
//!
//! Where nothing was cut, they are those of the solid. A region of a cut tetrahedron is convex: its lowest corner is joined to triangles of
//! the facets around the others, which start from the lowest corner of each facet. So a facet between two regions is divided alike from both
//! sides, and no corners are needed but those of regions.

use super::place::{ByPlace, Place};
use crate::body::{InMetres, Object};
use crate::cut::polytope::Polytope;
use crate::geom::Point;
use crate::heap::held;

/// A node of an object's tetrahedra.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetNode {
    /// Where it is, while nothing is deformed.
    pub position: Point,
    /// Nodes of the asset's mesh, by the numbers of who gave it, and their shares of this one: where these four have moved, it has moved
    /// along. A node of the mesh has a share of 1.
    pub nodes: [u32; 4],
    /// Not negative, sum 1.
    pub weights: [f64; 4],
}

/// An object as tetrahedra.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tets {
    /// Nodes.
    pub nodes: Vec<TetNode>,
    /// Corners of tetrahedra, right-handed. Where cracks nearly meet in a point, the volume of some may be zero to rounding, or below.
    pub tets: Vec<[u32; 4]>,
}

impl Tets {
    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.tets)
    }
}

impl Object {
    /// Its tetrahedra, and parts of them where it is cut.
    pub fn tets(&self) -> Tets {
        let mut builder = Builder { object: self, tets: Tets::default(), numbers: ByPlace::default() };
        builder.add_whole();
        builder.add_cut();
        builder.tets
    }
}

impl InMetres<'_> {
    /// As [`Object::tets`], in metres.
    pub fn tets(&self) -> Tets {
        let mut tets = self.0.tets();
        tets.nodes.iter_mut().for_each(|node| node.position = self.point(&node.position));
        tets
    }
}

struct Builder<'a> {
    object: &'a Object,
    tets: Tets,
    numbers: ByPlace<u32>,
}

impl Builder<'_> {
    /// A node at a position: corners come out alike from all tetrahedra around.
    fn node(&mut self, position: Point, tet: u32, weights: [f64; 4]) -> u32 {
        let solid = self.object.asset().solid();
        let nodes = &mut self.tets.nodes;
        *self.numbers.entry(Place::of(&position)).or_insert_with(|| {
            let sources = solid.tets()[tet as usize].map(|n| solid.source_nodes()[n as usize]);
            nodes.push(TetNode { position, nodes: sources, weights });
            nodes.len() as u32 - 1
        })
    }

    fn corner(&mut self, tet: u32, k: usize) -> u32 {
        let mut weights = [0.0; 4];
        weights[k] = 1.0;
        self.node(self.object.asset().solid().corners(tet)[k], tet, weights)
    }

    fn add_whole(&mut self) {
        let (solid, made) = (self.object.asset().solid(), self.object.made_by());
        for tet in self.object.nodes().iter().flat_map(|n| solid.tets_from(*n)) {
            let tet = tet as u32;
            if made.cut_tets().find(tet).is_none() {
                let [a, b, c, d] = [0, 1, 2, 3].map(|k| self.corner(tet, k));
                self.tets.tets.push(if solid.signed_volume(tet) > 0.0 { [a, b, c, d] } else { [a, b, d, c] });
            }
        }
    }

    fn add_cut(&mut self) {
        let (solid, made, piece) = (self.object.asset().solid(), self.object.made_by(), self.object.piece_number());
        let (mut polytope, mut rim, mut corners, mut facet) = (Polytope::default(), vec![], vec![], vec![]);
        for &k in made.cuts_of(piece) {
            let (k, tet) = (k as usize, made.cut_tets().tets[k as usize].tet);
            let (nodes, places) = (&solid.tets()[tet as usize], solid.corners(tet));
            let splits = made.cut_tets().splits_at(k);
            for region in made.cut_tets().regions_at(k).filter(|r| made.cut_tets().regions[*r].piece == piece) {
                polytope.set_region(splits, made.cut_tets().walls_of(region).iter().copied());
                corners.clear();
                for corner in 0..polytope.corner_count() {
                    let corner = polytope.corner(corner, splits, nodes);
                    corners.push(self.node(corner.position(&places), tet, corner.weights));
                }
                let Some(apex) = corners.iter().copied().min() else { continue };
                polytope.each_facet(&mut rim, |_, rim| {
                    facet.clear();
                    facet.extend(rim.iter().map(|c| corners[*c as usize]));
                    let lowest = (0..facet.len()).min_by_key(|c| facet[*c]).unwrap_or(0);
                    facet.rotate_left(lowest);
                    if solid.signed_volume(tet) < 0.0 {
                        facet[1..].reverse();
                    }
                    for c in 2..facet.len() {
                        let [p, q, r] = [facet[0], facet[c - 1], facet[c]];
                        // Of what lies in one point or line to the last bit, nothing is left.
                        if ![p, q, r].contains(&apex) && p != q && q != r && r != p {
                            self.tets.tets.push([p, q, r, apex]);
                        }
                    }
                });
            }
        }
    }
}
