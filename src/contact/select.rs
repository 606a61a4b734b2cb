//! Self-adapting selection: which of the samples that may touch are looked at, and in which order (Glondu 2013, 5.2; the
//! modes of docs/formulations/samples-and-queries.md).
//!
//! The paper meets well-spread points first because its tree is in maximum-distance order. Ours picks them from the
//! candidates of the very pair: each time the one that is farthest from those picked, weighted by how deep it can be, the
//! two directions in turn. What probably does not touch, by the planes of the body or its skin, comes after all that probably
//! does. When there are enough contacts, only what can still matter is looked at, the most promising first.
//!
//! Bodies at rest must get the same contacts in every step, or solvers start anew each time and stacks creep. So candidates
//! stand in an order of their own, which does not depend on how many others there are.

use super::search::{Candidate, Limits};
use super::{Contact, Mode, QueryStats};
use crate::geom::Local;
use crate::geom::lanes::{LANES, Lanes, PointLanes, highest, lane_mask};

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
    /// A closer limit of its depth, as close as is needed to know that it is not deeper than `needed`.
    fn most(&self, side: usize, candidate: &Candidate, needed: f32) -> f32;
    /// Whether it is certainly outside, by what costs less than to look at it.
    fn is_outside(&self, _side: usize, _candidate: &Candidate) -> bool {
        false
    }
    /// How far beyond the skin of the other body it probably is.
    fn beyond_skin(&self, _side: usize, _candidate: &Candidate) -> f32 {
        f32::NEG_INFINITY
    }
    /// Where it is, about, in the frame of the first body.
    fn place(&self, side: usize, candidate: &Candidate) -> Local;
}

/// Share of its distance that counts of a candidate that probably does not touch, squared.
const UNLIKELY: f32 = 1e-4;

/// Candidates to pick from, for the sake of vectors in eights: first those of the one side, then those of the other. The k-th of
/// the n-th eight is in slot `8 n + k`.
struct Pool {
    eights: [Eight; 2 * HALF],
    /// Eights of each side.
    counts: [usize; 2],
}

/// Eights of one side.
const HALF: usize = POOL / LANES;

#[derive(Clone, Copy)]
struct Eight {
    /// LaneMask in the list of candidates.
    place: [u32; LANES],
    at: PointLanes,
    /// Squared: how deep it can be, from 0.25 for what is within the tolerance to 1 for the deepest of all.
    weight: Lanes,
    /// Squared distance to the nearest that was picked; negative for what is gone.
    apart: Lanes,
}

impl Eight {
    const NONE: Self = Self {
        place: [0; LANES],
        at: PointLanes { at: [[0.0; LANES]; 3] },
        weight: [1.0; LANES],
        apart: [-1.0; LANES],
    };

    /// Others are to be far from a place.
    #[inline]
    fn keep_off(&mut self, at: &Local) {
        let [x, y, z] = &self.at.at;
        for k in 0..LANES {
            let (x, y, z) = (x[k] - at.x, y[k] - at.y, z[k] - at.z);
            let squared = x * x + y * y + z * z;
            self.apart[k] = if squared < self.apart[k] { squared } else { self.apart[k] };
        }
    }
}

/// A candidate that may be deeper than the deepest contact: how deep, and which.
type Promise = (f32, u32, u32);

/// Memory of selections.
#[derive(Default)]
pub struct Working {
    promises: Vec<Promise>,
    keys: Vec<u32>,
    pool: Option<Box<Pool>>,
}

/// The state of a selection.
pub struct Selection<'a, P: Pair> {
    pair: &'a P,
    /// By side. Those that were looked at can be no deeper than minus infinity.
    candidates: &'a mut [Vec<Candidate>; 2],
    limits: &'a Limits,
    stats: &'a mut QueryStats,
    contacts: &'a mut Vec<Contact>,
    working: &'a mut Working,
    deepest: f64,
}

impl<'a, P: Pair> Selection<'a, P> {
    /// A selection from these candidates.
    pub fn new(
        pair: &'a P,
        candidates: &'a mut [Vec<Candidate>; 2],
        limits: &'a Limits,
        stats: &'a mut QueryStats,
        contacts: &'a mut Vec<Contact>,
        working: &'a mut Working,
    ) -> Self {
        Self { pair, candidates, limits, stats, contacts, working, deepest: f64::NEG_INFINITY }
    }

