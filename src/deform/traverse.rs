//! The traversal of the merged tree: all pairs of triangles whose boxes meet, within bodies and between them (FASTCD 3.1).
//!
//! Work is cut into items (a node against itself, or two nodes) by size, never by the number of threads. Results are kept in the order
//! of the items, so they are the same for every number of threads.

use super::body::Body;
use super::node::{LEAF, Node};
use super::pair::Pair;
use super::scene::Scene;
use super::top::Top;
use super::worker::{Pool, TraversalStats, Worker, lock};
use crate::geom::NONE;
use crate::tasks::Tasks;
use std::sync::Mutex;

/// A node of one body against a node of another, or against itself.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Item {
    bodies: [u32; 2],
    nodes: [u32; 2],
}

impl Item {
    fn is_own(&self) -> bool {
        self.bodies[0] == self.bodies[1] && self.nodes[0] == self.nodes[1]
    }
}

/// What to do with triangles whose boxes meet.
pub(super) trait Visit<R>: Sync {
    /// Boxes that are as near as this count as meeting.
    fn margin(&self, pair: &Pair) -> f32;
    /// Whether the inside of a node needs no look.
    fn culls(&self, body: &Body, node: usize, worker: &mut Worker<R>) -> bool;
    /// Two triangles, by slots.
    fn visit(&self, pair: &Pair, slots: [usize; 2], worker: &mut Worker<R>);
}

/// Items per chunk.
const CHUNK: usize = 4;
/// Leaves of an item that is not cut further, and items that the largest would make.
const SMALL_ITEM: u32 = 64;
const ITEMS: u32 = 256;

/// Traverses a scene and appends what is found.
pub(super) fn traverse<R: Copy + Send>(
    scene: &Scene,
    visit: &impl Visit<R>,
    pool: &Pool<R>,
    tasks: &Tasks,
    out: &mut Vec<R>,
) -> TraversalStats {
    let mut first = pool.take();
    let mut stats = TraversalStats::default();
    let items = items(scene, visit, &mut first, &mut stats);
    pool.put(&mut vec![first]);
    let done = Mutex::new(vec![]);
    tasks.parallel_for(items.len(), CHUNK, |range| {
        // The worker that was used last: on one thread always the same.
        let mut worker = lock(&done).pop().unwrap_or_else(|| pool.take());
        worker.until = 1.0;
        worker.runs.push((range.start, worker.found.len()));
        for item in &items[range] {
            walk(scene, item, visit, &mut worker);
        }
        lock(&done).push(worker);
    });
    let mut workers = done.into_inner().unwrap_or_else(|e| e.into_inner());
    let mut runs: Vec<(usize, usize, usize, usize)> = vec![];
    for (w, worker) in workers.iter_mut().enumerate() {
        let ends = worker.runs.iter().skip(1).map(|run| run.1).chain([worker.found.len()]);
        runs.extend(worker.runs.iter().zip(ends).map(|((chunk, start), end)| (*chunk, w, *start, end)));
        stats.add(&std::mem::take(&mut worker.stats));
    }
    runs.sort_unstable();
    runs.iter().for_each(|(_, w, start, end)| out.extend_from_slice(&workers[*w].found[*start..*end]));
    for worker in &mut workers {
        worker.found.clear();
        worker.runs.clear();
    }
    pool.put(&mut workers);
    stats
}

/// Cuts the work into items.
fn items<R>(scene: &Scene, visit: &impl Visit<R>, worker: &mut Worker<R>, stats: &mut TraversalStats) -> Vec<Item> {
    let mut waiting = body_pairs(scene, &scene.top, visit, stats);
    // From the last to the first, so that pushing keeps the order.
    waiting.reverse();
    let size = |item: &Item| {
        let leaves = |k: usize| scene.body(item.bodies[k]).tree.nodes[item.nodes[k] as usize].leaves;
        if item.is_own() { leaves(0) } else { leaves(0) + leaves(1) }
    };
    let large = (waiting.iter().map(size).max().unwrap_or(0) / ITEMS).max(SMALL_ITEM);
    let mut items = vec![];
    while let Some(item) = waiting.pop() {
        if size(&item) <= large {
            items.push(item);
            continue;
        }
        let pair = scene.pair(item.bodies);
        let before = waiting.len();
        let parts = |nodes: [u32; 2]| waiting.push(Item { nodes, ..item });
        descend(&pair, item.nodes, item.is_own(), visit, worker, parts);
        waiting[before..].reverse();
    }
    stats.add(&std::mem::take(&mut worker.stats));
    items
}

