//! The planes of a piece, four at a time: how far a point is beyond them, and how far below those with faces.
//!
//! In double precision, since depths come of it.

use crate::crack::breaks::CellPlane;
use crate::geom::Point;
use crate::geom::simd::{Lanewise, widest};
use crate::heap::held;

/// How many are measured at once.
const FOUR: usize = 4;

/// The planes of a piece.
#[derive(Debug)]
pub struct PlaneLanes(Vec<Four>);

#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Four {
    normal: [[f64; FOUR]; 3],
    offset: [f64; FOUR],
    /// Infinite for planes without faces, which bound no depth; else zero.
    faceless: [f64; FOUR],
}

impl Four {
    /// Planes that are missing: every point is infinitely far below.
    const NONE: Self =
        Self { normal: [[0.0; FOUR]; 3], offset: [f64::INFINITY; FOUR], faceless: [f64::INFINITY; FOUR] };

    fn new(planes: &[CellPlane]) -> Self {
        let mut four = Self::NONE;
        for (k, CellPlane { plane, has_face, .. }) in planes.iter().enumerate() {
            (0..3).for_each(|axis| four.normal[axis][k] = plane.normal[axis]);
            four.offset[k] = plane.offset;
            four.faceless[k] = if *has_face { 0.0 } else { f64::INFINITY };
        }
        four
    }
}

impl PlaneLanes {
    /// From a list.
    pub fn new(planes: &[CellPlane]) -> Self {
        Self(planes.chunks(FOUR).map(Four::new).collect())
    }

    /// How far a point is beyond the plane that it is farthest beyond (negative: below all of them), and how far below the
    /// nearest one with a face.
    #[inline]
    pub fn measure(&self, p: &Point) -> (f64, f64) {
        widest(Measure { fours: &self.0, p })
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.0)
    }
}

struct Measure<'a> {
    fours: &'a [Four],
    p: &'a Point,
}

impl Lanewise for Measure<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run(self) -> (f64, f64) {
        let (mut beyond, mut below) = ([f64::NEG_INFINITY; FOUR], [f64::INFINITY; FOUR]);
        let [px, py, pz] = [self.p.x, self.p.y, self.p.z];
        for Four { normal: [x, y, z], offset, faceless } in self.fours {
            for k in 0..FOUR {
                let distance = x[k] * px + y[k] * py + z[k] * pz - offset[k];
                let depth = faceless[k] - distance;
                beyond[k] = if distance > beyond[k] { distance } else { beyond[k] };
                below[k] = if depth < below[k] { depth } else { below[k] };
            }
        }
        let high = |a: f64, b: f64| if b > a { b } else { a };
        let low = |a: f64, b: f64| if b < a { b } else { a };
        let [a, b, c, d] = beyond;
        let [e, f, g, h] = below;
        (high(high(a, c), high(b, d)), low(low(e, g), low(f, h)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::plane::Plane;
    use crate::geom::random::unit;
    use crate::geom::simd::with_any;
    use crate::geom::{NONE, Vector};

    #[test]
    fn says_what_each_plane_says() {
        for count in 0..30 {
            let plane = |k: u64| CellPlane {
                plane: Plane {
                    normal: Vector::from_fn(|i, _| unit(k, i as u64) - 0.5).normalize(),
                    offset: unit(k, 3) - 0.3,
                },
                has_face: unit(k, 4) < 0.7,
                neighbour: NONE,
                generation: 0,
                cells: [NONE; 2],
            };
            let planes: Vec<_> = (0..count).map(|k| plane(100 * count + k)).collect();
            let lanes = PlaneLanes::new(&planes);
            for k in 0..50 {
                let p = Point::from(Vector::from_fn(|i, _| 4.0 * unit(k, 10 + i as u64) - 2.0));
                let beyond = planes.iter().map(|of| of.plane.distance(&p)).fold(f64::NEG_INFINITY, f64::max);
                let with_faces = planes.iter().filter(|of| of.has_face);
                let below = with_faces.map(|of| -of.plane.distance(&p)).fold(f64::INFINITY, f64::min);
                assert_eq!(lanes.measure(&p), (beyond, below));
                assert_eq!(with_any(Measure { fours: &lanes.0, p: &p }), (beyond, below));
            }
        }
    }
}
