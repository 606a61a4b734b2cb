//! Which tetrahedron holds a point: a plain grid of candidate lists, for tests only.

use fracas::geom::aabb::Aabb;
use fracas::{Point, Solid};
use nalgebra::Matrix3;

pub struct Locator<'a> {
    solid: &'a Solid,
    bounds: Aabb,
    cells: Vec<Vec<u32>>,
}

const SIDE: usize = 32;

impl<'a> Locator<'a> {
    pub fn new(solid: &'a Solid) -> Self {
        let mut locator = Self { solid, bounds: solid.bounds(), cells: vec![vec![]; SIDE * SIDE * SIDE] };
        for tet in 0..solid.tets().len() as u32 {
            let around = Aabb::around(&solid.corners(tet));
            let (low, high) = (locator.cell(&around.min), locator.cell(&around.max));
            for z in low[2]..=high[2] {
                for y in low[1]..=high[1] {
                    for x in low[0]..=high[0] {
                        locator.cells[(z * SIDE + y) * SIDE + x].push(tet);
                    }
                }
            }
        }
        locator
    }

    fn cell(&self, p: &Point) -> [usize; 3] {
        let u = (p - self.bounds.min).component_div(&self.bounds.size());
        std::array::from_fn(|k| ((u[k] * SIDE as f64) as usize).min(SIDE - 1))
    }

    /// The tetrahedron and the barycentric coordinates; `None` outside.
    pub fn find(&self, p: &Point) -> Option<(u32, [f64; 4])> {
        if !self.bounds.contains(p) {
            return None;
        }
        let [x, y, z] = self.cell(p);
        self.cells[(z * SIDE + y) * SIDE + x].iter().find_map(|tet| {
            let [a, b, c, d] = self.solid.corners(*tet);
            let w = Matrix3::from_columns(&[b - a, c - a, d - a]).try_inverse()? * (p - a);
            let weights = [1.0 - w.sum(), w.x, w.y, w.z];
            weights.iter().all(|w| *w >= -1e-12).then_some((*tet, weights))
        })
    }
}
