//! The features of the contacts that a caller remembers of a pair. Where several choices are about as good, those are taken again: solvers
//! start from the impulses that they had, and a body that rocks has the contacts of both sides, instead of those of one side after the
//! other.

use super::feature::{Feature, FeatureKind};

/// Contacts that are kept of a pair. A query with a memory gives no more.
pub const KEPT: usize = 12;
/// How much more a known contact counts than a new one when contacts are chosen: as if it were twice as far from the others (squared, like
/// all distances there). Larger, and contacts stay where a body first touched. Found by trial.
pub(super) const KNOWN: f32 = 4.0;

/// Depths that differ by no more than this share of the margin are about the same.
const ABOUT: f32 = 0.1;

/// Some feature numbers.
#[derive(Default)]
pub(super) struct KnownFeatures {
    /// Depths that differ by no more are about the same, in metres.
    pub about: f32,
    numbers: [u32; KEPT],
    count: usize,
    /// A bit for each of them: most others are told by these.
    bits: u64,
}

impl KnownFeatures {
    /// None yet, of contacts that were found with a margin in metres.
    pub fn new(margin: f32) -> Self {
        Self { about: ABOUT * margin, ..Self::default() }
    }

    /// Adds a number, if there is room.
    pub fn add(&mut self, number: u32) {
        if let Some(place) = self.numbers.get_mut(self.count) {
            *place = number;
            self.count += 1;
            self.bits |= bit(number);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn contains(&self, number: u32) -> bool {
        self.bits & bit(number) != 0 && self.numbers[..self.count].contains(&number)
    }

    /// The creases among them, of A or of B.
    pub fn creases(&self, of_b: bool) -> impl Iterator<Item = u32> {
        let features = self.numbers[..self.count].iter().map(|number| Feature::decoded(*number));
        features.filter(move |f| f.kind == FeatureKind::Crease && f.of_b == of_b).map(|f| f.id)
    }

    pub fn has_creases(&self) -> bool {
        [false, true].into_iter().any(|of_b| self.creases(of_b).next().is_some())
    }

    /// [`KNOWN`], or 1 for others.
    pub fn weight(&self, number: u32) -> f32 {
        if self.contains(number) { KNOWN } else { 1.0 }
    }
}

fn bit(number: u32) -> u64 {
    1 << ((number ^ number >> 26) & 63)
}
