//! The cracks in a tetrahedron as polygons: where the regions of a knock-out meet.
//!
//! Every split is a plane across the tetrahedron. A part of it is a crack where the knock-out gets as far as this split, and
//! ends with different survivors on its two sides. So each plane's section is followed through all splits: those before it
//! say where it decides anything, those after it who is left on either side (docs/design.md, 4.2). Polygons of one crack
//! cover it without overlap, but they do not share their corners with those of the next one: enough for distances, and
//! several times faster than the complex that surfaces need.

use super::knockout::Split;

/// Barycentric coordinates of a point.
type Weights = [f64; 4];

/// A section has four corners at most, and each of five other splits adds one.
const MOST: usize = 12;

/// A convex polygon.
#[derive(Clone, Copy)]
struct Polygon {
    corners: [Weights; MOST],
    count: usize,
}

impl Polygon {
    const EMPTY: Self = Self { corners: [[0.0; 4]; MOST], count: 0 };

    fn push(&mut self, corner: Weights) {
        if self.count < MOST {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    fn corners(&self) -> &[Weights] {
        &self.corners[..self.count]
    }

    /// The parts where the first and where the second side of a split wins.
    fn parted(&self, split: &Split) -> [Self; 2] {
        let mut parts = [Self::EMPTY; 2];
        let mut last = self.count.wrapping_sub(1);
        for k in 0..self.count {
            let (from, to) = (&self.corners[last], &self.corners[k]);
            let (a, b) = (split.at(from), split.at(to));
            if a * b < 0.0 {
                let t = a / (a - b);
                let between = std::array::from_fn(|i| from[i] + (to[i] - from[i]) * t);
                parts.iter_mut().for_each(|part| part.push(between));
            }
            if b >= 0.0 {
                parts[0].push(*to);
            }
            if b <= 0.0 {
                parts[1].push(*to);
            }
            last = k;
        }
        parts
    }
}

/// Calls `emit` with every crack polygon, the split that it lies on, and the nodes that survive on its first and on its
/// second side. Where both belong to one fragment there is no crack: who owns them is the caller's to know.
pub fn interfaces(splits: &[Split], mut emit: impl FnMut(&[Weights], &Split, [u8; 2])) {
    for (k, split) in splits.iter().enumerate() {
        follow(splits, k, 0, &section(split), [0b1111; 2], &mut emit);
    }
}

/// Follows a part of the section of split `on` through the splits from `next`; `alive` are the nodes left on either side.
fn follow(
    splits: &[Split],
    on: usize,
    next: usize,
    part: &Polygon,
    alive: [u8; 2],
    emit: &mut impl FnMut(&[Weights], &Split, [u8; 2]),
) {
    if part.count < 3 {
        return;
    }
    let Some(split) = splits.get(next) else { return emit(part.corners(), &splits[on], alive) };
    let after = |first_wins| alive.map(|a| if split.applies(a) { split.after(a, first_wins) } else { a });
    if next == on {
        if split.applies(alive[0]) {
            follow(splits, on, next + 1, part, [after(true)[0], after(false)[0]], emit);
        }
    } else if alive.iter().any(|a| split.applies(*a)) {
        let [first, second] = part.parted(split);
        follow(splits, on, next + 1, &first, after(true), emit);
        follow(splits, on, next + 1, &second, after(false), emit);
    } else {
        follow(splits, on, next + 1, part, alive, emit);
    }
}

/// Where the plane of a split crosses the tetrahedron: through the edges between its sides, and the nodes without part in it.
fn section(split: &Split) -> Polygon {
    let (first, second) = split.sides();
    let mut polygon = Polygon::EMPTY;
    let of = |side: u8| (0..4).filter(move |k| side >> k & 1 != 0);
    for i in of(first) {
        for j in of(second) {
            let (a, b) = (split.gaps[i].abs() as f64, split.gaps[j].abs() as f64);
            let mut corner = [0.0; 4];
            corner[i] = b / (a + b);
            corner[j] = a / (a + b);
            polygon.push(corner);
        }
    }
    // Two against two come as 02 03 12 13; around the quadrilateral it is 02 03 13 12.
    if polygon.count == 4 {
        polygon.corners.swap(2, 3);
    }
    for k in of(!(first | second) & 0b1111) {
        let mut corner = [0.0; 4];
        corner[k] = 1.0;
        polygon.push(corner);
    }
    polygon
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::complex::{Complex, Outside};
    use crate::geom::random::unit;

    const CORNERS: [[f64; 3]; 4] = [[0.1, 0.0, 0.2], [1.0, 0.1, 0.0], [0.0, 1.2, 0.1], [0.3, 0.2, 0.9]];

    fn area(polygon: &[Weights]) -> f64 {
        let at = |w: &Weights| nalgebra::Vector3::from_fn(|i, _| (0..4).map(|k| CORNERS[k][i] * w[k]).sum::<f64>());
        let corners: Vec<_> = polygon.iter().map(at).collect();
        let twice = |k: usize| (corners[k - 1] - corners[0]).cross(&(corners[k] - corners[0]));
        (2..corners.len()).fold(nalgebra::Vector3::zeros(), |sum, k| sum + twice(k)).norm() / 2.0
    }

    /// The crack area between any two owners is that of the complex, which is built in another way.
    #[test]
    fn areas_agree_with_the_complex() {
        let mut complex = Complex::default();
        let mut compared = 0;
        for seed in 0..2000u64 {
            let gap = |k: u64| 0.05 + unit(seed, k) as f32;
            let owners: [u32; 4] = std::array::from_fn(|k| (unit(seed, 90 + k as u64) * 4.0) as u32);
            let mut splits = vec![];
            for f in 0..4u32 {
                for g in f + 1..4 {
                    if owners.contains(&f) && owners.contains(&g) {
                        let side = |o: u32, k: usize| match o {
                            o if o == f => gap(k as u64 + 10 * f as u64),
                            o if o == g => -gap(k as u64 + 10 * g as u64),
                            _ => 0.0,
                        };
                        splits.push(Split { gaps: std::array::from_fn(|k| side(owners[k], k)) });
                    }
                }
            }
            let between = |a: u8, b: u8| {
                let [a, b] = [a, b].map(|mask| owners[mask.trailing_zeros() as usize]);
                if a == b { None } else { Some((a.min(b), a.max(b))) }
            };
            let mut areas = std::collections::BTreeMap::<(u32, u32), (f64, f64)>::new();
            interfaces(&splits, |polygon, _, [a, b]| {
                if let Some(pair) = between(a, b) {
                    areas.entry(pair).or_default().0 += area(polygon);
                }
            });
            complex.build(&splits, true);
            for facet in &complex.facets {
                let Outside::Cell(outside) = facet.outside else { continue };
                if let Some(pair) = between(complex.cells[facet.inside as usize], complex.cells[outside as usize]) {
                    let corners: Vec<Weights> =
                        (0..facet.corners.len()).map(|k| complex.points[facet.corners[k] as usize].weights).collect();
                    areas.entry(pair).or_default().1 += area(&corners);
                }
            }
            for (pair, (ours, theirs)) in areas {
                assert!((ours - theirs).abs() < 1e-9, "seed {seed}, {pair:?}: {ours} against {theirs}");
                compared += 1;
            }
        }
        assert!(compared > 3000, "{compared}");
    }
}
