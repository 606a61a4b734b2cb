//! Sphere trees: `cargo bench --bench tree`. Minimum and median over repetitions, one core.
//!
//! Scenes: balls of growing size, their order and tree, and the split of that tree into 27 random Voronoi cells, with the
//! points on the new cracks and without; then the largest fragment once more.

#[path = "../tests/common/mod.rs"]
mod common;

use common::scenes;
use fracas::geom::NONE;
use fracas::tree::{NewPoint, SphereForest, SphereTree, max_distance_order, split};
use fracas::{FractureOptions, Object, Pattern, fracture, shapes};
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

/// Splits the tree of an object as its fracture demands; returns the largest fragment and its tree.
fn shatter(object: &Object, tree: SphereTree, repetitions: usize) -> (Object, SphereForest, u32) {
    let pattern = Pattern::random_voronoi(27, 1);
    let objects = fracture(object, &pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects;
    let nodes = object.asset().solid().nodes().len() as u32;
    let mut fragment_of = vec![NONE; (nodes + objects[0].made_by().next_id) as usize];
    let mut added = vec![];
    for (fragment, number) in objects.iter().zip(0..) {
        fragment.nodes().iter().for_each(|n| fragment_of[*n as usize] = number);
        for p in fragment.crack_points() {
            fragment_of[(nodes + p.id) as usize] = number;
            if p.id >= object.made_by().next_id {
                added.push(NewPoint { at: p.at, point: nodes + p.id, parent: p.node });
            }
        }
    }
    let count = objects.len() as u32;
    let run = |added: &[NewPoint]| split(tree, |p| fragment_of[p as usize], count, added);
    println!("  {} tree nodes, {count} fragments, {} new points", tree.nodes.len(), added.len());
    report("split", repetitions, || run(&[]));
    report("split with new points", repetitions, || run(&added));
    let forest = run(&added);
    let largest = (0..count).max_by_key(|k| objects[*k as usize].nodes().len()).unwrap();
    println!("  {} tree nodes after it, {:.0} KB", forest.nodes().len(), forest.bytes() as f64 / 1e3);
    (objects[largest as usize].clone(), forest, largest)
}

fn main() {
    for (cells, repetitions) in [(8, 200), (16, 200), (46, 5)] {
        let object = scenes::intact(shapes::ball(0.1, cells));
        let positions = object.asset().solid().nodes();
        println!("\nball, {cells} cells across: {} points {:>29} {:>10}", positions.len(), "min us", "median us");
        report("order", repetitions.min(20), || max_distance_order(positions));
        report("order and tree", repetitions.min(20), || SphereForest::build(positions, [object.nodes()]));
        let forest = SphereForest::build(positions, [object.nodes()]);
        let (fragment, forest, number) = shatter(&object, forest.tree(0), repetitions);
        if fragment.nodes().len() > 27 {
            println!("  its largest fragment again: {} nodes", fragment.nodes().len());
            shatter(&fragment, forest.tree(number), repetitions);
        }
    }
}
