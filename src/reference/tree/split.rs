//! Splitting a sphere tree at a fracture, restructuring what comes out, and adding the new points (Glondu 2013, 6.2, 6.3).
//!
//! In: the tree of the object that broke, the fragment of each of its points, and the new points on the cracks. Out: the
//! trees of all fragments in one arena. What comes out goes in again when a fragment breaks.
//!
//! 1. *Split*, bottom-up. A node whose points are all of one fragment is kept with everything below. Any other is copied
//!    for each fragment among its children; a copy with one child is left out, and the child takes its place.
//! 2. *Restructure*, top-down. A copy for a fragment that does not own the old node's point p' has no point to stand for
//!    it: the closest to p' in its subtree does, and for all nodes on the branch down to where that point was.
//! 3. *Add.* A new point goes below the closest point of its fragment, at the lowest node of that whose sphere reaches the new
//!    one, else at the highest. Spheres above grow.
//!
//! Departures. The paper restructures on its bottom-up way; a higher choice then overrides lower ones, and one that is
//! overridden itself leaves its point behind further down. Top-down every copy gets its point once: from above, or the one
//! closest to its own p'. Ties, which the paper leaves open, go to the lowest number. It loses a point that is displaced
//! from the only node it stands for; here every point stays a leaf of its own below such a node, and is left out only while
//! its parent stands for it (docs/formulations/sphere-trees.md). The search for the closest point is bounded by the old spheres, which
//! hold for copies too. New points go below the closest point, not below the node at their end of a cut edge: cracks may cross
//! an edge any number of times, and a fragment may own no node. New points that come to the same node are not all its children,
//! but about the square root of them, far apart, with the others below: a mesh node between cracks has a dozen new points and
//! more, and such flat fans cost up to 1.7 times the visits of a tree built anew; now it is 1.05 (`tests/suites/trees.rs`). Where new
//! points outnumber the old ones by far, and where there are no old ones, the tree is built anew.
//!
//! Invariants: those of `forest`; every point of a fragment is in its tree, and no other.
//! Cost: linear in the nodes of the tree that is split, times its depth where it is mixed, and a search for the closest point
//! for each new one; nothing is scanned per fragment. Trees that are built anew cost what `sphere_tree` says.

use crate::geom::counting_sort::group;
use crate::geom::{NONE, Point};
use crate::reference::tree::blocks::squared_distance;
use crate::reference::tree::forest::{SphereForest, SphereTree, TreeNode};

/// A point on a new surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewPoint {
    /// Where it is.
    pub at: Point,
    /// Its number; no other point of the tree has it.
    pub point: u32,
    /// The fragment that it belongs to.
    pub fragment: u32,
}

/// Splits a tree into those of `fragments` fragments, restructures them, and adds new points.
///
/// `fragment_of` gives the fragment of every point of the tree, or [`NONE`] for a point that is in none of them and is
/// dropped.
pub fn split(tree: SphereTree, fragment_of: impl Fn(u32) -> u32, fragments: u32, added: &[NewPoint]) -> SphereForest {
    split_by(tree, fragment_of, fragments, added, Parts::closest)
}

/// The same without step 2: whichever point comes first stands for a copy. What restructuring is compared with (Glondu
/// 2013, figure 17).
pub fn split_without_restructuring(
    tree: SphereTree,
    fragment_of: impl Fn(u32) -> u32,
    fragments: u32,
    added: &[NewPoint],
) -> SphereForest {
    split_by(tree, fragment_of, fragments, added, Parts::first)
}

/// `search` finds the point that stands for a copy: the position in `seen` of its highest part.
fn split_by<'a>(
    tree: SphereTree<'a>,
    fragment_of: impl Fn(u32) -> u32,
    fragments: u32,
    added: &[NewPoint],
    search: impl Fn(&mut Parts<'a>, u32) -> usize,
) -> SphereForest {
    let mut parts = Parts::new(tree, fragments);
    let roots = parts.divide(fragment_of);
    parts.restructure(&roots, search);
    PlacedPoint::new(&parts, &roots).finish(added)
}

/// A node in the making. The first ones are those of the old tree; copies and leaves follow.
#[derive(Clone, Copy)]
struct Part {
    /// The old node whose point stands for this one; [`NONE`] as long as it is not chosen.
    stand_in: u32,
    /// The old node whose sphere bounds it.
    sphere: u32,
    /// First of its children, linked by `next`; [`AS_BEFORE`] if they are those of the old node, [`NONE`] for a leaf.
    first: u32,
    next: u32,
}

