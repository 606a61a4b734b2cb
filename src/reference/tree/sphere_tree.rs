//! Building a sphere tree level by level (Glondu 2013, section 5.1).
//!
//! In: points. Out: their tree. Level l has the first 2^l points of the maximum-distance order, each once; a point new in
//! level l + 1 is the child of the closest point of level l (ties, which the paper leaves open, go to the lowest number),
//! and the points of level l carry on as children of themselves. The radius is the distance to the farthest descendant.
//!
//! Departures. A point that adopts nobody in a level is not repeated for it: such a copy has the same sphere, so leaving
//! it out saves a test and loses nothing but the alignment of levels, which splitting would lose anyway (6.2 removes nodes
//! with one child). And a point is no leaf below itself: it has been met already. Together about 1.3 nodes a point remain
//! of the paper's log n. Closest points come from a tree of boxes, not from all pairs.
//!
//! Cost: near n log n, most of it the order (`cargo bench --bench tree`).

use crate::geom::counting_sort::group;
use crate::geom::{NONE, Point};
use crate::reference::tree::blocks::{Blocks, squared_distance, squared_distance_to_box};
use crate::reference::tree::forest::{SphereForest, TreeNode};
use crate::reference::tree::order::max_distance_order;

impl SphereForest {
    /// Builds one tree for each group of points: their numbers in `positions`.
    pub fn build<'a>(positions: &[Point], groups: impl IntoIterator<Item = &'a [u32]>) -> Self {
        let mut forest = Self::default();
        for numbers in groups {
            let points: Vec<Point> = numbers.iter().map(|n| positions[*n as usize]).collect();
            forest.grow(&points, numbers);
        }
        forest
    }

    /// Adds the tree of some points.
    fn grow(&mut self, points: &[Point], numbers: &[u32]) {
        let start = self.nodes.len();
        let order = max_distance_order(points).order;
        let adopted = Adopted::new(points, &order);
        // A queue of nodes to come: place of the point in the order, and the next one that it adopts.
        let mut queue: Vec<(usize, usize)> = Vec::with_capacity(points.len() * 3 / 2);
        let mut parents = Vec::with_capacity(points.len() * 3 / 2);
        if !order.is_empty() {
            queue.push((0, adopted.starts[0]));
            parents.push(NONE);
        }
        let mut next = 0;
        while next < queue.len() {
            let (place, from) = queue[next];
            let first_child = queue.len();
            let all = &adopted.places[from..adopted.starts[place + 1]];
            let level = all.first().map_or(0, |place| level_of(*place));
            let now = all.iter().take_while(|place| level_of(**place) == level).count();
            if now < all.len() {
                queue.push((place, from + now));
            }
            queue.extend(all[..now].iter().map(|place| (*place, adopted.starts[*place])));
            parents.resize(queue.len(), next as u32);

            let number = order[place] as usize;
            let child_count = (queue.len() - first_child) as u32;
            let first_child = if child_count > 0 { first_child as u32 } else { 0 };
            self.nodes.push(TreeNode { point: numbers[number], radius: 0.0, first_child, child_count });
            self.centres.push(points[number]);
            next += 1;
        }
        self.ends.push(self.nodes.len() as u32);
        let (nodes, centres) = (&mut self.nodes[start..], &self.centres[start..]);
        for k in 0..nodes.len() {
            cover_upwards(nodes, centres, &parents, parents[k], &centres[k]);
        }
    }
}

/// Grows the sphere of a node and of all nodes above it to reach a point.
fn cover_upwards(nodes: &mut [TreeNode], centres: &[Point], parents: &[u32], mut node: u32, at: &Point) {
    while node != NONE {
        let k = node as usize;
        nodes[k].cover(squared_distance(&centres[k], at));
        node = parents[k];
    }
}

/// The level in which the point at a place of the order is new.
fn level_of(place: usize) -> u32 {
    usize::BITS - place.leading_zeros()
}

/// For each point the points that it adopts, by their places in the order, ascending; so those of a level are together.
struct Adopted {
    places: Vec<usize>,
    /// Where the list of each place starts, and where the last one ends.
    starts: Vec<usize>,
}

impl Adopted {
    fn new(points: &[Point], order: &[u32]) -> Self {
        let mut place_of = vec![0; points.len()];
        order.iter().zip(0..).for_each(|(number, place)| place_of[*number as usize] = place);
        let blocks = Blocks::new(points);
        let search =
            Closest { first_place: blocks.lowest(|n| place_of[n as usize]), place_of: &place_of, blocks: &blocks };
        let parents: Vec<u32> = (1..order.len())
            .map(|place| {
                let coarser = 1 << (level_of(place) - 1);
                let closest = search.among_first(coarser, &points[order[place] as usize], order[0]);
                place_of[closest as usize]
            })
            .collect();
        let (places, starts) = group(points.len(), &parents, |k| k + 1);
        Self { places, starts }
    }
}

