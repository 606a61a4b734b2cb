//! What every saved block starts with: what it is, of which version, how long, and its checksum.
//!
//! 32 bytes: magic (8), kind (u32), version (u32), length of the whole block (u64), checksum (u32: CRC-32 as of zlib, over
//! the 24 bytes before it and everything behind the header), zero (u32). Kind and version are read before anything else is
//! believed, so a block of any later version can still say what it is.

use super::bytes::{Plain, Writer};
use crate::error::{Result, bad_data};
use std::ops::RangeInclusive;

/// As PNG's: a file that was copied as text does not have it any more.
const MAGIC: [u8; 8] = *b"FRACAS\r\n";
const HEADER: usize = 32;
/// Where the checksum is.
const CHECKSUM: usize = 24;

/// What a block holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One asset.
    Asset = 1,
    /// Objects of one asset.
    Objects = 2,
    /// A tree of cubes.
    VoxTree = 3,
}

impl Kind {
    /// The versions that this library reads.
    fn versions(self) -> RangeInclusive<u32> {
        match self {
            // 2: with a drawing mesh. 3: with notes, and a drawing mesh or not. 4: with both; the mesh has no anchors.
            // 5: with how far it is off its surface, notes, and a drawing mesh or not.
            Self::Asset => 1..=5,
            // 4: groups of cells, and edges of cracks. 3: planes around what is drawn. 2: cracks as whole numbers, and regions. 1 had other
            // cracks, which no fracture makes any more.
            Self::Objects => 3..=4,
            Self::VoxTree => 1..=1,
        }
    }

    /// What to do with a block of a version that is not read any more.
    fn remedy(self) -> &'static str {
        match self {
            Self::Asset => "cook it again",
            Self::Objects => "fracture the body again and save it anew",
            Self::VoxTree => "make it again",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Asset => "a Fracas asset",
            Self::Objects => "a set of Fracas objects",
            Self::VoxTree => "a Fracas tree of cubes",
        }
    }
}

/// Puts what `fill` writes into an envelope: the lowest version that can hold it, so that older libraries read what they can.
pub fn seal(kind: Kind, version: u32, fill: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.put(MAGIC);
    writer.put(kind as u32);
    writer.put(version);
    writer.put([0u64; 2]);
    fill(&mut writer);
    let mut bytes = writer.bytes;
    let length = bytes.len() as u64;
    bytes[16..CHECKSUM].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&bytes);
    bytes[CHECKSUM..CHECKSUM + 4].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// What an envelope holds, and its version.
pub fn open(kind: Kind, bytes: &[u8]) -> Result<(&[u8], u32)> {
    if !bytes.starts_with(&MAGIC) || bytes.len() < HEADER {
        bad_data!("these {} bytes are nothing that Fracas saved; {} is wanted", bytes.len(), kind.name());
    }
    let [found, version] = <[u32; 2]>::get(&bytes[8..]);
    match [Kind::Asset, Kind::Objects, Kind::VoxTree].into_iter().find(|known| *known as u32 == found) {
        Some(found) if found == kind => {}
        Some(found) => bad_data!("this is {}; {} is wanted", found.name(), kind.name()),
        None => bad_data!("this is something of a later Fracas (kind {found}); {} is wanted", kind.name()),
    }
    let versions = kind.versions();
    if version < *versions.start() {
        let (name, remedy) = (kind.name(), kind.remedy());
        bad_data!("this is {name} of version {version}, which was saved by an earlier version of Fracas; {remedy}");
    }
    if version > *versions.end() {
        let (name, latest) = (kind.name(), versions.end());
        bad_data!(
            "this is {name} of version {version}, saved by a later Fracas; this library reads versions up to {latest}"
        );
    }
    let length = u64::get(&bytes[16..]);
    if length != bytes.len() as u64 {
        bad_data!("{} bytes were saved and {} are there; the file was cut or added to", length, bytes.len());
    }
    let (stored, sum) = (u32::get(&bytes[CHECKSUM..]), checksum(bytes));
    if stored != sum || bytes[CHECKSUM + 4..HEADER] != [0; 4] {
        bad_data!("the checksum is {sum:08x} and should be {stored:08x}; the file is damaged");
    }
    Ok((&bytes[HEADER..], version))
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKSUM]);
    hasher.update(&bytes[HEADER..]);
    hasher.finalize()
}