/// Marks a node that is kept with all its children.
const AS_BEFORE: u32 = NONE - 1;
/// Marks an old node whose points are in several fragments.
const MIXED: u32 = NONE - 1;
/// Most new points of one node that others may go below; a limit, so that the cost stays linear for any mesh.
const MOST_HEADS: usize = 8;
/// New points for each node of what is left of the old tree, at most: with more of them a tree is built anew, because the old
/// nodes say little of where the points are. Fans of this many are still balanced.
const MOST_NEW: usize = 4;

struct Parts<'a> {
    old: SphereTree<'a>,
    parts: Vec<Part>,
    /// By old node: the fragment of all its points, or [`MIXED`].
    whole: Vec<u32>,
    /// By old node that is mixed: its copies, a run of `copies`.
    runs: Vec<(u32, u32)>,
    copies: Vec<Copy>,
    /// By fragment: the node that last met it, and its position among the groups of that node.
    met: Vec<(u32, u32)>,
    groups: Vec<PointGroup>,
    /// Scratch of the search for the closest point.
    seen: Vec<Seen>,
    open: Vec<u32>,
}

/// The part of an old node that belongs to one fragment.
#[derive(Clone, Copy)]
struct Copy {
    fragment: u32,
    part: u32,
}

/// Children of one fragment, gathered for a copy.
#[derive(Clone, Copy)]
struct PointGroup {
    fragment: u32,
    first: u32,
    last: u32,
}

/// A part that the search for the closest point has seen.
#[derive(Clone, Copy)]
struct Seen {
    part: u32,
    /// Where its parent is among those seen.
    above: u32,
    squared: f64,
    radius: f64,
}

impl<'a> Parts<'a> {
    fn new(old: SphereTree<'a>, fragments: u32) -> Self {
        let count = old.nodes.len();
        let mut parts = Vec::with_capacity(2 * count);
        parts.extend((0..count as u32).map(|k| Part { stand_in: k, sphere: k, first: AS_BEFORE, next: NONE }));
        Self {
            old,
            parts,
            whole: vec![MIXED; count],
            runs: vec![(0, 0); count],
            copies: Vec::with_capacity(count),
            met: vec![(NONE, 0); fragments as usize],
            groups: vec![],
            seen: vec![],
            open: vec![],
        }
    }

    /// Whether the first child of an old node stands for the same point. If not, the point is a leaf below the node that
    /// is not written down.
    fn is_repeated(&self, node: u32) -> bool {
        let TreeNode { point, first_child, child_count, .. } = self.old.nodes[node as usize];
        child_count > 0 && self.old.nodes[first_child as usize].point == point
    }

    /// A leaf for the point of an old node.
    fn leaf(&mut self, node: u32) -> u32 {
        self.parts.push(Part { stand_in: node, sphere: node, first: NONE, next: NONE });
        self.parts.len() as u32 - 1
    }

    /// Step 1: returns the root of each fragment, [`NONE`] for one without points.
    fn divide(&mut self, fragment_of: impl Fn(u32) -> u32) -> Vec<u32> {
        let nodes = self.old.nodes;
        for k in (0..nodes.len()).rev() {
            let own = fragment_of(nodes[k].point);
            if nodes[k].children().all(|child| self.whole[child] == own) {
                self.whole[k] = own;
            } else {
                self.divide_node(k as u32, own);
            }
        }
        let mut roots = vec![NONE; self.met.len()];
        match self.whole.first() {
            Some(&MIXED) => {
                let (start, end) = self.runs[0];
                let copies = &self.copies[start as usize..end as usize];
                copies.iter().for_each(|copy| roots[copy.fragment as usize] = copy.part);
            }
            Some(&fragment) if fragment != NONE => roots[fragment as usize] = 0,
            _ => {}
        }
        roots
    }

    /// Copies a node for each fragment among its children; `own` is the fragment of its point.
    fn divide_node(&mut self, node: u32, own: u32) {
        self.groups.clear();
        if own != NONE && !self.is_repeated(node) {
            let leaf = self.leaf(node);
            self.gather(node, own, leaf);
        }
        for child in self.old.nodes[node as usize].children() {
            match self.whole[child] {
                NONE => {}
                MIXED => {
                    let (start, end) = self.runs[child];
                    for k in start as usize..end as usize {
                        let Copy { fragment, part } = self.copies[k];
                        self.gather(node, fragment, part);
                    }
                }
                fragment => self.gather(node, fragment, child as u32),
            }
        }
        let start = self.copies.len() as u32;
        for &PointGroup { fragment, first, last } in &self.groups {
            let part = if first == last {
                first
            } else {
                let stand_in = if fragment == own { node } else { NONE };
                self.parts.push(Part { stand_in, sphere: node, first, next: NONE });
                self.parts.len() as u32 - 1
            };
            self.copies.push(Copy { fragment, part });
        }
        self.runs[node as usize] = (start, self.copies.len() as u32);
    }

