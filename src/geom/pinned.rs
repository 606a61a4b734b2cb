//! Functions whose last bits the standard library leaves to the platform: `f64::exp` and others call the system's C library, and
//! the precision of `powi` is unspecified. These give the same bits on every platform.
//!
//! Sums, products, quotients and square roots are rounded correctly everywhere, so there is nothing else to pin. Clippy refuses the
//! methods of the standard library in the library's code (`clippy.toml`).

use super::Vector;
use nalgebra::{Quaternion, RealField, UnitQuaternion};

pub use libm::{atan2, cbrt, cos, exp, hypot, log as ln, log2, log10, pow as powf, sin};

/// A power, by squaring.
#[inline(always)] // unrolled where the exponent is a constant
pub fn powi<T: RealField + Copy>(base: T, exponent: i32) -> T {
    let (mut left, mut square, mut power) = (exponent.unsigned_abs(), base, T::one());
    while left > 0 {
        if left % 2 == 1 {
            power *= square;
        }
        left /= 2;
        if left > 0 {
            square *= square;
        }
    }
    if exponent < 0 { T::one() / power } else { power }
}

/// The rotation about an axis by its length in radians.
pub fn rotation(axis: &Vector) -> UnitQuaternion<f64> {
    let half = 0.5 * axis.norm();
    if half == 0.0 {
        return UnitQuaternion::identity();
    }
    UnitQuaternion::new_unchecked(Quaternion::from_parts(cos(half), axis * (0.5 * sin(half) / half)))
}

/// The axis of a rotation, as long as its angle in radians, at most half a turn.
pub fn scaled_axis(rotation: &UnitQuaternion<f64>) -> Vector {
    let (imaginary, real) = (rotation.imag(), rotation.w);
    let sine = imaginary.norm();
    if sine == 0.0 {
        return Vector::zeros();
    }
    imaginary * (2.0 * atan2(sine, real.abs()) / sine).copysign(real)
}

#[cfg(test)]
mod tests {
    use super::super::random::unit;
    use super::*;

    #[test]
    fn powers_are_products() {
        assert_eq!([-3, -1, 0, 1, 2, 3, 5, 10].map(|k| powi(2.0, k)), [0.125, 0.5, 1.0, 2.0, 4.0, 8.0, 32.0, 1024.0]);
        assert_eq!((powi(2.0, -1000) * powi(2.0, 1000), powi(0.1f32, 3)), (1.0, 0.1 * (0.1 * 0.1)));
    }

    #[test]
    fn rotations_are_those_of_nalgebra() {
        for k in 0..1000 {
            let along = Vector::from_fn(|i, _| unit(7, 3 * k + i as u64) - 0.5);
            let axis = along * [1e-200, 1e-9, 1e-3, 1.0, 3.0, 9.0][k as usize % 6];
            let (own, known) = (rotation(&axis), UnitQuaternion::from_scaled_axis(axis));
            assert!((own.coords - known.coords).norm() < 1e-15 && (own.norm() - 1.0).abs() < 1e-15, "{axis}");
            assert!((scaled_axis(&own) - known.scaled_axis()).norm() <= 1e-14 * axis.norm().min(1.0), "{axis}");
        }
        assert_eq!(rotation(&Vector::zeros()), UnitQuaternion::identity());
        assert_eq!(scaled_axis(&UnitQuaternion::identity()), Vector::zeros());
    }
}
