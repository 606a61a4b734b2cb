//! Creases of one body against the field of another: contacts where edges cross and no sample is inside.
//!
//! The deepest point of a crease becomes a contact (Macklin et al. 2020, *Local Optimization for Robust Signed Distance Field
//! Collision*, minimize the distance over edges and faces). Faces need no search of their own: a crease that pierces a face is
//! found from the crease. Along a segment the depth in a convex body is concave and its slope is known from the way out. So the
//! search intersects tangents (Kelley's cutting planes) and ends where no deeper point is possible, after three to five evaluations.
//!
//! Where a crease crosses an edge of the other body, the deepest point is as near to both faces there. The way out is across both
//! edges: the mean of the two normals that is perpendicular to the crease. Moving the crease along it by the depth over the length of
//! that mean takes it out of both faces.

use super::budget::{EVALUATION, Level};
use super::feature::FeatureKind;
use super::known::KnownFeatures;
use super::search::{Candidate, Direction, Limits, PairRelation, Touch};
use super::setup::Placing;
use super::{Contact, QueryStats};
use crate::culling::walls::Walls;
use crate::field::{Culling, DepthQuery};
use crate::geom::lanes::{LANES, LaneMask};
use crate::geom::{Local, NONE, Point, Pose, Vector};
use crate::samples::creases::Creases;

/// Most evaluations along one crease. Five suffice for convex bodies.
const LOOKS: usize = 10;
/// Work of a look that finds nothing.
const LOOK: u32 = 1;
/// Sine of one degree: a crease at a smaller angle to the nearest face lies along it.
const ALONG: f64 = 0.0175;
/// Share of the depth up to which a deeper point is not looked for.
const ENOUGH: f64 = 0.02;
/// Contacts of a crease that lies along a face are this share of the common part away from its ends.
const INSET: f64 = 0.02;
/// A contact this near to an end of its crease, as a share of the length, is left to the sample there.
const NEAR_END: f64 = 0.02;
/// Cosine between the two ways out of a crease below which it pierces a wall: they are opposite.
const OPPOSITE: f64 = -0.9;

/// Contacts with about the same normal nearer to each other than this share of the smaller radius are one.
const SAME: f64 = 0.01;
/// Creases to search beside the known ones, the deepest first, if the bodies have contacts. Found by trial: with 8, features change at rest.
const ENOUGH_CREASES: usize = 24;

/// A part of a crease that may be inside the field.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    /// Index of the crease.
    pub crease: u32,
    /// Where the part starts and ends, from 0 to 1 along the crease.
    range: [f32; 2],
    /// Upper bound of its depth, in metres.
    pub most: f32,
    /// Whether the caller remembers a contact of the crease.
    is_known: bool,
}

/// An evaluated point of a crease.
#[derive(Clone, Copy)]
struct Look {
    t: f64,
    /// Negative: a gap.
    depth: f64,
    /// Change of the depth per unit of `t`.
    slope: f64,
    outward: Vector,
}

/// The deepest point of a crease, and the points beside it that bound it.
struct Peak {
    at: Look,
    beside: [Option<Look>; 2],
    is_along: bool,
}

/// The creases of one body against the field of another.
pub struct Creased<'q, 'a, F: Culling> {
    pub creases: &'q Creases,
    pub direction: &'q Direction<'a, F>,
    pub walls: &'q Walls<'q>,
    /// Of the field.
    pub pose: &'q Pose,
}