    fn gather(&mut self, node: u32, fragment: u32, part: u32) {
        let met = &mut self.met[fragment as usize];
        if met.0 == node {
            let group = &mut self.groups[met.1 as usize];
            self.parts[group.last as usize].next = part;
            group.last = part;
        } else {
            *met = (node, self.groups.len() as u32);
            self.groups.push(PointGroup { fragment, first: part, last: part });
        }
    }

    /// Step 2.
    fn restructure(&mut self, roots: &[u32], search: impl Fn(&mut Self, u32) -> usize) {
        let old_count = self.old.nodes.len() as u32;
        let mut copies: Vec<u32> = roots.iter().copied().filter(|root| *root != NONE).collect();
        while let Some(part) = copies.pop() {
            // Whatever was kept has its points.
            if part < old_count || self.parts[part as usize].first == NONE {
                continue;
            }
            if self.parts[part as usize].stand_in == NONE {
                let found = search(self, part);
                self.choose(found);
            }
            let mut child = self.parts[part as usize].first;
            while child != NONE {
                copies.push(child);
                child = self.parts[child as usize].next;
            }
        }
    }

    /// Lets the point that was found stand for the copy, and for all nodes on the branch down to that point.
    fn choose(&mut self, found: usize) {
        let stand_in = self.parts[self.seen[found].part as usize].stand_in;
        let mut below = found;
        while below != 0 {
            let above = self.seen[below].above as usize;
            let [part, child] = [self.seen[above].part, self.seen[below].part];
            if self.parts[part as usize].first == AS_BEFORE {
                self.unfold(part);
            }
            self.parts[part as usize].stand_in = stand_in;
            self.move_to_front(part, child);
            below = above;
        }
    }

    /// Finds the point of a copy's subtree that is closest to the point of the old node; returns its highest part, as a
    /// position in `seen`, where the copy itself is the first.
    fn closest(&mut self, copy: u32) -> usize {
        let target = self.old.centres[self.parts[copy as usize].sphere as usize];
        let mut seen = std::mem::take(&mut self.seen);
        let mut open = std::mem::take(&mut self.open);
        seen.clear();
        open.clear();
        seen.push(Seen { part: copy, above: 0, squared: 0.0, radius: f64::INFINITY });
        open.push(0);
        let mut best = (f64::INFINITY, NONE, 0);
        let mut distance = f64::INFINITY;
        while let Some(above) = open.pop() {
            let Seen { part, squared, radius, .. } = seen[above as usize];
            let reach = distance + radius;
            if squared > reach * reach {
                continue;
            }
            self.for_children(part, |child| {
                let Part { stand_in, sphere, .. } = self.parts[child as usize];
                let sphere = sphere as usize;
                let squared = squared_distance(&self.old.centres[sphere], &target);
                let number = seen.len();
                if stand_in != NONE {
                    let point = self.old.nodes[sphere].point;
                    if (squared, point) < (best.0, best.1) {
                        best = (squared, point, number);
                        distance = squared.sqrt();
                    }
                }
                if !self.is_leaf(child) {
                    open.push(number as u32);
                }
                seen.push(Seen { part: child, above, squared, radius: self.old.nodes[sphere].radius as f64 });
            });
        }
        (self.seen, self.open) = (seen, open);
        best.2
    }

    /// Finds the first point of a copy's subtree, down its first children.
    fn first(&mut self, copy: u32) -> usize {
        self.seen.clear();
        self.seen.push(Seen { part: copy, above: 0, squared: 0.0, radius: f64::INFINITY });
        let mut part = copy;
        while self.parts[part as usize].stand_in == NONE {
            part = self.parts[part as usize].first;
            let above = self.seen.len() as u32 - 1;
            self.seen.push(Seen { part, above, squared: 0.0, radius: f64::INFINITY });
        }
        self.seen.len() - 1
    }

    fn is_leaf(&self, part: u32) -> bool {
        let Part { first, sphere, .. } = self.parts[part as usize];
        first == NONE || first == AS_BEFORE && self.old.nodes[sphere as usize].child_count == 0
    }

    /// The point that stands for a part.
    fn point(&self, part: u32) -> u32 {
        self.old.nodes[self.parts[part as usize].stand_in as usize].point
    }

