//! The maximum-distance order of points: every prefix of it samples them evenly (Glondu 2013, section 5.1).
//!
//! In: points. Out: their order, and the distance of each to those before it. The first two are the farthest pair, then
//! comes always the point that is farthest from all before. Ties, which the paper leaves open, go to the lowest number.
//!
//! The result is exactly that of the paper's O(n²) loop. Every point keeps its distance to the nearest one chosen; a tree
//! of boxes keeps the largest of these below each node. The next point is the root's, and choosing it touches only boxes
//! that are nearer to it than their largest distance: about as many points as the new one has around it at its distance.
//! The farthest pair comes from the same boxes, two at a time, with the farthest corners as bound.
//!
//! Invariant: distances never increase. Cost: near n log n for points of a volume or a surface (`cargo bench --bench tree`).

use crate::geom::{NONE, Point};
use crate::reference::tree::blocks::{Blocks, squared_distance, squared_distance_to_box, squared_reach};

/// Points in maximum-distance order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaxDistanceOrder {
    /// Numbers of the points.
    pub order: Vec<u32>,
    /// For each place in the order the distance of its point to the nearest one before; infinite for the first.
    pub distances: Vec<f64>,
}

/// Puts points in maximum-distance order. Coordinates are finite.
pub fn max_distance_order(points: &[Point]) -> MaxDistanceOrder {
    let mut result =
        MaxDistanceOrder { order: Vec::with_capacity(points.len()), distances: Vec::with_capacity(points.len()) };
    if points.len() < 2 {
        result.order.extend(0..points.len() as u32);
        result.distances.resize(points.len(), f64::INFINITY);
        return result;
    }
    let blocks = Blocks::new(points);
    let (first, second) = farthest_pair(points, &blocks);
    let mut left = Left::new(&blocks);
    left.choose(first);
    result.order.push(first);
    result.distances.push(f64::INFINITY);
    left.choose(second);
    result.order.push(second);
    result.distances.push(squared_distance(&points[first as usize], &points[second as usize]).sqrt());
    while let Some((squared, number)) = left.farthest() {
        left.choose(number);
        result.order.push(number);
        result.distances.push(squared.sqrt());
    }
    // What is left lies on points already chosen.
    let copies = left.unchosen();
    result.distances.resize(points.len(), 0.0);
    result.order.extend(copies);
    result
}

/// Distances of the points that are still left to those chosen.
struct Left<'a> {
    blocks: &'a Blocks,
    /// By slot: squared distance to the nearest chosen point; negative for the chosen ones.
    squared: Vec<f64>,
    /// By tree node: the largest of these, and the lowest number of a point that has it.
    farthest: Vec<(f64, u32)>,
}

const CHOSEN: f64 = -1.0;

impl<'a> Left<'a> {
    fn new(blocks: &'a Blocks) -> Self {
        let squared = blocks.number.iter().map(|n| if *n == NONE { CHOSEN } else { f64::INFINITY }).collect();
        let lowest = blocks.lowest(|n| n);
        let farthest = lowest.into_iter().map(|n| if n == NONE { (CHOSEN, n) } else { (f64::INFINITY, n) }).collect();
        Self { blocks, squared, farthest }
    }

    /// The point farthest from those chosen, unless it lies on one of them.
    fn farthest(&self) -> Option<(f64, u32)> {
        Some(self.farthest[1]).filter(|(squared, _)| *squared > 0.0)
    }

    fn choose(&mut self, number: u32) {
        let slot = self.blocks.slot[number as usize] as usize;
        self.squared[slot] = CHOSEN;
        let at = self.blocks.at[slot];
        self.approach(1, &at);
    }

    /// Lets the points below a tree node know of a chosen one.
    fn approach(&mut self, node: usize, chosen: &Point) {
        if squared_distance_to_box(chosen, &self.blocks.boxes[node]) >= self.farthest[node].0 {
            return;
        }
        self.farthest[node] = if node < self.blocks.leaves {
            self.approach(2 * node, chosen);
            self.approach(2 * node + 1, chosen);
            farther(self.farthest[2 * node], self.farthest[2 * node + 1])
        } else {
            let slots = self.blocks.slots(node);
            let squared = &mut self.squared[slots.clone()];
            squared.iter_mut().zip(&self.blocks.at[slots.clone()]).for_each(|(squared, at)| {
                let new = squared_distance(at, chosen);
                *squared = if new < *squared { new } else { *squared };
            });
            let found = squared.iter().copied().zip(self.blocks.number[slots].iter().copied());
            found.fold((CHOSEN, NONE), farther)
        };
    }