/// Adds contacts of the creases of one or two bodies: known ones, also if they have a gap now, all that touch, up to the target, then those deeper than the deepest so far. If
/// there are no contacts yet, `are_apart` is asked before a search. False if the budget did not suffice.
#[allow(clippy::too_many_arguments)] // what a selection has in its fields
pub fn add_contacts<F: Culling>(
    sides: &[Creased<F>],
    limits: &Limits,
    radius: f64,
    to_world: &Placing,
    known: &KnownFeatures,
    are_apart: impl FnOnce() -> bool,
    passages: &mut [Vec<Passage>; 2],
    stats: &mut QueryStats,
    contacts: &mut Vec<Contact>,
) -> bool {
    let mut is_over = false;
    let mut deepest = contacts.iter().map(|c| c.depth as f64).fold(f64::NEG_INFINITY, f64::max);
    let needed = limits.needed(contacts.len(), deepest).unwrap_or(f64::INFINITY);
    for (number, (side, passages)) in sides.iter().zip(passages.iter_mut()).enumerate() {
        let Creased { creases, direction, walls, .. } = side;
        let is_known = |crease: u32| known.contains(to_world.feature(FeatureKind::Crease, crease, number == 1));
        let remembered = known.creases((number == 1) != to_world.flip).map(|crease| crease as usize);
        passages.extend(remembered.filter(|crease| *crease < creases.len()).filter_map(|crease| {
            let beyond = walls.beyond_segments(&creases.ends[crease / LANES])[crease % LANES];
            let passage = direction.passage(creases, walls, direction.reach(limits), crease, beyond)?;
            Some(Passage { is_known: true, ..passage })
        }));
        is_over |= !direction.gather_creases(creases, walls, limits, needed, is_known, stats, passages);
        passages.sort_unstable_by(|a, b| {
            b.is_known.cmp(&a.is_known).then(b.most.total_cmp(&a.most)).then(a.crease.cmp(&b.crease))
        });
    }
    if contacts.is_empty() && passages.iter().any(|list| !list.is_empty()) && are_apart() {
        return true;
    }
    let (mut next, mut turn) = ([0; 2], 0);
    // Bodies that touch already have contacts: a few looks are enough for them.
    let enough = ENOUGH_CREASES + passages.iter().flatten().filter(|passage| passage.is_known).count();
    while contacts.is_empty() || next[0] + next[1] < enough {
        let needed = limits.needed(contacts.len(), deepest).unwrap_or(f64::INFINITY);
        let is_needed = |passage: &&Passage| passage.is_known || passage.most as f64 > needed;
        let first = |turn: usize| passages[turn].get(next[turn]).filter(is_needed);
        // The two sides in turn.
        turn = if first(turn).is_some() { turn } else { 1 - turn };
        let Some(&passage) = first(turn) else { break };
        next[turn] += 1;
        let Creased { creases, direction, pose, .. } = &sides[turn];
        let needed = if passage.is_known { f64::NEG_INFINITY } else { needed };
        let (touches, is_cut) = direction.touches_of(creases, &passage, needed, limits, stats);
        for touch in touches.iter().flatten() {
            let contact = to_world.contact(touch, pose, turn == 1);
            if !contacts.iter().any(|known| is_same(known, &contact, (SAME * radius) as f32)) {
                deepest = deepest.max(contact.depth as f64);
                contacts.push(contact);
            }
        }
        is_over |= is_cut;
        if is_over {
            break;
        }
        turn = 1 - turn;
    }
    if is_over {
        stats.level = stats.level.min(Level::reached(contacts.len(), limits.target));
    }
    !is_over
}

/// Whether two contacts say the same: where two edges cross, each of them finds it.
fn is_same(a: &Contact, b: &Contact, within: f32) -> bool {
    let [p, q] = [a, b].map(|contact| Local::from(contact.point));
    let [n, m] = [a, b].map(|contact| Local::from(contact.normal));
    (p - q).norm() <= within && n.dot(&m) > 0.99
}

