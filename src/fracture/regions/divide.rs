//! Division by polytopes, for whatever has no closed form: the part of each cell, or what planes leave one after the other.

use super::super::envelope::side_key;
use super::super::limits::STEPS_OF_A_CUT;
use super::Divider;
use crate::cut::polytope::{Clip, Split, Wall};
use crate::geom::point_tree::{PointTree, Queue};
use crate::geom::random::mix;
use crate::geom::{NONE, Point, Vector};
use std::sync::atomic::Ordering;

/// Up to so many candidates each is held against each.
const FEW_CELLS: usize = 4;
/// Up to so many are sorted for each anew; of more, a tree finds the nearest.
const SOME_CELLS: usize = 64;
/// Steps are counted by so many, since threads share the count.
const STEPS_AT_A_TIME: u64 = 1 << 14;

impl Divider<'_> {
    /// Divides the polytope at hand by the pattern.
    pub(super) fn divide_base(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) {
        if self.envelope.has_levels() {
            return self.divide_by_levels(tet, work, nodes);
        }
        let count = self.cells.len();
        if count <= 1 {
            std::mem::swap(&mut self.base, &mut self.region);
            let cell = self.cells.first().copied().unwrap_or(self.envelope.cell_of(nodes[0]));
            return self.add(tet, work, nodes, cell as u64);
        }
        if count > FEW_CELLS && self.divide_by_neighbours(tet, work, nodes) {
            return;
        }
        for own in 0..count {
            let known = self.splits.len();
            self.region.copy(&self.base);
            for other in (0..count).filter(|other| *other != own) {
                if self.clip_against(own, other) == Clip::All || !self.count_cut() {
                    break;
                }
            }
            self.drop_unused(known);
            if self.out.too_many {
                return;
            }
            if !self.region.is_empty() {
                self.add(tet, work, nodes, self.cells[own] as u64);
            }
        }
    }

    /// Counts a cut of a polytope; false if that was one too many.
    fn count_cut(&mut self) -> bool {
        self.steps += STEPS_OF_A_CUT;
        if self.steps > STEPS_AT_A_TIME {
            self.out.too_many |= !self.envelope.meter.count(std::mem::take(&mut self.steps));
        }
        !self.out.too_many
    }

    /// Cuts from the region at hand, of one candidate, what is another's.
    fn clip_against(&mut self, own: usize, other: usize) -> Clip {
        let [low, high] = [own.min(other), own.max(other)];
        self.clip([self.cells[low], self.cells[high]], own == high, (low, high))
    }

    /// Divides the polytope at hand among many seeds: from a cell that is in it to those across its facets, since what is in a convex
    /// polytope hangs together. A cell is held against others in the order of their seeds' distances, until they are too far
    /// away to cut anything off. False if no cell was found to begin with.
    fn divide_by_neighbours(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) -> bool {
        let Some(seeds) = self.envelope.seeds() else { return false };
        let sites = nodes.map(|n| self.envelope.site_of(self.object, n));
        let weights = self.base.weights_at(0);
        let value = |row: &[f64; 4]| (0..4).map(|k| row[k] * weights[k]).sum::<f64>();
        let lowest = (0..self.cells.len()).min_by(|a, b| value(&self.values[*a]).total_cmp(&value(&self.values[*b])));
        let Some(first) = lowest else { return false };
        let mut is_seen = vec![false; self.cells.len()];
        is_seen[first] = true;
        let mut waiting = vec![first];
        let mut nearest = Nearest::new(self.cells.iter().map(|cell| seeds[*cell as usize]).collect());
        let mut next = 0;
        while let Some(&own) = waiting.get(next) {
            next += 1;
            let known = self.splits.len();
            let seed = seeds[self.cells[own] as usize];
            self.region.copy(&self.base);
            nearest.start(own as u32);
            let mut reach = self.reach_from(&seed, &sites);
            while let Some((apart, other)) = nearest.next() {
                if apart > 4.0 * reach || !self.count_cut() {
                    break;
                }
                match self.clip_against(own, other as usize) {
                    Clip::All => break,
                    Clip::Part => reach = self.reach_from(&seed, &sites),
                    Clip::Nothing => {}
                }
            }
            self.drop_unused(known);
            if self.out.too_many {
                return true;
            }
            if self.region.is_empty() {
                if own == first {
                    return false;
                }
                continue;
            }
            for k in 0..self.region.corner_count() {
                for (split, _) in self.region.walls_at(k).into_iter().filter_map(|wall| wall.as_crack()) {
                    let Split { generation, cells, .. } = self.splits[split];
                    let other = if cells[0] == self.cells[own] { cells[1] } else { cells[0] };
                    if generation == self.envelope.generation
                        && let Ok(place) = self.cells.binary_search(&other)
                        && !std::mem::replace(&mut is_seen[place], true)
                    {
                        waiting.push(place);
                    }
                }
            }
            self.add(tet, work, nodes, self.cells[own] as u64);
        }
        true
    }

    /// How far the region at hand reaches from a seed, squared, and a little more.
    fn reach_from(&self, seed: &Point, sites: &[Point; 4]) -> f64 {
        let far = |k: usize| {
            let w = self.region.weights_at(k);
            let at = (0..4).fold(Vector::zeros(), |at, k| at + sites[k].coords * w[k]);
            (at - seed.coords).norm_squared()
        };
        (0..self.region.corner_count()).map(far).fold(0.0, f64::max) * (1.0 + 1e-6)
    }

    /// Forgets cracks from `first` on that do not bound the region at hand: they cut something off that others cut off too.
    fn drop_unused(&mut self, first: usize) {
        self.moved.clear();
        let mut kept = first;
        for split in first..self.splits.len() {
            self.moved.push(kept);
            let cells = self.splits[split].cells;
            if self.region.has_crack(split) {
                self.splits[kept] = self.splits[split];
                self.numbers.insert(number_of(cells), kept);
                kept += 1;
            } else {
                self.numbers.remove(&number_of(cells));
            }
        }
        if kept < self.splits.len() {
            let moved = &self.moved;
            self.region.renumber(|k| if k < first { k } else { moved[k - first] });
            self.splits.truncate(kept);
        }
    }

    /// Cuts the region at hand along the crack between two cells, of which it is on the second side or the first.
    fn clip(&mut self, cells: [u32; 2], second: bool, (low, high): (usize, usize)) -> Clip {
        if let Some(&number) = self.numbers.get(&number_of(cells)) {
            return self.region.clip(&self.splits, Wall::crack(number, second));
        }
        let values = std::array::from_fn(|k| self.values[low][k] - self.values[high][k]);
        self.clip_new(Split { values, generation: self.envelope.generation, cells }, second)
    }

    /// The same along a crack that is new in this tetrahedron; it is kept if it cuts something off.
    fn clip_new(&mut self, split: Split, second: bool) -> Clip {
        let number = self.splits.len();
        if number >= Wall::MOST_SPLITS {
            (self.out.too_many, self.out.too_many_cracks) = (true, true);
            return Clip::Nothing;
        }
        self.splits.push(split);
        let cut = self.region.clip(&self.splits, Wall::crack(number, second));
        match cut {
            Clip::Part => {
                self.numbers.insert(number_of(split.cells), number);
            }
            _ => {
                self.splits.pop();
            }
        }
        cut
    }

    /// Divides the polytope at hand by one plane after the other.
    fn divide_by_levels(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) {
        let label = self.envelope.crossing(nodes, &mut self.cells, &mut self.values);
        let first_above = |values: &[f64; 4]| values[0] >= 0.0;
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        pending.push((self.base.clone(), label));
        for k in 0..self.cells.len() {
            let cells = [self.cells[k], NONE];
            let split = Split { values: self.values[k], generation: self.envelope.generation, cells };
            // Regions that earlier events left of the tetrahedron share it.
            let mut number = self.numbers.get(&number_of(cells)).copied();
            for p in 0..pending.len() {
                if !self.count_cut() {
                    break;
                }
                let (polytope, label) = &mut pending[p];
                let other = *label ^ side_key(self.cells[k] as usize);
                // Below is the first side.
                let [below, above] = if first_above(&split.values) { [other, *label] } else { [*label, other] };
                match polytope.probe(&self.splits, &split, false) {
                    Clip::Nothing => *label = below,
                    Clip::All => *label = above,
                    Clip::Part => {
                        let number = *number.get_or_insert_with(|| {
                            self.splits.push(split);
                            self.numbers.insert(number_of(cells), self.splits.len() - 1);
                            self.splits.len() - 1
                        });
                        let mut upper = polytope.clone();
                        upper.clip(&self.splits, Wall::crack(number, true));
                        polytope.clip(&self.splits, Wall::crack(number, false));
                        *label = below;
                        pending.push((upper, above));
                    }
                }
            }
            self.out.too_many_cracks |= self.splits.len() >= Wall::MOST_SPLITS;
            let own = self.out.parts.len() - self.counted + pending.len();
            let is_over = self.known.budget.0.load(Ordering::Relaxed) + own > self.known.budget.1;
            self.out.too_many |= self.out.too_many_cracks || is_over;
            if self.out.too_many {
                // Nothing will be made of it.
                pending.clear();
                break;
            }
        }
        for (polytope, label) in pending.drain(..) {
            self.region = polytope;
            self.add(tet, work, nodes, label);
        }
        self.pending = pending;
    }
}

