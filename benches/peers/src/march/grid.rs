//! Fast marching on a grid (Sethian 1996), as Fisher and Lin 2001 use it: what depths by marching on tetrahedra are measured against.

use fracas::geom::march::{Front, Marching};
use fracas::penalty::SoftBody;
use fracas::{Point, Vector};

/// Grid points next to the boundary have exact distances, the rest follows by first-order upwind differences; nodes interpolate.
pub struct Grid {
    n: usize,
    low: Point,
    step: f64,
    value: Vec<f64>,
    is_fixed: Vec<bool>,
}

impl Grid {
    /// Depths of all nodes, by a grid of n³ points.
    pub fn depths(body: &SoftBody, n: usize) -> Vec<f64> {
        let (low, high) =
            body.positions().iter().fold((body.positions()[0], body.positions()[0]), |(l, h), p| (l.inf(p), h.sup(p)));
        let step = (high - low).amax() / (n - 3) as f64;
        let low = low - Vector::repeat(step);
        let mut grid = Grid { n, low, step, value: vec![f64::INFINITY; n * n * n], is_fixed: vec![false; n * n * n] };
        for t in body.boundary() {
            grid.draw(&t.map(|v| body.positions()[v as usize]));
        }
        let mut front = Front::default();
        front.begin(n * n * n);
        (0..n * n * n).filter(|k| grid.value[*k].is_finite()).for_each(|k| {
            grid.is_fixed[k] = true;
            front.push(k, grid.value[k]);
        });
        front.march(&mut grid);
        body.positions().iter().map(|p| grid.at(p)).collect()
    }

    fn number(&self, c: [usize; 3]) -> usize {
        (c[2] * self.n + c[1]) * self.n + c[0]
    }

    fn cell(&self, p: &Point) -> [usize; 3] {
        let at = (p - self.low) / self.step;
        [0, 1, 2].map(|k| (at[k].floor().max(0.0) as usize).min(self.n - 2))
    }

    /// Distances of the grid points around a triangle.
    fn draw(&mut self, t: &[Point; 3]) {
        let low = self.cell(&t[0].inf(&t[1]).inf(&t[2]));
        let high = self.cell(&t[0].sup(&t[1]).sup(&t[2]));
        for z in low[2]..=high[2] + 1 {
            for y in low[1]..=high[1] + 1 {
                for x in low[0]..=high[0] + 1 {
                    let p = self.low + Vector::new(x as f64, y as f64, z as f64) * self.step;
                    let on = fracas::geom::triangle::closest(&p.coords, &t.map(|c| c.coords));
                    let distance = (on - p.coords).norm();
                    if distance <= 1.8 * self.step {
                        let value = &mut self.value[(z * self.n + y) * self.n + x];
                        *value = value.min(distance);
                    }
                }
            }
        }
    }

    fn at(&self, p: &Point) -> f64 {
        let cell = self.cell(p);
        let at = (p - self.low) / self.step;
        let share = [0, 1, 2].map(|k| at[k] - cell[k] as f64);
        (0..8)
            .map(|corner| {
                let up = [0, 1, 2].map(|k| corner >> k & 1);
                let weight: f64 = (0..3).map(|k| if up[k] == 1 { share[k] } else { 1.0 - share[k] }).product();
                weight * self.value[self.number([0, 1, 2].map(|k| cell[k] + up[k]))]
            })
            .sum()
    }

    /// The solution of |grad d| = 1 by the lesser neighbour along each axis.
    fn upwind(&self, k: usize) -> f64 {
        let c = [k % self.n, k / self.n % self.n, k / self.n / self.n];
        let mut least = [0, 1, 2].map(|axis| {
            let mut best = f64::INFINITY;
            for up in [false, true] {
                let mut other = c;
                if up && c[axis] + 1 < self.n {
                    other[axis] += 1;
                } else if !up && c[axis] > 0 {
                    other[axis] -= 1;
                } else {
                    continue;
                }
                best = best.min(self.value[self.number(other)]);
            }
            best
        });
        least.sort_by(f64::total_cmp);
        let h = self.step;
        let mut d = least[0] + h;
        if d > least[1] {
            let sum = least[0] + least[1];
            d = 0.5 * (sum + (2.0 * h * h - (least[0] - least[1]).powi(2)).max(0.0).sqrt());
            if d > least[2] {
                let (sum, squares) = (least.iter().sum::<f64>(), least.iter().map(|v| v * v).sum::<f64>());
                d = (sum + (sum * sum - 3.0 * (squares - h * h)).max(0.0).sqrt()) / 3.0;
            }
        }
        d
    }
}

impl Marching for Grid {
    fn settle(&mut self, _: usize) -> bool {
        true
    }

    fn hand_on(&mut self, node: usize, settled: &[bool], mut nearer: impl FnMut(usize, f64)) {
        let n = self.n;
        let c = [node % n, node / n % n, node / n / n];
        for axis in 0..3 {
            let stride = [1, n, n * n][axis];
            let others = [(c[axis] > 0).then(|| node - stride), (c[axis] + 1 < n).then(|| node + stride)];
            for other in others.into_iter().flatten() {
                if !settled[other] && !self.is_fixed[other] {
                    let d = self.upwind(other);
                    if d < self.value[other] {
                        self.value[other] = d;
                        nearer(other, d);
                    }
                }
            }
        }
    }
}
