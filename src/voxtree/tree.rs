//! The tree: cubes of one size per level, each with its density, the way out of the body, and its group (VoxTree 3.1, 3.7, 3.9).

use super::density::Grid;
use super::exact::Exact;
use super::groups::{NO_GROUP, by_nearest, of_cubes, of_triangles};
use crate::body::Object;
use crate::error::{Result, bad_argument};
use crate::geom::{Point, Vector};
use crate::heap::held;
use crate::solid::Solid;
use crate::solid::surface::Face;
use std::ops::Range;

/// How a tree is made.
#[derive(Clone, Debug, PartialEq)]
pub struct VoxTreeOptions {
    /// Cubes of the finest level along the longest side of the body.
    pub cells: u32,
    /// How many cubes along an edge become one: of the finest level, then of the next, and so on; the last is repeated.
    pub branching: Vec<u32>,
    /// Neighbours whose normals differ by less than this, in degrees, are of one group; 0: all of the body is one.
    pub group_angle: f64,
}

impl Default for VoxTreeOptions {
    fn default() -> Self {
        Self { cells: 32, branching: vec![2], group_angle: 30.0 }
    }
}

/// A cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoxNode {
    /// Which one along each axis.
    pub cell: [u16; 3],
    /// The almost planar part of the surface that it belongs to, or [`NO_GROUP`].
    pub group: u16,
    /// How much of it is filled, above 0 and at most 1.
    pub density: f32,
    /// The first of its children, which follow each other; of the finest level the number of all nodes.
    pub(super) first: u32,
    /// Out of the body, by the density gradient (eq. 8): a unit vector times 32767, or zero where there is none.
    pub(super) outward: [i16; 3],
    pub(super) children: u16,
}

/// A level of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Level {
    pub first: u32,
    pub edge: f64,
}

/// Cubes of one size per level around a body, in its frame.
#[derive(Clone, Debug)]
pub struct VoxTree {
    pub(super) origin: Point,
    /// Level by level, from one cube around all; children follow each other.
    pub(super) nodes: Vec<VoxNode>,
    pub(super) levels: Vec<Level>,
    pub(super) exact: Option<Exact>,
}

impl VoxTree {
    /// Of a closed surface, counter-clockwise seen from outside. Groups are its almost planar parts, or those of another surface near it,
    /// such as one with fewer triangles (figure 6).
    pub fn from_surface(
        vertices: &[Point],
        triangles: &[[u32; 3]],
        groups: Option<(&[Point], &[[u32; 3]])>,
        options: &VoxTreeOptions,
    ) -> Result<Self> {
        for (vertices, triangles) in [(vertices, triangles)].into_iter().chain(groups) {
            if triangles.is_empty() {
                bad_argument!("a surface has no triangles");
            }
            if let Some(k) = triangles.iter().position(|t| t.iter().any(|v| *v as usize >= vertices.len())) {
                bad_argument!("triangles[{k}] is {:?}; there are {} vertices", triangles[k], vertices.len());
            }
            if let Some(k) = vertices.iter().position(|p| !p.iter().all(|c| c.abs() < 1e9)) {
                bad_argument!("vertices[{k}] is {}; it must be finite and within 1e9 m", vertices[k]);
            }
        }
        let (group_vertices, group_triangles) = groups.unwrap_or((vertices, triangles));
        let group_of = of_triangles(group_vertices, group_triangles, options.group_angle, |_| None);
        Self::of_surface(vertices, triangles, (group_vertices, group_triangles, &group_of), options)
    }

    fn of_surface(
        vertices: &[Point],
        triangles: &[[u32; 3]],
        (group_vertices, group_triangles, group_of): (&[Point], &[[u32; 3]], &[u16]),
        options: &VoxTreeOptions,
    ) -> Result<Self> {
        let longest = crate::geom::aabb::Aabb::around(vertices).size().max();
        if options.cells == 0 {
            bad_argument!("a tree needs at least one cube along the longest side");
        }
        let grid = Grid::of_surface(vertices, triangles.iter().copied(), longest / options.cells as f64)?;
        let groups = match options.group_angle > 0.0 {
            true => by_nearest(&grid, group_vertices, group_triangles, group_of)?,
            false => vec![0; grid.density.len()],
        };
        Self::build(&grid, options, &groups)
    }

