//! The bottom-up refit: boxes, cones and traversal costs of all nodes (FASTCD 4.2, 5.2, 5.3).
//!
//! Trees are depth-first, so children come after their node: one backward loop. Large trees are cut into subtrees, which are ranges of
//! nodes and are refitted in parallel; what is above them follows.

use super::body::Body;
use super::cone::{Cone, cannot_collide, cross, normalized};
use super::node::{Cones, Cost, LEAF, LeafBoxes, Node, Tree, VertexBox, inter_cost, node_count, union};
use super::options::ConeCulling;
use super::star_shaped::Surface;
use crate::geom::{NONE, Point};
use crate::tasks::Tasks;

/// Leaves of a subtree that is one task.
const TASK_LEAVES: u32 = 512;
/// Vertices of a chunk.
const TASK_VERTICES: usize = 8192;

/// Which positions boxes and cones hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// Those at the end of the step: for discrete queries.
    End,
    /// All from the start to the end of the step: for continuous queries, too.
    Step,
}

/// What a refit reads.
struct Source<'a> {
    order: &'a [u32],
    corners: &'a [[u32; 3]],
    across: &'a [[u32; 3]],
    start: &'a [Point],
    end: &'a [Point],
    vertex_boxes: &'a [VertexBox],
    is_connected: &'a [bool],
    is_swept: bool,
    culling: ConeCulling,
}

/// A range of nodes, and the leaves below them.
struct Part<'a> {
    first_node: usize,
    nodes: &'a mut [Node],
    cones: &'a mut [Cones],
    costs: &'a mut [Cost],
    first_leaf: usize,
    leaves: &'a mut [LeafBoxes],
}

/// Refits a body.
pub(super) fn refit(body: &mut Body, origin: &Point, interval: Interval, culling: ConeCulling, tasks: &Tasks) {
    let is_swept = interval == Interval::Step && body.is_moving;
    box_vertices(body, origin, is_swept, tasks);
    let was = body.is_star_shaped;
    let surface = Surface { mesh: &body.mesh, start: &body.start, end: &body.end, is_swept };
    body.is_star_shaped = culling.is_conservative() && body.centre.sees(&surface, tasks);
    if body.is_star_shaped != was {
        // Costs with cones and without are no measure for each other.
        body.tree.costs.iter_mut().for_each(|cost| cost.rebuilt = f32::NAN);
    }
    let culling = if body.is_star_shaped { ConeCulling::Off } else { culling };
    let Body { order, corners, across, start, end, vertex_boxes, tree, .. } = body;
    let Tree { nodes, cones, costs, leaves, is_connected } = tree;
    let source = Source { order, corners, across, start, end, vertex_boxes, is_connected, is_swept, culling };
    let tops = tops(nodes);
    if tops.is_empty() {
        let mut all = Part { first_node: 0, nodes, cones, costs, first_leaf: 0, leaves };
        return (0..all.nodes.len()).rev().for_each(|k| all.node(k, &source));
    }
    let mut parts = vec![];
    let mut rest = (&mut nodes[..], &mut cones[..], &mut costs[..], &mut leaves[..]);
    let (mut at, mut leaf) = (0, 0);
    for top in &tops {
        let count = node_count(rest.0[top - at].leaves as usize);
        let leaf_count = rest.0[top - at].leaves as usize;
        let (nodes, cones, costs, leaves) = rest;
        let cut = |n: usize| (n, n + count);
        let (skip, end) = cut(top - at);
        let (nodes, after_nodes) = nodes.split_at_mut(end);
        let (cones, after_cones) = cones.split_at_mut(end);
        let (costs, after_costs) = costs.split_at_mut(end);
        let (leaves, after_leaves) = leaves.split_at_mut(leaf_count);
        parts.push(Part {
            first_node: *top,
            nodes: &mut nodes[skip..],
            cones: &mut cones[skip..],
            costs: &mut costs[skip..],
            first_leaf: leaf,
            leaves,
        });
        rest = (after_nodes, after_cones, after_costs, after_leaves);
        at = top + count;
        leaf += leaf_count;
    }
    tasks.fill(&mut parts, 1, |_, parts| {
        for part in parts {
            (0..part.nodes.len()).rev().for_each(|k| part.node(k, &source));
        }
    });
    // Above the subtrees: nodes that hold one of them whole.
    let mut all = Part { first_node: 0, nodes, cones, costs, first_leaf: 0, leaves };
    for k in (0..all.nodes.len()).rev().filter(|k| *k < *tops.last().unwrap_or(&0)) {
        if all.nodes[k].leaves > TASK_LEAVES {
            all.node(k, &source);
        }
    }
}

