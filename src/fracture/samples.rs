//! Sample points on cracks: numbered, and put in order.
//!
//! Corners and rims of cracks always become samples; of what lies in the middle of a flat crack, or on the straight line where three cells
//! meet, only some, well spread. A point keeps its number as long as it exists, since it is known by what it is, not by when it was made.

use crate::body::Object;
use crate::crack::breaks::{CrackPoint, MOST_IDS};
use crate::error::{Error, Result};
use crate::geom::counting_sort::group;
use crate::geom::random::{Mixed, mix};
use crate::geom::{NONE, Point, Vector};
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

/// How far apart samples in the middle of flat cracks are, in mean edges.
const APART: f64 = 2.5;

/// Samples in their order.
pub struct Points {
    /// By piece, and in each by what is across.
    pub points: Vec<CrackPoint>,
    /// Where those of each piece start.
    pub starts: Vec<usize>,
    pub next_id: u32,
}

/// The samples so far.
pub struct Samples {
    /// Cells of a grid in which a crack has a sample.
    taken: HashSet<u64, BuildHasherDefault<Mixed>>,
    centre: Point,
    /// How far apart samples on one crack or line are.
    pub apart: f64,
    points: Vec<CrackPoint>,
    /// The piece of each.
    pieces: Vec<u32>,
    next_id: u64,
}

/// A place on a crack, or on a line of cracks: those near each other have the same.
#[derive(Clone, Copy)]
pub struct Place(u64);

impl Samples {
    /// `room` is for how many there is to be room.
    pub fn new(object: &Object, room: usize) -> Self {
        let asset = object.asset();
        Self {
            taken: HashSet::with_capacity_and_hasher(room / 4, BuildHasherDefault::default()),
            centre: *asset.centre(),
            apart: APART * asset.mean_edge(),
            points: Vec::with_capacity(room),
            pieces: Vec::with_capacity(room),
            next_id: object.made_by().next_id as u64,
        }
    }

    /// The place of something on a crack, or a line of cracks, known by a number.
    pub fn place(&self, at: &Point, crack: u64) -> Place {
        let place: Vector = (at - self.centre) * (1.0 / self.apart);
        // Rounded down, without asking for the sign.
        let [x, y, z] = [place.x, place.y, place.z].map(|c| (c + (1u64 << 20) as f64) as u64 & 0x1f_ffff);
        Place(mix(mix(crack) ^ (x | y << 21 | z << 42)))
    }

    /// Takes a place; false if it is taken already.
    pub fn take(&mut self, place: Place) -> bool {
        self.taken.insert(place.0)
    }

    /// Gives a place back.
    pub fn give_back(&mut self, place: Place) {
        self.taken.remove(&place.0);
    }

    /// Adds a sample of a piece, with what is across.
    pub fn push(&mut self, piece: u32, at: &Point, key: u64, neighbour: u32) {
        self.push_old(piece, CrackPoint { at: *at, key, id: self.next_id as u32, neighbour });
        self.next_id += 1;
    }

    /// Adds one that has its number already.
    pub fn push_old(&mut self, piece: u32, point: CrackPoint) {
        self.points.push(point);
        self.pieces.push(piece);
    }

    /// Adds a corner of some pieces.
    pub fn push_for_all(&mut self, pieces: &[u32], at: &Point, key: u64) {
        for (_, &piece) in pieces.iter().enumerate().filter(|(k, piece)| !pieces[..*k].contains(piece)) {
            let mut others = pieces.iter().filter(|other| **other != piece);
            match (others.next(), others.next()) {
                (None, _) => {} // inside
                (Some(other), None) => self.push(piece, at, key, *other),
                _ => self.push(piece, at, key, NONE),
            }
        }
    }

    /// Those of so many pieces by piece, and in each by neighbour, those without last.
    pub fn grouped(self, object: &Object, count: usize) -> Result<Points> {
        let Self { points, pieces, next_id, .. } = self;
        if next_id > MOST_IDS - object.asset().solid().nodes().len() as u64 {
            return Err(Error::TooLarge(format!(
                "this family would have {next_id} crack points; feature numbers have 28 bits"
            )));
        }
        let neighbours: Vec<u32> = points.iter().map(|p| p.neighbour.min(count as u32)).collect();
        let (order, _) = group(count + 1, &neighbours, |k| k as u32);
        let keys: Vec<u32> = order.iter().map(|k| pieces[*k as usize]).collect();
        let (points, starts) = group(count, &keys, |k| points[order[k] as usize]);
        Ok(Points { points, starts, next_id: next_id as u32 })
    }
}
