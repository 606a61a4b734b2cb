//! The reliefs of a piece: how high it is above the cracks towards its siblings, column by column (`geom::relief`).
//!
//! What is higher than the base of a crack is told triangle by triangle for cracks, those that cannot be as high left out eight
//! at a time. Where a cut tetrahedron has skin, the surface of the piece in it lies within the box of the corners that its crack
//! triangles have there and of the piece's own nodes. Skin that is not cut has skin nodes for corners, and no edge is longer
//! than the longest.

use super::fragment::FragmentField;
use crate::geom::Local;
use crate::geom::lanes::{highest, middle_and_half};
use crate::geom::relief::{Relief, Rising};
use std::ops::Range;

/// Share of a mean edge by which the base is higher than the crack: flat cracks are flat but for rounding.
const HAIR: f32 = 1e-3;
/// Share of a mean edge that does not matter: eight triangles that are no higher are told together.
const SLIGHT: f32 = 0.1;
/// Share of a mean edge by which a relief is wider than its crack.
const WIDER: f32 = 0.5;

/// The surface of a piece in a cut tetrahedron with skin.
struct Part {
    corners: Range<usize>,
    middle: Local,
    half: Local,
}

/// The reliefs above the cracks of a piece, in the order of `crack_directions`.
pub fn reliefs(field: &FragmentField) -> Vec<Relief> {
    let (cracks, piece) = (field.cracks(), field.piece);
    let (corners, parts) = skin_parts(field);
    let on_skin = field.made.nodes_of(piece).iter().filter(|node| field.solid.is_on_skin(**node));
    let skin: Vec<Local> = on_skin.map(|node| field.place(*node)).collect();
    let [edge, longest] = [field.ground.mean_edge, field.ground.longest_edge].map(|length| length as f32);
    let mut heights = vec![];
    let relief = |(sibling, up): &(u32, Local)| {
        // A corner of each triangle tells where the crack is.
        let own = || cracks.blocks.between(piece, *sibling).iter().map(|t| &cracks.corners[*t as usize][0]);
        heights.clear();
        heights.extend(own().map(|corner| up.dot(corner)));
        // Three quarters of it are higher, or at the same height if the crack is flat: there nothing has to be told.
        let quarter = heights.len() / 4;
        let base = *heights.select_nth_unstable_by(quarter, f32::total_cmp).1 + HAIR * edge;
        let mut rising = Rising::new(up, base, WIDER * edge, own());
        cracks.blocks.visit_higher(piece, up, base, |tops, within, (centre, radius)| {
            let top = highest(tops);
            if top - base < SLIGHT * edge {
                rising.raise_within(top, &centre, radius);
            } else {
                rising.raise_eight(tops, within);
            }
        });
        let (x, y, z) = (up.x.abs(), up.y.abs(), up.z.abs());
        for Part { corners: range, middle, half } in &parts {
            if up.dot(middle) + x * half.x + y * half.y + z * half.z > base {
                rising.raise(corners[range.clone()].iter(), 0.0);
            }
        }
        for node in skin.iter().filter(|node| up.dot(node) > base) {
            rising.raise(std::iter::once(node), longest);
        }
        rising.finish()
    };
    field.crack_directions().iter().map(relief).collect()
}

/// The parts of a piece in cut tetrahedra with skin, and their corners.
fn skin_parts(field: &FragmentField) -> (Vec<Local>, Vec<Part>) {
    let (cracks, piece) = (field.cracks(), field.piece);
    let (mut corners, mut parts) = (vec![], vec![]);
    for &cut in &field.made.cuts[field.made.pieces[piece as usize].cuts.clone()] {
        let tet = &field.made.tets[cut as usize];
        if !field.solid.has_skin(tet.tet) {
            continue;
        }
        let start = corners.len();
        cracks.of_cut(cut as usize, piece).for_each(|t| corners.extend(&cracks.corners[t as usize]));
        let nodes = field.solid.tets()[tet.tet as usize].into_iter().zip(tet.owners);
        corners.extend(nodes.filter(|(_, owner)| *owner == piece).map(|(node, _)| field.place(node)));
        let (middle, half) = middle_and_half(corners[start..].iter());
        parts.push(Part { corners: start..corners.len(), middle, half });
    }
    (corners, parts)
}
