//! Values of options: lengths, points, poses.

use fracas::geom::Pose;
use fracas::{Point, Vector};
use nalgebra::{Quaternion, Translation3, Unit, UnitQuaternion};

/// Some numbers, with spaces or commas between them.
fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let words = text.split([' ', ',', '\t']).filter(|w| !w.is_empty());
    words
        .map(|w| match w.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(format!("{w:?} is not a finite number")),
        })
        .collect()
}

fn exactly<const N: usize>(text: &str, form: &str) -> Result<[f64; N], String> {
    let found = numbers(text)?;
    let count = found.len();
    found.try_into().map_err(|_| format!("{count} numbers are given; {form} are {N}"))
}

/// A number above zero.
pub fn positive(text: &str) -> Result<f64, String> {
    match exactly(text, "it")? {
        [number] if number > 0.0 => Ok(number),
        _ => Err("it must be above zero".into()),
    }
}

/// A number that is zero or more.
pub fn not_negative(text: &str) -> Result<f64, String> {
    match exactly(text, "it")? {
        [number] if number >= 0.0 => Ok(number),
        _ => Err("it must be zero or more".into()),
    }
}

/// An angle in degrees.
pub fn degrees(text: &str) -> Result<f64, String> {
    match exactly(text, "it")? {
        [angle] if (0.0..=180.0).contains(&angle) => Ok(angle),
        _ => Err("it must lie between 0 and 180 degrees".into()),
    }
}

/// Two numbers.
pub fn pair(text: &str) -> Result<[f64; 2], String> {
    exactly(text, "they")
}

/// `x y z`.
pub fn point(text: &str) -> Result<Point, String> {
    exactly(text, "x y z").map(Point::from)
}

/// `x y z`.
pub fn vector(text: &str) -> Result<Vector, String> {
    exactly(text, "x y z").map(Vector::from)
}

/// `px py pz nx ny nz`: a point of a plane, and its normal of any length.
pub fn plane(text: &str) -> Result<fracas::geom::plane::Plane, String> {
    let [x, y, z, nx, ny, nz] = exactly(text, "px py pz nx ny nz")?;
    fracas::geom::plane::Plane::through(&Point::new(x, y, z), &Vector::new(nx, ny, nz))
        .ok_or_else(|| "the normal has no direction".into())
}

/// `x y z qx qy qz qw`, or `x y z` alone. The quaternion may have any length.
pub fn pose(text: &str) -> Result<Pose, String> {
    let found = numbers(text)?;
    match found.as_slice() {
        [x, y, z] => Ok(Pose::translation(*x, *y, *z)),
        [x, y, z, i, j, k, w] => {
            let turn = UnitQuaternion::try_new(Quaternion::new(*w, *i, *j, *k), 1e-12)
                .ok_or("the quaternion is zero; no rotation is 0 0 0 1")?;
            Ok(Pose::from_parts(Translation3::new(*x, *y, *z), turn))
        }
        _ => Err(format!("{} numbers are given; a pose is x y z, or x y z qx qy qz qw", found.len())),
    }
}

/// `x y z degrees`: an axis of any length, and an angle.
pub fn rotation(text: &str) -> Result<UnitQuaternion<f64>, String> {
    let [x, y, z, angle] = exactly(text, "x y z degrees")?;
    let axis = Unit::try_new(Vector::new(x, y, z), 1e-300).ok_or("the axis has no direction")?;
    Ok(UnitQuaternion::from_axis_angle(&axis, angle.to_radians()))
}

/// Bytes: `8000000`, `64k`, `8M`, `1G`.
pub fn bytes(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.trim().to_ascii_lowercase() {
        t if t.ends_with('k') => (t[..t.len() - 1].to_string(), 1 << 10),
        t if t.ends_with('m') => (t[..t.len() - 1].to_string(), 1 << 20),
        t if t.ends_with('g') => (t[..t.len() - 1].to_string(), 1 << 30),
        t => (t, 1),
    };
    let number: usize = digits.trim().parse().map_err(|_| "it must be a number of bytes, such as 8000000 or 8M")?;
    number.checked_mul(unit).ok_or_else(|| "that is more than any memory".into())
}
