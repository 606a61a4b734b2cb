//! Walls: what bounds a body, in the frame of the query's points. Its supporting planes, and the reliefs above its
//! cracks.
//!
//! A query transforms those that may exclude its points into their frame once, and tests eight points at a time. A
//! crack has both a supporting plane and a relief: one dot product with its normal serves the two. A point is tested
//! against the columns of the crack that it is highest above.

use crate::culling::relief::Relief;
use crate::culling::supports::{Apart, Block, Supports};
use crate::geom::Local;
use crate::geom::lanes::{LANES, Lanes, PointLanes, lanes};
use crate::geom::simd::{Lanewise, widest};

/// Planes that points are tested against: one per vector lane, since the eight farthest of all take ten times as long
/// to find. All planes would cull 1 % more points, at three times the cost.
const PLANES: usize = LANES;
/// The same where there are reliefs. Two more, and two more cracks, would save 3 % of the evaluations at a third more
/// for the tests.
const BESIDES: usize = 4;
/// Cracks with reliefs that points are tested against. See `BESIDES`.
const CRACKS: usize = 5;

/// Supporting planes and reliefs of a body, in the frame of the points.
pub struct Walls<'a> {
    planes: &'a [Plane],
    cracks: &'a [Crack],
    reliefs: &'a [Relief],
}

/// Room for walls, which a query need not clear.
pub struct WallRoom {
    planes: [Plane; PLANES],
    cracks: [Crack; CRACKS],
}

impl Default for WallRoom {
    fn default() -> Self {
        Self { planes: [Plane::NONE; PLANES], cracks: [Crack::NONE; CRACKS] }
    }
}

impl WallRoom {
    /// Puts planes of a body without reliefs, and returns their number.
    #[inline(always)]
    fn put_planes(
        &mut self,
        supports: &Supports,
        PlacedWalls { turn, shift, .. }: &PlacedWalls,
        apart: &Apart,
    ) -> usize {
        let (most, Block { normal: PointLanes { at: [x, y, z] }, reach }) = supports.farthest(apart);
        let along = |by: [f32; 3]| lanes(|k| by[0] * x[k] + by[1] * y[k] + by[2] * z[k]);
        let normal = [0, 1, 2].map(|axis| along([turn[(0, axis)], turn[(1, axis)], turn[(2, axis)]]));
        let offset = along([shift.x, shift.y, shift.z]);
        let offset = lanes(|k| offset[k] - reach[k]);
        let mut count = 0;
        for k in 0..LANES {
            self.planes[count] = Plane {
                normal: [Eight([normal[0][k]; LANES]), Eight([normal[1][k]; LANES]), Eight([normal[2][k]; LANES])],
                offset: Eight([offset[k]; LANES]),
            };
            count += (most[k] > f32::NEG_INFINITY) as usize;
        }
        count
    }