    /// Of a solid.
    pub fn from_solid(solid: &Solid, options: &VoxTreeOptions) -> Result<Self> {
        let triangles: Vec<[u32; 3]> = solid.skin().iter().map(|t| t.nodes).collect();
        Self::from_surface(solid.nodes(), &triangles, None, options)
    }

    /// Of an object, intact or a fragment, in metres: from its own surface, whatever it was broken from. Each crack towards a sibling is a group.
    pub fn from_object(object: &Object, options: &VoxTreeOptions) -> Result<Self> {
        let (surface, metres) = (object.surface(), object.in_metres());
        let vertices: Vec<Point> = surface.vertices.iter().map(|p| metres.point(p)).collect();
        let triangles: Vec<[u32; 3]> = surface.triangles.iter().map(|t| t.corners).collect();
        let crack = |k: usize| match surface.triangles[k].face {
            Face::Crack { neighbour, .. } => neighbour,
            _ => None,
        };
        let group_of = of_triangles(&vertices, &triangles, options.group_angle, crack);
        Self::of_surface(&vertices, &triangles, (&vertices, &triangles, &group_of), options)
    }

    /// The same tree with an exact finest level: samples in finest cubes are measured by the fields of the objects. For pairs of trees that both
    /// have one. `object` is the one that it was made of.
    pub fn with_exact(mut self, object: &Object) -> Self {
        let finest = self.finest();
        let cube_of = |p: &Point| self.finest_near(p).map(|node| node - finest.start);
        self.exact = Some(Exact::new(object, finest.len() as u32, cube_of));
        self
    }

    /// Of densities, such as volume data; groups are regions of neighbours with nearly the same gradient.
    pub fn from_grid(grid: &Grid, options: &VoxTreeOptions) -> Result<Self> {
        Self::build(grid, options, &of_cubes(grid, options.group_angle))
    }

    /// From the finest cubes and their groups.
    fn build(finest: &Grid, options: &VoxTreeOptions, groups: &[u16]) -> Result<Self> {
        if options.branching.is_empty() || options.branching.iter().any(|b| !(2..=16).contains(b)) {
            bad_argument!("branching is {:?}; 2 to 16 cubes along an edge can become one", options.branching);
        }
        // From the finest level up to one cube.
        let (mut grids, mut factors) = (vec![finest.clone()], vec![]);
        while let Some(last) = grids.last().filter(|last| last.size != [1; 3]) {
            let factor = options.branching.get(factors.len()).or(options.branching.last()).map_or(2, |b| *b as usize);
            grids.push(coarser(last, factor));
            factors.push(factor);
        }
        grids.reverse();
        factors.reverse();
        if grids[0].density[0] == 0.0 {
            bad_argument!(
                "the body holds nothing: is its surface closed, and its triangles counter-clockwise seen from outside?"
            );
        }
        let mut tree = Self { origin: finest.origin, nodes: vec![], levels: vec![], exact: None };
        let mut cells = vec![[0; 3]];
        for (level, grid) in grids.iter().enumerate() {
            tree.levels.push(Level { first: tree.nodes.len() as u32, edge: grid.edge });
            let mut next = vec![];
            let end = tree.nodes.len() + cells.len();
            for cell in cells {
                let first = (end + next.len()) as u32;
                if let Some(factor) = factors.get(level) {
                    next.extend(children(cell, *factor, &grids[level + 1]));
                }
                tree.nodes.push(VoxNode {
                    cell: cell.map(|c| c as u16),
                    group: if level == factors.len() { groups[finest.index(cell)] } else { NO_GROUP },
                    density: grid.density[grid.index(cell)],
                    first,
                    outward: grid.outward(cell),
                    children: (end + next.len() - first as usize) as u16,
                });
            }
            cells = next;
        }
        tree.nodes.shrink_to_fit();
        tree.group_upwards();
        Ok(tree)
    }

    /// A coarse cube has the group that all its children have.
    fn group_upwards(&mut self) {
        for k in (0..self.nodes.len()).rev() {
            let children = self.children(k as u32);
            if let Some(first) = self.nodes.get(children.start as usize).filter(|_| !children.is_empty()) {
                let group = first.group;
                let is_one =
                    self.nodes[children.start as usize..children.end as usize].iter().all(|c| c.group == group);
                self.nodes[k].group = if is_one { group } else { NO_GROUP };
            }
        }
    }

