//! FASTCD 5.2.1 in full: do the traversal costs TC_I and TC_S (equations 5 to 7) go with the overlap tests that are made? Trees of this
//! study's own: one triangle per leaf, split at the median along random axes. Counts only, so all cores may work.

use super::play::Orders;
use super::world::{Merged, World};
use crate::common::{data, sequences};
use crate::goals::{Goal, Topic};
use crate::studies::Study;
use fracas::geom::random::{mix, unit};
use fracas::geom::{NONE, Pose, Vector};
use fracas::{Point, Solid, shapes};
use nalgebra::{Quaternion, UnitQuaternion};
use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, TAU};

type Corners = [Vector; 3];

/// A model, about the origin and of diameter 1.
struct Model {
    name: String,
    triangles: Vec<Corners>,
    /// The triangle across each side, or [`NONE`].
    across: Vec<[u32; 3]>,
}

impl Model {
    fn new(name: &str, mesh: &Merged) -> Self {
        let mut sides: HashMap<[u32; 2], u32> = HashMap::new();
        let mut across = vec![[NONE; 3]; mesh.triangles.len()];
        for (t, corners) in mesh.triangles.iter().enumerate() {
            for k in 0..3 {
                let [a, b] = [corners[k], corners[(k + 1) % 3]];
                if let Some(other) = sides.remove(&[b, a]) {
                    across[t][k] = other / 3;
                    across[other as usize / 3][other as usize % 3] = t as u32;
                } else {
                    sides.insert([a, b], (3 * t + k) as u32);
                }
            }
        }
        let bounds = Bounds::around(mesh.end.iter().map(|p| &p.coords));
        let (middle, size) = ((bounds.low + bounds.high) * 0.5, (bounds.high - bounds.low).norm());
        let place = |v: u32| (mesh.end[v as usize].coords - middle) / size;
        Self { name: name.into(), triangles: mesh.triangles.iter().map(|t| t.map(place)).collect(), across }
    }

    /// Bunny, a figure and a frame of shelves instead of club and gear, and the four sequences late in their course, coarser.
    fn all() -> Vec<Self> {
        let bunny = data::mesh("bunny").map(|solid| Self::new("bunny", &skin(&solid)));
        let bunny = bunny.unwrap_or_else(|| Self::new("piggy bank", &skin(&shapes::preset::piggy_bank())));
        let solids = [("rabbit", shapes::preset::rabbit()), ("shelf", shapes::preset::shelf())];
        let mut models = vec![bunny];
        models.extend(solids.iter().map(|(name, solid)| Self::new(name, &skin(solid))));
        for (name, frame, scale) in
            [("walls", 60, 0.03), ("dragon", 130, 0.02), ("n-body", 70, 0.1), ("cloth", 320, 0.04)]
        {
            let (mut sequence, mut world) = (sequences::named(name, scale), World::default());
            for _ in 0..frame {
                world.apply(&Orders::from(sequence.next().expect("the sequence is longer")));
            }
            models.push(Self::new(name, &world.merged()));
        }
        models
    }
}

fn skin(solid: &Solid) -> Merged {
    let triangles = solid.skin().iter().map(|t| t.nodes).collect();
    let end: Vec<Point> = solid.nodes().to_vec();
    Merged { start: end.clone(), end, triangles }
}

#[derive(Clone, Copy)]
struct Bounds {
    low: Vector,
    high: Vector,
}

