//! The tables of the sequences, beside the paper's figures.

use super::play::{Kind, Times};
use super::run::{Line, Played};
use super::variants::{DEFAULT, DUAL_CONTOUR, FAST, MORTON, NO_GRID_NO_METRIC, OFF, REFIT, TWO_THREADS};
use crate::goals::{Goal, Topic};
use crate::plot::Plot;
use crate::studies::Study;
use std::ops::Range;

/// The paper's mean time of a frame, in milliseconds (6.1), on one thread of a processor of 2010.
fn paper(name: &str, kind: Kind) -> Option<f64> {
    match (name, kind) {
        ("walls", Kind::Discrete) => Some(97.0),
        ("dragon", Kind::Discrete) => Some(252.0),
        ("dragon", Kind::Continuous) => Some(715.0),
        ("cloth", Kind::Continuous) => Some(345.0),
        ("n-body", Kind::Continuous) => Some(17.0),
        _ => None,
    }
}

/// What the paper says of variants in a sequence (6.2).
fn paper_says(name: &str, kind: Kind) -> &'static [&'static str] {
    match (name, kind) {
        ("walls", Kind::Discrete) => &["medians, volume ratio 1.76 times slower than the default"],
        ("dragon", Kind::Continuous) => {
            &["medians, volume ratio 1.27 times slower than the default; medians, cost metric 1.84 times at events"]
        }
        ("cloth", Kind::Continuous) => &[
            "full contour 1.25, real contour 1.06, normal cone only 0.95 times its dual cones' time; the last misses collisions",
            "overlap tests left: dual cones 46.5 %, full contour 48.9 % of those without",
        ],
        _ => &[],
    }
}

/// How many times slower spatial hashing is in the paper (6.2.2).
fn paper_hashing(name: &str) -> Option<f64> {
    [("walls", 20.0), ("n-body", 7.0), ("cloth", 1.56)]
        .iter()
        .find(|(other, _)| *other == name)
        .map(|(_, times)| *times)
}

pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / count as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// All frames after the first.
fn later(line: &Line) -> Vec<&Times> {
    line.within(&line.frames).collect()
}

fn mean_of(line: &Line) -> f64 {
    mean(later(line).iter().map(|times| times.all()))
}

fn at_events(line: &Line, range: &Range<usize>) -> f64 {
    mean(line.within(range).filter(|times| times.is_event).map(Times::all))
}

/// A frame with an event over the median of the three after it.
fn event_over_next(line: &Line) -> f64 {
    let times = later(line);
    let events = (0..times.len()).filter(|k| times[*k].is_event && k + 3 < times.len());
    mean(events.map(|k| times[k].all() / median(times[k + 1..k + 4].iter().map(|t| t.all()).collect())))
}

/// In percent of the whole.
fn share(times: &[&Times], of: impl Fn(&Times) -> f64) -> f64 {
    100.0 * times.iter().map(|t| of(t)).sum::<f64>() / times.iter().map(|t| t.all()).sum::<f64>()
}

fn thousands(count: usize) -> String {
    format!("{:.0}K", count as f64 / 1e3)
}

