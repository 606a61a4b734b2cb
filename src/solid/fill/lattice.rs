//! A lattice of tetrahedra over a body: body-centred cubic, coarser where the surface is far.
//!
//! Cubes of an octree, each with its middle and its corners (Labelle and Shewchuk 2007, section 4). Between two cubes of the
//! same size the middles and an edge of the square between them make a tetrahedron; where a cube meets four of half its
//! size, the square is cut into eight triangles around its middle, and each of them makes a tetrahedron with the middles on
//! both sides; an edge with a node in its middle makes two where it would make one. Sizes of neighbours differ by a factor of
//! two at most, because a cube may be larger only where it is deeper, and depths change no faster than positions.
//!
//! One departure: cubes are stretched a little, so that the faces of the bounding box lie in the lattice and a box that stands
//! upright is met exactly.

use super::body::Body;
use crate::geom::{NONE, Point};
use crate::tasks::Tasks;

/// The largest blocks of cubes whose side is found at once; a power of two.
const BLOCK: i32 = 16;
/// How deep the middle of a cube must be for it to be of two or of four of the smallest.
#[derive(Clone, Copy)]
pub(super) enum Clear {
    /// All of it and of its neighbours is inside, and no node of it is moved to the surface. Depths may be a third more than
    /// distances.
    Wide,
    /// The same if depths are distances; but nodes of it may be moved, by less than half a small cube.
    Narrow,
}

impl Clear {
    /// In the smallest cubes. The next smaller cubes around one (whose middles are at most 1.3 of its lengths away) must be
    /// deep enough for their size.
    fn depth(self, size: i32) -> f64 {
        let (slack, smallest) = match self {
            Self::Wide => (1.3, 2.8),
            Self::Narrow => (1.0, 2.2),
        };
        slack * if size == 2 { smallest } else { smallest + 1.3 * 4.0 }
    }
}

/// Nodes and tetrahedra.
pub(super) struct Lattice {
    pub places: Vec<Point>,
    /// Positive inside. Of nodes far from the surface only the sign is right, and that they are far.
    pub depths: Vec<f64>,
    /// Those with a node inside, in some lists.
    pub tets: Vec<Vec<[u32; 4]>>,
    /// How many nodes are middles of cubes; they come first.
    middles: u32,
}

/// In half cubes. Corners of the smallest cubes have even coordinates, their middles odd ones.
type Site = [i32; 3];

/// The smallest cubes, all of them.
struct Frame {
    origin: Point,
    half: [f64; 3],
    cubes: [i32; 3],
    clear: Clear,
}

/// A cube of the octree.
#[derive(Clone, Copy)]
struct Cube {
    /// In the smallest cubes.
    first: Site,
    size: i32,
    /// Of its middle.
    depth: f64,
}

impl Lattice {
    /// Whether an edge of the smallest tetrahedra joins two corners or two middles.
    pub fn is_long(&self, ends: [u32; 2]) -> bool {
        let [a, b] = ends.map(|i| i < self.middles);
        a == b
    }

    /// A lattice over a body, of cubes of about this size at its surface and up to `largest` times that inside. The first
    /// attempt lies in the faces of the bounding box, others elsewhere.
    pub fn over(body: &dyn Body, size: f64, largest: f64, attempt: usize, clear: Clear, tasks: &Tasks) -> Self {
        let frame = Frame::over(body, size, attempt, clear);
        let largest = if largest >= 4.0 {
            4
        } else if largest >= 2.0 {
            2
        } else {
            1
        };
        let blocks = frame.cubes.map(|n| (n + BLOCK - 1) / BLOCK);
        let cubes: Vec<Cube> = tasks
            .map_chunks(blocks.iter().product::<i32>() as usize, 1, |range| {
                let mut list = vec![];
                for k in range {
                    let k = k as i32;
                    let first = [k % blocks[0], k / blocks[0] % blocks[1], k / blocks[0] / blocks[1]];
                    frame.divide(body, first.map(|c| c * BLOCK), BLOCK, largest, None, &mut list);
                }
                list
            })
            .concat();
        let mut nodes = Nodes { slots: vec![NONE; 1024], sites: vec![], depths: vec![] };
        // Middles come first, so that a cube and its middle have the same number.
        cubes.iter().for_each(|cube| nodes.add(cube.middle(), cube.depth));
        for cube in &cubes {
            // The surface is outside a ball around the middle: corners within it are inside too.
            let near = cube.depth - 0.87 * 1.3 * cube.size as f64 * frame.length();
            (0..8).for_each(|k| {
                nodes.add(cube.corner(k), if near > 0.0 { near } else { f64::NAN });
            });
        }
        let mut depths = std::mem::take(&mut nodes.depths);
        let places: Vec<Point> = nodes.sites.iter().map(|site| frame.place(*site)).collect();
        tasks.fill(&mut depths, 128, |first, chunk| {
            let unknown = chunk.iter_mut().zip(first..).filter(|(depth, _)| depth.is_nan());
            unknown.for_each(|(depth, k)| *depth = body.depth(&places[k]));
        });
        let tets = tasks.map_chunks(cubes.len(), 4096, |range| {
            let mut tets = vec![];
            range.for_each(|own| tets_at(&cubes, &nodes, own as u32, &mut tets));
            tets.retain(|tet| tet.iter().any(|i| depths[*i as usize] > 0.0));
            tets.shrink_to_fit();
            tets
        });
        Self { places, depths, tets, middles: cubes.len() as u32 }
    }
}

