//! The first tetrahedra: isosurface stuffing (Labelle and Shewchuk 2007).
//!
//! A body-centred cubic lattice lies over the body: the corners of cubes and their middles, and tetrahedra that join the
//! middles of two neighbouring cubes with an edge of the square between them. Where an edge leaves the body it is cut. Nodes
//! with a cut nearby are moved onto it first, so that no small pieces arise; what is left of each tetrahedron inside the body
//! is cut into tetrahedra by a fixed rule. Every tetrahedron has a node inside, so none is flat, and in the paper's setting
//! all dihedral angles are between 10.7 and 164.8 degrees.
//!
//! Departures: the lattice is the same everywhere (coarsening comes later, by collapsing edges); its cubes are stretched a
//! little, so that the faces of the bounding box lie in it and a box that stands upright is met exactly; and the diagonals of
//! cut squares go by node numbers, which any two neighbours agree on.

use super::body::Body;
use crate::geom::{NONE, Point};
use crate::tasks::Tasks;
use std::collections::HashMap;

/// A cut nearer than this share of a long edge (between equals) moves the node; from the paper.
const NEAR_LONG: f64 = 0.24999;
/// The same for short edges (between a corner and a middle).
const NEAR_SHORT: f64 = 0.41189;

/// Points of the lattice along a side of the largest blocks whose sign is found at once; a power of two.
const BLOCK: usize = 16;

/// Tetrahedra of positive volume, and their nodes.
pub(super) struct Stuffed {
    pub points: Vec<Point>,
    pub tets: Vec<[u32; 4]>,
}

/// Where the points of the lattice are. Steps are half cubes: corners have even coordinates, middles odd ones.
pub(super) struct Lattice {
    origin: Point,
    half: [f64; 3],
    /// Cubes along each axis.
    cubes: [usize; 3],
}

type Site = [i32; 3];

/// To the other ends of the edges of a point: three long ones, and from middles eight short ones.
const STEPS: [(Site, bool); 11] = [
    ([2, 0, 0], true),
    ([0, 2, 0], true),
    ([0, 0, 2], true),
    ([-1, -1, -1], false),
    ([1, -1, -1], false),
    ([-1, 1, -1], false),
    ([1, 1, -1], false),
    ([-1, -1, 1], false),
    ([1, -1, 1], false),
    ([-1, 1, 1], false),
    ([1, 1, 1], false),
];

impl Lattice {
    /// A lattice of cubes of about this size over a body, with a layer of cubes around it; the first try lies in the faces of
    /// the bounding box, others elsewhere.
    pub fn over(body: &dyn Body, size: f64, attempt: usize) -> Self {
        let bounds = body.bounds();
        let extent = bounds.size();
        let mut lattice = Self { origin: bounds.min, half: [0.5 * size; 3], cubes: [0; 3] };
        for k in 0..3 {
            let whole = (extent[k] / size).round().max(1.0);
            let stretched = extent[k] / whole;
            // Thin bodies would stretch cubes too much: they get the lattice as it falls.
            if attempt == 0 && (0.85..1.2).contains(&(stretched / size)) {
                lattice.half[k] = 0.5 * stretched;
                lattice.cubes[k] = whole as usize + 2;
                lattice.origin[k] = bounds.min[k] - stretched;
            } else {
                // Somewhere between half a cube down and half a cube up: any numbers without a pattern do.
                let aside = (0.31 + 0.37 * k as f64 + 0.618 * attempt as f64).fract() - 0.5;
                let aside = if attempt == 0 { 0.0 } else { aside };
                lattice.cubes[k] = (extent[k] / size).ceil() as usize + 3;
                lattice.origin[k] = bounds.centre()[k] + size * (aside - 0.5 * lattice.cubes[k] as f64);
            }
        }
        lattice
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.corners() + self.cubes.iter().product::<usize>()
    }

    /// About the volume and the area of the body, from the depths at the points: every point stands for half a cube, and a
    /// surface meets 3.46 short edges on the area of a cube's side, on average over its directions.
    pub fn measure(&self, depths: &[f64]) -> (f64, f64) {
        let cube = 8.0 * self.half.iter().product::<f64>();
        let inside = depths.iter().filter(|d| **d > 0.0).count();
        let crosses = |k: usize| {
            let ends = self.edges_from(k).filter(|(end, long)| !long && depths[k] * depths[*end as usize] < 0.0);
            ends.count()
        };
        let crossings: usize = (self.corners()..self.len()).map(crosses).sum();
        (0.5 * cube * inside as f64, crossings as f64 * cube.powf(2.0 / 3.0) / 3.46)
    }