/// The roots of the subtrees that are tasks; none if the whole tree is one.
fn tops(nodes: &[Node]) -> Vec<usize> {
    let mut tops = vec![];
    if nodes[0].leaves > TASK_LEAVES {
        let mut k = 0;
        while k < nodes.len() {
            if nodes[k].leaves > TASK_LEAVES {
                k += 1;
            } else {
                tops.push(k);
                k += node_count(nodes[k].leaves as usize);
            }
        }
    }
    tops
}

/// Boxes of the vertices, in single precision, rounded outwards.
fn box_vertices(body: &mut Body, origin: &Point, is_swept: bool, tasks: &Tasks) {
    let Body { start, end, vertex_boxes, .. } = body;
    vertex_boxes.resize(end.len(), VertexBox { min: [0.0; 4], max: [0.0; 4] });
    tasks.fill(vertex_boxes, TASK_VERTICES, |first, boxes| {
        for (k, vertex) in boxes.iter_mut().enumerate() {
            let p = &end[first + k];
            let q = if is_swept { &start[first + k] } else { p };
            for axis in 0..3 {
                let (a, b) = (p[axis] - origin[axis], q[axis] - origin[axis]);
                vertex.min[axis] = below(if a < b { a } else { b });
                vertex.max[axis] = above(if a > b { a } else { b });
            }
        }
    });
}

/// A little more than a unit in the last place of single precision, relative; and for numbers next to zero.
const ROUNDING: f32 = 1.5 * f32::EPSILON;
const SMALLEST: f32 = f32::MIN_POSITIVE;

#[inline]
pub(crate) fn below(x: f64) -> f32 {
    let near = x as f32;
    near - (near.abs() * ROUNDING + SMALLEST)
}

#[inline]
pub(crate) fn above(x: f64) -> f32 {
    let near = x as f32;
    near + (near.abs() * ROUNDING + SMALLEST)
}

impl Part<'_> {
    /// Refits the node at `k` of the range, after its children.
    #[inline]
    fn node(&mut self, k: usize, source: &Source) {
        if self.nodes[k].leaves == 1 {
            self.leaf(k, source);
        } else {
            let (left, right) = (k + 1, k + 2 * self.nodes[k + 1].leaves as usize);
            let (l, r) = (self.nodes[left], self.nodes[right]);
            let node = &mut self.nodes[k];
            (node.min, node.max) = union(&l, &r);
            if source.culling != ConeCulling::Off {
                let (l, r) = (self.cones[left], self.cones[right]);
                let normals = l.normals.merged(&r.normals);
                // Of no use without the other.
                let binormals = if normals.is_narrow() { l.binormals.merged(&r.binormals) } else { Cone::ALL };
                self.cones[k] = Cones { normals, binormals };
            }
            let [a, b] = [self.costs[left], self.costs[right]];
            self.costs[k].inter = inter_cost(node, &[(&l, a.inter), (&r, b.inter)]);
            self.costs[k].own = a.inter + b.inter + a.own() + b.own();
        }
        let cones = &self.cones[k];
        let cost = &mut self.costs[k];
        cost.is_culled = source.culling.culls(cones, source.is_connected[self.first_node + k]);
        cost.rebuilt = if cost.rebuilt.is_nan() { cost.own } else { cost.rebuilt };
    }

    fn leaf(&mut self, k: usize, source: &Source) {
        let leaf = self.nodes[k].first as usize;
        let first = leaf * LEAF;
        // Empty slots are last.
        let count = source.order[first..first + LEAF].iter().filter(|t| **t != NONE).count();
        let boxes = &mut self.leaves[leaf - self.first_leaf];
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for lane in 0..count {
            let [a, b, c] = source.corners[first + lane].map(|v| &source.vertex_boxes[v as usize]);
            for axis in 0..3 {
                let least = |x: f32, y: f32| if y < x { y } else { x };
                let most = |x: f32, y: f32| if y > x { y } else { x };
                let min = least(least(a.min[axis], b.min[axis]), c.min[axis]);
                let max = most(most(a.max[axis], b.max[axis]), c.max[axis]);
                (boxes.min[axis][lane], boxes.max[axis][lane]) = (min, max);
                (low[axis], high[axis]) = (least(low[axis], min), most(high[axis], max));
            }
        }
        (self.nodes[k].min, self.nodes[k].max) = (low, high);
        self.costs[k].inter = 1.0;
        self.costs[k].own = 1.0;
        if source.culling != ConeCulling::Off {
            self.cones[k] = leaf_cones(source, first, count);
        }
    }
}

