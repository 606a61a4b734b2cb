//! Sample points on cracks, and the boxes of pieces.
//!
//! Corners of regions on cracks, each once for every piece that it is a corner of. Corners and rims of cracks always become samples;
//! of what lies in the middle of a flat crack, or on the straight line where three cells meet, only some, well spread. A point keeps
//! its number as long as it exists, since it is known by what it is, not by when it was made.

use super::regions::{PartCorner, PartFacet};
use crate::body::Object;
use crate::error::{Error, Result};
use crate::field::breaks::{CrackPoint, MOST_IDS, group};
use crate::geom::aabb::Aabb;
use crate::geom::random::mix;
use crate::geom::{NONE, Point};
use std::collections::HashMap;

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
    pub facets: &'a [PartFacet],
    /// The generation of this event.
    pub generation: u32,
    /// Whether the cracks of this event are flat.
    pub is_flat: bool,
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

/// Numbers the corners of all regions, which come in the order of their tetrahedra.
pub fn collect<'c>(
    object: &Object,
    owners: &Owners,
    corners: impl Iterator<Item = PartCorner> + 'c,
    most: usize,
    bounds: &mut [Aabb],
) -> Result<Points> {
    let mut seen: Vec<Seen> = Vec::with_capacity(most / 4);
    let size = (most + most / 2).next_power_of_two().max(16);
    let mut slots = vec![NONE; size];
    for corner in corners {
        let piece = owners.of_part[corner.part as usize];
        let mut slot = (corner.key ^ (piece as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)) as usize & (size - 1);
        loop {
            match slots[slot] {
                NONE => {
                    if let Some(new) = see(owners, &corner, piece) {
                        slots[slot] = seen.len() as u32;
                        bounds[piece as usize].grow(&new.at);
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
    number(object, owners, &seen)
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

/// Picks the samples, numbers them and puts them in order.
fn number(object: &Object, owners: &Owners, seen: &[Seen]) -> Result<Points> {
    let first_id = object.made_by().next_id;
    let old: HashMap<u64, u32> = object.crack_points().iter().map(|p| (p.key, p.id)).collect();
    let cell = 1.0 / (APART * object.asset().mean_edge());
    let mut taken = std::collections::HashSet::new();
    let mut next_id = first_id as u64;
    let mut kept: Vec<CrackPoint> = Vec::with_capacity(seen.len());
    let mut pieces: Vec<u32> = Vec::with_capacity(seen.len());
    for point in seen {
        let id = match (point.is_new, old.get(&point.key)) {
            (false, Some(id)) => *id,
            // It was one too many before.
            (false, None) => continue,
            (true, _) => {
                let is_middle = point.across < 3 && !point.on_skin && owners.is_flat;
                if is_middle {
                    let place = (point.at - object.asset().centre()) * cell;
                    let place = [place.x, place.y, place.z].map(|c| c.floor() as i64 as u64);
                    let crack = (point.piece as u64) << 32 | point.neighbour as u64;
                    let key = place.iter().fold(mix(crack ^ (point.across as u64) << 60), |key, c| mix(key ^ c));
                    if !taken.insert(key) {
                        continue;
                    }
                }
                next_id += 1;
                (next_id - 1) as u32
            }
        };
        kept.push(CrackPoint { at: point.at, key: point.key, id, neighbour: point.neighbour });
        pieces.push(point.piece);
    }
    if next_id > MOST_IDS - object.asset().solid().nodes().len() as u64 {
        return Err(Error::TooLarge(format!(
            "this family would have {next_id} crack points; feature numbers have 28 bits"
        )));
    }
    // By neighbour, those without last, then, keeping that order, by piece.
    let neighbours: Vec<u32> = kept.iter().map(|p| p.neighbour.min(owners.count as u32)).collect();
    let (order, _) = group(owners.count + 1, &neighbours, |k| k as u32);
    let keys: Vec<u32> = order.iter().map(|k| pieces[*k as usize]).collect();
    let (points, starts) = group(owners.count, &keys, |k| kept[order[k] as usize]);
    Ok(Points { points, starts, next_id: next_id as u32 })
}
