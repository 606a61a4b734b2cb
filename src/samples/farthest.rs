//! The sample that is farthest along a direction: the support function of the convex hull of a body's samples.
//!
//! Up to a thousand samples all are compared, eight at a time and without branches. Beyond that, the bucket with the
//! highest bound and the hinted one say how far there is to reach at least; the bounding spheres of the groups tell which
//! of them may reach as far, and only these are searched. Testing the spheres of their buckets too costs more than it
//! saves. Everything is in single precision, so the result may be nearer than the farthest sample by rounding (3e-7 of the
//! distance from the origin). Of samples that are equally far the first wins: the order of the search does not show.

use crate::geom::Local;
use crate::geom::lanes::{Highest, LANES, Lanes, PointLanes, highest, lanes};
use crate::geom::simd::{Lanewise, greater, widest};
use crate::samples::buckets::{Buckets, Sample};

/// Bound of the rounding errors of a sphere's bound, as a share of the distances from the origin: 16 times 2^-24.
const ROUNDING: f32 = 1e-6;
/// Up to so many buckets, all are searched: bounds would cost more. Found by trial.
const FEW: usize = 128;

impl Buckets {
    /// The sample farthest along a unit direction, and its bucket; `None` if there are no samples. `hint` is a bucket that
    /// is likely to hold it, such as the last result's, or [`NONE`](crate::geom::NONE): it changes the time only.
    #[inline]
    pub fn farthest(&self, direction: &Local, hint: u32) -> Option<(Sample, u32)> {
        if self.points.is_empty() {
            return None;
        }
        let slot = widest(Search { samples: self, direction: *direction, hint: hint as usize });
        let (bucket, lane) = (slot / LANES, slot % LANES);
        Some((Sample { at: self.points[bucket].get(lane), id: self.ids[bucket][lane] }, bucket as u32))
    }
}

struct Search<'a> {
    samples: &'a Buckets,
    direction: Local,
    hint: usize,
}

impl Lanewise for Search<'_> {
    /// Bucket and lane, as one number.
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let samples = self.samples;
        // Two, for buckets in turn: neither waits for the other.
        let mut best = [Highest::NONE; 2];
        if samples.points.len() <= FEW {
            self.search(0, &samples.points, &mut best);
            return first(&best);
        }
        let slack = ROUNDING * (samples.middle.abs() + samples.half).sum();
        let mut least = self.along(&samples.points[self.likely()]);
        if let Some(points) = samples.points.get(self.hint) {
            let hinted = self.along(points);
            least = lanes(|k| if hinted[k] > least[k] { hinted[k] } else { least[k] });
        }
        let least = [highest(&least) - slack; 4];
        for (block, groups) in samples.groups.iter().enumerate() {
            let along = self.along(&groups.centre);
            let [low, high] = halves(&lanes(|k| along[k] + groups.radius[k]));
            // What is missing reaches nowhere.
            let mut reach = !(greater(least, low) | greater(least, high) << 4) & 0xff;
            while reach != 0 {
                let first = (block * LANES + reach.trailing_zeros() as usize) * LANES;
                let end = samples.points.len().min(first + LANES);
                self.search(first, &samples.points[first..end], &mut best);
                reach &= reach - 1;
            }
        }
        first(&best)
    }
}

impl Search<'_> {
    /// The bucket of the highest bound in the group of the highest bound.
    #[inline(always)]
    fn likely(&self) -> usize {
        let samples = self.samples;
        let (mut most, mut group) = (f32::NEG_INFINITY, 0);
        for (block, groups) in samples.groups.iter().enumerate() {
            let along = self.along(&groups.centre);
            let (top, lane) = first_highest(&lanes(|k| along[k] + groups.radius[k]));
            (most, group) = if top > most { (top, block * LANES + lane) } else { (most, group) };
        }
        let buckets = &samples.buckets[group];
        let along = self.along(&buckets.centre);
        group * LANES + first_highest(&lanes(|k| along[k] + buckets.radius[k])).1
    }

    #[inline(always)]
    fn along(&self, points: &PointLanes) -> Lanes {
        let ([x, y, z], d) = (&points.at, &self.direction);
        lanes(|k| x[k] * d.x + y[k] * d.y + z[k] * d.z)
    }

    /// Searches all points of some buckets, from a first one.
    #[inline(always)]
    fn search(&self, first: usize, buckets: &[PointLanes], [even, odd]: &mut [Highest; 2]) {
        let (pairs, last) = buckets.as_chunks::<2>();
        let mut bucket = first as i32;
        for [one, other] in pairs {
            even.raise(&self.along(one), bucket);
            odd.raise(&self.along(other), bucket + 1);
            bucket += 2;
        }
        last.iter().for_each(|points| even.raise(&self.along(points), bucket));
    }
}