impl<F: Culling> Direction<'_, F> {
    /// Gathers the creases of which a part may be deeper inside than `needed`, in metres, but for those `without`; false if the budget does not
    /// suffice.
    #[allow(clippy::too_many_arguments)]
    pub fn gather_creases(
        &self,
        creases: &Creases,
        walls: &Walls,
        limits: &Limits,
        needed: f64,
        without: impl Fn(u32) -> bool,
        stats: &mut QueryStats,
        found: &mut Vec<Passage>,
    ) -> bool {
        let reach = self.reach(limits);
        let deep = reach.min((self.field.rounding() - needed / self.scale() as f64) as f32);
        for (block, spheres) in creases.spheres.iter().enumerate() {
            let count = (creases.ends.len() - block * LANES).min(LANES);
            if !stats.spend(1, limits.budget) {
                return false;
            }
            for eight in self.near_spheres(walls, spheres, count, deep).map(|k| block * LANES + k) {
                if !stats.spend(1, limits.budget) {
                    return false;
                }
                let here = (creases.len() - eight * LANES).min(LANES);
                let beyond = walls.beyond_segments(&creases.ends[eight]);
                let near = LaneMask::at_most(&beyond, &[deep; LANES]).among(LaneMask::first(here));
                let numbers = near.map(|k| (eight * LANES + k, beyond[k]));
                let others = numbers.filter(|(number, _)| !without(*number as u32));
                found.extend(others.filter_map(|(number, beyond)| self.passage(creases, walls, reach, number, beyond)));
            }
        }
        true
    }

    /// The part of a crease that may touch, if it is at least `beyond` outside the walls.
    fn passage(&self, creases: &Creases, walls: &Walls, reach: f32, number: usize, beyond: f32) -> Option<Passage> {
        let ends = creases.segment(number);
        let range = walls.clip(&ends, reach)?;
        // No part of a crease of a sibling is deeper than its ends have moved.
        let [start, end] = ends.map(|end| self.moved(&end) as f32);
        let most = (-beyond * self.scale()).min(start.max(end));
        Some(Passage { crease: number as u32, range, most, is_known: false })
    }

    /// The contacts of a part of a crease that are deeper than `needed`, one or two; `None` where there is none. And whether the
    /// budget ended the search.
    pub fn touches_of(
        &self,
        creases: &Creases,
        passage: &Passage,
        needed: f64,
        limits: &Limits,
        stats: &mut QueryStats,
    ) -> ([Option<Touch>; 2], bool) {
        let ends = creases.segment(passage.crease as usize);
        let placed = ends.map(|end| self.place(&end));
        let mut search = Search {
            direction: self,
            from: placed[0],
            along: placed[1] - placed[0],
            margin: limits.margin / self.scale() as f64,
            needed: if self.field.has_slow_gaps() && !passage.is_known { 0.0 } else { f64::NEG_INFINITY },
            least: needed / self.scale() as f64,
            budget: limits.budget,
            is_over: false,
            stats,
        };
        let range = passage.range.map(|t| t as f64);
        let Some(peak) = search.deepest(range) else { return ([None; 2], search.is_over) };
        let at = |t: f64| ends[0] + (ends[1] - ends[0]) * t as f32;
        let touch = |t: f64| self.touch_of(at(t), passage, needed, limits);
        if peak.is_along {
            let [first, last] = search.flat_part(range, &peak.at);
            let is_point = (last - first) * search.along.norm() * self.scale() as f64 <= 4.0 * limits.margin;
            let touches = if is_point { [touch(peak.at.t), None] } else { [touch(first), touch(last)] };
            return (touches, search.is_over);
        }
        let least = if passage.is_known { -search.margin } else { 0.0 };
        // Near an end of the crease the contact is that of a sample.
        let to_end = peak.at.t.min(1.0 - peak.at.t) * search.along.norm();
        if to_end <= (2.0 * search.margin).max(NEAR_END * search.along.norm()) || peak.at.depth <= least {
            return ([None; 2], search.is_over);
        }
        let along = search.along;
        let touches = match (self.relation(), peak.beside) {
            (PairRelation::Sibling { .. }, _) | (_, [None, _] | [_, None]) => [touch(peak.at.t), None],
            (_, [Some(left), Some(right)]) => {
                let crossed = self.crossed(&placed[0], &along, &peak, &left, &right, passage.crease);
                [crossed.filter(|touch| touch.depth > needed).or_else(|| touch(peak.at.t)), None]
            }
        };
        (touches, search.is_over)
    }

    /// The contact of a point of a crease, by the rules for samples.
    fn touch_of(&self, at: Local, passage: &Passage, needed: f64, limits: &Limits) -> Option<Touch> {
        let most = passage.most.max(0.0);
        let candidate = Candidate { at, id: passage.crease, bucket: NONE, crack: 0, most, likely: most };
        let touch = self.evaluate(&candidate, needed, limits)?;
        Some(Touch { kind: FeatureKind::Crease, ..touch })
    }

    /// The contact where a crease crosses an edge of the field's body; `None` if it pierces a wall.
    fn crossed(&self, from: &Point, along: &Vector, peak: &Peak, left: &Look, right: &Look, id: u32) -> Option<Touch> {
        if left.outward.dot(&right.outward) < OPPOSITE {
            return None;
        }
        let [before, after] = [left, right].map(|look| look.outward.dot(along));
        let share = after / (after - before);
        let mean = left.outward * share + right.outward * (1.0 - share);
        let length = mean.norm();
        if !(share > 0.0 && share < 1.0) || length <= 0.0 {
            return None;
        }
        let (outward, depth) = (mean / length, peak.at.depth / length * self.scale() as f64);
        let at = (from + along * peak.at.t) * self.scale() as f64;
        Some(Touch { at, depth, outward, kind: FeatureKind::Crease, id })
    }
}

/// The search along one crease, in the units of the field.
struct Search<'q, 'a, F: Culling> {
    direction: &'q Direction<'a, F>,
    from: Point,
    along: Vector,
    margin: f64,
    /// Depth that a point must exceed to be looked at.
    needed: f64,
    /// Depth that the deepest point must exceed.
    least: f64,
    budget: u32,
    is_over: bool,
    stats: &'q mut QueryStats,
}

impl<F: Culling> Search<'_, '_, F> {
    fn at(&self, t: f64) -> Point {
        self.from + self.along * t
    }