impl Bounds {
    fn around<'a>(points: impl Iterator<Item = &'a Vector>) -> Self {
        let far = Vector::repeat(f64::INFINITY);
        points.fold(Self { low: far, high: -far }, |b, p| Self { low: b.low.inf(p), high: b.high.sup(p) })
    }

    fn with(&self, other: &Self) -> Self {
        Self { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// P (after equation 6): the volume over that of the parent. Padded, or flat boxes would have none.
    fn share(&self, parent: &Self) -> f64 {
        let size = parent.high - parent.low;
        let pad = 1e-3 * size.max() + f64::MIN_POSITIVE;
        (0..3).map(|k| (self.high[k] - self.low[k] + pad) / (size[k] + pad)).product()
    }
}

/// Directions within an angle of an axis (Provot 1997); a negative angle is the cone of none.
#[derive(Clone, Copy)]
struct Cone {
    axis: Vector,
    angle: f64,
}

impl Cone {
    fn none() -> Self {
        Self { axis: Vector::zeros(), angle: -1.0 }
    }

    fn merged(&self, other: &Self) -> Self {
        if self.angle < 0.0 || other.angle < 0.0 {
            return if self.angle < 0.0 { *other } else { *self };
        }
        let between = self.axis.dot(&other.axis).clamp(-1.0, 1.0).acos();
        match (self.axis + other.axis).try_normalize(1e-9) {
            Some(axis) => Self { axis, angle: 0.5 * between + self.angle.max(other.angle) },
            None => Self { axis: self.axis, angle: TAU },
        }
    }
}

/// Depth-first: the left child follows its node.
struct Node {
    bounds: Bounds,
    /// Triangles below it; 1 is a leaf.
    count: usize,
    is_culled: bool,
    inter: f64,
    own: f64,
}

struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Tree {
    /// Split along axes that the seed decides.
    fn new(model: &Model, seed: u64) -> Self {
        let mut order: Vec<u32> = (0..model.triangles.len() as u32).collect();
        let centres: Vec<Vector> = model.triangles.iter().map(|[a, b, c]| (a + b + c) / 3.0).collect();
        let mut sizes = Vec::with_capacity(2 * order.len());
        split(&centres, &mut order, seed, &mut sizes);
        let empty = Bounds { low: Vector::zeros(), high: Vector::zeros() };
        let node = |count| Node { bounds: empty, count, is_culled: false, inter: 1.0, own: 0.0 };
        let mut tree = Self { nodes: sizes.into_iter().map(node).collect(), order };
        tree.refit(|t| model.triangles[t]);
        tree
    }

    fn right(&self, node: usize) -> usize {
        node + 2 * self.nodes[node + 1].count
    }

    /// Boxes and costs, for triangles that are here.
    fn refit(&mut self, corners: impl Fn(usize) -> Corners) {
        let mut leaf = self.order.len();
        for k in (0..self.nodes.len()).rev() {
            if self.nodes[k].count == 1 {
                leaf -= 1;
                self.nodes[k].bounds = Bounds::around(corners(self.order[leaf] as usize).iter());
                continue;
            }
            let (left, right) = (&self.nodes[k + 1], &self.nodes[self.right(k)]);
            let bounds = left.bounds.with(&right.bounds);
            self.nodes[k].bounds = bounds;
        }
        self.costs();
    }

    /// Equations 6 and 7. A leaf has nothing to test within.
    fn costs(&mut self) {
        for k in (0..self.nodes.len()).rev() {
            if self.nodes[k].count == 1 {
                continue;
            }
            let (left, right) = (&self.nodes[k + 1], &self.nodes[self.right(k)]);
            let parent = &self.nodes[k].bounds;
            let inter = 1.0 + left.bounds.share(parent) * left.inter + right.bounds.share(parent) * right.inter;
            let inside = |node: &Node| if node.is_culled { 0.0 } else { node.own };
            let own = left.inter + right.inter + inside(left) + inside(right);
            (self.nodes[k].inter, self.nodes[k].own) = (inter, own);
        }
    }

    /// Marks what dual cones cull (theorem 4.2): connected nodes whose normals are within a half-space and whose boundary does not turn.
    fn cull(&mut self, model: &Model) {
        let mut cones = vec![[Cone::none(); 2]; self.nodes.len()];
        let mut place = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(slot, t)| place[*t as usize] = slot);
        let mut first = self.order.len();
        let mut firsts = vec![0; self.nodes.len()];
        for k in (0..self.nodes.len()).rev() {
            if self.nodes[k].count == 1 {
                first -= 1;
                firsts[k] = first;
                cones[k] = leaf_cones(model, self.order[first] as usize);
                self.nodes[k].is_culled = true;
                continue;
            }
            firsts[k] = firsts[k + 1];
            let [left, right] = [k + 1, self.right(k)].map(|child| cones[child]);
            cones[k] = [0, 1].map(|which| left[which].merged(&right[which]));
            let [normals, binormals] = &cones[k];
            let flat = normals.angle < FRAC_PI_2
                && (binormals.angle < 0.0 || normals.axis.dot(&binormals.axis).abs() < binormals.angle.cos());
            let slots = firsts[k]..firsts[k] + self.nodes[k].count;
            self.nodes[k].is_culled =
                flat && is_connected(model, &self.order[slots.clone()], |t| slots.contains(&place[t as usize]));
        }
        self.costs();
    }

    /// Overlap tests of a query of the tree against itself.
    fn self_tests(&self) -> u64 {
        let (mut tests, mut waiting) = (0, vec![0]);
        while let Some(node) = waiting.pop() {
            if self.nodes[node].count == 1 || self.nodes[node].is_culled {
                continue;
            }
            let [left, right] = [node + 1, self.right(node)];
            tests += self.tests(left, self, right);
            waiting.extend([left, right]);
        }
        tests
    }

    /// Overlap tests of two subtrees.
    fn tests(&self, node: usize, other: &Self, root: usize) -> u64 {
        let (mut tests, mut waiting) = (0, vec![(node, root)]);
        while let Some((a, b)) = waiting.pop() {
            tests += 1;
            let (p, q) = (&self.nodes[a], &other.nodes[b]);
            if !p.bounds.meets(&q.bounds) {
                continue;
            }
            match (p.count, q.count) {
                (1, 1) => {}
                (_, 1) => waiting.extend([a + 1, self.right(a)].map(|a| (a, b))),
                (1, _) => waiting.extend([b + 1, other.right(b)].map(|b| (a, b))),
                _ => {
                    for a in [a + 1, self.right(a)] {
                        waiting.extend([b + 1, other.right(b)].map(|b| (a, b)));
                    }
                }
            }
        }
        tests
    }
}

