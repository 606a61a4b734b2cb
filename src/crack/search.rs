//! Exact search for the crack triangle of a piece nearest to a point.
//!
//! A fragment has some hundred crack triangles, and a query only needs those nearer than a bound that it already has:
//! the skin, or a supporting plane. Triangles are in blocks of eight within flat cylinders (`crack::blocks`). Cylinders
//! are tested eight at a time, then the eight triangles of a block. No distances have to be propagated over the nodes,
//! and there is no error.

use crate::crack::blocks::{Block, CrackBlocks};
use crate::geom::lanes::{LANES, Lanes, lane_mask, lowest};
use crate::geom::patch::PatchLanes;
use crate::geom::{Local, NONE};
use crate::heap::held;

/// The crack triangles of one piece, arranged for the search: its groups of the break's blocks.
#[derive(Clone, Debug, Default)]
pub struct CrackSearch {
    /// Index of each group and the piece across, sorted by the latter.
    own: Vec<(u32, u32)>,
    /// Bounding cylinders of the groups.
    groups: Vec<PatchLanes>,
}

/// A second search target besides the nearest triangle.
#[derive(Clone, Copy)]
pub struct Across {
    /// The crack towards this sibling,
    pub piece: u32,
    /// as long as it is no farther than the nearest by more than this,
    pub within: f32,
    /// or no farther than this in total.
    pub up_to: f32,
}

impl Across {
    fn limit(&self, best: f32) -> f32 {
        (best + self.within).max(self.up_to)
    }
}

/// Limits of a search.
#[derive(Clone, Copy)]
pub struct Reach {
    /// Only triangles nearer than this count.
    pub most: f32,
    /// Stop once a hit is this close: the exact nearest does not matter then.
    pub enough: f32,
    /// Distances up to this count as zero: the first such hit is the answer.
    pub zero: f32,
}

/// A hit, or none.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Distance; infinite if there is no hit.
    pub distance: f32,
    /// Triangle index; [`NONE`] if there is no hit.
    pub triangle: u32,
}

impl Hit {
    /// Nothing was found.
    pub const NONE: Self = Self { distance: f32::INFINITY, triangle: NONE };

    /// Whether something was found.
    pub fn is_some(&self) -> bool {
        self.triangle != NONE
    }
}

/// Result of a search.
#[derive(Clone, Copy)]
pub struct Nearest {
    /// The nearest triangle of all.
    pub any: Hit,
    /// The nearest triangle of the crack towards the sibling.
    pub across: Hit,
}

impl CrackSearch {
    /// Lists the groups of a piece.
    pub fn new(piece: u32, cracks: &CrackBlocks) -> Self {
        let groups = cracks.groups_of(piece);
        let own = groups.iter().map(|g| {
            let [first, second] = cracks.groups[*g as usize].pieces;
            (*g, if first == piece { second } else { first })
        });
        let groups = PatchLanes::list(groups.iter().map(|g| cracks.groups[*g as usize].around));
        Self { own: own.collect(), groups }
    }

    /// The nearest triangle within reach, and, if asked for, the nearest of the crack towards a sibling. The crack
    /// towards `first` is searched before all others.
    pub fn nearest(
        &self,
        p: &Local,
        reach: Reach,
        across: Option<Across>,
        first: u32,
        cracks: &CrackBlocks,
    ) -> Nearest {
        let found = Nearest { any: Hit::NONE, across: Hit::NONE };
        let towards = across.map_or(NONE, |across| across.piece);
        let mut hunt = Hunt { p, cracks, reach, found, across, towards, limits: [0.0; 2] };
        hunt.set_limits();
        // A near first hit culls most of the rest.
        if first != NONE {
            let start = self.own.partition_point(|(_, neighbour)| *neighbour < first);
            for &(group, neighbour) in self.own[start..].iter().take_while(|(_, neighbour)| *neighbour == first) {
                let apart = cracks.groups[group as usize].around.apart_squared(p);
                if apart < hunt.limit(neighbour) && hunt.enter(group, neighbour) {
                    return hunt.found;
                }
            }
        }
        // Cracks towards objects of earlier events have `NONE` across too: those are not done.
        let is_done = |neighbour: u32| neighbour == first && first != NONE;
        // Nearest first. Padding is infinitely far away.
        for (patches, own) in self.groups.iter().zip(self.own.chunks(LANES)) {
            let mut groups = patches.apart_squared(p);
            while let Some((k, squared)) = nearest(&mut groups, hunt.farthest()) {
                let (group, neighbour) = own[k];
                if !is_done(neighbour) && squared < hunt.limit(neighbour) && hunt.enter(group, neighbour) {
                    return hunt.found;
                }
            }
        }
        hunt.found
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.own) + held(&self.groups)
    }
}