/// Coordinates of one vector for each triangle of a leaf.
type Lanes = [[f32; LEAF]; 3];

/// Rounding of a normal, in units of the largest coordinate times the longest edge: corners are rounded to single precision relative to
/// one of them, edges and their cross product are computed in it.
const CROSS_ROUNDING: f32 = 4e-6;
/// Directions that are off by more than this angle are not worth a cone.
const TOO_UNCERTAIN: f32 = 0.01;

/// Normals of the triangles of a leaf, and what they are made of, four lanes at a time.
struct LeafNormals {
    /// Edges from corner k on, at the start and at the end of the step.
    edges: [[Lanes; 3]; 2],
    /// Control vectors of the normals: three in motion, else the last one is enough.
    normals: [Lanes; 3],
    /// What they may be off by rounding, as an angle; not below [`TOO_UNCERTAIN`] if one has no area.
    rounding: f32,
}

impl LeafNormals {
    #[inline(always)]
    fn of(source: &Source, first: usize, count: usize) -> Self {
        let base = source.end[source.corners[first][0] as usize];
        let mut reach = [0.0f32; LEAF];
        let mut gather = |points: &[Point]| {
            let mut at = [[[0.0f32; LEAF]; 3]; 3];
            for lane in 0..LEAF {
                // Lanes without a triangle repeat the first.
                let slot = first + if lane < count { lane } else { 0 };
                for (corner, v) in at.iter_mut().zip(source.corners[slot]) {
                    let p = &points[v as usize];
                    for axis in 0..3 {
                        corner[axis][lane] = (p[axis] - base[axis]) as f32;
                    }
                }
            }
            for axis in at.iter().flatten() {
                reach = std::array::from_fn(|l| if axis[l].abs() > reach[l] { axis[l].abs() } else { reach[l] });
            }
            let [a, b, c] = &at;
            [minus(b, a), minus(c, b), minus(a, c)]
        };
        let end = gather(source.end);
        let start = if source.is_swept { gather(source.start) } else { end };
        let last = cross_lanes(&end[0], &end[1]);
        let normals = match source.is_swept {
            false => [last; 3],
            // A quadratic in time: n0, (n0 + n1 - d) / 2, n1 with d the product of the changes of two edges.
            true => {
                let first = cross_lanes(&start[0], &start[1]);
                let d = cross_lanes(&minus(&end[0], &start[0]), &minus(&end[1], &start[1]));
                let middle = |k: usize, l: usize| 0.5 * (first[k][l] + last[k][l] - d[k][l]);
                [first, std::array::from_fn(|k| std::array::from_fn(|l| middle(k, l))), last]
            }
        };
        let reach = reach.iter().fold(0.0f32, |most, r| if *r > most { *r } else { most });
        let mut least = f32::INFINITY;
        for normal in &normals {
            let squared = dot_lanes(normal, normal);
            least = squared.iter().fold(least, |least, s| if *s < least { *s } else { least });
        }
        // An edge is at most twice as long as the reach. Not a number, and so uncertain, without area.
        let rounding = CROSS_ROUNDING * (2.0 * reach * reach) / least.sqrt();
        let is_fine = rounding < TOO_UNCERTAIN && least > SMALLEST;
        Self { edges: [start, end], normals, rounding: if is_fine { rounding } else { TOO_UNCERTAIN } }
    }

