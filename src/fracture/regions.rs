//! Divides tetrahedra into regions: in each, the part of every cell (docs/design.md, 4.2).
//!
//! Tetrahedra are divided independently of each other. What they share they divide alike, since the answers on an edge or a face
//! depend on the numbers of its nodes alone and are exact (`geom::polytope`). Most tetrahedra that are cut have two cells and one
//! crack, which needs no polytopes.

use super::envelope::{Envelope, side_key};
use super::plain::{self, Cuts, EDGES, FACES, ThreeCells};
use crate::body::Object;
use crate::geom::moments::Moments;
use crate::geom::polytope::{Clip, Corner, Polytope, Split, Spot, Wall};
use crate::geom::random::mix;
use crate::geom::{NONE, Point, Vector};
use crate::solid::{Across, Solid};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Up to so many candidates each is held against each.
const FEW_CELLS: usize = 4;
/// More candidates than this are not looked through for those that are nowhere lowest.
const MANY_CELLS: usize = 24;

/// Nearer seeds first, ties by number.
fn by_distance(a: &(f64, u32), b: &(f64, u32)) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// A tetrahedron to divide, and where it is in the object's break, if an earlier event cut it.
#[derive(Clone, Copy)]
pub struct Work {
    pub tet: u32,
    pub earlier: u32,
}

/// A region of a tetrahedron before its fragment is known.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Place of its tetrahedron in the list of work.
    pub work: u32,
    /// Its cell, or a number for its sides.
    pub label: u64,
    /// Nodes of the tetrahedron that lie in it, a bit each.
    pub nodes: u8,
    /// Its cracks, from here to those of the next.
    pub first_wall: u32,
}

/// Where the cells of the three nodes of a face meet on it. Each is found once, whatever is on the two sides of the face.
#[derive(Clone, Copy, Debug)]
pub struct FaceCorner {
    pub key: u64,
    pub at: Point,
    /// The nodes of the face: it is a corner of their fragments.
    pub nodes: [u32; 3],
    pub on_skin: bool,
}

/// Any other corner of a region that lies on a crack; those on edges with a crack of their own (`edges`) are left out too.
#[derive(Clone, Copy, Debug)]
pub struct PartCorner {
    pub key: u64,
    pub at: Point,
    /// The region.
    pub part: u32,
    /// The facets of the region that meet there, by their places in the list of facets; [`NONE`] where there are fewer.
    pub facets: [u32; 3],
    /// Whether it lies on the skin.
    pub on_skin: bool,
}

/// A facet between two regions of a tetrahedron, or, towards [`NONE`], between a region and what is of other objects.
#[derive(Clone, Copy, Debug)]
pub struct PartFacet {
    /// The regions on the first side of the crack and on its second.
    pub parts: [u32; 2],
    /// The crack.
    pub generation: u32,
    pub cells: [u32; 2],
}

/// What one run of tetrahedra comes to. Numbers of regions count from its first.
#[derive(Default)]
pub struct Parts {
    /// For each tetrahedron where its cracks and its regions start.
    pub tets: Vec<(u32, u32, u32)>,
    pub splits: Vec<Split>,
    pub parts: Vec<Part>,
    /// The moments of each part about the first node of its tetrahedron.
    pub moments: Vec<Moments>,
    pub walls: Vec<Wall>,
    pub corners: Vec<PartCorner>,
    pub face_corners: Vec<FaceCorner>,
    pub facets: Vec<PartFacet>,
    /// Facets on faces of the mesh where a region owns no node: a number for the facet, and the region. What has the same number
    /// on both sides of a face hangs together.
    pub joins: Vec<(u64, u32)>,
    /// The region budget was exceeded: this is incomplete.
    pub too_many: bool,
}

/// What dividing goes by.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub object: &'a Object,
    pub envelope: &'a Envelope,
    /// The cells of the object's nodes, [`NONE`] for others.
    pub cell_of: &'a [u32],
    /// Whether a node is an end of an edge with several cracks.
    pub beset: &'a [bool],
    /// Edges that cracks of earlier events cross.
    pub crossed: &'a HashSet<[u32; 2]>,
    /// Counts the regions of all runs, up to a limit.
    pub budget: (&'a AtomicUsize, usize),
}

impl Known<'_> {
    /// Whether an earlier event cut a tetrahedron.
    fn was_cut(&self, tet: u32) -> bool {
        let made = self.object.made_by();
        made.tets.binary_search_by_key(&tet, |cut| cut.tet).is_ok()
    }
}

/// Divides tetrahedra, one after the other.
pub struct Divider<'a> {
    known: Known<'a>,
    object: &'a Object,
    solid: &'a Solid,
    envelope: &'a Envelope,
    out: Parts,
    cells: Vec<u32>,
    values: Vec<[f64; 4]>,
    /// Cracks of the tetrahedron at hand, those that turn out not to matter included.
    splits: Vec<Split>,
    numbers: HashMap<u64, usize, BuildHasherDefault<Mixed>>,
    base: Polytope,
    region: Polytope,
    facets: Vec<(usize, bool, u64, u32)>,
    corners: Vec<Corner>,
    rim: Vec<u16>,
    at: Vec<Vector>,
    pending: Vec<(Polytope, u64)>,
    moved: Vec<usize>,
    /// Whether there may be several facets between two cells, which are told apart by their corners.
    is_keyed: bool,
}

