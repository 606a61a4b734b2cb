//! Building the tree: binned surface-area heuristic on the middles of the triangles' boxes.
//!
//! Where the heuristic finds nothing to split by (all middles alike) or has gone too deep, the list is halved at the
//! median instead, so that depth stays within what a search's stack holds.

use super::{Node, STACK, Triangle};
use crate::geom::Point;
use crate::geom::aabb::Aabb;

/// Triangles in a leaf, at most.
const LEAF: usize = 4;
/// Slices in which the heuristic looks for the best cut along an axis.
const BINS: usize = 16;
/// Below this depth lists are halved: 2^29 triangles then reach leaves within as many levels again.
const DEEP: u32 = STACK as u32 / 2;

impl Triangle {
    /// Remembers whether it is too narrow: height below about 1e-5 of the longest edge.
    pub fn new(corners: [Point; 3]) -> Self {
        let [a, b, c] = corners;
        let longest = [b - a, c - b, a - c].iter().map(|e| e.norm_squared()).fold(0.0, f64::max);
        let area = (b - a).cross(&(c - a)).norm_squared();
        Self { corners, sliver: area <= 1e-10 * longest * longest }
    }
}

struct Item {
    bounds: Aabb,
    middle: Point,
    source: u32,
}

/// A part of the list that waits for its node.
struct Part {
    first: usize,
    end: usize,
    depth: u32,
    /// The node whose right child it is.
    right_of: Option<usize>,
}

/// Nodes in depth-first order, and the triangles in leaf order.
pub fn tree(triangles: &[[Point; 3]]) -> (Vec<Node>, Vec<u32>) {
    let mut items: Vec<Item> = triangles
        .iter()
        .zip(0..)
        .map(|(corners, source)| {
            let bounds = Aabb::around(corners);
            Item { bounds, middle: bounds.centre(), source }
        })
        .collect();
    let mut nodes: Vec<Node> = Vec::with_capacity(items.len());
    let mut parts = vec![];
    if !items.is_empty() {
        parts.push(Part { first: 0, end: items.len(), depth: 0, right_of: None });
    }
    while let Some(part) = parts.pop() {
        let number = nodes.len();
        if let Some(parent) = part.right_of {
            nodes[parent].link = number as u32;
        }
        let list = &mut items[part.first..part.end];
        let bounds = list.iter().fold(Aabb::EMPTY, |sum, item| joined(&sum, &item.bounds));
        if list.len() <= LEAF {
            nodes.push(Node { bounds, link: part.first as u32, count: list.len() as u32 });
            continue;
        }
        nodes.push(Node { bounds, link: 0, count: 0 });
        let middle = part.first + split(list, part.depth);
        let depth = part.depth + 1;
        parts.push(Part { first: middle, end: part.end, depth, right_of: Some(number) });
        parts.push(Part { first: part.first, end: middle, depth, right_of: None });
    }
    (nodes, items.iter().map(|item| item.source).collect())
}

/// Puts the left half of the list first and says how long it is: never nothing, never all.
fn split(list: &mut [Item], depth: u32) -> usize {
    let middles = Aabb::around(list.iter().map(|item| &item.middle));
    if depth < DEEP
        && let Some((axis, bin)) = best_cut(list, &middles)
    {
        let slices = Slices::along(axis, &middles);
        return partition(list, |item| slices.of(&item.middle) < bin);
    }
    let axis = middles.size().imax();
    let half = list.len() / 2;
    // Sources break ties: the outcome is the same whatever the sort does with equals.
    list.select_nth_unstable_by(half, |a, b| a.middle[axis].total_cmp(&b.middle[axis]).then(a.source.cmp(&b.source)));
    half
}

/// The axis and the first slice of the right side for which boxes and counts make the cheapest pair of children.
fn best_cut(list: &[Item], middles: &Aabb) -> Option<(usize, usize)> {
    let mut best: Option<(f64, (usize, usize))> = None;
    for axis in 0..3 {
        if middles.min[axis] >= middles.max[axis] {
            continue;
        }
        let slices = Slices::along(axis, middles);
        let mut bins = [(Aabb::EMPTY, 0usize); BINS];
        for item in list {
            let (bounds, count) = &mut bins[slices.of(&item.middle)];
            *bounds = joined(bounds, &item.bounds);
            *count += 1;
        }
        let mut right = [0.0; BINS];
        let (mut bounds, mut count) = (Aabb::EMPTY, 0);
        for k in (1..BINS).rev() {
            bounds = joined(&bounds, &bins[k].0);
            count += bins[k].1;
            right[k] = cost(&bounds, count);
        }
        let (mut bounds, mut count) = (Aabb::EMPTY, 0);
        for k in 1..BINS {
            bounds = joined(&bounds, &bins[k - 1].0);
            count += bins[k - 1].1;
            let sum = cost(&bounds, count) + right[k];
            if count > 0 && count < list.len() && best.is_none_or(|(least, _)| sum < least) {
                best = Some((sum, (axis, k)));
            }
        }
    }
    best.map(|(_, cut)| cut)
}

struct Slices {
    axis: usize,
    start: f64,
    scale: f64,
}

impl Slices {
    fn along(axis: usize, middles: &Aabb) -> Self {
        let start = middles.min[axis];
        Self { axis, start, scale: BINS as f64 / (middles.max[axis] - start) }
    }

    fn of(&self, p: &Point) -> usize {
        (((p[self.axis] - self.start) * self.scale) as usize).min(BINS - 1)
    }
}

/// Half the surface of the box, once for each triangle in it.
fn cost(bounds: &Aabb, count: usize) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let s = bounds.size();
    count as f64 * (s.x * s.y + s.y * s.z + s.z * s.x)
}

fn joined(a: &Aabb, b: &Aabb) -> Aabb {
    let mut sum = *a;
    sum.grow(&b.min);
    sum.grow(&b.max);
    sum
}

/// Puts the items that are `left` first and counts them.
fn partition(list: &mut [Item], left: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for k in 0..list.len() {
        if left(&list[k]) {
            list.swap(count, k);
            count += 1;
        }
    }
    count
}
