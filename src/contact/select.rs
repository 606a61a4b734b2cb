//! Self-adapting selection: which of the samples that may touch are looked at, and in which order (Glondu 2013, 5.2; the
//! modes of docs/design.md, 4.1).
//!
//! The paper meets well-spread points first because its tree is in maximum-distance order. Ours picks them from the
//! candidates of the very pair: each time the one that is farthest from those picked, weighted by how deep it can be, the
//! two directions in turn. When there are enough contacts, only what can still matter is looked at, the most promising first.
//!
//! Bodies at rest must get the same contacts in every step, or solvers start anew each time and stacks creep. So candidates
//! stand in an order of their own, which does not depend on how many others there are.

use super::search::{Candidate, Limits};
use super::{Contact, Mode, QueryStats};
use crate::geom::Local;
use crate::geom::lanes::{LANES, Lanes};

/// Candidates of one direction among which the well-spread ones are picked.
const POOL: usize = 32;

/// 2^32 divided by the golden section, which is odd: multiplying by it leaves no two numbers alike.
const GOLDEN: u32 = 0x9e37_79b1;

/// Numbers of samples that are near each other are near each other too. In steps of the golden section, any part of them is
/// spread over all.
fn place_in_order(candidate: &Candidate) -> u32 {
    candidate.id.wrapping_mul(GOLDEN)
}

/// What a selection asks of the pair. Sides are directions: samples of the first body, samples of the second.
pub trait Pair {
    /// The contact of a candidate, if it touches and is deeper than `needed`.
    fn evaluate(&self, side: usize, candidate: &Candidate, needed: f64) -> Option<Contact>;
    /// A closer limit of its depth.
    fn most(&self, side: usize, candidate: &Candidate) -> f32;
    /// Where it is, about, in the frame of the first body.
    fn place(&self, side: usize, candidate: &Candidate) -> Local;
}

/// Candidates to pick from, both sides in one list of numbers each, for the sake of vectors.
struct Pool {
    at: [[f32; 2 * POOL]; 3],
    /// Squared: how deep it can be, from 0.25 for what is within the tolerance to 1 for the deepest of all.
    weight: [f32; 2 * POOL],
    /// Squared distance to the nearest that was picked; negative for what is gone.
    apart: [f32; 2 * POOL],
}

/// A candidate that may be deeper than the deepest contact: how deep, and which.
pub type Promise = (f32, u32, u32);

/// The state of a selection.
pub struct Selection<'a, P: Pair> {
    pair: &'a P,
    /// By side. Those that were looked at can be no deeper than minus infinity.
    candidates: &'a mut [Vec<Candidate>; 2],
    limits: &'a Limits,
    stats: &'a mut QueryStats,
    contacts: &'a mut Vec<Contact>,
    promises: &'a mut Vec<Promise>,
    deepest: f64,
}

impl<'a, P: Pair> Selection<'a, P> {
    /// `promises` is working memory.
    pub fn new(
        pair: &'a P,
        candidates: &'a mut [Vec<Candidate>; 2],
        limits: &'a Limits,
        stats: &'a mut QueryStats,
        contacts: &'a mut Vec<Contact>,
        promises: &'a mut Vec<Promise>,
    ) -> Self {
        Self { pair, candidates, limits, stats, contacts, promises, deepest: f64::NEG_INFINITY }
    }

    /// Picks contacts.
    pub fn run(&mut self) {
        if self.limits.mode == Mode::Full {
            return self.look_at_all();
        }
        self.draw_pool();
        self.pick_spread();
        if self.contacts.len() < self.limits.target {
            self.put_in_order();
            self.look_at_all();
        }
        self.look_deeper();
    }

    /// Picks contacts from candidates that are only some of all, none of which is deeper than `most`: false if the others
    /// have to be looked at too.
    pub fn run_on_some(&mut self, most: f64) -> bool {
        self.draw_pool();
        self.pick_spread();
        self.contacts.len() >= self.limits.target && self.needed().is_none_or(|needed| needed >= most)
    }

    /// How deep the next contact must be; `None` if there are enough.
    fn needed(&self) -> Option<f64> {
        self.limits.needed(self.contacts.len(), self.deepest)
    }

    /// Puts first those that come first in the order of all.
    fn draw_pool(&mut self) {
        for list in self.candidates.iter_mut().filter(|list| list.len() > POOL) {
            list.select_nth_unstable_by_key(POOL, place_in_order);
        }
    }

    fn put_in_order(&mut self) {
        for list in self.candidates.iter_mut() {
            list.sort_unstable_by_key(place_in_order);
        }
    }

