//! Cones of directions: the bounds of dual-cone culling (FASTCD 4, Provot 1997).
//!
//! A cone is widened by the rounding of what it bounds, so it never lies. Directions that cannot be bounded (a triangle without area)
//! and angles of π/2 and more make it [`Cone::ALL`], which culls nothing. Arc cosines are a polynomial with a known error: the same bits
//! on every machine.

use std::f32::consts::FRAC_PI_2;

/// Directions within an angle of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cone {
    pub axis: [f32; 3],
    /// Half of the apex angle; negative for the cone of nothing, [`Cone::ALL`]'s if it is no use.
    pub angle: f32,
}

/// Error of [`acos`], and of the axes.
const SLACK: f32 = 1e-4;

impl Cone {
    /// Of no directions.
    pub const EMPTY: Self = Self { axis: [0.0; 3], angle: -1.0 };
    /// Of all directions.
    pub const ALL: Self = Self { axis: [0.0; 3], angle: 4.0 };

    /// Whether it is within an open half-space.
    #[inline]
    pub fn is_narrow(&self) -> bool {
        self.angle < FRAC_PI_2
    }

    /// Around some directions of any length. `rounding` is what they may be off, as an angle.
    pub fn around(directions: &[[f32; 3]], rounding: f32) -> Self {
        let mut sum = [0.0; 3];
        for direction in directions {
            let Some(unit) = normalized(*direction) else { return Self::ALL };
            sum = add(sum, unit);
        }
        if directions.is_empty() {
            return Self::EMPTY;
        }
        let Some(axis) = normalized(sum) else { return Self::ALL };
        let mut least = 1.0f32;
        for direction in directions {
            let cosine = dot(axis, *direction) / dot(*direction, *direction).sqrt();
            least = if cosine < least { cosine } else { least };
        }
        Self::within(axis, least, rounding)
    }

    /// Of the directions whose cosine with a unit axis is at least this. `rounding` is what they may be off, as an angle.
    pub fn within(axis: [f32; 3], cosine: f32, rounding: f32) -> Self {
        Self::checked(axis, acos(cosine) + SLACK + rounding)
    }

    /// Around two cones.
    pub fn merged(&self, other: &Self) -> Self {
        if self.angle < 0.0 {
            return *other;
        }
        if other.angle < 0.0 {
            return *self;
        }
        if !self.is_narrow() || !other.is_narrow() {
            return Self::ALL;
        }
        let (wide, narrow) = if self.angle >= other.angle { (self, other) } else { (other, self) };
        let between = acos(dot(wide.axis, narrow.axis)) + SLACK;
        if between + narrow.angle <= wide.angle {
            return *wide;
        }
        // The least cone around both has half of the whole span; its axis is in their plane, turned from the wide one's.
        let angle = 0.5 * (between + wide.angle + narrow.angle);
        let share = (angle - wide.angle) / between;
        // Linear between the axes instead of along the arc: the deviation is added.
        let Some(axis) = normalized(mix(wide.axis, narrow.axis, share)) else { return Self::ALL };
        let off_wide = acos(dot(axis, wide.axis)) + SLACK + wide.angle;
        let off_narrow = acos(dot(axis, narrow.axis)) + SLACK + narrow.angle;
        Self::checked(axis, if off_wide > off_narrow { off_wide } else { off_narrow })
    }

    fn checked(axis: [f32; 3], angle: f32) -> Self {
        if angle < FRAC_PI_2 - SLACK { Self { axis, angle } } else { Self::ALL }
    }
}

/// Theorem 4.2: a connected surface with these cones has no self-collision if its internal boundary has none.
pub(super) fn cannot_collide(normals: &Cone, binormals: &Cone) -> bool {
    if !normals.is_narrow() || normals.angle < 0.0 {
        return false;
    }
    // |axis · axis| < cos(angle), by angles.
    binormals.angle < 0.0
        || binormals.is_narrow() && acos(dot(normals.axis, binormals.axis).abs()) - SLACK > binormals.angle
}

/// Within 7e-5 (Abramowitz and Stegun 4.4.45).
#[inline]
fn acos(cosine: f32) -> f32 {
    let x = cosine.abs().min(1.0);
    let root = (1.0 - x).sqrt();
    let angle = root * (1.570_728_8 + x * (-0.212_114_4 + x * (0.074_261 - 0.018_729_3 * x)));
    if cosine < 0.0 { std::f32::consts::PI - angle } else { angle }
}

#[inline]
pub(super) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub(super) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline]
pub(super) fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline]
fn mix(a: [f32; 3], b: [f32; 3], share: f32) -> [f32; 3] {
    [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * share)
}

#[inline]
pub(super) fn normalized(v: [f32; 3]) -> Option<[f32; 3]> {
    let squared = dot(v, v);
    // Neither zero nor lost to the range of single precision; false for NaN.
    (squared > 1e-30 && squared < 1e30).then(|| {
        let scale = 1.0 / squared.sqrt();
        v.map(|c| c * scale)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    fn direction(seed: u64, key: u64) -> [f32; 3] {
        [0, 1, 2].map(|k| unit(seed, 3 * key + k) as f32 - 0.5)
    }

    fn holds(cone: &Cone, v: [f32; 3]) -> bool {
        let [v, a] = [v, cone.axis].map(|v| v.map(f64::from));
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let cosine = dot(v, a) / (dot(v, v) * dot(a, a)).sqrt();
        cosine.clamp(-1.0, 1.0).acos() <= cone.angle as f64
    }

    #[test]
    fn cones_hold_what_they_are_made_of_and_are_not_wide() {
        let mut narrow = 0;
        for seed in 0..3000 {
            let spread = 0.05 + unit(seed, 77) as f32;
            let main = direction(seed, 0);
            let list: Vec<[f32; 3]> = (1..9).map(|k| add(main, direction(seed, k).map(|c| c * spread))).collect();
            let (left, right) = (Cone::around(&list[..4], 0.0), Cone::around(&list[4..], 0.0));
            let (both, all) = (left.merged(&right), Cone::around(&list, 0.0));
            for cone in [both, all] {
                assert!(!cone.is_narrow() || list.iter().all(|v| holds(&cone, *v)), "seed {seed}: {cone:?}");
            }
            if all.angle < 1.0 {
                narrow += 1;
                assert!(both.angle < 1.6 * all.angle + 0.01, "seed {seed}: {} for {}", both.angle, all.angle);
            }
        }
        assert!(narrow > 500);
        assert_eq!(Cone::around(&[[0.0; 3]], 0.0), Cone::ALL);
        assert_eq!(Cone::EMPTY.merged(&Cone::ALL), Cone::ALL);
        assert!(Cone::around(&[], 0.0).angle < 0.0);
    }

    #[test]
    fn arc_cosines_are_as_exact_as_is_said() {
        for k in -1000..=1000 {
            let x = k as f32 / 1000.0;
            assert!((acos(x) as f64 - (x as f64).acos()).abs() < 8e-5);
        }
    }
}