    /// Puts planes and cracks, and returns their numbers.
    fn put(&mut self, supports: &Supports, reliefs: &[Relief], placed: &PlacedWalls, apart: &Apart) -> (usize, usize) {
        let (mut planes, mut cracks) = (Farthest::<BESIDES>::NONE, Farthest::<CRACKS>::NONE);
        let (mut farthest, mut block_of) = ([f32::NEG_INFINITY; LANES], [0; LANES]);
        for (block, (middle, spread)) in (0..).zip(apart.blocks()) {
            for k in 0..LANES {
                let beyond = if middle[k] + spread[k] > 0.0 { middle[k] } else { f32::NEG_INFINITY };
                let beyond = if supports.has_relief(block * LANES + k, reliefs) { f32::NEG_INFINITY } else { beyond };
                block_of[k] = if beyond > farthest[k] { block as u32 } else { block_of[k] };
                farthest[k] = if beyond > farthest[k] { beyond } else { farthest[k] };
            }
        }
        (0..LANES).for_each(|k| {
            planes.insert(farthest[k], farthest[k] > f32::NEG_INFINITY, block_of[k] as usize * LANES + k)
        });
        for (plane, relief) in supports.with_reliefs(reliefs) {
            let (middle, spread) = apart.of(plane);
            let over = middle + supports.reach(plane) - relief.base();
            cracks.insert(over, over + spread > 0.0, plane);
        }
        let (mut plane_count, mut crack_count) = (0, 0);
        for plane in planes.iter() {
            let (normal, reach) = supports.plane(plane);
            self.planes[plane_count] = Plane::new(&placed.turn.tr_mul(&normal), normal.dot(&placed.shift) - reach);
            plane_count += 1;
        }
        for (plane, number) in cracks.iter().filter_map(|plane| Some((plane, supports.relief_of(plane)?))) {
            let relief = &reliefs[number];
            let [up, u, v] = relief.axes();
            let height = up.dot(&placed.shift) - relief.base();
            let axes = [placed.turn.tr_mul(up), placed.turn.tr_mul(u), placed.turn.tr_mul(v)];
            self.cracks[crack_count] = Crack {
                relief: number,
                axes,
                offsets: [height, u.dot(&placed.shift), v.dot(&placed.shift)],
                base: Plane::new(&axes[0], height),
                reach: Eight([supports.reach(plane) - relief.base(); LANES]),
            };
            crack_count += 1;
        }
        (plane_count, crack_count)
    }
}

/// A plane: the signed distance of a point is the dot product with the normal, plus the offset. Broadcast to all lanes.
#[derive(Clone, Copy)]
struct Plane {
    normal: [Eight; 3],
    offset: Eight,
}

#[derive(Clone, Copy)]
#[repr(align(32))]
struct Eight(Lanes);

/// A crack in the frame of the points.
#[derive(Clone, Copy)]
struct Crack {
    /// Index of its relief.
    relief: usize,
    /// Height above the base and coordinates along the plane of a point: dot products with these, plus the offsets.
    axes: [Local; 3],
    offsets: [f32; 3],
    /// The base as a plane.
    base: Plane,
    /// Largest height of the body above the base.
    reach: Eight,
}

/// Placement of the points in the frame of the body.
pub struct PlacedWalls<'a> {
    /// A point `p` is at `turn * p + shift` there.
    pub turn: &'a nalgebra::Matrix3<f32>,
    /// Translation, see `turn`.
    pub shift: Local,
    /// Centre of the bounding box of the points.
    pub middle: Local,
    /// Half extents of that box.
    pub half: Local,
}

impl PlacedWalls<'_> {
    /// Centre and half edges of the box in the body's frame.
    #[inline(always)]
    pub fn around(&self) -> (Local, [Local; 3]) {
        let half = |axis: usize| self.turn.column(axis) * self.half[axis];
        (self.turn * self.middle + self.shift, [half(0), half(1), half(2)])
    }
}

/// Bounds of eight points.
#[derive(Debug, PartialEq)]
pub struct Beyond {
    /// Distance beyond the farthest plane; minus infinity if there is none.
    pub planes: Lanes,
    /// Height above the base of the crack that each is highest above.
    pub over: Lanes,
    /// Index of that crack.
    pub crack: [u32; LANES],
}

impl<'a> Walls<'a> {
    /// No walls: nothing is bounded.
    pub const NONE: Self = Self { planes: &[], cracks: &[], reliefs: &[] };

    /// Selects from the planes and reliefs of a body. Of the planes that some of the points may be beyond, keeps in
    /// each vector lane the one that their centre is farthest beyond. Reliefs belong to the last planes. `apart` is the
    /// separation of the points' box from the planes.
    #[inline(always)]
    pub fn new(
        supports: &Supports,
        reliefs: &'a [Relief],
        placed: &PlacedWalls,
        apart: &Apart,
        room: &'a mut WallRoom,
    ) -> Self {
        let (plane_count, crack_count) = match reliefs.is_empty() {
            true => (room.put_planes(supports, placed, apart), 0),
            false => room.put(supports, reliefs, placed, apart),
        };
        Self { planes: &room.planes[..plane_count], cracks: &room.cracks[..crack_count], reliefs }
    }