    fn for_children(&self, part: u32, mut visit: impl FnMut(u32)) {
        let Part { first, sphere, .. } = self.parts[part as usize];
        if first == AS_BEFORE {
            return self.old.nodes[sphere as usize].children().for_each(|child| visit(child as u32));
        }
        let mut child = first;
        while child != NONE {
            visit(child);
            child = self.parts[child as usize].next;
        }
    }

    /// Writes down the children of a kept node one by one, its own point first.
    fn unfold(&mut self, node: u32) {
        let children = self.old.nodes[node as usize].children();
        let mut first = NONE;
        for child in children.rev() {
            self.parts[child].next = first;
            first = child as u32;
        }
        if !self.is_repeated(node) {
            let leaf = self.leaf(node);
            self.parts[leaf as usize].next = first;
            first = leaf;
        }
        self.parts[node as usize].first = first;
    }

    fn move_to_front(&mut self, part: u32, child: u32) {
        let first = self.parts[part as usize].first;
        if first == child {
            return;
        }
        let mut before = first;
        while self.parts[before as usize].next != child {
            before = self.parts[before as usize].next;
        }
        self.parts[before as usize].next = self.parts[child as usize].next;
        self.parts[child as usize].next = first;
        self.parts[part as usize].first = child;
    }
}

/// The trees of all fragments in breadth-first order; then the new points.
struct PlacedPoint {
    /// As they will be, but for the room that new points take; children count from the start of the arena.
    nodes: Vec<TreeNode>,
    centres: Vec<Point>,
    parents: Vec<u32>,
    /// For each node the spheres that the points below it may still enlarge: from the lowest up to the highest node.
    /// Nodes that are kept have their spheres; those above them have not, so these are all of the branch or none.
    open: Vec<(u32, u32)>,
    /// For each node the new points that are its children; new points follow the nodes in the arena.
    new_children: Vec<(u32, u32)>,
    ends: Vec<u32>,
}

impl PlacedPoint {
    fn new(parts: &Parts, roots: &[u32]) -> Self {
        let room = parts.old.nodes.len() * 3 / 2;
        let mut placed = Self {
            nodes: Vec::with_capacity(room),
            centres: Vec::with_capacity(room),
            parents: Vec::with_capacity(room),
            open: Vec::with_capacity(room),
            new_children: vec![],
            ends: Vec::with_capacity(roots.len()),
        };
        let mut queue: Vec<u32> = Vec::with_capacity(room);
        for &root in roots {
            if root != NONE {
                queue.push(root);
                placed.parents.push(NONE);
                placed.place(parts, &mut queue);
            }
            placed.ends.push(placed.nodes.len() as u32);
        }
        placed
    }

    /// Places the root that waits at the end of the queue and all parts below it, and finds the spheres of new nodes.
    fn place(&mut self, parts: &Parts, queue: &mut Vec<u32>) {
        let root = self.nodes.len() as u32;
        while self.nodes.len() < queue.len() {
            let number = self.nodes.len() as u32;
            let part = queue[number as usize];
            let Part { stand_in, first, .. } = parts.parts[part as usize];
            let mut node = parts.old.nodes[stand_in as usize];
            let first_child = queue.len() as u32;
            let kept = first == AS_BEFORE;
            if kept {
                queue.extend(node.children().map(|child| child as u32));
            } else {
                node.radius = 0.0;
                // A leaf that its parent stands for is not written down; it would be the first.
                let hidden = first != NONE && parts.point(first) == node.point && parts.is_leaf(first);
                let mut child = if hidden { parts.parts[first as usize].next } else { first };
                while child != NONE {
                    queue.push(child);
                    child = parts.parts[child as usize].next;
                }
            }
            self.parents.resize(queue.len(), number);
            node.first_child = first_child;
            node.child_count = queue.len() as u32 - first_child;
            let at = parts.old.centres[stand_in as usize];
            let open = self.cover(number, &at, node.radius as f64);
            self.open.push(if kept || first == NONE { open } else { (number, root) });
            self.nodes.push(node);
            self.centres.push(at);
        }
    }

    /// Grows the open spheres above a new node to reach its centre; returns those that its whole sphere may not be in.
    fn cover(&mut self, number: u32, at: &Point, radius: f64) -> (u32, u32) {
        let parent = self.parents[number as usize];
        if parent == NONE {
            return (NONE, NONE);
        }
        let (lowest, highest) = self.open[parent as usize];
        let mut left = (NONE, NONE);
        let mut above = lowest;
        while above != NONE && above >= highest {
            let k = above as usize;
            let squared = squared_distance(&self.centres[k], at);
            self.nodes[k].cover(squared);
            if radius > 0.0 && !self.nodes[k].holds(squared, radius) {
                left = (lowest, above);
            }
            above = self.parents[k];
        }
        left
    }

