//! Where the instructions of ours go, and how many branches would be mispredicted: this program again, under valgrind, step by step.
//! It says what limits a row that is missed.
//!
//! Callgrind counts only within [`step`], and writes what it has counted each time that returns. These do not see the
//! memory; how much slower a pass is when others have run in between, does.

use crate::common::stage::{Moment, Stage};
use crate::ours::Ours;
use crate::studies::Study;
use crate::timing::{Plan, Times, timed};
use crate::{library, library::Library};
use fracas::{Asset, Object};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// Parts that are named; what is left is one row.
const PARTS: usize = 12;
/// Frames of a kind that are traced.
const FRAMES: u64 = 2;
const MOMENTS: [Moment; 3] = [Moment::JustFractured, Moment::Settling, Moment::Rubble];
/// Steps that a scene has: the event, the first pass, a pass of each kind.
const STEPS: usize = 2 + MOMENTS.len();

/// What callgrind has counted in a step.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    /// Instructions by part of the source.
    instructions: BTreeMap<String, u64>,
    /// Mispredicted branches, conditional and indirect.
    mispredicted: u64,
}

/// What is counted. Not inlined: callgrind knows it by its name.
#[inline(never)]
fn step<T>(work: impl FnOnce() -> T) -> T {
    std::hint::black_box(work())
}

/// What runs under valgrind: every step once, smooth and rough. Prints how many pairs each step had, and how many samples were
/// looked at.
pub fn trace(name: &str, asset: &Path) -> Result<(), String> {
    let bytes = fs::read(asset).map_err(|why| format!("{} cannot be read: {why}", asset.display()))?;
    let object = Object::intact(&Asset::load(&bytes).map_err(|why| why.to_string())?).remove(0);
    for rough in [false, true] {
        let stage = Stage::named(name, &object, rough);
        let mut ours = Ours::all().remove(0);
        step(|| ours.prepare(&stage, &[]));
        let pieces = stage.broken();
        println!("{}", pieces.len());
        let mut passes = |frames: &[_], warm: bool| {
            let frames: Vec<_> = frames.iter().map(|(moment, k)| stage.frame(&pieces, *moment, *k)).collect();
            let pairs: Vec<_> = frames.iter().map(library::pairs).collect();
            let mut run = || {
                for (frame, pairs) in frames.iter().zip(&pairs) {
                    ours.place(frame);
                    ours.pass(pairs);
                }
            };
            if warm {
                run();
            }
            step(run);
            println!("{}", pairs.iter().map(Vec::len).sum::<usize>());
        };
        passes(&[(Moment::JustFractured, 0)], false);
        for moment in MOMENTS {
            let frames: Vec<_> = (0..moment.frames().min(FRAMES)).map(|k| (moment, k)).collect();
            passes(&frames, true);
        }
    }
    Ok(())
}

/// Profiles of a scene, smooth and rough.
pub fn of(name: &str, object: &Object, plan: &Plan) -> Result<Vec<Study>, String> {
    let folder = PathBuf::from("out/bench/profile");
    let told = |why: std::io::Error| format!("{}: {why}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(told)?;
    }
    fs::create_dir_all(&folder).map_err(told)?;
    let (asset, counts) = (folder.join("asset.fracas"), folder.join("counts"));
    fs::write(&asset, object.asset().save()).map_err(told)?;
    let own = env::current_exe().map_err(told)?;
    let marked = concat!(module_path!(), "::step");
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--branch-sim=yes", "--collect-jumps=no", "--compress-strings=no"])
        .args(["toggle-collect", "dump-after"].map(|option| format!("--{option}={marked}")))
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(own)
        .args(["--trace", name])
        .arg(&asset)
        .stderr(Stdio::null())
        .output()
        .map_err(|why| format!("valgrind does not run: {why}"))?;
    let sizes: Vec<f64> = String::from_utf8_lossy(&run.stdout).lines().filter_map(|line| line.parse().ok()).collect();
    let file = |k: usize| folder.join(format!("counts.{}", k + 1));
    let steps: Vec<Counts> =
        (0..2 * STEPS).map_while(|k| fs::read_to_string(file(k)).ok()).map(|t| counted(&t)).collect();
    if sizes.len() < 2 * STEPS || steps.len() < 2 * STEPS {
        return Err(format!("valgrind counted {} of {} steps", steps.len(), 2 * STEPS));
    }
    let scenes = [false, true].into_iter().zip(steps.chunks(STEPS)).zip(sizes.chunks(STEPS));
    Ok(scenes.map(|((rough, steps), sizes)| study(&Stage::named(name, object, rough), steps, sizes, plan)).collect())
}

