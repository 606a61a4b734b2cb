//! Bodies that have passed into each other so far that the nearest way out of single points does not part them.
//!
//! The way out of a sample is that of a point: where two thin plates cross, it leads to whichever side is nearer, and the plates
//! stay crossed. What shows it are the hulls: along the common direction of the contacts they overlap by far more than the contacts
//! say. Then all contacts get one direction: the one from which the bodies came, if it is known, else the least translation of the
//! hulls. Their depths are those of their points below the other hull along it, raised so that the deepest is the overlap of the
//! hulls, which parts them. Convex bodies that overlap by more than a few hundredths of their size get the same.
//!
//! Hulls of bodies that are not convex overlap where the bodies do not. There the depth is how far samples have to be moved along the
//! direction to leave the other body, by its field. Without a known direction they get the least translation only where contacts deep in
//! a thin body push against each other, and one is not all within the hull of the other: a pin in a hole stays there, and a shard in its rack.
//!
//! The change from one rule to the other is gradual, so that depths are continuous.

use super::Contact;
use super::feature::Feature;
use super::hulls::Hulls;
use super::setup::Placing;
use super::thickness::{dent, thickness};
use crate::body::Object;
use crate::geom::{Point, Pose, Vector};

/// Contacts of less than this share of the deepest do not count for the common direction.
const COUNTS: f64 = 0.25;
/// Overlap of hulls beyond what contacts say, as a share of the smaller radius, at which the rule is fully changed; beside the depth itself.
const CHANGED: f64 = 0.02;
/// Cosine with the common direction below which a contact begins to push against the others.
const AGAINST: f64 = 0.2;
/// Overlap of convex hulls, as a share of the smaller radius, from which on convex bodies get one direction, and at which it counts fully.
const FAR: [f64; 2] = [0.02, 0.04];
/// Overlap of the hulls along the direction from which bodies came, in smaller radii, beyond which it tells nothing: of bodies that are not
/// convex, as of a shard between the boards of a shelf, and of convex ones.
const MOST_WAY: [f64; 2] = [2.0, 3.0];
/// Way of a sample out of the other body, likewise, beyond which it has not come that way.
const MOST_BACK: f64 = 1.0;
/// Way of a step, as a share of the deepest contact, from which on it tells where bodies came from.
const MOVED: f64 = 0.5;
/// Depth of the deepest contact, as a share of the margin, up to which the rule is gradually changed.
const SHALLOW: f64 = 0.1;
/// Dents, as a share of the smaller radius, up to which bodies are nearly convex, and from which on they are not at all.
const DENTS: [f64; 2] = [0.01, 0.05];
/// Depth, as a share of how thick the thinner body is, from which on contacts that push against each other are those of a crossing, and at which it
/// counts fully. A pin in a hole is held by contacts that are not as deep.
const PIERCED: [f64; 2] = [0.15, 0.3];
/// Part of a body within the hull of the other, by its width along the least translation, up to which bodies that are not convex get it, and from
/// which on they do not.
const WITHIN: [f64; 2] = [0.8, 1.0];

/// Contacts of crossed bodies; those beyond are left out.
const MOST_CONTACTS: usize = 32;

