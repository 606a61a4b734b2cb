//! Points in a tree of boxes: those within a ball, or one after the other by distance, however unevenly they lie.
//!
//! Each node is divided at the median along its longest axis until few points are left, so the tree is as deep as the logarithm of
//! their number.

use crate::geom::aabb::Aabb;
use crate::geom::{NONE, Point};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Points in a leaf, at most.
const LEAF: usize = 8;
/// For rounding: boxes count as a little nearer.
const HAIR: f64 = 1.0 - 1e-12;

/// A node: a run of points, and their box.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    bounds: Aabb,
    first: u32,
    end: u32,
    /// The first of its two children, which are next to each other; [`NONE`] for a leaf.
    child: u32,
}

impl Node {
    /// The numbers of its two children; none for a leaf.
    pub fn children(&self) -> Option<[usize; 2]> {
        (self.child != NONE).then_some([self.child as usize, self.child as usize + 1])
    }

    /// The places of its points.
    pub fn places(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }

    /// Not more than the square of the distance from a point to the nearest of its points.
    pub fn near(&self, p: &Point) -> f64 {
        let Aabb { min, max } = &self.bounds;
        let apart = |axis: usize| (min[axis] - p[axis]).max(p[axis] - max[axis]).max(0.0);
        let (x, y, z) = (apart(0), apart(1), apart(2));
        (x * x + y * y + z * z) * HAIR
    }
}

/// The tree.
#[derive(Default)]
pub struct PointTree {
    /// Those of a node next to each other.
    points: Vec<Point>,
    /// The number of each, in the order in which they were given.
    numbers: Vec<u32>,
    /// Parents before their children.
    nodes: Vec<Node>,
}

/// Memory of a search.
#[derive(Default)]
pub struct Queue(BinaryHeap<Reverse<Entry>>);

/// What is next: a point by its place, or a node.
#[derive(Clone, Copy, PartialEq)]
struct Entry {
    squared: f64,
    is_point: bool,
    /// Of points, their numbers; equally far ones come in the order of these.
    number: u32,
}

impl Eq for Entry {}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        // Nodes first: a point in them may be as near, with a lower number.
        let key = |e: &Self| (e.is_point, e.number);
        self.squared.total_cmp(&other.squared).then_with(|| key(self).cmp(&key(other)))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PointTree {
    /// The tree of some points.
    pub fn new(given: &[Point]) -> Self {
        let mut numbers: Vec<u32> = (0..given.len() as u32).collect();
        let mut nodes = vec![];
        let bounds_of = |numbers: &[u32]| Aabb::around(numbers.iter().map(|n| &given[*n as usize]));
        if !given.is_empty() {
            nodes.push(Node { bounds: bounds_of(&numbers), first: 0, end: given.len() as u32, child: NONE });
        }
        let mut next = 0;
        while let Some(Node { bounds, first, end, .. }) = nodes.get(next).copied() {
            let own = &mut numbers[first as usize..end as usize];
            if own.len() > LEAF {
                let axis = bounds.size().imax();
                let half = own.len() / 2;
                let along = |n: u32| given[n as usize][axis];
                own.select_nth_unstable_by(half, |a, b| along(*a).total_cmp(&along(*b)).then(a.cmp(b)));
                let middle = first + half as u32;
                nodes[next].child = nodes.len() as u32;
                for (first, end) in [(first, middle), (middle, end)] {
                    let bounds = bounds_of(&numbers[first as usize..end as usize]);
                    nodes.push(Node { bounds, first, end, child: NONE });
                }
            }
            next += 1;
        }
        Self { points: numbers.iter().map(|n| given[*n as usize]).collect(), numbers, nodes }
    }

    /// Its nodes, parents before their children; none without points.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of the point in a place.
    pub fn number(&self, place: usize) -> u32 {
        self.numbers[place]
    }

    /// Calls `visit` with the numbers of all points that are not farther from one than this, in no order that means anything.
    pub fn within(&self, p: &Point, radius: f64, mut visit: impl FnMut(u32)) {
        let most = radius * radius;
        let mut waiting = vec![];
        waiting.extend((!self.nodes.is_empty()).then_some(0));
        while let Some(node) = waiting.pop() {
            let node = &self.nodes[node as usize];
            if node.near(p) > most {
                continue;
            }
            if node.child != NONE {
                waiting.extend([node.child, node.child + 1]);
                continue;
            }
            for place in node.places().filter(|place| (self.points[*place] - p).norm_squared() <= most) {
                visit(self.numbers[place]);
            }
        }
    }

    /// Starts a search around a point.
    pub fn start(&self, queue: &mut Queue, p: &Point) {
        queue.0.clear();
        if let Some(root) = self.nodes.first() {
            queue.0.push(Reverse(Entry { squared: root.near(p), is_point: false, number: 0 }));
        }
    }

    /// The next point of a search by distance, and the square of that; equally far ones in the order of their numbers.
    pub fn next(&self, queue: &mut Queue, p: &Point) -> Option<(f64, u32)> {
        loop {
            let Reverse(Entry { squared, is_point, number }) = queue.0.pop()?;
            if is_point {
                return Some((squared, number));
            }
            let node = &self.nodes[number as usize];
            if node.child != NONE {
                let child = |k: u32| Entry { squared: self.nodes[k as usize].near(p), is_point: false, number: k };
                queue.0.extend([node.child, node.child + 1].map(|k| Reverse(child(k))));
                continue;
            }
            let point = |place: usize| Entry {
                squared: (self.points[place] - p).norm_squared(),
                is_point: true,
                number: self.numbers[place],
            };
            queue.0.extend(node.places().map(|place| Reverse(point(place))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    #[test]
    fn points_come_by_distance_as_sorting_has_them() {
        for count in [0usize, 1, 8, 9, 500] {
            // Half of them in a heap far away, some twice.
            let spread = |k: u64| if k.is_multiple_of(2) { 1.0 } else { 1e-6 };
            let at = |k: u64| Point::new(unit(1, 3 * k), unit(1, 3 * k + 1), unit(1, 3 * k + 2)) * spread(k);
            let points: Vec<Point> = (0..count as u64).map(|k| at(if k % 7 == 3 { k - 1 } else { k })).collect();
            let tree = PointTree::new(&points);
            let mut queue = Queue::default();
            for from in [Point::origin(), Point::new(0.5, 0.4, 0.9), Point::new(-9.0, 1.0, 2.0)] {
                let mut sorted: Vec<(f64, u32)> =
                    points.iter().zip(0..).map(|(q, n)| ((q - from).norm_squared(), n)).collect();
                sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                tree.start(&mut queue, &from);
                let found: Vec<(f64, u32)> = std::iter::from_fn(|| tree.next(&mut queue, &from)).collect();
                assert_eq!(found, sorted);
                for radius in [0.0, 0.3, 1.0, 1e9] {
                    let mut near = vec![];
                    tree.within(&from, radius, |n| near.push(n));
                    near.sort_unstable();
                    let mut wanted: Vec<u32> =
                        sorted.iter().filter(|(far, _)| *far <= radius * radius).map(|(_, n)| *n).collect();
                    wanted.sort_unstable();
                    assert_eq!(near, wanted);
                }
            }
        }
    }
}
