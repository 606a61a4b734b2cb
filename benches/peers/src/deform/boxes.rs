//! Peers that find pairs of boxes: trees that are built, refitted and traversed against themselves, and spatial hashing. All get one box
//! per triangle, in single precision; the exact triangle test that follows is ours, and the same for all.

use super::hash::SpatialHash;
use super::world::{Merged, World};
use crate::cpp::bridge::{self, BoxTree, Pair};
use crate::timing::timed;
use cxx::UniquePtr;
use fracas::geom::tri_tri;
use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb as ObvhsBox;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// Least corner, then greatest.
pub type Box6 = [f32; 6];

/// Something that finds pairs of boxes.
pub trait Tree {
    fn name(&self) -> &'static str;
    /// After a change of topology.
    fn build(&mut self, merged: &Merged, boxes: &[Box6]);
    /// The same triangles elsewhere.
    fn update(&mut self, merged: &Merged, boxes: &[Box6]);
    /// All pairs of boxes that meet, each once.
    fn pairs(&mut self, boxes: &[Box6], out: &mut Vec<Pair>);
}

/// All that can be had; a name alone for one that is not here.
pub fn trees() -> Vec<Result<Box<dyn Tree>, &'static str>> {
    let embree = |name, refits: bool, quality| -> Result<Box<dyn Tree>, &'static str> {
        let tree = bridge::embree_tree(refits, quality);
        if tree.is_null() { Err(name) } else { Ok(Box::new(Embree { name, refits, tree })) }
    };
    let parry =
        |name, how| -> Box<dyn Tree> { Box::new(Parry { name, how, tree: Bvh::new(), space: Default::default() }) };
    let obvhs = |name, refits| -> Box<dyn Tree> { Box::new(Obvhs { name, refits, tree: Bvh2::default() }) };
    vec![
        embree("Embree rtcCollide, refit", true, 0),
        embree("Embree rtcCollide, Morton every frame", false, 0),
        embree("Embree rtcCollide, SAH every frame", false, 1),
        Ok(parry("parry Bvh, refit", ParryUpdate::Refit)),
        Ok(parry("parry Bvh, refit and optimize", ParryUpdate::Optimize)),
        Ok(parry("parry Bvh, rebuild every frame", ParryUpdate::Rebuild)),
        Ok(obvhs("obvhs, refit", true)),
        Ok(obvhs("obvhs, PLOC every frame", false)),
        Ok(Box::new(SpatialHash::default())),
    ]
}

/// Sums over frames of a peer, in milliseconds; the frame in which it joined is left out.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    pub frames: usize,
    pub update: f64,
    pub pairs: f64,
    pub met: usize,
    /// Update in frames with events.
    pub event_update: f64,
    pub events: usize,
}

impl Sums {
    /// Frames without an event.
    pub fn quiet(&self) -> f64 {
        (self.frames - self.events) as f64
    }
}

/// All peers over some frames.
pub struct Boxes {
    pub rows: Vec<(&'static str, Option<Sums>)>,
    trees: Vec<Option<Box<dyn Tree>>>,
    /// The exact test of all pairs: the same for all.
    pub exact: f64,
    /// What it finds, but for frames with events: there parts share points that only the scene knows of.
    pub found: usize,
    /// Frames in which a peer did not find the same pairs as the first.
    pub differences: Vec<&'static str>,
    boxes: Vec<Box6>,
    list: Vec<Pair>,
}

impl Boxes {
    pub fn new(trees: Vec<Result<Box<dyn Tree>, &'static str>>) -> Self {
        let row = |tree: &Result<Box<dyn Tree>, &'static str>| match tree {
            Ok(tree) => (tree.name(), Some(Sums::default())),
            Err(name) => (*name, None),
        };
        Self {
            rows: trees.iter().map(row).collect(),
            trees: trees.into_iter().map(Result::ok).collect(),
            exact: 0.0,
            found: 0,
            differences: vec![],
            boxes: vec![],
            list: vec![],
        }
    }

