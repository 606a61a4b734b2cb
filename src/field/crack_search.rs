//! The crack triangle of one piece nearest to a point, found exactly.
//!
//! A fragment has some hundred crack triangles, and a query asks only for those nearer than a bound that it already has:
//! the skin, or a supporting plane. Triangles come in the order of the mesh's curve, eight to a block with a sphere around
//! it, and everything is tested eight at a time: spheres first, then planes (no triangle is nearer than its plane), then the
//! few triangles that are left. Nothing has to be spread over the nodes for it, and there is no error.

use super::breaks::Break;
use super::crack_triangles::CrackTriangles;
use crate::geom::Local;
use crate::geom::aabb::Aabb;
use crate::geom::lanes::{LANES, Lanes, SphereLanes};
use crate::geom::triangle::closest;

/// Eight triangles by their planes.
#[derive(Clone, Copy, Debug)]
struct Block {
    normal: [Lanes; 3],
    offset: Lanes,
    triangle: [u32; LANES],
}

/// The crack triangles of one piece, arranged for the search.
#[derive(Clone, Debug, Default)]
pub struct CrackSearch {
    blocks: Vec<Block>,
    /// The spheres around eight blocks each.
    spheres: Vec<SphereLanes>,
}

/// What to look for besides the nearest.
#[derive(Clone, Copy)]
pub struct Across {
    /// The crack towards this sibling.
    pub piece: u32,
    /// As long as it is no farther than the nearest by more than this.
    pub within: f32,
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
        let mut around = vec![];
        let blocks = own.chunks(LANES).map(|chunk| {
            let mut block = Block { normal: [[0.0; LANES]; 3], offset: [f32::INFINITY; LANES], triangle: [0; LANES] };
            let mut bounds = Aabb::EMPTY;
            for (k, triangle) in chunk.iter().enumerate() {
                let normal = cracks.normal(*triangle, piece);
                let corners = &cracks.corners[*triangle as usize];
                (0..3).for_each(|axis| block.normal[axis][k] = normal[axis]);
                block.offset[k] = normal.dot(&corners[0]);
                block.triangle[k] = *triangle;
                corners.iter().for_each(|c| bounds.grow(&c.cast::<f64>().into()));
            }
            let centre: Local = bounds.centre().coords.cast();
            let corners = chunk.iter().flat_map(|t| &cracks.corners[*t as usize]);
            let squared = corners.map(|c| (c - centre).norm_squared()).fold(0.0, f32::max);
            around.push((centre, squared.sqrt()));
            block
        });
        let blocks = blocks.collect();
        Self { blocks, spheres: SphereLanes::list(&around) }
    }

    /// The nearest triangle that is nearer than `reach`, and, if asked for, that of the crack towards a sibling.
    pub fn nearest(
        &self,
        p: &Local,
        reach: f32,
        across: Option<Across>,
        (cracks, piece): (&CrackTriangles, u32),
    ) -> Nearest {
        let mut found = Nearest::default();
        let mut best = reach;
        let more = across.map_or(0.0, |a| a.within);
        for (spheres, blocks) in self.spheres.iter().zip(self.blocks.chunks(LANES)) {
            let apart = spheres.apart(p);
            for (block, apart) in blocks.iter().zip(apart) {
                if apart >= best + more {
                    continue;
                }
                for (height, triangle) in block.heights(p).into_iter().zip(block.triangle) {
                    if height >= best + more {
                        continue;
                    }
                    let distance = (closest(p, &cracks.corners[triangle as usize]) - p).norm();
                    if distance < best {
                        best = distance;
                        found.any = Some((distance, triangle));
                    }
                    if across.is_some_and(|a| a.piece == cracks.neighbour(triangle, piece))
                        && distance <= best + more
                        && found.across.is_none_or(|(known, _)| distance < known)
                    {
                        found.across = Some((distance, triangle));
                    }
                }
            }
        }
        found
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..]) + size_of_val(&self.spheres[..])
    }
}

impl Block {
    /// How far a point is from the planes.
    fn heights(&self, p: &Local) -> Lanes {
        let [x, y, z] = &self.normal;
        std::array::from_fn(|k| (x[k] * p.x + y[k] * p.y + z[k] * p.z - self.offset[k]).abs())
    }
}
