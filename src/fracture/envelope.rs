//! A pattern made ready for one object: functions that are affine in every tetrahedron (docs/formulations/exact-cells.md).
//!
//! Every cell of a pattern has a function, and a point belongs to the cell whose function is least there. In a tetrahedron the
//! functions are known by their values at the four nodes, which are whole numbers: one for every (node, cell), from nothing
//! else, so all tetrahedra around agree. Patterns of planes have a level for each plane instead, with two cells each; a cell of
//! the pattern is a set of sides.

use super::labels::{self, LabelCells};
use super::limits::Meter;
use super::neighbours;
use super::pattern::{Pattern, Shape};
use super::rough::Warp;
use super::seeds::{self, Metric};
use super::voronoi::{Near, Seeds, bit_of};
use crate::body::Object;
use crate::cut::polytope::{Split, Spot};
use crate::error::{Error, Result};
use crate::geom::aabb::Aabb;
use crate::geom::exact::{CERTAIN, VALUE_BITS};
use crate::geom::pinned::{cbrt, log2, powi};
use crate::geom::plane::Plane;
use crate::geom::point_tree::PointTree;
use crate::geom::random::{mix, unit};
use crate::geom::{NONE, Point, Vector};
use crate::tasks::Tasks;
use std::cell::Cell;
use std::collections::HashMap;

/// Nodes a task asks at a time.
const GRAIN: usize = 1 << 10;
/// The weights that break ties, relative to the squared distance between seeds, or to the size of the object for planes.
const WEIGHT: f64 = 1.0 / (1u64 << 34) as f64;
/// Seeds are no farther from the middle of the asset, in metres.
const FARTHEST: f64 = 1e150;
/// Of more candidates in a tetrahedron those that are higher everywhere are dropped.
const FEW_CELLS: usize = 6;
/// Of blows with more cells all seeds are kept: where cells are as small as what rounding may change, each is next to each.
const MOST_PRUNED: usize = 512;
/// How much weights and rounding may change functions, at most, in squared radii.
const CERTAINLY_NEXT: f64 = 1e-9;
/// Of no more seeds all are looked at.
const FEW_SEEDS: usize = 64;
/// Bits for the sides of all nodes towards all planes, at most: a quarter of a gigabyte, and some seconds to find them.
const MOST_SIDES: u64 = 1 << 31;

/// A pattern ready for one object.
pub struct Envelope {
    kind: Kind,
    warp: Option<Warp>,
    centre: Point,
    /// The generation of the cracks that it makes.
    pub generation: u32,
    /// The nodes that it was asked at, ascending: those of all tetrahedra that hold a part of the object.
    pub nodes: Vec<u32>,
    tables: Tables,
    /// Of planes, relative to the middle of the asset.
    offsets: Vec<f64>,
    /// Whole numbers a unit of the functions.
    scale: f64,
    /// Of seeds: functions of cells near a node are not more than this above that of its own cell.
    highest: f64,
    /// How many cells there are, if that is known beforehand.
    count: u32,
    /// By cell: the first cell of its group; empty if each is a group of its own. What hangs together of a group is one piece.
    groups: Vec<u32>,
    /// By cell: whether its group has others.
    is_joined: Vec<bool>,
    /// By cell: the number by which the caller knows its group, if the caller has groups.
    group_names: Vec<u32>,
    /// Cells that were asked for, but could not be placed.
    unplaced: u32,
    /// The largest number of fragments that the pattern stands for.
    pub most: u32,
    /// Whether its cracks are planes in space.
    pub is_flat: bool,
    /// How much farther apart points are where the pattern is asked than they are, at most.
    stretch: f64,
    /// The work that it takes.
    pub meter: Meter,
}

enum Kind {
    /// Seeds in the space where their cells are plain Voronoi cells, and how to get there.
    Seeds {
        at: Vec<Point>,
        squares: Vec<f64>,
        weights: Vec<f64>,
        metric: Option<Metric>,
    },
    /// Sides are bits, `words` of 64 a node, in the order of `nodes`, as are their sites; `labels` are numbers for the sides of each cell that owns a node.
    Planes {
        planes: Vec<Plane>,
        weights: Vec<f64>,
        words: usize,
        sides: Vec<u64>,
        sites: Vec<Point>,
        labels: Vec<u64>,
    },
    Labels(LabelCells),
}

/// What may cut a piece: all of these cells or levels, or those whose seeds are near.
pub enum Cutting {
    These(Vec<u32>),
    Near(PointTree),
}

/// What is known of the nodes of the asset. Taken from the thread, and given back: between events it is empty.
#[derive(Default)]
struct Tables {
    /// By node: its cell; [`NONE`] for nodes that were not asked.
    cell_of: Vec<u32>,
    /// By node: where its entries start and how many it has, for labels; for planes, its place among the nodes that were asked.
    entries_of: Vec<(u32, u32)>,
    /// Cells named at nodes and their values there, ascending.
    entries: Vec<(u32, f64)>,
    /// By node, for seeds: where it is among them, and the seed that its values are relative to.
    sites: Vec<(Point, u32)>,
    /// By node, for seeds: bits of the cells that may be near it, and which list these are in.
    near: Vec<(u64, u32)>,
    /// The lists, one after the other, and where each starts.
    lists: Vec<u32>,
    /// See above.
    starts: Vec<u32>,
}

