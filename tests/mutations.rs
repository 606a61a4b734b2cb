//! Saved files with some bytes changed and their checksums put right: whatever loads can be drawn, cut, filled, asked, saved and broken
//! like anything else, within bounded memory, and never panics.
//!
//! `store` changes one byte after the other of small files; here all kinds of pieces are saved, and changes are of the sort that does
//! harm: numbers that are not finite, counts that are not there, parts of a file in the place of others.

mod common;

use common::heap::{Counting, counts, forget_largest};
use common::saved::{family_asset, resealed, small_drawn_asset, try_load};
use common::{is_full, on_all_cores, scenes};
use fracas::fracture::pattern::{Impact, NodeLabels};
use fracas::geom::plane::Plane;
use fracas::geom::random::mix;
use fracas::{Asset, FractureOptions, Object, Pattern, Vector, fracture, save_objects};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::abort;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Mutations of a quick run, and of a full one.
const FEW: u64 = 400;
const MANY: u64 = 100_000;
/// No file here makes anything that takes a tenth of this at once.
const LARGEST: usize = 64 << 20;
/// One that takes longer than this hangs: all others take some milliseconds.
const HANGS: Duration = Duration::from_secs(120);

/// A file, and the asset of the objects in it.
type File = (String, Vec<u8>, Option<Arc<Asset>>);

/// Pieces of every kind, of an asset with sphere trees and of one with a drawing mesh; and the assets.
fn files() -> Vec<File> {
    let mut files = vec![];
    for (name, asset) in [("trees", family_asset()), ("drawn", small_drawn_asset())] {
        files.push((format!("{name}, asset"), asset.save(), None));
        let whole = Object::intact(&asset).remove(0);
        let (middle, size) = (whole.bounds().centre(), whole.bounds().size().norm());
        let smooth = Pattern::random_voronoi(5, 1);
        let blow = Impact { point: middle, direction: Vector::x(), radius: 0.3 * size, count: 5, seed: 2 };
        let labels = (0..asset.solid().source_node_count() as u32).map(|n| n % 3).collect();
        let plane = |k: f64| Plane { normal: Vector::new(0.6, 0.8, 0.0), offset: 0.1 * k - 0.1 };
        let joined = FractureOptions { max_fragments: 3, ..Default::default() };
        let default = FractureOptions::default();
        let kinds = [
            ("smooth", smooth.clone(), &default),
            ("rough", smooth.clone().rough(scenes::ROUGH), &default),
            ("impact", Pattern::impact(blow), &default),
            ("union", smooth, &joined),
            ("planes", Pattern::planes([0.0, 1.0, 2.0].map(plane).to_vec()), &default),
            ("labels", Pattern::labels(NodeLabels { labels, ..Default::default() }), &default),
        ];
        for (kind, pattern, options) in kinds {
            let pieces = fracture(&whole, &pattern, options).unwrap().broken().unwrap().objects;
            // Largest first: of these the second generation is.
            let mut order: Vec<&Object> = pieces.iter().collect();
            order.sort_by(|a, b| b.mass().volume.total_cmp(&a.mass().volume));
            let some: Vec<Object> = order.into_iter().take(3).cloned().collect();
            let again = fracture(&some[0], &Pattern::random_voronoi(3, 7), &default).unwrap().broken().unwrap().objects;
            for (generation, objects) in [(1, &some), (2, &again)] {
                let saved = save_objects(objects).unwrap();
                files.push((format!("{name}, {kind}, generation {generation}"), saved, Some(asset.clone())));
            }
        }
    }
    files
}