    /// Picks contacts.
    pub fn run(&mut self) {
        let count = self.candidates[0].len() + self.candidates[1].len();
        // If there are no more than are wanted, all are looked at.
        if self.limits.mode == Mode::Full || count <= self.limits.target {
            return self.look_at_all();
        }
        self.pick_spread(true);
        if self.contacts.len() < self.limits.target {
            self.put_in_order();
            self.look_at_all();
        }
        self.look_deeper();
    }

    /// Picks contacts from candidates that are only some of all, none of which is deeper than `most`: false if the others
    /// have to be looked at too.
    pub fn run_on_some(&mut self, most: f64) -> bool {
        self.pick_spread(false);
        self.contacts.len() >= self.limits.target && self.needed().is_none_or(|needed| needed >= most)
    }

    /// How deep the next contact must be; `None` if there are enough.
    fn needed(&self) -> Option<f64> {
        self.limits.needed(self.contacts.len(), self.deepest)
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

    /// Picks from some candidates of both lists until there are enough contacts. `by_skin` says to ask first whether a candidate
    /// has slid out of the skin: bodies at rest touch at its rims, which only a closer look tells from that.
    fn pick_spread(&mut self, by_skin: bool) {
        let mut pool = self.working.pool.take().unwrap_or_default();
        pool.fill(self.pair, self.candidates, self.limits, &mut self.working.keys);
        let mut side = 0;
        while self.contacts.len() < self.limits.target {
            let Some(best) = pool.best_of_both(side) else { break };
            let place;
            (side, place) = pool.place(best);
            if by_skin && pool.is_likely(best) && self.is_beyond_skin(side, place) {
                pool.make_unlikely(best);
                continue;
            }
            let before = self.contacts.len();
            self.look(side, place, f64::NEG_INFINITY);
            pool.take(best, self.contacts.len() > before);
            side = 1 - side;
        }
        self.working.pool = Some(pool);
    }

    fn is_beyond_skin(&self, side: usize, place: usize) -> bool {
        self.pair.beyond_skin(side, &self.candidates[side][place]) as f64 > self.limits.margin
    }

    /// Looks at the one that is probably deepest, then at what can be deeper than needed, the most promising first.
    fn look_deeper(&mut self) {
        let Some(needed) = self.needed() else { return };
        if let Some((side, k)) = self.likeliest(needed) {
            self.look(side, k, needed);
        }
        let Some(needed) = self.needed() else { return };
        self.working.promises.clear();
        for (side, list) in self.candidates.iter().enumerate() {
            for (k, candidate) in list.iter().enumerate().filter(|(_, c)| c.most as f64 > needed) {
                let most = self.pair.most(side, candidate, needed as f32);
                if most as f64 > needed {
                    self.working.promises.push((most, side as u32, k as u32));
                }
            }
        }
        self.working.promises.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for promise in 0..self.working.promises.len() {
            let (most, side, k) = self.working.promises[promise];
            let Some(needed) = self.needed().filter(|needed| most as f64 > *needed) else { return };
            self.look(side as usize, k as usize, needed);
        }
    }

    /// The candidate that is probably deepest, if it is probably deeper than needed.
    fn likeliest(&self, needed: f64) -> Option<(usize, usize)> {
        let mut best = (needed as f32, None);
        for (side, list) in self.candidates.iter().enumerate() {
            for (k, candidate) in list.iter().enumerate() {
                let likely = candidate.likely.min(candidate.most);
                if likely > best.0 {
                    best = (likely, Some((side, k)));
                }
            }
        }
        best.1
    }

    /// Looks at a candidate, unless that was done.
    fn look(&mut self, side: usize, k: usize, needed: f64) {
        let candidate = self.candidates[side][k];
        if candidate.most == f32::NEG_INFINITY {
            return;
        }
        self.candidates[side][k].most = f32::NEG_INFINITY;
        // Of what probably does not touch, most can be told from afar.
        if (candidate.likely as f64) < -self.limits.margin && self.pair.is_outside(side, &candidate) {
            return;
        }
        self.stats.evaluations += 1;
        if let Some(contact) = self.pair.evaluate(side, &candidate, needed) {
            self.deepest = self.deepest.max(contact.depth as f64);
            self.contacts.push(contact);
        }
    }
}

impl Default for Pool {
    fn default() -> Self {
        Self { eights: [Eight::NONE; 2 * HALF], counts: [0; 2] }
    }
}

impl Pool {
    /// Draws candidates; what was in it is gone.
    fn fill(&mut self, pair: &impl Pair, candidates: &[Vec<Candidate>; 2], limits: &Limits, keys: &mut Vec<u32>) {
        self.counts = [0; 2];
        let (counts, touching) = (limits.tolerance as f32, -limits.margin as f32);
        let deepest = candidates.iter().flatten().fold(0.0, |most, c| if c.likely > most { c.likely } else { most });
        let share = 1.0 / (deepest - counts).max(f32::MIN_POSITIVE);
        for (side, list) in candidates.iter().enumerate() {
            let last = last_drawn(list, touching, keys);
            let drawn = list.iter().enumerate().filter(|(_, c)| key(c, touching) <= last);
            for (slot, (place, candidate)) in (0..POOL).zip(drawn) {
                let (eight, k) = (&mut self.eights[side * HALF + slot / LANES], slot % LANES);
                if k == 0 {
                    *eight = Eight::NONE;
                }
                let depth = ((candidate.likely - counts) * share).clamp(0.0, 1.0);
                let weight = (0.25 + 0.75 * depth) * (0.25 + 0.75 * depth);
                eight.at.put(k, &pair.place(side, candidate));
                eight.weight[k] = if candidate.likely < touching { UNLIKELY } else { 1.0 } * weight;
                eight.apart[k] = f32::MAX;
                eight.place[k] = place as u32;
                self.counts[side] = slot / LANES + 1;
            }
        }
    }

