//! The reliefs of a piece: its heights above the cracks towards its siblings, column by column (`culling::relief`).
//!
//! Crack surface higher than the base of a crack is added triangle by triangle; triangles that cannot be as high are
//! culled eight at a time. Skin has nodes as corners, and where it is cut, corners of cracks. Skin no higher than its
//! nodes is covered by raising the surroundings of each node, as far as the longest edge. The rest of the skin is in
//! tetrahedra whose cracks are higher than the base: there it lies within the box of the corners of these cracks and of
//! the piece's own nodes.

use crate::crack::blocks::Block;
use crate::culling::relief::{Relief, Rising};
use crate::field::fragment::FragmentField;
use crate::geom::lanes::{LANES, LaneMask, PointLanes};
use crate::geom::{Local, NONE};

/// Height of the base above the crack, in mean edges: flat cracks must not rise above it by rounding.
const HAIR: f32 = 1e-3;
/// Height, in mean edges, up to which a block of eight triangles is added as one sphere: too low to be worth testing
/// its triangles. Found by trial.
const SLIGHT: f32 = 0.1;
/// Border of a relief around its crack, in mean edges: covers points just beside the crack. Wider makes columns
/// coarser. Found by trial.
const WIDER: f32 = 0.5;
/// About how many sampled heights determine the base of a crack: a quartile needs no more, and sorting all would cost
/// more.
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
    // Direct-mapped cache of cut tetrahedra whose skin has just been added. A miss only adds it again.
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

/// Adds the skin of a piece in a cut tetrahedron.
#[inline(never)] // own function: keeps the tight loop's values in registers
fn raise_skin(field: &FragmentField, cut: usize, rising: &mut Rising) {
    let (cracks, piece, cut_tets) = (field.cracks(), field.piece, field.cut_tets());
    let own = cut_tets.regions_at(cut).map(|r| &cut_tets.regions[r]).filter(|region| region.piece == piece);
    let inside = own.fold(0, |bits, region| bits | region.nodes);
    let nodes = field.solid.tets()[cut_tets.tets[cut].tet as usize].into_iter().enumerate();
    let own = nodes.filter(|(k, _)| inside >> k & 1 != 0).map(|(_, node)| field.place(node));
    rising.raise_box(cracks.of_cut(cut, piece).map(|t| &cracks.corners[t as usize]), own);
}

/// Lower quartile of the heights of a crack along a direction: three quarters of it are higher, or as high if it is
/// flat. The base of the relief; nothing below it is stored.
fn lower_quarter(crack: &[Block], up: &Local) -> f32 {
    // One corner per triangle. With many triangles, some of every block.
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
