//! The crack triangles of a break by the two pieces that they part, eight to a block, for searches.
//!
//! Both pieces see the same triangles, so a block serves both: what a piece has of its own is a list of groups of eight
//! blocks (`crack_search`). Along a crack triangles stay in the order of the mesh's curve, so blocks are small patches, and every
//! block and every group has a flat cylinder around it.

use super::breaks::group;
use super::crack_triangles::{CrackTriangles, Sides};
use crate::geom::lanes::{LANES, Lanes};
use crate::geom::patch::{Patch, PatchLanes};
use crate::geom::triangle::distances_squared;
use crate::geom::{Local, NONE};
use crate::heap::held;
use std::collections::HashMap;
use std::ops::Range;

/// Eight triangles by their corners. Whole lines of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Block {
    /// By corner and axis.
    pub corners: [[Lanes; 3]; 3],
    /// Their numbers.
    pub triangle: [u32; LANES],
}

/// Eight blocks of the crack between two pieces.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Group {
    /// What is around each block.
    pub patches: PatchLanes,
    /// What is around all of it; the normal is out of the lower piece.
    pub around: Patch,
    /// The pieces, the lower one first.
    pub pieces: [u32; 2],
    /// Its first block. There are as many as there are patches.
    pub first_block: u32,
}

/// The crack triangles of a break in blocks.
#[derive(Clone, Debug, Default)]
pub struct CrackBlocks {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// Those of their triangles that are in tetrahedra with skin, a bit each.
    pub on_skin: Vec<u8>,
    /// Groups of blocks.
    pub groups: Vec<Group>,
    /// The pairs of pieces that share a crack, in order, and where the blocks of each start.
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
    /// Arranges the cracks between the pieces of a break, of which there are `count`. What is farther apart than `far` is not in
    /// one block.
    pub fn new(count: usize, cracks: &CrackTriangles, far: f32) -> Self {
        let sides = cracks.sides();
        let (pairs, sorted, starts) = by_pair(sides);
        let mut made = Self { pair_starts: Vec::with_capacity(starts.len()), ..Self::default() };
        let about = sorted.len() / LANES + sorted.len() / 32;
        (made.blocks, made.on_skin) = (Vec::with_capacity(about), Vec::with_capacity(about));
        let (mut pieces_of_groups, mut pieces_of_normals, mut normals, mut runs) = (vec![], vec![], vec![], vec![]);
        for (k, &pieces) in pairs.iter().enumerate() {
            let crack = &sorted[starts[k]..starts[k + 1]];
            let mut sum = Local::zeros();
            made.pair_starts.push(made.blocks.len());
            runs.clear();
            runs.extend(runs_of(crack, cracks, far));
            for eight in runs.chunks(LANES) {
                pieces_of_groups.push(pieces);
                let group = made.add_group(pieces, eight, cracks, &mut sum);
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

    /// Adds the blocks of some triangles, and their area normals to a sum.
    fn add_group(&mut self, pieces: [u32; 2], runs: &[&[u32]], cracks: &CrackTriangles, sum: &mut Local) -> Group {
        let first_block = self.blocks.len();
        let (mut patches, mut mean) = (PatchLanes::FAR, Local::zeros());
        for (k, chunk) in runs.iter().enumerate() {
            self.blocks.push(Block::NONE);
            let block = self.blocks.last_mut().expect("it has just been pushed");
            let own = block.fill(chunk, &cracks.corners, cracks.sides());
            let bit = |k: usize| (cracks.has_skin(block.triangle[k]) as u8) << k;
            self.on_skin.push((0..LANES).fold(0, |bits, k| bits | bit(k)));
            mean += own;
            patches.put(k, &Patch::around(unit(&own), std::iter::once(&block.corners)));
        }
        *sum += mean;
        let around = Patch::around(unit(&mean), self.blocks[first_block..].iter().map(|block| &block.corners));
        Group { patches, around, pieces, first_block: first_block as u32 }
    }

    /// The blocks of the crack between two pieces, in the order of the curve.
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

    /// Calls `visit` with blocks of a piece, by their number, group, and place in it: all that have a triangle higher than `base`
    /// along `up` are among them.
    #[inline(always)]
    pub fn visit_higher(&self, piece: u32, up: &Local, base: f32, mut visit: impl FnMut(usize, &Group, usize)) {
        for group in self.groups_of(piece).iter().map(|g| &self.groups[*g as usize]) {
            if up.dot(&group.around.centre) + group.around.reach() * (1.0 + 1e-5) > base {
                let first = group.first_block as usize;
                group.patches.higher(up, base).for_each(|k| visit(first + k, group, k));
            }
        }
    }

    /// The siblings across the cracks of a piece, ascending, and the mean outward normal of the crack towards each.
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
    /// Nothing yet.
    const NONE: Self = Self { corners: [[[0.0; LANES]; 3]; 3], triangle: [0; LANES] };

    /// Puts up to eight triangles in, and returns the sum of their area normals.
    #[inline(never)] // a tight loop needs all registers
    fn fill(&mut self, chunk: &[u32], places: &[[Local; 3]], sides: &[Sides]) -> Local {
        let [a, b, c] = &mut self.corners;
        for k in 0..LANES {
            // Short of eight, the first comes again.
            let triangle = *chunk.get(k).unwrap_or(&chunk[0]);
            self.triangle[k] = triangle;
            let [p, q, r] = &places[triangle as usize];
            (a[0][k], a[1][k], a[2][k]) = (p.x, p.y, p.z);
            (b[0][k], b[1][k], b[2][k]) = (q.x, q.y, q.z);
            (c[0][k], c[1][k], c[2][k]) = (r.x, r.y, r.z);
        }
        let area_normal = |triangle: &u32| sides[*triangle as usize].normal * sides[*triangle as usize].area;
        chunk.iter().map(area_normal).sum()
    }

    /// How far a point is from each, squared.
    #[inline]
    pub fn distances_squared(&self, p: &Local) -> Lanes {
        distances_squared(p, &self.corners)
    }
}

/// Parts of a crack, at most eight triangles each, that follow each other on the curve: where it jumps, one ends.
fn runs_of<'a>(crack: &'a [u32], cracks: &CrackTriangles, far: f32) -> impl Iterator<Item = &'a [u32]> {
    let at = |k: usize| cracks.corners[crack[k] as usize][0];
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from;
        if start == crack.len() {
            return None;
        }
        let most = crack.len().min(start + LANES);
        let first = at(start);
        from = (start + 1..most).find(|k| (at(*k) - first).norm_squared() > far * far).unwrap_or(most);
        Some(&crack[start..from])
    })
}

