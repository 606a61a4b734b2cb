//! Continuous collision of primitives: the first time at which a vertex meets a triangle, or two edges meet, while their points move
//! along straight lines, t from 0 to 1.
//!
//! Conservative: a collision is never missed, and the time is never later than the true one, whatever rounding does. In order of cost:
//!
//! 1. Separation along an axis at both ends of the step, by exact comparisons.
//! 2. The four points must be coplanar. Their determinant is a cubic in t; where its Bernstein coefficients have one sign there is no
//!    root (Tang et al. 2010). Otherwise its roots are isolated, in intervals near rounding (`coplanarity`).
//! 3. Over such an interval the primitives certainly overlap, and the time is found, or certainly do not, and the next root is tried
//!    (`motion`).
//! 4. Whatever is uncertain, such as edges that stay parallel, is left to inclusion over that interval (`inclusion`).

mod coplanarity;
mod inclusion;
mod motion;

use crate::error::{Result, bad_argument};
use crate::geom::Point;
use coplanarity::Span;
use inclusion::{Found, Inclusion};
use motion::{Kind, Motion, Overlap, Verdict};

/// Intervals per test, before the rest of the step goes to inclusion. A simple root takes 3; bisection down to [`SHORTEST`] about 60.
const MAX_INTERVALS: usize = 128;
/// Intervals that are as short as this are not cut further.
const SHORTEST: f64 = 1e-9;

/// Boxes of inclusion for an interval that can still be cut: parallel edges take some 150.
const PATIENCE: u32 = 256;
/// The same if edges turn meanwhile: to cut is better, since the directions of inclusion fit the middle of an interval.
const TURNING_PATIENCE: u32 = 24;

/// How exact, and how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CcdOptions {
    /// Primitives that come as near as this share of their own extent may count as meeting; 1e-6 by default.
    pub tolerance: f64,
    /// Boxes that inclusion looks at before it returns the earliest time that it cannot exclude; 10,000 by default. Few tests need any.
    pub max_boxes: u32,
}

impl Default for CcdOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_boxes: 10_000 }
    }
}

/// The tests, with the memory that they share: once warm, they do not allocate.
#[derive(Default)]
pub struct Ccd {
    options: CcdOptions,
    inclusion: Inclusion,
    /// Ends of the intervals that are left, the next one last.
    ends: Vec<f64>,
    inclusion_only: bool,
}

/// What an interval leads to.
enum Step {
    /// Nothing meets in it.
    Clear,
    /// They meet, or cannot be told from meeting, at this time.
    Meet(f64),
    /// To be cut at these shares of its length.
    Cut([f64; 2]),
}

impl Ccd {
    /// Tests that are as exact as this.
    pub fn new(options: CcdOptions) -> Result<Self> {
        let mut ccd = Self::default();
        ccd.set_options(options)?;
        Ok(ccd)
    }

    /// Makes the tests as exact as this from now on. They keep their memory.
    pub fn set_options(&mut self, options: CcdOptions) -> Result<()> {
        if !(options.tolerance > 0.0 && options.tolerance < 1.0) {
            bad_argument!("tolerance is {}; it must be a share between 0 and 1", options.tolerance);
        }
        if options.max_boxes == 0 {
            bad_argument!("max_boxes is 0; at least one has to be looked at");
        }
        self.options = options;
        Ok(())
    }

    /// When a vertex, first of the points, meets the triangle of the others; `None` if it does not.
    pub fn vertex_face(&mut self, start: &[Point; 4], end: &[Point; 4]) -> Result<Option<f64>> {
        self.vertex_face_until(start, end, 1.0)
    }

    /// When the edge between the first two points meets that between the others; `None` if it does not.
    pub fn edge_edge(&mut self, start: &[Point; 4], end: &[Point; 4]) -> Result<Option<f64>> {
        self.edge_edge_until(start, end, 1.0)
    }

    /// As [`Self::vertex_face`], up to a time between 0 and 1: `None` if they first meet later.
    pub fn vertex_face_until(&mut self, start: &[Point; 4], end: &[Point; 4], until: f64) -> Result<Option<f64>> {
        check(start, end, until)?;
        Ok(self.vertex_face_unchecked(start, end, until))
    }

    /// As [`Self::edge_edge`], up to a time between 0 and 1: `None` if they first meet later.
    pub fn edge_edge_until(&mut self, start: &[Point; 4], end: &[Point; 4], until: f64) -> Result<Option<f64>> {
        check(start, end, until)?;
        Ok(self.edge_edge_unchecked(start, end, until))
    }

    /// As [`Self::vertex_face_until`], for coordinates known to be at most 1e100 m. With others it ends, but any result is possible.
    pub(crate) fn vertex_face_unchecked(&mut self, start: &[Point; 4], end: &[Point; 4], until: f64) -> Option<f64> {
        self.first_time(Kind::VertexFace, start, end, until)
    }

    /// As [`Self::edge_edge_until`], for coordinates known to be at most 1e100 m. With others it ends, but any result is possible.
    pub(crate) fn edge_edge_unchecked(&mut self, start: &[Point; 4], end: &[Point; 4], until: f64) -> Option<f64> {
        self.first_time(Kind::EdgeEdge, start, end, until)
    }

    /// How many boxes of inclusion the last test looked at; mostly 0.
    pub fn looked_at(&self) -> u32 {
        self.inclusion.looked_at
    }

    /// Leaves all but the first filter to inclusion: an independent result for tests.
    #[doc(hidden)]
    pub fn inclusion_only(mut self) -> Self {
        self.inclusion_only = true;
        self
    }