    fn look(&mut self, t: f64) -> Option<Look> {
        // Most looks only find that the point is outside.
        self.is_over |= !self.stats.spend(LOOK, self.budget);
        if self.is_over {
            return None;
        }
        let ask = DepthQuery { margin: self.margin, needed: self.needed, ..DepthQuery::ANY };
        let (depth, outward) = self.direction.field.touch(&self.at(t), &ask)?;
        self.is_over |= !self.stats.spend(EVALUATION - LOOK, self.budget);
        self.stats.evaluations += 1;
        Some(Look { t, depth, slope: -outward.dot(&self.along), outward })
    }

    /// The deepest point of a part of the crease; `None` if the part is outside or not deep enough.
    fn deepest(&mut self, [mut low, mut high]: [f64; 2]) -> Option<Peak> {
        let length = self.along.norm();
        if length <= 0.0 {
            return None;
        }
        let mut best: Option<Look> = None;
        let mut beside: [Option<Look>; 2] = [None; 2];
        // Parts that are still to be searched, if the first turns out to be outside.
        let (mut others, mut count) = ([[0.0; 2]; LOOKS], 0);
        let mut has_tried_end = false;
        for _ in 0..LOOKS {
            let t = match &beside {
                [Some(left), Some(right)] => {
                    let t = (right.depth - left.depth + left.slope * left.t - right.slope * right.t)
                        / (left.slope - right.slope);
                    let possible = left.depth + left.slope * (t - left.t);
                    let deepest = left.depth.max(right.depth);
                    if possible <= self.least {
                        return None;
                    }
                    if possible - deepest <= (ENOUGH * deepest).max(0.1 * self.margin) || right.t - left.t < 1e-6 {
                        break;
                    }
                    // Off the ends, where rounding could leave it.
                    let inset = 0.01 * (right.t - left.t);
                    t.clamp(left.t + inset, right.t - inset)
                }
                // Most creases leave at an end: their deepest point is there, and that of a sample.
                [Some(_), None] if !has_tried_end => high - INSET * (high - low),
                [None, Some(_)] if !has_tried_end => low + INSET * (high - low),
                _ => 0.5 * (low + high),
            };
            let is_end = !has_tried_end && beside[0].is_some() != beside[1].is_some();
            has_tried_end |= is_end;
            // Cheaper than an evaluation, and mostly enough.
            let (field, at) = (&self.direction.field, self.at(t));
            let mut beyond = field.bound(&at, &Local::zeros());
            if beyond <= self.margin {
                beyond = beyond.max(field.bound_of_whole(&at));
            }
            // Points nearer than this are outside or not deep enough.
            let is_first = matches!(beside, [None, None]);
            let clear = if is_first { beyond.max(beyond + self.least) } else { beyond };
            match (clear <= self.margin).then(|| self.look(t)).flatten() {
                Some(look) => {
                    best = best.filter(|best| best.depth >= look.depth).or(Some(look));
                    if look.slope.abs() <= ALONG * length {
                        return Some(Peak { at: look, beside, is_along: true });
                    }
                    if look.slope > 0.0 {
                        (beside[0], low) = (Some(look), t);
                    } else {
                        (beside[1], high) = (Some(look), t);
                    }
                    if is_end && beside[0].is_some() != beside[1].is_some() {
                        break;
                    }
                    // It grows no faster than here.
                    let rest = if look.slope > 0.0 { high - t } else { low - t };
                    if look.depth + look.slope * rest <= self.least {
                        return None;
                    }
                }
                None => {
                    let apart = clear.max(self.margin) / length;
                    match &beside {
                        [None, None] => {
                            let parts = [[low, t - apart], [t + apart, high]];
                            for part in parts.into_iter().filter(|[from, to]| from < to) {
                                if count < others.len() {
                                    others[count] = part;
                                    count += 1;
                                }
                            }
                            // The longest first.
                            let longest = (0..count).max_by(|a, b| {
                                let length = |k: &usize| others[*k][1] - others[*k][0];
                                length(a).total_cmp(&length(b))
                            })?;
                            [low, high] = others[longest];
                            others[longest] = others[count - 1];
                            count -= 1;
                        }
                        [Some(_), None] => high = t,
                        [None, Some(_)] => low = t,
                        _ => break,
                    }
                }
            }
        }
        best.map(|at| Peak { at, beside, is_along: false })
    }

    /// The first and the last point of a part about as deep as one of it.
    fn flat_part(&mut self, [low, high]: [f64; 2], deepest: &Look) -> [f64; 2] {
        let least = deepest.depth - (0.1 * deepest.depth).max(self.margin);
        [low, high].map(|end| {
            let mut end = end + INSET * (deepest.t - end);
            for _ in 0..3 {
                if self.look(end).is_some_and(|look| look.depth >= least) {
                    return end;
                }
                end = 0.5 * (end + deepest.t);
            }
            deepest.t
        })
    }
}
