//! The table on the screen, and the figures for other programs: `out/bench.json`.

use crate::accuracy::{Accuracy, PUSHES};
use crate::common::stage::Moment;
use crate::curves::Curves;
use crate::frames::{FrameKind, SHARES};
use crate::goals::{Goal, Topic};
use crate::library;
use crate::page;
use crate::plot::Plot;
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

/// The deepest contact of touching pairs just after the fracture, on average and at most, in percent of the radius.
pub fn at_rest(accuracy: &Accuracy) -> [f64; 2] {
    let just = &accuracy.frames[Moment::JustFractured as usize];
    [just.touching_depth / just.touching.max(1) as f64 * 100.0, just.touching_deepest * 100.0]
}

/// On whose fragments peers were measured.
pub fn peers_had(scene: &Scene) -> String {
    let Scene { source, peer_triangles, triangles, kept, left_out, .. } = scene;
    let mut told = format!("peers: {}; {peer_triangles} triangles, our surfaces have {triangles}", source.describe());
    if kept + left_out > 0 {
        told += &format!(
            " ({kept} of our fragments have no counterpart and keep our surface, {left_out} others are left out)"
        );
    }
    told
}

/// Prints what all did on a stage.
pub fn print(scene: &Scene) {
    let pairs = Moment::ALL.map(|moment| format!("{:.0}", scene.pairs[moment as usize])).join(" / ");
    println!("\n{}: {} fragments, {pairs} near pairs; least times in ms", scene.name, scene.pieces);
    println!("  {}", peers_had(scene));
    let heads = ["prepare", "first", "ready", "just", "settling", "rubble", "separated", "contacts"];
    println!("  {:28}{}", "", heads.map(|head| format!(" {head:>9}")).concat());
    for row in &scene.rows {
        let ready =
            [&row.ready.prepare, &row.ready.first, &row.ready.both].map(|times| format!(" {:9.2}", times.least()));
        let times = Moment::ALL.map(|moment| format!(" {:9.3}", row.passes[moment as usize].least));
        let contacts = row.passes[Moment::Settling as usize].contacts;
        println!("  {:28}{}{} {contacts:9.0}", row.name, ready.concat(), times.concat());
    }
    println!(
        "  contacts: per settling frame; not counted: our surfaces {:.1} ms, cooking {:.0} ms",
        scene.surfaces, scene.cooking
    );
    print_just_apart(scene);
    print_accuracy(scene);
}

fn print_just_apart(scene: &Scene) {
    let shares = || SHARES.map(|share| format!(" {:>7}", format!("{} %", share * 100.0))).concat();
    println!(
        "  just apart, ms               expanded{} moved{}  slowest / settling  missed / phantom",
        shares(),
        shares()
    );
    for row in &scene.rows {
        let time = |kind: FrameKind| format!(" {:7.3}", row.passes[kind.index()].least);
        let expanded: String = (0..SHARES.len()).map(|k| time(FrameKind::Expanded(k))).collect();
        let moved: String = (0..SHARES.len()).map(|k| time(FrameKind::Moved(k))).collect();
        let found = scene.judged(row).just_apart();
        println!(
            "  {:28}         {expanded}      {moved} {:19.2}  {:>16}",
            row.name,
            row.slowest_apart().0,
            format!("{}/{} {}/{}", found.missed, found.overlaps, found.phantoms, found.clear)
        );
    }
}

fn print_accuracy(scene: &Scene) {
    let heads = ["missed", "phantom", "at rest, %", "pushed, %"];
    let heads = heads.map(|head| format!(" {head:>13}")).concat();
    println!(
        "  {:28} {:56} surfaces that peers had ({})",
        "accuracy by",
        "our exported surfaces",
        scene.source.short()
    );
    println!("  {:28}{heads}{heads}", "");
    for row in &scene.rows {
        let cells = row.accuracy.each_ref().map(|accuracy| {
            let (found, [mean, most], half) = (accuracy.moments(), at_rest(accuracy), &accuracy.pushes[1]);
            [
                format!("{}/{}", found.missed, found.overlaps),
                format!("{}/{}", found.phantoms, found.clear),
                format!("{mean:.2}/{most:.2}"),
                format!("{:.3}/{:.3}", half.mean() * 100.0, half.nearly_worst() * 100.0),
            ]
        });
        println!("  {:28}{}", row.name, cells.concat().iter().map(|cell| format!(" {cell:>13}")).collect::<String>());
    }
    let ours = scene.rows[0].accuracy[0].moments();
    println!(
        "  missed: of overlapping pairs (of ours {} have contacts of depth 0 only; {} more pairs only edges could tell); phantom: of \
         clear pairs;\n  at rest: deepest depth just after the fracture, mean/most; pushed by 0.5 %: depth error, mean/99 of 100",
        ours.flat, ours.edges_only
    );
}

