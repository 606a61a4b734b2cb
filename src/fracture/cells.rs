//! A pattern made ready for one object. It answers three questions (docs/design.md, 4.2): which cell is a point in; how far
//! is a node from the border of its cell towards another; and, for patterns made of planes, which half-spaces bound a cell.

use super::impact::{self, Metric};
use super::labels::{self, LabelCells};
use super::pattern::{Pattern, Shape};
use super::rough::Warp;
use super::voronoi::nearest_seeds;
use crate::body::Object;
use crate::error::Result;
use crate::geom::plane::Plane;
use crate::geom::{NONE, Point};
use crate::tasks::Tasks;

/// Nodes a task labels at a time.
const GRAIN: usize = 1 << 12;

/// A pattern ready for one object.
pub struct Cells<'a> {
    object: &'a Object,
    kind: Kind,
    warp: Option<Warp>,
    /// Where the pattern is asked for each node of the asset (bent space, if rough). Nodes of other objects: anything.
    pub(super) sites: &'a [Point],
    /// The cell of each node of the object, in the order of its nodes.
    pub cell_of: Vec<u32>,
    /// How many cells there are.
    count: u32,
    /// Cells that were asked for, but for which the object has not enough nodes.
    unplaced: u32,
    /// The largest number of fragments that the pattern stands for.
    pub most: u32,
}

enum Kind {
    /// Signs of each cell towards each plane, a row a cell.
    Planes {
        planes: Vec<Plane>,
        signs: Vec<Vec<bool>>,
    },
    Voronoi {
        seeds: Vec<Point>,
    },
    /// Seeds within a ball; the last cell is the rest outside. `bent` are the seeds in the impact's metric.
    Impact {
        seeds: Vec<Point>,
        bent: Vec<Point>,
        metric: Metric,
        centre: Point,
        radius: f64,
    },
    Labels(LabelCells),
}

/// The border of one cell towards another.
#[derive(Clone, Copy)]
pub enum Border {
    /// A plane, its normal towards the other cell.
    Plane(Plane),
    /// A sphere, seen from inside or from outside.
    Sphere { centre: Point, radius: f64 },
    /// Known at nodes only.
    Nodes { other: u32 },
}

impl Border {
    /// The same border for the cell on its other side; `own` is the cell on this one.
    pub fn seen_from(&self, own: u32) -> Self {
        match self {
            Self::Plane(plane) => Self::Plane(plane.flipped()),
            Self::Sphere { .. } => *self,
            Self::Nodes { .. } => Self::Nodes { other: own },
        }
    }
}

impl<'a> Cells<'a> {
    /// Labels every node of the object. `room` is memory for the sites of a rough pattern; its contents do not matter.
    pub fn new(pattern: &Pattern, object: &'a Object, tasks: &Tasks, room: &'a mut Vec<Point>) -> Result<Self> {
        pattern.check()?;
        let asset = object.asset();
        let nodes = object.nodes();
        // Plain labels know nodes, not space: there is nothing to bend.
        let spatial = !matches!(pattern.shape, Shape::Labels(_));
        let warp = pattern.roughness.filter(|r| spatial && r.amplitude > 0.0).map(|r| Warp::new(&r, asset));
        let straight = asset.solid().nodes();
        let sites: &[Point] = match &warp {
            None => straight,
            Some(warp) => {
                let bent = tasks.map_chunks(nodes.len(), GRAIN, |range| {
                    nodes[range].iter().map(|n| warp.apply(&straight[*n as usize])).collect::<Vec<_>>()
                });
                room.resize(straight.len(), Point::origin());
                nodes.iter().zip(bent.into_iter().flatten()).for_each(|(n, site)| room[*n as usize] = site);
                room
            }
        };
        let (mut unplaced, mut most) = (0, u32::MAX);
        let (kind, cell_of, count) = match &pattern.shape {
            Shape::Planes(planes) => label_by_signs(planes, nodes, sites),
            Shape::Seeds(seeds) => label_by_seeds(seeds.clone(), nodes, sites, tasks),
            Shape::RandomSeeds { count, seed } => {
                let seeds =
                    impact::random_seeds(object, *count, *seed).iter().map(|n| sites[*n as usize]).collect::<Vec<_>>();
                unplaced = count - seeds.len() as u32;
                label_by_seeds(seeds, nodes, sites, tasks)
            }
            Shape::Impact(impact) => {
                let metric = Metric::new(&impact.direction);
                let seeds: Vec<Point> =
                    impact::impact_seeds(object, sites, impact, &metric).iter().map(|n| sites[*n as usize]).collect();
                let bend = |p: &Point| Point::from(metric.apply(&p.coords));
                let bent: Vec<Point> = seeds.iter().map(bend).collect();
                let kind = Kind::Impact { bent, metric, centre: impact.point, radius: impact.radius, seeds };
                let cell_of =
                    tasks.map_chunks(nodes.len(), GRAIN, |range| kind.impact_cells(&nodes[range], sites)).concat();
                let count = kind.seed_count() + 1;
                let has_rest = cell_of.contains(&kind.seed_count());
                unplaced = impact.count.saturating_sub(kind.seed_count() + has_rest as u32);
                most = impact.count.saturating_add(impact.count / 5);
                (kind, cell_of, count)
            }
            Shape::Labels(given) => {
                let (cell_of, labels) = labels::prepare(object, given)?;
                let count = labels.names.len() as u32;
                (Kind::Labels(labels), cell_of, count)
            }
        };
        Ok(Self { object, kind, warp, sites, cell_of, count, unplaced, most })
    }