    fn corners(&self) -> usize {
        self.cubes.iter().map(|n| n + 1).product()
    }

    fn number(&self, site: Site) -> u32 {
        let odd = (site[0] & 1) as usize;
        let [nx, ny, _] = self.cubes.map(|n| n + 1 - odd);
        let [x, y, z] = site.map(|c| (c >> 1) as usize);
        (odd * self.corners() + (z * ny + y) * nx + x) as u32
    }

    fn site(&self, number: usize) -> Site {
        let odd = usize::from(number >= self.corners());
        let k = number - odd * self.corners();
        let [nx, ny, _] = self.cubes.map(|n| n + 1 - odd);
        [k % nx, k / nx % ny, k / nx / ny].map(|c| (2 * c + odd) as i32)
    }

    pub fn position(&self, number: usize) -> Point {
        let site = self.site(number);
        Point::from([0, 1, 2].map(|k| self.origin[k] + self.half[k] * site[k] as f64))
    }

    fn contains(&self, site: Site) -> bool {
        (0..3).all(|k| site[k] >= 0 && site[k] <= 2 * self.cubes[k] as i32)
    }

    /// Depths of all points; of those far from the surface only the sign is right, and that they are far.
    ///
    /// Blocks of points are looked at first: one whose middle is farther from the surface than its radius is all inside or
    /// all outside. Others are halved along each axis, down to single points.
    pub fn depths(&self, body: &dyn Body, tasks: &Tasks) -> Vec<f64> {
        let blocks = self.cubes.map(|n| (2 * n + 1).div_ceil(BLOCK));
        let found = tasks.map_chunks(blocks.iter().product(), 1, |range| {
            let mut list = vec![];
            for k in range {
                let first = [k % blocks[0], k / blocks[0] % blocks[1], k / blocks[0] / blocks[1]];
                self.block(body, first.map(|c| (c * BLOCK) as i32), BLOCK as i32, &mut list);
            }
            list
        });
        let mut depths = vec![0.0; self.len()];
        found.iter().flatten().for_each(|(number, depth)| depths[*number as usize] = *depth);
        depths
    }

    fn block(&self, body: &dyn Body, first: Site, size: i32, list: &mut Vec<(u32, f64)>) {
        if !self.contains(first) {
            return;
        }
        if size == 1 {
            if first.iter().all(|c| c & 1 == first[0] & 1) {
                let number = self.number(first);
                list.push((number, body.depth(&self.position(number as usize))));
            }
            return;
        }
        let reach = 0.5 * (size - 1) as f64;
        let middle = Point::from([0, 1, 2].map(|k| self.origin[k] + self.half[k] * (first[k] as f64 + reach)));
        let radius = reach * self.half.iter().map(|h| h * h).sum::<f64>().sqrt();
        let depth = body.depth(&middle);
        // Depths may be a little more than distances.
        if depth.abs() > 1.3 * radius {
            for k in 0..size * size * size {
                let site = [first[0] + k % size, first[1] + k / size % size, first[2] + k / size / size];
                if self.contains(site) && site.iter().all(|c| c & 1 == site[0] & 1) {
                    list.push((self.number(site), depth.signum() * (depth.abs() - radius)));
                }
            }
            return;
        }
        for k in 0..8 {
            let half = size / 2;
            self.block(body, std::array::from_fn(|axis| first[axis] + half * (k >> axis & 1)), half, list);
        }
    }

    /// The numbers of the points at the other ends of the edges of a point, where that one is the lower site, and whether
    /// the edge is long.
    fn edges_from(&self, number: usize) -> impl Iterator<Item = (u32, bool)> {
        let site = self.site(number);
        // Every short edge has one middle.
        let steps = if site[0] & 1 == 1 { &STEPS[..] } else { &STEPS[..3] };
        steps.iter().filter_map(move |(step, long)| {
            let end: Site = std::array::from_fn(|k| site[k] + step[k]);
            self.contains(end).then(|| (self.number(end), *long))
        })
    }

