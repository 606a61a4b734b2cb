//! Sphere trees: `cargo bench --bench tree`. Minimum and median over repetitions, one core.
//!
//! Scenes: balls of growing size, their order and tree, and the split of that tree into 27 random Voronoi cells, with the
//! points on the new cracks and without, against building the trees of the fragments anew; then the largest fragment once
//! more. After that queries of settling fragments by the default structure, by split trees and by others, as in figures 15
//! and 17 of Glondu 2013.

#[path = "../tests/common/mod.rs"]
mod common;

use common::pairs::{broken, settled};
use common::trees::{Splitting, built, cooked};
use common::{data, scenes};
use fracas::contact::{Mode, QueryOptions, QueryStats, Traversal, query_pair, query_pair_by_trees};
use fracas::reference::tree::{NewPoint, SphereForest, max_distance_order, split, split_without_restructuring};
use fracas::{Object, Pattern, Solid, shapes};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn report<T>(name: &str, repetitions: usize, mut work: impl FnMut() -> T) {
    let mut times: Vec<Duration> = (0..repetitions)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let us = |d: Duration| d.as_secs_f64() * 1e6;
    println!("  {name:40} {:10.1} {:10.1}", us(times[0]), us(times[times.len() / 2]));
}

/// Splits the tree of an object as its fracture demands; returns the largest fragment.
fn shatter(object: &Object, repetitions: usize) -> Object {
    let fragments = broken(object, &Pattern::random_voronoi(27, 1));
    let Splitting { tree, fragment_of, fragments: count, added } = Splitting::new(object, &fragments);
    let run = |added: &[NewPoint]| split(tree, |p| fragment_of[p as usize], count, added);
    println!("  {} tree nodes, {count} fragments, {} new points", tree.nodes.len(), added.len());
    report("split", repetitions, || run(&[]));
    report("split with new points", repetitions, || run(&added));
    let anew = |interior: bool| fragments.iter().map(|f| built(f, interior).nodes().len()).sum::<usize>();
    report("trees of the fragments anew", repetitions.min(10), || anew(true));
    report("the same without interior points", repetitions.min(10), || anew(false));
    let forest = run(&added);
    println!("  {} tree nodes after it, {:.0} KB", forest.nodes().len(), forest.bytes() as f64 / 1e3);
    fragments.into_iter().max_by_key(|fragment| fragment.nodes().len()).unwrap()
}

/// Settling fragments, all pairs, by every structure. Best of 20 frames.
fn queries(name: &str, solid: Solid, pattern: &Pattern) {
    let object = cooked(solid);
    let pieces = broken(&object, pattern);
    let Splitting { tree, fragment_of, fragments, added } = Splitting::new(&object, &pieces);
    let unordered = split_without_restructuring(tree, |p| fragment_of[p as usize], fragments, &added);
    let [anew, surface] = [true, false].map(|interior| pieces.iter().map(|p| built(p, interior)).collect::<Vec<_>>());
    let parts = settled(pieces);
    let all = |run: &dyn Fn(usize, usize) -> QueryStats| {
        let mut sum = QueryStats::default();
        for i in 0..parts.len() {
            for j in 0..i {
                let stats = run(i, j);
                sum.spheres_visited += stats.spheres_visited;
                sum.points_tested += stats.points_tested;
                sum.evaluations += stats.evaluations;
                sum.found += stats.found;
            }
        }
        sum
    };
    for mode in [Mode::TargetThenDeeper, Mode::TargetThenDeep] {
        println!(
            "\n{name}, {} fragments settling, {mode:?}: {:>12} {:>8} {:>8} {:>8} {:>8}",
            parts.len(),
            "ms a frame",
            "spheres",
            "points",
            "evals",
            "contacts"
        );
        let options = QueryOptions { mode, ..Default::default() };
        let show = |label: &str, run: &dyn Fn(usize, usize) -> QueryStats| {
            let time = |_| {
                let start = Instant::now();
                black_box(all(run));
                start.elapsed()
            };
            let best = (0..20).map(time).min().unwrap();
            let QueryStats { spheres_visited, points_tested, evaluations, found, .. } = all(run);
            let ms = best.as_secs_f64() * 1e3;
            println!("  {label:54} {ms:8.2} {spheres_visited:8} {points_tested:8} {evaluations:8} {found:8}");
        };
        show("buckets, the default", &|i, j| {
            let ([(a, pa), (b, pb)], mut out) = ([&parts[i], &parts[j]], vec![]);
            query_pair(a, pa, b, pb, &options, &mut out).unwrap()
        });
        let tree = |kind: usize, k: usize| match kind {
            0 => parts[k].0.sphere_tree().unwrap(),
            1 => unordered.tree(k as u32),
            2 => anew[k].tree(0),
            _ => surface[k].tree(0),
        };
        for (label, kind, traversal) in [
            ("sphere trees, split", 0, Traversal::MaximumDistance),
            ("the same, breadth first", 0, Traversal::BreadthFirst),
            ("split without restructuring", 1, Traversal::MaximumDistance),
            ("the same, breadth first", 1, Traversal::BreadthFirst),
            ("built anew", 2, Traversal::MaximumDistance),
            ("built anew without interior points", 3, Traversal::MaximumDistance),
        ] {
            show(label, &|i, j| {
                let [a, b] = [i, j].map(|k| (&parts[k].0, &parts[k].1, tree(kind, k)));
                query_pair_by_trees(a, b, traversal, &options, &mut vec![]).unwrap()
            });
        }
    }
}

fn main() {
    for (cells, repetitions) in [(8, 200), (16, 200), (46, 5)] {
        let object = cooked(shapes::ball(0.1, cells));
        let positions = object.asset().solid().nodes();
        println!("\nball, {cells} cells across: {} points {:>29} {:>10}", positions.len(), "min us", "median us");
        report("order", repetitions.min(20), || max_distance_order(positions));
        report("order and tree", repetitions.min(20), || SphereForest::build(positions, [object.nodes()]));
        let fragment = shatter(&object, repetitions);
        if fragment.nodes().len() > 27 {
            println!("  its largest fragment again: {} nodes", fragment.nodes().len());
            shatter(&fragment, repetitions);
        }
    }
    let pattern = Pattern::random_voronoi(27, 1);
    queries("ball", shapes::ball(0.1, 16), &pattern);
    queries("ball, rough", shapes::ball(0.1, 16), &pattern.rough(scenes::ROUGH));
    match (data::mesh("piggybank"), data::mesh("bunny").zip(data::seeds(27))) {
        (Some(piggybank), Some((bunny, seeds))) => {
            queries("piggy bank", piggybank, &Pattern::random_voronoi(27, 1));
            queries("bunny", bunny, &Pattern::voronoi(seeds));
        }
        _ => data::skipped("the part on the paper's meshes"),
    }
}
