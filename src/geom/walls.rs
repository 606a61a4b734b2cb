//! What bounds a body, in the frame of points that a query asks about: its supporting planes, and the reliefs above its cracks.
//!
//! A query brings those that may say something about its points into their frame, once, and tests eight points at a time. A
//! crack has both, a supporting plane and a relief: one product with its normal serves the two. A point is held against the
//! columns of the crack that it is farthest over.

use super::Local;
use super::lanes::{LANES, Lanes, PointLanes};
use super::relief::Relief;
use super::supports::Supports;

/// Planes that a query tests points against. With all of them it would test 1 % fewer points, at three times the price.
const PLANES: usize = 8;
/// The same where there are reliefs.
const BESIDES: usize = 4;
/// Cracks with reliefs that it tests points against.
const CRACKS: usize = 5;

/// What bounds a body, in the frame of points.
pub struct Walls<'a> {
    planes: [Plane; PLANES],
    plane_count: usize,
    cracks: [Crack<'a>; CRACKS],
    crack_count: usize,
}

/// A plane: how far a point is beyond it is the product with the normal, plus the offset. Four times each, as vectors want it.
#[derive(Clone, Copy)]
struct Plane {
    normal: [Four; 3],
    offset: Four,
}

#[derive(Clone, Copy)]
#[repr(align(16))]
struct Four([f32; 4]);

/// A crack in the frame of points.
#[derive(Clone, Copy)]
struct Crack<'a> {
    relief: Option<&'a Relief>,
    /// Height over the base, and place along the plane, of a point: products with these, plus the offsets.
    axes: [Local; 3],
    offsets: [f32; 3],
    /// The plane of the base.
    base: Plane,
    /// How high over the base the body reaches anywhere.
    reach: Four,
}

/// Points in another frame, where a body has its planes.
pub struct Placed<'a> {
    /// A point `p` is at `turn * p + shift` there.
    pub turn: &'a nalgebra::Matrix3<f32>,
    /// See above.
    pub shift: Local,
    /// Middle of the box around all of them.
    pub middle: Local,
    /// Half the size of that box.
    pub half: Local,
}

impl Placed<'_> {
    /// Middle and half edges of the box in the body's frame.
    pub fn around(&self) -> (Local, [Local; 3]) {
        let half = |axis: usize| self.turn.column(axis) * self.half[axis];
        (self.turn * self.middle + self.shift, [half(0), half(1), half(2)])
    }
}

/// How far points are beyond a body.
pub struct Beyond {
    /// By the plane that each is farthest beyond; minus infinity if there is none.
    pub planes: Lanes,
    /// Over the crack that each is farthest over, as that is without what sticks out of it.
    pub over: Lanes,
    /// Which crack that is.
    pub crack: [u32; LANES],
}

impl<'a> Walls<'a> {
    /// Nothing is known.
    pub const NONE: Self =
        Self { planes: [Plane::NONE; PLANES], plane_count: 0, cracks: [Crack::NONE; CRACKS], crack_count: 0 };

    /// The planes of a body, and its reliefs, which belong to the last of its planes: those that the middle of the points is
    /// farthest beyond, but for planes that all of them are within.
    pub fn new(supports: &Supports, reliefs: &'a [Relief], placed: &Placed) -> Self {
        let mut walls = Self::NONE;
        let (mut planes, mut cracks) = (Farthest::<PLANES>::NONE, Farthest::<CRACKS>::NONE);
        let (middle, halves) = placed.around();
        let limit = if reliefs.is_empty() { PLANES } else { BESIDES };
        supports.each_apart(&middle, &halves, |first, middle, spread| {
            for k in 0..LANES.min(supports.count() - first) {
                let plane = first + k;
                match supports.relief_of(plane, reliefs) {
                    None => planes.insert(middle[k], middle[k] + spread[k] > 0.0, plane, limit),
                    Some(relief) => {
                        let over = middle[k] + supports.reach(plane) - relief.base();
                        cracks.insert(over, over + spread[k] > 0.0, plane, CRACKS);
                    }
                }
            }
        });
        for plane in planes.iter() {
            let (normal, reach) = supports.plane(plane);
            walls.planes[walls.plane_count] =
                Plane::new(&placed.turn.tr_mul(&normal), normal.dot(&placed.shift) - reach);
            walls.plane_count += 1;
        }
        for plane in cracks.iter() {
            let relief = supports.relief_of(plane, reliefs);
            walls.cracks[walls.crack_count] = relief.map_or(Crack::NONE, |relief| {
                let [up, u, v] = relief.axes();
                let height = up.dot(&placed.shift) - relief.base();
                let axes = [placed.turn.tr_mul(up), placed.turn.tr_mul(u), placed.turn.tr_mul(v)];
                Crack {
                    relief: Some(relief),
                    axes,
                    offsets: [height, u.dot(&placed.shift), v.dot(&placed.shift)],
                    base: Plane::new(&axes[0], height),
                    reach: Four([supports.reach(plane) - relief.base(); 4]),
                }
            });
            walls.crack_count += 1;
        }
        walls
    }