    /// Tetrahedra of the lattice with at least one node inside, all of the same hand.
    fn tets(&self, inside: impl Fn(u32) -> bool) -> Vec<[u32; 4]> {
        let mut tets = vec![];
        for number in self.corners()..self.len() {
            let middle = self.site(number);
            for axis in 0..3 {
                let mut next = middle;
                next[axis] += 2;
                if next[axis] > 2 * self.cubes[axis] as i32 {
                    continue;
                }
                // The corners of the square between the two middles, counter-clockwise about the axis.
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let corner = |k: usize| {
                    let (du, dv) = [(-1, -1), (1, -1), (1, 1), (-1, 1)][k % 4];
                    let mut site = middle;
                    site[axis] += 1;
                    site[u] += du;
                    site[v] += dv;
                    self.number(site)
                };
                let ends = [number as u32, self.number(next)];
                for k in 0..4 {
                    let tet = [corner(k), corner(k + 1), ends[0], ends[1]];
                    if tet.iter().any(|i| inside(*i)) {
                        tets.push(tet);
                    }
                }
            }
        }
        tets
    }
}

/// Fills a body with tetrahedra on a lattice.
pub(super) fn stuff(body: &dyn Body, lattice: &Lattice, mut depths: Vec<f64>, tasks: &Tasks) -> Stuffed {
    let mut places: Vec<Point> = (0..lattice.len()).map(|k| lattice.position(k)).collect();
    let mut cuts = Cuts::find(body, lattice, &places, &depths, tasks);
    cuts.move_nodes(&mut places, &mut depths);

    let mut output = Output { numbers: HashMap::new(), points: vec![], tets: vec![] };
    for tet in lattice.tets(|i| depths[i as usize] > 0.0) {
        output.add(tet, &depths, &places, &cuts);
    }
    Stuffed { points: output.points, tets: output.tets }
}

/// Where edges leave the body.
struct Cuts {
    /// Ends (the inner one first) and place, by the ends in ascending order.
    list: Vec<Cut>,
    by_ends: HashMap<[u32; 2], u32>,
}

struct Cut {
    ends: [u32; 2],
    long: bool,
    at: Point,
    /// As a share of the edge, from the inner end.
    share: f64,
}

impl Cuts {
    fn find(body: &dyn Body, lattice: &Lattice, places: &[Point], depths: &[f64], tasks: &Tasks) -> Self {
        let mut list: Vec<Cut> = tasks
            .map_chunks(lattice.len(), 4096, |range| {
                let mut found = vec![];
                for k in range {
                    for (end, long) in lattice.edges_from(k) {
                        let (a, b) = (depths[k], depths[end as usize]);
                        if a * b < 0.0 {
                            let ends = if a > 0.0 { [k as u32, end] } else { [end, k as u32] };
                            found.push(Cut { ends, long, at: Point::origin(), share: 0.0 });
                        }
                    }
                }
                found
            })
            .into_iter()
            .flatten()
            .collect();
        tasks.fill(&mut list, 64, |_, chunk| {
            for cut in chunk {
                let [a, b] = cut.ends.map(|i| i as usize);
                cut.share = body.leaves([&places[a], &places[b]], [depths[a], depths[b]]);
                cut.at = places[a] + (places[b] - places[a]) * cut.share;
            }
        });
        let by_ends = list.iter().zip(0..).map(|(cut, k)| (sorted(cut.ends), k)).collect();
        Self { list, by_ends }
    }

    fn get(&self, a: u32, b: u32) -> Option<u32> {
        self.by_ends.get(&sorted([a, b])).copied()
    }