thread_local! {
    static KEPT: Cell<Option<Tables>> = const { Cell::new(None) };
}

/// Gives back the memory that this thread keeps between events.
pub fn release_tables() {
    KEPT.take();
}

impl Drop for Envelope {
    fn drop(&mut self) {
        let mut tables = std::mem::take(&mut self.tables);
        self.nodes.iter().for_each(|n| tables.cell_of[*n as usize] = NONE);
        tables.entries.clear();
        tables.lists.clear();
        tables.starts.clear();
        KEPT.set(Some(tables));
    }
}

impl Envelope {
    /// Asks the pattern at all nodes around the object.
    pub fn new(pattern: &Pattern, object: &Object, tasks: &Tasks) -> Result<Self> {
        let mut made = Self::unasked(pattern, object)?;
        made.ask_near(object, tasks)?;
        Ok(made)
    }

    /// The same without asking at any node which seeds are near: [`ask_near`](Self::ask_near) does.
    pub fn unasked(pattern: &Pattern, object: &Object) -> Result<Self> {
        pattern.check()?;
        let asset = object.asset();
        // Plain labels know nodes, not space: there is nothing to bend.
        let spatial = !matches!(pattern.shape, Shape::Labels(_));
        let rough = pattern.roughness.filter(|r| spatial && r.amplitude > 0.0);
        let mut tables = KEPT.take().unwrap_or_default();
        if tables.cell_of.len() < asset.solid().nodes().len() {
            tables.cell_of.resize(asset.solid().nodes().len(), NONE);
            tables.entries_of.resize(asset.solid().nodes().len(), (0, 0));
            tables.sites.resize(asset.solid().nodes().len(), (Point::origin(), 0));
            tables.near.resize(asset.solid().nodes().len(), (0, 0));
        }
        let mut made = Self {
            kind: Kind::Seeds { at: vec![], squares: vec![], weights: vec![], metric: None },
            warp: rough.map(|r| Warp::new(&r, asset)),
            centre: *asset.centre(),
            generation: object.made_by().generation,
            nodes: nodes_around(object),
            tables,
            offsets: vec![],
            scale: 1.0,
            highest: 0.0,
            count: 0,
            groups: vec![],
            is_joined: vec![],
            group_names: vec![],
            unplaced: 0,
            most: u32::MAX,
            is_flat: spatial && rough.is_none(),
            stretch: rough.map_or(0.0, |r| 2.0 * r.amplitude * asset.radius()),
            meter: Meter::unlimited(),
        };
        match &pattern.shape {
            Shape::Planes(planes) => made.ask_planes(planes, object)?,
            Shape::Seeds(cells) => {
                made.name_groups(&cells.groups);
                made.set_seeds(&cells.seeds, cells.metric.as_ref().map(Metric::new), object);
            }
            Shape::RandomSeeds { count, seed } => {
                let seeds = seeds::random_seeds(object, *count, *seed);
                made.unplaced = count - seeds.len() as u32;
                made.set_seeds(&seeds, None, object);
            }
            Shape::Impact(impact) => {
                let metric = Metric::along(&impact.direction);
                let impact = impact.with_radius(object.bounds().radius());
                let (mut seeds, cells) = seeds::impact_seeds(object, &impact, &metric);
                made.most = impact.count.saturating_add(impact.count / 5);
                let has_rest = cells < seeds.len();
                made.unplaced = impact.count.saturating_sub((cells + has_rest as usize) as u32);
                made.keep_next_to(cells, &mut seeds, &metric, object);
                made.set_groups((0..seeds.len() as u32).map(|cell| cell.min(cells as u32)).collect());
                made.set_seeds(&seeds, Some(metric), object);
            }
            Shape::Labels(given) => {
                let (cells, labels) = labels::prepare(object, &made.nodes, given)?;
                made.ask_labels(cells, labels);
            }
        }
        Ok(made)
    }

    /// Where the pattern is asked for what happens at a point: bent if it is rough, and relative to the middle of the asset, where
    /// numbers are small.
    fn site(&self, p: &Point) -> Point {
        let bent = self.warp.as_ref().map_or(*p, |warp| warp.apply(p)) - self.centre;
        match &self.kind {
            Kind::Seeds { metric: Some(metric), .. } => metric.apply(&bent).into(),
            _ => bent.into(),
        }
    }

    /// Sets the groups of cells by the numbers that the caller has for them.
    fn name_groups(&mut self, names: &[u32]) {
        let mut first = HashMap::new();
        let groups = names.iter().zip(0..).map(|(name, cell)| *first.entry(*name).or_insert(cell)).collect();
        self.set_groups(groups);
        self.group_names = names.to_vec();
    }