    /// How far points are beyond the plane that each is farthest beyond; minus infinity if there is none.
    #[inline(never)] // in a function of its own it stays in registers
    pub fn beyond(&self, points: &PointLanes) -> Lanes {
        let mut planes = [f32::NEG_INFINITY; LANES];
        for Crack { base, reach, .. } in &self.cracks[..self.crack_count] {
            for (k, most) in planes.iter_mut().enumerate() {
                let out = base.beyond(points, k) - reach.0[k % 4];
                *most = if out > *most { out } else { *most };
            }
        }
        self.beyond_others(points, planes)
    }

    /// The same, and how far they are over cracks.
    #[inline(never)]
    pub fn beyond_and_over(&self, points: &PointLanes) -> Beyond {
        let (mut planes, mut over, mut crack) = ([f32::NEG_INFINITY; LANES], [f32::NEG_INFINITY; LANES], [0; LANES]);
        for (number, Crack { base, reach, .. }) in (0..).zip(&self.cracks[..self.crack_count]) {
            for k in 0..LANES {
                let height = base.beyond(points, k);
                let out = height - reach.0[k % 4];
                planes[k] = if out > planes[k] { out } else { planes[k] };
                crack[k] = if height > over[k] { number } else { crack[k] };
                over[k] = if height > over[k] { height } else { over[k] };
            }
        }
        Beyond { planes: self.beyond_others(points, planes), over, crack }
    }

    /// Besides what is known of cracks.
    #[inline(always)]
    fn beyond_others(&self, points: &PointLanes, mut planes: Lanes) -> Lanes {
        for plane in &self.planes[..self.plane_count] {
            for (k, most) in planes.iter_mut().enumerate() {
                let out = plane.beyond(points, k);
                *most = if out > *most { out } else { *most };
            }
        }
        planes
    }

    /// How far a point is above the columns of a crack; minus infinity where nothing is known. `reach` is how far around it
    /// that holds.
    #[inline]
    pub fn above(&self, crack: u32, at: &Local, reach: f32) -> f32 {
        let crack = &self.cracks[crack as usize % CRACKS];
        let Some(relief) = crack.relief else { return f32::NEG_INFINITY };
        crack.height(at) - relief.top(crack.along(at), reach)
    }

    /// Whether a point is above the columns of any crack, by more than `reach`.
    pub fn is_above_any(&self, at: &Local, reach: f32) -> bool {
        self.cracks[..self.crack_count].iter().any(|crack| {
            let height = crack.height(at);
            height > reach && crack.relief.is_some_and(|relief| height - relief.top(crack.along(at), reach) > reach)
        })
    }

    /// What the depth of a point does not exceed, by all cracks and the columns around; as close as is needed to know that it is
    /// not more than `needed`.
    pub fn most_depth(&self, at: &Local, needed: f32) -> f32 {
        let mut most = f32::INFINITY;
        for crack in &self.cracks[..self.crack_count] {
            let height = crack.height(at);
            // No column is lower than the base.
            if let Some(relief) = crack.relief.filter(|_| -height <= needed) {
                let depth = relief.most_depth(height, crack.along(at));
                most = if depth < most { depth } else { most };
            }
        }
        most
    }
}

impl Plane {
    const NONE: Self = Self { normal: [Four([0.0; 4]); 3], offset: Four([0.0; 4]) };

    fn new(normal: &Local, offset: f32) -> Self {
        Self { normal: [0, 1, 2].map(|axis| Four([normal[axis]; 4])), offset: Four([offset; 4]) }
    }