    #[inline(always)]
    fn cone(&self, is_swept: bool) -> Cone {
        if self.rounding >= TOO_UNCERTAIN {
            return Cone::ALL;
        }
        let used = if is_swept { &self.normals[..] } else { &self.normals[2..] };
        let mut units = [[[0.0f32; LEAF]; 3]; 3];
        let mut sum = [0.0f32; 3];
        for (unit, normal) in units.iter_mut().zip(used) {
            let squared = dot_lanes(normal, normal);
            let inverse: [f32; LEAF] = std::array::from_fn(|l| 1.0 / squared[l].sqrt());
            for axis in 0..3 {
                unit[axis] = std::array::from_fn(|l| normal[axis][l] * inverse[l]);
                sum[axis] += unit[axis].iter().sum::<f32>();
            }
        }
        let mut least = 1.0f32;
        let Some(axis) = normalized(sum) else { return Cone::ALL };
        for unit in &units[..used.len()] {
            let cosines = dot_lanes(&axis.map(|c| [c; LEAF]), unit);
            least = cosines.iter().fold(least, |least, c| if *c < least { *c } else { least });
        }
        Cone::within(axis, least, self.rounding)
    }

    /// The cone of the binormals e x N, which point out of the triangles, of some edges. In motion a binormal is a cubic.
    fn binormals(&self, edges: impl Iterator<Item = (usize, usize)>, is_swept: bool) -> Cone {
        let (mut list, mut count) = ([[0.0f32; 3]; 12 * LEAF], 0);
        let of = |lanes: &Lanes, lane: usize| [lanes[0][lane], lanes[1][lane], lanes[2][lane]];
        let mut push = |v: [f32; 3]| {
            list[count] = v;
            count += 1;
        };
        for (lane, k) in edges {
            let [e, f] = [of(&self.edges[0][k], lane), of(&self.edges[1][k], lane)];
            let [n0, n1, n2] = [0, 1, 2].map(|n| of(&self.normals[n], lane));
            push(cross(f, n2));
            if is_swept {
                let sum = |a: [f32; 3], b: [f32; 3], of_a: f32, of_b: f32| [0, 1, 2].map(|k| a[k] * of_a + b[k] * of_b);
                push(cross(e, n0));
                push(sum(cross(f, n0), cross(e, n1), 1.0, 2.0));
                push(sum(cross(f, n1), cross(e, n2), 2.0, 1.0));
            }
        }
        Cone::around(&list[..count], 4.0 * self.rounding)
    }
}

#[inline(always)]
fn minus(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|k| std::array::from_fn(|l| a[k][l] - b[k][l]))
}

#[inline(always)]
fn dot_lanes(a: &Lanes, b: &Lanes) -> [f32; LEAF] {
    std::array::from_fn(|l| a[0][l] * b[0][l] + a[1][l] * b[1][l] + a[2][l] * b[2][l])
}

#[inline(always)]
fn cross_lanes(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        std::array::from_fn(|l| a[i][l] * b[j][l] - a[j][l] * b[i][l])
    })
}

fn leaf_cones(source: &Source, first: usize, count: usize) -> Cones {
    let leaf = LeafNormals::of(source, first, count);
    let normals = leaf.cone(source.is_swept);
    if !normals.is_narrow() {
        return Cones { normals, binormals: Cone::ALL };
    }
    // All at once: most leaves have no boundary.
    let across = source.across[first..first + LEAF].as_flattened();
    let has_boundary = across.iter().fold(false, |any, n| any | (*n == NONE));
    if !has_boundary || !source.culling.uses_binormals() {
        return Cones { normals, binormals: Cone::EMPTY };
    }
    let is_boundary = |(lane, k): &(usize, usize)| source.across[first + lane][*k] == NONE;
    let edges = (0..count).flat_map(|lane| (0..3).map(move |k| (lane, k))).filter(is_boundary);
    let binormals = leaf.binormals(edges, source.is_swept);
    Cones { normals, binormals }
}