    /// Step 3, and the last: adds the new points and puts everything in order.
    fn finish(mut self, added: &[NewPoint]) -> SphereForest {
        let old_count = self.nodes.len();
        self.nodes.reserve(added.len());
        self.centres.reserve(added.len());
        self.new_children.resize(old_count, (0, 0));
        let (highest, anew) = self.highest_of_closest(added);
        let (sorted, starts) = group(old_count + 1, &highest, |k| k as u32);
        let mut fan = Fan::default();
        for (highest, bounds) in starts[..old_count + 1].windows(2).enumerate() {
            if bounds[0] < bounds[1] {
                let new = &sorted[bounds[0]..bounds[1]];
                self.add(highest as u32, new.iter().map(|new| &added[*new as usize]), &mut fan);
            }
        }
        let built = anew.build();
        let mut next_built = 0;

        let mut forest = SphereForest {
            nodes: Vec::with_capacity(self.nodes.len()),
            centres: Vec::with_capacity(self.nodes.len()),
            ends: Vec::with_capacity(self.ends.len()),
        };
        let mut queue: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let mut root = 0;
        for (&end, fragment) in self.ends.iter().zip(0..) {
            if anew.fragments.get(next_built) == Some(&fragment) {
                let tree = built.tree(next_built as u32);
                let renumbered =
                    tree.nodes.iter().map(|node| TreeNode { point: anew.numbers[node.point as usize], ..*node });
                forest.nodes.extend(renumbered);
                forest.centres.extend_from_slice(tree.centres);
                forest.ends.push(forest.nodes.len() as u32);
                (next_built, root) = (next_built + 1, end);
                continue;
            }
            let start = forest.nodes.len();
            queue.clear();
            queue.extend((root < end).then_some(root));
            root = end;
            while forest.nodes.len() - start < queue.len() {
                let k = queue[forest.nodes.len() - start] as usize;
                let node = self.nodes[k];
                let first_child = queue.len();
                queue.extend(node.first_child..node.first_child + node.child_count);
                if k < old_count {
                    let (first, end) = self.new_children[k];
                    queue.extend(first..end);
                }
                let child_count = (queue.len() - first_child) as u32;
                let first_child = if child_count > 0 { first_child as u32 } else { 0 };
                forest.nodes.push(TreeNode { first_child, child_count, ..node });
                forest.centres.push(self.centres[k]);
            }
            forest.ends.push(forest.nodes.len() as u32);
        }
        forest
    }

    /// For each new point the highest node of the closest point of its fragment; for those of trees that are to be built anew
    /// the number of nodes, and all points of these trees.
    fn highest_of_closest(&self, added: &[NewPoint]) -> (Vec<u32>, Anew) {
        let mut highest = vec![self.nodes.len() as u32; added.len()];
        let mut anew = Anew::default();
        let fragments: Vec<u32> = added.iter().map(|new| new.fragment).collect();
        let (sorted, starts) = group(self.ends.len(), &fragments, |k| k as u32);
        let mut root = 0;
        for ((&end, bounds), fragment) in self.ends.iter().zip(starts.windows(2)).zip(0..) {
            let new = &sorted[bounds[0]..bounds[1]];
            if new.len() > MOST_NEW * (end - root) as usize {
                let old = (root..end).filter(|node| self.is_met_first(*node)).map(|node| node as usize);
                let old = old.map(|node| (self.nodes[node].point, self.centres[node]));
                let new = new.iter().map(|k| &added[*k as usize]).map(|new| (new.point, new.at));
                anew.add(fragment, old.chain(new));
            } else {
                // Those next to each other in the list are mostly so in space.
                let mut open = vec![];
                let mut near = root;
                for &k in new {
                    near = self.closest(root, near, &added[k as usize].at, &mut open);
                    highest[k as usize] = near;
                }
            }
            root = end;
        }
        (highest, anew)
    }

    /// Whether no node above has the same point.
    fn is_met_first(&self, node: u32) -> bool {
        let parent = self.parents[node as usize];
        parent == NONE || self.nodes[parent as usize].point != self.nodes[node as usize].point
    }

