//! Sample points on cracks.
//!
//! Corners of regions on cracks, each once for every piece that it is a corner of. Corners and rims of cracks always become samples;
//! of what lies in the middle of a flat crack, or on the straight line where three cells meet, only some, well spread. A point keeps
//! its number as long as it exists, since it is known by what it is, not by when it was made.

use super::edges::EdgeCorner;
use super::regions::{Divided, Holder, PartCorner, PartFacet, SharedCorner};
use crate::body::Object;
use crate::error::{Error, Result};
use crate::field::breaks::{CrackPoint, MOST_IDS, group};
use crate::geom::random::{Mixed, mix};
use crate::geom::{NONE, Point, Vector};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

/// How far apart samples in the middle of flat cracks are, in mean edges.
const APART: f64 = 2.5;

/// What the corners of regions come to.
pub struct Points {
    /// By piece, and in each by what is across.
    pub points: Vec<CrackPoint>,
    /// Where those of each piece start.
    pub starts: Vec<usize>,
    pub next_id: u32,
}

/// Which piece everything belongs to.
pub struct Owners<'a> {
    pub count: usize,
    /// The piece of each region.
    pub of_part: &'a [u32],
    /// The piece of each node of the object.
    pub of_node: &'a [u32],
    pub facets: &'a [PartFacet],
    /// The generation of this event.
    pub generation: u32,
    /// Whether the cracks of this event are flat.
    pub is_flat: bool,
}

/// Numbers the corners of all regions, and puts them in order.
pub fn collect(object: &Object, owners: &Owners, edges: &[EdgeCorner], divided: &Divided) -> Result<Points> {
    let mut samples = Samples::new(object, owners, 2 * edges.len());
    for corner in edges {
        samples.add_on_edge(corner);
    }
    for corner in &divided.face_corners {
        samples.add_where_cells_meet(&corner.nodes, corner.key, &corner.at, corner.on_skin);
    }
    samples.add_shared(&divided.shared_corners);
    if !divided.corners.is_empty() {
        let old: HashMap<u64, u32> = object.crack_points().iter().map(|p| (p.key, p.id)).collect();
        for seen in merged(owners, &divided.corners) {
            samples.add_seen(&seen, &old);
        }
    }
    samples.grouped(object)
}

/// The samples so far.
struct Samples<'a> {
    owners: &'a Owners<'a>,
    /// Cells of a grid in which a crack has a sample.
    taken: HashSet<u64, BuildHasherDefault<Mixed>>,
    centre: Point,
    /// Cells of that grid a unit.
    fineness: f64,
    points: Vec<CrackPoint>,
    /// The piece of each.
    pieces: Vec<u32>,
    next_id: u64,
}

impl<'a> Samples<'a> {
    fn new(object: &Object, owners: &'a Owners<'a>, most: usize) -> Self {
        let asset = object.asset();
        Self {
            owners,
            taken: HashSet::with_capacity_and_hasher(most / 4, BuildHasherDefault::default()),
            centre: *asset.centre(),
            fineness: 1.0 / (APART * asset.mean_edge()),
            points: Vec::with_capacity(most),
            pieces: Vec::with_capacity(most),
            next_id: object.made_by().next_id as u64,
        }
    }

    /// Whether something on a crack, or a line of cracks, known by a number, is the first in its place.
    fn is_first(&mut self, at: &Point, crack: u64) -> bool {
        let place: Vector = (at - self.centre) * self.fineness;
        // Rounded down, without asking for the sign.
        let [x, y, z] = [place.x, place.y, place.z].map(|c| (c + (1u64 << 20) as f64) as u64 & 0x1f_ffff);
        self.taken.insert(mix(mix(crack) ^ (x | y << 21 | z << 42)))
    }

    fn push(&mut self, piece: u32, at: &Point, key: u64, neighbour: u32) {
        self.points.push(CrackPoint { at: *at, key, id: self.next_id as u32, neighbour });
        self.pieces.push(piece);
        self.next_id += 1;
    }

    fn add_on_edge(&mut self, corner: &EdgeCorner) {
        let [a, b] = corner.nodes.map(|n| self.owners.of_node[n as usize]);
        let is_middle = self.owners.is_flat && !corner.on_skin;
        if a == b || is_middle && !self.is_first(&corner.at, (a.min(b) as u64) << 32 | a.max(b) as u64) {
            return;
        }
        let key = corner.key(self.owners.generation);
        self.push(a, &corner.at, key, b);
        self.push(b, &corner.at, key, a);
    }

    /// Adds the corner where the cells of three nodes meet.
    fn add_where_cells_meet(&mut self, nodes: &[u32; 3], key: u64, at: &Point, on_skin: bool) {
        let pieces = nodes.map(|n| self.owners.of_node[n as usize]);
        if self.owners.is_flat && !on_skin {
            let mut line = pieces;
            line.sort_unstable();
            let line = line.iter().fold(1, |key, piece| mix(key ^ *piece as u64));
            if !self.is_first(at, line) {
                return;
            }
        }
        for (k, &piece) in pieces.iter().enumerate().filter(|(k, piece)| !pieces[..*k].contains(piece)) {
            let mut others = (0..3).filter(|j| *j != k && pieces[*j] != piece).map(|j| pieces[j]);
            match (others.next(), others.next()) {
                (None, _) => {} // inside
                (Some(other), None) => self.push(piece, at, key, other),
                _ => self.push(piece, at, key, NONE),
            }
        }
    }

