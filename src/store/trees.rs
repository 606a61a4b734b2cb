//! Sphere trees: nodes as they are, positions from the points that stand for them.
//!
//! Checked in one pass, unlike [`SphereTree::flaw`](crate::reference::tree::SphereTree::flaw), which compares every point with
//! everything above it: shape and points of the trees, on which splitting relies, but not that spheres reach far enough.

use super::bytes::{Plain, Reader, Writer};
use crate::error::{Result, bad_data};
use crate::geom::Point;
use crate::reference::tree::{SphereForest, TreeNode};
use std::collections::HashSet;

/// Puts the trees of the pieces that are `kept`; those of the others are empty.
pub fn put(to: &mut Writer, forest: &SphereForest, kept: impl Fn(u32) -> bool) {
    let trees = || (0..forest.len() as u32).map(|piece| if kept(piece) { forest.tree(piece).nodes } else { &[] });
    to.list(trees().map(|nodes| nodes.len() as u32));
    trees().flatten().for_each(|node| to.put(*node));
}

impl Plain for TreeNode {
    const SIZE: usize = 12;
    /// Without its first child: that follows from the order.
    fn put(self, to: &mut Vec<u8>) {
        [self.point, self.child_count].put(to);
        self.radius.put(to);
    }
    fn get(from: &[u8]) -> Self {
        let [point, child_count] = Plain::get(from);
        Self { point, radius: f32::get(&from[8..]), first_child: 0, child_count }
    }
}

/// Trees for pieces with so many `points` each, whose piece `owner` names ([`NONE`](crate::geom::NONE) for points that do
/// not exist); `place` is asked for those that do only.
pub fn get(
    from: &mut Reader,
    points: impl ExactSizeIterator<Item = usize>,
    owner: impl Fn(u32) -> u32,
    place: impl Fn(u32) -> Point,
) -> Result<SphereForest> {
    let counts: Vec<u32> = from.list()?;
    if counts.len() != points.len() {
        bad_data!("there are {} sphere trees for {} pieces", counts.len(), points.len());
    }
    let (mut forest, mut ends) = (vec![], vec![]);
    for ((count, points), piece) in counts.into_iter().zip(points).zip(0..) {
        let mut nodes: Vec<TreeNode> = from.exactly(count as usize)?;
        let mut next = 1;
        for node in &mut nodes {
            let TreeNode { point, radius, child_count, .. } = *node;
            node.first_child = if child_count > 0 { next } else { 0 };
            if owner(point) != piece || child_count > count - next.min(count) {
                bad_data!("the sphere tree of piece {piece} has a node with a point or children that it does not have");
            }
            if !(0.0..f32::INFINITY).contains(&radius) || child_count == 0 && radius != 0.0 {
                bad_data!("a sphere of piece {piece} has the radius {radius}");
            }
            next += child_count;
        }
        check(&nodes, points, piece)?;
        forest.extend(nodes);
        ends.push(forest.len() as u32);
    }
    Ok(SphereForest::restore(forest, ends, place))
}

/// Children come after their parents, all are reached, every point is met first once, and is repeated only where it must.
fn check(nodes: &[TreeNode], points: usize, piece: u32) -> Result<()> {
    let mut met: HashSet<u32> = nodes.first().map(|root| root.point).into_iter().collect();
    let mut reached = nodes.len().min(1);
    for (k, node) in nodes.iter().enumerate() {
        if node.child_count > 0 && node.first_child as usize <= k {
            bad_data!("the sphere tree of piece {piece} runs in circles at node {k}");
        }
        reached += node.child_count as usize;
        for child in node.children() {
            let below = &nodes[child];
            let is_repeated = below.point == node.point;
            let in_vain = child != node.first_child as usize || below.child_count == 0 || node.child_count == 1;
            if is_repeated && in_vain || !is_repeated && !met.insert(below.point) {
                bad_data!("point {} comes twice in the sphere tree of piece {piece}", below.point);
            }
        }
    }
    if reached != nodes.len() || met.len() != points {
        bad_data!("the sphere tree of piece {piece} holds {} points of {points}", met.len());
    }
    Ok(())
}
