//! Reduction for solvers: few contacts that can push and turn a body as all of them do.
//!
//! Engines keep four points per manifold, or some tens per pair, and drop the others in arbitrary order: bodies then
//! creep or rock. So contacts are grouped by normal, and each group keeps its deepest, then those that span it:
//! farthest from the deepest, from the line, from the triangle, from all kept. A kept contact carries the load of its
//! neighbours but may be off their centre. So each one but the deepest is replaced by a neighbour that balances the
//! group better, if the group stays about as wide.
//!
//! A limit on all contacts is shared among the groups by their number of contacts: samples are spread evenly, so that
//! is about their area. If there are more groups than contacts to keep, groups are made wider.
//!
//! Reduction is idempotent: what is kept of a group has the same deepest contact, so it is a group again, and within the limits. Of wider
//! groups that is not so, and what they kept is reduced again. The result depends neither on the order of the contacts nor on which body is A.

use super::Contact;
use super::known::KnownFeatures;
use super::order::{deeper, deepest_of, greedy};
use crate::geom::pinned::powi;
use crate::geom::{Local, triangle};
use std::cell::Cell;

/// Cosine of the largest angle between the normals of a group and that of its deepest contact: 5 degrees. A smaller angle makes
/// more groups and keeps more contacts; a larger one merges faces of curved bodies. Found by trial.
const ALIKE: f32 = 0.996_194_7;
/// A kept contact may be replaced by one at this share of its distance from the other kept ones. Trades width of the
/// manifold (a tenth at most) for balance. Found by trial.
const AS_WIDE: f32 = 0.9;

/// What a contact with the widest gap has lost of its distance from others when contacts are chosen.
const MOST_LOSS: f32 = 0.9;

/// How much contacts count when some are chosen.
pub(super) struct Worth<'q> {
    /// The widest gap that a contact may have.
    pub widest: f32,
    /// Those that the caller remembers.
    pub known: &'q KnownFeatures,
}

impl Worth<'_> {
    /// Beside one that touches and is new, squared. Less the wider its gap: else a body that rocks would have contacts where it does not touch in
    /// place of those where it does, and would never come to rest.
    fn of(&self, contact: &Contact) -> f32 {
        let gap = (-contact.depth / self.widest.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        powi(1.0 - MOST_LOSS * gap, 2) * self.known.weight(contact.feature)
    }
}

/// Contacts with nearly the same normal, the deepest first. The first `kept` of them stay.
struct NormalGroup {
    start: usize,
    count: usize,
    kept: usize,
}

/// Scratch memory that a thread keeps between reductions.
#[derive(Default)]
struct Scratch {
    groups: Vec<NormalGroup>,
    /// For each contact of a group, the index of the nearest kept one.
    nearest: Vec<usize>,
}

thread_local! {
    static KEPT: Cell<Option<Scratch>> = const { Cell::new(None) };
}

/// Frees the scratch memory of this thread.
pub(super) fn release_scratch() {
    KEPT.take();
}

/// Reduces contacts to at most `max_per_normal` with nearly the same normal (within 5 degrees of the deepest of them)
/// and `max_contacts` in total, as queries do. For engines that gather the contacts of several pairs of one compound.
/// The result is in greedy order: any prefix is a good manifold.
pub fn reduce_contacts(contacts: &mut Vec<Contact>, max_per_normal: u32, max_contacts: u32) {
    let widest = contacts.iter().map(|c| -c.depth).fold(0.0, f32::max);
    let worth = Worth { widest, known: &KnownFeatures::default() };
    let left = reduce(contacts, max_per_normal, max_contacts, &worth);
    contacts.truncate(left);
    let Some(first) = contacts.first().map(point) else { return };
    let reach = contacts.iter().map(|c| (point(c) - first).norm()).fold(0.0, f32::max);
    let least = contacts.iter().map(|c| c.depth).fold(0.0, f32::min);
    greedy(contacts, reach as f64, -least as f64);
}

