//! The crack triangles of a break, grouped by the two pieces that they separate, in blocks of eight for searches.
//!
//! Both pieces share the same triangles, so a block serves both. A piece only has its own list of groups of eight
//! blocks (`crack::search`). Along a crack, triangles are in the order of the mesh's space-filling curve, so blocks are
//! small patches. Every block and every group is bounded by a flat cylinder.

use crate::geom::counting_sort::{gather, group};
use crate::geom::lanes::{LANES, Lanes, lane_mask, lanes};
use crate::geom::patch::{Bounds, Patch, PatchLanes};
use crate::geom::triangle::distances_squared;
use crate::geom::{Local, NONE};
use crate::heap::held;
use std::collections::HashMap;
use std::ops::Range;

/// Eight triangles by their corners. Fills whole cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Block {
    /// Coordinates by corner, axis and lane.
    pub corners: [[Lanes; 3]; 3],
    /// Triangle indices.
    pub triangle: [u32; LANES],
}

/// Eight blocks of the crack between two pieces.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct BlockGroup {
    /// Bounding cylinder of each block.
    pub patches: PatchLanes,
    /// Bounding cylinder of the group; its normal points out of the lower piece.
    pub around: Patch,
    /// The pieces, the lower one first.
    pub pieces: [u32; 2],
    /// Index of its first block. It has as many blocks as patches.
    pub first_block: u32,
}

/// The two sides of a crack triangle.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    /// Unit normal, out of the first piece.
    pub normal: Local,
    /// Twice the area.
    pub area: f32,
    /// The pieces on either side, the lower one first; [`NONE`] for an object that an earlier event cut off.
    pub pieces: [u32; 2],
}

impl Sides {
    /// Normal out of the first piece, with a length of twice the area.
    #[inline(always)]
    pub fn area_normal(&self) -> Local {
        self.normal * self.area
    }
}

/// Crack triangles, as input of the blocks.
#[derive(Clone, Copy)]
pub struct Triangles<'a> {
    /// Corners, relative to the centre of the asset.
    pub corners: &'a [[Local; 3]],
    /// The pieces that each separates.
    pub sides: &'a [Sides],
    /// Lowest bit: whether its tetrahedron has skin.
    pub cuts: &'a [u32],
}

/// The crack triangles of a break in blocks.
#[derive(Clone, Debug, Default)]
pub struct CrackBlocks {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// Bit mask per block: its triangles in tetrahedra with skin.
    pub on_skin: Vec<u8>,
    /// Groups of blocks.
    pub groups: Vec<BlockGroup>,
    /// The pairs of pieces that share a crack, sorted, and the offset of each pair's blocks.
    pairs: Vec<[u32; 2]>,
    pair_starts: Vec<usize>,
    /// The groups of each piece, by neighbour: `own[own_starts[piece]..own_starts[piece + 1]]`.
    own: Vec<u32>,
    own_starts: Vec<usize>,
    /// Siblings across the cracks of each piece, and the mean normals out of it.
    directions: Vec<(u32, Local)>,
    direction_starts: Vec<usize>,
}

impl CrackBlocks {
    /// Arranges the cracks between the `count` pieces of a break. Triangles farther apart than `far` do not share a
    /// block.
    pub fn new(count: usize, cracks: Triangles, far: f32) -> Self {
        let (pairs, sorted, starts) = by_pair(cracks.sides);
        let mut made = Self { pair_starts: Vec::with_capacity(starts.len()), ..Self::default() };
        let about = sorted.len() / LANES + sorted.len() / 32;
        (made.blocks, made.on_skin) = (Vec::with_capacity(about), Vec::with_capacity(about));
        made.groups = Vec::with_capacity(about / LANES + pairs.len());
        let (mut pieces_of_groups, mut pieces_of_normals, mut normals) = (vec![], vec![], vec![]);
        for (k, &pieces) in pairs.iter().enumerate() {
            let mut crack = &sorted[starts[k]..starts[k + 1]];
            let mut sum = Local::zeros();
            made.pair_starts.push(made.blocks.len());
            while !crack.is_empty() {
                pieces_of_groups.push(pieces);
                let group = made.add_group(pieces, &mut crack, cracks, far * far, &mut sum);
                made.groups.push(group);
            }
            if let Some(normal) = sum.try_normalize(f32::MIN_POSITIVE)
                && pieces[1] != NONE
            {
                pieces_of_normals.push(pieces);
                normals.push(normal);
            }
        }
        made.pair_starts.push(made.blocks.len());
        made.pairs = pairs;
        (made.own, made.own_starts) = by_piece(count, &pieces_of_groups, |k, _| k as u32);
        (made.directions, made.direction_starts) = by_piece(count, &pieces_of_normals, |k, side| {
            let across = pieces_of_normals[k][1 - side];
            (across, if side == 0 { normals[k] } else { -normals[k] })
        });
        made
    }

