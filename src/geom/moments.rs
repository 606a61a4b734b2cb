//! Volume, first and second moments of solids, and the mass properties that follow from them.

use crate::geom::simd::{Lanewise, widest};
use crate::geom::{Point, Vector};
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

/// Tetrahedra that are summed at a time.
const LANES: usize = 4;

/// Sums of tetrahedra, each with a corner at the origin of its sum: some at a time.
pub struct CornerTets {
    sums: Vec<Moments>,
    /// Of the tetrahedra that wait: their sums, and by corner and axis where they are.
    of: [u32; LANES],
    corners: [[[f64; LANES]; 3]; 3],
    waiting: usize,
}

impl CornerTets {
    /// So many sums.
    pub fn new(count: usize) -> Self {
        let sums = vec![Moments::default(); count];
        Self { sums, of: [0; LANES], corners: [[[0.0; LANES]; 3]; 3], waiting: 0 }
    }

    /// Adds the tetrahedron between the origin and three corners to a sum; what is clockwise seen from the origin is taken away.
    #[inline]
    pub fn add(&mut self, sum: u32, corners: [Vector; 3]) {
        for (lanes, corner) in self.corners.iter_mut().zip(corners) {
            (0..3).for_each(|axis| lanes[axis][self.waiting] = corner[axis]);
        }
        self.of[self.waiting] = sum;
        self.waiting += 1;
        if self.waiting == LANES {
            self.add_waiting();
        }
    }

    fn add_waiting(&mut self) {
        let (volume, first, second) = widest(InLanes(&self.corners));
        for k in 0..std::mem::take(&mut self.waiting) {
            let sum = &mut self.sums[self.of[k] as usize];
            sum.volume += volume[k];
            (0..3).for_each(|axis| sum.first[axis] += first[axis][k]);
            (0..6).for_each(|i| sum.second[i] += second[i][k]);
        }
    }

    /// All sums.
    pub fn finished(mut self) -> Vec<Moments> {
        self.add_waiting();
        self.sums
    }
}

/// The moments of tetrahedra with a corner at the origin: volumes; first moments; second moments.
struct InLanes<'a>(&'a [[[f64; LANES]; 3]; 3]);

impl Lanewise for InLanes<'_> {
    type Output = ([f64; LANES], [[f64; LANES]; 3], [[f64; LANES]; 6]);

    #[inline(always)]
    fn run(self) -> Self::Output {
        let [a, b, c] = self.0;
        let (mut volume, mut first, mut second) = ([0.0; LANES], [[0.0; LANES]; 3], [[0.0; LANES]; 6]);
        for k in 0..LANES {
            let [ax, ay, az] = [a[0][k], a[1][k], a[2][k]];
            let [bx, by, bz] = [b[0][k], b[1][k], b[2][k]];
            let [cx, cy, cz] = [c[0][k], c[1][k], c[2][k]];
            let [sx, sy, sz] = [ax + bx + cx, ay + by + cy, az + bz + cz];
            let whole = ((ay * bz - az * by) * cx + (az * bx - ax * bz) * cy + (ax * by - ay * bx) * cz) * (1.0 / 6.0);
            volume[k] = whole;
            let quarter = whole * 0.25;
            (first[0][k], first[1][k], first[2][k]) = (sx * quarter, sy * quarter, sz * quarter);
            let w = whole * (1.0 / 20.0);
            second[0][k] = w * (ax * ax + bx * bx + cx * cx + sx * sx);
            second[1][k] = w * (ay * ay + by * by + cy * cy + sy * sy);
            second[2][k] = w * (az * az + bz * bz + cz * cz + sz * sz);
            second[3][k] = w * (ax * ay + bx * by + cx * cy + sx * sy);
            second[4][k] = w * (ay * az + by * bz + cy * cz + sy * sz);
            second[5][k] = w * (az * ax + bz * bx + cz * cx + sz * sx);
        }
        (volume, first, second)
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
    use crate::geom::random::unit;

    #[test]
    fn tetrahedra_at_the_origin_are_summed_as_one_by_one() {
        let corner = |k: u64| Vector::from_fn(|axis, _| unit(9, 3 * k + axis as u64) - 0.5);
        for count in [1, 3, 4, 11] {
            let (mut sums, mut single) = (CornerTets::new(2), [Moments::default(); 2]);
            for k in 0..count {
                let corners = [3 * k, 3 * k + 1, 3 * k + 2].map(corner);
                let [a, b, c] = corners;
                let own = Moments::of_tet(&[Vector::zeros(), a, b, c], a.cross(&b).dot(&c) / 6.0);
                single[k as usize % 2] += own;
                sums.add(k as u32 % 2, corners);
            }
            for (sum, single) in sums.finished().iter().zip(single) {
                assert!((sum.volume - single.volume).abs() < 1e-15 && (sum.first - single.first).norm() < 1e-15);
                assert!(sum.second.iter().zip(single.second).all(|(a, b)| (a - b).abs() < 1e-15));
            }
        }
    }

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
