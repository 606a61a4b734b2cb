//! Bodies that have passed into each other so far that the nearest way out of single points does not part them.
//!
//! The way out of a sample is that of a point: where two thin plates cross, it leads to whichever side is nearer, and the plates
//! stay crossed. What shows it are the hulls: along the common direction of the contacts they overlap by far more than the contacts
//! say. Then all contacts get one direction: the one from which the bodies came, if it is known, else the least translation of the
//! hulls. Their depths are those of their points below the other hull along it, raised so that the deepest is the overlap of the
//! hulls, which parts them. Convex bodies that overlap by more than a few hundredths of their size get the same. Dents of bodies that
//! are not convex are not overlap.
//!
//! The change from one rule to the other is gradual, so that depths are continuous.

use super::Contact;
use super::feature::Feature;
use super::hulls::Hulls;
use super::setup::Placing;
use crate::geom::{Pose, Vector};

/// Contacts of less than this share of the deepest do not count for the common direction.
const COUNTS: f64 = 0.25;
/// Overlap of hulls beyond what contacts say, as a share of the smaller radius, at which the rule is fully changed; beside the depth itself.
const CHANGED: f64 = 0.02;
/// Cosine with the common direction below which a contact begins to push against the others.
const AGAINST: f64 = 0.2;
/// Overlap of convex hulls, as a share of the smaller radius, from which on convex bodies get one direction, and at which it counts fully.
const FAR: [f64; 2] = [0.02, 0.04];
/// Overlap along the direction from which bodies came, in smaller radii, beyond which they have not come from there.
const MOST_WAY: f64 = 3.0;
/// Dents, as a share of the smaller radius, up to which bodies are nearly convex, and from which on they are not at all.
const DENTS: [f64; 2] = [0.05, 0.15];

/// What is known of a pair in overlap. Directions are from the second body to the first, in the frame of the second.
pub(super) struct Crossing<'q, 'a> {
    pub hulls: &'q Hulls<'a>,
    /// The direction from which they came, if it is known.
    pub came: Option<Vector>,
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

/// The common direction of the contacts that penetrate; `None` if none does, or if they cancel out.
pub(super) fn common(contacts: &[Contact]) -> Option<Common> {
    let deepest = contacts.iter().map(|c| c.depth as f64).fold(0.0, f64::max);
    let counts = || contacts.iter().filter(|c| c.depth as f64 > COUNTS * deepest);
    let sum: Vector = counts().map(|c| normal(c) * c.depth as f64).sum();
    let total: f64 = counts().map(|c| c.depth as f64).sum();
    if deepest <= 0.0 {
        return None;
    }
    let direction = sum.try_normalize(1e-3 * total)?;
    let least = counts().map(|c| normal(c).dot(&direction)).fold(1.0, f64::min);
    let depth = counts().map(|c| c.depth as f64 / normal(c).dot(&direction).max(AGAINST)).fold(0.0, f64::max);
    Some(Common { direction, depth, least })
}

impl Crossing<'_, '_> {
    fn to_axes(&self, direction: &Vector) -> Vector {
        self.to_world.to_axes(direction, self.pose)
    }

    /// Gives the contacts one direction, if the bodies have crossed or overlap far; `dents` tells how far the two are from convex, in
    /// metres. Returns whether they have.
    pub fn resolve(&self, contacts: &mut [Contact], dents: impl FnOnce() -> f64) -> bool {
        let deepest = contacts.iter().map(|c| c.depth as f64).fold(0.0, f64::max);
        if deepest <= 0.0 {
            return false;
        }
        let found = common(contacts);
        let along = found.as_ref().map(|common| self.to_world.to_second(&common.direction, self.pose));
        let depth = found.as_ref().map_or(0.0, |common| common.depth);
        let least = found.as_ref().map_or(-1.0, |common| common.least);
        let overlap = along.map_or(f64::INFINITY, |along| self.hulls.overlap_along(&along));
        let more = overlap - depth - 2.0 * self.margin;
        let against = self.came.map_or(1.0, |came| {
            let came = self.to_axes(&came);
            contacts.iter().filter(|c| c.depth as f64 > self.margin).map(|c| normal(c).dot(&came)).fold(1.0, f64::min)
        });
        let far = (overlap / self.radius - FAR[0]) / (FAR[1] - FAR[0]);
        if more <= 0.0 && least >= AGAINST && against >= 0.0 && far <= 0.0 {
            return false;
        }
        let dents = dents();
        let convex = ((DENTS[1] * self.radius - dents) / ((DENTS[1] - DENTS[0]) * self.radius)).clamp(0.0, 1.0);
        let by_depth = (more - dents) / (depth + CHANGED * self.radius);
        let by_turn = (AGAINST - least) / AGAINST * convex;
        let by_memory = -against / AGAINST;
        let share = by_depth.max(by_turn).max(by_memory).max(far.min(1.0) * convex).clamp(0.0, 1.0);
        if share <= 0.0 {
            return false;
        }
        let Some((overlap, direction)) = self.way_out(&along.unwrap_or(Vector::z())) else { return false };
        self.turn_to(contacts, &direction, overlap, share);
        true
    }

    /// The overlap and the direction by which crossed bodies part.
    fn way_out(&self, start: &Vector) -> Option<(f64, Vector)> {
        if let Some(came) = self.came {
            let overlap = self.hulls.overlap_along(&came);
            if overlap <= MOST_WAY * self.radius {
                return (overlap > 0.0).then_some((overlap, came));
            }
        }
        self.hulls.least_translation(start)
    }

    /// Turns contacts towards a direction, and their depths to those along it, by a share.
    fn turn_to(&self, contacts: &mut [Contact], direction: &Vector, overlap: f64, share: f64) {
        let out = self.to_axes(direction);
        // How far the samples are below the hull of the other body. All heights are relative to the contacts' origin.
        let [low, top] = self.hulls.ends(direction);
        let at = self.pose.rotation * direction;
        let height = at.dot(&(self.pose.translation.vector - self.to_world.origin));
        let [low, top] =
            if self.to_world.flip { [-(top + height), -(low + height)] } else { [low + height, top + height] };
        let below = |contact: &Contact| {
            let (point, of_b) = (Vector::from(contact.point.map(|c| c as f64)), Feature::decoded(contact.feature).of_b);
            // Contacts are midpoints between the surfaces.
            let sample = point + normal(contact) * (0.5 * contact.depth as f64 * if of_b { 1.0 } else { -1.0 });
            if of_b { out.dot(&sample) - low } else { top - out.dot(&sample) }
        };
        let lowest = contacts.iter().map(below).fold(f64::NEG_INFINITY, f64::max);
        for contact in contacts.iter_mut() {
            let (before, depth) = (normal(contact), contact.depth as f64);
            let along = below(contact) + overlap - lowest;
            let mixed = before * (1.0 - share) + out * share;
            let turned = if before.dot(&out) > 0.0 { mixed.try_normalize(1e-6).unwrap_or(out) } else { out };
            contact.normal = [0, 1, 2].map(|k| turned[k] as f32);
            contact.depth = (depth + (along - depth) * share) as f32;
        }
    }
}
