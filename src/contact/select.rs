//! Self-adapting selection: which of the samples that may touch are looked at, and in which order (Glondu 2013, 5.2; the
//! modes of docs/design.md, 4.1).
//!
//! The paper meets well-spread points first because its tree is in maximum-distance order. Ours picks them from the
//! candidates of the very pair: each time the one that is farthest from those picked, weighted by how deep it can be, the
//! two directions in turn. When there are enough contacts, only what can still matter is looked at.

use super::search::{Candidate, Limits};
use super::{Contact, Mode, QueryStats};
use crate::geom::Point;

/// Candidates of one direction among which the well-spread ones are picked.
const POOL: usize = 64;

/// A candidate to pick from.
#[derive(Clone, Copy)]
struct Choice {
    place: usize,
    at: Point,
    /// How deep it can be, from 0.25 for the shallowest to 1 for the deepest of the pool.
    weight: f64,
    /// Squared distance to the nearest that was picked.
    apart: f64,
}

/// The state of a selection.
pub struct Selection<'a> {
    /// By direction: samples of the first body, samples of the second.
    candidates: &'a [Vec<Candidate>; 2],
    limits: &'a Limits,
    stats: &'a mut QueryStats,
    contacts: &'a mut Vec<Contact>,
    deepest: f64,
}

impl<'a> Selection<'a> {
    pub fn new(
        candidates: &'a [Vec<Candidate>; 2],
        limits: &'a Limits,
        stats: &'a mut QueryStats,
        contacts: &'a mut Vec<Contact>,
    ) -> Self {
        Self { candidates, limits, stats, contacts, deepest: f64::NEG_INFINITY }
    }

    /// Picks contacts; `evaluate` looks at a candidate of a direction.
    pub fn run(&mut self, evaluate: impl Fn(usize, &Candidate) -> Option<Contact>) {
        let stride = [0, 1].map(|side| spread(self.candidates[side].len()));
        if self.limits.mode != Mode::Full {
            self.pick_spread(stride, &evaluate);
        }
        // All that is left, spread over the lists. What was picked is in the pools, which come first in this order.
        let picked = if self.limits.mode == Mode::Full { 0 } else { POOL };
        let longest = self.candidates[0].len().max(self.candidates[1].len());
        for turn in picked.min(longest)..longest {
            for (side, stride) in stride.into_iter().enumerate() {
                let count = self.candidates[side].len();
                if turn < count && !self.look(side, (turn * stride) % count, &evaluate) {
                    return;
                }
            }
        }
    }

    /// Picks from the first candidates of both lists until there are enough contacts, then looks at the rest of them.
    fn pick_spread(&mut self, stride: [usize; 2], evaluate: &impl Fn(usize, &Candidate) -> Option<Contact>) {
        let nothing = Choice { place: 0, at: Point::origin(), weight: 0.0, apart: 0.0 };
        let mut pools = [[nothing; POOL]; 2];
        let mut counts = [0; 2];
        let deepest = self.candidates.iter().flatten().map(|c| c.most).fold(0.0, f64::max) + self.limits.margin;
        for side in 0..2 {
            let list = &self.candidates[side];
            for (turn, choice) in pools[side].iter_mut().enumerate().take(list.len()) {
                let place = (turn * stride[side]) % list.len();
                let depth = ((list[place].most + self.limits.margin) / deepest.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                // Both in the frame of the first body's asset.
                let at = if side == 0 { list[place].own } else { list[place].at };
                *choice = Choice { place, at, weight: 0.25 + 0.75 * depth, apart: f64::INFINITY };
            }
            counts[side] = list.len().min(POOL);
        }
        let mut side = 0;
        while self.contacts.len() < self.limits.target && counts != [0, 0] {
            if counts[side] == 0 {
                side = 1 - side;
            }
            let pool = &pools[side][..counts[side]];
            let gain =
                |c: &Choice| if c.apart.is_finite() { c.apart * c.weight * c.weight } else { f64::MAX * c.weight };
            let mut best = 0;
            for k in 1..pool.len() {
                if gain(&pool[k]) > gain(&pool[best]) {
                    best = k;
                }
            }
            let Choice { place, at, .. } = pool[best];
            counts[side] -= 1;
            pools[side][best] = pools[side][counts[side]];
            let before = self.contacts.len();
            if !self.look(side, place, evaluate) {
                return;
            }
            if self.contacts.len() > before {
                for (pool, count) in pools.iter_mut().zip(counts) {
                    pool[..count].iter_mut().for_each(|c| c.apart = c.apart.min((c.at - at).norm_squared()));
                }
            }
            side = 1 - side;
        }
        for side in 0..2 {
            for choice in &pools[side][..counts[side]] {
                if !self.look(side, choice.place, evaluate) {
                    return;
                }
            }
        }
    }

    /// Looks at a candidate if it can matter; false if nothing does any more.
    fn look(&mut self, side: usize, k: usize, evaluate: &impl Fn(usize, &Candidate) -> Option<Contact>) -> bool {
        let Some(needed) = self.limits.needed(self.contacts.len(), self.deepest) else { return false };
        let candidate = &self.candidates[side][k];
        if candidate.most <= needed {
            return true;
        }
        self.stats.evaluations += 1;
        if let Some(contact) = evaluate(side, candidate)
            && contact.depth as f64 > needed
        {
            self.deepest = self.deepest.max(contact.depth as f64);
            self.contacts.push(contact);
        }
        true
    }
}

/// A stride that visits all of `count` places, far apart in turn: near the golden section, and coprime.
fn spread(count: usize) -> usize {
    fn common(a: usize, b: usize) -> usize {
        if b == 0 { a } else { common(b, a % b) }
    }
    let golden = (count as f64 * 0.618_034) as usize;
    (golden.max(1)..).find(|stride| common(*stride, count.max(1)) == 1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn strides_visit_every_place() {
        for count in 1..500 {
            let mut seen = vec![false; count];
            (0..count).for_each(|k| seen[(k * spread(count)) % count] = true);
            assert!(seen.iter().all(|s| *s), "{count}");
        }
    }
}
