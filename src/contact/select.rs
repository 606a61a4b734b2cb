//! Self-adapting selection: which of the candidates are evaluated, and in which order (Glondu 2013, 5.2; modes in
//! docs/formulations/samples-and-queries.md).
//!
//! The paper meets well-spread points first because its tree is in maximum-distance order. Here they are picked from
//! the candidates of the pair: repeatedly the one farthest from those picked, weighted by how deep it can be, the two
//! directions in turn. Candidates that probably do not touch, by the planes of the body or its skin, come after all
//! that probably do. Once there are enough contacts, only candidates that can still matter are evaluated, the most
//! promising first.
//!
//! Bodies at rest must get the same contacts in every step, or warm starting fails and stacks creep. So candidates have
//! an order of their own, which does not depend on how many others there are.

use super::budget::{EVALUATION, Level};
use super::known::KNOWN;
use super::search::{Candidate, Limits};
use super::{Contact, Mode, QueryStats};
use crate::geom::Local;
use crate::geom::lanes::{Highest, LANES, Lanes, PointLanes, highest, lanes};
use crate::geom::simd::{Lanewise, widest};

/// Candidates per direction from which well-spread ones are picked. Four times the default target: enough to choose
/// from, and four vectors of eight to scan per pick. Found by trial.
const POOL: usize = 32;

/// 2^32 divided by the golden ratio. Odd, so multiplication by it is a bijection of 32-bit integers.
const GOLDEN: u32 = 0x9e37_79b1;

/// Sort key of a candidate. Samples with near indices are near each other; multiplied by the golden ratio (Fibonacci
/// hashing), any part of the order is spread over all of them.
fn place_in_order(candidate: &Candidate) -> u32 {
    candidate.id.wrapping_mul(GOLDEN)
}

/// What a selection needs of the pair. A side is a direction: 0 for samples of the first body, 1 for those of the
/// second.
pub trait Pair {
    /// The contact of a candidate, if it touches and is deeper than `needed`.
    fn evaluate(&self, side: usize, candidate: &Candidate, needed: f64) -> Option<Contact>;
    /// A tighter upper bound of its depth; refined only until it is known not to exceed `needed`.
    fn most(&self, side: usize, candidate: &Candidate, needed: f32) -> f32;
    /// Whether it is certainly outside, by tests that cost less than an evaluation.
    fn is_outside(&self, _side: usize, _candidate: &Candidate) -> bool {
        false
    }
    /// Estimated distance beyond the skin of the other body.
    fn beyond_skin(&self, _side: usize, _candidate: &Candidate) -> f32 {
        f32::NEG_INFINITY
    }
    /// Whether the caller remembers any contacts.
    fn knows_any(&self) -> bool;
    /// Whether it made a contact that the caller remembers.
    fn is_known(&self, side: usize, candidate: &Candidate) -> bool;
    /// Approximate position in the frame of the first body.
    fn place(&self, side: usize, candidate: &Candidate) -> Local;
}

/// Weight of a candidate that probably does not touch: a hundredth of its distance, squared. Small enough that all
/// likely candidates are picked first; nine of ten unlikely ones do not touch.
const UNLIKELY: f32 = 1e-4;

/// Candidates to pick from, in vectors of eight: first those of side 0, then those of side 1. The k-th lane of the n-th
/// vector is slot `8 n + k`.
struct Pool {
    eights: [Eight; 2 * HALF],
    /// Vectors in use per side.
    counts: [usize; 2],
}

/// Vectors of eight per side.
const HALF: usize = POOL / LANES;

#[derive(Clone, Copy)]
struct Eight {
    /// Indices in the list of candidates.
    place: [u32; LANES],
    at: PointLanes,
    /// Squared weight by possible depth: from 0.25 within the tolerance to 1 for the deepest of all.
    weight: Lanes,
    /// Squared distance to the nearest picked contact; negative if the slot is empty or taken.
    apart: Lanes,
}

impl Eight {
    const NONE: Self = Self {
        place: [0; LANES],
        at: PointLanes { at: [[0.0; LANES]; 3] },
        weight: [1.0; LANES],
        apart: [-1.0; LANES],
    };

    /// Updates the distances after a contact was picked at `at`.
    #[inline(always)]
    fn keep_off(&mut self, at: &Local) {
        let [x, y, z] = &self.at.at;
        for k in 0..LANES {
            let (x, y, z) = (x[k] - at.x, y[k] - at.y, z[k] - at.z);
            let squared = x * x + y * y + z * z;
            self.apart[k] = if squared < self.apart[k] { squared } else { self.apart[k] };
        }
    }
}

/// A candidate that may be deeper than the deepest contact: upper bound of its depth, side, index.
type Promise = (f32, u32, u32);

/// Scratch memory of selections.
#[derive(Default)]
pub struct Working {
    promises: Vec<Promise>,
    keys: Vec<u32>,
    pool: Option<Box<Pool>>,
}