/// A vector of length one along another, or none. Squares of small areas may be too small to be measured.
fn unit(normal: &Local) -> Local {
    let largest = normal.amax();
    if largest > f32::MIN_POSITIVE { (normal / largest).normalize() } else { Local::zeros() }
}

/// The pairs of pieces that triangles part, in order, and the triangles by them.
fn by_pair(sides: &[Sides]) -> (Vec<[u32; 2]>, Vec<u32>, Vec<usize>) {
    let mut numbers = HashMap::<[u32; 2], u32>::new();
    let mut keys = Vec::with_capacity(sides.len());
    // Triangles next to each other mostly part the same pieces, or those before.
    let mut known = [([NONE; 2], 0); 256];
    for side in sides {
        let slot = (side.pieces[0].wrapping_mul(37) ^ side.pieces[1]) as usize % known.len();
        if known[slot].0 != side.pieces {
            let next = numbers.len() as u32;
            known[slot] = (side.pieces, *numbers.entry(side.pieces).or_insert(next));
        }
        keys.push(known[slot].1);
    }
    let mut pairs: Vec<([u32; 2], u32)> = numbers.into_iter().collect();
    pairs.sort_unstable();
    let mut rank = vec![0; pairs.len()];
    pairs.iter().zip(0..).for_each(|((_, number), place)| rank[*number as usize] = place);
    keys.iter_mut().for_each(|key| *key = rank[*key as usize]);
    let (sorted, starts) = group(pairs.len(), &keys, |k| k as u32);
    (pairs.into_iter().map(|(pair, _)| pair).collect(), sorted, starts)
}

/// Lists something of the pieces on both sides, of pairs that are in order: for each piece by its neighbours, ascending.
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
