//! Seeds of random and impact patterns: drawn within the object by volume, whatever its mesh, so that a box of five tetrahedra can
//! have 27 cells.

use super::pattern::Impact;
use crate::body::Object;
use crate::cut::polytope::Polytope;
use crate::geom::pinned::powi;
use crate::geom::point_tree::{Node, PointTree};
use crate::geom::random::{mix, unit};
use crate::geom::{Point, Vector};
use crate::solid::Solid;
use nalgebra::Matrix3;

/// How much longer the cells of an impact are along its direction.
const STRETCH: f64 = 2.0;
/// Size of the cells at the very point, relative to those at the radius.
const SMALLEST: f64 = 0.1;
/// Candidates a seed, from which the best spread ones are taken.
const CANDIDATES: usize = 8;
/// How far seeds of an impact are drawn, in radii. Those beyond the radius make the rest, with a ragged border.
const REACH: f64 = 1.3;

/// Points of an object, drawn at random.
struct Urn<'a> {
    solid: &'a Solid,
    /// Numbers of tetrahedra of the mesh, or, behind these, of `parts`, and the weight of all up to each.
    entries: Vec<(u32, f64)>,
    /// Tetrahedra of which the object's regions consist.
    parts: Vec<[Point; 4]>,
}

impl<'a> Urn<'a> {
    /// A tetrahedron is as likely as its volume times a weight of its corners.
    fn new(object: &'a Object, weight: impl Fn(&[Point; 4]) -> f64) -> Self {
        let solid = object.asset().solid();
        let (made, piece) = (object.made_by(), object.piece_number());
        let mut urn = Self { solid, entries: vec![], parts: vec![] };
        let mut total = 0.0;
        let mut add = |entries: &mut Vec<(u32, f64)>, number: usize, weight: f64| {
            total += weight;
            if weight > 0.0 {
                entries.push((number as u32, total));
            }
        };
        for tet in object.nodes().iter().flat_map(|n| solid.tets_from(*n)) {
            if made.cut_tets().find(tet as u32).is_none() {
                let weight = weight(&solid.corners(tet as u32));
                // Far from a blow most have none.
                if weight > 0.0 {
                    add(&mut urn.entries, tet, solid.signed_volume(tet as u32).abs() * weight);
                }
            }
        }
        let (mut polytope, mut rim, mut at) = (Polytope::default(), vec![], vec![]);
        for &k in made.cuts_of(piece) {
            let k = k as usize;
            let corners = solid.corners(made.cut_tets().tets[k].tet).map(|p| p.coords);
            for region in made.cut_tets().regions_at(k).filter(|r| made.cut_tets().regions[*r].piece == piece) {
                polytope.set_region(made.cut_tets().splits_at(k), made.cut_tets().walls_of(region).iter().copied());
                polytope.each_simplex(&corners, (&mut rim, &mut at), |simplex, volume| {
                    let corners = simplex.map(Point::from);
                    add(&mut urn.entries, solid.tets().len() + urn.parts.len(), volume * weight(&corners));
                    urn.parts.push(corners);
                });
            }
        }
        urn
    }

    /// The point with some number; `None` if there is nothing to draw from.
    fn draw(&self, seed: u64, number: u64) -> Option<Point> {
        let total = self.entries.last()?.1;
        let key = mix(number);
        let wanted = unit(seed, key) * total;
        let place = self.entries.partition_point(|(_, up_to)| *up_to <= wanted).min(self.entries.len() - 1);
        let tet = self.entries[place].0 as usize;
        let corners = match tet.checked_sub(self.solid.tets().len()) {
            Some(part) => self.parts[part],
            None => self.solid.corners(tet as u32),
        };
        // The gaps between three sorted numbers are uniform in a tetrahedron.
        let mut cuts = [1, 2, 3].map(|k| unit(seed, mix(key ^ k)));
        cuts.sort_unstable_by(f64::total_cmp);
        let weights = [cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 1.0 - cuts[2]];
        Some(Point::from((0..4).fold(Vector::zeros(), |at, k| at + corners[k].coords * weights[k])))
    }
}