/// Bodies against themselves and pairs of bodies whose boxes meet.
fn body_pairs<R>(scene: &Scene, top: &Top, visit: &impl Visit<R>, stats: &mut TraversalStats) -> Vec<Item> {
    let mut items = vec![];
    if top.root == NONE {
        return items;
    }
    let margin = widest_margin(scene, visit);
    let mut stack = vec![[top.root; 2]];
    while let Some([a, b]) = stack.pop() {
        let [left, right] = [a, b].map(|k| &top.nodes[k as usize]);
        if a == b {
            match left.children {
                [NONE, _] => {
                    let body = left.bounds.first;
                    if scene.body(body).self_collision {
                        items.push(Item { bodies: [body; 2], nodes: [0; 2] });
                    }
                }
                [l, r] => stack.extend([[l, r], [r, r], [l, l]]),
            }
            continue;
        }
        stats.node_tests += 1;
        if !left.bounds.meets(&right.bounds, margin) {
            continue;
        }
        match (left.is_leaf(), right.is_leaf()) {
            (true, true) => {
                let bodies = [left.bounds.first, right.bounds.first];
                let bodies = [bodies[0].min(bodies[1]), bodies[0].max(bodies[1])];
                let pair = scene.pair(bodies);
                let [p, q] = pair.bodies;
                let wanted = p.category & q.mask != 0 && q.category & p.mask != 0;
                if wanted && p.tree.nodes[0].meets(&q.tree.nodes[0], visit.margin(&pair)) {
                    items.push(Item { bodies, nodes: [0; 2] });
                }
            }
            (false, true) => left.children.iter().for_each(|c| stack.push([*c, b])),
            (true, false) => right.children.iter().for_each(|c| stack.push([a, *c])),
            (false, false) => {
                left.children.iter().for_each(|l| right.children.iter().for_each(|r| stack.push([*l, *r])));
            }
        }
    }
    items
}

/// One step down from an item that is not two leaves: the pairs of nodes that are left. Those of two leaves come out, too.
#[inline(always)]
fn descend<R>(
    pair: &Pair,
    [a, b]: [u32; 2],
    is_own: bool,
    visit: &impl Visit<R>,
    worker: &mut Worker<R>,
    mut then: impl FnMut([u32; 2]),
) {
    let [p, q] = pair.bodies.map(|body| &body.tree);
    if is_own {
        if visit.culls(pair.bodies[0], a as usize, worker) {
            worker.stats.culled_nodes += 1;
            return;
        }
        let [l, r] = p.children(a as usize);
        then([l as u32; 2]);
        then([r as u32; 2]);
        worker.stats.node_tests += 1;
        if p.nodes[l].meets(&p.nodes[r], visit.margin(pair)) {
            then([l as u32, r as u32]);
        }
        return;
    }
    let margin = visit.margin(pair);
    let (left, right) = (&p.nodes[a as usize], &q.nodes[b as usize]);
    let mut test = |a: usize, b: usize, x: &Node, y: &Node| {
        worker.stats.node_tests += 1;
        if x.meets(y, margin) {
            then([a as u32, b as u32]);
        }
    };
    // The larger one; both if they are alike, which saves a level.
    if right.leaves == 1 || left.leaves > 2 * right.leaves {
        p.children(a as usize).into_iter().for_each(|c| test(c, b as usize, &p.nodes[c], right));
    } else if left.leaves == 1 || right.leaves > 2 * left.leaves {
        q.children(b as usize).into_iter().for_each(|c| test(a as usize, c, left, &q.nodes[c]));
    } else {
        for c in p.children(a as usize) {
            q.children(b as usize).into_iter().for_each(|d| test(c, d, &p.nodes[c], &q.nodes[d]));
        }
    }
}

/// Does an item.
fn walk<R>(scene: &Scene, item: &Item, visit: &impl Visit<R>, worker: &mut Worker<R>) {
    let pair = scene.pair(item.bodies);
    let same = item.bodies[0] == item.bodies[1];
    let mut stack = std::mem::take(&mut worker.stack);
    stack.push(item.nodes);
    while let Some([a, b]) = stack.pop() {
        let [p, q] = pair.bodies.map(|body| &body.tree);
        let is_own = same && a == b;
        let (left, right) = (&p.nodes[a as usize], &q.nodes[b as usize]);
        if left.leaves == 1 && right.leaves == 1 {
            if is_own && visit.culls(pair.bodies[0], a as usize, worker) {
                worker.stats.culled_nodes += 1;
            } else {
                leaves(&pair, [left, right], is_own, visit, worker);
            }
            continue;
        }
        descend(&pair, [a, b], is_own, visit, worker, |nodes| stack.push(nodes));
    }
    worker.stack = stack;
}

/// The triangles of two leaves, or of one.
#[inline]
fn leaves<R>(pair: &Pair, nodes: [&Node; 2], is_own: bool, visit: &impl Visit<R>, worker: &mut Worker<R>) {
    let [p, q] = nodes.map(|node| node.first as usize);
    let (left, right) = (&pair.bodies[0].tree.leaves[p], &pair.bodies[1].tree.leaves[q]);
    let margin = visit.margin(pair);
    // First each triangle against the box of the other leaf: most pairs end here.
    let mut lanes = left.met_by(nodes[1].min, nodes[1].max, margin);
    let others = if is_own { lanes } else { right.met_by(nodes[0].min, nodes[0].max, margin) };
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes - 1;
        let (low, high) = ([0, 1, 2].map(|k| left.min[k][lane]), [0, 1, 2].map(|k| left.max[k][lane]));
        let mut bits = right.met_by(low, high, margin) & others;
        if is_own {
            bits &= u32::MAX << (lane + 1);
        }
        worker.stats.candidates += bits.count_ones() as u64;
        while bits != 0 {
            let other = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            visit.visit(pair, [p * LEAF + lane, q * LEAF + other], worker);
        }
    }
}

/// The largest margin of any pair.
fn widest_margin<R>(scene: &Scene, visit: &impl Visit<R>) -> f32 {
    let thickest = scene.all_bodies().max_by(|a, b| a.thickness.total_cmp(&b.thickness));
    thickest.map_or(0.0, |body| visit.margin(&Pair { bodies: [body; 2], numbers: [0; 2] }))
}