    /// The highest node of the point of a tree that is closest to another; `near` is such a node of any of its points. Ties go to
    /// the lowest number.
    fn closest(&self, root: u32, near: u32, at: &Point, open: &mut Vec<(u32, f64)>) -> u32 {
        let found = |node: u32| {
            let squared = squared_distance(&self.centres[node as usize], at);
            (squared, self.nodes[node as usize].point, node)
        };
        let mut best = found(root);
        if found(near) < best {
            best = found(near);
        }
        let mut distance = best.0.sqrt();
        open.clear();
        open.push((root, 0.0));
        while let Some((node, squared)) = open.pop() {
            let TreeNode { radius, first_child, child_count, .. } = self.nodes[node as usize];
            // A hair more, for rounding.
            let reach = (distance + radius as f64) * (1.0 + 1e-12);
            if squared > reach * reach {
                continue;
            }
            for child in first_child..first_child + child_count {
                let child = found(child);
                if (child.0, child.1) < (best.0, best.1) {
                    best = child;
                    distance = best.0.sqrt();
                }
                if self.nodes[child.2 as usize].child_count > 0 {
                    open.push((child.2, child.0));
                }
            }
        }
        best.2
    }

    /// Adds new points that have the same parent, given by its highest node.
    fn add<'a>(&mut self, highest: u32, added: impl Iterator<Item = &'a NewPoint>, fan: &mut Fan) {
        let centre = self.centres[highest as usize];
        let spoke = |new: &NewPoint| Spoke { new: *new, squared: squared_distance(&centre, &new.at), parent: NONE };
        fan.here.clear();
        fan.here.extend(added.map(spoke));
        let mut target = highest;
        while !fan.here.is_empty() {
            // Those that the next sphere around the same point reaches go on to it.
            let TreeNode { point, first_child, child_count, .. } = self.nodes[target as usize];
            fan.below.clear();
            if child_count > 0 && self.nodes[first_child as usize].point == point {
                let radius = self.nodes[first_child as usize].radius as f64;
                fan.below.extend(fan.here.extract_if(.., |spoke| spoke.squared <= radius * radius));
            }
            if !fan.here.is_empty() {
                self.fan_out(target, &mut fan.here);
            }
            std::mem::swap(&mut fan.here, &mut fan.below);
            target = first_child;
        }
    }

    /// Places new points below a node: of k points about √k that are far apart become its children, the others children
    /// of whichever is closest, the node included.
    fn fan_out(&mut self, target: u32, fan: &mut [Spoke]) {
        let first = self.nodes.len();
        let mut reach = -1.0;
        let mut farthest = 0;
        for (k, spoke) in fan.iter_mut().enumerate() {
            spoke.parent = target;
            if spoke.squared > reach {
                (reach, farthest) = (spoke.squared, k);
            }
        }
        let heads = if fan.len() < 4 { fan.len() } else { fan.len().isqrt().min(MOST_HEADS) };
        for k in 0..heads {
            fan.swap(k, farthest);
            let new = fan[k].new;
            let number = self.place_new(&new);
            // The others may be closer to it; who is the farthest now? Selections, not branches: nothing predicts these.
            farthest = k + 1;
            let mut most = -1.0;
            for (spoke, other) in fan[k + 1..].iter_mut().zip(k + 1..) {
                let squared = squared_distance(&new.at, &spoke.new.at);
                let closer = squared < spoke.squared;
                spoke.squared = if closer { squared } else { spoke.squared };
                spoke.parent = if closer { number } else { spoke.parent };
                let farther = spoke.squared > most;
                most = if farther { spoke.squared } else { most };
                farthest = if farther { other } else { farthest };
            }
        }
        // The others by parent, the target's first: so its children and those of each head lie side by side.
        fan[heads..].sort_unstable_by_key(|spoke| (spoke.parent, spoke.new.point));
        let mut own_end = first + heads;
        for spoke in &fan[heads..] {
            let number = self.place_new(&spoke.new);
            if spoke.parent == target {
                own_end += 1;
                continue;
            }
            let head = &mut self.nodes[spoke.parent as usize];
            if head.child_count == 0 {
                head.first_child = number;
            }
            head.child_count += 1;
            head.cover(spoke.squared);
        }
        self.new_children[target as usize] = (first as u32, own_end as u32);

        self.nodes[target as usize].cover(reach);
        let reach = reach.sqrt();
        let centre = self.centres[target as usize];
        let mut above = self.parents[target as usize];
        while above != NONE {
            let k = above as usize;
            if !self.nodes[k].holds(squared_distance(&self.centres[k], &centre), reach) {
                for new in first..self.centres.len() {
                    self.nodes[k].cover(squared_distance(&self.centres[k], &self.centres[new]));
                }
            }
            above = self.parents[k];
        }
    }

    fn place_new(&mut self, new: &NewPoint) -> u32 {
        self.nodes.push(TreeNode { point: new.point, ..TreeNode::default() });
        self.centres.push(new.at);
        self.nodes.len() as u32 - 1
    }
}