/// `count` points of the object.
pub fn random_seeds(object: &Object, count: u32, seed: u64) -> Vec<Point> {
    let urn = Urn::new(object, |_| 1.0);
    (0..count as u64).filter_map(|k| urn.draw(seed, k)).collect()
}

/// A linear map into the space where the cells of a pattern are plain Voronoi cells. No way becomes longer by it.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    map: Matrix3<f64>,
}

impl Metric {
    /// That of an impact: space is shortened along its direction.
    pub fn along(direction: &Vector) -> Self {
        let along = direction.try_normalize(0.0).unwrap_or_default();
        Self { map: Matrix3::identity() - along * along.transpose() * (1.0 - 1.0 / STRETCH) }
    }

    /// Any map that has an inverse. Its scale does not change the cells.
    pub fn new(map: &Matrix3<f64>) -> Self {
        Self { map: map / map.norm() }
    }

    /// The map of space.
    pub fn apply(&self, v: &Vector) -> Vector {
        self.map * v
    }

    /// The linear map that takes normals of planes back.
    pub fn normal(&self, n: &Vector) -> Vector {
        self.map.tr_mul(n)
    }
}

/// Points of which those are taken that are farthest from all taken so far, each in units of a size of its own: in a tree that knows how
/// far that is at most in each node, so that taking one looks at those around it only.
struct Spread<'a> {
    pool: &'a [Point],
    metric: &'a Metric,
    tree: PointTree,
    /// By point: its size, and the gap to what was taken; less than nothing once it is taken itself.
    sizes: Vec<f64>,
    gaps: Vec<f64>,
    /// By node: the largest of its points.
    most_size: Vec<f64>,
    most_gap: Vec<f64>,
}

impl<'a> Spread<'a> {
    fn new(pool: &'a [Point], sizes: Vec<f64>, metric: &'a Metric) -> Self {
        let sites: Vec<Point> = pool.iter().map(|p| metric.apply(&p.coords).into()).collect();
        let tree = PointTree::new(&sites);
        let most = |node: &Node| node.places().map(|place| sizes[tree.number(place) as usize]).fold(0.0, f64::max);
        let most_size = tree.nodes().iter().map(most).collect();
        let most_gap = vec![f64::INFINITY; tree.nodes().len()];
        Self { pool, metric, sizes, gaps: vec![f64::INFINITY; pool.len()], most_size, most_gap, tree }
    }

    /// So many of them, from the first on.
    fn taken(mut self, first: usize, wanted: usize) -> Vec<Point> {
        let (mut found, mut next) = (vec![], Some(first));
        while let Some(taken) = next.filter(|_| found.len() < wanted) {
            found.push(self.pool[taken]);
            self.gaps[taken] = f64::NEG_INFINITY;
            self.take(0, taken);
            next = self.farthest();
        }
        found
    }

    /// Tells the points of a node of one that is taken. As deep as the tree.
    fn take(&mut self, node: usize, taken: usize) {
        let Some(children) = self.tree.nodes()[node].children() else {
            let mut most = f64::NEG_INFINITY;
            for place in self.tree.nodes()[node].places() {
                let k = self.tree.number(place) as usize;
                let gap = self.metric.apply(&(self.pool[k] - self.pool[taken])).norm() / self.sizes[k];
                self.gaps[k] = self.gaps[k].min(gap);
                most = most.max(self.gaps[k]);
            }
            self.most_gap[node] = most;
            return;
        };
        let site = Point::from(self.metric.apply(&self.pool[taken].coords));
        for k in children {
            let near = self.tree.nodes()[k].near(&site).sqrt() / self.most_size[k];
            // The one that is taken is in one of them: there it is zero.
            let is_far = near * (1.0 - 1e-9) > self.most_gap[k];
            if !is_far {
                self.take(k, taken);
            }
        }
        self.most_gap[node] = children.map(|k| self.most_gap[k]).into_iter().fold(f64::NEG_INFINITY, f64::max);
    }

