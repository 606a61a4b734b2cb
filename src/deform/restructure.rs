//! Selective restructuring (FASTCD 5.4): subtrees whose traversal cost has grown by more than rebuilding them costs are rebuilt.
//!
//! Departs from the paper in two ways. Costs are counts of work instead of wall-clock time, so that the same input gives the same tree: what
//! a unit of traversal cost is worth comes from the overlap tests of the last query, not from a micro-benchmark. And the decision is made before the refit, by the costs of the last one: otherwise every rebuilt subtree would be
//! refitted twice.

use super::body::Body;
use super::build::Builder;
use super::node::{LEAF, node_count};
use super::options::{ConeCulling, Construction, Restructuring};
use super::scene::{Scene, UpdateStats};
use crate::geom::NONE;
use std::sync::atomic::Ordering;

/// What rebuilding costs per triangle and level, in overlap tests of boxes: measured with `benches/deform`.
const BUILD_COST: f32 = 0.4;
/// Overlap tests that an elementary test costs.
pub(super) const ELEMENTARY_COST: u64 = 8;

fn loss(leaves: u32) -> f32 {
    let triangles = (leaves * LEAF as u32) as f32;
    BUILD_COST * triangles * (leaves.ilog2() + 2) as f32
}

/// Rebuilds what is worth it.
pub(super) fn restructure(scene: &mut Scene, stats: &mut UpdateStats) {
    let work = std::mem::take(scene.last_work.get_mut()) as f32;
    let (how, culling) = (scene.options.construction, scene.options.culling);
    // A tree never takes fewer tests than expected by more than rounding of the model; a bad one many more.
    let worth = (work / scene.traversal_cost().max(1.0)).max(1.0);
    let (budget, ratio, always) = match scene.options.restructuring {
        Restructuring::Off => return,
        Restructuring::Selective { share } => (share * work, None, false),
        Restructuring::VolumeRatio { ratio, share } => (share * work, Some(ratio), false),
        Restructuring::Always => (f32::INFINITY, None, true),
    };
    let mut judge = Judge { budget, worth, ratio, always };
    rebuild_top(scene, &mut judge, stats);
    for index in 0..scene.slots() {
        let Some((body, builder)) = scene.body_mut(index) else { continue };
        // Costs of a body that does not change do not either. One that is star-shaped costs nothing.
        if body.is_stale && (judge.always || !body.is_star_shaped) {
            rebuild_body(body, &mut judge, how, culling, builder, stats);
        }
    }
}

struct Judge {
    /// Work that is left.
    budget: f32,
    /// Overlap tests per unit of traversal cost.
    worth: f32,
    ratio: Option<f32>,
    always: bool,
}

impl Judge {
    /// Whether a subtree is rebuilt; pays for it.
    fn rebuilds(&mut self, leaves: u32, own: f32, rebuilt: f32, volume_ratio: impl Fn() -> f32) -> bool {
        let loss = loss(leaves);
        // A cost of NaN is that of a tree that was just built.
        let gains = match self.ratio {
            Some(ratio) => volume_ratio() > ratio,
            None => (own - rebuilt) * self.worth > loss,
        };
        let yes = self.always || gains && loss <= self.budget && !rebuilt.is_nan();
        self.budget -= if yes { loss } else { 0.0 };
        yes
    }
}

fn rebuild_top(scene: &mut Scene, judge: &mut Judge, stats: &mut UpdateStats) {
    let mut waiting = vec![scene.top.root];
    while let Some(node) = waiting.pop().filter(|node| *node != NONE) {
        let top = scene.top.nodes[node as usize];
        if top.is_leaf() {
            continue;
        }
        let volume_ratio = || {
            let [l, r] = top.children.map(|k| scene.top.nodes[k as usize].bounds);
            l.volume_ratio(&r, &top.bounds)
        };
        if judge.rebuilds(top.bounds.leaves, top.own, top.rebuilt, volume_ratio) {
            scene.top.rebuild(node, &mut scene.builder);
            stats.rebuilt_nodes += 1;
        } else {
            waiting.extend(top.children);
        }
    }
}

fn rebuild_body(
    body: &mut Body,
    judge: &mut Judge,
    how: Construction,
    culling: ConeCulling,
    builder: &mut Builder,
    stats: &mut UpdateStats,
) {
    let mut node = 0;
    while node < body.tree.nodes.len() {
        let own = body.tree.nodes[node];
        let cost = body.tree.costs[node];
        if own.leaves == 1 {
            node += 1;
            continue;
        }
        let volume_ratio = || {
            let [l, r] = body.tree.children(node).map(|k| &body.tree.nodes[k]);
            l.volume_ratio(r, &own)
        };
        // Below this no gain can be worth it.
        let hopeless = judge.ratio.is_none() && !judge.always && cost.own() * judge.worth < loss(1);
        if !hopeless && judge.rebuilds(own.leaves, cost.own(), cost.rebuilt, volume_ratio) {
            body.rebuild(node, how, builder);
            if culling.needs_connection() {
                body.connect(node);
            }
            stats.rebuilt_nodes += 1;
            stats.rebuilt_triangles += own.slots().len() as u64;
            node += node_count(own.leaves as usize);
        } else if hopeless {
            node += node_count(own.leaves as usize);
        } else {
            node += 1;
        }
    }
}

impl Scene {
    /// TC_S of the whole scene, as of the last refit.
    fn traversal_cost(&self) -> f32 {
        let top = if self.top.root == NONE { 0.0 } else { self.top.nodes[self.top.root as usize].own };
        let colliding = self.all_bodies().filter(|body| !body.is_star_shaped);
        top + colliding.map(|body| body.tree.costs[0].own()).sum::<f32>()
    }

    /// Notes the work of a query, in overlap tests. The most since the last update counts, whatever the order of the queries.
    pub(super) fn note_work(&self, stats: &super::TraversalStats) {
        let work = stats.node_tests + ELEMENTARY_COST * stats.elementary_tests;
        self.last_work.fetch_max(work, Ordering::Relaxed);
    }
}
