//! Supporting planes of a body: in 26 fixed directions, and along the normals of its flat sides.
//!
//! A body lies within all its supporting planes. So a point beyond one of them is outside by at least that much, and a
//! point within is no deeper than the nearest of them: culling and a depth bound at once
//! (docs/formulations/samples-and-queries.md). A query transforms the useful ones into the frame of its points once
//! (`culling::walls`).

use crate::culling::relief::Relief;
use crate::geom::Local;
use crate::geom::lanes::{Highest, LANES, Lanes, PointLanes, highest, lanes, lowest};
use crate::heap::held;

/// Capacity for planes: 26 fixed ones and 38 of cracks. Cells have some twenty; more planes would cost every query time
/// and hardly cull more.
const MOST: usize = BLOCKS * LANES;
/// Vectors of eight planes. Bounds the fixed-size arrays of [`Apart`].
const BLOCKS: usize = 8;

/// Eight planes: unit normals, and the support (reach) of the body along them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The normals.
    pub normal: PointLanes,
    /// The supports.
    pub reach: Lanes,
}

/// The supporting planes of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Supports {
    /// Padded with planes of infinite reach: nothing is beyond them.
    blocks: Vec<Block>,
    count: usize,
}

/// Separation of a box from each supporting plane of a body.
#[derive(Default)]
pub struct Apart {
    /// Signed distance of the box centre.
    middle: [Lanes; BLOCKS],
    /// Half extent of the box along the normal.
    spread: [Lanes; BLOCKS],
    blocks: usize,
}

impl Apart {
    /// By vectors of eight planes: signed distance of the box centre, and half extent of the box along the normal.
    #[inline(always)]
    pub fn blocks(&self) -> impl Iterator<Item = (&Lanes, &Lanes)> {
        self.middle[..self.blocks].iter().zip(&self.spread[..self.blocks])
    }

    /// The same for one plane.
    pub fn of(&self, plane: usize) -> (f32, f32) {
        (self.middle[plane / LANES][plane % LANES], self.spread[plane / LANES][plane % LANES])
    }

    /// The best separating plane and the separation along it. Ties go to the first plane.
    #[inline(always)]
    pub fn best(&self) -> (f32, usize) {
        let mut best = Highest::NONE;
        for (block, (middle, spread)) in (0..).zip(self.blocks()) {
            best.raise(&lanes(|k| middle[k] - spread[k]), block);
        }
        let most = highest(&best.most);
        (most, best.first(most))
    }
}

impl Supports {
    /// Supporting planes of some points, in the fixed directions and along `flat`. Beyond the capacity, the last of
    /// `flat` are dropped.
    pub fn new(points: &[PointLanes], flat: &[Local]) -> Self {
        let mut planes = Vec::with_capacity(FIXED + flat.len());
        planes.extend(fixed_directions().zip(fixed_reaches(points)));
        for normal in &flat[..flat.len().min(MOST - FIXED)] {
            planes.push((*normal, farthest(points, normal)));
        }
        Self::of_planes(&planes)
    }

    /// From known planes: unit normals, and the reach of the body along them. At least one.
    pub fn of_planes(planes: &[(Local, f32)]) -> Self {
        let block = |eight: &[(Local, f32)]| {
            let plane = |k: usize| &eight[k.min(eight.len() - 1)];
            Block {
                normal: PointLanes { at: std::array::from_fn(|axis| std::array::from_fn(|k| plane(k).0[axis])) },
                reach: std::array::from_fn(|k| eight.get(k).map_or(f32::INFINITY, |plane| plane.1)),
            }
        };
        Self { blocks: planes.chunks(LANES).map(block).collect(), count: planes.len() }
    }

    /// Distance beyond the farthest supporting plane. Positive: outside by at least this much. Negative: no deeper than
    /// this.
    pub fn beyond(&self, p: &Local) -> f32 {
        let mut most = [f32::NEG_INFINITY; LANES];
        for block in &self.blocks {
            let along = along(p, &block.normal);
            for k in 0..LANES {
                let out = along[k] - block.reach[k];
                most[k] = if out > most[k] { out } else { most[k] };
            }
        }
        most.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }

    /// Number of planes.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Normal of a plane, and the reach of the body along it.
    pub fn plane(&self, number: usize) -> (Local, f32) {
        let block = &self.blocks[number / LANES];
        (block.normal.get(number % LANES), block.reach[number % LANES])
    }

    /// Reach of the body along the normal of a plane.
    pub fn reach(&self, number: usize) -> f32 {
        self.blocks[number / LANES].reach[number % LANES]
    }

