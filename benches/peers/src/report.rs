//! The table on the screen, and the figures for other programs: `out/bench.json`.

use crate::accuracy::{Accuracy, PUSHES};
use crate::common::stage::Moment;
use crate::goals::Goal;
use crate::library;
use crate::page;
use crate::studies::Study;
use crate::timing::{Passes, Scene, Times};
use serde_json::{Value, json};
use std::fs;

/// What it runs on.
pub fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let cores = text.lines().filter(|line| line.starts_with("processor")).count();
    let versions: Vec<String> = library::versions().iter().map(|(name, version)| format!("{name} {version}")).collect();
    format!("{}, {cores} cores; {}", model.unwrap_or("unknown processor"), versions.join(", "))
}

/// Counts of pairs over all moments: missed of overlapping, phantom of clear, and those that only edges could tell.
pub fn pairs(accuracy: &Accuracy) -> [usize; 6] {
    accuracy.moments.iter().fold([0; 6], |sum, m| {
        let own = [m.missed, m.overlaps, m.phantoms, m.clear, m.edges_missed, m.edges_only];
        std::array::from_fn(|k| sum[k] + own[k])
    })
}

/// The deepest contact of touching pairs just after the fracture, on average and at most, in percent of the radius.
pub fn at_rest(accuracy: &Accuracy) -> [f64; 2] {
    let just = &accuracy.moments[Moment::JustFractured as usize];
    [just.touching_depth / just.touching.max(1) as f64 * 100.0, just.touching_deepest * 100.0]
}

/// Prints what all did on a stage.
pub fn print(scene: &Scene) {
    let pairs_by_moment = scene.pairs.map(|pairs| format!("{pairs:.0}")).join(" / ");
    println!(
        "\n{}: {} fragments, {} triangles, {pairs_by_moment} near pairs; least times in ms",
        scene.name, scene.pieces, scene.triangles
    );
    println!(
        "  {:28} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>8} {:>11} {:>11} {:>13} {:>13}",
        "",
        "prepare",
        "first",
        "ready",
        "just",
        "settling",
        "rubble",
        "separated",
        "contacts",
        "missed",
        "phantom",
        "at rest, %",
        "pushed, %"
    );
    for row in &scene.rows {
        let [missed, overlaps, phantoms, clear, ..] = pairs(&row.accuracy);
        let [mean, most] = at_rest(&row.accuracy);
        let half = &row.accuracy.pushes[1];
        let times = row.passes.map(|passes| format!("{:9.3}", passes.least)).join(" ");
        println!(
            "  {:28} {:8.2} {:8.2} {:8.2} {times} {:8.0} {:>11} {:>11} {:>13} {:>13}",
            row.name,
            row.ready.prepare.least(),
            row.ready.first.least(),
            row.ready.both.least(),
            row.passes[Moment::Settling as usize].contacts,
            format!("{missed}/{overlaps}"),
            format!("{phantoms}/{clear}"),
            format!("{mean:.2}/{most:.2}"),
            format!("{:.3}/{:.3}", half.mean() * 100.0, half.nearly_worst() * 100.0),
        );
    }
    println!(
        "  contacts: a settling frame; missed: of overlapping pairs (of ours {} have contacts of depth 0 only; {} more pairs only \
         edges could tell); phantom: of clear pairs;\n  \
         at rest: deepest depth just after the fracture, mean/most; pushed by 0.5 %: depth error, mean/99 of 100; not \
         counted: our surfaces {:.1} ms, cooking {:.0} ms",
        scene.rows[0].accuracy.moments.iter().map(|m| m.flat).sum::<usize>(),
        pairs(&scene.rows[0].accuracy)[5],
        scene.surfaces,
        scene.cooking
    );
}

/// Prints a study.
pub fn print_study(study: &Study) {
    println!("\n{}", study.title);
    let columns: String = study.columns.iter().map(|column| format!(" {column:>18}")).collect();
    println!("  {:46}{columns}", "");
    for (name, row) in &study.rows {
        let cells: String = row.iter().map(|value| format!(" {:>18}", cell(*value))).collect();
        println!("  {name:46}{cells}");
    }
}