    /// How far one of eight points is beyond it.
    #[inline(always)]
    fn beyond(&self, points: &PointLanes, k: usize) -> f32 {
        let ([x, y, z], [normal_x, normal_y, normal_z]) = (&points.at, &self.normal);
        normal_x.0[k % 4] * x[k] + normal_y.0[k % 4] * y[k] + normal_z.0[k % 4] * z[k] + self.offset.0[k % 4]
    }
}

impl Crack<'_> {
    const NONE: Self = Self {
        relief: None,
        axes: [Local::new(0.0, 0.0, 0.0); 3],
        offsets: [0.0; 3],
        base: Plane::NONE,
        reach: Four([f32::INFINITY; 4]),
    };

    /// Over the base.
    #[inline]
    fn height(&self, at: &Local) -> f32 {
        self.axes[0].dot(at) + self.offsets[0]
    }

    #[inline]
    fn along(&self, at: &Local) -> [f32; 2] {
        [1, 2].map(|k| self.axes[k].dot(at) + self.offsets[k])
    }
}

/// The few planes that a point is farthest beyond, the farthest first.
struct Farthest<const N: usize> {
    /// How far, as a number that is in the same order, then the lower number of a plane; 0 for none.
    keys: [u64; N],
}

impl<const N: usize> Farthest<N> {
    const NONE: Self = Self { keys: [0; N] };

    /// Puts a plane, if it counts, in its place among the first `limit`; the last falls out. Without branches, which nobody
    /// could predict.
    #[inline(always)]
    fn insert(&mut self, beyond: f32, counts: bool, plane: usize, limit: usize) {
        let bits = beyond.to_bits();
        let ordered = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
        let mut key = if counts { (ordered as u64) << 32 | (u32::MAX - plane as u32) as u64 } else { 0 };
        for known in &mut self.keys[..limit] {
            (*known, key) = if key > *known { (key, *known) } else { (*known, key) };
        }
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.keys.iter().take_while(|key| **key != 0).map(|key| (u32::MAX - *key as u32) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;
    use crate::geom::relief::Rising;

    fn at(k: u64, s: f32) -> Local {
        Local::from_fn(|i, _| (unit(k, i as u64) as f32 * 2.0 - 1.0) * s)
    }

    #[test]
    fn walls_say_what_supports_say_in_another_frame() {
        let body: Vec<Local> = (0..50).map(|k| at(k, 1.0)).collect();
        let ups = [at(7, 1.0).normalize(), at(8, 1.0).normalize()];
        let supports = Supports::new(&PointLanes::list(&body), &ups);
        let reliefs = ups.map(|up| {
            let mut rising = Rising::new(&up, 0.5, 0.0, body.iter());
            body.iter().for_each(|p| rising.raise(std::iter::once(p), 0.0));
            rising.finish()
        });
        let (mut same, mut over, mut closer) = (0, 0, 0);
        for k in 0..500 {
            let turn = nalgebra::Rotation3::new(at(1000 + k, 2.0)).into_inner() * 0.7;
            let shift = at(2000 + k, 1.5);
            let points: Vec<Local> = (0..LANES as u64).map(|i| at(3000 + k * 8 + i, 0.5)).collect();
            let placed = Placed { turn: &turn, shift, middle: Local::zeros(), half: Local::repeat(0.5) };
            let walls = Walls::new(&supports, &reliefs, &placed);
            let Beyond { planes, over: heights, crack } = walls.beyond_and_over(&PointLanes::list(&points)[0]);
            for (i, p) in points.iter().enumerate() {
                let (beyond, there) = (planes[i], turn * p + shift);
                let known = supports.beyond(&there);
                // Never more than is known, and mostly as much.
                assert!(beyond <= known + 1e-5, "{beyond} for {known}");
                same += ((beyond - known).abs() < 1e-5 || known < 0.0) as usize;
                let above = walls.above(crack[i], p, 0.0);
                if walls.crack_count == 0 {
                    continue;
                }
                // All cracks say at least what one says, and so do the columns around.
                over += (heights[i] > 0.0 && above > 0.0) as usize;
                assert!(above <= 0.0 || heights[i] <= 0.0 || walls.is_above_any(p, 0.0));
                let most = walls.most_depth(p, f32::INFINITY);
                assert!(most <= -above + 1e-5, "{most} for {above}");
                closer += (most < -above - 0.01) as usize;
            }
        }
        assert!(same * 100 > 500 * LANES * 90, "{same}");
        assert!(over > 200 && closer > 100, "{over}, {closer}");
    }
}