    /// Upper bound of the reach of the body along any unit vector; `middle` and `half` are of the box around it. The vector is a
    /// sum of the three fixed directions around it, and the reach of a sum is no more than that of its parts: exact where one
    /// corner is farthest in all. And a plane that is nearly across the vector is nearly as far, within the box.
    pub fn reach_along(&self, direction: &Local, middle: &Local, half: &Local) -> f32 {
        let size = direction.abs();
        let mut axes = [0, 1, 2];
        axes.sort_by(|i, j| size[*j].total_cmp(&size[*i]));
        let (mut corner, mut sum) = ([0i32; 3], 0.0);
        for (count, axis) in axes.into_iter().enumerate() {
            corner[axis] = if direction[axis] < 0.0 { -1 } else { 1 };
            let next = axes.get(count + 1).map_or(0.0, |next| size[*next]);
            let place = corner.iter().fold(0, |place, step| 3 * place + step + 1) as usize;
            // The cell itself is no direction.
            let number = if place > FIXED / 2 { place - 1 } else { place };
            sum += (size[axis] - next) * ((count + 1) as f32).sqrt() * self.reach(number);
        }
        let beside = (0..self.count).map(|number| {
            let (normal, reach) = self.plane(number);
            let off = direction - normal;
            reach + off.dot(middle) + off.abs().dot(half)
        });
        beside.fold(sum, f32::min)
    }

    /// The index of the relief of a plane, if it is one along `flat`.
    pub fn relief_of(&self, number: usize) -> Option<usize> {
        number.checked_sub(FIXED)
    }

    /// Whether a plane has a relief.
    #[inline(always)]
    pub fn has_relief(&self, number: usize, reliefs: &[Relief]) -> bool {
        number >= FIXED && number - FIXED < reliefs.len()
    }

    /// The planes that have reliefs, with these.
    pub fn with_reliefs<'a>(&self, reliefs: &'a [Relief]) -> impl Iterator<Item = (usize, &'a Relief)> {
        (FIXED..self.count).zip(reliefs)
    }

    /// In each lane the plane that the centre of a box is farthest beyond, of those that the box may be beyond; and how far: minus
    /// infinity if there is none.
    #[inline(always)]
    pub fn farthest(&self, apart: &Apart) -> (Lanes, Block) {
        let mut farthest = Highest::NONE;
        for (block, (middle, spread)) in (0..).zip(apart.blocks()) {
            let beyond = lanes(|k| if middle[k] + spread[k] > 0.0 { middle[k] } else { f32::NEG_INFINITY });
            farthest.raise(&beyond, block);
        }
        let block = |k: usize| &self.blocks[farthest.eight[k] as usize];
        let at = [0, 1, 2].map(|axis| lanes(|k| block(k).normal.at[axis][k]));
        (farthest.most, Block { normal: PointLanes { at }, reach: lanes(|k| block(k).reach[k]) })
    }

    /// Measures a box, given by its centre and half edges, against all planes.
    #[inline(always)]
    pub fn measure(&self, middle: &Local, [x, y, z]: &[Local; 3], apart: &mut Apart) {
        apart.blocks = self.blocks.len().min(BLOCKS);
        for (block, Block { normal, reach }) in self.blocks.iter().enumerate().take(BLOCKS) {
            let (middle, x, y, z) = (along(middle, normal), along(x, normal), along(y, normal), along(z, normal));
            apart.middle[block] = lanes(|k| middle[k] - reach[k]);
            apart.spread[block] = lanes(|k| x[k].abs() + y[k].abs() + z[k].abs());
        }
    }

    /// The supporting plane that separates the body best from a box, given by its centre and half edges: the separation
    /// along it (negative: the overlap), and its normal.
    pub fn best_parting(&self, middle: &Local, halves: &[Local; 3]) -> (f32, Local) {
        let mut apart = Apart::default();
        self.measure(middle, halves, &mut apart);
        let (most, plane) = apart.best();
        (most, self.plane(plane).0)
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.blocks)
    }
}

#[inline(always)]
fn along(normal: &Local, points: &PointLanes) -> Lanes {
    let [x, y, z] = &points.at;
    lanes(|k| normal.x * x[k] + normal.y * y[k] + normal.z * z[k])
}

/// Number of fixed directions: the 26 neighbours of a cell in a grid.
const FIXED: usize = 26;

