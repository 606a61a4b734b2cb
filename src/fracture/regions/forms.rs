//! A tetrahedron with one crack: closed forms.

use crate::geom::Vector;
use crate::geom::moments::Moments;

/// The moments of the two sides of a tetrahedron with one crack: of the nodes `first`, a bit each, and of the others. Corners are
/// relative to the first one.
pub fn two_cells(at: &[Vector; 4], values: &[f64; 4], first: u8, volume: f64) -> [Moments; 2] {
    let other = 0b1111 & !first;
    // The side with fewer nodes is computed, the other is the rest.
    let small = if first.count_ones() <= other.count_ones() { first } else { other };
    let order = SIDE_BY_SIDE[small as usize];
    let (at, gaps) = (order.map(|k| at[k]), order.map(|k| values[k].abs()));
    let part = if small.count_ones() == 1 { tip(&at, &gaps, volume) } else { wedge(&at, &gaps, volume) };
    let rest = Moments::of_tet(&at, volume) - part;
    if small == first { [part, rest] } else { [rest, part] }
}

/// For a set of nodes, a bit each: those in it, ascending, then the others.
const SIDE_BY_SIDE: [[usize; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut place, mut wanted) = (0, 1);
        loop {
            let mut k = 0;
            while k < 4 {
                if set >> k & 1 == wanted {
                    table[set][place] = k;
                    place += 1;
                }
                k += 1;
            }
            if wanted == 0 {
                break;
            }
            wanted = 0;
        }
        set += 1;
    }
    table
};

/// The tip at the first corner of a tetrahedron.
fn tip(at: &[Vector; 4], gaps: &[f64; 4], volume: f64) -> Moments {
    let t = [ratio(gaps, 0, 1), ratio(gaps, 0, 2), ratio(gaps, 0, 3)];
    let cut = |k: usize| at[0] + (at[k] - at[0]) * t[k - 1];
    Moments::of_tet(&[at[0], cut(1), cut(2), cut(3)], volume * (t[0] * t[1] * t[2]))
}

/// The wedge of the first two corners against the last two.
fn wedge(at: &[Vector; 4], gaps: &[f64; 4], volume: f64) -> Moments {
    let (t02, t03, t12, t13) = (ratio(gaps, 0, 2), ratio(gaps, 0, 3), ratio(gaps, 1, 2), ratio(gaps, 1, 3));
    let cut = |i: usize, j: usize, t: f64| at[i] + (at[j] - at[i]) * t;
    let (p02, p03, p12, p13) = (cut(0, 2, t02), cut(0, 3, t03), cut(1, 2, t12), cut(1, 3, t13));
    // Three tetrahedra between six points, which share their squares.
    let (v1, v2, v3) = (volume * (t12 * t13), volume * (t02 * (1.0 - t12) * t13), volume * (t02 * t03 * (1.0 - t13)));
    let both = at[0] + p13;
    let (s1, s2, s3) = (both + at[1] + p12, both + p02 + p12, both + p02 + p03);
    let mut wedge = Moments { volume: v1 + v2 + v3, first: (s1 * v1 + s2 * v2 + s3 * v3) * 0.25, second: [0.0; 6] };
    let (v1, v2, v3) = (v1 * (1.0 / 20.0), v2 * (1.0 / 20.0), v3 * (1.0 / 20.0));
    let all = v1 + v2 + v3;
    wedge.add_square(&at[0], all);
    wedge.add_square(&at[1], v1);
    wedge.add_square(&p02, v2 + v3);
    wedge.add_square(&p03, v3);
    wedge.add_square(&p12, v1 + v2);
    wedge.add_square(&p13, all);
    wedge.add_square(&s1, v1);
    wedge.add_square(&s2, v2);
    wedge.add_square(&s3, v3);
    wedge
}

/// Where the crack crosses the edge from corner i to corner j.
fn ratio(gaps: &[f64; 4], i: usize, j: usize) -> f64 {
    gaps[i] / (gaps[i] + gaps[j])
}
