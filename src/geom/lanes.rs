//! Eight numbers at a time, in arrays that the compiler turns into vectors.

use crate::geom::Local;
use crate::geom::simd::at_most;

/// How many.
pub const LANES: usize = 8;
/// Eight numbers.
pub type Lanes = [f32; LANES];

/// Eight numbers by their places. A plain loop: closures in `array::from_fn` are not always made into vectors.
#[inline(always)]
pub fn lanes(number: impl Fn(usize) -> f32) -> Lanes {
    let mut all = [0.0; LANES];
    for (k, one) in all.iter_mut().enumerate() {
        *one = number(k);
    }
    all
}

/// The places at which something holds, one after the other.
#[inline(always)]
pub fn lane_mask(holds: impl Fn(usize) -> bool) -> LaneMask {
    // A bit each, joined by halves: so it becomes a few vectors, and no branches.
    let mut bits = [0; LANES];
    for (k, bit) in bits.iter_mut().enumerate() {
        *bit = if holds(k) { 1 << k } else { 0 };
    }
    let four: [u32; 4] = std::array::from_fn(|k| bits[k] | bits[k + 4]);
    LaneMask((four[0] | four[2]) | (four[1] | four[3]))
}

/// Some of eight lane_mask, ascending.
#[derive(Clone, Copy)]
pub struct LaneMask(u32);

impl LaneMask {
    /// Those whose bits are set.
    pub fn of(bits: u8) -> Self {
        Self(bits as u32)
    }

    /// One place, if it counts.
    #[inline(always)]
    pub fn one(k: usize, counts: bool) -> Self {
        Self((counts as u32) << k)
    }

    /// The places at which a number is no greater than another.
    #[inline(always)]
    pub fn at_most(a: &Lanes, b: &Lanes) -> Self {
        let half = |of: &Lanes, from: usize| -> [f32; 4] { std::array::from_fn(|k| of[from + k]) };
        Self(at_most(half(a, 0), half(b, 0)) | at_most(half(a, 4), half(b, 4)) << 4)
    }

    /// The first few, at most eight.
    pub fn first(count: usize) -> Self {
        Self((1 << count) - 1)
    }

    /// Those and others.
    #[inline(always)]
    pub fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that are among others too.
    pub fn among(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }
}

impl Iterator for LaneMask {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let first = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (first < LANES).then_some(first)
    }
}

/// In each lane the highest of some numbers, and which eight it came from.
#[derive(Clone, Copy, Debug)]
pub struct Highest {
    /// The numbers.
    pub most: Lanes,
    /// The eights.
    pub eight: [i32; LANES],
}

impl Highest {
    /// Of no numbers.
    pub const NONE: Self = Self { most: [f32::NEG_INFINITY; LANES], eight: [0; LANES] };

    /// Takes what is higher in an eight; these come ascending.
    #[inline(always)]
    pub fn raise(&mut self, of: &Lanes, eight: i32) {
        for (k, of) in of.iter().enumerate() {
            // The later eight is the higher: two cheap instructions instead of a blend.
            let won = if *of > self.most[k] { eight } else { 0 };
            self.eight[k] = if won > self.eight[k] { won } else { self.eight[k] };
            self.most[k] = if *of > self.most[k] { *of } else { self.most[k] };
        }
    }

    /// The first that is as high as `top`: eight and lane, as one number.
    #[inline(always)]
    pub fn first(&self, top: f32) -> usize {
        let mut places = [0; LANES];
        for (k, place) in places.iter_mut().enumerate() {
            let own = self.eight[k] * LANES as i32 + k as i32;
            *place = if self.most[k] == top { own } else { i32::MAX };
        }
        let low = |a: i32, b: i32| if b < a { b } else { a };
        let four: [i32; 4] = std::array::from_fn(|k| low(places[k], places[k + 4]));
        low(low(four[0], four[2]), low(four[1], four[3])) as usize
    }
}

/// Eight points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointLanes {
    /// Coordinates.
    pub at: [Lanes; 3],
}

impl PointLanes {
    /// Up to eight points; short of that, the last comes again.
    #[inline]
    pub fn of(points: &[Local]) -> Self {
        let mut all = Self { at: [[0.0; LANES]; 3] };
        let [x, y, z] = &mut all.at;
        for k in 0..LANES {
            let p = &points[k.min(points.len() - 1)];
            (x[k], y[k], z[k]) = (p.x, p.y, p.z);
        }
        all
    }

    /// The points of a list, eight by eight.
    pub fn list(points: &[Local]) -> Vec<Self> {
        points.chunks(LANES).map(Self::of).collect()
    }

    /// One of them.
    pub fn get(&self, k: usize) -> Local {
        Local::new(self.at[0][k], self.at[1][k], self.at[2][k])
    }

    /// Sets one of them.
    #[inline]
    pub fn put(&mut self, k: usize, at: &Local) {
        (0..3).for_each(|axis| self.at[axis][k] = at[axis]);
    }
}

/// Eight spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereLanes {
    /// Middles.
    pub centre: PointLanes,
    /// Radii; short of eight, those that are missing have a negative one without end, and are far from everything.
    pub radius: Lanes,
}

impl SphereLanes {
    /// Eight that are missing.
    pub const FAR: Self = Self { centre: PointLanes { at: [[0.0; LANES]; 3] }, radius: [f32::NEG_INFINITY; LANES] };

