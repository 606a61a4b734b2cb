//! The reliefs of a piece: how high it is above the cracks towards its siblings, column by column (`geom::relief`).
//!
//! What is higher than the base of a crack is told tetrahedron by tetrahedron: the surface of a piece in a cut one lies within
//! the box of the corners that its crack triangles have there, and, where it is skin, of the piece's own nodes. Skin that is
//! not cut has skin nodes for corners, and no edge is longer than the longest.

use super::fragment::FragmentField;
use crate::geom::Local;
use crate::geom::relief::{Relief, Rising};
use std::ops::Range;

/// Share of a mean edge by which the base is higher than the crack: flat cracks are flat but for rounding.
const HAIR: f32 = 1e-3;
/// Share of a mean edge by which a relief is wider than its crack.
const WIDER: f32 = 0.5;

/// The surface of a piece in a cut tetrahedron.
struct Part {
    corners: Range<usize>,
    middle: Local,
    half: Local,
}

/// The reliefs above the cracks of a piece, in the order of `crack_directions`.
pub fn reliefs(field: &FragmentField) -> Vec<Relief> {
    let (cracks, piece) = (field.cracks(), field.piece);
    let cuts = &field.made.cuts[field.made.pieces[piece as usize].cuts.clone()];
    let place = |node: u32| field.local(&field.solid.nodes()[node as usize]);
    let mut corners: Vec<Local> = Vec::with_capacity(cuts.len() * 6);
    let mut parts = Vec::with_capacity(cuts.len());
    for &cut in cuts {
        let start = corners.len();
        cracks.of_cut(cut as usize, piece).for_each(|t| corners.extend(&cracks.corners[t as usize]));
        let tet = &field.made.tets[cut as usize];
        if field.solid.has_skin(tet.tet) {
            let nodes = field.solid.tets()[tet.tet as usize].into_iter().zip(tet.owners);
            corners.extend(nodes.filter(|(_, owner)| *owner == piece).map(|(node, _)| place(node)));
        }
        let (middle, half) = crate::geom::lanes::middle_and_half(corners[start..].iter());
        parts.push(Part { corners: start..corners.len(), middle, half });
    }
    let on_skin = field.made.nodes_of(piece).iter().filter(|node| field.solid.is_on_skin(**node));
    let skin: Vec<Local> = on_skin.map(|node| place(*node)).collect();
    let [edge, longest] = [field.ground.mean_edge, field.ground.longest_edge].map(|length| length as f32);
    let mut heights = vec![];
    let relief = |(sibling, up): &(u32, Local)| {
        let own = cracks.blocks.between(piece, *sibling);
        let of_crack = || own.iter().flat_map(|t| &cracks.corners[*t as usize]);
        heights.clear();
        heights.extend(own.iter().map(|t| up.dot(&cracks.corners[*t as usize][0])));
        // Three quarters of it are higher, or at the same height if the crack is flat: there nothing has to be told.
        let quarter = heights.len() / 4;
        let base = *heights.select_nth_unstable_by(quarter, f32::total_cmp).1 + HAIR * edge;
        let mut rising = Rising::new(up, base, WIDER * edge, of_crack());
        for part in &parts {
            if up.dot(&part.middle) + up.abs().dot(&part.half) > base {
                rising.raise(corners[part.corners.clone()].iter(), 0.0);
            }
        }
        for node in skin.iter().filter(|node| up.dot(node) > base) {
            rising.raise(std::iter::once(node), longest);
        }
        rising.finish()
    };
    field.crack_directions().iter().map(relief).collect()
}