/// Seeds by their distance from one of them, ties by number.
struct Nearest {
    seeds: Vec<Point>,
    own: u32,
    /// Of many.
    tree: Option<PointTree>,
    queue: Queue,
    /// Of some: all of them, up to `sorted` in order, and which is next.
    order: Vec<(f64, u32)>,
    sorted: usize,
    next: usize,
}

impl Nearest {
    fn new(seeds: Vec<Point>) -> Self {
        let tree = (seeds.len() > SOME_CELLS).then(|| PointTree::new(&seeds));
        Self { seeds, own: NONE, tree, queue: Queue::default(), order: vec![], sorted: 0, next: 0 }
    }

    /// Begins with one of them, which is not listed itself.
    fn start(&mut self, own: u32) {
        let Self { seeds, tree, queue, order, .. } = self;
        let seed = &seeds[own as usize];
        match tree {
            Some(tree) => tree.start(queue, seed),
            None => {
                order.clear();
                let others = seeds.iter().zip(0..).filter(|(_, other)| *other != own);
                order.extend(others.map(|(other, number)| ((other - seed).norm_squared(), number)));
            }
        }
        (self.own, self.sorted, self.next) = (own, 0, 0);
    }

    /// The next one, and the square of its distance.
    fn next(&mut self) -> Option<(f64, u32)> {
        let Self { seeds, own, tree, queue, order, sorted, next } = self;
        if let Some(tree) = tree {
            let seed = &seeds[*own as usize];
            return std::iter::from_fn(|| tree.next(queue, seed)).find(|(_, number)| number != own);
        }
        if *next == *sorted {
            // The nearest few at a time: mostly they are all that is needed.
            let run = (*sorted + 16).min(order.len());
            if run < order.len() {
                order[*sorted..].select_nth_unstable_by(run - *sorted, by_distance);
            }
            order[*sorted..run].sort_unstable_by(by_distance);
            *sorted = run;
        }
        *next += 1;
        order.get(*next - 1).copied()
    }
}

/// Nearer seeds first, ties by number.
fn by_distance(a: &(f64, u32), b: &(f64, u32)) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// A number for the crack between two cells, or of a plane.
fn number_of(cells: [u32; 2]) -> u64 {
    mix((cells[0] as u64) << 32 | cells[1] as u64)
}
