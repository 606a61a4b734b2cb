//! The crack triangle of one piece nearest to a point, found exactly.
//!
//! A fragment has some hundred crack triangles, and a query asks only for those nearer than a bound that it already has:
//! the skin, or a supporting plane. Triangles come in the order of the mesh's curve, eight to a block with a sphere around
//! it, and everything is tested eight at a time: spheres first, then single triangles (none is nearer than its plane, nor than
//! its own sphere), then the few that are left. Nothing has to be spread over the nodes for it, and there is no error.

use super::breaks::Break;
use super::crack_triangles::CrackTriangles;
use crate::geom::lanes::{LANES, Lanes, SphereLanes, around, lanes};
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE};

/// Eight triangles by their planes, and by spheres around them.
#[derive(Clone, Copy, Debug)]
struct Block {
    normal: [Lanes; 3],
    offset: Lanes,
    sphere: SphereLanes,
    triangle: [u32; LANES],
    /// What is on the other side of each.
    neighbour: [u32; LANES],
}

/// The crack triangles of one piece, arranged for the search.
#[derive(Clone, Debug, Default)]
pub struct CrackSearch {
    blocks: Vec<Block>,
    /// The spheres around blocks, those of a group of eight together.
    spheres: Vec<SphereLanes>,
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
    /// Arranges the crack triangles of a piece.
    pub fn new(made: &Break, piece: u32, cracks: &CrackTriangles) -> Self {
        let cuts = &made.cuts[made.pieces[piece as usize].cuts.clone()];
        let mut own = Vec::with_capacity(cuts.len() * 2);
        cuts.iter().for_each(|k| own.extend(cracks.of_cut(*k as usize, piece)));
        let block = |chunk: &[u32]| {
            let mut block = Block {
                normal: [[0.0; LANES]; 3],
                offset: [f32::INFINITY; LANES],
                sphere: SphereLanes::FAR,
                triangle: [0; LANES],
                neighbour: [NONE; LANES],
            };
            for (k, triangle) in chunk.iter().enumerate() {
                let normal = cracks.normal(*triangle, piece);
                (0..3).for_each(|axis| block.normal[axis][k] = normal[axis]);
                let corners = &cracks.corners[*triangle as usize];
                block.offset[k] = normal.dot(&corners[0]);
                block.sphere.put(k, around(corners.iter()));
                block.triangle[k] = *triangle;
                block.neighbour[k] = cracks.neighbour(*triangle, piece);
            }
            block
        };
        let around = |chunk: &[u32]| around(chunk.iter().flat_map(|t| &cracks.corners[*t as usize]));
        let spheres = |width: usize| SphereLanes::list(&own.chunks(width).map(around).collect::<Vec<_>>());
        Self { blocks: own.chunks(LANES).map(block).collect(), spheres: spheres(LANES), groups: spheres(LANES * LANES) }
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
        let mut hunt =
            Hunt { p, cracks, found: Nearest::default(), best: reach.most, across, best_across: f32::INFINITY };
        first.for_each(|triangle| hunt.offer(triangle, cracks.neighbour(triangle, piece)));
        if hunt.is_over(&reach) {
            return hunt.found;
        }
        // Each time the nearest that is left: the nearer the first that are met, the fewer are left. What is missing of eight is
        // far from everything.
        for (eight, groups) in self.groups.iter().enumerate() {
            let mut groups = groups.apart(p);
            while let Some(k) = nearest(&mut groups, hunt.farthest()) {
                let group = eight * LANES + k;
                let mut blocks = self.spheres[group].apart(p);
                while let Some(k) = nearest(&mut blocks, hunt.farthest()) {
                    hunt.test(&self.blocks[group * LANES + k]);
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
        size_of_val(&self.blocks[..]) + size_of_val(&self.spheres[..]) + size_of_val(&self.groups[..])
    }
}

/// A search under way.
struct Hunt<'a> {
    p: &'a Local,
    cracks: &'a CrackTriangles,
    found: Nearest,
    best: f32,
    across: Option<Across>,
    best_across: f32,
}

impl Hunt<'_> {
    /// How near a triangle must be to matter, if it is of the crack towards the sibling.
    #[inline]
    fn farthest(&self) -> f32 {
        self.across.map_or(self.best, |across| self.best.max(self.best_across.min(across.limit(self.best))))
    }

    fn test(&mut self, block: &Block) {
        let mut apart = block.apart(self.p);
        // A hair nearer: triangles of one plane have its height, and one of them has been found.
        while let Some(k) = nearest(&mut apart, self.farthest() * (1.0 - 1e-5)) {
            self.offer(block.triangle[k], block.neighbour[k]);
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

/// The nearest of eight, if it is nearer than `limit`; it is taken out.
#[inline]
fn nearest(apart: &mut Lanes, limit: f32) -> Option<usize> {
    let mut least = (limit, LANES);
    for (k, apart) in apart.iter().enumerate() {
        if *apart < least.0 {
            least = (*apart, k);
        }
    }
    *apart.get_mut(least.1)? = f32::INFINITY;
    Some(least.1)
}

impl Block {
    /// How far a point is from each at least.
    #[inline]
    fn apart(&self, p: &Local) -> Lanes {
        let [x, y, z] = &self.normal;
        let beside = self.sphere.apart(p);
        lanes(|k| {
            let height = (x[k] * p.x + y[k] * p.y + z[k] * p.z - self.offset[k]).abs();
            if beside[k] > height { beside[k] } else { height }
        })
    }
}