/// State of a search.
struct Hunt<'a> {
    p: &'a Local,
    cracks: &'a CrackBlocks,
    reach: Reach,
    found: Nearest,
    across: Option<Across>,
    /// The sibling of the second target; [`NONE`] if there is none.
    towards: u32,
    /// Squared distance limits: of any crack, and of the crack towards the sibling.
    limits: [f32; 2],
}

impl Hunt<'_> {
    /// Squared distance limit for a crack towards `neighbour`.
    #[inline]
    fn limit(&self, neighbour: u32) -> f32 {
        self.limits[(neighbour == self.towards) as usize]
    }

    /// The same for patches. Slightly less once there is a hit, since coplanar patches are equally far: 2e-5 is a 1e-5
    /// shorter distance, above single-precision rounding.
    #[inline]
    fn hair_nearer(&self, neighbour: u32) -> f32 {
        self.limit(neighbour) * if self.found.any.is_some() { 1.0 - 2e-5 } else { 1.0 }
    }

    /// The larger squared distance limit.
    #[inline]
    fn farthest(&self) -> f32 {
        self.limits[(self.towards != NONE) as usize]
    }

    /// Distance of the nearest hit so far, or the search limit.
    fn best(&self) -> f32 {
        let Nearest { any, .. } = &self.found;
        if any.is_some() { any.distance } else { self.reach.most }
    }

    fn set_limits(&mut self) {
        let (best, known) = (self.best(), self.found.across.distance);
        let towards = self.across.map_or(best, |across| best.max(known.min(across.limit(best))));
        self.limits = [best * best, towards * towards];
    }

    /// Tests the blocks of a group that may matter. Returns whether the search is over.
    fn enter(&mut self, number: u32, neighbour: u32) -> bool {
        let group = &self.cracks.groups[number as usize];
        let mut patches = group.patches.apart_squared(self.p);
        while let Some((k, _)) = nearest(&mut patches, self.hair_nearer(neighbour)) {
            self.test(&self.cracks.blocks[group.first_block as usize + k], neighbour);
            if self.is_over() {
                return true;
            }
        }
        false
    }

    fn test(&mut self, block: &Block, neighbour: u32) {
        let mut squares = block.distances_squared(self.p);
        // All triangles of a block are of one crack, so the nearest of all is also the nearest of that crack.
        if let Some((k, squared)) = nearest(&mut squares, self.limit(neighbour)) {
            self.take(Hit { distance: squared.sqrt(), triangle: block.triangle[k] }, neighbour);
        }
    }

    /// Whether no remaining triangle can matter.
    fn is_over(&self) -> bool {
        let (Reach { enough, zero, .. }, best) = (self.reach, self.best());
        best <= enough || best <= zero && (self.across.is_none() || self.found.across.distance <= zero)
    }

    #[inline]
    fn take(&mut self, hit: Hit, neighbour: u32) {
        if hit.distance < self.best() {
            self.found.any = hit;
        }
        let Nearest { across: known, .. } = self.found;
        if self.across.is_some_and(|a| a.piece == neighbour && hit.distance <= a.limit(self.best()))
            && hit.distance < known.distance
        {
            self.found.across = hit;
        }
        self.set_limits();
    }
}

/// Removes and returns the nearest of eight with its squared distance, if that is less than `limit`.
#[inline]
fn nearest(apart: &mut Lanes, limit: f32) -> Option<(usize, f32)> {
    let least = lowest(apart);
    if least >= limit {
        return None;
    }
    // Branchless: unpredictable.
    let k = lane_mask(|k| apart[k] == least).next()?;
    apart[k] = f32::INFINITY;
    Some((k, least))
}
