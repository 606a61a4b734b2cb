//! The crack inside a tetrahedron: planes with node masks, and the knock-out that names the owner of a point.
//!
//! docs/design.md, 4.2; the virtual nodes of Glondu 2013, section 4.1. A tetrahedron that was cut carries a list of
//! [`Split`]s. Each sets some of the four nodes against some others; the larger weighted share of the barycentric
//! coordinates wins and the losers are out. Every split comes in the order in which it was made, and counts only while
//! nodes of both its sides are alive. Who is left owns the point. So every point has exactly one owner, and on a face the
//! answer depends on that face's nodes alone, which makes cracks watertight.

/// A plane across a tetrahedron, as a linear function of the barycentric coordinates.
///
/// Positive coefficients are the gaps of the nodes of the first side, negative ones those of the second, and zero marks
/// (never negative zero) the nodes that have no part in it. The node masks are therefore the signs, and they never change, whatever breaks later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// One coefficient a node.
    pub gaps: [f32; 4],
}

impl Split {
    /// The nodes of the first and of the second side, a bit each.
    #[inline]
    pub fn sides(&self) -> (u8, u8) {
        let [a, b, c, d] = self.gaps.map(f32::to_bits);
        // The sign bits, and any bits at all: cheaper than comparing, and there is no negative zero.
        let signs = a >> 31 | (b >> 31) << 1 | (c >> 31) << 2 | (d >> 31) << 3;
        let any = (a != 0) as u32 | ((b != 0) as u32) << 1 | ((c != 0) as u32) << 2 | ((d != 0) as u32) << 3;
        ((any & !signs) as u8, signs as u8)
    }

    /// Whether every node is on one of its sides.
    #[inline]
    pub fn parts_all(&self) -> bool {
        self.gaps.iter().all(|gap| *gap != 0.0)
    }

    /// Whether this split has something to decide among the living.
    pub fn applies(&self, alive: u8) -> bool {
        let (first, second) = self.sides();
        first & alive != 0 && second & alive != 0
    }

    /// First share minus second share at barycentric coordinates `b`: positive where the first side wins.
    pub fn at(&self, b: &[f64; 4]) -> f64 {
        (0..4).fold(0.0, |sum, k| sum + self.gaps[k] as f64 * b[k])
    }

    /// The living nodes after the first side won, or after it lost.
    pub fn after(&self, alive: u8, first_wins: bool) -> u8 {
        let (first, second) = self.sides();
        alive & !(if first_wins { second } else { first })
    }
}

/// The nodes that are left at barycentric coordinates `b`: all of them belong to the fragment that owns the point.
/// A point on a border goes to the first side.
pub fn survivors(splits: &[Split], b: &[f64; 4]) -> u8 {
    let mut alive = 0b1111;
    for split in splits {
        let (first, second) = split.sides();
        if first & alive != 0 && second & alive != 0 {
            alive &= !(if split.at(b) >= 0.0 { second } else { first });
        }
    }
    alive
}

/// The four nodes by the mask of one side: those of it, then the others.
pub const SIDE_BY_SIDE: [[usize; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut place = 0;
        let mut pass = 0;
        while pass < 2 {
            let mut k = 0;
            while k < 4 {
                if (mask >> k & 1 != 0) == (pass == 0) {
                    table[mask][place] = k;
                    place += 1;
                }
                k += 1;
            }
            pass += 1;
        }
        mask += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_an_owner_even_where_no_label_beats_all_others() {
        // Shares that beat each other in a circle: 0 beats 1, 1 beats 2, 2 beats 0 at the middle of the face.
        let splits = [
            Split { gaps: [2.0, -1.0, 0.0, 0.0] },
            Split { gaps: [1.0, 0.0, -2.0, 0.0] },
            Split { gaps: [0.0, 2.0, -1.0, 0.0] },
        ];
        assert_eq!(survivors(&splits, &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]) & 0b0111, 0b0100);
        assert_eq!(survivors(&splits, &[0.9, 0.05, 0.05, 0.0]) & 0b0111, 0b0001);
    }

    #[test]
    fn a_split_among_the_dead_decides_nothing() {
        let splits = [Split { gaps: [1.0, 1.0, -1.0, -1.0] }, Split { gaps: [0.0, 0.0, 1.0, -1.0] }];
        assert_eq!(survivors(&splits, &[0.4, 0.4, 0.0, 0.2]), 0b0011);
        assert_eq!(survivors(&splits, &[0.1, 0.1, 0.1, 0.7]), 0b1000);
    }
}
