//! Meshes that users bring, through everything that is done with them, through the C interface: cooked by default and met exactly, broken
//! smooth, rough and by blows, drawn, taken apart, saved, and dropped for a second. Nothing crashes or hangs, and what is drawn is what
//! collides.
//!
//! A few bodies with every change, all of them in `scripts/test --full`.

use crate::common;

use common::brought::{Brought, Kind, all, few};
use common::through_c::{Asset, Blow, Object, Said, contacts, cook, save};
use common::{is_full, on_all_cores};
use fracas::ffi::*;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A call that works for longer hangs.
const HANG: Duration = Duration::from_secs(10);
/// Cooking may take longer where there are many triangles.
const TRIANGLE: Duration = Duration::from_micros(100);
/// Volumes of drawings are those of the masses, but for this share; single pieces but for what their skin is off.
const VOLUME_OFF: f64 = 0.005;
const PIECES: u32 = 20;

/// The stack that every call needs at most, as include/fracas.h says: that of a game's fibre, and of cooking.
const FIBRE: usize = 64 << 10;
const COOKING: usize = 256 << 10;

/// What was found wrong, a line each.
#[derive(Default)]
struct Findings {
    wrong: Vec<String>,
    pieces: usize,
    drawn: usize,
    patches: usize,
    slowest: (Duration, String),
}

impl Findings {
    /// A call on a thread with as little stack as the header promises to need.
    fn call<T: Send>(&mut self, what: &str, call: impl FnOnce() -> T + Send) -> T {
        self.call_with(FIBRE, HANG, what, call)
    }

    fn call_with<T: Send>(&mut self, stack: usize, most: Duration, what: &str, call: impl FnOnce() -> T + Send) -> T {
        let (made, taken) = std::thread::scope(|scope| {
            let timed = || {
                let start = worked();
                (call(), worked() - start)
            };
            let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, timed).unwrap();
            thread.join().unwrap()
        });
        if taken > most {
            self.wrong.push(format!("{what}: took {:.1} s", taken.as_secs_f64()));
        }
        if taken > self.slowest.0 {
            self.slowest = (taken, what.into());
        }
        made
    }

    fn check(&mut self, is_right: bool, what: impl FnOnce() -> String) {
        if !is_right {
            self.wrong.push(what());
        }
    }

    fn worked<T>(&mut self, what: &str, made: Said<T>) -> Option<T> {
        made.map_err(|text| self.wrong.push(format!("{what}: {text}"))).ok()
    }
}

/// How long this thread has worked: not how long it has waited for others, on a machine that has more to do. Where only the time of day is
/// known, that.
fn worked() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// The ways in which things break.
fn blows(object: &Object) -> Vec<(&'static str, Blow)> {
    let [min, max] = object.bounds();
    let radius = 0.5 * (0..3).map(|k| (max[k] - min[k]).powi(2)).sum::<f64>().sqrt();
    let point = [0, 1, 2].map(|k| (min[k] + [0.7, 0.9, 0.6][k] * (max[k] - min[k])) as f32);
    let blow = |pattern: u32, roughness: f32| Blow {
        pattern,
        count: PIECES,
        seed: 7,
        point,
        radius: 0.8 * radius as f32,
        roughness,
    };
    vec![
        ("voronoi", blow(FC_PATTERN_RANDOM_VORONOI, 0.0)),
        ("impact", blow(FC_PATTERN_IMPACT, 0.0)),
        ("rough", blow(FC_PATTERN_RANDOM_VORONOI, 0.02)),
        ("rough impact", blow(FC_PATTERN_IMPACT, 0.02)),
    ]
}

fn try_body(body: &Brought, flags: u32, how: &str, found: &mut Findings) {
    let name = format!("{}, {how}", body.name);
    let most = HANG + TRIANGLE * body.skin.triangles.len() as u32;
    let asset = match found.call_with(COOKING, most, &format!("{name}: cooking"), || cook(&body.skin, flags, 0)) {
        Ok(asset) => asset,
        Err(text) => {
            // Some cannot be met exactly, and the sentence says what can be done instead.
            let may_be =
                flags & FC_ASSET_MEET_SURFACE != 0 && (!body.kind.is_sound() || body.skin.triangles.len() > 5000);
            println!("{name}: refused: {text}");
            found.check(may_be, || format!("{name}: refused: {text}"));
            return;
        }
    };
    let info = asset.info();
    let objects = asset.objects();
    let volume: f64 = objects.iter().map(|object| object.mass().volume).sum();
    if body.kind.is_sound() {
        let off = volume / body.skin.volume() - 1.0;
        found.check(off.abs() < VOLUME_OFF, || format!("{name}: the volume is {:+.2} % off", 100.0 * off));
    }
    println!(
        "{name}: {} triangles, {} tetrahedra, warnings {}",
        body.skin.triangles.len(),
        info.tet_count,
        info.warnings
    );
    let Some(largest) =
        (0..objects.len()).max_by(|a, b| objects[*a].mass().volume.total_cmp(&objects[*b].mass().volume))
    else {
        return;
    };
    for (kind, blow) in blows(&objects[largest]) {
        let name = format!("{name}, {kind}");
        let pieces = found.call(&format!("{name}: breaking"), || objects[largest].fracture(&blow));
        let Some(pieces) = found.worked(&name, pieces) else { continue };
        found.check(!pieces.is_empty(), || format!("{name}: it did not break"));
        if !pieces.is_empty() {
            try_pieces(&asset, &info, &pieces, &name, body.kind, found);
        }
    }
}