/// Trees that are built anew.
#[derive(Default)]
struct Anew {
    /// Their fragments, ascending.
    fragments: Vec<u32>,
    /// Their points, tree after tree: numbers and positions.
    numbers: Vec<u32>,
    at: Vec<Point>,
    /// Where the points of each end.
    ends: Vec<usize>,
}

impl Anew {
    fn add(&mut self, fragment: u32, points: impl Iterator<Item = (u32, Point)>) {
        self.fragments.push(fragment);
        for (number, at) in points {
            self.numbers.push(number);
            self.at.push(at);
        }
        self.ends.push(self.at.len());
    }

    /// The trees; they number points by their places here.
    fn build(&self) -> SphereForest {
        let places: Vec<u32> = (0..self.at.len() as u32).collect();
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        SphereForest::build(&self.at, starts.zip(&self.ends).map(|(start, end)| &places[start..*end]))
    }
}

/// New points of one parent, on the way to their places.
#[derive(Default)]
struct Fan {
    here: Vec<Spoke>,
    below: Vec<Spoke>,
}

#[derive(Clone, Copy)]
struct Spoke {
    new: NewPoint,
    /// The closest point that may be its parent, and its squared distance.
    parent: u32,
    squared: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::{mix, unit};

    fn random_points(count: u64, seed: u64) -> Vec<Point> {
        (0..count).map(|k| Point::from([0, 1, 2].map(|axis| unit(seed, 3 * k + axis)))).collect()
    }

    fn tree_of(points: &[Point]) -> SphereForest {
        let numbers: Vec<u32> = (0..points.len() as u32).collect();
        SphereForest::build(points, [&numbers[..]])
    }

    /// A tree in full: every point is a leaf, every other node has two children or more.
    #[derive(Clone)]
    struct Full {
        /// The point that stands for it, if that is known, and that of the old node.
        point: u32,
        old: u32,
        children: Vec<Full>,
    }

    impl Full {
        fn leaf(point: u32) -> Self {
            Self { point, old: point, children: vec![] }
        }

        fn of(tree: SphereTree, node: usize) -> Self {
            let TreeNode { point, .. } = tree.nodes[node];
            let mut children: Vec<Full> = tree.nodes[node].children().map(|child| Self::of(tree, child)).collect();
            if !children.is_empty() && children[0].point != point {
                children.insert(0, Self::leaf(point));
            }
            Self { point, old: point, children }
        }

        fn points(&self) -> Vec<u32> {
            match self.children.is_empty() {
                true => vec![self.point],
                false => self.children.iter().flat_map(Self::points).collect(),
            }
        }

        /// Step 1, one fragment at a time.
        fn split(&self, fragment: u32, fragment_of: &[u32]) -> Option<Self> {
            let own = fragment_of[self.old as usize] == fragment;
            if self.children.is_empty() {
                return own.then(|| self.clone());
            }
            let children = self.children.iter().filter_map(|child| child.split(fragment, fragment_of));
            let mut children: Vec<Full> = children.collect();
            if children.len() < 2 {
                return children.pop();
            }
            Some(Self { point: if own { self.old } else { NONE }, old: self.old, children })
        }

        /// Step 2, over all points.
        fn restructure(mut self, at: &[Point]) -> Self {
            if self.point == NONE {
                let to = |p: &u32| (squared_distance(&at[*p as usize], &at[self.old as usize]), *p);
                let closest = self.points().into_iter().min_by(|a, b| to(a).partial_cmp(&to(b)).unwrap());
                self.stand_for(closest.unwrap());
            }
            self.children = self.children.into_iter().map(|child| child.restructure(at)).collect();
            self
        }

        fn stand_for(&mut self, point: u32) {
            if let Some(child) = self.children.iter_mut().find(|child| child.points().contains(&point)) {
                child.stand_for(point);
            }
            self.point = point;
        }

        /// What it looks like, whatever the order of siblings.
        fn text(&self) -> String {
            let mut children: Vec<String> = self.children.iter().map(Self::text).collect();
            children.sort_unstable();
            format!("{}({})", self.point, children.join(" "))
        }
    }