/// Bucket and lane of the first of the farthest samples.
#[inline(always)]
fn first([even, odd]: &[Highest; 2]) -> usize {
    let top = highest(&lanes(|k| if odd.most[k] > even.most[k] { odd.most[k] } else { even.most[k] }));
    even.first(top).min(odd.first(top))
}

/// The highest number, and the first lane that has it.
#[inline(always)]
fn first_highest(numbers: &Lanes) -> (f32, usize) {
    let top = highest(numbers);
    let [low, high] = halves(numbers);
    let below = greater([top; 4], low) | greater([top; 4], high) << 4;
    (top, below.trailing_ones() as usize % LANES)
}

#[inline(always)]
fn halves(numbers: &Lanes) -> [[f32; 4]; 2] {
    [std::array::from_fn(|k| numbers[k]), std::array::from_fn(|k| numbers[k + 4])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;
    use crate::geom::simd::with_any;
    use crate::geom::{NONE, Vector};
    use crate::samples::buckets::Filling;

    /// Samples in runs, as objects have them; some twice, and with indices in no order.
    fn cloud(seed: u64, count: u64, shape: u64) -> (Buckets, Vec<Sample>) {
        let size = 10f64.powf(unit(seed, 1) * 10.0 - 5.0);
        let shift = Vector::from_fn(|i, _| (unit(seed, 2 + i as u64) - 0.5) * 10.0 * (unit(seed, 5) - 0.5).max(0.0));
        let at = |k: u64| {
            let p = Vector::from_fn(|i, _| unit(seed, 10 + 3 * k + i as u64) * 2.0 - 1.0);
            let p = match shape {
                0 => p,
                1 => p.normalize(),
                // A coarse grid: many are equally far along its axes, and some are the same.
                2 => p.map(|x| (2.0 * x).round() / 2.0),
                _ => Vector::new(p.x, p.y, 0.25),
            };
            ((p + shift) * size).cast::<f32>()
        };
        let samples: Vec<Sample> =
            (0..count).map(|k| Sample { at: at(k), id: ((k * 7919 + 13) % 100_003) as u32 }).collect();
        let mut filling = Filling::default();
        let split = (unit(seed, 6) * count as f64) as usize;
        filling.add(NONE, None, samples[..split].iter().copied());
        filling.add(3, None, samples[split..].iter().copied());
        (Buckets::new(filling, &[]), samples)
    }

    #[test]
    fn the_farthest_sample_is_that_of_brute_force_with_any_hint() {
        let mut ties = 0;
        for seed in 0..256 {
            let count = [1, 2, 7, 8, 9, 60, 500, 3000][seed as usize % 8];
            let (buckets, samples) = cloud(seed, count, seed / 8 % 4);
            for k in 0..40 {
                let d = match k {
                    0..6 => Vector::ith(k as usize / 2, if k % 2 == 0 { 1.0 } else { -1.0 }),
                    _ => Vector::from_fn(|i, _| unit(seed, 90_000 + 3 * k + i as u64) - 0.5).normalize(),
                };
                let d = d.cast::<f32>();
                let along = |s: &Sample| s.at.x * d.x + s.at.y * d.y + s.at.z * d.z;
                let most = samples.iter().map(along).fold(f32::NEG_INFINITY, f32::max);
                let wanted = *samples.iter().find(|s| along(s) == most).unwrap();
                ties += (samples.iter().filter(|s| along(s) == most).count() > 1) as usize;
                for hint in [NONE, 0, (unit(seed, k) * buckets.points.len() as f64) as u32] {
                    let (found, bucket) = buckets.farthest(&d, hint).unwrap();
                    assert_eq!(found, wanted, "{seed} {k} {hint}");
                    assert!(buckets.ids[bucket as usize].contains(&wanted.id));
                }
                let slot = with_any(Search { samples: &buckets, direction: d, hint: NONE as usize });
                assert_eq!(buckets.ids[slot / LANES][slot % LANES], wanted.id);
            }
        }
        assert!(ties > 500, "only {ties} ties");
        assert!(Buckets::new(Filling::default(), &[]).farthest(&Local::x(), 0).is_none());
    }
}