    /// Adds the corners of a skeleton, where different pieces meet.
    fn add_shared(&mut self, shared_corners: &[SharedCorner]) {
        // Those on edges come from all tetrahedra around, of which only some know that they are on the skin.
        let room = shared_corners.len() / 2;
        let mut met: HashMap<u64, u32, BuildHasherDefault<Mixed>> =
            HashMap::with_capacity_and_hasher(room, BuildHasherDefault::default());
        let mut kept: Vec<SharedCorner> = Vec::with_capacity(shared_corners.len());
        for corner in shared_corners {
            if corner.on_edge {
                let place = *met.entry(corner.key).or_insert(kept.len() as u32) as usize;
                if place < kept.len() {
                    kept[place].on_skin |= corner.on_skin;
                    continue;
                }
            }
            kept.push(*corner);
        }
        for corner in &kept {
            let Owners { of_node, of_part, .. } = self.owners;
            let pieces = corner.holders.map(|h| if h == Holder::NONE { NONE } else { h.of(of_node, of_part) });
            let count = corner.holders().count();
            for (k, &piece) in pieces.iter().enumerate().take(count) {
                let neighbour = if count == 2 { pieces[1 - k] } else { NONE };
                let (key, at, across, on_skin) = (corner.key, corner.at, count as u8 - 1, corner.on_skin);
                self.add_new(&Seen { at, key, piece, neighbour, across, on_skin, is_new: true });
            }
        }
    }

    fn add_seen(&mut self, seen: &Seen, old: &HashMap<u64, u32>) {
        if !seen.is_new {
            // Without a number it was one too many before.
            if let Some(&id) = old.get(&seen.key) {
                self.points.push(CrackPoint { at: seen.at, key: seen.key, id, neighbour: seen.neighbour });
                self.pieces.push(seen.piece);
            }
            return;
        }
        self.add_new(seen);
    }

    fn add_new(&mut self, seen: &Seen) {
        let is_middle = seen.across < 3 && !seen.on_skin && self.owners.is_flat;
        let crack = mix((seen.piece as u64) << 32 | seen.neighbour as u64) ^ seen.across as u64;
        if !is_middle || self.is_first(&seen.at, crack) {
            self.push(seen.piece, &seen.at, seen.key, seen.neighbour);
        }
    }

    /// By piece, and in each by neighbour, those without last.
    fn grouped(self, object: &Object) -> Result<Points> {
        let Self { owners, points, pieces, next_id, .. } = self;
        if next_id > MOST_IDS - object.asset().solid().nodes().len() as u64 {
            return Err(Error::TooLarge(format!(
                "this family would have {next_id} crack points; feature numbers have 28 bits"
            )));
        }
        let neighbours: Vec<u32> = points.iter().map(|p| p.neighbour.min(owners.count as u32)).collect();
        let (order, _) = group(owners.count + 1, &neighbours, |k| k as u32);
        let keys: Vec<u32> = order.iter().map(|k| pieces[*k as usize]).collect();
        let (points, starts) = group(owners.count, &keys, |k| points[order[k] as usize]);
        Ok(Points { points, starts, next_id: next_id as u32 })
    }
}

/// A corner as a piece sees it.
struct Seen {
    at: Point,
    key: u64,
    piece: u32,
    neighbour: u32,
    /// How many different pieces, or cracks of earlier events, it has across.
    across: u8,
    on_skin: bool,
    is_new: bool,
}

/// The corners of regions, which come in the order of their tetrahedra, each once for every piece.
fn merged(owners: &Owners, corners: &[PartCorner]) -> Vec<Seen> {
    let most = corners.len();
    let mut seen: Vec<Seen> = Vec::with_capacity(most / 4);
    let size = (most + most / 2).next_power_of_two().max(16);
    let mut slots = vec![NONE; size];
    for corner in corners {
        let piece = owners.of_part[corner.part as usize];
        let mut slot = (corner.key ^ (piece as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)) as usize & (size - 1);
        loop {
            match slots[slot] {
                NONE => {
                    if let Some(new) = see(owners, corner, piece) {
                        slots[slot] = seen.len() as u32;
                        seen.push(new);
                    }
                    break;
                }
                known => {
                    let known = &mut seen[known as usize];
                    if known.key == corner.key && known.piece == piece {
                        known.on_skin |= corner.on_skin;
                        break;
                    }
                    slot = (slot + 1) & (size - 1);
                }
            }
        }
    }
    seen
}

/// A corner from one of its regions; `None` if it is inside the piece.
fn see(owners: &Owners, corner: &PartCorner, piece: u32) -> Option<Seen> {
    let (mut neighbour, mut across, mut is_new) = (NONE, 0, false);
    for facet in corner.facets.into_iter().filter(|f| *f != NONE) {
        let facet = &owners.facets[facet as usize];
        let other = if facet.parts[0] == corner.part { facet.parts[1] } else { facet.parts[0] };
        let beyond = if other == NONE { NONE } else { owners.of_part[other as usize] };
        if beyond == piece {
            continue;
        }
        is_new |= facet.generation == owners.generation;
        across += 1;
        neighbour = if across == 1 { beyond } else { NONE };
    }
    (across > 0).then_some(Seen {
        at: corner.at,
        key: corner.key,
        piece,
        neighbour,
        across,
        on_skin: corner.on_skin,
        is_new,
    })
}
