//! Supporting planes of a body: in twenty-six fixed directions, and in those in which it is known to be flat.
//!
//! A body lies within all its supporting planes, so a point beyond one of them is outside by at least that much, and a point
//! within is not deeper than the nearest of them: cull and depth bound at once (docs/design.md, 4.4). Planes are kept four
//! by four, so that the compiler makes vectors of them: this is what a query computes most.

use super::Local;

const LANES: usize = 4;

/// Four planes: the coordinates of their unit normals, and how far the body reaches along them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Block {
    normal: [[f32; LANES]; 3],
    reach: [f32; LANES],
}

/// The supporting planes of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Supports {
    blocks: Vec<Block>,
}

impl Supports {
    /// Of some points, in the fixed directions and along `flat`.
    pub fn new(points: &[Local], flat: &[Local]) -> Self {
        let directions: Vec<Local> = fixed_directions().chain(flat.iter().copied()).collect();
        let block = |four: &[Local]| {
            // Short of four, the last comes again.
            let lane = |k: usize| four[k.min(four.len() - 1)];
            let normal = std::array::from_fn(|axis| std::array::from_fn(|k| lane(k)[axis]));
            let mut block = Block { normal, reach: [f32::NEG_INFINITY; LANES] };
            for p in points {
                let along = block.along(p);
                for (reach, along) in block.reach.iter_mut().zip(along) {
                    *reach = if along > *reach { along } else { *reach };
                }
            }
            block
        };
        Self { blocks: directions.chunks(LANES).map(block).collect() }
    }

    /// How far a point is beyond the supporting plane it is farthest beyond. Positive: outside, by at least this much.
    /// Negative: not deeper than this.
    pub fn beyond(&self, p: &Local) -> f32 {
        let mut most = [f32::NEG_INFINITY; LANES];
        for block in &self.blocks {
            let along = block.along(p);
            for k in 0..LANES {
                let out = along[k] - block.reach[k];
                most[k] = if out > most[k] { out } else { most[k] };
            }
        }
        most.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }

    /// The plane that parts the body best from a box, given by its middle and its half edges: how far apart they are along
    /// it (negative: how far they overlap), and its normal.
    pub fn best_parting(&self, middle: &Local, halves: &[Local; 3]) -> (f32, Local) {
        let mut best = (f32::NEG_INFINITY, Local::zeros());
        for block in &self.blocks {
            let along = block.along(middle);
            let extents = halves.map(|half| block.along(&half));
            for k in 0..LANES {
                let apart = along[k] - extents.iter().map(|e| e[k].abs()).sum::<f32>() - block.reach[k];
                if apart > best.0 {
                    best = (apart, Local::from_fn(|axis, _| block.normal[axis][k]));
                }
            }
        }
        best
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..])
    }
}

impl Block {
    fn along(&self, p: &Local) -> [f32; LANES] {
        let [x, y, z] = &self.normal;
        std::array::from_fn(|k| x[k] * p.x + y[k] * p.y + z[k] * p.z)
    }
}

/// Both ways along the axes, the diagonals of the faces of a cube, and those of the cube.
fn fixed_directions() -> impl Iterator<Item = Local> {
    let steps = || [-1.0f32, 0.0, 1.0].into_iter();
    let all = steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| Local::new(x, y, z))));
    all.filter_map(|d| d.try_normalize(0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    #[test]
    fn a_point_beyond_is_outside_by_at_least_that_much() {
        let at = |k: u64, s: f32| Local::from_fn(|i, _| (unit(k, i as u64) as f32 * 2.0 - 1.0) * s);
        let points: Vec<Local> = (0..50).map(|k| at(k, 1.0)).collect();
        for flat in [vec![], vec![at(7, 1.0).normalize()], (0..5).map(|k| at(k, 1.0).normalize()).collect()] {
            let supports = Supports::new(&points, &flat);
            assert!(points.iter().all(|p| supports.beyond(p) <= 1e-6));
            for k in 100..2000 {
                let p = at(k, 3.0);
                let nearest = points.iter().map(|q| (q - p).norm()).fold(f32::INFINITY, f32::min);
                assert!(supports.beyond(&p) <= nearest + 1e-5);
            }
        }
        assert_eq!(fixed_directions().count(), 26);
    }
}
