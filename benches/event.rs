//! The fracture event step by step: `cargo bench --bench event [-- name [repetitions]]`. Minimum and median over repetitions, one core;
//! with a name, only scenes whose names begin with it.
//!
//! Scenes: a rabbit and a ball of the size of the paper's bunny (our own shapes), broken into 27 random Voronoi cells, smooth and rough;
//! the rabbit with the number of tetrahedra that filling its surface makes by default;
//! balls of growing size with the same number of cells; the bunny of the data folder with the seeds of its truth, if there;
//! and how soon the rabbit in 27 cells is ready: the event, the first pass over all near pairs with all that it prepares, and
//! the same pass again.

#[path = "../tests/common/mod.rs"]
mod common;

use common::surfaces::Skin;
use common::{data, scenes};
use fracas::contact::{Contact, QueryOptions, query_pair};
use fracas::fracture::{fracture, fracture_in_steps};
use fracas::geom::Pose;
use fracas::solid::fill::FillOptions;
use fracas::{FractureOptions, Object, Outcome, Pattern, shapes};
use std::cell::LazyCell;
use std::ops::Deref;
use std::time::{Duration, Instant};

struct Timings {
    steps: Vec<(&'static str, Vec<Duration>)>,
    total: Vec<Duration>,
}

/// Before each repetition `between` is called: it may do what a game does between two events.
fn measure(
    object: &Object,
    pattern: &Pattern,
    options: &FractureOptions,
    repetitions: usize,
    mut between: impl FnMut(),
) -> (Timings, Outcome) {
    let mut timings = Timings { steps: vec![], total: vec![] };
    let mut last = None;
    for _ in 0..repetitions {
        between();
        let start = Instant::now();
        let mut before = start;
        let mut number = 0;
        let outcome = fracture_in_steps(object, pattern, options, &mut |name| {
            let now = Instant::now();
            if number == timings.steps.len() {
                timings.steps.push((name, vec![]));
            }
            timings.steps[number].1.push(now - before);
            before = now;
            number += 1;
        })
        .unwrap();
        timings.total.push(start.elapsed());
        last = Some(outcome);
    }
    (timings, last.unwrap())
}

fn micros(mut list: Vec<Duration>) -> (f64, f64) {
    list.sort_unstable();
    let us = |d: Duration| d.as_secs_f64() * 1e6;
    (us(list[0]), us(list[list.len() / 2]))
}

/// Whether a scene was asked for, and how often it is to be repeated.
fn asked(name: &str) -> Option<usize> {
    let mut arguments = std::env::args().skip(1).filter(|a| !a.starts_with("--"));
    let is_asked = arguments.next().is_none_or(|wanted| name.starts_with(&wanted));
    is_asked.then(|| arguments.next().and_then(|count| count.parse().ok()).unwrap_or(200))
}

fn report(name: &str, object: &impl Deref<Target = Object>, pattern: &Pattern) {
    let Some(repetitions) = asked(name) else { return };
    let object: &Object = object;
    let (timings, outcome) = measure(object, pattern, &FractureOptions::default(), repetitions, || ());
    // Between two events a game uses the caches for other things.
    let mut other = vec![0u64; 8 << 20];
    let flush = || other.iter_mut().for_each(|word| *word = word.wrapping_add(1));
    let (cold, _) = measure(object, pattern, &FractureOptions::default(), repetitions / 10 + 1, flush);
    let Outcome::Broken(result) = outcome else { return println!("{name}: nothing broke") };
    let made = result.objects[0].made_by();
    let solid = object.asset().solid();
    let (bytes, start) = (made.bytes(), Instant::now());
    made.cut_tets();
    let cut = start.elapsed();
    println!(
        "\n{name}: {} nodes, {} tets -> {} fragments, {} cut tets, {} splits, {} crack points, break {:.0} KB, {:.0} with its cut tets",
        object.nodes().len(),
        solid.tets().len(),
        result.objects.len(),
        made.cut_tets().tets.len(),
        made.cut_tets().splits.len(),
        made.points.len(),
        bytes as f64 / 1e3,
        made.bytes() as f64 / 1e3
    );
    println!("  {:32} {:>9} {:>9} {:>19}", "step", "min us", "median us", "cold caches, min us");
    let all = |timings: Timings| timings.steps.into_iter().chain([("all but surfaces", timings.total)]);
    for ((step, warm), (_, cold)) in all(timings).zip(all(cold)) {
        let ((min, median), (cold, _)) = (micros(warm), micros(cold));
        println!("  {step:32} {min:9.1} {median:9.1} {cold:19.1}");
    }
    println!("  {:32} {:9.1}           (on demand, once)", "cut tetrahedra", cut.as_secs_f64() * 1e6);
    let start = Instant::now();
    let triangles: usize = result.objects.iter().map(|o| o.surface().triangles.len()).sum();
    println!(
        "  {:32} {:9.1}           ({triangles} triangles, on demand)",
        "surfaces of all fragments",
        start.elapsed().as_secs_f64() * 1e6
    );
}

/// Pairs of fragments, where they were made, whose boxes are nearer than the margin.
fn near_pairs(pieces: &[Object]) -> Vec<(usize, usize)> {
    let margin = 0.002 * pieces[0].asset().radius();
    let near = |i: usize, j: usize| {
        let (a, b) = (pieces[i].bounds(), pieces[j].bounds());
        ((a.centre() - b.centre()).abs() - (a.size() + b.size()) * 0.5).max() <= margin
    };
    (0..pieces.len()).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|(i, j)| near(*i, *j)).collect()
}