    /// How many cells there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The number by which the caller knows a cell: seed, label, or our own number.
    pub fn name(&self, cell: u32) -> u32 {
        match &self.kind {
            Kind::Labels(labels) => labels.names[cell as usize],
            _ => cell,
        }
    }

    /// The cell that a point of space belongs to; `None` where the pattern knows nodes only, or the cell owns no node.
    pub fn cell_at(&self, p: &Point) -> Option<u32> {
        let site = self.warp.as_ref().map_or(*p, |warp| warp.apply(p));
        match &self.kind {
            Kind::Planes { planes, signs } => {
                let wanted: Vec<bool> = planes.iter().map(|plane| plane.distance(&site) >= 0.0).collect();
                signs.iter().position(|s| *s == wanted).map(|k| k as u32)
            }
            Kind::Voronoi { seeds } => {
                let mut cell = [0];
                nearest_seeds(&[site], seeds, &mut cell);
                Some(cell[0])
            }
            Kind::Impact { .. } => Some(self.kind.impact_cell(&site)),
            Kind::Labels(_) => None,
        }
    }

    /// The half-spaces whose common part is a cell, normals outwards; `None` if the pattern is not made of planes.
    pub fn half_spaces(&self, cell: u32) -> Option<Vec<Plane>> {
        if self.warp.is_some() {
            return None;
        }
        match &self.kind {
            Kind::Planes { planes, signs } => Some(
                planes
                    .iter()
                    .zip(&signs[cell as usize])
                    .map(|(p, above)| if *above { p.flipped() } else { *p })
                    .collect(),
            ),
            Kind::Voronoi { seeds } => {
                let own = &seeds[cell as usize];
                Some(seeds.iter().filter_map(|other| Plane::bisector(own, other)).collect())
            }
            _ => None,
        }
    }

    /// The border of a cell towards another one.
    pub fn border(&self, own: u32, other: u32) -> Border {
        match &self.kind {
            Kind::Planes { planes, signs } => {
                // Cells that differ in several planes meet in a line. The sum of the distances crosses every edge between
                // the first and the last of the planes (a mediant), and is the plane itself if there is only one.
                let mut sum = Plane { normal: Default::default(), offset: 0.0 };
                for ((plane, a), b) in planes.iter().zip(&signs[own as usize]).zip(&signs[other as usize]) {
                    if a != b {
                        let towards = if *a { plane.flipped() } else { *plane };
                        sum.normal += towards.normal;
                        sum.offset += towards.offset;
                    }
                }
                Border::Plane(sum)
            }
            Kind::Voronoi { seeds } => {
                plane_or_nodes(Plane::bisector(&seeds[own as usize], &seeds[other as usize]), other)
            }
            Kind::Impact { seeds, metric, centre, radius, .. } => {
                let rest = self.kind.seed_count();
                if own == rest || other == rest {
                    return Border::Sphere { centre: *centre, radius: *radius };
                }
                let (a, b) = (&seeds[own as usize], &seeds[other as usize]);
                let normal = metric.apply(&metric.apply(&(b - a)));
                plane_or_nodes(Plane::through(&nalgebra::center(a, b), &normal), other)
            }
            Kind::Labels(_) => Border::Nodes { other },
        }
    }

    /// How far a node is from a border of its cell, in metres, not yet kept away from zero.
    pub fn gap(&self, border: &Border, node: u32) -> f64 {
        let site = &self.sites[node as usize];
        match border {
            Border::Plane(plane) => -plane.distance(site),
            Border::Sphere { centre, radius } => ((site - centre).norm() - radius).abs(),
            Border::Nodes { other } => {
                let known = match &self.kind {
                    Kind::Labels(labels) => labels.gaps.get(&(node, *other)).copied(),
                    _ => None,
                };
                known.unwrap_or(0.5 * self.object.asset().mean_edge())
            }
        }
    }

    /// How many cells own no node, given the edges that are cut (needed where cells are not listed beforehand).
    pub fn vanished(&self, cut_edges: impl Iterator<Item = [u32; 2]>) -> u32 {
        let listed = match &self.kind {
            Kind::Planes { planes, signs } => return self.passed_over(planes, signs, cut_edges),
            Kind::Impact { .. } => self.count - 1, // an impact that reaches everything has no rest, and misses none
            _ => self.count,
        };
        let mut owns = vec![false; self.count as usize];
        self.cell_of.iter().for_each(|c| owns[*c as usize] = true);
        self.unplaced + owns[..listed as usize].iter().filter(|o| !**o).count() as u32
    }