/// A number with as many digits as it deserves.
pub fn cell(value: f64) -> String {
    match value {
        value if value.is_nan() => "-".into(),
        value if value.abs() >= 1e3 || value.fract() == 0.0 => format!("{value:.0}"),
        value => format!("{value:.3}"),
    }
}

/// Prints what must be shown.
pub fn print_goals(goals: &[Goal]) {
    println!("\nmust show");
    for goal in goals {
        println!(
            "  {:58} {:>8.3} {} {} {:16} {}",
            goal.what,
            goal.reached,
            goal.sign(),
            goal.wanted,
            goal.unit,
            goal.verdict()
        );
    }
    println!("{} of {} met", goals.iter().filter(|goal| goal.met()).count(), goals.len());
}

/// Writes the files below `out`.
pub fn write(scenes: &[Scene], studies: &[Study], goals: &[Goal], quick: bool) -> Result<(), String> {
    let figures = json!({
        "machine": machine(),
        "quick": quick,
        "scenes": scenes.iter().map(scene).collect::<Vec<_>>(),
        "studies": studies.iter().map(study).collect::<Vec<_>>(),
        "goals": goals.iter().map(goal).collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&figures).map_err(|why| why.to_string())?;
    let files = [("out/bench.json", text), ("out/bench.html", page::page(scenes, studies, goals, quick))];
    fs::create_dir_all("out").map_err(|why| format!("out cannot be made: {why}"))?;
    for (file, text) in files {
        fs::write(file, text).map_err(|why| format!("{file} cannot be written: {why}"))?;
    }
    println!("out/bench.html    open it in a browser; out/bench.json has every figure");
    Ok(())
}

fn times(times: &Times) -> Value {
    json!({ "least_ms": times.least(), "median_ms": times.median() })
}

fn study(study: &Study) -> Value {
    let rows = study.rows.iter().map(|(name, row)| json!({ "name": name, "values": row }));
    json!({ "title": study.title, "columns": study.columns, "rows": rows.collect::<Vec<_>>() })
}

fn goal(goal: &Goal) -> Value {
    json!({
        "what": goal.what, "reached": goal.reached, "wanted": goal.wanted, "unit": goal.unit,
        "met": goal.met(), "verdict": goal.verdict(),
    })
}

fn scene(scene: &Scene) -> Value {
    let rows = scene.rows.iter().map(|row| {
        let moments = Moment::ALL.into_iter().zip(&row.passes).zip(&row.accuracy.moments).map(|((moment, passes), m)| {
            let Passes { least, median, slowest, contacts } = passes;
            json!({
                "frame": moment.name(), "least_ms": least, "median_ms": median, "slowest_ms": slowest, "contacts": contacts,
                "overlapping": m.overlaps, "missed": m.missed, "flat": m.flat, "edges_only": m.edges_only, "edges_missed": m.edges_missed,
                "clear": m.clear, "phantoms": m.phantoms, "touching": m.touching,
                "touching_depth_mean": m.touching_depth / m.touching.max(1) as f64, "touching_depth_most": m.touching_deepest,
            })
        });
        let pushes = row.accuracy.pushes.iter().zip(PUSHES).map(|(push, share)| {
            json!({
                "by": share, "pairs": push.pairs, "missed": push.missed, "contacts": push.errors.len(),
                "error_mean": push.mean(), "error_99": push.nearly_worst(),
            })
        });
        json!({
            "library": row.name, "kind": format!("{:?}", row.kind),
            "ready": { "prepare": times(&row.ready.prepare), "first": times(&row.ready.first), "both": times(&row.ready.both) },
            "frames": moments.collect::<Vec<_>>(), "pushes": pushes.collect::<Vec<_>>(),
        })
    });
    json!({
        "name": scene.name, "fragments": scene.pieces, "triangles": scene.triangles, "radius": scene.radius,
        "our_surfaces_ms": scene.surfaces, "our_cooking_ms": scene.cooking, "near_pairs": scene.pairs, "libraries": rows.collect::<Vec<_>>(),
    })
}