    fn unchosen(&self) -> Vec<u32> {
        let left = self.squared.iter().zip(&self.blocks.number).filter(|(squared, _)| **squared >= 0.0);
        let mut numbers: Vec<u32> = left.map(|(_, number)| *number).collect();
        numbers.sort_unstable();
        numbers
    }
}

fn farther(a: (f64, u32), b: (f64, u32)) -> (f64, u32) {
    if b.0 > a.0 || b.0 == a.0 && b.1 < a.1 { b } else { a }
}

/// The two points farthest from each other, lower number first; of equally far pairs the lowest in that order.
/// There are at least two points.
fn farthest_pair(points: &[Point], blocks: &Blocks) -> (u32, u32) {
    let mut search = PairSearch { blocks, lowest: blocks.lowest(|n| n), squared: -1.0, pair: (NONE, NONE) };
    // A good pair to begin with: from point to farthest point while that grows.
    let mut from = 0;
    loop {
        let mut far = (CHOSEN, NONE);
        for (point, number) in points.iter().zip(0..) {
            if number != from {
                far = farther(far, (squared_distance(point, &points[from as usize]), number));
            }
        }
        let better = far.0 > search.squared;
        search.offer(far.0, from, far.1);
        if !better {
            break;
        }
        from = far.1;
    }
    search.among(1, 1);
    search.pair
}

struct PairSearch<'a> {
    blocks: &'a Blocks,
    /// By tree node: the lowest number below it.
    lowest: Vec<u32>,
    /// The best pair so far.
    squared: f64,
    pair: (u32, u32),
}

