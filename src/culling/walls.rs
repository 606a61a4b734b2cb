//! What bounds a body, in the frame of points that a query asks about: its supporting planes, and the reliefs above its cracks.
//!
//! A query brings those that may say something about its points into their frame, once, and tests eight points at a time. A
//! crack has both, a supporting plane and a relief: one product with its normal serves the two. A point is held against the
//! columns of the crack that it is farthest over.

use crate::culling::relief::Relief;
use crate::culling::supports::{Apart, Supports};
use crate::geom::Local;
use crate::geom::lanes::{LANES, Lanes, PointLanes, lanes};
use crate::geom::simd::{Lanewise, widest};

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

/// A plane: how far a point is beyond it is the product with the normal, plus the offset. Once a lane, as vectors want it.
#[derive(Clone, Copy)]
struct Plane {
    normal: [Eight; 3],
    offset: Eight,
}

#[derive(Clone, Copy)]
#[repr(align(32))]
struct Eight(Lanes);

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
    reach: Eight,
}

/// Points in another frame, where a body has its planes.
pub struct PlacedWalls<'a> {
    /// A point `p` is at `turn * p + shift` there.
    pub turn: &'a nalgebra::Matrix3<f32>,
    /// See above.
    pub shift: Local,
    /// Middle of the box around all of them.
    pub middle: Local,
    /// Half the size of that box.
    pub half: Local,
}

impl PlacedWalls<'_> {
    /// Middle and half edges of the box in the body's frame.
    #[inline(always)]
    pub fn around(&self) -> (Local, [Local; 3]) {
        let half = |axis: usize| self.turn.column(axis) * self.half[axis];
        (self.turn * self.middle + self.shift, [half(0), half(1), half(2)])
    }
}

/// How far points are beyond a body.
#[derive(Debug, PartialEq)]
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

    /// The planes of a body, and its reliefs, which belong to the last of its planes: of those that some of the points may be beyond,
    /// the ones that their middle is farthest beyond, one in each lane. `apart` is how far the box of the points is beyond them.
    #[inline(always)]
    pub fn new(supports: &Supports, reliefs: &'a [Relief], placed: &PlacedWalls, apart: &Apart) -> Self {
        let mut walls = Self::NONE;
        let (mut planes, mut cracks) = (Farthest::<PLANES>::NONE, Farthest::<CRACKS>::NONE);
        let limit = if reliefs.is_empty() { PLANES } else { BESIDES };
        let (mut farthest, mut block_of) = ([f32::NEG_INFINITY; LANES], [0; LANES]);
        for (block, (middle, spread)) in (0..).zip(apart.blocks()) {
            for k in 0..LANES {
                let beyond = if middle[k] + spread[k] > 0.0 { middle[k] } else { f32::NEG_INFINITY };
                let beyond = if supports.has_relief(block * LANES + k, reliefs) { f32::NEG_INFINITY } else { beyond };
                block_of[k] = if beyond > farthest[k] { block as u32 } else { block_of[k] };
                farthest[k] = if beyond > farthest[k] { beyond } else { farthest[k] };
            }
        }
        for k in 0..LANES {
            planes.insert(farthest[k], farthest[k] > f32::NEG_INFINITY, block_of[k] as usize * LANES + k, limit);
        }
        for (plane, relief) in supports.with_reliefs(reliefs) {
            let (middle, spread) = apart.of(plane);
            let over = middle + supports.reach(plane) - relief.base();
            cracks.insert(over, over + spread > 0.0, plane, CRACKS);
        }
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
                    reach: Eight([supports.reach(plane) - relief.base(); LANES]),
                }
            });
            walls.crack_count += 1;
        }
        walls
    }

    /// How far points are beyond the plane that each is farthest beyond; minus infinity if there is none.
    pub fn beyond(&self, points: &PointLanes) -> Lanes {
        widest(BeyondPlanes { walls: self, points })
    }

    /// The same, and how far they are over cracks.
    pub fn beyond_and_over(&self, points: &PointLanes) -> Beyond {
        match self.crack_count {
            0 => Beyond { planes: self.beyond(points), over: [f32::NEG_INFINITY; LANES], crack: [0; LANES] },
            _ => widest(BeyondAll { walls: self, points }),
        }
    }

    /// Besides what is known of cracks.
    #[inline(always)]
    fn beyond_others(&self, points: &PointLanes, mut planes: Lanes) -> Lanes {
        for plane in &self.planes[..self.plane_count] {
            planes = larger(&plane.beyond(points), &planes);
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
    const NONE: Self = Self { normal: [Eight([0.0; LANES]); 3], offset: Eight([0.0; LANES]) };

    fn new(normal: &Local, offset: f32) -> Self {
        Self { normal: [0, 1, 2].map(|axis| Eight([normal[axis]; LANES])), offset: Eight([offset; LANES]) }
    }

    /// How far eight points are beyond it.
    #[inline(always)]
    fn beyond(&self, points: &PointLanes) -> Lanes {
        let ([x, y, z], [normal_x, normal_y, normal_z]) = (&points.at, &self.normal);
        lanes(|k| normal_x.0[k] * x[k] + normal_y.0[k] * y[k] + normal_z.0[k] * z[k] + self.offset.0[k])
    }
}

// Functions of their own: within others, not all of it is made into vectors.

struct BeyondPlanes<'w> {
    walls: &'w Walls<'w>,
    points: &'w PointLanes,
}