/// What is known of a pair in overlap. Directions are from the second body to the first, in the frame of the second.
pub(super) struct Crossing<'q, 'a> {
    pub bodies: [&'a Object; 2],
    pub hulls: &'q Hulls<'a>,
    /// The direction from which they came, if it is known.
    pub came: Option<Vector>,
    /// Whether they are pushed there or not at all: siblings near home know their way by their crack.
    pub only_back: bool,
    /// The smaller radius, in metres.
    pub radius: f64,
    pub margin: f64,
    /// Pose of the second body.
    pub pose: &'q Pose,
    pub to_world: &'q Placing,
}

/// The common direction of some contacts.
pub(super) struct Common {
    /// Unit; from B to A.
    pub direction: Vector,
    /// Translation along it that resolves all contacts.
    pub depth: f64,
    /// The least cosine of a contact with it.
    pub least: f64,
}

fn normal(contact: &Contact) -> Vector {
    Vector::from(contact.normal.map(|c| c as f64))
}

/// The common direction of the contacts that penetrate, or of those that touch, if none does; `None` if they cancel out.
pub(super) fn common(contacts: &[Contact]) -> Option<Common> {
    let deepest = contacts.iter().map(|c| c.depth as f64).fold(0.0, f64::max);
    let counts = || contacts.iter().filter(|c| c.depth as f64 >= COUNTS * deepest);
    let weight = |c: &Contact| if deepest > 0.0 { c.depth as f64 } else { 1.0 };
    let sum: Vector = counts().map(|c| normal(c) * weight(c)).sum();
    let total: f64 = counts().map(weight).sum();
    let direction = sum.try_normalize(1e-3 * total)?;
    let least = counts().map(|c| normal(c).dot(&direction)).fold(1.0, f64::min);
    let depth = counts().map(|c| c.depth as f64 / normal(c).dot(&direction).max(AGAINST)).fold(0.0, f64::max);
    Some(Common { direction, depth, least })
}

/// The direction of the world, from B to A, from which bodies came whose contacts push against each other: of the sides where they would be
/// pushed, the one where they were before a step such as the next. `None` if they agree, or if the bodies hardly move.
pub(super) fn came_from(
    contacts: &[Contact],
    displacement: &dyn Fn(&Vector) -> Vector,
    origin: &Vector,
) -> Option<Vector> {
    let deepest = contacts.iter().map(|c| c.depth as f64).fold(0.0, f64::max);
    let found = common(contacts);
    if deepest <= 0.0 || found.is_some_and(|common| common.least >= AGAINST) {
        return None;
    }
    let deep = || contacts.iter().filter(|c| c.depth as f64 >= COUNTS * deepest);
    let middle = deep().map(|c| Vector::from(c.point.map(f64::from))).sum::<Vector>() / deep().count() as f64;
    let back = -displacement(&(middle + origin));
    let side: Vector = deep().map(|c| normal(c) * c.depth as f64).filter(|push| push.dot(&back) > 0.0).sum();
    side.try_normalize(0.0).filter(|side| side.dot(&back) > MOVED * deepest)
}

impl Crossing<'_, '_> {
    fn to_axes(&self, direction: &Vector) -> Vector {
        self.to_world.to_axes(direction, self.pose)
    }

    /// Gives the contacts one direction, if the bodies have crossed or overlap far. Returns whether they have. If not, shallow contacts that push
    /// against deep ones are left out.
    pub fn resolve(&self, contacts: &mut Vec<Contact>) -> bool {
        let deepest = contacts.iter().map(|c| c.depth as f64).fold(0.0, f64::max);
        if deepest <= 0.0 {
            return false;
        }
        let found = common(contacts);
        let is_crossed = self.resolve_crossing(contacts, found.as_ref(), deepest);
        if let Some(common) = found.filter(|_| !is_crossed && deepest > 2.0 * self.margin) {
            let counts = |c: &Contact| c.depth as f64 >= COUNTS * deepest;
            contacts.retain(|c| counts(c) || normal(c).dot(&common.direction) >= 0.0);
        }
        is_crossed
    }