impl<'a> Divider<'a> {
    /// `room` is how many tetrahedra to make room for.
    pub fn new(known: Known<'a>, room: usize) -> Self {
        let out = Parts {
            tets: Vec::with_capacity(room),
            splits: Vec::with_capacity(room * 3 / 2),
            parts: Vec::with_capacity(room * 5 / 2),
            moments: Vec::with_capacity(room * 5 / 2),
            walls: Vec::with_capacity(room * 3),
            facets: Vec::with_capacity(room * 3 / 2),
            ..Parts::default()
        };
        let Known { object, envelope, .. } = known;
        Self {
            known,
            object,
            solid: object.asset().solid(),
            envelope,
            out,
            cells: vec![],
            values: vec![],
            splits: vec![],
            numbers: HashMap::default(),
            base: Polytope::default(),
            region: Polytope::default(),
            facets: vec![],
            corners: vec![],
            rim: vec![],
            at: vec![],
            pending: vec![],
            moved: vec![],
            is_keyed: false,
        }
    }

    /// Divides some tetrahedra; the first is at this place of the whole list.
    pub fn run(mut self, work: &[Work], first: u32) -> Parts {
        let mut counted = 0;
        for (w, place) in work.iter().zip(first..) {
            let start = (w.tet, self.out.splits.len() as u32, self.out.parts.len() as u32);
            self.out.tets.push(start);
            if w.earlier == NONE {
                self.divide_whole(w.tet, place)
            } else {
                self.divide_regions(w, place)
            }
            let made = self.out.parts.len() - counted;
            counted = self.out.parts.len();
            let (count, most) = self.known.budget;
            if self.out.too_many || count.fetch_add(made, Ordering::Relaxed) + made > most {
                self.out.too_many = true;
                break;
            }
        }
        self.out
    }

    /// A tetrahedron that no earlier event cut: all of it is the object's.
    fn divide_whole(&mut self, tet: u32, work: u32) {
        let nodes = self.solid.tets()[tet as usize];
        if self.envelope.has_levels() {
            let label = self.envelope.crossing(&nodes, &mut self.cells, &mut self.values);
            if let [plane] = self.cells[..] {
                let first_above = self.values[0][0] >= 0.0;
                let other = label ^ side_key(plane as usize);
                let labels = if first_above { [other, label] } else { [label, other] };
                return self.divide_in_two(tet, work, self.values[0], [plane, NONE], labels);
            }
        } else if self.divide_plain(tet, work, &nodes) {
            return;
        }
        self.start_tet(self.envelope.has_levels());
        self.base.set_whole();
        self.divide_base(tet, work, &nodes);
        if self.is_keyed { self.finish_tet() } else { self.finish_cells() }
    }

    /// Divides a tetrahedron of two or three cells in a closed form. If it is another one, the cells that may be in it are the
    /// candidates at hand, and the answer is false.
    fn divide_plain(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) -> bool {
        let owners = nodes.map(|n| self.known.cell_of[n as usize]);
        let mut own = owners;
        own.sort_unstable();
        let changes = [own[0] != own[1], own[1] != own[2], own[2] != own[3]];
        let count = 1 + changes.iter().filter(|c| **c).count();
        let is_beset = nodes.iter().filter(|n| self.known.beset[**n as usize]).count() > 1;
        if count == 2 && !is_beset {
            let cells = [own[0], own[3]];
            let value = |k: usize| {
                let [a, b] = cells.map(|cell| self.envelope.value(nodes[k], cell));
                Some(a? - b?)
            };
            if let [Some(a), Some(b), Some(c), Some(d)] = [0, 1, 2, 3].map(value) {
                let labels = cells.map(|c| c as u64);
                self.divide_in_two(tet, work, [a, b, c, d], cells, labels);
                return true;
            }
        }
        self.envelope.candidates(nodes, &mut self.cells, &mut self.values);
        if self.cells.len() > MANY_CELLS {
            return false;
        }
        self.drop_dominated();
        let is_plain = !is_beset && self.cells.len() == count;
        if !is_plain && count <= 3 && self.cells.len() > 3 && self.are_owners(&owners, is_beset) {
            self.keep_owners(&owners);
        }
        match self.cells.len() {
            2 => {
                self.divide_in_two_candidates(tet, work);
                true
            }
            3 => self.divide_three_candidates(tet, work, nodes, &owners, is_beset),
            _ => false,
        }
    }

    /// Drops candidates that another is below at all nodes: they are not there. Those are most that are not.
    fn drop_dominated(&mut self) {
        let mut k = 0;
        while k < self.cells.len() {
            let values = self.values[k];
            let is_below = |other: &[f64; 4]| (0..4).all(|node| other[node] < values[node]);
            if self.values.iter().any(is_below) {
                self.cells.remove(k);
                self.values.remove(k);
            } else {
                k += 1;
            }
        }
    }

    /// The crack between two candidates, by their places.
    fn split_of(&self, a: usize, b: usize) -> Split {
        let [a, b] = [a.min(b), a.max(b)];
        let values = std::array::from_fn(|k| self.values[a][k] - self.values[b][k]);
        Split { values, generation: self.envelope.generation, cells: [self.cells[a], self.cells[b]] }
    }