    /// Distance of points beyond the plane that each is farthest beyond; minus infinity if there is none.
    pub fn beyond(&self, points: &PointLanes) -> Lanes {
        widest(BeyondPlanes { walls: self, points })
    }

    /// The same, and the heights above cracks.
    pub fn beyond_and_over(&self, points: &PointLanes) -> Beyond {
        widest(BeyondAll { walls: self, points })
    }

    /// Whether points can be above a crack with a relief.
    pub fn have_reliefs(&self) -> bool {
        !self.cracks.is_empty()
    }

    /// Lower bounds of the signed distances along eight segments: by the plane that each is all beyond, or least below.
    pub fn beyond_segments(&self, ends: &[PointLanes; 2]) -> Lanes {
        widest(BeyondSegments { walls: self, ends })
    }

    /// The part of a segment within `reach` of all planes, from 0 to 1 along it; `None` if there is none.
    pub fn clip(&self, [start, end]: &[Local; 2], reach: f32) -> Option<[f32; 2]> {
        let (mut from, mut to) = (0.0f32, 1.0f32);
        let mut cut = |a: f32, b: f32| {
            // Parallel to the plane it is all within or all beyond, and then it has no crossing.
            let at = (reach - a) / (b - a);
            (from, to) = match (a > reach, b > reach) {
                (true, true) => (1.0, 0.0),
                (true, false) => (from.max(at), to),
                (false, true) => (from, to.min(at)),
                (false, false) => (from, to),
            };
        };
        for Crack { base, reach, .. } in self.cracks {
            cut(base.beyond_one(start) - reach.0[0], base.beyond_one(end) - reach.0[0]);
        }
        for plane in self.planes {
            cut(plane.beyond_one(start), plane.beyond_one(end));
        }
        (from < to).then_some([from, to])
    }

    /// Maximum of `planes` and the planes without reliefs.
    #[inline(always)]
    fn beyond_others(&self, points: &PointLanes, mut planes: Lanes) -> Lanes {
        for plane in self.planes {
            planes = larger(&plane.beyond(points), &planes);
        }
        planes
    }

    /// Height of a point above the columns of a crack within `reach` of it; minus infinity outside of the known
    /// columns.
    #[inline]
    pub fn above(&self, crack: u32, at: &Local, reach: f32) -> f32 {
        let Some(crack) = self.cracks.get(crack as usize) else { return f32::NEG_INFINITY };
        crack.height(at) - self.reliefs[crack.relief].top(crack.along(at), reach)
    }

    /// Whether a point is above the columns of any crack by more than `reach`.
    pub fn is_above_any(&self, at: &Local, reach: f32) -> bool {
        self.cracks.iter().any(|crack| {
            let height = crack.height(at);
            height > reach && height - self.reliefs[crack.relief].top(crack.along(at), reach) > reach
        })
    }