    fn resolve_crossing(&self, contacts: &mut Vec<Contact>, found: Option<&Common>, deepest: f64) -> bool {
        let along = found.map(|common| self.to_world.to_second(&common.direction, self.pose));
        let depth = found.map_or(0.0, |common| common.depth);
        let least = found.map_or(-1.0, |common| common.least);
        let overlap = along.map_or(f64::INFINITY, |along| self.hulls.overlap_along(&along));
        let against = self.came.map_or(1.0, |came| self.least_cosine(contacts, &came));
        let (more, far) = self.crossed(overlap, depth);
        if more <= 0.0 && least >= AGAINST && against >= 0.0 && far <= 0.0 {
            return false;
        }
        let dents: f64 = self.bodies.map(dent).iter().sum();
        let convex = ((DENTS[1] - dents / self.radius) / (DENTS[1] - DENTS[0])).clamp(0.0, 1.0);
        // Contacts that push against each other, each for itself, part nothing.
        let by_turn = ((AGAINST - least) / AGAINST).clamp(0.0, 1.0);
        let by_turn = if by_turn > 0.0 && convex < 1.0 { by_turn * self.pierced(deepest).max(convex) } else { by_turn };
        let back = self.way_back(convex);
        // Most bodies that are not convex lie in each other's dents: two samples tell.
        if convex <= 0.0 && least >= AGAINST && against >= 0.0 {
            let blocked = |way: &Way| self.hulls.blocked_way(&way.direction, way.overlap);
            if back.is_none_or(|way| self.crossed(blocked(&way), depth).0 <= 0.0) {
                return false;
            }
        }
        let measured = |way: Way| {
            let depths = self.depths_along(contacts, &way, convex);
            (convex > 0.0 || depths.deepest <= MOST_BACK * self.radius).then_some((way, depths))
        };
        let guessed = || {
            let is_likely = (convex > 0.0 || by_turn > 0.0) && !self.only_back;
            is_likely.then(|| self.least_translation(&along.unwrap_or(Vector::z()), convex)).flatten()
        };
        let Some((way, depths)) = back.and_then(measured).or_else(|| guessed().and_then(measured)) else {
            return false;
        };
        // Hulls overlap by as much as the dents where bodies only touch.
        let (more, far) = self.crossed(depths.deepest - dents * convex, depth);
        let more = if way.is_known || convex > 0.0 { more } else { 0.0 };
        let by_memory = if way.is_known { -against / AGAINST } else { 0.0 };
        let share = more.max(by_turn * way.likely).max(by_memory).max(far.min(1.0) * convex).clamp(0.0, 1.0);
        let share = share * (deepest / (SHALLOW * self.margin).max(f64::MIN_POSITIVE)).min(1.0);
        if share <= 0.0 {
            return false;
        }
        contacts.truncate(MOST_CONTACTS);
        self.turn_to(contacts, &way.direction, &depths.each, share);
        true
    }

    /// The way back to where the bodies came from, if it is known and not too long.
    fn way_back(&self, convex: f64) -> Option<Way> {
        let most = (MOST_WAY[0] + (MOST_WAY[1] - MOST_WAY[0]) * convex) * self.radius;
        let way = self.came.map(|direction| {
            let overlap = self.hulls.overlap_along(&direction);
            Way { direction, overlap, is_known: true, likely: 1.0 }
        });
        way.filter(|way| way.overlap > 0.0 && way.overlap <= most)
    }

    /// The least translation of the hulls. Out of the hull of a body with large dents, as out of a rack, it is no way that anything came: the
    /// more likely, the less of the other body is within.
    fn least_translation(&self, start: &Vector, convex: f64) -> Option<Way> {
        let (overlap, direction) = self.hulls.least_translation(start).filter(|(overlap, _)| *overlap > 0.0)?;
        let within = if convex < 1.0 { overlap / self.hulls.least_width(&direction) } else { 0.0 };
        let likely = ((WITHIN[1] - within) / (WITHIN[1] - WITHIN[0])).clamp(convex, 1.0);
        (likely > 0.0).then_some(Way { direction, overlap, is_known: false, likely })
    }

    /// By how much bodies that overlap have crossed, from 0 to 1, and by how much they overlap far, if they do by `overlap` and their
    /// contacts say `depth`.
    fn crossed(&self, overlap: f64, depth: f64) -> (f64, f64) {
        let more = (overlap - depth - 2.0 * self.margin) / (depth + CHANGED * self.radius);
        (more, (overlap / self.radius - FAR[0]) / (FAR[1] - FAR[0]))
    }