    /// Sets the first cell of the group of each cell.
    fn set_groups(&mut self, groups: Vec<u32>) {
        let mut sizes = vec![0; groups.len()];
        groups.iter().for_each(|group| sizes[*group as usize] += 1);
        self.is_joined = groups.iter().map(|group| sizes[*group as usize] > 1).collect();
        self.groups = groups;
    }

    /// Of the seeds behind the first so many keeps those whose cells are next to theirs in the object: the others, which are all one group
    /// with them, change nothing.
    fn keep_next_to(&self, first: usize, seeds: &mut Vec<Point>, metric: &Metric, object: &Object) {
        if first == 0 || first == seeds.len() || first > MOST_PRUNED {
            return;
        }
        let site = |p: &Point| Point::from(metric.apply(&(p - self.centre)));
        let at: Vec<Point> = seeds.iter().map(site).collect();
        let squares: Vec<f64> = at.iter().map(|s| s.coords.norm_squared()).collect();
        let bounds = Aabb::around(&object.bounds().grown(self.stretch).corners().map(|p| site(&p)));
        // A little more than what weights and rounding may change.
        let close = CERTAINLY_NEXT * powi(bounds.radius(), 2);
        let (next_to, _) = neighbours::find(first, &at, &squares, &bounds, close);
        let mut is_kept = vec![false; seeds.len()];
        is_kept[..first].fill(true);
        next_to.iter().for_each(|cell| is_kept[*cell as usize] = true);
        let mut kept = is_kept.into_iter();
        seeds.retain(|_| kept.next() == Some(true));
    }

    fn set_seeds(&mut self, seeds: &[Point], metric: Option<Metric>, object: &Object) {
        let local = |s: &Point| s - self.centre;
        let site = |s: &Point| metric.map_or(local(s), |m| m.apply(&local(s)));
        // Squares of what is farther away would not be finite.
        let at: Vec<Point> = seeds.iter().map(|s| site(s).map(|c| c.clamp(-FARTHEST, FARTHEST)).into()).collect();
        let weights = seed_weights(object, at.len());
        self.count = at.len() as u32;
        let squares = at.iter().zip(&weights).map(|(s, w)| s.coords.norm_squared() + w).collect();
        self.kind = Kind::Seeds { at, squares, weights, metric };
    }

    /// Asks at all nodes which seeds are near, if the pattern has seeds, and nobody has asked before.
    pub fn ask_near(&mut self, object: &Object, tasks: &Tasks) -> Result<()> {
        let Kind::Seeds { at, squares, weights, .. } = &self.kind else { return Ok(()) };
        if !self.tables.starts.is_empty() {
            return Ok(());
        }
        let asset = object.asset();
        let nodes = &self.nodes;
        let positions = asset.solid().nodes();
        let slack = weights.iter().fold(0.0, |most: f64, weight| most.max(*weight));
        let runs = tasks.map_chunks(nodes.len(), GRAIN, |range| {
            let sites: Vec<Point> = nodes[range.clone()].iter().map(|n| self.site(&positions[*n as usize])).collect();
            let reach: Vec<f64> = nodes[range].iter().map(|n| asset.edge_reach(*n) + self.stretch).collect();
            let mut near = Near::default();
            Seeds { at, squares, slack }.near_within(&sites, &reach, &self.meter, &mut near);
            (near, sites)
        });
        self.meter.check()?;
        self.highest = runs.iter().fold(0.0, |most: f64, (run, _)| most.max(run.highest));
        self.scale = whole_numbers_a_unit(self.highest);
        let Tables { cell_of, sites: kept, near, lists, starts, .. } = &mut self.tables;
        let (mut next, mut close) = (nodes.iter(), vec![]);
        for (run, sites) in runs {
            let (first_list, first_cell) = (starts.len() as u32, lists.len() as u32);
            starts.extend(run.starts.iter().map(|start| first_cell + start));
            lists.extend_from_slice(&run.cells);
            let own_nodes = next.as_slice();
            close.extend(run.close.iter().map(|place| own_nodes[*place as usize]));
            // None without seeds.
            for (((own, bits), list), site) in run.own.iter().zip(run.bits).zip(run.list).zip(sites) {
                let Some(&node) = next.next() else { break };
                kept[node as usize] = (site, *own);
                near[node as usize] = (bits, first_list + list);
                cell_of[node as usize] = *own;
            }
        }
        // Without seeds there is one cell, and nothing is near.
        let empty = starts.len() as u32;
        next.for_each(|node| (cell_of[*node as usize], near[*node as usize]) = (0, (0, empty)));
        starts.extend([lists.len() as u32; 2]);
        for node in close {
            let lowest = self.lowest_at(node);
            self.tables.cell_of[node as usize] = lowest;
        }
        Ok(())
    }

    /// The cell of seeds that is lowest at a node: of equal ones the last, as the polytopes decide.
    fn lowest_at(&self, node: u32) -> u32 {
        let values = self.near(node).map(|cell| (cell, self.value(node, cell)));
        let lowest = values.reduce(|best, next| if next.1 <= best.1 { next } else { best });
        lowest.map_or(0, |(cell, _)| cell)
    }