/// Closest points among the first of the order.
struct Closest<'a> {
    blocks: &'a Blocks,
    /// By number of the point: its place in the order.
    place_of: &'a [u32],
    /// By tree node: the first place of a point below it.
    first_place: Vec<u32>,
}

impl Closest<'_> {
    /// The closest among the first `count` points of the order; `first` is one of them.
    fn among_first(&self, count: u32, at: &Point, first: u32) -> u32 {
        let slot = self.blocks.slot[first as usize] as usize;
        let mut best = (squared_distance(at, &self.blocks.at[slot]), first);
        self.search(1, count, at, &mut best);
        best.1
    }

    fn search(&self, node: usize, count: u32, at: &Point, best: &mut (f64, u32)) {
        if node >= self.blocks.leaves {
            for slot in self.blocks.slots(node) {
                let number = self.blocks.number[slot];
                if number != NONE && self.place_of[number as usize] < count {
                    let found = (squared_distance(at, &self.blocks.at[slot]), number);
                    if found < *best {
                        *best = found;
                    }
                }
            }
            return;
        }
        let mut children = [2 * node, 2 * node + 1].map(|k| (squared_distance_to_box(at, &self.blocks.boxes[k]), k));
        if children[1] < children[0] {
            children.swap(0, 1);
        }
        for (squared, child) in children {
            if squared <= best.0 && self.first_place[child] < count {
                self.search(child, count, at, best);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;
    use crate::solid::shapes;

    fn check(points: &[Point]) -> SphereForest {
        let numbers: Vec<u32> = (0..points.len() as u32).collect();
        let forest = SphereForest::build(points, [&numbers[..]]);
        assert_eq!(forest.tree(0).flaw(), None);
        let mut met: Vec<u32> = forest.tree(0).points().map(|(point, _)| point).collect();
        met.sort_unstable();
        assert_eq!(met, numbers);
        forest
    }

    #[test]
    fn every_sphere_bounds_what_is_below_it() {
        for solid in [shapes::ball(0.1, 10), shapes::plate(0.13, 0.006, 16), shapes::torus(1.0, 0.3, 24, 6)] {
            let forest = check(solid.nodes());
            println!("{} points, {} nodes", solid.nodes().len(), forest.nodes.len());
            assert!(forest.nodes.len() < solid.nodes().len() * 3 / 2);
        }
        for count in [0, 1, 2, 3, 5, 300] {
            check(&vec![Point::new(0.1, 0.2, 0.3); count]);
            check(&(0..count).map(|k| Point::new(unit(1, k as u64), 0.0, 0.0)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn parents_are_the_closest_points_of_the_level_above() {
        let solid = shapes::ball(1.0, 8);
        let points = solid.nodes();
        let forest = check(points);
        let tree = forest.tree(0);
        let order = max_distance_order(points).order;
        let place_of = |point: u32| order.iter().position(|p| *p == point).unwrap();
        for node in tree.nodes {
            for child in node.children().map(|c| tree.nodes[c].point).filter(|child| *child != node.point) {
                let coarser = 1 << (level_of(place_of(child)) - 1);
                let at = &points[child as usize];
                let closest = order[..coarser].iter().min_by(|a, b| {
                    let [a, b] = [a, b].map(|p| (squared_distance(at, &points[**p as usize]), **p));
                    a.partial_cmp(&b).unwrap()
                });
                assert_eq!(*closest.unwrap(), node.point);
            }
            let places: Vec<usize> = node.children().map(|c| place_of(tree.nodes[c].point)).collect();
            assert!(places.is_sorted(), "siblings are in maximum-distance order");
        }
    }

    #[test]
    fn trees_of_one_arena_do_not_mix() {
        let solid = shapes::ball(1.0, 6);
        let numbers: Vec<u32> = (0..solid.nodes().len() as u32).collect();
        let (even, odd): (Vec<u32>, Vec<u32>) = numbers.iter().partition(|n| **n % 2 == 0);
        let forest = SphereForest::build(solid.nodes(), [&even[..], &[], &odd[..]]);
        for (number, group) in [(0, &even[..]), (1, &[]), (2, &odd[..])] {
            let tree = forest.tree(number);
            assert_eq!(tree.flaw(), None);
            let mut met: Vec<u32> = tree.points().map(|(point, _)| point).collect();
            met.sort_unstable();
            assert_eq!(met, group);
        }
    }
}