/// Halves a list at the median along a random axis, again and again; writes the sizes depth-first.
fn split(centres: &[Vector], order: &mut [u32], seed: u64, sizes: &mut Vec<usize>) {
    sizes.push(order.len());
    if order.len() == 1 {
        return;
    }
    let axis = (mix(seed.wrapping_add(mix(sizes.len() as u64))) % 3) as usize;
    let half = order.len() / 2;
    order.select_nth_unstable_by(half, |a, b| {
        let [p, q] = [a, b].map(|t| centres[*t as usize][axis]);
        p.total_cmp(&q).then(a.cmp(b))
    });
    let (left, right) = order.split_at_mut(half);
    split(centres, left, seed, sizes);
    split(centres, right, seed, sizes);
}

/// Of the normal, and of the binormals of sides on the boundary of the mesh.
fn leaf_cones(model: &Model, triangle: usize) -> [Cone; 2] {
    let corners = &model.triangles[triangle];
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
    let mut binormals = Cone::none();
    for k in (0..3).filter(|k| model.across[triangle][*k] == NONE) {
        // Out of the triangle.
        let out = (corners[(k + 1) % 3] - corners[k]).cross(&normal).normalize();
        binormals = binormals.merged(&Cone { axis: out, angle: 0.0 });
    }
    [Cone { axis: normal, angle: 0.0 }, binormals]
}

fn is_connected(model: &Model, triangles: &[u32], is_inside: impl Fn(u32) -> bool) -> bool {
    let mut seen: std::collections::HashSet<u32> = [triangles[0]].into();
    let mut open = vec![triangles[0]];
    while let Some(t) = open.pop() {
        for other in model.across[t as usize] {
            if other != NONE && is_inside(other) && seen.insert(other) {
                open.push(other);
            }
        }
    }
    seen.len() == triangles.len()
}

/// Where the second model is put: turned at random, its middle anywhere within the first.
fn placement(key: u64) -> Pose {
    let random = |k: u64| unit(17, 8 * key + k);
    let [u, v, w] = [random(0), random(1) * TAU, random(2) * TAU];
    let (p, q) = ((1.0 - u).sqrt(), u.sqrt());
    let turn = Quaternion::new(q * w.cos(), p * v.sin(), p * v.cos(), q * w.sin());
    let shift = Vector::new(random(3) - 0.5, random(4) - 0.5, random(5) - 0.5);
    Pose::from_parts(shift.into(), UnitQuaternion::from_quaternion(turn))
}

/// Pearson's.
fn correlation(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / count, sum.1 + p.1 / count));
    let sum = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>();
    let (xy, xx, yy) = (sum(&|p| (p.0 - x) * (p.1 - y)), sum(&|p| (p.0 - x).powi(2)), sum(&|p| (p.1 - y).powi(2)));
    xy / (xx * yy).sqrt()
}

/// Triangles of nodes that the last column leaves out.
const FEW: usize = 64;

