//! A mesh too large for one thread, improved in blocks: each is a mesh of its own, small enough for the caches, with the nodes
//! that it shares with others frozen. Blocks are cut anew for each pass, elsewhere, so that what was frozen is free in the next;
//! the little that is left is for the mesh as a whole.
//!
//! Blocks come from the mesh, not from the number of threads, and are put together in their order: the result is the same for
//! every number of threads. Between passes a mesh is lists of nodes and tetrahedra only, without what is around each node.

use super::body::{Body, Seat};
use super::improve::{Rounds, lengths};
use super::mesh::{Mesh, skin_of};
use super::moves::Sizes;
use super::sharpen::{Sharpener, find_patches};
use super::stuff::Stuffed;
use super::whole::{Bodies, View};
use crate::geom::aabb::Aabb;
use crate::geom::pinned::cbrt;
use crate::geom::{NONE, Point};
use crate::tasks::Tasks;
use std::sync::Mutex;

/// Blocks have up to this many tetrahedra: some megabytes.
const BLOCK: usize = 60_000;
/// The passes.
const PASSES: [Pass; 3] = [
    Pass { share: 0.5, rounds: 2, hasty: 1, done: 0.6 },
    Pass { share: 0.38, rounds: 2, hasty: 0, done: 0.87 },
    Pass { share: 0.62, rounds: 3, hasty: 0, done: 1.0 },
];
/// The owner of nodes that several blocks have.
const SHARED: u32 = NONE - 1;

/// A pass over all blocks.
struct Pass {
    /// Where blocks are cut, as a share of their tetrahedra.
    share: f64,
    /// How many rounds there are at most, and how many without exchanges.
    rounds: usize,
    hasty: usize,
    /// The share of all work that is done after it.
    done: f32,
}

/// The mesh between passes.
pub(super) struct Blocks<'a> {
    body: &'a dyn Body,
    points: Vec<Point>,
    seats: Vec<Seat>,
    /// As in [`Sizes`].
    lengths: Vec<f64>,
    /// Whether something about each node has changed that no pass has seen.
    touched: Vec<bool>,
    /// Nodes on the way to their seats.
    coming: Vec<u32>,
    blocks: Vec<Block>,
}

/// A block: its tetrahedra, and its nodes once it has been improved.
#[derive(Default)]
struct Block {
    tets: Vec<[u32; 4]>,
    nodes: Vec<Node>,
}

/// A node of a block that has been improved.
struct Node {
    /// Its number in the whole mesh; [`NONE`] if it is new.
    number: u32,
    at: Point,
    seat: Seat,
    length: f64,
    touched: bool,
    coming: bool,
}

impl<'a> Blocks<'a> {
    /// Nodes of the boundary get their patches, and crumbs are dropped. Nothing if parts of the body are missing.
    pub fn new(body: &'a dyn Body, stuffed: Stuffed, edge: f64, coarsening: f64, tasks: &Tasks) -> Option<Self> {
        let Stuffed { points, mut tets, on_surface } = stuffed;
        let mut seats = vec![Seat::Inside; points.len()];
        for [a, b, c] in skin_of(tets.iter().flatten(), |i| !on_surface[i as usize]) {
            [a, b, c].iter().for_each(|i| seats[*i as usize] = Seat::Patch(NONE));
        }
        find_patches(body, &points, &mut seats, tasks);
        let bodies_of = |tets: &[Vec<[u32; 4]>]| {
            body.parts().map(|parts| Bodies::of(&View { body, points: &points, seats: &seats, tets }, parts))
        };
        let mut bodies = bodies_of(&tets);
        if let Some(crumbs) = bodies.as_ref().and_then(|bodies| bodies.crumbs()) {
            tets.iter_mut().for_each(|list| list.retain(|tet| !crumbs[tet[0] as usize]));
            bodies = bodies_of(&tets);
        }
        if bodies.is_some_and(|bodies| !bodies.are_nearly_whole()) {
            return None;
        }
        let lengths = lengths(body, &points, &seats, edge, coarsening, tasks);
        let touched = vec![true; points.len()];
        let blocks = tets.into_iter().map(|tets| Block { tets, nodes: vec![] }).collect();
        Some(Self { body, points, seats, lengths, touched, coming: vec![], blocks })
    }

    /// Improves all blocks, in several passes.
    pub fn improve(&mut self, edge: f64, tasks: &Tasks, progress: &(dyn Fn(f32) + Sync)) {
        let mut before = 0.0;
        for pass in PASSES {
            self.cut(pass.share, tasks);
            let frozen = self.frozen();
            let mut blocks = std::mem::take(&mut self.blocks);
            let (count, done) = (blocks.len(), Mutex::new(0));
            tasks.fill(&mut blocks, 1, |_, list| {
                for block in list {
                    self.improve_block(block, &frozen, edge, &pass);
                    let mut done = done.lock().unwrap_or_else(|e| e.into_inner());
                    *done += 1;
                    progress(before + (pass.done - before) * *done as f32 / count as f32);
                }
            });
            self.join(blocks, &frozen);
            before = pass.done;
        }
    }

