//! A break: the immutable data that one fracture makes for the nodes of the object that broke.
//!
//! Fragments partition the object (Glondu 2013, section 4.1), so every node, every cut tetrahedron and every crack point
//! is stored once and shared by the fragments. Lists are grouped by fragment; within one they are in curve order. A break
//! is complete in itself: cuts of earlier events are carried over, so nothing refers to the generations before.
//! An intact asset is the break that cut nothing: one piece a connected body.

use crate::geom::aabb::Aabb;
use crate::geom::knockout::{Split, survivors};
use crate::geom::moments::MassProperties;
use crate::geom::plane::Plane;
use crate::geom::{NONE, Point};
use crate::heap::held;
use std::ops::Range;

/// Nodes of the asset and crack points together: feature numbers have 28 bits (docs/design.md, 5).
pub const MOST_IDS: u64 = 1 << 28;

/// A tetrahedron that cracks run through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutTet {
    /// Its number in the solid.
    pub tet: u32,
    /// The piece of this break that each node belongs to; [`NONE`] if it went to another object in an earlier event.
    pub owners: [u32; 4],
    /// Its splits start here, and end where those of the next one start.
    pub first_split: u32,
}

impl CutTet {
    /// Calls `visit` with each piece that owns a node of it.
    #[inline]
    fn each_owner(&self, mut visit: impl FnMut(u32)) {
        let [a, b, c, d] = self.owners;
        let (least, most) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
        let is_one = |owner: u32| (owner == least) | (owner == most);
        // Nearly all belong to two pieces; which nodes are whose nobody could guess.
        if is_one(a) & is_one(b) & is_one(c) & is_one(d) & (least != most) & (most != NONE) {
            visit(least);
            visit(most);
            return;
        }
        for k in 0..4 {
            let owner = self.owners[k];
            if owner != NONE && !self.owners[..k].contains(&owner) {
                visit(owner);
            }
        }
    }
}

/// A sample point on a crack, on the side of one fragment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CrackPoint {
    /// Position in the frame of the asset.
    pub at: Point,
    /// The node whose fragment it belongs to, for good: whoever owns the node owns the point.
    pub node: u32,
    /// Its number: no other point of the object has it, and it is kept through all later fractures.
    pub id: u32,
    /// The piece of this break that is across the crack on its edge; [`NONE`] for corners, and on
    /// cracks of earlier events.
    pub neighbour: u32,
}

/// One fragment's part of a break, or one connected body of an intact asset.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its part of the break's nodes.
    pub nodes: Range<usize>,
    /// Its part of the break's list of cut tetrahedra by piece.
    pub cuts: Range<usize>,
    /// Its part of the break's crack points.
    pub points: Range<usize>,
    /// Volume, mass, centre and inertia.
    pub mass: MassProperties,
    /// Box around all of it.
    pub bounds: Aabb,
    /// The cell of the pattern that it fills; 0 for an intact body.
    pub cell: u32,
    /// Its part of the break's half-spaces, if it is all of the original body that is within them.
    pub half_spaces: Option<Range<usize>>,
}

/// What one fracture made. See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Break {
    /// Fragments in the order of pattern cell, then lowest node.
    pub pieces: Vec<Piece>,
    /// Nodes by piece, ascending in each.
    pub nodes: Vec<u32>,
    /// Cut tetrahedra, ascending.
    pub tets: Vec<CutTet>,
    /// Splits of all cut tetrahedra, in the order in which they were made.
    pub splits: Vec<Split>,
    /// By piece: the cut tetrahedra (positions in `tets`) in which it owns a node.
    pub cuts: Vec<u32>,
    /// Crack points by piece, and in each by what is across.
    pub points: Vec<CrackPoint>,
    /// Half-spaces around pieces, normals outwards, as far as they cut the box of the piece.
    pub half_spaces: Vec<Plane>,
    /// The id that the next crack point of these pieces gets.
    pub next_id: u32,
}