    /// Adds up to eight blocks from the front of `crack`, which it consumes, and adds their area normals to `sum`.
    fn add_group(
        &mut self,
        pieces: [u32; 2],
        crack: &mut &[u32],
        cracks: Triangles,
        far_squared: f32,
        sum: &mut Local,
    ) -> BlockGroup {
        let first_block = self.blocks.len();
        let (mut patches, mut mean) = (PatchLanes::FAR, Local::zeros());
        let mut whole = Bounds::NONE;
        for k in 0..LANES {
            if crack.is_empty() {
                break;
            }
            self.blocks.push(Block::NONE);
            let block = self.blocks.last_mut().expect("it has just been pushed");
            let count = block.fill(crack, cracks.corners, far_squared);
            let mut own = Local::zeros();
            crack[..count].iter().for_each(|t| own += cracks.sides[*t as usize].area_normal());
            *crack = &crack[count..];
            let bit = |k: usize| ((cracks.cuts[block.triangle[k] as usize] & 1 != 0) as u8) << k;
            self.on_skin.push((0..LANES).fold(0, |bits, k| bits | bit(k)));
            mean += own;
            let bounds = Bounds::of(&block.corners);
            whole.join(&bounds);
            patches.put(k, &Patch::around(unit(&own), &bounds, std::iter::once(&block.corners)));
        }
        *sum += mean;
        let around = Patch::around(unit(&mean), &whole, self.blocks[first_block..].iter().map(|block| &block.corners));
        BlockGroup { patches, around, pieces, first_block: first_block as u32 }
    }

    /// The blocks of the crack between two pieces, in curve order.
    pub fn between(&self, piece: u32, sibling: u32) -> &[Block] {
        match self.pairs.binary_search(&[piece.min(sibling), piece.max(sibling)]) {
            Ok(k) => &self.blocks[self.pair_starts[k]..self.pair_starts[k + 1]],
            Err(_) => &[],
        }
    }

    /// The groups of a piece, by neighbour.
    pub fn groups_of(&self, piece: u32) -> &[u32] {
        slice_of(&self.own, &self.own_starts, piece)
    }

    /// Calls `visit` with blocks of a piece (index, group, position in the group): a superset of those with a triangle
    /// higher than `base` along `up`.
    #[inline(always)]
    pub fn visit_higher(&self, piece: u32, up: &Local, base: f32, mut visit: impl FnMut(usize, &BlockGroup, usize)) {
        for group in self.groups_of(piece).iter().map(|g| &self.groups[*g as usize]) {
            if up.dot(&group.around.centre) + group.around.reach() * (1.0 + 1e-5) > base {
                let first = group.first_block as usize;
                group.patches.higher(up, base).for_each(|k| visit(first + k, group, k));
            }
        }
    }

    /// The siblings across the cracks of a piece, ascending, each with the mean outward normal of the crack.
    pub fn directions_of(&self, piece: u32) -> &[(u32, Local)] {
        slice_of(&self.directions, &self.direction_starts, piece)
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let by_pair = held(&self.pairs) + held(&self.pair_starts);
        let by_piece = held(&self.own) + held(&self.own_starts) + held(&self.directions) + held(&self.direction_starts);
        held(&self.blocks) + held(&self.on_skin) + held(&self.groups) + by_pair + by_piece
    }
}

impl Block {
    /// Empty.
    const NONE: Self = Self { corners: [[[0.0; LANES]; 3]; 3], triangle: [0; LANES] };