/// Correlations of a model: inter-collision, self-collision with cones, without them, and without them by the costs of large nodes only.
fn correlations(model: &Model, second: &Model, trees: u64, placements: u64) -> [f64; 4] {
    let base = Tree::new(second, 0);
    let placed: Vec<Tree> = (0..placements)
        .map(|key| {
            let pose = placement(key);
            let mut tree =
                Tree { nodes: base.nodes.iter().map(|n| Node { ..*n }).collect(), order: base.order.clone() };
            tree.refit(|t| second.triangles[t].map(|p| (pose * Point::from(p)).coords));
            tree
        })
        .collect();
    let one = |seed: u64| {
        let mut tree = Tree::new(model, seed);
        let met: u64 = placed.iter().map(|other| tree.tests(0, other, 0)).sum();
        let inter = (tree.nodes[0].inter, met as f64 / placements as f64);
        let tests = tree.self_tests() as f64;
        let without = (tree.nodes[0].own, tests);
        // Without cones TC_S is the sum of TC_I of all nodes but the root.
        let large = tree.nodes[1..].iter().filter(|node| node.count > FEW).map(|node| node.inter).sum();
        tree.cull(model);
        [inter, (tree.nodes[0].own, tree.self_tests() as f64), without, (large, tests)]
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let points: Vec<[(f64, f64); 4]> = std::thread::scope(|scope| {
        let part = |core: u64| {
            scope.spawn(move || (1..=trees).filter(|seed| seed % cores == core).map(one).collect::<Vec<_>>())
        };
        let parts: Vec<_> = (0..cores).map(part).collect();
        parts.into_iter().flat_map(|part| part.join().expect("counting does not fail")).collect()
    });
    [0, 1, 2, 3].map(|which| correlation(&points.iter().map(|p| p[which]).collect::<Vec<_>>()))
}

/// The study.
pub fn study(quick: bool, progress: &dyn Fn(&str)) -> Study {
    let (trees, placements) = if quick { (50, 20) } else { (500, 100) };
    let models = Model::all();
    let mut rows = vec![];
    for (k, model) in models.iter().enumerate() {
        progress(&format!("traversal costs, {}, {} of {} models", model.name, k + 1, models.len()));
        // Any other; the same for all trees of a model.
        let second = &models[(k + 1 + mix(k as u64) as usize % (models.len() - 1)) % models.len()];
        let found = correlations(model, second, trees, placements);
        let name = format!("{} (against {})", model.name, second.name);
        rows.push((name, [vec![model.triangles.len() as f64], found.into()].concat()));
    }
    let mean = |column: usize| rows.iter().map(|(_, row)| row[column]).sum::<f64>() / rows.len() as f64;
    let means = vec![f64::NAN, mean(1), mean(2), mean(3), mean(4)];
    let goals = vec![
        Goal::at_least(Topic::DeformMetric, "TC_I and overlap tests: mean correlation", means[1], 0.3, ""),
        Goal::at_least(Topic::DeformMetric, "TC_S and overlap tests: mean correlation", means[2], 0.1, ""),
    ];
    rows.push(("mean".into(), means));
    rows.push(("the paper's mean".into(), vec![f64::NAN, 0.71, 0.48, f64::NAN, f64::NAN]));
    Study {
        title: format!(
            "traversal costs (FASTCD 5.2.1): linear correlation with overlap tests, {trees} trees, {placements} placements"
        ),
        columns: vec!["triangles", "TC_I", "TC_S", "TC_S, cones off", "its large nodes"],
        rows,
        goals,
        notes: vec![
            "the paper's range: TC_I 0.60 to 0.77, TC_S 0.28 to 0.76".into(),
            "cones off: all nodes count in equation 7, and nodes that are compact have larger shares of their parents"
                .into(),
        ],
        ..Study::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_of_lines_are_one() {
        let line = |slope: f64| (0..5).map(|x| (x as f64, slope * x as f64 + 2.0)).collect::<Vec<_>>();
        assert!((correlation(&line(3.0)) - 1.0).abs() < 1e-12 && (correlation(&line(-1.0)) + 1.0).abs() < 1e-12);
    }

    #[test]
    fn costs_follow_the_equations() {
        // Two leaves: TC_I = 1 + P(l) + P(r), TC_S = 2.
        let mesh = skin(&shapes::cuboid([1.0; 3], [1; 3]));
        let mesh = Merged { triangles: mesh.triangles[..2].to_vec(), ..mesh };
        let tree = Tree::new(&Model::new("", &mesh), 1);
        let [root, left, right] = [0, 1, 2].map(|k| &tree.nodes[k]);
        assert_eq!(tree.nodes.len(), 3);
        let expected = 1.0 + left.bounds.share(&root.bounds) + right.bounds.share(&root.bounds);
        assert!((root.inter - expected).abs() < 1e-12 && root.own == 2.0);
        assert_eq!(tree.self_tests(), 1);
    }

    #[test]
    fn cones_cull_flat_patches_and_no_tube() {
        let mesh = skin(&shapes::cuboid([1.0, 1.0, 0.1], [8, 8, 1]));
        let model = Model::new("", &mesh);
        let mut tree = Tree::new(&model, 3);
        tree.cull(&model);
        assert!(!tree.nodes[0].is_culled);
        assert!(tree.nodes.iter().any(|node| node.is_culled && node.count > 1));
    }
}
