//! Distances from the nodes of a piece to its cracks, spread from the cut tetrahedra inwards.
//!
//! Two schemes (docs/formulations/fields.md), both settle every node once, in order of distance:
//! - *closest feature* (Marchal 2004, section 4): a node remembers which crack triangle is nearest, and hands it on; what is
//!   measured is always the distance to a real triangle, so it is never too small. Ours remembers one of each of the two
//!   nearest cracks: a tetrahedron halfway between two may have all its nodes on one side;
//! - *averaged* (Glondu 2013, section 4.2, eq. 1-2): distance and direction are weighted means over the neighbours that are
//!   settled. Relaxing again and again "until no distances are reduced", as the text has it, drifts below zero; settled
//!   once, and never below the neighbour that reached it, it does not. Nodes next to a crack remember features all the same:
//!   exact near the cracks, averaged beyond, and one goes over into the other without a jump (see `average`).

use crate::crack::breaks::{Break, CutTets};
use crate::crack::triangles::CrackTriangles;
use crate::crack::walk::CrackWalk;
use crate::geom::march::{Front, Marching};
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE, Point};
use crate::grid::lookup::Lookup;
use crate::heap::held;
use crate::solid::Solid;

/// How the distance to cracks is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// The nearest crack is searched for each time: no error, and nothing to spread beforehand.
    #[default]
    Exact,
    /// Nodes hand on the nearest crack triangle: half the error of averages.
    ClosestFeature,
    /// Nodes hand on distance and direction: smoother normals.
    Averaged,
}

/// What the nodes of a piece know of its cracks. Lists are by place of the node in the piece; empty without cracks, and for a
/// piece without nodes, whose distances are searched for (`schemes`).
#[derive(Clone, Debug, Default)]
pub struct Nodal {
    /// The nearest triangles of the two nearest cracks, the nearest first.
    pub nearest: Vec<[u32; 2]>,
    /// Distance to the cracks.
    pub distance: Vec<f32>,
    /// Distance to the second of the nearest.
    second: Vec<f32>,
    /// Unit direction towards the nearest crack; used, and set, by the averaged scheme only.
    pub direction: Vec<Local>,
}

/// The nodes of one piece, by their places.
struct Places<'a> {
    solid: &'a Solid,
    nodes: &'a [u32],
    positions: Vec<Local>,
    first: u32,
    lookup: &'a Lookup,
    piece: u32,
}

impl Places<'_> {
    fn at(&self, place: usize) -> Local {
        self.positions[place]
    }

    /// The place of a node in the piece; `None` for nodes of others.
    fn of(&self, node: u32) -> Option<usize> {
        let place = self.lookup.get(node)?.wrapping_sub(self.first) as usize;
        (place < self.nodes.len()).then_some(place)
    }
}