    /// Whether of all candidates only the owners of nodes are there, and on an edge only those of its ends.
    fn are_owners(&self, owners: &[u32; 4], is_beset: bool) -> bool {
        let places = owners.map(|cell| self.cells.binary_search(&cell).unwrap_or(0));
        let is_lowest = |cracks: &[Split], on: u8, among: &[usize]| {
            let (spot, own) = (Spot::new(cracks, on), among[0]);
            let mut others = (0..self.cells.len()).filter(|k| !among.contains(k));
            others.all(|other| spot.is_on_first_side(&self.split_of(own, other)) == (own < other))
        };
        for (i, j) in EDGES.into_iter().filter(|(i, j)| is_beset && places[*i] != places[*j]) {
            let ends = [places[i], places[j]];
            if !is_lowest(&[self.split_of(ends[0], ends[1])], 1 << i | 1 << j, &ends) {
                return false;
            }
        }
        for face in 0..4 {
            let among @ [i, j, k] = FACES[face].map(|n| places[n]);
            let is_corner = i != j && j != k && i != k;
            let cracks = [self.split_of(i, j), self.split_of(i, k)];
            if is_corner && !is_lowest(&cracks, 0b1111 & !(1 << face), &among) {
                return false;
            }
        }
        true
    }

    /// Drops the candidates that own no node.
    fn keep_owners(&mut self, owners: &[u32; 4]) {
        for k in (0..self.cells.len()).rev().filter(|k| !owners.contains(&self.cells[*k])).collect::<Vec<_>>() {
            self.cells.remove(k);
            self.values.remove(k);
        }
    }

    /// Divides among three candidates. False if that is not to be computed in a closed form.
    fn divide_three_candidates(
        &mut self,
        tet: u32,
        work: u32,
        nodes: &[u32; 4],
        owners: &[u32; 4],
        is_beset: bool,
    ) -> bool {
        let corners = self.solid.corners(tet);
        let local = corners.map(|p| p - corners[0]);
        let place = |owner: u32| if owner == self.cells[0] { 0 } else { 1 + (owner == self.cells[2]) as usize };
        let mut form = ThreeCells { own: owners.map(place), ..ThreeCells::default() };
        let mut is_there = [false; 3];
        form.own.iter().for_each(|cell| is_there[*cell] = true);
        for (edge, (i, j)) in EDGES.into_iter().enumerate() {
            let [a, b] = [form.own[i], form.own[j]];
            if a == b {
                continue;
            }
            let third = 3 - a - b;
            let crack = [self.split_of(a, b)];
            let is_between = is_beset && {
                let spot = Spot::new(&crack, 1 << i | 1 << j);
                spot.is_on_first_side(&self.split_of(a, third)) != (a < third)
            };
            is_there[third] |= is_between;
            let along = |[a, b]: [usize; 2]| {
                let [u, v] = self.split_of(a, b).on_edge(i, j);
                local[i] * u + local[j] * v
            };
            let cuts = if is_between { [[a, third], [third, b]] } else { [[a, b]; 2] };
            form.cuts[edge] = Cuts { count: 1 + is_between as usize, cells: cuts, at: cuts.map(along) };
        }
        if let Some(absent) = is_there.iter().position(|is_there| !is_there) {
            self.cells.remove(absent);
            self.values.remove(absent);
            self.divide_in_two_candidates(tet, work);
            return true;
        }
        match form.ends() {
            Some(ends) => {
                self.divide_in_three(tet, work, nodes, &form, ends);
                true
            }
            None => {
                // The cell that has both cracks is between the others.
                let is_on_all =
                    |cell: &usize| form.cuts.iter().all(|c| c.cells[..c.count].iter().all(|k| k.contains(cell)));
                (0..3).find(is_on_all).is_some_and(|middle| self.divide_in_slices(tet, work, nodes, &form, middle))
            }
        }
    }

    /// Three cells whose two cracks do not meet: the one at this place is in the middle. False if so little of it is there that it
    /// should not be computed as what the others leave.
    fn divide_in_slices(&mut self, tet: u32, work: u32, nodes: &[u32; 4], form: &ThreeCells, middle: usize) -> bool {
        let outer = [[1, 2], [0, 2], [0, 1]][middle];
        let corners = self.solid.corners(tet);
        let local = corners.map(|p| p - corners[0]);
        let volume = self.solid.signed_volume(tet).abs();
        let mut moments = [Moments::default(); 3];
        moments[middle] = Moments::of_tet(&local, volume);
        for other in outer {
            let split = self.split_of(other, middle);
            let first = (0..4).fold(0u8, |bits, k| bits | ((split.values[k] < 0.0) as u8) << k);
            let sides = plain::two_cells(&local, &split.values, first, volume);
            moments[other] = sides[(middle < other) as usize];
            moments[middle] -= moments[other];
        }
        if moments[middle].volume < plain::SMALL_REST * volume {
            return false;
        }
        self.add_three(tet, work, nodes, form, moments, &outer.map(|other| [other.min(middle), other.max(middle)]));
        true
    }