impl Lanewise for BeyondPlanes<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn run(self) -> Lanes {
        let mut planes = [f32::NEG_INFINITY; LANES];
        for Crack { base, reach, .. } in &self.walls.cracks[..self.walls.crack_count] {
            let height = base.beyond(self.points);
            planes = larger(&lanes(|k| height[k] - reach.0[k]), &planes);
        }
        self.walls.beyond_others(self.points, planes)
    }
}

struct BeyondAll<'w> {
    walls: &'w Walls<'w>,
    points: &'w PointLanes,
}

impl Lanewise for BeyondAll<'_> {
    type Output = Beyond;

    #[inline(always)]
    fn run(self) -> Beyond {
        let (mut planes, mut over, mut crack) = ([f32::NEG_INFINITY; LANES], [f32::NEG_INFINITY; LANES], [0; LANES]);
        for (number, Crack { base, reach, .. }) in (0..).zip(&self.walls.cracks[..self.walls.crack_count]) {
            let height = base.beyond(self.points);
            planes = larger(&lanes(|k| height[k] - reach.0[k]), &planes);
            for k in 0..LANES {
                crack[k] = if height[k] > over[k] { number } else { crack[k] };
            }
            over = larger(&height, &over);
        }
        Beyond { planes: self.walls.beyond_others(self.points, planes), over, crack }
    }
}

/// Lane by lane, the larger of two numbers.
#[inline(always)]
fn larger(a: &Lanes, b: &Lanes) -> Lanes {
    lanes(|k| if a[k] > b[k] { a[k] } else { b[k] })
}

impl Crack<'_> {
    const NONE: Self = Self {
        relief: None,
        axes: [Local::new(0.0, 0.0, 0.0); 3],
        offsets: [0.0; 3],
        base: Plane::NONE,
        reach: Eight([f32::INFINITY; LANES]),
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
    use crate::culling::relief::Rising;
    use crate::geom::random::unit;
    use crate::geom::simd::with_any;

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
            let placed = PlacedWalls { turn: &turn, shift, middle: Local::zeros(), half: Local::repeat(0.5) };
            let (middle, halves) = placed.around();
            let mut apart = Apart::default();
            supports.measure(&middle, &halves, &mut apart);
            let walls = Walls::new(&supports, &reliefs, &placed, &apart);
            let points_in_lanes = &PointLanes::list(&points)[0];
            let all = walls.beyond_and_over(points_in_lanes);
            // The width of vectors does not change a bit.
            assert_eq!(with_any(BeyondAll { walls: &walls, points: points_in_lanes }), all);
            assert_eq!(
                with_any(BeyondPlanes { walls: &walls, points: points_in_lanes }),
                walls.beyond(points_in_lanes)
            );
            let Beyond { planes, over: heights, crack } = all;
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
