//! From a surface to tetrahedra and to a cooked asset: `cargo bench --bench fill`. Best of some repetitions, on one and on two
//! threads, with the memory that filling takes at most (all of the program, the surface included); the aims are 2 s for a
//! surface of the size of the paper's bunny, 20 s for 100,000 tetrahedra from 100,000 triangles, and 15 s and 300 MB for
//! filling that surface at its own resolution. A word picks rows: `cargo bench --bench fill -- resolution`.

#[path = "../tests/common/mod.rs"]
mod common;

use common::surfaces::{Skin, bumpy_ball};
use fracas::solid::fill::FillOptions;
use fracas::{Asset, CookOptions, Point, Tasks, shapes};
use std::time::Instant;

/// The most memory that this program has taken since it was last forgotten, in megabytes; nothing where the system does not
/// tell.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// Forgets the peak. Where the system cannot, peaks are those of the whole run.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Fills and cooks with these options.
fn report(name: &str, skin: &Skin, options: &FillOptions, repetitions: usize, aim: &str) {
    if std::env::args().skip(1).any(|word| !word.starts_with("--") && !name.contains(&word)) {
        return;
    }
    let asked = match options.edge {
        0.0 => format!("{} tetrahedra", options.tets),
        edge => format!("edges of {edge:.4} m"),
    };
    println!("\n{name}: {} triangles, {asked} asked for (aim {aim} on two threads)", skin.triangles.len());
    for threads in [1, 2] {
        let tasks = Tasks::pool(threads).unwrap();
        let mut best = [f64::INFINITY; 2];
        let mut made = String::new();
        let mut most: Option<f64> = None;
        for _ in 0..repetitions {
            forget_peak();
            let start = Instant::now();
            let filled = skin.fill(&FillOptions { tasks: tasks.clone(), ..options.clone() }).unwrap();
            let filling = start.elapsed().as_secs_f64();
            most = peak_memory().map(|now| most.map_or(now, |most| most.max(now)));
            let (solid, remarks) = (filled.solid, filled.remarks);
            made = format!("{} tetrahedra, {} triangles {remarks:?}", solid.tets().len(), solid.skin().len());
            Asset::cook(solid, &CookOptions { tasks: tasks.clone(), ..Default::default() }).unwrap();
            let whole = start.elapsed().as_secs_f64();
            best = [best[0].min(filling), best[1].min(whole)];
        }
        let memory = most.map_or("unknown".into(), |m| format!("{m:.0} MB"));
        println!(
            "  {threads} threads: filled in {:.2} s with at most {memory}, with cooking {:.2} s; {made}",
            best[0], best[1]
        );
    }
}

/// The mean length of the sides of a surface's triangles.
fn mean_edge(skin: &Skin) -> f64 {
    let at = |i: u32| Point::from(skin.points[i as usize]);
    let around = |&[a, b, c]: &[u32; 3]| (at(a) - at(b)).norm() + (at(b) - at(c)).norm() + (at(c) - at(a)).norm();
    skin.triangles.iter().map(around).sum::<f64>() / (3 * skin.triangles.len()) as f64
}

/// Every triangle in four. Middles of sides are listed by both neighbours, as in files that know no shared points.
fn divided(skin: &Skin) -> Skin {
    let mut fine = Skin { points: skin.points.clone(), triangles: vec![] };
    for &[a, b, c] in &skin.triangles {
        let first = fine.points.len() as u32;
        for [p, q] in [[a, b], [b, c], [c, a]].map(|side| side.map(|i| skin.points[i as usize])) {
            fine.points.push([0, 1, 2].map(|k| 0.5 * (p[k] + q[k])));
        }
        let [ab, bc, ca] = [first, first + 1, first + 2];
        fine.triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    fine
}

fn main() {
    let tets = |tets: usize| FillOptions { tets, ..Default::default() };
    report("rabbit", &Skin::of(&shapes::preset::rabbit()), &tets(19_000), 5, "2 s");
    match Skin::obj("bunny") {
        Some(skin) => report("bunny", &skin, &tets(19_000), 5, "2 s"),
        None => println!("\nskipped: the bunny of the data folder, which is not here"),
    }
    let skin = divided(&bumpy_ball(46));
    report("bumpy ball", &skin, &tets(100_000), 2, "20 s");
    let edges = FillOptions { edge: mean_edge(&skin), ..Default::default() };
    report("bumpy ball at its resolution", &skin, &edges, 1, "15 s and 300 MB");
}