    /// Three cells that meet in a line, with ends on two faces.
    fn divide_in_three(&mut self, tet: u32, work: u32, nodes: &[u32; 4], form: &ThreeCells, ends: [usize; 2]) {
        let corners = self.solid.corners(tet);
        let cracks = [self.split_of(0, 1), self.split_of(0, 2)];
        let ends = ends.map(|face| {
            let corner = Corner::new(&mut cracks.clone(), 0b1111 & !(1 << face), nodes);
            (face, corner.key, corner.position(&corners))
        });
        let local = corners.map(|p| p - corners[0]);
        let volume = self.solid.signed_volume(tet).abs();
        let moments = form.moments(&local, &ends.map(|(face, _, at)| (face, at - corners[0])), volume);
        let (part, facet) = (self.out.parts.len() as u32, self.out.facets.len() as u32);
        self.add_three(tet, work, nodes, form, moments, &[[0, 1], [0, 2], [1, 2]]);
        for (face, key, at) in ends {
            let [i, j, k] = FACES[face].map(|n| form.own[n]);
            let (is_own, across) = (i != j && j != k && i != k, self.solid.across(tet, face));
            if is_own && !self.is_cut_across(tet, face) {
                self.add_face_corner(tet, nodes, 0b1111 & !(1 << face), key, at);
                continue;
            }
            let on_skin = matches!(across, Across::Skin(_));
            for (own, facets) in [[0, 1], [0, 2], [1, 2]].into_iter().enumerate() {
                let [a, b] = facets.map(|k| facet + k);
                self.out.corners.push(PartCorner { key, at, part: part + own as u32, facets: [a, b, NONE], on_skin });
            }
        }
    }

    /// Adds the parts of three cells, which have cracks between some pairs; but for where all three meet.
    fn add_three(
        &mut self,
        tet: u32,
        work: u32,
        nodes: &[u32; 4],
        form: &ThreeCells,
        moments: [Moments; 3],
        pairs: &[[usize; 2]],
    ) {
        let (part, facet) = (self.out.parts.len() as u32, self.out.facets.len() as u32);
        for cell in 0..3 {
            let own = (0..4).fold(0, |bits, k| bits | ((form.own[k] == cell) as u8) << k);
            let first_wall = self.out.walls.len() as u32;
            self.out.parts.push(Part { work, label: self.cells[cell] as u64, nodes: own, first_wall });
            let walls = pairs.iter().enumerate().filter(|(_, pair)| pair.contains(&cell));
            self.out.walls.extend(walls.map(|(number, pair)| Wall::crack(number, pair[1] == cell)));
        }
        self.out.moments.extend(moments);
        for &[a, b] in pairs {
            let split = self.split_of(a, b);
            let Split { generation, cells, .. } = split;
            self.out.facets.push(PartFacet { parts: [part + a as u32, part + b as u32], generation, cells });
            self.out.splits.push(split);
        }
        let is_skin = |face: usize| matches!(self.solid.across(tet, face), Across::Skin(_));
        // Edges with two cracks are not plain.
        for (edge, (i, j)) in EDGES.into_iter().enumerate().filter(|(edge, _)| form.cuts[*edge].count == 2) {
            let on_skin = (0..4).any(|face| face != i && face != j && is_skin(face));
            for [a, b] in form.cuts[edge].cells {
                let pair = [a.min(b), a.max(b)];
                let corner = Corner::new(&mut [self.split_of(a, b)], 1 << i | 1 << j, nodes);
                let at = corner.position(&self.solid.corners(tet));
                let number = pairs.iter().position(|p| *p == pair).unwrap_or(0) as u32;
                for cell in pair {
                    let facets = [facet + number, NONE, NONE];
                    let part = part + cell as u32;
                    self.out.corners.push(PartCorner { key: corner.key, at, part, facets, on_skin });
                }
            }
        }
        for (face, cell) in (0..4).flat_map(|face| (0..3).map(move |cell| (face, cell))) {
            let has_node = FACES[face].iter().any(|k| form.own[*k] == cell);
            if !has_node && !is_skin(face) && form.is_on_face(cell, face) {
                self.out.joins.push((on_face(nodes, face, self.cells[cell] as u64), part + cell as u32));
            }
        }
    }

    /// A tetrahedron with regions of earlier events.
    fn divide_regions(&mut self, work: &Work, place: u32) {
        let made = self.object.made_by();
        let nodes = self.solid.tets()[work.tet as usize];
        let k = work.earlier as usize;
        self.start_tet(true);
        self.splits.extend_from_slice(made.splits_at(k));
        if !self.envelope.has_levels() {
            self.envelope.candidates(&nodes, &mut self.cells, &mut self.values);
        }
        for region in made.regions_at(k).filter(|r| made.regions[*r].piece == self.object.piece_number()) {
            self.base.set_region(&self.splits, made.walls_of(region).iter().copied());
            self.divide_base(work.tet, place, &nodes);
        }
        self.finish_tet();
    }

    fn start_tet(&mut self, is_keyed: bool) {
        self.is_keyed = is_keyed;
        self.splits.clear();
        self.numbers.clear();
        self.facets.clear();
    }

