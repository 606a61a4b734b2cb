//! Volume, first and second moments of solids, and the mass properties that follow from them.

use super::{Point, Vector};
use nalgebra::Matrix3;
use std::ops::{AddAssign, Sub, SubAssign};

/// ∫1, ∫x and ∫x xᵀ over a solid, about some origin that the holder knows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// ∫1.
    pub volume: f64,
    /// ∫x.
    pub first: Vector,
    /// ∫x xᵀ as xx, yy, zz, xy, yz, zx.
    pub second: [f64; 6],
}

/// xx, yy, zz, xy, yz, zx of a symmetric product.
fn outer(a: &Vector) -> [f64; 6] {
    [a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.y * a.z, a.z * a.x]
}

impl Moments {
    /// The moments of a tetrahedron of known volume: the second moment of a simplex is exact in its corners and their sum.
    pub fn of_tet(corners: &[Vector; 4], volume: f64) -> Self {
        let [a, b, c, d] = corners;
        let s = a + b + c + d;
        let w = volume * (1.0 / 20.0);
        let sum = |i: usize, j: usize| w * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + d[i] * d[j] + s[i] * s[j]);
        let second = [sum(0, 0), sum(1, 1), sum(2, 2), sum(0, 1), sum(1, 2), sum(2, 0)];
        Self { volume, first: s * (volume * 0.25), second }
    }

    /// Adds a tetrahedron with one corner at the origin and the others here; a negative volume takes it away.
    pub fn add_corner_tet(&mut self, [a, b, c]: &[Vector; 3], volume: f64) {
        let sum = a + b + c;
        let (oa, ob, oc, os) = (outer(a), outer(b), outer(c), outer(&sum));
        self.volume += volume;
        self.first += sum * (volume * 0.25);
        let w = volume * (1.0 / 20.0);
        (0..6).for_each(|k| self.second[k] += w * (oa[k] + ob[k] + oc[k] + os[k]));
    }

    /// Adds `weight` x xᵀ to the second moments.
    #[inline]
    pub fn add_square(&mut self, x: &Vector, weight: f64) {
        let w = x * weight;
        let [xx, yy, zz, xy, yz, zx] = &mut self.second;
        *xx += w.x * x.x;
        *yy += w.y * x.y;
        *zz += w.z * x.z;
        *xy += w.x * x.y;
        *yz += w.y * x.z;
        *zx += w.z * x.x;
    }

    /// The same solid about an origin that lies `by` before the old one: every x becomes x + by.
    pub fn shifted(&self, by: &Vector) -> Self {
        let (f, v) = (self.first, self.volume);
        let o = outer(by);
        let cross = [
            2.0 * f.x * by.x,
            2.0 * f.y * by.y,
            2.0 * f.z * by.z,
            f.x * by.y + f.y * by.x,
            f.y * by.z + f.z * by.y,
            f.z * by.x + f.x * by.z,
        ];
        Self { volume: v, first: f + by * v, second: std::array::from_fn(|k| self.second[k] + cross[k] + v * o[k]) }
    }

    /// Mass properties of the solid at this density; `origin` is what the moments are about.
    pub fn mass(&self, origin: &Point, density: f64) -> MassProperties {
        let centre = self.first / self.volume;
        let [xx, yy, zz, xy, yz, zx] = self.shifted(&-centre).second;
        let inertia = Matrix3::new(yy + zz, -xy, -zx, -xy, xx + zz, -yz, -zx, -yz, xx + yy) * density;
        MassProperties { volume: self.volume, mass: self.volume * density, centre: origin + centre, inertia }
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Self) {
        self.volume += other.volume;
        self.first += other.first;
        self.second.iter_mut().zip(other.second).for_each(|(a, b)| *a += b);
    }
}

impl SubAssign for Moments {
    fn sub_assign(&mut self, other: Self) {
        self.volume -= other.volume;
        self.first -= other.first;
        self.second.iter_mut().zip(other.second).for_each(|(a, b)| *a -= b);
    }
}

impl Sub for Moments {
    type Output = Self;
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

/// What a solver needs to know of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Cubic metres.
    pub volume: f64,
    /// Kilograms: volume times density.
    pub mass: f64,
    /// Centre of mass, in the frame of the asset.
    pub centre: Point,
    /// Inertia tensor about the centre of mass, in the axes of the asset.
    pub inertia: Matrix3<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_of_six_tets_has_the_closed_form_inertia() {
        let corner = |bits: usize| Vector::new((bits & 1) as f64, (bits >> 1 & 1) as f64, (bits >> 2 & 1) as f64) * 2.0;
        let mut sum = Moments::default();
        for [a, b] in [[1, 3], [1, 5], [2, 3], [2, 6], [4, 5], [4, 6]] {
            sum += Moments::of_tet(&[corner(0), corner(a), corner(b), corner(7)], 8.0 / 6.0);
        }
        let mass = sum.mass(&Point::new(10.0, 0.0, 0.0), 3.0);
        assert!((mass.mass - 24.0).abs() < 1e-12);
        assert!((mass.centre - Point::new(11.0, 1.0, 1.0)).norm() < 1e-12);
        // m (w² + h²) / 12 on the diagonal.
        assert!((mass.inertia - Matrix3::identity() * 16.0).norm() < 1e-12);
    }

    #[test]
    fn shifting_there_and_back_changes_nothing() {
        let tet = [Vector::x(), Vector::y(), Vector::z(), Vector::new(1.0, 1.0, 1.0)];
        let m = Moments::of_tet(&tet, 0.3);
        let by = Vector::new(0.5, -2.0, 1.0);
        let moved = Moments::of_tet(&tet.map(|c| c + by), 0.3);
        let difference = m.shifted(&by) - moved;
        assert!(difference.first.norm() < 1e-14 && difference.second.iter().all(|d| d.abs() < 1e-14));
    }
}