    fn first_time(&mut self, kind: Kind, start: &[Point; 4], end: &[Point; 4], until: f64) -> Option<f64> {
        self.inclusion.looked_at = 0;
        if motion::are_apart(kind, start, end) {
            return None;
        }
        // NaN becomes 1.
        let until = if until < 1.0 { until.max(0.0) } else { 1.0 };
        let motion = Motion::new(kind, start, end);
        if self.inclusion_only {
            return self.include(&motion, 0.0, until);
        }
        let determinant = motion.determinant();
        self.ends.clear();
        self.ends.push(until);
        let mut from = 0.0;
        for _ in 0..MAX_INTERVALS {
            let to = *self.ends.last()?;
            let span = determinant.over(from, to);
            let step = if span.has_no_root() {
                Step::Clear
            } else if span.is_narrow() || to - from < SHORTEST {
                self.examine(&motion, &span, from, to)
            } else {
                Step::Cut(span.cuts())
            };
            match step {
                Step::Meet(time) => return Some(time),
                Step::Clear => {
                    self.ends.pop();
                    from = to;
                }
                Step::Cut(shares) => {
                    let [first, second] = shares.map(|share| from + share * (to - from));
                    // NaN is not pushed.
                    for cut in [second, first] {
                        if cut > from && cut < self.ends[self.ends.len() - 1] {
                            self.ends.push(cut);
                        }
                    }
                }
            }
        }
        self.include(&motion, from, until)
    }

    /// An interval over all of which the points are coplanar, up to rounding.
    fn examine(&mut self, motion: &Motion, span: &Span, from: f64, to: f64) -> Step {
        let part = motion.between(from, to);
        let overlap = part.overlap();
        if overlap.verdict == Verdict::Apart {
            return Step::Clear;
        }
        let is_certain = overlap.verdict == Verdict::Overlapping && span.crosses_zero();
        if is_certain && to - from <= self.options.tolerance {
            return Step::Meet(from);
        }
        let is_long = to - from > SHORTEST;
        if is_long {
            // Coplanar for long: often they touch right away.
            let now = motion.between(from, from);
            let Overlap { verdict, ranges, .. } = now.overlap();
            if verdict != Verdict::Apart
                && let Found::At(_) = self.search(&now, [from, from], &ranges, PATIENCE)
            {
                return Step::Meet(from);
            }
            let is_wide = overlap.ranges.iter().any(|[low, high]| high - low > self.options.tolerance);
            if overlap.verdict == Verdict::Uncertain && is_wide && !overlap.is_parallel {
                return Step::Cut([0.5, 1.0]);
            }
        }
        let boxes = if !is_long {
            u32::MAX
        } else if part.turns() {
            TURNING_PATIENCE
        } else {
            PATIENCE
        };
        match self.search(&part, [from, to], &overlap.ranges, boxes) {
            Found::Nothing => Step::Clear,
            Found::Exhausted(_) if is_long && self.looked_at() < self.options.max_boxes => Step::Cut([0.5, 1.0]),
            Found::At(time) | Found::Exhausted(time) => Step::Meet(time),
        }
    }

    fn include(&mut self, motion: &Motion, from: f64, to: f64) -> Option<f64> {
        match self.search(&motion.between(from, to), [from, to], &[[0.0, 1.0]; 2], u32::MAX) {
            Found::Nothing => None,
            Found::At(time) | Found::Exhausted(time) => Some(time),
        }
    }

    /// By inclusion, with so many boxes if the test has as many left.
    fn search(&mut self, motion: &Motion, times: [f64; 2], ranges: &[[f64; 2]; 2], boxes: u32) -> Found {
        let CcdOptions { tolerance, max_boxes } = self.options;
        let boxes = boxes.min(max_boxes.saturating_sub(self.looked_at()));
        self.inclusion.search(motion, times, ranges, tolerance, boxes)
    }
}

fn check(start: &[Point; 4], end: &[Point; 4], until: f64) -> Result<()> {
    // Products of three must be numbers; NaN compares as false.
    if !start.iter().chain(end).all(|p| p.iter().all(|c| c.abs() <= 1e100)) {
        bad_argument!("a coordinate is not a number, or above 1e100 m");
    }
    if !(0.0..=1.0).contains(&until) {
        bad_argument!("until is {until}; it must be a time between 0 and 1");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::{mix, unit};

    #[test]
    fn odd_numbers_neither_panic_nor_hang() {
        let odd =
            [f64::NAN, f64::INFINITY, -f64::INFINITY, f64::MAX, -1e300, 1e150, 1e-160, 5e-324, 0.0, -0.0, 1.0, -1.0];
        let mut ccd = Ccd::default();
        for seed in 0..20_000 {
            // From a few odd coordinates to nothing but.
            let share = unit(seed, 100);
            let number = |k: u64| match unit(seed, k) < share {
                true => odd[mix(seed ^ k << 32) as usize % odd.len()],
                false => unit(seed, k + 50) - 0.5,
            };
            let points = |k: u64| {
                std::array::from_fn(|p| Point::from(std::array::from_fn(|axis| number(k + 3 * p as u64 + axis as u64))))
            };
            let (start, end): ([Point; 4], [Point; 4]) = (points(0), points(12));
            let until = [1.0, number(99), 0.5][seed as usize % 3];
            ccd.vertex_face_unchecked(&start, &end, until);
            assert!(ccd.looked_at() <= ccd.options.max_boxes + 2 * MAX_INTERVALS as u32);
            ccd.edge_edge_unchecked(&start, &end, until);
            assert!(ccd.looked_at() <= ccd.options.max_boxes + 2 * MAX_INTERVALS as u32);
        }
    }
}
