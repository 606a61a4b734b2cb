//! The figures of a run: as JSON for the report page, and as a table.

use crate::film::Film;
use crate::{Lane, Measured, Options, PACE, Sizes};
use serde_json::{Value, json};
use std::time::Duration;

/// Means of all frames but the first, which builds everything.
struct Figures {
    mean_ms: f64,
    worst_ms: f64,
    mesh_ms: f64,
    update_ms: f64,
    query_ms: f64,
    /// Time of a frame in which the topology changes over the median of the next three; mean.
    event_ratio: Option<f64>,
    found: f64,
    culled_nodes: f64,
    /// Of all frames together.
    missed: usize,
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / count.max(1) as f64
}

fn figures(lane: &Lane, sizes: &Sizes) -> Figures {
    let later = || lane.frames.iter().skip(1);
    let of = |value: fn(&Measured) -> f64| mean(later().map(value));
    let ratio = |event: usize| {
        let next = lane.frames.get(event + 1..event + 4)?;
        let mut times: Vec<f64> = next.iter().map(Measured::total_ms).collect();
        times.sort_by(f64::total_cmp);
        Some(lane.frames[event].total_ms() / times[1])
    };
    let ratios: Vec<f64> = sizes.events.iter().filter_map(|(event, _)| ratio(*event)).collect();
    Figures {
        mean_ms: of(Measured::total_ms),
        worst_ms: later().map(Measured::total_ms).fold(0.0, f64::max),
        mesh_ms: of(|frame| frame.mesh_ms),
        update_ms: of(|frame| frame.update_ms),
        query_ms: of(|frame| frame.query_ms),
        event_ratio: (!ratios.is_empty()).then(|| mean(ratios.into_iter())),
        found: of(|frame| frame.found as f64),
        culled_nodes: of(|frame| frame.culled_nodes as f64),
        missed: lane.frames.iter().map(|frame| frame.missed).sum(),
    }
}

/// With so many digits after the point.
fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    (value * unit).round() / unit
}

pub fn json(options: &Options, lanes: &[Lane], sizes: &Sizes, film: &Film) -> Value {
    let mut series = json!({ "triangles": sizes.triangles, "bodies": sizes.bodies });
    let (mut rows, mut checks) = (vec![], vec![]);
    for lane in lanes {
        let all = |value: fn(&Measured) -> f64| -> Vec<f64> { lane.frames.iter().map(value).collect() };
        let mut own = json!({
            "mesh_ms": all(|frame| rounded(frame.mesh_ms, 3)),
            "update_ms": all(|frame| rounded(frame.update_ms, 3)),
            "query_ms": all(|frame| rounded(frame.query_ms, 3)),
            "found": all(|frame| frame.found as f64),
            "missed": all(|frame| frame.missed as f64),
            "culled_nodes": all(|frame| frame.culled_nodes as f64),
        });
        if lane.query == "continuous" {
            let first = lane.frames.iter().map(|frame| frame.first.map(|time| rounded(time, 5)));
            own["first_impact"] = first.collect();
        }
        series[lane.query][lane.cones] = own;
        let f = figures(lane, sizes);
        rows.push(json!({
            "query": lane.query,
            "cones": lane.cones,
            "mean_ms": rounded(f.mean_ms, 3),
            "worst_ms": rounded(f.worst_ms, 3),
            "mesh_ms": rounded(f.mesh_ms, 3),
            "update_ms": rounded(f.update_ms, 3),
            "query_ms": rounded(f.query_ms, 3),
            "event_ratio": f.event_ratio.map(|ratio| rounded(ratio, 3)),
            "found": rounded(f.found, 1),
            "missed": f.missed,
            "culled_nodes": rounded(f.culled_nodes, 1),
        }));
        if lane.cones == "conservative" {
            checks.push(json!({
                "name": format!("{}, conservative cones", lane.query),
                "value": f.missed,
                "unit": "missed",
                "bar": 0,
                "rule": "==",
                "met": f.missed == 0,
                "words": "collisions that are found without cones are found with them",
            }));
        }
    }
    let ends = |list: &[usize]| [list.first().copied(), list.last().copied()];
    json!({
        "scenario": options.scenario.name,
        "title": options.scenario.title,
        "engine": "none",
        "step": 1.0 / PACE,
        "steps": sizes.triangles.len(),
        "frame_every": options.scenario.film_every,
        "replay": format!("{}.replay", options.scenario.name),
        "series": series,
        "events": sizes.events.iter().map(|(step, parts)| json!({ "step": step, "fragments": parts })).collect::<Vec<_>>(),
        "deforming": {
            "scale": options.scale,
            "threads": options.threads,
            "triangles": ends(&sizes.triangles),
            "bodies": ends(&sizes.bodies),
            "film_triangles": film.triangles,
            "rows": rows,
        },
        "checks": checks,
    })
}

pub fn print(options: &Options, lanes: &[Lane], sizes: &Sizes, took: Duration) {
    let last = |list: &[usize]| list.last().copied().unwrap_or(0);
    println!(
        "{:11} {} frames, {} with new topology, {} triangles and {} bodies at the end, {:.0} s",
        options.scenario.name,
        sizes.triangles.len(),
        sizes.events.len(),
        last(&sizes.triangles),
        last(&sizes.bodies),
        took.as_secs_f64()
    );
    for lane in lanes {
        let f = figures(lane, sizes);
        println!(
            "    {:10} cones {:12} {:7.2} ms (worst {:7.2}), event / next three {:4.2}, {:8.1} found, {} missed",
            lane.query,
            lane.cones,
            f.mean_ms,
            f.worst_ms,
            f.event_ratio.unwrap_or(f64::NAN),
            f.found,
            f.missed
        );
    }
}