    /// Sets one of them; its radius a hair larger, for rounding.
    pub fn put(&mut self, k: usize, (centre, radius): (Local, f32)) {
        (0..3).for_each(|axis| self.centre.at[axis][k] = centre[axis]);
        self.radius[k] = radius * (1.0 + 1e-6);
    }

    /// Up to eight spheres, by middles and radii.
    pub fn of(spheres: &[(Local, f32)]) -> Self {
        let mut block = Self::FAR;
        spheres.iter().enumerate().for_each(|(k, sphere)| block.put(k, *sphere));
        block
    }

    /// The spheres of a list, eight by eight.
    pub fn list(spheres: &[(Local, f32)]) -> Vec<Self> {
        spheres.chunks(LANES).map(Self::of).collect()
    }

    /// A sphere around every eight of a list, eight by eight.
    pub fn around(spheres: &[(Local, f32)]) -> Vec<Self> {
        Self::list(&spheres.chunks(LANES).map(around_spheres).collect::<Vec<_>>())
    }

    /// Middles and radii of those that are there.
    pub fn iter(&self) -> impl Iterator<Item = (Local, f32)> {
        (0..LANES).map(|k| (self.centre.get(k), self.radius[k])).filter(|(_, radius)| *radius >= 0.0)
    }

    /// How far a point is outside of each; negative inside.
    #[inline]
    pub fn apart(&self, p: &Local) -> Lanes {
        let [x, y, z] = &self.centre.at;
        lanes(|k| {
            let (x, y, z) = (x[k] - p.x, y[k] - p.y, z[k] - p.z);
            (x * x + y * y + z * z).sqrt() - self.radius[k]
        })
    }
}

/// Middle and half the size of the box around some eights of points.
pub fn middle_and_half_of_lanes(points: &[PointLanes]) -> (Local, Local) {
    let (mut low, mut high) = ([[f32::INFINITY; LANES]; 3], [[f32::NEG_INFINITY; LANES]; 3]);
    for eight in points {
        for axis in 0..3 {
            // Compared plainly: that is one instruction each.
            for k in 0..LANES {
                let at = eight.at[axis][k];
                low[axis][k] = if at < low[axis][k] { at } else { low[axis][k] };
                high[axis][k] = if at > high[axis][k] { at } else { high[axis][k] };
            }
        }
    }
    if points.is_empty() {
        return (Local::zeros(), Local::zeros());
    }
    let (low, high) = (low.map(|l| lowest(&l)), high.map(|h| highest(&h)));
    let of = |f: fn(f32, f32) -> f32| Local::from_fn(|k, _| f(low[k], high[k]));
    (of(|low, high| (low + high) * 0.5), of(|low, high| (high - low) * 0.5))
}

/// The sphere about the middle of the box of their middles that holds some spheres.
pub fn around_spheres(spheres: &[(Local, f32)]) -> (Local, f32) {
    let extreme =
        |axis: usize, pick: fn(f32, f32) -> f32| spheres.iter().map(|(c, _)| c[axis]).reduce(pick).unwrap_or(0.0);
    let centre = Local::from_fn(|axis, _| {
        let (low, high) =
            (extreme(axis, |a, b| if b < a { b } else { a }), extreme(axis, |a, b| if b > a { b } else { a }));
        (low + high) * 0.5
    });
    (centre, spheres.iter().map(|(c, radius)| (c - centre).norm() + radius).fold(0.0, f32::max))
}

/// The sphere about the middle of their box that holds some eights of points, given by their coordinates.
#[inline(never)]
pub fn around_lanes<const N: usize>(points: &[[Lanes; 3]; N]) -> (Local, f32) {
    let centre = Local::from_fn(|axis, _| {
        let (mut low, mut high) = (points[0][axis], points[0][axis]);
        for eight in &points[1..] {
            for k in 0..LANES {
                low[k] = if eight[axis][k] < low[k] { eight[axis][k] } else { low[k] };
                high[k] = if eight[axis][k] > high[k] { eight[axis][k] } else { high[k] };
            }
        }
        (lowest(&low) + highest(&high)) * 0.5
    });
    let mut squared = [0.0; LANES];
    for [x, y, z] in points {
        for k in 0..LANES {
            let (x, y, z) = (x[k] - centre.x, y[k] - centre.y, z[k] - centre.z);
            let far = x * x + y * y + z * z;
            squared[k] = if far > squared[k] { far } else { squared[k] };
        }
    }
    (centre, highest(&squared).sqrt())
}

/// The lowest of eight numbers.
#[inline]
pub fn lowest(lanes: &Lanes) -> f32 {
    let low = |a: f32, b: f32| if b < a { b } else { a };
    let four: [f32; 4] = std::array::from_fn(|k| low(lanes[k], lanes[k + 4]));
    low(low(four[0], four[2]), low(four[1], four[3]))
}

/// The highest of eight numbers.
#[inline]
pub fn highest(lanes: &Lanes) -> f32 {
    let high = |a: f32, b: f32| if b > a { b } else { a };
    let four: [f32; 4] = std::array::from_fn(|k| high(lanes[k], lanes[k + 4]));
    high(high(four[0], four[2]), high(four[1], four[3]))
}
