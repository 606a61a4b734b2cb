//! Objects in any state of fracture, with the breaks they come from: savegames and rollback.
//!
//! What is saved together stays together. Fragments of one break share it again when they are loaded, and know each other as
//! parts of one body over any number of generations.

use super::breaks::{self, Breaks};
use super::bytes::Reader;
use super::envelope::{Kind, open, seal};
use crate::asset::Asset;
use crate::body::{Object, SCALES, SharedBreak, fresh_serials};
use crate::crack::breaks::Break;
use crate::error::{Result, bad_argument, bad_data};
use crate::geom::NONE;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A break that objects need, and which of its pieces.
struct Needed<'a> {
    /// One of its fragments.
    by: &'a Object,
    pieces: Vec<bool>,
}

/// Objects of one asset as bytes, for [`load_objects`]: intact ones, fragments of any generations, in any sizes.
///
/// The asset is not among them; save it by [`Asset::save`], or cook it again. Of each break only those fragments are stored
/// that are given, with all its cracks.
///
/// Fails if there are no objects, or if they are of different assets.
pub fn save_objects(objects: &[Object]) -> Result<Vec<u8>> {
    save_with_notes(objects, &vec![[0; 2]; objects.len()])
}

/// The same with two numbers for each object, which the caller gets back when it is loaded.
pub fn save_with_notes(objects: &[Object], notes: &[[u64; 2]]) -> Result<Vec<u8>> {
    if notes.len() != objects.len() {
        bad_argument!("there are {} objects and {} notes; each object has one", objects.len(), notes.len());
    }
    let Some(first) = objects.first() else {
        bad_argument!("there are no objects to save");
    };
    let asset = first.asset();
    let is_foreign = |o: &Object| o.asset().identity() != asset.identity() || o.asset().density() != asset.density();
    if let Some(k) = objects.iter().position(is_foreign) {
        bad_argument!("objects[{k}] is of another asset than objects[0]; save the objects of each asset by themselves");
    }
    let mut needed: Vec<Needed> = vec![];
    let mut places = HashMap::new();
    let places: Vec<u32> = objects
        .iter()
        .map(|object| {
            if !object.is_fragment() {
                return NONE;
            }
            let made = object.made_by();
            let place = *places.entry(std::ptr::from_ref(made)).or_insert_with(|| {
                needed.push(Needed { by: object, pieces: vec![false; made.pieces.len()] });
                needed.len() - 1
            });
            needed[place].pieces[object.piece_number() as usize] = true;
            place as u32
        })
        .collect();
    let has_more = |made: &Break| !made.groups.is_empty() || !made.edges.starts.is_empty();
    let version = if needed.iter().any(|needed| has_more(needed.by.made_by())) { 4 } else { 3 };
    Ok(seal(Kind::Objects, version, |to| {
        to.section(b"OF  ", |to| {
            to.put(asset.identity());
            to.put(asset.density());
        });
        to.section(b"BRKS", |to| {
            to.put(needed.len() as u32);
            // Serial numbers of this run mean nothing in another: breaks are numbered as they come.
            let mut numbers = HashMap::new();
            for Needed { by, pieces } in &needed {
                to.section(b"BRK ", |to| {
                    let path: Vec<[u32; 2]> = by
                        .path()
                        .map(|(serial, piece)| {
                            let next = numbers.len() as u32;
                            [*numbers.entry(serial).or_insert(next), piece]
                        })
                        .collect();
                    to.section(b"PATH", |to| to.list(path.into_iter()));
                    breaks::put(to, by.made_by(), pieces, by.sphere_forest());
                });
            }
        });
        to.section(b"OBJS", |to| {
            to.put(objects.len() as u32);
            for ((object, place), note) in objects.iter().zip(&places).zip(notes) {
                to.put([*place, object.piece_number()]);
                to.put(object.identity());
                to.put(object.scale());
                to.put(*note);
            }
        });
    }))
}