/// One sequence, discrete or continuous: all variants.
fn variants(played: &Played, kind: Kind) -> Study {
    let (default, off) = (played.line(kind, DEFAULT), played.line(kind, OFF));
    let row = |line: &Line| {
        let times = later(line);
        let beside = mean(default.within(&line.frames).map(Times::all));
        // The default joined earlier than variants; both within the frames that they share.
        let own = mean(line.within(&default.frames).map(Times::all));
        let tests = |line: &Line| line.within(&off.frames).map(|t| t.stats.node_tests).sum::<u64>() as f64;
        vec![
            mean_of(line),
            times.iter().map(|t| t.all()).fold(0.0, f64::max),
            share(&times, |t| t.mesh),
            share(&times, |t| t.update),
            share(&times, |t| t.query),
            event_over_next(line),
            own / beside,
            at_events(line, &default.frames) / at_events(default, &line.frames),
            line.lost as f64,
            100.0 * tests(line) / tests(off),
        ]
    };
    let lines = played.lines.iter().filter(|line| line.kind == kind);
    let rows = lines.map(|line| (line.variant.name.to_string(), row(line))).collect();
    let triangles = default.times.iter().map(|t| t.triangles);
    let range = (triangles.clone().min().unwrap_or(0), triangles.max().unwrap_or(0));
    let name = format!("{}, {}", played.name, kind.name());
    let all = &played.scope.all;
    let mut notes: Vec<String> = paper(played.name, kind)
        .iter()
        .map(|ms| format!("the paper: {ms} ms; ours {:.1} times faster", ms / mean_of(default)))
        .collect();
    notes.extend(paper_says(played.name, kind).iter().map(|told| format!("the paper: {told}")));
    if default.frames != off.frames {
        notes.push(format!("variants: frames {} to {}", off.frames.start, off.frames.end));
    }
    let mut goals: Vec<Goal> = paper(played.name, kind)
        .iter()
        .map(|ms| Goal::at_most(Topic::DeformTime, format!("{name}: mean frame"), mean_of(default), ms / 5.0, "ms"))
        .collect();
    for culling in [DEFAULT, DUAL_CONTOUR] {
        let line = played.line(kind, culling);
        let what = format!("{name}: pairs lost or invented, {culling}");
        goals.push(Goal::at_most(Topic::DeformExact, what, (line.lost + line.invented) as f64, 0.0, "pairs"));
    }
    let lines = [DEFAULT, TWO_THREADS, FAST, NO_GRID_NO_METRIC, MORTON].map(|name| {
        let line = played.line(kind, name);
        (name.to_string(), line.frames.start + 1, later(line).iter().map(|t| t.all()).collect())
    });
    let plot = Plot {
        title: format!("{name}: milliseconds per frame"),
        lines: lines.into(),
        marks: played.events.clone(),
        level: paper(played.name, kind).map(|ms| ("a fifth of the paper's".into(), ms / 5.0)),
    };
    Study {
        title: format!(
            "{name}: {} to {} triangles, frames {} to {} of {}, {} with changes of topology",
            thousands(range.0),
            thousands(range.1),
            all.start,
            all.end,
            played.frames,
            played.events.len()
        ),
        columns: vec![
            "mean ms",
            "worst ms",
            "mesh %",
            "update %",
            "traversal %",
            "event/next",
            "/ default",
            "at events",
            "lost pairs",
            "tests left %",
        ],
        rows,
        goals,
        notes,
        plots: vec![plot],
        ..Study::default()
    }
}

/// The peers that find pairs of boxes, on some frames of a sequence, beside ours on the same ones.
fn boxes(played: &Played) -> Study {
    let range = &played.scope.peers;
    let peers = &played.boxes;
    let ours = |name: &str| {
        let times: Vec<&Times> = played.line(Kind::Discrete, name).within(range).collect();
        let update = |t: &&Times| t.mesh + t.update;
        let quiet = |of: fn(&Times) -> u64| mean(times.iter().filter(|t| !t.is_event).map(|t| of(t) as f64));
        vec![
            mean(times.iter().map(update)),
            mean(times.iter().map(|t| t.query)),
            f64::NAN,
            mean(times.iter().map(|t| t.all())),
            f64::NAN,
            mean(times.iter().filter(|t| t.is_event).map(update)),
            quiet(|t| t.stats.candidates),
            quiet(|t| t.stats.found),
        ]
    };
    let mut rows: Vec<(String, Vec<f64>)> =
        [DEFAULT, OFF, REFIT, MORTON].map(|name| (format!("ours, {name}"), ours(name))).into();
    let (total, found) = (rows[0].1[3], rows[0].1[7]);
    let mut notes = vec![
        "ours: pairs with their exact test. Peers: neighbouring triangles are pairs, too; one exact test serves all"
            .into(),
        "box pairs and found: per frame without a change of topology".into(),
    ];
    notes.extend(paper_hashing(played.name).map(|times| format!("the paper: spatial hashing {times} times slower")));
    for (name, sums) in &peers.rows {
        let Some(sums) = sums else {
            rows.push((format!("{name}: not here"), vec![f64::NAN; 8]));
            continue;
        };
        let frames = sums.frames as f64;
        let (update, pairs, exact) = (sums.update / frames, sums.pairs / frames, peers.exact / frames);
        let event = sums.event_update / sums.events as f64;
        let [met, own] = [sums.met, peers.found].map(|count| count as f64 / sums.quiet());
        rows.push((name.to_string(), vec![update, pairs, exact, update + pairs + exact, f64::NAN, event, met, own]));
        if (own - found).abs() > 1e-9 {
            notes.push(format!("{name}: its pairs make {own} collisions, ours {found}"));
        }
    }
    rows.iter_mut().for_each(|(_, row)| row[4] = row[3] / total);
    if !peers.differences.is_empty() {
        notes.push(format!("other pairs of boxes than the first: {}", peers.differences.join(", ")));
    }
    Study {
        title: format!(
            "{}, discrete: peers that find pairs of boxes, frames {} to {}, ms",
            played.name, range.start, range.end
        ),
        columns: vec!["update", "pairs", "exact test", "all", "/ default", "event update", "box pairs", "found"],
        rows,
        notes,
        ..Study::default()
    }
}

