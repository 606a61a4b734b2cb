//! Inclusion (Wang et al. 2021, "A Large-scale Benchmark and an Inclusion-based Algorithm for Continuous Collision Detection").
//!
//! The difference of the primitives is linear in each of t, u and v. Over a box of these its component along any direction is bounded
//! by the values at the corners. Boxes whose bounds exclude zero are dropped; the earliest of the others is halved until it is small.
//! Boxes are dyadic: their corners and centres are exact.
//!
//! Besides the axes there are three directions that fit the motion: seen along an axis, slanted parallel edges could only be told
//! apart by boxes as small as the gap between them.

use super::motion::{Array, Kind, Motion, add, cross, dot, most};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Rounding of a bound, in units of the largest components of w, a and b: 4 epsilon for a component along a direction, 2.5 for a
/// position in time, 1.5 for their sum at the centre, and half as much for the radius.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Parameters are halved down to this: 51 bits keep centres exact.
const SHORTEST: f64 = 1.0 / (1u64 << 50) as f64;
/// The directions that fit the motion, then the axes.
const DIRECTIONS: usize = 6;

type Components = [f64; DIRECTIONS];

/// The memory of the search.
#[derive(Default)]
pub(super) struct Inclusion {
    boxes: BinaryHeap<Domain>,
    /// Boxes in this test, over all calls.
    pub looked_at: u32,
}

/// A box of time and the two parameters.
#[derive(Clone, Copy)]
struct Domain {
    low: [f64; 3],
    width: [f64; 3],
}

impl Ord for Domain {
    /// The earliest is the greatest; of those the smallest, so that the search goes deep.
    fn cmp(&self, other: &Self) -> Ordering {
        let volume = |d: &Self| d.width[0] * d.width[1] * d.width[2];
        other.low[0].total_cmp(&self.low[0]).then_with(|| volume(other).total_cmp(&volume(self)))
    }
}

