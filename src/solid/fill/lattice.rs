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

impl Lattice {
    /// A lattice of cubes of about this size over a body, with a layer of cubes around it.
    pub fn over(body: &dyn Body, size: f64) -> Self {
        let bounds = body.bounds();
        let extent = bounds.size();
        let mut lattice = Self { origin: bounds.min, half: [0.5 * size; 3], cubes: [0; 3] };
        for k in 0..3 {
            let whole = (extent[k] / size).round().max(1.0);
            let stretched = extent[k] / whole;
            // Thin bodies would stretch cubes too much: they get the lattice as it falls.
            if (0.85..1.2).contains(&(stretched / size)) {
                lattice.half[k] = 0.5 * stretched;
                lattice.cubes[k] = whole as usize + 2;
                lattice.origin[k] = bounds.min[k] - stretched;
            } else {
                lattice.cubes[k] = (extent[k] / size).ceil() as usize + 2;
                lattice.origin[k] = bounds.centre()[k] - 0.5 * size * lattice.cubes[k] as f64;
            }
        }
        lattice
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.corners() + self.cubes.iter().product::<usize>()
    }

    /// The volume of a cube.
    pub fn cube(&self) -> f64 {
        8.0 * self.half.iter().product::<f64>()
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

    fn position(&self, number: usize) -> Point {
        let site = self.site(number);
        Point::from([0, 1, 2].map(|k| self.origin[k] + self.half[k] * site[k] as f64))
    }

    fn contains(&self, site: Site) -> bool {
        (0..3).all(|k| site[k] >= 0 && site[k] <= 2 * self.cubes[k] as i32)
    }

    /// Depths of all points.
    pub fn depths(&self, body: &dyn Body, tasks: &Tasks) -> Vec<f64> {
        let mut depths = vec![0.0; self.len()];
        tasks.fill(&mut depths, 512, |first, chunk| {
            chunk.iter_mut().zip(first..).for_each(|(depth, k)| *depth = body.depth(&self.position(k)));
        });
        depths
    }

    /// The numbers of the points at the other ends of the edges of a point, where that one is the lower site, and whether
    /// the edge is long.
    fn edges_from(&self, number: usize) -> impl Iterator<Item = (u32, bool)> {
        let site = self.site(number);
        let mut steps = vec![([2, 0, 0], true), ([0, 2, 0], true), ([0, 0, 2], true)];
        // Every short edge has one middle.
        if site[0] & 1 == 1 {
            steps.extend((0..8).map(|k| ([k & 1, k >> 1 & 1, k >> 2].map(|b| 2 * b - 1), false)));
        }
        steps.into_iter().filter_map(move |(step, long)| {
            let end: Site = std::array::from_fn(|k| site[k] + step[k]);
            let fits = self.contains(end) && (0..3).all(|k| site[0] & 1 == 0 || end[k] <= 2 * self.cubes[k] as i32);
            fits.then(|| (self.number(end), long))
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
                cut.share = leaves(body, [&places[a], &places[b]], [depths[a], depths[b]]);
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
                .min_by(|a, b| (a.1.at - places[node as usize]).norm().total_cmp(&(b.1.at - places[node as usize]).norm()));
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

/// Where the way from a point inside to one outside leaves the body, as a share of it: false position, and halving where
/// that is slow (depths may jump across a hole).
fn leaves(body: &dyn Body, [a, b]: [&Point; 2], [mut inner, mut outer]: [f64; 2]) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let length = (b - a).norm();
    for round in 0..40 {
        let share = match round % 3 {
            2 => 0.5 * (low + high),
            _ => low + (high - low) * (inner / (inner - outer)).clamp(0.01, 0.99),
        };
        let depth = body.depth(&(a + (b - a) * share));
        if depth.abs() < 1e-6 * length {
            return share;
        }
        if depth > 0.0 {
            (low, inner) = (share, depth);
        } else {
            (high, outer) = (share, depth);
        }
        if high - low < 1e-6 {
            break;
        }
    }
    0.5 * (low + high)
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
        let mut add = |out: &mut Self, mut tet: [u32; 4]| {
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
