//! Flat cylinders around patches of a surface, one and eight at a time.
//!
//! Parts of a crack are flat, and spheres hold them badly: a point a little above the middle of one is deep in its sphere. A
//! cylinder along its mean normal is as thin as the patch, and costs no more to ask.

use crate::geom::Local;
use crate::geom::lanes::{LANES, LaneMask, Lanes, PointLanes, highest, lane_mask, lanes, lowest};

/// All that is no farther than `radius` from the axis through `centre` along `normal`, and than `half` from the plane across.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    /// Middle.
    pub centre: Local,
    /// Unit, or zero for what faces nowhere.
    pub normal: Local,
    /// How wide it is to all sides.
    pub radius: f32,
    /// Half of how thick it is.
    pub half: f32,
}

/// Eight of them. Whole lines of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct PatchLanes {
    centre: PointLanes,
    normal: PointLanes,
    /// Short of eight, those that are missing have a negative one without end, and are far from everything.
    radius: Lanes,
    half: Lanes,
}

impl Patch {
    /// The patch along a unit vector, or zero, that holds some eights of triangles, given by the coordinates of their corners,
    /// and by the box around them. A hair larger, for rounding.
    #[inline]
    pub fn around<'a>(normal: Local, bounds: &Bounds, eights: impl Iterator<Item = &'a [[Lanes; 3]; 3]>) -> Self {
        let centre = Local::from_fn(|axis, _| (lowest(&bounds.low[axis]) + highest(&bounds.high[axis])) * 0.5);
        let extent = Extent::of(eights, &centre, &normal);
        let (below, above) = (lowest(&extent.below), highest(&extent.above));
        let radius = highest(&extent.wide).sqrt() * (1.0 + 1e-5);
        Self {
            centre: centre + normal * ((above + below) * 0.5),
            normal,
            radius,
            half: (above - below) * (0.5 + 1e-5) + radius * 1e-6,
        }
    }

    /// How far a point is outside, squared; zero within.
    #[inline]
    pub fn apart_squared(&self, p: &Local) -> f32 {
        let from = p - self.centre;
        let along = from.dot(&self.normal);
        let beside = above_zero(from.norm_squared() - along * along).sqrt();
        let (over, beside) = (above_zero(along.abs() - self.half), above_zero(beside - self.radius));
        over * over + beside * beside
    }

    /// The radius of a sphere around it.
    pub fn reach(&self) -> f32 {
        (self.radius * self.radius + self.half * self.half).sqrt()
    }
}

impl PatchLanes {
    /// Eight that are missing.
    pub const FAR: Self = {
        let zero = PointLanes { at: [[0.0; LANES]; 3] };
        Self { centre: zero, normal: zero, radius: [f32::NEG_INFINITY; LANES], half: [0.0; LANES] }
    };

    /// Sets one of them.
    pub fn put(&mut self, k: usize, patch: &Patch) {
        for axis in 0..3 {
            self.centre.at[axis][k] = patch.centre[axis];
            self.normal.at[axis][k] = patch.normal[axis];
        }
        (self.radius[k], self.half[k]) = (patch.radius, patch.half);
    }

    /// One of them.
    pub fn get(&self, k: usize) -> Patch {
        Patch { centre: self.centre.get(k), normal: self.normal.get(k), radius: self.radius[k], half: self.half[k] }
    }

    /// The patches of a list, eight by eight.
    pub fn list(patches: impl ExactSizeIterator<Item = Patch>) -> Vec<Self> {
        let mut list = vec![Self::FAR; patches.len().div_ceil(LANES)];
        patches.enumerate().for_each(|(k, patch)| list[k / LANES].put(k % LANES, &patch));
        list
    }

    /// How far a point is outside of each, squared; zero within.
    #[inline]
    pub fn apart_squared(&self, p: &Local) -> Lanes {
        let ([x, y, z], [u, v, w]) = (&self.centre.at, &self.normal.at);
        lanes(|k| {
            let (x, y, z) = (p.x - x[k], p.y - y[k], p.z - z[k]);
            let along = x * u[k] + y * v[k] + z * w[k];
            let beside = above_zero(x * x + y * y + z * z - along * along);
            let (over, beside) = (above_zero(along.abs() - self.half[k]), above_zero(beside.sqrt() - self.radius[k]));
            over * over + beside * beside
        })
    }

    /// Those that reach higher than `base` along a unit vector.
    #[inline]
    pub fn higher(&self, up: &Local, base: f32) -> LaneMask {
        let ([x, y, z], [u, v, w]) = (&self.centre.at, &self.normal.at);
        let tops = lanes(|k| {
            let tilt = u[k] * up.x + v[k] * up.y + w[k] * up.z;
            let rise = tilt.abs() * self.half[k] + above_zero(1.00001 - tilt * tilt).sqrt() * self.radius[k];
            x[k] * up.x + y[k] * up.y + z[k] * up.z + rise
        });
        lane_mask(|k| tops[k] > base)
    }
}

