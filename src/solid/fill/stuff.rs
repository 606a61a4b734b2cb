//! What is inside of the lattice's tetrahedra: isosurface stuffing (Labelle and Shewchuk 2007).
//!
//! Where an edge of the lattice leaves the body it is cut. Nodes with a cut nearby are moved onto it first, so that no small
//! pieces arise; what is left of each tetrahedron inside the body is cut into tetrahedra by a fixed rule. Every tetrahedron
//! has a node inside, so none is flat, and in the paper's setting all dihedral angles are between 10.7 and 164.8 degrees.
//!
//! One departure: the diagonals of cut squares go by node numbers, which any two neighbours agree on.

use super::body::Body;
use super::lattice::Lattice;
use super::mesh::EDGES;
use crate::geom::counting_sort::starts_of;
use crate::geom::{NONE, Point};
use crate::tasks::Tasks;

/// A cut nearer than this share of a long edge (between equals) moves the node; from the paper.
const NEAR_LONG: f64 = 0.24999;
/// The same for short edges (between a corner and a middle).
const NEAR_SHORT: f64 = 0.41189;

/// Tetrahedra of positive volume, and their nodes.
pub(super) struct Stuffed {
    pub points: Vec<Point>,
    /// In some lists.
    pub tets: Vec<Vec<[u32; 4]>>,
    /// Whether each node is on the surface: where an edge was cut, or a node moved to a cut.
    pub on_surface: Vec<bool>,
}

/// Fills a body with tetrahedra on a lattice.
pub(super) fn stuff(body: &dyn Body, mut lattice: Lattice, tasks: &Tasks) -> Stuffed {
    let cuts = Cuts::find(body, &lattice, tasks);
    cuts.move_nodes(&mut lattice.places, &mut lattice.depths);
    let lattice_nodes = lattice.places.len();
    let mut output = Output {
        numbers: vec![NONE; lattice_nodes + cuts.list.len()],
        points: vec![],
        tets: vec![],
        on_surface: vec![],
    };
    // A list of the lattice is gone before the next one is made of it.
    let make = |list: Vec<[u32; 4]>| {
        list.into_iter().for_each(|tet| output.add(tet, &lattice.depths, &lattice.places, &cuts));
        let made = output.tets.clone();
        output.tets.clear();
        made
    };
    let tets = std::mem::take(&mut lattice.tets).into_iter().map(make).collect();
    let Output { points, on_surface, .. } = output;
    Stuffed { points, tets, on_surface }
}

/// Where edges leave the body.
struct Cuts {
    /// By the ends in ascending order.
    list: Vec<Cut>,
    /// Cuts whose lower end is node `i`: `starts[i]..starts[i + 1]`.
    starts: Vec<u32>,
}

#[derive(Clone)]
struct Cut {
    /// The inner one first.
    ends: [u32; 2],
    long: bool,
    at: Point,
    /// As a share of the edge, from the inner end.
    share: f64,
}

impl Cuts {
    fn find(body: &dyn Body, lattice: &Lattice, tasks: &Tasks) -> Self {
        let depths = &lattice.depths;
        // Each is found from all tetrahedra around it, which are mostly in one list.
        let lists = tasks.map_chunks(lattice.tets.len(), 1, |range| {
            let mut ends: Vec<([u32; 2], bool)> = vec![];
            for tet in lattice.tets[range].iter().flatten() {
                if tet.iter().all(|i| depths[*i as usize] > 0.0) {
                    continue;
                }
                for [a, b, _, _] in EDGES {
                    if depths[tet[a] as usize] * depths[tet[b] as usize] < 0.0 {
                        let pair = sorted([tet[a], tet[b]]);
                        ends.push((pair, lattice.is_long(pair)));
                    }
                }
            }
            ends.sort_unstable();
            ends.dedup();
            ends.shrink_to_fit();
            ends
        });
        let mut ends = lists.concat();
        drop(lists);
        ends.sort_unstable();
        ends.dedup();
        let mut list = vec![Cut { ends: [0; 2], long: false, at: Point::origin(), share: 0.0 }; ends.len()];
        tasks.fill(&mut list, 64, |first, chunk| {
            for (cut, &([a, b], long)) in chunk.iter_mut().zip(&ends[first..]) {
                let [a, b] = if depths[a as usize] > 0.0 { [a, b] } else { [b, a] };
                let [p, q] = [a, b].map(|i| lattice.places[i as usize]);
                let share = body.leaves([&p, &q], [a, b].map(|i| depths[i as usize]));
                *cut = Cut { ends: [a, b], long, at: p + (q - p) * share, share };
            }
        });
        let starts = starts_of(lattice.places.len(), list.iter().map(|cut| cut.ends[0].min(cut.ends[1])));
        Self { list, starts }
    }