impl Break {
    /// The nodes of a piece.
    pub fn nodes_of(&self, piece: u32) -> &[u32] {
        &self.nodes[self.pieces[piece as usize].nodes.clone()]
    }

    /// The cut tetrahedra of a piece, ascending.
    pub fn cuts_of(&self, piece: u32) -> impl ExactSizeIterator<Item = &CutTet> {
        self.cuts[self.pieces[piece as usize].cuts.clone()].iter().map(|k| &self.tets[*k as usize])
    }

    /// The crack points of a piece.
    pub fn points_of(&self, piece: u32) -> &[CrackPoint] {
        &self.points[self.pieces[piece as usize].points.clone()]
    }

    /// The half-spaces that cut a piece out of the original body; `None` if it is not made by planes alone.
    pub fn half_spaces_of(&self, piece: u32) -> Option<&[Plane]> {
        self.pieces[piece as usize].half_spaces.clone().map(|range| &self.half_spaces[range])
    }

    /// The splits of the cut tetrahedron at position `k`.
    pub fn splits_at(&self, k: usize) -> &[Split] {
        let end = self.tets.get(k + 1).map_or(self.splits.len(), |next| next.first_split as usize);
        &self.splits[self.tets[k].first_split as usize..end]
    }

    /// Whether a piece owns the point with barycentric coordinates `weights` in tetrahedron `tet` with these nodes.
    pub fn owns(&self, piece: u32, tet: u32, nodes: &[u32; 4], weights: &[f64; 4]) -> bool {
        match self.tets.binary_search_by_key(&tet, |cut| cut.tet) {
            Ok(k) => {
                let alive = survivors(self.splits_at(k), weights);
                self.tets[k].owners[alive.trailing_zeros() as usize] == piece
            }
            // Not cut: whoever owns one node owns all of it.
            Err(_) => self.nodes_of(piece).binary_search(&nodes[0]).is_ok(),
        }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let lists = held(&self.pieces) + held(&self.nodes) + held(&self.points) + held(&self.half_spaces);
        lists + held(&self.tets) + held(&self.splits) + held(&self.cuts)
    }
}

/// For each piece the cut tetrahedra in which it owns a node, by their places; and where those of each start.
pub fn cuts_by_piece(count: usize, tets: &[CutTet]) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0; count + 1];
    count_owners(tets, &mut starts[1..]);
    (0..count).for_each(|k| starts[k + 1] += starts[k]);
    let mut cuts = vec![0; starts[count]];
    list_owners(tets, &mut starts.clone(), &mut cuts);
    (cuts, starts)
}

#[inline(never)] // a tight loop needs all registers
fn count_owners(tets: &[CutTet], counts: &mut [usize]) {
    tets.iter().for_each(|cut| cut.each_owner(|owner| counts[owner as usize] += 1));
}

#[inline(never)]
fn list_owners(tets: &[CutTet], next: &mut [usize], cuts: &mut [u32]) {
    for (cut, number) in tets.iter().zip(0u32..) {
        cut.each_owner(|owner| {
            let place = &mut next[owner as usize];
            cuts[*place] = number;
            *place += 1;
        });
    }
}

/// Gathers elements by key, a stable counting sort: the elements, and where each key starts. Keys are below `count`.
pub fn group<T: Copy + Default>(count: usize, keys: &[u32], element: impl Fn(usize) -> T) -> (Vec<T>, Vec<usize>) {
    let mut starts = vec![0; count + 1];
    keys.iter().for_each(|key| starts[*key as usize + 1] += 1);
    (0..count).for_each(|k| starts[k + 1] += starts[k]);
    let mut sorted = vec![T::default(); keys.len()];
    gather(keys, &mut starts.clone(), &mut sorted, element);
    (sorted, starts)
}

/// Puts elements where the next of their key goes.
#[inline(never)]
pub fn gather<T>(keys: &[u32], next: &mut [usize], sorted: &mut [T], element: impl Fn(usize) -> T) {
    for (k, key) in keys.iter().enumerate() {
        let place = &mut next[*key as usize];
        sorted[*place] = element(k);
        *place += 1;
    }
}