impl PartialOrd for Domain {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Domain {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Domain {}

/// The difference along the directions.
struct Bounds {
    /// w, a and b: at the start, and by how much they change.
    w: [Components; 2],
    a: [Components; 2],
    b: [Components; 2],
    rounding: Components,
    /// Boxes of this extent are not halved.
    small: f64,
    /// Nor are times: meanwhile nothing moves by more than half of `small`.
    shortest: f64,
}

/// What a search has come to.
pub(super) enum Found {
    /// Nothing meets.
    Nothing,
    /// The first time at which zero cannot be excluded from a small box.
    At(f64),
    /// The same from a large box: there were not enough.
    Exhausted(f64),
}

enum Included {
    Nothing,
    /// Zero, for all that is known. The box is small.
    Zero,
    /// The same, but it is large: how much the difference changes along each parameter, in shares of its extent.
    Perhaps([f64; 3]),
}

fn unit(v: &Array) -> Option<Array> {
    // Scaled: squares may overflow.
    let scale = 1.0 / most(&v.map(f64::abs));
    let v = v.map(|c| c * scale);
    let length = dot(&v, &v).sqrt();
    length.is_finite().then(|| v.map(|c| c / length))
}

/// Three directions at right angles: along the longer of a and b, within their plane, and across it.
fn fitting(motion: &Motion) -> [Array; 3] {
    let [a, b] = [&motion.a, &motion.b].map(|v| add(&v[0], &v[1]));
    let longer = if dot(&a, &a) >= dot(&b, &b) { &a } else { &b };
    let along = unit(longer).unwrap_or([1.0, 0.0, 0.0]);
    let normal = cross(&a, &b);
    let normal = if dot(&normal, &normal) > 1e-20 * dot(&a, &a) * dot(&b, &b) {
        normal
    } else if along[0].abs() < 0.6 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let aside = unit(&cross(&normal, &along)).unwrap_or([0.0, 0.0, 1.0]);
    // Not the normal: of nearly parallel edges it is tilted by rounding.
    [along, aside, cross(&along, &aside)]
}

impl Bounds {
    fn new(motion: &Motion, tolerance: f64) -> Self {
        let Motion { w, a, b, sizes, .. } = motion;
        let [along, aside, across] = fitting(motion);
        let directions = [along, aside, across, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let components = |v: &[Array; 2]| -> [Components; 2] {
            let [old, new] = v.each_ref().map(|v| directions.each_ref().map(|d| dot(d, v)));
            [old, std::array::from_fn(|k| new[k] - old[k])]
        };
        let [w, a, b] = [w, a, b].map(components);
        let size = add(&add(&sizes[0], &sizes[1]), &sizes[2]);
        let rounding = directions.map(|d| ROUNDING * dot(&d.map(f64::abs), &size) + f64::MIN_POSITIVE);
        let extent = most(&sizes.each_ref().map(most));
        let small = (tolerance * extent).max(2.0 * rounding.iter().fold(0.0, |sum: f64, c| sum.max(*c)));
        let speed = (3..6).map(|k| w[1][k].abs() + a[1][k].abs() + b[1][k].abs()).fold(0.0, f64::max);
        Self { w, a, b, rounding, small, shortest: (0.5 * small / speed).max(SHORTEST) }
    }

    fn include(&self, domain: &Domain) -> Included {
        let Domain { low, width } = domain;
        let [u, v] = [1, 2].map(|k| low[k] + 0.5 * width[k]);
        let times = [low[0], low[0] + width[0]];
        // At both times: the value in the middle of u and v, and how far it reaches along them.
        let (mut centre, mut by_u, mut by_v) = ([[0.0; DIRECTIONS]; 2], [[0.0; DIRECTIONS]; 2], [[0.0; DIRECTIONS]; 2]);
        for (i, t) in times.into_iter().enumerate() {
            for k in 0..DIRECTIONS {
                let [w, a, b] = [&self.w, &self.a, &self.b].map(|c| c[0][k] + t * c[1][k]);
                centre[i][k] = w - u * a - v * b;
                by_u[i][k] = 0.5 * width[1] * a.abs();
                by_v[i][k] = 0.5 * width[2] * b.abs();
            }
        }
        let mut extent = [0.0; DIRECTIONS];
        let mut is_apart = false;
        for k in 0..DIRECTIONS {
            let [old, new] = [0, 1].map(|i| by_u[i][k] + by_v[i][k]);
            let least = (centre[0][k] - old).min(centre[1][k] - new);
            let most = (centre[0][k] + old).max(centre[1][k] + new);
            is_apart |= (least > self.rounding[k]) | (most < -self.rounding[k]);
            extent[k] = most - least;
        }
        if is_apart {
            return Included::Nothing;
        }
        let (mut change, mut is_small) = ([0.0; 3], true);
        for k in 0..DIRECTIONS {
            let is_large = extent[k] > self.small;
            let by_time = (centre[1][k] - centre[0][k]).abs();
            // Time is settled before u and v: if it were halved last, each of very many small boxes would have to be.
            let is_timed = width[0] > self.shortest && 2.0 * by_time > extent[k] && extent[k] > 4.0 * self.rounding[k];
            // The axes count only if nothing else is left.
            if (is_large || is_timed) && (k < 3 || is_small) {
                is_small &= !is_large;
                let share = 1.0 / extent[k];
                change[0] += share * by_time;
                change[1] += share * 2.0 * by_u[0][k].max(by_u[1][k]);
                change[2] += share * 2.0 * by_v[0][k].max(by_v[1][k]);
            }
        }
        if is_small { Included::Zero } else { Included::Perhaps(change) }
    }
}

/// A dyadic interval within [0, 1] that holds another, as far as that is within; its low end and its length.
fn dyadic([low, high]: [f64; 2]) -> (f64, f64) {
    let (low, high) = (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0));
    if (high - low).is_nan() || high - low >= 0.125 {
        return (0.0, 1.0);
    }
    // The power of two above the length.
    let power = 2.0 * f64::from_bits((high - low).max(0.0).to_bits() & !((1 << 52) - 1));
    let step = power.max(4.0 * SHORTEST);
    let low = ((low / step).floor() * step).min(1.0 - step);
    (low, if low + step < 1.0 { 2.0 * step } else { step })
}

impl Inclusion {
    /// Searches for u and v within ranges, the motion being that between the two times, with so many boxes.
    pub fn search(
        &mut self,
        motion: &Motion,
        [from, to]: [f64; 2],
        ranges: &[[f64; 2]; 2],
        tolerance: f64,
        boxes: u32,
    ) -> Found {
        let bounds = Bounds::new(motion, tolerance);
        let [(u, width_u), (v, width_v)] = ranges.map(dyadic);
        self.boxes.clear();
        self.boxes.push(Domain { low: [0.0, u, v], width: [1.0, width_u, width_v] });
        let mut left = boxes;
        while let Some(domain) = self.boxes.pop() {
            self.looked_at += 1;
            left = left.saturating_sub(1);
            // Rounded down.
            let time = ((from + domain.low[0] * (to - from)) * (1.0 - 4.0 * f64::EPSILON)).max(from);
            let change = match bounds.include(&domain) {
                Included::Nothing => continue,
                Included::Zero => return Found::At(time),
                Included::Perhaps(_) if left == 0 => return Found::Exhausted(time),
                Included::Perhaps(change) => change,
            };
            let shortest = [bounds.shortest, SHORTEST, SHORTEST];
            let long = (0..3).filter(|k| domain.width[*k] > shortest[*k]);
            let Some(k) = long.max_by(|k, l| change[*k].total_cmp(&change[*l])) else { return Found::At(time) };
            let mut half = domain;
            half.width[k] *= 0.5;
            self.boxes.push(half);
            half.low[k] += half.width[k];
            // A triangle has no parameters that add up to more than one.
            if motion.kind == Kind::EdgeEdge || half.low[1] + half.low[2] <= 1.0 {
                self.boxes.push(half);
            }
        }
        Found::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit as random;

    #[test]
    fn dyadic_intervals_hold_theirs() {
        for seed in 0..10_000 {
            let length = 10f64.powf(-18.0 * random(seed, 0));
            let low = [0.0, 1.0 - length, -length, random(seed, 1)][seed as usize % 4];
            let (start, width) = dyadic([low, low + length]);
            assert!(start >= 0.0 && start + width <= 1.0 && width.log2().fract() == 0.0);
            assert!(start <= low.max(0.0) && start + width >= (low + length).min(1.0), "{seed}: {low} {length}");
            // Exact, down to the shortest half.
            assert_eq!((start / SHORTEST).fract(), 0.0);
        }
        // Beyond: anything will do.
        for range in [[-2.0, -1.0], [1.5, 2.0], [f64::NAN, 0.5], [-1e300, -1e299]] {
            let (start, width) = dyadic(range);
            assert!(start >= 0.0 && width > 0.0 && start + width <= 1.0);
        }
    }
}
