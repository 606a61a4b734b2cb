//! Good files with bytes changed, lost, doubled or cut off: whatever comes of it, no reader panics.

mod common;

use common::{Sample, surfaces, volumes};
use fracas::Solid;
use fracas::geom::random::mix;
use fracas_cli::artist::drawing_mesh;
use fracas_cli::read::{Format, Mesh, parse, parse_tetgen};
use fracas_cli::weld::weld;
use std::panic::catch_unwind;

/// Of each sample.
const MUTATIONS: u64 = 2000;

fn mutated(bytes: &[u8], seed: u64) -> Vec<u8> {
    let draw = |k: u64| mix(seed ^ mix(k));
    let place = |k: u64| draw(k) as usize % bytes.len();
    let mut changed = bytes.to_vec();
    match seed % 6 {
        0 => changed.truncate(place(1)),
        // A few bytes, each to anything.
        1 => (0..1 + draw(2) % 8).for_each(|k| changed[place(3 + 2 * k)] = draw(4 + 2 * k) as u8),
        // A single bit.
        2 => changed[place(1)] ^= 1 << (draw(2) % 8),
        // A digit to another, so that text stays text.
        3 => {
            let digits: Vec<usize> = (0..bytes.len()).filter(|k| bytes[*k].is_ascii_digit()).collect();
            if let Some(k) = digits.get(draw(1) as usize % digits.len().max(1)) {
                changed[*k] = b"0123456789-.e#"[draw(2) as usize % 14];
            }
        }
        // A stretch that is lost.
        4 => {
            let (a, b) = (place(1), place(2));
            changed.drain(a.min(b)..a.max(b).min(a.min(b) + 64));
        }
        // Four or eight bytes of ones or of a huge number.
        _ => {
            let at = place(1);
            let run = [[0xff; 8], [0x7f; 8], [0x80, 0, 0, 0, 0, 0, 0, 0]][draw(2) as usize % 3];
            for (to, from) in changed[at..].iter_mut().zip(&run[..4 + 4 * (draw(3) as usize % 2)]) {
                *to = *from;
            }
        }
    }
    changed
}

/// What is read goes on to where a solid would be made of it.
fn follow(mesh: Result<Mesh, String>) -> bool {
    match mesh {
        Ok(Mesh::Surface(surface)) => weld(&surface).volume() > 0.0 && drawing_mesh(&surface, 40.0).is_ok(),
        Ok(Mesh::Tets(mesh)) => Solid::new(&mesh.points, &mesh.tets).is_ok(),
        Err(what) => {
            assert!(!what.is_empty() && !what.contains(char::is_control), "a message that cannot be printed: {what:?}");
            false
        }
    }
}

fn read(sample: &Sample, bytes: &[u8]) -> Result<Mesh, String> {
    let other = sample.beside.as_ref().map_or(&[][..], |(_, bytes)| bytes);
    match sample.format {
        Format::TetgenNode => parse_tetgen(bytes, other),
        Format::TetgenEle => parse_tetgen(other, bytes),
        format => parse(format, bytes),
    }
}

#[test]
fn damaged_files_never_panic() {
    let (mut tried, mut refused) = (0, 0);
    for (number, sample) in surfaces().iter().chain(&volumes()).enumerate() {
        for k in 0..MUTATIONS {
            let seed = mix(number as u64) ^ k;
            let bytes = mutated(&sample.bytes, seed);
            let outcome = catch_unwind(|| follow(read(sample, &bytes)));
            assert!(outcome.is_ok(), "{} ({}), mutation {k}: a panic", sample.end, sample.name);
            tried += 1;
            refused += !outcome.unwrap() as u32;
        }
    }
    println!("readers: {tried} damaged files, {refused} of them refused, no panic");
    assert!(refused > tried / 4 && refused < tried, "mutations should be of all kinds: {refused} of {tried} refused");
}
