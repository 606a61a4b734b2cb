//! Seeds of random and impact patterns. They sit on nodes of the object, so every cell owns at least one.

use super::pattern::Impact;
use crate::body::Object;
use crate::geom::random::unit;
use crate::geom::{Point, Vector};

/// How much longer the cells of an impact are along its direction.
const STRETCH: f64 = 2.0;
/// Size of the cells at the very point, relative to those at the radius.
const SMALLEST: f64 = 0.1;
/// Candidates a seed, from which the best spread ones are taken.
const CANDIDATES: usize = 8;

/// `count` different nodes of the object (all, if it has fewer), likelier where there is more volume.
pub fn random_seeds(object: &Object, count: u32, seed: u64) -> Vec<u32> {
    let mut drawn = draw(object.nodes(), count as usize, seed, |node| object.asset().nodal_volume(node));
    drawn.sort_unstable();
    drawn
}

/// Draws nodes without putting them back, each as likely as its weight (the exponential keys of Efraimidis and Spirakis).
fn draw(nodes: &[u32], count: usize, seed: u64, weight: impl Fn(u32) -> f64) -> Vec<u32> {
    let weights: Vec<f64> = nodes.iter().map(|n| weight(*n)).collect();
    // About as many keys are below a limit as it is times the total weight. Twice as far there are nearly always enough,
    // and most nodes are seen to be beyond it without a logarithm, since -ln u is at least 1 - u.
    let below = |limit: f64| {
        let keyed = nodes.iter().zip(&weights).filter_map(move |(&n, weight)| {
            let u = unit(seed, n as u64);
            if 1.0 - u > limit * weight {
                return None;
            }
            let key = -u.ln() / weight;
            (key <= limit).then_some((key, n))
        });
        keyed.collect::<Vec<(f64, u32)>>()
    };
    let mut keyed = below((2 * count + 16) as f64 / weights.iter().sum::<f64>());
    if keyed.len() < count.min(nodes.len()) {
        keyed = below(f64::INFINITY);
    }
    let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if count < keyed.len() {
        keyed.select_nth_unstable_by(count, order);
        keyed.truncate(count);
    }
    keyed.sort_unstable_by(order);
    keyed.into_iter().map(|(_, node)| node).collect()
}

/// The space in which the cells of an impact are plain Voronoi cells: shortened along its direction.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    direction: Vector,
}

impl Metric {
    pub fn new(direction: &Vector) -> Self {
        Self { direction: direction.try_normalize(0.0).unwrap_or_default() }
    }

    pub fn apply(&self, v: &Vector) -> Vector {
        v - self.direction * (self.direction.dot(v) * (1.0 - 1.0 / STRETCH))
    }
}

/// The nodes on which the seeds of an impact sit: spaced in proportion to their distance from the point.
///
/// Candidates are drawn with the density that such cells have, and of those the seeds are taken greedily, each time the
/// one that is farthest from all taken so far in units of its own cell size.
pub fn impact_seeds(object: &Object, sites: &[Point], impact: &Impact, metric: &Metric) -> Vec<u32> {
    let distance = |node: u32| (sites[node as usize] - impact.point).norm();
    let inside: Vec<u32> = object.nodes().iter().copied().filter(|n| distance(*n) < impact.radius).collect();
    let has_rest = inside.len() < object.nodes().len();
    let count = (impact.count as usize).saturating_sub(has_rest as usize).max(1);
    let size = |node: u32| distance(node) / impact.radius + SMALLEST;
    let weight = |node: u32| object.asset().nodal_volume(node) / size(node).powi(3);
    let mut pool = draw(&inside, count * CANDIDATES, impact.seed, weight);
    if pool.len() <= count {
        return pool;
    }
    let nearest = (0..pool.len()).min_by(|a, b| distance(pool[*a]).total_cmp(&distance(pool[*b]))).unwrap_or(0);
    let mut seeds = vec![pool.swap_remove(nearest)];
    let mut gaps = vec![f64::INFINITY; pool.len()];
    while seeds.len() < count {
        let last = sites[seeds[seeds.len() - 1] as usize];
        for (gap, node) in gaps.iter_mut().zip(&pool) {
            *gap = gap.min(metric.apply(&(sites[*node as usize] - last)).norm() / size(*node));
        }
        let farthest = (0..pool.len()).max_by(|a, b| gaps[*a].total_cmp(&gaps[*b]).then(b.cmp(a))).unwrap_or(0);
        seeds.push(pool.swap_remove(farthest));
        gaps.swap_remove(farthest);
    }
    seeds
}