impl PairSearch<'_> {
    fn offer(&mut self, squared: f64, a: u32, b: u32) {
        let pair = (a.min(b), a.max(b));
        if squared > self.squared || squared == self.squared && pair < self.pair {
            (self.squared, self.pair) = (squared, pair);
        }
    }

    /// Whether a pair with one point below each of two tree nodes may be better than the best so far.
    fn may_be_better(&self, reach: f64, a: usize, b: usize) -> bool {
        reach > self.squared || reach == self.squared && self.lowest[a].min(self.lowest[b]) <= self.pair.0
    }

    /// Searches the pairs with one point below each of two tree nodes of the same level.
    fn among(&mut self, a: usize, b: usize) {
        if a >= self.blocks.leaves {
            return self.in_blocks(a, b);
        }
        let mut pairs = [(2 * a, 2 * b), (2 * a, 2 * b + 1), (2 * a + 1, 2 * b), (2 * a + 1, 2 * b + 1)]
            .map(|(a, b)| (squared_reach(&self.blocks.boxes[a], &self.blocks.boxes[b]), a, b));
        pairs.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for (reach, a, b) in pairs {
            // Each pair of nodes once; one without points has no lowest.
            if a <= b && self.lowest[a] != NONE && self.lowest[b] != NONE && self.may_be_better(reach, a, b) {
                self.among(a, b);
            }
        }
    }

    fn in_blocks(&mut self, a: usize, b: usize) {
        let blocks = self.blocks;
        for i in blocks.slots(a) {
            for j in blocks.slots(b) {
                let [p, q] = [blocks.number[i], blocks.number[j]];
                if p != NONE && q != NONE && p != q {
                    self.offer(squared_distance(&blocks.at[i], &blocks.at[j]), p, q);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;
    use crate::solid::shapes;
    use std::time::Instant;

    /// The paper's loop, as far as `count` points.
    fn by_brute_force(points: &[Point], count: usize) -> (Vec<u32>, Vec<f64>) {
        let mut best = (-1.0, 0, 0);
        for i in 0..points.len() {
            for j in i + 1..points.len() {
                let squared = squared_distance(&points[i], &points[j]);
                if squared > best.0 {
                    best = (squared, i, j);
                }
            }
        }
        let mut order = vec![best.1];
        let mut distances = vec![f64::INFINITY];
        let mut squared = vec![f64::INFINITY; points.len()];
        while order.len() < count.min(points.len()) {
            let last = *order.last().unwrap();
            squared[last] = -1.0;
            for (known, p) in squared.iter_mut().zip(points) {
                *known = known.min(squared_distance(p, &points[last]));
            }
            let mut next = if order.len() == 1 { best.2 } else { last };
            if order.len() > 1 {
                for k in 0..points.len() {
                    if squared[k] > squared[next] {
                        next = k;
                    }
                }
            }
            order.push(next);
            distances.push(squared[next].sqrt());
        }
        (order.into_iter().map(|k| k as u32).collect(), distances)
    }

    fn random_points(count: u64, seed: u64) -> Vec<Point> {
        (0..count).map(|k| Point::from([0, 1, 2].map(|axis| unit(seed, 3 * k + axis) - 0.3))).collect()
    }

    /// A lattice, its points shuffled.
    fn lattice(size: [u64; 3]) -> Vec<Point> {
        let count = size.iter().product::<u64>();
        let mut keys: Vec<u64> = (0..count).collect();
        keys.sort_by_key(|k| crate::geom::random::mix(*k));
        keys.iter()
            .map(|k| Point::new((k % size[0]) as f64, (k / size[0] % size[1]) as f64, (k / size[0] / size[1]) as f64))
            .collect()
    }

    fn hard_inputs() -> Vec<(&'static str, Vec<Point>)> {
        let mut with_copies = random_points(150, 2);
        with_copies.extend(random_points(150, 2));
        with_copies.extend([with_copies[17]; 40]);
        let line = |n: u64| (0..n).map(|k| Point::new(unit(3, k), 0.0, 0.0)).collect::<Vec<_>>();
        let even_line = (0..257).map(|k| Point::new(0.0, (k * 91 % 257) as f64, 0.0)).collect();
        vec![
            ("nothing", vec![]),
            ("one point", random_points(1, 0)),
            ("two points", random_points(2, 0)),
            ("three points", random_points(3, 0)),
            ("random", random_points(700, 1)),
            ("lattice", lattice([8, 8, 8])),
            ("flat lattice", lattice([20, 20, 1])),
            ("uneven lattice", lattice([3, 7, 11])),
            ("copies", with_copies),
            ("all the same", vec![Point::new(0.1, 0.2, 0.3); 100]),
            ("two places", [[Point::origin(), Point::new(1.0, 0.0, 0.0)]; 50].concat()),
            ("collinear", line(300)),
            ("evenly collinear", even_line),
            ("tiny", random_points(200, 4).iter().map(|p| p * 1e-9).collect()),
            ("huge", random_points(200, 5).iter().map(|p| p * 1e9).collect()),
            ("far away", random_points(300, 6).iter().map(|p| p + crate::geom::Vector::repeat(1e7)).collect()),
            ("ball", shapes::ball(1.0, 8).nodes().to_vec()),
            ("torus", shapes::torus(1.0, 0.3, 24, 6).nodes().to_vec()),
        ]
    }

    #[test]
    fn the_whole_order_is_that_of_brute_force() {
        for (name, points) in hard_inputs() {
            if points.is_empty() {
                assert_eq!(max_distance_order(&points), MaxDistanceOrder::default());
                continue;
            }
            let (order, distances) = by_brute_force(&points, points.len());
            let found = max_distance_order(&points);
            assert_eq!(found.order, order, "{name}");
            assert_eq!(found.distances, distances, "{name}");
            assert!(found.distances.is_sorted_by(|a, b| a >= b), "{name}");
        }
    }

    #[test]
    fn the_first_64_of_5000_are_those_of_brute_force() {
        for points in [random_points(5000, 9), shapes::ball(0.1, 16).nodes().to_vec(), lattice([17, 17, 17])] {
            let (order, distances) = by_brute_force(&points, 64);
            let start = Instant::now();
            let found = max_distance_order(&points);
            println!("{} points in {:.1} ms", points.len(), start.elapsed().as_secs_f64() * 1e3);
            assert_eq!(found.order[..64], order);
            assert_eq!(found.distances[..64], distances);
            assert!(found.distances.is_sorted_by(|a, b| a >= b));
        }
    }

    #[test]
    fn a_hundred_thousand_points_take_a_moment() {
        for (name, points) in [
            ("ball", shapes::ball(0.1, 46).nodes().to_vec()),
            ("random", random_points(100_000, 8)),
            ("sphere", {
                let on_sphere = |p: Point| Point::from((p.coords - crate::geom::Vector::repeat(0.2)).normalize());
                random_points(100_000, 7).into_iter().map(on_sphere).collect()
            }),
            ("all the same", vec![Point::origin(); 100_000]),
        ] {
            let start = Instant::now();
            let found = max_distance_order(&points);
            let seconds = start.elapsed().as_secs_f64();
            println!("{name}: {} points in {seconds:.2} s", points.len());
            assert!(found.distances.is_sorted_by(|a, b| a >= b));
            let mut numbers = found.order;
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..points.len() as u32), "{name}");
        }
    }
}