    /// Divides the polytope at hand by the pattern.
    fn divide_base(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) {
        if self.envelope.has_levels() {
            return self.divide_by_levels(tet, work, nodes);
        }
        let count = self.cells.len();
        if count <= 1 {
            std::mem::swap(&mut self.base, &mut self.region);
            let cell = self.cells.first().copied().unwrap_or(self.envelope.cell_of(nodes[0]));
            return self.add(tet, work, nodes, cell as u64);
        }
        if count > FEW_CELLS && self.divide_by_neighbours(tet, work, nodes) {
            return;
        }
        for own in 0..count {
            let known = self.splits.len();
            self.region.copy(&self.base);
            for other in (0..count).filter(|other| *other != own) {
                if self.clip_against(own, other) == Clip::All {
                    break;
                }
            }
            self.drop_unused(known);
            if !self.region.is_empty() {
                self.add(tet, work, nodes, self.cells[own] as u64);
            }
        }
    }

    /// Cuts from the region at hand, of one candidate, what is another's.
    fn clip_against(&mut self, own: usize, other: usize) -> Clip {
        let [low, high] = [own.min(other), own.max(other)];
        self.clip([self.cells[low], self.cells[high]], own == high, (low, high))
    }

    /// Divides the polytope at hand among many seeds: from a cell that is in it to those across its facets, since what is in a convex
    /// polytope hangs together. A cell is held against others in the order of their seeds' distances, until they are too far
    /// away to cut anything off. False if no cell was found to begin with.
    fn divide_by_neighbours(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) -> bool {
        let Some(seeds) = self.envelope.seeds() else { return false };
        let sites = nodes.map(|n| self.envelope.site_of(self.object, n));
        let weights = self.base.weights_at(0);
        let value = |row: &[f64; 4]| (0..4).map(|k| row[k] * weights[k]).sum::<f64>();
        let lowest = (0..self.cells.len()).min_by(|a, b| value(&self.values[*a]).total_cmp(&value(&self.values[*b])));
        let Some(first) = lowest else { return false };
        let mut is_seen = vec![false; self.cells.len()];
        is_seen[first] = true;
        let mut waiting = vec![first];
        let mut order: Vec<(f64, u32)> = vec![];
        let mut next = 0;
        while let Some(&own) = waiting.get(next) {
            next += 1;
            let known = self.splits.len();
            let seed = seeds[self.cells[own] as usize];
            self.region.copy(&self.base);
            order.clear();
            let others = (0..self.cells.len()).filter(|other| *other != own);
            order.extend(others.map(|other| ((seeds[self.cells[other] as usize] - seed).norm_squared(), other as u32)));
            let mut sorted = 0;
            let mut reach = self.reach_from(&seed, &sites);
            for k in 0..order.len() {
                if k == sorted {
                    // The nearest few at a time: mostly they are all that is needed.
                    let run = (sorted + 16).min(order.len());
                    if run < order.len() {
                        order[sorted..].select_nth_unstable_by(run - sorted, by_distance);
                    }
                    order[sorted..run].sort_unstable_by(by_distance);
                    sorted = run;
                }
                let (apart, other) = order[k];
                if apart > 4.0 * reach {
                    break;
                }
                match self.clip_against(own, other as usize) {
                    Clip::All => break,
                    Clip::Part => reach = self.reach_from(&seed, &sites),
                    Clip::Nothing => {}
                }
            }
            self.drop_unused(known);
            if self.region.is_empty() {
                if own == first {
                    return false;
                }
                continue;
            }
            for k in 0..self.region.corner_count() {
                for (split, _) in self.region.walls_at(k).into_iter().filter_map(|wall| wall.as_crack()) {
                    let Split { generation, cells, .. } = self.splits[split];
                    let other = if cells[0] == self.cells[own] { cells[1] } else { cells[0] };
                    if generation == self.envelope.generation
                        && let Ok(place) = self.cells.binary_search(&other)
                        && !std::mem::replace(&mut is_seen[place], true)
                    {
                        waiting.push(place);
                    }
                }
            }
            self.add(tet, work, nodes, self.cells[own] as u64);
        }
        true
    }

    /// How far the region at hand reaches from a seed, squared, and a little more.
    fn reach_from(&self, seed: &Point, sites: &[Point; 4]) -> f64 {
        let far = |k: usize| {
            let w = self.region.weights_at(k);
            let at = (0..4).fold(Vector::zeros(), |at, k| at + sites[k].coords * w[k]);
            (at - seed.coords).norm_squared()
        };
        (0..self.region.corner_count()).map(far).fold(0.0, f64::max) * (1.0 + 1e-6)
    }

    /// Forgets cracks from `first` on that do not bound the region at hand: they cut something off that others cut off too.
    fn drop_unused(&mut self, first: usize) {
        self.moved.clear();
        let mut kept = first;
        for split in first..self.splits.len() {
            self.moved.push(kept);
            let cells = self.splits[split].cells;
            if self.region.has_crack(split) {
                self.splits[kept] = self.splits[split];
                self.numbers.insert(number_of(cells), kept);
                kept += 1;
            } else {
                self.numbers.remove(&number_of(cells));
            }
        }
        if kept < self.splits.len() {
            let moved = &self.moved;
            self.region.renumber(|k| if k < first { k } else { moved[k - first] });
            self.splits.truncate(kept);
        }
    }