fn try_pieces(asset: &Asset, info: &fc_asset_info, pieces: &[Object], name: &str, kind: Kind, found: &mut Findings) {
    found.pieces += pieces.len();
    let (mut drawn, mut weighed) = (0.0, 0.0);
    for (k, piece) in pieces.iter().enumerate() {
        let name = format!("{name}, piece {k}");
        let mass = piece.mass();
        weighed += mass.volume;
        let drawing = found.call(&format!("{name}: drawing"), || piece.drawing());
        let Some(drawing) = found.worked(&name, drawing) else { continue };
        found.drawn += !drawing.triangles.is_empty() as usize;
        found.check(!drawing.triangles.is_empty(), || format!("{name} of {:.2e} m³: has no drawing", mass.volume));
        let is_finite =
            drawing.vertices.iter().all(|v| v.position.iter().chain(&v.normal).chain(&v.uv).all(|c| c.is_finite()));
        found.check(is_finite, || format!("{name}: a vertex is no number"));
        found.check(kind == Kind::Open || drawing.open_edges == 0, || {
            format!("{name}: {} open edges", drawing.open_edges)
        });
        drawn += drawing.volume();
        found.patches += drawing.patches as usize;
        let (own, boxes) = (piece.bounds(), drawing.bounds());
        let apart = (0..6).map(|k| (own[k / 3][k % 3] - boxes[k / 3][k % 3]).abs()).fold(0.0, f64::max);
        found.check(apart < 0.5 * info.mean_edge, || {
            format!("{name}: boxes of drawing and collision differ by {:.2} edges", apart / info.mean_edge)
        });
        let parts = found.call(&format!("{name}: convex parts"), || piece.convex_parts());
        let parts = found.worked(&name, parts);
        found.check(parts.is_none_or(|parts| parts > 0), || format!("{name}: no convex parts"));
        let tets = found.call(&format!("{name}: tetrahedra"), || piece.volume_of_tets());
        if let Some(volume) = found.worked(&name, tets) {
            found.check((volume / mass.volume - 1.0).abs() < 1e-6, || {
                format!("{name}: its tetrahedra have another volume")
            });
        }
    }
    let off = drawn / weighed - 1.0;
    found.check(kind != Kind::Sound || off.abs() < VOLUME_OFF, || {
        format!("{name}: the drawings have {:+.2} % of the volume more than the pieces", 100.0 * off)
    });
    let bytes = found.call(&format!("{name}: saving"), || save(pieces));
    if let Some(bytes) = found.worked(name, bytes) {
        let loaded = found.call(&format!("{name}: loading"), || asset.load_objects(&bytes));
        let again = found.worked(name, loaded).and_then(|loaded| found.worked(name, save(&loaded)));
        found.check(again.is_some_and(|again| again == bytes), || format!("{name}: saved again, it is other bytes"));
    }
    fall_apart(pieces, name, found);
}