    /// A frame; whether trees must be built anew, and whether that is by an event.
    pub fn step(&mut self, world: &World, anew: bool, is_event: bool) {
        let merged = world.merged();
        let Self { boxes, list, .. } = self;
        let (making, ()) = timed(|| merged.boxes(boxes));
        let counts = !anew || is_event;
        let mut first = None;
        for (tree, (name, sums)) in self.trees.iter_mut().zip(&mut self.rows) {
            let (Some(tree), Some(sums)) = (tree, sums) else { continue };
            let (update, ()) = timed(|| if anew { tree.build(&merged, boxes) } else { tree.update(&merged, boxes) });
            list.clear();
            let (pairs, ()) = timed(|| tree.pairs(boxes, list));
            if counts {
                sums.frames += 1;
                sums.update += making + update;
                sums.pairs += pairs;
                sums.met += if is_event { 0 } else { list.len() };
                sums.events += is_event as usize;
                sums.event_update += if is_event { making + update } else { 0.0 };
            }
            if *first.get_or_insert(list.len()) != list.len() && !self.differences.contains(name) {
                self.differences.push(name);
            }
        }
        if counts {
            let (exact, found) = timed(|| list.iter().filter(|pair| meet(&merged, pair)).count());
            self.exact += exact;
            self.found += if is_event { 0 } else { found };
        }
    }
}

/// The exact test, as the library's own query makes it.
fn meet(merged: &Merged, pair: &Pair) -> bool {
    let [s, t] = [pair.a, pair.b].map(|k| k as usize);
    let (a, b) = (merged.corners(s), merged.corners(t));
    let shared = tri_tri::shared_corners(merged.triangles[s], merged.triangles[t]);
    match shared.count() {
        0 => tri_tri::intersect(a.each_ref(), b.each_ref()),
        _ => tri_tri::intersect_beyond(a.each_ref(), b.each_ref(), shared),
    }
}

/// Embree's user geometries with bounds.
struct Embree {
    name: &'static str,
    refits: bool,
    tree: UniquePtr<BoxTree>,
}

impl Tree for Embree {
    fn name(&self) -> &'static str {
        self.name
    }
    fn build(&mut self, _: &Merged, boxes: &[Box6]) {
        self.tree.pin_mut().build(boxes.as_flattened());
    }
    fn update(&mut self, merged: &Merged, boxes: &[Box6]) {
        if self.refits { self.tree.pin_mut().refit(boxes.as_flattened()) } else { self.build(merged, boxes) }
    }
    fn pairs(&mut self, _: &[Box6], out: &mut Vec<Pair>) {
        self.tree.pin_mut().pairs(out);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum ParryUpdate {
    Refit,
    Optimize,
    Rebuild,
}

struct Parry {
    name: &'static str,
    how: ParryUpdate,
    tree: Bvh,
    space: BvhWorkspace,
}

fn parry_box(b: &Box6) -> Aabb {
    Aabb::new(Vector::new(b[0], b[1], b[2]), Vector::new(b[3], b[4], b[5]))
}

impl Tree for Parry {
    fn name(&self) -> &'static str {
        self.name
    }
    fn build(&mut self, _: &Merged, boxes: &[Box6]) {
        let leaves = boxes.iter().map(parry_box).enumerate();
        self.tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves);
    }
    fn update(&mut self, merged: &Merged, boxes: &[Box6]) {
        if self.how == ParryUpdate::Rebuild {
            return self.build(merged, boxes);
        }
        for (k, b) in boxes.iter().enumerate() {
            self.tree.insert_or_update_partially(parry_box(b), k as u32, 0.0);
        }
        self.tree.refit(&mut self.space);
        if self.how == ParryUpdate::Optimize {
            self.tree.optimize_incremental(&mut self.space);
        }
    }
    fn pairs(&mut self, _: &[Box6], out: &mut Vec<Pair>) {
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.space, &mut |a, b| out.push(Pair { a, b }));
    }
}