    /// Cuts the region at hand along the crack between two cells, of which it is on the second side or the first.
    fn clip(&mut self, cells: [u32; 2], second: bool, (low, high): (usize, usize)) -> Clip {
        if let Some(&number) = self.numbers.get(&number_of(cells)) {
            return self.region.clip(&self.splits, Wall::crack(number, second));
        }
        let values = std::array::from_fn(|k| self.values[low][k] - self.values[high][k]);
        self.clip_new(Split { values, generation: self.envelope.generation, cells }, second)
    }

    /// The same along a crack that is new in this tetrahedron; it is kept if it cuts something off.
    fn clip_new(&mut self, split: Split, second: bool) -> Clip {
        let number = self.splits.len();
        if number >= Wall::MOST_SPLITS {
            self.out.too_many = true;
            return Clip::Nothing;
        }
        self.splits.push(split);
        let cut = self.region.clip(&self.splits, Wall::crack(number, second));
        match cut {
            Clip::Part => {
                self.numbers.insert(number_of(split.cells), number);
            }
            _ => {
                self.splits.pop();
            }
        }
        cut
    }

    /// Divides the polytope at hand by one plane after the other.
    fn divide_by_levels(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) {
        let label = self.envelope.crossing(nodes, &mut self.cells, &mut self.values);
        let first_above = |values: &[f64; 4]| values[0] >= 0.0;
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        pending.push((self.base.clone(), label));
        for k in 0..self.cells.len() {
            let cells = [self.cells[k], NONE];
            let split = Split { values: self.values[k], generation: self.envelope.generation, cells };
            let mut number = None;
            for p in 0..pending.len() {
                let (polytope, label) = &mut pending[p];
                let other = *label ^ side_key(self.cells[k] as usize);
                // Below is the first side.
                let [below, above] = if first_above(&split.values) { [other, *label] } else { [*label, other] };
                match polytope.probe(&self.splits, &split, false) {
                    Clip::Nothing => *label = below,
                    Clip::All => *label = above,
                    Clip::Part => {
                        let number = *number.get_or_insert_with(|| {
                            self.splits.push(split);
                            self.splits.len() - 1
                        });
                        let mut upper = polytope.clone();
                        upper.clip(&self.splits, Wall::crack(number, true));
                        polytope.clip(&self.splits, Wall::crack(number, false));
                        *label = below;
                        pending.push((upper, above));
                    }
                }
            }
            self.out.too_many |= self.splits.len() >= Wall::MOST_SPLITS;
            if self.out.too_many || self.known.budget.0.load(Ordering::Relaxed) + pending.len() > self.known.budget.1 {
                self.out.too_many = true;
                break;
            }
        }
        for (polytope, label) in pending.drain(..) {
            self.region = polytope;
            self.add(tet, work, nodes, label);
        }
        self.pending = pending;
    }

    /// Adds the region at hand.
    fn add(&mut self, tet: u32, work: u32, nodes: &[u32; 4], label: u64) {
        let corners = self.solid.corners(tet);
        let local = corners.map(|p| p - corners[0]);
        let part = self.out.parts.len() as u32;
        let inside = self.region.nodes();
        let first_wall = self.out.walls.len() as u32;
        self.out.parts.push(Part { work, label, nodes: inside, first_wall });
        self.out.moments.push(self.region.moments(&local, &mut self.rim, &mut self.at));
        if self.is_keyed {
            self.add_keyed_facets(tet, nodes, label, inside, part);
        } else {
            self.add_walls(tet, nodes, label, inside, part);
        }
        for k in 0..self.region.corner_count() {
            let walls = self.region.walls_at(k);
            // For now the cracks.
            let facets = walls.map(|wall| wall.as_crack().map_or(NONE, |(split, _)| split as u32));
            let on = walls.iter().fold(0b1111, |on: u8, wall| on & !wall.as_face().map_or(0, |face| 1 << face));
            if facets == [NONE; 3] || self.is_on_plain_edge(on, &facets, nodes) {
                continue;
            }
            let lowest = self.lowest_on_plain_face(tet, on, &facets, nodes);
            if lowest.is_some_and(|lowest| lowest as u64 != label) {
                continue; // once is enough
            }
            let corner = self.region.corner(k, &self.splits, nodes);
            let at = corner.position(&corners);
            if lowest.is_some() {
                self.add_face_corner(tet, nodes, on, corner.key, at);
                continue;
            }
            let is_skin = |face: usize| matches!(self.solid.across(tet, face), Across::Skin(_));
            let on_skin = walls.iter().any(|wall| wall.as_face().is_some_and(is_skin));
            self.out.corners.push(PartCorner { key: corner.key, at, part, facets, on_skin });
        }
    }