    /// The children of a node; none at the finest level.
    pub fn children(&self, node: u32) -> Range<u32> {
        let VoxNode { first, children, .. } = self.nodes[node as usize];
        first..first + children as u32
    }

    /// All nodes, level by level.
    pub fn nodes(&self) -> &[VoxNode] {
        &self.nodes
    }

    /// Number of levels.
    pub fn level_count(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The level of a node, 0 for the cube around all.
    pub fn level(&self, node: u32) -> u32 {
        // Most nodes are of the last levels.
        self.levels.iter().rposition(|level| level.first <= node).unwrap_or(0) as u32
    }

    /// The edge of the cubes of a level.
    pub fn edge(&self, level: u32) -> f64 {
        self.levels[level as usize].edge
    }

    /// Centre and half edge of a node.
    pub fn cube(&self, node: u32) -> (Point, f64) {
        let edge = self.edge(self.level(node));
        let cell = self.nodes[node as usize].cell.map(|c| (c as f64 + 0.5) * edge);
        (self.origin + Vector::from(cell), 0.5 * edge)
    }

    /// Out of the body at a node, a unit vector, or zero.
    pub fn outward(&self, node: u32) -> Vector {
        Vector::from(self.nodes[node as usize].outward.map(|c| c as f64 / 32767.0))
    }

    /// The lowest corner of all cubes.
    pub fn origin(&self) -> &Point {
        &self.origin
    }

    /// The nodes of the finest level.
    pub fn finest(&self) -> Range<u32> {
        self.levels.last().map_or(0, |level| level.first)..self.nodes.len() as u32
    }

    /// Number of groups.
    pub fn group_count(&self) -> u32 {
        let groups = self.nodes.iter().map(|node| node.group).filter(|group| *group != NO_GROUP);
        groups.max().map_or(0, |last| last as u32 + 1)
    }

    /// Whether its finest level is [exact](Self::with_exact).
    pub fn is_exact(&self) -> bool {
        self.exact.is_some()
    }

    pub(super) fn exact(&self) -> Option<&Exact> {
        self.exact.as_ref()
    }

    /// The finest cube that a point is in, or about the nearest.
    pub(super) fn finest_near(&self, p: &Point) -> Option<u32> {
        let mut node = 0;
        loop {
            let off = |child: &u32| {
                let (at, half) = self.cube(*child);
                (p - at).map(|c| (c.abs() - half).max(0.0)).norm_squared()
            };
            match self.children(node).min_by(|a, b| off(a).total_cmp(&off(b))) {
                Some(child) => node = child,
                None => return (!self.nodes.is_empty()).then_some(node),
            }
        }
    }

    /// Whether a point is in a cube; of those of a level, in one at most.
    pub(super) fn is_in(&self, node: u32, p: &Point) -> bool {
        let at = (p - self.origin) / self.edge(self.level(node));
        let cell = self.nodes[node as usize].cell;
        (0..3).all(|k| at[k].floor() == cell[k] as f64)
    }

    /// Heap memory, in bytes.
    pub fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.levels) + self.exact.as_ref().map_or(0, Exact::bytes)
    }
}

/// The filled cubes of the next level in a cube.
fn children(cell: [usize; 3], factor: usize, finer: &Grid) -> impl Iterator<Item = [usize; 3]> + '_ {
    (0..factor.pow(3)).filter_map(move |k| {
        let within = [k % factor, k / factor % factor, k / factor / factor];
        let child = [0, 1, 2].map(|a| cell[a] * factor + within[a]);
        let is_there = (0..3).all(|a| child[a] < finer.size[a]) && finer.density[finer.index(child)] > 0.0;
        is_there.then_some(child)
    })
}

/// The grid of cubes of several.
fn coarser(grid: &Grid, factor: usize) -> Grid {
    let size = grid.size.map(|n| n.div_ceil(factor));
    let mut sums = vec![0.0f64; size.iter().product()];
    let mut coarse = Grid { origin: grid.origin, edge: grid.edge * factor as f64, size, density: vec![] };
    for (k, density) in grid.density.iter().enumerate() {
        let cell = [k % grid.size[0], k / grid.size[0] % grid.size[1], k / grid.size[0] / grid.size[1]];
        sums[coarse.index(cell.map(|c| c / factor))] += *density as f64;
    }
    coarse.density = sums.iter().map(|sum| (sum / factor.pow(3) as f64) as f32).collect();
    coarse
}