    /// Cells between planes that edges pass through without a node of theirs on either end.
    fn passed_over(&self, planes: &[Plane], signs: &[Vec<bool>], cut_edges: impl Iterator<Item = [u32; 2]>) -> u32 {
        let mut missed = std::collections::BTreeSet::new();
        for [i, j] in cut_edges {
            let (p, q) = (&self.sites[i as usize], &self.sites[j as usize]);
            let mut crossings: Vec<(f64, usize)> = vec![];
            for (k, plane) in planes.iter().enumerate() {
                let (a, b) = (plane.distance(p), plane.distance(q));
                if (a >= 0.0) != (b >= 0.0) {
                    crossings.push((a / (a - b), k));
                }
            }
            if crossings.len() > 1 {
                crossings.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
                let mut at: Vec<bool> = planes.iter().map(|plane| plane.distance(p) >= 0.0).collect();
                for (k, (t, plane)) in crossings.iter().enumerate() {
                    at[*plane] = !at[*plane];
                    // Planes crossed at the same place leave no cell between them.
                    if crossings.get(k + 1).is_some_and(|next| next.0 > *t) {
                        missed.insert(at.clone());
                    }
                }
            }
        }
        signs.iter().for_each(|owned| {
            missed.remove(owned);
        });
        missed.len() as u32
    }
}

impl Kind {
    fn seed_count(&self) -> u32 {
        match self {
            Self::Voronoi { seeds } | Self::Impact { seeds, .. } => seeds.len() as u32,
            _ => 0,
        }
    }

    fn impact_cell(&self, site: &Point) -> u32 {
        let Self::Impact { bent, metric, centre, radius, .. } = self else { return NONE };
        let mut cell = [self.seed_count()];
        if (site - centre).norm() < *radius {
            nearest_seeds(&[Point::from(metric.apply(&site.coords))], bent, &mut cell);
        }
        cell[0]
    }

    fn impact_cells(&self, nodes: &[u32], sites: &[Point]) -> Vec<u32> {
        let Self::Impact { bent, metric, centre, radius, .. } = self else { return vec![] };
        let inside = |n: &u32| (sites[*n as usize] - centre).norm() < *radius;
        let near: Vec<Point> =
            nodes.iter().filter(|n| inside(n)).map(|n| Point::from(metric.apply(&sites[*n as usize].coords))).collect();
        let mut found = vec![0; near.len()];
        nearest_seeds(&near, bent, &mut found);
        let mut found = found.into_iter();
        nodes.iter().map(|n| if inside(n) { found.next().unwrap_or(NONE) } else { self.seed_count() }).collect()
    }
}

fn plane_or_nodes(plane: Option<Plane>, other: u32) -> Border {
    plane.map_or(Border::Nodes { other }, Border::Plane)
}

fn label_by_seeds(seeds: Vec<Point>, nodes: &[u32], sites: &[Point], tasks: &Tasks) -> (Kind, Vec<u32>, u32) {
    let mut cell_of = vec![NONE; nodes.len()];
    tasks.fill(&mut cell_of, GRAIN, |first, out| {
        let own: Vec<Point> = nodes[first..first + out.len()].iter().map(|n| sites[*n as usize]).collect();
        nearest_seeds(&own, &seeds, out);
    });
    let count = seeds.len() as u32;
    (Kind::Voronoi { seeds }, cell_of, count)
}

/// Cells of an arrangement of planes: those that own a node, numbered as they are met.
fn label_by_signs(planes: &[Plane], nodes: &[u32], sites: &[Point]) -> (Kind, Vec<u32>, u32) {
    let mut cell_of = vec![0u32; nodes.len()];
    let mut count = 1;
    for plane in planes {
        // Every cell so far becomes one or two; new numbers in the order in which nodes ask for them.
        let mut renumbered = vec![NONE; 2 * count as usize];
        count = 0;
        for (cell, node) in cell_of.iter_mut().zip(nodes) {
            let above = plane.distance(&sites[*node as usize]) >= 0.0;
            let slot = &mut renumbered[2 * *cell as usize + above as usize];
            if *slot == NONE {
                *slot = count;
                count += 1;
            }
            *cell = *slot;
        }
    }
    let mut signs = vec![vec![]; count as usize];
    for (cell, node) in cell_of.iter().zip(nodes) {
        let row = &mut signs[*cell as usize];
        if row.is_empty() {
            *row = planes.iter().map(|plane| plane.distance(&sites[*node as usize]) >= 0.0).collect();
        }
    }
    (Kind::Planes { planes: planes.to_vec(), signs }, cell_of, count)
}