    /// Adds the cracks around the region at hand, and where it hangs on the tetrahedra around.
    fn add_walls(&mut self, tet: u32, nodes: &[u32; 4], label: u64, inside: u8, part: u32) {
        let first = self.out.walls.len();
        let mut faces = 0u8;
        for wall in (0..self.region.corner_count()).flat_map(|k| self.region.walls_at(k)) {
            match wall.as_face() {
                Some(face) => faces |= 1 << face,
                None if self.out.walls[first..].contains(&wall) => {}
                None => self.out.walls.push(wall),
            }
        }
        for face in (0..4).filter(|face| faces >> face & 1 != 0 && inside & !(1 << face) == 0) {
            if let Across::Tet(_) = self.solid.across(tet, face) {
                self.out.joins.push((on_face(nodes, face, label), part));
            }
        }
    }

    /// The same where there may be several facets between two cells, or several regions of a cell on a face.
    fn add_keyed_facets(&mut self, tet: u32, nodes: &[u32; 4], label: u64, inside: u8, part: u32) {
        let Self { region, splits, corners: found, facets, out, solid, known, rim, .. } = self;
        found.clear();
        found.extend((0..region.corner_count()).map(|k| region.corner(k, splits, nodes)));
        region.each_facet(rim, |wall, rim| {
            let key = || rim.iter().fold(0u64, |sum, k| sum.wrapping_add(mix(found[*k as usize].key)));
            match (wall.as_face(), wall.as_crack()) {
                (_, Some((split, second))) => {
                    out.walls.push(wall);
                    facets.push((split, second, key(), part));
                }
                (Some(face), _) if inside & !(1 << face) == 0 => {
                    if let Across::Tet(other) = solid.across(tet, face) {
                        // What earlier events left whole has one region of a cell on a face.
                        let is_whole = !known.was_cut(tet) || !known.was_cut(other);
                        out.joins.push((if is_whole { on_face(nodes, face, label) } else { key() }, part));
                    }
                }
                _ => {}
            }
        });
    }

    /// Whether a corner is on an edge that one new crack crosses, and nothing else: `edges` has it.
    fn is_on_plain_edge(&self, on: u8, cracks: &[u32; 3], nodes: &[u32; 4]) -> bool {
        if on.count_ones() != 2 {
            return false;
        }
        let Some(split) = cracks.iter().find(|k| **k != NONE).map(|k| &self.splits[*k as usize]) else { return false };
        let [i, j] = [on.trailing_zeros(), 7 - on.leading_zeros()];
        let ends = [nodes[i as usize], nodes[j as usize]];
        split.generation == self.envelope.generation
            && ends.iter().all(|n| self.known.cell_of[*n as usize] != NONE)
            && !self.known.crossed.contains(&ends)
            && self.envelope.is_alone_on_edge(ends, split.cells)
    }

    /// If a corner is where the cells of the nodes of a face meet, and no earlier event cut what is on its two sides, the lowest of
    /// these cells: it is a `FaceCorner`.
    fn lowest_on_plain_face(&self, tet: u32, on: u8, cracks: &[u32; 3], nodes: &[u32; 4]) -> Option<u32> {
        if on.count_ones() != 3 || self.is_keyed {
            return None;
        }
        let face = (0..4).find(|k| on >> k & 1 == 0)?;
        let mut own = [0, 1, 2, 3].map(|k| if k == face { NONE } else { self.known.cell_of[nodes[k] as usize] });
        own.sort_unstable();
        let cells = &own[..3];
        let is_own = |k: &u32| *k == NONE || self.splits[*k as usize].cells.iter().all(|cell| cells.contains(cell));
        let is_plain = own[0] != own[1] && own[1] != own[2] && cracks.iter().all(is_own);
        (is_plain && !self.is_cut_across(tet, face)).then_some(own[0])
    }

    /// Whether an earlier event cut the tetrahedron across a face.
    fn is_cut_across(&self, tet: u32, face: usize) -> bool {
        matches!(self.solid.across(tet, face), Across::Tet(other) if self.known.was_cut(other))
    }

    /// Finds what is across the cracks of a tetrahedron in which every cell has one region: between two cells there is one facet.
    fn finish_cells(&mut self) {
        let Parts { tets, splits, parts, walls, corners, facets, .. } = &mut self.out;
        let Some(&(_, first_split, first_part)) = tets.last() else { return };
        let own = &parts[first_part as usize..];
        let first_wall = own.first().map_or(walls.len(), |part| part.first_wall as usize);
        let first_facet = facets.len() as u32;
        self.moved.clear();
        self.moved.resize(self.splits.len(), usize::MAX);
        for wall in &mut walls[first_wall..] {
            let Some((split, second)) = wall.as_crack() else { continue };
            if self.moved[split] == usize::MAX {
                self.moved[split] = splits.len() - first_split as usize;
                let Split { generation, cells, .. } = self.splits[split];
                let part = |cell: u32| {
                    let place = own.iter().position(|part| part.label == cell as u64);
                    place.map_or(NONE, |k| first_part + k as u32)
                };
                splits.push(self.splits[split]);
                facets.push(PartFacet { parts: cells.map(part), generation, cells });
            }
            *wall = Wall::crack(self.moved[split], second);
        }
        sort_walls(own, walls);
        let start = corners.partition_point(|corner| corner.part < first_part);
        for corner in &mut corners[start..] {
            let facet = |split: u32| first_facet + self.moved[split as usize] as u32;
            corner.facets = corner.facets.map(|split| if split == NONE { NONE } else { facet(split) });
        }
    }