    fn get(&self, a: u32, b: u32) -> Option<u32> {
        let [low, high] = sorted([a, b]);
        let mut own = self.starts[low as usize]..self.starts[low as usize + 1];
        own.find(|k| self.list[*k as usize].ends.contains(&high))
    }

    /// Moves nodes with a cut nearby onto the nearest one; the other cuts of their edges are gone then.
    fn move_nodes(&self, places: &mut [Point], depths: &mut [f64]) {
        let starts = starts_of::<u32>(places.len(), self.list.iter().flat_map(|cut| cut.ends));
        let mut next = starts.clone();
        let mut of_node = vec![0; 2 * self.list.len()];
        for (cut, k) in self.list.iter().zip(0u32..) {
            for i in cut.ends {
                of_node[next[i as usize] as usize] = k;
                next[i as usize] += 1;
            }
        }
        drop(next);
        for node in 0..places.len() as u32 {
            let own = starts[node as usize] as usize..starts[node as usize + 1] as usize;
            let nearest = of_node[own]
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
    /// Of each node of the lattice, and of each cut after them.
    numbers: Vec<u32>,
    points: Vec<Point>,
    tets: Vec<[u32; 4]>,
    on_surface: Vec<bool>,
}

impl Output {
    fn node(&mut self, key: usize, at: &Point, on_surface: bool) -> u32 {
        let number = &mut self.numbers[key];
        if *number == NONE {
            *number = self.points.len() as u32;
            self.points.push(*at);
            self.on_surface.push(on_surface);
        }
        *number
    }

    /// Adds what is inside of a tetrahedron of the lattice.
    fn add(&mut self, tet: [u32; 4], depths: &[f64], places: &[Point], cuts: &Cuts) {
        let sign = |i: u32| depths[i as usize].partial_cmp(&0.0).map_or(0, |o| o as i32);
        let keep = |out: &mut Self, i: u32| out.node(i as usize, &places[i as usize], depths[i as usize] == 0.0);
        let add = |out: &mut Self, mut tet: [u32; 4]| {
            let [a, b, c, d] = tet.map(|i| out.points[i as usize]);
            if (b - a).cross(&(c - a)).dot(&(d - a)) < 0.0 {
                tet.swap(2, 3);
            }
            out.tets.push(tet);
        };
        // Most are whole.
        if tet.iter().all(|i| sign(*i) > 0) {
            let mut tet = tet;
            tet.sort_unstable();
            let tet = tet.map(|i| keep(self, i));
            return add(self, tet);
        }
        let mut inner: Vec<u32> = tet.into_iter().filter(|i| sign(*i) > 0).collect();
        let zero: Vec<u32> = tet.into_iter().filter(|i| sign(*i) == 0).collect();
        let outer: Vec<u32> = tet.into_iter().filter(|i| sign(*i) < 0).collect();
        inner.sort_unstable();
        let cut = |out: &mut Self, a: u32, b: u32| match cuts.get(a, b) {
            Some(k) => out.node(places.len() + k as usize, &cuts.list[k as usize].at, true),
            None => NONE,
        };
        let nodes: Vec<u32> = inner.iter().chain(&zero).map(|i| keep(self, *i)).collect();
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