fn pass(pieces: &[Object], pairs: &[(usize, usize)], out: &mut Vec<Contact>) -> Duration {
    let start = Instant::now();
    let (pose, options) = (Pose::identity(), QueryOptions::default());
    out.clear();
    for &(i, j) in pairs {
        query_pair(&pieces[i], &pose, &pieces[j], &pose, &options, out).unwrap();
    }
    start.elapsed()
}

fn ready(name: &str, object: &impl Deref<Target = Object>, pattern: &Pattern) {
    let Some(repetitions) = asked(name) else { return };
    let object: &Object = object;
    let mut times: [Vec<Duration>; 4] = Default::default();
    let mut out = vec![];
    for _ in 0..repetitions {
        let start = Instant::now();
        let outcome = fracture(object, pattern, &FractureOptions::default()).unwrap();
        let event = start.elapsed();
        let pieces = outcome.broken().unwrap().objects;
        let pairs = near_pairs(&pieces);
        let first = pass(&pieces, &pairs, &mut out);
        let again = pass(&pieces, &pairs, &mut out);
        times.iter_mut().zip([event, first, event + first, again]).for_each(|(list, time)| list.push(time));
    }
    println!("\n{name}: ready");
    println!("  {:32} {:>9} {:>9}", "", "min us", "median us");
    for (step, list) in ["event", "first pass", "both", "the same pass again"].into_iter().zip(times) {
        let (min, median) = micros(list);
        println!("  {step:32} {min:9.1} {median:9.1}");
    }
}

fn main() {
    // Made when they are asked for.
    let ball = LazyCell::new(|| scenes::intact(shapes::ball(0.1, 16)));
    let pattern = Pattern::random_voronoi(27, 1);
    let rabbit = LazyCell::new(|| scenes::intact(shapes::preset::rabbit()));
    report("rabbit, 27 cells", &rabbit, &pattern);
    ready("rabbit, 27 cells", &rabbit, &pattern);
    ready("rabbit, 27 rough cells", &rabbit, &pattern.clone().rough(scenes::ROUGH));
    let default = LazyCell::new(|| {
        let filled = Skin::of(&shapes::preset::rabbit()).fill(&FillOptions::default()).unwrap();
        scenes::intact(filled.solid)
    });
    report("rabbit as filled by default, 27 cells", &default, &pattern);
    ready("rabbit as filled by default, 27 cells", &default, &pattern);
    report("ball, 27 cells", &ball, &pattern);
    report("ball, 27 rough cells", &ball, &pattern.clone().rough(scenes::ROUGH));
    for count in [27, 166] {
        if let (Some(solid), Some(seeds)) = (data::mesh("bunny"), data::seeds(count)) {
            let name = format!("bunny, {count} cells of the truth");
            report(&name, &LazyCell::new(|| scenes::intact(solid)), &Pattern::voronoi(seeds));
        } else {
            data::skipped("the bunny");
        }
    }
    if asked("growth").is_none() {
        return;
    }
    println!("\ngrowth: balls in 27 cells");
    let mut last: Option<(f64, f64)> = None;
    for cells in [8, 16, 32, 64, 96] {
        let object = scenes::intact(shapes::ball(0.1, cells));
        let (timings, _) = measure(&object, &pattern, &FractureOptions::default(), 20_000 / (cells * cells) + 3, || ());
        let (min, _) = micros(timings.total);
        let nodes = object.nodes().len() as f64;
        let exponent =
            last.map_or(String::new(), |(n, t)| format!("exponent {:.2}", (min / t).ln() / (nodes / n).ln()));
        println!("  {nodes:9} nodes {min:10.1} us {:6.1} ns a node  {exponent}", min * 1e3 / nodes);
        last = Some((nodes, min));
    }
}
