//! The reliefs of a piece: how high it is above the cracks towards its siblings, column by column (`culling::relief`).
//!
//! What is higher than the base of a crack is told triangle by triangle for cracks, those that cannot be as high left out eight
//! at a time. Skin has nodes for corners, and where it is cut those of cracks. What is not higher than its nodes is told by these,
//! as far around as the longest edge. The rest is in tetrahedra whose cracks are higher than the base: there it lies within the
//! box of the corners that these have and of the piece's own nodes.

use crate::crack::blocks::Block;
use crate::culling::relief::{Relief, Rising};
use crate::field::fragment::FragmentField;
use crate::geom::lanes::{LANES, LaneMask, PointLanes};
use crate::geom::{Local, NONE};

/// Share of a mean edge by which the base is higher than the crack: flat cracks are flat but for rounding.
const HAIR: f32 = 1e-3;
/// Share of a mean edge that does not matter: eight triangles that are no higher are told together.
const SLIGHT: f32 = 0.1;
/// Share of a mean edge by which a relief is wider than its crack.
const WIDER: f32 = 0.5;
/// About how many heights tell where a crack is.
const HEIGHTS: usize = 32;

impl FragmentField<'_> {
    /// The reliefs above the cracks of a piece, in the order of `crack_directions`.
    pub(super) fn made_reliefs(&self) -> Vec<Relief> {
        let on_skin = self.made.nodes_of(self.piece).iter().filter(|node| self.solid.is_on_skin(**node));
        let skin = PointLanes::list(&on_skin.map(|node| self.place(*node)).collect::<Vec<_>>());
        self.crack_directions().iter().map(|(sibling, up)| relief(self, &skin, *sibling, up)).collect()
    }
}

/// The relief of a piece above the crack towards a sibling.
fn relief(field: &FragmentField, skin: &[PointLanes], sibling: u32, up: &Local) -> Relief {
    let (cracks, piece) = (field.cracks(), field.piece);
    let blocks = &cracks.blocks;
    let [edge, longest] = [field.asset_field.mean_edge, field.asset_field.longest_edge].map(|length| length as f32);
    let own = blocks.between(piece, sibling);
    let base = lower_quarter(own, up) + HAIR * edge;
    let mut rising = Rising::over(up, base, WIDER * edge, own.iter().map(|block| &block.corners[0]));
    // Cut tetrahedra whose skin has just been told.
    let mut told = [NONE; 64];
    blocks.visit_higher(piece, up, base, |number, group, k| {
        let Block { corners, triangle } = &blocks.blocks[number];
        let around = || {
            let patch = group.patches.get(k);
            (patch.centre, patch.reach())
        };
        let higher = rising.raise_eight(corners, triangle, SLIGHT * edge, around);
        for k in higher.among(LaneMask::of(blocks.on_skin[number])) {
            let cut = cracks.cut_of(triangle[k]);
            let told = &mut told[cut as usize % 64];
            if *told != cut {
                *told = cut;
                raise_skin(field, cut as usize, &mut rising);
            }
        }
    });
    skin.iter().for_each(|eight| rising.raise_points(eight, longest));
    rising.finish()
}

/// Tells of the skin of a piece in a cut tetrahedron.
#[inline(never)] // a tight loop needs all registers
fn raise_skin(field: &FragmentField, cut: usize, rising: &mut Rising) {
    let (cracks, piece, cut_tets) = (field.cracks(), field.piece, field.cut_tets());
    let own = cut_tets.regions_at(cut).map(|r| &cut_tets.regions[r]).filter(|region| region.piece == piece);
    let inside = own.fold(0, |bits, region| bits | region.nodes);
    let nodes = field.solid.tets()[cut_tets.tets[cut].tet as usize].into_iter().enumerate();
    let own = nodes.filter(|(k, _)| inside >> k & 1 != 0).map(|(_, node)| field.place(node));
    rising.raise_box(cracks.of_cut(cut, piece).map(|t| &cracks.corners[t as usize]), own);
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