    /// The cells of seeds that may be near a node, ascending; and a few others.
    fn near(&self, node: u32) -> impl Iterator<Item = u32> {
        let bits = self.tables.near[node as usize].0;
        self.list_near(node).iter().copied().filter(move |cell| bits & bit_of(*cell) != 0)
    }

    /// The same, and more others.
    #[inline]
    fn list_near(&self, node: u32) -> &[u32] {
        let Tables { near, lists, starts, .. } = &self.tables;
        let list = near[node as usize].1 as usize;
        &lists[starts[list] as usize..starts[list + 1] as usize]
    }

    fn ask_labels(&mut self, cells: Vec<u32>, labels: LabelCells) {
        self.count = labels.names.len() as u32;
        self.scale = whole_numbers_a_unit(labels.default);
        let Tables { cell_of, entries_of, entries, .. } = &mut self.tables;
        let mut named: Vec<(u32, u32, f64)> =
            labels.gaps.iter().map(|((node, cell), gap)| (*node, *cell, *gap)).collect();
        named.retain(|(node, cell, _)| *node != NONE && *cell != NONE);
        named.sort_unstable_by_key(|(node, cell, _)| (*node, *cell));
        for (&node, own) in self.nodes.iter().zip(cells) {
            let first = entries.len();
            let start = named.partition_point(|(n, ..)| *n < node);
            let gaps = named[start..].iter().take_while(|(n, ..)| *n == node).filter(|(_, cell, _)| *cell != own);
            // At least one: a crack through a node leaves the node to its own cell.
            entries.extend(gaps.map(|(_, cell, gap)| (*cell, (gap * self.scale).round().max(1.0))));
            entries.push((own, 0.0));
            entries[first..].sort_unstable_by_key(|(cell, _)| *cell);
            cell_of[node as usize] = lowest(&entries[first..]).unwrap_or(own);
            entries_of[node as usize] = (first as u32, (entries.len() - first) as u32);
        }
        self.kind = Kind::Labels(labels);
    }

    fn ask_planes(&mut self, given: &[Plane], object: &Object) -> Result<()> {
        let mut planes: Vec<Plane> = vec![];
        let mut known = std::collections::HashSet::new();
        for plane in given {
            // Equal and opposite planes are one.
            let bits = |p: &Plane| [p.normal.x, p.normal.y, p.normal.z, p.offset].map(|c| (c + 0.0).to_bits());
            if known.insert(bits(plane)) && known.insert(bits(&plane.flipped())) {
                planes.push(*plane);
            }
        }
        let words = planes.len().div_ceil(64).max(1);
        if (self.nodes.len() as u64).saturating_mul(words as u64 * 64) > MOST_SIDES {
            return Err(Error::TooLarge(format!(
                "{} planes at {} nodes are too many to be told apart; break with fewer at a time",
                planes.len(),
                self.nodes.len()
            )));
        }
        let asset = object.asset();
        let size = WEIGHT * object.bounds().radius();
        let weights = (0..planes.len() as u64).map(|k| size * unit(PLANES, k)).collect();
        // Farther than this is not crossed: the value there does not matter, but for its sign.
        self.scale = whole_numbers_a_unit(4.0 * (asset.field().longest_edge + self.stretch));
        self.count = planes.len() as u32;
        self.offsets = planes.iter().map(|plane| -plane.distance(&self.centre)).collect();
        self.kind = Kind::Planes { planes, weights, words, sides: vec![], sites: vec![], labels: vec![] };
        let mut sides = vec![0u64; self.nodes.len() * words];
        let (mut numbers, mut of_cells) = (HashMap::new(), vec![]);
        let mut found = Vec::with_capacity(self.nodes.len());
        let site = |node: &u32| self.site(&asset.solid().nodes()[*node as usize]);
        let at: Vec<Point> = self.nodes.iter().map(site).collect();
        for (place, site) in at.iter().enumerate() {
            let mut hash = 0u64;
            for k in 0..self.count as usize {
                if self.plane_value(k, site) >= 0.0 {
                    sides[place * words + k / 64] |= 1 << (k % 64);
                    hash ^= side_key(k);
                }
            }
            found.push(*numbers.entry(hash).or_insert_with(|| {
                of_cells.push(hash);
                of_cells.len() as u32 - 1
            }));
        }
        for (place, (&node, cell)) in self.nodes.iter().zip(found).enumerate() {
            self.tables.cell_of[node as usize] = cell;
            self.tables.entries_of[node as usize] = (place as u32, 0);
        }
        if let Kind::Planes { sides: kept, sites, labels, .. } = &mut self.kind {
            (*kept, *sites, *labels) = (sides, at, of_cells);
        }
        Ok(())
    }

    /// The whole number of a plane's level at a site. Zero counts as positive.
    fn plane_value(&self, k: usize, site: &Point) -> f64 {
        let Kind::Planes { planes, weights, .. } = &self.kind else { return 0.0 };
        let most = powi(2.0, VALUE_BITS);
        whole(((planes[k].normal.dot(&site.coords) - self.offsets[k] + weights[k]) * self.scale).clamp(-most, most))
    }

