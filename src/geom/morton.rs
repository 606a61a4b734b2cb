//! The Morton curve: an order of points in which neighbours in the list are neighbours in space.

use crate::geom::Point;
use crate::geom::aabb::Aabb;

const BITS: u32 = 21;

/// The numbers of `points` in the order of the curve through their box; ties keep their order.
pub fn order(points: &[Point]) -> Vec<u32> {
    let bounds = Aabb::around(points);
    let size = bounds.size();
    // One scale for all axes, so that the curve's cells are cubes.
    let scale = ((1u64 << BITS) - 1) as f64 / size.max().max(f64::MIN_POSITIVE);
    let mut keyed: Vec<(u64, u32)> = points
        .iter()
        .zip(0..)
        .map(|(p, i)| {
            let q = (p - bounds.min) * scale;
            (spread(q.x as u64) << 2 | spread(q.y as u64) << 1 | spread(q.z as u64), i)
        })
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, i)| i).collect()
}

/// Puts two zero bits between the bits of a 21-bit number.
fn spread(x: u64) -> u64 {
    let mut x = x & 0x1f_ffff;
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_leaves_two_gaps() {
        assert_eq!(spread(0b111), 0b1001001);
        assert_eq!(spread((1 << 21) - 1), 0x1249_2492_4924_9249);
    }

    #[test]
    fn a_single_point_and_equal_points_keep_their_order() {
        assert_eq!(order(&[Point::new(1.0, 2.0, 3.0); 3]), [0, 1, 2]);
    }
}