    /// Looks at every candidate, the two sides in turn, until there are enough contacts.
    fn look_at_all(&mut self) {
        let counts = [0, 1].map(|side| self.candidates[side].len());
        for turn in 0..counts[0].max(counts[1]) {
            for (side, _) in counts.iter().enumerate().filter(|(_, count)| turn < **count) {
                if self.needed() != Some(f64::NEG_INFINITY) {
                    return;
                }
                self.look(side, turn, f64::NEG_INFINITY);
            }
        }
    }

    /// Picks from some candidates of both lists until there are enough contacts.
    fn pick_spread(&mut self) {
        let mut pool = Pool::new(self.pair, self.candidates, self.limits);
        let mut side = 0;
        while self.contacts.len() < self.limits.target {
            let Some(best) = pool.best(side).or_else(|| pool.best(1 - side)) else { return };
            side = best / POOL;
            let before = self.contacts.len();
            self.look(side, best % POOL, f64::NEG_INFINITY);
            pool.take(best, self.contacts.len() > before);
            side = 1 - side;
        }
    }

    /// Looks at what can be deeper than needed, the most promising first.
    fn look_deeper(&mut self) {
        let Some(needed) = self.needed() else { return };
        self.promises.clear();
        for (side, list) in self.candidates.iter().enumerate() {
            for (k, candidate) in list.iter().enumerate().filter(|(_, c)| c.most as f64 > needed) {
                let most = self.pair.most(side, candidate);
                if most as f64 > needed {
                    self.promises.push((most, side as u32, k as u32));
                }
            }
        }
        self.promises.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for promise in 0..self.promises.len() {
            let (most, side, k) = self.promises[promise];
            let Some(needed) = self.needed().filter(|needed| most as f64 > *needed) else { return };
            self.look(side as usize, k as usize, needed);
        }
    }

    /// Looks at a candidate, unless that was done.
    fn look(&mut self, side: usize, k: usize, needed: f64) {
        let candidate = self.candidates[side][k];
        if candidate.most == f32::NEG_INFINITY {
            return;
        }
        self.candidates[side][k].most = f32::NEG_INFINITY;
        self.stats.evaluations += 1;
        if let Some(contact) = self.pair.evaluate(side, &candidate, needed) {
            self.deepest = self.deepest.max(contact.depth as f64);
            self.contacts.push(contact);
        }
    }
}

impl Pool {
    fn new(pair: &impl Pair, candidates: &[Vec<Candidate>; 2], limits: &Limits) -> Self {
        let mut pool = Self { at: [[0.0; 2 * POOL]; 3], weight: [1.0; 2 * POOL], apart: [-1.0; 2 * POOL] };
        let counts = limits.tolerance as f32;
        let deepest = candidates.iter().flatten().map(|c| c.likely).fold(0.0, f32::max) - counts;
        for (side, list) in candidates.iter().enumerate() {
            for (place, candidate) in list.iter().take(POOL).enumerate() {
                let slot = side * POOL + place;
                let depth = ((candidate.likely - counts) / deepest.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
                let touches = if candidate.likely < -limits.margin as f32 { 0.1 } else { 1.0 };
                let at = pair.place(side, candidate);
                (0..3).for_each(|k| pool.at[k][slot] = at[k]);
                pool.weight[slot] = (touches * (0.25 + 0.75 * depth)).powi(2);
                pool.apart[slot] = f32::MAX;
            }
        }
        pool
    }

    /// The candidate of a side that adds most.
    fn best(&self, side: usize) -> Option<usize> {
        let slots = side * POOL..(side + 1) * POOL;
        let gain = |slot: usize| self.apart[slot] * self.weight[slot];
        // Eight at a time, and then where it was.
        let mut most: Lanes = [f32::NEG_INFINITY; LANES];
        for first in slots.clone().step_by(LANES) {
            for (k, most) in most.iter_mut().enumerate() {
                let gain = gain(first + k);
                *most = if gain > *most { gain } else { *most };
            }
        }
        let most = most.into_iter().fold(f32::NEG_INFINITY, f32::max);
        if most < 0.0 { None } else { slots.into_iter().find(|slot| gain(*slot) == most) }
    }

    /// Takes a candidate out; if it became a contact, the others are to be far from it.
    fn take(&mut self, slot: usize, touches: bool) {
        self.apart[slot] = -1.0;
        if touches {
            let [x, y, z] = &self.at;
            let at = [x[slot], y[slot], z[slot]];
            for k in 0..2 * POOL {
                let (x, y, z) = (x[k] - at[0], y[k] - at[1], z[k] - at[2]);
                let squared = x * x + y * y + z * z;
                self.apart[k] = if squared < self.apart[k] { squared } else { self.apart[k] };
            }
        }
    }
}