impl Frame {
    fn over(body: &dyn Body, size: f64, attempt: usize, clear: Clear) -> Self {
        let bounds = body.bounds();
        let extent = bounds.size();
        let mut frame = Self { origin: bounds.min, half: [0.5 * size; 3], cubes: [0; 3], clear };
        for k in 0..3 {
            let whole = (extent[k] / size).round().max(1.0);
            let stretched = extent[k] / whole;
            // Thin bodies would stretch cubes too much: they get the lattice as it falls.
            if attempt == 0 && (0.85..1.2).contains(&(stretched / size)) {
                frame.half[k] = 0.5 * stretched;
                frame.cubes[k] = whole as i32 + 2;
                frame.origin[k] = bounds.min[k] - stretched;
            } else {
                // Somewhere between half a cube down and half a cube up: any numbers without a pattern do.
                let aside = (0.31 + 0.37 * k as f64 + 0.618 * attempt as f64).fract() - 0.5;
                frame.cubes[k] = (extent[k] / size).ceil() as i32 + 3;
                frame.origin[k] = bounds.centre()[k] + size * (aside - 0.5 * frame.cubes[k] as f64);
            }
        }
        frame
    }

    /// About the length of the smallest cubes.
    fn length(&self) -> f64 {
        2.0 * self.half.iter().fold(0.0, |most: f64, h| most.max(*h))
    }

    fn place(&self, site: Site) -> Point {
        Point::from([0, 1, 2].map(|k| self.origin[k] + self.half[k] * site[k] as f64))
    }

    /// Divides a block into cubes as large as they may be, and leaves out what is far outside. If it is a part of a larger
    /// one, whose middle and depth are given, it is no nearer to the surface than the way from there allows.
    fn divide(
        &self,
        body: &dyn Body,
        first: Site,
        size: i32,
        largest: i32,
        above: Option<(Point, f64)>,
        list: &mut Vec<Cube>,
    ) {
        if (0..3).any(|k| first[k] >= self.cubes[k]) {
            return;
        }
        let length = size as f64 * self.length();
        let cube = Cube { first, size, depth: 0.0 };
        let middle = self.place(cube.middle());
        let whole = (0..3).all(|k| first[k] + size <= self.cubes[k]);
        let is_far = |depth: f64| depth < -1.3 * (0.87 * length + self.length());
        let is_deep = |depth: f64| size <= largest && whole && depth > self.clear.depth(size) * self.length();
        // Mostly the larger block tells, and asking the body takes long.
        let known = above.filter(|_| body.is_exact()).map_or(0.0, |(from, depth): (Point, f64)| {
            depth.signum() * (depth.abs() - 1.01 * (middle - from).norm()).max(0.0)
        });
        let depth = if is_far(known) || is_deep(known) { known } else { body.depth(&middle) };
        // No cube next to it has its middle inside.
        if is_far(depth) {
            return;
        }
        if size == 1 || is_deep(depth) {
            list.push(Cube { depth, ..cube });
            return;
        }
        for k in 0..8 {
            let half = size / 2;
            let child = std::array::from_fn(|axis| first[axis] + half * (k >> axis & 1));
            self.divide(body, child, half, largest, Some((middle, depth)), list);
        }
    }
}

impl Cube {
    fn middle(&self) -> Site {
        self.first.map(|c| 2 * c + self.size)
    }

    fn corner(&self, k: usize) -> Site {
        std::array::from_fn(|axis| 2 * self.first[axis] + 2 * self.size * (k >> axis & 1) as i32)
    }
}

/// The nodes, and a hash table of their sites.
struct Nodes {
    /// Numbers of nodes, each in the first slot from that of its site that was free; [`NONE`]: free. A power of two.
    slots: Vec<u32>,
    sites: Vec<Site>,
    depths: Vec<f64>,
}