    /// Cuts the mesh into blocks.
    fn cut(&mut self, share: f64, tasks: &Tasks) {
        let mut cells = Cells::over(&self.points, self.blocks.iter().map(|block| block.tets.len()).sum());
        let places = tasks.map_chunks(self.blocks.len(), 1, |range| {
            let tets = self.blocks[range].iter().flat_map(|block| &block.tets);
            tets.map(|tet| cells.cell_of(&self.points, tet)).collect::<Vec<u32>>()
        });
        let counts = cells.divide(places.iter().flatten(), share);
        let new = |n: usize| Block { tets: Vec::with_capacity(n), nodes: vec![] };
        let mut blocks: Vec<Block> = counts.into_iter().map(new).collect();
        for (old, places) in std::mem::take(&mut self.blocks).into_iter().zip(places) {
            for (tet, cell) in old.tets.into_iter().zip(places) {
                blocks[cells.owners[cell as usize] as usize].tets.push(tet);
            }
        }
        blocks.retain(|block| !block.tets.is_empty());
        self.blocks = blocks;
    }

    /// Nodes of more than one block.
    fn frozen(&self) -> Vec<bool> {
        let mut owners = vec![NONE; self.points.len()];
        for (block, k) in self.blocks.iter().zip(0..) {
            for i in block.tets.iter().flatten() {
                let owner = &mut owners[*i as usize];
                *owner = if [NONE, k].contains(owner) { k } else { SHARED };
            }
        }
        owners.into_iter().map(|owner| owner == SHARED).collect()
    }

    fn improve_block(&self, block: &mut Block, frozen: &[bool], edge: f64, pass: &Pass) {
        let mut tets = std::mem::take(&mut block.tets);
        // Nodes are numbered as they are met, from 1; those of other blocks have 0.
        let (mut nodes, mut own) = (vec![], vec![0u32; self.points.len()]);
        for i in tets.iter_mut().flatten() {
            let number = &mut own[*i as usize];
            if *number == 0 {
                nodes.push(*i);
                *number = nodes.len() as u32;
            }
            *i = *number - 1;
        }
        fn of<T: Copy>(nodes: &[u32], list: &[T]) -> Vec<T> {
            nodes.iter().map(|i| list[*i as usize]).collect()
        }
        let mut mesh = Mesh::of_block(
            self.body,
            of(&nodes, &self.points),
            of(&nodes, &self.seats),
            tets,
            of(&nodes, frozen),
            &of(&nodes, &self.touched),
        );
        let sizes = Sizes { edge, lengths: of(&nodes, &self.lengths) };
        let coming = self.coming.iter().filter_map(|i| own[*i as usize].checked_sub(1));
        let mut sharpener = Sharpener::over(&mesh, edge, coming.filter(|i| !mesh.is_frozen(*i)).collect());
        drop(own);
        mesh.part(&mesh.skin());
        let mut state = Rounds::new(pass.hasty);
        for _ in 0..pass.rounds {
            let changes = state.round(&mut mesh, &mut sharpener, &sizes, |_| {});
            if 200 * changes < mesh.living().count() {
                break;
            }
        }
        // What is gone is left out.
        let mut numbers = vec![NONE; mesh.points.len()];
        for node in 0..mesh.points.len() as u32 {
            if mesh.around[node as usize].is_empty() && !mesh.is_frozen(node) {
                continue;
            }
            numbers[node as usize] = block.nodes.len() as u32;
            let k = node as usize;
            block.nodes.push(Node {
                number: nodes.get(k).copied().unwrap_or(NONE),
                at: mesh.points[k],
                seat: mesh.seats[k],
                length: sizes.lengths.get(k).copied().unwrap_or(edge),
                touched: state.is_open(&mesh, node),
                coming: false,
            });
        }
        for node in sharpener.coming() {
            if let Some(node) = block.nodes.get_mut(numbers[*node as usize] as usize) {
                node.coming = true;
            }
        }
        block.nodes.shrink_to_fit();
        block.tets = mesh.living().map(|t| mesh.tets[t as usize].map(|i| numbers[i as usize])).collect();
    }

