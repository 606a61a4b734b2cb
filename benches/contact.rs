//! The contact query by scene: `cargo bench --bench contact [-- scene [frame]]`. The least of some repetitions, one core; with names,
//! only scenes and frames whose names begin with them.
//!
//! A ball (our own shape) and, if the data folder is there, the bunny, in 27 cells, smooth and rough. Frames: just
//! fractured; settling (each fragment moved by 1-3 % of the radius and turned by 2-5 degrees); rubble (any orientation,
//! pulled apart); separated; and just apart (`tests/common/stage.rs`). The first pass after the event includes everything that is prepared when
//! first asked for. Beside the whole query: sample points only, and the same poses again with a memory.

#[path = "../tests/common/mod.rs"]
mod common;

use common::data;
use common::stage::{Frame, JustApart, Moment, ROUGH, Stage};
use fracas::contact::{PairMemory, QueryOptions, QueryStats, query_pair, query_pair_remembered};
use fracas::{Asset, CookOptions, Object, Pattern, Solid, shapes};
use std::time::Instant;

fn pass(
    pieces: &[Object],
    frame: &Frame,
    options: &QueryOptions,
    out: &mut Vec<fracas::contact::Contact>,
) -> QueryStats {
    let mut sum = QueryStats::default();
    out.clear();
    for &(i, j) in &frame.pairs {
        let stats = query_pair(&pieces[i], &frame.poses[i], &pieces[j], &frame.poses[j], options, out).unwrap();
        sum.spheres_visited += stats.spheres_visited;
        sum.points_tested += stats.points_tested;
        sum.evaluations += stats.evaluations;
        sum.found += stats.found;
    }
    sum
}

fn scene(name: &str, object: &Object, pattern: &Pattern) {
    let mut wanted = std::env::args().skip(1).filter(|a| !a.starts_with("--"));
    if wanted.next().is_some_and(|wanted| !name.starts_with(&wanted)) {
        return;
    }
    let frame_wanted = wanted.next().unwrap_or_default();
    let stage = Stage::single(name, object.clone(), pattern.clone());
    // Ready: the event and the first pass over all near pairs.
    let exact = QueryOptions::default();
    let mut ready = vec![];
    let mut out = vec![];
    for _ in 0..15 {
        let start = Instant::now();
        let pieces = stage.broken();
        let event = start.elapsed();
        let just = stage.frame(&pieces, Moment::JustFractured, 0);
        let first = Instant::now();
        pass(&pieces, &just, &exact, &mut out);
        ready.push((event.as_secs_f64() * 1e3, first.elapsed().as_secs_f64() * 1e3));
    }
    let best = |f: fn(&(f64, f64)) -> f64| ready.iter().map(f).fold(f64::INFINITY, f64::min);
    println!("\n{name}: event {:.2} ms, first pass {:.2} ms", best(|r| r.0), best(|r| r.1));

    let pieces = stage.broken();
    let list = |moment: Moment| (0..moment.frames()).map(|k| stage.frame(&pieces, moment, k)).collect::<Vec<_>>();
    let mut frames: Vec<(String, &QueryOptions, Vec<Frame>)> =
        Moment::ALL.map(|moment| (moment.name().into(), &exact, list(moment))).into();
    for share in [0.0001, 0.001, 0.003, 0.01] {
        for apart in [JustApart::Expanded(share), JustApart::Moved(share)] {
            frames.push((apart.name(), &exact, vec![apart.frame(&stage, &pieces, 0)]));
        }
    }
    frames.retain(|(label, ..)| label.starts_with(&frame_wanted));
    println!(
        "  {:18} {:>6} {:>9} {:>9} {:>7} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "frame", "pairs", "us/pair", "points", "ratio", "memory", "spheres", "points", "evals", "contacts"
    );
    let points_only = QueryOptions { points_only: true, ..exact };
    for (label, options, list) in frames {
        let (mut times, mut pairs, mut sum) = ([0.0; 3], 0, QueryStats::default());
        for frame in &list {
            let mut memories = vec![PairMemory::default(); frame.pairs.len()];
            times[0] += least(|| pass(&pieces, frame, options, &mut out));
            times[1] += least(|| pass(&pieces, frame, &points_only, &mut out));
            times[2] += least(|| remembered(&pieces, frame, options, &mut memories, &mut out));
            let stats = pass(&pieces, frame, options, &mut out);
            sum.spheres_visited += stats.spheres_visited;
            sum.points_tested += stats.points_tested;
            sum.evaluations += stats.evaluations;
            sum.found += stats.found;
            pairs += frame.pairs.len();
        }
        let per_pair = |n: u32| n as f64 / pairs.max(1) as f64;
        let [whole, points, memory] = times.map(|time| time * 1e6 / pairs.max(1) as f64);
        println!(
            "  {label:18} {:6.0} {whole:9.2} {points:9.2} {:7.2} {memory:9.3} {:8.1} {:8.1} {:8.1} {:8.1}",
            pairs as f64 / list.len() as f64,
            whole / points,
            per_pair(sum.spheres_visited),
            per_pair(sum.points_tested),
            per_pair(sum.evaluations),
            per_pair(sum.found),
        );
    }
}

/// The least time of 30 runs, in seconds.
fn least<T>(mut run: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..30).map(time).fold(f64::INFINITY, f64::min)
}

/// A pass in which every pair has a memory.
fn remembered(
    pieces: &[Object],
    frame: &Frame,
    options: &QueryOptions,
    memories: &mut [PairMemory],
    out: &mut Vec<fracas::contact::Contact>,
) {
    out.clear();
    for (&(i, j), memory) in frame.pairs.iter().zip(memories) {
        let (a, b) = ((&pieces[i], &frame.poses[i]), (&pieces[j], &frame.poses[j]));
        query_pair_remembered(a.0, a.1, b.0, b.1, options, memory, out).unwrap();
    }
}

fn cooked(name: &str, solid: Solid) -> Object {
    let start = Instant::now();
    let object = Object::intact(&Asset::cook(solid, &CookOptions::default()).unwrap()).remove(0);
    println!("{name}: cooked in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    object
}

fn main() {
    let ball = cooked("ball", shapes::ball(0.1, 16));
    let pattern = Pattern::random_voronoi(27, 1);
    scene("ball, 27 cells", &ball, &pattern);
    scene("ball, 27 rough cells", &ball, &pattern.clone().rough(ROUGH));
    if let (Some(solid), Some(seeds)) = (data::mesh("bunny"), data::seeds(27)) {
        let bunny = cooked("bunny", solid);
        scene("bunny, 27 cells of the truth", &bunny, &Pattern::voronoi(seeds.clone()));
        scene("bunny, 27 rough cells", &bunny, &Pattern::voronoi(seeds).rough(ROUGH));
    } else {
        data::skipped("the bunny");
    }
}