    /// Finds what is across the cracks of a tetrahedron, and keeps those that bound something.
    fn finish_tet(&mut self) {
        let Parts { tets, splits, parts, walls, corners, facets, .. } = &mut self.out;
        let Some(&(_, first_split, first_part)) = tets.last() else { return };
        let first_wall = parts.get(first_part as usize).map_or(walls.len(), |part| part.first_wall as usize);
        // The facets of a crack next to each other, those that are the same from both sides together.
        self.facets.sort_unstable_by_key(|(split, second, key, _)| (*split, *key, *second));
        let moved = &mut self.moved;
        moved.clear();
        moved.resize(self.splits.len(), usize::MAX);
        let first_facet = facets.len();
        for run in self.facets.chunk_by(|a, b| (a.0, a.2) == (b.0, b.2)) {
            let (split, second, _, part) = run[0];
            if moved[split] == usize::MAX {
                moved[split] = splits.len() - first_split as usize;
                splits.push(self.splits[split]);
            }
            let mut both = [NONE; 2];
            both[second as usize] = part;
            if let Some((_, second, _, part)) = run.get(1) {
                both[*second as usize] = *part;
            }
            let Split { generation, cells, .. } = self.splits[split];
            facets.push(PartFacet { parts: both, generation, cells });
        }
        for wall in &mut walls[first_wall..] {
            if let Some((split, second)) = wall.as_crack() {
                *wall = Wall::crack(moved[split], second);
            }
        }
        sort_walls(&parts[first_part as usize..], walls);
        let facet_of = |part: u32, split: u32| {
            let is_it =
                |f: &PartFacet| f.parts.contains(&part) && self.splits[split as usize].is(f.generation, f.cells);
            facets[first_facet..].iter().position(is_it).map_or(NONE, |k| (first_facet + k) as u32)
        };
        let start = corners.partition_point(|corner| corner.part < first_part);
        for corner in &mut corners[start..] {
            let part = corner.part;
            corner.facets = corner.facets.map(|split| if split == NONE { NONE } else { facet_of(part, split) });
        }
    }

    /// The same for the two candidates at hand.
    fn divide_in_two_candidates(&mut self, tet: u32, work: u32) {
        let Split { values, cells, .. } = self.split_of(0, 1);
        self.divide_in_two(tet, work, values, cells, cells.map(|cell| cell as u64));
    }

    /// The common case: one crack, with nodes on both sides.
    fn divide_in_two(&mut self, tet: u32, work: u32, values: [f64; 4], cells: [u32; 2], labels: [u64; 2]) {
        // At a tie the second side has the node.
        let first = (0..4).fold(0u8, |bits, k| bits | ((values[k] < 0.0) as u8) << k);
        let split = Split { values, generation: self.envelope.generation, cells };
        self.out.splits.push(split);
        let corners = self.solid.corners(tet);
        let local = corners.map(|p| p - corners[0]);
        let moments = plain::two_cells(&local, &values, first, self.solid.signed_volume(tet).abs());
        let part = self.out.parts.len() as u32;
        for side in 0..2 {
            let own = if side == 0 { first } else { 0b1111 & !first };
            let first_wall = self.out.walls.len() as u32;
            self.out.parts.push(Part { work, label: labels[side], nodes: own, first_wall });
            self.out.walls.push(Wall::crack(0, side == 1));
        }
        self.out.moments.extend(moments);
        self.out.facets.push(PartFacet { parts: [part, part + 1], generation: split.generation, cells });
    }

    /// Adds the corner where the cells of the nodes of a face meet, if it is this tetrahedron's to add.
    fn add_face_corner(&mut self, tet: u32, nodes: &[u32; 4], face: u8, key: u64, at: Point) {
        let opposite = (0b1111 & !face).trailing_zeros() as usize;
        let (is_first, on_skin) = match self.solid.across(tet, opposite) {
            Across::Tet(other) => (tet < other, false),
            Across::Skin(_) => (true, true),
        };
        if is_first {
            let mut own = (0..4).filter(|k| *k != opposite).map(|k| nodes[k]);
            let nodes = std::array::from_fn(|_| own.next().unwrap_or(0));
            self.out.face_corners.push(FaceCorner { key, at, nodes, on_skin });
        }
    }
}

/// Sorts the walls of some regions, each by itself: the last ones of all.
fn sort_walls(parts: &[Part], walls: &mut [Wall]) {
    for (k, part) in parts.iter().enumerate() {
        let end = parts.get(k + 1).map_or(walls.len(), |next| next.first_wall as usize);
        walls[part.first_wall as usize..end].sort_unstable_by_key(|wall| wall.number());
    }
}

/// A number for the part of a cell on a face that no earlier event cut.
fn on_face(nodes: &[u32; 4], face: usize, label: u64) -> u64 {
    let own = (0..4).filter(|k| *k != face).map(|k| nodes[k]);
    own.fold(mix(label), |key, node| mix(key ^ node as u64))
}

/// A number for the crack between two cells, or of a plane.
fn number_of(cells: [u32; 2]) -> u64 {
    mix((cells[0] as u64) << 32 | cells[1] as u64)
}

/// Keys that are well mixed are their own hashes.
#[derive(Default)]
pub struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 << 8 ^ *byte as u64);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