    /// The cell of a node.
    pub fn cell_of(&self, node: u32) -> u32 {
        self.tables.cell_of[node as usize]
    }

    /// The cells of all nodes of the asset; [`NONE`] for those that were not asked.
    pub fn cells(&self) -> &[u32] {
        &self.tables.cell_of
    }

    /// The label of the cell of a node: what regions of it have.
    pub fn label_of(&self, node: u32) -> u64 {
        let cell = self.cell_of(node);
        match &self.kind {
            Kind::Planes { labels, .. } => labels[cell as usize],
            _ => cell as u64,
        }
    }

    /// The label of what a region with this label is part of: the first cell of its group.
    pub fn joined(&self, label: u64) -> u64 {
        if self.has_groups() { self.group_of(label as u32) as u64 } else { label }
    }

    /// The first cell of the group of a cell.
    #[inline]
    pub fn group_of(&self, cell: u32) -> u32 {
        self.groups.get(cell as usize).copied().unwrap_or(cell)
    }

    /// Whether a cell with this label is one of several of its group.
    pub fn is_joined(&self, label: u64) -> bool {
        !self.has_levels() && self.is_joined.get(label as usize) == Some(&true)
    }

    /// Whether some cells are one.
    pub fn has_groups(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Whether it has levels instead of cells.
    pub fn has_levels(&self) -> bool {
        matches!(self.kind, Kind::Planes { .. })
    }

    fn entries(&self, node: u32) -> &[(u32, f64)] {
        let (first, count) = self.tables.entries_of[node as usize];
        &self.tables.entries[first as usize..][..count as usize]
    }

    /// The cells that may be in a tetrahedron, ascending, and their values at its nodes.
    pub fn candidates(&self, nodes: &[u32; 4], cells: &mut Vec<u32>, values: &mut Vec<[f64; 4]>) {
        cells.clear();
        values.clear();
        match &self.kind {
            Kind::Seeds { at, squares, .. } => {
                // A cell in the tetrahedron is near all its nodes; what is higher at one of them is not.
                let bits = nodes.iter().fold(u64::MAX, |bits, n| bits & self.tables.near[*n as usize].0);
                let most = self.highest * self.scale + 1.0;
                let seeds = Seeds { at, squares, slack: 0.0 };
                let sites = nodes.map(|n| self.tables.sites[n as usize].0);
                let middle = Point::from(sites.iter().map(|site| site.coords).sum::<Vector>() * 0.25);
                let radius = sites.iter().map(|site| (site - middle).norm_squared()).fold(0.0, f64::max).sqrt();
                let list = self.list_near(nodes[0]);
                if list.is_empty() {
                    return;
                }
                let mut picked = [0; 64];
                let count = seeds.pick_within(list, &middle, radius, self.cell_of(nodes[0]), &mut picked);
                let picked = if list.len() <= picked.len() { &picked[..count] } else { list };
                for &cell in picked.iter().filter(|cell| bits & bit_of(**cell) != 0) {
                    let row = nodes.map(|n| self.value(n, cell));
                    if row.iter().all(|value| *value <= most) {
                        cells.push(cell);
                        values.push(row);
                    }
                }
                if cells.len() > FEW_CELLS {
                    self.drop_higher(nodes, cells, values);
                }
            }
            Kind::Labels(labels) => {
                nodes.iter().for_each(|n| cells.extend(self.entries(*n).iter().map(|(cell, _)| *cell)));
                cells.sort_unstable();
                cells.dedup();
                let default = self.default_value(labels);
                let value = |node: u32, cell: u32| {
                    let entries = self.entries(node);
                    entries.binary_search_by_key(&cell, |(c, _)| *c).map_or(default, |k| entries[k].1)
                };
                values.extend(cells.iter().map(|cell| nodes.map(|n| value(n, *cell))));
            }
            Kind::Planes { .. } => {}
        }
    }

    /// Drops the cells that are higher everywhere in a tetrahedron than the cell of one of its nodes.
    fn drop_higher(&self, nodes: &[u32; 4], cells: &mut Vec<u32>, values: &mut Vec<[f64; 4]>) {
        let own = nodes.map(|n| nodes.map(|other| self.value(other, self.cell_of(n))));
        let mut kept = 0;
        for k in 0..cells.len() {
            if !own.iter().any(|own| (0..4).all(|node| values[k][node] > own[node])) {
                (cells[kept], values[kept]) = (cells[k], values[k]);
                kept += 1;
            }
        }
        cells.truncate(kept);
        values.truncate(kept);
    }

    /// The planes that cross a tetrahedron, and their values at its nodes; and a number for the sides of its first node.
    pub fn crossing(&self, nodes: &[u32; 4], found: &mut Vec<u32>, values: &mut Vec<[f64; 4]>) -> u64 {
        found.clear();
        values.clear();
        let Kind::Planes { words, sides, sites, .. } = &self.kind else { return 0 };
        let places = nodes.map(|n| self.tables.entries_of[n as usize].0 as usize);
        let rows = places.map(|place| &sides[place * words..][..*words]);
        let mut hash = 0;
        for word in 0..*words {
            let [a, b, c, d] = rows.map(|row| row[word]);
            let mut differ = (a ^ b) | (a ^ c) | (a ^ d);
            while differ != 0 {
                found.push((word * 64) as u32 + differ.trailing_zeros());
                differ &= differ - 1;
            }
            let mut above = a;
            while above != 0 {
                hash ^= side_key(word * 64 + above.trailing_zeros() as usize);
                above &= above - 1;
            }
        }
        values.extend(found.iter().map(|k| places.map(|place| self.plane_value(*k as usize, &sites[place]))));
        hash
    }

    /// The value of a cell at a node that it is near.
    #[inline(always)] // so that what kind it is, is asked once for a tetrahedron
    pub fn value(&self, node: u32, cell: u32) -> f64 {
        match &self.kind {
            // As in `near`, bit for bit: computing it is less than looking for it.
            Kind::Seeds { at, squares, .. } => {
                let (site, own) = &self.tables.sites[node as usize];
                whole(Seeds { at, squares, slack: 0.0 }.difference(site, cell, *own) * self.scale)
            }
            Kind::Labels(labels) => {
                let listed = self.entries(node).iter().find(|(c, _)| *c == cell);
                listed.map_or(self.default_value(labels), |(_, value)| *value)
            }
            Kind::Planes { .. } => 0.0,
        }
    }

    /// The values of the crack between two cells, which are near all of them, at some nodes.
    #[inline]
    pub fn between(&self, nodes: &[u32; 4], [low, high]: [u32; 2]) -> [f64; 4] {
        nodes.map(|node| self.value(node, low) - self.value(node, high))
    }

    fn default_value(&self, labels: &LabelCells) -> f64 {
        (labels.default * self.scale).round()
    }

    /// The crack that crosses an edge between nodes of different cells, if it is one only; its values are those at the two nodes, then
    /// zeros.
    pub fn crack_on_edge(&self, [low, high]: [u32; 2]) -> Option<Split> {
        let generation = self.generation;
        if let Kind::Planes { words, sides, sites, .. } = &self.kind {
            let places = [low, high].map(|n| self.tables.entries_of[n as usize].0 as usize);
            let [a, b] = places.map(|place| &sides[place * words..][..*words]);
            let mut crossing = (0..*words).filter(|word| a[*word] != b[*word]);
            let word = crossing.next()?;
            let differ = a[word] ^ b[word];
            if differ.count_ones() != 1 || crossing.next().is_some() {
                return None;
            }
            let plane = (word * 64) as u32 + differ.trailing_zeros();
            let values = places.map(|place| self.plane_value(plane as usize, &sites[place]));
            return Some(Split { values: [values[0], values[1], 0.0, 0.0], generation, cells: [plane, NONE] });
        }
        let ends = [self.cell_of(low), self.cell_of(high)];
        let cells = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let value = |cell: u32| [self.value(low, cell), self.value(high, cell)];
        let [first, second] = cells.map(value);
        let between = |a: [f64; 2], b: [f64; 2]| [a[0] - b[0], a[1] - b[1], 0.0, 0.0];
        let split = Split { values: between(first, second), generation, cells };
        // Another cell is on the edge if it is lower where these two are equal.
        let [p, q] = [split.values[1].abs(), split.values[0].abs()];
        let largest = first[0].abs().max(first[1].abs());
        let is_lower = |cell: u32, own: [f64; 2]| {
            // Mostly it is higher than the first one by far.
            let more = p * (own[0] - first[0]) + q * (own[1] - first[1]);
            if more > CERTAIN * 4.0 * p.max(q) * own[0].abs().max(own[1].abs()).max(largest) {
                return false;
            }
            let other = if cell < cells[0] {
                Split { values: between(own, first), generation, cells: [cell, cells[0]] }
            } else {
                Split { values: between(first, own), generation, cells: [cells[0], cell] }
            };
            let spot = Spot::new(std::slice::from_ref(&split), 0b0011);
            spot.is_on_first_side(&other) == (cell < cells[0])
        };
        let is_contested = match &self.kind {
            // Labels may be named at one of the nodes only.
            Kind::Labels(_) => {
                let named = self.entries(low).iter().chain(self.entries(high)).map(|(cell, _)| *cell);
                named.filter(|cell| !cells.contains(cell)).any(|cell| is_lower(cell, value(cell)))
            }
            // Seeds are near both or not on the edge.
            _ => {
                let Kind::Seeds { at, squares, .. } = &self.kind else { return None };
                let [from, to] = [low, high].map(|n| self.tables.sites[n as usize].0);
                let crossing = from + (to - from) * (q / (p + q));
                let low_ones = Seeds { at, squares, slack: 0.0 }.count_low(self.list_near(low), &crossing, cells[0]);
                // The two themselves are low.
                low_ones != 2 && {
                    let bits = self.tables.near[high as usize].0;
                    let mut others = self.near(low).filter(|cell| bits & bit_of(*cell) != 0 && !cells.contains(cell));
                    others.any(|cell| is_lower(cell, value(cell)))
                }
            }
        };
        (!is_contested).then_some(split)
    }

    /// Whether an edge between nodes of the object is crossed by this crack and no other, given that this one crosses it.
    pub fn is_alone_on_edge(&self, [low, high]: [u32; 2], cells: [u32; 2]) -> bool {
        if let Kind::Planes { words, sides, .. } = &self.kind {
            let places = [low, high].map(|n| self.tables.entries_of[n as usize].0 as usize);
            let [a, b] = places.map(|place| &sides[place * words..][..*words]);
            return a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>() == 1;
        }
        let ends = [self.cell_of(low), self.cell_of(high)];
        ends == cells || ends == [cells[1], cells[0]]
    }

    /// The seeds of cells, in the space where the cells are plain Voronoi cells, if it has any.
    pub fn seeds(&self) -> Option<&[Point]> {
        if let Kind::Seeds { at, .. } = &self.kind { Some(at) } else { None }
    }

    /// The seeds, and the map into the space where they are, if their cells are flat.
    pub fn flat_seeds(&self) -> Option<(Seeds<'_>, Option<Metric>)> {
        match &self.kind {
            Kind::Seeds { at, squares, metric, weights } if self.is_flat => {
                let slack = weights.iter().fold(0.0, |most: f64, weight| most.max(*weight));
                Some((Seeds { at, squares, slack }, *metric))
            }
            _ => None,
        }
    }

    /// Where a node is in that space.
    pub fn site_of(&self, object: &Object, node: u32) -> Point {
        self.site(&object.asset().solid().nodes()[node as usize])
    }

    /// A number that the regions of a tetrahedron are not fewer than.
    pub fn fewest_regions(&self, nodes: &[u32; 4]) -> usize {
        let Kind::Planes { words, sides, .. } = &self.kind else { return 1 };
        let rows = nodes.map(|n| &sides[self.tables.entries_of[n as usize].0 as usize * words..][..*words]);
        let differ = |word: usize| {
            let [a, b, c, d] = rows.map(|row| row[word]);
            ((a ^ b) | (a ^ c) | (a ^ d)).count_ones() as usize
        };
        1 + (0..*words).map(differ).sum::<usize>()
    }

    /// The number by which the caller knows a cell: seed, group, label, or our own number.
    pub fn name(&self, cell: u32) -> u32 {
        let names = match &self.kind {
            Kind::Labels(labels) => &labels.names,
            _ => &self.group_names,
        };
        names.get(cell as usize).copied().unwrap_or(cell)
    }

    /// How many cells of the pattern have no volume in the object, given those of all fragments, ascending.
    pub fn vanished_but(&self, cells: impl Iterator<Item = u32>) -> u32 {
        let mut there: Vec<u32> = cells.collect();
        there.dedup();
        self.vanished(&there)
    }

    /// The same, given the numbers of those that have.
    fn vanished(&self, found: &[u32]) -> u32 {
        match self.kind {
            // Cells of planes are told by where they are.
            Kind::Planes { .. } => 0,
            _ => {
                let is_first = |cell: &u32| self.group_of(*cell) == *cell;
                let listed = (0..self.count).filter(is_first).count();
                let there = found.iter().filter(|cell| is_first(cell)).count();
                self.unplaced + listed.saturating_sub(there) as u32
            }
        }
    }

    /// The cell that a point of space belongs to; `None` where the pattern knows nodes only, or has no numbers for cells.
    pub fn cell_at(&self, p: &Point) -> Option<u32> {
        let Kind::Seeds { at, squares, .. } = &self.kind else { return None };
        Some(Seeds { at, squares, slack: 0.0 }.nearest(&self.site(p))).map(|cell| self.group_of(cell))
    }

    /// The plane between two cells, or of a level, in space: negative where the function of the first is less. `None` if it is
    /// not flat.
    pub fn plane(&self, cells: [u32; 2]) -> Option<Plane> {
        match &self.kind {
            Kind::Seeds { at, squares, metric, .. } if self.is_flat => {
                let [a, b] = cells.map(|c| &at[c as usize]);
                // |x - a|² + wa = |x - b|² + wb
                let normal = b - a;
                let offset = 0.5 * (squares[cells[1] as usize] - squares[cells[0] as usize]);
                let normal = metric.map_or(normal, |m| m.normal(&normal));
                let length = normal.norm();
                let unit = normal / length;
                let plane = Plane { normal: unit, offset: offset / length + unit.dot(&self.centre.coords) };
                (plane.normal.iter().all(|c| c.is_finite()) && plane.offset.is_finite()).then_some(plane)
            }
            Kind::Planes { planes, weights, .. } if self.is_flat => {
                let k = cells[0] as usize;
                Some(Plane { normal: planes[k].normal, offset: planes[k].offset - weights[k] })
            }
            _ => None,
        }
    }

    /// What may cut boxes within a box, to look it up in.
    pub fn cutting(&self, around: &Aabb) -> Cutting {
        match &self.kind {
            Kind::Seeds { at, .. } if at.len() > FEW_SEEDS => Cutting::Near(PointTree::new(at)),
            Kind::Planes { planes, weights, .. } => {
                let (middle, half) = (around.centre(), around.size() * 0.5);
                let meets = |k: &u32| {
                    let (plane, weight) = (&planes[*k as usize], weights[*k as usize]);
                    let reach = plane.normal.abs().dot(&half) + weight;
                    plane.distance(&middle).abs() <= reach * (1.0 + 1e-6) + 1e-6 * around.radius()
                };
                Cutting::These((0..self.count).filter(meets).collect())
            }
            _ => Cutting::These((0..self.count).collect()),
        }
    }

    /// The cells, or levels, whose planes may cut the box of a piece of a cell, ascending; left out is only what certainly does not.
    pub fn cells_cutting(&self, cutting: &Cutting, cell: u32, bounds: &Aabb, found: &mut Vec<u32>) {
        found.clear();
        let Kind::Seeds { at, metric, .. } = &self.kind else {
            return match cutting {
                Cutting::These(cells) => found.extend_from_slice(cells),
                Cutting::Near(_) => {}
            };
        };
        // Nearer to the other seed are only points at least as far from the own as half the way between them. A metric makes nothing longer.
        let middle = bounds.centre() - self.centre;
        let (middle, radius) =
            (Point::from(metric.map_or(middle, |m| m.apply(&middle))), bounds.radius() * (1.0 + 1e-6));
        let own = (at[cell as usize] - middle).norm();
        let may_cut = |other: u32| {
            let other = (at[other as usize] - middle).norm();
            other.is_nan() || other <= own + 2.0 * radius + 1e-6 * other
        };
        match cutting {
            Cutting::These(cells) => found.extend(cells.iter().filter(|other| may_cut(**other))),
            Cutting::Near(tree) => {
                tree.within(&middle, (own + 2.0 * radius) * (1.0 + 1e-5), |other| found.push(other));
                found.retain(|other| may_cut(*other));
                found.sort_unstable();
            }
        }
    }

    /// How many seeds or planes it has.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// What is added to the squared distance from a seed, or to the distance from a plane.
    pub fn weight(&self, cell: u32) -> f64 {
        match &self.kind {
            Kind::Seeds { weights, .. } | Kind::Planes { weights, .. } => weights[cell as usize],
            Kind::Labels(_) => 0.0,
        }
    }

    /// On which side of a level a point is, as its nodes are told.
    pub fn is_above(&self, plane: u32, p: &Point) -> bool {
        self.plane_value(plane as usize, &self.site(p)) >= 0.0
    }
}

/// Seeds of the random numbers for weights.
const SEEDS: u64 = 0x5eed;
const PLANES: u64 = 0x91a3;

/// A number for the upper side of a plane: a cell is known by all of its upper sides together.
pub fn side_key(plane: usize) -> u64 {
    mix(PLANES ^ mix(plane as u64))
}

/// Small constants for the functions of the cells of so many seeds: with them no five planes meet in a point by accident, and
/// cracks stay planes.
pub fn seed_weights(object: &Object, count: usize) -> Vec<f64> {
    let spacing = 2.0 * object.bounds().radius() / cbrt(count.max(1) as f64);
    (0..count as u64).map(|k| WEIGHT * spacing * spacing * unit(SEEDS, k)).collect()
}

/// The nearest whole number: of numbers below two to the power of 51, by what adding a large one leaves of them.
#[inline]
fn whole(value: f64) -> f64 {
    const LARGE: f64 = 1.5 * (1u64 << 52) as f64;
    (value + LARGE) - LARGE
}

/// The power of two that makes whole numbers of values up to some size.
fn whole_numbers_a_unit(largest: f64) -> f64 {
    let exponent = if largest > 0.0 && largest.is_finite() { log2(largest).ceil() as i32 } else { 0 };
    powi(2.0, (VALUE_BITS - 1 - exponent).clamp(-1000, 1000))
}

/// The cell with the lowest value: of equal ones the last, as the polytopes decide.
fn lowest(entries: &[(u32, f64)]) -> Option<u32> {
    entries.iter().copied().reduce(|best, next| if next.1 <= best.1 { next } else { best }).map(|(cell, _)| cell)
}

/// The nodes of all tetrahedra that hold a part of an object, ascending.
fn nodes_around(object: &Object) -> Vec<u32> {
    let made = object.made_by();
    let own = object.nodes();
    let cuts = made.cuts_of(object.piece_number());
    if cuts.is_empty() {
        return own.to_vec();
    }
    let tets = object.asset().solid().tets();
    let mut foreign: Vec<u32> = cuts
        .iter()
        .flat_map(|k| tets[made.cut_tets().tets[*k as usize].tet as usize])
        .filter(|n| own.binary_search(n).is_err())
        .collect();
    foreign.sort_unstable();
    foreign.dedup();
    let mut nodes = own.to_vec();
    nodes.extend(foreign);
    nodes.sort_unstable();
    nodes
}
