//! Saving and loading against cooking: `cargo bench --bench store`. Minimum and median over repetitions, one core.
//!
//! Scenes: our own shapes, and the meshes of the data folder, if there; assets by themselves, and the fragments of a break
//! into 27 cells.

#[path = "../tests/common/mod.rs"]
mod common;

use common::data;
use common::pairs::broken;
use fracas::{Asset, CookOptions, Object, Pattern, Solid, load_objects, save_objects, shapes};
use std::hint::black_box;
use std::time::Instant;

/// Minimum and median of the milliseconds that `work` takes.
fn milliseconds<T>(repetitions: usize, mut work: impl FnMut() -> T) -> (f64, f64) {
    let mut list: Vec<f64> = (0..repetitions)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    list.sort_unstable_by(f64::total_cmp);
    (list[0], list[list.len() / 2])
}

fn line(what: &str, (min, median): (f64, f64)) {
    println!("  {what:30} {min:10.3} {median:10.3} ms");
}

fn report(name: &str, solid: &Solid, sphere_trees: bool) {
    let options = CookOptions { sphere_trees, ..Default::default() };
    let with = if sphere_trees { ", sphere trees" } else { "" };
    println!("\n{name}{with}: {} nodes, {} tets            min     median", solid.nodes().len(), solid.tets().len());
    let cook = milliseconds(5, || Asset::cook(solid.clone(), &options).unwrap());
    let asset = Asset::cook(solid.clone(), &options).unwrap();
    let bytes = asset.save();
    let load = milliseconds(31, || Asset::load(&bytes).unwrap());
    line("cook", cook);
    line("save", milliseconds(31, || asset.save()));
    line("load", load);
    println!("  {} bytes; loading is {:.1} times faster than cooking", bytes.len(), cook.1 / load.1);

    let pattern = Pattern::random_voronoi(27, 1);
    let pieces = broken(&Object::intact(&asset)[0], &pattern);
    let bytes = save_objects(&pieces).unwrap();
    line("fracture into 27 cells", milliseconds(11, || broken(&Object::intact(&asset)[0], &pattern)));
    line("save all fragments", milliseconds(31, || save_objects(&pieces).unwrap()));
    line("load all fragments", milliseconds(31, || load_objects(&bytes, &asset).unwrap()));
    let one = save_objects(&pieces[..1]).unwrap();
    println!("  {} fragments: {} bytes; one of them: {} bytes", pieces.len(), bytes.len(), one.len());
}

fn main() {
    report("ball, 16 cells across", &shapes::ball(0.1, 16), false);
    report("ball, 16 cells across", &shapes::ball(0.1, 16), true);
    report("ball, 8 cells across", &shapes::ball(0.1, 8), false);
    report("brick", &shapes::brick(2), false);
    report("plate", &shapes::plate(0.13, 0.006, 16), false);
    let meshes = ["bunny", "brick"].map(|name| (name, data::mesh(name)));
    if meshes.iter().all(|(_, mesh)| mesh.is_none()) {
        data::skipped("the meshes");
    }
    meshes.iter().for_each(|(name, mesh)| mesh.iter().for_each(|solid| report(name, solid, false)));
}
