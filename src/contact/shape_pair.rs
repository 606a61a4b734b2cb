//! An object and a plain shape: samples of either against the field of the other.

use super::budget::EVALUATION;
use super::feature::FeatureKind;
use super::into_object::{IntoObject, MOST_SIDES};
use super::known::KnownFeatures;
use super::scratch::OwnSample;
use super::search::{Candidate, Direction, Limits};
use super::select::Pair;
use super::setup::Placing;
use super::{Contact, QueryStats};
use crate::field::shape::Shape;
use crate::field::{Culling, Field, SurfacePoint};
use crate::geom::{Local, Point, Pose};

/// A borrowed field.
pub(super) struct ByReference<'a, F: Field>(pub &'a F);

impl<F: Field> Field for ByReference<'_, F> {
    fn depth(&self, p: &Point) -> Option<SurfacePoint> {
        self.0.depth(p)
    }
    fn separation(&self, p: &Point, margin: f64) -> Option<SurfacePoint> {
        self.0.separation(p, margin)
    }
    fn bound(&self, base: &Point, offset: &Local) -> f64 {
        self.0.bound(base, offset)
    }
}

impl<F: Field> Culling for ByReference<'_, F> {}

/// An object and a plain shape for the selection.
pub(super) struct ShapePair<'a, S: Shape> {
    pub into_shape: Direction<'a, ByReference<'a, S>>,
    pub into_object: IntoObject<'a, S>,
    pub samples: &'a [OwnSample],
    /// Poses of the fields: of the shape, of the object.
    pub poses: [&'a Pose; 2],
    pub limits: &'a Limits,
    pub known: &'a KnownFeatures,
    pub to_world: Placing,
}

impl<S: Shape> ShapePair<'_, S> {
    /// Adds contacts of the shape's samples to those of the object's samples; false if the budget does not suffice.
    pub fn add_own(&self, candidates: &[Candidate], stats: &mut QueryStats, contacts: &mut Vec<Contact>) -> bool {
        let mut deepest = contacts.iter().map(|c| c.depth as f64).fold(f64::NEG_INFINITY, f64::max);
        for candidate in candidates {
            let Some(needed) = self.limits.needed(contacts.len(), deepest) else { return true };
            if candidate.most as f64 > needed {
                if !stats.spend(EVALUATION, self.limits.budget) {
                    return false;
                }
                stats.evaluations += 1;
                let contact = self.evaluate(1, candidate, needed);
                deepest = contact.map_or(deepest, |c| deepest.max(c.depth as f64));
                contacts.extend(contact);
            }
        }
        true
    }
}

impl<S: Shape> Pair for ShapePair<'_, S> {
    fn evaluate(&self, side: usize, candidate: &Candidate, needed: f64) -> Option<Contact> {
        let touch = match side {
            0 => self.into_shape.evaluate(candidate, needed, self.limits)?,
            _ => self.into_object.evaluate(&self.samples[candidate.id as usize], candidate.most as f64, needed)?,
        };
        Some(self.to_world.contact(&touch, self.poses[side], side == 1))
    }
    fn most(&self, _side: usize, candidate: &Candidate, _needed: f32) -> f32 {
        candidate.most
    }
    fn knows_any(&self) -> bool {
        !self.known.is_empty()
    }
    fn is_known(&self, side: usize, candidate: &Candidate) -> bool {
        let contains = |id: u32| self.known.contains(self.to_world.feature(FeatureKind::Sample, id, side == 1));
        match side {
            0 => contains(candidate.id),
            _ => {
                let number = self.samples[candidate.id as usize].number;
                (0..MOST_SIDES).any(|side| contains(self.into_object.number_of_side(number, side)))
            }
        }
    }
    fn place(&self, _side: usize, candidate: &Candidate) -> Local {
        candidate.at
    }
}