/// The state of a selection.
pub struct Selection<'a, P: Pair> {
    pair: &'a P,
    /// By side. Evaluated candidates have `most` set to minus infinity.
    candidates: &'a mut [Vec<Candidate>; 2],
    limits: &'a Limits,
    stats: &'a mut QueryStats,
    contacts: &'a mut Vec<Contact>,
    working: &'a mut Working,
    deepest: f64,
    /// Whether the budget is spent.
    is_over: bool,
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
        Self { pair, candidates, limits, stats, contacts, working, deepest: f64::NEG_INFINITY, is_over: false }
    }

    /// Picks contacts.
    pub fn run(&mut self) {
        self.pick();
        self.say_level();
    }

    fn pick(&mut self) {
        let count = self.candidates[0].len() + self.candidates[1].len();
        // No more candidates than wanted contacts: evaluate all.
        if self.limits.mode == Mode::Full || count <= self.limits.target {
            return self.look_at_all();
        }
        self.pick_spread(true);
        if self.contacts.len() < self.limits.target && !self.is_over {
            self.put_in_order();
            self.look_at_all();
        }
        self.look_again();
        if !self.is_over {
            self.look_deeper();
        }
    }

    /// Evaluates what the caller knows: contacts end where bodies no longer touch, not because others were picked.
    fn look_again(&mut self) {
        if !self.pair.knows_any() {
            return;
        }
        for side in 0..2 {
            for k in 0..self.candidates[side].len() {
                let is_known = self.pair.is_known(side, &self.candidates[side][k]);
                if is_known && !self.is_over {
                    self.look(side, k, f64::NEG_INFINITY);
                }
            }
        }
    }

    /// Picks contacts from a subset of the candidates, none of which can be deeper than `most`. Returns false if the
    /// others have to be evaluated too.
    pub fn run_on_some(&mut self, most: f64) -> bool {
        self.pick_spread(false);
        self.say_level();
        let is_enough = self.contacts.len() >= self.limits.target || self.is_over && !self.contacts.is_empty();
        is_enough && (self.is_over || self.needed().is_none_or(|needed| needed >= most))
    }

    /// How far it went, if the budget is spent.
    fn say_level(&mut self) {
        if self.is_over {
            self.stats.level = Level::reached(self.contacts.len(), self.limits.target);
        }
    }

    /// Spends work; false once there is not enough.
    fn spend(&mut self, units: u32) -> bool {
        self.is_over |= !self.stats.spend(units, self.limits.budget);
        !self.is_over
    }

    /// Depth that the next contact must exceed; `None` if there are enough.
    fn needed(&self) -> Option<f64> {
        self.limits.needed(self.contacts.len(), self.deepest)
    }

    fn put_in_order(&mut self) {
        for list in self.candidates.iter_mut() {
            list.sort_unstable_by_key(place_in_order);
        }
    }

    /// Evaluates every candidate, the two sides in turn, until there are enough contacts.
    fn look_at_all(&mut self) {
        let counts = [0, 1].map(|side| self.candidates[side].len());
        for turn in 0..counts[0].max(counts[1]) {
            for (side, _) in counts.iter().enumerate().filter(|(_, count)| turn < **count) {
                if self.needed() != Some(f64::NEG_INFINITY) || self.is_over {
                    return;
                }
                self.look(side, turn, f64::NEG_INFINITY);
            }
        }
    }

    /// Picks from the pool of both sides until there are enough contacts. With `by_skin`, a candidate beyond the skin
    /// is deferred. Not for bodies at rest: they touch at the rims of the skin, where only an evaluation can decide.
    fn pick_spread(&mut self, by_skin: bool) {
        let mut pool = self.working.pool.take().unwrap_or_default();
        pool.fill(self.pair, self.candidates, self.limits, &mut self.working.keys);
        let mut side = 0;
        while self.contacts.len() < self.limits.target && !self.is_over {
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

    fn is_beyond_skin(&mut self, side: usize, place: usize) -> bool {
        self.spend(1) && self.pair.beyond_skin(side, &self.candidates[side][place]) as f64 > self.limits.margin
    }

    /// Evaluates the candidate that is probably deepest, then all that can exceed the needed depth, the most promising
    /// first.
    fn look_deeper(&mut self) {
        let Some(needed) = self.needed() else { return };
        if let Some((side, k)) = self.likeliest(needed) {
            self.look(side, k, needed);
        }
        let Some(needed) = self.needed() else { return };
        self.working.promises.clear();
        for (side, list) in self.candidates.iter().enumerate() {
            for (k, candidate) in list.iter().enumerate().filter(|(_, c)| c.most as f64 > needed) {
                self.is_over |= !self.stats.spend(1, self.limits.budget);
                if self.is_over {
                    break;
                }
                let most = self.pair.most(side, candidate, needed as f32);
                if most as f64 > needed {
                    self.working.promises.push((most, side as u32, k as u32));
                }
            }
        }
        self.working.promises.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for promise in 0..self.working.promises.len() {
            let (most, side, k) = self.working.promises[promise];
            let Some(needed) = self.needed().filter(|needed| most as f64 > *needed && !self.is_over) else { return };
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

    /// Evaluates a candidate, unless it was evaluated before.
    fn look(&mut self, side: usize, k: usize, needed: f64) {
        let candidate = self.candidates[side][k];
        if candidate.most == f32::NEG_INFINITY {
            return;
        }
        // Most unlikely candidates are rejected by the reliefs, without an evaluation.
        if (candidate.likely as f64) < -self.limits.margin {
            if !self.spend(1) {
                return;
            }
            if self.pair.is_outside(side, &candidate) {
                self.candidates[side][k].most = f32::NEG_INFINITY;
                return;
            }
        }
        if !self.spend(EVALUATION) {
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

impl Default for Pool {
    fn default() -> Self {
        Self { eights: [Eight::NONE; 2 * HALF], counts: [0; 2] }
    }
}

impl Pool {
    /// Fills the pool with candidates; discards its previous contents.
    fn fill(&mut self, pair: &impl Pair, candidates: &[Vec<Candidate>; 2], limits: &Limits, keys: &mut Vec<u32>) {
        self.counts = [0; 2];
        let (counts, touching) = (limits.tolerance as f32, -limits.margin as f32);
        let deepest = candidates.iter().flatten().fold(0.0, |most, c| if c.likely > most { c.likely } else { most });
        let share = 1.0 / (deepest - counts).max(f32::MIN_POSITIVE);
        let knows_any = pair.knows_any();
        for (side, list) in candidates.iter().enumerate() {
            let is_known = |c: &Candidate| knows_any && pair.is_known(side, c);
            let key = |c: &Candidate| if is_known(c) { 0 } else { key(c, touching) };
            let last = last_drawn(list, key, keys);
            let drawn = list.iter().enumerate().filter(|(_, c)| key(c) <= last);
            for (slot, (place, candidate)) in (0..POOL).zip(drawn) {
                let (eight, k) = (&mut self.eights[side * HALF + slot / LANES], slot % LANES);
                if k == 0 {
                    *eight = Eight::NONE;
                }
                let depth = ((candidate.likely - counts) * share).clamp(0.0, 1.0);
                let weight = (0.25 + 0.75 * depth) * (0.25 + 0.75 * depth);
                eight.at.put(k, &pair.place(side, candidate));
                let share = match candidate.likely < touching {
                    true => UNLIKELY,
                    false if is_known(candidate) => KNOWN,
                    false => 1.0,
                };
                eight.weight[k] = share * weight;
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

    /// The side of a slot, and the index of its candidate.
    fn place(&self, slot: usize) -> (usize, usize) {
        (slot / POOL, self.eight(slot).place[slot % LANES] as usize)
    }

    /// Whether a candidate probably touches, as far as known.
    fn is_likely(&self, slot: usize) -> bool {
        self.eight(slot).weight[slot % LANES] > UNLIKELY
    }

    /// Marks a candidate as probably outside.
    fn make_unlikely(&mut self, slot: usize) {
        let weight = &mut self.eight_mut(slot).weight[slot % LANES];
        *weight = weight.min(1.0) * UNLIKELY;
    }

    /// The candidate that adds most: of `side`, or of the other side if `side` has none left, or none that probably
    /// touches.
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
        let (most, slot) = widest(Best(&self.eights[side * HALF..][..self.counts[side]]));
        (most >= 0.0).then_some(side * POOL + slot)
    }

    /// Removes a candidate. If it became a contact, updates the distances of the others.
    fn take(&mut self, slot: usize, touches: bool) {
        let eight = self.eight_mut(slot);
        eight.apart[slot % LANES] = -1.0;
        if touches {
            let at = eight.at.get(slot % LANES);
            for side in 0..2 {
                widest(KeepOff(&mut self.eights[side * HALF..][..self.counts[side]], at));
            }
        }
    }
}

/// The most that a slot of some vectors adds, and the first slot that adds so much.
struct Best<'a>(&'a [Eight]);

impl Lanewise for Best<'_> {
    type Output = (f32, usize);

    #[inline(always)]
    fn run(self) -> (f32, usize) {
        let mut best = Highest::NONE;
        for (number, eight) in (0..).zip(self.0) {
            best.raise(&lanes(|k| eight.apart[k] * eight.weight[k]), number);
        }
        let most = highest(&best.most);
        (most, best.first(most))
    }
}

/// Updates the distances of some vectors after a contact was picked.
struct KeepOff<'a>(&'a mut [Eight], Local);

impl Lanewise for KeepOff<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for eight in self.0 {
            eight.keep_off(&self.1);
        }
    }
}

/// Sort key for the pool: candidates that probably touch first, then by [`place_in_order`].
#[inline]
fn key(candidate: &Candidate, touching: f32) -> u32 {
    ((candidate.likely < touching) as u32) << 31 | place_in_order(candidate) >> 1
}

/// Key of the last candidate that fits into the pool.
fn last_drawn(list: &[Candidate], key: impl Fn(&Candidate) -> u32, keys: &mut Vec<u32>) -> u32 {
    if list.len() <= POOL {
        return u32::MAX;
    }
    keys.clear();
    keys.extend(list.iter().map(key));
    *keys.select_nth_unstable(POOL - 1).1
}