    /// Fills the block with triangles of a crack and returns their number: eight, or fewer if the crack ends or jumps.
    #[inline(never)] // own function: keeps the tight loop's values in registers
    fn fill(&mut self, crack: &[u32], places: &[[Local; 3]], far_squared: f32) -> usize {
        let count = crack.len().min(LANES);
        // Padded with the first.
        self.triangle = [crack[0]; LANES];
        self.triangle[..count].copy_from_slice(&crack[..count]);
        let [a, b, c] = &mut self.corners;
        for k in 0..LANES {
            let [p, q, r] = &places[self.triangle[k] as usize];
            (a[0][k], a[1][k], a[2][k]) = (p.x, p.y, p.z);
            (b[0][k], b[1][k], b[2][k]) = (q.x, q.y, q.z);
            (c[0][k], c[1][k], c[2][k]) = (r.x, r.y, r.z);
        }
        let [[x, y, z], ..] = &self.corners;
        let apart = lanes(|k| {
            let (x, y, z) = (x[k] - x[0], y[k] - y[0], z[k] - z[0]);
            x * x + y * y + z * z
        });
        match lane_mask(|k| apart[k] > far_squared).next() {
            Some(jump) => {
                self.triangle[jump..].fill(crack[0]);
                let short = |at: &mut Lanes| *at = lanes(|k| if k < jump { at[k] } else { at[0] });
                self.corners.as_flattened_mut().iter_mut().for_each(short);
                jump
            }
            None => count,
        }
    }

    /// Squared distance of a point to each triangle.
    #[inline]
    pub fn distances_squared(&self, p: &Local) -> Lanes {
        distances_squared(p, &self.corners)
    }
}

/// Normalizes a vector; zero stays zero. Scaled first: squares of small areas underflow.
fn unit(normal: &Local) -> Local {
    let highest = |a: f32, b: f32| if b > a { b } else { a };
    let largest = highest(highest(normal.x.abs(), normal.y.abs()), normal.z.abs());
    if largest > f32::MIN_POSITIVE { (normal / largest).normalize() } else { Local::zeros() }
}

/// The pairs of pieces separated by triangles, sorted; the triangles by pair; and the offset of each pair.
fn by_pair(sides: &[Sides]) -> (Vec<[u32; 2]>, Vec<u32>, Vec<usize>) {
    let mut numbers = HashMap::<[u32; 2], u32>::new();
    let mut counts = vec![];
    // Direct-mapped cache: neighbouring triangles mostly separate the same pieces, or those before. 37 spreads the
    // pairs over 256 slots.
    let mut known = [([NONE; 2], 0); 256];
    let number = |side: &Sides| {
        let slot = (side.pieces[0].wrapping_mul(37) ^ side.pieces[1]) as usize % known.len();
        if known[slot].0 != side.pieces {
            let next = numbers.len() as u32;
            known[slot] = (side.pieces, *numbers.entry(side.pieces).or_insert(next));
            counts.resize(numbers.len(), 0);
        }
        counts[known[slot].1 as usize] += 1;
        known[slot].1
    };
    let keys: Vec<u32> = sides.iter().map(number).collect();
    let mut pairs: Vec<([u32; 2], u32)> = numbers.into_iter().collect();
    pairs.sort_unstable();
    // Counts become write positions.
    let mut starts = Vec::with_capacity(pairs.len() + 1);
    let mut next = 0;
    for (_, number) in &pairs {
        starts.push(next);
        next += std::mem::replace(&mut counts[*number as usize], next);
    }
    starts.push(next);
    let mut sorted = vec![0; sides.len()];
    gather(&keys, &mut counts, &mut sorted, |k| k as u32);
    (pairs.into_iter().map(|(pair, _)| pair).collect(), sorted, starts)
}

/// Lists an element for both pieces of each pair. Pairs are sorted, so each piece's list is ascending by neighbour.
fn by_piece<T: Copy + Default>(
    count: usize,
    pairs: &[[u32; 2]],
    element: impl Fn(usize, usize) -> T,
) -> (Vec<T>, Vec<usize>) {
    let sides: Vec<(usize, usize)> = pairs
        .iter()
        .enumerate()
        .flat_map(|(k, pair)| (0..2).filter(|s| pair[*s] != NONE).map(move |s| (k, s)))
        .collect();
    let keys: Vec<u32> = sides.iter().map(|(k, side)| pairs[*k][*side]).collect();
    group(count, &keys, |k| element(sides[k].0, sides[k].1))
}

fn slice_of<'a, T>(list: &'a [T], starts: &[usize], piece: u32) -> &'a [T] {
    let range: Range<usize> = match starts.get(piece as usize..piece as usize + 2) {
        Some([start, end]) => *start..*end,
        _ => 0..0,
    };
    &list[range]
}