impl Nodes {
    /// The slot where the number of a site is, or belongs.
    fn slot(&self, site: Site) -> usize {
        let [x, y, z] = site.map(|c| c as u32 as u64);
        // The high half of a product depends on all bits of both factors.
        let hash = (x ^ (y << 21) ^ (z << 42)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let mut slot = hash as usize & (self.slots.len() - 1);
        while self.slots[slot] != NONE && self.sites[self.slots[slot] as usize] != site {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    /// The number of the node at a site.
    fn at(&self, site: Site) -> Option<u32> {
        Some(self.slots[self.slot(site)]).filter(|number| *number != NONE)
    }

    /// Adds a node, if it is new; a depth that is known replaces one that is not.
    fn add(&mut self, site: Site, depth: f64) {
        let slot = self.slot(site);
        let number = self.slots[slot];
        if number != NONE {
            let known = &mut self.depths[number as usize];
            *known = if known.is_nan() { depth } else { *known };
            return;
        }
        self.slots[slot] = self.sites.len() as u32;
        self.sites.push(site);
        self.depths.push(depth);
        // A third of the slots stays free.
        if 3 * self.sites.len() > 2 * self.slots.len() {
            self.slots = vec![NONE; 2 * self.slots.len()];
            for number in 0..self.sites.len() {
                let slot = self.slot(self.sites[number]);
                self.slots[slot] = number as u32;
            }
        }
    }
}

/// The tetrahedra at the sides of a cube, but for those that its neighbours add.
fn tets_at(cubes: &[Cube], nodes: &Nodes, own: u32, tets: &mut Vec<[u32; 4]>) {
    let cube = &cubes[own as usize];
    let number = |site: Site| nodes.at(site);
    let find = |first: Site, size: i32| {
        number(first.map(|c| 2 * c + size))
            .filter(|k| cubes.get(*k as usize).is_some_and(|cube| cube.size == size && cube.first == first))
    };
    for (axis, side) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut across = cube.first;
        across[axis] += if side == 1 { cube.size } else { -cube.size };
        // Around the square on this side, from corner to corner; in units of the cube's size.
        let at = |du: i32, dv: i32| {
            let mut site = cube.first.map(|c| 2 * c);
            site[axis] += 2 * cube.size * side;
            site[u] += du * cube.size;
            site[v] += dv * cube.size;
            site
        };
        let corners = [at(0, 0), at(2, 0), at(2, 2), at(0, 2)];
        let middles = [at(1, 0), at(2, 1), at(1, 2), at(0, 1)];
        if let Some(other) = find(across, cube.size) {
            // Each pair of equals once.
            for k in 0..if side == 1 { 4 } else { 0 } {
                let (Some(p), Some(q)) = (number(corners[k]), number(corners[(k + 1) % 4])) else { continue };
                match number(middles[k]).filter(|_| cube.size > 1) {
                    Some(m) => tets.extend([[own, other, p, m], [own, other, m, q]]),
                    None => tets.push([own, other, p, q]),
                }
            }
        } else if cube.size > 1 && find_half(cube, axis, side, [0, 0], &find).is_some() {
            let Some(hub) = number(at(1, 1)) else { continue };
            for k in 0..4 {
                // The quarter at corner k, and its two triangles.
                let quarter = [[0, 0], [1, 0], [1, 1], [0, 1]][k];
                let small = find_half(cube, axis, side, quarter, &find);
                let ring = [middles[(k + 3) % 4], corners[k], middles[k]].map(number);
                let (Some(small), [Some(before), Some(corner), Some(after)]) = (small, ring) else { continue };
                for middle in [own, small] {
                    tets.extend([[middle, hub, before, corner], [middle, hub, corner, after]]);
                }
            }
        }
    }
}

/// The cube of half the size on the other side of a quarter of a face.
fn find_half(
    cube: &Cube,
    axis: usize,
    side: i32,
    quarter: [i32; 2],
    find: &impl Fn(Site, i32) -> Option<u32>,
) -> Option<u32> {
    let half = cube.size / 2;
    let mut first = cube.first;
    first[axis] += if side == 1 { cube.size } else { -half };
    first[(axis + 1) % 3] += half * quarter[0];
    first[(axis + 2) % 3] += half * quarter[1];
    find(first, half)
}

#[cfg(test)]
mod tests {
    use super::super::body::Implicit;
    use super::super::mesh::{FACES, volume};
    use super::*;
    use crate::geom::aabb::Aabb;
    use std::collections::HashMap;

    #[test]
    fn the_lattice_has_no_gaps_where_sizes_change() {
        let ball = |p: &Point| p.coords.norm() - 1.0;
        let bounds = Aabb { min: Point::from([-1.0; 3]), max: Point::from([1.0; 3]) };
        let body = Implicit { distance: &ball, bounds };
        let clear = [Clear::Wide, Clear::Narrow];
        for (largest, clear) in [1.0, 2.0, 4.0].into_iter().flat_map(|n| clear.map(|clear| (n, clear))) {
            let lattice = Lattice::over(&body, 0.03, largest, 0, clear, &Tasks::inline());
            let mut faces: HashMap<[u32; 3], usize> = HashMap::new();
            for tet in lattice.tets.iter().flatten() {
                assert!(volume(&tet.map(|i| lattice.places[i as usize])).abs() > 1e-12);
                for face in FACES {
                    let mut face = face.map(|k| tet[k]);
                    face.sort_unstable();
                    *faces.entry(face).or_default() += 1;
                }
            }
            // Faces of one tetrahedron only are all outside.
            for (face, count) in faces {
                let outside = face.iter().all(|i| lattice.depths[*i as usize] <= 0.0);
                assert!(count == 2 || count == 1 && outside, "{count} tetrahedra at a face inside");
            }
            println!("cubes up to {largest}: {} tetrahedra", lattice.tets.iter().flatten().count());
        }
    }
}
