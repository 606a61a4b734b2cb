//! Sample points on cracks from the corners of regions: each once for every piece that it is a corner of.

use super::edges::EdgeCorner;
use super::regions::{Divided, PartCorner, PartFacet};
use super::samples::{Points, Samples};
use crate::body::Object;
use crate::crack::breaks::CrackPoint;
use crate::error::Result;
use crate::geom::random::mix;
use crate::geom::{NONE, Point};
use std::collections::HashMap;

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
    let mut collector = Collector { owners, samples: Samples::new(object, 2 * edges.len()) };
    for corner in edges {
        collector.add_on_edge(corner);
    }
    for corner in &divided.face_corners {
        collector.add_where_cells_meet(&corner.nodes, corner.key, &corner.at, corner.on_skin);
    }
    if !divided.corners.is_empty() {
        let old: HashMap<u64, &CrackPoint> = object.crack_points().iter().map(|p| (p.key, p)).collect();
        for seen in merged(owners, &divided.corners) {
            collector.add_seen(&seen, &old);
        }
    }
    collector.samples.grouped(object, owners.count)
}

/// Corners become samples.
struct Collector<'a> {
    owners: &'a Owners<'a>,
    samples: Samples,
}

impl Collector<'_> {
    /// Whether something on a crack, or a line of cracks, known by a number, is the first in its place.
    fn is_first(&mut self, at: &Point, crack: u64) -> bool {
        let place = self.samples.place(at, crack);
        self.samples.take(place)
    }

    fn add_on_edge(&mut self, corner: &EdgeCorner) {
        let [a, b] = corner.nodes.map(|n| self.owners.of_node[n as usize]);
        let is_middle = self.owners.is_flat && !corner.on_skin;
        if a != b && (!is_middle || self.is_first(&corner.at, between(a, b))) {
            self.samples.push_for_all(&[a, b], &corner.at, corner.key(self.owners.generation));
        }
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
        self.samples.push_for_all(&pieces, at, key);
    }

    fn add_seen(&mut self, seen: &Seen, old: &HashMap<u64, &CrackPoint>) {
        let Seen { at, key, neighbour, piece, .. } = *seen;
        if !seen.is_new {
            // One that is not known was one too many before. Those that are stay where they are, bit for bit.
            if let Some(old) = old.get(&key) {
                self.samples.push_old(piece, CrackPoint { neighbour, ..**old });
            }
            return;
        }
        let is_middle = seen.across < 3 && !seen.on_skin && self.owners.is_flat;
        let crack = mix((piece as u64) << 32 | neighbour as u64) ^ seen.across as u64;
        if !is_middle || self.is_first(&at, crack) {
            self.samples.push(piece, &at, key, neighbour);
        }
    }
}

/// A number for the crack between two pieces.
pub fn between(a: u32, b: u32) -> u64 {
    (a.min(b) as u64) << 32 | a.max(b) as u64
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
