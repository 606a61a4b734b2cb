//! Exact signs of small determinants of whole numbers.
//!
//! Whether a corner of a region lies on one side of a crack or the other must come out the same from every tetrahedron around
//! it, or surfaces are not closed (docs/formulations/exact-cells.md). So values are whole numbers, kept in `f64`, and the sign of a
//! determinant is computed in double precision where that is certain, and in 256-bit integers where it is not.

/// Values are below two to this power; differences of two of them are exact, and below twice that.
pub const VALUE_BITS: i32 = 51;

/// Double precision loses less than four times this share of the product of the largest values of the rows of a determinant: a bound
/// that holds for four rows, expanded by minors of two, is 184 roundings of half a unit in the last place.
pub const CERTAIN: f64 = 1e-14;

/// A 256-bit integer in two's complement: enough for four rows of 53 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide([u64; 4]);

impl Wide {
    /// Zero.
    pub const ZERO: Self = Self([0; 4]);

    fn from(value: i128) -> Self {
        let sign = (value >> 127) as u64;
        Self([value as u64, (value >> 64) as u64, sign, sign])
    }

    /// Sum.
    pub fn plus(self, other: Self) -> Self {
        let mut carry = 0;
        Self(std::array::from_fn(|k| {
            let sum = self.0[k] as u128 + other.0[k] as u128 + carry;
            carry = sum >> 64;
            sum as u64
        }))
    }

    /// The opposite.
    pub fn negated(self) -> Self {
        Self(self.0.map(|word| !word)).plus(Self([1, 0, 0, 0]))
    }

    fn times(self, by: i64) -> Self {
        let mut carry = 0;
        let product = Self(std::array::from_fn(|k| {
            let part = self.0[k] as u128 * by.unsigned_abs() as u128 + carry;
            carry = part >> 64;
            part as u64
        }));
        if by < 0 { product.negated() } else { product }
    }

    /// -1, 0 or 1.
    pub fn sign(self) -> i32 {
        match self.0 {
            [0, 0, 0, 0] => 0,
            [_, _, _, high] if high >> 63 != 0 => -1,
            _ => 1,
        }
    }
}

/// The determinant of the first `size` rows and columns.
pub fn determinant(rows: &[[f64; 4]; 4], size: usize) -> Wide {
    let whole = rows.map(|row| row.map(|value| value as i64));
    expand(&whole, size, 0, 0b1111 >> (4 - size))
}

/// Expands along rows from `row` on; `columns` are those that are left, a bit each.
fn expand(rows: &[[i64; 4]; 4], size: usize, row: usize, columns: u8) -> Wide {
    let mut left = (0..4usize).filter(|c| columns >> c & 1 != 0);
    if size - row == 1 {
        return left.next().map_or(Wide::ZERO, |c| Wide::from(rows[row][c] as i128));
    }
    if size - row == 2 {
        let (Some(a), Some(b)) = (left.next(), left.next()) else { return Wide::ZERO };
        let product = |i: usize, j: usize| rows[row][i] as i128 * rows[row + 1][j] as i128;
        return Wide::from(product(a, b) - product(b, a));
    }
    let mut sum = Wide::ZERO;
    for (k, column) in left.enumerate() {
        let part = expand(rows, size, row + 1, columns & !(1 << column)).times(rows[row][column]);
        sum = sum.plus(if k % 2 == 0 { part } else { part.negated() });
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::mix;

    #[test]
    fn determinants_are_those_of_small_numbers_and_of_large_ones() {
        for seed in 0..2000u64 {
            let entry = |k: u64| (mix(seed * 16 + k) % 41) as f64 - 20.0;
            let rows: [[f64; 4]; 4] = std::array::from_fn(|i| std::array::from_fn(|j| entry((4 * i + j) as u64)));
            for size in 1..=4 {
                let small = nalgebra::DMatrix::from_fn(size, size, |i, j| rows[i][j]).determinant().round() as i128;
                assert_eq!(determinant(&rows, size), Wide::from(small), "{size}");
                // The same times a power of two: beyond 128 bits for three and four rows.
                let large = rows.map(|row| row.map(|v| v * (1u64 << 41) as f64));
                assert_eq!(determinant(&large, size).sign(), small.signum() as i32);
                // A hair beside it, exactly.
                let mut beside = large;
                beside[0][0] += 1.0;
                let minor = match size {
                    1 => 1,
                    _ => {
                        nalgebra::DMatrix::from_fn(size - 1, size - 1, |i, j| rows[i + 1][j + 1]).determinant().round()
                            as i128
                    }
                };
                if small == 0 {
                    assert_eq!(determinant(&beside, size).sign(), minor.signum() as i32);
                }
            }
        }
    }
}
