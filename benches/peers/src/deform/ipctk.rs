//! The IPC Toolkit (`ipctk` from PyPI): candidates by its LBVH, Tight-Inclusion for the largest step without collision. Runs as a script of
//! its own, on one thread; meshes go to it by files below `out/bench/deform`.

use super::play::Kind;
use super::scenes::{self, Listed};
use super::world::{Merged, World};
use crate::common::data;
use crate::goals::{Goal, Topic};
use crate::python::{self, number};
use crate::studies::Study;
use crate::timing::timed;
use fracas::Point;
use fracas::deform::ConeCulling;
use fracas::deform::ccd::{Ccd, CcdOptions};
use serde_json::Value;
use std::fs;
use std::path::Path;

const FOLDER: &str = "out/bench/deform";
const SCRIPT: &str = include_str!("ipctk_bench.py");

fn export(name: &str, merged: &Merged) -> std::io::Result<()> {
    python::write_points(&format!("{FOLDER}/{name}_start.npy"), &merged.start)?;
    python::write_points(&format!("{FOLDER}/{name}_end.npy"), &merged.end)?;
    python::write_triangles(&format!("{FOLDER}/{name}_triangles.npy"), &merged.triangles)
}

/// Runs the script on scenes and files of queries; one answer each, by name.
fn answers(scenes: &[&str], ccd: Option<&Path>, progress: &dyn Fn(&str)) -> Result<Vec<Value>, String> {
    let ccd = ccd.map_or("-".into(), Path::to_string_lossy);
    let words: Vec<&str> = [FOLDER, &ccd].into_iter().chain(scenes.iter().copied()).collect();
    python::answers("ipctk", SCRIPT, &words, progress)
}

