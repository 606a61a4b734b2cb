//! The crack triangle of one piece nearest to a point, found exactly.
//!
//! A fragment has some hundred crack triangles, and a query asks only for those nearer than a bound that it already has:
//! the skin, or a supporting plane. Triangles come in blocks of eight with spheres around them (`crack_blocks`), and everything
//! is tested eight at a time: spheres first, then the triangles of a block at once. Nothing has to be spread over the nodes for
//! it, and there is no error.

use super::crack_blocks::{Block, CrackBlocks};
use super::crack_triangles::CrackTriangles;
use crate::geom::lanes::{LANES, Lanes, SphereLanes};
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE};
use crate::heap::held;

/// The crack triangles of one piece, arranged for the search: its groups of the break's blocks.
#[derive(Clone, Debug, Default)]
pub struct CrackSearch {
    /// The number of each group, and what is across.
    own: Vec<(u32, u32)>,
    /// The spheres around groups.
    groups: Vec<SphereLanes>,
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

/// What was found: distance and triangle.
#[derive(Clone, Copy, Default)]
pub struct Nearest {
    /// The nearest of all.
    pub any: Option<(f32, u32)>,
    /// The nearest of the crack towards the sibling.
    pub across: Option<(f32, u32)>,
}

impl CrackSearch {
    /// Lists the groups of a piece.
    pub fn new(piece: u32, cracks: &CrackBlocks) -> Self {
        let groups = cracks.groups_of(piece);
        let own = groups.iter().map(|g| {
            let [first, second] = cracks.groups[*g as usize].pieces;
            (*g, if first == piece { second } else { first })
        });
        let spheres: Vec<_> = groups.iter().map(|g| cracks.groups[*g as usize].around).collect();
        Self { own: own.collect(), groups: SphereLanes::list(&spheres) }
    }

    /// The nearest triangle within reach, and, if asked for, that of the crack towards a sibling. `first` are looked at before
    /// all others.
    pub fn nearest(
        &self,
        p: &Local,
        reach: Reach,
        across: Option<Across>,
        first: impl Iterator<Item = u32>,
        (cracks, piece): (&CrackTriangles, u32),
    ) -> Nearest {
        let towards = across.map_or(NONE, |across| across.piece);
        let mut hunt = Hunt {
            p,
            cracks,
            found: Nearest::default(),
            best: reach.most,
            across,
            towards,
            best_across: f32::INFINITY,
        };
        first.for_each(|triangle| hunt.offer(triangle, cracks.neighbour(triangle, piece)));
        if hunt.is_over(&reach) {
            return hunt.found;
        }
        // Each time the nearest that is left: the nearer the first that are met, the fewer are left. What is missing of eight is
        // far from everything.
        for (spheres, own) in self.groups.iter().zip(self.own.chunks(LANES)) {
            let mut groups = spheres.apart(p);
            while let Some((k, apart)) = nearest(&mut groups, hunt.farthest()) {
                let (group, neighbour) = own[k];
                if apart >= hunt.limit(neighbour) {
                    continue;
                }
                let group = &cracks.blocks.groups[group as usize];
                let mut blocks = group.apart(p);
                while let Some((k, _)) = nearest(&mut blocks, hunt.hair_nearer(neighbour)) {
                    hunt.test(&cracks.blocks.blocks[group.first_block as usize + k], neighbour);
                    if hunt.is_over(&reach) {
                        return hunt.found;
                    }
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
    cracks: &'a CrackTriangles,
    found: Nearest,
    best: f32,
    across: Option<Across>,
    /// The sibling that it is about; [`NONE`] if there is none.
    towards: u32,
    best_across: f32,
}

impl Hunt<'_> {
    /// How near a triangle must be to matter, given what is on its other side.
    #[inline]
    fn limit(&self, neighbour: u32) -> f32 {
        if neighbour == self.towards { self.farthest() } else { self.best }
    }

    /// The same for patches: a hair less once something has been found, since patches of one plane are as far as it is.
    #[inline]
    fn hair_nearer(&self, neighbour: u32) -> f32 {
        let limit = self.limit(neighbour);
        if self.found.any.is_some() { limit * (1.0 - 1e-5) } else { limit }
    }

    /// The same for the crack towards the sibling.
    #[inline]
    fn farthest(&self) -> f32 {
        self.across.map_or(self.best, |across| self.best.max(self.best_across.min(across.limit(self.best))))
    }

    fn test(&mut self, block: &Block, neighbour: u32) {
        let (mut squared, limit) = (block.distances_squared(self.p), self.limit(neighbour));
        // All are of one crack: what counts as the nearest of all counts as the nearest of it.
        if let Some((k, squared)) = nearest(&mut squared, limit * limit) {
            self.take(squared.sqrt(), block.triangle[k], neighbour);
        }
    }

    /// Whether nothing that is left can matter.
    fn is_over(&self, reach: &Reach) -> bool {
        self.best <= reach.enough
            || self.best <= reach.zero && (self.across.is_none() || self.best_across <= reach.zero)
    }

    #[inline]
    fn offer(&mut self, triangle: u32, neighbour: u32) {
        let distance = (closest(self.p, &self.cracks.corners[triangle as usize]) - self.p).norm();
        self.take(distance, triangle, neighbour);
    }

    #[inline]
    fn take(&mut self, distance: f32, triangle: u32, neighbour: u32) {
        if distance < self.best {
            self.best = distance;
            self.found.any = Some((distance, triangle));
        }
        if self.across.is_some_and(|a| a.piece == neighbour && distance <= a.limit(self.best))
            && distance < self.best_across
        {
            self.best_across = distance;
            self.found.across = Some((distance, triangle));
        }
    }
}

/// The nearest of eight, and how far it is, if that is less than `limit`; it is taken out.
#[inline]
fn nearest(apart: &mut Lanes, limit: f32) -> Option<(usize, f32)> {
    let mut least = (LANES, limit);
    for (k, apart) in apart.iter().enumerate() {
        if *apart < least.1 {
            least = (k, *apart);
        }
    }
    *apart.get_mut(least.0)? = f32::INFINITY;
    Some(least)
}
