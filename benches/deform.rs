//! Deforming and fracturing meshes (FASTCD 6): `cargo bench --bench deform [-- name [frames [variant [discrete|continuous]]]]`. One thread
//! unless said otherwise.

#[path = "../tests/common/mod.rs"]
mod common;

#[path = "peers/src/deform/play.rs"]
#[allow(dead_code)] // the rest is for the peers
mod play;

use common::dynamic;
use common::sequences::{self, Change, Frame, Mesh, Sequence};
use fracas::deform::{ConeCulling, Construction, Restructuring, SceneOptions, TraversalStats};
use fracas::{Point, Tasks};
use play::{Kind, Orders, Player, Times};
use std::sync::LazyLock;
use std::time::Instant;

/// Milliseconds.
fn clock() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64() * 1e3
}

fn run(sequence: &mut dyn Sequence, options: SceneOptions, kind: Kind, tasks: &Tasks, frames: usize) -> Vec<Times> {
    let mut player = Player::new(options, kind, tasks, clock);
    let mut times = vec![];
    while let Some(frame) = sequence.next().filter(|_| times.len() < frames) {
        times.push(player.step(Orders::from(frame)));
    }
    times
}

fn mean(list: impl Iterator<Item = f64>) -> f64 {
    let list: Vec<f64> = list.collect();
    list.iter().sum::<f64>() / list.len().max(1) as f64
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list[list.len() / 2]
}

fn print(label: &str, times: &[Times]) {
    let later = &times[1..];
    let all = mean(later.iter().map(Times::all));
    let worst = later.iter().map(Times::all).fold(0.0, f64::max);
    let events = (1..times.len()).filter(|k| times[*k].is_event && k + 3 < times.len());
    let ratio = mean(events.map(|k| times[k].all() / median(times[k + 1..k + 4].iter().map(Times::all).collect())));
    let event = |of: fn(&Times) -> f64| mean(later.iter().filter(|t| t.is_event).map(of));
    let share =
        |of: fn(&Times) -> f64| 100.0 * later.iter().map(of).sum::<f64>() / later.iter().map(Times::all).sum::<f64>();
    let sum = |of: fn(&TraversalStats) -> u64| later.iter().map(|t| of(&t.stats)).sum::<u64>() / later.len() as u64;
    println!(
        "  {label:32} {all:7.2} ms (worst {worst:7.2}), event / next {ratio:4.2} ({:.1} + {:.1} + {:.1}), shares {:2.0} / {:2.0} / {:2.0} %, found {}, tests {} nodes {} contours {} culled {} candidates {} elementary",
        event(|t| t.mesh),
        event(|t| t.update),
        event(|t| t.query),
        share(|t| t.mesh),
        share(|t| t.update),
        share(|t| t.query),
        sum(|s| s.found),
        sum(|s| s.node_tests),
        sum(|s| s.contour_tests),
        sum(|s| s.culled_nodes),
        sum(|s| s.candidates),
        sum(|s| s.elementary_tests),
    );
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let wanted = args.first().cloned().unwrap_or_default();
    let frames = args.get(1).map_or(usize::MAX, |f| f.parse().unwrap());
    let tasks = Tasks::inline();
    let wanted_variant = args.get(2).cloned().unwrap_or_default();
    let kinds: Vec<Kind> = Kind::ALL
        .into_iter()
        .filter(|kind| args.get(3).is_none_or(|wanted| kind.name().starts_with(wanted.as_str())))
        .collect();
    let variants: Vec<(&str, SceneOptions)> = {
        let base = SceneOptions::default();
        [
            ("default", base),
            ("cones off", SceneOptions { culling: ConeCulling::Off, ..base }),
            ("cones fast", SceneOptions { culling: ConeCulling::Fast, ..base }),
            ("dual cones, contour", SceneOptions { culling: ConeCulling::DualContour, ..base }),
            ("refit only", SceneOptions { restructuring: Restructuring::Off, ..base }),
            (
                "median, volume ratio",
                SceneOptions {
                    construction: Construction::Median,
                    restructuring: Restructuring::VolumeRatio { ratio: 1.8, share: 0.25 },
                    ..base
                },
            ),
            (
                "Morton every frame",
                SceneOptions { construction: Construction::Morton, restructuring: Restructuring::Always, ..base },
            ),
            ("grid every frame", SceneOptions { restructuring: Restructuring::Always, ..base }),
        ]
        .into_iter()
        .filter(|(label, _)| label.starts_with(&wanted_variant))
        .collect()
    };
    for name in dynamic::NAMES {
        if !name.starts_with(&wanted) {
            continue;
        }
        let Some(data) = dynamic::frames(name) else { continue };
        println!("{name}: {} triangles", data.triangles.len());
        for (label, options) in variants.iter().take(4) {
            for kind in kinds.clone() {
                let mut two = TwoFrames { data: &data, frame: 0 };
                let times = run(&mut two, *options, kind, &tasks, 8);
                // Every other frame: from the first frame of the data to the second.
                let best = times.iter().skip(1).step_by(2).min_by(|a, b| a.all().total_cmp(&b.all())).unwrap();
                println!(
                    "  {label:14} {:10}: update {:6.1} ms, query {:6.1} ms, {} found, {:?}",
                    kind.name(),
                    best.update,
                    best.query,
                    best.stats.found,
                    best.stats
                );
            }
        }
    }
    for name in sequences::NAMES {
        if !name.starts_with(&wanted) {
            continue;
        }
        println!("{name}");
        let make = || sequences::named(name, 1.0);
        for kind in kinds.clone() {
            println!("  {}", kind.name());
            for (label, options) in &variants {
                print(label, &run(&mut *make(), *options, kind, &tasks, frames));
            }
        }
    }
}

/// The two frames of the data folder, to and fro.
struct TwoFrames<'a> {
    data: &'a dynamic::Frames,
    frame: usize,
}

impl Sequence for TwoFrames<'_> {
    fn name(&self) -> &'static str {
        "two frames"
    }

    fn frames(&self) -> usize {
        8
    }

    fn next(&mut self) -> Option<Frame> {
        let raw = |points: &[Point]| points.iter().map(|p| [p.x, p.y, p.z]).collect::<Vec<[f64; 3]>>();
        self.frame += 1;
        if self.frame == 1 {
            let mesh = Mesh { positions: raw(&self.data.start), triangles: self.data.triangles.clone() };
            return Some(Frame { changes: vec![Change::Add { mesh }], moves: vec![] });
        }
        let to = if self.frame.is_multiple_of(2) { &self.data.end } else { &self.data.start };
        Some(Frame { changes: vec![], moves: vec![(0, raw(to))] })
    }
}