/// The boxes of eights of triangles, axis by axis.
pub struct Bounds {
    low: [Lanes; 3],
    high: [Lanes; 3],
}

impl Bounds {
    /// Around nothing.
    pub const NONE: Self = Self { low: [[f32::INFINITY; LANES]; 3], high: [[f32::NEG_INFINITY; LANES]; 3] };

    /// Around eight triangles, by their corners.
    #[inline]
    pub fn of([a, b, c]: &[[Lanes; 3]; 3]) -> Self {
        let mut bounds = Self { low: *a, high: *a };
        for corner in [b, c] {
            bounds.stretch(corner, corner);
        }
        bounds
    }

    /// Stretches them to hold others too.
    #[inline]
    pub fn join(&mut self, other: &Self) {
        self.stretch(&other.low, &other.high);
    }

    #[inline(always)]
    fn stretch(&mut self, low: &[Lanes; 3], high: &[Lanes; 3]) {
        for axis in 0..3 {
            // Compared plainly: that is one instruction each.
            for k in 0..LANES {
                let (l, h) = (low[axis][k], high[axis][k]);
                self.low[axis][k] = if l < self.low[axis][k] { l } else { self.low[axis][k] };
                self.high[axis][k] = if h > self.high[axis][k] { h } else { self.high[axis][k] };
            }
        }
    }
}

/// How far something reaches from a middle: squared to the sides, and down and up along a normal.
struct Extent {
    wide: Lanes,
    below: Lanes,
    above: Lanes,
}

impl Extent {
    #[inline(never)] // a tight loop needs all registers
    fn of<'a>(eights: impl Iterator<Item = &'a [[Lanes; 3]; 3]>, centre: &Local, normal: &Local) -> Self {
        let (mut wide, mut below, mut above) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        // By the axis: pairs of them would be shuffled about.
        let [[cx, cy, cz], [nx, ny, nz]] = [centre, normal].map(|v| [[v.x; LANES], [v.y; LANES], [v.z; LANES]]);
        for corners in eights {
            for [x, y, z] in corners {
                for k in 0..LANES {
                    let (x, y, z) = (x[k] - cx[k], y[k] - cy[k], z[k] - cz[k]);
                    let along = x * nx[k] + y * ny[k] + z * nz[k];
                    let beside = x * x + y * y + z * z - along * along;
                    wide[k] = if beside > wide[k] { beside } else { wide[k] };
                    below[k] = if along < below[k] { along } else { below[k] };
                    above[k] = if along > above[k] { along } else { above[k] };
                }
            }
        }
        Self { wide, below, above }
    }
}

#[inline(always)]
fn above_zero(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    #[test]
    fn no_point_of_a_patch_is_nearer_or_higher_than_it_says() {
        let mut nearly = 0;
        for seed in 0..2000u64 {
            let at = |k: u64| Local::from_fn(|i, _| unit(seed, 3 * k + i as u64) as f32 * 2.0 - 1.0);
            let flat = if seed % 3 == 0 { 1.0 } else { 0.05 };
            let normal = if seed % 7 == 0 { Local::zeros() } else { at(0).normalize() };
            let points: Vec<Local> = (2..26).map(|k| at(k) + normal * (normal.dot(&at(k)) * (flat - 1.0))).collect();
            let corners = [0, 1, 2].map(|c| [0, 1, 2].map(|axis| lanes(|k| points[LANES * c + k][axis])));
            let patch = Patch::around(normal, &Bounds::of(&corners), std::iter::once(&corners));
            let mut all = PatchLanes::FAR;
            all.put(5, &patch);
            for k in 26..30 {
                let p = at(k) * 3.0;
                let nearest = points.iter().map(|q| (q - p).norm()).fold(f32::INFINITY, f32::min);
                let apart = all.apart_squared(&p).map(f32::sqrt);
                assert!(apart[5] <= nearest * (1.0 + 1e-5), "seed {seed}: {} for {nearest}", apart[5]);
                assert!(apart[4] == f32::INFINITY);
                assert!((patch.apart_squared(&p).sqrt() - apart[5]).abs() < 1e-5);
                nearly += (apart[5] > 0.7 * nearest) as usize;
                let up = p.normalize();
                let top = points.iter().map(|q| up.dot(q)).fold(f32::NEG_INFINITY, f32::max);
                assert!(all.higher(&up, top - 1e-3).eq([5]), "seed {seed}");
                assert!(all.higher(&up, top + 2.0 * patch.reach()).is_empty());
                assert!(points.iter().all(|q| (q - patch.centre).norm() <= patch.reach()));
            }
        }
        assert!(nearly > 4000, "{nearly} of 8000");
    }
}