/// Moves the kept contacts to the front, in any order, and returns their number.
pub(super) fn reduce(contacts: &mut [Contact], max_per_normal: u32, max_contacts: u32, worth: &Worth) -> usize {
    let [per_normal, total] = [max_per_normal as usize, max_contacts as usize];
    match per_normal.min(total) {
        least if contacts.len() <= least => return contacts.len(),
        0 => return 0,
        _ => {}
    }
    let mut scratch = KEPT.take().unwrap_or_default();
    let mut left = contacts.len();
    loop {
        let (kept, again) = scratch.pass(&mut contacts[..left], per_normal, total, worth);
        let fewer = kept < left;
        left = kept;
        if !(again && fewer) {
            break;
        }
    }
    KEPT.set(Some(scratch));
    left
}

impl Scratch {
    /// Groups the contacts and moves those within the limits to the front. Returns their number, and whether groups had to be wider: of
    /// those, contacts of two may be alike.
    fn pass(&mut self, contacts: &mut [Contact], per_normal: usize, total: usize, worth: &Worth) -> (usize, bool) {
        contacts.sort_unstable_by(deeper);
        let mut cos = ALIKE;
        while !self.group(contacts, cos, total, worth) {
            // Twice the angle; from a half turn on there is one group only, whatever the rounding.
            cos = if cos > 0.0 { 2.0 * cos * cos - 1.0 } else { f32::NEG_INFINITY };
        }
        self.share(per_normal, total);
        let mut left = 0;
        for NormalGroup { start, count, kept } in &self.groups {
            span(&mut contacts[*start..start + count], *kept, worth, &mut self.nearest);
            for k in *start..start + kept {
                contacts.swap(left, k);
                left += 1;
            }
        }
        (left, cos < ALIKE)
    }

    /// Groups contacts by normal. Returns false if that needs more than `most` groups.
    fn group(&mut self, contacts: &mut [Contact], cos: f32, most: usize, worth: &Worth) -> bool {
        self.groups.clear();
        let mut start = 0;
        while start < contacts.len() {
            if self.groups.len() == most {
                return false;
            }
            let rest = &mut contacts[start..];
            rest.swap(0, first(rest, worth.known));
            let normal = Local::from(rest[0].normal);
            let mut count = 1;
            for k in 1..rest.len() {
                if normal.dot(&Local::from(rest[k].normal)) >= cos {
                    rest.swap(count, k);
                    count += 1;
                }
            }
            self.groups.push(NormalGroup { start, count, kept: 0 });
            start += count;
        }
        true
    }

    /// Shares the limit on all contacts among the groups, one contact at a time, each to the group with the most
    /// contacts per kept contact (Webster's rule). The deepest contact of all gets the first.
    fn share(&mut self, per_normal: usize, total: usize) {
        let most = |group: &NormalGroup| group.count.min(per_normal);
        if self.groups.iter().map(most).sum::<usize>() <= total {
            self.groups.iter_mut().for_each(|group| group.kept = most(group));
            return;
        }
        self.groups[0].kept = 1;
        for _ in 1..total {
            let open = self.groups.iter_mut().filter(|group| group.kept < most(group));
            let more = |a: &NormalGroup, b: &NormalGroup| a.count * (2 * b.kept + 1) > b.count * (2 * a.kept + 1);
            if let Some(next) = open.reduce(|best, group| if more(group, best) { group } else { best }) {
                next.kept += 1;
            }
        }
    }
}

/// The deepest contact, or a known one that is about as deep: of a body at rest rounding decides which is the deepest.
fn first(contacts: &[Contact], known: &KnownFeatures) -> usize {
    let deepest = deepest_of(contacts, |_| true).unwrap_or(0);
    if known.is_empty() {
        return deepest;
    }
    let enough = contacts[deepest].depth - known.about;
    deepest_of(contacts, |c| c.depth >= enough && known.contains(c.feature)).unwrap_or(deepest)
}