/// Both studies: steps of scenes, and single queries.
pub fn studies(
    listed: &[Listed],
    sequences: &[(&'static str, &World)],
    quick: bool,
    progress: &dyn Fn(&str),
) -> Vec<Study> {
    let scenes: Vec<(&str, &World)> =
        listed.iter().map(|scene| (scene.name, &scene.world)).chain(sequences.iter().copied()).collect();
    let exported = fs::create_dir_all(FOLDER)
        .and_then(|()| scenes.iter().try_for_each(|(name, world)| export(name, &world.merged())));
    let ccd = data::file("ccd");
    let names: Vec<&str> = scenes.iter().map(|(name, _)| *name).collect();
    let asked = exported.map_err(|why| format!("{FOLDER} cannot be written: {why}"));
    let theirs = asked.and_then(|()| answers(&names, ccd.as_deref(), progress));
    let (theirs, missing) = match theirs {
        Ok(theirs) => (theirs, vec![]),
        Err(why) => (vec![], vec![why]),
    };
    let find = |name: &str| theirs.iter().find(|answer| answer["name"] == name);
    let mut list = vec![steps(&scenes, &find, &missing, quick, progress)];
    match ccd {
        Some(folder) => list.push(queries(&folder, &find, &missing)),
        None => list[0].notes.push("skipped: single queries, which are in the data folder (FRACAS_DATA)".into()),
    }
    list
}

fn steps<'a>(
    scenes: &[(&str, &World)],
    theirs: &dyn Fn(&str) -> Option<&'a Value>,
    missing: &[String],
    quick: bool,
    progress: &dyn Fn(&str),
) -> Study {
    let (mut rows, mut goals) = (vec![], vec![]);
    for (name, world) in scenes {
        progress(&format!("first impact, {name}"));
        let ours = scenes::step(world, ConeCulling::default(), Kind::Continuous, if quick { 1 } else { 3 });
        let answer = theirs(name);
        let (candidates, step) = (number(answer, "candidates_ms"), number(answer, "step_ms"));
        let (first, all) = (ours.update + ours.first, ours.update + ours.query);
        let faster = (candidates + step) / first;
        let triangles = world.bodies.iter().flatten().map(|body| body.triangles.len()).sum::<usize>();
        let row = vec![
            triangles as f64,
            number(answer, "candidates"),
            candidates,
            step,
            ours.update,
            ours.first,
            ours.query,
            ours.build,
            faster,
            (candidates + step) / all,
            (candidates + step) / (ours.build + first),
        ];
        rows.push((name.to_string(), row));
        if answer.is_some() {
            let what = format!("{name}: first impact against ipctk");
            goals.push(Goal::at_least(Topic::DeformPeers, what, faster, 5.0, "times faster"));
        }
    }
    Study {
        title: "first impact of a step: ipctk (LBVH, Tight-Inclusion) and ours, one thread, ms".into(),
        columns: vec![
            "triangles",
            "candidates",
            "ipctk: candidates",
            "step",
            "ours: update",
            "first impact",
            "all impacts",
            "build",
            "faster",
            "all, faster",
            "built, faster",
        ],
        rows,
        goals,
        notes: missing
            .iter()
            .cloned()
            .chain([
                "faster: candidates and step over update and first impact; all: ours with every impact; built: ours with new trees"
                    .into(),
            ])
            .collect(),
        ..Study::default()
    }
}

/// Queries of a file: kind and truth, start and end.
fn read(text: &str) -> Vec<(bool, [Point; 4], [Point; 4])> {
    let query = |line: &str| {
        let numbers: Vec<f64> =
            line.split(',').map(|word| word.parse().expect("the data folder has numbers")).collect();
        let points = &numbers[numbers.len() - 24..];
        let at = |k: usize| Point::new(points[3 * k], points[3 * k + 1], points[3 * k + 2]);
        (numbers[0] == 1.0, std::array::from_fn(at), std::array::from_fn(|k| at(k + 4)))
    };
    text.lines().skip(1).map(query).collect()
}

fn queries<'a>(folder: &Path, theirs: &dyn Fn(&str) -> Option<&'a Value>, missing: &[String]) -> Study {
    let mut files: Vec<_> =
        fs::read_dir(folder).map_or(vec![], |files| files.flatten().map(|file| file.path()).collect());
    files.retain(|file| file.extension().is_some_and(|end| end == "csv"));
    files.sort();
    let mut ccd = Ccd::new(CcdOptions::default()).expect("the defaults are valid");
    let mut rows = vec![];
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let list = read(&fs::read_to_string(&file).unwrap_or_default());
        let is_face = name.ends_with("_vf");
        let mut test = |start, end| {
            let found = if is_face { ccd.vertex_face(start, end) } else { ccd.edge_edge(start, end) };
            found.expect("the data folder's points are finite").is_some()
        };
        let (time, found) = timed(|| list.iter().map(|(_, start, end)| test(start, end)).collect::<Vec<bool>>());
        let count = |truth: bool, told: bool| {
            list.iter().zip(&found).filter(|((t, ..), f)| *t == truth && **f == told).count() as f64
        };
        let answer = theirs(&name);
        let row = vec![
            list.len() as f64,
            list.iter().filter(|(truth, ..)| *truth).count() as f64,
            count(false, true),
            count(true, false),
            time * 1e3 / list.len() as f64,
            number(answer, "false_positives"),
            number(answer, "missed"),
            number(answer, "microseconds"),
        ];
        rows.push((name, row));
    }
    let sum = |column: usize| rows.iter().map(|(_, row): &(String, Vec<f64>)| row[column]).sum::<f64>();
    let mean = |column: usize| rows.iter().map(|(_, row)| row[column] * row[0]).sum::<f64>() / sum(0);
    let all = vec![sum(0), sum(1), sum(2), sum(3), mean(4), sum(5), sum(6), mean(7)];
    rows.push(("all".into(), all));
    Study {
        title: "single continuous queries: answers that exact arithmetic refutes".into(),
        columns: vec![
            "queries",
            "colliding",
            "ours: false positives",
            "missed",
            "us a query",
            "ipctk: false positives",
            "missed",
            "us a query¹",
        ],
        rows,
        notes: missing.iter().cloned().chain(["¹ called from Python".into()]).collect(),
        ..Study::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_read_with_and_without_times() {
        let points: Vec<String> = (0..24).map(|k| k.to_string()).collect();
        for head in ["1", "1,0.5"] {
            let (truth, start, end) = read(&format!("header\n{head},{}\n", points.join(",")))[0];
            assert!(truth && start[1] == Point::new(3.0, 4.0, 5.0) && end[3] == Point::new(21.0, 22.0, 23.0));
        }
    }
}