    /// How far the thinner body is pierced, from 0 to 1.
    fn pierced(&self, deepest: f64) -> f64 {
        let [a, b] = self.bodies.map(thickness);
        ((deepest / a.min(b) - PIERCED[0]) / (PIERCED[1] - PIERCED[0])).clamp(0.0, 1.0)
    }

    /// The least cosine of a contact that penetrates with a direction.
    fn least_cosine(&self, contacts: &[Contact], direction: &Vector) -> f64 {
        let direction = self.to_axes(direction);
        let deep = contacts.iter().filter(|c| c.depth as f64 > self.margin);
        deep.map(|c| normal(c).dot(&direction)).fold(1.0, f64::min)
    }

    /// How far samples have to be moved along a way: of convex bodies, to be out of the other hull; of others, out of the other body.
    fn depths_along(&self, contacts: &[Contact], way: &Way, convex: f64) -> Depths {
        let (direction, overlap) = (&way.direction, way.overlap);
        let [low, top] = self.hulls.ends(direction);
        let mixed = |of_hull: f64, of_body: &dyn Fn() -> f64| match convex < 1.0 {
            true => of_body() * (1.0 - convex) + of_hull * convex,
            false => of_hull,
        };
        let mut each = [0.0; MOST_CONTACTS];
        for (depth, contact) in each.iter_mut().zip(contacts) {
            let (sample, of_second) = self.sample(contact);
            let height = sample.coords.dot(direction);
            *depth = match of_second {
                true => mixed(height - low, &|| self.hulls.way_of_second(&sample, direction, overlap)),
                false => mixed(top - height, &|| self.hulls.way_of_first(&sample, direction, overlap)),
            };
        }
        let of_contacts = each.iter().take(contacts.len()).copied().fold(0.0, f64::max);
        let deepest = of_contacts.max(mixed(overlap, &|| self.hulls.blocked_way(direction, overlap)));
        // The deepest contact gets all of it, which parts the bodies.
        each.iter_mut().for_each(|depth| *depth += deepest - of_contacts);
        Depths { deepest, each }
    }

    /// The sample of a contact in the frame of the second body, and whether it is one of its own. Contacts are midpoints between the surfaces.
    fn sample(&self, contact: &Contact) -> (Point, bool) {
        let (point, of_b) = (Vector::from(contact.point.map(|c| c as f64)), Feature::decoded(contact.feature).of_b);
        let at = point + normal(contact) * (0.5 * contact.depth as f64 * if of_b { 1.0 } else { -1.0 });
        (self.pose.inverse_transform_point(&Point::from(at + self.to_world.origin)), of_b != self.to_world.flip)
    }

    /// Turns contacts towards a direction, and their depths to those along it, by a share.
    fn turn_to(&self, contacts: &mut [Contact], direction: &Vector, depths: &[f64], share: f64) {
        let out = self.to_axes(direction);
        for (contact, along) in contacts.iter_mut().zip(depths) {
            let (before, depth) = (normal(contact), contact.depth as f64);
            let mixed = before * (1.0 - share) + out * share;
            let turned = if before.dot(&out) > 0.0 { mixed.try_normalize(1e-6).unwrap_or(out) } else { out };
            contact.normal = [0, 1, 2].map(|k| turned[k] as f32);
            contact.depth = (depth + (along - depth) * share) as f32;
        }
    }
}

/// A way out for all of a body.
#[derive(Clone, Copy)]
struct Way {
    direction: Vector,
    /// Of the hulls along it.
    overlap: f64,
    /// Whether the bodies came from there; else it is guessed.
    is_known: bool,
    /// From 0 to 1: whether bodies that are not convex are to be pushed there.
    likely: f64,
}

/// How far samples have to be moved to be out of the other body: any, and those of contacts.
struct Depths {
    deepest: f64,
    each: [f64; MOST_CONTACTS],
}
