//! Cuts a tetrahedron along its splits into smaller tetrahedra: exact volumes and moments of the pieces.
//!
//! A linear function cuts a tetrahedron into at most six; which ones depends only on the signs at the corners, and the
//! volume of each is a product of the cut ratios (no determinant, never negative, sums to one). Applying the splits of a
//! tetrahedron one after the other serves every case from the single corner to four labels and several events: a short
//! recursion instead of general convex clipping.

use super::Vector;
use super::knockout::Split;

/// A corner of a piece: where it is, and its barycentric coordinates in the tetrahedron that was cut.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// Position, relative to whatever origin the caller chose.
    pub at: Vector,
    /// Barycentric coordinates in the uncut tetrahedron.
    pub weights: [f64; 4],
}

impl Corner {
    /// The corners of an uncut tetrahedron.
    pub fn of_tet(positions: &[Vector; 4]) -> [Self; 4] {
        std::array::from_fn(|k| Self { at: positions[k], weights: std::array::from_fn(|i| (i == k) as u8 as f64) })
    }

    fn towards(&self, other: &Self, t: f64) -> Self {
        Self {
            at: self.at + (other.at - self.at) * t,
            weights: std::array::from_fn(|k| self.weights[k] + (other.weights[k] - self.weights[k]) * t),
        }
    }
}

/// A value this small beside the sum of its terms is a corner that lies on the plane.
const ON_PLANE: f64 = 1e-13;

/// Cuts the piece `corners`, which is `share` of the whole volume, by the splits that apply among the nodes `alive`, and
/// hands every part that belongs to one of the nodes `wanted`, with its owners and its share, to `emit`.
pub fn dissect(
    corners: &[Corner; 4],
    share: f64,
    splits: &[Split],
    alive: u8,
    wanted: u8,
    emit: &mut impl FnMut(u8, &[Corner; 4], f64),
) {
    let Some(next) = splits.iter().position(|s| s.applies(alive)) else {
        return emit(alive, corners, share);
    };
    let (split, rest) = (&splits[next], &splits[next + 1..]);
    let winners = [split.after(alive, true), split.after(alive, false)];
    let want = winners.map(|w| w & wanted != 0);
    halve(corners, share, split, want, &mut |side, part, part_share| {
        dissect(part, part_share, rest, winners[side], wanted, emit)
    });
}

/// Cuts one tetrahedron by one linear function, for the sides that are wanted. Side 0 is where the function is positive.
fn halve(
    corners: &[Corner; 4],
    share: f64,
    split: &Split,
    want: [bool; 2],
    emit: &mut impl FnMut(usize, &[Corner; 4], f64),
) {
    let value: [f64; 4] = std::array::from_fn(|k| {
        let terms: [f64; 4] = std::array::from_fn(|i| split.gaps[i] as f64 * corners[k].weights[i]);
        let (sum, size) = terms.iter().fold((0.0, 0.0), |(sum, size), t| (sum + t, size + t.abs()));
        if sum.abs() <= ON_PLANE * size { 0.0 } else { sum }
    });
    // Corners sorted by side: first the positive ones, then the negative ones, then those on the plane.
    let mut by_side = [0; 4];
    let mut n = 0;
    for pick in [|v: f64| v > 0.0, |v: f64| v < 0.0, |v: f64| v == 0.0] {
        for (k, _) in value.iter().enumerate().filter(|(_, v)| pick(**v)) {
            by_side[n] = k;
            n += 1;
        }
    }
    let ahead = value.iter().filter(|v| **v > 0.0).count();
    let behind = value.iter().filter(|v| **v < 0.0).count();
    if behind == 0 || ahead == 0 {
        let side = (ahead == 0) as usize;
        if want[side] {
            emit(side, corners, share);
        }
        return;
    }
    let c: [Corner; 4] = by_side.map(|k| corners[k]);
    // How far from corner i the plane crosses the edge to corner j, and where.
    let ratio = |i: usize, j: usize| {
        let (a, b) = (value[by_side[i]].abs(), value[by_side[j]].abs());
        a / (a + b)
    };
    let cut = |i: usize, j: usize| c[i].towards(&c[j], ratio(i, j));
    match (ahead, behind) {
        (1, _) => lop(&c, &[1, 2, 3][..behind], share, 0, want, ratio, cut, emit),
        (_, 1) => {
            // The lonely corner first, the others after it, those on the plane last.
            let others: &[usize] = if ahead == 2 { &[0, 1] } else { &[0, 1, 2] };
            let lonely = ahead;
            let turned = [c[lonely], c[0], c[1], if ahead == 2 { c[3] } else { c[2] }];
            let ratio = |_: usize, j: usize| ratio(lonely, others[j - 1]);
            let cut = |_: usize, j: usize| cut(lonely, others[j - 1]);
            lop(&turned, &[1, 2, 3][..ahead], share, 1, want, ratio, cut, emit)
        }
        _ => {
            // Two against two: a wedge on either side, three tetrahedra each.
            let cuts = [[cut(0, 2), cut(0, 3)], [cut(1, 2), cut(1, 3)]];
            let t = [[ratio(0, 2), ratio(0, 3)], [ratio(1, 2), ratio(1, 3)]];
            if want[0] {
                emit(0, &[c[0], c[1], cuts[1][0], cuts[1][1]], share * t[1][0] * t[1][1]);
                emit(0, &[c[0], cuts[0][0], cuts[1][0], cuts[1][1]], share * t[0][0] * (1.0 - t[1][0]) * t[1][1]);
                emit(0, &[c[0], cuts[0][0], cuts[0][1], cuts[1][1]], share * t[0][0] * t[0][1] * (1.0 - t[1][1]));
            }
            if want[1] {
                let s = [[1.0 - t[0][0], 1.0 - t[1][0]], [1.0 - t[0][1], 1.0 - t[1][1]]];
                emit(1, &[c[2], c[3], cuts[0][1], cuts[1][1]], share * s[1][0] * s[1][1]);
                emit(1, &[c[2], cuts[0][0], cuts[0][1], cuts[1][1]], share * s[0][0] * (1.0 - s[1][0]) * s[1][1]);
                emit(1, &[c[2], cuts[0][0], cuts[1][0], cuts[1][1]], share * s[0][0] * s[0][1] * (1.0 - s[1][1]));
            }
        }
    }
}