    /// Puts blocks that have been improved together again. Nodes keep their order, new ones come last.
    fn join(&mut self, mut blocks: Vec<Block>, frozen: &[bool]) {
        let mut numbers = vec![NONE; self.points.len()];
        let mut touched = vec![false; self.points.len()];
        let mut coming: Vec<u32> = self.coming.iter().copied().filter(|i| frozen[*i as usize]).collect();
        for node in blocks.iter().flat_map(|block| &block.nodes).filter(|node| node.number != NONE) {
            let k = node.number as usize;
            numbers[k] = 0;
            // What is frozen was not looked at.
            touched[k] |= node.touched || (frozen[k] && self.touched[k]);
            (self.points[k], self.seats[k]) = (node.at, node.seat);
            coming.extend(node.coming.then_some(node.number));
        }
        let mut count = 0;
        for k in 0..numbers.len() {
            if numbers[k] == 0 {
                (self.points[count], self.seats[count]) = (self.points[k], self.seats[k]);
                (self.lengths[count], self.touched[count]) = (self.lengths[k], touched[k]);
                numbers[k] = count as u32;
                count += 1;
            }
        }
        self.points.truncate(count);
        self.seats.truncate(count);
        self.lengths.truncate(count);
        self.touched.truncate(count);
        self.coming = coming.into_iter().map(|i| numbers[i as usize]).collect();
        for block in &mut blocks {
            let own: Vec<u32> = std::mem::take(&mut block.nodes)
                .into_iter()
                .map(|node| {
                    if node.number != NONE {
                        return numbers[node.number as usize];
                    }
                    let number = self.points.len() as u32;
                    self.points.push(node.at);
                    self.seats.push(node.seat);
                    self.lengths.push(node.length);
                    self.touched.push(node.touched);
                    self.coming.extend(node.coming.then_some(number));
                    number
                })
                .collect();
            block.tets.iter_mut().flatten().for_each(|i| *i = own[*i as usize]);
        }
        self.blocks = blocks;
    }

    /// The whole, with the lengths of edges at its nodes, and those on the way to their seats.
    pub fn into_mesh(self) -> (Mesh<'a>, Vec<f64>, Vec<u32>) {
        let Self { body, points, seats, lengths, touched, coming, mut blocks } = self;
        let mut tets = Vec::with_capacity(blocks.iter().map(|block| block.tets.len()).sum());
        blocks.iter_mut().for_each(|block| tets.append(&mut block.tets));
        drop(blocks);
        let frozen = vec![false; points.len()];
        (Mesh::of_block(body, points, seats, tets, frozen, &touched), lengths, coming)
    }
}

/// A grid of cells over a mesh, each of which belongs to a block.
struct Cells {
    min: Point,
    side: f64,
    counts: [usize; 3],
    owners: Vec<u32>,
}

impl Cells {
    /// A grid for so many tetrahedra, in no blocks yet.
    fn over(points: &[Point], tets: usize) -> Self {
        let bounds = Aabb::around(points);
        // Fewer than a thousandth of a block in each, as long as they are spread evenly.
        let wanted = (tets as f64 / 16.0).max(4096.0);
        let least = 1e-3 * bounds.size().max();
        let side = cbrt(bounds.size().iter().map(|s| s.max(least)).product::<f64>() / wanted);
        let counts = [0, 1, 2].map(|k| (bounds.size()[k] / side) as usize + 1);
        Self { min: bounds.min, side, counts, owners: vec![0; counts.iter().product()] }
    }

    /// Cuts a box of cells in two where a share of its tetrahedra, whose cells are given, are on one side, across its longest
    /// axis, until no part has more than a block may. Gives how many each block has.
    fn divide<'t>(&mut self, places: impl Iterator<Item = &'t u32>, share: f64) -> Vec<usize> {
        let mut filled = vec![0u32; self.owners.len()];
        places.for_each(|cell| filled[*cell as usize] += 1);
        let mut blocks = vec![];
        let mut open = vec![([0; 3], self.counts)];
        while let Some((first, end)) = open.pop() {
            let axis = (0..3).fold(0, |a, b| if end[b] - first[b] > end[a] - first[a] { b } else { a });
            let mut layers = vec![0usize; end[axis] - first[axis]];
            self.visit(first, end, |k, at| layers[at[axis] - first[axis]] += filled[k] as usize);
            let all: usize = layers.iter().sum();
            if all <= BLOCK || layers.len() == 1 {
                let mut own = vec![];
                self.visit(first, end, |k, _| own.push(k));
                own.into_iter().for_each(|k| self.owners[k] = blocks.len() as u32);
                blocks.push(all);
                continue;
            }
            let mut below = 0;
            let whole = layers.iter().take_while(|n| {
                below += **n;
                (below as f64) < share * all as f64
            });
            let at = first[axis] + whole.count().clamp(1, layers.len() - 1);
            let (mut low, mut high) = (end, first);
            (low[axis], high[axis]) = (at, at);
            open.extend([(high, end), (first, low)]);
        }
        blocks
    }

    /// Calls `f` with the number and the place of each cell of a box.
    fn visit(&self, first: [usize; 3], end: [usize; 3], mut f: impl FnMut(usize, [usize; 3])) {
        for z in first[2]..end[2] {
            for y in first[1]..end[1] {
                for x in first[0]..end[0] {
                    f(x + self.counts[0] * (y + self.counts[1] * z), [x, y, z]);
                }
            }
        }
    }

    fn cell_of(&self, points: &[Point], tet: &[u32; 4]) -> u32 {
        let [x, y, z] = [0, 1, 2].map(|k| {
            let middle = tet.iter().map(|i| points[*i as usize][k]).sum::<f64>() / 4.0;
            (((middle - self.min[k]) / self.side) as usize).min(self.counts[k] - 1)
        });
        (x + self.counts[0] * (y + self.counts[1] * z)) as u32
    }
}
