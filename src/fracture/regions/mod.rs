//! Divides tetrahedra into regions: in each, the part of every cell (docs/formulations/exact-cells.md).
//!
//! Tetrahedra are divided independently of each other. What they share they divide alike, since the answers on an edge or a face
//! depend on the numbers of its nodes alone and are exact (`cut::polytope`). Whole tetrahedra are divided among cells all at once
//! (`cut::arrangement`); polytopes are for planes, for what earlier events left, and for very many cells.

mod collect;
mod divide;
mod divided;
mod forms;
mod plain;

pub use self::divided::Divided;
use super::edges::Contested;
pub use super::edges::Work;
use super::envelope::{Envelope, side_key};
use crate::body::Object;
use crate::cut::arrangement::Arrangement;
use crate::cut::polytope::{Corner, Polytope, Split};
use crate::geom::random::{Mixed, mix};
use crate::geom::{NONE, Point, Vector};
use crate::solid::{Across, Solid};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Regions that are counted at a time: threads share the budget.
const COUNTED: usize = 64;

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

/// What dividing goes by.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub object: &'a Object,
    pub envelope: &'a Envelope,
    /// The cells of the object's nodes, [`NONE`] for others.
    pub cell_of: &'a [u32],
    pub contested: Contested<'a>,
    /// Edges that cracks of earlier events cross.
    pub crossed: &'a HashSet<[u32; 2]>,
    /// Counts the regions of all runs, up to a limit.
    pub budget: (&'a AtomicUsize, usize),
}

impl Known<'_> {
    /// Whether an earlier event cut a tetrahedron.
    fn was_cut(&self, tet: u32) -> bool {
        let made = self.object.made_by();
        made.cut_tets().tets.binary_search_by_key(&tet, |cut| cut.tet).is_ok()
    }
}

/// Divides tetrahedra, one after the other.
pub struct Divider<'a> {
    known: Known<'a>,
    object: &'a Object,
    solid: &'a Solid,
    envelope: &'a Envelope,
    out: Divided,
    cells: Vec<u32>,
    values: Vec<[f64; 4]>,
    arrangement: Arrangement,
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
    /// Regions by their cells, and facets by their regions and cracks, of a tetrahedron.
    places: Vec<(u64, u32)>,
    sides: Vec<(u32, u32, [u32; 2], u32)>,
    /// Steps that the meter was not told of yet.
    steps: u64,
    /// Regions that the budget was told of.
    counted: usize,
    /// Whether there may be several facets between two cells, which are told apart by their corners.
    is_keyed: bool,
}

impl<'a> Divider<'a> {
    /// `room` is how many tetrahedra to make room for.
    pub fn new(known: Known<'a>, room: usize) -> Self {
        let Known { object, envelope, .. } = known;
        let out = Divided::with_room(room);
        Self {
            known,
            object,
            solid: object.asset().solid(),
            envelope,
            out,
            cells: vec![],
            values: vec![],
            arrangement: Arrangement::default(),
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
            places: vec![],
            sides: vec![],
            steps: 0,
            counted: 0,
            is_keyed: false,
        }
    }

    /// Divides some tetrahedra; the first is at this place of the whole list.
    pub fn run(mut self, work: &[Work], first: u32) -> Divided {
        let (count, most) = self.known.budget;
        for (w, place) in work.iter().zip(first..) {
            self.divide(w, place);
            let made = self.out.parts.len() - self.counted;
            if made < COUNTED && !self.out.too_many {
                continue;
            }
            self.counted = self.out.parts.len();
            if self.out.too_many || count.fetch_add(made, Ordering::Relaxed) + made > most {
                self.out.too_many = true;
                return self.out;
            }
        }
        let made = self.out.parts.len() - self.counted;
        self.out.too_many = count.fetch_add(made, Ordering::Relaxed) + made > most;
        self.out.too_many |= !self.envelope.meter.count(self.steps);
        self.out
    }

    fn divide(&mut self, work: &Work, place: u32) {
        let start = (work.tet, self.out.splits.len() as u32, self.out.parts.len() as u32);
        self.out.tets.push(start);
        if work.earlier == NONE {
            self.divide_whole(work.tet, place)
        } else {
            self.divide_regions(work, place)
        }
        let Divided { tets, splits, parts, whole, .. } = &mut self.out;
        if splits.len() as u32 == start.1 && parts[start.2 as usize..].iter().all(|part| part.nodes == 0b1111) {
            whole.push(tets.len() as u32 - 1);
        }
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

    /// A tetrahedron with regions of earlier events.
    fn divide_regions(&mut self, work: &Work, place: u32) {
        let made = self.object.made_by();
        let nodes = self.solid.tets()[work.tet as usize];
        let k = work.earlier as usize;
        self.start_tet(true);
        self.splits.extend_from_slice(made.cut_tets().splits_at(k));
        if !self.envelope.has_levels() {
            self.envelope.candidates(&nodes, &mut self.cells, &mut self.values);
        }
        for region in
            made.cut_tets().regions_at(k).filter(|r| made.cut_tets().regions[*r].piece == self.object.piece_number())
        {
            self.base.set_region(&self.splits, made.cut_tets().walls_of(region).iter().copied());
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

    /// Whether an earlier event cut the tetrahedron across a face.
    fn is_cut_across(&self, tet: u32, face: usize) -> bool {
        matches!(self.solid.across(tet, face), Across::Tet(other) if self.known.was_cut(other))
    }

    /// Whether a new crack between two cells is all that crosses an edge, given by its nodes, a bit each: `edges` has the corner.
    fn is_plain_on_edge(&self, on: u8, cells: [u32; 2], nodes: &[u32; 4]) -> bool {
        let ends = [on.trailing_zeros(), 7 - on.leading_zeros()].map(|k| nodes[k as usize]);
        ends.iter().all(|n| self.known.cell_of[*n as usize] != NONE)
            && !self.known.crossed.contains(&ends)
            && self.envelope.is_alone_on_edge(ends, cells)
    }

    /// Whether the cells that meet on a face are those of its three nodes, and no earlier event cut what is across: a `FaceCorner`.
    fn is_plain_on_face(&self, tet: u32, face: usize, nodes: &[u32; 4], mut cells: impl Iterator<Item = u32>) -> bool {
        let has_node = |cell: u32| (0..4).any(|k| k != face && self.known.cell_of[nodes[k] as usize] == cell);
        cells.all(has_node) && !self.is_cut_across(tet, face)
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

/// A number for the part of a cell on a face that no earlier event cut.
fn on_face(nodes: &[u32; 4], face: usize, label: u64) -> u64 {
    let own = (0..4).filter(|k| *k != face).map(|k| nodes[k]);
    own.fold(mix(label), |key, node| mix(key ^ node as u64))
}