/// Prints a study.
pub fn print_study(study: &Study) {
    println!("\n{}", study.title);
    let wide = |column: &&str| column.chars().count().max(9) + 1;
    let columns: String = study.columns.iter().map(|column| format!(" {column:>0$}", wide(column))).collect();
    println!("  {:46}{columns}", "");
    for (name, row) in &study.rows {
        let cells = row.iter().zip(&study.columns);
        let cells: String = cells.map(|(value, column)| format!(" {:>1$}", cell(*value), wide(column))).collect();
        println!("  {name:46}{cells}");
    }
    study.notes.iter().for_each(|note| println!("  {note}"));
}

/// A number with as many digits as it deserves.
pub fn cell(value: f64) -> String {
    match value {
        value if value.is_nan() => "-".into(),
        value if value != 0.0 && value.abs() < 1e-3 => format!("{value:.1e}"),
        value if value.abs() >= 1e3 || value.fract() == 0.0 => format!("{value:.0}"),
        value => format!("{value:.3}"),
    }
}

/// Prints what must be shown.
pub fn print_goals(goals: &[Goal]) {
    println!("\nmust show");
    for goal in goals {
        let Goal { what, reached, wanted, unit, .. } = goal;
        let (reached, sign, verdict) = (cell(*reached), goal.sign(), goal.verdict());
        println!("  {what:64} {reached:>9} {sign} {wanted:<5} {unit:16} {verdict}");
    }
    println!("\nin short");
    for topic in Topic::ALL {
        let told = match topic.summary(goals) {
            None => "not measured".into(),
            Some((_, count, None)) => format!("met: {count} of {count}"),
            Some((met, count, Some(worst))) => {
                format!("{met} of {count} met; worst: {}: {}", worst.what, worst.verdict())
            }
        };
        println!("  {:90} {told}", topic.name());
    }
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
    json!({
        "title": study.title, "columns": study.columns, "rows": rows.collect::<Vec<_>>(), "notes": study.notes,
        "frames": study.plots.iter().map(Plot::json).collect::<Vec<_>>(),
        "curves": study.curves.iter().map(Curves::json).collect::<Vec<_>>(),
    })
}

fn goal(goal: &Goal) -> Value {
    json!({
        "topic": format!("{:?}", goal.topic), "what": goal.what, "reached": goal.reached, "wanted": goal.wanted, "unit": goal.unit,
        "met": goal.met(), "verdict": goal.verdict(),
    })
}

fn accuracy(accuracy: &Accuracy) -> Value {
    let frames = FrameKind::all().zip(&accuracy.frames).map(|(kind, m)| {
        json!({
            "frame": kind.name(), "overlapping": m.overlaps, "missed": m.missed, "flat": m.flat, "edges_only": m.edges_only,
            "edges_missed": m.edges_missed, "clear": m.clear, "phantoms": m.phantoms, "touching": m.touching,
            "touching_depth_mean": m.touching_depth / m.touching.max(1) as f64, "touching_depth_most": m.touching_deepest,
        })
    });
    let pushes = accuracy.pushes.iter().zip(PUSHES).map(|(push, share)| {
        json!({
            "by": share, "pairs": push.pairs, "missed": push.missed, "contacts": push.errors.len(),
            "error_mean": push.mean(), "error_99": push.nearly_worst(),
        })
    });
    json!({ "frames": frames.collect::<Vec<_>>(), "pushes": pushes.collect::<Vec<_>>() })
}

fn scene(scene: &Scene) -> Value {
    let rows = scene.rows.iter().map(|row| {
        let frames = FrameKind::all().zip(&row.passes).map(|(kind, passes)| {
            let Passes { least, median, slowest, contacts } = passes;
            json!({
                "frame": kind.name(), "least_ms": least, "median_ms": median, "slowest_ms": slowest, "contacts": contacts,
            })
        });
        let [by_ours, by_peers] = row.accuracy.each_ref().map(accuracy);
        json!({
            "library": row.name, "kind": format!("{:?}", row.kind),
            "ready": { "prepare": times(&row.ready.prepare), "first": times(&row.ready.first), "both": times(&row.ready.both) },
            "frames": frames.collect::<Vec<_>>(), "slowest_just_apart_against_settling": row.slowest_apart().0,
            "accuracy_by_our_surfaces": by_ours, "accuracy_by_peers_surfaces": by_peers,
        })
    });
    json!({
        "name": scene.name, "fragments": scene.pieces, "our_triangles": scene.triangles, "radius": scene.radius,
        "peers_surfaces": scene.source.describe(), "peers_triangles": scene.peer_triangles, "peers_surfaces_kept_from_ours": scene.kept,
        "peers_surfaces_left_out": scene.left_out, "our_surfaces_ms": scene.surfaces, "our_cooking_ms": scene.cooking,
        "near_pairs": scene.pairs, "libraries": rows.collect::<Vec<_>>(),
    })
}
