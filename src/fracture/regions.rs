//! Divides tetrahedra into regions: in each, the part of every cell (docs/design.md, 4.2).
//!
//! Tetrahedra are divided independently of each other. What they share they divide alike, since the answers on an edge or a face
//! depend on the numbers of its nodes alone and are exact (`geom::polytope`). Most tetrahedra that are cut have two cells and one
//! crack, which needs no polytopes.

use super::envelope::{Envelope, side_key};
use crate::body::Object;
use crate::geom::moments::Moments;
use crate::geom::polytope::{Clip, Corner, Polytope, Split, Wall};
use crate::geom::random::mix;
use crate::geom::{NONE, Point, Vector};
use crate::solid::{Across, Solid};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Up to so many candidates each is held against each.
const FEW_CELLS: usize = 4;

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
    /// About the first node of its tetrahedron.
    pub moments: Moments,
}

/// A corner of a region that lies on a crack.
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
    pub walls: Vec<Wall>,
    pub corners: Vec<PartCorner>,
    pub facets: Vec<PartFacet>,
    /// Facets on faces of the mesh where a region owns no node: a number for the facet, and the region. What has the same number
    /// on both sides of a face hangs together.
    pub joins: Vec<(u64, u32)>,
    /// The region budget was exceeded: this is incomplete.
    pub too_many: bool,
}

/// Divides tetrahedra, one after the other.
pub struct Divider<'a> {
    object: &'a Object,
    solid: &'a Solid,
    envelope: &'a Envelope,
    budget: (&'a AtomicUsize, usize),
    out: Parts,
    cells: Vec<u32>,
    values: Vec<[f64; 4]>,
    /// Cracks of the tetrahedron at hand, those that turn out not to matter included.
    splits: Vec<Split>,
    numbers: HashMap<[u32; 2], usize>,
    base: Polytope,
    region: Polytope,
    facets: Vec<(usize, bool, u64, u32)>,
    corners: Vec<Corner>,
    rim: Vec<u16>,
    at: Vec<Vector>,
    pending: Vec<(Polytope, u64)>,
    moved: Vec<usize>,
}