/// It has no traversal against itself: every box asks the tree, as its physics example does.
struct Obvhs {
    name: &'static str,
    refits: bool,
    tree: Bvh2,
}

fn obvhs_box(b: &Box6) -> ObvhsBox {
    // Its vectors are of a crate whose version is its own choice: nothing here names it.
    ObvhsBox::new([b[0], b[1], b[2]].into(), [b[3], b[4], b[5]].into())
}

impl Tree for Obvhs {
    fn name(&self) -> &'static str {
        self.name
    }
    fn build(&mut self, _: &Merged, boxes: &[Box6]) {
        let boxes: Vec<ObvhsBox> = boxes.iter().map(obvhs_box).collect();
        self.tree = build_bvh2(&boxes, BvhBuildParams::fastest_build(), &mut Default::default());
        self.tree.init_primitives_to_nodes_if_uninit();
    }
    fn update(&mut self, merged: &Merged, boxes: &[Box6]) {
        if !self.refits {
            return self.build(merged, boxes);
        }
        for (k, b) in boxes.iter().enumerate() {
            let node = self.tree.primitives_to_nodes[k] as usize;
            self.tree.nodes[node].set_aabb(obvhs_box(b));
        }
        self.tree.refit_all();
    }
    fn pairs(&mut self, boxes: &[Box6], out: &mut Vec<Pair>) {
        for (k, b) in boxes.iter().enumerate() {
            let k = k as u32;
            self.tree.aabb_traverse(obvhs_box(b), |tree, node| {
                let node = &tree.nodes[node as usize];
                let first = node.first_index as usize;
                let others = &tree.primitive_indices[first..first + node.prim_count as usize];
                out.extend(others.iter().filter(|other| **other > k).map(|other| Pair { a: k, b: *other }));
                true
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deform::world::Merged;
    use fracas::Point;
    use fracas::geom::random::unit;

    /// Loose triangles, here and there.
    fn triangles(seed: u64) -> Merged {
        let at = |k: u64, corner: u64| {
            let coordinate =
                |axis: u64| unit(seed, k * 3 + axis) + 0.15 * unit(seed + 100, (k * 3 + corner) * 3 + axis);
            Point::new(coordinate(0), coordinate(1), coordinate(2))
        };
        let end: Vec<Point> = (0..300).flat_map(|k| (0..3).map(move |corner| at(k, corner))).collect();
        Merged { start: end.clone(), end, triangles: (0..300).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect() }
    }

    fn brute_force(boxes: &[Box6]) -> Vec<(u32, u32)> {
        let meet = |a: &Box6, b: &Box6| (0..3).all(|k| a[k] <= b[k + 3] && b[k] <= a[k + 3]);
        let mut pairs = vec![];
        for i in 0..boxes.len() {
            pairs.extend((0..i).filter(|j| meet(&boxes[i], &boxes[*j])).map(|j| (j as u32, i as u32)));
        }
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn all_peers_find_the_same_pairs() {
        for tree in trees() {
            let Ok(mut tree) = tree else { continue };
            for (seed, anew) in [(1, true), (2, false), (3, false), (4, true)] {
                let merged = triangles(seed);
                let (mut boxes, mut pairs) = (vec![], vec![]);
                merged.boxes(&mut boxes);
                if anew {
                    tree.build(&merged, &boxes)
                } else {
                    tree.update(&merged, &boxes)
                }
                tree.pairs(&boxes, &mut pairs);
                let mut pairs: Vec<(u32, u32)> = pairs.iter().map(|p| (p.a.min(p.b), p.a.max(p.b))).collect();
                pairs.sort_unstable();
                assert!(pairs == brute_force(&boxes), "{}", tree.name());
            }
        }
    }
}