/// Reach of points in the fixed directions. The second half of these are scaled sums of coordinates, the first half
/// their opposites.
fn fixed_reaches(points: &[PointLanes]) -> [f32; FIXED] {
    const HALF: usize = FIXED / 2;
    let first = extents(points, |_, y, z| [z, y - z, y, y + z]);
    let second = extents(points, |x, y, z| [x - y - z, x - y, x - y + z]);
    let third = extents(points, |x, _, z| [x - z, x, x + z]);
    let fourth = extents(points, |x, y, z| [x + y - z, x + y, x + y + z]);
    let sums = first.into_iter().chain(second).chain(third).chain(fourth);
    let mut reaches = [f32::NEG_INFINITY; FIXED];
    for (k, (direction, [low, high])) in fixed_directions().skip(HALF).zip(sums).enumerate() {
        // Normalization of a sum: 1, 1/√2 or 1/√3.
        let scale = direction.amax();
        reaches[HALF + k] = high * scale;
        reaches[HALF - 1 - k] = -low * scale;
    }
    reaches
}

/// Minimum and maximum of some sums of coordinates.
#[inline(never)] // own function: the compiler vectorizes it
fn extents<const N: usize>(points: &[PointLanes], sums: impl Fn(f32, f32, f32) -> [f32; N]) -> [[f32; 2]; N] {
    let (mut low, mut high) = ([[f32::INFINITY; LANES]; N], [[f32::NEG_INFINITY; LANES]; N]);
    for PointLanes { at: [x, y, z] } in points {
        for k in 0..LANES {
            let sums = sums(x[k], y[k], z[k]);
            for i in 0..N {
                low[i][k] = if sums[i] < low[i][k] { sums[i] } else { low[i][k] };
                high[i][k] = if sums[i] > high[i][k] { sums[i] } else { high[i][k] };
            }
        }
    }
    std::array::from_fn(|i| [lowest(&low[i]), highest(&high[i])])
}

/// Reach of points along a unit vector.
#[inline(never)]
fn farthest(points: &[PointLanes], normal: &Local) -> f32 {
    let mut high = [f32::NEG_INFINITY; LANES];
    for PointLanes { at: [x, y, z] } in points {
        for k in 0..LANES {
            let along = normal.x * x[k] + normal.y * y[k] + normal.z * z[k];
            high[k] = if along > high[k] { along } else { high[k] };
        }
    }
    highest(&high)
}

/// Both directions along the axes, the face diagonals and the space diagonals of a cube.
fn fixed_directions() -> impl Iterator<Item = Local> {
    let steps = || [-1.0f32, 0.0, 1.0].into_iter();
    let all = steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| Local::new(x, y, z))));
    all.filter_map(|d| d.try_normalize(0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    fn at(k: u64, s: f32) -> Local {
        Local::from_fn(|i, _| (unit(k, i as u64) as f32 * 2.0 - 1.0) * s)
    }

    #[test]
    fn a_point_beyond_is_outside_by_at_least_that_much() {
        let points: Vec<Local> = (0..50).map(|k| at(k, 1.0)).collect();
        for flat in [vec![], vec![at(7, 1.0).normalize()], (0..5).map(|k| at(k, 1.0).normalize()).collect()] {
            let supports = Supports::new(&PointLanes::list(&points), &flat);
            assert!(points.iter().all(|p| supports.beyond(p) <= 1e-6));
            for k in 100..2000 {
                let p = at(k, 3.0);
                let nearest = points.iter().map(|q| (q - p).norm()).fold(f32::INFINITY, f32::min);
                assert!(supports.beyond(&p) <= nearest + 1e-5);
            }
        }
        assert_eq!(fixed_directions().count(), 26);
    }

    #[test]
    fn the_reach_along_any_vector_is_bounded_closely() {
        let (mut sum, mut count) = (0.0, 0);
        for seed in 0..60 {
            let shift = at(seed, 5.0);
            let points: Vec<Local> = (0..40).map(|k| at(100 * seed + k, 1.0) + shift).collect();
            let flat: Vec<Local> = (0..6).map(|k| at(9000 + 7 * seed + k, 1.0).normalize()).collect();
            let lanes = PointLanes::list(&points);
            let supports = Supports::new(&lanes, &flat);
            let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), p| (l.inf(p), h.sup(p)));
            let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
            let all = (0..40).map(|k| at(5000 + 50 * seed + k, 1.0).normalize()).chain(flat.iter().copied());
            for direction in all.chain(fixed_directions()) {
                let (bound, true_reach) =
                    (supports.reach_along(&direction, &middle, &half), farthest(&lanes, &direction));
                assert!(bound >= true_reach - 1e-5, "{bound} for {true_reach}");
                sum += bound - true_reach;
                count += 1;
            }
            for direction in flat.iter().copied().chain(fixed_directions()) {
                let (bound, true_reach) =
                    (supports.reach_along(&direction, &middle, &half), farthest(&lanes, &direction));
                assert!(bound - true_reach < 1e-5, "{bound} for {true_reach}");
            }
        }
        assert!(sum / count as f32 <= 0.1, "{} on average", sum / count as f32);
    }
}