    fn eight(&self, slot: usize) -> &Eight {
        &self.eights[slot / LANES % (2 * HALF)]
    }

    fn eight_mut(&mut self, slot: usize) -> &mut Eight {
        &mut self.eights[slot / LANES % (2 * HALF)]
    }

    /// The side of a slot, and the place of its candidate.
    fn place(&self, slot: usize) -> (usize, usize) {
        (slot / POOL, self.eight(slot).place[slot % LANES] as usize)
    }

    /// Whether a candidate has not been found to be outside, probably.
    fn is_likely(&self, slot: usize) -> bool {
        self.eight(slot).weight[slot % LANES] > UNLIKELY
    }

    /// A candidate has been found to be outside, probably.
    fn make_unlikely(&mut self, slot: usize) {
        self.eight_mut(slot).weight[slot % LANES] *= UNLIKELY;
    }

    /// The candidate that adds most: of one side, or of the other, if that one has none left, or none that probably touches.
    fn best_of_both(&self, side: usize) -> Option<usize> {
        let best = self.best(side);
        if best.is_some_and(|slot| self.is_likely(slot)) {
            return best;
        }
        let other = self.best(1 - side);
        if best.is_none() || other.is_some_and(|slot| self.is_likely(slot)) { other } else { best }
    }

    /// The candidate of a side that adds most.
    fn best(&self, side: usize) -> Option<usize> {
        // Eight at a time, the first of those that add as much.
        let (mut most, mut eights) = ([-1.0; LANES], [0; LANES]);
        for (number, eight) in (0..).zip(&self.eights[side * HALF..][..self.counts[side]]) {
            for k in 0..LANES {
                let gain = eight.apart[k] * eight.weight[k];
                eights[k] = if gain > most[k] { number } else { eights[k] };
                most[k] = if gain > most[k] { gain } else { most[k] };
            }
        }
        let best = highest(&most);
        let first = lane_mask(|k| most[k] == best).map(|k| eights[k] as usize * LANES + k).min();
        first.filter(|_| best >= 0.0).map(|slot| side * POOL + slot)
    }

    /// Takes a candidate out; if it became a contact, the others are to be far from it.
    fn take(&mut self, slot: usize, touches: bool) {
        let eight = self.eight_mut(slot);
        eight.apart[slot % LANES] = -1.0;
        if touches {
            let at = eight.at.get(slot % LANES);
            for side in 0..2 {
                self.eights[side * HALF..][..self.counts[side]].iter_mut().for_each(|eight| eight.keep_off(&at));
            }
        }
    }
}

/// What comes first in the pool: candidates that probably touch, in the order of all.
#[inline]
fn key(candidate: &Candidate, touching: f32) -> u32 {
    ((candidate.likely < touching) as u32) << 31 | place_in_order(candidate) >> 1
}

/// The key of the last candidate that has a place in the pool.
fn last_drawn(list: &[Candidate], touching: f32, keys: &mut Vec<u32>) -> u32 {
    if list.len() <= POOL {
        return u32::MAX;
    }
    keys.clear();
    keys.extend(list.iter().map(|candidate| key(candidate, touching)));
    *keys.select_nth_unstable(POOL - 1).1
}
