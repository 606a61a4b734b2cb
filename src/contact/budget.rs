//! Queries within a budget of work (VoxTree 2.1: interruptible; the contacts of an interrupted query mean *maybe*).
//!
//! Work is counted in the same units whatever the machine, so an interrupted query gives the same contacts everywhere.

use super::QueryStats;

/// How far a query went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Level {
    /// The bodies as wholes: one contact along the direction in which they overlap least.
    Bodies,
    /// Spheres around samples, and samples that were not measured: one contact where they are.
    Spheres,
    /// Some samples were measured and touch; there may be others.
    Samples,
    /// As many contacts as wanted; deeper ones may be left.
    Target,
    /// All: it was not interrupted.
    #[default]
    All,
}

impl Level {
    /// Of a query that was interrupted after this many contacts were measured.
    pub(super) fn reached(found: usize, target: usize) -> Self {
        match found {
            0 => Self::Spheres,
            _ if found < target => Self::Samples,
            _ => Self::Target,
        }
    }
}

/// Work of an evaluation. A vector of eight bounds takes about an eighth of its time.
pub(super) const EVALUATION: u32 = 8;

impl QueryStats {
    /// Spends work, or nothing and returns false if that is more than `limit` in all.
    #[inline]
    pub(super) fn spend(&mut self, units: u32, limit: u32) -> bool {
        let work = self.work.saturating_add(units);
        let is_within = work <= limit;
        self.work = if is_within { work } else { self.work };
        is_within
    }

    /// Adds the work of another query of the same pair, and how far it went.
    pub(super) fn add(&mut self, other: &Self) {
        self.spheres_visited = self.spheres_visited.saturating_add(other.spheres_visited);
        self.points_tested = self.points_tested.saturating_add(other.points_tested);
        self.evaluations = self.evaluations.saturating_add(other.evaluations);
        self.work = self.work.saturating_add(other.work);
        self.level = self.level.min(other.level);
        self.is_crossed |= other.is_crossed;
    }
}

/// Divides a budget of units among parts by their weights: `shares[k]` of part k. At least one each, even if that is more in
/// all; what is left by rounding goes to the first parts. A weight that is not a positive number is none.
pub fn shares(budget: u32, weight: impl Fn(usize) -> f32, shares: &mut [u32]) {
    let weight =
        |k: usize| Some(weight(k) as f64).filter(|weight| weight.is_finite()).map_or(0.0, |weight| weight.max(0.0));
    let total: f64 = (0..shares.len()).map(weight).sum();
    let mut left = budget;
    for (k, share) in shares.iter_mut().enumerate() {
        let part = if total > 0.0 { weight(k) / total } else { 0.0 };
        // Truncated, so all together are no more than the budget.
        *share = ((budget as f64 * part) as u32).min(left);
        left -= *share;
    }
    for share in shares.iter_mut() {
        if *share == 0 {
            *share = 1;
            left = left.saturating_sub(1);
        }
    }
    let count = shares.len();
    for (k, share) in shares.iter_mut().enumerate() {
        *share += left / count as u32 + (k < left as usize % count) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(budget: u32, weights: &[f32]) -> Vec<u32> {
        let mut out = vec![0; weights.len()];
        shares(budget, |k| weights[k], &mut out);
        out
    }

    #[test]
    fn shares_follow_weights_and_starve_none() {
        assert_eq!(of(100, &[1.0, 1.0, 2.0]), [25, 25, 50]);
        assert_eq!(of(10, &[1.0, 1.0, 1.0]), [4, 3, 3]);
        assert_eq!(of(2, &[1.0, 1.0, 1.0]), [1, 1, 1]);
        assert_eq!(of(100, &[0.0, 1.0]), [1, 100]);
        assert_eq!(of(11, &[0.0, 0.0]), [6, 5]);
        assert_eq!(of(u32::MAX, &[1.0; 3]).iter().map(|s| *s as u64).sum::<u64>(), u32::MAX as u64);
        assert_eq!(of(5, &[]), [0; 0]);
        for seed in 0..200 {
            let unit = |k: u64| crate::geom::random::unit(seed, k) as f32;
            let weights: Vec<f32> = (0..(seed % 17) + 1).map(|k| unit(k) * unit(99)).collect();
            let budget = 1000 + seed as u32 * 37;
            let all = of(budget, &weights);
            assert!(all.iter().all(|s| *s >= 1));
            let sum: u32 = all.iter().sum();
            assert!((budget..budget + 17).contains(&sum), "{sum} of {budget}");
        }
    }
}
