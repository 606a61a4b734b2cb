//! The contact query by scene: `cargo bench --bench contact`. Minimum and median over repetitions, one core.
//!
//! A ball (our own shape) and, if the data folder is there, the bunny, in 27 cells, smooth and rough. Frames: just
//! fractured; settling (each fragment moved by 1-3 % of the radius and turned by 2-5 degrees); rubble (any orientation,
//! pulled apart); apart; and by cells instead of tetrahedra. The first pass after the event includes everything that is prepared when first asked for.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{data, scenes};
use fracas::contact::{Depths, QueryOptions, QueryStats, query_pair};
use fracas::geom::Pose;
use fracas::geom::random::unit;
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Solid, fracture, shapes};
use nalgebra::{Translation3, UnitQuaternion};
use std::time::Instant;

/// Fragments in their poses, and the pairs whose boxes meet.
struct Frame {
    poses: Vec<Pose>,
    pairs: Vec<(usize, usize)>,
}

fn frame(pieces: &[Object], pose: impl Fn(usize) -> Pose) -> Frame {
    let poses: Vec<Pose> = (0..pieces.len()).map(pose).collect();
    let margin = 0.002 * pieces[0].asset().radius();
    let centre = |k: usize| poses[k] * pieces[k].bounds().centre();
    let half = |k: usize| {
        let size = pieces[k].bounds().size() * 0.5;
        poses[k].rotation.to_rotation_matrix().matrix().abs() * size
    };
    let mut pairs = vec![];
    for i in 0..pieces.len() {
        for j in 0..i {
            let apart = (centre(i) - centre(j)).abs() - half(i) - half(j);
            if apart.max() <= margin {
                pairs.push((i, j));
            }
        }
    }
    Frame { poses, pairs }
}

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
    let radius = object.asset().radius();
    let turned = |k: usize, seed: u64, shift: f64, angle: f64| {
        let axis = scenes::direction(seed * 1000 + k as u64);
        let way = scenes::direction(seed * 1000 + k as u64 + 500);
        Pose::from_parts(Translation3::from(way * shift), UnitQuaternion::from_scaled_axis(axis * angle))
    };
    let about = |piece: &Object, motion: Pose| {
        let centre = piece.mass().centre.coords;
        Pose::from(Translation3::from(centre)) * motion * Pose::from(Translation3::from(-centre))
    };
    // Ready: the event and the first pass over all near pairs.
    let exact = QueryOptions::default();
    let cells = QueryOptions { depths: Depths::Cells, ..exact };
    let mut ready = vec![];
    let mut out = vec![];
    for _ in 0..15 {
        let start = Instant::now();
        let pieces = fracture(object, pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects;
        let event = start.elapsed();
        let just = frame(&pieces, |_| Pose::identity());
        let first = Instant::now();
        pass(&pieces, &just, &exact, &mut out);
        ready.push((event.as_secs_f64() * 1e3, first.elapsed().as_secs_f64() * 1e3));
    }
    let best = |f: fn(&(f64, f64)) -> f64| ready.iter().map(f).fold(f64::INFINITY, f64::min);
    println!("\n{name}: event {:.2} ms, first pass {:.2} ms", best(|r| r.0), best(|r| r.1));

    let pieces = fracture(object, pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects;
    let settle = |seed: u64| {
        frame(&pieces, |k| {
            let s = seed * 77 + k as u64;
            about(
                &pieces[k],
                turned(k, seed, radius * (0.01 + 0.02 * unit(s, 1)), (2.0 + 3.0 * unit(s, 2)).to_radians()),
            )
        })
    };
    let rubble = |seed: u64| {
        frame(&pieces, |k| {
            let motion = about(&pieces[k], turned(k, seed + 50, 0.0, 3.0));
            Pose::from(Translation3::from((pieces[k].mass().centre - object.mass().centre) * 0.3)) * motion
        })
    };
    let apart =
        frame(&pieces, |k| Pose::from(Translation3::from((pieces[k].mass().centre - object.mass().centre) * 0.5)));
    let mut frames: Vec<(&str, &QueryOptions, Vec<Frame>)> = vec![
        ("just fractured", &exact, vec![frame(&pieces, |_| Pose::identity())]),
        ("settling", &exact, (0..20).map(settle).collect()),
        ("rubble", &exact, (0..5).map(rubble).collect()),
        ("apart", &exact, vec![apart]),
    ];
    if pieces.iter().any(|piece| piece.cell().is_some()) {
        frames.push(("settling, cells", &cells, (0..20).map(settle).collect()));
        frames.push(("rubble, cells", &cells, (0..5).map(rubble).collect()));
    }
    println!(
        "  {:16} {:>6} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>9}",
        "frame", "pairs", "min ms", "us/pair", "spheres", "points", "evals", "contacts", "ns/sphere"
    );
    for (label, options, list) in frames {
        let (mut time, mut pairs, mut sum) = (0.0, 0, QueryStats::default());
        for frame in &list {
            let mut min = f64::INFINITY;
            for _ in 0..30 {
                let start = Instant::now();
                let stats = pass(&pieces, frame, options, &mut out);
                let took = start.elapsed().as_secs_f64();
                if took < min {
                    min = took;
                }
                std::hint::black_box(stats);
            }
            let stats = pass(&pieces, frame, options, &mut out);
            sum.spheres_visited += stats.spheres_visited;
            sum.points_tested += stats.points_tested;
            sum.evaluations += stats.evaluations;
            sum.found += stats.found;
            time += min;
            pairs += frame.pairs.len();
        }
        let per_pair = |n: u32| n as f64 / pairs.max(1) as f64;
        println!(
            "  {label:16} {:6.0} {:9.3} {:9.2} {:8.1} {:8.1} {:8.1} {:8.1} {:9.1}",
            pairs as f64 / list.len() as f64,
            time * 1e3 / list.len() as f64,
            time * 1e6 / pairs.max(1) as f64,
            per_pair(sum.spheres_visited),
            per_pair(sum.points_tested),
            per_pair(sum.evaluations),
            per_pair(sum.found),
            time * 1e9 / sum.spheres_visited.max(1) as f64
        );
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
    scene("ball, 27 rough cells", &ball, &pattern.clone().rough(scenes::ROUGH));
    if let (Some(solid), Some(seeds)) = (data::mesh("bunny"), data::seeds(27)) {
        let bunny = cooked("bunny", solid);
        scene("bunny, 27 cells of the truth", &bunny, &Pattern::voronoi(seeds.clone()));
        scene("bunny, 27 rough cells", &bunny, &Pattern::voronoi(seeds).rough(scenes::ROUGH));
    } else {
        data::skipped("the bunny");
    }
}