/// Ours against FCL, between bodies only.
fn between(all: &[Played]) -> Study {
    let mut rows = vec![];
    for played in all {
        let sums = &played.between;
        let (frames, quiet) = (sums.frames as f64, (sums.frames - sums.events) as f64);
        let (ours, fcl) = (sums.ours.update + sums.ours.query, sums.fcl.update + sums.fcl.query);
        let row = vec![
            sums.pairs as f64 / frames,
            sums.ours.update / frames,
            sums.ours.query / frames,
            sums.ours.found as f64 / quiet,
            sums.fcl.update / frames,
            sums.fcl.query / frames,
            sums.fcl.found as f64 / quiet,
            fcl / ours,
            sums.fcl.at_events / sums.ours.at_events,
        ];
        rows.push((played.name.to_string(), row));
    }
    Study {
        title: "FCL's models, refitted: between bodies only, discrete, ms".into(),
        columns: vec![
            "body pairs",
            "ours: update",
            "query",
            "found",
            "FCL: update",
            "query",
            "found",
            "ours faster",
            "at events",
        ],
        rows,
        notes: vec![
            "FCL has no collisions within a body: left out on both sides; pairs of bodies come from us and are not timed for it".into(),
            "found: per frame without a change of topology".into(),
        ],
        ..Study::default()
    }
}

/// Update and whole frame at events, against everything anew.
fn events(all: &[Played]) -> Study {
    let (mut rows, mut goals) = (vec![], vec![]);
    for played in all.iter().filter(|played| !played.events.is_empty()) {
        for kind in Kind::ALL {
            let line = played.line(kind, DEFAULT);
            let at = |frame: usize| line.times[frame - line.frames.start];
            let sum = |of: &dyn Fn(&Times) -> f64| played.anew.iter().map(|anew| of(&at(anew.frame))).sum::<f64>();
            let count = played.anew.len() as f64;
            let (update, query) = (sum(&|t| t.mesh + t.update) / count, sum(&|t| t.query) / count);
            let anew = mean(played.anew.iter().map(|anew| anew.milliseconds));
            let name = format!("{}, {}", played.name, kind.name());
            let (faster, frame) = (anew / update, (anew + query) / (update + query));
            let times = later(line);
            let row = vec![
                count,
                update,
                anew,
                faster,
                update + query,
                anew + query,
                frame,
                100.0 * update / (update + query),
                share(&times, |t| t.mesh + t.update),
            ];
            rows.push((name.clone(), row));
            let what = format!("{name}: update at events against anew by medians");
            goals.push(Goal::at_least(Topic::DeformEvents, what, faster, 5.0, "times faster"));
            let what = format!("{name}: frame at events against anew by medians");
            goals.push(Goal::at_least(Topic::DeformEvents, what, frame, 1.5, "times faster"));
        }
    }
    Study {
        title: "events: mesh and tree update against everything anew by medians, with cones, ms".into(),
        columns: vec![
            "events",
            "update",
            "anew",
            "faster",
            "frame",
            "frame, anew",
            "faster",
            "update share %",
            "of all frames %",
        ],
        rows,
        goals,
        notes: vec!["frames anew: with our query. The paper, dragon: mesh and tree update take 32 % of all frames; tree update 35 % at events"
            .into()],
        ..Study::default()
    }
}

