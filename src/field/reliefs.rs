//! The reliefs of a piece: how high it is above the cracks towards its siblings, column by column (`geom::relief`).
//!
//! What is higher than the base of a crack is told triangle by triangle for cracks, those that cannot be as high left out eight
//! at a time. Where a cut tetrahedron has skin, the surface of the piece in it lies within the box of the corners that its crack
//! triangles have there and of the piece's own nodes. Skin that is not cut has skin nodes for corners, and no edge is longer
//! than the longest.

use super::crack_blocks::Block;
use super::fragment::FragmentField;
use crate::geom::Local;
use crate::geom::lanes::{LANES, PointLanes, SphereLanes, middle_and_half};
use crate::geom::relief::{Relief, Rising};
use std::ops::Range;

/// Share of a mean edge by which the base is higher than the crack: flat cracks are flat but for rounding.
const HAIR: f32 = 1e-3;
/// Share of a mean edge that does not matter: eight triangles that are no higher are told together.
const SLIGHT: f32 = 0.1;
/// Share of a mean edge by which a relief is wider than its crack.
const WIDER: f32 = 0.5;
/// About how many heights tell where a crack is.
const HEIGHTS: usize = 32;

/// The reliefs above the cracks of a piece, in the order of `crack_directions`.
pub fn reliefs(field: &FragmentField) -> Vec<Relief> {
    let (cracks, piece) = (field.cracks(), field.piece);
    let skin = Skin::of(field);
    let [edge, longest] = [field.ground.mean_edge, field.ground.longest_edge].map(|length| length as f32);
    let relief = |(sibling, up): &(u32, Local)| {
        let own = cracks.blocks.between(piece, *sibling);
        let base = lower_quarter(own, up) + HAIR * edge;
        let mut rising = Rising::over(up, base, WIDER * edge, own.iter().map(|block| &block.corners[0]));
        cracks.blocks.visit_higher(piece, up, base, |block, patches, k| {
            rising.raise_eight(&block.corners, block.there(), SLIGHT * edge, || {
                let patch = patches.get(k);
                (patch.centre, patch.reach())
            });
        });
        for (around, eight) in skin.around.iter().zip((0..).step_by(LANES)) {
            for k in around.higher(up, base) {
                rising.raise_box(&skin.corners[skin.parts[eight + k].clone()]);
            }
        }
        skin.nodes.iter().for_each(|eight| rising.raise_points(eight, longest));
        rising.finish()
    };
    field.crack_directions().iter().map(relief).collect()
}

/// Where a crack is along a direction: three quarters of it are higher, or at the same height if it is flat. There nothing has to
/// be told.
fn lower_quarter(crack: &[Block], up: &Local) -> f32 {
    // One corner of a triangle, and of many triangles some of every block.
    let step = (crack.len() * LANES / HEIGHTS).clamp(1, LANES);
    let mut heights = [0.0; 2 * HEIGHTS];
    let mut count = 0;
    let blocks = crack.len().div_ceil(2 * HEIGHTS);
    for block in crack.iter().step_by(blocks) {
        let [x, y, z] = &block.corners[0];
        for k in (0..LANES).step_by(step) {
            if count < heights.len() {
                heights[count] = x[k] * up.x + y[k] * up.y + z[k] * up.z;
                count += 1;
            }
        }
    }
    *heights[..count].select_nth_unstable_by(count / 4, f32::total_cmp).1
}

/// The skin of a piece.
struct Skin {
    /// The surface of the piece in cut tetrahedra with skin: what it lies between.
    corners: Vec<PointLanes>,
    parts: Vec<Range<usize>>,
    /// A sphere around each.
    around: Vec<SphereLanes>,
    /// The nodes on it.
    nodes: Vec<PointLanes>,
}

impl Skin {
    fn of(field: &FragmentField) -> Self {
        let (cracks, piece) = (field.cracks(), field.piece);
        let (mut corners, mut parts, mut spheres) = (vec![], vec![], vec![]);
        let mut part: Vec<Local> = vec![];
        for &cut in &field.made.cuts[field.made.pieces[piece as usize].cuts.clone()] {
            let tet = &field.made.tets[cut as usize];
            if !field.solid.has_skin(tet.tet) {
                continue;
            }
            part.clear();
            cracks.of_cut(cut as usize, piece).for_each(|t| part.extend(&cracks.corners[t as usize]));
            let nodes = field.solid.tets()[tet.tet as usize].into_iter().zip(tet.owners);
            part.extend(nodes.filter(|(_, owner)| *owner == piece).map(|(node, _)| field.place(node)));
            let start = corners.len();
            corners.extend(PointLanes::list(&part));
            parts.push(start..corners.len());
            let (middle, half) = middle_and_half(part.iter());
            spheres.push((middle, half.norm()));
        }
        let on_skin = field.made.nodes_of(piece).iter().filter(|node| field.solid.is_on_skin(**node));
        let nodes = PointLanes::list(&on_skin.map(|node| field.place(*node)).collect::<Vec<_>>());
        Self { corners, parts, around: SphereLanes::list(&spheres), nodes }
    }
}
