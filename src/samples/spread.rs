//! A few well-spread samples out of many, picked once.
//!
//! Siblings at rest touch all along the crack between them, at the same places in every step. So the few samples that
//! make good contacts there are picked when the buckets are filled: the farthest from the first, then repeatedly the
//! one farthest from those picked (the maximum-distance order of Glondu 2013, 5.1).

use crate::geom::lanes::{Highest, LANES, Lanes, PointLanes, highest, lanes};
use crate::geom::{Local, NONE};

/// Largest number of samples picked: the default target of contacts per pair, and one vector of eight.
pub const SPREAD: usize = 8;

/// Samples by slot: the k-th lane of the n-th bucket is slot `8 n + k`. Padded with [`NONE`].
pub type Spread = [u32; SPREAD];

/// Picks samples from some buckets; lanes without an index are padding. `apart` is scratch memory.
pub fn spread(points: &[PointLanes], ids: &[[u32; LANES]], apart: &mut Vec<Lanes>) -> Spread {
    let mut picked = [NONE; SPREAD];
    apart.clear();
    // Padding counts as picked.
    apart.extend(
        ids.iter().map(|ids| -> Lanes { std::array::from_fn(|k| if ids[k] != NONE { f32::INFINITY } else { -1.0 }) }),
    );
    let Some(mut last) = points.first().map(|eight| eight.get(0)) else { return picked };
    for (number, pick) in picked.iter_mut().enumerate() {
        let Some((place, at)) = farthest(points, apart, &last) else { break };
        if number == 0 {
            // The start point itself has not been picked.
            apart.iter_mut().flatten().for_each(|apart| *apart = if *apart >= 0.0 { f32::INFINITY } else { -1.0 });
        }
        apart[place / LANES][place % LANES] = -1.0;
        *pick = place as u32;
        last = at;
    }
    picked
}

/// Updates the distances to the picked samples by `from`, and returns the farthest sample. Ties go to the first slot.
#[inline]
fn farthest(points: &[PointLanes], apart: &mut [Lanes], from: &Local) -> Option<(usize, Local)> {
    let mut best = Highest::NONE;
    for (number, (eight, apart)) in (0..).zip(points.iter().zip(apart)) {
        let [x, y, z] = &eight.at;
        *apart = lanes(|k| {
            let (x, y, z) = (x[k] - from.x, y[k] - from.y, z[k] - from.z);
            let squared = x * x + y * y + z * z;
            if squared < apart[k] { squared } else { apart[k] }
        });
        best.raise(apart, number);
    }
    let most = highest(&best.most);
    let place = (most >= 0.0).then(|| best.first(most))?;
    Some((place, points[place / LANES].get(place % LANES)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    #[test]
    fn each_is_the_farthest_from_those_before() {
        for seed in 0..200 {
            let count = 1 + (seed as usize * 7) % 60;
            let at = |k: usize| Local::from_fn(|i, _| unit(seed, 3 * k as u64 + i as u64) as f32);
            let samples: Vec<Local> = (0..count).map(at).collect();
            let points = PointLanes::list(&samples);
            let id = |place: usize| if place < count { place as u32 } else { NONE };
            let ids: Vec<[u32; LANES]> =
                (0..points.len()).map(|b| std::array::from_fn(|k| id(b * LANES + k))).collect();
            let picked = spread(&points, &ids, &mut vec![]);
            let mut taken: Vec<usize> = vec![];
            for (number, place) in picked.iter().enumerate() {
                if number >= count {
                    assert_eq!(*place, NONE);
                    continue;
                }
                let place = *place as usize;
                let apart = |k: usize| {
                    let from = taken.iter().map(|t| (samples[*t] - samples[k]).norm());
                    if number == 0 { (samples[k] - samples[0]).norm() } else { from.fold(f32::INFINITY, f32::min) }
                };
                let most = (0..count).map(apart).fold(0.0, f32::max);
                assert!(!taken.contains(&place) && apart(place) >= most - 1e-5, "{} of {most}", apart(place));
                taken.push(place);
            }
        }
        assert_eq!(spread(&[], &[], &mut vec![]), [NONE; SPREAD]);
    }
}