impl<'a> Divider<'a> {
    /// `budget` counts the regions of all runs, up to a limit.
    pub fn new(object: &'a Object, envelope: &'a Envelope, budget: (&'a AtomicUsize, usize), room: usize) -> Self {
        let out = Parts {
            tets: Vec::with_capacity(room),
            splits: Vec::with_capacity(room * 3 / 2),
            parts: Vec::with_capacity(room * 5 / 2),
            walls: Vec::with_capacity(room * 3),
            ..Parts::default()
        };
        Self {
            object,
            solid: object.asset().solid(),
            envelope,
            budget,
            out,
            cells: vec![],
            values: vec![],
            splits: vec![],
            numbers: HashMap::new(),
            base: Polytope::default(),
            region: Polytope::default(),
            facets: vec![],
            corners: vec![],
            rim: vec![],
            at: vec![],
            pending: vec![],
            moved: vec![],
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
            if self.out.too_many || self.budget.0.fetch_add(made, Ordering::Relaxed) + made > self.budget.1 {
                self.out.too_many = true;
                break;
            }
        }
        self.out
    }

    /// A tetrahedron that no earlier event cut.
    fn divide_whole(&mut self, tet: u32, work: u32) {
        let nodes = self.solid.tets()[tet as usize];
        if !self.envelope.has_levels() {
            self.envelope.candidates(&nodes, &mut self.cells, &mut self.values);
            if self.cells.len() == 2 {
                return self.divide_in_two(tet, work, &nodes);
            }
        }
        self.start_tet();
        self.base.set_whole();
        self.divide_base(tet, work, &nodes);
        self.finish_tet();
    }

    /// A tetrahedron with regions of earlier events.
    fn divide_regions(&mut self, work: &Work, place: u32) {
        let made = self.object.made_by();
        let nodes = self.solid.tets()[work.tet as usize];
        let k = work.earlier as usize;
        self.start_tet();
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

    fn start_tet(&mut self) {
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
                self.numbers.insert(cells, kept);
                kept += 1;
            } else {
                self.numbers.remove(&cells);
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
        if let Some(&number) = self.numbers.get(&cells) {
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
                self.numbers.insert(split.cells, number);
            }
            _ => {
                self.splits.pop();
            }
        }
        cut
    }

    /// Divides the polytope at hand by one plane after the other.
    fn divide_by_levels(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) {
        let label = self.envelope.crossing(self.object, nodes, &mut self.cells, &mut self.values);
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
            if self.out.too_many || self.budget.0.load(Ordering::Relaxed) + pending.len() > self.budget.1 {
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
        self.out.parts.push(Part {
            work,
            label,
            nodes: inside,
            first_wall: self.out.walls.len() as u32,
            moments: self.region.moments(&local, &mut self.rim, &mut self.at),
        });
        let Self { region, splits, corners: found, facets, out, solid, .. } = self;
        found.clear();
        found.extend((0..region.corner_count()).map(|k| region.corner(k, splits, nodes)));
        region.each_facet(&mut self.rim, |wall, rim| {
            let key = rim.iter().fold(0u64, |sum, k| sum.wrapping_add(mix(found[*k as usize].key)));
            match (wall.as_face(), wall.as_crack()) {
                (_, Some((split, second))) => {
                    out.walls.push(wall);
                    facets.push((split, second, key, part));
                }
                (Some(face), _) if inside & !(1 << face) == 0 => {
                    if let Across::Tet(_) = solid.across(tet, face) {
                        out.joins.push((key, part));
                    }
                }
                _ => {}
            }
        });
        let is_skin = |face: usize| matches!(solid.across(tet, face), Across::Skin(_));
        for (k, corner) in found.iter().enumerate() {
            let walls = region.walls_at(k);
            // For now the cracks.
            let facets = walls.map(|wall| wall.as_crack().map_or(NONE, |(split, _)| split as u32));
            if facets != [NONE; 3] {
                let on_skin = walls.iter().any(|wall| wall.as_face().is_some_and(is_skin));
                out.corners.push(PartCorner { key: corner.key, at: corner.position(&corners), part, facets, on_skin });
            }
        }
    }

    /// Finds what is across the cracks of a tetrahedron, and keeps those that bound something.
    fn finish_tet(&mut self) {
        let Parts { tets, splits, parts, walls, corners, facets, .. } = &mut self.out;
        let Some(&(_, _, first_part)) = tets.last() else { return };
        let first_wall = parts.get(first_part as usize).map_or(walls.len(), |part| part.first_wall as usize);
        // The facets of a crack next to each other, those that are the same from both sides together.
        self.facets.sort_unstable_by_key(|(split, second, key, _)| (*split, *key, *second));
        let mut moved = vec![NONE; self.splits.len()];
        let first_facet = facets.len();
        for run in self.facets.chunk_by(|a, b| (a.0, a.2) == (b.0, b.2)) {
            let (split, second, _, part) = run[0];
            if moved[split] == NONE {
                moved[split] = (splits.len() as u32) - tets.last().map_or(0, |t| t.1);
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
                *wall = Wall::crack(moved[split] as usize, second);
            }
        }
        // Regions list their walls in ascending order.
        for k in first_part as usize..parts.len() {
            let end = parts.get(k + 1).map_or(walls.len(), |next| next.first_wall as usize);
            walls[parts[k].first_wall as usize..end].sort_unstable_by_key(|wall| wall.number());
        }
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

    /// The common case: one crack between two cells, each with nodes on its side.
    fn divide_in_two(&mut self, tet: u32, work: u32, nodes: &[u32; 4]) {
        let [low, high] = [self.cells[0], self.cells[1]];
        let values: [f64; 4] = std::array::from_fn(|k| self.values[0][k] - self.values[1][k]);
        // At a tie the higher cell has the node.
        let first = (0..4).fold(0u8, |bits, k| bits | ((values[k] < 0.0) as u8) << k);
        if first == 0 || first == 0b1111 {
            self.cells.truncate(1);
            self.cells[0] = if first == 0 { high } else { low };
            self.start_tet();
            self.base.set_whole();
            self.divide_base(tet, work, nodes);
            return self.finish_tet();
        }
        let split = Split { values, generation: self.envelope.generation, cells: [low, high] };
        self.out.splits.push(split);
        let corners = self.solid.corners(tet);
        let local = corners.map(|p| p - corners[0]);
        let volume = self.solid.signed_volume(tet).abs();
        let moments = one_crack(&local, &values, first, volume);
        let part = self.out.parts.len() as u32;
        for (side, (label, moments)) in [(low, moments[0]), (high, moments[1])].into_iter().enumerate() {
            let own = if side == 0 { first } else { 0b1111 & !first };
            let first_wall = self.out.walls.len() as u32;
            self.out.parts.push(Part { work, label: label as u64, nodes: own, first_wall, moments });
            self.out.walls.push(Wall::crack(0, side == 1));
        }
        let (generation, facet) = (split.generation, self.out.facets.len() as u32);
        self.out.facets.push(PartFacet { parts: [part, part + 1], generation, cells: split.cells });
        let skin = (0..4usize)
            .fold(0u8, |bits, face| bits | (matches!(self.solid.across(tet, face), Across::Skin(_)) as u8) << face);
        for i in 0..4 {
            for j in i + 1..4 {
                if (first >> i & 1) != (first >> j & 1) {
                    let corner = Corner::on_edge(i, j, &split, nodes);
                    // Faces that hold the edge are those opposite its other nodes.
                    let on_skin = skin & !(1 << i | 1 << j) != 0;
                    let at = corner.position(&corners);
                    let found = PartCorner { key: corner.key, at, part, facets: [facet, NONE, NONE], on_skin };
                    self.out.corners.push(found);
                    self.out.corners.push(PartCorner { part: part + 1, ..found });
                }
            }
        }
    }
}

/// The moments of the two sides of a tetrahedron with one crack: of the nodes `first`, and of the others.
fn one_crack(at: &[Vector; 4], values: &[f64; 4], first: u8, volume: f64) -> [Moments; 2] {
    let other = 0b1111 & !first;
    // The side with fewer nodes is computed, the other is the rest.
    let small = if first.count_ones() <= other.count_ones() { first } else { other };
    let order = SIDE_BY_SIDE[small as usize];
    let (at, gaps) = (order.map(|k| at[k]), order.map(|k| values[k].abs()));
    let part = if small.count_ones() == 1 { tip(&at, &gaps, volume) } else { wedge(&at, &gaps, volume) };
    let rest = Moments::of_tet(&at, volume) - part;
    if small == first { [part, rest] } else { [rest, part] }
}

/// For a set of nodes, a bit each: those in it, ascending, then the others.
const SIDE_BY_SIDE: [[usize; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut place, mut wanted) = (0, 1);
        loop {
            let mut k = 0;
            while k < 4 {
                if set >> k & 1 == wanted {
                    table[set][place] = k;
                    place += 1;
                }
                k += 1;
            }
            if wanted == 0 {
                break;
            }
            wanted = 0;
        }
        set += 1;
    }
    table
};

/// The tip at the first corner of a tetrahedron.
fn tip(at: &[Vector; 4], gaps: &[f64; 4], volume: f64) -> Moments {
    let t = [ratio(gaps, 0, 1), ratio(gaps, 0, 2), ratio(gaps, 0, 3)];
    let cut = |k: usize| at[0] + (at[k] - at[0]) * t[k - 1];
    Moments::of_tet(&[at[0], cut(1), cut(2), cut(3)], volume * (t[0] * t[1] * t[2]))
}

/// The wedge of the first two corners against the last two.
fn wedge(at: &[Vector; 4], gaps: &[f64; 4], volume: f64) -> Moments {
    let (t02, t03, t12, t13) = (ratio(gaps, 0, 2), ratio(gaps, 0, 3), ratio(gaps, 1, 2), ratio(gaps, 1, 3));
    let cut = |i: usize, j: usize, t: f64| at[i] + (at[j] - at[i]) * t;
    let (p02, p03, p12, p13) = (cut(0, 2, t02), cut(0, 3, t03), cut(1, 2, t12), cut(1, 3, t13));
    // Three tetrahedra between six points, which share their squares.
    let (v1, v2, v3) = (volume * (t12 * t13), volume * (t02 * (1.0 - t12) * t13), volume * (t02 * t03 * (1.0 - t13)));
    let both = at[0] + p13;
    let (s1, s2, s3) = (both + at[1] + p12, both + p02 + p12, both + p02 + p03);
    let mut wedge = Moments { volume: v1 + v2 + v3, first: (s1 * v1 + s2 * v2 + s3 * v3) * 0.25, second: [0.0; 6] };
    let (v1, v2, v3) = (v1 * (1.0 / 20.0), v2 * (1.0 / 20.0), v3 * (1.0 / 20.0));
    let all = v1 + v2 + v3;
    wedge.add_square(&at[0], all);
    wedge.add_square(&at[1], v1);
    wedge.add_square(&p02, v2 + v3);
    wedge.add_square(&p03, v3);
    wedge.add_square(&p12, v1 + v2);
    wedge.add_square(&p13, all);
    wedge.add_square(&s1, v1);
    wedge.add_square(&s2, v2);
    wedge.add_square(&s3, v3);
    wedge
}

/// Where the crack crosses the edge from corner i to corner j.
fn ratio(gaps: &[f64; 4], i: usize, j: usize) -> f64 {
    gaps[i] / (gaps[i] + gaps[j])
}