/// What is done, and in how much memory.
fn work(all: &[Played]) -> Study {
    let mut rows = vec![];
    for played in all {
        for kind in Kind::ALL {
            let line = played.line(kind, DEFAULT);
            let times = later(line);
            let sum = |of: fn(&Times) -> u64| times.iter().map(|t| of(t)).sum::<u64>() as f64;
            let frames = times.len() as f64;
            let refit = mean(played.line(kind, REFIT).within(&line.frames).map(|t| t.update));
            let whole = mean(line.within(&played.line(kind, REFIT).frames).map(Times::all));
            let two = played.line(kind, TWO_THREADS);
            let (tests, found) = (sum(|t| t.stats.elementary_tests), sum(|t| t.stats.found));
            let row = vec![
                sum(|t| t.stats.node_tests) / frames,
                tests / frames,
                found / frames,
                100.0 * (1.0 - found / tests),
                100.0 * refit / whole,
                sum(|t| t.done.rebuilt_triangles) / sum(|t| t.triangles as u64) * 100.0,
                mean_of(line) / mean_of(two),
                played.memory.bytes as f64 / played.memory.triangles as f64,
                played.memory.bytes as f64 / played.memory.nodes as f64,
            ];
            rows.push((format!("{}, {}", played.name, kind.name()), row));
        }
    }
    Study {
        title: "work of a frame with the default options".into(),
        columns: vec![
            "overlap tests",
            "primitive tests",
            "found",
            "false %",
            "refit share %",
            "rebuilt %",
            "two threads, x",
            "bytes/triangle",
            "bytes/node",
        ],
        rows,
        notes: vec![
            "the paper: 90 % of primitive tests are false (dragon), refit takes 5 to 7 %, 92 bytes per node, 50 MB for the dragon (about \
             200 per triangle)"
                .into(),
            "bytes: everything in the scene, meshes and positions too; a node of ours has four triangles if it is a leaf".into(),
            "two threads: by the clock on the wall, against one thread's own time".into(),
        ],
        ..Study::default()
    }
}

/// Whether restructuring is worth it.
fn morton(all: &[Played]) -> Study {
    let mut rows = vec![];
    for played in all {
        for kind in Kind::ALL {
            let (default, morton) = (played.line(kind, DEFAULT), played.line(kind, MORTON));
            let own = mean(default.within(&morton.frames).map(Times::all));
            let every = mean(morton.within(&default.frames).map(Times::all));
            rows.push((format!("{}, {}", played.name, kind.name()), vec![own, every, every / own]));
        }
    }
    let slower = rows.iter().filter(|(_, row)| row[2] > 1.0).count();
    let answer = match slower {
        0 => "yes",
        _ if slower == rows.len() => "no",
        _ => "not everywhere",
    };
    let ratio = |f: fn(f64, f64) -> f64| rows.iter().map(|(_, row)| row[2]).reduce(f).unwrap_or(f64::NAN);
    let notes = vec![format!(
        "does a full Morton rebuild in every frame beat restructuring? {answer}: it is slower in {slower} of {}, {:.2} to {:.2} times",
        rows.len(),
        ratio(f64::min),
        ratio(f64::max)
    )];
    Study {
        title: "restructuring (ours) against a Morton rebuild in every frame".into(),
        columns: vec!["ours, ms", "Morton, ms", "times"],
        rows,
        notes,
        ..Study::default()
    }
}

/// All tables of the sequences.
pub fn studies(all: &[Played]) -> Vec<Study> {
    let mut list = vec![];
    for played in all {
        list.extend(Kind::ALL.map(|kind| variants(played, kind)));
    }
    list.extend([events(all), work(all), morton(all)]);
    list.extend(all.iter().map(boxes));
    list.push(between(all));
    list
}