    #[test]
    fn copies_and_the_points_that_stand_for_them_are_those_of_brute_force() {
        for (seed, count, fragments) in [(1, 2, 2), (2, 3, 2), (3, 40, 3), (4, 300, 2), (5, 300, 7), (6, 600, 40)] {
            let points = random_points(count, seed);
            let whole = tree_of(&points);
            // Cells of space, with some points that went astray and some that are in no fragment.
            let fragment_of: Vec<u32> = (0..count)
                .map(|k| match mix(seed ^ mix(k)) % 20 {
                    0 => NONE,
                    1 => mix(k) as u32 % fragments,
                    _ => (points[k as usize].x * fragments as f64) as u32,
                })
                .collect();
            let forest = split(whole.tree(0), |p| fragment_of[p as usize], fragments, &[]);
            assert_eq!(forest.len(), fragments as usize);
            for fragment in 0..fragments {
                let tree = forest.tree(fragment);
                assert_eq!(tree.flaw(), None);
                let expected = Full::of(whole.tree(0), 0).split(fragment, &fragment_of);
                let expected = expected.map(|full| full.restructure(&points));
                let found = (!tree.nodes.is_empty()).then(|| Full::of(tree, 0));
                assert_eq!(found.map(|full| full.text()), expected.map(|full| full.text()));
            }
        }
    }

    #[test]
    fn an_event_that_breaks_nothing_changes_nothing() {
        let points = random_points(500, 7);
        let whole = tree_of(&points);
        assert_eq!(split(whole.tree(0), |_| 0, 1, &[]), whole);
        let empty = split(whole.tree(0), |_| NONE, 2, &[]);
        assert!(empty.nodes().is_empty() && empty.len() == 2);
        assert!(split(empty.tree(1), |_| 0, 1, &[]).nodes().is_empty());
    }

    #[test]
    fn new_points_go_below_the_closest() {
        let points = random_points(500, 9);
        let whole = tree_of(&points);
        let fragment_of = |p: u32| (points[p as usize].x * 3.0) as u32;
        let mut parts = Parts::new(whole.tree(0), 3);
        let roots = parts.divide(fragment_of);
        parts.restructure(&roots, Parts::closest);
        let placed = PlacedPoint::new(&parts, &roots);
        let new: Vec<NewPoint> = random_points(300, 10)
            .into_iter()
            .zip(0..)
            .map(|(at, k)| NewPoint { at, point: 500 + k, fragment: k % 3 })
            .collect();
        let (highest, anew) = placed.highest_of_closest(&new);
        assert!(anew.fragments.is_empty());
        for (new, node) in new.iter().zip(highest) {
            let own = (0..500u32).filter(|p| fragment_of(*p) == new.fragment);
            let to = |p: &u32| squared_distance(&points[*p as usize], &new.at);
            let expected = own.min_by(|p, q| to(p).total_cmp(&to(q))).unwrap();
            assert_eq!(placed.nodes[node as usize].point, expected);
            assert!(placed.is_met_first(node));
        }
    }

    /// Any number of new points, any labels, several times over.
    #[test]
    fn trees_stay_sound_whatever_is_added() {
        let mut points = random_points(300, 8);
        let mut forest = tree_of(&points);
        let mut number = 0;
        for generation in 0..5 {
            let tree = forest.tree(number);
            let owned: Vec<u32> = tree.points().map(|(point, _)| point).collect();
            let fragment_of = |p: u32| mix(generation ^ mix(p as u64 / 3)) as u32 % 3;
            let mut added = vec![];
            for k in 0..400u64 {
                let key = mix(k + 1000 * generation);
                // Two hundred around one point, more than a fan.
                let near = owned[if k < 200 { (key % (1 + key % owned.len() as u64)) as usize } else { 0 }];
                let far = [0.0, 1e-3, 0.1, 3.0][k as usize % 4];
                let at = points[near as usize] + (random_points(1, key)[0] - Point::new(0.5, 0.5, 0.5)) * far;
                // In the last generation there is a fragment of new points only.
                let fragment = if generation == 4 { mix(key) as u32 % 4 } else { fragment_of(near) };
                added.push(NewPoint { at, point: points.len() as u32, fragment });
                points.push(at);
            }
            let next = split(tree, fragment_of, 4, &added);
            for fragment in 0..4 {
                assert_eq!(next.tree(fragment).flaw(), None);
                let new = added.iter().filter(|new| new.fragment == fragment).map(|new| new.point);
                let mut expected: Vec<u32> =
                    owned.iter().copied().filter(|p| fragment_of(*p) == fragment).chain(new).collect();
                let mut met: Vec<u32> = next.tree(fragment).points().map(|(point, _)| point).collect();
                expected.sort_unstable();
                met.sort_unstable();
                assert_eq!(met, expected);
            }
            forest = next;
            number = fragment_of(owned[0]);
        }
    }
}