/// A part a row, a step a column: thousands of instructions of the event and the first pass, then instructions a pair.
fn study(stage: &Stage, steps: &[Counts], sizes: &[f64], plan: &Plan) -> Study {
    let per: Vec<f64> = (0..STEPS).map(|k| if k < 2 { 1e3 } else { sizes[k] }).collect();
    let sum = |k: usize| steps[k].instructions.values().sum::<u64>() as f64;
    let share =
        |part: &str| (0..STEPS).map(|k| *steps[k].instructions.get(part).unwrap_or(&0) as f64 / sum(k)).sum::<f64>();
    let mut parts: Vec<&str> = steps.iter().flat_map(|step| step.instructions.keys().map(String::as_str)).collect();
    parts.sort_unstable();
    parts.dedup();
    parts.sort_by(|a, b| share(b).total_cmp(&share(a)));
    let row = |part: &str| {
        (0..STEPS).map(|k| *steps[k].instructions.get(part).unwrap_or(&0) as f64 / per[k]).collect::<Vec<f64>>()
    };
    let named = parts.len().min(PARTS);
    let mut rows: Vec<(String, Vec<f64>)> = parts[..named].iter().map(|part| (part.to_string(), row(part))).collect();
    let rest = (0..STEPS).map(|k| sum(k) / per[k] - rows.iter().map(|(_, row)| row[k]).sum::<f64>());
    rows.push(("the rest".into(), rest.collect()));
    rows.push(("all".into(), (0..STEPS).map(|k| sum(k) / per[k]).collect()));
    rows.push(("mispredicted branches".into(), (0..STEPS).map(|k| steps[k].mispredicted as f64 / per[k]).collect()));
    rows.push(("microseconds a pair, again and again".into(), warm(stage, plan)));
    let columns = vec!["event, thousands", "first pass, thous.", "just, a pair", "settling, a pair", "rubble, a pair"];
    Study { title: format!("{}: where our instructions go", stage.name), columns, rows, ..Study::default() }
}

/// The least time of passes that follow each other, without others in between.
fn warm(stage: &Stage, plan: &Plan) -> Vec<f64> {
    let mut ours = Ours::all().remove(0);
    ours.prepare(stage, &[]);
    let pieces = stage.broken();
    let mut least = vec![f64::NAN; 2];
    for moment in MOMENTS {
        let frame = stage.frame(&pieces, moment, 0);
        let pairs = library::pairs(&frame);
        ours.place(&frame);
        let times = Times::of(plan.repetitions.max(2), || timed(|| ours.pass(&pairs)).0);
        least.push(times.least() * 1e3 / pairs.len() as f64);
    }
    least
}

/// Sums what callgrind has written; instructions by part: the file of the library where the instruction was written, or else, for code of
/// others that was inlined or called, the function that it is in.
fn counted(text: &str) -> Counts {
    let mut counts = Counts::default();
    let (mut file, mut function, mut skip) = (String::new(), String::new(), false);
    let mut events: Vec<&str> = vec![];
    for line in text.lines() {
        if let Some(names) = line.strip_prefix("events:") {
            events = names.split_ascii_whitespace().collect();
            continue;
        }
        match line.split_once('=') {
            Some(("fl" | "fi" | "fe", name)) => file = name.to_string(),
            Some(("fn", name)) => function = name.to_string(),
            // The line after a call says what the call cost: that was counted there.
            Some(("calls", _)) => skip = true,
            Some(_) => {}
            None if std::mem::take(&mut skip) => {}
            None => {
                let mut numbers = line.split_ascii_whitespace();
                let is_place = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c));
                if numbers.next().is_none_or(|word| !is_place(word)) {
                    continue;
                }
                // Zeros at the end of a line are left out.
                for (event, count) in events.iter().zip(numbers.map(|word| word.parse::<u64>().unwrap_or(0))) {
                    match *event {
                        "Ir" => *counts.instructions.entry(part(&file, &function)).or_default() += count,
                        "Bcm" | "Bim" => counts.mispredicted += count,
                        _ => {}
                    }
                }
            }
        }
    }
    counts
}

fn part(file: &str, function: &str) -> String {
    let source = file.rsplit_once("/src/").map_or(file, |(_, name)| name);
    let of_ours = |folder: &&str| source.starts_with(&format!("{folder}/"));
    let is_ours = !file.contains("/library/") && !file.contains("nalgebra");
    if is_ours && ["contact", "field", "tree", "geom", "fracture", "solid"].iter().any(of_ours) {
        return source.trim_end_matches(".rs").to_string();
    }
    // `<fracas::field::x::Y as core::...>::f` and `fracas::field::x::f` are of `field/x`.
    match function.find("fracas::") {
        Some(at) => {
            let path: Vec<&str> = function[at + 8..].split("::").take(2).collect();
            path.join("/").split(['<', '>', ' ']).next().unwrap_or("").to_string()
        }
        None => "memory, sorting and the like".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_go_to_where_they_were_written() {
        let text = "events: Ir Bc Bcm\n\nfl=/there/src/contact/search.rs\nfn=fracas::contact::search::Direction<F>::gather\n12 5 3 2\n+3 7\n\
                    fi=/rust/library/core/src/num.rs\n9 2\nfe=/there/src/geom/lanes.rs\n4 1 1 1\ncfn=malloc\ncalls=3 0\n8 900 9 9\n\n\
                    fl=malloc.c\nfn=malloc\n0 30\ntotals: 45\n";
        let expected = [("contact/search", 14), ("geom/lanes", 1), ("memory, sorting and the like", 30)];
        let instructions = expected.map(|(part, count)| (part.to_string(), count)).into();
        assert_eq!(counted(text), Counts { instructions, mispredicted: 3 });
    }
}
