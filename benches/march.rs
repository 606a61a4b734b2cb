//! Depths of the nodes of soft bodies (Marchal 2004, figures 6, 7, 9 and 10): `cargo bench --bench march [-- largest]`. One thread. Errors are in
//! shares of the size of the body (the diagonal of its box), over the nodes within it.

use fracas::geom::march::{Front, Marching};
use fracas::penalty::{DepthMethod, PenaltyOptions, PenaltyScratch, Penetrating, SoftBody};
use fracas::solid::{Solid, shapes};
use fracas::{Point, Vector};
use std::hint::black_box;
use std::time::Instant;

/// A name, and what makes it.
type Body = (&'static str, fn() -> Solid);

/// The least time of some runs, in milliseconds.
fn timed<T>(runs: usize, mut f: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..runs {
        let start = Instant::now();
        last = Some(black_box(f()));
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    (best, last.unwrap())
}

/// Fast marching on a grid (Sethian 1996), as Fisher and Lin 2001 use it: grid points next to the boundary have exact distances, the
/// rest follows by first-order upwind differences; nodes interpolate.
struct Grid {
    n: usize,
    low: Point,
    step: f64,
    value: Vec<f64>,
    is_fixed: Vec<bool>,
}

impl Grid {
    fn depths(body: &SoftBody, n: usize) -> Vec<f64> {
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

fn errors(found: &[f64], exact: &[f64], size: f64) -> String {
    let within = found.iter().zip(exact).filter(|(_, e)| **e > 0.0);
    let mut errors: Vec<f64> = within.map(|(d, e)| (d - e).abs() / size).collect();
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    let (median, most) = (errors[errors.len() / 2], errors[errors.len() - 1]);
    format!("mean {mean:8.1e}  median {median:8.1e}  most {most:8.1e}")
}

fn deformed(solid: &Solid) -> Vec<Point> {
    let size = solid.bounds().radius();
    let wave = |p: &Point, k: usize| 0.06 * size * (4.0 * p[(k + 1) % 3] / size + k as f64).sin();
    solid.nodes().iter().map(|p| p + Vector::new(wave(p, 0), wave(p, 1), wave(p, 2))).collect()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let largest: usize = args.first().map_or(400_000, |a| a.parse().unwrap());
    let bodies: [Body; 6] = [
        ("ball, 4 cells", || shapes::ball(1.0, 4)),
        ("torus", || shapes::torus(1.0, 0.4, 36, 6)),
        ("rabbit", shapes::preset::rabbit),
        ("ball, 20 cells", || shapes::ball(1.0, 20)),
        ("torus, fine", || shapes::torus(1.0, 0.4, 96, 14)),
        ("ball, 36 cells", || shapes::ball(1.0, 36)),
    ];
    for (name, make) in bodies {
        let solid = make();
        if solid.tets().len() > largest {
            continue;
        }
        let mut body = SoftBody::new(solid.nodes(), solid.tets()).unwrap();
        let positions = deformed(&solid);
        let (refit, ()) = timed(5, || {
            body.set_positions(positions.iter().copied()).unwrap();
            body.update();
        });
        let size = solid.bounds().size().norm();
        let count = solid.nodes().len();
        println!(
            "\n{name}: {} tets, {count} nodes, {} boundary triangles; update {refit:.2} ms",
            solid.tets().len(),
            body.boundary().len()
        );
        let runs = if solid.tets().len() > 50_000 { 3 } else { 10 };
        let (time, (exact, _)) = timed(runs, || body.depths(DepthMethod::Exact).unwrap());
        println!("  exact, refitted tree  {time:9.3} ms");
        for (label, method) in [("CFFM", DepthMethod::ClosestFeature), ("CPFM", DepthMethod::ClosestPoint)] {
            let (time, (found, _)) = timed(runs, || body.depths(method).unwrap());
            println!("  {label:20}  {time:9.3} ms  {}", errors(&found, &exact, size));
        }
        let equal = (count as f64).cbrt().ceil() as usize + 3;
        for n in [20, equal, 100] {
            let (time, found) = timed(runs.min(3), || Grid::depths(&body, n));
            println!("  grid {n:3}³             {time:9.3} ms  {}", errors(&found, &exact, size));
        }
        // Rests on a floor: the tetrahedra around the lowest point that reach below a plane.
        let lowest = positions.iter().min_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
        let (low, high) = (lowest.z, positions.iter().map(|p| p.z).fold(f64::MIN, f64::max));
        let (floor, reach) = (low + 0.02 * (high - low), 0.15 * size);
        let is_touched = |p: &Point| p.z < floor && (p - lowest).norm() < reach;
        let touched = |t: &&[u32; 4]| t.iter().any(|v| is_touched(&positions[*v as usize]));
        let nodes: Vec<u32> = solid.tets().iter().filter(touched).flatten().copied().collect();
        let inside = exact.iter().filter(|d| **d > 0.0).count();
        for (label, method) in
            [("exact", DepthMethod::Exact), ("CFFM", DepthMethod::ClosestFeature), ("CPFM", DepthMethod::ClosestPoint)]
        {
            let (time, (_, stats)) = timed(runs, || body.depths_of(&nodes, method).unwrap());
            let share = 100.0 * stats.settled as f64 / inside as f64;
            println!(
                "  resting, {label:12} {time:9.3} ms  {} seeds, {share:.1} % of the inner nodes settled",
                stats.seeds
            );
        }
        let mut other = body.clone();
        let shift = Vector::new(0.0, 0.0, 0.9 * (high - low));
        other.set_positions(positions.iter().map(|p| p + shift)).unwrap();
        other.update();
        let mut scratch = PenaltyScratch::default();
        for what in [Penetrating::Points, Penetrating::Segments, Penetrating::AllSegments] {
            let options = PenaltyOptions { penetrating: [what; 2], ..PenaltyOptions::default() };
            let mut out = vec![];
            let (time, stats) = timed(runs, || {
                out.clear();
                body.penalties(&other, &options, &mut scratch, &mut out).unwrap()
            });
            println!("  pair, {what:?}: {time:.3} ms, {} parts in {} tets", stats.parts, stats.tets);
        }
        let mut pairs = vec![];
        let (time, ()) = timed(runs, || {
            pairs.clear();
            body.overlapping_tets(&other, &mut pairs).unwrap();
        });
        println!("  pairs of tetrahedra that overlap: {time:.3} ms, {}", pairs.len());
        let probe = solid.bounds().centre();
        let (time, _) = timed(20, || body.signed_distance(&probe).unwrap());
        println!("  one probe: {:.1} us", 1e3 * time);
    }
}