    /// The one with the largest gap, if any are left.
    fn farthest(&self) -> Option<usize> {
        let mut node = 0;
        let most = *self.most_gap.first()?;
        if most < 0.0 {
            return None;
        }
        while let Some([low, high]) = self.tree.nodes()[node].children() {
            node = if self.most_gap[low] >= self.most_gap[high] { low } else { high };
        }
        let own = self.tree.nodes()[node].places().map(|place| self.tree.number(place) as usize);
        own.max_by(|a, b| self.gaps[*a].total_cmp(&self.gaps[*b]).then(b.cmp(a)))
    }
}

/// The seeds of an impact: first those of its cells, spaced in proportion to their distance from the point, then those of the
/// rest beyond the radius; and how many cells there are before the rest.
///
/// Candidates are drawn with the density that such cells have, and of those the seeds are taken greedily, each time the
/// one that is farthest from all taken so far in units of its own cell size.
pub fn impact_seeds(object: &Object, impact: &Impact, metric: &Metric) -> (Vec<Point>, usize) {
    let solid = object.asset().solid();
    let distance = |p: &Point| (p - impact.point).norm();
    let size = |p: &Point| distance(p) / impact.radius + SMALLEST;
    // No corner is farther from the middle than an edge is long.
    let beyond_all = (REACH * impact.radius + object.asset().field().longest_edge) * (1.0 + 1e-9);
    let near = |corners: &[Point; 4]| {
        let middle = Point::from(corners.iter().map(|c| c.coords).sum::<Vector>() * 0.25);
        if (middle - impact.point).norm_squared() > beyond_all * beyond_all {
            return 0.0;
        }
        let reach = corners.iter().map(|c| (c - middle).norm()).fold(0.0, f64::max);
        if distance(&middle) - reach < REACH * impact.radius { 1.0 / powi(size(&middle), 3) } else { 0.0 }
    };
    let urn = Urn::new(object, near);
    let reaches_beyond = object.nodes().iter().any(|n| distance(&solid.nodes()[*n as usize]) >= impact.radius);
    let wanted = (impact.count as usize).saturating_sub(reaches_beyond as usize).max(1);
    let draws = (wanted * CANDIDATES) as u64;
    let mut pool: Vec<Point> = (0..draws).filter_map(|k| urn.draw(impact.seed, k)).collect();
    pool.retain(|p| distance(p) < REACH * impact.radius);
    let is_inner = |p: &Point| distance(p) < impact.radius;
    // The rest is one piece however many seeds it has: with all of them its border is close to the radius everywhere.
    let (pool, mut outer): (Vec<Point>, Vec<Point>) = pool.into_iter().partition(is_inner);
    let first = (0..pool.len()).min_by(|a, b| distance(&pool[*a]).total_cmp(&distance(&pool[*b])));
    let mut inner = match first {
        Some(first) => Spread::new(&pool, pool.iter().map(size).collect(), metric).taken(first, wanted),
        None => vec![],
    };
    if outer.is_empty() && reaches_beyond && !inner.is_empty() {
        // Thin necks may have nothing to draw from just beyond the radius.
        let beyond = object.nodes().iter().map(|n| solid.nodes()[*n as usize]).filter(|p| !is_inner(p));
        outer.extend(beyond.min_by(|a, b| distance(a).total_cmp(&distance(b))));
    }
    // Elsewhere the rest has seeds too, ever fewer away from the blow, or a cell would reach for what is across a hollow.
    if reaches_beyond && !inner.is_empty() {
        let beyond = |corners: &[Point; 4]| {
            let middle = Point::from(corners.iter().map(|c| c.coords).sum::<Vector>() * 0.25);
            powi((distance(&middle) / impact.radius - 1.0).max(0.0) + SMALLEST, -3)
        };
        let urn = Urn::new(object, beyond);
        let draws = (2 * draws).clamp(64, 512);
        outer.extend((0..draws).filter_map(|k| urn.draw(mix(impact.seed), k)).filter(|p| !is_inner(p)));
    }
    let cells = inner.len();
    inner.extend(outer);
    (inner, cells)
}