impl ConeCulling {
    /// Whether binormal cones are asked.
    fn uses_binormals(self) -> bool {
        matches!(self, Self::Fast | Self::DualContour)
    }

    /// Whether nothing is lost by it.
    fn is_conservative(self) -> bool {
        matches!(self, Self::Conservative | Self::DualContour)
    }

    /// Whether it matters that the triangles of a node hang together.
    pub(super) fn needs_connection(self) -> bool {
        matches!(self, Self::Fast | Self::NormalCone | Self::RealContour)
    }

    /// Whether cones alone would cull a node; conservative modes look at its contour, too.
    #[inline]
    pub(super) fn culls(self, cones: &Cones, is_connected: bool) -> bool {
        let narrow = cones.normals.is_narrow() && cones.normals.angle >= 0.0;
        match self {
            Self::Off => false,
            Self::NormalCone | Self::RealContour => is_connected && narrow,
            Self::Fast => is_connected && cannot_collide(&cones.normals, &cones.binormals),
            Self::DualContour => cannot_collide(&cones.normals, &cones.binormals),
            Self::Conservative => narrow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::Builder;
    use super::super::mesh::Mesh;
    use super::super::options::Construction;
    use super::*;
    use crate::geom::Vector;
    use crate::geom::random::unit;

    #[test]
    fn boxes_and_cones_hold_the_triangles_at_all_times() {
        let mut narrow = 0;
        for seed in 0..2000u64 {
            let at = |k: u64| Point::from([0, 1, 2].map(|a| unit(seed, 3 * k + a)));
            // Four triangles around a vertex that face about the same way, and move.
            let ring =
                [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, -1.0]].map(|[x, y]| Vector::new(x, y, 0.0));
            let start: Vec<Point> = (0..5).map(|k| Point::from(ring[k] + at(k as u64).coords * 0.5)).collect();
            let start = [vec![at(9) * 0.3], start].concat();
            let moved = |p: &Point, k: usize| p + (at(10 + k as u64) - Point::new(0.5, 0.5, 0.5)) * unit(seed, 99);
            let end: Vec<Point> = start.iter().enumerate().map(|(k, p)| moved(p, k)).collect();
            let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
            let mesh = Mesh::new(triangles, 6).unwrap();
            let mut body = Body::new(mesh, start.clone(), Construction::Median, &mut Builder::default());
            body.set_positions(end.iter().copied());
            refit(&mut body, &Point::origin(), Interval::Step, ConeCulling::DualContour, &Tasks::inline());
            let (cones, node) = (body.tree.cones[0], body.tree.nodes[0]);
            narrow += cones.normals.is_narrow() as u32;
            let within = |cone: &Cone, v: &Vector| {
                let axis = Vector::from(cone.axis.map(f64::from));
                !cone.is_narrow() || axis.angle(v) <= cone.angle as f64
            };
            for step in 0..=20 {
                let t = step as f64 / 20.0;
                let p: Vec<Point> = (0..6).map(|k| start[k] + (end[k] - start[k]) * t).collect();
                for (slot, corners) in body.corners.iter().enumerate() {
                    let [a, b, c] = corners.map(|v| p[v as usize]);
                    let normal = (b - a).cross(&(c - a));
                    assert!(within(&cones.normals, &normal), "seed {seed}, t {t}");
                    for (k, edge) in [b - a, c - b, a - c].into_iter().enumerate() {
                        let is_boundary = body.across[slot][k] == NONE;
                        assert!(!is_boundary || within(&cones.binormals, &edge.cross(&normal)), "seed {seed}, t {t}");
                    }
                    assert!(
                        [a, b, c]
                            .iter()
                            .all(|p| (0..3).all(|k| { node.min[k] as f64 <= p[k] && p[k] <= node.max[k] as f64 }))
                    );
                }
            }
        }
        assert!(narrow > 300, "{narrow} cones are narrow");
    }
}