    /// Moves nodes with a cut nearby onto the nearest one; the other cuts of their edges are gone then.
    fn move_nodes(&mut self, places: &mut [Point], depths: &mut [f64]) {
        let mut of_node: HashMap<u32, Vec<u32>> = HashMap::new();
        for (cut, k) in self.list.iter().zip(0..) {
            cut.ends.iter().for_each(|i| of_node.entry(*i).or_default().push(k));
        }
        let mut nodes: Vec<u32> = of_node.keys().copied().collect();
        nodes.sort_unstable();
        for node in nodes {
            let nearest = of_node[&node]
                .iter()
                .map(|k| &self.list[*k as usize])
                // A cut is gone if the node at its other end was moved.
                .filter(|cut| cut.ends.iter().all(|i| depths[*i as usize] != 0.0))
                .map(|cut| (if cut.ends[0] == node { cut.share } else { 1.0 - cut.share }, cut))
                .filter(|(share, cut)| *share < if cut.long { NEAR_LONG } else { NEAR_SHORT })
                .min_by(|a, b| {
                    (a.1.at - places[node as usize]).norm().total_cmp(&(b.1.at - places[node as usize]).norm())
                });
            if let Some((_, cut)) = nearest {
                places[node as usize] = cut.at;
                depths[node as usize] = 0.0;
            }
        }
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

struct Output {
    /// Of a node of the lattice, or of a cut (with the top bit set).
    numbers: HashMap<u32, u32>,
    points: Vec<Point>,
    tets: Vec<[u32; 4]>,
}

const CUT: u32 = 1 << 31;

impl Output {
    fn node(&mut self, key: u32, at: &Point) -> u32 {
        *self.numbers.entry(key).or_insert_with(|| {
            self.points.push(*at);
            self.points.len() as u32 - 1
        })
    }

    /// Adds what is inside of a tetrahedron of the lattice.
    fn add(&mut self, tet: [u32; 4], depths: &[f64], places: &[Point], cuts: &Cuts) {
        let sign = |i: u32| depths[i as usize].partial_cmp(&0.0).map_or(0, |o| o as i32);
        let mut inner: Vec<u32> = tet.into_iter().filter(|i| sign(*i) > 0).collect();
        let zero: Vec<u32> = tet.into_iter().filter(|i| sign(*i) == 0).collect();
        let outer: Vec<u32> = tet.into_iter().filter(|i| sign(*i) < 0).collect();
        inner.sort_unstable();
        let keep = |out: &mut Self, i: u32| out.node(i, &places[i as usize]);
        let cut = |out: &mut Self, a: u32, b: u32| match cuts.get(a, b) {
            Some(k) => out.node(k | CUT, &cuts.list[k as usize].at),
            None => NONE,
        };
        let nodes: Vec<u32> = inner.iter().chain(&zero).map(|i| keep(self, *i)).collect();
        let add = |out: &mut Self, mut tet: [u32; 4]| {
            let [a, b, c, d] = tet.map(|i| out.points[i as usize]);
            if (b - a).cross(&(c - a)).dot(&(d - a)) < 0.0 {
                tet.swap(2, 3);
            }
            out.tets.push(tet);
        };
        match (inner.as_slice(), outer.as_slice()) {
            (_, []) => add(self, [nodes[0], nodes[1], nodes[2], nodes[3]]),
            // A corner: cut off along its edges to what is outside, whole towards what is on the surface.
            ([p], _) => {
                let mut tet = [nodes[0]; 4];
                let rest = outer.iter().map(|o| cut(self, *p, *o)).collect::<Vec<_>>();
                nodes[1..].iter().chain(&rest).zip(1..).for_each(|(n, k)| tet[k] = *n);
                add(self, tet);
            }
            // A pyramid over the square between both and their cuts; the diagonal starts at the lower one.
            ([p, q], [o]) => {
                let (cp, cq) = (cut(self, *p, *o), cut(self, *q, *o));
                add(self, [nodes[0], nodes[1], cq, nodes[2]]);
                add(self, [nodes[0], cq, cp, nodes[2]]);
            }
            // A roof: triangles at both ends, the edge p q along it.
            ([p, q], [o, r]) => {
                let [po, pr, qo, qr] = [cut(self, *p, *o), cut(self, *p, *r), cut(self, *q, *o), cut(self, *q, *r)];
                add(self, [nodes[0], nodes[1], qo, qr]);
                // The square on the surface is cut along its shorter diagonal.
                let far = |a: u32, b: u32| (self.points[a as usize] - self.points[b as usize]).norm_squared();
                if far(po, qr) <= far(pr, qo) {
                    add(self, [nodes[0], qo, qr, po]);
                    add(self, [nodes[0], po, qr, pr]);
                } else {
                    add(self, [nodes[0], qo, qr, pr]);
                    add(self, [nodes[0], qo, pr, po]);
                }
            }
            // A corner is cut off: a prism between the three and their cuts, diagonals from the lower ends.
            ([p, q, r], [o]) => {
                let [cp, cq, cr] = [cut(self, *p, *o), cut(self, *q, *o), cut(self, *r, *o)];
                add(self, [nodes[0], nodes[1], nodes[2], cr]);
                add(self, [nodes[0], nodes[1], cq, cr]);
                add(self, [nodes[0], cp, cq, cr]);
            }
            _ => {}
        }
    }
}