impl Nodal {
    /// Spreads the distances to the cracks of a piece. `lookup` finds the place of a node in `made.nodes`.
    pub fn new(
        solid: &Solid,
        middle: &Point,
        (made, cut): (&Break, &CutTets),
        piece: u32,
        cracks: &CrackTriangles,
        lookup: &Lookup,
        (walk, scheme): (&CrackWalk, Scheme),
    ) -> Self {
        let own = &made.pieces[piece as usize];
        if made.is_intact() || own.nodes.is_empty() {
            return Self::default();
        }
        let nodes = &made.nodes[own.nodes.clone()];
        let positions = nodes.iter().map(|n| (solid.nodes()[*n as usize] - middle).cast()).collect();
        let places = Places { solid, nodes, positions, first: own.nodes.start as u32, lookup, piece };
        let count = places.nodes.len();
        let mut nodal = Self {
            nearest: vec![[NONE; 2]; count],
            distance: vec![f32::INFINITY; count],
            second: vec![f32::INFINITY; count],
            direction: vec![Local::zeros(); count],
        };
        nodal.start(cut, piece, cracks, &places);
        match scheme {
            Scheme::Exact => {} // nothing is spread for it
            Scheme::ClosestFeature => nodal.spread_features(cracks, walk, &places, &vec![true; count]),
            Scheme::Averaged => {
                // Nodes next to a crack tell each other, and only each other, what they measured.
                let measured: Vec<bool> = nodal.nearest.iter().map(|n| n[0] != NONE).collect();
                nodal.spread_features(cracks, walk, &places, &measured);
                for place in (0..count).filter(|place| measured[*place]) {
                    nodal.set_direction(place, &places.at(place), cracks, piece);
                }
                nodal.spread_averages(&places);
            }
        }
        nodal
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.nearest) + held(&self.distance) + held(&self.second) + held(&self.direction)
    }

    /// Nodes of cut tetrahedra measure what is around them.
    fn start(&mut self, made: &CutTets, piece: u32, cracks: &CrackTriangles, places: &Places) {
        for &k in made.cuts_of(piece) {
            let corners = &places.solid.tets()[made.tets[k as usize].tet as usize];
            let own = made.regions[made.regions_at(k as usize)].iter().filter(|region| region.piece == piece);
            let nodes = own.fold(0, |nodes, region| nodes | region.nodes);
            for slot in (0..4).filter(|slot| nodes >> slot & 1 != 0) {
                let Some(place) = places.of(corners[slot]) else { continue };
                let p = places.at(place);
                for triangle in cracks.of_cut(k as usize, piece) {
                    self.offer(place, (cracks.distance(&p, triangle), triangle), cracks, piece);
                }
            }
        }
    }

    /// Takes a triangle for a node if it is nearer than what it had of that crack; says whether it is the nearest of all.
    fn offer(&mut self, place: usize, (found, triangle): (f32, u32), cracks: &CrackTriangles, piece: u32) -> bool {
        let [first, second] = self.nearest[place];
        let same = first != NONE && cracks.same_crack(first, triangle, piece);
        if found >= self.distance[place] {
            if !same && found < self.second[place] {
                self.nearest[place][1] = triangle;
                self.second[place] = found;
            }
            return false;
        }
        if first != NONE && !same {
            self.second[place] = self.distance[place];
        }
        self.nearest[place] = [triangle, if first == NONE || same { second } else { first }];
        self.distance[place] = found;
        true
    }

    /// The way from a node to its nearest triangle.
    fn set_direction(&mut self, place: usize, p: &Local, cracks: &CrackTriangles, piece: u32) {
        let triangle = self.nearest[place][0];
        let on = closest(p, &cracks.corners[triangle as usize]);
        self.direction[place] =
            (on - p).try_normalize(f32::MIN_POSITIVE).unwrap_or_else(|| cracks.normal(triangle, piece));
    }

    /// From the nodes that measured a crack to those `among` which it is handed on.
    fn spread_features(&mut self, cracks: &CrackTriangles, walk: &CrackWalk, places: &Places, among: &[bool]) {
        let mut front = self.front();
        front.march(&mut Features { nodal: self, cracks, walk, places, among });
    }

    fn spread_averages(&mut self, places: &Places) {
        let mut front = self.front();
        // Nodes that measured a crack themselves keep what they measured.
        let measured: Vec<bool> = self.nearest.iter().map(|n| n[0] != NONE).collect();
        let settled = vec![false; measured.len()];
        front.march(&mut Averages { nodal: self, places, measured, settled });
    }

    /// The nodes that have a distance.
    fn front(&self) -> Front {
        let mut front = Front::default();
        front.begin(self.distance.len());
        let known = self.distance.iter().enumerate().filter(|(_, d)| d.is_finite());
        known.for_each(|(place, distance)| front.push(place, *distance as f64));
        front
    }

    /// Distance and direction at `p` from nodes around it (eq. 1 and 2), each with its share. At a node, and where
    /// directions cancel, it is what the nearest one says.
    ///
    /// Nodes next to a crack say what was measured at `p` itself, if it was, so the exact distances in cut tetrahedra go
    /// over into averages from one node to the next, not from one tetrahedron to the next. With barycentric coordinates for
    /// shares nothing jumps at a face either: the node that only one of the two tetrahedra has counts for nothing there.
    pub fn average(
        &self,
        p: &Local,
        around: impl Iterator<Item = (usize, Local, f32)>,
        measured: Option<(f32, Local)>,
    ) -> (f32, Local) {
        let (mut weights, mut distance, mut direction) = (0.0, 0.0, Local::zeros());
        let mut nearest = (f32::INFINITY, (f32::INFINITY, Local::z()));
        for (place, at, share) in around {
            let squared = (at - p).norm_squared();
            let says = match measured {
                Some(here) if self.nearest[place][0] != NONE => here,
                _ => (self.distance[place] + self.direction[place].dot(&(at - p)), self.direction[place]),
            };
            if squared < nearest.0 {
                nearest = (squared, says);
            }
            let w = share / squared;
            weights += w;
            distance += w * says.0;
            direction += says.1 * w;
        }
        let blend = direction / weights;
        if !(weights.is_finite() && blend.norm_squared() >= 1e-6) {
            return nearest.1;
        }
        (distance / weights, blend.normalize())
    }
}