/// Moves the `kept` contacts that span a group best to the front. The first, its deepest, always stays.
fn span(group: &mut [Contact], kept: usize, worth: &Worth, nearest: &mut Vec<usize>) {
    if kept == 0 || kept == group.len() {
        return;
    }
    for taken in 1..kept {
        let mut best = (taken, f32::NEG_INFINITY);
        for k in taken..group.len() {
            let gain = beyond(&group[k], &group[..taken]) * worth.of(&group[k]);
            if gain > best.1 || (gain == best.1 && deeper(&group[k], &group[best.0]).is_lt()) {
                best = (k, gain);
            }
        }
        group.swap(taken, best.0);
    }
    balance(group, kept, worth, nearest);
}

/// Squared distance of a contact from what others span: a point, a line or a triangle; with more than three, from the
/// nearest of them.
fn beyond(contact: &Contact, others: &[Contact]) -> f32 {
    let at = point(contact);
    match others {
        [a] => (at - point(a)).norm_squared(),
        [a, b] => {
            let (at, b) = (at - point(a), point(b) - point(a));
            let (before, after) = (b.dot(&at), b.dot(&(at - b)));
            let share = if before <= 0.0 { 0.0 } else { before / (before - after) };
            let share = if after >= 0.0 { 1.0 } else { share };
            (at - b * share).norm_squared()
        }
        [a, b, c] => {
            let corners = [a, b, c].map(|c| point(c) - point(a));
            let at = at - point(a);
            (at - triangle::closest(&at, &corners)).norm_squared()
        }
        _ => others.iter().map(|c| (point(c) - at).norm_squared()).fold(f32::INFINITY, f32::min),
    }
}

/// Replaces kept contacts of a group, except the deepest and known ones, by neighbours, so that the centre of the group is preserved
/// when each kept contact carries the load of the contacts nearest to it.
fn balance(group: &mut [Contact], kept: usize, worth: &Worth, nearest: &mut Vec<usize>) {
    let middle = point(&group[0]);
    let at = |contact: &Contact| point(contact) - middle;
    nearest.clear();
    nearest.extend((0..group.len()).map(|k| {
        let apart = |j: &usize| (point(&group[*j]) - point(&group[k])).norm_squared();
        if k < kept { k } else { (0..kept).min_by(|i, j| apart(i).total_cmp(&apart(j))).unwrap_or(0) }
    }));
    // Offset of the loaded centre from the true one, times the number of contacts.
    let mut off = group.iter().zip(&*nearest).fold(Local::zeros(), |sum, (c, j)| sum + at(&group[*j]) - at(c));
    for own in (1..kept).rev() {
        if worth.known.contains(group[own].feature) {
            continue;
        }
        let load = nearest.iter().filter(|j| **j == own).count() as f32;
        let from_others = |k: usize| {
            let others = (0..kept).filter(|j| *j != own);
            others.map(|j| (point(&group[j]) - point(&group[k])).norm_squared()).fold(f32::INFINITY, f32::min)
        };
        let wide = from_others(own) * (AS_WIDE * AS_WIDE);
        let moved = |k: usize| off + (at(&group[k]) - at(&group[own])) * load;
        let mut best = (own, off.norm_squared());
        let bears = |k: usize| group[k].depth >= group[own].depth.min(0.0);
        for k in (kept..group.len()).filter(|k| nearest[*k] == own && bears(*k) && from_others(*k) >= wide) {
            let left = moved(k).norm_squared();
            if left < best.1 || (left == best.1 && deeper(&group[k], &group[best.0]).is_lt()) {
                best = (k, left);
            }
        }
        off = moved(best.0);
        group.swap(own, best.0);
    }
}

fn point(contact: &Contact) -> Local {
    Local::from(contact.point)
}