/// Objects from the bytes of [`save_objects`], in the order in which they were given.
///
/// They are what the saved ones are, bit for bit: state, contacts, and what becomes of them when they break. Among each
/// other they are siblings and disjoint parts as the saved ones are. They are new bodies nevertheless: neither those that
/// were saved nor those of another loading are parts of them, just as fragments of two instances of an asset are not. So
/// save together what once was one body, and load all of it in place of what there was.
///
/// `asset` must be cooked from, or saved as, the same mesh and density; how fine its grid is does not matter.
/// Any bytes may be given, those of an untrusted file too: see [`store`](crate::store).
pub fn load_objects(bytes: &[u8], asset: &Arc<Asset>) -> Result<Vec<Object>> {
    Ok(load_with_notes(bytes, asset)?.into_iter().map(|(object, _)| object).collect())
}

/// The same with the notes that the objects were saved with.
pub fn load_with_notes(bytes: &[u8], asset: &Arc<Asset>) -> Result<Vec<(Object, [u64; 2])>> {
    let (content, _) = open(Kind::Objects, bytes)?;
    let mut from = Reader::new(content);
    from.section(b"OF  ", |from| check_asset(from, asset))?;
    let breaks = from.section(b"BRKS", |from| {
        let mut family = Family { breaks: Breaks::new(asset), serials: HashMap::new(), own: HashSet::new() };
        (0..from.get::<u32>()?).map(|_| from.section(b"BRK ", |from| family.get(from))).collect::<Result<Vec<_>>>()
    })?;
    let objects = from.section(b"OBJS", |from| {
        (0..from.get::<u32>()?).map(|_| get_object(from, asset, &breaks)).collect::<Result<Vec<_>>>()
    })?;
    from.end()?;
    Ok(objects)
}

fn check_asset(from: &mut Reader, asset: &Asset) -> Result<()> {
    let (identity, density): (u64, f64) = (from.get()?, from.get()?);
    if identity != asset.identity() {
        bad_data!(
            "these objects are of asset {identity:016x}, the given one is {:016x}; was its mesh changed since?",
            asset.identity()
        );
    }
    if density != asset.density() {
        bad_data!("these objects weigh {density} kg/m³, the given asset {}; cook it with the former", asset.density());
    }
    Ok(())
}

/// Breaks of one file, which know each other.
struct Family<'a> {
    breaks: Breaks<'a>,
    /// By the numbers in the file.
    serials: HashMap<u32, u64>,
    /// The numbers of the breaks that are there.
    own: HashSet<u32>,
}

impl Family<'_> {
    fn get(&mut self, from: &mut Reader) -> Result<Arc<SharedBreak>> {
        let path: Vec<[u32; 2]> = from.section(b"PATH", |from| from.list())?;
        let Some(([number, _], earlier)) = path.split_last() else {
            bad_data!("a break comes from nowhere");
        };
        if !self.own.insert(*number) || earlier.iter().any(|[before, _]| before == number) {
            bad_data!("break {number} comes twice");
        }
        let mut serial = |number: u32| *self.serials.entry(number).or_insert_with(|| fresh_serials(1));
        let earlier = earlier.iter().map(|[number, piece]| (serial(*number), *piece)).collect();
        let serial = serial(*number);
        let (data, sphere_trees) = self.breaks.get(from)?;
        Ok(SharedBreak::new(data, sphere_trees, serial, earlier))
    }
}

fn get_object(from: &mut Reader, asset: &Arc<Asset>, breaks: &[Arc<SharedBreak>]) -> Result<(Object, [u64; 2])> {
    let [place, piece] = from.get()?;
    let (identity, scale): (u64, f64) = (from.get()?, from.get()?);
    let note = from.get()?;
    let made_by = match breaks.get(place as usize) {
        None if place != NONE => bad_data!("an object is of break {place} of {}", breaks.len()),
        found => found.cloned(),
    };
    if !breaks::is_stored(made_by.as_ref().map_or(asset.intact(), |made| made.data()), piece) {
        bad_data!("an object is piece {piece}, which is not stored");
    }
    if !SCALES.contains(&scale) {
        bad_data!("an object has the scale {scale}; it must lie between {} and {}", SCALES.start(), SCALES.end());
    }
    Ok((Object::restore(asset, made_by, piece, identity, scale), note))
}
