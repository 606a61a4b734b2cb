//! From a surface to tetrahedra and to a cooked asset: `cargo bench --bench fill`. Best of some repetitions, on one and on two
//! threads, with the memory that was taken at most; the aims are 2 s for a surface of the size of the paper's bunny, and 20 s
//! for one of 100,000 triangles.

#[path = "../tests/common/mod.rs"]
mod common;

use common::surfaces::{Skin, bumpy_ball};
use fracas::solid::fill::FillOptions;
use fracas::{Asset, CookOptions, Tasks, shapes};
use std::time::Instant;

/// The most memory that this program has taken, in megabytes; nothing where the system does not tell.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn report(name: &str, skin: &Skin, tets: usize, repetitions: usize, aim: f64) {
    println!("\n{name}: {} triangles, {tets} tetrahedra asked for (aim {aim} s on two threads)", skin.triangles.len());
    for threads in [1, 2] {
        let tasks = Tasks::pool(threads).unwrap();
        let mut best = [f64::INFINITY; 2];
        let mut made = String::new();
        for _ in 0..repetitions {
            let start = Instant::now();
            let filled = skin.fill(&FillOptions { tets, tasks: tasks.clone(), ..Default::default() }).unwrap();
            let filling = start.elapsed().as_secs_f64();
            let (solid, remarks) = (filled.solid, filled.remarks);
            made = format!("{} tetrahedra, {} triangles {remarks:?}", solid.tets().len(), solid.skin().len());
            Asset::cook(solid, &CookOptions { tasks: tasks.clone(), ..Default::default() }).unwrap();
            let whole = start.elapsed().as_secs_f64();
            best = [best[0].min(filling), best[1].min(whole)];
        }
        let memory = peak_memory().map_or("unknown".into(), |m| format!("{m:.0} MB"));
        println!(
            "  {threads} threads: filled in {:.2} s, with cooking {:.2} s; at most {memory} of memory so far; {made}",
            best[0], best[1]
        );
    }
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
    report("rabbit", &Skin::of(&shapes::preset::rabbit()), 19_000, 5, 2.0);
    match Skin::obj("bunny") {
        Some(skin) => report("bunny", &skin, 19_000, 5, 2.0),
        None => println!("\nskipped: the bunny of the data folder, which is not here"),
    }
    report("bumpy ball", &divided(&bumpy_ball(46)), 100_000, 2, 20.0);
}