    /// Upper bound of the depth of a point, by all cracks and the columns around; refined only until it is known not to
    /// exceed `needed`.
    pub fn most_depth(&self, at: &Local, needed: f32) -> f32 {
        let mut most = f32::INFINITY;
        for crack in self.cracks {
            let height = crack.height(at);
            // No column is lower than the base, so the bound of a point this far below it exceeds `needed`: skip.
            if -height <= needed {
                let depth = self.reliefs[crack.relief].most_depth(height, crack.along(at));
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

    /// Signed distance of a point.
    fn beyond_one(&self, at: &Local) -> f32 {
        let [x, y, z] = &self.normal;
        x.0[0] * at.x + y.0[0] * at.y + z.0[0] * at.z + self.offset.0[0]
    }

    /// Signed distance of eight points.
    #[inline(always)]
    fn beyond(&self, points: &PointLanes) -> Lanes {
        let ([x, y, z], [normal_x, normal_y, normal_z]) = (&points.at, &self.normal);
        lanes(|k| normal_x.0[k] * x[k] + normal_y.0[k] * y[k] + normal_z.0[k] * z[k] + self.offset.0[k])
    }
}

// Functions of their own: inlined into others, the compiler vectorizes them only in part.

struct BeyondPlanes<'w> {
    walls: &'w Walls<'w>,
    points: &'w PointLanes,
}

impl Lanewise for BeyondPlanes<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn run(self) -> Lanes {
        let mut planes = [f32::NEG_INFINITY; LANES];
        for Crack { base, reach, .. } in self.walls.cracks {
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
        for (number, Crack { base, reach, .. }) in (0..).zip(self.walls.cracks) {
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

struct BeyondSegments<'w> {
    walls: &'w Walls<'w>,
    ends: &'w [PointLanes; 2],
}

impl Lanewise for BeyondSegments<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn run(self) -> Lanes {
        let Self { walls, ends: [start, end] } = self;
        let mut beyond = [f32::NEG_INFINITY; LANES];
        for Crack { base, reach, .. } in walls.cracks {
            let lower = smaller(&base.beyond(start), &base.beyond(end));
            beyond = larger(&lanes(|k| lower[k] - reach.0[k]), &beyond);
        }
        for plane in walls.planes {
            beyond = larger(&smaller(&plane.beyond(start), &plane.beyond(end)), &beyond);
        }
        beyond
    }
}

/// Lane-wise minimum.
#[inline(always)]
fn smaller(a: &Lanes, b: &Lanes) -> Lanes {
    lanes(|k| if a[k] < b[k] { a[k] } else { b[k] })
}

/// Lane-wise maximum.
#[inline(always)]
fn larger(a: &Lanes, b: &Lanes) -> Lanes {
    lanes(|k| if a[k] > b[k] { a[k] } else { b[k] })
}

impl Crack {
    const NONE: Self = Self {
        relief: 0,
        axes: [Local::new(0.0, 0.0, 0.0); 3],
        offsets: [0.0; 3],
        base: Plane::NONE,
        reach: Eight([f32::INFINITY; LANES]),
    };

    /// Height above the base.
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
    /// Sort keys: the distance as an ordered integer, then the lower plane index first; 0 for none.
    keys: [u64; N],
}

impl<const N: usize> Farthest<N> {
    const NONE: Self = Self { keys: [0; N] };

    /// Inserts a plane, if it counts; the last drops out. Branchless: unpredictable.
    #[inline(always)]
    fn insert(&mut self, beyond: f32, counts: bool, plane: usize) {
        let bits = beyond.to_bits();
        let ordered = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
        let mut key = if counts { (ordered as u64) << 32 | (u32::MAX - plane as u32) as u64 } else { 0 };
        for known in &mut self.keys {
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
            let mut room = WallRoom::default();
            let walls = Walls::new(&supports, &reliefs, &placed, &apart, &mut room);
            let points_in_lanes = &PointLanes::list(&points)[0];
            let all = walls.beyond_and_over(points_in_lanes);
            // The vector width does not change a bit of the result.
            assert_eq!(with_any(BeyondAll { walls: &walls, points: points_in_lanes }), all);
            assert_eq!(
                with_any(BeyondPlanes { walls: &walls, points: points_in_lanes }),
                walls.beyond(points_in_lanes)
            );
            let Beyond { planes, over: heights, crack } = all;
            for (i, p) in points.iter().enumerate() {
                let (beyond, there) = (planes[i], turn * p + shift);
                let known = supports.beyond(&there);
                // Never more than the supports, and mostly as much.
                assert!(beyond <= known + 1e-5, "{beyond} for {known}");
                same += ((beyond - known).abs() < 1e-5 || known < 0.0) as usize;
                let above = walls.above(crack[i], p, 0.0);
                if walls.cracks.is_empty() {
                    continue;
                }
                // All cracks bound at least as tightly as one, and so do the columns around.
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