/// Some changes of a file, behind its header.
fn mutated(file: &[u8], others: &[File], seed: u64) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let mut next = seed;
    let mut random = |below: usize| {
        next = mix(next);
        (next % below.max(1) as u64) as usize
    };
    for _ in 0..1 + random(3) {
        let place = 32 + random(bytes.len() - 32 - 8);
        let kind = random(9);
        match kind {
            0 => bytes[place] ^= 1 << random(8),
            1 => bytes[place] = random(256) as u8,
            2 => {
                let numbers = [0, 1, 2, 3, 7, 0x7fff_ffff, 0x8000_0000, u32::MAX - 1, u32::MAX, bytes.len() as u32];
                bytes[place..place + 4].copy_from_slice(&numbers[random(numbers.len())].to_le_bytes());
            }
            3 => {
                // Next to what it is.
                let old = u32::from_le_bytes([bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3]]);
                let new = old.wrapping_add(random(7) as u32).wrapping_sub(3);
                bytes[place..place + 4].copy_from_slice(&new.to_le_bytes());
            }
            4 | 5 => {
                // Numbers are where others are: as many bytes behind the header, mostly.
                let place = if kind == 4 { place } else { place & !3 };
                let numbers = [
                    f64::NAN,
                    f64::INFINITY,
                    f64::MAX,
                    -1e300,
                    1e150,
                    1e30,
                    1.0,
                    1e-9,
                    1e-300,
                    5e-324,
                    0.0,
                    -0.0,
                    -1.0,
                ];
                bytes[place..place + 8].copy_from_slice(&numbers[random(numbers.len())].to_le_bytes());
            }
            6 => {
                // Part of it elsewhere in it.
                let length = 1 + random(24.min(bytes.len() - place));
                let from = 32 + random(bytes.len() - 32 - length);
                let part = bytes[from..from + length].to_vec();
                bytes[place..place + length].copy_from_slice(&part);
            }
            7 => {
                let (_, other, _) = &others[random(others.len())];
                let length = 1 + random(16.min(bytes.len() - place));
                let from = 32 + random(other.len() - 32 - length);
                bytes[place..place + length].copy_from_slice(&other[from..from + length]);
            }
            _ => {
                // The sign of a number, or its size.
                let bit = [63, 62, 55, 52, 31, 30][random(6)];
                bytes[place + bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
    resealed(&bytes)
}

/// Ends the program if something takes far too long, and says what.
struct Watch(Arc<Mutex<Vec<(u64, Instant)>>>);

impl Watch {
    fn start() -> Self {
        let running: Arc<Mutex<Vec<(u64, Instant)>>> = Arc::default();
        let seen = Arc::downgrade(&running);
        thread::spawn(move || {
            while let Some(running) = seen.upgrade() {
                for (seed, since) in running.lock().unwrap().iter() {
                    if since.elapsed() > HANGS {
                        eprintln!("mutation {seed} hangs");
                        abort();
                    }
                }
                drop(running);
                thread::sleep(Duration::from_millis(200));
            }
        });
        Self(running)
    }

    fn run<T>(&self, seed: u64, work: impl FnOnce() -> T) -> T {
        self.0.lock().unwrap().push((seed, Instant::now()));
        let result = work();
        self.0.lock().unwrap().retain(|(other, _)| *other != seed);
        result
    }
}

#[test]
fn whatever_loads_can_be_used() {
    let files = files();
    // A part of all can be asked for: FRACAS_MUTATIONS="first count".
    let asked = std::env::var("FRACAS_MUTATIONS").ok();
    let numbers: Vec<u64> = asked
        .iter()
        .flat_map(|text| text.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<_>>())
        .collect();
    let (first, count) = match numbers[..] {
        [first, count] => (first, count),
        _ => (0, if is_full() { MANY } else { FEW }),
    };
    for (name, file, asset) in &files {
        assert!(try_load(&resealed(file), asset), "{name}: it loads as it is");
    }
    let (watch, loaded, largest) = (Watch::start(), AtomicU64::new(0), AtomicU64::new(0));
    let runs: Vec<u64> = (first..first + count).step_by(100).collect();
    let faults: Vec<String> = on_all_cores(runs, |start| {
        let mut faults = vec![];
        for seed in start..(start + 100).min(first + count) {
            let (name, file, asset) = &files[seed as usize % files.len()];
            let bytes = mutated(file, &files, mix(seed));
            forget_largest();
            let result = watch.run(seed, || catch_unwind(AssertUnwindSafe(|| try_load(&bytes, asset))));
            match result {
                Ok(fine) => loaded.fetch_add(fine as u64, Ordering::Relaxed),
                Err(why) => {
                    let text = why.downcast_ref::<String>().cloned();
                    let text = text.or_else(|| why.downcast_ref::<&str>().map(|text| text.to_string()));
                    faults.push(format!("mutation {seed} of \"{name}\": {}", text.unwrap_or_default()));
                    0
                }
            };
            let own = counts().largest;
            largest.fetch_max(own as u64, Ordering::Relaxed);
            if own > LARGEST {
                faults.push(format!("mutation {seed} of \"{name}\" asked for {own} bytes at once"));
            }
        }
        faults
    })
    .concat();
    let (loaded, largest) = (loaded.into_inner(), largest.into_inner());
    println!(
        "{count} mutations of {} files: {loaded} loaded, and could be used; the largest block had {largest} bytes",
        files.len()
    );
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(loaded > count / 20 && loaded < count, "{loaded} of {count} loaded");
}
