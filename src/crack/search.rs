//! The crack triangle of one piece nearest to a point, found exactly.
//!
//! A fragment has some hundred crack triangles, and a query asks only for those nearer than a bound that it already has:
//! the skin, or a supporting plane. Triangles come in blocks of eight with flat cylinders around them (`crack::blocks`), and
//! everything is tested eight at a time: cylinders first, then the triangles of a block at once. Nothing has to be spread over
//! the nodes for it, and there is no error.

use crate::crack::blocks::{Block, CrackBlocks};
use crate::geom::lanes::{LANES, Lanes, lane_mask, lowest};
use crate::geom::patch::PatchLanes;
use crate::geom::{Local, NONE};
use crate::heap::held;

/// The crack triangles of one piece, arranged for the search: its groups of the break's blocks.
#[derive(Clone, Debug, Default)]
pub struct CrackSearch {
    /// The number of each group, and what is across, by the latter.
    own: Vec<(u32, u32)>,
    /// What is around groups.
    groups: Vec<PatchLanes>,
}

/// What to look for besides the nearest.
#[derive(Clone, Copy)]
pub struct Across {
    /// The crack towards this sibling.
    pub piece: u32,
    /// As long as it is no farther than the nearest by more than this,
    pub within: f32,
    /// or no farther than this at all.
    pub up_to: f32,
}

impl Across {
    fn limit(&self, best: f32) -> f32 {
        (best + self.within).max(self.up_to)
    }
}

/// How far a search goes.
#[derive(Clone, Copy)]
pub struct Reach {
    /// Only what is nearer counts.
    pub most: f32,
    /// Once something is as near as this, nobody wants to know what is nearest.
    pub enough: f32,
    /// Distances up to this are zero: what has been found then is the answer.
    pub zero: f32,
}

/// A triangle that was found. Plain numbers, there or not.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// How far it is; without end if there is none.
    pub distance: f32,
    /// Its number; [`NONE`] if there is none.
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

/// What was found.
#[derive(Clone, Copy)]
pub struct Nearest {
    /// The nearest of all.
    pub any: Hit,
    /// The nearest of the crack towards the sibling.
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

    /// The nearest triangle within reach, and, if asked for, that of the crack towards a sibling. The crack towards `first` is
    /// looked at before all others.
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
        // The nearer the first that are met, the fewer are left.
        if first != NONE {
            let start = self.own.partition_point(|(_, neighbour)| *neighbour < first);
            for &(group, neighbour) in self.own[start..].iter().take_while(|(_, neighbour)| *neighbour == first) {
                let apart = cracks.groups[group as usize].around.apart_squared(p);
                if apart < hunt.limit(neighbour) && hunt.enter(group, neighbour) {
                    return hunt.found;
                }
            }
        }
        // What an earlier event cut off is no piece either.
        let is_done = |neighbour: u32| neighbour == first && first != NONE;
        // Each time the nearest that is left. What is missing of eight is far from everything.
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

/// A search under way.
struct Hunt<'a> {
    p: &'a Local,
    cracks: &'a CrackBlocks,
    reach: Reach,
    found: Nearest,
    across: Option<Across>,
    /// The sibling that it is about; [`NONE`] if there is none.
    towards: u32,
    /// How near something must be to matter, squared: of any crack, and of that towards the sibling.
    limits: [f32; 2],
}

impl Hunt<'_> {
    /// How near something must be to matter, given what is on its other side; squared.
    #[inline]
    fn limit(&self, neighbour: u32) -> f32 {
        self.limits[(neighbour == self.towards) as usize]
    }

    /// The same for patches: a hair less once something has been found, since patches of one plane are as far as it is.
    #[inline]
    fn hair_nearer(&self, neighbour: u32) -> f32 {
        self.limit(neighbour) * if self.found.any.is_some() { 1.0 - 2e-5 } else { 1.0 }
    }

    /// How near something must be to matter at all, squared.
    #[inline]
    fn farthest(&self) -> f32 {
        self.limits[(self.towards != NONE) as usize]
    }

    /// The nearest so far, or how far the search goes.
    fn best(&self) -> f32 {
        let Nearest { any, .. } = &self.found;
        if any.is_some() { any.distance } else { self.reach.most }
    }

    fn set_limits(&mut self) {
        let (best, known) = (self.best(), self.found.across.distance);
        let towards = self.across.map_or(best, |across| best.max(known.min(across.limit(best))));
        self.limits = [best * best, towards * towards];
    }

    /// Tests the blocks of a group that may matter; whether the search is over then.
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
        // All are of one crack: what counts as the nearest of all counts as the nearest of it.
        if let Some((k, squared)) = nearest(&mut squares, self.limit(neighbour)) {
            self.take(Hit { distance: squared.sqrt(), triangle: block.triangle[k] }, neighbour);
        }
    }

    /// Whether nothing that is left can matter.
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

/// The nearest of eight, and how far it is, if that is less than `limit`; it is taken out.
#[inline]
fn nearest(apart: &mut Lanes, limit: f32) -> Option<(usize, f32)> {
    let least = lowest(apart);
    if least >= limit {
        return None;
    }
    // Found without branches, which nobody could predict.
    let k = lane_mask(|k| apart[k] == least).next()?;
    apart[k] = f32::INFINITY;
    Some((k, least))
}