/// A second in which pieces fly apart and turn, with memories and motions.
fn fall_apart(pieces: &[Object], name: &str, found: &mut Findings) {
    let boxes: Vec<[[f64; 3]; 2]> = pieces.iter().map(Object::bounds).collect();
    let middle: Vec<[f64; 3]> = pieces.iter().map(|piece| piece.mass().centre).collect();
    let all = (0..3).map(|k| middle.iter().map(|m| m[k]).sum::<f64>() / pieces.len() as f64).collect::<Vec<_>>();
    let size = (0..3)
        .map(|k| {
            boxes.iter().map(|b| b[1][k]).fold(f64::MIN, f64::max)
                - boxes.iter().map(|b| b[0][k]).fold(f64::MAX, f64::min)
        })
        .fold(0.0, f64::max);
    let mut pairs = vec![];
    for i in 0..pieces.len() {
        for j in i + 1..pieces.len() {
            let near = (0..3).all(|k| {
                boxes[i][0][k] < boxes[j][1][k] + 0.01 * size && boxes[j][0][k] < boxes[i][1][k] + 0.01 * size
            });
            if near {
                pairs.push([i, j]);
            }
        }
    }
    let speed = |k: usize| [0, 1, 2].map(|c| (0.05 * (middle[k][c] - all[c])) as f32);
    // SAFETY: plain data, zero at first.
    #[allow(unsafe_code)]
    let mut memories = vec![unsafe { std::mem::zeroed::<fc_pair_memory>() }; pairs.len()];
    let motion = |k: usize| fc_motion { linear: speed(k), angular: [0.02, 0.01 * k as f32, 0.0] };
    let motions: Vec<fc_motion> = pairs.iter().flatten().map(|k| motion(*k)).collect();
    for piece in pieces {
        let prepared = found.call(&format!("{name}: preparing"), || piece.prepare());
        found.worked(name, prepared);
    }
    let frames = if is_full() { 60 } else { 20 };
    for frame in 0..frames {
        let seconds = f64::from(frame) / 60.0;
        let pose = |k: usize| {
            let half = 0.5 * 0.01 * seconds * (k + 1) as f64;
            // It turns about its middle.
            let (sin, cos) = half.sin_cos();
            let m = middle[k];
            let turned = [
                cos * cos * m[0] - 2.0 * sin * cos * m[1] - sin * sin * m[0],
                2.0 * sin * cos * m[0] + (cos * cos - sin * sin) * m[1],
                m[2],
            ];
            let position = [0, 1, 2].map(|c| m[c] - turned[c] + f64::from(speed(k)[c]) * seconds);
            fc_pose { position, rotation: [0.0, 0.0, sin as f32, cos as f32] }
        };
        let list: Vec<fc_pair> = pairs
            .iter()
            .map(|[i, j]| fc_pair { a: pieces[*i].0, b: pieces[*j].0, pose_a: pose(*i), pose_b: pose(*j) })
            .collect();
        let made = found.call(&format!("{name}: contacts of frame {frame}"), || {
            contacts(&list, &mut memories, &motions, 1.0 / 60.0)
        });
        let Some(made) = found.worked(name, made) else { return };
        let is_sane = |c: &fc_contact| {
            let length: f32 = c.normal.iter().map(|n| n * n).sum();
            c.point.iter().all(|x| x.is_finite()) && c.depth.is_finite() && (length - 1.0).abs() < 1e-3
        };
        found.check(made.iter().all(is_sane), || format!("{name}: a contact of frame {frame} is no number"));
    }
}

#[test]
fn what_users_bring_is_met_broken_drawn_and_dropped() {
    let only = std::env::var("FRACAS_BODY").ok();
    let mut bodies = if is_full() || only.is_some() { all() } else { few() };
    bodies.retain(|body| only.as_ref().is_none_or(|only| only == body.name));
    // The last ones take longest.
    bodies.reverse();
    let all_found = on_all_cores(bodies, |body| {
        let mut found = Findings::default();
        try_body(&body, 0, "default", &mut found);
        try_body(&body, FC_ASSET_MEET_SURFACE, "exact", &mut found);
        found
    });
    let sum = |count: fn(&Findings) -> usize| all_found.iter().map(count).sum::<usize>();
    let slowest = all_found.iter().max_by_key(|found| found.slowest.0).unwrap();
    println!(
        "meshes that users bring: {} pieces, {} drawn, {} patches; the slowest call {:.1} s: {}",
        sum(|found| found.pieces),
        sum(|found| found.drawn),
        sum(|found| found.patches),
        slowest.slowest.0.as_secs_f64(),
        slowest.slowest.1
    );
    let wrong: Vec<&String> = all_found.iter().flat_map(|found| &found.wrong).collect();
    wrong.iter().for_each(|line| println!("WRONG {line}"));
    assert!(wrong.is_empty(), "{} findings", wrong.len());
}

/// For other programs: `cargo test --features capi --test suites brought::write -- --ignored` leaves them in out/brought, as OBJ.
#[test]
#[ignore = "writes files"]
fn write_them() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("out/brought");
    std::fs::create_dir_all(&folder).unwrap();
    for body in all() {
        let mut text = String::new();
        body.skin.points.iter().for_each(|[x, y, z]| text += &format!("v {x} {y} {z}\n"));
        body.skin.triangles.iter().for_each(|t| text += &format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1));
        std::fs::write(folder.join(format!("{}.obj", body.name.replace(' ', "_"))), text).unwrap();
    }
}

/// The corpus is what it says.
#[test]
fn sound_ones_are_sound() {
    for body in all() {
        let skin = &body.skin;
        let mut sides = std::collections::HashMap::new();
        let welded = |v: u32| skin.points[v as usize].map(|c| ((c + 0.0) as f32).to_bits());
        for t in &skin.triangles {
            for k in 0..3 {
                let (a, b) = (welded(t[k]), welded(t[(k + 1) % 3]));
                *sides.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { 1 } else { -1 };
            }
        }
        let open = sides.values().filter(|sum| **sum != 0).count();
        assert_eq!(open > 0, body.kind == Kind::Open, "{}: {open} open edges", body.name);
        assert!(skin.volume() > 0.0, "{}", body.name);
    }
}