/// Nodes hand on their nearest triangles.
struct Features<'a> {
    nodal: &'a mut Nodal,
    cracks: &'a CrackTriangles,
    walk: &'a CrackWalk,
    places: &'a Places<'a>,
    among: &'a [bool],
}

impl Marching for Features<'_> {
    fn settle(&mut self, place: usize) -> bool {
        let (p, piece) = (self.places.at(place), self.places.piece);
        // Once a node: what it was handed may go on nearer.
        for triangle in self.nodal.nearest[place].into_iter().filter(|t| *t != NONE) {
            let nearer = self.walk.descend(&p, triangle, (self.cracks, piece));
            self.nodal.offer(place, nearer, self.cracks, piece);
        }
        true
    }

    fn hand_on(&mut self, place: usize, settled: &[bool], mut nearer: impl FnMut(usize, f64)) {
        let Self { nodal, cracks, places, among, .. } = self;
        let known = nodal.nearest[place];
        let linked = places.solid.linked(places.nodes[place]).iter().filter_map(|n| places.of(*n));
        for m in linked.filter(|m| among[*m]) {
            let p = places.at(m);
            for triangle in known {
                // A settled node still learns of a second crack, but has handed on only what it knew. A triangle is
                // not nearer than its plane is.
                if triangle != NONE
                    && !nodal.nearest[m].contains(&triangle)
                    && cracks.height(&p, triangle).abs() < nodal.second[m]
                {
                    let found = (cracks.distance(&p, triangle), triangle);
                    if nodal.offer(m, found, cracks, places.piece) && !settled[m] {
                        nearer(m, nodal.distance[m] as f64);
                    }
                }
            }
        }
    }
}

/// Nodes hand on distance and direction.
struct Averages<'a> {
    nodal: &'a mut Nodal,
    places: &'a Places<'a>,
    measured: Vec<bool>,
    settled: Vec<bool>,
}

impl Averages<'_> {
    fn linked(&self, place: usize) -> impl Iterator<Item = usize> + use<'_> {
        self.places.solid.linked(self.places.nodes[place]).iter().filter_map(|n| self.places.of(*n))
    }
}

impl Marching for Averages<'_> {
    fn settle(&mut self, place: usize) -> bool {
        self.settled[place] = true;
        if !self.measured[place] {
            let p = self.places.at(place);
            let known = || self.linked(place).filter(|m| self.settled[*m] && *m != place);
            let reached_from = known().map(|m| self.nodal.distance[m]).fold(f32::INFINITY, f32::min);
            let (distance, direction) = self.nodal.average(&p, known().map(|m| (m, self.places.at(m), 1.0)), None);
            self.nodal.distance[place] = distance.max(reached_from);
            self.nodal.direction[place] = direction;
        }
        true
    }

    fn hand_on(&mut self, place: usize, settled: &[bool], mut nearer: impl FnMut(usize, f64)) {
        let p = self.places.at(place);
        let (distance, direction) = (self.nodal.distance[place], self.nodal.direction[place]);
        let open: Vec<usize> = self.linked(place).filter(|m| !self.measured[*m] && !settled[*m]).collect();
        for m in open {
            let guess = (distance + direction.dot(&(p - self.places.at(m)))).max(distance);
            if guess < self.nodal.distance[m] {
                self.nodal.distance[m] = guess;
                nearer(m, guess as f64);
            }
        }
    }
}