/// Cuts corner 0 off, across its edges to `others` (the rest of the corners lie on the plane): the tip goes to `side`,
/// the remaining frustum, one tetrahedron an edge, to the other.
#[allow(clippy::too_many_arguments)] // private, and called in two places
fn lop(
    c: &[Corner; 4],
    others: &[usize],
    share: f64,
    side: usize,
    want: [bool; 2],
    ratio: impl Fn(usize, usize) -> f64,
    cut: impl Fn(usize, usize) -> Corner,
    emit: &mut impl FnMut(usize, &[Corner; 4], f64),
) {
    let mut tip = *c;
    let mut left = share;
    for &j in others {
        let (t, point) = (ratio(0, j), cut(0, j));
        // What is left of the tip's cone on the far side of this cut: its apex moves to the cut point.
        if want[1 - side] {
            let mut slab = tip;
            slab[0] = point;
            emit(1 - side, &slab, left * (1.0 - t));
        }
        tip[j] = point;
        left *= t;
    }
    if want[side] {
        emit(side, &tip, left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::knockout::survivors;
    use crate::geom::random::unit;

    fn volume(c: &[Corner; 4]) -> f64 {
        (c[1].at - c[0].at).cross(&(c[2].at - c[0].at)).dot(&(c[3].at - c[0].at)).abs() / 6.0
    }

    /// Splits of one event: a label a node, gaps at random, the knock-out in label order.
    fn one_event(labels: [usize; 4], gap: impl Fn(usize, usize) -> f32) -> Vec<Split> {
        let mut splits = vec![];
        for late in 1..4 {
            for early in 0..late {
                let gaps = std::array::from_fn(|k| match labels[k] {
                    l if l == early => gap(k, late),
                    l if l == late => -gap(k, early),
                    _ => 0.0,
                });
                let split = Split { gaps };
                if split.sides().0 != 0 && split.sides().1 != 0 {
                    splits.push(split);
                }
            }
        }
        splits
    }

    #[test]
    fn parts_fill_the_whole_and_have_the_owner_that_the_knock_out_names() {
        let tet = Corner::of_tet(&[Vector::zeros(), Vector::x(), Vector::y() * 2.0, Vector::new(0.2, 0.3, 1.5)]);
        let whole = volume(&tet);
        for case in 0..4096u64 {
            let labels = std::array::from_fn(|k| (case >> (2 * k) & 3) as usize);
            let splits = one_event(labels, |k, other| (0.01 + unit(case, (k * 4 + other) as u64)) as f32);
            let mut sum = 0.0;
            dissect(&tet, 1.0, &splits, 0b1111, 0b1111, &mut |alive, part, share| {
                sum += share;
                assert!((volume(part) - share * whole).abs() < 1e-12, "{labels:?}: a share is not its volume");
                if share > 1e-9 {
                    let middle = std::array::from_fn(|k| part.iter().map(|c| c.weights[k]).sum::<f64>() / 4.0);
                    assert_eq!(survivors(&splits, &middle), alive, "{labels:?}");
                }
            });
            assert!((sum - 1.0).abs() < 1e-12, "{labels:?}: shares sum to {sum}");
        }
    }
}
